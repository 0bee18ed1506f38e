//! From terms to and-inverter graphs, bit by bit, lowest bit first.

use std::collections::HashMap;
use std::fmt;

use craig_aig::{Aig, Edge};

use super::op::Op;
use super::term::{Node, Term, Terms};

/// The error that a term contains arrays, which have no bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ArrayError {
    /// The array, or the element of one.
    pub term: Term,
}

impl fmt::Display for ArrayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.term.index();
        write!(
            f,
            "arrays have to be eliminated before terms are blasted (term {number})"
        )
    }
}

impl std::error::Error for ArrayError {}

/// Bit-blasts terms into one graph, and keeps the edges of each.
#[derive(Clone, Default)]
pub struct Blaster {
    /// Where a term's bits start in `bits`.
    start: HashMap<Term, u32>,
    bits: Vec<Edge>,
    /// Quotient and remainder, built together.
    divisions: HashMap<(Term, Term), (Vec<Edge>, Vec<Edge>)>,
}

impl Blaster {
    /// A blaster without terms.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the edges of a term, usually a variable.
    ///
    /// # Panics
    /// In debug builds, if the term has been blasted before.
    pub fn set(&mut self, term: Term, edges: &[Edge]) {
        debug_assert!(!self.start.contains_key(&term));
        self.start.insert(term, self.bits.len() as u32);
        self.bits.extend_from_slice(edges);
    }

    /// The edges of a term that has been blasted or set.
    #[must_use]
    pub fn get(&self, terms: &Terms, term: Term) -> Option<&[Edge]> {
        let start = *self.start.get(&term)? as usize;
        Some(&self.bits[start..start + terms.width(term) as usize])
    }

    /// The edges of a term, lowest bit first. `variable` returns the edges of a variable at its first
    /// occurrence.
    ///
    /// # Panics
    /// If the term is built from arrays: see [`Blaster::try_blast`].
    pub fn blast(
        &mut self,
        terms: &Terms,
        aig: &mut Aig,
        root: Term,
        variable: &mut dyn FnMut(&mut Aig, Term) -> Vec<Edge>,
    ) -> Vec<Edge> {
        match self.try_blast(terms, aig, root, variable) {
            Ok(edges) => edges,
            Err(error) => panic!("{error}"),
        }
    }

    /// The edges of a term, lowest bit first, as in [`Blaster::blast`].
    ///
    /// # Errors
    /// If the term contains arrays, which have to be eliminated before. Terms that were blasted before the
    /// error keep their edges.
    pub fn try_blast(
        &mut self,
        terms: &Terms,
        aig: &mut Aig,
        root: Term,
        variable: &mut dyn FnMut(&mut Aig, Term) -> Vec<Edge>,
    ) -> Result<Vec<Edge>, ArrayError> {
        for term in terms.cone(&[root], |term| self.start.contains_key(&term)) {
            if terms.is_array(term) {
                return Err(ArrayError { term });
            }
            let width = terms.width(term) as usize;
            let edges = match terms.node(term) {
                Node::Const(value) => (0..width)
                    .map(|i| Edge::from(value >> i & 1 == 1))
                    .collect(),
                Node::Wide(_) => {
                    let value = terms.constant_bits(term);
                    let bit = |index| value.as_ref().is_some_and(|value| value.bit(index));
                    (0..width as u32)
                        .map(|index| Edge::from(bit(index)))
                        .collect()
                }
                Node::Var(_) => variable(aig, term),
                Node::Not(a) => self.of(terms, a).iter().map(|&edge| !edge).collect(),
                Node::Binary(op, a, b) => self.binary(terms, aig, op, a, b),
                Node::Ite(c, a, b) => {
                    let c = self.of(terms, c)[0];
                    mux(aig, c, self.of(terms, a), self.of(terms, b))
                }
                Node::Concat(high, low) => {
                    let mut edges = self.of(terms, low).to_vec();
                    edges.extend_from_slice(self.of(terms, high));
                    edges
                }
                Node::Extract(a, low) => {
                    self.of(terms, a)[low as usize..low as usize + width].to_vec()
                }
                Node::ZExt(a) => {
                    let mut edges = self.of(terms, a).to_vec();
                    edges.resize(width, Edge::FALSE);
                    edges
                }
                Node::SExt(a) => {
                    let mut edges = self.of(terms, a).to_vec();
                    let sign = edges[edges.len() - 1];
                    edges.resize(width, sign);
                    edges
                }
                Node::Select(..) | Node::Store(..) | Node::ConstArray(_) => {
                    return Err(ArrayError { term });
                }
            };
            debug_assert_eq!(edges.len(), width);
            self.set(term, &edges);
        }
        Ok(self.of(terms, root).to_vec())
    }

    fn of(&self, terms: &Terms, term: Term) -> &[Edge] {
        let start = self.start[&term] as usize;
        &self.bits[start..start + terms.width(term) as usize]
    }

    fn binary(&mut self, terms: &Terms, aig: &mut Aig, op: Op, a: Term, b: Term) -> Vec<Edge> {
        let (x, y) = (self.of(terms, a), self.of(terms, b));
        match op {
            Op::And => x.iter().zip(y).map(|(&p, &q)| aig.and(p, q)).collect(),
            Op::Xor => x.iter().zip(y).map(|(&p, &q)| aig.xor(p, q)).collect(),
            Op::Add => add(aig, x, y, Edge::FALSE).0,
            Op::Sub => subtract(aig, x, y).0,
            Op::Mul => multiply(aig, x, y),
            Op::Eq => vec![equal(aig, x, y)],
            Op::Ult => vec![!subtract(aig, x, y).1],
            Op::Slt => {
                let (mut x, mut y) = (x.to_vec(), y.to_vec());
                for bits in [&mut x, &mut y] {
                    let top = bits.len() - 1;
                    bits[top] = !bits[top];
                }
                vec![!subtract(aig, &x, &y).1]
            }
            Op::Shl => {
                let reversed: Vec<Edge> = x.iter().rev().copied().collect();
                let mut shifted = shift_right(aig, &reversed, y, Edge::FALSE);
                shifted.reverse();
                shifted
            }
            Op::LShr => shift_right(aig, x, y, Edge::FALSE),
            Op::AShr => shift_right(aig, x, y, x[x.len() - 1]),
            Op::UDiv | Op::URem => {
                let (x, y) = (x.to_vec(), y.to_vec());
                let (quotient, remainder) = self
                    .divisions
                    .entry((a, b))
                    .or_insert_with(|| divide(aig, &x, &y));
                if op == Op::UDiv {
                    quotient.clone()
                } else {
                    remainder.clone()
                }
            }
            Op::SDiv | Op::SRem => {
                if let Some(k) = power_of_two(y).filter(|k| k + 1 < y.len()) {
                    let (quotient, remainder) = divide_by_power(aig, x, k);
                    return if op == Op::SDiv { quotient } else { remainder };
                }
                let (x_sign, y_sign) = (x[x.len() - 1], y[y.len() - 1]);
                let x = negate_if(aig, x, x_sign);
                let y = negate_if(aig, y, y_sign);
                let (quotient, remainder) = divide(aig, &x, &y);
                if op == Op::SDiv {
                    let sign = aig.xor(x_sign, y_sign);
                    negate_if(aig, &quotient, sign)
                } else {
                    negate_if(aig, &remainder, x_sign)
                }
            }
        }
    }
}

fn mux(aig: &mut Aig, condition: Edge, x: &[Edge], y: &[Edge]) -> Vec<Edge> {
    x.iter()
        .zip(y)
        .map(|(&p, &q)| aig.ite(condition, p, q))
        .collect()
}

/// Sum and carry, by a ripple-carry adder: the encoding with the fewest nodes.
fn add(aig: &mut Aig, x: &[Edge], y: &[Edge], mut carry: Edge) -> (Vec<Edge>, Edge) {
    let mut sum = Vec::with_capacity(x.len());
    for (&p, &q) in x.iter().zip(y) {
        let half = aig.xor(p, q);
        sum.push(aig.xor(half, carry));
        let both = aig.and(p, q);
        let through = aig.and(half, carry);
        carry = aig.or(both, through);
    }
    (sum, carry)
}

/// Difference, and whether `x >= y`.
fn subtract(aig: &mut Aig, x: &[Edge], y: &[Edge]) -> (Vec<Edge>, Edge) {
    let negated: Vec<Edge> = y.iter().map(|&edge| !edge).collect();
    add(aig, x, &negated, Edge::TRUE)
}

fn negate_if(aig: &mut Aig, x: &[Edge], condition: Edge) -> Vec<Edge> {
    let flipped: Vec<Edge> = x.iter().map(|&edge| aig.xor(edge, condition)).collect();
    let zeros = vec![Edge::FALSE; x.len()];
    add(aig, &flipped, &zeros, condition).0
}

fn equal(aig: &mut Aig, x: &[Edge], y: &[Edge]) -> Edge {
    let bits: Vec<Edge> = x.iter().zip(y).map(|(&p, &q)| aig.iff(p, q)).collect();
    aig.and_all(bits)
}

/// The product. If both operands are extensions of words whose product fits the width, and at least one is a
/// sign extension, it is the product of their absolute values with the sign restored: this has a quarter of
/// the rows, and propagation alone shows that a square is not negative.
fn multiply(aig: &mut Aig, x: &[Edge], y: &[Edge]) -> Vec<Edge> {
    let width = x.len();
    for (word, other) in [(x, y), (y, x)] {
        if let Some(digits) = constant_bits(other).and_then(|bits| signed_digits(&bits)) {
            return multiply_by(aig, word, &digits);
        }
    }
    let (n, m) = (significant_bits(x), significant_bits(y));
    let is_signed = |bits: &[Edge]| !matches!(bits.last(), Some(&(Edge::FALSE | Edge::TRUE)));
    let extends = |bits: &[Edge], significant: usize| significant < width && is_signed(bits);
    if n + m > width || !(extends(x, n) || extends(y, m)) {
        return multiply_unsigned(aig, x, y);
    }
    let (sign_x, sign_y) = (x[n - 1], y[m - 1]);
    let mut magnitude_x = negate_if(aig, &x[..n], sign_x);
    let mut magnitude_y = negate_if(aig, &y[..m], sign_y);
    magnitude_x.resize(n + m, Edge::FALSE);
    magnitude_y.resize(n + m, Edge::FALSE);
    let mut product = multiply_unsigned(aig, &magnitude_x, &magnitude_y);
    product.resize(width, Edge::FALSE);
    let sign = aig.xor(sign_x, sign_y);
    negate_if(aig, &product, sign)
}

/// The bits of a constant.
fn constant_bits(bits: &[Edge]) -> Option<Vec<bool>> {
    let value = |&edge: &Edge| match edge {
        Edge::FALSE => Some(false),
        Edge::TRUE => Some(true),
        _ => None,
    };
    bits.iter().map(value).collect()
}

/// Digits -1, 0 and 1 of a number modulo 2^width, lowest first, if fewer of them are not 0 than of its bits: 7 is 8 - 1,
/// and -2 has one. No two neighbours are both not 0.
///
/// Reitwiesner, *Binary arithmetic* (Advances in Computers 1, 1960): no digits have fewer that are not 0.
fn signed_digits(bits: &[bool]) -> Option<Vec<i8>> {
    let mut digits = Vec::with_capacity(bits.len());
    let mut carry = false;
    for (position, &bit) in bits.iter().enumerate() {
        let is_odd = bit != carry;
        // Behind the highest bit, either digit has the same value.
        let next = bits.get(position + 1).copied().unwrap_or(false);
        digits.push(match (is_odd, next) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => -1,
        });
        carry = match is_odd {
            false => bit && carry,
            true => next,
        };
    }
    let n_digits = digits.iter().filter(|&&digit| digit != 0).count();
    let n_ones = bits.iter().filter(|&&bit| bit).count();
    (n_digits < n_ones).then_some(digits)
}

/// A multiple by a constant: one row for each digit that is not 0.
fn multiply_by(aig: &mut Aig, x: &[Edge], digits: &[i8]) -> Vec<Edge> {
    let width = x.len();
    let mut product = vec![Edge::FALSE; width];
    // What is added comes first: the first row is not added to anything.
    for own in [1, -1] {
        for shift in (0..width).filter(|&shift| digits[shift] == own) {
            let (row, sum) = (&x[..width - shift], &product[shift..]);
            let (high, _) = match own {
                1 => add(aig, sum, row, Edge::FALSE),
                _ => subtract(aig, sum, row),
            };
            product[shift..].copy_from_slice(&high);
        }
    }
    product
}

/// The number of bits of a word without copies of its sign bit; at least one.
fn significant_bits(bits: &[Edge]) -> usize {
    let copies = bits
        .iter()
        .rev()
        .take_while(|&&bit| Some(&bit) == bits.last());
    bits.len() + 1 - copies.count().max(1)
}

/// Adds up shifted copies of `x`, one per bit of `y` that is not constant 0.
fn multiply_unsigned(aig: &mut Aig, x: &[Edge], y: &[Edge]) -> Vec<Edge> {
    let width = x.len();
    let zeros = |bits: &[Edge]| bits.iter().filter(|&&edge| edge == Edge::FALSE).count();
    // The operand with more zeros determines the rows.
    let (x, y) = if zeros(x) > zeros(y) { (y, x) } else { (x, y) };
    let mut sum = vec![Edge::FALSE; width];
    for (shift, &bit) in y.iter().enumerate() {
        if bit == Edge::FALSE {
            continue;
        }
        let row: Vec<Edge> = x[..width - shift]
            .iter()
            .map(|&edge| aig.and(edge, bit))
            .collect();
        let (high, _) = add(aig, &sum[shift..], &row, Edge::FALSE);
        sum[shift..].copy_from_slice(&high);
    }
    sum
}

/// Restoring division: quotient and remainder; all ones and the dividend where the divisor is 0.
///
/// Leading zeros that are known cost nothing: there is a step for each further bit of the dividend, and between
/// steps, the remainder is below the divisor and as short. Only a divisor of 0 may leave a longer one, which is the
/// dividend.
fn divide(aig: &mut Aig, x: &[Edge], y: &[Edge]) -> (Vec<Edge>, Vec<Edge>) {
    let width = x.len();
    let (x_bits, y_bits) = (without_leading_zeros(x), without_leading_zeros(y));
    let by_zero = aig.and_all(y_bits.iter().map(|&edge| !edge));
    let mut quotient = vec![by_zero; width];
    let mut remainder: Vec<Edge> = Vec::with_capacity(y_bits.len() + 1);
    for index in (0..x_bits.len()).rev() {
        // The remainder has at most as many bits as steps were made, so early steps are narrow.
        remainder.insert(0, x[index]);
        let n = remainder.len();
        let (low, high) = y_bits.split_at(n.min(y_bits.len()));
        let mut divisor = low.to_vec();
        divisor.resize(n, Edge::FALSE);
        let (difference, fits_low) = subtract(aig, &remainder, &divisor);
        let high_is_zero = aig.and_all(high.iter().map(|&edge| !edge));
        let fits = aig.and(fits_low, high_is_zero);
        quotient[index] = fits;
        remainder = mux(aig, fits, &difference, &remainder);
        remainder.truncate(y_bits.len());
    }
    // With a divisor of 0, the bits that were dropped are those of the dividend.
    for &bit in x_bits.iter().skip(y_bits.len()) {
        remainder.push(aig.and(by_zero, bit));
    }
    remainder.resize(width, Edge::FALSE);
    (quotient, remainder)
}

/// The logarithm of a constant power of two.
fn power_of_two(bits: &[Edge]) -> Option<usize> {
    let bits = constant_bits(bits)?;
    let n_ones = bits.iter().filter(|&&bit| bit).count();
    bits.iter().position(|&bit| bit).filter(|_| n_ones == 1)
}

/// Signed quotient and remainder for the divisor 2^k, which is positive: a shift rounds towards minus infinity, so negative
/// dividends are made larger by 2^k - 1 before it.
fn divide_by_power(aig: &mut Aig, x: &[Edge], k: usize) -> (Vec<Edge>, Vec<Edge>) {
    let width = x.len();
    let sign = x[width - 1];
    let mut bias = vec![sign; k];
    bias.resize(width, Edge::FALSE);
    let (sum, _) = add(aig, x, &bias, Edge::FALSE);
    let mut quotient = sum[k..].to_vec();
    quotient.resize(width, sum[width - 1]);
    // What the shift drops, without what was added.
    let mut dropped = sum[..k].to_vec();
    dropped.push(Edge::FALSE);
    let (mut remainder, _) = subtract(aig, &dropped, &bias[..=k]);
    remainder.resize(width, remainder[k]);
    (quotient, remainder)
}

/// A word without the high bits that are constant 0.
fn without_leading_zeros(bits: &[Edge]) -> &[Edge] {
    let zeros = bits.iter().rev().take_while(|&&bit| bit == Edge::FALSE);
    &bits[..bits.len() - zeros.count()]
}

/// Barrel shifter: one row of multiplexers per bit of the amount.
fn shift_right(aig: &mut Aig, x: &[Edge], amount: &[Edge], fill: Edge) -> Vec<Edge> {
    let width = x.len();
    let mut bits = x.to_vec();
    let mut too_far = Edge::FALSE;
    for (index, &by) in amount.iter().enumerate() {
        if index < 31 && 1usize << index < width {
            let distance = 1usize << index;
            bits = (0..width)
                .map(|i| aig.ite(by, bits.get(i + distance).copied().unwrap_or(fill), bits[i]))
                .collect();
        } else {
            too_far = aig.or(too_far, by);
        }
    }
    bits.iter()
        .map(|&edge| aig.ite(too_far, fill, edge))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All multiples by constants, against the machine's.
    #[test]
    fn multiples_by_constants_are_products() {
        let mut n_signed = 0;
        for width in 1..=6u32 {
            for factor in 0..1u64 << width {
                let bits: Vec<bool> = (0..width).map(|bit| factor >> bit & 1 == 1).collect();
                let Some(digits) = signed_digits(&bits) else {
                    continue;
                };
                n_signed += 1;
                let apart = |pair: &[i8]| pair[0] == 0 || pair[1] == 0;
                assert!(digits.windows(2).all(apart), "{digits:?}");
                let mut aig = Aig::new();
                let x: Vec<Edge> = (0..width).map(|_| aig.add_input()).collect();
                let product = multiply_by(&mut aig, &x, &digits);
                // One lane for each value.
                let lanes = |bit: u32| -> u64 {
                    (0..1u64 << width)
                        .map(|value| (value >> bit & 1) << value)
                        .sum()
                };
                let inputs: Vec<u64> = (0..width).map(lanes).collect();
                let nodes = aig.simulate(&inputs);
                for value in 0..1u64 << width {
                    let bit = |edge: &Edge| edge.word(&nodes) >> value & 1;
                    let found: u64 = (product.iter().zip(0..)).map(|(e, n)| bit(e) << n).sum();
                    assert_eq!(found, value * factor % (1 << width), "{value} * {factor}");
                }
            }
        }
        assert!(n_signed > 40, "{n_signed}");
    }
}
