//! The order of the expressions in the braces of an initialiser, which is open (C11 6.7.9p23).

use super::effects::Effects;
use super::order::repeatable;
use super::{Lowering, Result};
use crate::syntax::ast::*;
use crate::syntax::span::Node;

/// The expressions in an initialiser's braces, in their order.
fn leaves_of<'a>(items: &'a [Node<InitializerListItem>], leaves: &mut Vec<&'a Node<Expression>>) {
    for item in items {
        match &item.node.initializer.node {
            Initializer::Expression(expression) => leaves.push(expression),
            Initializer::List(inner) => leaves_of(inner, leaves),
        }
    }
}

impl<'a> Lowering<'a> {
    /// Checks the unspecified order of the expressions in the braces of an initialiser (C11 6.7.9p23): an
    /// error if they conflict.
    pub(super) fn check_initialiser_order(
        &mut self,
        items: &'a [Node<InitializerListItem>],
    ) -> Result<()> {
        if self.is_without_code {
            return Ok(());
        }
        let mut leaves = Vec::new();
        leaves_of(items, &mut leaves);
        if leaves.len() < 2 || !leaves.iter().any(|leaf| self.acts(leaf)) {
            return Ok(());
        }
        let effects: Vec<Effects> = leaves.iter().map(|leaf| self.effects(leaf)).collect();
        if self.has_both_orders(&leaves, &effects)? {
            return Ok(());
        }
        // The effects of the previous ones.
        let mut before = Effects::default();
        for (own, leaf) in effects.iter().zip(&leaves) {
            if self.conflict_of((&before, true), (own, true))? {
                return Err("initialisers whose order is open".into());
            }
            if self.may_hide(&before, own, leaf) {
                self.try_first(leaf)?;
            }
            before.add(own);
        }
        Ok(())
    }

    /// Of two calls among the initialisers that conflict, and with no others, both orders are lowered; their values are
    /// kept until they are stored.
    fn has_both_orders(
        &mut self,
        leaves: &[&'a Node<Expression>],
        effects: &[Effects],
    ) -> Result<bool> {
        let acting: Vec<usize> = (0..leaves.len())
            .filter(|&at| self.acts(leaves[at]))
            .collect();
        let [first, second] = acting[..] else {
            return Ok(false);
        };
        let others = (0..leaves.len()).filter(|at| !acting.contains(at));
        for at in others {
            for acting in [first, second] {
                if self.conflict_of((&effects[at], false), (&effects[acting], true))? {
                    return Ok(false);
                }
            }
        }
        if !self.conflict_of((&effects[first], true), (&effects[second], true))? {
            return Ok(false);
        }
        let pair = [leaves[first], leaves[second]];
        repeatable(&pair)?;
        let values = self.in_both_orders(&pair)?;
        for (leaf, value) in pair.into_iter().zip(values) {
            self.early_values.insert(leaf.span.start, value);
        }
        Ok(true)
    }
}
