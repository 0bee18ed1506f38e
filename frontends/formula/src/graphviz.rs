//! Formulas as drawings.

use std::io::{self, Write};

use craig_aig::{Edge, Node};

use super::formulas::Formulas;

pub(super) fn write(formulas: &Formulas, output: &mut dyn Write) -> io::Result<()> {
    let edges = formulas.edges();
    writeln!(output, "digraph interpolants {{")?;
    writeln!(output, "  node [fontname=\"sans-serif\"];")?;
    let arrow = |output: &mut dyn Write, from: &str, to: Edge| {
        let style = if to.is_negated() {
            " [style=dashed]"
        } else {
            ""
        };
        writeln!(output, "  {from} -> n{}{style};", to.node())
    };
    if edges.iter().any(|edge| edge.is_constant()) {
        writeln!(output, "  n0 [shape=box, label=\"false\"];")?;
    }
    for node in formulas.aig.cone(&edges) {
        match formulas.aig.node(node) {
            Node::Constant => {}
            Node::Input(position) => {
                let name = quote(&formulas.inputs[position as usize].name);
                writeln!(output, "  n{node} [shape=box, label={name}];")?;
            }
            Node::And(left, right) => {
                writeln!(output, "  n{node} [shape=circle, label=\"\u{2227}\"];")?;
                for operand in [left, right] {
                    arrow(output, &format!("n{node}"), operand)?;
                }
            }
        }
    }
    for (index, (name, edge)) in formulas.outputs.iter().enumerate() {
        writeln!(
            output,
            "  o{index} [shape=plaintext, label={}];",
            quote(name)
        )?;
        arrow(output, &format!("o{index}"), *edge)?;
    }
    writeln!(output, "}}")
}

/// A quoted string in Graphviz's syntax.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(if c.is_control() { ' ' } else { c });
    }
    quoted.push('"');
    quoted
}
