//! The summary of `craig itp`.

use std::fmt::Write as _;

use craig_aig::Edge;
use craig_formula::Formulas;
use craig_itp::choice::Choice;
use craig_itp::transform::ProofStatistics;
use craig_itp::{Size, shared_variables, size};
use craig_solver::Label;
use craig_solver::proof::ProofDag;
use serde_json::{Value, json};

use super::shape::Shape;
use crate::problem::Problem;

/// An interpolant and its measures.
struct Interpolant {
    name: String,
    edge: Edge,
    size: Size,
    /// How many variables its two sides share.
    n_shared: usize,
}

/// The summary.
pub(super) struct Summary {
    interpolants: Vec<Interpolant>,
    labelling: String,
    n_clauses: usize,
    core: usize,
    resolutions: usize,
    pub(super) verified: bool,
    /// Whether simplification came to its end, if it was wanted.
    pub(super) simplified: Option<bool>,
    /// Sizes before and after the transforms, if there are any.
    pub(super) transformed: Option<[ProofStatistics; 2]>,
}

impl Summary {
    pub(super) fn new(
        problem: &Problem,
        dag: &ProofDag,
        shape: &Shape,
        choice: &Choice,
        formulas: &Formulas,
    ) -> Self {
        let n_shared = |index: usize| {
            let shared = |in_a: &dyn Fn(Label) -> bool| shared_variables(&problem.cnf, in_a).len();
            match shape {
                Shape::Cut(cut) => shared(&|label| label <= *cut),
                Shape::Sequence(cuts) => shared(&|label| label <= cuts[index]),
                Shape::Symmetric(parts) => shared(&|label| label == parts[index]),
                Shape::Tree(tree) => shared(&|label| tree.subtree_contains(index, label)),
            }
        };
        let proof = ProofStatistics::of(dag);
        let interpolants = formulas
            .outputs
            .iter()
            .enumerate()
            .map(|(index, (name, edge))| Interpolant {
                name: name.clone(),
                edge: *edge,
                size: size(&formulas.aig, *edge),
                n_shared: n_shared(index),
            });
        Self {
            interpolants: interpolants.collect(),
            labelling: choice.name(),
            n_clauses: problem.cnf.n_clauses(),
            core: proof.core,
            resolutions: proof.resolutions,
            verified: false,
            simplified: None,
            transformed: None,
        }
    }

    /// A table.
    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "proof: {} of {} clauses, {} resolutions; labelling: {}\n\n",
            self.core, self.n_clauses, self.resolutions, self.labelling
        );
        if let Some(proofs) = &self.transformed {
            let _ = writeln!(
                text,
                "{:<16} {:>8} {:>12} {:>9} {:>8} {:>7}",
                "", "vertices", "resolutions", "literals", "core", "depth"
            );
            for (name, proof) in ["proof as found", "transformed"].iter().zip(proofs) {
                let _ = writeln!(
                    text,
                    "{name:<16} {:>8} {:>12} {:>9} {:>8} {:>7}",
                    proof.vertices, proof.resolutions, proof.literals, proof.core, proof.depth
                );
            }
            text.push('\n');
        }
        let _ = writeln!(
            text,
            "{:<16} {:>8} {:>6} {:>9} {:>8} {:>7}  form",
            "", "ANDs", "depth", "literals", "support", "shared"
        );
        for interpolant in &self.interpolants {
            let size = &interpolant.size;
            let _ = writeln!(
                text,
                "{:<16} {:>8} {:>6} {:>9} {:>8} {:>7}  {}",
                interpolant.name,
                size.ands,
                size.depth,
                size.literals,
                size.support,
                interpolant.n_shared,
                interpolant.form()
            );
        }
        if self.verified {
            text.push_str("\nverified\n");
        }
        text
    }

    /// The fields of one JSON object.
    pub(super) fn json(&self) -> Value {
        let interpolant = |interpolant: &Interpolant| {
            json!({
                "name": interpolant.name,
                "ands": interpolant.size.ands,
                "depth": interpolant.size.depth,
                "literals": interpolant.size.literals,
                "support": interpolant.size.support,
                "shared": interpolant.n_shared,
                "cnf": interpolant.size.is_cnf,
                "constant": interpolant.edge.is_constant().then_some(interpolant.edge == Edge::TRUE),
            })
        };
        let proof = |proof: &ProofStatistics| {
            json!({
                "vertices": proof.vertices,
                "resolutions": proof.resolutions,
                "literals": proof.literals,
                "core": proof.core,
                "depth": proof.depth,
            })
        };
        json!({
            "labelling": self.labelling,
            "clauses": self.n_clauses,
            "core": self.core,
            "resolutions": self.resolutions,
            "verified": self.verified,
            "simplified": self.simplified,
            "transformed": self.transformed.as_ref().map(|[before, after]| {
                json!({ "before": proof(before), "after": proof(after) })
            }),
            "interpolants": self.interpolants.iter().map(interpolant).collect::<Vec<_>>(),
        })
    }
}

impl Interpolant {
    fn form(&self) -> &'static str {
        match self.edge {
            Edge::FALSE => "false",
            Edge::TRUE => "true",
            _ if self.size.is_cnf => "CNF",
            _ => "",
        }
    }
}
