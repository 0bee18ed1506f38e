//! Formulas as SMT-LIB 2 definitions. Every gate is a separate definition: nesting them would overflow the
//! stack of many readers.

use std::io::{self, Write};

use craig_aig::{Edge, Node};

use super::formulas::Formulas;

pub(super) fn write(formulas: &Formulas, output: &mut dyn Write) -> io::Result<()> {
    let edges = formulas.edges();
    let symbols: Vec<String> = formulas
        .inputs
        .iter()
        .map(|input| symbol(&input.name))
        .collect();
    writeln!(output, "(set-logic QF_UF)")?;
    for name in &symbols {
        writeln!(output, "(declare-const {name} Bool)")?;
    }
    let term = |edge: Edge| {
        let positive = match formulas.aig.node(edge.node()) {
            Node::Constant => return (edge == Edge::TRUE).to_string(),
            Node::Input(position) => symbols[position as usize].clone(),
            Node::And(..) => format!("|gate {}|", edge.node()),
        };
        if edge.is_negated() {
            format!("(not {positive})")
        } else {
            positive
        }
    };
    for node in formulas.aig.cone(&edges) {
        if let Node::And(left, right) = formulas.aig.node(node) {
            let (left, right) = (term(left), term(right));
            writeln!(
                output,
                "(define-fun |gate {node}| () Bool (and {left} {right}))"
            )?;
        }
    }
    for (name, edge) in &formulas.outputs {
        writeln!(
            output,
            "(define-fun {} () Bool {})",
            symbol(name),
            term(*edge)
        )?;
    }
    if let [(name, _)] = &formulas.outputs[..] {
        writeln!(output, "(assert {})\n(check-sat)", symbol(name))?;
    }
    Ok(())
}

/// A quoted symbol. The two characters that a quoted symbol can't contain are replaced; so are spaces, since
/// names of gates contain one and no variable may have such a name.
fn symbol(name: &str) -> String {
    let safe = |c: char| {
        if matches!(c, '|' | '\\') || c.is_whitespace() || c.is_control() {
            '_'
        } else {
            c
        }
    };
    format!("|{}|", name.chars().map(safe).collect::<String>())
}
