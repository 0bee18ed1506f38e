//! A machine that runs the lowered program along one path: control flow, calls, registers and expressions. It
//! is generic over the words and the memory (`Domain`): the replay of counterexamples (`interpret`) runs it
//! on numbers, the engine for programs with a single run (`single_run`) on words that are numbers or unknown.
//!
//! Symbolic execution (`symbolic`) shares only the program and the addresses of static objects with the
//! machine.

mod address_bits;
mod domain;
mod ghost;
mod meeting;

use std::collections::{HashMap, HashSet};

use craig_word::Op;

pub(crate) use self::domain::{
    Allocation, Domain, Frame, GhostMemory, Located, Site, Stepped, Stop,
};
pub use self::domain::{End, LOST};
use crate::concrete::memo::{Arguments, Memo};
use craig_c_lang::host_function::HostFunction;
use craig_c_lang::ir::*;
use craig_c_lang::types::FloatType;

/// The state of a run.
pub(crate) struct Machine<'p, D: Domain> {
    program: &'p Program,
    pub(crate) domain: D,
    /// The active calls, outermost first.
    pub(crate) frames: Vec<Frame<D::Word>>,
    /// Functions by address.
    functions: HashMap<u64, FunctionId>,
    pub(crate) n_steps: u64,
    /// The goals that were passed, if the program has such ([`Program::passes_goals`]).
    pub(crate) passed: HashSet<(Location, CheckKind)>,
    /// Whether the last step was a jump to the same block or an earlier one.
    pub(crate) has_jumped_back: bool,
    /// Results of calls, if they are not executed again.
    pub(crate) memo: Option<Memo>,
    /// The addresses of which it is chosen next whether they are equal, and what was chosen for others.
    compared: Option<(u64, u64)>,
    met: HashMap<(u64, u64), bool>,
}

impl<'p, D: Domain> Machine<'p, D> {
    /// A machine before the first step of the program. The domain contains the static objects.
    pub(crate) fn new(program: &'p Program, domain: D) -> Self {
        let space = domain.space();
        let functions = (0..program.functions.len() as FunctionId)
            .map(|id| (space.function_address(program, id), id))
            .collect();
        let mut machine = Self {
            program,
            domain,
            frames: Vec::new(),
            functions,
            n_steps: 0,
            passed: HashSet::new(),
            has_jumped_back: false,
            memo: None,
            compared: None,
            met: HashMap::new(),
        };
        machine.enter(program.start, &[], None);
        machine
    }

    fn enter(&mut self, function: FunctionId, args: &[D::Word], arguments: Option<Arguments>) {
        let body = &self.program.functions[function as usize];
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
            arguments,
        });
    }

    fn frame(&mut self) -> &mut Frame<D::Word> {
        self.frames.last_mut().expect("a function is active")
    }

    /// Takes one step: an instruction, or the terminator of a block. A run without an active call has halted.
    pub(crate) fn step(&mut self) -> Stepped<()> {
        let program = self.program;
        let depth = self.frames.len();
        let Some(frame) = self.frames.last_mut() else {
            return Err(Stop::End(End::Halt));
        };
        self.n_steps += 1;
        self.has_jumped_back = false;
        let function = frame.function;
        let block = &program.functions[function as usize].blocks[frame.block as usize];
        let site = |at| Site {
            function,
            depth,
            at,
        };
        match block.instrs.get(frame.next) {
            Some((instr, at)) => {
                frame.next += 1;
                self.instr(instr, site(*at))
            }
            None => self.end_of_block(&block.end, site(block.end_at)),
        }
    }

    fn end_of_block(&mut self, end: &Terminator, site: Site) -> Stepped<()> {
        let at = site.at;
        match end {
            Terminator::Jump(to) => self.jump(*to),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                let holds = self.known(*condition)? == 1;
                self.jump(if holds { *then } else { *otherwise });
            }
            Terminator::Call {
                callee,
                args,
                result,
                ..
            } => self.call(callee, args, *result, site)?,
            Terminator::Return(value) => {
                let value = value.map(|value| self.eval(value)).transpose()?;
                self.leave(value)?;
            }
            Terminator::Halt => return Err(Stop::End(End::Halt)),
            Terminator::Error(text) => {
                let text = text.clone();
                return Err(Stop::End(End::Error { text, at }));
            }
            Terminator::Stuck(text) => {
                let text = text.clone();
                return Err(Stop::End(End::Stuck { text, at }));
            }
        }
        Ok(())
    }

    fn jump(&mut self, to: BlockId) {
        let frame = self.frame();
        let is_back = to <= frame.block;
        frame.block = to;
        frame.next = 0;
        self.has_jumped_back = is_back;
    }

    fn call(
        &mut self,
        callee: &Callee,
        args: &[Expr],
        result: Option<Reg>,
        site: Site,
    ) -> Stepped<()> {
        let program = self.program;
        let words: Vec<D::Word> = (args.iter())
            .map(|&arg| self.eval(arg))
            .collect::<Stepped<_>>()?;
        let stuck = |text: &str| {
            let (text, at) = (text.into(), site.at);
            Err(Stop::End(End::Stuck { text, at }))
        };
        let id = match callee {
            Callee::Direct(id) => *id,
            Callee::Indirect(callee) => {
                let address = self.known(*callee)? as u64;
                match self.functions.get(&address) {
                    Some(&id) => id,
                    None => return stuck("a call through a pointer to no known function"),
                }
            }
        };
        let function = &program.functions[id as usize];
        if function.blocks.is_empty() {
            return stuck("a call of a function without body");
        }
        let caller = &program.functions[site.function as usize];
        let fits = function.n_params == args.len()
            && (args.iter().zip(&function.regs)).all(|(&arg, reg)| program.width(arg) == reg.width)
            && result
                .is_none_or(|reg| function.result_width == Some(caller.regs[reg as usize].width));
        if !fits {
            return stuck("a call of a function that does not fit its definition");
        }
        self.domain.report_call(function, site);
        let arguments = self.kept_arguments(id, &words);
        if let (Some(memo), Some(arguments)) = (&self.memo, &arguments)
            && let Some(result) = memo.result(id, arguments.clone())
        {
            let result = result.map(|value| self.domain.constant(value));
            return self.resume(result);
        }
        if self.frames.len() >= D::MAX_FRAMES {
            return Err("the run needs too many calls within each other".into());
        }
        self.enter(id, &words, arguments);
        Ok(())
    }

    /// The arguments of a call, if its result is kept.
    fn kept_arguments(&self, id: FunctionId, words: &[D::Word]) -> Option<Arguments> {
        let memo = self.memo.as_ref()?;
        let words = words.iter().map(|&word| self.domain.value(word));
        memo.is_pure(id).then(|| words.collect())?
    }

    fn leave(&mut self, value: Option<D::Word>) -> Stepped<()> {
        let Some(mut frame) = self.frames.pop() else {
            return Ok(());
        };
        if let (Some(memo), Some(arguments)) = (&mut self.memo, frame.arguments.take()) {
            let result = value.map(|word| self.domain.value(word));
            if result != Some(None) {
                memo.add(frame.function, arguments, result.flatten());
            }
        }
        self.domain.leave(frame);
        self.resume(value)
    }

    /// The caller goes on behind its call.
    fn resume(&mut self, value: Option<D::Word>) -> Stepped<()> {
        let Some(caller) = self.frames.last_mut() else {
            return Ok(());
        };
        let function = &self.program.functions[caller.function as usize];
        if let Terminator::Call { result, next, .. } = &function.blocks[caller.block as usize].end {
            if let Some(reg) = result {
                let value = value.ok_or("the result of a function that returns none")?;
                caller.registers[*reg as usize] = Some(value);
            }
            caller.block = *next;
            caller.next = 0;
        }
        Ok(())
    }

    fn set(&mut self, reg: Reg, word: D::Word) {
        self.frame().registers[reg as usize] = Some(word);
    }

    fn instr(&mut self, instr: &Instr, site: Site) -> Stepped<()> {
        let function = &self.program.functions[site.function as usize];
        match instr {
            Instr::Set { reg, value } => {
                let word = self.eval(*value)?;
                self.domain
                    .report_set(&function.regs[*reg as usize], word, site);
                self.set(*reg, word);
            }
            Instr::Load {
                reg,
                address,
                bytes,
            } => {
                let address = self.known(*address)? as u64;
                let word = match self.part_of_address(address, *bytes, *reg, site)? {
                    Some(word) => word,
                    None => self.domain.load(address, *bytes, site)?,
                };
                self.set(*reg, word);
            }
            Instr::Store {
                address,
                value,
                bytes,
            } => {
                let address = self.known(*address)? as u64;
                let word = self.eval(*value)?;
                self.domain.store(address, word, *bytes, site)?;
            }
            Instr::Choose { reg, kind } => self.choose(*reg, kind, site)?,
            Instr::Host {
                reg,
                function: host,
                format,
                arguments,
            } => self.host(*reg, (*host, *format), arguments, site)?,
            Instr::Declare { slot } => {
                let old = self.frame().slots[*slot as usize];
                let address = self.domain.declare(*slot, old, site)?;
                self.frame().slots[*slot as usize] = Some(address);
            }
            Instr::End { slot } => {
                if let Some(address) = self.frame().slots[*slot as usize] {
                    self.domain.end(address);
                }
            }
            Instr::Allocate {
                reg,
                size,
                zeroed,
                storage,
                align,
                ..
            } => {
                let allocation = Allocation {
                    size: self.known(*size)? as u64,
                    zeroed: *zeroed,
                    storage: *storage,
                    align: *align,
                };
                self.allocate(*reg, allocation, site)?;
            }
            Instr::EndAllocated { address } => {
                let base = self.known(*address)? as u64;
                self.domain.end(base);
            }
            Instr::Moved { .. } | Instr::Candidate { .. } => {}
            Instr::Ghost(ghost) => self.ghost(ghost, site)?,
            Instr::Havoc {
                function,
                arguments,
            } => self.havoc(function, arguments, site)?,
            Instr::Free { address } => {
                let word = self.eval(*address)?;
                self.domain.free(word)?;
            }
            Instr::SizeOf { reg, address } => {
                let address = self.known(*address)? as u64;
                let size = self.domain.size_at(address);
                self.set_number(*reg, size);
            }
            Instr::UsesBits {
                word,
                promised,
                bits,
            } => self.uses_bits(*word, *promised, *bits)?,
            Instr::Assume { condition } => {
                if self.known(*condition)? == 0 {
                    return Err(Stop::End(End::Blocked));
                }
            }
            Instr::Check { .. }
            | Instr::CheckAccess { .. }
            | Instr::CheckFree { .. }
            | Instr::CheckLeaks => self.check(instr, site)?,
        }
        Ok(())
    }

    /// Gives a register a value that the path chooses.
    fn choose(&mut self, reg: Reg, kind: &Choice, site: Site) -> Stepped<()> {
        let function = &self.program.functions[site.function as usize];
        let word = (self.domain).choose(kind, &function.regs[reg as usize], site)?;
        self.note_meeting(word)?;
        self.set(reg, word);
        Ok(())
    }

    fn havoc(&mut self, function: &str, arguments: &[Exposed], site: Site) -> Stepped<()> {
        let roots = (arguments.iter())
            .map(|argument| Ok((self.known(argument.address)? as u64, argument)))
            .collect::<Stepped<Vec<_>>>()?;
        self.domain.havoc(function, &roots, site)
    }

    fn set_number(&mut self, reg: Reg, number: u64) {
        let word = self.domain.constant(u128::from(number));
        self.set(reg, word);
    }

    /// Calls a function of the machine that runs the analysis, whose result the register gets.
    fn host(
        &mut self,
        reg: Reg,
        function: (HostFunction, FloatType),
        arguments: &[Expr],
        site: Site,
    ) -> Stepped<()> {
        let words = (arguments.iter())
            .map(|&argument| self.eval(argument))
            .collect::<Stepped<Vec<D::Word>>>()?;
        let width = self.program.functions[site.function as usize].regs[reg as usize].width;
        let word = self.domain.host(function, &words, width)?;
        self.set(reg, word);
        Ok(())
    }

    /// Allocates an object, whose address the register gets.
    fn allocate(&mut self, reg: Reg, allocation: Allocation, site: Site) -> Stepped<()> {
        let is_of_frame = matches!(allocation.storage, Storage::Frame);
        debug_assert!(
            is_of_frame || u128::from(allocation.size) <= self.program.largest_allocation()
        );
        let address = self.domain.allocate(allocation, site)?;
        if is_of_frame {
            self.frame().allocated.push(address);
        }
        self.set_number(reg, address);
        Ok(())
    }

    /// Ends the run in an error if what the instruction checks does not hold.
    fn check(&mut self, instr: &Instr, site: Site) -> Stepped<()> {
        match instr {
            Instr::Check { condition, what } => {
                let holds = self.known(*condition)? == 1;
                if self.program.passes_goals && what.is_goal() {
                    if !holds {
                        self.passed.insert((site.at, *what));
                    }
                    return Ok(());
                }
                checked(holds, *what, site)
            }
            Instr::CheckAccess {
                address,
                bytes,
                what,
            } => {
                let address = self.known(*address)? as u64;
                let fails = match what {
                    CheckKind::Constant => {
                        self.domain.is_constant(self.program, &self.frames, address)
                    }
                    _ if *bytes == 0 => address < self.domain.space().page_size(),
                    _ => self.domain.access_error(address, *bytes) == Some(*what),
                };
                checked(!fails, *what, site)
            }
            Instr::CheckFree { address } => {
                let address = self.known(*address)? as u64;
                let holds = self.domain.may_free(address)?;
                checked(holds, CheckKind::Free, site)
            }
            Instr::CheckLeaks => {
                let holds = self.domain.is_all_freed(site)?;
                checked(holds, CheckKind::Leak, site)
            }
            _ => Ok(()),
        }
    }

    /// The value of an expression on which the run depends.
    fn known(&mut self, expr: Expr) -> Stepped<u128> {
        let word = self.eval(expr)?;
        (self.domain.value(word)).ok_or_else(|| self.domain.unknown())
    }

    fn eval(&mut self, expr: Expr) -> Stepped<D::Word> {
        let program = self.program;
        let width = program.width(expr);
        let Some(frame) = self.frames.last() else {
            return Err("no function is active".into());
        };
        Ok(match program.node(expr) {
            ExprNode::Const(value) => self.domain.constant(value),
            ExprNode::Reg(reg) => frame.registers[reg as usize]
                .ok_or("a register is read where a jump has passed its declaration")?,
            ExprNode::Not(a) => {
                let a = self.eval(a)?;
                self.domain.not(a, width)
            }
            ExprNode::Binary(op, a, b) => {
                let own = program.width(a);
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                self.domain.binary(op, a, b, own)
            }
            ExprNode::Moved(pointer, distance) => {
                let (pointer, distance) = (self.eval(pointer)?, self.eval(distance)?);
                self.domain.binary(Op::Add, pointer, distance, width)
            }
            ExprNode::Ite(condition, a, b) => {
                let condition = self.eval(condition)?;
                match self.domain.value(condition) {
                    Some(1) => self.eval(a)?,
                    Some(_) => self.eval(b)?,
                    None => {
                        let words = (self.eval(a)?, self.eval(b)?);
                        self.domain.select(condition, words, width)
                    }
                }
            }
            ExprNode::Extract(a, low) => {
                let a = self.eval(a)?;
                self.domain.extract(a, low, width)
            }
            ExprNode::ZExt(a) => {
                let a = self.eval(a)?;
                self.domain.zero_extend(a, width)
            }
            ExprNode::SExt(a) => {
                let own = program.width(a);
                let a = self.eval(a)?;
                self.domain.sign_extend(a, own, width)
            }
            ExprNode::Static(id) => {
                let address = self.domain.space().static_address(id);
                self.domain.constant(u128::from(address))
            }
            ExprNode::Slot(slot) => {
                let address = frame.slots[slot as usize]
                    .ok_or("the address of a variable before its declaration")?;
                self.domain.constant(u128::from(address))
            }
            ExprNode::Function(id) => {
                let address = self.domain.space().function_address(program, id);
                self.domain.constant(u128::from(address))
            }
            ExprNode::Float(op, format, a, b, mode) => {
                let own = program.width(a);
                let operands = (self.eval(a)?, self.eval(b)?);
                let mode = self.eval(mode)?;
                (self.domain).float((op, format), operands, mode, own, width)
            }
        })
    }
}

/// The end caused by a check, if it fails.
fn checked(holds: bool, what: CheckKind, site: Site) -> Stepped<()> {
    if holds {
        return Ok(());
    }
    let (text, at) = (what.text().into(), site.at);
    Err(Stop::End(End::Error { text, at }))
}
