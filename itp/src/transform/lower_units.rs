//! LowerUnits: resolving with a unit clause once, at the end.

use super::draft::Draft;
use craig_solver::Lit;
use craig_solver::proof::{Origin, ProofDag, Step, VertexId};

/// Takes unit clauses that are used more than once out of the proof and resolves with each of them once below the root.
///
/// What remains derives the negations of those units on top of what it did; they are resolved away in
/// an order in which a unit that helps to derive another comes after it (Fontaine, Merz, Woltzenlogel Paleo: Compression of
/// Propositional Resolution Proofs via Partial Regularization, CADE 2011).
///
/// # Panics
/// If the proof has no root.
#[must_use]
pub fn lower_units(dag: &ProofDag) -> ProofDag {
    let root = dag.root().expect("a proof with a root");
    let is_lowered = choose(dag, root);
    let mut draft = Draft::copy(dag, root);
    let mut kept: Vec<Step> = Vec::new();
    for vertex in 0..=root {
        let Origin::Chain { first, steps } = dag.origin(vertex) else {
            continue;
        };
        let (mut start, mut rest) = (first, steps);
        if let (true, Some((step, others))) = (is_lowered[first as usize], steps.split_first()) {
            (start, rest) = (step.antecedent, others);
        }
        kept.clear();
        let stays = |step: &&Step| !is_lowered[step.antecedent as usize];
        kept.extend(rest.iter().filter(stays));
        if kept.len() < steps.len() {
            draft.replace_chain(vertex, start, kept.iter().copied());
        }
    }
    let units = (0..root).rev().filter(|&unit| is_lowered[unit as usize]);
    let at_the_end: Vec<Step> = units
        .map(|unit| Step {
            pivot: !dag.clause(unit)[0],
            antecedent: unit,
        })
        .collect();
    let new_root = draft.push_chain(root, at_the_end);
    draft.set_root(new_root);
    let lowered = draft.rebuild();
    lowered.unwrap_or_else(|| dag.clone())
}

/// Which vertices are units to be lowered: used more than once, one for a variable, and none whose
/// variable stands in the root.
fn choose(dag: &ProofDag, root: VertexId) -> Vec<bool> {
    let mut n_uses = vec![0u32; root as usize + 1];
    n_uses[root as usize] = 1;
    for vertex in (0..=root).rev() {
        if let (true, Origin::Chain { first, steps }) =
            (n_uses[vertex as usize] > 0, dag.origin(vertex))
        {
            n_uses[first as usize] += 1;
            for step in steps {
                n_uses[step.antecedent as usize] += 1;
            }
        }
    }
    let mut is_taken = vec![false; dag.n_vars()];
    for lit in dag.clause(root) {
        is_taken[lit.var().index()] = true;
    }
    let mut is_lowered = vec![false; root as usize + 1];
    for vertex in (0..root).rev() {
        if let (true, &[lit]) = (n_uses[vertex as usize] > 1, dag.clause(vertex)) {
            let lit: Lit = lit;
            is_lowered[vertex as usize] =
                !std::mem::replace(&mut is_taken[lit.var().index()], true);
        }
    }
    is_lowered
}
