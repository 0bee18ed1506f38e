//! LowerUnivalents: like LowerUnits, for clauses that are units but for what is resolved away later.

use craig_solver::Lit;
use craig_solver::proof::{Origin, ProofDag, VertexId};

use super::lower_units::lower;
use crate::stop::{Poll, Stop, Stopped};

/// Removes clauses that are used more than once, always on the same literal, and resolves with each of them once,
/// after the root, if their other literals are negations of literals that are resolved away there in this way (J.
/// Boudou and B. Woltzenlogel Paleo, "Compression of propositional resolution proofs by lowering subproofs",
/// TABLEAUX 2013).
///
/// Clauses are chosen from the leaves to the root and resolved with in the opposite order, so that the literals that
/// one of them leaves are resolved away behind it.
///
/// # Errors
/// If `stop` requests the end.
///
/// # Panics
/// If the proof has no root.
pub fn lower_univalents(dag: &ProofDag, stop: &Stop) -> Result<ProofDag, Stopped> {
    let root = dag.root().expect("a proof with a root");
    let mut poll = Poll::new(stop)?;
    let lowered = choose(dag, root, &mut poll)?;
    lower(dag, &lowered, &mut poll)
}

/// The uses of a vertex.
#[derive(Clone, Copy)]
enum Uses {
    None,
    Once(Lit),
    /// Several, all on this literal.
    Several(Lit),
    /// On different literals.
    Mixed,
}

impl Uses {
    fn with(self, lit: Lit) -> Self {
        match self {
            Self::None => Self::Once(lit),
            Self::Once(other) | Self::Several(other) if other == lit => Self::Several(lit),
            _ => Self::Mixed,
        }
    }
}

/// By vertex: the literal on which it is resolved after the root, if it is.
fn choose(
    dag: &ProofDag,
    root: VertexId,
    poll: &mut Poll<'_>,
) -> Result<Vec<Option<Lit>>, Stopped> {
    let mut uses = vec![Uses::None; root as usize + 1];
    let mut is_needed = vec![false; root as usize + 1];
    is_needed[root as usize] = true;
    for vertex in (0..=root).rev() {
        let Origin::Chain { first, steps } = dag.origin(vertex) else {
            continue;
        };
        if !is_needed[vertex as usize] {
            continue;
        }
        poll.spend(1 + steps.len())?;
        is_needed[first as usize] = true;
        uses[first as usize] = match steps.first() {
            Some(step) => uses[first as usize].with(step.pivot),
            None => Uses::Mixed,
        };
        for step in steps {
            is_needed[step.antecedent as usize] = true;
            let uses = &mut uses[step.antecedent as usize];
            *uses = uses.with(!step.pivot);
        }
    }
    let mut is_taken = vec![false; dag.n_vars()];
    for lit in dag.clause(root) {
        is_taken[lit.var().index()] = true;
    }
    // By literal: whether it is resolved away after the root.
    let mut is_resolved = vec![false; 2 * dag.n_vars()];
    let mut lowered = vec![None; root as usize + 1];
    for vertex in 0..root {
        let Uses::Several(valent) = uses[vertex as usize] else {
            continue;
        };
        poll.spend(dag.clause(vertex).len())?;
        let goes = |&lit: &Lit| lit == valent || is_resolved[lit.index()];
        if !is_taken[valent.var().index()] && dag.clause(vertex).iter().all(goes) {
            is_taken[valent.var().index()] = true;
            is_resolved[(!valent).index()] = true;
            lowered[vertex as usize] = Some(valent);
        }
    }
    Ok(lowered)
}
