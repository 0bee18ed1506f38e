//! The executor itself.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use craig_mc::program::Blocks;
use craig_mc::{Control, UnknownReason};

use crate::ir::*;
use crate::library::LIBRARY;
use craig_word::{Term, Terms};

use crate::unwinding::Caps;

use super::memory::{AddressSpace, ObjectId, PointsTo};
use super::overlay::Overlays;
use super::{Call, Cut, Event, Graph, Guard, Guards, Happening, Log, Loop, Mark, Position, State};

/// Where execution pauses or stops.
pub(crate) enum Policy {
    /// Loops go round at most so many times with an open condition, and so many times with a decided one; and no
    /// further than the caps allow.
    Unwind {
        open: u32,
        closed: u32,
        recursion: usize,
        caps: Arc<Caps>,
    },
    /// Loops are cut at these heads; all others go round as long as their condition is decided. Where blocks are
    /// basic, paths are cut wherever they reach another block of the same function.
    Cut { at: HashSet<Cut>, blocks: Blocks },
}

/// Loops whose condition stays decided for so long are cut after all.
const CLOSED_ITERATIONS: u32 = 300;
/// Calls of one function within each other, where there is no other bound.
const RECURSION: usize = 40;
/// Objects that one site makes in a loop that is cut.
pub(super) const POOL: usize = 3;
/// With more terms than this, execution is given up: they take some gigabytes.
pub(crate) const MAX_TERMS: usize = 60_000_000;
/// See `Executor::lazy_above`.
const LAZY_ABOVE: u64 = 256;
/// The width of the counters of allocation sites.
pub(crate) const COUNTER_BITS: u32 = 8;
/// See `Executor::unknown_elements`.
const UNKNOWN_ELEMENTS: u64 = 32;

pub(crate) struct Executor<'p> {
    pub(crate) program: &'p Program,
    pub(crate) terms: Terms,
    pub(crate) guards: Guards,
    pub(crate) space: AddressSpace,
    pub(crate) points: PointsTo,
    pub(crate) overlays: Overlays,
    /// Objects in which an access may go to more places than this are given an overlay, where nothing is cut.
    pub(crate) lazy_above: u64,
    /// Allocated objects of more bytes than this are kept without pieces.
    pub(crate) blank_above: u64,
    /// How many elements an allocation of unknown size may have that is kept in pieces.
    pub(crate) unknown_elements: u64,
    pub(crate) log: Log,
    graphs: Vec<Option<Arc<Graph>>>,
    contexts: HashMap<(u32, BlockId, FunctionId), u32>,
    pub(super) slots: HashMap<(u32, SlotId), ObjectId>,
    /// Objects of allocation sites, by instance and instruction.
    pub(super) heap: HashMap<(u32, u32), Vec<ObjectId>>,
    /// Allocated objects, and those of them that live until their function returns, by its call.
    pub(super) allocated: BTreeSet<ObjectId>,
    pub(super) of_frames: HashMap<u32, BTreeSet<ObjectId>>,
    /// How long the object lives that is being allocated, and the call that allocates it.
    pub(super) storage: (Storage, u32),
    /// Whether allocation sites are counted: in a program that is cut.
    pub(super) counting: bool,
    instances: HashMap<Vec<u32>, u32>,
    variables: HashMap<(u32, u32, u32), Term>,
    /// The instance and instruction under way, and how many variables it has made.
    pub(super) instance: u32,
    pub(super) step: u32,
    pub(super) made: u32,
    pub(super) at: Location,
}

struct Pending {
    position: Position,
    states: Vec<State>,
}

/// What became of an instruction.
pub(super) type Step<T> = Result<T, String>;

impl<'p> Executor<'p> {
    pub(crate) fn new(program: &'p Program) -> Result<Self, String> {
        let mut terms = Terms::new();
        let guards = Guards::new(&mut terms);
        Ok(Self {
            program,
            terms,
            guards,
            space: AddressSpace::new(program)?,
            points: PointsTo::default(),
            overlays: Overlays::default(),
            lazy_above: LAZY_ABOVE,
            blank_above: crate::lower::MAX_CELLS as u64,
            unknown_elements: UNKNOWN_ELEMENTS,
            log: Log::default(),
            graphs: (0..program.functions.len()).map(|_| None).collect(),
            contexts: HashMap::new(),
            slots: HashMap::new(),
            heap: HashMap::new(),
            allocated: BTreeSet::new(),
            of_frames: HashMap::new(),
            storage: (Storage::Heap, 0),
            counting: false,
            instances: HashMap::new(),
            variables: HashMap::new(),
            instance: 0,
            step: 0,
            made: 0,
            at: Location::default(),
        })
    }

    pub(crate) fn graph(&mut self, function: FunctionId) -> Arc<Graph> {
        let program = self.program;
        self.graphs[function as usize]
            .get_or_insert_with(|| {
                Arc::new(Graph::new(program, &program.functions[function as usize]))
            })
            .clone()
    }

    /// The start of the program, and the state there: static objects hold zeros.
    pub(crate) fn start(&mut self) -> (Position, State) {
        let program = self.program;
        let start = program.start;
        let call = Arc::new(Call {
            caller: None,
            function: start,
            context: 0,
            depth: 0,
            caller_block: 0,
            next: 0,
            result: None,
            caller_loops: Arc::new(Vec::new()),
            caller_key: Vec::new(),
        });
        let mut memory = Vec::new();
        let mut overlays = BTreeMap::new();
        self.instance = self.number(&[u32::MAX]);
        for (id, object) in program.statics.iter().enumerate() {
            self.step = id as u32;
            self.made = 0;
            let cells: Vec<Term> = object
                .shape
                .cells
                .iter()
                .map(|&(_, bytes)| {
                    if object.external {
                        self.variable(bytes * 8)
                    } else {
                        self.terms.constant(0, bytes * 8)
                    }
                })
                .collect();
            let cells = Arc::new(cells);
            let mut owner = None;
            if object.shape.is_opaque() {
                owner = object.external.then(|| self.variable(8));
                let chain = self.overlays.blank(object.shape.size, owner);
                overlays.insert(id as ObjectId, chain);
            }
            if object.external {
                let guard = self.terms.boolean(true);
                let what = Happening::Create {
                    object: id as ObjectId,
                    cells: cells.clone(),
                    owner,
                };
                self.log.events.push(Event {
                    guard,
                    at: Location::default(),
                    what,
                });
            }
            memory.push(Some(cells));
        }
        let registers = vec![None; program.functions[start as usize].regs.len()];
        let state = State {
            guard: 0,
            registers: vec![Arc::new(registers)],
            memory,
            overlays,
            counters: BTreeMap::new(),
        };
        (
            Position {
                call,
                block: 0,
                loops: Arc::new(Vec::new()),
            },
            state,
        )
    }

    /// In how many ways the calls that were executed lead to a function.
    pub(crate) fn n_contexts(&self, function: FunctionId) -> usize {
        let calls = self.contexts.keys();
        calls.filter(|(_, _, called)| *called == function).count()
    }

    pub(super) fn number(&mut self, key: &[u32]) -> u32 {
        if let Some(&number) = self.instances.get(key) {
            return number;
        }
        let number = self.instances.len() as u32;
        self.instances.insert(key.to_vec(), number);
        number
    }

    /// A variable that belongs to the instruction under way, the same in every execution.
    pub(super) fn variable(&mut self, width: u32) -> Term {
        let key = (self.instance, self.step, self.made);
        self.made += 1;
        match self.variables.get(&key) {
            Some(&term) if self.terms.width(term) == width => term,
            _ => {
                let term = self.terms.variable(width);
                self.variables.insert(key, term);
                term
            }
        }
    }

    fn key(&mut self, position: &Position) -> Vec<u32> {
        let graph = self.graph(position.call.function);
        let mut key = position.call.caller_key.clone();
        for (head, turn) in graph.heads[position.block as usize]
            .iter()
            .zip(position.loops.iter())
        {
            key.push(graph.position[*head as usize]);
            key.push(turn.iteration);
        }
        key.push(graph.position[position.block as usize]);
        key
    }

    /// Executes from a position until every path has ended or paused. The log says what happened.
    pub(crate) fn run(
        &mut self,
        from: Position,
        state: State,
        policy: &Policy,
        control: &Control,
    ) -> Result<(), UnknownReason> {
        let mut queue: BTreeMap<Vec<u32>, Pending> = BTreeMap::new();
        let key = self.key(&from);
        queue.insert(
            key,
            Pending {
                position: from,
                states: vec![state],
            },
        );
        let mut count = 0u32;
        self.counting = matches!(policy, Policy::Cut { .. });
        while let Some((key, pending)) = queue.pop_first() {
            count += 1;
            if count.is_multiple_of(64)
                && let Some(reason) = control.stop_reason()
            {
                return Err(reason);
            }
            if self.terms.n_terms() > MAX_TERMS {
                return Err(UnknownReason::OutOfMemory);
            }
            let state = self.merge(pending.states);
            self.block(&key, pending.position, state, policy, &mut queue);
            if !self.log.wanted_cuts.is_empty() {
                return Ok(());
            }
        }
        Ok(())
    }

    // ---- blocks ------------------------------------------------------------------------------------

    fn block(
        &mut self,
        key: &[u32],
        mut position: Position,
        mut state: State,
        policy: &Policy,
        queue: &mut BTreeMap<Vec<u32>, Pending>,
    ) {
        let program = self.program;
        let graph = self.graph(position.call.function);
        let function = &program.functions[position.call.function as usize];
        let block = &function.blocks[position.block as usize];
        self.instance = self.number(key);
        // Registers that nothing reads any more are forgotten.
        let depth = position.call.depth;
        if state.registers[depth]
            .iter()
            .enumerate()
            .any(|(reg, value)| value.is_some() && !graph.is_live(position.block, reg))
        {
            for (reg, value) in Arc::make_mut(&mut state.registers[depth])
                .iter_mut()
                .enumerate()
            {
                if !graph.is_live(position.block, reg) {
                    *value = None;
                }
            }
        }
        if graph.heads[position.block as usize].last() == Some(&position.block)
            && let Some(turn) = Arc::make_mut(&mut position.loops).last_mut()
        {
            turn.guard = state.guard;
        }
        for (step, (instr, at)) in block.instrs.iter().enumerate() {
            self.step = step as u32;
            self.made = 0;
            self.at = *at;
            match self.instr(instr, &position, &mut state) {
                Ok(true) => {}
                Ok(false) => return,
                Err(reason) => return self.stuck(&position.call, &state, reason),
            }
        }
        self.step = block.instrs.len() as u32;
        self.made = 0;
        self.at = block.end_at;
        if let Err(reason) = self.end(&block.end, &position, &state, policy, queue, key) {
            self.stuck(&position.call, &state, reason);
        }
    }

    fn stuck(&mut self, call: &Call, state: &State, text: String) {
        let guard = self.guards.term(state.guard);
        let at = self.written_place(call);
        self.log.stuck.push(Mark { guard, at, text });
    }

    /// The place under way; for one in the library's models, that of the call in the program's own text.
    fn written_place(&self, mut call: &Call) -> Location {
        let mut at = self.at;
        let is_library = |at: Location| {
            let file = self.program.files.get(at.file as usize);
            file.is_some_and(|file| file == LIBRARY)
        };
        while is_library(at)
            && let Some(caller) = &call.caller
        {
            let function = &self.program.functions[caller.function as usize];
            at = function.blocks[call.caller_block as usize].end_at;
            call = caller;
        }
        at
    }

    fn end(
        &mut self,
        end: &Terminator,
        position: &Position,
        state: &State,
        policy: &Policy,
        queue: &mut BTreeMap<Vec<u32>, Pending>,
        key: &[u32],
    ) -> Step<()> {
        match end {
            Terminator::Jump(to) => self.go(position, *to, state.clone(), policy, queue),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.eval(*condition, position, state)?;
                let negated = self.terms.not(condition);
                for (literal, to) in [(condition, *then), (negated, *otherwise)] {
                    if let Some(guard) = self.guards.extend(&mut self.terms, state.guard, literal) {
                        let state = State {
                            guard,
                            ..state.clone()
                        };
                        self.go(position, to, state, policy, queue);
                    }
                }
            }
            Terminator::Call {
                callee,
                args,
                result,
                next,
            } => {
                let mut values = Vec::new();
                for &arg in args {
                    values.push(self.eval(arg, position, state)?);
                }
                let mut targets = Vec::new();
                match callee {
                    Callee::Direct(id) => targets.push((*id, state.guard)),
                    Callee::Indirect(callee) => {
                        let callee = self.eval(*callee, position, state)?;
                        let points = self.points.of(&self.terms, &self.space, callee);
                        if points.unknown {
                            return Err("a call through a pointer that is not followed".into());
                        }
                        let mut other = self.terms.boolean(true);
                        for &object in &points.objects {
                            let info = &self.space.objects[object as usize];
                            let Some(id) = info.function else { continue };
                            let address =
                                self.terms.constant(u128::from(info.base), self.space.width);
                            let here = self.terms.eq(callee, address);
                            let not_here = self.terms.not(here);
                            other = self.terms.and(other, not_here);
                            if let Some(guard) =
                                self.guards.extend(&mut self.terms, state.guard, here)
                            {
                                targets.push((id, guard));
                            }
                        }
                        if let Some(guard) = self.guards.extend(&mut self.terms, state.guard, other)
                        {
                            let state = State {
                                guard,
                                ..state.clone()
                            };
                            self.stuck(
                                &position.call,
                                &state,
                                "a call through a pointer to no known function".into(),
                            );
                        }
                    }
                }
                for (id, guard) in targets {
                    let mut state = State {
                        guard,
                        ..state.clone()
                    };
                    if let Err(reason) = self.call(
                        id, &values, *result, *next, position, &mut state, policy, queue, key,
                    ) {
                        self.stuck(&position.call, &state, reason);
                    }
                }
            }
            Terminator::Return(value) => {
                let value = match value {
                    Some(value) => Some(self.eval(*value, position, state)?),
                    None => None,
                };
                self.leave(position, state.clone(), value, policy, queue)?;
            }
            Terminator::Halt => {}
            Terminator::Error(text) => {
                let guard = self.guards.term(state.guard);
                self.log.errors.push(Mark {
                    guard,
                    at: self.at,
                    text: text.clone(),
                });
            }
            Terminator::Stuck(text) => return Err(text.clone()),
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn call(
        &mut self,
        id: FunctionId,
        args: &[Term],
        result: Option<Reg>,
        next: BlockId,
        position: &Position,
        state: &mut State,
        policy: &Policy,
        queue: &mut BTreeMap<Vec<u32>, Pending>,
        key: &[u32],
    ) -> Step<()> {
        let program = self.program;
        let function = &program.functions[id as usize];
        if function.blocks.is_empty() {
            return Err(format!("a call of `{}`, which has no body", function.name));
        }
        if function.n_params != args.len()
            || args
                .iter()
                .zip(&function.regs)
                .any(|(&arg, reg)| self.terms.width(arg) != reg.width)
            || result.is_some_and(|reg| {
                let caller = &program.functions[position.call.function as usize];
                function.result_width != Some(caller.regs[reg as usize].width)
            })
        {
            return Err(format!(
                "a call of `{}` that does not fit its definition",
                function.name
            ));
        }
        let mut nested = 0;
        let mut at = Some(&position.call);
        while let Some(call) = at {
            nested += usize::from(call.function == id);
            at = call.caller.as_ref();
        }
        match policy {
            Policy::Unwind {
                recursion, caps, ..
            } => {
                let most = caps.of_calls(id);
                let is_capped = most.is_some_and(|most| nested >= most as usize);
                if is_capped || nested >= *recursion {
                    let text = format!("the recursion of `{}`", function.name);
                    self.end_unwinding(state.guard, text, is_capped);
                    return Ok(());
                }
            }
            Policy::Cut { .. } if nested >= RECURSION => {
                return Err(format!(
                    "the recursion of `{}`, deeper than {RECURSION}",
                    function.name
                ));
            }
            _ => {}
        }
        let count = self.contexts.len() as u32 + 1;
        let context = *self
            .contexts
            .entry((position.call.context, position.block, id))
            .or_insert(count);
        // The caller keeps what it needs after the call.
        let graph = self.graph(position.call.function);
        let depth = position.call.depth;
        for (reg, value) in Arc::make_mut(&mut state.registers[depth])
            .iter_mut()
            .enumerate()
        {
            if !graph.is_live(next, reg) {
                *value = None;
            }
        }
        let mut registers = vec![None; function.regs.len()];
        for (register, &arg) in registers.iter_mut().zip(args) {
            *register = Some(arg);
        }
        state.registers.push(Arc::new(registers));
        let mut caller_key = key.to_vec();
        caller_key.push(id);
        let call = Arc::new(Call {
            caller: Some(position.call.clone()),
            function: id,
            context,
            depth: depth + 1,
            caller_block: position.block,
            next,
            result,
            caller_loops: position.loops.clone(),
            caller_key,
        });
        let entry = Position {
            call,
            block: 0,
            loops: Arc::new(Vec::new()),
        };
        self.arrive(entry, state.clone(), queue);
        Ok(())
    }

    /// Returns to the caller.
    fn leave(
        &mut self,
        position: &Position,
        mut state: State,
        value: Option<Term>,
        policy: &Policy,
        queue: &mut BTreeMap<Vec<u32>, Pending>,
    ) -> Step<()> {
        let call = &position.call;
        let Some(caller) = &call.caller else {
            return Ok(());
        };
        state.registers.pop();
        // The frame's objects are gone.
        for slot in 0..self.program.functions[call.function as usize].slots.len() {
            if let Some(&object) = self.slots.get(&(call.context, slot as SlotId))
                && state.memory.len() > object as usize
            {
                state.forget(object);
                self.bury(&mut state, object);
            }
        }
        self.bury_frame(&mut state, call.context);
        if let Some(reg) = call.result {
            let value = value.ok_or("the result of a function that returns none")?;
            Arc::make_mut(&mut state.registers[caller.depth])[reg as usize] = Some(value);
        }
        let from = Position {
            call: caller.clone(),
            block: call.caller_block,
            loops: call.caller_loops.clone(),
        };
        self.go(&from, call.next, state, policy, queue);
        Ok(())
    }

    /// Notes that the paths of a guard go no further, as a bound is reached: one that is set for good, or one that grows.
    fn end_unwinding(&mut self, guard: Guard, text: String, is_capped: bool) {
        self.log.has_room |= !is_capped;
        let guard = self.guards.term(guard);
        let at = self.at;
        self.log.unwound.push(Mark { guard, at, text });
    }

    /// Follows an edge within a function.
    fn go(
        &mut self,
        position: &Position,
        to: BlockId,
        state: State,
        policy: &Policy,
        queue: &mut BTreeMap<Vec<u32>, Pending>,
    ) {
        let graph = self.graph(position.call.function);
        let (source_heads, target_heads) = (
            &graph.heads[position.block as usize],
            &graph.heads[to as usize],
        );
        // The components that the edge stays in go on; the one whose head it leads back to turns.
        let common = source_heads
            .iter()
            .zip(target_heads)
            .take_while(|(a, b)| a == b)
            .count();
        let mut loops: Vec<Loop> = position.loops[..common].to_vec();
        let back = common == target_heads.len() && target_heads.last() == Some(&to);
        let entered = Loop {
            iteration: 0,
            open: 0,
            guard: state.guard,
        };
        loops.resize(target_heads.len(), entered);
        if back && let Some(turn) = loops.last_mut() {
            let decided = turn.guard == state.guard;
            turn.iteration += 1;
            turn.open += u32::from(!decided);
            match policy {
                Policy::Unwind {
                    open, closed, caps, ..
                } => {
                    let function = position.call.function;
                    let is_capped = caps
                        .of_loop(function, to)
                        .is_some_and(|most| turn.iteration > most);
                    if is_capped || turn.open > *open || turn.iteration - turn.open > *closed {
                        let number = graph.loops.partition_point(|&head| head < to);
                        let name = &self.program.functions[function as usize].name;
                        let text = format!("the loop {name}.{number}");
                        self.end_unwinding(state.guard, text, is_capped);
                        return;
                    }
                }
                Policy::Cut { at, blocks } => {
                    let cut = Cut {
                        context: position.call.context,
                        block: to,
                    };
                    let is_cut = *blocks == Blocks::Basic || at.contains(&cut);
                    if !is_cut && (!decided || turn.iteration > CLOSED_ITERATIONS) {
                        self.log.wanted_cuts.push(cut);
                        return;
                    }
                }
            }
        }
        let cut = Cut {
            context: position.call.context,
            block: to,
        };
        let next = Position {
            call: position.call.clone(),
            block: to,
            loops: Arc::new(loops),
        };
        if let Policy::Cut { at, blocks } = policy
            && (*blocks == Blocks::Basic || at.contains(&cut))
        {
            // Where execution starts again, iterations count from 0.
            self.log.exits.push((cut, next, state));
            return;
        }
        self.arrive(next, state, queue);
    }

    fn arrive(
        &mut self,
        position: Position,
        state: State,
        queue: &mut BTreeMap<Vec<u32>, Pending>,
    ) {
        let key = self.key(&position);
        match queue.get_mut(&key) {
            Some(pending) => {
                // Merged paths may have gone round differently often with an open condition.
                let loops = Arc::make_mut(&mut pending.position.loops);
                for (own, other) in loops.iter_mut().zip(position.loops.iter()) {
                    own.open = own.open.max(other.open);
                }
                pending.states.push(state);
            }
            None => {
                queue.insert(
                    key,
                    Pending {
                        position,
                        states: vec![state],
                    },
                );
            }
        }
    }
}
