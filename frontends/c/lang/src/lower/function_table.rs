//! The table of the functions that have a model: each name is in one row, which determines the meaning of a
//! call.
//!
//! To add a function: either define it in the library's text and list its name in [`DEFINED_IN_C`], or write a
//! method of [`Lowering`] that lowers a call and add a row with it to [`LOWERED`]. A function about which no
//! assumption is possible goes to [`REFUSED`]. A name without a row is a function without model
//! (`unmodelled`).

use std::collections::HashMap;
use std::sync::LazyLock;

use craig_word::Op;

use super::allocate::Allocator;
use super::annotation::OLD;
use super::atomic::{AtomicChange, AtomicResult};
use super::floating::{FloatClass, FloatComparison};
use super::function_model::{Model, NamedCall, Row};
use super::library_functions as defined;
use super::posix_functions as posix;
use super::refused_functions as refused;
use super::{Lowering, Result, Value, cbmc_table};
use crate::float::Rounding;
use crate::syntax::ast::BinaryOperator;
use crate::types::{FloatType, IntType, Type};

/// Prefixes of names that share one model; they apply if no row has the whole name.
const PREFIXES: &[(&str, Model)] = &[
    ("__VERIFIER_nondet_", Model::Lowered(nondeterministic)),
    ("nondet_", Model::Lowered(nondeterministic)),
    ("__CPROVER_nondet_", Model::Lowered(nondeterministic)),
    ("__builtin_", Model::Refused),
    ("__atomic_", Model::Refused),
    ("__sync_", Model::Refused),
];

fn nondeterministic<'a>(
    lowering: &mut Lowering<'a>,
    call: &NamedCall<'a, '_>,
) -> Result<Option<Value>> {
    lowering.nondeterministic(call).map(Some)
}

/// The width of `long`.
fn long(lowering: &Lowering<'_>) -> u32 {
    IntType::long(lowering.options.model, true).width()
}

/// Functions that are lowered inline.
const LOWERED: &[Row] = &[
    // Error marks, assumptions and assertions of the verifiers' conventions.
    Row::lowered(&["__VERIFIER_error", "reach_error"], |l, c| {
        l.error_mark(c, true)
    })
    .replacing_definitions(),
    Row::lowered(
        &[
            "__assert_fail",
            "__assert",
            "__assert_rtn",
            "__assert_perror_fail",
            "_assert",
        ],
        |l, c| l.error_mark(c, false),
    )
    .replacing_definitions(),
    Row::lowered(
        &["__VERIFIER_assume", "__CPROVER_assume", "__ESBMC_assume"],
        |l, c| l.assumption(c, true),
    )
    .replacing_definitions(),
    Row::lowered(&["__builtin_assume"], |l, c| l.assumption(c, false)).replacing_definitions(),
    Row::lowered(&["__CPROVER_assert", "__ESBMC_assert"], |l, c| {
        l.assertion(c)
    })
    .replacing_definitions(),
    Row::lowered(&["assert", "__VERIFIER_assert"], |l, c| l.assertion(c)),
    Row::lowered(&["assume"], |l, c| l.assumption(c, true)),
    // Program termination.
    // The only thread ends, and with it the program.
    Row::lowered(&["exit", "pthread_exit", "thrd_exit"], |l, c| l.exit(c)),
    Row::lowered(
        &[
            "_exit",
            "_Exit",
            "abort",
            "__builtin_abort",
            "__builtin_trap",
        ],
        |l, c| l.halt(c),
    ),
    // That of C23, which is a macro in newer headers.
    Row::lowered(&["__builtin_unreachable", "unreachable"], |l, c| {
        l.unreachable_place(c)
    }),
    // Memory.
    Row::lowered(&["malloc", "kmalloc", "valloc"], |l, c| {
        l.allocation(c, Allocator::Bytes)
    })
    .or_builtin(),
    Row::lowered(&["calloc"], |l, c| l.allocation(c, Allocator::Elements)).or_builtin(),
    Row::lowered(&["alloca"], |l, c| l.allocation(c, Allocator::Frame)).or_builtin(),
    Row::lowered(&["free", "cfree", "kfree", "__builtin_free"], |l, c| {
        l.free(c)
    }),
    Row::lowered(&["__builtin_object_size"], |l, _| l.unknown_object_size()),
    // Functions used by the library's own text.
    Row::lowered(&["__craig_unsupported"], |_, c| {
        super::builtin::unsupported(c)
    }),
    Row::lowered(&["__craig_allocate"], |l, c| {
        l.allocation(c, Allocator::Library)
    }),
    Row::lowered(&["__craig_aligned"], |l, c| {
        l.allocation(c, Allocator::Aligned)
    }),
    Row::lowered(&["__craig_open"], |l, c| l.open_choice(c)),
    // Annotations (`annotation.rs`).
    Row::lowered(&[OLD], |l, c| l.old_value(c)),
    // Jumps out of functions.
    Row::lowered(
        &[
            "setjmp",
            "_setjmp",
            "__sigsetjmp",
            "sigsetjmp",
            "__builtin_setjmp",
        ],
        |l, c| l.setjmp(c),
    ),
    Row::lowered(
        &[
            "longjmp",
            "_longjmp",
            "siglongjmp",
            "__longjmp_chk",
            "__builtin_longjmp",
        ],
        |l, c| l.longjmp(c),
    ),
    Row::lowered(&["__craig_host"], |l, c| {
        let ty = Type::Float(c.format);
        l.host(c, &ty)
    })
    .for_floats(),
    Row::lowered(&["__craig_text"], |l, c| l.host(c, &Type::INT)),
    Row::lowered(&["__craig_printed"], |l, c| {
        let ty = Type::Int(IntType::long(l.options.model, false));
        l.host(c, &ty)
    }),
    Row::lowered(&["__craig_output"], |l, c| l.host(c, &Type::INT)),
    Row::lowered(&["__craig_checks_memory"], |l, _| {
        let checks = l.options.checks;
        Ok(Some(l.int(u128::from(checks.pointer || checks.bounds))))
    }),
    Row::lowered(&["__craig_checks_overlap"], |l, _| {
        let asked = l.options.checks.overlap;
        Ok(Some(l.int(u128::from(asked))))
    }),
    Row::lowered(&["__craig_check_overlap"], |l, c| {
        let values = l.evaluate_all(c.arguments)?;
        let [to, written, from, read] = &values[..] else {
            return Err("a check of an overlap without its operands".into());
        };
        l.check_overlap((to.expr, written.expr), (from.expr, read.expr));
        Ok(Some(l.void()))
    }),
    Row::lowered(&["__craig_asks_streams"], |l, _| {
        Ok(Some(l.int(u128::from(l.asks_streams))))
    }),
    Row::lowered(&["__craig_standard_input"], |l, _| {
        l.standard_input().map(Some)
    }),
    Row::lowered(&["__craig_environment"], |l, c| l.environment_text(c)),
    Row::lowered(&["__craig_rounds_to_nearest"], |l, _| l.rounds_to_nearest()),
    Row::lowered(&["__craig_moved"], |l, c| l.moved(c)),
    Row::lowered(&["__craig_object_size"], |l, c| l.object_size(c)),
    // Hints to the compiler, and calls without an observable effect.
    Row::lowered(
        &[
            "__builtin_expect",
            "__builtin_expect_with_probability",
            "__builtin_assume_aligned",
        ],
        |l, c| l.first_argument(c),
    ),
    Row::lowered(&["__builtin_tgmath"], |l, c| l.generic_function(c)),
    Row::lowered(&["__builtin_constant_p"], |l, c| l.constant_p(c)),
    Row::lowered(&["__builtin_choose_expr"], |l, c| l.chosen_argument(c)),
    Row::lowered(
        &[
            "__builtin_prefetch",
            "__sync_synchronize",
            "__atomic_thread_fence",
            "__atomic_signal_fence",
            "srandom",
            "__ESBMC_init_object",
            "__VERIFIER_atomic_begin",
            "__VERIFIER_atomic_end",
        ],
        |l, c| l.without_effect(c),
    ),
    // Input and output.
    Row::lowered(
        &["printf", "printk", "printf_unlocked", "wprintf"],
        |l, c| l.formatted_output(c, 0, false),
    )
    .or_builtin(),
    Row::lowered(
        &[
            "fprintf",
            "dprintf",
            "syslog",
            "fwprintf",
            "fprintf_unlocked",
            "__printf_chk",
        ],
        |l, c| l.formatted_output(c, 1, false),
    )
    .or_builtin(),
    Row::lowered(&["__fprintf_chk", "__dprintf_chk"], |l, c| {
        l.formatted_output(c, 2, false)
    })
    .or_builtin(),
    Row::lowered(&["vprintf", "vwprintf"], |l, c| {
        l.formatted_output(c, 0, true)
    })
    .or_builtin(),
    Row::lowered(
        &[
            "vfprintf",
            "vdprintf",
            "vsyslog",
            "vfwprintf",
            "__vprintf_chk",
        ],
        |l, c| l.formatted_output(c, 1, true),
    )
    .or_builtin(),
    Row::lowered(&["__vfprintf_chk"], |l, c| l.formatted_output(c, 2, true)).or_builtin(),
    Row::lowered(&["warn", "warnx"], |l, c| l.message(c, 0, false)),
    Row::lowered(&["vwarn", "vwarnx"], |l, c| l.message(c, 0, true)),
    Row::lowered(&["err", "errx"], |l, c| l.last_message(c, false)),
    Row::lowered(&["verr", "verrx"], |l, c| l.last_message(c, true)),
    Row::lowered(&["error"], |l, c| l.message_with_status(c, 2)),
    Row::lowered(&["error_at_line"], |l, c| l.message_with_status(c, 4)),
    Row::lowered(&["rand"], |l, c| l.random(c)).within(0, 0x7fff_ffff),
    Row::lowered(&["srand"], |l, c| l.seed(c)),
    Row::lowered(&["random", "lrand48"], |l, c| l.input(c, &Type::INT)).within(0, 0x7fff_ffff),
    Row::lowered(&["getchar"], |l, c| l.character(c)).within(-1, 255),
    // Numbers of processes (POSIX 3.300): of the parent 0, if it is in another namespace.
    Row::lowered(&["getpid", "gettid"], |l, c| l.process_number(c)).within(1, 0x7fff_ffff),
    Row::lowered(&["getpgrp"], |l, c| l.process_number(c)).within(1, 0x7fff_ffff),
    Row::lowered(&["getuid", "geteuid", "getgid", "getegid"], |l, c| {
        l.process_number(c)
    }),
    Row::lowered(&["getppid"], |l, c| l.input(c, &Type::INT)).within(0, 0x7fff_ffff),
    Row::lowered(&["clock"], |l, c| l.clock(c)),
    Row::lowered(&["time"], |l, c| l.time(c)),
    // Variadic arguments.
    Row::lowered(&["__builtin_va_start"], |l, c| l.va_start(c)),
    Row::lowered(&["__builtin_va_end"], |l, _| Ok(Some(l.void()))),
    Row::lowered(&["__builtin_va_copy"], |l, c| l.va_copy(c)),
    // Atomic operations.
    Row::lowered(
        &[
            "__atomic_always_lock_free",
            "__atomic_is_lock_free",
            "__sync_always_lock_free",
            "__sync_is_lock_free",
        ],
        |l, _| Ok(Some(l.int(1))),
    ),
    Row::lowered(&["__atomic_load_n"], |l, c| l.atomic_load_value(c)),
    Row::lowered(&["__atomic_load"], |l, c| l.atomic_load(c)),
    Row::lowered(&["__atomic_store_n"], |l, c| l.atomic_store_value(c)),
    Row::lowered(&["__atomic_store"], |l, c| l.atomic_store(c)),
    Row::lowered(
        &["__atomic_exchange_n", "__sync_lock_test_and_set"],
        |l, c| l.atomic_exchange_value(c),
    ),
    Row::lowered(&["__atomic_exchange"], |l, c| l.atomic_exchange(c)),
    Row::lowered(&["__sync_lock_release"], |l, c| l.atomic_release(c)),
    Row::lowered(&["__atomic_test_and_set"], |l, c| l.atomic_test_and_set(c)),
    Row::lowered(&["__atomic_clear"], |l, c| l.atomic_clear(c)),
    Row::lowered(&["__atomic_compare_exchange"], |l, c| {
        l.atomic_compare_exchange(c, false)
    }),
    Row::lowered(&["__atomic_compare_exchange_n"], |l, c| {
        l.atomic_compare_exchange(c, true)
    }),
    Row::lowered(&["__sync_bool_compare_and_swap"], |l, c| {
        l.atomic_compare_and_swap(c, AtomicResult::Swapped)
    }),
    Row::lowered(&["__sync_val_compare_and_swap"], |l, c| {
        l.atomic_compare_and_swap(c, AtomicResult::Old)
    }),
    Row::lowered(&["__atomic_fetch_add", "__sync_fetch_and_add"], |l, c| {
        l.atomic_change(
            c,
            &AtomicChange::By(BinaryOperator::Plus),
            AtomicResult::Old,
        )
    }),
    Row::lowered(&["__atomic_fetch_sub", "__sync_fetch_and_sub"], |l, c| {
        l.atomic_change(
            c,
            &AtomicChange::By(BinaryOperator::Minus),
            AtomicResult::Old,
        )
    }),
    Row::lowered(&["__atomic_fetch_and", "__sync_fetch_and_and"], |l, c| {
        l.atomic_change(
            c,
            &AtomicChange::By(BinaryOperator::BitwiseAnd),
            AtomicResult::Old,
        )
    }),
    Row::lowered(&["__atomic_fetch_or", "__sync_fetch_and_or"], |l, c| {
        l.atomic_change(
            c,
            &AtomicChange::By(BinaryOperator::BitwiseOr),
            AtomicResult::Old,
        )
    }),
    Row::lowered(&["__atomic_fetch_xor", "__sync_fetch_and_xor"], |l, c| {
        l.atomic_change(
            c,
            &AtomicChange::By(BinaryOperator::BitwiseXor),
            AtomicResult::Old,
        )
    }),
    Row::lowered(&["__atomic_fetch_nand", "__sync_fetch_and_nand"], |l, c| {
        l.atomic_change(c, &AtomicChange::Nand, AtomicResult::Old)
    }),
    Row::lowered(&["__atomic_add_fetch", "__sync_add_and_fetch"], |l, c| {
        l.atomic_change(
            c,
            &AtomicChange::By(BinaryOperator::Plus),
            AtomicResult::New,
        )
    }),
    Row::lowered(&["__atomic_sub_fetch", "__sync_sub_and_fetch"], |l, c| {
        l.atomic_change(
            c,
            &AtomicChange::By(BinaryOperator::Minus),
            AtomicResult::New,
        )
    }),
    Row::lowered(&["__atomic_and_fetch", "__sync_and_and_fetch"], |l, c| {
        l.atomic_change(
            c,
            &AtomicChange::By(BinaryOperator::BitwiseAnd),
            AtomicResult::New,
        )
    }),
    Row::lowered(&["__atomic_or_fetch", "__sync_or_and_fetch"], |l, c| {
        l.atomic_change(
            c,
            &AtomicChange::By(BinaryOperator::BitwiseOr),
            AtomicResult::New,
        )
    }),
    Row::lowered(&["__atomic_xor_fetch", "__sync_xor_and_fetch"], |l, c| {
        l.atomic_change(
            c,
            &AtomicChange::By(BinaryOperator::BitwiseXor),
            AtomicResult::New,
        )
    }),
    Row::lowered(&["__atomic_nand_fetch", "__sync_nand_and_fetch"], |l, c| {
        l.atomic_change(c, &AtomicChange::Nand, AtomicResult::New)
    }),
    // Floats.
    Row::lowered(&["fabs"], |l, c| l.absolute_float(c)).for_floats(),
    Row::lowered(&["copysign"], |l, c| l.copy_sign(c)).for_floats(),
    Row::lowered(&["sqrt"], |l, c| l.square_root(c)).for_floats(),
    Row::lowered(&["floor"], |l, c| l.rounded(c, Some(Rounding::Down))).for_floats(),
    Row::lowered(&["ceil"], |l, c| l.rounded(c, Some(Rounding::Up))).for_floats(),
    Row::lowered(&["trunc"], |l, c| l.rounded(c, Some(Rounding::Zero))).for_floats(),
    Row::lowered(&["round"], |l, c| l.rounded(c, Some(Rounding::NearestAway))).for_floats(),
    Row::lowered(&["roundeven"], |l, c| {
        l.rounded(c, Some(Rounding::NearestEven))
    })
    .for_floats(),
    Row::lowered(&["rint", "nearbyint"], |l, c| l.rounded(c, None)).for_floats(),
    Row::lowered(&["lrint"], |l, c| l.rounded_to_long(c, None)).for_floats(),
    Row::lowered(&["llrint"], |l, c| l.rounded_to_long_long(c, None)).for_floats(),
    Row::lowered(&["lround"], |l, c| {
        l.rounded_to_long(c, Some(Rounding::NearestAway))
    })
    .for_floats(),
    Row::lowered(&["llround"], |l, c| {
        l.rounded_to_long_long(c, Some(Rounding::NearestAway))
    })
    .for_floats(),
    Row::lowered(&["inf", "huge_val"], |l, c| l.infinity(c)).for_floats(),
    Row::lowered(&["nan"], |l, c| l.not_a_number(c)).for_floats(),
    Row::lowered(
        &[
            "isnan", "isnanf", "isnanl", "__isnan", "__isnanf", "__isnanl",
        ],
        |l, c| l.classify(c, FloatClass::NotANumber),
    )
    .or_builtin(),
    Row::lowered(&["isinf", "isinff", "isinfl"], |l, c| {
        l.classify(c, FloatClass::Infinite)
    })
    .or_builtin(),
    Row::lowered(
        &["isinf_sign", "__isinf", "__isinff", "__isinfl"],
        |l, c| l.classify(c, FloatClass::InfiniteWithSign),
    )
    .or_builtin(),
    Row::lowered(
        &[
            "isfinite",
            "finite",
            "finitef",
            "finitel",
            "__finite",
            "__finitef",
            "__finitel",
        ],
        |l, c| l.classify(c, FloatClass::Finite),
    )
    .or_builtin(),
    Row::lowered(&["isnormal"], |l, c| l.classify(c, FloatClass::Normal)).or_builtin(),
    Row::lowered(
        &[
            "signbit",
            "signbitf",
            "signbitl",
            "__signbit",
            "__signbitf",
            "__signbitl",
        ],
        |l, c| l.classify(c, FloatClass::Negative),
    )
    .or_builtin(),
    Row::lowered(&["fpclassify"], |l, c| l.kind_among_arguments(c)).or_builtin(),
    Row::lowered(
        &["__fpclassify", "__fpclassifyf", "__fpclassifyl"],
        |l, c| l.kind_for_glibc(c),
    )
    .or_builtin(),
    Row::lowered(&["isgreater"], |l, c| {
        l.compare_floats(c, FloatComparison::By(BinaryOperator::Greater))
    })
    .or_builtin(),
    Row::lowered(&["isgreaterequal"], |l, c| {
        l.compare_floats(c, FloatComparison::By(BinaryOperator::GreaterOrEqual))
    })
    .or_builtin(),
    Row::lowered(&["isless"], |l, c| {
        l.compare_floats(c, FloatComparison::By(BinaryOperator::Less))
    })
    .or_builtin(),
    Row::lowered(&["islessequal"], |l, c| {
        l.compare_floats(c, FloatComparison::By(BinaryOperator::LessOrEqual))
    })
    .or_builtin(),
    Row::lowered(&["islessgreater"], |l, c| {
        l.compare_floats(c, FloatComparison::LessOrGreater)
    })
    .or_builtin(),
    Row::lowered(&["isunordered"], |l, c| {
        l.compare_floats(c, FloatComparison::Unordered)
    })
    .or_builtin(),
    // Complex numbers.
    Row::lowered(&["creal", "cimag", "conj"], |l, c| l.complex_function(c)).for_floats(),
    Row::lowered(&["__builtin_complex"], |l, c| l.complex_of_parts(c)),
    // Integers and their bits.
    Row::lowered(&["abs"], |l, c| l.absolute(c, IntType::INT)).or_builtin(),
    Row::lowered(&["labs"], |l, c| {
        l.absolute(c, IntType::long(l.options.model, true))
    })
    .or_builtin(),
    Row::lowered(&["llabs"], |l, c| l.absolute(c, IntType::new(5, true, 8))).or_builtin(),
    Row::lowered(&["imaxabs"], |l, c| {
        let model = l.options.model;
        let is_long = IntType::long(model, true).width() == 64;
        l.absolute(
            c,
            if is_long {
                IntType::long(model, true)
            } else {
                IntType::new(5, true, 8)
            },
        )
    })
    .or_builtin(),
    Row::lowered(&["bitreverse8"], |l, c| l.reverse_bits(c, 8)).or_builtin(),
    Row::lowered(&["bitreverse16"], |l, c| l.reverse_bits(c, 16)).or_builtin(),
    Row::lowered(&["bitreverse32"], |l, c| l.reverse_bits(c, 32)).or_builtin(),
    Row::lowered(&["bitreverse64"], |l, c| l.reverse_bits(c, 64)).or_builtin(),
    Row::lowered(&["bswap16"], |l, c| l.reverse_bytes(c, 16)).or_builtin(),
    Row::lowered(&["bswap32"], |l, c| l.reverse_bytes(c, 32)).or_builtin(),
    Row::lowered(&["bswap64"], |l, c| l.reverse_bytes(c, 64)).or_builtin(),
    Row::lowered(&["popcount"], |l, c| l.count_ones(c, 32)).or_builtin(),
    Row::lowered(&["popcountl"], |l, c| l.count_ones(c, long(l))).or_builtin(),
    Row::lowered(&["popcountll"], |l, c| l.count_ones(c, 64)).or_builtin(),
    Row::lowered(&["parity"], |l, c| l.parity(c, 32)).or_builtin(),
    Row::lowered(&["clz"], |l, c| l.count_zeros(c, 32, true)).or_builtin(),
    Row::lowered(&["clzl"], |l, c| l.count_zeros(c, long(l), true)).or_builtin(),
    Row::lowered(&["clzll"], |l, c| l.count_zeros(c, 64, true)).or_builtin(),
    Row::lowered(&["ctz"], |l, c| l.count_zeros(c, 32, false)).or_builtin(),
    Row::lowered(&["ctzl"], |l, c| l.count_zeros(c, long(l), false)).or_builtin(),
    Row::lowered(&["ctzll"], |l, c| l.count_zeros(c, 64, false)).or_builtin(),
    Row::lowered(&["ffs"], |l, c| l.first_one(c, 32)).or_builtin(),
    Row::lowered(&["ffsl"], |l, c| l.first_one(c, long(l))).or_builtin(),
    Row::lowered(&["ffsll"], |l, c| l.first_one(c, 64)).or_builtin(),
    Row::lowered(&["div"], |l, c| l.division(c, IntType::INT)),
    Row::lowered(&["ldiv"], |l, c| {
        let ty = IntType::long(l.options.model, true);
        l.division(c, ty)
    }),
    Row::lowered(&["lldiv", "imaxdiv"], |l, c| {
        l.division(c, IntType::new(5, true, 8))
    }),
    Row::lowered(&["__builtin_add_overflow"], |l, c| {
        l.overflowing(c, Op::Add, false)
    }),
    Row::lowered(&["__builtin_sub_overflow"], |l, c| {
        l.overflowing(c, Op::Sub, false)
    }),
    Row::lowered(&["__builtin_mul_overflow"], |l, c| {
        l.overflowing(c, Op::Mul, false)
    }),
    Row::lowered(&["__builtin_add_overflow_p"], |l, c| {
        l.overflows_type(c, Op::Add)
    }),
    Row::lowered(&["__builtin_sub_overflow_p"], |l, c| {
        l.overflows_type(c, Op::Sub)
    }),
    Row::lowered(&["__builtin_mul_overflow_p"], |l, c| {
        l.overflows_type(c, Op::Mul)
    }),
    Row::lowered(
        &[
            "__builtin_sadd_overflow",
            "__builtin_saddl_overflow",
            "__builtin_saddll_overflow",
            "__builtin_uadd_overflow",
            "__builtin_uaddl_overflow",
            "__builtin_uaddll_overflow",
        ],
        |l, c| l.overflowing(c, Op::Add, true),
    ),
    Row::lowered(
        &[
            "__builtin_ssub_overflow",
            "__builtin_ssubl_overflow",
            "__builtin_ssubll_overflow",
            "__builtin_usub_overflow",
            "__builtin_usubl_overflow",
            "__builtin_usubll_overflow",
        ],
        |l, c| l.overflowing(c, Op::Sub, true),
    ),
    Row::lowered(
        &[
            "__builtin_smul_overflow",
            "__builtin_smull_overflow",
            "__builtin_smulll_overflow",
            "__builtin_umul_overflow",
            "__builtin_umull_overflow",
            "__builtin_umulll_overflow",
        ],
        |l, c| l.overflowing(c, Op::Mul, true),
    ),
];

/// Functions that the library's text defines.
const DEFINED_IN_C: Row = Row::new(defined::DEFINED_IN_C, Model::DefinedInC);

/// Functions without model that the table restricts.
const REFUSED: &[Row] = &[
    Row::new(refused::REFUSED_FOR_FLOATS, Model::Refused).for_floats(),
    Row::new(refused::REFUSED, Model::Refused),
    Row::new(refused::CHANGE_CONTROL, Model::Refused),
    Row::new(refused::WRITE_TEXT, Model::Refused),
    Row::new(&["rand_r"], Model::AnyValue).within(0, 0x7fff_ffff),
    Row::new(refused::CHARACTERS, Model::AnyValue).within(-1, 255),
    Row::new(posix::REFUSED, Model::Refused),
    Row::new(posix::DONE_OR_FAILED, Model::AnyValue).within(-1, 0),
    Row::new(posix::NUMBER_OR_FAILED, Model::AnyValue).within(-1, i64::MAX),
    Row::new(posix::DONE_OR_ERROR, Model::AnyValue).within(0, posix::LAST_ERROR),
    Row::new(posix::OF_THREADS, Model::AnyValue).within(0, 4),
    Row::new(posix::YES_OR_NO, Model::AnyValue).within(0, 1),
    Row::new(&["getpagesize", "getdtablesize"], Model::AnyValue).within(1, 0x7fff_ffff),
];

/// All rows.
fn rows() -> impl Iterator<Item = &'static Row> {
    (LOWERED.iter().chain(cbmc_table::ROWS))
        .chain([&DEFINED_IN_C])
        .chain(REFUSED)
}

static BY_NAME: LazyLock<HashMap<String, (&'static Row, FloatType)>> = LazyLock::new(|| {
    let mut by_name = HashMap::new();
    for row in rows() {
        for (name, format) in row.spellings() {
            by_name.entry(name).or_insert((row, format));
        }
    }
    by_name
});

static BY_PREFIX: LazyLock<Vec<(&'static str, Row)>> = LazyLock::new(|| {
    (PREFIXES.iter().chain(cbmc_table::PREFIXES))
        .map(|&(prefix, model)| (prefix, Row::new(&[], model)))
        .collect()
});

/// Of functions for types that have no rows.
static OTHER_FORMATS: Row = Row::new(&["a function of another float format"], Model::Refused);

/// The row of a name, with the float format of the name.
pub(super) fn row_of(name: &str) -> Option<(&'static Row, FloatType)> {
    if let Some(&found) = BY_NAME.get(name) {
        return Some(found);
    }
    if refused::is_of_other_format(name, |base| BY_NAME.contains_key(base)) {
        return Some((&OTHER_FORMATS, FloatType::Double));
    }
    (BY_PREFIX.iter())
        .find(|(prefix, _)| name.starts_with(prefix))
        .map(|(_, row)| (row, FloatType::Double))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use crate::syntax::ast::{DeclaratorKind, ExternalDeclaration};

    use super::*;
    use crate::library::Library;
    use crate::types::DataModel;

    #[test]
    fn each_name_stands_in_one_row() {
        let mut count = BTreeMap::new();
        for (name, _) in rows().flat_map(Row::spellings) {
            *count.entry(name).or_insert(0) += 1;
        }
        count.retain(|_, count| *count > 1);
        assert!(count.is_empty(), "in several rows: {count:?}");
    }

    /// The functions that the library's text defines.
    fn defined() -> BTreeSet<String> {
        let library = Library::of(DataModel::Lp64).expect("the library's text is C");
        let functions = library
            .unit
            .items
            .iter()
            .filter_map(|item| match &item.node {
                ExternalDeclaration::FunctionDefinition(definition) => Some(definition),
                _ => None,
            });
        functions
            .map(|definition| {
                let mut declarator = &definition.node.declarator;
                loop {
                    match &declarator.node.kind.node {
                        DeclaratorKind::Identifier(name) => return name.node.name.clone(),
                        DeclaratorKind::Declarator(inner) => declarator = inner,
                        DeclaratorKind::Abstract => panic!("a definition without a name"),
                    }
                }
            })
            .collect()
    }

    #[test]
    fn the_table_names_what_the_library_defines() {
        let defined = defined();
        let listed: BTreeSet<String> = (DEFINED_IN_C.names.iter())
            .map(|name| name.to_string())
            .collect();
        let missing: Vec<_> = listed.difference(&defined).collect();
        assert!(missing.is_empty(), "listed, but not defined: {missing:?}");
        for name in defined.difference(&listed) {
            let row = row_of(name);
            assert!(
                matches!(row, Some((row, _)) if matches!(row.model, Model::Lowered(_))),
                "defined, but without a row: {name}"
            );
        }
    }

    #[test]
    fn suffixes_name_formats_and_prefixes_count_last() {
        let format = |name| row_of(name).map(|(_, format)| format);
        assert_eq!(format("floorf"), Some(FloatType::Single));
        assert_eq!(format("__builtin_floorl"), Some(FloatType::Extended));
        assert_eq!(format("floor"), Some(FloatType::Double));
        assert!(row_of("floorq").is_none());
        let model = |name| row_of(name).map(|(row, _)| row.model);
        assert!(matches!(model("__builtin_memcpy"), Some(Model::DefinedInC)));
        assert!(matches!(model("__builtin_memfoo"), Some(Model::Refused)));
        assert!(matches!(
            model("__VERIFIER_nondet_foo"),
            Some(Model::Lowered(_))
        ));
    }
}
