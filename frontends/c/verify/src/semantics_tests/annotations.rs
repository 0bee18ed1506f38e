//! Annotations: contracts, invariants, measures and assigned objects.

use crate::automaton::Extent;
use crate::tests::{looped, unwound};
use craig_c_lang::types::DataModel;
use craig_model::Stop;
use craig_program::line_up::Stages;

/// An annotation is a property: a wrong one is an error, and nothing follows from it.
#[test]
fn annotations_are_checked_and_never_assumed() {
    for (text, right) in [
        (
            "int main(void) { unsigned n = nondet_uint(), i = 0, s = 0; while (i < n) __CPROVER_loop_invariant(s == 2 * i && i <= n) { i++; s += 2; }
             assert(s == 2 * n); return 0; }",
            's',
        ),
        // Wrong at the start, after a step, and when the loop ends; a wrong one makes nothing safe.
        (
            "int main(void) { int i = 0; while (i < 5) __CPROVER_loop_invariant(i > 0) i++; return 0; }",
            'u',
        ),
        (
            "int main(void) { int i = 0; for (; i < 5; i++) __CPROVER_assigns(i) __CPROVER_loop_invariant(i < 3) { } return 0; }",
            'u',
        ),
        (
            "int main(void) { int i = 0; while (i < 5) __CPROVER_loop_invariant(i < 5) i++; return 0; }",
            'u',
        ),
        (
            "int main(void) { int i = 0; do __CPROVER_loop_invariant(i < 5) __CPROVER_decreases(5 - i) { i++; } while (i < 5); assert(i == 5); return 0; }",
            's',
        ),
        (
            "int main(void) { int x = nondet_int(); for (int i = 0; i < 2; i++) __CPROVER_loop_invariant(0) { } assert(x != 3); return 0; }",
            'u',
        ),
        // A division by 0 would end the run; a side effect would change it.
        (
            "int main(void) { int x = nondet_int(); while (x) __CPROVER_loop_invariant(1 / (x - 3) < 9) { assert(x != 3); x = 0; } return 0; }",
            '?',
        ),
        (
            "int main(void) { int x = nondet_int(); while (x) __CPROVER_loop_invariant((x = 1)) { assert(x == 1); x = 0; } return 0; }",
            '?',
        ),
        (
            "int g; int f(int a) __CPROVER_requires(a > 0) __CPROVER_assigns(g) __CPROVER_ensures(__CPROVER_return_value == a + 1 && g == __CPROVER_old(g) + a)
             { int old = g; g += a; a++; { int g = 7; if (g) return a; } return 0; } int main(void) { g = nondet_int(); assert(f(2) == 3); return 0; }",
            's',
        ),
        (
            "int g; int f(void) __CPROVER_ensures(__CPROVER_old(g++) == 0) { return g; } int main(void) { assert(f() == 1); return 0; }",
            '?',
        ),
        (
            "int f(int a) __CPROVER_requires(a > 0) { return a; } int main(void) { return f(nondet_int()); }",
            'u',
        ),
        (
            "int f(int a) __CPROVER_ensures(__CPROVER_return_value > a) { return a + 1; } int main(void) { f(nondet_int()); return 0; }",
            'u',
        ),
        (
            "int g; void f(int *p) __CPROVER_ensures(*p == 4 || g == 1) { if (!*p) return; *p = 4; } int main(void) { int x = nondet_int(); if (x) f(&x); return 0; }",
            's',
        ),
    ] {
        let found = [unwound(text), looped(text)];
        assert!(found.contains(&right), "{found:?} {text}");
        assert!(found.iter().all(|&verdict| verdict == right || verdict == '?'), "{found:?} {text}");
    }
}

/// A measure falls with each iteration, and a write goes where it may; what cannot be decided is refused.
#[test]
fn measures_and_assigned_objects_are_checked() {
    let head = "int g, h, t[4]; struct s { int a, b; } r; int *p = &g; void set(void) { g = 1; } void *malloc(unsigned long); void free(void *);
        void wild(int *q) { *q = 1; } int pure(int a) { int b = a; b++; return b; } ";
    let main = |body: &str| format!("int main(void) {{ {body} return 0; }}");
    let both =
        |functions: &str, body: &str| format!("{functions} int main(void) {{ {body} return 0; }}");
    for (text, right) in [
        (
            main("unsigned n = nondet_uint(); while (n) __CPROVER_decreases(n) n = n / 2;"),
            's',
        ),
        (
            main("int i = nondet_int(); while (i > 0) __CPROVER_decreases(i) i--;"),
            's',
        ),
        (
            main("int i = nondet_int(); while (i != 0) __CPROVER_decreases(i) i--;"),
            'u',
        ),
        (
            main("for (int i = 0; i < 9; i++) __CPROVER_decreases(i) { }"),
            'u',
        ),
        (
            main(
                "for (int i = 0; i < 9; i++) __CPROVER_decreases(9 - i) { if (i == 5) continue; }",
            ),
            's',
        ),
        (
            main(
                "for (int i = 0; i < 9; i++) __CPROVER_decreases(9 - i) { if (nondet_int()) i--; }",
            ),
            'u',
        ),
        (
            main("int i = 3; do __CPROVER_decreases(i) { i--; } while (i > 0);"),
            's',
        ),
        (
            main("int i = 3; do __CPROVER_decreases(i) { i--; } while (i > -3);"),
            'u',
        ),
        // Only the last evaluation may be negative, and an inner loop starts anew with each outer iteration.
        (
            main(
                "int i = 4; while (i >= 0) __CPROVER_decreases(i) { int j = 3; while (j) __CPROVER_decreases(j) j--; i -= 2; }",
            ),
            's',
        ),
        (
            main(
                "int a = 3, b = 0; while (a) __CPROVER_decreases(a, b) { if (b) b--; else { a--; b = 5; } }",
            ),
            's',
        ),
        (
            main(
                "int a = 3, b = 0; while (a) __CPROVER_decreases(b, a) { if (b) b--; else { a--; b = 5; } }",
            ),
            'u',
        ),
        (
            main("double d = 3; while (d > 0) __CPROVER_decreases(d) d = d - 1;"),
            '?',
        ),
        (
            both("int f(int a) __CPROVER_decreases(a) { return a; }", "f(1);"),
            '?',
        ),
        // Functions.
        (
            both(
                "void f(int a) __CPROVER_assigns(g, r.a) { int l[2]; l[a & 1] = a; a = 3; g = a; r.a = l[0]; }",
                "f(1);",
            ),
            's',
        ),
        (
            both(
                "void f(void) __CPROVER_assigns(g) { if (g) h = 1; }",
                "g = nondet_int(); f();",
            ),
            'u',
        ),
        (
            both(
                "void f(void) __CPROVER_assigns(g) { if (g) h = 1; }",
                "f();",
            ),
            's',
        ),
        (
            both("void f(void) __CPROVER_assigns() { g = 1; }", "f();"),
            'u',
        ),
        (
            both(
                "void f(int i) __CPROVER_assigns(t[1]) { t[i] = 1; }",
                "f(1);",
            ),
            's',
        ),
        (
            both(
                "void f(int i) __CPROVER_assigns(t[1]) { t[i] = 1; }",
                "f(2);",
            ),
            'u',
        ),
        (
            both(
                "void f(int *q) __CPROVER_assigns(*q) { *q = 4; q = &h; }",
                "f(&g); f(&h);",
            ),
            's',
        ),
        (
            both(
                "void f(int *q) __CPROVER_assigns(*q) { q = &h; *q = 4; }",
                "f(&g);",
            ),
            'u',
        ),
        (
            both(
                "void f(struct s *q) __CPROVER_assigns(q->a) { q->a = 4; }",
                "f(&r);",
            ),
            's',
        ),
        (
            both(
                "void f(struct s *q) __CPROVER_assigns(q->a) { q->b = 4; }",
                "f(&r);",
            ),
            'u',
        ),
        (
            both(
                "struct s f(int a) __CPROVER_assigns() { struct s l = { a, a }; return l; }",
                "r = f(1);",
            ),
            's',
        ),
        (
            both(
                "int f(int a) __CPROVER_assigns(g) { set(); return pure(a); }",
                "f(1);",
            ),
            's',
        ),
        (
            both(
                "int f(int a) __CPROVER_assigns(h) { set(); return pure(a); }",
                "f(1);",
            ),
            '?',
        ),
        (
            both(
                "void f(int *q) __CPROVER_assigns(*q) { wild(q); }",
                "f(&g);",
            ),
            '?',
        ),
        (
            both(
                "void f(int *q) __CPROVER_assigns() { int l = 0; q = &l; *q = 1; }",
                "f(&g);",
            ),
            '?',
        ),
        (
            both(
                "void f(int *q) __CPROVER_assigns() { q = malloc(4); *q = 1; }",
                "f(&g);",
            ),
            '?',
        ),
        (
            both(
                "void f(int *q) __CPROVER_assigns() __CPROVER_frees(q) { free(q); }",
                "f(malloc(4));",
            ),
            '?',
        ),
        (
            both("void f(int a) __CPROVER_assigns(a: g) { g = a; }", "f(0);"),
            '?',
        ),
        // Loops: variables of the function count, those of the iteration do not.
        (
            main(
                "int i = 0, s = 0; while (i < 3) __CPROVER_assigns(i, s) { int k = i; k++; s += k; i++; }",
            ),
            's',
        ),
        (
            main("int i = 0, s = 0; while (i < 3) __CPROVER_assigns(i) { s += 1; i++; }"),
            'u',
        ),
        (
            main(
                "int i = 0; while (i < 3) __CPROVER_assigns(i) { i++; } g = 1; while (g < 3) g++;",
            ),
            's',
        ),
        (
            main("for (int i = 0; i < 3; i++) __CPROVER_assigns(i, t) { t[i] = i; }"),
            's',
        ),
        (
            main("for (int i = 0; i < 3; i++) __CPROVER_assigns(t) { t[i] = i; }"),
            'u',
        ),
        (
            main("int i = 0; do __CPROVER_assigns(i) { if (i == 2) *p = 1; i++; } while (i < 3);"),
            'u',
        ),
    ] {
        let text = format!("{head} {text}");
        let found = [unwound(&text), looped(&text)];
        assert!(found.contains(&right), "{found:?} {text}");
        assert!(
            found
                .iter()
                .all(|&verdict| verdict == right || verdict == '?'),
            "{found:?} {text}"
        );
    }
}

/// An invariant that is stated strengthens the proof, also where it is no property by itself; a wrong one
/// changes nothing there.
#[test]
fn stated_invariants_strengthen_proofs() {
    let text = |claim: &str| {
        format!(
            "void target(void); int main(void) {{ unsigned short n = nondet_uint(), i = 0; unsigned short s = 0;
             while (i < n) {claim} {{ s += i * i; i++; }} if (s * 6 % 65536 != i * (i - 1) * (2 * i - 1) % 65536) target(); return 0; }}"
        )
    };
    let claims = |text: &str| {
        let marks = |options: &mut craig_c_lang::lower::LoweringOptions| {
            options.marks = craig_c_lang::lower::Marks::Named("target".into());
        };
        let program =
            crate::tests::lowered_with(text, DataModel::Lp64, marks).expect("it is lowered");
        let extent = Extent::new(&Stages::NONE, craig_program::Blocks::Large);
        let automaton = crate::automaton::Automaton::new(&program, extent, &Stop::new());
        automaton.expect("an automaton").cfa.candidates().len()
    };
    assert_eq!(claims(&text("")), 0);
    assert!(claims(&text("__CPROVER_loop_invariant(i <= n)")) > 0);
    // One that reads memory might not be supported.
    let memory = "int a[2]; void target(void); int main(void) { for (int i = 0; i < nondet_int(); i++) __CPROVER_loop_invariant(a[i & 1] == 0) { } \
        target(); return 0; }";
    assert_eq!(claims(memory), 0);
}
