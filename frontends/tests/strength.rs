//! `craig strength` as a user runs it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// Four pigeons and three holes; that nobody shares the first hole is on the side of A.
fn pigeons() -> String {
    // Pigeon p sits in hole h if variable 3p + h + 1 holds.
    let var = |pigeon: usize, hole: usize| 3 * pigeon + hole + 1;
    let mut a = Vec::new();
    let mut b = Vec::new();
    for pigeon in 0..4 {
        let clause: Vec<String> = (0..3).map(|hole| var(pigeon, hole).to_string()).collect();
        a.push(format!("{} 0", clause.join(" ")));
    }
    for hole in 0..3 {
        for first in 0..4 {
            for second in first + 1..4 {
                let clause = format!("-{} -{} 0", var(first, hole), var(second, hole));
                if hole == 0 { &mut a } else { &mut b }.push(clause);
            }
        }
    }
    format!(
        "p cnf 12 {}\n{}\nc partition 1\n{}\n",
        a.len() + b.len(),
        a.join("\n"),
        b.join("\n")
    )
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("pigeons.cnf"), pigeons()).unwrap();
    let counter = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/counter_safe.aag");
    fs::copy(counter, folder.path().join("counter.aag")).unwrap();
    fs::write(folder.path().join("notes.txt"), "no problem\n").unwrap();
    folder
}

fn craig(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_craig"))
        .current_dir(folder)
        .arg("strength")
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn a_folder_is_studied_in_all_formats() {
    let folder = folder();
    let path = folder.path();
    let output = craig(
        path,
        &[".", "--json", "--seeds", "3", "--html", "study.html"],
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let files = json.as_array().unwrap();
    assert_eq!(files.len(), 2);
    for file in files {
        let interpolants = file["interpolants"].as_array().unwrap();
        // Seeds, transforms and labellings.
        assert_eq!(interpolants.len(), 3 * 3 * 5);
        assert!(
            interpolants
                .iter()
                .all(|entry| entry["validity"] == "valid")
        );
        // Known orders: within a proof, and of a raised proof to the plain one.
        let density = |index: usize| interpolants[index]["density"].as_f64().unwrap();
        for first in (0..45).step_by(5) {
            assert!(
                density(first) <= density(first + 1) && density(first + 1) <= density(first + 2)
            );
        }
        for seed in 0..3 {
            assert!(density(15 * seed + 5) <= density(15 * seed));
        }
    }
    let page = fs::read_to_string(path.join("study.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</body></html>\n"));
    assert_eq!(page.matches("<svg").count(), 4);
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
    assert!(
        !page.contains("http"),
        "the page needs nothing from elsewhere"
    );

    let csv = String::from_utf8(craig(path, &["pigeons.cnf", "--csv"]).stdout).unwrap();
    let columns = csv.lines().next().unwrap().matches(',').count();
    assert_eq!(csv.lines().count(), 1 + 2 * 3 * 5);
    assert!(csv.lines().all(|line| line.matches(',').count() == columns));

    let transforms = "none,raise-local,raise-local-shrink,recycle-pivots,recycle-units,lower-units,\
                      reduce,reduce-raise";
    let arguments = ["pigeons.cnf", "--transforms", transforms, "--random", "0"];
    let text = String::from_utf8(craig(path, &arguments).stdout).unwrap();
    assert_eq!(text.matches(" valid ").count(), 2 * 8 * 3);
    assert!(
        text.contains("that the inverse on 16 of 16 proofs"),
        "{text}"
    );
    assert!(text.contains("on 2 of 2 proofs"), "{text}");
}

#[test]
fn convergence_is_compared_inside_the_model_checker() {
    let folder = folder();
    let arguments = [
        "counter.aag",
        "--convergence",
        "--json",
        "--random",
        "0",
        "--html",
        "page.html",
    ];
    let output = craig(folder.path(), &arguments);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let runs = json[0]["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 16);
    for run in runs {
        assert_eq!(run["verdict"], "SAFE");
        let interpolants = run["interpolants"].as_array().unwrap();
        assert_eq!(
            interpolants.len(),
            usize::try_from(run["rounds"].as_u64().unwrap()).unwrap()
        );
        assert!(!interpolants.is_empty());
    }
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), 3);
    let text = craig(
        folder.path(),
        &["counter.aag", "--convergence", "--csv", "--random", "0"],
    )
    .stdout;
    let text = String::from_utf8(text).unwrap();
    assert_eq!(
        text.lines().filter(|line| line.starts_with("imc,")).count(),
        9
    );
}

#[test]
fn what_can_not_be_studied_is_said() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("open.cnf"), "p cnf 1 1\n1 0\n").unwrap();
    let output = craig(path, &["open.cnf"]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("no study: seed 0: the formula is satisfiable"),
        "{text}"
    );
    fs::create_dir(path.join("empty")).unwrap();
    fs::write(path.join("broken.cnf"), "p cnf 1 1\nc partition\n1 0\n").unwrap();
    for (arguments, part) in [
        (&["missing.cnf"][..], "missing.cnf: can't be read"),
        (&["empty"], "empty: has no"),
        (&["broken.cnf", "--html", "out.html"], "broken.cnf:2: "),
        (&["counter.aag", "--bound", "0"], "the bound has to lie"),
    ] {
        let output = craig(path, arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(part), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    assert!(!path.join("out.html").exists());
}
