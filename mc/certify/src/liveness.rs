//! Checks witness circuits for justice properties by the nine conditions.

use craig_aig::Edge;
use craig_model::{LivenessCertificate, Model};

use super::certificate::{Moment, Question, check_sharing};
use super::equivalence::checked_model;
use super::error::{CertifyError, Condition};
use super::gate::Gate;
use super::gates::Gates;
use super::source::Circuit;
use super::valuation::Valuation;

/// Checks a certificate for justice property number `property` of a circuit: the five conditions of safety,
/// with no bad in the model, and the four of liveness, with that property as the model's only one.
///
/// Stricter than the reference checker: the witness circuit must have exactly the edge predicates that the
/// property has literals, and the stand-ins must be inputs that are not shared. With a literal too many that
/// is constant, or a property that is left out, all conditions can hold for circuits that are not live.
///
/// # Errors
/// The condition that fails, or the mismatch between certificate and model.
pub fn certify_live<C: Circuit + ?Sized>(
    circuit: &C,
    property: usize,
    certificate: &LivenessCertificate,
) -> Result<(), CertifyError> {
    let model = checked_model(circuit)?;
    check_shape(model, property, certificate)?;
    check_sharing(model, &certificate.certificate)?;
    let mut question = Question::of_all(model, &certificate.certificate);
    question.check(&[])?;
    question.check_cycles(property, certificate)
}

/// The literals of witness and model correspond, and stand-ins are inputs of the witness's own.
fn check_shape(
    model: &Model,
    property: usize,
    certificate: &LivenessCertificate,
) -> Result<(), CertifyError> {
    let wrong = |text: String| Err(CertifyError::Shape(text));
    let Some(literals) = model.justice.get(property) else {
        return wrong(format!("the model has no justice property {property}"));
    };
    let witness = &certificate.certificate.witness;
    let [own] = &witness.justice[..] else {
        return wrong(format!(
            "the witness has {} justice properties; expected one",
            witness.justice.len()
        ));
    };
    for (what, found, expected) in [
        (
            "fairness literals",
            witness.fairness.len(),
            model.fairness.len(),
        ),
        (
            "literals of the justice property",
            own.len(),
            literals.len(),
        ),
    ] {
        if found != expected {
            return wrong(format!(
                "the witness has {found} {what}, but the model has {expected}"
            ));
        }
    }
    if own.is_empty() && witness.fairness.is_empty() {
        return wrong("the property has no literal, so that there is no edge predicate".to_owned());
    }
    let shared = &certificate.certificate.shared_inputs;
    let mut is_taken = vec![false; shared.len()];
    for intervention in &certificate.interventions {
        let place = intervention.stand_in;
        if intervention.literal.node() as usize >= witness.aig.n_nodes() {
            return wrong(format!(
                "the literal of stand-in {place} is no edge of the witness"
            ));
        }
        match shared.get(place) {
            Some(None) if !std::mem::replace(&mut is_taken[place], true) => {}
            _ => {
                return wrong(format!(
                    "stand-in {place} is not an input of the witness's own, or stands for two values"
                ));
            }
        }
    }
    Ok(())
}

impl Question<'_> {
    /// The values of the witness's latches one step later, by its own next-state functions.
    fn follow(&mut self, moment: &Moment) -> Moment {
        let latches = &self.certificate.witness.latches;
        let nexts: Vec<Option<Gate>> = (latches.iter())
            .map(|latch| Some(moment.witness.at(latch.next)))
            .collect();
        self.moment(&nexts)
    }

    /// The edge predicates from one state to another: those of the fairness literals first.
    fn edges(
        &mut self,
        certificate: &LivenessCertificate,
        from: &Moment,
        to: &Moment,
    ) -> Vec<Gate> {
        let witness = &certificate.certificate.witness;
        let states = witness.latches.iter().map(|latch| latch.state);
        let variables = witness.inputs.iter().copied().chain(states);
        let own = variables.map(|variable| (variable.node(), from.witness.at(variable)));
        // Later values of a node replace earlier ones.
        let other = certificate.interventions.iter().map(|intervention| {
            let stand_in = witness.inputs[intervention.stand_in].node();
            (stand_in, to.witness.at(intervention.literal))
        });
        let cone = &self.cones.witness;
        let values = Valuation::new(&mut self.gates, &witness.aig, cone, own.chain(other));
        let literals = witness
            .fairness
            .iter()
            .chain(witness.justice.iter().flatten());
        literals.map(|&literal| values.at(!literal)).collect()
    }

    fn any(&mut self, gates: &[Gate]) -> Gate {
        let all = gates.iter();
        all.fold(Gates::FALSE, |any, &gate| self.gates.or(any, gate))
    }

    /// Checks the four conditions of liveness.
    fn check_cycles(
        &mut self,
        property: usize,
        certificate: &LivenessCertificate,
    ) -> Result<(), CertifyError> {
        let (model, witness) = (self.model, &self.certificate.witness);
        // s, t and u are successive states of the witness, and `other` is any state.
        let nothing = vec![None; witness.latches.len()];
        let s = self.moment(&nothing);
        let t = self.follow(&s);
        let u = self.follow(&t);
        let other = self.moment(&nothing);
        let sound = |moments: &[&Moment]| -> Vec<Gate> {
            let good: Vec<Edge> = witness.bads.iter().map(|&bad| !bad).collect();
            let parts = moments.iter().flat_map(|moment| {
                let constraints = moment.witness.all(&witness.constraints);
                constraints.into_iter().chain(moment.witness.all(&good))
            });
            parts.collect()
        };

        let forwards = self.edges(certificate, &s, &t);
        let mut given = sound(&[&s, &t]);
        given.extend(s.model.all(&model.constraints));
        given.extend(t.model.all(&model.constraints));
        let literals = model.fairness.iter().chain(&model.justice[property]);
        let then: Vec<Gate> = (literals.zip(&forwards))
            .map(|(&literal, &edge)| self.gates.and(edge, s.model.at(literal)) ^ 1)
            .collect();
        self.implies(Condition::Liveness, &given, &then)?;

        let backwards = self.edges(certificate, &t, &s);
        let then = [self.any(&backwards)];
        self.implies(Condition::Decrease, &sound(&[&s, &t]), &then)?;

        let mut given = sound(&[&s, &t, &other]);
        let to_other = self.edges(certificate, &s, &other);
        given.push(self.any(&to_other));
        let from_next = self.edges(certificate, &t, &other);
        let then = [self.any(&from_next)];
        self.implies(Condition::Closure, &given, &then)?;

        let mut given = sound(&[&s, &t, &u]);
        let onwards = self.edges(certificate, &t, &u);
        given.push(self.any(&forwards));
        given.push(self.any(&onwards));
        let then: Vec<Gate> = (forwards.iter().zip(&onwards))
            .map(|(&first, &second)| self.gates.and(first, second ^ 1) ^ 1)
            .collect();
        self.implies(Condition::Consistent, &given, &then)
    }
}
