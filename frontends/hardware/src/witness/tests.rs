//! Tests of traces and witness circuits.

use craig_model::Values;
use proptest::prelude::*;

use super::*;
use crate::aiger::{self, Encoding};

fn circuit(text: &str) -> AigerModel {
    aiger::read(text.as_bytes(), "model").unwrap()
}

/// Two inputs, two latches, two bads.
fn model() -> AigerModel {
    circuit("aag 4 2 2 0 0 2\n4\n2\n8 4\n6 2\n8\n6\n")
}

const TRACE: &str = "1\nb1\n0x\n10\nx1\n.\n";

#[test]
fn a_trace_is_written_as_it_was_read() {
    let file = read_trace(TRACE.as_bytes(), "trace", &model()).unwrap();
    assert_eq!(file.bads, [1]);
    assert_eq!(file.initial, [Some(false), None]);
    let mut text = Vec::new();
    write_trace(&file.prefix(1, 2), &mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), TRACE);
    let file = read_trace(b"c hello\n1\nb0b1\nu5\n00\n11\n.\n", "trace", &model()).unwrap();
    assert_eq!(file.bads, [0, 1]);
}

#[test]
fn a_model_without_inputs_and_latches_has_empty_lines() {
    let constant = circuit("aag 0 0 0 0 0 1\n1\n");
    let file = read_trace(b"1\nb0\n\n\n.\n", "trace", &constant).unwrap();
    assert_eq!(file.inputs, [Values::new()]);
}

#[test]
fn malformed_traces_get_one_clear_error() {
    let table = [
        ("", "trace: line 1: expected a trace"),
        ("0\nb0\n.\n", "the status is 0 (safe)"),
        ("2\nb0\n.\n", "the status is 2 (unknown)"),
        (
            "1\nb2\n00\n00\n.\n",
            "trace: line 2: there is no property b2: the model has 2",
        ),
        (
            "1\nj0\n00\n00\n.\n",
            "there is no property j0: the model has 0",
        ),
        (
            "1\nb\n00\n00\n.\n",
            "expected properties, such as \"b0\" or \"j0\", but found \"b\"",
        ),
        ("1\nb+1\n00\n00\n.\n", "expected properties"),
        (
            "1\nb0\n000\n00\n.\n",
            "trace: line 3: expected 2 characters 0, 1 or x, one for each of the latches, but found 3",
        ),
        (
            "1\nb0\n00\n0y\n.\n",
            "trace: line 4: expected 0, 1 or x but found \"y\"",
        ),
        ("1\nb0\n00\n.\n", "the trace has no steps"),
        (
            "1\nb0\n00\n00",
            "the file ends where a step or the final \".\" is expected",
        ),
    ];
    for (text, expected) in table {
        let found = read_trace(text.as_bytes(), "trace", &model())
            .unwrap_err()
            .to_string();
        assert!(
            found.contains(expected),
            "expected {expected:?} of {text:?} but found {found:?}"
        );
    }
}

/// The literals on the model's side are those of the model's file, whatever its order.
#[test]
fn a_certificate_is_written_as_it_was_read() {
    let text = "aag 4 2 2 0 0 1\n2\n4\n6 4\n8 2\n6\ni0 = 2\ni1 = 4\nl0 = 8\n";
    let certificate = read_certificate(text.as_bytes(), "witness", &model()).unwrap();
    assert_eq!(certificate.shared_inputs, [Some(1), Some(0)]);
    assert_eq!(certificate.shared_latches, [Some(0), None]);
    let mut written = Vec::new();
    write_certificate(&certificate, &model(), Encoding::Ascii, &mut written).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), text);
}

#[test]
fn mappings_are_found_in_comments_symbols_or_positions() {
    let plain = "aag 2 1 1 0 0 1\n2\n4 2\n4\n";
    let read = |text: &str| read_certificate(text.as_bytes(), "witness", &model());
    let certificate = read(plain).unwrap();
    assert_eq!(certificate.shared_inputs, [Some(0)]);
    assert_eq!(certificate.shared_latches, [Some(0)]);
    let certificate = read(&format!("{plain}i0 = 4\nc\nMAPPING 1\n4 6\n")).unwrap();
    assert_eq!(certificate.shared_inputs, [None]);
    assert_eq!(certificate.shared_latches, [Some(1)]);
    // An empty mapping must not be read back as a mapping by position.
    let none = read(&format!("{plain}c\nMAPPING 0\n")).unwrap();
    let mut written = Vec::new();
    write_certificate(&none, &model(), Encoding::Binary, &mut written).unwrap();
    let again = read_certificate(&written, "witness", &model()).unwrap();
    assert_eq!(
        (again.shared_inputs, again.shared_latches),
        (vec![None], vec![None])
    );
}

/// A witness circuit for a justice property is written as it was read, with the values of the second state.
#[test]
fn interventions_are_written_as_they_were_read() {
    let model = circuit("aag 3 1 1 0 0 0 0 1 0\n2\n4 2\n1\n4\n");
    let text = "aag 3 2 1 0 0 1 0 1\n2\n4\n6 2\n0\n1\n7\ni0 = 2\nl0 = 4\nc\nINTERVENTION 1\n6 4\n";
    let read = |text: &str| read_liveness_certificate(text.as_bytes(), "witness", &model);
    let certificate = read(text).unwrap();
    assert_eq!(certificate.interventions.len(), 1);
    assert_eq!(certificate.interventions[0].stand_in, 1);
    let mut written = Vec::new();
    write_liveness_certificate(&certificate, &model, Encoding::Ascii, &mut written).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), text);
    // By symbols, and an empty list.
    let symbols = "aag 3 2 1 0 0 1 0 1\n2\n4\n6 2\n0\n1\n7\ni0 = 2\nl0 = 4 < 4\n";
    assert_eq!(
        read(symbols).unwrap().interventions,
        certificate.interventions
    );
    let empty = text.replace("INTERVENTION 1\n6 4", "INTERVENTION 0");
    assert!(read(&empty).unwrap().interventions.is_empty());
    for (from, to, expected) in [
        ("INTERVENTION 1\n6 4", "x", "no values of a second state"),
        (
            "\n6 4\n",
            "\n6 6\n",
            "the stand-in 6 of literal 6 is not an input",
        ),
        (
            "\n6 4\n",
            "\n8 4\n",
            "the intervention's literal 8 is neither an input nor a latch",
        ),
        (
            "INTERVENTION 1",
            "INTERVENTION 2",
            "is not followed by that many lines",
        ),
    ] {
        let found = read(&text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn mappings_that_do_not_fit_are_errors() {
    let plain = "aag 4 2 2 0 0 1\n2\n4\n6 2\n8 4\n8\n";
    let table = [
        ("i0 = 2\ni1 = 2\n", "the mapping uses literal 4 or 2 twice"),
        (
            "i0 = 8\n",
            "the mapping pairs literals 2 and 8, an input and a latch",
        ),
        (
            "i0 = 3\n",
            "the model's literal 3 in the mapping is neither",
        ),
        ("i0 = x\n", "expected a literal after \"=\""),
        ("c\nMAPPING 2\n2 2\n", "is not followed by that many lines"),
        (
            "c\nMAPPING 99999999999\n2 2\n",
            "is not followed by that many lines",
        ),
    ];
    for (symbols, expected) in table {
        let text = format!("{plain}{symbols}");
        let found = read_certificate(text.as_bytes(), "witness", &model())
            .unwrap_err()
            .to_string();
        assert!(
            found.contains(expected),
            "expected {expected:?} of {symbols:?} but found {found:?}"
        );
    }
}

proptest! {
    #[test]
    fn mutated_traces_never_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        let mut bytes = TRACE.as_bytes().to_vec();
        for (position, byte) in edits {
            let position = position.index(bytes.len());
            if byte % 2 == 0 { bytes[position] = byte; } else { bytes.insert(position, byte); }
        }
        if let Ok(file) = read_trace(&bytes, "mutated", &model()) {
            let mut text = Vec::new();
            write_trace(&file.prefix(file.bads[0], file.inputs.len()), &mut text).unwrap();
            prop_assert_eq!(read_trace(&text, "again", &model()).unwrap().inputs, file.inputs);
        }
    }
}
