//! Next values by cases: what a relation says about a next value under a condition, or in one of its alternatives.
//!
//! A value of cases replaces the variable everywhere in the relation, whose formulas all stay: of the values that the relation
//! allows, each is that of its cases for some value of the variable, which stands for the value where no case applies, and
//! of the choice between alternatives. So nothing is lost; and nothing is won, since the relation still holds.

use std::collections::{HashMap, HashSet};

use craig_word::{Term, Terms};

use super::formula::{conjuncts, containing, definitions};

/// A formula with more alternatives is left as it is.
const MOST_ALTERNATIVES: usize = 1 << 12;
/// Formulas with more parts in all, those of alternatives each counted, are left as they are.
const MOST_PARTS: usize = 1 << 22;

/// Values of variables.
#[derive(Default)]
pub(super) struct Cases {
    /// By variable: its value, in which the variable itself may occur.
    pub(super) values: HashMap<Term, Term>,
    /// An input that chooses between alternatives.
    pub(super) choice: Option<Term>,
}

/// One of the alternatives of a formula: what it says about variables, without these in it.
struct Alternative {
    formula: Term,
    defined: Vec<(Term, Term)>,
}

/// The values of `variables` by cases, as far as `formulas` have some.
pub(super) fn by_cases(terms: &mut Terms, variables: &HashSet<Term>, formulas: &[Term]) -> Cases {
    let mut cases = Cases::default();
    let mut lists: Vec<Vec<Alternative>> = Vec::new();
    let mut n_parts = 0;
    for &formula in formulas {
        let mut list = Vec::new();
        for formula in disjuncts(terms, formula) {
            let parts = conjuncts(terms, &[formula]);
            n_parts += 1 + parts.len();
            if n_parts > MOST_PARTS {
                return cases;
            }
            let defined = parts
                .into_iter()
                .flat_map(|part| definitions(terms, part))
                .collect();
            list.push(Alternative { formula, defined });
        }
        lists.push(list);
    }
    let depends = containing(terms, |variable| variables.contains(&variable));
    for alternative in lists.iter_mut().flatten() {
        (alternative.defined)
            .retain(|(variable, value)| variables.contains(variable) && !depends[value.index()]);
    }
    for list in &lists {
        let mut open = list
            .iter()
            .filter(|alternative| depends[alternative.formula.index()]);
        if let (Some(only), None) = (open.next(), open.next()) {
            add_guarded(terms, &mut cases, only, list);
        }
    }
    let is_choice = |list: &&Vec<Alternative>| {
        let n_defining = list.iter().filter(|own| !own.defined.is_empty()).count();
        n_defining > 1 && list.len() <= MOST_ALTERNATIVES
    };
    if let Some(list) = lists.iter().filter(is_choice).max_by_key(|list| list.len()) {
        add_choice(terms, &mut cases, list);
    }
    cases
}

/// Cases of an alternative that holds where no other one does.
fn add_guarded(terms: &mut Terms, cases: &mut Cases, only: &Alternative, list: &[Alternative]) {
    if only.defined.is_empty() {
        return;
    }
    let mut guard = terms.boolean(true);
    for other in list.iter().filter(|other| other.formula != only.formula) {
        let fails = terms.not(other.formula);
        guard = terms.and(guard, fails);
    }
    for &(variable, value) in &only.defined {
        let before = cases.values.get(&variable).copied().unwrap_or(variable);
        let image = terms.ite(guard, value, before);
        cases.values.insert(variable, image);
    }
}

/// Cases of variables that have none yet, by a choice between alternatives.
fn add_choice(terms: &mut Terms, cases: &mut Cases, list: &[Alternative]) {
    let width = usize::BITS - (list.len() - 1).leading_zeros();
    let choice = terms.variable(width.max(1));
    let mut chosen: HashMap<Term, Term> = HashMap::new();
    for (number, alternative) in list.iter().enumerate() {
        let constant = terms.constant(number as u128, width.max(1));
        let is_chosen = terms.eq(choice, constant);
        for &(variable, value) in &alternative.defined {
            if cases.values.contains_key(&variable) {
                continue;
            }
            let before = chosen.get(&variable).copied().unwrap_or(variable);
            let image = terms.ite(is_chosen, value, before);
            chosen.insert(variable, image);
        }
    }
    if !chosen.is_empty() {
        cases.choice = Some(choice);
        cases.values.extend(chosen);
    }
}

/// The formulas of which at least one holds if a formula does, and conversely.
fn disjuncts(terms: &mut Terms, formula: Term) -> Vec<Term> {
    let not = terms.not(formula);
    let fail = conjuncts(terms, &[not]);
    fail.into_iter().map(|formula| terms.not(formula)).collect()
}
