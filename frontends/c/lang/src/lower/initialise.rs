//! Initialisers (C11 6.7.9): braces, designators, brace elision, strings.

use std::sync::Arc;

use crate::ir::{Expr, ExprNode};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::{BitRange, IntType, Type};

use super::string_literal::string_units;
use super::{Lowering, Place, Result, Value};

/// A member: its offset, its type, and position and width of a bit-field.
type Found = (u64, Type, Option<BitRange>);

type Items = [Node<InitializerListItem>];

/// What a designator list leads to.
struct Designated {
    member: Found,
    /// The numbers of the first and the last member, if the first designator is a range.
    range: Option<(u64, u64)>,
    /// The aggregates on the path of the designators: their offsets, and the next member in each.
    around: Vec<(u64, Type, u64)>,
}

/// Whether there is an item at a position, without designators.
fn is_undesignated(items: &Items, at: usize) -> bool {
    (items.get(at)).is_some_and(|item| item.node.designation.is_empty())
}

impl<'a> Lowering<'a> {
    /// The value of an initialiser of a scalar.
    pub(super) fn scalar_initialiser(
        &mut self,
        initializer: &'a Initializer,
        ty: &Type,
    ) -> Result<Value> {
        if let Initializer::Expression(expression) = initializer
            && let Some(value) = self.early_values.remove(&expression.span.start)
        {
            return Ok(value);
        }
        match initializer {
            Initializer::Expression(expression) => match (ty, &expression.node) {
                // The type of the initialised pointer is that of the elements of the allocation.
                (Type::Pointer(element), Expression::Call(call)) => {
                    self.call_expecting(&call.node, Some(element))
                }
                _ => {
                    let value = self.rvalue(expression)?;
                    self.note_copy(expression, &value, ty);
                    Ok(value)
                }
            },
            Initializer::List(items) => match items.as_slice() {
                [item] if item.node.designation.is_empty() => {
                    self.scalar_initialiser(&item.node.initializer.node, ty)
                }
                // C23 6.7.11p11.
                [] => {
                    let width = self.scalar_width(ty).ok_or("an initialiser of a scalar")?;
                    Ok(Value {
                        expr: self.program.constant(0, width),
                        ty: ty.clone(),
                    })
                }
                _ => Err("an initialiser of a scalar".into()),
            },
        }
    }

    /// Stores an initialiser into an object whose other parts are zero already.
    pub(super) fn initialise(
        &mut self,
        address: Expr,
        ty: &Type,
        initializer: &'a Initializer,
    ) -> Result<()> {
        let outer = std::mem::replace(&mut self.is_initialising, true);
        let result = self.initialise_from(address, ty, initializer);
        self.is_initialising = outer;
        result
    }

    fn initialise_from(
        &mut self,
        address: Expr,
        ty: &Type,
        initializer: &'a Initializer,
    ) -> Result<()> {
        match (ty, initializer) {
            (Type::Array(..) | Type::Record(_), Initializer::List(items)) => {
                self.initialise_list(address, ty, items)
            }
            (Type::Array(..), Initializer::Expression(expression)) => {
                self.initialise_string(address, ty, expression)
            }
            (Type::Record(_), Initializer::Expression(expression)) => {
                let value = self.rvalue(expression)?;
                let value = self.convert(value, ty)?;
                self.copy(address, value.expr, ty)
            }
            _ => {
                let value = self.scalar_initialiser(initializer, ty)?;
                let value = self.convert(value, ty)?;
                self.store(Place::Memory(address), ty, value.expr)?;
                Ok(())
            }
        }
    }

    fn initialise_string(
        &mut self,
        address: Expr,
        ty: &Type,
        expression: &'a Node<Expression>,
    ) -> Result<()> {
        let (Type::Array(element, Some(length)), Expression::StringLiteral(literal)) =
            (ty, &expression.node)
        else {
            return Err("an initialiser of an array".into());
        };
        let unit = self.types.size(element).unwrap_or(0);
        let (units, own) = string_units(&literal.node)?;
        if unit != u64::from(own.size) {
            return Err("a string literal of other elements".into());
        }
        for index in 0..*length {
            let number = units.get(index as usize).copied().unwrap_or(0);
            let address = self.offset(address, index * unit);
            let value = self.program.constant(u128::from(number), unit as u32 * 8);
            self.store(Place::Memory(address), element, value)?;
        }
        Ok(())
    }

    /// The members of an aggregate, in the order in which initialisers go to them.
    fn member(&self, ty: &Type, index: u64) -> Result<Option<Found>> {
        match ty {
            Type::Array(element, length) => {
                if length.is_some_and(|length| index >= length) {
                    return Ok(None);
                }
                let size = self
                    .types
                    .size(element)
                    .ok_or("an element of incomplete type")?;
                Ok(Some((index * size, (**element).clone(), None)))
            }
            Type::Record(id) => {
                let record = &self.types.records[*id];
                // Unnamed bit-fields take no initialiser; a union takes one.
                let mut named = record
                    .fields
                    .iter()
                    .filter(|field| field.name.is_some() || field.bits.is_none());
                if record.is_union && index > 0 {
                    return Ok(None);
                }
                Ok(named
                    .nth(index as usize)
                    .map(|field| (field.offset, field.ty.clone(), field.bits)))
            }
            _ => Err("an initialiser list of a scalar".into()),
        }
    }

    fn place_of(&mut self, address: Expr, offset: u64, bits: Option<BitRange>) -> Place {
        let address = self.offset(address, offset);
        match bits {
            None => Place::Memory(address),
            Some(bits) => Place::Bits { address, bits },
        }
    }

    pub(super) fn initialise_list(
        &mut self,
        address: Expr,
        ty: &Type,
        items: &'a Items,
    ) -> Result<()> {
        if let (Type::Array(..), [item]) = (ty, items)
            && let Initializer::Expression(expression) = &item.node.initializer.node
            && matches!(expression.node, Expression::StringLiteral(_))
            && item.node.designation.is_empty()
            && self.is_characters(ty)
        {
            return self.initialise_string(address, ty, expression);
        }
        if !matches!(ty, Type::Array(..) | Type::Record(_)) || self.is_complex(ty) {
            return match items {
                // It is 0 already.
                [] => Ok(()),
                [item] => self.initialise(address, ty, &item.node.initializer.node),
                _ => Err("an initialiser of a scalar".into()),
            };
        }
        let (mut at, mut index) = (0, 0u64);
        while at < items.len() {
            let item = &items[at].node;
            self.locate(items[at].span.start);
            let Some((first, path)) = item.designation.split_first() else {
                let Some((offset, member, bits)) = self.member(ty, index)? else {
                    // Excess initialisers are ignored, as in gcc.
                    return Ok(());
                };
                at = self.initialise_member(address, offset, &member, bits, items, at)?;
                index += 1;
                continue;
            };
            let designated = self.designated(ty, first, path, &mut index)?;
            at = match designated.range {
                Some(_) if !path.is_empty() && is_undesignated(items, at + 1) => {
                    return Err("an initialiser that continues after a designated range".into());
                }
                Some((from, to)) => {
                    for index in from..=to {
                        let (offset, member, bits) =
                            self.member(ty, index)?.ok_or("a designator out of range")?;
                        self.initialise_member(address, offset, &member, bits, items, at)?;
                    }
                    at + 1
                }
                None => self.initialise_designated(address, designated, items, at)?,
            };
            index += 1;
        }
        Ok(())
    }

    /// The member that a designator list leads to. `index` is set to the number of the member of the list's own
    /// aggregate, the last one of a range.
    fn designated(
        &mut self,
        ty: &Type,
        first: &'a Node<Designator>,
        path: &'a [Node<Designator>],
        index: &mut u64,
    ) -> Result<Designated> {
        let mut range = None;
        let (mut offset, mut member, mut bits) = match &first.node {
            Designator::Index(expression) => {
                *index = u64::try_from(self.constant(expression)?)
                    .map_err(|_| "a negative index".to_string())?;
                self.member(ty, *index)?
                    .ok_or("a designator out of range")?
            }
            Designator::Range(bounds) => {
                let from = self.constant(&bounds.node.from)?;
                let to = self.constant(&bounds.node.to)?;
                if from < 0 || to < from || to > 1 << 20 {
                    return Err("a designated range".into());
                }
                range = Some((from as u64, to as u64));
                *index = to as u64;
                self.member(ty, from as u64)?
                    .ok_or("a designator out of range")?
            }
            Designator::Member(name) => {
                let (position, found) = self.named_member(ty, &name.node.name)?;
                *index = position;
                found
            }
        };
        let mut around: Vec<(u64, Type, u64)> = Vec::new();
        for designator in path {
            let (start, whole) = (offset, member.clone());
            let position;
            let (inner, next, next_bits) = match &designator.node {
                Designator::Index(expression) => {
                    position = u64::try_from(self.constant(expression)?)
                        .map_err(|_| "a negative index".to_string())?;
                    self.member(&member, position)?
                        .ok_or("a designator out of range")?
                }
                Designator::Member(name) => {
                    let (own, found) = self.named_member(&member, &name.node.name)?;
                    position = own;
                    found
                }
                Designator::Range(_) => return Err("a designated range inside".into()),
            };
            offset += inner;
            member = next;
            bits = next_bits;
            around.push((start, whole, position + 1));
        }
        Ok(Designated {
            member: (offset, member, bits),
            range,
            around,
        })
    }

    /// Initialises a designated member. Without braces it may take more initialisers, and so may the enclosing ones.
    /// Returns the position of the first that is not taken.
    fn initialise_designated(
        &mut self,
        address: Expr,
        designated: Designated,
        items: &'a Items,
        at: usize,
    ) -> Result<usize> {
        let (offset, member, bits) = designated.member;
        let mut around = designated.around;
        let mut at = self.initialise_member(address, offset, &member, bits, items, at)?;
        while let Some((start, whole, position)) = around.last_mut()
            && is_undesignated(items, at)
        {
            match self.member(whole, *position)? {
                Some((inner, member, bits)) => {
                    *position += 1;
                    let offset = *start + inner;
                    at = self.initialise_member(address, offset, &member, bits, items, at)?;
                }
                None => {
                    around.pop();
                }
            }
        }
        Ok(at)
    }

    fn named_member(&self, ty: &Type, name: &str) -> Result<(u64, Found)> {
        let Type::Record(id) = ty else {
            return Err("a designated member of something that is no record".into());
        };
        let field = self
            .types
            .field(*id, name)
            .ok_or_else(|| format!("no member `{name}`"))?;
        let position = self.types.records[*id]
            .fields
            .iter()
            .filter(|own| own.name.is_some() || own.bits.is_none())
            .position(|own| own.name.as_deref() == Some(name))
            .unwrap_or(0);
        Ok((position as u64, (field.offset, field.ty, field.bits)))
    }

    fn is_characters(&self, ty: &Type) -> bool {
        matches!(ty, Type::Array(element, _)
            if matches!(**element, Type::Int(int) if int.rank == IntType::CHAR.rank || int.size == 4 || int.size == 2))
    }

    /// Initialises a member from the items at `at`; returns where the next member's items start.
    fn initialise_member(
        &mut self,
        base: Expr,
        offset: u64,
        ty: &Type,
        bits: Option<BitRange>,
        items: &'a Items,
        at: usize,
    ) -> Result<usize> {
        let initializer = &items[at].node.initializer.node;
        let place = self.place_of(base, offset, bits);
        if let Type::Array(element, None) = ty {
            return self.initialise_flexible(base, offset, element, items, at);
        }
        let aggregate = matches!(ty, Type::Array(..) | Type::Record(_)) && !self.is_complex(ty);
        let Place::Memory(address) = place else {
            let value = self.scalar_initialiser(initializer, ty)?;
            let value = self.convert(value, ty)?;
            self.store(place, ty, value.expr)?;
            return Ok(at + 1);
        };
        match initializer {
            Initializer::List(_) => self.initialise(address, ty, initializer)?,
            Initializer::Expression(expression) if aggregate => {
                let is_string = matches!(expression.node, Expression::StringLiteral(_))
                    && self.is_characters(ty);
                if is_string {
                    self.initialise_string(address, ty, expression)?;
                } else if matches!(ty, Type::Record(_))
                    && matches!(self.type_of(expression)?, Type::Record(_))
                {
                    self.initialise(address, ty, initializer)?;
                } else {
                    return self.initialise_elided(address, ty, items, at);
                }
            }
            Initializer::Expression(_) => self.initialise(address, ty, initializer)?,
        }
        Ok(at + 1)
    }

    /// Initialises the flexible array member at the end of a static object, which enlarges the object (an
    /// extension of gcc).
    fn initialise_flexible(
        &mut self,
        base: Expr,
        offset: u64,
        element: &Arc<Type>,
        items: &'a Items,
        at: usize,
    ) -> Result<usize> {
        let refusal = || "an initialiser of a flexible array member".to_string();
        let ExprNode::Static(id) = self.program.node(base) else {
            return Err(refusal());
        };
        let Some(Type::Record(record)) = self.program.statics[id as usize].ty else {
            return Err(refusal());
        };
        let initializer = &items[at].node.initializer.node;
        let is_own = matches!(initializer, Initializer::List(_))
            || matches!(initializer, Initializer::Expression(expression)
                if matches!(expression.node, Expression::StringLiteral(_)));
        let is_last = (self.types.records[record].fields.last())
            .is_some_and(|last| last.offset == offset && matches!(last.ty, Type::Array(_, None)));
        if !is_own || !is_last || self.types.records[record].is_union {
            return Err(refusal());
        }
        let length = self.initialiser_length(element, initializer)?;
        let array = Type::Array(element.clone(), Some(length));
        let size = self.types.size(&array).ok_or_else(refusal)?;
        let mut whole = self.types.records[record].clone();
        if let Some(last) = whole.fields.last_mut() {
            last.ty = array.clone();
        }
        whole.size = whole.size.max(offset + size);
        self.types.records.push(whole);
        let whole = Type::Record(self.types.records.len() - 1);
        self.program.statics[id as usize].shape = self.shape(&whole)?;
        let address = self.offset(base, offset);
        self.initialise(address, &array, initializer)?;
        Ok(at + 1)
    }

    /// An aggregate without braces of its own takes as many items as it has members.
    fn initialise_elided(
        &mut self,
        address: Expr,
        ty: &Type,
        items: &'a Items,
        mut at: usize,
    ) -> Result<usize> {
        let first = at;
        let mut index = 0;
        while at < items.len() && (at == first || items[at].node.designation.is_empty()) {
            let Some((offset, member, bits)) = self.member(ty, index)? else {
                break;
            };
            at = self.initialise_member(address, offset, &member, bits, items, at)?;
            index += 1;
        }
        if at == first {
            Err("an initialiser of an empty aggregate".into())
        } else {
            Ok(at)
        }
    }

    /// The length that an initialiser determines for an array of unknown length.
    pub(super) fn initialiser_length(
        &mut self,
        element: &Arc<Type>,
        initializer: &'a Initializer,
    ) -> Result<u64> {
        match initializer {
            Initializer::List(items) => self.list_length(element, items),
            Initializer::Expression(expression) => match &expression.node {
                Expression::StringLiteral(literal) => {
                    Ok(string_units(&literal.node)?.0.len() as u64 + 1)
                }
                _ => Err("an initialiser of an array".into()),
            },
        }
    }

    pub(super) fn list_length(&mut self, element: &Arc<Type>, items: &'a Items) -> Result<u64> {
        if let [item] = items
            && let Initializer::Expression(expression) = &item.node.initializer.node
            && let Expression::StringLiteral(literal) = &expression.node
            && matches!(**element, Type::Int(_))
        {
            return Ok(string_units(&literal.node)?.0.len() as u64 + 1);
        }
        let (mut at, mut index, mut length) = (0, 0u64, 0u64);
        while at < items.len() {
            let item = &items[at].node;
            if item.designation.len() > 1
                && items
                    .get(at + 1)
                    .is_some_and(|next| next.node.designation.is_empty())
            {
                return Err(
                    "an initialiser that continues after a nested designator, of an array without \
                            length"
                        .into(),
                );
            }
            match item.designation.first().map(|designator| &designator.node) {
                Some(Designator::Index(expression)) => {
                    index = u64::try_from(self.constant(expression)?)
                        .map_err(|_| "a negative index".to_string())?;
                }
                Some(Designator::Range(range)) => {
                    index = u64::try_from(self.constant(&range.node.to)?)
                        .map_err(|_| "a negative index".to_string())?;
                }
                _ => {}
            }
            at = self.skip_member(element, items, at)?;
            index += 1;
            length = length.max(index);
        }
        Ok(length)
    }

    /// The index of the next element's items.
    fn skip_member(&mut self, ty: &Type, items: &'a Items, at: usize) -> Result<usize> {
        let Initializer::Expression(expression) = &items[at].node.initializer.node else {
            return Ok(at + 1);
        };
        let whole = match ty {
            ty if self.is_complex(ty) => true,
            Type::Record(_) => matches!(self.type_of(expression)?, Type::Record(_)),
            Type::Array(..) => {
                matches!(expression.node, Expression::StringLiteral(_)) && self.is_characters(ty)
            }
            _ => true,
        };
        if whole {
            return Ok(at + 1);
        }
        let (mut at, mut index) = (at, 0);
        let first = at;
        while at < items.len() && (at == first || items[at].node.designation.is_empty()) {
            let Some((_, member, _)) = self.member(ty, index)? else {
                break;
            };
            at = self.skip_member(&member, items, at)?;
            index += 1;
        }
        Ok(at.max(first + 1))
    }
}
