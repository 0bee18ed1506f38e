//! Where objects are, and the bytes between members: what C leaves open of them.

use crate::check_tests::said;
use crate::tests::{unwound, verdicts};
use crate::{Checks, Engine};

/// The answers of unrolling to programs with the bodies.
fn answers<const N: usize>(declarations: &str, bodies: [(&str, char); N]) {
    for (body, right) in bodies {
        let text = format!("{declarations} int main(void) {{ {body} return 0; }}");
        assert_eq!(unwound(&text), right, "{text}");
    }
}

/// C11 6.5.9p6.
#[test]
fn an_object_may_start_where_another_one_ends() {
    answers(
        "void *malloc(unsigned long); int nondet_int(void); int g[4], h[4]; struct node { struct node *next; int n; };",
        [
            ("int a[4], b[4]; assert(&a[4] != b);", 'u'),
            ("int a[4], b[4]; assert(&a[4] == b);", 'u'),
            ("int a[4], b[4]; assert(&a[3] != b && &a[4] != b + 1);", 's'),
            ("int a[4], b[4]; assert(&a[4] == a + 4 && &a[4] != a);", 's'),
            ("assert((unsigned long)(g + 4) != (unsigned long)h);", 'u'),
            ("assert((unsigned long)(g + 3) != (unsigned long)h);", 's'),
            ("int x, y; assert(&x + 1 != &y);", 'u'),
            // One place in a run.
            ("int a[4], b[4]; if (&a[4] == b) assert(&a[4] == b);", '?'),
            (
                "int n = nondet_int(); if (n < 0 || n > 4) return 0; if (g + n == h) assert(0);",
                'u',
            ),
            (
                "int n = nondet_int(); if (n < 0 || n > 3) return 0; if (g + n == h) assert(0);",
                's',
            ),
            (
                "char *p = malloc(16), *q = malloc(16); for (char *r = p; r != p + 16; r++) assert(r != q + 1);",
                's',
            ),
            (
                "char *p = malloc(16), *q = malloc(16); for (char *r = p; r != q; r++) if (r == p + 16) return 0; assert(0);",
                'u',
            ),
            // Allocated memory is aligned, and an object of no bytes counts as one of some.
            (
                "char *p = malloc(15), *q = malloc(15); assert(p + 15 != q);",
                's',
            ),
            (
                "char *p = malloc(0), *q = malloc(0); assert(p != q || !p); p++;",
                's',
            ),
            (
                "struct node a, b; a.next = &b; b.next = 0; int n = 0; for (struct node *p = &a; p; p = p->next) n++; \
              assert(n == 2 && a.next != &a); int *end = &n; end++;",
                's',
            ),
        ],
    );
    answers(
        "struct none {}; struct none g;",
        [
            ("struct none x, y; assert(&x != &y);", 'u'),
            ("struct none x; assert(&x != &g);", 'u'),
            ("int a[0], b; assert((void *)a != (void *)&b);", 'u'),
            ("struct none x; assert(&x == &x);", 's'),
        ],
    );
}

/// C11 6.4.5p7.
#[test]
fn literals_may_share_bytes() {
    answers(
        "int nondet_int(void);",
        [
            (
                "const char *p = \"abc\", *q = \"bc\"; assert(q != p + 1);",
                'u',
            ),
            (
                "const char *p = \"abc\", *q = \"bc\"; assert(q != p && q != p + 2);",
                's',
            ),
            (
                "const char *p = \"abc\", *q = \"abc\"; assert(p == q);",
                'u',
            ),
            (
                "const char *p = \"abc\", *q = \"abc\"; assert(p != q);",
                'u',
            ),
            (
                "const char *p = \"abc\", *q = \"abd\"; assert(p != q && p + 1 != q);",
                's',
            ),
            (
                "const char *p = \"abc\", *q = p; assert(p == q && p[1] == 'b');",
                's',
            ),
            (
                "const char *p[2]; for (int i = 0; i < 2; i++) p[i] = \"x\"; assert(p[0] == p[1]);",
                's',
            ),
            (
                "const char *t[3] = { \"a\", \"b\", \"c\" }; int i = nondet_int(), j = nondet_int(); \
              if (i < 0 || i > 2 || j < 0 || j > 2 || i == j) return 0; assert(t[i] != t[j]);",
                's',
            ),
        ],
    );
}

/// C11 6.2.6.1p6.
#[test]
fn padding_has_any_value_where_a_record_is_stored() {
    answers(
        "int memcmp(const void *, const void *, unsigned long); void *memset(void *, int, unsigned long);
         struct padded { char c; int i; } g; struct packed { int i; int j; };
         struct padded same(struct padded x) { return x; }
         union both { struct padded p; char bytes[8]; };",
        [
            ("struct padded a = { 1, 2 }, b = { 1, 2 }; assert(!memcmp(&a, &b, sizeof a));", 'u'),
            ("struct packed a = { 1, 2 }, b = { 1, 2 }; assert(!memcmp(&a, &b, sizeof a));", 's'),
            ("struct padded a, b; memset(&a, 0, sizeof a); b = a; assert(((char *)&b)[1] == 0);", 'u'),
            ("struct padded a, b; memset(&a, 0, sizeof a); b = a; assert(((char *)&b)[0] == 0 && b.i == 0);", 's'),
            ("struct padded a, b; memset(&a, 0, sizeof a); memset(&b, 0, sizeof b); a.c = b.c = 1; a.i = b.i = 2; \
              assert(!memcmp(&a, &b, sizeof a));", 's'),
            ("struct padded a; memset(&a, 0, sizeof a); a = same(a); assert(((char *)&a)[2] == 0);", 'u'),
            ("assert(((char *)&g)[1] == 0);", 's'),
            ("struct padded a = {}; assert(((char *)&a)[1] == 0);", 's'),
            ("struct padded a = { 0 }; assert(((char *)&a)[1] == 0);", 'u'),
            ("union both u, v; memset(&u, 0, sizeof u); v.p = u.p; assert(v.bytes[1] == 0);", 'u'),
            ("union both u, v; memset(&u, 0, sizeof u); v = u; assert(v.bytes[1] == 0);", 's'),
            ("struct { unsigned a : 3, b : 4; } x = { 1, 2 }, y = { 1, 2 }; assert(!memcmp(&x, &y, sizeof x));", 'u'),
            ("struct { unsigned a : 16, b : 16; } x = { 1, 2 }, y = { 1, 2 }; assert(!memcmp(&x, &y, sizeof x));", 's'),
        ],
    );
}

/// C11 7.17.7.4p3.
#[test]
fn weak_exchanges_may_fail() {
    let exchange = |weak: &str, claim: &str| {
        format!(
            "int main(void) {{ int x = 1, e = 1; int did = __atomic_compare_exchange_n(&x, &e, 2, {weak}, 5, 5); \
             assert({claim}); return 0; }}"
        )
    };
    assert_eq!(unwound(&exchange("0", "did && x == 2")), 's');
    assert_eq!(unwound(&exchange("1", "did")), 'u');
    assert_eq!(
        unwound(&exchange("1", "did ? x == 2 : x == 1 && e == 1")),
        's'
    );
    let loops = "int x = 5; int main(void) { int e = x; \
                 while (!__atomic_compare_exchange_n(&x, &e, e + 1, 1, 5, 5)) ; assert(x == 6); return 0; }";
    assert!(verdicts(loops, |_| ()).contains(&'s'));
    assert!(!verdicts(loops, |_| ()).contains(&'u'));
}

#[test]
fn atomic_operations_are_made_on_pointers_and_records() {
    answers(
        "struct pair { int x, y; }; struct pair shared; int a[2]; int *at;",
        [
            (
                "struct pair v = { 1, 2 }, w; __atomic_store(&shared, &v, 5); __atomic_load(&shared, &w, 5); \
              assert(w.x == 1 && w.y == 2);",
                's',
            ),
            (
                "struct pair v = { 1, 2 }, w; __atomic_exchange(&shared, &v, &w, 5); \
              assert(w.x == 0 && w.y == 0 && shared.y == 2);",
                's',
            ),
            (
                "struct pair e = { 0, 0 }, v = { 5, 6 }; assert(__atomic_compare_exchange(&shared, &e, &v, 0, 5, 5)); \
              assert(shared.x == 5 && e.x == 0);",
                's',
            ),
            (
                "struct pair e = { 0, 1 }, v = { 5, 6 }; assert(!__atomic_compare_exchange(&shared, &e, &v, 0, 5, 5)); \
              assert(shared.x == 0 && e.y == 0);",
                's',
            ),
            (
                "struct pair e = { 0, 0 }, v = { 5, 6 }; assert(__atomic_compare_exchange(&shared, &e, &v, 1, 5, 5));",
                'u',
            ),
            (
                "int *e = 0; assert(__atomic_compare_exchange_n(&at, &e, a, 0, 5, 5) && at == a); \
              assert(__sync_val_compare_and_swap(&at, a, a + 1) == a); assert(__atomic_exchange_n(&at, 0, 5) == a + 1);",
                's',
            ),
            // gcc counts bytes.
            (
                "at = a; int *old = __atomic_fetch_add(&at, 4, 5); assert(old == a && at == a + 1); \
              assert(__atomic_sub_fetch(&at, 4, 5) == a);",
                's',
            ),
            (
                "struct { char c; _Atomic struct pair p; char d; _Atomic(struct pair) q[2]; struct pair r; } x; \
              assert((char *)&x.p - (char *)&x == 8 && (char *)&x.q - (char *)&x == 20 && sizeof x == 48); \
              struct { char c; struct pair *_Atomic p; struct pair q; } y; assert((char *)&y.q - (char *)&y == 16);",
                's',
            ),
        ],
    );
}

#[test]
fn records_are_not_assigned_to_what_overlaps_them() {
    let checks = Checks {
        overlap: true,
        ..Checks::default()
    };
    let assigned = |from: &str| {
        let body = format!(
            "struct four {{ int a[4]; }}; int m[12] = {{ 0 }}; struct four *p = (struct four *)m; \
             *p = *(struct four *)(m + {from});"
        );
        said(&body, checks, Engine::Unwind)
    };
    assert!(assigned("2").contains("overlap"), "{}", assigned("2"));
    for from in ["0", "4", "8"] {
        assert_eq!(assigned(from), "safe", "{from}");
    }
}

#[test]
fn null_pointers_to_functions_are_not_called() {
    let checks = Checks {
        pointer: true,
        ..Checks::default()
    };
    let called = |init: &str| {
        let body = format!("int (*f)(int) = {init}; if (f == exit) f = 0; return f(3);");
        said(
            &body.replace("f == exit", "nondet_int() > 5"),
            checks,
            Engine::Unwind,
        )
    };
    assert!(called("abs").contains("null"), "{}", called("abs"));
    let body = "int (*f)(int) = nondet_int() ? abs : 0; if (f) return f(3);";
    assert_eq!(said(body, checks, Engine::Unwind), "safe");
}
