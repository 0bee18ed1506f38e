//! Terms in the notation of SMT-LIB.

use std::collections::HashMap;

use craig_word::{Node, Op, Term, Terms};

use crate::sort::Sort;
use crate::values;

/// Larger terms, counted as trees, are not written.
const MOST_NODES: usize = 60;

/// What stands for a variable, and its sort.
pub(crate) type Written = HashMap<Term, (String, Sort)>;

/// A formula; `None` if it is too large, or has a variable without a name or an array.
pub(crate) fn formula(terms: &Terms, written: &Written, formula: Term) -> Option<String> {
    Printer {
        terms,
        written,
        left: MOST_NODES,
    }
    .print(formula, true)
}

struct Printer<'a> {
    terms: &'a Terms,
    written: &'a Written,
    left: usize,
}

impl Printer<'_> {
    /// A term as a truth value, or as a word. The number of nodes bounds the depth.
    fn print(&mut self, term: Term, as_truth: bool) -> Option<String> {
        self.left = self.left.checked_sub(1)?;
        let width = self.terms.width(term);
        debug_assert!(width == 1 || !as_truth);
        let is_truth_made = |text: String| match as_truth {
            true => text,
            false => format!("(ite {text} #b1 #b0)"),
        };
        let is_word_made = |text: String| match as_truth {
            true => format!("(= {text} #b1)"),
            false => text,
        };
        if let Some(value) = self.terms.constant_bits(term) {
            return Some(match as_truth {
                true => value.bit(0).to_string(),
                false => values::bits(&value),
            });
        }
        let operator = match (self.terms.node(term), as_truth) {
            (Node::Var(_), _) => {
                let (name, sort) = self.written.get(&term)?;
                return Some(match sort {
                    Sort::Bool => is_truth_made(name.clone()),
                    _ => is_word_made(name.clone()),
                });
            }
            (Node::Not(a), true) => format!("(not {})", self.print(a, true)?),
            (Node::Not(a), false) => format!("(bvnot {})", self.print(a, false)?),
            (Node::Binary(op, a, b), _) if op.is_comparison() => {
                if self.terms.is_array(a) {
                    return None;
                }
                let name = match op {
                    Op::Eq => "=",
                    Op::Ult => "bvult",
                    _ => "bvslt",
                };
                let (a, b) = (self.print(a, false)?, self.print(b, false)?);
                return Some(is_truth_made(format!("({name} {a} {b})")));
            }
            (Node::Binary(op @ (Op::And | Op::Xor), a, b), true) => {
                let name = if op == Op::And { "and" } else { "xor" };
                format!("({name} {} {})", self.print(a, true)?, self.print(b, true)?)
            }
            (Node::Ite(c, a, b), _) => {
                let c = self.print(c, true)?;
                format!(
                    "(ite {c} {} {})",
                    self.print(a, as_truth)?,
                    self.print(b, as_truth)?
                )
            }
            (node, _) => {
                let text = self.word(node, width)?;
                return Some(is_word_made(text));
            }
        };
        Some(operator)
    }

    fn word(&mut self, node: Node, width: u32) -> Option<String> {
        Some(match node {
            Node::Binary(op, a, b) => {
                let name = match op {
                    Op::And => "bvand",
                    Op::Xor => "bvxor",
                    Op::Add => "bvadd",
                    Op::Sub => "bvsub",
                    Op::Mul => "bvmul",
                    Op::UDiv => "bvudiv",
                    Op::URem => "bvurem",
                    Op::SDiv => "bvsdiv",
                    Op::SRem => "bvsrem",
                    Op::Shl => "bvshl",
                    Op::LShr => "bvlshr",
                    Op::AShr => "bvashr",
                    Op::Eq | Op::Ult | Op::Slt => return None,
                };
                format!(
                    "({name} {} {})",
                    self.print(a, false)?,
                    self.print(b, false)?
                )
            }
            Node::Concat(a, b) => {
                format!(
                    "(concat {} {})",
                    self.print(a, false)?,
                    self.print(b, false)?
                )
            }
            Node::Extract(a, low) => {
                let high = low + width - 1;
                format!("((_ extract {high} {low}) {})", self.print(a, false)?)
            }
            Node::ZExt(a) | Node::SExt(a) => {
                let name = if matches!(node, Node::ZExt(_)) {
                    "zero_extend"
                } else {
                    "sign_extend"
                };
                let by = width - self.terms.width(a);
                format!("((_ {name} {by}) {})", self.print(a, false)?)
            }
            _ => return None,
        })
    }
}
