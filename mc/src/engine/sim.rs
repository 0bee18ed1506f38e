//! Random simulation, 64 runs at once: finds counterexamples that random inputs reach, also ones too deep for
//! a solver.
//!
//! Runs are made in rounds, with three heuristics: a run that brings a latch to a new value is stored, and
//! later rounds start half of their runs from stored states; a run that violates a constraint continues as a
//! copy of one that does not; and in each round some inputs are random, while others are mostly 0 or mostly
//! 1.
//!
//! Inputs are not stored. They are a function of round and step, so that the inputs of the run to the bad can
//! be recomputed.

use std::collections::HashMap;
use std::sync::Arc;

use craig_solver::aig::Edge;

use super::entry::Engine;
use super::options::{EngineOption, MAX_DEPTH, Range};
use super::question::Question;
use super::up_to_bad;
use crate::circuit::model::Model;
use crate::circuit::verdict::{Outcome, Trace, UnknownReason, Verdict};
use crate::control::Control;

/// The engine's name.
pub const NAME: &str = "sim";

/// The options of the engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of gates to evaluate, each for 64 runs at once; `None` for no limit.
    pub evaluations: Option<u64>,
    /// The maximal length of a run, in steps.
    pub max_depth: usize,
    /// The seed of the random numbers.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            evaluations: None,
            max_depth: 1 << 14,
            seed: 0,
        }
    }
}

const SEED: EngineOption = EngineOption {
    name: "seed",
    placeholder: "N",
    range: Range::Number(0),
    default: Some("0"),
    text: "The seed of random choices",
    is_flag: false,
};

/// The registration of the engine.
pub(super) const ENGINE: Engine = Engine {
    name: NAME,
    text: "Random simulation: finds runs to a bad, not the shortest, and never answers \"safe\"",
    is_shortest: false,
    options: &[&MAX_DEPTH, &SEED],
    build: |settings| {
        let mut options = Options {
            seed: settings.number(&SEED).unwrap_or_default(),
            ..Options::default()
        };
        if let Some(depth) = settings.count(&MAX_DEPTH) {
            options.max_depth = depth;
        }
        Arc::new(move |model, property, control| check(model, property, &options, control))
    },
};

/// Searches for a run to bad number `property`, not necessarily a short one. Never answers "safe".
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn check(model: &Model, property: usize, options: &Options, control: &Control) -> Outcome {
    Question::decide(NAME, model, property, control, |question| {
        let found = Search::new(question, options).find()?;
        found
            .map(Verdict::Unsafe)
            .ok_or_else(|| UnknownReason::Bound("no bad in the simulated runs".to_string()))
    })
}

/// Searches for a run to bad number `property` within the budget.
///
/// # Errors
/// If `control` requests the end.
///
/// # Panics
/// If the model has no such bad.
pub fn search(
    model: &Model,
    property: usize,
    options: &Options,
    control: &Control,
) -> Result<Option<Trace>, UnknownReason> {
    Question::pose(NAME, model, property, control, |question| {
        Search::new(question, options).find()
    })
}

/// Runs that are simulated at once, one per bit.
const LANES: usize = 64;
/// The length of the shortest rounds, in steps.
const SHORTEST: usize = 16;
/// The binary logarithm of how many times longer the longest rounds are.
const DOUBLINGS: u32 = 10;
/// The capacity of the store of states.
const STORE: usize = 1024;

/// A run at the beginning of a step.
#[derive(Clone, Copy, Debug)]
struct Place {
    round: usize,
    step: usize,
    lane: usize,
}

/// The predecessors of the runs of a round.
struct Round {
    /// The start of each run: a stored state by its number, or a reset state.
    origins: Vec<Option<usize>>,
    /// Steps in which runs continued as copies of others, with the run copied by each.
    copies: Vec<(usize, [u8; LANES])>,
}

/// A state that later rounds may start from.
struct Stored {
    place: Place,
    latches: Vec<bool>,
    /// The number of steps from the reset.
    depth: usize,
}

struct Search<'a> {
    question: &'a Question<'a>,
    options: &'a Options,
    n_rounds: usize,
    /// The current round, and those from which some stored state comes.
    rounds: HashMap<usize, Round>,
    store: Vec<Stored>,
    /// The values that each latch has had: bit 0 for false, bit 1 for true.
    seen: Vec<u8>,
    evaluations: u64,
}

impl<'a> Search<'a> {
    fn new(question: &'a Question<'a>, options: &'a Options) -> Self {
        Self {
            question,
            options,
            n_rounds: 0,
            rounds: HashMap::new(),
            store: Vec::new(),
            seen: vec![0; question.any.initial().len()],
            evaluations: 0,
        }
    }

    fn find(&mut self) -> Result<Option<Trace>, UnknownReason> {
        let found = self.run()?;
        Ok(found.map(|place| self.trace(place)))
    }

    fn run(&mut self) -> Result<Option<Place>, UnknownReason> {
        loop {
            let (number, stored) = (self.n_rounds, self.store.len());
            if let Some(place) = self.round(number)? {
                return Ok(Some(place));
            }
            self.n_rounds += 1;
            if self.store.len() == stored {
                self.rounds.remove(&number);
            }
            if self
                .options
                .evaluations
                .is_some_and(|most| self.evaluations >= most)
            {
                return Ok(None);
            }
        }
    }

    /// Simulates one round; returns the run and step with the bad, if there is one.
    fn round(&mut self, number: usize) -> Result<Option<Place>, UnknownReason> {
        let length = round_length(number);
        let (mut state, mut depths) = self.start(number);
        let aig = self.question.any.aig();
        let frame = &self.question.any.frames()[0];
        let mut inputs = vec![0_u64; aig.n_inputs()];
        for step in 0..length {
            if step % 64 == 0
                && let Some(reason) = self.question.control.stop_reason()
            {
                return Err(reason);
            }
            self.fill(number, step, &state, &mut inputs);
            let words = aig.simulate(&inputs);
            self.evaluations += aig.n_nodes() as u64;
            let alive = frame
                .constraints
                .iter()
                .fold(u64::MAX, |alive, edge| alive & edge.word(&words));
            let bad = alive & frame.bad.word(&words);
            let reached = (0..LANES)
                .find(|&lane| bad >> lane & 1 == 1 && depths[lane] <= self.options.max_depth);
            if let Some(lane) = reached {
                return Ok(Some(Place {
                    round: number,
                    step,
                    lane,
                }));
            }
            if alive == 0 {
                break;
            }
            for (state, next) in state.iter_mut().zip(self.question.any.state()) {
                *state = next.word(&words);
            }
            depths.iter_mut().for_each(|depth| *depth += 1);
            self.replace_dead(number, step, alive, &mut state, &mut depths);
            self.keep_new(number, step + 1, &state, &depths);
            if depths.iter().all(|&depth| depth >= self.options.max_depth) {
                break;
            }
        }
        Ok(None)
    }

    /// The states from which a round starts, one word per latch, and their depths.
    fn start(&mut self, number: usize) -> (Vec<u64>, Vec<usize>) {
        let n_latches = self.question.any.initial().len();
        let mut origins = vec![None; LANES];
        if !self.store.is_empty() {
            for (lane, origin) in origins.iter_mut().enumerate() {
                let random = self.word(&[number as u64, lane as u64, ORIGIN]);
                if random & 1 == 1 {
                    *origin = Some((random >> 1) as usize % self.store.len());
                }
            }
        }
        let mut state = vec![0_u64; n_latches];
        let mut depths = vec![0; LANES];
        for (position, word) in state.iter_mut().enumerate() {
            *word = self.reset(number, position);
            for (lane, origin) in origins.iter().enumerate() {
                if let Some(origin) = *origin {
                    let value = self.store[origin].latches[position];
                    *word = *word & !(1 << lane) | u64::from(value) << lane;
                    depths[lane] = self.store[origin].depth;
                }
            }
        }
        let copies = Vec::new();
        self.rounds.insert(number, Round { origins, copies });
        (state, depths)
    }

    /// The values of a latch in the runs of a round that start in reset states.
    fn reset(&self, round: usize, position: usize) -> u64 {
        let latch = self.question.any.cone().latches[position];
        match self.question.model.latches[latch].reset.value() {
            Some(value) => 0_u64.wrapping_sub(u64::from(value)),
            None => self.word(&[round as u64, position as u64, RESET]),
        }
    }

    /// The values of an input in a step.
    fn input(&self, round: usize, step: usize, position: usize) -> u64 {
        let (round, step, position) = (round as u64, step as u64, position as u64);
        let word = |draw| self.word(&[round, step, position, draw]);
        // In the first round all are random; later, an input may have one value most of the time.
        let manner = if round == 0 {
            0
        } else {
            self.word(&[round, position, MANNER]) % 4
        };
        match manner {
            0 | 1 => word(INPUT),
            2 => word(INPUT) & word(INPUT + 1) & word(INPUT + 2),
            _ => word(INPUT) | word(INPUT + 1) | word(INPUT + 2),
        }
    }

    /// Puts the values of all variables of a step into the order of the graph.
    fn fill(&self, round: usize, step: usize, state: &[u64], inputs: &mut [u64]) {
        let at = |edge: &Edge| super::states::position_of(self.question.any.aig(), edge.node());
        for (edge, &word) in self.question.any.initial().iter().zip(state) {
            inputs[at(edge)] = word;
        }
        for (position, edge) in self.question.any.frames()[0].inputs.iter().enumerate() {
            inputs[at(edge)] = self.input(round, step, position);
        }
    }

    /// Continues the runs that have violated a constraint in `step` as copies of others.
    fn replace_dead(
        &mut self,
        round: usize,
        step: usize,
        alive: u64,
        state: &mut [u64],
        depths: &mut [usize],
    ) {
        if alive == u64::MAX {
            return;
        }
        let start = self.word(&[round as u64, step as u64, COPY]);
        let (from, turns) = sources(alive, start);
        for word in state {
            for &(distance, lanes) in &turns {
                *word = *word & !lanes | word.rotate_right(distance) & lanes;
            }
        }
        let old = depths.to_vec();
        for (depth, &from) in depths.iter_mut().zip(&from) {
            *depth = old[from as usize];
        }
        let round = self.rounds.get_mut(&round).expect("the round at work");
        round.copies.push((step, from));
    }

    /// Stores runs that bring a latch to a value for the first time.
    fn keep_new(&mut self, round: usize, step: usize, state: &[u64], depths: &[usize]) {
        let mut interesting = 0_u64;
        for (seen, &word) in self.seen.iter_mut().zip(state) {
            for (bit, lanes) in [(1, !word), (2, word)] {
                if *seen & bit == 0 && lanes != 0 {
                    *seen |= bit;
                    interesting |= lanes & lanes.wrapping_neg();
                }
            }
        }
        for (lane, &depth) in depths.iter().enumerate() {
            if interesting >> lane & 1 == 1
                && self.store.len() < STORE
                && depth < self.options.max_depth
            {
                self.store.push(Stored {
                    place: Place { round, step, lane },
                    latches: state.iter().map(|word| word >> lane & 1 == 1).collect(),
                    depth,
                });
            }
        }
    }

    /// The run to a place with the bad.
    fn trace(&self, place: Place) -> Trace {
        // The steps of the run, in reverse order.
        let mut steps = vec![place];
        let mut at = place;
        loop {
            if at.step == 0 {
                match self.rounds[&at.round].origins[at.lane] {
                    None => break,
                    Some(origin) => at = self.store[origin].place,
                }
                // A stored state is the result of the previous step; no run starts with its own step.
                debug_assert!(at.step > 0);
            }
            at.step -= 1;
            let copies = &self.rounds[&at.round].copies;
            if let Ok(index) = copies.binary_search_by_key(&at.step, |&(step, _)| step) {
                at.lane = copies[index].1[at.lane] as usize;
            }
            steps.push(at);
        }
        steps.reverse();
        let first = steps[0];
        let mut words = vec![0; self.question.any.aig().n_inputs()];
        let state: Vec<u64> = (0..self.question.any.initial().len())
            .map(|position| self.reset(first.round, position))
            .collect();
        let mut value_in = |place: &Place| -> Vec<bool> {
            self.fill(place.round, place.step, &state, &mut words);
            words
                .iter()
                .map(|word| word >> place.lane & 1 == 1)
                .collect()
        };
        let values: Vec<Vec<bool>> = steps.iter().map(&mut value_in).collect();
        let at = |values: &[bool], edge: Edge| {
            values[super::states::position_of(self.question.any.aig(), edge.node())]
        };
        let trace = Trace {
            property: self.question.property,
            initial: self
                .question
                .any
                .initial_values(&|edge| at(&values[0], edge)),
            inputs: values
                .iter()
                .map(|values| self.question.any.input_values(0, &|edge| at(values, edge)))
                .collect(),
        };
        up_to_bad(self.question.model, trace)
    }

    /// A random word for a sequence of numbers (SplitMix64's mixing function; Steele, Lea and Flood 2014).
    fn word(&self, numbers: &[u64]) -> u64 {
        let mut bits = self.options.seed;
        for &number in numbers {
            bits = bits.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            bits ^= bits >> 31;
        }
        bits
    }
}

/// The length of a round. All lengths get about the same number of steps in total: it is not known how deep the
/// bad is, and inputs with one value most of the time have to be those that lead there.
fn round_length(number: usize) -> usize {
    SHORTEST << (number + 1).trailing_zeros().min(DOUBLINGS)
}

/// For each lane the living lane that continues it, itself if it is alive. Also the same as rotations one
/// after the other, each with the lanes that it fills from those that are alive or filled: a word is then
/// moved in a few operations instead of one for each lane. `random` determines the first rotation.
fn sources(alive: u64, random: u64) -> ([u8; LANES], Vec<(u32, u64)>) {
    debug_assert!(alive != 0);
    let mut from: [u8; LANES] = std::array::from_fn(|lane| lane as u8);
    let (mut filled, mut turns) = (alive, Vec::new());
    for offset in 0..LANES as u64 - 1 {
        if filled == u64::MAX {
            break;
        }
        let distance = (1 + (random % 63 + offset * 11) % 63) as u32;
        let lanes = !filled & filled.rotate_right(distance);
        if lanes == 0 {
            continue;
        }
        for lane in (0..LANES).filter(|lane| lanes >> lane & 1 == 1) {
            from[lane] = from[(lane + distance as usize) % LANES];
        }
        filled |= lanes;
        turns.push((distance, lanes));
    }
    debug_assert_eq!(filled, u64::MAX, "each distance was tried");
    (from, turns)
}

// The purpose of a random word: the last of the numbers that determine it.
const ORIGIN: u64 = 1 << 32;
const RESET: u64 = ORIGIN + 1;
const MANNER: u64 = ORIGIN + 2;
const COPY: u64 = ORIGIN + 3;
/// Inputs use this number and the following ones.
const INPUT: u64 = ORIGIN + 4;

#[cfg(test)]
mod tests {
    use super::*;
    use craig_solver::aig::Random;

    #[test]
    fn rounds_of_each_length_have_as_many_steps() {
        let mut steps = std::collections::BTreeMap::new();
        for number in 0..1 << DOUBLINGS << 3 {
            *steps.entry(round_length(number)).or_insert(0) += round_length(number);
        }
        assert_eq!(steps.len(), DOUBLINGS as usize + 1);
        let all: Vec<usize> = steps.into_values().collect();
        // The last class has those of all longer lengths.
        let last = all.len() - 1;
        assert!(all[..last].iter().all(|&steps| steps == all[0]), "{all:?}");
        assert_eq!(all[last], 2 * all[0]);
    }

    #[test]
    fn dead_runs_continue_as_living_ones() {
        let mut random = Random::new(3);
        let mut bits = |n: usize| {
            (0..64).fold(0, |word, lane| {
                word | u64::from(random.below(n) == 0) << lane
            })
        };
        for round in 0..2000 {
            let alive = match round % 3 {
                0 => bits(2),
                1 => bits(20),
                // One run alone is alive.
                _ => 1 << (round % 64),
            };
            if alive == 0 {
                continue;
            }
            let word = bits(2);
            let (from, turns) = sources(alive, bits(2));
            let moved = turns.iter().fold(word, |word, &(distance, lanes)| {
                word & !lanes | word.rotate_right(distance) & lanes
            });
            for (lane, &from) in from.iter().enumerate() {
                assert_eq!(alive >> from & 1, 1, "{alive:x}: {lane} continues {from}");
                assert!(alive >> lane & 1 == 0 || usize::from(from) == lane);
                assert_eq!(moved >> lane & 1, word >> from & 1, "{alive:x}: {lane}");
            }
        }
    }
}
