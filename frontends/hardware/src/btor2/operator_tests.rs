//! The operators on values, against arithmetic on machine integers.

use craig_word::BitVector;

use super::evaluate::{binary, unary};
use super::operator::{NAMED, Operator};

/// The value of a word in two's complement.
fn signed(value: i128, width: u32) -> i128 {
    match value >> (width - 1) & 1 {
        1 => value - (1 << width),
        _ => value,
    }
}

/// The result of an operator on one or two words of at most 32 bits, spelled out on integers; before it is
/// cut to
/// the width of the result.
pub(super) fn expected(operator: Operator, x: i128, y: i128, width: u32) -> i128 {
    use Operator as O;
    let (sx, sy) = (signed(x, width), signed(y, width));
    let (least, greatest) = (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1);
    let outside = |value: i128| i128::from(value < least || value > greatest);
    let ones = (1_i128 << width) - 1;
    let rotated = |by: u32| (x << by | x >> (width - by)) & ones;
    match operator {
        O::Not => ones - x,
        O::Inc => x + 1,
        O::Dec => x - 1,
        O::Neg => -x,
        O::Redand => i128::from(x == ones),
        O::Redor => i128::from(x != 0),
        O::Redxor => i128::from(x.count_ones() % 2),
        O::Iff | O::Eq => i128::from(x == y),
        O::Implies => i128::from(x <= y),
        O::Neq => i128::from(x != y),
        O::Ugt => i128::from(x > y),
        O::Sgt => i128::from(sx > sy),
        O::Ugte => i128::from(x >= y),
        O::Sgte => i128::from(sx >= sy),
        O::Ult => i128::from(x < y),
        O::Slt => i128::from(sx < sy),
        O::Ulte => i128::from(x <= y),
        O::Slte => i128::from(sx <= sy),
        O::And => x & y,
        O::Nand => ones - (x & y),
        O::Or => x | y,
        O::Nor => ones - (x | y),
        O::Xor => x ^ y,
        O::Xnor => ones - (x ^ y),
        O::Rol => rotated((y % i128::from(width)) as u32),
        O::Ror => rotated((width - (y % i128::from(width)) as u32) % width),
        O::Sll if y >= i128::from(width) => 0,
        O::Sll => x << y,
        O::Srl if y >= i128::from(width) => 0,
        O::Srl => x >> y,
        O::Sra => sx >> y.min(i128::from(width)),
        O::Add => x + y,
        O::Sub => x - y,
        O::Mul => x * y,
        O::Udiv if y == 0 => ones,
        O::Udiv => x / y,
        O::Urem if y == 0 => x,
        O::Urem => x % y,
        O::Sdiv if y == 0 => {
            if sx < 0 {
                1
            } else {
                -1
            }
        }
        O::Sdiv => sx / sy,
        O::Srem | O::Smod if y == 0 => x,
        O::Srem => sx % sy,
        O::Smod => sx - sy * (sx as f64 / sy as f64).floor() as i128,
        O::Uaddo => i128::from(x + y > ones),
        O::Saddo => outside(sx + sy),
        O::Usubo => i128::from(x < y),
        O::Ssubo => outside(sx - sy),
        O::Umulo => i128::from(x * y > ones),
        O::Smulo => outside(sx * sy),
        O::Sdivo => i128::from(sx == least && sy == -1),
        O::Concat => x << width | y,
        _ => panic!("{operator:?} is tested elsewhere"),
    }
}

/// The operators on one or two words.
pub(super) fn operators() -> impl Iterator<Item = Operator> {
    let all = NAMED.iter().map(|&(_, operator)| operator);
    all.filter(|operator| operator.arity() < 3 && *operator != Operator::Read)
}

#[test]
fn operators_agree_with_integers() {
    let mut n_results = 0;
    for width in 1..=8_u32 {
        // All pairs up to 6 bits; every third number above.
        let step = if width > 6 { 3 } else { 1 };
        for operator in operators() {
            if matches!(operator, Operator::Iff | Operator::Implies) && width > 1 {
                continue;
            }
            for x in (0..1_i128 << width).step_by(step) {
                for y in (0..1_i128 << width).step_by(step) {
                    let [a, b] = [x, y].map(|value| BitVector::new(value as u128, width));
                    let result = match operator.arity() {
                        1 => unary(operator, &a),
                        _ => binary(operator, &a, &b),
                    };
                    let expected = expected(operator, x, y, width) as u128;
                    let expected = BitVector::new(expected, result.width());
                    assert_eq!(result, expected, "{operator:?} {x} {y} at width {width}");
                    n_results += 1;
                }
            }
        }
    }
    assert!(n_results > 400_000, "{n_results}");
}

/// Width 1 has the values 0 and -1; shifts and rotations by more than the width; division by 0.
#[test]
fn results_that_are_easy_to_get_wrong() {
    let at = |operator, x: u128, y: u128, width| {
        let [a, b] = [x, y].map(|value| BitVector::new(value, width));
        binary(operator, &a, &b).to_u128().unwrap()
    };
    assert_eq!(at(Operator::Sdiv, 8, 15, 4), 8, "the least number by -1");
    assert_eq!(at(Operator::Sdivo, 8, 15, 4), 1);
    assert_eq!(at(Operator::Sdiv, 8, 0, 4), 1);
    assert_eq!(at(Operator::Sdiv, 7, 0, 4), 15);
    assert_eq!(at(Operator::Smod, 0b1001, 0b0011, 4), 2, "-7 mod 3");
    assert_eq!(at(Operator::Smod, 0b0111, 0b1101, 4), 0b1110, "7 mod -3");
    assert_eq!(at(Operator::Srem, 0b1001, 0b0011, 4), 0b1111);
    assert_eq!(at(Operator::Rol, 0b001, 4, 3), 0b010, "4 modulo 3 is 1");
    assert_eq!(at(Operator::Ror, 0b001, 7, 3), 0b100);
    assert_eq!(at(Operator::Sll, 1, 1 << 30, 32), 0);
    assert_eq!(at(Operator::Sdivo, 1, 1, 1), 1);
    assert_eq!(at(Operator::Rol, 1 << 99, 200, 100), 1 << 99);
    let wide = BitVector::new(1, 300);
    let shifted = binary(Operator::Rol, &wide, &BitVector::new(299, 300));
    assert!(shifted.bit(299));
    assert_eq!(
        binary(Operator::Ror, &shifted, &BitVector::new(299, 300)),
        wide
    );
    assert_eq!(
        unary(Operator::Slice(4, 2), &BitVector::new(0b10110, 5)).to_u128(),
        Some(0b101)
    );
    assert_eq!(
        unary(Operator::Sext(3), &BitVector::new(0b10, 2)).to_u128(),
        Some(0b11110)
    );
    assert_eq!(
        unary(Operator::Uext(0), &BitVector::new(0b10, 2)).to_u128(),
        Some(0b10)
    );
}
