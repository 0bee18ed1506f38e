//! Values and terms of any width, compared with a library of large integers; arrays, compared with tables.

use craig_aig::{Aig, Edge, Random};
use dashu_int::{IBig, UBig};
use proptest::prelude::*;

use super::*;
use crate::tests::OPS;

/// Widths around those at which the representation changes.
const WIDTHS: [u32; 12] = [1, 7, 63, 64, 65, 127, 128, 129, 191, 192, 200, 321];

fn n_limbs(width: u32) -> usize {
    width.div_ceil(64) as usize
}

fn number(value: &BitVector) -> UBig {
    let bytes: Vec<u8> = (0..n_limbs(value.width()))
        .flat_map(|index| value.limb(index).to_le_bytes())
        .collect();
    UBig::from_le_bytes(&bytes)
}

fn power(exponent: u32) -> IBig {
    IBig::from(UBig::from(1u8) << exponent as usize)
}

fn signed(value: &BitVector) -> IBig {
    let number = IBig::from(number(value));
    match value.bit(value.width() - 1) {
        true => number - power(value.width()),
        false => number,
    }
}

/// The bits of an integer in two's complement.
fn bits(value: &IBig, width: u32) -> BitVector {
    let rest = value.clone() % power(width);
    let rest = if rest < IBig::from(0) {
        rest + power(width)
    } else {
        rest
    };
    let number = UBig::try_from(rest).expect("not negative");
    let bytes = number.to_le_bytes();
    let limb = |chunk: &[u8]| {
        let mut limb = [0; 8];
        limb[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(limb)
    };
    let limbs: Vec<u64> = bytes.chunks(8).map(limb).collect();
    BitVector::from_limbs(&limbs, width)
}

/// The operator by its definition over integers.
fn reference(op: Op, a: &BitVector, b: &BitVector) -> BitVector {
    let width = a.width();
    let (x, y) = (IBig::from(number(a)), IBig::from(number(b)));
    let (s, t) = (signed(a), signed(b));
    let zero = IBig::from(0);
    let truth = |value: bool| BitVector::new(u128::from(value), 1);
    let by = number(b);
    let fits = by < UBig::from(width);
    let by = usize::try_from(&by).unwrap_or(0);
    let ones = || power(width) - IBig::from(1);
    let result = match op {
        Op::And => IBig::from(number(a) & number(b)),
        Op::Xor => IBig::from(number(a) ^ number(b)),
        Op::Add => x + y,
        Op::Sub => x - y,
        Op::Mul => x * y,
        Op::UDiv if y == zero => ones(),
        Op::UDiv => x / y,
        Op::URem if y == zero => x,
        Op::URem => x % y,
        Op::SDiv if y == zero => IBig::from(if s < zero { 1 } else { -1 }),
        Op::SDiv => s / t,
        Op::SRem if y == zero => s,
        Op::SRem => s % t,
        Op::Shl if fits => x << by,
        Op::LShr if fits => x >> by,
        Op::Shl | Op::LShr => zero,
        Op::AShr if fits => {
            // Rounded towards minus infinity.
            let divisor = IBig::from(1) << by;
            let low = ((s.clone() % divisor.clone()) + divisor.clone()) % divisor.clone();
            (s - low) / divisor
        }
        Op::AShr => IBig::from(if s < zero { -1 } else { 0 }),
        Op::Eq => return truth(x == y),
        Op::Ult => return truth(x < y),
        Op::Slt => return truth(s < t),
    };
    bits(&result, width)
}

/// Half of the values are corner cases.
fn value(random: &mut Random, width: u32) -> BitVector {
    let one = BitVector::new(1, width);
    let binary = |op, a: &BitVector, b: &BitVector| BitVector::binary(op, a, b);
    match random.below(12) {
        0 => BitVector::new(0, width),
        1 => one,
        2 => BitVector::new(0, width).not(),
        // The smallest signed number, and the largest.
        3 => binary(Op::Shl, &one, &BitVector::new(u128::from(width - 1), width)),
        4 => binary(Op::Shl, &one, &BitVector::new(u128::from(width - 1), width)).not(),
        5 => BitVector::new(random.below(width as usize + 2) as u128, width),
        6 => BitVector::new(u128::from(random.word()), width).neg(),
        _ => {
            let limbs: Vec<u64> = (0..n_limbs(width)).map(|_| random.word()).collect();
            BitVector::from_limbs(&limbs, width)
        }
    }
}

proptest! {
    #[test]
    fn operators_are_those_of_integers(seed in 1u64.., width in prop::sample::select(&WIDTHS[..])) {
        let random = &mut Random::new(seed);
        let (a, b) = (value(random, width), value(random, width));
        for op in OPS {
            prop_assert_eq!(BitVector::binary(op, &a, &b), reference(op, &a, &b), "{:?} {:?} {:?}", op, a, b);
        }
        prop_assert_eq!(a.neg(), bits(&-IBig::from(number(&a)), width));
        prop_assert_eq!(IBig::from(number(&a.not())), power(width) - IBig::from(1) - IBig::from(number(&a)));
        prop_assert_eq!(a.cmp(&b), number(&a).cmp(&number(&b)));
        prop_assert_eq!(number(&a.concat(&b)), (number(&a) << width as usize) + number(&b));
        let wider = width + random.below(150) as u32;
        prop_assert_eq!(number(&a.zext(wider)), number(&a));
        prop_assert_eq!(signed(&a.sext(wider)), signed(&a));
        let low = random.below(width as usize) as u32;
        let part = 1 + random.below((width - low) as usize) as u32;
        prop_assert_eq!(
            IBig::from(number(&a.extract(low, part))),
            IBig::from(number(&a) >> low as usize) % power(part)
        );
        let text = number(&a).to_string();
        prop_assert_eq!(BitVector::from_digits(&text, 10, width), Some(a.clone()));
        prop_assert_eq!(format!("{a:x}"), format!("{:#x}", number(&a)));
    }
}

#[test]
fn digits_are_read_or_refused() {
    assert_eq!(BitVector::from_digits("", 10, 8), None);
    assert_eq!(BitVector::from_digits("12a", 10, 8), None);
    assert_eq!(BitVector::from_digits("-1", 10, 8), None);
    assert_eq!(
        BitVector::from_digits("101", 2, 8),
        Some(BitVector::new(5, 8))
    );
    assert_eq!(
        BitVector::from_digits("1ff", 16, 8),
        Some(BitVector::new(0xff, 8))
    );
}

/// A term under construction, with its value under the assignment.
fn grow(random: &mut Random, terms: &mut Terms, pool: &mut Vec<(Term, BitVector)>) {
    let (a, x) = pool[random.below(pool.len())].clone();
    let width = terms.width(a);
    let same: Vec<_> = pool
        .iter()
        .filter(|(term, _)| terms.width(*term) == width)
        .cloned()
        .collect();
    let (b, y) = same[random.below(same.len())].clone();
    let entry = match random.below(12) {
        0 => (terms.not(a), x.not()),
        1 => {
            let truths: Vec<_> = pool
                .iter()
                .filter(|(term, _)| terms.width(*term) == 1)
                .cloned()
                .collect();
            let (c, z) = truths[random.below(truths.len())].clone();
            (terms.ite(c, a, b), if z.bit(0) { x } else { y })
        }
        2 if width <= 200 => {
            let (c, z) = pool[random.below(pool.len())].clone();
            if z.width() > 200 {
                return;
            }
            (terms.concat(a, c), x.concat(&z))
        }
        3 => {
            let low = random.below(width as usize) as u32;
            let part = 1 + random.below((width - low) as usize) as u32;
            (terms.extract(a, low, part), x.extract(low, part))
        }
        4 if width <= 200 => {
            let wider = width + random.below(80) as u32;
            (terms.zext(a, wider), x.zext(wider))
        }
        5 if width <= 200 => {
            let wider = width + random.below(80) as u32;
            (terms.sext(a, wider), x.sext(wider))
        }
        6 => {
            let value = value(random, width);
            (terms.bit_vector(&value), value)
        }
        7 => (
            terms.or(a, b),
            BitVector::binary(Op::And, &x.not(), &y.not()).not(),
        ),
        _ => {
            let op = OPS[random.below(OPS.len())];
            (terms.binary(op, a, b), BitVector::binary(op, &x, &y))
        }
    };
    pool.push(entry);
}

/// Variables and constants of wide and narrow widths, and terms over them.
fn pool(random: &mut Random, terms: &mut Terms, steps: usize) -> Vec<(Term, BitVector)> {
    let mut pool = Vec::new();
    for width in [1, 8, 100, 128, 129, 200] {
        let assigned = value(random, width);
        pool.push((terms.variable(width), assigned));
        let constant = value(random, width);
        pool.push((terms.bit_vector(&constant), constant));
    }
    for _ in 0..steps {
        grow(random, terms, &mut pool);
    }
    pool
}

fn assign(evaluator: &mut Evaluator<'_>, terms: &Terms, pool: &[(Term, BitVector)]) {
    for (term, value) in pool {
        if matches!(terms.node(*term), Node::Var(_)) {
            evaluator.set_value(*term, Value::Bits(value.clone()));
        }
    }
}

proptest! {
    #[test]
    fn simplification_keeps_the_meaning_of_wide_terms(seed in 1u64..) {
        let random = &mut Random::new(seed);
        let mut terms = Terms::new();
        let pool = pool(random, &mut terms, 60);
        let mut evaluator = Evaluator::new(&terms, |_, _| 0);
        assign(&mut evaluator, &terms, &pool);
        for (term, expected) in &pool {
            let found = evaluator.value_of(*term);
            prop_assert_eq!(found.bits(), expected, "{:?}", terms.node(*term));
            if let Some(constant) = terms.constant_bits(*term) {
                prop_assert_eq!(&constant, expected);
            }
        }
    }

    #[test]
    fn substitution_is_evaluation_under_another_assignment(seed in 1u64..) {
        let random = &mut Random::new(seed);
        let mut terms = Terms::new();
        let pool = pool(random, &mut terms, 40);
        // Each variable is replaced by its assigned constant.
        let mut images = std::collections::HashMap::new();
        for (term, value) in &pool {
            if matches!(terms.node(*term), Node::Var(_)) {
                let constant = terms.bit_vector(value);
                images.insert(*term, constant);
            }
        }
        for (term, expected) in &pool {
            let image = terms.substitute(*term, &mut images);
            prop_assert_eq!(terms.constant_bits(image), Some(expected.clone()));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn wide_terms_are_blasted_right(seed in 1u64..) {
        let random = &mut Random::new(seed);
        let mut terms = Terms::new();
        let pool = pool(random, &mut terms, 12);
        let mut aig = Aig::new();
        let mut blaster = Blaster::new();
        let mut inputs: Vec<bool> = Vec::new();
        let mut variable = |aig: &mut Aig, term: Term| {
            let assigned = pool.iter().find(|entry| entry.0 == term).expect("a variable of the pool");
            let width = assigned.1.width();
            inputs.extend((0..width).map(|index| assigned.1.bit(index)));
            (0..width).map(|_| aig.add_input()).collect::<Vec<Edge>>()
        };
        let edges: Vec<Vec<Edge>> = (pool.iter())
            .map(|(term, _)| blaster.blast(&terms, &mut aig, *term, &mut variable))
            .collect();
        for ((term, expected), edges) in pool.iter().zip(edges) {
            let found = aig.evaluate(&inputs, &edges);
            let expected: Vec<bool> = (0..expected.width()).map(|index| expected.bit(index)).collect();
            prop_assert_eq!(found, expected, "{:?}", terms.node(*term));
        }
    }
}

/// Arrays of four elements of three bits as tables.
type Table = [u128; 4];

const SORT: Sort = Sort::Array {
    index: 2,
    element: 3,
};

fn array_of(table: Table) -> Value {
    let mut array = ArrayValue::new(2, BitVector::new(0, 3));
    for (index, value) in (0..).zip(table) {
        array.store(BitVector::new(index, 2), BitVector::new(value, 3));
    }
    Value::Array(std::sync::Arc::new(array))
}

proptest! {
    #[test]
    fn arrays_are_tables(seed in 1u64..) {
        let random = &mut Random::new(seed);
        let mut terms = Terms::new();
        let number = |random: &mut Random, below: usize| random.below(below) as u128;
        let mut indices: Vec<(Term, u128)> = Vec::new();
        let mut elements: Vec<(Term, u128)> = Vec::new();
        let mut truths: Vec<(Term, u128)> = Vec::new();
        let mut arrays: Vec<(Term, Table)> = Vec::new();
        for _ in 0..2 {
            indices.push((terms.variable(2), number(random, 4)));
            elements.push((terms.variable(3), number(random, 8)));
            truths.push((terms.variable(1), number(random, 2)));
            let table = [0; 4].map(|_: u128| number(random, 8));
            arrays.push((terms.variable_of(SORT), table));
        }
        let constant = number(random, 4);
        indices.push((terms.constant(constant, 2), constant));
        for _ in 0..40 {
            let (array, table) = arrays[random.below(arrays.len())];
            let (other, other_table) = arrays[random.below(arrays.len())];
            let (index, at) = indices[random.below(indices.len())];
            let (element, value) = elements[random.below(elements.len())];
            let (truth, is_true) = truths[random.below(truths.len())];
            match random.below(8) {
                0 | 1 => {
                    let mut stored = table;
                    stored[at as usize] = value;
                    arrays.push((terms.store(array, index, element), stored));
                }
                2 | 3 => elements.push((terms.select(array, index), table[at as usize])),
                4 => {
                    let chosen = if is_true == 1 { table } else { other_table };
                    arrays.push((terms.ite(truth, array, other), chosen));
                }
                5 => truths.push((terms.eq(array, other), u128::from(table == other_table))),
                6 => arrays.push((terms.constant_array(2, element), [value; 4])),
                _ => {
                    let one = terms.constant(1, 2);
                    indices.push((terms.add(index, one), (at + 1) % 4));
                }
            }
        }
        let mut evaluator = Evaluator::new(&terms, |_, _| 0);
        for &(term, value) in indices.iter().chain(&elements).chain(&truths) {
            if matches!(terms.node(term), Node::Var(_)) {
                evaluator.set(term, value);
            }
        }
        for &(term, table) in &arrays {
            if matches!(terms.node(term), Node::Var(_)) {
                evaluator.set_value(term, array_of(table));
            }
        }
        for &(term, value) in indices.iter().chain(&elements).chain(&truths) {
            prop_assert_eq!(evaluator.value(term), value, "{:?}", terms.node(term));
        }
        for &(term, table) in &arrays {
            prop_assert_eq!(evaluator.value_of(term), array_of(table), "{:?}", terms.node(term));
        }
    }
}

#[test]
fn reads_over_writes_are_decided_where_indices_are() {
    let mut terms = Terms::new();
    let array = terms.variable_of(SORT);
    let (i, x, y) = (terms.variable(2), terms.variable(3), terms.variable(3));
    let one = terms.constant(1, 2);
    let next = terms.add(i, one);
    let first = terms.store(array, i, x);
    let second = terms.store(first, next, y);
    assert_eq!(terms.select(second, next), y);
    assert_eq!(terms.select(second, i), x, "i and i + 1 differ");
    let other = terms.variable(2);
    let open = terms.select(second, other);
    assert_eq!(terms.node(open), Node::Select(second, other));
    // A later store to the same index overrides the earlier one; storing the present element has no effect.
    assert_eq!(terms.store(first, i, y), terms.store(array, i, y));
    let own = terms.select(array, i);
    assert_eq!(terms.store(array, i, own), array);
}

#[test]
fn arrays_are_not_blasted() {
    let mut terms = Terms::new();
    let array = terms.variable_of(SORT);
    let index = terms.variable(2);
    let element = terms.select(array, index);
    let root = terms.not(element);
    let mut free = |aig: &mut Aig, term: Term| -> Vec<Edge> {
        (0..terms.width(term)).map(|_| aig.add_input()).collect()
    };
    let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
    let error = blaster
        .try_blast(&terms, &mut aig, root, &mut free)
        .expect_err("an array");
    assert_eq!(error.term, array);
    let edges = blaster.try_blast(&terms, &mut aig, index, &mut free);
    assert_eq!(edges.map(|edges| edges.len()), Ok(2));
}

#[test]
fn large_terms_are_written_in_part() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(8), terms.variable(8));
    let name = |term: Term| (term == x).then(|| "x".to_owned());
    let sum = terms.add(x, y);
    let (low, high) = (terms.extract(sum, 0, 4), terms.extract(y, 7, 1));
    let less = terms.slt(x, sum);
    let more = terms.not(less);
    let either = terms.or(high, more);
    assert_eq!(
        terms.display(either, &name).to_string(),
        "((x >=s (x + v1)) | v1[7])"
    );
    assert_eq!(terms.display(low, &name).to_string(), "(x[3:0] + v1[3:0])");
    let mut deep = sum;
    for _ in 0..200 {
        let product = terms.mul(deep, deep);
        deep = terms.xor(product, y);
    }
    let text = terms.display(deep, &name).to_string();
    assert!(text.contains('#') && text.len() < 4000, "{}", text.len());
}
