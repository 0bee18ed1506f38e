//! What a search exchanges with other searches of the formula, and when.

use super::statistics::Statistics;
use crate::lit::Lit;
use crate::proof::{ClauseId, Source};

/// A clause from another search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Received {
    pub(crate) lits: Vec<Lit>,
    pub(crate) glue: u32,
    pub(crate) source: Source,
}

/// When a search exchanges clauses next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    /// At the first restart after this number of conflicts ...
    pub(crate) conflicts: u64,
    /// ... that comes after this number of restarts, ...
    pub(crate) restarts: u64,
    /// ... or without a restart after this number of conflicts, ...
    pub(crate) latest: u64,
    /// ... or after this number of ticks, but not without a conflict since the last exchange: a search that
    /// returns to level 0 before its first conflict would never get any further.
    pub(crate) ticks: u64,
    pub(crate) last_conflicts: u64,
}

impl Schedule {
    /// At the first opportunity.
    const NOW: Self = Self {
        conflicts: 0,
        restarts: 0,
        latest: 0,
        ticks: 0,
        last_conflicts: 0,
    };

    pub(super) fn is_due(&self, statistics: &Statistics) -> bool {
        let is_restarted = statistics.restarts > self.restarts;
        let conflicts = statistics.conflicts;
        conflicts >= self.conflicts && (is_restarted || conflicts >= self.latest)
            || statistics.ticks >= self.ticks && conflicts > self.last_conflicts
    }
}

/// Where a search gives clauses to others, and takes theirs.
pub(crate) trait Exchange<P>: Send {
    /// Offers a derived clause. One that is accepted has to keep its record in the proof.
    fn offer(&mut self, proof: &mut P, lits: &[Lit], glue: u32, id: ClauseId);

    /// Whether others have offered clauses since the last call of [`Exchange::take`], or have to be met.
    fn has_news(&mut self) -> bool;

    /// Takes what others have offered, possibly after waiting for them; `false` if the search has to stop.
    fn take(&mut self, inbox: &mut Vec<Received>) -> bool;

    /// Records that clause number `id` of this search is a clause of another one.
    fn record(&mut self, proof: &mut P, id: ClauseId, clause: &Received);

    /// The time of the next exchange.
    fn next(&self, statistics: &Statistics) -> Schedule;
}

/// What a search has exchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Clauses and units offered to the others.
    pub exported: u64,
    /// Clauses and units of others that were added.
    pub imported: u64,
    /// Clauses of others that were already true, or mention a variable that this search has eliminated.
    pub refused: u64,
    /// Clauses of others that were overwritten before this search came to read them, estimated as one for
    /// each time that it found its place overwritten.
    pub missed: u64,
}

/// The exchange of a solver. A clone has none.
pub(super) struct Sharing<P> {
    pub(super) port: Option<Box<dyn Exchange<P>>>,
    pub(super) next: Schedule,
    /// How many literals of level 0 were offered.
    pub(super) n_units: usize,
    pub(super) inbox: Vec<Received>,
    pub(super) imported: u64,
    pub(super) refused: u64,
}

impl<P> Default for Sharing<P> {
    fn default() -> Self {
        Self {
            port: None,
            next: Schedule::NOW,
            n_units: 0,
            inbox: Vec::new(),
            imported: 0,
            refused: 0,
        }
    }
}

impl<P> Clone for Sharing<P> {
    fn clone(&self) -> Self {
        Self::default()
    }
}
