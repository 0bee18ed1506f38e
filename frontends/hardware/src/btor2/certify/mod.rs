//! Certificates over words: a witness circuit in BTOR2 that is claimed to prove that bads of a model are
//! unreachable, and the check of it.
//!
//! The witness circuit has some inputs and states of the model, and its own property "no bad of the witness
//! holds under its constraints" is inductive (Yu, Froleyks, Biere and Heljanko, "Towards Compositional
//! Hardware Model Checking Certification", FMCAD 2023, on words). With K the shared states and inputs, R the values of
//! `init`, F those of `next`, C the constraints, P the property, and a prime for the witness:
//!
//! 1. *reset*: R on K and C imply R' on K and C';
//! 2. *transition*: F on K, C before and after, and C' before imply F' on K and C' after;
//! 3. *safety*: C, C' and P' imply P;
//! 4. *base*: R' and C' imply P';
//! 5. *inductive*: P', F', C' before and after imply P' after.
//!
//! A value of `init` reads no input and only earlier states, so that every state of the model has one of the
//! witness beside it.
//!
//! A state of the witness whose symbol begins with `?` is *universal*: it is not shared, has no `init`, keeps
//! its value, and an output whose symbol is `at` and that of the state names a value `f` that does not depend
//! on universal states, now or in any earlier step. Condition 3 is then needed only where each universal
//! state has its value `f`. For a run of the model is one of the witness with any values of these states; so
//! P' holds in the last step for those values that `f` has there. (The values are prophecies: without them,
//! no invariant can speak of all words of a memory.)

mod bits;
mod gates;
mod memories;
#[cfg(test)]
mod tests;
mod universal;
mod witness;

use std::collections::HashMap;

use craig_certify::Gate;

use gates::{Formulas, TooLarge, Values, Word};

use super::model::{Argument, Btor2, Kind, Line};

pub(in crate::btor2) use witness::with_all_shared;
pub use witness::witness_of;

/// Arrays with more bits than this are not spelled out word by word.
const MOST_ARRAY_BITS: u64 = 1 << 18;
/// As [`MOST_ARRAY_BITS`], for a first check of a witness that speaks of all words of a memory.
const FEW_ARRAY_BITS: u64 = 1 << 9;

/// Why a certificate is no proof.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WordCertifyError {
    /// It does not fit the model.
    Shape(String),
    /// A condition does not hold: its name.
    Condition(&'static str),
    /// The solver failed, or the formulas would be too large.
    Solver(String),
}

impl std::fmt::Display for WordCertifyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Shape(text) | Self::Solver(text) => f.write_str(text),
            Self::Condition(name) => write!(f, "the condition \"{name}\" does not hold"),
        }
    }
}

impl std::error::Error for WordCertifyError {}

impl From<TooLarge> for WordCertifyError {
    fn from(error: TooLarge) -> Self {
        Self::Solver(error.to_string())
    }
}

/// Checks a witness circuit for some bads of a model.
///
/// Inputs and states are shared if the witness's symbol is `=` and the identifier of the model's line; if no
/// symbol in the witness begins like this, the first ones are shared with the first ones, as many as there
/// are.
///
/// # Errors
/// The condition that fails, or the mismatch between witness and model.
pub fn certify(model: &Btor2, bads: &[usize], witness: &Btor2) -> Result<(), WordCertifyError> {
    let mut states = witness.states.iter();
    let is_universal = |node: u32| witness.nodes[node as usize].symbol.starts_with('?');
    // What follows few words of memories needs no others, and asks less without them.
    if states.any(|state| is_universal(state.node)) {
        match certify_with(model, bads, witness, FEW_ARRAY_BITS) {
            Err(WordCertifyError::Condition(_)) => {}
            result => return result,
        }
    }
    certify_with(model, bads, witness, MOST_ARRAY_BITS)
}

/// As [`certify`], with a bound on the bits of arrays that are spelled out.
pub(in crate::btor2) fn certify_with(
    model: &Btor2,
    bads: &[usize],
    witness: &Btor2,
    most_array_bits: u64,
) -> Result<(), WordCertifyError> {
    let bads = bads
        .iter()
        .map(|&bad| model.bads.get(bad).map(|line| line.value));
    let Some(bads) = bads.collect::<Option<Vec<Argument>>>() else {
        return Err(WordCertifyError::Shape(
            "the model has no such bad".to_owned(),
        ));
    };
    if witness.bads.is_empty() {
        return Err(WordCertifyError::Shape("the witness has no bad".to_owned()));
    }
    let states = shared(model, witness, false)?;
    let mut question = Question {
        formulas: Formulas::new(most_array_bits),
        inputs: shared(model, witness, true)?,
        universal: universal::states(witness, &states)?,
        states,
        needed: [needed(model), needed(witness)],
        model,
        witness,
    };
    question.check(&bads)
}

/// The nodes on which `init`, `next`, bads, constraints or outputs depend, and all inputs and states.
fn needed(model: &Btor2) -> Vec<bool> {
    let mut needed = vec![false; model.nodes.len()];
    let lines = model
        .bads
        .iter()
        .chain(&model.constraints)
        .map(|line| line.value);
    let states = model
        .states
        .iter()
        .flat_map(|state| [state.init, state.next]);
    let outputs = model.outputs.iter().map(|line| line.value);
    for argument in lines.chain(states.flatten()).chain(outputs) {
        needed[argument.node as usize] = true;
    }
    for node in model
        .states
        .iter()
        .map(|state| state.node)
        .chain(model.inputs.iter().copied())
    {
        needed[node as usize] = true;
    }
    for number in (0..needed.len()).rev() {
        if needed[number] {
            for argument in model.nodes[number].arguments() {
                needed[argument.node as usize] = true;
            }
        }
    }
    needed
}

/// For each input or state of the witness, the number of the model's that it is shared with.
fn shared(
    model: &Btor2,
    witness: &Btor2,
    is_input: bool,
) -> Result<Vec<Option<usize>>, WordCertifyError> {
    let nodes = |of: &Btor2| -> Vec<u32> {
        match is_input {
            true => of.inputs.clone(),
            false => of.states.iter().map(|state| state.node).collect(),
        }
    };
    let (theirs, ours) = (nodes(model), nodes(witness));
    let leaves = witness.inputs.iter().copied();
    let mut leaves = leaves.chain(witness.states.iter().map(|state| state.node));
    let by_symbol = leaves.any(|node| witness.nodes[node as usize].symbol.starts_with('='));
    let numbers: HashMap<u64, usize> = (theirs.iter().enumerate())
        .map(|(number, &node)| (model.nodes[node as usize].identifier, number))
        .collect();
    let mut is_taken = vec![false; theirs.len()];
    let mut shared = Vec::with_capacity(ours.len());
    for (position, &node) in ours.iter().enumerate() {
        let node = &witness.nodes[node as usize];
        let number = if by_symbol {
            match node.symbol.strip_prefix('=') {
                None => None,
                Some(text) => {
                    let number = text
                        .parse()
                        .ok()
                        .and_then(|id: u64| numbers.get(&id).copied());
                    let number = number.ok_or_else(|| {
                        let kind = if is_input { "an input" } else { "a state" };
                        let text = format!("the symbol ={text} does not name {kind} of the model");
                        WordCertifyError::Shape(text)
                    });
                    Some(number?)
                }
            }
        } else {
            (position < theirs.len()).then_some(position)
        };
        if let Some(number) = number {
            if std::mem::replace(&mut is_taken[number], true) {
                let text = format!("number {number} of the model is shared twice");
                return Err(WordCertifyError::Shape(text));
            }
            if model.nodes[theirs[number] as usize].sort != node.sort {
                let text = format!("number {number} of the model has another sort in the witness");
                return Err(WordCertifyError::Shape(text));
            }
        }
        shared.push(number);
    }
    Ok(shared)
}

struct Question<'a> {
    formulas: Formulas,
    model: &'a Btor2,
    witness: &'a Btor2,
    inputs: Vec<Option<usize>>,
    states: Vec<Option<usize>>,
    /// The universal states, with their values in the condition "safety".
    universal: Vec<(usize, Argument)>,
    /// Of the model and of the witness.
    needed: [Vec<bool>; 2],
}

/// Both circuits in one step, with the shared inputs and states identified.
struct Moment<'a> {
    model: Values<'a>,
    witness: Values<'a>,
}

impl<'a> Question<'a> {
    /// A step in which the states of the witness have the given values.
    fn moment(&mut self, states: &mut [Option<Word>]) -> Result<Moment<'a>, WordCertifyError> {
        let witness = Values::new(
            &mut self.formulas,
            self.witness,
            &self.needed[1],
            &mut |kind| match kind {
                Kind::State(number) => states[*number as usize].take(),
                _ => None,
            },
        )?;
        let mut given: HashMap<(bool, usize), Word> = HashMap::new();
        for (position, number) in self.inputs.iter().enumerate() {
            if let Some(number) = number {
                let value = witness.word(Argument::of(self.witness.inputs[position]));
                given.insert((true, *number), value);
            }
        }
        for (position, number) in self.states.iter().enumerate() {
            if let Some(number) = number {
                let value = witness.word(Argument::of(self.witness.states[position].node));
                given.insert((false, *number), value);
            }
        }
        let model = Values::new(
            &mut self.formulas,
            self.model,
            &self.needed[0],
            &mut |kind| match kind {
                Kind::Input(number) => given.remove(&(true, *number as usize)),
                Kind::State(number) => given.remove(&(false, *number as usize)),
                _ => None,
            },
        )?;
        Ok(Moment { model, witness })
    }

    fn implies(
        &mut self,
        name: &'static str,
        given: &[Gate],
        then: &[Gate],
    ) -> Result<(), WordCertifyError> {
        let fails: Vec<Gate> = then.iter().map(|gate| gate ^ 1).collect();
        match self.formulas.satisfiable(given, &fails) {
            Ok(false) => Ok(()),
            Ok(true) => Err(WordCertifyError::Condition(name)),
            Err(error) => Err(WordCertifyError::Solver(error)),
        }
    }

    fn check(&mut self, bads: &[Argument]) -> Result<(), WordCertifyError> {
        let (model, witness) = (self.model, self.witness);
        let all = |values: &Values<'_>, lines: &[Line]| -> Vec<Gate> {
            lines.iter().map(|line| values.bit(line.value)).collect()
        };
        let good = |values: &Values<'_>| -> Vec<Gate> {
            witness
                .bads
                .iter()
                .map(|line| values.bit(line.value) ^ 1)
                .collect()
        };
        let nothing = || vec![None; witness.states.len()];

        // R on K is stated; it may be an equation between states.
        let s = self.moment(&mut nothing())?;
        let mut given = all(&s.model, &model.constraints);
        let mut then = all(&s.witness, &witness.constraints);
        for (position, number) in self.states.iter().enumerate() {
            let Some(number) = *number else {
                continue;
            };
            let theirs = &model.states[number];
            let own = &witness.states[position];
            let value = s.witness.word(Argument::of(own.node));
            let sort = witness.nodes[own.node as usize].sort;
            if let Some(init) = theirs.init {
                let init = s.model.initial(&mut self.formulas, sort, init)?;
                given.push(self.formulas.same(&value, &init));
            }
            if let Some(init) = own.init {
                let init = s.witness.initial(&mut self.formulas, sort, init)?;
                then.push(self.formulas.same(&value, &init));
            }
        }
        self.implies("reset", &given, &then)?;

        // The shared states follow the model; those without `next` there are free.
        let mut nexts = nothing();
        for (position, number) in self.states.iter().enumerate() {
            let next = number.and_then(|number| model.states[number].next);
            nexts[position] = next.map(|next| s.model.word(next));
        }
        let after = self.moment(&mut nexts)?;
        let mut given = all(&s.model, &model.constraints);
        given.extend(all(&after.model, &model.constraints));
        given.extend(all(&s.witness, &witness.constraints));
        let mut then = all(&after.witness, &witness.constraints);
        for (position, number) in self.states.iter().enumerate() {
            let own = &witness.states[position];
            if let (Some(_), Some(next)) = (number, own.next) {
                let (next, value) = (
                    s.witness.word(next),
                    after.witness.word(Argument::of(own.node)),
                );
                then.push(self.formulas.same(&next, &value));
            }
        }
        self.implies("transition", &given, &then)?;

        let mut given = all(&s.model, &model.constraints);
        given.extend(all(&s.witness, &witness.constraints));
        given.extend(good(&s.witness));
        for &(state, value) in &self.universal {
            let own = s.witness.word(Argument::of(witness.states[state].node));
            given.push(self.formulas.same(&own, &s.witness.word(value)));
        }
        let then: Vec<Gate> = bads.iter().map(|&bad| s.model.bit(bad) ^ 1).collect();
        self.implies("safety", &given, &then)?;

        let mut given = all(&s.witness, &witness.constraints);
        for own in &witness.states {
            if let Some(init) = own.init {
                let sort = witness.nodes[own.node as usize].sort;
                let init = s.witness.initial(&mut self.formulas, sort, init)?;
                let value = s.witness.word(Argument::of(own.node));
                given.push(self.formulas.same(&value, &init));
            }
        }
        self.implies("base", &given, &good(&s.witness))?;

        let mut nexts = nothing();
        for (next, own) in nexts.iter_mut().zip(&witness.states) {
            *next = own.next.map(|next| s.witness.word(next));
        }
        let later = self.moment(&mut nexts)?;
        let mut given = all(&s.witness, &witness.constraints);
        given.extend(all(&later.witness, &witness.constraints));
        given.extend(good(&s.witness));
        self.implies("inductive", &given, &good(&later.witness))
    }
}
