//! Concrete runs, breadth first, on few values of each input.

use std::collections::{BTreeSet, HashMap, HashSet};

use craig_aig::Random;
use craig_model::{Stop, UnknownReason};
use craig_word::{Node, Op, Term};

use super::status::Bits;
use crate::actions::{Action, ActionId, Actions, StateBit};
use crate::answer::ErrorPath;
use crate::cfa::{Cfa, LocationId};

/// Runs that are evaluated at once.
const LANES: usize = 64;
/// The most values with which an input is tried.
const MOST_VALUES: usize = 24;
/// The choices of all inputs of a step: all combinations, if these are not more; else this number of them at random.
const MOST_CHOICES: usize = 96;
/// With more states than this the search ends.
const MOST_STATES: usize = 400_000;

/// Values of the inputs of a step.
type Choice = HashMap<Term, u128>;

/// A state, and how it was reached.
struct Reach {
    location: LocationId,
    values: Bits,
    /// The state before, the action and the number of the choice there.
    from: Option<(u32, ActionId, u32)>,
}

/// What runs do at a location.
#[derive(Default)]
struct Place {
    choices: Vec<Choice>,
    /// By location: the bits that it carries.
    carried: Vec<StateBit>,
}

struct Search<'a> {
    actions: &'a Actions,
    places: Vec<Place>,
    states: Vec<Reach>,
    found: HashSet<(LocationId, Bits)>,
}

/// A run to a bad location, if one is found before `evaluations` gates are evaluated, each in [`LANES`] runs at once.
pub(super) fn search(
    actions: &Actions,
    evaluations: u64,
    stop: &Stop,
) -> Result<Option<ErrorPath>, UnknownReason> {
    let mut search = Search {
        actions,
        places: places(actions),
        states: Vec::new(),
        found: HashSet::new(),
    };
    search.add(Cfa::START, Bits::new(actions.bits().len()), None);
    let cost = actions.aig.n_nodes() as u64;
    let (mut spent, mut next) = (0u64, 0);
    // A choice of a state that waits for its step.
    let mut batch: Vec<(u32, u32)> = Vec::new();
    loop {
        // States of one location, in their order, are evaluated together.
        let location = batch
            .first()
            .map(|&(state, _)| search.states[state as usize].location);
        let is_next = search
            .states
            .get(next)
            .is_some_and(|state| location.is_none_or(|own| own == state.location));
        if is_next && batch.len() < LANES {
            let n_choices = search.places[search.states[next].location.index()]
                .choices
                .len();
            batch.extend((0..n_choices as u32).map(|choice| (next as u32, choice)));
            next += 1;
            continue;
        }
        if batch.is_empty() {
            return Ok(None);
        }
        if let Some(reason) = stop.reason() {
            return Err(reason);
        }
        let rest = batch.split_off(batch.len().min(LANES));
        spent = spent.saturating_add(cost);
        if let Some(found) = search.step(&batch) {
            return Ok(Some(found));
        }
        batch = rest;
        if spent > evaluations || search.states.len() > MOST_STATES {
            return Ok(None);
        }
    }
}

impl Search<'_> {
    fn add(&mut self, location: LocationId, values: Bits, from: Option<(u32, ActionId, u32)>) {
        if self.found.insert((location, values.clone())) {
            self.states.push(Reach {
                location,
                values,
                from,
            });
        }
    }

    /// Takes a step from states of one location, each with a choice. Returns a run to a bad location.
    fn step(&mut self, batch: &[(u32, u32)]) -> Option<ErrorPath> {
        let actions = self.actions;
        let location = self.states[batch[0].0 as usize].location;
        let mut inputs = vec![0u64; actions.aig.n_inputs()];
        let n_bits = actions.bits().len();
        for (lane, &(state, choice)) in batch.iter().enumerate() {
            let values = &self.states[state as usize].values;
            for &bit in &self.places[location.index()].carried {
                inputs[bit as usize] |= u64::from(values.get(bit as usize)) << lane;
            }
            let choice = &self.places[location.index()].choices[choice as usize];
            for (position, &(variable, bit)) in actions.inputs().iter().enumerate() {
                if let Some(value) = choice.get(&variable) {
                    inputs[n_bits + position] |= ((value >> bit) as u64 & 1) << lane;
                }
            }
        }
        let nodes = actions.aig.simulate(&inputs);
        let used = u64::MAX >> (LANES - batch.len());
        for &id in actions.outgoing(location) {
            let action = actions.action(id);
            let mut taken = action.guard.word(&nodes) & used;
            while taken != 0 {
                let lane = taken.trailing_zeros() as usize;
                taken &= taken - 1;
                let (state, choice) = batch[lane];
                if action.target == Cfa::ERROR {
                    return Some(self.path(state, id, choice));
                }
                let values = self.after(state, action, &nodes, lane);
                self.add(action.target, values, Some((state, id, choice)));
            }
        }
        None
    }

    /// The state after an action in one of the runs that are evaluated.
    fn after(&self, state: u32, action: &Action, nodes: &[u64], lane: usize) -> Bits {
        let before = &self.states[state as usize].values;
        let mut values = Bits::new(self.actions.bits().len());
        for &bit in &self.places[action.target.index()].carried {
            let value = match action.value(bit) {
                Some(value) => value.word(nodes) >> lane & 1 == 1,
                None => before.get(bit as usize),
            };
            values.set(bit as usize, value);
        }
        values
    }

    /// The run through a state that ends with an action.
    fn path(&self, state: u32, action: ActionId, choice: u32) -> ErrorPath {
        let (mut path, mut chosen) = (Vec::new(), Vec::new());
        let mut step = Some((state, action, choice));
        while let Some((state, action, choice)) = step {
            let before = &self.states[state as usize];
            path.push(action);
            chosen.push(self.places[before.location.index()].choices[choice as usize].clone());
            step = before.from;
        }
        path.reverse();
        chosen.reverse();
        ErrorPath { path, chosen }
    }
}

/// What runs do at each location.
fn places(actions: &Actions) -> Vec<Place> {
    let sliced = actions.sliced();
    let values = values_of_inputs(sliced);
    let mut random = Random::new(1);
    let places = sliced.location_ids().map(|location| {
        let carries = |word: &Term| sliced.location(location).words.binary_search(word).is_ok();
        let carried = (0..)
            .zip(actions.bits())
            .filter(|(_, (word, _))| carries(word));
        let carried = carried.map(|(bit, _)| bit).collect();
        let mut inputs: BTreeSet<Term> = BTreeSet::new();
        for &action in actions.outgoing(location) {
            let chooses = actions.action(action).chooses.iter();
            inputs.extend(chooses.map(|&input| actions.chosen(input).0));
        }
        let inputs: Vec<(Term, &[u128])> = inputs
            .into_iter()
            .map(|input| (input, &values[&input][..]))
            .collect();
        Place {
            choices: choices(&inputs, &mut random),
            carried,
        }
    });
    places.collect()
}

/// All combinations of values of inputs, or some at random.
fn choices(inputs: &[(Term, &[u128])], random: &mut Random) -> Vec<Choice> {
    let counts = inputs.iter().map(|(_, values)| values.len());
    let n_all = counts.fold(1usize, usize::saturating_mul);
    if n_all > MOST_CHOICES {
        let choices = (0..MOST_CHOICES).map(|_| {
            let picks = inputs
                .iter()
                .map(|&(input, values)| (input, values[random.below(values.len())]));
            picks.collect()
        });
        return choices.collect();
    }
    let mut all = vec![Choice::new()];
    for &(input, values) in inputs {
        let longer = all.iter().flat_map(|choice| {
            values.iter().map(move |&value| {
                let mut longer = choice.clone();
                longer.insert(input, value);
                longer
            })
        });
        all = longer.collect();
    }
    all
}

/// The values with which each input is tried: constants that it is compared with, their neighbours, and the least and
/// the largest numbers.
fn values_of_inputs(cfa: &Cfa) -> HashMap<Term, Vec<u128>> {
    let mut values: HashMap<Term, BTreeSet<u128>> = HashMap::new();
    let roots: Vec<Term> = cfa.edges().iter().flat_map(|edge| edge.roots()).collect();
    let terms = &cfa.terms;
    let cone = terms.cone(&roots, |_| false);
    for &term in &cone {
        match terms.node(term) {
            Node::Var(_) if cfa.word(term).is_none() => {
                let mask = craig_word::mask(terms.width(term));
                values
                    .entry(term)
                    .or_default()
                    .extend([0, 1 & mask, mask, mask >> 1]);
            }
            _ => {}
        }
    }
    for &term in &cone {
        let Node::Binary(op @ (Op::Eq | Op::Ult | Op::Slt), a, b) = terms.node(term) else {
            continue;
        };
        for (input, other) in [(a, b), (b, a)] {
            let (Some(values), Some(constant)) =
                (values.get_mut(&input), terms.constant_value(other))
            else {
                continue;
            };
            let mask = craig_word::mask(terms.width(input));
            values.insert(constant);
            if op != Op::Eq {
                values.extend([
                    constant.wrapping_add(1) & mask,
                    constant.wrapping_sub(1) & mask,
                ]);
            }
        }
    }
    let few = |values: BTreeSet<u128>| values.into_iter().take(MOST_VALUES).collect();
    values
        .into_iter()
        .map(|(input, values)| (input, few(values)))
        .collect()
}
