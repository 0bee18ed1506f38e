use std::sync::Arc;

use super::QuerySolver;
use crate::cdcl::Answer;
use crate::lit::{Lit, Var};
use proptest::prelude::*;

fn never() -> bool {
    false
}

/// A random circuit with free variables, AND gates on top, permanent and temporary clauses, and assumptions.
#[derive(Clone, Debug)]
struct Problem {
    n_free: usize,
    gates: Vec<[(usize, bool); 2]>,
    rounds: Vec<Round>,
}

#[derive(Clone, Debug)]
struct Round {
    permanent: Vec<Vec<(usize, bool)>>,
    /// Over free variables; the first literal is made true under `hidden`.
    local: Vec<Vec<(usize, bool)>>,
    temporary: Vec<Vec<(usize, bool)>>,
    assumptions: Vec<(usize, bool)>,
    fix: bool,
    clone: bool,
}

fn literal() -> impl Strategy<Value = (usize, bool)> {
    (0usize..1000, any::<bool>())
}

fn problem() -> impl Strategy<Value = Problem> {
    let clause = |max| prop::collection::vec(literal(), 1..max);
    let round = (
        prop::collection::vec(clause(5), 0..4),
        prop::collection::vec(clause(4), 0..4),
        prop::collection::vec(prop::collection::vec(literal(), 0..6), 0..3),
        prop::collection::vec(literal(), 0..8),
        any::<bool>(),
        prop::bool::weighted(0.2),
    )
        .prop_map(
            |(permanent, local, temporary, assumptions, fix, clone)| Round {
                permanent,
                local,
                temporary,
                assumptions,
                fix,
                clone,
            },
        );
    (
        1usize..12,
        prop::collection::vec([literal(), literal()], 0..60),
        prop::collection::vec(round, 1..12),
    )
        .prop_map(|(n_free, gates, rounds)| Problem {
            n_free,
            gates,
            rounds,
        })
}

/// The answer of the CDCL solver for a list of clauses with assumptions.
fn reference(clauses: &[Vec<Lit>], assumptions: &[Lit]) -> bool {
    use varisat::ExtendFormula;
    let convert = |lit: &Lit| varisat::Lit::from_dimacs(lit.to_dimacs() as isize);
    let mut solver = varisat::Solver::new();
    for clause in clauses {
        let clause: Vec<_> = clause.iter().map(convert).collect();
        solver.add_clause(&clause);
    }
    for lit in assumptions {
        solver.add_clause(&[convert(lit)]);
    }
    solver.solve().unwrap()
}

/// A value of each free variable; they satisfy all clauses that are local.
fn hidden(var: usize) -> bool {
    (var * 7).is_multiple_of(3)
}

/// With `is_local`, there are local clauses as well, which the hidden assignment satisfies; it may violate the others.
fn run(problem: &Problem, is_local: bool) {
    let recording = Arc::default();
    let mut solver = QuerySolver::recorded(&recording);
    let mut vars: Vec<Var> = (0..problem.n_free).map(|_| solver.new_var()).collect();
    let free_vars = vars.clone();
    let mut clauses: Vec<Vec<Lit>> = Vec::new();
    let pick =
        |vars: &[Var], (index, negated): (usize, bool)| vars[index % vars.len()].lit(negated);
    for &[left, right] in &problem.gates {
        let (left, right) = (pick(&vars, left), pick(&vars, right));
        let var = solver.new_var();
        let gate = var.positive();
        let definition = [
            vec![!gate, left],
            vec![!gate, right],
            vec![gate, !left, !right],
        ];
        let slices: Vec<&[Lit]> = definition.iter().map(Vec::as_slice).collect();
        solver.define(var, &[left.var(), right.var()], &slices);
        clauses.extend(definition);
        vars.push(var);
    }
    let mut answers = Vec::new();
    let mut n_solvers = 1;
    let guard = solver.new_var();
    for round in &problem.rounds {
        let convert = |list: &[(usize, bool)]| -> Vec<Lit> {
            list.iter().map(|&lit| pick(&vars, lit)).collect()
        };
        let temporary: Vec<Vec<Lit>> = round.temporary.iter().map(|c| convert(c)).collect();
        let mut assumptions = convert(&round.assumptions);
        if is_local && round.clone {
            assumptions.push(guard.negative());
        }
        if round.fix {
            let all: Vec<Lit> = temporary
                .iter()
                .flatten()
                .chain(&assumptions)
                .copied()
                .collect();
            solver.fix_domain(&all);
        }
        for clause in &round.permanent {
            let clause = convert(clause);
            solver.add_clause(&clause);
            clauses.push(clause);
        }
        for (number, clause) in round.local.iter().enumerate().filter(|_| is_local) {
            let free = clause
                .iter()
                .map(|&(index, is_negated)| (index % problem.n_free, is_negated));
            let mut clause: Vec<Lit> = free
                .map(|(index, is_negated)| free_vars[index].lit(is_negated))
                .collect();
            let first = clause[0].var();
            clause[0] = first.lit(!hidden(first.index()));
            let guard = (number % 2 == 1).then_some(guard.positive());
            solver.add_local_clause(guard, &clause);
            clause.extend(guard);
            clauses.push(clause);
        }
        if round.clone {
            n_solvers += 1;
            solver = solver.clone();
        }
        let slices: Vec<&[Lit]> = temporary.iter().map(Vec::as_slice).collect();
        solver.set_temporary(&slices);
        let mut all = clauses.clone();
        all.extend(temporary.iter().cloned());
        let answer = solver.solve(&assumptions, &mut never);
        match answer {
            Answer::Satisfiable => {
                let mut fixed = assumptions.clone();
                for &var in vars.iter().chain([&guard]) {
                    if let Some(value) = solver.value(var.positive()) {
                        fixed.push(var.lit(!value));
                    }
                }
                for &lit in &assumptions {
                    assert_eq!(solver.value(lit), Some(true));
                }
                assert!(reference(&all, &fixed), "the assignment can't be extended");
            }
            Answer::Unsatisfiable => {
                let core = solver.failed_assumptions().to_vec();
                assert!(core.iter().all(|lit| assumptions.contains(lit)));
                assert!(core.iter().all(|&lit| solver.is_failed(lit)));
                assert!(!reference(&all, &core), "the core is satisfiable");
            }
            Answer::Unknown => unreachable!("nobody asked to stop"),
        }
        answers.push(answer);
        solver.release_domain();
        solver.clear_temporary();
    }
    let recording = recording.lock().unwrap();
    assert_eq!(recording.answers(), answers);
    assert_eq!(recording.replay(), answers);
    assert_eq!(recording.n_solvers(), n_solvers);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 400 } else { 3000 }))]

    #[test]
    fn answers_agree_with_another_solver(problem in problem()) {
        run(&problem, false);
        run(&problem, true);
    }
}

/// Random 3-CNF near the threshold, so that learning, restarts and forgetting take part.
#[test]
fn hard_random_formulas_agree_with_another_solver() {
    let mut state = 7u64;
    let mut random = move |bound: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) % bound
    };
    for _ in 0..6 {
        let n_vars = 130;
        let mut solver = QuerySolver::new();
        let vars: Vec<Var> = (0..n_vars).map(|_| solver.new_var()).collect();
        let mut clauses = Vec::new();
        for _ in 0..n_vars * 41 / 10 {
            let clause: Vec<Lit> = (0..3)
                .map(|_| vars[random(n_vars as u64) as usize].lit(random(2) == 1))
                .collect();
            solver.add_clause(&clause);
            clauses.push(clause);
        }
        for _ in 0..10 {
            let assumptions: Vec<Lit> = (0..4)
                .map(|_| vars[random(n_vars as u64) as usize].lit(random(2) == 1))
                .collect();
            let expected = reference(&clauses, &assumptions);
            let answer = solver.solve(&assumptions, &mut never);
            assert_eq!(answer == Answer::Satisfiable, expected);
            if answer == Answer::Unsatisfiable {
                let core = solver.failed_assumptions().to_vec();
                assert!(!reference(&clauses, &core));
            }
        }
        assert!(solver.statistics().conflicts > 100);
    }
}

#[test]
fn only_the_cone_of_a_query_is_assigned() {
    let mut solver = QuerySolver::new();
    let [a, b, c, near, far] = [(); 5].map(|()| solver.new_var());
    let and = |gate: Var, left: Var, right: Var| {
        [
            vec![gate.negative(), left.positive()],
            vec![gate.negative(), right.positive()],
            vec![gate.positive(), left.negative(), right.negative()],
        ]
    };
    for (gate, left, right) in [(near, a, b), (far, b, c)] {
        let definition = and(gate, left, right);
        let slices: Vec<&[Lit]> = definition.iter().map(Vec::as_slice).collect();
        solver.define(gate, &[left, right], &slices);
    }
    assert_eq!(
        solver.solve(&[near.positive()], &mut never),
        Answer::Satisfiable
    );
    assert_eq!(solver.value(a.positive()), Some(true));
    assert_eq!(solver.value(far.positive()), None);
    assert_eq!(solver.value(c.positive()), None);
}

#[test]
fn local_clauses_are_in_a_domain_if_they_are_connected_with_it() {
    let mut solver = QuerySolver::new();
    let vars: Vec<Var> = (0..9).map(|_| solver.new_var()).collect();
    for pair in [[0, 1], [1, 2], [3, 4], [5, 6]] {
        solver.add_local_clause(None, &pair.map(|place| vars[place].positive()));
    }
    solver.add_clause(&[vars[5].positive(), vars[7].positive()]);
    let answer = solver.solve(&[vars[2].negative()], &mut never);
    assert_eq!(answer, Answer::Satisfiable);
    let value = |place: usize| solver.value(vars[place].positive());
    assert_eq!(value(1), Some(true));
    let known: Vec<usize> = (0..9).filter(|&place| value(place).is_some()).collect();
    assert_eq!(known, [0, 1, 2, 5, 6, 7]);
}

#[test]
fn an_empty_temporary_clause_fails_without_assumptions() {
    let mut solver = QuerySolver::new();
    let a = solver.new_var();
    solver.set_temporary(&[&[]]);
    assert_eq!(
        solver.solve(&[a.positive()], &mut never),
        Answer::Unsatisfiable
    );
    assert!(solver.failed_assumptions().is_empty());
    solver.clear_temporary();
    assert_eq!(
        solver.solve(&[a.positive()], &mut never),
        Answer::Satisfiable
    );
}

#[test]
fn a_callback_stops_a_long_query() {
    // Nine pigeons, eight holes.
    let mut solver = QuerySolver::new();
    let vars: Vec<Vec<Var>> = (0..9)
        .map(|_| (0..8).map(|_| solver.new_var()).collect())
        .collect();
    for pigeon in &vars {
        let clause: Vec<Lit> = pigeon.iter().map(|var| var.positive()).collect();
        solver.add_clause(&clause);
    }
    for (first, second) in (0..9).flat_map(|first| (0..first).map(move |second| (first, second))) {
        for (left, right) in vars[first].iter().zip(&vars[second]) {
            solver.add_clause(&[left.negative(), right.negative()]);
        }
    }
    let mut polls = 0;
    let mut stop = || {
        polls += 1;
        polls == 2
    };
    assert_eq!(solver.solve(&[], &mut stop), Answer::Unknown);
    assert_eq!(polls, 2);
}

/// Neither a conflict nor a clause of more than two literals: only decisions and their propagation.
#[test]
fn a_callback_stops_a_query_without_conflicts() {
    let mut solver = QuerySolver::new();
    let vars: Vec<Var> = (0..400_000).map(|_| solver.new_var()).collect();
    for pair in vars.chunks(2) {
        solver.add_clause(&[pair[0].positive(), pair[1].positive()]);
    }
    let mut polls = 0;
    let answer = solver.solve(&[], &mut || {
        polls += 1;
        false
    });
    assert_eq!(answer, Answer::Satisfiable);
    assert!(polls >= 400_000 / super::search::POLL_INTERVAL, "{polls}");
    // The polls also come among assumptions.
    let assumptions: Vec<Lit> = vars.iter().step_by(2).map(|var| var.negative()).collect();
    for stopped_at in [1, 2, 10] {
        let mut polls = 0;
        let answer = solver.solve(&assumptions, &mut || {
            polls += 1;
            polls == stopped_at
        });
        assert_eq!((answer, polls), (Answer::Unknown, stopped_at));
    }
    assert_eq!(solver.solve(&assumptions, &mut never), Answer::Satisfiable);
    assert_eq!(solver.value(vars[1].positive()), Some(true));
}

/// With ever smaller memory limits: each answer is right or `Unknown`, and never `Satisfiable` if a clause
/// could not be stored.
#[test]
fn a_query_without_room_for_its_clauses_is_unknown() {
    let (mut n_unknown, mut n_answered) = (0, 0);
    for words in (0..3000).step_by(50) {
        let mut solver = QuerySolver::new();
        solver.limit_clause_words(words);
        let vars: Vec<Vec<Var>> = (0..6)
            .map(|_| (0..5).map(|_| solver.new_var()).collect())
            .collect();
        for pigeon in &vars {
            let clause: Vec<Lit> = pigeon.iter().map(|var| var.positive()).collect();
            solver.add_clause(&clause);
        }
        for (first, second) in (0..6).flat_map(|first| (0..first).map(move |other| (first, other)))
        {
            for (left, right) in vars[first].iter().zip(&vars[second]) {
                solver.add_clause(&[left.negative(), right.negative()]);
            }
        }
        for _ in 0..3 {
            match solver.solve(&[], &mut never) {
                Answer::Unsatisfiable => n_answered += 1,
                Answer::Unknown => n_unknown += 1,
                Answer::Satisfiable => panic!("six pigeons in five holes with {words} words"),
            }
        }
    }
    assert!(
        n_unknown > 10 && n_answered > 10,
        "{n_unknown} {n_answered}"
    );
}

#[test]
fn a_temporary_clause_without_room_is_forgotten_with_the_others() {
    let mut solver = QuerySolver::new();
    let a = solver.new_var().positive();
    let b = solver.new_var().positive();
    solver.add_clause(&[a, b]);
    solver.limit_clause_words(6);
    solver.set_temporary(&[&[!a, !b]]);
    assert_eq!(solver.solve(&[a], &mut never), Answer::Unknown);
    solver.clear_temporary();
    assert_eq!(solver.solve(&[a], &mut never), Answer::Satisfiable);
    solver.add_clause(&[!a, !b]);
    assert_eq!(solver.solve(&[a], &mut never), Answer::Unknown);
    solver.limit_clause_words(1000);
    assert_eq!(
        solver.solve(&[a], &mut never),
        Answer::Unknown,
        "the clause is lost"
    );
}
