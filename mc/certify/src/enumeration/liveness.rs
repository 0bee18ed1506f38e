//! Witness circuits for justice properties by the four conditions of liveness.

use std::collections::BTreeMap;

use craig_aig::{Edge, Random};
use craig_model::{Intervention, LivenessCertificate, Model};

use super::safety::failing;
use super::{
    Moment, Size, all_hold, any_edge, change, circuit, evaluated, follows, formula, holds, moments,
    own_witness,
};
use crate::{CertifyError, Condition, certify_live};

const SIZE: Size = Size {
    inputs: 1,
    latches: 2,
    gates: 4,
};

/// The first of the four conditions that fails.
fn failing_cycle(model: &Model, certificate: &LivenessCertificate) -> Option<Condition> {
    let witness = &certificate.certificate.witness;
    let moments = moments(model, &certificate.certificate);
    let sound = |moment: &&Moment| {
        let is_good = !witness.bads.iter().any(|&bad| holds(&moment.witness, bad));
        is_good && all_hold(&moment.witness, &witness.constraints)
    };
    let is_step =
        |from: &Moment, to: &Moment| follows(&witness.latches, &from.witness, &to.witness);
    let literals = model.justice_literals(0);
    // The conditions but the first are about the witness alone, so that one moment for its values will do.
    let mut seen = Vec::new();
    let distinct = moments.iter().filter(sound).filter(|moment| {
        let is_new = !seen.contains(&&moment.witness);
        seen.push(&moment.witness);
        is_new
    });
    let distinct: Vec<&Moment> = distinct.collect();

    for from in moments.iter().filter(sound) {
        for to in moments.iter().filter(sound).filter(|to| is_step(from, to)) {
            let is_allowed = [from, to]
                .iter()
                .all(|moment| all_hold(&moment.model, &model.constraints));
            let edges = edges(certificate, from, to);
            let mut both = edges.iter().zip(&literals);
            if is_allowed && both.any(|(&edge, &literal)| edge && holds(&from.model, literal)) {
                return Some(Condition::Liveness);
            }
        }
    }
    let steps = || {
        let pairs = distinct
            .iter()
            .flat_map(|&from| distinct.iter().map(move |&to| (from, to)));
        pairs.filter(|(from, to)| is_step(from, to))
    };
    let any = |from: &Moment, to: &Moment| edges(certificate, from, to).contains(&true);
    if steps().any(|(from, to)| !any(to, from)) {
        return Some(Condition::Decrease);
    }
    let mut closed =
        steps().flat_map(|(from, to)| distinct.iter().map(move |&other| (from, to, other)));
    if closed.any(|(from, to, other)| any(from, other) && !any(to, other)) {
        return Some(Condition::Closure);
    }
    for (from, to) in steps().filter(|(from, to)| any(from, to)) {
        for after in distinct
            .iter()
            .filter(|after| is_step(to, after) && any(to, after))
        {
            let [first, then] = [edges(certificate, from, to), edges(certificate, to, after)];
            if first.iter().zip(then).any(|(&first, then)| first && !then) {
                return Some(Condition::Consistent);
            }
        }
    }
    None
}

/// The values of the edge predicates.
fn edges(certificate: &LivenessCertificate, from: &Moment, to: &Moment) -> Vec<bool> {
    let witness = &certificate.certificate.witness;
    let states = witness.latches.iter().map(|latch| latch.state);
    let variables = witness.inputs.iter().copied().chain(states);
    let mut own: Vec<bool> = variables.map(|edge| holds(&from.witness, edge)).collect();
    for intervention in &certificate.interventions {
        own[intervention.stand_in] = holds(&to.witness, intervention.literal);
    }
    let values = evaluated(witness, own);
    let literals = witness.justice_literals(0);
    literals
        .iter()
        .map(|&literal| !holds(&values, literal))
        .collect()
}

/// A circuit with a justice property.
fn live_circuit(random: &mut Random) -> Model {
    let mut model = circuit(SIZE, random);
    model.bads.clear();
    let mut literals = |least: usize, model: &mut Model| -> Vec<Edge> {
        let n = least + random.below(2);
        let one = |_| match random.below(3) {
            0 => Edge::FALSE,
            1 => any_edge(model, random),
            _ => formula(model, random),
        };
        (0..n).map(one).collect()
    };
    model.fairness = literals(0, &mut model);
    model.justice = vec![literals(1, &mut model)];
    model
}

/// A certificate whose edge predicates compare two states, or are the property's literals, or anything.
fn any_certificate(model: &Model, random: &mut Random) -> LivenessCertificate {
    let mut certificate = own_witness(model);
    for _ in 0..random.below(2) {
        change(&mut certificate, random);
    }
    if random.flip() {
        certificate.witness.bads.clear();
    }
    let witness = &mut certificate.witness;
    let mut interventions = Vec::new();
    let mut compared = Vec::new();
    for _ in 0..random.below(3) {
        let stand_in = witness.aig.add_input();
        let literal = match witness.latches.first() {
            Some(latch) if random.flip() => latch.state,
            _ => any_edge(witness, random),
        };
        compared.push([literal, stand_in]);
        interventions.push(Intervention {
            literal,
            stand_in: witness.inputs.len(),
        });
        witness.inputs.push(stand_in);
        certificate.shared_inputs.push(None);
    }
    let mut literal = |own: Edge| match (random.below(8), compared.last()) {
        (0, _) => Edge::FALSE,
        (1, _) => Edge::TRUE,
        (2, Some(&[literal, stand_in])) => witness.aig.and(!literal, stand_in),
        (3, Some(&[literal, stand_in])) => witness.aig.xor(literal, stand_in),
        (4 | 5, Some(&[_, stand_in])) => {
            let other = any_edge(witness, random);
            witness.aig.and(other, stand_in.negate_if(random.flip()))
        }
        (6, _) => formula(witness, random),
        _ => own,
    };
    let fairness: Vec<Edge> = model.fairness.iter().map(|&own| literal(own)).collect();
    let justice = model.justice[0].iter().map(|&own| literal(own)).collect();
    (witness.fairness, witness.justice) = (fairness, vec![justice]);
    LivenessCertificate {
        certificate,
        interventions,
    }
}

#[test]
fn conditions_fail_where_they_fail_by_enumeration() {
    let mut random = Random::new(52);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..4000 {
        let model = live_circuit(&mut random);
        let certificate = any_certificate(&model, &mut random);
        if certificate.certificate.witness.reset_order().is_none() {
            continue;
        }
        let fails = failing(&model, &[], &certificate.certificate);
        let expected = match fails.or_else(|| failing_cycle(&model, &certificate)) {
            Some(condition) => Err(CertifyError::Condition(condition)),
            None => Ok(()),
        };
        assert_eq!(
            certify_live(&model, 0, &certificate),
            expected,
            "{model:?} {certificate:?}"
        );
        *counts.entry(format!("{expected:?}")).or_default() += 1;
    }
    // No bad of the model is asked about, so that the condition of safety holds.
    assert!(
        counts.len() == 9 && counts.values().all(|&count| count > 3),
        "{counts:?}"
    );
}

#[test]
fn the_parts_of_the_witness_correspond_to_those_of_the_property() {
    let mut model = Model::default();
    let input = model.aig.add_input();
    model.inputs.push(input);
    model.justice = vec![vec![Edge::FALSE], vec![]];
    let mut certificate = own_witness(&model);
    let stand_in = certificate.witness.aig.add_input();
    certificate.witness.inputs.push(stand_in);
    certificate.shared_inputs.push(None);
    certificate.witness.justice = vec![vec![Edge::FALSE]];
    let intervention = Intervention {
        literal: input,
        stand_in: 1,
    };
    let right = LivenessCertificate {
        certificate,
        interventions: vec![intervention],
    };
    assert_eq!(certify_live(&model, 0, &right), Ok(()));
    let refused = |property: usize, change: &dyn Fn(&mut LivenessCertificate)| {
        let mut wrong = right.clone();
        change(&mut wrong);
        let judged = certify_live(&model, property, &wrong);
        assert!(matches!(judged, Err(CertifyError::Shape(_))), "{judged:?}");
    };
    let justice = |literals: Vec<Vec<Edge>>| {
        move |certificate: &mut LivenessCertificate| {
            certificate
                .certificate
                .witness
                .justice
                .clone_from(&literals);
        }
    };
    refused(2, &|_| {});
    refused(0, &justice(vec![]));
    refused(0, &justice(vec![vec![Edge::FALSE]; 2]));
    refused(0, &justice(vec![vec![]]));
    refused(0, &justice(vec![vec![Edge::FALSE; 2]]));
    refused(0, &|certificate| {
        certificate.certificate.witness.fairness.push(Edge::FALSE);
    });
    // A property without literals has no edge predicate.
    refused(1, &justice(vec![vec![]]));
    refused(0, &|certificate| certificate.interventions[0].stand_in = 0);
    refused(0, &|certificate| certificate.interventions[0].stand_in = 2);
    refused(0, &|certificate| {
        certificate.interventions.push(intervention);
    });
    refused(0, &|certificate| {
        certificate.interventions[0].literal = Edge::new(7, false);
    });
}
