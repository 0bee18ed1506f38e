//! RecycleUnits: use of a unit clause wherever its variable is resolved upon.

use craig_solver::Lit;
use craig_solver::proof::{Origin, ProofDag, VertexId};

use super::draft::Draft;
use crate::stop::{Poll, Stop, Stopped};

/// Makes resolutions on the variable of a derived unit clause use that unit, unless it depends on them.
///
/// Every vertex that depends on such a resolution then derives the same clause or a subset of it (O.
/// Bar-Ilan, O. Fuhrmann, S. Hoory, O. Shacham and O. Strichman, "Linear-time reductions of resolution
/// proofs", HVC 2008). The ancestors of each unit are recomputed; after about `max_visits` visits of
/// antecedents for that, the remaining units are ignored.
///
/// # Errors
/// If `stop` requests the end.
///
/// # Panics
/// If the proof has no root.
pub fn recycle_units(dag: &ProofDag, max_visits: u64, stop: &Stop) -> Result<ProofDag, Stopped> {
    let root = dag.root().expect("a proof with a root");
    let mut poll = Poll::new(stop)?;
    let mut draft = Draft::copy(dag, root, &mut poll)?;
    let units: Vec<(VertexId, Lit)> = dag
        .vertices()
        .filter(|&vertex| matches!(dag.origin(vertex), Origin::Chain { .. }))
        .filter_map(|vertex| match *dag.clause(vertex) {
            [lit] => Some((vertex, lit)),
            _ => None,
        })
        .collect();
    let resolutions = Resolutions::on(dag, &units, &mut poll)?;
    let mut ancestors = Ancestors {
        marks: vec![0; dag.n_vertices()],
        unit: 0,
        n_visits: 0,
    };
    for &(unit, lit) in &units {
        if ancestors.n_visits > max_visits {
            break;
        }
        ancestors.mark(&draft, unit, &mut poll)?;
        for &(_, vertex, step) in resolutions.of(lit) {
            poll.spend(1)?;
            if ancestors.contains(vertex) {
                continue;
            }
            let pivot = match dag.origin(vertex) {
                Origin::Chain { steps, .. } => steps[step as usize].pivot,
                Origin::Leaf { .. } => continue,
            };
            // An earlier unit may have removed the first steps of the chain.
            let (_, left) = draft.chain(vertex).expect("a chain stays a chain");
            let Some(step) = (step as usize).checked_sub(n_steps(dag, vertex) - left.len()) else {
                continue;
            };
            if pivot == lit {
                draft.restart(vertex, step, unit);
            } else {
                draft.redirect(vertex, step, unit);
            }
        }
    }
    let recycled = draft.rebuild(&mut poll)?;
    Ok(recycled.unwrap_or_else(|| dag.clone()))
}

fn n_steps(dag: &ProofDag, vertex: VertexId) -> usize {
    match dag.origin(vertex) {
        Origin::Chain { steps, .. } => steps.len(),
        Origin::Leaf { .. } => 0,
    }
}

/// The resolutions on the variables of units: variable, vertex, number of the step; sorted.
struct Resolutions(Vec<(usize, VertexId, u32)>);

impl Resolutions {
    fn on(dag: &ProofDag, units: &[(VertexId, Lit)], poll: &mut Poll<'_>) -> Result<Self, Stopped> {
        let mut has_unit = vec![false; dag.n_vars()];
        for (_, lit) in units {
            has_unit[lit.var().index()] = true;
        }
        let mut found = Vec::new();
        for vertex in dag.vertices() {
            if let Origin::Chain { steps, .. } = dag.origin(vertex) {
                poll.spend(1 + steps.len())?;
                for (number, step) in steps.iter().enumerate() {
                    let var = step.pivot.var().index();
                    if has_unit[var] {
                        found.push((var, vertex, number as u32));
                    }
                }
            }
        }
        found.sort_unstable();
        Ok(Self(found))
    }

    fn of(&self, lit: Lit) -> &[(usize, VertexId, u32)] {
        let var = lit.var().index();
        let start = self.0.partition_point(|&(other, _, _)| other < var);
        let end = self.0.partition_point(|&(other, _, _)| other <= var);
        &self.0[start..end]
    }
}

/// The ancestors of a unit, itself included.
struct Ancestors {
    /// By vertex: the number of the last unit of which it is an ancestor.
    marks: Vec<u32>,
    unit: u32,
    n_visits: u64,
}

impl Ancestors {
    fn mark(
        &mut self,
        draft: &Draft<'_>,
        unit: VertexId,
        poll: &mut Poll<'_>,
    ) -> Result<(), Stopped> {
        self.unit += 1;
        self.marks[unit as usize] = self.unit;
        let mut open = vec![unit];
        while let Some(vertex) = open.pop() {
            let Some((first, steps)) = draft.chain(vertex) else {
                continue;
            };
            self.n_visits += 1 + steps.len() as u64;
            poll.spend(1 + steps.len())?;
            let antecedents = steps.iter().map(|step| step.antecedent);
            for antecedent in std::iter::once(first).chain(antecedents) {
                if std::mem::replace(&mut self.marks[antecedent as usize], self.unit) != self.unit {
                    open.push(antecedent);
                }
            }
        }
        Ok(())
    }

    fn contains(&self, vertex: VertexId) -> bool {
        self.marks[vertex as usize] == self.unit
    }
}
