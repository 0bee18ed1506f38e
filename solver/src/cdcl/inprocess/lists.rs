//! Lists by literal in one block of memory.

use crate::lit::Lit;

/// The initial capacity of a list.
const FIRST_CAPACITY: u32 = 4;

/// One list of a [`Lists`].
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: usize,
    len: u32,
    capacity: u32,
}

/// A list of items for each literal.
///
/// All lists share one block: a technique of a round has hundreds of thousands of lists, and a call that has
/// to end cannot wait until each is freed separately. A full list moves to the end of the block with twice
/// its capacity, so that the block is at most four times as large as the contents, except for short lists.
#[derive(Clone, Debug)]
pub(super) struct Lists<T> {
    spans: Vec<Span>,
    items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    /// Empty lists for `n_lits` literals.
    pub(super) fn new(n_lits: usize) -> Self {
        Self {
            spans: vec![Span::default(); n_lits],
            items: Vec::new(),
        }
    }

    /// Adds empty lists until there are those of `n_lits` literals.
    pub(super) fn reserve_lits(&mut self, n_lits: usize) {
        self.spans.resize(n_lits, Span::default());
    }

    pub(super) fn len(&self, lit: Lit) -> usize {
        self.spans[lit.index()].len as usize
    }

    pub(super) fn of(&self, lit: Lit) -> &[T] {
        let span = self.spans[lit.index()];
        &self.items[span.start..][..span.len as usize]
    }

    /// Appends an item to a list.
    pub(super) fn push(&mut self, lit: Lit, item: T) {
        let span = &mut self.spans[lit.index()];
        if span.len == span.capacity {
            let old = span.start..span.start + span.len as usize;
            span.capacity = FIRST_CAPACITY.max(2 * span.capacity);
            let start = self.items.len();
            span.start = start;
            self.items.extend_from_within(old);
            self.items.resize(start + span.capacity as usize, item);
        }
        self.items[span.start + span.len as usize] = item;
        span.len += 1;
    }

    /// Keeps the items of a list that fulfil a condition, in their order.
    pub(super) fn retain(&mut self, lit: Lit, mut is_kept: impl FnMut(T) -> bool) {
        let span = &mut self.spans[lit.index()];
        let list = &mut self.items[span.start..][..span.len as usize];
        let mut n_kept = 0;
        for position in 0..list.len() {
            if is_kept(list[position]) {
                list[n_kept] = list[position];
                n_kept += 1;
            }
        }
        span.len = n_kept as u32;
    }

    /// Empties a list and returns what it held.
    pub(super) fn take(&mut self, lit: Lit) -> Vec<T> {
        let items = self.of(lit).to_vec();
        self.spans[lit.index()].len = 0;
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lit::Var;
    use proptest::prelude::*;

    proptest! {
        /// The lists behave like separate vectors.
        #[test]
        fn lists_keep_apart(steps in prop::collection::vec((0usize..4, 0u32..20, 0u8..12), 0..300)) {
            let mut lists = Lists::<u32>::new(4);
            let mut model = vec![Vec::<u32>::new(); 4];
            for (index, item, step) in steps {
                let lit = Var::new(index / 2).lit(index % 2 == 1);
                match step {
                    0 => prop_assert_eq!(lists.take(lit), std::mem::take(&mut model[lit.index()])),
                    1 => {
                        lists.retain(lit, |other: u32| other % 3 != item % 3);
                        model[lit.index()].retain(|&other: &u32| other % 3 != item % 3);
                    }
                    _ => {
                        lists.push(lit, item);
                        model[lit.index()].push(item);
                    }
                }
                for index in 0..4 {
                    let lit = Var::new(index / 2).lit(index % 2 == 1);
                    prop_assert_eq!(lists.of(lit), &model[lit.index()][..]);
                    prop_assert_eq!(lists.len(lit), model[lit.index()].len());
                }
            }
        }
    }
}
