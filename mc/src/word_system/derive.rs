//! Systems that are derived from another one, and what their evidence says about it.
//!
//! Each word of a derived system is *defined* by a term over the original's inputs and states: a state is that
//! state or a part of it, and an input that stands for an operation is that operation. With these values, a run
//! of the original on which all *facts* hold is a run of the derived system, and its bad holds in the same
//! steps. The facts hold in the first step and are preserved by every step together.
//!
//! Hence a proof of the derived system is one of the original: the definitions are inserted for its inputs and
//! latches, and a violated fact becomes a bad of the witness circuit. A run of the derived system is one of the
//! original unless inputs stand for operations; then a replay decides.

use std::collections::HashMap;

use craig_aig::Edge;
use craig_model::{
    Certificate, Outcome, Reset, Trace, Values, Verdict, certificate::WitnessBuilder,
};
use craig_word::{ArrayValue, BitVector, Sort, Term};

use super::blast::BitOf;
use super::blast::{Blasted, blast_with};
use super::system::{WordState, WordSystem};

/// What an input or a state of a derived system is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The part from bit `low` of the original's input or state.
    Part { number: usize, low: u32 },
    /// An input that stands for an operation, or a state that stands for a term.
    Operation,
}

/// A system derived from another one, for one of its bads.
#[derive(Clone)]
pub struct Derived {
    /// The system; its arena of terms begins as the original's.
    pub system: WordSystem,
    /// What each input is.
    pub(super) inputs: Vec<Origin>,
    /// What each state is.
    pub(super) states: Vec<Origin>,
    /// The definitions, over variables of the original, of those variables that are not the original's; and what became
    /// of other terms when these were inserted, so that each is visited once. Variables that are added later occur in none
    /// of these.
    definitions: HashMap<Term, Term>,
    /// Over variables of the original.
    facts: Vec<Term>,
    /// The bad of the original.
    bad: usize,
}

/// A bit of the original: whether it is of an input, the number there, the word, and the bit.
type Place = (bool, u32, u32, u32);

impl Derived {
    /// The part of a system on which one of its bads depends.
    ///
    /// # Panics
    /// If there is no such bad.
    #[must_use]
    pub fn new(original: &WordSystem, bad: usize) -> Self {
        let mut system = original.clone();
        system.bads = vec![original.bads[bad]];
        system.names.bads = original.names.bads.get(bad).cloned().into_iter().collect();
        system.justice.clear();
        system.fairness.clear();
        system.names.justice.clear();
        system.names.fairness.clear();
        let whole = |number: usize| Origin::Part { number, low: 0 };
        let mut derived = Self {
            inputs: (0..system.inputs.len()).map(whole).collect(),
            states: (0..system.states.len()).map(whole).collect(),
            system,
            definitions: HashMap::new(),
            facts: Vec::new(),
            bad,
        };
        derived.clean();
        derived
    }

    /// The number of facts.
    #[must_use]
    pub fn n_facts(&self) -> usize {
        self.facts.len()
    }

    /// Adds a term that holds in every step, by induction together with the other facts. It is over current
    /// variables.
    pub(super) fn add_fact(&mut self, fact: Term) {
        let fact = self.resolved(fact);
        self.facts.push(fact);
    }

    /// Adds an input that stands for a term over current variables.
    pub(super) fn add_operation(&mut self, term: Term) -> Term {
        let sort = self.system.terms.sort(term);
        let input = self.system.terms.variable_of(sort);
        let definition = self.resolved(term);
        self.definitions.insert(input, definition);
        self.system.inputs.push(input);
        self.inputs.push(Origin::Operation);
        let names = &mut self.system.names.inputs;
        if !names.is_empty() {
            names.push(String::new());
        }
        input
    }

    /// Adds a state that stands for a term over current states; `init` and `next` are what the term is in the first and in
    /// the next step.
    pub(super) fn add_defined(&mut self, term: Term, init: Option<Term>, next: Term) -> Term {
        let sort = self.system.terms.sort(term);
        let state = self.system.terms.variable_of(sort);
        let definition = self.resolved(term);
        self.definitions.insert(state, definition);
        let next = Some(next);
        self.system.states.push(WordState { state, init, next });
        self.states.push(Origin::Operation);
        let names = &mut self.system.names.latches;
        if !names.is_empty() {
            names.push(String::new());
        }
        state
    }

    /// Replaces a state by its bits from `low` upwards. Nothing depends on its other bits.
    pub(super) fn narrow(
        &mut self,
        state: usize,
        low: u32,
        width: u32,
        images: &mut HashMap<Term, Term>,
    ) {
        let WordState {
            state: old,
            init,
            next,
        } = self.system.states[state];
        let part = self.system.terms.variable(width);
        let terms = &mut self.system.terms;
        let definition = terms.extract(old, low, width);
        let mut extract = |term: Term| terms.extract(term, low, width);
        let (init, next) = (init.map(&mut extract), next.map(extract));
        let definition = self.resolved(definition);
        self.definitions.insert(part, definition);
        self.system.states[state] = WordState {
            state: part,
            init,
            next,
        };
        if let Origin::Part { low: below, .. } = &mut self.states[state] {
            *below += low;
        }
        let terms = &mut self.system.terms;
        let mut word = part;
        if low > 0 {
            let zero = terms.constant(0, low);
            word = terms.concat(word, zero);
        }
        let word = terms.zext(word, terms.width(old));
        images.insert(old, word);
    }

    /// A term over current variables as one over the original's.
    fn resolved(&mut self, term: Term) -> Term {
        self.system.terms.substitute(term, &mut self.definitions)
    }

    /// Replaces variables by terms, and removes what the property does not depend on any more. A replaced
    /// variable that is still a state or an input must not be reachable from the property.
    pub(super) fn rewrite(&mut self, images: &mut HashMap<Term, Term>) {
        let system = &mut self.system;
        let mut of = |term: &mut Term| *term = system.terms.substitute(*term, images);
        for state in &mut system.states {
            state.init.iter_mut().for_each(&mut of);
            state.next.iter_mut().for_each(&mut of);
        }
        system.constraints.iter_mut().for_each(&mut of);
        system.bads.iter_mut().for_each(&mut of);
        self.clean();
    }

    /// Replaces terms in all steps but the first: an `init` has no inputs. Of the constraints, only the first `n_constraints`
    /// may have such terms.
    pub(super) fn replace(&mut self, images: &mut HashMap<Term, Term>, n_constraints: usize) {
        let system = &mut self.system;
        let terms = &mut system.terms;
        let mut of = |term: &mut Term| *term = terms.substitute(*term, images);
        for state in &mut system.states {
            state.next.iter_mut().for_each(&mut of);
        }
        system.constraints[..n_constraints]
            .iter_mut()
            .for_each(&mut of);
        system.bads.iter_mut().for_each(&mut of);
    }

    /// Sets words of memories in the first step of a run of the original's circuit of bits, `full`, by the numbers of their
    /// states here.
    pub(super) fn set_contents(
        &self,
        full: &Blasted,
        contents: &HashMap<usize, ArrayValue>,
        run: &mut Trace,
    ) {
        let of = |(&state, content)| match self.states[state] {
            Origin::Part { number, .. } => Some((number, content)),
            Origin::Operation => None,
        };
        let contents: HashMap<usize, &ArrayValue> = contents.iter().filter_map(of).collect();
        for (place, bit) in full.latches.iter().enumerate() {
            let Some(bit) = bit.filter(|bit| !bit.is_input) else {
                continue;
            };
            if let Some(content) = contents.get(&(bit.number as usize)) {
                let address = BitVector::new(u128::from(bit.word), content.index_width());
                run.initial[place] = Some(content.select(&address).bit(bit.bit));
            }
        }
    }

    /// Removes inputs and states outside the cone of the property, and constraints that are true.
    pub(super) fn clean(&mut self) {
        let terms = &self.system.terms;
        let is_needed = |constraint: &Term| !terms.is_true(*constraint);
        let kept: Vec<bool> = self.system.constraints.iter().map(is_needed).collect();
        retain(&mut self.system.constraints, &kept);
        retain(&mut self.system.names.constraints, &kept);
        let cone = self.system.cone();
        let kept = |numbers: &[usize], n: usize| {
            let mut kept = vec![false; n];
            numbers.iter().for_each(|&number| kept[number] = true);
            kept
        };
        let inputs = kept(&cone.inputs, self.system.inputs.len());
        let states = kept(&cone.states, self.system.states.len());
        retain(&mut self.system.inputs, &inputs);
        retain(&mut self.system.names.inputs, &inputs);
        retain(&mut self.inputs, &inputs);
        retain(&mut self.system.states, &states);
        retain(&mut self.system.names.latches, &states);
        retain(&mut self.states, &states);
    }

    /// The place of a bit in the original; `None` for a bit of an operation.
    fn place(&self, bit: BitOf) -> Option<Place> {
        let origins = match bit.is_input {
            true => &self.inputs,
            false => &self.states,
        };
        match origins[bit.number as usize] {
            Origin::Part { number, low } => {
                Some((bit.is_input, number as u32, bit.word, bit.bit + low))
            }
            Origin::Operation => None,
        }
    }

    /// A run of the original's circuit of bits, `full`, from one of the derived system's, `own`. Nothing is
    /// known about its bad if inputs stand for operations.
    #[must_use]
    pub fn trace(&self, full: &Blasted, own: &Blasted, trace: &Trace) -> Trace {
        let places = |bits: &mut dyn Iterator<Item = Option<BitOf>>| -> HashMap<Place, usize> {
            let places = bits.enumerate();
            places
                .filter_map(|(number, bit)| Some((self.place(bit?)?, number)))
                .collect()
        };
        let inputs = places(&mut own.inputs.iter().copied().map(Some));
        let latches = places(&mut own.latches.iter().copied());
        let place = |bit: &BitOf| (bit.is_input, bit.number, bit.word, bit.bit);
        let value = |values: &Values, number: Option<&usize>| {
            Some(number.and_then(|&number| values[number]).unwrap_or(false))
        };
        let initial = full.latches.iter().zip(&full.model.latches);
        let initial = initial.map(|(bit, latch)| match latch.reset.value() {
            Some(reset) => Some(reset),
            None => value(
                &trace.initial,
                bit.as_ref().and_then(|bit| latches.get(&place(bit))),
            ),
        });
        let steps = trace.inputs.iter().map(|step| {
            let bits = full.inputs.iter();
            bits.map(|bit| value(step, inputs.get(&place(bit))))
                .collect()
        });
        Trace {
            property: self.bad,
            initial: initial.collect(),
            inputs: steps.collect(),
        }
    }

    /// The outcome for the circuit of bits of the original, `full`, if no input stands for an operation. `None`
    /// if it can't be lifted.
    #[must_use]
    pub fn lift_outcome(
        &self,
        original: &WordSystem,
        full: &Blasted,
        own: &Blasted,
        outcome: Outcome,
    ) -> Option<Outcome> {
        let verdict = match outcome.verdict {
            Verdict::Unsafe(trace) => Verdict::Unsafe(self.trace(full, own, &trace)),
            Verdict::Safe(certificate) => {
                Verdict::Safe(Box::new(self.certificate(original, own, &certificate)?))
            }
            unknown @ Verdict::Unknown(_) => unknown,
        };
        Some(Outcome { verdict, ..outcome })
    }

    /// A certificate for the original's circuit of bits from one for the derived system's, `own`. `None` if the
    /// original does not have what `own` has; nobody knows such a system.
    #[must_use]
    pub fn certificate(
        &self,
        original: &WordSystem,
        own: &Blasted,
        certificate: &Certificate,
    ) -> Option<Certificate> {
        let terms = &self.system.terms;
        let variables = self.system.inputs.iter().copied();
        let states = self.system.states.iter().map(|state| state.state);
        let variables: Vec<Term> = variables.chain(states).collect();
        let n_inputs = self.system.inputs.len();
        // Of arrays only those are defined whose words are latches or inputs of the circuit.
        let defined = |variable: &Term| {
            self.definitions
                .get(variable)
                .unwrap_or(variable)
                .to_owned()
        };
        let mut roots: Vec<Term> = variables.iter().map(defined).collect();
        roots.extend(&self.facts);
        let mut over = WordSystem {
            terms: terms.clone(),
            ..original.clone()
        };
        // A state that keeps a constant for ever is a constant of `own` and no latch: that is a fact here.
        let mut images = self.definitions.clone();
        for &number in &own.constant_states {
            let state = &self.system.states[number];
            if let Some(init) = state.init {
                let fact = over.terms.eq(state.state, init);
                roots.push(over.terms.substitute(fact, &mut images));
            }
        }
        let (blasted, mut bits) = blast_with(&over, &roots).ok()?;
        let facts = bits.split_off(variables.len());
        let width = |variable: Term| match terms.sort(variable) {
            Sort::BitVector(width) => width,
            Sort::Array { element, .. } => element,
        };
        let of = |bit: BitOf| -> Edge {
            let number = bit.number as usize + if bit.is_input { 0 } else { n_inputs };
            let position = bit.word * width(variables[number]) + bit.bit;
            bits[number][position as usize]
        };
        let mut model = blasted.model;
        let first = (blasted.latches.iter().zip(&model.latches))
            .find_map(|(bit, latch)| bit.is_none().then_some(latch.state));
        let inputs: Vec<Edge> = own.inputs.iter().map(|&bit| of(bit)).collect();
        let mut part = certificate.clone();
        let mut latches = Vec::with_capacity(own.latches.len());
        for (number, bit) in own.latches.iter().enumerate() {
            latches.push(match (*bit, first) {
                (None, Some(first)) => first,
                (None, None) => {
                    // The original needs no such latch; the witness circuit has one of its own.
                    for shared in &mut part.shared_latches {
                        shared.take_if(|shared| *shared == number);
                    }
                    Edge::FALSE
                }
                (Some(bit), _) => {
                    let value = of(bit);
                    let depends = own.dependent_states.contains(&(bit.number as usize));
                    match depends && own.model.latches[number].reset == Reset::Zero {
                        false => value,
                        // Such a latch is 0 in the first step, whatever the word is.
                        true => model.aig.and(!first?, value),
                    }
                }
            });
        }
        let facts: Vec<Edge> = facts.into_iter().map(|fact| fact[0]).collect();
        let bad = model.bads[self.bad];
        let roots = inputs.iter().chain(&latches).chain(&facts);
        let roots: Vec<Edge> = roots.chain(&model.constraints).copied().collect();
        let mut copy = WitnessBuilder::new(&model, roots.into_iter().chain([bad]));
        let (mut bads, kept) = copy.add_part_of(&part, &inputs, &latches);
        // The constraints of the derived system follow from those of the original where the facts hold. The
        // conditions about constraints may not use facts; so the witness circuit has the original's constraints
        // only, and its property is that the others hold, too.
        bads.extend(kept.into_iter().map(|constraint| !constraint));
        bads.extend(facts.iter().map(|&fact| copy.image(!fact)));
        copy.set_bads(&bads);
        Some(copy.finish())
    }
}

/// Keeps the marked elements of a list; an empty list stays so.
fn retain<T>(list: &mut Vec<T>, kept: &[bool]) {
    let mut number = 0;
    list.retain(|_| {
        number += 1;
        kept[number - 1]
    });
}
