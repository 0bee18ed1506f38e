//! Calls of the solver in any order: clauses, assumptions, limits, stops, phases, and clones that go their own way.
//!
//! After a stop or a limit, every later answer has to be right as if there had been none.

use std::fmt::Write as _;

use craig_aig::Random;
use craig_solver::proof::check::{check_dag, check_leaves};
use craig_solver::proof::{NoProof, ProofLog, ProofSink};
use craig_solver::{Answer, Cnf, Label, Limits, Lit, Solver, UnknownReason};
use varisat::ExtendFormula;

use super::Subject;
use super::calls::{Calls, core_of, judge_model, options_of, smaller};
use super::formulas::{clauses_of, foreign, gates, literal, options, own, parities};
use super::tally::Tally;

/// A call without a limit that takes more conflicts ends its case without an answer.
const MOST_CONFLICTS: u64 = 20_000;

/// The most solvers that a case has.
const MOST_SOLVERS: usize = 5;

/// The solver.
pub(super) struct Api;

/// What ends a search early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    None,
    /// This many conflicts.
    Conflicts(u64),
    /// At this poll of the stop callback.
    Polls(u64),
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Call {
    Add(Vec<i32>),
    Solve(Bound, Vec<i32>),
    Phase(i32),
    /// Copies the solver in use, and uses the copy.
    Clone,
    /// Uses another solver.
    Use(usize),
}

/// Calls and settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Case {
    has_proof: bool,
    /// As [`Options::set`] takes them.
    options: Vec<String>,
    calls: Vec<Call>,
}

impl Calls for Case {
    type Call = Call;

    fn calls(&mut self) -> &mut Vec<Call> {
        &mut self.calls
    }

    fn options(&mut self) -> &mut Vec<String> {
        &mut self.options
    }

    fn literals(call: &mut Call) -> Option<&mut Vec<i32>> {
        match call {
            Call::Add(lits) | Call::Solve(_, lits) => Some(lits),
            Call::Phase(_) | Call::Clone | Call::Use(_) => None,
        }
    }
}

impl Subject for Api {
    type Case = Case;

    fn case(&self, random: &mut Random) -> Case {
        let most = if random.below(4) == 0 { 60 } else { 20 };
        let n_vars = 3 + random.below(most);
        let mut clauses = match random.below(3) {
            0 => clauses_of(random, n_vars, 3),
            1 => gates(random, n_vars),
            _ => parities(random, n_vars),
        };
        let mut calls = Vec::new();
        for _ in 0..4 + random.below(16) {
            calls.push(match random.below(12) {
                0..5 => {
                    let n_assumed = random.below(4);
                    let assumed = (0..n_assumed).map(|_| literal(random, n_vars));
                    let assumed: Vec<i32> = assumed.collect();
                    let bound = match random.below(6) {
                        0 => Bound::Conflicts(random.below(30) as u64),
                        1 => Bound::Polls(random.below(20) as u64),
                        _ => Bound::None,
                    };
                    Call::Solve(bound, assumed)
                }
                5..9 => {
                    let n_left = clauses.len() / 3 + 1;
                    let taken = clauses.drain(..n_left.min(clauses.len()));
                    calls.extend(taken.map(Call::Add));
                    continue;
                }
                9 => Call::Phase(literal(random, n_vars)),
                10 => Call::Clone,
                _ => Call::Use(random.below(MOST_SOLVERS)),
            });
        }
        calls.push(Call::Solve(Bound::None, Vec::new()));
        Case {
            has_proof: random.flip(),
            options: options(random),
            calls,
        }
    }

    fn judge(&self, case: &Case, tally: &mut Tally) -> Result<(), String> {
        let options = options_of(&case.options)?;
        match case.has_proof {
            true => {
                let solver = Solver::with_proof(options, ProofLog::new());
                made(case, solver, tally, proved)
            }
            false => {
                let solver = Solver::with_proof(options, NoProof);
                made(case, solver, tally, |_, _, _| Ok(()))
            }
        }
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        smaller(case)
    }

    fn text(&self, case: &Case) -> (String, &'static str) {
        let mut text = format!("proof {}\n", if case.has_proof { "on" } else { "off" });
        for assignment in &case.options {
            let _ = writeln!(text, "option {assignment}");
        }
        for call in &case.calls {
            text += &call_text(call);
        }
        (text, "calls")
    }

    fn replay(&self, _: &str, bytes: &[u8]) -> Option<Result<Case, String>> {
        Some(parsed(bytes))
    }
}

fn call_text(call: &Call) -> String {
    let list = |lits: &[i32]| {
        let words = lits.iter().map(|lit| format!("{lit} "));
        words.collect::<String>() + "0\n"
    };
    match call {
        Call::Add(lits) => format!("add {}", list(lits)),
        Call::Solve(Bound::None, lits) => format!("solve {}", list(lits)),
        Call::Solve(Bound::Conflicts(most), lits) => {
            format!("solve conflicts={most} {}", list(lits))
        }
        Call::Solve(Bound::Polls(most), lits) => format!("solve polls={most} {}", list(lits)),
        Call::Phase(lit) => format!("phase {lit}\n"),
        Call::Clone => "clone\n".to_owned(),
        Call::Use(number) => format!("use {number}\n"),
    }
}

/// The case in a file.
fn parsed(bytes: &[u8]) -> Result<Case, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "expected a text".to_owned())?;
    let mut case = Case {
        has_proof: false,
        options: Vec::new(),
        calls: Vec::new(),
    };
    for (number, line) in (1..).zip(text.lines()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((name, rest)) = words.split_first() else {
            continue;
        };
        let expected = |what: &str| format!("line {number}: expected {what}");
        match (*name, rest) {
            ("proof", [word]) => case.has_proof = *word == "on",
            ("option", [assignment]) => case.options.push((*assignment).to_owned()),
            ("add", lits) => {
                let lits = list(lits).ok_or_else(|| expected("literals and 0"))?;
                case.calls.push(Call::Add(lits));
            }
            ("solve", words) => {
                let (bound, lits) = bounded(words).ok_or_else(|| expected("a number"))?;
                let lits = list(lits).ok_or_else(|| expected("literals and 0"))?;
                case.calls.push(Call::Solve(bound, lits));
            }
            ("phase", [word]) => {
                let lit = word.parse().ok().filter(|lit| *lit != 0);
                case.calls
                    .push(Call::Phase(lit.ok_or_else(|| expected("a literal"))?));
            }
            ("clone", []) => case.calls.push(Call::Clone),
            ("use", [word]) => {
                let number = word.parse().map_err(|_| expected("a number"))?;
                case.calls.push(Call::Use(number));
            }
            _ => return Err(expected("proof, option, add, solve, phase, clone or use")),
        }
    }
    Ok(case)
}

/// The bound at the head of words, and what is left of them.
fn bounded<'w>(words: &'w [&'w str]) -> Option<(Bound, &'w [&'w str])> {
    let Some((first, rest)) = words.split_first() else {
        return Some((Bound::None, words));
    };
    match first.split_once('=') {
        None => Some((Bound::None, words)),
        Some(("conflicts", most)) => Some((Bound::Conflicts(most.parse().ok()?), rest)),
        Some(("polls", most)) => Some((Bound::Polls(most.parse().ok()?), rest)),
        Some(_) => None,
    }
}

/// Literals that end with 0.
fn list(words: &[&str]) -> Option<Vec<i32>> {
    let (last, lits) = words.split_last()?;
    let lits: Option<Vec<i32>> = lits
        .iter()
        .map(|word| word.parse().ok().filter(|lit| *lit != 0))
        .collect();
    lits.filter(|_| *last == "0")
}

/// A solver and the clauses that were added to it.
struct Handle<P: ProofSink> {
    solver: Solver<P>,
    cnf: Cnf,
}

impl<P: ProofSink> Handle<P> {
    fn literals(&mut self, lits: &[i32]) -> Vec<Lit> {
        let lits: Vec<Lit> = lits.iter().map(|&lit| own(lit)).collect();
        let most = lits.iter().map(|lit| lit.var().index() + 1).max();
        let n_vars = most.unwrap_or(0).max(self.cnf.n_vars());
        self.cnf.reserve_vars(n_vars);
        self.solver.reserve_vars(n_vars.max(self.solver.n_vars()));
        lits
    }
}

/// Makes the calls, and judges each answer; `prove` judges the proof of a refutation.
fn made<P: ProofSink + Clone>(
    case: &Case,
    solver: Solver<P>,
    tally: &mut Tally,
    prove: impl Fn(&Handle<P>, &[Lit], &mut Tally) -> Result<(), String>,
) -> Result<(), String> {
    let mut handles = vec![Handle {
        solver,
        cnf: Cnf::new(),
    }];
    let mut current = 0;
    for call in &case.calls {
        let n_handles = handles.len();
        let handle = &mut handles[current];
        match call {
            Call::Add(lits) => {
                let lits = handle.literals(lits);
                let label = Label::try_from(handle.cnf.n_clauses()).map_err(|it| it.to_string())?;
                handle.cnf.add_labelled_clause(&lits, label);
                handle.solver.add_labelled_clause(&lits, label);
            }
            Call::Phase(lit) => {
                let lits = handle.literals(&[*lit]);
                handle.solver.set_phase(lits[0]);
            }
            Call::Clone if n_handles < MOST_SOLVERS => {
                let copy = Handle {
                    solver: handle.solver.clone(),
                    cnf: handle.cnf.clone(),
                };
                handles.push(copy);
                current = n_handles;
                tally.count("clones");
            }
            Call::Clone => {}
            Call::Use(number) => current = number % n_handles,
            Call::Solve(bound, assumed) => {
                let assumed = handle.literals(assumed);
                if !answered(handle, *bound, &assumed, tally, &prove)? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// Searches, and judges the answer; whether the case goes on.
fn answered<P: ProofSink>(
    handle: &mut Handle<P>,
    bound: Bound,
    assumed: &[Lit],
    tally: &mut Tally,
    prove: &impl Fn(&Handle<P>, &[Lit], &mut Tally) -> Result<(), String>,
) -> Result<bool, String> {
    let conflicts = match bound {
        Bound::Conflicts(most) => most,
        _ => MOST_CONFLICTS,
    };
    handle.solver.set_limits(Limits {
        conflicts: Some(conflicts),
        propagations: None,
    });
    if let Bound::Polls(most) = bound {
        let mut n_polls = 0;
        handle.solver.set_poll_interval(1);
        handle.solver.set_stop_callback(Some(Box::new(move || {
            n_polls += 1;
            n_polls > most
        })));
    }
    let answer = handle.solver.solve(assumed);
    handle.solver.set_stop_callback(None);
    match answer {
        Answer::Satisfiable => {
            tally.count("satisfiable");
            judge_model(&handle.solver, &handle.cnf, assumed).map(|()| true)
        }
        Answer::Unsatisfiable => {
            tally.count("unsatisfiable");
            let failed = core_of(&handle.solver, assumed)?;
            if has_model(&handle.cnf, &failed)? {
                return Err("wrong: varisat has a model".into());
            }
            prove(handle, &failed, tally).map(|()| true)
        }
        Answer::Unknown => match (handle.solver.unknown_reason(), bound) {
            (_, Bound::Conflicts(_) | Bound::Polls(_)) => {
                tally.count("stopped");
                Ok(true)
            }
            (Some(UnknownReason::Limit), Bound::None) => {
                tally.count("too many conflicts");
                Ok(false)
            }
            (reason, Bound::None) => Err(format!("unknown: {reason:?}, and there is no limit")),
        },
    }
}

/// Whether varisat finds a model of clauses in which literals are true.
fn has_model(cnf: &Cnf, lits: &[Lit]) -> Result<bool, String> {
    let mut other = varisat::Solver::new();
    for (clause, _) in cnf.iter() {
        let clause: Vec<varisat::Lit> = clause.iter().map(|&lit| foreign(lit)).collect();
        other.add_clause(&clause);
    }
    let assumed: Vec<varisat::Lit> = lits.iter().map(|&lit| foreign(lit)).collect();
    other.assume(&assumed);
    other.solve().map_err(|error| format!("varisat: {error}"))
}

/// The proof of a refutation: steps from clauses that were added to a clause of negated failed assumptions.
fn proved(handle: &Handle<ProofLog>, failed: &[Lit], tally: &mut Tally) -> Result<(), String> {
    let Some(root) = handle.solver.refutation() else {
        // Nothing has to be derived if a literal and its negation were assumed.
        return match failed.iter().any(|&lit| failed.contains(&!lit)) {
            true => Ok(()),
            false => Err("root: a refutation without a last clause".into()),
        };
    };
    let dag = handle.solver.proof().trim(root);
    check_dag(&dag).map_err(|error| format!("chain: {error}"))?;
    check_leaves(&dag, &handle.cnf).map_err(|error| format!("leaf: {error}"))?;
    let last = dag.root().map(|root| dag.clause(root).to_vec());
    match last.is_some_and(|last| last.iter().all(|&lit| failed.contains(&!lit))) {
        true => {
            tally.count("proofs checked");
            Ok(())
        }
        false => Err("root: its clause is not one of negated failed assumptions".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_of;
    use super::super::shrink::judged;
    use super::*;

    #[test]
    fn answers_are_right_after_stops_and_on_clones() {
        let mut tally = Tally::default();
        for number in 0..250 {
            let case = Api.case(&mut random_of(5, number));
            let (text, _) = Api.text(&case);
            assert_eq!(judged(&Api, &case, &mut tally), Ok(()), "{number}\n{text}");
            // What is written is read again as the same calls.
            assert_eq!(parsed(text.as_bytes()), Ok(case), "{text}");
        }
        let all = [
            "satisfiable",
            "unsatisfiable",
            "stopped",
            "clones",
            "proofs checked",
        ];
        assert!(all.iter().all(|what| tally.of(what) > 10), "{tally}");
    }

    #[test]
    fn files_that_are_no_calls_are_refused_with_the_line() {
        for (text, line) in [
            ("add 1 2", 1),
            ("solve conflicts=x 0", 1),
            ("clone\nadd 0 1 0", 2),
            ("phase 0", 1),
            ("drop 3", 1),
        ] {
            let error = parsed(text.as_bytes()).unwrap_err();
            assert!(
                error.starts_with(&format!("line {line}: expected")),
                "{error}"
            );
        }
    }
}
