//! Drawings of proofs.

use std::io::{self, Write};

use craig_solver::Lit;
use craig_solver::proof::{Origin, ProofDag};

use super::graphviz::quote;

/// Draws a proof with Graphviz: original clauses as boxes with their labels, chains as ellipses, the pivots
/// at the arrows. `name` writes a literal. Meant for proofs of at most a few hundred vertices.
///
/// # Errors
/// If the output can't be written.
pub fn write_proof(
    dag: &ProofDag,
    name: &dyn Fn(Lit) -> String,
    output: &mut dyn Write,
) -> io::Result<()> {
    writeln!(output, "digraph proof {{")?;
    writeln!(output, "  rankdir=BT;\n  node [fontname=\"sans-serif\"];")?;
    for vertex in dag.vertices() {
        let lits: Vec<String> = dag.clause(vertex).iter().map(|&lit| name(lit)).collect();
        let clause = if lits.is_empty() {
            "\u{25a1}".into()
        } else {
            lits.join(" \u{2228} ")
        };
        match dag.origin(vertex) {
            Origin::Leaf { label } => {
                let text = quote(&format!("{label}: {clause}"));
                writeln!(output, "  c{vertex} [shape=box, label={text}];")?;
            }
            Origin::Chain { first, steps } => {
                writeln!(output, "  c{vertex} [label={}];", quote(&clause))?;
                writeln!(output, "  c{first} -> c{vertex};")?;
                for step in steps {
                    let pivot = quote(&name(step.pivot));
                    writeln!(
                        output,
                        "  c{} -> c{vertex} [label={pivot}];",
                        step.antecedent
                    )?;
                }
            }
        }
    }
    writeln!(output, "}}")
}
