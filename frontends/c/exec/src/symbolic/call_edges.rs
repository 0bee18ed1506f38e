//! Calls as edges: the execution of one function, in which some calls are recorded and return anything.

use std::sync::Arc;

use craig_c_lang::ir::{FunctionId, Reg, StaticId};
use craig_word::Term;

use super::edge_calls::{EdgeCalls, RecordedCall, RecordedReturn};
use super::executor::{Executor, Policy, Supported};
use super::guard::Guard;
use super::state::{Call, Position, State};

impl Executor<'_> {
    /// The start of a function with any parameters and any contents of what it accesses; its words at the entry.
    pub fn start_of(
        &mut self,
        edges: &EdgeCalls,
        function: FunctionId,
    ) -> (Position, State, Vec<Term>) {
        let own = edges.vocabularies.get(&function);
        // Static objects were made when the program started, which is in the log of the root.
        let (_, mut state) = self.start();
        self.log.events.clear();
        let call = Arc::new(Call {
            caller: None,
            function,
            context: 0,
            depth: 0,
            caller_block: 0,
            next: 0,
            result: None,
            caller_loops: Arc::new(Vec::new()),
            caller_key: vec![u32::MAX, function],
        });
        self.instance = self.number(&[u32::MAX, function]);
        self.step = 0;
        self.made = 0;
        let mut entry = Vec::new();
        let mut registers = vec![None; self.program.functions[function as usize].n_kept()];
        if let Some(vocabulary) = own {
            for (register, &width) in registers.iter_mut().zip(&vocabulary.parameters) {
                let variable = self.variable(width);
                *register = Some(variable);
                entry.push(variable);
            }
            for &object in &vocabulary.accessed {
                let cells = self.variables_of(object);
                entry.extend(&cells);
                state.memory[object as usize] = Some(Arc::new(cells));
            }
        }
        state.registers = vec![Arc::new(registers)];
        let position = Position {
            call,
            block: 0,
            loops: Arc::new(Vec::new()),
        };
        (position, state, entry)
    }

    /// Variables for the cells of a static object.
    fn variables_of(&mut self, object: StaticId) -> Vec<Term> {
        let program = self.program;
        let shape = &program.statics[object as usize].shape;
        let cells = shape.cells.iter();
        cells.map(|&(_, bytes)| self.variable(8 * bytes)).collect()
    }

    /// The cells of static objects.
    fn cells_of(&self, objects: &[StaticId], state: &State) -> Supported<Vec<Term>> {
        let mut cells = Vec::new();
        for &object in objects {
            if state.overlays.contains_key(&object) {
                return Err("a call with a summary, where a large object is accessed".into());
            }
            cells.extend_from_slice(state.pieces(object));
        }
        Ok(cells)
    }

    /// Records a call, which may return anything, or not return.
    pub(super) fn record_call(
        &mut self,
        edges: &EdgeCalls,
        callee: FunctionId,
        args: &[Term],
        result: Option<Reg>,
        position: &Position,
        state: &mut State,
    ) -> Supported<()> {
        let vocabulary = &edges.vocabularies[&callee];
        let mut entry = args.to_vec();
        entry.extend(self.cells_of(&vocabulary.accessed, state)?);
        let guard = self.guards.term(state.guard);
        let returns = self.variable(1);
        let mut exit = Vec::new();
        if let Some(width) = vocabulary.result {
            let value = self.variable(width);
            exit.push(value);
            if let Some(reg) = result {
                let own = &mut state.registers[position.call.depth];
                Arc::make_mut(own)[reg as usize] = Some(value);
            }
        }
        for &object in &vocabulary.written {
            let cells = self.variables_of(object);
            exit.extend(&cells);
            state.memory[object as usize] = Some(Arc::new(cells));
        }
        let extended: Option<Guard> = self.guards.extend(&mut self.terms, state.guard, returns);
        state.guard = extended.unwrap_or(state.guard);
        self.log.calls.push(RecordedCall {
            callee,
            guard,
            entry,
            returns,
            exit,
            n_events: self.log.events.len(),
        });
        Ok(())
    }

    /// Records a return of the function that the execution started in, if calls are recorded.
    pub(super) fn record_return(
        &mut self,
        policy: &Policy,
        function: FunctionId,
        state: &State,
        value: Option<Term>,
    ) -> Supported<()> {
        let Some(edges) = policy.call_edges() else {
            return Ok(());
        };
        let Some(vocabulary) = edges.vocabularies.get(&function) else {
            return Ok(());
        };
        let mut exit = Vec::new();
        if vocabulary.result.is_some() {
            exit.push(value.ok_or("the result of a function that returns none")?);
        }
        exit.extend(self.cells_of(&vocabulary.written, state)?);
        let guard = self.guards.term(state.guard);
        self.log.returns.push(RecordedReturn { guard, exit });
        Ok(())
    }
}
