//! `craig check` and `craig hwmcc`: verdicts and exit codes.

use crate::run::{Folder, PROVERS, craig, craig_with_input, example, hard_circuit};

/// Example, exit code, and the first line of output.
const EXAMPLES: &[(&str, i32, &str)] = &[
    ("adder_safe.aag", 20, "SAFE"),
    ("arbiter_safe.aag", 20, "SAFE"),
    ("arbiter_unsafe.aag", 10, "UNSAFE"),
    ("counter_safe.aag", 20, "SAFE"),
    ("counter_unsafe.aag", 10, "UNSAFE"),
    ("fifo_safe.aag", 20, "SAFE b0 (pointers_disagree)"),
    ("fifo_unsafe.aag", 10, "SAFE b0 (pointers_disagree)"),
    ("handshake_safe.aag", 20, "SAFE"),
    ("handshake_unsafe.aag", 10, "UNSAFE"),
    ("pipeline_safe.aig", 20, "SAFE"),
    ("pipeline_unsafe.aig", 10, "UNSAFE"),
    (
        "requests.aag",
        10,
        "UNSAFE j0 (starves): the justice property fails, in a loop from step 2",
    ),
    ("ring_safe.aag", 20, "SAFE"),
    ("ring_unsafe.aag", 10, "UNSAFE"),
    ("several.aag", 10, "SAFE b0 (red_and_green)"),
    ("shift_register_safe.aag", 20, "SAFE"),
    ("shift_register_unsafe.aag", 10, "UNSAFE"),
];

/// The files of `examples/` are those that `frontends/examples/circuits` generates, and the table above
/// contains all of them.
#[test]
fn examples_are_what_their_program_makes() {
    for (name, bytes) in crate::designs::all() {
        let found = std::fs::read(example(name)).unwrap_or_default();
        assert!(
            found == bytes,
            "examples/{name} is out of date: cargo run -p craig --example circuits -- examples"
        );
        let is_known = EXAMPLES.iter().any(|(known, _, _)| *known == name);
        assert!(is_known || name.ends_with(".cnf"), "{name} is not tested");
    }
}

#[test]
fn every_example_has_its_verdict() {
    for (name, code, first_line) in EXAMPLES {
        let ran = craig(&["check", &example(name)]);
        assert_eq!(
            ran.code,
            Some(*code),
            "{name}: {}{}",
            ran.stdout,
            ran.stderr
        );
        assert_eq!(ran.stdout.lines().next(), Some(*first_line), "{name}");
        assert!(
            ran.stdout.lines().nth(1).unwrap().starts_with("  engine "),
            "{name}"
        );
        assert!(ran.stderr.is_empty(), "progress in a pipe: {}", ran.stderr);
    }
}

#[test]
fn imc_decides_the_examples_with_every_system_both_ways() {
    for system in ["mcmillan", "symmetric", "inverse"] {
        for way in ["forward", "backward"] {
            for (name, code) in [
                ("arbiter_safe.aag", 20),
                ("ring_safe.aag", 20),
                ("counter_unsafe.aag", 10),
            ] {
                let file = example(name);
                let options = [
                    "--engine",
                    "imc",
                    "--system",
                    system,
                    "--interpolants",
                    way,
                    "-q",
                ];
                let ran = craig(&[&["check", &file][..], &options].concat());
                assert_eq!(
                    ran.code,
                    Some(code),
                    "{name} {system} {way}: {}",
                    ran.stdout
                );
            }
        }
    }
}

#[test]
fn every_engine_decides_examples_reduced_or_not() {
    for engine in PROVERS {
        for (name, code) in [
            ("arbiter_safe.aag", 20),
            ("handshake_safe.aag", 20),
            ("ring_unsafe.aag", 10),
        ] {
            let file = example(name);
            let options = ["--engine", engine, "-q"];
            let ran = craig(&[&["check", &file][..], &options].concat());
            assert_eq!(
                ran.code,
                Some(code),
                "{name} {engine}: {}{}",
                ran.stdout,
                ran.stderr
            );
            let ran = craig(&[&["check", &file, "--no-preprocess"][..], &options].concat());
            assert_eq!(
                ran.code,
                Some(code),
                "{name} {engine}: {}{}",
                ran.stdout,
                ran.stderr
            );
        }
    }
}

#[test]
fn bmc_finds_bads_and_says_how_far_it_went() {
    let ran = craig(&["check", &example("counter_unsafe.aag"), "--engine", "bmc"]);
    assert_eq!(ran.code, Some(10));
    assert!(
        ran.stdout.contains("engine bmc, depth 9,"),
        "{}",
        ran.stdout
    );
    let ran = craig(&[
        "check",
        &example("counter_safe.aag"),
        "--engine",
        "bmc",
        "--max-depth",
        "6",
    ]);
    assert_eq!(ran.code, Some(30));
    assert!(
        ran.stdout
            .starts_with("UNKNOWN: no bad in the first 7 steps\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn properties_are_chosen_and_summed_up() {
    let several = example("several.aag");
    let ran = craig(&["check", &several]);
    let verdicts: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|line| !line.starts_with(' '))
        .collect();
    // Those that are inductive together come first.
    assert_eq!(
        verdicts[..4],
        [
            "SAFE b0 (red_and_green)",
            "SAFE b3 (green_steps_in_amber)",
            "UNSAFE b1 (red)",
            "UNSAFE b2 (green_for_long)"
        ]
    );
    assert!(verdicts[4].starts_with("4 properties: 2 safe, 2 unsafe, 0 unknown; "));
    assert_eq!(
        craig(&["check", &several, "--property", "3", "-q"]).stdout,
        "SAFE\n"
    );
    assert_eq!(
        craig(&["check", &several, "--property", "3"]).code,
        Some(20)
    );
    let ran = craig(&["check", &several, "--property", "4"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(
        ran.stderr,
        "error: there is no property 4: the circuit has 4\n"
    );
}

/// A run to one bad is searched for others, unless the engine promises the shortest.
#[test]
fn one_run_can_show_several_bads() {
    let folder = Folder::new();
    // A counter of two bits: bad 0 is 3, bad 1 is 2, which comes on the way.
    let file = folder.write(
        "two.aag",
        b"aag 6 0 2 0 4 2\n2 3\n4 10\n6\n12\n6 4 2\n8 5 3\n10 9 7\n12 4 3\n",
    );
    for (engine, finder) in [("pdr", "simulation"), ("bmc", "bmc")] {
        let ran = craig(&["check", &file, "--engine", engine, "--json"]);
        assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
        let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        for (property, engine, depth) in [(0, engine, 3), (1, finder, 2)] {
            let property = &value["properties"][property];
            assert_eq!(property["verdict"], "unsafe");
            assert_eq!(property["certified"], true);
            assert_eq!(property["engine"], engine);
            assert_eq!(property["depth"], depth);
        }
    }
}

/// Larger circuits are searched for a short trace before they are reduced, whatever the engine, unless that
/// is switched off.
#[test]
fn the_first_steps_are_looked_at_first() {
    let folder = Folder::new();
    // A latch that becomes 1, and the parity of 400 inputs, which is to be 1 in the same step.
    let n_inputs = 400;
    let latch = 2 * (n_inputs + 1);
    let mut parity = 2;
    let mut next = latch + 2;
    let mut gates = String::new();
    for input in (4..latch).step_by(2) {
        for (left, right) in [
            (parity, input),
            (parity + 1, input + 1),
            (next + 1, next + 3),
        ] {
            gates += &format!("{next} {left} {right}\n");
            next += 2;
        }
        parity = next - 2;
    }
    gates += &format!("{next} {parity} {latch}\n");
    let mut text = format!("aag {} {n_inputs} 1 0 {} 1\n", next / 2, (next - latch) / 2);
    for input in (2..latch).step_by(2) {
        text += &format!("{input}\n");
    }
    text += &format!("{latch} 1\n{next}\n{gates}");
    let file = folder.write("parity.aag", text.as_bytes());
    for (more, finder) in [(&[][..], "bmc"), (&["--no-first-steps"][..], "pdr")] {
        let ran = craig(&[&["check", &file, "--engine", "pdr", "--json"][..], more].concat());
        assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
        let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let property = &value["properties"][0];
        assert_eq!(property["certified"], true);
        assert_eq!(property["engine"], finder);
        assert_eq!(property["depth"], 1);
    }
}

/// Lemmas from one property are candidates for the next.
#[test]
fn lemmas_are_handed_on_between_properties() {
    let folder = Folder::new();
    // A token that an input moves around a ring of three latches. The bads: two of them have it at once.
    let file = folder.write(
        "token.aag",
        b"aag 15 1 3 0 11 2\n2\n4 15 1\n6 21\n8 27\n28\n30\n10 8 2\n12 4 3\n14 13 11\n16 4 2\n18 6 3\n\
          20 19 17\n22 6 2\n24 8 3\n26 25 23\n28 6 4\n30 8 6\n",
    );
    for engine in ["pdr", "portfolio"] {
        for skipped in [&["--no-preprocess"][..], &[]] {
            let arguments = ["check", &file, "-v", "--engine", engine];
            let ran = craig(&[&arguments[..], skipped].concat());
            assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
            // Another engine of the portfolio may have decided the first property first.
            if engine == "pdr" {
                assert!(
                    ran.stderr
                        .contains("b1: pdr: 3 of 3 suggested lemmas are inductive"),
                    "{}",
                    ran.stderr
                );
            }
        }
    }
}

#[test]
fn pdr_can_do_without_each_technique() {
    let techniques = [
        "joins",
        "parents",
        "invariants",
        "skip-untouched",
        "import",
        "shrink",
        "turns",
    ];
    for technique in techniques {
        for (name, code) in [("fifo_unsafe.aag", 10), ("arbiter_safe.aag", 20)] {
            let file = example(name);
            let mut arguments = vec!["check", &file, "--engine", "pdr", "--seed", "3"];
            arguments.extend(["--pdr-without", technique]);
            for how in ["plain", "counterexamples", "extended", "dynamic"] {
                let mut arguments = arguments.clone();
                arguments.extend(["--pdr-generalisation", how]);
                let ran = craig(&arguments);
                assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.stdout);
            }
        }
    }
    let ran = craig(&[
        "check",
        &example("fifo_safe.aag"),
        "--engine",
        "pdr",
        "--max-depth",
        "0",
    ]);
    assert_eq!(ran.code, Some(30), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("no frame up to number 0 is inductive"),
        "{}",
        ran.stdout
    );
}

#[test]
fn json_is_one_object_with_everything() {
    let folder = Folder::new();
    let witness = folder.path("w.aag");
    let ran = craig(&[
        "check",
        &example("several.aag"),
        "--json",
        "--witness",
        &witness,
    ]);
    assert_eq!(ran.code, Some(10));
    let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(value["verdict"], "unsafe");
    assert_eq!(value["exit_code"], 10);
    assert!(value["seconds"].is_f64());
    assert_eq!(value["file"], example("several.aag"));
    let properties = value["properties"].as_array().unwrap();
    assert_eq!(properties.len(), 4);
    let expected = ["safe", "unsafe", "unsafe", "safe"];
    for (index, (property, expected)) in properties.iter().zip(expected).enumerate() {
        assert_eq!(property["number"], index);
        assert_eq!(property["verdict"], expected);
        assert_eq!(property["certified"], true);
        assert!(property["reason"].is_null());
        assert!(property["engine"].is_string());
        assert!(property["depth"].is_u64());
        assert_eq!(
            property["files"][0],
            folder.path(&format!("w.b{index}.aag"))
        );
    }
    assert_eq!(
        folder.names(),
        ["w.aag", "w.b0.aag", "w.b1.aag", "w.b2.aag", "w.b3.aag"]
    );
    // The file without a number is about the whole circuit: here it is the first trace.
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    assert_eq!(read("w.aag"), read("w.b1.aag"));
    let ran = craig(&["check", &example("ring_safe.aag"), "--json", "--no-certify"]);
    let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(value["properties"][0]["certified"], false);
}

/// What follows the name of an engine is heeded as the option of this name is.
#[test]
fn options_behind_the_name_of_an_engine_bind_it() {
    let file = example("counter_unsafe.aag");
    for options in [
        &["--engine", "bmc:max-depth=1"][..],
        &["--engine", "bmc", "--max-depth", "1"],
    ] {
        let ran = craig(&[&["check", &file, "--only"][..], options].concat());
        assert_eq!(ran.code, Some(30), "{ran:?}");
        let first = ran.stdout.lines().next();
        assert_eq!(first, Some("UNKNOWN: no bad in the first 2 steps"));
    }
    let ran = craig(&["check", &file, "--engine", "bmc:max-depth=9", "--only"]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
}

#[test]
fn verbose_prints_events_to_standard_error() {
    let ran = craig(&[
        "check",
        &example("counter_unsafe.aag"),
        "-v",
        "--engine",
        "bmc",
    ]);
    assert!(
        ran.stderr.contains("bmc: no bad before step 9"),
        "{}",
        ran.stderr
    );
}

#[test]
fn input_that_is_at_fault_has_exit_code_2() {
    let folder = Folder::new();
    let table: &[(&[u8], &str)] = &[
        (b"", "expected an AIGER header"),
        (
            b"aag 1 1 0 1 0\n2\n",
            "the header claims entries that take at least 4 bytes, but only 2 follow it",
        ),
        (b"aag 3 1 0 1 2\n2\n4\n4 6 2\n6 5 2\n", "depends on itself"),
        (
            b"aag 1 1 0 0 0\n2\n",
            "there is nothing to check: no bads, no outputs and no justice properties",
        ),
    ];
    for (bytes, expected) in table {
        let file = folder.write("bad.aag", bytes);
        for ran in [
            craig(&["check", &file]),
            craig_with_input(&["check", "-"], bytes),
        ] {
            assert_eq!(ran.code, Some(2), "{expected}");
            assert!(ran.stdout.is_empty());
            assert!(
                ran.stderr.starts_with("error: ") && ran.stderr.contains(expected),
                "{}",
                ran.stderr
            );
            assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
        }
    }
    let missing = folder.path("missing.aag");
    assert_eq!(craig(&["check", &missing]).code, Some(2));
    assert_eq!(craig(&["check"]).code, Some(2));
    assert_eq!(
        craig(&["check", &example("several.aag"), "--engine", "none"]).code,
        Some(2)
    );
    let nowhere = folder.path("no/such/folder/w.aag");
    let ran = craig(&["check", &example("ring_safe.aag"), "--witness", &nowhere]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("can't be written"), "{}", ran.stderr);
}

/// Passes of the reduction are omitted and added by their names, and evidence is about the circuit of the
/// file.
#[test]
fn passes_are_chosen_by_name() {
    let folder = Folder::new();
    // A latch takes the conjunction of two inputs; the constraint: it has never been 1.
    let constrained = folder.write(
        "constrained.aag",
        b"aag 4 2 1 0 1 1 1\n2\n4\n6 8\n6\n7\n8 4 2\n",
    );
    for options in [
        "--skip-pass inputs",
        "--extra-pass folding",
        "--skip-pass inputs --extra-pass folding --skip-pass signals",
    ] {
        let words: Vec<&str> = options.split(' ').collect();
        for (file, code) in [
            (&constrained, 20),
            (&example("arbiter_safe.aag"), 20),
            (&example("ring_unsafe.aag"), 10),
        ] {
            // An engine with a name, since k-induction comes before the reduction.
            let begin = ["check", file, "-v", "--engine", "pdr"];
            let ran = craig(&[&begin[..], &words].concat());
            assert_eq!(
                ran.code,
                Some(code),
                "{options}: {}{}",
                ran.stdout,
                ran.stderr
            );
            let folds = options.contains("folding") && file == &constrained;
            assert_eq!(
                ran.stderr.contains("constraint folding"),
                folds,
                "{}",
                ran.stderr
            );
        }
    }
}

/// Options of the engines.
#[test]
fn options_of_engines_are_understood() {
    let safe = example("arbiter_safe.aag");
    let bad = example("ring_unsafe.aag");
    for (options, file, code) in [
        ("--engine bmc --bmc-stride doubling", &bad, 10),
        ("--engine bmc --bmc-stride 4 --bmc-fresh", &bad, 10),
        ("--engine bmc --simulate", &bad, 10),
        ("--engine sim", &bad, 10),
        ("--engine bdd --bdd-direction forward", &safe, 20),
        ("--engine bdd --bdd-direction backward", &safe, 20),
        ("--engine bdd --bdd-nodes 1", &safe, 30),
        ("--engine isb --no-strengthening", &safe, 20),
        ("--engine tra --tra-inner pdr", &safe, 20),
        ("--engine tra --tra-inner bdd --transform none", &safe, 20),
        ("--engine tra --system symmetric", &safe, 20),
        ("--engine tra --system inverse", &safe, 2),
        (
            "--engine imc --bound-growth one --reduction-rounds 0",
            &safe,
            20,
        ),
        ("--as-in tra", &safe, 20),
        ("--as-in imc --system inverse", &safe, 20),
        ("--as-in imc --engine imc", &safe, 2),
        ("--as-in impact", &safe, 2),
        ("--engine bmc --bmc-stride 0", &bad, 2),
    ] {
        let words: Vec<&str> = options.split(' ').collect();
        let ran = craig(&[&["check", file, "--no-preprocess", "-q"][..], &words].concat());
        assert_eq!(
            ran.code,
            Some(code),
            "{options}: {}{}",
            ran.stdout,
            ran.stderr
        );
    }
}

#[test]
fn the_competition_gets_what_it_asks_for() {
    let folder = Folder::new();
    for (name, code, word) in [
        ("several.aag", 10, "sat"),
        ("fifo_safe.aag", 20, "unsat"),
        ("ring_unsafe.aag", 10, "sat"),
    ] {
        let model = example(name);
        let (cex, cert) = (folder.path("cex"), folder.path("cert.aig"));
        let ran = craig(&["hwmcc", &model, &cex, &cert]);
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        assert_eq!(ran.stdout, format!("{word}\n"));
        let witness = if word == "sat" { cex } else { cert };
        let ran = craig(&["certify", &model, &witness]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        std::fs::remove_file(witness).unwrap();
        assert!(folder.names().is_empty(), "just one file");
    }
    let file = folder.write("hard.aig", &hard_circuit());
    let ran = craig(&[
        "hwmcc",
        &file,
        &folder.path("x"),
        &folder.path("y"),
        "--timeout",
        "0.3",
    ]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(30), ""));
    assert_eq!(folder.names(), ["hard.aig"]);
}
