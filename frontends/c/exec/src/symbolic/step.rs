//! Instructions and expressions over terms.

use std::sync::Arc;

use craig_c_lang::float;
use craig_c_lang::host_function::HostFunction;
use craig_c_lang::ir::*;
use craig_c_lang::types::{FloatType, Type};
use craig_word::{Node, Op, Term};

use super::access::NOT_FOLLOWED;
use super::executor::{Executor, Supported};
use super::objects::kept_address;
use super::points::Points;
use super::sites::Summaries;
use super::state::{Event, Happening, Mark, Position, State};

/// The reason for an input that is an address, but was none where the program wrote through it.
const FOLLOWED_FIRST: &str =
    "an input that is followed as a pointer and compared with an address elsewhere";

impl Executor<'_> {
    /// Executes an instruction. `false`: the path ends.
    pub(super) fn instr(
        &mut self,
        instr: &Instr,
        position: &Position,
        state: &mut State,
    ) -> Supported<bool> {
        let depth = position.call.depth;
        let mut result = None;
        match instr {
            Instr::Set { reg, value } => result = Some((*reg, self.eval(*value, position, state)?)),
            Instr::Load {
                reg,
                address,
                bytes,
            } => {
                let value = self.load_for(*reg, *address, *bytes, position, state)?;
                result = Some((*reg, value));
            }
            Instr::Store {
                address,
                value,
                bytes,
            } => {
                let address = self.eval(*address, position, state)?;
                let value = self.eval(*value, position, state)?;
                self.store(state, address, value, *bytes)?;
            }
            Instr::Choose { reg, kind } => {
                result = Some((*reg, self.choose(*reg, kind, position, state)));
            }
            Instr::Host {
                reg,
                function,
                format,
                arguments,
            } => {
                let called = (*function, *format);
                let Some(value) = self.host_call(*reg, called, arguments, position, state)? else {
                    return Ok(false);
                };
                result = Some((*reg, value));
            }
            Instr::Declare { slot } => self.declare(*slot, position, state)?,
            Instr::End { slot } => self.end_slot(*slot, position, state)?,
            Instr::Havoc {
                function,
                arguments,
            } => self.havoc(function, arguments, position, state)?,
            Instr::Allocate {
                reg,
                size,
                element,
                zeroed,
                storage,
                align,
            } => {
                let size = self.eval(*size, position, state)?;
                (self.storage, self.align) = ((*storage, position.call.context), *align);
                let Some(address) = self.allocate(state, size, element.as_ref(), *zeroed)? else {
                    return Ok(false);
                };
                result = Some((*reg, address));
            }
            Instr::Ghost(ghost) => {
                let (set, goes_on) = self.ghost(ghost, position, state)?;
                if !goes_on {
                    return Ok(false);
                }
                result = set;
            }
            Instr::EndAllocated { .. }
            | Instr::Moved { .. }
            | Instr::Free { .. }
            | Instr::SizeOf { .. } => result = self.object_instr(instr, position, state)?,
            Instr::UsesBits {
                word,
                promised,
                bits,
            } => {
                let word = self.eval(*word, position, state)?;
                self.uses_bits(word, *promised, *bits, position, state)?;
            }
            Instr::Assume { condition } => return self.assumed(*condition, position, state),
            Instr::Candidate { condition } => {
                let condition = self.eval(*condition, position, state)?;
                let guard = self.guards.term(state.guard);
                self.log.candidates.push((guard, condition));
            }
            Instr::Check { .. }
            | Instr::CheckAccess { .. }
            | Instr::CheckFree { .. }
            | Instr::CheckLeaks => return self.check_instr(instr, position, state),
        }
        if let Some((reg, value)) = result {
            Arc::make_mut(&mut state.registers[depth])[reg as usize] = Some(value);
        }
        Ok(true)
    }

    /// The value at an address, for a register.
    fn load_for(
        &mut self,
        reg: Reg,
        address: Expr,
        bytes: u32,
        position: &Position,
        state: &mut State,
    ) -> Supported<Term> {
        let address = self.eval(address, position, state)?;
        self.note_use(reg, position);
        let value = self.load(state, address, bytes);
        (self.is_value_used, self.is_copied) = (false, false);
        value
    }

    /// Leaves the paths on which a condition holds. `false`: there are none.
    fn assumed(
        &mut self,
        condition: Expr,
        position: &Position,
        state: &mut State,
    ) -> Supported<bool> {
        let condition = self.eval(condition, position, state)?;
        Ok(self.confine(state, condition))
    }

    /// The result of a function that runs on the host, for a register.
    fn host_call(
        &mut self,
        reg: Reg,
        called: (HostFunction, FloatType),
        arguments: &[Expr],
        position: &Position,
        state: &mut State,
    ) -> Supported<Option<Term>> {
        let function = &self.program.functions[position.call.function as usize];
        let width = function.regs[reg as usize].width;
        let known = self.known_values(arguments, position, state)?;
        let value = self.host(called, known.as_deref(), width, state);
        if let (HostFunction::Output, Some(value), &[expected]) = (called.0, value, arguments) {
            let expected = self.eval(expected, position, state)?;
            let holds = self.terms.eq(value, expected);
            self.log.outputs.push(holds);
        }
        Ok(value)
    }

    /// Any value, for a register.
    fn choose(&mut self, reg: Reg, kind: &Choice, position: &Position, state: &State) -> Term {
        let function = &self.program.functions[position.call.function as usize];
        let register = &function.regs[reg as usize];
        let value = self.variable(register.width);
        let is_unknown = matches!(kind, Choice::Unknown(_));
        if is_unknown && matches!(register.ty, Some(Type::Pointer(_))) {
            let points = self.unknown_points.clone();
            self.set_points(value, points);
        } else if !matches!(kind, Choice::Uninitialised) {
            self.points.is_input(value);
        }
        self.event(state, Happening::Choose { value });
        value
    }

    /// Notes what a variable points to.
    pub(super) fn set_points(&mut self, variable: Term, points: Points) {
        if self.points.variables.get(&variable) != Some(&points) {
            self.points.variables.insert(variable, points);
            self.points.forget();
        }
    }

    /// The values of expressions, if all of them are known.
    fn known_values(
        &mut self,
        expressions: &[Expr],
        position: &Position,
        state: &State,
    ) -> Supported<Option<Vec<u128>>> {
        let mut known = Some(Vec::new());
        for &expression in expressions {
            let term = self.eval(expression, position, state)?;
            let value = self.terms.constant_value(term);
            known = known.zip(value).map(|(mut known, value)| {
                known.push(value);
                known
            });
        }
        Ok(known)
    }

    /// Ends the lifetimes of allocated objects of the frame: of the one at the address, if there is one.
    fn end_allocated(&mut self, address: Term, state: &mut State) {
        let points = self.points.of(&self.terms, &self.space, address);
        for &object in &points.objects {
            let here = self.is_at(address, object);
            if self.terms.constant_value(here) == Some(1) {
                state.forget(object);
            }
            self.end_life(state, object, here);
        }
    }

    /// Executes an instruction about the object at an address; the register that it sets.
    fn object_instr(
        &mut self,
        instr: &Instr,
        position: &Position,
        state: &mut State,
    ) -> Supported<Option<(Reg, Term)>> {
        match instr {
            Instr::EndAllocated { address } => {
                let address = self.eval(*address, position, state)?;
                self.end_allocated(address, state);
            }
            Instr::Moved { address } => {
                let address = self.eval(*address, position, state)?;
                let points = self.points.of(&self.terms, &self.space, address);
                for &object in &points.objects {
                    self.note_birth(object);
                }
            }
            // Freed memory is never reused, so that only its lifetime changes.
            Instr::Free { address } => {
                let address = self.eval(*address, position, state)?;
                self.note_written(address)?;
                self.free(state, address);
            }
            Instr::SizeOf { reg, address } => {
                let address = self.eval(*address, position, state)?;
                let mut size = self.terms.constant(0, self.space.width);
                for target in self.targets(state, address, 1)? {
                    let own = self.size_of(state, target.object);
                    size = self.terms.ite(target.condition, own, size);
                }
                return Ok(Some((*reg, size)));
            }
            _ => {}
        }
        Ok(None)
    }

    /// Executes an instruction that checks something. `false`: the path ends.
    fn check_instr(
        &mut self,
        instr: &Instr,
        position: &Position,
        state: &mut State,
    ) -> Supported<bool> {
        match instr {
            Instr::Check { condition, what } => {
                let condition = self.eval(*condition, position, state)?;
                let condition = self.normal(condition);
                Ok(self.check(state, condition, *what))
            }
            Instr::CheckAccess {
                address,
                bytes,
                what,
            } => {
                let address = self.eval(*address, position, state)?;
                self.refuse_summaries()?;
                if *bytes > 0 {
                    self.follow(state, address)?;
                }
                let holds = self.is_access_fine(state, address, *bytes, *what)?;
                Ok(self.check(state, holds, *what))
            }
            Instr::CheckFree { address } => {
                self.refuse_summaries()?;
                let address = self.eval(*address, position, state)?;
                let holds = self.may_be_freed(state, address)?;
                Ok(self.check(state, holds, CheckKind::Free))
            }
            Instr::CheckLeaks => {
                self.refuse_summaries()?;
                let holds = self.is_all_freed(state);
                Ok(self.check(state, holds, CheckKind::Leak))
            }
            _ => Ok(true),
        }
    }

    /// A result of a function of the implementation: any that its bounds allow. `None`: no path goes on.
    fn host(
        &mut self,
        (function, format): (HostFunction, FloatType),
        arguments: Option<&[u128]>,
        width: u32,
        state: &mut State,
    ) -> Option<Term> {
        let bounds = arguments.and_then(|arguments| function.bounds(format, arguments));
        if let Some((least, most)) = bounds
            && least == most
        {
            return Some(self.terms.constant(least, width));
        }
        let Some((least, most)) = bounds else {
            return Some(self.variable(width));
        };
        // Few bits vary.
        let distance = most - least;
        let bits = u128::BITS - distance.leading_zeros();
        let offset = self.variable(bits);
        let limit = self.terms.constant(distance, bits);
        let outside = self.terms.binary(Op::Ult, limit, offset);
        let inside = self.terms.not(outside);
        if !self.confine(state, inside) {
            return None;
        }
        let least = self.terms.constant(least, width);
        let offset = self.terms.zext(offset, width);
        Some(self.terms.binary(Op::Add, least, offset))
    }

    /// An error if the condition does not hold; `false` if it holds on no path.
    pub(super) fn check(&mut self, state: &mut State, condition: Term, what: CheckKind) -> bool {
        let fails = self.terms.not(condition);
        if let Some(guard) = self.guards.extend(&mut self.terms, state.guard, fails) {
            let guard = self.guards.term(guard);
            self.log.errors.push(Mark {
                guard,
                at: self.at,
                text: what.text().into(),
            });
        }
        if self.program.passes_goals && what.is_goal() {
            return true;
        }
        match self.guards.extend(&mut self.terms, state.guard, condition) {
            Some(guard) => state.guard = guard,
            None => return false,
        }
        true
    }

    pub(super) fn event(&mut self, state: &State, what: Happening) {
        let guard = self.guards.term(state.guard);
        self.log.events.push(Event {
            guard,
            at: self.at,
            what,
        });
    }

    /// The value of a register.
    fn register(&self, reg: Reg, position: &Position, state: &State) -> Supported<Term> {
        state.registers[position.call.depth][reg as usize].ok_or_else(|| {
            let function = &self.program.functions[position.call.function as usize];
            let name = function.regs[reg as usize]
                .name
                .as_deref()
                .unwrap_or("a value");
            format!("`{name}` is read where a jump may have passed its declaration")
        })
    }

    /// The value of an expression that may not depend on reads of untracked objects.
    fn eval_tracked(&mut self, expr: Expr, position: &Position, state: &State) -> Supported<Term> {
        let term = self.eval(expr, position, state)?;
        self.refuse_others(term)?;
        Ok(term)
    }

    /// The value of an expression.
    pub(super) fn eval(
        &mut self,
        expr: Expr,
        position: &Position,
        state: &State,
    ) -> Supported<Term> {
        let width = self.program.width(expr);
        let address_width = self.space.width;
        Ok(match self.program.node(expr) {
            ExprNode::Const(value) => self.terms.constant(value, width),
            ExprNode::Reg(reg) => self.register(reg, position, state)?,
            ExprNode::Not(a) => {
                let a = self.eval_tracked(a, position, state)?;
                self.terms.not(a)
            }
            ExprNode::Binary(op, a, b) => {
                let a = self.eval(a, position, state)?;
                let b = self.eval(b, position, state)?;
                self.binary(op, (a, b), width, state)?
            }
            ExprNode::Moved(pointer, distance) => {
                let pointer = self.eval(pointer, position, state)?;
                let distance = self.eval(distance, position, state)?;
                let may_differ = self.may_differ(Op::Add, pointer, distance)?;
                debug_assert!(may_differ.is_none(), "a sum is no comparison");
                let moved = self.terms.add(pointer, distance);
                (self.points).is_moved(&self.terms, &self.space, pointer, moved);
                (self.points).is_near(&self.terms, &self.space, &[pointer], moved);
                self.points.is_shifted(&self.terms, pointer, moved);
                moved
            }
            ExprNode::Ite(c, a, b) => {
                let c = self.eval(c, position, state)?;
                let a = self.eval(a, position, state)?;
                let b = self.eval(b, position, state)?;
                self.terms.ite(c, a, b)
            }
            ExprNode::Extract(a, low) => {
                let a = self.eval_tracked(a, position, state)?;
                self.terms.extract(a, low, width)
            }
            ExprNode::ZExt(a) => {
                let a = self.eval_tracked(a, position, state)?;
                self.terms.zext(a, width)
            }
            ExprNode::SExt(a) => {
                let a = self.eval_tracked(a, position, state)?;
                self.terms.sext(a, width)
            }
            ExprNode::Static(id) => {
                let address = self.space.static_address(id);
                self.terms.constant(u128::from(address), address_width)
            }
            ExprNode::Slot(slot) => match kept_address(self, slot, position, state) {
                Some(address) => address,
                None => {
                    let object = self.slot_object(slot, position)?;
                    let base = self.space.objects[object as usize].base;
                    self.terms.constant(u128::from(base), address_width)
                }
            },
            ExprNode::Function(id) => {
                let address = self.space.function_address(self.program, id);
                self.terms.constant(u128::from(address), address_width)
            }
            ExprNode::Float(op, format, a, b, mode) => {
                let a = self.eval_tracked(a, position, state)?;
                let b = self.eval_tracked(b, position, state)?;
                let mode = self.eval_tracked(mode, position, state)?;
                float::build(&mut self.terms, op, format, (a, b), mode, width)
            }
        })
    }

    /// The value of an operator on two words.
    fn binary(
        &mut self,
        op: Op,
        (a, b): (Term, Term),
        width: u32,
        state: &State,
    ) -> Supported<Term> {
        let may_differ = self.may_differ(op, a, b)?;
        if self.is_beside_program {
            return Ok(self.terms.binary(op, a, b));
        }
        if matches!(op, Op::Eq | Op::Ult | Op::Slt | Op::Sub) {
            self.compare(state, op, a, b)?;
        }
        let (a, b) = match op {
            Op::Mul | Op::UDiv | Op::URem => (self.narrowed(a, state), self.narrowed(b, state)),
            _ => (a, b),
        };
        let result = self.terms.binary(op, a, b);
        let is_sum = op == Op::Add && width == self.space.width;
        let has_constant = [a, b].map(|term| self.terms.constant_value(term).is_some());
        match has_constant {
            [false, false] if is_sum && self.points.is_added(&self.terms, result) => {
                return Err(NOT_FOLLOWED.into());
            }
            [false, true] if is_sum => self.points.is_shifted(&self.terms, a, result),
            [true, false] if is_sum => self.points.is_shifted(&self.terms, b, result),
            _ => {}
        }
        if width == self.space.width {
            self.note_near(op, (a, b), result);
        }
        Ok(match may_differ {
            Some(others) => {
                let is_same = self.variable(1);
                let differ = self.terms.not(is_same);
                let differ = self.terms.and(others, differ);
                let equal = self.terms.not(differ);
                self.terms.and(result, equal)
            }
            None => result,
        })
    }

    /// A word that equals an operand on the paths of a state, with zeros for the bits that are zero on all of them: products and
    /// quotients are as large as what is left.
    fn narrowed(&mut self, operand: Term, state: &State) -> Term {
        let word = match self.terms.node(operand) {
            Node::ZExt(word) => word,
            _ => operand,
        };
        let width = self.terms.width(word);
        // Where the program is cut at loops, factors that differ in form hide that products are equal.
        if self.counting || width > u64::BITS || self.terms.constant_value(word).is_some() {
            return operand;
        }
        let largest = self.guards.largest(&self.terms, state.guard, word);
        let bits = (u128::BITS - largest.leading_zeros()).max(1);
        if bits >= width {
            return operand;
        }
        let low = self.terms.extract(word, 0, bits);
        self.terms.zext(low, self.terms.width(operand))
    }

    /// Notes that arithmetic on integers as wide as addresses has computed a word.
    fn note_near(&mut self, op: Op, (a, b): (Term, Term), result: Term) {
        let (points, terms, space) = (&mut self.points, &self.terms, &self.space);
        match op {
            Op::Add => points.is_near(terms, space, &[a, b], result),
            // The difference of two addresses is none.
            Op::Sub if points.of(terms, space, b).objects.is_empty() => {
                points.is_near(terms, space, &[a], result);
            }
            _ => {}
        }
    }

    /// Notes a write, by whatever means, through a pointer: an input that has no targets yet must get none.
    pub(super) fn note_written(&mut self, address: Term) -> Supported<()> {
        let points = self.points.of(&self.terms, &self.space, address);
        self.followed_inputs |= points.input && points.objects.is_empty();
        if self.followed_inputs && self.compared_inputs {
            return Err(FOLLOWED_FIRST.into());
        }
        Ok(())
    }

    /// Processes a comparison or subtraction of words: a free value that is compared with the address of an
    /// object may point into it.
    fn compare(&mut self, state: &State, op: Op, a: Term, b: Term) -> Supported<()> {
        if self.terms.width(a) < self.space.width {
            return Ok(());
        }
        if !self.gone_at.is_empty() {
            let x = self.points.of(&self.terms, &self.space, a);
            let y = self.points.of(&self.terms, &self.space, b);
            self.check_reuse(state, &x, &y)?;
        }
        for (address, word) in [(a, b), (b, a)] {
            if self.terms.constant_value(word).is_some() {
                continue;
            }
            let mut points = self.points.of(&self.terms, &self.space, address);
            // Functions have no order.
            let is_function =
                |&object: &u32| self.space.objects[object as usize].function.is_some();
            if op != Op::Eq && points.objects.iter().any(is_function) {
                Arc::make_mut(&mut points)
                    .objects
                    .retain(|object| !is_function(object));
            }
            if points.objects.is_empty() {
                continue;
            }
            let own = self.points.of(&self.terms, &self.space, word);
            if own.objects.is_empty() && !own.unknown {
                let changed = (self.points).may_point(&self.terms, &self.space, word, &points);
                self.compared_inputs |= changed && own.input;
                if changed && self.summaries.as_ref().is_some_and(Summaries::is_used) {
                    // The word may be one of many of which only one is in the state.
                    return Err("a free value that is compared with an address".into());
                }
                if self.compared_inputs && self.followed_inputs {
                    return Err(FOLLOWED_FIRST.into());
                }
                if changed {
                    self.overlays
                        .refresh_points(&self.terms, &mut self.points, &self.space);
                }
            }
        }
        Ok(())
    }
}
