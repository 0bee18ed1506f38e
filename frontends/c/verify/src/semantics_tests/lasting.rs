//! What a call of the library tells of later calls: indicators of streams, numbers of the process; and what runs at the end.

use super::all_hold;
use crate::tests::{unrolled_up_to, unwound};

const STREAMS: &str = "typedef struct FILE FILE; extern FILE *stdin; FILE *fopen(const char *, const char *); int fgetc(FILE *); int getchar(void);
     char *fgets(char *, int, FILE *); unsigned long fread(void *, unsigned long, unsigned long, FILE *); int scanf(const char *, ...);
     int feof(FILE *); int ferror(FILE *); void clearerr(FILE *); void rewind(FILE *); int fclose(FILE *); void other(FILE *);";

/// C11 7.21.7.1p3, 7.21.8.1p3: one of both indicators is set where the input stops, until they are cleared.
#[test]
fn input_that_stops_sets_an_indicator() {
    for (body, expected) in [
        ("if (fgetc(f) == -1) assert(feof(f) || ferror(f));", 's'),
        ("if (fgetc(f) == -1) assert(feof(f));", 'u'),
        (
            "if (fgetc(f) == -1 && !ferror(f)) { fgetc(f); assert(feof(f)); }",
            's',
        ),
        (
            "if (getchar() == -1) assert(ferror(stdin) || feof(stdin));",
            's',
        ),
        ("if (getchar() == -1) assert(ferror(f) || feof(f));", 'u'),
        (
            "char b[4]; if (!fgets(b, 4, f)) assert(feof(f) || ferror(f));",
            's',
        ),
        (
            "char b[4]; if (!fgets(b, 0, f)) assert(feof(f) || ferror(f));",
            'u',
        ),
        (
            "char b[4]; if (fgets(b, 4, f) && b[0] == 'x' && !b[1]) assert(feof(f));",
            'u',
        ),
        (
            "char b[4]; if (fread(b, 2, 2, f) < 2) assert(feof(f) || ferror(f));",
            's',
        ),
        (
            "char b[4]; if (fread(b, 2, 2, f) == 2) assert(!feof(f) && !ferror(f));",
            'u',
        ),
        (
            "int n; if (scanf(\"%d\", &n) == -1) assert(feof(stdin) || ferror(stdin));",
            's',
        ),
        (
            "int n; if (scanf(\"%d\", &n) == 0) assert(feof(stdin) || ferror(stdin));",
            'u',
        ),
        (
            "if (fgetc(f) == -1) { clearerr(f); assert(feof(f) || ferror(f)); }",
            'u',
        ),
        (
            "if (fgetc(f) == -1) { rewind(f); assert(feof(f) || ferror(f)); }",
            'u',
        ),
        (
            "if (fgetc(f) == -1) { other(f); assert(feof(f) || ferror(f)); }",
            'u',
        ),
        (
            "if (fgetc(f) == -1) { fclose(f); f = fopen(\"b\", \"r\"); if (f) assert(feof(f) || ferror(f)); }",
            'u',
        ),
        (
            "if (fgetc(f) == -1) { clearerr(stdin); assert(feof(f) || ferror(f)); }",
            's',
        ),
    ] {
        let text = format!(
            "{STREAMS} int main(void) {{ FILE *f = fopen(\"a\", \"r\"); if (!f || f == stdin) return 0; {body} return 0; }}"
        );
        assert_eq!(unwound(&text), expected, "{body}");
    }
}

/// POSIX: what belongs to the process stays, until the program changes it; a setting of the system stays.
#[test]
fn numbers_of_the_process_stay() {
    let declarations = "unsigned getuid(void); unsigned geteuid(void); unsigned getgid(void); int getpgrp(void); int setuid(unsigned);
         int setpgid(int, int); long sysconf(int); int system(const char *); int other(void);";
    for (body, expected) in [
        (
            "assert(getuid() == getuid() && getgid() == getgid() && getpgrp() == getpgrp());",
            's',
        ),
        ("assert(getuid() == geteuid());", 'u'),
        (
            "unsigned a = getuid(); setuid(7); assert(a == getuid());",
            'u',
        ),
        (
            "unsigned a = getgid(); setuid(7); assert(a == getgid());",
            's',
        ),
        (
            "int a = getpgrp(); setpgid(0, 0); assert(a == getpgrp());",
            'u',
        ),
        (
            "unsigned a = getgid(); other(); assert(a == getgid());",
            'u',
        ),
        (
            "assert(sysconf(30) == sysconf(30) && sysconf(2) == sysconf(2));",
            's',
        ),
        ("assert(sysconf(30) == sysconf(2));", 'u'),
        // The number of files that may be open has a limit that can be set.
        ("assert(sysconf(4) == sysconf(4));", 'u'),
        ("int a = system(0), b = system(0); assert(!a == !b);", 's'),
        ("assert(system(\"x\") == system(\"x\"));", 'u'),
    ] {
        // A compiled program has other numbers than random ones.
        let text = format!("{declarations} int main(void) {{ {body} return 0; }}");
        assert_eq!(unrolled_up_to(64, &text), expected, "{body}");
    }
}

/// GNU's attribute `destructor`: after all handlers, the larger numbers first, those without one before them, the last one first.
#[test]
fn destructors_run_at_the_end() {
    let functions = "int x; int atexit(void (*)(void)); void exit(int); void _exit(int);
         void a(void) __attribute__((destructor));
         __attribute__((destructor(200))) static void b(void) { assert(x == 4); x = 5; }
         __attribute__((__destructor__(300))) void c(void) { assert(x == 3); x = 4; }
         void a(void) { assert(x == 2); x = 3; }
         __attribute__((destructor)) void d(void) { assert(x == 1); x = 2; }";
    for (body, expected) in [
        ("int main(void) { x = 1; return 0; }", 's'),
        ("int main(void) { x = 0; return 0; }", 'u'),
        (
            "void f(void) { exit(0); } int main(void) { x = 1; f(); x = 7; return 0; }",
            's',
        ),
        (
            "void f(void) { exit(0); } int main(void) { f(); return 0; }",
            'u',
        ),
        ("int main(void) { _exit(0); }", 's'),
        (
            "void h(void) { x = 1; } int main(void) { atexit(h); return 0; }",
            's',
        ),
        (
            "__attribute__((destructor(100))) void e(void) { assert(x == 6); } int main(void) { x = 1; return 0; }",
            'u',
        ),
        (
            "__attribute__((destructor(100))) void e(void) { exit(1); } int main(void) { x = 1; return 0; }",
            '?',
        ),
    ] {
        assert_eq!(unwound(&format!("{functions} {body}")), expected, "{body}");
    }
}

/// POSIX: arguments by their numbers, and input whose text is allocated.
#[test]
fn formats_number_their_arguments_and_allocate() {
    let declarations = "int strcmp(const char *, const char *); int snprintf(char *, unsigned long, const char *, ...);
         int sscanf(const char *, const char *, ...); int scanf(const char *, ...); void free(void *);";
    all_hold(
        declarations,
        "char b[30]; int x = 0, y = 0; char *p = 0;",
        &[
            "(snprintf(b, 30, \"%2$s-%1$d %2$s\", 5, \"ab\"), !strcmp(b, \"ab-5 ab\"))",
            "(snprintf(b, 30, \"%2$ld %1$hhd\", 300, 1099511627776), !strcmp(b, \"1099511627776 44\"))",
            "(snprintf(b, 30, \"%2$-*1$d|%3$.*1$d\", 4, 7, 9), !strcmp(b, \"7   |0009\"))",
            "sscanf(\"3 4\", \"%2$d %1$d\", &x, &y) == 2 && x == 4 && y == 3",
            "sscanf(\"hello 12\", \"%ms\", &p) == 1 && !strcmp(p, \"hello\")",
            "sscanf(\"abcd\", \"%m[a-b]%*c%d\", &p, &x) == 1 && !strcmp(p, \"ab\")",
            "sscanf(\"abc\", \"%2mc\", &p) == 1 && p[1] == 'b'",
            "sscanf(\"\", \"%ms\", &p) == -1 && p == 0",
        ],
    );
    for (claim, expected) in [
        (
            "scanf(\"%3ms\", &p) != 1 || p[0] && (!p[1] || !p[2] || !p[3])",
            's',
        ),
        ("scanf(\"%3ms\", &p) != 1 || !p[1] || !p[2]", 'u'),
    ] {
        let text =
            format!("{declarations} int main(void) {{ char *p = 0; assert({claim}); return 0; }}");
        assert_eq!(unwound(&text), expected, "{claim}");
    }
}
