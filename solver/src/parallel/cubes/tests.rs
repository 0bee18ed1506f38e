use std::num::NonZeroUsize;
use std::sync::atomic::Ordering;

use craig_aig::Random;

use super::lookahead::{Choice, Lookahead};
use super::run::Conquest;
use super::*;
use crate::cdcl::{Answer, Limits, Options, UnknownReason};
use crate::cnf::Cnf;
use crate::lit::Lit;
use crate::parallel::run::Question;
use crate::parallel::tests::{assert_right, lrat, pigeons, threshold};
use crate::parallel::{Control, Found, Leaves, ParallelError};

/// Small cubes that are split often, and a first search that is too short to find an answer.
fn eager(workers: usize, deterministic: bool) -> Settings {
    Settings {
        team: crate::parallel::Settings {
            workers: NonZeroUsize::new(workers).unwrap(),
            deterministic,
            proof: true,
            options: Options {
                congruence: true,
                eliminate: true,
                lucky: false,
                walk: false,
                inprocess_interval: 10,
                ..Options::default()
            },
            ..crate::parallel::Settings::default()
        },
        cubes: 6,
        conflicts: 10,
        warm_up: 12,
    }
}

fn run(cnf: &Cnf, assumptions: &[Lit], settings: &Settings) -> (Found, Tally) {
    let (found, tally) = solve(cnf, assumptions, settings, &Control::default()).unwrap();
    assert_right(cnf, assumptions, &found);
    (found, tally)
}

fn lits(numbers: &[i64]) -> Vec<Lit> {
    let lits = numbers.iter().map(|&number| Lit::from_dimacs(number));
    lits.collect::<Option<_>>().unwrap()
}

fn formula(clauses: &[&[i64]]) -> Cnf {
    let mut cnf = Cnf::new();
    for clause in clauses {
        cnf.add_clause(&lits(clause));
    }
    cnf
}

#[test]
fn random_formulas_agree_with_varisat_and_have_joined_proofs() {
    let mut random = Random::new(5);
    let mut sum = Tally::default();
    let mut answers = [0, 0];
    for round in 0..150 {
        let cnf = threshold(&mut random, 50 + round % 50);
        let (found, tally) = run(&cnf, &[], &eager(1 + round % 3, round % 4 == 3));
        answers[usize::from(found.answer == Answer::Satisfiable)] += 1;
        sum.cubes += tally.cubes;
        sum.refuted += tally.refuted;
        sum.split += tally.split;
        sum.superfluous += tally.superfluous;
    }
    assert!(answers.iter().all(|&count| count > 40), "{answers:?}");
    assert!(sum.cubes > 500 && sum.refuted > 500, "{sum:?}");
    assert!(sum.split > 50 && sum.superfluous > 10, "{sum:?}");
}

#[test]
fn assumptions_fail_with_a_proof_of_their_negations() {
    let mut random = Random::new(9);
    let mut n_failed = 0;
    for round in 0..100 {
        let n_vars = 50 + round % 30;
        let cnf = threshold(&mut random, n_vars);
        let mut assumptions: Vec<Lit> = Vec::new();
        for _ in 0..4 {
            let var = crate::Var::new(random.below(n_vars));
            assumptions.push(var.lit(random.flip()));
        }
        let (found, _) = run(&cnf, &assumptions, &eager(1 + round % 2, false));
        n_failed += usize::from(!found.failed_assumptions.is_empty());
    }
    assert!(n_failed > 10, "{n_failed}");
}

#[test]
fn contradictory_assumptions_need_no_proof() {
    let cnf = pigeons(5);
    let settings = Settings {
        warm_up: 0,
        ..eager(2, false)
    };
    let (found, _) = run(&cnf, &lits(&[1, -1]), &settings);
    assert_eq!(found.failed_assumptions.len(), 2);
    assert!(found.refutation.is_none());
}

#[test]
fn deterministic_runs_give_equal_proofs_and_models() {
    let mut random = Random::new(14);
    let mut formulas: Vec<Cnf> = (0..4).map(|_| threshold(&mut random, 90)).collect();
    formulas.push(pigeons(6));
    for cnf in &formulas {
        for workers in 1..=3 {
            let mut settings = eager(workers, true);
            settings.team.leaves = Leaves::Positions;
            let ask = || {
                let (found, tally) = solve(cnf, &[], &settings, &Control::default()).unwrap();
                let proof = found.refutation.map(|proof| lrat(cnf, &proof));
                (found.answer, found.model, proof, tally)
            };
            let first = ask();
            assert!(ask() == first);
        }
    }
}

#[test]
fn limits_and_the_interrupt_end_the_search() {
    let cnf = pigeons(11);
    for deterministic in [false, true] {
        let mut settings = eager(2, deterministic);
        let control = Control::default();
        let found = std::thread::scope(|scope| {
            let search = scope.spawn(|| solve(&cnf, &[], &settings, &control).unwrap().0);
            while control.conflicts.load(Ordering::Relaxed) < 200 {
                std::thread::yield_now();
            }
            control.interrupt.store(true, Ordering::Relaxed);
            search.join().unwrap()
        });
        assert_eq!(found.answer, Answer::Unknown);
        assert_eq!(found.reason, Some(UnknownReason::Stopped));
        settings.team.limits = Limits {
            conflicts: Some(300),
            propagations: None,
        };
        let (found, _) = solve(&cnf, &[], &settings, &Control::default()).unwrap();
        assert_eq!(found.reason, Some(UnknownReason::Limit));
        let conflicts = found.workers.iter().map(|own| own.statistics.conflicts);
        assert!(conflicts.max() == Some(300));
    }
}

#[test]
fn a_panic_is_a_failure_and_never_an_answer() {
    let cnf = pigeons(8);
    for deterministic in [false, true] {
        let settings = eager(2, deterministic);
        let conquest = Conquest {
            question: Question {
                cnf: &cnf,
                assumptions: &[],
                settings: &settings.team,
                control: &Control::default(),
                begins: &|worker| assert_ne!(worker, 1, "a panic that the test asks for"),
            },
            settings: &settings,
        };
        let outcome = conquest.run::<crate::proof::NoProof>();
        assert!(
            matches!(outcome, Err(ParallelError::Panicked(1))),
            "{outcome:?}"
        );
    }
}

#[test]
fn looking_ahead_finds_failed_literals_and_conflicts() {
    let look = |clauses: &[&[i64]], cube: &[i64]| {
        let clauses: Vec<Vec<Lit>> = clauses.iter().map(|clause| lits(clause)).collect();
        let mut lookahead = Lookahead::new(6, clauses.iter().map(Vec::as_slice));
        // A second time, to see that all was taken back.
        let first = lookahead.choose(&lits(cube), || false);
        assert_eq!(lookahead.choose(&lits(cube), || false), first);
        if matches!(first, Choice::Split { .. }) {
            assert_eq!(lookahead.choose(&lits(cube), || true), Choice::Stopped);
        }
        first
    };
    let square: [&[i64]; 4] = [&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]];
    assert_eq!(look(&square, &[]), Choice::Refuted);
    assert_eq!(look(&[&[1, 2, 3], &[-1], &[-2]], &[-3]), Choice::Refuted);
    assert_eq!(look(&[&[1, 2, 3]], &[1]), Choice::Open);
    assert_eq!(look(&[&[]], &[]), Choice::Refuted);
    // 1 fails: it implies 2 and 3. Of the others, 4 shortens more clauses.
    let clauses: [&[i64]; 6] = [
        &[-1, 2],
        &[-1, 3],
        &[-2, -3],
        &[4, 5, 6, 1],
        &[-4, 5, 2],
        &[4, -6, 3],
    ];
    let choice = look(&clauses, &[]);
    assert!(matches!(choice, Choice::Split { first, .. } if first.var().index() != 0));
}

#[test]
fn the_first_cubes_cover_all_assignments() {
    let mut random = Random::new(2);
    let cnf = threshold(&mut random, 200);
    let cubes = split(&cnf, &lits(&[7]), 16, &Default::default()).unwrap();
    assert_eq!(cubes.len(), 16);
    // Each two differ in the sign of a variable, and their shares of the space sum up to all of it.
    for (index, cube) in cubes.iter().enumerate() {
        assert_eq!(cube[..1], lits(&[7]));
        for other in &cubes[..index] {
            assert!(cube.iter().any(|&lit| other.contains(&!lit)));
        }
    }
    let shares = cubes.iter().map(|cube| 0.5_f64.powi(cube.len() as i32 - 1));
    assert_eq!(shares.sum::<f64>(), 1.0);
    assert!(split(&cnf, &[], 16, &true.into()).is_none());
    // What has no variable to split on is one cube, also if it has no model.
    let few = formula(&[&[1], &[-1], &[2, 2, 3], &[2, -2]]);
    assert_eq!(
        split(&few, &[], 16, &Default::default()),
        Some(vec![vec![]])
    );
}
