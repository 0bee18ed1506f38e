//! Functions that are not called but understood: error marks, assumptions, inputs, memory, and what the
//! compiler itself defines.

use lang_c::ast::*;
use lang_c::span::Node;

use crate::c::ir::{CheckKind, Choice, Expr, Instr, Role, Storage, Terminator};
use crate::c::types::{FloatType, FunctionType, IntType, Type};
use crate::word::Op;

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
            | "__builtin_unreachable"
            | "quick_exit" => {
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
            "malloc" | "__builtin_malloc" | "alloca" | "__builtin_alloca" | "kmalloc"
            | "valloc" | "calloc" | "__builtin_calloc" => {
                let values = self.evaluate_all(arguments)?;
                let width = self.pointer_width();
                let mut size =
                    self.resized(values.first().ok_or("an allocation without a size")?, width)?;
                let zeroed = name.ends_with("calloc");
                if zeroed {
                    let each =
                        self.resized(values.get(1).ok_or("an allocation without a size")?, width)?;
                    size = self.program.binary(Op::Mul, size, each);
                }
                // glibc gives out no object that half of the addresses do not suffice for.
                if let Some(size) = self.program.constant_value(size)
                    && size >> (width - 1) != 0
                {
                    return Ok(Some(Value {
                        expr: self.program.constant(0, width),
                        ty: Type::Void.pointer_to(),
                    }));
                }
                let element = element
                    .and_then(|ty| self.shape(ty).ok())
                    .filter(|shape| shape.size > 0);
                let reg = self.fresh(width);
                self.emit(Instr::Allocate {
                    reg,
                    size,
                    element,
                    zeroed,
                    storage: if name.ends_with("alloca") {
                        Storage::Frame
                    } else {
                        Storage::Heap
                    },
                });
                Value {
                    expr: self.read(reg),
                    ty: Type::Void.pointer_to(),
                }
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
            "__builtin_constant_p" => self.int(0),
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
            "printf" | "fprintf" | "vprintf" | "vfprintf" | "puts" | "putchar" | "putc"
            | "fputc" | "fputs" | "__builtin_printf" | "__builtin_puts" | "__builtin_putchar"
            | "printk" | "fclose" => {
                self.evaluate_all(arguments)?;
                self.choose(&Type::INT, Choice::Input(name.into()))?
            }
            "rand" | "random" | "lrand48" => {
                self.convention(name, Role::Input, &Type::INT);
                let value = self.choose(&Type::INT, Choice::Input(name.into()))?;
                let zero = self.program.constant(0, 32);
                let negative = self.program.binary(Op::Slt, value.expr, zero);
                let condition = self.program.not(negative);
                self.emit(Instr::Assume { condition });
                value
            }
            "getchar" | "getpid" | "clock" => {
                self.convention(name, Role::Input, &Type::INT);
                self.choose(&Type::INT, Choice::Input(name.into()))?
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

    fn assertion(&mut self, condition: Expr, customary: bool) {
        if customary {
            self.check(condition, CheckKind::Assertion);
        } else {
            // Another mark is asked for; a failing assertion just ends the program.
            self.emit(Instr::Assume { condition });
        }
    }

    fn choose(&mut self, ty: &Type, kind: Choice) -> Result<Value> {
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

    /// A call of a function without body and without model.
    pub(super) fn unknown_call(
        &mut self,
        name: &str,
        ty: Option<std::sync::Arc<FunctionType>>,
        arguments: &'a [Node<Expression>],
    ) -> Result<Value> {
        self.function_id(name);
        if is_specified(name) {
            return Err(format!("no model for `{name}`"));
        }
        let values = self.evaluate_all(arguments)?;
        for value in values {
            self.may_change(&value)?;
        }
        self.note(format!("no model for `{name}`: it is taken to return any value, and to change at most numbers that its arguments point to"));
        let result = ty.map_or(Type::INT, |ty| ty.result.clone());
        self.convention(name, Role::Input, &result);
        match result {
            Type::Void => Ok(self.void()),
            Type::Record(_) => {
                let slot = self.slot(name, &result)?;
                self.emit(Instr::Declare { slot });
                Ok(Value {
                    expr: self.slot_address(slot),
                    ty: result,
                })
            }
            _ => self.choose(&result, Choice::Unknown(name.into())),
        }
    }

    /// A function without model gets a pointer to a number: that may be any number afterwards.
    fn may_change(&mut self, pointer: &Value) -> Result<()> {
        let Type::Pointer(to) = &pointer.ty else {
            return Ok(());
        };
        if !matches!(&**to, Type::Int(int) if int.size > 1) && !matches!(**to, Type::Float(_)) {
            return Ok(());
        }
        let Some(width) = self.scalar_width(to) else {
            return Ok(());
        };
        let reg = self.fresh(width);
        self.emit(Instr::Choose {
            reg,
            kind: Choice::Unknown("the function".into()),
        });
        let value = self.read(reg);
        self.store(Place::Memory(pointer.expr), to, value)?;
        Ok(())
    }

    fn numeric_builtin(
        &mut self,
        name: &str,
        arguments: &'a [Node<Expression>],
    ) -> Result<Option<Value>> {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        if let Some(value) = self.float_function(plain, arguments)? {
            return Ok(Some(value));
        }
        let value = match plain {
            "isnan" | "isnanf" | "isnanl" | "isinf" | "isinff" | "isinfl" | "isinf_sign"
            | "isfinite" | "finite" | "finitef" | "finitel" | "isnormal" | "__isnan"
            | "__isnanf" | "__isnanl" | "__isinf" | "__isinff" | "__isinfl" | "__finite"
            | "__finitef" | "__finitel" | "signbit" | "signbitf" | "signbitl" | "__signbit"
            | "__signbitf" | "__signbitl" => {
                let argument = arguments.first().ok_or("a call without its argument")?;
                let value = self.rvalue(argument)?;
                let Type::Float(format) = value.ty else {
                    return Ok(None);
                };
                self.classify(plain, format, value.expr)?
            }
            "fpclassify" if arguments.len() == 6 => {
                let mut values = self.evaluate_all(arguments)?;
                let Some(value) = values.pop() else {
                    return Ok(None);
                };
                let mut kinds = Vec::new();
                for kind in &values {
                    kinds.push(self.resized(kind, 32)?);
                }
                let kinds = <[Expr; 5]>::try_from(kinds)
                    .map_err(|_| "a call without its arguments".to_string())?;
                self.kind_of_float(kinds, &value)?
            }
            "__fpclassify" | "__fpclassifyf" | "__fpclassifyl" => {
                let value = self.rvalue(argument(arguments, 0)?)?;
                // glibc's numbers.
                let kinds = [0, 1, 4, 3, 2].map(|kind| self.program.constant(kind, 32));
                self.kind_of_float(kinds, &value)?
            }
            "isgreater" | "isgreaterequal" | "isless" | "islessequal" | "isunordered"
            | "islessgreater" => {
                let values = self.evaluate_all(arguments)?;
                let [a, b] = <[Value; 2]>::try_from(values)
                    .map_err(|_| "a comparison of floats".to_string())?;
                let bit = match plain {
                    "isgreater" => self.compare(&BinaryOperator::Greater, a, b)?,
                    "isgreaterequal" => self.compare(&BinaryOperator::GreaterOrEqual, a, b)?,
                    "isless" => self.compare(&BinaryOperator::Less, a, b)?,
                    "islessequal" => self.compare(&BinaryOperator::LessOrEqual, a, b)?,
                    "islessgreater" => {
                        let less = self.compare(&BinaryOperator::Less, a.clone(), b.clone())?;
                        let greater = self.compare(&BinaryOperator::Greater, a, b)?;
                        self.or(less, greater)
                    }
                    _ => {
                        let x = self.compare(&BinaryOperator::NotEquals, a.clone(), a)?;
                        let y = self.compare(&BinaryOperator::NotEquals, b.clone(), b)?;
                        self.or(x, y)
                    }
                };
                self.int_of_bit(bit)
            }
            "abs" | "labs" | "llabs" => {
                let ty = match plain {
                    "abs" => IntType::INT,
                    "labs" => IntType::long(self.options.model, true),
                    _ => IntType::new(5, true, 8),
                };
                let checks_overflow = self.options.checks.overflow && self.is_own_code();
                let argument = arguments.first().ok_or("a call without its argument")?;
                let value = self.rvalue(argument)?;
                let value = self.convert(value, &Type::Int(ty))?;
                let zero = self.program.constant(0, ty.width());
                let negative = self.program.binary(Op::Slt, value.expr, zero);
                let negated = self.program.binary(Op::Sub, zero, value.expr);
                if checks_overflow {
                    let least = self.program.constant(1 << (ty.width() - 1), ty.width());
                    let is_least = self.program.binary(Op::Eq, value.expr, least);
                    let has_opposite = self.program.not(is_least);
                    self.check(has_opposite, CheckKind::Overflow);
                }
                Value {
                    expr: self.program.ite(negative, negated, value.expr),
                    ty: value.ty,
                }
            }
            "bitreverse8" | "bitreverse16" | "bitreverse32" | "bitreverse64" => {
                let width = plain["bitreverse".len()..].parse().unwrap_or(64);
                let value = self.rvalue(argument(arguments, 0)?)?;
                let value = self.resized(&value, width)?;
                let mut result = self.program.constant(0, width);
                for at in 0..width {
                    let bit = self.program.extract(value, at, 1);
                    let bit = self.program.resize(bit, width, false);
                    let place = self.program.constant(u128::from(width - 1 - at), width);
                    let bit = self.program.binary(Op::Shl, bit, place);
                    result = self.program.binary(Op::Xor, result, bit);
                }
                let rank = [1, 2, 3, 5][(width / 8).ilog2() as usize];
                Value {
                    expr: result,
                    ty: Type::Int(IntType::new(rank, false, (width / 8) as u8)),
                }
            }
            "bswap16" | "bswap32" | "bswap64" | "popcount" | "popcountl" | "popcountll" | "clz"
            | "clzl" | "clzll" | "ctz" | "ctzl" | "ctzll" | "ffs" | "ffsl" | "ffsll" | "parity" => {
                self.bit_builtin(plain, arguments)?
            }
            "add_overflow" | "sub_overflow" | "mul_overflow" | "sadd_overflow"
            | "saddl_overflow" | "saddll_overflow" | "uadd_overflow" | "uaddl_overflow"
            | "uaddll_overflow" | "ssub_overflow" | "ssubl_overflow" | "ssubll_overflow"
            | "usub_overflow" | "usubl_overflow" | "usubll_overflow" | "smul_overflow"
            | "smull_overflow" | "smulll_overflow" | "umul_overflow" | "umull_overflow"
            | "umulll_overflow"
                if name.starts_with("__builtin_") =>
            {
                self.overflow_builtin(plain, arguments)?
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    fn bit_builtin(&mut self, name: &str, arguments: &'a [Node<Expression>]) -> Result<Value> {
        let width = match name {
            "bswap16" => 16,
            "bswap64" => 64,
            _ if name.ends_with("ll") => 64,
            _ if name.ends_with('l') => self.pointer_width(),
            _ => 32,
        };
        let argument = arguments.first().ok_or("a call without its argument")?;
        let value = self.rvalue(argument)?;
        let value = self.resized(&value, width)?;
        if name.starts_with("bswap") {
            let mut sum = self.program.constant(0, width);
            for byte in 0..width / 8 {
                let part = self.program.extract(value, byte * 8, 8);
                let part = self.program.resize(part, width, false);
                let amount = self
                    .program
                    .constant(u128::from(width - 8 - byte * 8), width);
                let part = self.program.binary(Op::Shl, part, amount);
                sum = self.program.binary(Op::Xor, sum, part);
            }
            let ty = IntType::new(
                if width == 64 {
                    5
                } else if width == 32 {
                    3
                } else {
                    2
                },
                false,
                (width / 8) as u8,
            );
            return Ok(Value {
                expr: sum,
                ty: Type::Int(ty),
            });
        }
        let bit = |lowering: &mut Self, index: u32| lowering.program.extract(value, index, 1);
        let expr = if name.starts_with("popcount") || name == "parity" {
            let mut sum = self.program.constant(0, 32);
            for index in 0..width {
                let one = bit(self, index);
                let one = self.program.resize(one, 32, false);
                sum = self.program.binary(Op::Add, sum, one);
            }
            if name == "parity" {
                let one = self.program.constant(1, 32);
                sum = self.program.binary(Op::And, sum, one);
            }
            sum
        } else {
            // The position of the first one; of 0, gcc says nothing but for `ffs`.
            let (from_top, base) = (name.starts_with("clz"), u128::from(name.starts_with("ffs")));
            let mut found = self
                .program
                .constant(if base == 1 { 0 } else { u128::from(width) }, 32);
            for step in (0..width).rev() {
                let index = if from_top { width - 1 - step } else { step };
                let one = bit(self, index);
                let position = self.program.constant(u128::from(step) + base, 32);
                found = self.program.ite(one, position, found);
            }
            found
        };
        Ok(Value {
            expr,
            ty: Type::INT,
        })
    }

    fn overflow_builtin(&mut self, name: &str, arguments: &'a [Node<Expression>]) -> Result<Value> {
        let values = self.evaluate_all(arguments)?;
        let [mut a, mut b, target] =
            <[Value; 3]>::try_from(values).map_err(|_| "an overflow check".to_string())?;
        let Type::Pointer(to) = &target.ty else {
            return Err("an overflow check".into());
        };
        let to = (**to).clone();
        let Type::Int(result) = to else {
            return Err("an overflow check".into());
        };
        if !matches!(name, "add_overflow" | "sub_overflow" | "mul_overflow") {
            a = self.convert(a, &to)?;
            b = self.convert(b, &to)?;
        }
        if values_are_wide(&a, &b) || result.size > 8 {
            return Err("an overflow check of 128 bits".into());
        }
        // Exact in 128 bits: a sign and 64 bits each, or 130 for products of two unsigned ones.
        let (x, y) = (self.resized(&a, 128)?, self.resized(&b, 128)?);
        let op = if name.contains("add") {
            Op::Add
        } else if name.contains("sub") {
            Op::Sub
        } else {
            Op::Mul
        };
        let exact = self.program.binary(op, x, y);
        let low = self.program.extract(exact, 0, result.width());
        let back = self.program.resize(low, 128, result.signed);
        let fits = self.program.binary(Op::Eq, exact, back);
        self.store(Place::Memory(target.expr), &Type::Int(result), low)?;
        let overflows = self.program.not(fits);
        Ok(Value {
            expr: self.program.resize(overflows, 8, false),
            ty: Type::Int(IntType::BOOL),
        })
    }
}

/// Whether one of the integers has more than 64 bits.
fn values_are_wide(a: &Value, b: &Value) -> bool {
    [a, b]
        .iter()
        .any(|value| matches!(value.ty, Type::Int(int) if int.size > 8))
}

/// Functions whose results are specified, so that "any value" would be a wrong guess.
fn is_specified(name: &str) -> bool {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let plain = plain.strip_suffix(['f', 'l']).unwrap_or(plain);
    name.starts_with("__builtin_")
        || name.starts_with("__atomic_")
        || name.starts_with("__sync_")
        || matches!(
            plain,
            "sin"
                | "cos"
                | "tan"
                | "asin"
                | "acos"
                | "atan"
                | "atan2"
                | "exp"
                | "exp2"
                | "log"
                | "log2"
                | "log10"
                | "pow"
                | "floor"
                | "ceil"
                | "round"
                | "trunc"
                | "rint"
                | "nearbyint"
                | "fmod"
                | "mod"
                | "modf"
                | "frexp"
                | "ldexp"
                | "remainder"
                | "nextafter"
                | "fma"
                | "cbrt"
                | "hypot"
                | "sinh"
                | "cosh"
                | "tanh"
                | "lround"
                | "lrint"
                | "llround"
                | "copysign"
                | "fdim"
                | "fmax"
                | "fmin"
                | "logb"
                | "ilogb"
                | "scalbn"
                | "expm1"
                | "log1p"
                | "erf"
                | "gamma"
        )
        || matches!(
            name,
            "strtol"
                | "strtoul"
                | "strtoll"
                | "strtoull"
                | "strtod"
                | "strtof"
                | "atol"
                | "atoll"
                | "atof"
                | "sprintf"
                | "snprintf"
                | "vsprintf"
                | "vsnprintf"
                | "asprintf"
                | "sscanf"
                | "qsort"
                | "bsearch"
                | "setjmp"
                | "_setjmp"
                | "longjmp"
                | "signal"
                | "atexit"
                | "on_exit"
                | "div"
                | "ldiv"
                | "lldiv"
                | "ffs"
                | "strcasecmp"
                | "strncasecmp"
                | "strcoll"
                | "strxfrm"
                | "memccpy"
                | "strsep"
                | "strtok_r"
                | "swab"
                | "wcslen"
                | "wcscmp"
                | "wcscpy"
                | "wmemset"
                | "wmemcpy"
                | "__ctype_b_loc"
                | "__ctype_tolower_loc"
                | "__ctype_toupper_loc"
                | "fesetround"
                | "fegetround"
                | "__fpclassify"
                | "__fpclassifyf"
                | "mktime"
                | "gmtime"
                | "localtime"
                | "strftime"
                | "difftime"
                | "pthread_create"
                | "pthread_join"
                | "aligned_alloc"
                | "memalign"
                | "posix_memalign"
                | "pthread_exit"
                | "pthread_mutex_lock"
                | "pthread_cond_wait"
                | "thrd_create"
                | "sem_wait"
                | "fork"
                | "stpncpy"
                | "memmem"
                | "strndup"
        )
}
