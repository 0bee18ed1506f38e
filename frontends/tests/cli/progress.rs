//! Progress: lines that are drawn in place on a terminal, and nothing in a pipe.

use std::process::Command;

use crate::run::{Folder, craig};

/// What a command prints on a terminal, which `script` makes; `None` where it is not installed.
fn on_terminal(arguments: &[&str]) -> Option<String> {
    let words = std::iter::once(env!("CARGO_BIN_EXE_craig")).chain(arguments.iter().copied());
    let line: Vec<String> = words.map(|word| format!("'{word}'")).collect();
    let output = Command::new("script")
        .args(["-qec", &line.join(" "), "/dev/null"])
        .env("TERM", "xterm")
        .output();
    match output {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(error) => {
            eprintln!("skipped: script: {error}");
            None
        }
    }
}

/// Pigeons, one more than holes.
fn pigeons(n_holes: usize) -> String {
    let var = |pigeon: usize, hole: usize| pigeon * n_holes + hole + 1;
    let mut clauses: Vec<String> = Vec::new();
    for pigeon in 0..=n_holes {
        let holes = (0..n_holes).map(|hole| var(pigeon, hole).to_string());
        clauses.push(holes.collect::<Vec<_>>().join(" ") + " 0\n");
        for other in 0..pigeon {
            let pairs = (0..n_holes).map(|hole| (var(pigeon, hole), var(other, hole)));
            clauses.extend(pairs.map(|(one, other)| format!("-{one} -{other} 0\n")));
        }
    }
    let n_vars = (n_holes + 1) * n_holes;
    format!("p cnf {n_vars} {}\n{}", clauses.len(), clauses.concat())
}

#[test]
fn each_engine_has_a_line_on_a_terminal() {
    let folder = Folder::new();
    // A counter that needs 2^60 steps.
    let text = b"1 sort bitvec 64\n2 zero 1\n3 state 1\n4 init 1 3 2\n5 one 1\n6 add 1 3 5\n7 next 1 3 6\n\
        8 constd 1 1152921504606846976\n9 sort bitvec 1\n10 eq 9 3 8\n11 bad 10\n";
    let hard = folder.write("far.btor2", text);
    let check = [
        "check",
        &hard,
        "--engine",
        "bmc",
        "--only",
        "--timeout",
        "2",
    ];
    if let Some(text) = on_terminal(&check) {
        assert!(text.contains(" MB: "), "{text}");
        assert!(
            text.contains("bmc  ") && text.contains("no bad before step"),
            "{text}"
        );
        assert!(text.contains("\u{1b}["), "{text}");
    }
    let ran = craig(&check);
    assert_eq!(ran.stderr, "");
    // An undecided answer ends with what was tried and what to try.
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[0].starts_with("UNKNOWN"), "{lines:?}");
    let tried = lines
        .iter()
        .find(|line| line.starts_with("  tried: "))
        .unwrap();
    assert!(tried.contains("bmc (no bad before step "), "{tried}");
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("  next: more time (`--timeout 10`)"))
    );
    assert!(
        !craig(&[
            "check",
            &hard,
            "--engine",
            "bmc",
            "--timeout",
            "0.1",
            "--quiet"
        ])
        .stdout
        .contains("tried")
    );
}

#[test]
fn sat_shows_its_conflicts_on_a_terminal() {
    let folder = Folder::new();
    let hard = folder.write("hard.cnf", pigeons(12).as_bytes());
    // With variables of its own, the search is too quick.
    let sat = ["sat", &hard, "--timeout", "1", "--set", "factor=false"];
    if let Some(text) = on_terminal(&sat) {
        let counts = text.split(" conflicts; ").filter_map(|part| {
            let digits = part.rsplit(|it: char| !it.is_ascii_digit()).next()?;
            digits.parse::<u64>().ok()
        });
        assert!(counts.max().is_some_and(|most| most > 0), "{text}");
    }
    let ran = craig(&sat);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}
