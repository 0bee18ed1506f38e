//! `craig check A B C`.

use crate::run::{Folder, craig, example};

const SAFE: &str = "average_safe.c";
const UNSAFE: &str = "average_unsafe.c";

/// The verdicts in the table, in the order of the inputs.
fn verdicts(stdout: &str) -> Vec<&str> {
    let table = stdout.split("verdict   seconds  file\n").nth(1).unwrap();
    let rows = table.lines().take_while(|line| !line.contains(" inputs: "));
    rows.map(|row| row.split_whitespace().next().unwrap())
        .collect()
}

#[test]
fn a_table_ends_the_verdicts_and_the_worst_is_the_exit_code() {
    let folder = Folder::new();
    // Valid, and not supported.
    let nested = b"int main(void) { int x = 1; int f(int y) { return x + y; } return f(2); }\n";
    let unknown = folder.write("nested.c", nested);
    let bad = folder.write("bad.aag", b"aag 1\n");
    let (safe, unsafe_) = (example(SAFE), example(UNSAFE));
    let circuit = example("arbiter_unsafe.aag");
    for (files, words, code, shell) in [
        (vec![&safe, &safe], "SAFE SAFE", 20, 0),
        (vec![&safe, &unknown], "SAFE UNKNOWN", 30, 2),
        (
            vec![&unknown, &circuit, &safe],
            "UNKNOWN UNSAFE SAFE",
            10,
            1,
        ),
        (vec![&bad, &safe, &unsafe_], "ERROR SAFE UNSAFE", 2, 2),
    ] {
        let mut arguments = vec!["check"];
        arguments.extend(files.iter().map(|file| file.as_str()));
        let ran = craig(&arguments);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert_eq!(verdicts(&ran.stdout).join(" "), words);
        for file in &files {
            assert!(ran.stdout.contains(&format!("{file}:\n")), "{}", ran.stdout);
        }
        arguments.extend(["-q", "--exit-code", "shell"]);
        let ran = craig(&arguments);
        assert_eq!(ran.code, Some(shell), "{ran:?}");
        assert_eq!(verdicts(&ran.stdout).join(" "), words);
        assert!(ran.stdout.starts_with("\nverdict"), "{}", ran.stdout);
    }
}

#[test]
fn json_has_one_object_a_line() {
    let folder = Folder::new();
    let bad = folder.write("bad.aag", b"aag 1\n");
    let (unsafe_, circuit) = (example(UNSAFE), example("arbiter_unsafe.aag"));
    // One way to decide the program, so that it is decided in the same way when it is alone.
    let check = ["check", "--json", "--c-engine", "unwind"];
    let ran = craig(&[&check[..], &[&unsafe_, &bad, &circuit]].concat());
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let lines: Vec<serde_json::Value> = (ran.stdout.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let text = |index: usize, key: &str| lines[index][key].as_str().unwrap().to_owned();
    assert_eq!(lines.len(), 3);
    for (index, (file, verdict)) in [(&unsafe_, "unsafe"), (&bad, "error"), (&circuit, "unsafe")]
        .into_iter()
        .enumerate()
    {
        assert_eq!(text(index, "file"), *file);
        assert_eq!(text(index, "verdict"), verdict);
    }
    assert!(text(1, "error").contains("bad.aag"), "{}", lines[1]);
    assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
    // As for one input alone, but for times and memory.
    let alone = craig(&[&check[..], &[&unsafe_]].concat());
    let mut alone: serde_json::Value = serde_json::from_str(&alone.stdout).unwrap();
    for key in ["seconds", "arguments", "peak_memory_bytes"] {
        alone[key] = lines[0][key].clone();
    }
    alone["properties"][0]["seconds"] = lines[0]["properties"][0]["seconds"].clone();
    assert_eq!(alone, lines[0]);
}

#[test]
fn one_file_of_evidence_is_not_for_several_inputs() {
    let folder = Folder::new();
    let (safe, path) = (example(SAFE), folder.path("w.yml"));
    for option in ["--witness", "--test-driver", "--model"] {
        let ran = craig(&["check", &safe, &safe, option, &path]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let message = format!("error: `{option}` names one file, and there are 2 inputs\n");
        assert_eq!(ran.stderr, message);
    }
    assert_eq!(folder.names(), Vec::<String>::new());
}

#[test]
fn limits_bind_each_input_by_itself() {
    let folder = Folder::new();
    let hard = folder.write("hard.aig", &crate::run::hard_circuit());
    let safe = example(SAFE);
    let ran = craig(&["check", &hard, &safe, "--timeout", "1"]);
    assert_eq!(ran.code, Some(30), "{ran:?}");
    assert_eq!(verdicts(&ran.stdout), ["UNKNOWN", "SAFE"]);
}
