//! The variable to split a cube on, found by looking ahead.
//!
//! Both literals of a candidate are assigned and propagated in turn. The clauses that get shorter without being satisfied
//! measure how much either side is reduced: a clause counts the more, the shorter it has become, and the two sides are
//! multiplied, so that both matter (Heule and van Maaren, "Look-ahead based SAT solvers", Handbook of Satisfiability,
//! 2009). A literal whose propagation ends in a conflict is false from then on.
//!
//! Nothing of this is in a proof. Whoever refutes the cube finds the conflicts again.

use std::sync::Arc;

use crate::lit::{Lit, Var};

/// How many variables are looked at, those that occur in the most and the shortest clauses.
const CANDIDATES: usize = 100;
/// After a failed literal, the other candidates are looked at again, at most this often.
const ROUNDS: usize = 4;
/// The share that a clause counts less for each literal more.
const SHRINKAGE: f64 = 0.2;
/// Clauses with more free literals count as if they had this number of them.
const LONGEST: usize = 10;
/// The weight of the product of both sides beside their sum.
const PRODUCT: f64 = 1024.0;

/// What to do with a cube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Choice {
    /// Split it on this literal, which is to be assumed first: it leaves less to do.
    Split {
        first: Lit,
        /// How many variables have no value then, and with the negation.
        free: [usize; 2],
    },
    /// No assignment satisfies it.
    Refuted,
    /// Every clause is satisfied, or no variable is free.
    Open,
    /// The caller wants it to end.
    Stopped,
}

/// The clauses, which all copies share.
#[derive(Debug)]
struct Clauses {
    /// By literal: the other literals of the clauses of two literals with it.
    binary: Vec<Vec<Lit>>,
    /// By literal: the longer clauses with it.
    occurrences: Vec<Vec<u32>>,
    lits: Vec<Lit>,
    /// For each longer clause, one past its last literal.
    ends: Vec<usize>,
}

impl Clauses {
    fn of(&self, clause: usize) -> &[Lit] {
        let start = if clause == 0 {
            0
        } else {
            self.ends[clause - 1]
        };
        &self.lits[start..self.ends[clause]]
    }
}

/// An assignment of some variables of a formula, with the state of the clauses under it.
#[derive(Clone, Debug)]
pub(super) struct Lookahead {
    clauses: Arc<Clauses>,
    units: Arc<Vec<Lit>>,
    /// The variables of the clauses.
    vars: Arc<Vec<Var>>,
    /// Whether one of the clauses is empty.
    is_refuted: bool,
    /// By code of a literal: 1 if it is true, -1 if it is false.
    values: Vec<i8>,
    trail: Vec<Lit>,
    n_propagated: usize,
    /// By longer clause: its literals that were not found to be false.
    n_free: Vec<u32>,
    /// By longer clause: its literals that were found to be true.
    n_true: Vec<u32>,
}

impl Lookahead {
    /// Over clauses without repeated and clashing literals.
    pub(super) fn new<'c>(n_vars: usize, formula: impl Iterator<Item = &'c [Lit]>) -> Self {
        let mut clauses = Clauses {
            binary: vec![Vec::new(); 2 * n_vars],
            occurrences: vec![Vec::new(); 2 * n_vars],
            lits: Vec::new(),
            ends: Vec::new(),
        };
        let mut units = Vec::new();
        let mut is_refuted = false;
        let mut occurs = vec![false; n_vars];
        for clause in formula {
            for lit in clause {
                occurs[lit.var().index()] = true;
            }
            match *clause {
                [] => is_refuted = true,
                [unit] => units.push(unit),
                [left, right] => {
                    clauses.binary[left.index()].push(right);
                    clauses.binary[right.index()].push(left);
                }
                _ => {
                    let number = clauses.ends.len() as u32;
                    for lit in clause {
                        clauses.occurrences[lit.index()].push(number);
                    }
                    clauses.lits.extend_from_slice(clause);
                    clauses.ends.push(clauses.lits.len());
                }
            }
        }
        let n_clauses = clauses.ends.len();
        let n_free = (0..n_clauses).map(|number| clauses.of(number).len() as u32);
        Self {
            n_free: n_free.collect(),
            n_true: vec![0; n_clauses],
            clauses: Arc::new(clauses),
            units: Arc::new(units),
            vars: Arc::new(
                (0..n_vars)
                    .filter(|&var| occurs[var])
                    .map(Var::new)
                    .collect(),
            ),
            is_refuted,
            values: vec![0; 2 * n_vars],
            trail: Vec::new(),
            n_propagated: 0,
        }
    }

    /// What to do with the cube of these literals. `is_asked` is called before each literal that is looked at.
    pub(super) fn choose(&mut self, cube: &[Lit], mut is_asked: impl FnMut() -> bool) -> Choice {
        self.undo(0);
        let units = Arc::clone(&self.units);
        let is_open =
            !self.is_refuted && (units.iter().chain(cube)).all(|&lit| self.assume(lit).is_some());
        if !is_open {
            return Choice::Refuted;
        }
        let mut round = 0;
        loop {
            if is_asked() {
                return Choice::Stopped;
            }
            let n_assigned = self.trail.len();
            let candidates = self.candidates();
            let best = match self.best_of(&candidates, &mut is_asked) {
                Ok(Some(best)) => best,
                Ok(None) => return Choice::Open,
                Err(choice) => return choice,
            };
            let is_settled = self.trail.len() == n_assigned || round >= ROUNDS;
            if is_settled && self.value(best.first) == 0 {
                let n_open = self.n_open();
                return Choice::Split {
                    first: best.first,
                    free: best.n_implied.map(|implied| n_open.saturating_sub(implied)),
                };
            }
            round += 1;
        }
    }

    /// How many variables of the clauses have no value.
    fn n_open(&self) -> usize {
        (self.vars.iter())
            .filter(|var| self.value(var.positive()) == 0)
            .count()
    }

    /// The candidate whose literals imply most, of those that were measured; negations of literals that fail are assigned.
    fn best_of(
        &mut self,
        candidates: &[Var],
        is_asked: &mut impl FnMut() -> bool,
    ) -> Result<Option<Measured>, Choice> {
        let mut best: Option<Measured> = None;
        for &var in candidates {
            if self.value(var.positive()) != 0 {
                continue;
            }
            if is_asked() {
                return Err(Choice::Stopped);
            }
            let sides = [var.positive(), var.negative()].map(|lit| (lit, self.look(lit)));
            match sides {
                [(_, None), (_, None)] => return Err(Choice::Refuted),
                [(lit, None), _] | [_, (lit, None)] => {
                    if self.assume(!lit).is_none() {
                        return Err(Choice::Refuted);
                    }
                }
                [(lit, Some(left)), (negation, Some(right))] => {
                    let score =
                        PRODUCT * left.reduced * right.reduced + left.reduced + right.reduced;
                    if best.as_ref().is_none_or(|best| score > best.score) {
                        let is_first = left.reduced >= right.reduced;
                        let (first, n_implied) = match is_first {
                            true => (lit, [left.n_implied, right.n_implied]),
                            false => (negation, [right.n_implied, left.n_implied]),
                        };
                        best = Some(Measured {
                            first,
                            score,
                            n_implied,
                        });
                    }
                }
            }
        }
        // If all candidates were assigned, others come in the next round.
        Ok(best.or_else(|| {
            let var = self
                .vars
                .iter()
                .find(|var| self.value(var.positive()) == 0)?;
            self.has_open_clause().then_some(Measured {
                first: var.positive(),
                score: 0.0,
                n_implied: [1; 2],
            })
        }))
    }

    /// Whether a clause is not satisfied.
    fn has_open_clause(&self) -> bool {
        let binary = self.vars.iter().any(|var| {
            [var.positive(), var.negative()].into_iter().any(|lit| {
                let others = &self.clauses.binary[lit.index()];
                self.value(lit) == 0 && others.iter().any(|&other| self.value(other) == 0)
            })
        });
        binary || self.n_true.contains(&0)
    }

    /// Assigns a literal, propagates, and takes it back; nothing if that leads to a conflict.
    fn look(&mut self, lit: Lit) -> Option<Side> {
        let mark = self.trail.len();
        let reduced = self.assume(lit);
        let n_implied = self.trail.len() - mark;
        self.undo(mark);
        reduced.map(|reduced| Side { reduced, n_implied })
    }

    /// The free variables that occur in the most and the shortest clauses.
    fn candidates(&self) -> Vec<Var> {
        let mut weights = vec![0.0; self.values.len()];
        for (number, (&n_free, &n_true)) in self.n_free.iter().zip(&self.n_true).enumerate() {
            if n_true > 0 {
                continue;
            }
            for &lit in self.clauses.of(number) {
                if self.value(lit) == 0 {
                    weights[lit.index()] += weight(n_free);
                }
            }
        }
        let mut scored: Vec<(f64, Var)> = Vec::new();
        for &var in self
            .vars
            .iter()
            .filter(|var| self.value(var.positive()) == 0)
        {
            let side = |lit: Lit| {
                let others = &self.clauses.binary[lit.index()];
                let n_binary = others
                    .iter()
                    .filter(|&&other| self.value(other) == 0)
                    .count();
                // If the literal is false, what the binary clauses imply is true: that shortens others.
                let implied = others.iter().map(|other| weights[(!*other).index()]);
                weights[lit.index()] + n_binary as f64 + SHRINKAGE * implied.sum::<f64>()
            };
            let [left, right] = [side(var.positive()), side(var.negative())];
            if left + right > 0.0 {
                scored.push((PRODUCT * left * right + left + right, var));
            }
        }
        scored.sort_by(|left, right| right.0.total_cmp(&left.0));
        scored.truncate(CANDIDATES);
        scored.into_iter().map(|(_, var)| var).collect()
    }

    fn value(&self, lit: Lit) -> i8 {
        self.values[lit.index()]
    }

    /// Makes a literal true and propagates; the weight of the clauses that get shorter by it, or nothing if there is a
    /// conflict.
    fn assume(&mut self, lit: Lit) -> Option<f64> {
        match self.value(lit) {
            0 => self.assign(lit),
            1 => return Some(0.0),
            _ => return None,
        }
        let clauses = Arc::clone(&self.clauses);
        let mut reduced = 0.0;
        while self.n_propagated < self.trail.len() {
            let lit = self.trail[self.n_propagated];
            self.n_propagated += 1;
            for &number in &clauses.occurrences[lit.index()] {
                self.n_true[number as usize] += 1;
            }
            // The counts of all clauses with the literal are changed in any case, so that `undo` finds them so.
            let mut is_open = true;
            for &number in &clauses.occurrences[(!lit).index()] {
                let number = number as usize;
                self.n_free[number] -= 1;
                if self.n_true[number] > 0 || !is_open {
                    continue;
                }
                if self.n_free[number] > 1 {
                    reduced += weight(self.n_free[number]);
                    continue;
                }
                let mut lits = clauses.of(number).iter();
                is_open = match lits.find(|&&other| self.value(other) >= 0) {
                    Some(&unit) => self.imply(unit),
                    None => false,
                };
            }
            let mut others = clauses.binary[(!lit).index()].iter();
            is_open = is_open && others.all(|&other| self.imply(other));
            if !is_open {
                return None;
            }
        }
        Some(reduced)
    }

    /// Makes a literal true; `false` if it is false.
    fn imply(&mut self, lit: Lit) -> bool {
        if self.value(lit) == 0 {
            self.assign(lit);
        }
        self.value(lit) > 0
    }

    fn assign(&mut self, lit: Lit) {
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.trail.push(lit);
    }

    /// Takes back all but the first assignments.
    fn undo(&mut self, n_kept: usize) {
        while self.trail.len() > n_kept {
            let Some(lit) = self.trail.pop() else { break };
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            if self.trail.len() >= self.n_propagated {
                continue;
            }
            self.n_propagated -= 1;
            for &number in &self.clauses.occurrences[lit.index()] {
                self.n_true[number as usize] -= 1;
            }
            for &number in &self.clauses.occurrences[(!lit).index()] {
                self.n_free[number as usize] += 1;
            }
        }
    }
}

/// What the propagation of a literal has done.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// The weight of the clauses that get shorter.
    reduced: f64,
    n_implied: usize,
}

/// A variable to split on.
#[derive(Clone, Copy, Debug)]
struct Measured {
    first: Lit,
    score: f64,
    n_implied: [usize; 2],
}

/// The weight of a clause with this number of free literals, two at least.
fn weight(n_free: u32) -> f64 {
    SHRINKAGE.powi((n_free as usize).clamp(2, LONGEST) as i32 - 2)
}
