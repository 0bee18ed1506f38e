//! Objects that are declared `constexpr` (C23 6.7.2): their names are constant expressions.

use super::qualifier::keeper;
use super::{Lowering, Result, Value};
use crate::syntax::ast::{DeclarationSpecifier, Initializer, StorageClassSpecifier};
use crate::syntax::span::Node;
use crate::types::Type;

impl<'a> Lowering<'a> {
    /// Keeps the value of an integer that was just declared.
    pub(super) fn note_constexpr(
        &mut self,
        name: &str,
        ty: &Type,
        initializer: Option<&'a Node<Initializer>>,
    ) -> Result<()> {
        let (Some(keeper), Type::Int(int)) = (self.lookup(name).as_ref().and_then(keeper), ty)
        else {
            return Ok(());
        };
        let Some(Initializer::Expression(value)) = initializer.map(|it| &it.node) else {
            return Ok(());
        };
        let value = self.without_code(|lowering| {
            let value = lowering.rvalue(value)?;
            let value = lowering.cast(value, &Type::Int(*int))?;
            Ok(lowering.program.constant_value(value.expr))
        })?;
        let value = value.ok_or("a `constexpr` object whose value is not constant")?;
        self.constexprs.insert(keeper, value);
        Ok(())
    }

    /// The value of a name, if it is an object declared `constexpr`.
    pub(super) fn constexpr_value(&mut self, name: &str) -> Option<Value> {
        if self.constexprs.is_empty() {
            return None;
        }
        let symbol = self.lookup(name)?;
        let value = *self.constexprs.get(&keeper(&symbol)?)?;
        let (super::Symbol::Register(_, ty)
        | super::Symbol::Slot(_, ty)
        | super::Symbol::Static(_, ty)) = symbol
        else {
            return None;
        };
        let width = self.scalar_width(&ty)?;
        let expr = self.program.constant(value, width);
        Some(Value { expr, ty })
    }
}

/// Whether specifiers say `constexpr`.
pub(super) fn is_constexpr(specifiers: &[Node<DeclarationSpecifier>]) -> bool {
    specifiers.iter().any(|specifier| {
        matches!(&specifier.node, DeclarationSpecifier::StorageClass(class)
            if class.node == StorageClassSpecifier::Constexpr)
    })
}
