//! A propagator that is an object of Python.
//!
//! The object has the methods of `craig.propagator.Bridge`. What one of them raises ends the search, and is raised by it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use craig_solver::cdcl::Propagator;
use craig_solver::{Lit, Var};
use pyo3::prelude::*;

use crate::literals::{literal, literals, numbers};

/// What a method has raised.
#[derive(Clone, Default)]
pub(crate) struct Raised {
    error: Arc<Mutex<Option<PyErr>>>,
    is_raised: Arc<AtomicBool>,
}

impl Raised {
    /// Whether one has raised anything: the search is to end.
    pub(crate) fn is_raised(&self) -> bool {
        self.is_raised.load(Ordering::Relaxed)
    }

    /// What it was.
    pub(crate) fn take(&self) -> Option<PyErr> {
        let mut error = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_raised.store(false, Ordering::Relaxed);
        error.take()
    }

    /// Keeps the first error.
    fn keep(&self, error: PyErr) {
        let mut kept = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get_or_insert(error);
        self.is_raised.store(true, Ordering::Relaxed);
    }
}

/// The object, and the variables that it observes.
pub(crate) struct Bridge {
    object: Py<PyAny>,
    observed: Vec<Var>,
    raised: Raised,
}

impl Bridge {
    pub(crate) fn new(object: Py<PyAny>, observed: Vec<Var>, raised: Raised) -> Self {
        Self {
            object,
            observed,
            raised,
        }
    }

    /// Calls a method; none after an error.
    fn call<R>(&self, call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<R>) -> Option<R> {
        if self.raised.is_raised() {
            return None;
        }
        let returned = Python::attach(|py| call(self.object.bind(py)));
        returned.map_err(|error| self.raised.keep(error)).ok()
    }
}

impl Propagator for Bridge {
    fn assigned(&mut self, lits: &[Lit]) {
        let lits = numbers(lits);
        self.call(|object| object.call_method1("assigned", (lits,)).map(drop));
    }

    fn new_level(&mut self) {
        self.call(|object| object.call_method0("new_level").map(drop));
    }

    fn backtracked(&mut self, level: u32) {
        self.call(|object| object.call_method1("backtracked", (level,)).map(drop));
    }

    fn decide(&mut self) -> Option<Lit> {
        let decided = self.call(|object| {
            let number: i64 = object.call_method0("decide")?.extract()?;
            match number {
                0 => Ok(None),
                number => literal(number).map(Some),
            }
        });
        decided.flatten()
    }

    fn clause(&mut self) -> Option<Vec<Lit>> {
        let given = self.call(|object| {
            let given: Option<Vec<i64>> = object.call_method0("clause")?.extract()?;
            given.map(literals).transpose()
        });
        given.flatten()
    }

    fn check(&mut self, is_true: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        let model: Vec<i32> = (self.observed.iter())
            .map(|var| {
                var.positive()
                    .negate_if(!is_true(var.positive()))
                    .to_dimacs()
            })
            .collect();
        let given = self.call(|object| {
            let given: Vec<Vec<i64>> = object.call_method1("check", (model,))?.extract()?;
            given.into_iter().map(literals).collect::<PyResult<_>>()
        });
        given.unwrap_or_default()
    }
}
