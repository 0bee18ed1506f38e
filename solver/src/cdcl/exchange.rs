//! Clauses exchanged with other searches of the formula: the search's side of it. [`crate::parallel`] has the
//! other side, and the argument why imports are sound.

use super::answer::UnknownReason;
use super::reduce::just_learned;
use super::sharing::{Exchange, Received};
use super::solver::Solver;
use crate::lit::Lit;
use crate::proof::{ClauseId, ProofSink};

impl<P: ProofSink> Solver<P> {
    /// Connects the search with others of the same formula. No clause may be added afterwards.
    pub(crate) fn set_exchange(&mut self, port: Box<dyn Exchange<P>>) {
        self.sharing.port = Some(port);
    }

    /// How many clauses of others were added, and how many refused.
    pub(crate) fn imports(&self) -> [u64; 2] {
        [self.sharing.imported, self.sharing.refused]
    }

    /// Makes the variables with small numbers the first ones of the decision queue.
    pub(crate) fn reverse_queue(&mut self) {
        for index in (0..self.n_vars()).rev() {
            self.decisions
                .queue
                .bump(crate::lit::Var::new(index), false);
        }
    }

    /// Offers a learned clause, unless it was derived with temporary clauses, or has no record in the proof.
    /// Units are offered by [`Solver::exchange`].
    pub(super) fn offer_learned(&mut self, lits: &[Lit], glue: u32, id: ClauseId, tainted: bool) {
        if tainted || lits.len() < 2 || self.sharing.port.is_none() || self.is_proof_lost() {
            return;
        }
        if let Some(port) = &mut self.sharing.port {
            port.offer(&mut self.proof, lits, glue, id);
        }
    }

    /// Whether it is time to exchange clauses.
    #[inline]
    pub(super) fn is_time_to_exchange(&self) -> bool {
        self.sharing.port.is_some()
            && self.sharing.next.is_due(&self.statistics)
            && self.base_level == 0
            && !self.decisions.has_domain()
    }

    /// Offers the literals of level 0, and adds the clauses of others; `false` if the formula turns out to be
    /// unsatisfiable. The search returns to level 0 if there is something to add.
    pub(super) fn exchange(&mut self) -> bool {
        let Some(mut port) = self.sharing.port.take() else {
            return true;
        };
        self.stop.tell(&self.statistics);
        self.offer_units(&mut *port);
        let mut is_open = true;
        if port.has_news() {
            self.update_target_and_best(false);
            self.backtrack(0);
            let mut inbox = std::mem::take(&mut self.sharing.inbox);
            if !port.take(&mut inbox) {
                inbox.clear();
                self.stop.reason.get_or_insert(UnknownReason::Stopped);
            }
            is_open = inbox.iter().all(|clause| self.import(&mut *port, clause));
            inbox.clear();
            self.sharing.inbox = inbox;
        }
        self.sharing.next = port.next(&self.statistics);
        self.sharing.port = Some(port);
        is_open
    }

    fn offer_units(&mut self, port: &mut dyn Exchange<P>) {
        if self.is_proof_lost() {
            return;
        }
        for &lit in &self.trail.lits[self.sharing.n_units..self.units.derived] {
            let id = if P::ENABLED {
                self.units.ids[lit.var().index()]
            } else {
                0
            };
            port.offer(&mut self.proof, &[lit], 1, id);
        }
        self.sharing.n_units = self.units.derived;
    }

    /// Adds a clause of another search, without its literals that are false; `false` if the formula turns out
    /// to be unsatisfiable.
    fn import(&mut self, port: &mut dyn Exchange<P>, clause: &Received) -> bool {
        let lits = &clause.lits[..];
        let is_refused = lits.iter().any(|&lit| {
            let var = lit.var().index();
            var >= self.n_vars() || self.decisions.inactive[var] || self.trail.value(lit) > 0
        });
        if is_refused {
            self.sharing.refused += 1;
            return true;
        }
        if !self.arena.has_room(1, lits.len()) {
            self.stop.reason.get_or_insert(UnknownReason::Memory);
            return true;
        }
        self.sharing.imported += 1;
        let mut id = self.new_id();
        if P::ENABLED && !self.chain.is_exhausted {
            port.record(&mut self.proof, id, clause);
        }
        let (rest, falsified): (Vec<Lit>, Vec<Lit>) =
            lits.iter().partition(|&&lit| self.trail.value(lit) == 0);
        if !falsified.is_empty() {
            id = self.derive_shorter(id, lits, &falsified, &rest);
        }
        match rest[..] {
            [] => {
                self.become_inconsistent(id);
                false
            }
            [lit] => self.fix(lit, id),
            [first, second, ..] => {
                let glue = clause.glue.clamp(1, rest.len() as u32 - 1);
                let reference = self.arena.alloc(&rest, true, glue, id);
                let reference = reference.expect("there is room for the clause");
                self.arena.set_used(reference, just_learned(glue));
                self.watches.attach(reference, first, second, rest.len());
                self.clauses.redundant.push(reference);
                true
            }
        }
    }
}
