//! Any bytes are an error or a circuit; what is a circuit can be written and read again in both encodings.
#![no_main]

use craig_hardware::aiger::{read, write_ascii, write_binary};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(circuit) = read(bytes, "input") else {
        return;
    };
    let mut ascii = Vec::new();
    write_ascii(&circuit, &mut ascii).unwrap();
    let mut binary = Vec::new();
    write_binary(&circuit, &mut binary).unwrap();
    let mut again = Vec::new();
    write_ascii(&read(&binary, "binary").unwrap(), &mut again).unwrap();
    assert_eq!(ascii, again);
});
