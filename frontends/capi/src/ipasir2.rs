//! IPASIR-2, as far as its draft (`ipasir2.h` of <https://github.com/ipasir2/ipasir2>) is supported: `ipasir2_set_import`
//! and `ipasir2_set_delete` are not, and setters can't be called from callbacks.

use std::ffi::{c_char, c_int, c_void};

use crate::callbacks::{Data, Export, Fixed, Listener, Terminate};
use crate::fault::{Code, Fault};
use crate::handle::{self, with};
use crate::ipasir::{SIGNATURE, number};
use crate::option_table::{self, OptionEntry};
use crate::session::{Session, State};

fn code(done: Result<(), Code>) -> Code {
    done.err().unwrap_or(Code::Ok)
}

/// Stores a result where the application wants it.
///
/// # Safety
/// `place` is null or may be written to.
unsafe fn store<T>(place: *mut T, value: T) -> Code {
    if place.is_null() {
        return Code::InvalidArgument;
    }
    // SAFETY: it is not null, so that it may be written to by the contract.
    unsafe { place.write(value) };
    Code::Ok
}

/// Works on a session and stores the result.
///
/// # Safety
/// As [`with`] and [`store`].
unsafe fn with_result<T>(
    solver: *mut c_void,
    place: *mut T,
    work: impl FnOnce(&mut Session) -> Result<T, Fault>,
) -> Code {
    if place.is_null() {
        return Code::InvalidArgument;
    }
    // SAFETY: the contract is the same.
    match unsafe { with(solver, work) } {
        // SAFETY: the contract is the same.
        Ok(value) => unsafe { store(place, value) },
        Err(code) => code,
    }
}

/// The literals of an array; none of a null pointer without length.
///
/// # Safety
/// `literals` is null or points to `len` literals that do not change during the call.
unsafe fn numbers<'a>(literals: *const i32, len: i32) -> Option<&'a [i32]> {
    let length = usize::try_from(len).ok()?;
    if length == 0 {
        return Some(&[]);
    }
    if literals.is_null() {
        return None;
    }
    // SAFETY: it is not null, so that it points to as many literals by the contract.
    Some(unsafe { std::slice::from_raw_parts(literals, length) })
}

/// Name and version of the library.
///
/// # Safety
/// `signature` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir2_signature(signature: *mut *const c_char) -> Code {
    // SAFETY: the contract is the same.
    unsafe { store(signature, SIGNATURE.as_ptr()) }
}

/// A new solver.
///
/// # Safety
/// `solver` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir2_init(solver: *mut *mut c_void) -> Code {
    if solver.is_null() {
        return Code::InvalidArgument;
    }
    let made = handle::new();
    if made.is_null() {
        return Code::Unknown;
    }
    // SAFETY: the contract is the same.
    unsafe { store(solver, made) }
}

/// Releases a solver.
///
/// # Safety
/// `solver` is null or a solver that was not released, which no other thread uses; it is not used again unless the call was
/// refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir2_release(solver: *mut c_void) -> Code {
    // SAFETY: the contract is the same.
    unsafe { handle::release(solver) }
}

/// The options, which live as long as the program.
///
/// # Safety
/// `options` and `count` are null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir2_options(
    solver: *mut c_void,
    options: *mut *const OptionEntry,
    count: *mut c_int,
) -> Code {
    if solver.is_null() || options.is_null() || count.is_null() {
        return Code::InvalidArgument;
    }
    let table = option_table::table();
    // SAFETY: the contract is the same.
    unsafe {
        store(options, table.as_ptr());
        store(count, c_int::try_from(table.len()).unwrap_or(c_int::MAX))
    }
}

/// Sets an option, given its row of the table.
///
/// # Safety
/// `solver` is null or a solver that was not released, which no other thread uses. `row` is not followed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir2_set_option(
    solver: *mut c_void,
    row: *const OptionEntry,
    value: i64,
    index: i64,
) -> Code {
    // SAFETY: the contract is the same.
    code(unsafe {
        with(solver, |session| {
            option_table::set(session, row, value, index)
        })
    })
}

/// Adds a clause. One that may be forgotten is kept, too.
///
/// # Safety
/// `solver` is null or a solver that was not released, which no other thread uses; `clause` is null or points to `len`
/// literals. `proofmeta` is not followed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir2_add(
    solver: *mut c_void,
    clause: *const i32,
    len: i32,
    _forgettable: i32,
    _proofmeta: *mut c_void,
) -> Code {
    // SAFETY: the contract is the same.
    let Some(numbers) = (unsafe { numbers(clause, len) }) else {
        return Code::InvalidArgument;
    };
    // SAFETY: the contract is the same.
    code(unsafe { with(solver, |session| session.add_clause(numbers)) })
}

/// Solves under assumptions: the result is 10, 20 or 0.
///
/// # Safety
/// As [`ipasir2_add`] with `literals`; `result` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir2_solve(
    solver: *mut c_void,
    result: *mut c_int,
    literals: *const i32,
    len: i32,
) -> Code {
    // SAFETY: the contract is the same.
    let Some(numbers) = (unsafe { numbers(literals, len) }) else {
        return Code::InvalidArgument;
    };
    let work = |session: &mut Session| {
        for &number in numbers {
            session
                .assume(number)
                .inspect_err(|_| session.forget_assumptions())?;
        }
        session.solve().map(number)
    };
    // SAFETY: the contract is the same.
    unsafe { with_result(solver, result, work) }
}

/// The literal if it is true in the model, its negation if it is false, 0 if either will do.
///
/// # Safety
/// `solver` is null or a solver that was not released, which no other thread uses; `result` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir2_value(solver: *mut c_void, lit: i32, result: *mut i32) -> Code {
    let work = |session: &mut Session| match session.state() {
        State::Sat => session.value(lit),
        _ => Err(Fault::state(
            "there is no model, or something was added since",
        )),
    };
    // SAFETY: the contract is the same.
    unsafe { with_result(solver, result, work) }
}

/// The name of [`ipasir2_value`] in earlier drafts.
///
/// # Safety
/// As [`ipasir2_value`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir2_val(solver: *mut c_void, lit: i32, result: *mut i32) -> Code {
    // SAFETY: the contract is the same.
    unsafe { ipasir2_value(solver, lit, result) }
}

/// 1 if the assumption is one of those that can't hold together, else 0.
///
/// # Safety
/// As [`ipasir2_value`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir2_failed(solver: *mut c_void, lit: i32, result: *mut c_int) -> Code {
    let work = |session: &mut Session| match session.state() {
        State::Unsat => session.has_failed(lit).map(c_int::from),
        _ => Err(Fault::state(
            "there are no failed assumptions, or something was added since",
        )),
    };
    // SAFETY: the contract is the same.
    unsafe { with_result(solver, result, work) }
}

/// Sets a callback that ends a search by returning another number than 0; a null pointer removes it.
///
/// # Safety
/// `solver` is null or a solver that was not released, which no other thread uses; the callback may be called with `data` in
/// each call of `ipasir2_solve`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir2_set_terminate(
    solver: *mut c_void,
    data: *mut c_void,
    callback: Option<Terminate>,
) -> Code {
    let terminate = callback.map(|function| (function, Data::new(data)));
    let work = |session: &mut Session| {
        session.set_terminate(terminate);
        Ok(())
    };
    // SAFETY: the contract is the same.
    code(unsafe { with(solver, work) })
}

/// Sets a callback for learned clauses of at most `max_length` literals, or of any length with -1; a null pointer removes
/// it.
///
/// # Safety
/// As [`ipasir2_set_terminate`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir2_set_export(
    solver: *mut c_void,
    data: *mut c_void,
    max_length: c_int,
    callback: Option<Export>,
) -> Code {
    let most = match max_length {
        -1 => usize::MAX,
        0.. => usize::try_from(max_length).unwrap_or(usize::MAX),
        _ => return Code::InvalidArgument,
    };
    let learn = callback.map(|function| (Listener::Export(function), Data::new(data), most));
    let work = |session: &mut Session| {
        session.set_learn(learn);
        Ok(())
    };
    // SAFETY: the contract is the same.
    code(unsafe { with(solver, work) })
}

/// Not supported: deleted clauses are told by a tracer (`craig_set_tracer`).
#[unsafe(no_mangle)]
pub extern "C" fn ipasir2_set_delete(
    _solver: *mut c_void,
    _data: *mut c_void,
    _callback: Option<Export>,
) -> Code {
    Code::Unsupported
}

/// Not supported.
#[unsafe(no_mangle)]
pub extern "C" fn ipasir2_set_import(
    _solver: *mut c_void,
    _data: *mut c_void,
    _callback: Option<unsafe extern "C" fn(data: *mut c_void)>,
) -> Code {
    Code::Unsupported
}

/// Sets a callback for literals that are true in all models, called at the end of each search; a null pointer removes it.
///
/// # Safety
/// As [`ipasir2_set_terminate`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir2_set_fixed(
    solver: *mut c_void,
    data: *mut c_void,
    callback: Option<Fixed>,
) -> Code {
    let fixed = callback.map(|function| (function, Data::new(data)));
    let work = |session: &mut Session| {
        session.set_fixed(fixed);
        Ok(())
    };
    // SAFETY: the contract is the same.
    code(unsafe { with(solver, work) })
}
