//! Terms as text, for debugging and reports.

use std::cell::Cell;
use std::fmt;

use super::op::Op;
use super::term::{Node, Term, Terms};

/// The number of nodes written of one term; an omitted node appears as its number, `#17`.
const MAX_NODES: usize = 80;
/// The maximal depth of written operands.
const MAX_DEPTH: usize = 24;

/// A term for output; see [`Terms::display`].
pub struct Display<'a> {
    terms: &'a Terms,
    root: Term,
    name: &'a dyn Fn(Term) -> Option<String>,
    left: Cell<usize>,
}

impl Terms {
    /// The term as text, with C's operators where C has them. `<s` and `/s` are signed, `>>s` is an
    /// arithmetic shift, `++` is concatenation, `x[7:0]` are bits. Named terms are written by name, other
    /// variables as `v` and their number. Of large terms, only a part is written.
    pub fn display<'a>(
        &'a self,
        root: Term,
        name: &'a dyn Fn(Term) -> Option<String>,
    ) -> Display<'a> {
        Display {
            terms: self,
            root,
            name,
            left: Cell::new(MAX_NODES),
        }
    }
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.left.set(MAX_NODES);
        self.write(f, self.root, 0)
    }
}

/// The symbol of an operator.
fn sign(op: Op) -> &'static str {
    match op {
        Op::And => "&",
        Op::Xor => "^",
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::UDiv => "/",
        Op::URem => "%",
        Op::SDiv => "/s",
        Op::SRem => "%s",
        Op::Shl => "<<",
        Op::LShr => ">>",
        Op::AShr => ">>s",
        Op::Eq => "==",
        Op::Ult => "<",
        Op::Slt => "<s",
    }
}

impl Display<'_> {
    fn write(&self, f: &mut fmt::Formatter<'_>, term: Term, depth: usize) -> fmt::Result {
        if let Some(name) = (self.name)(term) {
            return f.write_str(&name);
        }
        let node = self.terms.node(term);
        match node {
            Node::Const(value) if value < 10 => return write!(f, "{value}"),
            Node::Const(value) => return write!(f, "{value:#x}"),
            Node::Wide(_) => {
                let value = self.terms.constant_bits(term);
                return value.map_or(Ok(()), |value| write!(f, "{value:x}"));
            }
            Node::Var(number) => return write!(f, "v{number}"),
            _ => {}
        }
        if self.left.get() == 0 || depth == MAX_DEPTH {
            return write!(f, "#{}", term.index());
        }
        self.left.set(self.left.get() - 1);
        let depth = depth + 1;
        match node {
            Node::Const(_) | Node::Wide(_) | Node::Var(_) => Ok(()),
            Node::Not(a) => self.write_negation(f, a, depth),
            Node::Binary(op, a, b) => self.infix(f, a, sign(op), b, depth),
            Node::Ite(c, a, b) => {
                f.write_str("(")?;
                self.write(f, c, depth)?;
                f.write_str(" ? ")?;
                self.write(f, a, depth)?;
                f.write_str(" : ")?;
                self.write(f, b, depth)?;
                f.write_str(")")
            }
            Node::Concat(high, low) => self.infix(f, high, "++", low, depth),
            Node::Extract(a, low) => {
                self.write(f, a, depth)?;
                let high = low + self.terms.width(term) - 1;
                if high == low {
                    write!(f, "[{low}]")
                } else {
                    write!(f, "[{high}:{low}]")
                }
            }
            Node::Select(array, index) => {
                self.write(f, array, depth)?;
                f.write_str("[")?;
                self.write(f, index, depth)?;
                f.write_str("]")
            }
            Node::Store(array, index, value) => {
                f.write_str("store(")?;
                self.write(f, array, depth)?;
                f.write_str(", ")?;
                self.write(f, index, depth)?;
                f.write_str(", ")?;
                self.write(f, value, depth)?;
                f.write_str(")")
            }
            Node::ConstArray(value) => {
                f.write_str("all(")?;
                self.write(f, value, depth)?;
                f.write_str(")")
            }
            Node::ZExt(a) => self.extended(f, "zext", a, term, depth),
            Node::SExt(a) => self.extended(f, "sext", a, term, depth),
        }
    }

    /// The negation of a term.
    fn write_negation(&self, f: &mut fmt::Formatter<'_>, a: Term, depth: usize) -> fmt::Result {
        match self.terms.node(a) {
            Node::Not(inner) => self.write(f, inner, depth),
            Node::Binary(Op::And, x, y) if depth < MAX_DEPTH && self.left.get() > 0 => {
                self.left.set(self.left.get() - 1);
                f.write_str("(")?;
                self.write_negation(f, x, depth + 1)?;
                f.write_str(" | ")?;
                self.write_negation(f, y, depth + 1)?;
                f.write_str(")")
            }
            Node::Binary(Op::Eq, x, y) => self.infix(f, x, "!=", y, depth),
            Node::Binary(Op::Ult, x, y) => self.infix(f, x, ">=", y, depth),
            Node::Binary(Op::Slt, x, y) => self.infix(f, x, ">=s", y, depth),
            _ => {
                f.write_str(if self.terms.width(a) == 1 { "!" } else { "~" })?;
                self.write(f, a, depth)
            }
        }
    }

    fn infix(
        &self,
        f: &mut fmt::Formatter<'_>,
        a: Term,
        sign: &str,
        b: Term,
        depth: usize,
    ) -> fmt::Result {
        f.write_str("(")?;
        self.write(f, a, depth)?;
        write!(f, " {sign} ")?;
        self.write(f, b, depth)?;
        f.write_str(")")
    }

    fn extended(
        &self,
        f: &mut fmt::Formatter<'_>,
        how: &str,
        a: Term,
        whole: Term,
        depth: usize,
    ) -> fmt::Result {
        write!(f, "{how}(")?;
        self.write(f, a, depth)?;
        write!(f, ", {})", self.terms.width(whole))
    }
}
