//! C programs: output and written files, and whether other programs accept these.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::run::{Folder, command, craig, example};

const INPUTS: &str = "extern int __VERIFIER_nondet_int(void);\n\
     extern unsigned char __VERIFIER_nondet_uchar(void);\n\
    extern void reach_error(void);\nint main(void)\n{\n  int x = __VERIFIER_nondet_int();\n  int y = 0;\n\
    \x20 for (int i = 0; i < 3; i++)\n    y += __VERIFIER_nondet_uchar();\n\
     \x20 if (x == -12345 && y == 77)\n    reach_error();\n\
    \x20 return 0;\n}\n";

const LABEL: &str = "unsigned nondet_uint(void);\nint main()\n{\n  unsigned x = nondet_uint();\n\
     \x20 if (x == 4000000000u) goto ERROR;\n\
    \x20 return 0;\nERROR:\n  return 0;\n}\n";

/// Compiles a driver as its comment says, and runs it; `None` where there is no compiler.
pub(crate) fn drive(driver: &str, flags: &[&str]) -> Option<std::process::Output> {
    let binary = format!("{driver}.out");
    let compiled = Command::new("cc")
        .args(flags)
        .args(["-w", "-o", &binary, driver])
        .output()
        .ok()?;
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    Some(Command::new(binary).output().unwrap())
}

#[cfg(unix)]
#[test]
fn drivers_and_native_runs_end_in_the_error() {
    use std::os::unix::process::ExitStatusExt;

    let folder = Folder::new();
    for (name, text) in [("inputs.c", INPUTS), ("label.c", LABEL)] {
        let file = folder.write(name, text.as_bytes());
        let driver = folder.path(&format!("driver_{name}"));
        let ran = craig(&["check", &file, "--test-driver", &driver, "--replay-native"]);
        assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
        let Some(output) = drive(&driver, &[]) else {
            eprintln!("there is no C compiler here");
            return;
        };
        assert_eq!(output.status.signal(), Some(6), "{name}: it aborts");
        assert!(
            ran.stdout
                .contains("compiled and run, the program fails as well"),
            "{}",
            ran.stdout
        );
    }
    // Without the inputs of the error path, the program does not fail.
    let file = folder.path("driver_inputs.c");
    let tame = std::fs::read_to_string(&file)
        .unwrap()
        .replace("-12345", "12345");
    let tame = folder.write(
        "tame.c",
        tame.replace("x == 12345", "x == -12345").as_bytes(),
    );
    assert_eq!(drive(&tame, &[]).unwrap().status.code(), Some(0));
    // Errors other than error marks are detected by the compiler's sanitizers.
    let file = folder.write(
        "overflow.c",
        b"int nondet_int(void); int main(void) { int x = nondet_int(); if (x > 1000) x = x * 2; return 0; }",
    );
    let ran = craig(&["check", &file, "--check", "overflow", "--replay-native"]);
    assert_eq!(ran.code, Some(10));
    assert!(ran.stdout.contains("fails as well"), "{}", ran.stdout);
}

#[test]
fn a_violation_witness_says_what_the_inputs_are_and_where_the_error_is() {
    let folder = Folder::new();
    let file = folder.write("inputs.c", INPUTS.as_bytes());
    let witness = folder.path("witness.yml");
    let ran = craig(&["check", &file, "--witness", &witness]);
    assert_eq!(ran.code, Some(10), "{}", ran.stderr);
    let text = std::fs::read_to_string(witness).unwrap();
    for part in [
        "- entry_type: violation_sequence\n",
        "format_version: '2.0'",
        "uuid: '",
        "creation_time: '20",
        "    producer:\n      name: craig\n",
        "input_file_hashes:",
        "specification: 'CHECK( init(main()), LTL(G ! call(reach_error())) )'",
        "data_model: LP64",
        "language: C",
        "type: function_return\n        action: follow\n",
        // The column is that of the closing parenthesis of the first call.
        "line: 6\n          column: 33\n          function: main\n        constraint:\n\
     \x20         value: '\\result == -12345'\n",
        "format: acsl_expression",
        "type: target\n        action: follow\n",
        "line: 11\n          column: 5\n",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    assert_eq!(text.matches("type: function_return").count(), 4);
    assert_eq!(text.matches("type: target").count(), 1);
    assert!(!text.contains('\t'));
}

#[test]
fn a_correctness_witness_says_what_holds_at_loops() {
    let folder = Folder::new();
    let file = folder.write(
        "loop.c",
        b"extern int nondet_int(void);\nint main(void)\n{\n  unsigned char n = 0;\n\
     \x20 while (nondet_int()) {\n    if (n < 40)\n      n++;\n  }\n  if (n > 40)\n\
     \x20   reach_error();\n  return 0;\n}\n",
    );
    let witness = folder.path("witness.yml");
    let ran = craig(&["check", &file, "--witness", &witness, "--c-engine", "model"]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    let text = std::fs::read_to_string(witness).unwrap();
    for part in [
        "- entry_type: invariant_set\n",
        "type: loop_invariant\n",
        "line: 5\n        column: 3\n        function: main\n",
        // Any invariant that the engine finds has to exclude the error.
        "value: 'n <= 40'",
        "format: c_expression",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
}

#[test]
fn a_test_suite_holds_the_inputs_in_their_order() {
    let folder = Folder::new();
    let file = folder.write("inputs.c", INPUTS.as_bytes());
    let suite = folder.path("suite");
    let ran = craig(&["check", &file, "--test-suite", &suite]);
    assert_eq!(ran.code, Some(10), "{}", ran.stderr);
    let read = |name: &str| std::fs::read_to_string(format!("{suite}/{name}")).unwrap();
    let metadata = read("metadata.xml");
    for tag in [
        "sourcecodelang",
        "producer",
        "specification",
        "programfile",
        "programhash",
        "entryfunction",
        "architecture",
        "creationtime",
    ] {
        assert!(metadata.contains(&format!("<{tag}>")), "{tag}: {metadata}");
        assert!(
            metadata.contains(&format!("</{tag}>\n")),
            "{tag}: {metadata}"
        );
    }
    assert!(metadata.contains(
        "<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format \
                               test-metadata 1.1//EN\""
    ));
    let test = read("testcase-1.xml");
    assert!(test.contains(
        "<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\""
    ));
    let values: Vec<i64> = test
        .lines()
        .filter_map(|line| line.trim().strip_prefix("<input type=\""))
        .map(|rest| rest.split(['>', '<']).nth(1).unwrap().parse().unwrap())
        .collect();
    assert_eq!(values[0], -12345);
    assert_eq!(values.len(), 4);
    assert_eq!(values[1..].iter().sum::<i64>(), 77);
}

#[test]
fn evidence_for_safe_programs_is_accepted_elsewhere() {
    let folder = Folder::new();
    let program = example("locked_counter_safe.c");
    let (model, witness) = (folder.path("model.aag"), folder.path("witness.aig"));
    let ran = craig(&[
        "check",
        &program,
        "--c-engine",
        "model",
        "--model",
        &model,
        "--witness",
        &witness,
    ]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    let ran = craig(&["certify", &model, &witness]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    if let Some(checker) = std::env::var_os("CRAIG_CHECK_WITNESS") {
        let status = Command::new(checker).args([&model, &witness]).status();
        assert!(status.unwrap().success());
    }
    // A program without loops: a formula and its refutation.
    let file = folder.write(
        "flat.c",
        b"unsigned nondet_uint(void); int main(void) { unsigned x = nondet_uint(), y = nondet_uint();\n\
          if (x < 1000 && y < 1000) assert(x * y <= 999 * 999); return 0; }",
    );
    let (cnf, proof) = (folder.path("formula.cnf"), folder.path("proof.lrat"));
    let ran = craig(&[
        "check",
        &file,
        "--c-engine",
        "unwind",
        "--cnf",
        &cnf,
        "--proof",
        &proof,
    ]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    let ran = craig(&["sat", &cnf]);
    assert_eq!(ran.code, Some(20), "{}", ran.stdout);
    let formula =
        craig_formula::dimacs::read(&mut std::fs::read(&cnf).unwrap().as_slice(), "cnf").unwrap();
    let proof = std::fs::read(&proof).unwrap();
    assert!(craig_solver::proof::import::check_lrat(&formula, proof.as_slice()).unwrap() > 0);
}

#[test]
fn each_property_is_reported_and_the_exit_code_sums_up() {
    let folder = Folder::new();
    let file = folder.write(
        "two.c",
        b"int nondet_int(void);\nint main(void) {\n  int x = nondet_int();\n  assert(x != 3);\n\
     \x20 assert(x * 0 == 0);\n  return 0;\n}\n",
    );
    let ran = craig(&["check", &file, "--each", "--quiet", "--exit-code", "shell"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{}", ran.stdout);
    assert!(lines[0].starts_with("UNSAFE ") && lines[0].contains("two.c:4: an assertion fails; "));
    assert!(lines[1].starts_with("SAFE   ") && lines[1].contains("two.c:5: an assertion fails; "));
    let ran = craig(&["check", &file, "--each", "--json"]);
    assert_eq!(ran.code, Some(10));
    let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(value["properties"][0]["place"]["line"], 4);
    assert_eq!(value["properties"][0]["verdict"], "unsafe");
    assert_eq!(value["properties"][0]["path"][0]["value"], "3");
    assert_eq!(value["properties"][1]["verdict"], "safe");
    let ran = craig(&["check", &file, "--cover", "two.c:5", "-q"]);
    assert_eq!(ran.code, Some(10), "{}", ran.stdout);
    for cover in ["two.c:1", "two.c", "two.c:0"] {
        let ran = craig(&["check", &file, "--cover", cover]);
        assert_eq!(ran.code, Some(2), "{cover}: {}", ran.stdout);
    }
    let nothing = folder.write("nothing.c", b"int main(void) { return 0; }");
    let ran = craig(&["check", &nothing, "--each", "--exit-code", "shell"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
}

/// The verdict on the easy property is printed while the search for the other one, a number that would need factors of 32 bits and is a prime, goes
/// on; that one is reported when the search is interrupted.
#[test]
fn each_property_is_printed_as_soon_as_it_is_known() {
    let folder = Folder::new();
    let file = folder.write(
        "hard.c",
        b"unsigned nondet_uint(void);\nint main(void) {\n  unsigned a = nondet_uint(), b = nondet_uint();\n\
          \x20 if (a > 1 && b > 1 && (unsigned long)a * b == 10165969443890632109u)\n    reach_error();\n\
          \x20 if (a == 7)\n    reach_error();\n  return 0;\n}\n",
    );
    let mut child = command()
        .args(["check", &file, "--each", "--quiet"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(
        first.starts_with("UNSAFE ") && first.contains("hard.c:7: "),
        "{first}"
    );
    assert!(child.try_wait().unwrap().is_none());
    crate::run::send("INT", child.id());
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert!(
        rest[0].starts_with("UNKNOWN ") && rest[0].contains("hard.c:5: "),
        "{rest:?}"
    );
    assert_eq!(child.wait().unwrap().code(), Some(10));
}

/// Files for which there is no evidence are named on standard error, with the reason, and not created.
#[test]
fn files_without_evidence_are_not_written() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let (model, cnf, proof) = (path("m.aag"), path("f.cnf"), path("p.lrat"));
    let (driver, suite, witness) = (path("d.c"), path("suite"), path("w.aig"));
    let unwind = ["--c-engine", "unwind", "-q"];
    let unsafe_ = example("average_unsafe.c");
    let wanted = ["--model", &model, "--cnf", &cnf, "--proof", &proof];
    let ran = craig(&[&["check", &unsafe_][..], &unwind, &wanted].concat());
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    let note = |path: &str, why: &str| format!("{path}: not written: {why}\n");
    let no_proof = "the program is unsafe, there is no proof";
    assert_eq!(
        ran.stderr,
        [&model, &cnf, &proof]
            .map(|path| note(path, no_proof))
            .concat()
    );
    let safe = example("average_safe.c");
    let wanted = [
        "--witness",
        &witness,
        "--test-driver",
        &driver,
        "--test-suite",
        &suite,
    ];
    let ran = craig(&[&["check", &safe][..], &unwind, &wanted].concat());
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    let no_model = "there is no transition system behind this verdict; `--c-engine model` makes one, \
                    `--cnf` and \
                    `--proof` write what there is";
    let no_error = "the program is safe, there is no error";
    let notes = [
        (&witness, no_model),
        (&driver, no_error),
        (&suite, no_error),
    ];
    assert_eq!(
        ran.stderr,
        notes.map(|(path, why)| note(path, why)).concat()
    );
    assert_eq!(folder.names(), Vec::<String>::new());
}

/// `--assume-no-overflow` leaves out runs with overflow, and the verdict says so; checks of overflow stay.
#[test]
fn overflow_is_assumed_absent() {
    let folder = Folder::new();
    let text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void)\n{\n  int x = \
                __VERIFIER_nondet_int();\n  int y = x + 1;\n  if (y < x)\n    reach_error();\n  return 0;\n}\n";
    let file = folder.write("wraps.c", text.as_bytes());
    for (options, code) in [
        (&[][..], 10),
        (&["--assume-no-overflow"], 20),
        (&["--assume-no-overflow", "--engine", "annotate"], 20),
        (&["--assume-no-overflow", "--check", "overflow"], 10),
    ] {
        let ran = craig(&[&["check", &file], options].concat());
        assert_eq!(ran.code, Some(code), "{options:?}: {ran:?}");
        let note = "signed arithmetic is assumed not to overflow";
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert_eq!(said.contains(note), code == 20, "{said}");
    }
}

/// Text that is not C is invalid input; C that the reader does not support is unknown.
#[test]
fn what_the_compiler_refuses_too_is_bad_input() {
    let folder = Folder::new();
    let valid = "int main(void) { int x = 1; int f(int y) { return x + y; } return f(2); }\n";
    let file = folder.write("nested.c", valid.as_bytes());
    let ran = craig(&["check", &file]);
    assert_eq!(ran.code, Some(30), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("nested.c:1:"), "{}", ran.stdout);
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("there is no C compiler here");
        return;
    }
    let deep = format!("int x = {}1{};\n", "(".repeat(200_000), ")".repeat(200_000));
    let noise = "({[\u{3}x;".repeat(1 << 20);
    for (name, text) in [
        ("open.c", "int main( {\n"),
        ("noise.i", "\u{1}\u{2} zzz +\n"),
        ("deep.c", &deep),
        ("more.i", &noise),
        ("zero.c", "int main(void) { return 0; }\n\0"),
    ] {
        let file = folder.write(name, text.as_bytes());
        let ran = craig(&["check", &file]);
        assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.stdout, "");
        assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
        assert!(ran.stderr.contains(&format!("{name}:")), "{}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    }
}

/// Chains of casts, members, indices and calls within one operand have a limit; sums and lists have none.
#[test]
fn long_operands_are_one_error_with_their_line() {
    let folder = Folder::new();
    let chains = [
        ("", "(int)", "x"),
        ("", "(int) - ", "x"),
        ("", "sizeof ", "x"),
        ("p", "->next", "->x"),
        ("x", "[0]", ""),
        ("f", "()", ""),
    ];
    for (before, part, last) in chains {
        let chain = part.repeat(50_001);
        let text = format!("int x = 1;\nint main(void)\n{{\n  return {before}{chain}{last};\n}}\n");
        let file = folder.write("long.c", text.as_bytes());
        let ran = craig(&["check", &file]);
        assert_eq!(ran.code, Some(2), "{part}: {}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.stdout, "");
        assert!(ran.stderr.starts_with("error: "), "{part}: {}", ran.stderr);
        assert!(ran.stderr.contains("long.c:4:"), "{part}: {}", ran.stderr);
        let message = "more than 50000 parts of an operand";
        assert!(ran.stderr.contains(message), "{part}: {}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{part}: {}", ran.stderr);
    }
}

/// The shipped header hides the annotations from compilers, which have no such syntax.
#[test]
fn annotations_are_nothing_for_compilers() {
    let folder = Folder::new();
    let header = concat!(env!("CARGO_MANIFEST_DIR"), "/c/include/craig.h");
    let program = |invariant: &str| {
        format!(
            "#include \"{header}\"\nint f(int a) __CPROVER_requires(a >= 0) __CPROVER_ensures(__CPROVER_return_value == a) {{ return a; }}\n\
             int main(void) {{ int i = 0; while (i < 5)\n__CPROVER_loop_invariant({invariant})\n{{ i++; }} return f(0); }}\n"
        )
    };
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("there is no C compiler here");
        return;
    }
    for (invariant, code) in [("i <= 5", 20), ("i < 5", 10)] {
        let file = folder.write("annotated.c", program(invariant).as_bytes());
        let ran = craig(&["check", &file]);
        assert_eq!(ran.code, Some(code), "{}{}", ran.stdout, ran.stderr);
        let native = folder.path("annotated");
        let compiled = Command::new("cc").args([&file, "-o", &native]).status();
        assert!(compiled.is_ok_and(|status| status.success()));
        let status = Command::new(&native).status();
        assert!(status.is_ok_and(|status| status.success()));
    }
}

/// The limit on memory binds while a file is read, and noise of any kind is one error.
#[test]
fn large_files_end_within_their_limits() {
    let folder = Folder::new();
    let many: String = (0..400_000)
        .map(|number| format!("int f{number}(int a) {{ return a + {number}; }}\n"))
        .collect();
    let file = folder.write("many.i", many.as_bytes());
    let ran = craig(&["check", &file, "--memory", "100", "--timeout", "300"]);
    assert_eq!(ran.code, Some(30), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("UNKNOWN") && ran.stdout.contains("the memory limit was reached"),
        "{}",
        ran.stdout
    );
    for (name, piece) in [
        ("letters.i", "abc def "),
        ("braces.i", "{}"),
        ("labels.i", "case "),
        ("quotes.i", "\"a' "),
        ("bytes.i", "\u{ff}\u{80}%$"),
        ("numbers.i", "1.e+0x "),
        ("attributes.i", "__attribute__ "),
        ("questions.i", "a ? "),
        ("types.i", "struct s {int a;} "),
    ] {
        let file = folder.write(name, piece.repeat((4 << 20) / piece.len()).as_bytes());
        let ran = craig(&["check", &file, "--timeout", "120"]);
        assert_eq!(ran.code, Some(2), "{name}: {}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{name}: {}", ran.stderr);
    }
}

/// Options select the effect of functions without a body or model, the values of volatile objects, and
/// whether allocations fail.
#[test]
fn what_nothing_is_known_of_is_chosen() {
    let folder = Folder::new();
    let error = "extern void reach_error(void);";
    for (name, text, options, code) in [
        (
            "get.c",
            "void get(char *p); int main(void) { char c = 1; get(&c); if (c != 1) reach_error(); return 0; }",
            &[][..],
            10,
        ),
        (
            "get.c",
            "void get(char *p); int main(void) { char c = 1; get(&c); if (c != 1) reach_error(); return 0; }",
            &["--unknown-calls", "pure"],
            20,
        ),
        (
            "get.c",
            "void get(char *p); int main(void) { char c = 1; get(&c); if (c != 1) reach_error(); return 0; }",
            &["--unknown-calls", "refuse"],
            30,
        ),
        (
            "port.c",
            "extern volatile int port; int main(void) { if (port != port) reach_error(); return 0; }",
            &[],
            20,
        ),
        (
            "port.c",
            "extern volatile int port; int main(void) { if (port != port) reach_error(); return 0; }",
            &["--nondet-volatile"],
            10,
        ),
        (
            "full.c",
            "void *malloc(unsigned long); int main(void) { if (!malloc(4)) reach_error(); return 0; }",
            &[],
            20,
        ),
        (
            "full.c",
            "void *malloc(unsigned long); int main(void) { if (!malloc(4)) reach_error(); return 0; }",
            &["--malloc-may-fail"],
            10,
        ),
    ] {
        let file = folder.write(name, format!("{error} {text}\n").as_bytes());
        let mut arguments = vec!["check", &file];
        arguments.extend(options);
        let ran = craig(&arguments);
        assert_eq!(
            ran.code,
            Some(code),
            "{name} {options:?} {}{}",
            ran.stdout,
            ran.stderr
        );
        if name == "get.c" && code == 10 {
            assert!(
                ran.stdout.contains("no model for `get`")
                    || ran.stderr.contains("no model for `get`"),
                "{}",
                ran.stdout
            );
        }
    }
}

/// What an included file holds is not for those who see the message.
#[test]
fn messages_show_no_text_of_included_files() {
    let folder = Folder::new();
    let (secret, program) = (folder.path("secret.txt"), folder.path("a.c"));
    std::fs::write(&secret, "hunter: 2\n").unwrap();
    std::fs::write(
        &program,
        "#include \"secret.txt\"\nint main(void) { return 0; }\n",
    )
    .unwrap();
    let hidden = craig(&["check", &program]);
    assert_eq!(hidden.code, Some(2), "{}", hidden.stdout);
    assert!(
        hidden.stderr.contains("secret.txt:1:1: expected"),
        "{}",
        hidden.stderr
    );
    assert!(!hidden.stderr.contains("hunter"), "{}", hidden.stderr);
    let shown = craig(&["check", &program, "--trust"]);
    assert!(shown.stderr.contains("hunter"), "{}", shown.stderr);
}
