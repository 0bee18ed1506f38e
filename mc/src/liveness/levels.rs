//! Fair cycles by decision diagrams, without an await index: for circuits with few reachable states or small diagrams of them, and
//! properties with many literals.
//!
//! The number of the first of the sets ([`Levels`]) that contains a state is its level. It never rises, and on steps on which it stays
//! the literal of the set does not hold. So the edge predicate of literal i is "level(s) <= level(t), and i is the literal of the
//! first set with s"; on a cycle the level stays, and with it the literal.

use craig_aig::Edge;
use craig_model::{Certificate, Intervention, LivenessCertificate, Model, Names, UnknownReason};

use super::search::{Found, Tools};
use crate::control::{Alone, Control};
use crate::engine::bdd::{Fair, Levels, fair};

/// The name of the method.
pub(super) const NAME: &str = "levels";

/// Gates of the sets of a proof, at most. A judge takes long for larger ones, and no other method has a turn then.
const MOST_GATES: usize = 6_000;

/// Decides the property on the model that was read.
pub(super) fn run(
    _reduced: &Model,
    tools: &Tools<'_>,
    control: Control<'_>,
) -> Result<Found, UnknownReason> {
    let (source, property) = tools.source;
    let literals = source.justice_literals(property);
    if literals.is_empty() {
        let why = "a property without literals";
        return Err(UnknownReason::Unsupported(why.to_owned()));
    }
    let inner = Alone::heard_by(control.listener, control.stop.clone());
    let mut model = source.clone();
    let found = fair(&mut model, &literals, inner.control())?;
    if let Fair::Never(levels) = &found
        && model.aig.n_ands_in_cone(&levels.sets) > MOST_GATES
    {
        let why = format!("the levels are formulas of more than {MOST_GATES} gates");
        return Err(UnknownReason::Bound(why));
    }
    Ok(match found {
        Fair::Never(levels) => Found::Certificate(Box::new(certificate(model, property, &levels))),
        Fair::Loop(run, loop_start) => Found::LassoOfSource(run, loop_start),
    })
}

/// The witness circuit: the model, which has the sets in its graph, with an input for the value of each latch in the second state.
fn certificate(mut model: Model, property: usize, levels: &Levels) -> LivenessCertificate {
    let (n_inputs, n_latches) = (model.inputs.len(), model.latches.len());
    let states: Vec<Edge> = model.latches.iter().map(|latch| latch.state).collect();
    let mut later = vec![Edge::FALSE; model.aig.n_nodes()];
    for state in &states {
        let stand_in = model.aig.add_input();
        model.inputs.push(stand_in);
        later[state.node() as usize] = stand_in;
    }
    let aig = &mut model.aig;
    let images = aig.substitute(&levels.sets, &mut |node: u32| later[node as usize]);
    let n_fairness = model.fairness.len();
    let n_literals = n_fairness + model.justice[property].len();
    // For each literal, that it is that of the first set with s.
    let mut is_own = vec![Edge::FALSE; n_literals];
    let mut before = Edge::FALSE;
    let mut may_repeat = Edge::TRUE;
    for ((&set, image), &literal) in levels.sets.iter().zip(images).zip(&levels.literals) {
        let is_first = aig.and(set, !before);
        is_own[literal] = aig.or(is_own[literal], is_first);
        before = set;
        let implied = aig.implies(image, set);
        may_repeat = aig.and(may_repeat, implied);
    }
    let edges: Vec<Edge> = (is_own.into_iter())
        .map(|is_own| !aig.and(is_own, may_repeat))
        .collect();
    model.bads = vec![!before];
    model.fairness = edges[..n_fairness].to_vec();
    model.justice = vec![edges[n_fairness..].to_vec()];
    model.names = Names::default();
    let mut shared_inputs: Vec<Option<usize>> = (0..n_inputs).map(Some).collect();
    shared_inputs.resize(n_inputs + n_latches, None);
    LivenessCertificate {
        interventions: (states.into_iter().enumerate())
            .map(|(latch, literal)| Intervention {
                literal,
                stand_in: n_inputs + latch,
            })
            .collect(),
        certificate: Certificate {
            shared_inputs,
            shared_latches: (0..n_latches).map(Some).collect(),
            witness: model,
        },
    }
}
