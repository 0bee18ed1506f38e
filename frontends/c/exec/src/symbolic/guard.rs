//! Path conditions as trees: each extends another by a literal. The common prefix of two paths is found again
//! when they merge, so that the condition after an `if` is the one before it.

use std::collections::HashMap;

use craig_word::{Node, Op, Term, Terms};

use super::range::{Fact, Range};

/// A path condition; 0 is true.
pub(crate) type Guard = u32;

struct Entry {
    parent: Guard,
    literal: Term,
    depth: u32,
    /// The whole condition.
    term: Term,
    /// What the literal states, of each of the conditions that it is the conjunction of: comparisons with constants.
    facts: Vec<Fact>,
}

impl Entry {
    /// Restricts the range of a word to what the literal states.
    fn narrow(&self, word: Term, range: &mut Range) {
        for &known in self.facts.iter().filter(|fact| fact.word == word) {
            range.narrow(known);
        }
    }
}

/// What a literal states of words of at most 64 bits.
fn facts_of(terms: &Terms, literal: Term) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut rest = vec![literal];
    for _ in 0..MAX_CONJUNCTS {
        let Some(term) = rest.pop() else { break };
        match terms.node(term) {
            Node::Binary(Op::And, a, b) => rest.extend([a, b]),
            _ => facts.extend(Fact::of(terms, term).filter(|fact| terms.width(fact.word) <= 64)),
        }
    }
    facts
}

pub struct Guards {
    entries: Vec<Entry>,
    table: HashMap<(Guard, Term), Guard>,
}

/// How many ancestors are searched for a literal that decides a new one.
const LOOK_BACK: usize = 48;
/// And for bounds on a factor of a product, which is rare and large.
const LOOK_BACK_FOR_FACTORS: usize = 4096;
/// More conditions of a conjunction are not looked at.
const MAX_CONJUNCTS: usize = 32;

impl Guards {
    pub(crate) fn new(terms: &mut Terms) -> Self {
        let truth = terms.boolean(true);
        let root = Entry {
            parent: 0,
            literal: truth,
            depth: 0,
            term: truth,
            facts: Vec::new(),
        };
        Self {
            entries: vec![root],
            table: HashMap::new(),
        }
    }

    pub fn term(&self, guard: Guard) -> Term {
        self.entries[guard as usize].term
    }

    pub(crate) fn depth(&self, guard: Guard) -> u32 {
        self.entries[guard as usize].depth
    }

    /// The conjunction with a further literal; `None` if it is known to be inconsistent.
    pub(crate) fn extend(
        &mut self,
        terms: &mut Terms,
        guard: Guard,
        literal: Term,
    ) -> Option<Guard> {
        match terms.constant_value(literal) {
            Some(0) => return None,
            Some(_) => return Some(guard),
            None => {}
        }
        let opposite = terms.not(literal);
        let fact = Fact::of(terms, literal).filter(|fact| terms.width(fact.word) <= 64);
        let mut range = fact.map(|fact| Range::all(terms.width(fact.word)));
        let mut at = guard;
        for _ in 0..LOOK_BACK {
            if at == 0 {
                break;
            }
            let entry = &self.entries[at as usize];
            if entry.literal == literal {
                return Some(guard);
            }
            if entry.literal == opposite {
                return None;
            }
            if let (Some(fact), Some(range)) = (fact, &mut range) {
                entry.narrow(fact.word, range);
            }
            at = entry.parent;
        }
        if let (Some(fact), Some(known)) = (fact, range) {
            let decided = |fact: Fact| {
                let mut range = known;
                range.narrow(fact);
                range.is_empty()
            };
            if decided(fact) {
                return None;
            }
            if decided(fact.negated()) {
                return Some(guard);
            }
        }
        let parent_term = self.term(guard);
        let term = terms.and(parent_term, literal);
        if terms.is_zero(term) {
            return None;
        }
        if term == parent_term {
            return Some(guard);
        }
        Some(*self.table.entry((guard, literal)).or_insert_with(|| {
            let depth = self.entries[guard as usize].depth + 1;
            self.entries.push(Entry {
                parent: guard,
                literal,
                depth,
                term,
                facts: facts_of(terms, literal),
            });
            self.entries.len() as Guard - 1
        }))
    }

    /// Signed bounds on a word of at most 64 bits that the latest literals of a path state.
    pub(super) fn bounds(&self, terms: &Terms, guard: Guard, word: Term) -> (i128, i128) {
        self.range(terms, guard, word, LOOK_BACK).signed()
    }

    /// Bounds without sign on a word of at most 64 bits that the latest literals of a path state.
    pub(super) fn unsigned_bounds(&self, terms: &Terms, guard: Guard, word: Term) -> (u128, u128) {
        self.range(terms, guard, word, LOOK_BACK).unsigned()
    }

    /// The largest value that a factor of at most 64 bits has on a path, as far as literals state it.
    pub(super) fn largest(&self, terms: &Terms, guard: Guard, word: Term) -> u128 {
        let range = self.range(terms, guard, word, LOOK_BACK_FOR_FACTORS);
        range.largest()
    }

    fn range(&self, terms: &Terms, guard: Guard, word: Term, look_back: usize) -> Range {
        let mut range = Range::all(terms.width(word));
        let mut at = guard;
        for _ in 0..look_back {
            if at == 0 {
                break;
            }
            let entry = &self.entries[at as usize];
            entry.narrow(word, &mut range);
            at = entry.parent;
        }
        range
    }

    /// The condition that one of two paths was taken, and one that distinguishes the first from the second
    /// under it; `None` if neither can be taken. A path that cannot be taken must not be kept under a weaker
    /// condition: others would merge with it.
    ///
    /// The two conditions must exclude each other. Then the first result is equivalent to their disjunction, not
    /// weaker, and under it the second is equivalent to `a`.
    pub(crate) fn join(&mut self, terms: &mut Terms, a: Guard, b: Guard) -> Option<(Guard, Term)> {
        let (mut x, mut y) = (a, b);
        let mut first = Vec::new();
        let mut second = Vec::new();
        while x != y {
            if self.depth(x) >= self.depth(y) {
                first.push(self.entries[x as usize].literal);
                x = self.entries[x as usize].parent;
            } else {
                second.push(self.entries[y as usize].literal);
                y = self.entries[y as usize].parent;
            }
        }
        let mut conjoin = |literals: &[Term]| {
            let mut all = terms.boolean(true);
            for &literal in literals.iter().rev() {
                all = terms.and(all, literal);
            }
            all
        };
        let (left, right) = (conjoin(&first), conjoin(&second));
        let either = terms.or(left, right);
        // The shorter condition distinguishes the paths.
        let choose = if first.len() <= second.len() {
            left
        } else {
            terms.not(right)
        };
        Some((self.extend(terms, x, either)?, choose))
    }
}

#[cfg(test)]
mod tests {
    use craig_aig::Random;
    use craig_word::Evaluator;

    use super::*;

    /// Each of the two paths contradicts the condition before it as a whole, though no single literal does.
    #[test]
    fn paths_that_cannot_be_taken_do_not_meet() {
        let mut terms = Terms::new();
        let mut guards = Guards::new(&mut terms);
        let [a, b, c] = [0, 1, 2].map(|_| terms.variable(1));
        let both = terms.and(a, b);
        let before = guards.extend(&mut terms, 0, c).unwrap();
        let before = guards.extend(&mut terms, before, both).unwrap();
        let [first, second] = [a, b].map(|literal| {
            let not = terms.not(literal);
            guards.extend(&mut terms, before, not).unwrap()
        });
        assert_eq!(guards.join(&mut terms, first, second), None);
        // One of two paths that can be taken.
        let free = terms.variable(1);
        let first = guards.extend(&mut terms, before, free).unwrap();
        let not = terms.not(free);
        let second = guards.extend(&mut terms, before, not).unwrap();
        assert_eq!(guards.join(&mut terms, first, second), Some((before, free)));
    }

    /// What a conjunction states of a word bounds it, at any distance.
    #[test]
    fn conjunctions_bound_words() {
        let mut terms = Terms::new();
        let mut guards = Guards::new(&mut terms);
        let (word, other) = (terms.variable(64), terms.variable(64));
        let bound = terms.constant(3, 64);
        let (small, also) = (terms.ult(word, bound), terms.ult(bound, other));
        let flag = terms.variable(1);
        let both = terms.and(small, also);
        let all = terms.and(both, flag);
        let mut guard = guards.extend(&mut terms, 0, all).unwrap();
        for _ in 0..2 * LOOK_BACK {
            let flag = terms.variable(1);
            guard = guards.extend(&mut terms, guard, flag).unwrap();
        }
        assert_eq!(guards.largest(&terms, guard, word), 2);
        assert_eq!(guards.largest(&terms, guard, other), u128::from(u64::MAX));
        assert_eq!(guards.largest(&terms, 0, word), u128::from(u64::MAX));
    }

    /// Paths that split at random literals and meet again, compared with the sets of assignments for which they
    /// are taken: no path is lost, and a path that meets another one keeps exactly its own condition.
    #[test]
    fn paths_that_split_and_meet_keep_their_assignments() {
        let mut n_met = [0; 2];
        for seed in 0..24 {
            let mut random = Random::new(seed);
            let mut terms = Terms::new();
            let mut guards = Guards::new(&mut terms);
            let flags = [(); 3].map(|()| terms.variable(1));
            let word = terms.variable(3);
            // Bit i is the value under assignment i: the word's value, and then the flags.
            let assignments = |terms: &Terms, term: Term| -> u64 {
                let value = |assignment: u32| {
                    let mut evaluator = Evaluator::new(terms, |term, _| {
                        let flag = flags.iter().position(|&flag| flag == term);
                        let shift = flag.map_or(0, |flag| 3 + flag);
                        let mask = if flag.is_some() { 1 } else { 7 };
                        u128::from(assignment >> shift & mask)
                    });
                    evaluator.value(term) as u64
                };
                (0..64).fold(0, |all, assignment| all | value(assignment) << assignment)
            };
            // Conditions that exclude each other, and together are always true.
            let mut paths = vec![(0 as Guard, u64::MAX)];
            for _ in 0..40 {
                let pick = random.below(paths.len());
                let (guard, taken) = paths.swap_remove(pick);
                if paths.is_empty() || random.below(3) > 0 {
                    let mut literal = || match random.below(5) {
                        0 => {
                            let bound = terms.constant(random.below(8) as u128, 3);
                            match random.below(3) {
                                0 => terms.ult(word, bound),
                                1 => terms.slt(word, bound),
                                _ => terms.eq(word, bound),
                            }
                        }
                        _ => flags[random.below(flags.len())],
                    };
                    let (one, other) = (literal(), literal());
                    let literal = match random.below(4) {
                        0 => terms.and(one, other),
                        1 => terms.or(one, other),
                        _ => one,
                    };
                    let holds = assignments(&terms, literal);
                    let opposite = terms.not(literal);
                    for (literal, holds) in [(literal, holds), (opposite, !holds)] {
                        match guards.extend(&mut terms, guard, literal) {
                            Some(guard) => paths.push((guard, taken & holds)),
                            None => assert_eq!(taken & holds, 0, "{seed}"),
                        }
                    }
                } else {
                    let (second, also) = paths.swap_remove(random.below(paths.len()));
                    match guards.join(&mut terms, guard, second) {
                        None => assert_eq!(taken | also, 0, "{seed}"),
                        Some((met, choose)) => {
                            let choose = assignments(&terms, choose);
                            assert_eq!(choose & (taken | also), taken, "{seed}");
                            n_met[usize::from(taken == 0 || also == 0)] += 1;
                            paths.push((met, taken | also));
                        }
                    }
                }
            }
            for &(guard, taken) in &paths {
                assert_eq!(assignments(&terms, guards.term(guard)), taken, "{seed}");
            }
        }
        assert!(n_met.iter().all(|&n| n > 10), "{n_met:?}");
    }
}
