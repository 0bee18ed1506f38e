//! What `craig itp` tells about its interpolants.

use std::fmt::Write as _;

use craig_itp::transform::ProofStatistics;
use craig_solver::aig::Edge;
use serde_json::json;

use super::{Interpolant, Summary};

impl Summary {
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

    /// One JSON object.
    pub(super) fn json(&self) -> String {
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
        let value = json!({
            "labelling": self.labelling,
            "clauses": self.n_clauses,
            "core": self.core,
            "resolutions": self.resolutions,
            "verified": self.verified,
            "transformed": self.transformed.as_ref().map(|[before, after]| {
                json!({ "before": proof(before), "after": proof(after) })
            }),
            "interpolants": self.interpolants.iter().map(interpolant).collect::<Vec<_>>(),
        });
        format!("{value:#}\n")
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
