//! Gates and clauses of terms without arrays, and answers about them that are checked.

use std::collections::HashMap;

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_itp::Stop;
use craig_solver::encode::{ClauseSink, Encoder, Labelled};
use craig_solver::proof::check::{CheckError, check_dag_until, check_leaves_until};
use craig_solver::proof::{ProofDag, ProofLog, TrimError};
use craig_solver::{Answer, Cnf, Label, Lit, Options, Solver, Var};
use craig_word::{BitVector, Blaster, Term, Terms};

use crate::Failure;

/// Terms as gates.
#[derive(Default)]
pub(crate) struct Gates {
    pub(crate) aig: Aig,
    blaster: Blaster,
    /// By input of the graph: the variable and the bit of it.
    pub(crate) bits: Vec<(Term, u32)>,
}

impl Gates {
    /// The edges of a term, lowest bit first.
    pub(crate) fn blast(&mut self, terms: &Terms, term: Term) -> Vec<Edge> {
        let bits = &mut self.bits;
        let mut variable = |aig: &mut Aig, variable: Term| {
            let width = terms.width(variable);
            bits.extend((0..width).map(|bit| (variable, bit)));
            (0..width).map(|_| aig.add_input()).collect()
        };
        self.blaster
            .blast(terms, &mut self.aig, term, &mut variable)
    }

    /// The edge of a formula.
    pub(crate) fn formula(&mut self, terms: &Terms, formula: Term) -> Edge {
        self.blast(terms, formula)[0]
    }

    /// The variable and the bit of an input.
    pub(crate) fn bit(&self, input: NodeId) -> Option<(Term, u32)> {
        match self.aig.node(input) {
            Node::Input(position) => Some(self.bits[position as usize]),
            _ => None,
        }
    }

    /// Clauses that assert formulas, with a label for each group. Groups share the variables of inputs only.
    pub(crate) fn clauses(&self, groups: &[(Label, &[Edge])]) -> Clauses {
        let mut cnf = Cnf::new();
        let all: Vec<Edge> = groups
            .iter()
            .flat_map(|(_, group)| *group)
            .copied()
            .collect();
        let inputs: Vec<(NodeId, Var)> = (self.aig.support(&all).into_iter())
            .map(|input| (input, cnf.new_var()))
            .collect();
        for (label, group) in groups {
            let mut encoder = Encoder::new();
            for &(input, var) in &inputs {
                encoder.set(input, var.positive());
            }
            let mut sink = Labelled {
                sink: &mut cnf,
                label: *label,
            };
            for &edge in *group {
                let lit = encoder.encode_polarity(&self.aig, edge, &mut sink);
                sink.add_clause(&[lit]);
            }
        }
        Clauses { cnf, inputs }
    }

    /// Clauses that define each gate once, labelled 0, and assert each formula with its own label, from 1.
    pub(crate) fn asserted(&self, formulas: &[Edge]) -> Clauses {
        let mut cnf = Cnf::new();
        let mut encoder = Encoder::new();
        let mut inputs = Vec::new();
        for input in self.aig.support(formulas) {
            let var = cnf.new_var();
            encoder.set(input, var.positive());
            inputs.push((input, var));
        }
        for (label, &edge) in (1..).zip(formulas) {
            let lit = encoder.encode_polarity(&self.aig, edge, &mut cnf);
            cnf.add_labelled_clause(&[lit], label);
        }
        Clauses { cnf, inputs }
    }

    /// Values of the variables in a model of clauses.
    pub(crate) fn values(&self, terms: &Terms, clauses: &Clauses, model: &[bool]) -> Values {
        let mut ones: HashMap<Term, Vec<u64>> = HashMap::new();
        for &(input, var) in &clauses.inputs {
            let Some((term, bit)) = self.bit(input) else {
                continue;
            };
            let limbs = ones
                .entry(term)
                .or_insert_with(|| vec![0; terms.width(term).div_ceil(64) as usize]);
            limbs[bit as usize / 64] |= u64::from(model[var.index()]) << (bit % 64);
        }
        let value = |(term, limbs): (Term, Vec<u64>)| {
            (term, BitVector::from_limbs(&limbs, terms.width(term)))
        };
        ones.into_iter().map(value).collect()
    }
}

/// The values of variables; 0 of those without one.
pub(crate) type Values = HashMap<Term, BitVector>;

/// Clauses, and the variables of the inputs of the graph.
pub(crate) struct Clauses {
    pub(crate) cnf: Cnf,
    /// Their variables are the first ones, in this order.
    pub(crate) inputs: Vec<(NodeId, Var)>,
}

/// A checked answer.
pub(crate) enum Decided {
    /// A model, by variable.
    Satisfiable(Vec<bool>),
    Unsatisfiable(ProofDag),
    Unknown,
}

/// Decides clauses. A model is checked against all of them, and a refutation step by step.
pub(crate) fn decide(cnf: &Cnf, stop: &Stop) -> Result<Decided, Failure> {
    let options = Options {
        eliminate: true,
        ..Options::default()
    };
    let mut solver = Solver::with_proof(options, ProofLog::new());
    stop.install(&mut solver);
    solver.add_cnf(cnf);
    match solver.solve(&[]) {
        Answer::Unknown => Ok(Decided::Unknown),
        Answer::Satisfiable => {
            let value = |index| solver.value(Var::new(index).positive()) == Some(true);
            let model: Vec<bool> = (0..cnf.n_vars()).map(value).collect();
            match cnf.is_satisfied_by(&model) {
                true => Ok(Decided::Satisfiable(model)),
                false => Err(Failure::Internal(
                    "a model does not satisfy its clauses".to_owned(),
                )),
            }
        }
        Answer::Unsatisfiable => {
            let wrong = || Failure::Internal("a refutation has not passed its check".to_owned());
            let root = solver.refutation().ok_or_else(wrong)?;
            let is_asked = || stop.is_asked();
            let dag = match solver.into_proof().try_trim_until(root, is_asked) {
                Ok(dag) => dag,
                Err(TrimError::Stopped) => return Ok(Decided::Unknown),
                Err(_) => return Err(wrong()),
            };
            let checked = check_dag_until(&dag, is_asked)
                .and_then(|()| check_leaves_until(&dag, cnf, is_asked));
            match checked {
                Ok(()) if dag.is_refutation() => Ok(Decided::Unsatisfiable(dag)),
                Err(CheckError::Stopped) => Ok(Decided::Unknown),
                _ => Err(wrong()),
            }
        }
    }
}

/// The literals of formulas in a solver that has others.
pub(crate) fn literals(
    gates: &Gates,
    formulas: &[Edge],
    encoder: &mut Encoder,
    solver: &mut Solver,
) -> Vec<Lit> {
    let formulas = formulas.iter();
    formulas
        .map(|&edge| encoder.encode(&gates.aig, edge, solver))
        .collect()
}
