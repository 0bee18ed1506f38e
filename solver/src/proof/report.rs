//! Reports a trimmed proof to a sink, as a search would.

use super::dag::{Origin, ProofDag, VertexId};
use super::sink::{ClauseId, ProofSink};
use crate::cnf::Cnf;

impl ProofDag {
    /// Reports all clauses of the formula and then the proof's derivations, for instance to a writer of proof
    /// files. Each derived clause is reported as deleted after its last use.
    ///
    /// The labels of the proof's leaves are the positions of their clauses in the formula.
    ///
    /// # Panics
    /// If a label is not below the number of clauses.
    pub fn report(&self, formula: &Cnf, sink: &mut impl ProofSink) {
        let n_clauses = formula.n_clauses();
        for (index, (lits, label)) in formula.iter().enumerate() {
            sink.original(index as ClauseId + 1, lits, label);
        }
        let mut last_uses = self.last_uses();
        let mut ids: Vec<ClauseId> = Vec::with_capacity(self.n_vertices());
        let mut last = n_clauses as ClauseId;
        let mut antecedents = Vec::new();
        for vertex in self.vertices() {
            match self.origin(vertex) {
                Origin::Leaf { label } => {
                    assert!((label as usize) < n_clauses, "a label names a clause");
                    ids.push(label + 1);
                }
                Origin::Chain { first, steps } => {
                    let used = || std::iter::once(first).chain(steps.iter().map(|s| s.antecedent));
                    antecedents.clear();
                    antecedents.extend(used().map(|used| ids[used as usize]));
                    last += 1;
                    sink.derived(last, self.clause(vertex), &antecedents);
                    ids.push(last);
                    for used in used() {
                        if last_uses[used as usize] == vertex
                            && matches!(self.origin(used), Origin::Chain { .. })
                        {
                            // A step may use an antecedent twice.
                            last_uses[used as usize] = VertexId::MAX;
                            sink.deleted(ids[used as usize], self.clause(used));
                        }
                    }
                }
            }
        }
    }

    /// By vertex: the last vertex that uses it as an antecedent, or itself.
    fn last_uses(&self) -> Vec<VertexId> {
        let mut uses: Vec<VertexId> = self.vertices().collect();
        for vertex in self.vertices() {
            if let Origin::Chain { first, steps } = self.origin(vertex) {
                uses[first as usize] = vertex;
                for step in steps {
                    uses[step.antecedent as usize] = vertex;
                }
            }
        }
        uses
    }
}

#[cfg(test)]
mod tests {
    use crate::proof::check::CheckingSink;
    use crate::proof::{ProofLog, ProofSink};
    use crate::{Answer, Cnf, Options, Solver, Var};

    /// Four pigeons, three holes, and a clause that no refutation needs.
    fn pigeons() -> Cnf {
        let sits = |pigeon: usize, hole: usize| Var::new(3 * pigeon + hole).positive();
        let mut cnf = Cnf::new();
        cnf.add_clause(&[Var::new(12).positive(), Var::new(13).positive()]);
        for pigeon in 0..4 {
            cnf.add_clause(&[0, 1, 2].map(|hole| sits(pigeon, hole)));
            for other in 0..pigeon {
                for hole in 0..3 {
                    cnf.add_clause(&[!sits(pigeon, hole), !sits(other, hole)]);
                }
            }
        }
        cnf
    }

    #[test]
    fn a_reported_proof_checks_and_trims_to_itself() {
        let cnf = pigeons();
        let mut solver = Solver::with_proof(Options::default(), ProofLog::new());
        for (index, (lits, _)) in cnf.iter().enumerate() {
            solver.add_labelled_clause(lits, index as u32);
        }
        assert_eq!(solver.solve(&[]), Answer::Unsatisfiable);
        let root = solver.refutation().unwrap();
        let dag = solver.proof().trim(root);
        let mut sink = CheckingSink::new();
        dag.report(&cnf, &mut sink);
        sink.finish().unwrap();
        /// Records the last clause of the proof, and the clauses not deleted by then.
        #[derive(Default)]
        struct End {
            last: Option<Vec<crate::Lit>>,
            derived: usize,
            deleted: usize,
        }
        impl ProofSink for End {
            const ENABLED: bool = true;
            const ANTECEDENTS: bool = true;
            fn original(&mut self, _: u32, _: &[crate::Lit], _: u32) {}
            fn derived(&mut self, _: u32, lits: &[crate::Lit], _: &[u32]) {
                self.last = Some(lits.to_vec());
                self.derived += 1;
            }
            fn deleted(&mut self, _: u32, _: &[crate::Lit]) {
                self.deleted += 1;
            }
        }
        let mut end = End::default();
        dag.report(&cnf, &mut end);
        assert_eq!(end.last, Some(Vec::new()));
        assert_eq!(end.derived, end.deleted + 1);
    }
}
