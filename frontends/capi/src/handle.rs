//! What a pointer to a solver points to.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use crate::fault::{Code, Fault};
use crate::session::Session;

/// A solver of a C program. All access is through a shared reference, since a callback may call again.
#[derive(Default)]
pub struct Handle {
    session: RefCell<Session>,
    /// Why the last call was refused.
    error: RefCell<Option<CString>>,
}

/// A new solver.
pub(crate) fn new() -> *mut c_void {
    let made = catch_unwind(|| Box::into_raw(Box::<Handle>::default()));
    made.map_or(ptr::null_mut(), <*mut Handle>::cast)
}

/// The solver behind a pointer; none behind a null pointer.
///
/// # Safety
/// The pointer is null, or [`new`] has returned it and it was not released; no other thread uses the solver.
unsafe fn handle<'a>(solver: *mut c_void) -> Option<&'a Handle> {
    // SAFETY: by the contract it is null or points to a handle that lives, and nobody has it as `&mut`: this crate makes
    // shared references only.
    unsafe { solver.cast::<Handle>().as_ref() }
}

/// Works on the session of a solver, and notes why it could not.
///
/// # Safety
/// As [`handle`].
pub(crate) unsafe fn with<T>(
    solver: *mut c_void,
    work: impl FnOnce(&mut Session) -> Result<T, Fault>,
) -> Result<T, Code> {
    // SAFETY: the contract is the same.
    let Some(handle) = (unsafe { handle(solver) }) else {
        return Err(Code::InvalidArgument);
    };
    let done = match handle.session.try_borrow_mut() {
        Err(_) => Err(Fault::state("a callback may not call this function")),
        Ok(mut session) => match session.failure {
            Some(failure) => Err(Fault::new(Code::Unknown, failure)),
            None => catch_unwind(AssertUnwindSafe(|| work(&mut session))).unwrap_or_else(|_| {
                session.failure = Some("an earlier call has failed inside the solver");
                Err(Fault::new(
                    Code::Unknown,
                    "the call has failed inside the solver",
                ))
            }),
        },
    };
    done.map_err(|fault| {
        // A text from inside has no zero byte; one that has is not told.
        *handle.error.borrow_mut() = CString::new(fault.text).ok();
        fault.code
    })
}

/// Why the last refused call was refused.
///
/// # Safety
/// As [`handle`].
pub(crate) unsafe fn error(solver: *mut c_void) -> *const c_char {
    // SAFETY: the contract is the same.
    let handle = unsafe { handle(solver) };
    let told = handle.map(|handle| handle.error.borrow().as_ref().map(|text| text.as_ptr()));
    told.flatten().unwrap_or(ptr::null())
}

/// Releases a solver, unless one of its callbacks asks for that.
///
/// # Safety
/// As [`handle`]; afterwards the pointer is not used again.
pub(crate) unsafe fn release(solver: *mut c_void) -> Code {
    // SAFETY: the contract is the same.
    let asked = unsafe { with(solver, |_| Ok(())) };
    if let Err(code @ (Code::InvalidState | Code::InvalidArgument)) = asked {
        return code;
    }
    // SAFETY: the pointer came from `Box::into_raw` in `new`, no reference to the handle is left, and the caller does not
    // use it again.
    let owner = unsafe { Box::from_raw(solver.cast::<Handle>()) };
    match catch_unwind(AssertUnwindSafe(|| drop(owner))) {
        Ok(()) => Code::Ok,
        Err(_) => Code::Unknown,
    }
}
