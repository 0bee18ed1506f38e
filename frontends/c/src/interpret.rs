//! Runs the lowered program on concrete values, bytes and all: the judge of counterexamples, which shares
//! with symbolic execution nothing but the program and the addresses of static objects.

use std::collections::{BTreeMap, BTreeSet};

use craig_mc::Control;

use craig_word::{binary, from_signed, mask, to_signed};

use super::contents::Contents;
use super::execute::AddressSpace;
use super::float;
use super::ir::*;
use super::library::LIBRARY;
use super::types::{FloatType, Type};

/// Supplies what a run cannot know: inputs, uninitialised contents, addresses.
pub(crate) trait Oracle {
    /// A value of so many bits.
    fn choose(&mut self, kind: &Choice, width: u32, at: Location) -> Result<u128, String>;
    /// The address and contents of a new object.
    fn create(&mut self, size: u64, at: Location) -> Result<(u64, Contents), String>;
    /// What is read from outside of every object.
    fn outside(&mut self, width: u32, at: Location) -> Result<u128, String>;
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Error {
        text: String,
        at: Location,
    },
    Halt,
    /// An assumption does not hold.
    Blocked,
    Stuck {
        text: String,
        at: Location,
    },
}

/// Something that happened, for the reader of a counterexample.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) at: Location,
    pub(crate) function: FunctionId,
    pub(crate) text: String,
    /// The value that was chosen there.
    pub(crate) input: Option<Input>,
}

/// A value that was chosen for the program.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) choice: Choice,
    pub(crate) value: u128,
    pub(crate) width: u32,
    pub(crate) ty: Option<Type>,
}

/// An object, and what is known of it for showing it.
struct Held {
    name: String,
    ty: Option<Type>,
    bytes: Contents,
}

struct Frame {
    function: FunctionId,
    registers: Vec<Option<u128>>,
    slots: Vec<Option<u64>>,
    /// What was allocated until the function returns.
    allocated: Vec<u64>,
    block: BlockId,
    next: usize,
}

pub(crate) struct Machine<'p, O> {
    program: &'p Program,
    space: AddressSpace,
    oracle: O,
    objects: BTreeMap<u64, Held>,
    /// The sizes of objects that are gone, by address; only where lifetimes are tracked.
    gone: BTreeMap<u64, u64>,
    /// What may be freed, with the place of its allocation.
    allocated: BTreeMap<u64, Location>,
    /// How many objects have been allocated, to tell them apart.
    n_allocated: u32,
    frames: Vec<Frame>,
    pub(crate) lines: Vec<Line>,
    steps: u64,
}

/// A run that takes longer is given up.
const MAX_STEPS: u64 = 50_000_000;
const MAX_LINES: usize = 200_000;
const MAX_FRAMES: usize = 1 << 20;

impl<'p, O: Oracle> Machine<'p, O> {
    pub(crate) fn new(program: &'p Program, oracle: O) -> Result<Self, String> {
        let space = AddressSpace::new(program)?;
        let mut machine = Self {
            program,
            space,
            oracle,
            objects: BTreeMap::new(),
            gone: BTreeMap::new(),
            allocated: BTreeMap::new(),
            n_allocated: 0,
            frames: Vec::new(),
            lines: Vec::new(),
            steps: 0,
        };
        for (id, object) in program.statics.iter().enumerate() {
            let base = machine.space.static_address(id as u32);
            let size = object.shape.size;
            let bytes = if object.external {
                machine.oracle.create(size, Location::default())?.1
            } else {
                Contents::zeros(size)
            };
            machine.insert(base, object.name.clone(), object.ty.clone(), bytes);
        }
        machine.enter(program.start, &[]);
        Ok(machine)
    }

    fn enter(&mut self, function: FunctionId, args: &[u128]) {
        let body = &self.program.functions[function as usize];
        let mut registers = vec![None; body.regs.len()];
        for (register, &arg) in registers.iter_mut().zip(args) {
            *register = Some(arg);
        }
        let slots = vec![None; body.slots.len()];
        self.frames.push(Frame {
            function,
            registers,
            slots,
            allocated: Vec::new(),
            block: 0,
            next: 0,
        });
    }

    /// Runs to the end, or until the control says stop.
    pub(crate) fn run(&mut self, control: &Control) -> Result<End, String> {
        let end = self.run_steps(MAX_STEPS, control)?;
        end.ok_or_else(|| "the replay takes too long".into())
    }

    /// Takes so many steps at most; `None` if the run goes on behind them.
    pub(crate) fn run_steps(
        &mut self,
        most: u64,
        control: &Control,
    ) -> Result<Option<End>, String> {
        let program = self.program;
        while let Some(frame) = self.frames.last_mut() {
            if self.steps >= most {
                return Ok(None);
            }
            self.steps += 1;
            if self.steps.is_multiple_of(4096)
                && let Some(reason) = control.stop_reason()
            {
                return Err(format!("the replay was stopped: {reason}"));
            }
            let block = &program.functions[frame.function as usize].blocks[frame.block as usize];
            if let Some((instr, at)) = block.instrs.get(frame.next) {
                frame.next += 1;
                if let Some(end) = self.instr(instr, *at)? {
                    return Ok(Some(end));
                }
                continue;
            }
            let at = block.end_at;
            match &block.end {
                Terminator::Jump(to) => self.jump(*to),
                Terminator::Branch {
                    condition,
                    then,
                    otherwise,
                } => {
                    let to = if self.eval(*condition)? == 1 {
                        *then
                    } else {
                        *otherwise
                    };
                    self.jump(to);
                }
                Terminator::Call { callee, args, .. } => {
                    let args: Vec<u128> = args
                        .iter()
                        .map(|&arg| self.eval(arg))
                        .collect::<Result<_, _>>()?;
                    let id = match callee {
                        Callee::Direct(id) => *id,
                        Callee::Indirect(callee) => {
                            let address = self.eval(*callee)? as u64;
                            let found = (0..program.functions.len() as FunctionId)
                                .find(|&id| self.space.function_address(program, id) == address);
                            match found {
                                Some(id) => id,
                                None => {
                                    let text =
                                        "a call through a pointer to no known function".into();
                                    return Ok(Some(End::Stuck { text, at }));
                                }
                            }
                        }
                    };
                    if program.functions[id as usize].blocks.is_empty() {
                        return Ok(Some(End::Stuck {
                            text: "a call of a function without body".into(),
                            at,
                        }));
                    }
                    let text = format!("call of {}", program.functions[id as usize].name);
                    self.line(at, text, None);
                    if self.frames.len() >= MAX_FRAMES {
                        return Err("the replay needs too many calls within each other".into());
                    }
                    self.enter(id, &args);
                }
                Terminator::Return(value) => {
                    let value = match value {
                        Some(value) => Some(self.eval(*value)?),
                        None => None,
                    };
                    self.leave(value)?;
                }
                Terminator::Halt => return Ok(Some(End::Halt)),
                Terminator::Error(text) => {
                    return Ok(Some(End::Error {
                        text: text.clone(),
                        at,
                    }));
                }
                Terminator::Stuck(text) => {
                    return Ok(Some(End::Stuck {
                        text: text.clone(),
                        at,
                    }));
                }
            }
        }
        Ok(Some(End::Halt))
    }

    fn jump(&mut self, to: BlockId) {
        if let Some(frame) = self.frames.last_mut() {
            frame.block = to;
            frame.next = 0;
        }
    }

    fn leave(&mut self, value: Option<u128>) -> Result<(), String> {
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        for base in frame.slots.into_iter().flatten() {
            self.remove(base);
        }
        if self.program.tracks_lifetimes {
            for base in frame.allocated {
                self.remove(base);
            }
        }
        let Some(caller) = self.frames.last_mut() else {
            return Ok(());
        };
        let block = &self.program.functions[caller.function as usize].blocks[caller.block as usize];
        if let Terminator::Call { result, next, .. } = &block.end {
            if let Some(reg) = result {
                let width =
                    self.program.functions[caller.function as usize].regs[*reg as usize].width;
                let value = value.ok_or("the result of a function that returns none")?;
                caller.registers[*reg as usize] = Some(value & mask(width));
            }
            caller.block = *next;
            caller.next = 0;
        }
        Ok(())
    }

    /// An object comes to life.
    fn insert(&mut self, base: u64, name: String, ty: Option<Type>, bytes: Contents) {
        self.gone.remove(&base);
        self.objects.insert(base, Held { name, ty, bytes });
    }

    /// The object at an address is gone.
    fn remove(&mut self, base: u64) {
        if let Some(held) = self.objects.remove(&base)
            && self.program.tracks_lifetimes
        {
            self.gone.insert(base, held.bytes.size());
        }
    }

    /// Why so many bytes cannot be accessed, if they cannot; see `Executor::is_access_fine`.
    fn access_error(&self, address: u64, bytes: u64) -> Option<CheckKind> {
        if self.find(address, bytes).is_some() {
            return None;
        }
        if address < self.space.page_size() {
            return Some(CheckKind::Null);
        }
        let fits = |(&base, &size): (&u64, &u64)| size >= bytes && address - base <= size - bytes;
        let before = self.gone.range(..=address).next_back();
        Some(if before.is_some_and(fits) {
            CheckKind::Dangling
        } else {
            CheckKind::Outside
        })
    }

    fn line(&mut self, at: Location, text: String, input: Option<Input>) {
        // What the library's models do inside is nothing that a reader has written.
        let file = self.program.files.get(at.file as usize);
        let is_hidden = input.is_none() && file.is_some_and(|file| file == LIBRARY);
        if self.lines.len() < MAX_LINES
            && !is_hidden
            && let Some(frame) = self.frames.last()
        {
            self.lines.push(Line {
                at,
                function: frame.function,
                text,
                input,
            });
        }
    }

    /// What a write to an object changes, in C's syntax where its type tells.
    fn show_store(&self, base: u64, offset: u64, value: u128, bytes: u32) -> String {
        let held = &self.objects[&base];
        let part = match (&held.ty, &self.program.types) {
            (Some(ty), Some(types)) => types.part(ty, offset, u64::from(bytes)),
            _ => None,
        };
        let (place, ty) = match part {
            Some((path, ty)) => (format!("{}{path}", held.name), Some(ty)),
            None if offset == 0 => (held.name.clone(), None),
            None => (format!("{} + {offset} bytes", held.name), None),
        };
        format!("{place} = {}", self.show(value, bytes * 8, ty.as_ref()))
    }

    /// A value in C's syntax, addresses by what they are the addresses of.
    fn show(&self, value: u128, width: u32, ty: Option<&Type>) -> String {
        let address = value as u64;
        // In objects whose type is not known, what looks like an address is one.
        let may_be_address = match ty {
            Some(ty) => matches!(ty, Type::Pointer(_)),
            None => width == self.program.pointer_width,
        };
        if !may_be_address || address == 0 {
            return show_value(value, width, ty);
        }
        let function = (0..self.program.functions.len())
            .find(|&id| self.space.function_address(self.program, id as FunctionId) == address);
        if let Some(id) = function {
            return format!("&{}", self.program.functions[id].name);
        }
        let Some((&base, held)) = self.objects.range(..=address).next_back() else {
            return show_value(value, width, ty);
        };
        let offset = address - base;
        if offset > held.bytes.size() {
            return show_value(value, width, ty);
        }
        // Objects without a name of the program's have a description instead.
        let has_name = !held.name.contains(' ');
        match (has_name, offset) {
            (true, 0) => format!("&{}", held.name),
            (true, _) => format!("(char *)&{} + {offset}", held.name),
            (false, 0) => held.name.clone(),
            (false, _) => format!("{} + {offset} bytes", held.name),
        }
    }

    fn register(&self, reg: Reg) -> &'p Register {
        let function = self.frames.last().map_or(0, |frame| frame.function);
        &self.program.functions[function as usize].regs[reg as usize]
    }

    fn set(&mut self, reg: Reg, value: u128, at: Location, show: bool) {
        let register = self.register(reg);
        if show && let Some(name) = &register.name {
            let text = format!(
                "{name} = {}",
                self.show(value, register.width, register.ty.as_ref())
            );
            self.line(at, text, None);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.registers[reg as usize] = Some(value);
        }
    }

    fn instr(&mut self, instr: &Instr, at: Location) -> Result<Option<End>, String> {
        match instr {
            Instr::Set { reg, value } => {
                let value = self.eval(*value)?;
                self.set(*reg, value, at, true);
            }
            Instr::Load {
                reg,
                address,
                bytes,
            } => {
                let address = self.eval(*address)? as u64;
                let value = match self.find(address, u64::from(*bytes)) {
                    Some((base, offset)) => self.objects[&base].bytes.read(offset, *bytes),
                    None => {
                        self.line(
                            at,
                            format!("{address:#x} is read, outside of every object"),
                            None,
                        );
                        self.oracle.outside(*bytes * 8, at)?
                    }
                };
                self.set(*reg, value, at, false);
            }
            Instr::Store {
                address,
                value,
                bytes,
            } => {
                let address = self.eval(*address)? as u64;
                let value = self.eval(*value)?;
                match self.find(address, u64::from(*bytes)) {
                    Some((base, offset)) => {
                        if let Some(held) = self.objects.get_mut(&base) {
                            held.bytes.write(offset, *bytes, value);
                        }
                        if self.frames.len() > 1 {
                            let text = self.show_store(base, offset, value, *bytes);
                            self.line(at, text, None);
                        }
                    }
                    None => self.line(
                        at,
                        format!("{address:#x} is written, outside of every object"),
                        None,
                    ),
                }
            }
            Instr::Choose { reg, kind } => {
                let register = self.register(*reg);
                let value = self.oracle.choose(kind, register.width, at)? & mask(register.width);
                let shown = show_value(value, register.width, register.ty.as_ref());
                let input = Input {
                    choice: kind.clone(),
                    value,
                    width: register.width,
                    ty: register.ty.clone(),
                };
                let text = match (kind, &register.name) {
                    (Choice::Input(name), _) => Some(format!("{name} gives {shown}")),
                    (Choice::Unknown(name), _) => {
                        Some(format!("{name}, which has no model, gives {shown}"))
                    }
                    // Most such values are never looked at.
                    (Choice::Uninitialised, Some(name)) if value != 0 => Some(format!(
                        "{name}, which has no value yet, happens to be {shown}"
                    )),
                    (Choice::Uninitialised, _) => None,
                    (Choice::Open(what), _) => Some(format!("{what}: {shown}")),
                };
                if let Some(text) = text {
                    self.line(at, text, Some(input));
                }
                self.set(*reg, value, at, false);
            }
            Instr::Declare { slot } => {
                let Some(frame) = self.frames.last() else {
                    return Ok(None);
                };
                let object = &self.program.functions[frame.function as usize].slots[*slot as usize];
                let (base, bytes) = self.oracle.create(object.shape.size, at)?;
                self.insert(base, object.name.clone(), object.ty.clone(), bytes);
                if let Some(frame) = self.frames.last_mut() {
                    frame.slots[*slot as usize] = Some(base);
                }
            }
            Instr::End { slot } => {
                if let Some(frame) = self.frames.last_mut()
                    && let Some(base) = frame.slots[*slot as usize]
                {
                    self.remove(base);
                }
            }
            Instr::Allocate {
                reg,
                size,
                zeroed,
                storage,
                ..
            } => {
                let size = self.eval(*size)? as u64;
                let (base, mut bytes) = self.oracle.create(size, at)?;
                if *zeroed {
                    bytes = Contents::zeros(size);
                }
                self.n_allocated += 1;
                let name = format!("allocated object {}", self.n_allocated);
                self.insert(base, name, None, bytes);
                match storage {
                    Storage::Heap => {
                        self.allocated.insert(base, at);
                    }
                    Storage::Frame => {
                        if let Some(frame) = self.frames.last_mut() {
                            frame.allocated.push(base);
                        }
                    }
                }
                self.set(*reg, u128::from(base), at, false);
            }
            Instr::Free { address } => {
                let address = self.eval(*address)? as u64;
                if self.program.tracks_lifetimes && self.allocated.remove(&address).is_some() {
                    self.remove(address);
                }
            }
            Instr::SizeOf { reg, address } => {
                let address = self.eval(*address)? as u64;
                let size = self
                    .find(address, 1)
                    .map_or(0, |(base, _)| self.objects[&base].bytes.size());
                self.set(*reg, u128::from(size), at, false);
            }
            Instr::Assume { condition } => {
                if self.eval(*condition)? == 0 {
                    return Ok(Some(End::Blocked));
                }
            }
            Instr::Check { condition, what } => {
                let holds = self.eval(*condition)? == 1;
                return Ok(verdict_of(holds, *what, at));
            }
            Instr::CheckAccess {
                address,
                bytes,
                what,
            } => {
                let address = self.eval(*address)? as u64;
                let error = self.access_error(address, u64::from(*bytes));
                return Ok(verdict_of(error != Some(*what), *what, at));
            }
            Instr::CheckFree { address } => {
                let address = self.eval(*address)? as u64;
                let holds = address == 0 || self.allocated.contains_key(&address);
                return Ok(verdict_of(holds, CheckKind::Free, at));
            }
            Instr::CheckLeaks => {
                let left: BTreeSet<Location> = self.allocated.values().copied().collect();
                for &place in &left {
                    self.line(place, "what is allocated here is never freed".into(), None);
                }
                return Ok(verdict_of(left.is_empty(), CheckKind::Leak, at));
            }
        }
        Ok(None)
    }

    /// The object that holds all of the bytes, and where in it they start.
    fn find(&self, address: u64, bytes: u64) -> Option<(u64, u64)> {
        let (&base, held) = self.objects.range(..=address).next_back()?;
        let offset = address - base;
        let end = offset.checked_add(bytes)?;
        (end <= held.bytes.size()).then_some((base, offset))
    }

    fn eval(&self, expr: Expr) -> Result<u128, String> {
        let width = self.program.width(expr);
        let Some(frame) = self.frames.last() else {
            return Err("no function is active".into());
        };
        Ok(match self.program.node(expr) {
            ExprNode::Const(value) => value,
            ExprNode::Reg(reg) => frame.registers[reg as usize]
                .ok_or("a register is read where a jump has passed its declaration")?,
            ExprNode::Not(a) => !self.eval(a)? & mask(width),
            ExprNode::Binary(op, a, b) => {
                binary(op, self.eval(a)?, self.eval(b)?, self.program.width(a))
            }
            ExprNode::Ite(c, a, b) => {
                if self.eval(c)? == 1 {
                    self.eval(a)?
                } else {
                    self.eval(b)?
                }
            }
            ExprNode::Extract(a, low) => self.eval(a)? >> low & mask(width),
            ExprNode::ZExt(a) => self.eval(a)?,
            ExprNode::SExt(a) => {
                from_signed(to_signed(self.eval(a)?, self.program.width(a)), width)
            }
            ExprNode::Static(id) => u128::from(self.space.static_address(id)),
            ExprNode::Slot(slot) => u128::from(
                frame.slots[slot as usize]
                    .ok_or("the address of a variable before its declaration")?,
            ),
            ExprNode::Function(id) => u128::from(self.space.function_address(self.program, id)),
            ExprNode::Float(op, format, a, b, mode) => {
                let operands = (self.eval(a)?, self.eval(b)?);
                let rounding = float::Rounding::of(self.eval(mode)?);
                let operand_width = self.program.width(a);
                float::evaluate(op, format, rounding, operands, operand_width, width)
            }
        })
    }
}

/// The end that a check brings about, if it fails.
fn verdict_of(holds: bool, what: CheckKind, at: Location) -> Option<End> {
    (!holds).then(|| End::Error {
        text: what.text().into(),
        at,
    })
}

/// A value in C's syntax.
pub(crate) fn show_value(value: u128, width: u32, ty: Option<&Type>) -> String {
    match ty {
        Some(Type::Int(int)) if !int.signed => value.to_string(),
        Some(Type::Float(FloatType::Single)) => format!("{:?}", f32::from_bits(value as u32)),
        Some(Type::Float(FloatType::Double)) => format!("{:?}", f64::from_bits(value as u64)),
        Some(Type::Float(FloatType::Extended)) => float::show_extended(value),
        Some(Type::Pointer(_)) => {
            if value == 0 {
                "NULL".into()
            } else {
                format!("{value:#x}")
            }
        }
        _ => to_signed(value, width).to_string(),
    }
}
