//! Where the objects of a program are, and whether an execution has used the numbers of their addresses.
//!
//! C promises little of an address (C11 6.2.8), and a verdict must hold wherever the objects are. Executions use one
//! layout; where one has used more of an address than that it is one, the question is asked again with another layout.

use std::sync::atomic::{AtomicBool, Ordering};

/// Which addresses the objects have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Layout {
    /// Each object starts at a multiple of a page, in the order in which they are made.
    #[default]
    Pages,
    /// The order is reversed as long as addresses last that a process may have, functions are among them, and each object is
    /// aligned as is promised and no better.
    Moved,
}

/// The layout of an execution, and whether it has mattered.
#[derive(Debug, Default)]
pub struct Placement {
    layout: Layout,
    is_observed: AtomicBool,
    is_opened: AtomicBool,
}

impl Placement {
    /// The placement with a layout.
    #[must_use]
    pub fn new(layout: Layout) -> Self {
        Self {
            layout,
            is_observed: AtomicBool::new(false),
            is_opened: AtomicBool::new(false),
        }
    }

    /// The layout.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Notes that the number of an address was used: combined with others, or read in parts.
    pub fn observe(&self) {
        self.is_observed.store(true, Ordering::Relaxed);
    }

    /// Notes that a part of an address was taken for any that it may have: a proof holds wherever the objects are, but the path
    /// to an error may need a place of them.
    pub fn open(&self) {
        self.is_opened.store(true, Ordering::Relaxed);
    }

    /// Whether the path to an error may depend on where the objects are.
    #[must_use]
    pub fn may_matter_to_errors(&self) -> bool {
        self.is_observed() || self.is_opened.load(Ordering::Relaxed)
    }

    /// Whether an execution has used the number of an address.
    #[must_use]
    pub fn is_observed(&self) -> bool {
        self.is_observed.load(Ordering::Relaxed)
    }
}
