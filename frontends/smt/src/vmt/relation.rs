//! From formulas to functions: conjuncts that define a variable.

use std::collections::{HashMap, HashSet};

use craig_word::{Term, Terms};

use super::cases::by_cases;
use super::formula::{conjuncts, containing, definitions};
use super::read::TransitionSystem;

/// How many terms are visited to order definitions; those that are left are not used as definitions.
const MOST_VISITS: usize = 20_000_000;

/// A transition relation as functions and what is left.
pub(super) struct Functions {
    /// By state: its next value, over current values and inputs.
    pub(super) next: Vec<Term>,
    /// What holds besides, over current values and inputs.
    pub(super) rest: Vec<Term>,
    /// Inputs that the relation has besides those of the system, with their names: variables of next values that it does not
    /// define, and a choice between alternatives.
    pub(super) inputs: Vec<(String, Term)>,
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
    let open: HashSet<Term> = (next.iter().copied())
        .filter(|variable| !images.contains_key(variable) || images[variable] == *variable)
        .collect();
    let mut values: Vec<Term> = next
        .iter()
        .map(|variable| images.get(variable).copied().unwrap_or(*variable))
        .collect();
    let cases = by_cases(terms, &open, &rest);
    let mut images = cases.values;
    for term in values.iter_mut().chain(&mut rest) {
        *term = terms.substitute(*term, &mut images);
    }
    // Variables that it has are inputs.
    if let Some(choice) = &cases.choice {
        rest[choice.formula] = choice.holds;
    }
    rest.retain(|&conjunct| !terms.is_true(conjunct));
    let roots: Vec<Term> = values.iter().chain(&rest).copied().collect();
    let used: HashSet<Term> = terms.cone(&roots, |_| false).into_iter().collect();
    let states = system.states.iter();
    let inputs = states.map(|state| (format!("{}.next", state.name), state.next));
    let choice = cases.choice.map(|choice| choice.input);
    let inputs = inputs.chain(choice.map(|choice| ("choice".to_owned(), choice)));
    Functions {
        inputs: inputs.filter(|(_, input)| used.contains(input)).collect(),
        next: values,
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
    let has_next = containing(terms, |variable| is_next.contains(&variable));
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
