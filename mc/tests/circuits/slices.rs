//! Slices of wide words: small models against enumeration, and queues of wide words.

use craig_aig::Edge;
use craig_certify::{certify_certificate, certify_trace};
use craig_mc::Alone;
use craig_mc::circuit::slices::{Decided, decide};
use craig_mc::engine::pdr;
use craig_model::{Model, Outcome, Reset, Stop, Verdict};
use proptest::prelude::*;

use crate::support::{input, judge, latch};

fn search(model: &Model) -> Result<Outcome, ()> {
    Ok(pdr::check(
        model,
        0,
        &pdr::Options::default(),
        Alone::new().control(),
    ))
}

fn decided(model: &Model) -> Option<Decided> {
    decide(model, 0, false, &Stop::new(), &mut search).unwrap()
}

const N_SLICES: usize = 4;

/// A random model with control and four slices of one input and two latches. One gate of one slice is negated if `wrong`
/// names them.
#[derive(Clone, Debug)]
struct Sliced {
    control: Vec<[(usize, bool); 2]>,
    data: Vec<[(usize, bool); 2]>,
    nexts: [(usize, bool); 4],
    resets: [Reset; 4],
    wrong: Option<(usize, usize)>,
    constraint: Option<(usize, bool)>,
    condition: (usize, bool),
    is_choice: bool,
}

fn sliced() -> impl Strategy<Value = Sliced> {
    let operand = || (any::<usize>(), any::<bool>());
    let gates = |range| prop::collection::vec([operand(), operand()], range);
    let reset = || prop::sample::select(vec![Reset::Zero, Reset::One, Reset::Uninitialised]);
    (
        (gates(1..6), gates(2..10)),
        [operand(), operand(), operand(), operand()],
        [reset(), reset(), reset(), reset()],
        prop::option::weighted(0.3, (0..N_SLICES, any::<usize>())),
        prop::option::weighted(0.3, operand()),
        operand(),
        any::<bool>(),
    )
        .prop_map(
            |((control, data), nexts, resets, wrong, constraint, condition, is_choice)| Sliced {
                control,
                data,
                nexts,
                resets,
                wrong,
                constraint,
                condition,
                is_choice,
            },
        )
}

/// Adds gates to the formulas, whose operands are earlier ones.
fn extend(model: &mut Model, all: &mut Vec<Edge>, gates: &[[(usize, bool); 2]]) {
    for operands in gates {
        let [left, right] = operands.map(|(at, sign)| all[at % all.len()].negate_if(sign));
        all.push(model.aig.and(left, right));
    }
}

fn picked(all: &[Edge], (at, sign): (usize, bool)) -> Edge {
    all[all.len() - 1 - at % all.len()].negate_if(sign)
}

impl Sliced {
    fn build(&self) -> Model {
        let mut model = Model::default();
        let mut control = vec![input(&mut model)];
        control.extend([0, 1].map(|at| latch(&mut model, self.resets[at])));
        extend(&mut model, &mut control, &self.control);
        for at in 0..2 {
            model.latches[at].next = picked(&control, self.nexts[at]);
        }
        let inputs: Vec<Edge> = (0..N_SLICES).map(|_| input(&mut model)).collect();
        // Word by word, as circuits over words have them.
        let states = [2, 3].map(|at| {
            let word = (0..N_SLICES).map(|_| latch(&mut model, self.resets[at]));
            word.collect::<Vec<Edge>>()
        });
        let mut conditions = Vec::new();
        for (slice, &input) in inputs.iter().enumerate() {
            let mut all = control.clone();
            all.extend([input, states[0][slice], states[1][slice]]);
            let wrong = self.wrong.filter(|wrong| wrong.0 == slice);
            let mut gates = self.data.clone();
            if let Some((_, at)) = wrong {
                let at = at % gates.len();
                gates[at][0].1 ^= true;
            }
            extend(&mut model, &mut all, &gates);
            for (word, at) in [(0, 2), (1, 3)] {
                let number = 2 + word * N_SLICES + slice;
                model.latches[number].next = picked(&all, self.nexts[at]);
            }
            conditions.push(all[all.len() - 1]);
        }
        let condition = picked(&control, self.condition);
        let any = model.aig.or_all(conditions);
        let bad = match self.is_choice {
            true => model.aig.ite(condition, any, control[1]),
            false => model.aig.and(condition, any),
        };
        model.bads.push(bad);
        if let Some(constraint) = self.constraint {
            model.constraints.push(picked(&control, constraint));
        }
        model
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn decides_as_enumeration_does(sliced in sliced()) {
        let model = sliced.build();
        if let Some(decided) = decided(&model) {
            prop_assert!(decided.n_searched <= decided.n_slices);
            judge(&model, 0, &decided.outcome, false).map_err(TestCaseError::fail)?;
        }
    }
}

/// A shift register of four words of `width` bits that takes a word in each step in which it is told to. A word that was
/// chosen when it entered is compared with the last stage after four moves. With `is_wrong`, the last stage takes its
/// word from the first one.
fn queue(width: usize, is_wrong: bool) -> Model {
    const STAGES: usize = 4;
    let mut model = Model::default();
    let [moves, chooses] = [(); 2].map(|()| input(&mut model));
    // Where the chosen word is: in no stage, or in one.
    let places: Vec<Edge> = (0..STAGES)
        .map(|_| latch(&mut model, Reset::Zero))
        .collect();
    let chosen = latch(&mut model, Reset::Zero);
    let enters = model.aig.and(chooses, !chosen);
    let enters = model.aig.and(enters, moves);
    for at in 0..STAGES {
        let before = if at == 0 { enters } else { places[at - 1] };
        model.latches[at].next = model.aig.ite(moves, before, places[at]);
    }
    model.latches[STAGES].next = model.aig.or(chosen, enters);
    let word: Vec<Edge> = (0..width).map(|_| input(&mut model)).collect();
    let mut words: Vec<Vec<Edge>> = Vec::new();
    for _ in 0..=STAGES {
        let states = (0..width).map(|_| latch(&mut model, Reset::Uninitialised));
        words.push(states.collect());
    }
    for (bit, &entering) in word.iter().enumerate() {
        for at in 0..STAGES {
            let before = match at {
                0 => entering,
                _ if is_wrong && at == STAGES - 1 => words[0][bit],
                _ => words[at - 1][bit],
            };
            let next = model.aig.ite(moves, before, words[at][bit]);
            model.latches[STAGES + 1 + at * width + bit].next = next;
        }
        let kept = model.aig.ite(enters, entering, words[STAGES][bit]);
        model.latches[STAGES + 1 + STAGES * width + bit].next = kept;
    }
    let pairs = words[STAGES].iter().zip(&words[STAGES - 1]);
    let differ: Vec<Edge> = pairs.map(|(&a, &b)| model.aig.xor(a, b)).collect();
    let differ = model.aig.or_all(differ);
    let bad = model.aig.and(places[STAGES - 1], differ);
    model.bads.push(bad);
    model
}

#[test]
fn one_bit_of_a_queue_stands_for_all() {
    let model = queue(64, false);
    let decided = decided(&model).expect("the words have 64 like bits");
    assert_eq!((decided.n_slices, decided.n_searched), (64, 1));
    let Verdict::Safe(certificate) = decided.outcome.verdict else {
        panic!("words leave the queue as they enter it");
    };
    assert_eq!(certify_certificate(&model, 0, &certificate), Ok(()));
}

#[test]
fn a_run_in_one_bit_is_a_run_in_all() {
    let model = queue(64, true);
    let decided = decided(&model).expect("the words have 64 like bits");
    let Verdict::Unsafe(trace) = decided.outcome.verdict else {
        panic!("a stage takes the wrong word");
    };
    assert_eq!(certify_trace(&model, 0, &trace), Ok(4));
}

/// Two bits of one word that are not like the others are searched, too: the run is in one of them.
#[test]
fn bits_that_are_different_are_searched_apart() {
    let mut model = queue(8, false);
    let n_latches = model.latches.len();
    let last = model.latches[n_latches - 1].next;
    model.latches[n_latches - 1].next = !last;
    let decided = decided(&model).expect("there are two kinds of bits");
    assert_eq!((decided.n_slices, decided.n_searched), (8, 2));
    let Verdict::Unsafe(trace) = decided.outcome.verdict else {
        panic!("the last bit is kept with the wrong value");
    };
    assert!(certify_trace(&model, 0, &trace).is_ok());
    // No slice alone tells the shortest run.
    let shortest = decide(&model, 0, true, &Stop::new(), &mut search).unwrap();
    assert!(shortest.is_none());
}
