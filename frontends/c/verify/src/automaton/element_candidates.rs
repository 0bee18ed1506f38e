//! Candidates about tracked elements: what is stored at the indices that a loop has passed.
//!
//! Each candidate is an implication at a cut. Its premise is about the prophecy index and the words that may be the
//! indices of loops, such as `k < i`; its conclusion about a tracked cell, such as `a[k] == 0`, `a[k] ==
//! b[k]`, or `a[k] <= m`. The values come from what the program stores in the cell. Candidates need no proof of
//! their own: the search for invariants drops those that are not inductive.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};

use craig_program::Cfa;
use craig_word::{Node, Op, Term, Terms};

use super::backward_candidates::{TrackedWords, backward_candidates};
use super::cell::{AtCut, Cell, Known};
use super::fixpoint::Analysis;
use super::pair_candidates::{Relation, Subjects, pair_candidates};
use craig_c_exec::symbolic::{INDEX_BITS, Log};
use craig_c_lang::address_space::ObjectId;

/// The most words of a cut that are indices.
const MAX_INDICES: usize = 6;
/// The most values that are conclusions about one cell.
const MAX_VALUES: usize = 8;
/// The most candidates at all cuts together, which have equal shares: at least, and at most, these numbers each.
const MAX_ALL: usize = 1500;
const MIN_CANDIDATES: usize = 100;
const MAX_CANDIDATES: usize = 300;
/// Lower bounds of the prophecy index.
const MAX_STARTS: usize = 2;
/// Constants that the prophecy index is compared with.
const MAX_BOUNDS: usize = 6;

/// The values that are stored in tracked cells, without choices and what steps read from inputs: maybe none.
type Stored = HashMap<Tracked, Vec<Term>>;
/// A tracked cell.
type Tracked = (ObjectId, usize);

/// The candidates, each with the number of a cut.
#[derive(Default)]
pub(super) struct Candidates {
    /// Those that the errors ask for, and what is needed for all.
    pub(super) likely: Vec<(usize, Term)>,
    pub(super) others: Vec<(usize, Term)>,
}

/// The candidates at all cuts. The terms of the analysis are in the automaton.
pub(super) fn element_candidates(
    analysis: &Analysis<'_>,
    cfa: &mut Cfa,
    logs: &[Log],
    relations: &[Relation],
) -> Candidates {
    let Some(elements) = &analysis.executor.elements else {
        return Candidates::default();
    };
    let n_indices = elements.choice.n_indices();
    let prophecy = (0..n_indices as u32).map_while(|index| {
        let object = elements.index;
        analysis.variables.get(&Cell::Memory { object, index })
    });
    let prophecy: Vec<Term> = prophecy.copied().collect();
    if prophecy.len() < n_indices {
        return Candidates::default();
    }
    let cells: Vec<Tracked> = (elements.tracked.iter())
        .flat_map(|(&object, shape)| {
            (0..n_indices * shape.cells.len()).map(move |cell| (object, cell))
        })
        .collect();
    let tracked = tracked(analysis, &mut cfa.terms, &prophecy);
    let of_errors = match prophecy.is_empty() {
        true => Vec::new(),
        false => backward_candidates(cfa, &tracked),
    };
    let terms = &mut cfa.terms;
    let stored = stored(analysis, terms, &cells, logs);
    let bounds = bounds(analysis, terms, logs);
    let starts = starts(terms, logs);
    let of_errors = of_errors.into_iter();
    let mut likely: Vec<(usize, Term)> = of_errors
        .map(|(location, candidate)| (location.index() - FIRST_CUT, candidate))
        .collect();
    let mut candidates = Vec::new();
    let share = (MAX_ALL / analysis.cuts.len().max(1)).clamp(MIN_CANDIDATES, MAX_CANDIDATES);
    for (number, (_, at)) in analysis.cuts.iter().enumerate() {
        for candidate in pointers(analysis, terms, at) {
            likely.push((number, candidate));
        }
        let words = Words::new(analysis, terms, at, &cells, &stored);
        if words.cells.is_empty() {
            continue;
        }
        let numbered = |candidate: Term| (number, candidate);
        likely.extend(sizes(terms, &words).into_iter().map(numbered));
        if number * share > MAX_ALL {
            break;
        }
        let mut found = BTreeSet::new();
        let mut of_copies = Vec::new();
        for (copy, &prophecy) in prophecy.iter().enumerate() {
            let own = words.of_copy(analysis, copy);
            let of_index = about_index(terms, prophecy, &own);
            likely.extend(of_index.into_iter().map(numbered));
            let premises = premises(terms, prophecy, &own, (&bounds, &starts));
            let (likely, others) = conclusions(terms, prophecy, &own, &stored);
            // The share of a cut may end the list: the likelier conclusions with the likelier premises come first.
            let first = product(&premises.0, &likely);
            let second = product(&premises.1, &likely);
            let third = product(&premises.0, &others);
            let implications = first
                .chain(second)
                .chain(third)
                .map(|(premise, conclusion)| {
                    let fails = terms.not(premise);
                    terms.or(fails, conclusion)
                });
            let implications: Vec<Term> = implications.collect();
            let limit = (copy + 1) * share;
            candidates.extend(limited(terms, implications, &mut found, limit).map(numbered));
            let cells = own.cells.iter().map(|&(tracked, word)| {
                let values = stored.get(&tracked).cloned().unwrap_or_default();
                (word, values)
            });
            of_copies.push((premises, cells.collect()));
        }
        if let (&[k, l], Ok([of_k, of_l])) = (&prophecy[..], <[_; 2]>::try_from(of_copies)) {
            let subjects = Subjects {
                prophecy: (k, l),
                relations,
                bounds: [&of_k.0, &of_l.0],
                cells: [of_k.1, of_l.1],
            };
            let related = pair_candidates(terms, &subjects);
            let limit = found.len() + share;
            candidates.extend(limited(terms, related, &mut found, limit).map(numbered));
        }
    }
    let others = candidates;
    Candidates { likely, others }
}

/// The number of the location of the first cut.
const FIRST_CUT: usize = 3;

/// The words that candidates from errors are about.
fn tracked(analysis: &Analysis<'_>, terms: &mut Terms, prophecy: &[Term]) -> TrackedWords {
    let mut tracked = TrackedWords {
        prophecy: prophecy.to_vec(),
        cells: HashMap::new(),
        sizes: HashSet::new(),
        likely: likely_addresses(analysis, terms),
    };
    let Some(elements) = &analysis.executor.elements else {
        return tracked;
    };
    for (&cell, &word) in &analysis.variables {
        let Cell::Memory { object, index } = cell else {
            continue;
        };
        let Some(shape) = elements.tracked.get(&object) else {
            continue;
        };
        match index {
            0 => _ = tracked.sizes.insert(word),
            _ => {
                let copy = (index as usize - 1) / shape.cells.len();
                tracked.cells.insert(word, copy);
            }
        }
    }
    tracked
}

/// The words of the state that choose between null and one address, with that address: no allocation is likely to fail.
pub(super) fn likely_addresses(analysis: &Analysis<'_>, terms: &mut Terms) -> HashMap<Term, Term> {
    let mut likely = HashMap::new();
    for domain in analysis.domains.values() {
        if let Some(code) = domain.only_address() {
            let code = terms.constant(code, terms.width(domain.index));
            likely.insert(domain.index, code);
        }
    }
    likely
}

/// The candidates that are new, and no constants, until `limit` are known.
fn limited(
    terms: &Terms,
    candidates: Vec<Term>,
    found: &mut BTreeSet<Term>,
    limit: usize,
) -> impl Iterator<Item = Term> {
    let mut kept = Vec::new();
    for candidate in candidates {
        if found.len() >= limit {
            break;
        }
        if terms.constant_value(candidate).is_none() && found.insert(candidate) {
            kept.push(candidate);
        }
    }
    kept.into_iter()
}

/// All pairs, by the first.
fn product(premises: &[Term], conclusions: &[Term]) -> impl Iterator<Item = (Term, Term)> {
    let pairs = premises.iter().flat_map(|&premise| {
        let conclusions = conclusions.iter();
        conclusions.map(move |&conclusion| (premise, conclusion))
    });
    pairs.collect::<Vec<_>>().into_iter()
}

/// Pointers that are one of few: each other than null may be the only one.
fn pointers(analysis: &Analysis<'_>, terms: &mut Terms, at: &AtCut) -> Vec<Term> {
    let mut found = Vec::new();
    for (cell, known) in &at.known {
        if let Known::Among(values) = known {
            let domain = &analysis.domains[cell];
            let others = values.iter().filter(|&&value| value != 0).take(MAX_VALUES);
            found.extend(others.map(|&value| domain.is(terms, value)));
        }
    }
    found
}

/// The words of a cut.
#[derive(Clone)]
struct Words {
    /// Numbers of the prophecy index's width, and others narrowed or as indices of pointers: words to compare
    /// `k` with.
    indices: Vec<Term>,
    /// All numbers that are not tracked.
    numbers: Vec<Term>,
    /// The sizes of arrays that vary, each with the size of an element, or 1 if it is a number of elements.
    sizes: Vec<(Term, u64)>,
    /// The tracked cells that vary.
    cells: Vec<(Tracked, Term)>,
}

impl Words {
    fn new(
        analysis: &Analysis<'_>,
        terms: &mut Terms,
        at: &AtCut,
        cells: &[Tracked],
        stored: &Stored,
    ) -> Self {
        let mut words = Self {
            indices: Vec::new(),
            numbers: Vec::new(),
            sizes: Vec::new(),
            cells: Vec::new(),
        };
        let Some(elements) = &analysis.executor.elements else {
            return words;
        };
        for (&cell, known) in &at.known {
            let Known::Varies(points, _) = known else {
                continue;
            };
            let word = analysis.variables[&cell];
            if let Cell::Memory { object, index } = cell {
                if object == elements.index {
                    continue;
                }
                if index == 0
                    && let Some(shape) = elements.tracked.get(&object)
                {
                    // What is a length already needs no factor.
                    let is_length = elements.lengths.contains_key(&object);
                    words
                        .sizes
                        .push((word, if is_length { 1 } else { shape.size }));
                    continue;
                }
                // The size comes first.
                let tracked = (object, (index as usize).wrapping_sub(1));
                if cells.contains(&tracked) {
                    if stored.contains_key(&tracked) {
                        words.cells.push((tracked, word));
                    }
                    continue;
                }
            }
            if points.objects.is_empty() && !points.unknown {
                words.numbers.push(word);
                if [INDEX_BITS, 64].contains(&terms.width(word)) {
                    words.indices.push(word);
                }
                continue;
            }
            let mut arrays = points.objects.iter();
            if let (Some(&object), None) = (arrays.next(), arrays.next())
                && let Some(shape) = elements.tracked.get(&object)
                && shape.size.is_power_of_two()
            {
                let width = terms.width(word);
                let base = analysis.executor.space.objects[object as usize].base;
                let base = terms.constant(u128::from(base), width);
                let offset = terms.sub(word, base);
                let shift = shape.size.trailing_zeros();
                let index = terms.extract(offset, shift, width - shift);
                words.indices.push(index);
            }
        }
        words.indices.truncate(MAX_INDICES);
        words
    }

    /// These words with the cells of the element of one prophecy index only.
    fn of_copy(&self, analysis: &Analysis<'_>, copy: usize) -> Self {
        let mut own = self.clone();
        if let Some(elements) = &analysis.executor.elements {
            own.cells.retain(|&((object, cell), _)| {
                (elements.tracked.get(&object))
                    .is_some_and(|shape| cell / shape.cells.len() == copy)
            });
        }
        own
    }
}

/// The sizes of arrays as multiples of numbers.
fn sizes(terms: &mut Terms, words: &Words) -> Vec<Term> {
    let mut found = Vec::new();
    for &(size, stride) in &words.sizes {
        let width = terms.width(size);
        let stride = terms.constant(u128::from(stride), width);
        for &number in &words.numbers {
            let lengths = match terms.width(number).cmp(&width) {
                Ordering::Less => vec![terms.sext(number, width), terms.zext(number, width)],
                Ordering::Equal => vec![number],
                Ordering::Greater => continue,
            };
            for length in lengths {
                let bytes = terms.mul(length, stride);
                found.push(terms.eq(size, bytes));
                if bytes != length {
                    found.push(terms.eq(size, length));
                }
            }
        }
    }
    found
}

/// What the prophecy index may be compared with: the lengths of arrays, and constants that words of its width
/// are compared with.
fn bounds(analysis: &Analysis<'_>, terms: &Terms, logs: &[Log]) -> Vec<u128> {
    let mut bounds: BTreeSet<u128> = BTreeSet::new();
    if let Some(elements) = &analysis.executor.elements {
        for (&object, shape) in &elements.tracked {
            let size = analysis.executor.space.objects[object as usize].shape.size;
            let length = u128::from(size / shape.size);
            if length < 1 << (INDEX_BITS - 1) {
                bounds.insert(length);
            }
        }
    }
    let guards = logs.iter().flat_map(|log| &log.exits);
    let guards: Vec<Term> = guards
        .map(|(_, _, state)| analysis.executor.guards.term(state.guard))
        .collect();
    let mut seen = 0;
    for term in terms.cone(&guards, |_| false) {
        if let Node::Binary(Op::Ult | Op::Slt, a, b) = terms.node(term) {
            for side in [a, b] {
                if terms.width(side) == INDEX_BITS
                    && let Some(value) = terms.constant_value(side)
                    && (2..1 << (INDEX_BITS - 1)).contains(&value)
                    && seen < MAX_BOUNDS
                {
                    seen += usize::from(bounds.insert(value));
                }
            }
        }
    }
    bounds.into_iter().take(MAX_BOUNDS).collect()
}

/// Constants other than 0 that loops may start from.
fn starts(terms: &Terms, logs: &[Log]) -> Vec<u128> {
    let states = logs.iter().flat_map(|log| &log.exits).map(|exit| &exit.2);
    let registers = states.flat_map(|state| state.registers.iter().flat_map(|frame| frame.iter()));
    let values = registers
        .flatten()
        .filter(|&&value| terms.width(value) == INDEX_BITS);
    let constants = values.filter_map(|&value| terms.constant_value(value));
    let starts: BTreeSet<u128> = constants
        .filter(|constant| (1..1 << (INDEX_BITS - 1)).contains(constant))
        .collect();
    starts.into_iter().take(MAX_STARTS).collect()
}

/// Bounds of the prophecy index itself, where it is chosen by a store.
fn about_index(terms: &mut Terms, prophecy: Term, words: &Words) -> Vec<Term> {
    let mut found = Vec::new();
    for &word in &words.indices {
        if terms.width(word) >= INDEX_BITS {
            let index = terms.zext(prophecy, terms.width(word));
            found.extend([terms.ult(index, word), terms.ule(word, index)]);
        }
    }
    found
}

/// The premises, the likelier ones apart: the index has been passed, going up or down, or is still to come.
fn premises(
    terms: &mut Terms,
    prophecy: Term,
    words: &Words,
    (bounds, starts): (&[u128], &[u128]),
) -> (Vec<Term>, Vec<Term>) {
    let mut below = Vec::new();
    for &bound in bounds {
        let bound = terms.constant(bound, INDEX_BITS);
        below.push(terms.ult(prophecy, bound));
    }
    let mut above = Vec::new();
    for &word in &words.indices {
        let width = terms.width(word);
        let (index, word) = match width < INDEX_BITS {
            true => (prophecy, terms.zext(word, INDEX_BITS)),
            false => (terms.zext(prophecy, width), word),
        };
        below.push(terms.ult(index, word));
        above.push((word, [terms.ule(word, index), terms.slt(word, index)]));
    }
    let mut few = below.clone();
    few.push(terms.boolean(true));
    let mut all = Vec::new();
    for &start in starts {
        let start = terms.constant(start, INDEX_BITS);
        let behind = terms.ule(start, prophecy);
        all.extend(below.iter().map(|&second| terms.and(behind, second)));
    }
    for (word, firsts) in above {
        for &second in &below {
            for first in firsts {
                let both = terms.and(first, second);
                if terms.cone(&[second], |_| false).contains(&word) {
                    continue;
                }
                all.push(both);
            }
        }
    }
    (few, all)
}

/// The conclusions about each cell, the likelier ones apart.
fn conclusions(
    terms: &mut Terms,
    prophecy: Term,
    words: &Words,
    stored: &Stored,
) -> (Vec<Term>, Vec<Term>) {
    let mut first = Vec::new();
    let mut second = Vec::new();
    for &(tracked, cell) in &words.cells {
        let width = terms.width(cell);
        let zero = terms.constant(0, width);
        first.push(terms.eq(cell, zero));
        for &value in stored.get(&tracked).into_iter().flatten() {
            first.push(terms.eq(cell, value));
            if terms.constant_value(value).is_none() {
                for &(other, word) in &words.cells {
                    if other != tracked && terms.width(word) == width {
                        let of_other = terms.substitute(value, &mut HashMap::from([(cell, word)]));
                        second.push(terms.eq(cell, of_other));
                    }
                }
                // The value at the prophecy index.
                for &index in &words.indices {
                    if terms.width(index) == INDEX_BITS {
                        let at_index =
                            terms.substitute(value, &mut HashMap::from([(index, prophecy)]));
                        second.push(terms.eq(cell, at_index));
                    }
                }
            }
        }
        for &(other, word) in &words.cells {
            if other < tracked && terms.width(word) == width {
                first.push(terms.eq(cell, word));
                second.extend([terms.sle(cell, word), terms.sle(word, cell)]);
            }
        }
        for &word in &words.numbers {
            if terms.width(word) == width {
                second.extend([
                    terms.sle(cell, word),
                    terms.sle(word, cell),
                    terms.eq(cell, word),
                ]);
            }
        }
        second.push(terms.sle(zero, cell));
    }
    (first, second)
}

/// The values that are stored in tracked cells, and constants that these become when a stored constant takes
/// the place of the cell.
fn stored(analysis: &Analysis<'_>, terms: &mut Terms, cells: &[Tracked], logs: &[Log]) -> Stored {
    let mut stored = Stored::new();
    let domains = analysis.domains.values().map(|domain| domain.index);
    let words: HashSet<Term> = (analysis.variables.values().copied())
        .chain(domains)
        .collect();
    for &tracked in cells {
        let (object, cell) = tracked;
        let word = Cell::Memory {
            object,
            index: cell as u32 + 1,
        };
        let Some(&word) = analysis.variables.get(&word) else {
            continue;
        };
        let mut values: Vec<Term> = Vec::new();
        // Under a condition: a new array has any values without one.
        let mut is_stored = false;
        for (_, _, state) in logs.iter().flat_map(|log| &log.exits) {
            let Some(Some(own)) = state.memory.get(object as usize) else {
                continue;
            };
            let mut stack = vec![own[cell + 1]];
            is_stored |= matches!(terms.node(own[cell + 1]), Node::Ite(..));
            let mut seen = BTreeSet::new();
            while let Some(term) = stack.pop() {
                if !seen.insert(term) || seen.len() > 8 * MAX_VALUES {
                    continue;
                }
                if let Node::Ite(_, a, b) = terms.node(term) {
                    stack.extend([b, a]);
                } else if term != word
                    && values.len() < MAX_VALUES
                    && !values.contains(&term)
                    && is_about(terms, term, &words)
                {
                    values.push(term);
                }
            }
        }
        let constants = values
            .iter()
            .filter(|&&value| terms.constant_value(value).is_some());
        let constants: Vec<Term> = constants.copied().collect();
        for value in values.clone() {
            for &constant in &constants {
                let next = terms.substitute(value, &mut HashMap::from([(word, constant)]));
                if terms.constant_value(next).is_some() && !values.contains(&next) {
                    values.push(next);
                }
            }
        }
        if is_stored || !values.is_empty() {
            stored.insert(tracked, values);
        }
    }
    stored
}

/// Whether all variables of a term are words of the state.
fn is_about(terms: &Terms, root: Term, words: &HashSet<Term>) -> bool {
    let cone = terms.cone(&[root], |_| false);
    cone.into_iter()
        .all(|term| !matches!(terms.node(term), Node::Var(_)) || words.contains(&term))
}
