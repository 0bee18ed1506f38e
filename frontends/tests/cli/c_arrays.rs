//! C programs with large arrays, and what proofs say about all elements.

use crate::c::drive;
use crate::run::{Folder, craig};

/// Large arrays with accesses at unknown indices: the evidence includes the constraints between reads and
/// writes, and a path is replayed.
#[test]
fn large_arrays_are_accessed_at_unknown_indices() {
    let folder = Folder::new();
    for size in [100_000, 1_000_000] {
        let program = |wanted: i32| {
            format!(
                "unsigned nondet_uint(void);\nint a[{size}];\nint main(void) {{\n\
                 unsigned i = nondet_uint(), j = nondet_uint(), k = nondet_uint();\n\
                 if (i >= {size} || j >= {size} || k >= {size}) return 0;\n\
                 a[i] += 2; a[j] += 2;\nassert(a[k] < {wanted}); return 0; }}\n"
            )
        };
        let safe = folder.write("safe.c", program(5).as_bytes());
        let (cnf, proof) = (folder.path("formula.cnf"), folder.path("proof.lrat"));
        let flags = ["--c-engine", "unwind", "--cnf", &cnf, "--proof", &proof];
        let ran = craig(&[&["check", &safe][..], &flags].concat());
        assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
        let text = std::fs::read(&cnf).unwrap();
        let formula = craig_formula::dimacs::read(&mut text.as_slice(), "cnf").unwrap();
        let proof = std::fs::read(&proof).unwrap();
        assert!(craig_solver::proof::import::check_lrat(&formula, proof.as_slice()).unwrap() > 0);
        let wrong = folder.write("unsafe.c", program(4).as_bytes());
        let ran = craig(&["check", &wrong, "--c-engine", "unwind"]);
        assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
        assert!(
            ran.stdout.contains("the path was replayed"),
            "{}",
            ran.stdout
        );
    }
}

/// A program that fills, copies and reads arrays, with one loop in a line; `AT(line)` is evaluated where the condition is.
const FACTS: &str = "unsigned nondet_uint(void); extern void reach_error(void);\n\
    int a[100000]; unsigned char b[100000]; struct pair { int x; short y; } p[100000];\n\
    int main(void) { unsigned n = nondet_uint(); int i; unsigned j; if (n > 100000) return 0;\n\
    for (i = 0; AT(4) i < 100000; i++) a[i] = -2;\n\
    for (j = 0; AT(5) j < n; j++) b[j] = 200;\n\
    for (i = 0; AT(6) i < 100000; i++) p[i].y = -1;\n\
    for (j = 0; AT(7) j < n; j++) if (a[j] != -2 || b[j] < 200 || p[j].y >= 0) reach_error();\n\
    return 0; }\n";

/// What a proof says about all elements is printed as C that holds in runs of the program: where a line is negated, a run
/// fails.
#[cfg(unix)]
#[test]
fn invariants_about_all_elements_are_printed_as_c_that_holds() {
    let folder = Folder::new();
    let plain = "#define AT(line)\n".to_owned() + "#line 1\n" + FACTS;
    let file = folder.write("facts.c", plain.as_bytes());
    let ran = craig(&["check", &file, "--timeout", "100"]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("elements"), "{}", ran.stdout);
    assert!(
        ran.stdout
            .contains(":7 main: for all k: k < 100000U ==> a[k] == -2"),
        "{}",
        ran.stdout
    );
    let ran = craig(&["check", &file, "--timeout", "100", "--json"]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(
        !report["properties"][0]["invariants"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    let lines = report["properties"][0]["for_all"].as_array().unwrap();
    let of = |field: &str| {
        lines
            .iter()
            .any(|line| line["value"].as_str().unwrap().contains(field))
    };
    assert!(of("a[k]") && of("b[k]") && of("p[k].y"), "{}", ran.stdout);
    let of_program = Facts {
        text: FACTS,
        lines: 4..8,
        index: "k",
        n_elements: "100000",
    };
    assert_lines_hold(&folder, &of_program, lines);
}

/// A program with places `AT(line)` for checks of what is printed for these lines.
struct Facts {
    text: &'static str,
    lines: std::ops::Range<u32>,
    /// The name of the index, and an expression for the number of its values.
    index: &'static str,
    n_elements: &'static str,
}

/// Compiles the program with all printed lines as checks, each where its loop is, for each element: it runs. Where one of them
/// is negated, the run fails. A line about a call holds where `from` is the line of that.
fn assert_lines_hold(folder: &Folder, facts: &Facts, lines: &[serde_json::Value]) {
    let run = |negated: Option<usize>| {
        let mut text = String::from("#include <stdlib.h>\n");
        for line in facts.lines.clone() {
            let mut tests = String::new();
            for (number, own) in lines
                .iter()
                .enumerate()
                .filter(|(_, own)| own["line"] == line)
            {
                assert_eq!(own["scope"], format!("for all {}", facts.index));
                let sign = if negated == Some(number) { "" } else { "!" };
                let premise = own["premise"].as_str().unwrap_or("1");
                let value = own["value"].as_str().unwrap();
                let calls = own["calls"].as_array();
                let is_here = match calls.map(Vec::as_slice) {
                    None => "1".to_owned(),
                    Some([call]) => format!("from == {}", call["line"]),
                    Some(_) => panic!("one call: {own}"),
                };
                tests += &format!("if ({is_here} && ({premise}) && {sign}({value})) abort(); ");
            }
            // Not at each iteration: there are too many.
            text += &format!("#define TESTS{line} {tests}\n");
        }
        let Facts {
            index, n_elements, ..
        } = facts;
        text += &format!(
            "#define AT(line) ({{ static unsigned calls; if (calls++ % 25000 < 3) \\\n\
             for (unsigned {index} = 0; {index} < {n_elements}; {index}++) {{ TESTS##line }} 1; }}) &&\n"
        );
        text +=
            "unsigned nondet_uint(void) { return 70001; } void reach_error(void) { abort(); }\n";
        text += &facts.text.replace("extern void reach_error(void);", "");
        let driver = folder.write("driver.c", text.as_bytes());
        drive(&driver, &["-O1"]).map(|ran| ran.status.success())
    };
    let Some(holds) = run(None) else {
        return;
    };
    assert!(holds, "{lines:?}");
    for (number, line) in lines.iter().enumerate() {
        assert_eq!(run(Some(number)), Some(false), "{line}");
    }
}

/// A function that is called in two ways, an array of variable length, and variables called `k`.
const CALLS: &str = "unsigned nondet_uint(void); extern void reach_error(void); int from, b[100000];\n\
    static void fill(int *a, unsigned n, int value) {\n\
    for (unsigned i = 0; AT(3) i < n; i++) a[i] = value; }\n\
    int main(void) { unsigned k, n = nondet_uint(); if (n < 1 || n > 100000) return 0; int d[n];\n\
    from = 5; fill(b, n, 7);\n\
    from = 6; fill(d, n, 8);\n\
    for (k = 0; AT(7) k < n; k++) if (b[k] != 7 || d[k] != 8) reach_error();\n\
    return 0; }\n";

/// Lines name the calls in which they hold, arrays of variable length, and an index that is no name of the program.
#[cfg(unix)]
#[test]
fn invariants_about_all_elements_name_calls_and_arrays_of_variable_length() {
    let folder = Folder::new();
    let plain = "#define AT(line)\n".to_owned() + "#line 1\n" + CALLS;
    let file = folder.write("calls.c", plain.as_bytes());
    let ran = craig(&["check", &file, "--timeout", "100"]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    for (line, array) in [(5, "b[k1] == 7"), (6, "a[k1] == 8")] {
        let place = format!("calls.c:3 fill, called at {file}:{line}:");
        let is_printed = (ran.stdout.lines())
            .any(|own| own.contains(&place) && own.contains("for all k1: ") && own.contains(array));
        assert!(is_printed, "{place} {array} {}", ran.stdout);
    }
    let ran = craig(&["check", &file, "--timeout", "100", "--json"]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let lines = report["properties"][0]["for_all"].as_array().unwrap();
    let of = |line: u32, text: &str| {
        let mut own = lines.iter().filter(|own| own["line"] == line);
        own.any(|own| own["value"].as_str().unwrap().contains(text))
    };
    assert!(of(7, "b[k1] == 7") && of(7, "d[k1] == 8"), "{}", ran.stdout);
    let of_program = Facts {
        text: CALLS,
        lines: 3..8,
        index: "k1",
        n_elements: "n",
    };
    assert_lines_hold(&folder, &of_program, lines);
}

/// Two indices have two names, and a relation that all runs have is a premise.
#[test]
fn invariants_about_two_elements_name_both_indices() {
    let folder = Folder::new();
    let text = "int nondet_int(void); extern void reach_error(void); int a[100000];\n\
        int main(void) { int n = nondet_int(); if (n < 2 || n > 100000) return 0;\n\
        for (int i = 0; i < n; i++) a[i] = i;\n\
        for (int i = 0; i + 1 < n; i++) if (a[i] > a[i + 1]) reach_error();\n\
        return 0; }\n";
    let file = folder.write("sorted.c", text.as_bytes());
    let ran = craig(&["check", &file, "--timeout", "100"]);
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("main: for all k and l: ") && ran.stdout.contains("k == l + 1U"),
        "{}",
        ran.stdout
    );
}
