//! LowerUnits: resolution with a unit clause once, at the root.

use craig_solver::Lit;
use craig_solver::proof::{Origin, ProofDag, Step, VertexId};

use super::draft::Draft;
use crate::stop::{Poll, Stop, Stopped};

/// Removes unit clauses that are used more than once from the proof and resolves with each of them once,
/// after the root.
///
/// Without them, the root also contains the negations of those units. They are resolved away in an order in
/// which a unit comes before the units of its derivation (P. Fontaine, S. Merz and B. Woltzenlogel Paleo,
/// "Compression of propositional resolution proofs via partial regularization", CADE 2011).
///
/// # Errors
/// If `stop` requests the end.
///
/// # Panics
/// If the proof has no root.
pub fn lower_units(dag: &ProofDag, stop: &Stop) -> Result<ProofDag, Stopped> {
    let root = dag.root().expect("a proof with a root");
    let mut poll = Poll::new(stop)?;
    let is_lowered = choose(dag, root, &mut poll)?;
    let lowered = (0..=root).map(|vertex| {
        let is_lowered = is_lowered[vertex as usize];
        is_lowered.then(|| dag.clause(vertex)[0])
    });
    let lowered: Vec<Option<Lit>> = lowered.collect();
    lower(dag, &lowered, &mut poll)
}

/// A proof whose chains leave out the vertices with a literal, by vertex, and resolve that away at the end. The first vertex of a
/// chain is left out for its second one.
pub(super) fn lower(
    dag: &ProofDag,
    lowered: &[Option<Lit>],
    poll: &mut Poll<'_>,
) -> Result<ProofDag, Stopped> {
    let root = dag.root().expect("a proof with a root");
    let is_lowered = |vertex: VertexId| lowered[vertex as usize].is_some();
    let mut draft = Draft::copy(dag, root, poll)?;
    let mut kept: Vec<Step> = Vec::new();
    for vertex in 0..=root {
        let Origin::Chain { first, steps } = dag.origin(vertex) else {
            continue;
        };
        poll.spend(1 + steps.len())?;
        let (mut start, mut rest) = (first, steps);
        if let (true, Some((step, others))) = (is_lowered(first), steps.split_first()) {
            (start, rest) = (step.antecedent, others);
        }
        kept.clear();
        kept.extend(rest.iter().filter(|step| !is_lowered(step.antecedent)));
        if kept.len() < steps.len() {
            draft.replace_chain(vertex, start, kept.iter().copied());
        }
    }
    let at_the_end = (0..root).rev().filter_map(|antecedent| {
        let pivot = !lowered[antecedent as usize]?;
        Some(Step { pivot, antecedent })
    });
    let at_the_end: Vec<Step> = at_the_end.collect();
    let new_root = draft.push_chain(root, at_the_end);
    draft.set_root(new_root);
    let lowered = draft.rebuild(poll)?;
    Ok(lowered.unwrap_or_else(|| dag.clone()))
}

/// By vertex: whether it is a unit to be lowered. It is used more than once, its variable does not occur in
/// the root, and no later vertex is a unit to be lowered with that variable.
fn choose(dag: &ProofDag, root: VertexId, poll: &mut Poll<'_>) -> Result<Vec<bool>, Stopped> {
    let mut n_uses = vec![0u32; root as usize + 1];
    n_uses[root as usize] = 1;
    for vertex in (0..=root).rev() {
        if let (true, Origin::Chain { first, steps }) =
            (n_uses[vertex as usize] > 0, dag.origin(vertex))
        {
            poll.spend(1 + steps.len())?;
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
    Ok(is_lowered)
}
