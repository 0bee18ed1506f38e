//! `__CPROVER_assigns` of functions and loops: each write there is to one of the named objects, or to one that
//! the function or the iteration has made itself.
//!
//! The clauses are collected while bodies are lowered, and checked on the lowered program, where each write is
//! an instruction. A write to a variable by its name is decided at once, any other by a comparison of
//! addresses. What cannot be attributed ends its path as unsupported: calls that may write something else,
//! writes through pointers where the function has objects that these might lead to, `free`.

use std::collections::{BTreeSet, HashMap};

use craig_word::Op;

use crate::ir::*;
use crate::syntax::ast::Expression;
use crate::syntax::span::Node;

use super::annotation::require_fit;
use super::state::{Assigns, Root, Target};
use super::{Lowering, Place, Result};

/// What a function may write, with all that it calls.
#[derive(Clone, Default)]
struct Writes {
    statics: BTreeSet<StaticId>,
    /// Something that is not known, or not by its name.
    others: bool,
    allocates: bool,
}

/// What an instruction needs before it.
enum Verdict {
    Allowed,
    /// A check of this condition.
    If(Expr),
    Unsupported(String),
}

/// The object that an address is computed from, if it is one.
pub(super) fn root(program: &Program, address: Expr) -> Option<Root> {
    match program.node(address) {
        ExprNode::Static(id) => Some(Root::Static(id)),
        ExprNode::Slot(slot) => Some(Root::Slot(slot)),
        ExprNode::Reg(reg) => Some(Root::Register(reg)),
        ExprNode::Binary(Op::Add | Op::Sub, a, b) | ExprNode::Moved(a, b) => {
            let is_object = |&root: &Root| !matches!(root, Root::Register(_));
            let (a, b) = (root(program, a), root(program, b));
            match (a.filter(is_object), b.filter(is_object)) {
                (None, None) => a.or(b),
                (Some(_), Some(_)) => None,
                (one, other) => one.or(other),
            }
        }
        _ => None,
    }
}

/// Objects of the lowering itself have names that are not identifiers.
pub(super) fn is_internal(program: &Program, id: StaticId) -> bool {
    program.statics[id as usize].name.contains(' ')
}

/// The register that an instruction writes.
pub(super) fn written(instr: &Instr) -> Option<Reg> {
    match *instr {
        Instr::Set { reg, .. }
        | Instr::Load { reg, .. }
        | Instr::Choose { reg, .. }
        | Instr::Host { reg, .. }
        | Instr::Allocate { reg, .. }
        | Instr::SizeOf { reg, .. } => Some(reg),
        Instr::Ghost(ref ghost) => ghost.effects().0,
        _ => None,
    }
}

fn writes_of(program: &Program, function: FunctionId) -> Writes {
    let mut all = Writes::default();
    let mut seen = BTreeSet::from([function]);
    let mut work = vec![function];
    while let Some(id) = work.pop() {
        let function = &program.functions[id as usize];
        all.others |= function.blocks.is_empty();
        for block in &function.blocks {
            for (instr, _) in &block.instrs {
                match instr {
                    Instr::Store { address, .. } => match root(program, *address) {
                        Some(Root::Static(id)) => _ = all.statics.insert(id),
                        Some(Root::Slot(_)) => {}
                        _ => all.others = true,
                    },
                    Instr::Free { .. } | Instr::Havoc { .. } => all.others = true,
                    Instr::Allocate { .. } => all.allocates = true,
                    _ => {}
                }
            }
            match &block.end {
                Terminator::Call {
                    callee: Callee::Direct(called),
                    ..
                } => work.extend(seen.insert(*called).then_some(*called)),
                Terminator::Call { .. } => all.others = true,
                _ => {}
            }
        }
    }
    all
}

impl<'a> Lowering<'a> {
    /// `__CPROVER_assigns`, at the start of a function or at the head of a loop.
    pub(super) fn assigns(
        &mut self,
        arguments: impl Iterator<Item = &'a Node<Expression>>,
    ) -> Result<()> {
        let mut targets = Vec::new();
        for argument in arguments {
            require_fit(argument)?;
            let checks = std::mem::take(&mut self.options.checks);
            let place = self.place(argument);
            self.options.checks = checks;
            let (place, ty) =
                place.map_err(|text| format!("a target of `__CPROVER_assigns`: {text}"))?;
            targets.push(match place {
                Place::Register(reg) => Target::Register(reg),
                Place::Memory(address) => {
                    let bytes = self.types.size(&ty).ok_or("a target of unknown size")?;
                    let start = self.fresh(self.pointer_width());
                    self.set(start, address);
                    let object = match root(&self.program, address) {
                        Some(Root::Static(id))
                            if self.program.statics[id as usize].shape.size == bytes =>
                        {
                            Some(Root::Static(id))
                        }
                        Some(Root::Slot(slot))
                            if self.builder.function.slots[slot as usize].shape.size == bytes =>
                        {
                            Some(Root::Slot(slot))
                        }
                        _ => None,
                    };
                    Target::Memory {
                        start,
                        bytes,
                        object,
                    }
                }
                Place::Bits { .. } => {
                    return Err("a target of `__CPROVER_assigns` that is a bit-field".into());
                }
            });
        }
        let index = self.builder.assigns.len();
        self.builder.assigns.push(Assigns {
            targets,
            of_loop: None,
            result: self.builder.result_address,
        });
        if let Some(innermost) = self.builder.loops.last_mut() {
            innermost.assigns.push(index);
        }
        Ok(())
    }

    /// Adds the checks that the collected clauses ask for.
    pub(super) fn check_assigns(&mut self) {
        let mut known: HashMap<FunctionId, Writes> = HashMap::new();
        for (id, clause) in std::mem::take(&mut self.assigns) {
            self.check_clause(id, &clause, &mut known);
        }
    }

    fn check_clause(
        &mut self,
        id: FunctionId,
        clause: &Assigns,
        known: &mut HashMap<FunctionId, Writes>,
    ) {
        let program = &mut self.program;
        let function = &program.functions[id as usize];
        for block in &function.blocks {
            if let Terminator::Call {
                callee: Callee::Direct(called),
                ..
            } = block.end
                && !known.contains_key(&called)
            {
                let writes = writes_of(program, called);
                known.insert(called, writes);
            }
        }
        // Whether a pointer may lead to an object that is made within the clause.
        let covered = (function.blocks.iter().zip(0..)).filter(|&(_, block)| clause.covers(block));
        let makes_objects = covered.clone().any(|(block, _)| {
            let allocates =
                |(instr, _): &(Instr, Location)| matches!(instr, Instr::Allocate { .. });
            let calls = match &block.end {
                Terminator::Call {
                    callee: Callee::Direct(called),
                    ..
                } => known[called].allocates,
                _ => false,
            };
            calls || block.instrs.iter().any(allocates)
        });
        let escapes = (function.slots.iter().zip(0..))
            .any(|(object, slot)| object.escapes && clause.has_own_slot(slot));
        let is_open = makes_objects || escapes;
        let covered: Vec<BlockId> = covered.map(|(_, block)| block).collect();
        for number in covered {
            let blocks = &mut program.functions[id as usize].blocks;
            let block = &mut blocks[number as usize];
            let instrs = std::mem::take(&mut block.instrs);
            let (end, end_at) = (block.end.clone(), block.end_at);
            let mut kept = Vec::with_capacity(instrs.len());
            let mut refused = None;
            for (instr, at) in instrs {
                match judge(program, id, clause, is_open, &instr) {
                    Verdict::Allowed => {}
                    Verdict::If(condition) => {
                        let what = CheckKind::Assigned;
                        kept.push((Instr::Check { condition, what }, at));
                    }
                    Verdict::Unsupported(text) => {
                        refused = Some((text, at));
                        break;
                    }
                }
                kept.push((instr, at));
            }
            if refused.is_none()
                && let Some(text) = refused_call(program, clause, &end, known)
            {
                refused = Some((text, end_at));
            }
            let block = &mut program.functions[id as usize].blocks[number as usize];
            block.instrs = kept;
            if let Some((text, at)) = refused {
                block.end = Terminator::Stuck(text);
                block.end_at = at;
            }
        }
    }
}

/// Whether a clause allows an instruction.
fn judge(
    program: &mut Program,
    id: FunctionId,
    clause: &Assigns,
    is_open: bool,
    instr: &Instr,
) -> Verdict {
    if let Some(reg) = written(instr) {
        let is_variable = program.functions[id as usize].regs[reg as usize]
            .name
            .is_some();
        if is_variable && !clause.has_own_register(reg) {
            return Verdict::If(program.constant(0, 1));
        }
    }
    let unsupported =
        |what: &str| Verdict::Unsupported(format!("`__CPROVER_assigns` where {what}"));
    let Instr::Store { address, bytes, .. } = *instr else {
        return match instr {
            Instr::Free { .. } => unsupported("memory is freed"),
            Instr::Havoc { function, .. } => {
                unsupported(&format!("`{function}` may write anything"))
            }
            _ => Verdict::Allowed,
        };
    };
    match root(program, address) {
        Some(Root::Slot(slot)) if clause.has_own_slot(slot) => return Verdict::Allowed,
        Some(Root::Static(id)) if is_internal(program, id) => return Verdict::Allowed,
        Some(Root::Register(reg)) if clause.result == Some(reg) => return Verdict::Allowed,
        Some(object) if clause.allows_all_of(object) => return Verdict::Allowed,
        Some(Root::Register(_)) | None if is_open => {
            return unsupported("a pointer may lead to an object that is made there");
        }
        _ => {}
    }
    let mut forbidden = program.constant(1, 1);
    for &target in &clause.targets {
        if let Target::Memory {
            start, bytes: size, ..
        } = target
            && size >= u64::from(bytes)
        {
            let width = program.width(address);
            let start = program.make(ExprNode::Reg(start), width);
            let distance = program.binary(Op::Sub, address, start);
            let limit = program.constant(u128::from(size - u64::from(bytes)) + 1, width);
            let inside = program.binary(Op::Ult, distance, limit);
            let outside = program.not(inside);
            forbidden = program.binary(Op::And, forbidden, outside);
        }
    }
    Verdict::If(program.not(forbidden))
}

/// Why a call is not supported within a clause, if it is not.
fn refused_call(
    program: &Program,
    clause: &Assigns,
    end: &Terminator,
    known: &HashMap<FunctionId, Writes>,
) -> Option<String> {
    let Terminator::Call { callee, .. } = end else {
        return None;
    };
    let text = "`__CPROVER_assigns` where a call may write something else";
    let Callee::Direct(called) = callee else {
        return Some(format!("{text}, through a pointer to a function"));
    };
    let writes = &known[called];
    let is_allowed =
        |&id: &StaticId| is_internal(program, id) || clause.allows_all_of(Root::Static(id));
    let is_fine = !writes.others && writes.statics.iter().all(is_allowed);
    (!is_fine).then(|| {
        let name = &program.functions[*called as usize].name;
        format!("{text}: that of `{name}`")
    })
}
