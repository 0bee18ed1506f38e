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

use std::path::PathBuf;

use craig_aig::Random;

use super::Subject;
use super::programs::{Door, Native, Printed, Question, Unit, judged_together};
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

/// How many programs are compiled together.
const BATCH: u64 = 48;

/// A question about a program, as its head and what follows.
fn asked(
    (head, text): (String, String),
    options: &[&str],
    (kind, is_safe): (&str, bool),
) -> Question {
    let options: Vec<String> = ["--function", "harness", "--dialect", "cbmc"]
        .iter()
        .chain(options)
        .map(|&option| option.to_owned())
        .collect();
    Question {
        head,
        text,
        options,
        kind: format!("{kind}, {}", if is_safe { "right" } else { "wrong" }),
        is_safe,
    }
}

impl Case {
    fn native(&self) -> &dyn Native {
        match self {
            Self::Call(case) => case,
            Self::Loop(case) => case,
        }
    }
}

impl Native for Case {
    fn unit(&self) -> Unit {
        self.native().unit()
    }

    fn part(&self) -> String {
        self.native().part()
    }

    fn question(&self, printed: &Printed) -> Result<Question, String> {
        self.native().question(printed)
    }

    fn door(&self) -> Door {
        self.native().door()
    }
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
        judged_together(&self.craig, &[case], tally).swap_remove(0)
    }

    fn batch(&self) -> u64 {
        BATCH
    }

    fn judge_all(&self, cases: &[Case], tally: &mut Tally) -> Vec<Result<(), String>> {
        let cases: Vec<&Case> = cases.iter().collect();
        judged_together(&self.craig, &cases, tally)
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        match case {
            Case::Call(case) => case.smaller().into_iter().map(Case::Call).collect(),
            Case::Loop(case) => case.smaller().into_iter().map(Case::Loop).collect(),
        }
    }

    fn text(&self, case: &Case) -> (String, &'static str) {
        (case.file(), "c")
    }
}
