//! `--cover location|branch|condition`.

use crate::run::{Folder, craig};

const HEAD: &str = "extern int nondet_int(void);\nextern void reach_error(void);\n";

/// Checks a program whose first line is line 3; returns the coverage object of `--json`.
fn coverage(folder: &Folder, text: &str, goals: &str) -> serde_json::Value {
    let file = folder.write("f.c", format!("{HEAD}{text}").as_bytes());
    let ran = craig(&[
        "check",
        &file,
        "--cover",
        goals,
        "--json",
        "--timeout",
        "60",
    ]);
    assert!(matches!(ran.code, Some(10 | 20)), "{ran:?}");
    let summary: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let coverage = &summary["coverage"];
    assert_eq!(coverage["goals"], goals);
    assert_eq!(
        coverage["total"],
        summary["properties"].as_array().unwrap().len()
    );
    coverage.clone()
}

/// Each program with how many goals are reached, and how many cannot be: of locations, branches and
/// conditions.
#[test]
fn goals_are_counted() {
    let folder = Folder::new();
    for (text, locations, branches, conditions) in [
        // Line 3 starts the body.
        ("int main(void) {\n  return 0;\n}\n", (2, 0), (0, 0), (0, 0)),
        (
            "int main(void) {\n  int x = nondet_int();\n  if (x > 10)\n    x = 1;\n  else if (x > 20)\n    \
             x = 2;\n\
             \x20 return x;\n}\n",
            (6, 1),
            (3, 1),
            (3, 1),
        ),
        // Operands of `&&` are goals of their own; the second one is evaluated only if the first is true.
        (
            "int main(void) {\n  int x = nondet_int();\n  return x > 3 && !(x < 3) ? 1 : 2;\n}\n",
            (3, 0),
            (2, 0),
            (3, 1),
        ),
        // Loops: the condition of `while (1)` is never false.
        (
            "int main(void) {\n  int n = 0;\n  while (1) {\n    if (++n == 3)\n      break;\n  }\n\
             \x20 do\n    n--;\n  while (n > 0);\n  for (int i = 0; i < 2; i++)\n    n += i;\n  return \
             n;\n}\n",
            (10, 0),
            (7, 1),
            (7, 0),
        ),
        // The labels of a switch; a label's line is reached by jumps to it.
        (
            "int main(void) {\n  switch (nondet_int() & 3) {\n  case 0:\n    nondet_int();\n    return 1;\n\
             \x20 case 1 ... 2:\n    return 2;\n  case 7:\n    return 3;\n  default:\n    return 4;\n  \
             }\n}\n",
            (9, 2),
            (3, 1),
            (0, 0),
        ),
    ] {
        for (goals, (reached, unreachable)) in [
            ("location", locations),
            ("branch", branches),
            ("condition", conditions),
        ] {
            let found = coverage(&folder, text, goals);
            let wanted = serde_json::json!([reached, unreachable, 0]);
            let counts =
                serde_json::json!([found["reached"], found["unreachable"], found["undecided"]]);
            assert_eq!(counts, wanted, "{goals} of\n{text}");
            let total = f64::from(reached + unreachable);
            let share = if total > 0.0 {
                100.0 * f64::from(reached) / total
            } else {
                100.0
            };
            assert!(
                (found["percent"].as_f64().unwrap() - share).abs() < 1e-9,
                "{found}"
            );
        }
    }
}

#[test]
fn a_test_suite_has_a_test_for_each_goal_that_is_reached() {
    let folder = Folder::new();
    let text = "extern int __VERIFIER_nondet_int(void);\nint main(void)\n{\n  int x = \
                __VERIFIER_nondet_int();\n\
                \x20 if (x == 1234)\n    return 1;\n  if (x == 1234)\n    return 2;\n  return 0;\n}\n";
    let file = folder.write("f.c", text.as_bytes());
    let suite = folder.path("suite");
    let ran = craig(&[
        "check",
        &file,
        "--cover",
        "branch",
        "--test-suite",
        &suite,
        "-q",
    ]);
    assert_eq!(ran.code, Some(10), "{ran:?}");
    assert_eq!(ran.stdout.matches("REACHED ").count(), 3, "{}", ran.stdout);
    assert!(ran.stdout.contains("UNREACHABLE "), "{}", ran.stdout);
    let last = "branch coverage: 3 of 4 reached (75.0 %), 1 cannot be reached, 0 not decided\n";
    assert!(ran.stdout.ends_with(last), "{}", ran.stdout);
    let metadata = std::fs::read_to_string(format!("{suite}/metadata.xml")).unwrap();
    assert!(metadata.contains("@DECISIONEDGE"), "{metadata}");
    let mut inputs = Vec::new();
    for number in 1..=3 {
        let test = std::fs::read_to_string(format!("{suite}/testcase-{number}.xml")).unwrap();
        assert!(!test.contains("coversError"), "{test}");
        let value = test.split("<input type=\"int\">").nth(1).unwrap();
        inputs.push(value.split('<').next().unwrap().parse::<i32>().unwrap());
    }
    assert_eq!(
        inputs.iter().filter(|&&input| input == 1234).count(),
        1,
        "{inputs:?}"
    );
    assert!(!std::path::Path::new(&format!("{suite}/testcase-4.xml")).exists());
}

#[test]
fn goals_are_asked_for_alone() {
    let folder = Folder::new();
    let file = folder.write("f.c", b"int main(void) { return 0; }\n");
    let log = folder.path("log.sarif");
    for options in [
        &["--cover", "branch", "--cover", "location"][..],
        &["--cover", "branch", "--cover", "f.c:1"],
        &["--cover", "branch", "--check", "div"],
        &["--cover", "branch", "--sarif", &log],
        &["--cover", "branch", "--error-label", "f"],
        &["--cover", "mcdc"],
    ] {
        let mut arguments = vec!["check", &file];
        arguments.extend(options);
        let ran = craig(&arguments);
        assert_eq!(ran.code, Some(2), "{options:?}\n{ran:?}");
    }
    // A program with unsupported constructs has no coverage share.
    let nested = b"int main(void) { int x = 1; int f(int y) { return x + y; } return f(2); }\n";
    let file = folder.write("nested.c", nested);
    let ran = craig(&["check", &file, "--cover", "branch"]);
    assert_eq!(ran.code, Some(30), "{ran:?}");
    assert!(!ran.stdout.contains("coverage"), "{}", ran.stdout);
}
