//! Evidence about the circuit of an unfolded automaton as evidence about that of the given one.

use std::collections::HashMap;

use craig_aig::{Aig, Edge as AigEdge, NodeId};
use craig_model::{Certificate, Model, Trace};
use craig_word::{Blaster, Term};

use super::{Status, Unfolded};
use crate::cfa::{Cfa, LocationId};
use crate::part::{Part, added, certificate_for, fits, is_value, positions_of};
use crate::to_model::CfaModel;
use crate::words::Strong;

/// The conjunction that two words of equal width are equal.
fn equal(aig: &mut Aig, left: &[AigEdge], right: &[AigEdge]) -> AigEdge {
    let pairs: Vec<(AigEdge, AigEdge)> = left.iter().copied().zip(right.iter().copied()).collect();
    let same: Vec<AigEdge> = pairs.into_iter().map(|(a, b)| !aig.xor(a, b)).collect();
    aig.and_all(same)
}

impl Unfolded {
    /// A certificate for the circuit of the given automaton, from one for that of the unfolded one; `None` if its form
    /// has no such image. It is not checked here.
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
        let mut witness = Model::default();
        let mut fresh =
            |n: usize| -> Vec<AigEdge> { (0..n).map(|_| witness.aig.add_input()).collect() };
        let outer_inputs = fresh(outer.model.inputs.len());
        let outer_latches = fresh(outer.model.latches.len());
        let inner_latches = fresh(inner.model.latches.len());
        let positions = positions_of(&outer.model, outer.inputs());
        let Model { aig, inputs, .. } = &mut witness;
        inputs.clone_from(&outer_inputs);
        let inner_inputs: Vec<AigEdge> = (inner.inputs().iter())
            .map(|bit| match positions.get(bit) {
                Some(&position) => outer_inputs[position],
                None => added(aig, inputs),
            })
            .collect();
        let outer_part = Part::new(&outer.model, &outer_inputs, &outer_latches);
        let inner_part = Part::new(&inner.model, &inner_inputs, &inner_latches);
        let images = (&inner_inputs[..], &inner_latches[..]);
        let (own_part, unshared) = Part::of_witness(certificate, images, aig, inputs);
        let all = |n: usize| (0..n).collect::<Vec<usize>>();
        let (agree, waits) = self.agree(
            given,
            (outer, &outer_latches),
            (inner, &inner_latches),
            &mut witness.aig,
        );
        outer_part.add_latches(&mut witness, &all(outer_latches.len()), AigEdge::FALSE);
        inner_part.add_latches(&mut witness, &all(inner_latches.len()), waits);
        own_part.add_latches(&mut witness, &unshared, waits);
        let mut bads = outer_part.copy(&mut witness.aig, &outer.model.bads);
        bads.extend(own_part.copy(&mut witness.aig, &certificate.witness.bads));
        bads.push(!agree);
        witness.bads = vec![witness.aig.or_all(bads)];
        Some(certificate_for(&outer.model, witness))
    }

    /// That two circuits agree, by the states of their latches; and that the inner one waits, as the given automaton is
    /// at a location that was left out.
    fn agree(
        &self,
        given: &Cfa,
        (outer, outer_latches): (&CfaModel, &[AigEdge]),
        (inner, inner_latches): (&CfaModel, &[AigEdge]),
        aig: &mut Aig,
    ) -> (AigEdge, AigEdge) {
        let of = |latches: &[AigEdge], numbers: &[usize]| -> Vec<AigEdge> {
            numbers.iter().map(|&number| latches[number]).collect()
        };
        let outer_counter = of(outer_latches, outer.counter());
        let inner_counter = of(inner_latches, inner.counter());
        let state = |word| Some(of(outer_latches, outer.latches(word)?));
        let mut values = TermEdges::new(self, state);
        let mut equalities: HashMap<Term, AigEdge> = HashMap::new();
        for word in self.cfa.words() {
            let (Some(left), Some(right)) = (outer.latches(word.term), inner.latches(word.term))
            else {
                continue;
            };
            let (left, right) = (of(outer_latches, left), of(inner_latches, right));
            equalities.insert(word.term, equal(aig, &left, &right));
        }
        // At the start, all latches are 0.
        let zero: Vec<AigEdge> = (outer_latches.iter().chain(inner_latches))
            .map(|&latch| !latch)
            .collect();
        let mut cases = vec![aig.and_all(zero)];
        let mut waiting = Vec::new();
        for (location, (origin, status)) in self.small.sources().skip(1).zip(&self.origins) {
            let Some(of_origin) = outer.code(*origin) else {
                continue;
            };
            let mut here = vec![is_value(aig, &outer_counter, of_origin)];
            for &(word, bit, value) in status {
                if let Some(latches) = outer.latches(word) {
                    here.push(outer_latches[latches[bit as usize]].negate_if(!value));
                }
            }
            let here = aig.and_all(here);
            let inner_is_at = |aig: &mut Aig, location: LocationId| {
                let code = self.places[location.index()].and_then(|own| inner.code(own));
                code.map(|code| is_value(aig, &inner_counter, code))
            };
            let carried = |location: LocationId| self.small.location(location).words.iter();
            if self.ways[location.index()].is_empty() {
                if let Some(there) = inner_is_at(aig, location) {
                    let mut parts = vec![here, there];
                    let words = carried(location);
                    parts.extend(words.filter_map(|word| equalities.get(word).copied()));
                    cases.push(aig.and_all(parts));
                }
                continue;
            }
            waiting.push(here);
            let mut has_ended = vec![here, is_value(aig, &inner_counter, inner.halted())];
            for way in &self.ways[location.index()] {
                let guard = values.of(aig, way.guard)[0];
                has_ended.push(!guard);
                // One to a bad location is excluded: the unfolded automaton was bad before.
                let Some(there) = inner_is_at(aig, way.target) else {
                    continue;
                };
                let mut parts = vec![here, guard, there];
                for word in carried(way.target) {
                    let Some(latches) = inner.latches(*word) else {
                        continue;
                    };
                    match way.assignments.iter().find(|own| own.word == *word) {
                        Some(assignment) => {
                            let value = values.of(aig, assignment.value);
                            parts.push(equal(aig, &of(inner_latches, latches), &value));
                        }
                        None => parts.extend(equalities.get(word)),
                    }
                }
                cases.push(aig.and_all(parts));
            }
            cases.push(aig.and_all(has_ended));
        }
        let mut ended = vec![is_value(aig, &outer_counter, outer.halted())];
        for &location in &self.dead {
            if let Some(code) = outer.code(location) {
                ended.push(is_value(aig, &outer_counter, code));
            }
        }
        debug_assert!(given.locations().len() >= self.dead.len());
        let outer_ended = aig.or_all(ended);
        let inner_ended = is_value(aig, &inner_counter, inner.halted());
        cases.push(aig.and(outer_ended, inner_ended));
        (aig.or_all(cases), aig.or_all(waiting))
    }

    /// A certificate for the circuit of the given automaton from an invariant of the unfolded one's: the conjunction of
    /// the constraints of `strong`, a copy of its circuit. At a location of the given automaton, the status words have the
    /// values of one of its combinations, and the invariant holds with the counter of that one, or, where that was left
    /// out, with the counter and the words that come after it. Its check need not follow two circuits. It is not checked
    /// here.
    #[must_use]
    pub fn from_invariant(
        &self,
        given: &Cfa,
        outer: &CfaModel,
        inner: &CfaModel,
        strong: &Strong,
    ) -> Certificate {
        let model = &strong.model;
        // The invariants by the value of the counter at which they say something.
        let mut by_code: HashMap<u128, Vec<AigEdge>> = HashMap::new();
        let mut everywhere = Vec::new();
        for &(code, edge) in &strong.invariants {
            match code {
                Some(code) => by_code.entry(code as u128).or_default().push(edge),
                None => everywhere.push(edge),
            }
        }
        let words: Vec<(Term, Vec<NodeId>)> = (self.cfa.words().iter())
            .filter_map(|word| {
                let latches = inner.latches(word.term)?.iter();
                let nodes = latches.map(|&latch| model.latches[latch].state.node());
                Some((word.term, nodes.collect()))
            })
            .collect();
        let mut by_origin: HashMap<LocationId, Vec<(LocationId, &Status)>> = HashMap::new();
        for (location, (origin, status)) in self.small.sources().skip(1).zip(&self.origins) {
            let own = by_origin.entry(*origin).or_default();
            own.push((location, status));
        }
        let mut values = TermEdges::new(self, |word| outer.state(word));
        // That the invariant holds at a location with these values of words.
        let holds = |aig: &mut Aig, location: LocationId, of: &HashMap<Term, Vec<AigEdge>>| {
            let code = self.places[location.index()].and_then(|own| inner.code(own));
            let Some(code) = code else {
                return AigEdge::FALSE;
            };
            let mut leaves: HashMap<NodeId, AigEdge> = HashMap::new();
            for (bit, &latch) in inner.counter().iter().enumerate() {
                let value = AigEdge::TRUE.negate_if(code >> bit & 1 == 0);
                leaves.insert(model.latches[latch].state.node(), value);
            }
            for (word, nodes) in &words {
                if let Some(bits) = of.get(word) {
                    leaves.extend(nodes.iter().copied().zip(bits.iter().copied()));
                } else if let Some(bits) = outer.state(*word) {
                    leaves.extend(nodes.iter().copied().zip(bits));
                }
            }
            let own = by_code.get(&code).into_iter().flatten();
            let own: Vec<AigEdge> = own.chain(&everywhere).copied().collect();
            // Words that the circuit does not have are claimed to be 0, which the check refuses if it matters.
            let leaf = &mut |node: NodeId| *leaves.get(&node).unwrap_or(&AigEdge::FALSE);
            let parts = aig.copy_cone(&model.aig, &own, leaf);
            aig.and_all(parts)
        };
        outer.certificate(given, |aig, location| {
            if location == Cfa::START {
                // All words are 0 there.
                let zeros = outer.model.latches.iter().map(|latch| !latch.state);
                return aig.and_all(zeros.collect::<Vec<AigEdge>>());
            }
            if self.dead.contains(&location) {
                return AigEdge::TRUE;
            }
            let mut cases = Vec::new();
            for (location, status) in by_origin.get(&location).into_iter().flatten() {
                let mut parts = Vec::new();
                for &(word, bit, value) in *status {
                    if let Some(latches) = outer.latches(word) {
                        let state = outer.model.latches[latches[bit as usize]].state;
                        parts.push(state.negate_if(!value));
                    }
                }
                let ways = &self.ways[location.index()];
                if ways.is_empty() {
                    parts.push(holds(aig, *location, &HashMap::new()));
                }
                for way in ways {
                    let guard = values.of(aig, way.guard)[0];
                    let after: HashMap<Term, Vec<AigEdge>> = (way.assignments.iter())
                        .map(|own| (own.word, values.of(aig, own.value)))
                        .collect();
                    let then = holds(aig, way.target, &after);
                    parts.push(aig.or(!guard, then));
                }
                cases.push(aig.and_all(parts));
            }
            aig.or_all(cases)
        })
    }

    /// A trace of the circuit of the given automaton with the inputs of one of the unfolded one's, and steps without
    /// choices at the locations that were left out.
    #[must_use]
    pub fn trace(&self, outer: &CfaModel, inner: &CfaModel, trace: &Trace) -> Trace {
        let positions = positions_of(&inner.model, inner.inputs());
        // By location of the unfolded automaton: the one of `small` that it is.
        let mut smalls = vec![Cfa::START; self.cfa.locations().len()];
        for small in self.small.location_ids() {
            if let Some(own) = self.places[small.index()] {
                smalls[own.index()] = small;
            }
        }
        let mut inputs = Vec::new();
        for (step, visit) in trace.inputs.iter().zip(inner.visits(&self.cfa, trace)) {
            // What is open here may decide there whether the run passes through a location that was left out.
            let lifted = outer.inputs().iter().map(|bit| {
                let value = positions.get(bit).and_then(|&position| step[position]);
                Some(value.unwrap_or(false))
            });
            inputs.push(lifted.collect());
            let Some(own) = visit.location else {
                continue;
            };
            let (mut location, mut values) = (smalls[own.index()], visit.values);
            while let Some((target, after)) = self.step(location, &values)
                && !self.ways[target.index()].is_empty()
            {
                inputs.push(vec![None; outer.inputs().len()]);
                (location, values) = (target, after);
            }
        }
        Trace {
            property: trace.property,
            initial: vec![Some(false); outer.model.latches.len()],
            inputs,
        }
    }

    /// The step of `small` from a location with these values of words and inputs: its target, and the words there.
    fn step(
        &self,
        location: LocationId,
        values: &HashMap<Term, u128>,
    ) -> Option<(LocationId, HashMap<Term, u128>)> {
        let mut edges = self.small.outgoing(location).iter();
        edges.find_map(|&edge| {
            let after = self.small.follow(edge, values)?;
            Some((self.small.edge(edge).target, after))
        })
    }
}

/// Terms over words as functions of the latches of a circuit.
struct TermEdges<'a> {
    small: &'a Cfa,
    blaster: Blaster,
}

impl<'a> TermEdges<'a> {
    /// `state` has the edges of a word; one without edges is 0.
    fn new(unfolded: &'a Unfolded, state: impl Fn(Term) -> Option<Vec<AigEdge>>) -> Self {
        let small = &unfolded.small;
        let mut blaster = Blaster::new();
        for word in small.words() {
            let width = small.terms.width(word.term) as usize;
            let edges = state(word.term).unwrap_or_else(|| vec![AigEdge::FALSE; width]);
            blaster.set(word.term, &edges);
        }
        Self { small, blaster }
    }

    /// The bits of a term.
    fn of(&mut self, aig: &mut Aig, term: Term) -> Vec<AigEdge> {
        let mut none =
            |_: &mut Aig, _: Term| -> Vec<AigEdge> { unreachable!("it reads words only") };
        self.blaster.blast(&self.small.terms, aig, term, &mut none)
    }
}
