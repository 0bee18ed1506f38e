//! `_Generic` (C11 6.5.1.1): types are told apart with the qualifiers of what pointers lead to.

use super::constness::depth;
use super::qualifier::Qualified;
use super::{Lowering, Result};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::Type;

/// The qualifiers that are followed.
const KINDS: [TypeQualifier; 3] = [
    TypeQualifier::Const,
    TypeQualifier::Volatile,
    TypeQualifier::Atomic,
];

/// Whether a type that is the same but for qualifiers is the same with them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Match {
    Yes,
    No,
    Unknown,
}

impl<'a> Lowering<'a> {
    /// The expression that a `_Generic` selects.
    pub(super) fn selected(
        &mut self,
        selection: &'a GenericSelection,
    ) -> Result<&'a Node<Expression>> {
        let ty = self
            .without_code(|lowering| lowering.rvalue(&selection.expression))?
            .ty;
        let (mut found, mut default, mut is_open) = (None, None, false);
        for association in &selection.associations {
            match &association.node {
                GenericAssociation::Default(expression) => default = Some(&**expression),
                GenericAssociation::Type(association) => {
                    let name = &association.node.type_name.node;
                    let wanted = self.type_name(name)?;
                    if !self.types.is_same(&ty, &wanted) || has_other_parameters(&ty, &wanted) {
                        continue;
                    }
                    match self.is_qualified_alike(&selection.expression, &ty, name) {
                        Match::No => {}
                        Match::Unknown => is_open = true,
                        Match::Yes => {
                            if found.replace(&*association.node.expression).is_some() {
                                return Err(
                                    "a `_Generic` between types that are hard to tell apart".into(),
                                );
                            }
                        }
                    }
                }
            }
        }
        // No two associations are compatible: with one that is the type, others are not.
        match (found, is_open) {
            (Some(found), _) => Ok(found),
            (None, true) => Err("a `_Generic` between types that are hard to tell apart".into()),
            (None, false) => {
                default.ok_or_else(|| "a `_Generic` without the type of its operand".into())
            }
        }
    }

    /// Whether a type's name has the qualifiers that the value of an expression has, of this type.
    fn is_qualified_alike(
        &mut self,
        operand: &'a Node<Expression>,
        ty: &Type,
        name: &TypeName,
    ) -> Match {
        let depth = depth(ty);
        let mut result = Match::Yes;
        for kind in &KINDS {
            let wanted = match kind {
                TypeQualifier::Volatile => self.volatiles.of_type_name(name),
                TypeQualifier::Atomic => self.atomics.of_type_name(name),
                _ => self.constants.of_type_name(name),
            };
            // A value has no qualifiers itself.
            if wanted.object {
                return Match::No;
            }
            if depth == 0 {
                continue;
            }
            match self.qualified_value(operand, kind) {
                None => result = Match::Unknown,
                Some(own) if own.target != wanted.target || own.deeper != wanted.deeper => {
                    return Match::No;
                }
                // Which of three objects or more it is is not known.
                Some(Qualified { deeper: true, .. }) if depth > 2 => result = Match::Unknown,
                Some(_) => {}
            }
        }
        result
    }
}

/// Whether two compatible types are of functions, or pointers to them, that differ in parameters which point to `const`.
fn has_other_parameters(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Pointer(a), Type::Pointer(b)) => has_other_parameters(a, b),
        (Type::Function(a), Type::Function(b)) if a.prototype && b.prototype => {
            let is_const = |ty: &crate::types::FunctionType, index: usize| {
                ty.points_to_const.get(index).copied().unwrap_or(false)
            };
            (0..a.params.len()).any(|index| is_const(a, index) != is_const(b, index))
        }
        _ => false,
    }
}
