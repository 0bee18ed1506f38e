//! Failed literal probing: a literal whose propagation leads to a conflict is false.
//!
//! Literals that imply others through binary clauses, and that no binary clause implies, are assumed one
//! after the other: if such a root implies a failed literal, it fails itself (Freeman 1995; Lynce and
//! Marques-Silva, "Probing-based preprocessing techniques for propositional satisfiability", ICTAI 2003).
//! From a conflict, the negation of the first unique implication point is learned as a unit.
//!
//! A literal is probed again only after more literals have been fixed at level 0.

use crate::cdcl::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::Lit;
use crate::proof::ProofSink;

/// The share of the search's ticks that probing may use, in percent.
const SHARE: u64 = 2;

/// The least ticks that it may use.
const MIN_TICKS: u64 = 200;

impl<P: ProofSink> Solver<P> {
    /// Probes roots of the binary implications, given the ticks that the search has spent since the last
    /// time; `false` if the formula turns out to be unsatisfiable.
    pub(super) fn probe(&mut self, ticks: u64) -> bool {
        if !self.options.probe {
            return true;
        }
        let before = self.statistics.ticks;
        let limit = before + (ticks * SHARE / 100).max(MIN_TICKS);
        let n_lits = 2 * self.n_vars();
        let start = self.inprocessing.next_probe.min(n_lits);
        let mut is_open = true;
        let mut parents = vec![Lit::from_code(0); self.n_vars()];
        for index in (start..n_lits).chain(0..start) {
            let root = Lit::from_code(index as u32);
            let before = self.statistics.ticks;
            if self.stop.is_due(1 + self.watches.of(root).len() as u64 / 8) {
                break;
            }
            if !self.is_worth_probing(root) {
                continue;
            }
            if self.statistics.ticks >= limit {
                self.inprocessing.next_probe = index;
                break;
            }
            is_open = self.probe_literal(root, &mut parents, limit);
            if !is_open || self.stop.is_due(self.statistics.ticks - before) {
                break;
            }
        }
        self.statistics.probe_ticks += self.statistics.ticks - before;
        if is_open {
            self.collect_garbage();
            self.simplify();
        }
        is_open
    }

    fn is_worth_probing(&self, root: Lit) -> bool {
        self.trail.value(root) == 0
            && self.inprocessing.probed[root.index()] as usize <= self.trail.lits.len()
            && self.watches.has_binary(!root)
            && !self.watches.has_binary(root)
    }

    /// Assumes a literal and propagates; from a conflict it learns a unit, otherwise it derives binary
    /// clauses by hyper-binary resolution, until the ticks reach `limit`. `parents`, by variable, is scratch
    /// space. `false` if the formula turns out to be unsatisfiable.
    fn probe_literal(&mut self, root: Lit, parents: &mut [Lit], limit: u64) -> bool {
        debug_assert_eq!(self.trail.level(), 0);
        debug_assert_eq!(self.trail.value(root), 0);
        self.statistics.probed_literals += 1;
        self.trail.new_level();
        self.trail.assign(root, ClauseRef::NONE);
        let Some(conflict) = self.propagate() else {
            if self.options.hyper_binary {
                self.resolve_hyper_binaries(parents, limit);
            }
            self.undo(0);
            // One more than the number of fixed literals, since 0 means never probed.
            self.inprocessing.probed[root.index()] = self.trail.lits.len() as u32 + 1;
            return true;
        };
        self.learn_failed(conflict)
    }

    /// Learns the unit derived from a conflict at level 1; `false` if the formula turns out to be
    /// unsatisfiable.
    fn learn_failed(&mut self, conflict: ClauseRef) -> bool {
        self.statistics.failed_literals += 1;
        self.resolve_to_uip(conflict);
        let unit = self.analysis.clause[0];
        debug_assert_eq!(self.analysis.clause.len(), 1);
        debug_assert!(!self.analysis.tainted);
        self.analysis.clause.clear();
        self.analysis.clear_marks();
        let id = self.derive(&[unit]);
        self.undo(0);
        self.fix(unit, id)
    }
}
