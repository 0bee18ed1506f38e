//! The cells of all objects of a state.
//!
//! A state is copied where paths fork, and most objects are equal in both copies: objects are kept in groups, and copies share a
//! group until one of them changes an object of it. So a program of many objects and many branches takes time for the objects
//! that a path changes, not for all objects in each branch.

use std::ops::{Index, IndexMut};
use std::sync::Arc;

use craig_word::Term;

/// The cells of an object; `None` if it does not exist.
pub type Cells = Option<Arc<Vec<Term>>>;

/// The number of objects of a group.
const GROUP: usize = 32;

type Group = Arc<[Cells; GROUP]>;

/// The cells of each object, by its number. Objects behind the last one do not exist.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Contents {
    /// Places of the last group that are not below `length` are `None`.
    groups: Vec<Group>,
    length: usize,
}

impl Contents {
    /// The number of places: all objects that exist have smaller numbers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are no places.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The cells of an object; `None` if there is no place for it.
    #[must_use]
    pub fn get(&self, object: usize) -> Option<&Cells> {
        (object < self.length).then(|| &self.groups[object / GROUP][object % GROUP])
    }

    /// As [`Self::get`], to be changed.
    pub fn get_mut(&mut self, object: usize) -> Option<&mut Cells> {
        (object < self.length)
            .then(|| &mut Arc::make_mut(&mut self.groups[object / GROUP])[object % GROUP])
    }

    /// Makes places for all objects below a number, as far as there are none.
    pub fn extend_to(&mut self, length: usize) {
        self.length = self.length.max(length);
        let n_groups = self.length.div_ceil(GROUP);
        if self.groups.len() < n_groups {
            let empty: Group = Arc::new([const { None }; GROUP]);
            self.groups.resize(n_groups, empty);
        }
    }

    /// Adds an object.
    pub fn push(&mut self, cells: Cells) {
        let object = self.length;
        self.extend_to(object + 1);
        self[object] = cells;
    }

    /// The cells of all objects, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Cells> {
        let all = self.groups.iter().flat_map(|group| group.iter());
        all.take(self.length)
    }

    /// Calls `merge` for each object of which others have other cells, or equal ones in another place, with the own cells and
    /// theirs.
    pub(super) fn merge_with(
        &mut self,
        others: &Self,
        mut merge: impl FnMut(usize, &mut Cells, &Cells),
    ) {
        self.extend_to(others.length);
        for (index, (own, theirs)) in self.groups.iter_mut().zip(&others.groups).enumerate() {
            if Arc::ptr_eq(own, theirs) {
                continue;
            }
            for place in 0..GROUP {
                let is_shared = match (&own[place], &theirs[place]) {
                    (Some(x), Some(y)) => Arc::ptr_eq(x, y),
                    (x, y) => x.is_none() && y.is_none(),
                };
                if !is_shared {
                    let cells = &mut Arc::make_mut(own)[place];
                    merge(index * GROUP + place, cells, &theirs[place]);
                }
            }
        }
    }
}

impl Index<usize> for Contents {
    type Output = Cells;

    fn index(&self, object: usize) -> &Cells {
        assert!(object < self.length, "no place for object {object}");
        &self.groups[object / GROUP][object % GROUP]
    }
}

impl IndexMut<usize> for Contents {
    fn index_mut(&mut self, object: usize) -> &mut Cells {
        let length = self.length;
        let found = self.get_mut(object);
        found.unwrap_or_else(|| panic!("no place for object {object} of {length}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Changes of copies, against a plain list of each; what two copies do not share is what is merged.
    #[test]
    fn copies_share_what_neither_changes() {
        let cells = || Some(Arc::new(Vec::new()));
        let mut first = Contents::default();
        assert!(first.is_empty() && first.get(0).is_none());
        let mut plain: Vec<Cells> = (0..100)
            .map(|at| (at % 3 != 0).then(cells).flatten())
            .collect();
        for own in &plain {
            first.push(own.clone());
        }
        let mut second = first.clone();
        second.extend_to(150);
        assert_eq!((first.len(), second.len()), (100, 150));
        second[140] = cells();
        second[40] = None;
        *second.get_mut(41).expect("a place") = cells();
        assert!(first.iter().eq(plain.iter()));
        let shared = first.groups.iter().zip(&second.groups);
        assert_eq!(shared.filter(|(a, b)| Arc::ptr_eq(a, b)).count(), 3);
        let mut visited = Vec::new();
        first.merge_with(&second, |object, own, theirs| {
            visited.push(object);
            own.clone_from(theirs);
        });
        assert_eq!(visited, [40, 41, 140]);
        plain.resize(150, None);
        (plain[40], plain[41], plain[140]) = (None, cells(), cells());
        assert!(first.iter().eq(plain.iter()));
        assert!(first == second);
    }
}
