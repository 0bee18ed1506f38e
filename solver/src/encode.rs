//! From graph to clauses: Tseitin's encoding and its one-sided form by Plaisted and Greenbaum.
//!
//! A node that has one user is not given a variable where it is a part of a wide conjunction or of an
//! if-then-else (N. Eén, A. Mishchenko, N. Sörensson, "Applying logic synthesis for speeding up SAT", SAT 2007, have
//! this in general, by cuts). Bounded model checking and the engines that interpolate take three
//! quarters of the time with it (bench/records/circuits.md).

mod shape;

use craig_aig::{Aig, Edge, Node, NodeId};

use crate::cdcl::Solver;
use crate::cnf::{Cnf, Label};
use crate::lit::{Lit, Var};
use crate::proof::ProofSink;

/// A receiver of variables and clauses: a formula or a solver.
pub trait ClauseSink {
    /// A fresh variable.
    fn new_var(&mut self) -> Var;

    /// Adds a clause.
    fn add_clause(&mut self, lits: &[Lit]);
}

/// A [`ClauseSink`] whose clauses can belong to a partition.
pub trait LabelledClauseSink: ClauseSink {
    /// Adds a clause that belongs to the partition `label`.
    fn add_labelled_clause(&mut self, lits: &[Lit], label: Label);
}

impl ClauseSink for Cnf {
    fn new_var(&mut self) -> Var {
        let var = Var::new(self.n_vars());
        self.reserve_vars(var.index() + 1);
        var
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        Self::add_clause(self, lits);
    }
}

impl LabelledClauseSink for Cnf {
    fn add_labelled_clause(&mut self, lits: &[Lit], label: Label) {
        Self::add_labelled_clause(self, lits, label);
    }
}

impl<P: ProofSink> ClauseSink for Solver<P> {
    fn new_var(&mut self) -> Var {
        Self::new_var(self)
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        Self::add_clause(self, lits);
    }
}

impl<P: ProofSink> LabelledClauseSink for Solver<P> {
    fn add_labelled_clause(&mut self, lits: &[Lit], label: Label) {
        Self::add_labelled_clause(self, lits, label);
    }
}

/// Passes every clause on to `sink`, under one label.
#[derive(Debug)]
pub struct Labelled<'a, S> {
    /// The receiver of the clauses.
    pub sink: &'a mut S,
    /// The label of the clauses.
    pub label: Label,
}

impl<S: LabelledClauseSink> ClauseSink for Labelled<'_, S> {
    fn new_var(&mut self) -> Var {
        self.sink.new_var()
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        self.sink.add_labelled_clause(lits, self.label);
    }
}

/// The literal implies the node's formula.
const IMPLIES: u8 = 1;
/// The node's formula implies the literal.
const IMPLIED: u8 = 2;
const BOTH: u8 = IMPLIES | IMPLIED;

/// The state of a node's encoding.
#[derive(Clone, Copy)]
struct Entry {
    /// The code of its literal, or `NO_LIT`.
    lit: u32,
    /// Which directions of its definition have been added.
    defined: u8,
}

const NO_LIT: u32 = u32::MAX;
const EMPTY: Entry = Entry {
    lit: NO_LIT,
    defined: 0,
};

/// Entries a page. The table is paged because a frame of an unrolling uses few of the nodes of a large graph.
const PAGE: usize = 256;

/// Turns formulas of one graph into clauses of one sink, and keeps the literal of each encoded node. An
/// unrolling has one encoder per frame.
///
/// An input without a literal of its own ([`Encoder::set`]) gets a fresh variable at its first use; so does
/// the constant, with a unit clause.
#[derive(Clone, Default)]
pub struct Encoder {
    pages: Vec<Box<[Entry]>>,
    stack: Vec<Visit>,
    /// The operands of the gate that is being encoded.
    operands: Vec<Edge>,
    /// A clause that is being put together.
    clause: Vec<Lit>,
    /// Whether each node gets a variable.
    is_by_node: bool,
}

#[derive(Clone, Copy)]
struct Visit {
    node: NodeId,
    wanted: u8,
    /// Whether the operands have been visited.
    expanded: bool,
}

impl std::fmt::Debug for Encoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Encoder").finish_non_exhaustive()
    }
}

impl Encoder {
    /// An encoder without encoded nodes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An encoder that gives each node a variable: for graphs that grow by more and more users of the same nodes, which would
    /// otherwise be defined again where they were parts of other gates.
    #[must_use]
    pub fn by_node() -> Self {
        Self {
            is_by_node: true,
            ..Self::default()
        }
    }

    /// Makes `lit` the literal of `node`; the caller adds its definition.
    pub fn set(&mut self, node: NodeId, lit: Lit) {
        *self.entry_mut(node) = Entry {
            lit: lit.code(),
            defined: BOTH,
        };
    }

    /// The literal that is equivalent to `edge`, if there is one yet. A node that was only encoded
    /// one-sidedly has none, nor has one that is a part of the gate that uses it.
    #[must_use]
    pub fn literal(&self, edge: Edge) -> Option<Lit> {
        let entry = self.entry(edge.node());
        (entry.defined == BOTH).then(|| Lit::from_code(entry.lit).negate_if(edge.is_negated()))
    }

    /// A literal that is equivalent to `edge` in every model of the clauses (G. Tseitin, "On the complexity
    /// of derivation in propositional calculus", 1968). Nodes that have been encoded before are not encoded
    /// again.
    pub fn encode<S: ClauseSink + ?Sized>(&mut self, aig: &Aig, edge: Edge, sink: &mut S) -> Lit {
        self.define(aig, edge, BOTH, sink)
    }

    /// A literal that implies `edge` in every model of the clauses, and can be true whenever `edge` can (D.
    /// Plaisted and S. Greenbaum, "A structure-preserving clause form translation", 1986, section 3). About
    /// half of the clauses of [`Encoder::encode`].
    pub fn encode_polarity<S: ClauseSink + ?Sized>(
        &mut self,
        aig: &Aig,
        edge: Edge,
        sink: &mut S,
    ) -> Lit {
        let wanted = if edge.is_negated() { IMPLIED } else { IMPLIES };
        self.define(aig, edge, wanted, sink)
    }

    fn define<S: ClauseSink + ?Sized>(
        &mut self,
        aig: &Aig,
        edge: Edge,
        wanted: u8,
        sink: &mut S,
    ) -> Lit {
        debug_assert!(self.stack.is_empty());
        self.stack.push(Visit {
            node: edge.node(),
            wanted,
            expanded: false,
        });
        while let Some(visit) = self.stack.pop() {
            // The node may have been reached on another path since it was pushed.
            let wanted = visit.wanted & !self.entry(visit.node).defined;
            if wanted == 0 {
                continue;
            }
            match aig.node(visit.node) {
                Node::Constant => {
                    let lit = sink.new_var().positive();
                    sink.add_clause(&[!lit]);
                    self.set(visit.node, lit);
                }
                Node::Input(_) => {
                    let lit = sink.new_var().positive();
                    self.set(visit.node, lit);
                }
                Node::And(left, right) => {
                    let shape = self.find_shape(aig, [left, right]);
                    if visit.expanded {
                        self.add_gate(visit.node, shape, wanted, sink);
                        continue;
                    }
                    self.stack.push(Visit {
                        expanded: true,
                        ..visit
                    });
                    for (place, &operand) in self.operands.iter().enumerate().rev() {
                        self.stack.push(Visit {
                            node: operand.node(),
                            wanted: shape.wanted_of(place, operand, wanted),
                            expanded: false,
                        });
                    }
                }
            }
        }
        self.known(edge)
    }

    /// The literal of an edge whose node has one.
    fn known(&self, edge: Edge) -> Lit {
        let code = self.entry(edge.node()).lit;
        debug_assert_ne!(code, NO_LIT, "operands are encoded before their gates");
        Lit::from_code(code).negate_if(edge.is_negated())
    }

    fn entry(&self, node: NodeId) -> Entry {
        self.pages
            .get(node as usize / PAGE)
            .and_then(|page| page.get(node as usize % PAGE))
            .copied()
            .unwrap_or(EMPTY)
    }

    fn entry_mut(&mut self, node: NodeId) -> &mut Entry {
        let page = node as usize / PAGE;
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, Box::default);
        }
        let page = &mut self.pages[page];
        if page.is_empty() {
            *page = vec![EMPTY; PAGE].into_boxed_slice();
        }
        &mut page[node as usize % PAGE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_graphs::random_aig;
    use proptest::prelude::*;

    /// All models of `cnf` over its first `n_free` variables, by brute force.
    fn projected_models(cnf: &Cnf, n_free: usize) -> Vec<bool> {
        assert!(cnf.n_vars() <= 18);
        let mut models = vec![false; 1 << n_free];
        for row in 0..1_usize << cnf.n_vars() {
            let assignment: Vec<bool> = (0..cnf.n_vars()).map(|var| row >> var & 1 == 1).collect();
            if cnf.is_satisfied_by(&assignment) {
                models[row & ((1 << n_free) - 1)] = true;
            }
        }
        models
    }

    /// A formula whose first variables are the inputs of `aig`, and an encoder for it.
    fn start(aig: &Aig) -> (Cnf, Encoder) {
        let (mut cnf, mut encoder) = (Cnf::new(), Encoder::new());
        for &input in aig.inputs() {
            encoder.set(input, cnf.new_var().positive());
        }
        (cnf, encoder)
    }

    proptest! {
        #[test]
        fn encoding_keeps_exactly_the_models(
            (aig, roots) in random_aig(3, 10, 3),
            one_sided in any::<[bool; 3]>(),
        ) {
            let (mut cnf, mut encoder) = start(&aig);
            for (&root, one_sided) in roots.iter().zip(one_sided) {
                let lit = if one_sided {
                    encoder.encode_polarity(&aig, root, &mut cnf)
                } else {
                    let lit = encoder.encode(&aig, root, &mut cnf);
                    assert_eq!(encoder.literal(root), Some(lit));
                    lit
                };
                Cnf::add_clause(&mut cnf, &[lit]);
            }
            let models = projected_models(&cnf, 3);
            for (row, &model) in models.iter().enumerate() {
                let inputs: Vec<bool> = (0..3).map(|i| row >> i & 1 == 1).collect();
                prop_assert_eq!(model, aig.evaluate(&inputs, &roots).iter().all(|&value| value));
            }
        }

        #[test]
        fn gates_that_are_added_later_may_use_what_is_inside_of_others(
            (mut aig, roots) in random_aig(3, 8, 1),
            later in proptest::collection::vec(any::<([u32; 2], [bool; 2], bool)>(), 1..4),
        ) {
            let (mut cnf, mut encoder) = start(&aig);
            let first = encoder.encode(&aig, roots[0], &mut cnf);
            for (nodes, signs, one_sided) in later {
                let n_nodes = aig.n_nodes() as u32;
                let [left, right] = [0, 1].map(|side| Edge::new(nodes[side] % n_nodes, signs[side]));
                let root = aig.and(left, right);
                let lit = match one_sided {
                    true => encoder.encode_polarity(&aig, root, &mut cnf),
                    false => encoder.encode(&aig, root, &mut cnf),
                };
                prop_assume!(cnf.n_vars() <= 18);
                let mut cnf = cnf.clone();
                Cnf::add_clause(&mut cnf, &[lit]);
                Cnf::add_clause(&mut cnf, &[first]);
                for (row, &model) in projected_models(&cnf, 3).iter().enumerate() {
                    let inputs: Vec<bool> = (0..3).map(|i| row >> i & 1 == 1).collect();
                    let expected = aig.evaluate(&inputs, &[root, roots[0]]);
                    prop_assert_eq!(model, expected.iter().all(|&value| value));
                }
            }
        }

        #[test]
        fn a_full_encoding_can_be_used_in_both_signs((aig, roots) in random_aig(3, 10, 1)) {
            let (mut cnf, mut encoder) = start(&aig);
            // The one-sided encoding comes first; the full one then has to complete it.
            encoder.encode_polarity(&aig, roots[0], &mut cnf);
            let lit = encoder.encode(&aig, roots[0], &mut cnf);
            for negate in [false, true] {
                let mut cnf = cnf.clone();
                Cnf::add_clause(&mut cnf, &[lit.negate_if(negate)]);
                for (row, &model) in projected_models(&cnf, 3).iter().enumerate() {
                    let inputs: Vec<bool> = (0..3).map(|i| row >> i & 1 == 1).collect();
                    prop_assert_eq!(model, aig.evaluate(&inputs, &roots)[0] != negate);
                }
            }
        }
    }

    #[test]
    fn one_side_takes_fewer_clauses_and_labels_stick() {
        let mut aig = Aig::new();
        let [a, b, c] = [(); 3].map(|()| aig.add_input());
        let ab = aig.and(a, b);
        let root = aig.and(!ab, c);
        let (mut one_sided, mut encoder) = start(&aig);
        let mut sink = Labelled {
            sink: &mut one_sided,
            label: 7,
        };
        encoder.encode_polarity(&aig, root, &mut sink);
        assert_eq!(one_sided.n_clauses(), 3);
        assert!(one_sided.iter().all(|(_, label)| label == 7));
        assert_eq!(encoder.literal(root), None, "only one direction is there");
        let (mut full, mut encoder) = start(&aig);
        encoder.encode(&aig, root, &mut full);
        encoder.encode(&aig, !root, &mut full);
        assert_eq!(full.n_clauses(), 6);
    }

    #[test]
    fn wide_conjunctions_choices_and_cuts() {
        type Build = fn(&mut Aig, [Edge; 4]) -> Edge;
        let builds: [(Build, usize); 3] = [
            (|aig, edges| aig.and_all(edges), 5),
            (|aig, [a, b, c, _]| aig.ite(a, b, !c), 4),
            (|aig, [a, b, ..]| aig.xor(a, b), 4),
        ];
        for (build, n_clauses) in builds {
            let mut aig = Aig::new();
            let inputs = [(); 4].map(|()| aig.add_input());
            let root = build(&mut aig, inputs);
            let (mut cnf, mut encoder) = start(&aig);
            encoder.encode(&aig, root, &mut cnf);
            assert_eq!((cnf.n_vars(), cnf.n_clauses()), (5, n_clauses));
        }
        let mut aig = Aig::new();
        let [a, b, c, d] = [(); 4].map(|()| aig.add_input());
        let conjunction = aig.and_all([a, b, c, d]);
        // A node that has a literal is an operand.
        let inside = aig.and(a, b);
        let (mut cnf, mut encoder) = start(&aig);
        encoder.set(inside.node(), cnf.new_var().positive());
        encoder.encode(&aig, conjunction, &mut cnf);
        let wide = cnf.iter().map(|(clause, _)| clause.len()).max();
        assert_eq!(wide, Some(4), "the cut and the other two imply the gate");
        // A node with a second user is no part of the first one.
        aig.and(inside, !d);
        let (mut cnf, mut encoder) = start(&aig);
        encoder.encode(&aig, conjunction, &mut cnf);
        assert!(encoder.literal(inside).is_some() && cnf.n_vars() == 6);
    }

    #[test]
    fn by_node_each_node_has_a_literal() {
        let mut aig = Aig::new();
        let [a, b, c] = [(); 3].map(|()| aig.add_input());
        let inside = aig.and(a, b);
        let root = aig.and(inside, c);
        let mut cnf = Cnf::new();
        let mut encoder = Encoder::by_node();
        encoder.encode(&aig, root, &mut cnf);
        assert_eq!((cnf.n_vars(), cnf.n_clauses()), (5, 6));
        assert!(encoder.literal(inside).is_some());
    }

    #[test]
    fn constants_and_unset_inputs_get_variables_once() {
        let mut aig = Aig::new();
        let a = aig.add_input();
        let (mut cnf, mut encoder) = (Cnf::new(), Encoder::new());
        let yes = encoder.encode(&aig, Edge::TRUE, &mut cnf);
        let no = encoder.encode_polarity(&aig, Edge::FALSE, &mut cnf);
        assert_eq!(yes, !no);
        assert_eq!(cnf.iter().collect::<Vec<_>>(), [(&[yes][..], 0)]);
        let lit = encoder.encode(&aig, a, &mut cnf);
        assert_eq!(encoder.encode(&aig, !a, &mut cnf), !lit);
        assert_eq!((cnf.n_vars(), cnf.n_clauses()), (2, 1));
    }
}
