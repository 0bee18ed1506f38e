//! Tail calls as loops: a function that calls itself and returns the result goes back to its start.
//!
//! The call of `f(e1, .., en)` becomes simultaneous assignments of the arguments to the parameters and a jump to the
//! entry. That is the same run as long as the frame of the call needs nothing of its own: the function has no
//! objects in memory, whose addresses would tell the frames apart, and allocates none that live as long as the
//! frame. Registers are assigned before they are read in each pass from the entry: variables without a value take
//! any at their declaration. Depth is no longer bounded, where the machine's stack is.

use std::collections::{BTreeMap, BTreeSet};

use craig_c_lang::ir::{
    Block, BlockId, Callee, Expr, ExprNode, Function, FunctionId, Instr, Program, Reg, Register,
    Storage, Terminator,
};

/// The program with its direct tail calls as loops; `None` if it has none.
pub(crate) fn tail_calls_as_loops(program: &Program) -> Option<Program> {
    let mut found = Vec::new();
    for (id, function) in program.functions.iter().enumerate() {
        if !keeps_nothing(function) {
            continue;
        }
        for (block, args) in tail_calls(program, id as FunctionId, function) {
            found.push((id, block, args));
        }
    }
    if found.is_empty() {
        return None;
    }
    let mut result = program.clone();
    let mut starts: BTreeMap<usize, BlockId> = BTreeMap::new();
    for (id, block, args) in found {
        let function = &mut result.functions[id];
        let start = *starts.entry(id).or_insert_with(|| second_entry(function));
        // The code of the entry has moved to its second block.
        let block = if block == 0 { start } else { block };
        jump_back(&mut result, (id, block), start, &args);
    }
    Some(result)
}

/// Moves the code of the entry, which no block jumps to, into a block that may be jumped to.
fn second_entry(function: &mut Function) -> BlockId {
    let second = function.blocks.len() as BlockId;
    let entry = Block {
        instrs: Vec::new(),
        end: Terminator::Jump(second),
        end_at: function.blocks[0].end_at,
    };
    let code = std::mem::replace(&mut function.blocks[0], entry);
    function.blocks.push(code);
    if let Some(resume) = function.resumes.remove(&0) {
        function.resumes.insert(second, resume);
    }
    if let Some(head) = function.loops.remove(&0) {
        function.loops.insert(second, head);
    }
    second
}

/// Whether a call of a function makes no object that lives until it returns.
pub(crate) fn keeps_nothing(function: &Function) -> bool {
    let mut instrs = function.blocks.iter().flat_map(|block| &block.instrs);
    function.slots.is_empty()
        && instrs.all(|(instr, _)| match instr {
            Instr::Allocate { storage, .. } => matches!(storage, Storage::Heap),
            Instr::Set { .. }
            | Instr::Load { .. }
            | Instr::Store { .. }
            | Instr::Choose { .. }
            | Instr::Host { .. }
            | Instr::UsesBits { .. }
            | Instr::Assume { .. }
            | Instr::Candidate { .. }
            | Instr::Check { .. }
            | Instr::CheckAccess { .. } => true,
            _ => false,
        })
}

/// The blocks of a function that end in a tail call of itself, and the arguments.
fn tail_calls(program: &Program, id: FunctionId, function: &Function) -> Vec<(BlockId, Vec<Expr>)> {
    let mut found = Vec::new();
    for (block, code) in function.blocks.iter().enumerate() {
        if let Terminator::Call {
            callee: Callee::Direct(callee),
            args,
            result,
            next,
        } = &code.end
            && *callee == id
            && fits(program, function, args)
            && returns(program, function, *next, *result)
        {
            found.push((block as BlockId, args.clone()));
        }
    }
    found
}

fn fits(program: &Program, function: &Function, args: &[Expr]) -> bool {
    function.n_params == args.len()
        && (args.iter().zip(&function.regs)).all(|(&arg, reg)| program.width(arg) == reg.width)
}

/// Whether a function does nothing from a block on but return this result.
fn returns(
    program: &Program,
    function: &Function,
    mut block: BlockId,
    result: Option<Reg>,
) -> bool {
    let mut copies: BTreeSet<Reg> = result.into_iter().collect();
    let is_copy = |copies: &BTreeSet<Reg>, value| match program.node(value) {
        ExprNode::Reg(reg) => copies.contains(&reg),
        _ => false,
    };
    // A path of more blocks than there are does not return.
    for _ in 0..function.blocks.len() {
        let code = &function.blocks[block as usize];
        for (instr, _) in &code.instrs {
            match instr {
                Instr::Set { reg, value } if is_copy(&copies, *value) => copies.insert(*reg),
                _ => return false,
            };
        }
        match code.end {
            Terminator::Jump(to) => block = to,
            Terminator::Return(None) => return true,
            Terminator::Return(Some(value)) => return is_copy(&copies, value),
            _ => return false,
        }
    }
    false
}

/// Replaces a call at the end of a block by assignments to the parameters and a jump to the start.
fn jump_back(program: &mut Program, (id, block): (usize, BlockId), start: BlockId, args: &[Expr]) {
    let mut new_values = Vec::new();
    for &value in args {
        let width = program.width(value);
        let registers = &mut program.functions[id].regs;
        let reg = registers.len() as Reg;
        registers.push(Register {
            width,
            name: None,
            ty: None,
        });
        new_values.push(reg);
    }
    let mut instrs: Vec<Instr> = (new_values.iter().zip(args))
        .map(|(&reg, &value)| Instr::Set { reg, value })
        .collect();
    for (parameter, &reg) in new_values.iter().enumerate() {
        let width = program.functions[id].regs[parameter].width;
        let value = program.make(ExprNode::Reg(reg), width);
        let reg = parameter as Reg;
        instrs.push(Instr::Set { reg, value });
    }
    let block = &mut program.functions[id].blocks[block as usize];
    let at = block.end_at;
    block
        .instrs
        .extend(instrs.into_iter().map(|instr| (instr, at)));
    block.end = Terminator::Jump(start);
}

#[cfg(test)]
mod tests {
    use craig_mc::Alone;

    use super::*;
    use crate::bounded;
    use crate::loop_engines;
    use crate::tests::{letter, program};
    use craig_c_exec::symbolic::unwinding::Unwinding;
    use craig_c_lang::types::DataModel;
    use craig_program::line_up::Stages;
    use craig_verify::AutomatonSearch;

    fn changed(text: &str) -> (Program, Option<Program>) {
        let text = format!(
            "extern unsigned nondet_uint(void);\nextern void __VERIFIER_assume(int);\n{text}"
        );
        let program = program(&text, DataModel::Lp64);
        let changed = tail_calls_as_loops(&program);
        (program, changed)
    }

    const SUM: &str = "unsigned f(unsigned n, unsigned sum) { if (n == 0) return sum; return f(n - 1, sum + 2); }";

    /// No depth is given, so that unrolling does not prove it.
    #[test]
    fn recursions_of_any_depth_are_proved() {
        let main = "int main(void) { assert(f(nondet_uint(), 4) % 2 == 0); return 0; }";
        let (_, changed) = changed(&format!("{SUM} {main}"));
        let changed = changed.expect("there is a tail call");
        let verdict = loop_engines::check(
            &changed,
            &AutomatonSearch::portfolio(2),
            Alone::new().control(),
        );
        assert_eq!(letter(&verdict), 's');
    }

    /// Loops have the verdicts of the recursion, unrolled.
    #[test]
    fn loops_compute_what_the_calls_compute() {
        let functions = [
            SUM,
            "unsigned f(unsigned a, unsigned b) { if (b == 0) return a; return f(b, a % b); }",
            "unsigned f(unsigned a, unsigned b) { if (a > 5) return b; return f(b + 2, a + 1); }",
            "unsigned f(unsigned n, unsigned k) { unsigned r; if (n < 2) r = k; else r = f(n / 2, k * n + 1); return r; }",
            "unsigned f(unsigned n, unsigned k) { return n == 0 ? k : f(n - 1, k ^ n); }",
            "unsigned s; void g(unsigned n) { if (n > 1) { s = 3 * s + n; g(n - 2); } }
             unsigned f(unsigned n, unsigned k) { s = k; g(n); return s; }",
        ];
        for text in functions {
            for claim in [
                "f(n, k) == f(n, k)",
                "f(n, k) != f(3, 2)",
                "f(n, k) < 3",
                "f(n, 0) % 2 == 0",
            ] {
                let main = format!(
                    "int main(void) {{ unsigned n = nondet_uint(), k = nondet_uint(); \
                     __VERIFIER_assume(n < 5 && k < 4); assert({claim}); return 0; }}"
                );
                let (plain, changed) = changed(&format!("{text} {main}"));
                let changed = changed.expect("there is a tail call");
                let verdict = |program: &Program| {
                    letter(&bounded::check(
                        program,
                        (&Unwinding::default(), &Stages::NONE),
                        Alone::new().control(),
                    ))
                };
                let expected = verdict(&plain);
                assert_ne!(expected, '?');
                assert_eq!(verdict(&changed), expected, "{text} {claim}");
            }
        }
    }

    /// Calls with something left to do, and frames that the program can tell apart.
    #[test]
    fn other_calls_stay_calls() {
        for text in [
            "unsigned f(unsigned n) { if (n == 0) return 0; return 1 + f(n - 1); }",
            "unsigned s; unsigned f(unsigned n) { if (n == 0) return 0; unsigned r = f(n - 1); s++; return r; }",
            "unsigned f(unsigned n) { if (n == 0) return 0; f(n - 1); return n; }",
            "unsigned *p; unsigned f(unsigned n) { unsigned x = n; if (n == 0) return *p; p = &x; return f(n - 1); }",
            "unsigned g(unsigned); unsigned f(unsigned n) { return n ? g(n - 1) : 0; } unsigned g(unsigned n) { \
             return n ? f(n - 1) : 1; }",
        ] {
            let main = "int main(void) { assert(f(nondet_uint()) != 7); return 0; }";
            assert!(changed(&format!("{text} {main}")).1.is_none(), "{text}");
        }
    }
}
