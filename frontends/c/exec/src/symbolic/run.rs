//! Execution of blocks in order, with their terminators: jumps, branches, calls and returns.

use std::collections::BTreeMap;
use std::sync::Arc;

use craig_model::{Stop, UnknownReason};
use craig_program::Blocks;

use craig_c_lang::address_space::ObjectId;
use craig_c_lang::ir::*;
use craig_c_lang::library::LIBRARY;
use craig_word::Term;

use super::arrays::Elements;
use super::executor::{Executor, MAX_TERMS, Policy, Supported};
use super::guard::Guard;
use super::state::{Call, Cut, Loop, Mark, Position, State};

/// Nested calls of one function, if there is no other bound.
const RECURSION: usize = 40;
/// Loops whose condition stays decided for this number of iterations are cut.
const CLOSED_ITERATIONS: u32 = 300;

struct Pending {
    position: Position,
    states: Vec<State>,
}

impl Executor<'_> {
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
        // Dead registers are dropped.
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
                        if points.is_lost() {
                            return Err("a call through a pointer that is not followed".into());
                        }
                        let mut other = self.terms.boolean(true);
                        let mut objects = points.objects.clone();
                        let is_open = objects.is_empty() && points.input;
                        if is_open {
                            objects.extend(self.open_callees(position));
                        }
                        let is_assumed = is_open && !objects.is_empty();
                        for &object in &objects {
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
                            && !is_assumed
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

    /// The functions that a pointer may be to which the program leaves open, as objects.
    fn open_callees(&self, position: &Position) -> Vec<ObjectId> {
        let place = (position.call.function, position.block);
        let callees = self.program.open_callees.get(&place);
        let n_statics = self.program.statics.len() as ObjectId;
        callees
            .into_iter()
            .flatten()
            .map(|&id| n_statics + id)
            .collect()
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
    ) -> Supported<()> {
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
        if let Some(edges) = policy.call_edges()
            && edges.calls.contains(&(position.call.function, id))
        {
            self.record_call(edges, id, args, result, position, state)?;
            self.go(position, next, state.clone(), policy, queue);
            return Ok(());
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
                    let mark = self.end_unwinding(state.guard, text, is_capped);
                    self.log.too_deep.push(mark);
                    return Ok(());
                }
            }
            // There is no recursion beside the edges.
            Policy::Cut { .. } | Policy::Summarise { .. } if nested >= RECURSION => {
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
        // The caller's registers that are live after the call are kept.
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
        let mut registers = vec![None; function.n_kept()];
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
    ) -> Supported<()> {
        let call = &position.call;
        let Some(caller) = &call.caller else {
            return self.record_return(policy, call.function, &state, value);
        };
        state.registers.pop();
        // The lifetimes of the frame's objects end.
        for slot in 0..self.program.functions[call.function as usize].slots.len() {
            if let Some(&object) = self.slots.get(&(call.context, slot as SlotId))
                && state.memory.len() > object as usize
            {
                state.forget(object);
                self.bury(&mut state, object);
            }
        }
        let own = self.call_number(call);
        for object in self.of_calls.get(&own).cloned().unwrap_or_default() {
            state.forget(object);
            self.bury(&mut state, object);
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

    /// Records that the paths of a guard end at a bound: a fixed one, or one that grows.
    fn end_unwinding(&mut self, guard: Guard, text: String, is_capped: bool) -> Mark {
        self.log.has_room |= !is_capped;
        let guard = self.guards.term(guard);
        let at = self.at;
        Mark { guard, at, text }
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
                        let mark = self.end_unwinding(state.guard, text, is_capped);
                        self.log.unwound.push(mark);
                        return;
                    }
                }
                Policy::Summarise { iterations, .. } => {
                    if turn.open > *iterations || turn.iteration - turn.open > CLOSED_ITERATIONS {
                        self.log.unrolled.insert((position.call.function, to));
                        let name = &self.program.functions[position.call.function as usize].name;
                        let text = format!("a loop of {name}");
                        let mark = self.end_unwinding(state.guard, text, false);
                        self.log.unwound.push(mark);
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
            && (at.contains(&cut)
                || match blocks {
                    Blocks::Large => false,
                    Blocks::Basic => true,
                    Blocks::Sections => {
                        graph.is_junction[to as usize]
                            && target_heads.last().is_some_and(|&block| {
                                let context = position.call.context;
                                at.contains(&Cut { context, block })
                            })
                    }
                })
        {
            // After a cut, iterations are counted from 0.
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
