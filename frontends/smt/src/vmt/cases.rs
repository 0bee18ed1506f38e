//! Next values by cases: what a relation says about a next value under a condition, or in one of its alternatives.
//!
//! A value of cases replaces the variable everywhere in the relation, whose formulas stay: of the values that the relation
//! allows, each is that of its cases for some value of the variable, which stands for the value where no case applies, and
//! of the choice between alternatives. So nothing is lost; and nothing is won, since the relation still holds. Of the formula
//! with the alternatives, the one that is chosen has to hold.

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
    /// A choice between the alternatives of a formula.
    pub(super) choice: Option<Choice>,
}

/// A choice between the alternatives of a formula.
pub(super) struct Choice {
    /// The number of the formula.
    pub(super) formula: usize,
    /// The input that chooses.
    pub(super) input: Term,
    /// What stands for the formula: the chosen alternative holds, with the values that it has for variables.
    pub(super) holds: Term,
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
    let is_choice = |(_, list): &(usize, &Vec<Alternative>)| {
        let n_defining = list.iter().filter(|own| !own.defined.is_empty()).count();
        let n_values = list.len().saturating_mul(variables.len());
        n_defining > 1
            && list.len() <= MOST_ALTERNATIVES
            && n_values.max(size(terms, list)) <= MOST_PARTS
    };
    let largest = (lists.iter().enumerate())
        .filter(is_choice)
        .max_by_key(|(_, list)| list.len());
    if let Some((formula, list)) = largest {
        add_choice(terms, &mut cases, variables, formula, list);
    }
    cases
}

/// The number of terms in the alternatives, each counted for itself.
fn size(terms: &Terms, list: &[Alternative]) -> usize {
    let mut size = 0;
    for alternative in list {
        size += terms.cone(&[alternative.formula], |_| false).len();
        if size > MOST_PARTS {
            break;
        }
    }
    size
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
fn add_choice(
    terms: &mut Terms,
    cases: &mut Cases,
    variables: &HashSet<Term>,
    formula: usize,
    list: &[Alternative],
) {
    // In one order in each run, since terms are numbered as they are made.
    let mut variables: Vec<Term> = variables.iter().copied().collect();
    variables.sort_unstable();
    let last = list.len() - 1;
    let width = (usize::BITS - last.leading_zeros()).max(1);
    let input = terms.variable(width);
    let constant = terms.constant(last as u128, width);
    let mut holds = terms.ule(input, constant);
    let mut chosen: HashMap<Term, Term> = HashMap::new();
    for (number, alternative) in list.iter().enumerate() {
        let constant = terms.constant(number as u128, width);
        let is_chosen = terms.eq(input, constant);
        let mut own: HashMap<Term, Term> = cases.values.clone();
        for &(variable, value) in &alternative.defined {
            own.entry(variable).or_insert(value);
        }
        for &variable in &variables {
            own.entry(variable).or_insert(variable);
        }
        for &variable in &variables {
            if cases.values.contains_key(&variable) {
                continue;
            }
            // The value of the first alternative stands for choices that there are not, too.
            let value = match (number, chosen.get(&variable)) {
                (0, _) | (_, None) => own[&variable],
                (_, Some(&before)) => terms.ite(is_chosen, own[&variable], before),
            };
            chosen.insert(variable, value);
        }
        let alternative = terms.substitute(alternative.formula, &mut own);
        let is_other = terms.not(is_chosen);
        let fits = terms.or(is_other, alternative);
        holds = terms.and(holds, fits);
    }
    chosen.retain(|variable, value| variable != value);
    cases.values.extend(chosen);
    cases.choice = Some(Choice {
        formula,
        input,
        holds,
    });
}

/// The formulas of which at least one holds if a formula does, and conversely.
fn disjuncts(terms: &mut Terms, formula: Term) -> Vec<Term> {
    let not = terms.not(formula);
    let fail = conjuncts(terms, &[not]);
    fail.into_iter().map(|formula| terms.not(formula)).collect()
}
