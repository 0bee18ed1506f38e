//! The words of a program: equal ones are one, and what is known of them is computed.

use craig_word::{Op, binary, from_signed, mask, to_signed};

use super::{Expr, ExprNode, Program};

impl Program {
    /// The operation of a word.
    pub fn node(&self, expr: Expr) -> ExprNode {
        self.exprs[expr.0 as usize].0
    }

    /// The width of a word in bits.
    pub fn width(&self, expr: Expr) -> u32 {
        u32::from(self.exprs[expr.0 as usize].1)
    }

    /// The value of a word that is a number.
    pub fn constant_value(&self, expr: Expr) -> Option<u128> {
        match self.node(expr) {
            ExprNode::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The word of an operation.
    pub fn make(&mut self, node: ExprNode, width: u32) -> Expr {
        let key = (node, width as u8);
        if let Some(&expr) = self.table.get(&key) {
            return expr;
        }
        let expr = Expr(self.exprs.len() as u32);
        self.exprs.push(key);
        self.table.insert(key, expr);
        expr
    }

    /// A number as a word.
    pub fn constant(&mut self, value: u128, width: u32) -> Expr {
        self.make(ExprNode::Const(value & mask(width)), width)
    }

    /// The complement of a word.
    pub fn not(&mut self, a: Expr) -> Expr {
        let width = self.width(a);
        match self.node(a) {
            ExprNode::Const(value) => self.constant(!value, width),
            ExprNode::Not(inner) => inner,
            _ => self.make(ExprNode::Not(a), width),
        }
    }

    /// An operation on two words, simplified where one is a number.
    pub fn binary(&mut self, op: Op, a: Expr, b: Expr) -> Expr {
        let operand_width = self.width(a);
        debug_assert_eq!(operand_width, self.width(b), "{op:?}");
        let width = if matches!(op, Op::Eq | Op::Ult | Op::Slt) {
            1
        } else {
            operand_width
        };
        let (x, y) = (self.constant_value(a), self.constant_value(b));
        if let (Some(x), Some(y)) = (x, y) {
            return self.constant(binary(op, x, y, operand_width), width);
        }
        match (op, x, y) {
            (Op::Add | Op::Sub | Op::Xor, _, Some(0)) => a,
            (Op::Add | Op::Xor, Some(0), _) => b,
            (Op::Mul, _, Some(1)) => a,
            (Op::Mul, Some(1), _) => b,
            (Op::Add, _, Some(y)) => match self.node(a) {
                ExprNode::Binary(Op::Add, p, q) if self.constant_value(q).is_some() => {
                    let q = self.constant_value(q).unwrap_or(0);
                    let sum = self.constant(q.wrapping_add(y), width);
                    self.binary(Op::Add, p, sum)
                }
                _ => self.make(ExprNode::Binary(op, a, b), width),
            },
            // The truth value of a truth value.
            (Op::Eq, _, Some(0)) => match self.node(a) {
                ExprNode::ZExt(inner) if self.width(inner) == 1 => self.not(inner),
                _ => self.make(ExprNode::Binary(op, a, b), width),
            },
            _ => self.make(ExprNode::Binary(op, a, b), width),
        }
    }

    /// A pointer plus a distance in bytes.
    pub fn moved(&mut self, pointer: Expr, distance: Expr) -> Expr {
        debug_assert_eq!(self.width(pointer), self.width(distance));
        let is_known = |expr| self.constant_value(expr).is_some();
        if is_known(pointer) || is_known(distance) {
            return self.binary(Op::Add, pointer, distance);
        }
        self.make(ExprNode::Moved(pointer, distance), self.width(pointer))
    }

    /// The word `a` if `c` is 1, and else `b`.
    pub fn ite(&mut self, c: Expr, a: Expr, b: Expr) -> Expr {
        match self.constant_value(c) {
            Some(0) => b,
            Some(_) => a,
            None => self.make(ExprNode::Ite(c, a, b), self.width(a)),
        }
    }

    /// Bits of a word.
    pub fn extract(&mut self, a: Expr, low: u32, width: u32) -> Expr {
        if low == 0 && width == self.width(a) {
            return a;
        }
        match self.node(a) {
            ExprNode::Const(value) => self.constant(value >> low, width),
            _ => self.make(ExprNode::Extract(a, low), width),
        }
    }

    /// To a wider or narrower word.
    pub fn resize(&mut self, a: Expr, width: u32, signed: bool) -> Expr {
        let from = self.width(a);
        if width <= from {
            return self.extract(a, 0, width);
        }
        match self.node(a) {
            ExprNode::Const(value) if signed => {
                self.constant(from_signed(to_signed(value, from), width), width)
            }
            ExprNode::Const(value) => self.constant(value, width),
            _ if signed => self.make(ExprNode::SExt(a), width),
            _ => self.make(ExprNode::ZExt(a), width),
        }
    }

    /// The bits that one of two words of one width has at least.
    pub fn or(&mut self, a: Expr, b: Expr) -> Expr {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.binary(Op::And, a, b);
        self.not(neither)
    }

    /// One bit: whether the word is not 0.
    pub fn truth(&mut self, a: Expr) -> Expr {
        let width = self.width(a);
        if width == 1 {
            return a;
        }
        let zero = self.constant(0, width);
        let is_zero = self.binary(Op::Eq, a, zero);
        self.not(is_zero)
    }
}
