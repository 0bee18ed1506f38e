//! Texts of open length: functions of the library that read a text up to its end.
//!
//! Each character is a round of a loop, and unrolling has no end where nothing bounds the text. Here, a text in an object whose size
//! is not known ends somewhere in the object if the object's last byte is 0: its length is any one with a 0 behind it. Any other
//! text is read by the function itself. So the program has all runs that it had, and more.

use craig_c_lang::ir::ghost::{CopiedBytes, Ghost, PointerFact};
use craig_c_lang::ir::{
    Block, BlockId, Callee, CheckKind, Choice, DeclaredObject, Expr, ExprNode, Function,
    FunctionId, Instr, Program, Reg, Shape, StaticId, Terminator,
};
use craig_c_lang::property::checked;
use craig_word::Op;

use super::{Body, Checks, new_register, of_library};
use numbers::checks_of_number;

mod numbers;

/// What a function does with the text at its first parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Returns its length.
    Length,
    /// Reads it, and returns nothing.
    Read,
    /// Compares it with the text at the second parameter.
    Compare,
    /// Returns where the character that is the second parameter stands in it, or a null pointer.
    Find,
    /// Copies the text at the second parameter to it, and returns it.
    Copy,
    /// Returns the number that it says, and stores where that ends at the second parameter, if there is one and it is not null.
    Number,
}

const FUNCTIONS: [(&str, Kind); 9] = [
    ("strlen", Kind::Length),
    ("__craig_read_text", Kind::Read),
    ("__craig_exact_strcmp", Kind::Compare),
    ("strchr", Kind::Find),
    ("strrchr", Kind::Find),
    ("strcpy", Kind::Copy),
    ("atoi", Kind::Number),
    ("__craig_number", Kind::Number),
    ("__craig_decimal", Kind::Number),
];

/// How many characters at the start of a text are told from its end.
const FIRST: u128 = 4;

/// How many ends of texts are kept. Of a text that has not changed, two calls return one length, or the later one a smaller length:
/// enough for a copy into an object that is as large as a length said.
const KEPT_ENDS: u64 = 3;

/// The block that returns, and the one that calls the function itself.
const RETURNS: BlockId = 1;
const EXACT: BlockId = 2;

/// Whether there may be a text of open length: an object whose size is not known.
fn has_open_objects(program: &Program) -> bool {
    let functions = program.functions.iter();
    let mut instrs = functions
        .flat_map(|function| &function.blocks)
        .flat_map(|block| &block.instrs);
    instrs.any(|(instr, _)| match instr {
        Instr::Allocate { size, .. } => program.constant_value(*size).is_none(),
        _ => false,
    })
}

/// Adds the functions for texts of open length to a program. Returns those that they stand for, with their own numbers.
pub(super) fn open(program: &mut Program) -> Vec<(FunctionId, FunctionId)> {
    let mut found = Vec::new();
    if !has_open_objects(program) {
        return found;
    }
    let ends = kept_ends(program);
    for (name, kind) in FUNCTIONS {
        let Some(exact) = of_library(program, name) else {
            continue;
        };
        if let Some(function) = opened(program, (exact, ends), kind) {
            found.push((exact, program.functions.len() as FunctionId));
            program.functions.push(function);
        }
    }
    // The sizes of objects are asked for.
    program.tracks_lifetimes |= !found.is_empty();
    found
}

/// The checks of a copy of a text, and whether it is checked that both are apart; `None` if there are others.
fn checks_of_copy(program: &Program, function: &Function) -> Option<(Checks, bool)> {
    let (mut found, mut apart) = (Checks::default(), false);
    for (instr, _) in function.blocks.iter().flat_map(|block| &block.instrs) {
        match checked(instr) {
            None => {}
            Some(CheckKind::Overlap) => apart = true,
            Some(kind) if found.note(kind) => {}
            Some(_) => return None,
        }
    }
    let calls_others = function.blocks.iter().any(|block| match &block.end {
        Terminator::Call {
            callee: Callee::Direct(callee),
            ..
        } => program.functions[*callee as usize].name != "strlen",
        Terminator::Call { .. } | Terminator::Error(_) => true,
        _ => false,
    });
    (!calls_others).then_some((found, apart))
}

/// A function for texts of open length; `None` if the function that it stands for has another form than that of its kind.
fn opened(
    program: &mut Program,
    (exact, ends): (FunctionId, StaticId),
    kind: Kind,
) -> Option<Function> {
    let function = program.functions[exact as usize].clone();
    let width = program.pointer_width;
    let n_params = match kind {
        Kind::Length => 1,
        Kind::Number => function.n_params,
        _ => 2,
    };
    let has_form = function.n_params == n_params
        && function.regs[0].width == width
        && function.result_width.is_some() == (kind != Kind::Read)
        && function.slots.is_empty();
    if !has_form {
        return None;
    }
    let (checks, is_apart) = match kind {
        Kind::Copy => checks_of_copy(program, &function)?,
        Kind::Number => (checks_of_number(&function)?, false),
        _ => Default::default(),
    };
    let params: Vec<Expr> = (0..n_params)
        .map(|reg| program.make(ExprNode::Reg(reg as Reg), function.regs[reg].width))
        .collect();
    let mut text = Text {
        ends,
        body: Body {
            program,
            regs: function.regs[..n_params].to_vec(),
            instrs: Vec::new(),
            blocks: Vec::new(),
        },
    };
    let result = function
        .result_width
        .map(|width| new_register(&mut text.body.regs, width));
    text.body.end(Terminator::Call {
        callee: Callee::Direct(exact),
        args: params.clone(),
        result,
        next: RETURNS,
    });
    text.work(kind, (&params, result), &checks, is_apart)?;
    if kind != Kind::Copy {
        text.body.end(Terminator::Jump(RETURNS));
    }
    let at = function.blocks[0].end_at;
    let Body {
        program,
        regs,
        blocks: work,
        ..
    } = text.body;
    let value = result.map(|reg| program.make(ExprNode::Reg(reg), regs[reg as usize].width));
    let block = |instrs: Vec<Instr>, end| Block {
        instrs: instrs.into_iter().map(|instr| (instr, at)).collect(),
        end,
        end_at: at,
    };
    let mut blocks = vec![
        block(Vec::new(), Terminator::Jump(EXACT + 1)),
        block(Vec::new(), Terminator::Return(value)),
    ];
    blocks.extend(work.into_iter().map(|(instrs, end)| block(instrs, end)));
    Some(Function {
        name: format!("{} of a text of open length", function.name),
        regs,
        blocks,
        n_params,
        result_width: function.result_width,
        ..Function::new("")
    })
}

/// Adds the object with the ends of texts that calls have returned: pairs of an object's number and a place in it.
fn kept_ends(program: &mut Program) -> StaticId {
    let bytes = program.pointer_width / 8;
    let cells = (0..2 * KEPT_ENDS).map(|cell| (cell * u64::from(bytes), bytes));
    program.statics.push(DeclaredObject {
        name: "ends of texts".into(),
        shape: Shape::new(2 * KEPT_ENDS * u64::from(bytes), cells.collect()),
        ty: None,
        align: u64::from(bytes),
        external: false,
        is_constant: false,
        literal: None,
        escapes: false,
    });
    program.statics.len() as StaticId - 1
}

/// Where a text stands.
struct Room {
    /// The number of the object, its first byte, and the distance of the text from there.
    object: Expr,
    start: Expr,
    offset: Expr,
    /// The distance of the object's last byte, which is 0, from the text: the longest length.
    most: Expr,
}

/// The code for texts.
struct Text<'p> {
    /// See [`kept_ends`].
    ends: StaticId,
    body: Body<'p>,
}

impl Text<'_> {
    /// The code of a function that works on texts in objects of open size. `is_apart`: whether it checks that a copy does not overlap.
    fn work(
        &mut self,
        kind: Kind,
        (params, result): (&[Expr], Option<Reg>),
        checks: &Checks,
        is_apart: bool,
    ) -> Option<()> {
        match kind {
            Kind::Read => {
                self.room(params[0]);
            }
            Kind::Length => {
                let room = self.room(params[0]);
                let length = self.length(params[0], &room);
                self.set(result, length);
            }
            Kind::Compare => {
                self.room(params[0]);
                self.room(params[1]);
                self.set_comparison(result?, params);
            }
            Kind::Find => {
                let room = self.room(params[0]);
                self.set_found(result?, params, room.most);
            }
            Kind::Copy => {
                let width = self.body.program.pointer_width;
                let room = self.room(params[1]);
                let length = self.length(params[1], &room);
                self.set(result, params[0]);
                let one = self.body.program.constant(1, width);
                let size = self.body.program.binary(Op::Add, length, one);
                self.body.touch(params[0], size, checks);
                let condition = self.are_apart(params[0], params[1], size);
                if is_apart {
                    let what = CheckKind::Overlap;
                    self.body.instrs.push(Instr::Check { condition, what });
                } else {
                    // A copy to behind its start overwrites the end that it looks for.
                    self.require(condition);
                }
                self.body
                    .change(params[0], CopiedBytes::At(params[1]), size, checks);
            }
            Kind::Number => {
                let room = self.room(params[0]);
                self.set_number(result?, params, room.most, checks);
            }
        }
        Some(())
    }

    fn set(&mut self, result: Option<Reg>, value: Expr) {
        if let Some(reg) = result {
            self.body.instrs.push(Instr::Set { reg, value });
        }
    }

    fn inspected(&mut self, address: Expr, what: PointerFact) -> Expr {
        let width = what.width(self.body.program.pointer_width);
        let reg = new_register(&mut self.body.regs, width);
        let inspect = Ghost::Inspect { reg, address, what };
        self.body.instrs.push(Instr::Ghost(inspect));
        self.body.program.make(ExprNode::Reg(reg), width)
    }

    fn byte_at(&mut self, address: Expr) -> Expr {
        let reg = new_register(&mut self.body.regs, 8);
        self.body.instrs.push(Instr::Load {
            reg,
            address,
            bytes: 1,
        });
        self.body.program.make(ExprNode::Reg(reg), 8)
    }

    fn assume(&mut self, condition: Expr) {
        self.body.instrs.push(Instr::Assume { condition });
    }

    fn chosen(&mut self, width: u32) -> Expr {
        let reg = new_register(&mut self.body.regs, width);
        let kind = Choice::Uninitialised;
        self.body.instrs.push(Instr::Choose { reg, kind });
        self.body.program.make(ExprNode::Reg(reg), width)
    }

    /// Goes on if a condition holds; else the function itself is called.
    fn require(&mut self, condition: Expr) {
        let then = self.body.number() + 1;
        self.body.end(Terminator::Branch {
            condition,
            then,
            otherwise: EXACT,
        });
    }

    /// Goes on if the text at an address ends in its object for sure, and nothing is known of the object's size.
    fn room(&mut self, text: Expr) -> Room {
        let width = self.body.program.pointer_width;
        let reg = new_register(&mut self.body.regs, 1);
        let size = self.body.program.constant(1, width);
        self.body.instrs.push(Instr::Ghost(Ghost::IsAccessible {
            reg,
            address: text,
            size,
        }));
        let is_there = self.body.program.make(ExprNode::Reg(reg), 1);
        self.require(is_there);
        let is_open = self.inspected(text, PointerFact::HasOpenSize);
        self.require(is_open);
        let facts = [PointerFact::Object, PointerFact::Offset, PointerFact::Size];
        let [object, offset, size] = facts.map(|fact| self.inspected(text, fact));
        let program = &mut *self.body.program;
        let one = program.constant(1, width);
        let last = program.binary(Op::Sub, size, one);
        let most = program.binary(Op::Sub, last, offset);
        // From the object's start on, as the distance from the text has bits of its address.
        let zero = program.constant(0, width);
        let back = program.binary(Op::Sub, zero, offset);
        let start = program.moved(text, back);
        let end = program.moved(start, last);
        let last = self.byte_at(end);
        let zero = self.body.program.constant(0, 8);
        let is_end = self.body.program.binary(Op::Eq, last, zero);
        self.require(is_end);
        Room {
            object,
            start,
            offset,
            most,
        }
    }

    /// Any length of a text: a 0 stands there. Of the characters before it, the first one is none, and so are those at the ends that are
    /// kept.
    fn length(&mut self, text: Expr, room: &Room) -> Expr {
        let width = self.body.program.pointer_width;
        let length = self.chosen(width);
        let program = &mut *self.body.program;
        let is_beyond = program.binary(Op::Ult, room.most, length);
        let is_inside = program.not(is_beyond);
        let end = program.moved(text, length);
        let is_some = program.truth(length);
        let is_empty = program.not(is_some);
        self.assume(is_inside);
        let [end, first] = [end, text].map(|address| {
            let byte = self.byte_at(address);
            self.body.program.truth(byte)
        });
        let is_end = self.body.program.not(end);
        self.assume(is_end);
        let begins = self.body.program.or(is_empty, first);
        self.assume(begins);
        let one = self.body.program.constant(1, width);
        let last = self.body.program.binary(Op::Sub, length, one);
        let before = (1..FIRST).map(|index| self.body.program.constant(index, width));
        for index in before.chain([last]).collect::<Vec<_>>() {
            self.assume_character(text, index, length);
        }
        for index in 0..KEPT_ENDS {
            self.assume_no_end(index, length, room);
        }
        let end = self.body.program.binary(Op::Add, room.offset, length);
        self.keep_end(room.object, end);
        length
    }

    /// Assumes that a character is not 0, if it stands before the end.
    fn assume_character(&mut self, text: Expr, index: Expr, length: Expr) {
        let program = &mut *self.body.program;
        let is_before = program.binary(Op::Ult, index, length);
        let zero = program.constant(0, program.width(index));
        // What is read is in the text.
        let index = program.ite(is_before, index, zero);
        let place = program.moved(text, index);
        let byte = self.byte_at(place);
        let program = &mut *self.body.program;
        let is_some = program.truth(byte);
        let is_behind = program.not(is_before);
        let holds = program.or(is_behind, is_some);
        self.assume(holds);
    }

    /// The cells of an end that is kept.
    fn cells_of_end(&mut self, index: u64) -> [Expr; 2] {
        let program = &mut *self.body.program;
        let width = program.pointer_width;
        let base = program.make(ExprNode::Static(self.ends), width);
        [0, 1].map(|part| {
            let distance =
                program.constant(u128::from((2 * index + part) * u64::from(width / 8)), width);
            program.moved(base, distance)
        })
    }

    fn words_of_end(&mut self, index: u64) -> [Expr; 2] {
        let width = self.body.program.pointer_width;
        self.cells_of_end(index).map(|address| {
            let reg = new_register(&mut self.body.regs, width);
            let bytes = width / 8;
            self.body.instrs.push(Instr::Load {
                reg,
                address,
                bytes,
            });
            self.body.program.make(ExprNode::Reg(reg), width)
        })
    }

    /// Assumes that an end that is kept is none of a text, if it lies in it before its length.
    fn assume_no_end(&mut self, index: u64, length: Expr, room: &Room) {
        let [object, end] = self.words_of_end(index);
        let program = &mut *self.body.program;
        let is_object = program.binary(Op::Eq, object, room.object);
        // Ends before the text are far behind it.
        let distance = program.binary(Op::Sub, end, room.offset);
        let is_before = program.binary(Op::Ult, distance, length);
        let is_in = program.binary(Op::And, is_object, is_before);
        let place = program.ite(is_in, end, room.offset);
        let place = program.moved(room.start, place);
        let byte = self.byte_at(place);
        let program = &mut *self.body.program;
        let (is_some, is_out) = (program.truth(byte), program.not(is_in));
        let holds = program.or(is_out, is_some);
        self.assume(holds);
    }

    /// Keeps an end in the place of the oldest.
    fn keep_end(&mut self, object: Expr, end: Expr) {
        let bytes = self.body.program.pointer_width / 8;
        let mut words = [object, end];
        for index in 0..KEPT_ENDS {
            let older = self.words_of_end(index);
            for (address, value) in self.cells_of_end(index).into_iter().zip(words) {
                self.body.instrs.push(Instr::Store {
                    address,
                    value,
                    bytes,
                });
            }
            words = older;
        }
    }

    /// Any result of a comparison; texts that are equal begin with one character.
    fn set_comparison(&mut self, result: Reg, texts: &[Expr]) {
        let width = self.body.regs[result as usize].width;
        let chosen = self.chosen(width);
        let first = [texts[0], texts[1]].map(|text| self.byte_at(text));
        let program = &mut *self.body.program;
        let begin = program.binary(Op::Eq, first[0], first[1]);
        let differ = program.truth(chosen);
        let is_possible = program.or(begin, differ);
        self.assume(is_possible);
        self.set(Some(result), chosen);
    }

    /// No place, or any place of a character. The 0 at the end is one, too.
    fn set_found(&mut self, result: Reg, params: &[Expr], room: Expr) {
        let width = self.body.program.pointer_width;
        let (distance, is_found) = (self.chosen(width), self.chosen(1));
        let program = &mut *self.body.program;
        let is_beyond = program.binary(Op::Ult, room, distance);
        let is_inside = program.not(is_beyond);
        let place = program.moved(params[0], distance);
        let wanted = program.extract(params[1], 0, 8);
        let null = program.constant(0, width);
        self.assume(is_inside);
        let byte = self.byte_at(place);
        let program = &mut *self.body.program;
        let is_it = program.binary(Op::Eq, byte, wanted);
        let is_lost = program.not(is_found);
        let is_right = program.or(is_lost, is_it);
        let is_no_end = program.truth(wanted);
        let is_possible = program.or(is_found, is_no_end);
        let value = program.ite(is_found, place, null);
        self.assume(is_right);
        self.assume(is_possible);
        self.set(Some(result), value);
    }

    /// Whether two ranges of some bytes do not overlap.
    fn are_apart(&mut self, to: Expr, from: Expr, size: Expr) -> Expr {
        let program = &mut *self.body.program;
        let [is_behind, is_before] = [(from, to), (to, from)].map(|(first, second)| {
            let end = program.binary(Op::Add, first, size);
            let overlaps = program.binary(Op::Ult, second, end);
            program.not(overlaps)
        });
        program.or(is_behind, is_before)
    }
}

#[cfg(test)]
mod tests;
