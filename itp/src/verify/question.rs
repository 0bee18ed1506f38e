//! The clauses of one condition.
//!
//! The translation reads the nodes of a graph one by one. It uses neither the rewriting, the traversals nor
//! the encoder of the graph package, with which the interpolants were built: an error in those gives a wrong
//! formula, but not a wrong verdict on it.

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_solver::{Cnf, Label, Lit, Var};

/// Clauses whose satisfiability is to be decided.
pub(super) struct Question {
    cnf: Cnf,
}

impl Question {
    /// The clauses of a formula with the wanted labels.
    pub(super) fn new(formula: &Cnf, wanted: &dyn Fn(Label) -> bool) -> Self {
        let mut cnf = Cnf::new();
        cnf.reserve_vars(formula.n_vars());
        for (clause, label) in formula.iter() {
            if wanted(label) {
                cnf.add_clause(clause);
            }
        }
        Self { cnf }
    }

    /// The clauses so far.
    pub(super) fn cnf(&self) -> &Cnf {
        &self.cnf
    }

    /// Requires that `edge` holds, where `variable` gives the variables of inputs. Each gate below gets a
    /// fresh variable and three clauses (G. Tseitin, "On the complexity of derivation in propositional
    /// calculus", 1968).
    pub(super) fn require(
        &mut self,
        aig: &Aig,
        edge: Edge,
        variable: &dyn Fn(NodeId) -> Option<Var>,
    ) {
        let mut lits: Vec<Option<Lit>> = vec![None; edge.node() as usize + 1];
        for node in below(aig, edge) {
            let lit = match aig.node(node) {
                Node::Input(_) => match variable(node) {
                    Some(var) => var.positive(),
                    None => self.fresh(),
                },
                Node::Constant => {
                    let lit = self.fresh();
                    self.cnf.add_clause(&[!lit]);
                    lit
                }
                Node::And(left, right) => {
                    let [left, right] = [left, right].map(|operand| literal(&lits, operand));
                    let lit = self.fresh();
                    self.cnf.add_clause(&[!lit, left]);
                    self.cnf.add_clause(&[!lit, right]);
                    self.cnf.add_clause(&[lit, !left, !right]);
                    lit
                }
            };
            lits[node as usize] = Some(lit);
        }
        let root = literal(&lits, edge);
        self.cnf.add_clause(&[root]);
    }

    fn fresh(&mut self) -> Lit {
        let var = Var::new(self.cnf.n_vars());
        self.cnf.reserve_vars(var.index() + 1);
        var.positive()
    }
}

/// The literal of an edge whose node has one.
fn literal(lits: &[Option<Lit>], edge: Edge) -> Lit {
    let lit = lits[edge.node() as usize].expect("operands come first");
    if edge.is_negated() { !lit } else { lit }
}

/// The nodes that `edge` depends on, operands first, by depth-first traversal.
pub(super) fn below(aig: &Aig, edge: Edge) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut is_seen = vec![false; edge.node() as usize + 1];
    let mut stack = vec![(edge.node(), false)];
    while let Some((node, is_expanded)) = stack.pop() {
        if is_expanded {
            found.push(node);
        } else if !std::mem::replace(&mut is_seen[node as usize], true) {
            stack.push((node, true));
            if let Node::And(left, right) = aig.node(node) {
                stack.extend([(right.node(), false), (left.node(), false)]);
            }
        }
    }
    found
}
