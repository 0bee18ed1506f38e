//! Functions of the library whose results, reads and writes the standard specifies.

use super::{all_hold, holds};
use crate::tests::{unwound, unwound_with};
use craig_c_lang::lower::Checks;

/// The verdict of unrolling with all checks.
fn checked(body: &str) -> char {
    let text = format!(
        "typedef unsigned long size_t; void *malloc(size_t); void free(void *); int puts(const char *);
         int printf(const char *, ...); int scanf(const char *, ...); int sscanf(const char *, const char *, ...);
         int vprintf(const char *, __builtin_va_list); char *strcpy(char *, const char *);
         void *memcpy(void *, const void *, size_t); size_t fwrite(const void *, size_t, size_t, void *);
         void *fopen(const char *, const char *); int fclose(void *); int fflush(void *); char *fgets(char *, int, void *);
         int fputs(const char *, void *); int fprintf(void *, const char *, ...);
         {body}"
    );
    unwound_with(&text, |options| {
        options.checks = Checks {
            leak: false,
            ..Checks::ALL
        }
    })
}

#[test]
fn short_functions_give_what_the_standard_says() {
    let declarations = "unsigned htonl(unsigned); unsigned short ntohs(unsigned short);
        char *index(const char *, int); void explicit_bzero(void *, unsigned long);
        typedef struct { long quot, rem; } imaxdiv_t; imaxdiv_t imaxdiv(long, long);
        long wcstol(const int *, int **, int); int mbtowc(int *, const char *, unsigned long);
        int iswalpha(unsigned); double remquo(double, double, int *); double nexttoward(double, long double);
        unsigned long strlcpy(char *, const char *, unsigned long); void *aligned_alloc(unsigned long, unsigned long);
        int ungetc(int, void *); double drand48(void);";
    all_hold(
        declarations,
        "char b[4] = \"abc\"; const char *s = \"abc\"; int q, w;",
        &[
            "htonl(1) == 0x01000000 && ntohs(0x1234) == 0x3412 && index(s, 'b') == s + 1",
            "({ explicit_bzero(b, 4); b[0]; }) == 0 && imaxdiv(-7, 2).quot == -3 && imaxdiv(-7, 2).rem == -1",
            "wcstol(L\"12\", 0, 10) == 12 && mbtowc(&w, \"a\", 1) == 1 && w == 'a' && !iswalpha(0xe9)",
            "remquo(5, 3, &q) == -1 && q == 2 && nexttoward(1.0, 2.0L) > 1",
            "strlcpy(b, \"xyz12\", 4) == 5 && b[2] == 'z' && b[3] == 0 && aligned_alloc(64, 128) != 0",
            "__builtin_clrsb(-1) == 31 && __builtin_clrsb(1) == 30 && __builtin_clrsbll(-256) == 55",
        ],
    );
    assert_eq!(
        holds(declarations, "double d = drand48();", "d >= 0 && d < 1"),
        's'
    );
    assert_eq!(holds(declarations, "", "ungetc(-1, 0) == -1"), 's');
    assert_eq!(holds(declarations, "", "ungetc('a', 0) == 'a'"), '?');
}

#[test]
fn what_depends_on_the_locale_is_open_once_another_one_was_set() {
    let declarations = "char *setlocale(int, const char *); unsigned long strxfrm(char *, const char *, unsigned long);
        int strcoll(const char *, const char *); int isalpha(int); int toupper(int); double atof(const char *);";
    let other = "char b[8]; char *name = setlocale(6, \"cs_CZ\");";
    for (before, claim, right) in [
        (
            "char b[8];",
            "strxfrm(b, \"abc\", 8) == 3 && strcoll(\"a\", \"b\") < 0",
            's',
        ),
        (
            "char b[8]; setlocale(6, \"C\");",
            "strxfrm(b, \"abc\", 8) == 3 && !isalpha(200)",
            's',
        ),
        (other, "isalpha('x') && toupper('x') == 'X'", 's'),
        (other, "name || strcoll(\"h\", \"ch\") > 0", 's'),
        (other, "strcoll(\"h\", \"ch\") > 0", '?'),
        (other, "strxfrm(b, \"abc\", 8) == 3", '?'),
        (other, "!isalpha(200)", '?'),
        (other, "atof(\"1.5\") == 1.5", '?'),
        (other, "name != 0", 'u'),
    ] {
        assert_eq!(
            holds(declarations, before, claim),
            right,
            "{before} {claim}"
        );
    }
}

#[test]
fn output_functions_have_the_results_of_output() {
    let declarations = "int printf(const char *, ...); int puts(const char *); int putchar(int);";
    for (claim, right) in [
        ("printf(\"abc\") != 0", 's'),
        ("printf(\"%d,%5s\", 1, \"\") != 7", '?'),
        (
            "printf(\"%d,%5s\", 1, \"\") > 6 || printf(\"%d,%5s\", 1, \"\") != 3",
            's',
        ),
        // A failure of the output is no result of this machine.
        ("printf(\"abc\") == 3", '?'),
        ("putchar('a') != 0", 's'),
        ("puts(\"\") >= -1", 's'),
    ] {
        let found = holds(declarations, "", claim);
        if right == '?' {
            assert_ne!(found, 's', "{claim}");
        } else {
            assert_eq!(found, right, "{claim}");
        }
    }
}

#[test]
fn output_reads_its_text() {
    for (body, right) in [
        ("int main(void) { char *p = malloc(2); if (!p) return 0; p[0] = 0; free(p); puts(p); return 0; }", 'u'),
        ("int main(void) { char b[2] = { 'a', 'b' }; printf(\"%s\", b); return 0; }", 'u'),
        ("int main(void) { char b[2] = { 'a', 'b' }; printf(\"%.2s%.*s\", b, 1, b); return 0; }", 's'),
        ("int main(void) { char b[2] = { 'a', 0 }; printf(\"%s\", b); return 0; }", 's'),
        ("int main(void) { puts((char *)0); return 0; }", 'u'),
        ("extern void *stdout; int main(void) { char b[3] = { 0 }; fwrite(b, 2, 2, stdout); return 0; }", 'u'),
        ("extern void *stdout; int main(void) { char b[4] = { 0 }; fwrite(b, 2, 2, stdout); return 0; }", 's'),
        ("int main(void) { fputs(\"a\", (void *)0); return 0; }", 'u'),
        ("int main(void) { void *f = fopen(\"a\", \"r\"); fclose(f); return 0; }", 'u'),
        ("int main(void) { void *f = fopen(\"a\", \"r\"); if (f) fclose(f); return 0; }", 's'),
        ("int main(void) { char b[9]; void *f = 0; fgets(b, 9, f); return 0; }", 'u'),
        ("int main(void) { void *f = 0; fprintf(f, \"%d\", 1); return 0; }", 'u'),
        ("extern void *stderr; int main(void) { void *f = stderr; fprintf(f, \"%d\", 1); fflush(0); return 0; }", 's'),
        (
            "void f(const char *f, ...) { __builtin_va_list a; __builtin_va_start(a, f); vprintf(f, a); }
             int main(void) { char b[1] = { 'a' }; f(\"%d%s\", 1, b); return 0; }",
            'u',
        ),
        (
            "void f(const char *f, ...) { __builtin_va_list a; __builtin_va_start(a, f); vprintf(f, a); }
             int main(void) { char b[2] = { 'a', 0 }; f(\"%d%s\", 1, b); return 0; }",
            's',
        ),
    ] {
        assert_eq!(checked(body), right, "{body}");
    }
}

#[test]
fn input_writes_what_its_format_says() {
    for (body, right) in [
        (
            "int main(void) { char b[8]; scanf(\"%8s\", b); return 0; }",
            'u',
        ),
        (
            "int main(void) { char b[9]; scanf(\"%8s\", b); return 0; }",
            's',
        ),
        (
            "int main(void) { char c[3]; scanf(\"%3[a-z]\", c); return 0; }",
            'u',
        ),
        (
            "int main(void) { float x; scanf(\"%lf\", (double *)&x); return 0; }",
            'u',
        ),
        (
            "int main(void) { int *p; scanf(\"%d\", p); return 0; }",
            'u',
        ),
        (
            "int main(void) { short n; scanf(\"%hd%hn\", &n, &n); return 0; }",
            's',
        ),
    ] {
        assert_eq!(checked(body), right, "{body}");
    }
    let declarations = "int scanf(const char *, ...); int sscanf(const char *, const char *, ...);";
    for (body, claim, right) in [
        (
            "int a = 5, b = 6; int r = scanf(\"%d\", &a);",
            "b == 6 && r <= 1 && (r == 1 || a == 5)",
            's',
        ),
        ("int a = 5; scanf(\"%d\", &a);", "a == 5", 'u'),
        (
            "unsigned a = 0; scanf(\"%2x\", &a);",
            "a <= 0xff || a >= -0xfu",
            's',
        ),
        (
            "int a = 1, b = 2; char s[9]; int r = sscanf(\"12:-7 xyz\", \"%d:%i%s\", &a, &b, s);",
            "r == 3 && a == 12 && b == -7 && s[2] == 'z' && s[3] == 0",
            's',
        ),
        (
            // The input ends behind a conversion that is dropped: EOF, as glibc has it.
            "int a = 1; int r = sscanf(\"92\", \"%*d,%i\", &a);",
            "r == -1 && a == 1 && sscanf(\"92\", \"%d,%i\", &a, &a) == 1 && sscanf(\"92 \", \"%*d,%i\", &a) == 0",
            's',
        ),
        (
            "int a = 1; int r = sscanf(\"x\", \"%d\", &a);",
            "r == 0 && a == 1 && sscanf(\"\", \"%d\", &a) == -1",
            's',
        ),
        (
            "char s[9]; int n; int r = sscanf(\"ab]c\", \"%2[^]]%n\", s, &n);",
            "r == 1 && s[1] == 'b' && n == 2",
            's',
        ),
    ] {
        assert_eq!(holds(declarations, body, claim), right, "{body} {claim}");
    }
}

#[test]
fn calls_that_may_fail_may_set_errno() {
    let declarations = "int *__errno_location(void); extern int f(int); double sqrt(double); long strtol(const char *, char \
         **, int); void *malloc(unsigned long); unsigned long strlen(const char *);";
    let body = "*__errno_location() = 0;";
    for (claim, right) in [
        ("f(3) >= 0 || *__errno_location() == 0", 'u'),
        (
            "({ volatile double d = -1; sqrt(d); *__errno_location() == 0; })",
            'u',
        ),
        (
            "({ volatile double d = 4; sqrt(d); *__errno_location() == 0; })",
            's',
        ),
        (
            "({ strlen(\"a\"); malloc(3); *__errno_location() == 0; })",
            's',
        ),
        (
            "strtol(\"1\", 0, 99) == 0 && *__errno_location() == 22",
            's',
        ),
    ] {
        assert_eq!(holds(declarations, body, claim), right, "{claim}");
    }
}

#[test]
fn inputs_write_through_pointers() {
    for (text, right) in [
        (
            "void __VERIFIER_nondet_memory(void *, unsigned long); struct s { int a; short b[3]; };
             int main(void) { struct s x = { 3, { 0 } }; int y = 1; __VERIFIER_nondet_memory(&x, sizeof x); \
             assert(x.b[1] != 77); return 0; }",
            'u',
        ),
        (
            "void __VERIFIER_nondet_memory(void *, unsigned long);
             int main(void) { int x[2] = { 3, 4 }; __VERIFIER_nondet_memory(x, sizeof *x); assert(x[1] == 4); \
             return 0; }",
            's',
        ),
        ("void nondet_fill(int *, int); int main(void) { int a[2] = { 1, 2 }; nondet_fill(a, 2); assert(a[0] == 1); \
          return 0; }", 'u'),
        ("int nondet_of(const int *); int main(void) { int a = 1; nondet_of(&a); assert(a == 1); return 0; }", 's'),
    ] {
        assert_eq!(unwound(text), right, "{text}");
    }
}

#[test]
fn arguments_are_as_many_as_argc_says() {
    let check = |body: &str| {
        let text = format!("int main(int argc, char **argv) {{ {body} return 0; }}");
        unwound_with(&text, |options| options.checks.bounds = true)
    };
    assert_eq!(
        check("int n = 0; for (int i = 1; i < argc; i++) n += argv[i][0] == '-';"),
        's'
    );
    assert_eq!(check("assert(argv[argc] == 0);"), 's');
    assert_eq!(check("char c = argv[argc + 1][0];"), 'u');
    // Without such an access, there may be any number of them.
    assert_eq!(check("assert(argc < 1000 || argv[1] == 0);"), 'u');
}

#[test]
fn the_order_of_equal_elements_is_open() {
    let declarations = "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
         void *bsearch(const void *, const void *, unsigned long, unsigned long, int (*)(const void *, const void *));
         struct e { int k, v; };
         int by(const void *a, const void *b) { return ((const struct e *)a)->k - ((const struct e *)b)->k; }";
    let body = "struct e a[3] = { { 1, 1 }, { 1, 2 }, { 0, 3 } }, s[3] = { { 1 }, { 1 }, { 1 } }, k = { 1 };
         qsort(a, 3, sizeof *a, by); struct e *p = bsearch(&k, s, 3, sizeof *s, by);";
    for (claim, right) in [
        ("a[0].v == 3 && a[1].k == 1 && a[1].v + a[2].v == 3", 's'),
        ("a[1].v == 1", 'u'),
        ("p >= s && p < s + 3", 's'),
        ("p != s + 2", 'u'),
        ("p != s", 'u'),
    ] {
        assert_eq!(holds(declarations, body, claim), right, "{claim}");
    }
    // Pointers are moved whole.
    let declarations = "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
         int by(const void *a, const void *b) { return **(const char *const *)a - **(const char *const *)b; }";
    let body = "const char *v[3] = { \"c\", \"a\", \"b\" }; qsort(v, 3, sizeof *v, by);";
    assert_eq!(
        holds(declarations, body, "v[0][0] == 'a' && v[2][0] == 'c'"),
        's'
    );
}

#[test]
fn numbers_of_addresses_are_not_those_of_one_layout() {
    for (claim, right) in [
        ("(unsigned)(unsigned long)&a != 0", '?'),
        ("*(unsigned char *)&p == 0", '?'),
        (
            "({ const void *v = &a; ((unsigned long)v >> 4) % 64 == 0; })",
            '?',
        ),
        (
            "({ void *v = (void *)5; (int)(long)v == 5 && ((unsigned long)v & 4) == 4; })",
            's',
        ),
        ("(unsigned long)&a < 1ul << 47", 's'),
        (
            "({ union { struct { unsigned long p : 48, tag : 16; } s; long *q; } u; u.q = &a; u.s.tag = 5; u.s.tag = 0; *u.q = 7; a == 7; })",
            's',
        ),
        (
            "({ long *q = 0; unsigned char b[6]; __builtin_memcpy(b, &p, 6); __builtin_memcpy(&q, b, 6); *q = 7; a == 7; })",
            's',
        ),
        ("((unsigned long)&a & 7) == 0", 's'),
    ] {
        assert_eq!(holds("", "long a = 1, *p = &a;", claim), right, "{claim}");
    }
}

#[test]
fn a_jump_back_within_a_block_keeps_its_objects() {
    for (body, right) in [
        (
            "int *p = 0, n = 0; again: ; int x = 0; if (p) { *p = 1; if (x != 1) reach_error(); } p = &x; if (n++ < 2) \
          goto again;",
            's',
        ),
        (
            "int n = 0; int *p; { again: ; int x = 3; p = &x; } if (n++ < 1) goto again; *p = 1;",
            'u',
        ),
        (
            "int *p, n = 3; again: ; int a[n]; if (n == 4) { *p = 1; return 0; } p = a; n = 4; goto again;",
            'u',
        ),
        (
            "int n = 0; again: ; int x; int *p = &x; if (n == 1 && *p == 5) reach_error(); *p = 5; if (n++ < 1) goto \
          again;",
            'u',
        ),
    ] {
        let text = format!("void reach_error(void); int main(void) {{ {body} return 0; }}");
        let found = unwound_with(&text, |options| options.checks.pointer = true);
        assert_eq!(found, right, "{body}");
    }
}

#[test]
fn constant_objects_and_overlapping_copies() {
    for (body, right) in [
        (
            "int main(void) { char *s = \"abc\"; s[0] = 'x'; return 0; }",
            'u',
        ),
        (
            "const int n = 3; int main(void) { int *p = (int *)&n; *p = 4; return 0; }",
            'u',
        ),
        (
            "int main(void) { const int n = 3; int *p = (int *)&n; *p = 4; return 0; }",
            'u',
        ),
        (
            "static const struct { int a; } s = { 1 }; int main(void) { *(int *)&s.a = 2; return 0; }",
            'u',
        ),
        (
            "extern const int e; const int e = 3; static const int t[2] = { 1, 2 }; int main(void) { static const int u = 5; \
             const int v[2] = { t[1] }; const int *p = v; return e + u + p[0] == 10 ? 0 : *(int *)0; }",
            's',
        ),
        (
            "int memcmp(const void *, const void *, unsigned long); int main(void) { return memcmp(\"abc\", \"abd\", 10) != 0; }",
            'u',
        ),
        (
            "int main(void) { const int n[2] = { 3, 4 }; memcpy((void *)n, \"abcdefg\", 8); return 0; }",
            'u',
        ),
        (
            "struct s { int a, b; } f(void) { struct s s = { 1, 2 }; return s; }
             int main(void) { for (int i = 0; i < 3; i++) { const int n[2] = { i, i }; const struct s s = f(); const int *p = n; \
             if (p[1] != i || (&s)->b != 2) return *(int *)0; } return 0; }",
            's',
        ),
        (
            "int main(void) { _Atomic int x = 2147483647; _Atomic(int) y = x, *p = &y; struct { _Atomic int n; } s = { x };
             typedef _Atomic int t; t z = x; x++; (*p) += 5; --s.n; z++; return 0; }",
            's',
        ),
        (
            "int main(void) { _Atomic int x = 2147483647; int y = x; y++; return 0; }",
            'u',
        ),
        (
            "int main(void) { char s[] = \"abc\"; char *p = s; p[0] = 'x'; return 0; }",
            's',
        ),
        (
            "int main(void) { char *s = \"abc\"; strcpy(s, \"x\"); return 0; }",
            'u',
        ),
        (
            "int main(void) { char b[8] = \"abcdefg\"; memcpy(b + 1, b, 4); return 0; }",
            'u',
        ),
        (
            "int main(void) { char b[8] = \"abcdefg\"; memcpy(b + 4, b, 4); return 0; }",
            's',
        ),
        (
            "int main(void) { char b[8] = \"abc\"; strcpy(b + 1, b); return 0; }",
            'u',
        ),
        (
            "typedef struct { int quot, rem; } div_t; div_t div(int, int); int main(void) { return div(1, 0).quot; }",
            'u',
        ),
        (
            "typedef struct { int quot, rem; } div_t; div_t div(int, int);
          int main(void) { return div(-2147483647 - 1, -1).quot; }",
            'u',
        ),
        (
            "typedef struct { int quot, rem; } div_t; div_t div(int, int); int main(void) { return div(7, 2).quot; }",
            's',
        ),
        (
            "int main(void) { int x = 2147483647; return __atomic_fetch_add(&x, 1, 5) == 0; }",
            's',
        ),
    ] {
        assert_eq!(checked(body), right, "{body}");
    }
}

/// Functions that read text and write into memory where the two overlap (C11 7.21.6.6p2, 7.24.2).
#[test]
fn copies_and_formats_must_not_overlap() {
    let head = "int sprintf(char *, const char *, ...); int snprintf(char *, unsigned long, const char *, ...); \
        int sscanf(const char *, const char *, ...); char *strncpy(char *, const char *, unsigned long); \
        char *strncat(char *, const char *, unsigned long); int *wcscpy(int *, const int *); \
        void *memccpy(void *, const void *, int, unsigned long);";
    for (body, right) in [
        ("char b[16] = \"ab\"; sprintf(b, \"%s!\", b);", 'u'),
        ("char b[16] = \"ab\"; sprintf(b, \"%s-%d\", b + 1, 5);", 'u'),
        (
            "char b[16] = \"ab\"; snprintf(b, sizeof b, \"%d%s\", 5, b);",
            'u',
        ),
        (
            "char b[16] = \"ab\\0cd\"; sprintf(b, \"%s-----\", b + 4);",
            'u',
        ),
        ("char b[16] = \"%d\"; sprintf(b, b, 5);", 'u'),
        (
            "char b[16] = \"ab\", c[16]; sprintf(c, \"%s%s\", b, b); sprintf(b, \"%s\", c);",
            's',
        ),
        (
            "char b[16] = \"ab\\0cd\"; sprintf(b, \"%.1s\", b + 4);",
            's',
        ),
        ("char b[16] = \"ab\"; snprintf(b, 0, \"%s\", b);", 's'),
        ("char b[16] = \"ab\"; sscanf(b, \"%s\", b);", 'u'),
        ("char b[16] = \"ab\", c[16]; sscanf(b, \"%s\", c);", 's'),
        ("char b[16] = \"abc\"; strncpy(b, b + 1, 3);", 'u'),
        ("char b[16] = \"abc\"; strncpy(b, b + 8, 3);", 's'),
        ("char b[16] = \"abc\"; strncat(b, b, 8);", 'u'),
        ("int b[8] = { 1, 2, 0 }; wcscpy(b + 1, b);", 'u'),
        ("char b[16] = \"abc\"; memccpy(b + 1, b, 'c', 8);", 'u'),
        ("char b[16] = \"abc\"; memccpy(b + 3, b, 'c', 8);", 's'),
    ] {
        let text = format!("{head} int main(void) {{ {body} return 0; }}");
        assert_eq!(checked(&text), right, "{body}");
    }
}

#[test]
fn records_with_flexible_members_are_copied_without_them() {
    let declarations =
        "void *malloc(unsigned long); struct v { unsigned n; short a[]; }; struct v s = { 7 };
        struct v get(void) { return s; }";
    all_hold(
        declarations,
        "struct v *p = malloc(sizeof *p + 10); p->n = 5; p->a[0] = 1; struct v w = *p, x = get();",
        &["w.n == 5 && x.n == 7 && p->a[0] == 1"],
    );
}

#[test]
fn the_sign_of_a_nan_is_open() {
    let body = "volatile double z = 0; double n = z / z;";
    assert_eq!(holds("", body, "!__builtin_signbit(n)"), '?');
    assert_eq!(
        holds(
            "",
            body,
            "!__builtin_signbit(1.0) && __builtin_signbit(-0.0)"
        ),
        's'
    );
}

/// Of a NaN that an operation gives, the sign is open in memory, too, where another type may read it.
#[test]
fn the_bits_of_a_nan_are_open() {
    let declarations =
        "union both { float f; int i; }; void *memcpy(void *, const void *, unsigned long);";
    for (body, claim, right) in [
        (
            "volatile float z = 0; union both u; u.f = z / z;",
            "u.i == 0x7fc00000",
            '?',
        ),
        (
            "volatile float z = 0; union both u; u.f = z / z;",
            "(u.i & 0x7fffffff) == 0x7fc00000 && u.f != u.f",
            's',
        ),
        (
            "volatile double z = 0; double n = z / z; long b; memcpy(&b, &n, 8);",
            "b > 0",
            '?',
        ),
        (
            "volatile float z = 2; union both u; u.f = -z;",
            "u.i == (int)0xc0000000",
            's',
        ),
        (
            "volatile int n = -1; union both u; u.i = n;",
            "u.i == -1",
            's',
        ),
    ] {
        assert_eq!(holds(declarations, body, claim), right, "{body} {claim}");
    }
}

/// Headers declare `strerror` and `getenv`; a program that does not use them has no texts of open length.
#[test]
fn declarations_ask_for_no_texts_of_the_environment() {
    let body = "char *getenv(const char *); char *strerror(int); char *strerror_r(int, char *, unsigned long); int main(void) {";
    let lowered = |text: &str| {
        let program =
            crate::tests::lowered_with(text, craig_c_lang::types::DataModel::Lp64, |_| {});
        let program = program.expect("the program is lowered");
        program
            .statics
            .iter()
            .any(|object| object.name == "texts of the environment")
    };
    assert!(!lowered(&format!("{body} return 0; }}")));
    assert!(lowered(&format!("{body} return getenv(\"HOME\") != 0; }}")));
    assert!(lowered(&format!(
        "{body} char *(*f)(int) = strerror; return f(0) != 0; }}"
    )));
}

#[test]
fn texts_of_the_environment_are_texts() {
    for (body, right) in [
        (
            "char *getenv(const char *); int main(void) { char *p = getenv(\"A\"); if (p && p[0]) return p[1]; return 0; }",
            's',
        ),
        (
            "char *getenv(const char *); int main(void) { char *p = getenv(\"A\"), b[9]; if (p) strcpy(b, p); return 0; }",
            'u',
        ),
        (
            "char *getenv(const char *); int main(void) { char c = *getenv(\"A\"); return 0; }",
            'u',
        ),
        (
            "char *strerror(int); int main(void) { return strerror(2)[0] == 'x'; }",
            's',
        ),
    ] {
        let found = checked(body);
        assert!(
            found == right || right == 's' && found == '?',
            "{body}: {found}"
        );
    }
}
