//! Statements.

use std::collections::HashMap;

use craig_word::{Op, from_signed, to_signed};

use super::builder::{Case, Switch};
use super::switch_labels::{joined, n_labels};
use super::{Lowering, Marks, Moment, Result, Value};
use crate::ir::{BlockId, Choice, Expr, Instr, Location, Terminator};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::{IntType, Type};

impl<'a> Lowering<'a> {
    /// A statement; an unsupported construct in it ends the path there.
    pub(super) fn block_item(&mut self, item: &'a Node<BlockItem>) {
        self.locate(item.span.start);
        if !matches!(item.node, BlockItem::Statement(_)) {
            self.cover();
        }
        let n_cleanups = self.builder.n_cleanups;
        self.attempt(|lowering| match &item.node {
            BlockItem::Declaration(declaration) => {
                lowering.evaluate_hooks(Moment::Statement, lowering.at, None);
                lowering.declaration(declaration, false)
            }
            BlockItem::StaticAssert(assertion) => lowering.static_assertion(assertion),
            BlockItem::Statement(statement) => lowering.statement(statement),
        });
        if let BlockItem::Declaration(declaration) = &item.node {
            self.check_cleanups(&declaration.node, n_cleanups);
        }
    }

    pub(super) fn statement(&mut self, statement: &'a Node<Statement>) -> Result<()> {
        self.locate(statement.span.start);
        let at = self.at;
        // A label is reached by jumps, too; the statement after it has its own position.
        if !matches!(statement.node, Statement::Labeled(_)) {
            self.cover();
            self.evaluate_hooks(Moment::Statement, at, None);
        }
        match &statement.node {
            Statement::Compound(items) => {
                self.open_scope();
                for item in items {
                    self.block_item(item);
                }
                self.end_scope();
            }
            Statement::Expression(None) => {}
            Statement::Expression(Some(expression)) => {
                self.is_discarded = is_call(expression);
                self.rvalue(expression)?;
                self.is_discarded = false;
                self.end_temporaries();
            }
            Statement::If(inner) => {
                let (then, otherwise) = (self.builder.block(), self.builder.block());
                let join = self.builder.block();
                self.condition(&inner.node.condition, then, otherwise, then)?;
                let ended = self.take_temporaries();
                self.end_each(&ended);
                self.evaluate_hooks(Moment::Branch(true), at, None);
                self.guarded(&inner.node.then_statement);
                self.jump(join, otherwise);
                self.end_each(&ended);
                self.evaluate_hooks(Moment::Branch(false), at, None);
                if let Some(statement) = &inner.node.else_statement {
                    self.guarded(statement);
                }
                self.jump(join, join);
            }
            Statement::While(inner) => {
                let (rounds, variables) = (self.rounds_in_source(), self.visible());
                let (head, body) = (self.builder.block(), self.builder.block());
                let after = self.builder.block();
                let exit = self.exit_of_loop(at, after);
                self.loop_head((at, rounds), None, variables, head);
                let rounds = self.begin_rounds(&inner.node.contract)?;
                let again = match rounds {
                    Some(_) => self.builder.block(),
                    None => head,
                };
                self.enter_loop(&[head, body]);
                self.jump(head, head);
                self.evaluate_hooks(Moment::Loop, at, None);
                let condition = self
                    .loop_contract(&inner.node.contract)
                    .and_then(|()| self.condition(&inner.node.expression, body, exit, body));
                let ended = self.take_temporaries();
                if condition.is_ok() {
                    self.end_each(&ended);
                    self.evaluate_hooks(Moment::Branch(true), at, None);
                    self.in_loop(after, again, |lowering| {
                        lowering.guarded(&inner.node.statement);
                    });
                }
                self.end_loop();
                condition?;
                if rounds.is_some() {
                    self.jump(again, again);
                }
                self.end_rounds(rounds, &[head, body], (head, exit))?;
                self.leave_loop(at, exit, after);
                self.end_each(&ended);
            }
            Statement::DoWhile(inner) => self.do_while(&inner.node, at)?,
            Statement::For(inner) => {
                self.open_scope();
                let result = self.for_statement(&inner.node);
                self.end_scope();
                result?;
            }
            Statement::Goto(label) => {
                let target = self.way_to_label(&label.node.name);
                self.terminate(Terminator::Jump(target));
            }
            Statement::ComputedGoto(address) => self.computed_goto(address)?,
            Statement::Continue => {
                let target = self.builder.continues.last().copied();
                self.jump_out(target.ok_or("`continue` outside of a loop")?);
            }
            Statement::Break => {
                let target = self.builder.breaks.last().copied();
                self.jump_out(target.ok_or("`break` outside of a loop")?);
            }
            Statement::Return(value) => self.return_statement(value.as_deref())?,
            Statement::Labeled(inner) => self.labeled(&inner.node)?,
            Statement::Switch(inner) => self.switch(&inner.node)?,
            Statement::Asm(asm) => self.assembly(&asm.node)?,
        }
        Ok(())
    }

    /// Goes to a block with this number of enclosing scopes.
    fn jump_out(&mut self, (target, depth): (BlockId, usize)) {
        self.leave_scopes(depth);
        self.terminate(Terminator::Jump(target));
    }

    fn do_while(&mut self, inner: &'a DoWhileStatement, at: Location) -> Result<()> {
        let rounds = self.rounds_in_source();
        let (body, test) = (self.builder.block(), self.builder.block());
        let after = self.builder.block();
        if let Some(first) = self.first_item(&inner.statement) {
            let variables = self.visible();
            self.loop_head((at, rounds), Some(first), variables, body);
        }
        let rounds = self.begin_rounds(&inner.contract)?;
        self.enter_loop(&[body, test]);
        self.jump(body, body);
        self.in_loop(after, test, |lowering| {
            lowering.attempt(|lowering| lowering.loop_contract(&inner.contract));
            lowering.guarded(&inner.statement);
        });
        self.end_loop();
        self.jump(test, test);
        self.evaluate_hooks(Moment::Loop, at, None);
        let is_told =
            self.has_hooks(Moment::Branch(true), at) || self.has_hooks(Moment::Branch(false), at);
        if rounds.is_some() {
            let (again, exit) = (self.builder.block(), self.builder.block());
            self.condition(&inner.expression, again, exit, again)?;
            self.end_rounds(rounds, &[body, test], (body, exit))?;
            self.jump(after, after);
        } else if is_told {
            let (again, exit) = (self.builder.block(), self.builder.block());
            self.condition(&inner.expression, again, exit, again)?;
            self.evaluate_hooks(Moment::Branch(true), at, None);
            self.jump(body, exit);
            self.leave_loop(at, exit, after);
        } else {
            self.condition(&inner.expression, body, after, after)?;
        }
        Ok(())
    }

    /// Where the body of a `do` loop begins: its first statement or declaration. None for a label, which is
    /// reached by jumps, too.
    fn first_item(&self, body: &Node<Statement>) -> Option<Location> {
        let (start, is_label) = match &body.node {
            Statement::Compound(items) => {
                let first = items.first()?;
                let is_label = match &first.node {
                    BlockItem::Statement(statement) => {
                        matches!(statement.node, Statement::Labeled(_))
                    }
                    BlockItem::Declaration(_) => false,
                    BlockItem::StaticAssert(_) => return None,
                };
                (first.span.start, is_label)
            }
            statement => (body.span.start, matches!(statement, Statement::Labeled(_))),
        };
        let mut at = self.source.location(start);
        at.file += self.files_from;
        (!is_label).then_some(at)
    }

    /// A statement under a condition: an unsupported construct in it ends only the paths on which the
    /// condition holds.
    fn guarded(&mut self, statement: &'a Node<Statement>) {
        self.attempt(|lowering| lowering.statement(statement));
    }

    fn in_loop(&mut self, after: BlockId, next: BlockId, run: impl FnOnce(&mut Self)) {
        let depth = self.scopes.len();
        self.builder.breaks.push((after, depth));
        self.builder.continues.push((next, depth));
        run(self);
        self.builder.breaks.pop();
        self.builder.continues.pop();
    }

    fn for_statement(&mut self, statement: &'a ForStatement) -> Result<()> {
        let (at, rounds, variables) = (self.at, self.rounds_in_source(), self.visible());
        match &statement.initializer.node {
            ForInitializer::Empty => {}
            ForInitializer::StaticAssert(assertion) => self.static_assertion(assertion)?,
            ForInitializer::Expression(expression) => {
                self.rvalue(expression)?;
                self.end_temporaries();
            }
            ForInitializer::Declaration(declaration) => self.declaration(declaration, false)?,
        }
        let (head, body) = (self.builder.block(), self.builder.block());
        let (step, after) = (self.builder.block(), self.builder.block());
        let exit = self.exit_of_loop(at, after);
        self.loop_head((at, rounds), None, variables, head);
        if let ForInitializer::Declaration(_) = statement.initializer.node {
            self.loop_declares(head);
        }
        let rounds = self.begin_rounds(&statement.contract)?;
        self.enter_loop(&[head, body, step]);
        self.jump(head, head);
        self.evaluate_hooks(Moment::Loop, at, None);
        let lowered = self.turn_of_for(statement, at, [body, exit, step, after]);
        self.end_loop();
        lowered?;
        self.end_rounds(rounds, &[head, body, step], (head, exit))?;
        self.leave_loop(at, exit, after);
        Ok(())
    }

    /// The condition, the body and the step of a `for` loop, with their blocks and the one after the loop.
    fn turn_of_for(
        &mut self,
        statement: &'a ForStatement,
        at: Location,
        [body, exit, step, after]: [BlockId; 4],
    ) -> Result<()> {
        self.loop_contract(&statement.contract)?;
        match &statement.condition {
            Some(condition) => self.condition(condition, body, exit, body)?,
            None => self.jump(body, body),
        }
        self.end_temporaries();
        self.evaluate_hooks(Moment::Branch(true), at, None);
        self.in_loop(after, step, |lowering| {
            lowering.guarded(&statement.statement);
        });
        self.jump(step, step);
        if let Some(expression) = &statement.step {
            self.rvalue(expression)?;
            self.end_temporaries();
        }
        Ok(())
    }

    /// The target of a loop's false condition: the block after the loop, as for `break`, unless a witness
    /// distinguishes the two.
    fn exit_of_loop(&mut self, at: Location, after: BlockId) -> BlockId {
        if self.has_hooks(Moment::Branch(false), at) {
            self.builder.block()
        } else {
            after
        }
    }

    /// Continues after a loop. The current block is that of [`Lowering::exit_of_loop`].
    fn leave_loop(&mut self, at: Location, exit: BlockId, after: BlockId) {
        if exit != after {
            self.evaluate_hooks(Moment::Branch(false), at, None);
            self.jump(after, after);
        }
    }

    pub(super) fn label(&mut self, name: &str) -> BlockId {
        if let Some(&block) = self.builder.labels.get(name) {
            return block;
        }
        let block = self.builder.block();
        self.builder.function.blocks[block as usize].end_at = self.at;
        self.builder.labels.insert(name.to_string(), block);
        block
    }

    fn labeled(&mut self, labeled: &'a LabeledStatement) -> Result<()> {
        self.enter_label(labeled)?;
        self.statement(&labeled.statement)
    }

    /// Starts the code behind a label.
    pub(super) fn enter_label(&mut self, labeled: &'a LabeledStatement) -> Result<()> {
        let at = self.at;
        match &labeled.label.node {
            Label::Identifier(name) => {
                let name = &name.node.name;
                let block = self.label(name);
                self.jump(block, block);
                let alive = self
                    .scopes
                    .iter()
                    .flat_map(|scope| scope.slots.iter().copied());
                let alive = alive.collect();
                self.builder.in_scope.push((block, alive));
                self.declared_at(block);
                if self.is_error_label(name) {
                    let marked = self.builder.current;
                    self.terminate(Terminator::Error(format!("the label `{name}` is reached")));
                    let after = self.builder.current;
                    self.builder.function.resumes.insert(marked, after);
                }
            }
            Label::Case(value) => {
                let value = self.label_constant(value)?;
                self.case(value, value)?;
                self.label_goal();
            }
            Label::CaseRange(range) => {
                let low = self.label_constant(&range.node.low)?;
                let high = self.label_constant(&range.node.high)?;
                self.case(low, high)?;
                self.label_goal();
            }
            Label::Default => {
                let block = self.builder.block();
                self.jump(block, block);
                let missing = "`default` outside of a switch";
                let depth = self.builder.switches.last().ok_or(missing)?.depth;
                let way = self.way_into_switch(block, depth);
                let switch = self.builder.switches.last_mut().ok_or(missing)?;
                if switch.default.replace(way).is_some() {
                    return Err("two `default` labels of a switch".into());
                }
                switch.n_labels += 1;
                self.label_goal();
            }
        }
        self.at = at;
        self.cover();
        Ok(())
    }

    pub(super) fn is_error_label(&self, name: &str) -> bool {
        match &self.options.marks {
            Marks::Named(wanted) => wanted == name,
            Marks::Customary => self.options.is_customary() && name == "ERROR",
            Marks::Function(_) | Marks::None => false,
        }
    }

    fn case(&mut self, low: i128, high: i128) -> Result<()> {
        let block = self.builder.block();
        self.jump(block, block);
        let switch = self.builder.switches.last();
        let switch = switch.ok_or("`case` outside of a switch")?;
        let (ty, depth) = (switch.ty, switch.depth);
        let block = self.way_into_switch(block, depth);
        let of_type = |value: i128| {
            let bits = from_signed(value, ty.width());
            if ty.signed {
                to_signed(bits, ty.width())
            } else {
                bits as i128
            }
        };
        let (low, high) = (of_type(low), of_type(high));
        if let Some(switch) = self.builder.switches.last_mut() {
            switch.cases.push(Case { low, high, block });
            switch.n_labels += 1;
        }
        Ok(())
    }

    fn switch(&mut self, switch: &'a SwitchStatement) -> Result<()> {
        let at = self.at;
        let value = self.rvalue(&switch.expression)?;
        let value = self.promote(value)?;
        let Type::Int(ty) = value.ty else {
            return Err("a switch on something that is no integer".into());
        };
        let reg = self.fresh(ty.width());
        self.set(reg, value.expr);
        // Cases are only known after the body.
        let (dispatch, body) = (self.builder.block(), self.builder.block());
        let after = self.builder.block();
        self.jump(dispatch, body);
        self.builder.switches.push(Switch {
            depth: self.scopes.len(),
            cases: Vec::new(),
            default: None,
            n_labels: 0,
            ty,
        });
        self.builder.breaks.push((after, self.scopes.len()));
        self.guarded(&switch.statement);
        self.builder.breaks.pop();
        let Some(found) = self.builder.switches.pop() else {
            unreachable!("it was pushed above")
        };
        self.jump(after, dispatch);
        let value = self.read(reg);
        self.found_cases(at, value, ty);
        let cases = self.without_detours(found.cases);
        for cases in cases.chunk_by(|a, b| a.block == b.block) {
            let mut matches: Vec<Expr> = joined(cases)
                .into_iter()
                .map(|(low, high)| self.is_within(value, low, high, ty))
                .collect();
            // A tree, so that it is not deep.
            while matches.len() > 1 {
                let pairs = matches.chunks(2);
                matches = pairs
                    .map(|pair| match *pair {
                        [a, b] => self.or(a, b),
                        _ => pair[0],
                    })
                    .collect();
            }
            let next = self.builder.block();
            self.branch(matches[0], cases[0].block, next, next);
        }
        self.evaluate_hooks(Moment::Case(None), at, None);
        if found.n_labels < n_labels(&switch.statement) {
            let text = "a `switch` with a label that is not supported, or in code that is not";
            self.terminate(Terminator::Stuck(text.into()));
            self.jump(after, after);
            return Ok(());
        }
        self.jump(found.default.unwrap_or(after), after);
        Ok(())
    }

    /// The value of a label's expression.
    fn label_constant(&mut self, expression: &'a Node<Expression>) -> Result<i128> {
        let value = self.constant(expression);
        value.map_err(|text| format!("a `case` whose value is not known ({text})"))
    }

    /// The hooks of a `switch` that are about the value that it finds.
    fn found_cases(&mut self, at: Location, value: Expr, ty: IntType) {
        for wanted in self.values_of_hooks() {
            let moment = Moment::Case(Some(wanted));
            if self.has_hooks(moment, at) {
                let found = self.is_within(value, wanted, wanted, ty);
                let (told, next) = (self.builder.block(), self.builder.block());
                self.branch(found, told, next, told);
                self.evaluate_hooks(moment, at, None);
                self.jump(next, next);
            }
        }
    }

    /// The labels, each with the block where something is done first: a label that stands before another one
    /// has that one's block.
    fn without_detours(&self, mut cases: Vec<Case>) -> Vec<Case> {
        let mut leads_to: HashMap<BlockId, BlockId> = HashMap::new();
        for case in cases.iter_mut().rev() {
            let block = &self.builder.function.blocks[case.block as usize];
            let next = match block.end {
                Terminator::Jump(next) if block.instrs.is_empty() => leads_to.get(&next),
                _ => None,
            };
            let target = next.copied().unwrap_or(case.block);
            leads_to.insert(case.block, target);
            case.block = target;
        }
        cases
    }

    /// One bit: whether a value lies between two numbers of its type, these included.
    fn is_within(&mut self, value: Expr, low: i128, high: i128, ty: IntType) -> Expr {
        let width = ty.width();
        let constant = |lowering: &mut Self, value| {
            let bits = from_signed(value, width);
            lowering.program.constant(bits, width)
        };
        let (least, most) = (constant(self, low), constant(self, high));
        if low == high {
            return self.program.binary(Op::Eq, value, least);
        }
        let less = if ty.signed { Op::Slt } else { Op::Ult };
        let below = self.program.binary(less, value, least);
        let above = self.program.binary(less, most, value);
        let outside = self.or(below, above);
        self.program.not(outside)
    }

    fn return_statement(&mut self, value: Option<&'a Node<Expression>>) -> Result<()> {
        let ty = self.builder.result.clone();
        let Some(expression) = value else {
            self.clean_up(0);
            self.return_from_end();
            return Ok(());
        };
        let value = match (&ty, &expression.node) {
            (Type::Pointer(element), Expression::Call(call)) => {
                self.call_expecting(&call.node, Some(element))?
            }
            _ => self.rvalue(expression)?,
        };
        match (&ty, self.builder.result_address) {
            (Type::Void, _) => {
                self.clean_up(0);
                self.check_postconditions(None)?;
                self.terminate(Terminator::Return(None));
            }
            (Type::Record(_), Some(reg)) => {
                let value = self.convert(value, &ty)?;
                let address = self.read(reg);
                self.copy(address, value.expr, &ty)?;
                self.clean_up(0);
                self.check_postconditions(None)?;
                self.terminate(Terminator::Return(None));
            }
            _ => {
                let value = self.convert(value, &ty)?;
                self.clean_up(0);
                self.check_postconditions(Some(&value))?;
                self.terminate(Terminator::Return(Some(value.expr)));
            }
        }
        Ok(())
    }

    /// A return without a value: the result is arbitrary.
    pub(super) fn return_from_end(&mut self) {
        let value = match self.builder.function.result_width {
            None => None,
            Some(width) if self.builder.function.name == self.options.entry => {
                Some(self.program.constant(0, width))
            }
            Some(width) => {
                let reg = self.fresh(width);
                self.emit(Instr::Choose {
                    reg,
                    kind: Choice::Uninitialised,
                });
                Some(self.read(reg))
            }
        };
        let ty = self.builder.result.clone();
        let result = value.map(|expr| Value { expr, ty });
        self.attempt(|lowering| lowering.check_postconditions(result.as_ref()));
        self.terminate(Terminator::Return(value));
    }
}

/// Whether an expression is a call, or one whose result is cast to `void`.
fn is_call(expression: &Node<Expression>) -> bool {
    match &expression.node {
        Expression::Call(call) => matches!(call.node.callee.node, Expression::Identifier(_)),
        Expression::Cast(cast) => is_call(&cast.node.expression),
        _ => false,
    }
}
