//! `--record`: the refutations that engines for programs interpolate.

use std::collections::BTreeSet;

use crate::c_engines::LOCKED;
use crate::run::{Folder, craig, example};

/// Each refutation that is interpolated is a problem of its own, with a proof that another command interpolates.
#[test]
fn refutations_are_recorded() {
    let folder = Folder::new();
    let record = folder.path("record");
    let file = example("in_step_safe.c");
    let options = [
        "--engine", "impact", "--only", "--labels", "bits", "--record", &record,
    ];
    let ran = craig(&[&["check", &file][..], &options].concat());
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    let own = |name: &str| format!("{record}/00001/{name}");
    let (problem, proof) = (own("problem.cnf"), own("proof.lrat"));
    let ran = craig(&["itp", &problem, "--proof", &proof, "--sequence", "--verify"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let given = own("interpolants.aag");
    let check = |given: &str| {
        let files = ["itp", &problem, "--proof", &proof, "--check", given];
        craig(&[&files[..], &["--sequence"]].concat())
    };
    let ran = check(&given);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("verified by varisat"), "{}", ran.stdout);
    // Another file has the negation of the first one.
    let text = std::fs::read_to_string(&given).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let n_inputs: usize = lines[0].split(' ').nth(2).unwrap().parse().unwrap();
    let first: u32 = lines[1 + n_inputs].parse().unwrap();
    lines[1 + n_inputs] = (first ^ 1).to_string();
    let wrong = folder.write("wrong.aag", (lines.join("\n") + "\n").as_bytes());
    let ran = check(&wrong);
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("wrong.aag: "), "{}", ran.stderr);
    let text = std::fs::read_to_string(own("refinement.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["system"], "mcmillan", "{json}");
    let n_cuts = json["interpolants"].as_array().map_or(0, Vec::len);
    let formulas = std::fs::read_to_string(own("interpolants.smt2")).unwrap();
    assert_eq!(
        formulas.matches("(define-fun |interpolant_").count(),
        n_cuts
    );
    let ran = craig(&["check", &file, "--engine", "pdr", "--record", &record]);
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    let expected = "is for the engines impact, predabs, predabs-whole, rse and annotate";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}

/// What `predabs` and `annotate` interpolate is recorded, too: each record says of which kind it is, and is verified by another
/// derivation from its proof.
#[test]
fn refutations_of_other_kinds_are_recorded() {
    let folder = Folder::new();
    let file = folder.write("locked.c", LOCKED.as_bytes());
    for (engine, labels) in [
        ("predabs", "bits"),
        ("predabs", "words"),
        ("predabs-whole", "bits"),
        ("annotate", "bits"),
        ("annotate", "words"),
    ] {
        let record = folder.path(&format!("{engine}-{labels}"));
        let options = [
            "--engine", engine, "--only", "--labels", labels, "--record", &record,
        ];
        let own: &[&str] = match engine {
            "predabs" => &["--blocks", "basic", "--image", "approx"],
            "predabs-whole" => &["--blocks", "basic"],
            _ => &[],
        };
        let ran = craig(&[&["check", &file][..], &options[..], own].concat());
        assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
        let mut kinds = BTreeSet::new();
        for entry in std::fs::read_dir(&record).unwrap() {
            let own = |name: &str| {
                let path = entry.as_ref().unwrap().path().join(name);
                path.display().to_string()
            };
            let text = std::fs::read_to_string(own("refinement.json")).unwrap();
            let json: serde_json::Value = serde_json::from_str(&text).unwrap();
            let kind = json["kind"].as_str().unwrap().to_owned();
            let (problem, proof) = (own("problem.cnf"), own("proof.lrat"));
            let way = format!("--{kind}");
            let ran = craig(&["itp", &problem, "--proof", &proof, &way, "--verify"]);
            let given = own("interpolants.aag");
            let judged = craig(&["itp", &problem, "--proof", &proof, "--check", &given, &way]);
            // Also of an action that refutes itself, whose clauses are all in one part.
            for ran in [judged, ran] {
                assert_eq!(ran.code, Some(0), "{kind}: {}{}", ran.stdout, ran.stderr);
            }
            kinds.insert(kind);
        }
        assert!(kinds.contains("sequence"), "{engine}: {kinds:?}");
        assert_eq!(
            kinds.contains("symmetric"),
            engine.starts_with("predabs"),
            "{kinds:?}"
        );
    }
}
