//! The primitives of CBMC's dialect that are lowered inline (see `cbmc`), as rows of `function_table`.

use craig_word::Op;

use super::floating::FloatClass;
use super::function_model::{Model, Row};
use crate::ir::ghost::PointerFact;
use crate::types::IntType;

/// The prefix of uninterpreted functions.
const UNINTERPRETED: &str = "__CPROVER_uninterpreted_";

/// Prefixes of names that share one model.
pub(super) const PREFIXES: &[(&str, Model)] = &[(
    UNINTERPRETED,
    Model::Lowered(|l, c| l.uninterpreted(c).map(Some)),
)];

/// Primitives that are lowered inline.
pub(super) const ROWS: &[Row] = &[
    Row::lowered(
        &["__CPROVER_precondition", "__CPROVER_postcondition"],
        |l, c| l.assertion(c),
    )
    .replacing_definitions(),
    Row::lowered(&["__CPROVER_overflow_plus"], |l, c| {
        l.would_overflow(c, Op::Add)
    }),
    Row::lowered(&["__CPROVER_overflow_minus"], |l, c| {
        l.would_overflow(c, Op::Sub)
    }),
    Row::lowered(&["__CPROVER_overflow_mult"], |l, c| {
        l.would_overflow(c, Op::Mul)
    }),
    Row::lowered(&["__CPROVER_overflow_shl"], |l, c| {
        l.shift_would_overflow(c)
    }),
    Row::lowered(&["__CPROVER_overflow_unary_minus"], |l, c| {
        l.negation_would_overflow(c)
    }),
    Row::lowered(
        &["__CPROVER_r_ok", "__CPROVER_w_ok", "__CPROVER_rw_ok"],
        |l, c| l.is_accessible(c),
    ),
    Row::lowered(&["__CPROVER_allocate"], |l, c| l.allocate_bytes(c)),
    Row::lowered(&["__CPROVER_is_fresh"], |l, c| l.is_fresh(c)),
    Row::lowered(&["__CPROVER_is_freeable"], |l, c| l.is_freeable(c)),
    Row::lowered(&["__CPROVER_was_freed"], |l, c| l.was_freed(c)),
    Row::lowered(&["__CPROVER_pointer_in_range_dfcc"], |l, c| {
        l.is_pointer_in_range(c)
    }),
    Row::lowered(
        &["__CPROVER_pointer_equals", "__CPROVER_obeys_contract"],
        |l, c| l.pointer_equals(c),
    ),
    Row::lowered(&["__CPROVER_loop_entry"], |l, c| l.earlier_value(c)),
    Row::lowered(&["__CPROVER_same_object"], |l, c| l.are_of_one_object(c)),
    Row::lowered(&["__CPROVER_POINTER_OBJECT"], |l, c| {
        l.pointer_fact(c, PointerFact::Object)
    }),
    Row::lowered(&["__CPROVER_POINTER_OFFSET"], |l, c| {
        l.pointer_fact(c, PointerFact::Offset)
    }),
    Row::lowered(&["__CPROVER_OBJECT_SIZE"], |l, c| {
        l.pointer_fact(c, PointerFact::Size)
    }),
    Row::lowered(&["__CPROVER_DYNAMIC_OBJECT"], |l, c| {
        l.pointer_fact(c, PointerFact::IsDynamic)
    }),
    Row::lowered(&["__CPROVER_LIVE_OBJECT"], |l, c| {
        l.pointer_fact(c, PointerFact::IsAlive)
    }),
    Row::lowered(
        &["__CPROVER_isnanf", "__CPROVER_isnand", "__CPROVER_isnanld"],
        |l, c| l.classify_by_name(c, FloatClass::NotANumber),
    ),
    Row::lowered(
        &["__CPROVER_isinff", "__CPROVER_isinfd", "__CPROVER_isinfld"],
        |l, c| l.classify_by_name(c, FloatClass::Infinite),
    ),
    Row::lowered(
        &[
            "__CPROVER_isfinitef",
            "__CPROVER_isfinited",
            "__CPROVER_isfiniteld",
        ],
        |l, c| l.classify_by_name(c, FloatClass::Finite),
    ),
    Row::lowered(
        &[
            "__CPROVER_isnormalf",
            "__CPROVER_isnormald",
            "__CPROVER_isnormalld",
        ],
        |l, c| l.classify_by_name(c, FloatClass::Normal),
    ),
    Row::lowered(
        &["__CPROVER_signf", "__CPROVER_signd", "__CPROVER_signld"],
        |l, c| l.classify_by_name(c, FloatClass::Negative),
    ),
    Row::lowered(&["__CPROVER_fabs"], |l, c| l.absolute_float(c)).for_floats(),
    Row::lowered(&["__CPROVER_inf"], |l, c| l.infinity(c)).for_floats(),
    Row::lowered(&["__CPROVER_abs"], |l, c| l.absolute(c, IntType::INT)),
    Row::lowered(&["__CPROVER_labs"], |l, c| {
        l.absolute(c, IntType::long(l.options.model, true))
    }),
    Row::lowered(&["__CPROVER_llabs"], |l, c| {
        l.absolute(c, IntType::new(5, true, 8))
    }),
    Row::lowered(&["__CPROVER_havoc_object"], |l, c| l.havoc_object(c)),
    Row::lowered(&["__CPROVER_havoc_slice"], |l, c| l.havoc_slice(c)),
    Row::lowered(&["__CPROVER_array_set"], |l, c| l.array_set(c)),
    Row::lowered(
        &[
            "__CPROVER_array_copy",
            "__CPROVER_array_replace",
            "__CPROVER_array_equal",
        ],
        |l, c| l.of_whole_objects(c),
    ),
    Row::lowered(
        &[
            "__CPROVER_atomic_begin",
            "__CPROVER_atomic_end",
            "__CPROVER_fence",
            "__CPROVER_printf",
            "__CPROVER_input",
            "__CPROVER_output",
            "__CPROVER_cover",
        ],
        |l, c| l.without_effect(c),
    ),
];
