//! Any text is an error or a program whose properties can be counted.
#![no_main]

use craig_c::{Options, count_properties};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = count_properties(text, &Options::default());
});
