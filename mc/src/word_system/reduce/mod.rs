//! Reductions of systems before they are blasted.
//!
//! After blasting, `circuit::reduce` removes constant, equal and unused bits. What it cannot do is to avoid
//! building them: a memory that equals another one, a multiplication of constants, or two divisions that are
//! one. These passes work on terms, whose constructors simplify (`craig-word`), and see whole memories.
//!
//! A pass changes a [`Derived`] system, which lifts evidence. It is a function in a file of this folder and a
//! row of [`PASSES`].

mod correspondence;
mod slices;

use super::derive::Derived;

/// A pass.
pub struct Pass {
    /// Its name.
    pub name: &'static str,
    /// Reduces a system. Returns whether it has.
    pub run: fn(&mut Derived) -> bool,
}

/// The passes in the order in which they run. The cone of the property is taken before and after each.
pub const PASSES: [Pass; 2] = [
    Pass {
        name: "correspondence",
        run: correspondence::run,
    },
    Pass {
        name: "slices",
        run: slices::run,
    },
];

/// Runs all passes until none finds anything, a few times at most.
pub fn run(derived: &mut Derived) {
    for _ in 0..4 {
        let found = PASSES.iter().map(|pass| (pass.run)(derived));
        if !found.fold(false, |any, found| any | found) {
            break;
        }
    }
}
