//! CBMC's dialect: each claim is what CBMC 6.6 says of it.

use crate::tests::{lowered_with, unrolled_with};
use craig_c_lang::lower::{CbmcOptions, Checks, Dialect, LoweringOptions, PointerRestriction};
use craig_c_lang::types::DataModel;

/// The options of a harness.
fn harness(options: &mut LoweringOptions) {
    options.cbmc.dialect = Dialect::Cbmc;
    options.checks = Checks {
        bounds: true,
        pointer: true,
        ..Checks::default()
    };
}

/// The verdict of unrolling.
fn unrolled(text: &str, change: impl FnOnce(&mut CbmcOptions)) -> char {
    let found = unrolled_with(text, |options| {
        harness(options);
        change(&mut options.cbmc);
    });
    found.unwrap_or('!')
}

fn in_main(declarations: &str, body: &str) -> char {
    unrolled(
        &format!("{declarations} int main(void) {{ {body} return 0; }}"),
        |_| {},
    )
}

#[test]
fn overflow_is_that_of_the_promoted_operands() {
    for (holds, claim) in [
        (true, "__CPROVER_overflow_plus(0xffffffffu, 1)"),
        (
            false,
            "__CPROVER_overflow_plus((unsigned char)255, (unsigned char)1)",
        ),
        (true, "__CPROVER_overflow_plus(0x7fffffff, 1)"),
        (false, "__CPROVER_overflow_plus(0x7fffffff, 1L)"),
        (true, "__CPROVER_overflow_minus(0u, 1u)"),
        (false, "__CPROVER_overflow_minus(0, 1)"),
        (true, "__CPROVER_overflow_mult(1ul << 32, 1ul << 32)"),
        (false, "__CPROVER_overflow_mult(1ul << 31, 1ul << 32)"),
        (true, "__CPROVER_overflow_mult(-2147483647 - 1, -1)"),
        (true, "__CPROVER_overflow_shl(1, 31)"),
        (false, "__CPROVER_overflow_shl(1, 30)"),
        (false, "__CPROVER_overflow_shl(0, 32)"),
        (true, "__CPROVER_overflow_shl(1, 32)"),
        (false, "__CPROVER_overflow_shl(-1, 31)"),
        (true, "__CPROVER_overflow_shl(-1, 32)"),
        (false, "__CPROVER_overflow_shl(1u, 31)"),
        (true, "__CPROVER_overflow_shl(3u, 31)"),
        (true, "__CPROVER_overflow_unary_minus(5u)"),
        (false, "__CPROVER_overflow_unary_minus(0u)"),
        (true, "__CPROVER_overflow_unary_minus(-2147483647 - 1)"),
        (false, "__CPROVER_overflow_unary_minus((signed char)-128)"),
    ] {
        let body = format!("__CPROVER_assert({claim}, \"claim\");");
        assert_eq!(in_main("", &body), if holds { 's' } else { 'u' }, "{claim}");
    }
}

#[test]
fn bit_vectors_have_as_many_bits_as_they_say() {
    // As CBMC 6.6: with a sign where nothing else is said, and promoted as other integers.
    let body = "__CPROVER_bitvector[4] a = 7, b = 7; assert(a + b == 14); a = 15; assert(a == -1); \
                unsigned __CPROVER_bitvector[4] u = 15; assert(u + u == 30); u = u + 1; assert(u == 0); \
                assert(sizeof a == 1 && sizeof(__CPROVER_bitvector[12]) == 2); \
                unsigned __CPROVER_bitvector[64] w = 1; w <<= 63; assert(w >> 63 == 1);";
    assert_eq!(in_main("", body), 's');
    assert_eq!(
        in_main("", "__CPROVER_bitvector[4] a = 15; assert(a == 15);"),
        'u'
    );
    assert_eq!(
        in_main("", "__CPROVER_bitvector[129] a = 15; assert(a == 15);"),
        '?'
    );
}

#[test]
fn pointers_tell_their_objects() {
    let declarations = "void *malloc(unsigned long); void free(void *); unsigned long nondet_size(void); \
                        static const char k[2]; struct s { int a, b; } g;";
    for (right, body) in [
        ('s', "assert(!__CPROVER_r_ok((char *)0, 0));"),
        (
            's',
            "char b[4]; assert(__CPROVER_r_ok(b + 4, 0) && !__CPROVER_r_ok(b + 4, 1) && __CPROVER_w_ok(b, 4));",
        ),
        ('u', "char b[4]; assert(__CPROVER_r_ok(b + 5, 0));"),
        (
            's',
            "assert(__CPROVER_w_ok((char *)k, 2) && __CPROVER_rw_ok(&g) && __CPROVER_rw_ok(&g.b));",
        ),
        ('u', "assert(__CPROVER_rw_ok(&g.b + 1));"),
        // A size that is not known.
        (
            's',
            "unsigned long n = nondet_size(); char *p = malloc(n); if (p) assert(__CPROVER_r_ok(p, n) && __CPROVER_OBJECT_SIZE(p) == n);",
        ),
        (
            'u',
            "unsigned long n = nondet_size(); char *p = malloc(n); if (p) assert(__CPROVER_r_ok(p, n + 1));",
        ),
        (
            'u',
            "unsigned long n = nondet_size(); char *p = malloc(n); if (p) assert(__CPROVER_r_ok(p, n - 1));",
        ),
        (
            's',
            "char *p = malloc(4); free(p); assert(!__CPROVER_r_ok(p, 1) && __CPROVER_OBJECT_SIZE(p) == 4 && __CPROVER_DYNAMIC_OBJECT(p));",
        ),
        (
            'u',
            "char *p = malloc(4); free(p); assert(__CPROVER_LIVE_OBJECT(p));",
        ),
        (
            's',
            "char b[4], c; assert(__CPROVER_POINTER_OFFSET(b + 3) == 3 && __CPROVER_same_object(b, b + 3) && !__CPROVER_same_object(b, &c));",
        ),
        (
            'u',
            "char b[4], *p = nondet_int() ? b : (char *)k; assert(__CPROVER_same_object(b, p));",
        ),
        (
            's',
            "assert(__CPROVER_POINTER_OBJECT((char *)0) == 0 && !__CPROVER_DYNAMIC_OBJECT(&g));",
        ),
        // What a null pointer points to has any size.
        ('u', "assert(__CPROVER_OBJECT_SIZE((char *)0) == 0);"),
    ] {
        assert_eq!(in_main(declarations, body), right, "{body}");
    }
    // An assumption gives a pointer no target, so that nothing is known about the paths with one.
    let text = "char *nondet_p(void); int main(void) { char *p = nondet_p(); \
                __CPROVER_assume(__CPROVER_r_ok(p, 1)); assert(0); return 0; }";
    assert_eq!(unrolled(text, |_| {}), '?');
}

#[test]
fn memory_becomes_arbitrary_where_a_primitive_says_so() {
    let declarations =
        "struct s { int a, b; } g; void *malloc(unsigned long); unsigned long nondet_size(void);";
    for (right, body) in [
        (
            'u',
            "g.b = 3; __CPROVER_havoc_object(&g.a); assert(g.b == 3);",
        ),
        (
            'u',
            "g.b = 3; __CPROVER_havoc_object(&g.a); assert(g.b != 4);",
        ),
        (
            's',
            "g.b = 3; __CPROVER_havoc_slice(&g.a, 4); assert(g.b == 3);",
        ),
        (
            'u',
            "g.a = 3; __CPROVER_havoc_slice(&g.a, 4); assert(g.a == 3);",
        ),
        (
            'u',
            "g.a = 3; __CPROVER_havoc_slice(&g.a, 1); assert(g.a == 3);",
        ),
        (
            's',
            "g.a = 3; __CPROVER_havoc_slice(&g.a, 1); assert(g.a >> 8 == 0);",
        ),
        (
            's',
            "char b[6] = \"abcde\"; unsigned long i = nondet_size(); __CPROVER_assume(i < 4); __CPROVER_havoc_slice(b + i, 2); assert(b[(i + 2) % 6] == \"abcde\"[(i + 2) % 6]);",
        ),
        (
            'u',
            "char b[6] = \"abcde\"; unsigned long i = nondet_size(); __CPROVER_assume(i < 4); __CPROVER_havoc_slice(b + i, 2); assert(b[i + 1] == \"abcde\"[i + 1]);",
        ),
        (
            'u',
            "unsigned long n = nondet_size(); char *p = malloc(n); if (p && n > 2) { p[1] = 3; __CPROVER_havoc_object(p); assert(p[1] == 3); }",
        ),
        (
            's',
            "int a[3], b[3] = {1, 2, 3}; __CPROVER_array_copy(a, b); assert(a[2] == 3 && __CPROVER_array_equal(a, b));",
        ),
        (
            'u',
            "int a[3] = {1, 2, 3}, b[3] = {1, 2, 4}; assert(__CPROVER_array_equal(a, b));",
        ),
        (
            's',
            "int a[3], b[2] = {1, 2}; a[2] = 7; __CPROVER_array_replace(a, b); assert(a[1] == 2 && a[2] == 7);",
        ),
        (
            's',
            "short a[3]; __CPROVER_array_set(a, 258); assert(a[0] == 258 && a[2] == 258);",
        ),
        // Bytes outside of the object.
        ('u', "int x = 1; __CPROVER_havoc_slice(&x, 5);"),
        // From the pointers on; what a shorter object leaves of a copy is any value.
        (
            's',
            "int a[4] = {1, 2, 3, 9}, b[2] = {4, 5}; __CPROVER_array_copy(a, b); assert(a[0] == 4 && a[1] == 5); \
             __CPROVER_array_copy(a + 2, b); assert(a[1] == 5 && a[3] == 5); __CPROVER_array_copy(b, a + 1); assert(b[0] == 5);",
        ),
        (
            'u',
            "int a[4] = {1, 2, 3, 9}, b[2] = {4, 5}; __CPROVER_array_copy(a, b); assert(a[2] == 3);",
        ),
        (
            's',
            "int a[4] = {1, 2, 3, 9}, b[2] = {4, 5}; __CPROVER_array_replace(a + 3, b); assert(a[2] == 3 && a[3] == 4); \
             __CPROVER_array_replace(a + 1, b); assert(a[0] == 1 && a[2] == 5 && a[3] == 4); \
             assert(__CPROVER_array_equal(a + 1, b) == 0); a[3] = 5; assert(__CPROVER_array_equal(a + 2, b + 0) == (b[0] == 5));",
        ),
        (
            's',
            "int a[3] = {1, 2, 3}; __CPROVER_array_set(a + 1, 7); assert(a[0] == 1 && a[1] == 7 && a[2] == 7);",
        ),
        (
            's',
            "int *a = malloc(8); if (!a) return 0; __CPROVER_array_set(a, 0); assert(a[1] == 0);",
        ),
        // CBMC sets bytes here: elements have the type that the object has.
        (
            '?',
            "int *a = malloc(8); if (!a) return 0; __CPROVER_array_set(a, 7); assert(a[1] == 7);",
        ),
        (
            '?',
            "char a[8]; __CPROVER_array_set((short *)a, 7); assert(a[1] == 0);",
        ),
        (
            '?',
            "struct { int b[2]; } v; __CPROVER_array_set(v.b, 7); assert(v.b[0] == 7);",
        ),
        (
            's',
            "int a[2][2]; __CPROVER_array_set(a[1], 7); assert(a[1][0] == 7 && a[1][1] == 7);",
        ),
    ] {
        assert_eq!(in_main(declarations, body), right, "{body}");
    }
}

#[test]
fn uninterpreted_functions_are_functions() {
    let declarations =
        "int __CPROVER_uninterpreted_f(int, char); _Bool __CPROVER_uninterpreted_p(int *);";
    for (right, body) in [
        (
            's',
            "int a = nondet_int(), b = nondet_int(); int x = __CPROVER_uninterpreted_f(a, 1), y = __CPROVER_uninterpreted_f(b, 1); assert(a != b || x == y);",
        ),
        (
            'u',
            "int a = nondet_int(), b = nondet_int(); int x = __CPROVER_uninterpreted_f(a, 1), y = __CPROVER_uninterpreted_f(b, 2); assert(a != b || x == y);",
        ),
        (
            'u',
            "int a = nondet_int(); assert(__CPROVER_uninterpreted_f(a, 1) == __CPROVER_uninterpreted_f(a + 1, 1));",
        ),
        (
            's',
            "int a, b, *p = &a; assert(__CPROVER_uninterpreted_p(p) == __CPROVER_uninterpreted_p(&a) && (__CPROVER_uninterpreted_p(&b) < 2));",
        ),
    ] {
        assert_eq!(in_main(declarations, body), right, "{body}");
    }
    // All rounds of a loop, whatever their number.
    let text = "int __CPROVER_uninterpreted_f(int); int main(void) { int s = 0; \
                for (int i = 0; i < 4; i++) s += __CPROVER_uninterpreted_f(i / 4) - __CPROVER_uninterpreted_f(0); \
                assert(s == 0); return 0; }";
    assert_eq!(unrolled(text, |_| {}), 's');
}

#[test]
fn preconditions_and_postconditions_are_assertions() {
    assert_eq!(
        in_main("", "__CPROVER_precondition(nondet_int(), \"p\");"),
        'u'
    );
    assert_eq!(in_main("", "__CPROVER_postcondition(1, \"p\");"), 's');
    assert_eq!(
        in_main("", "__CPROVER_cover(0); __CPROVER_output(\"x\", 1);"),
        's'
    );
}

#[test]
fn functions_without_a_body_change_nothing() {
    let declarations =
        "int f(int *); void stop(void) __attribute__((noreturn)); struct s { int a; } make(void);";
    assert_eq!(
        in_main(declarations, "int x = 1; f(&x); assert(x == 1);"),
        's'
    );
    assert_eq!(in_main(declarations, "int x = 1; assert(f(&x) != 7);"), 'u');
    assert_eq!(in_main(declarations, "stop(); assert(0);"), 'u');
    assert_eq!(in_main(declarations, "assert(make().a != 3);"), 'u');
    assert_eq!(in_main("", "__CPROVER_no_such_primitive(1);"), '?');
    let found = lowered_with(
        "int f(void); int main(void) { return f(); }",
        DataModel::Lp64,
        harness,
    );
    let notes = found.expect("it is lowered").notes;
    assert_eq!(
        notes,
        ["no body for `f`: it is taken to return any value, and to change nothing"]
    );
}

#[test]
fn bodies_that_are_removed_are_those_of_the_library_or_open() {
    let text = "void abort(void) { __CPROVER_assert(0, \"stub\"); } int f(void) { return 3; } \
                int main(void) { if (f() == 4) abort(); assert(f() == 3); return 0; }";
    let remove = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        unrolled(text, |options| options.removed_bodies = names)
    };
    assert_eq!(remove(&[]), 's');
    assert_eq!(remove(&["abort"]), 's');
    assert_eq!(remove(&["f"]), 'u');
    assert_eq!(remove(&["f", "abort"]), 'u');
}

#[test]
fn pointers_that_the_entry_function_is_given_lead_to_objects() {
    let head = "struct s { int n; struct s *next; char *text; int *parts[2]; }; \
                void given(struct s *p, int *q, int **r, void *v, struct s whole, const char *t) { BODY } int main(void) { return 0; }";
    let with = |body: &str, change: &dyn Fn(&mut CbmcOptions)| {
        let found = unrolled_with(&head.replace("BODY", body), |options| {
            harness(options);
            options.entry = "given".into();
            change(&mut options.cbmc);
        });
        found.unwrap_or('!')
    };
    for (right, body) in [
        (
            's',
            "if (p) { p->n = 1; if (p->text) p->text[0] = 2; if (p->parts[1]) *p->parts[1] = 3; assert(p->n == 1); }",
        ),
        (
            's',
            "if (p && p->next && p->next->next) { p->next->next->n = 1; assert(p->next != p); }",
        ),
        (
            's',
            "if (r && *r && q) { **r = 1; *q = 2; assert(**r == 1); }",
        ),
        (
            's',
            "if (v) *(char *)v = 1; if (t) assert(t[0] == *t); if (whole.next) whole.next->n = 1;",
        ),
        (
            's',
            "int n = 0; for (; p; p = p->next) n++; assert(n <= 5);",
        ),
        ('u', "p->n = 1;"),
        ('u', "if (q) q[1] = 1;"),
        ('u', "assert(!p || !q);"),
        (
            'u',
            "int n = 0; for (; p; p = p->next) n++; assert(n <= 4);",
        ),
        ('u', "if (p) assert(p->n == 0);"),
    ] {
        assert_eq!(with(body, &|_| {}), right, "{body}");
    }
    let depth = "int n = 0; for (; p; p = p->next) n++; assert(n <= 2);";
    assert_eq!(
        with(depth, &|cbmc| cbmc.max_nondet_tree_depth = Some(2)),
        's'
    );
    assert_eq!(
        with(depth, &|cbmc| cbmc.max_nondet_tree_depth = Some(3)),
        'u'
    );
    let there = "p->n = 1; p->next->n = 2; assert(p->next->next);";
    assert_eq!(with(there, &|cbmc| cbmc.min_null_tree_depth = 3), 's');
    assert_eq!(with(there, &|cbmc| cbmc.min_null_tree_depth = 2), 'u');
}

#[test]
fn static_objects_may_start_with_any_value() {
    let open = |text: &str| unrolled(text, |options| options.nondet_static = true);
    assert_eq!(
        open("int g = 3; int main(void) { assert(g == 3); return 0; }"),
        'u'
    );
    assert_eq!(
        open("const int g = 3; int main(void) { assert(g == 3); return 0; }"),
        's'
    );
    assert_eq!(
        open("int main(void) { static int n; assert(n == 0); return 0; }"),
        'u'
    );
}

#[test]
fn pointers_to_functions_that_are_left_open() {
    let text = "typedef int (*F)(int); F nondet_f(void); int a(int x) { return x + 1; } int b(int x) { return x + 2; } \
                int c(int x, int y) { return x; } int g; F known = a, other = b; int (*third)(int, int) = c; \
                int main(void) { F f = nondet_f(); int r = f(1); assert(r == 2 || r == 3); return 0; }";
    assert_eq!(unrolled(text, |_| {}), 's');
    let text_of_one = text.replace("r == 2 ||", "");
    assert_eq!(unrolled(&text_of_one, |_| {}), 'u');
    // In structures that are results, locals, or memory: any contents are meant.
    for body in [
        "struct s v = nondet_s(); assert(v.f(1) == RIGHT);",
        "struct s v; assert(v.f(1) == RIGHT);",
        "struct s *v = malloc(sizeof *v); if (v) assert(v->f(1) == RIGHT);",
    ] {
        let text = format!(
            "void *malloc(unsigned long); struct s {{ int n; int (*f)(int); }}; struct s nondet_s(void); int a(int x) \
             {{ return x + 1; }} int (*known)(int) = a; int main(void) {{ {body} return 0; }}"
        );
        assert_eq!(unrolled(&text.replace("RIGHT", "2"), |_| {}), 's', "{body}");
        assert_eq!(unrolled(&text.replace("RIGHT", "3"), |_| {}), 'u', "{body}");
    }
    // In what the entry function is given.
    let given =
        "struct s { int n; int (*f)(int); }; int a(int x) { return x + 1; } int (*known)(int) = a;
                 int entry(struct s *v) { if (v) assert(v->f(1) == RIGHT); return 0; }";
    for (right, verdict) in [("2", 's'), ("3", 'u')] {
        let found = unrolled_with(&given.replace("RIGHT", right), |options| {
            harness(options);
            options.entry = "entry".into();
        });
        assert_eq!(found, Ok(verdict));
    }
    // A pointer that is null leads nowhere, which the check of pointers finds.
    let null = "struct s { int (*f)(int); } v; int a(int x) { return x; } int (*known)(int) = a; int nondet_int(void);
                int main(void) { struct s w; if (nondet_int()) w.f = 0; return nondet_int() ? v.f(1) : w.f(1); }";
    assert_eq!(unrolled(null, |_| {}), 'u');
    let unchecked = unrolled_with(null, |options| {
        harness(options);
        options.checks = Checks::default();
    });
    assert_eq!(unchecked, Ok('?'));
    // None of this type.
    let text = "typedef int (*F)(int); F nondet_f(void); int main(void) { return nondet_f()(1); }";
    assert_eq!(unrolled(text, |_| {}), '?');
}

#[test]
fn restricted_calls_go_to_their_targets() {
    let text = "typedef int (*F)(int); int a(int x) { return x + 1; } int b(int x) { return x + 2; } int nondet_int(void); \
                int main(void) { F f = nondet_int() ? a : b; return f(1) == 2; }";
    let restricted = |targets: &[&str]| {
        let targets = targets.iter().map(|target| target.to_string()).collect();
        let restriction = PointerRestriction {
            function: "main".into(),
            number: 1,
            targets,
        };
        unrolled(text, |options| options.restrictions.push(restriction))
    };
    assert_eq!(restricted(&["a", "b"]), 's');
    assert_eq!(restricted(&["a"]), 'u');
    assert_eq!(restricted(&["missing"]), '?');
}

#[test]
fn allocations_have_the_limit_that_the_verdict_states() {
    let text = "void *malloc(unsigned long); unsigned long nondet_size(void); \
                int main(void) { unsigned long n = nondet_size(); char *p = malloc(n); \
                __CPROVER_assume(p != 0 && n > 0); p[n - 1] = 1; assert(n < 1ul << 40); return 0; }";
    assert_eq!(unrolled(text, |_| {}), 's');
    let program = lowered_with(text, DataModel::Lp64, harness).expect("it is lowered");
    assert!(
        program
            .notes
            .iter()
            .any(|note| note.contains("is assumed to give null"))
    );
    let smaller = text.replace("1ul << 40", "1ul << 40 >> 1");
    assert_eq!(unrolled(&smaller, |_| {}), 'u');
}

#[test]
fn classes_of_floats_are_those_of_their_names() {
    for (right, claim) in [
        ('s', "__CPROVER_isnand(d) == (d != d)"),
        ('s', "!__CPROVER_isinfd(d) || !__CPROVER_isfinited(d)"),
        ('s', "__CPROVER_fabs(d) >= 0 || __CPROVER_isnand(d)"),
        (
            's',
            "__CPROVER_isnormalf(1.0f) && !__CPROVER_isnormalf(0.0f)",
        ),
        (
            's',
            "__CPROVER_signf(-0.0f) && __CPROVER_isinfd(__CPROVER_inf())",
        ),
        (
            's',
            "__CPROVER_fabsf(-2.0f) == 2.0f && __CPROVER_abs(-3) == 3",
        ),
        (
            's',
            "__CPROVER_isnormald(1.0) && __CPROVER_isfiniteld(1.0L)",
        ),
        ('u', "!__CPROVER_isnand(d)"),
        ('u', "__CPROVER_signd(d) || d >= 0"),
        ('?', "__CPROVER_isinff(d)"),
    ] {
        let body = format!("double d; assert({claim});");
        assert_eq!(in_main("", &body), right, "{claim}");
    }
}

/// As CBMC 6.6: an element of an array by its name is a matter of bounds, one by a pointer a matter of pointers.
#[test]
fn pragmas_switch_accesses_off() {
    for (right, checks, access) in [
        ('s', "bounds", "a[i]"),
        ('u', "pointer", "a[i]"),
        ('s', "pointer", "p[i]"),
        ('u', "bounds", "p[i]"),
        ('u', "signed-overflow", "p[i]"),
    ] {
        let text = format!(
            "int nondet_int(void); int main(void) {{ int a[2] = {{1, 2}}, *p = a, i = nondet_int(); \
             __CPROVER_assume(i >= 0 && i < 3);\n#pragma CPROVER check push\n\
             #pragma CPROVER check disable \"{checks}\"\n{access} = 3;\n#pragma CPROVER check pop\n return 0; }}"
        );
        assert_eq!(unrolled(&text, |_| {}), right, "{checks} {access}");
    }
}
