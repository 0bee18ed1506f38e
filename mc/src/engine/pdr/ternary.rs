//! Ternary simulation of one step: which latches may have any value while formulas keep theirs.
//!
//! Een, Mishchenko, Brayton, "Efficient implementation of property directed reachability" (FMCAD 2011, section
//! III) lift steps in this way. Here it is done where the logic is so large that a solver for lifting would take too
//! much memory: it takes some twenty bytes for each variable.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use craig_solver::{Lit, Var};

use super::logic::Gates;

/// The values that a variable can have, as bits; 0 where it does not belong to the question.
type Values = u8;
const FALSE: Values = 1;
const TRUE: Values = 2;
const ANY: Values = 3;

/// The least number of gates that one call may evaluate.
const LEAST_BUDGET: usize = 1000;
/// The gates that one call may evaluate, for each of the cone.
const BUDGET_FACTOR: usize = 10;

/// Three-valued simulation of cones, with buffers that are used again.
pub(super) struct Ternary {
    gates: Arc<Gates>,
    /// By variable: where the gates that read it begin in `readers`.
    starts: Vec<u32>,
    readers: Vec<u32>,
    values: Vec<Values>,
    roots: Vec<u32>,
    is_root: Vec<bool>,
    /// The variables with values.
    cone: Vec<u32>,
    queue: BinaryHeap<Reverse<u32>>,
    is_queued: Vec<bool>,
    /// The variables that lost their value since the last latch was given up, with that value.
    changed: Vec<(u32, Values)>,
    stack: Vec<u32>,
}

impl Ternary {
    pub(super) fn new(gates: Arc<Gates>) -> Self {
        let n_vars = gates.n_vars();
        let mut starts = vec![0; n_vars + 1];
        for var in 0..n_vars as u32 {
            for lit in gates.operands(var) {
                starts[lit.var().index() + 1] += 1;
            }
        }
        for var in 0..n_vars {
            starts[var + 1] += starts[var];
        }
        let mut places = starts.clone();
        let mut readers = vec![0; starts[n_vars] as usize];
        for var in 0..n_vars as u32 {
            for lit in gates.operands(var) {
                let place = &mut places[lit.var().index()];
                readers[*place as usize] = var;
                *place += 1;
            }
        }
        Self {
            gates,
            starts,
            readers,
            values: vec![0; n_vars],
            roots: Vec::new(),
            is_root: vec![false; n_vars],
            cone: Vec::new(),
            queue: BinaryHeap::new(),
            is_queued: vec![false; n_vars],
            changed: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// Begins a question: how `roots`, whose cones are simulated, depend on the other variables. `value` gives the
    /// values of latches and inputs. Returns whether all roots have values.
    pub(super) fn begin(
        &mut self,
        roots: impl Iterator<Item = Lit> + Clone,
        value: impl Fn(Lit) -> Option<bool>,
    ) -> bool {
        self.end();
        self.collect(roots.clone());
        for place in 0..self.cone.len() {
            let var = self.cone[place];
            self.values[var as usize] = match self.gates.operands(var).is_empty() {
                true => match value(Var::new(var as usize).positive()) {
                    None => ANY,
                    Some(false) => FALSE,
                    Some(true) => TRUE,
                },
                false => self.evaluate(var),
            };
        }
        self.roots.extend(roots.map(|lit| lit.var().index() as u32));
        for &root in &self.roots {
            self.is_root[root as usize] = true;
        }
        self.roots
            .iter()
            .all(|&root| self.values[root as usize] != ANY)
    }

    /// The literals without definition in the cones, with their values.
    pub(super) fn leaves(&self) -> impl Iterator<Item = Lit> + '_ {
        let vars = self.cone.iter().copied();
        let vars = vars.filter(|&var| self.gates.operands(var).is_empty());
        vars.filter_map(|var| match self.values[var as usize] {
            TRUE => Some(Var::new(var as usize).positive()),
            FALSE => Some(Var::new(var as usize).negative()),
            _ => None,
        })
    }

    /// Removes literals of latches, the first ones if possible, such that the roots still have their values in all
    /// states that agree with the others, and with the inputs.
    pub(super) fn reduce(&mut self, states: &mut Vec<Lit>) {
        let mut budget = LEAST_BUDGET + BUDGET_FACTOR * self.cone.len();
        states.retain(|&lit| {
            let var = lit.var().index() as u32;
            !self.give_up(var, &mut budget)
        });
    }

    fn end(&mut self) {
        for root in self.roots.drain(..) {
            self.is_root[root as usize] = false;
        }
        for var in self.cone.drain(..) {
            self.values[var as usize] = 0;
        }
    }

    /// Puts the cone of the roots into `cone`, operands first, with marks in `values`.
    fn collect(&mut self, roots: impl Iterator<Item = Lit>) {
        debug_assert!(self.cone.is_empty());
        self.stack.extend(roots.map(|lit| lit.var().index() as u32));
        while let Some(var) = self.stack.pop() {
            if std::mem::replace(&mut self.values[var as usize], ANY) == 0 {
                self.cone.push(var);
                let operands = self.gates.operands(var).iter();
                self.stack
                    .extend(operands.map(|lit| lit.var().index() as u32));
            }
        }
        // Operands have smaller numbers.
        self.cone.sort_unstable();
    }

    fn of(&self, lit: Lit) -> Values {
        let values = self.values[lit.var().index()];
        match lit.is_negated() {
            true => values >> 1 | (values & 1) << 1,
            false => values,
        }
    }

    fn evaluate(&self, var: u32) -> Values {
        let operands = self.gates.operands(var);
        if self.gates.is_choice(var) {
            let [condition, then, otherwise] = [0, 1, 2].map(|place| self.of(operands[place]));
            let mut values = 0;
            if condition & TRUE != 0 {
                values |= then;
            }
            if condition & FALSE != 0 {
                values |= otherwise;
            }
            return values;
        }
        let mut values = TRUE;
        for &lit in operands {
            let operand = self.of(lit);
            values = values & operand & TRUE | (values | operand) & FALSE;
            if values == FALSE {
                break;
            }
        }
        values
    }

    /// Lets a latch have any value, unless a root or the budget is lost by it.
    fn give_up(&mut self, latch: u32, budget: &mut usize) -> bool {
        if self.is_root[latch as usize] || *budget == 0 {
            return false;
        }
        self.changed.clear();
        self.lose(latch);
        let mut is_lost = false;
        while let Some(Reverse(var)) = self.queue.pop() {
            self.is_queued[var as usize] = false;
            if is_lost {
                continue;
            }
            *budget = budget.saturating_sub(1);
            if self.values[var as usize] != ANY && self.evaluate(var) == ANY {
                is_lost = self.is_root[var as usize] || *budget == 0;
                if !is_lost {
                    self.lose(var);
                }
            }
        }
        if is_lost {
            for (var, values) in self.changed.drain(..) {
                self.values[var as usize] = values;
            }
        }
        !is_lost
    }

    /// Gives a variable any value, and marks the gates of the cone that read it.
    fn lose(&mut self, var: u32) {
        let values = std::mem::replace(&mut self.values[var as usize], ANY);
        self.changed.push((var, values));
        let readers = self.starts[var as usize]..self.starts[var as usize + 1];
        for place in readers {
            let reader = self.readers[place as usize];
            if self.values[reader as usize] != 0
                && !std::mem::replace(&mut self.is_queued[reader as usize], true)
            {
                self.queue.push(Reverse(reader));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::pdr::logic::tests::{evaluate, random_gates};
    use craig_aig::Random as Source;

    /// Roots keep their values in all states of what is left, and single latches are given up where they do not matter.
    #[test]
    fn what_is_given_up_does_not_matter() {
        let mut random = Source::new(11);
        let mut n_given_up = 0;
        let gates = (0..200).map(|_| Arc::new(random_gates(&mut random, 8, 30)));
        let gates: Vec<Arc<Gates>> = gates.collect();
        for gates in gates {
            let mut ternary = Ternary::new(Arc::clone(&gates));
            for _ in 0..5 {
                let free: Vec<bool> = (0..8).map(|_| random.flip()).collect();
                let values = evaluate(&gates, &free);
                let roots: Vec<Lit> = (0..2)
                    .map(|_| {
                        let var = Var::new(1 + random.below(gates.n_vars() - 1));
                        var.lit(!values[var.index()])
                    })
                    .collect();
                assert!(
                    ternary.begin(roots.iter().copied(), |lit| Some(values[lit.var().index()]))
                );
                // The first five are latches, the others inputs.
                let (mut states, inputs): (Vec<Lit>, Vec<Lit>) =
                    ternary.leaves().partition(|lit| lit.var().index() < 6);
                let before = states.len();
                ternary.reduce(&mut states);
                n_given_up += before - states.len();
                for bits in 0..1_u32 << 8 {
                    let other: Vec<bool> = (0..8).map(|var| bits >> var & 1 == 1).collect();
                    let agrees = |lit: &Lit| other[lit.var().index()] != lit.is_negated();
                    if states.iter().chain(&inputs).all(agrees) {
                        let values = evaluate(&gates, &other);
                        assert!(
                            roots
                                .iter()
                                .all(|lit| values[lit.var().index()] != lit.is_negated())
                        );
                    }
                }
            }
        }
        assert!(n_given_up > 100, "{n_given_up}");
    }
}
