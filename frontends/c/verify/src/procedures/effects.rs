//! What the functions of a recursion do to objects of the program.

use std::collections::BTreeSet;

use craig_c_lang::call_graph::reached_blocks;
use craig_c_lang::ir::{
    Callee, Expr, ExprNode, Function, FunctionId, Instr, Program, StaticId, Terminator,
};
use craig_word::Op;

/// Whether these functions access objects by their names only, at any offset, and call functions by their names.
pub(super) fn names_all_objects<'a>(
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
pub(super) struct Effects {
    pub(super) read: BTreeSet<StaticId>,
    pub(super) written: BTreeSet<StaticId>,
}

/// What these functions do to static objects; `None` if they have other effects.
pub(super) fn effects(program: &Program, functions: &BTreeSet<FunctionId>) -> Option<Effects> {
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
                | Instr::Candidate { .. }
                | Instr::Check { .. } => {}
                Instr::CheckAccess { address, bytes, .. } => {
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
            | Terminator::Halt
            | Terminator::Error(_)
            | Terminator::Stuck(_) => {}
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
