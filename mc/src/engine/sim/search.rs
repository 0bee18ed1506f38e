//! Rounds of 64 simulated runs, and the run to the bad.

use std::collections::HashMap;

use craig_aig::Edge;
use craig_model::{Trace, UnknownReason};

use super::Options;
use super::guide::{Guide, Way};
use super::store::{Bits, Origin, Place, Store, Stored, transpose};
use crate::engine::question::Question;
use crate::engine::{states, up_to_bad};

/// Runs that are simulated at once, one per bit.
const LANES: usize = 64;
/// The length of the shortest rounds, in steps.
const SHORTEST: usize = 16;
/// The binary logarithm of how many times longer the longest rounds are.
const DOUBLINGS: u32 = 10;
/// The largest number of states that are stored for new values of latches.
const STORE: usize = 1024;
/// From this number of nodes on, the control is asked in each step, which takes a millisecond or more.
const POLLED_EACH_STEP: usize = 200_000;
/// The number of random rounds before a guided search begins.
const GUIDED_FROM: usize = 16;

/// The predecessors of the runs of a round.
struct Round {
    /// The start of each run: a stored state by its number, or a reset state.
    origins: Vec<Option<usize>>,
    /// Steps in which runs continued as copies of others, with the run copied by each.
    copies: Vec<(usize, [u8; LANES])>,
}

/// The end of a run with the bad.
enum Ending {
    /// A simulated run.
    Simulated(Place),
    /// A run of a solver, or of another engine, from a stored state.
    Solved(Way),
}

/// A step of a run, as it is remembered.
enum Step {
    Simulated(Place),
    Solved(Bits),
}

/// The search of one property.
pub(super) struct Search<'a> {
    question: &'a Question<'a>,
    options: &'a Options,
    n_rounds: usize,
    /// The current round, and those from which some stored state comes.
    rounds: HashMap<usize, Round>,
    store: Store,
    /// What guides the search, unless it is random.
    guide: Option<Guide<'a>>,
    /// The values that each latch has had: bit 0 for false, bit 1 for true.
    seen: Vec<u8>,
    evaluations: u64,
    /// The number of states in the store that were kept for a new value of a latch.
    n_new: usize,
}

impl<'a> Search<'a> {
    pub(super) fn new(question: &'a Question<'a>, options: &'a Options) -> Self {
        Self {
            question,
            options,
            n_rounds: 0,
            rounds: HashMap::new(),
            store: Store::default(),
            guide: None,
            seen: vec![0; question.any.initial().len()],
            evaluations: 0,
            n_new: 0,
        }
    }

    pub(super) fn find(&mut self) -> Result<Option<Trace>, UnknownReason> {
        let found = self.run()?;
        Ok(found.map(|ending| self.trace(ending)))
    }

    fn run(&mut self) -> Result<Option<Ending>, UnknownReason> {
        loop {
            let is_worn = self.guide.as_ref().is_some_and(Guide::is_worn);
            if self.options.is_guided
                && (self.n_rounds == GUIDED_FROM || self.store.is_full() || is_worn)
            {
                self.begin_guidance();
            }
            let (number, stored) = (self.n_rounds, self.store.len());
            if let Some(ending) = self.round(number)? {
                return Ok(Some(ending));
            }
            self.n_rounds += 1;
            if self.store.len() == stored {
                self.rounds.remove(&number);
            }
            if let Some(guide) = &mut self.guide
                && let Some(way) = guide.solve(&mut self.store, self.evaluations)?
            {
                return Ok(Some(Ending::Solved(way)));
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

    /// Begins with an empty store, with other random views.
    fn begin_guidance(&mut self) {
        self.store = Store::default();
        self.rounds.clear();
        self.seen.fill(0);
        self.n_new = 0;
        let seed = self.options.seed.wrapping_add(self.n_rounds as u64);
        self.guide = Guide::new(self.question, self.options.max_depth, seed);
        if let Some(guide) = &mut self.guide {
            guide.begin(&mut self.store);
        }
    }

    /// Whether the states from which a round starts are chosen by the guide.
    fn is_guided(&self, number: usize) -> bool {
        self.guide.is_some() && number % 2 == 1
    }

    /// Simulates one round; returns how a run ends with the bad, if there is one.
    fn round(&mut self, number: usize) -> Result<Option<Ending>, UnknownReason> {
        let is_guided = self.is_guided(number);
        let length = match &self.guide {
            Some(_) if is_guided => 8 << (self.word(&[number as u64, LENGTH]) % 4),
            Some(_) => round_length(number / 2),
            None => round_length(number),
        };
        let (mut state, mut depths) = self.start(number);
        let aig = self.question.any.aig();
        let frame = &self.question.any.frames()[0];
        let mut inputs = vec![0_u64; aig.n_inputs()];
        for step in 0..length {
            if (step % 64 == 0 || aig.n_nodes() >= POLLED_EACH_STEP)
                && let Some(reason) = self.question.control.stop.reason()
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
                return Ok(Some(Ending::Simulated(Place {
                    round: number,
                    step,
                    lane,
                })));
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
            if is_guided && let Some(guide) = &mut self.guide {
                let place = (number, step + 1);
                guide.look(&mut self.store, place, &state, &depths);
                let way = guide.look_for_target(&mut self.store, place, &state, &depths);
                if let Some(way) = way {
                    return Ok(Some(Ending::Solved(way)));
                }
            }
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
        if self.is_guided(number)
            && let Some(guide) = &mut self.guide
        {
            origins.fill_with(|| guide.start(&self.store));
        } else if !self.store.is_empty() {
            for (lane, origin) in origins.iter_mut().enumerate() {
                let random = self.word(&[number as u64, lane as u64, ORIGIN]);
                if random & 1 == 1 {
                    *origin = Some((random >> 1) as usize % self.store.len());
                }
            }
        }
        let mut depths = vec![0; LANES];
        let mut stored = 0_u64;
        for (lane, origin) in origins.iter().enumerate() {
            if let Some(origin) = *origin {
                depths[lane] = self.store.get(origin).depth;
                stored |= 1 << lane;
            }
        }
        let mut state: Vec<u64> = (0..n_latches)
            .map(|position| self.reset(number, position) & !stored)
            .collect();
        for (block, words) in state.chunks_mut(64).enumerate() {
            let mut lanes = [0; LANES];
            for (lane, origin) in lanes.iter_mut().zip(&origins) {
                *lane = origin.map_or(0, |origin| self.store.get(origin).latches.block(block));
            }
            transpose(&mut lanes);
            for (word, lanes) in words.iter_mut().zip(lanes) {
                *word |= lanes;
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
        // In the first round all are random; later, an input may have one value most of the time. What must not happen
        // before a queue is full happens in one step of eight still: in half of the rounds of a guided search, an input may
        // have one value all the time.
        let n_manners = match self.options.is_guided && round % 4 >= 2 {
            true => 8,
            false => 4,
        };
        let manner = if round == 0 {
            0
        } else {
            self.word(&[round, position, MANNER]) % n_manners
        };
        match manner {
            0 | 1 => word(INPUT),
            2 => word(INPUT) & word(INPUT + 1) & word(INPUT + 2),
            3 => word(INPUT) | word(INPUT + 1) | word(INPUT + 2),
            4..7 => 0,
            _ => u64::MAX,
        }
    }

    /// Puts the values of all variables of a step into the order of the graph.
    fn fill(&self, round: usize, step: usize, state: &[u64], inputs: &mut [u64]) {
        let at = |edge: &Edge| states::position_of(self.question.any.aig(), edge.node());
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
            if interesting >> lane & 1 == 1 && self.n_new < STORE && depth < self.options.max_depth
            {
                self.n_new += 1;
                self.store.push(Stored {
                    origin: Origin::Simulated(Place { round, step, lane }),
                    latches: Bits::new(state.iter().map(|word| word >> lane & 1 == 1)),
                    depth,
                });
            }
        }
    }

    /// The run to the bad.
    fn trace(&self, ending: Ending) -> Trace {
        // The steps of the run, in reverse order.
        let mut steps = Vec::new();
        let mut from = match ending {
            Ending::Simulated(place) => {
                steps.push(Step::Simulated(place));
                self.go_back(place, &mut steps)
            }
            Ending::Solved(way) => {
                steps.extend(way.inputs.into_iter().rev().map(Step::Solved));
                Some(way.from)
            }
        };
        let mut first = None;
        while let Some(number) = from {
            let stored = self.store.get(number);
            from = match &stored.origin {
                Origin::Reset => {
                    first = Some(&stored.latches);
                    None
                }
                Origin::Simulated(place) => self.go_back(*place, &mut steps),
                Origin::Step(before, inputs) => {
                    steps.push(Step::Solved(inputs.clone()));
                    Some(*before)
                }
            };
        }
        steps.reverse();
        let any = self.question.any;
        let mut words = vec![0; any.aig().n_inputs()];
        let state: Vec<u64> = (0..any.initial().len())
            .map(|position| match (first, steps.first()) {
                (Some(latches), _) => latches.word(position),
                (None, Some(Step::Simulated(place))) => self.reset(place.round, position),
                (None, _) => unreachable!("a run of a solver starts in a stored state"),
            })
            .collect();
        let at = |edge: &Edge| states::position_of(any.aig(), edge.node());
        let mut value_in = |step: &Step| -> Vec<bool> {
            match step {
                Step::Simulated(place) => {
                    self.fill(place.round, place.step, &state, &mut words);
                    let in_lane = |word: &u64| word >> place.lane & 1 == 1;
                    words.iter().map(in_lane).collect()
                }
                Step::Solved(inputs) => {
                    for (edge, &word) in any.initial().iter().zip(&state) {
                        words[at(edge)] = word;
                    }
                    for (place, edge) in any.frames()[0].inputs.iter().enumerate() {
                        words[at(edge)] = inputs.word(place);
                    }
                    words.iter().map(|word| word & 1 == 1).collect()
                }
            }
        };
        let values: Vec<Vec<bool>> = steps.iter().map(&mut value_in).collect();
        let at = |values: &[bool], edge: Edge| values[at(&edge)];
        let trace = Trace {
            property: self.question.property,
            initial: any.initial_values(&|edge| at(&values[0], edge)),
            inputs: values
                .iter()
                .map(|values| any.input_values(0, &|edge| at(values, edge)))
                .collect(),
        };
        up_to_bad(self.question.model, trace)
    }

    /// Adds the steps of a simulated run before a place, the last one first; returns the stored state that the
    /// run started from.
    fn go_back(&self, mut at: Place, steps: &mut Vec<Step>) -> Option<usize> {
        let round = &self.rounds[&at.round];
        while at.step > 0 {
            at.step -= 1;
            if let Ok(index) = (round.copies).binary_search_by_key(&at.step, |&(step, _)| step) {
                at.lane = round.copies[index].1[at.lane] as usize;
            }
            steps.push(Step::Simulated(at));
        }
        round.origins[at.lane]
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
const LENGTH: u64 = 1 << 33;
/// Inputs use this number and the following ones.
const INPUT: u64 = ORIGIN + 4;

#[cfg(test)]
mod tests {
    use super::*;
    use craig_aig::Random;

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
