//! Interpolants of a tree of partitions, one query each: the partition of a node and the interpolants of its children are one
//! side; the interpolants and partitions that are left are the other. Both are inconsistent as long as each interpolant was
//! one, and the interpolant of a node follows from those of its children and its own partition, whichever they are.

use std::collections::{BTreeSet, HashMap, HashSet};

use craig_aig::{Aig, Edge, Node as Gate, NodeId};
use craig_itp::{Stop, interpolant};
use craig_solver::compact::compact_until;
use craig_solver::sweep::Budget;
use craig_word::{BitVector, Node, Sort as WordSort, Term, Terms};

use crate::arrays::{Lists, MOST_LISTED, TooManyIndices, without_arrays};
use crate::bits;
use crate::decide::{Decided, Gates, decide};
use crate::lift::Sides;
use crate::print::Written;
use crate::sort::Sort;
use crate::values;
use crate::{Failure, Options};

/// The label of the side whose consequence an interpolant is, and of the other.
const A: u32 = 1;
const B: u32 = 2;

/// Why there is no interpolant.
pub(crate) enum NoInterpolant {
    Failure(Failure),
    /// The sides are consistent.
    Satisfiable,
    /// Not decided.
    Unknown,
    /// A shared array, by its variable, has too many elements.
    LargeArray(Term),
    /// All indices of this width occur.
    ManyIndices(u32),
}

impl From<Failure> for NoInterpolant {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<TooManyIndices> for NoInterpolant {
    fn from(error: TooManyIndices) -> Self {
        Self::ManyIndices(error.width)
    }
}

/// What both sides are made of.
pub(crate) struct Cut<'a> {
    pub(crate) terms: &'a mut Terms,
    /// The names of variables.
    pub(crate) names: &'a Written,
    pub(crate) options: &'a Options,
    pub(crate) stop: &'a Stop,
}

/// Formulas without arrays.
struct Side {
    formulas: Vec<Term>,
    variables: HashSet<Term>,
}

impl Cut<'_> {
    /// The text of an interpolant of two lists of formulas.
    pub(crate) fn interpolant(&mut self, a: &[Term], b: &[Term]) -> Result<String, NoInterpolant> {
        let mut lists = Lists::default();
        self.list_shared(a, b, &mut lists)?;
        let [a, b] = [self.side(a, &mut lists)?, self.side(b, &mut lists)?];
        let shared: Vec<Term> = a.variables.intersection(&b.variables).copied().collect();
        let written = self.written(&shared, &lists);
        let mut gates = Gates::default();
        let over_bits = self.over_bits(&mut gates, &a, &b, &written)?;
        if over_bits == "true" || over_bits == "false" || !self.options.words {
            return Ok(over_bits);
        }
        let mut sides = Sides {
            terms: self.terms,
            gates: &mut gates,
            sides: [&a.formulas, &b.formulas],
            shared: &written,
            stop: self.stop,
        };
        Ok(sides.interpolant().unwrap_or(over_bits))
    }

    /// Whether formulas are inconsistent, by their terms alone.
    pub(crate) fn is_inconsistent(&mut self, formulas: &[Term]) -> Result<bool, NoInterpolant> {
        let mut lists = Lists::default();
        let side = self.side(formulas, &mut lists)?;
        let mut gates = Gates::default();
        let edges: Vec<Edge> = side
            .formulas
            .iter()
            .map(|&formula| gates.formula(self.terms, formula))
            .collect();
        match decide(&gates.asserted(&edges).cnf, self.stop)? {
            Decided::Unsatisfiable(_) => Ok(true),
            Decided::Satisfiable(_) => Ok(false),
            Decided::Unknown => Err(NoInterpolant::Unknown),
        }
    }

    /// Arrays that both sides have are lists.
    fn list_shared(&self, a: &[Term], b: &[Term], lists: &mut Lists) -> Result<(), NoInterpolant> {
        let variables = |side: &[Term]| -> BTreeSet<Term> {
            let cone = self.terms.cone(side, |_| false).into_iter();
            let is_array = |&term: &Term| {
                self.terms.is_array(term) && matches!(self.terms.node(term), Node::Var(_))
            };
            cone.filter(is_array).collect()
        };
        for &array in variables(a).intersection(&variables(b)) {
            match self.terms.sort(array) {
                WordSort::Array { index, .. } if index <= MOST_LISTED => {
                    lists.listed.insert(index);
                }
                _ => return Err(NoInterpolant::LargeArray(array)),
            }
        }
        Ok(())
    }

    fn side(&mut self, formulas: &[Term], lists: &mut Lists) -> Result<Side, NoInterpolant> {
        let found = without_arrays(self.terms, formulas, lists)?;
        let mut formulas = found.formulas;
        formulas.extend(found.lemmas);
        let cone = self.terms.cone(&formulas, |_| false).into_iter();
        let is_variable = |&term: &Term| matches!(self.terms.node(term), Node::Var(_));
        let variables = cone.filter(is_variable).collect();
        Ok(Side {
            formulas,
            variables,
        })
    }

    /// The shared variables as they are written: elements of lists as such.
    fn written(&self, shared: &[Term], lists: &Lists) -> Written {
        let mut written: Written = HashMap::new();
        for (array, elements) in lists.iter() {
            let Some((name, Sort::Array { index, element })) = self.names.get(&array) else {
                continue;
            };
            for (number, &variable) in (0u128..).zip(elements) {
                let at = values::bits(&BitVector::new(number, *index));
                let text = format!("(select {name} {at})");
                written.insert(variable, (text, Sort::Word(*element)));
            }
        }
        let all = shared.iter();
        all.filter_map(|variable| {
            let own = written.get(variable).or_else(|| self.names.get(variable))?;
            Some((*variable, own.clone()))
        })
        .collect()
    }

    /// The interpolant of a refutation.
    fn over_bits(
        &mut self,
        gates: &mut Gates,
        a: &Side,
        b: &Side,
        written: &Written,
    ) -> Result<String, NoInterpolant> {
        let [a, b] = [a, b].map(|side| -> Vec<Edge> {
            let formulas = side.formulas.iter();
            formulas
                .map(|&formula| gates.formula(self.terms, formula))
                .collect()
        });
        let clauses = gates.clauses(&[(A, &a), (B, &b)]);
        let dag = match decide(&clauses.cnf, self.stop)? {
            Decided::Unsatisfiable(dag) => dag,
            Decided::Satisfiable(_) => return Err(NoInterpolant::Satisfiable),
            Decided::Unknown => return Err(NoInterpolant::Unknown),
        };
        let mut aig = Aig::new();
        let edges: Vec<Edge> = clauses.inputs.iter().map(|_| aig.add_input()).collect();
        let found = interpolant(
            &dag,
            &|label| label == A,
            self.options.system,
            &mut aig,
            // Inputs have the first variables, and the sides share no others.
            &mut |var| edges[var.index()],
            self.stop,
        );
        let edge = found.map_err(Failure::from)?;
        let (aig, roots) = compact_until(&aig, &[edge], Budget::default(), &mut || {
            self.stop.is_asked()
        });
        let terms = &*self.terms;
        let input = |node: NodeId| {
            let bit = match aig.node(node) {
                Gate::Input(position) => gates.bit(clauses.inputs[position as usize].0),
                _ => None,
            };
            bit.map_or_else(String::new, |(variable, bit)| {
                write_bit(terms, written, variable, bit)
            })
        };
        Ok(bits::formula(&aig, roots[0], &input))
    }
}

/// A bit of a variable as a truth value.
fn write_bit(terms: &Terms, written: &Written, variable: Term, bit: u32) -> String {
    let Some((name, sort)) = written.get(&variable) else {
        return String::new();
    };
    match (sort, terms.width(variable)) {
        (Sort::Bool, _) => name.clone(),
        (_, 1) => format!("(= {name} #b1)"),
        _ => format!("(= ((_ extract {bit} {bit}) {name}) #b1)"),
    }
}
