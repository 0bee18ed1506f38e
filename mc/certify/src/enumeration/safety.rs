//! Witness circuits by the five conditions.

use std::collections::BTreeMap;

use craig_aig::{Edge, Random};
use craig_model::{Certificate, Latch, Model};

use super::{
    Moment, Size, all_hold, change, circuit, follows, holds, moments, own_witness, starts,
};
use crate::{CertifyError, Condition, certify_all, certify_certificate, certify_some};

const SIZE: Size = Size {
    inputs: 2,
    latches: 2,
    gates: 6,
};

/// The first of the five conditions that fails.
pub(super) fn failing(
    model: &Model,
    bads: &[Edge],
    certificate: &Certificate,
) -> Option<Condition> {
    let witness = &certificate.witness;
    let moments = moments(model, certificate);
    let shared = (witness.latches.iter().zip(&certificate.shared_latches))
        .filter_map(|(latch, &shared)| Some((latch, &model.latches[shared?])));
    let (own, theirs): (Vec<&Latch>, Vec<&Latch>) = shared.unzip();
    let allowed = |moment: &&Moment| all_hold(&moment.model, &model.constraints);
    let sound = |moment: &&Moment| all_hold(&moment.witness, &witness.constraints);
    let good = |moment: &&Moment| !witness.bads.iter().any(|&bad| holds(&moment.witness, bad));

    let resets = moments.iter().filter(allowed).all(|moment| {
        let is_reset = theirs.iter().all(|latch| starts(&moment.model, latch));
        let is_own = own.iter().all(|latch| starts(&moment.witness, latch));
        !is_reset || is_own && sound(&moment)
    });
    if !resets {
        return Some(Condition::Reset);
    }
    let mut froms = moments.iter().filter(allowed).filter(sound);
    let steps = froms.all(|from| {
        moments.iter().filter(allowed).all(|to| {
            let is_step = follows(theirs.iter().copied(), &from.model, &to.model);
            let is_own = follows(own.iter().copied(), &from.witness, &to.witness);
            !is_step || is_own && sound(&to)
        })
    });
    if !steps {
        return Some(Condition::Transition);
    }
    let mut safe = moments.iter().filter(allowed).filter(sound).filter(good);
    if safe.any(|moment| bads.iter().any(|&bad| holds(&moment.model, bad))) {
        return Some(Condition::Safety);
    }
    let mut first = moments.iter().filter(sound).filter(|moment| {
        let mut latches = witness.latches.iter();
        latches.all(|latch| starts(&moment.witness, latch))
    });
    if !first.all(|moment| good(&moment)) {
        return Some(Condition::Base);
    }
    let mut froms = moments.iter().filter(sound).filter(good);
    let is_inductive = froms.all(|from| {
        let mut tos = moments.iter().filter(sound);
        tos.all(|to| !follows(&witness.latches, &from.witness, &to.witness) || good(&to))
    });
    (!is_inductive).then_some(Condition::Inductive)
}

/// A certificate that has something to do with the circuit, or nothing.
pub(super) fn any_certificate(model: &Model, random: &mut Random) -> Certificate {
    if random.below(4) > 0 {
        let mut certificate = own_witness(model);
        for _ in 0..random.below(4) {
            change(&mut certificate, random);
        }
        return certificate;
    }
    let witness = circuit(SIZE, random);
    let mut shared = |n_witness: usize, n_model: usize| {
        let mut left: Vec<usize> = (0..n_model).collect();
        let one = |_| {
            let is_shared = !left.is_empty() && random.below(3) > 0;
            is_shared.then(|| left.swap_remove(random.below(left.len())))
        };
        (0..n_witness).map(one).collect::<Vec<_>>()
    };
    Certificate {
        shared_inputs: shared(witness.inputs.len(), model.inputs.len()),
        shared_latches: shared(witness.latches.len(), model.latches.len()),
        witness,
    }
}

#[test]
fn conditions_fail_where_they_fail_by_enumeration() {
    let mut random = Random::new(51);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..2500 {
        let model = circuit(SIZE, &mut random);
        let certificate = any_certificate(&model, &mut random);
        if certificate.witness.reset_order().is_none() {
            let judged = certify_all(&model, &certificate);
            assert!(matches!(judged, Err(CertifyError::Shape(_))));
            *counts.entry("cycle".into()).or_default() += 1;
            continue;
        }
        let result = |bads: &[Edge]| match failing(&model, bads, &certificate) {
            Some(condition) => Err(CertifyError::Condition(condition)),
            None => Ok(()),
        };
        let all = result(&model.bads);
        assert_eq!(
            certify_all(&model, &certificate),
            all,
            "{model:?} {certificate:?}"
        );
        let property = random.below(2);
        let one = result(&model.bads[property..=property]);
        assert_eq!(certify_certificate(&model, property, &certificate), one);
        assert_eq!(certify_some(&model, &[property], &certificate), one);
        *counts.entry(format!("{all:?}")).or_default() += 1;
    }
    assert!(
        counts.len() == 7 && counts.values().all(|&count| count > 5),
        "{counts:?}"
    );
}

/// A witness whose latch is the constant would fix the circuit's latch at 0, and every circuit would be safe.
#[test]
fn a_witness_that_is_no_circuit_is_refused() {
    let mut model = Model::default();
    let state = model.aig.add_input();
    model.latches.push(Latch {
        state,
        next: Edge::TRUE,
        reset: craig_model::Reset::Zero,
    });
    model.bads.push(state);
    let right = own_witness(&model);
    let refused = |change: &dyn Fn(&mut Model)| {
        let mut wrong = right.clone();
        wrong.witness.bads.clear();
        change(&mut wrong.witness);
        let judged = certify_all(&model, &wrong);
        assert!(matches!(judged, Err(CertifyError::Shape(_))), "{judged:?}");
    };
    refused(&|witness| {
        witness.latches[0].state = Edge::FALSE;
        witness.latches[0].next = Edge::FALSE;
    });
    refused(&|witness| witness.latches[0].state = !state);
    refused(&|witness| witness.inputs.push(state));
    refused(&|witness| witness.constraints.push(Edge::new(9, false)));
}

/// What is shared is a different part of the circuit for each part of the witness.
#[test]
fn sharing_names_parts_of_the_circuit_once() {
    let mut random = Random::new(3);
    let large = Size { latches: 3, ..SIZE };
    let mut model = Model::default();
    while model.inputs.len() < 2 || model.latches.len() < 3 {
        model = circuit(large, &mut random);
    }
    model.bads = vec![Edge::FALSE];
    let judge = |change: &dyn Fn(&mut Certificate)| {
        let mut certificate = own_witness(&model);
        change(&mut certificate);
        certify_all(&model, &certificate)
    };
    assert_eq!(judge(&|_| {}), Ok(()));
    for wrong in [
        judge(&|certificate| certificate.shared_inputs[1] = Some(0)),
        judge(&|certificate| certificate.shared_inputs[1] = Some(2)),
        judge(&|certificate| certificate.shared_inputs.push(None)),
        judge(&|certificate| certificate.shared_inputs.truncate(1)),
        judge(&|certificate| certificate.shared_latches[2] = Some(1)),
        judge(&|certificate| certificate.shared_latches[2] = Some(3)),
        judge(&|certificate| certificate.shared_latches.push(None)),
        judge(&|certificate| certificate.shared_latches.truncate(2)),
    ] {
        assert!(matches!(wrong, Err(CertifyError::Shape(_))), "{wrong:?}");
    }
    let own = own_witness(&model);
    let missing = certify_certificate(&model, 1, &own);
    assert!(matches!(missing, Err(CertifyError::Shape(_))));
    let missing = certify_some(&model, &[0, 1], &own);
    assert!(matches!(missing, Err(CertifyError::Shape(_))));
}
