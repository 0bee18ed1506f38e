//! `_Generic` between types that differ in qualifiers; gcc chooses what is asserted here.

use crate::tests::unwound;

#[test]
fn generic_selections_tell_qualifiers_apart() {
    let declarations = "struct s { const int *m; int a[2]; }; typedef const int ci; const char *text(void) { return 0; } char *plain(void) { return 0; }";
    let locals = "const int c = 1; int i = 2; int const *p = &c; int *q = &i; volatile int *v = &i; const char *const *pp = 0; char **cc = 0;
        const char **kc = 0; const struct s t = { 0 }; const struct s *ps = &t; ci *z = &c; int (*fp)(const int *) = 0; volatile int vi;
        const volatile int cvi = 0; const int *ap[2]; int *const kp = 0; _Atomic int at; _Atomic int *pa = &at;";
    let program = |claim: &str| {
        format!("{declarations} int main(void) {{ {locals} assert({claim}); return 0; }}")
    };
    for (selection, chosen) in [
        ("_Generic(p, int *: 1, const int *: 2)", 2),
        ("_Generic(q, int *: 1, const int *: 2)", 1),
        ("_Generic(&c, int *: 1, const int *: 2)", 2),
        ("_Generic(c, const int: 1, int: 2)", 2),
        ("_Generic(kp, int *const: 1, int *: 2)", 2),
        ("_Generic(v, int *: 1, volatile int *: 2, default: 3)", 2),
        ("_Generic(v, int *: 1, default: 3)", 3),
        (
            "_Generic(&vi, volatile int *: 1, int *: 2, const int *: 3, const volatile int *: 4)",
            1,
        ),
        (
            "_Generic(&cvi, volatile int *: 1, int *: 2, const int *: 3, const volatile int *: 4)",
            4,
        ),
        (
            "_Generic(pp, char **: 1, const char **: 2, const char *const *: 3)",
            3,
        ),
        ("_Generic(kc, char **: 1, default: 3)", 3),
        ("_Generic(cc, char **: 1, default: 3)", 1),
        ("_Generic(*kc, char *: 1, const char *: 2)", 2),
        ("_Generic(&t.a[0], int *: 1, const int *: 2)", 2),
        ("_Generic(&t.m, const int **: 1, const int *const *: 2)", 2),
        ("_Generic(ps->a, int *: 1, const int *: 2)", 2),
        ("_Generic(ap[1], int *: 1, const int *: 2)", 2),
        ("_Generic(1 ? p : q, int *: 1, const int *: 2)", 2),
        ("_Generic(z, int *: 1, const int *: 2)", 2),
        (
            "_Generic(fp, int (*)(int *): 1, int (*)(const int *): 2)",
            2,
        ),
        ("_Generic(text(), char *: 1, default: 2)", 2),
        ("_Generic(plain(), char *: 1, const char *: 2)", 1),
        ("_Generic(pa, int *: 1, _Atomic int *: 2)", 2),
    ] {
        assert_eq!(
            unwound(&program(&format!("{selection} == {chosen}"))),
            's',
            "{selection}"
        );
        assert_eq!(
            unwound(&program(&format!("{selection} != {chosen}"))),
            'u',
            "{selection}"
        );
    }
}
