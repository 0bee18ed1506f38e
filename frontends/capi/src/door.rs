//! What IPASIR has no function for: errors as text, options by name, proofs.

use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use craig_solver::proof::Encoding;

pub use crate::fault::Code;
pub use crate::option_table::OptionEntry;
pub use crate::recorder::{OnClause, OnDerived, Tracer};

use crate::callbacks::Data;
use crate::fault::Fault;
use crate::handle::{self, with};
use crate::session::Session;

/// The bytes of a text.
///
/// # Safety
/// `text` is null or points to bytes that end with zero and do not change during the call.
unsafe fn bytes<'a>(text: *const c_char) -> Result<&'a [u8], Fault> {
    if text.is_null() {
        return Err(Fault::argument("a text is a null pointer"));
    }
    // SAFETY: it is not null, so that it ends with zero by the contract.
    Ok(unsafe { CStr::from_ptr(text) }.to_bytes())
}

fn utf8(bytes: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(bytes).map_err(|_| Fault::argument("a text is not in UTF-8"))
}

/// Works on a session: 0, or the number of the error code.
///
/// # Safety
/// As [`with`].
unsafe fn run(solver: *mut c_void, work: impl FnOnce(&mut Session) -> Result<(), Fault>) -> c_int {
    // SAFETY: the contract is the same.
    let done = unsafe { with(solver, work) };
    done.err().unwrap_or(Code::Ok) as c_int
}

/// Why the last refused call was refused; null if none was. The text is valid until the next call that is refused.
///
/// # Safety
/// `solver` is null or a solver that was not released, which no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn craig_error(solver: *mut c_void) -> *const c_char {
    // SAFETY: the contract is the same.
    unsafe { handle::error(solver) }
}

/// Sets an option of the solver by name, before the first clause.
///
/// # Safety
/// As [`craig_error`]; `name` and `value` are null or texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn craig_set_option(
    solver: *mut c_void,
    name: *const c_char,
    value: *const c_char,
) -> c_int {
    let work = |session: &mut Session| {
        // SAFETY: the contract is the same.
        let (name, value) = unsafe { (utf8(bytes(name)?)?, utf8(bytes(value)?)?) };
        session.set_option(&format!("{name}={value}"))
    };
    // SAFETY: the contract is the same.
    unsafe { run(solver, work) }
}

/// Writes the proof to a file, in `drat` or `lrat`, from the first clause on.
///
/// # Safety
/// As [`craig_error`]; `path` and `format` are null or texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn craig_trace_proof(
    solver: *mut c_void,
    path: *const c_char,
    format: *const c_char,
    binary: c_int,
) -> c_int {
    let work = |session: &mut Session| {
        // SAFETY: the contract is the same.
        let (path, format) = unsafe { (bytes(path)?, utf8(bytes(format)?)?) };
        let encoding = match binary {
            0 => Encoding::Text,
            _ => Encoding::Binary,
        };
        session.trace_to_file(Path::new(OsStr::from_bytes(path)), format, encoding)
    };
    // SAFETY: the contract is the same.
    unsafe { run(solver, work) }
}

/// Ends the proof. 0 if all of it was written.
///
/// # Safety
/// As [`craig_error`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn craig_close_proof(solver: *mut c_void) -> c_int {
    // SAFETY: the contract is the same.
    unsafe { run(solver, Session::finish_proof) }
}

/// Gives the proof to the application, from the first clause on.
///
/// # Safety
/// As [`craig_error`]; `tracer` is null or points to a tracer, which is copied; its functions may be called with `data` in
/// each later call about the solver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn craig_set_tracer(
    solver: *mut c_void,
    data: *mut c_void,
    tracer: *const Tracer,
) -> c_int {
    // SAFETY: the contract is the same.
    let tracer = unsafe { tracer.as_ref() }.copied();
    let work = |session: &mut Session| {
        let tracer = tracer.ok_or_else(|| Fault::argument("the tracer is a null pointer"))?;
        session.trace_to(tracer, Data::new(data))
    };
    // SAFETY: the contract is the same.
    unsafe { run(solver, work) }
}
