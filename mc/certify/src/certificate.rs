//! Checks certificates by the five conditions.

use craig_aig::{Edge, NodeId};
use craig_model::{Certificate, Latch, Model, Reset};

use super::equalities::equal_variables;
use super::equivalence::{bad_of, checked_model};
use super::error::{CertifyError, Condition};
use super::gate::Gate;
use super::gates::Gates;
use super::source::Circuit;
use super::valuation::{Cone, Valuation, constant};

/// Checks a certificate for bad number `property` of a circuit: the five [`Condition`]s, with that bad as the
/// model's only one.
///
/// # Errors
/// The condition that fails, or the mismatch between certificate and model.
pub fn certify_certificate<C: Circuit + ?Sized>(
    circuit: &C,
    property: usize,
    certificate: &Certificate,
) -> Result<(), CertifyError> {
    let model = checked_model(circuit)?;
    certify_bads(model, &[bad_of(model, property)?], certificate)
}

/// Checks a certificate for all bads of a circuit: the five [`Condition`]s, with P the negation of their
/// disjunction.
///
/// # Errors
/// The condition that fails, or the mismatch between certificate and model.
pub fn certify_all<C: Circuit + ?Sized>(
    circuit: &C,
    certificate: &Certificate,
) -> Result<(), CertifyError> {
    let model = checked_model(circuit)?;
    certify_bads(model, &model.bads, certificate)
}

/// Checks a certificate for some bads of a circuit, as [`certify_all`] for all.
///
/// # Errors
/// The condition that fails, or the mismatch between certificate and model.
pub fn certify_some<C: Circuit + ?Sized>(
    circuit: &C,
    properties: &[usize],
    certificate: &Certificate,
) -> Result<(), CertifyError> {
    let model = checked_model(circuit)?;
    let bads = properties.iter();
    let bads: Result<Vec<Edge>, _> = bads.map(|&number| bad_of(model, number)).collect();
    certify_bads(model, &bads?, certificate)
}

fn certify_bads(
    model: &Model,
    bads: &[Edge],
    certificate: &Certificate,
) -> Result<(), CertifyError> {
    check_sharing(model, certificate)?;
    Question::about(model, bads, certificate).check(bads)
}

/// Different inputs and latches of the witness must be shared with different ones of the model. Otherwise two
/// latches could contradict each other in R and F, and the first conditions would hold for unsafe circuits.
pub(super) fn check_sharing(model: &Model, certificate: &Certificate) -> Result<(), CertifyError> {
    let witness = &certificate.witness;
    // Otherwise a latch of the witness might be a constant or another latch, and what is shared with it would be, too; or the
    // witness might have no reset state for one of the model, and R' would imply anything.
    (witness.validate_circuit())
        .map_err(|error| CertifyError::Shape(format!("the witness is no circuit: {error}")))?;
    for (what, shared, n_witness, n_model) in [
        (
            "input",
            &certificate.shared_inputs,
            witness.inputs.len(),
            model.inputs.len(),
        ),
        (
            "latch",
            &certificate.shared_latches,
            witness.latches.len(),
            model.latches.len(),
        ),
    ] {
        if shared.len() != n_witness {
            return Err(CertifyError::Shape(format!(
                "the sharing lists {} entries, but the witness has {n_witness} of kind {what}",
                shared.len()
            )));
        }
        let mut seen = vec![false; n_model];
        for &number in shared.iter().flatten() {
            match seen.get_mut(number) {
                None => {
                    return Err(CertifyError::Shape(format!(
                        "the model has no {what} {number}"
                    )));
                }
                Some(seen) if *seen => {
                    return Err(CertifyError::Shape(format!(
                        "{what} {number} is shared twice"
                    )));
                }
                Some(seen) => *seen = true,
            }
        }
    }
    Ok(())
}

/// Witness and model in one step, with the shared variables identified.
pub(super) struct Moment {
    pub(super) witness: Valuation,
    pub(super) model: Valuation,
}

/// The nodes of both circuits whose values the conditions are about.
pub(super) struct Cones {
    pub(super) witness: Cone,
    model: Cone,
}

pub(super) struct Question<'a> {
    pub(super) gates: Gates,
    pub(super) model: &'a Model,
    pub(super) certificate: &'a Certificate,
    pub(super) cones: Cones,
}

/// The formulas of a circuit's latches: states, next states and reset functions.
fn formulas<'a>(latches: impl IntoIterator<Item = &'a Latch>) -> Vec<Edge> {
    let formulas = latches.into_iter().flat_map(|latch| {
        let function = match latch.reset {
            Reset::Function(edge) => Some(edge),
            _ => None,
        };
        [latch.state, latch.next].into_iter().chain(function)
    });
    formulas.collect()
}

impl<'a> Question<'a> {
    /// The question whether the conditions hold for some bads.
    fn about(model: &'a Model, bads: &[Edge], certificate: &'a Certificate) -> Self {
        let witness = &certificate.witness;
        let own = witness.constraints.iter().chain(&witness.bads).copied();
        let shared = certificate.shared_latches.iter().flatten();
        let shared = formulas(shared.map(|&number| &model.latches[number]));
        let given = model.constraints.iter().chain(bads).copied();
        let cones = Cones {
            witness: Cone::of(&witness.aig, own.chain(formulas(&witness.latches))),
            model: Cone::of(&model.aig, given.chain(shared)),
        };
        Self::over(cones, model, certificate)
    }

    /// The question over the values of all nodes of both circuits, not of the cones of some bads alone.
    pub(super) fn of_all(model: &'a Model, certificate: &'a Certificate) -> Self {
        let cones = Cones {
            witness: Cone::all(&certificate.witness.aig),
            model: Cone::all(&model.aig),
        };
        Self::over(cones, model, certificate)
    }

    fn over(cones: Cones, model: &'a Model, certificate: &'a Certificate) -> Self {
        Self {
            gates: Gates::new(),
            model,
            certificate,
            cones,
        }
    }
}

impl Question<'_> {
    /// Both circuits in a step for which the constraints of the witness are assumed: inputs and latches that these state
    /// to be equal have one value, those that they state to be constant have that. Then gates of different form that are
    /// equal are found as well: if the equal latches are those of two similar parts of the circuit, these become one.
    ///
    /// What an assumption implies is used, so conditions about this moment must assume the constraints.
    fn assumed_moment(&mut self) -> Moment {
        let witness = &self.certificate.witness;
        let equal = equal_variables(&witness.aig, &witness.constraints);
        if equal.is_empty() {
            return self.moment(&vec![None; witness.latches.len()]);
        }
        self.gates = Gates::with_cuts();
        let mut values: Vec<Option<Gate>> = vec![None; witness.aig.n_nodes()];
        values[0] = Some(Gates::FALSE);
        for &(node, other) in &equal {
            let value = *values[other.node() as usize].get_or_insert_with(|| self.gates.fresh());
            values[node as usize] = Some(value ^ u32::from(other.is_negated()));
        }
        let given = (1..).zip(&values[1..]);
        self.moment_with(given.filter_map(|(node, &value)| Some((node, value?))))
    }

    /// Both circuits in one step; the latches of the witness have the values of `latches` where given.
    pub(super) fn moment(&mut self, latches: &[Option<Gate>]) -> Moment {
        let own = (self.certificate.witness.latches.iter().zip(latches))
            .filter_map(|(latch, &value)| Some((latch.state.node(), value?)));
        self.moment_with(own)
    }

    /// Both circuits in one step, where `own` gives values of nodes of the witness.
    fn moment_with(&mut self, own: impl Iterator<Item = (NodeId, Gate)>) -> Moment {
        let Certificate {
            witness,
            shared_inputs,
            shared_latches,
        } = self.certificate;
        let in_witness = Valuation::new(&mut self.gates, &witness.aig, &self.cones.witness, own);
        // An input that no formula of the witness is about is a free one of the model.
        let inputs = (witness.inputs.iter().zip(shared_inputs)).filter_map(|(&input, shared)| {
            Some((self.model.inputs[(*shared)?].node(), in_witness.get(input)?))
        });
        let states = (witness.latches.iter().zip(shared_latches)).filter_map(|(latch, shared)| {
            let state = self.model.latches[(*shared)?].state;
            Some((state.node(), in_witness.at(latch.state)))
        });
        let given = inputs.chain(states);
        Moment {
            model: Valuation::new(&mut self.gates, &self.model.aig, &self.cones.model, given),
            witness: in_witness,
        }
    }

    /// Whether `given` implies all of `then`.
    pub(super) fn implies(
        &self,
        condition: Condition,
        given: &[Gate],
        then: &[Gate],
    ) -> Result<(), CertifyError> {
        let fails: Vec<Gate> = then.iter().map(|gate| gate ^ 1).collect();
        match self.gates.satisfiable(given, &fails) {
            Ok(false) => Ok(()),
            Ok(true) => Err(CertifyError::Condition(condition)),
            Err(error) => Err(CertifyError::Solver(error)),
        }
    }

    /// Equations state that the latches of one circuit also step from s to t by the next-state functions of
    /// the other.
    fn steps<'b>(
        &mut self,
        latches: impl Iterator<Item = &'b Latch>,
        from: &Valuation,
        to: &Valuation,
    ) -> Vec<Gate> {
        latches
            .map(|latch| self.gates.iff(from.at(latch.next), to.at(latch.state)))
            .collect()
    }

    /// Equations state that these latches of a circuit start at the values of their reset functions.
    fn function_resets<'b>(
        &mut self,
        latches: impl Iterator<Item = &'b Latch>,
        values: &Valuation,
    ) -> Vec<Gate> {
        latches
            .filter_map(|latch| match latch.reset {
                Reset::Function(edge) => {
                    Some(self.gates.iff(values.at(latch.state), values.at(edge)))
                }
                _ => None,
            })
            .collect()
    }

    pub(super) fn check(&mut self, bads: &[Edge]) -> Result<(), CertifyError> {
        let model = self.model;
        let Certificate {
            witness,
            shared_latches,
            ..
        } = self.certificate;
        let pairs: Vec<(&Latch, Option<&Latch>)> = witness
            .latches
            .iter()
            .zip(shared_latches)
            .map(|(latch, shared)| (latch, shared.map(|number| &model.latches[number])))
            .collect();
        let good = |values: &Valuation| -> Vec<Gate> {
            witness.bads.iter().map(|&bad| values.at(!bad)).collect()
        };

        // Equations on the left of an implication are substituted instead of stated: in `reset` the shared
        // latches have the model's resets, in `base` all latches of the witness have its resets; `after`
        // follows `s` by the model, `later` by the witness.
        let s = self.assumed_moment();

        let resets: Vec<Option<Gate>> = pairs
            .iter()
            .map(|(_, shared)| shared.and_then(|latch| constant(latch.reset)))
            .collect();
        let reset = self.moment(&resets);
        let mut then = reset.witness.all(&witness.constraints);
        for (latch, shared) in &pairs {
            if let (Some(_), Some(value)) = (shared, constant(latch.reset)) {
                then.push(self.gates.iff(reset.witness.at(latch.state), value));
            }
        }
        let shared = || pairs.iter().filter(|(_, shared)| shared.is_some());
        then.extend(self.function_resets(shared().map(|&(latch, _)| latch), &reset.witness));
        let theirs = pairs.iter().filter_map(|&(_, shared)| shared);
        let mut given = self.function_resets(theirs, &reset.model);
        given.extend(reset.model.all(&model.constraints));
        self.implies(Condition::Reset, &given, &then)?;

        let nexts: Vec<Option<Gate>> = pairs
            .iter()
            .map(|(_, shared)| shared.map(|latch| s.model.at(latch.next)))
            .collect();
        let after = self.moment(&nexts);
        let mut given = s.model.all(&model.constraints);
        given.extend(after.model.all(&model.constraints));
        given.extend(s.witness.all(&witness.constraints));
        let mut then = after.witness.all(&witness.constraints);
        let latches = shared().map(|&(latch, _)| latch);
        then.extend(self.steps(latches, &s.witness, &after.witness));
        self.implies(Condition::Transition, &given, &then)?;

        let mut given = s.model.all(&model.constraints);
        given.extend(s.witness.all(&witness.constraints));
        given.extend(good(&s.witness));
        let then: Vec<Gate> = bads.iter().map(|&bad| s.model.at(!bad)).collect();
        self.implies(Condition::Safety, &given, &then)?;

        let resets: Vec<Option<Gate>> = pairs
            .iter()
            .map(|(latch, _)| constant(latch.reset))
            .collect();
        let base = self.moment(&resets);
        let mut given = self.function_resets(pairs.iter().map(|&(latch, _)| latch), &base.witness);
        given.extend(base.witness.all(&witness.constraints));
        self.implies(Condition::Base, &given, &good(&base.witness))?;

        let nexts: Vec<Option<Gate>> = pairs
            .iter()
            .map(|(latch, _)| Some(s.witness.at(latch.next)))
            .collect();
        let later = self.moment(&nexts);
        let mut given = s.witness.all(&witness.constraints);
        given.extend(later.witness.all(&witness.constraints));
        given.extend(good(&s.witness));
        self.implies(Condition::Inductive, &given, &good(&later.witness))
    }
}
