//! Calls that have to end: because they are asked to, or because there is no room.

use std::time::{Duration, Instant};

use super::checked::{Checked, Random, brute_force, random_cnf, uniform_clauses};
use craig_solver::proof::ProofLog;
use craig_solver::{Answer, Cnf, Options, Solver, UnknownReason};

/// The processor time of this thread, or the time by the clock where the system does not tell.
fn thread_time(start: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    match text.split(' ').next().and_then(|word| word.parse().ok()) {
        Some(nanoseconds) => Duration::from_nanos(nanoseconds),
        None => start.elapsed(),
    }
}

/// A million clauses of three literals, with short intervals: the longest time between two looks at the
/// callback. The bound is generous, for debug builds and busy machines.
#[test]
fn a_call_on_a_million_clauses_hears_soon_that_it_has_to_end() {
    let options = Options {
        inprocess_interval: 20,
        mode_interval: 30,
        rephase_interval: 10,
        eliminate: true,
        ..Options::default()
    };
    let mut rng = Random::new(77);
    let mut solver = Solver::with_proof(options, craig_solver::proof::NoProof);
    for clause in uniform_clauses(&mut rng, 250_000, 1_000_000) {
        solver.add_clause(&clause);
    }
    let start = Instant::now();
    let longest = std::sync::Arc::new(std::sync::Mutex::new(Duration::ZERO));
    let (seen, mut last, mut polls) = (longest.clone(), thread_time(start), 0);
    solver.set_stop_callback(Some(Box::new(move || {
        let now = thread_time(start);
        let mut longest = seen.lock().unwrap();
        *longest = longest.max(now.saturating_sub(last));
        last = now;
        polls += 1;
        polls > 1500
    })));
    let answer = solver.solve(&[]);
    if answer == Answer::Unknown {
        assert_eq!(solver.unknown_reason(), Some(UnknownReason::Stopped));
    }
    let longest = *longest.lock().unwrap();
    println!(
        "longest time between two looks: {longest:?}, {:?}",
        solver.statistics()
    );
    assert!(longest < Duration::from_secs(1), "{longest:?}");
}

/// Stopped at each look in turn, and then asked again: what a stopped call leaves is sound.
#[test]
fn a_call_may_be_stopped_anywhere_and_repeated() {
    let mut rng = Random::new(12);
    for round in 0..60 {
        let n_vars = 8;
        let cnf = random_cnf(&mut rng, n_vars, 26 + round % 12);
        let mut cnf = cnf;
        cnf.reserve_vars(n_vars);
        let options = Options {
            inprocess_interval: 0,
            mode_interval: 1,
            rephase_interval: 0,
            walk_steps: 50_000,
            eliminate: true,
            ..Options::default()
        };
        let mut checked = Checked::with_options(options);
        checked.reserve_vars(n_vars);
        checked.add_cnf(&cnf);
        for stop_at in 1..6 {
            let mut polls = 0;
            checked.solver.set_stop_callback(Some(Box::new(move || {
                polls += 1;
                polls >= stop_at
            })));
            let answer = checked.solve_checked(&cnf, &[]);
            if answer != Answer::Unknown {
                assert_eq!(answer == Answer::Satisfiable, brute_force(&cnf, &[]));
            }
        }
        checked.solver.set_stop_callback(None);
        let answer = checked.solve_checked(&cnf, &[]);
        assert_eq!(answer == Answer::Satisfiable, brute_force(&cnf, &[]));
    }
}

/// A formula that takes some hundred conflicts.
fn hard(rng: &mut Random) -> Cnf {
    let mut cnf = Cnf::new();
    for clause in uniform_clauses(rng, 60, 270) {
        cnf.add_clause(&clause);
    }
    cnf
}

/// With less and less room, for clauses, numbers or the log: each answer is right, or `Unknown` for the lack
/// of room.
#[test]
fn a_lack_of_room_is_an_answer() {
    let mut rng = Random::new(3);
    let mut n_unknown = [0; 3];
    let mut n_answered = [0; 3];
    for round in 0..90 {
        let cnf = hard(&mut rng);
        let expected = super::checked::varisat(&cnf, &[]);
        let options = Options {
            inprocess_interval: 10,
            eliminate: round % 2 == 0,
            ..Options::default()
        };
        let mut solver = Solver::with_proof(options, ProofLog::new());
        let kind = round % 3;
        match kind {
            0 => solver.limit_clause_words(1800 + 10 * round),
            1 => solver.limit_clause_numbers(260 + 5 * round as u32),
            _ => solver.proof_mut().limit_words(1000 + 40 * round),
        }
        solver.add_cnf(&cnf);
        for _ in 0..3 {
            match solver.solve(&[]) {
                Answer::Unknown => {
                    n_unknown[kind] += 1;
                    assert_eq!(solver.unknown_reason(), Some(UnknownReason::Memory));
                    assert_eq!(solver.refutation(), None);
                }
                Answer::Satisfiable => {
                    n_answered[kind] += 1;
                    assert!(expected);
                }
                Answer::Unsatisfiable => {
                    n_answered[kind] += 1;
                    assert!(!expected);
                    let dag = solver.proof().trim(solver.refutation().unwrap());
                    assert!(dag.is_refutation());
                }
            }
        }
    }
    assert!(
        n_unknown.iter().all(|&n| n > 5),
        "{n_unknown:?} {n_answered:?}"
    );
    assert!(
        n_answered.iter().all(|&n| n > 5),
        "{n_unknown:?} {n_answered:?}"
    );
}
