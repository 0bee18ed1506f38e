//! What is true of operations whatever their operands are, and cheap to say in gates.

use craig_word::{Op, Term, Terms};

/// Low bits of a product that are computed exactly.
const LOW_BITS: u32 = 2;

/// The value of an operation where its operands determine it easily, and elsewhere that of an input.
pub(in crate::word_system) fn known_values(
    terms: &mut Terms,
    op: Op,
    operands: [Term; 2],
    input: Term,
) -> Term {
    let [a, b] = operands;
    let width = terms.width(input);
    let (zero, one) = (terms.constant(0, width), terms.constant(1, width));
    let ones = terms.not(zero);
    let is = |terms: &mut Terms, operand: Term, value: Term| terms.eq(operand, value);
    match op {
        Op::Mul => {
            let low = LOW_BITS.min(width - 1);
            let (low_a, low_b) = (terms.extract(a, 0, low), terms.extract(b, 0, low));
            let low_bits = terms.mul(low_a, low_b);
            let high_bits = terms.extract(input, low, width - low);
            let mut value = terms.concat(high_bits, low_bits);
            for (operand, other) in [(a, b), (b, a)] {
                let is_one = is(terms, operand, one);
                value = terms.ite(is_one, other, value);
                let is_zero = is(terms, operand, zero);
                value = terms.ite(is_zero, zero, value);
            }
            value
        }
        Op::UDiv | Op::URem => {
            let is_quotient = op == Op::UDiv;
            let is_less = terms.ult(a, b);
            let small = if is_quotient { zero } else { a };
            let mut value = terms.ite(is_less, small, input);
            let are_equal = terms.eq(a, b);
            let same = if is_quotient { one } else { zero };
            value = terms.ite(are_equal, same, value);
            let is_one = is(terms, b, one);
            let whole = if is_quotient { a } else { zero };
            value = terms.ite(is_one, whole, value);
            let is_zero = is(terms, b, zero);
            let undefined = if is_quotient { ones } else { a };
            terms.ite(is_zero, undefined, value)
        }
        Op::SDiv | Op::SRem => {
            let is_quotient = op == Op::SDiv;
            let no_dividend = is(terms, a, zero);
            let mut value = terms.ite(no_dividend, zero, input);
            let is_one = is(terms, b, one);
            let whole = if is_quotient { a } else { zero };
            value = terms.ite(is_one, whole, value);
            let is_zero = is(terms, b, zero);
            let undefined = match is_quotient {
                true => {
                    let is_negative = terms.slt(a, zero);
                    terms.ite(is_negative, one, ones)
                }
                false => a,
            };
            terms.ite(is_zero, undefined, value)
        }
        _ => input,
    }
}

/// Constraints on the value of an operation.
pub(in crate::word_system) fn ranges(
    terms: &mut Terms,
    op: Op,
    operands: [Term; 2],
    value: Term,
) -> Vec<Term> {
    let [a, b] = operands;
    let width = terms.width(value);
    let zero = terms.constant(0, width);
    let no_divisor = terms.eq(b, zero);
    let or = |terms: &mut Terms, x: Term, y: Term| terms.or(x, y);
    match op {
        Op::UDiv => {
            let bound = terms.ule(value, a);
            vec![or(terms, no_divisor, bound)]
        }
        Op::URem => {
            let below = terms.ult(value, b);
            let bound = terms.ule(value, a);
            vec![or(terms, no_divisor, below), bound]
        }
        Op::SRem => {
            let is_zero = terms.eq(value, zero);
            let signs = [value, a].map(|word| terms.extract(word, width - 1, 1));
            let same = terms.eq(signs[0], signs[1]);
            vec![or(terms, is_zero, same)]
        }
        _ => Vec::new(),
    }
}

/// The constraint that two operations have the same value if they have the same operands.
pub(in crate::word_system) fn consistent(
    terms: &mut Terms,
    op: Op,
    operands: [[Term; 2]; 2],
    values: [Term; 2],
) -> Term {
    let [[a, b], [c, d]] = operands;
    let both = |terms: &mut Terms, left: Term, right: Term| {
        let (first, second) = (terms.eq(a, left), terms.eq(b, right));
        terms.and(first, second)
    };
    let mut is_same = both(terms, c, d);
    if op == Op::Mul {
        let crossed = both(terms, d, c);
        is_same = terms.or(is_same, crossed);
    }
    let equal = terms.eq(values[0], values[1]);
    let differ = terms.not(is_same);
    terms.or(differ, equal)
}
