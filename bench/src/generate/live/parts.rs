//! What the families are made of.

use craig_aig::{Aig, Edge};
use craig_model::{Latch, Model, Reset};

use super::Known;

/// A circuit under construction.
pub(super) struct Parts {
    model: Model,
    fails: Vec<bool>,
    /// The latch that is set from the chosen time on, once a property needs it.
    chosen: Option<Edge>,
}

impl Parts {
    pub(super) fn new() -> Self {
        Self {
            model: Model::default(),
            fails: Vec::new(),
            chosen: None,
        }
    }

    /// The graph.
    pub(super) fn aig(&mut self) -> &mut Aig {
        &mut self.model.aig
    }

    /// A new input.
    pub(super) fn input(&mut self) -> Edge {
        let input = self.model.aig.add_input();
        self.model.inputs.push(input);
        input
    }

    pub(super) fn new_inputs(&mut self, n: usize) -> Vec<Edge> {
        (0..n).map(|_| self.input()).collect()
    }

    /// A new latch that keeps its value, which [`Parts::set`] changes; returns its state.
    pub(super) fn latch(&mut self, reset: bool) -> Edge {
        let state = self.model.aig.add_input();
        self.model.latches.push(Latch {
            state,
            next: state,
            reset: if reset { Reset::One } else { Reset::Zero },
        });
        state
    }

    pub(super) fn new_latches(&mut self, n: usize) -> Vec<Edge> {
        (0..n).map(|_| self.latch(false)).collect()
    }

    /// Latches of which the first is set.
    pub(super) fn one_hot(&mut self, n: usize) -> Vec<Edge> {
        (0..n).map(|place| self.latch(place == 0)).collect()
    }

    /// The next value of a latch, by its state.
    pub(super) fn set(&mut self, state: Edge, next: Edge) {
        let latches = &mut self.model.latches;
        let latch = latches.iter_mut().find(|latch| latch.state == state);
        latch.expect("the state is that of a latch").next = next;
    }

    /// The next values of latches where `when` holds; otherwise they stay.
    pub(super) fn set_when(&mut self, when: Edge, states: &[Edge], next: &[Edge]) {
        debug_assert_eq!(states.len(), next.len());
        for (&state, &next) in states.iter().zip(next) {
            let next = self.model.aig.ite(when, next, state);
            self.set(state, next);
        }
    }

    /// A literal that holds infinitely often on a run iff `what` holds in every step from some time on, which an input chooses.
    pub(super) fn finally_always(&mut self, what: Edge) -> Edge {
        let chosen = match self.chosen {
            Some(chosen) => chosen,
            None => {
                let chooses = self.input();
                let chosen = self.latch(false);
                let next = self.aig().or(chosen, chooses);
                self.set(chosen, next);
                self.chosen = Some(chosen);
                chosen
            }
        };
        let broken = self.latch(false);
        let aig = self.aig();
        let breaks = aig.and(chosen, !what);
        let next = aig.or(broken, breaks);
        let literal = aig.and_all([chosen, what, !broken]);
        self.set(broken, next);
        literal
    }

    /// A property: its literals must not all hold infinitely often. `fails` is its answer.
    pub(super) fn property(&mut self, literals: Vec<Edge>, fails: bool) {
        self.model.justice.push(literals);
        self.fails.push(fails);
    }

    /// Only runs on which this holds infinitely often count.
    pub(super) fn fairness(&mut self, literal: Edge) {
        self.model.fairness.push(literal);
    }

    /// Which of `n` processes makes a step: one for each value of the inputs, the last one if no other.
    pub(super) fn scheduler(&mut self, n: usize) -> Vec<Edge> {
        let inputs = self.new_inputs(n - 1);
        let aig = self.aig();
        let mut rest = Edge::TRUE;
        let mut runs = Vec::with_capacity(n);
        for input in inputs {
            runs.push(aig.and(rest, input));
            rest = aig.and(rest, !input);
        }
        runs.push(rest);
        runs
    }

    pub(super) fn finish(self) -> Known {
        debug_assert_eq!(self.fails.len(), self.model.justice.len());
        Known {
            model: self.model,
            fails: self.fails,
        }
    }
}

/// The bits of a number, the lowest first.
pub(super) fn bits_of(value: usize, n_bits: usize) -> Vec<Edge> {
    let bits = (0..n_bits).map(|bit| value >> bit & 1 == 1);
    bits.map(|bit| Edge::FALSE.negate_if(bit)).collect()
}

/// Whether two words are equal.
pub(super) fn equal(aig: &mut Aig, left: &[Edge], right: &[Edge]) -> Edge {
    let bits: Vec<Edge> = (left.iter().zip(right))
        .map(|(&left, &right)| aig.iff(left, right))
        .collect();
    aig.and_all(bits)
}

/// A word and 1, without the carry at the end.
pub(super) fn successor(aig: &mut Aig, word: &[Edge]) -> Vec<Edge> {
    let mut carry = Edge::TRUE;
    let bits = word.iter().map(|&bit| {
        let sum = aig.xor(bit, carry);
        carry = aig.and(bit, carry);
        sum
    });
    bits.collect()
}

/// The difference of two words, and whether the first one is less.
pub(super) fn difference(aig: &mut Aig, left: &[Edge], right: &[Edge]) -> (Vec<Edge>, Edge) {
    let mut borrow = Edge::FALSE;
    let mut bits = Vec::with_capacity(left.len());
    for (&left, &right) in left.iter().zip(right) {
        let differ = aig.xor(left, right);
        bits.push(aig.xor(differ, borrow));
        let keeps = aig.and(!differ, borrow);
        let begins = aig.and(!left, right);
        borrow = aig.or(keeps, begins);
    }
    (bits, borrow)
}

/// The number of bits that the numbers below `n` need, at least one.
pub(super) fn width(n: usize) -> usize {
    (n.next_power_of_two().trailing_zeros() as usize).max(1)
}
