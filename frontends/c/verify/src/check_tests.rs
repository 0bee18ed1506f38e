//! Each check on small programs with known answers, one of each kind by each of the two engines; and
//! properties decided separately.

use std::path::PathBuf;

use craig_c_lang::types::DataModel;
use craig_mc::Alone;

use super::{
    Answer, Checks, Engine, ErrorPath, Options, PropertyPlace, Told, Unwinding, run, run_each,
    run_each_telling,
};
use crate::check::decide_each;

const HEAD: &str = "void *malloc(unsigned long); void *realloc(void *, unsigned long); void free(void *);\n\
    void *alloca(unsigned long); char *strcpy(char *, const char *); void exit(int); int abs(int);\n\
    int nondet_int(void); unsigned nondet_uint(void); double nondet_double(void);\n\
    struct pair { int a[3]; char c; unsigned bits : 3; };\n\
    int *local(void) { int x = 1; int *p = &x; return p; }\n";

fn write(text: &str) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("program.c");
    std::fs::write(&path, text).expect("it can be written");
    (directory, path)
}

/// The result of an engine with some checks: the error, or "safe", or "unknown".
pub(crate) fn said(body: &str, checks: Checks, engine: Engine) -> String {
    let (_directory, path) = write(&format!("{HEAD}int main(void) {{ {body} return 0; }}\n"));
    let options = Options {
        checks,
        engine,
        unwinding: Unwinding {
            most: Some(8),
            ..Unwinding::default()
        },
        ..Options::default()
    };
    match run(&path, &options, Alone::new().control())
        .expect("a report")
        .answer
    {
        Answer::Safe(_) => "safe".into(),
        Answer::Unsafe(found) => found.error,
        Answer::Unknown(reason) => format!("unknown: {reason}"),
    }
}

#[test]
fn each_check_finds_its_errors_and_nothing_else() {
    let cases = [
        ("overflow", "int x = nondet_int(); if (x > 0) x++;"),
        ("safe", "int x = nondet_int(); if (x > 0) x--;"),
        (
            "overflow",
            "int x = nondet_int(); if (x != 0) x = x % -1 + 7 / x;",
        ),
        ("overflow", "int x = nondet_int(); x = -x;"),
        (
            "safe",
            "int x = nondet_int();\n#pragma CPROVER check push\n\
             #pragma CPROVER check disable \"signed-overflow\"\nx++;\n#pragma CPROVER check pop\n",
        ),
        (
            "overflow",
            "int x = nondet_int();\n#pragma CPROVER check push\n\
             #pragma CPROVER check disable \"signed-overflow\"\n#pragma CPROVER check pop\nx++;",
        ),
        ("overflow", "int x = nondet_int(); x = abs(x);"),
        ("division", "int x = nondet_int(); x = 7 % x;"),
        ("shift", "int x = nondet_int(); x = 1 >> x;"),
        (
            "safe",
            "int x = nondet_int(); if (x >= 0 && x < 32) x = 1 >> x;",
        ),
        (
            "array",
            "int a[4]; int i = nondet_int(); if (i >= 0 && i <= 4) a[i] = 1;",
        ),
        (
            "safe",
            "int a[4]; int i = nondet_int(); if (i >= 0 && i < 4) a[i] = 1;",
        ),
        // A pointer one past the end is valid, but must not be dereferenced.
        (
            "safe",
            "int a[4]; int *end = &a[4]; int *p = a; while (p != end) *p++ = 0;",
        ),
        (
            "outside",
            "int a[4]; int *p = a; int n = nondet_int(); if (n == 4) p[n] = 1;",
        ),
        // Within the object, but outside of the array in it.
        (
            "array",
            "struct pair p; int i = nondet_int(); if (i == 3) p.a[i] = 1;",
        ),
        ("outside", "char *p = malloc(3); p[3] = 1; free(p);"),
        (
            "outside",
            "unsigned n = nondet_uint(); if (n > 5) n = 5; char *p = malloc(n); p[n] = 1; free(p);",
        ),
        (
            "safe",
            "unsigned n = nondet_uint(); if (n > 5) n = 5; char *p = malloc(n); if (n > 2) p[n - 1] = 1; \
             free(p);",
        ),
        ("outside", "char b[5]; strcpy(b, \"hello\");"),
        ("safe", "char b[6]; strcpy(b, \"hello\");"),
        (
            "null",
            "int *p = 0; if (nondet_int()) p = malloc(4); *p = 1; free(p);",
        ),
        (
            "null",
            "struct pair *p = 0; if (nondet_int() == 5) p->c = 1;",
        ),
        ("lifetime", "int *p = malloc(4); free(p); *p = 1;"),
        (
            "lifetime",
            "int *p = malloc(4); *p = 0; if (nondet_int()) free(p); *p = 1; free(p);",
        ),
        ("lifetime", "int *p = local(); *p = 1;"),
        ("lifetime", "int z; int *p = &z; { int x; p = &x; } *p = 1;"),
        (
            "lifetime",
            "int z; int *p = &z; while (1) { int x; p = &x; break; } *p = 1;",
        ),
        (
            "lifetime",
            "int z; int *p = &z; { int x; p = &x; goto out; } out: *p = 1;",
        ),
        (
            "safe",
            "int z; int *p = &z; { int x; p = &x; *p = 1; p = &z; goto out; } out: *p = 1;",
        ),
        (
            "lifetime",
            "int *p; int r = ({ int x = nondet_int(); p = &x; x; }); *p = r;",
        ),
        (
            "safe",
            "int z = 4, r = ({ int x = nondet_int(); int *p = &x; *p + z; }); struct pair q = ({ struct \
             pair h; h.c = 1; h; }); z = q.c;",
        ),
        (
            "lifetime",
            "int z; int *p = &z; int i = 0; while (nondet_int()) { if (i == 1) *p = 3; int x; p = &x; i = \
             1; }",
        ),
        (
            "freed",
            "int *p = malloc(4); free(p); if (nondet_int()) free(p);",
        ),
        ("freed", "int x; int *p = &x; free(p);"),
        ("freed", "int *p = malloc(8); p++; free(p);"),
        ("freed", "int *p = alloca(8); free(p);"),
        (
            "safe",
            "int *p = 0; free(p); p = malloc(4); *p = 2; p = realloc(p, 8); p[1] = 3; free(p);",
        ),
        (
            "never",
            "int *p = malloc(4); if (nondet_int() != 7) free(p);",
        ),
        (
            "never",
            "int *p = malloc(4); if (nondet_int()) exit(1); free(p);",
        ),
        (
            "safe",
            "int n = nondet_int(); int *p = malloc(4); while (n-- > 0) *p = n; free(p);",
        ),
        ("conversion", "unsigned u = nondet_uint(); short s = u;"),
        (
            "safe",
            "unsigned u = nondet_uint(); short s = (short)u; unsigned char c = u & 255;",
        ),
        ("conversion", "int x = nondet_int(); unsigned u = x;"),
        ("conversion", "struct pair p; p.bits = nondet_uint() & 8;"),
        (
            "conversion",
            "double d = nondet_double(); if (d > 5.0) { int x = d; }",
        ),
        (
            "safe",
            "double d = nondet_double(); if (d > -2147483649.0 && d < 2147483648.0) { int x = d; }",
        ),
    ];
    for (index, (expected, body)) in cases.iter().enumerate() {
        // Otherwise intermediate overflows would be found first.
        let checks = match *expected {
            "overflow" | "division" | "shift" | "conversion" => Checks::ALL,
            _ => Checks {
                overflow: false,
                conversion: body.contains("short s") || body.contains("double"),
                ..Checks::ALL
            },
        };
        let engine = if index % 2 == 0 {
            Engine::Portfolio
        } else {
            Engine::Model
        };
        let text = said(body, checks, engine);
        assert!(
            text.contains(expected),
            "expected {expected}, got {text}: {body}"
        );
    }
}

/// As CBMC has them: a negative operand of `<<` is an undefined shift, a result that its type does not have is an overflow.
#[test]
fn shifts_differences_and_unreachable_places_are_checked() {
    let (shift, overflow) = (
        Checks {
            shift: true,
            ..Checks::default()
        },
        Checks {
            overflow: true,
            ..Checks::default()
        },
    );
    let (difference, unreachable) = (
        Checks {
            difference: true,
            ..Checks::default()
        },
        Checks {
            unreachable: true,
            ..Checks::default()
        },
    );
    for (expected, checks, body) in [
        ("negative", shift, "int x = -1 << 1;"),
        ("negative", shift, "int x = nondet_int(); x <<= 0;"),
        (
            "negative",
            shift,
            "signed char c = nondet_int(); int x = c << 3;",
        ),
        (
            "safe",
            shift,
            "int x = nondet_int(); x = (x & 1) << 31 | x >> 3; x = (unsigned)x << 3;",
        ),
        (
            "safe",
            overflow,
            "int x = nondet_int(); if (x > -5 && x < 5) x = x << 2;",
        ),
        (
            "overflows",
            overflow,
            "int x = nondet_int(); x = (x & 1) << 31;",
        ),
        (
            "different",
            difference,
            "int a, b; int *p = &a, *q = &b; long d = p - q;",
        ),
        (
            "different",
            difference,
            "int a, *p = nondet_int() ? &a : 0; long d = &a - p;",
        ),
        (
            "safe",
            difference,
            "int a[4], n = nondet_int() & 3; long d = &a[n] - a; char *p = malloc(4); d = p + 4 - p;",
        ),
        (
            "unreachable",
            unreachable,
            "if (nondet_int() == 3) __builtin_unreachable();",
        ),
        (
            "unreachable",
            unreachable,
            "switch (nondet_int() & 3) { case 0: case 1: case 2: break; default: __builtin_unreachable(); }",
        ),
        (
            "safe",
            unreachable,
            "int x = nondet_int() & 3; if (x > 3) __builtin_unreachable();",
        ),
    ] {
        let text = said(body, checks, Engine::Portfolio);
        assert!(
            text.contains(expected),
            "expected {expected}, got {text}: {body}"
        );
    }
    // What is assumed is said.
    let text = "int main(void) { __builtin_unreachable(); }";
    let program = crate::tests::lowered(text, DataModel::Lp64).expect("the program is lowered");
    assert!(
        program
            .notes
            .iter()
            .any(|note| note.contains("unreachable"))
    );
}

#[test]
fn a_check_that_is_not_asked_for_finds_nothing() {
    for body in [
        "int x = nondet_int(); x++; x = 1 << x; int *p = malloc(4); short s = x;",
        "int *p = malloc(4); free(p); free(p); int a[2]; int i = nondet_int(); if (i == 2) a[i] = 0;",
    ] {
        assert_eq!(
            said(body, Checks::default(), Engine::Portfolio),
            "safe",
            "{body}"
        );
    }
    // A check does not report the errors of other checks.
    let only = Checks {
        pointer: true,
        ..Checks::default()
    };
    let body = "int a[2]; int *p = a; int i = nondet_int(); if (i == 1) p[i] = 0; i++;";
    assert_eq!(said(body, only, Engine::Portfolio), "safe");
}

#[test]
fn properties_have_verdicts_of_their_own() {
    let (_directory, path) = write(
        "int nondet_int(void); void assert(int);\nint main(void) {\n  int x = nondet_int();\n\
         \x20 assert(x != 3);\n  assert(x == 3 || x != 5);\n  if (x > 5)\n    assert(x > 4);\n  x = x + 1;\n\
         \x20 assert(x != 4);\n  if (x * x == 2) { ERROR: return 1; }\n  return 0;\n}\n",
    );
    let options = Options {
        checks: Checks {
            overflow: true,
            ..Checks::default()
        },
        ..Options::default()
    };
    let reports = run_each(&path, &options, Alone::new().control()).expect("reports");
    let verdicts: Vec<(u32, &str)> = reports
        .iter()
        .map(|found| {
            let verdict = match &found.report.answer {
                Answer::Safe(_) => "safe",
                Answer::Unsafe(_) => "unsafe",
                Answer::Unknown(_) => "unknown",
            };
            (found.place.line, verdict)
        })
        .collect();
    // The assertion of line 9 cannot fail by itself: the previous one has ended the program. The
    // multiplication of line 10 overflows, and so does the addition of line 8.
    let expected = [
        (4, "unsafe"),
        (5, "unsafe"),
        (7, "safe"),
        (8, "unsafe"),
        (9, "safe"),
        (10, "safe"),
        (10, "unsafe"),
    ];
    let mut sorted = verdicts.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, expected, "{reports:?}");
    // The properties are named first, and each report is told once, under its number in that list.
    let mut told = Vec::new();
    let mut places = Vec::new();
    let mut tell = |event: Told| match event {
        Told::Begin(all) => places = all,
        Told::Decided(number, report) => told.push((number, report.place)),
    };
    let again =
        run_each_telling(&path, &options, Alone::new().control(), &mut tell).expect("reports");
    assert!(told.iter().all(|(number, place)| places[*number] == *place));
    told.sort_by_key(|(number, _)| *number);
    let numbers: Vec<usize> = told.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (0..expected.len()).collect::<Vec<_>>());
    let of_reports: Vec<&PropertyPlace> = again.iter().map(|report| &report.place).collect();
    assert_eq!(of_reports, places.iter().collect::<Vec<_>>());
    for found in &reports {
        if let Answer::Unsafe(ErrorPath { error, path }) = &found.report.answer {
            assert_eq!(*error, found.place.text);
            assert_eq!(path.last().map(|step| step.line), Some(found.place.line));
        }
    }
}

#[test]
fn lines_are_reached_or_not() {
    let text = "int nondet_int(void);\nint main(void) {\n  int x = nondet_int();\n  if (x * x == 49)\n    x \
                = 3;\n\
        \x20 if (x * x == 2)\n    x = 5;\n  assert(x == 9);\n  return 0;\n}\n";
    let (_directory, path) = write(text);
    let name = path.display().to_string();
    let answer = |line: u32| {
        let options = Options {
            cover: vec![(name.clone(), line)],
            ..Options::default()
        };
        run(&path, &options, Alone::new().control()).map(|report| report.answer)
    };
    assert!(matches!(answer(5), Ok(Answer::Unsafe(_))));
    assert!(matches!(answer(7), Ok(Answer::Safe(_))));
    // An assertion that fails ends the program before line 9, but not always.
    assert!(matches!(answer(9), Ok(Answer::Unsafe(_))));
    // A line without a statement is an input error.
    assert!(answer(1).is_err() && answer(77).is_err());
}

#[test]
fn limits_on_unrolling_bind_loops_and_recursion() {
    let (_directory, path) = write(&format!(
        "{HEAD}int sum(int n) {{ return n == 0 ? 0 : n + sum(n - 1); }}\n\
         int main(void) {{ int s = 0; for (int i = 0; i < 3; i++) s++; int t = 0;\n\
         for (int i = 0; i < 10; i++) t++; if (sum(4) != 10) return 1; if (t == 10 && s == 3) abs(1 / (t - \
         10)); return 0; }}\n"
    ));
    let said = |most: Option<u32>, single: &[&str]| {
        let options = Options {
            checks: Checks {
                division: true,
                ..Checks::default()
            },
            engine: Engine::Unwind,
            unwinding: Unwinding {
                most,
                single: (single.iter())
                    .map(|limit| limit.parse().expect("a limit"))
                    .collect(),
                hints: Vec::new(),
            },
            ..Options::default()
        };
        match run(&path, &options, Alone::new().control()) {
            Ok(report) => match report.answer {
                Answer::Safe(_) => "safe".to_string(),
                Answer::Unsafe(_) => "unsafe".into(),
                Answer::Unknown(reason) => reason.to_string(),
            },
            Err(failure) => format!("{failure:?}"),
        }
    };
    assert_eq!(said(None, &[]), "unsafe");
    assert_eq!(said(Some(10), &[]), "unsafe");
    let short = said(Some(9), &[]);
    assert!(short.contains("the loop main.1 goes on"), "{short}");
    // The error needs 3 and 10 iterations, and 5 nested calls.
    assert_eq!(said(Some(2), &["main.0:3", "main.1:10", "sum:5"]), "unsafe");
    assert!(said(None, &["main.0:2"]).contains("the loop main.0 goes on"));
    assert!(said(None, &["sum:4"]).contains("the recursion of `sum` goes on"));
    assert!(said(None, &["main.2:4"]).contains("there are 2"));
    assert!(said(None, &["add:4"]).contains("no such function"));
}

#[test]
fn allocated_objects_are_told_apart() {
    let (_directory, path) = write(&format!(
        "{HEAD}int main(void) {{ int *p = malloc(4); int *q = malloc(4); *p = 1; *q = 2; if (*p + *q == 3) \
         abs(1 / (*p - 1)); return 0; }}\n"
    ));
    let options = Options {
        checks: Checks {
            division: true,
            ..Checks::default()
        },
        ..Options::default()
    };
    let report = run(&path, &options, Alone::new().control()).expect("a report");
    let Answer::Unsafe(ErrorPath { path, .. }) = report.answer else {
        panic!("{:?}", report.answer);
    };
    let texts: Vec<&str> = path.iter().map(|step| step.text.as_str()).collect();
    for expected in [
        "p = allocated object 1",
        "q = allocated object 2",
        "allocated object 2 = 2",
    ] {
        assert!(texts.contains(&expected), "{expected}: {texts:?}");
    }
}

#[test]
fn a_division_that_nobody_asks_about_is_noted() {
    let noted = |body: &str, checks: Checks| {
        let (_directory, path) = write(&format!("{HEAD}int main(void) {{ {body} return 0; }}\n"));
        let options = Options {
            checks,
            ..Options::default()
        };
        let report = run(&path, &options, Alone::new().control()).expect("a report");
        assert!(matches!(report.answer, Answer::Safe(_)));
        let notes = report.notes.iter();
        notes
            .filter(|note| note.contains("division by zero"))
            .count()
    };
    let twice = "int x = nondet_int(), y = 7 % x; if (x == 3 && y / x != 0) abs(1 / (x - 3));";
    assert_eq!(noted(twice, Checks::default()), 1);
    assert_eq!(noted("int x = nondet_int() / 3;", Checks::default()), 0);
    let division = Checks {
        division: true,
        ..Checks::default()
    };
    assert_eq!(
        noted("int x = nondet_int(); if (x > 0) x = 5 / x;", division),
        0
    );
}

/// Without a limit on the time, a property that no engine decides does not hold up one that is easy to prove. The first number is
/// a prime, so that the first mark is unreachable.
#[test]
fn a_hard_property_does_not_hold_up_an_easy_one() {
    let text = "unsigned nondet_uint(void); void reach_error(void);\n\
        int main(void) { unsigned a = nondet_uint(), b = nondet_uint();\n\
        if (a > 1 && b > 1 && (unsigned long)a * b == 10165969443890632109u) reach_error();\n\
        if (a % 8 > 7) reach_error(); }";
    let program = crate::tests::program(text, craig_c_lang::types::DataModel::Lp64);
    let alone = Alone::new();
    let control = alone.control();
    let patience = alone.stop.clone();
    // If the easy one is held up, the search has to end some time.
    std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_secs(90));
        patience.cancel();
    });
    let mut lines = Vec::new();
    let left = craig_c_lang::property::properties(&program);
    let options = Options::default();
    let reports = decide_each(&program, left, &options, control, &mut |property, _, _| {
        lines.push(property.at.line);
        control.stop.cancel();
    });
    assert_eq!(lines, [4, 3]);
    let reports = reports.expect("reports");
    assert!(matches!(reports[1].1.answer, Answer::Safe(_)));
}
