//! The ends of the exchange that the searches hold.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::ring::{Read, Ring};
use super::rounds::Rounds;
use super::sink::SharedSink;
use super::units::Units;
use super::{Settings, Tuning};
use crate::cdcl::{Exchange, Received, Schedule, Statistics};
use crate::lit::Lit;
use crate::proof::{ClauseId, Source};

/// How many hashes of clauses are remembered.
const MAX_KNOWN: usize = 1 << 17;

/// What the searches share.
pub(super) enum Hub {
    /// Whoever has a clause publishes it at once.
    Free { rings: Vec<Ring>, units: Units },
    /// All searches meet.
    Rounds(Rounds),
}

impl Hub {
    pub(super) fn new(settings: &Settings) -> Self {
        let n_workers = settings.workers.get();
        if settings.deterministic {
            return Self::Rounds(Rounds::new(n_workers));
        }
        let ring = |_| Ring::new(settings.tuning.ring_words);
        Self::Free {
            rings: (0..n_workers).map(ring).collect(),
            units: Units::default(),
        }
    }
}

/// What a port has counted: offered clauses, and places found overwritten.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) exported: AtomicU64,
    pub(super) missed: AtomicU64,
}

/// What both kinds of ports have.
pub(super) struct Port {
    worker: usize,
    hub: Arc<Hub>,
    tuning: Tuning,
    counters: Arc<Counters>,
    /// Hashes of clauses that were offered or taken: one that comes again, from whomever, is dropped.
    known: HashSet<u64>,
    /// By search, the place in its ring.
    cursors: Vec<u64>,
    n_units: usize,
    /// What is offered at the end of the round.
    offers: Vec<Received>,
    /// Set from outside to end all searches.
    interrupts: [Arc<AtomicBool>; 2],
}

impl Port {
    pub(super) fn new(
        worker: usize,
        hub: &Arc<Hub>,
        settings: &Settings,
        counters: &Arc<Counters>,
        interrupts: [Arc<AtomicBool>; 2],
    ) -> Self {
        Self {
            worker,
            hub: Arc::clone(hub),
            tuning: settings.tuning,
            counters: Arc::clone(counters),
            known: HashSet::new(),
            cursors: vec![0; settings.workers.get()],
            n_units: 0,
            offers: Vec::new(),
            interrupts,
        }
    }

    fn is_worth_sharing(&self, lits: &[Lit], glue: u32) -> bool {
        lits.len() <= 2
            || glue <= self.tuning.max_glue && lits.len() <= self.tuning.max_size as usize
    }

    /// Whether the clause has not been seen before; remembers it.
    fn is_new(&mut self, lits: &[Lit]) -> bool {
        if self.known.len() >= MAX_KNOWN {
            self.known.clear();
        }
        self.known.insert(hash(lits))
    }

    /// Moves what the others have in their rings and in the list of units to the inbox.
    fn read(&mut self, rings: &[Ring], units: &Units, inbox: &mut Vec<Received>) {
        if units.len() > self.n_units {
            let new = units.since(self.n_units);
            self.n_units += new.len();
            let others = new
                .into_iter()
                .filter(|(_, source)| source.worker as usize != self.worker);
            inbox.extend(others.map(|(lit, source)| Received {
                lits: vec![lit],
                glue: 1,
                source,
            }));
        }
        for (worker, ring) in rings.iter().enumerate() {
            if worker == self.worker {
                continue;
            }
            let mut lits = Vec::new();
            loop {
                match ring.read(&mut self.cursors[worker], &mut lits) {
                    Read::End => break,
                    Read::Missed => {
                        self.counters.missed.fetch_add(1, Ordering::Relaxed);
                    }
                    Read::Clause { glue, id } => {
                        let lits = std::mem::take(&mut lits);
                        if self.is_new(&lits) {
                            let worker = worker as u32;
                            inbox.push(Received {
                                lits,
                                glue,
                                source: Source { worker, id },
                            });
                        }
                    }
                }
            }
        }
    }

    /// The best of the offers of this round, in the order in which they were learned.
    fn take_offers(&mut self) -> Vec<Received> {
        let mut offers = std::mem::take(&mut self.offers);
        let limit = self.tuning.max_round_offers;
        if offers.len() > limit {
            let badness = |offer: &Received| (offer.lits.len() > 1, offer.glue, offer.lits.len());
            let mut order: Vec<usize> = (0..offers.len()).collect();
            order.sort_by_key(|&index| badness(&offers[index]));
            order.truncate(limit);
            order.sort_unstable();
            offers = order
                .into_iter()
                .map(|index| offers[index].clone())
                .collect();
        }
        offers
    }
}

/// A hash of a clause that does not depend on the order of its literals.
fn hash(lits: &[Lit]) -> u64 {
    let mix = |lit: &Lit| {
        let word = (u64::from(lit.code()) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (word ^ word >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    };
    (lits.iter().map(mix)).fold(lits.len() as u64, |sum, word| {
        sum.wrapping_add(word ^ word >> 32)
    })
}

impl<P: SharedSink> Exchange<P> for Port {
    fn offer(&mut self, proof: &mut P, lits: &[Lit], glue: u32, id: ClauseId) {
        if !self.is_worth_sharing(lits, glue) || !self.is_new(lits) {
            return;
        }
        let source = Source {
            worker: self.worker as u32,
            id,
        };
        let is_accepted = match &*self.hub {
            Hub::Free { units, .. } if lits.len() == 1 => units.push(lits[0], source),
            Hub::Free { rings, .. } => rings[self.worker].push(lits, glue, id),
            Hub::Rounds(_) => {
                self.offers.push(Received {
                    lits: lits.to_vec(),
                    glue,
                    source,
                });
                true
            }
        };
        if is_accepted {
            // Before this search does anything else: it may delete the clause at once.
            proof.share(id);
            self.counters.exported.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn has_news(&mut self) -> bool {
        match &*self.hub {
            Hub::Free { rings, units } => {
                units.len() > self.n_units
                    || (rings.iter().enumerate()).any(|(worker, ring)| {
                        worker != self.worker && ring.has_more(self.cursors[worker])
                    })
            }
            Hub::Rounds(_) => true,
        }
    }

    fn take(&mut self, inbox: &mut Vec<Received>) -> bool {
        let hub = Arc::clone(&self.hub);
        match &*hub {
            Hub::Free { rings, units } => {
                self.read(rings, units, inbox);
                true
            }
            Hub::Rounds(rounds) => {
                let offers = self.take_offers();
                let [own, all] = &self.interrupts;
                let is_asked = || own.load(Ordering::Relaxed) || all.load(Ordering::Relaxed);
                let Some(published) = rounds.meet(self.worker, offers, is_asked) else {
                    return false;
                };
                for (worker, offers) in published.iter().enumerate() {
                    for offer in offers {
                        if worker != self.worker && self.is_new(&offer.lits) {
                            inbox.push(offer.clone());
                        }
                    }
                }
                true
            }
        }
    }

    fn record(&mut self, proof: &mut P, id: ClauseId, clause: &Received) {
        proof.import(id, &clause.lits, clause.source);
    }

    fn next(&self, statistics: &Statistics) -> Schedule {
        match &*self.hub {
            Hub::Free { .. } => Schedule {
                conflicts: statistics.conflicts.saturating_add(self.tuning.interval),
                restarts: statistics.restarts,
                latest: (statistics.conflicts).saturating_add(self.tuning.latest),
                ticks: u64::MAX,
                last_conflicts: statistics.conflicts,
            },
            Hub::Rounds(_) => Schedule {
                conflicts: u64::MAX,
                restarts: u64::MAX,
                latest: u64::MAX,
                ticks: (statistics.ticks).saturating_add(self.tuning.round_ticks),
                last_conflicts: statistics.conflicts,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_do_not_depend_on_the_order_of_literals() {
        let lits = |numbers: &[i64]| -> Vec<Lit> {
            (numbers
                .iter()
                .map(|&number| Lit::from_dimacs(number).unwrap()))
            .collect()
        };
        assert_eq!(hash(&lits(&[1, -2, 3])), hash(&lits(&[3, 1, -2])));
        assert_ne!(hash(&lits(&[1, -2, 3])), hash(&lits(&[3, 1, 2])));
        assert_ne!(hash(&lits(&[1, 2])), hash(&lits(&[3])));
    }
}
