//! Semantics of the standard and gcc whose simplification would lead to a wrong verdict. Each claim that
//! holds is paired with one that does not.

use super::lower::{Checks, Marks, UnknownCalls};
use super::tests::{looped, lowered, unwound, verdicts};
use super::types::DataModel;

/// A claim about a function's body: whether the assertion in it holds.
fn holds(declarations: &str, body: &str, claim: &str) -> char {
    unwound(&format!(
        "{declarations} int main(void) {{ {body} assert({claim}); return 0; }}"
    ))
}

/// True claims, whose negations must be refuted.
fn all_hold(declarations: &str, body: &str, claims: &[&str]) {
    for claim in claims {
        assert_eq!(holds(declarations, body, claim), 's', "{body} {claim}");
        let opposite = format!("!({claim})");
        assert_eq!(
            holds(declarations, body, &opposite),
            'u',
            "{body} {opposite}"
        );
    }
}

#[test]
fn bit_fields_are_promoted_by_their_width() {
    let record =
        "struct s { unsigned three : 3; signed char low : 4; unsigned whole : 32; unsigned long \
                  thirty : 30, wide : 40;
        long below : 40; long word : 32; _Bool flag : 1; unsigned long all : 64; };
        int two(int a, ...) { __builtin_va_list l; __builtin_va_start(l, a); return \
        (int)__builtin_va_arg(l, long); }";
    all_hold(
        record,
        "struct s s = { 0 }; int yes = nondet_int() | 1;",
        &[
            "s.three - 1 < 0",
            "~s.three < 0 && -(s.three + 1) < 0",
            "(s.three = 9) - 2 < 0",
            "(s.three += 1) - 2 < 0 && s.three++ - 2 < 0 && --s.three - 2 < 0",
            "(0, s.three) - 1 < 0",
            "(yes ? s.three : s.three) - 1 < 0",
            "(s.three = 1) << 31 < 0",
            "s.thirty - 1 < 0",
            "s.whole - 1 > 0",
            "s.flag - 1 < 0",
            "s.all - 1 > 0",
            "s.word - 1 < 0 && (s.word = 1) << 31 < 0",
            "_Generic(s.three + 0, int: 1, default: 0) && _Generic(+s.whole, unsigned: 1, default: 0)",
            "_Generic(s.three, unsigned: 0, default: 1) && _Generic(s.wide, unsigned long: 0, default: 1)",
            "_Generic(s.wide + 1l, long: 1, default: 0) && _Generic(s.word, int: 1, default: 0)",
        ],
    );
    all_hold(
        record,
        "struct s s = { 0 }; s.wide = -1; s.below = -1;",
        &[
            "s.wide + 1 == 0",
            "s.wide + 1l != 0 && s.wide + 1ul != 0",
            "s.wide << 8 == 0xffffffff00",
            "(unsigned long)s.wide << 8 == 0xffffffffff00",
            "(s.wide = 0xffffffffff) * 2 == 0xfffffffffe",
            "s.below < 0 && s.below < 0u && !(s.below < s.wide)",
            "s.below + 0u == -1 && sizeof(s.wide + 1) == 8",
            "(1 ? s.wide : 0) + 1 == 0",
            "two(1, s.below) == -1",
        ],
    );
}

#[test]
fn declarators_in_parentheses_keep_their_parameters() {
    let declarations = "int (twice)(int a) { return a + a; } static long (*(pick)(int k))(long); static \
                        long same(long x) { return x; }
        static long (*(pick)(int k))(long) { return k ? same : 0; } int ((deep))(int a, int b) { return a - \
        b; }
        int (old)(a, b) int a; char b; { return a * b; } int (number) = 4, (*(pointer)) = &number;";
    all_hold(
        declarations,
        "int n = nondet_int(); if (n < 0 || n > 9) return 0;",
        &[
            "(twice)(n) == n * 2 && deep(n, 1) == n - 1",
            "pick(1)(n) == n && pick(0) == 0",
            "old(n, 3) == 3 * n && *pointer == 4",
        ],
    );
}

#[test]
fn sizes_of_array_parameters_are_evaluated() {
    let declarations = "int calls; int length(void) { return ++calls; }
        int first(int n, int a[n += 2]) { return n; } int second(int n, int (*a)[n++], char b[length()][n]) \
        { return n; }
        int third(int n, int [n--]) { return n; } int plain(int n, int a[n + 1], int b[static 2]) { return \
        n; }";
    all_hold(
        declarations,
        "int e[9]; char c[9][9];",
        &[
            "first(5, e) == 7",
            "second(3, (void *)e, c) == 4 && calls == 1",
            "third(1, e) == 0",
            "plain(1, e, e) == 1",
        ],
    );
}

#[test]
fn an_error_mark_is_a_label_in_capitals() {
    let program = |label: &str| {
        format!(
            "int main(void) {{ if (nondet_int() == 7) goto {label}; return 0; {label}: return 1; }}"
        )
    };
    assert_eq!(unwound(&program("ERROR")), 'u');
    for label in ["error", "Error", "err", "ERROR_2"] {
        assert_eq!(unwound(&program(label)), 's', "{label}");
    }
}

#[test]
fn what_the_compiler_can_tell_is_constant() {
    all_hold(
        "enum { three = 3 }; int g;",
        "int x = nondet_int();",
        &[
            "__builtin_constant_p(three * 2) && __builtin_constant_p(1.5) && __builtin_constant_p(\"text\")",
            "!__builtin_constant_p(x) && !__builtin_constant_p(g++) && g == 0",
            "__builtin_constant_p(sizeof(x))",
        ],
    );
}

#[test]
fn counts_in_zeros_are_open() {
    let program = |claim: &str| {
        format!(
            "int main(void) {{ unsigned x = nondet_uint(); unsigned long y = nondet_ulong(); \
             assert({claim}); return 0; }}"
        )
    };
    for open in [
        "x > 1 || x == 1 || __builtin_clz(x) == 32",
        "x || __builtin_ctz(x) >= 0",
        "y || __builtin_clzl(y) == __builtin_clzl(y)",
    ] {
        assert_eq!(unwound(&program(open)), 'u', "{open}");
    }
    for specified in [
        "x != 1 || __builtin_clz(x) == 31",
        "!x || x >> __builtin_ctz(x) & 1",
        "!y || __builtin_clzl(y) < 64",
        "__builtin_ffs(0) == 0 && __builtin_popcount(0) == 0",
    ] {
        assert_eq!(unwound(&program(specified)), 's', "{specified}");
    }
}

#[test]
fn of_comparisons_the_sign_is_specified() {
    let body = "char a[] = \"ab\", b[] = \"ad\"; char x = nondet_char();";
    all_hold(
        "int strcmp(const char *, const char *); int memcmp(const void *, const void *, unsigned long); int \
         isalpha(int);
         int strncmp(const char *, const char *, unsigned long); int isdigit(int); int isspace(int);",
        body,
        &[
            "strcmp(a, b) < 0 && strcmp(b, a) > 0 && !strcmp(a, a) && memcmp(a, b, 1) == 0",
            "isalpha('q') && !isalpha('4') && isdigit('4') != 0 && (isspace(x) || x != ' ')",
        ],
    );
    for open in [
        "strcmp(a, b) != -2",
        "memcmp(b, a, 2) <= 2",
        "strncmp(a, b, 2) == strncmp(a, b, 2)",
        "isalpha('a') == 1",
        "isdigit('5') + isdigit('6') != 7",
        "({ int isspace(int); int (*f)(int) = isspace; f(' ') > 0; })",
    ] {
        assert_eq!(holds("", body, open), 'u', "{open}");
    }
    let kept = "({ int order = strcmp(a, b); order < 0 && order != 0; }) && ({ int (*f)(const char *, const \
                char *) = strcmp; f(b, a) > 0; })";
    assert_eq!(
        holds("int strcmp(const char *, const char *);", body, kept),
        's'
    );
}

#[test]
fn allocations_of_nothing_and_of_too_much() {
    let declarations =
        "typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t);
        void *realloc(void *, size_t); void free(void *);";
    for open in [
        "malloc(0)",
        "!malloc(0)",
        "({ int n = nondet_int() & 1; void *p = malloc(n); p || n; })",
        "realloc(malloc(4), 0)",
        "!realloc(malloc(4), 0)",
        "({ unsigned long n = nondet_ulong(); n > 100 || malloc(n); })",
        "({ unsigned long n = nondet_ulong(); n == 0 || malloc(n); })",
        "({ int n = nondet_int(); n == 0 || malloc(n * sizeof(int)); })",
    ] {
        assert_eq!(holds(declarations, "", open), 'u', "{open}");
    }
    for specified in [
        "malloc(1) && calloc(3, 4) && realloc(0, 8)",
        "!calloc((size_t)1 << 62, 4) && !calloc(16, (size_t)-1 / 2) && !malloc((size_t)1 << 63)",
        "({ size_t n = nondet_ulong(); n < (size_t)1 << 61 || !calloc(n, 8); })",
        "({ size_t n = 2; !malloc(n - 4); })",
        "({ size_t n = nondet_ulong(); n < (size_t)1 << 63 || !malloc(n); })",
        "({ int n = nondet_int(); n >= 0 || !malloc(n * sizeof(int)); })",
        "({ int n = nondet_int() & 1 ? -1 : 4; char *p = malloc(n); n < 0 ? !p : (p[3] = 7, p[3] == 7); })",
        "({ size_t n = nondet_ulong(); char *p = malloc(2); p[1] = 5; n < (size_t)1 << 63 || !realloc(p, n) && \
         p[1] == 5; })",
        "({ size_t n = nondet_ulong() & 3; char *p = calloc(n + 1, 2); p && p[n] == 0; })",
        "({ char *p = malloc(2); p[1] = 5; p = realloc(p, 3); p && p[1] == 5; })",
    ] {
        assert_eq!(holds(declarations, "", specified), 's', "{specified}");
    }
}

#[test]
fn handlers_are_called() {
    for (text, expected) in [
        ("void f(void) { assert(0); } int main(void) { at_quick_exit(f); quick_exit(1); }", 'u'),
        ("void f(void) { assert(0); } int main(void) { at_quick_exit(f); return 0; }", 's'),
        ("void f(void) { assert(0); } int main(void) { atexit(f); quick_exit(0); }", 's'),
        (
            "int n; void f(void) { n++; } int main(void) { static int once; pthread_once(&once, f); \
             pthread_once(&once, f); assert(n == 1); return 0; }",
            's',
        ),
        (
            "int n; void f(void) { n++; } int main(void) { static int once; call_once(&once, f); assert(n \
             == 0); return 0; }",
            'u',
        ),
        (
            "int by(const void *a, const void *b, void *s) { return *(int *)s * (*(const int *)a - *(const \
             int *)b); }
             int main(void) { int a[3] = { 5, 9, 7 }, down = -1; qsort_r(a, 3, sizeof(int), by, &down); \
             assert(a[0] == 9 && a[2] == 5); return 0; }",
            's',
        ),
        (
            "int by(const void *a, const void *b, void *s) { return *(const int *)a - *(const int *)b; }
             int main(void) { int a[2] = { 5, nondet_int() & 7 }; qsort_r(a, 2, sizeof(int), by, 0); \
             assert(a[0] == 5); return 0; }",
            'u',
        ),
    ] {
        assert_eq!(unwound(text), expected, "{text}");
    }
}

#[test]
fn lengths_are_stored() {
    let declarations =
        "int printf(const char *, ...); int fprintf(void *, const char *, ...); int \
                        sprintf(char *, const char *, ...);
        int snprintf(char *, unsigned long, const char *, ...);";
    for changed in [
        "printf(\"a\" \"%\" \"n\", &n);",
        "printf(\"%*d%n\", 3, 4, &n);",
        "printf(\"\\x25\" \"n\", &n);",
        "const char *f = \"%d%n\"; printf(f, 1, &n);",
        "fprintf(0, \"%s%%%hhn\", \"x\", (char *)&n);",
        "printf(\"%2$n%1$d\", 1, &n);",
    ] {
        assert_eq!(
            holds(declarations, &format!("int n = 0; {changed}"), "n == 0"),
            'u',
            "{changed}"
        );
    }
    all_hold(
        declarations,
        "int n = -1; short h = -1; long l = -1; signed char c = -1; char t[20];",
        &[
            "(printf(\"%%n %d\", n), n == -1)",
            "(printf(\"%hn\", &h), n == -1)",
            "(sprintf(t, \"ab%ncd%hhn\", &n, &c), n == 2 && c == 4 && t[3] == 'd')",
            "(snprintf(t, 2, \"abc%ln%hn\", &l, &h), l == 3 && h == 3 && t[1] == 0)",
        ],
    );
}

/// Whether a verdict of the three engines contradicts the expected one, and whether one of them finds it.
fn judge(text: &str, found: [char; 3], right: char) {
    let wrong = if right == 's' { 'u' } else { 's' };
    assert!(
        !found.contains(&wrong),
        "{found:?}, but {right} is right: {text}"
    );
    assert!(
        right == '?' || found.contains(&right),
        "{found:?}, none of which is {right}: {text}"
    );
    assert!(
        right != '?' || found == ['?'; 3],
        "{found:?}, where nothing is known: {text}"
    );
}

#[test]
fn unknown_functions_change_what_their_arguments_lead_to() {
    let declarations = "struct pair { int a; char text[4]; int *link; }; void fill(struct pair *); void \
                        look(const struct pair *);
        void byte(unsigned char *), word(long *), any(void *), cell(int **); int *find(int *); struct pair \
        make(void);
        int trace(const char *, ...); extern void (*hook)(int *); void *malloc(unsigned long);";
    for (body, right) in [
        ("unsigned char c = 3; byte(&c); assert(c == 3);", 'u'),
        (
            "unsigned char c[3] = { 1, 2, 3 }; byte(c + 1); assert(c[0] == 1);",
            'u',
        ),
        ("long n = 1; word(&n); assert(n != 77);", 'u'),
        (
            "long n[3] = { 0 }; int a[2] = { 1, 2 }; word(n); if (n[1] == 1) assert(a[n[1]] == 2);",
            's',
        ),
        (
            "struct pair p = { 1, \"abc\", 0 }; fill(&p); assert(p.a == 1);",
            'u',
        ),
        (
            "struct pair p = { 1, \"abc\", 0 }; fill(&p); assert(p.text[1] == 'b');",
            'u',
        ),
        (
            "struct pair p = { 1, \"abc\", 0 }; look(&p); assert(p.a == 1 && p.text[1] == 'b' && !p.link);",
            's',
        ),
        (
            "int x = 5; struct pair p = { 1, \"abc\", &x }; look(&p); assert(x == 5);",
            'u',
        ),
        (
            "int x = 5, y = 6; struct pair p = { 1, \"abc\", &x }; fill(&p); assert(y == 6);",
            's',
        ),
        ("int x = 5; int *p = &x; cell(&p); assert(x == 5);", 'u'),
        (
            "int x = 5; int *p = &x; cell(&p); *p = 7; assert(x == 5);",
            '?',
        ),
        (
            "int x = 5, y = 1; int *p = &x; cell(&p); p = &y; *p = 2; assert(y == 2);",
            's',
        ),
        ("int x = 5; *find(&x) = 7; assert(0);", '?'),
        (
            "int x = 5; int *p = malloc(4); *p = 4; any(p); assert(*p == 4 && x == 5);",
            'u',
        ),
        ("int *p = malloc(4); *p = 4; any(0); assert(*p == 4);", 's'),
        (
            "int x = 5, y = 4; int *p = nondet_int() ? &x : &y; find(p); assert(x == 5 || y == 4);",
            's',
        ),
        (
            "int x = 5; char name[2] = { 7, 0 }; trace(\"x\", x, \"y\"); assert(name[0] == 7);",
            's',
        ),
        ("int x = 5; struct pair p = make(); assert(p.a != 3);", 'u'),
        (
            "static const int table[2] = { 1, 2 }; any((void *)table); assert(table[1] == 2);",
            's',
        ),
        (
            "int x = 1; int *p = &x; int **q = &p; any(&q); assert(x == 1);",
            'u',
        ),
        (
            "int a[3] = { 1, 2, 3 }; for (int i = 0; i < 3; i++) find(&a[i]); assert(a[2] >= -2147483647 - \
             1);",
            's',
        ),
    ] {
        let text = format!("{declarations} int main(void) {{ {body} return 0; }}");
        let found = verdicts(&text, |_| {});
        match right {
            // The pointer's target is unknown; an error may be found nevertheless.
            '?' => assert!(!found.contains(&'s'), "{found:?} {text}"),
            _ => judge(&text, found, right),
        }
        let pure = verdicts(&text, |options| options.unknown_calls = UnknownCalls::Pure);
        assert!(
            pure.contains(&'s') || right == 'u' || right == '?',
            "{pure:?} {text}"
        );
        if body.contains("c == 3") {
            assert_eq!(pure[0], 's', "{text}");
        }
        let refused = verdicts(&text, |options| {
            options.unknown_calls = UnknownCalls::Refuse;
        });
        assert_eq!(refused, ['?'; 3], "{text}");
    }
}

#[test]
fn unknown_functions_with_other_powers_are_not_supported() {
    for text in [
        "void each(void (*f)(int)); void f(int x) { assert(0); } int main(void) { each(f); return 0; }",
        "struct s { void (*f)(int); }; int set(const struct s *); void f(int x) { assert(0); }
         int main(void) { struct s a = { f }; set(&a); return 0; }",
        "struct s { void (*f)(int); }; int set(int, ...); void f(int x) { assert(0); }
         int main(void) { struct s a = { f }, *b = &a; set(1, &b); return 0; }",
        "void stop(void) __attribute__((noreturn)); int main(void) { stop(); return 0; }",
        "int getcontext(void *); int main(void) { int b[99]; getcontext(b); return 0; }",
        "int vfork(void); int main(void) { vfork(); return 0; }",
    ] {
        assert_eq!(verdicts(text, |_| {}), ['?'; 3], "{text}");
    }
    let ignored = "void (*signal(int, void (*)(int)))(int); void other(void (*)(int)); int main(void) { \
                   other((void (*)(int))1); return 0; }";
    assert_eq!(unwound(ignored), 's');
}

#[test]
fn each_entry_makes_new_objects() {
    let pointer = Checks {
        pointer: true,
        ..Checks::default()
    };
    for (text, right) in [
        (
            "int main(void) { int *p = 0, s = 0; for (int i = 0; i < 3; i++) { int x = i; if (p) s += *p; p \
             = &x; } return s; }",
            'u',
        ),
        (
            "int main(void) { int s = 0; for (int i = 0; i < 3; i++) { int x = i; int *p = &x; s += *p; } \
             assert(s == 3); return 0; }",
            's',
        ),
        (
            "int *keep; int f(int i) { int x = i; if (i) return *keep; keep = &x; return 0; } int \
             main(void) { return f(0) + f(1); }",
            'u',
        ),
        (
            "int *keep; int f(int i) { int x = i; keep = &x; return *keep; } int main(void) { int s = f(4); \
             assert(s + f(1) == 5); return 0; }",
            's',
        ),
        (
            "int *g(void) { int x = 1; int *p = &x; return p; } int main(void) { return *g(); }",
            'u',
        ),
        (
            "int f(int n, int *up) { int x = n; if (n == 0) return *up; return f(n - 1, &x) + x; } int \
             main(void) { assert(f(2, 0) == 4); return 0; }",
            's',
        ),
        (
            "int main(void) { int n = nondet_int(), *p = 0; if (n < 1 || n > 3) return 0; { int a[n]; a[0] \
             = n; p = a; if (*p != n) assert(0); } return *p; }",
            'u',
        ),
        (
            "int main(void) { int n = nondet_int(), s = 0; if (n < 1 || n > 3) return 0; for (int i = 0; i \
             < 2; i++) { int a[n]; int *p = a; *p = i; s += p[0]; } assert(s == 1); return 0; }",
            's',
        ),
        (
            "int main(void) { int *p; int i = 0; again:; { int x = i; if (i == 0) { p = &x; i = 1; goto \
             again; } return *p; } }",
            'u',
        ),
        (
            "int main(void) { int *p = 0; while (1) { int x = 1; p = &x; if (nondet_int()) break; } return \
             *p; }",
            'u',
        ),
    ] {
        let found = verdicts(text, |options| options.checks = pointer);
        let wrong = if right == 's' { 'u' } else { 's' };
        assert!(
            !found.contains(&wrong) && found[0] == right,
            "{found:?} {right} {text}"
        );
        // Without the check, an access to an object that has ended is not ignored.
        let found = verdicts(text, |_| {});
        assert!(!found.contains(&'u'), "{found:?} {text}");
        assert!(right == 's' || !found.contains(&'s'), "{found:?} {text}");
        assert!(right == 'u' || found.contains(&'s'), "{found:?} {text}");
    }
}

#[test]
fn jumps_past_a_declaration_make_the_object() {
    for (text, right) in [
        (
            "int main(void) { int n = 0; goto in; { int a[2], *p; in: p = a; p[1] = 4; n = a[1]; } assert(n \
             == 4); return 0; }",
            's',
        ),
        (
            "int main(void) { for (int i = 0; i < 3; i++) { if (i) goto in; { int a[2] = { 9, 9 }; in: a[1] \
             = i; assert(a[1] == i); } } return 0; }",
            's',
        ),
        (
            "int main(void) { int i = 0; again: if (i) goto in; { int x = 5; i = 1; goto again; in: \
             assert(x == 5); } return 0; }",
            'u',
        ),
        (
            "int main(void) { switch (nondet_int()) { struct { int a, b; } s; int *p; case 1: p = &s.b; *p \
             = 3; assert(s.b == 3); break;
             default: s.a = 2; assert(s.a == 2); } return 0; }",
            's',
        ),
        (
            "int main(void) { int i = 0, a = 0; switch (i) { do { int x[1]; case 0: x[0] = i; a += x[0]; } \
             while (++i < 4); } assert(a == 6); return 0; }",
            's',
        ),
        (
            "int main(void) { { int a[1] = { 7 }; back: a[0]++; if (a[0] < 10) goto back; assert(a[0] == \
             10); } return 0; }",
            's',
        ),
        (
            "int main(void) { void *to = &&in; goto *to; { int a[1]; in: a[0] = 1; assert(a[0] == 1); } \
             return 0; }",
            's',
        ),
    ] {
        judge(text, verdicts(text, |_| {}), right);
    }
}

#[test]
fn addresses_may_be_given_out_again() {
    let declarations = "void *malloc(unsigned long); void free(void *); void *realloc(void *, unsigned long);
        int *local(void) { int x = 1; int *p = &x; return p; } int *other(void) { int y = 2; int *p = &y; \
        return p; }";
    for (body, right) in [
        (
            "char *p = malloc(8); free(p); char *q = malloc(8); assert(p != q); free(q);",
            '?',
        ),
        (
            "char *p = malloc(8), *q = malloc(8); assert(p != q); free(p); free(q);",
            's',
        ),
        (
            "long p = (long)malloc(8), q; free((void *)p); q = (long)malloc(8); assert(q - p != 0); \
             free((void *)q);",
            '?',
        ),
        (
            "char *p = malloc(8), *q = realloc(p, 9); assert(p != q);",
            '?',
        ),
        (
            "char *p = malloc(8), *q = malloc(8); free(q); assert(p && q);",
            's',
        ),
        ("assert(local() != other());", '?'),
        (
            "char *p = malloc(2), *q; q = p + 1; free(p); p = malloc(1); assert(p != 0); free(p);",
            's',
        ),
    ] {
        let text = format!("{declarations} int main(void) {{ {body} return 0; }}");
        judge(&text, verdicts(&text, |_| {}), right);
    }
}

#[test]
fn the_same_seed_gives_the_same_numbers() {
    let program = |claim: &str| {
        format!(
            "int rand(void); void srand(unsigned); int main(void) {{ srand(7); int a = rand(), b = rand(); \
             srand(7);
             int c = rand(), d = rand(); srand(8); int e = rand(); assert({claim}); return 0; }}"
        )
    };
    assert_eq!(unwound(&program("a == c && b == d && e >= 0")), 's');
    assert_eq!(unwound(&program("a == e")), 'u');
    assert_eq!(unwound(&program("a == b")), 'u');
}

#[test]
fn arguments_of_the_program() {
    let program =
        |claim: &str| format!("int main(int argc, char **argv) {{ assert({claim}); return 0; }}");
    for holds in [
        "argc != 3 || !argv[3] && argv[2] && argv[0]",
        "argc < 1 || argv[0]",
        "argc != 0 || !argv[0]",
        "argc >= 0",
    ] {
        assert_eq!(unwound(&program(holds)), 's', "{holds}");
    }
    for fails in [
        "argc != 3 || argv[3]",
        "argc < 2 || argv[1] == argv[0]",
        "argc < 20",
    ] {
        assert_eq!(unwound(&program(fails)), 'u', "{fails}");
    }
    for (text, right) in [
        (
            "int main(int argc, char **argv) { if (argc > 1 && argv[1][0]) return argv[1][1]; return 0; }",
            's',
        ),
        (
            "int main(int argc, char **argv) { return argv[1][0]; }",
            'u',
        ),
        (
            "int main(int argc, char **argv) { return argc > 2 ? argv[2][1] : 0; }",
            'u',
        ),
        (
            "int main(int argc, char *argv[]) { return argc > 40; }",
            's',
        ),
    ] {
        let found = verdicts(text, |options| options.checks = Checks::ALL);
        assert_eq!(found[0], right, "{text}");
    }
}

#[test]
fn operands_are_evaluated_in_either_order() {
    let declarations = "int n; int up(void) { return ++n; } int twice(void) { n *= 2; return n; } int \
                        peek(void) { return n; }
        int pure(int a) { return a + 1; } int sum(int a, int b) { return a * 10 + b; } int three(int a, int \
        b, int c) { return a; }
        int digits(int a, int b, int c) { return a * 100 + b * 10 + c; } int set(int *p) { return *p = 5; } \
        struct s { int a, b; } g; int seta(void) { return g.a = 4; } int getb(void) { return g.b; }
        int local(int k) { int n = k; n++; return n; }
        int shadow(void) { n++; { int n = 7; n++; } return n; } struct s take(void) { return g; }
        int deep(struct s x, int y) { return x.a; } union u { int i; float f; } w; int setf(void) { w.f = \
        1.5f; return 0; }
        int counter(void) { static int kept[2]; return ++kept[0]; } int (*through)(void) = up; int \
        call(void) { return through(); }
        int inner(void) { int up(void); return up(); }
        void *memcpy(void *, const void *, unsigned long); void *(*copy)(void *, const void *, unsigned \
        long) = memcpy;
        int printf(const char *, ...);";
    for (body, right) in [
        // A name `n` declared in an inner block is not the outer `n`.
        ("n = 3; assert(peek() + shadow() == 7);", 'u'),
        // A record is read as a whole, a member of it is written.
        ("g.a = 1; assert(deep(g, seta()) == 1);", 'u'),
        ("g.a = 1; assert(deep(g, seta()) == 4);", 'u'),
        (
            "g.a = 1; int x = deep(g, seta()); assert(x == 1 || x == 4);",
            's',
        ),
        // What is only read is read before, between and behind the calls, each operand by itself.
        (
            "n = 3; int x = n + (up(), twice()) * 0; assert(x == 3 || x == 8);",
            'u',
        ),
        (
            "n = 3; int x = n + (up(), twice()) * 0; assert(x == 3 || x == 4 || x == 8);",
            's',
        ),
        (
            "n = 3; int x = n + (up() + twice()) * 0; assert(x != 6);",
            'u',
        ),
        ("n = 1; int x = digits(n, up(), n); assert(x != 221);", 'u'),
        ("n = 1; int x = digits(n, up(), n); assert(x != 122);", 'u'),
        (
            "n = 1; int x = digits(n, up(), n); assert(x == 121 || x == 122 || x == 221 || x == 222);",
            's',
        ),
        (
            "n = 0; int x = 6 / (n + 1) + up() * 0; assert(x == 6);",
            'u',
        ),
        (
            "n = 0; int x = 6 / (n + 1) + up() * 0; assert(x == 3 || x == 6);",
            's',
        ),
        // Inside of a statement expression a name may mean something else.
        (
            "n = 1; int x = n + ({ int n = 5; up(); n; }) * 0; assert(x == 1 || x == 2);",
            's',
        ),
        (
            "int a[4] = { 0, 1, 2, 3 }; n = 1; a[n] += up(); assert(a[1] == 3);",
            'u',
        ),
        (
            "int a[4] = { 0, 1, 2, 3 }; n = 1; a[n] += up(); assert(a[1] == 3 || a[2] == 4);",
            's',
        ),
        (
            "int a[4] = { 0, 1, 2, 3 }; n = 1; *(a + up()) = n; assert(a[2] == 2);",
            'u',
        ),
        (
            "int a[4] = { 0, 1, 2, 3 }; n = 1; *(a + up()) = n; assert(a[2] == 2 || a[2] == 1);",
            's',
        ),
        ("w.i = 0; assert(w.i + setf() == 0);", 'u'),
        ("n = 3; assert(peek() + call() == 7);", 'u'),
        // Pointers of the enclosing function, and functions declared in a block.
        (
            "int (*p)(void) = up; n = 3; assert(n + ({ p(); 1; }) == 4);",
            'u',
        ),
        ("n = 3; assert(peek() + inner() == 7);", 'u'),
        // Functions of the library behind pointers.
        (
            "int a = 1, b = 2; assert(a + *(int *)copy(&a, &b, sizeof a) == 3);",
            'u',
        ),
        ("int k = 1; assert(k + printf(\"a%n\", &k) * 0 == 1);", 'u'),
        ("assert(counter() - counter() == -1);", 'u'),
        // A call may be evaluated between two others.
        ("n = 1; assert(up() + (twice() + twice()) != 99);", '?'),
        (
            "int a[2] = { 1, 1 }; a[1] = a[1]++; assert(a[1] == 1);",
            '?',
        ),
        ("g.b = 1; int r = g.b + g.b++; assert(r == 2);", '?'),
        (
            "int a[2] = { 1, 2 }, i = n & 1; assert(a[i]++ + a[0] == 2);",
            'u',
        ),
        (
            "char *t = \"ab\"; n = 3; assert(abs(-n) + isspace(t[0]) + strlen(t) == 5);",
            's',
        ),
        ("n = 1; assert(sum(up(), twice()) != 24);", 'u'),
        ("n = 1; assert(sum(up(), twice()) != 32);", 'u'),
        (
            "n = 1; int r = sum(up(), twice()); assert(r == 24 || r == 32);",
            's',
        ),
        ("n = 3; assert(up() - twice() == -4);", 'u'),
        (
            "n = 3; int x = nondet_int() & 7; assert(pure(x) + pure(2) == x + 4 && n == 3);",
            's',
        ),
        ("n = 3; assert(n + up() == 8);", 'u'),
        ("n = 3; n += up(); assert(n == 8);", 'u'),
        ("n = 3; n += pure(n); assert(n == 7);", 's'),
        (
            "n = 3; assert(peek() + peek() == 6 && (up(), peek()) == 4);",
            's',
        ),
        ("int x = 1; assert(x + set(&x) == 10);", 'u'),
        ("int x = 1, y = 2; assert(y + set(&x) == 7);", 's'),
        (
            "int a[8] = { 0 }; n = 1; a[n] = up(); assert(a[1] == 2);",
            'u',
        ),
        (
            "int a[8] = { 0 }; int i = 1; a[i] = up(); assert(a[1] == 1);",
            's',
        ),
        (
            "assert(seta() + getb() == 4 && local(2) + local(3) == 7);",
            's',
        ),
        (
            "n = 1; int x = peek() == 1 && up() == 2 ? peek() : up(); assert(x == 2);",
            's',
        ),
        ("int i = 1; i = i++ + 1; assert(i == 2);", '?'),
        (
            "int i = 1, a[4] = { 0 }; a[i++] = i; assert(a[1] == 1);",
            '?',
        ),
        ("int i = 1; assert(sum(i, i++) == 11);", '?'),
        ("int i = 1; i = (i++, i + 1); assert(i == 3);", 's'),
        (
            "int i = 1, j = i++ + 1; i = pure(i++); assert(i == 3 && j == 2);",
            's',
        ),
        (
            "int i = 0, a[3] = { 1, 2, 3 }; int *p = a; *p++ = i; *p++ = i; assert(a[1] == 0 && p == a + 2);",
            's',
        ),
        ("n = 1; assert(three(up(), twice(), peek()) == 2);", '?'),
    ] {
        let text = format!("{declarations} int main(void) {{ {body} return 0; }}");
        judge(&text, verdicts(&text, |_| {}), right);
    }
}

#[test]
fn calls_that_do_not_return_hide_no_error() {
    let declarations = "void abort(void); void exit(int); int n; int stops(void) { exit(1); return 0; } int \
                        fails(void) { assert(0); return 0; }
        int loops(void) { for (;;) ; return 0; } int again(int a) { return again(a + 1); } int fine(void) { \
        return 1; }
        int jumps(void) { back: goto back; } int cuts(void) { __VERIFIER_assume(0); return 1; } int sum(int \
        a, int b) { return a + b; }
        int three(int a, int b, int c) { return a; } int maybe(int x) { if (x) abort(); return 3; } int \
        up(void) { return ++n; }
        int look(void) { assert(n == 0); return n; } int cell[3]; struct s { int a, b; struct { int c; } \
        in; };
        int (*pointer)(void) = stops;";
    for (body, right) in [
        ("stops() + fails();", 'u'),
        ("fails() + stops();", 'u'),
        ("loops() + fails();", 'u'),
        ("jumps() + fails();", 'u'),
        ("again(1) + fails();", 'u'),
        ("cuts() + fails();", 'u'),
        ("pointer() + fails();", 'u'),
        ("fine() + fails();", 'u'),
        ("stops() + fine();", 's'),
        ("stops(), fails();", 's'),
        ("stops() && fails();", 's'),
        ("sum(stops(), fails());", 'u'),
        ("three(fine(), stops(), fails());", 'u'),
        ("sum(fine(), stops() + fails());", 'u'),
        ("(stops() + fine()) + (fine() + fails());", 'u'),
        ("int x = maybe(nondet_int()) + look(); assert(x == 3);", 's'),
        ("cell[stops()] = fails();", 'u'),
        ("cell[fails()] = stops();", 'u'),
        ("cell[0] += stops() + fails();", 'u'),
        ("n = 1; maybe(n) + fails();", 'u'),
        ("maybe(nondet_int()) + up() + look();", '?'),
        // The initialisers in braces are evaluated in any order (C11 6.7.9p23).
        ("int a[2] = { stops(), fails() };", 'u'),
        ("struct s x = { 1, stops(), { fails() } };", 'u'),
        ("(struct s){ stops(), fails() };", 'u'),
        ("int a[2] = { up(), look() };", '?'),
        (
            "int a[2] = { fine(), up() }; assert(a[0] == 1 && a[1] == 1);",
            's',
        ),
    ] {
        let text = format!("{declarations} int main(void) {{ {body} return 0; }}");
        judge(&text, verdicts(&text, |_| {}), right);
    }
    // What operations check is an error, too, and so is a label given by an option.
    for (body, right) in [
        ("int x = nondet_int(); stops() + 1 / x;", 'u'),
        ("int x = nondet_int() | 1; stops() + 1 / x;", 's'),
        ("stops() + n;", 's'),
    ] {
        let text = format!("{declarations} int main(void) {{ {body} return 0; }}");
        let found = verdicts(&text, |options| options.checks.division = true);
        judge(&text, found, right);
    }
    let text = format!(
        "{declarations} int main(void) {{ {{ fails() + stops(); }} return 0; }} int g(void) {{ return 1; }}"
    );
    let named = |name: &'static str| {
        verdicts(&text, move |options| {
            options.marks = Marks::Named(name.into());
        })
    };
    judge(&text, named("stops"), 'u');
    judge(&text, named("g"), 's');
}

#[test]
fn what_pointers_lead_to_includes_members() {
    let declarations = "struct s { int a, b; struct { int c; } in; } g; int geta(struct s *p) { return p->a; }
        int getc(struct s *p) { return p->in.c; } int read(int *p) { return *p; } int taking(int a) { \
        return a; }
        int more(int a) { return a + 1; } int (*with)(int) = taking; int swap(void) { with = more; return 0; }
        int wprintf(const int *, ...); int fwprintf(void *, const int *, ...);";
    for (body, right) in [
        (
            "struct s r = { 5 }, *p = &g; assert((*p = r, 1) + geta(p) == 6);",
            'u',
        ),
        (
            "struct s r = { 5 }, *p = &g; int x = (*p = r, 1) + geta(p); assert(x == 6 || x == 1);",
            's',
        ),
        (
            "struct s *p = &g; struct s t = { 1, 2, { 7 } }; assert((p->in = t.in, 1) + getc(p) == 8);",
            'u',
        ),
        (
            "int *q = (int *)&g; assert((g.a = 4, 1) + read(q) == 5);",
            'u',
        ),
        (
            "int *q = &g.in.c; assert((g.in.c = 4, 1) + read(q) == 5);",
            'u',
        ),
        // Which function is called is open, too.
        ("assert(with(swap()) == 0);", 'u'),
        ("assert(with(swap()) == 1);", 'u'),
        ("int x = with(swap()); assert(x == 0 || x == 1);", 's'),
        (
            "int k = 1; assert(k + wprintf(L\"a%n\", &k) * 0 == 1);",
            'u',
        ),
        (
            "int k = 1; fwprintf(0, L\"abc%n\", &k); assert(k == 1);",
            'u',
        ),
        (
            "int k = 1; int (*p)(const int *, ...) = wprintf; assert(k + p(L\"a%n\", &k) * 0 == 1);",
            '?',
        ),
        // A function that only a block declares, through a pointer.
        (
            "int k = 1; int sscanf(const char *, const char *, ...); int (*p)(const char *, const char *, \
             ...) = sscanf;
                assert(k + p(\"7\", \"%d\", &k) * 0 == 1);",
            '?',
        ),
    ] {
        let text = format!("{declarations} int main(void) {{ {body} return 0; }}");
        judge(&text, verdicts(&text, |_| {}), right);
    }
}

#[test]
fn volatile_reads_may_give_any_value() {
    let declarations = "extern volatile int device; struct regs { volatile unsigned status; int plain; }; \
                        extern struct regs *base;
        typedef volatile short half; volatile int *port; struct regs own; int cell; volatile int row[3];";
    for (body, is_volatile) in [
        ("int a = device, b = device; assert(a == b);", true),
        ("own.status = 3; assert(own.status == 3);", true),
        ("own.plain = 3; assert(own.plain == 3);", false),
        ("half h = 2; assert(h == 2);", true),
        ("port = &cell; *port = 4; assert(*port == 4);", true),
        ("port = &cell; *port = 4; assert(cell == 4);", false),
        ("cell = 4; assert(*(volatile int *)&cell == 4);", true),
        ("row[1] = 4; assert(row[1] == 4);", true),
        (
            "int *volatile p = &cell; int x = 1; cell = 2; assert(x == 1);",
            false,
        ),
        ("volatile int i = 0; i++; assert(i == 1);", true),
    ] {
        let text = format!("{declarations} int main(void) {{ {body} return 0; }}");
        let program = lowered(&text, DataModel::Lp64).expect("it is lowered");
        let notes = program
            .notes
            .iter()
            .any(|note| note.contains("--nondet-volatile"));
        assert_eq!(notes, is_volatile, "{text}");
        assert_eq!(unwound(&text), 's', "{text}");
        let open = verdicts(&text, |options| options.nondet_volatile = true);
        assert_eq!(open[0], if is_volatile { 'u' } else { 's' }, "{text}");
    }
}

#[test]
fn jumps_out_of_functions_arrive_at_their_setjmp() {
    let head = "typedef long jmp_buf[25]; int setjmp(jmp_buf); void longjmp(jmp_buf, int);
        jmp_buf env, other; int depth, log; int nondet_int(void);
        void fall(int n) { int a[2]; a[0] = n; depth++; if (n == 0) longjmp(env, 7); fall(n - 1); log = 100; }
        int twice(int n) { if (n) longjmp(other, n); return 3; } ";
    for (body, right) in [
        (
            "int r = setjmp(env); if (r == 0) { fall(3); assert(0); } assert(r == 7 && depth == 4 && log == \
             0); return 0;",
            's',
        ),
        (
            "int r = setjmp(env); if (r == 0) fall(2); assert(depth != 3); return 0;",
            'u',
        ),
        // 0 becomes 1; variables in memory keep what was written.
        (
            "volatile int n = 5; if (setjmp(env) == 0) { n = 6; longjmp(env, 0); } assert(n == 6); return 0;",
            's',
        ),
        (
            "volatile int n = 0; switch (setjmp(env)) { case 0: n++; longjmp(env, 2); case 2: n++; \
             longjmp(env, 3); case 3: n++; break; default: assert(0); } assert(n == 3); return 0;",
            's',
        ),
        // Two buffers, one within the other.
        (
            "volatile int s = 0; if (setjmp(env) == 0) { int q = setjmp(other); s = s * 10 + q + 1; if (q \
             == 0) twice(4); if (q == 4) twice(2); fall(1); } assert(s == 153 && depth == 2); return 0;",
            's',
        ),
        (
            "volatile int x = nondet_int(); int v[3] = { 1, 2, 3 }; int r = setjmp(env); if (r < 3) { v[r] \
             = 9; longjmp(env, r + 1); } assert(v[0] == 9 && v[1] == 9 && v[2] == 9 && (x == 4) == (x == \
             4)); return 0;",
            's',
        ),
        (
            "int x = nondet_int(); if (setjmp(other) == 0) { twice(x); assert(x == 0); } else assert(x != \
             5); return 0;",
            'u',
        ),
        // The frame is gone, or there never was one.
        (
            "int f(void); if (f() == 0) longjmp(env, 1); return 0; } int f(void) { return setjmp(env);",
            '?',
        ),
        ("longjmp(other, 1); return 0;", '?'),
    ] {
        let text = format!("{head} int main(void) {{ {body} }}");
        assert_eq!(unwound(&text), right, "{body}");
    }
    // Without a bound on the number of jumps.
    for (body, right) in [
        (
            "int r = setjmp(env); if (r == 0) while (1) { twice(0); if (nondet_int()) longjmp(env, 7); } assert(r == 7); return 0;",
            's',
        ),
        (
            "while (nondet_int()) if (setjmp(env) == 0) { if (nondet_int()) longjmp(env, 2); } else assert(log == 0); return 0;",
            's',
        ),
        (
            "while (nondet_int()) if (setjmp(env) == 0) { if (nondet_int()) longjmp(env, 2); } else assert(log++ < 2); return 0;",
            'u',
        ),
    ] {
        let text = format!("{head} int main(void) {{ {body} }}");
        assert_eq!(looped(&text), right, "{body}");
    }
}

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

#[test]
fn pointers_put_together_from_pieces_are_not_lost() {
    let declarations = "void *memcpy(void *, const void *, unsigned long); int g, h, k[4]; unsigned char large[4000];";
    let start = "int *p = nondet_int() ? &g : &h; unsigned char b[8]; memcpy(b, &p, 8); unsigned long n = 0; int i;";
    let many = "int *t[6] = { &g, &h, k, (int *)large, &g, &h }; p = t[nondet_int() & 1];";
    let turn = "int m = nondet_int(); for (i = 0; i != m; i++) { unsigned char t = b[0]; for (int k = 0; k < 7; k++) b[k] = b[k + 1]; b[7] = t; }
        if (m & 7) return 0;";
    for body in [
        "for (i = 0; i < 8; i++) n |= (unsigned long)b[i] << 8 * i; *(int *)n = 5;".to_string(),
        "for (i = 0; i < 8; i++) n += (unsigned long)b[i] << 8 * i; *(int *)n = 5;".to_string(),
        "for (i = 0; i < 8; i++) n = n * 256 + b[7 - i]; *(int *)n = 5;".to_string(),
        "for (i = 0; i < 8; i++) b[i] = (unsigned long)p >> 8 * i & 255; for (i = 0; i < 8; i++) n |= (unsigned long)b[i] << 8 * i;
            *(int *)n = 5;".to_string(),
        "for (i = 0; i < 64; i++) if ((unsigned long)p >> i & 1) n += 1ul << i; *(int *)n = 5;".to_string(),
        "for (i = 0; i < 8; i++) n |= (unsigned long)b[i] << 8 * i; int *q = nondet_int() ? (int *)n : k + 1; *q = 5;".to_string(),
        format!("{many} for (i = 0; i < 64; i++) if ((unsigned long)p >> i & 1) n ^= 1ul << i; *(int *)n = 5;"),
        format!("{many} for (i = 0; i < 64; i++) n += ((unsigned long)p >> i & 1) << i; *(int *)n = 5;"),
        format!("{many} for (i = 0; i < 64; i++) if ((unsigned long)p >> i & 1) n |= 1ul << i; *(int *)n = 5;"),
        "for (i = 0; i < 64; i++) if ((unsigned long)p >> i & 1) n |= 1ul << i; *(int *)n = 5;".to_string(),
        "n = -1ul; for (i = 0; i < 64; i++) if (!((unsigned long)p >> i & 1)) n &= ~(1ul << i); *(int *)n = 5;".to_string(),
        format!("{turn} for (i = 0; i < 8; i++) n |= (unsigned long)b[i] << 8 * i; *(int *)n = 5;"),
        "unsigned j = nondet_int(); if (j > 3000) return 0; for (i = 0; i < 8; i++) large[j + i] = b[i];
            int *q; unsigned char *t = (unsigned char *)&q; for (i = 0; i < 8; i++) t[i] = large[j + i]; *q = 5;".to_string(),
    ] {
        let text = format!("{declarations} int main(void) {{ {start} {body} assert(g == 0 && h == 0); return 0; }}");
        let found = verdicts(&text, |_| {});
        assert!(!found.contains(&'s'), "{found:?}: {text}");
    }
}

#[test]
fn indices_that_are_masked_are_followed() {
    all_hold(
        "double f[2][2] = { { 1, 2 }, { 3, 4 } }; struct s { int a; long b[4]; } r[4] = { [3] = { 5, { 6, 7, 8, 9 } } };",
        "signed char c = nondet_int(); double d = 1.0 - c; float e = c * 0.5f; int at = (int)d & 1;",
        &[
            "f[1][(int)d & 1] >= 3 && f[1][at] <= 4",
            "f[(d > 0 ? (int)d : 0) & 1][1] != 3",
            "r[3].b[(int)e & 3] >= 6",
            "*(long *)((char *)&r[3].b + (((unsigned)e & 3) << 3)) <= 9",
        ],
    );
}

/// A pointer in memory that was never written has no target, whatever the elements of the memory are.
#[test]
fn uninitialised_pointers_in_allocated_memory_have_no_targets() {
    for element in ["char", "short", "void", "struct s"] {
        let text = format!(
            "void *malloc(unsigned); struct s {{ int a; int *p; }}; int g;
            int main(void) {{ {element} *m = malloc(sizeof(struct s)); struct s *q = (void *)m; *q->p = 5; assert(g == 1); return 0; }}"
        );
        let found = verdicts(&text, |options| options.model = DataModel::Ilp32);
        assert_eq!(found[0], 'u', "{element}");
        assert_eq!(found[1], 'u', "{element}");
    }
}

/// Free bytes that are compared with those of an address may be an address; so may an input, also one that is
/// compared after the program has written through it.
#[test]
fn free_values_that_are_compared_with_addresses_are_not_lost() {
    let head = "int g; int *p = &g; unsigned char nondet_uchar(void); long nondet_long(void);";
    for body in [
        "unsigned char b[8]; for (int i = 0; i < 8; i++) { b[i] = nondet_uchar(); if (b[i] != ((unsigned char *)&p)[i]) return 0; }
            int **q = (int **)b; **q = 5;",
        "int *q = (int *)nondet_long(); *q = 5; if (q != &g) return 0;",
        "int *q = (int *)nondet_long(); for (long i = nondet_long(); i > 0; i--) *q = 5; if (q != &g) return 0;",
        "int *q = (int *)nondet_long(); if (q != &g) return 0; *q = 5;",
    ] {
        let text = format!("{head} int main(void) {{ {body} assert(g == 0); return 0; }}");
        let found = verdicts(&text, |_| {});
        assert!(!found.contains(&'s'), "{found:?}: {text}");
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
        let marks = |options: &mut super::lower::LoweringOptions| {
            options.marks = super::lower::Marks::Named("target".into());
        };
        let program =
            super::tests::lowered_with(text, DataModel::Lp64, marks).expect("it is lowered");
        let automaton = super::automaton::Automaton::new(
            &program,
            craig_mc::program::Blocks::Large,
            &craig_mc::Control::new(),
        );
        automaton.expect("an automaton").cfa.claims().len()
    };
    assert_eq!(claims(&text("")), 0);
    assert!(claims(&text("__CPROVER_loop_invariant(i <= n)")) > 0);
    // One that reads memory might not be supported.
    let memory = "int a[2]; void target(void); int main(void) { for (int i = 0; i < nondet_int(); i++) __CPROVER_loop_invariant(a[i & 1] == 0) { } \
        target(); return 0; }";
    assert_eq!(claims(memory), 0);
}

/// C promises of an address only that it is aligned as its type is.
#[test]
fn bits_of_addresses_are_taken_as_far_as_they_are_promised() {
    let program = |claim: &str| {
        format!(
            "struct s {{ long a; char b; }}; int x, y; int nondet_int(void); void *malloc(unsigned long);
             int main(void) {{ struct s s, *p = &s; char *c = malloc(8), *d = &s.b; unsigned long n = (unsigned long)p, \
             m = (unsigned long)&x; assert({claim}); return 0; }}"
        )
    };
    for claim in [
        "(n & 7) == 0 && n % 8 == 0 && (m & 3) == 0 && ((unsigned long)(p + 1) & 7) == 0",
        "((struct s *)(n | 1) != p) && (struct s *)((n | 1) - 1) == p && (struct s *)(n & ~7ul) == p",
        "n == (unsigned long)&s && n + 8 - n == 8 && (unsigned long)d - n == 8 && (n ^ n) == 0",
        "n < (unsigned long)-4095 && n > 4095 && n >> 47 == 0",
        "((int *)m)[0] == 0 && *(int *)(n - n + m) == 0",
    ] {
        assert_eq!(unwound(&program(claim)), 's', "{claim}");
    }
    for claim in [
        "(n & 15) == 0",
        "((unsigned long)c & 1) == 0",
        "((unsigned long)c & 63) == 0",
        "(m & 7) == 0",
        "((n + 4) & 7) == 4 && ((n + 2) & 7) == 2 && ((m + 2) & 3) == 2",
        "n % 3 == 1",
        "n >> 4 != 5",
        "(unsigned)m * 2654435761u >> 28 == 0",
        "m * 31 != 5",
        "((unsigned long)d & ~7ul) == n",
        "(n & nondet_int()) == 0",
    ] {
        let text = program(claim);
        assert_eq!(unwound(&text), '?', "{claim}");
    }
}
