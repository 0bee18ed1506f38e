//! Unfolding over status words: an automaton with a location for each reachable combination of their values.
//!
//! The status of a scheduler is a few words of few values ([`Cfa::few_values`]). In the unfolded automaton a location is
//! one of the given automaton together with a value for each of these words there, so that edges are short formulas about
//! the other words: partial evaluation of the scheduler, as in ESST (Cimatti, Micheli, Narasamdya, Roveri, *Verifying
//! SystemC: a software model checking approach*, FMCAD 2010). All engines can take it.
//!
//! *Soundness.* The values of status words at the locations over-approximate those that runs have (`explicit::status`
//! lists them with the other words free), and an edge is taken in exactly the states in which the edge that it comes
//! from is taken and leads to these values. So a run of the given automaton to a bad location is one of the unfolded one
//! and conversely. Nothing rests on that: a proof is lifted to a witness circuit of the given automaton's circuit, and a
//! run to inputs of it, which are checked as all evidence is.
//!
//! *The witness.* It runs both circuits and the witness of the unfolded one side by side, with the same inputs. Its
//! property is that of the witness, and that the two circuits agree: the given one is at the location of the unfolded
//! one's, with its values of the status words, and the words that the unfolded one carries there are equal. Once the
//! unfolded one has ended, the given one has ended, or is where no bad location can be reached from.

use std::collections::{BTreeSet, HashMap};

use craig_solver::aig::{Aig, Edge as AigEdge, NodeId};
use craig_word::Term;

use super::actions::Actions;
use super::cfa::{Assignment, Cfa, LocationId};
use super::explicit::status;
use super::part::{Part, is_value, positions_of};
use super::to_model::{Bad, CfaModel};
use crate::circuit::model::Model;
use crate::circuit::verdict::{Certificate, Trace, UnknownReason, Values};
use crate::control::Control;

/// With more steps between combinations of values than this, an automaton is not unfolded.
const MOST_STEPS: usize = 6000;

/// The values of bits of status words.
type Status = Vec<(Term, u32, bool)>;

/// An unfolded automaton.
pub struct Unfolded {
    /// The automaton.
    pub cfa: Cfa,
    /// By inner location: the location of the given automaton, and the values of its status bits.
    origins: Vec<(LocationId, Status)>,
    /// The locations of the given automaton from which no bad location is reachable.
    dead: Vec<LocationId>,
}

impl Cfa {
    /// The automaton unfolded over its status words; `None` if it has none, or too many combinations of their values.
    ///
    /// # Errors
    /// If it was stopped.
    pub fn unfolded(&self, bad: Bad, control: &Control) -> Result<Option<Unfolded>, UnknownReason> {
        let actions = Actions::new(self, bad);
        let Some((reached, steps)) = status::unfold(&actions, MOST_STEPS, control)? else {
            return Ok(None);
        };
        let sliced = actions.sliced();
        let mut cfa = Cfa::new(self.terms.clone());
        // By state: the values of its status words.
        let mut values: Vec<HashMap<Term, u128>> = Vec::new();
        let mut origins = Vec::new();
        let mut status_words: BTreeSet<Term> = BTreeSet::new();
        for number in 0..reached.n_states() {
            let (location, bits) = reached.state(number);
            let mut own: HashMap<Term, u128> = HashMap::new();
            let mut status = Vec::new();
            for (place, bit) in reached.bits(location) {
                let (word, position) = actions.bits()[bit as usize];
                let value = bits.get(place);
                *own.entry(word).or_insert(0) |= u128::from(value) << position;
                status.push((word, position, value));
            }
            status_words.extend(own.keys());
            values.push(own);
            if location != Cfa::START {
                origins.push((location, status));
            }
        }
        for word in sliced.words() {
            if !status_words.contains(&word.term) {
                cfa.add_word(word.term, word.name.clone());
            }
        }
        let is_kept = |word: &Term| !status_words.contains(word);
        // State 0 is the start, and no other state is at its location.
        for number in 1..reached.n_states() {
            let (location, _) = reached.state(number);
            debug_assert_ne!(location, Cfa::START);
            let location = sliced.location(location);
            let kept = |words: &[Term]| words.iter().copied().filter(is_kept).collect();
            let name = format!("{} ({number})", location.name);
            cfa.add_location(name, kept(&location.words), kept(&location.numbers));
        }
        let place = |number: usize| match number {
            0 => Cfa::START,
            _ => cfa_location(number),
        };
        let mut steps = steps.as_slice();
        for number in 0..reached.n_states() {
            if control.stop_reason().is_some_and(|_| number % 64 == 0) {
                return Ok(None);
            }
            let (location, _) = reached.state(number);
            let mut images: HashMap<Term, Term> = HashMap::new();
            for (&word, &value) in &values[number] {
                let constant = cfa.terms.constant(value, cfa.terms.width(word));
                images.insert(word, constant);
            }
            for &action in actions.outgoing(location) {
                let action = actions.action(action);
                if action.target != Cfa::ERROR {
                    continue;
                }
                for &edge in &action.edges {
                    let edge = self.edge(edge);
                    let guard = cfa.terms.substitute(edge.guard, &mut images);
                    cfa.add_edge(place(number), edge.target, guard, Vec::new());
                }
            }
            let n_own = steps.iter().take_while(|step| step.0 == number).count();
            let (own, rest) = steps.split_at(n_own);
            steps = rest;
            for &(_, action, target) in own {
                let action = actions.action(action);
                let edge = self.edge(action.edges[0]);
                let mut guard = cfa.terms.substitute(edge.guard, &mut images);
                for (&word, &value) in &values[target] {
                    let after = cfa.terms.substitute(edge.value(word), &mut images);
                    let value = cfa.terms.constant(value, cfa.terms.width(word));
                    let agrees = cfa.terms.eq(after, value);
                    guard = cfa.terms.and(guard, agrees);
                }
                let carried = &sliced.location(action.target).words;
                let mut assignments = Vec::new();
                for assignment in &edge.assignments {
                    let word = assignment.word;
                    if is_kept(&word) && carried.binary_search(&word).is_ok() {
                        let value = cfa.terms.substitute(assignment.value, &mut images);
                        assignments.push(Assignment { word, value });
                    }
                }
                cfa.add_edge(place(number), place(target), guard, assignments);
            }
        }
        // The start carries what its edges leave as it is.
        cfa.close_words();
        debug_assert_eq!(cfa.check(), Ok(()));
        let dead = self
            .sources()
            .filter(|&location| !actions.reaches(location));
        Ok(Some(Unfolded {
            dead: dead.collect(),
            cfa,
            origins,
        }))
    }
}

/// The location of a state that is not the first: the inner locations follow the three special ones.
fn cfa_location(number: usize) -> LocationId {
    LocationId::of_inner(number - 1)
}

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
        let own = &certificate.witness;
        if !own.constraints.is_empty() || own.has_reset_functions() {
            return None;
        }
        let mut witness = Model::default();
        let mut fresh =
            |n: usize| -> Vec<AigEdge> { (0..n).map(|_| witness.aig.add_input()).collect() };
        let outer_inputs = fresh(outer.model.inputs.len());
        let outer_latches = fresh(outer.model.latches.len());
        let inner_latches = fresh(inner.model.latches.len());
        let mut all_inputs = outer_inputs.clone();
        let positions = positions_of(&outer.model, outer.inputs());
        let mut inner_inputs = Vec::new();
        for bit in inner.inputs() {
            inner_inputs.push(match positions.get(bit) {
                Some(&position) => outer_inputs[position],
                None => {
                    let input = fresh(1)[0];
                    all_inputs.push(input);
                    input
                }
            });
        }
        let mut own_inputs = Vec::new();
        for shared in &certificate.shared_inputs {
            own_inputs.push(match shared {
                Some(number) => inner_inputs[*number],
                None => {
                    let input = fresh(1)[0];
                    all_inputs.push(input);
                    input
                }
            });
        }
        let own_latches = certificate
            .shared_latches
            .iter()
            .map(|shared| match shared {
                Some(number) => inner_latches[*number],
                None => fresh(1)[0],
            });
        let own_latches: Vec<AigEdge> = own_latches.collect();
        let outer_part = Part::new(&outer.model, &outer_inputs, &outer_latches);
        let inner_part = Part::new(&inner.model, &inner_inputs, &inner_latches);
        let own_part = Part::new(own, &own_inputs, &own_latches);
        let all = |n: usize| (0..n).collect::<Vec<usize>>();
        outer_part.add_latches(&mut witness, &all(outer_latches.len()));
        inner_part.add_latches(&mut witness, &all(inner_latches.len()));
        let shared = certificate.shared_latches.iter().enumerate();
        let unshared: Vec<usize> = (shared.filter(|(_, shared)| shared.is_none()))
            .map(|(number, _)| number)
            .collect();
        own_part.add_latches(&mut witness, &unshared);
        let mut bads = outer_part.copy(&mut witness.aig, &outer.model.bads);
        bads.extend(own_part.copy(&mut witness.aig, &own.bads));
        let agree = self.agree(
            given,
            (outer, &outer_latches),
            (inner, &inner_latches),
            &mut witness.aig,
        );
        bads.push(!agree);
        witness.bads = vec![witness.aig.or_all(bads)];
        let shared = |n: usize, all: usize| (0..all).map(|i| (i < n).then_some(i)).collect();
        Some(Certificate {
            shared_inputs: shared(outer_inputs.len(), all_inputs.len()),
            shared_latches: shared(outer_latches.len(), witness.latches.len()),
            witness: Model {
                inputs: all_inputs,
                ..witness
            },
        })
    }

    /// That two circuits agree, by the states of their latches.
    fn agree(
        &self,
        given: &Cfa,
        (outer, outer_latches): (&CfaModel, &[AigEdge]),
        (inner, inner_latches): (&CfaModel, &[AigEdge]),
        aig: &mut Aig,
    ) -> AigEdge {
        let of = |latches: &[AigEdge], numbers: &[usize]| -> Vec<AigEdge> {
            numbers.iter().map(|&number| latches[number]).collect()
        };
        let outer_counter = of(outer_latches, outer.counter());
        let inner_counter = of(inner_latches, inner.counter());
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
        for (location, (origin, status)) in self.cfa.sources().skip(1).zip(&self.origins) {
            let (Some(own), Some(of_origin)) = (inner.code(location), outer.code(*origin)) else {
                continue;
            };
            let mut parts = vec![
                is_value(aig, &inner_counter, own),
                is_value(aig, &outer_counter, of_origin),
            ];
            for &(word, bit, value) in status {
                if let Some(latches) = outer.latches(word) {
                    parts.push(outer_latches[latches[bit as usize]].negate_if(!value));
                }
            }
            let carried = self.cfa.location(location).words.iter();
            parts.extend(carried.filter_map(|word| equalities.get(word).copied()));
            cases.push(aig.and_all(parts));
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
        aig.or_all(cases)
    }

    /// A certificate for the circuit of the given automaton from an invariant of the unfolded one's: the conjunction of
    /// the constraints of `strong`, a copy of its circuit. At a location of the given automaton, the status words have the
    /// values of one of its combinations, and the invariant holds with the counter of that one. Its check need not follow
    /// two circuits. It is not checked here.
    #[must_use]
    pub fn from_invariant(
        &self,
        given: &Cfa,
        outer: &CfaModel,
        inner: &CfaModel,
        strong: &Model,
    ) -> Certificate {
        let mut leaves: HashMap<NodeId, AigEdge> = HashMap::new();
        for word in self.cfa.words() {
            let (Some(from), Some(to)) = (inner.latches(word.term), outer.state(word.term)) else {
                continue;
            };
            for (&latch, edge) in from.iter().zip(to) {
                leaves.insert(strong.latches[latch].state.node(), edge);
            }
        }
        let codes: Vec<(LocationId, Option<u128>)> = (self.cfa.sources().skip(1))
            .zip(&self.origins)
            .map(|(location, (origin, _))| (*origin, inner.code(location)))
            .collect();
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
            for ((origin, code), (_, status)) in codes.iter().zip(&self.origins) {
                let (true, Some(code)) = (*origin == location, *code) else {
                    continue;
                };
                for (bit, &latch) in inner.counter().iter().enumerate() {
                    let value = AigEdge::TRUE.negate_if(code >> bit & 1 == 0);
                    leaves.insert(strong.latches[latch].state.node(), value);
                }
                // Words that the circuit does not have are claimed to be 0, which the check refuses if it matters.
                let leaf = &mut |node: NodeId| *leaves.get(&node).unwrap_or(&AigEdge::FALSE);
                let mut parts = aig.copy_cone(&strong.aig, &strong.constraints, leaf);
                for &(word, bit, value) in status {
                    if let Some(latches) = outer.latches(word) {
                        let state = outer.model.latches[latches[bit as usize]].state;
                        parts.push(state.negate_if(!value));
                    }
                }
                cases.push(aig.and_all(parts));
            }
            aig.or_all(cases)
        })
    }

    /// A trace of the circuit of the given automaton with the inputs of one of the unfolded one's.
    #[must_use]
    pub fn trace(&self, outer: &CfaModel, inner: &CfaModel, trace: &Trace) -> Trace {
        let positions = positions_of(&inner.model, inner.inputs());
        let lifted = |values: &Values| -> Values {
            let bits = outer.inputs().iter();
            bits.map(|bit| positions.get(bit).and_then(|&position| values[position]))
                .collect()
        };
        Trace {
            property: trace.property,
            initial: vec![Some(false); outer.model.latches.len()],
            inputs: trace.inputs.iter().map(lifted).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::certify::{certify_certificate, certify_trace};
    use crate::circuit::verdict::Verdict;
    use crate::engine::pdr;
    use crate::program::tests::small;
    use crate::words::strengthen;

    /// The unfolded automaton reaches what the given one reaches, and evidence about its circuit becomes evidence about
    /// the given one's.
    #[test]
    fn unfolded_automata_have_the_same_verdicts() {
        let (mut n_safe, mut n_unsafe, mut n_strong) = (0, 0, 0);
        for seed in 1..400 {
            let small = small(seed);
            let [error, unsupported] = small.reached(&small.cfa);
            for (bad, is_reached) in [
                (Bad::Error, error),
                (Bad::ErrorOrUnsupported, error || unsupported),
            ] {
                let control = Control::new();
                let unfolded = small
                    .cfa
                    .unfolded(bad, &control)
                    .expect("it is not stopped");
                let Some(mut unfolded) = unfolded else {
                    continue;
                };
                assert_eq!(unfolded.cfa.check(), Ok(()));
                let mut given = small.cfa.clone();
                let (outer, inner) = (given.to_model(bad), unfolded.cfa.to_model(bad));
                let outcome = pdr::check(&inner.model, 0, &pdr::Options::default(), &control);
                let strong = strengthen(&inner.model, &inner.vocabulary, &control);
                if let Some(strong) = strong.filter(|strong| strong.is_enough) {
                    assert!(!is_reached, "{seed} {given}");
                    let lifted = unfolded.from_invariant(&given, &outer, &inner, &strong.model);
                    let checked = certify_certificate(&outer.model, 0, &lifted);
                    assert_eq!(checked, Ok(()), "{seed} {given}{}", unfolded.cfa);
                    n_strong += 1;
                }
                match outcome.verdict {
                    Verdict::Safe(certificate) => {
                        assert!(!is_reached, "{seed} {given}");
                        let lifted = unfolded.certificate(&given, &outer, &inner, &certificate);
                        let lifted = lifted.expect("it has an image");
                        let checked = certify_certificate(&outer.model, 0, &lifted);
                        assert_eq!(checked, Ok(()), "{seed} {given}{}", unfolded.cfa);
                        n_safe += 1;
                    }
                    Verdict::Unsafe(trace) => {
                        assert!(is_reached, "{seed} {given}");
                        let lifted = unfolded.trace(&outer, &inner, &trace);
                        assert!(
                            certify_trace(&outer.model, 0, &lifted).is_ok(),
                            "{seed} {given}"
                        );
                        n_unsafe += 1;
                    }
                    Verdict::Unknown(reason) => panic!("{reason}"),
                }
            }
        }
        let counts = (n_safe, n_unsafe, n_strong);
        assert!(n_safe > 20 && n_unsafe > 50 && n_strong > 5, "{counts:?}");
    }
}
