//! Models of functions that do not compute: error marks, assumptions, inputs, program termination, memory and
//! output. `function_table` maps functions to models.

use craig_word::Op;

use super::function_model::NamedCall;
use super::state::Side;
use super::{Lowering, Place, Result, Value};
use crate::host_function::HostFunction;
use crate::ir::{Callee, CheckKind, Choice, Expr, Instr, Role, Terminator};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::{FloatType, IntType, Type};

/// An argument of a call, if there are that many.
pub(super) fn argument(arguments: &[Node<Expression>], index: usize) -> Result<&Node<Expression>> {
    let missing = || format!("a call without its argument {}", index + 1);
    arguments.get(index).ok_or_else(missing)
}

/// The library's call for unsupported behaviour.
pub(super) fn unsupported(call: &NamedCall<'_, '_>) -> Result<Option<Value>> {
    Err(text_of(argument(call.arguments, 0)?)?)
}

/// The text of a literal that the library passes to one of its own functions.
fn text_of(literal: &Node<Expression>) -> Result<String> {
    match &literal.node {
        Expression::StringLiteral(text) => Ok(text.node.concat().trim_matches('"').to_string()),
        _ => Err("something that the library does not model".into()),
    }
}

impl<'a> Lowering<'a> {
    pub(super) fn void(&mut self) -> Value {
        Value {
            expr: self.program.constant(0, 8),
            ty: Type::Void,
        }
    }

    pub(super) fn int(&mut self, value: u128) -> Value {
        Value {
            expr: self.program.constant(value, 32),
            ty: Type::INT,
        }
    }

    /// The arguments' values. Their effects have the position of the call's start.
    pub(super) fn evaluate_all(&mut self, arguments: &'a [Node<Expression>]) -> Result<Vec<Value>> {
        let at = self.at;
        if let Some(plan) = self.arguments_conflict(arguments)? {
            let values = self.in_planned_order(arguments, &plan);
            self.at = at;
            return values;
        }
        let values = arguments
            .iter()
            .map(|argument| self.rvalue(argument))
            .collect();
        self.at = at;
        values
    }

    fn condition_in(&mut self, arguments: &'a [Node<Expression>], side: Side) -> Result<Expr> {
        let argument = arguments.first().ok_or("a call without its argument")?;
        let at = self.at;
        let truth = self.condition_of(argument, side);
        self.at = at;
        truth
    }

    /// Whether the program itself defines a function of this name.
    pub(super) fn is_defined_by_program(&self, name: &str) -> bool {
        (self.definition_of(name)).is_some_and(|definition| definition.is_own())
    }

    /// An error mark. `is_convention`: whether a test driver has to define the function.
    pub(super) fn error_mark(
        &mut self,
        call: &NamedCall<'a, '_>,
        is_convention: bool,
    ) -> Result<Option<Value>> {
        let is_own = self.is_defined_by_program(call.name);
        // If it is not a mark, the program's definition applies.
        if is_own && !self.options.is_customary() {
            return Ok(None);
        }
        if is_convention && !is_own {
            self.convention(call.name, Role::Error, &Type::Void);
        }
        self.evaluate_all(call.arguments)?;
        let end = if self.options.is_customary() {
            Terminator::Error(format!("`{}` is called", call.name))
        } else {
            Terminator::Halt
        };
        self.terminate(end);
        Ok(Some(self.void()))
    }

    /// An assumption. `is_convention`: whether a test driver has to define the function.
    pub(super) fn assumption(
        &mut self,
        call: &NamedCall<'a, '_>,
        is_convention: bool,
    ) -> Result<Option<Value>> {
        if is_convention && !self.is_defined_by_program(call.name) {
            self.convention(call.name, Role::Assumption, &Type::Void);
        }
        let condition = self.condition_in(call.arguments, Side::Hypothesis)?;
        self.emit(Instr::Assume { condition });
        Ok(Some(self.void()))
    }

    pub(super) fn assertion(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let is_own = self.is_defined_by_program(call.name);
        if is_own && !self.options.is_customary() {
            return Ok(None);
        }
        if !is_own {
            self.convention(call.name, Role::Assertion, &Type::Void);
        }
        let condition = self.condition_in(call.arguments, Side::Goal)?;
        if self.options.is_customary() {
            self.check(condition, CheckKind::Assertion);
        } else {
            // The checked property is another mark; a failing assertion ends the program.
            self.emit(Instr::Assume { condition });
        }
        Ok(Some(self.void()))
    }

    /// Ends the program after the functions registered by `atexit`.
    pub(super) fn exit(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        self.evaluate_all(call.arguments)?;
        self.exit_normally()?;
        Ok(Some(self.void()))
    }

    /// A number of the process that stays the same (`library_state`).
    pub(super) fn process_number(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let ty = match self.function_symbol(call.name) {
            Some((_, ty)) => ty.result.clone(),
            None => Type::INT,
        };
        let value = self.input(call, &ty)?;
        if let Some(number) = &value {
            self.follow_state(call.name, &[], number)?;
        }
        Ok(value)
    }

    /// The end of the program by `exit` (C11 7.22.4.4).
    pub(super) fn exit_normally(&mut self) -> Result<()> {
        self.call_at_end()?;
        if self.options.checks.leak {
            self.emit(Instr::CheckLeaks);
        }
        self.terminate(Terminator::Halt);
        Ok(())
    }

    /// Ends the program immediately.
    pub(super) fn halt(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        self.evaluate_all(call.arguments)?;
        self.terminate(Terminator::Halt);
        Ok(Some(self.void()))
    }

    /// A place that the program promises not to reach. What follows has no meaning in C, so that the run ends.
    pub(super) fn unreachable_place(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        if self.options.checks.unreachable {
            self.goal(CheckKind::Unreachable);
        } else {
            self.note(format!(
                "it is assumed that no run reaches `{}` (`--check unreachable` checks that)",
                call.name
            ));
        }
        self.halt(call)
    }

    /// Any number, for unspecified behaviour; the argument of the library's call describes it.
    pub(super) fn open_choice(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let what = text_of(argument(call.arguments, 0)?)?;
        self.choose(&Type::INT, Choice::Open(what)).map(Some)
    }

    /// See [`Instr::Host`]; the first argument of the library's call names the function, and the format of
    /// the others is that of the second one.
    pub(super) fn host(&mut self, call: &NamedCall<'a, '_>, ty: &Type) -> Result<Option<Value>> {
        let name = text_of(argument(call.arguments, 0)?)?;
        let function = HostFunction::named(&name).ok_or("a function of the implementation")?;
        let mut values = Vec::new();
        for argument in &call.arguments[1..] {
            values.push(self.rvalue(argument)?);
        }
        let format = match values.first().map(|value| &value.ty) {
            Some(Type::Float(format)) => *format,
            _ => FloatType::Double,
        };
        let arguments = values.iter().map(|value| value.expr).collect();
        let width = self.scalar_width(ty).ok_or("a result that is no scalar")?;
        let reg = self.fresh(width);
        self.emit(Instr::Host {
            reg,
            function,
            format,
            arguments,
        });
        let (expr, ty) = (self.read(reg), ty.clone());
        Ok(Some(Value { expr, ty }))
    }

    /// Whether results are rounded to the nearest number, for the library's text.
    pub(super) fn rounds_to_nearest(&mut self) -> Result<Option<Value>> {
        let Some(kept) = self.rounding_mode else {
            return Ok(Some(self.int(1)));
        };
        let place = Place::Memory(self.static_address(kept));
        let mode = self.load(place, &Type::INT)?;
        let zero = self.program.constant(0, 32);
        let is_nearest = self.program.binary(Op::Eq, mode.expr, zero);
        Ok(Some(self.int_of_bit(is_nearest)))
    }

    /// See [`Instr::Moved`].
    pub(super) fn moved(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let address = self.rvalue(argument(call.arguments, 0)?)?.expr;
        self.emit(Instr::Moved { address });
        Ok(Some(self.void()))
    }

    /// A random number: any value, or, if sequences may repeat, the library's stored one.
    pub(super) fn random(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        if !self.reseeds {
            return self.input(call, &Type::INT);
        }
        let zero = self.program.constant(0, 32);
        Ok(Some(self.random_step(zero, zero)))
    }

    /// The start of a sequence of random numbers.
    pub(super) fn seed(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let values = self.evaluate_all(call.arguments)?;
        if !self.reseeds {
            return Ok(Some(self.int(0)));
        }
        let seed = self.resized(values.first().ok_or("`srand` without an argument")?, 32)?;
        let one = self.program.constant(1, 32);
        self.random_step(one, seed);
        Ok(Some(self.void()))
    }

    /// A call of the library's function for random numbers.
    fn random_step(&mut self, starts: Expr, seed: Expr) -> Value {
        let id = self.want("__craig_random");
        let result = self.fresh(32);
        let next = self.builder.block();
        let end = Terminator::Call {
            callee: Callee::Direct(id),
            args: vec![starts, seed],
            result: Some(result),
            next,
        };
        self.terminate_into(end, next);
        Value {
            expr: self.read(result),
            ty: Type::INT,
        }
    }

    pub(super) fn free(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let values = self.evaluate_all(call.arguments)?;
        let address = values.first().ok_or("`free` without an argument")?;
        // A null pointer may be written as a number.
        let address = self.resized(address, self.pointer_width())?;
        if self.options.checks.pointer {
            self.emit(Instr::CheckFree { address });
        }
        self.emit(Instr::Free { address });
        Ok(Some(self.void()))
    }

    /// The size of the object that the argument points into; 0 if there is none.
    pub(super) fn object_size(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let address = self.rvalue(argument(call.arguments, 0)?)?;
        let address = self.resized(&address, self.pointer_width())?;
        let reg = self.fresh(self.pointer_width());
        self.emit(Instr::SizeOf { reg, address });
        let ty = Type::Int(IntType::long(self.options.model, false));
        let expr = self.read(reg);
        Ok(Some(Value { expr, ty }))
    }

    /// gcc's value for an object size that is not known at compile time.
    pub(super) fn unknown_object_size(&mut self) -> Result<Option<Value>> {
        let width = self.pointer_width();
        let expr = self.program.constant(u128::MAX, width);
        let ty = Type::Int(IntType::long(self.options.model, false));
        Ok(Some(Value { expr, ty }))
    }

    pub(super) fn first_argument(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let values = self.evaluate_all(call.arguments)?;
        let first = values.into_iter().next();
        Ok(Some(first.ok_or("a call without its argument")?))
    }

    pub(super) fn without_effect(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        self.evaluate_all(call.arguments)?;
        Ok(Some(self.int(0)))
    }

    /// gcc's `__builtin_constant_p` without optimisation: the value is a constant, or a string literal.
    pub(super) fn constant_p(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let expression = argument(call.arguments, 0)?;
        let is_literal = matches!(expression.node, Expression::StringLiteral(_));
        let is_known = is_literal || self.is_constant(expression);
        Ok(Some(self.int(u128::from(is_known))))
    }

    /// gcc's `__builtin_choose_expr`: one of two arguments; the other one is not evaluated.
    pub(super) fn chosen_argument(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let condition = self.constant(argument(call.arguments, 0)?)?;
        let index = if condition == 0 { 2 } else { 1 };
        self.rvalue(argument(call.arguments, index)?).map(Some)
    }

    fn is_constant(&mut self, expression: &'a Node<Expression>) -> bool {
        let is_float = self.without_code(|lowering| {
            let value = lowering.rvalue(expression)?;
            Ok(matches!(value.ty, Type::Float(_))
                && lowering.program.constant_value(value.expr).is_some())
        });
        is_float == Ok(true) || self.constant(expression).is_ok()
    }

    /// Any value of the type, within the row's range.
    pub(super) fn input(&mut self, call: &NamedCall<'a, '_>, ty: &Type) -> Result<Option<Value>> {
        self.convention(call.name, Role::Input, ty);
        let value = self.choose(ty, Choice::Input(call.name.into()))?;
        self.assume_range(call.name, &value)?;
        Ok(Some(value))
    }

    /// A character of the standard input, or its end.
    pub(super) fn character(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let value = self.input(call, &Type::INT)?;
        if let Some(character) = &value {
            self.follow_state(call.name, &[], character)?;
        }
        Ok(value)
    }

    pub(super) fn clock(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let ty = Type::Int(IntType::long(self.options.model, true));
        let value = self.input(call, &ty)?;
        if let Some(used) = value.as_ref().filter(|_| !self.is_without_code) {
            let used = used.expr;
            self.library_call("__craig_time_used", vec![used])?;
        }
        Ok(value)
    }

    /// Any time, also stored where the argument points, unless that is null.
    pub(super) fn time(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let values = self.evaluate_all(call.arguments)?;
        let ty = Type::Int(IntType::long(self.options.model, true));
        self.convention(call.name, Role::Input, &ty);
        let value = self.choose(&ty, Choice::Input(call.name.into()))?;
        self.assume_clock(value.expr);
        if let Some(target) = values.first()
            && matches!(target.ty, Type::Pointer(_))
        {
            let (some, next) = (self.builder.block(), self.builder.block());
            let condition = self.program.truth(target.expr);
            self.branch(condition, some, next, some);
            self.store(Place::Memory(target.expr), &ty, value.expr)?;
            self.jump(next, next);
        }
        Ok(Some(value))
    }

    /// Assumes that the clock shows a time between 1970 and two days before the end of the year 9999, or none.
    fn assume_clock(&mut self, time: Expr) {
        let width = self.program.width(time);
        let last = 253_402_127_999;
        if width <= 32 {
            return;
        }
        let (last, none) = (
            self.program.constant(last, width),
            self.program.constant(u128::from(u64::MAX), width),
        );
        let is_later = self.program.binary(Op::Ult, last, time);
        let is_shown = self.program.not(is_later);
        let is_none = self.program.binary(Op::Eq, time, none);
        let condition = self.or(is_shown, is_none);
        self.emit(Instr::Assume { condition });
        self.note("the clock is taken to show a time between the years 1970 and 9999".into());
    }

    pub(super) fn va_start(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let place = self.argument_list(argument(call.arguments, 0)?)?;
        let reg =
            (self.builder.rest_address).ok_or("`va_start` in a function that is not variadic")?;
        let value = self.read(reg);
        self.store(place, &Type::VaList, value)?;
        Ok(Some(self.void()))
    }

    pub(super) fn va_copy(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let place = self.argument_list(argument(call.arguments, 0)?)?;
        let from = self.argument_list(argument(call.arguments, 1)?)?;
        let value = self.load(from, &Type::VaList)?;
        self.store(place, &Type::VaList, value.expr)?;
        Ok(Some(self.void()))
    }

    /// The lvalue of a `va_list`.
    pub(super) fn argument_list(&mut self, list: &'a Node<Expression>) -> Result<Place> {
        match self.place(list)? {
            (place, Type::VaList) => Ok(place),
            _ => Err("a list of arguments that is none".into()),
        }
    }

    pub(super) fn choose(&mut self, ty: &Type, kind: Choice) -> Result<Value> {
        let width = self
            .scalar_width(ty)
            .ok_or("a free value that is no scalar")?;
        let reg = self.named(width, None, Some(ty.clone()));
        self.emit(Instr::Choose { reg, kind });
        let value = self.read(reg);
        if let Type::Int(int) = ty
            && int.rank == 0
        {
            let two = self.program.constant(2, width);
            let condition = self.program.binary(Op::Ult, value, two);
            self.emit(Instr::Assume { condition });
        }
        Ok(Value {
            expr: value,
            ty: ty.clone(),
        })
    }

    /// Any value of the type of the program's declaration, or else of the type in the name's suffix.
    pub(super) fn nondeterministic(&mut self, call: &NamedCall<'a, '_>) -> Result<Value> {
        let name = call.name;
        let suffix = name.split_once("nondet_").map_or("", |(_, suffix)| suffix);
        let model = self.options.model;
        let declared = self.function_symbol(name).map(|(_, ty)| ty.result.clone());
        let takes_pointer = (self.function_symbol(name))
            .is_some_and(|(_, ty)| ty.params.iter().any(|ty| matches!(ty, Type::Pointer(_))));
        let ty = match declared {
            // It gives values to what the pointer leads to.
            Some(Type::Void) if takes_pointer => Type::Void,
            Some(Type::Void) | None => match suffix.trim_end_matches("_t") {
                "bool" | "_Bool" | "Bool" => Type::Int(IntType::BOOL),
                "char" | "schar" => Type::Int(IntType::CHAR),
                "uchar" | "unsigned_char" => Type::Int(IntType::UCHAR),
                "short" => Type::Int(IntType::new(2, true, 2)),
                "ushort" | "unsigned_short" => Type::Int(IntType::new(2, false, 2)),
                "uint" | "unsigned" | "unsigned_int" | "u32" | "U32" | "uint32" => {
                    Type::Int(IntType::UINT)
                }
                "int" | "int32" => Type::INT,
                "long" => Type::Int(IntType::long(model, true)),
                "ulong" | "size" | "unsigned_long" => Type::Int(IntType::long(model, false)),
                "longlong" | "long_long" | "int64" => Type::Int(IntType::new(5, true, 8)),
                "ulonglong" | "u64" | "uint64" => Type::Int(IntType::new(5, false, 8)),
                "int128" => Type::Int(IntType::new(6, true, 16)),
                "uint128" | "u128" => Type::Int(IntType::new(6, false, 16)),
                "uint8" | "u8" => Type::Int(IntType::UCHAR),
                "int8" => Type::Int(IntType::CHAR),
                "uint16" | "u16" => Type::Int(IntType::new(2, false, 2)),
                "int16" => Type::Int(IntType::new(2, true, 2)),
                "float" => Type::Float(FloatType::Single),
                "double" => Type::Float(FloatType::Double),
                "pointer" => Type::Void.pointer_to(),
                "pchar" => Self::char_pointer(),
                _ => Type::INT,
            },
            Some(ty) => ty,
        };
        self.convention(name, Role::Input, &ty);
        self.expose_arguments(name, call.arguments)?;
        if ty.is_void() {
            return Ok(self.void());
        }
        if matches!(ty, Type::Record(_)) {
            let slot = self.slot(name, &ty)?;
            self.emit(Instr::Declare { slot });
            return Ok(Value {
                expr: self.slot_address(slot),
                ty,
            });
        }
        self.choose(&ty, Choice::Input(name.into()))
    }
}
