//! `craig smt`.

use crate::run::{Folder, craig, craig_with_input, example};

#[test]
fn scripts_are_run() {
    let ran = craig(&["smt", &example("interpolants.smt2")]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let first = "unsat\n((not (= ((_ extract 0 0) x) #b1))\n ";
    assert!(ran.stdout.starts_with(first), "{}", ran.stdout);
    for system in ["mcmillan", "symmetric", "inverse"] {
        let file = example("interpolants.smt2");
        let ran = craig(&["smt", &file, "--bits", "--system", system]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.contains("((_ extract 0 0) x)"), "{}", ran.stdout);
    }
}

#[test]
fn scripts_that_are_wrong_or_hard_have_no_answer() {
    let ran = craig_with_input(&["smt", "-"], b"(check-sat)\n(assert p)\n(exit)");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), "sat\n"));
    assert_eq!(ran.stderr, "error: -:2: `p` is not declared\n");
    let ran = craig_with_input(&["smt", "-"], b"(exit)\n\xff");
    assert_eq!(ran.stderr, "error: -:2: expected text in UTF-8\n");
    // A product of two numbers that are not 1 is no prime.
    let folder = Folder::new();
    let hard = "(declare-const x (_ BitVec 128))(declare-const y (_ BitVec 128))
        (assert (= (bvmul x y) (_ bv1000000000000000000000000000057 128)))
        (assert (and (bvult x (_ bv1125899906842624 128)) (bvult y (_ bv1125899906842624 128))))(check-sat)";
    let file = folder.write("hard.smt2", hard.as_bytes());
    let ran = craig(&["smt", &file, "--timeout", "0.3"]);
    assert_eq!(ran.code, Some(30), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.starts_with("UNKNOWN: "), "{}", ran.stderr);
}
