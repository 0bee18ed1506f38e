//! Callbacks of a C program.

use std::ffi::{c_int, c_void};

use craig_solver::Lit;
use craig_solver::cdcl::{LearnCallback, StopCallback};

/// What the application gets back in its callbacks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Data(*mut c_void);

// SAFETY: the pointer is not followed here. It is given to the application's callbacks during calls of a solver, in the
// thread that makes the call.
unsafe impl Send for Data {}

impl Data {
    pub(crate) fn new(pointer: *mut c_void) -> Self {
        Self(pointer)
    }

    pub(crate) fn get(self) -> *mut c_void {
        self.0
    }
}

/// Asks whether to end a search: not zero if so.
pub type Terminate = unsafe extern "C" fn(data: *mut c_void) -> c_int;
/// Takes a learned clause, of which zero is the end.
pub type Learn = unsafe extern "C" fn(data: *mut c_void, clause: *mut i32);
/// Takes a learned clause with its length.
pub type Export =
    unsafe extern "C" fn(data: *mut c_void, clause: *const i32, len: i32, proofmeta: *mut c_void);
/// Takes a literal that is true in all models.
pub type Fixed = unsafe extern "C" fn(data: *mut c_void, fixed: i32);

/// Where learned clauses go.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Listener {
    /// IPASIR's callback.
    Learn(Learn),
    /// IPASIR-2's callback.
    Export(Export),
}

/// The callback of the solver that gives learned clauses of at most `max_length` literals to a listener.
pub(crate) fn learned(listener: Listener, data: Data, max_length: usize) -> LearnCallback {
    let mut numbers: Vec<i32> = Vec::new();
    Box::new(move |clause| {
        if clause.len() > max_length {
            return;
        }
        numbers.clear();
        numbers.extend(clause.iter().map(|lit| lit.to_dimacs()));
        match listener {
            Listener::Learn(learn) => {
                numbers.push(0);
                // SAFETY: the application gave function and data together, and promised that it may be called during its
                // calls of the solver; the array lives until it returns.
                unsafe { learn(data.get(), numbers.as_mut_ptr()) }
            }
            Listener::Export(export) => {
                let length = i32::try_from(numbers.len()).unwrap_or(i32::MAX);
                // SAFETY: as above.
                unsafe { export(data.get(), numbers.as_ptr(), length, std::ptr::null_mut()) }
            }
        }
    })
}

/// The callback of the solver that asks the application whether to stop.
pub(crate) fn terminate(function: Terminate, data: Data) -> StopCallback {
    // SAFETY: the application gave function and data together, and promised that it may be called during its calls.
    Box::new(move || unsafe { function(data.get()) } != 0)
}

/// Tells literals that are true in all models.
pub(crate) fn tell_fixed(function: Fixed, data: Data, literals: &[Lit]) {
    for lit in literals {
        // SAFETY: the application gave function and data together, and promised that it may be called during its calls.
        unsafe { function(data.get(), lit.to_dimacs()) }
    }
}
