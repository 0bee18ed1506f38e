//! The interpolants: computed from a refutation, made smaller, verified.

use std::collections::HashMap;

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_formula::{Formulas, Variable};
use craig_itp::choice::{Choice, Cut};
use craig_itp::proof_sensitive::Occurrences;
use craig_itp::simplify::{Effort, Simplifier};
use craig_itp::symmetric::symmetric_by_part;
use craig_itp::tree::labelled_tree;
use craig_itp::verify::{Judge, Verifier, Violation};
use craig_itp::{JointError, Stop};
use craig_solver::proof::ProofDag;
use craig_solver::{Label, Var};
use craig_solver::{compact::compact, sweep::Budget};

use super::arguments::Arguments;
use super::shape::Shape;
use crate::problem::Problem;

/// The interpolants, over one input for each variable that occurs in more than one partition.
pub(super) fn interpolate(
    problem: &Problem,
    dag: &ProofDag,
    shape: &Shape,
    choice: &Choice,
    stop: &Stop,
) -> Result<Formulas, JointError> {
    let mut aig = Aig::new();
    let mut inputs: Vec<Option<Edge>> = vec![None; problem.cnf.n_vars()];
    let mut variables = Vec::new();
    for var in between_partitions(problem) {
        inputs[var.index()] = Some(aig.add_input());
        variables.push(Variable {
            var,
            name: problem.name(var),
        });
    }
    let mut leaf = |_: usize, var: Var| inputs[var.index()].expect("it is in two partitions");
    let edges = match shape {
        Shape::Cut(cut) => {
            let at = Cut {
                cnf: &problem.cnf,
                dag,
                in_a: &|label| label <= *cut,
                number: *cut as usize,
                stop,
            };
            vec![choice.interpolant(&at, &mut aig, &mut |var| leaf(0, var))?]
        }
        Shape::Sequence(cuts) => {
            choice.sequence((&problem.cnf, dag), cuts, &mut aig, &mut leaf, stop)?
        }
        Shape::Symmetric(parts) => {
            let counts = Occurrences::count(dag, stop)?;
            let side = |index: usize, var| {
                let part: Label = parts[index];
                let side = choice.side(&counts, &|label| label == part, part as usize, var);
                side.expect("other choices were refused")
            };
            symmetric_by_part(dag, parts, &side, &mut aig, &mut leaf, stop)?
        }
        Shape::Tree(tree) => {
            let counts = Occurrences::count(dag, stop)?;
            let side = |var| {
                let side = choice.side(&counts, &|_| true, 0, var);
                side.expect("other choices were refused")
            };
            labelled_tree(dag, tree, &side, &mut aig, &mut leaf, stop)?
        }
    };
    let named = |(index, edge)| (format!("interpolant_{}", shape.number(index)), edge);
    Ok(Formulas {
        aig,
        outputs: edges.into_iter().enumerate().map(named).collect(),
        inputs: variables,
    })
}

/// The variables that occur in more than one partition.
fn between_partitions(problem: &Problem) -> Vec<Var> {
    let mut first: Vec<Option<Label>> = vec![None; problem.cnf.n_vars()];
    let mut is_shared = vec![false; problem.cnf.n_vars()];
    for (clause, label) in problem.cnf.iter() {
        for lit in clause {
            let index = lit.var().index();
            is_shared[index] |= *first[index].get_or_insert(label) != label;
        }
    }
    let shared = (0..is_shared.len()).filter(|&index| is_shared[index]);
    shared.map(Var::new).collect()
}

/// `formulas`, compacted.
fn compacted(mut formulas: Formulas) -> Formulas {
    let roots: Vec<Edge> = formulas.outputs.iter().map(|&(_, edge)| edge).collect();
    let (aig, roots) = compact(&formulas.aig, &roots, Budget::default());
    for ((_, edge), root) in formulas.outputs.iter_mut().zip(roots) {
        *edge = root;
    }
    Formulas { aig, ..formulas }
}

/// The interpolants after the requested compaction and simplification, and whether the latter came to its end.
pub(super) fn shrunk(
    arguments: &Arguments,
    mut formulas: Formulas,
    problem: &Problem,
    shape: &Shape,
    stop: &Stop,
) -> (Formulas, bool) {
    let mut is_complete = true;
    if arguments.compact {
        formulas = compacted(formulas);
    }
    if arguments.simplify {
        (formulas, is_complete) = simplified(formulas, problem, shape, stop);
        if arguments.compact {
            formulas = compacted(formulas);
        }
    }
    (formulas, is_complete)
}

/// Simplified interpolants, and whether no stop ended that early.
fn simplified(
    mut formulas: Formulas,
    problem: &Problem,
    shape: &Shape,
    stop: &Stop,
) -> (Formulas, bool) {
    let inputs: HashMap<NodeId, Var> = formulas
        .aig
        .inputs()
        .iter()
        .copied()
        .zip(formulas.inputs.iter().map(|input| input.var))
        .collect();
    let simplifier = Simplifier {
        cnf: &problem.cnf,
        variable: &|node| inputs.get(&node).copied(),
        effort: Effort::default(),
        stop: stop.clone(),
    };
    let mut edges: Vec<Edge> = formulas.outputs.iter().map(|&(_, edge)| edge).collect();
    let aig = &mut formulas.aig;
    // A stop leaves valid interpolants, simplified as far as the work went.
    let ended = match shape {
        Shape::Cut(cut) => simplifier.interpolant(aig, &|label| label <= *cut, &mut edges[0]),
        Shape::Sequence(cuts) => simplifier.sequence(aig, cuts, &mut edges),
        Shape::Symmetric(parts) => simplifier.symmetric(aig, parts, &mut edges),
        Shape::Tree(tree) => simplifier.tree(aig, tree, &mut edges),
    };
    for ((_, edge), simple) in formulas.outputs.iter_mut().zip(edges) {
        *edge = simple;
    }
    (formulas, ended.is_ok())
}

/// Checks the conditions of the interpolants, each of which the judge decides.
pub(super) fn verify(
    problem: &Problem,
    formulas: &Formulas,
    shape: &Shape,
    judge: &dyn Judge,
    stop: &Stop,
) -> Result<(), Violation> {
    let edges: Vec<Edge> = formulas.outputs.iter().map(|&(_, edge)| edge).collect();
    let variable = |_: usize, node: NodeId| match formulas.aig.node(node) {
        Node::Input(position) => Some(formulas.inputs[position as usize].var),
        _ => None,
    };
    let verifier = Verifier {
        cnf: &problem.cnf,
        aig: &formulas.aig,
        variable: &variable,
        judge,
        stop,
    };
    match shape {
        Shape::Cut(cut) => verifier.interpolant(&|label| label <= *cut, edges[0]),
        Shape::Sequence(cuts) => verifier.sequence(cuts, &edges),
        Shape::Symmetric(parts) => verifier.symmetric(parts, &edges),
        Shape::Tree(tree) => verifier.tree(tree, &edges),
    }
}
