//! Decides a formula by several searches, with the requested recording of their joined proof.

use std::num::NonZeroUsize;
use std::sync::Arc;

use craig_solver::parallel::{Control, Found, Leaves, Settings, Worker, solve};
use craig_solver::proof::check::{CheckError, check_dag_until, check_leaves};
use craig_solver::proof::{Origin, ProofDag};
use craig_solver::{Answer, Cnf};

use std::sync::atomic::Ordering;

use crate::decide::{DecideError, Decision, Question, Recorded, Recording, Watch};

/// How many searches, and whether their result has to be reproducible.
#[derive(Clone, Copy, Debug)]
pub struct Team {
    /// The number of searches, each on a thread.
    pub workers: NonZeroUsize,
    /// See [`Settings::deterministic`].
    pub deterministic: bool,
}

/// As [`decide`](crate::decide::decide), by several searches. Their proof is joined when they have ended; it is
/// checked or written then.
///
/// # Errors
/// If there is no proof, or a search fails; see [`DecideError`].
pub fn decide_parallel(
    cnf: &Cnf,
    question: &Question,
    team: Team,
    recording: Recording<'_>,
    watch: &Watch,
) -> Result<Decision, DecideError> {
    let settings = Settings {
        workers: team.workers,
        deterministic: team.deterministic,
        options: question.options.clone(),
        limits: question.limits,
        proof: !matches!(recording, Recording::Nothing),
        leaves: Leaves::Positions,
        ..Settings::default()
    };
    let control = Control {
        interrupt: Arc::clone(&watch.interrupt),
        conflicts: Arc::clone(&watch.conflicts),
    };
    // A file holds a refutation; a proof under assumptions ends in another clause.
    debug_assert!(question.assumptions.is_empty() || !settings.proof);
    let mut found = solve(cnf, &question.assumptions, &settings, &control)?;
    let recorded = match (found.refutation.take(), recording) {
        (None, Recording::Checked) => Recorded::Checked(0),
        (None, Recording::File(_)) => Recorded::Written,
        (None, _) | (_, Recording::Nothing) => Recorded::Nothing,
        (Some(proof), Recording::Memory) => Recorded::Refutation(proof),
        (Some(proof), Recording::Checked) => match check(cnf, &proof, watch) {
            Err(CheckError::Stopped) => {
                found.answer = Answer::Unknown;
                Recorded::Nothing
            }
            steps => Recorded::Checked(steps?),
        },
        (Some(proof), Recording::File(file)) => match file.write(cnf, &proof) {
            Ok(()) => Recorded::Written,
            Err(error) => Recorded::Lost(error),
        },
    };
    if found.answer == Answer::Unsatisfiable && matches!(recorded, Recorded::Checked(0)) {
        // The empty clause may be a clause of the formula, and then nothing is derived.
        let has_empty = cnf.iter().any(|(clause, _)| clause.is_empty());
        if !has_empty {
            return Err(DecideError::NotARefutation);
        }
    }
    Ok(decision(found, recorded))
}

/// Checks the proof by code that shares nothing with the searches; returns the number of its steps.
fn check(cnf: &Cnf, proof: &ProofDag, watch: &Watch) -> Result<u64, CheckError> {
    check_dag_until(proof, || watch.interrupt.load(Ordering::Relaxed))?;
    let mut by_position = Cnf::new();
    for (position, (clause, _)) in cnf.iter().enumerate() {
        by_position.add_labelled_clause(clause, position as u32);
    }
    check_leaves(proof, &by_position)?;
    let is_derived = |&vertex: &u32| matches!(proof.origin(vertex), Origin::Chain { .. });
    Ok(proof.vertices().filter(is_derived).count() as u64)
}

/// With the counters of the winner, or of the first search.
fn decision(found: Found, recorded: Recorded) -> Decision {
    let statistics = found.workers[found.winner.unwrap_or(0)].statistics;
    let clause_bytes = found.workers.iter().map(|own| own.clause_bytes).sum();
    Decision {
        answer: found.answer,
        model: found.model,
        failed: found.failed_assumptions,
        reason: found.reason,
        statistics,
        clause_bytes,
        recorded,
        workers: found.workers,
    }
}

/// The searches of a decision, with the number that has found the answer.
#[must_use]
pub fn winner(workers: &[Worker]) -> Option<usize> {
    (workers.iter()).position(|own| own.answer != Answer::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dimacs;
    use crate::refutation::{ENCODINGS, FORMATS, RefutationFile};

    const FORMULAS: [(&str, Answer); 3] = [
        ("p cnf 2 3\n1 0\n2 0\n-1 -2 0\n", Answer::Unsatisfiable),
        ("p cnf 2 1\n0\n", Answer::Unsatisfiable),
        ("p cnf 2 2\n1 2 0\n-1 0\n", Answer::Satisfiable),
    ];

    fn run(text: &str, deterministic: bool, recording: Recording<'_>) -> Decision {
        let cnf = dimacs::read(&mut text.as_bytes(), "formula").unwrap();
        let team = Team {
            workers: NonZeroUsize::new(2).unwrap(),
            deterministic,
        };
        decide_parallel(
            &cnf,
            &Question::default(),
            team,
            recording,
            &Watch::default(),
        )
        .unwrap()
    }

    #[test]
    fn each_way_of_recording_keeps_what_it_should() {
        for deterministic in [false, true] {
            for (text, answer) in FORMULAS {
                let is_unsatisfiable = answer == Answer::Unsatisfiable;
                let nothing = run(text, deterministic, Recording::Nothing);
                assert_eq!(nothing.answer, answer);
                assert_eq!(nothing.workers.len(), 2);
                assert!(winner(&nothing.workers).is_some());
                assert!(matches!(nothing.recorded, Recorded::Nothing));
                let memory = run(text, deterministic, Recording::Memory);
                assert_eq!(
                    matches!(memory.recorded, Recorded::Refutation(_)),
                    is_unsatisfiable
                );
                let checked = run(text, deterministic, Recording::Checked);
                assert_eq!(checked.answer, answer);
                assert!(matches!(checked.recorded, Recorded::Checked(_)));
                for format in FORMATS {
                    for encoding in ENCODINGS {
                        let mut output = Vec::new();
                        let file = RefutationFile {
                            format,
                            encoding,
                            output: &mut output,
                        };
                        let written = run(text, deterministic, Recording::File(file));
                        assert_eq!(written.answer, answer);
                        assert!(matches!(written.recorded, Recorded::Written));
                    }
                }
            }
        }
    }
}
