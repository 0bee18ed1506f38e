//! Functions without a body, by what their calls do to memory.

use super::cbmc::changes_memory;

/// Functions without a body that neither read memory of the program nor change it in a way that another
/// operand can observe.
pub(super) fn is_harmless(name: &str) -> bool {
    if changes_memory(name) {
        return false;
    }
    let plain = name.trim_start_matches('_');
    let is_convention = ["VERIFIER_", "nondet_", "CPROVER_", "ESBMC_", "craig_"]
        .iter()
        .any(|prefix| plain.starts_with(prefix));
    let plain = plain.strip_prefix("builtin_").unwrap_or(plain);
    is_convention
        || matches!(
            plain,
            "expect"
                | "expect_with_probability"
                | "constant_p"
                | "object_size"
                | "unreachable"
                | "trap"
                | "assume_aligned"
                | "alloca"
                | "va_start"
                | "va_end"
                | "printk"
                | "assert"
                | "assert_fail"
                | "reach_error"
                | "abort"
                | "exit"
                | "Exit"
                | "malloc"
                | "calloc"
                | "kmalloc"
                | "assume"
                | "rand"
                | "random"
                | "srand"
                | "getchar"
                | "getpid"
                | "clock"
        )
}

/// Functions that the library calls without a declaration, on numbers alone (or the literal of a NaN).
pub(super) fn takes_numbers_undeclared(name: &str) -> bool {
    matches!(
        name.strip_prefix("__builtin_").unwrap_or(name),
        "inf"
            | "inff"
            | "nan"
            | "complex"
            | "nanf"
            | "isnan"
            | "isinf"
            | "signbit"
            | "fabs"
            | "fabsf"
            | "copysign"
            | "copysignf"
            | "ldexp"
            | "sqrt"
            | "sqrtf"
            | "trunc"
            | "truncf"
            | "floor"
            | "floorf"
            | "ceil"
            | "ceilf"
            | "abs"
            | "labs"
            | "llabs"
            | "isless"
            | "islessequal"
            | "isgreater"
            | "isgreaterequal"
            | "islessgreater"
            | "isunordered"
            | "isfinite"
            | "isnormal"
            | "isinf_sign"
            | "fpclassify"
            | "clz"
            | "clzl"
            | "clzll"
            | "ctz"
            | "ctzl"
            | "ctzll"
            | "ffs"
            | "ffsl"
            | "ffsll"
            | "parity"
            | "parityl"
            | "parityll"
            | "popcount"
            | "popcountl"
            | "popcountll"
            | "bswap16"
            | "bswap32"
            | "bswap64"
    )
}

/// Functions without a body that read the objects of their arguments, and change nothing.
pub(super) fn only_reads(name: &str) -> bool {
    let plain = name.trim_start_matches('_');
    let plain = plain.strip_prefix("builtin_").unwrap_or(plain);
    matches!(
        plain,
        "printf"
            | "fprintf"
            | "vprintf"
            | "vfprintf"
            | "puts"
            | "putchar"
            | "fputs"
            | "fputc"
            | "putc"
            | "strlen"
            | "strnlen"
            | "strcmp"
            | "strncmp"
            | "strcasecmp"
            | "strncasecmp"
            | "strcoll"
            | "strchr"
            | "strrchr"
            | "strstr"
            | "strspn"
            | "strcspn"
            | "strpbrk"
            | "memcmp"
            | "memchr"
            | "atoi"
            | "atol"
            | "atoll"
            | "atof"
            | "wcslen"
            | "wcscmp"
    )
}
