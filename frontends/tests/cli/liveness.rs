//! Justice properties: verdicts, lassos and witness circuits, and evidence that is wrong.

use crate::run::{Folder, craig, root};
use std::process::Command;

/// j0: the phase and the tick both hold again and again (they can). j1: a tick before the first one (there is
/// one at most).
const MODEL: &[u8] =
    b"aag 5 1 2 0 2 0 0 2 0\n2\n4 5\n6 9\n2\n1\n4\n2\n10\n8 7 3\n10 7 2\ni0 tick\n\
    l0 phase\nl1 done\nj0 both\nj1 first\n";

#[test]
fn verdicts_are_per_property_with_evidence_that_checkers_accept() {
    let folder = Folder::new();
    let model = folder.write("model.aag", MODEL);
    let ran = craig(&["check", &model, "--witness", &folder.path("w.aag")]);
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(
        lines[0].starts_with("UNSAFE j0 (both): the justice property fails, in a loop from step ")
    );
    assert!(
        lines[2] == "SAFE j1 (first): the justice property holds",
        "{}",
        ran.stdout
    );
    assert_eq!(
        folder.names(),
        ["model.aag", "w.aag", "w.j0.aag", "w.j1.aag"]
    );
    for (number, expected) in [
        ("j0", "valid unsafe (j0 in the loop from step "),
        ("j1", "valid safe (j1"),
    ] {
        let witness = folder.path(&format!("w.{number}.aag"));
        let ran = craig(&["certify", &model, &witness, "--property", number]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.starts_with(expected), "{}", ran.stdout);
    }
    // A file of one property is what other checkers take.
    let single = folder.path("single.aag");
    assert_eq!(
        craig(&["convert", &model, &single, "--property", "j1"]).code,
        Some(0)
    );
    let witness = folder.path("single.aig");
    let ran = craig(&["check", &single, "--witness", &witness, "--json"]);
    assert_eq!(ran.code, Some(20), "{}", ran.stdout);
    let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let property = &value["properties"][0];
    assert_eq!(property["class"], "justice");
    assert_eq!(property["verdict"], "safe");
    assert_eq!(property["certified"], true);
    assert_eq!(craig(&["certify", &single, &witness]).code, Some(0));
    let checker = root().join("../shared/tools/check_witness.py");
    if let (Ok(_), true) = (which("cadical"), checker.exists()) {
        for (model, witness) in [(&single, &witness), (&model, &folder.path("w.j0.aag"))] {
            let output = Command::new("python3")
                .arg(&checker)
                .args([model, witness])
                .output()
                .unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(text.starts_with("valid "), "{text}");
        }
    }
}

fn which(name: &str) -> Result<(), ()> {
    let output = Command::new(name)
        .arg("--version")
        .output()
        .map_err(|_| ())?;
    output.status.success().then_some(()).ok_or(())
}

#[test]
fn each_method_can_be_named() {
    let folder = Folder::new();
    let model = folder.write("model.aag", MODEL);
    for (method, property, code) in [
        ("loops", "j0", 10),
        ("k-liveness", "j1", 20),
        ("to-safety", "j0", 10),
        ("to-safety", "j1", 20),
        ("shoals", "j0", 10),
        ("shoals", "j1", 20),
        ("skeletons", "j0", 10),
        ("skeletons", "j1", 20),
        ("levels", "j0", 10),
        ("levels", "j1", 20),
    ] {
        let ran = craig(&[
            "check",
            &model,
            "--liveness",
            method,
            "--property",
            property,
        ]);
        assert_eq!(
            ran.code,
            Some(code),
            "{method}: {}{}",
            ran.stdout,
            ran.stderr
        );
        assert!(
            ran.stdout.contains(&format!("engine {method}, ")) && ran.stdout.contains("certified")
        );
    }
    let imc = [
        "check",
        &model,
        "--liveness",
        "to-safety",
        "--engine",
        "imc",
        "--property",
        "j1",
    ];
    assert_eq!(craig(&imc).code, Some(20));
    let ran = craig(&["check", &model, "--liveness", "none"]);
    assert_eq!(ran.code, Some(2));
    let ran = craig(&["check", &model, "--property", "j2"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr
            .contains("there is no justice property 2: the circuit has 2"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_lasso_is_shown_as_stem_and_loop() {
    let folder = Folder::new();
    let model = folder.write("model.aag", MODEL);
    // The latch `done` repeats from step 1 on.
    let lasso = folder.write("lasso", b"1\nj0\n00\n1\n1\n0\n.\n");
    let vcd = folder.path("run.vcd");
    let ran = craig(&["simulate", &model, &lasso, "--vcd", &vcd]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let steps: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|line| line.starts_with("step"))
        .collect();
    assert_eq!(
        steps,
        [
            "step 0 of the stem",
            "step 1, where the loop starts",
            "step 2 of the loop"
        ]
    );
    assert!(
        ran.stdout.ends_with("both fails in the loop from step 1\n"),
        "{}",
        ran.stdout
    );
    let vcd = std::fs::read_to_string(vcd).unwrap();
    assert!(vcd.contains(" loop $end"), "{vcd}");
}

#[test]
fn wrong_evidence_is_refused() {
    let folder = Folder::new();
    let model = folder.write("model.aag", MODEL);
    let table: &[(&[u8], &str)] = &[
        // The phase differs at the end, and no state repeats.
        (
            b"1\nj0\n00\n1\n.\n",
            "no state is the one after the last step",
        ),
        // No tick in the loop.
        (
            b"1\nj0\n00\n1\n0\n0\n.\n",
            "literal 1 of the property does not hold in the loop",
        ),
        (
            b"1\nj0\n10\n1\n1\n.\n",
            "no state is the one after the last step",
        ),
        // The tick is open.
        (b"1\nj0\n00\n1\nx\n0\n.\n", "does not hold in the loop"),
        (
            b"1\nj1\n00\n1\n1\n0\n.\n",
            "literal 0 of the property does not hold in the loop",
        ),
    ];
    for (lasso, expected) in table {
        let lasso = folder.write("lasso", lasso);
        let ran = craig(&["certify", &model, &lasso]);
        assert_eq!(
            ran.code,
            Some(1),
            "{expected}: {}{}",
            ran.stdout,
            ran.stderr
        );
        assert!(
            ran.stdout.starts_with("INVALID") && ran.stdout.contains(expected),
            "{}",
            ran.stdout
        );
    }
    let witness = folder.path("w.aag");
    let ran = craig(&["check", &model, "--property", "j1", "--witness", &witness]);
    assert_eq!(ran.code, Some(20));
    let text = std::fs::read_to_string(&witness).unwrap();
    // For the property that fails it is no proof.
    let ran = craig(&["certify", &model, &witness, "--property", "j0"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    let ran = craig(&["certify", &model, &witness]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("expected `--property jN`"),
        "{}",
        ran.stderr
    );
    if let Some((circuit, _)) = text.split_once("INTERVENTION") {
        let witness = folder.write("none.aag", circuit.as_bytes());
        let ran = craig(&["certify", &model, &witness, "--property", "j1"]);
        assert_eq!(ran.code, Some(2));
        assert!(
            ran.stderr.contains("no values of a second state"),
            "{}",
            ran.stderr
        );
    } else {
        panic!("{text}");
    }
}

/// The interface of the competition decides a file with one justice property.
#[test]
fn hwmcc_decides_one_justice_property() {
    let folder = Folder::new();
    let model = folder.write("model.aag", MODEL);
    for (property, code, verdict) in [("j0", 10, "sat\n"), ("j1", 20, "unsat\n")] {
        let single = folder.path("single.aig");
        assert_eq!(
            craig(&["convert", &model, &single, "--property", property]).code,
            Some(0)
        );
        let (cex, cert) = (folder.path("cex"), folder.path("cert.aig"));
        let ran = craig(&["hwmcc", &single, &cex, &cert]);
        assert_eq!(
            (ran.code, &ran.stdout[..]),
            (Some(code), verdict),
            "{}",
            ran.stderr
        );
        let witness = if code == 10 { &cex } else { &cert };
        assert_eq!(craig(&["certify", &single, witness]).code, Some(0));
    }
    let ran = craig(&["hwmcc", &model, &folder.path("a"), &folder.path("b")]);
    assert_eq!(ran.code, Some(2));
}
