//! Labels over words: `--labels words`.

use crate::run::{Folder, craig};

/// A counter that goes up to an input. Labels over bits list its values.
const COUNTER: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
                       int main(void)\n{\n  int n = __VERIFIER_nondet_int();\n  if (n < 0)\n    return 0;\n\
                       \x20 int x = 0;\n  while (x < n)\n    x++;\n  if (x != n)\n    reach_error();\n\
                       \x20 return 0;\n}\n";

/// Two counters of which one is always twice the other.
const TWICE: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void)\n{\n\
                     \x20 unsigned i = 0, s = 0;\n  while (__VERIFIER_nondet_int()) {\n    i += 2;\n    s += 4;\n\
                     \x20 }\n  if (i % 2 != 0)\n    reach_error();\n  if (s != 2 * i)\n    reach_error();\n\
                     \x20 return 0;\n}\n";

/// A label becomes an expression of C at its loop, and the witness is valid.
#[test]
fn labels_are_invariants_of_a_valid_witness() {
    let folder = Folder::new();
    let witness = folder.path("witness.yml");
    let cases: [(&str, &str, &[&str]); 2] = [
        ("counter.c", COUNTER, &["x <= n"]),
        ("twice.c", TWICE, &["i % 2 == 0", "i * 2"]),
    ];
    for (name, text, parts) in cases {
        let file = folder.write(name, text.as_bytes());
        for engine in ["impact", "predabs", "rse", "annotate"] {
            let options = ["--engine", engine, "--labels", "words"];
            let files = ["check", &file, "--witness", &witness];
            let ran = craig(&[&files[..], &options].concat());
            assert_eq!(ran.code, Some(20), "{engine}: {}{}", ran.stdout, ran.stderr);
            let text = std::fs::read_to_string(&witness).unwrap();
            for part in parts {
                assert!(text.contains(part), "{engine}: no {part} in\n{text}");
            }
            let judged = craig(&["certify", &file, &witness]);
            assert_eq!(judged.code, Some(0), "{}{}", judged.stdout, judged.stderr);
            assert!(judged.stdout.contains("valid"), "{}", judged.stdout);
        }
    }
}

/// Words are shown as C in reports and in the picture of the unwinding.
#[test]
fn labels_are_shown_as_c() {
    let folder = Folder::new();
    let (file, page) = (
        folder.write("counter.c", COUNTER.as_bytes()),
        folder.path("u.html"),
    );
    for engine in ["impact", "predabs", "rse", "annotate"] {
        let engine = ["--engine", engine, "--labels", "words"];
        let output = ["-v", "--unwinding", &page];
        let ran = craig(&[&["check", &file][..], &engine, &output].concat());
        assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains("labels: "), "{}", ran.stderr);
        assert!(ran.stderr.contains("n < x"), "{}", ran.stderr);
        assert!(ran.stderr.contains("words at "), "{}", ran.stderr);
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(text.contains("x &lt;= n"), "{text}");
    }
}

/// Every engine that takes the option finds errors with it, and evidence for safe programs is checked.
#[test]
fn words_find_errors() {
    let folder = Folder::new();
    let wrong = COUNTER.replace("x < n", "x <= n");
    let file = folder.write("wrong.c", wrong.as_bytes());
    for engine in ["impact", "predabs", "rse", "annotate"] {
        let ran = craig(&["check", &file, "--engine", engine, "--labels", "words"]);
        assert_eq!(ran.code, Some(10), "{engine}: {}{}", ran.stdout, ran.stderr);
    }
    let ran = craig(&["check", &file, "--engine", "impact", "--labels", "letters"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
}
