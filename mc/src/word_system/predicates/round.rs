//! One abstraction: its system, its circuit, and what the bits of that are.

use std::collections::{BTreeMap, HashMap};

use craig_model::{Trace, UnknownReason, simulate::replay};
use craig_word::Term;

use super::atoms::Atoms;
use super::{Chosen, StateBit};
use crate::exchange::{Reached, StateClause};
use crate::word_system::blast::{BitOf, Blasted, blast};
use crate::word_system::derive::Derived;

/// What a bit of an abstraction is. States and inputs have the numbers of the base system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Meaning {
    /// The bit of an input, or of a state that is remembered.
    Bit(BitOf),
    /// The bit of a hidden state, which is free.
    Free(BitOf),
    /// The truth value of an atom.
    Atom(usize),
    /// Whether a step is the first.
    First,
}

/// An abstraction.
pub(super) struct Round {
    pub(super) derived: Derived,
    pub(super) own: Blasted,
    inputs: Vec<Meaning>,
    latches: Vec<Meaning>,
}

/// The values that a step of a run of an abstraction has.
#[derive(Debug, Default)]
pub(super) struct StepOfRun {
    /// Of bits of the base system.
    pub(super) bits: HashMap<BitOf, bool>,
    /// Of atoms.
    pub(super) atoms: BTreeMap<usize, bool>,
}

/// The variables that an abstraction has beside those of the base system.
#[derive(Default)]
struct Variables {
    /// By input: the hidden state.
    hidden: HashMap<Term, usize>,
    /// By state: the position of the atom.
    atoms: HashMap<Term, usize>,
    /// By state: the bit.
    bits: HashMap<Term, StateBit>,
}

impl Round {
    /// The abstraction of `base` that remembers what is chosen.
    ///
    /// # Errors
    /// If its circuit would be too large.
    pub(super) fn new(
        base: &Derived,
        atoms: &Atoms,
        chosen: &Chosen,
    ) -> Result<Self, UnknownReason> {
        let mut derived = base.clone();
        let mut variables = Variables::default();
        abstracted(base, &mut derived, atoms, chosen, &mut variables);
        derived.clean();
        let own = blast(&derived.system).map_err(|error| UnknownReason::Bound(error.0))?;
        let numbers = |list: Vec<Term>| -> HashMap<Term, u32> {
            let list = list.into_iter().zip(0..);
            list.collect()
        };
        let base_inputs = numbers(base.system.inputs.clone());
        let base_states = numbers(base.system.states.iter().map(|it| it.state).collect());
        let meaning = |bit: &BitOf| -> Meaning {
            let place = |is_input: bool, number: u32| BitOf {
                is_input,
                number,
                ..*bit
            };
            let number = bit.number as usize;
            if bit.is_input {
                let input = derived.system.inputs[number];
                return match variables.hidden.get(&input) {
                    Some(&state) => Meaning::Free(place(false, state as u32)),
                    None => Meaning::Bit(place(true, base_inputs[&input])),
                };
            }
            let state = derived.system.states[number].state;
            if let Some(&atom) = variables.atoms.get(&state) {
                return Meaning::Atom(atom);
            }
            match variables.bits.get(&state) {
                Some(&(state, bit)) => Meaning::Bit(BitOf {
                    bit,
                    ..place(false, state as u32)
                }),
                None => Meaning::Bit(place(false, base_states[&state])),
            }
        };
        let inputs = own.inputs.iter().map(&meaning).collect();
        let latches = own.latches.iter();
        let latches = latches
            .map(|bit| bit.as_ref().map_or(Meaning::First, &meaning))
            .collect();
        Ok(Self {
            inputs,
            latches,
            derived,
            own,
        })
    }

    /// The values of a run of the abstraction, which remembers what is chosen.
    ///
    /// # Panics
    /// If it is none of its circuit.
    pub(super) fn values(&self, chosen: &Chosen, trace: &Trace) -> Vec<StepOfRun> {
        let steps = replay(&self.own.model, trace).expect("the run fits its model");
        let steps = steps.iter().map(|step| {
            let mut values = StepOfRun::default();
            let inputs = self.inputs.iter().zip(&step.inputs);
            let latches = self.latches.iter().zip(&step.latches);
            for (&meaning, &value) in inputs.chain(latches) {
                match meaning {
                    // The latch has the value, if there is one: without, the bit does not matter.
                    Meaning::Free(bit) if chosen.remembers(&bit) => {}
                    Meaning::Bit(bit) | Meaning::Free(bit) => {
                        values.bits.insert(bit, value);
                    }
                    Meaning::Atom(atom) => {
                        values.atoms.insert(atom, value);
                    }
                    Meaning::First => {}
                }
            }
            values
        });
        steps.collect()
    }
}

/// Makes hidden states inputs, and adds the latches of what is remembered of them.
fn abstracted(
    base: &Derived,
    derived: &mut Derived,
    atoms: &Atoms,
    chosen: &Chosen,
    variables: &mut Variables,
) {
    let states = base.system.states.iter();
    let mut next_of: HashMap<Term, Term> = HashMap::new();
    let mut init_of: HashMap<Term, Term> = HashMap::new();
    for state in states {
        next_of.extend(state.next.map(|next| (state.state, next)));
        init_of.extend(state.init.map(|init| (state.state, init)));
    }
    let mut images: HashMap<Term, Term> = HashMap::new();
    for &number in &chosen.hidden {
        let word = base.system.states[number].state;
        let input = derived.add_operation(word);
        variables.hidden.insert(input, number);
        let mut image = input;
        for &(_, bit) in chosen.bits.range((number, 0)..(number + 1, 0)) {
            let terms = &mut derived.system.terms;
            let own = terms.extract(word, bit, 1);
            let latch = add(derived, own, &mut init_of, &mut next_of);
            variables.bits.insert(latch, (number, bit));
            image = with_bit(derived, image, bit, latch);
        }
        images.insert(word, image);
    }
    for &atom in &chosen.atoms {
        let own = atoms.terms[atom];
        let latch = add(derived, own, &mut init_of, &mut next_of);
        variables.atoms.insert(latch, atom);
        let terms = &mut derived.system.terms;
        // Both sides become terms over free words, which the latch has the value of.
        let holds = terms.eq(latch, own);
        derived.system.constraints.push(holds);
        let names = &mut derived.system.names.constraints;
        if !names.is_empty() {
            names.push(String::new());
        }
    }
    let n_constraints = derived.system.constraints.len();
    derived.replace(&mut images, n_constraints);
}

/// Adds the latch for a term of one bit over states.
fn add(
    derived: &mut Derived,
    term: Term,
    init_of: &mut HashMap<Term, Term>,
    next_of: &mut HashMap<Term, Term>,
) -> Term {
    let terms = &mut derived.system.terms;
    let next = terms.substitute(term, next_of);
    let init = terms.substitute(term, init_of);
    let init = Some(init).filter(|&init| terms.is_constant(init));
    derived.add_defined(term, init, next)
}

/// A word with another bit.
fn with_bit(derived: &mut Derived, word: Term, bit: u32, value: Term) -> Term {
    let terms = &mut derived.system.terms;
    let width = terms.width(word);
    let mut result = value;
    if bit > 0 {
        let low = terms.extract(word, 0, bit);
        result = terms.concat(result, low);
    }
    if bit + 1 < width {
        let high = terms.extract(word, bit + 1, width - bit - 1);
        result = terms.concat(high, result);
    }
    result
}

/// Clauses that a search has found, over meanings instead of latches.
#[derive(Default)]
pub(super) struct Carried {
    frames: Vec<Vec<Vec<(Meaning, bool)>>>,
    forever: Vec<Vec<(Meaning, bool)>>,
}

impl Carried {
    /// The clauses of a search of an abstraction.
    pub(super) fn of(round: &Round, reached: &Reached) -> Self {
        let of = |clause: &StateClause| -> Vec<(Meaning, bool)> {
            let clause = clause.iter();
            clause
                .map(|&(latch, value)| (round.latches[latch], value))
                .collect()
        };
        Self {
            frames: (reached.frames.iter())
                .map(|clauses| clauses.iter().map(of).collect())
                .collect(),
            forever: reached.forever.iter().map(of).collect(),
        }
    }

    /// The clauses for a search of a finer abstraction: all of them, since those of a frame rest on others, or none if the
    /// abstraction lacks a latch.
    pub(super) fn on(&self, round: &Round) -> Reached {
        let latches = round.latches.iter().enumerate();
        let numbers: HashMap<Meaning, usize> = latches.map(|(at, &it)| (it, at)).collect();
        let of = |clause: &Vec<(Meaning, bool)>| -> Option<StateClause> {
            let clause = clause.iter();
            clause
                .map(|(meaning, value)| Some((*numbers.get(meaning)?, *value)))
                .collect()
        };
        let frames: Option<Vec<Vec<StateClause>>> = (self.frames.iter())
            .map(|clauses| clauses.iter().map(of).collect())
            .collect();
        let forever: Option<Vec<StateClause>> = self.forever.iter().map(of).collect();
        match (frames, forever) {
            (Some(frames), Some(forever)) => Reached::new(frames, forever),
            _ => Reached::default(),
        }
    }
}
