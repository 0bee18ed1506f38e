//! Attributes: those that change a layout or a type, and properties of functions.
//!
//! Most attributes do not change the meaning of a program and are ignored; with those that may and are not
//! taken into account, it is refused (`attribute_list`).

use std::collections::HashSet;

use crate::syntax::ast::*;
use crate::syntax::span::{Node, Span};
use crate::types::{DataModel, FloatType, IntType, Type};

use super::extension::extension_lists;
use super::{Lowering, Result, Symbol};

impl<'a> Lowering<'a> {
    /// Attributes that change a layout: packed, and the alignment.
    pub(super) fn packed(
        &mut self,
        lists: impl Iterator<Item = &'a [Node<Extension>]>,
    ) -> Result<(bool, Option<u64>)> {
        let mut found = (false, None);
        for list in lists {
            for extension in list {
                if let Extension::Attribute(attribute) = &extension.node {
                    match attribute.name.node.trim_matches('_') {
                        "packed" => {
                            self.attribute_seen(attribute);
                            found.0 = true;
                        }
                        "aligned" => found.1 = Some(self.alignment(attribute)?),
                        _ => {}
                    }
                }
            }
        }
        Ok(found)
    }

    /// Records that an attribute was taken into account.
    fn attribute_seen(&mut self, attribute: &Attribute) {
        let name = &attribute.name.node;
        let skip = name.len() - name.trim_start_matches('_').len();
        let offset = attribute.name.span.start + skip;
        self.packed_seen.insert((self.files_from, offset));
    }

    fn alignment(&mut self, attribute: &'a Attribute) -> Result<u64> {
        match attribute.arguments.first() {
            // The largest alignment that the machine needs for any type.
            None => Ok(16),
            Some(argument) => {
                u64::try_from(self.constant(argument)?).map_err(|_| "a negative alignment".into())
            }
        }
    }

    /// A type changed by the attribute `mode`.
    pub(super) fn with_mode(
        &mut self,
        mut ty: Type,
        extensions: &'a [Node<Extension>],
    ) -> Result<Type> {
        for extension in extensions {
            let Extension::Attribute(attribute) = &extension.node else {
                continue;
            };
            match attribute.name.node.trim_matches('_') {
                "vector_size" => {
                    self.attribute_seen(attribute);
                    let refusal = "the attribute `vector_size`";
                    let bytes = self.constant(attribute.arguments.first().ok_or(refusal)?)?;
                    let bytes = u64::try_from(bytes).map_err(|_| refusal.to_string())?;
                    ty = self.types.vector(&ty, bytes)?;
                    continue;
                }
                "mode" => {}
                _ => continue,
            }
            let mode = match attribute.arguments.first().map(|argument| &argument.node) {
                Some(Expression::Identifier(name)) => name.node.name.trim_matches('_').to_string(),
                _ => return Err("the attribute `mode`".into()),
            };
            let model = self.options.model;
            return match (&ty, mode.as_str()) {
                (Type::Int(int), "QI" | "byte") => Ok(Type::Int(IntType::new(1, int.signed, 1))),
                (Type::Int(int), "HI") => Ok(Type::Int(IntType::new(2, int.signed, 2))),
                (Type::Int(int), "SI") => Ok(Type::Int(IntType::new(3, int.signed, 4))),
                (Type::Int(int), "DI") => Ok(Type::Int(IntType::new(5, int.signed, 8))),
                (Type::Int(int), "TI") if model == DataModel::Lp64 => {
                    Ok(Type::Int(IntType::new(6, int.signed, 16)))
                }
                (Type::Int(int), "word" | "pointer" | "unwind_word") => {
                    Ok(Type::Int(IntType::long(model, int.signed)))
                }
                (Type::Float(_), "SF") => Ok(Type::Float(FloatType::Single)),
                (Type::Float(_), "DF") => Ok(Type::Float(FloatType::Double)),
                (Type::Float(_), "XF") => Ok(Type::Float(FloatType::Extended)),
                (Type::Float(_), "TF") => Ok(Type::Float(FloatType::Quadruple)),
                _ => Err(format!("the attribute `mode({mode})`")),
            };
        }
        Ok(ty)
    }

    /// Records function properties of a declaration: that it does not return, that it is weak, or that it has
    /// another assembler name.
    pub(super) fn function_attributes(
        &mut self,
        name: &str,
        specifiers: &'a [Node<DeclarationSpecifier>],
        declarator: &'a Node<Declarator>,
    ) {
        let mut extensions: Vec<&'a Node<Extension>> = declarator.node.extensions.iter().collect();
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::Function(function)
                    if function.node == FunctionSpecifier::Noreturn =>
                {
                    self.noreturn.insert(name.to_string());
                }
                DeclarationSpecifier::Extension(list) => extensions.extend(list),
                _ => {}
            }
        }
        for extension in extensions {
            match &extension.node {
                Extension::Attribute(attribute) => match attribute.name.node.trim_matches('_') {
                    "noreturn" => drop(self.noreturn.insert(name.to_string())),
                    "weak" => drop(self.weak.insert(name.to_string())),
                    "constructor" => self.note_constructor(name, attribute, false),
                    "destructor" => self.note_constructor(name, attribute, true),
                    _ => {}
                },
                Extension::AsmLabel(label) => {
                    let label = label.node.concat().replace('"', "");
                    self.assembler_names.insert(name.to_string(), label);
                }
            }
        }
    }

    /// The type of a typedef with an alignment attribute: a record with that alignment and an unchanged size.
    /// `None` for other types, whose alignment is not represented.
    pub(super) fn with_alignment(
        &mut self,
        ty: &Type,
        specifiers: &'a [Node<DeclarationSpecifier>],
        declarator: &'a Node<Declarator>,
    ) -> Result<Option<Type>> {
        let lists = extension_lists(specifiers, declarator);
        let (_, align) = self.packed(lists)?;
        // An attribute after a record's members belongs to the record, and is in its alignment already.
        let align = match align {
            Some(align)
                if self.types.size(ty).is_some() && self.types.align(ty, false) != align =>
            {
                align
            }
            _ => return Ok(Some(ty.clone())),
        };
        let Type::Record(id) = *ty else {
            return Ok(None);
        };
        let mut record = self.types.records[id].clone();
        record.align = align;
        self.types.records.push(record);
        Ok(Some(Type::Record(self.types.records.len() - 1)))
    }

    /// The alignment that a declaration asks for its objects: by `_Alignas` or by the attribute.
    pub(super) fn alignment_of_object(
        &mut self,
        specifiers: &'a [Node<DeclarationSpecifier>],
        declarator: &'a Node<Declarator>,
    ) -> Result<u64> {
        let mut align = 1;
        let mut lists = vec![declarator.node.extensions.as_slice()];
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::Alignment(alignment) => {
                    align = align.max(self.specified_alignment(&alignment.node)?);
                }
                DeclarationSpecifier::Extension(list) => lists.push(list),
                _ => {}
            }
        }
        let (_, of_attributes) = self.packed(lists.into_iter())?;
        Ok(align.max(of_attributes.unwrap_or(1)))
    }

    /// Raises the alignment of the object that a name means here.
    pub(super) fn align_object(&mut self, name: &str, align: u64) {
        let object = match self.lookup(name) {
            Some(Symbol::Static(id, _)) => &mut self.program.statics[id as usize],
            Some(Symbol::Slot(slot, _)) => &mut self.builder.function.slots[slot as usize],
            _ => return,
        };
        object.align = object.align.max(align);
    }

    /// The parser drops attributes in some places. If such an attribute could change a layout, the program is
    /// rejected. Functions that are not lowered do not count.
    pub(super) fn check_layout_attributes(&mut self, lowered: &HashSet<String>) -> Result<()> {
        for unit in 0..self.units.len() {
            self.enter_unit(unit);
            self.check_layout_attributes_of(unit, lowered)?;
        }
        Ok(())
    }

    fn check_layout_attributes_of(&mut self, unit: usize, lowered: &HashSet<String>) -> Result<()> {
        let source = self.source;
        let unused: Vec<Span> = (self.definitions.iter())
            .filter(|(link, definition)| definition.unit == unit && !lowered.contains(*link))
            .map(|(_, definition)| definition.function.span)
            .collect();
        for word in ["packed", "vector_size", "scalar_storage_order", "ms_struct"] {
            for (offset, _) in source.text.match_indices(word) {
                let near = self
                    .packed_seen
                    .iter()
                    .any(|seen| seen.0 == self.files_from && seen.1.abs_diff(offset) <= 2);
                let (text, rest) = source.text.split_at(offset);
                let rest = rest[word.len()..].trim_start_matches('_');
                if rest.starts_with(|c: char| c.is_alphanumeric()) {
                    continue;
                }
                let in_attribute = text.trim_end_matches('_').ends_with(['(', ',', ' '])
                    && text
                        .get(text.len().saturating_sub(40)..)
                        .unwrap_or(text)
                        .contains("__attribute");
                let is_unused =
                    (unused.iter()).any(|span| (span.start..span.end).contains(&offset));
                if !near && in_attribute && !is_unused {
                    self.locate(offset);
                    return Err(format!(
                        "{}: the attribute `{word}` in a place that is not supported",
                        self.program.place(self.at)
                    ));
                }
            }
        }
        Ok(())
    }
}
