//! Formulas of one bit: their conjuncts, what they define, and where variables occur.

use std::collections::HashSet;

use craig_word::{Node, Op, Term, Terms};

/// The conjuncts of formulas.
pub(super) fn conjuncts(terms: &Terms, formulas: &[Term]) -> Vec<Term> {
    let mut stack: Vec<Term> = formulas.iter().rev().copied().collect();
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    while let Some(term) = stack.pop() {
        if !seen.insert(term) || terms.is_true(term) {
            continue;
        }
        match terms.node(term) {
            Node::Binary(Op::And, a, b) => stack.extend([b, a]),
            _ => found.push(term),
        }
    }
    found
}

/// The variables that a formula of one bit determines if it holds, each with its value.
pub(super) fn definitions(terms: &mut Terms, formula: Term) -> Vec<(Term, Term)> {
    let is_variable = |terms: &Terms, term: Term| matches!(terms.node(term), Node::Var(_));
    let (positive, is_negated) = match terms.node(formula) {
        Node::Not(of) => (of, true),
        _ => (formula, false),
    };
    let (a, b, is_negated) = match terms.node(positive) {
        Node::Var(_) => {
            let value = terms.boolean(!is_negated);
            return vec![(positive, value)];
        }
        Node::Binary(Op::Eq, a, b) => (a, b, is_negated),
        Node::Binary(Op::Xor, a, b) => (a, b, !is_negated),
        _ => return Vec::new(),
    };
    // An inequality determines a single bit.
    if is_negated && (terms.is_array(a) || terms.width(a) > 1) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (side, other) in [(a, b), (b, a)] {
        let (side, flips) = match terms.node(side) {
            Node::Not(of) => (of, true),
            _ => (side, false),
        };
        if is_variable(terms, side) {
            let value = match flips ^ is_negated {
                true => terms.not(other),
                false => other,
            };
            found.push((side, value));
        }
    }
    found
}

/// By term: whether a variable occurs in it for which `is_one` holds.
pub(super) fn containing(terms: &Terms, is_one: impl Fn(Term) -> bool) -> Vec<bool> {
    let mut found = vec![false; terms.n_terms()];
    // Operands have smaller numbers.
    for term in terms.all() {
        let mut contains = matches!(terms.node(term), Node::Var(_)) && is_one(term);
        terms.operands(term, |operand| contains |= found[operand.index()]);
        found[term.index()] = contains;
    }
    found
}
