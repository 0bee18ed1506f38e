//! Contracts of functions and loops, and quantifiers, as CBMC's tools use them. Each right program is paired with one
//! that has a planted bug.

use crate::check::run_text;
use crate::options::{Engine, Options};
use crate::report::Answer;
use crate::tests::unrolled_with;
use craig_c_lang::lower::{CbmcOptions, Checks, ContractOptions, Dialect};
use craig_mc::Alone;

/// What becomes of contracts: the enforced function, the replaced ones, and whether those of loops are used.
pub(crate) type Contracts<'a> = (&'a str, &'a [&'a str], bool);

/// 's', 'u' or '?'; '!' if the program is not lowered.
pub(crate) fn verdict(text: &str, (enforced, replaced, of_loops): Contracts<'_>) -> char {
    let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
    let lowered = unrolled_with(text, |options| {
        options.cbmc.dialect = Dialect::Cbmc;
        options.cbmc.contracts = ContractOptions {
            enforced: (!enforced.is_empty())
                .then(|| enforced.to_string())
                .into_iter()
                .collect(),
            recursive: Vec::new(),
            replaced: names(replaced),
            of_loops,
        };
        options.checks = Checks {
            bounds: true,
            pointer: true,
            overflow: true,
            division: true,
            ..Checks::default()
        };
        options.malloc_may_fail = true;
    });
    lowered.unwrap_or('!')
}

pub(crate) fn enforce(function: &str, text: &str) -> char {
    verdict(text, (function, &[], false))
}

#[test]
fn an_enforced_contract_is_checked() {
    let clamp = "int clamp(int x, int most) __CPROVER_requires(most >= 0) \
                 __CPROVER_ensures(__CPROVER_return_value <= most) __CPROVER_assigns() \
                 { return x > most ? most : x; } int main(void) { int a, b; clamp(a, b); return 0; }";
    assert_eq!(enforce("clamp", clamp), 's');
    assert_eq!(
        enforce("clamp", &clamp.replace("? most : x", "? x : most")),
        'u'
    );
    // What is required is assumed: without it, the difference may overflow.
    let difference = "int f(int x) __CPROVER_requires(x > 5 && x < 9) __CPROVER_ensures(__CPROVER_return_value == x - 5) \
                      { return x - 5; } int main(void) { int a; f(a); return 0; }";
    assert_eq!(enforce("f", difference), 's');
    let bound = difference.replace("__CPROVER_requires(x > 5 && x < 9)", "");
    assert_eq!(enforce("f", &bound), 'u');
    assert_eq!(enforce("g", difference), '!');
}

#[test]
fn writes_are_to_what_a_contract_names() {
    let text = "struct s { int a, b; int c[4]; }; int g; \
                void f(struct s *p, int *q) __CPROVER_requires(__CPROVER_is_fresh(p, sizeof(*p)) && __CPROVER_is_fresh(q, sizeof(*q))) \
                __CPROVER_assigns(TARGETS) __CPROVER_ensures(p->a == __CPROVER_old(p->a)) \
                { int local[2]; int *r = local; r[1] = 2; BODY } \
                int main(void) { struct s *p; int *q; f(p, q); return 0; }";
    let with = |targets: &str, body: &str| {
        enforce("f", &text.replace("TARGETS", targets).replace("BODY", body))
    };
    assert_eq!(with("p->b", "p->b = 3;"), 's');
    assert_eq!(with("p->b", "p->c[0] = 3;"), 'u');
    assert_eq!(with("p->b", "p->a = p->a;"), 'u');
    assert_eq!(with("p->b", "*q = 1;"), 'u');
    assert_eq!(with("*q, p->b", "*q = 1;"), 's');
    assert_eq!(with("", "g = 1;"), 'u');
    assert_eq!(with("g", "g = 1;"), 's');
    assert_eq!(
        with("__CPROVER_object_whole(p)", "p->c[3] = 1; p->b = 2;"),
        's'
    );
    assert_eq!(with("__CPROVER_object_whole(p)", "p->a += 1;"), 'u');
    assert_eq!(with("__CPROVER_object_from(p->c)", "p->c[3] = 1;"), 's');
    assert_eq!(with("__CPROVER_object_from(p->c)", "p->b = 1;"), 'u');
    assert_eq!(with("__CPROVER_object_upto(p->c, 8)", "p->c[1] = 1;"), 's');
    assert_eq!(with("__CPROVER_object_upto(p->c, 8)", "p->c[2] = 1;"), 'u');
    assert_eq!(with("__CPROVER_typed_target(p->b)", "p->b = 1;"), 's');
    assert_eq!(with("g > 0: p->b", "if (g > 0) p->b = 1;"), 's');
    assert_eq!(with("g > 0: p->b", "if (g >= 0) p->b = 1;"), 'u');
}

#[test]
fn objects_are_freed_as_a_contract_says() {
    let text = "void free(void *); void *malloc(unsigned long); \
                void f(char *p, char *q, int n) __CPROVER_requires(__CPROVER_is_fresh(p, 4) && __CPROVER_is_fresh(q, 4)) \
                __CPROVER_assigns() __CPROVER_frees(TARGETS) { char *own = malloc(3); free(own); BODY } \
                int main(void) { char *p, *q; int n; f(p, q, n); return 0; }";
    let with = |targets: &str, body: &str| {
        enforce("f", &text.replace("TARGETS", targets).replace("BODY", body))
    };
    assert_eq!(with("p", "free(p);"), 's');
    assert_eq!(with("p", "free(q);"), 'u');
    assert_eq!(with("", "free(p);"), 'u');
    assert_eq!(with("n > 0: p; q", "free(q); if (n > 0) free(p);"), 's');
    assert_eq!(with("n > 0: p; q", "if (n >= 0) free(p);"), 'u');
    // Where a pointer may be null, comparisons with targets say nothing about where it leads.
    let text = "_Bool valid(int *o) { return o == (int *)0 || __CPROVER_is_fresh(o, sizeof(*o)); } \
                void f(int *o, int *s) __CPROVER_requires(valid(o)) __CPROVER_requires(__CPROVER_is_fresh(s, 4)) \
                __CPROVER_assigns(*s; o != (int *)0: *o) __CPROVER_ensures(1) { *s = 3; if (GUARD) *o = 3; } \
                int main(void) { int *o, *s; f(o, s); return 0; }";
    assert_eq!(enforce("f", &text.replace("GUARD", "o")), 's');
    assert_eq!(enforce("f", &text.replace("GUARD", "*s")), 'u');
    // A call that is replaced may free it, or not.
    let text = "void free(void *); void *malloc(unsigned long); \
                void f(char *p) __CPROVER_requires(1) __CPROVER_assigns() __CPROVER_frees(p); \
                int main(void) { char *p = malloc(4), *q = malloc(4); if (!p || !q) return 0; f(p); BODY return 0; }";
    let with = |body: &str| verdict(&text.replace("BODY", body), ("", &["f"], false));
    assert_eq!(with("*q = 1;"), 's');
    assert_eq!(with("*p = 1;"), 'u');
    assert_eq!(with("free(p);"), 'u');
    assert_eq!(
        verdict(
            &text.replace("BODY", "").replace("f(p);", "f(p + 1);"),
            ("", &["f"], false)
        ),
        'u'
    );
}

#[test]
fn functions_that_are_called_are_confined_too() {
    let text = "void *malloc(unsigned long); void set(int *p) { *p = 1; } int g, h; \
                void f(void) __CPROVER_assigns(g) { int x; set(&x); int *m = malloc(4); if (m) set(m); set(&WHICH); } \
                int main(void) { set(&h); f(); set(&h); return 0; }";
    assert_eq!(enforce("f", &text.replace("WHICH", "g")), 's');
    assert_eq!(enforce("f", &text.replace("WHICH", "h")), 'u');
}

#[test]
fn a_replaced_call_uses_the_contract_only() {
    let text = "int g; int f(int x) __CPROVER_requires(x > 0) __CPROVER_assigns(g) \
                __CPROVER_ensures(__CPROVER_return_value > x && g == __CPROVER_old(g) + 1) { return 7; } \
                int main(void) { g = 4; int r = f(ARGUMENT); assert(CLAIM); return 0; }";
    let with = |argument: &str, claim: &str| {
        let text = text.replace("ARGUMENT", argument).replace("CLAIM", claim);
        verdict(&text, ("", &["f"], false))
    };
    assert_eq!(with("3", "r > 3 && g == 5"), 's');
    assert_eq!(with("0", "1"), 'u');
    assert_eq!(with("3", "r == 7"), 'u');
    assert_eq!(with("3", "g == 4"), 'u');
    // Without a body; the object is made arbitrary up to the end only.
    let text = "void f(unsigned char *p, unsigned long n) __CPROVER_requires(__CPROVER_is_fresh(p, n)) \
                __CPROVER_assigns(__CPROVER_object_upto(p, n)) __CPROVER_ensures(p[0] == 3); \
                int main(void) { unsigned char a[4] = {9, 9, 9, 9}; f(a, 2); assert(CLAIM); return 0; }";
    let with = |claim: &str| verdict(&text.replace("CLAIM", claim), ("", &["f"], false));
    assert_eq!(with("a[0] == 3 && a[2] == 9 && a[3] == 9"), 's');
    assert_eq!(with("a[1] == 9"), 'u');
    let short = text.replace("f(a, 2)", "f(a, 5)").replace("CLAIM", "1");
    assert_eq!(verdict(&short, ("", &["f"], false)), 'u');
    assert_eq!(
        verdict(
            "int f(void); int main(void) { return f(); }",
            ("", &["f"], false)
        ),
        '!'
    );
}

#[test]
fn fresh_objects_are_distinct() {
    let text = "void f(int *p, int *q) __CPROVER_requires(__CPROVER_is_fresh(p, 4) && __CPROVER_is_fresh(q, 4)) \
                __CPROVER_assigns(*p, *q) __CPROVER_ensures(*p == 1 && *q == 2) { *p = 1; *q = 2; } \
                int main(void) { int a, b; BODY return 0; }";
    let call = |body: &str| verdict(&text.replace("BODY", body), ("", &["f"], false));
    assert_eq!(call("f(&a, &b); assert(a == 1 && b == 2);"), 's');
    assert_eq!(call("f(&a, &a);"), 'u');
    assert_eq!(call("f(&a, (int *)0);"), 'u');
    // Ranges of one object, as CBMC 6.6 tells them apart.
    let parts = "int c[3]; f(c, c + 1); assert(c[0] == 1 && c[1] == 2);";
    assert_eq!(call(parts), 's');
    let larger = text.replace("fresh(p, 4)", "fresh(p, 8)");
    assert_eq!(
        verdict(&larger.replace("BODY", parts), ("", &["f"], false)),
        'u'
    );
    let reversed = "int c[3]; f(c + 1, c); assert(c[1] == 1 && c[0] == 2);";
    assert_eq!(
        verdict(&larger.replace("BODY", reversed), ("", &["f"], false)),
        's'
    );
    let body = "int *p, *q; f(p, q);";
    assert_eq!(enforce("f", &text.replace("BODY", body)), 's');
    let wrong = text.replace("BODY", body).replace("*q = 2; }", "*q = 3; }");
    assert_eq!(enforce("f", &wrong), 'u');
    // A size that is not known.
    let text = "void f(char *p, unsigned long n) __CPROVER_requires(__CPROVER_is_fresh(p, n) && n > 0) \
                __CPROVER_assigns(__CPROVER_object_upto(p, n)) { p[n - 1] = 0; } \
                int main(void) { char *p; unsigned long n; f(p, n); return 0; }";
    assert_eq!(enforce("f", text), 's');
    assert_eq!(enforce("f", &text.replace("p[n - 1]", "p[n]")), 'u');
    // By a predicate with a name.
    let text = "_Bool valid(int *p, unsigned n) { return __CPROVER_is_fresh(p, sizeof(int)) & (n > 2); } \
                int f(int *p, unsigned n) __CPROVER_requires(valid(p, n)) __CPROVER_ensures(__CPROVER_return_value > 0) \
                { return *p == 0 || n > 2; } int main(void) { int *p; unsigned n; f(p, n); return 0; }";
    assert_eq!(enforce("f", text), 's');
    assert_eq!(enforce("f", &text.replace("|| n > 2", "|| n > 3")), 'u');
    assert_eq!(
        verdict(
            "int main(void) { int x; assert(__CPROVER_is_fresh(&x, 4)); return 0; }",
            ("", &[], false)
        ),
        '?'
    );
}

#[test]
fn pointers_in_ranges() {
    let text = "int f(char *a, char *p) __CPROVER_requires(__CPROVER_is_fresh(a, 8) && \
                __CPROVER_pointer_in_range_dfcc(a, p, a + 7)) __CPROVER_ensures(__CPROVER_return_value < 8) \
                { *p; return p - a; } int main(void) { char *a, *p; f(a, p); return 0; }";
    assert_eq!(enforce("f", text), 's');
    assert_eq!(enforce("f", &text.replace("a + 7", "a + 8")), 'u');
}

#[test]
fn a_loop_contract_is_checked_and_used() {
    let text = "int main(void) { unsigned n = nondet_uint(), i = 0, s = 0; \
                while (i < n) __CPROVER_assigns(TARGETS) __CPROVER_loop_invariant(INVARIANT) __CPROVER_decreases(MEASURE) \
                { i++; s += 2; } assert(s == 2 * n); return 0; }";
    let with = |targets: &str, invariant: &str, measure: &str| {
        let text = text
            .replace("TARGETS", targets)
            .replace("INVARIANT", invariant);
        verdict(&text.replace("MEASURE", measure), ("", &[], true))
    };
    assert_eq!(with("i, s", "i <= n && s == 2 * i", "n - i"), 's');
    // Not kept, wrong at first, too weak, no smaller measure, a variable that is not named.
    assert_eq!(with("i, s", "i <= n && s == i", "n - i"), 'u');
    assert_eq!(with("i, s", "i > 0", "n - i"), 'u');
    assert_eq!(with("i, s", "i <= n", "n - i"), 'u');
    assert_eq!(with("i, s", "i <= n && s == 2 * i", "n"), 'u');
    assert_eq!(with("i", "i <= n", "n - i"), 'u');
}

#[test]
fn the_first_round_of_a_loop_is_that_of_the_program() {
    // A loop that is not entered says nothing about its invariant.
    let text = "int f(int n) __CPROVER_assigns() __CPROVER_ensures(CLAIM) { int i = 5; \
                for (; i < n; i++) __CPROVER_assigns(i) __CPROVER_loop_invariant(INVARIANT) __CPROVER_decreases(n - i) {} \
                return i; } int main(void) { int n; f(n); return 0; }";
    let with = |invariant: &str, claim: &str| {
        let text = text.replace("INVARIANT", invariant).replace("CLAIM", claim);
        verdict(&text, ("f", &[], true))
    };
    let result = "__CPROVER_return_value";
    let kept = "5 <= i && i <= n";
    assert_eq!(with(kept, &format!("{result} == 5 || {result} == n")), 's');
    assert_eq!(with(kept, &format!("{result} == n")), 'u');
    assert_eq!(with(kept, &format!("{result} == 5")), 'u');
    // The invariant is wrong at first, or behind the second round.
    assert_eq!(with("6 <= i && i <= n", "1"), 'u');
    assert_eq!(with("5 <= i && i <= 6 && i <= n", "1"), 'u');
    // What the first round says beyond the invariant.
    let text = "_Bool f(const char *b, unsigned n) __CPROVER_requires(n > 0 && __CPROVER_is_fresh(b, n)) __CPROVER_assigns() \
                __CPROVER_ensures(__CPROVER_return_value == 0 || b[0] == 'x') { unsigned i = 0; \
                for (; i < n; i++) __CPROVER_assigns(i) __CPROVER_loop_invariant(i <= n) __CPROVER_decreases(n - i) \
                { if (b[i] != 'x') break; } return i > 0; } \
                int main(void) { char *b; unsigned n; f(b, n); return 0; }";
    assert_eq!(verdict(text, ("f", &[], true)), 's');
    assert_eq!(
        verdict(&text.replace("i > 0", "i >= 0"), ("f", &[], true)),
        'u'
    );
    let without = text.replace("__CPROVER_assigns(i)", "");
    assert_eq!(verdict(&without, ("f", &[], true)), 's');
    // Rounds of a loop within a loop.
    let text = "int main(void) { int i = 0, s = 0; \
                while (i < 9) __CPROVER_assigns(i, s) __CPROVER_loop_invariant(0 <= i && i <= 9 && s == 3 * i) __CPROVER_decreases(9 - i) { \
                int k = 0; while (k < 3) __CPROVER_assigns(k, s) __CPROVER_loop_invariant(0 <= k && k <= 3 && s == 3 * i + k) \
                __CPROVER_decreases(3 - k) { k++; s++; } i++; } assert(s == CLAIM); return 0; }";
    let with = |claim: &str| verdict(&text.replace("CLAIM", claim), ("", &[], true));
    assert_eq!(with("27"), 's');
    assert_eq!(with("26"), 'u');
}

#[test]
fn loops_that_do_not_say_what_they_assign() {
    let text = "void f(int *a, unsigned n) __CPROVER_requires(n <= 1000 && __CPROVER_is_fresh(a, n * sizeof(int))) \
                __CPROVER_assigns(__CPROVER_object_upto(a, n * sizeof(int))) \
                { for (unsigned i = 0; i < n; i++) __CPROVER_loop_invariant(i <= n) __CPROVER_decreases(n - i) { a[BOUND] = 0; } } \
                int main(void) { int *a; unsigned n; f(a, n); return 0; }";
    let with = |bound: &str| verdict(&text.replace("BOUND", bound), ("f", &[], true));
    assert_eq!(with("i"), 's');
    assert_eq!(with("i + 1"), 'u');
    // What is written in the loop is not what it was.
    let text = "int a[3]; int main(void) { a[0] = 5; int i; for (i = 0; i < 2; i++) __CPROVER_loop_invariant(0 <= i && i <= 2) \
                { a[i] = 7; } assert(CLAIM); return 0; }";
    let with = |claim: &str| verdict(&text.replace("CLAIM", claim), ("", &[], true));
    assert_eq!(with("i == 2"), 's');
    assert_eq!(with("a[0] == 5"), 'u');
    // A pointer that is found in the loop: all rounds are looked at.
    let text = "struct n { struct n *next; int v; }; int main(void) { struct n b = {0, 1}, a = {&b, 1}; \
                for (struct n *p = &a; p; p = p->next) __CPROVER_loop_invariant(1) { p->v = 2; } assert(b.v == CLAIM); return 0; }";
    let with = |claim: &str| verdict(&text.replace("CLAIM", claim), ("", &[], true));
    assert_eq!(with("2"), 's');
    assert_eq!(with("1"), 'u');
}

#[test]
fn values_at_the_entry_of_a_loop() {
    let text = "int main(void) { int i = nondet_int(); __CPROVER_assume(0 <= i && i < 9); int s = i; \
                while (i < 9) __CPROVER_assigns(i) __CPROVER_loop_invariant(__CPROVER_loop_entry(i) <= i && i <= 9) { i++; } \
                assert(CLAIM); return 0; }";
    let with = |claim: &str| verdict(&text.replace("CLAIM", claim), ("", &[], true));
    assert_eq!(with("s <= i && i == 9"), 's');
    assert_eq!(with("s == i"), 'u');
}

#[test]
fn quantifiers_over_few_values_are_expanded() {
    let text = "int a[5]; int main(void) { BODY assert(CLAIM); return 0; }";
    let with = |body: &str, claim: &str| {
        let text = text.replace("BODY", body).replace("CLAIM", claim);
        verdict(&text, ("", &[], false))
    };
    let zeros = "__CPROVER_forall { int i; (0 <= i && i < 5) ==> a[i] == 0 }";
    assert_eq!(with("", zeros), 's');
    assert_eq!(with("a[4] = 1;", zeros), 'u');
    assert_eq!(with("a[4] = 1;", &zeros.replace("< 5", "< 4")), 's');
    assert_eq!(with("a[4] = 1;", &format!("!({zeros})")), 's');
    assert_eq!(
        with(
            "a[2] = 6;",
            "__CPROVER_exists { int i; 0 <= i && i < 5 && a[i] == 6 }"
        ),
        's'
    );
    assert_eq!(
        with(
            "",
            "__CPROVER_exists { unsigned char i; i < 5 && a[i] == 6 }"
        ),
        'u'
    );
    assert_eq!(
        with(
            "",
            "__CPROVER_forall { int i; (i >= 0 && i < sizeof(a)) ==> ((const unsigned char *)a)[i] == 0 }"
        ),
        's'
    );
    let assumed = format!("a[3] = nondet_int(); __CPROVER_assume({zeros});");
    assert_eq!(with(&assumed, "a[3] == 0"), 's');
    assert_eq!(with(&assumed.replace("i < 5", "i < 3"), "a[3] == 0"), 'u');
    // Both values matter.
    assert_eq!(with("", &format!("({zeros}) == (a[0] == 0)")), 's');
    assert_eq!(with("a[1] = 1;", &format!("({zeros}) == (a[0] == 0)")), 'u');
}

#[test]
fn quantifiers_over_a_range_that_is_not_known() {
    let text = "void *malloc(unsigned long); int main(void) { unsigned n = nondet_uint(); char *p = malloc(n); \
                if (!p || n < 3) return 0; BODY assert(CLAIM); return 0; }";
    let with = |body: &str, claim: &str| {
        let text = text.replace("BODY", body).replace("CLAIM", claim);
        verdict(&text, ("", &[], false))
    };
    let all = "__CPROVER_forall { unsigned i; i < n ==> __CPROVER_r_ok(p + i, 1) }";
    assert_eq!(with("", all), 's');
    assert_eq!(with("", &all.replace("i < n", "i <= n")), 'u');
    // Left out, an assumption makes nothing safe, and no error certain.
    let assumed = "__CPROVER_assume(__CPROVER_forall { unsigned i; i < n ==> p[i] == 0 });";
    assert_eq!(with(assumed, "p[1] == 0"), '?');
    assert_eq!(with(assumed, "n > 2"), 's');
    assert_eq!(
        with(
            "__CPROVER_assume(__CPROVER_exists { unsigned i; i < n && p[i] == 1 });",
            "p[0] == 1"
        ),
        'u'
    );
    // What is assumed for all is known for the one that is to be shown.
    let of = |value: u32| format!("__CPROVER_forall {{ unsigned i; i < n ==> p[i] == {value} }}");
    assert_eq!(with(assumed, &of(0)), 's');
    assert_eq!(with(&format!("{assumed} p[2] = 0;"), &of(0)), 's');
    assert_eq!(with(&format!("{assumed} p[2] = 1;"), &of(0)), '?');
    assert_eq!(with(assumed, &of(1)), '?');
    // That some are different leaves all others open.
    for denied in [
        format!("__CPROVER_assume(!{});", of(0)),
        format!("__CPROVER_assume({} ==> n == 3);", of(0)),
    ] {
        assert_ne!(with(&denied, &of(1)), 's', "{denied}");
    }
    assert_eq!(
        with(
            "__CPROVER_assume(!__CPROVER_exists { unsigned i; i < n && p[i] != 0 });",
            &of(0)
        ),
        's'
    );
    // Accesses are checked where the range holds.
    let text = "void *malloc(unsigned long); int main(void) { unsigned n = nondet_uint(); char *p = malloc(n); \
                if (!p) return 0; __CPROVER_assert(CLAIM, \"claim\"); return 0; }";
    let of_all = "__CPROVER_forall { int i; (i >= 0 && i < n) ==> p[i] == p[i] }";
    let with = |claim: &str| verdict(&text.replace("CLAIM", claim), ("", &[], false));
    assert_eq!(with(of_all), 's');
    assert_eq!(with(&of_all.replace("i < n", "i <= n")), 'u');
    // An array's length bounds what is looked at.
    let text = "int a[6]; int main(void) { int n = nondet_int(); __CPROVER_assume(0 <= n && n <= 6); a[5] = 1; \
                __CPROVER_assume(__CPROVER_forall { int i; (0 <= i && i < n) ==> a[i] == 0 }); assert(CLAIM); return 0; }";
    let with = |claim: &str| verdict(&text.replace("CLAIM", claim), ("", &[], false));
    assert_eq!(with("n <= 5"), 's');
    assert_eq!(with("n <= 4"), 'u');
}

/// The value of a quantifier in a contract, whatever it is.
#[test]
fn quantifiers_may_decide_what_is_returned() {
    let text = "int is_zero(const char *p, unsigned n) __CPROVER_requires(__CPROVER_is_fresh(p, n))
        __CPROVER_ensures(__CPROVER_return_value == (n == 0 || CLAIM))
        { BODY }";
    let all = "__CPROVER_forall { unsigned i; i < n ==> p[i] == 0 }";
    let with = |claim: &str, body: &str, last: &str| {
        let text = text.replace("CLAIM", claim).replace("BODY", body);
        let caller = format!(
            "int nondet_int(void); {text} int main(void) {{ char *p; unsigned n; {last} return 0; }}"
        );
        verdict(&caller, ("is_zero", &[], false))
    };
    let call = "is_zero(p, n);";
    assert_ne!(with(all, "return 1;", call), 's');
    assert_ne!(with(all, "return n == 0 || p[0] == 0;", call), 's');
    assert_ne!(
        with(
            &all.replace("forall", "exists").replace("==>", "&&"),
            "return 1;",
            call
        ),
        's'
    );
    assert_eq!(with("n > 0", "return 1;", call), 's');
}

/// Where an error path may be none because an assumption over a range is left out, one with each instance is looked for.
#[test]
fn error_paths_count_where_each_instance_of_an_assumption_holds() {
    let text = "void *malloc(unsigned long); unsigned nondet_uint(void);
        void zero(char *p, unsigned n) {
            __CPROVER_assume(__CPROVER_forall { unsigned i; 0 <= i && i < n ==> p[i] == 0 }); }
        int main(void) { unsigned n = nondet_uint(), k = nondet_uint(); char *p = malloc(n);
            if (!p || n < 3 || n > 9 || k > n) return 0; zero(p, n); BODY return 0; }";
    let with = |body: &str| {
        let options = Options {
            cbmc: CbmcOptions {
                dialect: Dialect::Cbmc,
                ..CbmcOptions::default()
            },
            checks: Checks {
                bounds: true,
                ..Checks::default()
            },
            engine: Engine::Unwind,
            ..Options::default()
        };
        let text = text.replace("BODY", body);
        match run_text(&text, "test.c", &options, Alone::new().control())
            .unwrap()
            .answer
        {
            Answer::Safe(_) => 's',
            Answer::Unsafe(_) => 'u',
            Answer::Unknown(_) => '?',
        }
    };
    assert_eq!(with("assert(p[k] == 0);"), 'u');
    assert_eq!(with("p[2] = 1; assert(p[2] == 0);"), 'u');
    assert_eq!(with("assert(n < 9 || k < 9 || p[1] == 1);"), 'u');
    // Nothing is proved from the instances of few runs.
    assert_eq!(with("assert(p[1] == 0);"), '?');
    assert_eq!(with("assert(n > 2);"), 's');
}

/// What is written on the way out of a loop, before `break`, is not written by the loop: goto-instrument's loops are natural ones.
#[test]
fn writes_on_the_way_out_are_not_those_of_the_loop() {
    let text = "unsigned long nondet_ulong(void);
        _Bool next(unsigned long *i, unsigned long max) { unsigned long k = nondet_ulong();
            if (k <= *i || k > max) return 0; *i = k; return nondet_ulong() & 1; }
        _Bool search(unsigned long max, unsigned q, unsigned long *out)
        __CPROVER_requires(max < 100 && __CPROVER_is_fresh(out, sizeof(*out))) __CPROVER_assigns(*out)
        __CPROVER_ensures(__CPROVER_return_value == 0 || *out <= max)
        { _Bool ret = 0; unsigned long i = 0, value = 0; unsigned at = 0;
          while (i < max) TARGETS __CPROVER_loop_invariant(i <= max) __CPROVER_decreases(max - i)
          { if (!next(&i, max)) break; BODY if (at == q) { ret = 1; *out = value; break; } at++; }
          return ret; }
        int main(void) { unsigned long max, *out; unsigned q; search(max, q, out); return 0; }";
    let with = |targets: &str, body: &str| {
        let text = text.replace("TARGETS", targets).replace("BODY", body);
        verdict(&text, ("search", &[], true))
    };
    for targets in ["__CPROVER_assigns(i, at, value)", ""] {
        assert_eq!(with(targets, "value = i;"), 's', "{targets}");
        assert_eq!(with(targets, "value = i + 1;"), 'u', "{targets}");
    }
    // What does not lead out is confined.
    let named = "__CPROVER_assigns(i, at, value)";
    assert_eq!(with(named, "value = i; ret = 0;"), 'u');
    assert_eq!(with(named, "value = i; *out = 1;"), 'u');
}

/// A call from the body of a recursive function is replaced by the contract, which is proved by induction.
#[test]
fn contracts_of_recursive_functions_are_used_in_their_bodies() {
    let ask = |text: &str, is_recursive: bool| {
        let lowered = unrolled_with(text, |options| {
            options.cbmc.dialect = Dialect::Cbmc;
            let named = vec!["sum".to_owned()];
            let contracts = &mut options.cbmc.contracts;
            match is_recursive {
                true => contracts.recursive = named,
                false => contracts.enforced = named,
            }
            options.checks.overflow = true;
        });
        lowered.unwrap_or('!')
    };
    let text =
        "int calls; int sum(int n) __CPROVER_requires(n >= 0 && n <= 1000) __CPROVER_assigns(calls)
            __CPROVER_ensures(__CPROVER_return_value == 2 * n)
            { calls = 1; if (n == 0) return 0; return 2 + sum(n - 1); }
        int main(void) { int n; sum(n); sum(3); return 0; }";
    assert_eq!(ask(text, true), 's');
    assert_eq!(ask(text, false), '!');
    let faults = [
        ("return 2 +", "return 3 +"),
        ("sum(n - 1)", "sum(n - 2)"),
        ("return 0; return", "return 1; return"),
        ("__CPROVER_assigns(calls)", "__CPROVER_assigns()"),
    ];
    for (right, wrong) in faults {
        assert_eq!(ask(&text.replace(right, wrong), true), 'u', "{wrong}");
    }
    // By another function, and of what is not called at all.
    let by_other = text.replace("sum(n - 1); }", "other(n); }").replace(
        "int calls;",
        "int calls; int sum(int); int other(int n) { return sum(n - 1); }",
    );
    assert_eq!(ask(&by_other, true), 's');
    assert_eq!(
        ask(&by_other.replace("sum(n - 1)", "sum(n + 1)"), true),
        'u'
    );
}

/// A part of an object that is too large for cells gets any value; the rest keeps its own.
#[test]
fn parts_of_large_objects_are_assigned() {
    let text = "void fill(unsigned char *p, unsigned long n) __CPROVER_requires(__CPROVER_w_ok(p, n))
            __CPROVER_assigns(__CPROVER_object_upto(p, n)) __CPROVER_ensures(n == 0 || p[0] == 7);
        unsigned char buffer[20000];
        int main(void) { unsigned long n, k, from; if (n > 300 || from > 9000 || k >= 20000) return 0;
            buffer[k] = 5; fill(buffer + from, n); BODY return 0; }";
    let with = |body: &str| verdict(&text.replace("BODY", body), ("", &["fill"], false));
    let inside = "k >= from && k < from + n";
    let asserts = |condition: &str| with(&format!("__CPROVER_assert({condition}, \"a\");"));
    assert_eq!(asserts(&format!("{inside} || buffer[k] == 5")), 's');
    assert_eq!(asserts("n == 0 || buffer[from] == 7"), 's');
    assert_eq!(asserts("n != 0 || buffer[k] == 5"), 's');
    // What is assigned may have any value, and nothing is known of bytes that the contract does not name.
    assert_eq!(asserts("buffer[k] == 5"), 'u');
    assert_eq!(asserts("k == from || buffer[k] == 5"), 'u');
    assert_eq!(asserts("n == 0 || buffer[from] == 8"), 'u');
}

/// What a contract makes arbitrary may be an address, if it is no number, also where an address is stored beside it.
#[test]
fn arbitrary_contents_may_be_addresses() {
    let text = "int x, y; unsigned nondet_uint(void); char buffer[SIZE] __attribute__((aligned(8)));
        void fill(unsigned char *p) __CPROVER_requires(__CPROVER_w_ok(p, SIZE)) __CPROVER_assigns(TARGET);
        int main(void) { unsigned i = nondet_uint() % (SIZE / 8), j = nondet_uint() % (SIZE / 8); FIRST
            fill((unsigned char *) buffer); LAST int *q = ((int **) buffer)[j];
            if (q == &y) { *q = 5; __CPROVER_assert(y != 5, \"a\"); } return 0; }";
    let store = "((int **) buffer)[i] = &x;";
    for size in ["160", "20000"] {
        for target in ["__CPROVER_object_whole(p)", "__CPROVER_object_upto(p, 80)"] {
            for [first, last] in [[store, ""], ["", store], ["", ""]] {
                let text = text.replace("SIZE", size).replace("TARGET", target);
                let text = text.replace("FIRST", first).replace("LAST", last);
                assert_ne!(verdict(&text, ("", &["fill"], false)), 's', "{text}");
            }
        }
    }
}
