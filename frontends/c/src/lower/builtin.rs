//! Functions that are not called but understood: error marks, assumptions, inputs, memory, and what the
//! compiler itself defines.

use lang_c::ast::*;
use lang_c::span::Node;

use crate::ir::{CheckKind, Choice, Expr, Instr, Role, Terminator};
use crate::types::{FloatType, IntType, Type};
use craig_word::Op;

use super::format::format_of;
use super::{Lowering, Place, Result, Value};

/// An argument of a call, if there are so many.
pub(super) fn argument(arguments: &[Node<Expression>], index: usize) -> Result<&Node<Expression>> {
    let missing = || format!("a call without its argument {}", index + 1);
    arguments.get(index).ok_or_else(missing)
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

    /// The arguments' values. What the call brings about happens where it starts.
    pub(super) fn evaluate_all(&mut self, arguments: &'a [Node<Expression>]) -> Result<Vec<Value>> {
        let at = self.at;
        let values = arguments
            .iter()
            .map(|argument| self.rvalue(argument))
            .collect();
        self.at = at;
        values
    }

    fn truth_of(&mut self, arguments: &'a [Node<Expression>]) -> Result<Expr> {
        let argument = arguments.first().ok_or("a call without its argument")?;
        let at = self.at;
        let value = self.rvalue(argument)?;
        let truth = self.truth(&value);
        self.at = at;
        truth
    }

    /// A call of a function that is understood here, by name; `None` for all others. What a program
    /// defines itself takes precedence, except for the names that are marks by convention.
    pub(super) fn builtin(
        &mut self,
        name: &str,
        arguments: &'a [Node<Expression>],
        element: Option<&Type>,
    ) -> Result<Option<Value>> {
        let own = self
            .definitions
            .get(name)
            .is_some_and(|definition| definition.2 == 0);
        if let Some(wanted) = &self.options.error_name
            && wanted == name
        {
            self.terminate(Terminator::Error(format!("`{name}` is called")));
            return Ok(Some(self.void()));
        }
        let customary = self.options.is_customary();
        match name {
            "__VERIFIER_error"
            | "reach_error"
            | "__assert_fail"
            | "__assert"
            | "__assert_rtn"
            | "__assert_perror_fail"
            | "_assert" => {
                if !own && !name.starts_with("__assert") && name != "_assert" {
                    self.convention(name, Role::Error, &Type::Void);
                }
                self.evaluate_all(arguments)?;
                let end = if customary {
                    Terminator::Error(format!("`{name}` is called"))
                } else {
                    Terminator::Halt
                };
                self.terminate(end);
                return Ok(Some(self.void()));
            }
            "__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume" | "__builtin_assume" => {
                if !own && name != "__builtin_assume" {
                    self.convention(name, Role::Assumption, &Type::Void);
                }
                let condition = self.truth_of(arguments)?;
                self.emit(Instr::Assume { condition });
                return Ok(Some(self.void()));
            }
            "__CPROVER_assert" | "__ESBMC_assert" => {
                if !own {
                    self.convention(name, Role::Assertion, &Type::Void);
                }
                let condition = self.truth_of(arguments)?;
                self.assertion(condition, customary);
                return Ok(Some(self.void()));
            }
            _ if own => return Ok(None),
            _ => {}
        }
        if let Some(value) = self.nondeterministic(name)? {
            return Ok(Some(value));
        }
        let value = match name {
            "assert" | "__VERIFIER_assert" => {
                self.convention(name, Role::Assertion, &Type::Void);
                let condition = self.truth_of(arguments)?;
                self.assertion(condition, customary);
                self.void()
            }
            "assume" => {
                self.convention(name, Role::Assumption, &Type::Void);
                let condition = self.truth_of(arguments)?;
                self.emit(Instr::Assume { condition });
                self.void()
            }
            "exit"
            | "_exit"
            | "_Exit"
            | "abort"
            | "__builtin_abort"
            | "__builtin_trap"
            | "__builtin_unreachable" => {
                self.evaluate_all(arguments)?;
                if name == "exit" && self.calls_atexit {
                    let next = self.builder.block();
                    let end = self.call_handlers(next);
                    self.terminate_into(end, next);
                }
                if self.options.checks.leak && name == "exit" {
                    self.emit(Instr::CheckLeaks);
                }
                self.terminate(Terminator::Halt);
                self.void()
            }
            "malloc" | "__builtin_malloc" | "kmalloc" | "valloc" | "calloc"
            | "__builtin_calloc" | "__craig_allocate" | "alloca" | "__builtin_alloca" => {
                self.allocation(name, arguments, element)?
            }
            "__craig_open" => {
                let what = self.text_of(argument(arguments, 0)?)?;
                self.choose(&Type::INT, Choice::Open(what))?
            }
            "free" | "cfree" | "kfree" | "__builtin_free" => {
                let values = self.evaluate_all(arguments)?;
                let address = values.first().ok_or("`free` without an argument")?.expr;
                if self.options.checks.pointer {
                    self.emit(Instr::CheckFree { address });
                }
                self.emit(Instr::Free { address });
                self.void()
            }
            // The library's own way to say what it does not model.
            "__craig_unsupported" => {
                let reason = self.text_of(argument(arguments, 0)?)?;
                return Err(reason);
            }
            "__craig_object_size" => {
                let address = self.rvalue(argument(arguments, 0)?)?.expr;
                let reg = self.fresh(self.pointer_width());
                self.emit(Instr::SizeOf { reg, address });
                let ty = Type::Int(IntType::long(self.options.model, false));
                Value {
                    expr: self.read(reg),
                    ty,
                }
            }
            "__builtin_expect"
            | "__builtin_expect_with_probability"
            | "__builtin_assume_aligned" => {
                let values = self.evaluate_all(arguments)?;
                values
                    .into_iter()
                    .next()
                    .ok_or("a call without its argument")?
            }
            "__builtin_constant_p" => {
                let is_known = self.is_known_to_compiler(argument(arguments, 0)?);
                self.int(u128::from(is_known))
            }
            "__builtin_object_size" => {
                let width = self.pointer_width();
                let expr = self.program.constant(u128::MAX, width);
                Value {
                    expr,
                    ty: Type::Int(IntType::long(self.options.model, false)),
                }
            }
            "__builtin_prefetch"
            | "__sync_synchronize"
            | "__atomic_thread_fence"
            | "__atomic_signal_fence"
            | "srand"
            | "srandom"
            | "perror"
            | "setbuf"
            | "setvbuf"
            | "__ESBMC_init_object"
            | "fflush"
            | "__VERIFIER_atomic_begin"
            | "__VERIFIER_atomic_end" => {
                self.evaluate_all(arguments)?;
                self.int(0)
            }
            // Their results are any number; what they write, nobody reads.
            "puts" | "putchar" | "putc" | "fputc" | "fputs" | "__builtin_puts"
            | "__builtin_putchar" | "fclose" => {
                self.evaluate_all(arguments)?;
                self.choose(&Type::INT, Choice::Input(name.into()))?
            }
            _ if format_of(name).is_some() => {
                self.formatted_output(name, arguments)?;
                self.choose(&Type::INT, Choice::Input(name.into()))?
            }
            "rand" | "random" | "lrand48" | "getchar" | "getpid" => {
                self.convention(name, Role::Input, &Type::INT);
                let value = self.choose(&Type::INT, Choice::Input(name.into()))?;
                self.assume_range(name, &value)?;
                value
            }
            "clock" => {
                let ty = Type::Int(IntType::long(self.options.model, true));
                self.convention(name, Role::Input, &ty);
                self.choose(&ty, Choice::Input(name.into()))?
            }
            "time" => {
                let values = self.evaluate_all(arguments)?;
                let ty = Type::Int(IntType::long(self.options.model, true));
                self.convention(name, Role::Input, &ty);
                let value = self.choose(&ty, Choice::Input(name.into()))?;
                if let Some(target) = values.first()
                    && matches!(target.ty, Type::Pointer(_))
                {
                    let (some, next) = (self.builder.block(), self.builder.block());
                    let condition = self.program.truth(target.expr);
                    self.branch(condition, some, next, some);
                    self.store(Place::Memory(target.expr), &ty, value.expr)?;
                    self.jump(next, next);
                }
                value
            }
            "__builtin_va_start" => {
                let (place, _) = self.place(argument(arguments, 0)?)?;
                let reg = self
                    .builder
                    .rest_address
                    .ok_or("`va_start` in a function that is not variadic")?;
                let value = self.read(reg);
                self.store(place, &Type::VaList, value)?;
                self.void()
            }
            "__builtin_va_end" => self.void(),
            "__builtin_va_copy" => {
                let (place, _) = self.place(argument(arguments, 0)?)?;
                let value = self.rvalue(argument(arguments, 1)?)?;
                self.store(place, &Type::VaList, value.expr)?;
                self.void()
            }
            _ => {
                if let Some(value) = self.atomic(name, arguments)? {
                    return Ok(Some(value));
                }
                return self.numeric_builtin(name, arguments);
            }
        };
        Ok(Some(value))
    }

    /// What gcc's `__builtin_constant_p` says without optimisation: the value is a constant, or a string literal.
    fn is_known_to_compiler(&mut self, expression: &'a Node<Expression>) -> bool {
        if matches!(expression.node, Expression::StringLiteral(_)) {
            return true;
        }
        let is_float = self.without_code(|lowering| {
            let value = lowering.rvalue(expression)?;
            Ok(matches!(value.ty, Type::Float(_))
                && lowering.program.constant_value(value.expr).is_some())
        });
        is_float == Ok(true) || self.constant(expression).is_ok()
    }

    /// The text of a literal that the library hands to one of its own functions.
    fn text_of(&self, literal: &Node<Expression>) -> Result<String> {
        match &literal.node {
            Expression::StringLiteral(text) => Ok(text.node.concat().trim_matches('"').to_string()),
            _ => Err("something that the library does not model".into()),
        }
    }

    fn assertion(&mut self, condition: Expr, customary: bool) {
        if customary {
            self.check(condition, CheckKind::Assertion);
        } else {
            // Another mark is asked for; a failing assertion just ends the program.
            self.emit(Instr::Assume { condition });
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

    /// The functions of the verifiers' conventions that return any value of their type.
    fn nondeterministic(&mut self, name: &str) -> Result<Option<Value>> {
        let Some(suffix) = ["__VERIFIER_nondet_", "nondet_", "__CPROVER_nondet_"]
            .iter()
            .find_map(|prefix| name.strip_prefix(prefix))
        else {
            return Ok(None);
        };
        let model = self.options.model;
        let declared = self.function_symbol(name).map(|(_, ty)| ty.result.clone());
        let ty = match declared {
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
        if matches!(ty, Type::Record(_)) {
            let slot = self.slot(name, &ty)?;
            self.emit(Instr::Declare { slot });
            return Ok(Some(Value {
                expr: self.slot_address(slot),
                ty,
            }));
        }
        self.choose(&ty, Choice::Input(name.into())).map(Some)
    }
}
