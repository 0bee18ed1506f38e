//! Outputs: looked at before the work, never one of the inputs, links written through, and no answer lost because a file
//! could not be written.

use std::process::Stdio;

use crate::run::{Folder, Ran, command, craig, example};

/// Runs the command with its standard output in a file.
fn craig_to(arguments: &[&str], path: &str) -> (Option<i32>, String) {
    let file = std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .unwrap();
    let output = command()
        .args(arguments)
        .stdout(Stdio::from(file))
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), stderr)
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_the_search() {
    let folder = Folder::new();
    let hard = folder.write("hard.aig", &crate::run::hard_circuit());
    let file = folder.write("file", b"");
    for output in [folder.path("none/w"), folder.path(""), format!("{file}/w")] {
        // The search would not end.
        let ran = craig(&["check", &hard, "--witness", &output]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains("can't be written"), "{}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    }
    assert_eq!(folder.names(), ["file", "hard.aig"]);
}

#[test]
fn no_output_replaces_an_input() {
    let folder = Folder::new();
    let copy = |name: &str| {
        let bytes = std::fs::read(example(name)).unwrap();
        (folder.write(name, &bytes), bytes)
    };
    let ((circuit, bits), (program, text)) = (copy("several.aag"), copy("average_unsafe.c"));
    let (formula, clauses) = copy("pigeons_unsat.cnf");
    let other = folder.path("other.aag");
    for arguments in [
        vec!["check", &circuit, "--witness", &circuit],
        vec!["check", &program, "--witness", &program],
        vec!["check", &program, "--test-driver", &program],
        vec!["check", &program, "--sarif", &program],
        vec!["check", &program, &program, "--sarif", &program],
        vec!["convert", &circuit, &circuit],
        vec!["sat", &formula, "--proof", &formula],
        vec!["sat", &formula, "--core", &formula],
        vec!["itp", &circuit, "-o", &circuit],
        vec!["itp", "--a", &formula, "--b", &formula, "-o", &formula],
        vec!["strength", &circuit, "--html", &circuit],
        vec!["test", &program, "--html", &program],
        vec!["hwmcc", &circuit, &circuit, &other],
        vec!["hwmcc", &circuit, &other, &other],
        vec!["simulate", &circuit, &circuit, "--vcd", &circuit],
    ] {
        let ran = craig(&arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        assert_eq!(ran.stdout, "", "{arguments:?}");
    }
    // The files about single properties have names that are made later: the verdict comes first.
    let one = folder.write("w.b1.aag", &bits);
    let ran = craig(&["check", &one, "-q", "--witness", &folder.path("w.aag")]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(ran.stdout.lines().count(), 4, "{}", ran.stdout);
    assert!(ran.stderr.contains("it is an input"), "{}", ran.stderr);
    for (path, bytes) in [
        (circuit, &bits),
        (program, &text),
        (formula, &clauses),
        (one, &bits),
    ] {
        assert_eq!(std::fs::read(&path).unwrap(), *bytes, "{path}");
    }
}

/// The file of the evidence is a device without room.
#[cfg(target_os = "linux")]
#[test]
fn a_verdict_survives_evidence_that_cannot_be_written() {
    let full = "/dev/full";
    let (safe, c) = (example("arbiter_safe.aag"), example("average_unsafe.c"));
    let formula = example("pigeons_unsat.cnf");
    for (arguments, begin) in [
        (vec!["check", &safe, "--witness", full], "SAFE\n"),
        (vec!["check", &c, "--witness", full], "UNSAFE"),
        (vec!["check", &c, "--test-driver", full], "UNSAFE"),
        (vec!["check", &c, "--sarif", full], "UNSAFE"),
        (vec!["hwmcc", &safe, "/dev/null", full], "unsat\n"),
        (vec!["itp", &safe, "-o", full, "--format", "smt2"], ""),
        (vec!["test", &c, "--html", full], "branches: "),
    ] {
        let ran = craig(&arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        assert!(
            ran.stdout.starts_with(begin),
            "{arguments:?}: {}",
            ran.stdout
        );
        assert!(!ran.stdout.is_empty(), "{arguments:?}");
        assert!(
            ran.stderr.contains("/dev/full: can't be written"),
            "{arguments:?}: {}",
            ran.stderr
        );
    }
    let ran = craig(&["check", &safe, "--json", "--witness", full]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (ran.code, &report["verdict"]),
        (Some(2), &"safe".into()),
        "{ran:?}"
    );
    let ran = craig(&["sat", &formula, "--proof", full]);
    assert!(ran.stdout.ends_with("s UNSATISFIABLE\n"), "{ran:?}");
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_without_room_is_an_error() {
    let (safe, formula) = (example("arbiter_safe.aag"), example("pigeons_sat.cnf"));
    for arguments in [
        vec!["check", &safe],
        vec!["check", &safe, "--json"],
        vec!["check", &safe, &safe],
        vec!["sat", &formula],
        vec!["convert", &safe, "-", "--to", "aag"],
        vec!["line-up"],
        vec!["--help"],
    ] {
        let (code, stderr) = craig_to(&arguments, "/dev/full");
        assert_eq!(code, Some(2), "{arguments:?}: {stderr}");
        assert!(
            stderr.contains("can't be written: No space left"),
            "{arguments:?}: {stderr}"
        );
    }
}

/// What an output file holds is all that standard output gets.
#[cfg(unix)]
#[test]
fn standard_output_is_an_output_file_by_several_names() {
    let folder = Folder::new();
    let (safe, formula) = (example("arbiter_safe.aag"), example("pigeons_unsat.cnf"));
    let run = |arguments: &[&str]| -> Ran { craig(arguments) };
    for name in ["-", "/dev/stdout"] {
        let ran = run(&["check", &safe, "--witness", name]);
        assert!(
            ran.stdout.starts_with("aag ") && ran.stderr.starts_with("SAFE\n"),
            "{ran:?}"
        );
        let witness = folder.write("w.aag", ran.stdout.as_bytes());
        assert_eq!(run(&["certify", &safe, &witness]).stdout, "valid safe\n");
        let ran = run(&["sat", &formula, "--proof", name]);
        assert!(
            ran.stdout.ends_with("0\n") && ran.stderr.contains("s UNSAT"),
            "{ran:?}"
        );
        let ran = run(&["convert", &safe, name, "--to", "btor2"]);
        assert!(ran.stdout.contains(" sort bitvec 1\n"), "{ran:?}");
        let ran = run(&["itp", &safe, "--bound", "2", "-o", name, "--format", "cnf"]);
        assert!(ran.stdout.contains("p cnf "), "{ran:?}");
    }
    // Redirected to a file, the name still is that of the open file, whose beginning stays.
    let log = folder.write("log", b"before\n");
    let (code, _) = craig_to(&["check", &safe, "--witness", "/dev/stdout"], &log);
    assert_eq!(code, Some(20));
    assert!(
        std::fs::read_to_string(log)
            .unwrap()
            .starts_with("before\naag ")
    );
    assert!(
        std::fs::symlink_metadata("/dev/stdout")
            .unwrap()
            .is_symlink()
    );
    let ran = run(&["check", &example("several.aag"), "--witness", "-"]);
    assert!(ran.stderr.contains("one property only"), "{ran:?}");
    let ran = run(&[
        "check",
        &example("average_unsafe.c"),
        "--witness",
        "-",
        "--sarif",
        "-",
    ]);
    assert!(ran.stderr.contains("name one output"), "{ran:?}");
}

/// A thread needs address space for its stack.
#[cfg(target_os = "linux")]
#[test]
fn a_refused_thread_is_told_with_its_cause() {
    for name in ["arbiter_safe.aag", "average_safe.c"] {
        let script = "ulimit -v 60000 && exec \"$0\" check \"$1\"";
        let ran = std::process::Command::new("bash")
            .args(["-c", script, env!("CARGO_BIN_EXE_craig"), &example(name)])
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(1), "{name}: {stderr}");
        assert!(
            stderr.contains("the system refuses a thread: ") && stderr.contains("`ulimit -v`"),
            "{name}: {stderr}"
        );
        assert!(ran.stdout.is_empty(), "{name}");
    }
}
