//! Expressions: values, and conditions that steer control.

use lang_c::ast::*;
use lang_c::span::Node;

use crate::c::float;
use crate::c::ir::{BlockId, Callee, Expr, ExprNode, Instr, Terminator};
use crate::c::types::{DataModel, FloatType, FunctionType, IntType, Type};
use crate::word::Op;

use super::literal::character;
use super::{Lowering, Place, Result, Symbol, Value};
use crate::c::source::SAME_AS_CONDITION;

impl<'a> Lowering<'a> {
    /// The value of an expression, arrays and functions decayed.
    pub(super) fn rvalue(&mut self, expression: &'a Node<Expression>) -> Result<Value> {
        self.locate(expression.span.start);
        match &expression.node {
            Expression::Identifier(name) => {
                if let Some(Symbol::Enumerator(value, ty)) = self.lookup(&name.node.name) {
                    let expr = self.program.constant(value as u128, ty.width());
                    return Ok(Value {
                        expr,
                        ty: Type::Int(ty),
                    });
                }
                self.load_place(expression)
            }
            Expression::Constant(constant) => self.literal(&constant.node),
            Expression::StringLiteral(_)
            | Expression::Member(_)
            | Expression::CompoundLiteral(_) => self.load_place(expression),
            Expression::GenericSelection(selection) => {
                let chosen = self.selected(&selection.node)?;
                self.rvalue(chosen)
            }
            Expression::Call(call) => self.call(&call.node),
            Expression::SizeOfTy(of) => {
                let ty = self.type_name(&of.node.0.node)?;
                self.size_of(&ty)
            }
            Expression::SizeOfVal(of) => {
                let ty = self.type_of(&of.node.0)?;
                self.size_of(&ty)
            }
            Expression::AlignOf(of) => {
                let ty = self.type_name(&of.node.0.node)?;
                let align = self.types.align(&ty, false);
                Ok(self.size_value(align))
            }
            Expression::UnaryOperator(operation) => self.unary(expression, &operation.node),
            Expression::Cast(cast) => {
                let ty = self.type_name(&cast.node.type_name.node)?;
                // What an allocation is cast to says what it holds.
                if let (Type::Pointer(element), Expression::Call(call)) =
                    (&ty, &cast.node.expression.node)
                {
                    let value = self.call_expecting(&call.node, Some(element))?;
                    return self.cast(value, &ty);
                }
                let value = self.rvalue(&cast.node.expression)?;
                if let Type::Record(id) = ty
                    && value.ty.is_scalar()
                {
                    return self.cast_to_union(id, value);
                }
                self.cast(value, &ty)
            }
            Expression::BinaryOperator(operation) => self.binary(expression, &operation.node),
            Expression::Conditional(conditional) => self.conditional(&conditional.node),
            Expression::Comma(parts) => {
                let mut value = None;
                for part in parts.iter() {
                    value = Some(self.rvalue(part)?);
                }
                value.ok_or_else(|| "a comma without operands".into())
            }
            Expression::OffsetOf(offset) => self.offset_of(&offset.node),
            Expression::VaArg(access) => {
                let (place, _) = self.place(&access.node.va_list)?;
                let ty = self.type_name(&access.node.type_name.node)?;
                let list = self.load(place, &Type::VaList)?;
                let step = self
                    .types
                    .size(&ty)
                    .ok_or("an argument of incomplete type")?
                    .next_multiple_of(8);
                let next = self.offset(list.expr, step);
                let reg = self.fresh(self.pointer_width());
                self.set(reg, list.expr);
                let old = self.read(reg);
                self.store(place, &Type::VaList, next)?;
                self.load(Place::Memory(old), &ty)
            }
            Expression::Statement(statement) => self.statement_expression(statement),
        }
    }

    fn load_place(&mut self, expression: &'a Node<Expression>) -> Result<Value> {
        let (place, ty) = self.place(expression)?;
        self.load(place, &ty)
    }

    fn size_value(&mut self, size: u64) -> Value {
        let ty = Type::Int(IntType::long(self.options.model, false));
        let ty = if self.options.model == DataModel::Ilp32 {
            Type::Int(IntType::UINT)
        } else {
            ty
        };
        let width = self.pointer_width();
        Value {
            expr: self.program.constant(u128::from(size), width),
            ty,
        }
    }

    fn size_of(&mut self, ty: &Type) -> Result<Value> {
        let expr = self.size_of_value(ty)?;
        Ok(Value {
            expr,
            ..self.size_value(0)
        })
    }

    fn cast_to_union(&mut self, id: usize, value: Value) -> Result<Value> {
        let wanted = self.scalar_width(&value.ty);
        let field = self.types.records[id]
            .fields
            .iter()
            .find(|field| field.ty.is_scalar() && self.scalar_width(&field.ty) == wanted)
            .cloned();
        let (true, Some(field)) = (self.types.records[id].is_union, field) else {
            return Err("a cast to a record".into());
        };
        let ty = Type::Record(id);
        let slot = self.slot("cast to union", &ty)?;
        self.emit(Instr::Declare { slot });
        let address = self.slot_address(slot);
        let value = self.convert(value, &field.ty)?;
        self.store(Place::Memory(address), &field.ty, value.expr)?;
        Ok(Value { expr: address, ty })
    }

    fn literal(&mut self, constant: &Constant) -> Result<Value> {
        match constant {
            Constant::Integer(integer) => {
                if integer.suffix.imaginary {
                    return Err("complex numbers".into());
                }
                let radix = match integer.base {
                    IntegerBase::Decimal => 10,
                    IntegerBase::Octal => 8,
                    IntegerBase::Hexadecimal => 16,
                    IntegerBase::Binary => 2,
                };
                let digits = if integer.number.is_empty() {
                    "0"
                } else {
                    &integer.number
                };
                let value = u64::from_str_radix(digits, radix)
                    .map_err(|_| format!("the literal `{}`", integer.number))?;
                let model = self.options.model;
                let long_long = |signed| IntType::new(5, signed, 8);
                let mut candidates = Vec::new();
                for (size, signed, unsigned) in [
                    (IntegerSize::Int, IntType::INT, IntType::UINT),
                    (
                        IntegerSize::Long,
                        IntType::long(model, true),
                        IntType::long(model, false),
                    ),
                    (IntegerSize::LongLong, long_long(true), long_long(false)),
                ] {
                    if size < integer.suffix.size {
                        continue;
                    }
                    if !integer.suffix.unsigned {
                        candidates.push(signed);
                    }
                    if integer.suffix.unsigned || integer.base != IntegerBase::Decimal {
                        candidates.push(unsigned);
                    }
                }
                let fits = |ty: &IntType| {
                    let bits = ty.width() - u32::from(ty.signed);
                    bits == 64 || value >> bits == 0
                };
                let ty = candidates
                    .into_iter()
                    .find(fits)
                    .unwrap_or(long_long(false));
                let expr = self.program.constant(u128::from(value), ty.width());
                Ok(Value {
                    expr,
                    ty: Type::Int(ty),
                })
            }
            Constant::Float(float) => {
                let text = &float.number;
                if float.suffix.imaginary {
                    return Err("complex numbers".into());
                }
                let (format, width) = match float.suffix.format {
                    FloatFormat::Float => (FloatType::Single, 32),
                    FloatFormat::Double => (FloatType::Double, 64),
                    FloatFormat::LongDouble => (FloatType::Extended, 80),
                    FloatFormat::TS18661Format(_) => {
                        return Err(format!("the type of the literal `{text}`"));
                    }
                };
                // The parser leaves a hexadecimal literal's prefix away.
                let whole = match float.base {
                    FloatBase::Hexadecimal
                        if !text.starts_with(['0']) || !text[1..].starts_with(['x', 'X']) =>
                    {
                        format!("0x{text}")
                    }
                    _ => text.to_string(),
                };
                let bits = float::literal(format, &whole)
                    .ok_or_else(|| format!("the literal `{text}`"))?;
                Ok(Value {
                    expr: self.program.constant(bits, width),
                    ty: Type::Float(format),
                })
            }
            Constant::Character(text) => {
                let (value, ty) = character(text)?;
                Ok(Value {
                    expr: self.program.constant(u128::from(value), ty.width()),
                    ty: Type::Int(ty),
                })
            }
        }
    }

    fn unary(
        &mut self,
        whole: &'a Node<Expression>,
        operation: &'a UnaryOperatorExpression,
    ) -> Result<Value> {
        let operand = &operation.operand;
        match operation.operator.node {
            UnaryOperator::PostIncrement => self.step(operand, false, true),
            UnaryOperator::PostDecrement => self.step(operand, true, true),
            UnaryOperator::PreIncrement => self.step(operand, false, false),
            UnaryOperator::PreDecrement => self.step(operand, true, false),
            UnaryOperator::Address => {
                // `&*p` does not look at what `p` points to.
                self.takes_address = true;
                let result = self.place(operand);
                self.takes_address = false;
                let (place, ty) = result?;
                match place {
                    Place::Memory(expr) => Ok(Value {
                        expr,
                        ty: ty.pointer_to(),
                    }),
                    _ => Err("the address of something that has none".into()),
                }
            }
            UnaryOperator::Indirection => self.load_place(whole),
            UnaryOperator::Plus => {
                let value = self.rvalue(operand)?;
                self.promote(value)
            }
            UnaryOperator::Minus => {
                let value = self.rvalue(operand)?;
                let value = self.promote(value)?;
                let width = self.program.width(value.expr);
                match value.ty {
                    Type::Float(_) => {
                        let sign = self.program.constant(1 << (width - 1), width);
                        Ok(Value {
                            expr: self.program.binary(Op::Xor, value.expr, sign),
                            ty: value.ty,
                        })
                    }
                    _ => {
                        let zero = Value {
                            expr: self.program.constant(0, width),
                            ty: value.ty.clone(),
                        };
                        self.arithmetic(&BinaryOperator::Minus, &zero, &value)
                    }
                }
            }
            UnaryOperator::Complement => {
                let value = self.rvalue(operand)?;
                let value = self.promote(value)?;
                if !matches!(value.ty, Type::Int(_)) {
                    return Err("`~` on something that is no integer".into());
                }
                Ok(Value {
                    expr: self.program.not(value.expr),
                    ty: value.ty,
                })
            }
            UnaryOperator::Negate => {
                let value = self.rvalue(operand)?;
                let truth = self.truth(&value)?;
                let negated = self.program.not(truth);
                Ok(self.int_of_bit(negated))
            }
        }
    }

    /// `++` and `--`.
    fn step(
        &mut self,
        operand: &'a Node<Expression>,
        back: bool,
        old_value: bool,
    ) -> Result<Value> {
        let (place, ty) = self.place(operand)?;
        let loaded = self.load(place, &ty)?;
        // The value from before is kept: the place may be the register that is read here.
        let width = self.program.width(loaded.expr);
        let reg = self.fresh(width);
        self.set(reg, loaded.expr);
        let old = Value {
            expr: self.read(reg),
            ty: loaded.ty,
        };
        let one = Value {
            expr: self.program.constant(1, 32),
            ty: Type::INT,
        };
        let new = if matches!(ty, Type::Pointer(_)) {
            self.move_pointer(&old, &one, back)?
        } else {
            let (a, b, _) = self.balance(old.clone(), one)?;
            let op = if back {
                BinaryOperator::Minus
            } else {
                BinaryOperator::Plus
            };
            let sum = self.arithmetic(&op, &a, &b)?;
            self.convert(sum, &ty)?
        };
        let stored = self.store(place, &ty, new.expr)?;
        if old_value {
            Ok(old)
        } else {
            Ok(Value { expr: stored, ty })
        }
    }

    fn binary(
        &mut self,
        whole: &'a Node<Expression>,
        operation: &'a BinaryOperatorExpression,
    ) -> Result<Value> {
        use BinaryOperator as B;
        let operator = &operation.operator.node;
        let (left, right) = (&operation.lhs, &operation.rhs);
        match operator {
            B::Index => self.load_place(whole),
            B::LogicalAnd | B::LogicalOr => self.logical(whole),
            B::Assign => {
                let (place, ty) = self.place(left)?;
                let value = match (&ty, &right.node) {
                    (Type::Pointer(element), Expression::Call(call)) => {
                        self.call_expecting(&call.node, Some(element))?
                    }
                    _ => self.rvalue(right)?,
                };
                let value = self.convert(value, &ty)?;
                let expr = self.store(place, &ty, value.expr)?;
                Ok(Value { expr, ty })
            }
            B::AssignMultiply => self.assign(&B::Multiply, left, right),
            B::AssignDivide => self.assign(&B::Divide, left, right),
            B::AssignModulo => self.assign(&B::Modulo, left, right),
            B::AssignPlus => self.assign(&B::Plus, left, right),
            B::AssignMinus => self.assign(&B::Minus, left, right),
            B::AssignShiftLeft => self.assign(&B::ShiftLeft, left, right),
            B::AssignShiftRight => self.assign(&B::ShiftRight, left, right),
            B::AssignBitwiseAnd => self.assign(&B::BitwiseAnd, left, right),
            B::AssignBitwiseXor => self.assign(&B::BitwiseXor, left, right),
            B::AssignBitwiseOr => self.assign(&B::BitwiseOr, left, right),
            _ => {
                let a = self.rvalue(left)?;
                let b = self.rvalue(right)?;
                self.operate(operator, a, b)
            }
        }
    }

    /// A binary operator on two values.
    fn operate(&mut self, operator: &BinaryOperator, a: Value, b: Value) -> Result<Value> {
        use BinaryOperator as B;
        match operator {
            B::ShiftLeft => self.shift(true, a, b),
            B::ShiftRight => self.shift(false, a, b),
            B::Less
            | B::Greater
            | B::LessOrEqual
            | B::GreaterOrEqual
            | B::Equals
            | B::NotEquals => {
                let bit = self.compare(operator, a, b)?;
                Ok(self.int_of_bit(bit))
            }
            B::Plus | B::Minus => match (&a.ty, &b.ty) {
                (Type::Pointer(element), Type::Pointer(_)) => {
                    let size = self.size_of_value(element)?;
                    let distance = self.program.binary(Op::Sub, a.expr, b.expr);
                    let count = self.program.binary(Op::SDiv, distance, size);
                    let ty = match self.options.model {
                        DataModel::Lp64 => Type::Int(IntType::long(DataModel::Lp64, true)),
                        DataModel::Ilp32 => Type::INT,
                    };
                    Ok(Value { expr: count, ty })
                }
                (Type::Pointer(_), _) => self.move_pointer(&a, &b, matches!(operator, B::Minus)),
                (_, Type::Pointer(_)) => self.move_pointer(&b, &a, false),
                _ => {
                    let (a, b, _) = self.balance(a, b)?;
                    self.arithmetic(operator, &a, &b)
                }
            },
            _ => {
                let (a, b, _) = self.balance(a, b)?;
                self.arithmetic(operator, &a, &b)
            }
        }
    }

    /// `left op= right`.
    fn assign(
        &mut self,
        operator: &BinaryOperator,
        left: &'a Node<Expression>,
        right: &'a Node<Expression>,
    ) -> Result<Value> {
        let (place, ty) = self.place(left)?;
        let b = self.rvalue(right)?;
        let a = self.load(place, &ty)?;
        let value = self.operate(operator, a, b)?;
        let value = self.convert(value, &ty)?;
        let expr = self.store(place, &ty, value.expr)?;
        Ok(Value { expr, ty })
    }

    /// A value that control decides: 1 or 0.
    fn logical(&mut self, expression: &'a Node<Expression>) -> Result<Value> {
        let reg = self.fresh(32);
        let (yes, no) = (self.builder.block(), self.builder.block());
        let join = self.builder.block();
        let before = self.builder.current;
        self.condition(expression, yes, no, yes)?;
        // A constant result needs no branches, as constant expressions want it.
        if self.builder.function.blocks[before as usize]
            .instrs
            .is_empty()
            || matches!(
                self.builder.function.blocks[before as usize].end,
                Terminator::Jump(_)
            )
        {
            let target = self.constant_target(before);
            if target == Some(yes) || target == Some(no) {
                self.builder.current = before;
                let bit = self.program.constant(u128::from(target == Some(yes)), 1);
                return Ok(self.int_of_bit(bit));
            }
        }
        let one = self.program.constant(1, 32);
        self.set(reg, one);
        self.jump(join, no);
        let zero = self.program.constant(0, 32);
        self.set(reg, zero);
        self.jump(join, join);
        Ok(Value {
            expr: self.read(reg),
            ty: Type::INT,
        })
    }

    /// Where control goes from a block whose way is fixed, through blocks without instructions.
    fn constant_target(&self, from: BlockId) -> Option<BlockId> {
        let blocks = &self.builder.function.blocks;
        let mut at = from;
        for _ in 0..blocks.len() {
            let block = &blocks[at as usize];
            match block.end {
                Terminator::Jump(next) if at == from || block.instrs.is_empty() => at = next,
                _ => return (at != from).then_some(at),
            }
        }
        None
    }

    /// Control goes to `then` or `otherwise`, as the expression says; code goes on in `next`.
    pub(super) fn condition(
        &mut self,
        expression: &'a Node<Expression>,
        then: BlockId,
        otherwise: BlockId,
        next: BlockId,
    ) -> Result<()> {
        if let Expression::BinaryOperator(operation) = &expression.node {
            let (left, right) = (&operation.node.lhs, &operation.node.rhs);
            match operation.node.operator.node {
                BinaryOperator::LogicalAnd => {
                    let middle = self.builder.block();
                    self.condition(left, middle, otherwise, middle)?;
                    return self.condition(right, then, otherwise, next);
                }
                BinaryOperator::LogicalOr => {
                    let middle = self.builder.block();
                    self.condition(left, then, middle, middle)?;
                    return self.condition(right, then, otherwise, next);
                }
                _ => {}
            }
        }
        if let Expression::UnaryOperator(operation) = &expression.node
            && operation.node.operator.node == UnaryOperator::Negate
        {
            return self.condition(&operation.node.operand, otherwise, then, next);
        }
        let value = self.rvalue(expression)?;
        let truth = self.truth(&value)?;
        self.branch(truth, then, otherwise, next);
        Ok(())
    }

    /// GNU's `a ?: b`: `a`, which is evaluated once, unless it is 0.
    fn value_or(
        &mut self,
        first: &'a Node<Expression>,
        otherwise: &'a Node<Expression>,
    ) -> Result<Value> {
        let ty = self.without_code(|lowering| {
            let a = lowering.rvalue(first)?;
            let b = lowering.rvalue(otherwise)?;
            lowering.common_type(&a, &b)
        })?;
        let width = self
            .scalar_width(&ty)
            .ok_or("a conditional expression that is no scalar")?;
        let value = self.rvalue(first)?;
        let truth = self.truth(&value)?;
        let value = self.convert(value, &ty)?;
        let reg = self.fresh(width);
        self.set(reg, value.expr);
        let (no, join) = (self.builder.block(), self.builder.block());
        self.branch(truth, join, no, no);
        let value = self.rvalue(otherwise)?;
        let value = self.convert(value, &ty)?;
        self.set(reg, value.expr);
        self.jump(join, join);
        Ok(Value {
            expr: self.read(reg),
            ty,
        })
    }

    /// The expression that a `_Generic` stands for.
    fn selected(&mut self, selection: &'a GenericSelection) -> Result<&'a Node<Expression>> {
        let ty = self
            .without_code(|lowering| lowering.rvalue(&selection.expression))?
            .ty;
        let (mut found, mut default) = (None, None);
        for association in &selection.associations {
            match &association.node {
                GenericAssociation::Default(expression) => default = Some(&**expression),
                GenericAssociation::Type(association) => {
                    let wanted = self.type_name(&association.node.type_name.node)?;
                    if !self.types.is_same(&ty, &wanted) {
                        continue;
                    }
                    // Qualifiers are not kept, nor whether a `char` is said to be signed.
                    if found.replace(&*association.node.expression).is_some() {
                        return Err("a `_Generic` between types that are hard to tell apart".into());
                    }
                }
            }
        }
        found
            .or(default)
            .ok_or_else(|| "a `_Generic` without the type of its operand".into())
    }

    fn conditional(&mut self, conditional: &'a ConditionalExpression) -> Result<Value> {
        if let Expression::Identifier(name) = &conditional.then_expression.node
            && name.node.name == SAME_AS_CONDITION
        {
            return self.value_or(&conditional.condition, &conditional.else_expression);
        }
        // A constant condition leaves one branch, as constant expressions want it.
        if let Ok(value) = self.constant(&conditional.condition) {
            let (chosen, other) = if value != 0 {
                (&conditional.then_expression, &conditional.else_expression)
            } else {
                (&conditional.else_expression, &conditional.then_expression)
            };
            let other = self.without_code(|lowering| lowering.rvalue(other));
            let value = self.rvalue(chosen)?;
            return match other {
                Ok(other) => {
                    let ty = self.common_type(&value, &other)?;
                    self.convert(value, &ty)
                }
                Err(_) => Ok(value),
            };
        }
        let ty = self.without_code(|lowering| {
            let a = lowering.rvalue(&conditional.then_expression)?;
            let b = lowering.rvalue(&conditional.else_expression)?;
            lowering.common_type(&a, &b)
        })?;
        let (yes, no, join) = (
            self.builder.block(),
            self.builder.block(),
            self.builder.block(),
        );
        self.condition(&conditional.condition, yes, no, yes)?;
        let width = match ty {
            Type::Record(_) => Some(self.pointer_width()),
            _ => self.scalar_width(&ty),
        };
        let reg = width.map(|width| self.fresh(width));
        for (branch, next) in [
            (&conditional.then_expression, no),
            (&conditional.else_expression, join),
        ] {
            let value = self.rvalue(branch)?;
            let value = self.convert(value, &ty)?;
            if let Some(reg) = reg {
                self.set(reg, value.expr);
            }
            self.jump(join, next);
        }
        let expr = match reg {
            Some(reg) => self.read(reg),
            None => self.program.constant(0, 8),
        };
        Ok(Value { expr, ty })
    }

    fn offset_of(&mut self, offset: &'a OffsetOfExpression) -> Result<Value> {
        let mut ty = self.type_name(&offset.type_name.node)?;
        let mut at = 0;
        let mut names = vec![&offset.designator.node.base.node.name];
        for member in &offset.designator.node.members {
            match &member.node {
                OffsetMember::Member(name) => names.push(&name.node.name),
                _ => return Err("`offsetof` with an index".into()),
            }
        }
        for name in names {
            let Type::Record(id) = ty else {
                return Err("`offsetof` of something that is no record".into());
            };
            let field = self
                .types
                .field(id, name)
                .ok_or_else(|| format!("no member `{name}`"))?;
            if field.bits.is_some() {
                return Err("`offsetof` of a bit-field".into());
            }
            at += field.offset;
            ty = field.ty;
        }
        Ok(self.size_value(at))
    }

    /// `({ ... })`: the value of the last expression.
    fn statement_expression(&mut self, statement: &'a Node<Statement>) -> Result<Value> {
        let Statement::Compound(items) = &statement.node else {
            return Err("a statement as an expression".into());
        };
        let void = |lowering: &mut Self| Value {
            expr: lowering.program.constant(0, 8),
            ty: Type::Void,
        };
        self.scopes.push(super::Scope::default());
        let mut value = None;
        for (index, item) in items.iter().enumerate() {
            if index + 1 == items.len()
                && let BlockItem::Statement(last) = &item.node
                && let Statement::Expression(Some(expression)) = &last.node
            {
                match self.rvalue(expression) {
                    Ok(result) => value = Some(result),
                    Err(message) => {
                        self.scopes.pop();
                        return Err(message);
                    }
                }
            } else {
                self.block_item(item);
            }
        }
        self.scopes.pop();
        Ok(value.unwrap_or_else(|| void(self)))
    }

    pub(super) fn call(&mut self, call: &'a CallExpression) -> Result<Value> {
        self.call_expecting(call, None)
    }

    /// A call; `element` is what the result is going to point to.
    pub(super) fn call_expecting(
        &mut self,
        call: &'a CallExpression,
        element: Option<&Type>,
    ) -> Result<Value> {
        self.locate(call.callee.span.start);
        let last = call.arguments.last().map(|argument| argument.span.end);
        self.call_end(last.unwrap_or(call.callee.span.end));
        if let Expression::Identifier(name) = &call.callee.node {
            let name = &name.node.name;
            let is_variable = matches!(
                self.lookup(name),
                Some(Symbol::Register(..) | Symbol::Slot(..) | Symbol::Static(..))
            );
            if !is_variable {
                if let Some(value) = self.builtin(name, &call.arguments, element)? {
                    return Ok(value);
                }
                let known = self.function_symbol(name);
                if self.definitions.contains_key(name) {
                    let id = self.want(name);
                    let (definition, _, _) = self.definitions[name];
                    let ty = match known {
                        Some((_, ty)) => ty,
                        None => self.definition_head(definition)?.1,
                    };
                    return self.direct_call(Callee::Direct(id), &ty, &call.arguments);
                }
                return self.unknown_call(name, known.map(|known| known.1), &call.arguments);
            }
        }
        let callee = self.rvalue(&call.callee)?;
        let ty = match &callee.ty {
            Type::Pointer(to) => match &**to {
                Type::Function(ty) => ty.clone(),
                _ => return Err("a call of something that is no function".into()),
            },
            _ => return Err("a call of something that is no function".into()),
        };
        // The address of one function is called directly.
        let callee = match self.program.node(callee.expr) {
            ExprNode::Function(id) => {
                let name = self.program.functions[id as usize].name.clone();
                if !self.definitions.contains_key(&name) {
                    return self.unknown_call(&name, Some(ty), &call.arguments);
                }
                Callee::Direct(id)
            }
            _ => Callee::Indirect(callee.expr),
        };
        self.direct_call(callee, &ty, &call.arguments)
    }

    fn direct_call(
        &mut self,
        callee: Callee,
        ty: &FunctionType,
        arguments: &'a [Node<Expression>],
    ) -> Result<Value> {
        let mut args = Vec::new();
        let mut rest = Vec::new();
        let result_slot = match &ty.result {
            Type::Record(_) => {
                let slot = self.slot("result", &ty.result)?;
                self.emit(Instr::Declare { slot });
                let address = self.slot_address(slot);
                args.push(address);
                Some(address)
            }
            _ => None,
        };
        let at = self.at;
        for (index, argument) in arguments.iter().enumerate() {
            let value = self.rvalue(argument)?;
            match ty.params.get(index) {
                Some(param) => {
                    let value = self.convert(value, param)?;
                    args.push(self.argument(&value)?);
                }
                None if ty.variadic => rest.push(self.default_promotion(value)?),
                // Without a prototype there may be more arguments than parameters.
                None if ty.prototype => return Err("a call with too many arguments".into()),
                None => {}
            }
        }
        self.at = at;
        for param in ty.params.iter().skip(arguments.len()) {
            // The missing arguments of an old-style call have any value.
            if ty.prototype {
                return Err("a call with too few arguments".into());
            }
            let width = self
                .scalar_width(param)
                .ok_or("a missing argument that is no scalar")?;
            let reg = self.fresh(width);
            self.emit(Instr::Choose {
                reg,
                kind: crate::c::ir::Choice::Uninitialised,
            });
            args.push(self.read(reg));
        }
        if ty.variadic {
            args.push(self.rest_area(rest)?);
        }
        let result = self.scalar_width(&ty.result).map(|width| self.fresh(width));
        let next = self.builder.block();
        self.terminate_into(
            Terminator::Call {
                callee,
                args,
                result,
                next,
            },
            next,
        );
        let expr = match (result_slot, result) {
            (Some(address), _) => address,
            (None, Some(reg)) => self.read(reg),
            (None, None) => self.program.constant(0, 8),
        };
        Ok(Value {
            expr,
            ty: ty.result.clone(),
        })
    }

    /// A record goes as the address of a copy.
    fn argument(&mut self, value: &Value) -> Result<Expr> {
        if !matches!(value.ty, Type::Record(_)) {
            return Ok(value.expr);
        }
        let slot = self.slot("argument", &value.ty)?;
        self.emit(Instr::Declare { slot });
        let address = self.slot_address(slot);
        self.copy(address, value.expr, &value.ty)?;
        Ok(address)
    }

    pub(super) fn default_promotion(&mut self, value: Value) -> Result<Value> {
        match value.ty {
            Type::Float(FloatType::Single) => self.convert(value, &Type::Float(FloatType::Double)),
            _ => self.promote(value),
        }
    }

    /// Further arguments of a variadic call lie one behind the other, each in a multiple of eight bytes.
    fn rest_area(&mut self, rest: Vec<Value>) -> Result<Expr> {
        let mut size = 0;
        let mut places = Vec::new();
        for value in rest {
            let own = self
                .types
                .size(&value.ty)
                .ok_or("an argument of incomplete type")?;
            places.push((size, value));
            size += own.next_multiple_of(8);
        }
        let ty = Type::Array(Type::Int(IntType::UCHAR).into(), Some(size));
        let slot = self.slot("further arguments", &ty)?;
        let mut cells = Vec::new();
        for (at, value) in &places {
            let mut own = self
                .types
                .cells(&value.ty, 1 << 12)
                .ok_or("so large an argument")?;
            let end = self.types.size(&value.ty).unwrap_or(0);
            own.extend((end..end.next_multiple_of(8)).map(|offset| (offset, 1)));
            cells.extend(own.into_iter().map(|(offset, bytes)| (at + offset, bytes)));
        }
        self.builder.function.slots[slot as usize].shape = crate::c::ir::Shape::new(size, cells);
        self.emit(Instr::Declare { slot });
        let base = self.slot_address(slot);
        for (at, value) in places {
            let address = self.offset(base, at);
            self.store(Place::Memory(address), &value.ty, value.expr)?;
        }
        Ok(base)
    }
}
