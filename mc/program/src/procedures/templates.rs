//! Candidates from templates over the words of a procedure.

use std::collections::BTreeSet;

use craig_word::{Node, Op, Term, Terms, mask, to_signed};

use super::idle::idle_words;
use super::inductive::{Candidate, Kind};
use super::{Procedure, Procedures, SummaryWord};

/// Candidates of one procedure, at most.
const MAX_OF_PROCEDURE: usize = 6_000;
/// Words that are combined with each other, at most.
const MAX_WORDS: usize = 12;
/// Constants, at most.
const MAX_CONSTANTS: usize = 24;

/// The conditions on the entry under which candidates hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Guards {
    /// None.
    None,
    /// Comparisons in the procedure's body.
    OfBody,
    /// Templates.
    All,
}

/// Candidates for all procedures: conditions that relate few words, under one of these guards.
pub(super) fn candidates(problem: &mut Procedures, guards_from: Guards) -> Vec<Candidate> {
    let constants = problem.constants.clone();
    let idle = idle_words(problem);
    let mut found = Vec::new();
    let Procedures {
        terms, procedures, ..
    } = problem;
    for (index, procedure) in procedures.iter().enumerate() {
        let mut maker = Maker {
            terms,
            constants: &constants,
        };
        let words = |words: &[SummaryWord]| -> Vec<SummaryWord> {
            let words = words.iter().filter(|word| !idle.contains(&word.term));
            words.take(MAX_WORDS).copied().collect()
        };
        let (entry, exit) = (words(&procedure.entry), words(&procedure.exit));
        let guards = match guards_from {
            Guards::OfBody => maker.comparisons(procedure),
            Guards::None | Guards::All => maker.conditions(&entry),
        };
        let mut push = |kind, condition| {
            found.push(Candidate {
                procedure: index,
                kind,
                condition,
            });
        };
        let facts = maker.relations(&entry, &exit);
        if guards_from == Guards::None {
            for &guard in &guards {
                push(Kind::Requires, guard);
            }
            for &fact in &facts {
                push(Kind::Ensures, fact);
            }
            continue;
        }
        let pairs = guards
            .iter()
            .flat_map(|&guard| facts.iter().map(move |&fact| (guard, fact)));
        for (guard, fact) in pairs.take(MAX_OF_PROCEDURE) {
            // Where the guard holds, the fact does.
            let not_fact = maker.terms.not(fact);
            let both = maker.terms.and(guard, not_fact);
            push(Kind::Ensures, maker.terms.not(both));
        }
    }
    found
}

/// Conditions on the entry of a procedure: the comparisons in its body, and those of single words with constants.
pub(super) fn guards(problem: &mut Procedures, procedure: usize) -> Vec<Term> {
    let constants = problem.constants.clone();
    let idle = idle_words(problem);
    let Procedures {
        terms, procedures, ..
    } = problem;
    let mut maker = Maker {
        terms,
        constants: &constants,
    };
    let own = &procedures[procedure];
    let mut found = Conditions::default();
    for condition in maker.comparisons(own) {
        found.push(maker.terms, condition);
    }
    let words = own.entry.iter().filter(|word| !idle.contains(&word.term));
    for &word in words.take(MAX_WORDS) {
        maker.of_word(word, &mut found);
    }
    found.list
}

struct Maker<'a> {
    terms: &'a mut Terms,
    constants: &'a [(u128, u32)],
}

impl Maker<'_> {
    /// The constants of the width, and then others that are made from them.
    fn constants(&self, width: u32, more: impl Fn(u128) -> Vec<u128>) -> Vec<u128> {
        let own = self.constants.iter().filter(|&&(_, of)| of == width);
        let own: Vec<u128> = own.map(|&(value, _)| value).collect();
        let mut found = vec![0, 1 & mask(width), mask(width)];
        for value in own
            .iter()
            .copied()
            .chain(own.iter().flat_map(|&value| more(value)))
        {
            let value = value & mask(width);
            if !found.contains(&value) && found.len() < MAX_CONSTANTS {
                found.push(value);
            }
        }
        found
    }

    fn less(&mut self, a: Term, b: Term, is_signed: bool) -> Term {
        match is_signed {
            true => self.terms.slt(a, b),
            false => self.terms.ult(a, b),
        }
    }

    /// Comparisons of a word with constants: equal, at most, at least, and their negations; and its parity.
    fn of_word(&mut self, word: SummaryWord, found: &mut Conditions) {
        let SummaryWord { term, is_signed } = word;
        let width = self.terms.width(term);
        let neighbours = |value: u128| vec![value.wrapping_add(1), value.wrapping_sub(1)];
        for value in self.constants(width, neighbours) {
            let constant = self.terms.constant(value, width);
            let equal = self.terms.eq(term, constant);
            let below = self.less(term, constant, is_signed);
            let above = self.less(constant, term, is_signed);
            for condition in [equal, below, above] {
                found.push_both(self.terms, condition);
            }
        }
        if width > 1 {
            let low = self.terms.extract(term, 0, 1);
            found.push_both(self.terms, low);
        }
    }

    /// Comparisons of two words of one width, with small distances, and of their parities.
    fn of_pair(&mut self, a: SummaryWord, b: SummaryWord, found: &mut Conditions) {
        let width = self.terms.width(a.term);
        if width != self.terms.width(b.term) {
            return;
        }
        for value in self.constants(width, |value| vec![value.wrapping_neg()]) {
            let distance = to_signed(value, width);
            if distance.unsigned_abs() > 1 << (width / 2) {
                continue;
            }
            let constant = self.terms.constant(value, width);
            let sum = self.terms.binary(Op::Add, b.term, constant);
            let equal = self.terms.eq(a.term, sum);
            found.push(self.terms, equal);
        }
        let equal = self.terms.eq(a.term, b.term);
        let below = self.less(a.term, b.term, a.is_signed);
        let above = self.less(b.term, a.term, a.is_signed);
        for condition in [equal, below, above] {
            found.push_both(self.terms, condition);
        }
        let one = self.terms.constant(1 & mask(width), width);
        // At least the other less 1, in two forms that wrap around at different ends.
        let next = self.terms.binary(Op::Add, a.term, one);
        let before = self.terms.binary(Op::Sub, b.term, one);
        for (a_side, b_side) in [(next, b.term), (a.term, before)] {
            let condition = self.less(a_side, b_side, a.is_signed);
            let condition = self.terms.not(condition);
            found.push(self.terms, condition);
        }
        if width > 1 {
            let (a, b) = (
                self.terms.extract(a.term, 0, 1),
                self.terms.extract(b.term, 0, 1),
            );
            let same = self.terms.eq(a, b);
            found.push_both(self.terms, same);
        }
    }

    /// The comparisons in a body that depend on the words at the entry only, and their negations.
    fn comparisons(&mut self, procedure: &Procedure) -> Vec<Term> {
        let body = &procedure.body;
        let calls = body.calls.iter();
        let mut roots: Vec<Term> = calls
            .flat_map(|call| call.entry.iter().copied().chain([call.guard]))
            .collect();
        roots.extend(body.exit.iter().copied().chain([body.returns, body.fails]));
        let entry = procedure.entry.iter().map(|word| word.term);
        let mut is_of_entry: BTreeSet<Term> = entry.collect();
        let mut found = Conditions::default();
        for term in self.terms.cone(&roots, |_| false) {
            let mut has_other = false;
            self.terms.operands(term, |operand| {
                has_other |=
                    !is_of_entry.contains(&operand) && self.terms.constant_value(operand).is_none();
            });
            let node = self.terms.node(term);
            if has_other || matches!(node, Node::Var(_)) {
                continue;
            }
            is_of_entry.insert(term);
            if matches!(node, Node::Binary(op, ..) if op.is_comparison()) {
                found.push_both(self.terms, term);
            }
        }
        found.list
    }

    /// Conditions on words, and on pairs of them.
    fn conditions(&mut self, words: &[SummaryWord]) -> Vec<Term> {
        let mut found = Conditions::default();
        for &word in words {
            self.of_word(word, &mut found);
        }
        for (index, &word) in words.iter().enumerate() {
            for &other in &words[..index] {
                self.of_pair(word, other, &mut found);
            }
        }
        found.list
    }

    /// Conditions on the words at the exit, and on these and those at the entry.
    fn relations(&mut self, entry: &[SummaryWord], exit: &[SummaryWord]) -> Vec<Term> {
        let mut found = Conditions::default();
        for (index, &word) in exit.iter().enumerate() {
            self.of_word(word, &mut found);
            for &other in entry.iter().chain(&exit[..index]) {
                self.of_pair(word, other, &mut found);
            }
            let width = self.terms.width(word.term);
            for (first, a) in entry.iter().enumerate() {
                for (second, b) in entry.iter().enumerate() {
                    if first == second
                        || [a, b]
                            .iter()
                            .any(|word| self.terms.width(word.term) != width)
                    {
                        continue;
                    }
                    for op in [Op::Add, Op::Sub] {
                        if first > second && op == Op::Add {
                            continue;
                        }
                        let value = self.terms.binary(op, a.term, b.term);
                        let equal = self.terms.eq(word.term, value);
                        found.push(self.terms, equal);
                    }
                }
            }
        }
        found.list
    }
}

/// Conditions without repetition.
#[derive(Default)]
struct Conditions {
    list: Vec<Term>,
    known: BTreeSet<Term>,
}

impl Conditions {
    fn push(&mut self, terms: &Terms, condition: Term) {
        if terms.constant_value(condition).is_none() && self.known.insert(condition) {
            self.list.push(condition);
        }
    }

    fn push_both(&mut self, terms: &mut Terms, condition: Term) {
        self.push(terms, condition);
        let negated = terms.not(condition);
        self.push(terms, negated);
    }
}
