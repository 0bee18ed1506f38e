//! Arrays: read over write.

use super::limits::MAX_CHAIN;
use crate::op::Op;
use crate::term::{Node, Sort, Term, Terms};

impl Terms {
    /// The array that has this element at every index of the given width.
    pub fn constant_array(&mut self, index: u32, value: Term) -> Term {
        let element = self.width(value);
        self.intern_array(Node::ConstArray(value), Sort::Array { index, element })
    }

    /// The widths of an array's indices and elements.
    ///
    /// # Panics
    /// If the term is no array.
    fn array_sort(&self, array: Term) -> (u32, u32) {
        match self.sort(array) {
            Sort::Array { index, element } => (index, element),
            Sort::BitVector(_) => panic!("a bit-vector has no elements"),
        }
    }

    /// The element of an array at an index.
    ///
    /// # Panics
    /// If the term is no array.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let (index_width, element) = self.array_sort(array);
        debug_assert_eq!(self.width(index), index_width);
        let mut array = array;
        for _ in 0..MAX_CHAIN {
            match self.node(array) {
                Node::ConstArray(value) => return value,
                Node::Store(inner, at, value) => {
                    let is_same = self.eq(at, index);
                    match self.constant_value(is_same) {
                        Some(0) => array = inner,
                        Some(_) => return value,
                        None => break,
                    }
                }
                _ => break,
            }
        }
        self.intern(Node::Select(array, index), element)
    }

    /// The array with the element at one index replaced.
    ///
    /// # Panics
    /// If the first term is no array.
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        let (index_width, element) = self.array_sort(array);
        debug_assert_eq!(self.width(index), index_width);
        debug_assert_eq!(self.width(value), element);
        match (self.node(array), self.node(value)) {
            // The earlier store to this index has no effect.
            (Node::Store(inner, at, _), _) if at == index => self.store(inner, index, value),
            (Node::ConstArray(all), _) if all == value => array,
            (_, Node::Select(from, at)) if from == array && at == index => array,
            _ => {
                let sort = self.sort(array);
                self.intern_array(Node::Store(array, index, value), sort)
            }
        }
    }

    /// A choice between arrays of one sort.
    pub(super) fn ite_array(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        let sort = self.sort(then);
        debug_assert_eq!(sort, self.sort(otherwise));
        match self.constant_value(condition) {
            Some(0) => return otherwise,
            Some(_) => return then,
            None => {}
        }
        if then == otherwise {
            return then;
        }
        match (self.node(condition), self.node(then), self.node(otherwise)) {
            (Node::Not(inner), _, _) => self.ite_array(inner, otherwise, then),
            (_, Node::Ite(c, x, _), _) if c == condition => self.ite_array(condition, x, otherwise),
            (_, _, Node::Ite(c, _, y)) if c == condition => self.ite_array(condition, then, y),
            _ => self.intern_array(Node::Ite(condition, then, otherwise), sort),
        }
    }

    /// Whether two arrays of one sort have the same elements.
    pub(super) fn eq_arrays(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if a == b {
            return self.boolean(true);
        }
        if let (Node::ConstArray(x), Node::ConstArray(y)) = (self.node(a), self.node(b)) {
            return self.eq(x, y);
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.intern(Node::Binary(Op::Eq, a, b), 1)
    }
}
