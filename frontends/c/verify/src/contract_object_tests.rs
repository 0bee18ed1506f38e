//! Objects that contracts make, and objects that belong to a function with a contract.

use crate::contract_tests::{enforce, verdict};

#[test]
fn a_replaced_call_may_return_a_fresh_object() {
    let text = "char *make(unsigned long n) __CPROVER_requires(n > 0 && n < 9) \
                __CPROVER_ensures(__CPROVER_is_fresh(__CPROVER_return_value, n)); \
                int main(void) { char *p = make(4), *q = make(4); p[3] = 1; q[INDEX] = 2; assert(p[3] == 1); return 0; }";
    let with = |index: &str| verdict(&text.replace("INDEX", index), ("", &["make"], false));
    assert_eq!(with("3"), 's');
    assert_eq!(with("4"), 'u');
    let pair = "struct pair { int *p; int n; }; struct pair make(void) \
                __CPROVER_ensures(__CPROVER_is_fresh(__CPROVER_return_value.p, 4) && __CPROVER_return_value.n == 2); \
                int main(void) { struct pair a = make(); a.p[0] = 5; assert(a.p[0] == 5 && a.n == NUMBER); return 0; }";
    let with = |number: &str| verdict(&pair.replace("NUMBER", number), ("", &["make"], false));
    assert_eq!(with("2"), 's');
    assert_eq!(with("3"), 'u');
}

#[test]
fn a_function_may_write_its_own_static_objects() {
    // The answers are those of CBMC 6.6.
    let text = "int g; int next(void) __CPROVER_assigns(g) { static int calls; calls = 1; g = calls; OTHER return g; } \
                int main(void) { next(); return 0; }";
    assert_eq!(enforce("next", &text.replace("OTHER", "")), 's');
    let text = text.replace("int g;", "int g; static int kept;");
    assert_eq!(enforce("next", &text.replace("OTHER", "kept = 1;")), 'u');
    // Those of a function that is called are its own, also where it passes their addresses on, but not those of its caller.
    let text = "void clear(char *p) { p[0] = 0; } char *put(void) { static char all[8]; clear(all); return all; } \
                int first(void) __CPROVER_assigns() { char *p = put(); WRITE return *p; } \
                int main(void) { first(); return 0; }";
    assert_eq!(enforce("first", &text.replace("WRITE", "")), 's');
    assert_eq!(enforce("first", &text.replace("WRITE", "p[1] = 3;")), 'u');
}

/// The answers are those of CBMC 6.6.
#[test]
fn a_loop_may_write_static_objects_that_it_does_not_name() {
    let text = "static unsigned tick(void) { static unsigned calls; calls++; return calls; } \
                static void add(int *p) { *p = 1; } \
                static int f(int n) { static int own; static const int limit = 3; int i = 0; unsigned last = 0; own = 0; \
                while (i < n) __CPROVER_assigns(i, last) __CPROVER_loop_invariant(0 <= i && i <= n) { BODY i++; } \
                assert(CLAIM); return i; } \
                int main(void) { int n; if (n > 0 && n < 5) f(n); return 0; }";
    let with = |body: &str, claim: &str| {
        let text = text.replace("BODY", body).replace("CLAIM", claim);
        verdict(&text, ("", &[], true))
    };
    for body in ["own = 1;", "add(&own);", "last = tick();", ""] {
        assert_eq!(with(body, "i == n && limit == 3"), 's', "{body}");
    }
    // They are arbitrary after the loop, also those of functions that it calls.
    assert_eq!(with("own = 1;", "own <= 1"), 'u');
    assert_eq!(with("add(&own);", "own <= 1"), 'u');
    assert_eq!(with("last = tick();", "tick() > last"), 'u');
    // What the caller of the function has must be named.
    let text = "static void f(int *p, int n) { int i = 0; \
                while (i < n) __CPROVER_assigns(TARGETS) __CPROVER_loop_invariant(0 <= i && i <= n) { *p = i; i++; } } \
                int main(void) { static int mine; int n; if (n > 0 && n < 5) f(&mine, n); return 0; }";
    let with = |targets: &str| verdict(&text.replace("TARGETS", targets), ("", &[], true));
    assert_eq!(with("i"), 'u');
    assert_eq!(with("i, *p"), 's');
}

/// As `goto-instrument --dfcc`, whether the function that is checked is one of them or not.
#[test]
fn static_objects_have_any_value_where_contracts_are_used() {
    let text = "int open = 3; const int fixed = 4; int id(int x) __CPROVER_requires(x > 0) \
                __CPROVER_ensures(__CPROVER_return_value == x) __CPROVER_assigns() { static int own = 5; assert(OWN); return x; } \
                int main(void) { assert(CLAIM); id(2); return 0; }";
    let with = |own: &str, claim: &str| text.replace("OWN", own).replace("CLAIM", claim);
    assert_eq!(enforce("id", &with("1", "fixed == 4")), 's');
    assert_eq!(enforce("id", &with("1", "open == 3")), 'u');
    assert_eq!(enforce("id", &with("own == 5", "1")), 'u');
    let replaced = |text: &str| verdict(text, ("", &["id"], false));
    assert_eq!(replaced(&with("1", "open == 3")), 'u');
    let unused = |text: &str| verdict(text, ("", &[], false));
    assert_eq!(unused(&with("own == 5", "open == 3 && fixed == 4")), 's');
}

/// The answers are those of CBMC 6.6.
#[test]
fn pointers_to_functions_obey_contracts() {
    let text = "typedef int step(int); int spec(int a) __CPROVER_requires(a >= 0) \
                __CPROVER_ensures(__CPROVER_return_value >= a && __CPROVER_return_value <= a + 1) __CPROVER_assigns(); \
                int inc(int a) { return a + 1; } \
                int use(step *f, int x) __CPROVER_requires(__CPROVER_obeys_contract(f, spec)) \
                __CPROVER_requires(x >= 0 && x < 100) __CPROVER_ensures(__CPROVER_return_value >= LEAST) __CPROVER_assigns() \
                { return f(ARGUMENT); } \
                step *pick(void) __CPROVER_ensures(__CPROVER_obeys_contract(__CPROVER_return_value, spec)) __CPROVER_assigns(); \
                int main(void) { step *f = GIVEN; int x; if (x < 0 || x > 9) return 0; int r = use(f, x); assert(r >= x); return 0; }";
    let with = |argument: &str, least: &str, given: &str| {
        let text = text.replace("ARGUMENT", argument).replace("LEAST", least);
        text.replace("GIVEN", given)
    };
    assert_eq!(enforce("use", &with("x", "x", "0")), 's');
    assert_eq!(enforce("use", &with("x - 1", "x - 1", "0")), 'u');
    assert_eq!(enforce("use", &with("x", "x + 1", "0")), 'u');
    let replaced = |text: &str| verdict(text, ("", &["use", "pick"], false));
    assert_eq!(replaced(&with("x", "x", "spec")), 's');
    assert_eq!(replaced(&with("x", "x", "&spec")), 's');
    assert_eq!(replaced(&with("x", "x", "inc")), 'u');
    assert_eq!(replaced(&with("x", "x", "pick()")), 's');
    assert_eq!(replaced(&with("x", "x + 2", "pick()")), 's');
    // A contract that is not used says nothing of others: the function without a body returns any value.
    assert_eq!(verdict(&with("x", "x", "spec"), ("", &[], false)), 'u');
}

/// Several objects change at one place, some of them under a condition.
#[test]
fn errors_count_where_a_contract_assigns_several_objects() {
    let text = "static void f(int *p, int *q, int n) { int i = 0; \
                while (i < n) __CPROVER_assigns(i; n > 3: *q; *p) __CPROVER_loop_invariant(0 <= i && i <= n) { *p = i; i++; } \
                assert(CLAIM); } \
                int main(void) { int n, a = 0, b = 0; if (n > 2 && n < 5) f(&a, &b, n); return 0; }";
    let with = |claim: &str| verdict(&text.replace("CLAIM", claim), ("", &[], true));
    assert_eq!(with("*p < 100"), 'u');
    assert_eq!(with("*q == 0"), 'u');
    assert_eq!(with("*p < 100 || *q == 0"), 'u');
    assert_eq!(with("n > 3 || *q == 0"), 's');
}

/// The answers are those of CBMC 6.6.
#[test]
fn contracts_say_what_was_freed() {
    let text = "void free(void *); void *malloc(unsigned long); \
                void drop(int *p, int c) __CPROVER_requires(__CPROVER_is_fresh(p, 4)) __CPROVER_assigns() __CPROVER_frees(p) \
                __CPROVER_ensures(GOAL) { if (c) free(p); } \
                void release(int *p, int c) __CPROVER_requires(__CPROVER_is_freeable(p)) __CPROVER_assigns() \
                __CPROVER_frees(c > 0: p) __CPROVER_ensures(c > 0 ==> __CPROVER_was_freed(p)); \
                int main(void) { int n, *p = malloc(4), x, *none = 0; if (!p) return 0; CALL return 0; }";
    let with = |goal: &str, call: &str| text.replace("GOAL", goal).replace("CALL", call);
    let drop = |goal: &str| enforce("drop", &with(goal, "drop(p, n);"));
    assert_eq!(drop("c ==> __CPROVER_was_freed(p)"), 's');
    assert_eq!(drop("__CPROVER_was_freed(p)"), 'u');
    assert_eq!(drop("!__CPROVER_was_freed(p)"), 'u');
    let release = |call: &str| verdict(&with("1", call), ("", &["release"], false));
    assert_eq!(release("release(p, 0); *p = 1;"), 's');
    assert_eq!(release("release(p, 1);"), 's');
    assert_eq!(release("release(none, 0);"), 's');
    assert_eq!(release("release(p, 1); *p = 1;"), 'u');
    assert_eq!(release("release(&x, 0);"), 'u');
    assert_eq!(release("release(p + 1, 0);"), 'u');
    // What is assumed to be freed has to be named.
    let wrong = with("1", "release(p, 1);").replace("__CPROVER_frees(c > 0: p)", "");
    assert_eq!(verdict(&wrong, ("", &["release"], false)), 'u');
}

/// Instances of the quantifier read beyond the object, whose size is open, where their values do not matter.
#[test]
fn errors_count_where_instances_read_beyond_an_object() {
    let text = "void fill(char *a, unsigned n) __CPROVER_requires(n > 0 && n <= 12 && __CPROVER_is_fresh(a, n)) \
                __CPROVER_assigns(__CPROVER_object_whole(a)) { for (unsigned i = 0; i < n; i++) \
                __CPROVER_assigns(i, __CPROVER_object_whole(a)) \
                __CPROVER_loop_invariant(i <= n && __CPROVER_forall { unsigned k; (k < 12) ==> (k < i ==> a[k] == 0) }) \
                a[i] = VALUE; } int main(void) { char *a; unsigned n; fill(a, n); return 0; }";
    let with = |value: &str| verdict(&text.replace("VALUE", value), ("fill", &[], true));
    assert_eq!(with("0"), 's');
    assert_eq!(with("i == 7"), 'u');
}

/// The answers are those of CBMC 6.6.
#[test]
fn targets_are_within_objects() {
    let text = "void free(void *); void *malloc(unsigned long); \
                void f(char *p, unsigned n) __CPROVER_requires(1) __CPROVER_assigns(TARGET) BODY \
                int main(void) { char b[4]; char *q = malloc(4); if (!q) return 0; free(q); f(ARGUMENTS); return 0; }";
    let both = |target: &str, arguments: &str| {
        let text = text
            .replace("TARGET", target)
            .replace("ARGUMENTS", arguments);
        let replaced = verdict(&text.replace("BODY", ";"), ("", &["f"], false));
        let enforced = enforce("f", &text.replace("BODY", "{ }"));
        assert_eq!(replaced, enforced, "{target} {arguments}");
        replaced
    };
    let upto = |arguments: &str| both("__CPROVER_object_upto(p, n)", arguments);
    assert_eq!(upto("b, 4"), 's');
    assert_eq!(upto("b, 0"), 's');
    assert_eq!(upto("0, 4"), 's');
    assert_eq!(upto("b + 2, 4"), 'u');
    assert_eq!(upto("b + 4, 4"), 'u');
    assert_eq!(upto("q, 4"), 'u');
    assert_eq!(both("*p", "0, 4"), 's');
    assert_eq!(both("*p", "b + 4, 4"), 'u');
    assert_eq!(both("*(int *)p", "b + 2, 4"), 'u');
    assert_eq!(both("n > 4: *p", "b + 4, 4"), 's');
    for target in ["__CPROVER_object_whole(p)", "__CPROVER_object_from(p)"] {
        assert_eq!(both(target, "b + 4, 4"), 's');
        assert_eq!(both(target, "0, 4"), 'u');
        assert_eq!(both(target, "q, 4"), 'u');
    }
}
