//! Tables: chains of choices between constants, by the value of one word, as long `switch` statements make them.
//!
//! Under each condition of a table the word is known. So is a function of the word that the table is compared with, and
//! the result is a table of truth values: nothing is left to a search that would go through the rows one by one. Two tables are
//! equal where both have the value that their rows share: one condition for each value, not one for each pair of rows.

use std::collections::{HashMap, HashSet};

use super::limits::{MAX_TABLE, MIN_TABLE};
use crate::evaluate::Evaluator;
use crate::machine::mask;
use crate::op::Op;
use crate::term::{Node, Term, Terms};

/// The size of a function of the word up to which it is evaluated for each row.
const MAX_CONE: usize = 24;

/// A row: the condition, the value of the word, and what is chosen.
type Row = (Term, u128, u128);

struct Table {
    word: Term,
    /// The width of what is chosen.
    width: u32,
    rows: Vec<Row>,
    /// What is chosen where no condition holds.
    otherwise: Term,
}

/// A value of a table: when it is chosen, of some conditions of which at most one holds; and the key if there is just one.
struct ValueOf {
    value: u128,
    condition: Term,
    key: Option<u128>,
}

impl Terms {
    /// The longest table at the head of a chain of choices, in which constants may be added to what is chosen.
    fn table(&mut self, chain: Term) -> Option<Table> {
        let (mut at, mut word, mut rows, mut sum) = (chain, None, Vec::new(), 0u128);
        let width = self.width(chain);
        while rows.len() < MAX_TABLE {
            if let Node::Binary(Op::Add, rest, amount) = self.node(at)
                && let Some(amount) = self.constant_value(amount)
                && matches!(self.node(rest), Node::Ite(..))
            {
                sum = sum.wrapping_add(amount) & mask(width);
                at = rest;
            }
            let Node::Ite(condition, then, otherwise) = self.node(at) else {
                break;
            };
            // A disjunction is the negation of a conjunction, and the choice is turned around.
            let (chosen, rest) = match self.node(condition) {
                Node::Binary(Op::Eq, ..) => (then, otherwise),
                _ => (otherwise, then),
            };
            let Some(chosen) = self.constant_value(chosen) else {
                break;
            };
            let (n_rows, value) = (rows.len(), chosen.wrapping_add(sum) & mask(width));
            if !self.add_rows(condition, value, &mut word, &mut rows) {
                rows.truncate(n_rows);
                break;
            }
            at = rest;
        }
        let word = word.filter(|_| rows.len() >= MIN_TABLE)?;
        let sum = self.constant(sum, width);
        Some(Table {
            word,
            width,
            rows,
            otherwise: self.add(at, sum),
        })
    }

    /// Adds the rows of a choice: the condition is that the word is one number, or that it is none of some. `false` if it is
    /// another condition.
    fn add_rows(
        &self,
        condition: Term,
        value: u128,
        word: &mut Option<Term>,
        rows: &mut Vec<Row>,
    ) -> bool {
        let mut add = |equal: Term| match self.node(equal) {
            Node::Binary(Op::Eq, own, key) => {
                let key = self.constant_value(key).filter(|_| rows.len() < MAX_TABLE);
                let is_of_word = *word.get_or_insert(own) == own;
                rows.extend(key.map(|key| (equal, key, value)));
                key.is_some() && is_of_word
            }
            _ => false,
        };
        if matches!(self.node(condition), Node::Binary(Op::Eq, ..)) {
            return add(condition);
        }
        let mut stack = vec![condition];
        while let Some(term) = stack.pop() {
            let is_known = match self.node(term) {
                Node::Binary(Op::And, x, y) if self.width(x) == 1 => {
                    stack.extend([y, x]);
                    true
                }
                Node::Not(equal) => add(equal),
                _ => false,
            };
            if !is_known {
                return false;
            }
        }
        true
    }

    /// An operation on a table and another term that the word of the table determines, row by row; `None` if neither
    /// operand is such a table.
    pub(super) fn along_table(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        for (chain, other, is_first) in [(a, b, true), (b, a, false)] {
            let Some(table) = self.table(chain) else {
                continue;
            };
            let Some(values) = self.values_along(&table, other) else {
                continue;
            };
            let mut rest = match is_first {
                true => self.binary(op, table.otherwise, other),
                false => self.binary(op, other, table.otherwise),
            };
            for ((condition, _, chosen), value) in table.rows.into_iter().zip(values).rev() {
                let chosen = self.constant(chosen, table.width);
                let row = match is_first {
                    true => self.binary(op, chosen, value),
                    false => self.binary(op, value, chosen),
                };
                rest = self.ite(condition, row, rest);
            }
            return Some(rest);
        }
        None
    }

    /// Whether two tables of constants choose the same value; `None` if an operand is no such table.
    pub(super) fn equal_tables(&mut self, a: Term, b: Term) -> Option<Term> {
        let (a, b) = (self.table(a)?, self.table(b)?);
        if a.word == b.word {
            return Some(self.equal_tables_of_word(&a, &b));
        }
        let (last_a, last_b) = (
            self.constant_value(a.otherwise)?,
            self.constant_value(b.otherwise)?,
        );
        let rows: HashMap<u128, ValueOf> = (self.in_order(&b, last_b).into_iter())
            .map(|row| (row.value, row))
            .collect();
        // Where both tables have a value for one key alone, and for the same one, the words are equal: a function that is
        // called twice, with different words, then has no common value at all.
        let is_same_sort = self.width(a.word) == self.width(b.word);
        let (mut equal, mut same) = (self.boolean(false), self.boolean(false));
        for row in self.in_order(&a, last_a) {
            match rows.get(&row.value) {
                Some(other) if is_same_sort && row.key.is_some() && row.key == other.key => {
                    same = self.or(same, row.condition);
                }
                Some(other) => {
                    let both = self.and(row.condition, other.condition);
                    equal = self.or(equal, both);
                }
                None => {}
            }
        }
        if !self.is_zero(same) {
            let words = self.eq(a.word, b.word);
            let both = self.and(words, same);
            equal = self.or(equal, both);
        }
        Some(equal)
    }

    /// As [`Self::equal_tables`], for tables of one word: the rows that are equal, and what is chosen without rows.
    fn equal_tables_of_word(&mut self, a: &Table, b: &Table) -> Term {
        let mut equal = self.eq(a.otherwise, b.otherwise);
        let of = |terms: &mut Self, table: &Table| -> HashMap<u128, Term> {
            // The first row of a key is the one that is chosen.
            let rows = table.rows.iter().rev();
            rows.map(|&(_, key, chosen)| (key, terms.constant(chosen, table.width)))
                .collect()
        };
        let (in_a, in_b) = (of(self, a), of(self, b));
        let mut seen = HashSet::new();
        for &(condition, key, _) in a.rows.iter().chain(&b.rows) {
            if !seen.insert(key) {
                continue;
            }
            let x = in_a.get(&key).copied().unwrap_or(a.otherwise);
            let y = in_b.get(&key).copied().unwrap_or(b.otherwise);
            let here = self.eq(x, y);
            equal = self.ite(condition, here, equal);
        }
        equal
    }

    /// The values of a table in the order of its rows.
    fn in_order(&mut self, table: &Table, otherwise: u128) -> Vec<ValueOf> {
        let mut found: Vec<ValueOf> = Vec::new();
        let mut position: HashMap<u128, usize> = HashMap::new();
        let (mut keys, mut conditions) = (HashSet::new(), Vec::new());
        let mut add =
            |terms: &mut Self, value: u128, condition: Term, key: Option<u128>| match position
                .get(&value)
            {
                Some(&at) => {
                    let known = &mut found[at];
                    known.condition = terms.or(known.condition, condition);
                    known.key = None;
                }
                None => {
                    position.insert(value, found.len());
                    found.push(ValueOf {
                        value,
                        condition,
                        key,
                    });
                }
            };
        for &(condition, key, value) in &table.rows {
            // A later row of a key is never chosen.
            if keys.insert(key) {
                add(self, value, condition, Some(key));
                conditions.push(condition);
            }
        }
        // In the order in which a chain of choices nests.
        let mut none = self.boolean(true);
        for condition in conditions.into_iter().rev() {
            let not_here = self.not(condition);
            none = self.and(not_here, none);
        }
        add(self, otherwise, none, None);
        found
    }

    /// A term where a condition holds: if that is that a word is a number, choices by the word are made, and constants that
    /// are added to them are added up. So what a chain of conditions counts, each of another number, is a table.
    pub(super) fn under_equality(&mut self, condition: Term, term: Term) -> Term {
        let Node::Binary(Op::Eq, word, key) = self.node(condition) else {
            return term;
        };
        let Some(key) = self.constant_value(key) else {
            return term;
        };
        let width = self.width(term);
        let (mut at, mut sum, mut has_chosen) = (term, 0u128, false);
        for _ in 0..MAX_TABLE {
            at = match self.node(at) {
                Node::Ite(choice, then, otherwise) => match self.holds_at(choice, word, key) {
                    Some(holds) => {
                        has_chosen = true;
                        if holds { then } else { otherwise }
                    }
                    None => break,
                },
                Node::Binary(Op::Add, rest, amount) => match self.constant_value(amount) {
                    Some(amount) => {
                        sum = sum.wrapping_add(amount);
                        rest
                    }
                    None => break,
                },
                _ => break,
            };
        }
        if !has_chosen {
            return term;
        }
        let sum = self.constant(sum, width);
        self.add(at, sum)
    }

    /// Whether a condition holds where a word is a number: that it is one, or none of some.
    fn holds_at(&self, condition: Term, word: Term, key: u128) -> Option<bool> {
        let mut stack = vec![condition];
        let is_key = |equal: Term| match self.node(equal) {
            Node::Binary(Op::Eq, own, other) if own == word => {
                Some(self.constant_value(other)? == key)
            }
            _ => None,
        };
        for _ in 0..2 * MAX_TABLE {
            let Some(term) = stack.pop() else {
                return Some(true);
            };
            let holds = match self.node(term) {
                Node::Binary(Op::And, x, y) => {
                    stack.extend([x, y]);
                    true
                }
                Node::Not(inner) => !is_key(inner)?,
                _ => is_key(term)?,
            };
            if !holds {
                return Some(false);
            }
        }
        None
    }

    /// Some bits of a table, row by row; `None` if the term is no table.
    pub(super) fn extract_of_table(&mut self, term: Term, low: u32, width: u32) -> Option<Term> {
        let table = self.table(term)?;
        let mut rest = self.extract(table.otherwise, low, width);
        for (condition, _, chosen) in table.rows.into_iter().rev() {
            let row = self.constant(chosen >> low, width);
            rest = self.ite(condition, row, rest);
        }
        Some(rest)
    }

    /// The values of a term under each condition of a table; `None` if the word does not determine them.
    fn values_along(&mut self, table: &Table, term: Term) -> Option<Vec<Term>> {
        if self.constant_value(term).is_some() {
            return Some(vec![term; table.rows.len()]);
        }
        let width = self.width(term);
        if width > 128 || self.width(table.word) > 128 || !self.is_function_of(term, table.word) {
            return None;
        }
        let numbers: Vec<u128> = (table.rows.iter())
            .map(|&(_, key, _)| {
                let mut evaluator = Evaluator::new(self, |_, _| 0);
                evaluator.set(table.word, key);
                evaluator.value(term)
            })
            .collect();
        let constant = |number| self.constant(number, width);
        Some(numbers.into_iter().map(constant).collect())
    }

    /// Whether a small term is computed from a word and constants alone.
    fn is_function_of(&self, term: Term, word: Term) -> bool {
        let (mut stack, mut n_visited, mut has_word) = (vec![term], 0, false);
        while let Some(term) = stack.pop() {
            n_visited += 1;
            if term == word {
                has_word = true;
                continue;
            }
            let is_free = matches!(self.node(term), Node::Var(_));
            if is_free || self.is_array(term) || n_visited > MAX_CONE {
                return false;
            }
            self.operands(term, |operand| stack.push(operand));
        }
        has_word
    }
}
