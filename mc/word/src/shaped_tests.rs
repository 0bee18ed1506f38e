//! Comparisons, choices and tables of words of known shapes: what the constructors make of them means the same.

use std::collections::HashMap;
use std::sync::Arc;

use craig_aig::{Aig, Random};

use super::*;

/// A number below 2^`width` at an edge, or any.
fn number(random: &mut Random, width: u32) -> u128 {
    let value = match random.below(6) {
        0 => 0,
        1 => u128::MAX,
        2 => 1 << (width - 1),
        3 => (1 << (width - 1)) - 1,
        4 => random.below(5) as u128,
        _ => u128::from(random.word()),
    };
    value & mask(width)
}

/// A word of a shape that comparisons look at, and its value.
fn shaped(
    random: &mut Random,
    terms: &mut Terms,
    variables: &[(Term, u128)],
    width: u32,
    depth: usize,
) -> (Term, u128) {
    let whole = |random: &mut Random| {
        let same: Vec<_> = (variables.iter().copied())
            .filter(|&(term, _)| terms.width(term) == width)
            .collect();
        same[random.below(same.len())]
    };
    if depth == 0 || width == 1 {
        return whole(random);
    }
    let part = width / 2;
    match random.below(9) {
        0 => whole(random),
        1 => {
            let value = number(random, width);
            (terms.constant(value, width), value)
        }
        2 => {
            let (inner, value) = shaped(random, terms, variables, part, depth - 1);
            (terms.zext(inner, width), value)
        }
        3 => {
            let (inner, value) = shaped(random, terms, variables, part, depth - 1);
            let value = from_signed(to_signed(value, part), width);
            (terms.sext(inner, width), value)
        }
        4 => {
            let (high, value) = shaped(random, terms, variables, part, depth - 1);
            let low = if random.flip() {
                0
            } else {
                number(random, part)
            };
            let term = terms.constant(low, part);
            (terms.concat(high, term), value << part | low)
        }
        5 | 6 => {
            // Chains of choices among constants, with sums between.
            let (condition, holds) = variables[random.below(2)];
            let key = number(random, width);
            let (word, value) = whole(random);
            let (condition, holds) = match random.flip() {
                true => (condition, holds == 1),
                false => {
                    let constant = terms.constant(key, width);
                    (terms.eq(word, constant), value == key)
                }
            };
            let chosen = number(random, width);
            let then = terms.constant(chosen, width);
            let (otherwise, other) = shaped(random, terms, variables, width, depth - 1);
            match random.flip() {
                true => (
                    terms.ite(condition, then, otherwise),
                    if holds { chosen } else { other },
                ),
                false => (
                    terms.ite(condition, otherwise, then),
                    if holds { other } else { chosen },
                ),
            }
        }
        7 => {
            let (inner, value) = shaped(random, terms, variables, width, depth - 1);
            let amount = number(random, width);
            let constant = terms.constant(amount, width);
            let sum = value.wrapping_add(amount) & mask(width);
            (terms.add(inner, constant), sum)
        }
        _ => {
            let (inner, value) = shaped(random, terms, variables, width, depth - 1);
            (terms.not(inner), !value & mask(width))
        }
    }
}

#[test]
fn comparisons_of_shaped_words_keep_their_meaning() {
    let mut n_known = 0;
    for seed in 0..6000 {
        let mut random = Random::new(seed);
        let mut terms = Terms::new();
        let variables: Vec<(Term, u128)> = [1, 1, 2, 2, 4, 4, 8, 8, 16, 16]
            .into_iter()
            .map(|width| (terms.variable(width), number(&mut random, width)))
            .collect();
        let width = [8, 16][random.below(2)];
        let depth = 1 + random.below(4);
        let [(a, x), (b, y)] =
            [0; 2].map(|_| shaped(&mut random, &mut terms, &variables, width, depth));
        let low = random.below(width as usize) as u32;
        let part = 1 + random.below((width - low) as usize) as u32;
        let (xs, ys) = (to_signed(x, width), to_signed(y, width));
        let found = [
            (terms.ult(a, b), u128::from(x < y)),
            (terms.ule(a, b), u128::from(x <= y)),
            (terms.slt(a, b), u128::from(xs < ys)),
            (terms.sle(a, b), u128::from(xs <= ys)),
            (terms.eq(a, b), u128::from(x == y)),
            (terms.extract(a, low, part), x >> low & mask(part)),
            (terms.concat(a, b), x << width | y),
        ];
        let value_of = |number: u32| variables[number as usize].1;
        for (term, expected) in found {
            let mut evaluator = Evaluator::new(&terms, |_, number| value_of(number));
            assert_eq!(evaluator.value(term), expected, "seed {seed}");
            assert_eq!(evaluator.known(term), Some(expected));
            n_known += u32::from(terms.is_constant(term));
        }
        // The copy in another arena has the same value.
        let mut copies = Terms::new();
        let mut images: HashMap<Term, Term> = HashMap::new();
        for &(variable, _) in &variables {
            let image = copies.variable(terms.width(variable));
            images.insert(variable, image);
        }
        let copy = copies.copy(&terms, found[6].0, &mut images);
        let mut evaluator = Evaluator::new(&copies, |_, number| value_of(number));
        assert_eq!(evaluator.value(copy), found[6].1, "seed {seed}");
        assert_eq!(copies.n_vars(), variables.len());
    }
    assert!(n_known > 500, "{n_known}");
}

/// The same for words of more than 128 bits, against [`BitVector`].
#[test]
fn comparisons_of_wide_words_keep_their_meaning() {
    const WIDTH: u32 = 160;
    let mut random = Random::new(3);
    for seed in 0..800 {
        let mut terms = Terms::new();
        let values = [8, 80, 80].map(|width| number(&mut random, width));
        let variables = [8, 80, 80].map(|width| terms.variable(width));
        let mut wide = || {
            let at = random.below(3);
            let (term, value) = (variables[at], values[at]);
            let bits = BitVector::new(value, [8, 80, 80][at]);
            match random.below(4) {
                0 => (terms.zext(term, WIDTH), bits.zext(WIDTH)),
                1 => (terms.sext(term, WIDTH), bits.sext(WIDTH)),
                2 => {
                    let other = random.below(2) + 1;
                    let low = BitVector::new(values[other], 80);
                    let high = BitVector::new(values[1], 80);
                    (
                        terms.concat(variables[1], variables[other]),
                        high.concat(&low),
                    )
                }
                _ => {
                    let value = bits.sext(WIDTH);
                    (terms.bit_vector(&value), value)
                }
            }
        };
        let [(a, x), (b, y)] = [wide(), wide()];
        let compare = |op| BitVector::binary(op, &x, &y).to_u128().unwrap();
        let found = [
            (terms.ult(a, b), compare(Op::Ult)),
            (terms.slt(a, b), compare(Op::Slt)),
            (terms.eq(a, b), compare(Op::Eq)),
        ];
        for (term, expected) in found {
            let mut evaluator = Evaluator::new(&terms, |_, number| values[number as usize]);
            assert_eq!(evaluator.value(term), expected, "{seed}: {x:?} {y:?}");
        }
        let mut copies = Terms::new();
        let mut images = HashMap::new();
        let copy = copies.copy(&terms, a, &mut images);
        for variable in copies
            .all()
            .filter(|&term| matches!(copies.node(term), Node::Var(_)))
        {
            assert_eq!(
                copies.width(variable),
                terms.width(variable_of(&images, variable))
            );
        }
        let mut evaluator = Evaluator::new(&copies, |term, _| {
            let original = variable_of(&images, term);
            let at = variables.iter().position(|&other| other == original);
            values[at.unwrap()]
        });
        assert_eq!(evaluator.value_of(copy), Value::Bits(x));
    }
}

/// The term whose image this is.
fn variable_of(images: &HashMap<Term, Term>, image: Term) -> Term {
    let mut all = images.iter();
    *all.find(|&(_, &other)| other == image).unwrap().0
}

/// Arrays in copies, choices and evaluations.
#[test]
fn arrays_are_copied_chosen_and_evaluated() {
    let mut terms = Terms::new();
    let sort = Sort::Array {
        index: 2,
        element: 8,
    };
    let (memory, condition, index) = (
        terms.variable_of(sort),
        terms.variable(1),
        terms.variable(2),
    );
    let (seven, nine) = (terms.constant(7, 8), terms.constant(9, 8));
    let all = terms.constant_array(2, nine);
    let stored = terms.store(memory, index, seven);
    // A negated condition exchanges the choices.
    let negated = terms.not(condition);
    let chosen = terms.ite(negated, all, stored);
    assert_eq!(chosen, terms.ite(condition, stored, all));
    let truth = terms.boolean(false);
    assert_eq!(terms.ite(truth, stored, all), all);
    let read = terms.select(chosen, index);
    let same = terms.eq(chosen, all);

    let mut copies = Terms::new();
    let mut images = HashMap::new();
    let [read_copy, same_copy] = [read, same].map(|term| copies.copy(&terms, term, &mut images));
    for (holds, expected) in [(1, 7), (0, 9)] {
        let value = |terms: &Terms, term: Term| match terms.width_or_zero(term) {
            1 => holds,
            2 => 3,
            _ => 5,
        };
        for (terms, read, same) in [(&terms, read, same), (&copies, read_copy, same_copy)] {
            let mut evaluator = Evaluator::new(terms, |term, _| value(terms, term));
            assert_eq!(evaluator.value(read), expected);
            assert_eq!(evaluator.value(same), u128::from(holds == 0));
        }
    }
    // An array of which each element was stored is that function, whatever was there before.
    let mut one = ArrayValue::new(1, BitVector::new(0, 8));
    let mut other = ArrayValue::new(1, BitVector::new(4, 8));
    assert_ne!(one, other);
    for index in 0..2 {
        for array in [&mut one, &mut other] {
            array.store(BitVector::new(index, 1), BitVector::new(6, 8));
        }
    }
    assert_eq!(one, other);
    assert_eq!((one.entries().len(), other.entries().len()), (2, 2));
    assert_ne!(one, ArrayValue::new(2, BitVector::new(6, 8)));
    let arrays = [one, other].map(|array| Value::Array(Arc::new(array)));
    assert_eq!(arrays[0], arrays[1]);
}

impl Terms {
    /// The width of a bit-vector, and 0 for an array.
    fn width_or_zero(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::BitVector(width) => width,
            Sort::Array { .. } => 0,
        }
    }
}

#[test]
fn each_node_has_a_text() {
    let mut terms = Terms::new();
    let (x, y, c) = (terms.variable(8), terms.variable(8), terms.variable(1));
    let sort = Sort::Array {
        index: 8,
        element: 8,
    };
    let memory = terms.variable_of(sort);
    let signs = [
        "&", "^", "+", "-", "*", "/", "%", "/s", "%s", "<<", ">>", ">>s", "==", "<", "<s",
    ];
    for (op, sign) in tests::OPS.into_iter().zip(signs) {
        let term = terms.binary(op, x, y);
        let text = format!("(v0 {sign} v1)");
        assert_eq!(terms.display(term, &|_| None).to_string(), text);
    }
    let [equal, less, negative, nine, ten, twelve] = [
        terms.eq(x, y),
        terms.ult(x, y),
        terms.slt(x, y),
        terms.constant(9, 8),
        terms.constant(10, 16),
        terms.constant(0xc, 8),
    ];
    let wide = terms.bit_vector(&BitVector::new(0xabc, 200));
    let store = terms.store(memory, x, nine);
    let all = [
        (terms.not(equal), "(v0 != v1)"),
        (terms.not(less), "(v0 >= v1)"),
        (terms.not(negative), "(v0 >=s v1)"),
        (terms.not(c), "!v2"),
        (terms.not(x), "~v0"),
        (nine, "9"),
        (ten, "0xa"),
        (wide, "0xabc"),
        (terms.ite(c, x, y), "(v2 ? v0 : v1)"),
        (terms.concat(x, y), "(v0 ++ v1)"),
        (terms.zext(x, 9), "zext(v0, 9)"),
        (terms.sext(x, 9), "sext(v0, 9)"),
        (terms.select(memory, x), "v3[v0]"),
        (store, "store(v3, v0, 9)"),
        (terms.constant_array(8, twelve), "all(0xc)"),
    ];
    for (term, text) in all {
        assert_eq!(terms.display(term, &|_| None).to_string(), text);
    }
    let truth = terms.boolean(true);
    let true_terms: Vec<Term> = terms.all().filter(|&term| terms.is_true(term)).collect();
    assert_eq!(true_terms, [truth]);
}

/// What was blasted is found again; what was not has no edges.
#[test]
fn edges_are_found_again() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(3), terms.variable(3));
    let sum = terms.add(x, y);
    let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
    let edges = blaster.blast(&terms, &mut aig, sum, &mut |aig, term| {
        (0..terms.width(term)).map(|_| aig.add_input()).collect()
    });
    assert_eq!(blaster.get(&terms, sum), Some(&edges[..]));
    let product = terms.mul(x, y);
    assert_eq!(blaster.get(&terms, product), None);
    let memory = terms.variable_of(Sort::Array {
        index: 1,
        element: 1,
    });
    let equal = terms.eq(x, y);
    let element = terms.select(memory, equal);
    let error = blaster.try_blast(&terms, &mut aig, element, &mut |_, _| Vec::new());
    assert_eq!(
        error.unwrap_err().to_string(),
        format!(
            "arrays have to be eliminated before terms are blasted (term {})",
            memory.index()
        )
    );
}

/// There are exponentially many paths to operands that are shared.
#[test]
fn bits_of_shared_operations_are_found_in_linear_time() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(32), terms.variable(32));
    let values = [0x1234_5678, 0x0f1e_2d3c];
    let (mut one, mut other) = (x, y);
    for step in 0..3000 {
        let next = match step % 4 {
            0 => terms.add(one, other),
            1 => terms.xor(one, other),
            2 => terms.sub(one, other),
            _ => terms.and(one, other),
        };
        let inverted = terms.not(other);
        (one, other) = (terms.xor(next, inverted), one);
    }
    let before = terms.n_terms();
    let mut slices = Vec::new();
    for width in [1, 8, 24, 31] {
        slices.push((terms.extract(one, 0, width), 0, width));
        slices.push((terms.extract(one, 32 - width, width), 32 - width, width));
    }
    assert!(terms.n_terms() < before + 200_000, "{}", terms.n_terms());
    let mut evaluator = Evaluator::new(&terms, |_, number| values[number as usize]);
    let whole = evaluator.value(one);
    for (slice, low, width) in slices {
        assert_eq!(evaluator.value(slice), whole >> low & mask(width));
    }
}

#[test]
fn bits_of_long_chains_are_found_without_recursion() {
    let mut terms = Terms::new();
    let mut deep = terms.variable(32);
    for _ in 0..100_000 {
        let fresh = terms.variable(32);
        deep = terms.xor(deep, fresh);
    }
    let part = terms.extract(deep, 5, 7);
    let value = |_: Term, number: u32| (u128::from(number) * 0x9e37_79b9) & mask(32);
    let mut evaluator = Evaluator::new(&terms, value);
    let whole = evaluator.value(deep);
    assert_eq!(evaluator.value(part), whole >> 5 & mask(7));
}
