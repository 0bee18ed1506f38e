//! Reads of what is not followed, and the conditions of marks without the cases that depend on them.

use std::collections::{BTreeMap, BTreeSet};

use craig_word::{Term, Terms};

use super::sites::SiteId;

/// A read of others.
pub struct OtherRead {
    pub(super) site: SiteId,
    /// The variables of its value.
    pub(super) inputs: Vec<Term>,
    /// It is executed.
    pub(super) executed: Term,
    /// It is of others, if it is executed: others than the tracked object, or than the element of each prophecy index.
    pub is_other: Vec<Term>,
    /// The number of the element that is read, where it is known.
    pub index: Option<Term>,
}

/// The reads on which a condition depends, in their order. Of those that yield the same input, there is one, in the
/// place of the last: the conditions that each is executed are joined.
pub fn relevant<'r>(
    terms: &mut Terms,
    reads: &'r [OtherRead],
    guard: Term,
) -> Vec<(&'r OtherRead, Term)> {
    let cone = terms.cone(&[guard], |_| false);
    let inputs: BTreeSet<Term> = cone.into_iter().collect();
    let mut found: Vec<(&OtherRead, Term)> = Vec::new();
    for read in reads {
        if !read.inputs.iter().any(|input| inputs.contains(input)) {
            continue;
        }
        let mut executed = read.executed;
        let same = |(other, _): &(&OtherRead, Term)| {
            read.index.is_some() && other.site == read.site && other.inputs == read.inputs
        };
        if let Some(at) = found.iter().position(same) {
            let (_, before) = found.remove(at);
            executed = terms.or(executed, before);
        }
        found.push((read, executed));
    }
    found
}

/// The condition of a mark without the cases that are left to the runs in which another object is tracked: for
/// each site, the mark is assigned to the last executed read of those on which its condition depends. With two prophecy
/// indices, the second one belongs to the read that is executed before that one.
pub fn gate(terms: &mut Terms, reads: &[OtherRead], guard: Term) -> Term {
    if reads.is_empty() {
        return guard;
    }
    let never = terms.boolean(false);
    // By site: what the last read is by each index, and what the one before is.
    let mut assigned: BTreeMap<SiteId, [Vec<Term>; 2]> = BTreeMap::new();
    for (read, executed) in relevant(terms, reads, guard) {
        let none = || vec![never; read.is_other.len()];
        let [last, second] = (assigned.entry(read.site)).or_insert_with(|| [none(), none()]);
        for (index, &is_other) in read.is_other.iter().enumerate() {
            second[index] = terms.ite(executed, last[index], second[index]);
            last[index] = terms.ite(executed, is_other, last[index]);
        }
    }
    let mut gated = guard;
    for [last, second] in assigned.into_values() {
        let by_second = second.get(1).copied();
        for is_other in [last[0]].into_iter().chain(by_second) {
            let is_tracked = terms.not(is_other);
            gated = terms.and(gated, is_tracked);
        }
    }
    gated
}
