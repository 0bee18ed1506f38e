//! C types and their layout in gcc on x86-64 and i386.

mod layout;

use std::sync::Arc;

pub(crate) use self::layout::{Member, Packing};

/// Sizes of the types that differ between the two machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataModel {
    /// x86-64: `long` and pointers have 64 bits.
    Lp64,
    /// i386: `int`, `long` and pointers have 32 bits.
    Ilp32,
}

impl DataModel {
    /// The size of a pointer in bytes.
    pub(crate) fn pointer_size(self) -> u64 {
        match self {
            Self::Lp64 => 8,
            Self::Ilp32 => 4,
        }
    }

    /// The width of a pointer in bits.
    pub(crate) fn pointer_width(self) -> u32 {
        self.pointer_size() as u32 * 8
    }
}

/// An integer type. Ranks order the types as in C11 6.3.1.1; `_Bool` has rank 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntType {
    pub(crate) rank: u8,
    /// Whether it has a sign.
    pub signed: bool,
    /// In bytes.
    pub size: u8,
    /// The bits of a value: eight times the size, except for values of bit-fields.
    bits: u8,
    /// It is `char`, a type different from `signed char` and `unsigned char` (C11 6.2.5p15).
    is_plain_char: bool,
    /// It has as many bits as it says: a `_BitInt` (C23 6.2.5p5), which is not promoted, or a bit-vector of CBMC's.
    pub(crate) is_bit_precise: bool,
}

impl IntType {
    pub(crate) const BOOL: Self = Self::new(0, false, 1);
    pub(crate) const CHAR: Self = Self {
        is_plain_char: true,
        ..Self::new(1, true, 1)
    };
    pub(crate) const UCHAR: Self = Self::new(1, false, 1);
    pub(crate) const INT: Self = Self::new(3, true, 4);
    pub(crate) const UINT: Self = Self::new(3, false, 4);

    pub(crate) const fn new(rank: u8, signed: bool, size: u8) -> Self {
        Self {
            rank,
            signed,
            size,
            bits: size * 8,
            is_plain_char: false,
            is_bit_precise: false,
        }
    }

    /// `_BitInt` of 1 to 128 bits, as on x86-64: in the smallest of 1, 2, 4, 8 and 16 bytes.
    pub(crate) const fn bit_precise(bits: u8, signed: bool) -> Self {
        let size = match bits {
            0..=8 => 1,
            9..=16 => 2,
            17..=32 => 4,
            33..=64 => 8,
            _ => 16,
        };
        Self {
            bits,
            is_bit_precise: true,
            ..Self::new(7, signed, size)
        }
    }

    /// The rank of CBMC's bit-vectors, which do not have C's conversions.
    const BIT_VECTOR: u8 = 8;

    /// CBMC's `__CPROVER_bitvector` of 1 to 128 bits, in as few bytes as have them. One with the bits of a type of C is that type.
    pub(crate) const fn bit_vector(bits: u8, signed: bool) -> Self {
        match bits {
            8 => Self::new(1, signed, 1),
            16 => Self::new(2, signed, 2),
            32 => Self::new(3, signed, 4),
            64 => Self::new(4, signed, 8),
            128 => Self::new(6, signed, 16),
            _ => Self {
                rank: Self::BIT_VECTOR,
                size: bits.div_ceil(8),
                ..Self::bit_precise(bits, signed)
            },
        }
    }

    /// Whether it is a bit-vector of CBMC's that no type of C is.
    pub(crate) fn is_bit_vector(self) -> bool {
        self.rank == Self::BIT_VECTOR
    }

    /// The bits of the smallest machine word that holds a value.
    pub(crate) fn container_width(self) -> u32 {
        match self.is_bit_precise {
            true => self.width().next_power_of_two().max(8),
            false => self.width(),
        }
    }

    /// The bits of a value.
    pub fn width(self) -> u32 {
        u32::from(self.bits)
    }

    /// The type of the value of a bit-field of this type and `width` bits before its promotion. In gcc, this
    /// is a type of the field's width; one of a standard width is the standard type.
    pub(crate) fn of_field(self, width: u32) -> Self {
        match width {
            _ if self.is_bit_vector() => Self::bit_vector(width as u8, self.signed),
            _ if self.rank == 0 || self.is_bit_precise || width == self.width() => self,
            8 => Self::new(1, self.signed, 1),
            16 => Self::new(2, self.signed, 2),
            32 => Self::new(3, self.signed, 4),
            _ => Self {
                bits: width as u8,
                ..self
            },
        }
    }

    /// The type of an object that can hold every value of this type.
    pub(crate) fn of_object(self) -> Self {
        if self.is_bit_precise {
            return self;
        }
        Self {
            bits: self.size * 8,
            ..self
        }
    }

    /// Whether the integer promotions convert it (C11 6.3.1.1).
    pub(crate) fn is_promoted(self) -> bool {
        self.rank < Self::INT.rank
            || (!self.is_bit_precise && self.bits < Self::INT.bits)
            || (self.is_bit_vector() && self.bits <= 64)
    }

    /// What the integer promotions make of it: `int` has all values of what C promotes. A bit-vector of CBMC's becomes `int` up to 16
    /// bits, and beyond that the first type of C that has its bits, with its sign; none has those of more than 64.
    pub(crate) fn promoted(self, model: DataModel) -> Self {
        match self.bits {
            _ if !self.is_promoted() => self,
            17..=32 if self.is_bit_vector() => Self::new(Self::INT.rank, self.signed, 4),
            33..=64 if self.is_bit_vector() => match model {
                DataModel::Lp64 => Self::long(model, self.signed),
                DataModel::Ilp32 => Self::new(5, self.signed, 8),
            },
            _ => Self::INT,
        }
    }

    /// The common type of two promoted integers (C11 6.3.1.8). Types of more bits have the higher rank, also those of wide
    /// bit-fields. With a bit-vector of CBMC's it is that of more than 64 bits, of two such an unsigned one, of two alike the first:
    /// then bits of the second may be lost.
    pub(crate) fn common(self, other: Self) -> Self {
        if self.is_bit_vector() || other.is_bit_vector() {
            let order = |ty: Self| (ty.bits > 64, !ty.signed);
            return if order(other) > order(self) {
                other
            } else {
                self
            };
        }
        // C23 6.3.1.1p1: with as many bits, a standard type has the higher rank.
        let rank = |ty: Self| (ty.bits, !ty.is_bit_precise, ty.rank);
        if self.signed == other.signed {
            return if rank(self) >= rank(other) {
                self
            } else {
                other
            };
        }
        let (signed, unsigned) = if self.signed {
            (self, other)
        } else {
            (other, self)
        };
        if rank(unsigned) >= rank(signed) {
            unsigned
        } else if signed.bits > unsigned.bits {
            signed
        } else {
            signed.unsigned()
        }
    }

    pub(crate) fn long(model: DataModel, signed: bool) -> Self {
        Self::new(4, signed, model.pointer_size() as u8)
    }

    pub(crate) fn unsigned(self) -> Self {
        Self {
            signed: false,
            is_plain_char: false,
            ..self
        }
    }
}

/// The floating-point formats that values of C types have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatType {
    /// `float`.
    Single,
    /// `double`.
    Double,
    /// x87's format.
    Extended,
    /// Of 128 bits; has a layout, but no operations.
    Quadruple,
}

/// A function's type.
#[derive(Clone, Debug)]
pub struct FunctionType {
    pub(crate) result: Type,
    pub(crate) params: Vec<Type>,
    pub(crate) variadic: bool,
    /// Declared with a parameter list.
    pub(crate) prototype: bool,
    /// Which parameters are pointers to `const`; missing ones are not.
    pub(crate) points_to_const: Vec<bool>,
}

/// A C type; qualifiers are dropped.
#[derive(Clone, Debug)]
pub enum Type {
    /// `void`.
    Void,
    /// An integer.
    Int(IntType),
    /// A floating-point number.
    Float(FloatType),
    /// A pointer to a type.
    Pointer(Arc<Type>),
    /// The length is `None` in incomplete types.
    Array(Arc<Type>, Option<u64>),
    /// An array whose length is determined at run time; the register holds its size in bytes.
    Variable(Arc<Type>, u32),
    /// A function.
    Function(Arc<FunctionType>),
    /// A structure or union, by its number in [`Types`].
    Record(usize),
    /// A list of variable arguments.
    VaList,
}

impl Type {
    pub(crate) const INT: Self = Self::Int(IntType::INT);

    pub(crate) fn pointer_to(self) -> Self {
        Self::Pointer(Arc::new(self))
    }

    pub(crate) fn is_scalar(&self) -> bool {
        matches!(self, Self::Int(_) | Self::Float(_) | Self::Pointer(_))
    }

    pub(crate) fn is_void(&self) -> bool {
        matches!(self, Self::Void)
    }
}

/// A member of a struct or union.
#[derive(Clone, Debug)]
pub struct Field {
    /// `None` for anonymous members and padding bit-fields.
    pub name: Option<String>,
    /// Its type.
    pub ty: Type,
    /// In bytes; for a bit-field, of the unit that holds it.
    pub offset: u64,
    /// The bits, if it is a bit field.
    pub bits: Option<BitRange>,
}

/// The position of a bit-field in the unit that holds it: `at + width <= 8 * unit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitRange {
    /// The lowest bit.
    pub(crate) at: u32,
    /// In bits.
    pub(crate) width: u32,
    /// The size of the unit in bytes. It is that of the field's type, except for packed fields, which may
    /// cross its boundaries, and if the record ends before it.
    pub(crate) unit: u32,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// Whether its members share their bytes.
    pub is_union: bool,
    /// The members with names.
    pub fields: Vec<Field>,
    pub(crate) size: u64,
    pub(crate) align: u64,
    pub(crate) complete: bool,
}

/// All structs and unions of a program, and the machine.
#[derive(Clone)]
pub struct Types {
    pub(crate) model: DataModel,
    /// The structures and unions, by number.
    pub records: Vec<Record>,
    /// The records that represent complex numbers.
    pub(crate) complexes: Vec<usize>,
    /// The records that represent vectors.
    pub(crate) vectors: Vec<usize>,
    /// The unions with the attribute `transparent_union`: as a parameter, one takes an argument of the type of any member.
    pub(crate) transparent: Vec<usize>,
}

/// A field found by name, also inside anonymous members.
pub(crate) struct FoundField {
    pub(crate) offset: u64,
    pub(crate) ty: Type,
    pub(crate) bits: Option<BitRange>,
}

impl Types {
    /// The scalar of `bytes` bytes at an offset in an object of the type: its C syntax and its type. `None`
    /// for bit-fields and members of unions, which an offset does not determine.
    pub fn part(&self, ty: &Type, offset: u64, bytes: u64) -> Option<(String, Type)> {
        let (mut ty, mut offset, mut path) = (ty.clone(), offset, String::new());
        loop {
            ty = match ty {
                Type::Array(element, _) => {
                    let size = self.size(&element).filter(|&size| size > 0)?;
                    path += &format!("[{}]", offset / size);
                    offset %= size;
                    (*element).clone()
                }
                Type::Record(id) => {
                    let record = &self.records[id];
                    if record.is_union || self.complexes.contains(&id) || self.vectors.contains(&id)
                    {
                        return None;
                    }
                    let field = record.fields.iter().rev().find(|field| {
                        field.offset <= offset && self.size(&field.ty).is_some_and(|size| size > 0)
                    })?;
                    if field.bits.is_some() {
                        return None;
                    }
                    if let Some(name) = &field.name {
                        path += &format!(".{name}");
                    }
                    offset -= field.offset;
                    field.ty.clone()
                }
                _ => {
                    let is_whole = offset == 0 && self.size(&ty) == Some(bytes);
                    return is_whole.then_some((path, ty));
                }
            };
        }
    }

    pub(crate) fn new(model: DataModel) -> Self {
        Self {
            model,
            records: Vec::new(),
            complexes: Vec::new(),
            vectors: Vec::new(),
            transparent: Vec::new(),
        }
    }

    /// A new record that the program does not declare.
    pub(crate) fn new_record(
        &mut self,
        members: Vec<Member>,
        packing: Packing,
    ) -> Result<usize, String> {
        let id = self.records.len();
        self.records.push(Record {
            is_union: false,
            fields: Vec::new(),
            size: 0,
            align: 1,
            complete: false,
        });
        self.lay_out(id, members, packing)?;
        Ok(id)
    }

    /// Whether two types are compatible (C11 6.2.7), qualifiers aside.
    pub(crate) fn is_same(&self, a: &Type, b: &Type) -> bool {
        match (a, b) {
            (Type::Void, Type::Void) | (Type::VaList, Type::VaList) => true,
            (Type::Int(a), Type::Int(b)) => a == b,
            (Type::Float(a), Type::Float(b)) => a == b,
            (Type::Pointer(a), Type::Pointer(b)) => self.is_same(a, b),
            (Type::Array(a, n), Type::Array(b, m)) => {
                (n == m || n.is_none() || m.is_none()) && self.is_same(a, b)
            }
            (Type::Record(a), Type::Record(b)) => a == b,
            // C11 6.7.6.3p15: parameters that are not declared have promoted types.
            (Type::Function(a), Type::Function(b)) if !a.prototype || !b.prototype => {
                let is_promoted = |function: &FunctionType| {
                    !function.variadic && function.params.iter().all(is_own_promotion)
                };
                let is_open =
                    |function: &FunctionType| !function.prototype && function.params.is_empty();
                self.is_same(&a.result, &b.result)
                    && (!is_open(a) || b.params.is_empty() || is_promoted(b))
                    && (!is_open(b) || a.params.is_empty() || is_promoted(a))
            }
            (Type::Function(a), Type::Function(b)) => {
                self.is_same(&a.result, &b.result)
                    && a.variadic == b.variadic
                    && a.params.len() == b.params.len()
                    && a.params
                        .iter()
                        .zip(&b.params)
                        .all(|(a, b)| self.is_same(a, b))
            }
            _ => false,
        }
    }

    /// The size in bytes, if it is known statically.
    pub fn size(&self, ty: &Type) -> Option<u64> {
        Some(match ty {
            // A GNU extension: arithmetic on `void *` and function pointers counts bytes.
            Type::Void | Type::Function(_) => 1,
            Type::Int(int) => u64::from(int.size),
            Type::Float(FloatType::Single) => 4,
            Type::Float(FloatType::Double) => 8,
            Type::Float(FloatType::Extended) if self.model == DataModel::Lp64 => 16,
            Type::Float(FloatType::Extended) => 12,
            Type::Float(FloatType::Quadruple) => 16,
            Type::Pointer(_) => self.model.pointer_size(),
            Type::Array(element, length) => self.size(element)?.checked_mul((*length)?)?,
            Type::Variable(..) => return None,
            Type::Record(id) => {
                let record = &self.records[*id];
                if !record.complete {
                    return None;
                }
                record.size
            }
            Type::VaList => self.model.pointer_size(),
        })
    }

    /// The alignment in bytes; inside structs of i386, eight-byte scalars are aligned to four.
    pub(crate) fn align(&self, ty: &Type, in_record: bool) -> u64 {
        match ty {
            Type::Void | Type::Function(_) => 1,
            Type::Array(element, _) | Type::Variable(element, _) => self.align(element, in_record),
            Type::Record(id) => self.records[*id].align.max(1),
            Type::Float(FloatType::Extended) => {
                if self.model == DataModel::Lp64 {
                    16
                } else {
                    4
                }
            }
            Type::Int(int) if int.is_bit_vector() => u64::from(int.size),
            Type::Int(int) if int.is_bit_precise => u64::from(int.size).min(8),
            _ => {
                let size = self.size(ty).unwrap_or(1).max(1);
                if self.model == DataModel::Ilp32 && in_record {
                    size.min(4)
                } else {
                    size
                }
            }
        }
    }

    /// What the address of an object of a type is divisible by, a power of two. CBMC's bit-vectors of three bytes, say, are only
    /// placed in records at multiples of three.
    pub(crate) fn address_align(&self, ty: &Type) -> u64 {
        1 << self.align(ty, false).trailing_zeros()
    }

    /// Finds a field by name.
    pub(crate) fn field(&self, id: usize, name: &str) -> Option<FoundField> {
        for field in &self.records[id].fields {
            match &field.name {
                Some(own) if own == name => {
                    return Some(FoundField {
                        offset: field.offset,
                        ty: field.ty.clone(),
                        bits: field.bits,
                    });
                }
                None => {
                    if let Type::Record(inner) = field.ty
                        && field.bits.is_none()
                        && let Some(mut found) = self.field(inner, name)
                    {
                        found.offset += field.offset;
                        return Some(found);
                    }
                }
                Some(_) => {}
            }
        }
        None
    }

    /// The cells of an object of the type: offsets and sizes in bytes, in order, without gaps. The choice of
    /// cells affects speed, never semantics. `None` for more than `limit` cells.
    pub fn cells(&self, ty: &Type, limit: usize) -> Option<Vec<(u64, u32)>> {
        let size = self.size(ty)?;
        let mut scalars = Vec::new();
        self.scalars(ty, 0, limit, &mut scalars)?;
        scalars.sort_unstable();
        let mut cells: Vec<(u64, u32)> = Vec::new();
        let mut next = 0;
        let fill = |from: u64, to: u64, cells: &mut Vec<(u64, u32)>| {
            cells.extend((from..to).map(|offset| (offset, 1)));
        };
        for (offset, bytes) in scalars {
            if offset < next || offset + u64::from(bytes) > size {
                continue;
            }
            fill(next, offset, &mut cells);
            cells.push((offset, bytes));
            next = offset + u64::from(bytes);
        }
        if size - next > limit as u64 {
            return None;
        }
        fill(next, size, &mut cells);
        (cells.len() <= limit).then_some(cells)
    }

    /// The scalars in an object of the type; of a union, its pointers and the scalars of its largest member.
    pub(crate) fn scalars(
        &self,
        ty: &Type,
        at: u64,
        limit: usize,
        into: &mut Vec<(u64, u32)>,
    ) -> Option<()> {
        match ty {
            Type::Record(id) => {
                let record = &self.records[*id];
                if record.is_union {
                    self.union_scalars(record, at, limit, into)?;
                } else {
                    for field in &record.fields {
                        self.member_scalars(field, at, limit, into)?;
                    }
                }
            }
            Type::Array(element, length) => {
                let size = self.size(element)?;
                for index in 0..length.unwrap_or(0) {
                    self.scalars(element, at + index * size, limit, into)?;
                    if into.len() > limit {
                        return None;
                    }
                }
            }
            _ => into.push((at, self.size(ty)? as u32)),
        }
        (into.len() <= limit).then_some(())
    }
}

/// Whether the default argument promotions (C11 6.5.2.2p6) leave a type as it is.
fn is_own_promotion(ty: &Type) -> bool {
    match ty {
        Type::Int(int) => !int.is_promoted() || *int == IntType::INT,
        Type::Float(format) => *format != FloatType::Single,
        _ => true,
    }
}
