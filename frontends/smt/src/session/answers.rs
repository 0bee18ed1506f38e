//! Answers about the assertions: models, cores, proofs and interpolants.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::Arc;

use craig_aig::Edge;
use craig_formula::{dimacs, write_lrat};
use craig_solver::proof::{Origin, ProofDag};
use craig_word::{ArrayValue, BitVector, Evaluator, Node, Sort as WordSort, Term, Value};

use super::{Assertion, Session};
use crate::Failure;
use crate::arrays::{Index, Lists, WithoutArrays, without_arrays};
use crate::decide::{Clauses, Decided, Gates, Values, decide};
use crate::interpolate::{Cut, NoInterpolant};
use crate::print::Written;
use crate::shape::{Part, parts};
use crate::syntax::{Id, Script};
use crate::terms::Reader;
use crate::values;

/// An answer.
pub(crate) enum Outcome {
    Satisfiable(Model),
    Unsatisfiable(Box<Refuted>),
}

/// The values of constants; others have 0.
pub(crate) type Model = HashMap<Term, Value>;

/// A refutation, and what it refutes.
pub(crate) struct Refuted {
    clauses: Clauses,
    gates: Gates,
    dag: ProofDag,
}

type Result<T> = std::result::Result<T, Failure>;

/// Decides the assertions together with others; nothing if it is not found out.
pub(crate) fn check(
    session: &mut Session<'_, '_>,
    id: Id,
    assumed: Vec<Term>,
) -> Result<Option<Outcome>> {
    let mut formulas: Vec<Term> = session.assertions.iter().map(|own| own.term).collect();
    formulas.extend(assumed);
    let mut lists = Lists::default();
    let plain = without_arrays(&mut session.terms, &formulas, &mut lists);
    let plain = plain.map_err(|error| session.error(id, many_indices(error.width)))?;
    let mut gates = Gates::default();
    let all = plain.formulas.iter().chain(&plain.lemmas);
    let edges: Vec<Edge> = all
        .map(|&formula| gates.formula(&session.terms, formula))
        .collect();
    let clauses = gates.asserted(&edges);
    Ok(match decide(&clauses.cnf, session.stop)? {
        Decided::Unknown => None,
        Decided::Unsatisfiable(dag) => {
            let refuted = Refuted {
                clauses,
                gates,
                dag,
            };
            Some(Outcome::Unsatisfiable(Box::new(refuted)))
        }
        Decided::Satisfiable(model) => {
            let values = gates.values(&session.terms, &clauses, &model);
            let model = session.lifted(&values, &lists, &plain);
            let mut evaluator = evaluator(session, &model);
            if formulas
                .iter()
                .any(|&formula| evaluator.value(formula) != 1)
            {
                let message = "a model of the bits is none of the assertions";
                return Err(Failure::Internal(message.to_owned()));
            }
            drop(evaluator);
            Some(Outcome::Satisfiable(model))
        }
    })
}

fn many_indices(width: u32) -> String {
    format!(
        "an equality of arrays with indices of {width} bits among more indices than these have is not supported"
    )
}

fn evaluator<'s>(session: &'s Session<'_, '_>, model: &Model) -> Evaluator<'s> {
    let mut evaluator = Evaluator::new(&session.terms, |_, _| 0);
    for (&term, value) in model {
        evaluator.set_value(term, value.clone());
    }
    evaluator
}

impl Session<'_, '_> {
    /// The model of the constants: arrays from their elements.
    fn lifted(&self, values: &Values, lists: &Lists, plain: &WithoutArrays) -> Model {
        let zero = |width| BitVector::new(0, width);
        let value_of =
            |term: Term, width: u32| values.get(&term).cloned().unwrap_or_else(|| zero(width));
        let mut evaluator = Evaluator::new(&self.terms, |_, _| 0);
        let mut model = Model::new();
        for (&term, value) in values {
            evaluator.set_value(term, Value::Bits(value.clone()));
            model.insert(term, Value::Bits(value.clone()));
        }
        for (_, constant) in &self.constants {
            let WordSort::Array { index, element } = self.terms.sort(constant.term) else {
                continue;
            };
            let elements = plain.elements.get(&constant.term);
            let default = elements.and_then(|elements| elements.get(&Index::Elsewhere));
            let default =
                default.map_or_else(|| zero(element), |&default| value_of(default, element));
            let mut array = ArrayValue::new(index, default);
            for (at, &variable) in elements.into_iter().flatten() {
                if let Index::At(at) = at {
                    let at = evaluator.value_of(*at).bits().clone();
                    array.store(at, value_of(variable, element));
                }
            }
            let list = lists.iter().find(|(own, _)| *own == constant.term);
            for (number, &variable) in (0u128..).zip(list.map_or(&[][..], |(_, list)| list)) {
                array.store(BitVector::new(number, index), value_of(variable, element));
            }
            model.insert(constant.term, Value::Array(Arc::new(array)));
        }
        model
    }

    pub(crate) fn model(&self, id: Id) -> Result<String> {
        let mut evaluator = evaluator(self, self.found_model(id)?);
        let mut text = "(\n".to_owned();
        for (name, constant) in &self.constants {
            let value = evaluator.value_of(constant.term);
            let value = values::value(&value, constant.sort);
            let (name, sort) = (values::symbol(name), constant.sort);
            let _ = writeln!(text, "  (define-fun {name} () {sort} {value})");
        }
        Ok(text + ")")
    }

    pub(crate) fn values(&mut self, id: Id, list: Id) -> Result<String> {
        self.found_model(id)?;
        let script = self.script;
        if script.items(list).is_empty() {
            return Err(self.error(list, "expected a list of terms"));
        }
        let mut asked = Vec::new();
        for &item in script.items(list) {
            asked.push((item, self.reader().term(item)?));
        }
        let mut evaluator = evaluator(self, self.found_model(id)?);
        let mut pairs = Vec::new();
        for (item, asked) in asked {
            let value = values::value(&evaluator.value_of(asked.term), asked.sort);
            pairs.push(format!("({} {value})", script.source(item)));
        }
        Ok(format!("({})", pairs.join(" ")))
    }

    pub(crate) fn core(&self, id: Id) -> Result<String> {
        let refuted = self.refuted(id)?;
        let labels = refuted
            .dag
            .vertices()
            .filter_map(|vertex| match refuted.dag.origin(vertex) {
                Origin::Leaf { label } => (label as usize).checked_sub(1),
                Origin::Chain { .. } => None,
            });
        let used: BTreeSet<usize> = labels.collect();
        let names = used
            .into_iter()
            .filter_map(|index| self.assertions.get(index)?.name.as_deref());
        let names: Vec<String> = names.map(values::symbol).collect();
        Ok(format!("({})", names.join(" ")))
    }

    /// The clauses of the assertions, in DIMACS, and their refutation, in LRAT. Comments name the variables of bits.
    pub(crate) fn proof(&self, id: Id) -> Result<String> {
        let refuted = self.refuted(id)?;
        let names = self.written();
        let mut cnf = Vec::new();
        for &(input, var) in &refuted.clauses.inputs {
            let bit = refuted.gates.bit(input);
            if let Some((name, bit)) = bit.and_then(|(term, bit)| Some((&names.get(&term)?.0, bit)))
            {
                cnf.extend(
                    format!("c bit {bit} of {name} is {}\n", var.positive().to_dimacs()).bytes(),
                );
            }
        }
        let mut lrat = Vec::new();
        let written = dimacs::write(&refuted.clauses.cnf, &mut cnf)
            .and_then(|()| write_lrat(&refuted.dag, &refuted.clauses.cnf, &mut lrat));
        written.map_err(|error| Failure::Internal(error.to_string()))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace('"', "\"\"");
        Ok(format!(
            "(refutation\n:dimacs \"{}\"\n:lrat \"{}\")",
            text(&cnf),
            text(&lrat)
        ))
    }

    /// The names and sorts of constants, by their terms.
    fn written(&self) -> Written {
        let constants = self.constants.iter();
        constants
            .map(|(name, own)| (own.term, (values::symbol(name), own.sort)))
            .collect()
    }

    /// MathSAT's: of groups against all other assertions.
    pub(crate) fn interpolant(&mut self, id: Id, list: Id) -> Result<String> {
        self.refuted(id)?;
        let mut groups = HashSet::new();
        for &item in self.script.items(list) {
            let group = self.script.symbol(item).unwrap_or_default();
            if !self
                .assertions
                .iter()
                .any(|own| own.group.as_deref() == Some(group))
            {
                return Err(self.error(
                    item,
                    format!("no assertion has the group `{}`", self.script.shown(item)),
                ));
            }
            groups.insert(group);
        }
        if groups.is_empty() {
            return Err(self.error(list, "expected a list of groups"));
        }
        let is_in = |own: &&Assertion| {
            own.group
                .as_deref()
                .is_some_and(|group| groups.contains(group))
        };
        let (a, b): (Vec<_>, Vec<_>) = self.assertions.iter().partition(is_in);
        let terms = |side: Vec<&Assertion>| side.iter().map(|own| own.term).collect();
        let own = vec![terms(a), terms(b)];
        let found = self.of_tree(id, &own, &[Vec::new(), vec![0]])?;
        Ok(found.into_iter().next().unwrap_or_default())
    }

    /// SMTInterpol's: of a sequence or a tree of named assertions.
    pub(crate) fn interpolants(&mut self, id: Id) -> Result<String> {
        self.refuted(id)?;
        let parts = parts(self.script, id)?;
        let mut seen = HashSet::new();
        let mut own = Vec::new();
        for part in &parts {
            own.push(self.terms_of(part, &mut seen)?);
        }
        let children: Vec<Vec<usize>> = parts.into_iter().map(|part| part.children).collect();
        let found = self.of_tree(id, &own, &children)?;
        Ok(format!("({})", found.join("\n ")))
    }

    fn terms_of(&self, part: &Part, seen: &mut HashSet<String>) -> Result<Vec<Term>> {
        let mut terms = Vec::new();
        for (name, id) in &part.names {
            let mut all = self.assertions.iter();
            let Some(found) = all.find(|own| own.name.as_deref() == Some(name)) else {
                return Err(
                    self.error(*id, format!("there is no assertion with the name `{name}`"))
                );
            };
            if !seen.insert(name.clone()) {
                return Err(self.error(*id, format!("`{name}` is in two partitions")));
            }
            terms.push(found.term);
        }
        Ok(terms)
    }

    /// The interpolants of a tree, children first, without that of the root, which is last. Each is read again, and verified.
    fn of_tree(
        &mut self,
        id: Id,
        own: &[Vec<Term>],
        children: &[Vec<usize>],
    ) -> Result<Vec<String>> {
        let mut found: Vec<(String, Term)> = Vec::new();
        let root = own.len() - 1;
        let below = subtrees(children);
        for part in 0..root {
            let first = side(own, &found, children, part);
            // Of parts that are left, and of interpolants whose parent is.
            let mut second: Vec<Term> = own[part + 1..].concat();
            let parent = |child: usize| children.iter().position(|list| list.contains(&child));
            let open = (0..part).filter(|&child| parent(child).is_some_and(|parent| parent > part));
            second.extend(open.map(|child| found[child].1));
            let text = self.cut().interpolant(&first, &second);
            let text = text.map_err(|error| self.no_interpolant(id, error))?;
            let term = self.read_again(&text)?;
            found.push((text, term));
        }
        for part in 0..=root {
            let mut formulas = side(own, &found, children, part);
            if part < root {
                let not = self.terms.not(found[part].1);
                formulas.push(not);
                self.check_vocabulary(found[part].1, own, &below[part])?;
            }
            let holds = self.cut().is_inconsistent(&formulas);
            if !holds.map_err(|error| self.no_interpolant(id, error))? {
                return Err(Failure::Internal("an interpolant is wrong".to_owned()));
            }
        }
        Ok(found.into_iter().map(|(text, _)| text).collect())
    }

    fn cut(&mut self) -> CutOf<'_> {
        CutOf {
            names: self.written(),
            terms: &mut self.terms,
            options: self.options,
            stop: self.stop,
        }
    }

    /// The term of a formula that is printed.
    fn read_again(&mut self, text: &str) -> Result<Term> {
        let wrong =
            |error| Failure::Internal(format!("an interpolant can't be read again: {error}"));
        let command = format!("(assert {text})");
        let script = Script::read(&command, "interpolant").map_err(wrong)?;
        let mut reader = Reader::new(&script, &mut self.names, &mut self.terms);
        let value = reader
            .term(script.items(script.commands[0])[1])
            .map_err(wrong)?;
        Ok(value.term)
    }

    /// Refuses an interpolant with a symbol that only one side has.
    fn check_vocabulary(&self, term: Term, own: &[Vec<Term>], below: &[bool]) -> Result<()> {
        let variables = |formulas: &[Term]| -> HashSet<Term> {
            let cone = self.terms.cone(formulas, |_| false).into_iter();
            cone.filter(|&term| matches!(self.terms.node(term), Node::Var(_)))
                .collect()
        };
        for is_below in [true, false] {
            let side = own
                .iter()
                .zip(below)
                .filter(|(_, below)| **below == is_below);
            let side: Vec<Term> = side.flat_map(|(terms, _)| terms.iter().copied()).collect();
            if !variables(&[term]).is_subset(&variables(&side)) {
                return Err(Failure::Internal(
                    "an interpolant has a symbol of one side only".to_owned(),
                ));
            }
        }
        Ok(())
    }

    fn no_interpolant(&self, id: Id, error: NoInterpolant) -> Failure {
        match error {
            NoInterpolant::Failure(failure) => failure,
            NoInterpolant::Unknown => Failure::Stopped,
            NoInterpolant::Satisfiable => self.error(
                id,
                "the partitions are consistent: name all assertions that contradict each other",
            ),
            NoInterpolant::ManyIndices(width) => self.error(id, many_indices(width)),
            NoInterpolant::LargeArray(term) => {
                let written = self.written();
                let name = written.get(&term).map_or("an array", |(name, _)| name);
                let message = format!(
                    "interpolants over arrays with more than 256 elements are not supported, and `{name}` is in two partitions"
                );
                self.error(id, message)
            }
        }
    }
}

/// A [`Cut`] with names of its own.
struct CutOf<'a> {
    names: Written,
    terms: &'a mut craig_word::Terms,
    options: &'a crate::Options,
    stop: &'a craig_itp::Stop,
}

impl CutOf<'_> {
    fn with(&mut self) -> Cut<'_> {
        Cut {
            terms: self.terms,
            names: &self.names,
            options: self.options,
            stop: self.stop,
        }
    }

    fn interpolant(
        &mut self,
        a: &[Term],
        b: &[Term],
    ) -> std::result::Result<String, NoInterpolant> {
        self.with().interpolant(a, b)
    }

    fn is_inconsistent(&mut self, formulas: &[Term]) -> std::result::Result<bool, NoInterpolant> {
        self.with().is_inconsistent(formulas)
    }
}

/// The formulas of a part, with the interpolants of its children.
fn side(
    own: &[Vec<Term>],
    found: &[(String, Term)],
    children: &[Vec<usize>],
    part: usize,
) -> Vec<Term> {
    let mut side = own[part].clone();
    side.extend(children[part].iter().map(|&child| found[child].1));
    side
}

/// By part: which parts are in its subtree.
fn subtrees(children: &[Vec<usize>]) -> Vec<Vec<bool>> {
    let mut below: Vec<Vec<bool>> = Vec::new();
    for (part, list) in children.iter().enumerate() {
        let mut own = vec![false; children.len()];
        own[part] = true;
        for &child in list {
            for (all, more) in own.iter_mut().zip(&below[child]) {
                *all |= more;
            }
        }
        below.push(own);
    }
    below
}
