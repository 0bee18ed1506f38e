//! A resolution proof as a directed acyclic graph, in flat arrays.

use crate::cnf::Label;
use crate::lit::Lit;

/// The number of a vertex of a [`ProofDag`].
pub type VertexId = u32;

/// One resolution of a chain: the resolvent so far, which contains `pivot`, is resolved with the
/// clause of `antecedent`, which contains the negation of `pivot`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The literal that is resolved away, as it stands in the resolvent so far.
    pub pivot: Lit,
    /// The other clause; it contains `!pivot`.
    pub antecedent: VertexId,
}

/// The origin of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<'a> {
    /// An original clause, with its partition.
    Leaf {
        /// The label under which the clause was added.
        label: Label,
    },
    /// A chain of resolutions: `first`, resolved with the antecedent of each step in turn. Without a step,
    /// a copy of `first`.
    Chain {
        /// The clause that the chain starts from.
        first: VertexId,
        /// The resolutions, in order.
        steps: &'a [Step],
    },
}

/// A resolution proof in topological order: the antecedents of a vertex have smaller numbers.
///
/// A vertex is an original clause or a chain of resolutions; a chain stands for `steps` binary
/// resolutions whose intermediate clauses are not stored. Clauses are sets: no literal occurs
/// twice in a vertex, and none together with its negation in a derived one.
///
/// Invariant, kept by [`ProofDag::add_chain`]: the clause of a chain is exactly the resolvent of its steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProofDag {
    lits: Vec<Lit>,
    steps: Vec<Step>,
    vertices: Vec<Vertex>,
    root: Option<VertexId>,
    n_vars: usize,
    /// Marks for `add_chain`, one per literal; all false between calls.
    marks: Vec<bool>,
    /// How many of the largest numbers must not be used. 0 except in tests.
    withheld: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Vertex {
    lits_end: u32,
    steps_end: u32,
    /// The first antecedent of a chain, or the label of a leaf.
    first_or_label: u32,
    is_leaf: bool,
}

/// Why a chain is not a resolution proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChainError {
    /// An antecedent that has not been added yet.
    #[error("vertex {0} is used before it is derived")]
    ForwardReference(VertexId),
    /// The pivot is missing from the resolvent so far.
    #[error("step {step}: pivot {pivot:?} does not occur in the resolvent so far")]
    PivotMissing {
        /// The index of the step in its chain.
        step: usize,
        /// The pivot that was named.
        pivot: Lit,
    },
    /// The negation of the pivot is missing from the antecedent.
    #[error("step {step}: the negation of pivot {pivot:?} does not occur in vertex {antecedent}")]
    NegationMissing {
        /// The index of the step in its chain.
        step: usize,
        /// The pivot that was named.
        pivot: Lit,
        /// The antecedent.
        antecedent: VertexId,
    },
    /// The two clauses clash in a second variable, or one of them is a tautology.
    #[error("step {step}: the resolvent would contain {lit:?} and its negation")]
    Tautology {
        /// The index of the step in its chain.
        step: usize,
        /// One of the clashing literals.
        lit: Lit,
    },
    /// A chain without antecedents.
    #[error("a chain without antecedents")]
    NoAntecedent,
    /// The numbers for vertices, literals or steps are exhausted.
    #[error("a proof holds at most 2^32 - 1 vertices, literals and steps")]
    TooLarge,
}

impl ProofDag {
    /// The proof without vertices.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many vertices there are.
    #[must_use]
    pub fn n_vertices(&self) -> usize {
        self.vertices.len()
    }

    /// The number of resolutions of all chains.
    #[must_use]
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// One more than the largest variable of a clause.
    #[must_use]
    pub fn n_vars(&self) -> usize {
        self.n_vars
    }

    /// The vertex that the proof derives: the last one, unless [`ProofDag::set_root`] named another.
    #[must_use]
    pub fn root(&self) -> Option<VertexId> {
        self.root
    }

    /// Names the vertex that the proof derives.
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn set_root(&mut self, root: VertexId) {
        assert!((root as usize) < self.vertices.len());
        self.root = Some(root);
    }

    /// Whether the root is the empty clause.
    #[must_use]
    pub fn is_refutation(&self) -> bool {
        self.root.is_some_and(|root| self.clause(root).is_empty())
    }

    /// The literals of a vertex, in no particular order.
    #[must_use]
    pub fn clause(&self, vertex: VertexId) -> &[Lit] {
        let start = match vertex {
            0 => 0,
            _ => self.vertices[vertex as usize - 1].lits_end,
        };
        &self.lits[start as usize..self.vertices[vertex as usize].lits_end as usize]
    }

    /// The origin of a vertex.
    #[must_use]
    pub fn origin(&self, vertex: VertexId) -> Origin<'_> {
        let entry = self.vertices[vertex as usize];
        if entry.is_leaf {
            return Origin::Leaf {
                label: entry.first_or_label,
            };
        }
        let start = match vertex {
            0 => 0,
            _ => self.vertices[vertex as usize - 1].steps_end,
        };
        Origin::Chain {
            first: entry.first_or_label,
            steps: &self.steps[start as usize..entry.steps_end as usize],
        }
    }

    /// All vertices in topological order, antecedents first.
    pub fn vertices(
        &self,
    ) -> impl ExactSizeIterator<Item = VertexId> + DoubleEndedIterator + use<> {
        0..self.vertices.len() as u32
    }

    /// Adds an original clause. Repeated literals are dropped; a clause that holds a literal
    /// and its negation is kept as it is, and can't be an antecedent in a chain.
    ///
    /// # Panics
    /// If [`ProofDag::try_add_leaf`] fails.
    pub fn add_leaf(&mut self, lits: &[Lit], label: Label) -> VertexId {
        match self.try_add_leaf(lits, label) {
            Ok(vertex) => vertex,
            Err(error) => panic!("{error}"),
        }
    }

    /// As [`ProofDag::add_leaf`], with an error if the proof gets too large.
    ///
    /// # Errors
    /// [`ChainError::TooLarge`]; nothing is added then.
    pub fn try_add_leaf(&mut self, lits: &[Lit], label: Label) -> Result<VertexId, ChainError> {
        self.reserve_marks(lits);
        let start = self.lits.len();
        for &lit in lits {
            if !std::mem::replace(&mut self.marks[lit.index()], true) {
                self.lits.push(lit);
            }
        }
        for lit in &self.lits[start..] {
            self.marks[lit.index()] = false;
        }
        let n_steps = self.steps.len();
        self.push(label, true, [start, n_steps])
    }

    /// Adds a chain of resolutions and computes its clause.
    ///
    /// # Errors
    /// If a step is not a resolution; nothing is added then.
    pub fn add_chain(&mut self, first: VertexId, steps: &[Step]) -> Result<VertexId, ChainError> {
        let known = self.vertices.len() as u32;
        if let Some(unknown) = std::iter::once(first)
            .chain(steps.iter().map(|step| step.antecedent))
            .find(|&vertex| vertex >= known)
        {
            return Err(ChainError::ForwardReference(unknown));
        }
        let start = self.lits.len();
        let outcome = self.resolve(first, steps);
        let mut kept = start;
        for index in start..self.lits.len() {
            let lit = self.lits[index];
            // A literal occurs twice in the arena if it was resolved away and added again.
            if std::mem::replace(&mut self.marks[lit.index()], false) {
                self.lits[kept] = lit;
                kept += 1;
            }
        }
        match outcome {
            Ok(()) => {
                self.lits.truncate(kept);
                let n_steps = self.steps.len();
                self.steps.extend_from_slice(steps);
                self.push(first, false, [start, n_steps])
            }
            Err(error) => {
                self.lits.truncate(start);
                Err(error)
            }
        }
    }

    /// Adds the chain that resolves the clauses of `antecedents` one after the other; the clauses determine
    /// the pivots. An antecedent that clashes with nothing is skipped; if only one remains, the chain would
    /// be a copy, and that antecedent is returned.
    ///
    /// # Errors
    /// If there is no antecedent, or the resolvent of two would be a tautology; nothing is added then.
    pub fn add_antecedents(&mut self, antecedents: &[VertexId]) -> Result<VertexId, ChainError> {
        let Some((&first, rest)) = antecedents.split_first() else {
            return Err(ChainError::NoAntecedent);
        };
        let known = self.vertices.len() as u32;
        if let Some(&unknown) = antecedents.iter().find(|&&vertex| vertex >= known) {
            return Err(ChainError::ForwardReference(unknown));
        }
        let (lits_start, steps_start) = (self.lits.len(), self.steps.len());
        let outcome = self.resolve_in_order(first, rest);
        let is_copy = outcome.is_ok() && self.steps.len() == steps_start;
        let mut kept = lits_start;
        for index in lits_start..self.lits.len() {
            let lit = self.lits[index];
            if std::mem::replace(&mut self.marks[lit.index()], false) {
                self.lits[kept] = lit;
                kept += 1;
            }
        }
        if outcome.is_err() || is_copy {
            self.lits.truncate(lits_start);
            self.steps.truncate(steps_start);
            return outcome.map(|()| first);
        }
        self.lits.truncate(kept);
        self.push(first, false, [lits_start, steps_start])
    }

    /// As [`ProofDag::resolve`], but computes the steps and appends them.
    fn resolve_in_order(&mut self, first: VertexId, rest: &[VertexId]) -> Result<(), ChainError> {
        self.start_from(first)?;
        for (number, &antecedent) in rest.iter().enumerate() {
            let range = self.clause_range(antecedent);
            let mut clashes = self.lits[range.clone()]
                .iter()
                .filter(|&&lit| self.marks[(!lit).index()]);
            let Some(&pivot) = clashes.next() else {
                continue;
            };
            if let Some(&lit) = clashes.next() {
                return Err(ChainError::Tautology { step: number, lit });
            }
            self.marks[(!pivot).index()] = false;
            for index in range {
                let lit = self.lits[index];
                // Either the antecedent contains both literals of the pivot, or both of another variable.
                if lit == !pivot || lit != pivot && self.marks[(!lit).index()] {
                    return Err(ChainError::Tautology { step: number, lit });
                }
                if lit != pivot && !self.marks[lit.index()] {
                    self.marks[lit.index()] = true;
                    self.lits.push(lit);
                }
            }
            self.steps.push(Step {
                pivot: !pivot,
                antecedent,
            });
        }
        Ok(())
    }

    /// Marks the literals of a chain's first clause and appends them to the arena. A tautology is refused.
    fn start_from(&mut self, first: VertexId) -> Result<(), ChainError> {
        for index in self.clause_range(first) {
            let lit = self.lits[index];
            if self.marks[(!lit).index()] {
                return Err(ChainError::Tautology { step: 0, lit });
            }
            self.marks[lit.index()] = true;
            self.lits.push(lit);
        }
        Ok(())
    }

    /// Appends the literals of all resolvents to the arena; those marked at the end are the clause.
    fn resolve(&mut self, first: VertexId, steps: &[Step]) -> Result<(), ChainError> {
        self.start_from(first)?;
        for (number, step) in steps.iter().enumerate() {
            let Step { pivot, antecedent } = *step;
            if pivot.index() >= self.marks.len() || !self.marks[pivot.index()] {
                return Err(ChainError::PivotMissing {
                    step: number,
                    pivot,
                });
            }
            self.marks[pivot.index()] = false;
            let mut clashes = false;
            for index in self.clause_range(antecedent) {
                let lit = self.lits[index];
                if lit == !pivot {
                    clashes = true;
                } else if self.marks[(!lit).index()] || lit == pivot {
                    return Err(ChainError::Tautology { step: number, lit });
                } else if !self.marks[lit.index()] {
                    self.marks[lit.index()] = true;
                    self.lits.push(lit);
                }
            }
            if !clashes {
                return Err(ChainError::NegationMissing {
                    step: number,
                    pivot,
                    antecedent,
                });
            }
        }
        Ok(())
    }

    fn clause_range(&self, vertex: VertexId) -> std::ops::Range<usize> {
        let start = match vertex {
            0 => 0,
            _ => self.vertices[vertex as usize - 1].lits_end,
        };
        start as usize..self.vertices[vertex as usize].lits_end as usize
    }

    fn reserve_marks(&mut self, lits: &[Lit]) {
        for lit in lits {
            self.n_vars = self.n_vars.max(lit.var().index() + 1);
        }
        if self.marks.len() < 2 * self.n_vars {
            self.marks.resize(2 * self.n_vars, false);
        }
    }

    /// Adds a vertex with the last literals and steps. If its number would be too large, they are truncated
    /// to `starts`.
    fn push(
        &mut self,
        first_or_label: u32,
        is_leaf: bool,
        starts: [usize; 2],
    ) -> Result<VertexId, ChainError> {
        let largest = u32::MAX - 1 - self.withheld;
        let number = |n: usize| u32::try_from(n).ok().filter(|&n| n <= largest);
        let numbers = [self.vertices.len(), self.lits.len(), self.steps.len()].map(number);
        let [Some(vertex), Some(lits_end), Some(steps_end)] = numbers else {
            let [n_lits, n_steps] = starts;
            self.lits.truncate(n_lits);
            self.steps.truncate(n_steps);
            return Err(ChainError::TooLarge);
        };
        self.vertices.push(Vertex {
            lits_end,
            steps_end,
            first_or_label,
            is_leaf,
        });
        self.root = Some(vertex);
        Ok(vertex)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lit::Var;
    use crate::proof::example::lits;

    fn step(pivot: i64, antecedent: VertexId) -> Step {
        Step {
            pivot: Lit::from_dimacs(pivot).unwrap(),
            antecedent,
        }
    }

    #[test]
    fn a_chain_holds_its_resolvent() {
        let mut dag = ProofDag::new();
        let ab = dag.add_leaf(&lits(&[1, 2, 2]), 0);
        let not_a = dag.add_leaf(&lits(&[-1, 3]), 1);
        let not_b = dag.add_leaf(&lits(&[-2]), 1);
        let not_c = dag.add_leaf(&lits(&[-3]), 1);
        assert_eq!(dag.clause(ab), lits(&[1, 2]));
        let c = dag
            .add_chain(ab, &[step(1, not_a), step(2, not_b)])
            .unwrap();
        assert_eq!(dag.clause(c), lits(&[3]));
        assert!(!dag.is_refutation());
        let empty = dag.add_chain(c, &[step(3, not_c)]).unwrap();
        assert_eq!(dag.root(), Some(empty));
        assert!(dag.is_refutation());
        assert_eq!(dag.n_steps(), 3);
        assert_eq!(dag.vertices().len(), 6);
    }

    #[test]
    fn what_is_no_resolution_is_refused_and_leaves_no_trace() {
        let mut dag = ProofDag::new();
        let ab = dag.add_leaf(&lits(&[1, 2]), 0);
        let both = dag.add_leaf(&lits(&[-1, -2]), 0);
        let c = dag.add_leaf(&lits(&[3]), 0);
        assert_eq!(
            dag.add_chain(ab, &[step(1, both)]),
            Err(ChainError::Tautology {
                step: 0,
                lit: Var::new(1).negative()
            })
        );
        assert_eq!(
            dag.add_chain(ab, &[step(1, c)]),
            Err(ChainError::NegationMissing {
                step: 0,
                pivot: Var::new(0).positive(),
                antecedent: c
            })
        );
        assert_eq!(
            dag.add_chain(c, &[step(1, both)]),
            Err(ChainError::PivotMissing {
                step: 0,
                pivot: Var::new(0).positive()
            })
        );
        assert_eq!(
            dag.add_chain(c, &[step(1, 9)]),
            Err(ChainError::ForwardReference(9))
        );
        assert_eq!(dag.n_vertices(), 3);
        let copy = dag.add_chain(ab, &[]).unwrap();
        assert_eq!(dag.clause(copy), lits(&[1, 2]));
    }

    #[test]
    fn a_proof_that_is_too_large_is_an_error() {
        let mut dag = ProofDag::new();
        dag.withheld = u32::MAX - 1 - 7;
        let ab = dag.add_leaf(&lits(&[1, 2]), 0);
        let not_a = dag.add_leaf(&lits(&[-1, 3]), 0);
        // The limit is seven literals.
        let before = dag.clone();
        assert_eq!(
            dag.try_add_leaf(&lits(&[1, 2, 3, 4]), 0),
            Err(ChainError::TooLarge)
        );
        let marks = std::mem::take(&mut dag.marks);
        assert!(marks.iter().all(|mark| !mark));
        dag.marks.clone_from(&before.marks);
        dag.n_vars = before.n_vars;
        assert_eq!(dag, before);
        let chain = dag.add_chain(ab, &[step(1, not_a)]).unwrap();
        let before = dag.clone();
        assert_eq!(
            dag.add_chain(ab, &[step(1, not_a)]),
            Err(ChainError::TooLarge)
        );
        assert_eq!(dag.add_antecedents(&[ab, not_a]), Err(ChainError::TooLarge));
        assert_eq!(dag, before);
        assert_eq!(dag.root(), Some(chain));
    }

    #[test]
    fn a_tautology_is_no_antecedent() {
        let mut dag = ProofDag::new();
        let tautology = dag.add_leaf(&lits(&[1, -1, 3]), 0);
        let a = dag.add_leaf(&lits(&[1, 2]), 0);
        let not_a = dag.add_leaf(&lits(&[-1, 2]), 0);
        let other = dag.add_leaf(&lits(&[-2, 4, -4]), 0);
        let before = dag.clone();
        let chains: [(VertexId, &[Step]); 6] = [
            (tautology, &[]),
            (tautology, &[step(1, not_a)]),
            (tautology, &[step(-1, a)]),
            (a, &[step(1, tautology)]),
            (not_a, &[step(-1, tautology)]),
            (a, &[step(2, other)]),
        ];
        for (first, steps) in chains {
            let outcome = dag.add_chain(first, steps);
            assert!(
                matches!(outcome, Err(ChainError::Tautology { step: 0, .. })),
                "{first} {steps:?}"
            );
            let antecedents: Vec<_> = std::iter::once(first)
                .chain(steps.iter().map(|step| step.antecedent))
                .collect();
            let outcome = dag.add_antecedents(&antecedents);
            assert!(
                matches!(outcome, Err(ChainError::Tautology { step: 0, .. })),
                "{antecedents:?}"
            );
            assert_eq!(dag, before);
        }
    }
}
