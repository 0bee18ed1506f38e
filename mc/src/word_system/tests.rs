//! Derived systems of random small ones, of which the exact circuit of bits is the judge.

use craig_aig::Random;
use craig_certify::{certify_certificate, certify_trace};
use craig_model::{Model, Outcome, Stop, UnknownReason, Verdict, simulate::replay};
use craig_word::{Node, Op, Sort, Term};

use super::execute::Execution;
use super::random_systems::random_system;
use super::reduce::{PASSES, Pass};
use super::{
    Blasted, Derived, WordState, WordStep, WordSystem, blast, chains, operators, predicates, reads,
    reduce,
};
use crate::control::Alone;
use crate::engine::options::Settings;
use crate::engine::{bmc, registry};

fn pdr(model: &Model) -> Outcome {
    let engine = registry::find("pdr").unwrap();
    (engine.build)(&Settings::default())(model, 0, Alone::new().control())
}

fn is_safe(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Safe(_) => true,
        Verdict::Unsafe(_) => false,
        Verdict::Unknown(reason) => panic!("{reason}"),
    }
}

/// The exact answer about bad 1.
fn exact(full: &Blasted) -> bool {
    is_safe(&pdr(&full.model.with_single_bad(1)).verdict)
}

/// Checks evidence about bad 1 on the circuit of bits.
fn check(full: &Blasted, verdict: &Verdict, seed: u64) {
    match verdict {
        Verdict::Safe(certificate) => {
            let result = certify_certificate(&full.model, 1, certificate);
            assert!(result.is_ok(), "seed {seed}: {result:?}");
        }
        Verdict::Unsafe(trace) => {
            let result = certify_trace(&full.model, 1, trace);
            assert!(result.is_ok(), "seed {seed}: {result:?}");
        }
        Verdict::Unknown(reason) => panic!("seed {seed}: {reason}"),
    }
}

/// Each pass alone, and all of them: the answer is the same, and the evidence holds for the original.
#[test]
fn passes_keep_the_answer_and_lift_evidence() {
    let mut n_changed = [0; PASSES.len() + 1];
    let mut n_facts = 0;
    let mut answers = [0; 2];
    // The last ones had wrong evidence once.
    for seed in (0..250).chain([848, 1485, 2140, 3518, 5132, 7713, 13421, 15753]) {
        let system = random_system(seed, 2);
        let full = blast(&system).unwrap();
        let is_exactly_safe = exact(&full);
        answers[usize::from(is_exactly_safe)] += 1;
        for (variant, n_changed) in n_changed.iter_mut().enumerate() {
            let mut derived = Derived::new(&system, 1);
            let before = derived.system.states.len();
            let has_changed = match PASSES.get(variant) {
                Some(Pass { run, .. }) => run(&mut derived, &Stop::new()),
                None => {
                    reduce::run(&mut derived, &Stop::new());
                    derived.system.states.len() < before
                }
            };
            *n_changed += usize::from(has_changed);
            n_facts += derived.n_facts();
            if !has_changed && variant > 0 {
                continue;
            }
            let own = blast(&derived.system).unwrap();
            let outcome = derived.lift_outcome(&system, &full, &own, pdr(&own.model));
            let verdict = outcome.unwrap().verdict;
            assert_eq!(
                is_safe(&verdict),
                is_exactly_safe,
                "seed {seed}, pass {variant}"
            );
            check(&full, &verdict, seed);
        }
    }
    assert!(n_changed.iter().all(|&n| n > 20), "{n_changed:?}");
    assert!(
        n_facts > 100 && answers.iter().all(|&n| n > 40),
        "{n_facts} {answers:?}"
    );
}

/// A state is needed in full only as the first value of one that is the first value of another.
#[test]
fn first_values_are_needed_through_other_states() {
    let mut system = WordSystem::default();
    let terms = &mut system.terms;
    let [x, y, z] = [(); 3].map(|()| terms.variable(2));
    let [zero, one] = [0, 1].map(|value| terms.constant(value, 2));
    let upper = terms.extract(x, 1, 1);
    let next = terms.concat(upper, upper);
    let state = |state: Term, init: Term, next: Term| WordState {
        state,
        init: Some(init),
        next: Some(next),
    };
    let (reached, below) = (terms.eq(z, one), terms.not(upper));
    let bad = terms.and(reached, below);
    system.states = vec![state(x, one, next), state(y, x, zero), state(z, y, zero)];
    system.bads = vec![bad];
    let full = blast(&system).unwrap();
    let mut derived = Derived::new(&system, 0);
    let slices = PASSES.iter().find(|pass| pass.name == "slices").unwrap();
    (slices.run)(&mut derived, &Stop::new());
    let own = blast(&derived.system).unwrap();
    let outcome = derived.lift_outcome(&system, &full, &own, pdr(&own.model));
    match outcome.unwrap().verdict {
        Verdict::Unsafe(trace) => assert!(certify_trace(&full.model, 0, &trace).is_ok()),
        verdict => panic!("{verdict:?}"),
    }
}

/// The part that is used of a word keeps a constant, and the word does not: the certificate has to say so.
#[test]
fn a_part_that_is_constant_is_a_fact() {
    let mut system = WordSystem::default();
    let terms = &mut system.terms;
    let (word, input) = (terms.variable(4), terms.variable(2));
    let zero = terms.constant(0, 4);
    let upper = terms.extract(word, 2, 2);
    let next = terms.concat(upper, input);
    let bad = terms.extract(word, 3, 1);
    system.inputs = vec![input];
    system.states = vec![WordState {
        state: word,
        init: Some(zero),
        next: Some(next),
    }];
    system.bads = vec![bad];
    let full = blast(&system).unwrap();
    let mut derived = Derived::new(&system, 0);
    let slices = PASSES.iter().find(|pass| pass.name == "slices").unwrap();
    assert!((slices.run)(&mut derived, &Stop::new()));
    let own = blast(&derived.system).unwrap();
    assert_eq!(own.constant_states, [0]);
    let outcome = derived.lift_outcome(&system, &full, &own, pdr(&own.model));
    match outcome.unwrap().verdict {
        Verdict::Safe(certificate) => {
            assert!(certify_certificate(&full.model, 0, &certificate).is_ok());
        }
        verdict => panic!("{verdict:?}"),
    }
}

/// Operations of any size as inputs: no verdict differs from the exact one.
#[test]
fn abstractions_of_operators_agree_with_the_exact_circuit() {
    let (mut n_safe, mut n_unsafe, mut n_refined, mut n_abstract_proofs) = (0, 0, 0, 0);
    for seed in 1000..2200 {
        let system = random_system(seed, 3);
        let full = blast(&system).unwrap();
        let mut search = |model: &Model| Ok::<Outcome, ()>(pdr(model));
        let decided = operators::decide(&system, &full, 1, 1, &Stop::new(), &mut search).unwrap();
        let Some(decided) = decided else {
            continue;
        };
        let is_exactly_safe = exact(&full);
        n_refined += usize::from(decided.n_rounds > 1);
        match decided.outcome.verdict {
            // All operations have become exact.
            Verdict::Unknown(_) => continue,
            Verdict::Safe(_) => {
                n_safe += 1;
                n_abstract_proofs += usize::from(decided.n_inputs > 0);
            }
            Verdict::Unsafe(_) => n_unsafe += 1,
        }
        assert_eq!(
            is_safe(&decided.outcome.verdict),
            is_exactly_safe,
            "seed {seed}"
        );
        check(&full, &decided.outcome.verdict, seed);
    }
    assert!(
        n_safe > 50 && n_unsafe > 50 && n_refined > 25 && n_abstract_proofs > 40,
        "{n_safe} {n_unsafe} {n_refined} {n_abstract_proofs}"
    );
}

/// Reads of memories as inputs: no verdict differs from the exact one.
#[test]
fn abstractions_of_memories_agree_with_the_exact_circuit() {
    let (mut n_safe, mut n_unsafe) = (0, 0);
    for seed in 4000..4700 {
        let system = random_system(seed, 2);
        let full = blast(&system).unwrap();
        let mut search = |model: &Model| Ok::<Outcome, ()>(pdr(model));
        let decided = reads::decide(&system, &full, 1, &Stop::new(), &mut search).unwrap();
        let Some(decided) = decided else {
            continue;
        };
        match decided.outcome.verdict {
            // All memories have become exact.
            Verdict::Unknown(_) => continue,
            Verdict::Safe(_) => n_safe += 1,
            Verdict::Unsafe(_) => n_unsafe += 1,
        }
        assert_eq!(
            is_safe(&decided.outcome.verdict),
            exact(&full),
            "seed {seed}"
        );
        check(&full, &decided.outcome.verdict, seed);
    }
    assert!(n_safe > 8 && n_unsafe > 2, "{n_safe} {n_unsafe}");
}

/// Predicates on words of any width: no verdict differs from the exact one.
#[test]
fn predicates_agree_with_the_exact_circuit() {
    let (mut n_safe, mut n_unsafe, mut n_refined) = (0, 0, 0);
    for seed in 6000..6600 {
        let system = random_system(seed, 3);
        let full = blast(&system).unwrap();
        let own = Alone::new();
        let Some(decided) = predicates::decide(&system, &full, 1, 2, own.control()) else {
            continue;
        };
        n_refined += usize::from(decided.n_rounds > 1);
        let is_safe = is_safe(&decided.outcome.verdict);
        match is_safe {
            true => n_safe += 1,
            false => n_unsafe += 1,
        }
        assert_eq!(is_safe, exact(&full), "seed {seed}");
        check(&full, &decided.outcome.verdict, seed);
    }
    assert!(
        n_safe > 50 && n_unsafe > 50 && n_refined > 20,
        "{n_safe} {n_unsafe} {n_refined}"
    );
}

/// A counter that goes on where a memory has 0, and does not pass 5 anyway, is decided without words. One that goes on where it
/// has something else passes 5 with such a content.
#[test]
fn memories_are_opened_where_they_matter() {
    let counter = |is_ended: bool, is_bound: bool| {
        let mut system = WordSystem::default();
        let terms = &mut system.terms;
        let (index, element) = (4, 3);
        let memory = terms.variable_of(Sort::Array { index, element });
        let (address, count) = (terms.variable(index), terms.variable(element));
        let [zero, one, five, seven] = [0, 1, 5, 7].map(|value| terms.constant(value, element));
        let read = terms.select(memory, address);
        let goes_on = terms.eq(read, zero);
        let goes_on = match is_bound {
            true => terms.not(goes_on),
            false => goes_on,
        };
        let mut next = terms.add(count, one);
        if is_ended {
            let is_last = terms.eq(count, five);
            next = terms.ite(is_last, zero, next);
        }
        let next = terms.ite(goes_on, next, count);
        let bad = terms.eq(count, seven);
        let written = match is_bound {
            true => memory,
            false => terms.store(memory, address, zero),
        };
        system.inputs = vec![address];
        system.states = vec![
            WordState {
                state: memory,
                init: None,
                next: Some(written),
            },
            WordState {
                state: count,
                init: Some(zero),
                next: Some(next),
            },
        ];
        system.bads = vec![bad];
        system
    };
    let decide = |system: &WordSystem| {
        let full = blast(system).unwrap();
        let mut search = |model: &Model| Ok::<Outcome, ()>(pdr(model));
        let decided = reads::decide(system, &full, 0, &Stop::new(), &mut search).unwrap();
        (full, decided.expect("the memory is most of the system"))
    };
    let (full, decided) = decide(&counter(true, false));
    assert_eq!((decided.n_rounds, decided.n_inputs), (1, 1));
    match decided.outcome.verdict {
        Verdict::Safe(certificate) => {
            assert!(certify_certificate(&full.model, 0, &certificate).is_ok());
        }
        verdict => panic!("{verdict:?}"),
    }
    // The memory keeps what it has, and one word that is not 0 is enough.
    let (full, decided) = decide(&counter(false, true));
    assert_eq!((decided.n_rounds, decided.n_inputs), (1, 1));
    match decided.outcome.verdict {
        Verdict::Unsafe(trace) => assert!(certify_trace(&full.model, 0, &trace).is_ok()),
        verdict => panic!("{verdict:?}"),
    }
}

/// What is said about an operation is true, at all values of small words.
#[test]
fn facts_about_operations_are_true() {
    for op in [Op::Mul, Op::UDiv, Op::URem, Op::SDiv, Op::SRem] {
        for width in 1..=4 {
            let mut terms = craig_word::Terms::new();
            let [a, b, c, d] = [0; 4].map(|_| terms.variable(width));
            let [first, second] = [0; 2].map(|_| terms.variable(width));
            if width == 1 && op == Op::Mul {
                continue;
            }
            let value = operators::facts::known_values(&mut terms, op, [a, b], first);
            let mut holds = operators::facts::ranges(&mut terms, op, [a, b], first);
            holds.push(terms.eq(value, first));
            let pair = [[a, b], [c, d]];
            holds.push(operators::facts::consistent(
                &mut terms,
                op,
                pair,
                [first, second],
            ));
            for number in 0..1_u32 << (4 * width) {
                let of =
                    |place: u32| u128::from(number >> (place * width)) & craig_word::mask(width);
                let operation = |x, y| craig_word::binary(op, x, y, width);
                let mut values = craig_word::Evaluator::new(&terms, |_, _| 0);
                for (place, term) in [a, b, c, d].into_iter().enumerate() {
                    values.set(term, of(place as u32));
                }
                values.set(first, operation(of(0), of(1)));
                values.set(second, operation(of(2), of(3)));
                for (place, &fact) in holds.iter().enumerate() {
                    assert_eq!(values.value(fact), 1, "{op:?} {width} {number:b} {place}");
                }
            }
        }
    }
}

/// A constraint that was rewritten by facts follows from the original's only where the facts hold.
#[test]
fn constraints_about_equal_states_are_lifted() {
    let mut system = WordSystem::default();
    let terms = &mut system.terms;
    let [one, two, input] = [0; 3].map(|_| terms.variable(2));
    let zero = terms.constant(0, 2);
    for state in [one, two] {
        system.states.push(WordState {
            state,
            init: Some(zero),
            next: Some(input),
        });
    }
    system.inputs = vec![input];
    let low = terms.extract(two, 0, 1);
    system.constraints = vec![terms.not(low)];
    system.bads = vec![terms.boolean(true), terms.extract(one, 0, 1)];
    let full = blast(&system).unwrap();
    let mut derived = Derived::new(&system, 1);
    reduce::run(&mut derived, &Stop::new());
    assert_eq!(derived.n_facts(), 1);
    let own = blast(&derived.system).unwrap();
    let outcome = derived
        .lift_outcome(&system, &full, &own, pdr(&own.model))
        .unwrap();
    assert!(is_safe(&outcome.verdict));
    check(&full, &outcome.verdict, 0);
}

/// The system runs as its circuit of bits does.
#[test]
fn executions_follow_the_circuit_of_bits() {
    let mut n_bads = 0;
    for seed in 0..100 {
        let system = random_system(seed, 2);
        let full = blast(&system).unwrap();
        let mut random = Random::new(seed);
        let mut value = |n: usize| {
            (0..n)
                .map(|_| Some(random.below(2) == 1))
                .collect::<Vec<_>>()
        };
        let initial = full
            .model
            .latches
            .iter()
            .zip(value(full.model.latches.len()));
        let trace = craig_model::Trace {
            property: 1,
            initial: initial
                .map(|(latch, value)| latch.reset.value().map(Some).unwrap_or(value))
                .collect(),
            inputs: (0..6).map(|_| value(full.model.inputs.len())).collect(),
        };
        let bits = replay(&full.model, &trace).unwrap();
        let words: Vec<WordStep> = full.lift(&trace.initial, &trace.inputs);
        let mut execution = Execution::new(&system);
        for (bits, step) in bits.iter().zip(&words) {
            let mut values = execution.begin(step, |_| false);
            assert_eq!(
                values.value(system.bads[1]) == 1,
                bits.bads[1],
                "seed {seed}"
            );
            n_bads += usize::from(bits.bads[1]);
            execution.end(&mut values);
        }
    }
    assert!(n_bads > 30, "{n_bads}");
}

/// Two memories that are written alike are one, and so are constants.
#[test]
fn memories_that_are_written_alike_are_one() {
    let mut system = WordSystem::default();
    let terms = &mut system.terms;
    let sort = Sort::Array {
        index: 40,
        element: 8,
    };
    let [one, two, rom] = [0; 3].map(|_| terms.variable_of(sort));
    let (at, data) = (terms.variable(40), terms.variable(8));
    let zero = terms.constant(0, 8);
    let empty = terms.constant_array(40, zero);
    for state in [one, two] {
        let next = terms.store(state, at, data);
        system.states.push(WordState {
            state,
            init: Some(empty),
            next: Some(next),
        });
    }
    system.states.push(WordState {
        state: rom,
        init: Some(empty),
        next: Some(rom),
    });
    system.inputs = vec![at, data];
    let (left, right, other) = (
        terms.select(one, at),
        terms.select(two, at),
        terms.select(rom, at),
    );
    let differ = terms.eq(left, right);
    let differ = terms.not(differ);
    let is_zero = terms.eq(other, zero);
    let is_set = terms.not(is_zero);
    system.bads = vec![terms.or(differ, is_set)];
    let mut derived = Derived::new(&system, 0);
    reduce::run(&mut derived, &Stop::new());
    assert!(derived.system.states.is_empty());
    assert_eq!(
        derived.system.terms.node(derived.system.bads[0]),
        Node::Const(0)
    );
}

/// Errors are found with memories as chains of writes exactly where the circuit of bits has them, as early, and
/// the runs are runs of the system.
#[test]
fn chains_of_writes_find_the_errors_of_the_circuit_of_bits() {
    const LAST: usize = 8;
    let (mut n_found, mut n_with_memories) = (0, 0);
    for seed in 3000..3600 {
        let system = random_system(seed, 2);
        let full = blast(&system).unwrap();
        let options = bmc::Options {
            max_depth: Some(LAST),
            ..bmc::Options::default()
        };
        let exact = bmc::check(&full.model, 1, &options, Alone::new().control());
        let bounds = |propagations| chains::Bounds {
            last: Some(LAST),
            propagations,
        };
        let run = chains::search(&system, 1, bounds(None), Alone::new().control());
        // No run is lost where another unrolling goes ahead.
        let ahead = chains::search(&system, 1, bounds(Some(0)), Alone::new().control());
        assert_eq!(run.is_ok(), ahead.is_ok(), "seed {seed}");
        let Verdict::Unsafe(trace) = exact.verdict else {
            assert!(run.is_err(), "seed {seed}");
            continue;
        };
        let run = match run {
            Ok(run) => run,
            Err(UnknownReason::Unsupported(_)) => continue,
            Err(reason) => panic!("seed {seed}: {reason}"),
        };
        n_found += 1;
        let mut states = system.states.iter();
        n_with_memories += usize::from(states.any(|state| system.terms.is_array(state.state)));
        assert_eq!(run.len(), trace.inputs.len(), "seed {seed}");
        let mut execution = Execution::new(&system);
        for (number, step) in run.iter().enumerate() {
            let mut values = execution.begin(step, |_| false);
            for &constraint in &system.constraints {
                assert_eq!(values.value(constraint), 1, "seed {seed}, step {number}");
            }
            let is_bad = values.value(system.bads[1]) == 1;
            assert_eq!(
                is_bad,
                number + 1 == run.len(),
                "seed {seed}, step {number}"
            );
            execution.end(&mut values);
        }
    }
    assert!(
        n_found > 150 && n_with_memories > 50,
        "{n_found} {n_with_memories}"
    );
}

/// Passes on words, and the search for what an abstraction lacks, may be stopped at each question.
#[test]
fn passes_on_words_may_be_stopped_anywhere() {
    let mut n_stopped = 0;
    for seed in 0..60 {
        let system = random_system(seed, 2);
        for pass in &PASSES {
            for questions in 0..6 {
                let mut derived = Derived::new(&system, 1);
                let states = derived.system.states.len();
                let stop = Stop::after_questions(questions);
                let has_changed = (pass.run)(&mut derived, &stop);
                if !has_changed {
                    assert_eq!(derived.system.states.len(), states);
                    assert_eq!(derived.n_facts(), 0);
                }
                n_stopped += usize::from(stop.reason().is_some());
            }
        }
        let full = blast(&system).unwrap();
        for questions in 0..12 {
            let stop = Stop::after_questions(questions);
            let mut search = |model: &Model| Ok::<_, ()>(pdr(model));
            let decided = operators::decide(&system, &full, 1, 1, &stop, &mut search).unwrap();
            let Some(decided) = decided else {
                continue;
            };
            match &decided.outcome.verdict {
                Verdict::Safe(certificate) => {
                    assert!(certify_certificate(&full.model, 1, certificate).is_ok());
                }
                Verdict::Unsafe(trace) => assert!(certify_trace(&full.model, 1, trace).is_ok()),
                Verdict::Unknown(_) => {}
            }
        }
    }
    assert!(n_stopped > 60, "{n_stopped}");
}
