//! Functions that run before the entry function, or after it.

/// A function that runs before the entry function, or after it.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Constructor {
    /// Those of lower numbers run earlier, and after the entry function later.
    pub(in crate::lower) order: i128,
    /// Its link name.
    pub(in crate::lower) link: String,
    /// It is what a pointer in a section leads to, and has no attribute itself.
    pub(in crate::lower) is_pointer: bool,
}
