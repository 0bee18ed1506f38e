//! Traces and lassos by all values of what they leave open.

use std::collections::BTreeMap;

use craig_aig::{Edge, Random};
use craig_model::{Lasso, Latch, Model, Reset, Trace, Values};

use super::{Size, any_edge, circuit, evaluated, formula, holds, starts};
use crate::{CertifyError, certify_any, certify_lasso, certify_trace};

const SIZE: Size = Size {
    inputs: 2,
    latches: 3,
    gates: 6,
};

/// The values of a run that leaves nothing open: those of all nodes, by step, and the state after the last one.
struct Run {
    steps: Vec<Vec<bool>>,
    end: Vec<bool>,
}

/// The runs with all values of what is open, or a latch that does not start at its reset.
fn runs(model: &Model, initial: &Values, inputs: &[Values]) -> Result<Vec<Run>, usize> {
    // A latch without a value whose reset is a constant starts there, and one with a function at its value.
    for (number, (latch, value)) in model.latches.iter().zip(initial).enumerate() {
        let reset = latch.reset.value();
        if value.is_some() && reset.is_some() && *value != reset {
            return Err(number);
        }
    }
    let starts_open = |(latch, value): (&Latch, &Option<bool>)| {
        value.is_none() && latch.reset == Reset::Uninitialised
    };
    let n_open_latches = model
        .latches
        .iter()
        .zip(initial)
        .filter(|&pair| starts_open(pair))
        .count();
    let n_open = n_open_latches
        + inputs
            .iter()
            .flatten()
            .filter(|value| value.is_none())
            .count();
    let mut all = Vec::new();
    for number in 0..1_usize << n_open {
        let mut place = 0;
        let mut open = || {
            place += 1;
            number >> (place - 1) & 1 == 1
        };
        let mut state: Vec<bool> = (model.latches.iter().zip(initial))
            .map(|(latch, value)| match latch.reset {
                Reset::Function(_) => false,
                _ => value.or(latch.reset.value()).unwrap_or_else(&mut open),
            })
            .collect();
        let inputs = inputs.iter().map(|values| {
            let values = values.iter().map(|value| value.unwrap_or_else(&mut open));
            values.collect::<Vec<bool>>()
        });
        let inputs: Vec<Vec<bool>> = inputs.collect();
        let variables = |inputs: &[bool], state: &[bool]| [inputs, state].concat();
        // Functions have an order: each round is right for one more of them.
        for _ in 0..model.latches.len() {
            let values = evaluated(model, variables(&inputs[0], &state));
            for (latch, value) in model.latches.iter().zip(&mut state) {
                if let Reset::Function(edge) = latch.reset {
                    *value = holds(&values, edge);
                }
            }
        }
        let differs = (initial.iter().zip(&state))
            .position(|(given, &value)| given.is_some_and(|given| given != value));
        if let Some(latch) = differs {
            return Err(latch);
        }
        let mut steps = Vec::new();
        for inputs in &inputs {
            let values = evaluated(model, variables(inputs, &state));
            state = model
                .latches
                .iter()
                .map(|latch| holds(&values, latch.next))
                .collect();
            steps.push(values);
        }
        assert!(model.latches.iter().all(|latch| starts(&steps[0], latch)));
        all.push(Run { steps, end: state });
    }
    Ok(all)
}

/// The first step in which one of the bads holds, with the constraints up to it.
fn shown(model: &Model, bads: &[Edge], run: &Run) -> Option<usize> {
    for (step, values) in run.steps.iter().enumerate() {
        if !model.constraints.iter().all(|&edge| holds(values, edge)) {
            return None;
        }
        if bads.iter().any(|&bad| holds(values, bad)) {
            return Some(step);
        }
    }
    None
}

fn any_values(n: usize, random: &mut Random) -> Values {
    let one = |_| (random.below(4) > 0).then(|| random.flip());
    (0..n).map(one).collect()
}

/// Values of the latches, at their constants as a rule.
fn any_start(model: &Model, random: &mut Random) -> Values {
    let own = any_values(model.latches.len(), random);
    let latches = model.latches.iter().zip(own);
    let one = |(latch, own): (&Latch, Option<bool>)| match latch.reset.value() {
        Some(reset) if random.below(10) > 0 => own.map(|_| reset),
        _ => own,
    };
    latches.map(one).collect()
}

#[test]
fn traces_are_judged_as_enumeration_does() {
    let mut random = Random::new(53);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..4000 {
        let model = circuit(SIZE, &mut random);
        let n_steps = random.below(5);
        let initial = any_start(&model, &mut random);
        let inputs: Vec<Values> = (0..n_steps)
            .map(|_| any_values(model.inputs.len(), &mut random))
            .collect();
        let trace = Trace {
            property: 0,
            initial,
            inputs,
        };
        let runs = match n_steps {
            0 => Ok(Vec::new()),
            _ => runs(&model, &trace.initial, &trace.inputs),
        };
        let matches = |judged: Result<usize, CertifyError>, bads: &[Edge]| {
            let expected = match &runs {
                Err(_) => None,
                Ok(runs) => runs
                    .iter()
                    .map(|run| shown(&model, bads, run))
                    .max_by_key(|step| step.unwrap_or(usize::MAX)),
            };
            match (&judged, &runs, expected.flatten()) {
                (Err(CertifyError::TraceReset { latch }), Err(_), _) => {
                    may_differ(&model, &trace, *latch)
                }
                (Err(CertifyError::TraceBad), Ok(_), None) => true,
                (Ok(step), Ok(runs), Some(expected)) => {
                    *step == expected && runs.iter().all(|run| shown(&model, bads, run).is_some())
                }
                _ => false,
            }
        };
        let one = certify_trace(&model, 1, &trace);
        let kind = match &one {
            Ok(step) => format!("{step}"),
            Err(CertifyError::TraceReset { .. }) => "reset".to_owned(),
            Err(_) => "bad".to_owned(),
        };
        *counts.entry(kind).or_default() += 1;
        assert!(matches(one, &model.bads[1..]), "{model:?} {trace:?}");
        assert!(
            matches(certify_any(&model, &trace), &model.bads),
            "{model:?} {trace:?}"
        );
    }
    assert!(
        counts.len() >= 5 && counts.values().all(|&count| count > 5),
        "{counts:?}"
    );
}

/// Whether a latch differs from its reset for some values of what is open, by a run without the values of the others' functions.
fn may_differ(model: &Model, trace: &Trace, latch: usize) -> bool {
    let mut alone = trace.initial.clone();
    for (number, value) in alone.iter_mut().enumerate() {
        if number != latch && model.latches[number].reset != Reset::Uninitialised {
            *value = None;
        }
    }
    runs(model, &alone, &trace.inputs).err() == Some(latch)
}

/// The first requirement of a lasso that some run misses.
fn missed(model: &Model, lasso: &Lasso, runs: &[Run]) -> Option<String> {
    let misses = |holds: &dyn Fn(&Run) -> bool| runs.iter().any(|run| !holds(run));
    for step in 0..lasso.inputs.len() {
        for (number, &constraint) in model.constraints.iter().enumerate() {
            if misses(&|run| holds(&run.steps[step], constraint)) {
                return Some(format!("constraint {number} is violated in step {step}"));
            }
        }
    }
    for (number, latch) in model.latches.iter().enumerate() {
        if misses(&|run| holds(&run.steps[lasso.loop_start], latch.state) == run.end[number]) {
            return Some(format!("the loop is not closed: latch {number} differs"));
        }
    }
    let met = |run: &Run, literal: Edge| {
        run.steps[lasso.loop_start..]
            .iter()
            .any(|values| holds(values, literal))
    };
    for (number, &literal) in model.fairness.iter().enumerate() {
        if misses(&|run| met(run, literal)) {
            return Some(format!(
                "fairness literal {number} does not hold in the loop"
            ));
        }
    }
    for (number, &literal) in model.justice[lasso.property].iter().enumerate() {
        if misses(&|run| met(run, literal)) {
            return Some(format!(
                "literal {number} of the property does not hold in the loop"
            ));
        }
    }
    None
}

#[test]
fn lassos_are_judged_as_enumeration_does() {
    let mut random = Random::new(54);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..6000 {
        let mut model = circuit(SIZE, &mut random);
        let mut literals = |most: usize| {
            let n = random.below(most + 1);
            (0..n)
                .map(|_| match random.below(3) {
                    0 => formula(&mut model, &mut random),
                    _ => any_edge(&model, &mut random),
                })
                .collect::<Vec<Edge>>()
        };
        let (fairness, justice) = (literals(2), vec![vec![], literals(2)]);
        (model.fairness, model.justice) = (fairness, justice);
        let n_steps = 1 + random.below(4);
        let initial = any_start(&model, &mut random);
        let lasso = Lasso {
            property: random.below(2),
            initial,
            inputs: (0..n_steps)
                .map(|_| any_values(model.inputs.len(), &mut random))
                .collect(),
            loop_start: random.below(n_steps),
        };
        let judged = certify_lasso(&model, &lasso);
        let expected = match runs(&model, &lasso.initial, &lasso.inputs) {
            Err(_) => {
                assert!(
                    matches!(judged, Err(CertifyError::TraceReset { .. })),
                    "{model:?} {lasso:?} {judged:?}"
                );
                continue;
            }
            Ok(runs) => match missed(&model, &lasso, &runs) {
                None => Ok(()),
                Some(text) => Err(CertifyError::Lasso(text)),
            },
        };
        assert_eq!(judged, expected, "{model:?} {lasso:?}");
        let kind = expected.map_or_else(|error| error.to_string(), |()| "right".to_owned());
        *counts.entry(kind).or_default() += 1;
    }
    let least = [
        "right",
        "constraint 0 is violated in step 2",
        "latch 2 differs",
        "fairness literal 1",
        "literal 1 of",
    ];
    let covers = |text: &&str| {
        counts
            .iter()
            .any(|(kind, &count)| kind.contains(*text) && count > 5)
    };
    assert!(least.iter().all(covers), "{counts:?}");
}

/// A latch that starts at an open input has the value of that input in the first step.
#[test]
fn resets_read_the_inputs_of_the_first_step() {
    let mut model = Model::default();
    let [input, state] = [0; 2].map(|_| model.aig.add_input());
    model.inputs.push(input);
    let reset = Reset::Function(input);
    let next = state;
    model.latches.push(Latch { state, next, reset });
    let same = model.aig.iff(input, state);
    model.constraints.push(same);
    model.bads.push(same);
    model.justice.push(vec![same]);
    let (initial, inputs) = (vec![None], vec![vec![None]]);
    let trace = Trace {
        property: 0,
        initial: initial.clone(),
        inputs: inputs.clone(),
    };
    assert_eq!(certify_trace(&model, 0, &trace), Ok(0));
    let lasso = Lasso {
        property: 0,
        initial,
        inputs,
        loop_start: 0,
    };
    assert_eq!(certify_lasso(&model, &lasso), Ok(()));
}

/// Runs have a value for each latch and input, and lassos a property and a loop.
#[test]
fn runs_that_do_not_fit_the_circuit_are_refused() {
    let mut model = Model::default();
    let [input, state] = [0; 2].map(|_| model.aig.add_input());
    model.inputs.push(input);
    model.latches.push(Latch {
        state,
        next: state,
        reset: Reset::Uninitialised,
    });
    model.bads.push(model.aig.and(input, state));
    model.justice.push(vec![state]);
    let [on, none, two] = [vec![Some(true)], vec![], vec![Some(true); 2]];
    let trace = |initial: &Values, inputs: &[&Values]| Trace {
        property: 0,
        initial: initial.clone(),
        inputs: inputs.iter().map(|&values| values.clone()).collect(),
    };
    let judge = |property: usize, trace: &Trace| certify_trace(&model, property, trace);
    assert_eq!(judge(0, &trace(&on, &[&on])), Ok(0));
    assert_eq!(judge(0, &trace(&on, &[])), Err(CertifyError::TraceBad));
    let off = vec![Some(false)];
    for (property, wrong) in [
        (1, trace(&on, &[&on])),
        (0, trace(&none, &[&on])),
        (0, trace(&two, &[&on])),
        (0, trace(&on, &[&none])),
        (0, trace(&on, &[&two])),
        (0, trace(&on, &[&off, &none])),
        (0, trace(&on, &[&off, &two])),
    ] {
        let judged = judge(property, &wrong);
        assert!(
            matches!(judged, Err(CertifyError::Shape(_))),
            "{wrong:?} {judged:?}"
        );
    }
    let lasso = |property: usize, initial: &Values, inputs: &[&Values], loop_start: usize| {
        let Trace {
            initial, inputs, ..
        } = trace(initial, inputs);
        certify_lasso(
            &model,
            &Lasso {
                property,
                initial,
                inputs,
                loop_start,
            },
        )
    };
    assert_eq!(lasso(0, &on, &[&on], 0), Ok(()));
    for judged in [
        lasso(1, &on, &[&on], 0),
        lasso(0, &none, &[&on], 0),
        lasso(0, &two, &[&on], 0),
        lasso(0, &on, &[&none], 0),
        lasso(0, &on, &[&two], 0),
        lasso(0, &on, &[&on, &none], 0),
    ] {
        assert!(matches!(judged, Err(CertifyError::Shape(_))), "{judged:?}");
    }
    for judged in [lasso(0, &on, &[&on], 1), lasso(0, &on, &[], 0)] {
        assert!(matches!(judged, Err(CertifyError::Lasso(_))), "{judged:?}");
    }
}
