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
//! Where a run has no choice, the unfolded automaton has no location (`compose`): it is where the run will be, and waits
//! there for the given one.
//!
//! *The witness.* It runs both circuits and the witness of the unfolded one side by side, with the same inputs. Its
//! property is that of the witness, and that the two circuits agree: the given one is at the location of the unfolded
//! one's, with its values of the status words, and the words that the unfolded one carries there are equal, or it is at a
//! location that was left out, and the unfolded one where that leads. Once the unfolded one has ended, the given one has ended, or is where no bad location can be reached from.

mod compose;
mod lift;

use std::collections::{BTreeSet, HashMap};

use craig_model::{Stop, UnknownReason};
use craig_word::Term;

use self::compose::{Composed, Way, composed};
use super::actions::Actions;
use super::cfa::{Assignment, Cfa, LocationId};
use super::explicit::status::{self, Reached, Transition};
use super::to_model::Bad;

/// With more steps between combinations of values than this, an automaton is not unfolded.
const MOST_STEPS: usize = 16_000;

/// The values of bits of status words: the word, the position of the bit, its value.
type Status = Vec<(Term, u32, bool)>;

/// An unfolded automaton.
pub struct Unfolded {
    /// The automaton, with large blocks.
    pub cfa: Cfa,
    /// The automaton before locations were left out.
    small: Cfa,
    /// By inner location of `small`: the location of the given automaton, and the values of its status bits.
    origins: Vec<(LocationId, Status)>,
    /// By location of `small`: the location of `cfa`; `None` if it was left out.
    places: Vec<Option<LocationId>>,
    /// By location of `small`: what happens there, if it was left out.
    ways: Vec<Vec<Way>>,
    /// The locations of the given automaton from which no bad location is reachable.
    dead: Vec<LocationId>,
}

impl Cfa {
    /// The automaton unfolded over its status words; `None` if it has none, or too many combinations of their values.
    ///
    /// # Errors
    /// If it was stopped.
    pub fn unfolded(&self, bad: Bad, stop: &Stop) -> Result<Option<Unfolded>, UnknownReason> {
        let actions = Actions::new(self, bad);
        let Some((reached, steps)) = status::unfold(&actions, MOST_STEPS, stop)? else {
            return Ok(None);
        };
        let mut unfolding = Unfolding::new(self, &actions, &reached);
        unfolding.add_locations();
        if !unfolding.add_edges(&steps, stop) {
            return Ok(None);
        }
        let Unfolding {
            mut cfa, origins, ..
        } = unfolding;
        // The start carries what its edges leave as it is.
        cfa.close_words();
        debug_assert_eq!(cfa.check(), Ok(()));
        let dead = self
            .sources()
            .filter(|&location| !actions.reaches(location));
        let mut small = cfa;
        let Composed { cfa, places, ways } = composed(&mut small);
        Ok(Some(Unfolded {
            dead: dead.collect(),
            cfa,
            small,
            origins,
            places,
            ways,
        }))
    }
}

/// The construction of an automaton whose locations are states of status words.
struct Unfolding<'a> {
    given: &'a Cfa,
    actions: &'a Actions,
    reached: &'a Reached,
    cfa: Cfa,
    /// By state: the values of its status words.
    values: Vec<HashMap<Term, u128>>,
    origins: Vec<(LocationId, Status)>,
    status_words: BTreeSet<Term>,
}

impl<'a> Unfolding<'a> {
    /// Without locations and edges.
    fn new(given: &'a Cfa, actions: &'a Actions, reached: &'a Reached) -> Self {
        let mut this = Self {
            given,
            actions,
            reached,
            cfa: Cfa::new(given.terms.clone()),
            values: Vec::new(),
            origins: Vec::new(),
            status_words: BTreeSet::new(),
        };
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
            this.status_words.extend(own.keys());
            this.values.push(own);
            if location != Cfa::START {
                this.origins.push((location, status));
            }
        }
        this
    }

    /// Adds the words that are not status words, and a location for each state.
    fn add_locations(&mut self) {
        let sliced = self.actions.sliced();
        for word in sliced.words() {
            if !self.status_words.contains(&word.term) {
                self.cfa.add_word(word.term, word.name.clone());
            }
        }
        // State 0 is the start, and no other state is at its location.
        for number in 1..self.reached.n_states() {
            let (location, _) = self.reached.state(number);
            debug_assert_ne!(location, Cfa::START);
            let location = sliced.location(location);
            let is_kept = |word: &Term| !self.status_words.contains(word);
            let kept = |words: &[Term]| words.iter().copied().filter(is_kept).collect();
            let name = format!("{} ({number})", location.name);
            let (words, numbers) = (kept(&location.words), kept(&location.numbers));
            self.cfa.add_location(name, words, numbers);
        }
    }

    /// Adds the edges of all states, whose steps are in the order of the states; false if it was stopped.
    fn add_edges(&mut self, steps: &[Transition], stop: &Stop) -> bool {
        let mut steps = steps;
        for number in 0..self.reached.n_states() {
            if stop.reason().is_some_and(|_| number % 64 == 0) {
                return false;
            }
            let mut images: HashMap<Term, Term> = HashMap::new();
            for (&word, &value) in &self.values[number] {
                let constant = self.cfa.terms.constant(value, self.cfa.terms.width(word));
                images.insert(word, constant);
            }
            self.add_errors(number, &mut images);
            let n_own = steps.iter().take_while(|step| step.0 == number).count();
            let (own, rest) = steps.split_at(n_own);
            steps = rest;
            for &step in own {
                self.add_step(step, &mut images);
            }
        }
        true
    }

    /// Adds the edges of a state to the error.
    fn add_errors(&mut self, number: usize, images: &mut HashMap<Term, Term>) {
        let (location, _) = self.reached.state(number);
        for &action in self.actions.outgoing(location) {
            let action = self.actions.action(action);
            if action.target != Cfa::ERROR {
                continue;
            }
            for &edge in &action.edges {
                let edge = self.given.edge(edge);
                let guard = self.cfa.terms.substitute(edge.guard, images);
                self.cfa
                    .add_edge(place(number), edge.target, guard, Vec::new());
            }
        }
    }

    /// Adds the edge of a step.
    fn add_step(&mut self, (number, action, target): Transition, images: &mut HashMap<Term, Term>) {
        let action = self.actions.action(action);
        let edge = self.given.edge(action.edges[0]);
        let terms = &mut self.cfa.terms;
        let mut guard = terms.substitute(edge.guard, images);
        for (&word, &value) in &self.values[target] {
            let after = terms.substitute(edge.value(word), images);
            let value = terms.constant(value, terms.width(word));
            let agrees = terms.eq(after, value);
            guard = terms.and(guard, agrees);
        }
        let carried = &self.actions.sliced().location(action.target).words;
        let mut assignments = Vec::new();
        for assignment in &edge.assignments {
            let word = assignment.word;
            if !self.status_words.contains(&word) && carried.binary_search(&word).is_ok() {
                let value = terms.substitute(assignment.value, images);
                assignments.push(Assignment { word, value });
            }
        }
        self.cfa
            .add_edge(place(number), place(target), guard, assignments);
    }
}

/// The location of a state.
fn place(number: usize) -> LocationId {
    match number {
        0 => Cfa::START,
        _ => cfa_location(number),
    }
}

/// The location of a state that is not the first: the inner locations follow the three special ones.
fn cfa_location(number: usize) -> LocationId {
    LocationId::of_inner(number - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::small;
    use crate::words::strengthen;
    use craig_certify::{certify_certificate, certify_trace};
    use craig_mc::Alone;
    use craig_mc::engine::pdr;
    use craig_model::Verdict;

    /// The unfolded automaton reaches what the given one reaches, and evidence about its circuit becomes evidence about
    /// the given one's.
    #[test]
    fn unfolded_automata_have_the_same_verdicts() {
        let (mut n_safe, mut n_unsafe, mut n_strong) = (0, 0, 0);
        let mut n_left_out = [0; 2];
        for seed in 1..1500 {
            let small = small(seed);
            let [error, unsupported] = small.reached(&small.cfa);
            for (bad, is_reached) in [
                (Bad::Error, error),
                (Bad::ErrorOrUnsupported, error || unsupported),
            ] {
                let alone = Alone::new();
                let control = alone.control();
                let unfolded = small
                    .cfa
                    .unfolded(bad, control.stop)
                    .expect("it is not stopped");
                let Some(mut unfolded) = unfolded else {
                    continue;
                };
                assert_eq!(unfolded.cfa.check(), Ok(()));
                let leaves_out = unfolded.ways.iter().any(|ways| !ways.is_empty());
                n_left_out[usize::from(is_reached)] += usize::from(leaves_out);
                let mut given = small.cfa.clone();
                let (outer, inner) = (given.to_model(bad), unfolded.cfa.to_model(bad));
                let outcome = pdr::check(&inner.model, 0, &pdr::Options::default(), control);
                let strong =
                    strengthen(&inner.model, &inner.vocabulary, crate::words::LONG, control);
                if let Some(strong) = strong.filter(|strong| strong.is_enough) {
                    assert!(!is_reached, "{seed} {given}");
                    let lifted = unfolded.from_invariant(&given, &outer, &inner, &strong);
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
        assert!(n_safe > 80 && n_unsafe > 200 && n_strong > 20, "{counts:?}");
        assert!(n_left_out[0] > 20 && n_left_out[1] > 20, "{n_left_out:?}");
    }
}
