//! Any text is an error or a script whose answers are right; long searches are stopped.
#![no_main]

use std::sync::atomic::{AtomicUsize, Ordering};

use craig_itp::Stop;
use craig_smt::{Failure, Options, run};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if text.len() > 4000 {
        return;
    }
    let n_polls = AtomicUsize::new(0);
    let stop = Stop::when(move || n_polls.fetch_add(1, Ordering::Relaxed) > 10_000);
    let found = run(text, "input", &Options::default(), &stop, &mut |_| {});
    assert!(!matches!(found, Err(Failure::Internal(_))));
});
