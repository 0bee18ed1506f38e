//! A readable form of a few formulas, for tests and logs.

use std::fmt::Write as _;

use super::edge::{Edge, Node};
use super::graph::Aig;

impl Aig {
    /// The formulas `roots` as text in the manner of ASCII AIGER: the header `aag M I L O A`, a line per
    /// input, a line per root, and `node left right` for each AND below the roots, all in codes of edges.
    /// This is no file format: node numbers are kept, so they may have gaps.
    ///
    /// # Panics
    /// If a root is no edge of this graph.
    #[must_use]
    pub fn to_ascii(&self, roots: &[Edge]) -> String {
        let mut ands = String::new();
        let mut n_ands = 0;
        for node in self.cone(roots) {
            if let Node::And(left, right) = self.node(node) {
                let code = Edge::new(node, false).code();
                let _ = writeln!(ands, "{code} {} {}", right.code(), left.code());
                n_ands += 1;
            }
        }
        let mut text = format!(
            "aag {} {} 0 {} {n_ands}\n",
            self.n_nodes() - 1,
            self.n_inputs(),
            roots.len()
        );
        let inputs = self.inputs().iter().map(|&node| Edge::new(node, false));
        for edge in inputs.chain(roots.iter().copied()) {
            let _ = writeln!(text, "{}", edge.code());
        }
        text + &ands
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{random_aig, truth_table};
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// Reads what `to_ascii` writes.
    fn from_ascii(text: &str) -> (Aig, Vec<Edge>) {
        let mut lines = text.lines().map(|line| {
            let numbers = line.split(' ').filter_map(|word| word.parse().ok());
            numbers.collect::<Vec<u32>>()
        });
        let [_, n_inputs, 0, n_roots, n_ands] = lines.next().unwrap()[..] else {
            panic!("no header: {text}");
        };
        let mut aig = Aig::new();
        let mut edges = HashMap::from([(0, Edge::FALSE)]);
        for _ in 0..n_inputs {
            edges.insert(lines.next().unwrap()[0], aig.add_input());
        }
        let roots: Vec<u32> = (0..n_roots).map(|_| lines.next().unwrap()[0]).collect();
        let edge =
            |edges: &HashMap<u32, Edge>, code: u32| edges[&(code & !1)].negate_if(code & 1 == 1);
        for _ in 0..n_ands {
            let [node, left, right] = lines.next().unwrap()[..] else {
                panic!("no AND: {text}");
            };
            assert!(node > left && left >= right);
            let and = aig.and(edge(&edges, left), edge(&edges, right));
            edges.insert(node, and);
        }
        assert_eq!(lines.next(), None);
        let roots = roots.iter().map(|&code| edge(&edges, code)).collect();
        (aig, roots)
    }

    proptest! {
        #[test]
        fn what_is_written_can_be_read((aig, roots) in random_aig(4, 20, 2)) {
            let (back, edges) = from_ascii(&aig.to_ascii(&roots));
            prop_assert_eq!(aig.n_inputs(), back.n_inputs());
            for (&root, &edge) in roots.iter().zip(&edges) {
                prop_assert_eq!(truth_table(&aig, root), truth_table(&back, edge));
            }
        }
    }

    #[test]
    fn the_text_is_plain() {
        let mut aig = Aig::new();
        let (a, b) = (aig.add_input(), aig.add_input());
        let root = aig.or(a, b);
        assert_eq!(aig.to_ascii(&[root]), "aag 3 2 0 1 1\n2\n4\n7\n6 5 3\n");
    }
}
