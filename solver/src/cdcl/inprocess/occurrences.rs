//! The irredundant clauses by the literals they contain, for techniques that look at all of them.
//!
//! While this exists, watches are out of date: level-0 propagation goes through the occurrence lists
//! ([`Occurrences::propagate`]). [`Occurrences::finish`] makes the watches anew.

use super::lists::Lists;
use super::subsumption::Signature;
use crate::cdcl::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::{Lit, Var};
use crate::proof::{ClauseId, ProofSink};

/// A clause with what is compared before its literals are.
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
    /// By literal: the numbers of entries. Entries whose clause is garbage are skipped, and
    /// dropped by [`Occurrences::clean`].
    pub(super) lists: Lists<u32>,
    /// Entries that have not been tried as subsuming clauses since they last changed.
    pub(super) queue: Vec<u32>,
    /// Variables of clauses that have changed or gone since this was last emptied: there may be fewer clauses
    /// with them.
    pub(super) changed: Vec<Var>,
    /// By literal: marks of the clause in question; all false in between.
    pub(super) marks: Vec<bool>,
    /// Units up to here have been propagated through the lists.
    propagated: usize,
    /// What the trail was when the watches were last right.
    watched: usize,
    /// Clauses visited, the measure of effort here.
    pub(super) steps: u64,
    /// The steps that are counted as work.
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
            marks: vec![false; n_lits],
            propagated,
            watched: propagated,
            steps: 0,
            counted: 0,
            limit: 0,
        };
        for clause in clauses {
            // Without time for the lists there is none for what they serve; the entries are needed to finish.
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

    /// Grants an effort from here on.
    pub(super) fn grant(&mut self, steps: u64) {
        self.limit = self.steps + steps;
    }

    /// Whether the effort that was granted is spent, or the call has to end.
    pub(super) fn is_spent(&mut self) -> bool {
        let work = self.steps - std::mem::replace(&mut self.counted, self.steps);
        self.solver.stop.is_due(1 + work) || self.steps >= self.limit
    }

    /// Whether an entry still stands for a clause.
    pub(super) fn is_live(&self, entry: u32) -> bool {
        let clause = self.entries[entry as usize].clause;
        !self.solver.arena.is_garbage(clause)
    }

    /// Lists an irredundant clause.
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

    /// Takes an entry from the queue.
    pub(super) fn next_queued(&mut self) -> Option<u32> {
        let entry = self.queue.pop()?;
        self.entries[entry as usize].is_queued = false;
        Some(entry)
    }

    /// Drops entries of garbage from the list of a literal.
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

    /// Takes note that a clause is about to change or to go.
    pub(super) fn note_change(&mut self, entry: u32) {
        let lits = (self.solver.arena).lits(self.entries[entry as usize].clause);
        self.changed.extend(lits.map(Lit::var));
    }

    /// Removes a literal from a clause. The chain that derives the rest has been collected.
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
            let slot = &mut self.entries[entry as usize];
            slot.signature = Signature::of(rest.iter().copied());
            if !std::mem::replace(&mut slot.is_queued, true) {
                self.queue.push(entry);
            }
        }
        self.solver.scratch.rest = rest;
    }

    /// Takes note of a derived unit clause.
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

    /// Removes learned clauses over eliminated variables, and makes the watches anew; `false` if the formula
    /// turns out to be unsatisfiable.
    pub(super) fn finish(self) -> bool {
        let Self {
            solver,
            entries,
            watched,
            ..
        } = self;
        // Garbage among them goes with the next collection.
        solver.clauses.irredundant = entries.iter().map(|entry| entry.clause).collect();
        if solver.outcome.inconsistent {
            return false;
        }
        let redundant = std::mem::take(&mut solver.clauses.redundant);
        for &clause in &redundant {
            debug_assert!(!solver.arena.is_garbage(clause));
            if solver.is_eliminated_in(clause) {
                solver.remove_clause(clause);
            }
        }
        solver.clauses.redundant = redundant;
        // The new units have not been propagated through learned clauses yet.
        solver.watch_anew(watched)
    }

    /// Whether the variable may be looked at: it has no value and is still there.
    pub(super) fn is_open(&self, var: Var) -> bool {
        self.solver.trail.value(var.positive()) == 0 && !self.solver.decisions.inactive[var.index()]
    }
}
