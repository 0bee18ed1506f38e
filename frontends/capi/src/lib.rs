//! libcraig: the solver for C programs, and for every language that calls C.
//!
//! The header `include/craig.h` states what each function does, also if it is misused: a null pointer, a number that
//! is no literal, or a call in the wrong state or from a callback is refused, and `craig_error` tells why. What only
//! the caller can promise is under `Safety` of the functions here: pointers that are not null are valid, and one solver
//! is used by one thread at a time.
//!
//! A solver is a [`handle`], which owns a session (`session.rs`). A call borrows the session for its time, so that a call from one of
//! its callbacks finds it taken and is refused. A panic ends at the door: the session is unusable from then on.

pub mod callbacks;
pub mod door;
mod engine;
mod fault;
pub mod handle;
pub mod ipasir;
pub mod ipasir2;
mod option_table;
mod proof_file;
mod recorder;
mod session;
