//! Calls that end early: by a stop, or because memory is exhausted.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use craig_solver::proof::ProofLog;
use craig_solver::{Answer, Cnf, Options, Solver, UnknownReason};

use super::checked::{Checked, Random, random_cnf, uniform_clauses, varisat};

/// The processor time of this thread, or the wall-clock time on systems without it.
fn thread_time(start: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    match text.split(' ').next().and_then(|word| word.parse().ok()) {
        Some(nanoseconds) => Duration::from_nanos(nanoseconds),
        None => start.elapsed(),
    }
}

/// The promised time to return after a stop is 50 ms in a release build. The factors allow for builds with
/// little optimisation and for other processes that use the memory.
const BOUND: Duration = Duration::from_millis(if cfg!(debug_assertions) { 1000 } else { 250 });

/// A million clauses of three literals, with short intervals, in calls that end at a random poll: measures
/// the longest times between two polls of the callback, and from the poll that ends a call to its return.
#[test]
fn a_call_on_a_million_clauses_ends_soon_after_it_is_asked_to() {
    let options = Options {
        inprocess_interval: 20,
        mode_interval: 30,
        rephase_interval: 10,
        eliminate: true,
        congruence: true,
        ..Options::default()
    };
    let mut rng = Random::new(77);
    let mut solver = Solver::with_proof(options, ProofLog::new());
    for clause in uniform_clauses(&mut rng, 250_000, 1_000_000) {
        solver.add_clause(&clause);
    }
    let start = Instant::now();
    // The number of polls, the last one, the longest time between two, and the poll at which the call ends.
    let looks = Arc::new(Mutex::new((0, thread_time(start), Duration::ZERO, 0)));
    let seen = Arc::clone(&looks);
    solver.set_stop_callback(Some(Box::new(move || {
        let (n_looks, last, longest, end) = &mut *seen.lock().unwrap();
        let now = thread_time(start);
        *longest = (*longest).max(now.saturating_sub(*last));
        *last = now;
        *n_looks += 1;
        n_looks >= end
    })));
    let mut until_return = Duration::ZERO;
    for round in 0..24 {
        {
            let (n_looks, last, _, end) = &mut *looks.lock().unwrap();
            *end = *n_looks + 1 + rng.below(1 << (round % 12));
            *last = thread_time(start);
        }
        if solver.solve(&[]) == Answer::Unknown {
            assert_eq!(solver.unknown_reason(), Some(UnknownReason::Stopped));
        }
        let last = looks.lock().unwrap().1;
        until_return = until_return.max(thread_time(start).saturating_sub(last));
    }
    let longest = looks.lock().unwrap().2;
    println!(
        "between looks {longest:?}, until the return {until_return:?}, {:?}",
        solver.statistics()
    );
    assert!(
        longest + until_return < BOUND,
        "{longest:?} {until_return:?}"
    );
}

/// Stopped at each of the first polls in turn, and then ever later, with a poll after each unit of work: the
/// state after a stopped call is sound, and the next call continues from it.
#[test]
fn a_call_may_be_stopped_anywhere_and_repeated() {
    let mut rng = Random::new(12);
    let (mut stopped, mut statistics) = (0, [0; 5]);
    for round in 0..150 {
        let n_vars = 12 + 16 * (round % 3);
        let mut cnf = random_cnf(&mut rng, n_vars, 3);
        cnf.reserve_vars(n_vars);
        for clause in uniform_clauses(&mut rng, n_vars, 4 * n_vars + round % 12) {
            cnf.add_clause(&clause);
        }
        let options = Options {
            inprocess_interval: round as u64 % 2,
            mode_interval: 1,
            rephase_interval: 0,
            walk_steps: 1000,
            eliminate: true,
            congruence: true,
            lucky: round % 4 == 0,
            ..Options::default()
        };
        let mut checked = Checked::with_options(options);
        checked.reserve_vars(n_vars);
        checked.add_cnf(&cnf);
        checked.solver.set_poll_interval(1);
        let expected = varisat(&cnf, &[]);
        let mut stop_at = 1;
        for _ in 0..60 {
            let mut looks = 0;
            checked.solver.set_stop_callback(Some(Box::new(move || {
                looks += 1;
                looks >= stop_at
            })));
            match checked.solve_checked(&cnf, &[]) {
                Answer::Unknown => stopped += 1,
                answer => assert_eq!(answer == Answer::Satisfiable, expected),
            }
            stop_at += 1 + stop_at / 8;
        }
        checked.solver.set_stop_callback(None);
        let answer = checked.solve_checked(&cnf, &[]);
        assert_eq!(answer == Answer::Satisfiable, expected);
        let counts = checked.solver.statistics();
        statistics[0] += counts.simplifications;
        statistics[1] += counts.inprocessings;
        statistics[2] += counts.eliminated_variables;
        statistics[3] += counts.walks;
        statistics[4] += counts.mode_switches;
    }
    assert!(
        stopped > 3000 && statistics.iter().all(|&n| n > 20),
        "{stopped} {statistics:?}"
    );
}

/// A formula that takes some hundred conflicts.
fn hard(rng: &mut Random) -> Cnf {
    let mut cnf = Cnf::new();
    for clause in uniform_clauses(rng, 60, 270) {
        cnf.add_clause(&clause);
    }
    cnf
}

/// With ever smaller limits on clauses, numbers or the log: each answer is right, or `Unknown` for lack of
/// memory.
#[test]
fn a_lack_of_room_is_an_answer() {
    let mut rng = Random::new(3);
    let mut n_unknown = [0; 3];
    let mut n_answered = [0; 3];
    for round in 0..90 {
        let cnf = hard(&mut rng);
        let expected = varisat(&cnf, &[]);
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
