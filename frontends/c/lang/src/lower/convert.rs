//! Conversions between types (C11 6.3), and pointer arithmetic.

use std::sync::Arc;

use craig_word::{Op, to_signed};

use super::{Lowering, Result, Value};
use crate::float::{Rounding, evaluate};
use crate::ir::{CheckKind, Expr, ExprNode, FloatOp, Instr};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::{FloatType, IntType, Type};

impl<'a> Lowering<'a> {
    pub(super) fn float(
        &mut self,
        op: FloatOp,
        format: FloatType,
        a: Expr,
        b: Expr,
        width: u32,
    ) -> Result<Expr> {
        let is_quadruple = format == FloatType::Quadruple
            || op == FloatOp::Convert && width == 128
            || matches!(op, FloatOp::FromSigned | FloatOp::FromUnsigned) && width == 128;
        if is_quadruple {
            return Err("arithmetic on `_Float128`".into());
        }
        let mode = self.rounding_mode(op);
        let constants = [a, b, mode].map(|operand| self.program.constant_value(operand));
        if let [Some(first), Some(second), Some(mode)] = constants
            && let Some(&rounding) = Rounding::ALL.get(mode as usize)
        {
            let operand_width = self.program.width(a);
            let value = evaluate(op, format, rounding, (first, second), operand_width, width);
            return Ok(self.program.constant(value, width));
        }
        let node = ExprNode::Float(op, format, a, b, mode);
        Ok(self.program.make(node, width))
    }

    /// The word of the rounding mode of an operation.
    fn rounding_mode(&mut self, op: FloatOp) -> Expr {
        let Some(kept) = self.rounding_mode.filter(|_| op.rounds()) else {
            return self.rounding(Rounding::NearestEven);
        };
        let address = self.static_address(kept);
        let reg = self.fresh(32);
        self.emit(Instr::Load {
            reg,
            address,
            bytes: 4,
        });
        let mode = self.read(reg);
        self.program.extract(mode, 0, Rounding::BITS)
    }

    /// The word for a rounding mode.
    fn rounding(&mut self, rounding: Rounding) -> Expr {
        let number = Rounding::ALL.iter().position(|&mode| mode == rounding);
        self.program
            .constant(number.unwrap_or(0) as u128, Rounding::BITS)
    }

    /// A float rounded to an integral value of its format, in the current mode if none is given.
    pub(super) fn integral(&mut self, value: &Value, rounding: Option<Rounding>) -> Result<Value> {
        let Type::Float(format) = value.ty else {
            return Err("rounding of an operand that is not a float".into());
        };
        let mode = match rounding {
            Some(rounding) => self.rounding(rounding),
            None => self.rounding_mode(FloatOp::Integral),
        };
        let width = self.program.width(value.expr);
        let node = ExprNode::Float(FloatOp::Integral, format, value.expr, value.expr, mode);
        Ok(Value {
            expr: self.program.make(node, width),
            ty: value.ty.clone(),
        })
    }

    /// A value converted to a type, as by assignment: the conversion is checked if that check is enabled.
    pub(super) fn convert(&mut self, value: Value, to: &Type) -> Result<Value> {
        self.check_conversion(&value, to)?;
        self.cast(value, to)
    }

    /// A value converted to a type, as by a cast.
    // By value, since callers nearly always create the value for this call.
    #[allow(clippy::needless_pass_by_value)]
    pub(super) fn cast(&mut self, value: Value, to: &Type) -> Result<Value> {
        if !to.is_void() && (self.is_complex(&value.ty) || self.is_complex(to)) {
            return self.cast_complex(&value, to);
        }
        if !to.is_void() && (self.is_vector(&value.ty) || self.is_vector(to)) {
            return self.cast_vector(&value, to);
        }
        let expr = match (&value.ty, to) {
            (_, Type::Void) => self.program.constant(0, 8),
            (Type::Record(a), Type::Record(b)) => {
                if a != b && self.types.records[*a].size != self.types.records[*b].size {
                    return Err("a conversion between records".into());
                }
                value.expr
            }
            (Type::Record(_), _) | (_, Type::Record(_)) => {
                return Err("a conversion from or to a record".into());
            }
            (Type::Void, _) => return Err("the value of a void expression".into()),
            (_, Type::Int(IntType { rank: 0, .. })) => {
                let truth = self.truth(&value)?;
                self.program.resize(truth, 8, false)
            }
            (Type::Int(from), Type::Int(int)) => {
                if int.width() < from.width() {
                    self.narrows_address(value.expr, int.width());
                }
                let expr = self.program.resize(value.expr, int.width(), from.signed);
                self.keeps_address_number(value.expr, expr);
                expr
            }
            (Type::Int(from), Type::Pointer(_) | Type::VaList) => {
                let is_number = self.program.constant_value(value.expr).is_some();
                self.observed.any_end |= !is_number && self.is_own_code();
                let width = self.pointer_width();
                self.program.resize(value.expr, width, from.signed)
            }
            (Type::Pointer(to), Type::Int(int)) => {
                let (pointee, width) = (to.clone(), int.width());
                self.is_address_number(value.expr, &pointee);
                self.narrows_address(value.expr, width);
                let expr = self.program.resize(value.expr, width, false);
                self.is_address_number(expr, &pointee);
                expr
            }
            (Type::VaList, Type::Int(int)) => self.program.resize(value.expr, int.width(), false),
            (Type::Pointer(from), Type::Pointer(to)) => {
                self.notes_bytes(from, to);
                value.expr
            }
            (Type::Pointer(_) | Type::VaList, Type::Pointer(_) | Type::VaList) => value.expr,
            (Type::Int(from), Type::Float(format)) => {
                let op = if from.signed {
                    FloatOp::FromSigned
                } else {
                    FloatOp::FromUnsigned
                };
                self.uses_all_bits(value.expr);
                let width = self.scalar_width(to).unwrap_or(64);
                let number = self.in_container(value.expr, *from);
                self.float(op, *format, number, number, width)?
            }
            (Type::Float(format), Type::Int(int)) => {
                let op = if int.signed {
                    FloatOp::ToSigned
                } else {
                    FloatOp::ToUnsigned
                };
                let width = int.container_width();
                let number = self.float(op, *format, value.expr, value.expr, width)?;
                self.program.resize(number, int.width(), int.signed)
            }
            (Type::Float(a), Type::Float(b)) if a == b => value.expr,
            (Type::Float(from), Type::Float(_)) => {
                let width = self.scalar_width(to).unwrap_or(64);
                self.float(FloatOp::Convert, *from, value.expr, value.expr, width)?
            }
            (_, to) => return Err(format!("a conversion to {to:?}")),
        };
        Ok(Value {
            expr,
            ty: to.clone(),
        })
    }

    /// One bit: whether a scalar compares unequal to 0.
    pub(super) fn truth(&mut self, value: &Value) -> Result<Expr> {
        match &value.ty {
            Type::Float(format) => {
                let width = self.program.width(value.expr);
                let zero = self.program.constant(0, width);
                let equal = self.float(FloatOp::Equal, *format, value.expr, zero, 1)?;
                Ok(self.program.not(equal))
            }
            ty if ty.is_scalar() => Ok(self.program.truth(value.expr)),
            ty if self.is_complex(ty) => self.complex_truth(value),
            _ => Err("the truth of something that is no scalar".into()),
        }
    }

    /// A truth value as an `int`.
    pub(super) fn int_of_bit(&mut self, bit: Expr) -> Value {
        Value {
            expr: self.program.resize(bit, 32, false),
            ty: Type::INT,
        }
    }

    /// An integer in the smallest machine word that holds it.
    pub(super) fn in_container(&mut self, value: Expr, ty: IntType) -> Expr {
        self.program.resize(value, ty.container_width(), ty.signed)
    }

    /// The integer promotions.
    pub(super) fn promote(&mut self, value: Value) -> Result<Value> {
        match value.ty {
            Type::Int(int) if int.is_promoted() => {
                self.convert(value, &Type::Int(int.promoted(self.options.model)))
            }
            _ => Ok(value),
        }
    }

    /// The usual arithmetic conversions: both values in their common type.
    pub(super) fn balance(&mut self, a: Value, b: Value) -> Result<(Value, Value, Type)> {
        let (a, b) = (self.promote(a)?, self.promote(b)?);
        let common = match (&a.ty, &b.ty) {
            (Type::Float(x), Type::Float(y)) => {
                let size = |format: &FloatType| match format {
                    FloatType::Single => 0,
                    FloatType::Double => 1,
                    FloatType::Extended => 2,
                    FloatType::Quadruple => 3,
                };
                Type::Float(if size(x) >= size(y) { *x } else { *y })
            }
            (Type::Float(x), _) => Type::Float(*x),
            (_, Type::Float(y)) => Type::Float(*y),
            (Type::Int(x), Type::Int(y)) => Type::Int(x.common(*y)),
            _ => return Err("arithmetic on something that is no number".into()),
        };
        Ok((self.convert(a, &common)?, self.convert(b, &common)?, common))
    }

    /// An integer's value at another width.
    pub(super) fn resized(&mut self, value: &Value, width: u32) -> Result<Expr> {
        match value.ty {
            Type::Int(int) => Ok(self.program.resize(value.expr, width, int.signed)),
            Type::Pointer(_) => Ok(self.program.resize(value.expr, width, false)),
            _ => Err("an integer is wanted".into()),
        }
    }

    /// A type's size as an expression of pointer width.
    pub(super) fn size_of_value(&mut self, ty: &Type) -> Result<Expr> {
        if let Type::Variable(_, reg) = ty {
            return Ok(self.read(*reg));
        }
        let width = self.pointer_width();
        let size = self
            .types
            .size(ty)
            .ok_or("the size of an incomplete type")?;
        Ok(self.program.constant(u128::from(size), width))
    }

    /// `pointer + index` or `pointer - index`.
    pub(super) fn move_pointer(
        &mut self,
        pointer: &Value,
        index: &Value,
        back: bool,
    ) -> Result<Value> {
        let Type::Pointer(element) = &pointer.ty else {
            return Err("an index of something that is no pointer".into());
        };
        let width = self.pointer_width();
        let size = self.size_of_value(element)?;
        self.check_moved(pointer.expr, (index, size), back)?;
        let index = self.resized(index, width)?;
        let distance = self.program.binary(Op::Mul, index, size);
        let expr = match back {
            true => self.program.binary(Op::Sub, pointer.expr, distance),
            false => self.program.moved(pointer.expr, distance),
        };
        Ok(Value {
            expr,
            ty: pointer.ty.clone(),
        })
    }

    /// Arithmetic on balanced operands.
    pub(super) fn arithmetic(
        &mut self,
        op: &BinaryOperator,
        a: &Value,
        b: &Value,
    ) -> Result<Value> {
        let ty = a.ty.clone();
        self.keeps_to_promised_bits(op, a.expr, b.expr);
        let expr = match &ty {
            Type::Float(format) => {
                let op = match op {
                    BinaryOperator::Plus => FloatOp::Add,
                    BinaryOperator::Minus => FloatOp::Sub,
                    BinaryOperator::Multiply => FloatOp::Mul,
                    BinaryOperator::Divide => FloatOp::Div,
                    _ => return Err("this operator on floats".into()),
                };
                let width = self.program.width(a.expr);
                self.float(op, *format, a.expr, b.expr, width)?
            }
            Type::Int(int) => {
                let word_op = match (op, int.signed) {
                    (BinaryOperator::Plus, _) => Op::Add,
                    (BinaryOperator::Minus, _) => Op::Sub,
                    (BinaryOperator::Multiply, _) => Op::Mul,
                    (BinaryOperator::Divide, true) => Op::SDiv,
                    (BinaryOperator::Divide, false) => Op::UDiv,
                    (BinaryOperator::Modulo, true) => Op::SRem,
                    (BinaryOperator::Modulo, false) => Op::URem,
                    (BinaryOperator::BitwiseAnd, _) => Op::And,
                    (BinaryOperator::BitwiseXor, _) => Op::Xor,
                    (BinaryOperator::BitwiseOr, _) => {
                        return Ok(Value {
                            expr: self.or(a.expr, b.expr),
                            ty,
                        });
                    }
                    _ => return Err("this operator".into()),
                };
                if matches!(word_op, Op::SDiv | Op::UDiv | Op::SRem | Op::URem) {
                    let nonzero = self.program.truth(b.expr);
                    if self.options.checks.division && self.is_own_code() {
                        self.check(nonzero, CheckKind::DivisionByZero);
                    }
                    // The machine traps, which ends the program.
                    if self.program.constant_value(nonzero) != Some(1) {
                        if !self.options.checks.division && self.is_own_code() {
                            self.note(
                                "a division by zero ends the run; `--check div` asks whether there is one"
                                    .into(),
                            );
                        }
                        self.emit(crate::ir::Instr::Assume { condition: nonzero });
                    }
                }
                if int.signed && self.options.checks.overflow && self.is_own_code() {
                    self.check_overflow(word_op, a.expr, b.expr)?;
                }
                if !int.signed && self.options.checks.unsigned_overflow && self.is_own_code() {
                    self.check_unsigned_overflow(word_op, a.expr, b.expr)?;
                }
                self.program.binary(word_op, a.expr, b.expr)
            }
            _ => return Err("arithmetic on something that is no number".into()),
        };
        self.is_computed_from_address(op, expr, (a.expr, b.expr));
        Ok(Value { expr, ty })
    }

    pub(super) fn or(&mut self, a: Expr, b: Expr) -> Expr {
        self.program.or(a, b)
    }

    /// `a << b` or `a >> b`.
    pub(super) fn shift(&mut self, left: bool, a: Value, b: Value) -> Result<Value> {
        let (a, b) = (self.promote(a)?, self.promote(b)?);
        let (Type::Int(int), Type::Int(amount_type)) = (&a.ty, &b.ty) else {
            return Err("a shift of something that is no integer".into());
        };
        let width = int.width();
        if self.options.checks.shift && self.is_own_code() {
            let own = amount_type.width();
            let limit = self.program.constant(u128::from(width), own);
            let fits = self.program.binary(Op::Ult, b.expr, limit);
            self.check(fits, CheckKind::Shift);
            if left && int.signed {
                let zero = self.program.constant(0, width);
                let is_negative = self.program.binary(Op::Slt, a.expr, zero);
                let is_defined = self.program.not(is_negative);
                self.check(is_defined, CheckKind::NegativeShift);
            }
        }
        let amount = self.program.resize(b.expr, width, amount_type.signed);
        let operator = match left {
            true => BinaryOperator::ShiftLeft,
            false => BinaryOperator::ShiftRight,
        };
        self.keeps_to_promised_bits(&operator, a.expr, amount);
        if left
            && int.signed
            && self.options.checks.overflow
            && self.options.left_shifts_overflow
            && self.is_own_code()
        {
            let amount_is_negative = amount_type.signed.then_some(b.expr);
            self.check_left_shift(a.expr, amount, amount_is_negative);
        }
        let op = match (left, int.signed) {
            (true, _) => Op::Shl,
            (false, true) => Op::AShr,
            (false, false) => Op::LShr,
        };
        Ok(Value {
            expr: self.program.binary(op, a.expr, amount),
            ty: a.ty,
        })
    }

    /// A comparison, one bit.
    pub(super) fn compare(&mut self, op: &BinaryOperator, a: Value, b: Value) -> Result<Expr> {
        let is_pointer = |value: &Value| matches!(value.ty, Type::Pointer(_) | Type::VaList);
        let element = self.common_element(&a.ty, &b.ty);
        let (a, b, signed, float) = if is_pointer(&a) || is_pointer(&b) {
            let width = self.pointer_width();
            let (x, y) = (self.resized(&a, width)?, self.resized(&b, width)?);
            self.orders_numbers(op, x, y);
            (x, y, false, None)
        } else {
            let (a, b, ty) = self.balance(a, b)?;
            match ty {
                Type::Float(format) => (a.expr, b.expr, true, Some(format)),
                Type::Int(int) => {
                    self.orders_numbers(op, a.expr, b.expr);
                    (a.expr, b.expr, int.signed, None)
                }
                _ => return Err("a comparison of these values".into()),
            }
        };
        if let Some(format) = float {
            let (op, a, b, negate) = match op {
                BinaryOperator::Less => (FloatOp::Less, a, b, false),
                BinaryOperator::Greater => (FloatOp::Less, b, a, false),
                BinaryOperator::LessOrEqual => (FloatOp::LessOrEqual, a, b, false),
                BinaryOperator::GreaterOrEqual => (FloatOp::LessOrEqual, b, a, false),
                BinaryOperator::Equals => (FloatOp::Equal, a, b, false),
                _ => (FloatOp::Equal, a, b, true),
            };
            let bit = self.float(op, format, a, b, 1)?;
            return Ok(if negate { self.program.not(bit) } else { bit });
        }
        if let BinaryOperator::Equals | BinaryOperator::NotEquals = op {
            let bit = self.are_equal(a, b, element)?;
            return Ok(match op {
                BinaryOperator::Equals => bit,
                _ => self.program.not(bit),
            });
        }
        let less = if signed { Op::Slt } else { Op::Ult };
        let (op, a, b, negate) = match op {
            BinaryOperator::Less => (less, a, b, false),
            BinaryOperator::Greater => (less, b, a, false),
            BinaryOperator::LessOrEqual => (less, b, a, true),
            _ => (less, a, b, true),
        };
        let bit = self.program.binary(op, a, b);
        Ok(if negate { self.program.not(bit) } else { bit })
    }

    /// The value of an integer constant expression.
    pub(super) fn constant(&mut self, expression: &'a Node<Expression>) -> Result<i128> {
        let value = self.without_code(|lowering| {
            let scratch = lowering.builder.current;
            let value = lowering.rvalue(expression)?;
            let no_effects = lowering.builder.function.blocks[scratch as usize]
                .instrs
                .is_empty();
            if no_effects && lowering.builder.current == scratch {
                Ok(value)
            } else {
                Err("an expression with effects where a constant is wanted".into())
            }
        })?;
        let Type::Int(int) = value.ty else {
            return Err("a constant that is no integer".into());
        };
        let bits = self
            .program
            .constant_value(value.expr)
            .ok_or("an expression that is not constant")?;
        Ok(if int.signed {
            to_signed(bits, int.width())
        } else {
            bits as i128
        })
    }

    /// The type of an expression, which is not evaluated and does not decay.
    pub(super) fn type_of(&mut self, expression: &'a Node<Expression>) -> Result<Type> {
        self.without_code(|lowering| {
            let is_place = match &expression.node {
                Expression::Identifier(name) => !matches!(
                    lowering.lookup(&name.node.name),
                    Some(super::Symbol::Enumerator(..))
                ),
                Expression::Member(_)
                | Expression::StringLiteral(_)
                | Expression::CompoundLiteral(_) => true,
                Expression::UnaryOperator(operation) => {
                    operation.node.operator.node == UnaryOperator::Indirection
                }
                Expression::BinaryOperator(operation) => {
                    operation.node.operator.node == BinaryOperator::Index
                }
                _ => false,
            };
            if is_place {
                Ok(lowering.place(expression)?.1)
            } else {
                Ok(lowering.rvalue(expression)?.ty)
            }
        })
    }

    /// The type of a conditional expression.
    pub(super) fn common_type(&mut self, a: &Value, b: &Value) -> Result<Type> {
        let is_null = |lowering: &Self, value: &Value| {
            lowering.program.constant_value(value.expr) == Some(0)
                && !matches!(&value.ty, Type::Pointer(to) if !to.is_void())
        };
        Ok(match (&a.ty, &b.ty) {
            (Type::Void, _) | (_, Type::Void) => Type::Void,
            (x, y) if self.is_complex(x) || self.is_complex(y) => self.common_complex(x, y)?,
            (Type::Record(_), Type::Record(_)) => a.ty.clone(),
            (Type::Pointer(_), _) if is_null(self, b) => a.ty.clone(),
            (_, Type::Pointer(_)) if is_null(self, a) => b.ty.clone(),
            (Type::Pointer(to), Type::Pointer(_)) if to.is_void() => a.ty.clone(),
            (Type::Pointer(_), Type::Pointer(to)) if to.is_void() => b.ty.clone(),
            (Type::Pointer(_), _) => a.ty.clone(),
            (_, Type::Pointer(_)) => b.ty.clone(),
            (Type::VaList, _) => a.ty.clone(),
            _ => {
                let zero = |lowering: &mut Self, value: &Value| Value {
                    expr: lowering
                        .program
                        .constant(0, lowering.program.width(value.expr)),
                    ty: value.ty.clone(),
                };
                let (a, b) = (zero(self, a), zero(self, b));
                self.balance(a, b)?.2
            }
        })
    }

    pub(super) fn char_pointer() -> Type {
        Type::Pointer(Arc::new(Type::Int(IntType::CHAR)))
    }
}
