//! A check of sequences of interpolants, step by step.

use craig_aig::Edge;
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Lit, Solver};

use crate::actions::{Actions, position};
use crate::labels::Labels;
use crate::refutation::{From, Question};

/// Whether the formulas are an inductive sequence of the path: the first states imply the first formula along
/// the first action; each formula, with the label assumed before the next action, implies the next one along
/// it; the last one excludes the end.
///
/// # Errors
/// The number of the first step that fails.
pub(super) fn judge(
    actions: &Actions,
    labels: &Labels,
    question: &Question<'_>,
    formulas: &[Edge],
) -> Result<(), usize> {
    let n = question.path.len();
    for step in 0..n {
        let mut solver = Solver::new();
        let action = actions.action(question.path[step]);
        let bits = 0..actions.bits().len() as u32;
        let before: Vec<Lit> = bits.map(|_| solver.new_var().positive()).collect();
        let encode = |solver: &mut Solver, state: &[Lit], formula: Edge| {
            let mut encoder = Encoder::new();
            for node in labels.aig.support(&[formula]) {
                encoder.set(node, state[position(&labels.aig, node) as usize]);
            }
            encoder.encode(&labels.aig, formula, solver)
        };
        let mut premises: Vec<Edge> = Vec::new();
        match (step.checked_sub(1), question.from) {
            (Some(last), _) => {
                premises.push(formulas[last]);
                let known = question.known.get(last);
                premises.extend(known.into_iter().flat_map(|&label| labels.conjuncts(label)));
            }
            (None, From::Label(label)) => premises.extend(labels.conjuncts(label)),
            (None, From::Start) => {
                for &bit in actions.start_bits() {
                    solver.add_clause(&[!before[bit as usize]]);
                }
            }
        }
        for premise in premises {
            let lit = encode(&mut solver, &before, premise);
            solver.add_clause(&[lit]);
        }
        let mut encoder = Encoder::new();
        for &bit in &action.reads {
            encoder.set(actions.input(bit).node(), before[bit as usize]);
        }
        let guard = encoder.encode(&actions.aig, action.guard, &mut solver);
        solver.add_clause(&[guard]);
        let mut after = before;
        for &(bit, value) in &action.assigned {
            after[bit as usize] = encoder.encode(&actions.aig, value, &mut solver);
        }
        let conclusion = encode(&mut solver, &after, formulas[step]);
        solver.add_clause(&[!conclusion]);
        if solver.solve(&[]) != Answer::Unsatisfiable {
            return Err(step);
        }
    }
    let mut solver = Solver::new();
    let mut encoder = Encoder::new();
    let last = formulas.last().copied().unwrap_or(Edge::TRUE);
    let lit = encoder.encode(&labels.aig, last, &mut solver);
    solver.add_clause(&[lit]);
    // The end is outside of a label, or anywhere.
    if let Some(label) = question.outside {
        let conjuncts = labels.conjuncts(label).iter();
        let lits: Vec<Lit> = conjuncts
            .map(|&conjunct| encoder.encode(&labels.aig, !conjunct, &mut solver))
            .collect();
        solver.add_clause(&lits);
    }
    match solver.solve(&[]) {
        Answer::Unsatisfiable => Ok(()),
        _ => Err(n),
    }
}
