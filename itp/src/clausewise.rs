//! Interpolants in conjunctive normal form, clause by clause.
//!
//! The clauses of a refutation that only clauses of A derive, and that a clause of B is resolved with, are
//! consequences of A; those among them over shared variables alone are kept. If they do not contradict B yet, a
//! model of both is no model of A, and the part of it that A contradicts is excluded by one more clause, until
//! none is left. That is the way from a near-interpolant of a proof to an interpolant that Y. Vizel, V. Ryvchin
//! and A. Nadel take ("Efficient generation of small interpolants in CNF", CAV 2013); theirs approximates the
//! elimination of the local variables first. In the end, clauses that the others make superfluous are dropped.

use craig_aig::{Aig, Edge};
use craig_solver::proof::{Origin, ProofDag, Step, VertexId};
use craig_solver::{Answer, Cnf, Label, Lit, Solver, Var};

use crate::partition::shared_variables;
use crate::stop::{Poll, Stop, Stopped};

/// Clauses whose conjunction is an interpolant.
pub type Clauses = Vec<Vec<Lit>>;

/// An interpolant of the clauses whose label satisfies `in_a` against the others, as clauses over the shared
/// variables. `dag` is a refutation of the formula.
///
/// # Errors
/// If `stop` requests the end.
///
/// # Panics
/// If `dag` has no root.
pub fn clausewise(
    cnf: &Cnf,
    dag: &ProofDag,
    in_a: &dyn Fn(Label) -> bool,
    stop: &Stop,
) -> Result<Clauses, Stopped> {
    let mut a = Cnf::new();
    for (clause, label) in cnf.iter() {
        if in_a(label) {
            a.add_clause(clause);
        }
    }
    Work::new(cnf, &a, in_a, stop).run(near(dag, in_a, &mut Poll::new(stop)?)?)
}

/// An interpolant for each cut, such that each follows from the one before it and the clauses between: it is made
/// of these instead of all clauses up to the cut.
///
/// # Errors
/// If `stop` requests the end.
///
/// # Panics
/// If `dag` has no root.
pub fn clausewise_sequence(
    cnf: &Cnf,
    dag: &ProofDag,
    cuts: &[Label],
    stop: &Stop,
) -> Result<Vec<Clauses>, Stopped> {
    let mut poll = Poll::new(stop)?;
    let mut found: Vec<Clauses> = Vec::new();
    for (index, &cut) in cuts.iter().enumerate() {
        let last = index.checked_sub(1).map(|before| cuts[before]);
        let mut a = Cnf::new();
        for clause in found.last().into_iter().flatten() {
            a.add_clause(clause);
        }
        for (clause, label) in cnf.iter() {
            if label <= cut && last.is_none_or(|last| label > last) {
                a.add_clause(clause);
            }
        }
        let in_a = |label: Label| label <= cut;
        let near = near(dag, &in_a, &mut poll)?;
        found.push(Work::new(cnf, &a, &in_a, stop).run(near)?);
    }
    Ok(found)
}

/// The conjunction of the clauses in a graph.
pub fn conjunction(clauses: &Clauses, aig: &mut Aig, leaf: &mut dyn FnMut(Var) -> Edge) -> Edge {
    let mut all = Edge::TRUE;
    for clause in clauses {
        let mut none = Edge::TRUE;
        for lit in clause {
            let edge = leaf(lit.var()).negate_if(lit.is_negated());
            none = aig.and(none, !edge);
        }
        all = aig.and(all, !none);
    }
    all
}

/// The clauses between the two sides of a proof: derived from A alone, and resolved with what is not.
fn near(
    dag: &ProofDag,
    in_a: &dyn Fn(Label) -> bool,
    poll: &mut Poll<'_>,
) -> Result<Clauses, Stopped> {
    let mut is_of_a: Vec<bool> = Vec::with_capacity(dag.n_vertices());
    let mut is_border = vec![false; dag.n_vertices()];
    for vertex in dag.vertices() {
        let here = match dag.origin(vertex) {
            Origin::Leaf { label } => in_a(label),
            Origin::Chain { first, steps } => {
                poll.spend(1 + steps.len())?;
                let sources = |steps: &[Step]| -> Vec<VertexId> {
                    let antecedents = steps.iter().map(|step| step.antecedent);
                    std::iter::once(first).chain(antecedents).collect()
                };
                let sources = sources(steps);
                let all = sources.iter().all(|&source| is_of_a[source as usize]);
                if !all {
                    for source in sources {
                        is_border[source as usize] |= is_of_a[source as usize];
                    }
                }
                all
            }
        };
        is_of_a.push(here);
    }
    let root = dag.root().expect("a proof with a root") as usize;
    is_border[root] |= is_of_a[root];
    let border = (dag.vertices()).filter(|&vertex| is_border[vertex as usize]);
    Ok(border.map(|vertex| dag.clause(vertex).to_vec()).collect())
}

/// The search for the clauses of one interpolant.
struct Work<'a> {
    /// By variable: whether both sides have it.
    is_shared: Vec<bool>,
    /// A, which has to imply each clause.
    a: Solver,
    /// B, and a selector for each clause found.
    b: Solver,
    selectors: Vec<Lit>,
    clauses: Clauses,
    stop: &'a Stop,
}

impl<'a> Work<'a> {
    fn new(cnf: &Cnf, a_side: &Cnf, in_a: &dyn Fn(Label) -> bool, stop: &'a Stop) -> Self {
        let mut is_shared = vec![false; cnf.n_vars()];
        for var in shared_variables(cnf, in_a) {
            is_shared[var.index()] = true;
        }
        let [mut a, mut b] = [(); 2].map(|()| {
            let mut solver = Solver::new();
            stop.install(&mut solver);
            solver.reserve_vars(cnf.n_vars());
            solver
        });
        a.add_cnf(a_side);
        for (clause, label) in cnf.iter() {
            if !in_a(label) {
                b.add_clause(clause);
            }
        }
        Self {
            is_shared,
            a,
            b,
            selectors: Vec::new(),
            clauses: Vec::new(),
            stop,
        }
    }

    fn run(mut self, near: Clauses) -> Result<Clauses, Stopped> {
        for clause in near {
            let is_shared = clause.iter().all(|lit| self.is_shared[lit.var().index()]);
            if is_shared && let Some(clause) = self.generalised(&clause)? {
                self.add(clause);
            }
        }
        while let Some(model) = self.escape()? {
            let clause: Vec<Lit> = model.iter().map(|&lit| !lit).collect();
            let clause = self.generalised(&clause)?;
            // A and B are inconsistent, so A excludes each model of B.
            self.add(clause.expect("a refuted formula"));
        }
        self.reduce()
    }

    fn add(&mut self, clause: Vec<Lit>) {
        let selector = self.b.new_var().positive();
        let guarded: Vec<Lit> = clause.iter().copied().chain([!selector]).collect();
        self.b.add_clause(&guarded);
        self.selectors.push(selector);
        self.clauses.push(clause);
    }

    /// A model of B and the clauses, on the shared variables; none if they contradict each other.
    fn escape(&mut self) -> Result<Option<Vec<Lit>>, Stopped> {
        let selectors = self.selectors.clone();
        match self.b.solve(&selectors) {
            Answer::Unknown => Err(Stopped),
            Answer::Unsatisfiable => Ok(None),
            Answer::Satisfiable => {
                let shared = (0..self.is_shared.len()).filter(|&index| self.is_shared[index]);
                let value = |index: usize| {
                    let lit = Var::new(index).positive();
                    lit.negate_if(self.b.value(lit) != Some(true))
                };
                Ok(Some(shared.map(value).collect()))
            }
        }
    }

    /// A part of the clause that A implies, from which no literal can be left out; none if A does not imply it.
    fn generalised(&mut self, clause: &[Lit]) -> Result<Option<Vec<Lit>>, Stopped> {
        let negated = |clause: &[Lit]| clause.iter().map(|&lit| !lit).collect::<Vec<_>>();
        let Some(mut core) = self.core(&negated(clause))? else {
            return Ok(None);
        };
        let mut at = 0;
        while at < core.len() {
            let mut fewer = core.clone();
            fewer.remove(at);
            match self.core(&fewer)? {
                Some(smaller) => core.retain(|lit| smaller.contains(lit)),
                None => at += 1,
            }
        }
        Ok(Some(negated(&core)))
    }

    /// Assumptions that A contradicts, of those given.
    fn core(&mut self, assumptions: &[Lit]) -> Result<Option<Vec<Lit>>, Stopped> {
        match self.a.solve(assumptions) {
            Answer::Unknown => Err(Stopped),
            Answer::Satisfiable => Ok(None),
            Answer::Unsatisfiable => {
                let failed = self.a.failed_assumptions();
                Ok(Some(
                    assumptions
                        .iter()
                        .copied()
                        .filter(|lit| failed.contains(lit))
                        .collect(),
                ))
            }
        }
    }

    /// The clauses without those that B together with the others does not need.
    fn reduce(mut self) -> Result<Clauses, Stopped> {
        let mut kept: Vec<usize> = (0..self.clauses.len()).collect();
        let mut at = 0;
        while at < kept.len() {
            if self.stop.is_asked() {
                return Err(Stopped);
            }
            let fewer: Vec<usize> = kept
                .iter()
                .copied()
                .filter(|&one| one != kept[at])
                .collect();
            let selectors: Vec<Lit> = fewer.iter().map(|&one| self.selectors[one]).collect();
            match self.b.solve(&selectors) {
                Answer::Unknown => return Err(Stopped),
                Answer::Satisfiable => at += 1,
                Answer::Unsatisfiable => {
                    let failed = self.b.failed_assumptions();
                    kept = fewer
                        .into_iter()
                        .filter(|&one| failed.contains(&self.selectors[one]))
                        .collect();
                    at = at.min(kept.len());
                }
            }
        }
        Ok(kept
            .into_iter()
            .map(|one| std::mem::take(&mut self.clauses[one]))
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fixtures::{clauses_table, formulas, occurs, refute, variable_table};

    fn table(clauses: &Clauses) -> u64 {
        let lit =
            |lit: &Lit| variable_table(lit.var()) ^ if lit.is_negated() { u64::MAX } else { 0 };
        let clause = |clause: &Vec<Lit>| clause.iter().map(lit).fold(0, |left, right| left | right);
        clauses
            .iter()
            .map(clause)
            .fold(u64::MAX, |left, right| left & right)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn clauses_are_interpolants_that_need_each_other(cnf in formulas(), cut in 0..4 as Label) {
            if let Some(dag) = refute(&cnf, &[0, 1, 2, 3, 4, 5]) {
                let in_a = |label: Label| label <= cut;
                let found = clausewise(&cnf, &dag, &in_a, &Stop::never()).unwrap();
                let [a, b] = [true, false].map(|side| clauses_table(&cnf, |label| in_a(label) == side));
                prop_assert_eq!(a & !table(&found), 0);
                prop_assert_eq!(b & table(&found), 0);
                for lit in found.iter().flatten() {
                    prop_assert!(occurs(&cnf, lit.var(), in_a));
                    prop_assert!(occurs(&cnf, lit.var(), |label| !in_a(label)));
                }
                for without in 0..found.len() {
                    let mut fewer = found.clone();
                    fewer.remove(without);
                    prop_assert_ne!(b & table(&fewer), 0);
                }
            }
        }

        #[test]
        fn sequences_have_the_path_property(cnf in formulas()) {
            if let Some(dag) = refute(&cnf, &[5, 4, 3, 2, 1, 0]) {
                let cuts = [0, 1, 2, 3];
                let found = clausewise_sequence(&cnf, &dag, &cuts, &Stop::never()).unwrap();
                let mut before = u64::MAX;
                for (&cut, clauses) in cuts.iter().zip(&found) {
                    let step = clauses_table(&cnf, |label| label == cut);
                    prop_assert_eq!(before & step & !table(clauses), 0);
                    before = table(clauses);
                }
                prop_assert_eq!(before & clauses_table(&cnf, |label| label > 3), 0);
            }
        }
    }

    #[test]
    fn a_stop_ends_it() {
        let mut cnf = Cnf::new();
        let x = Var::new(0);
        cnf.add_labelled_clause(&[x.positive()], 0);
        cnf.add_labelled_clause(&[x.negative()], 1);
        let dag = refute(&cnf, &[0]).unwrap();
        let in_a = |label| label == 0;
        assert!(clausewise(&cnf, &dag, &in_a, &Stop::when(|| true)).is_err());
        let found = clausewise(&cnf, &dag, &in_a, &Stop::never()).unwrap();
        assert_eq!(found, [[x.positive()]]);
    }
}
