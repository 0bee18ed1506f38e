//! Functions of the library, and what the program is called with.

use super::{all_hold, holds};
use crate::tests::{unrolled_up_to, unrolled_with, unwound, unwound_with, verdicts};
use craig_c_lang::lower::Checks;

#[test]
fn of_comparisons_the_sign_is_specified() {
    let body = "char a[] = \"ab\", b[] = \"ad\"; char x = nondet_char();";
    all_hold(
        "int strcmp(const char *, const char *); int memcmp(const void *, const void *, unsigned long); int \
         isalpha(int); int isalnum(int);
         int strncmp(const char *, const char *, unsigned long); int isdigit(int); int isspace(int);",
        body,
        &[
            "strcmp(a, b) < 0 && strcmp(b, a) > 0 && !strcmp(a, a) && memcmp(a, b, 1) == 0",
            "!!isalnum('q') == (isalpha('q') || isdigit('q'))",
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
        "printf(\"a\\x25\" \"n\", &n);",
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
            "(printf(\"abc%n\", &n), n == 3)",
            "(printf(\"%d%s%n-\", 1234, \"xy\", &n), n == 6)",
        ],
    );
}

#[test]
fn times_are_written_as_text() {
    all_hold(
        "int strcmp(const char *, const char *); struct tm { int s, m, h, d, mon, y, w, yd, dst; };
         unsigned long strftime(char *, unsigned long, const char *, const struct tm *);",
        "struct tm t = { 5, 4, 23, 7, 8, 126, 1, 249, 0 }; char b[90] = { 0 };",
        &[
            "(strftime(b, 40, \"%Y-%m-%d %H:%M:%S|%j|%y%%\", &t), !strcmp(b, \"2026-09-07 23:04:05|250|26%\"))",
            "(strftime(b, 60, \"%a %A %b %B %D %R %T %w%n\", &t), !strcmp(b, \"Mon Monday Sep September 09/07/26 23:04\" \" 23:04:05 1\\n\"))",
            "(strftime(b, 60, \"%C|%e|%I %p|%u|%U %V %W|%G %g\", &t), !strcmp(b, \"20| 7|11 PM|1|36 37 36|2026 26\"))",
            "(strftime(b, 90, \"%c|%x %X|%r|%Ey %OH|%t\", &t), !strcmp(b, \"Mon Sep  7 23:04:05 2026|09/07/26 23:04:05|11:04:05 PM|26 23|\\t\"))",
            // The last days of a year belong to the first week of the next one, and the first days to the last week of the one before.
            "(t.y = 124, t.d = 30, t.mon = 11, t.w = 1, t.yd = 364, strftime(b, 60, \"%V %G\", &t), !strcmp(b, \"01 2025\"))",
            "(t.y = 121, t.d = 3, t.mon = 0, t.w = 0, t.yd = 2, strftime(b, 60, \"%V %G %U %W\", &t), !strcmp(b, \"53 2020 01 00\"))",
            "strftime(b, 10, \"%F\", &t) == 0 && strftime(b, 11, \"%F\", &t) == 10",
        ],
    );
}

#[test]
fn generic_functions_are_those_of_their_arguments() {
    all_hold(
        "double floor(double); float floorf(float); long double floorl(long double); float fmaxf(float, float);
         double fmax(double, double); long double fmaxl(long double, long double);",
        "float f = 1.5f; int n = 3; long double l = 2.5L;",
        &[
            "sizeof __builtin_tgmath(floorf, floor, floorl, f) == 4 && __builtin_tgmath(floorf, floor, floorl, f) == 1",
            "__builtin_tgmath(floorf, floor, floorl, n) == 3 && __builtin_tgmath(floorf, floor, floorl, l) == 2",
            "__builtin_tgmath(fmaxf, fmax, fmaxl, f, n) == 3",
        ],
    );
}

/// POSIX says which results its functions have, and that errno is set where they fail.
#[test]
fn results_of_posix_functions_are_in_their_ranges() {
    let declarations = "int open(const char *, int, ...); int close(int); int mkstemp(char *); int getpid(void); \
        long lseek(int, long, int); void *fopen(const char *, const char *); extern int *__errno_location(void); \
        int sigismember(const void *, int); int fetestexcept(int); int sigemptyset(void *); int sigfillset(void *); \
        int sigaddset(void *, int); int sigdelset(void *, int);";
    for (body, claim, right) in [
        ("int n = open(\"x\", 0);", "n >= -1", 's'),
        ("int n = open(\"x\", 0);", "n >= 0", 'u'),
        ("int n = close(3);", "n == 0 || n == -1", 's'),
        ("char t[] = \"XXXXXX\"; int n = mkstemp(t);", "n >= -1", 's'),
        ("", "getpid() > 0", 's'),
        ("long n = lseek(0, 0, 0);", "n >= -1", 's'),
        ("long n = lseek(0, 0, 0);", "n < 3000000000", 'u'),
        (
            "*__errno_location() = 0; void *f = fopen(\"x\", \"r\");",
            "f || *__errno_location() > 0",
            's',
        ),
        (
            "*__errno_location() = 0; int n = close(3);",
            "n == 0 || *__errno_location() > 0",
            's',
        ),
        (
            "*__errno_location() = 0; int n = close(3);",
            "*__errno_location() == 0",
            'u',
        ),
        ("", "fetestexcept(1) == 0", '?'),
    ] {
        let text = format!("{declarations} int main(void) {{ {body} assert({claim}); return 0; }}");
        // A stub of the compiled program would return any number.
        assert_eq!(unrolled_with(&text, |_| {}), Ok(right), "{body} {claim}");
    }
    let text = format!(
        "{declarations} int main(void) {{ struct {{ unsigned long b[16]; }} s; sigfillset(&s); sigemptyset(&s); sigaddset(&s, 2); \
         sigaddset(&s, 15); sigdelset(&s, 15); assert(sigismember(&s, 2) == 1 && sigismember(&s, 15) == 0 && \
         sigismember(&s, 99) == -1 && s.b[0] == 2); return 0; }}"
    );
    assert_eq!(unrolled_up_to(130, &text), 's');
}

/// Objects declared `constexpr` are constants; arrays of variable length have no initialisers in gcc.
#[test]
fn constexpr_objects_are_constants() {
    all_hold(
        "constexpr int n = 4; int a[n]; enum { e = n + 1 };",
        "constexpr unsigned char k = 300 - 1 - 44; int b[n] = {}, x = 4; constexpr int m = n * 2; const int *p = &m; \
         _Static_assert(sizeof b == 16 && k == 255); switch (x) { case n: x = e; }",
        &["b[3] == 0 && x == 5 && sizeof a == 16 && *p == 8"],
    );
    assert_eq!(holds("", "int n = 4; int b[n] = {};", "b[3] == 0"), '?');
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

/// The number of characters that formats print is that of their arguments, where it is used; output may fail.
#[test]
fn printed_lengths_are_those_of_the_arguments() {
    let head = "int printf(const char *, ...); int fprintf(void *, const char *, ...); int nondet_int(void);";
    for (call, length, right) in [
        ("printf(\"%d\", 123456)", "6", 's'),
        ("printf(\"%d\", 123456)", "5", 'u'),
        ("printf(\"%s-%x\", \"hello\", 255)", "8", 's'),
        ("fprintf(0, \"%5d|\", n)", "6", 's'),
        ("printf(\"%d\", n)", "(n < 10 ? 1 : 2)", 's'),
        ("printf(\"%d\", n)", "1", 'u'),
    ] {
        let text = format!(
            "{head} int main(void) {{ int n = nondet_int(); if (n < 0 || n > 99) return 0; int r = {call}; \
             assert(r < 0 || r == {length}); return 0; }}"
        );
        assert_eq!(unwound(&text), right, "{text}");
    }
}

#[test]
fn functions_in_the_plane_are_exact_or_within_bounds() {
    let head = "double hypot(double, double); double cbrt(double); double atan2(double, double); double nondet_double(void);
        double fma(double, double, double); float fmaf(float, float, float); float hypotf(float, float);";
    all_hold(
        head,
        "double x = nondet_double(); if (!(x > 1 && x < 100)) return 0; float tiny = 0x1p-60f;",
        &[
            "hypot(3, 4) == 5 && hypotf(5, -12) == 13 && hypot(-0.0, 2) == 2",
            "hypot(x, 3) >= 3 && cbrt(x) >= 1 && cbrt(-x) < 0 && cbrt(27) > 2.99 && cbrt(27) < 3.01",
            "atan2(0, 1) == 0 && atan2(x, 1) <= 1.5708 && atan2(1, 1) > 0.785 && atan2(1, 1) < 0.786",
            "fma(2, 3, 4) == 10 && fma(0.5, 0.5, -0.25) == 0",
            // With two roundings, the sums would be 2^-11 and 1 + 2^-11.
            "fmaf(1 + 0x1p-12f, 1 + 0x1p-12f, -1.0f) == 0x1p-11f + 0x1p-24f",
            "fmaf(1 + 0x1p-12f, 1 + 0x1p-12f, tiny) == 1 + 0x1p-11f + 0x1p-23f",
            "fmaf(tiny, tiny, 1.0f) == 1 && fmaf(3, 5, 7) == 22",
            // The products are no `double`s.
            "fma(0.1, 0.1, -0.01) == 0x1.0a3d70a3d70a4p-60 && fma(1 + 0x1p-52, 1 + 0x1p-52, -1) == 0x1p-51",
            "fma(0x1.5555555555555p0, 3, -4) == -0x1p-52 && fma(0x1.5555555555555p0, 0x1.5555555555555p0, 0x1p-60) == 0x1.c71c71c71c71cp0",
        ],
    );
    let text =
        format!("{head} int main(void) {{ assert(fma(0x1.8p600, 0x1.8p600, 1) > 0); return 0; }}");
    assert_eq!(unwound(&text), '?');
}

#[test]
fn lines_of_any_length_are_read() {
    let head = "typedef unsigned long size_t; void free(void *); long getline(char **, size_t *, void *); extern void *stdin;";
    let checks = Checks {
        bounds: true,
        pointer: true,
        ..Checks::default()
    };
    for (body, right) in [
        (
            "char *l = 0; size_t n = 0; long r = getline(&l, &n, stdin); if (r > 0 && r < 3) assert(l[r] == 0 && n > r); free(l);",
            's',
        ),
        (
            "char *l = 0; size_t n = 0; long r = getline(&l, &n, stdin); if (r == 2) assert(l[0] != '\\n' && l[1] == '\\n');",
            'u',
        ),
        (
            "char *l = 0; size_t n = 0; if (getline(&l, &n, stdin) == 1) l[n] = 0;",
            'u',
        ),
    ] {
        let text = format!("{head} int main(void) {{ {body} return 0; }}");
        let found = unwound_with(&text, |options| options.checks = checks);
        let wrong = if right == 's' { 'u' } else { 's' };
        assert_ne!(found, wrong, "{text}");
        assert!(right == 's' || found == right, "{text}");
    }
}

#[test]
fn what_the_library_keeps_is_not_taken_for_unchanged() {
    let head = "typedef unsigned long size_t; extern void *stdout; int puts(const char *); void setbuf(void *, char *);
        int setvbuf(void *, char *, int, size_t); void *fmemopen(void *, size_t, const char *); int fputs(const char *, void *);
        int fflush(void *); char *fgets(char *, int, void *); extern void *stdin;";
    for (body, right) in [
        // A read that fails may have changed the text.
        (
            "char b[8] = { 1 }; char *p = fgets(b, 8, stdin); assert(p || b[0] == 1);",
            '?',
        ),
        (
            "char b[8] = { 1 }; char *p = fgets(b, 8, stdin); assert(!p || b[0] != 0);",
            'u',
        ),
        (
            "char b[8] = { 0 }; char *p = fgets(b, 8, stdin); assert(b[7] == 0 && (!p || b[1] == 0 || b[0] != '\\n'));",
            's',
        ),
        // glibc writes the text to the buffer.
        (
            "char b[64] = { 0 }; setvbuf(stdout, b, 0, 64); puts(\"x\"); assert(b[0] == 0);",
            '?',
        ),
        (
            "char b[8192] = { 0 }; setbuf(stdout, b); puts(\"x\"); assert(b[0] == 0);",
            '?',
        ),
        (
            "char b[8]; void *f = fmemopen(b, 8, \"w\"); b[0] = 0; fputs(\"x\", f); fflush(f); assert(b[0] == 0);",
            '?',
        ),
        (
            "char b[8] = { 0 }; setvbuf(stdout, 0, 2, 0); setbuf(stdout, 0); puts(\"x\"); assert(b[0] == 0);",
            's',
        ),
    ] {
        let text = format!("{head} int main(void) {{ {body} return 0; }}");
        assert_eq!(unwound(&text), right, "{text}");
    }
}

#[test]
fn names_and_words_are_read_where_accesses_are_checked() {
    let head = "char *getenv(const char *); char *strtok(char *, const char *); char *strtok_r(char *, const char *, char **);
        int puts(const char *);";
    let checks = Checks {
        bounds: true,
        pointer: true,
        ..Checks::default()
    };
    for (body, right) in [
        ("char name[2] = \"ab\"; getenv(name);", 'u'),
        (
            "for (int i = 0; i < 2; i++) { char name[3] = \"ab\"; name[1] = 'a' + i; getenv(name); }",
            's',
        ),
        (
            "char name[2] = \"a\"; char *p = getenv(name); name[0] = 'b'; char *q = getenv(name); assert(!p == !q);",
            'u',
        ),
        (
            "char name[2] = \"a\"; char *p = getenv(name); name[0] = 'b'; char *q = getenv(\"a\"); assert(!p == !q);",
            's',
        ),
        ("strtok(0, \" \");", 'u'),
        (
            "char s[4] = \"a b\"; strtok(s, \" \"); strtok(0, \" \"); assert(!strtok(0, \" \")); assert(!strtok(0, \" \"));",
            's',
        ),
        ("char *rest = 0; strtok_r(0, \" \", &rest);", 'u'),
        (
            "char s[4] = \"a b\", *rest; strtok_r(s, \" \", &rest); strtok_r(0, \" \", &rest); assert(!strtok_r(0, \" \", &rest));",
            's',
        ),
    ] {
        let text = format!("{head} int main(void) {{ {body} return 0; }}");
        let found = unwound_with(&text, |options| options.checks = checks);
        assert_eq!(found, right, "{text}");
    }
}
