//! Merging of states where paths meet.

use craig_c_lang::address_space::ObjectId;
use std::collections::BTreeSet;
use std::sync::Arc;

use craig_word::Term;

use super::executor::{COUNTER_BITS, Executor};
use super::overlay::ChainId;
use super::state::State;

impl Executor<'_> {
    /// The state where these meet; `None` if no path leads there.
    pub(super) fn merge(&mut self, mut states: Vec<State>) -> Option<State> {
        // The innermost first: the frames that diverged last.
        loop {
            if states.len() > 2 {
                states.sort_by_key(|state| self.guards.depth(state.guard));
            }
            let second = states.pop()?;
            let Some(mut first) = states.pop() else {
                return Some(second);
            };
            // Both are dropped if they cannot be taken.
            if self.merge_into(&mut first, &second).is_some() {
                states.push(first);
            }
        }
    }

    /// Merges the second state into the first; `None` if neither is reachable.
    fn merge_into(&mut self, first: &mut State, second: &State) -> Option<()> {
        let (guard, choose) = (self.guards).join(&mut self.terms, first.guard, second.guard)?;
        first.guard = guard;
        let terms = &mut self.terms;
        for (a, b) in first.registers.iter_mut().zip(&second.registers) {
            if Arc::ptr_eq(a, b) {
                continue;
            }
            let own = Arc::make_mut(a);
            for (x, &y) in own.iter_mut().zip(b.iter()) {
                *x = match (*x, y) {
                    (Some(x), Some(y)) if x == y => Some(x),
                    (Some(x), Some(y)) => Some(terms.ite(choose, x, y)),
                    _ => None,
                };
            }
        }
        self.merge_overlays(first, second, choose);
        let terms = &mut self.terms;
        let (overlays, objects) = (&first.overlays, &self.space.objects);
        (first.memory).merge_with(&second.memory, |object, own, theirs| {
            match (&mut *own, theirs) {
                (Some(x), Some(y)) => {
                    // Of an object with an overlay, the size after the cells is kept.
                    let from = match overlays.contains_key(&(object as ObjectId)) {
                        true => objects[object].shape.cells.len(),
                        false => 0,
                    };
                    if x[from..] != y[from..] {
                        for (x, &y) in Arc::make_mut(x)[from..].iter_mut().zip(&y[from..]) {
                            *x = terms.ite(choose, *x, y);
                        }
                    }
                }
                // An object that only one side has: it is unreachable on the other.
                (None, Some(y)) => *own = Some(Arc::clone(y)),
                (_, None) => {}
            }
        });
        // A site without a counter has made no object.
        let sites: Vec<u32> = first
            .counters
            .keys()
            .chain(second.counters.keys())
            .copied()
            .collect();
        for site in sites {
            let zero = terms.constant(0, COUNTER_BITS);
            let x = first.counters.get(&site).copied().unwrap_or(zero);
            let y = second.counters.get(&site).copied().unwrap_or(zero);
            first.counters.insert(site, terms.ite(choose, x, y));
        }
        Some(())
    }

    /// Merges the overlays of objects; an object with an overlay on one side only gets one on the other side.
    fn merge_overlays(&mut self, first: &mut State, second: &State, choose: Term) {
        if first.overlays.is_empty() && second.overlays.is_empty() {
            return;
        }
        let both = first.overlays.keys().chain(second.overlays.keys());
        let objects: BTreeSet<ObjectId> = both.copied().collect();
        for object in objects {
            let (a, b) = (self.chain_of(first, object), self.chain_of(second, object));
            let chain = match (a, b) {
                (Some(a), Some(b)) => self.overlays.join(&self.terms, choose, a, b),
                (Some(chain), None) | (None, Some(chain)) => chain,
                (None, None) => continue,
            };
            first.overlays.insert(object, chain);
        }
    }

    /// The contents of an object as a chain; `None` if it does not exist.
    pub(super) fn chain_of(&mut self, state: &State, object: ObjectId) -> Option<ChainId> {
        if let Some(&chain) = state.overlays.get(&object) {
            return Some(chain);
        }
        let cells = state.memory.get(object as usize)?.as_ref()?;
        let shape = &self.space.objects[object as usize].shape;
        Some(self.overlays.base(shape, cells))
    }
}
