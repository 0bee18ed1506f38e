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
use super::super::task::numbered;
use crate::cli::circuits::PropertyId;
use crate::cli::failure::Failure;
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

/// Writes the requested files about each verdict. The notes name the files that are not written, with the
/// reason.
pub(super) fn write_all(
    wanted: &Wanted<'_>,
    found: &[ProgramReport],
) -> Result<Vec<String>, Failure> {
    let mut notes = Vec::new();
    let mut n_unsafe = 0;
    for (index, found_here) in found.iter().enumerate() {
        match found_here.report.answer {
            Answer::Unknown { .. } => continue,
            Answer::Unsafe { .. } => n_unsafe += 1,
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
            let path = if found.len() > 1 && !artefact.is_shared {
                numbered(path, PropertyId::bad(index))
            } else {
                path.to_owned()
            };
            if let Written::Not(why) = (artefact.write)(&verdict, &path)? {
                notes.push(format!("{}: not written: {why}", path.display()));
            }
        }
    }
    Ok(notes)
}
