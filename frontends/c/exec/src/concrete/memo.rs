//! Results of recursive functions that depend on nothing but their arguments.
//!
//! A function is *pure* here if it and all that it calls, by name, only compute in registers: they access no memory,
//! have no objects, take no inputs, and ask nothing of the implementation. Two calls with the same arguments then
//! take the same steps: if the first one has returned, the second one returns as well, with the same result, reaches
//! no error, and changes nothing else. So its steps can be left out. A run of `fib(80)` has a call for each number
//! that way, not one for each path.

use std::collections::HashMap;

use craig_c_lang::call_graph::{CallGraph, calls_by_name, reached_blocks};
use craig_c_lang::ir::{Function, FunctionId, Instr, Program};

/// Results that are kept, at most.
const MAX_RESULTS: usize = 1 << 20;

/// The arguments of a call.
pub(crate) type Arguments = Box<[u128]>;

/// The results of calls that have returned; no result is that of a function without one.
pub(crate) struct Memo {
    /// By function: whether it is recursive and pure.
    is_pure: Vec<bool>,
    results: HashMap<(FunctionId, Arguments), Option<u128>>,
}

impl Memo {
    /// Without results; nothing if no function is recursive and pure.
    pub(crate) fn new(program: &Program) -> Option<Self> {
        let graph = CallGraph::new(program);
        let mut is_pure = vec![false; program.functions.len()];
        for &id in &graph.recursive {
            let mut all = graph.leads_to[&id].iter();
            is_pure[id as usize] = all.all(|&id| is_plain(&program.functions[id as usize]));
        }
        is_pure.contains(&true).then(|| Self {
            is_pure,
            results: HashMap::new(),
        })
    }

    /// Whether calls of a function have one result for each list of arguments.
    pub(crate) fn is_pure(&self, id: FunctionId) -> bool {
        self.is_pure[id as usize]
    }

    /// The result of a call, if one with these arguments has returned.
    pub(crate) fn result(&self, id: FunctionId, arguments: Arguments) -> Option<Option<u128>> {
        self.results.get(&(id, arguments)).copied()
    }

    /// A call has returned.
    pub(crate) fn add(&mut self, id: FunctionId, arguments: Arguments, result: Option<u128>) {
        if self.results.len() < MAX_RESULTS {
            self.results.insert((id, arguments), result);
        }
    }
}

/// Whether the code of a function computes in registers and calls functions by their names.
fn is_plain(function: &Function) -> bool {
    let is_plain = |instr: &Instr| {
        matches!(
            instr,
            Instr::Set { .. }
                | Instr::UsesBits { .. }
                | Instr::Assume { .. }
                | Instr::Candidate { .. }
                | Instr::Check { .. }
        )
    };
    !function.blocks.is_empty()
        && function.slots.is_empty()
        && reached_blocks(function).into_iter().all(|block| {
            block.instrs.iter().all(|(instr, _)| is_plain(instr)) && calls_by_name(&block.end)
        })
}

#[cfg(test)]
mod tests {
    use craig_model::Stop;

    use crate::concrete::single_run::{Ran, check};
    use craig_c_lang::lower::{LoweringOptions, lower_text};

    fn ran(text: &str) -> char {
        let text = format!(
            "extern void reach_error(void);\nint nondet_int(void);\nint g;\n\
             void put(int x) {{ g += x; }}\n{text}\n"
        );
        let program = lower_text(&text, "test.c", &LoweringOptions::default()).unwrap();
        match check(&program, &Stop::new()) {
            Ran::Safe(_) => 's',
            Ran::Unsafe(_) => 'u',
            Ran::Unknown(_) => '?',
        }
    }

    /// Each takes more than 2^60 calls.
    #[test]
    fn results_of_equal_calls_are_taken_once() {
        let fib = "unsigned long fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }";
        let even = "int odd(int n, int s); int even(int n, int s) { return n == 0 ? s : odd(n - 1, s) + odd(n - 1, -s); }\n\
                    int odd(int n, int s) { return n == 0 ? 0 : even(n - 1, s) + even(n - 1, -s); }";
        let fails =
            "void f(int n) { if (n == 0) return; f(n - 1); f(n - 1); if (n == 70) reach_error(); }";
        for (text, main, answer) in [
            (
                fib,
                "if (fib(90) != 2880067194370816120) reach_error();",
                's',
            ),
            (
                fib,
                "if (fib(90) == 2880067194370816120) reach_error();",
                'u',
            ),
            (
                even,
                "if (even(90, 1) != 0 || odd(91, 3) != 0) reach_error();",
                's',
            ),
            (fails, "f(69); f(69);", 's'),
            (fails, "f(69); f(70);", 'u'),
        ] {
            let text = format!("{text}\nint main(void) {{ {main} return 0; }}");
            assert_eq!(ran(&text), answer, "{text}");
        }
    }

    /// Calls that read, write, or take inputs are executed each time; the others return what they did before.
    #[test]
    fn calls_with_effects_are_executed() {
        for text in [
            "int f(int n) { g++; if (n == 0) return 1; int a = f(n - 1); return a + f(n - 1); }\n\
             int main(void) { if (f(8) != 256 || g != 511) reach_error(); return 0; }",
            "int f(int n) { put(1); if (n == 0) return 1; int a = f(n - 1); return a + f(n - 1); }\n\
             int main(void) { if (f(8) != 256 || g != 511) reach_error(); return 0; }",
            "int f(int n) { if (n == 0) return g; int a = f(n - 1); return a + f(n - 1); }\n\
             int main(void) { g = 1; int a = f(5); g = 2; if (a != 32 || f(5) != 64) reach_error(); return 0; }",
            "int f(int n) { static int s; if (n == 0) return s++; int a = f(n - 1); return a + f(n - 1); }\n\
             int main(void) { if (f(3) != 28 || f(3) == 28) reach_error(); return 0; }",
            "int f(int *p, int n) { if (n) { f(p, n - 1); f(p, n - 1); } else ++*p; return 0; }\n\
             int main(void) { int x = 0; f(&x, 4); if (x != 16) reach_error(); return 0; }",
            "int f(int n) { int a[2] = { n, 1 }; int *p = &a[n & 1]; *p += n ? f(n - 1) : 3; return a[0] + a[1]; }\n\
             int main(void) { int x = f(5); if (x != f(5)) reach_error(); return 0; }",
        ] {
            assert_eq!(ran(text), 's', "{text}");
        }
        let inputs = "int f(int n) { return n ? f(n - 1) : nondet_int(); }\n\
                      int main(void) { if (f(3) != f(3)) reach_error(); return 0; }";
        assert_eq!(ran(inputs), '?');
        let unset = "int f(int n) { int x; return n ? f(n - 1) : x; }\n\
                     int main(void) { if (f(3) != f(3)) reach_error(); return 0; }";
        assert_eq!(ran(unset), '?');
        // A call that does not return has no result.
        let endless = "int f(int n) { while (n) ; return 0; }\nint h(int n) { return n ? h(n - 1) + f(n) : 0; }\n\
                       int main(void) { h(3); reach_error(); return 0; }";
        assert_eq!(ran(endless), 's');
    }
}
