//! Simultaneous substitution, and copies between arenas.

use std::collections::HashMap;

use super::term::{Node, Sort, Term, Terms};

impl Terms {
    /// The term with each key of the map replaced by its value, simultaneously: values are not substituted
    /// in. The images of all visited terms are added to the map, so that it can be used for further terms.
    ///
    /// # Panics
    /// In debug builds, if an image has another sort than its key.
    pub fn substitute(&mut self, root: Term, images: &mut HashMap<Term, Term>) -> Term {
        for term in self.cone(&[root], |term| images.contains_key(&term)) {
            let (node, sort) = (self.node(term), self.sort(term));
            let image = match node {
                Node::Const(_) | Node::Wide(_) | Node::Var(_) => term,
                _ => self.rebuilt(node, sort, images),
            };
            debug_assert_eq!(self.sort(image), sort);
            images.insert(term, image);
        }
        images[&root]
    }

    /// As [`Self::substitute`] for a term of another arena, with images in this one. A variable without image gets a new
    /// variable.
    ///
    /// # Panics
    /// In debug builds, if an image has another sort than its key.
    pub fn copy(&mut self, from: &Self, root: Term, images: &mut HashMap<Term, Term>) -> Term {
        for term in from.cone(&[root], |term| images.contains_key(&term)) {
            let (node, sort) = (from.node(term), from.sort(term));
            let image = match (node, from.constant_bits(term)) {
                (Node::Var(_), _) => self.variable_of(sort),
                (Node::Const(_) | Node::Wide(_), Some(bits)) => self.bit_vector(&bits),
                _ => self.rebuilt(node, sort, images),
            };
            debug_assert_eq!(self.sort(image), sort);
            images.insert(term, image);
        }
        images[&root]
    }

    /// An operation on the images of its operands.
    pub(crate) fn rebuilt(&mut self, node: Node, sort: Sort, images: &HashMap<Term, Term>) -> Term {
        let of = |term: Term| images[&term];
        // The width of the indices, for an array.
        let width = match sort {
            Sort::BitVector(width) => width,
            Sort::Array { index, .. } => index,
        };
        match node {
            Node::Const(_) | Node::Wide(_) | Node::Var(_) => {
                unreachable!("leaves have no operands")
            }
            Node::Not(a) => self.not(of(a)),
            Node::Binary(op, a, b) => self.binary(op, of(a), of(b)),
            Node::Ite(c, a, b) => self.ite(of(c), of(a), of(b)),
            Node::Concat(high, low) => self.concat(of(high), of(low)),
            Node::Extract(a, low) => self.extract(of(a), low, width),
            Node::ZExt(a) => self.zext(of(a), width),
            Node::SExt(a) => self.sext(of(a), width),
            Node::Select(array, index) => self.select(of(array), of(index)),
            Node::Store(array, index, value) => self.store(of(array), of(index), of(value)),
            Node::ConstArray(value) => self.constant_array(width, of(value)),
        }
    }
}
