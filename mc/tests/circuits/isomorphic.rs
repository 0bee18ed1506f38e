//! Isomorphic blocks as inputs: small models against enumeration, and multipliers that no engine here compares.

use craig_aig::{Aig, Edge};
use craig_certify::{certify_certificate, certify_trace};
use craig_mc::Alone;
use craig_mc::circuit::isomorphic::{Decided, Limits, decide};
use craig_mc::engine::pdr;
use craig_model::{Latch, Model, Outcome, Reset, Stop, Verdict};
use proptest::prelude::*;

use crate::support::{counter, input, judge, latch};

fn search(model: &Model) -> Result<Outcome, ()> {
    Ok(pdr::check(
        model,
        0,
        &pdr::Options::default(),
        Alone::new().control(),
    ))
}

/// Everything that occurs twice is a block.
const ALL: Limits = Limits {
    readers: 10,
    least_gates: 2,
    gates_per_bit: 0,
    least_share: usize::MAX,
    cheap_gates: [1, 4],
};

/// A random model in two copies. The second shares the first input if `is_shared`; its first latch starts like that
/// of the first, its others as `resets` says; one of its gates is negated if `wrong` names one.
#[derive(Clone, Debug)]
struct Twice {
    gates: Vec<[(usize, bool); 2]>,
    nexts: [usize; 2],
    resets: [Reset; 2],
    is_shared: bool,
    wrong: Option<usize>,
    are_equal: bool,
    compared: (usize, usize),
}

fn twice() -> impl Strategy<Value = Twice> {
    let operand = || (any::<usize>(), any::<bool>());
    let reset = || prop::sample::select(vec![Reset::Zero, Reset::One, Reset::Uninitialised]);
    (
        prop::collection::vec([operand(), operand()], 3..14),
        [any::<usize>(), any::<usize>()],
        [reset(), reset()],
        any::<bool>(),
        prop::option::of(any::<usize>()),
        any::<bool>(),
        (any::<usize>(), any::<usize>()),
    )
        .prop_map(
            |(gates, nexts, resets, is_shared, wrong, are_equal, compared)| Twice {
                gates,
                nexts,
                resets,
                is_shared,
                wrong,
                are_equal,
                compared,
            },
        )
}

impl Twice {
    fn build(&self) -> Model {
        let mut model = Model::default();
        let first = input(&mut model);
        let mut copies: [Vec<Edge>; 2] = Default::default();
        let mut leaves: [Vec<Edge>; 2] = Default::default();
        for copy in 0..2 {
            let shared = match copy == 1 && !self.is_shared {
                true => input(&mut model),
                false => first,
            };
            let own = input(&mut model);
            let resets = [Reset::Zero, self.resets[copy]];
            let states = resets.map(|reset| latch(&mut model, reset));
            leaves[copy] = vec![shared, own, states[0], states[1]];
            let mut all = leaves[copy].clone();
            for (number, operands) in self.gates.iter().enumerate() {
                let [left, right] = operands.map(|(at, sign)| all[at % all.len()].negate_if(sign));
                let is_wrong =
                    copy == 1 && self.wrong.is_some_and(|at| at % self.gates.len() == number);
                all.push(model.aig.and(left, right).negate_if(is_wrong));
            }
            for (at, &next) in self.nexts.iter().enumerate() {
                model.latches[2 * copy + at].next = all[all.len() - 1 - next % all.len()];
            }
            copies[copy] = all;
        }
        let at = |number: usize| copies[0].len() - 1 - number % copies[0].len();
        let [one, two] = [&copies[0], &copies[1]].map(|copy| copy[at(self.compared.0)]);
        let mut bad = model.aig.xor(one, two);
        if self.compared.1.is_multiple_of(3) {
            bad = model.aig.and(bad, copies[0][at(self.compared.1 / 3)]);
        }
        model.bads.push(bad);
        if self.are_equal {
            let equal = model.aig.iff(leaves[0][1], leaves[1][1]);
            model.constraints.push(equal);
        }
        model
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn decides_as_enumeration_does(twice in twice()) {
        let model = twice.build();
        if let Some(Decided { outcome: Some(outcome), .. }) = decide(&model, 0, &ALL, &Stop::new(), &mut search).unwrap() {
            judge(&model, 0, &outcome, false).map_err(TestCaseError::fail)?;
        }
    }
}

/// The product of two words, row by row.
fn product(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Vec<Edge> {
    let mut sum = vec![Edge::FALSE; a.len() + b.len()];
    for (shift, &bit) in b.iter().enumerate() {
        let mut carry = Edge::FALSE;
        for (at, &other) in a.iter().enumerate() {
            let row = aig.and(bit, other);
            let half = aig.xor(sum[shift + at], row);
            let both = aig.and(sum[shift + at], row);
            let passed = aig.and(half, carry);
            sum[shift + at] = aig.xor(half, carry);
            carry = aig.or(both, passed);
        }
        sum[shift + a.len()] = carry;
    }
    sum
}

/// Two registers of 16 bits that always take the inputs, and two that take them if they are valid; the products
/// are compared in the step after. With `last`, the first product is off by one after `last` valid inputs.
fn multipliers(last: Option<usize>) -> Model {
    const WIDTH: usize = 16;
    let mut model = Model::default();
    let valid = input(&mut model);
    let was_valid = latch(&mut model, Reset::Zero);
    model.latches[0].next = valid;
    let count = counter(&mut model, 6, valid);
    let mut registers = [Vec::new(), Vec::new()];
    for word in 0..4 {
        for at in 0..WIDTH {
            let is_first = word < 2;
            let value = match is_first {
                true => input(&mut model),
                false => model.inputs[1 + (word - 2) * WIDTH + at],
            };
            let state = model.aig.add_input();
            let next = match is_first {
                true => value,
                false => model.aig.ite(valid, value, state),
            };
            model.latches.push(Latch {
                state,
                next,
                reset: Reset::Zero,
            });
            registers[usize::from(!is_first)].push(state);
        }
    }
    let [mut one, two] = registers.map(|register| {
        let (a, b) = register.split_at(WIDTH);
        product(&mut model.aig, a, b)
    });
    if let Some(last) = last {
        let bits = count.iter().enumerate();
        let bits: Vec<Edge> = bits
            .map(|(at, &bit)| bit.negate_if(last >> at & 1 == 0))
            .collect();
        let is_wrong = model.aig.and_all(bits);
        one[5] = model.aig.xor(one[5], is_wrong);
    }
    let differ: Vec<Edge> = (one.iter().zip(&two))
        .map(|(&a, &b)| model.aig.xor(a, b))
        .collect();
    let differ = model.aig.or_all(differ);
    let bad = model.aig.and(was_valid, differ);
    model.bads.push(bad);
    model
}

fn outcome(model: &Model) -> Outcome {
    let decided = decide(model, 0, &Limits::default(), &Stop::new(), &mut search).unwrap();
    let decided = decided.expect("there are isomorphic blocks");
    assert!(decided.n_gates > 2000);
    decided.outcome.expect("a verdict")
}

/// The judge proves the gates equal pair by pair.
#[test]
fn equal_operands_have_equal_products() {
    let model = multipliers(None);
    let Verdict::Safe(certificate) = outcome(&model).verdict else {
        panic!("the products are equal");
    };
    assert_eq!(certify_certificate(&model, 0, &certificate), Ok(()));
}

#[test]
fn a_wrong_product_is_found_where_it_is_deep() {
    let model = multipliers(Some(37));
    let Verdict::Unsafe(trace) = outcome(&model).verdict else {
        panic!("the 37th product is wrong");
    };
    assert_eq!(certify_trace(&model, 0, &trace), Ok(37));
}

/// The abstraction has a run to a product that no factors have; it says nothing about the model.
#[test]
fn a_value_that_is_no_product_is_no_answer() {
    let mut model = multipliers(None);
    let products = [0, 32].map(|at| {
        let factors = model.latches[7 + at..39 + at].iter();
        let factors: Vec<Edge> = factors.map(|latch| latch.state).collect();
        let (a, b) = factors.split_at(16);
        product(&mut model.aig, a, b)
    });
    // 65537 is prime, and too large for a factor.
    let is_prime = products.map(|bits| {
        let bits = bits.into_iter().enumerate();
        let bits: Vec<Edge> = bits
            .map(|(at, bit)| bit.negate_if(at != 0 && at != 16))
            .collect();
        model.aig.and_all(bits)
    });
    model.bads[0] = model.aig.or(is_prime[0], is_prime[1]);
    let decided = decide(&model, 0, &Limits::default(), &Stop::new(), &mut search).unwrap();
    let decided = decided.expect("there are isomorphic blocks");
    assert!(decided.outcome.is_none(), "{:?}", decided.outcome);
    assert_eq!(decided.n_rounds, 2);
}

/// A stop that comes before the blocks are found is no answer, and nothing is searched.
#[test]
fn the_search_for_blocks_ends_when_it_is_told_to() {
    let stop = Stop::new();
    stop.cancel();
    let mut search = |_: &Model| -> Result<Outcome, ()> { panic!("there is nothing to search") };
    let decided = decide(
        &multipliers(None),
        0,
        &Limits::default(),
        &stop,
        &mut search,
    );
    assert!(decided.unwrap().is_none());
}
