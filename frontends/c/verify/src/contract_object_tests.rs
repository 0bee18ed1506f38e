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
