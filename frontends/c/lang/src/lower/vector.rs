//! GNU's vectors (the attribute `vector_size`). They are represented as records with their elements, so that
//! the value is the address of an object; operations are elementwise, without promotion.

use crate::ir::{Expr, Instr};
use crate::syntax::ast::BinaryOperator;
use crate::types::{FloatType, IntType, Member, Packing, Type, Types};

use super::{Lowering, Place, Result, Value};

/// The largest vector, in bytes.
const MAX_VECTOR: u64 = 1 << 12;

impl Types {
    /// The vector of `bytes` bytes with elements of a type.
    pub(crate) fn vector(&mut self, element: &Type, bytes: u64) -> Result<Type> {
        let refusal = || "the attribute `vector_size` of this type or size".to_string();
        let is_element = match element {
            Type::Int(int) => {
                int.rank > 0 && int.size <= 8 && !int.is_bit_vector() && *int == int.of_object()
            }
            Type::Float(format) => matches!(format, FloatType::Single | FloatType::Double),
            _ => false,
        };
        let size = self
            .size(element)
            .filter(|_| is_element)
            .ok_or_else(refusal)?;
        if bytes < size || bytes > MAX_VECTOR || !bytes.is_power_of_two() {
            return Err(refusal());
        }
        for &id in &self.vectors {
            if let Some((own, _)) = self.vector_elements(&Type::Record(id))
                && self.is_same(&own, element)
                && self.records[id].size == bytes
            {
                return Ok(Type::Record(id));
            }
        }
        let elements = Member {
            name: Some("elements".into()),
            ty: Type::Array(element.clone().into(), Some(bytes / size)),
            bit_width: None,
            align: None,
            is_packed: false,
        };
        let packing = Packing {
            limit: None,
            aligned: Some(bytes),
        };
        let id = self.new_record(vec![elements], packing)?;
        self.vectors.push(id);
        Ok(Type::Record(id))
    }

    /// The type of a vector's elements, and their number; `None` for all other types.
    pub(crate) fn vector_elements(&self, ty: &Type) -> Option<(Type, u64)> {
        let Type::Record(id) = ty else { return None };
        if !self.vectors.contains(id) {
            return None;
        }
        match &self.records[*id].fields[0].ty {
            Type::Array(element, Some(length)) => Some(((**element).clone(), *length)),
            _ => None,
        }
    }
}

impl Lowering<'_> {
    pub(super) fn is_vector(&self, ty: &Type) -> bool {
        self.types.vector_elements(ty).is_some()
    }

    /// A new object of a type; the address.
    fn vector_object(&mut self, ty: &Type) -> Result<Expr> {
        let slot = self.slot("vector", ty)?;
        self.emit(Instr::Declare { slot });
        Ok(self.slot_address(slot))
    }

    fn elements(&mut self, value: &Value) -> Result<Vec<Value>> {
        let (element, length) =
            (self.types.vector_elements(&value.ty)).ok_or("a vector is wanted")?;
        let size = self.types.size(&element).unwrap_or(1);
        (0..length)
            .map(|index| {
                let address = self.offset(value.expr, index * size);
                self.load(Place::Memory(address), &element)
            })
            .collect()
    }

    /// The vector of a type with these elements.
    fn vector_of(&mut self, ty: &Type, elements: &[Value]) -> Result<Value> {
        let (element, length) = (self.types.vector_elements(ty)).ok_or("a vector is wanted")?;
        if length != elements.len() as u64 {
            return Err("vectors of different lengths".into());
        }
        let size = self.types.size(&element).unwrap_or(1);
        let expr = self.vector_object(ty)?;
        for (index, value) in elements.iter().enumerate() {
            let address = self.offset(expr, index as u64 * size);
            let value = self.cast(value.clone(), &element)?;
            self.store(Place::Memory(address), &element, value.expr)?;
        }
        let ty = ty.clone();
        Ok(Value { expr, ty })
    }

    /// A conversion from or to a vector: the bytes are unchanged.
    pub(super) fn cast_vector(&mut self, value: &Value, to: &Type) -> Result<Value> {
        let refusal = "a conversion between a vector and a type of another size";
        if self.types.size(&value.ty) != self.types.size(to) {
            return Err(refusal.into());
        }
        let ty = to.clone();
        match (&value.ty, to) {
            (Type::Record(_), Type::Record(_))
                if self.is_vector(&value.ty) && self.is_vector(to) =>
            {
                let expr = value.expr;
                Ok(Value { expr, ty })
            }
            (Type::Record(_), Type::Int(_)) => self.load(Place::Memory(value.expr), to),
            (Type::Int(_), Type::Record(_)) => {
                let expr = self.vector_object(to)?;
                self.store(Place::Memory(expr), &value.ty, value.expr)?;
                Ok(Value { expr, ty })
            }
            _ => Err("a conversion of a vector".into()),
        }
    }

    /// A binary operator with at least one vector operand; a scalar operand is replaced by a vector of its
    /// copies.
    pub(super) fn vector_operate(
        &mut self,
        operator: &BinaryOperator,
        a: &Value,
        b: &Value,
    ) -> Result<Value> {
        use BinaryOperator as B;
        let ty = if self.is_vector(&a.ty) { &a.ty } else { &b.ty }.clone();
        let (element, length) = (self.types.vector_elements(&ty)).ok_or("a vector is wanted")?;
        let mut operands = Vec::new();
        for value in [a, b] {
            operands.push(if self.is_vector(&value.ty) {
                self.elements(value)?
            } else if value.ty.is_scalar() {
                let value = self.cast(value.clone(), &element)?;
                vec![value; length as usize]
            } else {
                return Err("an operation on a vector and this type".into());
            });
        }
        let compares = matches!(
            operator,
            B::Less | B::Greater | B::LessOrEqual | B::GreaterOrEqual | B::Equals | B::NotEquals
        );
        let is_shift = matches!(operator, B::ShiftLeft | B::ShiftRight);
        let (Some(right), Some(left)) = (operands.pop(), operands.pop()) else {
            return Err("operands".into());
        };
        if left.len() != right.len() || !is_shift && !self.types.is_same(&left[0].ty, &right[0].ty)
        {
            return Err("an operation on vectors of different types".into());
        }
        let mut results = Vec::new();
        for (x, y) in left.into_iter().zip(right) {
            results.push(if compares {
                let bit = self.compare(operator, x, y)?;
                let truth = self.int_of_bit(bit);
                let zero = self.int(0);
                self.arithmetic(&B::Minus, &zero, &truth)?
            } else if is_shift {
                self.shift(*operator == B::ShiftLeft, x, y)?
            } else {
                self.arithmetic(operator, &x, &y)?
            });
        }
        if !compares {
            return self.vector_of(&ty, &results);
        }
        let size = self.types.size(&element).unwrap_or(1);
        let rank = match size {
            1 => 1,
            2 => 2,
            4 => 3,
            _ if self.types.model.pointer_size() == 8 => 4,
            _ => 5,
        };
        let truth = Type::Int(IntType::new(rank, true, size as u8));
        let ty = self.types.vector(&truth, size * length)?;
        self.vector_of(&ty, &results)
    }

    /// `-v`, `~v`.
    pub(super) fn vector_opposite(&mut self, value: &Value, complement: bool) -> Result<Value> {
        let elements = self.elements(value)?;
        let mut results = Vec::new();
        for element in elements {
            let width = self.program.width(element.expr);
            let expr = match &element.ty {
                Type::Int(_) if complement => self.program.not(element.expr),
                _ if complement => return Err("`~` on something that is no integer".into()),
                _ => self.negated(&element)?.expr,
            };
            debug_assert_eq!(self.program.width(expr), width);
            let ty = element.ty;
            results.push(Value { expr, ty });
        }
        self.vector_of(&value.ty, &results)
    }

    /// `++` and `--`.
    pub(super) fn vector_step(
        &mut self,
        place: Place,
        ty: &Type,
        operator: &BinaryOperator,
        old_value: bool,
    ) -> Result<Value> {
        let loaded = self.load(place, ty)?;
        let elements = self.elements(&loaded)?;
        let old = self.vector_of(ty, &elements)?;
        let one = self.int(1);
        let new = self.vector_operate(operator, &old, &one)?;
        let stored = self.assigned(place, ty, new.expr)?;
        Ok(if old_value { old } else { stored })
    }
}
