//! CBMC's dialect of C: primitives by the names of calls, and what a program of goto-cc means where C leaves it
//! open (CBMC's manual, `api.md` and `memory-primitives.md`).

mod arithmetic;
mod bodiless;
mod contract;
mod freed;
mod fresh;
mod infer;
mod link;
mod loop_contract;
mod memory;
mod obeys;
mod pointer_call;
mod predicate;
mod quantifier;
mod specified;
mod start;
mod target;
mod tree;
mod write_set;

pub(super) use self::obeys::named_function;

use crate::types::IntType;

use super::Lowering;
use super::symbol::Symbol;

/// The prefix of all names that the dialect reserves.
pub(super) const RESERVED: &str = "__CPROVER_";
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
        "__CPROVER_is_freeable",
        "__CPROVER_was_freed",
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
