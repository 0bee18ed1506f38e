//! Proof obligations: cubes from which the bad is reached, to be excluded from a frame.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::rc::Rc;

use craig_solver::Lit;

use super::lemma::{Cube, Lemma};

/// A cube all of whose states reach the bad along the chain of successors.
#[derive(Debug)]
pub(in crate::engine) struct Obligation {
    /// The states, stored as a lemma because they are compared with lemmas.
    pub(super) states: Lemma,
    /// Input literals under which every state of the cube satisfies the constraints and has its successor in
    /// the cube of `successor`, or satisfies the bad if there is none. Other inputs are free.
    pub(super) inputs: Vec<Lit>,
    /// The obligation that the states lead to.
    pub(super) successor: Option<Rc<Obligation>>,
    /// The number of steps to the bad.
    pub(super) depth: usize,
    /// Counts visits; decays as the obligation moves to later frames.
    pub(super) activity: Cell<f64>,
}

impl Obligation {
    /// The obligation to exclude `states`, all of which go to `successor` under `inputs`.
    pub(super) fn new(states: Cube, inputs: Vec<Lit>, successor: Option<Rc<Self>>) -> Self {
        Self {
            states: Lemma::new(states),
            inputs,
            depth: successor
                .as_ref()
                .map_or(0, |successor| successor.depth + 1),
            successor,
            activity: Cell::new(0.0),
        }
    }

    /// The highest activity among this obligation and its next two successors.
    pub(super) fn chain_activity(&self) -> f64 {
        let mut activity = self.activity.get();
        let mut next = self.successor.as_deref();
        for _ in 0..2 {
            let Some(successor) = next else { break };
            activity = activity.max(successor.activity.get());
            next = successor.successor.as_deref();
        }
        activity
    }
}

/// Chains are as long as traces, so they are dropped without recursion.
impl Drop for Obligation {
    fn drop(&mut self) {
        let mut next = self.successor.take();
        while let Some(obligation) = next {
            next = Rc::try_unwrap(obligation)
                .ok()
                .and_then(|mut obligation| obligation.successor.take());
        }
    }
}

/// The lowest frame first, then the largest depth, then the shortest cube, then the oldest.
type Key = (usize, Reverse<usize>, usize, u64);

/// The obligations that are still to be discharged.
#[derive(Debug, Default)]
pub(super) struct Queue {
    entries: BTreeMap<Key, Rc<Obligation>>,
    pushed: u64,
}

impl Queue {
    /// Adds an obligation to exclude its states from `frame`.
    pub(super) fn push(&mut self, frame: usize, obligation: Rc<Obligation>) {
        let key = (
            frame,
            Reverse(obligation.depth),
            obligation.states.cube.len(),
            self.pushed,
        );
        self.pushed += 1;
        self.entries.insert(key, obligation);
    }

    /// Takes out the next obligation in a frame up to `last`.
    pub(super) fn pop(&mut self, last: usize) -> Option<(usize, Rc<Obligation>)> {
        let entry = self.entries.first_entry()?;
        let frame = entry.key().0;
        (frame <= last).then(|| (frame, entry.remove()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn obligation(depth: usize, successor: Option<Rc<Obligation>>) -> Rc<Obligation> {
        Rc::new(Obligation {
            states: Lemma::new(Vec::new()),
            inputs: Vec::new(),
            successor,
            depth,
            activity: Cell::new(0.0),
        })
    }

    #[test]
    fn lower_frames_and_longer_ways_come_first() {
        let mut queue = Queue::default();
        for (frame, depth) in [(2, 5), (1, 0), (1, 3), (4, 9)] {
            queue.push(frame, obligation(depth, None));
        }
        let mut order = Vec::new();
        while let Some((frame, obligation)) = queue.pop(3) {
            order.push((frame, obligation.depth));
        }
        assert_eq!(order, [(1, 3), (1, 0), (2, 5)]);
        assert!(queue.pop(4).is_some());
    }

    #[test]
    fn long_chains_are_dropped_without_recursion() {
        let mut chain = None;
        for depth in 0..1_000_000 {
            chain = Some(obligation(depth, chain));
        }
        drop(chain);
    }
}
