//! Building terms: each constructor returns the simplest term it knows that has the wanted meaning.

use super::evaluate::{binary, from_signed, mask, to_signed};
use super::term::{Node, Op, Term, Terms};

/// How deep comparisons and extractions are pushed into a chain of choices between constants.
pub(super) const CHAIN_DEPTH: usize = 48;

/// Nor is a chain followed further than this when its end is compared with a constant.
const MAX_CHAIN: usize = 4096;

impl Terms {
    /// Bitwise negation.
    pub fn not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        match self.node(a) {
            Node::Const(value) => self.constant(!value, width),
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(a), width),
        }
    }

    /// Whether one term is the negation of the other.
    fn are_opposite(&self, a: Term, b: Term) -> bool {
        self.node(a) == Node::Not(b) || self.node(b) == Node::Not(a)
    }

    /// Bitwise conjunction.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b));
        let (a, b) = self.constant_last(a, b);
        if a == b {
            return a;
        }
        match (self.constant_value(a), self.constant_value(b)) {
            (Some(x), Some(y)) => return self.constant(x & y, width),
            (_, Some(0)) => return b,
            (_, Some(y)) if y == mask(width) => return a,
            (_, Some(y)) if width > 1 && y & (y + 1) == 0 => {
                // A mask of low bits.
                let low = self.extract(a, 0, y.count_ones());
                return self.zext(low, width);
            }
            _ => {}
        }
        if self.are_opposite(a, b) {
            return self.constant(0, width);
        }
        if let Node::Binary(Op::And, x, y) = self.node(b) {
            if a == x || a == y {
                return b;
            }
            if self.are_opposite(a, x) || self.are_opposite(a, y) {
                return self.constant(0, width);
            }
        }
        if let Node::Binary(Op::And, x, y) = self.node(a) {
            if b == x || b == y {
                return a;
            }
            if self.are_opposite(b, x) || self.are_opposite(b, y) {
                return self.constant(0, width);
            }
        }
        // a & !(x & y): a = x gives a & !y; a = !x gives a.
        for (p, q) in [(a, b), (b, a)] {
            if let Node::Not(inner) = self.node(q)
                && let Node::Binary(Op::And, x, y) = self.node(inner)
            {
                if self.are_opposite(p, x) || self.are_opposite(p, y) {
                    return p;
                }
                if p == x || p == y {
                    let other = if p == x { y } else { x };
                    let negated = self.not(other);
                    return self.and(p, negated);
                }
            }
        }
        // !(x & y) & !(x & !y) = !x.
        if let (Node::Not(left), Node::Not(right)) = (self.node(a), self.node(b))
            && let (Node::Binary(Op::And, x, y), Node::Binary(Op::And, v, w)) =
                (self.node(left), self.node(right))
        {
            for (p, q, r, s) in [(x, y, v, w), (x, y, w, v), (y, x, v, w), (y, x, w, v)] {
                if p == r && self.are_opposite(q, s) {
                    return self.not(p);
                }
            }
        }
        self.intern(Node::Binary(Op::And, a, b), width)
    }

    /// Bitwise disjunction.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// Bitwise exclusive or.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b));
        let (a, b) = self.constant_last(a, b);
        if a == b {
            return self.constant(0, width);
        }
        match (self.constant_value(a), self.constant_value(b)) {
            (Some(x), Some(y)) => return self.constant(x ^ y, width),
            (_, Some(0)) => return a,
            (_, Some(y)) if y == mask(width) => return self.not(a),
            _ => {}
        }
        self.intern(Node::Binary(Op::Xor, a, b), width)
    }

    /// The operands in a canonical order, a constant last.
    fn constant_last(&self, a: Term, b: Term) -> (Term, Term) {
        let first_constant = self.constant_value(a).is_some();
        let second_constant = self.constant_value(b).is_some();
        if first_constant != second_constant {
            if first_constant { (b, a) } else { (a, b) }
        } else if a <= b {
            (a, b)
        } else {
            (b, a)
        }
    }

    /// The number of low bits that are constant 0, as far as the term's head tells.
    fn low_zeros(&self, a: Term) -> u32 {
        match self.node(a) {
            Node::Const(0) => self.width(a),
            Node::Const(value) => value.trailing_zeros(),
            Node::Concat(_, low) if self.is_zero(low) => self.width(low),
            _ => 0,
        }
    }

    /// Sum modulo 2^width.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b));
        if width == 1 {
            return self.xor(a, b);
        }
        let (a, b) = self.constant_last(a, b);
        match (self.constant_value(a), self.constant_value(b)) {
            (Some(x), Some(y)) => return self.constant(x.wrapping_add(y), width),
            (_, Some(0)) => return a,
            (None, Some(y)) => {
                if let Node::Binary(Op::Add, x, c) = self.node(a)
                    && let Some(c) = self.constant_value(c)
                {
                    let sum = self.constant(c.wrapping_add(y), width);
                    return self.add(x, sum);
                }
                // Chains of choices between constants (pointers, mostly) stay such chains.
                if let Node::Ite(c, x, z) = self.node(a)
                    && self.constant_value(x).is_some()
                    && self.constant_value(z).is_some()
                {
                    let (x, z) = (self.add(x, b), self.add(z, b));
                    return self.ite(c, x, z);
                }
            }
            _ => {}
        }
        // (x + c) + y = (x + y) + c, so that constants gather on top.
        for (p, q) in [(a, b), (b, a)] {
            if let Node::Binary(Op::Add, x, c) = self.node(p)
                && self.constant_value(c).is_some()
                && self.constant_value(q).is_none()
            {
                let sum = self.add(x, q);
                return self.add(sum, c);
            }
        }
        // No carry comes out of low bits that are 0 in one operand.
        for (p, q) in [(a, b), (b, a)] {
            let zeros = self.low_zeros(p);
            if zeros > 0
                && zeros < width
                && self.constant_value(p).is_none()
                && match self.constant_value(q) {
                    // Only small ones: large constants are addresses, which stay whole.
                    Some(y) => y < 4096 || y > mask(width) - 4096,
                    None => self.low_zeros(q) > 0,
                }
            {
                let (high_p, high_q) = (
                    self.extract(p, zeros, width - zeros),
                    self.extract(q, zeros, width - zeros),
                );
                let low = self.extract(q, 0, zeros);
                let high = self.add(high_p, high_q);
                return self.concat(high, low);
            }
        }
        self.intern(Node::Binary(Op::Add, a, b), width)
    }

    /// Difference modulo 2^width.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if width == 1 {
            return self.xor(a, b);
        }
        if a == b {
            return self.constant(0, width);
        }
        if let Some(y) = self.constant_value(b) {
            let negated = self.constant(y.wrapping_neg(), width);
            return self.add(a, negated);
        }
        // (x + y) - y = x, and constants gather on top.
        if let Node::Binary(Op::Add, x, y) = self.node(a) {
            if x == b {
                return y;
            }
            if y == b {
                return x;
            }
            if self.constant_value(y).is_some() {
                let difference = self.sub(x, b);
                return self.add(difference, y);
            }
        }
        if let Node::Binary(Op::Add, x, y) = self.node(b)
            && let Some(y) = self.constant_value(y)
        {
            let difference = self.sub(a, x);
            let negated = self.constant(y.wrapping_neg(), width);
            return self.add(difference, negated);
        }
        self.intern(Node::Binary(Op::Sub, a, b), width)
    }

    /// The negative in two's complement.
    pub fn neg(&mut self, a: Term) -> Term {
        let zero = self.constant(0, self.width(a));
        if let Node::Binary(Op::Sub, x, y) = self.node(a)
            && self.is_zero(x)
        {
            return y;
        }
        self.sub(zero, a)
    }

    /// Product modulo 2^width.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if width == 1 {
            return self.and(a, b);
        }
        let (a, b) = self.constant_last(a, b);
        match (self.constant_value(a), self.constant_value(b)) {
            (Some(x), Some(y)) => return self.constant(x.wrapping_mul(y), width),
            (_, Some(0)) => return b,
            (_, Some(1)) => return a,
            (_, Some(y)) if y == mask(width) => return self.neg(a),
            (_, Some(y)) if y.is_power_of_two() => {
                let amount = self.constant(u128::from(y.trailing_zeros()), width);
                return self.shl(a, amount);
            }
            (None, Some(y)) => {
                if let Node::Binary(Op::Add, x, c) = self.node(a)
                    && let Some(c) = self.constant_value(c)
                {
                    let product = self.mul(x, b);
                    let c = self.constant(c.wrapping_mul(y), width);
                    return self.add(product, c);
                }
            }
            _ => {}
        }
        self.intern(Node::Binary(Op::Mul, a, b), width)
    }

    /// A binary operator that has few simplifications.
    fn plain(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b));
        if let (Some(x), Some(y)) = (self.constant_value(a), self.constant_value(b)) {
            return self.constant(binary(op, x, y, width), width);
        }
        self.intern(Node::Binary(op, a, b), width)
    }

    /// Unsigned quotient.
    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        match self.constant_value(b) {
            Some(1) => a,
            Some(y) if y.is_power_of_two() => {
                let amount = self.constant(u128::from(y.trailing_zeros()), self.width(a));
                self.lshr(a, amount)
            }
            _ => self.plain(Op::UDiv, a, b),
        }
    }

    /// Unsigned remainder.
    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match self.constant_value(b) {
            Some(y) if y.is_power_of_two() => {
                let low = self.constant(y - 1, width);
                self.and(a, low)
            }
            _ => self.plain(Op::URem, a, b),
        }
    }

    /// Signed quotient.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        if self.constant_value(b) == Some(1) && self.width(a) > 1 {
            return a;
        }
        self.plain(Op::SDiv, a, b)
    }

    /// Signed remainder.
    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        self.plain(Op::SRem, a, b)
    }

    /// Shift to the left. The amount has the width of the operand.
    pub fn shl(&mut self, a: Term, amount: Term) -> Term {
        let width = self.width(a);
        match self.constant_value(amount) {
            Some(0) => a,
            Some(by) if by >= u128::from(width) => self.constant(0, width),
            Some(by) => {
                let by = by as u32;
                let high = self.extract(a, 0, width - by);
                let low = self.constant(0, by);
                self.concat(high, low)
            }
            None => self.plain(Op::Shl, a, amount),
        }
    }

    /// Shift to the right, filling with 0.
    pub fn lshr(&mut self, a: Term, amount: Term) -> Term {
        let width = self.width(a);
        match self.constant_value(amount) {
            Some(0) => a,
            Some(by) if by >= u128::from(width) => self.constant(0, width),
            Some(by) => {
                let by = by as u32;
                let high = self.extract(a, by, width - by);
                self.zext(high, width)
            }
            None => self.plain(Op::LShr, a, amount),
        }
    }

    /// Shift to the right, filling with the sign.
    pub fn ashr(&mut self, a: Term, amount: Term) -> Term {
        let width = self.width(a);
        match self.constant_value(amount) {
            Some(0) => a,
            Some(by) => {
                let by = by.min(u128::from(width - 1)) as u32;
                let high = self.extract(a, by, width - by);
                self.sext(high, width)
            }
            None => self.plain(Op::AShr, a, amount),
        }
    }

    /// Equality.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.eq_to_depth(a, b, CHAIN_DEPTH)
    }

    fn eq_to_depth(&mut self, a: Term, b: Term, depth: usize) -> Term {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b));
        if a == b {
            return self.boolean(true);
        }
        if width == 1 {
            let different = self.xor(a, b);
            return self.not(different);
        }
        let (a, b) = self.constant_last(a, b);
        let Some(value) = self.constant_value(b) else {
            if self.are_opposite(a, b) {
                return self.boolean(false);
            }
            // x + c = x + d, x + c = x.
            let (x, c) = self.split_constant(a);
            let (y, d) = self.split_constant(b);
            if x == y {
                return self.boolean(c == d);
            }
            if c != 0 && c == d {
                return self.eq_to_depth(x, y, depth);
            }
            return self.intern(Node::Binary(Op::Eq, a, b), 1);
        };
        match self.node(a) {
            Node::Const(other) => self.boolean(value == other),
            Node::Not(x) => {
                let k = self.constant(!value, width);
                self.eq_to_depth(x, k, depth)
            }
            Node::ZExt(x) => {
                let inner = self.width(x);
                if value > mask(inner) {
                    return self.boolean(false);
                }
                let k = self.constant(value, inner);
                self.eq_to_depth(x, k, depth)
            }
            Node::SExt(x) => {
                let inner = self.width(x);
                if from_signed(to_signed(value & mask(inner), inner), width) != value {
                    return self.boolean(false);
                }
                let k = self.constant(value, inner);
                self.eq_to_depth(x, k, depth)
            }
            Node::Concat(high, low) => {
                let shift = self.width(low);
                let high_value = self.constant(value >> shift, width - shift);
                let low_value = self.constant(value, shift);
                let high = self.eq_to_depth(high, high_value, depth);
                let low = self.eq_to_depth(low, low_value, depth);
                self.and(high, low)
            }
            Node::Binary(Op::Add, x, c) if self.constant_value(c).is_some() => {
                let c = self.constant_value(c).unwrap_or(0);
                let k = self.constant(value.wrapping_sub(c), width);
                self.eq_to_depth(x, k, depth)
            }
            Node::Binary(Op::Sub, x, y) if value == 0 => self.eq_to_depth(x, y, depth),
            Node::Binary(Op::Xor, x, y) if value == 0 => self.eq_to_depth(x, y, depth),
            Node::Ite(_, x, y)
                if depth > 0
                    && (self.constant_value(x).is_some() || self.constant_value(y).is_some()) =>
            {
                self.eq_along_chain(a, value, depth)
            }
            _ => self.intern(Node::Binary(Op::Eq, a, b), 1),
        }
    }

    /// Whether a chain of choices, each of them between a constant and the rest of the chain, yields a constant. Such
    /// chains can be long (results of recursive functions, with a constant added on each level).
    fn eq_along_chain(&mut self, a: Term, value: u128, depth: usize) -> Term {
        let width = self.width(a);
        let (mut at, mut value) = (a, value);
        // The conditions, whether the constant is chosen where they hold, and whether it is the right one.
        let mut turns: Vec<(Term, bool, bool)> = Vec::new();
        while turns.len() < MAX_CHAIN {
            match self.node(at) {
                Node::Binary(Op::Add, x, c) if self.constant_value(c).is_some() => {
                    let c = self.constant_value(c).unwrap_or(0);
                    value = value.wrapping_sub(c) & mask(width);
                    at = x;
                }
                Node::Ite(c, x, y) => match (self.constant_value(x), self.constant_value(y)) {
                    (Some(k), _) => {
                        turns.push((c, true, k == value));
                        at = y;
                    }
                    (None, Some(k)) => {
                        turns.push((c, false, k == value));
                        at = x;
                    }
                    (None, None) => break,
                },
                _ => break,
            }
        }
        let last = self.constant(value, width);
        let mut equal = match self.node(at) {
            Node::Ite(..) => self.intern(Node::Binary(Op::Eq, at, last), 1),
            _ => self.eq_to_depth(at, last, depth - 1),
        };
        for (condition, is_then, is_right) in turns.into_iter().rev() {
            let constant = self.boolean(is_right);
            equal = match is_then {
                true => self.ite(condition, constant, equal),
                false => self.ite(condition, equal, constant),
            };
        }
        equal
    }

    /// A term as another one plus a constant.
    fn split_constant(&self, a: Term) -> (Term, u128) {
        if let Node::Binary(Op::Add, x, c) = self.node(a)
            && let Some(c) = self.constant_value(c)
        {
            return (x, c);
        }
        (a, 0)
    }

    /// Unsigned less-than.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if a == b {
            return self.boolean(false);
        }
        match (self.constant_value(a), self.constant_value(b)) {
            (Some(x), Some(y)) => return self.boolean(x < y),
            (_, Some(0)) => return self.boolean(false),
            (_, Some(1)) => {
                let zero = self.constant(0, width);
                return self.eq(a, zero);
            }
            (Some(x), _) if x == mask(width) => return self.boolean(false),
            (Some(0), _) => {
                let zero = self.constant(0, width);
                let equal = self.eq(b, zero);
                return self.not(equal);
            }
            _ => {}
        }
        match (self.node(a), self.node(b)) {
            (Node::ZExt(x), Node::ZExt(y)) if self.width(x) == self.width(y) => {
                return self.ult(x, y);
            }
            (Node::ZExt(x), Node::Const(value)) => {
                let inner = self.width(x);
                if value > mask(inner) {
                    return self.boolean(true);
                }
                let k = self.constant(value, inner);
                return self.ult(x, k);
            }
            (Node::Const(value), Node::ZExt(y)) => {
                let inner = self.width(y);
                if value >= mask(inner) {
                    return self.boolean(false);
                }
                let k = self.constant(value, inner);
                return self.ult(k, y);
            }
            (Node::Concat(high, low), Node::Const(value))
                if self.is_zero(low) && value.trailing_zeros() >= self.width(low) =>
            {
                let k = self.constant(value >> self.width(low), self.width(high));
                return self.ult(high, k);
            }
            (Node::Ite(c, x, y), Node::Const(_))
                if self.constant_value(x).is_some() && self.constant_value(y).is_some() =>
            {
                let (x, y) = (self.ult(x, b), self.ult(y, b));
                return self.ite(c, x, y);
            }
            _ => {}
        }
        self.intern(Node::Binary(Op::Ult, a, b), 1)
    }

    /// Unsigned less-or-equal.
    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    /// Signed less-than.
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if a == b {
            return self.boolean(false);
        }
        let smallest = 1u128 << (width - 1);
        match (self.constant_value(a), self.constant_value(b)) {
            (Some(x), Some(y)) => {
                return self.boolean(to_signed(x, width) < to_signed(y, width));
            }
            (_, Some(0)) => return self.extract(a, width - 1, 1),
            (_, Some(y)) if y == smallest => return self.boolean(false),
            (Some(x), _) if x == smallest - 1 => return self.boolean(false),
            _ => {}
        }
        let not_negative = |terms: &Self, term: Term| match terms.node(term) {
            Node::Const(value) => value < smallest,
            Node::ZExt(_) => true,
            _ => false,
        };
        if not_negative(self, a) && not_negative(self, b) {
            return self.ult(a, b);
        }
        match (self.node(a), self.node(b)) {
            (Node::SExt(x), Node::SExt(y)) if self.width(x) == self.width(y) => {
                return self.slt(x, y);
            }
            (Node::Ite(c, x, y), Node::Const(_))
                if self.constant_value(x).is_some() && self.constant_value(y).is_some() =>
            {
                let (x, y) = (self.slt(x, b), self.slt(y, b));
                return self.ite(c, x, y);
            }
            _ => {}
        }
        self.intern(Node::Binary(Op::Slt, a, b), 1)
    }

    /// Signed less-or-equal.
    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    /// A binary operator by name.
    pub fn binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        match op {
            Op::And => self.and(a, b),
            Op::Xor => self.xor(a, b),
            Op::Add => self.add(a, b),
            Op::Sub => self.sub(a, b),
            Op::Mul => self.mul(a, b),
            Op::UDiv => self.udiv(a, b),
            Op::URem => self.urem(a, b),
            Op::SDiv => self.sdiv(a, b),
            Op::SRem => self.srem(a, b),
            Op::Shl => self.shl(a, b),
            Op::LShr => self.lshr(a, b),
            Op::AShr => self.ashr(a, b),
            Op::Eq => self.eq(a, b),
            Op::Ult => self.ult(a, b),
            Op::Slt => self.slt(a, b),
        }
    }
}
