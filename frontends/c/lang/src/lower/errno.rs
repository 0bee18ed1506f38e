//! What calls may store in `errno` (C11 7.5): any function of the library that can fail may set it, and so may a
//! function without a body. It is followed only in programs that mention it.

use crate::types::{FloatType, Type};

use super::posix_functions as posix;
use super::{Lowering, Result, Value};

/// How a function of the library uses `errno`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    /// Not at all, or its model says how.
    Known,
    /// It sets `errno` where its result is null.
    Null,
    /// It sets `errno` where its result is null, or -1, and may change it otherwise, as POSIX says.
    Failure,
    /// It sets `errno` where its result is no number or infinite, and, if it underflows, where it is tiny.
    Range { underflows: bool },
    /// It may set it.
    May,
}

impl Lowering<'_> {
    /// The effect on `errno` of a call that has been made. `is_unknown`: the function has neither body nor model.
    pub(super) fn set_errno(&mut self, name: &str, value: &Value, is_unknown: bool) -> Result<()> {
        if !self.uses_errno || self.is_without_code || !self.is_own_code() {
            return Ok(());
        }
        if use_of(name) == Use::Failure {
            let differs = match &value.ty {
                Type::Pointer(_) => value.expr,
                // -1 is the complement of 0.
                _ => self.program.not(value.expr),
            };
            let is_success = self.program.truth(differs);
            let is_success = self.int_of_bit(is_success).expr;
            self.library_call("__craig_errno_of_success", vec![is_success])?;
            return Ok(());
        }
        if is_unknown {
            self.library_call("__craig_any_errno", Vec::new())?;
            return Ok(());
        }
        match (use_of(name), &value.ty) {
            (Use::Known, _) => {}
            (Use::Null, Type::Pointer(_)) => {
                self.library_call("__craig_errno_of_null", vec![value.expr])?;
            }
            (Use::Range { underflows }, Type::Float(format)) => {
                let name = match format {
                    FloatType::Double => "__craig_errno_of_float",
                    FloatType::Single => "__craig_errno_of_single",
                    _ => "__craig_errno_of_range",
                };
                let underflows = self.int(u128::from(underflows)).expr;
                let arguments = match format {
                    FloatType::Double | FloatType::Single => vec![value.expr, underflows],
                    _ => Vec::new(),
                };
                self.library_call(name, arguments)?;
            }
            _ => {
                self.library_call("__craig_may_set_errno", Vec::new())?;
            }
        }
        Ok(())
    }
}

/// What the names of functions begin with that are known.
const PREFIXES: &[&str] = &[
    "nondet_",
    "mem",
    "str",
    "wcs",
    "wmem",
    "is",
    "tow",
    "__craig_",
    "__atomic_",
    "__sync_",
    "__VERIFIER_",
    "__CPROVER_",
    "__ESBMC_",
    "__ctype_",
    "pthread_",
];

/// Functions that set it where they return null.
const FAILS: &[&str] = &[
    "strdup",
    "strndup",
    "wcsdup",
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "kmalloc",
    "valloc",
];

/// Functions of <math.h> with errors of domain or range.
const RANGES: &[&str] = &[
    "sqrt",
    "log",
    "log2",
    "log10",
    "log1p",
    "asin",
    "acos",
    "sin",
    "cos",
    "tan",
    "cosh",
    "sinh",
    "fmod",
    "remainder",
    "drem",
    "remquo",
    "logb",
    "fdim",
    "hypot",
    "atanh",
    "acosh",
    "tgamma",
    "lgamma",
    "fma",
];

/// Those whose results may be too small.
const TINY: &[&str] = &[
    "exp",
    "exp2",
    "expm1",
    "pow",
    "ldexp",
    "scalbn",
    "scalbln",
    "nextafter",
    "nexttoward",
    "nextup",
    "nextdown",
    "erfc",
    "atan2",
];

/// What a compiler replaces, and functions that cannot fail.
const KNOWN: &[&str] = &[
    "abs",
    "labs",
    "llabs",
    "imaxabs",
    "div",
    "ldiv",
    "lldiv",
    "imaxdiv",
    "toupper",
    "tolower",
    "toascii",
    "htonl",
    "htons",
    "ntohl",
    "ntohs",
    "ffs",
    "ffsl",
    "ffsll",
    "rand",
    "srand",
    "random",
    "srandom",
    "drand48",
    "bsearch",
    "free",
    "exit",
    "_exit",
    "_Exit",
    "abort",
    "quick_exit",
    "atexit",
    "at_quick_exit",
    "bzero",
    "bcmp",
    "bcopy",
    "index",
    "rindex",
    "explicit_bzero",
    "assert",
    "assume",
    "reach_error",
    "getenv",
    "secure_getenv",
    "setjmp",
    "_setjmp",
    "longjmp",
    "__errno_location",
    "floor",
    "ceil",
    "trunc",
    "round",
    "rint",
    "nearbyint",
    "roundeven",
    "fabs",
    "copysign",
    "fmax",
    "fmin",
    "modf",
    "frexp",
    "nan",
    "inf",
    "huge_val",
    "tanh",
    "asinh",
    "atan",
    "erf",
    "cbrt",
    "aligned_alloc",
    "posix_memalign",
    "alloca",
    "mempcpy",
    "stpcpy",
    "stpncpy",
    "rawmemchr",
    "swab",
    "signbit",
    "difftime",
];

fn use_of(name: &str) -> Use {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    if FAILS.contains(&plain) {
        return Use::Null;
    }
    let fails = [
        posix::DONE_OR_FAILED,
        posix::NUMBER_OR_FAILED,
        posix::STREAMS,
    ];
    if fails.iter().any(|names| names.contains(&plain)) {
        return Use::Failure;
    }
    if name == plain && PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
        return Use::Known;
    }
    let base = plain.trim_end_matches(['f', 'l']);
    if RANGES.contains(&plain) || RANGES.contains(&base) {
        return Use::Range { underflows: false };
    }
    if TINY.contains(&plain) || TINY.contains(&base) {
        return Use::Range { underflows: true };
    }
    if name != plain || KNOWN.contains(&plain) || KNOWN.contains(&base) {
        return Use::Known;
    }
    Use::May
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_fail_leaves_errno_alone() {
        for name in [
            "strlen",
            "memcpy",
            "isdigit",
            "abs",
            "__builtin_popcount",
            "fabsf",
            "strtol",
        ] {
            assert_eq!(use_of(name), Use::Known, "{name}");
        }
        assert_eq!(use_of("malloc"), Use::Null);
        assert_eq!(use_of("strdup"), Use::Null);
        assert_eq!(use_of("sqrtf"), Use::Range { underflows: false });
        assert_eq!(use_of("pow"), Use::Range { underflows: true });
        for name in ["printf", "atoi", "time", "scanf"] {
            assert_eq!(use_of(name), Use::May, "{name}");
        }
        assert_eq!(use_of("fopen"), Use::Failure);
    }
}
