//! The solver: random formulas, options, and sequences of calls, against varisat.

use std::fmt::Write as _;

use craig_aig::Random;
use craig_solver::proof::check::{CheckingSink, check_dag, check_leaves};
use craig_solver::proof::{NoProof, ProofLog, ProofSink};
use craig_solver::{Answer, Cnf, Limits, Lit, Options, Solver, UnknownReason};
use varisat::ExtendFormula;

use super::Subject;
use super::calls::{Calls, core_of, judge_model, options_of, smaller};
use super::tally::Tally;

/// A call that takes more conflicts ends its case without an answer.
const MOST_CONFLICTS: u64 = 20_000;

/// The solver.
pub(super) struct Formulas;

/// The proof that a search records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Recording {
    Nothing,
    /// Each step is checked when it is made.
    Checked,
    /// In memory: trimmed and resolved again.
    Log,
}

/// A call of the solver.
#[derive(Clone, Debug)]
pub(super) enum Call {
    Add(Vec<i32>),
    Solve(Vec<i32>),
}

/// Calls and settings.
#[derive(Clone, Debug)]
pub(super) struct Case {
    recording: Recording,
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
        let (Call::Add(lits) | Call::Solve(lits)) = call;
        Some(lits)
    }
}

impl Subject for Formulas {
    type Case = Case;

    fn case(&self, random: &mut Random) -> Case {
        let most = if random.below(4) == 0 { 60 } else { 18 };
        let n_vars = 3 + random.below(most);
        let mut clauses = match random.below(4) {
            0 => clauses_of(random, n_vars, 3),
            1 => gates(random, n_vars),
            2 => parities(random, n_vars),
            _ => [gates(random, n_vars), clauses_of(random, n_vars, 5)].concat(),
        };
        let n_calls = 1 + random.below(4);
        let mut calls = Vec::new();
        for call in 0..n_calls {
            let n_left = clauses.len() / (n_calls - call);
            calls.extend(clauses.drain(..n_left).map(Call::Add));
            let n_assumed = if random.flip() { 0 } else { random.below(4) };
            let assumed = (0..n_assumed).map(|_| literal(random, n_vars)).collect();
            calls.push(Call::Solve(assumed));
        }
        let recording = match random.below(3) {
            0 => Recording::Nothing,
            1 => Recording::Checked,
            _ => Recording::Log,
        };
        let options = options(random);
        Case {
            recording,
            options,
            calls,
        }
    }

    fn judge(&self, case: &Case, tally: &mut Tally) -> Result<(), String> {
        let options = options_of(&case.options)?;
        match case.recording {
            Recording::Nothing => calls(
                case,
                Solver::with_proof(options, NoProof),
                tally,
                |_, _, _| Ok(()),
            ),
            Recording::Checked => {
                let solver = Solver::with_proof(options, CheckingSink::new());
                calls(case, solver, tally, |solver, _, tally| {
                    solver
                        .proof()
                        .finish()
                        .map_err(|error| format!("step: {error}"))?;
                    tally.count("proofs checked by step");
                    Ok(())
                })
            }
            Recording::Log => calls(
                case,
                Solver::with_proof(options, ProofLog::new()),
                tally,
                resolved,
            ),
        }
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        smaller(case)
    }

    fn text(&self, case: &Case) -> (String, &'static str) {
        let mut text = String::from(
            "c Clauses are added in this order; a line with `a` is a call under these assumptions.\n",
        );
        let _ = writeln!(text, "c recording: {:?}", case.recording);
        for assignment in &case.options {
            let _ = writeln!(text, "c option {assignment}");
        }
        text += "p inccnf\n";
        for call in &case.calls {
            let (head, lits) = match call {
                Call::Add(lits) => ("", lits),
                Call::Solve(lits) => ("a ", lits),
            };
            text += head;
            for lit in lits {
                let _ = write!(text, "{lit} ");
            }
            text += "0\n";
        }
        (text, "icnf")
    }
}

/// Makes the calls, and judges each answer; `judge` judges the proof of a refutation.
fn calls<P: ProofSink>(
    case: &Case,
    mut solver: Solver<P>,
    tally: &mut Tally,
    judge: impl Fn(&Solver<P>, &Cnf, &mut Tally) -> Result<(), String>,
) -> Result<(), String> {
    let mut cnf = Cnf::new();
    let mut other = varisat::Solver::new();
    let mut is_refuted = false;
    solver.set_limits(Limits {
        conflicts: Some(MOST_CONFLICTS),
        propagations: None,
    });
    for call in &case.calls {
        match call {
            Call::Add(clause) => {
                let clause = literals_of(clause, &mut cnf, &mut solver);
                cnf.add_clause(&clause);
                solver.add_clause(&clause);
                let foreign: Vec<varisat::Lit> = clause.iter().map(|lit| foreign(*lit)).collect();
                other.add_clause(&foreign);
            }
            Call::Solve(assumptions) => {
                let assumptions = literals_of(assumptions, &mut cnf, &mut solver);
                let mut is_satisfiable = |assumptions: &[Lit]| -> Result<bool, String> {
                    let foreign: Vec<varisat::Lit> =
                        assumptions.iter().map(|lit| foreign(*lit)).collect();
                    other.assume(&foreign);
                    other.solve().map_err(|error| format!("varisat: {error}"))
                };
                match solver.solve(&assumptions) {
                    Answer::Satisfiable => {
                        tally.count("satisfiable");
                        judge_model(&solver, &cnf, &assumptions)?;
                    }
                    Answer::Unsatisfiable => {
                        tally.count("unsatisfiable");
                        let failed = core_of(&solver, &assumptions)?;
                        if is_satisfiable(&failed)? {
                            return Err("wrong: varisat has a model".into());
                        }
                        if solver.is_inconsistent() {
                            if !is_refuted {
                                judge(&solver, &cnf, tally)?;
                            }
                            is_refuted = true;
                        }
                    }
                    // With intervals of a conflict or none, parities may take very many.
                    Answer::Unknown if solver.unknown_reason() == Some(UnknownReason::Limit) => {
                        tally.count("too many conflicts");
                        return Ok(());
                    }
                    Answer::Unknown => return Err("unknown: no limit is reached".into()),
                }
            }
        }
    }
    Ok(())
}

/// Judges a recorded refutation.
fn resolved(solver: &Solver<ProofLog>, cnf: &Cnf, tally: &mut Tally) -> Result<(), String> {
    let root = solver
        .refutation()
        .ok_or("root: a refutation without a last clause")?;
    let dag = solver.proof().trim(root);
    if !dag.is_refutation() {
        return Err("root: the last clause is not empty".into());
    }
    check_dag(&dag).map_err(|error| format!("chain: {error}"))?;
    check_leaves(&dag, cnf).map_err(|error| format!("leaf: {error}"))?;
    tally.count("proofs resolved again");
    Ok(())
}

/// Literals whose variables the formula and the solver have.
fn literals_of<P: ProofSink>(lits: &[i32], cnf: &mut Cnf, solver: &mut Solver<P>) -> Vec<Lit> {
    let lits: Vec<Lit> = lits.iter().map(|&lit| own(lit)).collect();
    let n_vars = lits.iter().map(|lit| lit.var().index() + 1).max();
    let n_vars = n_vars.unwrap_or(0).max(cnf.n_vars());
    cnf.reserve_vars(n_vars);
    solver.reserve_vars(n_vars.max(solver.n_vars()));
    lits
}

pub(super) fn own(lit: i32) -> Lit {
    Lit::from_dimacs(lit.into()).expect("literals are not 0")
}

pub(super) fn foreign(lit: Lit) -> varisat::Lit {
    varisat::Lit::from_dimacs(lit.to_dimacs() as isize)
}

pub(super) fn literal(random: &mut Random, n_vars: usize) -> i32 {
    let var = 1 + random.below(n_vars) as i32;
    if random.flip() { var } else { -var }
}

/// Clauses of up to `width` literals, repeated literals and tautologies among them, near the density at which half of the formulas
/// of three literals are satisfiable.
pub(super) fn clauses_of(random: &mut Random, n_vars: usize, width: usize) -> Vec<Vec<i32>> {
    let n_clauses = n_vars * (3 + random.below(3));
    let mut clause = |_| {
        let short = random.below(20) == 0;
        let length = if short {
            1 + random.below(width)
        } else {
            2 + random.below(width - 1)
        };
        (0..length).map(|_| literal(random, n_vars)).collect()
    };
    (0..n_clauses).map(&mut clause).collect()
}

/// Gates over earlier variables, many of them twice with other outputs, and few other clauses: what congruence closure and the
/// elimination of definitions look for.
pub(super) fn gates(random: &mut Random, n_vars: usize) -> Vec<Vec<i32>> {
    let mut clauses = Vec::new();
    let n_inputs = 2 + n_vars / 5;
    let mut made: Vec<(usize, Vec<i32>)> = Vec::new();
    for output in n_inputs + 1..=n_vars {
        let output = output as i32;
        let output = if random.flip() { output } else { -output };
        let below = (output.unsigned_abs() as usize) - 1;
        let (kind, mut inputs) = match made.is_empty() || random.below(3) > 0 {
            true => {
                let inputs = (0..3).map(|_| literal(random, below.max(1))).collect();
                (random.below(4), inputs)
            }
            false => made[random.below(made.len())].clone(),
        };
        if random.flip() && kind < 2 {
            inputs.swap(0, 1);
        }
        clauses.extend(gate(kind, output, &inputs));
        made.push((kind, inputs));
    }
    for _ in 0..random.below(4) {
        let length = 1 + random.below(3);
        clauses.push((0..length).map(|_| literal(random, n_vars)).collect());
    }
    // Differences of outputs, which equal gates contradict.
    for _ in 0..random.below(3) {
        let [a, b] = [(); 2].map(|()| literal(random, n_vars));
        clauses.extend([vec![a, b], vec![-a, -b]]);
    }
    for index in (1..clauses.len()).rev() {
        clauses.swap(index, random.below(index + 1));
    }
    clauses
}

/// The clauses of a gate: exclusive or, and, if-then-else, or a conjunction of three.
fn gate(kind: usize, output: i32, inputs: &[i32]) -> Vec<Vec<i32>> {
    let (o, [a, b, c]) = (output, [inputs[0], inputs[1], inputs[2]]);
    match kind {
        0 => vec![
            vec![-o, a, b],
            vec![-o, -a, -b],
            vec![o, -a, b],
            vec![o, a, -b],
        ],
        1 => vec![vec![-o, a], vec![-o, b], vec![o, -a, -b]],
        2 => vec![
            vec![-o, -a, b],
            vec![-o, a, c],
            vec![o, -a, -b],
            vec![o, a, -c],
        ],
        _ => vec![vec![-o, a], vec![-o, b], vec![-o, c], vec![o, -a, -b, -c]],
    }
}

/// Sums of two or three variables modulo 2.
pub(super) fn parities(random: &mut Random, n_vars: usize) -> Vec<Vec<i32>> {
    let mut clauses = Vec::new();
    for _ in 0..n_vars {
        let [a, b, c] = [(); 3].map(|()| literal(random, n_vars));
        match random.below(3) {
            0 => clauses.extend([vec![a, b], vec![-a, -b]]),
            _ => clauses.extend(gate(0, a, &[b, c, c])),
        }
    }
    clauses
}

/// Switches at random, and intervals that are reached within few conflicts.
pub(super) fn options(random: &mut Random) -> Vec<String> {
    let mut chosen = vec![format!("seed={}", random.below(1000))];
    let mut options = Options::default();
    for row in Options::TABLE {
        let value = match row.range {
            "false..=true" => random.flip().to_string(),
            _ if row.name == "seed" => continue,
            _ => match random.below(5) {
                0 => "0".into(),
                1 => "1".into(),
                2 => random.below(10).to_string(),
                3 => random.below(100).to_string(),
                _ => continue,
            },
        };
        let assignment = format!("{}={value}", row.name);
        // Not each option takes 0.
        if options.set(&assignment) {
            chosen.push(assignment);
        }
    }
    chosen
}
