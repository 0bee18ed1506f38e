//! States that are constant, or equal to another one, in every step: words and memories alike.
//!
//! The classes are the coarsest ones for which rewriting is a proof by induction (van Eijk, "Sequential
//! equivalence checking based on structural similarities", IEEE Transactions on CAD 2000, on terms): all states
//! of a class have the same `init`, and with each state replaced by the representative of its class, the terms
//! of their `next` are the same. They start as the states that have equal values in random runs.

use std::collections::HashMap;

use craig_aig::{Poll, Random};
use craig_model::Stop;
use craig_word::{BitVector, Node, Sort, Term, Value};

use super::MOST_VISITS;
use crate::word_system::derive::Derived;
use crate::word_system::execute::Execution;
use crate::word_system::lift::WordStep;
use crate::word_system::system::WordSystem;

/// Refinements of the classes, at most.
const MOST_ROUNDS: usize = 60;
/// Terms that the refinement may make.
const MOST_TERMS: usize = 2_000_000;
/// Random runs, their steps, and the work for all of them in terms.
const RUNS: u64 = 2;
const STEPS: usize = 12;
const MOST_EVALUATIONS: usize = 4_000_000;

/// Replaces states by constants and by others that equal them.
pub(super) fn run(derived: &mut Derived, stop: &Stop) -> bool {
    let Some(images) = classes(&mut derived.system, &mut stop.poll()) else {
        return false;
    };
    if images.is_empty() {
        return false;
    }
    for &(state, image) in &images {
        let fact = derived.system.terms.eq(state, image);
        derived.add_fact(fact);
    }
    let mut images: HashMap<Term, Term> = images.into_iter().collect();
    derived.rewrite(&mut images);
    true
}

/// A partition of the states.
struct Classes {
    /// The class of each state.
    of: Vec<u32>,
    /// The constant that all states of a class have, if they are assumed to have one.
    constants: Vec<Option<Term>>,
}

/// Pairs of a state and what it equals in every step: a constant or an earlier state, which has no pair.
/// `None` if the work is too much, or if `poll` ends it.
fn classes(system: &mut WordSystem, poll: &mut Poll<'_>) -> Option<Vec<(Term, Term)>> {
    let mut classes = first_classes(system, poll)?;
    let n_terms = system.terms.n_terms();
    let n_rounds = MOST_ROUNDS.min(MOST_VISITS / (n_next_terms(system) + 1));
    for _ in 0..n_rounds {
        // The first state of each class represents it.
        let mut representatives = classes.constants.clone();
        let mut pairs = Vec::new();
        for (state, &class) in system.states.iter().zip(&classes.of) {
            let own = representatives[class as usize].get_or_insert(state.state);
            if *own != state.state {
                pairs.push((state.state, *own));
            }
        }
        let mut images: HashMap<Term, Term> = pairs.iter().copied().collect();
        let mut numbers: HashMap<(u32, Term), u32> = HashMap::new();
        let mut refined = Classes {
            of: Vec::with_capacity(system.states.len()),
            constants: Vec::new(),
        };
        for (state, &class) in system.states.iter().zip(&classes.of) {
            if poll.ask() {
                return None;
            }
            let next = match state.next {
                Some(next) => system.terms.substitute(next, &mut images),
                None => state.state,
            };
            if system.terms.n_terms() - n_terms > MOST_TERMS {
                return None;
            }
            let number = *numbers.entry((class, next)).or_insert_with(|| {
                let constant = classes.constants[class as usize];
                refined.constants.push(constant.filter(|&it| it == next));
                refined.constants.len() as u32 - 1
            });
            refined.of.push(number);
        }
        // Classes are only split, and lose their constants.
        if refined.constants.len() == classes.constants.len()
            && refined.constants.iter().flatten().count()
                == classes.constants.iter().flatten().count()
        {
            return Some(pairs);
        }
        classes = refined;
    }
    None
}

/// The states with equal values in the first step and in random runs. A state that is free in some step is
/// alone. `None` if `poll` ends it.
fn first_classes(system: &WordSystem, poll: &mut Poll<'_>) -> Option<Classes> {
    let signatures = signatures(system, poll)?;
    let mut starts: HashMap<Term, Term> = HashMap::new();
    let mut numbers: HashMap<(Term, Vec<u64>), u32> = HashMap::new();
    let mut classes = Classes {
        of: Vec::with_capacity(system.states.len()),
        constants: Vec::new(),
    };
    for (state, signature) in system.states.iter().zip(signatures) {
        let fresh = classes.constants.len() as u32;
        if state.next.is_none() {
            classes.constants.push(None);
            classes.of.push(fresh);
            continue;
        }
        // In the first step, the state has the value of this term: a state that starts like an earlier one has
        // that one's.
        let start = match state.init {
            Some(init) => *starts.get(&init).unwrap_or(&init),
            None => state.state,
        };
        starts.insert(state.state, start);
        let number = *numbers.entry((start, signature)).or_insert(fresh);
        if number == fresh {
            let constant = Some(start).filter(|&start| is_constant(system, start));
            classes.constants.push(constant);
        }
        classes.of.push(number);
    }
    Some(classes)
}

fn is_constant(system: &WordSystem, term: Term) -> bool {
    match system.terms.node(term) {
        Node::ConstArray(element) => system.terms.is_constant(element),
        _ => system.terms.is_constant(term),
    }
}

/// The number of terms below the `next` of all states.
fn n_next_terms(system: &WordSystem) -> usize {
    let roots: Vec<Term> = system
        .states
        .iter()
        .filter_map(|state| state.next)
        .collect();
    system.terms.cone(&roots, |_| false).len()
}

/// The values of each state in random runs, as hashes. `None` if `poll` ends it.
fn signatures(system: &WordSystem, poll: &mut Poll<'_>) -> Option<Vec<Vec<u64>>> {
    let mut signatures = vec![Vec::new(); system.states.len()];
    let n_terms = n_next_terms(system);
    let n_steps = STEPS.min(MOST_EVALUATIONS / (n_terms + 1));
    for seed in 0..RUNS {
        let mut random = Random::new(seed);
        let mut execution = Execution::new(system);
        for number in 0..n_steps {
            let inputs = system.inputs.iter().enumerate();
            let mut step = WordStep {
                inputs: inputs
                    .filter_map(|(at, &input)| {
                        Some((at, random_value(system, input, &mut random)?))
                    })
                    .collect(),
                ..WordStep::default()
            };
            for (at, state) in system.states.iter().enumerate() {
                let is_free = match number {
                    0 => state.init.is_none(),
                    _ => state.next.is_none(),
                };
                if is_free && let Some(value) = random_value(system, state.state, &mut random) {
                    step.states.insert(at, value);
                }
            }
            let mut values = execution.begin(&step, |_| false);
            for (signature, state) in signatures.iter_mut().zip(&system.states) {
                if poll.ask() {
                    return None;
                }
                signature.push(hash(&values.value_of(state.state)));
            }
            execution.end(&mut values);
        }
    }
    Some(signatures)
}

/// A value for a bit-vector; arrays are 0.
fn random_value(system: &WordSystem, of: Term, random: &mut Random) -> Option<Value> {
    let Sort::BitVector(width) = system.terms.sort(of) else {
        return None;
    };
    let limbs: Vec<u64> = (0..width.div_ceil(64)).map(|_| random.word()).collect();
    Some(Value::Bits(BitVector::from_limbs(&limbs, width)))
}

/// A hash of a value.
fn hash(value: &Value) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    match value {
        Value::Bits(bits) => bits.hash(&mut hasher),
        Value::Array(array) => {
            array.default_element().hash(&mut hasher);
            for entry in array.entries() {
                entry.hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}
