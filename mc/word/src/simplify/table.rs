//! Tables: chains of choices between constants, by the value of one word, as long `switch` statements make them.
//!
//! Under each condition of a table the word is known. So is a function of the word that the table is compared with, and
//! the result is a table of truth values: nothing is left to a search that would go through the rows one by one.

use super::limits::{MAX_TABLE, MIN_TABLE};
use crate::evaluate::Evaluator;
use crate::op::Op;
use crate::term::{Node, Term, Terms};

/// The size of a function of the word up to which it is evaluated for each row.
const MAX_CONE: usize = 24;

/// A row: the condition, the value of the word, and what is chosen.
type Row = (Term, u128, Term);

struct Table {
    word: Term,
    rows: Vec<Row>,
    /// What is chosen where no condition holds.
    otherwise: Term,
}

impl Terms {
    /// The longest table at the head of a chain of choices.
    fn table(&self, chain: Term) -> Option<Table> {
        let (mut at, mut word, mut rows) = (chain, None, Vec::new());
        while let Node::Ite(condition, chosen, otherwise) = self.node(at)
            && let Node::Binary(Op::Eq, own, key) = self.node(condition)
            && let Some(key) = self.constant_value(key)
            && self.constant_value(chosen).is_some()
            && *word.get_or_insert(own) == own
            && rows.len() < MAX_TABLE
        {
            rows.push((condition, key, chosen));
            at = otherwise;
        }
        let word = word.filter(|_| rows.len() >= MIN_TABLE)?;
        Some(Table {
            word,
            rows,
            otherwise: at,
        })
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
