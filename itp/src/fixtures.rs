//! Helpers of the tests: small labelled formulas, a naive prover that builds resolution proofs, independent
//! of the solver's search, and truth tables of up to six variables.

use craig_aig::{Aig, Edge, Node};
use craig_solver::proof::{ProofDag, Step, VertexId};
use craig_solver::{Cnf, Label, Lit, Var};
use proptest::prelude::*;

/// The number of variables of a truth table of 64 bits.
pub(crate) const MAX_VARS: usize = 6;

/// Formulas over up to six variables with labels 0 to 4, most of them unsatisfiable.
pub(crate) fn formulas() -> impl Strategy<Value = Cnf> {
    let lit = (0..MAX_VARS, any::<bool>()).prop_map(|(var, sign)| Var::new(var).lit(sign));
    let clause = (prop::collection::vec(lit, 1..=4), 0..5 as Label);
    prop::collection::vec(clause, 12..45).prop_map(|clauses| {
        let mut cnf = Cnf::new();
        cnf.reserve_vars(MAX_VARS);
        for (lits, label) in clauses {
            cnf.add_labelled_clause(&lits, label);
        }
        cnf
    })
}

/// A refutation by exhaustive splitting on the variables in the given order, or `None` if the formula is
/// satisfiable. Resolvents are used like clauses of the formula, so proofs share them.
pub(crate) fn refute(cnf: &Cnf, order: &[usize]) -> Option<ProofDag> {
    let mut dag = ProofDag::new();
    for (lits, label) in cnf.iter() {
        if !lits.iter().any(|&lit| lits.contains(&!lit)) {
            dag.add_leaf(lits, label);
        }
    }
    let root = split(&mut dag, &mut vec![None; cnf.n_vars()], order)?;
    dag.set_root(root);
    assert!(dag.is_refutation());
    Some(dag)
}

/// A vertex whose clause is false under `values`; `None` if some model extends them.
fn split(dag: &mut ProofDag, values: &mut Vec<Option<bool>>, order: &[usize]) -> Option<VertexId> {
    let is_false = |lit: &Lit| values[lit.var().index()] == Some(lit.is_negated());
    if let Some(vertex) = dag
        .vertices()
        .rev()
        .find(|&vertex| dag.clause(vertex).iter().all(is_false))
    {
        return Some(vertex);
    }
    let (&index, rest) = order.split_first()?;
    let positive = Var::new(index).positive();
    let mut branch = |dag: &mut ProofDag, value| {
        values[index] = Some(value);
        let vertex = split(dag, values, rest);
        values[index] = None;
        vertex
    };
    let below_true = branch(dag, true)?;
    if !dag.clause(below_true).contains(&!positive) {
        return Some(below_true);
    }
    let below_false = branch(dag, false)?;
    if !dag.clause(below_false).contains(&positive) {
        return Some(below_false);
    }
    let step = Step {
        pivot: positive,
        antecedent: below_true,
    };
    Some(dag.add_chain(below_false, &[step]).expect("a resolution"))
}

/// Merges each chain whose clause is used once, as the start of another chain, into that chain. The result
/// has long chains, as proofs of a search have.
pub(crate) fn merge_chains(dag: &ProofDag) -> ProofDag {
    use craig_solver::proof::Origin;
    let mut uses = vec![0; dag.n_vertices()];
    for vertex in dag.vertices() {
        if let Origin::Chain { first, steps } = dag.origin(vertex) {
            uses[first as usize] += 1;
            for step in steps {
                uses[step.antecedent as usize] += 2;
            }
        }
    }
    let mut merged = ProofDag::new();
    let mut renamed: Vec<(VertexId, Vec<Step>)> = Vec::new();
    for vertex in dag.vertices() {
        let entry = match dag.origin(vertex) {
            Origin::Leaf { label } => (merged.add_leaf(dag.clause(vertex), label), Vec::new()),
            Origin::Chain { first, steps } => {
                let (first, mut all) = renamed[first as usize].clone();
                all.extend(steps.iter().map(|step| Step {
                    pivot: step.pivot,
                    antecedent: renamed[step.antecedent as usize].0,
                }));
                if uses[vertex as usize] == 1 {
                    (first, all)
                } else {
                    (merged.add_chain(first, &all).unwrap(), Vec::new())
                }
            }
        };
        renamed.push(entry);
    }
    let (root, steps) = &renamed[dag.root().unwrap() as usize];
    assert!(steps.is_empty());
    merged.set_root(*root);
    merged
}

/// The truth table of a variable: bit `i` is its value in assignment number `i`.
pub(crate) fn variable_table(var: Var) -> u64 {
    (0..64)
        .filter(|assignment| assignment >> var.index() & 1 == 1)
        .fold(0, |table, assignment| table | 1 << assignment)
}

/// The truth table of the clauses whose label satisfies `wanted`.
pub(crate) fn clauses_table(cnf: &Cnf, wanted: impl Fn(Label) -> bool) -> u64 {
    let lit = |lit: &Lit| variable_table(lit.var()) ^ if lit.is_negated() { u64::MAX } else { 0 };
    cnf.iter()
        .filter(|&(_, label)| wanted(label))
        .map(|(clause, _)| clause.iter().map(lit).fold(0, |left, right| left | right))
        .fold(u64::MAX, |left, right| left & right)
}

/// A graph with one input for each of the six variables, in order.
pub(crate) fn graph() -> (Aig, [Edge; MAX_VARS]) {
    let mut aig = Aig::new();
    let edges = std::array::from_fn(|_| aig.add_input());
    (aig, edges)
}

/// The truth table of an edge of a [`graph`].
pub(crate) fn table(aig: &Aig, edge: Edge) -> u64 {
    let mut tables: Vec<u64> = Vec::with_capacity(aig.n_nodes());
    for node in 0..aig.n_nodes() as u32 {
        let of = |edge: Edge| tables[edge.node() as usize] ^ mask(edge);
        let table = match aig.node(node) {
            Node::Constant => 0,
            Node::Input(position) => variable_table(Var::new(position as usize)),
            Node::And(left, right) => of(left) & of(right),
        };
        tables.push(table);
    }
    tables[edge.node() as usize] ^ mask(edge)
}

fn mask(edge: Edge) -> u64 {
    if edge.is_negated() { u64::MAX } else { 0 }
}

/// Whether a variable occurs among the clauses whose label satisfies `wanted`.
pub(crate) fn occurs(cnf: &Cnf, var: Var, wanted: impl Fn(Label) -> bool) -> bool {
    cnf.iter()
        .any(|(clause, label)| wanted(label) && clause.iter().any(|lit| lit.var() == var))
}

/// A chain of `n` implications, of A and B in turn.
pub(crate) fn deep_proof(n: usize) -> ProofDag {
    let mut dag = ProofDag::new();
    let x = |index: usize| Var::new(index).positive();
    let mut last = dag.add_leaf(&[x(0)], 0);
    for index in 0..n {
        let antecedent = dag.add_leaf(&[!x(index), x(index + 1)], (index % 2) as Label);
        let pivot = x(index);
        last = dag.add_chain(last, &[Step { pivot, antecedent }]).unwrap();
    }
    let antecedent = dag.add_leaf(&[!x(n)], 1);
    let pivot = x(n);
    dag.add_chain(last, &[Step { pivot, antecedent }]).unwrap();
    dag
}

/// The literals of these numbers, as DIMACS has them.
pub(crate) fn lits(numbers: &[i64]) -> Vec<Lit> {
    let lit = |&number: &i64| Lit::from_dimacs(number).expect("a small number");
    numbers.iter().map(lit).collect()
}
