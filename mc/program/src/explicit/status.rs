//! The reachable combinations of values of status words.

use std::collections::{HashMap, VecDeque};

use craig_aig::{Aig, Edge};
use craig_mc::Control;
use craig_mc::control::listen_in;
use craig_mc::engine::why_stopped;
use craig_mc::listener::Listener;
use craig_model::{Stop, UnknownReason};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Lit, Solver};

use super::NAME;
use crate::actions::{ActionId, Actions, StateBit, position};
use crate::answer::ErrorPath;
use crate::cfa::{Cfa, LocationId};
use crate::labels::Labels;
use crate::refutation::{Dial, Found, From, Question, ask};

/// Words with more values are no status words.
const MOST_VALUES: usize = 64;
/// With more states than this the exploration ends.
const MOST_STATES: usize = 50_000;
/// The limit of the query whether a path to an error can be taken.
const PATH_CONFLICTS: u64 = 20_000;

/// Bits, packed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Bits(Box<[u64]>);

impl Bits {
    pub(super) fn new(n: usize) -> Self {
        Self(vec![0; n.div_ceil(64)].into())
    }

    pub(crate) fn get(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    pub(super) fn set(&mut self, place: usize, value: bool) {
        self.0[place / 64] |= u64::from(value) << (place % 64);
    }
}

/// The result of an exploration.
pub(super) enum Explored {
    /// All states; none has a step to a bad location.
    All(Reached),
    /// A path to a bad location.
    Error(ErrorPath),
    /// It ended, for this reason.
    Open(String),
}

/// The states that were found.
pub(crate) struct Reached {
    /// The bits of status words.
    bits: Vec<StateBit>,
    /// By location: the places in `bits` of those that it carries.
    carried: Vec<Vec<usize>>,
    states: Vec<Reach>,
    /// The number of each state.
    found: HashMap<(LocationId, Bits), usize>,
}

/// A step between two states: their numbers, and the action.
pub(crate) type Transition = (usize, ActionId, usize);

/// A state, and how it was reached.
struct Reach {
    location: LocationId,
    /// By place in the list of bits; those that the location does not carry are 0.
    values: Bits,
    from: Option<(usize, ActionId)>,
}

impl Reached {
    fn new(actions: &Actions) -> Self {
        let sliced = actions.sliced();
        let few = sliced.few_values(MOST_VALUES);
        let bits: Vec<StateBit> = (0..)
            .zip(actions.bits())
            .filter(|(_, (word, _))| few.contains_key(word))
            .map(|(bit, _)| bit)
            .collect();
        let carried = sliced.locations().iter().map(|location| {
            let is_carried = |&place: &usize| {
                let (word, _) = actions.bits()[bits[place] as usize];
                location.words.binary_search(&word).is_ok()
            };
            (0..bits.len()).filter(is_carried).collect()
        });
        Self {
            carried: carried.collect(),
            states: Vec::new(),
            found: HashMap::new(),
            bits,
        }
    }

    /// Adds a state if it is new. Returns its number, and whether it is new.
    fn add(
        &mut self,
        location: LocationId,
        values: Bits,
        from: Option<(usize, ActionId)>,
    ) -> (usize, bool) {
        let next = self.states.len();
        let number = *(self.found.entry((location, values.clone()))).or_insert(next);
        if number == next {
            self.states.push(Reach {
                location,
                values,
                from,
            });
        }
        (number, number == next)
    }

    /// The number of states.
    pub(crate) fn n_states(&self) -> usize {
        self.states.len()
    }

    /// The location of a state, and its values by place in the list of bits.
    pub(crate) fn state(&self, number: usize) -> (LocationId, &Bits) {
        let state = &self.states[number];
        (state.location, &state.values)
    }

    /// The path to a state.
    fn path(&self, mut number: usize) -> Vec<ActionId> {
        let mut path = Vec::new();
        while let Some((before, action)) = self.states[number].from {
            path.push(action);
            number = before;
        }
        path.reverse();
        path
    }

    /// The states at a location.
    pub(super) fn at(&self, location: LocationId) -> impl Iterator<Item = &Bits> {
        let states = self.states.iter();
        states
            .filter(move |state| state.location == location)
            .map(|state| &state.values)
    }

    /// The bits that a location carries, with their places.
    pub(crate) fn bits(&self, location: LocationId) -> impl Iterator<Item = (usize, StateBit)> {
        let carried = self.carried[location.index()].iter();
        carried.map(|&place| (place, self.bits[place]))
    }
}

/// The steps from one state in a solver: the formulas of all actions with the values of the state put in, so that
/// little of them is left.
struct Steps<'a> {
    actions: &'a Actions,
    reached: &'a Reached,
    state: usize,
    solver: Solver,
    /// By action from the location: the guard, then the values that the action assigns to status words, with their
    /// places.
    formulas: Vec<(Lit, Vec<(usize, Value)>)>,
}

/// A bit after a step.
enum Value {
    Known(bool),
    Varies(Lit),
}

impl<'a> Steps<'a> {
    fn new(actions: &'a Actions, reached: &'a Reached, state: usize, stop: &Stop) -> Self {
        let Reach {
            location, values, ..
        } = &reached.states[state];
        let mut known: Vec<Option<bool>> = vec![None; actions.aig.n_inputs()];
        for (place, bit) in reached.bits(*location) {
            known[bit as usize] = Some(values.get(place));
        }
        let mut roots = Vec::new();
        for &action in actions.outgoing(*location) {
            let action = actions.action(action);
            roots.push(action.guard);
            let assigned = reached.bits(action.target);
            roots.extend(assigned.filter_map(|(_, bit)| action.value(bit)));
        }
        let mut rest = Aig::new();
        let inputs: Vec<Edge> = known.iter().map(|_| rest.add_input()).collect();
        let copied = rest.copy_cone(&actions.aig, &roots, &mut |node| {
            let input = position(&actions.aig, node) as usize;
            match known[input] {
                Some(true) => Edge::TRUE,
                Some(false) => Edge::FALSE,
                None => inputs[input],
            }
        });
        let mut solver = Solver::new();
        listen_in(stop, &mut solver);
        let mut encoder = Encoder::new();
        let mut copied = copied.into_iter();
        let mut formulas = Vec::new();
        for &action in actions.outgoing(*location) {
            let action = actions.action(action);
            let mut next = || copied.next().expect("there is a copy of each root");
            let guard = encoder.encode(&rest, next(), &mut solver);
            let mut bits = Vec::new();
            for (place, bit) in reached.bits(action.target) {
                let value = match action.value(bit).map(|_| next()) {
                    // The word keeps its value, so that the source carries it.
                    None => Value::Known(values.get(place)),
                    Some(edge) if edge.is_constant() => Value::Known(edge == Edge::TRUE),
                    Some(edge) => Value::Varies(encoder.encode(&rest, edge, &mut solver)),
                };
                bits.push((place, value));
            }
            formulas.push((guard, bits));
        }
        Self {
            actions,
            reached,
            state,
            solver,
            formulas,
        }
    }

    /// Whether the state has a step by the action with this number.
    fn is_possible(&mut self, number: usize, stop: &Stop) -> Result<bool, UnknownReason> {
        match self.solver.solve(&[self.formulas[number].0]) {
            Answer::Unknown => Err(why_stopped(stop)),
            answer => Ok(answer == Answer::Satisfiable),
        }
    }

    /// The combinations of status words after the action with this number; some of them if they are more than `most`.
    fn after(
        &mut self,
        number: usize,
        most: usize,
        stop: &Stop,
    ) -> Result<Vec<Bits>, UnknownReason> {
        let (guard, bits) = &self.formulas[number];
        let is_asked = self.solver.new_var().positive();
        let assumptions = [*guard, is_asked];
        let mut found = Vec::new();
        loop {
            match self.solver.solve(&assumptions) {
                Answer::Unknown => return Err(why_stopped(stop)),
                Answer::Unsatisfiable => break,
                Answer::Satisfiable => {}
            }
            let mut values = Bits::new(self.reached.bits.len());
            let mut other = vec![!is_asked];
            for (place, value) in bits {
                let value = match value {
                    Value::Known(value) => *value,
                    Value::Varies(lit) => {
                        let value = self.solver.value(*lit).unwrap_or(false);
                        other.push(lit.negate_if(value));
                        value
                    }
                };
                values.set(*place, value);
            }
            found.push(values);
            if found.len() > most {
                break;
            }
            self.solver.add_clause(&other);
        }
        Ok(found)
    }

    /// The actions from the state's location, by number.
    fn actions(&self) -> &'a [ActionId] {
        self.actions
            .outgoing(self.reached.states[self.state].location)
    }
}

/// Explores all states, breadth first.
pub(super) fn explore(actions: &Actions, control: Control<'_>) -> Result<Explored, UnknownReason> {
    let mut reached = Reached::new(actions);
    if reached.bits.is_empty() {
        return Ok(Explored::Open("no word holds few values".to_owned()));
    }
    // All words are 0 at the start.
    reached.add(Cfa::START, Bits::new(reached.bits.len()), None);
    let mut queue = VecDeque::from([0]);
    while let Some(state) = queue.pop_front() {
        if let Some(reason) = control.stop.reason() {
            return Err(reason);
        }
        let mut steps = Steps::new(actions, &reached, state, control.stop);
        let mut next = Vec::new();
        for (number, &action) in steps.actions().iter().enumerate() {
            let target = actions.action(action).target;
            if target == Cfa::ERROR {
                if steps.is_possible(number, control.stop)? {
                    let mut path = reached.path(state);
                    path.push(action);
                    return tried(actions, path, control.stop);
                }
                continue;
            }
            let found = steps.after(number, MOST_STATES, control.stop)?;
            next.extend(found.into_iter().map(|values| (target, values, action)));
        }
        for (target, values, action) in next {
            if let (number, true) = reached.add(target, values, Some((state, action))) {
                queue.push_back(number);
            }
        }
        if reached.states.len() > MOST_STATES {
            return Ok(Explored::Open(format!("more than {MOST_STATES} states")));
        }
    }
    control.listener.note(NAME, || {
        let (n_states, n_bits) = (reached.states.len(), reached.bits.len());
        format!("{n_states} states of {n_bits} bits")
    });
    Ok(Explored::All(reached))
}

/// All states and the steps between them, whether or not a step leads to a bad location; none if there are more than so
/// many steps.
pub(crate) fn unfold(
    actions: &Actions,
    most: usize,
    stop: &Stop,
) -> Result<Option<(Reached, Vec<Transition>)>, UnknownReason> {
    let mut reached = Reached::new(actions);
    if reached.bits.is_empty() {
        return Ok(None);
    }
    reached.add(Cfa::START, Bits::new(reached.bits.len()), None);
    let (mut transitions, mut state) = (Vec::new(), 0);
    while state < reached.states.len() {
        if let Some(reason) = stop.reason() {
            return Err(reason);
        }
        let mut steps = Steps::new(actions, &reached, state, stop);
        let mut next = Vec::new();
        for (number, &action) in steps.actions().iter().enumerate() {
            let target = actions.action(action).target;
            if target != Cfa::ERROR {
                let found = steps.after(number, most, stop)?;
                next.extend(found.into_iter().map(|values| (target, values, action)));
            }
        }
        for (target, values, action) in next {
            let (number, _) = reached.add(target, values, Some((state, action)));
            transitions.push((state, action, number));
        }
        if transitions.len() > most {
            return Ok(None);
        }
        state += 1;
    }
    Ok(Some((reached, transitions)))
}

/// The run along a path to a bad location, if it can be taken.
fn tried(actions: &Actions, path: Vec<ActionId>, stop: &Stop) -> Result<Explored, UnknownReason> {
    let mut labels = Labels::new(actions, stop);
    let question = Question {
        from: From::Start,
        path: &path,
        known: &[],
        outside: None,
        observed: &[],
        slice: true,
        conflicts: Some(PATH_CONFLICTS),
    };
    let n_steps = path.len();
    Ok(
        match ask(
            actions,
            &mut labels,
            &question,
            &Dial::default(),
            stop,
            &Listener::silent(),
        )? {
            Found::Run(chosen, _) => Explored::Error(ErrorPath { path, chosen }),
            Found::Sequence(_) | Found::Open => Explored::Open(format!(
                "a path of {n_steps} steps to an error depends on words of many values"
            )),
        },
    )
}
