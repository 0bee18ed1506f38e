//! Contracts of loops, as CBMC's tools use them. The first round is that of the program. If a second one follows, the
//! invariant is asserted as it was before the loop; then what the loop assigns becomes arbitrary, the invariant is
//! assumed, and one more round is looked at, after which the invariant and a smaller measure are asserted and the path
//! ends. Paths that leave the loop go on from there.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use crate::ir::{
    BlockId, CheckKind, Choice, Expr, Function, Instr, Location, Reg, SlotId, Terminator,
};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::Type;
use craig_word::Op;

use super::super::state::{Inferred, Side};
use super::super::{Lowering, Result};
use super::infer::region;
use super::target::Target;

/// A loop whose contract is used, while it is being lowered.
pub(in crate::lower) struct Rounds<'a> {
    invariants: Vec<&'a Node<Expression>>,
    measures: &'a [Node<Expression>],
    /// The measures at the start of the round.
    kept: Vec<(Expr, bool)>,
    /// The targets, if the contract names them, with the write set of them.
    named: Option<(Vec<Target>, usize)>,
    /// Whether the round is the first one, one bit.
    is_first: Expr,
    /// Where the path goes on behind the first round.
    step: BlockId,
    /// Where what the loop assigns becomes arbitrary.
    arbitrary: BlockId,
    registers_from: Reg,
    slots_from: SlotId,
    blocks_from: BlockId,
    at: Location,
    /// Identifies the contract.
    place: (usize, usize),
}

impl<'a> Lowering<'a> {
    /// Starts a loop whose contract is used: the current block leads into it.
    pub(in crate::lower) fn begin_rounds(
        &mut self,
        clauses: &'a [Node<Clause>],
    ) -> Result<Option<Rounds<'a>>> {
        let Some(first) = clauses.first() else {
            return Ok(None);
        };
        let place = (self.unit, first.span.start);
        if !self.options.cbmc.contracts.of_loops
            || self.is_without_code
            || self.unused_contracts.contains(&place)
        {
            return Ok(None);
        }
        let outer = self.at;
        self.locate(first.span.start);
        let at = self.at;
        let checks = std::mem::take(&mut self.options.checks);
        let begun = self.begin_round(clauses, at, place);
        self.options.checks = checks;
        self.at = outer;
        begun.map(Some)
    }

    fn begin_round(
        &mut self,
        clauses: &'a [Node<Clause>],
        at: Location,
        place: (usize, usize),
    ) -> Result<Rounds<'a>> {
        let (mut invariants, mut named) = (Vec::new(), None);
        let mut measures: &'a [Node<Expression>] = &[];
        for clause in clauses {
            match &clause.node {
                Clause::LoopInvariant(condition) => invariants.push(&**condition),
                Clause::Decreases(own) => measures = own,
                Clause::Assigns(groups) => {
                    let own = self.targets(groups)?;
                    named.get_or_insert_with(Vec::new).extend(own);
                }
                _ => return Err("a clause of a function's contract at a loop".into()),
            }
        }
        for &invariant in &invariants {
            self.keep_earlier(invariant)?;
        }
        let mut at_entry = Vec::new();
        for &invariant in &invariants {
            let condition = self.specified(invariant, Side::Goal)?;
            let reg = self.fresh(1);
            self.set(reg, condition);
            at_entry.push(self.read(reg));
        }
        let first = self.fresh(1);
        let (yes, no) = (self.program.constant(1, 1), self.program.constant(0, 1));
        self.set(first, yes);
        let (registers_from, slots_from) = {
            let function = &self.builder.function;
            (function.regs.len() as Reg, function.slots.len() as SlotId)
        };
        let named = match named {
            Some(targets) => {
                let set = self.open_write_set(&targets, &[])?;
                Some((targets, set))
            }
            None => None,
        };
        let (entry, step) = (self.builder.block(), self.builder.block());
        let (arbitrary, start) = (self.builder.block(), self.builder.block());
        self.jump(entry, step);
        self.at = at;
        for condition in at_entry {
            self.check(condition, CheckKind::LoopInvariant);
        }
        self.set(first, no);
        self.jump(arbitrary, arbitrary);
        if let Some((targets, _)) = &named {
            for target in targets {
                self.havoc_target(target);
            }
        }
        self.jump(start, start);
        for &invariant in &invariants {
            let condition = self.specified(invariant, Side::Hypothesis)?;
            self.emit(Instr::Assume { condition });
        }
        let kept = self.measured(measures)?;
        let mut at_start = Vec::new();
        for (value, signed) in kept {
            let reg = self.fresh(self.program.width(value));
            self.set(reg, value);
            at_start.push((self.read(reg), signed));
        }
        self.jump(entry, entry);
        Ok(Rounds {
            is_first: self.read(first),
            step,
            invariants,
            measures,
            kept: at_start,
            named,
            arbitrary,
            registers_from,
            slots_from,
            blocks_from: self.builder.function.blocks.len() as BlockId,
            at,
            place,
        })
    }

    fn measured(&mut self, measures: &'a [Node<Expression>]) -> Result<Vec<(Expr, bool)>> {
        let mut values = Vec::new();
        for measure in measures {
            let value = self.rvalue(measure)?;
            let value = self.promote(value)?;
            let Type::Int(int) = value.ty else {
                return Err("a measure of `__CPROVER_decreases` that is no integer".into());
            };
            values.push((value.expr, int.signed));
        }
        Ok(values)
    }

    /// Ends a loop: the jump back to its head, or, if its contract is used, the end of the round. `own`: the blocks of
    /// the loop that were made before its contract was looked at; `next` follows the loop.
    pub(in crate::lower) fn end_rounds(
        &mut self,
        rounds: Option<Rounds<'a>>,
        own: &[BlockId],
        (head, next): (BlockId, BlockId),
    ) -> Result<()> {
        let Some(rounds) = rounds else {
            self.jump(head, next);
            return Ok(());
        };
        let checks = std::mem::take(&mut self.options.checks);
        let outer = self.at;
        let ended = self.end_round(&rounds);
        self.options.checks = checks;
        ended?;
        let never = self.program.constant(0, 1);
        self.emit(Instr::Assume { condition: never });
        self.terminate_into(Terminator::Halt, next);
        self.at = outer;
        let made = rounds.blocks_from..self.builder.function.blocks.len() as BlockId;
        let blocks = (own.to_vec(), made);
        check_region(&self.builder.function, head, [next, rounds.step], &blocks)?;
        let natural = natural_loop(&self.builder.function, rounds.step, &blocks);
        let leaving: Vec<BlockId> = region(&blocks)
            .filter(|block| !natural.contains(block))
            .collect();
        let blocks = (natural.into_iter().collect(), 0..0);
        self.make_registers_arbitrary(&rounds, &blocks);
        match &rounds.named {
            Some((_, set)) => {
                self.confine_blocks(
                    *set,
                    blocks,
                    (rounds.arbitrary, rounds.at),
                    rounds.slots_from,
                );
                self.close_write_set(*set);
                let closing = self.closing(*set);
                for block in leaving {
                    let block = &mut self.builder.function.blocks[block as usize];
                    block.instrs.insert(0, (closing.clone(), block.end_at));
                }
            }
            None => self.builder.inferred.push(Inferred {
                arbitrary: rounds.arbitrary,
                blocks,
                registers_from: rounds.registers_from,
                slots_from: rounds.slots_from,
                at: rounds.at,
                place: rounds.place,
            }),
        }
        Ok(())
    }

    fn end_round(&mut self, rounds: &Rounds<'a>) -> Result<()> {
        let last = self.builder.block();
        self.branch(rounds.is_first, rounds.step, last, last);
        for &invariant in &rounds.invariants {
            let condition = self.specified(invariant, Side::Goal)?;
            self.at = rounds.at;
            self.check(condition, CheckKind::LoopInvariant);
        }
        if rounds.measures.is_empty() {
            return Ok(());
        }
        let now = self.measured(rounds.measures)?;
        let mut falls = self.program.constant(0, 1);
        for (&(new, signed), &(old, _)) in now.iter().zip(&rounds.kept).rev() {
            let less = if signed { Op::Slt } else { Op::Ult };
            let own = self.program.binary(less, new, old);
            let same = self.program.binary(Op::Eq, new, old);
            let rest = self.program.binary(Op::And, same, falls);
            falls = self.or(own, rest);
        }
        self.at = rounds.at;
        self.check(falls, CheckKind::Measure);
        Ok(())
    }

    /// Makes the registers arbitrary that the loop writes. With named targets, a variable that is none of them must not
    /// be written.
    fn make_registers_arbitrary(
        &mut self,
        rounds: &Rounds<'a>,
        blocks: &(Vec<BlockId>, Range<BlockId>),
    ) {
        let named: Option<HashSet<Reg>> = rounds.named.as_ref().map(|(targets, _)| {
            let registers = targets.iter().filter_map(|target| match target {
                Target::Register(reg) => Some(*reg),
                Target::Bytes(_) => None,
            });
            registers.collect()
        });
        let function = &self.builder.function;
        let mut written: BTreeSet<Reg> = named.iter().flatten().copied().collect();
        let mut wrong: Vec<(BlockId, usize)> = Vec::new();
        for block in region(blocks) {
            for (index, (instr, _)) in function.blocks[block as usize].instrs.iter().enumerate() {
                let Some(reg) = super::super::assigns::written(instr) else {
                    continue;
                };
                if reg >= rounds.registers_from {
                    continue;
                }
                let is_variable = function.regs[reg as usize].name.is_some();
                if is_variable && named.as_ref().is_some_and(|named| !named.contains(&reg)) {
                    wrong.push((block, index));
                }
                written.insert(reg);
            }
            if let Terminator::Call {
                result: Some(reg), ..
            } = function.blocks[block as usize].end
                && reg < rounds.registers_from
            {
                written.insert(reg);
            }
        }
        let never = self.program.constant(0, 1);
        for (block, index) in wrong.into_iter().rev() {
            let instrs = &mut self.builder.function.blocks[block as usize].instrs;
            let at = instrs[index].1;
            let check = Instr::Check {
                condition: never,
                what: CheckKind::Assigned,
            };
            instrs.insert(index, (check, at));
        }
        let mut arbitrary = Vec::new();
        for reg in written {
            let kind = Choice::Open("a variable that a loop assigns".into());
            arbitrary.push((Instr::Choose { reg, kind }, rounds.at));
            let register = &self.builder.function.regs[reg as usize];
            if let Some(Type::Int(int)) = &register.ty
                && int.rank == 0
            {
                let width = register.width;
                let value = self.read(reg);
                let two = self.program.constant(2, width);
                let condition = self.program.binary(Op::Ult, value, two);
                arbitrary.push((Instr::Assume { condition }, rounds.at));
            }
        }
        let block = &mut self.builder.function.blocks[rounds.arbitrary as usize];
        block.instrs.splice(0..0, arbitrary);
    }
}

/// The blocks from which the end of a round can be reached: what others write, on ways out of the loop, is not written by the loop.
fn natural_loop(
    function: &Function,
    end: BlockId,
    blocks: &(Vec<BlockId>, Range<BlockId>),
) -> BTreeSet<BlockId> {
    let mut leads_to: HashMap<BlockId, Vec<BlockId>> = HashMap::new();
    for block in region(blocks) {
        for to in followers(function, block) {
            leads_to.entry(to).or_default().push(block);
        }
    }
    let (mut natural, mut work) = (BTreeSet::new(), vec![end]);
    while let Some(block) = work.pop() {
        let before = leads_to.get(&block).into_iter().flatten().copied();
        work.extend(before.filter(|&before| natural.insert(before)));
    }
    natural
}

/// The blocks that may be executed after a block of the function.
fn followers(function: &Function, block: BlockId) -> Vec<BlockId> {
    match &function.blocks[block as usize].end {
        Terminator::Jump(to) => vec![*to],
        Terminator::Branch {
            then, otherwise, ..
        } => vec![*then, *otherwise],
        Terminator::Call { next, .. } => vec![*next],
        _ => Vec::new(),
    }
}

/// Checks that all blocks between the head of a loop and its end are known as the loop's.
fn check_region(
    function: &Function,
    head: BlockId,
    ends: [BlockId; 2],
    blocks: &(Vec<BlockId>, Range<BlockId>),
) -> Result<()> {
    let is_own = |block: BlockId| blocks.0.contains(&block) || blocks.1.contains(&block);
    // Where `break` leads to was made with the loop's own blocks, and is followed by `next`.
    let mut seen = HashSet::from([head]);
    let mut work = vec![head];
    while let Some(block) = work.pop() {
        for to in followers(function, block) {
            if ends.contains(&to) {
                continue;
            }
            if !is_own(to) {
                return Err("a jump out of a loop whose contract is used".into());
            }
            if seen.insert(to) {
                work.push(to);
            }
        }
    }
    Ok(())
}
