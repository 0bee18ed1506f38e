//! Reads and writes of objects that have a summary: facts about their cells, and where they are assumed and
//! checked.

use std::collections::BTreeSet;

use craig_word::{Term, Terms, from_signed, to_signed};

use super::access::Target;
use super::choices::{MAX_VALUES, alternatives, image, leaves, one_of};
use super::executor::{COUNTER_BITS, Executor, Supported};
use super::memory::{self, choose};
use super::other_read::OtherRead;
use super::points::Points;
use super::sites::{Fact, Part, SiteId, Summaries};
use super::state::{Mark, State};

/// A fact that has changed more often than this becomes the weakest one.
const MAX_CHANGES: u32 = 6;

impl Executor<'_> {
    /// The cell that an access reaches; `None` if it may be several, or a part of one.
    fn cell_of(&mut self, target: &Target, bytes: u32) -> Option<usize> {
        let shape = self.space.objects[target.object as usize].shape.clone();
        let offset = match self.terms.constant_value(target.offset) {
            Some(offset) => offset as u64,
            None => {
                let found = memory::candidates(&mut self.terms, &shape, target.offset, bytes)?;
                if found.count != 1 {
                    return None;
                }
                found.first
            }
        };
        if offset >= shape.size {
            return None;
        }
        let cell = shape.cell_at(offset);
        (shape.cells[cell] == (offset, bytes)).then_some(cell)
    }

    /// Notes a store of a value to an object of a site, tracked or other. Returns whether the store has no
    /// effect on the state.
    pub(super) fn store_in_summary(
        &mut self,
        state: &State,
        target: &Target,
        bytes: u32,
        value: Term,
    ) -> bool {
        let Some((site, part)) = self.part_of(target.object) else {
            return false;
        };
        let cell = self.cell_of(target, bytes);
        self.note_stored(state, site, cell, value);
        part == Part::Others
    }

    pub(super) fn note_stored(
        &mut self,
        state: &State,
        site: SiteId,
        cell: Option<usize>,
        value: Term,
    ) {
        let (fact, mut points) = self.fact_of(state, value);
        points.objects.clear();
        let Some(summaries) = &mut self.summaries else {
            return;
        };
        let facts = &mut summaries.sites[site].facts;
        let cells = match cell {
            Some(cell) => cell..cell + 1,
            None => 0..facts.len(),
        };
        for (own, changes, of_values) in &mut facts[cells] {
            let new = match (cell, &fact) {
                (Some(_), _) => joined(own, &fact),
                // Several cells, or a part of one.
                (None, Fact::Number(..)) => joined(own, &Fact::Number(i128::MIN, i128::MAX)),
                (None, _) => Fact::Lost,
            };
            let mut all = of_values.clone();
            all.join(&points);
            if new == *own && all == *of_values {
                continue;
            }
            *changes += 1;
            *own = match new {
                Fact::Number(..) if *changes > MAX_CHANGES => Fact::Number(i128::MIN, i128::MAX),
                new => new,
            };
            *of_values = all;
            summaries.changed = true;
        }
    }

    /// The strongest fact that holds for a value on the paths of a state.
    fn fact_of(&mut self, state: &State, value: Term) -> (Fact, Points) {
        let points = (*self.points.of(&self.terms, &self.space, value)).clone();
        if points.is_lost() {
            return (Fact::Lost, points);
        }
        let is_of_frame = |object| self.frame_objects.contains_key(object);
        if !points.objects.is_empty() {
            let values = leaves(&self.terms, value);
            let values = values.filter(|values| values.iter().all(|&value| self.is_start(value)));
            let fact = match values {
                Some(values) if !points.objects.iter().any(is_of_frame) => Fact::Addresses(values),
                _ => Fact::Lost,
            };
            return (fact, points);
        }
        let width = self.terms.width(value);
        if self.terms.constant_value(value) == Some(0) && width == self.space.width {
            return (Fact::Addresses(BTreeSet::from([0])), points);
        }
        let any = Fact::Number(i128::MIN, i128::MAX);
        let Some(parts) = alternatives(&self.terms, value).filter(|_| width <= 64) else {
            return (any, points);
        };
        let mut bounds: Option<(i128, i128)> = None;
        for part in parts {
            let (low, high) = match self.terms.constant_value(part) {
                Some(value) => (to_signed(value, width), to_signed(value, width)),
                None => self.guards.bounds(&self.terms, state.guard, part),
            };
            bounds = Some(match bounds {
                Some((least, most)) => (least.min(low), most.max(high)),
                None => (low, high),
            });
        }
        match bounds {
            Some((low, high)) => (Fact::Number(low, high), points),
            None => (any, points),
        }
    }

    /// What is known of a read: the fact, and the marks of the values' targets.
    fn read_fact(&mut self, site: SiteId, cell: Option<usize>) -> (Fact, Points) {
        let Some(summaries) = &mut self.summaries else {
            return (Fact::Lost, Points::default());
        };
        let facts = &summaries.sites[site].facts;
        if let Some(cell) = cell {
            if facts[cell].0 == Fact::None {
                summaries.unset.insert((site, cell));
            }
            let (fact, _, points) = &summaries.sites[site].facts[cell];
            return (fact.clone(), points.clone());
        }
        let mut points = Points::default();
        let mut fact = Fact::Number(i128::MIN, i128::MAX);
        for (own, _, of_values) in facts {
            points.join(of_values);
            if matches!(own, Fact::Addresses(_) | Fact::Lost) {
                fact = Fact::Lost;
            }
        }
        (fact, points)
    }

    /// The word of the state that the start of the object at an address is, if it is one.
    fn pointer_of(&mut self, address: Term) -> Option<Term> {
        let (root, shift) = self.shifted(address)?;
        let (space, width) = (&self.space, self.space.width);
        let pointer = image(&mut self.terms, root, &[], |terms, leaf| {
            let at = (terms.constant_value(leaf)? as u64).wrapping_add(shift);
            let object = space.object_at(at);
            let base = object.map_or(0, |object| space.objects[object as usize].base);
            Some(terms.constant(u128::from(base), width))
        })?;
        let summaries = self.summaries.as_ref()?;
        summaries.of_words.contains(&pointer).then_some(pointer)
    }

    /// The value of a read of others, for which the fact is assumed. `None`: there is none.
    pub(super) fn read_other(
        &mut self,
        state: &mut State,
        address: Term,
        target: &Target,
        bytes: u32,
    ) -> Supported<Option<Term>> {
        let Some((site, Part::Others)) = self.part_of(target.object) else {
            return Err("a read of no summary".into());
        };
        let cell = self.cell_of(target, bytes);
        let (fact, points) = self.read_fact(site, cell);
        let executed = self.guards.term(state.guard);
        // Two reads through one pointer without a store between them have one value.
        let key = match (self.pointer_of(address), cell) {
            (Some(pointer), Some(cell)) => Some((pointer, site, cell)),
            _ => None,
        };
        let summaries = self.summaries.as_ref();
        let known = key.and_then(|key| summaries?.latest.get(&key).copied());
        let (value, input, holds) = match fact {
            _ if let Some(known) = known => known,
            Fact::None => {
                let elsewhere = self.terms.not(target.condition);
                self.assume(state, elsewhere)?;
                return Ok(None);
            }
            Fact::Lost => return Err("a read of one of many objects that is not followed".into()),
            Fact::Addresses(addresses) => self.any_address(state, &addresses),
            Fact::Number(low, high) => {
                let value = self.variable(bytes * 8);
                if self.points.variables.get(&value) != Some(&points) {
                    self.points.variables.insert(value, points);
                    self.points.forget();
                }
                let holds = self.is_between(value, low, high);
                (value, value, holds)
            }
        };
        if let (Some(key), Some(summaries)) = (key, &mut self.summaries) {
            summaries.latest.insert(key, (value, input, holds));
        }
        let elsewhere = self.terms.not(target.condition);
        let assumed = self.terms.or(elsewhere, holds);
        self.assume(state, assumed)?;
        self.log.reads.push(OtherRead {
            site,
            inputs: vec![input],
            executed,
            is_other: vec![target.condition],
            index: None,
        });
        Ok(Some(value))
    }

    /// One of several addresses, the input that chooses it, and the condition that its object exists.
    fn any_address(&mut self, state: &State, addresses: &BTreeSet<u128>) -> (Term, Term, Term) {
        let width = self.space.width;
        let values: Vec<Term> = (addresses.iter())
            .map(|&address| self.terms.constant(address, width))
            .collect();
        let bits = (addresses.len().max(2) - 1).ilog2() + 1;
        let input = self.variable(bits);
        let value = choose(&mut self.terms, &values, input);
        let holds = self.is_made(state, value, addresses);
        (value, input, holds)
    }

    /// Whether a word, one of some addresses, is not that of a tracked object that has not been made.
    fn is_made(&mut self, state: &State, word: Term, addresses: &BTreeSet<u128>) -> Term {
        let mut holds = self.terms.boolean(true);
        let zero = self.terms.constant(0, COUNTER_BITS);
        let Some(summaries) = &self.summaries else {
            return holds;
        };
        for site in &summaries.sites {
            let base = u128::from(self.space.objects[site.tracked as usize].base);
            if !addresses.contains(&base) {
                continue;
            }
            let count = state.counters.get(&site.counter).copied().unwrap_or(zero);
            let base = self.terms.constant(base, self.space.width);
            let here = self.terms.eq(word, base);
            let is_missing = self.terms.eq(count, zero);
            let fails = self.terms.and(here, is_missing);
            let own = self.terms.not(fails);
            holds = self.terms.and(holds, own);
        }
        holds
    }

    fn is_between(&mut self, word: Term, low: i128, high: i128) -> Term {
        let width = self.terms.width(word);
        let mut holds = self.terms.boolean(true);
        if width > 64 {
            return holds;
        }
        let half = 1i128 << (width - 1);
        if low > -half {
            let low = self.terms.constant(from_signed(low, width), width);
            let above = self.terms.sle(low, word);
            holds = self.terms.and(holds, above);
        }
        if high < half - 1 {
            let high = self.terms.constant(from_signed(high, width), width);
            let below = self.terms.sle(word, high);
            holds = self.terms.and(holds, below);
        }
        holds
    }

    /// Checks the fact of a read of a tracked object. Returns the value, as a choice if the fact is that it is one
    /// of some addresses.
    pub(super) fn check_tracked(
        &mut self,
        state: &mut State,
        target: &Target,
        bytes: u32,
        value: Term,
    ) -> Supported<Term> {
        let Some((site, Part::Tracked)) = self.part_of(target.object) else {
            return Ok(value);
        };
        let cell = self.cell_of(target, bytes);
        let (fact, _) = self.read_fact(site, cell);
        let points = self.points.of(&self.terms, &self.space, value);
        let mut chosen = value;
        let holds = match fact {
            Fact::None => self.terms.boolean(false),
            Fact::Lost => return Err("a read of one of many objects that is not followed".into()),
            Fact::Addresses(addresses) => {
                let mut any = self.terms.boolean(false);
                for &address in &addresses {
                    let address = self.terms.constant(address, self.space.width);
                    let own = self.terms.eq(value, address);
                    any = self.terms.or(any, own);
                }
                let is_made = self.is_made(state, value, &addresses);
                let one = |terms: &mut Terms, leaf| Some(one_of(terms, leaf, &addresses));
                chosen = image(&mut self.terms, value, &[], one).unwrap_or(value);
                self.terms.and(any, is_made)
            }
            Fact::Number(low, high) => {
                if points.is_lost() || !points.objects.is_empty() {
                    return Err("an address among the numbers of many objects".into());
                }
                self.is_between(value, low, high)
            }
        };
        let fails = self.terms.not(holds);
        let fails = self.terms.and(fails, target.condition);
        if let Some(guard) = self.guards.extend(&mut self.terms, state.guard, fails) {
            let guard = self.guards.term(guard);
            let text = "a value in one of many objects that is unlike those stored".to_owned();
            self.log.stuck.push(Mark {
                guard,
                at: self.at,
                text,
            });
        }
        let holds = self.terms.not(fails);
        self.assume(state, holds)?;
        Ok(chosen)
    }

    /// With summaries, ends the paths of a read that is outside of every object. What is read there is any value,
    /// and may be one that no path of the program has read. Returns whether there are summaries.
    pub(super) fn end_outside(&mut self, state: &mut State, outside: Term) -> Supported<bool> {
        if !self.summaries.as_ref().is_some_and(Summaries::is_used) {
            return Ok(false);
        }
        if let Some(guard) = self.guards.extend(&mut self.terms, state.guard, outside) {
            let guard = self.guards.term(guard);
            let text = "a read outside of every object".to_owned();
            self.log.stuck.push(Mark {
                guard,
                at: self.at,
                text,
            });
        }
        let inside = self.terms.not(outside);
        self.assume(state, inside)?;
        Ok(true)
    }

    /// Restricts the paths of a state. An error if none remains.
    fn assume(&mut self, state: &mut State, condition: Term) -> Supported<()> {
        match self.guards.extend(&mut self.terms, state.guard, condition) {
            Some(guard) => {
                state.guard = guard;
                Ok(())
            }
            None => Err("a read of one of many objects without any value".into()),
        }
    }
}

/// The strongest fact that is implied by both.
fn joined(a: &Fact, b: &Fact) -> Fact {
    match (a, b) {
        (Fact::None, fact) | (fact, Fact::None) => fact.clone(),
        (Fact::Addresses(a), Fact::Addresses(b)) => {
            let all: BTreeSet<u128> = a.union(b).copied().collect();
            match all.len() <= MAX_VALUES {
                true => Fact::Addresses(all),
                false => Fact::Lost,
            }
        }
        (Fact::Number(a, b), Fact::Number(c, d)) => Fact::Number((*a).min(*c), (*b).max(*d)),
        // A word of zeros is a number as well.
        (Fact::Addresses(zero), Fact::Number(low, high))
        | (Fact::Number(low, high), Fact::Addresses(zero))
            if zero.iter().all(|&value| value == 0) =>
        {
            Fact::Number((*low).min(0), (*high).max(0))
        }
        _ => Fact::Lost,
    }
}
