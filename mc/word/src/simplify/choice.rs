//! Choices between two terms.

use crate::term::{Node, Term, Terms};

impl Terms {
    /// A choice.
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        if self.is_array(then) {
            return self.ite_array(condition, then, otherwise);
        }
        let width = self.width(then);
        debug_assert_eq!(width, self.width(otherwise));
        debug_assert_eq!(self.width(condition), 1);
        match self.constant_value(condition) {
            Some(0) => return otherwise,
            Some(_) => return then,
            None => {}
        }
        if then == otherwise {
            return then;
        }
        if let Node::Not(inner) = self.node(condition) {
            return self.ite(inner, otherwise, then);
        }
        let at_key = self.under_equality(condition, then);
        if at_key != then {
            return self.ite(condition, at_key, otherwise);
        }
        // Nested choices on the same condition are resolved.
        if let Node::Ite(c, x, _) = self.node(then)
            && c == condition
        {
            return self.ite(condition, x, otherwise);
        }
        if let Node::Ite(c, _, y) = self.node(otherwise)
            && c == condition
        {
            return self.ite(condition, then, y);
        }
        // c ? x : (d ? x : y) = (c | d) ? x : y, and its mirror image.
        if let Node::Ite(d, x, y) = self.node(otherwise) {
            if x == then {
                let either = self.or(condition, d);
                return self.ite(either, then, y);
            }
            if y == then {
                let only = self.not(condition);
                let only = self.and(only, d);
                return self.ite(only, x, y);
            }
        }
        if let Node::Ite(d, x, y) = self.node(then) {
            if y == otherwise {
                let both = self.and(condition, d);
                return self.ite(both, x, y);
            }
            if x == otherwise {
                let negated = self.not(d);
                let both = self.and(condition, negated);
                return self.ite(both, y, x);
            }
        }
        if width == 1 {
            let (a, b) = (self.constant_value(then), self.constant_value(otherwise));
            let negated = self.not(condition);
            match (a, b) {
                (Some(1), Some(0)) => return condition,
                (Some(0), Some(1)) => return negated,
                (Some(1), _) => return self.or(condition, otherwise),
                (Some(0), _) => return self.and(negated, otherwise),
                (_, Some(1)) => return self.or(negated, then),
                (_, Some(0)) => return self.and(condition, then),
                _ => {}
            }
        }
        if let (Node::ZExt(x), Node::ZExt(y)) = (self.node(then), self.node(otherwise))
            && self.width(x) == self.width(y)
        {
            let inner = self.ite(condition, x, y);
            return self.zext(inner, width);
        }
        self.intern(Node::Ite(condition, then, otherwise), width)
    }

    /// Whether the term is a tree of choices with at most `budget` leaves, all of them constants.
    pub(super) fn is_constant_choice(&self, term: Term, mut budget: usize) -> bool {
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if budget == 0 {
                return false;
            }
            budget -= 1;
            match self.node(term) {
                Node::Const(_) | Node::Wide(_) => {}
                Node::Ite(_, x, y) => stack.extend([x, y]),
                _ => return false,
            }
        }
        true
    }
}
