//! Whether two accesses to an object share bytes: as far as the structure of their offsets determines it, and
//! as a term.

use craig_word::{Node, Op, Term, Terms, mask};

/// The relation of a read to a write, as far as the structure of their offsets determines it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    /// They share no byte.
    Apart,
    /// The write covers the read, from this byte of the written value on.
    Within(u32),
    Unclear,
}

/// The least and the largest offset at which an access starts, on the paths that have it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Starts(u128, u128);

impl Starts {
    /// Those of an offset that is a constant more than a word between two bounds; `None` if they say nothing, or a sum wraps
    /// and another does not.
    pub(super) fn of_sum(bounds: (u128, u128), constant: u128, width: u32) -> Option<Self> {
        let [least, most] = <[u128; 2]>::from(bounds).map(|bound| bound + constant);
        let says_nothing = bounds == (0, mask(width));
        let wraps = |sum: u128| sum > mask(width);
        (!says_nothing && wraps(least) == wraps(most))
            .then_some(Self(least & mask(width), most & mask(width)))
    }

    /// Whether a read at a constant offset is known to share no byte with an access of `bytes` bytes.
    pub(super) fn is_apart(self, terms: &Terms, (offset, n_read): (Term, u32), bytes: u32) -> bool {
        let Some(read) = terms.constant_value(offset) else {
            return false;
        };
        let (end, own_end) = (read + u128::from(n_read), self.1 + u128::from(bytes));
        let fits = end.max(own_end) <= mask(terms.width(offset)) + 1;
        fits && (end <= self.0 || own_end <= read)
    }
}

/// An offset as a term and a constant that is added to it.
pub(super) fn split(terms: &Terms, offset: Term) -> (Option<Term>, u128) {
    match terms.node(offset) {
        Node::Const(value) => (None, value),
        Node::Binary(Op::Add, a, b) => match terms.constant_value(b) {
            Some(value) => (Some(a), value),
            None => (Some(offset), 0),
        },
        _ => (Some(offset), 0),
    }
}

/// More low bits than these are not asked for.
const MOST_LOW_BITS: u32 = 16;

/// Terms within each other that are taken apart for their low bits.
const LOW_BITS_DEPTH: u32 = 5;

/// The number of known low bits of a word, and their value.
fn low_bits(terms: &Terms, term: Term) -> (u32, u64) {
    low_bits_within(terms, term, LOW_BITS_DEPTH)
}

fn low_bits_within(terms: &Terms, term: Term, depth: u32) -> (u32, u64) {
    let most = MOST_LOW_BITS.min(terms.width(term));
    if let Node::Const(value) = terms.node(term) {
        return lowest(most, value as u64);
    }
    if depth == 0 {
        return (0, 0);
    }
    let of = |part: Term| low_bits_within(terms, part, depth - 1);
    match terms.node(term) {
        Node::Concat(_, low) => of(low),
        Node::ZExt(a) | Node::SExt(a) => of(a),
        Node::Binary(op @ (Op::Add | Op::Sub), a, b) => {
            let ((known, first), (other, second)) = (of(a), of(b));
            let value = match op {
                Op::Add => first.wrapping_add(second),
                _ => first.wrapping_sub(second),
            };
            lowest(known.min(other), value)
        }
        Node::Binary(Op::Mul, _, b) => match terms.constant_value(b) {
            Some(factor) => lowest(most.min(factor.trailing_zeros()), 0),
            None => (0, 0),
        },
        Node::Ite(_, a, b) => {
            let ((known, first), (other, second)) = (of(a), of(b));
            let alike = (first ^ second).trailing_zeros();
            lowest(known.min(other).min(alike), first)
        }
        _ => (0, 0),
    }
}

/// This number of known bits of a value.
fn lowest(known: u32, value: u64) -> (u32, u64) {
    (known, value & ((1 << known) - 1))
}

/// Whether `bytes` bytes share any with `other_bytes` that start at a distance before them, modulo 2^width.
pub(crate) fn overlaps(distance: u128, bytes: u32, other_bytes: u32, width: u32) -> bool {
    let (bytes, other) = (u128::from(bytes), u128::from(other_bytes));
    (distance.wrapping_add(bytes - 1)) & mask(width) < bytes + other - 1
}

/// The relation of a read of `bytes` bytes at an offset to a write.
pub(super) fn relation(
    terms: &Terms,
    (offset, bytes): (Term, u32),
    (other, other_bytes): (Term, u32),
) -> Relation {
    let ((x, c), (y, d)) = (split(terms, offset), split(terms, other));
    if x == y {
        let width = terms.width(offset);
        let distance = c.wrapping_sub(d) & mask(width);
        return if !overlaps(distance, bytes, other_bytes, width) {
            Relation::Apart
        } else if distance + u128::from(bytes) <= u128::from(other_bytes) {
            Relation::Within(distance as u32)
        } else {
            Relation::Unclear
        };
    }
    let ((known, low), (other_known, other_low)) =
        (low_bits(terms, offset), low_bits(terms, other));
    let period = 1u64 << known.min(other_known);
    let (start, other_start) = (low % period, other_low % period);
    let (end, other_end) = (
        start + u64::from(bytes),
        other_start + u64::from(other_bytes),
    );
    let fits = end <= period && other_end <= period;
    if fits && (end <= other_start || other_end <= start) {
        Relation::Apart
    } else {
        Relation::Unclear
    }
}

/// Whether a read and a write share a byte, one bit.
pub(crate) fn overlap(
    terms: &mut Terms,
    (offset, bytes): (Term, u32),
    (other, other_bytes): (Term, u32),
) -> Term {
    match relation(terms, (offset, bytes), (other, other_bytes)) {
        Relation::Apart => return terms.boolean(false),
        Relation::Within(_) => return terms.boolean(true),
        Relation::Unclear => {}
    }
    let aligned = |terms: &Terms, term: Term| {
        let (known, low) = low_bits(terms, term);
        1u64 << known >= u64::from(bytes) && low % u64::from(bytes) == 0
    };
    // Aligned elements are equal or disjoint.
    if bytes == other_bytes
        && bytes.is_power_of_two()
        && aligned(terms, offset)
        && aligned(terms, other)
    {
        return terms.eq(offset, other);
    }
    let width = terms.width(offset);
    let distance = terms.sub(offset, other);
    let more = terms.constant(u128::from(bytes - 1), width);
    let sum = terms.add(distance, more);
    let limit = terms.constant(u128::from(bytes + other_bytes - 1), width);
    terms.ult(sum, limit)
}

/// Whether an offset is a multiple of a power of two, one bit.
pub(crate) fn is_aligned(terms: &mut Terms, offset: Term, to: u32) -> Term {
    debug_assert!(to.is_power_of_two());
    let bits = to.trailing_zeros();
    if bits == 0 {
        return terms.boolean(true);
    }
    let low = terms.extract(offset, 0, bits);
    let zero = terms.constant(0, bits);
    terms.eq(low, zero)
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_word::Evaluator;

    /// Offsets of all distinguished structures, over a byte: the relation of two accesses holds for all
    /// values, and the term has the right value for each.
    #[test]
    fn relations_hold_for_all_values() {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable(8), terms.variable(8));
        let mut offsets = Vec::new();
        let four = terms.constant(4, 8);
        let two = terms.constant(2, 8);
        let six = terms.constant(6, 8);
        for base in [x, y] {
            let shifted = terms.shl(base, two);
            let product = terms.mul(base, six);
            offsets.extend([base, shifted, product]);
            for plain in [base, shifted, product] {
                for more in 1..5 {
                    let more = terms.constant(more, 8);
                    offsets.push(terms.add(plain, more));
                }
            }
        }
        offsets.extend([four, two]);
        let choice = terms.ult(x, y);
        let (shifted, product) = (terms.shl(x, two), terms.mul(y, six));
        offsets.push(terms.ite(choice, four, product));
        offsets.push(terms.ite(choice, shifted, six));
        offsets.push(terms.sub(shifted, four));
        let mut counts = [0; 3];
        for &offset in &offsets {
            for &other in offsets.iter().step_by(2) {
                for (bytes, other_bytes) in [(1, 1), (2, 2), (4, 4), (1, 4), (4, 1), (2, 8)] {
                    let accesses = ((offset, bytes), (other, other_bytes));
                    let known = relation(&terms, accesses.0, accesses.1);
                    let term = overlap(&mut terms, accesses.0, accesses.1);
                    for (a, b) in [
                        (0, 0),
                        (1, 0),
                        (3, 7),
                        (200, 255),
                        (64, 128),
                        (5, 5),
                        (255, 3),
                    ] {
                        let mut evaluator =
                            Evaluator::new(&terms, |variable, _| if variable == x { a } else { b });
                        let (at, start) = (evaluator.value(offset), evaluator.value(other));
                        let is_in =
                            |place: u128| place.wrapping_sub(start) & 255 < u128::from(other_bytes);
                        let common = (0..u128::from(bytes))
                            .filter(|&byte| is_in(at + byte))
                            .count();
                        assert_eq!(evaluator.value(term) == 1, common > 0);
                        match known {
                            Relation::Apart => assert_eq!(common, 0),
                            Relation::Within(from) => {
                                assert_eq!(common, bytes as usize);
                                assert_eq!(at, (start + u128::from(from)) & 255);
                            }
                            Relation::Unclear => {}
                        }
                    }
                    counts[match known {
                        Relation::Apart => 0,
                        Relation::Within(_) => 1,
                        Relation::Unclear => 2,
                    }] += 1;
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
    }

    /// Words of 4 bits between any two bounds, with any constant added: what is apart from the bounds shares no byte with any
    /// access between them.
    #[test]
    fn what_is_apart_from_bounds_shares_no_byte() {
        let (width, mut n_apart) = (4, 0);
        for (least, most) in (0..16).flat_map(|least| (least..16).map(move |most| (least, most))) {
            for constant in 0..16 {
                let Some(starts) = Starts::of_sum((least, most), constant, width) else {
                    continue;
                };
                for (read, n_read, bytes) in (0..16)
                    .flat_map(|read| [(read, 1, 1), (read, 4, 1), (read, 1, 4), (read, 2, 2)])
                {
                    let mut terms = Terms::new();
                    let offset = terms.constant(read, width);
                    if !starts.is_apart(&terms, (offset, n_read), bytes) {
                        continue;
                    }
                    n_apart += 1;
                    for word in least..=most {
                        let distance = read.wrapping_sub(word + constant) & 15;
                        assert!(!overlaps(distance, n_read, bytes, width));
                    }
                }
            }
        }
        assert!(n_apart > 1000, "{n_apart}");
        assert_eq!(Starts::of_sum((0, 15), 3, width), None);
        assert_eq!(Starts::of_sum((0, 14), 3, width), None);
    }
}
