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

use craig_model::Stop;

use super::blast::{Blasted, blast};
use super::derive::Derived;
use super::system::WordSystem;

/// The most terms that a pass looks at, where each look counts.
const MOST_VISITS: usize = 10_000_000;

/// A pass.
pub struct Pass {
    /// Its name.
    pub name: &'static str,
    /// Reduces a system. Returns whether it has: if it is stopped, nothing has changed.
    pub run: fn(&mut Derived, &Stop) -> bool,
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

/// Runs all passes until none finds anything, a few times at most, or until it is stopped.
pub fn run(derived: &mut Derived, stop: &Stop) {
    for _ in 0..4 {
        let found = PASSES.iter().map(|pass| (pass.run)(derived, stop));
        if !found.fold(false, |any, found| any | found) {
            break;
        }
    }
}

/// The system for one bad after all passes, and its circuit of bits, if that has fewer latches than `full`, the
/// circuit of bits of the system. `None` as well if it is stopped.
#[must_use]
pub fn reduced(
    system: &WordSystem,
    full: &Blasted,
    bad: usize,
    stop: &Stop,
) -> Option<(Derived, Blasted)> {
    let mut derived = Derived::new(system, bad);
    run(&mut derived, stop);
    if stop.reason().is_some() {
        return None;
    }
    let own = blast(&derived.system).ok()?;
    let is_smaller = own.model.latches.len() < full.model.latches.len();
    is_smaller.then_some((derived, own))
}
