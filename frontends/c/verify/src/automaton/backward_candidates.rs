//! Candidates about tracked elements that the errors ask for.
//!
//! What must not hold for an error, with the index of its read replaced by the prophecy index, is a candidate about the
//! element: `check(a[i] <= i)` asks for `a[k] <= k`. Backwards along an edge, such a candidate becomes another one: where
//! the edge stores to element `k`, the stored value takes the place of the cell, and the index of the loop is the one
//! for which the store is of element `k`. So `a[i] = a[i] + 1` in front of `check(a[i] == i + 1)` asks for
//! `a[k] + 1 == k + 1`. At a loop, candidates hold where it has passed the prophecy index, or where it has not: these are
//! the premises. Flanagan, Qadeer, *Predicate abstraction for software verification* (2002), have weakest
//! preconditions with indices as free variables as well.
//!
//! All this is about likely cases only: addresses are those of their objects, accesses are within them, and
//! alternatives that are inputs are left out. Candidates need no proof of their own.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use craig_program::{Cfa, EdgeId, LocationId};
use craig_word::{Node, Op, Term, Terms};

use super::solved_index::Solved;

/// The most conclusions at a location, and all together.
const MAX_CONCLUSIONS: usize = 40;
const MAX_ALL: usize = 400;
/// Larger conclusions are left out.
const MAX_NODES: usize = 200;
/// The most indices of an edge that are the prophecy index by turns.
const MAX_INDICES: usize = 4;
/// The most candidates at a location, and all together.
const MAX_CANDIDATES_HERE: usize = 400;
const MAX_CANDIDATES: usize = 2000;

/// The words that candidates are about.
pub(super) struct TrackedWords {
    /// The prophecy indices.
    pub(super) prophecy: Vec<Term>,
    /// The tracked cells that vary, each with the number of its prophecy index.
    pub(super) cells: HashMap<Term, usize>,
    /// The sizes of arrays.
    pub(super) sizes: HashSet<Term>,
    /// Words that are likely to have one value: that an address is the one of its object.
    pub(super) likely: HashMap<Term, Term>,
}

/// A comparison of a prophecy index with the index of an access.
struct Hit {
    node: Term,
    copy: usize,
    index: Term,
}

/// An edge in the case that an index is a prophecy index, or none is.
#[derive(Clone)]
struct Case {
    /// The values of the comparisons.
    truth: HashMap<Term, Term>,
    /// The index that each prophecy index is.
    chosen: Vec<Option<Term>>,
}

struct Candidates<'c> {
    cfa: &'c mut Cfa,
    tracked: &'c TrackedWords,
    counters: Counters,
    /// Those of them that some edge changes in any case: of loops.
    of_loops: HashSet<Term>,
    /// The conclusions at each location, in the order in which they were found.
    found: HashMap<LocationId, Vec<Term>>,
    known: HashSet<(LocationId, Term)>,
    /// Conclusions to take back, each with the loop that it comes from: an element that a loop has passed is not passed
    /// once more.
    open: VecDeque<(LocationId, Term, Option<EdgeId>)>,
}

/// The candidates, the likelier ones first.
pub(super) fn backward_candidates(
    cfa: &mut Cfa,
    tracked: &TrackedWords,
) -> Vec<(LocationId, Term)> {
    let counters = counters(cfa);
    let in_any_case = cfa.edges().iter().flat_map(|edge| &edge.assignments);
    let of_loops = in_any_case
        .filter(|own| {
            counters.contains_key(&own.word)
                && matches!(cfa.terms.node(own.value), Node::Binary(Op::Add, ..))
        })
        .map(|own| own.word);
    let of_loops = of_loops.collect();
    let mut candidates = Candidates {
        cfa,
        tracked,
        counters,
        of_loops,
        found: HashMap::new(),
        known: HashSet::new(),
        open: VecDeque::new(),
    };
    let errors = candidates.cfa.incoming(Cfa::ERROR).to_vec();
    for edge in errors {
        let (source, guard) = (
            candidates.cfa.edge(edge).source,
            candidates.cfa.edge(edge).guard,
        );
        for case in candidates.cases(&[guard]) {
            if let Some(conclusion) = candidates.avoided(source, guard, &case)
                && !candidates.is_about_index_only(conclusion)
            {
                candidates.add(source, conclusion, None);
            }
        }
    }
    while let Some((location, conclusion, of_loop)) = candidates.open.pop_front() {
        for edge in candidates.cfa.incoming(location).to_vec() {
            if of_loop != Some(edge) {
                candidates.back(edge, conclusion);
            }
        }
    }
    candidates.implications()
}

/// Words that count: some edge adds a constant to them, in some case. Each with these constants.
type Counters = HashMap<Term, BTreeSet<u128>>;

fn counters(cfa: &Cfa) -> Counters {
    let mut found = Counters::new();
    for assignment in cfa.edges().iter().flat_map(|edge| &edge.assignments) {
        let (mut stack, mut n_seen) = (vec![assignment.value], 0);
        while let Some(term) = stack.pop() {
            n_seen += 1;
            match cfa.terms.node(term) {
                Node::Ite(_, a, b) if n_seen < MAX_NODES => stack.extend([a, b]),
                Node::Binary(Op::Add, a, b) => {
                    for (word, step) in [(a, b), (b, a)] {
                        if word == assignment.word
                            && let Some(step) = cfa.terms.constant_value(step)
                        {
                            found.entry(word).or_default().insert(step);
                        }
                    }
                }
                _ => {}
            }
        }
    }
    found
}

impl Candidates<'_> {
    /// Adds a conclusion at a location.
    fn add(&mut self, location: LocationId, conclusion: Term, of_loop: Option<EdgeId>) {
        let (words, inputs) = self.cfa.reads(&[conclusion]);
        let carried = &self.cfa.location(location).words;
        let is_about_state = inputs.is_empty()
            && !words.is_empty()
            && words.iter().all(|word| carried.binary_search(word).is_ok());
        if !is_about_state || self.known.len() >= MAX_ALL {
            return;
        }
        let here = self.found.entry(location).or_default();
        if here.len() < MAX_CONCLUSIONS
            && self.cfa.terms.cone(&[conclusion], |_| false).len() <= MAX_NODES
            && self.known.insert((location, conclusion))
        {
            here.push(conclusion);
            self.open.push_back((location, conclusion, of_loop));
        }
    }

    /// The comparisons of prophecy indices in terms, by their numbers.
    fn hits(&self, roots: &[Term]) -> Vec<Hit> {
        let terms = &self.cfa.terms;
        let copy_of = |side: Term| {
            let inner = match terms.node(side) {
                Node::ZExt(inner) => inner,
                _ => side,
            };
            (self.tracked.prophecy.iter()).position(|&prophecy| prophecy == inner)
        };
        let mut found = Vec::new();
        for node in terms.cone(roots, |_| false) {
            let Node::Binary(Op::Eq, a, b) = terms.node(node) else {
                continue;
            };
            for (side, index) in [(a, b), (b, a)] {
                // The relation of two prophecy indices is no access.
                let is_access = |index: Term| {
                    let cone = terms.cone(&[index], |_| false);
                    !cone.iter().any(|term| self.tracked.prophecy.contains(term))
                };
                if let Some(copy) = copy_of(side)
                    && is_access(index)
                {
                    found.push(Hit { node, copy, index });
                }
            }
        }
        found
    }

    /// The cases of terms of an edge: which index each prophecy index is, at first none.
    fn cases(&mut self, roots: &[Term]) -> Vec<Case> {
        // Accesses through null take no part.
        let roots: Vec<Term> = roots.iter().map(|&root| self.likely(root)).collect();
        let hits = self.hits(&roots);
        let n_copies = self.tracked.prophecy.len();
        let mut all = vec![Vec::new()];
        for copy in 0..n_copies {
            let mut options = vec![None];
            for hit in hits.iter().filter(|hit| hit.copy == copy) {
                if !options.contains(&Some(hit.index)) && options.len() <= MAX_INDICES {
                    options.push(Some(hit.index));
                }
            }
            all = (all.into_iter())
                .flat_map(|chosen: Vec<Option<Term>>| {
                    options.iter().map(move |&option| {
                        let mut chosen = chosen.clone();
                        chosen.push(option);
                        chosen
                    })
                })
                .collect();
        }
        // One element at two prophecy indices is that of the first.
        let is_twice = |chosen: &[Option<Term>]| match *chosen {
            [Some(first), Some(second)] => first == second,
            _ => false,
        };
        all.retain(|chosen| !is_twice(chosen));
        let terms = &mut self.cfa.terms;
        let cases = all.into_iter().map(|chosen| {
            let truth = hits.iter().map(|hit| {
                let is_hit = chosen[hit.copy] == Some(hit.index);
                (hit.node, terms.boolean(is_hit))
            });
            let truth = truth.collect();
            Case { truth, chosen }
        });
        cases.collect()
    }

    /// A term where addresses are those of their objects, and accesses are within them.
    fn likely(&mut self, term: Term) -> Term {
        let terms = &mut self.cfa.terms;
        let term = terms.substitute(term, &mut self.tracked.likely.clone());
        let mut images = HashMap::new();
        for node in terms.cone(&[term], |_| false) {
            let Node::Binary(Op::Ult, a, b) = terms.node(node) else {
                continue;
            };
            // The last offset that fits, or the size, is less than something.
            let is_offset = matches!(
                terms.node(b),
                Node::Concat(..) | Node::Binary(Op::Mul | Op::Add, ..)
            );
            let is_limit = terms.constant_value(a).is_some() && is_offset && terms.width(a) > 32;
            let is_of_size = (terms.cone(&[node], |_| false).iter())
                .any(|word| self.tracked.sizes.contains(word));
            if is_limit || is_of_size {
                images.insert(node, terms.boolean(false));
            }
        }
        terms.substitute(term, &mut images)
    }

    /// A term without alternatives that are inputs.
    fn stripped(&mut self, root: Term) -> Term {
        let (cfa, mut images) = (&mut *self.cfa, HashMap::new());
        for term in cfa.terms.cone(&[root], |_| false) {
            let Node::Ite(_, a, b) = cfa.terms.node(term) else {
                continue;
            };
            let (a, b) = (
                cfa.terms.substitute(a, &mut images),
                cfa.terms.substitute(b, &mut images),
            );
            let is_input = |side: Term| {
                matches!(cfa.terms.node(side), Node::Var(_)) && cfa.word(side).is_none()
            };
            if is_input(a) {
                images.insert(term, b);
            } else if is_input(b) {
                images.insert(term, a);
            }
        }
        cfa.terms.substitute(root, &mut images)
    }

    /// A term in a case, in which the words that count are those for which the indices are the prophecy indices, and the
    /// relation of what is left of the indices.
    fn in_case(&mut self, term: Term, case: &Case) -> (Term, Term, Solved) {
        let term = self.likely(term);
        let term = self.cfa.terms.substitute(term, &mut case.truth.clone());
        let term = self.stripped(term);
        let mut solved = Solved::default();
        let mut related = self.cfa.terms.boolean(true);
        for (&prophecy, &index) in self.tracked.prophecy.iter().zip(&case.chosen) {
            let Some(index) = index else { continue };
            let rest = solved.add(&mut self.cfa.terms, prophecy, index, &self.counters);
            if let Some(rest) = rest
                && self.cfa.reads(&[rest]).1.is_empty()
            {
                related = self.cfa.terms.and(related, rest);
            }
        }
        let term = solved.apply(&mut self.cfa.terms, term);
        (term, related, solved)
    }

    /// What excludes an error in a case.
    fn avoided(&mut self, source: LocationId, guard: Term, case: &Case) -> Option<Term> {
        let (guard, related, solved) = self.in_case(guard, case);
        let is_of_copy = !self.copies(guard).is_empty();
        let mut bad = self.cfa.terms.boolean(true);
        for part in conjuncts(&self.cfa.terms, guard) {
            let (words, inputs) = self.cfa.reads(&[part]);
            // What counts is for the last round of a loop, unless there is a tracked element.
            let counts = !is_of_copy && words.iter().any(|word| self.of_loops.contains(word));
            if inputs.is_empty() && !counts {
                bad = self.cfa.terms.and(bad, part);
            }
        }
        let bad = self.cfa.terms.and(bad, related);
        let mut conclusion = self.cfa.terms.not(bad);
        for (word, value) in solved.counters(&self.cfa.terms) {
            let passed = self.passed(source, word, value);
            let others = self.cfa.terms.not(passed);
            conclusion = self.cfa.terms.or(others, conclusion);
        }
        self.of_numbers(conclusion)
    }

    /// That a loop which counts upwards from a constant gives a word this value.
    fn passed(&mut self, location: LocationId, word: Term, value: Term) -> Term {
        let mut starts = BTreeSet::new();
        for &edge in self.cfa.incoming(location) {
            let edge = self.cfa.edge(edge);
            if edge.source != location {
                let own = edge.assignments.iter().find(|own| own.word == word);
                starts.insert(own.and_then(|own| self.cfa.terms.constant_value(own.value)));
            }
        }
        let steps: Vec<u128> = self.counters[&word].iter().copied().collect();
        let terms = &mut self.cfa.terms;
        let always = terms.boolean(true);
        let width = terms.width(word);
        let (1, Some(&Some(start)), &[step]) = (starts.len(), starts.first(), &steps[..]) else {
            return always;
        };
        if step >> (width - 1) != 0 {
            return always;
        }
        let start = terms.constant(start, width);
        let is_behind = terms.sle(start, value);
        if step == 1 {
            return is_behind;
        }
        let distance = terms.sub(value, start);
        let step = terms.constant(step, width);
        let rest = terms.binary(Op::URem, distance, step);
        let zero = terms.constant(0, width);
        let is_multiple = terms.eq(rest, zero);
        terms.and(is_behind, is_multiple)
    }

    /// Whether a conclusion is about a prophecy index, but no element: nothing is to be known of that.
    fn is_about_index_only(&self, conclusion: Term) -> bool {
        let cone = self.cfa.terms.cone(&[conclusion], |_| false);
        let cells = &self.tracked.cells;
        !cone.iter().any(|term| cells.contains_key(term)) && !self.copies(conclusion).is_empty()
    }

    /// A conclusion for prophecy indices that are numbers of `int`; `None` if it says nothing.
    fn of_numbers(&mut self, conclusion: Term) -> Option<Term> {
        let mut conclusion = conclusion;
        for copy in self.copies(conclusion) {
            let prophecy = self.tracked.prophecy[copy];
            let terms = &mut self.cfa.terms;
            let sign = terms.extract(prophecy, terms.width(prophecy) - 1, 1);
            let (is_number, fails) = (terms.not(sign), terms.not(conclusion));
            if !conjuncts(terms, fails).contains(&is_number) {
                conclusion = terms.or(sign, conclusion);
            }
        }
        let is_constant = self.cfa.terms.constant_value(conclusion).is_some();
        (!is_constant).then_some(conclusion)
    }

    /// The prophecy indices that a term is about.
    fn copies(&self, term: Term) -> BTreeSet<usize> {
        let cone = self.cfa.terms.cone(&[term], |_| false);
        let copies = cone.iter().filter_map(|term| {
            let prophecy = &self.tracked.prophecy;
            let copy = prophecy.iter().position(|prophecy| prophecy == term);
            copy.or_else(|| self.tracked.cells.get(term).copied())
        });
        copies.collect()
    }

    /// Takes a conclusion back along an edge.
    fn back(&mut self, id: EdgeId, conclusion: Term) {
        let edge = self.cfa.edge(id).clone();
        let of_loop = (edge.source == edge.target).then_some(id);
        if edge.source == Cfa::START {
            return;
        }
        let words: HashSet<Term> = self.cfa.reads(&[conclusion]).0.into_iter().collect();
        let assigned: Vec<(Term, Term)> = (edge.assignments.iter())
            .filter(|assignment| words.contains(&assignment.word))
            .map(|assignment| (assignment.word, assignment.value))
            .collect();
        self.add(edge.source, conclusion, None);
        // Of what counts, nothing is known before.
        let is_of_copy = !self.copies(conclusion).is_empty();
        let is_unclear = |word: &Term| match is_of_copy {
            true => self.counters.contains_key(word),
            false => self.of_loops.contains(word),
        };
        if words.iter().any(is_unclear) && edge.source == edge.target {
            return;
        }
        let flags = self.flags(edge.guard);
        let values: Vec<Term> = assigned.iter().map(|&(_, value)| value).collect();
        for case in self.cases(&values) {
            let mut images = HashMap::new();
            let mut related = self.cfa.terms.boolean(true);
            for &(word, value) in &assigned {
                let (value, own, _) = self.in_case(value, &case);
                images.insert(word, value);
                related = own;
            }
            let mut before = self.cfa.terms.substitute(conclusion, &mut images);
            if !is_of_copy && !self.copies(before).is_empty() {
                // The first conclusion about an element: it is one in the loop.
                if let Some(conclusion) = self.avoided(edge.source, edge.guard, &case) {
                    before = self.cfa.terms.or(conclusion, before);
                }
            }
            let fails = self.cfa.terms.not(related);
            let before = self.cfa.terms.or(fails, before);
            let Some(before) = self.of_numbers(before) else {
                continue;
            };
            self.add(edge.source, before, of_loop);
            if let Some(flags) = flags {
                let fails = self.cfa.terms.not(flags);
                let weaker = self.cfa.terms.or(fails, before);
                if let Some(weaker) = self.of_numbers(weaker) {
                    self.add(edge.source, weaker, of_loop);
                }
            }
        }
    }

    /// What a guard says about words that neither count nor are cells.
    fn flags(&mut self, guard: Term) -> Option<Term> {
        let guard = self.likely(guard);
        let mut all = self.cfa.terms.boolean(true);
        for part in conjuncts(&self.cfa.terms, guard) {
            let (words, inputs) = self.cfa.reads(&[part]);
            let is_flag = |word: &Term| {
                !self.counters.contains_key(word)
                    && !self.tracked.cells.contains_key(word)
                    && !self.tracked.prophecy.contains(word)
                    && !self.tracked.sizes.contains(word)
            };
            if inputs.is_empty() && words.iter().all(is_flag) {
                all = self.cfa.terms.and(all, part);
            }
        }
        (self.cfa.terms.constant_value(all).is_none()).then_some(all)
    }

    /// The indices of accesses on the edges of a location, as terms over its words.
    fn indices(&mut self, location: LocationId) -> Vec<Term> {
        let mut found = Vec::new();
        for edge in self.cfa.outgoing(location).to_vec() {
            let edge = self.cfa.edge(edge);
            let mut roots = vec![edge.guard];
            roots.extend(edge.assignments.iter().map(|assignment| assignment.value));
            let roots: Vec<Term> = roots.iter().map(|&root| self.likely(root)).collect();
            for hit in self.hits(&roots) {
                let (words, inputs) = self.cfa.reads(&[hit.index]);
                if inputs.is_empty()
                    && !words.is_empty()
                    && !found.contains(&hit.index)
                    && found.len() < MAX_INDICES
                {
                    found.push(hit.index);
                }
            }
        }
        found
    }

    /// That a prophecy index is behind or in front of an index, each with a number.
    fn premises(&mut self, copy: usize, indices: &[Term]) -> Vec<Term> {
        let prophecy = self.tracked.prophecy[copy];
        let terms = &mut self.cfa.terms;
        let mut found = Vec::new();
        for &index in indices {
            let width = terms.width(index);
            let own = match width >= terms.width(prophecy) {
                true => terms.zext(prophecy, width),
                false => terms.extract(prophecy, 0, width),
            };
            found.extend([
                terms.slt(own, index),
                terms.sle(index, own),
                terms.sle(own, index),
                terms.slt(index, own),
            ]);
        }
        found
    }

    /// All conclusions with all premises.
    fn implications(mut self) -> Vec<(LocationId, Term)> {
        let mut candidates = Vec::new();
        let locations: Vec<LocationId> = self.cfa.location_ids().collect();
        for location in locations {
            let Some(conclusions) = self.found.remove(&location) else {
                continue;
            };
            let indices = self.indices(location);
            let by_copy: Vec<Vec<Term>> = (0..self.tracked.prophecy.len())
                .map(|copy| self.premises(copy, &indices))
                .collect();
            let mut here = BTreeSet::new();
            for conclusion in conclusions {
                let copies = self.copies(conclusion);
                let mut premises = vec![self.cfa.terms.boolean(true)];
                for &copy in &copies {
                    premises.extend(&by_copy[copy]);
                }
                if let [a, b] = &by_copy[..]
                    && copies.len() == 2
                {
                    for (&a, &b) in a.iter().zip(b) {
                        premises.push(self.cfa.terms.and(a, b));
                    }
                }
                for premise in premises {
                    let fails = self.cfa.terms.not(premise);
                    let candidate = self.cfa.terms.or(fails, conclusion);
                    let is_new = self.cfa.terms.constant_value(candidate).is_none()
                        && here.len() < MAX_CANDIDATES_HERE
                        && candidates.len() < MAX_CANDIDATES
                        && here.insert(candidate);
                    if is_new {
                        candidates.push((location, candidate));
                    }
                }
            }
        }
        candidates
    }
}

/// The terms whose conjunction a term is by its form.
fn conjuncts(terms: &Terms, term: Term) -> Vec<Term> {
    let (mut found, mut stack) = (Vec::new(), vec![term]);
    while let Some(term) = stack.pop() {
        match terms.node(term) {
            Node::Binary(Op::And, a, b) => stack.extend([b, a]),
            _ => found.push(term),
        }
    }
    found
}
