//! Passes that are stopped: the model and its lifting stay consistent.

use craig_aig::{Edge, Random};
use craig_model::Stop;
use craig_model::{Latch, Model, Reset, Trace, simulate::replay};

use super::pass::Task;
use super::rebuild::Scope;
use super::{Pass, ROWS, Reduced, Resets, When};
use crate::control::Alone;

/// Random gates, many enough for several questions whether to stop in each loop, with stuck and equal latches, and gates
/// that only free inputs feed.
fn large_model() -> Model {
    let mut random = Random::new(11);
    let mut model = Model::default();
    let mut edges: Vec<Edge> = (0..30).map(|_| model.aig.add_input()).collect();
    model.inputs.clone_from(&edges);
    let states: Vec<Edge> = (0..60).map(|_| model.aig.add_input()).collect();
    edges.extend(&states);
    let fresh: Vec<Edge> = (0..40).map(|_| model.aig.add_input()).collect();
    model.inputs.extend(&fresh);
    edges.extend(fresh.chunks(2).map(|pair| model.aig.and(pair[0], !pair[1])));
    let mut nexts = states.clone();
    while model.aig.n_nodes() < 12_000 {
        let [left, right] = [0; 2].map(|_| {
            let last = edges.len().saturating_sub(400);
            edges[last + random.below(edges.len() - last)].negate_if(random.flip())
        });
        edges.push(model.aig.xor(left, right));
    }
    for (number, next) in nexts.iter_mut().enumerate() {
        *next = match number % 6 {
            // Stuck, and equal to the latch before it.
            0 => model.aig.and(*next, edges[random.below(edges.len())]),
            1 if number > 6 => edges[edges.len() - 7],
            _ => edges[edges.len() - 1 - random.below(300)],
        };
    }
    let pairs = states.iter().zip(nexts);
    let latches = pairs.map(|(&state, next)| {
        let reset = Reset::Zero;
        Latch { state, next, reset }
    });
    model.latches = latches.collect();
    model
        .bads
        .push(model.aig.and_all(edges[edges.len() - 3..].iter().copied()));
    model
}

/// Whether random runs of the reduced model have bads where their lifted runs have them.
fn agrees(original: &Model, reduced: &Reduced) {
    let mut random = Random::new(5);
    for _ in 0..3 {
        let mut values =
            |n: usize| -> Vec<Option<bool>> { (0..n).map(|_| Some(random.flip())).collect() };
        let trace = Trace {
            property: 0,
            initial: (reduced.model.latches.iter())
                .map(|latch| latch.reset.value())
                .collect(),
            inputs: (0..6).map(|_| values(reduced.model.inputs.len())).collect(),
        };
        let small = replay(&reduced.model, &trace).unwrap();
        let large = replay(original, &reduced.lift.trace(&trace)).unwrap();
        for (small, large) in small.iter().zip(large) {
            assert_eq!(small.bads, large.bads);
        }
    }
}

/// Runs a pass that is told to stop at the given question; whether it was not.
fn run_stopped(pass: &dyn Pass, model: &Model, questions: usize) -> bool {
    let mut reduced = Reduced::new(model, Some(0));
    let alone = Alone::until(Stop::after_questions(questions));
    let control = alone.control();
    let n_nodes = reduced.model.aig.n_nodes();
    let task = Task {
        scope: Scope::Cone,
        control,
    };
    let has_found = pass.forward(&mut reduced, &task);
    agrees(model, &reduced);
    let is_stopped = control.stop.reason().is_some();
    if is_stopped && !has_found {
        // What has found nothing has not made the model larger.
        assert!(reduced.model.aig.n_nodes() <= n_nodes, "{}", pass.name());
    }
    !is_stopped
}

#[test]
fn a_pass_may_be_stopped_at_each_question() {
    let model = large_model();
    for row in ROWS.iter().filter(|row| row.when != When::AfterFind) {
        // Folding copies the model.
        if row.pass.name() == "folding" {
            continue;
        }
        for questions in [0, 1, 2, 3, 5, 9] {
            if run_stopped(row.pass, &model, questions) {
                assert!(questions > 0, "{} asks whether to stop", row.pass.name());
                break;
            }
        }
    }
}

/// A pass that has found nothing because it was stopped at once changes nothing.
#[test]
fn what_is_stopped_at_once_changes_nothing() {
    let model = large_model();
    for row in ROWS.iter().filter(|row| row.when != When::AfterFind) {
        if row.pass.name() == "folding" {
            continue;
        }
        let mut reduced = Reduced::new(&model, Some(0));
        let alone = Alone::until(Stop::after_questions(0));
        let control = alone.control();
        let task = Task {
            scope: Scope::Cone,
            control,
        };
        row.pass.forward(&mut reduced, &task);
        let name = row.pass.name();
        assert_eq!(reduced.model.latches.len(), model.latches.len(), "{name}");
        assert_eq!(reduced.model.aig.n_nodes(), model.aig.n_nodes(), "{name}");
        assert_eq!(reduced.lift.n_facts(), 0, "{name}");
    }
    assert!(Resets::replace(&model).is_none());
}
