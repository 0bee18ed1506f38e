//! Checks: further properties in addition to the error marks.

use craig_word::Op;

use super::assigns::root;
use super::state::Root;
use super::{Goals, Lowering, Result, Value};
use crate::float::{Rounding, evaluate, from_double};
use crate::ir::ghost::PointerFact;
use crate::ir::{CheckKind, DeclaredObject, Expr, ExprNode, FloatOp, Instr, Location};
use crate::types::{FloatType, IntType, Type};

impl Lowering<'_> {
    /// An error if the condition does not hold.
    pub(super) fn check(&mut self, condition: Expr, what: CheckKind) {
        if self.is_without_code || self.program.constant_value(condition) == Some(1) {
            return;
        }
        if what == CheckKind::Overflow && self.options.assumes_no_overflow {
            self.note("signed arithmetic is assumed not to overflow".into());
            return self.emit(Instr::Assume { condition });
        }
        if !self.source.disables(self.at_byte, what) {
            self.emit(Instr::Check { condition, what });
        }
    }

    /// An error at a statement that starts on a line of `--cover`.
    pub(super) fn cover(&mut self) {
        let Location { file, line, .. } = self.at;
        let name = self.program.files.get(file as usize);
        let asked = |(wanted, number): &(String, u32)| {
            *number == line && name.is_some_and(|name| is_same_file(name, wanted))
        };
        if !self.has_goals(Goals::Locations) && !self.options.cover.iter().any(asked) {
            return;
        }
        let never = self.program.constant(0, 1);
        // All statements of a line are one property.
        let column = std::mem::replace(&mut self.at.column, 0);
        self.check(never, CheckKind::Line);
        self.at.column = column;
    }

    /// Whether the current code has goals of this kind.
    pub(super) fn has_goals(&self, goals: Goals) -> bool {
        self.options.goals == Some(goals) && self.is_own_code()
    }

    /// A goal: control reaches this point.
    pub(super) fn goal(&mut self, what: CheckKind) {
        let never = self.program.constant(0, 1);
        self.check(never, what);
    }

    /// The goal that a branch is taken.
    pub(super) fn branch_goal(&mut self, is_true: bool) {
        if self.has_goals(Goals::Branches) {
            self.goal(if is_true {
                CheckKind::True
            } else {
                CheckKind::False
            });
        }
    }

    /// The goal that a label of a `switch` is reached.
    pub(super) fn label_goal(&mut self) {
        if self.has_goals(Goals::Branches) {
            self.goal(CheckKind::Label);
        }
    }

    /// The goals that a condition is true, and that it is false.
    pub(super) fn condition_goals(&mut self, truth: Expr) {
        if self.has_goals(Goals::Conditions) {
            let not = self.program.not(truth);
            self.check(not, CheckKind::True);
            self.check(truth, CheckKind::False);
        }
    }

    /// Whether the current code is the program's own, not that of a library model: arithmetic in the model is
    /// not part of the program.
    pub(super) fn is_own_code(&self) -> bool {
        self.files_from < self.library.1
    }

    /// Checks an access to `bytes` bytes, unless it is statically within an object in scope.
    pub(super) fn check_access(&mut self, address: Expr, bytes: u32) {
        let checks = self.options.checks;
        if self.is_without_code
            || !(checks.pointer || checks.bounds)
            || self.is_plainly_inside(address, u64::from(bytes))
        {
            return;
        }
        for (asked, what) in [
            (checks.pointer, CheckKind::Null),
            (checks.pointer, CheckKind::Dangling),
            // What CBMC calls a check of pointers includes the bounds of their objects.
            (true, CheckKind::Outside),
        ] {
            if asked && !self.is_switched_off(address, what) {
                self.emit(Instr::CheckAccess {
                    address,
                    bytes,
                    what,
                });
            }
        }
    }

    /// Whether a pragma switches a check of an access off. As in CBMC, an element of an array by its name is one of bounds alone.
    fn is_switched_off(&self, address: Expr, what: CheckKind) -> bool {
        let is_named = what == CheckKind::Outside
            && matches!(
                root(&self.program, address),
                Some(Root::Slot(_) | Root::Static(_))
            );
        let byte = self.at_byte;
        self.source.disables(byte, what)
            || (is_named && self.source.disables(byte, CheckKind::Index))
    }

    /// As `check_access`, for a write, which must not be to a constant object (C11 6.4.5p7, 6.7.3p6).
    pub(super) fn check_write(&mut self, address: Expr, bytes: u32) {
        self.check_access(address, bytes);
        if self.options.checks.pointer
            && !self.is_without_code
            && self.may_be_constant(address, u64::from(bytes))
        {
            self.emit(Instr::CheckAccess {
                address,
                bytes,
                what: CheckKind::Constant,
            });
        }
    }

    /// Checks that the bytes that a function of the library writes and those that it reads do not overlap: their first ones,
    /// and how many.
    pub(super) fn check_overlap(&mut self, to: (Expr, Expr), from: (Expr, Expr)) {
        if self.options.checks.overlap {
            let apart = self.are_apart(to, from);
            self.check(apart, CheckKind::Overlap);
        }
    }

    /// Checks that a record that is assigned and its new value are one object, or do not overlap (C11 6.5.16.1p3).
    pub(super) fn check_assignment(&mut self, to: Expr, from: Expr, ty: &Type) {
        if !self.options.checks.overlap || !self.is_own_code() || self.is_without_code {
            return;
        }
        let size = u128::from(self.types.size(ty).unwrap_or(0));
        let size = self.program.constant(size, self.pointer_width());
        let apart = self.are_apart((to, size), (from, size));
        let is_one = self.program.binary(Op::Eq, to, from);
        let fine = self.or(apart, is_one);
        self.check(fine, CheckKind::Overlap);
    }

    /// Whether two ranges of bytes share none: their first ones, and how many.
    fn are_apart(&mut self, to: (Expr, Expr), from: (Expr, Expr)) -> Expr {
        let mut apart = self.program.constant(0, 1);
        for (low, high) in [(to, from), (from, to)] {
            let some = self.program.truth(low.1);
            let none = self.program.not(some);
            apart = self.or(apart, none);
            let (end, high) = (self.program.binary(Op::Add, low.0, low.1), high.0);
            let beyond = self.program.binary(Op::Ult, high, end);
            let before = self.program.not(beyond);
            apart = self.or(apart, before);
        }
        apart
    }

    /// Checks that a pointer to a function that is called is not null.
    pub(super) fn check_callee(&mut self, pointer: Expr) {
        let is_asked = self.options.checks.pointer && !self.is_without_code;
        if is_asked && !self.is_switched_off(pointer, CheckKind::Null) {
            self.emit(Instr::CheckAccess {
                address: pointer,
                bytes: 0,
                what: CheckKind::Null,
            });
        }
    }

    /// Checks that two pointers that are subtracted point into one object.
    pub(super) fn check_difference(&mut self, a: Expr, b: Expr) {
        if self.options.checks.difference && self.is_own_code() && !self.is_without_code {
            let [first, second] = [a, b].map(|end| self.inspected(end, PointerFact::Object));
            let is_one = self.program.binary(Op::Eq, first, second);
            self.check(is_one, CheckKind::Difference);
        }
    }

    /// Checks that a pointer plus or minus an index into elements of a size stays in its object, or comes to one past its end.
    pub(super) fn check_moved(
        &mut self,
        pointer: Expr,
        (index, size): (&Value, Expr),
        back: bool,
    ) -> Result<()> {
        if !self.options.checks.arithmetic || !self.is_own_code() || self.is_without_code {
            return Ok(());
        }
        // Wide enough for any product of an index and a size.
        let wide = 2 * self.pointer_width();
        let [offset, whole] = [PointerFact::Offset, PointerFact::Size].map(|fact| {
            let known = self.inspected(pointer, fact);
            self.program.resize(known, wide, false)
        });
        let index = self.resized(index, wide)?;
        let size = self.program.resize(size, wide, false);
        let distance = self.program.binary(Op::Mul, index, size);
        let op = if back { Op::Sub } else { Op::Add };
        let moved = self.program.binary(op, offset, distance);
        let zero = self.program.constant(0, wide);
        let is_before = self.program.binary(Op::Slt, moved, zero);
        let is_beyond = self.program.binary(Op::Slt, whole, moved);
        let is_outside = self.or(is_before, is_beyond);
        let moves = self.program.truth(distance);
        let is_null = self.program.truth(pointer);
        let is_null = self.program.not(is_null);
        let is_wrong = self.or(is_outside, is_null);
        let is_wrong = self.program.binary(Op::And, is_wrong, moves);
        let is_fine = self.program.not(is_wrong);
        self.check(is_fine, CheckKind::Arithmetic);
        Ok(())
    }

    /// Whether a write may be to a constant object; its first value is none.
    fn may_be_constant(&self, address: Expr, bytes: u64) -> bool {
        match self.named_object(address, bytes) {
            Some(object) => object.is_constant && !self.is_initialising,
            None => true,
        }
    }

    /// Whether an access is to a named object at a known offset. A name is only in scope during its object's
    /// lifetime.
    fn is_plainly_inside(&self, address: Expr, bytes: u64) -> bool {
        self.named_object(address, bytes).is_some()
    }

    /// The named object that an access at a known offset is within.
    fn named_object(&self, address: Expr, bytes: u64) -> Option<&DeclaredObject> {
        let (base, offset) = match self.program.node(address) {
            ExprNode::Binary(Op::Add, base, offset) => match self.program.constant_value(offset) {
                Some(offset) => (base, offset as u64),
                None => return None,
            },
            _ => (address, 0),
        };
        let object = match self.program.node(base) {
            ExprNode::Static(id) => &self.program.statics[id as usize],
            ExprNode::Slot(slot) => &self.builder.function.slots[slot as usize],
            _ => return None,
        };
        let end = offset.checked_add(bytes)?;
        (end <= object.shape.size).then_some(object)
    }

    /// Checks an index against the length of its array. If the element's address is taken, it may be the one
    /// past the last (C11 6.5.6p8).
    pub(super) fn check_index(
        &mut self,
        index: &Value,
        length: u64,
        takes_address: bool,
    ) -> Result<()> {
        let width = self.pointer_width();
        let index = self.resized(index, width)?;
        let end = length + u64::from(takes_address);
        let end = self.program.constant(u128::from(end), width);
        let inside = self.program.binary(Op::Ult, index, end);
        self.check(inside, CheckKind::Index);
        Ok(())
    }

    /// Checks that the conversion to a type preserves the value.
    pub(super) fn check_conversion(&mut self, value: &Value, to: &Type) -> Result<()> {
        if !self.options.checks.conversion || self.is_without_code || !self.is_own_code() {
            return Ok(());
        }
        let kept = match (&value.ty, to) {
            // A truth value does not represent the number.
            (_, Type::Int(IntType { rank: 0, .. })) => return Ok(()),
            (Type::Int(from), Type::Int(int)) if from.size.max(int.size) > 8 => {
                // The conversion back gives the same value, with the same sign.
                let wide = from.width().max(int.width());
                let exact = self.program.resize(value.expr, wide, from.signed);
                let converted = self.program.resize(value.expr, int.width(), from.signed);
                let converted = self.program.resize(converted, wide, int.signed);
                let same = self.program.binary(Op::Eq, exact, converted);
                if from.signed == int.signed {
                    same
                } else {
                    let zero = self.program.constant(0, wide);
                    let negative = self.program.binary(Op::Slt, exact, zero);
                    let positive = self.program.not(negative);
                    self.program.binary(Op::And, same, positive)
                }
            }
            (Type::Int(from), Type::Int(int)) => {
                let wide = from.width().max(int.width()) + 1;
                let exact = self.program.resize(value.expr, wide, from.signed);
                let converted = self.program.resize(value.expr, int.width(), from.signed);
                let converted = self.program.resize(converted, wide, int.signed);
                self.program.binary(Op::Eq, exact, converted)
            }
            (Type::Float(format), Type::Int(int)) => self.fits(*format, value.expr, *int)?,
            _ => return Ok(()),
        };
        self.check(kept, CheckKind::Conversion);
        Ok(())
    }

    /// Whether a float's value without its fraction is one of the integer type (C11 6.3.1.4), one bit.
    fn fits(&mut self, format: FloatType, value: Expr, int: IntType) -> Result<Expr> {
        let bits = int.width() - u32::from(int.signed);
        let limit = 2f64.powi(bits as i32);
        let low = if int.signed { -limit } else { 0.0 };
        let width = self.program.width(value);
        let digits = match format {
            FloatType::Single => 24,
            FloatType::Double => 53,
            FloatType::Extended => 64,
            FloatType::Quadruple => return Err("arithmetic on `_Float128`".into()),
        };
        let constant = |lowering: &mut Self, number: f64| {
            let bits = from_double(format, number);
            lowering.program.constant(bits, width)
        };
        let limit = constant(self, limit);
        let below = self.float(FloatOp::Less, format, value, limit, 1)?;
        // Above `low - 1` the fraction is truncated; if the format has no such number, `low` is the next one.
        let above = if bits < digits {
            let (low, one) = (from_double(format, low), from_double(format, 1.0));
            let nearest = Rounding::NearestEven;
            let low = evaluate(FloatOp::Sub, format, nearest, (low, one), width, width);
            let low = self.program.constant(low, width);
            self.float(FloatOp::Less, format, low, value, 1)?
        } else if int.signed {
            let low = constant(self, low);
            self.float(FloatOp::LessOrEqual, format, low, value, 1)?
        } else {
            let low = constant(self, -1.0);
            self.float(FloatOp::Less, format, low, value, 1)?
        };
        Ok(self.program.binary(Op::And, below, above))
    }

    /// Checks that a bit-field of `width` bits can hold the value.
    pub(super) fn check_bit_field(&mut self, value: Expr, width: u32, int: IntType) {
        if self.options.checks.conversion && self.is_own_code() && int.rank > 0 {
            let low = self.program.extract(value, 0, width);
            let back = self
                .program
                .resize(low, self.program.width(value), int.signed);
            let kept = self.program.binary(Op::Eq, value, back);
            self.check(kept, CheckKind::Conversion);
        }
    }

    /// Ends the objects of the scopes that control leaves for one with `depth` enclosing scopes.
    pub(super) fn leave_scopes(&mut self, depth: usize) {
        self.clean_up(depth);
        let slots: Vec<_> = self.scopes[depth..]
            .iter()
            .flat_map(|scope| scope.slots.iter().copied())
            .collect();
        for slot in slots {
            self.emit(Instr::End { slot });
        }
        let arrays: Vec<_> = self.scopes[depth..]
            .iter()
            .flat_map(|scope| scope.arrays.iter().copied())
            .collect();
        for array in arrays {
            let address = self.read(array);
            self.emit(Instr::EndAllocated { address });
        }
    }

    /// A jump to a label ends all objects that are not in scope there.
    pub(super) fn end_at_labels(&mut self) {
        let scoped = std::mem::take(&mut self.builder.scoped);
        for (block, alive) in std::mem::take(&mut self.builder.in_scope) {
            let block = &mut self.builder.function.blocks[block as usize];
            let at = block.instrs.first().map_or(block.end_at, |instr| instr.1);
            let ends = scoped
                .iter()
                .filter(|slot| !alive.contains(slot))
                .map(|&slot| (Instr::End { slot }, at));
            block.instrs.splice(0..0, ends);
        }
    }
}

/// Whether a file name of the preprocessor is the one given by the user: the same, or a path that ends in it.
pub fn is_same_file(name: &str, wanted: &str) -> bool {
    let name = name.strip_prefix("./").unwrap_or(name);
    let wanted = wanted.strip_prefix("./").unwrap_or(wanted);
    name == wanted
        || name
            .strip_suffix(wanted)
            .is_some_and(|directory| directory.ends_with('/'))
}
