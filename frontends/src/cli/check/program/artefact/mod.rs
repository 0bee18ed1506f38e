//! Files about the verdict on a C program: one kind per file.
//!
//! To add one: a file with an [`Artefact`], its line in [`ARTEFACTS`], and its option in `options`.

mod driver;
mod kind;
mod model;
mod refutation;
mod suite;
pub(super) mod unwinding;
mod witness;

use super::super::report::ProgramReport;
use super::super::session::Session;
use super::super::task::{check_room, numbered};
use crate::cli::circuits::PropertyId;
use craig_c::Answer;
use kind::{Artefact, Verdict, Written};

pub(super) use kind::Wanted;

/// Every kind, in the order in which they are written.
const ARTEFACTS: [Artefact; 6] = [
    witness::WITNESS,
    model::MODEL,
    refutation::FORMULA,
    refutation::PROOF,
    driver::DRIVER,
    suite::SUITE,
];

/// Writes the requested files about each verdict. Notes of the session name the files that are not written, with the
/// reason.
pub(super) fn write_all(wanted: &Wanted<'_>, found: &[ProgramReport], session: &Session) {
    let mut n_unsafe = 0;
    for (index, found_here) in found.iter().enumerate() {
        match found_here.report.answer {
            Answer::Unknown(_) => continue,
            Answer::Unsafe(_) => n_unsafe += 1,
            Answer::Safe(_) => {}
        }
        let verdict = Verdict {
            wanted,
            report: &found_here.report,
            n_unsafe,
        };
        for artefact in &ARTEFACTS {
            let Some(path) = (artefact.path)(wanted) else {
                continue;
            };
            let is_numbered = found.len() > 1 && !artefact.is_shared;
            let path = match (is_numbered, check_room(path)) {
                (false, _) => path.to_owned(),
                (true, Ok(())) => numbered(path, PropertyId::bad(index)),
                (true, Err(fault)) => {
                    if index == 0 {
                        session.note_fault(fault);
                    }
                    continue;
                }
            };
            match (artefact.write)(&verdict, &path) {
                Ok(Written::Whole) => session.note_file(found_here.number, path),
                Ok(Written::Not(why)) => {
                    session.note(format!("{}: not written: {why}", path.display()));
                }
                Err(fault) => session.note_fault(fault),
            }
        }
    }
}
