//! Any bytes are an error with a line of the file, or a circuit that can be written in AIGER and read again.
#![no_main]

use craig_hardware::{aiger, blif};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match blif::read(bytes, "input") {
        Ok(circuit) => {
            let mut text = Vec::new();
            aiger::write_ascii(&circuit, &mut text).unwrap();
            aiger::read(&text, "text").unwrap();
        }
        Err(error) => {
            let lines = String::from_utf8_lossy(bytes).lines().count();
            assert!((1..=lines.max(1)).contains(&error.line), "{error}");
        }
    }
});
