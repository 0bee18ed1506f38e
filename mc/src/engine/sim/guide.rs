//! What guides a search: which states are stored, which of them rounds start from, and what a solver is asked.

use craig_aig::{Edge, Random};
use craig_model::UnknownReason;

use super::cells::{Cells, VIEWS};
use super::distance::Distance;
use super::queries::Queries;
use super::store::{Bits, Origin, Place, Store, Stored};
use super::targets::Targets;
use crate::engine::question::Question;
use crate::engine::states::position_of;

/// A propagated literal costs as much as the evaluation of this number of gates for 64 runs.
const GATES_A_PROPAGATION: u64 = 64;

/// The number of states that a new view begins with.
const FIRST_STATES: usize = 64;

/// Of the runs in a cell that is known, one in `ANOTHER` is compared with the state that stands for it.
const ANOTHER: usize = 1 << 9;

/// The number of states of which the nearest to a target is taken.
const CANDIDATES: usize = 64;

/// The number of replaced views after which a search begins anew.
const MOST_REPLACED: usize = 1 << 9;

/// A stored state from which these inputs lead to the bad.
pub(super) struct Way {
    pub(super) from: usize,
    pub(super) inputs: Vec<Bits>,
}

/// The guide of one search.
pub(super) struct Guide<'a> {
    question: &'a Question<'a>,
    most_depth: usize,
    random: Random,
    cells: Cells,
    distance: Distance,
    /// The distances of the stored states, up to the last that the guide has stored; the largest for those of others.
    distances: Vec<u32>,
    /// The stored states from which the bad has not been asked for.
    unasked: Vec<usize>,
    /// The number of views that were replaced. Each leaves a variable and clauses to the solver.
    n_replaced: usize,
    queries: Option<Queries<'a>>,
    targets: Targets,
}

impl<'a> Guide<'a> {
    /// `None` for a circuit without latches.
    pub(super) fn new(question: &'a Question<'a>, most_depth: usize, seed: u64) -> Option<Self> {
        let any = question.any;
        if any.initial().is_empty() {
            return None;
        }
        let mut random = Random::new(seed ^ 0x5eed);
        let bad = any.frames()[0].bad;
        Some(Self {
            question,
            most_depth,
            cells: Cells::new(any.aig(), any.initial(), any.state(), bad, &mut random),
            distance: Distance::new(any.aig(), any.initial(), bad),
            distances: Vec::new(),
            unasked: Vec::new(),
            n_replaced: 0,
            queries: Queries::new(question),
            targets: Targets::default(),
            random,
        })
    }

    /// Stores a reset state, from which the search begins.
    pub(super) fn begin(&mut self, store: &mut Store) {
        let cone = self.question.any.cone();
        let latches = Bits::new(cone.latches.iter().map(|&latch| {
            let reset = self.question.model.latches[latch].reset.value();
            reset.unwrap_or_else(|| self.random.below(2) == 0)
        }));
        let number = self.keep(store, Origin::Reset, latches, 0);
        for view in 0..VIEWS {
            self.enter(view, store, number);
        }
    }

    /// Stores a state.
    fn keep(&mut self, store: &mut Store, origin: Origin, latches: Bits, depth: usize) -> usize {
        // States that are stored by others have no distance.
        self.distances.resize(store.len(), u32::MAX);
        self.distances.push(self.distance.of(&latches));
        self.unasked.push(store.len());
        store.push(Stored {
            origin,
            latches,
            depth,
        })
    }

    /// The distance of a stored state; the largest for those that the guide has not stored.
    fn distance_of(&self, number: usize) -> u32 {
        self.distances.get(number).copied().unwrap_or(u32::MAX)
    }

    /// Records the cell of a stored state, if it is new.
    fn enter(&mut self, view: usize, store: &Store, number: usize) {
        let cell = self.cells.of(view, &store.get(number).latches);
        if !self.cells.has(view, cell) {
            self.cells.add(view, cell, number);
            if let Some(queries) = &mut self.queries {
                queries.exclude(view, self.cells.latches(view), cell);
            }
        }
    }

    /// Stores that of 64 runs, at this place with these depths, which is nearest to one of the targets, if none was as near.
    /// If it has reached the target, the result is the way from there to the bad.
    pub(super) fn look_for_target(
        &mut self,
        store: &mut Store,
        (round, step): (usize, usize),
        state: &[u64],
        depths: &[usize],
    ) -> Option<Way> {
        let target = self.targets.pick(&mut self.random)?;
        if store.is_full() {
            return None;
        }
        let (lane, distance) = self.targets.nearer(target, state)?;
        let depth = depths[lane];
        if depth >= self.most_depth {
            return None;
        }
        let latches = Bits::new(state.iter().map(|word| word >> lane & 1 == 1));
        let origin = Origin::Simulated(Place { round, step, lane });
        let from = self.keep(store, origin, latches, depth);
        let inputs = (distance == 0).then(|| self.targets.way(target, self.question))?;
        (depth + inputs.len() <= self.most_depth).then_some(Way { from, inputs })
    }

    /// Stores those of 64 runs, at this place with these depths, that are in new cells of some view.
    pub(super) fn look(
        &mut self,
        store: &mut Store,
        (round, step): (usize, usize),
        state: &[u64],
        depths: &[usize],
    ) {
        let view = self.random.below(VIEWS);
        let cells = self.cells.of_words(view, state);
        for (lane, (&cell, &depth)) in cells.iter().zip(depths).enumerate() {
            if depth >= self.most_depth || store.is_full() {
                continue;
            }
            let known = self.cells.state(view, cell);
            if known.is_some() && self.random.below(ANOTHER) != 0 {
                continue;
            }
            let latches = Bits::new(state.iter().map(|word| word >> lane & 1 == 1));
            let origin = Origin::Simulated(Place { round, step, lane });
            match known {
                None => {
                    let number = self.keep(store, origin, latches, depth);
                    self.enter(view, store, number);
                }
                Some(known) if self.distance.of(&latches) <= self.distance_of(known) => {
                    let number = self.keep(store, origin, latches, depth);
                    self.cells.exchange(view, cell, number);
                }
                Some(_) => {}
            }
        }
        self.replace_if_full(view, store);
    }

    fn replace_if_full(&mut self, view: usize, store: &Store) {
        if self.cells.is_full(view) {
            self.replace(view, store);
        }
    }

    /// Whether the number of replaced views is so high that the search should begin anew.
    pub(super) fn is_worn(&self) -> bool {
        self.n_replaced >= MOST_REPLACED
    }

    /// Replaces a view by another one, which begins with some of the states that there are.
    fn replace(&mut self, view: usize, store: &Store) {
        self.n_replaced += 1;
        self.cells.replace(view, &mut self.random);
        if let Some(queries) = &mut self.queries {
            queries.clear(view);
        }
        for _ in 0..store.len().min(FIRST_STATES) {
            let number = self.random.below(store.len());
            self.enter(view, store, number);
        }
    }

    /// The state that a run starts from; `None` for a reset state.
    pub(super) fn start(&mut self, store: &Store) -> Option<usize> {
        match self.random.below(8) {
            0 => None,
            1..=4 => self.cells.rare(&mut self.random),
            5..=6 => self.near_target(store).or_else(|| self.near(store)),
            _ => self.near(store),
        }
    }

    /// A stored state near to one of the targets: the nearest of some.
    fn near_target(&mut self, store: &Store) -> Option<usize> {
        let target = self.targets.pick(&mut self.random)?;
        let n_states = store.len();
        let candidates = (0..CANDIDATES.min(n_states)).map(|_| self.random.below(n_states));
        candidates.min_by_key(|&number| self.targets.distance(target, &store.get(number).latches))
    }

    /// A stored state near to the bad: the nearest of a few.
    fn near(&mut self, store: &Store) -> Option<usize> {
        let n_states = store.len().min(self.distances.len());
        if n_states == 0 {
            return None;
        }
        let candidates = (0..8).map(|_| self.random.below(n_states));
        candidates.min_by_key(|&number| self.distances[number])
    }

    /// Asks the solver until its work is as much as the simulation's, which is `simulated` gates, evaluated for 64
    /// runs each. Successors and the bad have equal shares of the work.
    pub(super) fn solve(
        &mut self,
        store: &mut Store,
        simulated: u64,
    ) -> Result<Option<Way>, UnknownReason> {
        self.targets.update(self.question);
        while !store.is_full() {
            if let Some(reason) = self.question.control.stop.reason() {
                return Err(reason);
            }
            let Some(queries) = &self.queries else { break };
            let before = queries.propagations();
            let (cells, bad) = before;
            if (cells + bad) * GATES_A_PROPAGATION >= simulated {
                break;
            }
            if bad <= cells
                && let Some(way) = self.ask_for_bad(store)
            {
                return Ok(Some(way));
            }
            let is_asked = (cells <= bad || self.unasked.is_empty()) && self.ask_for_cells(store);
            let has_worked = self.queries.as_ref().map(Queries::propagations) != Some(before);
            if !is_asked && !has_worked {
                // There is nothing to ask about until other states are stored.
                break;
            }
        }
        Ok(None)
    }

    /// Asks whether the bad is some steps after the nearest of a few states.
    fn ask_for_bad(&mut self, store: &Store) -> Option<Way> {
        if self.unasked.is_empty() {
            return None;
        }
        let n_unasked = self.unasked.len();
        let candidates = (0..8).map(|_| self.random.below(n_unasked));
        let place = candidates.min_by_key(|&place| self.distances[self.unasked[place]])?;
        let from = self.unasked.swap_remove(place);
        let stored = store.get(from);
        let inputs = self.queries.as_mut()?.way_to_bad(&stored.latches)?;
        (stored.depth + inputs.len() <= self.most_depth).then_some(Way { from, inputs })
    }

    /// Stores successors of a state that are in new cells of a view; returns whether there was a state to ask about.
    fn ask_for_cells(&mut self, store: &mut Store) -> bool {
        let first = self.random.below(VIEWS);
        let views = (0..VIEWS).map(|offset| (first + offset) % VIEWS);
        let mut found = None;
        for view in views {
            found = (self.cells.open(view, &mut self.random)).map(|state| (view, state));
            if found.is_some() {
                break;
            }
        }
        let Some((view, from)) = found else {
            // What these views tell apart does not lead further.
            self.replace(first, store);
            return false;
        };
        let Some(queries) = &mut self.queries else {
            return false;
        };
        let depth = store.get(from).depth + 1;
        if depth >= self.most_depth {
            return true;
        }
        let latches = store.get(from).latches.clone();
        if let Some(inputs) = queries.step_to_new_cell(view, &latches) {
            // There may be more.
            self.cells.reopen(view, from);
            let (inputs, next) = self.vary(view, &latches, &inputs);
            let number = self.keep(store, Origin::Step(from, inputs), next, depth);
            self.enter(view, store, number);
            self.replace_if_full(view, store);
        }
        true
    }

    /// Other inputs that lead to the same cell under the constraints, chosen at random where possible, and the
    /// latches after the step. A solver leaves data at their last values; what it does not need should vary.
    fn vary(&mut self, view: usize, latches: &Bits, inputs: &Bits) -> (Bits, Bits) {
        let any = self.question.any;
        let (aig, frame) = (any.aig(), &any.frames()[0]);
        let mut words = vec![0; aig.n_inputs()];
        for (place, edge) in any.initial().iter().enumerate() {
            words[position_of(aig, edge.node())] = latches.word(place);
        }
        // Run 0 has the inputs as they are, run 63 nearly all of them random.
        let n_inputs = frame.inputs.len();
        let mut n_random = [0_usize; 64];
        let windows: Vec<(usize, usize)> = (0..64)
            .map(|lane| match lane {
                0 => (0, 0),
                _ => {
                    let length = (n_inputs * lane).div_ceil(63);
                    (self.random.below(n_inputs.max(1)), length)
                }
            })
            .collect();
        for (place, edge) in frame.inputs.iter().enumerate() {
            let mut varied = 0_u64;
            for (lane, &(first, length)) in windows.iter().enumerate() {
                let is_within = (place + n_inputs - first) % n_inputs < length;
                varied |= u64::from(is_within) << lane;
                n_random[lane] += usize::from(is_within);
            }
            let word = inputs.word(place) & !varied | self.random.word() & varied;
            words[position_of(aig, edge.node())] = word;
        }
        let input_words = words;
        let words = aig.simulate(&input_words);
        let next: Vec<u64> = any.state().iter().map(|edge| edge.word(&words)).collect();
        let alive =
            (frame.constraints.iter()).fold(u64::MAX, |alive, edge| alive & edge.word(&words));
        debug_assert!(
            alive & 1 == 1,
            "the solver's step satisfies the constraints"
        );
        let cells = self.cells.of_words(view, &next);
        let lane = (0..64)
            .filter(|&lane| alive >> lane & 1 == 1 && cells[lane] == cells[0])
            .max_by_key(|&lane| n_random[lane])
            .unwrap_or(0);
        let in_lane = |word: u64| word >> lane & 1 == 1;
        let value = |edge: &Edge| in_lane(input_words[position_of(aig, edge.node())]);
        (
            Bits::new(frame.inputs.iter().map(value)),
            Bits::new(next.into_iter().map(in_lane)),
        )
    }
}
