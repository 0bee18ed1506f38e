//! CBMC's dialect of C: primitives by the names of calls, and what a program of goto-cc means where C leaves it
//! open (CBMC's manual, `api.md` and `memory-primitives.md`).

mod arithmetic;
mod bodiless;
mod contract;
mod fresh;
mod infer;
mod link;
mod loop_contract;
mod memory;
mod options;
mod pointer_call;
mod predicate;
mod quantifier;
mod specified;
mod start;
mod target;
mod write_set;

use crate::ir::ghost::PointerFact;
use crate::types::IntType;
use craig_word::Op;

use super::Lowering;
use super::function_model::{Model, Row};
use super::symbol::Symbol;

pub use contract::ContractOptions;
pub(super) use contract::Contracted;
pub(super) use infer::Inferred;
pub(super) use link::exported_names;
pub use options::{CbmcOptions, Dialect, PointerRestriction};
pub(super) use pointer_call::PointerCall;
pub(super) use specified::{Side, Specification};
pub(super) use write_set::WriteSet;

/// The prefix of all names that the dialect reserves.
pub(super) const RESERVED: &str = "__CPROVER_";
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
    Row::lowered(&["__CPROVER_is_fresh"], |l, c| l.is_fresh(c)),
    Row::lowered(&["__CPROVER_pointer_in_range_dfcc"], |l, c| {
        l.is_pointer_in_range(c)
    }),
    Row::lowered(&["__CPROVER_pointer_equals"], |l, c| l.pointer_equals(c)),
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

/// Primitives that change memory of the program, not only by their arguments.
pub(super) fn changes_memory(name: &str) -> bool {
    matches!(
        name,
        "__CPROVER_havoc_object"
            | "__CPROVER_havoc_slice"
            | "__CPROVER_array_set"
            | "__CPROVER_array_copy"
            | "__CPROVER_array_replace"
    )
}

/// Whether a text asks about the lifetimes of objects.
pub(super) fn asks_for_lifetimes(text: &str) -> bool {
    [
        "__CPROVER_r_ok",
        "__CPROVER_w_ok",
        "__CPROVER_rw_ok",
        "__CPROVER_LIVE_OBJECT",
        "__CPROVER_is_fresh",
        "__CPROVER_assigns",
    ]
    .iter()
    .any(|name| text.contains(name))
}

impl Lowering<'_> {
    /// Binds the names that the dialect declares itself, at file scope.
    pub(super) fn bind_predefined(&mut self) {
        let model = self.options.model;
        let word = match model {
            crate::types::DataModel::Lp64 => IntType::long(model, false),
            crate::types::DataModel::Ilp32 => IntType::UINT,
        };
        let most = self.options.cbmc.largest_allocation(self.pointer_width());
        let most = Symbol::Enumerator(most as i128, word);
        self.bind("__CPROVER_max_malloc_size", most);
    }
}
