//! Any bytes are an error or a circuit; what is a circuit can be written and read again.
#![no_main]

use craig_hardware::btor2::{read, write};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(circuit) = read(bytes, "input") else {
        return;
    };
    let mut first = Vec::new();
    write(&circuit, &mut first).unwrap();
    let mut again = Vec::new();
    write(&read(&first, "first").unwrap(), &mut again).unwrap();
    assert_eq!(first, again);
});
