//! Calls of functions without body and without model.

use lang_c::ast::*;
use lang_c::span::Node;

use crate::ir::{Choice, Instr, Role};
use crate::types::{FunctionType, Type};
use craig_word::Op;

use super::format::conversions;
use super::{Lowering, Place, Result, Value};

impl<'a> Lowering<'a> {
    /// A call of a function without body and without model.
    pub(super) fn unknown_call(
        &mut self,
        name: &str,
        ty: Option<std::sync::Arc<FunctionType>>,
        arguments: &'a [Node<Expression>],
    ) -> Result<Value> {
        self.function_id(name);
        if is_specified(name) || writes_text(name, arguments) {
            return Err(format!("no model for `{name}`"));
        }
        if self.may_be_missing(name) {
            return Err(format!(
                "a call of `{name}`, which is weak and may be missing"
            ));
        }
        let label = self.assembler_names.get(name);
        if label.is_some_and(|label| label != name && self.definitions.contains_key(label)) {
            return Err(format!(
                "`{name}`, which has another function's name for the assembler"
            ));
        }
        let values = self.evaluate_all(arguments)?;
        if self.noreturn.contains(name) {
            self.note(format!(
                "no model for `{name}`: it is taken to end the run, as it is said not to return"
            ));
            let never = self.program.constant(0, 1);
            self.emit(Instr::Assume { condition: never });
            return Ok(self.void());
        }
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
            _ => {
                let value = self.choose(&result, Choice::Unknown(name.into()))?;
                self.assume_range(name, &value)?;
                Ok(value)
            }
        }
    }

    /// What the standard says of a result that is otherwise any value.
    pub(super) fn assume_range(&mut self, name: &str, value: &Value) -> Result<()> {
        let (Type::Int(int), Some((least, most))) = (&value.ty, range_of(name)) else {
            return Ok(());
        };
        if !int.signed || int.width() < 32 {
            return Ok(());
        }
        let constant = |lowering: &mut Self, bound: i64| {
            let mask = u128::MAX >> (u128::BITS - int.width());
            let bits = bound as i128 as u128 & mask;
            lowering.program.constant(bits, int.width())
        };
        let (least, most) = (constant(self, least), constant(self, most));
        let below = self.program.binary(Op::Slt, value.expr, least);
        let above = self.program.binary(Op::Slt, most, value.expr);
        let outside = self.or(below, above);
        let condition = self.program.not(outside);
        self.emit(Instr::Assume { condition });
        Ok(())
    }

    /// Whether a name is declared as weak, and nothing here defines it.
    pub(super) fn may_be_missing(&self, name: &str) -> bool {
        self.weak.contains(name) && !self.definitions.contains_key(name)
    }

    /// A function without model gets a pointer to a number: that may be any number afterwards.
    pub(super) fn may_change(&mut self, pointer: &Value) -> Result<()> {
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
}

/// The least and the largest result of a function that is specified but for its value.
fn range_of(name: &str) -> Option<(i64, i64)> {
    match name {
        "rand" | "rand_r" | "random" | "lrand48" => Some((0, 0x7fff_ffff)),
        "getchar" | "getchar_unlocked" | "fgetc" | "fgetc_unlocked" | "getc" | "getc_unlocked" => {
            Some((-1, 255))
        }
        _ => None,
    }
}

/// Whether a call fills memory with characters, which "it changes at most numbers" would deny.
fn writes_text(name: &str, arguments: &[Node<Expression>]) -> bool {
    let format = match name {
        "scanf" | "__isoc99_scanf" => 0,
        "fscanf" | "sscanf" | "__isoc99_fscanf" | "__isoc99_sscanf" => 1,
        _ => {
            return matches!(
                name,
                "gets"
                    | "getline"
                    | "getdelim"
                    | "fgetws"
                    | "strftime"
                    | "getcwd"
                    | "realpath"
                    | "readlink"
                    | "pread"
                    | "recv"
                    | "recvfrom"
                    | "strerror_r"
                    | "vscanf"
                    | "vfscanf"
                    | "vsscanf"
            );
        }
    };
    let format = arguments.get(format);
    match format.and_then(|format| conversions(&format.node)) {
        Some(found) => found
            .iter()
            .any(|conversion| matches!(conversion.letter, Some('s' | 'c' | '[' | 'S' | 'C' | 'm'))),
        None => true,
    }
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
