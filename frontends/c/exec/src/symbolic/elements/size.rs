//! The sizes of arrays of which elements are tracked, and what lies within them.

use craig_c_lang::address_space::ObjectId;
use std::sync::Arc;

use craig_word::Term;

use super::is_element;
use super::place::divided;
use crate::symbolic::executor::Executor;
use crate::symbolic::state::State;
use craig_c_lang::ir::Shape;

impl Executor<'_> {
    /// The word that represents the size of an allocated object: the number of its elements, if the size is a multiple of
    /// theirs by its form, else the number of bytes. Products with powers of two are easy for all engines, so that
    /// arrays of such elements keep their bytes.
    ///
    /// If an object has had lengths before this size, the analysis starts again with its bytes.
    pub(in crate::symbolic) fn size_word(
        &mut self,
        object: ObjectId,
        size: Term,
        element: Option<&Arc<Shape>>,
    ) -> Term {
        let Some(elements) = &mut self.elements else {
            return size;
        };
        let stride = element.filter(|element| is_element(element));
        let stride = stride.map_or(1, |element| element.size);
        let known = elements.lengths.get(&object);
        if !stride.is_power_of_two()
            && !elements.in_bytes.contains(&object)
            && known.is_none_or(|&known| known == stride)
            && let Some((0, length)) = divided(&mut self.terms, size, stride)
        {
            elements.lengths.insert(object, stride);
            return length;
        }
        elements.in_bytes.insert(object);
        if elements.lengths.remove(&object).is_some() {
            elements.wanted.insert(object);
        }
        size
    }

    /// The size of an element of an array whose first word is its length.
    pub(in crate::symbolic) fn stride_of_length(&self, object: ObjectId) -> Option<u64> {
        let elements = self.elements.as_ref()?;
        elements.lengths.get(&object).copied()
    }

    /// Whether `bytes` bytes at an offset end within an object without cells, one bit.
    pub(in crate::symbolic) fn fits_opaque(
        &mut self,
        state: &State,
        object: ObjectId,
        (offset, bytes): (Term, u32),
    ) -> Term {
        let cases = match self.tracked(object) {
            Some(_) => self.offset_cases(offset),
            None => vec![(self.terms.boolean(true), offset)],
        };
        let mut fits = self.terms.boolean(false);
        for (case, offset) in cases {
            let inside = match self.fits_elements(state, object, (offset, bytes)) {
                Some(inside) => inside,
                None => {
                    let size = self.size_of(state, object);
                    self.fits(offset, bytes, size)
                }
            };
            let inside = self.terms.and(case, inside);
            fits = self.terms.or(fits, inside);
        }
        fits
    }

    /// As `fits_opaque` without products: by the number of the element and the length, if the first word of an array is its
    /// length and the access is within one element.
    ///
    /// With elements of `s` bytes and words of `w` bits, let `m` be `2^w / s`, rounded down. If the number `i` is less
    /// than `m` and the length `n` at most `m`, neither `i * s + rest` nor `n * s` wraps around, and the access fits if
    /// and only if `i < n`. Else it may fit or not, by an input: a run of the program has a run in which that is as it
    /// is there.
    fn fits_elements(
        &mut self,
        state: &State,
        object: ObjectId,
        (offset, bytes): (Term, u32),
    ) -> Option<Term> {
        let stride = self.stride_of_length(object)?;
        let (rest, index) = divided(&mut self.terms, offset, stride)?;
        if rest + u64::from(bytes) > stride {
            return None;
        }
        let length = *state.memory.get(object as usize)?.as_ref()?.first()?;
        let any = self.variable(1);
        let terms = &mut self.terms;
        let width = terms.width(offset);
        let most = terms.constant((1u128 << width) / u128::from(stride), width);
        let (own, all) = (terms.ult(index, most), terms.ule(length, most));
        let is_exact = terms.and(own, all);
        let fits = terms.ult(index, length);
        Some(terms.ite(is_exact, fits, any))
    }
}
