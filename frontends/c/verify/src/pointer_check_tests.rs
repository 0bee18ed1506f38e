//! Checks of where pointers lead, and of what is accessed through them.

use crate::check_tests::said;
use crate::options::Engine;
use craig_c_lang::lower::Checks;

/// The bounds of an object are those of what its pointers access, too (CBMC's "pointer outside object bounds").
#[test]
fn accesses_through_pointers_stay_in_their_objects() {
    let checks = Checks {
        pointer: true,
        ..Checks::default()
    };
    for (expected, body) in [
        ("safe", "char *c = malloc(3); c[2] = 1; free(c);"),
        ("outside", "char *c = malloc(3); c[3] = 1; free(c);"),
        (
            "outside",
            "int a[2] = {0}; int n = nondet_int(); if (n >= 0 && n <= 2) { int *p = a; p[n] = 1; }",
        ),
        (
            "outside",
            "char t[2] = {'a', 'b'}; unsigned long n = 0; while (t[n]) n++;",
        ),
    ] {
        let text = said(body, checks, Engine::Portfolio);
        assert!(
            text.contains(expected),
            "expected {expected}, got {text}: {body}"
        );
    }
}

#[test]
fn pointers_do_not_leave_their_objects() {
    let checks = Checks {
        arithmetic: true,
        ..Checks::default()
    };
    let n = "int n = nondet_int();";
    for (expected, body) in [
        (
            "safe",
            "int a[4]; int *p = a + 4; p -= 4; p = &a[4]; char *c = malloc(3); c += 3; int *z = 0; z += 0;",
        ),
        (
            "safe",
            "int a[4]; if (n >= 0 && n <= 4) { int *p = a + n; p = p - n; }",
        ),
        (
            "leaves",
            "int a[4]; if (n >= 0 && n <= 5) { int *p = a + n; }",
        ),
        ("leaves", "int a[4]; int *p = a; p--;"),
        ("leaves", "int a[4]; int *p = &a[n & 7];"),
        ("leaves", "int a[4]; int *p = a + (1ul << 62);"),
        ("leaves", "char *c = malloc(3); c += 4;"),
        ("leaves", "int *z = 0; z += 1;"),
        (
            "safe",
            "int a[4], s = 0; for (int *p = a; p < a + 4; p++) s++;",
        ),
        (
            "leaves",
            "int a[4], s = 0; for (int *p = a; p <= a + 4; p++) s++;",
        ),
    ] {
        let body = format!("{n} {body}");
        let text = said(&body, checks, Engine::Portfolio);
        assert!(
            text.contains(expected),
            "expected {expected}, got {text}: {body}"
        );
    }
}
