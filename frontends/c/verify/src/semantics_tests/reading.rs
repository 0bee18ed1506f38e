//! What is read: labels, types that are compared, attributes, names of C23 and GNU C.

use super::{all_hold, holds};
use crate::refusal_tests::refusal;
use crate::tests::unwound;

#[test]
fn labels_of_a_switch_are_evaluated_or_make_it_unknown() {
    let program = |label: &str| {
        format!("int main(void) {{ int x = 3; switch (x) {{ {label} assert(0); }} return 0; }}")
    };
    for label in [
        "case (int)3.7:",
        "case 3 ?: 5:",
        "case 0 ?: 3:",
        "case sizeof(char[3]):",
        "case (1.0 < 2.0) + 2:",
        "case 5: case 1 ... 4:",
    ] {
        assert_eq!(unwound(&program(label)), 'u', "{label}");
    }
    for label in [
        "case __builtin_foo(3):",
        "while ((_Float128)x < 2) { case 3:",
        "if ((_Float128)x < 2) { default:",
        "for (;(_Float128)x < 2;) switch (x) { case 4: } while ((_Float128)x < 2) { case 3:",
    ] {
        let text = program(label).replace(
            "assert(0); }",
            &"assert(0); } ".repeat(1 + label.matches('{').count() - label.matches('}').count()),
        );
        assert_eq!(unwound(&text), '?', "{label}");
    }
    assert_eq!(
        unwound(&program("case 1: switch (x) { case 3: } break; case 4:")),
        's'
    );
}

#[test]
fn types_are_those_of_their_operands() {
    all_hold(
        "static int add(int x) { return x + 1; } int table[3] = { 1, 2, 3 };",
        "double a = 1; __typeof__(__typeof__(a)) b = 1.5; __auto_type f = add; __auto_type p = table; \
         auto c = 2.5; __auto_type bit = (struct { unsigned n : 3; }){ 7 }.n; typeof(table) t = { 4 };",
        &[
            "b == 1.5",
            "f(1) == 2",
            "p[1] == 2 && sizeof p == 8",
            "c == 2.5",
            "bit + 1 == 8",
            "sizeof t == 12 && t[0] == 4",
        ],
    );
}

#[test]
fn types_are_compatible_by_their_qualifiers_enumerations_and_prototypes() {
    let declarations = "enum e { A }; enum f { B }; typedef enum { C } g; typedef enum { D } h; \
                        typedef const char *text; struct s { const char *name; }; \
                        enum e a; enum f b; struct u { enum e m; } t;";
    all_hold(
        declarations,
        "",
        &[
            "!__builtin_types_compatible_p(char *, const char *)",
            "__builtin_types_compatible_p(const char *, text)",
            "__builtin_types_compatible_p(const int, int)",
            "__builtin_types_compatible_p(int[], int[3])",
            "!__builtin_types_compatible_p(int[2], int[3])",
            "!__builtin_types_compatible_p(enum e, enum f)",
            "__builtin_types_compatible_p(enum e, enum e)",
            "!__builtin_types_compatible_p(g, h) && __builtin_types_compatible_p(g, g)",
            "!__builtin_types_compatible_p(typeof(g), typeof(enum e)) && __builtin_types_compatible_p(typeof(g), g)",
            "__builtin_types_compatible_p(typeof(A), typeof(B)) && __builtin_types_compatible_p(typeof(A), int)",
            "!__builtin_types_compatible_p(typeof(a), typeof(b)) && __builtin_types_compatible_p(typeof(a), enum e)",
            "!__builtin_types_compatible_p(typeof(t.m), typeof(b)) && __builtin_types_compatible_p(typeof(t.m), typeof(a))",
            "!__builtin_types_compatible_p(typeof((enum f) 1), typeof(a)) && __builtin_types_compatible_p(typeof(a), unsigned)",
            "__builtin_types_compatible_p(typeof(*(&a)), unsigned) && !__builtin_types_compatible_p(typeof(*(&a)), int)",
            "__builtin_types_compatible_p(int (*)(), int (*)(int))",
            "!__builtin_types_compatible_p(int (*)(), int (*)(char))",
            "!__builtin_types_compatible_p(int (*)(int, ...), int (*)(int))",
            "!__builtin_types_compatible_p(int (*)(void), int (*)(int))",
        ],
    );
}

#[test]
fn generic_selections_tell_pointers_to_const_objects() {
    all_hold(
        "#define K(x) _Generic((x), char *: 1, const char *: 2, default: 3)\n".replace("#define K(x) _Generic((x), char *: 1, const char *: 2, default: 3)\n", "struct s { const char *name; char *own; char text[2]; }; typedef const char letter;").as_str(),
        "const char *p = \"x\"; char b[3] = \"y\"; struct s s = { p, b, \"\" }; const struct s k = s; letter *q = p; \
         char *const c = b; const char a[2] = \"\"; char *list[2] = { b, b };",
        &[
            "_Generic(p, char *: 1, const char *: 2) == 2",
            "_Generic(b, char *: 1, const char *: 2) == 1",
            "_Generic(\"a\", char *: 1, const char *: 2) == 1",
            "_Generic(q + 1, char *: 1, const char *: 2) == 2",
            "_Generic(c, char *: 1, const char *: 2) == 1",
            "_Generic(a, char *: 1, const char *: 2) == 2",
            "_Generic(&b[1], char *: 1, const char *: 2) == 1",
            "_Generic(s.name, char *: 1, const char *: 2) == 2",
            "_Generic(s.own, char *: 1, const char *: 2) == 1",
            "_Generic(s.text, char *: 1, const char *: 2) == 1",
            "_Generic((&k)->text, char *: 1, const char *: 2) == 2",
            "_Generic(list[1], char *: 1, const char *: 2) == 1",
            "_Generic((const char *)b, char *: 1, const char *: 2) == 2",
            "_Generic(1 ? b : p, char *: 1, const char *: 2) == 2",
            "_Generic(5, char *: 1, const char *: 2, default: 3) == 3",
        ],
    );
}

#[test]
fn records_with_tags_alone_and_flexible_members_have_their_sizes() {
    all_hold(
        "struct a { int x; }; struct s { struct a; int c; }; struct v { unsigned n; short a[]; }; \
         struct v v = { 7 }; struct v get(void) { return v; }",
        "struct v w = v; unsigned n = w.n; w.n = 3; v = w; struct v x = get();",
        &["sizeof(struct s) == 4", "n == 7 && v.n == 3 && x.n == 3"],
    );
}

#[test]
fn declarations_of_setjmp_alone_change_nothing() {
    let text = "typedef int jmp_buf[40]; int setjmp(jmp_buf); void longjmp(jmp_buf, int); \
                int add(void) { return 3; } int main(void) { assert(add() == 3 ? 1 : 0); return 0; }";
    assert_eq!(unwound(text), 's');
}

#[test]
fn names_of_c23_are_known() {
    all_hold(
        "constexpr int n = 1'000; enum e : unsigned char { A = 200 };",
        "bool yes = true; int *p = nullptr; typeof_unqual(n) m = 0b101; alignas(8) int k = 3; int z[3] = {};",
        &[
            "n == 1000 && m == 5",
            "yes && !false && sizeof yes == 1",
            "p == nullptr && k == 3",
            "z[2] == 0",
        ],
    );
    assert_eq!(
        holds(
            "typedef int bool; enum { false, true };",
            "bool b = true + 1;",
            "b == 2"
        ),
        's'
    );
}

#[test]
fn labels_of_blocks_are_different() {
    let program = |claim: &str| {
        format!(
            "int main(void) {{ int n = 0; {{ __label__ l; goto l; n = 8; l: n++; }} {{ __label__ l; goto l; \
             n = 9; l: n += 2; }} assert({claim}); return 0; }}"
        )
    };
    assert_eq!(unwound(&program("n == 3")), 's');
    assert_eq!(unwound(&program("n != 3")), 'u');
}

#[test]
fn attributes_that_may_change_the_meaning_are_refused() {
    for (text, name) in [
        ("int x __attribute__((alias(\"y\")));", "alias"),
        ("int x [[gnu::strange]];", "strange"),
    ] {
        let text = format!("void f(int *x); int y;\n{text} int main(void) {{ return 0; }}");
        let refusal = refusal(&text).unwrap_or_default();
        assert!(
            refusal.contains("test.c:2") && refusal.contains(name),
            "{text}: {refusal}"
        );
    }
    assert_eq!(
        holds(
            "__attribute__((noinline, hot, unused)) static int f(void) { return 1; }",
            "",
            "f() == 1"
        ),
        's'
    );
}

#[test]
fn constructors_run_before_the_entry() {
    all_hold(
        "static int n; static void third(void) __attribute__((constructor)); static void third(void) { n = n * 10 + 3; } \
         __attribute__((constructor(102))) static void second(void) { n = n * 10 + 2; } \
         __attribute__((constructor(101))) static void first(void) { n = n * 10 + 1; }",
        "",
        &["n == 123"],
    );
}

#[test]
fn enumerations_have_the_types_that_they_ask_for() {
    all_hold(
        "enum a { A = 200 } __attribute__((packed)); enum __attribute__((packed)) b { B = -1, C = 300 }; \
         enum c : short { D = 5 }; enum c later; enum d { E } __attribute__((mode(DI)));",
        "",
        &[
            "sizeof(enum a) == 1 && (enum a)-1 > 0",
            "sizeof(enum b) == 2 && (enum b)-1 < 0",
            "sizeof(enum c) == 2 && sizeof D == 2 && sizeof later == 2",
            "sizeof(enum d) == 8",
        ],
    );
}

#[test]
fn objects_with_other_names_for_the_assembler_are_refused() {
    let refused =
        refusal("int x = 3; extern int z __asm__(\"x\"); int main(void) { z = 4; return x; }");
    assert!(
        refused
            .unwrap_or_default()
            .contains("the assembler name `x` of the object `z`")
    );
    assert_eq!(holds("int x __asm__(\"x\") = 3;", "", "x == 3"), 's');
}
