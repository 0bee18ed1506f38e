//! The constant and the varying cells at the cuts of a program, by a fixed point over the cuts.
//!
//! Symbolic execution runs from the start, and from the most general state known at each cut, to the next
//! cuts. A cell that is constant at a cut is not part of the state there; the fixed point determines these
//! cells, together with the targets of pointers.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use craig_model::{Stop, UnknownReason};
use craig_word::Term;

use super::cell::{AtCut, Cell, Known, Low};
use super::domain::Domain;
use super::extent::Extent;
use craig_c_exec::symbolic::{
    COUNTER_BITS, Contents, Cut, Executor, IndexChoice, Log, Loop, Policy, Position, State,
    Summaries, constant_low_bits, leaves,
};
use craig_c_lang::address_space::ObjectId;
use craig_c_lang::ir::Program;

/// A state with more cells than this is not encoded.
const MAX_STATE: usize = 50_000;
/// Cells with more values than this have no domain.
const MAX_VALUES: usize = 64;

/// The cuts of a program, and the executions between them.
pub(super) struct Analysis<'p> {
    pub(super) extent: Extent,
    pub(super) over: OverApproximation,
    pub(super) executor: Executor<'p>,
    pub(super) cuts: Vec<(Cut, AtCut)>,
    /// The logs of the executions up to the next cuts: from the start, then from the cuts in order.
    pub(super) logs: Vec<Log>,
    /// The variable of each cell that varies at some cut.
    pub(super) variables: BTreeMap<Cell, Term>,
    /// The domain of each cell that holds one of a few values at some cut.
    pub(super) domains: BTreeMap<Cell, Domain>,
}

/// How a program is over-approximated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OverApproximation {
    None,
    /// Objects that are large, or many, may have no contents.
    Havocking,
    /// Also, objects of allocations in loops have summaries.
    Summaries,
    /// Also, of arrays with more than `most` elements that are accessed at unknown indices one is tracked.
    Elements {
        most: u64,
        choice: IndexChoice,
    },
}

enum Outcome {
    Done,
    /// More loops have to be cut.
    Again,
}

impl<'p> Analysis<'p> {
    /// Analyses a program, or an over-approximation of it.
    pub(super) fn new(
        program: &'p Program,
        extent: Extent,
        over: OverApproximation,
        stop: &Stop,
    ) -> Result<Self, UnknownReason> {
        let mut executor = Executor::new(program).map_err(UnknownReason::Unsupported)?;
        executor.havocs = over != OverApproximation::None;
        match over {
            OverApproximation::None | OverApproximation::Havocking => {}
            OverApproximation::Summaries => executor.summaries = Some(Summaries::default()),
            OverApproximation::Elements { most, choice } => executor
                .track_elements(most, choice)
                .map_err(UnknownReason::Unsupported)?,
        }
        let mut this = Self {
            extent,
            over,
            executor,
            cuts: Vec::new(),
            logs: Vec::new(),
            variables: BTreeMap::new(),
            domains: BTreeMap::new(),
        };
        let mut wanted = HashSet::new();
        while let Outcome::Again = this.analyse(&mut wanted, stop)? {}
        Ok(this)
    }

    fn variable(&mut self, cell: Cell, width: u32) -> Term {
        let terms = &mut self.executor.terms;
        *self
            .variables
            .entry(cell)
            .or_insert_with(|| terms.variable(width))
    }

    /// Executes from a position; the log stays in the executor.
    fn run(
        &mut self,
        at: Option<&AtCut>,
        policy: &Policy,
        stop: &Stop,
    ) -> Result<(), UnknownReason> {
        self.executor.log = Log::default();
        if let Some(summaries) = &mut self.executor.summaries {
            summaries.forget_reads();
            summaries.of_words.clear();
        }
        self.executor.begin_with_elements(at.is_none());
        let (position, state) = match at {
            None => self.executor.start(),
            Some(at) => (at.position.clone(), self.state(at)),
        };
        self.executor.run(position, state, policy, stop)
    }

    /// The most general state known at a cut.
    fn state(&mut self, at: &AtCut) -> State {
        let mut contexts = HashMap::new();
        let mut registers = Vec::new();
        let mut call = Some(&at.position.call);
        while let Some(active) = call {
            contexts.insert(active.context, active.depth);
            let function = &self.executor.program.functions[active.function as usize];
            registers.push(Arc::new(vec![None; function.n_kept()]));
            call = active.caller.as_ref();
        }
        registers.reverse();
        let mut state = State {
            guard: 0,
            registers,
            memory: Contents::default(),
            overlays: BTreeMap::new(),
            counters: BTreeMap::new(),
        };
        self.executor.points.forget();
        self.executor.points.variables.clear();
        let mut of_words = BTreeSet::new();
        for (&cell, known) in &at.known {
            let term = match known {
                Known::Absent => continue,
                Known::Constant(term) => *term,
                Known::Among(values) => {
                    let value = self.domains[&cell].value(&mut self.executor.terms, values);
                    of_words.insert(value);
                    value
                }
                Known::Varies(points, low) => {
                    let word = self.variables[&cell];
                    self.executor.points.variables.insert(word, points.clone());
                    self.with_low(word, *low)
                }
            };
            match cell {
                Cell::Register { context, reg } => {
                    Arc::make_mut(&mut state.registers[contexts[&context]])[reg as usize] =
                        Some(term);
                }
                Cell::Memory { object, index } => {
                    let object = object as usize;
                    state.memory.extend_to(object + 1);
                    let cells =
                        Arc::make_mut(state.memory[object].get_or_insert_with(Default::default));
                    debug_assert_eq!(cells.len(), index as usize, "cells come in order");
                    cells.push(term);
                }
                Cell::Counter { site } => {
                    state.counters.insert(site, term);
                }
            }
        }
        if let Some(summaries) = &mut self.executor.summaries {
            summaries.of_words = of_words;
        }
        // Objects without cells exist as well.
        state
    }

    /// The cells of a state at a position.
    pub(super) fn cells(
        &mut self,
        position: &Position,
        state: &State,
    ) -> BTreeMap<Cell, Option<Term>> {
        let mut cells = BTreeMap::new();
        let mut call = Some(&position.call);
        let mut top = true;
        while let Some(active) = call {
            let graph = self.executor.graph(active.function);
            for (reg, &value) in state.registers[active.depth].iter().enumerate() {
                let live = !top || graph.is_live(position.block, reg);
                if live && value.is_some() {
                    cells.insert(
                        Cell::Register {
                            context: active.context,
                            reg: reg as u32,
                        },
                        value,
                    );
                }
            }
            top = false;
            call = active.caller.as_ref();
        }
        for (object, contents) in state.memory.iter().enumerate() {
            for (index, &value) in contents
                .iter()
                .flat_map(|contents| contents.iter().enumerate())
            {
                let cell = Cell::Memory {
                    object: object as ObjectId,
                    index: index as u32,
                };
                cells.insert(cell, Some(value));
            }
        }
        for (&site, &value) in &state.counters {
            cells.insert(Cell::Counter { site }, Some(value));
        }
        cells
    }

    /// Joins the abstract state at a cut with a further state there. Returns whether it changed.
    fn join(&mut self, at: &mut AtCut, cells: &BTreeMap<Cell, Option<Term>>, first: bool) -> bool {
        let mut changed = first;
        // A register that one state lacks becomes absent; an object that one state lacks is unreachable in
        // it.
        for (cell, known) in &mut at.known {
            if matches!(cell, Cell::Register { .. })
                && !cells.contains_key(cell)
                && *known != Known::Absent
            {
                *known = Known::Absent;
                changed = true;
            }
        }
        let mut cells: BTreeMap<Cell, Term> = cells
            .iter()
            .filter_map(|(&cell, &value)| Some((cell, value?)))
            .collect();
        // A site without a counter has made no object yet.
        let zero = self.executor.terms.constant(0, COUNTER_BITS);
        for cell in at.known.keys() {
            if matches!(cell, Cell::Counter { .. }) {
                cells.entry(*cell).or_insert(zero);
            }
        }
        if !first {
            for &cell in cells.keys() {
                if matches!(cell, Cell::Counter { .. }) {
                    at.known.entry(cell).or_insert(Known::Constant(zero));
                }
            }
        }
        for (cell, value) in cells {
            let fresh = match at.known.get(&cell) {
                None if first || !matches!(cell, Cell::Register { .. }) => self.known(cell, value),
                None | Some(Known::Absent) => continue,
                Some(Known::Constant(old)) if *old == value => continue,
                Some(Known::Among(old)) => match self.values(cell, value) {
                    Some(values) if values.is_subset(old) => continue,
                    Some(values) => self.among(cell, value, values.union(old).copied().collect()),
                    None => {
                        let old = self.domains[&cell].value(&mut self.executor.terms, old);
                        self.varies(old).joined(self.varies(value))
                    }
                },
                Some(Known::Constant(old))
                    if let Some(values) = self.values(cell, value)
                        && let Some(known) = self.values(cell, *old) =>
                {
                    self.among(cell, value, values.union(&known).copied().collect())
                }
                Some(Known::Constant(old)) => self.varies(*old).joined(self.varies(value)),
                Some(old @ Known::Varies(..)) => {
                    let fresh = old.clone().joined(self.varies(value));
                    if fresh == *old {
                        continue;
                    }
                    fresh
                }
            };
            if matches!(fresh, Known::Varies(..)) {
                let width = self.executor.terms.width(value);
                self.variable(cell, width);
            }
            at.known.insert(cell, fresh);
            changed = true;
        }
        changed
    }

    /// A cell with any value that has the targets and the last bits of a term.
    fn varies(&mut self, term: Term) -> Known {
        let executor = &mut self.executor;
        let terms = &mut executor.terms;
        let points = executor.points.of(terms, &executor.space, term);
        let most = Low::MOST.min(terms.width(term) - 1);
        let (bits, value) = constant_low_bits(terms, term, most);
        Known::Varies((*points).clone(), Low { bits, value })
    }

    /// A word with these last bits, if it may be the address of an object without contents: there, bytes are told
    /// apart by them.
    fn with_low(&mut self, word: Term, low: Low) -> Term {
        let executor = &mut self.executor;
        let points = executor.points.variables.get(&word);
        let may_be_havocked = points.is_some_and(|points| {
            let mut objects = points.objects.iter();
            objects.any(|&object| executor.space.objects[object as usize].shape.is_opaque())
        });
        match may_be_havocked {
            true => low.put(&mut executor.terms, word),
            false => word,
        }
    }

    /// The values of a cell that holds an address or, with summaries, is a counter, if the term chooses from a few.
    /// Only summaries and tracked elements need them: else no offset in an array is known behind an allocation that
    /// may fail.
    fn values(&self, cell: Cell, value: Term) -> Option<BTreeSet<u128>> {
        let executor = &self.executor;
        let has_summaries = executor.summaries.is_some();
        if !has_summaries && executor.elements.is_none() {
            return None;
        }
        let is_counter = matches!(cell, Cell::Counter { .. });
        if is_counter && !has_summaries {
            return None;
        }
        if !is_counter && executor.terms.width(value) != executor.space.width {
            return None;
        }
        let values = leaves(&executor.terms, value)?;
        let is_one = |&value: &u128| is_counter || executor.is_start(value);
        (values.len() <= MAX_VALUES && values.iter().all(is_one)).then_some(values)
    }

    /// A cell among these values; the term has its width.
    fn among(&mut self, cell: Cell, term: Term, values: BTreeSet<u128>) -> Known {
        if values.len() > MAX_VALUES {
            return self.varies(term);
        }
        let terms = &mut self.executor.terms;
        let width = terms.width(term);
        let domain = self.domains.entry(cell);
        let domain = domain.or_insert_with(|| Domain::new(terms, width));
        domain.extend(terms, &values);
        Known::Among(values)
    }

    fn known(&mut self, cell: Cell, value: Term) -> Known {
        if self.executor.terms.constant_value(value).is_some() {
            Known::Constant(value)
        } else if let Some(values) = self.values(cell, value) {
            self.among(cell, value, values)
        } else {
            self.varies(value)
        }
    }

    fn analyse(
        &mut self,
        wanted: &mut HashSet<Cut>,
        stop: &Stop,
    ) -> Result<Outcome, UnknownReason> {
        let policy = Policy::Cut {
            at: wanted.clone(),
            blocks: self.extent.blocks,
            decided: self.extent.decided,
        };
        let mut places: Vec<(Cut, AtCut)> = Vec::new();
        let mut index_of: HashMap<Cut, usize> = HashMap::new();
        let mut work: VecDeque<Option<usize>> = VecDeque::from([None]);
        let mut queued: HashSet<usize> = HashSet::new();
        if let Some(summaries) = &mut self.executor.summaries {
            summaries.restart();
        }
        loop {
            let Some(place) = work.pop_front() else {
                let summaries = self.executor.summaries.as_mut();
                let has_changed = summaries.is_some_and(Summaries::has_changed);
                if self.executor.has_havocked_more() || has_changed {
                    work.extend((0..=places.len()).map(|place| place.checked_sub(1)));
                    queued.extend(0..places.len());
                    continue;
                }
                break;
            };
            if let Some(index) = place {
                queued.remove(&index);
            }
            let at = place.map(|index| places[index].1.clone());
            self.run(at.as_ref(), &policy, stop)?;
            let log = std::mem::take(&mut self.executor.log);
            let summaries = self.executor.summaries.as_ref();
            let summaries_want_more = summaries.is_some_and(|found| found.wants_more);
            let arrays = self.executor.take_wanted();
            if !log.wanted_cuts.is_empty() || !arrays.is_empty() || summaries_want_more {
                wanted.extend(log.wanted_cuts);
                // These cells are others now.
                let is_left = |cell: &Cell| match cell {
                    Cell::Memory { object, .. } => !arrays.contains(object),
                    Cell::Register { .. } | Cell::Counter { .. } => true,
                };
                self.variables.retain(|cell, _| is_left(cell));
                return Ok(Outcome::Again);
            }
            for (cut, position, state) in log.exits {
                let size: usize = state.memory.iter().flatten().map(|cells| cells.len()).sum();
                if size > MAX_STATE {
                    return Err(UnknownReason::Unsupported(format!(
                        "memory of {size} pieces at the head of a loop"
                    )));
                }
                let cells = self.cells(&position, &state);
                let first = !index_of.contains_key(&cut);
                let index = *index_of.entry(cut).or_insert_with(|| {
                    let loops = vec![
                        Loop {
                            iteration: 0,
                            open: 0,
                            guard: 0
                        };
                        position.loops.len()
                    ];
                    let position = Position {
                        loops: Arc::new(loops),
                        ..position
                    };
                    places.push((
                        cut,
                        AtCut {
                            position,
                            known: BTreeMap::new(),
                        },
                    ));
                    places.len() - 1
                });
                let mut at = places[index].1.clone();
                if self.join(&mut at, &cells, first) {
                    places[index].1 = at;
                    if queued.insert(index) {
                        work.push_back(Some(index));
                    }
                }
            }
        }
        // Execute once more from the final states.
        self.cuts = places;
        self.logs.clear();
        for place in 0..=self.cuts.len() {
            let at = place.checked_sub(1).map(|index| self.cuts[index].1.clone());
            self.run(at.as_ref(), &policy, stop)?;
            let log = std::mem::take(&mut self.executor.log);
            debug_assert!(log.wanted_cuts.is_empty());
            self.logs.push(log);
        }
        Ok(Outcome::Done)
    }
}
