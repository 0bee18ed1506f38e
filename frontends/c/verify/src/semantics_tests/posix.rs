//! Functions and variables of POSIX and glibc, and what the standard leaves open about callbacks and jumps.

use super::{all_hold, holds};
use crate::tests::{unrolled_with, unwound};

/// The verdict of unrolling with checks of pointers and bounds.
fn checked(body: &str) -> char {
    let text = format!(
        "typedef unsigned long size_t; typedef void FILE; void *malloc(size_t); void free(void *);
         void err(int, const char *, ...) __attribute__((noreturn)); void warnx(const char *, ...);
         void error(int, int, const char *, ...); long recv(int, void *, size_t, int); long readlink(const char *, char *, size_t);
         char *getcwd(char *, size_t); int putw(int, FILE *); FILE *fopen(const char *, const char *); int fclose(FILE *);
         int nondet_int(void);
         {body}"
    );
    let verdict = unrolled_with(&text, |options| {
        options.checks.pointer = true;
        options.checks.bounds = true;
    });
    verdict.expect("the program is lowered")
}

/// Whether a claim holds whatever the system answers.
fn unrolled(declarations: &str, body: &str, claim: &str) -> char {
    let text = format!("{declarations} int main(void) {{ {body} assert({claim}); return 0; }}");
    unrolled_with(&text, |_| {}).expect("the program is lowered")
}

#[test]
fn how_often_elements_are_compared_is_open() {
    let declarations = "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
        void *bsearch(const void *, const void *, unsigned long, unsigned long, int (*)(const void *, const void *));
        static int n; static int less(const void *a, const void *b) { int x = *(int *)a, y = *(int *)b; return (x > y) - (x < y); }
        static int counts(const void *a, const void *b) { n++; return less(a, b); }
        static void sort(int *a, int (*by)(const void *, const void *)) { qsort(a, 3, 4, by); }";
    for (call, claim, right) in [
        (
            "qsort(a, 3, 4, less);",
            "a[0] == 1 && a[2] == 3 && n == 0",
            's',
        ),
        ("qsort(a, 3, 4, &counts);", "n == 3", '?'),
        ("bsearch(a, a, 3, 4, counts);", "n < 3", '?'),
        ("bsearch(a, a, 3, 4, less);", "n == 0", 's'),
    ] {
        let body = format!("int a[3] = {{3, 1, 2}}; {call}");
        assert_eq!(holds(declarations, &body, claim), right, "{call}");
    }
    let body = "int a[3] = {3, 1, 2}; sort(a, counts);";
    assert_eq!(holds(declarations, body, "n == 3"), '?');
    let idle = declarations.replace("n++; ", "");
    assert_eq!(
        holds(&idle, "int a[3] = {3, 1, 2}; sort(a, counts);", "a[1] == 2"),
        's'
    );
}

#[test]
fn the_standard_streams_are_three() {
    let declarations = "typedef struct file FILE; extern FILE *stdin, *stdout, *stderr;";
    all_hold(
        declarations,
        "",
        &["stdin && stdout && stderr && stdin != stdout && stdout != stderr && stdin != stderr"],
    );
}

#[test]
fn variables_of_the_library_are_not_guessed() {
    let declarations = "extern char **environ; extern int optind; extern int other;";
    for claim in ["environ == 0", "optind == 1"] {
        assert_eq!(holds(declarations, "", claim), '?', "{claim}");
    }
    assert_eq!(holds(declarations, "", "other == 0"), 'u');
    assert_eq!(holds("int optind = 1;", "", "optind == 1"), 's');
}

#[test]
fn results_of_glibc_functions_are_in_their_ranges_or_refused() {
    let declarations = "int pthread_mutex_init(void *, const void *); int sem_init(void *, int, unsigned); int isatty(int);
        long sysconf(int); double sqrtf64(double); float fadd(double, double); int sigisemptyset(const void *); int getpid(void);
        int mtx_trylock(void *); unsigned long argz_count(const char *, unsigned long); int sinf32_of(int);
        float f32addf64(double, double);";
    let body = "long m[16], s[16];";
    for (claim, right) in [
        ("pthread_mutex_init(m, 0) >= 0", 's'),
        ("pthread_mutex_init(m, 0) == 0", 'u'),
        ("sem_init(s, 0, 1) >= -1", 's'),
        ("isatty(0) == 0 || isatty(0) <= 1", 's'),
        ("sysconf(30) >= -1", 's'),
        ("mtx_trylock(m) >= 0", 's'),
        ("getpid() == getpid() && getpid() > 0", 's'),
        ("getpid() != 5", 'u'),
        ("sqrtf64(4) == 2", '?'),
        ("fadd(1, 2) == 3", '?'),
        ("f32addf64(1, 2) == 3", '?'),
        ("sigisemptyset(s)", '?'),
        ("argz_count(\"a\", 2) == 1", '?'),
        // A name that only looks like one for another format.
        ("sinf32_of(1) == 2", 'u'),
    ] {
        assert_eq!(unrolled(declarations, body, claim), right, "{claim}");
    }
}

#[test]
fn names_of_files_are_only_read() {
    let text = "void *fopen(const char *, const char *); int f; int main(int c, char **v) { char t[4] = \"abc\"; int *p = &f;
        if (c > 1 && fopen(v[1], \"r\")) f = 1; fopen(t, \"w\"); __CPROVER_assert(t[0] == 'a' && p == &f && f <= 1, \"kept\"); }";
    assert_eq!(unwound(text), 's');
}

#[test]
fn messages_read_their_text_and_may_end_the_program() {
    for (body, right) in [
        ("char b[2] = {'a', 'b'}; warnx(\"%s\", b);", 'u'),
        (
            "char b[2] = \"a\"; warnx(\"%s\", b); warnx(\"%.2s\", b); warnx(0);",
            's',
        ),
        ("int *p = 0; if (!p) err(1, 0); *p = 1;", 's'),
        ("int *p = 0; if (!p) error(1, 2, \"%d\", 3); *p = 1;", 's'),
        ("int *p = 0; if (!p) error(0, 2, \"%d\", 3); *p = 1;", 'u'),
    ] {
        let text = format!("int main(void) {{ {body} return 0; }}");
        assert_eq!(checked(&text), right, "{body}");
    }
}

#[test]
fn null_pointers_are_written_as_numbers() {
    for (body, right) in [
        ("free(0);", 's'),
        ("char *p = malloc(1); free(p); free(0);", 's'),
        ("fprintf(0, \"x\");", 'u'),
        ("printf(0);", 'u'),
    ] {
        let text = format!(
            "int printf(const char *, ...); int fprintf(FILE *, const char *, ...); int main(void) {{ {body} return 0; }}"
        );
        assert_eq!(checked(&text), right, "{body}");
    }
}

#[test]
fn what_is_received_is_any_text() {
    for (body, right) in [
        ("char b[4]; recv(0, b, 5, 0);", 'u'),
        (
            "char b[4]; long n = recv(0, b, 4, 0); if (n > 0) b[n - 1] = 0;",
            's',
        ),
        (
            "char b[4]; long n = readlink(\"x\", b, 4); if (n >= 0) b[n] = 0;",
            'u',
        ),
        ("char b[4]; if (getcwd(b, 4)) b[3] = 0;", 's'),
        ("char b[4]; getcwd(b, 6);", 'u'),
        ("FILE *f = fopen(\"x\", \"w\"); putw(1, f);", 'u'),
    ] {
        let text = format!("int main(void) {{ {body} return 0; }}");
        assert_eq!(checked(&text), right, "{body}");
    }
}

#[test]
fn range_errors_have_their_numbers() {
    let declarations = "int *__errno_location(void); double sqrt(double);";
    let body = "*__errno_location() = 0; sqrt(-1.0); int e = *__errno_location();";
    assert_eq!(
        holds(declarations, body, "e == 0 || e == 33 || e == 34"),
        's'
    );
    assert_eq!(holds(declarations, body, "e == 0"), 'u');
}

#[test]
fn blocks_with_a_label_at_their_last_expression_have_a_value() {
    let declarations = "int g(int x) { return ({ __label__ out; int r = 0; if (x > 3) { r = 1; goto out; } r = 2; out: r; }); }";
    all_hold(declarations, "", &["g(4) == 1 && g(3) == 2"]);
}

#[test]
fn variables_that_are_changed_before_a_jump_are_indeterminate() {
    let declarations = "typedef long jmp_buf[25]; int setjmp(jmp_buf); void longjmp(jmp_buf, int); jmp_buf b; int g;
        int f(int n) { volatile int k = n; int same = n, changed = n; int r = setjmp(b);
        if (r == 0) { k++; changed++; g = 7; longjmp(b, 3); } return n == 1 ? k : n == 2 ? same : n == 3 ? changed : r; }";
    for (claim, right) in [
        ("f(1) == 2 && g == 7", 's'),
        ("f(2) == 2", 's'),
        ("f(3) == 4", 'u'),
        ("f(4) == 3", 's'),
    ] {
        // Compilers without optimisation keep what was written last.
        assert_eq!(unrolled(declarations, "", claim), right, "{claim}");
    }
}

#[test]
fn the_only_thread_takes_locks() {
    let declarations = "typedef union { char c[40]; long l; } lock; int pthread_mutex_lock(lock *); int pthread_mutex_unlock(lock *);
        int pthread_mutex_trylock(lock *); lock a, b; int x;";
    for (body, claim, right) in [
        (
            "pthread_mutex_lock(&a); x++; pthread_mutex_unlock(&a);",
            "x == 1",
            's',
        ),
        (
            "pthread_mutex_lock(&a); x++; pthread_mutex_unlock(&a);",
            "x == 0",
            'u',
        ),
        (
            "pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&a); pthread_mutex_lock(&a);",
            "x == 0",
            's',
        ),
        (
            "pthread_mutex_lock(&a); pthread_mutex_lock(&a);",
            "x == 1",
            '?',
        ),
        ("pthread_mutex_unlock(&a);", "x == 1", '?'),
        ("int r = pthread_mutex_trylock(&a);", "r == 0", 's'),
    ] {
        assert_eq!(holds(declarations, body, claim), right, "{body} {claim}");
    }
    assert_eq!(
        checked("int pthread_mutex_lock(int *); int main(void) { pthread_mutex_lock(0); }"),
        'u'
    );
}

#[test]
fn what_only_failing_output_leads_to_is_no_error() {
    let declarations = "int puts(const char *); int printf(const char *, ...); long clock(void);
        unsigned long __ctype_get_mb_cur_max(void); double d;";
    for (claim, right) in [
        ("puts(\"x\") >= -1", 's'),
        ("puts(\"x\") >= 0", '?'),
        ("puts(\"x\") != 3", 'u'),
        ("printf(\"%f\", d) >= 0", '?'),
        ("printf(\"%f\", d) != 9", 'u'),
        (
            "({ long a = clock(), b = clock(); b == -1 || b >= a; })",
            's',
        ),
        ("clock() != 5", 'u'),
        ("__ctype_get_mb_cur_max() == 1", 's'),
    ] {
        assert_eq!(unrolled(declarations, "", claim), right, "{claim}");
    }
}
