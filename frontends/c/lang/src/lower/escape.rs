//! Objects of a frame whose address a variable may keep.

use std::collections::HashSet;

use crate::ir::{Callee, Expr, ExprNode, Function, Instr, Program, SlotId, Terminator};

/// Marks only those named objects as escaping whose address is used other than as the address of a load or
/// store.
pub(super) fn mark(program: &Program, function: &mut Function) {
    let mut used = HashSet::new();
    for block in &function.blocks {
        for (instr, _) in &block.instrs {
            match instr {
                Instr::Set { value, .. } | Instr::Store { value, .. } => {
                    slots(program, *value, &mut used);
                }
                Instr::Assume { condition }
                | Instr::Candidate { condition }
                | Instr::Check { condition, .. } => {
                    slots(program, *condition, &mut used);
                }
                Instr::Allocate { size, .. } => slots(program, *size, &mut used),
                Instr::Havoc { arguments, .. } => {
                    for argument in arguments {
                        slots(program, argument.address, &mut used);
                    }
                }
                Instr::Host { arguments, .. } => {
                    for &argument in arguments {
                        slots(program, argument, &mut used);
                    }
                }
                Instr::Ghost(ghost) => {
                    for value in ghost.effects().1 {
                        slots(program, value, &mut used);
                    }
                }
                Instr::Load { .. }
                | Instr::Choose { .. }
                | Instr::Declare { .. }
                | Instr::End { .. }
                | Instr::EndAllocated { .. }
                | Instr::Free { .. }
                | Instr::Moved { .. }
                | Instr::SizeOf { .. }
                | Instr::UsesBits { .. }
                | Instr::CheckAccess { .. }
                | Instr::CheckFree { .. }
                | Instr::CheckLeaks => {}
            }
        }
        match &block.end {
            Terminator::Branch { condition, .. } => slots(program, *condition, &mut used),
            Terminator::Call { callee, args, .. } => {
                if let Callee::Indirect(callee) = callee {
                    slots(program, *callee, &mut used);
                }
                for &arg in args {
                    slots(program, arg, &mut used);
                }
            }
            Terminator::Return(Some(value)) => slots(program, *value, &mut used),
            _ => {}
        }
    }
    for (number, slot) in function.slots.iter_mut().enumerate() {
        slot.escapes &= used.contains(&(number as SlotId));
    }
}

/// The objects whose addresses occur in an expression.
fn slots(program: &Program, expr: Expr, into: &mut HashSet<SlotId>) {
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        match program.node(expr) {
            ExprNode::Slot(slot) => drop(into.insert(slot)),
            ExprNode::Const(_) | ExprNode::Reg(_) | ExprNode::Static(_) | ExprNode::Function(_) => {
            }
            ExprNode::Not(a) | ExprNode::Extract(a, _) | ExprNode::ZExt(a) | ExprNode::SExt(a) => {
                stack.push(a);
            }
            ExprNode::Binary(_, a, b) | ExprNode::Moved(a, b) => stack.extend([a, b]),
            ExprNode::Ite(c, a, b) => stack.extend([c, a, b]),
            ExprNode::Float(_, _, a, b, mode) => stack.extend([a, b, mode]),
        }
    }
}
