//! The values of terms under an assignment.

use std::collections::HashMap;
use std::sync::Arc;

use super::array_value::ArrayValue;
use super::bit_vector::{BitVector, NARROW};
use super::machine::{binary, from_signed, mask, to_signed};
use super::term::{Node, Sort, Term, Terms};

/// The value of a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Of a bit-vector.
    Bits(BitVector),
    /// Of an array.
    Array(Arc<ArrayValue>),
}

impl Value {
    /// The value of a bit-vector.
    ///
    /// # Panics
    /// If it is the value of an array.
    #[must_use]
    pub fn bits(&self) -> &BitVector {
        match self {
            Self::Bits(bits) => bits,
            Self::Array(_) => panic!("an array is no bit-vector"),
        }
    }

    /// The value of an array.
    ///
    /// # Panics
    /// If it is the value of a bit-vector.
    #[must_use]
    pub fn array(&self) -> &ArrayValue {
        match self {
            Self::Array(array) => array,
            Self::Bits(_) => panic!("a bit-vector is no array"),
        }
    }

    /// All bits 0; of an array, at every index.
    fn zero(sort: Sort) -> Self {
        match sort {
            Sort::BitVector(width) => Self::Bits(BitVector::new(0, width)),
            Sort::Array { index, element } => {
                let default = BitVector::new(0, element);
                Self::Array(Arc::new(ArrayValue::new(index, default)))
            }
        }
    }
}

/// Evaluates terms under an assignment to their variables, and caches the values. Terms of up to 128 bits are
/// evaluated in machine integers.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    variable: Box<dyn Fn(Term, u32) -> u128 + 'a>,
    /// Of terms of up to 128 bits.
    values: HashMap<Term, u128>,
    /// Of wider terms, and of arrays.
    large: HashMap<Term, Value>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator in which `variable` returns the value of the variable with the given term and number. An
    /// array variable has this value at every index. Other values can be set before the evaluation.
    #[must_use]
    pub fn new(terms: &'a Terms, variable: impl Fn(Term, u32) -> u128 + 'a) -> Self {
        Self {
            terms,
            variable: Box::new(variable),
            values: HashMap::new(),
            large: HashMap::new(),
        }
    }

    /// The value of a term of up to 128 bits that has been evaluated or set.
    #[must_use]
    pub fn known(&self, term: Term) -> Option<u128> {
        self.values.get(&term).copied()
    }

    /// Sets the value of a term of up to 128 bits, whatever its definition. Terms already evaluated keep
    /// their values.
    ///
    /// # Panics
    /// In debug builds, if the term has another value already, or is wider.
    pub fn set(&mut self, term: Term, value: u128) {
        debug_assert!(!self.is_large(term));
        let old = self
            .values
            .insert(term, value & mask(self.terms.width(term)));
        debug_assert!(old.is_none_or(|old| old == value));
    }

    /// Sets the value of a term of any sort. Terms already evaluated keep their values.
    ///
    /// # Panics
    /// In debug builds, if the value has another sort.
    pub fn set_value(&mut self, term: Term, value: Value) {
        debug_assert_eq!(
            self.terms.sort(term),
            match &value {
                Value::Bits(bits) => Sort::BitVector(bits.width()),
                Value::Array(array) => Sort::Array {
                    index: array.index_width(),
                    element: array.default_element().width(),
                },
            }
        );
        match &value {
            Value::Bits(bits) if bits.width() <= NARROW => {
                self.set(term, bits.to_u128().unwrap_or_default());
            }
            _ => {
                self.large.insert(term, value);
            }
        }
    }

    /// Whether `large` holds the value of a term.
    fn is_large(&self, term: Term) -> bool {
        self.terms.is_array(term) || self.terms.width(term) > NARROW
    }

    /// The value of a term of up to 128 bits.
    ///
    /// # Panics
    /// If the term is wider, or an array.
    pub fn value(&mut self, root: Term) -> u128 {
        if let Some(&value) = self.values.get(&root) {
            return value;
        }
        self.evaluate(root);
        self.values[&root]
    }

    /// The value of a term of any sort.
    pub fn value_of(&mut self, root: Term) -> Value {
        self.evaluate(root);
        self.get(root)
    }

    /// The value of a term that has been evaluated.
    fn get(&self, term: Term) -> Value {
        match self.large.get(&term) {
            Some(value) => value.clone(),
            None => Value::Bits(BitVector::new(self.values[&term], self.terms.width(term))),
        }
    }

    fn evaluate(&mut self, root: Term) {
        let is_known = |term| self.values.contains_key(&term) || self.large.contains_key(&term);
        for term in self.terms.cone(&[root], is_known) {
            if !self.is_large(term)
                && let Some(value) = self.narrow(term)
            {
                self.values.insert(term, value);
            } else {
                let value = self.any(term);
                self.set_value(term, value);
            }
        }
    }

    /// The value of a term if it and its operands have at most 128 bits.
    fn narrow(&self, term: Term) -> Option<u128> {
        let width = self.terms.width(term);
        Some(match self.terms.node(term) {
            Node::Const(value) => value,
            Node::Var(number) => (self.variable)(term, number) & mask(width),
            Node::Not(a) => !self.values[&a] & mask(width),
            Node::Binary(op, a, b) => {
                let a_value = *self.values.get(&a)?;
                binary(op, a_value, self.values[&b], self.terms.width(a))
            }
            Node::Ite(c, a, b) => self.values[if self.values[&c] == 1 { &a } else { &b }],
            Node::Concat(high, low) => {
                self.values[&high] << self.terms.width(low) | self.values[&low]
            }
            Node::Extract(a, low) => *self.values.get(&a)? >> low & mask(width),
            Node::ZExt(a) => self.values[&a],
            Node::SExt(a) => from_signed(to_signed(self.values[&a], self.terms.width(a)), width),
            Node::Wide(_) | Node::Select(..) | Node::Store(..) | Node::ConstArray(_) => {
                return None;
            }
        })
    }

    /// The value of a term of any sort.
    fn any(&self, term: Term) -> Value {
        let sort = self.terms.sort(term);
        let bits = |term: Term| -> BitVector { self.get(term).bits().clone() };
        let value = match self.terms.node(term) {
            Node::Const(_) | Node::Wide(_) => self.terms.constant_bits(term),
            Node::Var(number) => {
                let value = (self.variable)(term, number);
                match sort {
                    Sort::BitVector(width) => Some(BitVector::new(value, width)),
                    Sort::Array { index, element } => {
                        let default = BitVector::new(value, element);
                        return Value::Array(Arc::new(ArrayValue::new(index, default)));
                    }
                }
            }
            Node::Not(a) => Some(bits(a).not()),
            Node::Binary(_, a, b) if self.terms.is_array(a) => {
                let is_equal = self.get(a) == self.get(b);
                Some(BitVector::new(u128::from(is_equal), 1))
            }
            Node::Binary(op, a, b) => Some(BitVector::binary(op, &bits(a), &bits(b))),
            Node::Ite(c, a, b) => return self.get(if self.values[&c] == 1 { a } else { b }),
            Node::Concat(high, low) => Some(bits(high).concat(&bits(low))),
            Node::Extract(a, low) => Some(bits(a).extract(low, self.terms.width(term))),
            Node::ZExt(a) => Some(bits(a).zext(self.terms.width(term))),
            Node::SExt(a) => Some(bits(a).sext(self.terms.width(term))),
            Node::Select(array, index) => {
                Some(self.get(array).array().select(&bits(index)).clone())
            }
            Node::Store(array, index, value) => {
                let mut array = self.get(array).array().clone();
                array.store(bits(index), bits(value));
                return Value::Array(Arc::new(array));
            }
            Node::ConstArray(value) => {
                let Sort::Array { index, .. } = sort else {
                    return Value::zero(sort);
                };
                return Value::Array(Arc::new(ArrayValue::new(index, bits(value))));
            }
        };
        value.map_or_else(|| Value::zero(sort), Value::Bits)
    }
}
