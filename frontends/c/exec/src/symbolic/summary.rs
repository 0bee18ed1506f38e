//! Summaries of the objects that an allocation makes in a loop, however many they are.
//!
//! A *site* is an allocation in a loop that is cut. Of its objects one is *tracked*: which one is an input, and
//! stays the same. The tracked object has cells like any other. All *others* share one address and have no
//! contents: a read of them yields any value for which the *fact* of the cell holds, and whether two of their
//! addresses are equal is an input. This is a prophecy constant in place of an index: Mann, Irfan, Griggio,
//! Padon, Barrett, *Counterexample-guided prophecy for model checking modulo the theory of arrays* (2021).
//!
//! Facts are candidates, made of the values that the program stores. They need no proof of their own: a read that may
//! be of the tracked object checks the fact, and ends the path as unsupported if it does not hold.
//!
//! An error whose condition depends on a read of others is left out ([`super::other_read::gate`]); it is reported where the object
//! that is read is the tracked one. Why no error is lost: take a run of the program with a failure, or with a
//! read that breaks its fact, and its first such event. Track the object of the read that the event is assigned
//! to, at that read's site, and any objects at other sites. Up to the event all facts hold, so that the executor
//! has a path with the values of this run, and at the event its mark is not left out: for each site, it depends on
//! one read only which runs are left out.
//!
//! So a proof is one of the program. An error path says nothing, as its reads of others may have wrong values.

use craig_c_lang::address_space::{HEAP_ALIGN, ObjectId};
use std::sync::Arc;

use craig_word::{Node, Op, Term};

use super::executor::{COUNTER_BITS, Executor, Supported};
use super::points::Points;
use super::sites::{Fact, Part, Site, SiteId, Summaries};
use super::state::State;
use craig_c_lang::ir::Shape;

impl Executor<'_> {
    /// An address as a term and a constant that is added.
    pub(super) fn shifted(&self, address: Term) -> Option<(Term, u64)> {
        let Node::Binary(Op::Add, a, b) = self.terms.node(address) else {
            return Some((address, 0));
        };
        match (self.terms.constant_value(a), self.terms.constant_value(b)) {
            (_, Some(shift)) => Some((a, shift as u64)),
            (Some(shift), _) => Some((b, shift as u64)),
            _ => None,
        }
    }

    /// Whether a value is null or the start of an object.
    pub fn is_start(&self, value: u128) -> bool {
        let object = u64::try_from(value).ok();
        let object = object.and_then(|address| self.space.object_at(address));
        value == 0
            || object.is_some_and(|id| {
                let object = &self.space.objects[id as usize];
                u128::from(object.base) == value && object.function.is_none()
            })
    }

    /// Whether the allocation that is executed has a summary. `None`: the execution has to start again with one.
    pub(super) fn has_summary(&mut self, count: Term, size: Term) -> Option<bool> {
        let place = (self.instance, self.step);
        let is_counted = self.terms.constant_value(count).is_none();
        let of_heap = self.storage.0 == craig_c_lang::ir::Storage::Heap;
        let whole = self.terms.constant_value(size);
        let is_small = whole.is_some_and(|size| size > 0 && size <= u128::from(self.blank_above));
        let Some(summaries) = &mut self.summaries else {
            return Some(false);
        };
        if summaries.places.contains(&place) {
            return Some(true);
        }
        if !(is_counted && of_heap && is_small) {
            return Some(false);
        }
        summaries.places.insert(place);
        summaries.wants_more = true;
        None
    }

    /// The address of an object of a site.
    pub(super) fn allocate_one_of(
        &mut self,
        state: &mut State,
        shape: &Arc<Shape>,
        counter: u32,
        zeroed: bool,
    ) -> Supported<Term> {
        let site = self.site(shape, counter)?;
        let zero = self.terms.constant(0, COUNTER_BITS);
        let one = self.terms.constant(1, COUNTER_BITS);
        let count = state.counters.get(&counter).copied().unwrap_or(zero);
        let pick = self.variable(1);
        let is_first = self.terms.eq(count, zero);
        let here = self.terms.and(pick, is_first);
        let Some(summaries) = &self.summaries else {
            return Err("an allocation without a summary".into());
        };
        let (tracked, others) = (summaries.sites[site].tracked, summaries.sites[site].others);
        let fresh = self.fresh_cells(tracked, zeroed);
        let old = state.memory.get(tracked as usize).cloned().flatten();
        let mut cells = Vec::new();
        for (index, &new) in fresh.iter().enumerate() {
            let width = self.terms.width(new);
            let old = match &old {
                Some(old) => old[index],
                None => self.terms.constant(0, width),
            };
            cells.push(self.terms.ite(here, new, old));
        }
        self.create(state, tracked, Arc::new(cells), zeroed);
        let nothing = self.fresh_cells(others, true);
        self.create(state, others, nothing.clone(), true);
        self.adopt(tracked);
        self.adopt(others);
        if zeroed {
            for (cell, &value) in nothing.iter().enumerate() {
                self.note_stored(state, site, Some(cell), value);
            }
        }
        let next = self.terms.ite(here, one, count);
        state.counters.insert(counter, next);
        let [tracked, others] = [tracked, others].map(|object| self.base(object));
        Ok(self.terms.ite(here, tracked, others))
    }

    /// The site of the allocation that is executed.
    fn site(&mut self, shape: &Arc<Shape>, counter: u32) -> Supported<SiteId> {
        let place = (self.instance, self.step);
        if let Some(summaries) = &self.summaries
            && let Some(&site) = summaries.numbers.get(&place)
        {
            let own = &self.space.objects[summaries.sites[site].tracked as usize].shape;
            return match own == shape {
                true => Ok(site),
                false => Err("objects of several sizes from one allocation in a loop".into()),
            };
        }
        let tracked = self.space.add(shape.clone(), HEAP_ALIGN)?;
        let others = self.space.add(shape.clone(), HEAP_ALIGN)?;
        let Some(summaries) = &mut self.summaries else {
            return Err("an allocation without a summary".into());
        };
        let site = summaries.sites.len();
        summaries.numbers.insert(place, site);
        summaries.of_object.insert(tracked, (site, Part::Tracked));
        summaries.of_object.insert(others, (site, Part::Others));
        summaries.sites.push(Site {
            tracked,
            others,
            counter,
            facts: vec![(Fact::None, 0, Points::default()); shape.cells.len()],
        });
        Ok(site)
    }

    pub(super) fn part_of(&self, object: ObjectId) -> Option<(SiteId, Part)> {
        let summaries = self.summaries.as_ref()?;
        summaries.of_object.get(&object).copied()
    }

    /// Whether an object stands for the others of a site.
    pub(super) fn is_of_others(&self, object: ObjectId) -> bool {
        matches!(self.part_of(object), Some((_, Part::Others)))
    }

    /// Whether a word may be computed from the address of others.
    fn leads_to_others(&mut self, term: Term) -> bool {
        if self
            .summaries
            .as_ref()
            .is_none_or(|summaries| !summaries.is_used())
        {
            return false;
        }
        let points = self.points.of(&self.terms, &self.space, term);
        points
            .objects
            .iter()
            .any(|&object| self.is_of_others(object))
    }

    /// Refuses what asks for the lifetimes of all objects.
    pub(super) fn refuse_summaries(&self) -> Supported<()> {
        match self.summaries.as_ref().is_some_and(Summaries::is_used) {
            true => Err("the lifetime of one of many objects".into()),
            false => Ok(()),
        }
    }

    /// An operation on the address of others, whose value says nothing about which object it is of.
    pub(super) fn refuse_others(&mut self, term: Term) -> Supported<()> {
        match self.leads_to_others(term) {
            true => Err("a computation with the address of one of many objects".into()),
            false => Ok(()),
        }
    }

    /// Refuses to compute anything from addresses of others but by adding an index. Of two that are compared,
    /// returns the condition that they are of others of one site, and may be different all the same.
    pub(super) fn may_differ(&mut self, op: Op, a: Term, b: Term) -> Supported<Option<Term>> {
        let (first, second) = (self.leads_to_others(a), self.leads_to_others(b));
        if !first && !second {
            return Ok(None);
        }
        let of_a = self.points.of(&self.terms, &self.space, a);
        let of_b = self.points.of(&self.terms, &self.space, b);
        let is_plain = |points: &Points| !points.is_lost();
        match op {
            Op::Add | Op::Sub if first && of_b.objects.is_empty() && !of_b.is_lost() => {
                return Ok(None);
            }
            Op::Add if second && of_a.objects.is_empty() && !of_a.is_lost() => return Ok(None),
            Op::Eq if is_plain(&of_a) && is_plain(&of_b) => {}
            _ => return Err("a computation with the address of one of many objects".into()),
        }
        let mut both = None;
        for &object in of_a.objects.intersection(&of_b.objects) {
            if !self.is_of_others(object) {
                continue;
            }
            let (in_a, in_b) = (self.is_in_page(a, object), self.is_in_page(b, object));
            let own = self.terms.and(in_a, in_b);
            both = Some(both.map_or(own, |both| self.terms.or(both, own)));
        }
        Ok(both)
    }

    /// Whether a word is in the page of an object of at most a page, one bit.
    fn is_in_page(&mut self, word: Term, object: ObjectId) -> Term {
        let base = self.base(object);
        let size = u128::from(self.space.page_size());
        let size = self.terms.constant(size, self.space.width);
        let offset = self.terms.sub(word, base);
        self.terms.ult(offset, size)
    }
}
