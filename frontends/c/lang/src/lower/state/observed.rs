//! What is open in C and counts only in some programs.

use std::collections::BTreeSet;

/// What the program's own code does that makes it depend on that.
#[derive(Default)]
pub(in crate::lower) struct Observed {
    /// The sizes of the elements over which pointers are moved: they may come to ends of objects.
    pub(in crate::lower) moved: BTreeSet<u64>,
    /// Any pointer may be at an end: there are objects without bytes, or numbers become pointers.
    pub(in crate::lower) any_end: bool,
    /// Bytes of records may be read one by one: those of their padding count.
    pub(in crate::lower) padding: bool,
}

impl Observed {
    /// Whether pointers to elements of a size, or to any (`None`), may be at ends of objects. A pointer that was moved over
    /// characters may have become one to anything.
    pub(in crate::lower) fn has_ends(&self, element: Option<u64>) -> bool {
        self.any_end
            || match element {
                Some(size) => self.moved.contains(&size) || self.moved.contains(&1),
                None => !self.moved.is_empty(),
            }
    }
}
