//! Decides a formula by several searches, with the requested recording of their joined proof.

use std::num::NonZeroUsize;
use std::sync::Arc;

use craig_solver::parallel::cubes::{self, Tally};
use craig_solver::parallel::{Control, Found, Leaves, Settings, Worker, solve};
use craig_solver::proof::check::{CheckError, check_dag_until, check_leaves};
use craig_solver::proof::{Origin, ProofDag};
use craig_solver::{Answer, Cnf, Lit};

use std::sync::atomic::Ordering;

use crate::decide::{DecideError, Decision, Question, Recorded, Recording, Watch};

/// How many searches, and whether their result has to be reproducible.
#[derive(Clone, Copy, Debug)]
pub struct Team {
    /// The number of searches, each on a thread.
    pub workers: NonZeroUsize,
    /// See [`Settings::deterministic`].
    pub deterministic: bool,
    /// How to split the formula, if the searches are to share its parts and not all of it.
    pub cubes: Option<Cubes>,
}

/// How a formula is split.
#[derive(Clone, Copy, Debug)]
pub struct Cubes {
    /// How many cubes there are at first.
    pub first: NonZeroUsize,
    /// A cube that takes more conflicts is split.
    pub conflicts: u64,
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
    debug_assert!(question.assumptions.is_empty() || !matches!(recording, Recording::File(_)));
    let (mut found, tally) = search(cnf, question, team.cubes, settings, &control)?;
    if found.answer == Answer::Satisfiable {
        add_assumed(&mut found.model, &question.assumptions);
    }
    let proof = found.refutation.take();
    if let (Recording::Checked, Answer::Unsatisfiable) = (&recording, found.answer)
        && !is_proved(
            cnf,
            &question.assumptions,
            proof.as_ref(),
            &found.failed_assumptions,
        )
    {
        return Err(DecideError::NotARefutation);
    }
    let recorded = match (proof, recording) {
        (None, Recording::Checked) => Recorded::Checked(0),
        (None, Recording::File(_)) => Recorded::Written,
        (None, _) | (_, Recording::Nothing) => Recorded::Nothing,
        (Some(proof), Recording::Memory) => Recorded::Refutation(proof),
        (Some(proof), Recording::Checked) => match check(cnf, &proof, watch) {
            Err(CheckError::Stopped) => {
                found.answer = Answer::Unknown;
                found.failed_assumptions.clear();
                Recorded::Nothing
            }
            steps => Recorded::Checked(steps?),
        },
        (Some(proof), Recording::File(file)) => match file.write(cnf, &proof) {
            Ok(()) => Recorded::Written,
            Err(error) => Recorded::Lost(error),
        },
    };
    Ok(Decision {
        cubes: tally,
        ..decision(found, recorded)
    })
}

/// Several searches of the formula or of its cubes.
fn search(
    cnf: &Cnf,
    question: &Question,
    cubes: Option<Cubes>,
    team: Settings,
    control: &Control,
) -> Result<(Found, Option<Tally>), DecideError> {
    let assumptions = &question.assumptions;
    let Some(cubes) = cubes else {
        return Ok((solve(cnf, assumptions, &team, control)?, None));
    };
    let settings = cubes::Settings {
        team,
        cubes: cubes.first.get(),
        conflicts: cubes.conflicts,
        ..cubes::Settings::default()
    };
    let (found, tally) = cubes::solve(cnf, assumptions, &settings, control)?;
    Ok((found, Some(tally)))
}

/// Gives assumed variables that no clause has, and that come after those of the formula, their values in a model.
fn add_assumed(model: &mut Vec<bool>, assumptions: &[Lit]) {
    let n_vars = model.len();
    for lit in assumptions.iter().filter(|lit| lit.var().index() >= n_vars) {
        let index = lit.var().index();
        model.resize(model.len().max(index + 1), false);
        model[index] = !lit.is_negated();
    }
}

/// Whether the proof ends in a clause that refutes the failed assumptions, which are among the assumptions; none is needed if
/// these are a literal and its negation, or if the formula has the empty clause.
fn is_proved(cnf: &Cnf, assumptions: &[Lit], proof: Option<&ProofDag>, failed: &[Lit]) -> bool {
    let is_refuted = match proof {
        Some(proof) => (proof.root()).is_some_and(|root| {
            let clause = proof.clause(root);
            clause.iter().all(|&lit| failed.contains(&!lit))
        }),
        None => {
            matches!(failed, [one, other] if *one == !*other)
                || cnf.iter().any(|(clause, _)| clause.is_empty())
        }
    };
    is_refuted && failed.iter().all(|lit| assumptions.contains(lit))
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
        cubes: None,
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

    /// Whole, and split at once.
    const SPLITS: [Option<Cubes>; 2] = [
        None,
        Some(Cubes {
            first: NonZeroUsize::MIN,
            conflicts: 1,
        }),
    ];

    fn run(
        text: &str,
        deterministic: bool,
        cubes: Option<Cubes>,
        recording: Recording<'_>,
    ) -> Decision {
        let cnf = dimacs::read(&mut text.as_bytes(), "formula").unwrap();
        let team = Team {
            workers: NonZeroUsize::new(2).unwrap(),
            deterministic,
            cubes,
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
        let ways = SPLITS.map(|cubes| [false, true].map(|deterministic| (cubes, deterministic)));
        for (cubes, deterministic) in ways.into_iter().flatten() {
            for (text, answer) in FORMULAS {
                let is_unsatisfiable = answer == Answer::Unsatisfiable;
                let nothing = run(text, deterministic, cubes, Recording::Nothing);
                assert_eq!(nothing.answer, answer);
                assert_eq!(nothing.cubes.is_some(), cubes.is_some());
                if cubes.is_none() {
                    assert_eq!(nothing.workers.len(), 2);
                }
                assert!(winner(&nothing.workers).is_some());
                assert!(matches!(nothing.recorded, Recorded::Nothing));
                let memory = run(text, deterministic, cubes, Recording::Memory);
                assert_eq!(
                    matches!(memory.recorded, Recorded::Refutation(_)),
                    is_unsatisfiable
                );
                let checked = run(text, deterministic, cubes, Recording::Checked);
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
                        let written = run(text, deterministic, cubes, Recording::File(file));
                        assert_eq!(written.answer, answer);
                        assert!(matches!(written.recorded, Recorded::Written));
                    }
                }
            }
        }
    }

    #[test]
    fn assumptions_have_models_and_checked_proofs() {
        // The last variable is in no clause.
        let text = "p cnf 5 3\n-1 -2 0\n-1 3 0\n4 2 0\n";
        let cnf = dimacs::read(&mut text.as_bytes(), "formula").unwrap();
        let ask = |deterministic, numbers: &[i64]| {
            let lits = numbers
                .iter()
                .map(|&number| Lit::from_dimacs(number).unwrap());
            let question = Question {
                assumptions: lits.collect(),
                ..Question::default()
            };
            let team = Team {
                workers: NonZeroUsize::new(2).unwrap(),
                deterministic,
                cubes: SPLITS[usize::from(deterministic)],
            };
            let watch = Watch::default();
            decide_parallel(&cnf, &question, team, Recording::Checked, &watch).unwrap()
        };
        for deterministic in [false, true] {
            let found = ask(deterministic, &[-4, 5]);
            assert_eq!(found.answer, Answer::Satisfiable);
            assert_eq!(found.model[1..2], [true]);
            assert_eq!(found.model[3..], [false, true]);
            let found = ask(deterministic, &[3, 1, -4, 5]);
            let mut failed: Vec<i32> = found.failed.iter().map(|lit| lit.to_dimacs()).collect();
            failed.sort_unstable();
            assert_eq!(failed, [-4, 1]);
            assert!(matches!(found.recorded, Recorded::Checked(1..)));
            let found = ask(deterministic, &[5, -5]);
            assert_eq!(found.answer, Answer::Unsatisfiable);
            assert!(matches!(found.recorded, Recorded::Checked(0)));
        }
    }

    #[test]
    fn a_proof_of_another_clause_is_none_of_the_answer() {
        let cnf = dimacs::read(&mut "p cnf 1 1\n1 0\n".as_bytes(), "formula").unwrap();
        let one = Lit::from_dimacs(1).unwrap();
        let mut proof = ProofDag::new();
        let leaf = proof.add_leaf(&[one], 0);
        proof.set_root(leaf);
        let both = [one, !one];
        assert!(is_proved(&cnf, &both, Some(&proof), &[!one]));
        assert!(!is_proved(&cnf, &[], Some(&proof), &[!one]));
        for failed in [&[][..], &[one]] {
            assert!(!is_proved(&cnf, &both, Some(&proof), failed));
            assert!(!is_proved(&cnf, &both, None, failed));
        }
        assert!(is_proved(&cnf, &both, None, &both));
        assert!(!is_proved(&cnf, &[one], None, &both));
    }
}
