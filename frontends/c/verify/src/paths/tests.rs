//! Tests of execution path by path: small programs right and wrong, and what ends the search.

use super::*;
use crate::tests::alone;
use craig_c_lang::types::DataModel;
use craig_mc::Alone;

const HEAD: &str = "int nondet_int(void); char nondet_char(void); void reach_error(void); void *malloc(unsigned long);";

fn checked(text: &str, effort: Effort) -> Verdict {
    let text = format!("{HEAD}{text}");
    let program = crate::tests::program(&text, DataModel::Lp64);
    check(
        &program,
        &Unwinding::default(),
        effort,
        Alone::new().control(),
    )
}

/// 's', 'u', or why there is no answer.
fn verdict(text: &str) -> String {
    match checked(text, alone()) {
        Ok(Found::Safe(_)) => "s".into(),
        Ok(Found::Unsafe(_)) => "u".into(),
        Ok(Found::Unknown(reason)) => reason.to_string(),
        Err(error) => panic!("{error}"),
    }
}

/// Programs that are right with `OK` for `true` and wrong for `false`.
const PAIRS: [(&str, &str); 9] = [
    (
        "insertion sort",
        "int main(void) { int a[3]; for (int i = 0; i < 3; i++) a[i] = nondet_int();
         for (int i = 1; i < 3; i++) { int v = a[i], j = i;
           while (j > 0 && a[j - 1] > v) { a[j] = a[j - 1]; j--; } a[OK ? j : 0] = v; }
         if (a[0] > a[1] || a[1] > a[2]) reach_error(); return 0; }",
    ),
    (
        "quicksort",
        "static void sort(int *a, int low, int high) { if (low >= high) return; int p = a[high], i = low;
           for (int j = low; j < high; j++) if (a[j] < p) { int t = a[i]; a[i] = a[j]; a[j] = t; i++; }
           a[high] = a[i]; a[i] = p; sort(a, low, i - 1); sort(a, OK ? i + 1 : i + 2, high); }
         int main(void) { int a[4]; for (int i = 0; i < 4; i++) a[i] = nondet_int(); sort(a, 0, 3);
         for (int i = 0; i < 3; i++) if (a[i] > a[i + 1]) reach_error(); return 0; }",
    ),
    (
        "scanner",
        "int main(void) { char text[4]; for (int i = 0; i < 3; i++) text[i] = nondet_char(); text[3] = 0;
         int words = 0, i = 0; while (text[i]) { while (text[i] == ' ') i++; if (text[i]) words++;
           while (text[i] && text[i] != ' ') i++; }
         if (words > (OK ? 2 : 1)) reach_error(); return 0; }",
    ),
    (
        "tree",
        "struct n { struct n *l, *r; int v; };
         static void add(struct n **at, int v) { while (*at) at = v < (*at)->v ? &(*at)->l : &(*at)->r;
           struct n *new = malloc(sizeof *new); new->l = new->r = 0; new->v = v; *at = new; }
         static int last; static void walk(struct n *at) { if (!at) return; walk(at->l);
           if (OK ? at->v < last : at->v <= last) reach_error(); last = at->v; walk(at->r); }
         int main(void) { struct n *root = 0; last = -2147483647 - 1; for (int i = 0; i < 3; i++) add(&root, nondet_int());
         walk(root); return 0; }",
    ),
    (
        "recursion",
        "static int ones(unsigned n) { if (!n) return 0; return ones(n & (n - 1)) + 1; }
         int main(void) { unsigned n = nondet_int(); n &= 7; if (ones(n) > (OK ? 3 : 2)) reach_error(); return 0; }",
    ),
    (
        "a pointer chosen by data",
        "int x = 1, y = 2; int main(void) { int *p = nondet_int() ? &x : &y, *q = nondet_int() > 3 ? &x : &y;
         *p = 7; if (*q == (OK ? 9 : 7) && p != q) reach_error(); if (!OK && x == 7 && q == &x) reach_error(); return 0; }",
    ),
    (
        "assumptions that exclude a side",
        "void __VERIFIER_assume(int); int main(void) { int n = nondet_int(); __VERIFIER_assume(n > 3);
         if (n < (OK ? 4 : 5)) reach_error(); if (n < 2) { int a[2]; a[n * n] = 1; } return 0; }",
    ),
    (
        "an error behind a side that no run takes",
        "int main(void) { int n = nondet_int(); if (n > 5) { if (n < 3) reach_error(); if (n == 9) { if (!OK) reach_error(); } }
         return 0; }",
    ),
    (
        "goto",
        "int main(void) { int n = nondet_int() & 3, i = 0; again: if (i == n) goto done; i++; goto again;
         done: if (i > (OK ? 3 : 2)) reach_error(); return 0; }",
    ),
];

#[test]
fn small_programs_are_decided() {
    for (name, text) in PAIRS {
        for (ok, expected) in [("1", "s"), ("0", "u")] {
            let text = text.replace("OK", ok);
            assert_eq!(verdict(&text), expected, "{name}, {ok}");
        }
    }
}

/// Functions of which one is called by data, and sums of the same numbers in another order.
#[test]
fn calls_and_sums_are_followed() {
    let text = "static int up(int x) { return x + 1; } static int down(int x) { return x - 1; }
        int main(void) { int n = nondet_int(), m = nondet_int(), k = nondet_int();
        int (*f)(int) = n > m ? up : down; if (f(5) == 5) reach_error();
        long s = 0, t = 0; long a[3] = {n, m, k}; for (int i = 0; i < 3; i++) { s += a[i]; t += a[2 - i]; }
        if (s != t) reach_error(); return 0; }";
    assert_eq!(verdict(text), "s");
    assert_eq!(verdict(&text.replace("a[2 - i]", "a[i / 2]")), "u");
}

/// What is unsupported on one path alone leaves the program open, if a run comes there; an error elsewhere is found.
#[test]
fn unsupported_constructs_count_where_runs_come() {
    let text = "int main(void) { int n = nondet_int(); if (n == 3) { if (REACHED) __asm__(\"hlt\"); } if (n == ERROR) reach_error();
        return 0; }";
    let with = |reached: &str, error: &str| {
        verdict(&text.replace("REACHED", reached).replace("ERROR", error))
    };
    let found = with("n < 5", "n + 1");
    assert!(
        found.contains("test.c:") && found.contains("assembly"),
        "{found}"
    );
    assert_eq!(with("n > 5", "n + 1"), "s");
    assert_eq!(with("n < 5", "4"), "u");
}

/// Where no run ends, the proof says so; where one does, it does not.
#[test]
fn proofs_of_nothing_have_a_warning() {
    let text = |text: &str| match checked(text, alone()) {
        Ok(Found::Safe(safety)) => safety.text,
        found => panic!("{found:?}"),
    };
    let assume =
        "void __VERIFIER_assume(int); int main(void) { int n = nondet_int(); if (n < 3) n = 7 - n;
        __VERIFIER_assume(n ASSUMED); if (n == 2) reach_error(); return 0; }";
    assert!(text(&assume.replace("ASSUMED", "< -7 && n > 9")).contains("warning"));
    let found = text(&assume.replace("ASSUMED", "> 2"));
    assert!(
        !found.contains("warning") && found.contains("(2)"),
        "{found}"
    );
}

/// Paths without end, and too many of them, are no answer, and the reason says what there was too much of.
#[test]
fn endless_and_many_paths_are_given_up() {
    let endless = "int main(void) { unsigned n = 0; while (nondet_int()) { n++; if (n > 100000000) reach_error(); } return 0; }";
    let few = Effort {
        most: 100,
        first: 20,
        most_iterations: 1 << 10,
        ..alone()
    };
    let reason = |text: &str, effort| match checked(text, effort) {
        Ok(Found::Unknown(reason)) => reason.to_string(),
        found => panic!("{found:?}"),
    };
    let found = reason(endless, few);
    assert!(found.contains("more than 100 paths"), "{found}");
    let many = "int main(void) { int n = 0; for (int i = 0; i < 12; i++) if (nondet_int()) n += i; if (n > 999) reach_error(); }";
    let found = reason(many, few);
    assert!(found.contains("about 4096 paths"), "{found}");
    // A limit of the user's that does not cover all paths.
    let program = crate::tests::program(
        &format!(
            "int nondet_int(void); {}",
            endless.replace("reach_error();", ";")
        ),
        DataModel::Lp64,
    );
    let unwinding = Unwinding {
        most: Some(3),
        ..Unwinding::default()
    };
    let found = check(&program, &unwinding, few, Alone::new().control());
    assert!(
        matches!(&found, Ok(Found::Unknown(reason)) if reason.to_string().contains("main.0 goes on")),
        "{found:?}"
    );
    // And one that does.
    let text = "int nondet_int(void); void reach_error(void); int main(void) { int i, n = nondet_int() & 3; for (i = 0; i < n; i++) ;
        if (i > 3) reach_error(); return 0; }";
    let program = crate::tests::program(text, DataModel::Lp64);
    let unwinding = Unwinding {
        most: Some(4),
        ..Unwinding::default()
    };
    assert!(matches!(
        check(&program, &unwinding, few, Alone::new().control()),
        Ok(Found::Safe(_))
    ));
}

/// Deep loops and recursion are followed with larger bounds.
#[test]
fn bounds_grow() {
    let text = "int main(void) { unsigned n = nondet_int(), i = 0; if (n > 40) return 0; while (i < n) i++; if (i == LAST) reach_error();
        return 0; }";
    assert_eq!(verdict(&text.replace("LAST", "41")), "s");
    assert_eq!(verdict(&text.replace("LAST", "40")), "u");
    let deep = "static int depth(int n) { return n <= 0 ? 0 : depth(n - 1) + 1; }
        int main(void) { if (depth(20) != DEPTH) reach_error(); return 0; }";
    assert_eq!(verdict(&deep.replace("DEPTH", "20")), "s");
    assert_eq!(verdict(&deep.replace("DEPTH", "21")), "u");
}
