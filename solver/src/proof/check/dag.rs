//! Checking a proof DAG vertex by vertex.

use super::error::CheckError;
use super::resolvent::{Failure, Resolvent};
use crate::cnf::{Cnf, Label};
use crate::lit::Lit;
use crate::proof::poll::Poll;
use crate::proof::{Origin, ProofDag, VertexId};

/// Replays all resolutions of a proof and compares every clause with the result of its chain.
/// [`check_leaves`] checks that the leaves belong to a formula.
///
/// Linear in the literals of the antecedents of all steps.
///
/// # Errors
/// The first vertex that is wrong, and why.
pub fn check_dag(dag: &ProofDag) -> Result<(), CheckError> {
    check_dag_until(dag, || false)
}

/// As [`check_dag`], unless `is_asked` returns `true`. It is called at the start and after each 10,000
/// literals.
///
/// # Errors
/// [`CheckError::Stopped`] if it returned `true`, and those of [`check_dag`].
pub fn check_dag_until(dag: &ProofDag, is_asked: impl FnMut() -> bool) -> Result<(), CheckError> {
    let mut poll = Poll::new(is_asked);
    let mut resolvent = Resolvent::default();
    resolvent.reserve_vars(dag.n_vars());
    // A derived clause equals the result of its chain, and so is no tautology.
    let mut is_tautology = vec![false; dag.n_vertices()];
    for vertex in dag.vertices() {
        let clause = dag.clause(vertex);
        if poll.is_due(1 + clause.len()) {
            return Err(CheckError::Stopped);
        }
        resolvent.clear();
        match dag.origin(vertex) {
            Origin::Leaf { .. } => {
                for &lit in clause {
                    if lit.var().index() >= dag.n_vars() {
                        return Err(CheckError::UnknownVariable {
                            clause: vertex,
                            lit,
                        });
                    }
                    if !resolvent.insert(lit) {
                        return Err(CheckError::RepeatedLiteral(vertex));
                    }
                    is_tautology[vertex as usize] |= resolvent.contains(!lit);
                }
            }
            Origin::Chain { first, steps } => {
                usable(vertex, first, &is_tautology)?;
                for &lit in dag.clause(first) {
                    resolvent.insert(lit);
                }
                for step in steps {
                    let antecedent = step.antecedent;
                    usable(vertex, antecedent, &is_tautology)?;
                    if poll.is_due(dag.clause(antecedent).len()) {
                        return Err(CheckError::Stopped);
                    }
                    let actual = resolvent
                        .resolve(dag.clause(antecedent).iter().copied())
                        .map_err(|failure| failed(vertex, antecedent, failure))?;
                    if actual != step.pivot {
                        return Err(CheckError::WrongPivot {
                            step: vertex,
                            antecedent,
                            stated: step.pivot,
                            actual,
                        });
                    }
                }
                if !resolvent.is(clause.iter().copied()) {
                    return Err(CheckError::OtherClause(vertex));
                }
            }
        }
    }
    Ok(())
}

fn usable(step: VertexId, clause: VertexId, is_tautology: &[bool]) -> Result<(), CheckError> {
    if clause >= step {
        return Err(CheckError::UnknownClause { step, clause });
    }
    if is_tautology[clause as usize] {
        return Err(CheckError::Tautology {
            step,
            antecedent: clause,
        });
    }
    Ok(())
}

pub(super) fn failed(step: u32, antecedent: u32, failure: Failure) -> CheckError {
    match failure {
        Failure::NoClash => CheckError::NoClash { step, antecedent },
        Failure::TwoClashes(lit) => CheckError::TwoClashes {
            step,
            antecedent,
            lit,
        },
    }
}

/// Checks that every leaf of a proof is a clause of `cnf`, with the label that it has there.
///
/// # Errors
/// The first leaf that is not.
pub fn check_leaves(dag: &ProofDag, cnf: &Cnf) -> Result<(), CheckError> {
    check_leaves_until(dag, cnf, || false)
}

/// As [`check_leaves`], unless `is_asked` returns `true`. It is called at the start and after each 10,000
/// literals.
///
/// # Errors
/// [`CheckError::Stopped`] if it returned `true`, and those of [`check_leaves`].
pub fn check_leaves_until(
    dag: &ProofDag,
    cnf: &Cnf,
    is_asked: impl FnMut() -> bool,
) -> Result<(), CheckError> {
    let mut poll = Poll::new(is_asked);
    let mut is_due = |work: usize| match poll.is_due(1 + work) {
        true => Err(CheckError::Stopped),
        false => Ok(()),
    };
    // By the smallest literal, with an entry before it for empty clauses: short lists to be sorted.
    let place = |clause: &[Lit]| clause.first().map_or(0, |lit| 1 + lit.index());
    let mut known: Vec<Vec<(Label, Vec<Lit>)>> = vec![Vec::new(); 1 + 2 * cnf.n_vars()];
    for (clause, label) in cnf.iter() {
        is_due(clause.len())?;
        let clause = as_set(clause);
        known[place(&clause)].push((label, clause));
    }
    for clauses in &mut known {
        is_due(clauses.len())?;
        clauses.sort_unstable();
    }
    for vertex in dag.vertices() {
        if let Origin::Leaf { label } = dag.origin(vertex) {
            is_due(dag.clause(vertex).len())?;
            let clause = as_set(dag.clause(vertex));
            (known.get(place(&clause)))
                .and_then(|clauses| clauses.binary_search(&(label, clause)).ok())
                .ok_or(CheckError::NoSuchLeaf(vertex))?;
        }
    }
    Ok(())
}

fn as_set(clause: &[Lit]) -> Vec<Lit> {
    let mut lits = clause.to_vec();
    lits.sort_unstable();
    lits.dedup();
    lits
}
