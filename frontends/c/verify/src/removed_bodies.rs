//! Error paths with values of functions whose bodies the command line removes.
//!
//! Such a function is taken to return any value, also one that its body never returns. An error path with such a value
//! counts if the program with these bodies has one, too.

use std::collections::BTreeSet;

use craig_model::UnknownReason;

use crate::options::Options;
use crate::report::{Answer, Report};

/// The removed functions whose values an error path takes.
fn removed_in(report: &Report, options: &Options) -> BTreeSet<String> {
    let Answer::Unsafe(found) = &report.answer else {
        return BTreeSet::new();
    };
    let chosen = found.path.iter().filter_map(|step| step.chosen.as_ref());
    let functions = chosen.filter_map(|chosen| chosen.function.as_ref());
    let removed = &options.cbmc.removed_bodies;
    functions
        .filter(|function| removed.contains(function))
        .cloned()
        .collect()
}

/// The options for the program with the bodies that an error path would need; `None` if it needs none.
pub(crate) fn with_bodies(report: &Report, options: &Options) -> Option<Options> {
    let used = removed_in(report, options);
    if used.is_empty() {
        return None;
    }
    let mut whole = options.clone();
    let removed = &mut whole.cbmc.removed_bodies;
    removed.retain(|function| !used.contains(function));
    Some(whole)
}

/// A report on a program with removed bodies: an error counts if the program with the bodies has one.
pub(crate) fn confirmed(report: Report, whole: Option<&Report>, options: &Options) -> Report {
    let used = removed_in(&report, options);
    let names: Vec<String> = used.iter().map(|name| format!("`{name}`")).collect();
    let names = names.join(", ");
    if let Some(whole) = whole
        && matches!(whole.answer, Answer::Unsafe(_))
    {
        let mut confirmed = whole.clone();
        let note = format!("the path is one with the bodies of {names}, which are to be removed");
        confirmed.notes.push(note);
        return confirmed;
    }
    let reason = format!(
        "a path to an error takes a value of {names}, whose body is removed: no error is known with the body"
    );
    Report {
        answer: Answer::Unknown(UnknownReason::Unsupported(reason)),
        ..report
    }
}

/// A report on one property of several, for which the program with the bodies is not looked at.
pub(crate) fn counted(report: &Report, options: &Options) -> Report {
    match with_bodies(report, options) {
        Some(_) => confirmed(report.clone(), None, options),
        None => report.clone(),
    }
}
