//! `--exchange`: clauses of other processes change no verdict.

use std::fs;

use crate::run::{Folder, craig, example};

const PDR: [&str; 4] = ["--engine", "pdr", "--only", "--no-preprocess"];

/// The lines in the files of a folder.
fn lines(folder: &str) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap();
    let texts = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let lines = texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    lines.collect()
}

#[test]
fn clauses_are_left_for_others_and_not_trusted() {
    for (name, code) in [("arbiter_safe.aag", 20), ("arbiter_unsafe.aag", 10)] {
        let folder = Folder::new();
        let (rooms, circuit) = (folder.path("rooms"), example(name));
        let check = || {
            let arguments = ["check", &circuit, "--exchange", &rooms];
            craig(&[&arguments[..], &PDR[..]].concat())
        };
        let ran = check();
        assert_eq!(ran.code, Some(code), "{}{}", ran.stdout, ran.stderr);
        let sent = lines(&rooms);
        if code == 20 {
            assert!(!sent.is_empty());
        }
        // What others say of the circuit is wrong.
        let latches: usize = fs::read_to_string(&circuit)
            .unwrap()
            .split_whitespace()
            .nth(3)
            .unwrap()
            .parse()
            .unwrap();
        let stamp = sent.first().and_then(|line| line.split(' ').next());
        let wrong = (1..=latches).flat_map(|latch| {
            let stamp = stamp.unwrap_or("0,0,0");
            [
                format!("{stamp} {latch} 0\n"),
                format!("{stamp} -{latch} 0\n"),
            ]
        });
        let wrong: String = wrong.collect();
        fs::write(format!("{rooms}/wrong.clauses"), wrong).unwrap();
        assert_eq!(check().code, Some(code));
    }
}

#[test]
fn an_exchange_is_for_circuits_and_needs_a_folder() {
    let folder = Folder::new();
    let rooms = folder.path("rooms");
    let ran = craig(&["check", &example("average_safe.c"), "--exchange", &rooms]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("--exchange"), "{}", ran.stderr);
    let file = folder.write("file", b"");
    let ran = craig(&["check", &example("counter_safe.aag"), "--exchange", &file]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("--exchange"), "{}", ran.stderr);
}
