//! From formulas to functions: conjuncts that define a variable.

use std::collections::{HashMap, HashSet};

use super::read::TransitionSystem;
use craig_word::{Node, Op, Term, Terms};

/// How many terms are visited to order definitions; those that are left are not used as definitions.
const MOST_VISITS: usize = 20_000_000;

/// A transition relation as functions and what is left.
pub(super) struct Functions {
    /// By state: its next value. One that has no definition is its own variable, an input.
    pub(super) next: Vec<Term>,
    /// What holds besides, over current values, inputs and next values without definition.
    pub(super) rest: Vec<Term>,
}

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

/// The functions of a system's transition relation.
pub(super) fn functions(system: &mut TransitionSystem) -> Functions {
    let next: Vec<Term> = system.states.iter().map(|state| state.next).collect();
    let is_next: HashSet<Term> = next.iter().copied().collect();
    let mut all = conjuncts(&system.terms, &system.transition);
    let terms = &mut system.terms;
    let mut chosen: HashMap<Term, (Term, Term)> = HashMap::new();
    for &conjunct in &all {
        let found = definitions(terms, conjunct).into_iter();
        let mut free = found
            .filter(|(variable, _)| is_next.contains(variable) && !chosen.contains_key(variable));
        if let Some((variable, value)) = free.next() {
            chosen.insert(variable, (value, conjunct));
        }
    }
    let order = ordered(terms, &is_next, &next, &chosen);
    let mut images: HashMap<Term, Term> = HashMap::new();
    let mut used: HashSet<Term> = HashSet::new();
    for variable in order {
        let (value, conjunct) = chosen[&variable];
        let image = terms.substitute(value, &mut images);
        images.insert(variable, image);
        used.insert(conjunct);
    }
    all.retain(|conjunct| !used.contains(conjunct));
    let mut rest: Vec<Term> = (all.into_iter())
        .map(|conjunct| terms.substitute(conjunct, &mut images))
        .collect();
    rest.retain(|&conjunct| !terms.is_true(conjunct));
    let next = next
        .into_iter()
        .map(|variable| images.get(&variable).copied().unwrap_or(variable));
    Functions {
        next: next.collect(),
        rest,
    }
}

/// The variables whose definitions depend on defined variables before them only, or on none.
fn ordered(
    terms: &Terms,
    is_next: &HashSet<Term>,
    next: &[Term],
    chosen: &HashMap<Term, (Term, Term)>,
) -> Vec<Term> {
    let mut has_next = vec![false; terms.n_terms()];
    for term in terms.all() {
        let mut has = is_next.contains(&term);
        terms.operands(term, |operand| has |= has_next[operand.index()]);
        has_next[term.index()] = has;
    }
    // By variable: which definitions wait for it, and for how many variables a definition waits.
    let mut waiting: HashMap<Term, Vec<Term>> = HashMap::new();
    let mut open: HashMap<Term, usize> = HashMap::new();
    let mut ready = Vec::new();
    let mut visits = 0;
    for &variable in next {
        let Some(&(value, _)) = chosen.get(&variable) else {
            continue;
        };
        if visits > MOST_VISITS && has_next[value.index()] {
            continue;
        }
        let cone = terms.cone(&[value], |term| !has_next[term.index()]);
        visits += cone.len();
        // Without a definition, a variable is an input, for which nothing waits.
        let of = cone.into_iter().filter(|term| chosen.contains_key(term));
        let of: Vec<Term> = of.collect();
        if of.is_empty() {
            ready.push(variable);
        }
        open.insert(variable, of.len());
        for other in of {
            waiting.entry(other).or_default().push(variable);
        }
    }
    let mut order = Vec::new();
    while let Some(variable) = ready.pop() {
        order.push(variable);
        for &other in waiting.get(&variable).map_or(&[][..], Vec::as_slice) {
            if let Some(left) = open.get_mut(&other) {
                *left -= 1;
                if *left == 0 {
                    ready.push(other);
                }
            }
        }
    }
    order
}
