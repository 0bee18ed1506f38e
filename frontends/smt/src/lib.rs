//! Scripts in SMT-LIB 2 over bit-vectors and arrays of them (the logics QF_BV and QF_ABV).
//!
//! The reader ([`syntax`]) makes terms of [`craig_word`] of a script; arrays are replaced by their elements, terms become gates
//! and clauses. A model is evaluated on the terms before `sat` is printed, and a refutation is checked before `unsat` is.
//!
//! Transition systems in VMT-LIB are such scripts with annotations ([`vmt`]).
//!
//! Interpolants have the names of the script. Each is tried as a conjunction of atoms over whole words, or the negation of one,
//! and is a formula over bits otherwise. What is printed is read again, and that is verified.
//!
//! ```
//! let script = "(declare-const x (_ BitVec 8)) (assert (! (= x #x05) :named A))
//!               (assert (! (bvult x #x03) :named B)) (check-sat) (get-interpolants A B)";
//! let mut output = String::new();
//! let options = craig_smt::Options::default();
//! let stop = craig_itp::Stop::never();
//! craig_smt::run(script, "script", &options, &stop, &mut |text| output += text).unwrap();
//! assert!(output.starts_with("unsat\n("), "{output}");
//! ```

mod arrays;
mod bits;
mod decide;
mod interpolate;
mod lift;
mod operators;
mod print;
#[cfg(test)]
mod random_tests;
mod session;
mod shape;
mod sort;
pub mod syntax;
mod terms;
#[cfg(test)]
mod tests;
mod values;
pub mod vmt;

use craig_itp::{Stop, System};

pub use session::Ended;
pub use syntax::SyntaxError;

/// What can be chosen.
#[derive(Clone, Debug)]
pub struct Options {
    /// The system of interpolants over bits.
    pub system: System,
    /// Whether interpolants are tried over whole words first.
    pub words: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            system: System::McMillan,
            words: true,
        }
    }
}

/// Why a script has not been run to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// It is malformed, or asks for what is not supported.
    #[error(transparent)]
    Input(#[from] SyntaxError),
    /// An answer has failed its check.
    #[error("{0}")]
    Internal(String),
    /// A stop was asked for.
    #[error("stopped before the end")]
    Stopped,
}

impl From<craig_itp::Stopped> for Failure {
    fn from(_: craig_itp::Stopped) -> Self {
        Self::Stopped
    }
}

/// Runs a script: `print` gets each answer.
///
/// # Errors
/// For the first error in the script, an answer that fails its check, or a stop.
pub fn run(
    text: &str,
    file: &str,
    options: &Options,
    stop: &Stop,
    print: &mut dyn FnMut(&str),
) -> Result<Ended, Failure> {
    let mut print_line = |answer: Answer<'_>| print(&format!("{}\n", answer.text));
    run_telling(text, file, options, stop, &mut print_line)
}

/// An answer to a command of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<'a> {
    /// The name of the command.
    pub command: &'a str,
    /// Its line, counted from 1.
    pub line: u32,
    /// The answer, without the end of its last line.
    pub text: &'a str,
}

/// As [`run`], for answers that know their commands.
///
/// # Errors
/// As [`run`].
pub fn run_telling(
    text: &str,
    file: &str,
    options: &Options,
    stop: &Stop,
    tell: &mut dyn FnMut(Answer<'_>),
) -> Result<Ended, Failure> {
    session::run(text, file, options, stop, tell)
}
