//! The specifiers that declarations and type names start with: types, records, enumerations, attributes.

use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::{DataModel, FloatType, IntType, Member, Packing, Record, Type};

use super::{Lowering, Result, Symbol};

/// The treatment of an array length that is not constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lengths {
    /// It is not allowed.
    Constant,
    /// It is evaluated.
    Evaluated,
    /// It is postponed, until the parameters in it have values.
    Open,
}

/// The meaning of the specifiers of a declaration.
#[derive(Default)]
pub(super) struct Specified {
    pub(super) ty: Option<Type>,
    pub(super) is_typedef: bool,
    pub(super) is_static: bool,
    pub(super) is_extern: bool,
    /// Whether the type is that of the initialiser.
    pub(super) is_inferred: bool,
    pub(super) align: Option<u64>,
}

/// The keywords of a type, counted.
#[derive(Default)]
struct Words {
    long: u32,
    short: bool,
    signed: Option<bool>,
    char: bool,
    int: bool,
    bool: bool,
    float: bool,
    double: bool,
    complex: bool,
    int128: bool,
    /// The bits of a `__CPROVER_bitvector`.
    bit_vector: Option<i128>,
    /// The bits of a `_BitInt`.
    bits: Option<u8>,
    any: bool,
}

impl Words {
    fn ty(&self, model: DataModel) -> Type {
        if self.float {
            return Type::Float(FloatType::Single);
        }
        let is_only_complex = self.complex
            && !self.int
            && !self.char
            && !self.short
            && !self.int128
            && self.signed.is_none();
        if self.double || is_only_complex && self.long == 0 {
            let format = if self.long > 0 {
                FloatType::Extended
            } else {
                FloatType::Double
            };
            return Type::Float(format);
        }
        let signed = self.signed.unwrap_or(true);
        if let Some(bits) = self.bits {
            return Type::Int(IntType::bit_precise(bits, signed));
        }
        Type::Int(if self.int128 {
            IntType::new(6, signed, 16)
        } else if self.char && self.signed.is_none() {
            IntType::CHAR
        } else if self.bool {
            IntType::BOOL
        } else if self.char {
            IntType::new(1, signed, 1)
        } else if self.short {
            IntType::new(2, signed, 2)
        } else if self.long >= 2 {
            IntType::new(5, signed, 8)
        } else if self.long == 1 {
            IntType::long(model, signed)
        } else {
            IntType::new(3, signed, 4)
        })
    }
}

impl<'a> Lowering<'a> {
    pub(super) fn specifiers(
        &mut self,
        specifiers: &'a [Node<DeclarationSpecifier>],
    ) -> Result<Specified> {
        let mut specified = Specified::default();
        let mut extensions: Vec<&'a Node<Extension>> = Vec::new();
        let mut words = Words::default();
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::StorageClass(class) => match class.node {
                    StorageClassSpecifier::Typedef => specified.is_typedef = true,
                    StorageClassSpecifier::Static => specified.is_static = true,
                    StorageClassSpecifier::Extern => specified.is_extern = true,
                    _ => {}
                },
                DeclarationSpecifier::TypeSpecifier(ty) if ty.node == TypeSpecifier::Inferred => {
                    specified.is_inferred = true;
                }
                DeclarationSpecifier::TypeSpecifier(ty) => {
                    self.type_specifier(&ty.node, &mut words, &mut specified.ty)?;
                }
                DeclarationSpecifier::Alignment(_) => specified.align = Some(1),
                DeclarationSpecifier::Extension(list) => extensions.extend(list),
                DeclarationSpecifier::TypeQualifier(_) | DeclarationSpecifier::Function(_) => {}
            }
        }
        if specified.ty.is_none() && !specified.is_inferred {
            specified.ty = Some(self.type_of_words(&words)?);
        }
        for extension in extensions {
            let Some(ty) = specified.ty.take() else {
                break;
            };
            specified.ty = Some(self.with_mode(ty, std::slice::from_ref(extension))?);
        }
        Ok(specified)
    }

    pub(super) fn specifier_qualifiers(
        &mut self,
        specifiers: &'a [Node<SpecifierQualifier>],
    ) -> Result<Type> {
        let mut words = Words::default();
        let mut ty = None;
        for specifier in specifiers {
            if let SpecifierQualifier::TypeSpecifier(specifier) = &specifier.node {
                self.type_specifier(&specifier.node, &mut words, &mut ty)?;
            }
        }
        let mut ty = match ty {
            Some(ty) => ty,
            None => self.type_of_words(&words)?,
        };
        for specifier in specifiers {
            if let SpecifierQualifier::Extension(list) = &specifier.node {
                ty = self.with_mode(ty, list)?;
            }
        }
        Ok(ty)
    }

    /// The format of a floating type of annex H.
    pub(super) fn interchange(float: InterchangeFloat) -> Result<FloatType> {
        Ok(match (float.format, float.width) {
            (InterchangeFormat::Binary, 32) => FloatType::Single,
            (InterchangeFormat::Binary, 64) | (InterchangeFormat::BinaryExtended, 32) => {
                FloatType::Double
            }
            (InterchangeFormat::BinaryExtended, 64) => FloatType::Extended,
            (InterchangeFormat::Binary, 128) => FloatType::Quadruple,
            _ => return Err("a decimal or unusual format of floats".into()),
        })
    }

    /// The alignment that `_Alignas` gives to the members of a declaration.
    fn alignment_of_member(
        &mut self,
        specifiers: &'a [Node<SpecifierQualifier>],
    ) -> Result<Option<u64>> {
        let mut found = None;
        for specifier in specifiers {
            if let SpecifierQualifier::Alignment(alignment) = &specifier.node {
                found = found.max(Some(self.specified_alignment(&alignment.node)?));
            }
        }
        Ok(found.filter(|&align| align > 0))
    }

    /// The alignment of an atomic object of a type, if it is of a size that the machine accesses at once: that size, as in gcc,
    /// where elements of arrays have it not.
    fn atomic_align(&self, ty: &Type) -> Option<u64> {
        let is_array = matches!(ty, Type::Array(..));
        let size = self.types.size(ty).filter(|_| !is_array)?;
        (size.is_power_of_two() && size <= 16).then_some(size)
    }

    /// The alignment that `_Alignas` asks for; 0 for none.
    pub(super) fn specified_alignment(&mut self, alignment: &'a AlignmentSpecifier) -> Result<u64> {
        match alignment {
            AlignmentSpecifier::Type(name) => {
                let ty = self.type_name(&name.node)?;
                Ok(self.types.align(&ty, false))
            }
            AlignmentSpecifier::Constant(number) => {
                u64::try_from(self.constant(number)?).map_err(|_| "a negative alignment".into())
            }
        }
    }

    fn type_of_words(&mut self, words: &Words) -> Result<Type> {
        if let Some(bits) = words.bit_vector {
            let known = u8::try_from(bits).ok();
            let signed = words.signed.unwrap_or(true);
            let known = known.filter(|bits| (1..=128).contains(bits));
            let bits = known.ok_or_else(|| {
                format!("`__CPROVER_bitvector` of {bits} bits: those of 1 to 128 are supported")
            })?;
            return Ok(Type::Int(IntType::bit_vector(bits, signed)));
        }
        let part = words.ty(self.options.model);
        if !words.complex {
            return Ok(part);
        }
        self.types.complex(&part)
    }

    fn type_specifier(
        &mut self,
        specifier: &'a TypeSpecifier,
        words: &mut Words,
        ty: &mut Option<Type>,
    ) -> Result<()> {
        words.any = true;
        match specifier {
            TypeSpecifier::Void => *ty = Some(Type::Void),
            TypeSpecifier::Char => words.char = true,
            TypeSpecifier::Short => words.short = true,
            TypeSpecifier::Int => words.int = true,
            TypeSpecifier::Long => words.long += 1,
            TypeSpecifier::Float => words.float = true,
            TypeSpecifier::Double => words.double = true,
            TypeSpecifier::Signed => words.signed = Some(true),
            TypeSpecifier::Unsigned => words.signed = Some(false),
            TypeSpecifier::Bool => words.bool = true,
            TypeSpecifier::Complex => words.complex = true,
            TypeSpecifier::Atomic(name) => *ty = Some(self.type_name(&name.node)?),
            TypeSpecifier::Struct(record) => *ty = Some(self.record(record)?),
            TypeSpecifier::Enum(enumeration) => {
                self.enumerations.has_any = true;
                *ty = Some(self.enumeration(&enumeration.node)?);
            }
            TypeSpecifier::TypedefName(name) => {
                *ty = Some(match self.lookup(&name.node.name) {
                    Some(Symbol::Typedef(_)) if self.misaligned.contains(&name.node.name) => {
                        return Err(format!("the attribute `aligned` of `{}`", name.node.name));
                    }
                    Some(Symbol::Typedef(ty)) => ty,
                    _ if name.node.name == "__builtin_va_list" => Type::VaList,
                    _ => return Err(format!("the type `{}`", name.node.name)),
                });
            }
            TypeSpecifier::TypeOf(of) => {
                *ty = Some(match &of.node {
                    TypeOf::Type(name) => self.type_name(&name.node)?,
                    TypeOf::Expression(expression) => self.type_of_operand(expression)?,
                });
            }
            TypeSpecifier::Interchange(float) => {
                *ty = Some(Type::Float(Self::interchange(*float)?));
            }
            TypeSpecifier::Int128 if self.options.model == DataModel::Lp64 => words.int128 = true,
            TypeSpecifier::Int128 => return Err("the type `__int128`".into()),
            TypeSpecifier::BitInt(width) => words.bits = Some(self.bits_of_type(width)?),
            TypeSpecifier::BitVector(width) => words.bit_vector = Some(self.constant(width)?),
            TypeSpecifier::PointerSized { signed } => {
                let model = self.options.model;
                *ty = Some(Type::Int(match model {
                    DataModel::Lp64 => IntType::long(model, *signed),
                    DataModel::Ilp32 => IntType::new(3, *signed, 4),
                }));
            }
            TypeSpecifier::Inferred => return Err("`__auto_type` in a type".into()),
        }
        Ok(())
    }

    /// The number of bits of a `_BitInt`. A signed one has two at least (C23 6.7.3.1p2), which compilers see to.
    fn bits_of_type(&mut self, width: &'a Node<Expression>) -> Result<u8> {
        let most = match self.options.model {
            DataModel::Lp64 => 128,
            // Larger ones have other sizes on i386.
            DataModel::Ilp32 => 32,
        };
        match self.constant(width)? {
            bits if (1..=most).contains(&bits) => Ok(bits as u8),
            bits => Err(format!("the type `_BitInt` of {bits} bits")),
        }
    }

    /// The type of the operand of `typeof`.
    fn type_of_operand(&mut self, expression: &'a Node<Expression>) -> Result<Type> {
        let ty = self.type_of(expression)?;
        match ty {
            Type::Int(int) if int != int.of_object() => {
                Err("the type of a bit-field of an unusual width".into())
            }
            ty => Ok(ty),
        }
    }

    fn enumeration(&mut self, enumeration: &'a EnumType) -> Result<Type> {
        let underlying = self.underlying(enumeration)?;
        let (is_packed, _) = self.packed(std::iter::once(enumeration.extensions.as_slice()))?;
        let Some(enumerators) = &enumeration.enumerators else {
            let tag = enumeration
                .identifier
                .as_ref()
                .map_or("", |tag| &tag.node.name);
            let key = format!("enum {tag}");
            let found = self
                .scopes
                .iter()
                .rev()
                .find_map(|scope| scope.tags.get(&key).cloned());
            if let Some(ty) = found {
                return Ok(ty);
            }
            let ty = underlying.unwrap_or(IntType::UINT);
            if underlying.is_some()
                && let Some(scope) = self.scopes.last_mut()
            {
                scope.tags.insert(key, Type::Int(ty));
            }
            return Ok(Type::Int(ty));
        };
        let mut next = 0i128;
        let mut names = Vec::new();
        let (mut smallest, mut largest) = (0i128, 0i128);
        for enumerator in enumerators {
            if let Some(expression) = &enumerator.node.expression {
                next = self.constant(expression)?;
            }
            (smallest, largest) = (smallest.min(next), largest.max(next));
            let own = if i32::try_from(next).is_ok() {
                IntType::INT
            } else if u32::try_from(next).is_ok() {
                IntType::UINT
            } else {
                self.wide_enum(next < 0)
            };
            let name = &enumerator.node.identifier.node.name;
            self.bind(name, Symbol::Enumerator(next, own));
            names.push((name, next));
            next += 1;
        }
        let ty = if let Some(underlying) = underlying {
            underlying
        } else if is_packed {
            narrowest(smallest, largest)
        } else if smallest < 0 {
            let fits = i32::try_from(smallest).is_ok() && i32::try_from(largest).is_ok();
            if fits {
                IntType::INT
            } else {
                self.wide_enum(true)
            }
        } else if u32::try_from(largest).is_ok() {
            IntType::UINT
        } else {
            self.wide_enum(false)
        };
        // Enumerators that don't fit into an `int` have the type of the enumeration.
        for (name, value) in names {
            if underlying.is_some() || i32::try_from(value).is_err() {
                self.bind(name, Symbol::Enumerator(value, ty));
            }
        }
        if let Some(tag) = &enumeration.identifier
            && let Some(scope) = self.scopes.last_mut()
        {
            scope
                .tags
                .insert(format!("enum {}", tag.node.name), Type::Int(ty));
        }
        Ok(Type::Int(ty))
    }

    /// The type that C23 lets an enumeration have, or that GNU's `mode` gives it.
    fn underlying(&mut self, enumeration: &'a EnumType) -> Result<Option<IntType>> {
        let own = match &enumeration.underlying {
            Some(name) => self.specifier_qualifiers(&name.node.specifiers)?,
            None => Type::Int(IntType::UINT),
        };
        let Type::Int(int) = self.with_mode(own, &enumeration.extensions)? else {
            return Err("an enumeration whose type is no integer".into());
        };
        let is_own = enumeration.underlying.is_none() && int == IntType::UINT;
        Ok((!is_own).then_some(int))
    }

    /// The type of 64 bits that gcc gives to an enumeration: the one of the lowest rank.
    fn wide_enum(&self, signed: bool) -> IntType {
        match self.options.model {
            DataModel::Lp64 => IntType::long(DataModel::Lp64, signed),
            DataModel::Ilp32 => IntType::new(5, signed, 8),
        }
    }

    fn record(&mut self, record: &'a Node<StructType>) -> Result<Type> {
        let id = self.record_number(record);
        let Some(declarations) = &record.node.declarations else {
            return Ok(Type::Record(id));
        };
        let packed = self.packed(std::iter::once(record.node.extensions.as_slice()))?;
        let mut members = Vec::new();
        for declaration in declarations {
            match &declaration.node {
                StructDeclaration::Field(field) => {
                    self.add_members(&field.node, packed.0, &mut members)?;
                }
                StructDeclaration::StaticAssert(assertion) => self.static_assertion(assertion)?,
            }
        }
        let packing = Packing {
            limit: self.source.pack_limit(record.span.end.saturating_sub(1))?,
            aligned: packed.1,
        };
        self.types.lay_out(id, members, packing)?;
        let lists = std::iter::once(record.node.extensions.as_slice());
        self.note_transparent(&Type::Record(id), lists);
        Ok(Type::Record(id))
    }

    /// The number of a record: a new one, unless it is declared already.
    fn record_number(&mut self, record: &'a Node<StructType>) -> usize {
        let is_union = record.node.kind.node == StructKind::Union;
        let word = if is_union { "union" } else { "struct" };
        let tag = record
            .node
            .identifier
            .as_ref()
            .map(|tag| tag.node.name.clone());
        let key = tag.as_ref().map(|tag| format!("{word} {tag}"));
        let found = key.as_ref().and_then(|key| {
            // A definition declares a new type in the current scope; a reference searches the enclosing ones.
            if record.node.declarations.is_some() {
                self.scopes
                    .last()
                    .and_then(|scope| scope.tags.get(key).cloned())
            } else {
                self.scopes
                    .iter()
                    .rev()
                    .find_map(|scope| scope.tags.get(key).cloned())
            }
        });
        match found {
            Some(Type::Record(id))
                if record.node.declarations.is_none() || !self.types.records[id].complete =>
            {
                id
            }
            _ => {
                self.types.records.push(Record {
                    is_union,
                    fields: Vec::new(),
                    size: 0,
                    align: 1,
                    complete: false,
                });
                let id = self.types.records.len() - 1;
                if let (Some(key), Some(scope)) = (key, self.scopes.last_mut()) {
                    scope.tags.insert(key, Type::Record(id));
                }
                id
            }
        }
    }

    /// The members of one declaration in a record.
    fn add_members(
        &mut self,
        field: &'a StructField,
        is_record_packed: bool,
        members: &mut Vec<Member>,
    ) -> Result<()> {
        let base = self.specifier_qualifiers(&field.specifiers)?;
        let lists = (field.specifiers.iter()).filter_map(|specifier| match &specifier.node {
            SpecifierQualifier::Extension(list) => Some(list.as_slice()),
            _ => None,
        });
        let (own_packed, align) = self.packed(lists)?;
        let align = align.max(self.alignment_of_member(&field.specifiers)?);
        let is_packed = is_record_packed || own_packed;
        if field.declarators.is_empty() {
            // A record with a tag alone declares no member.
            if matches!(base, Type::Record(_)) && is_anonymous(&field.specifiers) {
                members.push(Member {
                    name: None,
                    ty: base,
                    bit_width: None,
                    align,
                    is_packed,
                });
            }
            return Ok(());
        }
        for declarator in &field.declarators {
            let named = declarator.node.declarator.as_ref();
            if let Some(DeclaratorKind::Identifier(name)) = named.map(|it| &it.node.kind.node) {
                self.note_qualifiers_of_member(&name.node.name, &field.specifiers, named);
            }
            let bit_width = match &declarator.node.bit_width {
                Some(width) => Some(
                    u32::try_from(self.constant(width)?)
                        .map_err(|_| "a bit-field's width".to_string())?,
                ),
                None => None,
            };
            if let (Some(width), Type::Int(int)) = (bit_width, &base)
                && int.is_bit_precise
                && width > int.width()
            {
                return Err(format!(
                    "a bit-field of more bits than its `_BitInt` of {} bits",
                    int.width()
                ));
            }
            let (mut align, mut is_packed) = (align, is_packed);
            let after = std::iter::once(declarator.node.extensions.as_slice());
            let (after_packed, after_align) = self.packed(after)?;
            is_packed |= after_packed;
            align = align.max(after_align);
            let (name, ty) = match &declarator.node.declarator {
                Some(declarator) => {
                    let lists = std::iter::once(declarator.node.extensions.as_slice());
                    let (own_packed, own) = self.packed(lists)?;
                    is_packed |= own_packed;
                    align = align.max(own);
                    let (name, ty) =
                        self.declarator(base.clone(), declarator, Lengths::Constant)?;
                    (name, self.with_mode(ty, &declarator.node.extensions)?)
                }
                None => (None, base.clone()),
            };
            let qualified = self.atomics.of_qualifiers(&field.specifiers);
            let named = declarator.node.declarator.as_ref();
            if self.atomics.declared(qualified, named).object {
                align = align.max(self.atomic_align(&ty));
            }
            members.push(Member {
                name,
                ty,
                bit_width,
                align,
                is_packed,
            });
        }
        Ok(())
    }
}

/// Whether `const` is among the specifiers of a declaration.
pub(super) fn is_const(specifiers: &[Node<DeclarationSpecifier>]) -> bool {
    specifiers.iter().any(|specifier| {
        matches!(&specifier.node, DeclarationSpecifier::TypeQualifier(qualifier)
            if qualifier.node == TypeQualifier::Const)
    })
}

/// The type of the fewest bytes that has these values: that of a packed enumeration.
fn narrowest(smallest: i128, largest: i128) -> IntType {
    let signed = smallest < 0;
    let fits = |bits: u32| {
        let magnitude = if signed { bits - 1 } else { bits };
        smallest >= -(1i128 << (bits - 1)) && largest < 1i128 << magnitude
    };
    match [8, 16, 32].into_iter().find(|&bits| fits(bits)) {
        Some(8) => IntType::new(1, signed, 1),
        Some(16) => IntType::new(2, signed, 2),
        Some(_) => IntType::new(3, signed, 4),
        None => IntType::new(5, signed, 8),
    }
}

/// Whether the type of specifiers is that of a record without a tag.
fn is_anonymous(specifiers: &[Node<SpecifierQualifier>]) -> bool {
    specifiers.iter().any(|specifier| {
        matches!(&specifier.node, SpecifierQualifier::TypeSpecifier(ty)
            if matches!(&ty.node, TypeSpecifier::Struct(record) if record.node.identifier.is_none()))
    })
}
