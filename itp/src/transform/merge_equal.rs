//! Structural hashing: clauses that are derived several times are derived once.

use std::collections::HashMap;

use craig_solver::Lit;
use craig_solver::proof::{Origin, ProofDag, Step, VertexId};

use super::draft::Draft;
use crate::stop::{Poll, Stop, Stopped};

/// Replaces each vertex by the first one with the same clause, as S. F. Rollini, L. Alt, G. Fedyukovich, A. E. J.
/// Hyvärinen and N. Sharygina do with vertices that have the same parents ("PeRIPLO: a framework for producing
/// effective interpolants in SAT-based software verification", LPAR 2013).
///
/// # Errors
/// If `stop` requests the end.
///
/// # Panics
/// If the proof has no root.
pub fn merge_equal(dag: &ProofDag, stop: &Stop) -> Result<ProofDag, Stopped> {
    let root = dag.root().expect("a proof with a root");
    let mut poll = Poll::new(stop)?;
    let mut first_with: HashMap<Vec<Lit>, VertexId> = HashMap::new();
    let mut same: Vec<VertexId> = Vec::with_capacity(dag.n_vertices());
    let mut draft = Draft::copy(dag, root, &mut poll)?;
    for vertex in dag.vertices() {
        poll.spend(1 + dag.clause(vertex).len())?;
        let mut clause = dag.clause(vertex).to_vec();
        clause.sort_unstable();
        same.push(*first_with.entry(clause).or_insert(vertex));
        if let Origin::Chain { first, steps } = dag.origin(vertex) {
            poll.spend(steps.len())?;
            let steps = steps.iter().map(|step| Step {
                pivot: step.pivot,
                antecedent: same[step.antecedent as usize],
            });
            draft.replace_chain(vertex, same[first as usize], steps);
        }
    }
    draft.set_root(same[root as usize]);
    let merged = draft.rebuild(&mut poll)?;
    Ok(merged.unwrap_or_else(|| dag.clone()))
}
