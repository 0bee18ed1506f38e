//! Reading a circuit within the limits of its task.
//!
//! A circuit of a hundred megabytes takes seconds to read, and a pipe that nobody writes takes forever.

use super::super::format::FormatName;
use super::super::report::{Answer, CircuitReport, PropertyReport, Subject, Summary};
use super::super::task::Task;
use crate::cli::circuits::Kind;
use crate::cli::failure::Failure;
use crate::cli::input::{CircuitInput, read_circuit_in};
use crate::cli::journal::Journal;
use crate::cli::watch::{End, Stop, watch};

/// What has become of the file.
pub(in crate::cli::check) enum Reading {
    /// The circuit.
    Done(CircuitInput),
    /// A limit was reached before, and was reported; the exit code.
    Ended(u8),
}

/// Reads the file of a task.
///
/// # Errors
/// As [`read_circuit_in`].
pub(in crate::cli::check) fn read_within(
    task: &Task,
    format: FormatName,
) -> Result<Reading, Failure> {
    if task.limits.deadline.is_none() && task.limits.memory.is_none() {
        return read_circuit_in(&task.file, task.format).map(Reading::Done);
    }
    let (file, format_of_file) = (task.file.clone(), task.format);
    match watch(
        task.limits,
        |_| {},
        move || read_circuit_in(&file, format_of_file),
    )? {
        End::Finished(found) => found.map(Reading::Done),
        End::Abandoned(stop) => ended(task, format, stop).map(Reading::Ended),
    }
}

/// Reports that a limit has ended the reading. Which properties the file has is not known: the report is about all of
/// them, and the list of properties is empty.
fn ended(task: &Task, format: FormatName, stop: Stop) -> Result<u8, Failure> {
    let subject = Subject::Circuit(1);
    let mut format = format.make(subject, None, task.html.as_deref());
    let property = task
        .property
        .map_or((Kind::Bad, 0), |it| (it.kind, it.number));
    let report = PropertyReport::Circuit(CircuitReport {
        reason: Some(format!("{} while the file was read", stop.reason())),
        ..CircuitReport::unanswered(property, String::new(), task.engines.engine().name())
    });
    format.verdict(&report);
    format.details(&report);
    let exit_code = task.exit_codes.of(Answer::Unknown);
    format.finish(&Summary {
        file: task.file.display().to_string(),
        subject,
        answer: Answer::Unknown,
        exit_code,
        seconds: task.seconds(),
        reports: &[],
        journal: &Journal::default(),
    })?;
    Ok(exit_code)
}
