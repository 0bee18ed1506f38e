//! The program as one loop: a transition system whose steps run from loop head to loop head.
//!
//! Beyer, Lee, Wendler, *Interpolation and SAT-based model checking revisited* (2022), section on large-block
//! encoding and the single-loop transformation, after Aho et al.: a program counter says at which cut the
//! program is, and one step executes all that lies between one cut and the next. What is constant at a cut is
//! no state there; a fixed point over the cuts finds that out, together with what pointers may point to.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use craig_mc::{Certificate, Control, Latch, Model, Reset, Trace, UnknownReason};
use craig_solver::aig::{Aig, Edge};

use craig_word::{Blaster, Node, Op, Term};

use super::evidence::LoopInvariant;
use super::execute::{
    COUNTER_BITS, Cut, Executor, Log, Loop, Mark, ObjectId, Points, Policy, Position, State,
};
use super::invariants::Vocabulary;
use super::ir::{Keeper, Program};
use super::loop_invariants::{AtHead, Head, find};
use super::replay::{Chosen, Fact, evaluator, facts};

/// A piece of the program's state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Cell {
    Register { context: u32, reg: u32 },
    Memory { object: ObjectId, index: u32 },
    Counter { site: u32 },
}

impl Cell {
    /// Where a variable of the source is kept at a cut.
    fn of_variable(cut: &Cut, keeper: &Keeper) -> Self {
        match *keeper {
            Keeper::Register(reg) => Self::Register {
                context: cut.context,
                reg,
            },
            Keeper::Static(object) => Self::Memory { object, index: 0 },
        }
    }
}

/// A state of more pieces than this is not turned into latches.
const MAX_STATE: usize = 50_000;

/// What is known of a cell at a cut.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Known {
    /// Not set on some path.
    Absent,
    Constant(Term),
    Varies(Points),
}

#[derive(Clone)]
struct AtCut {
    position: Position,
    known: BTreeMap<Cell, Known>,
}

/// The steps that start at one place.
struct Step {
    log: Log,
}

pub(crate) struct SingleLoop<'p> {
    executor: Executor<'p>,
    cuts: Vec<(Cut, AtCut)>,
    /// By place: the start, then the cuts in order.
    steps: Vec<Step>,
    variables: BTreeMap<Cell, Term>,
    counter: Term,
}

/// A transition system with what is needed to read its traces.
pub(crate) struct Encoded {
    pub(crate) model: Model,
    /// The variable and bit of each input.
    inputs: Vec<(Term, u32)>,
    /// The latches of each variable, lowest bit first.
    latches: HashMap<Term, Vec<usize>>,
    next: HashMap<Term, Term>,
    /// The state, word by word.
    pub(crate) vocabulary: Vocabulary,
}

enum Analysis {
    Done,
    /// More loops have to be cut.
    Again,
}

impl<'p> SingleLoop<'p> {
    pub(crate) fn new(program: &'p Program, control: &Control) -> Result<Self, UnknownReason> {
        let mut executor = Executor::new(program).map_err(UnknownReason::Unsupported)?;
        let counter = executor.terms.variable(16);
        let mut this = Self {
            executor,
            cuts: Vec::new(),
            steps: Vec::new(),
            variables: BTreeMap::new(),
            counter,
        };
        let mut wanted = HashSet::new();
        while let Analysis::Again = this.analyse(&mut wanted, control)? {}
        Ok(this)
    }

    fn variable(&mut self, cell: Cell, width: u32) -> Term {
        let terms = &mut self.executor.terms;
        *self
            .variables
            .entry(cell)
            .or_insert_with(|| terms.variable(width))
    }

    /// Runs from a place; the log stays in the executor.
    fn run(
        &mut self,
        at: Option<&AtCut>,
        policy: &Policy,
        control: &Control,
    ) -> Result<(), UnknownReason> {
        self.executor.log = Log::default();
        let (position, state) = match at {
            None => self.executor.start(),
            Some(at) => (at.position.clone(), self.state(at)),
        };
        self.executor.run(position, state, policy, control)
    }

    /// The most general state that is known of at a cut.
    fn state(&mut self, at: &AtCut) -> State {
        let mut contexts = HashMap::new();
        let mut registers = Vec::new();
        let mut call = Some(&at.position.call);
        while let Some(active) = call {
            contexts.insert(active.context, active.depth);
            registers.push(Arc::new(vec![
                None;
                self.executor.program.functions
                    [active.function as usize]
                    .regs
                    .len()
            ]));
            call = active.caller.as_ref();
        }
        registers.reverse();
        let mut state = State {
            guard: 0,
            registers,
            memory: Vec::new(),
            overlays: BTreeMap::new(),
            counters: BTreeMap::new(),
        };
        self.executor.points.forget();
        self.executor.points.variables.clear();
        for (&cell, known) in &at.known {
            let term = match known {
                Known::Absent => continue,
                Known::Constant(term) => *term,
                Known::Varies(points) => {
                    let term = self.variables[&cell];
                    self.executor.points.variables.insert(term, points.clone());
                    term
                }
            };
            match cell {
                Cell::Register { context, reg } => {
                    Arc::make_mut(&mut state.registers[contexts[&context]])[reg as usize] =
                        Some(term);
                }
                Cell::Memory { object, index } => {
                    let object = object as usize;
                    if state.memory.len() <= object {
                        state.memory.resize(object + 1, None);
                    }
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
        // Objects without cells exist as well.
        state
    }

    /// The cells of a state at a position.
    fn cells(&mut self, position: &Position, state: &State) -> BTreeMap<Cell, Option<Term>> {
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

    /// Makes what is known at a cut hold for a further state there. Whether that changed anything.
    fn join(&mut self, at: &mut AtCut, cells: &BTreeMap<Cell, Option<Term>>, first: bool) -> bool {
        let mut changed = first;
        // A register that one state lacks is lacking; an object that one state lacks is out of its reach.
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
        // A site without a counter has made nothing yet.
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
                None if first || !matches!(cell, Cell::Register { .. }) => self.known(value),
                None | Some(Known::Absent) => continue,
                Some(Known::Constant(old)) if *old == value => continue,
                Some(Known::Constant(old)) => {
                    let mut points = self.points(*old);
                    points.join(&self.points(value));
                    Known::Varies(points)
                }
                Some(Known::Varies(old)) => {
                    let mut points = old.clone();
                    points.join(&self.points(value));
                    if points == *old {
                        continue;
                    }
                    Known::Varies(points)
                }
            };
            if matches!(fresh, Known::Varies(_)) {
                let width = self.executor.terms.width(value);
                self.variable(cell, width);
            }
            at.known.insert(cell, fresh);
            changed = true;
        }
        changed
    }

    fn points(&mut self, term: Term) -> Points {
        let executor = &mut self.executor;
        (*executor.points.of(&executor.terms, &executor.space, term)).clone()
    }

    fn known(&mut self, value: Term) -> Known {
        if self.executor.terms.constant_value(value).is_some() {
            Known::Constant(value)
        } else {
            Known::Varies(self.points(value))
        }
    }

    fn analyse(
        &mut self,
        wanted: &mut HashSet<Cut>,
        control: &Control,
    ) -> Result<Analysis, UnknownReason> {
        let policy = Policy::Cut(wanted.clone());
        let mut places: Vec<(Cut, AtCut)> = Vec::new();
        let mut index_of: HashMap<Cut, usize> = HashMap::new();
        let mut work: VecDeque<Option<usize>> = VecDeque::from([None]);
        let mut queued: HashSet<usize> = HashSet::new();
        while let Some(place) = work.pop_front() {
            if let Some(index) = place {
                queued.remove(&index);
            }
            let at = place.map(|index| places[index].1.clone());
            self.run(at.as_ref(), &policy, control)?;
            let log = std::mem::take(&mut self.executor.log);
            if !log.wanted_cuts.is_empty() {
                wanted.extend(log.wanted_cuts);
                return Ok(Analysis::Again);
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
        // Once more, with what is known for good.
        self.cuts = places;
        self.steps.clear();
        for place in 0..=self.cuts.len() {
            let at = place.checked_sub(1).map(|index| self.cuts[index].1.clone());
            self.run(at.as_ref(), &policy, control)?;
            let log = std::mem::take(&mut self.executor.log);
            debug_assert!(log.wanted_cuts.is_empty());
            self.steps.push(Step { log });
        }
        Ok(Analysis::Done)
    }

    pub(crate) fn n_cuts(&self) -> usize {
        self.cuts.len()
    }

    /// Whether some path ends in something that is not supported.
    pub(crate) fn has_stuck(&self) -> bool {
        self.steps.iter().any(|step| {
            step.log
                .stuck
                .iter()
                .any(|mark| !self.executor.terms.is_zero(mark.guard))
        })
    }

    /// The transition system. Its bad: an error, or, where `stuck` holds, also the end of what is supported.
    pub(crate) fn encode(&mut self, stuck: bool) -> Encoded {
        let places: HashMap<Cut, usize> = self
            .cuts
            .iter()
            .enumerate()
            .map(|(index, (cut, _))| (*cut, index + 1))
            .collect();
        let halted = self.cuts.len() as u128 + 1;
        let steps = std::mem::take(&mut self.steps);
        let counter = self.counter;
        let mut next: HashMap<Term, Term> = HashMap::new();
        let mut counter_next = self.executor.terms.constant(halted, 16);
        let mut bad = self.executor.terms.boolean(false);
        for (place, step) in steps.iter().enumerate() {
            let terms = &mut self.executor.terms;
            let number = terms.constant(place as u128, 16);
            let here = terms.eq(counter, number);
            let stuck_marks: &[Mark] = if stuck { &step.log.stuck } else { &[] };
            for mark in step.log.errors.iter().chain(stuck_marks) {
                let reached = terms.and(here, mark.guard);
                bad = terms.or(bad, reached);
            }
            for (cut, position, state) in &step.log.exits {
                let target = places[cut];
                let guard = self.executor.guards.term(state.guard);
                let chosen = self.executor.terms.and(here, guard);
                let number = self.executor.terms.constant(target as u128, 16);
                counter_next = self.executor.terms.ite(chosen, number, counter_next);
                let mut cells = self.cells(position, state);
                let zero = self.executor.terms.constant(0, COUNTER_BITS);
                for cell in self.cuts[target - 1].1.known.keys() {
                    if matches!(cell, Cell::Counter { .. }) {
                        cells.entry(*cell).or_insert(Some(zero));
                    }
                }
                for (cell, value) in cells {
                    let Some(value) = value else { continue };
                    if !matches!(
                        self.cuts[target - 1].1.known.get(&cell),
                        Some(Known::Varies(_))
                    ) {
                        continue;
                    }
                    let variable = self.variables[&cell];
                    if value != variable {
                        // Elsewhere the cell keeps its value, or nobody looks at it.
                        let old = next.get(&variable).copied().unwrap_or(variable);
                        let new = self.executor.terms.ite(chosen, value, old);
                        next.insert(variable, new);
                    }
                }
            }
        }
        self.steps = steps;
        next.insert(counter, counter_next);
        self.blast(bad, next)
    }

    /// Bit-blasts the part of the system that the bad depends on.
    fn blast(&mut self, bad: Term, next: HashMap<Term, Term>) -> Encoded {
        let terms = &self.executor.terms;
        let mut is_state: HashSet<Term> = self.variables.values().copied().collect();
        is_state.insert(self.counter);
        let mut needed: Vec<Term> = Vec::new();
        let mut seen: HashSet<Term> = HashSet::new();
        let mut known: HashSet<Term> = HashSet::new();
        let mut work = vec![bad, self.counter];
        while let Some(root) = work.pop() {
            for term in terms.cone(&[root], |term| known.contains(&term)) {
                known.insert(term);
                if matches!(terms.node(term), Node::Var(_))
                    && is_state.contains(&term)
                    && seen.insert(term)
                {
                    needed.push(term);
                    work.extend(next.get(&term));
                }
            }
        }
        needed.sort_unstable();
        let mut model = Model::default();
        let mut blaster = Blaster::new();
        let mut vocabulary = self.vocabulary(&needed, &known);
        let bits_of = |term: Term| {
            if term == self.counter {
                (self.cuts.len() + 1).ilog2() as usize + 1
            } else {
                terms.width(term) as usize
            }
        };
        let mut latches = HashMap::new();
        for &term in &needed {
            let mut edges: Vec<Edge> = (0..bits_of(term)).map(|_| model.aig.add_input()).collect();
            let first = model.latches.len();
            latches.insert(term, (first..first + edges.len()).collect());
            for &state in &edges {
                model.latches.push(Latch {
                    state,
                    next: state,
                    reset: Reset::Zero,
                });
            }
            if term == self.counter {
                vocabulary.counter.clone_from(&edges);
            } else {
                vocabulary.words.push(edges.clone());
            }
            // The upper bits of the program counter are never used.
            edges.resize(terms.width(term) as usize, Edge::FALSE);
            blaster.set(term, &edges);
        }
        let mut inputs: Vec<(Term, u32)> = Vec::new();
        let mut input_edges: Vec<Edge> = Vec::new();
        let mut variable = |aig: &mut Aig, term: Term| {
            let edges: Vec<Edge> = (0..terms.width(term)).map(|_| aig.add_input()).collect();
            inputs.extend((0..terms.width(term)).map(|bit| (term, bit)));
            input_edges.extend(&edges);
            edges
        };
        let mut position = 0;
        for &term in &needed {
            let root = next.get(&term).copied().unwrap_or(term);
            let edges = blaster.blast(terms, &mut model.aig, root, &mut variable);
            for &edge in &edges[..bits_of(term)] {
                model.latches[position].next = edge;
                position += 1;
            }
        }
        let bad = blaster.blast(terms, &mut model.aig, bad, &mut variable)[0];
        model.bads = vec![bad];
        for (&(_, bit), &edge) in inputs.iter().zip(&input_edges) {
            match vocabulary.inputs.last_mut() {
                Some(word) if bit > 0 => word.push(edge),
                _ => vocabulary.inputs.push(vec![edge]),
            }
        }
        model.inputs = input_edges;
        Encoded {
            model,
            inputs,
            latches,
            next,
            vocabulary,
        }
    }

    /// Which words vary at each cut, and what words are compared with; latches and inputs are still missing. Pointers are no
    /// words here.
    fn vocabulary(&self, needed: &[Term], cone: &HashSet<Term>) -> Vocabulary {
        let words = needed.iter().filter(|&&term| term != self.counter);
        let number: HashMap<Term, usize> = words.copied().zip(0..).collect();
        let varies = |(cell, known): (&Cell, &Known)| match known {
            Known::Varies(points) if points.objects.is_empty() && !points.unknown => {
                number.get(&self.variables[cell]).copied()
            }
            _ => None,
        };
        let at = self
            .cuts
            .iter()
            .map(|(_, at)| at.known.iter().filter_map(varies).collect());
        let terms = &self.executor.terms;
        let mut constants = BTreeSet::new();
        for &term in cone {
            if let Node::Binary(Op::Eq | Op::Ult | Op::Slt, a, b) = terms.node(term) {
                for operand in [a, b] {
                    let value = terms.constant_value(operand);
                    constants.extend(value.map(|value| (terms.width(operand), value)));
                }
            }
        }
        Vocabulary {
            counter: Vec::new(),
            words: Vec::new(),
            inputs: Vec::new(),
            at: at.collect(),
            constants,
        }
    }

    /// What happened on the path of a trace.
    pub(crate) fn facts(&self, encoded: &Encoded, trace: &Trace) -> Vec<Fact> {
        let terms = &self.executor.terms;
        let mut state: HashMap<Term, u128> = HashMap::new();
        let mut found = Vec::new();
        for inputs in &trace.inputs {
            let mut values = state.clone();
            for (&(term, bit), value) in encoded.inputs.iter().zip(inputs) {
                *values.entry(term).or_insert(0) |= u128::from(value.unwrap_or(false)) << bit;
            }
            let model = Chosen {
                values,
                blanks: HashMap::new(),
            };
            let values = &model.values;
            let mut evaluator = evaluator(terms, values);
            let place = values.get(&self.counter).copied().unwrap_or(0) as usize;
            if let Some(step) = self.steps.get(place) {
                found.extend(facts(
                    terms,
                    &self.executor.space,
                    &step.log.events,
                    &model,
                    &mut evaluator,
                ));
            }
            let next = encoded
                .next
                .iter()
                .map(|(&variable, &next)| (variable, evaluator.value(next)));
            let mut next: HashMap<Term, u128> = next.collect();
            for (&variable, &value) in &state {
                next.entry(variable).or_insert(value);
            }
            state = next;
        }
        found
    }

    /// What a certificate says of the source's loops. Only loops are told of whose function is called in one
    /// way: elsewhere the loop may have gone round without a cut.
    pub(crate) fn invariants(
        &self,
        encoded: &Encoded,
        certificate: &Certificate,
        control: &Control,
    ) -> Vec<LoopInvariant> {
        let program = self.executor.program;
        let mut heads = Vec::new();
        for (index, (cut, at)) in self.cuts.iter().enumerate() {
            let id = at.position.call.function;
            let function = &program.functions[id as usize];
            let Some(head) = function.loops.get(&cut.block) else {
                continue;
            };
            if self.executor.n_contexts(id) != 1 {
                continue;
            }
            let mut variables = Vec::new();
            for (name, int, keeper) in &head.variables {
                let cell = Cell::of_variable(cut, keeper);
                let at_head = match at.known.get(&cell) {
                    Some(Known::Constant(term)) => {
                        match self.executor.terms.constant_value(*term) {
                            Some(value) => AtHead::Constant(value),
                            None => continue,
                        }
                    }
                    Some(Known::Varies(_)) => AtHead::Variable(self.variables[&cell]),
                    Some(Known::Absent) | None => continue,
                };
                variables.push((name.as_str(), *int, at_head));
            }
            heads.push(Head {
                place: index as u128 + 1,
                head,
                function: &function.name,
                variables,
            });
        }
        let latches = &encoded.latches;
        let counter = latches.get(&self.counter).map_or(&[][..], Vec::as_slice);
        find(program, certificate, &heads, latches, counter, control)
    }

    /// Names of the latches, bit by bit: of the program counter, and of what is a variable at a loop's head in the source. A
    /// name that several variables have comes with its function from the second on. The others have none.
    pub(crate) fn latch_names(&self, encoded: &Encoded) -> Vec<String> {
        let mut names = vec![String::new(); encoded.model.latches.len()];
        let mut owners: HashMap<String, Term> = HashMap::from([("pc".to_owned(), self.counter)]);
        for (cut, at) in &self.cuts {
            let function = &self.executor.program.functions[at.position.call.function as usize];
            let Some(head) = function.loops.get(&cut.block) else {
                continue;
            };
            for (name, _, keeper) in &head.variables {
                let Some(&term) = self.variables.get(&Cell::of_variable(cut, keeper)) else {
                    continue;
                };
                let owner = *owners.entry(name.clone()).or_insert(term);
                if owner != term {
                    owners.insert(format!("{}.{name}", function.name), term);
                }
            }
        }
        for (name, term) in &owners {
            let latches = encoded.latches.get(term).into_iter().flatten();
            for (bit, &latch) in latches.enumerate() {
                let name = format!("{name}[{bit}]");
                // A variable that is seen from several loops may have several names.
                if names[latch].is_empty() || name < names[latch] {
                    names[latch] = name;
                }
            }
        }
        names
    }

    /// Where what is not supported starts, for want of a better reason.
    pub(crate) fn first_stuck(&self) -> Option<&Mark> {
        self.steps.iter().flat_map(|step| &step.log.stuck).next()
    }
}
