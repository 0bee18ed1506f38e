//! `craig certify FILE.c WITNESS.yml`.

use crate::run::{Folder, craig};

const UNREACHABLE: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";

const INPUTS: &str = "extern int __VERIFIER_nondet_int(void);\n\
     extern unsigned char __VERIFIER_nondet_uchar(void);\n\
     extern void reach_error(void);\nint main(void)\n{\n  int x = __VERIFIER_nondet_int();\n  int y = 0;\n\
     \x20 for (int i = 0; i < 3; i++)\n    y += __VERIFIER_nondet_uchar();\n\
     \x20 if (x == -12345 && y == 77)\n    reach_error();\n\
     \x20 return 0;\n}\n";

const LOOP: &str = "extern int nondet_int(void);\nextern void reach_error(void);\nint main(void)\n{\n\
     \x20 unsigned char n = 0;\n  while (nondet_int()) {\n    if (n < 40)\n      n++;\n  }\n\
     \x20 if (n > 40)\n    reach_error();\n  return 0;\n}\n";

/// A witness as another tool may write it: no hashes, and columns only where the content has some.
fn witness(kind: &str, specification: &str, content: &str) -> Vec<u8> {
    format!(
        "- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n    uuid: 0\n    task:\n\
         \x20     input_files: [\"./f.c\"]\n      specification: \"{specification}\"\n\
         \x20     data_model: ILP32\n      language: C\n  content:{content}\n"
    )
    .into_bytes()
}

fn waypoint(kind: &str, line: u32, constraint: &str) -> String {
    let constraint = if constraint.is_empty() {
        String::new()
    } else {
        format!("\n        constraint: {{value: {constraint}}}")
    };
    format!(
        "\n  - segment:\n    - waypoint:\n        type: {kind}\n        action: follow\n\
         \x20       location: {{file_name: f.c, line: {line}}}{constraint}"
    )
}

fn loop_invariant(line: u32, value: &str) -> String {
    format!(
        "\n  - invariant:\n      type: loop_invariant\n      location: {{file_name: f.c, line: {line}, \
         column: 3}}\n\
         \x20     value: {value}\n      format: c_expression"
    )
}

#[test]
fn own_witnesses_are_valid_and_changed_ones_are_not() {
    let folder = Folder::new();
    let overflow = "int nondet_int(void);\nint main(void)\n{\n  int x = nondet_int();\n  x = x + 1;\n  \
                    return 0;\n}\n";
    let label = "unsigned nondet_uint(void);\nint main()\n{\n  unsigned x = nondet_uint();\n\
                 \x20 if (x == 4000000000u) goto ERROR;\n  return 0;\nERROR:\n  return 0;\n}\n";
    for (text, check, old, new) in [
        (INPUTS, "div", "== -12345", "== -12346"),
        (overflow, "overflow", "== 2147483647", "== 2147483646"),
        (label, "div", "== 4000000000u", "== 3999999999u"),
    ] {
        let file = folder.write("f.c", text.as_bytes());
        let path = folder.path("w.yml");
        let ran = craig(&["check", &file, "--check", check, "--witness", &path, "-q"]);
        assert_eq!(ran.code, Some(10), "{ran:?}");
        let ran = craig(&["certify", &file, &path]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.stdout.starts_with("valid unsafe ("), "{}", ran.stdout);
        let written = std::fs::read_to_string(&path).unwrap();
        assert!(written.contains(old), "{written}");
        let changed = folder.write("changed.yml", written.replace(old, new).as_bytes());
        let ran = craig(&["certify", &file, &changed]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(
            ran.stdout.starts_with("INVALID no run that passes"),
            "{}",
            ran.stdout
        );
        // This witness for another program.
        let other = folder.write("f.c", format!("{text}\n").as_bytes());
        let ran = craig(&["certify", &other, &path]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stdout.contains("another program"), "{}", ran.stdout);
    }
    let file = folder.write("f.c", LOOP.as_bytes());
    let path = folder.path("w.yml");
    let ran = craig(&["check", &file, "--witness", &path, "--c-engine", "model"]);
    assert_eq!(ran.code, Some(20), "{ran:?}");
    let ran = craig(&["certify", &file, &path]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.starts_with("valid safe ("), "{}", ran.stdout);
}

#[test]
fn waypoints_of_other_tools_are_followed() {
    let folder = Folder::new();
    let file = folder.write("f.c", INPUTS.as_bytes());
    let target = waypoint("target", 11, "");
    let branch = |value| waypoint("branching", 10, value);
    let loop_exit = waypoint("branching", 8, "false");
    let iteration = |value| waypoint("function_return", 9, &format!("\"\\\\result == {value}\""));
    for (content, code) in [
        // Nothing but the target.
        (target.clone(), 0),
        (branch("true") + &target, 0),
        (branch("'true'") + &target, 0),
        (branch("false") + &target, 1),
        (waypoint("assumption", 7, "\"x > 0\"") + &target, 1),
        (
            waypoint("assumption", 10, "\"x < 0 && y > 0\"") + &loop_exit + &target,
            1,
        ),
        (waypoint("assumption", 10, "x < 0 && y > 0") + &target, 0),
        (waypoint("assumption", 10, "x > 0") + &target, 1),
        (
            waypoint("function_enter", 6, "") + &loop_exit + &branch("true") + &target,
            0,
        ),
        (loop_exit.clone() + &loop_exit + &target, 1),
        // Each iteration of the loop passes at most one waypoint.
        (iteration(7) + &iteration(7) + &iteration(63) + &target, 0),
        (iteration(7) + &iteration(7) + &iteration(62) + &target, 1),
        (
            iteration(0) + &iteration(0) + &iteration(0) + &iteration(0) + &target,
            1,
        ),
        // Waypoints without a matching location, or of an unsupported form.
        (waypoint("assumption", 100, "x > 0") + &target, 1),
        (waypoint("function_enter", 7, "") + &target, 1),
        (waypoint("target", 12, ""), 1),
        (waypoint("branching", 7, "true") + &target, 30),
        (waypoint("assumption", 10, "unknown_name > 0") + &target, 30),
        (waypoint("assumption", 10, "\"1); x = (5\"") + &target, 30),
        // Expressions with side effects.
        (
            waypoint("assumption", 10, "\"(x = -12345) < 0\"") + &target,
            30,
        ),
        (waypoint("assumption", 10, "\"x++ < 0\"") + &target, 30),
        (
            waypoint("assumption", 10, "__VERIFIER_nondet_int()") + &target,
            30,
        ),
        // Not well formed.
        (branch("true"), 2),
        (waypoint("branching", 10, "") + &target, 2),
    ] {
        let path = folder.write(
            "w.yml",
            &witness("violation_sequence", UNREACHABLE, &content),
        );
        let ran = craig(&["certify", &file, &path, "--timeout", "30"]);
        assert_eq!(ran.code, Some(code), "{content}\n{ran:?}");
    }
    // The run ends where the assertion fails first.
    let asserts = "extern int nondet_int(void);\nextern void reach_error(void);\nvoid assert(int);\nint \
                   main(void)\n{\n\
                   \x20 for (int i = 0; i < 3; i++)\n    assert(i != 1);\n  return 0;\n}\n";
    let asserting = folder.write("f.c", asserts.as_bytes());
    for (rounds, code) in [(2, 0), (3, 1)] {
        let content = waypoint("branching", 6, "true").repeat(rounds) + &waypoint("target", 7, "");
        let specification = UNREACHABLE.replace("reach_error", "__VERIFIER_error");
        let text = witness("violation_sequence", &specification, &content);
        let path = folder.write("w.yml", &text);
        let ran = craig(&["certify", &asserting, &path]);
        assert_eq!(ran.code, Some(code), "{content}\n{ran:?}");
    }
    let file = folder.write("f.c", INPUTS.as_bytes());
    // What is to be avoided: the only way to the error.
    let avoid = waypoint("branching", 10, "true").replace("follow", "avoid")
        + &waypoint("function_return", 9, "\"\\\\result >= 0\"").replace("\n  - segment:", "")
        + &target;
    let path = folder.write("w.yml", &witness("violation_sequence", UNREACHABLE, &avoid));
    let ran = craig(&["certify", &file, &path]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let avoid = avoid
        .replace("function_return", "assumption")
        .replace("line: 9", "line: 11");
    let path = folder.write(
        "w.yml",
        &witness(
            "violation_sequence",
            UNREACHABLE,
            &avoid.replace("\\\\result", "x * x"),
        ),
    );
    let ran = craig(&["certify", &file, &path]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
}

#[test]
fn branches_of_switches_and_conditional_expressions_are_followed() {
    let folder = Folder::new();
    let text = "extern int nondet_int(void);\nextern void reach_error(void);\nint main(void)\n{\n\
                \x20 int x = nondet_int(), n = 0;\n  switch (x) {\n  case 1: n = 1; break;\n\
                \x20 case 2:\n  case 3: n = 2; break;\n  default: n = 3;\n  }\n\
                \x20 n += x > 5 ? 10 : 20; if (x > 7) n += 100;\n  int y = (x - 9) ?: 4;\n\
                \x20 switch (y) { case 4: n += 1000; }\n\
                \x20 if (n >= 22)\n    reach_error();\n  return 0;\n}\n";
    let file = folder.write("f.c", text.as_bytes());
    let target = waypoint("target", 16, "");
    let at = |line: u32, column: u32, value: &str| {
        let place = format!("line: {line}");
        waypoint("branching", line, value).replace(&place, &format!("{place}, column: {column}"))
    };
    let mark = 14;
    for (content, code) in [
        (waypoint("branching", 6, "2") + &target, 0),
        (waypoint("branching", 6, "'3'") + &target, 0),
        (waypoint("branching", 6, "default") + &target, 0),
        // `n` is 21 then.
        (waypoint("branching", 6, "1") + &target, 1),
        // A value without a label of its own is the default's.
        (waypoint("branching", 6, "77") + &target, 0),
        (waypoint("branching", 6, "-5") + &target, 0),
        (
            waypoint("branching", 6, "77") + &at(12, mark, "false") + &target,
            1,
        ),
        (
            waypoint("branching", 6, "default") + &waypoint("branching", 6, "default") + &target,
            1,
        ),
        // The first is the conditional expression, the second the `if` of the same line.
        (at(12, mark, "true") + &at(12, 26, "false") + &target, 1),
        (
            at(12, mark, "false") + &waypoint("branching", 6, "2") + &target,
            1,
        ),
        (
            waypoint("branching", 6, "2") + &at(12, mark, "false") + &target,
            0,
        ),
        (at(12, mark, "true") + &at(12, 26, "true") + &target, 0),
        (at(12, mark, "false") + &at(12, 26, "true") + &target, 1),
        // Without a column, the line's statement.
        (
            waypoint("branching", 12, "true") + &at(12, mark, "true") + &target,
            1,
        ),
        (
            waypoint("branching", 13, "false") + &waypoint("branching", 14, "4") + &target,
            0,
        ),
        (
            waypoint("branching", 13, "false") + &waypoint("branching", 14, "default") + &target,
            1,
        ),
        (
            waypoint("branching", 13, "true") + &waypoint("branching", 14, "4") + &target,
            0,
        ),
        // Not what these constructs have.
        (waypoint("branching", 6, "true") + &target, 30),
        (waypoint("branching", 15, "2") + &target, 30),
        (waypoint("branching", 6, "x") + &target, 2),
    ] {
        let text = witness("violation_sequence", UNREACHABLE, &content);
        let path = folder.write("w.yml", &text);
        let ran = craig(&["certify", &file, &path, "--timeout", "60"]);
        assert_eq!(ran.code, Some(code), "{content}\n{ran:?}");
    }
}

/// An invariant at `do` holds whenever the condition is evaluated: behind the body. Written are invariants of
/// the body's begin, as those of a location.
#[test]
fn invariants_of_do_loops_hold_at_their_conditions() {
    let folder = Folder::new();
    let text = "extern int nondet_int(void);\nextern void reach_error(void);\nint main(void)\n{\n\
                \x20 unsigned char n = 0;\n  do {\n    if (n == 7)\n      continue;\n    n++;\n\
                \x20 } while (nondet_int());\n\
                \x20 if (n > 7 || n == 0)\n    reach_error();\n  return 0;\n}\n";
    let file = folder.write("f.c", text.as_bytes());
    let location = |line: u32, value: &str| {
        loop_invariant(line, value)
            .replace("loop_invariant", "location_invariant")
            .replace("column: 3", "column: 5")
    };
    for (content, code) in [
        (loop_invariant(6, "1 <= n && n <= 7"), 0),
        (loop_invariant(6, "n <= 6"), 1),
        (loop_invariant(6, "n >= 2"), 1),
        // Where the body begins, it may be 0.
        (location(7, "1 <= n"), 1),
        (location(7, "n <= 7"), 0),
    ] {
        let path = folder.write("w.yml", &witness("invariant_set", UNREACHABLE, &content));
        let ran = craig(&["certify", &file, &path, "--timeout", "60"]);
        assert_eq!(ran.code, Some(code), "{content}\n{ran:?}");
    }
    let path = folder.path("w.yml");
    let options = ["--witness", &path, "--c-engine", "model"];
    let ran = craig(&[&["check", &file][..], &options].concat());
    assert_eq!(ran.code, Some(20), "{ran:?}");
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(
        written.contains("type: location_invariant")
            && written.contains("line: 7\n        column: 5"),
        "{written}"
    );
    assert!(written.contains("n <= 7"), "{written}");
    let ran = craig(&["certify", &file, &path]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // A label begins the body: what is there holds not only in the loop.
    let labelled = text.replace("    if (n == 7)", "again: if (n == 7)");
    let file = folder.write("f.c", labelled.as_bytes());
    let ran = craig(&[&["check", &file][..], &options].concat());
    assert_eq!(ran.code, Some(20), "{ran:?}");
    assert!(!std::fs::read_to_string(&path).unwrap().contains("n <="));
    assert_eq!(craig(&["certify", &file, &path]).code, Some(0));
}

#[test]
fn invariants_have_to_hold_and_the_property_with_them() {
    let folder = Folder::new();
    let file = folder.write("f.c", LOOP.as_bytes());
    let location = loop_invariant(10, "n <= 40").replace("loop_invariant", "location_invariant");
    for (content, code) in [
        (" []".to_owned(), 0),
        (loop_invariant(6, "n <= 40"), 0),
        (loop_invariant(6, "n <= 100"), 0),
        (loop_invariant(6, "n <= 39"), 1),
        (loop_invariant(6, "n <= 40") + &location, 0),
        (location.replace("40", "39"), 1),
        (loop_invariant(7, "n <= 40"), 30),
        (loop_invariant(6, "m <= 40"), 30),
        (loop_invariant(6, "\"(n = 40)\""), 30),
        (location.replace("line: 10", "line: 100"), 30),
    ] {
        let path = folder.write("w.yml", &witness("invariant_set", UNREACHABLE, &content));
        let ran = craig(&["certify", &file, &path, "--timeout", "60"]);
        assert_eq!(ran.code, Some(code), "{content}\n{ran:?}");
    }
    // Invariants that hold do not make a program safe.
    let file = folder.write("f.c", LOOP.replace("n > 40", "n > 39").as_bytes());
    let content = loop_invariant(6, "n <= 40");
    let path = folder.write("w.yml", &witness("invariant_set", UNREACHABLE, &content));
    let ran = craig(&["certify", &file, &path]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    // Termination is no property of this program's.
    let specification = "CHECK( init(main()), LTL(F end) )";
    let path = folder.write("w.yml", &witness("invariant_set", specification, " []"));
    let ran = craig(&["certify", &file, &path]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("termination"), "{}", ran.stderr);
}

#[test]
fn a_safe_program_has_no_violation_and_an_unsafe_one_no_proof() {
    let folder = Folder::new();
    let file = folder.write("f.c", LOOP.as_bytes());
    for path_to_target in ["", &waypoint("branching", 6, "true")] {
        let content = path_to_target.to_owned() + &waypoint("target", 11, "");
        let path = folder.write(
            "w.yml",
            &witness("violation_sequence", UNREACHABLE, &content),
        );
        let ran = craig(&["certify", &file, &path]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stdout.starts_with("INVALID no run"), "{}", ran.stdout);
    }
    let file = folder.write("f.c", INPUTS.as_bytes());
    let path = folder.write("w.yml", &witness("invariant_set", UNREACHABLE, " []"));
    let ran = craig(&["certify", &file, &path]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.starts_with("INVALID "), "{}", ran.stdout);
}

#[test]
fn a_witness_that_is_none_is_one_error_with_its_line() {
    let folder = Folder::new();
    let file = folder.write("f.c", LOOP.as_bytes());
    let good = String::from_utf8(witness(
        "invariant_set",
        UNREACHABLE,
        &loop_invariant(6, "1"),
    ))
    .unwrap();
    for (text, line) in [
        (good.replace("ILP32", "ILP16"), 8),
        (good.replace("line: 6,", "line: six,"), 13),
        (good.replace("  content:", "  content: ["), 11),
        (good.replace("invariant_set", "violation_sequence"), 1),
        ("<?xml version=\"1.0\"?><graphml/>\n".to_owned(), 1),
        (String::new(), 1),
    ] {
        let path = folder.write("bad.yml", text.as_bytes());
        let ran = craig(&["certify", &file, &path]);
        assert_eq!(ran.code, Some(2), "{text}\n{ran:?}");
        let start = format!("error: {path}:{line}:");
        assert!(ran.stderr.starts_with(&start), "{text}\n{}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
        assert_eq!(ran.stdout, "");
    }
    let ran = craig(&["certify", &file, &folder.path("none.yml")]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("none.yml"), "{}", ran.stderr);
}
