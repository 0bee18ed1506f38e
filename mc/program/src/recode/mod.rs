//! Small domains: an automaton whose words and inputs of few values are indices.
//!
//! A word to which only constants and copies from such words are assigned becomes an index of few bits, and so do words
//! and inputs that are compared with constants alone: then an index stands for an interval of values. Comparisons become
//! tables. `classes.rs` finds these variables, and says why that is exact.
//!
//! Nothing rests on that: evidence about the recoded automaton's circuit is lifted to the given one's, and judged there
//! (`evidence.rs`).

mod classes;
mod evidence;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use craig_word::{Node, Op, Term, Terms};

use self::classes::{Domain, domains};
use super::cfa::{Assignment, Cfa};

/// A variable of the given automaton that is an index in the recoded one.
struct Code {
    index: Term,
    /// The number of bits of the variable.
    width: u32,
    domain: Domain,
}

/// A recoded automaton. Its locations are those of the given one.
pub struct Recoded {
    /// The automaton.
    pub cfa: Cfa,
    /// By variable of the given automaton.
    codes: HashMap<Term, Code>,
}

impl Cfa {
    /// The automaton with indices for variables of small domains; `None` if it has none.
    #[must_use]
    pub fn recoded(&self) -> Option<Recoded> {
        self.recoded_as(false)
    }

    fn recoded_as(&self, always: bool) -> Option<Recoded> {
        let domains = domains(self, always);
        if domains.is_empty() {
            return None;
        }
        let mut cfa = Self::new(self.terms.clone());
        let mut codes: HashMap<Term, Code> = HashMap::new();
        let mut variables: Vec<(Term, Domain)> = domains.into_iter().collect();
        variables.sort_unstable_by_key(|&(variable, _)| variable);
        for (variable, domain) in variables {
            let index = cfa.terms.variable(domain.width());
            let width = cfa.terms.width(variable);
            let code = Code {
                index,
                width,
                domain,
            };
            codes.insert(variable, code);
        }
        for word in self.words() {
            let term = codes.get(&word.term).map_or(word.term, |code| code.index);
            cfa.add_word(term, word.name.clone());
        }
        let own = |words: &[Term]| -> Vec<Term> {
            let words = words.iter();
            words
                .map(|word| codes.get(word).map_or(*word, |code| code.index))
                .collect()
        };
        // An index is no number.
        let numbers = |words: &[Term]| -> Vec<Term> {
            let words = words.iter().copied();
            words.filter(|word| !codes.contains_key(word)).collect()
        };
        for id in self.location_ids() {
            let location = self.location(id);
            let mut words = own(&location.words);
            words.sort_unstable();
            if matches!(id, Self::START | Self::ERROR | Self::UNSUPPORTED) {
                let special = cfa.location_mut(id);
                (special.words, special.numbers) = (words, numbers(&location.numbers));
            } else {
                cfa.add_location(location.name.clone(), words, numbers(&location.numbers));
            }
        }
        let mut rewriter = Rewriter {
            codes: &codes,
            images: HashMap::new(),
            chosen: HashMap::new(),
        };
        for edge in self.edges() {
            let guard = rewriter.image(&mut cfa.terms, edge.guard);
            let assignments = edge.assignments.iter();
            let assignments = assignments
                .map(|assignment| match codes.get(&assignment.word) {
                    None => Assignment {
                        word: assignment.word,
                        value: rewriter.image(&mut cfa.terms, assignment.value),
                    },
                    Some(code) => Assignment {
                        word: code.index,
                        value: rewriter.index(&mut cfa.terms, assignment.value, code),
                    },
                })
                .collect();
            cfa.add_edge(edge.source, edge.target, guard, assignments);
        }
        for &(location, candidate) in self.candidates() {
            let image = rewriter.image(&mut cfa.terms, candidate);
            cfa.add_candidate(location, image);
        }
        debug_assert_eq!(cfa.check(), Ok(()));
        Some(Recoded { cfa, codes })
    }
}

struct Rewriter<'a> {
    codes: &'a HashMap<Term, Code>,
    images: HashMap<Term, Term>,
    /// Indices of values that are chosen, by value and width.
    chosen: HashMap<(Term, u32), Term>,
}

impl Rewriter<'_> {
    /// A term with the values of indices in the place of variables.
    fn image(&mut self, terms: &mut Terms, root: Term) -> Term {
        for term in terms.cone(&[root], |term| self.images.contains_key(&term)) {
            let image = match terms.node(term) {
                Node::Var(_) => self.codes.get(&term).map(|code| value_of(terms, code)),
                Node::Binary(op @ (Op::Eq | Op::Ult | Op::Slt), left, right) => {
                    self.comparison(terms, op, left, right)
                }
                _ => None,
            };
            match image {
                Some(image) => {
                    self.images.insert(term, image);
                }
                None => {
                    terms.substitute(term, &mut self.images);
                }
            }
        }
        self.images[&root]
    }

    /// A comparison of a variable with a constant as one of its index.
    fn comparison(&self, terms: &mut Terms, op: Op, left: Term, right: Term) -> Option<Term> {
        let width = terms.width(left);
        let sign = 1u128 << (width - 1);
        let holds = |a: u128, b: u128| match op {
            Op::Eq => a == b,
            Op::Ult => a < b,
            _ => a ^ sign < b ^ sign,
        };
        if let (Some(code), Some(constant)) = (self.codes.get(&left), terms.constant_value(right)) {
            return Some(member(terms, code, |value| holds(value, constant)));
        }
        if let (Some(constant), Some(code)) = (terms.constant_value(left), self.codes.get(&right)) {
            return Some(member(terms, code, |value| holds(constant, value)));
        }
        None
    }

    /// The index of a value that is chosen from constants and variables of one class.
    fn index(&mut self, terms: &mut Terms, value: Term, code: &Code) -> Term {
        let width = code.domain.width();
        let mut work = vec![value];
        while let Some(&term) = work.last() {
            if self.chosen.contains_key(&(term, width)) {
                work.pop();
                continue;
            }
            let image = match terms.node(term) {
                Node::Ite(condition, then, otherwise) => {
                    let known =
                        [then, otherwise].map(|term| self.chosen.get(&(term, width)).copied());
                    let [Some(then), Some(otherwise)] = known else {
                        work.extend([then, otherwise]);
                        continue;
                    };
                    let condition = self.image(terms, condition);
                    terms.ite(condition, then, otherwise)
                }
                Node::Const(constant) => terms.constant(code.domain.index(constant) as u128, width),
                _ => limited(terms, &self.codes[&term]),
            };
            self.chosen.insert((term, width), image);
            work.pop();
        }
        // Constants have other indices in other classes of the same width.
        let found = self.chosen[&(value, width)];
        self.chosen.clear();
        found
    }
}

/// The index of a variable, where indices that stand for nothing are the last one.
fn limited(terms: &mut Terms, code: &Code) -> Term {
    let (n, width) = (code.domain.values.len(), code.domain.width());
    if n == 1 << width {
        return code.index;
    }
    let last = terms.constant(n as u128 - 1, width);
    let is_less = terms.ult(code.index, last);
    terms.ite(is_less, code.index, last)
}

/// Whether the value of an index is among those for which `holds`.
fn member(terms: &mut Terms, code: &Code, holds: impl Fn(u128) -> bool) -> Term {
    let width = code.domain.width();
    let among: Vec<bool> = code
        .domain
        .values
        .iter()
        .map(|&value| holds(value))
        .collect();
    let mut all = terms.boolean(false);
    let mut place = 0;
    while place < among.len() {
        let end = (place..among.len()).find(|&end| among[end] != among[place]);
        if among[place] {
            let from = terms.constant(place as u128, width);
            let is_before = terms.ult(code.index, from);
            let mut is_in = terms.not(is_before);
            if let Some(end) = end {
                let to = terms.constant(end as u128, width);
                let is_less = terms.ult(code.index, to);
                is_in = match end == place + 1 {
                    true => terms.eq(code.index, from),
                    false => terms.and(is_in, is_less),
                };
            }
            all = terms.or(all, is_in);
        }
        place = end.unwrap_or(among.len());
    }
    all
}

/// The value of an index.
fn value_of(terms: &mut Terms, code: &Code) -> Term {
    let own = code.domain.width();
    let mut row: Vec<Term> = (code.domain.values.iter())
        .map(|&value| terms.constant(value, code.width))
        .collect();
    // A tree of choices by the bits of the index, lowest first.
    for bit in 0..own {
        let set = terms.extract(code.index, bit, 1);
        row = (row.chunks(2))
            .map(|pair| match pair {
                [low, high] => terms.ite(set, *high, *low),
                single => single[0],
            })
            .collect();
    }
    row[0]
}
