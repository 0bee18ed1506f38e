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
use super::ranking::{Ranking, at_least, changes, ranking};
use super::search::{Found, Tools};
use super::steps::Ranked;
use super::to_safety::zero;
use crate::control::{Alone, Control, StateClause};
use crate::engine::pdr::{self, Reached, choose_inductive};

/// The name of the method.
pub(super) const NAME: &str = "k-liveness";

/// Counters with more latches than this are not tried.
const MOST_HITS: usize = 1 << 12;

/// A model that counts up to `k` hits of the bad of `original`, its only one, from the last step on in which the ranking changes.
fn counting(original: &Model, ranking: &[Ranked], k: usize) -> Model {
    let mut model = original.clone();
    let changes = changes(&mut model.aig, ranking);
    let hit = model.aig.and(original.bads[0], !changes);
    // That there were as many hits as the latches so far.
    let mut before = Edge::TRUE;
    for _ in 0..k {
        let state = model.aig.add_input();
        let sets = model.aig.and(before, hit);
        let counted = model.aig.or(state, sets);
        let next = model.aig.and(counted, !changes);
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
    let options = pdr::Options {
        seed: tools.seed,
        ..pdr::Options::default()
    };
    let Ranking {
        latches: ranking,
        mut invariants,
    } = ranking(original, tools.awaits, control.stop);
    control.listener.note(NAME, || {
        format!(
            "{} of {} latches are ranked, with {} invariants",
            ranking.len(),
            original.latches.len(),
            invariants.len()
        )
    });
    invariants.extend(control.board.invariants(0));
    // Counters only add latches.
    let mut reached = Reached::new(Vec::new(), invariants.clone());
    let mut k = 0;
    while k <= MOST_HITS {
        control.listener.note(NAME, || format!("at most {k} hits?"));
        let model = counting(original, &ranking, k);
        // Shared invariants and depths are about one bad.
        let inner = Alone::until(control.stop.clone());
        let outcome = match tools.engine {
            None => pdr::resume(&model, 0, &options, &mut reached, inner.control()),
            Some(engine) => engine(&model, 0, inner.control()),
        };
        match outcome.verdict {
            Verdict::Safe(certificate) => {
                if tools.source.0.justice.len() > 1 {
                    share(original, inner.board.invariants(0), control);
                }
                return Ok(Found::Proof(Box::new(proof(
                    original,
                    &model,
                    &ranking,
                    &invariants,
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

/// Shares those of some invariants of the counting model that are about the original alone, and inductive.
fn share(original: &Model, mut clauses: Vec<StateClause>, control: Control<'_>) {
    let n_original = original.latches.len();
    clauses.retain(|clause| clause.iter().all(|&(latch, _)| latch < n_original));
    let inductive = choose_inductive(original, 0, &clauses, control);
    control.board.share_invariants(inductive);
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

/// The ranking, and where it is equal the number of hits, is a level that rises: Q(s, t) is "s has more than the rank of t, or the same rank
/// and at least as many hits". A step keeps the rank and the hits that it has counted, or leads to a higher rank.
fn proof(
    original: &Model,
    counting: &Model,
    ranking: &[Ranked],
    invariants: &[StateClause],
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
    let violates = violates(&mut certificate, invariants);
    let bads = bads.into_iter().chain([violates]);
    certificate.witness.bads = vec![certificate.witness.aig.or_all(bads)];
    let witness = &mut certificate.witness;
    let mut places = vec![None; n_original];
    for (place, ranked) in ranking.iter().enumerate() {
        places[ranked.latch] = Some(place);
    }
    let mut stand_ins = Vec::new();
    let mut ranks = vec![[Edge::FALSE; 2]; ranking.len()];
    let mut hits = Vec::new();
    for (latch, shared) in witness.latches.iter().zip(&mut certificate.shared_latches) {
        // Latches that only the engine's proof has come after those of the counter.
        let Some(number) = *shared else {
            continue;
        };
        let is_counter = number >= n_original;
        let place = places.get(number).copied().flatten();
        if !is_counter && place.is_none() {
            continue;
        }
        let later = witness.aig.add_input();
        witness.inputs.push(later);
        certificate.shared_inputs.push(None);
        if is_counter {
            *shared = None;
            stand_ins.push(Variable::Own(number - n_original));
            hits.push(witness.aig.implies(later, latch.state));
        } else {
            stand_ins.push(Variable::Latch(number));
        }
        if let Some(place) = place {
            let keeps_zero = ranking[place].reached.is_negated();
            ranks[place] = [later, latch.state].map(|edge| edge.negate_if(keeps_zero));
        }
    }
    let hits = witness.aig.and_all(hits);
    let may_repeat = at_least(&mut witness.aig, ranking, &ranks, hits);
    witness.bads.push(may_repeat);
    Proof {
        certificate,
        stand_ins,
    }
}

/// "One of the clauses does not hold", over the latches that a witness circuit shares with the model that the clauses are about.
fn violates(certificate: &mut Certificate, clauses: &[StateClause]) -> Edge {
    let mut states = vec![None; certificate.shared_latches.len()];
    for (latch, shared) in (certificate.witness.latches.iter()).zip(&certificate.shared_latches) {
        if let Some(number) = *shared {
            states.resize(states.len().max(number + 1), None);
            states[number] = Some(latch.state);
        }
    }
    let aig = &mut certificate.witness.aig;
    let negated: Vec<Edge> = (clauses.iter())
        .map(|clause| {
            let literals: Vec<Edge> = (clause.iter())
                .map(|&(latch, value)| {
                    let state = states[latch].expect("all latches are in the witness");
                    state.negate_if(value)
                })
                .collect();
            aig.and_all(literals)
        })
        .collect();
    aig.or_all(negated)
}
