//! Many properties of one circuit: reduced and searched together.

use serde_json::Value;

use crate::run::{Folder, craig};

/// The number of latches of the ring.
const N: usize = 8;

/// A token that an input moves around a ring of latches. Bads: two latches have the token at once, for each pair, and then, for
/// each latch but the first, it has the token.
fn ring() -> String {
    let input = 2;
    let state = |latch: usize| 4 + 2 * (latch % N);
    let mut next_gate = 4 + 2 * N;
    let mut gates = String::new();
    let mut and = |left: usize, right: usize| {
        gates += &format!("{next_gate} {left} {right}\n");
        next_gate += 2;
        next_gate - 2
    };
    let mut latches = String::new();
    for latch in 0..N {
        let moved = and(state(latch + N - 1), input);
        let kept = and(state(latch), input + 1);
        let neither = and(moved ^ 1, kept ^ 1);
        let reset = usize::from(latch == 0);
        latches += &format!("{} {} {reset}\n", state(latch), neither ^ 1);
    }
    let mut bads = Vec::new();
    for first in 0..N {
        for second in first + 1..N {
            bads.push(and(state(first), state(second)));
        }
    }
    bads.extend((1..N).map(state));
    let n_bads = bads.len();
    let bads: String = bads.iter().map(|bad| format!("{bad}\n")).collect();
    let last = next_gate / 2 - 1;
    let n_gates = last - 1 - N;
    format!("aag {last} 1 {N} 0 {n_gates} {n_bads}\n{input}\n{latches}{bads}{gates}")
}

/// The number of pairs.
const PAIRS: usize = N * (N - 1) / 2;

fn properties(stdout: &str) -> Vec<Value> {
    let report: Value = serde_json::from_str(stdout).unwrap();
    let mut properties = report["properties"].as_array().unwrap().clone();
    properties.sort_by_key(|property| property["number"].as_u64());
    properties
}

/// Each property has its own verdict and evidence, whatever the engine, and the same as one by one.
#[test]
fn many_properties_are_decided_together() {
    for (engine, more) in [
        ("portfolio", &[][..]),
        ("pdr", &[]),
        ("pdr", &["--skip-pass", "cone", "--pdr-without", "turns"]),
        ("pdr", &["--no-preprocess"]),
    ] {
        let folder = Folder::new();
        let file = folder.write("ring.aag", ring().as_bytes());
        let witness = folder.path("w.aag");
        let arguments = ["check", &file, "--engine", engine, "--json", "--witness"];
        let ran = craig(&[&arguments[..], &[&witness], more].concat());
        assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
        let properties = properties(&ran.stdout);
        assert_eq!(properties.len(), PAIRS + N - 1);
        for (number, property) in properties.iter().enumerate() {
            let expected = if number < PAIRS { "safe" } else { "unsafe" };
            assert_eq!(property["verdict"], expected, "{property}");
            assert_eq!(property["certified"], true);
            let own = property["files"][0].as_str().unwrap();
            assert_eq!(own, folder.path(&format!("w.b{number}.aag")));
            let number = number.to_string();
            let judged = craig(&["certify", &file, own, "--property", &number]);
            assert_eq!(judged.code, Some(0), "{}{}", judged.stdout, judged.stderr);
        }
    }
}

/// A bounded engine finds the shortest run to each.
#[test]
fn runs_to_many_properties_are_shortest_if_the_engine_promises_it() {
    let folder = Folder::new();
    let file = folder.write("ring.aag", ring().as_bytes());
    let ran = craig(&[
        "check",
        &file,
        "--engine",
        "bmc",
        "--json",
        "--max-depth",
        "9",
    ]);
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    for (number, property) in properties(&ran.stdout).iter().enumerate() {
        match number.checked_sub(PAIRS) {
            None => assert_eq!(property["verdict"], "unknown"),
            Some(before) => {
                assert_eq!(property["verdict"], "unsafe");
                assert_eq!(property["depth"], before + 1);
                assert_eq!(property["certified"], true);
            }
        }
    }
}

/// They are searched together only if most of them depend on most of the circuit.
#[test]
fn properties_of_separate_parts_are_searched_one_by_one() {
    let folder = Folder::new();
    let overlapping = folder.write("ring.aag", ring().as_bytes());
    // Ten latches that stay 0, and each a bad.
    let latches: String = (1..=10)
        .map(|latch| format!("{} {}\n", 2 * latch, 2 * latch))
        .collect();
    let bads: String = (1..=10).map(|latch| format!("{}\n", 2 * latch)).collect();
    let text = format!("aag 10 0 10 0 0 10\n{latches}{bads}");
    let separate = folder.write("separate.aag", text.as_bytes());
    let arguments = ["--engine", "pdr", "-v", "--skip-pass", "constants"];
    let searches = |file: &str| {
        let ran = craig(&[&["check", file][..], &arguments].concat());
        let n_together = ran.stderr.matches("others: pdr:").count();
        let n_alone = ran.stderr.matches(": pdr:").count() - n_together;
        (n_together > 0, n_alone > 0)
    };
    assert_eq!(searches(&overlapping), (true, false));
    assert_eq!(searches(&separate), (false, true));
}
