//! IPASIR, the incremental interface of the SAT competitions (Balyo, Biere, Iser and Sinz, "SAT Race 2015", Artificial
//! Intelligence 241, 2016).

use std::ffi::{CStr, c_char, c_int, c_void};

use craig_solver::Answer;

use crate::callbacks::{Data, Learn, Listener, Terminate};
use crate::handle::{self, with};

/// Name and version.
pub(crate) const SIGNATURE: &CStr = {
    let text = concat!("craig-", env!("CARGO_PKG_VERSION"), "\0");
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a version has no zero byte"),
    }
};

/// The numbers of answers.
pub(crate) fn number(answer: Answer) -> c_int {
    match answer {
        Answer::Satisfiable => 10,
        Answer::Unsatisfiable => 20,
        Answer::Unknown => 0,
    }
}

/// Name and version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn ipasir_signature() -> *const c_char {
    SIGNATURE.as_ptr()
}

/// A new solver; null if there is no memory.
#[unsafe(no_mangle)]
pub extern "C" fn ipasir_init() -> *mut c_void {
    handle::new()
}

/// Releases a solver.
///
/// # Safety
/// `solver` is null or a solver that was not released, which no other thread uses; it is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir_release(solver: *mut c_void) {
    // SAFETY: the contract is the same. What is refused is told by `craig_error`.
    let _ = unsafe { handle::release(solver) };
}

/// Adds a literal to the open clause, or ends it with 0.
///
/// # Safety
/// `solver` is null or a solver that was not released, which no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir_add(solver: *mut c_void, lit_or_zero: c_int) {
    // SAFETY: the contract is the same.
    let _ = unsafe { with(solver, |session| session.add(lit_or_zero)) };
}

/// Assumes a literal in the next call of `ipasir_solve`.
///
/// # Safety
/// As [`ipasir_add`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir_assume(solver: *mut c_void, lit: c_int) {
    // SAFETY: the contract is the same.
    let _ = unsafe { with(solver, |session| session.assume(lit)) };
}

/// 10 if there is a model, 20 if there is none, 0 if the call was ended or refused.
///
/// # Safety
/// As [`ipasir_add`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir_solve(solver: *mut c_void) -> c_int {
    // SAFETY: the contract is the same.
    let answer = unsafe { with(solver, |session| session.solve()) };
    answer.map_or(0, number)
}

/// The literal if it is true in the model, its negation if it is false, 0 if either will do or there is no model.
///
/// # Safety
/// As [`ipasir_add`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir_val(solver: *mut c_void, lit: c_int) -> c_int {
    // SAFETY: the contract is the same.
    unsafe { with(solver, |session| session.value(lit)) }.unwrap_or(0)
}

/// 1 if the literal is one of the assumptions that can't hold together, else 0.
///
/// # Safety
/// As [`ipasir_add`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir_failed(solver: *mut c_void, lit: c_int) -> c_int {
    // SAFETY: the contract is the same.
    unsafe { with(solver, |session| session.has_failed(lit)) }.map_or(0, c_int::from)
}

/// Sets a callback that ends a search by returning another number than 0; a null pointer removes it.
///
/// # Safety
/// As [`ipasir_add`]; the callback may be called with `data` in each call of `ipasir_solve`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir_set_terminate(
    solver: *mut c_void,
    data: *mut c_void,
    terminate: Option<Terminate>,
) {
    let terminate = terminate.map(|function| (function, Data::new(data)));
    // SAFETY: the contract is the same.
    let _ = unsafe {
        with(solver, |session| {
            session.set_terminate(terminate);
            Ok(())
        })
    };
}

/// Sets a callback for learned clauses of at most `max_length` literals; a null pointer removes it.
///
/// # Safety
/// As [`ipasir_add`]; the callback may be called with `data` in each call of `ipasir_solve`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir_set_learn(
    solver: *mut c_void,
    data: *mut c_void,
    max_length: c_int,
    learn: Option<Learn>,
) {
    let most = usize::try_from(max_length).unwrap_or(0);
    let learn = learn.map(|function| (Listener::Learn(function), Data::new(data), most));
    // SAFETY: the contract is the same.
    let _ = unsafe {
        with(solver, |session| {
            session.set_learn(learn);
            Ok(())
        })
    };
}
