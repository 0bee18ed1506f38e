//! Recursive programs with known answers, and random ones that are executed on all inputs.

use std::fmt::Write as _;

use craig_mc::{Alone, Control};

use super::*;
use crate::loop_engines;
use crate::tests::{Random, letter, program};
use craig_c_lang::types::DataModel;
use craig_program::line_up::{Stage, Stages};
use craig_verify::AutomatonSearch;

const HEAD: &str = "extern unsigned nondet_uint(void);\nextern int nondet_int(void);\n\
                    extern void reach_error(void);\nint g, h;\n";

/// Whether summaries prove the program; `None` if its calls get none.
fn proved(text: &str) -> Option<bool> {
    let program = program(&format!("{HEAD}{text}"), DataModel::Lp64);
    let alone = Alone::new();
    let control = alone.control();
    let mut row = Stage::new(StageName::Procedures);
    row.amounts.insert(Amount::DepthTo, 1);
    let stages = Stages::NONE.with(row);
    let recursion = Recursion::new(&program, (Calls::Recursive, &stages), control)?;
    let decide = |program: &Program, is_complete: bool, control: Control<'_>| match is_complete {
        true => bounded::check(program, (&Unwinding::default(), &Stages::NONE), control),
        false => loop_engines::check(program, &AutomatonSearch::portfolio(2), control),
    };
    match recursion.prove(&decide, control) {
        Ok(Found::Safe(_)) => Some(true),
        Ok(Found::Unsafe(_) | Found::Unknown(_)) => Some(false),
        Err(error) => panic!("{error}"),
    }
}

/// No bound on the depth, so that unrolling proves none of them, and any result of the calls is too weak for most.
#[test]
fn recursions_of_any_depth_are_proved() {
    for text in [
        "unsigned f(unsigned n) { if (n == 0) return 0; return f(n - 1) + 2; }\n\
         int main(void) { if (f(nondet_uint()) % 2) reach_error(); }",
        "unsigned f(unsigned n) { if (n == 0) return 0; return f(n - 1) + 1; }\n\
         int main(void) { unsigned n = nondet_uint(); if (f(n) != n) reach_error(); }",
        "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }\n\
         int main(void) { int n = nondet_int(), r = f(n); if (r != 91 && !(n > 101 && r == n - 10)) reach_error(); }",
        "int even(int n);\nint odd(int n) { if (n == 0) return 0; if (n == 1) return 1; return even(n - 1); }\n\
         int even(int n) { if (n == 0) return 1; if (n == 1) return 0; return odd(n - 1); }\n\
         int main(void) { int n = nondet_int(); if (n < 0) return 0; int r = odd(n); if (r != n % 2) reach_error(); }",
        // Errors within the recursion.
        "int f(int n) { if (n < 0) reach_error(); if (n == 0) return 0; return 1 + f(n - 1); }\n\
         int main(void) { int n = nondet_int(); if (n < 0) return 0; f(n); }",
        // Globals.
        "void f(unsigned n) { if (g != 0) reach_error(); g = 1; h++; g = 0; if (n) f(n - 1); if (g) reach_error(); }\n\
         int main(void) { f(nondet_uint()); if (g) reach_error(); }",
        "void f(unsigned n) { g++; if (n) f(n - 1); g--; }\n\
         int main(void) { int was = nondet_int(); g = was; f(nondet_uint()); if (g != was) reach_error(); }",
        // Loops around calls and within them.
        "unsigned f(unsigned n) { if (n == 0) return 0; return f(n - 1) + 2; }\n\
         int main(void) { unsigned s = 0, n = nondet_uint(); for (unsigned i = 0; i < n; i++) s += f(i); \
         if (s % 2) reach_error(); }",
    ] {
        assert_eq!(proved(text), Some(true), "{text}");
    }
}

/// Each has an error, some at a depth that no engine unrolls, some in an overflow.
#[test]
fn programs_with_errors_are_not_proved() {
    for text in [
        // At a depth of 1000, and of 4294966296.
        "unsigned f(unsigned n) { if (n == 0) return 0; return f(n - 1) + 1; }\n\
         int main(void) { if (f(nondet_uint()) == 1000) reach_error(); }",
        "unsigned f(unsigned n) { if (n == 0) return 0; unsigned r = f(n - 1) + n; return r > 1000 ? 1000 : r; }\n\
         int main(void) { unsigned n = nondet_uint(); if (n >= 1 && f(n) == 0) reach_error(); }",
        "void f(int n) { if (n == 70) reach_error(); if (n < 100) f(n + 1); }\n\
         int main(void) { f(0); }",
        // The error is in the last of the calls, behind calls that return.
        "int f(int n) { if (n <= 0) return 0; int r = f(n - 1); if (r > 40) reach_error(); return r + 1; }\n\
         int main(void) { return f(nondet_int()); }",
        // A global changes in callees, and in those of another function.
        "void f(unsigned n) { g++; if (n) f(n - 1); if (n > 60) g--; }\n\
         int main(void) { g = 0; f(nondet_uint()); if (g > 60) reach_error(); }",
        "void b(unsigned n);\nvoid a(unsigned n) { if (n) b(n - 1); else h = 1; }\n\
         void b(unsigned n) { if (n) a(n - 1); else g = 1; }\n\
         int main(void) { a(nondet_uint()); if (h) reach_error(); }",
        "void b(unsigned n);\nvoid a(unsigned n) { if (n) b(n - 1); else h = 1; }\n\
         void b(unsigned n) { if (n) a(n - 1); else g = 1; }\n\
         int main(void) { a(nondet_uint()); if (g) reach_error(); }",
        // A helper outside of the recursion writes.
        "void put(int x) { h = x; }\nvoid f(unsigned n) { if (n == 33) put(5); if (n) f(n - 1); }\n\
         int main(void) { h = 0; f(nondet_uint()); if (h) reach_error(); }",
        // A call that does not return hides nothing that comes before it.
        "void f(unsigned n) { if (n == 40) reach_error(); f(n + 1); }\nint main(void) { f(0); }",
        "void f(unsigned n) { if (n == 40) { g = 1; return; } f(n + 1); if (n == 0 && g) reach_error(); }\n\
         int main(void) { f(0); }",
        // Nested calls, one of them as the argument of the other.
        "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }\n\
         int main(void) { int n = nondet_int(), r = f(n); if (r != 91 && !(n > 102 && r == n - 10)) reach_error(); }",
        // `main` itself is called.
        "int main(void) { g++; if (g == 50) reach_error(); if (nondet_int()) main(); return 0; }",
        // The sum of results overflows.
        "int f(int n) { if (n <= 1) return n; return f(n - 1) + f(n - 2); }\n\
         int main(void) { int n = nondet_int(); if (n >= 0 && f(n) < 0) reach_error(); }",
        // A static variable of the function.
        "unsigned f(unsigned n) { static unsigned calls; calls++; if (n) f(n - 1); return calls; }\n\
         int main(void) { if (f(nondet_uint()) == 77) reach_error(); }",
        // An object of the frame, and a loop.
        "unsigned char f(unsigned char n) { unsigned char s = 0; for (int i = 0; i <= n; i++) s += 2; if (n == 30) s++; \
         if (n == 0) return s; return s + f(n - 1); }\n\
         int main(void) { if (f(nondet_uint()) % 2) reach_error(); }",
    ] {
        assert_ne!(proved(text), Some(true), "{text}");
    }
}

/// Escaping addresses, memory that is allocated, calls and accesses through pointers.
#[test]
fn other_recursions_get_no_summaries() {
    for text in [
        "void f(int *p, unsigned n) { *p = 1; if (n) f(p, n - 1); }\nint main(void) { f(&g, nondet_uint()); }",
        "int *kept;\nvoid f(unsigned n) { int x = 0; if (n) kept = &x; f(n + 1); if (kept == &x) reach_error(); }\n\
         int main(void) { f(0); }",
        "void f(unsigned n, int *above) { int x; if (above == &x) reach_error(); f(n + 1, &x); }\n\
         int main(void) { f(0, 0); }",
        "void *malloc(unsigned long);\nvoid f(unsigned n) { malloc(n); if (n) f(n - 1); }\n\
         int main(void) { f(nondet_uint()); }",
        "void f(unsigned n);\nvoid (*p)(unsigned) = f;\nvoid f(unsigned n) { if (n) p(n - 1); else reach_error(); }\n\
         int main(void) { f(nondet_uint()); }",
        "int t[4];\nvoid f(unsigned n) { t[n & 3] = 1; if (n) f(n - 1); }\nint main(void) { f(nondet_uint()); }",
        "int main(void) { return 0; }",
    ] {
        assert_eq!(proved(text), None, "{text}");
    }
}

/// What the annotation of the procedures says about a program: `s`, `u` (the run was replayed) or `?`.
fn annotated(text: &str, max_queries: usize) -> Option<char> {
    let program = program(&format!("{HEAD}{text}"), DataModel::Lp64);
    let alone = Alone::new();
    let control = alone.control();
    let recursion = Recursion::new(&program, (Calls::Recursive, &Stages::NONE), control)?;
    let decide = |program: &Program, is_complete: bool, control: Control<'_>| match is_complete {
        true => bounded::check(program, (&Unwinding::default(), &Stages::NONE), control),
        false => loop_engines::check(program, &AutomatonSearch::portfolio(2), control),
    };
    let (verdict, _) = recursion.annotate(Some(max_queries), true, &decide, control);
    Some(letter(&verdict))
}

/// Errors behind more calls than can be inlined, in programs with inputs: the run is composed of the behaviour of calls
/// that was found, and replayed.
#[test]
fn deep_errors_are_found_by_what_calls_were_found_to_do() {
    for text in [
        "int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }\n\
         int main(void) { if (fib(nondet_int()) == 6765) reach_error(); }",
        // Inputs, and objects in the frames, of each call.
        "unsigned f(unsigned n) { unsigned t[2]; t[0] = n; t[1] = nondet_uint(); if (n == 0) return 5; \
         unsigned r = f(n - 1); if (t[0] == 20 && t[1] == 77 && r == 24) reach_error(); return r + 1; }\n\
         int main(void) { f(nondet_uint()); }",
        // Globals, mutual recursion, and a failure in a callee.
        "void b(unsigned n);\nvoid a(unsigned n) { if (n == 0) { h = 7; return; } g = g + 1; b(n - 1); }\n\
         void b(unsigned n) { if (n == 0) { if (g == 13) reach_error(); return; } g = g + 2; a(n - 1); }\n\
         int main(void) { g = 0; a(nondet_uint()); }",
        "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }\n\
         int main(void) { int n = nondet_int(); if (n > 90 && f(n) == 95) reach_error(); }",
    ] {
        assert_eq!(annotated(text, 5_000), Some('u'), "{text}");
    }
}

/// Programs with bounds on their inputs and no other summary than a table, or bounds of words.
#[test]
fn labels_of_calls_prove_programs() {
    for text in [
        "int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }\n\
         int main(void) { int n = nondet_int(); if (n < 0 || n > 15) return 0; if (fib(n) > 610) reach_error(); }",
        "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }\n\
         int main(void) { int n = nondet_int(); if (n <= 101 && f(n) != 91) reach_error(); }",
        // Failures of callees.
        "void f(int n) { if (n < 0) reach_error(); if (n > 0) f(n - 1); }\n\
         int main(void) { int n = nondet_int(); if (n >= 0) f(n); }",
    ] {
        assert_eq!(annotated(text, 5_000), Some('s'), "{text}");
    }
}

// ---- random programs --------------------------------------------------------------------------------

/// An expression over `n`, `a`, `g`, `r` and constants, of bytes.
enum Value {
    Name(usize),
    Constant(u8),
    Binary(char, Box<Value>, Box<Value>),
}

const NAMES: [&str; 4] = ["n", "a", "b", "r"];

impl Value {
    /// `b` is the global, `r` the result of the last call; the first `n_names` are used.
    fn random(random: &mut Random, n_names: u64, depth: u32) -> Self {
        if depth == 0 || random.below(3) == 0 {
            return match random.below(3) {
                0 => Self::Constant([0, 1, 2, 3, 4, 7, 128, 255][random.below(8) as usize]),
                _ => Self::Name(random.below(n_names) as usize),
            };
        }
        let operators = ['+', '-', '^', '&', '|', '&'];
        Self::Binary(
            operators[random.below(6) as usize],
            Box::new(Self::random(random, n_names, depth - 1)),
            Box::new(Self::random(random, n_names, depth - 1)),
        )
    }

    fn text(&self) -> String {
        match self {
            Self::Name(name) => NAMES[*name].into(),
            Self::Constant(value) => value.to_string(),
            Self::Binary(op, a, b) => format!("(unsigned char)({} {op} {})", a.text(), b.text()),
        }
    }

    fn value(&self, names: [u8; 4]) -> u8 {
        match self {
            Self::Name(name) => names[*name],
            Self::Constant(value) => *value,
            Self::Binary(op, a, b) => {
                let (a, b) = (a.value(names), b.value(names));
                match op {
                    '+' => a.wrapping_add(b),
                    '-' => a.wrapping_sub(b),
                    '^' => a ^ b,
                    '&' => a & b,
                    _ => a | b,
                }
            }
        }
    }
}

/// A function: what it does at `n == 0`, its calls, and what it does behind them.
struct Random2 {
    base: [Value; 2],
    /// The callee, and its second argument; it is made if the condition is not 0.
    calls: Vec<(usize, Value, Value)>,
    global: Value,
    /// The error, if this value has this remainder modulo 8.
    fails: Option<(Value, u8)>,
    result: Value,
}

struct Failed;

fn execute(functions: &[Random2], id: usize, (n, a): (u8, u8), b: &mut u8) -> Result<u8, Failed> {
    let function = &functions[id];
    if n == 0 {
        let names = [n, a, *b, 0];
        *b = function.base[0].value(names);
        return Ok(function.base[1].value([n, a, *b, 0]));
    }
    let mut r = 0;
    for (callee, argument, condition) in &function.calls {
        let names = [n, a, *b, r];
        if condition.value(names) != 0 {
            r = execute(functions, *callee, (n - 1, argument.value(names)), b)?;
        }
    }
    *b = function.global.value([n, a, *b, r]);
    if let Some((value, rest)) = &function.fails
        && value.value([n, a, *b, r]) % 8 == *rest
    {
        return Err(Failed);
    }
    Ok(function.result.value([n, a, *b, r]))
}

fn random_function(random: &mut Random, n_functions: u64) -> Random2 {
    let calls = 1 + random.below(2);
    Random2 {
        base: [Value::random(random, 3, 1), Value::random(random, 3, 1)],
        calls: (0..calls)
            .map(|_| {
                let callee = random.below(n_functions) as usize;
                let condition = match random.below(2) {
                    0 => Value::Constant(1),
                    _ => Value::random(random, 4, 1),
                };
                (callee, Value::random(random, 4, 1), condition)
            })
            .collect(),
        global: Value::random(random, 4, 2),
        fails: (random.below(3) == 0).then(|| (Value::random(random, 4, 1), random.below(8) as u8)),
        result: Value::random(random, 4, 2),
    }
}

/// The program in C: an error if the result, or the global behind the call, has some remainder.
fn text_of(functions: &[Random2], depth: u8, checked: &(Value, u8)) -> String {
    let mut text = String::from("unsigned char b;\n");
    for id in 0..functions.len() {
        writeln!(
            text,
            "unsigned char f{id}(unsigned char n, unsigned char a);"
        )
        .unwrap();
    }
    for (id, function) in functions.iter().enumerate() {
        let [global, result] = &function.base;
        writeln!(
            text,
            "unsigned char f{id}(unsigned char n, unsigned char a) {{ unsigned char r = 0; if (n == 0) {{ b = {}; \
             return {}; }}",
            global.text(),
            result.text()
        )
        .unwrap();
        for (callee, argument, condition) in &function.calls {
            let (argument, condition) = (argument.text(), condition.text());
            writeln!(text, "  if ({condition}) r = f{callee}(n - 1, {argument});").unwrap();
        }
        writeln!(text, "  b = {};", function.global.text()).unwrap();
        if let Some((value, rest)) = &function.fails {
            writeln!(text, "  if ({} % 8 == {rest}) reach_error();", value.text()).unwrap();
        }
        writeln!(text, "  return {}; }}", function.result.text()).unwrap();
    }
    let (value, rest) = checked;
    writeln!(
        text,
        "int main(void) {{ unsigned char n = nondet_uint() % {depth}, a = nondet_uint(); b = 1; unsigned char r = \
         f0(n, a); if ({} % 8 == {rest}) reach_error(); return 0; }}",
        value.text()
    )
    .unwrap();
    text
}

/// A proof of a program whose execution on some input fails would be wrong.
#[test]
fn random_recursions_are_proved_only_if_no_run_fails() {
    let mut random = Random(0x5eed_1234_9876_abcd);
    let (mut n_proved, mut n_failing, mut n_annotated) = (0, 0, 0);
    let n_programs = std::env::var("CRAIG_TEST_PROGRAMS");
    for _ in 0..n_programs.map_or(40, |n| n.parse().unwrap()) {
        let n_functions = 1 + random.below(2);
        let functions: Vec<Random2> = (0..n_functions)
            .map(|_| random_function(&mut random, n_functions))
            .collect();
        let checked = (Value::random(&mut random, 4, 1), random.below(8) as u8);
        const DEPTH: u8 = 6;
        let inputs = (0..DEPTH).flat_map(|n| (0..=255).map(move |a| (n, a)));
        let fails = inputs.into_iter().any(|(n, a): (u8, u8)| {
            let mut b = 1;
            match execute(&functions, 0, (n, a), &mut b) {
                Err(Failed) => true,
                Ok(r) => checked.0.value([n, a, b, r]) % 8 == checked.1,
            }
        });
        let text = text_of(&functions, DEPTH, &checked);
        // The annotation of procedures finds each error of a recursion that ends, and no other.
        if let Some(letter) = annotated(&text, 2_000) {
            assert_ne!(letter, if fails { 's' } else { 'u' }, "{text}");
            n_annotated += u32::from(letter != '?');
        }
        match proved(&text) {
            Some(true) => {
                assert!(!fails, "{text}");
                n_proved += 1;
            }
            Some(false) => n_failing += u32::from(fails),
            // All calls within the recursion were simplified away.
            None => {}
        }
    }
    assert!(
        n_proved >= 5 && n_failing >= 5 && n_annotated >= 10,
        "{n_proved}, {n_failing}, {n_annotated}"
    );
}

/// Loops around the calls of a recursion, whose number of iterations has no bound: the loops are procedures as well.
#[test]
fn unbounded_loops_within_recursions_are_proved() {
    for text in [
        // Of bytes, so that the proofs are short.
        "typedef signed char byte;\n\
         byte f(byte n) { byte i; for (i = 0; i < n; i++) { byte r = f(i / 2); if (r > i) reach_error(); } return i; }\n\
         int main(void) { byte n = nondet_int(); if (n < 0) return 0; f(n); }",
        "unsigned f(unsigned d) { unsigned c = 0; if (d == 0) return 2; for (unsigned i = 0; i < d; i++) c += f(d - 1); \
         return c; }\nint main(void) { if (f(nondet_uint()) % 2) reach_error(); }",
        "void f(signed char n) { signed char i = 0; while (i < n) { if (g) reach_error(); g = 1; i++; g = 0; f(n - i); } \
         if (g) reach_error(); }\nint main(void) { g = 0; f(nondet_int()); }",
    ] {
        assert_eq!(proved(text), Some(true), "{text}");
    }
    // The errors need loops and calls that go on for long.
    for text in [
        "typedef signed char byte;\n\
         byte f(byte n) { byte i; for (i = 0; i < n; i++) { byte r = f(i / 2); if (r > 9) reach_error(); } return i; }\n\
         int main(void) { byte n = nondet_int(); if (n < 0) return 0; f(n); }",
        "void f(signed char n) { signed char i = 0; while (i < n) { if (g) reach_error(); g = 1; i++; if (i < 25) g = 0; \
         f(n - i); } }\n\
         int main(void) { g = 0; f(nondet_int()); }",
    ] {
        assert_ne!(proved(text), Some(true), "{text}");
        assert_ne!(annotated(text, 300), Some('s'), "{text}");
    }
}

/// Results and globals that are linear in the arguments, or powers of two, under a condition on these.
#[test]
fn equalities_are_fitted_to_calls() {
    for text in [
        // Of bytes, so that the proof is short.
        "unsigned char c;\n\
         void move(unsigned char n) { if (n == 0) return; c++; move(n - 1); move(n - 1); }\n\
         unsigned char hanoi(unsigned char n) { if (n == 1) return 1; return 2 * hanoi(n - 1) + 1; }\n\
         int main(void) { unsigned char n = nondet_uint(); if (n < 1 || n > 7) return 0; c = 0; move(n); \
         if (c != hanoi(n)) reach_error(); }",
        "int ack(int m, int n) { if (m == 0) return n + 1; if (n == 0) return ack(m - 1, 1); \
         return ack(m - 1, ack(m, n - 1)); }\n\
         int main(void) { int m = nondet_int(), n = nondet_int(); if (m < 0 || m > 3 || n < 0 || n > 23) return 0; \
         if (ack(m, n) < n) reach_error(); }",
        "unsigned char a, b;\n\
         void f(unsigned char n, unsigned char k) { if (n == 0) { b += k; return; } a += 3; f(n - 1, k + 2); }\n\
         int main(void) { unsigned char n = nondet_uint(), k = nondet_uint(); a = b = 0; f(n, k); \
         if (a != (unsigned char)(3 * n) || b != (unsigned char)(k + 2 * n)) reach_error(); }",
    ] {
        assert_eq!(proved(text), Some(true), "{text}");
    }
    // Of most calls that were evaluated it is true, but not of all.
    for text in [
        "unsigned f(unsigned n) { if (n == 0) return 5; unsigned r = f(n - 1) + 2; return n == 90 ? r + 1 : r; }\n\
         int main(void) { unsigned n = nondet_uint(); if (f(n) != 2 * n + 5) reach_error(); }",
        "unsigned f(unsigned n) { if (n == 0) return 1; return 2 * f(n - 1); }\n\
         int main(void) { unsigned n = nondet_uint(); if (f(n) == 0) reach_error(); }",
    ] {
        assert_ne!(proved(text), Some(true), "{text}");
    }
}

/// Errors that small inputs lead to, behind more calls than can be inlined: calls are evaluated, without a query.
#[test]
fn errors_of_small_inputs_are_found_by_evaluation() {
    for text in [
        "int ack(int m, int n) { if (m == 0) return n + 1; if (n == 0) return ack(m - 1, 1); \
         return ack(m - 1, ack(m, n - 1)); }\n\
         int main(void) { int m = nondet_int(), n = nondet_int(); if (m < 0 || m > 3 || n < 0 || n > 5) return 0; \
         if (ack(m, n) == 125) reach_error(); }",
        "void f(unsigned n) { if (n == 3) g = 1; if (n == 100 && g) reach_error(); if (n < 200) f(n + 1); }\n\
         int main(void) { g = 0; f(nondet_uint()); }",
    ] {
        assert_eq!(annotated(text, 1), Some('u'), "{text}");
    }
}

/// Calls of functions that call nothing, as edges: the same verdict as inlined.
#[test]
fn shared_functions_have_summaries() {
    const CLIP: &str = "int clip(int a) { if (a > 5) return 5; if (a < 0) return 0; if (a == 2) return 3; return a; }\n\
                        int main(void) { int a = clip(nondet_int()), b = clip(nondet_int()); ";
    for (claim, expected) in [
        ("if (a < 0 || b > 5) reach_error(); }", 's'),
        ("if (a == 4 && b == 2) reach_error(); }", 's'),
        ("if (a == 4 && b == 1) reach_error(); }", 'u'),
    ] {
        let program = program(&format!("{HEAD}{CLIP}{claim}"), DataModel::Lp64);
        let alone = Alone::new();
        let control = alone.control();
        let shared = Recursion::new(&program, (Calls::Shared, &Stages::NONE), control)
            .expect("`clip` is shared");
        assert!(Recursion::new(&program, (Calls::Recursive, &Stages::NONE), control).is_none());
        let decide = |program: &Program, _: bool, control: Control<'_>| {
            bounded::check(program, (&Unwinding::default(), &Stages::NONE), control)
        };
        let (verdict, _) = shared.annotate(Some(1_000), true, &decide, control);
        assert_eq!(letter(&verdict), expected, "{claim}");
    }
}
