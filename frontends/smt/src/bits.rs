//! Formulas over bits in the notation of SMT-LIB.

use std::collections::HashMap;
use std::fmt::Write as _;

use craig_aig::{Aig, Edge, Node, NodeId};

/// A formula of a graph; `input` writes an input. Gates that are used more than once have names, and gates of one level are
/// bound together, so that readers that are recursive need a stack for the levels only.
pub(crate) fn formula(aig: &Aig, edge: Edge, input: &dyn Fn(NodeId) -> String) -> String {
    let cone = aig.cone(&[edge]);
    let mut n_uses: HashMap<NodeId, usize> = HashMap::new();
    for &node in &cone {
        if let Node::And(left, right) = aig.node(node) {
            for operand in [left, right] {
                *n_uses.entry(operand.node()).or_default() += 1;
            }
        }
    }
    let mut texts: HashMap<NodeId, String> = HashMap::new();
    // By node: its level among the named ones, and how deep its text is.
    let mut levels: HashMap<NodeId, (usize, usize)> = HashMap::new();
    texts.insert(Edge::FALSE.node(), "false".to_owned());
    levels.insert(Edge::FALSE.node(), (0, 0));
    let mut bound: Vec<Vec<(String, String)>> = Vec::new();
    for &node in &cone {
        let (text, level) = match aig.node(node) {
            Node::Constant => ("false".to_owned(), (0, 0)),
            Node::Input(_) => (input(node), (0, 0)),
            Node::And(left, right) => {
                let [left, right] = [left, right].map(|operand| {
                    let text = &texts[&operand.node()];
                    (negated(text, operand.is_negated()), levels[&operand.node()])
                });
                let text = format!("(and {} {})", left.0, right.0);
                let (a, b) = (left.1, right.1);
                (text, (a.0.max(b.0), a.1.max(b.1) + 1))
            }
        };
        let is_gate = matches!(aig.node(node), Node::And(..));
        let is_shared = n_uses.get(&node).is_some_and(|&n| n > 1) || level.1 >= MOST_NESTED;
        if is_gate && is_shared && node != edge.node() {
            let name = format!(".g{node}");
            if bound.len() <= level.0 {
                bound.resize_with(level.0 + 1, Vec::new);
            }
            bound[level.0].push((name.clone(), text));
            texts.insert(node, name);
            levels.insert(node, (level.0 + 1, 0));
        } else {
            texts.insert(node, text);
            levels.insert(node, level);
        }
    }
    let mut text = String::new();
    for level in &bound {
        text += "(let (";
        for (index, (name, definition)) in level.iter().enumerate() {
            let blank = if index == 0 { "" } else { " " };
            let _ = write!(text, "{blank}({name} {definition})");
        }
        text += ") ";
    }
    text += &negated(&texts[&edge.node()], edge.is_negated());
    text + &")".repeat(bound.len())
}

/// Deeper formulas get names for their parts.
const MOST_NESTED: usize = 40;

fn negated(text: &str, is_negated: bool) -> String {
    match is_negated {
        true if text == "false" => "true".to_owned(),
        true => format!("(not {text})"),
        false => text.to_owned(),
    }
}
