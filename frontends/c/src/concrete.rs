//! Runs a program whose way does not depend on anything from outside: no tree of paths, no formula, just the
//! one run, however often its loops go round.
//!
//! What is not known (inputs, contents that nothing has written) is carried along as a term that nothing looks into.
//! As soon as the way of the run, an address or an assumption depends on such a term, this engine gives up. Until then
//! each step is what every run of the program does; a run that ends well, or comes back to a state in which it has been
//! before, shows that no run reaches an error, and an error that it reaches is one of every run.

use std::collections::{BTreeMap, HashMap};

use craig_mc::{Control, UnknownReason};

use craig_word::{Term, Terms, binary, from_signed, mask, to_signed};

use super::bounded::Verdict;
use super::contents::Contents;
use super::execute::{AddressSpace, ObjectId};
use super::float;
use super::interpret::{End, Line, Machine, Oracle};
use super::ir::*;
use super::replay::Counterexample;

/// The name under which this engine reports.
pub(crate) const NAME: &str = "run";

/// Terms that stand for what is not known, at most.
const MAX_TERMS: usize = 20_000_000;
/// Bytes in all objects, at most.
const MAX_BYTES: u64 = 1 << 29;
/// A state with more bytes of memory than this is not compared with earlier ones.
const MAX_COMPARED: u64 = 1 << 14;
/// Calls within each other, at most.
const MAX_DEPTH: usize = 1 << 22;

/// A word, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    Known(u128),
    Free(Term),
}

/// The contents of an object.
#[derive(Clone, PartialEq, Eq)]
struct Held {
    bytes: Vec<u8>,
    /// Which bytes are not known.
    is_free: Vec<bool>,
    /// The terms of words that are not known, by where they start, with their bytes. Free bytes that no such word
    /// covers are any values.
    free: BTreeMap<u64, (Term, u32)>,
    is_alive: bool,
}

#[derive(Clone, PartialEq, Eq)]
struct Frame {
    function: FunctionId,
    block: BlockId,
    next: usize,
    registers: Vec<Option<Word>>,
    slots: Vec<Option<ObjectId>>,
    /// What was allocated until the function returns.
    allocated: Vec<ObjectId>,
}

/// Why a run stops.
enum Stop {
    /// No run reaches an error.
    Safe(&'static str),
    /// Every run reaches this error.
    Error,
    /// It depends, or is more than this engine does.
    GiveUp,
    Limit(UnknownReason),
}

type Step<T> = Result<T, Stop>;

/// Objects of frames that are gone, by function and slot.
type Spare = HashMap<(FunctionId, SlotId), Vec<ObjectId>>;

/// All that the rest of a run depends on.
struct Seen {
    frames: Vec<Frame>,
    held: Vec<Held>,
    spare: Spare,
}

struct Run<'p> {
    program: &'p Program,
    terms: Terms,
    space: AddressSpace,
    /// By object.
    held: Vec<Held>,
    /// Functions by address.
    functions: HashMap<u64, FunctionId>,
    spare: Spare,
    frames: Vec<Frame>,
    n_bytes: u64,
    n_steps: u64,
    /// A state that the run may come back to.
    seen: Option<Seen>,
    /// When the next such state is taken.
    renew: u64,
}

/// Checks a program by running it.
pub(crate) fn check(program: &Program, control: &Control) -> Verdict {
    let gave_up = || {
        let text = "the way of the run depends on what is not known".to_string();
        Verdict::Unknown(UnknownReason::Unsupported(text))
    };
    // Lives and leaks are the business of the other engines.
    if program.tracks_lifetimes {
        return gave_up();
    }
    let Ok(mut run) = Run::new(program) else {
        return gave_up();
    };
    match run.all(control) {
        Stop::Safe(how) => match interpret(program, run.n_steps, control) {
            // As far as that, and no error.
            Ok((None | Some(End::Halt | End::Blocked), _)) => Verdict::Safe(
                format!(
                    "the one run of the program, whatever its inputs, {how} after {} steps; taken by the interpreter, too",
                    run.n_steps
                )
                .into(),
            ),
            _ => gave_up(),
        },
        Stop::Error => match interpret(program, run.n_steps, control) {
            Ok((Some(End::Error { text, at }), lines)) => {
                Verdict::Unsafe(Box::new(Counterexample { text, at, lines }))
            }
            _ => gave_up(),
        },
        Stop::GiveUp => gave_up(),
        Stop::Limit(reason) => Verdict::Unknown(reason),
    }
}

impl<'p> Run<'p> {
    fn new(program: &'p Program) -> Step<Self> {
        let space = AddressSpace::new(program).map_err(|_| Stop::GiveUp)?;
        let functions = (0..program.functions.len() as FunctionId)
            .map(|id| (space.function_address(program, id), id))
            .collect();
        let mut run = Self {
            program,
            terms: Terms::new(),
            space,
            held: Vec::new(),
            functions,
            spare: HashMap::new(),
            frames: Vec::new(),
            n_bytes: 0,
            n_steps: 0,
            seen: None,
            renew: 1 << 10,
        };
        for object in &program.statics {
            let held = run.contents(object.shape.size, object.external)?;
            run.held.push(held);
        }
        for _ in &program.functions {
            let held = run.contents(0, false)?;
            run.held.push(held);
        }
        run.enter(program.start, &[])?;
        Ok(run)
    }

    fn contents(&mut self, size: u64, is_free: bool) -> Step<Held> {
        self.n_bytes = self.n_bytes.checked_add(size).ok_or(Stop::GiveUp)?;
        if self.n_bytes > MAX_BYTES {
            return Err(Stop::GiveUp);
        }
        Ok(Held {
            bytes: vec![0; size as usize],
            is_free: vec![is_free; size as usize],
            free: BTreeMap::new(),
            is_alive: true,
        })
    }

    fn enter(&mut self, function: FunctionId, args: &[Word]) -> Step<()> {
        let body = &self.program.functions[function as usize];
        if self.frames.len() >= MAX_DEPTH || body.blocks.is_empty() || body.n_params != args.len() {
            return Err(Stop::GiveUp);
        }
        let mut registers = vec![None; body.regs.len()];
        for (register, &arg) in registers.iter_mut().zip(args) {
            *register = Some(arg);
        }
        self.frames.push(Frame {
            function,
            block: 0,
            next: 0,
            registers,
            slots: vec![None; body.slots.len()],
            allocated: Vec::new(),
        });
        Ok(())
    }

    fn all(&mut self, control: &Control) -> Stop {
        loop {
            self.n_steps += 1;
            if self.n_steps.is_multiple_of(4096)
                && let Some(reason) = control.stop_reason()
            {
                return Stop::Limit(reason);
            }
            if self.terms.n_terms() > MAX_TERMS {
                return Stop::GiveUp;
            }
            if let Err(stop) = self.step() {
                return stop;
            }
        }
    }

    fn step(&mut self) -> Step<()> {
        let program = self.program;
        let Some(frame) = self.frames.last_mut() else {
            return Err(Stop::Safe("ends"));
        };
        let block = &program.functions[frame.function as usize].blocks[frame.block as usize];
        if let Some((instr, _)) = block.instrs.get(frame.next) {
            frame.next += 1;
            return self.instr(instr);
        }
        match &block.end {
            Terminator::Jump(to) => self.jump(*to),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                let holds = self.known(*condition)? == 1;
                self.jump(if holds { *then } else { *otherwise })
            }
            Terminator::Call { callee, args, .. } => {
                let args: Vec<Word> = args
                    .iter()
                    .map(|&arg| self.eval(arg))
                    .collect::<Step<_>>()?;
                let id = match callee {
                    Callee::Direct(id) => *id,
                    Callee::Indirect(callee) => {
                        let address = self.known(*callee)? as u64;
                        *self.functions.get(&address).ok_or(Stop::GiveUp)?
                    }
                };
                self.enter(id, &args)
            }
            Terminator::Return(value) => {
                let value = match value {
                    Some(value) => Some(self.eval(*value)?),
                    None => None,
                };
                self.leave(value)
            }
            Terminator::Halt => Err(Stop::Safe("ends")),
            Terminator::Error(_) => Err(Stop::Error),
            Terminator::Stuck(_) => Err(Stop::GiveUp),
        }
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function is active")
    }

    fn jump(&mut self, to: BlockId) -> Step<()> {
        let frame = self.frame();
        let is_back = to <= frame.block;
        frame.block = to;
        frame.next = 0;
        if is_back && self.n_bytes <= MAX_COMPARED {
            self.compare()?;
        }
        Ok(())
    }

    /// Stops where the run is in a state in which it has been before: from then on it does the same for ever, since
    /// nothing that is not known decided anything. Brent's way: the state to come back to is renewed ever more rarely.
    fn compare(&mut self) -> Step<()> {
        if let Some(seen) = &self.seen
            && seen.frames.last() == self.frames.last()
            && seen.frames == self.frames
            && seen.held == self.held
            && seen.spare == self.spare
        {
            return Err(Stop::Safe("comes back to a state that it has been in"));
        }
        if self.n_steps >= self.renew && self.frames.len() < 64 {
            self.renew = self.n_steps * 2;
            self.seen = Some(Seen {
                frames: self.frames.clone(),
                held: self.held.clone(),
                spare: self.spare.clone(),
            });
        }
        Ok(())
    }

    fn leave(&mut self, value: Option<Word>) -> Step<()> {
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        for (slot, object) in frame.slots.into_iter().enumerate() {
            if let Some(object) = object {
                self.held[object as usize].is_alive = false;
                let key = (frame.function, slot as SlotId);
                self.spare.entry(key).or_default().push(object);
            }
        }
        let program = self.program;
        let Some(caller) = self.frames.last_mut() else {
            return Ok(());
        };
        let function = &program.functions[caller.function as usize];
        if let Terminator::Call { result, next, .. } = &function.blocks[caller.block as usize].end {
            if let Some(reg) = result {
                let called = &program.functions[frame.function as usize];
                let width = function.regs[*reg as usize].width;
                if called.result_width != Some(width) {
                    return Err(Stop::GiveUp);
                }
                caller.registers[*reg as usize] = Some(value.ok_or(Stop::GiveUp)?);
            }
            caller.block = *next;
            caller.next = 0;
        }
        Ok(())
    }

    fn set(&mut self, reg: Reg, value: Word) {
        self.frame().registers[reg as usize] = Some(value);
    }

    fn width_of(&mut self, reg: Reg) -> u32 {
        let function = self.frame().function;
        self.program.functions[function as usize].regs[reg as usize].width
    }

    /// A value of which nothing is known.
    fn any(&mut self, width: u32) -> Word {
        Word::Free(self.terms.variable(width))
    }

    fn instr(&mut self, instr: &Instr) -> Step<()> {
        match instr {
            Instr::Set { reg, value } => {
                let value = self.eval(*value)?;
                self.set(*reg, value);
            }
            Instr::Load {
                reg,
                address,
                bytes,
            } => {
                let address = self.known(*address)? as u64;
                let value = self.load(address, *bytes);
                self.set(*reg, value);
            }
            Instr::Store {
                address,
                value,
                bytes,
            } => {
                let address = self.known(*address)? as u64;
                let value = self.eval(*value)?;
                self.store(address, value, *bytes);
            }
            Instr::Choose { reg, .. } => {
                let width = self.width_of(*reg);
                let value = self.any(width);
                self.set(*reg, value);
            }
            Instr::Declare { slot } => {
                let function = self.frame().function;
                let size = self.program.functions[function as usize].slots[*slot as usize]
                    .shape
                    .size;
                let old = self.frame().slots[*slot as usize];
                let spare = self.spare.get_mut(&(function, *slot));
                let object = match old.or_else(|| spare.and_then(Vec::pop)) {
                    Some(object) => {
                        let held = &mut self.held[object as usize];
                        held.bytes.fill(0);
                        held.is_free.fill(true);
                        held.free.clear();
                        held.is_alive = true;
                        object
                    }
                    None => self.create(size, true)?,
                };
                self.frame().slots[*slot as usize] = Some(object);
            }
            Instr::End { slot } => {
                if let Some(object) = self.frame().slots[*slot as usize] {
                    self.held[object as usize].is_alive = false;
                }
            }
            Instr::Allocate {
                reg, size, zeroed, ..
            } => {
                let size = self.known(*size)? as u64;
                let object = self.create(size, !zeroed)?;
                let base = self.space.objects[object as usize].base;
                self.set(*reg, Word::Known(u128::from(base)));
            }
            // Freed memory keeps its contents.
            Instr::Free { address } => {
                self.eval(*address)?;
            }
            Instr::SizeOf { reg, address } => {
                let address = self.known(*address)? as u64;
                let size = self
                    .find(address, 1)
                    .map_or(0, |(object, _)| self.held[object].bytes.len());
                self.set(*reg, Word::Known(size as u128));
            }
            // Where it does not hold, no run goes on.
            Instr::Assume { condition } => {
                if self.known(*condition)? == 0 {
                    return Err(Stop::Safe("ends in an assumption that is false"));
                }
            }
            Instr::Check { condition, .. } => {
                if self.known(*condition)? == 0 {
                    return Err(Stop::Error);
                }
            }
            Instr::CheckAccess {
                address,
                bytes,
                what,
            } => {
                let address = self.known(*address)? as u64;
                if self.find(address, u64::from(*bytes)).is_none() {
                    let is_null = address < self.space.page_size();
                    if is_null == (*what == CheckKind::Null) && *what != CheckKind::Dangling {
                        return Err(Stop::Error);
                    }
                }
            }
            Instr::CheckFree { .. } | Instr::CheckLeaks => return Err(Stop::GiveUp),
        }
        Ok(())
    }

    fn create(&mut self, size: u64, is_free: bool) -> Step<ObjectId> {
        let object = self
            .space
            .add(Shape::opaque(size))
            .map_err(|_| Stop::GiveUp)?;
        let held = self.contents(size, is_free)?;
        self.held.push(held);
        debug_assert_eq!(self.held.len(), object as usize + 1);
        Ok(object)
    }

    /// The object that holds all of the bytes, and where in it they start.
    fn find(&self, address: u64, bytes: u64) -> Option<(usize, usize)> {
        let object = self.space.object_at(address)? as usize;
        let held = &self.held[object];
        let offset = address.checked_sub(self.space.objects[object].base)?;
        let end = offset.checked_add(bytes)?;
        (held.is_alive && end <= held.bytes.len() as u64).then_some((object, offset as usize))
    }

    fn load(&mut self, address: u64, bytes: u32) -> Word {
        let Some((object, offset)) = self.find(address, u64::from(bytes)) else {
            return self.any(bytes * 8);
        };
        let held = &self.held[object];
        let range = offset..offset + bytes as usize;
        let n_free = held.is_free[range.clone()].iter().filter(|&&is| is).count();
        if n_free == 0 {
            let bytes = held.bytes[range].iter().rev();
            return Word::Known(bytes.fold(0, |sum, &byte| sum << 8 | u128::from(byte)));
        }
        if let Some(&(term, size)) = held.free.get(&(offset as u64))
            && size == bytes
        {
            return Word::Free(term);
        }
        let term = self.terms.variable(bytes * 8);
        // Where nothing is known of any of the bytes, they keep the value that was read.
        let held = &mut self.held[object];
        if n_free == bytes as usize && overlapping(held, offset as u64, bytes).is_empty() {
            held.free.insert(offset as u64, (term, bytes));
        }
        Word::Free(term)
    }

    fn store(&mut self, address: u64, value: Word, bytes: u32) {
        let Some((object, offset)) = self.find(address, u64::from(bytes)) else {
            return;
        };
        let held = &mut self.held[object];
        for start in overlapping(held, offset as u64, bytes) {
            held.free.remove(&start);
        }
        let range = offset..offset + bytes as usize;
        held.is_free[range.clone()].fill(matches!(value, Word::Free(_)));
        // Bytes that are not known are kept as 0, so that equal states are equal.
        let known = match value {
            Word::Known(known) => known,
            Word::Free(term) => {
                held.free.insert(offset as u64, (term, bytes));
                0
            }
        };
        for (index, byte) in held.bytes[range].iter_mut().enumerate() {
            *byte = (known >> (8 * index)) as u8;
        }
    }

    /// The value of an expression on which the run depends.
    fn known(&mut self, expr: Expr) -> Step<u128> {
        match self.eval(expr)? {
            Word::Known(value) => Ok(value),
            Word::Free(_) => Err(Stop::GiveUp),
        }
    }

    fn term(&mut self, word: Word, width: u32) -> Term {
        match word {
            Word::Known(value) => self.terms.constant(value, width),
            Word::Free(term) => term,
        }
    }

    /// What a term says after its simplification.
    fn word(&self, term: Term) -> Word {
        self.terms
            .constant_value(term)
            .map_or(Word::Free(term), Word::Known)
    }

    fn eval(&mut self, expr: Expr) -> Step<Word> {
        let width = self.program.width(expr);
        Ok(match self.program.node(expr) {
            ExprNode::Const(value) => Word::Known(value),
            ExprNode::Reg(reg) => self.frame().registers[reg as usize].ok_or(Stop::GiveUp)?,
            ExprNode::Not(a) => match self.eval(a)? {
                Word::Known(value) => Word::Known(!value & mask(width)),
                Word::Free(term) => Word::Free(self.terms.not(term)),
            },
            ExprNode::Binary(op, a, b) => {
                let own = self.program.width(a);
                match (self.eval(a)?, self.eval(b)?) {
                    (Word::Known(x), Word::Known(y)) => Word::Known(binary(op, x, y, own)),
                    (x, y) => {
                        let (x, y) = (self.term(x, own), self.term(y, own));
                        let term = self.terms.binary(op, x, y);
                        self.word(term)
                    }
                }
            }
            ExprNode::Ite(c, a, b) => match self.eval(c)? {
                Word::Known(1) => self.eval(a)?,
                Word::Known(_) => self.eval(b)?,
                Word::Free(condition) => {
                    let (a, b) = (self.eval(a)?, self.eval(b)?);
                    let (a, b) = (self.term(a, width), self.term(b, width));
                    let term = self.terms.ite(condition, a, b);
                    self.word(term)
                }
            },
            ExprNode::Extract(a, low) => match self.eval(a)? {
                Word::Known(value) => Word::Known(value >> low & mask(width)),
                Word::Free(term) => {
                    let term = self.terms.extract(term, low, width);
                    self.word(term)
                }
            },
            ExprNode::ZExt(a) => match self.eval(a)? {
                Word::Free(term) => {
                    let term = self.terms.zext(term, width);
                    self.word(term)
                }
                known => known,
            },
            ExprNode::SExt(a) => match self.eval(a)? {
                Word::Known(value) => {
                    let value = to_signed(value, self.program.width(a));
                    Word::Known(from_signed(value, width))
                }
                Word::Free(term) => {
                    let term = self.terms.sext(term, width);
                    self.word(term)
                }
            },
            ExprNode::Static(id) => Word::Known(u128::from(self.space.static_address(id))),
            ExprNode::Slot(slot) => {
                let object = self.frame().slots[slot as usize].ok_or(Stop::GiveUp)?;
                Word::Known(u128::from(self.space.objects[object as usize].base))
            }
            ExprNode::Function(id) => {
                Word::Known(u128::from(self.space.function_address(self.program, id)))
            }
            ExprNode::Float(op, format, a, b, mode) => {
                let operands = (self.eval(a)?, self.eval(b)?);
                match (operands, self.eval(mode)?) {
                    ((Word::Known(x), Word::Known(y)), Word::Known(mode)) => {
                        let (own, mode) = (self.program.width(a), float::Rounding::of(mode));
                        Word::Known(float::evaluate(op, format, mode, (x, y), own, width))
                    }
                    _ => self.any(width),
                }
            }
        })
    }
}

/// Where the words start that are not known and share bytes with a range.
fn overlapping(held: &Held, offset: u64, bytes: u32) -> Vec<u64> {
    if held.free.is_empty() {
        return Vec::new();
    }
    // No word has more than 16 bytes.
    let from = offset.saturating_sub(15);
    let range = held.free.range(from..offset + u64::from(bytes));
    let touches = range.filter(|&(&start, &(_, size))| start + u64::from(size) > offset);
    touches.map(|(&start, _)| start).collect()
}

/// What the interpreter, which shares no code with this engine but that for single operations, says of the run: it is given
/// arbitrary values for all that is free, since they must not matter. So many steps at most; no end if there are more.
fn interpret(
    program: &Program,
    most: u64,
    control: &Control,
) -> Result<(Option<End>, Vec<Line>), String> {
    let space = AddressSpace::new(program)?;
    let seed = 0x9e37_79b9_7f4a_7c15;
    let mut machine = Machine::new(program, Arbitrary { space, seed })?;
    let end = machine.run_steps(most, control)?;
    Ok((end, std::mem::take(&mut machine.lines)))
}

/// Free values are whatever comes, the same with each run, and objects lie wherever there is room.
struct Arbitrary {
    space: AddressSpace,
    seed: u64,
}

impl Arbitrary {
    /// The next number of xorshift64 (Marsaglia 2003).
    fn next(&mut self) -> u64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        self.seed
    }

    fn value(&mut self, width: u32) -> u128 {
        (u128::from(self.next()) << 64 | u128::from(self.next())) & mask(width)
    }
}

impl Oracle for Arbitrary {
    fn choose(&mut self, _: &Choice, width: u32, _: Location) -> Result<u128, String> {
        Ok(self.value(width))
    }

    fn create(&mut self, size: u64, _: Location) -> Result<(u64, Contents), String> {
        if size > MAX_BYTES {
            return Err("an object that is too large".into());
        }
        let object = self.space.add(Shape::opaque(size))?;
        let base = self.space.objects[object as usize].base;
        let mut contents = Contents::zeros(size);
        for offset in 0..size {
            contents.set(offset, self.next() as u8);
        }
        Ok((base, contents))
    }

    fn outside(&mut self, width: u32, _: Location) -> Result<u128, String> {
        Ok(self.value(width))
    }
}
