//! The commands that SymbiYosys calls as solvers.

use crate::run::{Folder, craig};

/// A shift register of three bits; the bad is its last one, which is 1 in step 3.
const SHIFT: &str = "aag 3 0 3 0 0 1\n2 1\n4 2\n6 4\n6\n";

#[test]
fn circuits_of_bits_have_a_status_and_a_witness() {
    let folder = Folder::new();
    let reached = folder.write("reached.aag", SHIFT.as_bytes());
    let safe = folder.write("safe.aag", b"aag 1 0 1 0 0 1\n2 2\n2\n");
    let ran = craig(&["sby-aiger", "--witness", &reached]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("1\nb0\n000\n"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("\n.\n"), "{}", ran.stdout);
    let trace = folder.write("trace.aiw", ran.stdout.as_bytes());
    let ran = craig(&["certify", &reached, &trace]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let ran = craig(&["sby-aiger", "--witness", &safe]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "0\nb0\n.\n"));
    // Bounded: nothing up to the bound is a pass of its own, and a proof is one, too.
    let bounded = [
        "sby-aiger",
        "--bmc-max-k",
        "2",
        "-e",
        "bmc",
        "-v",
        "0",
        "--witness",
    ];
    let ran = craig(&[&bounded[..], &[&reached]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("u2\n2\n"), "{}", ran.stdout);
    let ran = craig(&["sby-aiger", "3", &reached]);
    assert!(ran.stdout.starts_with("1\nb0\n"), "{}", ran.stdout);
    let ran = craig(&["sby-aiger", "-e", "ic3", &reached]);
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("expected `bmc`"), "{}", ran.stderr);
}

/// Where any value of an input will do, the scripts of yosys want one.
#[test]
fn runs_have_values_for_all_inputs() {
    let folder = Folder::new();
    let circuit = folder.write("any.aag", b"aag 3 2 1 0 0 1\n2\n4\n6 2\n6\n");
    for engine in ["pdr", "bmc", "imc"] {
        let ran = craig(&["sby-aiger", &format!("--engine={engine}"), &circuit]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.starts_with("1\nb0\n0\n1"), "{}", ran.stdout);
        assert!(!ran.stdout.contains('x'), "{engine}: {}", ran.stdout);
    }
    // sby passes over empty lines.
    let circuit = folder.write("gate.aag", b"aag 2 2 0 0 0 1\n2\n4\n2\n");
    let ran = craig(&["sby-aiger", &circuit]);
    assert!(ran.stdout.starts_with("1\nb0\n0\n1"), "{}", ran.stdout);
}

/// Justice properties are decided beside the constant bad that yosys writes.
#[test]
fn liveness_has_a_lasso() {
    let folder = Folder::new();
    let fails = folder.write("fails.aag", b"aag 1 1 0 0 0 1 0 1 0\n2\n0\n1\n2\n");
    let ran = craig(&["sby-aiger", "+simple_liveness", &fails]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("1\nj0\n"), "{}", ran.stdout);
    let holds = folder.write("holds.aag", b"aag 1 1 0 0 0 1 0 1 0\n2\n0\n1\n0\n");
    let ran = craig(&["sby-aiger", "+simple_liveness", &holds]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "0\nj0\n.\n"));
}

#[test]
fn circuits_of_words_have_a_witness_with_three_fields() {
    let folder = Folder::new();
    let text = "1 sort bitvec 2\n2 state 1\n3 input 1\n4 add 1 2 3\n5 next 1 2 4\n6 ones 1\n7 sort bitvec 1\n\
                8 eq 7 2 6\n9 bad 8\n10 zero 7\n11 bad 10\n";
    let model = folder.write("model.btor", text.as_bytes());
    let ran = craig(&[
        "sby-btor",
        "--stop-first",
        "1",
        "-v",
        "1",
        "-kmax",
        "5",
        &model,
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout
            .contains("calling BMC on 2 properties\nsat\nb0\n#0\n0 "),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains(" state0#0\n@0\n"), "{}", ran.stdout);
    let ran = craig(&[
        "sby-btor",
        "--stop-first",
        "0",
        "-v",
        "1",
        "-kmax",
        "5",
        &model,
    ]);
    assert_eq!(ran.stdout.matches("sat\n").count(), 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("at bound k = 5\n"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("deleting model checker:"),
        "{}",
        ran.stdout
    );
}
