//! The meaning of terms over machine integers.

use std::collections::HashMap;

use super::term::{Node, Op, Term, Terms};

/// As many ones as the width says.
#[inline]
#[must_use]
pub fn mask(width: u32) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1 << width) - 1
    }
}

/// The value that `width` bits stand for in two's complement.
#[inline]
#[must_use]
pub fn to_signed(value: u128, width: u32) -> i128 {
    let unused = 128 - width;
    ((value << unused) as i128) >> unused
}

/// The bits of a signed value.
#[inline]
#[must_use]
pub fn from_signed(value: i128, width: u32) -> u128 {
    value as u128 & mask(width)
}

/// The result of a binary operator on operands of the given width.
#[must_use]
pub fn binary(op: Op, a: u128, b: u128, width: u32) -> u128 {
    let (signed_a, signed_b) = (to_signed(a, width), to_signed(b, width));
    let value = match op {
        Op::And => a & b,
        Op::Xor => a ^ b,
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv if b == 0 => return if signed_a < 0 { 1 } else { mask(width) },
        Op::SDiv => signed_a.wrapping_div(signed_b) as u128,
        Op::SRem if b == 0 => a,
        Op::SRem => signed_a.wrapping_rem(signed_b) as u128,
        Op::Shl if b >= u128::from(width) => 0,
        Op::Shl => a << b,
        Op::LShr if b >= u128::from(width) => 0,
        Op::LShr => a >> b,
        Op::AShr => (signed_a >> b.min(127)) as u128,
        Op::Eq => return u128::from(a == b),
        Op::Ult => return u128::from(a < b),
        Op::Slt => return u128::from(signed_a < signed_b),
    };
    value & mask(width)
}

/// Evaluates terms under an assignment to their variables, remembering what it has evaluated.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    variable: Box<dyn Fn(Term, u32) -> u128 + 'a>,
    values: HashMap<Term, u128>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator in which the variable with the given term and number has the value that `variable` says.
    #[must_use]
    pub fn new(terms: &'a Terms, variable: impl Fn(Term, u32) -> u128 + 'a) -> Self {
        Self {
            terms,
            variable: Box::new(variable),
            values: HashMap::new(),
        }
    }

    /// The value of a term that has been evaluated or set.
    #[must_use]
    pub fn known(&self, term: Term) -> Option<u128> {
        self.values.get(&term).copied()
    }

    /// Gives a term a value, whatever it is built from. What was evaluated before keeps its value.
    ///
    /// # Panics
    /// In debug builds, if the term has another value already.
    pub fn set(&mut self, term: Term, value: u128) {
        let old = self
            .values
            .insert(term, value & mask(self.terms.width(term)));
        debug_assert!(old.is_none_or(|old| old == value));
    }

    /// The value of a term.
    pub fn value(&mut self, root: Term) -> u128 {
        if let Some(&value) = self.values.get(&root) {
            return value;
        }
        for term in self
            .terms
            .cone(&[root], |term| self.values.contains_key(&term))
        {
            let width = self.terms.width(term);
            let value = match self.terms.node(term) {
                Node::Const(value) => value,
                Node::Var(number) => (self.variable)(term, number) & mask(width),
                Node::Not(a) => !self.values[&a] & mask(width),
                Node::Binary(op, a, b) => {
                    binary(op, self.values[&a], self.values[&b], self.terms.width(a))
                }
                Node::Ite(c, a, b) => self.values[if self.values[&c] == 1 { &a } else { &b }],
                Node::Concat(high, low) => {
                    self.values[&high] << self.terms.width(low) | self.values[&low]
                }
                Node::Extract(a, low) => self.values[&a] >> low & mask(width),
                Node::ZExt(a) => self.values[&a],
                Node::SExt(a) => {
                    from_signed(to_signed(self.values[&a], self.terms.width(a)), width)
                }
            };
            self.values.insert(term, value);
        }
        self.values[&root]
    }
}
