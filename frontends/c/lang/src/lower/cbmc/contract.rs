//! Contracts of functions: which there are, and how calls use them. A function whose contract is enforced is called by
//! a wrapper that assumes what the contract requires, and asserts what it ensures. Calls of a function that is replaced
//! by its contract go to a wrapper without the body: it asserts what is required, makes what may be assigned arbitrary,
//! and assumes what is ensured. The wrapper of a recursive function does the first, and, while its body runs, the second.

use crate::ir::{Callee, CheckKind, Choice, Expr, FunctionId, Instr, StaticId, Terminator};
use crate::syntax::ast::*;
use crate::syntax::span::{Node, Span};
use crate::syntax::visit::{self, Visit};
use crate::types::{FunctionType, IntType, Type};

use super::super::builder::Builder;
use super::super::escape;
use super::super::specifier::Lengths;
use super::super::state::{Contracted, Mode, Side, Specification};
use super::super::unit::{SEPARATOR, source_name};
use super::super::{Lowering, Result, Symbol, Value};
use super::target::Target;

/// The name of what a function returns, in its postconditions.
const RETURN_VALUE: &str = "__CPROVER_return_value";
/// Operators for a value at an earlier moment.
const EARLIER: [&str; 2] = ["__CPROVER_old", "__CPROVER_loop_entry"];

/// How calls use a contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    Enforced,
    /// Enforced, and used in its place where the body calls the function again.
    Recursive,
    Replaced,
}

/// The operands of operators for values at an earlier moment.
struct Earlier<'ast>(Vec<&'ast Node<Expression>>);

impl<'ast> Visit<'ast> for Earlier<'ast> {
    fn visit_call_expression(&mut self, call: &'ast CallExpression, span: &'ast Span) {
        match &call.callee.node {
            Expression::Identifier(name) if EARLIER.contains(&name.node.name.as_str()) => {
                self.0.extend(&call.arguments);
            }
            _ => visit::visit_call_expression(self, call, span),
        }
    }
}

impl<'a> Lowering<'a> {
    /// Takes note of a contract.
    pub(in crate::lower) fn note_contract(
        &mut self,
        name: &str,
        (specifiers, declarator): (&'a [Node<DeclarationSpecifier>], &'a Node<Declarator>),
        clauses: &'a [Node<Clause>],
        is_definition: bool,
    ) {
        if clauses.is_empty() || !self.options.cbmc.is_dialect() {
            return;
        }
        let contract = Contracted {
            specifiers,
            declarator,
            clauses,
            unit: self.unit,
            is_definition,
        };
        let link = self.link_name(name).into_owned();
        self.note_obeyed(&link, clauses);
        let known = self.contracts.get(&link);
        if known.is_none_or(|known| is_definition && !known.is_definition) {
            self.contracts.insert(link, contract);
        }
    }

    /// Whether one of these names is that of a function.
    fn is_named(&self, names: &[String], link: &str) -> bool {
        names.iter().any(|name| {
            let exported = self.exported_link(name);
            exported.is_some_and(|known| known == link) || name == source_name(link)
        })
    }

    fn use_of(&self, link: &str) -> Option<Use> {
        let options = &self.options.cbmc.contracts;
        if link.ends_with(&format!("{SEPARATOR}{BODY}")) {
            return None;
        }
        if self.is_named(&options.enforced, link) {
            return Some(Use::Enforced);
        }
        if self.is_named(&options.recursive, link) {
            return Some(Use::Recursive);
        }
        (self.is_named(&options.replaced, link) || self.is_obeyed(link)).then_some(Use::Replaced)
    }

    /// Whether an option says what becomes of the contract of a function.
    pub(super) fn is_used_by_option(&self, link: &str) -> bool {
        let options = &self.options.cbmc.contracts;
        let names = [&options.enforced, &options.recursive, &options.replaced];
        names.iter().any(|names| self.is_named(names, link))
    }

    /// The type of a function whose calls go to its contract.
    pub(in crate::lower) fn type_by_contract(
        &mut self,
        name: &str,
    ) -> Option<std::sync::Arc<FunctionType>> {
        let link = self.link_name(name).into_owned();
        self.use_of(&link)?;
        match self.function_symbol(name) {
            Some((_, ty)) => Some(ty),
            None => {
                let definition = self.definition_of(name)?;
                self.type_of_definition(definition).ok()
            }
        }
    }

    /// Lowers the wrapper of a function, if calls use its contract.
    pub(in crate::lower) fn wrapper(&mut self, link: &str) -> Result<bool> {
        let Some(usage) = self.use_of(link) else {
            return Ok(false);
        };
        let name = source_name(link).to_owned();
        let Some(contract) = self.contracts.get(link).copied() else {
            return Err(format!("`{name}` has no contract"));
        };
        self.enter_unit(contract.unit);
        let id = self.function_ids[link];
        self.builder = Builder::new(&name);
        self.lowered_function.clone_from(&name);
        self.specification = Specification::default();
        self.kept.clear();
        self.locate(contract.declarator.span.start);
        let link = link.to_owned();
        self.attempt(|lowering| lowering.wrapper_code(&link, contract, usage));
        self.end_function();
        self.scopes.truncate(1);
        self.specification = Specification::default();
        let builder = std::mem::replace(&mut self.builder, Builder::new(""));
        let mut function = builder.function;
        escape::mark(&self.program, &mut function);
        self.program.functions[id as usize] = function;
        Ok(true)
    }

    fn wrapper_code(&mut self, link: &str, contract: Contracted<'a>, usage: Use) -> Result<()> {
        let ty = self.bind_parameters(contract)?;
        let args: Vec<Expr> = (0..self.builder.function.n_params)
            .map(|reg| self.read(reg as u32))
            .collect();
        let checks = std::mem::take(&mut self.options.checks);
        let result = match usage {
            Use::Enforced => self.enforced(link, contract, &ty, args, None),
            Use::Recursive => self.recursive(link, contract, &ty, args, checks.pointer),
            Use::Replaced => self.replaced(link, contract, &ty, checks.pointer),
        };
        self.options.checks = checks;
        result
    }

    /// Makes the parameters of a wrapper, and binds their names.
    fn bind_parameters(&mut self, contract: Contracted<'a>) -> Result<FunctionType> {
        let base = self
            .specifiers(contract.specifiers)?
            .ty
            .unwrap_or(Type::INT);
        let (_, ty) = self.declarator(base, contract.declarator, Lengths::Constant)?;
        let Type::Function(ty) = ty else {
            return Err("a contract of something that is no function".into());
        };
        if ty.variadic {
            return Err("a contract of a function with a variable number of arguments".into());
        }
        self.builder.function.regs.clear();
        self.open_scope();
        let width = self.pointer_width();
        if matches!(ty.result, Type::Record(_)) {
            self.builder.result_address = Some(self.fresh(width));
        } else {
            self.builder.function.result_width = self.scalar_width(&ty.result);
        }
        let mut bound = Vec::new();
        for derived in &contract.declarator.node.derived {
            let DerivedDeclarator::Function(function) = &derived.node else {
                continue;
            };
            for param in &function.node.parameters {
                let (name, ty) = self.parameter(&param.node, Lengths::Open)?;
                if ty.is_void() {
                    continue;
                }
                let own = match &ty {
                    Type::Record(_) => width,
                    ty => self.scalar_width(ty).ok_or("a parameter of this type")?,
                };
                let reg = self.named(own, name.clone(), Some(ty.clone()));
                bound.push((name, ty, reg));
            }
            break;
        }
        self.builder.function.n_params = self.builder.function.regs.len();
        for (name, ty, reg) in bound {
            let Some(name) = name else { continue };
            let symbol = match ty {
                Type::Record(_) => {
                    let slot = self.named_slot(&name, &ty)?;
                    self.emit(Instr::Declare { slot });
                    let (to, from) = (self.slot_address(slot), self.read(reg));
                    self.copy(to, from, &ty)?;
                    Symbol::Slot(slot, ty)
                }
                ty => Symbol::Register(reg, ty),
            };
            self.bind(&name, symbol);
        }
        Ok((*ty).clone())
    }

    /// What the contract requires.
    fn requirements(&mut self, contract: Contracted<'a>, mode: Mode) -> Result<()> {
        let required = |clause: &'a Clause| match clause {
            Clause::Requires(condition) => Some(&**condition),
            _ => None,
        };
        self.conditions(contract, mode, CheckKind::Precondition, required)
    }

    /// Assumes or asserts the conditions of some clauses of a contract.
    fn conditions(
        &mut self,
        contract: Contracted<'a>,
        mode: Mode,
        kind: CheckKind,
        condition: impl Fn(&'a Clause) -> Option<&'a Node<Expression>>,
    ) -> Result<()> {
        self.specification.mode = Some(mode);
        for clause in contract.clauses {
            let Some(condition) = condition(&clause.node) else {
                continue;
            };
            self.locate(clause.span.start);
            let at = self.at;
            match mode {
                Mode::Assume => {
                    let condition = self.specified(condition, Side::Hypothesis)?;
                    self.emit(Instr::Assume { condition });
                }
                Mode::Assert => {
                    let condition = self.specified(condition, Side::Goal)?;
                    self.at = at;
                    self.check(condition, kind);
                }
            }
        }
        self.specification.mode = None;
        Ok(())
    }

    /// What the contract ensures, about a result. Returns the result: where it is assumed, predicates may make it another one
    /// (`__CPROVER_is_fresh(__CPROVER_return_value, n)`).
    fn guarantees(&mut self, contract: Contracted<'a>, mode: Mode, value: Value) -> Result<Value> {
        let mut result = value;
        if !result.ty.is_void() {
            let value = &mut result;
            let symbol = match &value.ty {
                Type::Record(_) => {
                    let slot = self.named_slot(RETURN_VALUE, &value.ty)?;
                    self.emit(Instr::Declare { slot });
                    let to = self.slot_address(slot);
                    self.copy(to, value.expr, &value.ty)?;
                    value.expr = to;
                    Symbol::Slot(slot, value.ty.clone())
                }
                ty => {
                    let width = self.program.width(value.expr);
                    let reg = self.named(width, None, Some(ty.clone()));
                    self.set(reg, value.expr);
                    value.expr = self.read(reg);
                    Symbol::Register(reg, ty.clone())
                }
            };
            self.bind(RETURN_VALUE, symbol);
        }
        let ensured = |clause: &'a Clause| match clause {
            Clause::Ensures(condition) => Some(&**condition),
            _ => None,
        };
        self.conditions(contract, mode, CheckKind::Postcondition, ensured)?;
        Ok(result)
    }

    /// Keeps the values at this moment that expressions are about.
    pub(super) fn keep_earlier(&mut self, expression: &'a Node<Expression>) -> Result<()> {
        let mut earlier = Earlier(Vec::new());
        earlier.visit_expression(&expression.node, &expression.span);
        for operand in earlier.0 {
            let value = self.rvalue(operand)?;
            let kept = match &value.ty {
                Type::Record(_) => {
                    let slot = self.slot("a value at an earlier moment", &value.ty)?;
                    self.emit(Instr::Declare { slot });
                    let to = self.slot_address(slot);
                    self.copy(to, value.expr, &value.ty)?;
                    to
                }
                ty => {
                    let width = self.program.width(value.expr);
                    let reg = self.named(width, None, Some(ty.clone()));
                    self.set(reg, value.expr);
                    self.read(reg)
                }
            };
            let value = Value {
                expr: kept,
                ty: value.ty,
            };
            self.kept.insert((self.unit, operand.span.start), value);
        }
        Ok(())
    }

    /// A value at an earlier moment.
    pub(in crate::lower) fn earlier_value(
        &mut self,
        call: &super::super::function_model::NamedCall<'a, '_>,
    ) -> Result<Option<Value>> {
        let operand = super::super::builtin::argument(call.arguments, 0)?;
        let kept = self.kept.get(&(self.unit, operand.span.start)).cloned();
        let wrong = || format!("`{}` where no earlier value is kept", call.name);
        kept.ok_or_else(wrong).map(Some)
    }

    /// The targets of all `assigns` clauses, as they are now.
    fn targets_of(&mut self, contract: Contracted<'a>) -> Result<Vec<Target>> {
        let mut targets = Vec::new();
        for clause in contract.clauses {
            self.locate(clause.span.start);
            match &clause.node {
                Clause::Assigns(groups) => targets.extend(self.targets(groups)?),
                Clause::Decreases(_) => return Err("`__CPROVER_decreases` of a function".into()),
                _ => {}
            }
        }
        Ok(targets)
    }

    /// The pointers whose objects may be freed, as they are now; null where a condition does not hold.
    fn freed_by(&mut self, contract: Contracted<'a>) -> Result<Vec<Expr>> {
        let mut pointers = Vec::new();
        for clause in contract.clauses {
            let Clause::Frees(groups) = &clause.node else {
                continue;
            };
            self.locate(clause.span.start);
            for group in groups {
                let condition = self.group_condition(group)?;
                for target in &group.targets {
                    let pointer = self.rvalue(target)?;
                    if !matches!(pointer.ty, Type::Pointer(_)) {
                        return Err("`__CPROVER_frees` of something that is no pointer".into());
                    }
                    let null = self.program.constant(0, self.pointer_width());
                    let own = self.program.ite(condition, pointer.expr, null);
                    let reg = self.fresh(self.pointer_width());
                    self.set(reg, own);
                    pointers.push(self.read(reg));
                }
            }
        }
        Ok(pointers)
    }

    /// Frees what a pointer points to, or not.
    fn may_free(&mut self, address: Expr, is_checked: bool) {
        let (freed, next) = (self.builder.block(), self.builder.block());
        let chosen = self.fresh(1);
        self.emit(Instr::Choose {
            reg: chosen,
            kind: Choice::Open("whether a contract frees an object".into()),
        });
        let condition = self.read(chosen);
        self.branch(condition, freed, next, freed);
        if is_checked {
            self.emit(Instr::CheckFree { address });
        }
        self.emit(Instr::Free { address });
        self.jump(next, next);
    }

    fn keep_for_guarantees(&mut self, contract: Contracted<'a>) -> Result<()> {
        for clause in contract.clauses {
            if let Clause::Ensures(condition) = &clause.node {
                self.keep_earlier(condition)?;
                self.keep_alive(condition)?;
            }
        }
        Ok(())
    }

    /// The wrapper of a function that calls itself: a call while its body runs is replaced, any other is checked. So the
    /// contract is proved by induction over the depth of calls, for those that end.
    fn recursive(
        &mut self,
        link: &str,
        contract: Contracted<'a>,
        ty: &FunctionType,
        args: Vec<Expr>,
        checks_pointers: bool,
    ) -> Result<()> {
        let name = format!("the body of {} runs", source_name(link));
        let byte = Type::Int(IntType::UCHAR);
        let runs = self.static_object(&name, &byte, false)?;
        let (reg, address) = (self.fresh(8), self.static_address(runs));
        self.emit(Instr::Load {
            reg,
            address,
            bytes: 1,
        });
        let value = self.read(reg);
        let is_inner = self.program.truth(value);
        let (inner, outer) = (self.builder.block(), self.builder.block());
        self.branch(is_inner, inner, outer, inner);
        self.open_scope();
        self.replaced(link, contract, ty, checks_pointers)?;
        self.scopes.pop();
        self.builder.current = outer;
        self.enforced(link, contract, ty, args, Some(runs))
    }

    /// The wrapper of a function whose contract is enforced; with an object that says that the body runs, if it may call
    /// the wrapper again.
    fn enforced(
        &mut self,
        link: &str,
        contract: Contracted<'a>,
        ty: &FunctionType,
        args: Vec<Expr>,
        runs: Option<StaticId>,
    ) -> Result<()> {
        let body = self.function_with_body(link)?;
        self.requirements(contract, Mode::Assume)?;
        self.keep_for_guarantees(contract)?;
        let targets = self.targets_of(contract)?;
        let freed = self.freed_by(contract)?;
        let set = self.open_write_set(&targets, &freed)?;
        self.write_sets[set].confine_function(body, runs.is_some());
        // The hidden parameter for a record comes first in the arguments, and is made by the call.
        let args = match &ty.result {
            Type::Record(_) => args[1..].to_vec(),
            _ => args,
        };
        self.set_byte(runs, 1);
        let value = self.call_of(Callee::Direct(body), ty, args)?;
        self.set_byte(runs, 0);
        self.close_write_set(set);
        let value = self.guarantees(contract, Mode::Assert, value)?;
        self.return_value(&value)
    }

    fn set_byte(&mut self, object: Option<StaticId>, value: u128) {
        if let Some(object) = object {
            let value = self.program.constant(value, 8);
            self.store_static(object, value);
        }
    }

    fn replaced(
        &mut self,
        link: &str,
        contract: Contracted<'a>,
        ty: &FunctionType,
        checks_pointers: bool,
    ) -> Result<()> {
        self.requirements(contract, Mode::Assert)?;
        self.keep_for_guarantees(contract)?;
        let targets = self.targets_of(contract)?;
        let freed = self.freed_by(contract)?;
        self.specification.freeable.clone_from(&freed);
        for target in targets {
            self.havoc_target(&target);
        }
        for address in freed {
            self.may_free(address, checks_pointers);
        }
        let name = source_name(link).to_owned();
        let value = self.any_value(&name, &ty.result)?;
        let value = self.guarantees(contract, Mode::Assume, value)?;
        self.return_value(&value)
    }

    fn return_value(&mut self, value: &Value) -> Result<()> {
        let result = match (&value.ty, self.builder.result_address) {
            (Type::Void, _) => None,
            (Type::Record(_), Some(reg)) => {
                let address = self.read(reg);
                self.copy(address, value.expr, &value.ty)?;
                None
            }
            _ => Some(value.expr),
        };
        self.terminate(Terminator::Return(result));
        Ok(())
    }

    /// The function with the body of a function whose contract is enforced.
    fn function_with_body(&mut self, link: &str) -> Result<FunctionId> {
        let name = source_name(link);
        let Some(definition) = self.definitions.get(link).copied().filter(|of| of.is_own()) else {
            return Err(format!("`{name}`, whose contract is enforced, has no body"));
        };
        let own = format!("{link}{SEPARATOR}{BODY}");
        if let Some(&id) = self.function_ids.get(&own) {
            return Ok(id);
        }
        let id = self.program.functions.len() as FunctionId;
        let function = crate::ir::Function::new(name);
        self.program.functions.push(function);
        self.link_names.push(own.clone());
        self.function_ids.insert(own.clone(), id);
        self.definitions.insert(own.clone(), definition);
        self.wanted.push(own);
        Ok(id)
    }

    /// An error for a function of the command line that is not in the program.
    pub(in crate::lower) fn missing_contracts(&self) -> Result<()> {
        let options = &self.options.cbmc.contracts;
        for name in (options.enforced.iter())
            .chain(&options.recursive)
            .chain(&options.replaced)
        {
            let is_it = |link: &String| self.is_named(std::slice::from_ref(name), link);
            if !self.contracts.keys().any(is_it) {
                return Err(format!("`{name}` has no contract"));
            }
        }
        Ok(())
    }
}

/// The part of a link name that says that it is of a body, not of the contract around it.
pub(super) const BODY: &str = "body";
