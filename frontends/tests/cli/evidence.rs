//! Evidence: written by `check`, checked by `certify` and by an external checker, replayed by `simulate`.

use std::process::Command;

use crate::run::{Folder, PROVERS, craig, example, root};

#[test]
fn evidence_of_every_example_is_accepted() {
    let folder = Folder::new();
    // Where an external checker is available, it has to agree.
    let checker = std::env::var_os("CRAIG_CHECK_WITNESS");
    for (name, _) in crate::designs::all() {
        if name.ends_with(".cnf") {
            continue;
        }
        let model = example(name);
        let ran = craig(&[
            "check",
            &model,
            "--witness",
            &folder.path("w.aig"),
            "--json",
        ]);
        let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let properties = value["properties"].as_array().unwrap();
        for property in properties {
            let witness = property["files"][0].as_str().unwrap();
            let verdict = property["verdict"].as_str().unwrap();
            let kind = if property["class"] == "bad" { "b" } else { "j" };
            let number = format!("{kind}{}", property["number"]);
            let ran = craig(&["certify", &model, witness, "--property", &number]);
            assert_eq!(ran.code, Some(0), "{name}: {}{}", ran.stdout, ran.stderr);
            assert!(
                ran.stdout
                    .starts_with(&format!("valid {verdict} ({number}")),
                "{}",
                ran.stdout
            );
            if verdict == "unsafe" {
                let ran = craig(&["simulate", &model, witness]);
                assert_eq!(ran.code, Some(0), "{name}: {}", ran.stdout);
            }
            // The checker needs a proof of all bads of a circuit at once.
            if let Some(checker) = &checker
                && (verdict == "unsafe" || properties.len() == 1)
            {
                let output = Command::new("python3")
                    .arg(checker)
                    .args([&model, witness])
                    .output()
                    .unwrap();
                let text = String::from_utf8_lossy(&output.stdout);
                assert!(
                    text.starts_with(&format!("valid {verdict}")),
                    "{name}: {text}"
                );
            }
        }
    }
}

#[test]
fn evidence_for_something_else_is_refused() {
    let folder = Folder::new();
    let witness = folder.path("w.aag");
    let right = example("counter_unsafe.aag");
    assert_eq!(
        craig(&["check", &right, "--witness", &witness, "-q"]).code,
        Some(10)
    );
    assert_eq!(
        craig(&["certify", &right, &witness]).stdout,
        "valid unsafe (b0 at step 9)\n"
    );
    // These inputs do not reach another forbidden count.
    let ran = craig(&["certify", &example("counter_safe.aag"), &witness]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.starts_with("INVALID "), "{}", ran.stdout);
    assert_eq!(
        craig(&["simulate", &example("counter_safe.aag"), &witness]).code,
        Some(1)
    );
    // Inputs of another number.
    let ran = craig(&["certify", &example("arbiter_safe.aag"), &witness]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("line 3: expected 8 characters"),
        "{}",
        ran.stderr
    );

    let safe = example("counter_safe.aag");
    assert_eq!(
        craig(&["check", &safe, "--witness", &witness, "-q"]).code,
        Some(20)
    );
    assert_eq!(craig(&["certify", &safe, &witness]).stdout, "valid safe\n");
    let ran = craig(&["certify", &right, &witness]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stdout.contains("INVALID the certificate is wrong"),
        "{}",
        ran.stdout
    );
    assert_eq!(craig(&["simulate", &safe, &witness]).code, Some(2));
}

/// A proof of one property is not a proof of all.
#[test]
fn a_certificate_proves_the_property_that_it_is_for() {
    let folder = Folder::new();
    let (model, witness) = (example("several.aag"), folder.path("w.aig"));
    assert_eq!(
        craig(&[
            "check",
            &model,
            "--property",
            "0",
            "--witness",
            &witness,
            "-q"
        ])
        .code,
        Some(20)
    );
    assert_eq!(
        craig(&["certify", &model, &witness, "--property", "0"]).stdout,
        "valid safe (b0)\n"
    );
    assert_eq!(craig(&["certify", &model, &witness]).code, Some(1));
    assert_eq!(
        craig(&["certify", &model, &witness, "--property", "1"]).code,
        Some(1)
    );
    assert_eq!(
        craig(&["certify", &model, &witness, "--property", "9"]).code,
        Some(2)
    );
}

#[test]
fn a_replay_is_printed_by_names() {
    let folder = Folder::new();
    let (model, witness, vcd) = (
        example("handshake_unsafe.aag"),
        folder.path("w"),
        folder.path("w.vcd"),
    );
    assert_eq!(
        craig(&["check", &model, "--witness", &witness, "-q"]).code,
        Some(10)
    );
    let ran = craig(&["simulate", &model, &witness, "--vcd", &vcd]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("step 2\n  latches  work[0]="),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("  BAD request_lost\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.ends_with("request_lost is bad at step 2\n"),
        "{}",
        ran.stdout
    );
    let vcd = std::fs::read_to_string(vcd).unwrap();
    assert!(
        vcd.contains(" request $end") && vcd.contains("#2\n"),
        "{vcd}"
    );
}

/// Checkers without property numbers need one witness circuit for all bads, or a circuit with one bad.
#[test]
fn proofs_of_several_properties_are_written_together() {
    let folder = Folder::new();
    let (model, witness) = (folder.path("two.aag"), folder.path("w.aag"));
    // Two registers that stay 0, one that alternates; the bads are the third together with each of the
    // others.
    let text = "aag 5 0 3 0 2 2\n2 2\n4 4\n6 7\n8\n10\n8 2 6\n10 4 6\n";
    std::fs::write(&model, text).unwrap();
    let ran = craig(&["check", &model, "--engine", "imc", "--witness", &witness]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(folder.names(), ["two.aag", "w.aag", "w.b0.aag", "w.b1.aag"]);
    assert_eq!(craig(&["certify", &model, &witness]).stdout, "valid safe\n");
    let first = folder.path("w.b0.aag");
    assert_eq!(craig(&["certify", &model, &first]).code, Some(1));
    let alone = folder.path("one.aag");
    assert_eq!(
        craig(&["convert", &model, &alone, "--property", "0"]).code,
        Some(0)
    );
    assert_eq!(craig(&["certify", &alone, &first]).stdout, "valid safe\n");
    assert_eq!(
        craig(&["convert", &model, &alone, "--property", "2"]).code,
        Some(2)
    );
}

#[test]
fn converting_keeps_the_meaning() {
    let folder = Folder::new();
    for name in ["ring_safe.aag", "pipeline_unsafe.aig"] {
        let (binary, text) = (folder.path("c.aig"), folder.path("c.aag"));
        assert_eq!(craig(&["convert", &example(name), &binary]).code, Some(0));
        assert_eq!(craig(&["convert", &binary, &text]).code, Some(0));
        let original = std::fs::read(root().join("examples").join(name)).unwrap();
        let back = if name.ends_with("aag") {
            &text
        } else {
            &binary
        };
        assert_eq!(std::fs::read(back).unwrap(), original, "{name}");
    }
    let ran = craig(&["convert", &example("ring_safe.aag"), &folder.path("c.txt")]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("has to end in .aag or .aig"));
}

#[test]
fn completions_know_the_subcommands() {
    for shell in ["bash", "zsh", "fish"] {
        let ran = craig(&["completions", shell]);
        assert_eq!(ran.code, Some(0));
        assert!(
            ran.stdout.contains("simulate") && ran.stdout.contains("hwmcc"),
            "{shell}"
        );
    }
}

#[test]
fn the_manual_has_a_page_for_each_subcommand() {
    let folder = Folder::new();
    let ran = craig(&["manual", &folder.path("man")]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for (page, text) in [
        ("craig", "craig\\-check"),
        ("craig-check", "witness"),
        ("craig-itp", "system"),
    ] {
        let path = folder.path(&format!("man/{page}.1"));
        let shown = std::fs::read_to_string(path).unwrap();
        assert!(shown.starts_with(".ie") && shown.contains(text), "{shown}");
    }
}

/// A latch that starts at an input, and one that starts at the opposite and stays opposite, unless a second
/// input is set: the first bad, "both are equal", needs that input, the second needs it as a constraint, too.
const RESET_FUNCTIONS: &str = "\
aag 9 2 2 0 5 2
2
4
6 6 2
8 18 7
13
14
10 6 9
12 7 8
14 11 13
16 8 5
18 17 17
i0 start
";

/// Circuits with reset functions: the verdicts of all engines, their evidence, its replay, and the conversion.
#[test]
fn reset_functions_are_decided_and_certified() {
    let folder = Folder::new();
    let checker = std::env::var_os("CRAIG_CHECK_WITNESS");
    let safe = RESET_FUNCTIONS
        .replace("aag 9 2 2 0 5 2", "aag 7 2 2 0 3 1")
        .replace("8 18 7", "8 8 7")
        .replace("13\n14\n", "14\n")
        .replace("16 8 5\n18 17 17\n", "");
    let unsafe_ = RESET_FUNCTIONS
        .replace("5 2\n", "5 1\n")
        .replace("13\n14\n", "14\n");
    for (name, text, code) in [("safe", &safe, 20), ("unsafe", &unsafe_, 10)] {
        let model = folder.write(&format!("{name}.aag"), text.as_bytes());
        let binary = folder.path(&format!("{name}.aig"));
        let words = folder.path(&format!("{name}.btor2"));
        for other in [&binary, &words] {
            let ran = craig(&["convert", &model, other]);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        }
        for engine in PROVERS.into_iter().chain(["portfolio"]) {
            for (model, witness) in [(&model, "w.aag"), (&binary, "w.aig"), (&words, "w.btor2")] {
                let witness = folder.path(witness);
                for reduction in [&[][..], &["--no-preprocess"]] {
                    let mut arguments = vec!["check", model, "--witness", &witness];
                    arguments.extend(["--engine", engine]);
                    arguments.extend(reduction);
                    let ran = craig(&arguments);
                    assert_eq!(
                        ran.code,
                        Some(code),
                        "{engine}: {}{}",
                        ran.stdout,
                        ran.stderr
                    );
                    let ran = craig(&["certify", model, &witness]);
                    assert_eq!(ran.code, Some(0), "{engine}: {}{}", ran.stdout, ran.stderr);
                    if code == 10 {
                        let ran = craig(&["simulate", model, &witness]);
                        assert_eq!(ran.code, Some(0), "{engine}: {}", ran.stdout);
                    }
                    if let Some(checker) = &checker
                        && model != &words
                    {
                        let mut judge = Command::new("python3");
                        let output = judge.arg(checker).args([model, &witness]).output().unwrap();
                        let text = String::from_utf8_lossy(&output.stdout);
                        assert!(
                            text.starts_with(&format!("valid {name}")),
                            "{engine}: {text}"
                        );
                    }
                }
            }
        }
    }
}

/// A pipe without a reader delays the verdict until the time limit, or a signal, and no longer.
#[cfg(unix)]
#[test]
fn a_pipe_that_nobody_reads_does_not_hold_the_verdict_up() {
    let folder = Folder::new();
    let pipe = folder.path("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    for (name, code) in [("counter_unsafe.aag", 10), ("counter_safe.aag", 20)] {
        let begin = std::time::Instant::now();
        let ran = craig(&[
            "check",
            &example(name),
            "--witness",
            &pipe,
            "--timeout",
            "2",
        ]);
        assert_eq!(ran.code, Some(code), "{}{}", ran.stdout, ran.stderr);
        assert!(
            ran.stderr.contains("nobody reads the pipe"),
            "{}",
            ran.stderr
        );
        assert!(begin.elapsed().as_secs() < 10);
    }
    let mut child = crate::run::command();
    let mut child = child
        .args(["check", &example("counter_safe.aag"), "--witness", &pipe])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert!(child.try_wait().unwrap().is_none(), "it waits for a reader");
    let begin = std::time::Instant::now();
    crate::run::send("TERM", child.id());
    child.wait().unwrap();
    assert!(begin.elapsed().as_secs() < 5);
    // With a reader, the evidence arrives.
    let reader = Command::new("cat")
        .arg(&pipe)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let ran = craig(&["check", &example("counter_unsafe.aag"), "--witness", &pipe]);
    assert_eq!(ran.code, Some(10), "{}", ran.stderr);
    let read = reader.wait_with_output().unwrap().stdout;
    let witness = folder.write("w", &read);
    let ran = craig(&["certify", &example("counter_unsafe.aag"), &witness]);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
}
