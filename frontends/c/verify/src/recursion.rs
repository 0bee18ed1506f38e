//! Recursion without bound, by the weakest summary: calls within a recursion may return any value.
//!
//! In a program whose functions call each other in a circle, each call from one function of the circle to another
//! one is replaced: it returns any value, and leaves any values in the static objects that the functions it leads
//! to store into. The first call, from outside of the circle, is executed as it is. This is an over-approximation
//! if the calls that are left out can do nothing else, which [`without_recursion`] tests: what they lead to has
//! no errors and no unsupported constructs, allocates nothing, and reads and writes named objects at fixed offsets
//! only. Nor does the rest of the program access anything through a pointer, so that no value which a call may
//! return is used as an address. So a proof of the result is a proof of the program, whatever the depth; an error of it says nothing.

use std::collections::{BTreeMap, BTreeSet};

use craig_c_lang::call_graph::{CallGraph, reached_blocks};
use craig_c_lang::ir::{
    BlockId, Callee, Choice, Expr, ExprNode, Function, FunctionId, Instr, Program, Reg, Register,
    StaticId, Terminator,
};
use craig_word::Op;

/// The program with the weakest summary for calls within a recursion; `None` if there is no recursion, or its
/// functions do more than this module covers.
pub(crate) fn without_recursion(program: &Program) -> Option<Program> {
    let CallGraph {
        leads_to,
        recursive,
    } = CallGraph::new(program);
    if recursive.is_empty() || !names_all_objects(program, leads_to.keys()) {
        return None;
    }
    let is_within = |from: FunctionId, to: FunctionId| leads_to[&to].contains(&from);
    let mut written: BTreeMap<FunctionId, BTreeSet<StaticId>> = BTreeMap::new();
    for &id in &recursive {
        let effects = effects(program, &leads_to[&id])?;
        if effects.may_fail {
            return None;
        }
        written.insert(id, effects.written);
    }
    let mut result = program.clone();
    for &id in &recursive {
        for block in 0..program.functions[id as usize].blocks.len() as BlockId {
            let end = &program.functions[id as usize].blocks[block as usize].end;
            if let Terminator::Call {
                callee: Callee::Direct(callee),
                result: to,
                next,
                ..
            } = *end
                && is_within(id, callee)
            {
                replace_call(&mut result, (id, block), (to, next), &written[&callee]);
            }
        }
    }
    Some(result)
}

/// Whether these functions access objects by their names only, at any offset, and call functions by their names.
pub(crate) fn names_all_objects<'a>(
    program: &Program,
    functions: impl IntoIterator<Item = &'a FunctionId>,
) -> bool {
    let mut functions = functions.into_iter();
    functions.all(|&id| names_its_objects(program, &program.functions[id as usize]))
}

/// Whether a function accesses objects by their names only, at any offset, and calls functions by their names.
fn names_its_objects(program: &Program, function: &Function) -> bool {
    let is_named = |mut address: Expr| {
        loop {
            address = match program.node(address) {
                ExprNode::Static(_) | ExprNode::Slot(_) => return true,
                ExprNode::Binary(Op::Add, base, _) => base,
                _ => return false,
            };
        }
    };
    reached_blocks(function).into_iter().all(|block| {
        let mut instrs = block.instrs.iter();
        let calls_by_name = !matches!(
            block.end,
            Terminator::Call {
                callee: Callee::Indirect(_),
                ..
            }
        );
        calls_by_name
            && instrs.all(|(instr, _)| match instr {
                Instr::Load { address, .. }
                | Instr::Store { address, .. }
                | Instr::CheckAccess { address, .. } => is_named(*address),
                Instr::Set { .. }
                | Instr::Choose { .. }
                | Instr::Host { .. }
                | Instr::Declare { .. }
                | Instr::End { .. }
                | Instr::UsesBits { .. }
                | Instr::Assume { .. }
                | Instr::Candidate { .. }
                | Instr::Check { .. } => true,
                _ => false,
            })
    })
}

/// What functions do to static objects.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    pub(crate) read: BTreeSet<StaticId>,
    pub(crate) written: BTreeSet<StaticId>,
    /// There are errors, checks or unsupported constructs.
    pub(crate) may_fail: bool,
}

/// What these functions do to static objects; `None` if they have other effects.
pub(crate) fn effects(program: &Program, functions: &BTreeSet<FunctionId>) -> Option<Effects> {
    let mut effects = Effects::default();
    for &id in functions {
        add_effects(program, id, &mut effects)?;
    }
    Some(effects)
}

fn add_effects(program: &Program, id: FunctionId, effects: &mut Effects) -> Option<()> {
    let function = &program.functions[id as usize];
    if function.blocks.is_empty() {
        return None;
    }
    for block in reached_blocks(function) {
        for (instr, _) in &block.instrs {
            match instr {
                Instr::Set { .. }
                | Instr::Choose { .. }
                | Instr::Host { .. }
                | Instr::Declare { .. }
                | Instr::End { .. }
                | Instr::UsesBits { .. }
                | Instr::Assume { .. }
                | Instr::Candidate { .. } => {}
                Instr::Check { .. } => effects.may_fail = true,
                Instr::CheckAccess { address, bytes, .. } => {
                    effects.may_fail = true;
                    accessed(program, function, *address, *bytes)?;
                }
                Instr::Load { address, bytes, .. } => {
                    let object = accessed(program, function, *address, *bytes)?;
                    effects.read.extend(object);
                }
                Instr::Store { address, bytes, .. } => {
                    let object = accessed(program, function, *address, *bytes)?;
                    effects.written.extend(object);
                }
                _ => return None,
            }
        }
        match &block.end {
            Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::Return(_)
            | Terminator::Halt => {}
            Terminator::Error(_) | Terminator::Stuck(_) => effects.may_fail = true,
            Terminator::Call {
                callee: Callee::Direct(callee),
                args,
                result,
                ..
            } => {
                let called = &program.functions[*callee as usize];
                let fits = called.n_params == args.len()
                    && (args.iter().zip(&called.regs))
                        .all(|(&arg, reg)| program.width(arg) == reg.width)
                    && result.is_none_or(|reg| {
                        called.result_width == Some(function.regs[reg as usize].width)
                    });
                if !fits {
                    return None;
                }
            }
            Terminator::Call { .. } => return None,
        }
    }
    Some(())
}

/// The static object at an address, if the address is that of a static object or of an object of the frame, and the
/// access within it.
fn accessed(
    program: &Program,
    function: &Function,
    address: Expr,
    bytes: u32,
) -> Option<Option<StaticId>> {
    let (base, offset) = match program.node(address) {
        ExprNode::Binary(Op::Add, base, offset) => (base, program.constant_value(offset)?),
        _ => (address, 0),
    };
    let (object, id) = match program.node(base) {
        ExprNode::Static(id) => (&program.statics[id as usize], Some(id)),
        ExprNode::Slot(slot) => (&function.slots[slot as usize], None),
        _ => return None,
    };
    let end = offset.checked_add(u128::from(bytes))?;
    let is_plain = !object.shape.is_opaque() && !object.is_constant;
    (is_plain && end <= u128::from(object.shape.size)).then_some(id)
}

/// Replaces the call at the end of a block by any result and any values in static objects.
fn replace_call(
    program: &mut Program,
    (id, block): (FunctionId, BlockId),
    (to, next): (Option<Reg>, BlockId),
    written: &BTreeSet<StaticId>,
) {
    let kind = || Choice::Open("a call within a recursion".into());
    let mut instrs = Vec::new();
    if let Some(reg) = to {
        let kind = kind();
        instrs.push(Instr::Choose { reg, kind });
    }
    for &object in written {
        let width = program.pointer_width;
        let base = program.make(ExprNode::Static(object), width);
        for (offset, bytes) in program.statics[object as usize].shape.cells.clone() {
            let registers = &mut program.functions[id as usize].regs;
            let reg = registers.len() as Reg;
            registers.push(Register {
                width: 8 * bytes,
                name: None,
                ty: None,
            });
            let kind = kind();
            instrs.push(Instr::Choose { reg, kind });
            let value = program.make(ExprNode::Reg(reg), 8 * bytes);
            let offset = program.constant(u128::from(offset), width);
            let address = program.binary(Op::Add, base, offset);
            instrs.push(Instr::Store {
                address,
                value,
                bytes,
            });
        }
    }
    let block = &mut program.functions[id as usize].blocks[block as usize];
    let at = block.end_at;
    block
        .instrs
        .extend(instrs.into_iter().map(|instr| (instr, at)));
    block.end = Terminator::Jump(next);
}

#[cfg(test)]
mod tests {
    use craig_mc::Alone;

    use super::*;
    use crate::bounded;
    use crate::bounded::Verdict;
    use crate::tests::program;
    use craig_c_exec::symbolic::unwinding::Unwinding;
    use craig_c_lang::types::DataModel;

    /// Whether the program without recursion is proved; `None` if there is none.
    fn is_proved(text: &str) -> Option<bool> {
        let head =
            "extern unsigned nondet_uint(void);\nextern void reach_error(void);\nint g, h;\n";
        let program = program(&format!("{head}{text}"), DataModel::Lp64);
        let program = without_recursion(&program)?;
        let verdict = bounded::check(&program, &Unwinding::default(), Alone::new().control());
        Some(matches!(verdict, Verdict::Safe(_)))
    }

    /// A function that caps its result needs nothing from its recursive calls.
    #[test]
    fn capped_results_are_proved() {
        let capped = |most: u32, wrong: u32| {
            format!(
                "unsigned b(unsigned x);\nunsigned a(unsigned x) {{ if (x == 0) return 0; unsigned r = b(x - 1) + 1; \
                 return r > {most} ? {most} : r; }}\nunsigned b(unsigned x) {{ if (x == 0) return 0; unsigned r = \
                 a(x - 1) + 1; return r > {most} ? {most} : r; }}\n\
                 int main(void) {{ if (a(nondet_uint()) == {wrong}) reach_error(); return 0; }}\n"
            )
        };
        assert_eq!(is_proved(&capped(5, 10)), Some(true));
        assert_eq!(is_proved(&capped(5, 5)), Some(false));
    }

    /// What recursive calls may write has any value behind them; what they do not write is kept.
    #[test]
    fn written_objects_are_havocked() {
        let text = |body: &str| {
            format!(
                "void f(unsigned n) {{ {body} }}\nint main(void) {{ f(nondet_uint()); if (g != 7) reach_error(); \
                 return 0; }}\n"
            )
        };
        assert_eq!(is_proved(&text("if (n) f(n - 1); g = 7;")), Some(true));
        assert_eq!(is_proved(&text("g = 7; if (n) f(n - 1);")), Some(false));
        // Nothing in the recursion writes `h`.
        let text = "void f(unsigned n) { g = 3; if (n) f(n - 1); }\n\
                    int main(void) { h = 5; f(nondet_uint()); if (h != 5) reach_error(); return 0; }\n";
        assert_eq!(is_proved(text), Some(true));
    }

    /// Errors inside of a recursion, pointers and allocations are not covered, and programs without recursion are
    /// left to others.
    #[test]
    fn other_recursions_are_refused() {
        for text in [
            "void f(unsigned n) { if (n == 50) reach_error(); if (n) f(n - 1); }\nint main(void) { f(nondet_uint()); }\n",
            "void f(int *p, unsigned n) { *p = 1; if (n) f(p, n - 1); }\nint main(void) { f(&g, nondet_uint()); }\n",
            "int t[4];\nvoid f(unsigned n) { t[n] = 1; if (n) f(n - 1); }\nint main(void) { f(nondet_uint()); }\n",
            "void *malloc(unsigned long);\nvoid f(unsigned n) { malloc(n); if (n) f(n - 1); }\nint main(void) { f(nondet_uint()); }\n",
            "void f(unsigned n);\nvoid (*p)(unsigned) = f;\nvoid f(unsigned n) { if (n) f(n - 1); p(n); }\nint main(void) { f(nondet_uint()); }\n",
            "int main(void) { return 0; }\n",
        ] {
            assert_eq!(is_proved(text), None, "{text}");
        }
    }
}
