//! `craig itp` as a user runs it.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// p; p -> x; p -> y against: not (x and y and z); z.
const A: &str = "p cnf 4 3\n1 0\n-1 2 0\n-1 3 0\n";
const B: &str = "p cnf 4 2\n-2 -3 -4 0\n4 0\n";
/// The clauses of A and B in four partitions.
const PARTS: &str = "p cnf 4 5\nc partition 0\n1 0\nc partition 1\n-1 2 0\n-1 3 0\nc partition 2\n-2 -3 -4 0\n\
                     c partition 3\n4 0\n";
/// A three-bit ring with one token; the bad is that two bits are set.
const RING: &str = "aag 4 0 3 0 1 1\n2 6 1\n4 2\n6 4\n8\n8 2 4\ni0 x\n";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let ring = RING.replace("i0 x\n", "l0 first\nl1 second\n");
    for (name, text) in [
        ("a.cnf", A),
        ("b.cnf", B),
        ("parts.cnf", PARTS),
        ("ring.aag", ring.as_str()),
        ("literal.labels", "lit -2 a\nclause 1 1 b\n"),
        ("undivided.cnf", "p cnf 1 2\n1 0\n-1 0\n"),
        (
            "consistent.cnf",
            "p cnf 1 2\nc partition 0\n1 0\nc partition 1\n1 0\n",
        ),
        ("weak.labels", "default a\n"),
        ("mixed.labels", "c mixed\ndefault b\n2 ab\ncut 1 3 ab\n"),
        ("broken.labels", "default b\n2 c\n"),
        // Derived manually: x, y and then the conflict.
        ("proof.lrat", "6 2 0 1 2 0\n7 3 0 1 3 0\n8 0 6 7 5 4 0\n"),
        (
            "proof.tc",
            "1 1 0 0\n2 -1 2 0 0\n3 -1 3 0 0\n4 -2 -3 -4 0 0\n5 4 0 0\n6 2 0 1 2 0\n7 3 0 1 3 0\n\
             8 0 4 5 6 7 0\n",
        ),
        ("broken.lrat", "6 2 0 1 2 0\n7 0 9 0\n"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let proof = fs::read(folder.path().join("proof.tc")).unwrap();
    let mut packed = Vec::new();
    let mut packer = flate2::read::GzEncoder::new(&proof[..], flate2::Compression::default());
    packer.read_to_end(&mut packed).unwrap();
    fs::write(folder.path().join("proof.tc.gz"), packed).unwrap();
    folder
}

/// Options that choose the labels, so that `--system` does not.
const CHOOSING: [&str; 4] = [
    "--random",
    "--labelling",
    "--proof-sensitive",
    "--clausewise",
];

fn craig(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_craig"))
        .current_dir(folder)
        .arg("itp")
        .args(arguments)
        .output()
        .unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> serde_json::Value {
    let output = craig(folder, &[arguments, &["--json", "--verify"]].concat());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn n_interpolants(value: &serde_json::Value) -> usize {
    assert_eq!(value["verified"], true);
    value["interpolants"].as_array().unwrap().len()
}

#[test]
fn every_input_and_shape_is_interpolated_and_verified() {
    let folder = folder();
    let path = folder.path();
    for (arguments, expected) in [
        (&["--a", "a.cnf", "--b", "b.cnf"][..], 1),
        (&["parts.cnf", "--cut", "2"], 1),
        (&["parts.cnf", "--sequence"], 3),
        (&["parts.cnf", "--symmetric"], 4),
        (&["parts.cnf", "--tree", "2,2,-,2"], 4),
        (&["parts.cnf", "--tree", "1,2,3,-"], 4),
        (&["parts.cnf", "--proof", "proof.lrat", "--sequence"], 3),
        (&["parts.cnf", "--proof", "proof.tc", "--symmetric"], 4),
        (&["parts.cnf", "--proof", "proof.tc.gz", "--cut", "1"], 1),
        (&["parts.cnf", "--random", "5", "--sequence"], 3),
        (&["parts.cnf", "--random", "5", "--symmetric"], 4),
        (&["parts.cnf", "--random", "5", "--tree", "1,2,3,-"], 4),
        (&["parts.cnf", "--proof-sensitive", "ps", "--sequence"], 3),
        (&["parts.cnf", "--proof-sensitive", "pss", "--symmetric"], 4),
        (&["parts.cnf", "--clausewise", "--sequence"], 3),
        (
            &[
                "parts.cnf",
                "--transform",
                "lower-univalents,merge-equal,rewrite-local,raise-local-b",
            ],
            1,
        ),
        (
            &["parts.cnf", "--labelling", "mixed.labels", "--symmetric"],
            4,
        ),
        (&["parts.cnf", "--seed", "9", "--compact"], 1),
        (&["parts.cnf", "--sequence", "--simplify"], 3),
        (&["parts.cnf", "--symmetric", "--simplify", "--compact"], 4),
        (&["parts.cnf", "--tree", "2,2,-,2", "--simplify"], 4),
        (&["ring.aag", "--bound", "4", "--cut", "2", "--simplify"], 1),
        (
            &[
                "parts.cnf",
                "--cut",
                "1",
                "--transform",
                "reduce,raise-local",
            ],
            1,
        ),
        (
            &[
                "parts.cnf",
                "--tree",
                "1,2,3,-",
                "--transform",
                "recycle-pivots",
            ],
            4,
        ),
        (&["ring.aag", "--bound", "4", "--cut", "1"], 1),
        (&["ring.aag", "--bound", "4", "--sequence"], 4),
    ] {
        for system in ["mcmillan", "symmetric", "inverse"] {
            let chooses = arguments.iter().any(|word| CHOOSING.contains(word));
            let joint = arguments
                .iter()
                .any(|word| ["--symmetric", "--tree"].contains(word));
            if system == "inverse" && joint || system != "mcmillan" && chooses {
                continue;
            }
            let system: &[&str] = if chooses { &[] } else { &["--system", system] };
            let value = json(path, &[arguments, system].concat());
            assert_eq!(n_interpolants(&value), expected, "{arguments:?}");
        }
    }
}

#[test]
fn a_program_is_interpolated_step_by_step() {
    let folder = folder();
    let path = folder.path();
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/in_step_safe.c");
    fs::copy(program, path.join("program.c")).unwrap();
    for (arguments, expected) in [
        (&["--cut", "2"][..], 1),
        (&["--sequence", "--system", "inverse", "--simplify"], 4),
        (&["--symmetric", "--system", "symmetric", "--compact"], 5),
        (&["--tree", "1,2,3,4,-", "--data-model", "ilp32"], 5),
    ] {
        let arguments = [&["program.c", "--bound", "4"], arguments].concat();
        assert_eq!(n_interpolants(&json(path, &arguments)), expected);
    }
    // The interpolant is over the program's variables at the cut.
    let to_stdout = "program.c --bound 3 --cut 1 --format smt2 -o -";
    let words: Vec<&str> = to_stdout.split_ascii_whitespace().collect();
    let text = String::from_utf8(craig(path, &words).stdout).unwrap();
    assert!(
        text.contains("|x[7]@2|") && text.contains("|y[0]@2|"),
        "{text}"
    );

    for (name, text, part) in [
        ("open.c", "int main(void) { return", "open.c:1"),
        (
            "odd.c",
            "int f(int); int main(void) { int a[f(1)]; return a[0]; }\n",
            "odd.c",
        ),
    ] {
        fs::write(path.join(name), text).unwrap();
        let output = craig(path, &[name, "--bound", "2"]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(part), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn labels_of_single_cuts_keep_what_holds_for_all_together() {
    let folder = folder();
    let path = folder.path();
    let mut random = Random(3);
    let mut n_accepted = 0;
    for _ in 0..40 {
        let (formula, labels) = (random.formula(), random.labels());
        fs::write(path.join("f.cnf"), formula).unwrap();
        fs::write(path.join("l.labels"), &labels).unwrap();
        let arguments = "f.cnf --sequence --labelling l.labels --verify";
        let words: Vec<&str> = arguments.split_ascii_whitespace().collect();
        let output = craig(path, &words);
        // Rejected or right, but never found to be wrong.
        match output.status.code() {
            Some(0) => n_accepted += 1,
            Some(2) => assert!(
                String::from_utf8_lossy(&output.stderr).contains("never get stronger"),
                "{output:?}"
            ),
            Some(10) => {}
            _ => panic!("{labels}: {output:?}"),
        }
        let tree = craig(
            path,
            &["f.cnf", "--tree", "1,2,3,-", "--labelling", "l.labels"],
        );
        assert_eq!(tree.status.code(), Some(2));
    }
    assert!(n_accepted > 3);

    // With one cut, the labels of that cut are used.
    fs::write(path.join("l.labels"), "default b\ncut 2 default a\n").unwrap();
    for (cut, system) in [("1", "mcmillan"), ("2", "inverse")] {
        let classic = json(path, &["parts.cnf", "--cut", cut, "--system", system]);
        let own = json(
            path,
            &["parts.cnf", "--cut", cut, "--labelling", "l.labels"],
        );
        assert_eq!(classic["interpolants"], own["interpolants"]);
    }
}

/// Pseudo-random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) % end
    }

    /// Four partitions of ten ternary clauses each, over eight variables.
    fn formula(&mut self) -> String {
        let mut text = "p cnf 8 48\n".to_owned();
        for part in 0..4 {
            text.push_str(&format!("c partition {part}\n"));
            for _ in 0..12 {
                for _ in 0..3 {
                    let sign = if self.below(2) == 0 { "" } else { "-" };
                    text.push_str(&format!("{sign}{} ", 1 + self.below(8)));
                }
                text.push_str("0\n");
            }
        }
        text
    }

    /// One or two changes of the default from a cut on.
    fn labels(&mut self) -> String {
        let sides = ["b", "ab", "a"];
        let mut text = format!("default {}\n", sides[self.below(3) as usize]);
        for cut in 1..=2 {
            text.push_str(&format!(
                "cut {cut} default {}\n",
                sides[self.below(3) as usize]
            ));
        }
        text
    }
}

#[test]
fn the_summary_has_sizes() {
    let folder = folder();
    let output = craig(folder.path(), &["--a", "a.cnf", "--b", "b.cnf", "--verify"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("proof: 5 of 5 clauses"), "{text}");
    assert!(text.contains("interpolant_0"), "{text}");
    assert!(text.contains("CNF"), "{text}");
    assert!(text.ends_with("verified\n"), "{text}");
}

#[test]
fn interpolants_are_written_in_all_formats() {
    let folder = folder();
    let path = folder.path();
    for (name, start) in [
        ("out.aag", "aag 3 2 0 1 1\n"),
        ("out.aig", "aig 3 2 0 1 1\n"),
        (
            "out.cnf",
            "c interpolant_0 is the conjunction of the clauses\n",
        ),
        ("out.smt2", "(set-logic QF_UF)\n"),
        ("out.dot", "digraph interpolants {\n"),
    ] {
        let output = craig(path, &["--a", "a.cnf", "--b", "b.cnf", "-o", name]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let bytes = fs::read(path.join(name)).unwrap();
        assert!(
            bytes.starts_with(start.as_bytes()),
            "{name}: {}",
            String::from_utf8_lossy(&bytes)
        );
    }
    let arguments = [
        "ring.aag",
        "--output",
        "-",
        "--format",
        "smt2",
        "--proof-graph",
        "p.dot",
    ];
    let output = craig(path, &[&arguments[..], &["--bound", "2"]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("(set-logic") && text.contains("@1|"),
        "{text}"
    );
    let graph = fs::read_to_string(path.join("p.dot")).unwrap();
    assert!(graph.starts_with("digraph proof {"));
}

#[test]
fn what_is_consistent_has_no_interpolant() {
    let folder = folder();
    let output = craig(folder.path(), &["consistent.cnf", "-o", "out.aag"]);
    assert_eq!(output.status.code(), Some(10));
    assert!(output.stdout.starts_with(b"SATISFIABLE"));
    assert!(!folder.path().join("out.aag").exists());
    let reached = craig(folder.path(), &["ring.aag", "--bound", "0"]);
    assert_eq!(reached.status.code(), Some(2));
}

#[test]
fn mistakes_end_with_one_line_and_nothing_written() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("bad.cnf"), "p cnf 1 1\nc partition x\n1 0\n").unwrap();
    fs::write(path.join("short.aag"), "aag 1 1\n").unwrap();
    let before = fs::read_dir(path).unwrap().count();
    for (arguments, part) in [
        (&["missing.cnf"][..], "missing.cnf: can't be read"),
        (&["bad.cnf"], "bad.cnf:2: "),
        (&["short.aag"], "short.aag: line 1"),
        (
            &["parts.cnf", "--labelling", "broken.labels"],
            "broken.labels:2: ",
        ),
        (
            &["parts.cnf", "--labelling", "weak.labels", "--symmetric"],
            "labelled a",
        ),
        (
            &["parts.cnf", "--system", "inverse", "--tree", "1,2,3,-"],
            "labelled a",
        ),
        (
            &["parts.cnf", "--sequence", "--transform", "raise-local"],
            "depends on the cut",
        ),
        (
            &["parts.cnf", "--tree", "1,2,3,-", "--proof-sensitive", "pss"],
            "a tree needs the same",
        ),
        (
            &["parts.cnf", "--sequence", "--labelling", "literal.labels"],
            "are for one cut",
        ),
        (&["undivided.cnf"], "c partition N"),
        (&["parts.cnf", "--tree", "1,2,x,-"], "--tree: \"x\""),
        (&["parts.cnf", "--tree", "1,0,3,-"], "--tree: node 0"),
        (
            &["parts.cnf", "--tree", "1,0,-"],
            "--tree: partition 3 has no parent",
        ),
        (
            &["parts.cnf", "--proof", "broken.lrat"],
            "broken.lrat: line 2",
        ),
        (
            &["parts.cnf", "--proof", "missing.lrat"],
            "missing.lrat: can't be read",
        ),
        (
            &["ring.aag", "--property", "3"],
            "ring.aag: there is no property 3",
        ),
        (
            &["parts.cnf", "-o", "noformat"],
            "noformat: the name does not tell",
        ),
        (
            &["parts.cnf", "-o", "no/such/folder.aag"],
            "no/such/folder.aag`: can't be written",
        ),
    ] {
        let output = craig(path, arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.starts_with("error: "), "{message}");
        assert!(message.contains(part), "{arguments:?}: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert_eq!(fs::read_dir(path).unwrap().count(), before, "{arguments:?}");
    }
}

#[test]
fn limits_end_a_search() {
    let folder = folder();
    let path = folder.path();
    // Fourteen pigeons in thirteen holes.
    let var = |pigeon: usize, hole: usize| 13 * pigeon + hole + 1;
    let mut clauses: Vec<String> = (0..14)
        .map(|pigeon| {
            (0..13)
                .map(|hole| var(pigeon, hole).to_string() + " ")
                .collect()
        })
        .collect();
    for hole in 0..13 {
        for second in 0..14 {
            let together = |first| format!("-{} -{} ", var(first, hole), var(second, hole));
            clauses.extend((0..second).map(together));
        }
    }
    let text = format!(
        "p cnf 182 {}\nc partition 0\n{}0\nc partition 1\n{}0\n",
        clauses.len(),
        clauses[..14].join("0\n"),
        clauses[14..].join("0\n")
    );
    fs::write(path.join("hard.cnf"), text).unwrap();
    let output = craig(path, &["hard.cnf", "--timeout", "0.2", "-o", "out.smt2"]);
    assert_eq!(output.status.code(), Some(30), "{output:?}");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(message, "UNKNOWN: the time limit was reached\n");
    assert!(!path.join("out.smt2").exists());
}

/// What is exported is the same problem with the same proof, and a proof in DRAT is one, too.
#[test]
fn exported_problems_are_read_back() {
    let folder = folder();
    let path = folder.path();
    let arguments = ["ring.aag", "--bound", "2", "--cut", "1", "--export", "out"];
    let first = json(path, &arguments);
    let names = fs::read_to_string(path.join("out/names.txt")).unwrap();
    assert!(names.lines().any(|line| line.ends_with("@1")), "{names}");
    for more in [&["--proof", "out/proof.lrat"][..], &[]] {
        let arguments = [&["out/problem.cnf", "--cut", "1"][..], more].concat();
        let second = json(path, &arguments);
        assert_eq!(first["clauses"], second["clauses"]);
        if !more.is_empty() {
            for key in ["core", "resolutions", "interpolants"] {
                assert_eq!(first[key], second[key], "{key}");
            }
        }
    }
    fs::write(path.join("proof.drat"), "2 0\n3 0\nd 2 0\n0\n").unwrap();
    let value = json(
        path,
        &[
            "parts.cnf",
            "--proof",
            "proof.drat",
            "--sequence",
            "--clausewise",
        ],
    );
    assert_eq!(n_interpolants(&value), 3);
    assert_eq!(value["labelling"], "clausewise");
}

/// A proof that defines a variable, and needs the definition: 3 is equivalent to 1, is derived as a unit, and gives the empty
/// clause. Resolution has no such step, and an interpolant of it would mean nothing: it is refused by the literal's name.
#[test]
fn a_proof_with_a_definition_is_refused_by_name() {
    let folder = folder();
    let path = folder.path();
    let text = "p cnf 2 4\nc partition 0\n1 2 0\n1 -2 0\nc partition 1\n-1 2 0\n-1 -2 0\n";
    fs::write(path.join("square.cnf"), text).unwrap();
    fs::write(path.join("defined.drat"), "-3 1 0\n3 -1 0\n3 0\n0\n").unwrap();
    fs::write(path.join("plain.drat"), "1 0\n0\n").unwrap();
    let ran = |proof: &str| {
        let arguments = ["itp", "square.cnf", "--cut", "0", "--proof", proof];
        let mut command = Command::new(env!("CARGO_BIN_EXE_craig"));
        command.args(arguments).current_dir(path).output().unwrap()
    };
    let output = ran("defined.drat");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(output.stdout.is_empty());
    let named = "the formula has no variable for literal -3: the proof defines it";
    assert!(
        stderr.contains("defined.drat") && stderr.contains(named),
        "{stderr}"
    );
    assert_eq!(ran("plain.drat").status.code(), Some(0));
}

/// Partitions are named as in the file, random labels suit what they are for, and what was not done is said.
#[test]
fn partitions_keep_their_numbers_and_the_command_tells_what_it_did() {
    let folder = folder();
    let path = folder.path();
    let text = "p cnf 2 3\n1 0\nc partition 4\n-1 2 0\nc partition 9\n-2 0\n";
    fs::write(path.join("gaps.cnf"), text).unwrap();
    for (kind, names) in [
        (
            "--symmetric",
            &["interpolant_0", "interpolant_4", "interpolant_9"][..],
        ),
        ("--sequence", &["interpolant_0", "interpolant_4"]),
    ] {
        let value = json(path, &["gaps.cnf", kind, "--random", "3"]);
        let found = value["interpolants"].as_array().unwrap();
        let found: Vec<_> = found
            .iter()
            .map(|one| one["name"].as_str().unwrap())
            .collect();
        assert_eq!(found, names, "{kind}");
        assert_eq!(value["verified"], true);
        assert_eq!(value["simplified"], serde_json::Value::Null);
    }
    let output = craig(path, &["gaps.cnf", "--cut", "4"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.starts_with("warning: gaps.cnf: ") && message.lines().count() == 1,
        "{message}"
    );
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("interpolant_4 ")
    );
    let value = json(path, &["parts.cnf", "--simplify"]);
    assert_eq!(value["simplified"], true);
}

#[test]
fn transforms_are_told_with_sizes_before_and_after() {
    let folder = folder();
    let arguments = [
        "parts.cnf",
        "--cut",
        "1",
        "--transform",
        "reduce,raise-local",
    ];
    let value = json(folder.path(), &arguments);
    for when in ["before", "after"] {
        let proof = &value["transformed"][when];
        assert_eq!(proof["core"], 5);
        for size in ["vertices", "resolutions", "literals", "depth"] {
            assert!(proof[size].as_u64().unwrap() >= 4, "{when} {size}: {proof}");
        }
    }
    let text = String::from_utf8(craig(folder.path(), &arguments).stdout).unwrap();
    assert!(
        text.contains("\nproof as found ") && text.contains("\ntransformed "),
        "{text}"
    );
}
