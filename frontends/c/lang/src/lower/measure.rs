//! Measures of loops (`__CPROVER_decreases`): where a loop is evaluated again, each measure is less than the
//! last time, and was not negative then. Several measures are compared in lexicographic order.

use craig_word::Op;

use crate::ir::{BlockId, CheckKind, Expr, Instr};
use crate::syntax::ast::Expression;
use crate::syntax::span::Node;
use crate::types::Type;

use super::state::{LoopParts, OpenLoop};
use super::{Lowering, Result};

impl<'a> Lowering<'a> {
    /// Starts a loop with these blocks, before the jump into it.
    pub(super) fn enter_loop(&mut self, own: &[BlockId]) {
        let function = &self.builder.function;
        let parts = LoopParts {
            own: own.to_vec(),
            made: function.blocks.len() as BlockId..0,
            registers_from: function.regs.len() as u32,
            slots_from: function.slots.len() as u32,
        };
        let entry = self.builder.current;
        self.builder.loops.push(OpenLoop {
            entry,
            parts,
            assigns: Vec::new(),
        });
    }

    /// Ends the innermost loop, when its condition, its body and its step are lowered.
    pub(super) fn end_loop(&mut self) {
        let end = self.builder.function.blocks.len() as BlockId;
        if let Some(mut ended) = self.builder.loops.pop() {
            ended.parts.made.end = end;
            for index in ended.assigns {
                self.builder.assigns[index].set_loop(ended.parts.clone());
            }
        }
    }

    /// `__CPROVER_decreases` at the head of a loop.
    pub(super) fn measure(&mut self, arguments: &'a [Node<Expression>]) -> Result<()> {
        let outside = "`__CPROVER_decreases` outside of a loop";
        let entry = self.builder.loops.last().ok_or(outside)?.entry;
        if arguments.is_empty() {
            return Err("`__CPROVER_decreases` without a measure".into());
        }
        let at = self.at;
        let mut measures = Vec::new();
        for argument in arguments {
            let value = self.annotated_value(argument)?;
            let value = self.promote(value)?;
            let Type::Int(ty) = value.ty else {
                return Err("a measure of `__CPROVER_decreases` that is no integer".into());
            };
            // The value may be that of a register which the program changes.
            let kept = self.fresh(ty.width());
            measures.push((value.expr, kept, ty.signed));
        }
        self.at = at;
        // The first time there is nothing to compare with. Jumps may enter the loop past its entry.
        let is_again = self.fresh(1);
        let start = [(is_again, 1)].into_iter();
        let registers = measures
            .iter()
            .map(|&(value, kept, _)| (kept, self.program.width(value)));
        let registers: Vec<(u32, u32)> = start.chain(registers).collect();
        for (reg, width) in registers {
            let value = self.program.constant(0, width);
            let blocks = &mut self.builder.function.blocks;
            blocks[0].instrs.insert(0, (Instr::Set { reg, value }, at));
            blocks[entry as usize]
                .instrs
                .push((Instr::Set { reg, value }, at));
        }
        let mut falls = self.program.constant(0, 1);
        let mut is_negative = self.program.constant(0, 1);
        for &(value, kept, signed) in measures.iter().rev() {
            let old = self.read(kept);
            let less = if signed { Op::Slt } else { Op::Ult };
            let own = self.program.binary(less, value, old);
            let same = self.program.binary(Op::Eq, value, old);
            let rest = self.both(same, falls);
            falls = self.or(own, rest);
            if signed {
                let zero = self.program.constant(0, self.program.width(old));
                let negative = self.program.binary(Op::Slt, old, zero);
                is_negative = self.or(is_negative, negative);
            }
        }
        let is_first = self.read(is_again);
        let is_first = self.program.not(is_first);
        let is_natural = self.program.not(is_negative);
        let good = self.both(falls, is_natural);
        let good = self.or(is_first, good);
        self.check(good, CheckKind::Measure);
        for (value, kept, _) in measures {
            self.set(kept, value);
        }
        let one = self.program.constant(1, 1);
        self.set(is_again, one);
        Ok(())
    }

    fn both(&mut self, a: Expr, b: Expr) -> Expr {
        self.program.binary(Op::And, a, b)
    }
}
