//! Small programs with known answers.

use craig_mc::Alone;
use craig_model::Stop;
use craig_program::line_up::{StageName, Stages};

use crate::bounded;
use crate::check::represented;
use crate::loop_engines;
use crate::native_tests::compare;
use crate::paths;
use crate::paths::Effort;
use crate::verdict::{Found, Verdict, of_single_run};
use craig_c_exec::concrete::single_run;
use craig_c_exec::symbolic::unwinding::Unwinding;
use craig_c_lang::ir;
use craig_c_lang::library::Library;
use craig_c_lang::lower::{LoweringOptions, lower};
use craig_c_lang::parse::parse;
use craig_c_lang::source::Source;
use craig_c_lang::types::DataModel;
use craig_verify::AutomatonSearch;

/// A lowered program, or why lowering rejects it.
pub(crate) fn lowered(text: &str, model: DataModel) -> Result<ir::Program, String> {
    lowered_with(text, model, |_| {})
}

/// As `lowered`, with other options.
pub(crate) fn lowered_with(
    text: &str,
    model: DataModel,
    change: impl FnOnce(&mut LoweringOptions),
) -> Result<ir::Program, String> {
    let source = Source::new(text, "test.c");
    let library = Library::of(model).expect("the library parses");
    let unit = parse(&source).expect("the program parses");
    let mut options = LoweringOptions {
        model,
        ..LoweringOptions::default()
    };
    change(&mut options);
    lower(&source, &unit, library, &options)
}

pub(crate) fn program(text: &str, model: DataModel) -> ir::Program {
    lowered(text, model).expect("the program is lowered")
}

/// The result of unrolling, with this limit on iterations and nested calls: 's', 'u' or '?'.
fn unwound_to(most: u32, text: &str) -> char {
    let program = program(text, DataModel::Lp64);
    let verdict = unrolled(most, &program);
    compare(text, &program, &verdict);
    compare_with_paths(&program, &verdict);
    letter(&verdict)
}

/// What execution path by path does by itself.
pub(crate) fn alone() -> Effort {
    Effort::of(&Stages::NONE.row(StageName::EnginePaths))
}

/// Execution path by path, as far as there are few of them, has no other verdict than unrolling.
fn compare_with_paths(program: &ir::Program, verdict: &Verdict) {
    let unwinding = Unwinding {
        most: Some(64),
        ..Unwinding::default()
    };
    let effort = Effort {
        most: 200,
        first: 20,
        most_iterations: 1 << 7,
        ..alone()
    };
    let found = paths::check(program, &unwinding, effort, Alone::new().control());
    match (letter(verdict), letter(&found)) {
        ('s', 'u') | ('u', 's') => panic!("unrolled: {verdict:?}; path by path: {found:?}"),
        _ => {}
    }
}

/// As `unwound_to`, without a run of the compiled program.
pub(crate) fn unrolled_up_to(most: u32, text: &str) -> char {
    letter(&unrolled(most, &program(text, DataModel::Lp64)))
}

fn unrolled(most: u32, program: &ir::Program) -> Verdict {
    let unwinding = Unwinding {
        most: Some(most),
        ..Unwinding::default()
    };
    bounded::check(program, (&unwinding, &Stages::NONE), Alone::new().control())
}

pub(crate) fn unwound(text: &str) -> char {
    unwound_to(64, text)
}

/// The result of unrolling with other options.
pub(super) fn unwound_with(text: &str, change: impl FnOnce(&mut LoweringOptions)) -> char {
    let program = lowered_with(text, DataModel::Lp64, change).expect("the program is lowered");
    let verdict = unrolled(64, &program);
    compare(text, &program, &verdict);
    letter(&verdict)
}

/// The result of unrolling with other options, as far as it is one on the program.
pub(crate) fn unrolled_with(
    text: &str,
    change: impl FnOnce(&mut LoweringOptions),
) -> Result<char, String> {
    let program = lowered_with(text, DataModel::Lp64, change)?;
    let verdict = unrolled(64, &program);
    Ok(letter(&represented(&program, verdict)))
}

/// The results of unrolling, the single loop and a plain run, each 's', 'u' or '?'.
pub(crate) fn verdicts(text: &str, change: impl FnOnce(&mut LoweringOptions)) -> [char; 3] {
    let program = lowered_with(text, DataModel::Lp64, change).expect("the program is lowered");
    let alone = Alone::new();
    let control = alone.control();
    let unwinding = Unwinding {
        most: Some(64),
        ..Unwinding::default()
    };
    let unwound = bounded::check(&program, (&unwinding, &Stages::NONE), control);
    compare(text, &program, &unwound);
    [
        letter(&unwound),
        letter(&loop_engines::check(
            &program,
            &AutomatonSearch::portfolio(2),
            control,
        )),
        letter(&of_single_run(single_run::check(&program, control.stop))),
    ]
}

/// The result of unrolling with overlays for all objects in which an access has more possible positions than
/// `above`, and cells for all.
pub(crate) fn lazily(above: u64, text: &str) -> char {
    let unwinding = Unwinding {
        most: Some(64),
        ..Unwinding::default()
    };
    let program = program(text, DataModel::Lp64);
    letter(&bounded::check_with(
        &program,
        &unwinding,
        |executor| {
            executor.lazy_above = above;
            executor.blank_above = u64::MAX;
        },
        Alone::new().control(),
    ))
}

/// The result of unrolling without cells for any object.
pub(crate) fn blankly(text: &str) -> char {
    let mut program = program(text, DataModel::Lp64);
    let slots = program.functions.iter_mut().flat_map(|f| &mut f.slots);
    for object in program.statics.iter_mut().chain(slots) {
        if object.shape.size > 0 {
            object.shape = ir::Shape::opaque(object.shape.size);
        }
    }
    let unwinding = Unwinding {
        most: Some(64),
        ..Unwinding::default()
    };
    letter(&bounded::check_with(
        &program,
        &unwinding,
        |executor| {
            executor.blank_above = 0;
            executor.unknown_elements = 0;
        },
        Alone::new().control(),
    ))
}

/// The result of the circuit engines on the single-loop program.
pub(crate) fn looped(text: &str) -> char {
    letter(&loop_engines::check(
        &program(text, DataModel::Lp64),
        &AutomatonSearch::portfolio(2),
        Alone::new().control(),
    ))
}

/// The result of running the program.
pub(crate) fn ran(text: &str) -> char {
    letter(&of_single_run(single_run::check(
        &program(text, DataModel::Lp64),
        &Stop::new(),
    )))
}

pub(crate) fn letter(verdict: &Verdict) -> char {
    match verdict {
        Ok(Found::Safe(_)) => 's',
        Ok(Found::Unsafe(_)) => 'u',
        Ok(Found::Unknown(reason)) => {
            eprintln!("unknown: {reason}");
            '?'
        }
        Err(error) => panic!("{error}"),
    }
}

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

#[test]
fn small_programs_have_their_known_answers() {
    // The answer of unrolling (within its bound), that of the single loop, and the body of `main`.
    let cases = [
        // The branch of `x = 1` cannot be taken, though no single condition before it says so.
        (
            'u',
            'u',
            "unsigned n = nondet_uint(), m = nondet_uint(), k = nondet_uint(); if (m) return 0; int t = 0, x = \
             0;\
             if (n) t = !!k; if (t) { if (!k || n == 0) x = 1; else x = 2; assert(x != 2); }",
        ),
        (
            's',
            's',
            "unsigned n = nondet_uint(), m = nondet_uint(), k = nondet_uint(); if (m) return 0; int x = 0, t = \
             n && k;\
             if (t) { if (!k || n == 0) x = 1; else x = 2; assert(x == 2); }",
        ),
        (
            's',
            's',
            "unsigned p = nondet_uint(); int a[2] = {0, 0}; __VERIFIER_assume(p < 2); assert(a[p] == 0);",
        ),
        (
            'u',
            'u',
            "unsigned p = nondet_uint(); int a[2] = {0, 5}; __VERIFIER_assume(p < 2); assert(a[p] == 0);",
        ),
        (
            's',
            's',
            "unsigned p = nondet_uint(); int a[3]; if (p < 3) { a[p] = 7; assert(a[p] == 7); }",
        ),
        (
            '?',
            's',
            "unsigned x = 0; while (nondet_int()) x += 2; assert(x % 2 == 0);",
        ),
        (
            'u',
            'u',
            "unsigned x = 0; while (nondet_int()) x += 2; assert(x != 12);",
        ),
        (
            '?',
            's',
            "int i = 0; int *p = &i; while (nondet_int()) { if (*p < 5) (*p)++; } assert(i <= 5);",
        ),
        (
            's',
            's',
            "int *p = malloc(4); int *q = malloc(4); *p = 1; *q = 2; assert(p != q && *p == 1);",
        ),
        ('u', 'u', "int x; if (x == 77) assert(0);"),
        // Addresses chosen from several stay addresses when stored and loaded.
        (
            's',
            's',
            "struct n { int v; struct n *next; } *h = 0; if (nondet_int()) { h = malloc(sizeof *h); h->next \
             = 0; } \
                    if (nondet_int()) { struct n *m = malloc(sizeof *m); m->next = h; h = m; } \
                    if (h) { h = h->next; assert(h == 0 || h->next == 0); }",
        ),
        (
            's',
            's',
            "char s[6] = \"hello\"; assert(strlen(s) == 5 && strcmp(s, \"hello\") == 0);",
        ),
        (
            's',
            's',
            "union { unsigned u; unsigned char c[4]; } x; x.u = 0x01020304; assert(x.c[0] == 4 && x.c[3] == \
             1);",
        ),
        (
            's',
            's',
            "float f = nondet_float(); if (f > 1.0f && f < 2.0f) assert(f * f > 1.0f - 0.5f);",
        ),
        ('u', 'u', "float f = nondet_float(); assert(f == f);"),
        (
            's',
            's',
            "struct t { int a; struct { short b, c; } d[2]; } v = { 1, { { 2, 3 }, { .c = 4 } } }; \
                    assert(v.a == 1 && v.d[0].c == 3 && v.d[1].b == 0 && v.d[1].c == 4);",
        ),
        (
            's',
            's',
            "int y = ({ int z = 3; z + 1; }); switch (y) { case 1 ... 4: y = 9; } assert(y == 9);",
        ),
        (
            's',
            's',
            "int (*f)(int) = nondet_int() ? twice : thrice; int r = f(2); assert(r == 4 || r == 6);",
        ),
        (
            'u',
            'u',
            "int (*f)(int) = nondet_int() ? twice : thrice; assert(f(2) == 4);",
        ),
        (
            'u',
            'u',
            "int x = nondet_int(); ERROR_: if (x == 5) goto ERROR; return 0; ERROR: return 1;",
        ),
        ('s', 's', "assert(sum(3, 1, 2, 3) == 6);"),
        (
            '?',
            '?',
            "int x = nondet_int(); asm(\"mov %0, %0\" : \"=r\"(x)); assert(0 == 0);",
        ),
        ('u', 'u', "int x; scanf(\"%d\", &x); assert(x == 3);"),
        (
            's',
            's',
            "short s = -1; unsigned u = s; assert(u == 0xffffffffu && s < 0 && (unsigned char)s == 255);",
        ),
        ('?', '?', "int *q; { int x = 3; q = &x; } assert(*q == 3);"),
        // A number that is compared with an address may be one.
        (
            'u',
            'u',
            "unsigned long v; int a[2] = {0, 0}; \
                    if (v == (unsigned long)(a + 1)) { *(int *)v = 7; assert(a[1] == 0); }",
        ),
        (
            's',
            's',
            "unsigned long v; int a[2] = {0, 0}; \
                    if (v == (unsigned long)(a + 1)) { *(int *)v = 7; assert(a[1] == 7); }",
        ),
        (
            's',
            's',
            "const unsigned short **__ctype_b_loc(void); const unsigned short *k = *__ctype_b_loc(); \
                    assert((k['7'] & 2048) && !(k['x'] & 2048) && (k[' '] & 8192) && k[-1] == 0);",
        ),
        (
            's',
            's',
            "long strtol(const char *, char **, int); char *e; \
                    assert(strtol(\" -0x1fz\", &e, 0) == -31 && *e == 'z' && \
                    strtol(\"99999999999999999999\", 0, 10) \
                    == 0x7fffffffffffffff);",
        ),
        (
            's',
            's',
            "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *)); \
                    int a[3] = {3, 1, 2}; qsort(a, 3, sizeof *a, less); assert(a[0] == 1 && a[1] == 2 && \
                    a[2] == 3);",
        ),
        ('u', 'u', "assert(fact(5) != 120);"),
        ('s', 's', "assert(fact(5) == 120);"),
    ];
    for (bounded_answer, loop_answer, body) in cases {
        let text = format!(
            "unsigned nondet_uint(void); int nondet_int(void); float nondet_float(void); void \
             *malloc(unsigned long);\n\
             int twice(int x) {{ return 2 * x; }} int thrice(int x) {{ return 3 * x; }}\n\
             int less(const void *a, const void *b) {{ return *(const int *)a - *(const int *)b; }}\n\
             int fact(int n) {{ return n <= 1 ? 1 : n * fact(n - 1); }}\n\
             int sum(int n, ...) {{ __builtin_va_list l; __builtin_va_start(l, n); int s = 0;\n\
             while (n-- > 0) s += __builtin_va_arg(l, int); __builtin_va_end(l); return s; }}\n\
             int main(void) {{ {body} return 0; }}\n"
        );
        assert_eq!(unwound(&text), bounded_answer, "unrolled: {body}");
        assert_eq!(looped(&text), loop_answer, "as a single loop: {body}");
    }
}

#[test]
fn loops_that_keep_a_sum_or_an_order_are_proved() {
    // At the bit level, the engines do not find such invariants.
    for body in [
        "int n = nondet_int(), i = 0, j = 0; while (i < n) { i++; j++; } assert(n <= 0 || j == n);",
        "unsigned char x = nondet_int(), y = nondet_int(), k = x + y; \
         while (nondet_int()) { if (nondet_int()) { x++; y--; } else { x--; y++; } } \
         assert((unsigned char)(x + y) == k);",
        "int n = nondet_int(), i = 1, s = 0; while (i <= n) { i++; s++; } assert(s == n || s == 0);",
        "int n = nondet_int(), k = nondet_int(), j = 0; __VERIFIER_assume(n > 0 && k > n); \
         while (j < n) { j++; k--; } assert(k >= 0);",
        "int i = 0, x = nondet_int(), y = nondet_int(); __VERIFIER_assume(x >= 0 && y >= 0 && x >= y); \
         while (nondet_int()) if (i < y) i++; assert(i >= y || i < x);",
    ] {
        let text = format!("int nondet_int(void);\nint main(void) {{ {body} return 0; }}\n");
        assert_eq!(looped(&text), 's', "{body}");
    }
}

#[test]
fn the_examples_have_the_answers_in_their_names() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
    let mut n_checked = 0;
    for entry in std::fs::read_dir(directory).expect("the examples are there") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "c") {
            continue;
        }
        let report = super::run(&path, &super::Options::default(), Alone::new().control())
            .expect("a report");
        let name = path.display().to_string();
        match report.answer {
            super::Answer::Safe(_) => assert!(name.ends_with("_safe.c"), "{name} is safe"),
            super::Answer::Unsafe(found) => {
                assert!(name.ends_with("_unsafe.c"), "{name} is unsafe");
                assert!(found.path.iter().any(|step| step.chosen.is_some()));
            }
            super::Answer::Unknown(reason) => panic!("{name}: {reason}"),
        }
        n_checked += 1;
    }
    assert!(n_checked >= 3);
}

#[test]
fn programs_with_one_run_are_run() {
    let cases = [
        // Long loops over large arrays, and the results.
        (
            "int a[5000]; for (int i = 0; i < 5000; i++) a[i] = i; for (int i = 0; i < 5000; i++) \
             assert(a[i] == i);",
            's',
        ),
        (
            "int a[5000]; for (int i = 0; i < 5000; i++) a[i] = i; assert(a[4999] == 4998);",
            'u',
        ),
        // Unknown values may be moved and compared with themselves, but must not determine anything else.
        (
            "int a[9], b[9]; for (int i = 0; i < 9; i++) { a[i] = nondet_int(); b[i] = a[i]; }
          for (int i = 0; i < 9; i++) assert(a[i] == b[i]);",
            's',
        ),
        (
            "int a[9]; a[3] = nondet_int(); a[4] = a[3]; ((char *)a)[13] = 1; assert(a[4] == a[3]);",
            '?',
        ),
        ("int x = nondet_int(); if (x) assert(0);", '?'),
        ("int x; int y = x; assert(x == y && x - y == 0);", 's'),
        (
            "int a[3]; a[1] = 7; ((char *)a)[5] = nondet_int(); assert(((char *)a)[4] == 7);",
            's',
        ),
        (
            "int a[3]; a[1] = 7; ((char *)a)[5] = nondet_int(); assert(a[1] == 7);",
            '?',
        ),
        (
            "int a[3], i = nondet_int(); a[i & 1] = 7; assert(a[2] == 7);",
            '?',
        ),
        ("__VERIFIER_assume(nondet_int() > 0); assert(0);", '?'),
        ("__VERIFIER_assume(0); assert(0);", 's'),
        // Infinite runs.
        (
            "float x = 10; while (x > 0) { x = x * 0.1 + 0.1; assert(x != 0.0); } assert(0);",
            's',
        ),
        ("for (int i = 0; ; i = (i + 1) % 7) assert(i < 7);", 's'),
        (
            "for (unsigned char i = 0; ; i++) { assert(i < 200); nondet_int(); }",
            'u',
        ),
        // Memory, recursion, calls.
        (
            "struct n { struct n *next; int v; } *l = 0; for (int i = 0; i < 900; i++)
          { struct n *p = malloc(sizeof *p); p->v = i; p->next = l; l = p; }
          int s = 0; for (; l; l = l->next) s += l->v; assert(s == 899 * 450);",
            's',
        ),
        (
            "assert(fib(15) == 610); int (*f)(int) = fib; assert(f(9) == 34);",
            's',
        ),
        ("assert(fib(15) == 611);", 'u'),
    ];
    for (body, answer) in cases {
        let text = format!(
            "extern void *malloc(unsigned long); int nondet_int(void);
             int fib(int n) {{ return n < 2 ? n : fib(n - 1) + fib(n - 2); }}
             int main(void) {{ {body} return 0; }}\n"
        );
        assert_eq!(ran(&text), answer, "{body}");
    }
}

#[test]
fn conditions_on_the_way_decide_later_ones() {
    // The number of iterations is fixed only for the remaining values.
    for body in [
        "int x = nondet_int(); if (x > 0) { int a = x < 0 ? -x : x; assert(a == x); }",
        "unsigned x = nondet_int(); if (x < 4) { int i = 0; while (x < 5) { x++; i++; } assert(i <= 5); }",
        "int x = nondet_int(), y = nondet_int(); if (y > 0 && x > 0 && x % y == 0) {
          int a = x, b = y; if (a < 0) a = -a; if (b < 0) b = -b;
          while (b != 0) { int t = b; b = a % b; a = t; } assert(a == y); }",
    ] {
        let text = format!("int nondet_int(void);\nint main(void) {{ {body} return 0; }}\n");
        assert_eq!(unwound(&text), 's', "{body}");
    }
}

#[test]
fn results_of_deep_recursion_are_followed() {
    let text = "extern void reach_error(void); unsigned nondet_uint(void);
        unsigned id(unsigned x) { if (x == 0) return 0; return id(x - 1) + 1; }
        int main(void) { if (id(nondet_uint()) == 60) reach_error(); return 0; }";
    assert_eq!(unwound(text), 'u');
}

#[test]
fn lengths_of_parameters_mean_nothing_where_they_are_outermost() {
    let text =
        "int sum(int n, int a[n][2]) { int s = 0; for (int i = 0; i < n; i++) s += a[i][0] + \
                a[i][1]; return s; }
        int first(int n, int a[static n], int *b[n + 1]);
        int first(int n, int a[static n], int *b[n + 1]) { return a[0] + *b[0]; }
        int main(void) { int b[2][2] = {{1, 2}, {3, 4}}, *p[] = { &b[1][1] };
        assert(sum(2, b) == 10 && first(1, b[0], p) == 5); return 0; }";
    assert_eq!(unwound(text), 's');
    assert_eq!(unwound(&text.replace("== 10", "== 9")), 'u');
}
