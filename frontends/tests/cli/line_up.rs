//! `craig line-up` and `--line-up`: which engines the portfolio runs.

use crate::run::{Folder, craig, example};

/// A byte that takes every value, so that no invariant of the loop is found; the error is 14 iterations away.
const PROGRAM: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
    int main(void)\n{\n  unsigned char a = 0;\n  while (__VERIFIER_nondet_int()) {\n\
    \x20   a = 5 * a + 3;\n    if (a == 110) reach_error();\n  }\n  return 0;\n}\n";

fn line_up(circuit: &str, loops: &str) -> Vec<u8> {
    format!("[circuit]\n[[circuit.entry]]\n{circuit}\n[loop]\n[[loop.entry]]\n{loops}\n")
        .into_bytes()
}

#[test]
fn the_default_line_up_can_be_read_back() {
    let folder = Folder::new();
    let printed = craig(&["line-up"]);
    assert_eq!(printed.code, Some(0));
    let file = folder.write("line_up.toml", printed.stdout.as_bytes());
    let ran = craig(&["check", "-q", "--line-up", &file, &example("ring_safe.aag")]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_line_up_replaces_the_engines_for_circuits() {
    let folder = Folder::new();
    let circuit = example("ring_safe.aag");
    let check = |entry: &str| {
        let text = String::from_utf8(line_up(entry, "engine = \"pdr\"")).unwrap();
        // The engines alone.
        let text = text.replace("[circuit]\n", "[circuit]\nstage = []\n");
        let file = folder.write("line_up.toml", text.as_bytes());
        craig(&["check", "--no-preprocess", "--line-up", &file, &circuit])
    };
    let ran = check("engine = \"bmc\"\nmax-depth = 2");
    assert_eq!(ran.code, Some(30), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("no bad in the first 3 steps"),
        "{}",
        ran.stdout
    );
    let ran = check("engine = \"imc\"");
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("engine imc"), "{}", ran.stdout);
}

/// Evidence of an engine on the circuit before its reduction is not lifted, and that of one on the reduced circuit is.
#[test]
fn engines_may_search_the_circuit_before_its_reduction() {
    let folder = Folder::new();
    for (name, code) in [
        ("arbiter_safe.aag", 20),
        ("handshake_safe.aag", 20),
        ("ring_safe.aag", 20),
        ("ring_unsafe.aag", 10),
    ] {
        for original in ["true", "false"] {
            let entry = format!("engine = \"pdr\"\noriginal = {original}");
            let file = folder.write("line_up.toml", &line_up(&entry, "engine = \"pdr\""));
            let options = ["check", "--no-first-steps", "--line-up", &file];
            let ran = craig(&[&options[..], &[&example(name)]].concat());
            assert_eq!(ran.code, Some(code), "{name}: {}{}", ran.stdout, ran.stderr);
            assert!(
                ran.stdout.contains("certified in"),
                "{name}: {}",
                ran.stdout
            );
        }
    }
}

#[test]
fn a_line_up_replaces_the_engines_for_programs() {
    let folder = Folder::new();
    let program = folder.write("turns.c", PROGRAM.as_bytes());
    let check = |entry: &str| {
        let file = folder.write("line_up.toml", &line_up("engine = \"pdr\"", entry));
        let arguments = [
            "check",
            "-v",
            "--c-engine",
            "model",
            "--line-up",
            &file,
            &program,
        ];
        craig(&arguments)
    };
    let ran = check("engine = \"bmc\"\nmax-depth = 2");
    assert_eq!(ran.code, Some(30), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("no bad in the first 3 steps"),
        "{}",
        ran.stdout
    );
    let ran = check("engine = \"kind\"");
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    let is_told = |engine: &str| ran.stderr.contains(&format!(" {engine}: "));
    assert!(is_told("kind") && !is_told("pdr"), "{}", ran.stderr);
    // An engine for automata.
    let ran = check("engine = \"impact\"\nturn = 50");
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("the path was replayed"),
        "{}",
        ran.stdout
    );
}

/// One error, with the file, the line, and what was expected there.
#[test]
fn a_bad_line_up_is_one_error() {
    let folder = Folder::new();
    let bdd = "engine = \"bdd\"";
    for (name, text, line, expected) in [
        ("syntax", line_up("engine = ", bdd), 3, "expected TOML"),
        (
            "engine",
            line_up("engine = \"imac\"", bdd),
            3,
            "`engine`: expected one of `bmc`, `imc`",
        ),
        (
            "option",
            line_up("engine = \"imc\"\nsytem = 1", bdd),
            4,
            "`sytem`: expected one of `system`",
        ),
        (
            "value",
            line_up(bdd, "engine = \"bdd\"\nbdd-nodes = \"few\""),
            7,
            "`bdd-nodes`: expected a whole number",
        ),
        (
            "threads",
            line_up("engine = \"imc\"\nthreads-from = 2", bdd),
            1,
            "expected an entry for 1 threads",
        ),
        (
            "section",
            b"[loop]\n[[loop.entry]]\nengine = \"imc\"\n".to_vec(),
            4,
            "expected a table `[circuit]`",
        ),
        ("empty", Vec::new(), 1, "expected a table `[circuit]`"),
        (
            "list",
            b"[circuit]\nentry = 3\n".to_vec(),
            2,
            "expected a list of tables",
        ),
    ] {
        let file = folder.write(&format!("{name}.toml"), &text);
        let ran = craig(&["check", "--line-up", &file, &example("ring_safe.aag")]);
        assert_eq!(ran.code, Some(2), "{name}: {}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.stdout, "", "{name}");
        assert_eq!(
            ran.stderr.matches("error").count(),
            1,
            "{name}: {}",
            ran.stderr
        );
        let message = format!("{file}: line {line}: {expected}");
        assert!(ran.stderr.contains(&message), "{name}: {}", ran.stderr);
    }
    let file = folder.write("bytes.toml", b"[circuit]\n\xff\n");
    for file in [file, folder.path("none.toml")] {
        let ran = craig(&["check", "--line-up", &file, &example("ring_safe.aag")]);
        assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains(&file), "{}", ran.stderr);
    }
}

/// What a row says of a stage for programs is what the stage does: how many paths are followed, and whether copies of open length
/// come first. Rows of the printed line-up that are left out do not run.
#[test]
fn rows_say_how_far_stages_for_programs_go() {
    let folder = Folder::new();
    let paths = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void)\n{\n  int n = 0;\n\
                 \x20 for (int i = 0; i < 4; i++) if (__VERIFIER_nondet_int()) n++;\n  if (n > 4) reach_error();\n  return 0;\n}\n";
    let program = folder.write("paths.c", paths.as_bytes());
    let rest = String::from_utf8(line_up("engine = \"imc\"", "engine = \"pdr\"")).unwrap();
    let check = |row: &str, program: &str| {
        let text = format!("[[program.stage]]\nstage = {row}\n{rest}");
        let file = folder.write("line_up.toml", text.as_bytes());
        craig(&["check", "-v", "--line-up", &file, program])
    };
    let ran = check("\"paths\"\npaths-to = 3", &program);
    assert_eq!(ran.code, Some(30), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("more than 3 paths"), "{}", ran.stderr);
    let ran = check("\"paths\"\npaths-to = 300", &program);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    let copies = "#include <string.h>\nextern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);\n\
                  char a[64], b[64];\nint main(void)\n{\n  unsigned n = __VERIFIER_nondet_uint() % 64;\n  memcpy(a, b, n);\n\
                  \x20 if (n > 64) reach_error();\n  return 0;\n}\n";
    let program = folder.write("copies.c", copies.as_bytes());
    let told = "copies and texts of open length as a whole";
    for (row, is_told) in [
        (
            "\"unwind\"\n[[program.stage]]\nstage = \"open-copies\"",
            true,
        ),
        ("\"unwind\"", false),
    ] {
        let ran = check(row, &program);
        assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.stdout.contains(told), is_told, "{}", ran.stdout);
    }
}

/// Unrolling alone, and execution path by path alone, have the rows of a line-up, too.
#[test]
fn the_ways_of_a_program_have_the_stages_of_a_line_up() {
    let folder = Folder::new();
    let text = "#include <string.h>\nextern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nchar a[9], b[9];\n\
                int main(void) {\n  int n = 0;\n  for (int i = 0; i < 4; i++) if (__VERIFIER_nondet_int()) n++;\n\
                \x20 memcpy(a, b, n);\n  if (n > 4) reach_error();\n  return 0;\n}\n";
    let program = folder.write("both.c", text.as_bytes());
    let rest = String::from_utf8(line_up("engine = \"imc\"", "engine = \"pdr\"")).unwrap();
    let check = |way: &str, row: &str| {
        let text = format!("[[program.stage]]\nstage = {row}\n{rest}");
        let file = folder.write("line_up.toml", text.as_bytes());
        let options = [
            "check",
            "-v",
            "--c-engine",
            way,
            "--line-up",
            &file,
            &program,
        ];
        let ran = craig(&options);
        (ran.code, ran.stdout + &ran.stderr)
    };
    let (code, text) = check("paths", "\"engine-paths\"\npaths-to = 3");
    assert_eq!(code, Some(30), "{text}");
    assert!(text.contains("more than 3 paths"), "{text}");
    let (code, text) = check("paths", "\"paths\"\npaths-to = 3");
    assert_eq!(code, Some(20), "another row: {text}");
    for (row, is_told) in [("\"open-copies\"", true), ("\"unwind\"", false)] {
        let (code, text) = check("unwind", row);
        assert_eq!(code, Some(20), "{text}");
        assert_eq!(
            text.contains("of open length as a whole"),
            is_told,
            "{text}"
        );
    }
}

/// The search for tests has its row, too.
#[test]
fn tests_have_a_line_up() {
    let folder = Folder::new();
    let program = folder.write("turns.c", PROGRAM.as_bytes());
    let printed = craig(&["line-up"]);
    let file = folder.write("line_up.toml", printed.stdout.as_bytes());
    let ran = craig(&["test", "--line-up", &file, &program]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let file = folder.write("wrong.toml", b"[program]\nstage = 3\n");
    let ran = craig(&["test", "--line-up", &file, &program]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
}

/// The stages of a line-up hold for an engine that is named, too; one that decides alone has none.
#[test]
fn an_engine_that_is_named_has_the_stages_of_a_line_up() {
    let folder = Folder::new();
    let text = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
                int f(int n) { if (n <= 0) return 0; return f(n - 1); }\n\
                int main(void) { if (f(__VERIFIER_nondet_int()) != 0) reach_error(); return 0; }\n";
    let program = folder.write("down.c", text.as_bytes());
    let rest = String::from_utf8(line_up("engine = \"imc\"", "engine = \"pdr\"")).unwrap();
    let check = |rows: &str, more: &[&str]| {
        let file = folder.write("line_up.toml", format!("{rows}\n{rest}").as_bytes());
        let options = ["check", "--engine", "impact", "--line-up", &file, &program];
        craig(&[&options[..], more].concat())
    };
    let ran = check("[[program.stage]]\nstage = \"engine-tail-calls\"", &[]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("engine-tail-calls"), "{}", ran.stdout);
    let ran = check("[program]\nstage = []", &[]);
    assert_eq!(ran.code, Some(30), "{}{}", ran.stdout, ran.stderr);
    let ran = check("[program]\nstage = []", &["--only"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("--only"), "{}", ran.stderr);
}
