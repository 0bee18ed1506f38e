//! Functions of the library, and what the program is called with.

use super::{all_hold, holds};
use crate::tests::{unwound, verdicts};
use craig_c_lang::lower::Checks;

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
