//! The size of a formula.

use craig_aig::{Aig, Edge, Node};

/// Sizes of one formula, counted on its graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// AND gates, each counted once however often it is used.
    pub ands: usize,
    /// AND gates on the longest path from the formula to an input.
    pub depth: usize,
    /// Operands of those gates that are inputs or negated inputs; 1 for a formula that is an input itself.
    pub literals: usize,
    /// Inputs that the formula depends on.
    pub support: usize,
    /// Whether the formula is in conjunctive normal form: ANDs of ORs of literals. Constants, literals,
    /// clauses and cubes are.
    pub is_cnf: bool,
}

/// Measures the formula as it is in the graph, without simplification.
#[must_use]
pub fn size(aig: &Aig, edge: Edge) -> Size {
    let cone = aig.cone(&[edge]);
    let mut size = Size::default();
    // By position in the cone, which lists nodes in increasing order, operands first.
    let mut depths = vec![0; cone.len()];
    let mut shapes = vec![Shape::default(); cone.len()];
    let position = |edge: Edge| cone.binary_search(&edge.node()).ok();
    for (index, &node) in cone.iter().enumerate() {
        match aig.node(node) {
            Node::Constant => {}
            Node::Input(_) => {
                size.support += 1;
                shapes[index] = Shape {
                    is_literal: true,
                    is_cube: true,
                    is_cnf: true,
                };
            }
            Node::And(left, right) => {
                size.ands += 1;
                let operands = [left, right].map(|operand| {
                    let at = position(operand).expect("an operand lies in the cone");
                    depths[index] = depths[index].max(depths[at] + 1);
                    size.literals += usize::from(shapes[at].is_literal);
                    (shapes[at], operand.is_negated())
                });
                shapes[index] = Shape {
                    is_literal: false,
                    is_cube: operands
                        .iter()
                        .all(|&(shape, negated)| shape.is_literal || shape.is_cube && !negated),
                    is_cnf: operands
                        .iter()
                        .all(|&(shape, negated)| shape.is_cnf_if(negated)),
                };
            }
        }
    }
    size.is_cnf = edge.is_constant();
    if let Some(root) = position(edge) {
        size.depth = depths[root];
        size.literals += usize::from(shapes[root].is_literal);
        size.is_cnf |= shapes[root].is_cnf_if(edge.is_negated());
    }
    size
}

/// The form of a node's formula.
#[derive(Clone, Copy, Default)]
struct Shape {
    is_literal: bool,
    /// A conjunction of literals; the negation is a clause.
    is_cube: bool,
    is_cnf: bool,
}

impl Shape {
    /// Whether the formula, or its negation where `negated` holds, is in conjunctive normal form.
    fn is_cnf_if(self, negated: bool) -> bool {
        if negated { self.is_cube } else { self.is_cnf }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_literals_and_depth_are_counted_once_each() {
        let mut aig = Aig::new();
        let [a, b, c, d] = [(); 4].map(|()| aig.add_input());
        let ab = aig.and(a, !b);
        let or = aig.or(ab, c);
        let root = aig.and(or, d);
        let expected = Size {
            ands: 3,
            depth: 3,
            literals: 4,
            support: 4,
            is_cnf: false,
        };
        assert_eq!(size(&aig, root), expected);
        assert_eq!(size(&aig, !root).ands, 3);
        assert_eq!(
            size(&aig, !c),
            Size {
                literals: 1,
                support: 1,
                is_cnf: true,
                ..Size::default()
            }
        );
        assert_eq!(
            size(&aig, Edge::TRUE),
            Size {
                is_cnf: true,
                ..Size::default()
            }
        );
    }

    #[test]
    fn conjunctive_normal_form_is_recognised() {
        let mut aig = Aig::new();
        let [a, b, c, d] = [(); 4].map(|()| aig.add_input());
        let clause = aig.or_all([a, !b, c, d]);
        let other = aig.or(!a, d);
        let cube = aig.and_all([a, b, !c]);
        let cnf = aig.and_all([clause, other, !d]);
        let dnf = aig.or(cube, d);
        for (edge, expected) in [
            (clause, true),
            (cube, true),
            (cnf, true),
            (!cnf, false),
            (dnf, false),
            (!clause, true),
        ] {
            assert_eq!(size(&aig, edge).is_cnf, expected, "{edge:?}");
        }
    }
}
