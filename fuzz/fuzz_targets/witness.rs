//! Any bytes are an error or evidence for a small circuit, which can be written again.
#![no_main]

use craig_hardware::aiger::{self, Encoding};
use craig_hardware::witness::{
    Witness, read, write_certificate, write_liveness_certificate, write_trace,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let model = aiger::read(b"aag 4 2 2 0 0 2\n4\n2\n8 4\n6 2\n8\n6\n", "model").unwrap();
    match read(bytes, "input", &model) {
        Err(_) => {}
        Ok(Witness::Trace(file)) => {
            let mut text = Vec::new();
            write_trace(&file.prefix(file.bads[0], file.inputs.len()), &mut text).unwrap();
            read(&text, "again", &model).unwrap();
        }
        Ok(Witness::Certificate(certificate)) => {
            let mut text = Vec::new();
            write_certificate(&certificate, &model, Encoding::Ascii, &mut text).unwrap();
            read(&text, "again", &model).unwrap();
        }
        Ok(Witness::Liveness(certificate)) => {
            let mut text = Vec::new();
            write_liveness_certificate(&certificate, &model, Encoding::Ascii, &mut text).unwrap();
            read(&text, "again", &model).unwrap();
        }
    }
});
