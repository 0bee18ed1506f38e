//! The arena of terms.

use std::collections::HashMap;

use super::evaluate::mask;

/// The widest term there is.
pub const MAX_WIDTH: u32 = 128;

/// A term: an index into [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct Term(pub(super) u32);

impl Term {
    /// The term's number, to index tables by.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a term does with its operands. Operands of binary arithmetic have the width of the result;
/// comparisons have operands of one width and yield one bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Bitwise conjunction.
    And,
    /// Bitwise exclusive or.
    Xor,
    /// Sum modulo 2^width.
    Add,
    /// Difference modulo 2^width.
    Sub,
    /// Product modulo 2^width.
    Mul,
    /// Unsigned quotient; all ones where the divisor is 0.
    UDiv,
    /// Unsigned remainder; the dividend where the divisor is 0.
    URem,
    /// Signed quotient, rounded towards 0; 1 or -1 where the divisor is 0 (as the dividend is negative or not).
    SDiv,
    /// Signed remainder, with the sign of the dividend; the dividend where the divisor is 0.
    SRem,
    /// Shift to the left; 0 where the amount is at least the width.
    Shl,
    /// Shift to the right, filling with 0.
    LShr,
    /// Shift to the right, filling with the sign.
    AShr,
    /// Equality.
    Eq,
    /// Unsigned less-than.
    Ult,
    /// Signed less-than.
    Slt,
}

/// A term's head and operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant; the value has no bits beyond the width.
    Const(u128),
    /// A free variable, with its number.
    Var(u32),
    /// Bitwise negation.
    Not(Term),
    /// A binary operator.
    Binary(Op, Term, Term),
    /// The second operand where the first (of width 1) is true, else the third.
    Ite(Term, Term, Term),
    /// High part, low part.
    Concat(Term, Term),
    /// The bits from the given position upwards, as many as the width says.
    Extract(Term, u32),
    /// Zeros on top.
    ZExt(Term),
    /// Copies of the sign on top.
    SExt(Term),
}

/// A hash-consed arena of terms.
#[derive(Clone, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    widths: Vec<u8>,
    table: HashMap<(Node, u8), Term>,
    n_vars: u32,
}

impl Terms {
    /// The empty arena.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many terms there are.
    #[must_use]
    pub fn n_terms(&self) -> usize {
        self.nodes.len()
    }

    /// How many variables there are.
    #[must_use]
    pub fn n_vars(&self) -> usize {
        self.n_vars as usize
    }

    /// The head of a term.
    #[inline]
    #[must_use]
    pub fn node(&self, term: Term) -> Node {
        self.nodes[term.index()]
    }

    /// The width of a term, in bits.
    #[inline]
    #[must_use]
    pub fn width(&self, term: Term) -> u32 {
        u32::from(self.widths[term.index()])
    }

    /// The value of a constant.
    #[inline]
    #[must_use]
    pub fn constant_value(&self, term: Term) -> Option<u128> {
        match self.node(term) {
            Node::Const(value) => Some(value),
            _ => None,
        }
    }

    /// A constant; bits beyond the width are dropped.
    pub fn constant(&mut self, value: u128, width: u32) -> Term {
        self.intern(Node::Const(value & mask(width)), width)
    }

    /// A truth value.
    pub fn boolean(&mut self, value: bool) -> Term {
        self.constant(u128::from(value), 1)
    }

    /// A fresh variable.
    pub fn variable(&mut self, width: u32) -> Term {
        let number = self.n_vars;
        self.n_vars += 1;
        self.intern(Node::Var(number), width)
    }

    /// Whether the term is the constant true.
    #[must_use]
    pub fn is_true(&self, term: Term) -> bool {
        self.node(term) == Node::Const(1) && self.width(term) == 1
    }

    /// Whether the term is the constant 0.
    #[must_use]
    pub fn is_zero(&self, term: Term) -> bool {
        self.node(term) == Node::Const(0)
    }

    pub(super) fn intern(&mut self, node: Node, width: u32) -> Term {
        assert!(
            (1..=MAX_WIDTH).contains(&width),
            "a term has 1 to {MAX_WIDTH} bits, not {width}"
        );
        let key = (node, width as u8);
        if let Some(&term) = self.table.get(&key) {
            return term;
        }
        let term = Term(u32::try_from(self.nodes.len()).expect("at most 2^32 terms"));
        self.nodes.push(node);
        self.widths.push(width as u8);
        self.table.insert(key, term);
        term
    }

    /// Calls `visit` for every operand of a term.
    pub fn operands(&self, term: Term, mut visit: impl FnMut(Term)) {
        match self.node(term) {
            Node::Const(_) | Node::Var(_) => {}
            Node::Not(a) | Node::Extract(a, _) | Node::ZExt(a) | Node::SExt(a) => visit(a),
            Node::Binary(_, a, b) | Node::Concat(a, b) => {
                visit(a);
                visit(b);
            }
            Node::Ite(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
        }
    }

    /// The terms that the roots are built from, operands first, the roots included. Those that `known`
    /// holds for are left out, and what only they use.
    #[must_use]
    pub fn cone(&self, roots: &[Term], mut known: impl FnMut(Term) -> bool) -> Vec<Term> {
        let mut seen = std::collections::HashSet::new();
        let mut stack = roots.to_vec();
        let mut cone = Vec::new();
        while let Some(term) = stack.pop() {
            if known(term) || !seen.insert(term) {
                continue;
            }
            cone.push(term);
            self.operands(term, |operand| stack.push(operand));
        }
        cone.sort_unstable();
        cone
    }
}
