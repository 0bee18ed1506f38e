//! Every pass on random small models, compared with brute force, and its evidence checked by the certifier.

use craig_aig::{Aig, Edge};
use craig_certify::{certify_certificate, certify_trace};
use craig_model::{Certificate, Latch, Model, Reset, Trace};
use proptest::prelude::*;

use super::{Passes, ROWS, Reduced, Shared, When, run};
use crate::control::{Alone, StateClause};

/// The passes, one at a time, and all of them.
fn variants() -> Vec<Passes> {
    let first_rows = ROWS.iter().filter(|row| row.when != When::AfterFind);
    let alone = first_rows.map(|row| Passes::NONE.with(row.pass.name()));
    let together = [Passes::NONE, Passes::ALL, Passes::ALL.with("folding")];
    alone.chain(together).collect()
}

/// The result of an explicit exploration.
struct Explored {
    /// By number: whether the state is reachable with all constraints satisfied before.
    reachable: Vec<bool>,
    /// A shortest trace to the bad.
    trace: Option<Trace>,
}

fn bits(number: usize, n_bits: usize) -> Vec<bool> {
    (0..n_bits).map(|bit| number >> bit & 1 == 1).collect()
}

/// The least number of steps after which a bad holds.
pub(super) fn shortest(model: &Model, property: usize) -> Option<usize> {
    explore(model, property).trace.as_ref().map(Trace::depth)
}

/// Breadth-first search over all states and inputs.
fn explore(model: &Model, property: usize) -> Explored {
    let (n_latches, n_inputs) = (model.latches.len(), model.inputs.len());
    let mut roots: Vec<Edge> = model.latches.iter().map(|latch| latch.next).collect();
    roots.push(model.bads[property]);
    roots.extend(&model.constraints);
    let mut parent: Vec<Option<(usize, usize)>> = vec![None; 1 << n_latches];
    let mut reachable = vec![false; 1 << n_latches];
    let mut queue = std::collections::VecDeque::new();
    for (state, is_reachable) in reachable.iter_mut().enumerate() {
        let is_initial = model.latches.iter().enumerate().all(|(number, latch)| {
            let value = state >> number & 1 == 1;
            match latch.reset.value() {
                Some(reset) => value == reset,
                None => true,
            }
        });
        if is_initial {
            *is_reachable = true;
            queue.push_back(state);
        }
    }
    let mut trace = None;
    while let Some(state) = queue.pop_front() {
        for inputs in 0..1_usize << n_inputs {
            let mut values = vec![false; model.aig.n_inputs()];
            let position = |edge: Edge| {
                let nodes = model.aig.inputs();
                nodes.iter().position(|&node| node == edge.node()).unwrap()
            };
            for (latch, value) in model.latches.iter().zip(bits(state, n_latches)) {
                values[position(latch.state)] = value;
            }
            for (&input, value) in model.inputs.iter().zip(bits(inputs, n_inputs)) {
                values[position(input)] = value;
            }
            let out = model.aig.evaluate(&values, &roots);
            if !out[n_latches + 1..].iter().all(|&holds| holds) {
                continue;
            }
            if out[n_latches] && trace.is_none() {
                let mut steps = vec![inputs];
                let mut first = state;
                while let Some((before, by)) = parent[first] {
                    steps.push(by);
                    first = before;
                }
                steps.reverse();
                let some = |number, n| bits(number, n).into_iter().map(Some).collect();
                trace = Some(Trace {
                    property,
                    initial: some(first, n_latches),
                    inputs: steps.iter().map(|&by| some(by, n_inputs)).collect(),
                });
            }
            let next = (0..n_latches).fold(0, |next, bit| next | usize::from(out[bit]) << bit);
            if !reachable[next] {
                reachable[next] = true;
                parent[next] = Some((state, inputs));
                queue.push_back(next);
            }
        }
    }
    Explored { reachable, trace }
}

/// The certificate whose invariant is the set of the reachable states.
fn certificate(model: &Model, explored: &Explored) -> Certificate {
    let mut model = model.clone();
    let mut states = Vec::new();
    for state in (0..explored.reachable.len()).filter(|&state| explored.reachable[state]) {
        let latches = model.latches.iter().enumerate();
        let literals: Vec<Edge> = latches
            .map(|(number, latch)| latch.state.negate_if(state >> number & 1 == 0))
            .collect();
        states.push(model.aig.and_all(literals));
    }
    let invariant = model.aig.or_all(states);
    Certificate::from_invariant(&model, 0, invariant)
}

/// Runs a pass and checks that the answer is the same and that evidence can be lifted.
fn check(model: &Model, property: usize, passes: &Passes) -> Reduced {
    let reduced = run(model, property, passes, Alone::new().control());
    check_reduced(model, property, passes, reduced)
}

/// As `check`, for a reduction of all bads together.
fn check_shared(model: &Model, passes: &Passes) {
    let alone = Alone::new();
    let control = alone.control();
    let shared = Shared::new(model, passes, control);
    for property in 0..model.bads.len() {
        let reduced = shared.begin(property, passes);
        check_reduced(model, property, passes, reduced.clone());
        let reduced = shared.go_on(reduced, passes, control);
        check_reduced(model, property, passes, reduced);
    }
}

fn check_reduced(model: &Model, property: usize, passes: &Passes, reduced: Reduced) -> Reduced {
    let (before, after) = (explore(model, property), explore(&reduced.model, 0));
    assert_eq!(
        before.trace.as_ref().map(Trace::depth),
        after.trace.as_ref().map(Trace::depth),
        "{passes:?}"
    );
    assert_eq!(reduced.model.bads.len(), 1);
    match &after.trace {
        Some(trace) => {
            certify_trace(&reduced.model, 0, trace).unwrap();
            let lifted = reduced.lift.trace(trace);
            assert_eq!(lifted.property, property);
            certify_trace(model, property, &lifted).unwrap();
        }
        None => {
            let certificate = certificate(&reduced.model, &after);
            certify_certificate(&reduced.model, 0, &certificate).unwrap();
            let lifted = reduced.lift.certificate(&certificate);
            let verdict = certify_certificate(model, property, &lifted);
            assert_eq!(verdict, Ok(()), "{passes:?}");
        }
    }
    reduced
}

pub(super) fn random_model() -> impl Strategy<Value = Model> {
    let index = any::<prop::sample::Index>;
    (
        0..=2_usize,
        prop::collection::vec((index(), 0..3_u8), 0..=4),
        prop::collection::vec(any::<[prop::sample::Index; 2]>(), 0..=14),
        prop::collection::vec(index(), 1..=2),
        prop::collection::vec(index(), 0..=2),
        any::<bool>(),
    )
        .prop_map(
            |(n_inputs, latches, ands, bads, constraints, states_first)| {
                let mut aig = Aig::new();
                let mut states: Vec<Edge> = Vec::new();
                if states_first {
                    states.extend(latches.iter().map(|_| aig.add_input()));
                }
                let inputs: Vec<Edge> = (0..n_inputs).map(|_| aig.add_input()).collect();
                let mut edges: Vec<Edge> = vec![Edge::FALSE, Edge::TRUE];
                edges.extend(inputs.iter().chain(&states).flat_map(|&edge| [edge, !edge]));
                for [left, right] in &ands[..ands.len() / 2] {
                    let and = aig.and(*left.get(&edges), *right.get(&edges));
                    edges.extend([and, !and]);
                }
                // Latches may follow gates, too.
                for _ in states.len()..latches.len() {
                    let state = aig.add_input();
                    states.push(state);
                    edges.extend([state, !state]);
                }
                for [left, right] in &ands[ands.len() / 2..] {
                    let and = aig.and(*left.get(&edges), *right.get(&edges));
                    edges.extend([and, !and]);
                }
                let latches = states
                    .iter()
                    .zip(&latches)
                    .map(|(&state, (next, reset))| Latch {
                        state,
                        next: *next.get(&edges),
                        reset: [Reset::Zero, Reset::One, Reset::Uninitialised][usize::from(*reset)],
                    });
                // Disjunctions, so that the constraints are mostly satisfied.
                let constraints: Vec<Edge> = constraints.iter().map(|c| *c.get(&edges)).collect();
                let constraints = constraints.chunks(2).map(|pair| {
                    let last = *pair.last().unwrap();
                    aig.or(pair[0], last)
                });
                let constraints = constraints.collect();
                Model {
                    inputs,
                    latches: latches.collect(),
                    constraints,
                    bads: bads.iter().map(|bad| *bad.get(&edges)).collect(),
                    aig,
                    ..Model::default()
                }
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(700))]
    #[test]
    fn every_pass_keeps_the_answer_and_lifts_the_evidence(model in random_model()) {
        for property in 0..model.bads.len() {
            for passes in variants() {
                check(&model, property, &passes);
            }
        }
        for passes in variants() {
            check_shared(&model, &passes);
        }
    }
}

/// Whether a clause holds in all these states, which are given by number.
fn holds(clause: &StateClause, states: &[bool]) -> bool {
    let is_met = |state: usize| {
        let mut literals = clause.iter();
        literals.any(|&(latch, value)| (state >> latch & 1 == 1) == value)
    };
    (states.iter().enumerate()).all(|(state, &is_reached)| !is_reached || is_met(state))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn images_of_invariants_are_invariants(model in random_model()) {
        let all = explore(&model, 0).reachable;
        let n_latches = model.latches.len();
        for passes in [Passes::ALL, Passes::NONE.with("cone").with("latches")] {
            let reduced = run(&model, 0, &passes, Alone::new().control());
            let own = explore(&reduced.model, 0).reachable;
            for (first, second, signs) in (0..n_latches)
                .flat_map(|first| (first..n_latches).map(move |second| (first, second)))
                .flat_map(|(first, second)| (0..4).map(move |signs| (first, second, signs)))
            {
                let clause = vec![(first, signs & 1 == 1), (second, signs & 2 == 2)];
                if holds(&clause, &all) {
                    for image in reduced.about(std::slice::from_ref(&clause)) {
                        prop_assert!(holds(&image, &own), "{clause:?} {image:?}");
                    }
                }
            }
        }
    }
}

/// Clauses over latches that constants or other latches replace become clauses over these.
#[test]
fn clauses_follow_replaced_latches() {
    let (zero, one) = (Reset::Zero, Reset::One);
    let mut model = with_latches(&[zero, zero, one, zero, zero], 2);
    let states: Vec<Edge> = model.latches.iter().map(|latch| latch.state).collect();
    let inputs = model.inputs.clone();
    let (x, y, inverse, stuck, other) = (states[0], states[1], states[2], states[3], states[4]);
    let nexts = [
        inputs[0],
        inputs[0],
        !inputs[0],
        stuck,
        model.aig.or(other, inputs[1]),
    ];
    for (latch, next) in model.latches.iter_mut().zip(nexts) {
        latch.next = next;
    }
    let both = model.aig.and(x, !y);
    let odd = model.aig.and(x, inverse);
    let any = model.aig.or_all([both, odd, stuck]);
    let last = model.aig.and_all([x, y, other]);
    model.bads = vec![model.aig.or(any, last)];
    let reduced = run(&model, 0, &Passes::ALL, Alone::new().control());
    let numbers = reduced.lift.latches();
    assert_eq!(numbers.len(), 2, "{numbers:?}");
    let place = |number: usize| numbers.iter().position(|&own| own == Some(number));
    let (kept, sign) = [(0, true), (1, true), (2, false)]
        .into_iter()
        .find_map(|(number, sign)| Some((place(number)?, sign)))
        .expect("one of three equal latches stays");
    let last = place(4).expect("it is like no other");
    let image = |clause: &[(usize, bool)]| {
        let mut images = reduced.about(&[clause.to_vec()]);
        images.pop()
    };
    let mut expected = vec![(kept, sign), (last, false)];
    expected.sort_unstable();
    for latch in [(0, true), (1, true), (2, false)] {
        assert_eq!(
            image(&[latch, (3, true), (4, false)]),
            Some(expected.clone())
        );
        assert_eq!(image(&[latch, (3, false)]), None);
    }
    assert_eq!(image(&[(0, true), (2, true), (4, true)]), None);
    assert_eq!(image(&[(3, true)]), None);
}

/// Models of formulas that are mostly trees, so that inputs without other users can set many of their gates.
fn tree_model() -> impl Strategy<Value = Model> {
    let index = any::<prop::sample::Index>;
    (
        prop::collection::vec((index(), index(), index(), 0..8_u8), 3..=7),
        prop::collection::vec(0..3_u8, 1..=2),
        prop::collection::vec((index(), any::<bool>()), 4),
        any::<bool>(),
    )
        .prop_map(|(gates, resets, roots, is_constrained)| {
            let resets: Vec<Reset> = (resets.iter())
                .map(|&reset| [Reset::Zero, Reset::One, Reset::Uninitialised][usize::from(reset)])
                .collect();
            let mut model = with_latches(&resets, 5);
            let mut pool: Vec<Edge> = model.inputs.clone();
            pool.extend(model.latches.iter().map(|latch| latch.state));
            for (first, second, third, kind) in gates {
                if pool.len() < 3 {
                    break;
                }
                let first = pool.swap_remove(first.index(pool.len()));
                let second = pool.swap_remove(second.index(pool.len()));
                let other = *third.get(&pool);
                let second = second.negate_if(kind & 1 == 1);
                let gate = match kind / 2 {
                    0 => model.aig.and(first, second),
                    1 => model.aig.xor(first, second),
                    2 => model.aig.ite(other, first, second),
                    _ => model.aig.or(first, other),
                };
                pool.push(gate);
            }
            let roots = roots.iter();
            let mut roots = roots.map(|(root, sign)| pool[root.index(pool.len())].negate_if(*sign));
            for latch in &mut model.latches {
                latch.next = roots.next().expect("four roots");
            }
            model.bads.extend(roots.next());
            if is_constrained {
                model.constraints.extend(roots.next());
            }
            model
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn gates_that_inputs_set_become_inputs(model in tree_model()) {
        let inputs = Passes::NONE.with("inputs");
        for passes in [inputs, inputs.with("cone"), Passes::ALL.with("folding")] {
            check(&model, 0, &passes);
        }
    }
}

fn free_gates() -> Passes {
    Passes::NONE.with("cone").with("inputs")
}

#[test]
fn trees_of_inputs_become_one_input() {
    let mut model = with_latches(&[Reset::Zero, Reset::Uninitialised], 6);
    let [a, b] = [0, 1].map(|number| model.latches[number].state);
    let x: Vec<Edge> = model.inputs.clone();
    // All of these are free: a conjunction, an exclusive or with a known signal, and a choice by a known
    // signal.
    let both = model.aig.and(x[0], !x[1]);
    let differs = model.aig.xor(both, a);
    let chosen = model.aig.ite(b, !differs, x[2]);
    let all = model.aig.and(!chosen, x[3]);
    model.latches[0].next = all;
    // A conjunction with a signal that is not free can't be set to 1; an input that is used twice is not
    // free.
    let part = model.aig.and(x[4], b);
    let twice = model.aig.and(x[5], !a);
    model.latches[1].next = model.aig.or(part, twice);
    model.constraints = vec![model.aig.or(x[5], b)];
    model.bads = vec![model.aig.and(a, b)];
    let reduced = check(&model, 0, &free_gates());
    assert_eq!(reduced.model.inputs.len(), 3);
    // With another user the gate stays free, but its operands do not.
    model.bads = vec![model.aig.and(a, x[3])];
    let reduced = check(&model, 0, &free_gates());
    assert_eq!(reduced.model.inputs.len(), 4);
}

#[test]
fn a_bad_that_inputs_set_is_an_input() {
    let mut model = with_latches(&[Reset::Zero], 2);
    let a = model.latches[0].state;
    let [x, y] = [0, 1].map(|number| model.inputs[number]);
    let differs = model.aig.xor(x, a);
    model.bads = vec![model.aig.and(!differs, y)];
    let reduced = check(&model, 0, &free_gates());
    assert_eq!(
        (reduced.model.inputs.len(), reduced.model.latches.len()),
        (1, 0)
    );
    model.constraints = vec![a];
    check(&model, 0, &free_gates());
}

#[test]
fn folded_constraints_bind_as_before() {
    let folding = Passes::NONE.with("folding");
    // The constraint fails after the bad, in its step, and before it.
    for fails_at in 0..4 {
        let mut model = with_latches(&[Reset::Zero; 3], 0);
        let [a, b, c] = [0, 1, 2].map(|number| model.latches[number].state);
        model.latches[0].next = Edge::TRUE;
        model.latches[1].next = a;
        model.latches[2].next = b;
        model.bads = vec![b];
        let steps = [[!a, !b, !c], [a, !b, !c], [a, b, !c], [a, b, c]];
        model.constraints = vec![!model.aig.and_all(steps[fails_at])];
        let reduced = check(&model, 0, &folding);
        assert_eq!(reduced.model.latches.len(), 4);
        assert_eq!(reduced.lift.latches()[3], None);
        assert!(reduced.model.constraints.is_empty());
        assert_eq!(explore(&reduced.model, 0).trace.is_some(), fails_at == 3);
    }
}

/// Latches under construction: state edges first, the rest is set by a test.
fn with_latches(resets: &[Reset], n_inputs: usize) -> Model {
    let mut model = Model::default();
    for &reset in resets {
        let state = model.aig.add_input();
        model.latches.push(Latch {
            state,
            next: state,
            reset,
        });
    }
    model.inputs = (0..n_inputs).map(|_| model.aig.add_input()).collect();
    model
}

#[test]
fn what_the_property_does_not_need_goes() {
    let mut model = with_latches(&[Reset::Zero; 3], 2);
    let [a, b, c] = [0, 1, 2].map(|number| model.latches[number].state);
    let [x, y] = [0, 1].map(|number| model.inputs[number]);
    model.latches[0].next = model.aig.xor(a, x);
    model.latches[1].next = model.aig.or(b, a);
    model.latches[2].next = model.aig.and(c, y);
    model.bads = vec![a, b];
    let reduced = check(&model, 0, &Passes::NONE.with("cone"));
    assert_eq!(
        (reduced.lift.latches(), reduced.model.inputs.len()),
        (vec![Some(0)], 1)
    );
    let reduced = check(&model, 1, &Passes::NONE.with("cone"));
    assert_eq!(reduced.lift.latches(), [Some(0), Some(1)]);
    // A constraint over another latch keeps that latch.
    model.constraints = vec![!c];
    let reduced = check(&model, 0, &Passes::NONE.with("cone"));
    assert_eq!(reduced.lift.latches(), [Some(0), Some(2)]);
}

#[test]
fn stuck_latches_become_constants() {
    let mut model = with_latches(&[Reset::Zero, Reset::One, Reset::Uninitialised], 1);
    let [a, b, c] = [0, 1, 2].map(|number| model.latches[number].state);
    let x = model.inputs[0];
    model.latches[0].next = model.aig.and(a, x);
    model.latches[1].next = model.aig.or(b, a);
    model.latches[2].next = c;
    let stuck = model.aig.and(!a, b);
    model.bads = vec![!stuck, c];
    let passes = Passes::NONE.with("constants").with("cone");
    let reduced = check(&model, 0, &passes);
    assert_eq!(
        (&reduced.model.bads[..], reduced.model.latches.len()),
        (&[Edge::FALSE][..], 0)
    );
    assert_eq!(reduced.lift.n_facts(), 2);
    let reduced = check(&model, 1, &passes);
    assert_eq!(
        reduced.lift.latches(),
        [Some(2)],
        "an uninitialised latch is not stuck at 0"
    );
}

#[test]
fn equal_latches_and_signals_meet() {
    // Two counters of two bits, the second one complemented, with the same steps.
    let mut model = with_latches(&[Reset::Zero, Reset::Zero, Reset::One, Reset::One], 1);
    let [a, b, c, d] = [0, 1, 2, 3].map(|number| model.latches[number].state);
    let x = model.inputs[0];
    let carry = model.aig.and(a, x);
    model.latches[0].next = model.aig.xor(a, x);
    model.latches[1].next = model.aig.xor(b, carry);
    let other_carry = model.aig.and(!c, x);
    model.latches[2].next = model.aig.iff(c, !x);
    model.latches[3].next = !model.aig.xor(!d, other_carry);
    let low = model.aig.iff(a, c);
    let high = model.aig.iff(b, d);
    model.bads = vec![model.aig.or(low, high)];
    let latches = Passes::NONE.with("latches").with("cone");
    let reduced = check(&model, 0, &latches);
    assert_eq!(reduced.model.bads, [Edge::FALSE]);
    let signals = latches.with("signals");
    let reduced = check(&model, 0, &signals);
    assert_eq!(reduced.model.bads, [Edge::FALSE]);
}

#[test]
fn equalities_may_rest_on_constraints_of_earlier_steps_only() {
    // Two latches that load different inputs, which a constraint forces to be equal.
    let mut model = with_latches(&[Reset::Zero, Reset::Zero], 2);
    let [a, b] = [0, 1].map(|number| model.latches[number].state);
    let [x, y] = [0, 1].map(|number| model.inputs[number]);
    model.latches[0].next = x;
    model.latches[1].next = y;
    let equal = model.aig.iff(x, y);
    let differ = model.aig.xor(a, b);
    model.constraints = vec![equal];
    model.bads = vec![differ];
    let reduced = check(&model, 0, &Passes::ALL);
    assert_eq!(reduced.model.bads, [Edge::FALSE]);
    // Conversely: the constraint is about the latches, and the bad step itself has to satisfy it.
    model.constraints = vec![!differ];
    model.bads = vec![model.aig.xor(x, y)];
    let reduced = check(&model, 0, &Passes::ALL);
    assert_eq!(
        reduced.model.constraints.len(),
        1,
        "the constraint must stay"
    );
}

#[test]
fn odd_models_survive() {
    for bad in [Edge::FALSE, Edge::TRUE] {
        for constraints in [vec![], vec![Edge::TRUE], vec![Edge::FALSE]] {
            // Neither latches nor inputs.
            let model = Model {
                bads: vec![bad],
                constraints: constraints.clone(),
                ..Model::default()
            };
            for passes in variants() {
                check(&model, 0, &passes);
            }
            // Latches, but nothing that depends on them.
            let mut model = with_latches(&[Reset::Uninitialised, Reset::One], 1);
            model.bads = vec![bad];
            model.constraints = constraints;
            for passes in variants() {
                check(&model, 0, &passes);
            }
        }
    }
    // A constraint that excludes every initial state.
    let mut model = with_latches(&[Reset::Zero], 0);
    let a = model.latches[0].state;
    model.constraints = vec![a];
    model.bads = vec![Edge::TRUE];
    for passes in variants() {
        assert!(explore(&check(&model, 0, &passes).model, 0).trace.is_none());
    }
}

#[test]
fn a_model_can_have_thousands_of_constraints() {
    let mut model = with_latches(&[Reset::Zero, Reset::Zero], 2);
    let [a, b] = [0, 1].map(|number| model.latches[number].state);
    let [x, y] = [0, 1].map(|number| model.inputs[number]);
    model.latches[0].next = x;
    model.latches[1].next = y;
    let equal = model.aig.iff(x, y);
    model.constraints = vec![equal; 3000];
    model.bads = vec![model.aig.xor(a, b)];
    check(&model, 0, &Passes::ALL);
}
