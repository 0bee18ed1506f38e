use craig_aig::{Aig, Edge, Node as AigNode};

use super::*;

/// A small generator of pseudo-random numbers (xorshift), seeded by the test.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Half of the values are corner cases.
    fn word(&mut self, width: u32) -> u128 {
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        let value = match self.next() % 12 {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => 1 << (width - 1),
            4 => (1u128 << (width - 1)).wrapping_sub(1),
            5 => wide % u128::from(width) + 1,
            _ => wide,
        };
        value & mask(width)
    }
}

/// The values of all nodes, computed directly from their definitions.
fn simulate(aig: &Aig, inputs: &[bool]) -> Vec<bool> {
    let mut values: Vec<bool> = Vec::new();
    for node in 0..aig.n_nodes() {
        let of = |edge: Edge, values: &[bool]| values[edge.node() as usize] != edge.is_negated();
        let value = match aig.node(node as u32) {
            AigNode::Constant => false,
            AigNode::Input(position) => inputs[position as usize],
            AigNode::And(left, right) => of(left, &values) && of(right, &values),
        };
        values.push(value);
    }
    values
}

/// The number that these bits are in a simulation.
fn number(nodes: &[bool], bits: &[Edge]) -> u128 {
    bits.iter().enumerate().fold(0, |sum, (i, edge)| {
        let bit = nodes[edge.node() as usize] != edge.is_negated();
        sum | u128::from(bit) << i
    })
}

/// All operators.
pub(crate) const OPS: [Op; 15] = [
    Op::And,
    Op::Xor,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::UDiv,
    Op::URem,
    Op::SDiv,
    Op::SRem,
    Op::Shl,
    Op::LShr,
    Op::AShr,
    Op::Eq,
    Op::Ult,
    Op::Slt,
];

/// The result of the machine: in its own words of that width, else in wider ones, as compilers implement
/// bit-fields.
fn native(op: Op, a: u64, b: u64, width: u32) -> Option<u64> {
    macro_rules! at {
        ($u:ty, $i:ty) => {{
            let (a, b) = (a as $u, b as $u);
            let unused = <$u>::BITS - width;
            let signed = |value: $u| (value << unused) as $i >> unused;
            let (s, t) = (signed(a), signed(b));
            let shift_fits = u64::from(b) < u64::from(width);
            let result: $u = match op {
                Op::And => a & b,
                Op::Xor => a ^ b,
                Op::Add => a.wrapping_add(b),
                Op::Sub => a.wrapping_sub(b),
                Op::Mul => a.wrapping_mul(b),
                Op::UDiv => a.checked_div(b)?,
                Op::URem => a.checked_rem(b)?,
                Op::SDiv => s.checked_div(t)? as $u,
                Op::SRem => s.checked_rem(t)? as $u,
                Op::Shl if shift_fits => a << b,
                Op::LShr if shift_fits => a >> b,
                Op::AShr if shift_fits => (s >> b) as $u,
                Op::Shl | Op::LShr | Op::AShr => return None,
                Op::Eq => <$u>::from(a == b),
                Op::Ult => <$u>::from(a < b),
                Op::Slt => <$u>::from(s < t),
            };
            Some(u64::from(result) & mask(width) as u64)
        }};
    }
    match width {
        1..=8 => at!(u8, i8),
        9..=16 => at!(u16, i16),
        17..=32 => at!(u32, i32),
        33..=64 => at!(u64, i64),
        _ => None,
    }
}

#[test]
fn the_meaning_of_operators_is_the_machine_s() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for width in 1..=64 {
        for op in OPS {
            for _ in 0..100 {
                let (a, b) = (random.word(width), random.word(width));
                if let Some(expected) = native(op, a as u64, b as u64, width) {
                    assert_eq!(
                        binary(op, a, b, width),
                        u128::from(expected),
                        "{op:?} {a} {b} at {width}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_operator_is_blasted_right_at_every_width() {
    let mut random = Random(0xfeed_beef_dead_1234);
    for width in (1..=64).chain([80, 106, 128]) {
        for op in OPS {
            // First with two free operands, then with a constant right one, which exercises the
            // simplifications.
            for constant in [false, true] {
                let mut terms = Terms::new();
                let mut aig = Aig::new();
                let mut blaster = Blaster::new();
                let mut inputs_of = |aig: &mut Aig, _: Term| {
                    (0..width).map(|_| aig.add_input()).collect::<Vec<_>>()
                };
                let x = terms.variable(width);
                blaster.blast(&terms, &mut aig, x, &mut inputs_of);
                let fixed = random.word(width);
                let y = if constant {
                    terms.constant(fixed, width)
                } else {
                    terms.variable(width)
                };
                blaster.blast(&terms, &mut aig, y, &mut inputs_of);
                let root = terms.binary(op, x, y);
                let edges = blaster.blast(&terms, &mut aig, root, &mut inputs_of);
                for _ in 0..12 {
                    let a = random.word(width);
                    let b = if constant { fixed } else { random.word(width) };
                    let mut inputs: Vec<bool> = (0..width).map(|i| a >> i & 1 == 1).collect();
                    if !constant {
                        inputs.extend((0..width).map(|i| b >> i & 1 == 1));
                    }
                    let values = simulate(&aig, &inputs);
                    let got = number(&values, &edges);
                    let expected = binary(op, a, b, width);
                    assert_eq!(
                        got, expected,
                        "{op:?} {a} {b} at {width}, constant {constant}"
                    );
                    let mut evaluator =
                        Evaluator::new(&terms, |_, number| if number == 0 { a } else { b });
                    assert_eq!(evaluator.value(root), expected, "{op:?} {a} {b} at {width}");
                }
            }
        }
    }
}

/// A term under construction, with its value under the assignment.
fn grow(random: &mut Random, terms: &mut Terms, pool: &mut Vec<(Term, u128)>) {
    let (a, x) = pool[random.next() as usize % pool.len()];
    let width = terms.width(a);
    let same: Vec<(Term, u128)> = pool
        .iter()
        .copied()
        .filter(|&(term, _)| terms.width(term) == width)
        .collect();
    let (b, y) = same[random.next() as usize % same.len()];
    let entry = match random.next() % 12 {
        0 => (terms.not(a), !x & mask(width)),
        1 => {
            let bits: Vec<(Term, u128)> = pool
                .iter()
                .copied()
                .filter(|&(term, _)| terms.width(term) == 1)
                .collect();
            let (c, z) = bits[random.next() as usize % bits.len()];
            (terms.ite(c, a, b), if z == 1 { x } else { y })
        }
        2 if width <= 32 => (terms.concat(a, b), x << width | y),
        3 => {
            let low = random.next() as u32 % width;
            let part = random.next() as u32 % (width - low) + 1;
            (terms.extract(a, low, part), x >> low & mask(part))
        }
        4 => {
            let wider = width + random.next() as u32 % 9;
            (terms.zext(a, wider), x)
        }
        5 => {
            let wider = width + random.next() as u32 % 9;
            (
                terms.sext(a, wider),
                from_signed(to_signed(x, width), wider),
            )
        }
        6 => {
            let value = random.word(width);
            (terms.constant(value, width), value)
        }
        7 => (terms.or(a, b), x | y),
        _ => {
            let op = OPS[random.next() as usize % OPS.len()];
            (terms.binary(op, a, b), binary(op, x, y, width))
        }
    };
    pool.push(entry);
}

#[test]
fn simplification_keeps_the_meaning() {
    for seed in 1..1500u64 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut terms = Terms::new();
        let mut assignment = Vec::new();
        let mut pool = Vec::new();
        for width in [1, 1, 2, 3, 8, 8, 32] {
            let value = random.word(width);
            assignment.push(value);
            pool.push((terms.variable(width), value));
        }
        for width in [1, 2, 3, 8, 32] {
            let value = random.word(width);
            pool.push((terms.constant(value, width), value));
        }
        for _ in 0..60 {
            grow(&mut random, &mut terms, &mut pool);
        }
        let mut evaluator = Evaluator::new(&terms, |_, number| assignment[number as usize]);
        for &(term, expected) in &pool {
            assert_eq!(
                evaluator.value(term),
                expected,
                "seed {seed}, {:?}",
                terms.node(term)
            );
        }
    }
}

#[test]
fn products_of_extended_words_are_blasted_right() {
    let mut random = Random(0x1bad_b002_cafe_f00d);
    for (from, to, signs) in [
        (1, 2, [true, true]),
        (3, 6, [true, true]),
        (4, 9, [true, false]),
        (5, 9, [true, true]),
        (8, 16, [false, true]),
        (16, 64, [true, true]),
        (32, 64, [true, true]),
        (32, 128, [true, false]),
    ] {
        let mut terms = Terms::new();
        let mut aig = Aig::new();
        let mut blaster = Blaster::new();
        let mut inputs_of =
            |aig: &mut Aig, _: Term| (0..from).map(|_| aig.add_input()).collect::<Vec<_>>();
        let mut extended = Vec::new();
        for signed in signs {
            let word = terms.variable(from);
            blaster.blast(&terms, &mut aig, word, &mut inputs_of);
            extended.push(if signed {
                terms.sext(word, to)
            } else {
                terms.zext(word, to)
            });
        }
        let product = terms.mul(extended[0], extended[1]);
        let square = terms.mul(extended[0], extended[0]);
        for term in [product, square] {
            let edges = blaster
                .blast(&terms, &mut aig, term, &mut inputs_of)
                .to_vec();
            for _ in 0..200 {
                let values = [random.word(from), random.word(from)];
                let inputs: Vec<bool> = values
                    .iter()
                    .flat_map(|&value| (0..from).map(move |i| value >> i & 1 == 1))
                    .collect();
                let nodes = simulate(&aig, &inputs);
                let got = number(&nodes, &edges);
                let mut evaluator = Evaluator::new(&terms, |_, number| values[number as usize]);
                assert_eq!(got, evaluator.value(term), "{values:?} from {from} to {to}");
            }
        }
    }
}

#[test]
fn divisions_of_extended_words_are_blasted_right() {
    const WIDTH: u32 = 7;
    for (n, m) in [(1, 1), (2, 4), (4, 2), (3, 7), (7, 3), (5, 5), (1, 7)] {
        let mut terms = Terms::new();
        let mut aig = Aig::new();
        let mut blaster = Blaster::new();
        let mut unset = |_: &mut Aig, _: Term| -> Vec<Edge> { unreachable!("both words are set") };
        let words = [n, m].map(|width| {
            let word = terms.variable(width);
            let edges: Vec<Edge> = (0..width).map(|_| aig.add_input()).collect();
            blaster.set(word, &edges);
            word
        });
        let [x, y] = words.map(|word| terms.zext(word, WIDTH));
        let roots = [
            terms.udiv(x, y),
            terms.urem(x, y),
            terms.sdiv(x, y),
            terms.srem(x, y),
        ];
        for root in roots {
            let edges = blaster.blast(&terms, &mut aig, root, &mut unset);
            for (a, b) in (0..1u128 << n).flat_map(|a| (0..1u128 << m).map(move |b| (a, b))) {
                let bits = [(a, n), (b, m)];
                let inputs: Vec<bool> = (bits.iter())
                    .flat_map(|&(value, width)| (0..width).map(move |i| value >> i & 1 == 1))
                    .collect();
                let nodes = simulate(&aig, &inputs);
                let got = number(&nodes, &edges);
                let mut evaluator =
                    Evaluator::new(&terms, |_, number| if number == 0 { a } else { b });
                let of = format!("{a} by {b} of {n} and {m} bits");
                assert_eq!(got, evaluator.value(root), "{of}");
            }
        }
    }
}

#[test]
fn operations_with_constants_are_blasted_right() {
    const WIDTH: u32 = 5;
    for (op, b) in [Op::Mul, Op::UDiv, Op::URem, Op::SDiv, Op::SRem]
        .into_iter()
        .flat_map(|op| (0..1u128 << WIDTH).map(move |b| (op, b)))
    {
        let mut terms = Terms::new();
        let mut aig = Aig::new();
        let x = terms.variable(WIDTH);
        let y = terms.constant(b, WIDTH);
        let root = terms.binary(op, x, y);
        let mut inputs_of =
            |aig: &mut Aig, _: Term| (0..WIDTH).map(|_| aig.add_input()).collect::<Vec<_>>();
        let edges = Blaster::new().blast(&terms, &mut aig, root, &mut inputs_of);
        for a in 0..1u128 << WIDTH {
            let inputs: Vec<bool> = (0..WIDTH).map(|i| a >> i & 1 == 1).collect();
            let nodes = simulate(&aig, &inputs);
            let got = number(&nodes, &edges);
            assert_eq!(got, binary(op, a, b, WIDTH), "{op:?} {a} {b}");
        }
    }
}

#[test]
fn multiples_of_one_word_add_up() {
    for width in [2, 7, 32, 64, 128] {
        let mut terms = Terms::new();
        let x = terms.variable(width);
        let mut sum = terms.constant(0, width);
        for count in 1..=40u128 {
            sum = terms.add(sum, x);
            let factor = terms.constant(count, width);
            assert_eq!(sum, terms.mul(x, factor), "{count} times {width} bits");
        }
        let (three, two) = (terms.constant(3, width), terms.constant(2, width));
        let (a, b) = (terms.mul(x, three), terms.shl(x, two));
        let total = terms.add(a, b);
        let seven = terms.constant(7, width);
        assert_eq!(total, terms.mul(x, seven));
    }
}

/// What a `switch` with many labels returns, multiplied and compared with a function of the word that it looks at.
#[test]
fn tables_are_compared_row_by_row() {
    const WIDTH: u32 = 8;
    for (step, wrong) in [(3, None), (5, Some(7u128))] {
        let mut terms = Terms::new();
        let x = terms.variable(WIDTH);
        let mut table = terms.constant(200, WIDTH);
        for row in 0..40u128 {
            let key = terms.constant(row * step, WIDTH);
            let value = terms.constant(row + u128::from(wrong == Some(row)), WIDTH);
            let here = terms.eq(x, key);
            table = terms.ite(here, value, table);
        }
        let factor = terms.constant(step, WIDTH);
        let product = terms.mul(table, factor);
        let equal = terms.eq(x, product);
        let quotient = terms.udiv(x, factor);
        let also_equal = terms.eq(table, quotient);
        for root in [equal, also_equal] {
            let has_arithmetic =
                |term: &Term| matches!(terms.node(*term), Node::Binary(Op::Mul | Op::UDiv, ..));
            let rows = terms.cone(&[root], |_| false);
            let n_operations = rows.iter().filter(|term| has_arithmetic(term)).count();
            assert!(
                n_operations <= 1,
                "only what is beside the rows is computed"
            );
            for value in 0..1u128 << WIDTH {
                let mut evaluator = Evaluator::new(&terms, |_, _| value);
                let looked_up = evaluator.value(table);
                let right = match root == equal {
                    true => looked_up * step % 256 == value,
                    false => looked_up == value / step,
                };
                assert_eq!(
                    evaluator.value(root) == 1,
                    right,
                    "{value} in steps of {step}"
                );
            }
        }
    }
}

/// Two tables, of one word or of two, with rows that have a key or a value in common, and several keys for one value: their
/// equality, against the values that they have; and its size, which is linear in the rows.
#[test]
fn tables_are_compared_value_by_value() {
    const WIDTH: u32 = 8;
    type Value = fn(u128) -> u128;
    let values: [Value; 4] = [
        |row| row,
        |row| row * 3 % 50,
        |row| row / 3,
        |row| if row == 39 { 255 } else { 60 - row },
    ];
    let table = |terms: &mut Terms, word: Term, step: u128, of: Value| {
        let mut table = terms.constant(255, WIDTH);
        for row in (0..40u128).rev() {
            // The last row has the key of the first, and is never chosen.
            let key = terms.constant(row % 39 * step, WIDTH);
            let value = terms.constant(of(row), WIDTH);
            let here = terms.eq(word, key);
            table = terms.ite(here, value, table);
        }
        table
    };
    for (first, second) in
        [(0, 0), (0, 1), (1, 2), (2, 3), (3, 3)].map(|(a, b)| (values[a], values[b]))
    {
        for is_same_word in [false, true] {
            let mut terms = Terms::new();
            let x = terms.variable(WIDTH);
            let y = if is_same_word {
                x
            } else {
                terms.variable(WIDTH)
            };
            let a = table(&mut terms, x, 5, first);
            let b = table(&mut terms, y, 3, second);
            let equal = terms.eq(a, b);
            let is_choice =
                |&term: &Term| terms.width(term) > 1 && matches!(terms.node(term), Node::Ite(..));
            let cone = terms.cone(&[equal], |_| false);
            assert_eq!(cone.iter().filter(|term| is_choice(term)).count(), 0);
            assert!(cone.len() < 600, "{}", cone.len());
            for pair in 0..400u128 {
                let (p, q) = match is_same_word {
                    true => (pair % 256, pair % 256),
                    false => (pair / 20 * 10, pair % 20 * 6),
                };
                let mut evaluator =
                    Evaluator::new(&terms, |_, number| if number == 0 { p } else { q });
                let expected = evaluator.value(a) == evaluator.value(b);
                assert_eq!(evaluator.value(equal) == 1, expected, "{p} {q}");
            }
        }
    }
}

/// What a chain of conditions counts, each that a word is another number, is a table of ones; with a number that occurs twice,
/// it is not.
#[test]
fn counters_of_exclusive_conditions_are_tables() {
    for n_twice in [0, 1] {
        let mut terms = Terms::new();
        let word = terms.variable(8);
        let (one, mut count) = (terms.constant(1, 8), terms.constant(0, 8));
        for key in (0..40).chain(0..n_twice) {
            let key = terms.constant(3 * key, 8);
            let here = terms.eq(word, key);
            let more = terms.add(count, one);
            count = terms.ite(here, more, count);
        }
        // Each case goes on with the next one: a constant is added after each choice.
        let mut steps = terms.constant(0, 8);
        for key in 0..40 {
            let key = terms.constant(3 * key, 8);
            let (here, more) = (terms.eq(word, key), terms.add(steps, one));
            let start = terms.constant(7, 8);
            steps = terms.ite(here, start, more);
        }
        let limit = terms.constant(20, 8);
        let is_long = terms.ult(limit, steps);
        let mut comparisons = terms.cone(&[is_long], |_| false);
        comparisons.retain(|&term| matches!(terms.node(term), Node::Binary(Op::Ult | Op::Add, ..)));
        assert_eq!(comparisons, []);
        for value in 0..=255u128 {
            let mut evaluator = Evaluator::new(&terms, |_, _| value);
            let more = evaluator.value(steps);
            let last = (0..40u128)
                .find(|key| 3 * key == value)
                .map_or(40, |key| 46 - key);
            assert_eq!(
                (more, evaluator.value(is_long) == 1),
                (last, last > 20),
                "{value}"
            );
            let expected =
                u128::from(value < 120 && value % 3 == 0) + u128::from(value == 0) * n_twice;
            assert_eq!(evaluator.value(count), expected, "{value}");
        }
        let is_more = terms.ult(one, count);
        assert_eq!(terms.constant_value(is_more) == Some(0), n_twice == 0);
    }
}
