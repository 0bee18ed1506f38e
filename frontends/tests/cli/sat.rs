//! `craig sat`.

use std::process::Stdio;
use std::time::Duration;

use craig_formula::dimacs;
use craig_solver::{Cnf, Lit};

use crate::run::{Folder, command, craig, craig_with_input, example};

fn read(text: &[u8]) -> Cnf {
    dimacs::read(&mut &text[..], "formula").unwrap()
}

/// Pigeon holes, too many for a resolution proof of reasonable length.
fn hard_formula() -> Vec<u8> {
    let (pigeons, holes) = (14, 13);
    let sits = |pigeon: i64, hole: i64| Lit::from_dimacs(pigeon * holes + hole + 1).unwrap();
    let mut cnf = Cnf::new();
    for pigeon in 0..pigeons {
        cnf.add_clause(
            &(0..holes)
                .map(|hole| sits(pigeon, hole))
                .collect::<Vec<_>>(),
        );
        for other in 0..pigeon {
            for hole in 0..holes {
                cnf.add_clause(&[!sits(pigeon, hole), !sits(other, hole)]);
            }
        }
    }
    let mut text = Vec::new();
    dimacs::write(&cnf, &mut text).unwrap();
    text
}

#[test]
fn models_satisfy_the_formula() {
    let ran = craig(&["sat", &example("pigeons_sat.cnf")]);
    assert_eq!(ran.code, Some(10));
    assert!(ran.stdout.contains("\ns SATISFIABLE\nv "), "{}", ran.stdout);
    let literals = ran
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("v "));
    let numbers: Vec<i64> = literals
        .flat_map(str::split_whitespace)
        .map(|word| word.parse().unwrap())
        .collect();
    assert_eq!(numbers.last(), Some(&0));
    let model: Vec<bool> = numbers[..numbers.len() - 1]
        .iter()
        .map(|&number| number > 0)
        .collect();
    let formula = read(&std::fs::read(example("pigeons_sat.cnf")).unwrap());
    assert!(formula.is_satisfied_by(&model));
    assert!(ran.stdout.lines().all(|line| line.len() <= 78));
}

#[test]
fn formulas_come_from_pipes_and_compressed() {
    let text = std::fs::read(example("pigeons_unsat.cnf")).unwrap();
    assert_eq!(craig_with_input(&["sat", "-"], &text).code, Some(20));
    let quiet = craig_with_input(&["sat", "-q"], &text);
    assert_eq!(quiet.code, Some(20));
    assert_eq!(quiet.stdout, "s UNSATISFIABLE\n", "no comments");
    let folder = Folder::new();
    let file = folder.write("f.cnf", &text);
    assert!(
        std::process::Command::new("gzip")
            .arg(&file)
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(craig(&["sat", &folder.path("f.cnf.gz")]).code, Some(20));
}

#[test]
fn proofs_are_written_in_every_format() {
    let folder = Folder::new();
    let formula = example("pigeons_unsat.cnf");
    for (format, binary) in [
        ("drat", false),
        ("drat", true),
        ("lrat", false),
        ("lrat", true),
        ("tracecheck", false),
    ] {
        let proof = folder.path("proof");
        let mut arguments = vec!["sat", &formula, "--proof", &proof, "--proof-format", format];
        arguments.extend(binary.then_some("--binary"));
        let ran = craig(&arguments);
        assert_eq!(ran.code, Some(20), "{}", ran.stderr);
        assert!(ran.stdout.ends_with("s UNSATISFIABLE\n"));
        let bytes = std::fs::read(&proof).unwrap();
        assert!(!bytes.is_empty());
        assert_eq!(
            bytes.iter().all(u8::is_ascii),
            !binary || bytes.is_ascii(),
            "{format}"
        );
        assert_eq!(folder.names(), ["proof"]);
        std::fs::remove_file(proof).unwrap();
    }
    let ran = craig(&[
        "sat",
        &formula,
        "--proof",
        &folder.path("p"),
        "--proof-format",
        "tracecheck",
        "--binary",
    ]);
    assert_eq!(ran.code, Some(2));
    // A satisfiable formula has no proof.
    let ran = craig(&[
        "sat",
        &example("pigeons_sat.cnf"),
        "--proof",
        &folder.path("p"),
    ]);
    assert_eq!(ran.code, Some(10));
    assert!(folder.names().is_empty());
}

#[test]
fn the_core_is_an_unsatisfiable_part() {
    let folder = Folder::new();
    let original = String::from_utf8(std::fs::read(example("pigeons_unsat.cnf")).unwrap()).unwrap();
    let mut lines: Vec<&str> = original.lines().skip(1).collect();
    let header = format!("p cnf 22 {}", lines.len() + 2);
    lines.insert(0, &header);
    // Two clauses about other variables, which no refutation needs.
    lines.extend(["21 22 0", "-21 22 0"]);
    let file = folder.write("f.cnf", lines.join("\n").as_bytes());
    let core = folder.path("core.cnf");
    assert_eq!(craig(&["sat", &file, "--core", &core]).code, Some(20));
    assert_eq!(craig(&["sat", &core]).code, Some(20));
    let core = std::fs::read_to_string(core).unwrap();
    assert!(
        core.lines()
            .skip(1)
            .all(|line| original.lines().any(|other| other == line))
    );
}

#[test]
fn the_search_is_checked_step_by_step() {
    let ran = craig(&["sat", &example("pigeons_unsat.cnf"), "--check"]);
    assert_eq!(ran.code, Some(20), "{}", ran.stderr);
    let line = (ran.stdout.lines())
        .find_map(|line| line.strip_prefix("c every step of the proof was accepted: "))
        .expect("the number of steps is told");
    assert!(line.parse::<u64>().expect("a number") > 0);
    let ran = craig(&["sat", &example("pigeons_sat.cnf"), "--check"]);
    assert_eq!(ran.code, Some(10), "{}", ran.stderr);
    let ran = craig(&["sat", &example("pigeons_sat.cnf"), "--check", "--core", "c"]);
    assert_eq!(ran.code, Some(2));
}

#[test]
fn several_threads_give_one_proof() {
    let folder = Folder::new();
    let formula = example("pigeons_unsat.cnf");
    let write = |name: &str| {
        let proof = folder.path(name);
        let ran = craig(&[
            "sat",
            &formula,
            "--threads",
            "3",
            "--deterministic",
            "--proof",
            &proof,
            "--proof-format",
            "lrat",
            "--stats",
        ]);
        assert_eq!(ran.code, Some(20), "{}", ran.stderr);
        assert_eq!(ran.stdout.matches("c search ").count(), 3);
        assert_eq!(ran.stdout.matches(", winner").count(), 1);
        std::fs::read(proof).unwrap()
    };
    let proof = write("first");
    assert!(!proof.is_empty() && proof == write("second"));
    let cnf = read(&std::fs::read(&formula).unwrap());
    assert!(craig_solver::proof::import::check_lrat(&cnf, &proof[..]).unwrap() > 0);
    for more in [
        &["--check"][..],
        &["--core", "core"],
        &["--trim", "trimmed"],
    ] {
        let mut arguments = vec!["sat".to_owned(), formula.clone(), "--threads=2".to_owned()];
        arguments.extend(more.iter().enumerate().map(|(index, word)| match index {
            0 => (*word).to_owned(),
            _ => folder.path(word),
        }));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        assert_eq!(craig(&arguments).code, Some(20), "{more:?}");
    }
    let core = read(&std::fs::read(folder.path("core")).unwrap());
    assert!(core.n_clauses() > 0 && core.n_clauses() <= cnf.n_clauses());
    let sat = example("pigeons_sat.cnf");
    assert_eq!(craig(&["sat", &sat, "--threads", "2"]).code, Some(10));
    assert_eq!(craig(&["sat", &sat, "--threads", "0"]).code, Some(2));
    assert_eq!(craig(&["sat", &sat, "--deterministic"]).code, Some(2));
}

/// A trimmed proof omits clauses that no refutation needs, whatever the format.
#[test]
fn cubes_are_written_and_refuted() {
    let folder = Folder::new();
    let formula = example("pigeons_unsat.cnf");
    let [proof, cubes] = ["proof", "cubes"].map(|name| folder.path(name));
    let ran = craig(&[
        "sat",
        &formula,
        "--cubes=8",
        "--cube-conflicts=100",
        "--threads=2",
        "--stats",
        "--proof",
        &proof,
        "--proof-format=lrat",
    ]);
    assert_eq!(ran.code, Some(20), "{}", ran.stderr);
    assert!(ran.stdout.contains("c cubes at first"), "{}", ran.stdout);
    let proof = std::fs::read(proof).unwrap();
    let cnf = read(&std::fs::read(&formula).unwrap());
    assert!(craig_solver::proof::import::check_lrat(&cnf, &proof[..]).unwrap() > 0);
    assert_eq!(
        craig(&["sat", &formula, "--cubes", "--check"]).code,
        Some(20)
    );
    let model = craig(&["sat", &example("pigeons_sat.cnf"), "--cubes"]);
    assert_eq!(model.code, Some(10));

    let written = craig(&["sat", &formula, "--cubes=8", "--cubes-only", &cubes]);
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    assert!(
        written.stdout.contains("c cubes: 8\n"),
        "{}",
        written.stdout
    );
    let text = std::fs::read_to_string(&cubes).unwrap();
    assert!(text.starts_with("p inccnf\n"));
    assert_eq!(
        text.lines().filter(|line| line.starts_with("a ")).count(),
        8
    );
    assert_eq!(text.lines().count(), 1 + cnf.n_clauses() + 8);
    // Each cube is refuted, so the formula is.
    let all = craig(&["sat", &cubes, "--check", "--quiet"]);
    assert_eq!(all.code, Some(20), "{}", all.stderr);
    assert_eq!(all.stdout.matches("s UNSATISFIABLE\n").count(), 8);
    for refused in [
        &["--cubes", "--enumerate"][..],
        &["--cubes", "--verbose"],
        &["--cubes=0"],
        &["--cube-conflicts=9"],
        &["--cubes-only=file"],
    ] {
        let arguments = [&["sat", &formula][..], refused].concat();
        assert_eq!(craig(&arguments).code, Some(2), "{refused:?}");
    }
}

#[test]
fn the_trimmed_proof_is_a_proof() {
    let folder = Folder::new();
    let formula = example("pigeons_unsat.cnf");
    let text = std::fs::read_to_string(&formula).unwrap();
    let n_clauses = text.lines().filter(|line| line.ends_with(" 0")).count();
    for format in ["drat", "lrat", "tracecheck"] {
        let trimmed = folder.path(format);
        let arguments = [
            "sat",
            &formula,
            "--trim",
            &trimmed,
            "--proof-format",
            format,
        ];
        let ran = craig(&arguments);
        assert_eq!(ran.code, Some(20), "{}", ran.stderr);
        let trimmed = std::fs::read_to_string(trimmed).unwrap();
        // The empty clause is the last addition: nothing after it is needed.
        let additions: Vec<&str> = (trimmed.lines())
            .filter(|line| !line.split(' ').take(2).any(|word| word == "d"))
            .collect();
        let last = additions.last().expect("there is a derivation");
        match format {
            "drat" => assert_eq!(*last, "0"),
            "lrat" => {
                let number = n_clauses + additions.len();
                assert!(last.starts_with(&format!("{number} 0 ")), "{last}");
            }
            _ => assert!(last.split(' ').nth(1) == Some("0"), "{last}"),
        }
    }
    let trimmed = folder.path("lrat");
    let ran = craig(&["sat", &formula, "--trim", &trimmed, "--proof", "p"]);
    assert_eq!(ran.code, Some(2));
}

#[test]
fn malformed_formulas_get_line_and_column() {
    let ran = craig_with_input(&["sat", "-"], b"p cnf 2 1\n1 x 0\n");
    assert_eq!(ran.code, Some(2));
    assert_eq!(
        ran.stderr,
        "error: -:2:3: expected a literal or 0 but found \"x\"\n"
    );
    assert_eq!(craig(&["sat", "/no/such/file"]).code, Some(2));
}

#[test]
fn limits_and_signals_end_the_search() {
    let folder = Folder::new();
    let file = folder.write("hard.cnf", &hard_formula());
    let proof = folder.path("proof");
    let ran = craig(&["sat", &file, "--time", "0.3", "--proof", &proof, "--stats"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout
            .ends_with("c the time limit was reached\ns UNKNOWN\n"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("c conflicts"));
    assert_eq!(
        folder.names(),
        ["hard.cnf"],
        "a proof that is not one stays away"
    );
    let child = command()
        .args(["sat", &file])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(300));
    crate::run::send("INT", child.id());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .ends_with("c it was interrupted\ns UNKNOWN\n")
    );
}

/// What follows a prefix in the lines of the output.
fn after<'o>(output: &'o str, prefix: &str) -> Vec<&'o str> {
    let lines = output.lines();
    lines.filter_map(|line| line.strip_prefix(prefix)).collect()
}

#[test]
fn options_are_set_by_name() {
    let formula = example("pigeons_unsat.cnf");
    let set = ["--set", "vivify=false", "--set", "probe=false", "--unsat"];
    let ran = craig(&[&["sat", &formula, "--seed", "7"], &set[..]].concat());
    assert_eq!(ran.code, Some(20), "{}", ran.stderr);
    let ran = craig(&["sat", "--set", "help"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stdout.contains("vivify=true (false..=true)"));
    for (wrong, expected) in [
        (
            "nothing=1",
            "there is no option nothing; expected one of seed, ",
        ),
        ("vivify=2", "with a value of false..=true"),
        ("vivify", "expected vivify=VALUE"),
    ] {
        let ran = craig(&["sat", &formula, "--set", wrong]);
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1);
    }
    // Options are not ignored: this one decides whether a limit is reached.
    let run = |conflicts: &str| craig(&["sat", &formula, "--conflicts", conflicts]);
    assert_eq!(run("1000000").code, Some(20));
    let ran = run("1");
    assert_eq!(ran.code, Some(0));
    assert!(
        (ran.stdout).ends_with("c the limit on conflicts was reached\ns UNKNOWN\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn assumptions_fail_together() {
    let text = b"p cnf 5 3\n-1 -2 0\n-1 3 0\n4 2 0\n";
    let ran = craig_with_input(&["sat", "-", "--assume", "3 1 -4 5"], text);
    assert_eq!(ran.code, Some(20), "{}", ran.stderr);
    let failed = after(&ran.stdout, "c failed assumptions: ")[0];
    let mut failed: Vec<i64> = failed
        .split(' ')
        .map(|word| word.parse().unwrap())
        .collect();
    failed.sort_unstable();
    assert_eq!(failed, [-4, 1]);
    // Of these no clause has the last one.
    let ran = craig_with_input(&["sat", "-", "--assume", "-4, 5", "--check"], text);
    assert_eq!(ran.code, Some(10), "{}", ran.stderr);
    assert!(ran.stdout.contains("v -1 2 ") && ran.stdout.contains(" -4 5 0\n"));
    let ran = craig_with_input(
        &["sat", "-", "--assume", "3 1 -4 5", "--threads=2", "--check"],
        text,
    );
    assert_eq!(ran.code, Some(20), "{}", ran.stderr);
    assert_eq!(after(&ran.stdout, "c every step of the proof was").len(), 1);
    assert_eq!(after(&ran.stdout, "c failed assumptions: ").len(), 1);
    let ran = craig_with_input(&["sat", "-", "--assume", "-4, 5", "--threads=2"], text);
    assert_eq!(ran.code, Some(10), "{}", ran.stderr);
    assert!(ran.stdout.contains("v -1 2 ") && ran.stdout.contains(" -4 5 0\n"));
    for wrong in ["1 6", "0", "x"] {
        let ran = craig_with_input(&["sat", "-", "--assume", wrong], text);
        assert_eq!(ran.code, Some(2), "{wrong}");
        assert!(ran.stderr.starts_with("error: --assume: "));
    }
}

#[test]
fn models_are_enumerated() {
    let text = b"p cnf 4 2\n1 2 0\n-1 -2 0\n";
    let ran = craig_with_input(&["sat", "-", "--enumerate"], text);
    assert_eq!(ran.code, Some(10), "{}", ran.stderr);
    let mut models = after(&ran.stdout, "v ");
    models.sort_unstable();
    models.dedup();
    assert_eq!(models.len(), 8);
    assert!(
        ran.stdout
            .ends_with("c models: 8, all of them\ns SATISFIABLE\n")
    );
    let ran = craig_with_input(&["sat", "-", "--enumerate", "--project", "2,3"], text);
    assert_eq!(after(&ran.stdout, "v ").len(), 4);
    let ran = craig_with_input(&["sat", "-", "--enumerate=3", "--assume", "1"], text);
    assert_eq!(after(&ran.stdout, "v 1 -2 ").len(), 3);
    assert!(ran.stdout.contains("c models: 3, there may be others\n"));
    let ran = craig_with_input(&["sat", "-", "--enumerate", "--assume", "1 2"], text);
    assert_eq!(ran.code, Some(20));
    assert!(
        ran.stdout
            .ends_with("c models: 0, all of them\ns UNSATISFIABLE\n")
    );
    let ran = craig_with_input(&["sat", "-", "--project", "2"], text);
    assert_eq!(ran.code, Some(2));
}

#[test]
fn a_minimal_core_has_no_clause_that_can_go() {
    let folder = Folder::new();
    // The last two clauses and the first two contradict each other, each pair with the one in between.
    let text = b"p cnf 3 5\n1 2 0\n1 -2 0\n-1 0\n-1 3 0\n1 -3 0\n";
    let file = folder.write("f.cnf", text);
    let core = folder.path("core.cnf");
    let ran = craig(&["sat", &file, "--core", &core, "--minimal"]);
    assert_eq!(ran.code, Some(20), "{}", ran.stderr);
    assert!(ran.stdout.contains("c the core is minimal\n"));
    let core = read(&std::fs::read(core).unwrap());
    for left_out in 0..core.n_clauses() {
        let mut rest = Cnf::new();
        for (index, (clause, _)) in core.iter().enumerate() {
            if index != left_out {
                rest.add_clause(clause);
            }
        }
        let mut text = Vec::new();
        dimacs::write(&rest, &mut text).unwrap();
        assert_eq!(craig_with_input(&["sat", "-"], &text).code, Some(10));
    }
    assert_eq!(craig(&["sat", &file, "--minimal"]).code, Some(2));
}

#[test]
fn progress_is_told_in_columns() {
    let folder = Folder::new();
    let file = folder.write("hard.cnf", &hard_formula());
    let ran = craig(&["sat", &file, "-v", "--conflicts", "2000"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let heading = ran
        .stdout
        .lines()
        .position(|line| line.contains(" conflicts "));
    let heading = heading.expect("columns have names");
    let line = ran.stdout.lines().nth(heading + 2).unwrap();
    assert_eq!(line.split_whitespace().count(), 10, "{line}");
    assert!(ran.stdout.ends_with("s UNKNOWN\n"));
}

#[test]
fn calls_between_clauses_have_an_answer_each() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("calls.icnf");
    let file = path.display().to_string();
    std::fs::write(
        &path,
        "p inccnf\n1 2 0\na -1 0\na -1 -2 0\n-1 0\n-2 0\na 0\n",
    )
    .unwrap();
    let ran = craig(&["sat", &file, "--check"]);
    assert_eq!(ran.code, Some(10), "{}", ran.stderr);
    let answers = "c call 1: assume -1\ns SATISFIABLE\nv -1 2 0\nc call 2: assume -1 -2\n";
    assert!(ran.stdout.contains(answers), "{}", ran.stdout);
    let last = "c call 3: assume\nc failed assumptions:\ns UNSATISFIABLE\nc every step";
    assert!(ran.stdout.contains(last), "{}", ran.stdout);
    let json: serde_json::Value =
        serde_json::from_str(&craig(&["sat", &file, "--json"]).stdout).unwrap();
    assert_eq!(json["calls"], 3);
    assert_eq!(json["results"][0]["model"], serde_json::json!([-1, 2]));
    assert_eq!(json["results"][2]["verdict"], "unsatisfiable");
    // No conflict is allowed: there is no answer.
    let hard = directory.path().join("hard.icnf").display().to_string();
    let formula = example("pigeons_unsat.cnf");
    let text = std::fs::read_to_string(formula).unwrap();
    let clauses = text.lines().filter(|line| !line.starts_with(['p', 'c']));
    let clauses: String = clauses.map(|line| format!("{line}\n")).collect();
    std::fs::write(&hard, format!("p inccnf\n{clauses}a 0\na 1 0\n")).unwrap();
    let open = craig(&["sat", &hard, "--conflicts=1"]);
    assert_eq!(open.code, Some(0), "{}", open.stdout);
    assert!(
        open.stdout.contains("open calls: 2\ns UNKNOWN\n"),
        "{}",
        open.stdout
    );
    for refused in [
        "--proof=refused.proof",
        "--core=refused.core",
        "--trim=refused.trim",
        "--threads=2",
        "--cubes",
        "--assume=1",
        "--enumerate",
        "--stats",
        "-v",
    ] {
        let ran = craig(&["sat", &file, refused]);
        assert_eq!(ran.code, Some(2), "{refused}");
        assert!(ran.stderr.contains("p inccnf"), "{refused}: {}", ran.stderr);
    }
    for (text, place) in [
        ("p inccnf\n1 0\n", ":3:1: "),
        ("p inccnf\na 1", ":2:4: "),
        ("p inccnf\nab 1 0\n", ":2:1: "),
    ] {
        std::fs::write(&path, text).unwrap();
        let ran = craig(&["sat", &file]);
        assert_eq!(ran.code, Some(2), "{text}");
        assert!(ran.stderr.contains(place), "{}", ran.stderr);
    }
}
