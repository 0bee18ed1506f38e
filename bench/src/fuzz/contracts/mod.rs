//! Contracts: bodies are checked against them, calls are replaced by them (`calls.rs`), and loops by their invariants (`loops.rs`).
//!
//! All variables have few values, so that gcc's code tries all runs: those of the body, or those that the contract allows.

mod calls;
mod function;
mod loops;
mod question;
mod source;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use craig_aig::Random;

use super::Subject;
use super::programs::Folder;
use super::tally::Tally;

/// Contracts, asked about by a command.
pub(super) struct Contracts {
    pub(super) craig: PathBuf,
}

/// A program and a question.
#[derive(Clone, Debug)]
pub(super) enum Case {
    /// About the contract of a function.
    Call(question::Case),
    /// About that of a loop.
    Loop(loops::Case),
}

/// Counts a case without an answer.
fn left_out(message: &str, tally: &mut Tally) -> Result<(), String> {
    let error = message.lines().find(|line| line.contains("error"));
    tally.count(&format!("left out: {}", error.unwrap_or(message)));
    Ok(())
}

/// Asks the command, and compares its answer with the right one.
fn decided(
    place: (&Path, &Folder),
    text: &str,
    options: &[&str],
    (kind, is_safe): (&str, bool),
    tally: &mut Tally,
) -> Result<(), String> {
    let options: Vec<String> = ["--function", "harness", "--dialect", "cbmc"]
        .iter()
        .chain(options)
        .map(|&option| option.to_owned())
        .collect();
    let kind = format!("{kind}, {}", if is_safe { "right" } else { "wrong" });
    super::programs::decided(place, text, &options, (&kind, is_safe), tally)
}

impl Subject for Contracts {
    type Case = Case;

    fn case(&self, random: &mut Random) -> Case {
        match random.below(2) {
            0 => Case::Call(question::Case::new(random)),
            _ => Case::Loop(loops::Case::new(random)),
        }
    }

    fn judge(&self, case: &Case, tally: &mut Tally) -> Result<(), String> {
        match case {
            Case::Call(case) => case.judge(&self.craig, tally),
            Case::Loop(case) => case.judge(&self.craig, tally),
        }
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        match case {
            Case::Call(case) => case.smaller().into_iter().map(Case::Call).collect(),
            Case::Loop(case) => case.smaller().into_iter().map(Case::Loop).collect(),
        }
    }

    fn text(&self, case: &Case) -> (String, &'static str) {
        let text = match case {
            Case::Call(case) => case.text(),
            Case::Loop(case) => case.text(),
        };
        (text, "c")
    }
}
