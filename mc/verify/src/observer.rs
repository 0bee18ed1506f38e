//! Who hears of verdicts as soon as they are known.

use std::ops::ControlFlow;

use craig_mc::Listener;
use craig_mc::portfolio::Failure;

use crate::certified::Certified;
use crate::property::PropertyId;

/// Hears of the progress of [`verify_each`](crate::verify_each). A closure that takes the verdicts is one.
pub trait Observer<E> {
    /// A search begins, about this property or about several of which it is the first. The listener that is returned is
    /// that of the search: it may have a receiver of its own.
    fn begin(&mut self, _property: PropertyId, _name: &str, listener: Listener) -> Listener {
        listener
    }

    /// A line for users who want to hear everything.
    fn note(&mut self, _line: &str) {}

    /// An engine has failed: it panicked, or got no thread. Others may have found an answer.
    fn engine_failed(&mut self, _failure: &Failure) {}

    /// A property is decided, or given up. Nothing more is searched after [`ControlFlow::Break`].
    fn certified(&mut self, certified: Certified<E>) -> ControlFlow<()>;
}

impl<E, F: FnMut(Certified<E>) -> ControlFlow<()>> Observer<E> for F {
    fn certified(&mut self, certified: Certified<E>) -> ControlFlow<()> {
        self(certified)
    }
}
