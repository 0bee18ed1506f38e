//! What functions without a body and volatile objects may do.

use super::judge;
use crate::tests::{lowered, unwound, verdicts};
use craig_c_lang::lower::UnknownCalls;
use craig_c_lang::types::DataModel;

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
            'u',
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
