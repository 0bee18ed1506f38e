//! Helpers that emit code.

use std::collections::HashSet;
use std::sync::Arc;

use craig_word::Op;

use super::Lowering;
use super::builder::OPEN;
use super::symbol::{MAX_CELLS, Result, Symbol};
use crate::ir::{
    BlockId, DeclaredObject, Expr, ExprNode, Instr, Keeper, Location, LoopHead, Reg, Register,
    Shape, SlotId, StaticId, Terminator, Visible,
};
use crate::loop_pragma::LoopBound;
use crate::types::{FloatType, IntType, Type};

impl Lowering<'_> {
    pub(super) fn locate(&mut self, offset: usize) {
        if offset != usize::MAX {
            self.at_byte = offset;
            self.at = self.source.location(offset);
            self.at.file += self.files_from;
        }
    }

    pub(super) fn emit(&mut self, instr: Instr) {
        let current = self.builder.current as usize;
        self.builder.function.blocks[current]
            .instrs
            .push((instr, self.at));
    }

    /// Ends the current block and continues in a fresh one without predecessors.
    pub(super) fn terminate(&mut self, end: Terminator) {
        let next = self.builder.block();
        self.terminate_into(end, next);
    }

    /// Ends the current block and continues in `next`.
    pub(super) fn terminate_into(&mut self, end: Terminator, next: BlockId) {
        let at = self.at;
        let current = self.builder.current as usize;
        let block = &mut self.builder.function.blocks[current];
        block.end = end;
        block.end_at = at;
        self.builder.current = next;
    }

    /// Lowers a part of a function. An unsupported construct in it ends the path there, and the paths into
    /// blocks that would have been lowered.
    pub(super) fn attempt(&mut self, run: impl FnOnce(&mut Self) -> Result<()>) {
        let first = self.builder.function.blocks.len();
        let n_scopes = self.scopes.len();
        let (n_breaks, n_continues, n_switches) = (
            self.builder.breaks.len(),
            self.builder.continues.len(),
            self.builder.switches.len(),
        );
        if let Err(message) = run(self) {
            self.scopes.truncate(n_scopes);
            self.builder.breaks.truncate(n_breaks);
            self.builder.continues.truncate(n_continues);
            self.builder.switches.truncate(n_switches);
            self.stuck(&message);
            self.end_open_blocks(first, &message);
        }
    }

    /// Gives the open blocks from a number on a reason. Labels that follow terminate theirs later.
    fn end_open_blocks(&mut self, first: usize, reason: &str) {
        let at = self.at;
        for block in self.builder.function.blocks.iter_mut().skip(first) {
            if matches!(&block.end, Terminator::Stuck(text) if text == OPEN) {
                block.end = Terminator::Stuck(reason.to_string());
                block.end_at = at;
            }
        }
    }

    /// Terminates the open blocks at a function's end: labels in unsupported code, or undefined ones.
    pub(super) fn end_function(&mut self) {
        let labels: Vec<(String, BlockId)> = self.builder.labels.clone().into_iter().collect();
        for (name, block) in labels {
            let block = &mut self.builder.function.blocks[block as usize];
            if matches!(&block.end, Terminator::Stuck(text) if text == OPEN) {
                block.end = Terminator::Stuck(format!(
                    "a jump to the label `{name}`, which is in code that is not supported"
                ));
            }
        }
        let reason = format!("a part of `{}`", self.lowered_function);
        self.end_open_blocks(0, &reason);
    }

    pub(super) fn stuck(&mut self, reason: &str) {
        self.terminate(Terminator::Stuck(reason.to_string()));
    }

    pub(super) fn fresh(&mut self, width: u32) -> Reg {
        self.named(width, None, None)
    }

    pub(super) fn named(&mut self, width: u32, name: Option<String>, ty: Option<Type>) -> Reg {
        self.builder
            .function
            .regs
            .push(Register { width, name, ty });
        self.builder.function.regs.len() as Reg - 1
    }

    pub(super) fn read(&mut self, reg: Reg) -> Expr {
        let width = self.builder.function.regs[reg as usize].width;
        self.program.make(ExprNode::Reg(reg), width)
    }

    pub(super) fn set(&mut self, reg: Reg, value: Expr) {
        debug_assert_eq!(
            self.builder.function.regs[reg as usize].width,
            self.program.width(value)
        );
        if self.builder.address_numbers.contains_key(&value) {
            let copy = self.read(reg);
            self.keeps_address_number(value, copy);
        }
        self.emit(Instr::Set { reg, value });
    }

    pub(super) fn branch(
        &mut self,
        condition: Expr,
        then: BlockId,
        otherwise: BlockId,
        next: BlockId,
    ) {
        let end = match self.program.constant_value(condition) {
            Some(0) => Terminator::Jump(otherwise),
            Some(_) => Terminator::Jump(then),
            None => Terminator::Branch {
                condition,
                then,
                otherwise,
            },
        };
        self.terminate_into(end, next);
    }

    pub(super) fn jump(&mut self, to: BlockId, next: BlockId) {
        self.terminate_into(Terminator::Jump(to), next);
    }

    pub(super) fn pointer_width(&self) -> u32 {
        self.options.model.pointer_width()
    }

    /// The width of a scalar's value.
    pub(super) fn scalar_width(&self, ty: &Type) -> Option<u32> {
        match ty {
            Type::Int(int) => Some(int.width()),
            Type::Float(FloatType::Single) => Some(32),
            Type::Float(FloatType::Double) => Some(64),
            Type::Float(FloatType::Extended) => Some(80),
            Type::Float(FloatType::Quadruple) => Some(128),
            Type::Pointer(_) | Type::VaList => Some(self.pointer_width()),
            _ => None,
        }
    }

    pub(super) fn lookup(&self, name: &str) -> Option<Symbol> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.names.get(name).cloned())
    }

    /// Records a loop whose condition is tested in a block, before the loop's own declarations; of a `do` loop,
    /// the block in which its body begins. With what a pragma before it says about its rounds.
    pub(super) fn loop_head(
        &mut self,
        (at, rounds): (Location, Option<u32>),
        body: Option<Location>,
        variables: Vec<Visible>,
        head: BlockId,
    ) {
        if self.is_own_code() {
            let head_of = LoopHead {
                at,
                body,
                variables,
                at_condition: None,
                rounds,
            };
            self.builder.function.loops.insert(head, head_of);
        }
    }

    /// How many rounds the loop has that starts here, as a pragma before it says.
    pub(super) fn rounds_in_source(&mut self) -> Option<u32> {
        match self.source.loop_bound(self.at_byte)? {
            LoopBound::Rounds(rounds) => {
                self.note("`#pragma unroll` is a hint: no bound of a loop is assumed".into());
                Some(rounds)
            }
            LoopBound::NoNumber => {
                let place = self.program.place(self.at);
                self.note(format!(
                    "{place}: the pragma before this loop has no number, and is not used"
                ));
                None
            }
        }
    }

    /// The loop with this head declares variables itself: those in scope now are in scope at its condition.
    pub(super) fn loop_declares(&mut self, head: BlockId) {
        let visible = self.visible();
        if let Some(head) = self.builder.function.loops.get_mut(&head) {
            head.at_condition = Some(visible);
        }
    }

    /// The integer variables that are in scope, by name.
    pub(super) fn visible(&self) -> Vec<Visible> {
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for scope in self.scopes.iter().rev() {
            let start = found.len();
            for (name, symbol) in &scope.names {
                if !seen.insert(name.clone()) {
                    continue;
                }
                match symbol {
                    Symbol::Register(reg, Type::Int(int)) => {
                        found.push((name.clone(), *int, Keeper::Register(*reg)));
                    }
                    Symbol::Static(id, Type::Int(int)) => {
                        found.push((name.clone(), *int, Keeper::Static(*id)));
                    }
                    _ => {}
                }
            }
            found[start..].sort_by(|a, b| a.0.cmp(&b.0));
        }
        found
    }

    pub(super) fn bind(&mut self, name: &str, symbol: Symbol) {
        let Some(scope) = self.scopes.last_mut() else {
            unreachable!("there is a file scope")
        };
        scope.names.insert(name.to_string(), symbol);
    }

    pub(super) fn note(&mut self, text: String) {
        if self.noted.insert(text.clone()) {
            self.program.notes.push(text);
        }
    }

    /// The cells of an object of the type, or why it is not supported.
    pub(super) fn shape(&self, ty: &Type) -> Result<Arc<Shape>> {
        let size = self.types.size(ty).ok_or("an object of incomplete type")?;
        Ok(match self.types.cells(ty, MAX_CELLS) {
            Some(cells) => Shape::new(size, cells),
            None => Shape::opaque(size),
        })
    }

    pub(super) fn static_object(
        &mut self,
        name: &str,
        ty: &Type,
        external: bool,
    ) -> Result<StaticId> {
        let shape = self.shape(ty)?;
        self.observed.any_end |= shape.size == 0;
        self.program.statics.push(DeclaredObject {
            name: name.to_string(),
            shape,
            ty: Some(ty.clone()),
            align: self.types.address_align(ty),
            external,
            is_constant: false,
            literal: None,
            escapes: false,
        });
        Ok(self.program.statics.len() as StaticId - 1)
    }

    pub(super) fn slot(&mut self, name: &str, ty: &Type) -> Result<SlotId> {
        let shape = self.shape(ty)?;
        self.observed.any_end |= shape.size == 0;
        self.builder.function.slots.push(DeclaredObject {
            name: name.to_string(),
            shape,
            ty: Some(ty.clone()),
            align: self.types.address_align(ty),
            external: false,
            is_constant: false,
            literal: None,
            escapes: false,
        });
        Ok(self.builder.function.slots.len() as SlotId - 1)
    }

    /// An object with a name in the program, which may take its address.
    pub(super) fn named_slot(&mut self, name: &str, ty: &Type) -> Result<SlotId> {
        let slot = self.slot(name, ty)?;
        self.builder.function.slots[slot as usize].escapes = true;
        Ok(slot)
    }

    /// An object that ends with the innermost scope.
    pub(super) fn scoped_slot(&mut self, name: &str, ty: &Type) -> Result<SlotId> {
        let slot = self.named_slot(name, ty)?;
        if let Some(scope) = self.scopes.last_mut() {
            scope.slots.push(slot);
        }
        self.builder.scoped.push(slot);
        Ok(slot)
    }

    /// Leaves the innermost scope at its end.
    pub(super) fn end_scope(&mut self) {
        if let Some(innermost) = self.scopes.len().checked_sub(1) {
            self.clean_up(innermost);
        }
        if let Some(scope) = self.scopes.pop() {
            for slot in scope.slots {
                self.emit(Instr::End { slot });
            }
            for array in scope.arrays {
                let address = self.read(array);
                self.emit(Instr::EndAllocated { address });
            }
        }
    }

    pub(super) fn static_address(&mut self, id: StaticId) -> Expr {
        let width = self.pointer_width();
        self.program.make(ExprNode::Static(id), width)
    }

    pub(super) fn slot_address(&mut self, id: SlotId) -> Expr {
        let width = self.pointer_width();
        self.program.make(ExprNode::Slot(id), width)
    }

    /// Lowers something without keeping any code: for the types of operands and for constants.
    pub(super) fn without_code<T>(
        &mut self,
        run: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let n_blocks = self.builder.function.blocks.len();
        let current = self.builder.current;
        let outer = std::mem::replace(&mut self.is_without_code, true);
        // The discarded code goes into a block of its own.
        let scratch = self.builder.block();
        self.builder.current = scratch;
        let result = run(self);
        self.builder.function.blocks.truncate(n_blocks);
        self.builder
            .labels
            .retain(|_, block| (*block as usize) < n_blocks);
        // The numbers of the blocks that are gone are given out again.
        let is_kept = |block: &BlockId| (*block as usize) < n_blocks;
        self.builder.landing = self.builder.landing.filter(is_kept);
        self.builder.current = current;
        self.is_without_code = outer;
        result
    }

    /// Lowers something in the start function, where static objects are initialised.
    pub(super) fn at_start<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let Some(start) = self.start.take() else {
            // The start function itself is being built.
            return run(self);
        };
        let own = std::mem::replace(&mut self.builder, start);
        let first = self.builder.function.blocks.len();
        let result = run(self);
        if let Err(message) = &result {
            self.end_open_blocks(first, message);
        }
        let start = std::mem::replace(&mut self.builder, own);
        self.start = Some(start);
        result
    }

    /// A string literal's object, with its terminating zero.
    pub(super) fn string(&mut self, units: &[u32], element: IntType) -> Result<StaticId> {
        let key = (units.to_vec(), element.size, self.occurrence());
        if let Some(&id) = self.strings.get(&key) {
            return Ok(id);
        }
        let ty = Type::Array(Arc::new(Type::Int(element)), Some(units.len() as u64 + 1));
        let shown: String = units
            .iter()
            .take(20)
            .map(|&unit| char::from_u32(unit).unwrap_or('?'))
            .collect();
        let name = format!("string literal {shown:?}");
        let id = self.static_object(&name, &ty, false)?;
        let with_end = units.iter().chain([&0]);
        let bytes: Vec<u8> = with_end
            .flat_map(|unit| unit.to_le_bytes().into_iter().take(element.size.into()))
            .collect();
        let object = &mut self.program.statics[id as usize];
        object.is_constant = true;
        object.literal = Some(bytes.into());
        let units = units.to_vec();
        self.strings.insert(key, id);
        let bytes = u32::from(element.size);
        self.at_start(|lowering| {
            for (index, &unit) in units.iter().enumerate() {
                let base = lowering.static_address(id);
                let address = lowering.offset(base, index as u64 * u64::from(bytes));
                let value = lowering.program.constant(u128::from(unit), bytes * 8);
                lowering.emit(Instr::Store {
                    address,
                    value,
                    bytes,
                });
            }
            Ok(())
        })?;
        Ok(id)
    }

    /// An address plus `bytes` bytes.
    pub(super) fn offset(&mut self, address: Expr, bytes: u64) -> Expr {
        let width = self.pointer_width();
        let bytes = self.program.constant(u128::from(bytes), width);
        self.program.binary(Op::Add, address, bytes)
    }
}
