//! Substitution of a variable by a literal that it equals.
//!
//! All clauses with the variable are resolved with the two clauses that say so, which are kept to extend
//! models, as those of an eliminated variable are. Substitution is in fact an elimination whose gate is the
//! equivalence. Irredundant clauses change at once, learned ones when all variables have been substituted.

use super::occurrences::Occurrences;
use crate::cdcl::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::{Lit, Var};
use crate::proof::{ClauseId, ProofSink};

/// No step of [`Substitution`].
const NONE: u32 = u32::MAX;

/// A literal that a variable equals, with the numbers of two clauses: the variable or not the literal; not
/// the variable or the literal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Equivalence {
    pub(super) from: Var,
    pub(super) to: Lit,
    pub(super) ids: [ClauseId; 2],
}

impl Equivalence {
    /// The equivalence of two literals, given the numbers of the clauses by which the first implies the second
    /// and the second the first. The variable of the first is to be substituted.
    pub(super) fn new(from: Lit, to: Lit, [implies, implied]: [ClauseId; 2]) -> Self {
        Self {
            from: from.var(),
            to: to.negate_if(from.is_negated()),
            ids: match from.is_negated() {
                true => [implies, implied],
                false => [implied, implies],
            },
        }
    }

    /// A literal of the variable, the literal that it equals, and the number of the clause by which it
    /// implies that.
    fn implication(&self, negated: bool) -> (Lit, Lit, ClauseId) {
        (
            self.from.lit(negated),
            self.to.negate_if(negated),
            self.ids[usize::from(!negated)],
        )
    }
}

/// The equivalences by which variables were substituted, in order.
pub(super) struct Substitution {
    steps: Vec<Equivalence>,
    /// By variable: the step that substituted it.
    step_of: Vec<u32>,
}

impl Substitution {
    /// No equivalences over `n_vars` variables.
    pub(super) fn new(n_vars: usize) -> Self {
        Self {
            steps: Vec::new(),
            step_of: vec![NONE; n_vars],
        }
    }

    /// The literal that a literal has become.
    pub(super) fn find(&self, mut lit: Lit) -> Lit {
        while let Some(step) = self.step_of(lit) {
            lit = self.steps[step].to.negate_if(lit.is_negated());
        }
        lit
    }

    fn step_of(&self, lit: Lit) -> Option<usize> {
        let step = self.step_of[lit.var().index()];
        (step != NONE).then_some(step as usize)
    }
}

impl<P: ProofSink> Occurrences<'_, P> {
    /// Of two open variables, whether the first is the one to substitute: it has fewer clauses, and it is
    /// not frozen. `None` if both are frozen.
    pub(super) fn prefers_first(&self, first: Var, second: Var) -> Option<bool> {
        let frozen = &self.solver.inprocessing.frozen;
        let n_clauses = |var: Var| self.lists.len(var.positive()) + self.lists.len(var.negative());
        match [first, second].map(|var| frozen[var.index()]) {
            [true, true] => None,
            [false, true] => Some(true),
            [true, false] => Some(false),
            _ => Some(n_clauses(first) < n_clauses(second)),
        }
    }

    /// Takes a clause of an equivalence out of the clauses without a report: it is kept outside, as the clauses
    /// of eliminated variables are.
    pub(super) fn set_aside(&mut self, entry: u32) {
        let clause = self.entries[entry as usize].clause;
        self.solver.touch(clause);
        self.solver.arena.mark_garbage(clause);
    }

    /// Substitutes a variable in all irredundant clauses. Its equivalence need not be among them.
    pub(super) fn substitute(&mut self, step: Equivalence, substitution: &mut Substitution) {
        self.solver.statistics.substituted_variables += 1;
        for negated in [false, true] {
            let (lit, to, id) = step.implication(negated);
            for entry in self.lists.take(lit) {
                if self.is_live(entry) && !self.solver.outcome.inconsistent {
                    self.rename(entry, lit, to, id);
                }
            }
        }
        let Equivalence { from, to, ids } = step;
        let (lit, solver) = (from.positive(), &mut *self.solver);
        let extension = &mut solver.extension;
        extension.push_var(from);
        extension.push(lit, [lit, !to].into_iter(), ids[0]);
        extension.push(!lit, [!lit, to].into_iter(), ids[1]);
        solver.decisions.inactive[from.index()] = true;
        substitution.step_of[from.index()] = substitution.steps.len() as u32;
        substitution.steps.push(step);
    }

    /// Replaces a literal of a clause by another, given the number of the clause by which it implies that.
    fn rename(&mut self, entry: u32, lit: Lit, to: Lit, id: ClauseId) {
        self.steps += 2;
        let clause = self.entries[entry as usize].clause;
        let mut lits: Vec<Lit> = self.solver.arena.lits(clause).collect();
        if lits.contains(&!to) {
            return self.remove(entry);
        }
        if Solver::<P>::CHAINS {
            let ids = [self.solver.arena.id(clause), id];
            self.solver.chain.ids.extend(ids);
        }
        if lits.contains(&to) {
            return self.strengthen(entry, lit);
        }
        let place = lits.iter().position(|&other| other == lit);
        lits[place.expect("the clause contains the literal")] = to;
        self.solver.rewrite_clause(clause, &lits);
        self.solver.touch(clause);
        self.lists.push(to, entry);
        self.note_rewritten(entry);
    }

    /// Substitutes in the learned clauses. Those that are left when the call has to end are removed by
    /// [`Occurrences::finish`].
    pub(super) fn substitute_in_learned(&mut self, substitution: &Substitution) {
        if substitution.steps.is_empty() {
            return;
        }
        for index in 0..self.solver.clauses.redundant.len() {
            let solver = &mut *self.solver;
            if solver.outcome.inconsistent || solver.stop.is_due(1) {
                return;
            }
            let clause = solver.clauses.redundant[index];
            if !solver.arena.is_garbage(clause) && solver.is_eliminated_in(clause) {
                self.substitute_in(clause, substitution);
            }
        }
    }

    /// Resolves a learned clause with the equivalences of its variables, those that were substituted first
    /// first, so that no variable is resolved away twice.
    fn substitute_in(&mut self, clause: ClauseRef, substitution: &Substitution) {
        let mut lits: Vec<Lit> = self.solver.arena.lits(clause).collect();
        let mut ids = vec![self.solver.arena.id(clause)];
        while let Some((step, place)) = (lits.iter().enumerate())
            .filter_map(|(place, &lit)| Some((substitution.step_of(lit)?, place)))
            .min()
        {
            let is_negated = lits[place].is_negated();
            let (_, to, id) = substitution.steps[step].implication(is_negated);
            ids.push(id);
            if lits.contains(&!to) {
                return self.solver.remove_clause(clause);
            }
            if lits.contains(&to) {
                lits.swap_remove(place);
            } else {
                lits[place] = to;
            }
        }
        if Solver::<P>::CHAINS {
            self.solver.chain.ids.append(&mut ids);
        }
        if let [lit] = *lits {
            let id = self.solver.derive(&lits);
            self.assign(lit, id);
            self.solver.remove_clause(clause);
        } else {
            self.solver.rewrite_clause(clause, &lits);
        }
    }
}
