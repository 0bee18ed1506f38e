//! Execution of blocks in order, with their terminators: jumps and branches. Calls are in `calls.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use craig_model::{Stop, UnknownReason};
use craig_program::Blocks;

use craig_c_lang::ir::*;
use craig_c_lang::library::LIBRARY;

use super::arrays::Elements;
use super::calls::CallSite;
use super::executor::{Executor, MAX_TERMS, Policy, Supported};
use super::graph::Graph;
use super::guard::Guard;
use super::state::{Call, Cut, Loop, Mark, Pending, Position, State};

/// Whether paths are cut where they come to a block of a call.
fn is_cut(policy: &Policy, cut: Cut, graph: &Graph) -> bool {
    let Policy::Cut { at, blocks, .. } = policy else {
        return false;
    };
    let block = cut.block as usize;
    at.contains(&cut)
        || match blocks {
            Blocks::Large => false,
            Blocks::Basic => true,
            Blocks::Sections => {
                graph.is_junction[block]
                    && graph.heads[block]
                        .last()
                        .is_some_and(|&head| at.contains(&Cut { block: head, ..cut }))
            }
        }
}

impl Executor<'_> {
    pub(super) fn key(&mut self, position: &Position) -> Vec<u32> {
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

    /// Executes from a position until every path has ended or is cut. The log records the execution.
    pub fn run(
        &mut self,
        from: Position,
        state: State,
        policy: &Policy,
        stop: &Stop,
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
                && let Some(reason) = stop.reason()
            {
                return Err(reason);
            }
            if self.terms.n_terms() > MAX_TERMS {
                return Err(UnknownReason::OutOfMemory);
            }
            if let Some(state) = self.merge(pending.states) {
                self.block(&key, pending.position, state, policy, &mut queue);
            }
            let wants_more = (self.summaries.as_ref())
                .is_some_and(|summaries| summaries.wants_more)
                || (self.elements.as_ref()).is_some_and(Elements::wants_more);
            if wants_more || !self.log.wanted_cuts.is_empty() {
                return Ok(());
            }
        }
        Ok(())
    }

    // ---- blocks ------------------------------------------------------------------------------------

    pub(super) fn block(
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
        self.drop_dead(&position, &mut state);
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

    /// Drops the registers that are dead at a position.
    pub(super) fn drop_dead(&mut self, position: &Position, state: &mut State) {
        let graph = self.graph(position.call.function);
        let registers = &mut state.registers[position.call.depth];
        let is_dead = |reg: usize| !graph.is_live(position.block, reg);
        let mut all = registers.iter().enumerate();
        if all.any(|(reg, value)| value.is_some() && is_dead(reg)) {
            for (reg, value) in Arc::make_mut(registers).iter_mut().enumerate() {
                if is_dead(reg) {
                    *value = None;
                }
            }
        }
    }

    pub(super) fn stuck(&mut self, call: &Call, state: &State, text: String) {
        let guard = self.guards.term(state.guard);
        let at = self.written_place(call);
        self.log.stuck.push(Mark { guard, at, text });
    }

    /// The current source position; for one in the library models, that of the call in the program.
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
    ) -> Supported<()> {
        match end {
            Terminator::Jump(to) => self.go(position, *to, state.clone(), policy, queue),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.eval(*condition, position, state)?;
                let condition = self.normal(condition);
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
                for (id, guard) in self.callees(callee, position, state)? {
                    let mut state = State {
                        guard,
                        ..state.clone()
                    };
                    let site = CallSite {
                        function: id,
                        arguments: &values,
                        result: *result,
                        next: *next,
                    };
                    if let Err(reason) = self.call(site, (position, key), &mut state, policy, queue)
                    {
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
            Terminator::Halt => {
                let guard = self.guards.term(state.guard);
                self.log.ends.push(Mark {
                    guard,
                    at: self.at,
                    text: String::new(),
                });
            }
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

    /// Records that the paths of a guard end at a bound: a fixed one, or one that grows.
    pub(super) fn end_unwinding(&mut self, guard: Guard, text: String, is_capped: bool) -> Mark {
        self.log.has_room |= !is_capped;
        let guard = self.guards.term(guard);
        let at = self.at;
        Mark { guard, at, text }
    }

    /// Follows an edge within a function.
    pub(super) fn go(
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
        // The components that contain the edge continue; the one whose head it leads back to begins another
        // iteration.
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
            let turn = *turn;
            if self.ends_loop(turn, position, to, state.guard, policy) {
                return;
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
        if is_cut(policy, cut, &graph) {
            // After a cut, iterations are counted from 0.
            self.log.exits.push((cut, next, state));
            return;
        }
        self.arrive(next, state, queue);
    }

    /// Whether paths end, at a bound or for a cut that is wanted, where they come back to the head of a loop with this
    /// guard. `turn` has the guard at the head one iteration before.
    fn ends_loop(
        &mut self,
        turn: Loop,
        position: &Position,
        head: BlockId,
        guard: Guard,
        policy: &Policy,
    ) -> bool {
        let function = position.call.function;
        let name = &self.program.functions[function as usize].name;
        let (text, is_capped) = match policy {
            Policy::Unwind {
                open, closed, caps, ..
            } => {
                let is_capped = caps
                    .of_loop(function, head)
                    .is_some_and(|most| turn.iteration > most);
                let open = caps.at_first(function, head).max(*open);
                if !is_capped && turn.open <= open && turn.iteration - turn.open <= *closed {
                    return false;
                }
                let graph = self.graph(function);
                let number = graph.loops.partition_point(|&other| other < head);
                (format!("the loop {name}.{number}"), is_capped)
            }
            Policy::Summarise {
                iterations,
                decided,
                ..
            } => {
                if turn.open <= *iterations && turn.iteration - turn.open <= *decided {
                    return false;
                }
                self.log.unrolled.insert((function, head));
                (format!("a loop of {name}"), false)
            }
            Policy::Cut {
                at,
                blocks,
                decided,
            } => {
                let cut = Cut {
                    context: position.call.context,
                    block: head,
                };
                let is_cut = *blocks == Blocks::Basic || at.contains(&cut);
                let is_decided = turn.guard == guard;
                let is_wanted = !is_cut && (!is_decided || turn.iteration > *decided);
                if is_wanted {
                    self.log.wanted_cuts.push(cut);
                }
                return is_wanted;
            }
        };
        let mark = self.end_unwinding(guard, text, is_capped);
        self.log.unwound.push(mark);
        true
    }

    pub(super) fn arrive(
        &mut self,
        position: Position,
        state: State,
        queue: &mut BTreeMap<Vec<u32>, Pending>,
    ) {
        let key = self.key(&position);
        match queue.get_mut(&key) {
            Some(pending) => {
                // Merged paths may have different numbers of iterations with an open condition.
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
