//! C programs: output and written files, and whether other programs accept these.

use std::process::Command;

use crate::run::{Folder, craig, example};

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
fn drive(driver: &str, flags: &[&str]) -> Option<std::process::Output> {
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

/// Large arrays with accesses at unknown indices: the evidence includes the constraints between reads and
/// writes, and a path is replayed.
#[test]
fn large_arrays_are_accessed_at_unknown_indices() {
    let folder = Folder::new();
    for size in [100_000, 1_000_000] {
        let program = |wanted: i32| {
            format!(
                "unsigned nondet_uint(void);\nint a[{size}];\nint main(void) {{\n\
                 unsigned i = nondet_uint(), j = nondet_uint(), k = nondet_uint();\n\
                 if (i >= {size} || j >= {size} || k >= {size}) return 0;\n\
                 a[i] += 2; a[j] += 2;\nassert(a[k] < {wanted}); return 0; }}\n"
            )
        };
        let safe = folder.write("safe.c", program(5).as_bytes());
        let (cnf, proof) = (folder.path("formula.cnf"), folder.path("proof.lrat"));
        let flags = ["--c-engine", "unwind", "--cnf", &cnf, "--proof", &proof];
        let ran = craig(&[&["check", &safe][..], &flags].concat());
        assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
        let text = std::fs::read(&cnf).unwrap();
        let formula = craig_formula::dimacs::read(&mut text.as_slice(), "cnf").unwrap();
        let proof = std::fs::read(&proof).unwrap();
        assert!(craig_solver::proof::import::check_lrat(&formula, proof.as_slice()).unwrap() > 0);
        let wrong = folder.write("unsafe.c", program(4).as_bytes());
        let ran = craig(&["check", &wrong, "--c-engine", "unwind"]);
        assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
        assert!(
            ran.stdout.contains("the path was replayed"),
            "{}",
            ran.stdout
        );
    }
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
    assert_eq!(value["properties"][0]["property"]["line"], 4);
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

/// An engine named on the command line decides the program alone; `--with-invariants` adds the word-level
/// invariants, which here suffice.
#[test]
fn a_named_engine_answers_by_itself() {
    let file = example("in_step_safe.c");
    let evidence = |options: &[&str]| {
        let ran = craig(&[&["check", &file, "--json"][..], options].concat());
        assert_eq!(
            ran.code,
            Some(20),
            "{options:?}: {}{}",
            ran.stdout,
            ran.stderr
        );
        let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        value["evidence"].as_str().unwrap().to_owned()
    };
    for engine in ["imc", "pdr", "kind"] {
        let alone = evidence(&["--engine", engine]);
        assert!(
            alone.contains(&format!(" from {engine},")),
            "{engine}: {alone}"
        );
        let together = evidence(&["--engine", engine, "--with-invariants"]);
        assert!(
            together.contains(" from invariants,"),
            "{engine}: {together}"
        );
    }
}

/// Impact works on the automaton of a program, whatever its blocks and interpolants are: its evidence is
/// judged, and written as that of other engines is.
#[test]
fn impact_decides_programs() {
    let folder = Folder::new();
    let (model, witness) = (folder.path("m.aag"), folder.path("w.aag"));
    let blocks = [&[][..], &["--blocks", "basic"], &["--blocks", "large"]];
    let dials: [&[&str]; 5] = [
        &[],
        &["--cover-candidates", "1", "--whole-paths"],
        &["--system", "inverse", "--transform", "reduce"],
        &["--transform", "raise-local", "--simplify", "--no-slice"],
        &["--no-force-cover", "--no-known-labels"],
    ];
    for blocks in blocks {
        for dial in dials {
            let options = [&["--engine", "impact", "-q"][..], blocks, dial].concat();
            let file = folder.write("locked.c", LOCKED.as_bytes());
            let files = ["--model", &model, "--witness", &witness];
            let ran = craig(&[&["check", &file][..], &options, &files].concat());
            assert_eq!(ran.code, Some(20), "{options:?}: {}", ran.stdout);
            assert!(
                ran.stdout.contains("from impact, checked"),
                "{}",
                ran.stdout
            );
            let judged = craig(&["certify", &model, &witness]);
            assert_eq!(judged.code, Some(0), "{}{}", judged.stdout, judged.stderr);
            let wrong = folder.write("unlocked.c", LOCKED.replace("&& old", "|| old").as_bytes());
            let ran = craig(&[&["check", &wrong][..], &options].concat());
            assert_eq!(ran.code, Some(10), "{options:?}: {}", ran.stdout);
            assert!(ran.stdout.contains("UNSAFE impact"), "{}", ran.stdout);
        }
    }
    let file = folder.write("locked.c", LOCKED.as_bytes());
    let ran = craig(&["check", &file, "--engine", "impact", "-v"]);
    assert!(
        ran.stderr.contains("impact: unwinding: ") && ran.stderr.contains(" covered, "),
        "{}",
        ran.stderr
    );
    let ran = craig(&["check", &example("fifo_safe.aag"), "--engine", "impact"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("decides C programs only"),
        "{}",
        ran.stderr
    );
}

/// Where no vertex is covered with large blocks, the search begins again with basic ones, unless the blocks
/// were chosen.
#[test]
fn impact_tries_basic_blocks_when_large_ones_diverge() {
    let text = "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_error(void);\n\
                int main(void) { unsigned i = 0, s = 0; while (__VERIFIER_nondet_int()) { i++; s += i;\n\
                if (i == 45 && s == 1035) __VERIFIER_error(); } return 0; }\n";
    let folder = Folder::new();
    let file = folder.write("deep.c", text.as_bytes());
    for (blocks, is_again) in [("auto", true), ("large", false)] {
        let ran = craig(&[
            "check", &file, "--engine", "impact", "--blocks", blocks, "-v",
        ]);
        assert_eq!(ran.code, Some(10), "{blocks}: {}", ran.stdout);
        let has_note = ran.stderr.contains("again with basic blocks");
        assert_eq!(has_note, is_again, "{blocks}: {}", ran.stderr);
    }
}

/// Predicate abstraction decides programs with each image and refinement, and its evidence is checked.
#[test]
fn predicate_abstraction_decides_programs() {
    let folder = Folder::new();
    let (model, witness) = (folder.path("m.aag"), folder.path("w.aag"));
    let choices: [&[&str]; 6] = [
        &[],
        &["--blocks", "basic"],
        &["--image", "approx", "--transform", "raise-local"],
        &["--image", "exact", "--system", "symmetric"],
        &["--image", "approx", "--refine", "dasdill"],
        &["--refine", "dasdill", "--blocks", "basic", "--simplify"],
    ];
    for choice in choices {
        let options = [&["--engine", "predabs", "-q"][..], choice].concat();
        let file = folder.write("locked.c", LOCKED.as_bytes());
        let files = ["--model", &model, "--witness", &witness];
        let ran = craig(&[&["check", &file][..], &options, &files].concat());
        assert_eq!(ran.code, Some(20), "{options:?}: {}", ran.stdout);
        let said = &ran.stdout;
        assert!(said.contains("from predabs, checked"), "{said}");
        let judged = craig(&["certify", &model, &witness]);
        assert_eq!(judged.code, Some(0), "{}{}", judged.stdout, judged.stderr);
        let wrong = folder.write("unlocked.c", LOCKED.replace("&& old", "|| old").as_bytes());
        let ran = craig(&[&["check", &wrong][..], &options].concat());
        assert_eq!(ran.code, Some(10), "{options:?}: {}", ran.stdout);
        assert!(ran.stdout.contains("UNSAFE predabs"), "{}", ran.stdout);
    }
    // Symmetric interpolants need a system that is strong enough.
    let file = folder.write("locked.c", LOCKED.as_bytes());
    // The Cartesian image may give up, and is right otherwise.
    let options = ["--engine", "predabs", "--image", "cartesian"];
    let ran = craig(&[&["check", &file][..], &options].concat());
    assert!(matches!(ran.code, Some(20 | 30)), "{}", ran.stdout);
    let straight = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void)\n{\n  int \
                    i = 0;\n  while (__VERIFIER_nondet_int())\n    i = 0;\n  if (i != 0)\n    reach_error();\n  \
                    return 0;\n}\n";
    let simple = folder.write("simple.c", straight.as_bytes());
    let ran = craig(&[&["check", &simple][..], &options].concat());
    assert_eq!(ran.code, Some(20), "{}", ran.stdout);
    let options = ["--engine", "predabs", "--system", "inverse"];
    let ran = craig(&[&["check", &file][..], &options].concat());
    assert_eq!(ran.code, Some(30), "{}", ran.stdout);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(said.contains("no weaker than the symmetric one"), "{said}");
}

/// The engine with reachability, safety and error interpolants decides programs in each configuration, and its
/// evidence is checked.
#[test]
fn reachability_safety_and_error_interpolants_decide_programs() {
    let folder = Folder::new();
    let (model, witness) = (folder.path("m.aag"), folder.path("w.aag"));
    let choices: [&[&str]; 7] = [
        &[],
        &["--interpolants", "r"],
        &["--interpolants", "r,e", "--blocks", "basic"],
        &["--interpolants", "r,s", "--system", "inverse"],
        &[
            "--interpolants",
            "r,s,e",
            "--transform",
            "reduce",
            "--simplify",
        ],
        &["--interpolants", "r,s", "--weights", "--blocks", "basic"],
        &["--interpolants", "r,s,e", "--weights", "--no-force-cover"],
    ];
    for choice in choices {
        let options = [&["--engine", "rse", "-q"][..], choice].concat();
        let file = folder.write("locked.c", LOCKED.as_bytes());
        let files = ["--model", &model, "--witness", &witness];
        let ran = craig(&[&["check", &file][..], &options, &files].concat());
        assert_eq!(ran.code, Some(20), "{options:?}: {}", ran.stdout);
        assert!(ran.stdout.contains("from rse, checked"), "{}", ran.stdout);
        let judged = craig(&["certify", &model, &witness]);
        assert_eq!(judged.code, Some(0), "{}{}", judged.stdout, judged.stderr);
        let wrong = folder.write("unlocked.c", LOCKED.replace("&& old", "|| old").as_bytes());
        let ran = craig(&[&["check", &wrong][..], &options].concat());
        assert_eq!(ran.code, Some(10), "{options:?}: {}", ran.stdout);
        assert!(ran.stdout.contains("UNSAFE rse"), "{}", ran.stdout);
    }
    let file = folder.write("locked.c", LOCKED.as_bytes());
    let ran = craig(&["check", &file, "--engine", "rse", "--interpolants", "r,x"]);
    assert_eq!(ran.code, Some(2));
    let ran = craig(&["check", &file, "--engine", "rse", "-v"]);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(said.contains("safety labels cut off"), "{said}");
}

/// Lazy annotation proves with each kind of interpolants and any fuel; without labels it finds errors, and proves
/// nothing.
#[test]
fn lazy_annotation_decides_programs() {
    let folder = Folder::new();
    let (model, witness) = (folder.path("m.aag"), folder.path("w.aag"));
    let choices: [&[&str]; 5] = [
        &[],
        &["--blocks", "basic"],
        &["--system", "inverse", "--fuel", "0"],
        &["--transform", "reduce", "--simplify", "--fuel", "7"],
        &["--no-learn", "--blocks", "large"],
    ];
    for choice in choices {
        let options = [&["--engine", "annotate", "-q"][..], choice].concat();
        let wrong = folder.write("unlocked.c", LOCKED.replace("&& old", "|| old").as_bytes());
        let ran = craig(&[&["check", &wrong][..], &options].concat());
        assert_eq!(ran.code, Some(10), "{options:?}: {}", ran.stdout);
        assert!(ran.stdout.contains("UNSAFE annotate"), "{}", ran.stdout);
        if choice.contains(&"--no-learn") {
            continue;
        }
        let file = folder.write("locked.c", LOCKED.as_bytes());
        let files = ["--model", &model, "--witness", &witness];
        let ran = craig(&[&["check", &file][..], &options, &files].concat());
        assert_eq!(ran.code, Some(20), "{options:?}: {}", ran.stdout);
        assert!(
            ran.stdout.contains("from annotate, checked"),
            "{}",
            ran.stdout
        );
        let judged = craig(&["certify", &model, &witness]);
        assert_eq!(judged.code, Some(0), "{}{}", judged.stdout, judged.stderr);
    }
    let straight = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void)\n{\n  int x = \
                    __VERIFIER_nondet_int();\n  if (x > 3 && x < 3)\n    reach_error();\n  return 0;\n}\n";
    let file = folder.write("straight.c", straight.as_bytes());
    let ran = craig(&["check", &file, "--engine", "annotate", "--no-learn"]);
    assert_eq!(ran.code, Some(30), "{}", ran.stdout);
    assert!(ran.stdout.contains("enumerated"), "{}", ran.stdout);
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

/// Recursion of any depth is proved where its results are bounded whatever the inner calls return.
#[test]
fn recursion_without_bound_is_proved() {
    let folder = Folder::new();
    let text = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\nunsigned f(unsigned x)\n{\n  \
                if (x == 0)\n    return 0;\n  unsigned r = f(x - 1) + 1;\n  return r > 5 ? 5 : r;\n}\nint \
                main(void)\n{\n  if (f(__VERIFIER_nondet_uint()) == WRONG)\n    reach_error();\n  return 0;\n}\n";
    for (wrong, code) in [("10", 20), ("4", 10)] {
        let file = folder.write("f.c", text.replace("WRONG", wrong).as_bytes());
        let ran = craig(&["check", &file, "--timeout", "60"]);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        // Two engines prove it, side by side.
        let said = ["calls within the recursion", "with summaries of `f`"];
        let is_said = said.iter().any(|text| ran.stdout.contains(text));
        assert_eq!(is_said, code == 20, "{}", ran.stdout);
    }
}

/// `--engine cfa-pdr` finds the error and proves the program; other programs judge the witness circuit. `-v` names the
/// shape.
#[test]
fn frames_by_location_decide_programs() {
    let folder = Folder::new();
    let (model, witness) = (folder.path("m.aag"), folder.path("w.aag"));
    let choices: [&[&str]; 3] = [&[], &["--blocks", "basic"], &["--bit-lemmas"]];
    for choice in choices {
        let options = [&["--engine", "cfa-pdr", "-q"][..], choice].concat();
        let wrong = folder.write("unlocked.c", LOCKED.replace("&& old", "|| old").as_bytes());
        let ran = craig(&[&["check", &wrong][..], &options].concat());
        assert_eq!(ran.code, Some(10), "{options:?}: {}", ran.stdout);
        assert!(ran.stdout.contains("UNSAFE cfa-pdr"), "{}", ran.stdout);
        let file = folder.write("locked.c", LOCKED.as_bytes());
        let files = ["--model", &model, "--witness", &witness];
        let ran = craig(&[&["check", &file][..], &options, &files].concat());
        assert_eq!(ran.code, Some(20), "{options:?}: {}", ran.stdout);
        assert!(
            ran.stdout.contains("from cfa-pdr, checked"),
            "{}",
            ran.stdout
        );
        let judged = craig(&["certify", &model, &witness]);
        assert_eq!(judged.code, Some(0), "{}{}", judged.stdout, judged.stderr);
    }
    let file = folder.write("locked.c", LOCKED.as_bytes());
    let ran = craig(&["check", &file, "--c-engine", "model", "-v"]);
    assert!(
        ran.stderr.contains("shape one-loop: the loop at"),
        "{}",
        ran.stderr
    );
}

/// `--engine cfa-isb` and `--engine cfa-dar` find the error and prove the program; other programs judge the witness
/// circuit.
#[test]
fn unrolled_automata_decide_programs() {
    let folder = Folder::new();
    let (model, witness) = (folder.path("m.aag"), folder.path("w.aag"));
    let choices: [&[&str]; 3] = [&[], &["--blocks", "basic"], &["--simplify"]];
    for (engine, choice) in ["cfa-isb", "cfa-dar"].into_iter().flat_map(|engine| {
        let choices = choices.into_iter();
        choices.map(move |choice| (engine, choice))
    }) {
        let options = [&["--engine", engine, "-q"][..], choice].concat();
        let wrong = folder.write("unlocked.c", LOCKED.replace("&& old", "|| old").as_bytes());
        let ran = craig(&[&["check", &wrong][..], &options].concat());
        assert_eq!(ran.code, Some(10), "{options:?}: {}", ran.stdout);
        assert!(
            ran.stdout.contains(&format!("UNSAFE {engine}")),
            "{}",
            ran.stdout
        );
        let file = folder.write("locked.c", LOCKED.as_bytes());
        let files = ["--model", &model, "--witness", &witness];
        let ran = craig(&[&["check", &file][..], &options, &files].concat());
        assert_eq!(ran.code, Some(20), "{options:?}: {}", ran.stdout);
        let said = format!("from {engine}, checked");
        assert!(ran.stdout.contains(&said), "{}", ran.stdout);
        let judged = craig(&["certify", &model, &witness]);
        assert_eq!(judged.code, Some(0), "{}{}", judged.stdout, judged.stderr);
    }
}

/// An event loop with two words that hold few values, and a word that counts.
const EVENTS: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int phase = 1, key = 4, sum = 0;
static void event(int input) {
    if (phase == 1 && key == 4 && input == 2) { phase = 2; key = 7; }
    else if (phase == 2 && input == 3) { phase = 3; sum = sum + 5; }
    else if (phase == 3 && key == 7 && input == 1) { phase = 1; key = 4; }
    else if (phase == 3 && key == 4) reach_error();
    else if (sum == 15 && phase == 2 && input == 6) reach_error();
}
int main(void) {
    while (1) { int input = __VERIFIER_nondet_int(); if (input < 1 || input > 6) return 0; event(input); }
}
";

/// `--engine explicit` finds the error, which depends on a word of many values, and proves the program without that;
/// the certificate is judged. The portfolio uses it for event loops.
#[test]
fn explicit_states_decide_event_loops() {
    let folder = Folder::new();
    let (model, witness) = (folder.path("m.aag"), folder.path("w.aag"));
    let wrong = folder.write("events_unsafe.c", EVENTS.as_bytes());
    let right = EVENTS.replace("sum == 15", "key == 4");
    let right = folder.write("events_safe.c", right.as_bytes());
    let ran = craig(&["check", &wrong, "--engine", "explicit", "-q"]);
    assert_eq!(ran.code, Some(10), "{}", ran.stdout);
    assert!(ran.stdout.contains("UNSAFE explicit"), "{}", ran.stdout);
    let options = [
        "--engine",
        "explicit",
        "--model",
        &model,
        "--witness",
        &witness,
    ];
    let ran = craig(&[&["check", &right][..], &options].concat());
    assert_eq!(ran.code, Some(20), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("from explicit, checked"),
        "{}",
        ran.stdout
    );
    let judged = craig(&["certify", &model, &witness]);
    assert_eq!(judged.code, Some(0), "{}{}", judged.stdout, judged.stderr);
    let ran = craig(&["check", &right, "-q", "--c-engine", "model"]);
    assert_eq!(ran.code, Some(20), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("from explicit, checked"),
        "{}",
        ran.stdout
    );
}

/// The words of a state machine get indices; the proof is about the program's own words, and is judged. The error's trace
/// replays.
#[test]
fn words_of_few_values_get_indices() {
    let program = |last: u32| {
        format!(
            "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void);
int main(void) {{
    int state = 8448, seen = 0;
    while (1) {{
        int input = __VERIFIER_nondet_int();
        if (state == 8448) {{ if (input > 100) state = 8464; }}
        else if (state == 8464) {{ if (input == 7) state = 8480; else if (input < -5) state = 8448; }}
        else if (state == 8480) {{ state = 8496; seen = input; }}
        else if (state == 8496) {{ state = {last}; }}
        else __VERIFIER_error();
    }}
}}
"
        )
    };
    let folder = Folder::new();
    let (model, witness) = (folder.path("m.aag"), folder.path("w.aag"));
    let without = ["--without", "explicit,unfolding,unwind,run", "-v"];
    let note = "with indices for words of few values";
    let right = folder.write("right.c", program(8464).as_bytes());
    let evidence = ["--model", &model, "--witness", &witness];
    let ran = craig(&[&["check", &right][..], &without, &evidence].concat());
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    assert!(
        !ran.stderr.contains("the proof with indices"),
        "{}",
        ran.stderr
    );
    let judged = craig(&["certify", &model, &witness]);
    assert_eq!(judged.code, Some(0), "{}{}", judged.stdout, judged.stderr);
    let wrong = folder.write("wrong.c", program(8500).as_bytes());
    let ran = craig(&[&["check", &wrong][..], &without].concat());
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    let ran = craig(&[
        "check",
        &right,
        "--without",
        "explicit,unfolding,unwind,run,domains",
        "-v",
    ]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    assert!(!ran.stderr.contains(note), "{}", ran.stderr);
}

/// A word that gets inputs and is compared with constants alone counts as one of few values for explicit states: its
/// values are the intervals between the constants.
#[test]
fn explicit_states_know_intervals() {
    let program = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void);
int main(void) {
    int state = 8448, phase = 7, last = 0, sum = 0;
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (state == 8448) { if (last > 1000 && input == 3 && phase == 7) { state = 8464; phase = 9; } }
        else if (state == 8464) { if (last != 3 || phase != 9) __VERIFIER_error(); state = 8480; }
        else if (state == 8480) { if (last > 3) { state = 8448; phase = 7; } }
        else __VERIFIER_error();
        last = input; sum += state;
    }
}
";
    let folder = Folder::new();
    let right = folder.write("right.c", program.as_bytes());
    let wrong = folder.write(
        "wrong.c",
        program.replace("last != 3", "last == 3").as_bytes(),
    );
    let check = |file: &str, without: &str| craig(&["check", file, "-q", "--without", without]);
    let ran = check(&right, "unwind,run,unfolding");
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("from explicit, checked"),
        "{}",
        ran.stdout
    );
    let ran = check(&right, "unwind,run,unfolding,domains");
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    assert!(!ran.stdout.contains("explicit"), "{}", ran.stdout);
    let ran = check(&wrong, "unwind,run,unfolding");
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
}

/// `--without` leaves parts of the portfolio out: what only they decide is open then.
#[test]
fn studies_leave_parts_out() {
    let folder = Folder::new();
    let file = folder.write("locked.c", LOCKED.as_bytes());
    for (parts, code) in [("unwind,run", 20), ("loops", 30), ("unwind,loops,run", 30)] {
        let ran = craig(&["check", &file, "--timeout", "5", "-q", "--without", parts]);
        assert_eq!(
            ran.code,
            Some(code),
            "{parts}: {}{}",
            ran.stdout,
            ran.stderr
        );
    }
    let enough = craig(&["check", &file, "-v", "--without", "invariants"]);
    assert_eq!(enough.code, Some(20), "{}", enough.stdout);
    assert!(
        !enough.stderr.contains("invariants over words"),
        "{}",
        enough.stderr
    );
    let wrong = craig(&["check", &file, "--without", "loop"]);
    assert_eq!(wrong.code, Some(2), "{}", wrong.stderr);
}

/// `--unwinding` draws the tree of whatever verdict, in one file without links, and says so where there is none.
#[test]
fn unwindings_are_drawn() {
    let folder = Folder::new();
    let page = folder.path("u.html");
    let wrong = LOCKED.replace("&& old", "|| old");
    let cases = [(LOCKED, 20), (&wrong, 10)];
    for ((text, code), engine) in cases
        .into_iter()
        .flat_map(|case| ["impact", "predabs", "rse", "annotate"].map(|engine| (case, engine)))
    {
        let file = folder.write("locked.c", text.as_bytes());
        let options = [
            "--engine",
            engine,
            "--blocks",
            "basic",
            "--unwinding",
            &page,
        ];
        let ran = craig(&[&["check", &file][..], &options].concat());
        assert_eq!(ran.code, Some(code), "{}", ran.stdout);
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(text.contains("lock = 1;") && !text.contains("href") && !text.contains("src="));
        let n_vertices = text.matches("class=\"vertex\"").count();
        assert_eq!(text.matches("class=\"tree\"").count(), n_vertices - 1);
        let n_on_run = text.matches("\non the run to the error").count();
        assert_eq!(n_on_run > 1, code == 10, "{engine}");
        std::fs::remove_file(&page).unwrap();
    }
    let file = folder.write("locked.c", LOCKED.as_bytes());
    // The states of predicate abstraction are C where predicates are.
    let options = [
        "--engine", "predabs", "--blocks", "basic", "--labels", "words",
    ];
    let ran = craig(&[&["check", &file, "--unwinding", &page][..], &options].concat());
    assert_eq!(ran.code, Some(20), "{}", ran.stdout);
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("\nlock == 0<"), "{text}");
    std::fs::remove_file(&page).unwrap();
    let ran = craig(&["check", &file, "--unwinding", &page]);
    assert_eq!(ran.code, Some(20));
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(
        said.contains("not written: no engine has unwound"),
        "{said}"
    );
}

/// Recursion of any depth is proved by summaries, which `-v` prints; the evidence is that of a program without the
/// recursion. Where calls get no summaries, it says why.
#[test]
fn summaries_prove_recursion() {
    let folder = Folder::new();
    let text = |step: u32, first: &str| {
        format!(
            "extern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);\nunsigned many;\n\
             unsigned f(unsigned n)\n{{\n  many += {step};\n  {first}\n  if (n == 0) return 4;\n  return f(n - 1) + 2;\n}}\n\
             int main(void)\n{{\n  unsigned n = __VERIFIER_nondet_uint();\n  if ((f(n) + many) % 2) \
             reach_error();\n  return 0;\n}}\n"
        )
    };
    let file = folder.write("even.c", text(2, "").as_bytes());
    for engine in ["portfolio", "annotate", "impact"] {
        let ran = craig(&["check", &file, "--engine", engine, "-v", "--timeout", "60"]);
        assert_eq!(ran.code, Some(20), "{engine}: {ran:?}");
        assert!(ran.stdout.contains("; with summaries of `f`"), "{ran:?}");
        assert!(ran.stderr.contains("`f` requires ") && ran.stderr.contains("\\result"));
    }
    let proof = folder.path("even.lrat");
    let cnf = folder.path("even.cnf");
    let ran = craig(&["check", &file, "--cnf", &cnf, "--proof", &proof]);
    assert_eq!(ran.code, Some(20), "{ran:?}");
    // The error is followed and replayed.
    let wrong = folder.write("odd.c", text(1, "").as_bytes());
    let ran = craig(&["check", &wrong, "--engine", "annotate", "--timeout", "60"]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    let escaping = "static unsigned *kept; if (n == 7) kept = &n;";
    let escaping = folder.write("kept.c", text(2, escaping).as_bytes());
    let ran = craig(&[
        "check",
        &escaping,
        "--engine",
        "annotate",
        "-v",
        "--timeout",
        "1",
    ]);
    assert_eq!(ran.code, Some(30), "{ran:?}");
    assert!(
        ran.stderr.contains("no summaries, calls are inlined: "),
        "{ran:?}"
    );
}

/// The program of figure 1 of the paper on Impact: a lock that is taken and given back in a loop.
const LOCKED: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
    int main(void)\n{\n  int lock = 0, old, new = __VERIFIER_nondet_int();\n\
    \x20 do {\n    if (lock != 0) reach_error();\n    lock = 1;\n    old = new;\n\
    \x20   if (__VERIFIER_nondet_int()) {\n      lock = 0;\n      new = new == 100 ? 0 : new + 1;\n    }\n\
    \x20 } while (new != old && old != 7);\n  return 0;\n}\n";

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

/// A program that fills, copies and reads arrays, with one loop in a line; `AT(line)` is evaluated where the condition is.
const FACTS: &str = "unsigned nondet_uint(void); extern void reach_error(void);\n\
    int a[100000]; unsigned char b[100000]; struct pair { int x; short y; } p[100000];\n\
    int main(void) { unsigned n = nondet_uint(); int i; unsigned j; if (n > 100000) return 0;\n\
    for (i = 0; AT(4) i < 100000; i++) a[i] = -2;\n\
    for (j = 0; AT(5) j < n; j++) b[j] = 200;\n\
    for (i = 0; AT(6) i < 100000; i++) p[i].y = -1;\n\
    for (j = 0; AT(7) j < n; j++) if (a[j] != -2 || b[j] < 200 || p[j].y >= 0) reach_error();\n\
    return 0; }\n";

/// What a proof says about all elements is printed as C that holds in runs of the program: where a line is negated, a run
/// fails.
#[cfg(unix)]
#[test]
fn invariants_about_all_elements_are_printed_as_c_that_holds() {
    let folder = Folder::new();
    let plain = "#define AT(line)\n".to_owned() + "#line 1\n" + FACTS;
    let file = folder.write("facts.c", plain.as_bytes());
    let ran = craig(&["check", &file, "--timeout", "100"]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("elements"), "{}", ran.stdout);
    assert!(
        ran.stdout
            .contains(":7 main: for all k: k < 100000U ==> a[k] == -2"),
        "{}",
        ran.stdout
    );
    let ran = craig(&["check", &file, "--timeout", "100", "--json"]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(!report["invariants"].as_array().unwrap().is_empty());
    let lines = report["for_all"].as_array().unwrap();
    let of = |field: &str| {
        lines
            .iter()
            .any(|line| line["value"].as_str().unwrap().contains(field))
    };
    assert!(of("a[k]") && of("b[k]") && of("p[k].y"), "{}", ran.stdout);
    // Each line where its loop is, for each element.
    let run = |negated: Option<usize>| {
        let mut text = String::from("#include <stdlib.h>\n");
        for line in 4..8 {
            let mut tests = String::new();
            for (number, own) in lines
                .iter()
                .enumerate()
                .filter(|(_, own)| own["line"] == line)
            {
                assert_eq!(own["scope"], "for all k");
                let sign = if negated == Some(number) { "" } else { "!" };
                let premise = own["premise"].as_str().unwrap_or("1");
                let value = own["value"].as_str().unwrap();
                tests += &format!("if (({premise}) && {sign}({value})) abort(); ");
            }
            // Not at each of so many iterations.
            text += &format!("#define TESTS{line} {tests}\n");
        }
        text += "#define AT(line) ({ static unsigned calls; if (calls++ % 25000 < 3) \\\n\
                 for (unsigned k = 0; k < 100000; k++) { TESTS##line } 1; }) &&\n";
        text +=
            "unsigned nondet_uint(void) { return 70001; } void reach_error(void) { abort(); }\n";
        text += &FACTS.replace("extern void reach_error(void);", "");
        let driver = folder.write("driver.c", text.as_bytes());
        drive(&driver, &["-O1"]).map(|ran| ran.status.success())
    };
    let Some(holds) = run(None) else {
        return;
    };
    assert!(holds, "{lines:?}");
    for (number, line) in lines.iter().enumerate() {
        assert_eq!(run(Some(number)), Some(false), "{line}");
    }
}

/// Two indices have two names, and a relation that all runs have is a premise.
#[test]
fn invariants_about_two_elements_name_both_indices() {
    let folder = Folder::new();
    let text = "int nondet_int(void); extern void reach_error(void); int a[100000];\n\
        int main(void) { int n = nondet_int(); if (n < 2 || n > 100000) return 0;\n\
        for (int i = 0; i < n; i++) a[i] = i;\n\
        for (int i = 0; i + 1 < n; i++) if (a[i] > a[i + 1]) reach_error();\n\
        return 0; }\n";
    let file = folder.write("sorted.c", text.as_bytes());
    let ran = craig(&["check", &file, "--timeout", "100"]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("sorted.c:4 main: for all "),
        "{}",
        ran.stdout
    );
}
