//! What the standard and gcc say where a simpler reading of a program would lead to a wrong verdict. Each
//! claim that holds stands beside one that does not.

use super::tests::unwound;

/// A claim about a function's body: whether the assertion in it holds.
fn holds(declarations: &str, body: &str, claim: &str) -> char {
    unwound(&format!(
        "{declarations} int main(void) {{ {body} assert({claim}); return 0; }}"
    ))
}

/// Claims of which each is true, so that its opposite must be found false.
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
    let record = "struct s { unsigned three : 3; signed char low : 4; unsigned whole : 32; unsigned long thirty : 30, wide : 40;
        long below : 40; long word : 32; _Bool flag : 1; unsigned long all : 64; };
        int two(int a, ...) { __builtin_va_list l; __builtin_va_start(l, a); return (int)__builtin_va_arg(l, long); }";
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
    let declarations = "int (twice)(int a) { return a + a; } static long (*(pick)(int k))(long); static long same(long x) { return x; }
        static long (*(pick)(int k))(long) { return k ? same : 0; } int ((deep))(int a, int b) { return a - b; }
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
        int first(int n, int a[n += 2]) { return n; } int second(int n, int (*a)[n++], char b[length()][n]) { return n; }
        int third(int n, int [n--]) { return n; } int plain(int n, int a[n + 1], int b[static 2]) { return n; }";
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
            "int main(void) {{ unsigned x = nondet_uint(); unsigned long y = nondet_ulong(); assert({claim}); return 0; }}"
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
        "int strcmp(const char *, const char *); int memcmp(const void *, const void *, unsigned long); int isalpha(int);
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
    let kept = "({ int order = strcmp(a, b); order < 0 && order != 0; }) && ({ int (*f)(const char *, const char *) = strcmp; f(b, a) > 0; })";
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
    ] {
        assert_eq!(holds(declarations, "", open), 'u', "{open}");
    }
    for specified in [
        "malloc(1) && calloc(3, 4) && realloc(0, 8)",
        "!calloc((size_t)1 << 62, 4) && !calloc(16, (size_t)-1 / 2) && !malloc((size_t)1 << 63)",
        "({ size_t n = nondet_ulong(); n < (size_t)1 << 61 || !calloc(n, 8); })",
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
            "int n; void f(void) { n++; } int main(void) { static int once; pthread_once(&once, f); pthread_once(&once, f); assert(n == 1); return 0; }",
            's',
        ),
        (
            "int n; void f(void) { n++; } int main(void) { static int once; call_once(&once, f); assert(n == 0); return 0; }",
            'u',
        ),
        (
            "int by(const void *a, const void *b, void *s) { return *(int *)s * (*(const int *)a - *(const int *)b); }
             int main(void) { int a[3] = { 5, 9, 7 }, down = -1; qsort_r(a, 3, sizeof(int), by, &down); assert(a[0] == 9 && a[2] == 5); return 0; }",
            's',
        ),
        (
            "int by(const void *a, const void *b, void *s) { return *(const int *)a - *(const int *)b; }
             int main(void) { int a[2] = { 5, nondet_int() & 7 }; qsort_r(a, 2, sizeof(int), by, 0); assert(a[0] == 5); return 0; }",
            'u',
        ),
    ] {
        assert_eq!(unwound(text), expected, "{text}");
    }
}

#[test]
fn lengths_are_stored() {
    let declarations = "int printf(const char *, ...); int fprintf(void *, const char *, ...); int sprintf(char *, const char *, ...);
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
