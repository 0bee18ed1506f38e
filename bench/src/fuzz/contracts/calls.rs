//! Functions with contracts: bodies are checked against them, and calls are replaced by them.

use craig_aig::Random;

use super::super::programs::{Door, Native, Printed, Question, Unit};
use super::super::shrink::without_parts;
use super::function::made;
use super::question::{Case, Kind};
use super::{asked, source};

/// What all runs say.
struct Truth {
    n_runs: u64,
    /// Whether a write is outside of the targets, or a call without what is required.
    is_violated: bool,
    /// The predicates that hold after all runs.
    holds: Vec<bool>,
}

fn truth(case: &Case, printed: &Printed) -> Result<Truth, String> {
    let mut numbers = printed.stdout.split_whitespace().map(str::parse::<u64>);
    let mut next = || {
        numbers
            .next()
            .and_then(Result::ok)
            .ok_or_else(|| "left out: no output".to_owned())
    };
    let (n_runs, is_violated) = (next()?, next()? != 0);
    let holds = (0..case.function.predicates.len())
        .map(|_| Ok(next()? == 0))
        .collect::<Result<_, String>>()?;
    Ok(Truth {
        n_runs,
        is_violated,
        holds,
    })
}

/// The predicates that are asked for, by their numbers, and whether all of them hold.
fn question(case: &Case, truth: &Truth) -> (Vec<usize>, bool) {
    let first = match case.kind {
        Kind::Enforce => 0,
        Kind::Replace => case.n_ensured,
    };
    let numbers = first..truth.holds.len();
    let mut asked: Vec<usize> = numbers
        .clone()
        .filter(|&k| truth.holds[k])
        .take(case.n_asked)
        .collect();
    let wrong = numbers.clone().rev().find(|&k| !truth.holds[k]);
    match (case.with_wrong, wrong) {
        (true, Some(wrong)) => {
            asked.push(wrong);
            (asked, false)
        }
        _ => (asked, true),
    }
}

impl Case {
    /// A case from random numbers.
    pub(super) fn new(random: &mut Random) -> Self {
        let mut function = made(random);
        let kind = [Kind::Enforce, Kind::Replace][random.below(2)];
        if kind == Kind::Replace {
            // Each byte that a call may change multiplies the states that are tried by four.
            function.targets.truncate(1);
        }
        Self {
            function,
            kind,
            n_ensured: random.below(3),
            n_asked: random.below(4),
            with_wrong: random.below(3) == 0,
            door: Door::any(random),
        }
    }

    /// Cases with less in them.
    pub(super) fn smaller(&self) -> Vec<Self> {
        let changed = |change: &dyn Fn(&mut Self)| {
            let mut smaller = self.clone();
            change(&mut smaller);
            smaller
        };
        let mut found = Vec::new();
        let function = &self.function;
        // The last statement is the `return`.
        let (last, others) = function.body.split_last().expect("a body");
        for others in without_parts(others) {
            let body = [&others[..], std::slice::from_ref(last)].concat();
            found.push(changed(&|smaller| {
                smaller.function.body.clone_from(&body);
            }));
        }
        for requires in without_parts(&function.requires) {
            found.push(changed(&|smaller| {
                smaller.function.requires.clone_from(&requires);
            }));
        }
        for targets in without_parts(&function.targets) {
            found.push(changed(&|smaller| {
                smaller.function.targets.clone_from(&targets);
            }));
        }
        if self.kind == Kind::Enforce {
            for predicates in without_parts(&function.predicates) {
                found.push(changed(&|smaller| {
                    smaller.function.predicates.clone_from(&predicates);
                }));
            }
        }
        if self.n_asked > 0 {
            found.push(changed(&|smaller| smaller.n_asked -= 1));
        }
        found
    }
}

impl Native for Case {
    fn unit(&self) -> Unit {
        Unit {
            head: source::native_head(),
            names: &["f", "helper", "old", "fails", "violated", "n_runs"],
            options: &["-O1"],
        }
    }

    fn part(&self) -> String {
        source::native(self)
    }

    fn question(&self, printed: &Printed) -> Result<Question, String> {
        let truth = truth(self, printed)?;
        if truth.n_runs == 0 {
            return Err("left out: no run".to_owned());
        }
        let (predicates, all_hold) = question(self, &truth);
        let option = match self.kind {
            Kind::Enforce => "--enforce-contract",
            Kind::Replace => "--replace-call-with-contract",
        };
        Ok(asked(
            (source::craig_head(), source::craig(self, &predicates)),
            &[option, "f"],
            (&format!("{:?}", self.kind), all_hold && !truth.is_violated),
        ))
    }

    fn door(&self) -> Door {
        self.door
    }
}
