//! Ghost instructions over terms.

use std::sync::Arc;

use craig_c_lang::ir::ghost::{Confined, Ghost, PointerFact};
use craig_c_lang::ir::{CheckKind, Reg, Shape};
use craig_word::{Op, Term};

use super::access::NOT_FOLLOWED;
use super::copies::{Copied, Source};
use super::executor::{Executor, Supported};
use super::havoc::Characters;
use super::memory::constant_low_bits;
use super::overlay::ChainId;
use super::points::Points;
use super::state::{Happening, Position, State};
use craig_c_lang::address_space::ObjectId;

/// The reason for a pointer of a specification whose object is not known.
const UNKNOWN_TARGET: &str = "a specification about a pointer that has not been given a target";
/// The reason for ghost code in a loop of which only one round is looked at.
const NEEDS_UNROLLING: &str = "a specification that is decided by unrolling only";

/// A part of an object with an overlay changes if it has at most this number of cells, which are read.
const MAX_READ_CELLS: usize = 1 << 13;

/// An object that a pointer may point into.
pub(super) struct Pointee {
    pub(super) object: ObjectId,
    /// The pointer is in its pages.
    pub(super) here: Term,
    pub(super) offset: Term,
}

impl Executor<'_> {
    /// Executes a ghost instruction: the register that it sets, and whether the path goes on.
    pub(super) fn ghost(
        &mut self,
        ghost: &Ghost,
        position: &Position,
        state: &mut State,
    ) -> Supported<(Option<(Reg, Term)>, bool)> {
        let mut result = None;
        match ghost {
            Ghost::Inspect { reg, address, what } => {
                let address = self.eval(*address, position, state)?;
                result = Some((*reg, self.inspect(state, address, *what)?));
            }
            Ghost::IsAccessible { reg, address, size } => {
                let address = self.eval(*address, position, state)?;
                let size = self.eval(*size, position, state)?;
                result = Some((*reg, self.is_accessible(state, address, size)?));
            }
            Ghost::Havoc {
                address,
                size,
                condition,
                has_numbers,
            } => {
                let address = self.eval(*address, position, state)?;
                let size = match size {
                    Some(size) => Some(self.eval(*size, position, state)?),
                    None => None,
                };
                let condition = self.eval(*condition, position, state)?;
                self.havoc_bytes(state, (address, size), condition, *has_numbers)?;
            }
            Ghost::Copy { to, from, length } => {
                let to = self.eval(*to, position, state)?;
                let source = self.eval(from.operand(), position, state)?;
                let length = self.eval(*length, position, state)?;
                self.copy_bytes(state, to, (*from, source), length)?;
            }
            Ghost::Uninterpreted {
                reg,
                function,
                arguments,
            } => {
                let function_of = &self.program.functions[position.call.function as usize];
                let width = function_of.regs[*reg as usize].width;
                let mut values = Vec::new();
                for &argument in arguments {
                    values.push(self.eval(argument, position, state)?);
                }
                result = Some((*reg, self.uninterpreted(state, function, values, width)?));
            }
            Ghost::MayMeet {
                reg,
                addresses,
                ends,
                ..
            } => {
                let [a, b] = *addresses;
                let a = self.eval(a, position, state)?;
                let b = self.eval(b, position, state)?;
                result = Some((*reg, self.may_meet(state, a, b, *ends)));
            }
            Ghost::OpenWriteSet { set } => {
                self.refuse_cuts()?;
                let there = (state.memory.iter().enumerate()).filter(|(_, cells)| cells.is_some());
                let objects = there.map(|(object, _)| object as ObjectId);
                (self.before_sets.entry(*set).or_default()).extend(objects);
            }
            Ghost::CheckAssigned { address, confined } => {
                let address = self.eval(*address, position, state)?;
                let holds = self.may_be_written(state, address, confined, position)?;
                return Ok((None, self.check(state, holds, CheckKind::Assigned)));
            }
        }
        Ok((result, true))
    }

    /// What a single round of a loop does not see is not supported where loops are cut.
    pub(super) fn refuse_cuts(&self) -> Supported<()> {
        match self.counting || self.summaries.is_some() || self.elements.is_some() {
            true => Err(NEEDS_UNROLLING.into()),
            false => Ok(()),
        }
    }

    /// The objects that a pointer may point into. Ends the paths with the condition `relevant` on which it points into
    /// none of them, and is not null.
    pub(super) fn pointees(
        &mut self,
        state: &mut State,
        address: Term,
        relevant: Term,
    ) -> Supported<Vec<Pointee>> {
        self.refuse_summaries()?;
        if self.counting && self.has_havocked {
            return Err(NEEDS_UNROLLING.into());
        }
        let points = self.points.of(&self.terms, &self.space, address);
        if points.is_lost() {
            return Err(NOT_FOLLOWED.into());
        }
        let width = self.space.width;
        let page = self.space.page_size();
        let first = self.terms.constant(u128::from(page), width);
        let mut known = self.terms.ult(address, first);
        let mut found = Vec::new();
        for &object in &points.objects {
            let pages = self.space.objects[object as usize].shape.size / page + 1;
            let end = self.terms.constant(u128::from(pages * page), width);
            let base = self.base(object);
            let offset = self.terms.sub(address, base);
            let here = self.terms.ult(offset, end);
            known = self.terms.or(known, here);
            found.push(Pointee {
                object,
                here,
                offset,
            });
        }
        let unknown = self.terms.not(known);
        let unknown = self.terms.and(unknown, relevant);
        self.give_up(state, unknown, UNKNOWN_TARGET)?;
        Ok(found)
    }

    fn inspect(&mut self, state: &mut State, address: Term, what: PointerFact) -> Supported<Term> {
        let width = self.space.width;
        let always = self.terms.boolean(true);
        let mut result = match what {
            PointerFact::Object => self.terms.constant(0, width),
            PointerFact::Offset => address,
            // The size of what a null pointer points to.
            PointerFact::Size => self.variable_of_choice(state, width),
            PointerFact::IsDynamic | PointerFact::IsAlive | PointerFact::HasOpenSize => {
                self.terms.boolean(false)
            }
        };
        for Pointee {
            object,
            here,
            offset,
        } in self.pointees(state, address, always)?
        {
            let own = match what {
                PointerFact::Object => {
                    let number = self.space.objects[object as usize].base / self.space.page_size();
                    self.terms.constant(u128::from(number), width)
                }
                PointerFact::Offset => offset,
                PointerFact::Size => self.size_of(state, object),
                PointerFact::IsDynamic => {
                    let is_dynamic = self.allocated.contains(&object);
                    self.terms.boolean(is_dynamic)
                }
                PointerFact::IsAlive => self.is_alive(state, object),
                // One of the objects is enough, whichever the pointer points into: the answer is known without a search.
                PointerFact::HasOpenSize => {
                    let size = self.size_of(state, object);
                    if self.terms.constant_value(size).is_none() {
                        return Ok(self.terms.boolean(true));
                    }
                    self.terms.boolean(false)
                }
            };
            result = self.terms.ite(here, own, result);
        }
        Ok(result)
    }

    /// A free word that the path chooses.
    fn variable_of_choice(&mut self, state: &State, width: u32) -> Term {
        let value = self.variable(width);
        self.points.is_input(value);
        self.event(state, Happening::Choose { value });
        value
    }

    fn is_accessible(&mut self, state: &mut State, address: Term, size: Term) -> Supported<Term> {
        let (mut accessible, always) = (self.terms.boolean(false), self.terms.boolean(true));
        for pointee in self.pointees(state, address, always)? {
            if (self.space.objects[pointee.object as usize].function).is_some() {
                continue;
            }
            let whole = self.size_of(state, pointee.object);
            let fits = self.is_within(pointee.offset, size, whole);
            let lives = self.is_alive(state, pointee.object);
            let fine = self.terms.and(fits, lives);
            let fine = self.terms.and(fine, pointee.here);
            accessible = self.terms.or(accessible, fine);
        }
        Ok(accessible)
    }

    /// Whether `size` bytes at an offset end within an object of `whole` bytes, one bit.
    fn is_within(&mut self, offset: Term, size: Term, whole: Term) -> Term {
        let too_large = self.terms.ult(whole, size);
        let last = self.terms.sub(whole, size);
        let beyond = self.terms.ult(last, offset);
        let misfit = self.terms.or(too_large, beyond);
        self.terms.not(misfit)
    }

    /// Gives bytes any value, if the condition holds.
    fn havoc_bytes(
        &mut self,
        state: &mut State,
        (address, size): (Term, Option<Term>),
        condition: Term,
        has_numbers: bool,
    ) -> Supported<()> {
        self.refuse_cuts()?;
        if (self.guards.extend(&mut self.terms, state.guard, condition)).is_none() {
            return Ok(());
        }
        self.note_written(address)?;
        let pointees = self.pointees(state, address, condition)?;
        self.forget_element_reads();
        for pointee in pointees {
            let here = self.terms.and(pointee.here, condition);
            if (self.guards.extend(&mut self.terms, state.guard, here)).is_none() {
                continue;
            }
            self.unknown_points = lost();
            match size {
                None => self.change(
                    state,
                    pointee.object,
                    here,
                    (has_numbers, Characters::Bytes),
                )?,
                Some(size) => {
                    self.havoc_part(state, (&pointee, size), here, has_numbers)?;
                }
            }
        }
        Ok(())
    }

    /// Gives `size` bytes of an object any value.
    fn havoc_part(
        &mut self,
        state: &mut State,
        (pointee, size): (&Pointee, Term),
        here: Term,
        has_numbers: bool,
    ) -> Supported<()> {
        let object = pointee.object;
        let whole = self.size_of(state, object);
        let is_inside = self.is_within(pointee.offset, size, whole);
        let is_outside = self.terms.not(is_inside);
        let outside = self.terms.and(is_outside, here);
        self.give_up(
            state,
            outside,
            "a specification changes bytes outside of an object",
        )?;
        let is_whole = self.terms.constant_value(pointee.offset) == Some(0) && whole == size;
        if is_whole {
            return self.change(state, object, here, (has_numbers, Characters::Bytes));
        }
        let shape = self.space.objects[object as usize].shape.clone();
        let mut cells = match (
            state.overlays.get(&object),
            state.memory.get(object as usize),
        ) {
            (Some(&chain), _) if is_large(&shape) => {
                return self.havoc_part_of_chain(state, (pointee, size), chain, here, has_numbers);
            }
            (Some(&chain), _) => self.cells_of_chain(chain, &shape),
            (None, Some(Some(cells))) => cells.as_ref().clone(),
            (None, _) => return Ok(()),
        };
        for (index, &(start, bytes)) in shape.cells.iter().enumerate() {
            let fresh = self.havocked_word(bytes * 8, has_numbers);
            let covered = self.covered(pointee.offset, size, (start, bytes), here);
            cells[index] = self.with_bytes(cells[index], fresh, &covered);
        }
        let cells = Arc::new(cells);
        state.memory[object as usize] = Some(cells.clone());
        state.overlays.remove(&object);
        self.event(
            state,
            Happening::Change {
                object,
                cells,
                owner: None,
                part: None,
                condition: here,
            },
        );
        Ok(())
    }

    /// Gives `size` bytes of a large object any value: they are a copy of what has none.
    fn havoc_part_of_chain(
        &mut self,
        state: &mut State,
        (pointee, size): (&Pointee, Term),
        before: ChainId,
        here: Term,
        has_numbers: bool,
    ) -> Supported<()> {
        let object = pointee.object;
        let owner = self.variable(8);
        let any = self.havocked_contents(self.overlays.size(before), owner, has_numbers);
        let always = self.terms.boolean(true);
        let zero = self.terms.constant(0, self.terms.width(size));
        let is_empty = self.terms.eq(size, zero);
        let has_some = self.terms.not(is_empty);
        let copied = Copied {
            before,
            condition: self.terms.and(here, has_some),
            offset: pointee.offset,
            length: size,
            source: Source::Bytes(vec![(always, any, pointee.offset)]),
        };
        let chain = self.overlays.copy(&mut self.terms, copied);
        state.overlays.insert(object, chain);
        self.event(
            state,
            Happening::Change {
                object,
                cells: Arc::default(),
                owner: Some(owner),
                part: Some((pointee.offset, size)),
                condition: here,
            },
        );
        Ok(())
    }

    /// The cells of an object that has an overlay, and is not large.
    fn cells_of_chain(&mut self, chain: ChainId, shape: &Shape) -> Vec<Term> {
        let width = self.space.width;
        let cells = shape.cells.iter().map(|&(start, bytes)| {
            let offset = self.terms.constant(u128::from(start), width);
            self.read_chain(chain, offset, bytes)
        });
        cells.collect()
    }

    /// For each byte of a cell, whether it is among `size` bytes at an offset, and the condition holds. One bit
    /// for all of them where the range has none or all of the cell.
    fn covered(
        &mut self,
        offset: Term,
        size: Term,
        (start, bytes): (u64, u32),
        here: Term,
    ) -> Vec<Term> {
        let step = u64::from(bytes);
        let mut is_multiple = |term: Term| {
            let wanted = step.trailing_zeros();
            let (known, low) = constant_low_bits(&mut self.terms, term, wanted);
            known >= wanted && low % step.max(1) == 0
        };
        let is_even = step.is_power_of_two()
            && start.is_multiple_of(step)
            && is_multiple(offset)
            && is_multiple(size);
        let n = if is_even { 1 } else { bytes };
        let width = self.space.width;
        let mut covered = Vec::new();
        for byte in 0..u64::from(n) {
            let at = self.terms.constant(u128::from(start + byte), width);
            let distance = self.terms.sub(at, offset);
            let inside = self.terms.ult(distance, size);
            covered.push(self.terms.and(inside, here));
        }
        covered
    }

    /// A word with the bytes of another where that is `covered`.
    fn with_bytes(&mut self, old: Term, new: Term, covered: &[Term]) -> Term {
        let known = self.terms.constant_value(covered[0]);
        if covered.len() == 1 || known.is_some() && covered.iter().all(|&bit| bit == covered[0]) {
            return self.terms.ite(covered[0], new, old);
        }
        let mut result: Option<Term> = None;
        for (byte, &bit) in covered.iter().enumerate() {
            let low = byte as u32 * 8;
            let (new, old) = (
                self.terms.extract(new, low, 8),
                self.terms.extract(old, low, 8),
            );
            let part = self.terms.ite(bit, new, old);
            result = Some(match result {
                Some(low) => self.terms.concat(part, low),
                None => part,
            });
        }
        result.unwrap_or(old)
    }

    /// The value of an uninterpreted function: that of an earlier application to equal arguments, or a new one.
    fn uninterpreted(
        &mut self,
        state: &State,
        function: &Arc<str>,
        arguments: Vec<Term>,
        width: u32,
    ) -> Supported<Term> {
        self.refuse_cuts()?;
        let mut value = self.variable(width);
        self.points.is_input(value);
        let known = self.applications.get(function).cloned().unwrap_or_default();
        let fits = |known: &[Term], terms: &craig_word::Terms| {
            let widths = |terms_of: &[Term]| -> Vec<u32> {
                terms_of.iter().map(|&term| terms.width(term)).collect()
            };
            widths(known) == widths(&arguments)
        };
        if known.iter().any(|(other, _)| !fits(other, &self.terms)) {
            return Err(format!("`{function}` with arguments of different types"));
        }
        for (other, result) in known.iter().rev() {
            let mut same = self.terms.boolean(true);
            for (&a, &b) in arguments.iter().zip(other) {
                let equal = self.terms.eq(a, b);
                same = self.terms.and(same, equal);
            }
            value = self.terms.ite(same, *result, value);
        }
        if !known.iter().any(|(other, _)| *other == arguments) {
            (self.applications.entry(function.clone()).or_default()).push((arguments, value));
        }
        self.event(state, Happening::Choose { value });
        Ok(value)
    }

    /// Whether a write set allows a write, for all sets that confine it, one bit.
    fn may_be_written(
        &mut self,
        state: &State,
        address: Term,
        confined: &[Confined],
        position: &Position,
    ) -> Supported<Term> {
        self.refuse_cuts()?;
        let points = self.points.of(&self.terms, &self.space, address);
        if points.is_lost() {
            return Err(NOT_FOLLOWED.into());
        }
        let page = self.space.page_size();
        let mut violated = self.terms.boolean(false);
        for set in confined {
            self.is_beside_program = true;
            let is_outside = self.eval(set.is_outside, position, state);
            self.is_beside_program = false;
            let is_outside = is_outside?;
            if self.terms.constant_value(is_outside) == Some(0) {
                continue;
            }
            let before = self.before_sets.get(&set.set).cloned().unwrap_or_default();
            let mut is_old = self.terms.boolean(false);
            for &object in points.objects.intersection(&before) {
                let pages = self.space.objects[object as usize].shape.size / page + 1;
                let end = (self.terms).constant(u128::from(pages * page), self.space.width);
                let base = self.base(object);
                let offset = self.terms.binary(Op::Sub, address, base);
                let here = self.terms.ult(offset, end);
                is_old = self.terms.or(is_old, here);
            }
            let violates = self.terms.and(is_outside, is_old);
            violated = self.terms.or(violated, violates);
        }
        Ok(self.terms.not(violated))
    }
}

/// The points of a word that may be any address.
fn lost() -> Points {
    Points {
        bits: true,
        pieces: true,
        mixed: true,
        unknown: true,
        ..Points::default()
    }
}

/// Whether an object has no cells, or too many of them to read them all.
fn is_large(shape: &Shape) -> bool {
    shape.is_opaque() || shape.cells.len() > MAX_READ_CELLS
}
