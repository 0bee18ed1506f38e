//! Operators on words of formulas, for the certifier.

use craig_certify::{Gate, Gates};

use crate::btor2::operator::Operator;

/// The bits of a value, lowest first; of an array, those of all words in order.
pub(super) type Bits = Vec<Gate>;

pub(super) fn extend(bits: &[Gate], width: usize, fill: Gate) -> Bits {
    let mut bits = bits.to_vec();
    bits.resize(width, fill);
    bits
}

pub(super) fn bitwise(x: Bits, y: &[Gate], mut of: impl FnMut(Gate, Gate) -> Gate) -> Bits {
    x.into_iter().zip(y).map(|(x, &y)| of(x, y)).collect()
}

pub(super) fn not(bits: Bits) -> Bits {
    bits.into_iter().map(|bit| bit ^ 1).collect()
}

/// The highest bit.
pub(super) fn sign(bits: &[Gate]) -> Gate {
    bits[bits.len() - 1]
}

pub(super) fn xor(gates: &mut Gates, x: Gate, y: Gate) -> Gate {
    gates.iff(x, y) ^ 1
}

pub(super) fn all(gates: &mut Gates, bits: Bits) -> Gate {
    bits.into_iter()
        .fold(Gates::TRUE, |all, bit| gates.and(all, bit))
}

/// Whether two values are equal.
pub(super) fn same_bits(gates: &mut Gates, x: &[Gate], y: &[Gate]) -> Gate {
    let mut equal = Gates::TRUE;
    for (&x, &y) in x.iter().zip(y) {
        let bit = gates.iff(x, y);
        equal = gates.and(equal, bit);
    }
    equal
}

/// A choice.
pub(super) fn choose(
    gates: &mut Gates,
    condition: Gate,
    then: &[Gate],
    otherwise: &[Gate],
) -> Bits {
    let pairs = then.iter().zip(otherwise);
    let bits = pairs.map(|(&then, &otherwise)| {
        if then == otherwise {
            return then;
        }
        let left = gates.and(condition, then);
        let right = gates.and(condition ^ 1, otherwise);
        gates.or(left, right)
    });
    bits.collect()
}

/// The sum; the carry out is dropped.
pub(super) fn add(gates: &mut Gates, x: &[Gate], y: &[Gate], mut carry: Gate) -> Bits {
    let mut sum = Vec::with_capacity(x.len());
    for (&x, &y) in x.iter().zip(y) {
        let half = xor(gates, x, y);
        sum.push(xor(gates, half, carry));
        let both = gates.and(x, y);
        let either = gates.or(x, y);
        let through = gates.and(either, carry);
        carry = gates.or(both, through);
    }
    sum
}

/// Unsigned comparison, from the lowest bit: the highest bit that differs decides.
pub(super) fn less(gates: &mut Gates, x: &[Gate], y: &[Gate]) -> Gate {
    let mut less = Gates::FALSE;
    for (&x, &y) in x.iter().zip(y) {
        let here = gates.and(x ^ 1, y);
        let equal = gates.iff(x, y);
        let below = gates.and(equal, less);
        less = gates.or(here, below);
    }
    less
}

/// Signed comparison: unsigned with the signs flipped.
pub(super) fn signed_less(gates: &mut Gates, mut x: Bits, mut y: Bits) -> Gate {
    for bits in [&mut x, &mut y] {
        if let Some(sign) = bits.last_mut() {
            *sign ^= 1;
        }
    }
    less(gates, &x, &y)
}

/// A shift towards the lowest bit.
pub(super) fn shift(gates: &mut Gates, mut x: Bits, amount: &[Gate], fill: Gate) -> Bits {
    let width = x.len();
    for (bit, &is_set) in amount.iter().enumerate() {
        let by = if bit < 31 { 1_usize << bit } else { width };
        let mut shifted: Bits = x.iter().skip(by).copied().collect();
        shifted.resize(width, fill);
        x = choose(gates, is_set, &shifted, &x);
    }
    x
}

pub(super) fn multiply(gates: &mut Gates, x: &[Gate], y: &[Gate]) -> Bits {
    let mut sum = vec![Gates::FALSE; x.len()];
    for (shift, &bit) in y.iter().enumerate() {
        let mut row = vec![Gates::FALSE; shift];
        row.extend(x[..x.len() - shift].iter().map(|&x| gates.and(x, bit)));
        sum = add(gates, &sum, &row, Gates::FALSE);
    }
    sum
}

/// Quotient and remainder. Without a divisor, each step subtracts nothing, and succeeds: all ones, and the
/// dividend.
pub(super) fn divide(gates: &mut Gates, x: &[Gate], y: &[Gate]) -> (Bits, Bits) {
    let width = x.len();
    // One more bit, for the remainder doubled.
    let divisor = extend(y, width + 1, Gates::FALSE);
    let negated = not(divisor.clone());
    let mut quotient = vec![Gates::FALSE; width];
    let mut remainder = vec![Gates::FALSE; width + 1];
    for at in (0..width).rev() {
        remainder.rotate_right(1);
        remainder[0] = x[at];
        let fits = less(gates, &remainder, &divisor) ^ 1;
        let difference = add(gates, &remainder, &negated, Gates::TRUE);
        remainder = choose(gates, fits, &difference, &remainder);
        quotient[at] = fits;
    }
    remainder.truncate(width);
    (quotient, remainder)
}

pub(super) fn negated_if(gates: &mut Gates, condition: Gate, x: &[Gate]) -> Bits {
    let zero = vec![Gates::FALSE; x.len()];
    let flipped = not(x.to_vec());
    let negated = add(gates, &zero, &flipped, Gates::TRUE);
    choose(gates, condition, &negated, x)
}

/// Signed division by that of the magnitudes.
pub(super) fn signed_division(
    gates: &mut Gates,
    operator: Operator,
    x: &[Gate],
    y: &[Gate],
) -> Bits {
    let (sign_x, sign_y) = (x[x.len() - 1], y[y.len() - 1]);
    let [a, b] = [(sign_x, x), (sign_y, y)].map(|(sign, word)| negated_if(gates, sign, word));
    let (quotient, remainder) = divide(gates, &a, &b);
    let differ = xor(gates, sign_x, sign_y);
    match operator {
        Operator::Sdiv => negated_if(gates, differ, &quotient),
        Operator::Srem => negated_if(gates, sign_x, &remainder),
        // The remainder moves to the side of the divisor, unless it is 0.
        _ => {
            let remainder = negated_if(gates, sign_x, &remainder);
            let is_zero = all(gates, not(remainder.clone()));
            let moves = gates.and(differ, is_zero ^ 1);
            let sum = add(gates, &remainder, y, Gates::FALSE);
            choose(gates, moves, &sum, &remainder)
        }
    }
}

/// The word rotated by an amount, a step for each bit of it. Bits are in the order of their weight: a rotation to the left in
/// terms of the word is one to the right in terms of the list.
pub(super) fn rotate(gates: &mut Gates, x: Bits, y: &[Gate], turn: fn(&mut [Gate], usize)) -> Bits {
    let mut word = x;
    let width = word.len();
    let mut by = 1 % width;
    for &bit in y {
        let mut turned = word.clone();
        turn(&mut turned, by);
        word = choose(gates, bit, &turned, &word);
        by = 2 * by % width;
    }
    word
}

/// Whether the exact result of an operator is not one of its width.
pub(super) fn overflows(gates: &mut Gates, operator: Operator, x: &[Gate], y: &[Gate]) -> Gate {
    use Operator as O;
    let is_signed = matches!(operator, O::Saddo | O::Ssubo | O::Smulo);
    let width = x.len();
    let wider = |bits: &[Gate]| {
        let fill = if is_signed { sign(bits) } else { Gates::FALSE };
        extend(bits, 2 * width + 1, fill)
    };
    let (a, b) = (wider(x), wider(y));
    let exact = match operator {
        O::Uaddo | O::Saddo => add(gates, &a, &b, Gates::FALSE),
        O::Usubo | O::Ssubo => add(gates, &a, &not(b), Gates::TRUE),
        _ => multiply(gates, &a, &b),
    };
    let low = exact[..width].to_vec();
    same_bits(gates, &wider(&low), &exact) ^ 1
}

/// The element of an array at an index; the highest bit of the index halves the array first.
pub(super) fn read(gates: &mut Gates, array: &[Gate], index: &[Gate], element: usize) -> Bits {
    let mut words: Vec<Bits> = array.chunks(element).map(<[Gate]>::to_vec).collect();
    for &bit in index.iter().rev() {
        let high = words.split_off(words.len() / 2);
        let pairs = words.iter().zip(&high);
        words = pairs
            .map(|(low, high)| choose(gates, bit, high, low))
            .collect();
    }
    words.swap_remove(0)
}

/// An array with a value at an index.
pub(super) fn write(
    gates: &mut Gates,
    array: &[Gate],
    index: &[Gate],
    value: &[Gate],
    element: usize,
) -> Bits {
    let mut words = Vec::with_capacity(array.len());
    for (number, word) in array.chunks(element).enumerate() {
        let here = index.iter().enumerate();
        let here = here.map(|(bit, &gate)| gate ^ Gate::from(number >> bit & 1 == 0));
        let here = all(gates, here.collect());
        words.extend(choose(gates, here, value, word));
    }
    words
}
