//! Calls and returns.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use craig_c_lang::address_space::ObjectId;
use craig_c_lang::ir::*;
use craig_word::{Node, Term};

use super::executor::{Executor, Policy, Supported};
use super::guard::Guard;
use super::state::{Call, Pending, Position, State};

/// Nested calls of one function, if there is no other bound.
const RECURSION: usize = 40;

/// A call whose function is known.
#[derive(Clone, Copy)]
pub(super) struct CallSite<'a> {
    pub(super) function: FunctionId,
    pub(super) arguments: &'a [Term],
    /// The register of the result.
    pub(super) result: Option<Reg>,
    /// The block that comes after the call.
    pub(super) next: BlockId,
}

impl Executor<'_> {
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

    /// The functions that a call may lead to, each with the guard of the paths that it is called on. Paths on which it
    /// is none of them are stuck.
    pub(super) fn callees(
        &mut self,
        callee: &Callee,
        position: &Position,
        state: &State,
    ) -> Supported<Vec<(FunctionId, Guard)>> {
        let callee = match callee {
            Callee::Direct(id) => return Ok(vec![(*id, state.guard)]),
            Callee::Indirect(callee) => self.eval(*callee, position, state)?,
        };
        let points = self.points.of(&self.terms, &self.space, callee);
        if points.is_lost() {
            return Err("a call through a pointer that is not followed".into());
        }
        let mut targets = Vec::new();
        let mut other = self.terms.boolean(true);
        let mut objects = points.objects.clone();
        // With cuts, a variable may be a word that no step has stored to: null, if it is static.
        let is_left_open = points.input || !self.counting && self.is_free(callee);
        let is_open = objects.is_empty() && is_left_open;
        if is_open {
            objects.extend(self.open_callees(position));
        }
        let is_assumed = is_open && !objects.is_empty();
        for &object in &objects {
            let info = &self.space.objects[object as usize];
            let Some(id) = info.function else { continue };
            let address = self.terms.constant(u128::from(info.base), self.space.width);
            let here = self.terms.eq(callee, address);
            let not_here = self.terms.not(here);
            other = self.terms.and(other, not_here);
            if let Some(guard) = self.guards.extend(&mut self.terms, state.guard, here) {
                targets.push((id, guard));
            }
        }
        if is_assumed {
            self.exclude(state.guard, other);
        } else if let Some(guard) = self.guards.extend(&mut self.terms, state.guard, other) {
            let state = State {
                guard,
                ..state.clone()
            };
            let text = "a call through a pointer to no known function";
            self.stuck(&position.call, &state, text.into());
        }
        Ok(targets)
    }

    /// Whether a word is made of contents that the program leaves open, and of nothing else.
    pub(super) fn is_free(&self, word: Term) -> bool {
        let (mut stack, mut seen) = (vec![word], HashSet::new());
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.terms.node(term) {
                Node::Var(_) => {}
                Node::Ite(_, a, b) | Node::Concat(a, b) => stack.extend([a, b]),
                Node::Extract(a, _) => stack.push(a),
                _ => return false,
            }
        }
        true
    }

    /// Refuses a call of a function that has no body, or whose parameters and result are not those of the call.
    fn refuse_misfit(
        &self,
        id: FunctionId,
        args: &[Term],
        result: Option<Reg>,
        position: &Position,
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
        Ok(())
    }

    /// Whether the paths of a call end at a bound on the recursion.
    fn ends_recursion(
        &mut self,
        id: FunctionId,
        position: &Position,
        guard: Guard,
        policy: &Policy,
    ) -> Supported<bool> {
        let mut nested = 0;
        let mut at = Some(&position.call);
        while let Some(call) = at {
            nested += usize::from(call.function == id);
            at = call.caller.as_ref();
        }
        let name = &self.program.functions[id as usize].name;
        match policy {
            Policy::Unwind {
                recursion, caps, ..
            } => {
                let most = caps.of_calls(id);
                let is_capped = most.is_some_and(|most| nested >= most as usize);
                if is_capped || nested >= *recursion {
                    let text = format!("the recursion of `{name}`");
                    let mark = self.end_unwinding(guard, text, is_capped);
                    self.log.too_deep.push(mark);
                    return Ok(true);
                }
            }
            // There is no recursion beside the edges.
            Policy::Cut { .. } | Policy::Summarise { .. } if nested >= RECURSION => {
                return Err(format!(
                    "the recursion of `{name}`, deeper than {RECURSION}"
                ));
            }
            _ => {}
        }
        Ok(false)
    }

    /// Enters the function of a call.
    pub(super) fn call(
        &mut self,
        site: CallSite<'_>,
        (position, key): (&Position, &[u32]),
        state: &mut State,
        policy: &Policy,
        queue: &mut BTreeMap<Vec<u32>, Pending>,
    ) -> Supported<()> {
        let CallSite {
            function: id,
            arguments: args,
            result,
            next,
        } = site;
        self.refuse_misfit(id, args, result, position)?;
        if let Some(edges) = policy.call_edges()
            && edges.calls.contains(&(position.call.function, id))
        {
            self.record_call(edges, id, args, result, position, state)?;
            self.go(position, next, state.clone(), policy, queue);
            return Ok(());
        }
        if self.ends_recursion(id, position, state.guard, policy)? {
            return Ok(());
        }
        let function = &self.program.functions[id as usize];
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
    pub(super) fn leave(
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
}
