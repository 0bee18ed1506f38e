//! Lvalues, loads and stores.

use craig_word::{Op, mask};

use super::complex::part_of;
use super::padding::padding_bits;
use super::string_literal::{is_utf8, string_units};
use super::temporary::is_value;
use super::{Lowering, Place, Result, Symbol, Value};
use crate::ir::{Choice, Expr, Instr, StaticId};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::{BitRange, IntType, Type};

/// Variables of glibc.
const LIBRARY_VARIABLES: [&str; 14] = [
    "environ",
    "__environ",
    "optarg",
    "optind",
    "opterr",
    "optopt",
    "program_invocation_name",
    "program_invocation_short_name",
    "tzname",
    "timezone",
    "daylight",
    "signgam",
    "in6addr_any",
    "in6addr_loopback",
];

impl<'a> Lowering<'a> {
    /// The lvalue that an expression designates, with its type.
    pub(super) fn place(&mut self, expression: &'a Node<Expression>) -> Result<(Place, Type)> {
        self.locate(expression.span.start);
        let takes_address = std::mem::take(&mut self.takes_address);
        match &expression.node {
            Expression::Identifier(name) => self.named_place(&name.node.name),
            Expression::UnaryOperator(operation)
                if operation.node.operator.node == UnaryOperator::Indirection =>
            {
                let value = self.rvalue(&operation.node.operand)?;
                self.pointed_to(value)
            }
            Expression::UnaryOperator(operation)
                if let Some(is_imaginary) = part_of(operation.node.operator.node) =>
            {
                self.part_place(&operation.node.operand, is_imaginary)
            }
            Expression::BinaryOperator(operation)
                if operation.node.operator.node == BinaryOperator::Index =>
            {
                self.element_place(&operation.node, takes_address)
            }
            Expression::Member(member) => {
                let name = &member.node.identifier.node.name;
                let (address, ty) = match member.node.operator.node {
                    MemberOperator::Direct => {
                        let value = self.record_address(&member.node.expression)?;
                        (value.expr, value.ty)
                    }
                    MemberOperator::Indirect => {
                        let value = self.rvalue(&member.node.expression)?;
                        let Type::Pointer(ty) = value.ty else {
                            return Err("`->` on something that is no pointer".into());
                        };
                        (value.expr, (*ty).clone())
                    }
                };
                let Type::Record(id) = ty else {
                    return Err(format!("a member `{name}` of something that is no record"));
                };
                let field = self
                    .types
                    .field(id, name)
                    .ok_or_else(|| format!("no member `{name}`"))?;
                let is_array = matches!(field.ty, Type::Array(..));
                let is_direct = member.node.operator.node == MemberOperator::Direct;
                let address = match is_array && is_direct && is_value(&member.node.expression) {
                    true => self.temporary(address, &Type::Record(id))?,
                    false => address,
                };
                let address = self.offset(address, field.offset);
                let place = match field.bits {
                    None => Place::Memory(address),
                    Some(bits) => Place::Bits { address, bits },
                };
                Ok((place, field.ty))
            }
            Expression::StringLiteral(literal) => {
                let (units, mut element) = string_units(&literal.node)?;
                if self.source.is_c23 && is_utf8(&literal.node) {
                    element = IntType::UCHAR;
                }
                let id = self.string(&units, element)?;
                let ty = Type::Array(Type::Int(element).into(), Some(units.len() as u64 + 1));
                Ok((Place::Memory(self.static_address(id)), ty))
            }
            Expression::CompoundLiteral(literal) => self.compound_literal(&literal.node),
            Expression::Cast(_) => Err("a cast as a place".into()),
            // Calls, assignments and choices of records: the value is an address.
            _ => {
                let value = self.rvalue(expression)?;
                match value.ty {
                    Type::Record(_) => Ok((Place::Memory(value.expr), value.ty)),
                    _ => Err("an expression that is no place".into()),
                }
            }
        }
    }

    /// Whether an object that no unit defines is one of the library's that has a value when the program starts, or gets one by
    /// calls.
    fn is_of_library(&self, name: &str, id: StaticId) -> bool {
        LIBRARY_VARIABLES.contains(&name) && self.program.statics[id as usize].external
    }

    /// What a name designates: a variable, a function, or the name of the function around it.
    fn named_place(&mut self, name: &str) -> Result<(Place, Type)> {
        match self.lookup(name) {
            Some(Symbol::Register(reg, ty @ Type::Variable(..))) => {
                Ok((Place::Memory(self.read(reg)), ty))
            }
            Some(Symbol::Register(reg, ty)) => Ok((Place::Register(reg), ty)),
            Some(Symbol::Slot(slot, ty)) => Ok((Place::Memory(self.slot_address(slot)), ty)),
            Some(Symbol::Static(id, _)) if self.is_of_library(name, id) => {
                Err(format!("the library's variable `{name}`"))
            }
            Some(Symbol::Static(id, ty)) => Ok((Place::Memory(self.static_address(id)), ty)),
            Some(Symbol::Function(..)) if self.may_be_missing(name) => Err(format!(
                "the address of `{name}`, which is weak and may be missing"
            )),
            Some(Symbol::Function(_, ty)) => {
                let id = self.want(name);
                let width = self.pointer_width();
                let address = self.program.make(crate::ir::ExprNode::Function(id), width);
                Ok((Place::Memory(address), Type::Function(ty)))
            }
            _ if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") => {
                let text = self.builder.function.name.clone();
                let units: Vec<u32> = text.bytes().map(u32::from).collect();
                let id = self.string(&units, IntType::CHAR)?;
                let ty = Type::Array(Type::Int(IntType::CHAR).into(), Some(text.len() as u64 + 1));
                Ok((Place::Memory(self.static_address(id)), ty))
            }
            _ => Err(format!("`{name}` is not declared")),
        }
    }

    /// The element of an array or a vector at an index.
    fn element_place(
        &mut self,
        operation: &'a BinaryOperatorExpression,
        takes_address: bool,
    ) -> Result<(Place, Type)> {
        let (left, right) = (&operation.lhs, &operation.rhs);
        let (mut left, right) = match self.in_open_order(left, right)? {
            Some(values) => values,
            None => (self.rvalue(left)?, self.rvalue(right)?),
        };
        if let Some((element, _)) = self.types.vector_elements(&left.ty) {
            left.ty = element.pointer_to();
        }
        let (pointer, index) = if matches!(left.ty, Type::Pointer(_)) {
            (left, right)
        } else {
            (right, left)
        };
        if self.options.checks.bounds
            && !self.is_without_code
            && let Some(length) = self.length_of(&operation.lhs)
        {
            self.check_index(&index, length, takes_address)?;
        }
        let is_whole = matches!(&pointer.ty, Type::Pointer(to) if matches!(**to, Type::Array(..)));
        if takes_address || is_whole {
            self.notes_moved(&pointer.ty);
        }
        let moved = self.move_pointer(&pointer, &index, false)?;
        self.pointed_to(moved)
    }

    /// The object of a compound literal, initialised.
    fn compound_literal(&mut self, literal: &'a CompoundLiteral) -> Result<(Place, Type)> {
        let mut ty = self.type_name(&literal.type_name.node)?;
        if let Type::Array(element, None) = &ty {
            let length = self.list_length(element, &literal.initializer_list)?;
            ty = Type::Array(element.clone(), Some(length));
        }
        let list = &literal.initializer_list;
        if self.start.is_none() {
            // At file scope the object has static storage duration.
            let id = self.static_object("compound literal", &ty, false)?;
            let address = self.static_address(id);
            self.initialise_list(address, &ty, list)?;
            return Ok((Place::Memory(address), ty));
        }
        self.check_initialiser_order(list)?;
        let slot = self.scoped_slot("compound literal", &ty)?;
        self.emit(Instr::Declare { slot });
        let address = self.slot_address(slot);
        self.zero(address, &ty)?;
        self.initialise_list(address, &ty, list)?;
        if !list.is_empty() {
            self.scatter_padding(address, &ty)?;
        }
        Ok((Place::Memory(address), ty))
    }

    /// The length of an array that an expression designates. A member that is an array of at most one element
    /// may extend to the end of the object.
    fn length_of(&mut self, expression: &'a Node<Expression>) -> Option<u64> {
        match self.type_of(expression) {
            Ok(Type::Array(_, Some(length)))
                if length > 1 || !matches!(expression.node, Expression::Member(_)) =>
            {
                Some(length)
            }
            _ => None,
        }
    }

    fn pointed_to(&mut self, value: Value) -> Result<(Place, Type)> {
        match value.ty {
            Type::Pointer(ty) => Ok((Place::Memory(value.expr), (*ty).clone())),
            _ => Err("an indirection through something that is no pointer".into()),
        }
    }

    /// The address of a record.
    fn record_address(&mut self, expression: &'a Node<Expression>) -> Result<Value> {
        let (place, ty) = self.place(expression)?;
        match place {
            Place::Memory(expr) => Ok(Value { expr, ty }),
            _ => Err("a record in an odd place".into()),
        }
    }

    /// The value of an lvalue; arrays and functions decay to pointers.
    pub(super) fn load(&mut self, place: Place, ty: &Type) -> Result<Value> {
        let value = |expr| Value {
            expr,
            ty: ty.clone(),
        };
        match (place, ty) {
            (Place::Memory(expr), Type::Array(element, _) | Type::Variable(element, _)) => {
                Ok(Value {
                    expr,
                    ty: Type::Pointer(element.clone()),
                })
            }
            (Place::Memory(expr), Type::Function(_)) => Ok(Value {
                expr,
                ty: ty.clone().pointer_to(),
            }),
            (Place::Memory(expr), Type::Record(_)) => Ok(value(expr)),
            (Place::Memory(_), Type::Void) => Ok(value(self.program.constant(0, 8))),
            (Place::Register(reg), _) => Ok(value(self.read(reg))),
            (Place::Memory(address), Type::Int(int)) if int.is_bit_precise => {
                let bytes = u32::from(int.size);
                let reg = self.fresh(bytes * 8);
                self.check_access(address, bytes);
                self.emit(Instr::Load {
                    reg,
                    address,
                    bytes,
                });
                let whole = self.read(reg);
                Ok(value(self.program.extract(whole, 0, int.width())))
            }
            (Place::Memory(address), _) => {
                let width = self.scalar_width(ty).ok_or("a value of incomplete type")?;
                let reg = self.fresh(width);
                self.check_access(address, width / 8);
                self.emit(Instr::Load {
                    reg,
                    address,
                    bytes: width / 8,
                });
                Ok(value(self.read(reg)))
            }
            (Place::Bits { address, bits }, Type::Int(int)) => {
                self.check_access(address, bits.unit);
                let own = int.of_field(bits.width);
                let (mut part, mut n_bits) = (None, 0);
                for (_, whole, at, width) in self.pieces(address, bits) {
                    let piece = self.program.extract(whole, at, width);
                    let piece = self.program.resize(piece, bits.width, false);
                    part = Some(match part {
                        None => piece,
                        Some(low) => {
                            let amount = self.program.constant(u128::from(n_bits), bits.width);
                            let high = self.program.binary(Op::Shl, piece, amount);
                            self.program.binary(Op::Xor, high, low)
                        }
                    });
                    n_bits += width;
                }
                let part = part.ok_or("a bit-field without bits")?;
                Ok(Value {
                    expr: self.program.resize(part, own.width(), int.signed),
                    ty: Type::Int(own),
                })
            }
            (Place::Bits { .. }, _) => Err("a bit-field that is no integer".into()),
        }
    }

    /// Stores a converted value to an lvalue. The result is the value of the assignment: that of the lvalue
    /// afterwards.
    pub(super) fn assigned(&mut self, place: Place, ty: &Type, value: Expr) -> Result<Value> {
        let expr = self.store(place, ty, value)?;
        let ty = match (place, ty) {
            (Place::Bits { bits, .. }, Type::Int(int)) => Type::Int(int.of_field(bits.width)),
            _ => ty.clone(),
        };
        Ok(Value { expr, ty })
    }

    /// Stores a converted value to an lvalue. The result is the value of the lvalue afterwards, at the width of the type that a
    /// bit-field's values have.
    pub(super) fn store(&mut self, place: Place, ty: &Type, value: Expr) -> Result<Expr> {
        match place {
            Place::Register(reg) => {
                self.set(reg, value);
                Ok(self.read(reg))
            }
            Place::Memory(address) => {
                if matches!(ty, Type::Record(_)) {
                    self.check_assignment(address, value, ty);
                    self.copy(address, value, ty)?;
                    return Ok(address);
                }
                let stored = match ty {
                    Type::Int(int) if int.is_bit_precise => self.padded(value, *int),
                    Type::Float(format) => self.stored_float(*format, value)?,
                    _ => value,
                };
                let bytes = self.program.width(stored) / 8;
                self.check_write(address, bytes);
                self.emit(Instr::Store {
                    address,
                    value: stored,
                    bytes,
                });
                Ok(value)
            }
            Place::Bits { address, bits } => {
                let Type::Int(int) = *ty else {
                    return Err("a bit-field that is no integer".into());
                };
                self.check_bit_field(value, bits.width, int);
                self.check_write(address, bits.unit);
                let low = self.program.extract(value, 0, bits.width);
                let mut from = 0;
                for (address, old, at, width) in self.pieces(address, bits) {
                    let own = self.program.width(old);
                    let part = self.program.extract(low, from, width);
                    from += width;
                    let keep = self.program.constant(!(mask(width) << at), own);
                    let old = self.program.binary(Op::And, old, keep);
                    let wide = self.program.resize(part, own, false);
                    let amount = self.program.constant(u128::from(at), own);
                    let moved = self.program.binary(Op::Shl, wide, amount);
                    let value = self.program.binary(Op::Xor, old, moved);
                    self.emit(Instr::Store {
                        address,
                        value,
                        bytes: own / 8,
                    });
                }
                if int.rank == 0 {
                    return Ok(value);
                }
                let own = int.of_field(bits.width).width();
                Ok(self.program.resize(low, own, int.signed))
            }
        }
    }

    /// The bits of an object for a value of a `_BitInt`: those beyond the value are any.
    fn padded(&mut self, value: Expr, ty: IntType) -> Expr {
        let (whole, width) = (u32::from(ty.size) * 8, ty.width());
        if whole == width {
            return value;
        }
        let reg = self.fresh(whole - width);
        self.emit(Instr::Choose {
            reg,
            kind: Choice::Uninitialised,
        });
        let open = self.read(reg);
        let open = self.program.resize(open, whole, false);
        let amount = self.program.constant(u128::from(width), whole);
        let high = self.program.binary(Op::Shl, open, amount);
        let low = self.program.resize(value, whole, false);
        self.program.binary(Op::Xor, high, low)
    }

    /// Reads the words of a bit-field's unit that contain bits of it, from the lowest one up: the address of
    /// each, its value, and the position and number of the field's bits in it.
    fn pieces(&mut self, address: Expr, bits: BitRange) -> Vec<(Expr, Expr, u32, u32)> {
        let end = bits.at + bits.width;
        let mut pieces = Vec::new();
        let mut start = 0;
        while start < bits.unit {
            // The largest power of two that fits.
            let bytes = 1 << (bits.unit - start).ilog2();
            let (from, to) = (bits.at.max(8 * start), end.min(8 * (start + bytes)));
            if from < to {
                let address = self.offset(address, u64::from(start));
                let reg = self.fresh(8 * bytes);
                self.emit(Instr::Load {
                    reg,
                    address,
                    bytes,
                });
                let value = self.read(reg);
                pieces.push((address, value, from - 8 * start, to - from));
            }
            start += bytes;
        }
        pieces
    }

    /// Copies an object of the type, cell by cell.
    pub(super) fn copy(&mut self, to: Expr, from: Expr, ty: &Type) -> Result<()> {
        if to == from {
            return Ok(());
        }
        let cells = self
            .types
            .cells(ty, 1 << 14)
            .ok_or("a copy of so large an object")?;
        if let Ok(size) = u32::try_from(self.types.size(ty).unwrap_or(0)) {
            self.check_access(from, size);
            self.check_write(to, size);
        }
        // All cells are read before any is written: the objects may overlap.
        let padding = self.open_padding(ty);
        let mut values = Vec::new();
        for &(offset, bytes) in &cells {
            let address = self.offset(from, offset);
            let pieces = if bytes <= 8 {
                vec![(0, bytes)]
            } else {
                vec![(0, 8), (8, bytes - 8)]
            };
            for (at, bytes) in pieces {
                let address = self.offset(address, at);
                let reg = self.fresh(bytes * 8);
                self.emit(Instr::Load {
                    reg,
                    address,
                    bytes,
                });
                values.push((offset + at, reg, bytes));
            }
        }
        for (offset, reg, bytes) in values {
            let address = self.offset(to, offset);
            let value = self.read(reg);
            let value = self.with_open_bits(value, padding_bits(&padding, offset, bytes));
            self.emit(Instr::Store {
                address,
                value,
                bytes,
            });
        }
        Ok(())
    }

    /// Sets an object to zeros.
    pub(super) fn zero(&mut self, address: Expr, ty: &Type) -> Result<()> {
        let cells = self
            .types
            .cells(ty, 1 << 16)
            .ok_or("an initialiser of so large an object")?;
        for (offset, bytes) in cells {
            let address = self.offset(address, offset);
            let value = self.program.constant(0, bytes * 8);
            self.emit(Instr::Store {
                address,
                value,
                bytes,
            });
        }
        Ok(())
    }
}
