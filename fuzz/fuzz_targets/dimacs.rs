//! Any bytes, compressed or not, are an error or a formula; a formula is read back as it was written.
#![no_main]

use craig_formula::dimacs::{decompress, read, write};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut input) = decompress(bytes) else {
        return;
    };
    let Ok(formula) = read(&mut input, "input") else {
        return;
    };
    let mut text = Vec::new();
    write(&formula, &mut text).unwrap();
    let again = read(&mut text.as_slice(), "again").unwrap();
    assert!(formula.iter().eq(again.iter()));
});
