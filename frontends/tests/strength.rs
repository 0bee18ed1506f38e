//! `craig strength` as a user runs it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// Pigeons and holes, one fewer; the clauses that no two pigeons share the first hole are in A.
fn pigeons(n_holes: usize) -> String {
    // Pigeon p sits in hole h if variable n_holes * p + h + 1 holds.
    let var = |pigeon: usize, hole: usize| n_holes * pigeon + hole + 1;
    let mut a = Vec::new();
    let mut b = Vec::new();
    for pigeon in 0..=n_holes {
        let clause: Vec<String> = (0..n_holes)
            .map(|hole| var(pigeon, hole).to_string())
            .collect();
        a.push(format!("{} 0", clause.join(" ")));
    }
    for hole in 0..n_holes {
        for first in 0..=n_holes {
            for second in first + 1..=n_holes {
                let clause = format!("-{} -{} 0", var(first, hole), var(second, hole));
                if hole == 0 { &mut a } else { &mut b }.push(clause);
            }
        }
    }
    format!(
        "p cnf {} {}\n{}\nc partition 1\n{}\n",
        n_holes * (n_holes + 1),
        a.len() + b.len(),
        a.join("\n"),
        b.join("\n")
    )
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("pigeons.cnf"), pigeons(3)).unwrap();
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
    let files = json["problems"].as_array().unwrap();
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
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</body>\n</html>\n"));
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
    let chains = "pigeons.cnf --transforms recycle-units+lower-units,reduce+raise-local --rounds 1 --random \
                  0 \
                  --systems mcmillan,inverse";
    let chains: Vec<&str> = chains.split_ascii_whitespace().collect();
    let chained = String::from_utf8(craig(path, &chains).stdout).unwrap();
    assert_eq!(chained.matches(" valid ").count(), 2 * 2 * 2);
    assert_eq!(chained.matches(" reduce+raise-local ").count(), 2 * (1 + 2));
    let others =
        "pigeons.cnf --transforms none --random 0 --proof-sensitive pss,ps,psw --clausewise";
    let others: Vec<&str> = others.split_ascii_whitespace().collect();
    let others = String::from_utf8(craig(path, &others).stdout).unwrap();
    assert_eq!(others.matches(" valid ").count(), 2 * (3 + 3 + 1));
    for name in [" pss ", " ps ", " psw ", " clausewise "] {
        assert!(others.matches(name).count() >= 2, "{name}: {others}");
    }
    let unknown = craig(path, &["pigeons.cnf", "--transforms", "reduce+nothing"]);
    assert_eq!(unknown.status.code(), Some(2));
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
    let runs = json["problems"][0]["runs"].as_array().unwrap();
    // Twelve of IMC, six of ISB, six of TRA.
    assert_eq!(runs.len(), 24);
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
    // The order, size against density, and curves for each engine.
    assert_eq!(page.matches("<svg").count(), 5);
    let text = craig(
        folder.path(),
        &["counter.aag", "--convergence", "--csv", "--random", "0"],
    )
    .stdout;
    let text = String::from_utf8(text).unwrap();
    assert_eq!(
        text.lines().filter(|line| line.starts_with("imc,")).count(),
        12
    );
}

#[test]
fn programs_are_studied_like_circuits() {
    let folder = folder();
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/in_step_safe.c");
    fs::copy(program, folder.path().join("program.c")).unwrap();
    let arguments = "program.c --bound 2 --cut 1 --seeds 1 --convergence --engines imc --json \
                     --derivations forward,recycle-pivots,recycle-units,lower-units,reduced-raised";
    let arguments: Vec<&str> = arguments.split_ascii_whitespace().collect();
    let output = craig(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let interpolants = json["problems"][0]["interpolants"].as_array().unwrap();
    assert_eq!(interpolants.len(), 3 * 5);
    for entry in interpolants {
        assert_eq!(entry["validity"], "valid");
    }
    let runs = json["problems"][0]["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 5 * 3);
    for run in runs {
        assert_eq!(run["verdict"], "SAFE", "{run}");
    }
}

#[test]
fn pairs_labellings_and_foreign_proofs_are_studied() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for (name, text) in [
        ("a.cnf", "p cnf 4 3\n1 0\n-1 2 0\n-1 3 0\n"),
        ("b.cnf", "p cnf 4 2\n-2 -3 -4 0\n4 0\n"),
        ("own.labels", "default b\n2 a\n"),
        ("other.labels", "default ab\n"),
        ("proof.lrat", "6 2 0 1 2 0\n7 3 0 1 3 0\n8 0 6 7 5 4 0\n"),
        (
            "proof.tc",
            "1 1 0 0\n2 -1 2 0 0\n3 -1 3 0 0\n4 -2 -3 -4 0 0\n5 4 0 0\n6 2 0 1 2 0\n7 3 0 1 3 0\n\
             8 0 4 5 6 7 0\n",
        ),
    ] {
        fs::write(path.join(name), text).unwrap();
    }
    let arguments = "--a a.cnf --b b.cnf --labelling own.labels --labelling other.labels \
                     --proof proof.lrat --proof proof.tc --seeds 1 --random 0 --simplify --json";
    let arguments: Vec<&str> = arguments.split_ascii_whitespace().collect();
    let output = craig(path, &arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["problems"][0]["file"], "a.cnf against b.cnf");
    let sources: Vec<&str> = (0..9)
        .map(|proof| {
            json["problems"][0]["proofs"][proof]["source"]
                .as_str()
                .unwrap()
        })
        .collect();
    let expected = ["proof.lrat", "proof.tc", "seed 0"]
        .map(|name| [name; 3])
        .concat();
    assert_eq!(sources, expected);
    let interpolants = json["problems"][0]["interpolants"].as_array().unwrap();
    // Proofs, transforms, and three classic systems with two files of labels.
    assert_eq!(interpolants.len(), 3 * 3 * 5);
    let of_file = |name: &str| {
        interpolants
            .iter()
            .filter(|entry| entry["labelling"] == name)
            .count()
    };
    assert_eq!([of_file("own.labels"), of_file("other.labels")], [9, 9]);
    for entry in interpolants {
        assert_eq!(entry["validity"], "valid");
        assert!(entry["simplified_ands"].as_u64() <= entry["ands"].as_u64());
    }
    // Only the given proofs.
    let none = craig(path, &["--a", "a.cnf", "--b", "b.cnf", "--seeds", "0"]);
    assert_eq!(none.status.code(), Some(2));
    let given = craig(
        path,
        &[
            "--a", "a.cnf", "--b", "b.cnf", "--seeds", "0", "--proof", "proof.tc",
        ],
    );
    assert_eq!(given.status.code(), Some(0), "{given:?}");
}

#[test]
fn limits_leave_what_was_found() {
    let folder = folder();
    let path = folder.path();
    // No engine decides that in seconds.
    fs::write(path.join("hard.cnf"), pigeons(13)).unwrap();
    let output = craig(
        path,
        &[
            "hard.cnf",
            "pigeons.cnf",
            "--problem-timeout",
            "0.2",
            "--conflicts",
            "100000000",
        ],
    );
    assert_eq!(output.status.code(), Some(30), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("no study: seed 1: the search was stopped"),
        "{text}"
    );
    // The next problem was begun, however far it came.
    assert!(text.contains("\npigeons.cnf\n"), "{text}");

    let arguments = [
        "pigeons.cnf",
        "hard.cnf",
        "counter.aag",
        "--timeout",
        "2",
        "--conflicts",
        "100000000",
        "--json",
    ];
    let output = craig(path, &arguments);
    assert_eq!(output.status.code(), Some(30), "{output:?}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["problems"].as_array().unwrap().len(), 3);
    assert_eq!(
        json["problems"][2]["error"],
        "not begun: the time limit was reached"
    );
    assert_eq!(json["problems"][2]["cut_short"], true);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.ends_with("\nstopped: the time limit was reached\n"),
        "{message}"
    );

    // An unreadable file does not affect the others.
    fs::write(path.join("broken.cnf"), "p cnf 1 1\nc partition\n1 0\n").unwrap();
    let output = craig(path, &["broken.cnf", "pigeons.cnf"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("no study: broken.cnf:2: "), "{text}");
    assert!(text.contains("on 6 of 6 proofs"), "{text}");
}

#[test]
fn what_can_not_be_studied_is_said() {
    let folder = folder();
    let path = folder.path();
    fs::write(
        path.join("open.cnf"),
        "p cnf 1 2\nc partition 0\n1 0\nc partition 1\n1 0\n",
    )
    .unwrap();
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
        (&["empty"], "empty: the folder has no"),
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
