//! Allocations in loops that are cut, with what all objects of one have in common (see `summary`).

use std::collections::{BTreeSet, HashMap};

use craig_c_lang::address_space::ObjectId;
use craig_word::Term;

use super::points::Points;

/// An allocation, by instance and instruction.
pub(super) type Place = (u32, u32);
/// A site, by its position in [`Summaries::sites`].
pub(crate) type SiteId = usize;

/// What all values of a cell have in common, of all objects of a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fact {
    /// None has been stored.
    None,
    /// Null or the start of one of these objects.
    Addresses(BTreeSet<u128>),
    /// A number in a signed interval.
    Number(i128, i128),
    /// Nothing: the cell may not be read.
    Lost,
}

/// A site.
pub(super) struct Site {
    pub(super) tracked: ObjectId,
    pub(super) others: ObjectId,
    /// The number of its counter, which is 1 once the tracked object has been made.
    pub(super) counter: u32,
    /// The fact of each cell, with the number of its changes, and the other marks of its values' targets.
    pub(super) facts: Vec<(Fact, u32, Points)>,
}

/// The part of a site's objects that an object stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Tracked,
    Others,
}

/// The sites of a program, with the facts about their objects.
#[derive(Default)]
pub struct Summaries {
    pub(super) places: BTreeSet<Place>,
    pub(super) numbers: HashMap<Place, SiteId>,
    pub(super) sites: Vec<Site>,
    pub(super) of_object: HashMap<ObjectId, (SiteId, Part)>,
    /// Whether an allocation was executed again that is not among the places.
    pub wants_more: bool,
    /// Whether facts have changed.
    pub(super) changed: bool,
    /// Cells that were read before anything was stored in one.
    pub(super) unset: BTreeSet<(SiteId, usize)>,
    /// The values of the words of the state that choose from addresses: a term that is one of them stands for one
    /// pointer.
    pub of_words: BTreeSet<Term>,
    /// The values that were read of others through such a word since the last store, with their inputs and the
    /// condition that they are possible.
    pub(super) latest: HashMap<(Term, SiteId, usize), (Term, Term, Term)>,
}

impl Summaries {
    /// Whether some allocation has a summary.
    pub fn is_used(&self) -> bool {
        !self.sites.is_empty()
    }

    /// Forgets what was read.
    pub fn forget_reads(&mut self) {
        self.latest.clear();
    }

    /// Forgets the facts, for another analysis with more sites.
    pub fn restart(&mut self) {
        self.wants_more = false;
        for site in &mut self.sites {
            for fact in &mut site.facts {
                *fact = (Fact::None, 0, Points::default());
            }
        }
        self.unset.clear();
        self.changed = false;
    }

    /// Whether executions have to be repeated, as facts have changed since the last call.
    pub fn has_changed(&mut self) -> bool {
        let changed = std::mem::take(&mut self.changed);
        if changed {
            self.unset.clear();
            return true;
        }
        // What is read is not stored: any number.
        let unset = std::mem::take(&mut self.unset);
        for &(site, cell) in &unset {
            self.sites[site].facts[cell].0 = Fact::Number(i128::MIN, i128::MAX);
        }
        !unset.is_empty()
    }
}
