//! K-liveness: a proof that no run has more than k hits.
//!
//! Claessen, Sörensson, "A liveness checking algorithm that counts" (FMCAD 2012). The counter is a chain of
//! latches: as many of the first ones are set as there were hits. The bad is a hit when all are set. A longer
//! chain only adds latches, so that what PDR knows of the states that it has reached stays true, and the
//! search continues from its frames.

use craig_aig::Edge;
use craig_model::{
    Certificate, Model, Trace, UnknownReason, Verdict, certificate::WitnessBuilder,
    simulate::replay,
};

use super::proof::{Proof, Variable};
use super::search::{Found, Tools};
use super::stabilising::{Stabilising, stabilising};
use super::to_safety::zero;
use crate::control::{Alone, Control};
use crate::engine::pdr::{self, Reached};

/// The name of the method.
pub(super) const NAME: &str = "k-liveness";

/// Counters with more latches than this are not tried.
const MOST_HITS: usize = 1 << 12;

/// A model that counts up to `k` hits of the bad of `original`, its only one, in steps in which none of the
/// `stabilising` latches changes.
fn counting(original: &Model, stabilising: &[Stabilising], k: usize) -> Model {
    let mut model = original.clone();
    let changes: Vec<Edge> = (stabilising.iter())
        .map(|latch| model.aig.and(!latch.reached, latch.reached_next))
        .collect();
    let changes = model.aig.or_all(changes);
    let hit = model.aig.and(original.bads[0], !changes);
    // That there were as many hits as the latches so far.
    let mut before = Edge::TRUE;
    for _ in 0..k {
        let state = model.aig.add_input();
        let sets = model.aig.and(before, hit);
        let next = model.aig.or(state, sets);
        model.latches.push(zero(state, next));
        before = state;
    }
    model.bads = vec![model.aig.and(before, hit)];
    model
}

/// Raises the bound on the number of hits until it is proved.
pub(super) fn run(
    original: &Model,
    tools: &Tools<'_>,
    control: Control<'_>,
) -> Result<Found, UnknownReason> {
    let mut reached = Reached::default();
    let options = pdr::Options {
        seed: tools.seed,
        ..pdr::Options::default()
    };
    let stabilising = stabilising(original, control.stop);
    control.listener.note(NAME, || {
        format!("{} latches change at most once", stabilising.len())
    });
    let mut k = 0;
    while k <= MOST_HITS {
        control.listener.note(NAME, || format!("at most {k} hits?"));
        let model = counting(original, &stabilising, k);
        // Shared invariants and depths are about one bad.
        let inner = Alone::until(control.stop.clone());
        let outcome = match tools.engine {
            None => pdr::resume(&model, 0, &options, &mut reached, inner.control()),
            Some(engine) => engine(&model, 0, inner.control()),
        };
        match outcome.verdict {
            Verdict::Safe(certificate) => {
                return Ok(Found::Proof(Box::new(proof(
                    original,
                    &model,
                    &stabilising,
                    &certificate,
                ))));
            }
            Verdict::Unsafe(trace) => {
                if let Some(found) = repeated_state(original, &trace) {
                    return Ok(found);
                }
            }
            Verdict::Unknown(reason) => return Err(reason),
        }
        control.report_depth(NAME, k + 1);
        k = if k < 2 { k + 1 } else { 2 * k };
    }
    Err(UnknownReason::Bound(format!(
        "there are runs with more than {MOST_HITS} hits"
    )))
}

/// A run that has many hits may contain a loop with one.
fn repeated_state(original: &Model, trace: &Trace) -> Option<Found> {
    let n_latches = original.latches.len();
    let run = Trace {
        property: 0,
        initial: trace.initial[..n_latches].to_vec(),
        inputs: trace.inputs.clone(),
    };
    let steps = replay(original, &run).ok()?;
    let mut last_hit = None;
    let mut first = std::collections::HashMap::new();
    for (number, step) in steps.iter().enumerate() {
        if let Some(&begin) = first.get(&step.latches)
            && last_hit.is_some_and(|hit| hit >= begin)
        {
            let mut run = run.clone();
            run.inputs.truncate(number);
            return Some(Found::Lasso(run, begin));
        }
        first.entry(&step.latches).or_insert(number);
        if step.bads[0] {
            last_hit = Some(number);
        }
    }
    None
}

/// The number of hits that are left, together with the stabilising latches that may still change, is a level: "at
/// least as many hits in s as in t, and every such latch that has changed in t has changed in s".
fn proof(
    original: &Model,
    counting: &Model,
    stabilising: &[Stabilising],
    certificate: &Certificate,
) -> Proof {
    let n_original = original.latches.len();
    // Also the latches on which the bad no longer depends after simplification.
    let latches = counting.latches.iter().map(|latch| latch.state);
    let variables = counting.inputs.iter().copied().chain(latches);
    let mut copy = WitnessBuilder::new(
        counting,
        variables.chain(counting.constraints.iter().copied()),
    );
    let bads = copy.add_part(certificate);
    let mut certificate = copy.finish();
    certificate.witness.bads = vec![certificate.witness.aig.or_all(bads)];
    let witness = &mut certificate.witness;
    let mut stand_ins = Vec::new();
    let mut implied = Vec::new();
    for (latch, shared) in witness.latches.iter().zip(&mut certificate.shared_latches) {
        // Latches that only the engine's proof has come after those of the counter.
        let Some(number) = *shared else {
            continue;
        };
        let is_counter = number >= n_original;
        let changes_once = stabilising.iter().find(|one| one.latch == number);
        if !is_counter && changes_once.is_none() {
            continue;
        }
        let keeps_zero = changes_once.is_some_and(|one| one.reached.is_negated());
        let later = witness.aig.add_input();
        witness.inputs.push(later);
        certificate.shared_inputs.push(None);
        let [later, now] = [later, latch.state].map(|edge| edge.negate_if(keeps_zero));
        implied.push(witness.aig.implies(later, now));
        if is_counter {
            *shared = None;
            stand_ins.push(Variable::Own(number - n_original));
        } else {
            stand_ins.push(Variable::Latch(number));
        }
    }
    let may_repeat = witness.aig.and_all(implied);
    witness.bads.push(may_repeat);
    Proof {
        certificate,
        stand_ins,
    }
}
