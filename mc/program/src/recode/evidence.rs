//! Evidence about a given automaton's circuit from evidence about the recoded one's.
//!
//! The state of the recoded circuit is a function of that of the given one: the words' indices, and the counter and all
//! other words as they are. So is each input. Hence a witness of the recoded circuit becomes one of the given circuit
//! with these functions in the place of its latches and inputs; its latches beyond those of the circuit are kept. That each
//! word of an exact domain holds a value of it joins the property.

use std::collections::HashMap;

use craig_aig::{Aig, Edge as AigEdge};
use craig_model::{Certificate, Model, Trace, Values};
use craig_word::Term;

use super::{Code, Recoded};
use crate::answer::Run;
use crate::cfa::Cfa;
use crate::part::{Part, added, certificate_for, fits, is_value, positions_of};
use crate::to_model::{CfaModel, Visit};

/// That bits, lowest first, are at least a number.
fn is_at_least(aig: &mut Aig, bits: &[AigEdge], number: u128) -> AigEdge {
    let bits = bits.iter().enumerate();
    bits.fold(AigEdge::TRUE, |holds, (place, &bit)| {
        match number >> place & 1 == 1 {
            true => aig.and(bit, holds),
            false => aig.or(bit, holds),
        }
    })
}

/// The bits of the index of a variable with these bits.
fn index_of(aig: &mut Aig, code: &Code, bits: &[AigEdge]) -> Vec<AigEdge> {
    let values = &code.domain.values;
    let mut reached: Vec<AigEdge> = (values.iter())
        .map(|&value| is_at_least(aig, bits, value))
        .collect();
    reached.push(AigEdge::FALSE);
    let here: Vec<AigEdge> = (reached.windows(2))
        .map(|pair| aig.and(pair[0], !pair[1]))
        .collect();
    (0..code.domain.width())
        .map(|bit| {
            let among = here.iter().enumerate();
            let among = among.filter(|(index, _)| index >> bit & 1 == 1);
            let among: Vec<AigEdge> = among.map(|(_, &here)| here).collect();
            aig.or_all(among)
        })
        .collect()
}

impl Recoded {
    /// A certificate for the circuit of the given automaton, from one for that of the recoded one; `None` if its form
    /// has no such image: it has constraints or reset functions, or the two circuits do not have the same words. It is not
    /// checked here.
    #[must_use]
    pub fn certificate(
        &self,
        given: &Cfa,
        outer: &CfaModel,
        inner: &CfaModel,
        certificate: &Certificate,
    ) -> Option<Certificate> {
        if !fits(&certificate.witness) {
            return None;
        }
        let mut witness = outer.model.clone();
        let mut property = Vec::new();
        let images = (
            &self.inputs(outer, inner, &mut witness)[..],
            &self.latches(given, outer, inner, &mut witness.aig, &mut property)?[..],
        );
        let Model { aig, inputs, .. } = &mut witness;
        let (part, unshared) = Part::of_witness(certificate, images, aig, inputs);
        part.add_latches(&mut witness, &unshared, AigEdge::FALSE);
        let mut bads = part.copy(&mut witness.aig, &certificate.witness.bads);
        bads.extend(&witness.bads);
        bads.extend(property.into_iter().map(|holds| !holds));
        witness.bads = vec![witness.aig.or_all(bads)];
        witness.names.bads.clear();
        Some(certificate_for(&outer.model, witness))
    }

    /// The latches of the recoded circuit as functions of those of the given one, whose edges `aig` has. What holds of
    /// words with exact domains is added to `property`.
    fn latches(
        &self,
        given: &Cfa,
        outer: &CfaModel,
        inner: &CfaModel,
        aig: &mut Aig,
        property: &mut Vec<AigEdge>,
    ) -> Option<Vec<AigEdge>> {
        let mut images: Vec<Option<AigEdge>> = vec![None; inner.model.latches.len()];
        let counter = outer.counter().iter();
        for (&latch, &own) in inner.counter().iter().zip(counter) {
            images[latch] = Some(outer.model.latches[own].state);
        }
        for word in given.words() {
            let Some(bits) = outer.state(word.term) else {
                continue;
            };
            let code = self.codes.get(&word.term);
            if let Some(code) = code.filter(|code| code.domain.is_exact) {
                let values = code.domain.values.iter();
                let cases: Vec<AigEdge> =
                    values.map(|&value| is_value(aig, &bits, value)).collect();
                property.push(aig.or_all(cases));
            }
            let index = code.map_or(word.term, |code| code.index);
            if let Some(latches) = inner.latches(index) {
                let edges = match code {
                    Some(code) => index_of(aig, code, &bits),
                    None => bits,
                };
                for (&latch, edge) in latches.iter().zip(edges) {
                    images[latch] = Some(edge);
                }
            }
        }
        images.into_iter().collect()
    }

    /// The inputs of the recoded circuit as functions of those of the given one, which are the first ones of the witness.
    /// What the given circuit knows nothing of are new inputs.
    fn inputs(&self, outer: &CfaModel, inner: &CfaModel, witness: &mut Model) -> Vec<AigEdge> {
        let positions = positions_of(&outer.model, outer.inputs());
        let of = |term: Term, bit: u32| {
            let position = positions.get(&(term, bit))?;
            Some(outer.model.inputs[*position])
        };
        let by_index = self.by_index();
        let mut indices: HashMap<Term, Option<Vec<AigEdge>>> = HashMap::new();
        let Model { aig, inputs, .. } = witness;
        (inner.inputs().iter())
            .map(|&(term, bit)| {
                let known = match by_index.get(&term) {
                    None => of(term, bit),
                    Some(&(variable, code)) => {
                        let index = indices.entry(term).or_insert_with(|| {
                            let bits: Option<Vec<AigEdge>> =
                                (0..code.width).map(|bit| of(variable, bit)).collect();
                            bits.map(|bits| index_of(aig, code, &bits))
                        });
                        index.as_ref().map(|bits| bits[bit as usize])
                    }
                };
                known.unwrap_or_else(|| added(aig, inputs))
            })
            .collect()
    }

    /// A trace of the circuit of the given automaton from one of the recoded one's: the inputs have the values of their
    /// indices.
    #[must_use]
    pub fn trace(&self, outer: &CfaModel, inner: &CfaModel, trace: &Trace) -> Trace {
        let positions = positions_of(&inner.model, inner.inputs());
        let lifted = |values: &Values| -> Values {
            let bits = outer.inputs().iter();
            let bits = bits.map(|&(term, bit)| {
                let of = |term: Term, bit: u32| {
                    (positions.get(&(term, bit))).and_then(|&position| values[position])
                };
                match self.codes.get(&term) {
                    None => of(term, bit),
                    Some(code) => {
                        let index = (0..code.domain.width())
                            .filter(|&bit| of(code.index, bit) == Some(true))
                            .fold(0, |index, bit| index | 1 << bit);
                        Some(code.domain.value(index) >> bit & 1 == 1)
                    }
                }
            });
            bits.collect()
        };
        Trace {
            property: trace.property,
            initial: vec![Some(false); outer.model.latches.len()],
            inputs: trace.inputs.iter().map(lifted).collect(),
        }
    }

    /// The run of the given automaton with the inputs of one of the recoded automaton, if it visits the same locations: the
    /// inputs have the values of their indices. Edges have other numbers, as the recoded automaton has none with a guard
    /// that its indices refute.
    #[must_use]
    pub fn run(&self, given: &Cfa, run: &Run) -> Option<Run> {
        let by_index = self.by_index();
        let mut state: HashMap<Term, u128> = HashMap::new();
        let (mut path, mut visits) = (Vec::new(), Vec::new());
        for visit in &run.visits {
            let mut values = state;
            for (&term, &value) in &visit.values {
                if self.cfa.word(term).is_some() {
                    continue;
                }
                match by_index.get(&term) {
                    None => values.insert(term, value),
                    Some(&(variable, code)) => values.insert(variable, code.domain.value(value)),
                };
            }
            let mut edges = given.outgoing(visit.location?).iter();
            let taken = edges.find_map(|&edge| Some((edge, given.follow(edge, &values)?)));
            let (edge, after) = taken?;
            path.push(edge);
            state = after;
            visits.push(Visit {
                location: visit.location,
                values,
            });
        }
        Some(Run { path, visits })
    }

    /// The variable of each index.
    fn by_index(&self) -> HashMap<Term, (Term, &Code)> {
        let codes = self.codes.iter();
        codes
            .map(|(&variable, code)| (code.index, (variable, code)))
            .collect()
    }
}
