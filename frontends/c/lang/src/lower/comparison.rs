//! Functions of the library that call one of the program's to compare (C11 7.22.5): which elements they compare, and how
//! often, is open.

use crate::syntax::ast::{DerivedDeclarator, Expression, FunctionDefinition, UnaryOperator};
use crate::syntax::span::Node;

use super::{Lowering, Result, Symbol};

/// Their names, the place of the comparison among the arguments, and how many parameters it has.
const COMPARERS: [(&str, usize, usize); 3] =
    [("qsort", 3, 2), ("qsort_r", 3, 3), ("bsearch", 4, 2)];

impl<'a> Lowering<'a> {
    /// Refuses a call whose comparison changes something that lasts: the model's calls are some of those that are allowed.
    pub(super) fn comparison_is_idle(
        &mut self,
        name: &str,
        arguments: &'a [Node<Expression>],
    ) -> Result<()> {
        let Some(&(_, place, n_parameters)) = COMPARERS.iter().find(|known| known.0 == name) else {
            return Ok(());
        };
        let Some(comparison) = arguments.get(place).filter(|_| !self.is_without_code) else {
            return Ok(());
        };
        let names = match self.named_function(comparison) {
            Some(name) => vec![name.to_string()],
            None => self.functions_that_may_compare(n_parameters),
        };
        for compares in names {
            if self.changes_something(&compares) {
                return Err(format!(
                    "a call of `{name}`, whose comparison `{compares}` changes something: how often it is called is open"
                ));
            }
        }
        Ok(())
    }

    /// The function that an expression names, also behind casts and `&`.
    fn named_function<'e>(&self, expression: &'e Node<Expression>) -> Option<&'e str> {
        match &expression.node {
            Expression::Identifier(name) => {
                let name = name.node.name.as_str();
                matches!(self.lookup(name), Some(Symbol::Function(..))).then_some(name)
            }
            Expression::Cast(cast) => self.named_function(&cast.node.expression),
            Expression::UnaryOperator(operation)
                if operation.node.operator.node == UnaryOperator::Address =>
            {
                self.named_function(&operation.node.operand)
            }
            _ => None,
        }
    }

    /// The program's functions with that many parameters to which a pointer may lead.
    fn functions_that_may_compare(&self, n_parameters: usize) -> Vec<String> {
        let fits = |link: &String| {
            let definition = &self.definitions[link];
            let name = super::unit::source_name(link);
            definition.is_own()
                && self.taken.named.contains(name)
                && count_parameters(&definition.function.node) == n_parameters
        };
        let links = self.definitions.keys().filter(|link| fits(link));
        let mut names: Vec<_> =
            (links.map(|link| super::unit::source_name(link).to_string())).collect();
        names.sort();
        names
    }
}

/// How many parameters a definition names.
fn count_parameters(definition: &FunctionDefinition) -> usize {
    let derived = definition.declarator.node.derived.iter();
    derived
        .map(|derived| match &derived.node {
            DerivedDeclarator::Function(function) => function.node.parameters.len(),
            DerivedDeclarator::KRFunction(names) => names.len(),
            _ => 0,
        })
        .sum()
}
