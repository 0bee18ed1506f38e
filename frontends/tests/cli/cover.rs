//! `--cover location|branch|condition`, and `craig test`.

use std::time::Duration;

use crate::run::{Folder, craig, interrupted};

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
            let file = folder.path("f.c");
            let kind = if goals == "branch" {
                "branches".to_owned()
            } else {
                format!("{goals}s")
            };
            for choice in [&[][..], &["--no-learn"], &["--blocks", "basic"]] {
                let own = ["test", &file, "--goals", &kind, "--timeout", "60", "-q"];
                let ran = craig(&[&own, choice].concat());
                let total = reached + unreachable;
                let line = format!(
                    "{kind}: {reached} of {total} covered, {unreachable} proved unreachable, 0 open"
                );
                assert!(ran.stdout.starts_with(&line), "{choice:?} {line}: {ran:?}");
                assert_eq!(ran.code, Some(0));
            }
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

/// A program with goals of each kind: reached by few inputs, unreachable behind a loop, behind an abort.
const TESTED: &str = "extern int __VERIFIER_nondet_int(void);\nextern void abort(void);\nint rare(int x)\n{\n  if (x > 10 \
                      && x < 12)\n    return 1;\n  switch (x) {\n  case 3:\n    return 5;\n  default:\n    break;\n  }\n  \
                      return 0;\n}\nint main(void)\n{\n  int n = __VERIFIER_nondet_int(), s = 0;\n  if (n < 0)\n    \
                      n = 0;\n  for (int i = 0; i < 20; i++)\n    s += i < 5;\n  if (n < 0)\n    return 9;\n  if (s > \
                      5)\n    return 8;\n  if (n == 77777)\n    abort();\n  return rare(n);\n}\n";

/// `craig test` writes a suite and a page; `gcov` counts what the tests are said to cover.
#[test]
fn suites_are_written_and_run() {
    let folder = Folder::new();
    let file = folder.write("tested.c", TESTED.as_bytes());
    let (suite, page) = (folder.path("suite"), folder.path("page.html"));
    for goals in ["locations", "branches", "conditions"] {
        let ran = craig(&[
            "test", &file, "--goals", goals, "--suite", &suite, "--html", &page, "--native",
        ]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(
            ran.stdout.contains(" proved unreachable, 0 open"),
            "{ran:?}"
        );
        let n_tests = (1..)
            .take_while(|number| {
                let test = std::fs::read_to_string(format!("{suite}/testcase-{number}.xml"));
                let driver = std::fs::read_to_string(format!("{suite}/driver-{number}.c"));
                test.is_ok_and(|text| text.contains("<input type=\"int\">"))
                    && driver.is_ok_and(|text| text.contains("__VERIFIER_nondet_int"))
            })
            .count();
        let tests = format!("; {n_tests} tests (");
        assert!(
            n_tests > 3 && ran.stdout.contains(&tests),
            "{n_tests}: {ran:?}"
        );
        let page = std::fs::read_to_string(&page).unwrap();
        assert!(page.contains("class=\"is-covered\"") && page.contains("class=\"is-unreachable\""));
        assert!(!page.contains("class=\"is-open\"") && page.contains("n == 77777"));
        let has_gcov = std::process::Command::new("gcov").arg("--version").output();
        if has_gcov.is_ok() {
            let agree = format!("{n_tests} of {n_tests} tests run, {n_tests} agree");
            assert!(ran.stdout.contains(&agree), "{ran:?}");
        } else {
            eprintln!("skipped: `gcov` is not installed");
        }
        std::fs::remove_dir_all(&suite).unwrap();
    }
}

/// A program behind line markers, which calls functions without a body with a parameter that is a structure, and one
/// whose type is qualified.
const MARKED: &str = "extern int __VERIFIER_nondet_int(void);\nstruct pair { int a; };\nextern int other(struct pair *p);\n\
                      typedef unsigned short const *text;\nextern int tell(int n, text t, int volatile **p);\n\
                      #line 4 \"elsewhere.c\"\nint main(void)\n{\n  int n = __VERIFIER_nondet_int();\n  struct pair p;\n  \
                      if (n == 5)\n    return other(&p);\n  if (n == 6)\n    return tell(n, 0, 0) == 3;\n  return 1;\n}\n";

/// Lines are those that line markers name, also for `gcov` and on the page; drivers define functions of the
/// environment with parameters of any type.
#[test]
fn line_markers_name_the_lines() {
    let folder = Folder::new();
    let file = folder.write("marked.c", MARKED.as_bytes());
    let page = folder.path("page.html");
    let ran = craig(&["test", &file, "--html", &page, "--native"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("branches: 4 of 4 covered"), "{ran:?}");
    let page = std::fs::read_to_string(&page).unwrap();
    let line = "<td class=\"number\">8</td><td><pre>  if (n == 5)</pre></td>";
    let mut rows = page.lines().filter(|row| row.contains(line));
    assert!(
        rows.any(|row| row.starts_with("<tr class=\"is-covered\"")),
        "{page}"
    );
    let has_gcov = std::process::Command::new("gcov").arg("--version").output();
    if has_gcov.is_ok() {
        assert!(ran.stdout.contains("3 of 3 tests run, 3 agree"), "{ran:?}");
    } else {
        eprintln!("skipped: `gcov` is not installed");
    }
}

/// Variables without a value get the one of the test in its driver, by an initialiser.
#[test]
fn variables_without_a_value_are_set_in_drivers() {
    let folder = Folder::new();
    let text = "int main(void)\n{\n  signed char x;\n  unsigned y, z = 3;\n  if (x == 17)\n    return 1;\n  if (y == \
                4000000000u && z == 3)\n    return 2;\n  return 0;\n}\n";
    let file = folder.write("unset.c", text.as_bytes());
    let suite = folder.path("suite");
    let ran = craig(&["test", &file, "--suite", &suite, "--native"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("0 open"), "{ran:?}");
    let drivers = std::fs::read_dir(&suite).unwrap();
    let drivers = drivers.filter(|entry| {
        let path = entry.as_ref().unwrap().path();
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.contains("x = 17;") && text.contains("`x` has its value in line 3")
    });
    assert_eq!(drivers.count(), 1);
    let has_gcov = std::process::Command::new("gcov").arg("--version").output();
    if has_gcov.is_ok() {
        assert!(ran.stdout.contains("3 of 3 tests run, 3 agree"), "{ran:?}");
    } else {
        eprintln!("skipped: `gcov` is not installed");
    }
}

/// Its last goals take longer than a test waits.
const HARD: &str = "extern unsigned __VERIFIER_nondet_uint(void);\nint main(void)\n{\n  unsigned a = __VERIFIER_nondet_uint(), \
                b = __VERIFIER_nondet_uint(), c = __VERIFIER_nondet_uint();\n  unsigned long long x = a | 1ull, y = b, z = c \
                | 1ull;\n  if (a == 3)\n    return 1;\n  if (x * x * x + y * y * y == 7 * z * z * z * x * x + 1234567 && y > \
                99999)\n    return 2;\n  while (a * b % 10007 != c)\n    a = a * a + c;\n  return 3;\n}\n";

/// A limit ends the search; the suite is what was found until then.
#[test]
fn limits_leave_a_smaller_suite() {
    let folder = Folder::new();
    let file = folder.write("hard.c", HARD.as_bytes());
    let suite = folder.path("suite");
    let ran = craig(&["test", &file, "--timeout", "1", "--suite", &suite, "-q"]);
    assert!(matches!(ran.code, Some(0 | 30)), "{ran:?}");
    assert!(ran.stdout.contains(" covered, "), "{ran:?}");
    assert!(std::fs::exists(format!("{suite}/metadata.xml")).unwrap());
    let missing = craig(&["test", &folder.path("none.c")]);
    assert_eq!(missing.code, Some(2));
}

/// So does a signal. The goals that the report calls covered are reached by the tests of the suite.
#[test]
fn signals_leave_a_smaller_suite() {
    let folder = Folder::new();
    let file = folder.write("hard.c", HARD.as_bytes());
    for signal in ["INT", "TERM"] {
        let suite = folder.path(signal);
        let arguments = ["test", &file, "--suite", &suite, "-q"];
        let stdout = interrupted(&arguments, signal, Duration::from_millis(1500));
        assert!(!stdout.contains(", 0 open"), "{signal}: {stdout}");
        let tests: Vec<String> = (1..)
            .map_while(|number| {
                std::fs::read_to_string(format!("{suite}/testcase-{number}.xml")).ok()
            })
            .collect();
        assert!(
            stdout.contains(&format!("; {} tests (", tests.len())),
            "{stdout}"
        );
        assert!(!tests.is_empty(), "{signal}: {stdout}");
        for text in tests {
            assert!(text.starts_with("<?xml") && text.trim_end().ends_with("</testcase>"));
        }
        let metadata = std::fs::read_to_string(format!("{suite}/metadata.xml")).unwrap();
        assert!(
            metadata.trim_end().ends_with("</test-metadata>"),
            "{metadata}"
        );
    }
}
