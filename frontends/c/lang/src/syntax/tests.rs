//! What the parser reads, how it groups, and what it refuses.

use super::ast::*;
use super::parse_text;
use super::span::{Node, Span};
use super::visit::{self, Visit};

fn unit(text: &str) -> TranslationUnit {
    parse_text(text)
        .unwrap_or_else(|error| panic!("{text}: {} at `{}`", error.message, &text[error.offset..]))
}

fn error(text: &str) -> (usize, String) {
    let error = parse_text(text).expect_err(text);
    (error.offset, error.message)
}

/// An expression with all its operations in parentheses.
fn grouped(expression: &Node<Expression>, text: &str) -> String {
    let part = |inner: &Node<Expression>| grouped(inner, text);
    let own = |span: Span| &text[span.start..span.end];
    match &expression.node {
        Expression::BinaryOperator(it) => format!(
            "({} {} {})",
            part(&it.node.lhs),
            own(it.node.operator.span),
            part(&it.node.rhs)
        ),
        Expression::UnaryOperator(it) => {
            format!(
                "{}{{{}}}",
                own(it.node.operator.span),
                part(&it.node.operand)
            )
        }
        Expression::Conditional(it) => format!(
            "({} ? {} : {})",
            part(&it.node.condition),
            it.node
                .then_expression
                .as_deref()
                .map_or(String::new(), part),
            part(&it.node.else_expression)
        ),
        Expression::Cast(it) => {
            format!(
                "({}){{{}}}",
                own(it.node.type_name.span),
                part(&it.node.expression)
            )
        }
        Expression::SizeOfVal(it) => format!("sizeof{{{}}}", part(&it.node.0)),
        Expression::Call(it) => {
            let arguments: Vec<String> = it.node.arguments.iter().map(part).collect();
            format!("{}<{}>", part(&it.node.callee), arguments.join(", "))
        }
        _ => own(expression.span).to_string(),
    }
}

/// The first initialiser of a text, grouped.
fn first_initialiser(text: &str) -> String {
    struct First<'t>(&'t str, Option<String>);
    impl<'ast> Visit<'ast> for First<'_> {
        fn visit_initializer(&mut self, node: &'ast Initializer, _: &'ast Span) {
            if let Initializer::Expression(expression) = node {
                self.1.get_or_insert_with(|| grouped(expression, self.0));
            }
        }
    }
    let mut first = First(text, None);
    first.visit_translation_unit(&unit(text));
    first.1.expect("an initialiser")
}

#[test]
fn operators_group_by_their_precedence() {
    for (text, wanted) in [
        ("a + b * c - d", "((a + (b * c)) - d)"),
        (
            "a < b == c & d ^ e | f && g || h",
            "((((((a < b) == c) & d) ^ e) | f) && g) || h",
        ),
        ("a ==> b ==> c || d", "(a ==> (b ==> (c || d)))"),
        ("a <==> b ==> c <==> d", "((a <==> (b ==> c)) <==> d)"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a ?: b ?: c", "(a ?  : (b ?  : c))"),
        ("a = b += c ? d : e", "(a = (b += (c ? d : e)))"),
        ("-a[1]++ + !b", "(-{++{(a [ 1)}} + !{b})"),
        ("(T)-x * (y)(z)", "((T){-{x}} * y<z>)"),
        (
            "sizeof (x) + sizeof (T) - sizeof (T){1}.f",
            "((sizeof{x} + sizeof (T)) - sizeof{(T){1}.f})",
        ),
        ("(T)(x) + (y) + (T)&z", "(((T){x} + y) + (T){&{z}})"),
        ("__extension__ (T)1 << 2 >> 3", "(((T){1} << 2) >> 3)"),
    ] {
        let grouped = first_initialiser(&format!("typedef int T; int x = {text};"));
        let wanted = wanted.to_string();
        let outer = format!("({wanted})");
        assert!(grouped == wanted || grouped == outer, "{text}: {grouped}");
    }
}

#[test]
fn names_of_types_have_scopes() {
    // A multiplication where `T` is a variable, a declaration where it is a type.
    let kinds = |body: &str| {
        struct Kinds(String);
        impl<'ast> Visit<'ast> for Kinds {
            fn visit_block_item(&mut self, item: &'ast BlockItem, span: &'ast Span) {
                match item {
                    BlockItem::Declaration(_) => self.0.push('d'),
                    BlockItem::Statement(statement) => match &statement.node {
                        Statement::Compound(_) | Statement::For(_) => {}
                        _ => self.0.push('s'),
                    },
                    BlockItem::StaticAssert(_) => {}
                }
                visit::visit_block_item(self, item, span);
            }
        }
        let mut kinds = Kinds(String::new());
        kinds.visit_translation_unit(&unit(&format!("typedef int T; {body}")));
        kinds.0
    };
    for (body, wanted) in [
        ("void f(void) { T *a; }", "d"),
        ("void f(void) { int T; T * a; }", "ds"),
        ("void f(void) { { int T; T * a; } T *a; }", "dsd"),
        ("void f(int T) { T * a; } void g(void) { T *a; }", "sd"),
        ("void f(a, T) int a, T; { T * a; }", "s"),
        ("void f(void) { enum { T }; T * a; }", "ds"),
        ("void f(void) { T T; T * a; }", "ds"),
        ("void f(void) { for (int T = 0;;) T * a; T *a; }", "d"),
        ("void f(void) { T: a(); T *a; }", "sd"),
        ("void f(void) { int g(int T, int b[T * 2]); T *a; }", "dd"),
        (
            "void f(void) { typedef char U; U *a; { int U; U * a; } }",
            "ddds",
        ),
        ("struct s { int T; }; void f(void) { T *a; }", "d"),
        ("void (*g(int U))(int T); void f(void) { T *a; }", "d"),
        ("void (*f(int T))(int) { T * a; }", "s"),
    ] {
        assert_eq!(kinds(body), wanted, "{body}");
    }
}

#[test]
fn all_of_gnu_c_and_c23_is_read() {
    for text in [
        "main() { f(); } static x = 1; f(a, b) char *b; { }",
        "struct s { int a; void *b }; struct { int : 3, c : 2; ; } __attribute__((packed)) x;",
        "struct __attribute__((aligned(8))) t { _Alignas(16) char c; int d __attribute__((packed)); };",
        "enum e { A, B __attribute__((unused)) = 3, } y; enum u : unsigned char { C }; enum u z;",
        "int (*(*f)(int (*)(void), ...))[3]; int (g)(void); int h(int (T)); typedef int T; int i(int (T));",
        "int a[] = { 1, [3] = 2, [5 ... 7] = 3, [9] 4 }; struct p { int x, y; } p = { x: 1, .y = 2 }, q = {};",
        "void f(int n, int a[static const n], int b[*], int c[]) { int (*p)[n] = (int (*)[n])a; }",
        "int x __asm__(\"y\") __attribute__((unused)), *__restrict z; extern int g(void) __asm(\"h\");",
        "__extension__ typedef long long L; __extension__ union { L a; __extension__ int b; } u;",
        "void f(void) { void *l = &&a; goto *l; a: ; __label__e: ; }",
        "void f(void) { __label__ a, b; { __label__ a; goto a; a:; } goto a; a: b: }",
        "void f(int x) { switch (x) { case 1 ... 3: case 'a': default: int y; a: } }",
        "void f(int x) { if (x) ; else if (x) { } else while (x) do x--; while (x); for (;;) break; }",
        "int f(void) { return ({ int a = 1; a; }) + (__extension__ ({ 2; })); }",
        "void f(int x) { asm(\"\"); asm volatile (\"nop\" : \"=r\"(x), [y] \"+m\"(x) : : \"memory\", \"cc\"); }",
        "void f(int x) { __asm__ goto (\"\" : : \"r\"(x) : : out); out: __attribute__((unused)); }",
        "int f(int x) { switch (x) { case 1: x++; __attribute__((fallthrough)); default: [[fallthrough]]; } }",
        "typedef __typeof__(int *) P; __typeof__(1 + 2) q; typeof(typeof(char)) r; P s;",
        "int x = __builtin_offsetof(struct s { int a[3]; }, a[1]) + __alignof__(int) + _Alignof x;",
        "int f(int n, ...) { __builtin_va_list l; return __builtin_va_arg(l, int); }",
        "int x = __builtin_types_compatible_p(int[], const int[3]);",
        "int x = _Generic(1, int: 1, char *: 2, default: 3);",
        "_Static_assert(1, \"a\" \"b\"); static_assert(1); struct s { _Static_assert(1, \"\"); int a; };",
        "__int128 a; unsigned __int128 b; __uint128_t c; _Float128 d; __float128 e; _Float64x g; _Bool h;",
        "_Complex double z = 1.0 + 2.0i; double r = __real__ z + __imag__ (z); float _Complex w;",
        "_Atomic int a; _Atomic(int) b; int *_Atomic c; _Thread_local int d; __thread int e;",
        "typedef int v4 __attribute__((vector_size(16))); v4 x = { 1, 2, 3, 4 };",
        "[[deprecated(\"x\"), gnu::unused]] int f(void) [[gnu::pure]]; struct [[nodiscard]] s { int a [[maybe_unused]]; };",
        "constexpr int n = 1'000; bool b = true; void *p = nullptr; auto y = 3; thread_local int t; alignas(8) int u;",
        "typedef int bool; enum { false, true }; bool f(bool x) { return x == true; } int nullptr;",
        "int constexpr = 1, alignas = 2; int f(void) { return constexpr + alignas; }",
        "int f(int, char *) { return 0b1010; } typeof_unqual(const int) k; _BitInt(7) m = 3wb;",
        "int x = sizeof(int (*)(int)); int y = (int){1} + (struct { int a; }){2}.a;",
        "int a = 'x', b = L'\\u00e9'; char *s = u8\"a\" \"b\"; int caf\\u00e9, \u{e9}t\u{e9}, $d;",
        "__auto_type x = 1; int f(void) { __auto_type y = x, *z = &x; register i; auto j = 2; }",
        "int f(a) { } int g(); int h() { } inline int i(void); _Noreturn void j(void);",
        "int x = 1 ? 2 : 3, y = (1, 2), z[2] = {[0] = 1, [1] = 2,}; ; ;",
        "void f(int x) { x <<= 1; x >>= 2; x ^= 3; x->y.z++; (*x)(1)(2)[3]--; }",
        "int f(int (*)(int), int (*g)(void), int h(int), int [3], int (*)[2], int *[2]);",
        "int f(void) { typedef int T; { T T = 1; return T; } } int if_, whiles;",
        "int __attribute__((noinline)) f(void); __attribute__((cold)) g(int c) { } void (__attribute__((cdecl)) *h)(void);",
    ] {
        unit(text);
    }
}

#[test]
fn specifications_are_read() {
    let clauses = |text: &str| {
        struct Clauses(Vec<Clause>);
        impl<'ast> Visit<'ast> for Clauses {
            fn visit_clause(&mut self, clause: &'ast Clause, _: &'ast Span) {
                self.0.push(clause.clone());
            }
        }
        let mut clauses = Clauses(Vec::new());
        clauses.visit_translation_unit(&unit(text));
        clauses.0
    };
    let groups = clauses(
        "int f(int *p) __CPROVER_assigns(*p, p[1]; p != 0: p[2], p[3]) __CPROVER_assigns();",
    );
    let sizes = |clause: &Clause| match clause {
        Clause::Assigns(groups) => {
            let size = |group: &TargetGroup| (group.condition.is_some(), group.targets.len());
            groups.iter().map(size).collect()
        }
        _ => Vec::new(),
    };
    assert_eq!(sizes(&groups[0]), [(false, 2), (true, 2)]);
    assert!(sizes(&groups[1]).is_empty());
    for (text, n_clauses) in [
        (
            "int f(int a) __CPROVER_requires(a > 0) __CPROVER_ensures(__CPROVER_return_value == __CPROVER_old(a)) { return a; }",
            2,
        ),
        (
            "void f(int n) { while (n) __CPROVER_loop_invariant(n >= 0) __CPROVER_decreases(n, 1) { n--; } }",
            2,
        ),
        (
            "void f(int n) { for (;;) __CPROVER_assigns(n) __CPROVER_loop_invariant(1) __CPROVER_loop_invariant(2) n++; }",
            3,
        ),
        (
            "void f(int n) { do __CPROVER_loop_invariant(1) n--; while (n) __CPROVER_decreases(n); }",
            2,
        ),
        (
            "void f(int *p) __CPROVER_frees(p) __attribute__((noinline)); void g(int), h(int) __CPROVER_requires(1);",
            2,
        ),
    ] {
        assert_eq!(clauses(text).len(), n_clauses, "{text}");
    }
    unit(
        "int f(int n) { return __CPROVER_forall { int i; (0 <= i && i < n) ==> a[i] == __CPROVER_exists { unsigned j; j == i } }; }",
    );
    unit("__CPROVER_bitvector[7] x; __CPROVER_size_t n; __CPROVER_ssize_t m; __CPROVER_bool b;");
}

#[test]
fn errors_say_what_was_expected_and_where() {
    for (text, offset, said) in [
        ("int f(void) { return 1 1; }", 23, "expected `;`, found `1`"),
        ("int x = ;", 8, "expected an expression, found `;`"),
        (
            "int f(void) { T x; }",
            16,
            "expected `;`, found `x`; `T` is not the name of a type here",
        ),
        ("T x;", 0, "`T` is not the name of a type here"),
        (
            "int f(T x);",
            6,
            "expected a parameter, found `T`; `T` is not the name of a type here",
        ),
        ("int f(void) { if 1; }", 17, "expected `(`"),
        (
            "int f(void) {",
            13,
            "expected `}`, found the end of the file",
        ),
        ("int a[3;", 7, "expected `]`, found `;`"),
        ("int x = 09;", 8, "`09` is no number"),
        ("char *s = \"a\n;", 10, "unfinished literal"),
        ("int f(void) { else; }", 14, "no `if`"),
        ("int f(void) { if (1) int x; }", 21, "a declaration is none"),
        (
            "int f(void) { int g(void) { } }",
            26,
            "the nested function `g` is not supported",
        ),
        (
            "struct s { int a int b; };",
            17,
            "expected `;` after a member",
        ),
        ("int x = a ? b;", 13, "expected `:`"),
        ("int x = @;", 8, "expected an expression, found `@`"),
        ("asm(\"nop\");", 0, "assembly outside of functions"),
        (
            "__CPROVER_integer x;",
            0,
            "`__CPROVER_integer` is not supported",
        ),
        (
            "int f(void) { __attribute__((assume(0))); }",
            29,
            "the attribute `assume` of a statement",
        ),
        (
            "int x = __builtin_convertvector(y, int);",
            8,
            "`__builtin_convertvector` is not supported",
        ),
        ("int x = foo(int);", 12, "an argument of `foo` is a type"),
        ("int f(int n; int a[n]);", 11, "before the others"),
        ("int x = a ? b : c = d;", 18, "`;` after a declarator"),
    ] {
        let (at, message) = error(text);
        assert!(
            message.contains(said) && at == offset,
            "{text}: {at}: {message}"
        );
    }
}

#[test]
fn local_labels_of_blocks_differ() {
    struct Labels(Vec<String>);
    impl<'ast> Visit<'ast> for Labels {
        fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast Span) {
            if let Statement::Goto(label) = statement {
                self.0.push(label.node.name.clone());
            }
            visit::visit_statement(self, statement, span);
        }
    }
    let mut labels = Labels(Vec::new());
    let text =
        "void f(void) { { __label__ a; goto a; a:; } { __label__ a; goto a; a:; } goto a; a:; }";
    labels.visit_translation_unit(&unit(text));
    assert_eq!(labels.0, ["a.1", "a.2", "a"]);
}

/// On a stack as large as that of the command, where what is read is long.
fn on_large_stack(work: fn()) {
    let thread = std::thread::Builder::new().stack_size(1 << 29);
    thread
        .spawn(work)
        .expect("a thread")
        .join()
        .expect("no panic");
}

#[test]
fn long_lists_are_read_without_deep_recursion() {
    on_large_stack(|| {
        let many = 10_000;
        for (before, part, after) in [
            ("int x = 1", " + 1", ";"),
            ("int x = 1", " ==> 1", ";"),
            ("int x = ", "1 ? 2 : ", "3;"),
            ("void f(int x) { ", "x = ", "1; }"),
            ("void f(int x) { ", "if (x) x++; else ", "x--; }"),
            ("void f(int x) { ", "while (x) ", "x--; }"),
            ("void f(int x) { ", "if (x) ", "x--; }"),
            ("void f(int x) { switch (x) { ", "case 1: ", "} }"),
            ("int x = ", "(int)", "1;"),
            ("int x = ", "- ", "1;"),
            ("int x = ", "sizeof ", "1;"),
            ("int x = a", "[0]", ";"),
            ("int x[] = { ", "1, ", "};"),
            ("enum e { A", ", A", "};"),
            ("int ", "*", "x;"),
            ("int x", ", x", ";"),
            ("int x", "[2]", ";"),
            ("int f(int a", ", int", ");"),
        ] {
            unit(&format!("{before}{}{after}", part.repeat(many)));
        }
        let (heads, tails) = ("do ".repeat(many), " while (1);".repeat(many));
        unit(&format!("void f(int x) {{ {heads} ; {tails} }}"));
    });
}

#[test]
fn deep_nesting_is_an_error() {
    on_large_stack(|| {
        for (open, close) in [
            ("int x = ", "("),
            ("int x = ", "{"),
            ("int ", "("),
            ("void f(void) ", "{"),
            ("void f(void) { (", "({"),
            ("", "struct {"),
            ("int f(", "int (*)("),
            ("int x = ", "sizeof(int["),
        ] {
            let text = format!("{open}{}", close.repeat(5_000));
            let (_, message) = error(&text);
            assert!(
                message.contains("levels of nesting"),
                "{open}{close}: {message}"
            );
        }
    });
}

/// Texts with tokens left out, doubled and exchanged are errors or programs, never a panic.
#[test]
fn mangled_texts_do_not_panic() {
    let text = include_str!("../formatted.c");
    let text: String = text.chars().take(12_000).collect();
    let words: Vec<&str> = text
        .split_inclusive([' ', '\n', '(', ')', ';', '{', '}', ','])
        .collect();
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % bound as u64).unwrap_or(0)
    };
    let strange = [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "__CPROVER_forall {",
        "typedef",
        "?:",
        "...",
        "[[",
        "==>",
        "'",
        "\"",
        "__attribute__((",
        "case 1:",
        "&&x",
        "asm(",
        "_Generic(",
        "sizeof",
        "\u{e9}\\u",
        "0x",
        "struct {",
    ];
    for _ in 0..150 {
        let mut mangled = words.clone();
        for _ in 0..1 + random(4) {
            let (at, from) = (random(mangled.len()), random(mangled.len()));
            match random(4) {
                0 => drop(mangled.remove(at)),
                1 => mangled.insert(at, words[from % words.len()]),
                2 => mangled.swap(at, from),
                _ => mangled.insert(at, strange[random(strange.len())]),
            }
        }
        let text = mangled.concat();
        if let Err(error) = parse_text(&text) {
            assert!(error.offset <= text.len() && !error.message.is_empty());
        }
    }
}
