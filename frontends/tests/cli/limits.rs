//! What ends `craig check` early: limits of time and memory, and signals.

use std::time::{Duration, Instant};

use crate::run::{Folder, PROVERS, craig, hard_circuit, interrupted};

/// A pipe that nobody writes is never read to its end.
#[cfg(unix)]
#[test]
fn the_time_limit_ends_reading() {
    let folder = Folder::new();
    let pipe = folder.path("pipe.aig");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let begin = Instant::now();
    let ran = craig(&["check", &pipe, "--timeout", "0.3"]);
    assert_eq!(ran.code, Some(30), "{}{}", ran.stdout, ran.stderr);
    let expected = "UNKNOWN: the time limit was reached while the file was read\n";
    assert!(ran.stdout.starts_with(expected), "{}", ran.stdout);
    // No property is known, so that none is a goal.
    assert!(!ran.stdout.contains("coverage"), "{}", ran.stdout);
    let ran = craig(&["check", &pipe, "--timeout", "0.3", "--json"]);
    assert_eq!(ran.code, Some(30), "{}{}", ran.stdout, ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["verdict"], "unknown");
    assert_eq!(report["properties"], serde_json::json!([]));
    assert!(begin.elapsed() < Duration::from_secs(20));
}

#[test]
fn the_time_limit_ends_every_engine() {
    let folder = Folder::new();
    let file = folder.write("hard.aig", &hard_circuit());
    // `bdd` has a limit of its own, on its nodes.
    let timed = PROVERS.into_iter().filter(|&engine| engine != "bdd");
    for engine in timed.chain(["bmc", "portfolio"]) {
        let ran = craig(&["check", &file, "--engine", engine, "--timeout", "0.3"]);
        assert_eq!(ran.code, Some(30), "{engine}: {}{}", ran.stdout, ran.stderr);
        assert!(
            ran.stdout
                .starts_with("UNKNOWN: the time limit was reached\n  engine "),
            "{}",
            ran.stdout
        );
    }
}

#[test]
fn the_memory_limit_ends_the_search() {
    let folder = Folder::new();
    let file = folder.write("hard.aig", &hard_circuit());
    let ran = craig(&["check", &file, "--memory", "1", "--timeout", "60"]);
    assert_eq!(ran.code, Some(30), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout
            .starts_with("UNKNOWN: the memory limit was reached\n"),
        "{}",
        ran.stdout
    );
}

/// The bound is generous: the requirement is one second on an idle machine.
#[test]
fn signals_end_it_with_unknown_and_statistics() {
    let folder = Folder::new();
    let file = folder.write("hard.aig", &hard_circuit());
    for signal in ["INT", "TERM"] {
        let stdout = interrupted(&["check", &file], signal, Duration::from_millis(500));
        assert!(
            stdout.starts_with("UNKNOWN: it was interrupted\n  engine "),
            "{stdout}"
        );
        assert!(stdout.contains(" s in all"), "{stdout}");
    }
}
