use craig_aig::Edge;
#[cfg(debug_assertions)]
use craig_aig::planted::with_wrong_rule;
use craig_certify::certify_source;
#[cfg(debug_assertions)]
use craig_certify::{CertifyError, certify_all, certify_certificate, certify_trace};
#[cfg(debug_assertions)]
#[cfg(debug_assertions)]
use craig_mc::Alone;
use craig_mc::engine::kind;
use craig_model::{Reset, Verdict};
use proptest::prelude::*;

use super::*;

/// A circuit with every feature of the format.
const EVERYTHING: &str = "\
aag 8 2 3 1 2 2 1 2 1
2
4
6 14
8 6 1
10 17 10
14
17
1
16
1
2
15
6
8
16
14 6 4
16 2 15
i0 request
i1 = 4
l0 count[0]
l2 free
o0 out
b1 always
c0 assumption
j1 both
f0 fair
c
first line
second line
";

fn read_text(text: &str) -> AigerModel {
    read(text.as_bytes(), "test").unwrap()
}

fn error(text: &[u8]) -> String {
    read(text, "test").unwrap_err().to_string()
}

/// With a wrong rewriting rule the reader simplifies a reachable bad to false. Engines and any check of the
/// model alone then agree that it is unreachable; the check of the file's own gates fails.
#[cfg(debug_assertions)]
#[test]
fn a_wrong_rewriting_rule_does_not_pass_the_certifier() {
    // A latch that is 1 from step 1 on. The bad is the conjunction of it, the input, and the input again.
    let text = "aag 4 1 1 0 2 1\n2\n4 1\n8\n6 4 2\n8 6 2\n";
    let decide = |circuit: &AigerModel| {
        kind::check(
            &circuit.model,
            0,
            &kind::Options::default(),
            Alone::new().control(),
        )
        .verdict
    };
    let right = read_text(text);
    let Verdict::Unsafe(trace) = decide(&right) else {
        panic!("the bad is reachable");
    };
    assert_eq!(certify_trace(&right, 0, &trace), Ok(1));

    let wrong = with_wrong_rule(|| read_text(text));
    let Verdict::Safe(certificate) = decide(&wrong) else {
        panic!("the rule is planted");
    };
    assert_eq!(certify_certificate(&wrong.model, 0, &certificate), Ok(()));
    let refusal = Err(CertifyError::Source("gate 1".to_string()));
    assert_eq!(certify_certificate(&wrong, 0, &certificate), refusal);
    assert_eq!(certify_all(&wrong, &certificate), refusal);
    // Evidence against the correct circuit fails in the check of the certificate.
    let refusal = certify_certificate(&right, 0, &certificate);
    assert!(
        matches!(refusal, Err(CertifyError::Condition(_))),
        "{refusal:?}"
    );
}

#[test]
fn everything_is_read() {
    let circuit = read_text(EVERYTHING);
    let model = &circuit.model;
    assert_eq!(circuit.input_literals, [2, 4]);
    assert_eq!(circuit.latch_literals, [6, 8, 10]);
    assert_eq!(model.names.inputs, ["request", "= 4"]);
    assert_eq!(model.names.latches, ["count[0]", "", "free"]);
    assert_eq!(model.names.bads, ["", "always"]);
    assert_eq!(model.names.justice, ["", "both"]);
    assert_eq!(circuit.output_names, ["out"]);
    assert_eq!(circuit.comment.as_deref(), Some("first line\nsecond line"));
    let resets: Vec<Reset> = model.latches.iter().map(|latch| latch.reset).collect();
    assert_eq!(resets, [Reset::Zero, Reset::One, Reset::Uninitialised]);
    assert_eq!(model.bads[1], Edge::TRUE);
    assert_eq!(model.latches[2].next, !model.constraints[0]);
    let sizes: Vec<usize> = model.justice.iter().map(Vec::len).collect();
    assert_eq!(sizes, [1, 2]);
    assert!(!circuit.bads_are_outputs);
}

#[test]
fn both_encodings_give_back_what_was_written() {
    let circuit = read_text(EVERYTHING);
    let mut ascii = Vec::new();
    write_ascii(&circuit, &mut ascii).unwrap();
    assert_eq!(
        String::from_utf8(ascii.clone()).unwrap(),
        EVERYTHING
            .replace("14 6 4", "12 6 4")
            .replace("aag 8", "aag 7")
            .replace("16 2 15", "14 13 2")
            .replace("6 14\n", "6 12\n")
            .replace("10 17 10\n14\n17\n", "10 15 10\n12\n15\n")
            .replace(
                "\n1\n16\n1\n2\n15\n6\n8\n16\n",
                "\n1\n14\n1\n2\n13\n6\n8\n14\n"
            )
    );
    let mut binary = Vec::new();
    write_binary(&circuit, &mut binary).unwrap();
    let mut again = Vec::new();
    write_ascii(&read(&binary, "binary").unwrap(), &mut again).unwrap();
    assert_eq!(again, ascii);
}

/// A latch that starts at a gate over an input, one that starts at the first's negation, and one without.
const RESET_FUNCTIONS: &str = "\
aag 7 2 3 0 2 1
2
4
6 6 14
8 6 7
10 12 10
13
12 8 6
14 4 2
";

#[test]
fn reset_functions_are_read_and_written() {
    let circuit = read_text(RESET_FUNCTIONS);
    let model = &circuit.model;
    certify_source(&circuit).unwrap();
    let gate = model.latches[2].next;
    let resets: Vec<Reset> = model.latches.iter().map(|latch| latch.reset).collect();
    let Reset::Function(start) = resets[0] else {
        panic!("{resets:?}");
    };
    assert_ne!(start, gate);
    assert_eq!(resets[1], Reset::Function(!model.latches[0].state));
    assert_eq!(resets[2], Reset::Uninitialised);
    let mut text = Vec::new();
    write_ascii(&circuit, &mut text).unwrap();
    assert_eq!(String::from_utf8(text.clone()).unwrap(), RESET_FUNCTIONS);
    let mut binary = Vec::new();
    write_binary(&circuit, &mut binary).unwrap();
    assert!(binary.starts_with(b"aig 7 2 3 0 2 1\n6 14\n6 7\n12 10\n13\n"));
    let again = read(&binary, "binary").unwrap();
    certify_source(&again).unwrap();
    let mut same = Vec::new();
    write_ascii(&again, &mut same).unwrap();
    assert_eq!(same, text);
    // The model with another reset is not that of the file.
    let mut wrong = again.clone();
    wrong.model.latches[0].reset = Reset::Uninitialised;
    assert!(certify_source(&wrong).is_err());
    wrong.model.latches[0].reset = Reset::Function(!start);
    assert!(certify_source(&wrong).is_err());
    for (from, to, expected) in [
        (
            "6 6 14",
            "6 6 99",
            "the reset of latch 6 uses literal 99, which is out of range",
        ),
        ("6 6 14", "6 6 12", "the reset functions form a cycle"),
        ("8 6 7", "8 6 7 1", "line 5"),
        ("8 6 7", "8 6 x7", "line 5"),
    ] {
        let error = error(RESET_FUNCTIONS.replace(from, to).as_bytes());
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn outputs_are_bads_where_there_are_no_others() {
    let circuit = read_text("aag 1 1 0 1 0\n2\n3\no0 fails\n");
    assert!(circuit.bads_are_outputs);
    assert_eq!(circuit.model.bads, [!circuit.model.inputs[0]]);
    assert_eq!(circuit.model.names.bads, ["fails"]);
    let mut text = Vec::new();
    write_ascii(&circuit, &mut text).unwrap();
    assert_eq!(text, b"aag 1 1 0 1 0\n2\n3\no0 fails\n");
}

#[test]
fn a_circuit_without_gates_may_have_many_bads_and_names() {
    let circuit = read_text("aag 1 0 1 0 0 3 2\n2 3\n2\n3\n2\n1\n1\nb2 third\nc1 yes\n");
    assert_eq!(circuit.model.bads.len(), 3);
    assert_eq!(circuit.model.names.constraints, ["", "yes"]);
    let circuit = read_text("aag 1 1 0 0 0 1 1\n2\n2\n1\nb0 no latches\nc0 at all\n");
    assert_eq!(circuit.model.names.bads, ["no latches"]);
}

#[test]
fn ascii_files_may_number_as_they_like() {
    let text = "aag 500000000 1 1 0 2 1\n90\n12 900000000\n900000000\n900000000 7 13\n6 91 12\n";
    let circuit = read_text(text);
    let model = &circuit.model;
    assert_eq!(circuit.input_literals, [90]);
    assert_eq!(circuit.latch_literals, [12]);
    assert_eq!(model.bads[0], model.latches[0].next);
    // Gate 6 implies 12, so that "neither 6 nor 12" is "not 12"; and large numbers do not make the graph
    // large.
    assert_eq!(model.latches[0].next, !model.latches[0].state);
    assert!(model.aig.n_nodes() <= 5);
}

#[test]
fn deep_circuits_in_reverse_order_need_no_stack() {
    let n = 200_000;
    let mut text = format!("aag {} 2 0 1 {n}\n2\n4\n{}\n", n + 2, 2 * (n + 2));
    for gate in (0..n).rev() {
        let output = 2 * (gate + 3);
        text += &format!(
            "{output} {} {}\n",
            output - 2,
            if gate % 2 == 0 { 2 } else { 3 }
        );
    }
    let circuit = read_text(&text);
    assert_eq!(circuit.model.bads.len(), 1);
}

#[test]
fn malformed_files_get_one_clear_error() {
    let table: &[(&[u8], &str)] = &[
        (b"", "test: line 1: expected an AIGER header"),
        (b"p cnf 1 1\n", "test: line 1: expected an AIGER header"),
        (b"aag 1 1", "test: line 1: the file ends within the header"),
        (b"aag 1 1 0\n2\n", "test: line 1: expected 5 to 9 numbers"),
        (
            b"aag 1 x 0 0 0\n2\n",
            "test: line 1: expected a number below 2^30 in the header but found \"x\"",
        ),
        (
            b"aag 1 99999999999999999999 0 0 0\n",
            "found \"99999999999999999999\"",
        ),
        (b"aag 4000000000 1 0 0 0\n2\n", "found \"4000000000\""),
        (
            b"aag 900000000 900000000 0 0 0\n2\n",
            "the header claims entries that take at least 1800000000 bytes, but only 2 follow it",
        ),
        (
            b"aig 900000000 900000000 0 0 0\n",
            "the header claims 900000000 inputs in a file with just 0 more bytes",
        ),
        (
            b"aig 900000000 0 0 0 900000000\nxx",
            "take at least 1800000000 bytes",
        ),
        (
            b"aag 1 1 0 0 1\n2\n2 2 2\n",
            "the maximal variable M is 1, but I + L + A needs 2",
        ),
        (
            b"aig 5 1 0 0 1\n\x01\x01",
            "in a binary file it equals I + L + A, which is 2",
        ),
        (
            b"aag 1 1 0 1 0\n2\n",
            "take at least 4 bytes, but only 2 follow it",
        ),
        (
            b"aag 2 1 0 1 1\n2\n4\n4 2 ",
            "test: line 4, column 5: expected second and gate input literal, found end of file",
        ),
        (
            b"aag 1 1 0 1 0\n2\n4\n",
            "test: line 3, column 1: output literal 4 exceeds the specified maximum literal of 3",
        ),
        (
            b"aag 2 1 0 1 0\n2\n4\n",
            "test: line 3: output 0 uses literal 4, which nothing defines",
        ),
        (
            b"aag 1 1 0 0 0 1\n3\n2\n",
            "test: line 2, column 1: input literal 3 is negated (odd)",
        ),
        (
            b"aag 2 1 1 0 0\n2\n2 0\n",
            "test: literal 2 is defined twice",
        ),
        (
            b"aag 1 1 0 0 0 1\n4\n4\n",
            "test: literal 4 is defined, but the header's maximal variable 1 makes 3 the largest literal",
        ),
        (
            b"aag 3 1 0 1 2\n2\n4\n4 6 2\n6 5 2\n",
            "test: line 5: and gate 6 depends on itself",
        ),
        (
            b"aag 2 1 0 1 1\n2\n4\n4 5 2\n",
            "test: line 4: and gate 4 depends on itself",
        ),
        (
            b"aag 1 0 1 0 0\n2 2 3\n",
            "the reset functions form a cycle",
        ),
        (
            b"aag 2 1 0 1 1\n2\n4\n4 2 2\ni1 name\n",
            "test: line 5: there is a name for i1, but the header declares 1",
        ),
        (
            b"aag 1 1 0 1 0\n2\n2\ni0 a\ni0 b\n",
            "test: line 5: i0 has two names",
        ),
        (
            b"aag 1 1 0 1 0\n2\n2\nwhat\n",
            "test: line 4: expected a symbol",
        ),
        (
            b"aag 1 1 0 1 0\n2\n2\ni0 cut",
            "test: line 4: the file ends within a symbol",
        ),
        (
            b"aag 1 1 0 0 0 0 0 1 0\n2\n900000000\n",
            "test: line 3: a justice property of 900000000 literals does not fit in the file",
        ),
        // Operands of binary gates: larger than the gate, the gate itself, cut off, endless.
        (
            b"aig 2 1 0 1 1\n4\n\x05\x00",
            "test: byte 16: and gate 0: encoded delta 5 for first input is larger",
        ),
        (
            b"aig 2 1 0 1 1\n4\n\x02\x07",
            "test: byte 17: and gate 0: encoded delta 7 for second input is larger",
        ),
        (
            b"aig 2 1 0 1 1\n4\n\x00\x02",
            "and gate 0: literal 4 has itself as an operand",
        ),
        (
            b"aig 2 1 0 1 1\n4\n\x02\x80",
            "test: byte 17: and gate 0: the file ends within the gate",
        ),
        (
            b"aig 2 1 0 1 1\n4\n\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
            "and gate 0: binary encoded value uses more bytes",
        ),
        (
            b"aig 2 1 0 1 1\n4\n\x02\x00junk\n",
            "test: byte 18: expected a symbol",
        ),
    ];
    let mut wrong = String::new();
    for (text, expected) in table {
        let found = error(text);
        if !found.contains(expected) {
            let text = String::from_utf8_lossy(text);
            wrong += &format!("expected {expected:?} of {text:?} but found {found:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_truncation_is_an_error_or_a_circuit() {
    let mut binary = Vec::new();
    write_binary(&read_text(EVERYTHING), &mut binary).unwrap();
    for bytes in [EVERYTHING.as_bytes(), &binary] {
        let symbols = bytes
            .windows(4)
            .position(|window| window == b"i0 r")
            .unwrap();
        for end in 0..symbols {
            assert!(read(&bytes[..end], "cut").is_err(), "cut at {end}");
        }
    }
}

proptest! {
    /// After any change of bytes in a valid file: no panic, and a file that is read can be written and read
    /// again.
    #[test]
    fn mutated_files_never_panic(
        is_binary: bool,
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..6),
    ) {
        let mut bytes = EVERYTHING.as_bytes().to_vec();
        if is_binary {
            bytes.clear();
            write_binary(&read_text(EVERYTHING), &mut bytes).unwrap();
        }
        for (position, byte, kind) in edits {
            if bytes.is_empty() {
                break;
            }
            let position = position.index(bytes.len());
            match kind {
                0 => bytes[position] = byte,
                1 => { bytes.remove(position); }
                _ => bytes.insert(position, b"0123456789 \n"[usize::from(byte) % 12]),
            }
        }
        if let Ok(circuit) = read(&bytes, "mutated") {
            let mut first = Vec::new();
            write_ascii(&circuit, &mut first).unwrap();
            prop_assert_eq!(certify_source(&circuit), Ok(()));
            let mut second = Vec::new();
            write_ascii(&read(&first, "again").unwrap(), &mut second).unwrap();
            prop_assert_eq!(first, second);
        }
    }
}

/// Text from a system whose lines end in two characters; in a binary file, they are data.
#[test]
fn lines_may_end_in_a_carriage_return() {
    let text = "aag 3 1 1 0 1 1\n2\n4 6\n4\n6 2 5\ni0 enable\nc\nnone\n";
    let plain = read(text.as_bytes(), "f").unwrap();
    let other = read(text.replace('\n', "\r\n").as_bytes(), "f").unwrap();
    assert_eq!(other.model.names.inputs, ["enable"]);
    let written = |model: &AigerModel| {
        let mut bytes = Vec::new();
        write_ascii(model, &mut bytes).unwrap();
        bytes
    };
    assert_eq!(written(&other), written(&plain));
    let error = read(b"aag 3 1 1 0 1 1\r\n2\r\n4 x\r\n4\r\n6 2 5\r\n", "f").unwrap_err();
    assert_eq!(error.place, Place::Column(3, 3));
    assert!(without_carriage_returns(b"aig 0 0 0 0 0\r\n").is_none());
}
