//! Congruence closure on two copies of a circuit: with permuted inputs, negated outputs, and the clauses of
//! both in random order.

use super::checked::{Checked, Random, varisat};
use super::eager;
use craig_solver::{Answer, Cnf, Lit, Options, Var};

/// A gate over earlier signals, some of them negated.
#[derive(Clone)]
struct Gate {
    kind: Kind,
    inputs: Vec<(usize, bool)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    And,
    Parity,
    Choice,
}

impl Kind {
    fn value(self, inputs: &[bool]) -> bool {
        match self {
            Self::And => inputs.iter().all(|&value| value),
            Self::Parity => inputs.iter().fold(false, |odd, &value| odd ^ value),
            Self::Choice => inputs[if inputs[0] { 1 } else { 2 }],
        }
    }
}

fn shuffle<T>(items: &mut [T], rng: &mut Random) {
    for place in (1..items.len()).rev() {
        items.swap(place, rng.below(place + 1));
    }
}

/// Gates whose inputs are different signals; the first `n_inputs` signals are the inputs of the circuit.
fn random_circuit(rng: &mut Random, n_inputs: usize, n_gates: usize) -> Vec<Gate> {
    let gate = |index: usize| {
        let (kind, n) = match rng.below(3) {
            0 => (Kind::And, 2 + rng.below(3)),
            1 => (Kind::Parity, 2 + rng.below(2)),
            _ => (Kind::Choice, 3),
        };
        // One of the last signals, so that the circuit is deep.
        let mut signals = vec![n_inputs + index - 1 - rng.below(3)];
        while signals.len() < n {
            let signal = rng.below(n_inputs + index);
            if !signals.contains(&signal) {
                signals.push(signal);
            }
        }
        shuffle(&mut signals, rng);
        let inputs = signals.into_iter().map(|signal| (signal, rng.flip()));
        Gate {
            kind,
            inputs: inputs.collect(),
        }
    };
    (0..n_gates).map(gate).collect()
}

/// The clauses of `output = gate(inputs)`; a conjunction has short ones.
fn add_gate(clauses: &mut Vec<Vec<Lit>>, kind: Kind, output: Lit, inputs: &[Lit]) {
    match (kind, inputs) {
        (Kind::And, _) => {
            clauses.extend(inputs.iter().map(|&input| vec![!output, input]));
            let negated = inputs.iter().map(|&input| !input);
            clauses.push(negated.chain([output]).collect());
        }
        (Kind::Choice, &[condition, then, otherwise]) => clauses.extend([
            vec![output, !condition, !then],
            vec![!output, !condition, then],
            vec![output, condition, !otherwise],
            vec![!output, condition, otherwise],
        ]),
        _ => clauses.extend((0..1_u32 << inputs.len()).map(|bits| {
            let values: Vec<bool> = (0..inputs.len()).map(|k| bits >> k & 1 == 1).collect();
            let lits = inputs.iter().zip(&values);
            lits.map(|(input, &value)| input.negate_if(value))
                .chain([output.negate_if(!kind.value(&values))])
                .collect()
        })),
    }
}

/// Adds the clauses of a copy of the circuit over given inputs, and returns the literal of each signal.
fn add_copy(
    clauses: &mut Vec<Vec<Lit>>,
    circuit: &[Gate],
    inputs: &[Lit],
    next_var: &mut usize,
    rng: &mut Random,
) -> Vec<Lit> {
    let mut signals = inputs.to_vec();
    for gate in circuit {
        let mut inputs: Vec<Lit> = (gate.inputs.iter())
            .map(|&(signal, negated)| signals[signal].negate_if(negated))
            .collect();
        let output = Var::new(*next_var).lit(rng.flip());
        *next_var += 1;
        match gate.kind {
            Kind::Choice => {
                if rng.flip() {
                    inputs[0] = !inputs[0];
                    inputs.swap(1, 2);
                }
            }
            kind => {
                shuffle(&mut inputs, rng);
                if kind == Kind::Parity && rng.flip() {
                    inputs[0] = !inputs[0];
                    add_gate(clauses, kind, !output, &inputs);
                    signals.push(output);
                    continue;
                }
            }
        }
        add_gate(clauses, gate.kind, output, &inputs);
        signals.push(output);
    }
    signals
}

/// Two copies of a circuit, and the clauses that their last outputs differ. `change` may alter the second.
fn miter(
    rng: &mut Random,
    n_inputs: usize,
    n_gates: usize,
    change: impl FnOnce(&mut [Gate], &mut Random),
) -> Cnf {
    let circuit = random_circuit(rng, n_inputs, n_gates);
    let mut second = circuit.clone();
    change(&mut second, rng);
    let mut next_var = n_inputs;
    let inputs: Vec<Lit> = (0..n_inputs).map(|var| Var::new(var).positive()).collect();
    let (mut labelled, mut outputs) = (Vec::new(), Vec::new());
    for (label, circuit) in [(1, &circuit), (2, &second)] {
        let mut clauses = Vec::new();
        let signals = add_copy(&mut clauses, circuit, &inputs, &mut next_var, rng);
        outputs.push(signals[n_inputs + n_gates - 1]);
        labelled.extend(clauses.into_iter().map(|clause| (clause, label)));
    }
    labelled.push((vec![outputs[0], outputs[1]], 2));
    labelled.push((vec![!outputs[0], !outputs[1]], 2));
    shuffle(&mut labelled, rng);
    let mut cnf = Cnf::new();
    cnf.reserve_vars(next_var);
    for (mut clause, label) in labelled {
        shuffle(&mut clause, rng);
        cnf.add_labelled_clause(&clause, label);
    }
    cnf
}

/// Some circuits compute a constant at a gate. Its clauses become shorter than those of a gate, so that the
/// gates are not found to be equal.
#[test]
fn most_equal_circuits_are_refuted_without_conflicts() {
    let mut rng = Random::new(31);
    let mut refuted_at_once = [0; 2];
    for round in 0..60 {
        let cnf = miter(&mut rng, 30, 40 + round, |_, _| ());
        for congruence in [false, true] {
            let mut solver = Checked::with_options(Options {
                congruence,
                lucky: false,
                ..Options::default()
            });
            solver.add_cnf(&cnf);
            assert_eq!(solver.solve_checked(&cnf, &[]), Answer::Unsatisfiable);
            let has_conflicts = solver.solver.statistics().conflicts > 0;
            refuted_at_once[usize::from(congruence)] += u32::from(!has_conflicts);
        }
    }
    assert!(
        refuted_at_once[0] < 5 && refuted_at_once[1] >= 50,
        "{refuted_at_once:?}"
    );
}

/// One gate of the second copy may differ; then clauses and assumptions over any variables, so that
/// substituted ones are restored and assumed ones kept.
#[test]
fn similar_circuits_agree_with_varisat() {
    let mut rng = Random::new(32);
    let (mut n_sat, mut n_unsat, mut substituted, mut congruent, mut restored) = (0, 0, 0, 0, 0);
    for round in 0..400 {
        let mut cnf = miter(&mut rng, 6, 8 + round % 25, |gates, rng| {
            let gate = rng.below(gates.len());
            match rng.below(3) {
                0 => gates[gate].inputs[0].1 ^= true,
                1 => gates[gate].inputs.swap(0, 1),
                _ => {}
            }
        });
        let mut solver = Checked::with_options(Options {
            congruence: true,
            inprocess_interval: [2000, 0, 5][round % 3],
            eliminate: round % 2 == 0,
            ..eager()
        });
        solver.add_cnf(&cnf);
        for _ in 0..3 {
            let any = |rng: &mut Random| Var::new(rng.below(cnf.n_vars())).lit(rng.flip());
            let assumptions: Vec<Lit> = (0..rng.below(4)).map(|_| any(&mut rng)).collect();
            let added: Vec<Lit> = (0..3).map(|_| any(&mut rng)).collect();
            let answer = solver.solve_checked(&cnf, &assumptions);
            let expected = varisat(&cnf, &assumptions);
            assert_eq!(answer == Answer::Satisfiable, expected, "round {round}");
            if expected {
                n_sat += 1;
            } else {
                n_unsat += 1;
            }
            cnf.add_clause(&added);
            solver.add_clause(&added);
        }
        let statistics = solver.solver.statistics();
        substituted += statistics.substituted_variables;
        congruent += statistics.congruent_gates;
        restored += statistics.restorations;
    }
    assert!(n_sat > 100 && n_unsat > 100, "{n_sat} {n_unsat}");
    assert!(
        substituted > 1000 && congruent > 1000 && restored > 50,
        "{substituted} {congruent} {restored}"
    );
}

/// The inputs of the copies are pairwise equal by clauses, and one copy has the variables of the other
/// negated: equivalences of two clauses lead to equal gates.
#[test]
fn equivalences_of_inputs_lead_to_equal_gates() {
    let mut cnf = Cnf::new();
    let numbers: [&[i64]; 10] = [
        &[-5, 1],
        &[-5, 2],
        &[5, -1, -2],
        &[6, 3],
        &[6, 4],
        &[-6, -3, -4],
        &[1, -3],
        &[-1, 3],
        &[2, -4],
        &[-2, 4],
    ];
    for clause in numbers {
        cnf.add_clause(&super::lits(clause));
    }
    let mut solver = Checked::with_options(Options {
        congruence: true,
        lucky: false,
        ..Options::default()
    });
    solver.add_cnf(&cnf);
    assert_eq!(solver.solve_checked(&cnf, &[]), Answer::Satisfiable);
    let statistics = *solver.solver.statistics();
    assert_eq!(
        (statistics.substituted_variables, statistics.congruent_gates),
        (3, 1)
    );
    // Assumptions that contradict what was substituted.
    let clashing = super::lits(&[5, 6]);
    assert_eq!(solver.solve_checked(&cnf, &clashing), Answer::Unsatisfiable);
    assert_eq!(solver.solver.statistics().restorations, 1);
}

/// Cycles of implications of all lengths, some of them through a literal and its negation, among random
/// clauses. Assumed literals stay.
#[test]
fn cycles_of_implications_are_merged() {
    let mut rng = Random::new(33);
    let (mut n_sat, mut n_unsat, mut substituted) = (0, 0, 0);
    for round in 0..300 {
        let n_vars = 30;
        let mut cnf = Cnf::new();
        cnf.reserve_vars(n_vars);
        for _ in 0..3 {
            let mut cycle: Vec<Lit> = (0..2 + rng.below(6))
                .map(|_| Var::new(rng.below(n_vars)).lit(rng.flip()))
                .collect();
            cycle.dedup_by_key(|lit| lit.var());
            for place in 0..cycle.len() {
                cnf.add_clause(&[!cycle[place], cycle[(place + 1) % cycle.len()]]);
            }
        }
        for clause in super::uniform_clauses(&mut rng, n_vars, 3 * n_vars) {
            cnf.add_clause(&clause);
        }
        let mut solver = Checked::with_options(Options {
            congruence: true,
            lucky: false,
            inprocess_interval: 2000 * (round as u64 % 2),
            ..Options::default()
        });
        solver.add_cnf(&cnf);
        for n_assumptions in [4, 0, 2] {
            let assumptions: Vec<Lit> = (0..n_assumptions)
                .map(|_| Var::new(rng.below(n_vars)).lit(rng.flip()))
                .collect();
            let answer = solver.solve_checked(&cnf, &assumptions);
            let expected = varisat(&cnf, &assumptions);
            assert_eq!(answer == Answer::Satisfiable, expected, "round {round}");
            if expected { n_sat += 1 } else { n_unsat += 1 }
        }
        substituted += solver.solver.statistics().substituted_variables;
    }
    assert!(n_sat > 100 && n_unsat > 100, "{n_sat} {n_unsat}");
    assert!(substituted > 800, "{substituted}");
}
