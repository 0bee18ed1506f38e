//! Calls: the callee, and the passing of arguments.

use crate::ir::{Callee, Expr, ExprNode, Instr, Role, Terminator};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::{FloatType, FunctionType, IntType, Type};

use super::function_model::{Model, NamedCall};
use super::function_table::row_of;
use super::library_functions::COMPARISONS;
use super::string_literal::string_units;
use super::{Lowering, Moment, Place, Result, Symbol, Value};

/// Functions of the library that gcc computes itself, also where the program defines the name, which is
/// reserved (C11 7.1.3).
const REPLACED: [&str; 3] = ["abs", "labs", "llabs"];

/// The part of a value that is used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Whether it is 0.
    Truth,
    /// Its sign.
    Sign,
}

impl<'a> Lowering<'a> {
    pub(super) fn call(&mut self, call: &'a CallExpression) -> Result<Value> {
        self.call_expecting(call, None)
    }

    /// A call; `element` is the type that the result will point to.
    pub(super) fn call_expecting(
        &mut self,
        call: &'a CallExpression,
        element: Option<&Type>,
    ) -> Result<Value> {
        let value = self.call_between_hooks(call, element)?;
        if !self.open_reads.is_empty() {
            let writes = self.writes_of_call(call);
            self.read_again_after(Some(&writes))?;
        }
        Ok(value)
    }

    fn call_between_hooks(
        &mut self,
        call: &'a CallExpression,
        element: Option<&Type>,
    ) -> Result<Value> {
        if self.hooks.is_empty() {
            return self.plain_call(call, element);
        }
        let last = call.arguments.last().map(|argument| argument.span.end);
        let end = self.end_of_call(last.unwrap_or(call.callee.span.end));
        let at = end.unwrap_or_default();
        self.evaluate_hooks(Moment::Enter, at, None);
        let value = self.plain_call(call, element)?;
        self.evaluate_hooks(Moment::Return, at, Some(&value));
        Ok(value)
    }

    /// A call, without the hooks of a witness.
    fn plain_call(&mut self, call: &'a CallExpression, element: Option<&Type>) -> Result<Value> {
        let is_discarded = std::mem::take(&mut self.is_discarded);
        self.locate(call.callee.span.start);
        let last = call.arguments.last().map(|argument| argument.span.end);
        self.call_end(last.unwrap_or(call.callee.span.end));
        if let Expression::Identifier(name) = &call.callee.node {
            let name = &name.node.name;
            let is_variable = matches!(
                self.lookup(name),
                Some(Symbol::Register(..) | Symbol::Slot(..) | Symbol::Static(..))
            );
            if !is_variable {
                return self.named_call(name, &call.arguments, element, is_discarded);
            }
        }
        let is_open = self.callee_conflicts(&call.callee, &call.arguments)?;
        let callee = self.rvalue(&call.callee)?;
        let ty = match &callee.ty {
            Type::Pointer(to) => match &**to {
                Type::Function(ty) => ty.clone(),
                _ => return Err("a call of something that is no function".into()),
            },
            _ => return Err("a call of something that is no function".into()),
        };
        // A call through the address of one function is direct.
        let callee = match self.program.node(callee.expr) {
            ExprNode::Function(id) => {
                let name = self.program.functions[id as usize].name.clone();
                if !(self.definitions).contains_key(&self.link_names[id as usize]) {
                    if let Some(value) = self.modelled_call(&name, &call.arguments, element)? {
                        return Ok(value);
                    }
                    return self.unknown_call(&name, Some(&ty), &call.arguments);
                }
                Callee::Direct(id)
            }
            _ => Callee::Indirect(self.pointer_to_function(&callee)?),
        };
        let again = is_open.then_some(&*call.callee);
        self.call_with(callee, &ty, &call.arguments, again)
    }

    /// A call of a function by its name.
    fn named_call(
        &mut self,
        name: &str,
        arguments: &'a [Node<Expression>],
        element: Option<&Type>,
        is_discarded: bool,
    ) -> Result<Value> {
        if let Some(value) = self.predicate_call(name, arguments)? {
            return Ok(value);
        }
        if let Some(value) = self.length_of_literal(name, arguments)? {
            return Ok(value);
        }
        if let Some(ty) = self.type_by_contract(name) {
            let id = self.want(name);
            return self.direct_call(Callee::Direct(id), &ty, arguments);
        }
        // Its arguments are used.
        self.is_discarded = is_discarded && name.contains("printf");
        if let Some(value) = self.modelled_call(name, arguments, element)? {
            self.set_errno(name, &value, false)?;
            return Ok(value);
        }
        let known = self.function_symbol(name);
        if let Some(definition) = self.definition_of(name) {
            if !definition.is_own() {
                self.comparison_is_idle(name, arguments)?;
            }
            let id = self.want(name);
            // A declaration without parameters has less information than the definition.
            let ty = match known {
                Some((_, ty)) if ty.prototype || !ty.params.is_empty() => ty,
                _ => self.type_of_definition(definition)?,
            };
            let value = self.direct_call(Callee::Direct(id), &ty, arguments)?;
            if !definition.is_own() {
                self.set_errno(name, &value, false)?;
            }
            return Ok(value);
        }
        let ty = known.map(|known| known.1);
        let value = self.unknown_call(name, ty.as_ref(), arguments)?;
        self.set_errno(name, &value, row_of(name).is_none())?;
        Ok(value)
    }

    /// `__builtin_tgmath` with variants of a function for `float`, `double` and `long double`, and its arguments
    /// (C11 7.25): an integer counts as a `double`.
    pub(super) fn generic_function(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let mut names = Vec::new();
        for argument in call.arguments {
            match &argument.node {
                Expression::Identifier(name) if self.function_symbol(&name.node.name).is_some() => {
                    names.push(name.node.name.as_str());
                }
                _ => break,
            }
        }
        let (single, double, extended) = match names[..] {
            [single, double, extended, ..]
                if single.strip_suffix('f') == Some(double)
                    && extended.strip_suffix('l') == Some(double) =>
            {
                (single, double, extended)
            }
            _ => return Err("`__builtin_tgmath` with functions of another form".into()),
        };
        let arguments = &call.arguments[names.len()..];
        let mut format = FloatType::Single;
        for argument in arguments {
            match self.type_of(argument)? {
                Type::Float(FloatType::Single) => {}
                Type::Float(FloatType::Extended) => format = FloatType::Extended,
                Type::Float(FloatType::Double) | Type::Int(_) if format == FloatType::Single => {
                    format = FloatType::Double;
                }
                Type::Float(FloatType::Double) | Type::Int(_) => {}
                _ => return Err("a type-generic function of something that is not real".into()),
            }
        }
        let name = match format {
            FloatType::Single => single,
            FloatType::Extended => extended,
            _ => double,
        };
        self.named_call(name, arguments, call.element, false)
            .map(Some)
    }

    /// The value of an expression of which only a part is used: for a library function whose result is
    /// specified up to that part, a call of its exact variant, whose result is one of the possible ones.
    pub(super) fn rvalue_for(
        &mut self,
        expression: &'a Node<Expression>,
        part: Part,
    ) -> Result<Value> {
        if let Expression::Call(call) = &expression.node
            && let Expression::Identifier(name) = &call.node.callee.node
        {
            let name = &name.node.name;
            let plain = name.strip_prefix("__builtin_").unwrap_or(name);
            let exact = format!("__craig_exact_{plain}");
            let is_library = |name: &str| {
                let definition = self.definition_of(name);
                definition.is_some_and(|definition| !definition.is_own())
            };
            let is_variable = !matches!(self.lookup(name), Some(Symbol::Function(..)) | None);
            let fits = part == Part::Truth || COMPARISONS.contains(&plain);
            if fits && !is_variable && is_library(name) && is_library(&exact) {
                self.locate(call.node.callee.span.start);
                let ty = self.definition_head(self.definitions[&exact].function)?.1;
                let id = self.want(&exact);
                return self.direct_call(Callee::Direct(id), &ty, &call.node.arguments);
            }
        }
        self.rvalue(expression)
    }

    /// A call of a function whose row in the table determines its lowering; `None` for all others. The
    /// program's own definition has precedence, unless the row replaces definitions.
    fn modelled_call(
        &mut self,
        name: &str,
        arguments: &'a [Node<Expression>],
        element: Option<&Type>,
    ) -> Result<Option<Value>> {
        if self.options.is_marked(name) {
            if !self.is_defined_by_program(name) {
                self.convention(name, Role::Error, &Type::Void);
            }
            self.terminate(Terminator::Error(format!("`{name}` is called")));
            return Ok(Some(self.void()));
        }
        let Some((row, format)) = row_of(name) else {
            return Ok(None);
        };
        if REPLACED.contains(&name) && self.is_defined_by_program(name) {
            return Err(format!(
                "a call of the program's own `{name}`, which compilers take for the library's"
            ));
        }
        match row.model {
            Model::Lowered(lower)
                if row.replaces_definition || !self.is_defined_by_program(name) =>
            {
                let call = NamedCall {
                    name,
                    arguments,
                    element,
                    format,
                };
                lower(self, &call)
            }
            _ => Ok(None),
        }
    }

    /// The length of the text of a literal: compilers know it, also where a constant is wanted.
    fn length_of_literal(
        &mut self,
        name: &str,
        arguments: &'a [Node<Expression>],
    ) -> Result<Option<Value>> {
        let is_length = matches!(name, "strlen" | "__builtin_strlen");
        let [argument] = arguments else {
            return Ok(None);
        };
        let Expression::StringLiteral(literal) = &argument.node else {
            return Ok(None);
        };
        let (units, element) = string_units(&literal.node)?;
        if !is_length || element.size != 1 || self.is_defined_by_program(name) {
            return Ok(None);
        }
        let length = units.iter().take_while(|&&unit| unit != 0).count();
        Ok(Some(self.size_value(length as u64)))
    }

    fn direct_call(
        &mut self,
        callee: Callee,
        ty: &FunctionType,
        arguments: &'a [Node<Expression>],
    ) -> Result<Value> {
        self.call_with(callee, ty, arguments, None)
    }

    /// A call; `again` is the pointer to the function, where the arguments may change it.
    fn call_with(
        &mut self,
        mut callee: Callee,
        ty: &FunctionType,
        arguments: &'a [Node<Expression>],
        again: Option<&'a Node<Expression>>,
    ) -> Result<Value> {
        let mut args = Vec::new();
        let mut rest = Vec::new();
        let at = self.at;
        let known = match self.arguments_conflict(arguments)? {
            Some(plan) => self.in_planned_order(arguments, &plan)?,
            None => Vec::new(),
        };
        let mut known = known.into_iter();
        let is_blind = matches!(callee, Callee::Direct(id) if self.is_blind(id));
        let mut pointees = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let value = match known.next() {
                Some(value) => value,
                None => self.rvalue(argument)?,
            };
            let value = self.early_or_now(argument, value)?;
            match ty.params.get(index) {
                Some(param) => {
                    if let (true, Type::Pointer(to)) = (is_blind, &value.ty) {
                        pointees.push(to.clone());
                    }
                    let outer = std::mem::replace(&mut self.is_passed_blindly, is_blind);
                    let value = self.as_parameter(value, param);
                    self.is_passed_blindly = outer;
                    args.push(self.argument(&value?)?);
                }
                None if ty.variadic => rest.push(self.default_promotion(value)?),
                // Without a prototype there may be more arguments than parameters.
                None if ty.prototype => return Err("a call with too many arguments".into()),
                // The function that the pointer leads to knows its parameters (C11 6.5.2.2p6).
                None if matches!(callee, Callee::Indirect(_)) && ty.params.is_empty() => {
                    let value = self.default_promotion(value)?;
                    args.push(self.argument(&value)?);
                }
                None => {}
            }
        }
        self.at = at;
        if let [to, from] = &pointees[..] {
            self.notes_bytes(to, from);
        }
        if let (Some(pointer), &Callee::Indirect(before)) = (again, &callee) {
            let before = Value {
                expr: before,
                ty: Type::Function(ty.clone().into()).pointer_to(),
            };
            callee = Callee::Indirect(self.read_late(&before, pointer)?);
        }
        if let Callee::Indirect(pointer) = callee {
            self.check_callee(pointer);
        }
        for param in ty.params.iter().skip(arguments.len()) {
            // The missing arguments of an old-style call have arbitrary values.
            if ty.prototype {
                return Err("a call with too few arguments".into());
            }
            let width = self
                .scalar_width(param)
                .ok_or("a missing argument that is no scalar")?;
            let reg = self.fresh(width);
            self.emit(Instr::Choose {
                reg,
                kind: crate::ir::Choice::Uninitialised,
            });
            args.push(self.read(reg));
        }
        if ty.variadic {
            args.push(self.rest_area(rest)?);
        }
        self.call_of(callee, ty, args)
    }

    /// A call of a function of the library's text with values for its parameters.
    pub(super) fn library_call(&mut self, name: &str, args: Vec<Expr>) -> Result<Value> {
        let definition =
            (self.definition_of(name)).ok_or_else(|| format!("no model for `{name}`"))?;
        let ty = self.type_of_definition(definition)?;
        let id = self.want(name);
        self.call_of(Callee::Direct(id), &ty, args)
    }

    /// As `library_call`, where the program declares the function: the result has the type of its declaration.
    pub(super) fn library_call_as_declared(
        &mut self,
        name: &str,
        args: Vec<Expr>,
    ) -> Result<Value> {
        let Some((_, ty)) = self.function_symbol(name) else {
            return self.library_call(name, args);
        };
        let id = self.want(name);
        self.call_of(Callee::Direct(id), &ty, args)
    }

    /// A call with the values of all parameters.
    pub(super) fn call_of(
        &mut self,
        callee: Callee,
        ty: &FunctionType,
        mut args: Vec<Expr>,
    ) -> Result<Value> {
        // The place of a record that is returned comes first.
        let result_slot = match &ty.result {
            Type::Record(_) => {
                let slot = self.slot("result", &ty.result)?;
                self.emit(Instr::Declare { slot });
                let address = self.slot_address(slot);
                args.insert(0, address);
                Some(address)
            }
            _ => None,
        };
        let result = self.scalar_width(&ty.result).map(|width| self.fresh(width));
        self.note_pointer_call(&callee, ty);
        let next = self.builder.block();
        self.terminate_into(
            Terminator::Call {
                callee,
                args,
                result,
                next,
            },
            next,
        );
        self.go_on_jumping()?;
        let expr = match (result_slot, result) {
            (Some(address), _) => address,
            (None, Some(reg)) => self.read(reg),
            (None, None) => self.program.constant(0, 8),
        };
        Ok(Value {
            expr,
            ty: ty.result.clone(),
        })
    }

    /// A record is passed as the address of a copy.
    pub(super) fn argument(&mut self, value: &Value) -> Result<Expr> {
        if !matches!(value.ty, Type::Record(_)) {
            return Ok(value.expr);
        }
        let slot = self.slot("argument", &value.ty)?;
        self.emit(Instr::Declare { slot });
        let address = self.slot_address(slot);
        self.copy(address, value.expr, &value.ty)?;
        Ok(address)
    }

    pub(super) fn default_promotion(&mut self, value: Value) -> Result<Value> {
        match value.ty {
            Type::Float(FloatType::Single) => self.convert(value, &Type::Float(FloatType::Double)),
            _ => {
                let value = self.promote(value)?;
                match value.ty {
                    Type::Int(int) if int != int.of_object() => {
                        self.convert(value, &Type::Int(int.of_object()))
                    }
                    _ => Ok(value),
                }
            }
        }
    }

    /// Further arguments of a variadic call are adjacent, each in a multiple of eight bytes.
    pub(super) fn rest_area(&mut self, rest: Vec<Value>) -> Result<Expr> {
        let mut size = 0;
        let mut places = Vec::new();
        for value in rest {
            let own = self
                .types
                .size(&value.ty)
                .ok_or("an argument of incomplete type")?;
            places.push((size, value));
            size += own.next_multiple_of(8);
        }
        let ty = Type::Array(Type::Int(IntType::UCHAR).into(), Some(size));
        let slot = self.slot("further arguments", &ty)?;
        let mut cells = Vec::new();
        for (at, value) in &places {
            let mut own = self
                .types
                .cells(&value.ty, 1 << 12)
                .ok_or("so large an argument")?;
            let end = self.types.size(&value.ty).unwrap_or(0);
            own.extend((end..end.next_multiple_of(8)).map(|offset| (offset, 1)));
            cells.extend(own.into_iter().map(|(offset, bytes)| (at + offset, bytes)));
        }
        self.builder.function.slots[slot as usize].shape = crate::ir::Shape::new(size, cells);
        self.emit(Instr::Declare { slot });
        let base = self.slot_address(slot);
        for (at, value) in places {
            let address = self.offset(base, at);
            self.store(Place::Memory(address), &value.ty, value.expr)?;
        }
        Ok(base)
    }
}
