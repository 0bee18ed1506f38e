//! A program in which what the library copies, sets or compares has no loop, where its length is no constant.
//!
//! Each byte that `memcpy` writes is a round of a loop, and unrolling has no end where the length has no bound. Here, after a check
//! that all of the bytes are accessible, the contents are those behind one copy ([`Ghost::Copy`]), and a comparison has any result:
//! the program has all runs that it had, and more. So only a proof counts. Texts of open length: [`texts`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use craig_c_lang::ir::ghost::{CopiedBytes, Ghost, PointerFact};
use craig_c_lang::ir::{
    Block, BlockId, Callee, CheckKind, Choice, Expr, ExprNode, Function, FunctionId, Instr,
    Location, Program, Reg, Register, Terminator,
};
use craig_c_lang::library::LIBRARY;
use craig_c_lang::property::checked;
use craig_mc::Control;
use craig_program::line_up::StageName;

use craig_word::Op;

use crate::bounded;
use crate::bounded::Within;
use crate::verdict::{Found, Verdict};

mod texts;

/// What a function does with the bytes at its first two parameters; the third one is their number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Writes those at the first, and reads those at the second.
    Copy,
    /// Writes those at the first; the second is a value.
    Fill,
    /// Reads both.
    Compare,
}

/// A function of the library.
struct Opened {
    name: &'static str,
    /// What is called instead with a constant length.
    direct: &'static str,
    /// Where its accesses are.
    body: &'static str,
    kind: Kind,
}

const fn row(name: &'static str, direct: &'static str, body: &'static str, kind: Kind) -> Opened {
    Opened {
        name,
        direct,
        body,
        kind,
    }
}

const FUNCTIONS: [Opened; 9] = [
    row("memcpy", "memcpy", "memcpy", Kind::Copy),
    row("__builtin_memcpy", "memcpy", "memcpy", Kind::Copy),
    row("memmove", "memmove", "memmove", Kind::Copy),
    row("__builtin_memmove", "memmove", "memmove", Kind::Copy),
    row("memset", "memset", "memset", Kind::Fill),
    row("__builtin_memset", "memset", "memset", Kind::Fill),
    row("memcmp", "memcmp", COMPARISON, Kind::Compare),
    row("__builtin_memcmp", "memcmp", COMPARISON, Kind::Compare),
    row(COMPARISON, COMPARISON, COMPARISON, Kind::Compare),
];

/// The function that compares bytes.
const COMPARISON: &str = "__craig_exact_memcmp";

/// How many words at the start of an object are kept that stand before what is written.
const KEPT_WORDS: u32 = 8;

/// The time in which a program with open copies is unrolled: until this is dropped.
#[derive(Default)]
pub(crate) struct HeadStart(Arc<AtomicBool>);

impl HeadStart {
    /// Whether it is over.
    pub(crate) fn end(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl Drop for HeadStart {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Unrolls a program: first with open copies, if it has any and the schedule has that stage.
pub(crate) fn unrolled(
    program: &Program,
    within: Within<'_>,
    head_start: HeadStart,
    control: Control<'_>,
) -> Verdict {
    let (_, stages) = within;
    if let Some(stage) = stages.get(StageName::OpenCopies)
        && let Some(open) = with_open_copies(program)
    {
        let stop = stage.limit(control.stop);
        let own = Control {
            stop: &stop,
            ..control
        };
        if let Ok(Found::Safe(mut safety)) = bounded::check(&open, within, own) {
            safety.text += "; with copies and texts of open length as a whole";
            return Ok(Found::Safe(safety));
        }
    }
    drop(head_start);
    bounded::check(program, within, control)
}

/// The program with its copies of open length replaced; `None` if it has none, or asks what more runs do not answer.
fn with_open_copies(program: &Program) -> Option<Program> {
    if program.passes_goals {
        return None;
    }
    let mut result = program.clone();
    let mut replaced: Vec<(FunctionId, FunctionId, FunctionId)> = Vec::new();
    for row in &FUNCTIONS {
        let found = [row.name, row.direct, row.body].map(|name| of_library(program, name));
        let [Some(called), Some(direct), Some(body)] = found else {
            continue;
        };
        if let Some(open) = opened(&mut result, body, row.kind) {
            let id = result.functions.len() as FunctionId;
            result.functions.push(open);
            replaced.push((called, direct, id));
        }
    }
    let texts = texts::open(&mut result);
    let mut has_any = false;
    for id in 0..program.functions.len() {
        // They call each other with the lengths that they have.
        let of_texts = texts.iter().any(|row| row.0 as usize == id);
        if of_texts || replaced.iter().any(|row| row.0 as usize == id) {
            continue;
        }
        for block in 0..result.functions[id].blocks.len() {
            let Terminator::Call {
                callee: Callee::Direct(callee),
                args,
                ..
            } = &result.functions[id].blocks[block].end
            else {
                continue;
            };
            let copy = replaced.iter().find(|row| row.0 == *callee);
            let text = texts.iter().find(|row| row.0 == *callee);
            let is_constant = |&length: &Expr| result.constant_value(length).is_some();
            let to = match (copy, text) {
                (Some(copy), _) if args.get(2).is_some_and(is_constant) => copy.1,
                (Some(open), _) => open.2,
                (None, Some(text)) => text.1,
                (None, None) => continue,
            };
            has_any |= copy.is_none_or(|copy| to == copy.2);
            if let Terminator::Call { callee, .. } = &mut result.functions[id].blocks[block].end {
                *callee = Callee::Direct(to);
            }
        }
    }
    has_any.then_some(result)
}

/// The function of the library with a name.
fn of_library(program: &Program, name: &str) -> Option<FunctionId> {
    let is_library = |at: Location| {
        program
            .files
            .get(at.file as usize)
            .is_some_and(|file| file == LIBRARY)
    };
    let found = program.functions.iter().position(|function| {
        let first = function.blocks.first();
        function.name == name && first.is_some_and(|block| is_library(block.end_at))
    });
    found.map(|id| id as FunctionId)
}

/// The checks of a function of the library.
#[derive(Default)]
struct Checks {
    /// Of accesses; and that what is written is not constant.
    accesses: bool,
    constants: bool,
}

impl Checks {
    /// Notes a check; whether it is one of an access or of what is written.
    fn note(&mut self, kind: CheckKind) -> bool {
        match kind {
            CheckKind::Null | CheckKind::Outside | CheckKind::Dangling => self.accesses = true,
            CheckKind::Constant => self.constants = true,
            _ => return false,
        }
        true
    }
}

/// The checks of a function and of those that it calls; `None` if there are others, beyond those of its first block.
fn checks_of(program: &Program, function: &Function) -> Option<Checks> {
    let mut found = Checks::default();
    for (number, block) in function.blocks.iter().enumerate() {
        for (instr, _) in &block.instrs {
            match checked(instr) {
                None => {}
                Some(CheckKind::Overlap) if number == 0 => {}
                Some(kind) if found.note(kind) => {}
                Some(_) => return None,
            }
        }
        match &block.end {
            Terminator::Error(_) => return None,
            Terminator::Call {
                callee: Callee::Direct(callee),
                ..
            } => {
                let callee = &program.functions[*callee as usize];
                let calls = |block: &Block| matches!(block.end, Terminator::Call { .. });
                if callee.blocks.iter().any(calls) {
                    return None;
                }
                let checks = checks_of(program, callee)?;
                found.accesses |= checks.accesses;
                found.constants |= checks.constants;
            }
            Terminator::Call { .. } => return None,
            _ => {}
        }
    }
    Some(found)
}

/// A function as open as its bytes are; `None` if it has another form.
fn opened(program: &mut Program, own: FunctionId, kind: Kind) -> Option<Function> {
    let function = program.functions[own as usize].clone();
    let width = program.pointer_width;
    let checks = checks_of(program, &function)?;
    let has_form = function.n_params == 3
        && function.regs[0].width == width
        && function.regs[2].width == width
        && (kind == Kind::Fill || function.regs[1].width == width)
        && function.slots.is_empty();
    if !has_form {
        return None;
    }
    let [to, from, length] = [0, 1, 2].map(|reg: Reg| {
        let width = function.regs[reg as usize].width;
        program.make(ExprNode::Reg(reg), width)
    });
    let mut body = Body {
        program,
        regs: function.regs.clone(),
        instrs: Vec::new(),
        blocks: Vec::new(),
    };
    body.touch(to, length, &checks);
    if kind != Kind::Fill {
        body.touch(from, length, &checks);
    }
    match kind {
        Kind::Compare => body.end(Terminator::Jump(1)),
        Kind::Copy => body.change(to, CopiedBytes::At(from), length, &checks),
        Kind::Fill => body.change(to, CopiedBytes::Value(from), length, &checks),
    }
    let Body {
        mut regs,
        blocks: work,
        ..
    } = body;
    let at = function.blocks[0].end_at;
    let mut entry = function.blocks[0].instrs.clone();
    // A comparison has any result, of no bytes, too.
    let result = match (kind, function.result_width) {
        (Kind::Compare, Some(width)) => {
            let reg = new_register(&mut regs, width);
            entry.push((
                Instr::Choose {
                    reg,
                    kind: Choice::Uninitialised,
                },
                at,
            ));
            program.make(ExprNode::Reg(reg), width)
        }
        (Kind::Compare, None) => return None,
        _ => to,
    };
    let condition = program.truth(length);
    let block = |instrs: Vec<Instr>, end| Block {
        instrs: instrs.into_iter().map(|instr| (instr, at)).collect(),
        end,
        end_at: at,
    };
    let branch = Terminator::Branch {
        condition,
        then: 2,
        otherwise: 1,
    };
    let mut blocks = vec![
        Block {
            instrs: entry,
            end: branch,
            end_at: at,
        },
        block(Vec::new(), Terminator::Return(Some(result))),
    ];
    blocks.extend(work.into_iter().map(|(instrs, end)| block(instrs, end)));
    Some(Function {
        name: format!("{} with open contents", function.name),
        regs,
        blocks,
        n_params: function.n_params,
        result_width: function.result_width,
        ..Function::new("")
    })
}

fn new_register(regs: &mut Vec<Register>, width: u32) -> Reg {
    regs.push(Register {
        width,
        name: None,
        ty: None,
    });
    regs.len() as Reg - 1
}

/// The code for some bytes at least.
struct Body<'p> {
    program: &'p mut Program,
    regs: Vec<Register>,
    /// Of the block that is open.
    instrs: Vec<Instr>,
    /// The blocks from the one with number 2 on.
    blocks: Vec<(Vec<Instr>, Terminator)>,
}

impl Body<'_> {
    /// Bytes that are read or written: all of them are in one object, where that is checked.
    fn touch(&mut self, address: Expr, size: Expr, checks: &Checks) {
        if checks.accesses {
            let reg = new_register(&mut self.regs, 1);
            self.instrs
                .push(Instr::Ghost(Ghost::IsAccessible { reg, address, size }));
            let condition = self.program.make(ExprNode::Reg(reg), 1);
            self.instrs.push(Instr::Check {
                condition,
                what: CheckKind::Outside,
            });
        }
        // An object that is gone is not supported where that is not checked.
        let reg = new_register(&mut self.regs, 8);
        self.instrs.push(Instr::Load {
            reg,
            address,
            bytes: 1,
        });
    }

    /// Ends the open block.
    fn end(&mut self, end: Terminator) {
        self.blocks.push((std::mem::take(&mut self.instrs), end));
    }

    /// The number of the open block.
    fn number(&self) -> BlockId {
        self.blocks.len() as BlockId + 2
    }

    /// Changes bytes from an address on.
    fn change(&mut self, to: Expr, from: CopiedBytes, length: Expr, checks: &Checks) {
        if checks.constants {
            self.instrs.push(Instr::CheckAccess {
                address: to,
                bytes: 1,
                what: CheckKind::Constant,
            });
        }
        match checks.accesses {
            true => {
                self.instrs
                    .push(Instr::Ghost(Ghost::Copy { to, from, length }));
                self.end(Terminator::Jump(1));
            }
            false => self.open(to),
        }
    }

    /// Gives the object at an address any contents from there on. Of what stands before, the first words are kept: a record
    /// with its text behind it holds more than the text.
    fn open(&mut self, address: Expr) {
        let width = self.program.pointer_width;
        let reg = new_register(&mut self.regs, width);
        self.instrs.push(Instr::Ghost(Ghost::Inspect {
            reg,
            address,
            what: PointerFact::Offset,
        }));
        let offset = self.program.make(ExprNode::Reg(reg), width);
        let base = self.program.binary(Op::Sub, address, offset);
        let words: Vec<(Expr, Expr, Reg)> = (0..KEPT_WORDS)
            .map(|index| {
                let start = u128::from(index * width / 8);
                let end = self
                    .program
                    .constant(start + u128::from(width / 8) - 1, width);
                let is_before = self.program.binary(Op::Ult, end, offset);
                let start = self.program.constant(start, width);
                let place = self.program.binary(Op::Add, base, start);
                let reg = new_register(&mut self.regs, width);
                let value = self.program.constant(0, width);
                self.instrs.push(Instr::Set { reg, value });
                (is_before, place, reg)
            })
            .collect();
        let bytes = width / 8;
        let after_loads = self.number() + 2 * KEPT_WORDS;
        for &(condition, address, reg) in &words {
            let load = Instr::Load {
                reg,
                address,
                bytes,
            };
            self.guarded(condition, load, after_loads);
        }
        let condition = self.program.constant(1, 1);
        self.instrs.push(Instr::Ghost(Ghost::Havoc {
            address,
            size: None,
            condition,
            // Other bytes of the object may be those of pointers.
            has_numbers: false,
        }));
        for (condition, address, reg) in words {
            let value = self.program.make(ExprNode::Reg(reg), width);
            let store = Instr::Store {
                address,
                value,
                bytes,
            };
            self.guarded(condition, store, 1);
        }
        self.end(Terminator::Jump(1));
    }

    /// An instruction under a condition; else control goes on elsewhere.
    fn guarded(&mut self, condition: Expr, instr: Instr, otherwise: BlockId) {
        let then = self.number() + 1;
        self.end(Terminator::Branch {
            condition,
            then,
            otherwise,
        });
        self.instrs.push(instr);
        self.end(Terminator::Jump(then + 1));
    }
}

#[cfg(test)]
mod tests;
