//! Complex numbers (C11 6.2.5p11, 6.3.1.6, Annex G, and GNU's complex integers). They are represented as
//! records of two parts, the real one first, so that the value is the address of an object.
//!
//! Operations are those of gcc's code: a real operand gets no imaginary part of 0, so that the signs of zeros
//! and infinities are those of the parts.

use craig_word::Op;

use super::builtin::argument;
use super::function_model::NamedCall;
use super::{Lowering, Place, Result, Value};
use crate::ir::{Expr, ExprNode, Instr, Terminator};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::{FloatType, Member, Packing, Type, Types};

impl Types {
    /// The complex type with parts of a type.
    pub(crate) fn complex(&mut self, part: &Type) -> std::result::Result<Type, String> {
        for &id in &self.complexes {
            if self.is_same(&self.records[id].fields[0].ty, part) {
                return Ok(Type::Record(id));
            }
        }
        let member = |name: &str| Member {
            name: Some(name.to_string()),
            ty: part.clone(),
            bit_width: None,
            align: None,
            is_packed: false,
        };
        let members = vec![member("__real__"), member("__imag__")];
        let id = self.new_record(members, Packing::default())?;
        self.complexes.push(id);
        Ok(Type::Record(id))
    }

    /// The type of the parts of a complex type; `None` for all other types.
    pub(crate) fn complex_part(&self, ty: &Type) -> Option<Type> {
        let Type::Record(id) = ty else { return None };
        (self.complexes.contains(id)).then(|| self.records[*id].fields[0].ty.clone())
    }
}

/// Whether an operator is for a part of its operand, and if so, whether for the imaginary one.
pub(super) fn part_of(operator: UnaryOperator) -> Option<bool> {
    match operator {
        UnaryOperator::RealPart => Some(false),
        UnaryOperator::ImaginaryPart => Some(true),
        _ => None,
    }
}

impl<'a> Lowering<'a> {
    pub(super) fn is_complex(&self, ty: &Type) -> bool {
        self.types.complex_part(ty).is_some()
    }

    /// The complex number with two parts of a type.
    pub(super) fn complex_of(&mut self, part: &Type, real: Expr, imaginary: Expr) -> Result<Value> {
        let ty = self.types.complex(part)?;
        let slot = self.slot("complex number", &ty)?;
        self.emit(Instr::Declare { slot });
        let expr = self.slot_address(slot);
        for (place, value) in [(expr, real), (self.part_address(expr, part), imaginary)] {
            let bytes = self.program.width(value) / 8;
            self.emit(Instr::Store {
                address: place,
                value,
                bytes,
            });
        }
        if self.is_made_of_literals(real) && self.is_made_of_literals(imaginary) {
            self.builder
                .complex_constants
                .insert(expr, [real, imaginary]);
        }
        Ok(Value { expr, ty })
    }

    /// The value of an imaginary literal.
    pub(super) fn imaginary(&mut self, value: Expr, part: &Type) -> Result<Value> {
        let zero = self.zero_of(part)?;
        self.complex_of(part, zero, value)
    }

    /// The address of the imaginary part.
    fn part_address(&mut self, address: Expr, part: &Type) -> Expr {
        let size = self.types.size(part).unwrap_or(0);
        self.offset(address, size)
    }

    /// The parts of a number, the imaginary one only of a complex number.
    fn parts(&mut self, value: &Value) -> Result<(Value, Option<Value>)> {
        let Some(part) = self.types.complex_part(&value.ty) else {
            return Ok((value.clone(), None));
        };
        if let Some(&[real, imaginary]) = self.builder.complex_constants.get(&value.expr) {
            let of = |expr| Value {
                expr,
                ty: part.clone(),
            };
            return Ok((of(real), Some(of(imaginary))));
        }
        let imaginary = self.part_address(value.expr, &part);
        Ok((
            self.load(Place::Memory(value.expr), &part)?,
            Some(self.load(Place::Memory(imaginary), &part)?),
        ))
    }

    fn zero_of(&mut self, ty: &Type) -> Result<Expr> {
        let width = self.scalar_width(ty).ok_or("a part of a complex number")?;
        Ok(self.program.constant(0, width))
    }

    /// A conversion from or to a complex type (C11 6.3.1.6, 6.3.1.7).
    pub(super) fn cast_complex(&mut self, value: &Value, to: &Type) -> Result<Value> {
        let (real, imaginary) = self.parts(value)?;
        if let Some(part) = self.types.complex_part(to) {
            if self.is_complex(&value.ty) && self.types.is_same(&value.ty, to) {
                return Ok(value.clone());
            }
            let real = self.cast(real, &part)?.expr;
            let imaginary = match imaginary {
                Some(imaginary) => self.cast(imaginary, &part)?.expr,
                None => self.zero_of(&part)?,
            };
            return self.complex_of(&part, real, imaginary);
        }
        match to {
            Type::Int(int) if int.rank == 0 => {
                let expr = self.complex_truth(value)?;
                let expr = self.program.resize(expr, 8, false);
                Ok(Value {
                    expr,
                    ty: to.clone(),
                })
            }
            Type::Int(_) | Type::Float(_) => self.cast(real, to),
            _ => Err("a conversion of a complex number".into()),
        }
    }

    /// One bit: whether a number has a part that is not 0.
    pub(super) fn complex_truth(&mut self, value: &Value) -> Result<Expr> {
        let (real, imaginary) = self.parts(value)?;
        let truth = self.truth(&real)?;
        match imaginary {
            Some(imaginary) => {
                let other = self.truth(&imaginary)?;
                Ok(self.or(truth, other))
            }
            None => Ok(truth),
        }
    }

    /// The type of an operation of which at least one operand is complex.
    pub(super) fn common_complex(&mut self, a: &Type, b: &Type) -> Result<Type> {
        let mut zeros = Vec::new();
        for ty in [a, b] {
            let part = self.types.complex_part(ty).unwrap_or_else(|| ty.clone());
            let expr = self.zero_of(&part)?;
            zeros.push(Value { expr, ty: part });
        }
        let is_narrow = |ty: &Type| matches!(ty, Type::Int(int) if int.is_promoted());
        // Parts are not promoted, a real operand is.
        let part = match (&zeros[0].ty, &zeros[1].ty) {
            (x, y) if is_narrow(x) && is_narrow(y) && self.is_complex(a) && self.is_complex(b) => {
                if !self.types.is_same(x, y) {
                    return Err("complex numbers of different narrow parts".into());
                }
                x.clone()
            }
            _ => {
                let (b, a) = (zeros.pop(), zeros.pop());
                let (Some(a), Some(b)) = (a, b) else {
                    return Err("operands".into());
                };
                self.balance(a, b)?.2
            }
        };
        self.types.complex(&part)
    }

    /// A binary operator of which at least one operand is complex.
    pub(super) fn complex_operate(
        &mut self,
        operator: &BinaryOperator,
        a: &Value,
        b: &Value,
    ) -> Result<Value> {
        use BinaryOperator as B;
        let ty = self.common_complex(&a.ty, &b.ty)?;
        let part = (self.types.complex_part(&ty)).ok_or("an operation on complex numbers")?;
        let are_constant = self.is_complex_literal(a) && self.is_complex_literal(b);
        let (ar, ai) = self.converted_parts(a, &part)?;
        let (br, bi) = self.converted_parts(b, &part)?;
        let (real, imaginary) = match (operator, ai, bi) {
            (B::Equals | B::NotEquals, ai, bi) => {
                let zero = Value {
                    expr: self.zero_of(&part)?,
                    ty: part,
                };
                let real = self.compare(&B::Equals, ar, br)?;
                let (ai, bi) = (ai.unwrap_or_else(|| zero.clone()), bi.unwrap_or(zero));
                let imaginary = self.compare(&B::Equals, ai, bi)?;
                let same = self.program.binary(Op::And, real, imaginary);
                let bit = if *operator == B::Equals {
                    same
                } else {
                    self.program.not(same)
                };
                return Ok(self.int_of_bit(bit));
            }
            (B::Plus | B::Minus, ai, bi) => {
                let real = self.arithmetic(operator, &ar, &br)?;
                let imaginary = match (ai, bi) {
                    (Some(ai), Some(bi)) => self.arithmetic(operator, &ai, &bi)?,
                    (Some(ai), None) => ai,
                    (None, Some(bi)) if *operator == B::Plus => bi,
                    (None, Some(bi)) => self.negated(&bi)?,
                    (None, None) => return Err("an operation on complex numbers".into()),
                };
                (real, imaginary)
            }
            (B::Multiply, Some(ai), Some(bi)) => {
                if are_constant && matches!(part, Type::Float(_)) {
                    return Err("a product of complex constants".into());
                }
                self.complex_product((&ar, &ai), (&br, &bi))?
            }
            (B::Multiply | B::Divide, Some(ai), None) => (
                self.arithmetic(operator, &ar, &br)?,
                self.arithmetic(operator, &ai, &br)?,
            ),
            (B::Multiply, None, Some(bi)) => (
                self.arithmetic(operator, &ar, &br)?,
                self.arithmetic(operator, &ar, &bi)?,
            ),
            (B::Divide, ai, Some(bi)) => {
                if are_constant {
                    return Err("a quotient of complex constants".into());
                }
                let name = match part {
                    Type::Float(FloatType::Single) => "__divsc3",
                    Type::Float(FloatType::Double) => "__divdc3",
                    _ => return Err("a division by a complex number of this type".into()),
                };
                let ai = match ai {
                    Some(ai) => ai.expr,
                    None => self.zero_of(&part)?,
                };
                return self.library_call(name, vec![ar.expr, ai, br.expr, bi.expr]);
            }
            _ => return Err("this operator on complex numbers".into()),
        };
        self.complex_of(&part, real.expr, imaginary.expr)
    }

    fn converted_parts(&mut self, value: &Value, part: &Type) -> Result<(Value, Option<Value>)> {
        let (real, imaginary) = self.parts(value)?;
        let real = self.convert(real, part)?;
        let imaginary = match imaginary {
            Some(imaginary) => Some(self.convert(imaginary, part)?),
            None => None,
        };
        Ok((real, imaginary))
    }

    /// Whether an operand is a constant for compilers, which round products and quotients of complex constants
    /// once.
    fn is_complex_literal(&self, value: &Value) -> bool {
        match self.is_complex(&value.ty) {
            true => self.builder.complex_constants.contains_key(&value.expr),
            false => self.is_made_of_literals(value.expr),
        }
    }

    /// Whether an expression consists of literals only.
    fn is_made_of_literals(&self, expr: Expr) -> bool {
        match self.program.node(expr) {
            ExprNode::Const(_) => true,
            ExprNode::Not(inner)
            | ExprNode::Extract(inner, _)
            | ExprNode::ZExt(inner)
            | ExprNode::SExt(inner) => self.is_made_of_literals(inner),
            ExprNode::Binary(_, a, b) | ExprNode::Moved(a, b) | ExprNode::Float(_, _, a, b, _) => {
                self.is_made_of_literals(a) && (a == b || self.is_made_of_literals(b))
            }
            _ => false,
        }
    }

    /// The product by its parts. If both parts are NaN, the compiler's library checks the factors for
    /// infinities (C11 G.5.1).
    fn complex_product(
        &mut self,
        (ar, ai): (&Value, &Value),
        (br, bi): (&Value, &Value),
    ) -> Result<(Value, Value)> {
        use BinaryOperator as B;
        let (rr, ii) = (
            self.arithmetic(&B::Multiply, ar, br)?,
            self.arithmetic(&B::Multiply, ai, bi)?,
        );
        let (ri, ir) = (
            self.arithmetic(&B::Multiply, ar, bi)?,
            self.arithmetic(&B::Multiply, ai, br)?,
        );
        let real = self.arithmetic(&B::Minus, &rr, &ii)?;
        let imaginary = self.arithmetic(&B::Plus, &ri, &ir)?;
        let Type::Float(format) = real.ty else {
            return Ok((real, imaginary));
        };
        let no_real = self.compare(&B::NotEquals, real.clone(), real.clone())?;
        let no_imaginary = self.compare(&B::NotEquals, imaginary.clone(), imaginary.clone())?;
        let neither = self.program.binary(Op::And, no_real, no_imaginary);
        if self.program.constant_value(neither) == Some(0) {
            return Ok((real, imaginary));
        }
        let width = self.program.width(real.expr);
        let regs = [self.fresh(width), self.fresh(width)];
        self.set(regs[0], real.expr);
        self.set(regs[1], imaginary.expr);
        let (lost, next) = (self.builder.block(), self.builder.block());
        self.branch(neither, lost, next, lost);
        let name = match format {
            FloatType::Single => "__mulsc3",
            FloatType::Double => "__muldc3",
            _ => {
                let reason =
                    "a product of complex numbers of which both parts are no numbers".to_string();
                self.terminate_into(Terminator::Stuck(reason), next);
                return Ok((real, imaginary));
            }
        };
        let product = self.library_call(name, vec![ar.expr, ai.expr, br.expr, bi.expr])?;
        let (x, y) = self.parts(&product)?;
        let y = y.ok_or("a complex number is wanted")?;
        self.set(regs[0], x.expr);
        self.set(regs[1], y.expr);
        self.jump(next, next);
        let of = |expr, ty| Value { expr, ty };
        Ok((
            of(self.read(regs[0]), real.ty),
            of(self.read(regs[1]), imaginary.ty),
        ))
    }

    /// A scalar's negation in its own type.
    pub(super) fn negated(&mut self, value: &Value) -> Result<Value> {
        let width = self.program.width(value.expr);
        if matches!(value.ty, Type::Float(_)) {
            let sign = self.program.constant(1 << (width - 1), width);
            let expr = self.program.binary(Op::Xor, value.expr, sign);
            let ty = value.ty.clone();
            return Ok(Value { expr, ty });
        }
        let zero = Value {
            expr: self.program.constant(0, width),
            ty: value.ty.clone(),
        };
        self.arithmetic(&BinaryOperator::Minus, &zero, value)
    }

    /// `-z`, or GNU's `~z`, the conjugate.
    pub(super) fn complex_opposite(&mut self, value: &Value, conjugate: bool) -> Result<Value> {
        let part = (self.types.complex_part(&value.ty)).ok_or("a complex number is wanted")?;
        let (real, imaginary) = self.parts(value)?;
        let imaginary = self.negated(&imaginary.ok_or("a complex number is wanted")?)?;
        let real = if conjugate {
            real
        } else {
            self.negated(&real)?
        };
        self.complex_of(&part, real.expr, imaginary.expr)
    }

    /// `++` and `--`, which change the real part.
    pub(super) fn complex_step(
        &mut self,
        place: Place,
        ty: &Type,
        operator: &BinaryOperator,
        old_value: bool,
    ) -> Result<Value> {
        let part = (self.types.complex_part(ty)).ok_or("a complex number is wanted")?;
        let loaded = self.load(place, ty)?;
        let (real, imaginary) = self.parts(&loaded)?;
        let imaginary = imaginary.ok_or("a complex number is wanted")?;
        let old = self.complex_of(&part, real.expr, imaginary.expr)?;
        let one = Value {
            expr: self.program.constant(1, 32),
            ty: Type::INT,
        };
        let new = self.complex_operate(operator, &old, &one)?;
        let new = self.convert(new, ty)?;
        let stored = self.assigned(place, ty, new.expr)?;
        Ok(if old_value { old } else { stored })
    }

    /// GNU's `__real__` and `__imag__` as values; of a real number they are that number, and 0.
    pub(super) fn part_value(
        &mut self,
        operand: &'a Node<Expression>,
        is_imaginary: bool,
    ) -> Result<Value> {
        let value = self.rvalue(operand)?;
        let (real, imaginary) = self.parts(&value)?;
        match (is_imaginary, imaginary) {
            (false, _) => Ok(real),
            (true, Some(imaginary)) => Ok(imaginary),
            (true, None) => {
                let expr = self.zero_of(&real.ty)?;
                Ok(Value { expr, ..real })
            }
        }
    }

    /// The place of a part.
    pub(super) fn part_place(
        &mut self,
        operand: &'a Node<Expression>,
        is_imaginary: bool,
    ) -> Result<(Place, Type)> {
        let (place, ty) = self.place(operand)?;
        match (place, self.types.complex_part(&ty)) {
            (Place::Memory(address), Some(part)) if is_imaginary => {
                Ok((Place::Memory(self.part_address(address, &part)), part))
            }
            (place, Some(part)) => Ok((place, part)),
            (place, None) if !is_imaginary => Ok((place, ty)),
            (_, None) => Err("the place of a real number's imaginary part".into()),
        }
    }

    /// `creal`, `cimag` and `conj` of `<complex.h>`.
    pub(super) fn complex_function(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let value = self.rvalue(argument(call.arguments, 0)?)?;
        let ty = self.types.complex(&Type::Float(call.format))?;
        let value = self.convert(value, &ty)?;
        let name = call.name.trim_start_matches("__builtin_");
        if name.starts_with("conj") {
            return self.complex_opposite(&value, true).map(Some);
        }
        let (real, imaginary) = self.parts(&value)?;
        Ok(match name.starts_with("cimag") {
            true => imaginary,
            false => Some(real),
        })
    }

    /// The compiler's `__builtin_complex`, which `CMPLX` stands for.
    pub(super) fn complex_of_parts(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let values = self.evaluate_all(call.arguments)?;
        let [real, imaginary] = <[Value; 2]>::try_from(values)
            .map_err(|_| "`__builtin_complex` without two parts".to_string())?;
        if !matches!(real.ty, Type::Float(_)) || !self.types.is_same(&real.ty, &imaginary.ty) {
            return Err("`__builtin_complex` of parts of different types".into());
        }
        let part = real.ty;
        self.complex_of(&part, real.expr, imaginary.expr).map(Some)
    }
}
