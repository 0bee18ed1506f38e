//! Interpolants of a refutation, for all shapes: one cut, sequence, symmetric, tree.

use std::collections::HashMap;
use std::sync::Arc;

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_itp::choice::{Choice, Cut};
use craig_itp::labelling::VariableLabels;
use craig_itp::proof_sensitive::{Occurrences, ProofSensitive};
use craig_itp::simplify::{Effort, Simplifier};
use craig_itp::symmetric::symmetric_by_part;
use craig_itp::tree::labelled_tree;
use craig_itp::verify::{CheckedSearch, Verifier, Violation};
use craig_itp::{JointError, Rule, Stop, Stopped, System, Tree};
use craig_solver::proof::{Origin, ProofDag, VertexId};
use craig_solver::{Cnf, Label, Var};
use pyo3::prelude::*;

use crate::errors::{self, InternalError, argument};
use crate::expression::Expression;
use crate::transform::Transform;

/// What `craig.interpolants` asks for: the keys of a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked {
    /// The part of each clause.
    pub(crate) parts: Vec<Label>,
    shape: String,
    tree: Vec<Option<usize>>,
    system: String,
    labelling: Option<String>,
    pub(crate) transforms: Vec<String>,
    simplify: bool,
    verify: bool,
    pub(crate) time: Option<f64>,
}

/// The clauses and their refutation, labelled with parts.
pub(crate) struct Question {
    cnf: Cnf,
    dag: ProofDag,
    n_parts: Label,
}

/// Why there are no interpolants.
pub(crate) enum Failure {
    Stopped,
    TooWeak(String),
    Violated(Violation),
}

impl Failure {
    /// The exception.
    pub(crate) fn raise(self) -> PyErr {
        match self {
            Self::Stopped | Self::Violated(Violation::Undecided) => errors::Stopped::new_err(
                "stopped before the interpolants were computed and checked",
            ),
            Self::TooWeak(text) => argument(&text),
            Self::Violated(violation) => {
                InternalError::new_err(format!("an interpolant is wrong: {violation}"))
            }
        }
    }
}

impl From<Stopped> for Failure {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<JointError> for Failure {
    fn from(error: JointError) -> Self {
        match error {
            JointError::TooWeak(error) => Self::TooWeak(error.to_string()),
            _ => Self::Stopped,
        }
    }
}

impl Question {
    /// Of clauses and a proof whose labels are the numbers of clauses; `parts` has the part of each clause.
    ///
    /// # Errors
    /// If there are not as many parts as clauses.
    pub(crate) fn new(formula: &Cnf, dag: &ProofDag, parts: &[Label]) -> PyResult<Self> {
        if parts.len() != formula.n_clauses() {
            return Err(argument(&format!(
                "{} parts for {} clauses: each clause needs the number of its part",
                parts.len(),
                formula.n_clauses()
            )));
        }
        let mut cnf = Cnf::new();
        cnf.reserve_vars(formula.n_vars());
        for ((clause, _), &part) in formula.iter().zip(parts) {
            cnf.add_labelled_clause(clause, part);
        }
        Ok(Self {
            cnf,
            dag: relabelled(dag, &|label| parts[label as usize]),
            n_parts: parts.iter().max().map_or(0, |&last| last + 1),
        })
    }
}

/// A proof with other labels of its leaves.
fn relabelled(dag: &ProofDag, label: &dyn Fn(Label) -> Label) -> ProofDag {
    let mut copy = ProofDag::new();
    let mut images: Vec<VertexId> = Vec::with_capacity(dag.n_vertices());
    for vertex in dag.vertices() {
        let image = match dag.origin(vertex) {
            Origin::Leaf { label: old } => copy.add_leaf(dag.clause(vertex), label(old)),
            Origin::Chain { first, steps } => {
                let steps: Vec<_> = steps
                    .iter()
                    .map(|step| craig_solver::proof::Step {
                        antecedent: images[step.antecedent as usize],
                        ..*step
                    })
                    .collect();
                let chain = copy.add_chain(images[first as usize], &steps);
                chain.expect("the steps are those of a proof")
            }
        };
        images.push(image);
    }
    if let Some(root) = dag.root() {
        copy.set_root(images[root as usize]);
    }
    copy
}

enum Shape {
    Cut(Label),
    Sequence(Vec<Label>),
    Symmetric(Vec<Label>),
    Tree(Tree),
}

/// Which interpolants, and by which labels.
pub(crate) struct Request {
    shape: Shape,
    choice: Choice,
    simplify: bool,
    verify: bool,
}

impl Request {
    /// What the arguments of Python ask for.
    ///
    /// # Errors
    /// If they are wrong, or do not go together.
    pub(crate) fn new(question: &Question, asked: Asked) -> PyResult<Self> {
        let n_parts = question.n_parts;
        let shape = match asked.shape.as_str() {
            "cut" => Shape::Cut(0),
            "sequence" => Shape::Sequence((0..n_parts.saturating_sub(1)).collect()),
            "symmetric" => Shape::Symmetric((0..n_parts).collect()),
            "tree" if asked.tree.len() != n_parts as usize => {
                let n_nodes = asked.tree.len();
                let message = format!("a tree of {n_nodes} nodes for {n_parts} parts");
                return Err(argument(&message));
            }
            "tree" => Shape::Tree(Tree::new(asked.tree).map_err(|error| argument(&error))?),
            other => {
                let expected = "\"cut\", \"sequence\", \"symmetric\" or \"tree\"";
                let message = format!("there is no shape {other:?}: expected {expected}");
                return Err(argument(&message));
            }
        };
        let choice = choice(&asked.system, asked.labelling.as_deref())?;
        check_choice(&choice, &shape)?;
        Ok(Self {
            shape,
            choice,
            simplify: asked.simplify,
            verify: asked.verify,
        })
    }

    /// The interpolants.
    ///
    /// # Errors
    /// If a label is too weak, a condition does not hold, or the stop requests the end.
    pub(crate) fn answer(
        &self,
        question: Question,
        transforms: &[Transform],
        stop: &Stop,
    ) -> Result<Vec<Expression>, Failure> {
        let Question { cnf, mut dag, .. } = question;
        let cut = match &self.shape {
            Shape::Cut(cut) => *cut,
            _ if transforms
                .iter()
                .any(|transform| transform.depends_on_cut()) =>
            {
                let text = "a transform that depends on the cut is for one cut: all interpolants are of one proof";
                return Err(Failure::TooWeak(text.to_owned()));
            }
            _ => 0,
        };
        for transform in transforms {
            dag = transform.apply(&dag, &|label| label <= cut, stop)?;
        }
        let mut aig = Aig::new();
        let variables = between_parts(&cnf);
        let mut inputs: Vec<Option<Edge>> = vec![None; cnf.n_vars()];
        for var in &variables {
            inputs[var.index()] = Some(aig.add_input());
        }
        let mut leaf = |_: usize, var: Var| inputs[var.index()].expect("it is in two parts");
        let mut edges = self.edges(&cnf, &dag, &mut aig, &mut leaf, stop)?;
        if self.simplify {
            let of_input: HashMap<NodeId, Var> = aig
                .inputs()
                .iter()
                .copied()
                .zip(variables.iter().copied())
                .collect();
            let simplifier = Simplifier {
                cnf: &cnf,
                variable: &|node| of_input.get(&node).copied(),
                effort: Effort::default(),
                stop: stop.clone(),
            };
            match &self.shape {
                Shape::Cut(cut) => {
                    simplifier.interpolant(&mut aig, &|label| label <= *cut, &mut edges[0])
                }
                Shape::Sequence(cuts) => simplifier.sequence(&mut aig, cuts, &mut edges),
                Shape::Symmetric(parts) => simplifier.symmetric(&mut aig, parts, &mut edges),
                Shape::Tree(tree) => simplifier.tree(&mut aig, tree, &mut edges),
            }?;
        }
        if self.verify {
            let verifier = Verifier {
                cnf: &cnf,
                aig: &aig,
                variable: &|_, node| match aig.node(node) {
                    Node::Input(position) => Some(variables[position as usize]),
                    _ => None,
                },
                judge: &CheckedSearch,
                stop,
            };
            match &self.shape {
                Shape::Cut(cut) => verifier.interpolant(&|label| label <= *cut, edges[0]),
                Shape::Sequence(cuts) => verifier.sequence(cuts, &edges),
                Shape::Symmetric(parts) => verifier.symmetric(parts, &edges),
                Shape::Tree(tree) => verifier.tree(tree, &edges),
            }
            .map_err(Failure::Violated)?;
        }
        let (aig, variables) = (Arc::new(aig), Arc::new(variables));
        let expression = |edge| Expression::new(Arc::clone(&aig), edge, Arc::clone(&variables));
        Ok(edges.into_iter().map(expression).collect())
    }

    fn edges(
        &self,
        cnf: &Cnf,
        dag: &ProofDag,
        aig: &mut Aig,
        leaf: &mut dyn FnMut(usize, Var) -> Edge,
        stop: &Stop,
    ) -> Result<Vec<Edge>, Failure> {
        match &self.shape {
            Shape::Cut(cut) => {
                let at = Cut {
                    cnf,
                    dag,
                    in_a: &|label| label <= *cut,
                    number: *cut as usize,
                    stop,
                };
                Ok(vec![
                    self.choice.interpolant(&at, aig, &mut |var| leaf(0, var))?,
                ])
            }
            Shape::Sequence(cuts) => Ok(self.choice.sequence((cnf, dag), cuts, aig, leaf, stop)?),
            Shape::Symmetric(parts) => {
                let counts = Occurrences::count(dag, stop)?;
                let side = |index: usize, var| {
                    let part: Label = parts[index];
                    let side =
                        self.choice
                            .side(&counts, &|label| label == part, part as usize, var);
                    side.expect("other choices were refused")
                };
                Ok(symmetric_by_part(dag, parts, &side, aig, leaf, stop)?)
            }
            Shape::Tree(tree) => {
                let counts = Occurrences::count(dag, stop)?;
                let side = |var| {
                    let side = self.choice.side(&counts, &|_| true, 0, var);
                    side.expect("other choices were refused")
                };
                Ok(labelled_tree(dag, tree, &side, aig, leaf, stop)?)
            }
        }
    }
}

/// The labels of shared variables.
fn choice(system: &str, labelling: Option<&str>) -> PyResult<Choice> {
    if let Some(text) = labelling {
        let labels = VariableLabels::parse(text);
        let labels = labels.map_err(|error| argument(&format!("labelling: line {error}")))?;
        return Ok(Choice::Labels("labelling".to_owned(), labels));
    }
    let sensitive = ProofSensitive::ALL
        .into_iter()
        .find(|kind| kind.name() == system);
    match (System::from_name(system), sensitive) {
        (Some(system), _) => Ok(system.into()),
        (None, Some(kind)) => Ok(kind.into()),
        (None, None) if system == "clausewise" => Ok(Choice::Clausewise),
        (None, None) => {
            let classic = System::ALL.map(System::name).join(", ");
            let sensitive = ProofSensitive::ALL.map(ProofSensitive::name).join(", ");
            Err(argument(&format!(
                "there is no system {system:?}: expected one of {classic}, {sensitive}, clausewise"
            )))
        }
    }
}

/// Refuses labels with which the joint condition of several interpolants may fail.
fn check_choice(choice: &Choice, shape: &Shape) -> PyResult<()> {
    let refused = match (choice, shape) {
        (Choice::Clausewise, Shape::Symmetric(_) | Shape::Tree(_)) => {
            "clausewise interpolants have no labels: they are for one cut or a sequence"
        }
        (Choice::Rule(Rule::ProofSensitive(_)), Shape::Tree(_)) => {
            "the labels of proof-sensitive systems differ between subtrees, but a tree needs one labelling for all of it"
        }
        (Choice::Labels(_, labels), Shape::Sequence(_) | Shape::Symmetric(_) | Shape::Tree(_))
            if labels.has_occurrences() || labels.differs_between_cuts() =>
        {
            "labels of literals, clauses or single cuts are for one cut: several interpolants need those of variables"
        }
        _ => return Ok(()),
    };
    Err(argument(refused))
}

/// The variables that occur in more than one part.
fn between_parts(cnf: &Cnf) -> Vec<Var> {
    let mut first: Vec<Option<Label>> = vec![None; cnf.n_vars()];
    let mut is_shared = vec![false; cnf.n_vars()];
    for (clause, label) in cnf.iter() {
        for lit in clause {
            let index = lit.var().index();
            is_shared[index] |= *first[index].get_or_insert(label) != label;
        }
    }
    let shared = (0..is_shared.len()).filter(|&index| is_shared[index]);
    shared.map(Var::new).collect()
}
