//! Bounds on words as invariants: some latches, read as a number, are at most c.
//!
//! A counter that ends at c and goes on from 0 never comes to the numbers above c. A search from the reset states finds that out only
//! after c steps, and no set of frames before is an invariant. The bound itself is one, with a clause for each bit of c that is 0; and
//! c is the number in a step that leads from a number to a lower one.

use craig_aig::{Aig, Edge};
use craig_model::{Latch, Model, Stop};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Limits, Lit, Solver};

use crate::control::StateClause;

/// Conflicts of a query, at most.
const MAX_CONFLICTS: u64 = 1000;
/// Numbers that are tried as the bound of a word.
const MOST_BOUNDS: usize = 8;

/// Latches with the given values.
pub(super) type Cube = Vec<(usize, bool)>;

/// Whether some reset state has these values.
pub(super) fn meets_reset(latches: &[Latch], cube: &[(usize, bool)]) -> bool {
    let mut values = cube.iter();
    values.all(|&(latch, value)| {
        latches[latch]
            .reset
            .value()
            .is_none_or(|reset| reset == value)
    })
}

/// One step of a model from any state in which the bounds that were found hold.
pub(super) struct Bounds<'a> {
    model: &'a Model,
    /// The model's graph, and comparisons of words.
    aig: Aig,
    solver: Solver,
    encoder: Encoder,
    /// The bounds that were found. Together they hold in all reset states and are preserved by every step.
    invariants: Vec<StateClause>,
}

impl<'a> Bounds<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        let mut solver = Solver::new();
        let mut encoder = Encoder::new();
        for &constraint in &model.constraints {
            let constraint = encoder.encode(&model.aig, constraint, &mut solver);
            solver.add_clause(&[constraint]);
        }
        Self {
            model,
            aig: model.aig.clone(),
            solver,
            encoder,
            invariants: Vec::new(),
        }
    }

    /// The clauses of all bounds.
    pub(super) fn into_invariants(self) -> Vec<StateClause> {
        self.invariants
    }

    /// Whether a bound on a word excludes the states of a cube. The word: latches with the values that count as 1, the highest first.
    pub(super) fn exclude(&mut self, cube: &Cube, word: &[(usize, bool)], stop: &Stop) -> bool {
        let mut given: Vec<Lit> = (cube.iter())
            .map(|&(latch, value)| self.state(latch).negate_if(!value))
            .collect();
        if self.answer(&given) == Answer::Unsatisfiable {
            return true;
        }
        let now = |model: &Model| -> Vec<Edge> {
            let bits = word.iter();
            bits.map(|&(latch, one)| model.latches[latch].state.negate_if(!one))
                .collect()
        };
        let then: Vec<Edge> = (word.iter())
            .map(|&(latch, one)| self.model.latches[latch].next.negate_if(!one))
            .collect();
        let now = now(self.model);
        let falls = is_greater(&mut self.aig, &now, &then);
        let falls = self.literal(falls);
        let bits: Vec<Lit> = now.iter().map(|&edge| self.literal(edge)).collect();
        let is_other = self.solver.new_var().positive();
        // Steps from states outside of the cube.
        let outside: Vec<Lit> = given.drain(..).map(|lit| !lit).chain([!is_other]).collect();
        self.solver.add_clause(&outside);
        for _ in 0..MOST_BOUNDS {
            if stop.reason().is_some() || self.answer(&[falls, is_other]) != Answer::Satisfiable {
                break;
            }
            let bound: Vec<bool> = (bits.iter())
                .map(|&lit| self.solver.value(lit) == Some(true))
                .collect();
            if self.adopt(word, &bound) && self.is_excluded(cube) {
                return true;
            }
            let differs: Vec<Lit> = (bits.iter().zip(&bound))
                .map(|(&lit, &value)| lit.negate_if(value))
                .chain([!is_other])
                .collect();
            self.solver.add_clause(&differs);
        }
        false
    }

    fn is_excluded(&mut self, cube: &Cube) -> bool {
        let given: Vec<Lit> = (cube.iter())
            .map(|&(latch, value)| self.state(latch).negate_if(!value))
            .collect();
        self.answer(&given) == Answer::Unsatisfiable
    }

    /// Makes "the word is at most this" an invariant, if it is one.
    fn adopt(&mut self, word: &[(usize, bool)], bound: &[bool]) -> bool {
        let clauses = at_most(word, bound);
        let resets = |clause: &StateClause| {
            let negated: Cube = clause
                .iter()
                .map(|&(latch, value)| (latch, !value))
                .collect();
            meets_reset(&self.model.latches, &negated)
        };
        if clauses.is_empty() || clauses.iter().any(resets) {
            return false;
        }
        let holds = self.solver.new_var().positive();
        let mut later = Vec::new();
        for clause in &clauses {
            let mut lits = vec![!holds];
            lits.extend(
                clause
                    .iter()
                    .map(|&(latch, value)| self.state(latch).negate_if(!value)),
            );
            self.solver.add_clause(&lits);
            let next =
                |&(latch, value): &(usize, bool)| self.model.latches[latch].next.negate_if(!value);
            let next: Vec<Edge> = clause.iter().map(next).collect();
            later.push(next);
        }
        let is_inductive = later.into_iter().all(|clause| {
            let mut given: Vec<Lit> = clause.into_iter().map(|edge| !self.literal(edge)).collect();
            given.push(holds);
            self.answer(&given) == Answer::Unsatisfiable
        });
        self.solver.add_clause(&[holds.negate_if(!is_inductive)]);
        if is_inductive {
            self.invariants.extend(clauses);
        }
        is_inductive
    }

    fn literal(&mut self, edge: Edge) -> Lit {
        self.encoder.encode(&self.aig, edge, &mut self.solver)
    }

    fn state(&mut self, latch: usize) -> Lit {
        self.literal(self.model.latches[latch].state)
    }

    fn answer(&mut self, given: &[Lit]) -> Answer {
        self.solver.set_limits(Limits {
            conflicts: Some(MAX_CONFLICTS),
            propagations: None,
        });
        self.solver.solve(given)
    }
}

/// The first word is greater than the second; the highest bits come first.
fn is_greater(aig: &mut Aig, left: &[Edge], right: &[Edge]) -> Edge {
    let mut greater = Edge::FALSE;
    for (&left, &right) in left.iter().zip(right).rev() {
        let more = aig.and(left, !right);
        let equal = aig.iff(left, right);
        let rest = aig.and(equal, greater);
        greater = aig.or(more, rest);
    }
    greater
}

/// Clauses that say that a word is at most `bound`: for each bit that is 0 there, that it is 0 or that one of the bits above that are 1
/// there is 0.
fn at_most(word: &[(usize, bool)], bound: &[bool]) -> Vec<StateClause> {
    let mut above: StateClause = Vec::new();
    let mut clauses = Vec::new();
    for (&(latch, one), &bit) in word.iter().zip(bound) {
        if bit {
            above.push((latch, !one));
        } else {
            let mut clause = above.clone();
            clause.push((latch, !one));
            clauses.push(clause);
        }
    }
    clauses
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_model::Reset;

    /// A counter from 0 to an end, and 0 again.
    fn counter(n_bits: usize, end: usize) -> Model {
        let mut aig = Aig::new();
        let bits: Vec<Edge> = (0..n_bits).map(|_| aig.add_input()).collect();
        let equal: Vec<Edge> = (bits.iter().enumerate())
            .map(|(bit, &state)| state.negate_if(end >> bit & 1 == 0))
            .collect();
        let at_end = aig.and_all(equal);
        let mut carry = Edge::TRUE;
        let mut latches = Vec::new();
        for &state in &bits {
            let sum = aig.xor(state, carry);
            carry = aig.and(state, carry);
            let next = aig.and(sum, !at_end);
            let reset = Reset::Zero;
            latches.push(Latch { state, next, reset });
        }
        Model {
            latches,
            aig,
            ..Model::default()
        }
    }

    #[test]
    fn numbers_above_the_end_are_excluded() {
        let word: Vec<(usize, bool)> = (0..6).rev().map(|bit| (bit, true)).collect();
        let cube =
            |value: usize| -> Cube { (0..6).map(|bit| (bit, value >> bit & 1 == 1)).collect() };
        for end in [1, 21, 40, 62] {
            let model = counter(6, end);
            let stop = Stop::new();
            assert!(
                Bounds::new(&model).exclude(&cube(63), &word, &stop),
                "{end}"
            );
            assert!(
                !Bounds::new(&model).exclude(&cube(end), &word, &stop),
                "{end}"
            );
            let mut bounds = Bounds::new(&model);
            assert!(bounds.exclude(&cube(end + 1), &word, &stop), "{end}");
            // By their definition, the clauses hold in the numbers up to the end, and in no other.
            let clauses = bounds.into_invariants();
            for value in 0..64_usize {
                let holds = clauses.iter().all(|clause| {
                    let mut literals = clause.iter();
                    literals.any(|&(latch, one)| (value >> latch & 1 == 1) == one)
                });
                assert_eq!(holds, value <= end, "{value}, {end}");
            }
        }
    }
}
