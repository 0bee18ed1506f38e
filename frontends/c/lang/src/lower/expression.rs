//! Expressions.

use craig_word::Op;

use super::call::Part;
use super::order::Order;
use super::state::Side;
use super::symbol::Scope;
use super::{Lowering, Place, Result, Symbol, Value};
use crate::ir::Instr;
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::{DataModel, IntType, Type};

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
                if let Some(value) = self.constexpr_value(&name.node.name) {
                    return Ok(value);
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
                let ty = match &of.node {
                    AlignOf::Type(name) => self.type_name(&name.node)?,
                    AlignOf::Expression(operand) => self.type_of(operand)?,
                };
                let align = self.types.align(&ty, false);
                Ok(self.size_value(align))
            }
            Expression::UnaryOperator(operation) => self.unary(expression, &operation.node),
            Expression::Cast(cast) => {
                let ty = self.type_name(&cast.node.type_name.node)?;
                // The type of the cast is that of the elements of the allocation.
                if let (Type::Pointer(element), Expression::Call(call)) =
                    (&ty, &cast.node.expression.node)
                {
                    let value = self.call_expecting(&call.node, Some(element))?;
                    return self.cast(value, &ty);
                }
                let value = self.rvalue(&cast.node.expression)?;
                if let Type::Record(id) = ty
                    && value.ty.is_scalar()
                    && self.types.records[id].is_union
                {
                    return self.cast_to_union(id, value);
                }
                self.cast(value, &ty)
            }
            Expression::BinaryOperator(operation) => self.binary(expression, &operation.node),
            Expression::Conditional(conditional) => self.conditional(&conditional.node),
            Expression::LabelAddress(label) => self.label_value(&label.node.name),
            Expression::TypesCompatible(types) => self.types_compatible(&types.node),
            Expression::Quantified(quantified) => {
                let holds = self.quantified(&quantified.node, Side::Both)?;
                Ok(self.int_of_bit(holds))
            }
            Expression::Comma(parts) => {
                let mut value = None;
                for part in parts {
                    value = Some(self.rvalue(part)?);
                }
                value.ok_or_else(|| "a comma without operands".into())
            }
            Expression::OffsetOf(offset) => self.offset_of(&offset.node),
            Expression::VaArg(access) => self.next_argument(&access.node),
            Expression::Statement(statement) => {
                // Names mean other things inside, and it is one evaluation for those around.
                let open = std::mem::take(&mut self.open_reads);
                let value = self.statement_expression(statement);
                self.open_reads = open;
                let value = value?;
                self.read_again_after(None)?;
                Ok(value)
            }
        }
    }

    /// `va_arg`: the argument of this type, after which the list is at the next one.
    fn next_argument(&mut self, access: &'a VaArgExpression) -> Result<Value> {
        let place = self.argument_list(&access.va_list)?;
        let ty = self.type_name(&access.type_name.node)?;
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

    fn load_place(&mut self, expression: &'a Node<Expression>) -> Result<Value> {
        let (place, ty) = self.place(expression)?;
        let value = self.load(place, &ty)?;
        self.read_of(expression, value)
    }

    pub(super) fn size_value(&mut self, size: u64) -> Value {
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
                // `&*p` does not access what `p` points to.
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
            UnaryOperator::RealPart => self.part_value(operand, false),
            UnaryOperator::ImaginaryPart => self.part_value(operand, true),
            UnaryOperator::Plus => {
                let value = self.rvalue(operand)?;
                self.promote(value)
            }
            UnaryOperator::Minus => {
                let value = self.rvalue(operand)?;
                if self.is_complex(&value.ty) {
                    return self.complex_opposite(&value, false);
                }
                if self.is_vector(&value.ty) {
                    return self.vector_opposite(&value, false);
                }
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
                if self.is_complex(&value.ty) {
                    return self.complex_opposite(&value, true);
                }
                if self.is_vector(&value.ty) {
                    return self.vector_opposite(&value, true);
                }
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
                let value = self.rvalue_for(operand, Part::Truth)?;
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
        let operator = if back {
            BinaryOperator::Minus
        } else {
            BinaryOperator::Plus
        };
        if self.is_complex(&ty) {
            return self.complex_step(place, &ty, &operator, old_value);
        }
        if self.is_vector(&ty) {
            return self.vector_step(place, &ty, &operator, old_value);
        }
        let loaded = self.load(place, &ty)?;
        let loaded = self.read_of(operand, loaded)?;
        // The old value is copied: the lvalue may be the register that is read here.
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
            self.notes_moved(&ty);
            self.move_pointer(&old, &one, back)?
        } else {
            let (a, b, _) = self.balance(old.clone(), one)?;
            let wraps = self.is_atomic(operand);
            let sum = self.wrapping(wraps, |lowering| lowering.arithmetic(&operator, &a, &b))?;
            self.convert(sum, &ty)?
        };
        let stored = self.assigned(place, &ty, new.expr)?;
        Ok(if old_value { old } else { stored })
    }

    pub(super) fn binary(
        &mut self,
        whole: &'a Node<Expression>,
        operation: &'a BinaryOperatorExpression,
    ) -> Result<Value> {
        use BinaryOperator as B;
        let operator = &operation.operator.node;
        let (left, right) = (&operation.lhs, &operation.rhs);
        match operator {
            B::Index => self.load_place(whole),
            B::LogicalAnd | B::LogicalOr | B::Implies => self.logical(whole),
            B::Equivalent => self.equivalence(operation),
            B::Assign => {
                let (place, ty, value) = match self.conflict_in_assignment(left, right, false)? {
                    Order::Fixed => return self.assign_plainly(left, right),
                    Order::FirstIsRead => {
                        let run =
                            |lowering: &mut Self, ty: &Type| lowering.assigned_value(ty, right);
                        let writes = self.effects(right).writes;
                        let (kept, value) = self.with_open_place(left, false, &writes, run)?;
                        (kept.place, kept.ty, value)
                    }
                    Order::SecondIsRead => {
                        let run = |lowering: &mut Self| lowering.place(left);
                        let writes = self.place_effects(left).writes;
                        let (value, (place, ty)) = self.with_open_read(right, &writes, run)?;
                        (place, ty, value)
                    }
                    Order::Either => {
                        return self.in_either_order(
                            |lowering| lowering.assign_plainly(left, right),
                            |lowering| {
                                let value = lowering.rvalue(right)?;
                                let (place, ty) = lowering.place(left)?;
                                let value = lowering.convert(value, &ty)?;
                                lowering.assigned(place, &ty, value.expr)
                            },
                        );
                    }
                };
                let value = self.convert(value, &ty)?;
                self.assigned(place, &ty, value.expr)
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
                if let Some((a, b)) = self.in_open_order(left, right)? {
                    return self.operate(operator, a, b);
                }
                let part = match operator {
                    B::Equals | B::NotEquals => Some(Part::Truth),
                    B::Less | B::Greater | B::LessOrEqual | B::GreaterOrEqual => Some(Part::Sign),
                    _ => None,
                };
                let (a, b) = match part {
                    Some(part) if is_zero(right) => {
                        (self.rvalue_for(left, part)?, self.rvalue(right)?)
                    }
                    Some(part) if is_zero(left) => {
                        (self.rvalue(left)?, self.rvalue_for(right, part)?)
                    }
                    _ => (self.rvalue(left)?, self.rvalue(right)?),
                };
                self.operate(operator, a, b)
            }
        }
    }

    /// A binary operator on two values.
    pub(super) fn operate(
        &mut self,
        operator: &BinaryOperator,
        a: Value,
        b: Value,
    ) -> Result<Value> {
        use BinaryOperator as B;
        if self.is_complex(&a.ty) || self.is_complex(&b.ty) {
            return self.complex_operate(operator, &a, &b);
        }
        if self.is_vector(&a.ty) || self.is_vector(&b.ty) {
            return self.vector_operate(operator, &a, &b);
        }
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
                    self.check_difference(a.expr, b.expr);
                    self.subtracts_pointers(a.expr, b.expr);
                    let distance = self.program.binary(Op::Sub, a.expr, b.expr);
                    let count = self.program.binary(Op::SDiv, distance, size);
                    let ty = match self.options.model {
                        DataModel::Lp64 => Type::Int(IntType::long(DataModel::Lp64, true)),
                        DataModel::Ilp32 => Type::INT,
                    };
                    Ok(Value { expr: count, ty })
                }
                (Type::Pointer(_), _) => {
                    self.notes_moved(&a.ty);
                    self.move_pointer(&a, &b, matches!(operator, B::Minus))
                }
                (_, Type::Pointer(_)) => {
                    self.notes_moved(&b.ty);
                    self.move_pointer(&b, &a, false)
                }
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

    /// `offsetof`, whose indices need not be constant in GNU C.
    fn offset_of(&mut self, offset: &'a OffsetOfExpression) -> Result<Value> {
        let mut ty = self.type_name(&offset.type_name.node)?;
        let designator = &offset.designator.node;
        let (mut at, inner) = self.member_offset(&ty, &designator.base.node.name)?;
        ty = inner;
        let mut result = self.size_value(0);
        for member in &designator.members {
            match &member.node {
                OffsetMember::Member(name) => {
                    let (further, inner) = self.member_offset(&ty, &name.node.name)?;
                    at += further;
                    ty = inner;
                }
                OffsetMember::Index(index) => {
                    let Type::Array(element, _) = ty else {
                        return Err("`offsetof` with an index of something that is no array".into());
                    };
                    let index = self.rvalue(index)?;
                    let width = self.pointer_width();
                    let index = self.resized(&index, width)?;
                    let size = self.size_of_value(&element)?;
                    let distance = self.program.binary(Op::Mul, index, size);
                    result.expr = self.program.binary(Op::Add, result.expr, distance);
                    ty = (*element).clone();
                }
                OffsetMember::IndirectMember(_) => {
                    return Err("`offsetof` through a pointer".into());
                }
            }
        }
        result.expr = self.offset(result.expr, at);
        Ok(result)
    }

    /// Where a member of a record starts, in bytes, and its type.
    fn member_offset(&self, ty: &Type, name: &str) -> Result<(u64, Type)> {
        let Type::Record(id) = ty else {
            return Err("`offsetof` of something that is no record".into());
        };
        let field = self
            .types
            .field(*id, name)
            .ok_or_else(|| format!("no member `{name}`"))?;
        if field.bits.is_some() {
            return Err("`offsetof` of a bit-field".into());
        }
        Ok((field.offset, field.ty))
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
        self.open_scope();
        let mut value = None;
        for (index, item) in items.iter().enumerate() {
            if index + 1 == items.len()
                && let BlockItem::Statement(last) = &item.node
                && let Some(expression) = last_expression(last)
            {
                match self.rvalue_behind_labels(last, expression) {
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
        let value = value.unwrap_or_else(|| void(self));
        if matches!(value.ty, Type::Void) || self.scalar_width(&value.ty).is_some() {
            self.end_scope();
        } else if self.scopes.last().is_some_and(Scope::has_cleanups) {
            self.scopes.pop();
            return Err("a record or an array as the value of a block with `cleanup`".into());
        } else {
            // The value still has to be copied out of its object, whose lifetime is therefore extended until
            // the function returns.
            self.scopes.pop();
        }
        Ok(value)
    }

    /// The value of an expression at the end of a statement's labels.
    fn rvalue_behind_labels(
        &mut self,
        mut statement: &'a Node<Statement>,
        expression: &'a Node<Expression>,
    ) -> Result<Value> {
        while let Statement::Labeled(labeled) = &statement.node {
            self.locate(statement.span.start);
            self.enter_label(&labeled.node)?;
            statement = &labeled.node.statement;
        }
        self.rvalue(expression)
    }
}

/// The expression that a statement evaluates, which may have labels: the value of a block that ends so.
fn last_expression(statement: &Node<Statement>) -> Option<&Node<Expression>> {
    match &statement.node {
        Statement::Expression(expression) => expression.as_deref(),
        Statement::Labeled(labeled) => last_expression(&labeled.node.statement),
        _ => None,
    }
}

/// Whether an expression is the literal 0.
fn is_zero(expression: &Node<Expression>) -> bool {
    matches!(&expression.node, Expression::Constant(constant)
        if matches!(&constant.node, Constant::Integer(number) if number.number.bytes().all(|digit| digit == b'0')))
}
