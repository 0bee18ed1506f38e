//! The irredundant clauses by the literals they contain, for techniques that visit all of them.
//!
//! While this exists, watches are out of date: level-0 propagation uses the occurrence lists
//! ([`Occurrences::propagate`]). [`Occurrences::finish`] rebuilds the watches.

use super::lists::Lists;
use super::subsumption::Signature;
use crate::cdcl::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::{Lit, Var};
use crate::proof::{ClauseId, ProofSink};

/// A clause with its signature, which is compared before its literals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) clause: ClauseRef,
    pub(super) signature: Signature,
    is_queued: bool,
}

/// Occurrence lists, and a queue of clauses that may subsume others.
pub(super) struct Occurrences<'s, P: ProofSink> {
    pub(super) solver: &'s mut Solver<P>,
    pub(super) entries: Vec<Entry>,
    /// By literal: indices of entries. Entries whose clause is garbage are skipped, and removed by
    /// [`Occurrences::clean`].
    pub(super) lists: Lists<u32>,
    /// Entries that have not been tried as subsuming clauses since they last changed.
    pub(super) queue: Vec<u32>,
    /// Variables of clauses that have changed or were removed since this was last emptied.
    pub(super) changed: Vec<Var>,
    /// Entries whose clause has lost a literal since this was last emptied.
    pub(super) shortened: Vec<u32>,
    /// By literal: whether the current clause contains it; all false between uses.
    pub(super) marks: Vec<bool>,
    /// The length of the trail that has been propagated through the lists.
    propagated: usize,
    /// The length of the trail when the watches were last valid.
    watched: usize,
    /// Clauses visited, the measure of effort.
    pub(super) steps: u64,
    /// The steps already reported as work.
    counted: u64,
    limit: u64,
}

impl<'s, P: ProofSink> Occurrences<'s, P> {
    /// Lists all irredundant clauses. Level 0 must be propagated and the clauses simplified.
    pub(super) fn new(solver: &'s mut Solver<P>) -> Self {
        debug_assert_eq!(solver.trail.level(), 0);
        debug_assert_eq!(solver.trail.propagated, solver.trail.lits.len());
        let n_lits = 2 * solver.n_vars();
        let clauses = std::mem::take(&mut solver.clauses.irredundant);
        let propagated = solver.trail.lits.len();
        let mut occurrences = Self {
            solver,
            entries: Vec::with_capacity(clauses.len()),
            lists: Lists::new(n_lits),
            queue: Vec::new(),
            changed: Vec::new(),
            shortened: Vec::new(),
            marks: vec![false; n_lits],
            propagated,
            watched: propagated,
            steps: 0,
            counted: 0,
            limit: 0,
        };
        for clause in clauses {
            // If there is no time to build the lists, the entries are still needed by `finish`.
            if occurrences.solver.stop.is_due(2) {
                occurrences.entries.push(Entry {
                    clause,
                    signature: Signature::of(std::iter::empty()),
                    is_queued: false,
                });
            } else {
                occurrences.add(clause);
            }
        }
        occurrences
    }

    /// Adds to the allowed effort.
    pub(super) fn grant(&mut self, steps: u64) {
        self.limit = self.steps + steps;
    }

    /// Whether the allowed effort is spent, or the call has to end.
    pub(super) fn is_spent(&mut self) -> bool {
        let work = self.steps - std::mem::replace(&mut self.counted, self.steps);
        self.solver.stop.is_due(1 + work) || self.steps >= self.limit
    }

    /// Whether the clause of an entry is not garbage.
    pub(super) fn is_live(&self, entry: u32) -> bool {
        let clause = self.entries[entry as usize].clause;
        !self.solver.arena.is_garbage(clause)
    }

    /// Adds an irredundant clause.
    pub(super) fn add(&mut self, clause: ClauseRef) {
        let entry = self.entries.len() as u32;
        for lit in self.solver.arena.lits(clause) {
            self.lists.push(lit, entry);
        }
        let is_queued = !self.solver.arena.is_subsumption_tried(clause);
        self.entries.push(Entry {
            clause,
            signature: Signature::of(self.solver.arena.lits(clause)),
            is_queued,
        });
        if is_queued {
            self.queue.push(entry);
        }
    }

    /// Removes an entry from the queue.
    pub(super) fn next_queued(&mut self) -> Option<u32> {
        let entry = self.queue.pop()?;
        self.entries[entry as usize].is_queued = false;
        Some(entry)
    }

    /// Queues a clause whose literals have changed.
    pub(super) fn note_rewritten(&mut self, entry: u32) {
        let slot = &mut self.entries[entry as usize];
        slot.signature = Signature::of(self.solver.arena.lits(slot.clause));
        if !std::mem::replace(&mut slot.is_queued, true) {
            self.queue.push(entry);
        }
    }

    /// Empties the queue, so that only clauses that change from now on are tried.
    pub(super) fn pause_subsumption(&mut self) -> Vec<u32> {
        let waiting = std::mem::take(&mut self.queue);
        for &entry in &waiting {
            self.entries[entry as usize].is_queued = false;
        }
        waiting
    }

    /// Queues entries again.
    pub(super) fn resume_subsumption(&mut self, waiting: Vec<u32>) {
        for entry in waiting {
            let slot = &mut self.entries[entry as usize];
            if !std::mem::replace(&mut slot.is_queued, true) {
                self.queue.push(entry);
            }
        }
    }

    /// Removes entries of garbage from the list of a literal.
    pub(super) fn clean(&mut self, lit: Lit) {
        let Self {
            solver,
            entries,
            lists,
            ..
        } = self;
        lists.retain(lit, |entry| {
            !solver.arena.is_garbage(entries[entry as usize].clause)
        });
    }

    /// Removes a clause that is subsumed or satisfied.
    pub(super) fn remove(&mut self, entry: u32) {
        self.note_change(entry);
        let clause = self.entries[entry as usize].clause;
        self.solver.remove_clause(clause);
    }

    /// Records the variables of a clause that is about to change or to be removed.
    pub(super) fn note_change(&mut self, entry: u32) {
        let lits = (self.solver.arena).lits(self.entries[entry as usize].clause);
        self.changed.extend(lits.map(Lit::var));
    }

    /// Removes a literal from a clause. The chain of the shorter clause has been collected.
    pub(super) fn strengthen(&mut self, entry: u32, removed: Lit) {
        let clause = self.entries[entry as usize].clause;
        let mut rest = std::mem::take(&mut self.solver.scratch.rest);
        rest.clear();
        rest.extend(self.solver.arena.lits(clause).filter(|&lit| lit != removed));
        if rest.len() == 1 {
            let id = self.solver.derive(&rest);
            self.assign(rest[0], id);
            self.remove(entry);
        } else {
            self.note_change(entry);
            self.solver.replace_clause(clause, &rest);
            self.lists.retain(removed, |other| other != entry);
            self.shortened.push(entry);
            self.note_rewritten(entry);
        }
        self.solver.scratch.rest = rest;
    }

    /// Assigns a literal whose unit clause was derived.
    pub(super) fn assign(&mut self, lit: Lit, id: ClauseId) {
        let solver = &mut *self.solver;
        match solver.trail.value(lit) {
            0 => {
                if P::ENABLED {
                    solver.units.ids[lit.var().index()] = id;
                }
                solver.trail.assign(lit, ClauseRef::NONE);
            }
            1 => {}
            _ => {
                if Solver::<P>::CHAINS {
                    solver.chain.ids.push(id);
                    solver.chain.add_unit(lit.var());
                }
                let id = solver.derive(&[]);
                solver.become_inconsistent(id);
            }
        }
    }

    /// Propagates new units through the lists; `false` if the formula turns out to be unsatisfiable.
    pub(super) fn propagate(&mut self) -> bool {
        while !self.solver.outcome.inconsistent && self.propagated < self.solver.trail.lits.len() {
            let lit = self.solver.trail.lits[self.propagated];
            self.propagated += 1;
            for entry in self.lists.take(lit) {
                if self.is_live(entry) {
                    self.remove(entry);
                }
            }
            for entry in self.lists.take(!lit) {
                if self.is_live(entry) && !self.solver.outcome.inconsistent {
                    self.take_unit_out(entry, !lit);
                }
            }
        }
        !self.solver.outcome.inconsistent
    }

    /// Resolves a clause with the unit clause of the negation of `false_lit`.
    fn take_unit_out(&mut self, entry: u32, false_lit: Lit) {
        let clause = self.entries[entry as usize].clause;
        let solver = &mut *self.solver;
        let trail = &solver.trail;
        if solver.arena.lits(clause).any(|lit| trail.value(lit) > 0) {
            return self.remove(entry);
        }
        if Solver::<P>::CHAINS {
            solver.chain.ids.push(solver.arena.id(clause));
            solver.chain.add_unit(false_lit.var());
        }
        self.strengthen(entry, false_lit);
    }

    /// Removes learned clauses over eliminated variables, and rebuilds the watches; `false` if the formula
    /// turns out to be unsatisfiable.
    pub(super) fn finish(self) -> bool {
        let Self {
            solver,
            entries,
            watched,
            ..
        } = self;
        // The next collection removes garbage clauses among them.
        solver.clauses.irredundant = entries.iter().map(|entry| entry.clause).collect();
        if solver.outcome.inconsistent {
            return false;
        }
        let redundant = std::mem::take(&mut solver.clauses.redundant);
        for &clause in &redundant {
            if !solver.arena.is_garbage(clause) && solver.is_eliminated_in(clause) {
                solver.remove_clause(clause);
            }
        }
        solver.clauses.redundant = redundant;
        // The new units have not been propagated through learned clauses yet.
        solver.watch_anew(watched)
    }

    /// Whether the variable has no value and is not eliminated.
    pub(super) fn is_open(&self, var: Var) -> bool {
        self.solver.trail.value(var.positive()) == 0 && !self.solver.decisions.inactive[var.index()]
    }
}
