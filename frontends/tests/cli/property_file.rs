//! `craig check FILE.c --property FILE.prp`.

use crate::run::{Folder, craig, example};

fn property(formulas: &[&str]) -> Vec<u8> {
    let lines = formulas
        .iter()
        .map(|formula| format!("CHECK( init(main()), LTL(G {formula}) )\n"));
    lines.collect::<String>().into_bytes()
}

const UNREACHABLE: &[&str] = &["! call(reach_error())"];
const MEMORY: &[&str] = &["valid-free", "valid-deref", "valid-memtrack"];
const CLEANUP: &[&str] = &["valid-memcleanup"];
const OVERFLOW: &[&str] = &["! overflow"];

/// Each program with a property and the exit code.
#[test]
fn properties_are_those_of_the_file() {
    let folder = Folder::new();
    let head = "int nondet_int(void); void *malloc(unsigned long); void free(void *); void abort(void);\n\
                extern void __assert_fail(const char *, const char *, unsigned, const char *);\n";
    let reach = "void reach_error(void) { __assert_fail(\"0\", \"f.c\", 3, \"reach_error\"); }\n";
    let silent = "void reach_error(void) { }\n";
    let cases: &[(&str, &str, &[&str], i32)] = &[
        // Only calls of the named function count.
        (
            reach,
            "if (nondet_int() == 7) reach_error(); return 0;",
            UNREACHABLE,
            10,
        ),
        (
            reach,
            "__assert_fail(\"0\", \"f.c\", 3, \"main\"); return 0;",
            UNREACHABLE,
            20,
        ),
        (
            reach,
            "if (nondet_int() > 3) { ERROR: return 1; } return 0;",
            UNREACHABLE,
            20,
        ),
        (
            reach,
            "int x = nondet_int(); return x + 1;",
            UNREACHABLE,
            20,
        ),
        // Through a pointer, too.
        (
            reach,
            "void (*f)(void) = nondet_int() ? reach_error : abort; f(); return 0;",
            UNREACHABLE,
            10,
        ),
        // Calls of error marks are no error for other properties; their effects are still executed.
        (
            reach,
            "int x = nondet_int(); if (x == 7) reach_error(); return 0;",
            OVERFLOW,
            20,
        ),
        (
            reach,
            "int x = nondet_int(); if (x == 2147483647) reach_error(); return x + 1;",
            OVERFLOW,
            20,
        ),
        (
            silent,
            "int x = nondet_int(); if (x == 2147483647) reach_error(); return x + 1;",
            OVERFLOW,
            10,
        ),
        (reach, "int x = nondet_int(); return x + 1;", OVERFLOW, 10),
        (
            reach,
            "int x = nondet_int(); if (x >= 0 && x < 8) x = 1 << x; return 0;",
            OVERFLOW,
            20,
        ),
        (
            reach,
            "int x = nondet_int(); if (x >= 0 && x < 32) x = 1 << x; return 0;",
            OVERFLOW,
            10,
        ),
        (
            reach,
            "int x = nondet_int(); if (x > -9 && x < 9) x = x << 4; return 0;",
            OVERFLOW,
            20,
        ),
        // Memory: objects as a whole, not rows of arrays.
        (
            reach,
            "int a[2][2]; int i = nondet_int(); if (i >= 0 && i < 4) a[0][i] = 1; return 0;",
            MEMORY,
            20,
        ),
        (
            reach,
            "int a[2][2]; int i = nondet_int(); if (i >= 0 && i < 5) a[0][i] = 1; return 0;",
            MEMORY,
            10,
        ),
        (
            reach,
            "int *p = malloc(4); free(p); *p = 1; return 0;",
            MEMORY,
            10,
        ),
        (
            reach,
            "int *p = malloc(4); free(p); free(p); return 0;",
            MEMORY,
            10,
        ),
        (
            reach,
            "int *p = malloc(4); *p = 1; free(p); return 0;",
            MEMORY,
            20,
        ),
        (
            reach,
            "int *p = 0; if (nondet_int()) *p = 1; return 0;",
            MEMORY,
            10,
        ),
        (reach, "int x = nondet_int(); return x + 1;", MEMORY, 20),
        // Memory that only `main` pointed to is lost at its end; memory that a global points to is not.
        (reach, "int *p = malloc(4); *p = 1; return 0;", MEMORY, 10),
        ("int *kept;\n", "kept = malloc(4); return 0;", MEMORY, 30),
        ("int *kept;\n", "kept = malloc(4); return 0;", CLEANUP, 10),
        (
            "int *kept;\n",
            "kept = malloc(4); free(kept); return 0;",
            CLEANUP,
            20,
        ),
        // Lost again and again, in a run without end.
        (
            reach,
            "int *p = malloc(4); while (1) p = malloc(4); return 0;",
            MEMORY,
            30,
        ),
        (
            reach,
            "int *p = malloc(4); p = malloc(4); if (nondet_int()) abort(); free(p); return 0;",
            MEMORY,
            10,
        ),
        (
            reach,
            "int *p = malloc(4); p = malloc(4); abort(); return 0;",
            MEMORY,
            30,
        ),
    ];
    for (index, (before, body, formulas, code)) in cases.iter().enumerate() {
        let text = format!("{head}{before}int main(void) {{ {body} }}\n");
        let file = folder.write(&format!("{index}.c"), text.as_bytes());
        let path = folder.write("asked.prp", &property(formulas));
        let ran = craig(&["check", &file, "--property", &path, "--timeout", "10", "-q"]);
        assert_eq!(ran.code, Some(*code), "{body} {formulas:?}: {ran:?}");
    }
}

/// Each way that follows all runs to their ends shows that there are these.
#[test]
fn unrolling_and_paths_show_that_no_memory_is_lost() {
    let folder = Folder::new();
    let text = "void *malloc(unsigned long); void free(void *);\nint main(void) { int *p = malloc(4); *p = 1; free(p); return 0; }\n";
    let file = folder.write("f.c", text.as_bytes());
    let path = folder.write("asked.prp", &property(MEMORY));
    for way in ["unwind", "paths"] {
        let ran = craig(&["check", &file, "--property", &path, "--c-engine", way, "-q"]);
        assert_eq!(ran.code, Some(20), "{way}: {ran:?}");
    }
}

#[test]
fn witnesses_name_the_property() {
    let folder = Folder::new();
    let path = folder.write("unreach-call.prp", &property(&["! call(stop())"]));
    let witness = folder.path("w.yml");
    for (condition, code) in [("x > 3", 10), ("x > 3 && x < 2", 20)] {
        let text = format!(
            "int nondet_int(void); void stop(void);\nint main(void)\n{{\n  int x = nondet_int();\n\
             \x20 if ({condition}) stop();\n  return 0;\n}}\n"
        );
        let file = folder.write("f.c", text.as_bytes());
        let ran = craig(&["check", &file, "--property", &path, "--witness", &witness]);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        let text = std::fs::read_to_string(&witness).unwrap();
        let wanted = "specification: 'CHECK( init(main()), LTL(G ! call(stop())) )'";
        assert!(text.contains(wanted), "{text}");
    }
}

#[test]
fn bad_property_files_are_faults_of_the_input() {
    let folder = Folder::new();
    let file = example("average_safe.c");
    let good = folder.write("good.prp", &property(OVERFLOW));
    let termination = folder.write("termination.prp", b"CHECK( init(main()), LTL(F end) )\n");
    let broken = folder.write("broken.prp", b"\nCHECK( init(main()), LTL(G ! overflow\n");
    let circuit = example("fifo_safe.aag");
    let cases: &[(&[&str], String)] = &[
        (
            &["check", &file, "--property", &termination],
            format!("error: {termination}:1: termination (`F end`) is not supported"),
        ),
        (
            &["check", &file, "--property", &broken],
            format!("error: {broken}:2: expected `)`, found the end of the file"),
        ),
        (
            &["check", &file, "--property", "gone.prp"],
            "error: gone.prp: can't be read".into(),
        ),
        (
            &["check", &file, "--property", &good, "--check", "div"],
            "error: `--check` and a property file".into(),
        ),
        (
            &["check", &circuit, "--property", &good],
            format!("error: {good}: property files are"),
        ),
        (
            &["check", &circuit, "--property", "one"],
            "error: invalid value 'one'".into(),
        ),
    ];
    for (arguments, message) in cases {
        let ran = craig(arguments);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert_eq!(ran.stdout, "");
        assert!(ran.stderr.starts_with(message), "{message}: {}", ran.stderr);
    }
}
