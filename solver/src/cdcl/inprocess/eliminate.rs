//! Bounded variable elimination.
//!
//! All clauses with a variable are replaced by their resolvents on it, if these are not too many (Davis and
//! Putnam, 1960; Subbarayan and Pradhan, NiVER, SAT 2004; Eén and Biere, SatELite, SAT 2005). If some of the
//! clauses define the variable as a gate, only resolvents of a gate clause with another clause are needed;
//! they imply the other resolvents. Each resolvent is a proof step of two antecedents.
//!
//! There is a round before the search, so that the search does not begin with clauses over variables that are soon
//! gone: unrolled circuits then take 0.5 to 0.9 of the propagations per conflict (bench/records/solver.md).
//!
//! The number of clauses must not grow. A bound that allowed growth made the search slower
//! (bench/records/solver.md).

use super::occurrences::Occurrences;
use crate::cdcl::solver::Solver;
use crate::heap::IndexHeap;
use crate::lit::{Lit, Var};
use crate::proof::ProofSink;

/// Variables with more occurrences of either sign are kept.
const MAX_OCCURRENCES: usize = 100;
/// Variables with a longer resolvent are kept.
const MAX_RESOLVENT: usize = 100;

/// Variables to be tried, those with the smallest score first.
struct Schedule {
    heap: IndexHeap,
    /// By variable: its score when it was last put in.
    scores: Vec<usize>,
}

impl Schedule {
    fn new(n_vars: usize) -> Self {
        let mut heap = IndexHeap::default();
        heap.reserve(n_vars);
        Self {
            heap,
            scores: vec![0; n_vars],
        }
    }

    /// Puts a variable in, or moves it.
    fn put(&mut self, var: Var, score: usize) {
        self.scores[var.index()] = score;
        let before = order(&self.scores);
        self.heap.replace(var.index() as u32, before);
    }

    /// Takes out the first variable, with its score.
    fn pop(&mut self) -> Option<(usize, Var)> {
        let index = self.heap.pop(order(&self.scores))? as usize;
        Some((self.scores[index], Var::new(index)))
    }
}

/// The order of variables by their scores.
fn order(scores: &[usize]) -> impl Fn(u32, u32) -> bool {
    |a, b| (scores[a as usize], a) < (scores[b as usize], b)
}

impl<P: ProofSink> Occurrences<'_, P> {
    /// Eliminates variables that were touched since they were last tried; `false` if the formula turns out to
    /// be unsatisfiable.
    pub(super) fn eliminate(&mut self) -> bool {
        let mut schedule = self.due_variables();
        while let Some((score, var)) = schedule.pop() {
            if self.is_spent() {
                return true;
            }
            if !self.is_due(var) {
                continue;
            }
            let now = self.score(var);
            if now > score {
                schedule.put(var, now);
                continue;
            }
            self.solver.inprocessing.touched[var.index()] = false;
            self.try_to_eliminate(var);
            if !self.propagate() || !self.subsume() {
                return false;
            }
            self.reschedule(&mut schedule);
        }
        true
    }

    /// The variables to be tried, those with the fewest pairs of clauses first.
    fn due_variables(&self) -> Schedule {
        let n_vars = self.solver.n_vars();
        let mut schedule = Schedule::new(n_vars);
        for var in (0..n_vars).map(Var::new) {
            if self.is_due(var) {
                schedule.put(var, self.score(var));
            }
        }
        schedule
    }

    /// Moves variables whose clauses have changed to their new places. Otherwise a variable whose clauses are being
    /// strengthened in a cascade would be tried only after others, whose elimination makes clauses longer and
    /// ends the cascade. On pebbling formulas the cascade leads to a refutation without search.
    fn reschedule(&mut self, schedule: &mut Schedule) {
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_unstable();
        changed.dedup();
        for var in changed.drain(..) {
            if self.is_due(var) {
                self.clean(var.positive());
                self.clean(var.negative());
                schedule.put(var, self.score(var));
            }
        }
        self.changed = changed;
        self.shortened.clear();
    }

    /// Whether a variable is to be tried (again).
    fn is_due(&self, var: Var) -> bool {
        self.solver.inprocessing.touched[var.index()] && self.is_candidate(var)
    }

    fn is_candidate(&self, var: Var) -> bool {
        self.is_open(var) && !self.solver.inprocessing.frozen[var.index()]
    }

    fn score(&self, var: Var) -> usize {
        self.lists.len(var.positive()) * self.lists.len(var.negative())
    }

    fn try_to_eliminate(&mut self, var: Var) {
        let [positive, negative] = [var.positive(), var.negative()];
        self.clean(positive);
        self.clean(negative);
        let [left, right] = [positive, negative].map(|lit| self.lists.of(lit).to_vec());
        if left.len().max(right.len()) > MAX_OCCURRENCES {
            return;
        }
        let gate = self.find_gate(positive, &left, &right);
        let limit = left.len() + right.len();
        let (mut pairs, mut n_lits) = (Vec::new(), 0);
        for &a in &left {
            for &b in &right {
                let is_needed = match &gate {
                    Some(gate) => gate.contains(&a) != gate.contains(&b),
                    None => true,
                };
                if !is_needed {
                    continue;
                }
                match self.resolvent_size(a, b, positive) {
                    None => {}
                    Some(size) if size > MAX_RESOLVENT => return,
                    Some(size) => {
                        n_lits += size;
                        pairs.push((a, b));
                    }
                }
                if pairs.len() > limit {
                    return;
                }
            }
        }
        if !self.solver.arena.has_room(pairs.len(), n_lits) {
            return;
        }
        self.solver.statistics.eliminated_variables += 1;
        self.solver.statistics.eliminated_gates += u64::from(gate.is_some());
        for (a, b) in pairs {
            self.add_resolvent(a, b, positive);
            if self.solver.outcome.inconsistent {
                return;
            }
        }
        self.solver.extension.push_var(var);
        self.solver.decisions.inactive[var.index()] = true;
        for (witness, list) in [(positive, left), (negative, right)] {
            for entry in list {
                self.note_change(entry);
                let clause = self.entries[entry as usize].clause;
                let solver = &mut *self.solver;
                solver
                    .extension
                    .push(witness, solver.arena.lits(clause), solver.arena.id(clause));
                solver.touch(clause);
                solver.arena.mark_garbage(clause);
            }
        }
    }

    /// The size of the resolvent on `pivot` of a clause with it and a clause with its negation; `None` for a
    /// tautology.
    fn resolvent_size(&mut self, with: u32, without: u32, pivot: Lit) -> Option<usize> {
        self.steps += 1;
        let [a, b] = [with, without].map(|entry| self.entries[entry as usize].clause);
        for lit in self.solver.arena.lits(a) {
            self.marks[lit.index()] = true;
        }
        let mut size = Some(self.solver.arena.size(a) - 1);
        for lit in self.solver.arena.lits(b) {
            if lit != !pivot && self.marks[(!lit).index()] {
                size = None;
                break;
            }
            if lit != !pivot && !self.marks[lit.index()] {
                size = size.map(|size| size + 1);
            }
        }
        for lit in self.solver.arena.lits(a) {
            self.marks[lit.index()] = false;
        }
        size
    }

    fn add_resolvent(&mut self, with: u32, without: u32, pivot: Lit) {
        let [a, b] = [with, without].map(|entry| self.entries[entry as usize].clause);
        let solver = &mut *self.solver;
        let mut lits: Vec<Lit> = solver.arena.lits(a).filter(|&lit| lit != pivot).collect();
        for lit in &lits {
            self.marks[lit.index()] = true;
        }
        let own = lits.len();
        for lit in solver.arena.lits(b) {
            if lit != !pivot && !self.marks[lit.index()] {
                lits.push(lit);
            }
        }
        for lit in &lits[..own] {
            self.marks[lit.index()] = false;
        }
        if Solver::<P>::CHAINS {
            solver
                .chain
                .ids
                .extend([solver.arena.id(a), solver.arena.id(b)]);
        }
        let id = solver.derive(&lits);
        if let [lit] = *lits {
            self.assign(lit, id);
        } else {
            let clause = solver.arena.alloc(&lits, false, 0, id);
            let clause = clause.expect("there is room for all resolvents on the variable");
            self.add(clause);
        }
    }
}
