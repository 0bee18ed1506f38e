//! The formulas of labels as Boolean combinations of templates.
//!
//! The graph of labels simplifies across the borders of templates, so that a template may have no gate of its
//! own in a label. Hence every interpolant is built twice: in a graph whose inputs are the bits of templates,
//! and in that of labels. A gate of the latter is read back as the gate of the former that it was built for.

use std::collections::HashMap;

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_word::Term;

use super::table::{Table, TemplateId};
use crate::actions::Actions;

/// A bit of a template.
pub(super) type TemplateBit = (TemplateId, usize);

/// Terms with more connectives than this are not written.
const MAX_CONNECTIVES: usize = 400;

#[derive(Default)]
pub(super) struct Shadow {
    /// The formulas over bits of templates.
    pub(super) graph: Aig,
    bits: Vec<TemplateBit>,
    inputs: HashMap<TemplateBit, Edge>,
    /// By node of `graph`: its formula in the graph of labels.
    images: Vec<Edge>,
    /// By node of the graph of labels: the formula of `graph` that it was built for.
    origins: HashMap<NodeId, Edge>,
}

/// A formula in one of the two graphs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Shadow(NodeId),
    Labels(NodeId),
}

impl Shadow {
    /// The input for a bit of a template.
    pub(super) fn input(&mut self, bit: TemplateBit) -> Edge {
        *self.inputs.entry(bit).or_insert_with(|| {
            self.bits.push(bit);
            self.graph.add_input()
        })
    }

    /// The formulas in the graph of labels.
    pub(super) fn realise(&mut self, table: &Table, aig: &mut Aig, formulas: &[Edge]) -> Vec<Edge> {
        for node in self.images.len()..self.graph.n_nodes() {
            let node = node as NodeId;
            let image = match self.graph.node(node) {
                Node::Constant => Edge::FALSE,
                Node::Input(position) => {
                    let (id, bit) = self.bits[position as usize];
                    table.entries[id].bits[bit]
                }
                Node::And(left, right) => {
                    let (left, right) = (left.image(&self.images), right.image(&self.images));
                    aig.and(left, right)
                }
            };
            if !image.is_constant() {
                let own = Edge::new(node, image.is_negated());
                self.origins.entry(image.node()).or_insert(own);
            }
            self.images.push(image);
        }
        formulas
            .iter()
            .map(|edge| edge.image(&self.images))
            .collect()
    }

    fn resolve(&self, edge: Edge) -> (Place, bool) {
        match self.origins.get(&edge.node()) {
            Some(own) => {
                let own = own.negate_if(edge.is_negated());
                (Place::Shadow(own.node()), own.is_negated())
            }
            None => (Place::Labels(edge.node()), edge.is_negated()),
        }
    }

    /// The operands of a formula, unless it is a bit of a template or of a word.
    fn operands(&self, aig: &Aig, place: Place) -> Option<[(Place, bool); 2]> {
        match place {
            Place::Shadow(node) => match self.graph.node(node) {
                Node::And(left, right) => {
                    let of = |edge: Edge| (Place::Shadow(edge.node()), edge.is_negated());
                    Some([of(left), of(right)])
                }
                _ => None,
            },
            Place::Labels(node) => match aig.node(node) {
                Node::And(left, right) => Some([self.resolve(left), self.resolve(right)]),
                _ => None,
            },
        }
    }

    /// The conjuncts of a formula of the graph of labels: its operands at conjunctions from the root down,
    /// but not those of a template. At most `most`; the rest stays one conjunct.
    pub(super) fn split(&self, aig: &Aig, formula: Edge, most: usize) -> Vec<Edge> {
        let mut conjuncts = Vec::new();
        let mut work = vec![self.resolve(formula)];
        while let Some((place, is_negated)) = work.pop() {
            let edge = match place {
                Place::Shadow(node) => self.images[node as usize].negate_if(is_negated),
                Place::Labels(node) => Edge::new(node, is_negated),
            };
            match self.operands(aig, place) {
                Some([left, right]) if !is_negated && conjuncts.len() + work.len() + 2 <= most => {
                    work.extend([right, left]);
                }
                _ if edge == Edge::TRUE => {}
                _ => conjuncts.push(edge),
            }
        }
        conjuncts
    }

    /// The places that a formula consists of, operands first; nothing if there are too many.
    fn cone(&self, aig: &Aig, root: Place) -> Option<Vec<Place>> {
        let mut found = Vec::new();
        let mut state: HashMap<Place, bool> = HashMap::new();
        let mut stack = vec![root];
        while let Some(&place) = stack.last() {
            match state.get(&place) {
                Some(true) => {
                    stack.pop();
                }
                Some(false) => {
                    stack.pop();
                    state.insert(place, true);
                    found.push(place);
                }
                None => {
                    state.insert(place, false);
                    if state.len() > MAX_CONNECTIVES {
                        return None;
                    }
                    let operands = self.operands(aig, place);
                    stack.extend(operands.into_iter().flatten().map(|(place, _)| place));
                }
            }
        }
        Some(found)
    }

    /// The bits of templates and words that a formula combines, in the graph of labels; nothing if there are
    /// too many connectives.
    #[cfg(feature = "bdd")]
    pub(super) fn atoms(&self, table: &Table, aig: &Aig, formula: Edge) -> Option<Vec<Edge>> {
        let cone = self.cone(aig, self.resolve(formula).0)?;
        let leaf = |place: &Place| match (self.operands(aig, *place), *place) {
            (Some(_), _) => None,
            (None, Place::Labels(node)) => Some(Edge::new(node, false)),
            (None, Place::Shadow(node)) => match self.graph.node(node) {
                Node::Input(position) => {
                    let (id, bit) = self.bits[position as usize];
                    Some(table.entries[id].bits[bit])
                }
                _ => None,
            },
        };
        Some(cone.iter().filter_map(leaf).collect())
    }

    /// A formula of the graph of labels as a term of one bit; nothing if it is too large.
    pub(super) fn term(
        &self,
        table: &mut Table,
        actions: &Actions,
        aig: &Aig,
        formula: Edge,
    ) -> Option<Term> {
        let (root, is_negated) = self.resolve(formula);
        let mut built: HashMap<Place, Term> = HashMap::new();
        for place in self.cone(aig, root)? {
            let term = match self.operands(aig, place) {
                Some(operands) => {
                    let [left, right] = operands.map(|(place, is_negated)| {
                        let term = built[&place];
                        if is_negated {
                            table.terms.not(term)
                        } else {
                            term
                        }
                    });
                    table.terms.and(left, right)
                }
                None => self.leaf(table, actions, aig, place),
            };
            built.insert(place, term);
        }
        let term = built[&root];
        Some(if is_negated {
            table.terms.not(term)
        } else {
            term
        })
    }

    /// A bit of a template or of a word as a term.
    fn leaf(&self, table: &mut Table, actions: &Actions, aig: &Aig, place: Place) -> Term {
        let (whole, bit) = match place {
            Place::Shadow(node) => match self.graph.node(node) {
                Node::Input(position) => {
                    let (id, bit) = self.bits[position as usize];
                    (table.entries[id].term, bit as u32)
                }
                _ => return table.terms.boolean(false),
            },
            Place::Labels(node) => match aig.node(node) {
                Node::Input(position) => actions.bits()[position as usize],
                _ => return table.terms.boolean(false),
            },
        };
        table.terms.extract(whole, bit, 1)
    }
}
