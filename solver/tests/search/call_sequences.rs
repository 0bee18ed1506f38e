//! Random sequences of calls, minimised when one fails.
//!
//! After every sequence of calls, answers equal those of brute force, models satisfy the formula, failed
//! assumptions suffice, and every step of the proof resolves.

use craig_solver::cdcl::StopCallback;
use craig_solver::{Answer, Cnf, Label, Limits, Lit, Options, Solver, Var};
use proptest::collection::vec;
use proptest::prelude::*;

use super::checked::{Checked, brute_force};

/// The number of variables. It is small, so that the clauses of a sequence interact.
const N_VARS: usize = 8;

#[derive(Clone, Debug)]
enum Call {
    Add(Vec<Lit>, Label),
    Solve(Vec<Lit>),
    SolveWithin(Vec<Lit>, u64),
    /// The call ends at the poll of the stop callback with this number.
    SolveUntil(Vec<Lit>, u64),
    SetPhase(Lit),
    Reserve(usize),
}

fn lit() -> impl Strategy<Value = Lit> {
    (0..N_VARS, any::<bool>()).prop_map(|(var, negated)| Var::new(var).lit(negated))
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        20 => (vec(lit(), 1..4), 0..3u32).prop_map(|(lits, label)| Call::Add(lits, label)),
        1 => (vec(lit(), 0..2), 0..3u32).prop_map(|(lits, label)| Call::Add(lits, label)),
        4 => vec(lit(), 0..4).prop_map(Call::Solve),
        1 => (vec(lit(), 0..4), 0..3u64).prop_map(|(lits, limit)| Call::SolveWithin(lits, limit)),
        2 => (vec(lit(), 0..4), 1..300u64).prop_map(|(lits, look)| Call::SolveUntil(lits, look)),
        1 => lit().prop_map(Call::SetPhase),
        1 => (0..2 * N_VARS).prop_map(Call::Reserve),
    ]
}

fn options() -> impl Strategy<Value = Options> {
    (any::<u32>(), 0..3u64, any::<u64>()).prop_map(|(flags, inprocess_interval, seed)| {
        let flag = |bit: u32| flags >> bit & 1 == 1;
        Options {
            seed,
            initial_phase: flag(0),
            stable: flag(1),
            stable_first: flag(16),
            inprocess_interval,
            shrink: flag(2),
            bump_reasons: flag(3),
            probe: flag(4),
            vivify: flag(5),
            subsume_learned: flag(6),
            subsume: flag(7),
            eliminate: flag(8),
            eliminate_first: flag(10),
            walk: flag(9),
            lucky: flag(11),
            subsume_redundant: flag(12),
            hyper_binary: flag(13),
            transitive: flag(14),
            congruence: flag(16),
            sweep: flag(18),
            factor: flag(17),
            // Tiny, so that short searches switch modes and walk.
            mode_interval: 1 + inprocess_interval,
            rephase_interval: u64::from(flag(15)),
            walk_steps: u64::from(flags >> 20 & 127),
        }
    })
}

/// A callback that ends the call at the poll with the given number.
fn stop_at(look: u64) -> Option<StopCallback> {
    let mut looks = 0;
    Some(Box::new(move || {
        looks += 1;
        looks >= look
    }))
}

fn model(n_vars: usize, value: impl Fn(Lit) -> Option<bool>) -> Vec<bool> {
    (0..n_vars)
        .map(|var| value(Var::new(var).positive()) == Some(true))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_sequence_of_calls_is_answered_right(
        options in options(),
        calls in vec(call(), 1..80),
    ) {
        let mut checked = Checked::with_options(options);
        let mut cnf = Cnf::new();
        cnf.reserve_vars(N_VARS);
        checked.reserve_vars(N_VARS);
        for call in calls {
            match call {
                Call::Add(lits, label) => {
                    cnf.add_labelled_clause(&lits, label);
                    checked.add_labelled_clause(&lits, label);
                }
                Call::Solve(assumptions) => {
                    checked.solver.set_limits(Limits::default());
                    let answer = checked.solve_checked(&cnf, &assumptions);
                    let expected = brute_force(&cnf, &assumptions);
                    prop_assert_eq!(answer == Answer::Satisfiable, expected);
                }
                Call::SolveWithin(assumptions, conflicts) => {
                    checked.solver.set_limits(Limits { conflicts: Some(conflicts), propagations: None });
                    let answer = checked.solve_checked(&cnf, &assumptions);
                    if answer != Answer::Unknown {
                        let expected = brute_force(&cnf, &assumptions);
                        prop_assert_eq!(answer == Answer::Satisfiable, expected);
                    }
                }
                Call::SolveUntil(assumptions, look) => {
                    checked.solver.set_limits(Limits::default());
                    checked.solver.set_poll_interval(1);
                    checked.solver.set_stop_callback(stop_at(look));
                    let answer = checked.solve_checked(&cnf, &assumptions);
                    checked.solver.set_stop_callback(None);
                    if answer != Answer::Unknown {
                        let expected = brute_force(&cnf, &assumptions);
                        prop_assert_eq!(answer == Answer::Satisfiable, expected);
                    }
                }
                Call::SetPhase(lit) => checked.solver.set_phase(lit),
                Call::Reserve(n_vars) => checked.reserve_vars(n_vars),
            }
        }
    }

    /// Calls without a proof, with temporary clauses, and with a clone that gets its own calls.
    #[test]
    fn temporary_clauses_mix_with_all_other_calls(
        options in options(),
        calls in vec((call(), vec(vec(lit(), 0..4), 0..3)), 1..60),
        clone_at in 0..60usize,
    ) {
        let mut solver = Solver::with_proof(options, craig_solver::proof::NoProof);
        let mut cnf = Cnf::new();
        cnf.reserve_vars(N_VARS);
        solver.reserve_vars(N_VARS);
        for (position, (call, temporary)) in calls.into_iter().enumerate() {
            if position == clone_at {
                let mut other = solver.clone();
                other.add_clause(&[]);
                prop_assert_eq!(other.solve(&[]), Answer::Unsatisfiable);
                solver = solver.clone();
            }
            match call {
                Call::Add(lits, _) => {
                    cnf.add_clause(&lits);
                    solver.add_clause(&lits);
                }
                Call::SolveUntil(assumptions, look) => {
                    for clause in &temporary {
                        solver.add_temporary_clause(clause);
                    }
                    solver.set_poll_interval(1);
                    solver.set_stop_callback(stop_at(look));
                    let answer = solver.solve(&assumptions);
                    solver.set_stop_callback(None);
                    if answer != Answer::Unknown {
                        let mut both = cnf.clone();
                        for clause in &temporary {
                            both.add_clause(clause);
                        }
                        let expected = brute_force(&both, &assumptions);
                        prop_assert_eq!(answer == Answer::Satisfiable, expected);
                    }
                }
                Call::Solve(assumptions) | Call::SolveWithin(assumptions, _) => {
                    let mut both = cnf.clone();
                    for clause in &temporary {
                        both.add_clause(clause);
                        solver.add_temporary_clause(clause);
                    }
                    let answer = solver.solve(&assumptions);
                    prop_assert_eq!(
                        answer == Answer::Satisfiable,
                        brute_force(&both, &assumptions)
                    );
                    if answer == Answer::Satisfiable {
                        let model = model(N_VARS, |lit| solver.value(lit));
                        prop_assert!(both.is_satisfied_by(&model));
                    } else {
                        prop_assert!(!brute_force(&both, solver.failed_assumptions()));
                    }
                }
                Call::SetPhase(lit) => solver.set_phase(lit),
                Call::Reserve(n_vars) => solver.reserve_vars(n_vars),
            }
        }
    }
}

/// With the shortest intervals, the sequences include mode switches and walks, as long searches do.
#[test]
fn short_intervals_reach_mode_switches_and_walks() {
    let options = Options {
        mode_interval: 1,
        rephase_interval: 0,
        walk_steps: 100,
        inprocess_interval: 0,
        eliminate: true,
        congruence: true,
        ..Options::default()
    };
    let mut rng = super::checked::Random::new(4);
    let (mut switches, mut walks, mut rephasings) = (0, 0, 0);
    for _ in 0..30 {
        let mut checked = Checked::with_options(options.clone());
        let mut cnf = Cnf::new();
        cnf.reserve_vars(N_VARS);
        checked.reserve_vars(N_VARS);
        for _ in 0..30 {
            for clause in super::checked::uniform_clauses(&mut rng, N_VARS, 1) {
                cnf.add_clause(&clause);
                checked.add_clause(&clause);
            }
            let answer = checked.solve_checked(&cnf, &[]);
            assert_eq!(answer == Answer::Satisfiable, brute_force(&cnf, &[]));
        }
        let statistics = checked.solver.statistics();
        switches += statistics.mode_switches;
        walks += statistics.walks;
        rephasings += statistics.rephasings;
    }
    assert!(
        switches > 10 && walks > 0 && rephasings > 50,
        "{switches} {walks} {rephasings}"
    );
}
