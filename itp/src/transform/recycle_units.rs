//! RecycleUnits: using a unit clause wherever its variable is resolved upon.

use super::draft::Draft;
use craig_solver::Lit;
use craig_solver::proof::{Origin, ProofDag, VertexId};

/// Lets resolutions on the variable of a derived unit clause use that unit, as long as it does not depend on them.
///
/// Everything below such a resolution derives the same clause or a part of it (Bar-Ilan, Fuhrmann, Hoory, Shacham,
/// Strichman: Linear-time Reductions of Resolution Proofs, HVC 2008). What a unit depends on has to be looked up for each
/// unit; after about `max_visits` antecedents have been looked at for that, the remaining units are left alone.
///
/// # Panics
/// If the proof has no root.
#[must_use]
pub fn recycle_units(dag: &ProofDag, max_visits: u64) -> ProofDag {
    let root = dag.root().expect("a proof with a root");
    let mut draft = Draft::copy(dag, root);
    let units: Vec<(VertexId, Lit)> = dag
        .vertices()
        .filter(|&vertex| matches!(dag.origin(vertex), Origin::Chain { .. }))
        .filter_map(|vertex| match *dag.clause(vertex) {
            [lit] => Some((vertex, lit)),
            _ => None,
        })
        .collect();
    let resolutions = Resolutions::on(dag, &units);
    let mut ancestors = Ancestors {
        marks: vec![0; dag.n_vertices()],
        unit: 0,
        n_visits: 0,
    };
    for &(unit, lit) in &units {
        if ancestors.n_visits > max_visits {
            break;
        }
        ancestors.mark(&draft, unit);
        for &(_, vertex, step) in resolutions.of(lit) {
            if ancestors.contains(vertex) {
                continue;
            }
            let pivot = match dag.origin(vertex) {
                Origin::Chain { steps, .. } => steps[step as usize].pivot,
                Origin::Leaf { .. } => continue,
            };
            // Earlier units may have cut off the start of the chain.
            let (_, original) = chain(dag, vertex);
            let (_, left) = draft.chain(vertex).expect("a chain stays one");
            let Some(step) = (step as usize).checked_sub(original - left.len()) else {
                continue;
            };
            if pivot == lit {
                draft.restart(vertex, step, unit);
            } else {
                draft.redirect(vertex, step, unit);
            }
        }
    }
    draft.rebuild().unwrap_or_else(|| dag.clone())
}

fn chain(dag: &ProofDag, vertex: VertexId) -> (VertexId, usize) {
    match dag.origin(vertex) {
        Origin::Chain { first, steps } => (first, steps.len()),
        Origin::Leaf { .. } => (vertex, 0),
    }
}

/// The resolutions on the variables of units: variable, vertex, number of the step; sorted.
struct Resolutions(Vec<(usize, VertexId, u32)>);

impl Resolutions {
    fn on(dag: &ProofDag, units: &[(VertexId, Lit)]) -> Self {
        let mut has_unit = vec![false; dag.n_vars()];
        for (_, lit) in units {
            has_unit[lit.var().index()] = true;
        }
        let mut found = Vec::new();
        for vertex in dag.vertices() {
            if let Origin::Chain { steps, .. } = dag.origin(vertex) {
                for (number, step) in steps.iter().enumerate() {
                    let var = step.pivot.var().index();
                    if has_unit[var] {
                        found.push((var, vertex, number as u32));
                    }
                }
            }
        }
        found.sort_unstable();
        Self(found)
    }

    fn of(&self, lit: Lit) -> &[(usize, VertexId, u32)] {
        let var = lit.var().index();
        let start = self.0.partition_point(|&(other, _, _)| other < var);
        let end = self.0.partition_point(|&(other, _, _)| other <= var);
        &self.0[start..end]
    }
}

/// What a unit depends on, itself included.
struct Ancestors {
    /// By vertex: the number of the last unit that depends on it.
    marks: Vec<u32>,
    unit: u32,
    n_visits: u64,
}

impl Ancestors {
    fn mark(&mut self, draft: &Draft<'_>, unit: VertexId) {
        self.unit += 1;
        self.marks[unit as usize] = self.unit;
        let mut open = vec![unit];
        while let Some(vertex) = open.pop() {
            let Some((first, steps)) = draft.chain(vertex) else {
                continue;
            };
            self.n_visits += 1 + steps.len() as u64;
            let antecedents = steps.iter().map(|step| step.antecedent);
            for antecedent in std::iter::once(first).chain(antecedents) {
                if std::mem::replace(&mut self.marks[antecedent as usize], self.unit) != self.unit {
                    open.push(antecedent);
                }
            }
        }
    }

    fn contains(&self, vertex: VertexId) -> bool {
        self.marks[vertex as usize] == self.unit
    }
}
