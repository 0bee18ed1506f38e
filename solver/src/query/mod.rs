//! A solver for many short queries about one circuit.
//!
//! PDR makes hundreds of thousands of queries about a transition relation, each about the cones of a few
//! latches. The general solver of [`crate::cdcl`] would assign every variable of the circuit in each. This
//! one differs from it in four ways, all taken from the description of GipSAT (Su, Yang, Ci, "Deeply
//! optimizing the SAT solver for the IC3 algorithm", 2025):
//!
//! * *Domains.* Variables may be declared as *defined* by others ([`QuerySolver::define`]). A query decides
//!   and propagates only within its domain: what its own variables depend on, and what the clauses
//!   added by [`QuerySolver::add_clause`] depend on. The definitions outside can always be satisfied
//!   by evaluating them, so an assignment of the domain is as good as a full one. Clauses that are known to be
//!   satisfiable together ([`QuerySolver::add_local_clause`]) belong to a domain only if they are connected with it.
//! * *Temporary clauses* ([`QuerySolver::set_temporary`]) hold in the next query only. One reserved variable,
//!   assumed true while they hold, marks them and whatever was learned from them; no activation
//!   variables pile up.
//! * *Assumptions share one level*, so that restarts and backjumps never redo them.
//! * *Cloning* is cheap: there are no proofs, no watchers behind pointers, and no inprocessing state.
//!
//! No proofs are recorded: invariants found with it are checked by other means.

mod analyze;
mod clauses;
mod decide;
mod domain;
mod propagate;
pub mod record;
mod reduce;
mod replay;
mod scratch;
mod search;
mod values;

use crate::cdcl::Answer;
use crate::clause_ref::{ClauseRef, Watch};
use crate::lit::{Lit, Var};
use clauses::{Clauses, Kind};
use decide::Order;
use domain::Domain;
use record::{Recorder, Recording};
use scratch::Scratch;
use std::sync::{Arc, Mutex};
use values::{FALSE, OUTSIDE, TRUE, UNASSIGNED};

/// Counters since the solver was created; clones inherit them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Queries asked.
    pub queries: u64,
    /// Variables decided.
    pub decisions: u64,
    /// Literals that were propagated from.
    pub propagations: u64,
    /// Conflicts above the assumptions.
    pub conflicts: u64,
}

/// A clause of a literal and a guard. Its literals are stored here as well: most of these clauses are looked at for nothing,
/// and each would be in a part of the memory that nothing else has touched.
#[derive(Clone, Copy, Debug)]
struct Guarded {
    lit: Lit,
    guard: Lit,
    clause: ClauseRef,
}

/// See the [module's page](self).
#[derive(Clone, Debug)]
pub struct QuerySolver {
    clauses: Clauses,
    /// The clauses that watch a literal, by the literal's code.
    watches: Vec<Vec<Watch>>,
    values: Vec<i8>,
    reasons: Vec<ClauseRef>,
    levels: Vec<u32>,
    trail: Vec<Lit>,
    /// The length of the trail at which each level above 0 begins.
    levels_start: Vec<usize>,
    propagated: usize,
    phases: Vec<bool>,
    order: Order,
    domain: Domain,
    /// The reserved variable's positive literal.
    activation: Lit,
    temporary: Vec<ClauseRef>,
    /// By variable: the clauses of one of its literals, which is the first, and a guard. Shorter than the number of
    /// variables if the last ones have none.
    guarded: Vec<Vec<Guarded>>,
    /// The variables of the temporary clauses, for the domain.
    temporary_vars: Vec<Var>,
    learned: Vec<ClauseRef>,
    clause_increment: f32,
    n_original: usize,
    inconsistent: bool,
    failed: Vec<bool>,
    failed_list: Vec<Lit>,
    /// Whether the last answer was `Satisfiable`, so that its assignment is still on the trail.
    has_model: bool,
    /// Whether a permanent clause found no room, so that no later query has an answer.
    lacks_clause: bool,
    /// Whether a temporary clause found no space, so that the queries under it have no answer.
    lacks_temporary: bool,
    seen: Vec<bool>,
    simplified_facts: usize,
    /// The number of queries when satisfied clauses were last removed.
    simplified_at: u64,
    statistics: Statistics,
    scratch: Scratch,
    /// The recorder of all calls, if they are recorded.
    recorder: Option<Recorder>,
}

impl Default for QuerySolver {
    fn default() -> Self {
        Self::new()
    }
}

impl QuerySolver {
    /// A solver with no clauses. Its variable 0 is reserved for its own use.
    #[must_use]
    pub fn new() -> Self {
        let mut solver = Self {
            clauses: Clauses::default(),
            watches: Vec::new(),
            values: Vec::new(),
            reasons: Vec::new(),
            levels: Vec::new(),
            trail: Vec::new(),
            levels_start: Vec::new(),
            propagated: 0,
            phases: Vec::new(),
            order: Order::new(),
            domain: Domain::default(),
            activation: Var::new(0).positive(),
            guarded: Vec::new(),
            temporary: Vec::new(),
            temporary_vars: Vec::new(),
            learned: Vec::new(),
            clause_increment: 1.0,
            n_original: 0,
            inconsistent: false,
            failed: Vec::new(),
            failed_list: Vec::new(),
            has_model: false,
            lacks_clause: false,
            lacks_temporary: false,
            seen: Vec::new(),
            simplified_facts: 0,
            simplified_at: 0,
            statistics: Statistics::default(),
            scratch: Scratch::default(),
            recorder: None,
        };
        let reserved = solver.new_var();
        solver.domain.add_permanent(reserved, &mut solver.values);
        solver
    }

    /// A solver as [`QuerySolver::new`] makes it; all calls to it and to its clones are recorded. Clears
    /// `recording` first.
    #[must_use]
    pub fn recorded(recording: &Arc<Mutex<Recording>>) -> Self {
        let mut solver = Self::new();
        solver.recorder = Some(Recorder::new(recording));
        solver
    }

    /// A fresh variable without definition.
    pub fn new_var(&mut self) -> Var {
        if let Some(recorder) = &self.recorder {
            recorder.new_var();
        }
        let var = Var::new(self.reasons.len());
        self.watches.push(Vec::new());
        self.watches.push(Vec::new());
        self.values.extend([OUTSIDE; 2]);
        self.reasons.push(ClauseRef::NONE);
        self.levels.push(0);
        self.phases.push(false);
        self.order.add_var();
        self.domain.add_var();
        self.failed.extend([false; 2]);
        self.seen.push(false);
        var
    }

    /// How many variables there are, the reserved one included.
    #[must_use]
    pub fn n_vars(&self) -> usize {
        self.reasons.len()
    }

    /// Declares that `clauses` define `var` in terms of `operands`: for each assignment of the operands, some
    /// value of `var` satisfies them all. Definitions must not be circular, and a variable has at most one.
    ///
    /// # Panics
    /// If `var` has a definition already, or a clause is empty.
    pub fn define(&mut self, var: Var, operands: &[Var], clauses: &[&[Lit]]) {
        if let Some(recorder) = &self.recorder {
            recorder.define(var, operands, clauses);
        }
        self.domain.define(var, operands);
        for clause in clauses {
            debug_assert!(
                clause
                    .iter()
                    .all(|lit| lit.var() == var || operands.contains(&lit.var()))
            );
            assert!(!clause.is_empty(), "a definition never contradicts itself");
            self.insert_clause(clause);
        }
    }

    /// Adds a clause for good. Its variables, and all that they depend on, belong to the domain of every
    /// later query.
    pub fn add_clause(&mut self, lits: &[Lit]) {
        if let Some(recorder) = &self.recorder {
            recorder.add_clause(lits);
        }
        self.rest();
        self.has_model = false;
        for lit in lits {
            self.domain.add_permanent(lit.var(), &mut self.values);
        }
        self.insert_clause(lits);
    }

    /// Adds a clause for good, over variables without definition. They belong to the domain of a later query only if one
    /// of them does, or one that shares clauses of this kind with them, directly or through others. The clause consists of
    /// `lits` and of at most one `guard`, which does not count for that: its variable occurs as a guard only, always with
    /// the same sign, and may be assumed or become a fact. To assume the opposite of a guard takes no time for its clauses.
    ///
    /// One assignment of the variables without definition must satisfy one of `lits` in each of these clauses: queries rely
    /// on it for those outside of their domains. It may violate other clauses, whose variables are in every domain, together
    /// with those that are connected with them.
    ///
    /// # Panics
    /// If a variable of `lits` has a definition.
    pub fn add_local_clause(&mut self, guard: Option<Lit>, lits: &[Lit]) {
        if let Some(recorder) = &self.recorder {
            recorder.add_local_clause(guard, lits);
        }
        self.rest();
        self.has_model = false;
        let vars = lits.iter().map(|lit| lit.var());
        self.domain.join(vars, &mut self.values);
        let Some(guard) = guard else {
            self.insert_clause(lits);
            return;
        };
        self.domain.mark_guard(guard.var());
        self.insert_clause(&[lits, &[guard]].concat());
    }

    /// Puts a variable and all that it depends on into the domain of every later query.
    pub fn include(&mut self, var: Var) {
        if let Some(recorder) = &self.recorder {
            recorder.include(var);
        }
        self.rest();
        self.has_model = false;
        self.domain.add_permanent(var, &mut self.values);
    }

    /// Makes `clauses` hold in all later queries, until the next call of this method or of
    /// [`QuerySolver::clear_temporary`].
    pub fn set_temporary(&mut self, clauses: &[&[Lit]]) {
        if let Some(recorder) = &self.recorder {
            recorder.set_temporary(clauses);
        }
        self.drop_temporary();
        let mut lits = Vec::new();
        for clause in clauses {
            lits.clear();
            lits.push(!self.activation);
            lits.extend_from_slice(clause);
            self.temporary_vars
                .extend(clause.iter().map(|lit| lit.var()));
            lits.sort_unstable();
            lits.dedup();
            if lits.windows(2).any(|pair| pair[0] == !pair[1]) {
                continue;
            }
            // A clause without further literals makes the queries unsatisfiable. It is stored as a unit
            // clause under the activation literal.
            if lits.len() == 1 {
                lits.push(!self.activation);
            }
            // Literals that are false at level 0 must not be watched if others remain.
            lits.sort_by_key(|lit| self.values[lit.index()] == FALSE);
            if self.attach_clause(&lits, Kind::Temporary).is_none() {
                self.lacks_temporary = true;
            }
        }
    }

    /// Removes the temporary clauses and all clauses learned from them.
    pub fn clear_temporary(&mut self) {
        if let Some(recorder) = &self.recorder {
            recorder.clear_temporary();
        }
        self.drop_temporary();
    }

    fn drop_temporary(&mut self) {
        self.rest();
        self.has_model = false;
        for clause in self.temporary.drain(..) {
            self.clauses.delete(clause);
        }
        self.temporary_vars.clear();
        self.lacks_temporary = false;
    }

    /// Limits the words of four bytes that all clauses take: two for each clause and one for each of its
    /// literals. By default this is the largest number that can be addressed, 2^31 - 1. A query that would
    /// need more is answered `Unknown`; so are all queries after a permanent clause that could not be stored,
    /// and those under a temporary clause that could not.
    pub fn limit_clause_words(&mut self, words: usize) {
        self.clauses.set_limit(words);
    }

    /// Fixes the domain of later queries to the cones of `lits` (and the permanent part), until
    /// [`QuerySolver::release_domain`]. Until then a query may only mention variables of the domain.
    pub fn fix_domain(&mut self, lits: &[Lit]) {
        if let Some(recorder) = &self.recorder {
            recorder.fix_domain(lits);
        }
        self.rest();
        self.has_model = false;
        self.domain.release();
        self.domain
            .enter(lits.iter().map(|lit| lit.var()), &mut self.values);
        self.domain.fix();
    }

    /// Makes each query compute its own domain again.
    pub fn release_domain(&mut self) {
        if let Some(recorder) = &self.recorder {
            recorder.release_domain();
        }
        self.domain.release();
    }

    /// Looks for an assignment of the domain that satisfies all clauses in it and all `assumptions`.
    ///
    /// `stop` is polled each time about 2^14 literals have been propagated or decided since the last poll: in
    /// a release build about each millisecond. If it returns `true`, the answer is `Unknown`. The delay is at
    /// most the propagation of one literal more, and the work before the first decision is linear in the size
    /// of the domain and of the clauses.
    pub fn solve(&mut self, assumptions: &[Lit], stop: &mut dyn FnMut() -> bool) -> Answer {
        if let Some(recorder) = &self.recorder {
            recorder.solve(assumptions);
        }
        let answer = self.answer(assumptions, stop);
        self.has_model = answer == Answer::Satisfiable;
        if let Some(recorder) = &self.recorder {
            recorder.answer(answer);
        }
        answer
    }

    fn answer(&mut self, assumptions: &[Lit], stop: &mut dyn FnMut() -> bool) -> Answer {
        self.rest();
        self.has_model = false;
        for lit in self.failed_list.drain(..) {
            self.failed[lit.index()] = false;
        }
        self.statistics.queries += 1;
        if self.inconsistent || !self.propagate_facts() {
            return Answer::Unsatisfiable;
        }
        if self.lacks_clause || self.lacks_temporary {
            return Answer::Unknown;
        }
        self.maintain();
        if !self.domain.is_fixed() {
            let vars = assumptions.iter().map(|lit| lit.var());
            let temporary = self.temporary_vars.iter().copied();
            self.domain.enter(vars.chain(temporary), &mut self.values);
        }
        debug_assert!(
            assumptions
                .iter()
                .all(|lit| self.values[lit.index()] != OUTSIDE)
        );
        self.search(assumptions, stop)
    }

    /// The value of a literal in the assignment that the last query found: `None` outside of its domain.
    /// Valid until the solver is next changed.
    #[inline]
    #[must_use]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        debug_assert!(self.has_model);
        match self.values[lit.index()] {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        }
    }

    /// All literals that are true in the assignment that the last query found, facts included.
    #[must_use]
    pub fn model(&self) -> &[Lit] {
        debug_assert!(self.has_model);
        &self.trail
    }

    /// Whether a literal's variable is in the domain of the last query, or in the fixed domain.
    #[must_use]
    pub fn is_in_domain(&self, lit: Lit) -> bool {
        self.domain.contains(lit.var())
    }

    /// Whether an assumption of the last, unsatisfiable query is a failed one.
    #[inline]
    #[must_use]
    pub fn is_failed(&self, assumption: Lit) -> bool {
        self.failed[assumption.index()]
    }

    /// The failed assumptions of the last, unsatisfiable query.
    #[must_use]
    pub fn failed_assumptions(&self) -> &[Lit] {
        &self.failed_list
    }

    /// Whether the permanent clauses alone are known to be unsatisfiable.
    #[must_use]
    pub fn is_inconsistent(&self) -> bool {
        self.inconsistent
    }

    /// Sets the first phase of a variable, until it has been assigned.
    pub fn set_phase(&mut self, lit: Lit) {
        if let Some(recorder) = &self.recorder {
            recorder.set_phase(lit);
        }
        self.phases[lit.var().index()] = !lit.is_negated();
    }

    /// The counters so far.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Simplifies a permanent clause and stores it as an inconsistency, a unit or a watched clause.
    fn insert_clause(&mut self, lits: &[Lit]) {
        self.rest();
        self.has_model = false;
        let mut lits = lits.to_vec();
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|pair| pair[0] == !pair[1])
            || lits.iter().any(|lit| self.values[lit.index()] == TRUE)
        {
            return;
        }
        lits.retain(|lit| self.values[lit.index()] != FALSE);
        match *lits.as_slice() {
            [] => self.inconsistent = true,
            [fact] => self.assign(fact, ClauseRef::NONE),
            _ => {
                // Guards come last, so that they are not watched.
                lits.sort_by_key(|lit| self.domain.is_guard(lit.var()));
                if self.attach_clause(&lits, Kind::Original).is_some() {
                    self.n_original += 1;
                } else {
                    self.lacks_clause = true;
                }
            }
        }
    }

    /// Adds a clause of at least two literals, watched by the first two; `None` if there is no space for it.
    fn attach_clause(&mut self, lits: &[Lit], kind: Kind) -> Option<ClauseRef> {
        debug_assert!(lits.len() >= 2);
        let clause = self.clauses.push(lits, kind)?;
        self.watch(clause, [lits[0], lits[1]], lits.len(), kind);
        match kind {
            Kind::Original => {}
            Kind::Learned => self.learned.push(clause),
            Kind::Temporary => self.temporary.push(clause),
        }
        Some(clause)
    }

    /// Watches a clause of `length` literals by its first two. One of a literal and a guard is watched by the literal alone:
    /// it is not propagated from the guard, but when assumptions were made ([`QuerySolver::assume_guarded`]).
    fn watch(&mut self, clause: ClauseRef, [first, second]: [Lit; 2], length: usize, kind: Kind) {
        let binary = length == 2 && kind != Kind::Temporary;
        self.watches[first.index()].push(Watch::new(second, clause, binary));
        if binary && kind == Kind::Original && self.domain.is_guard(second.var()) {
            let place = first.var().index();
            if self.guarded.len() <= place {
                self.guarded.resize_with(place + 1, Vec::new);
            }
            self.guarded[place].push(Guarded {
                lit: first,
                guard: second,
                clause,
            });
        } else {
            self.watches[second.index()].push(Watch::new(first, clause, binary));
        }
    }

    #[inline]
    fn level(&self) -> u32 {
        self.levels_start.len() as u32
    }

    #[inline]
    fn assign(&mut self, lit: Lit, reason: ClauseRef) {
        debug_assert!(!matches!(self.values[lit.index()], TRUE | FALSE));
        self.values[lit.index()] = TRUE;
        self.values[(!lit).index()] = FALSE;
        self.reasons[lit.var().index()] = reason;
        self.levels[lit.var().index()] = self.levels_start.len() as u32;
        if self.levels_start.is_empty() {
            self.domain.note_fact(lit.var());
        }
        self.trail.push(lit);
    }

    /// Backtracks to level 0 between queries. The next query resets the order if it makes a decision.
    fn rest(&mut self) {
        self.order.restart();
        self.backtrack(0);
    }

    fn backtrack(&mut self, level: u32) {
        if self.level() <= level {
            return;
        }
        let keep = self.levels_start[level as usize];
        for index in (keep..self.trail.len()).rev() {
            let lit = self.trail[index];
            // Above level 0 only variables of the domain are assigned.
            self.values[lit.index()] = UNASSIGNED;
            self.values[(!lit).index()] = UNASSIGNED;
            self.phases[lit.var().index()] = !lit.is_negated();
            self.order.on_unassign(lit.var().index() as u32);
        }
        self.trail.truncate(keep);
        self.levels_start.truncate(level as usize);
        self.propagated = keep;
    }
}

#[cfg(test)]
mod tests;
