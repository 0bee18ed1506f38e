//! The sizes of proofs.

use craig_solver::proof::{Origin, ProofDag};

/// The sizes of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProofStatistics {
    /// Leaves and chains.
    pub vertices: usize,
    /// Binary resolutions.
    pub resolutions: usize,
    /// Literals of the clauses of leaves and chains.
    pub literals: usize,
    /// Leaves: the size of the unsatisfiable core.
    pub core: usize,
    /// The most resolutions on a path from a leaf to the root.
    pub depth: usize,
}

impl ProofStatistics {
    /// Measures a proof.
    #[must_use]
    pub fn of(dag: &ProofDag) -> Self {
        let mut statistics = Self {
            vertices: dag.n_vertices(),
            resolutions: dag.n_steps(),
            ..Self::default()
        };
        let mut depths: Vec<usize> = Vec::with_capacity(dag.n_vertices());
        for vertex in dag.vertices() {
            statistics.literals += dag.clause(vertex).len();
            let depth = match dag.origin(vertex) {
                Origin::Leaf { .. } => {
                    statistics.core += 1;
                    0
                }
                Origin::Chain { first, steps } => {
                    steps.iter().fold(depths[first as usize], |depth, step| {
                        1 + depth.max(depths[step.antecedent as usize])
                    })
                }
            };
            depths.push(depth);
        }
        statistics.depth = dag.root().map_or(0, |root| depths[root as usize]);
        statistics
    }
}
