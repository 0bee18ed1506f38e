//! A bad that is a disjunction of conditions about slices of the circuit, of which one stands for all.
//!
//! Two words that must be equal are unequal in some bit. Where words are moved and compared, but nothing is computed
//! from them, the bit of number i depends on the bits i of other words, and on control that reads no data. So the bad
//! is the disjunction of one condition for each bit (`disjunction.rs`), each with a small cone, and the cones differ
//! in names only (`symmetry.rs`): what is decided about one of them is decided about all. That is exact for runs and for
//! proofs alike, however wide the words are.
//!
//! * A run to one of the conditions is a run to the bad, with zeros for the inputs of other slices.
//! * A proof about one, with the names of each other, is a proof about that. Together they are one of the model.
//!
//! The idea is that of data independence (Wolper, "Expressing interesting properties of programs in propositional temporal
//! logic", POPL 1986) and of splitting data paths by bits, found in the gates.

mod disjunction;
mod symmetry;

use craig_aig::{Edge, Poll};
use craig_model::{
    Certificate, Model, Outcome, Stop, Trace, Values, Verdict,
    certificate::WitnessBuilder,
    cone::SequentialCone,
    simulate::{first_bad_step, replay},
};

use self::disjunction::Disjunction;
use self::symmetry::{Renaming, renaming};

/// Slices that are not like each other, at most: each is searched.
const MOST_KINDS: usize = 3;
/// The share of the latches of the bad that a slice has at most: numerator and denominator.
const LARGEST_SLICE: (usize, usize) = (2, 3);
/// Nodes that are visited to find slices and what they have in common, at most.
const MOST_VISITS: usize = 200_000_000;

/// The answer about the slices of a model.
pub struct Decided {
    /// About the model.
    pub outcome: Outcome,
    /// The number of slices.
    pub n_slices: usize,
    /// The number of slices that were searched.
    pub n_searched: usize,
}

/// A condition of which the bad is the disjunction, and how the one that is searched for it is renamed.
struct Slice {
    kind: usize,
    renaming: Renaming,
}

/// A condition that is searched, as a model.
struct Kind {
    bad: Edge,
    cone: SequentialCone,
}

/// The slices of a model.
struct Slices {
    /// The model, with gates for the conditions.
    model: Model,
    property: usize,
    kinds: Vec<Kind>,
    slices: Vec<Slice>,
}

/// Decides a bad of a model by one slice of each kind; `search` decides bad 0 of another model. With `is_shortest`, a
/// run is a shortest one if those of `search` are. `None` if the bad has no slices, if a latch has a reset function, if
/// `search` gives no answer, or if `stop` ends the search for slices.
///
/// # Errors
/// Those of `search`.
///
/// # Panics
/// If there is no such bad.
pub fn decide<E>(
    model: &Model,
    property: usize,
    is_shortest: bool,
    stop: &Stop,
    search: &mut dyn FnMut(&Model) -> Result<Outcome, E>,
) -> Result<Option<Decided>, E> {
    let most_kinds = match is_shortest {
        true => 1,
        false => MOST_KINDS,
    };
    let Some(slices) = Slices::new(model, property, most_kinds, &mut stop.poll()) else {
        return Ok(None);
    };
    let mut proofs = Vec::new();
    for (number, kind) in slices.kinds.iter().enumerate() {
        let part = slices.part(kind);
        let outcome = search(&part.witness)?;
        let mut depth = outcome.depth;
        let verdict = match outcome.verdict {
            Verdict::Unknown(_) => return Ok(None),
            Verdict::Unsafe(trace) => {
                let trace = slices.lift_trace(&part, &trace);
                depth = trace.depth();
                Verdict::Unsafe(trace)
            }
            Verdict::Safe(proof) => {
                proofs.push((part, *proof));
                if proofs.len() < slices.kinds.len() {
                    continue;
                }
                Verdict::Safe(Box::new(slices.lift_proofs(&proofs)))
            }
        };
        return Ok(Some(Decided {
            outcome: Outcome {
                verdict,
                depth,
                ..outcome
            },
            n_slices: slices.slices.len(),
            n_searched: number + 1,
        }));
    }
    Ok(None)
}

impl Slices {
    fn new(
        original: &Model,
        property: usize,
        most_kinds: usize,
        poll: &mut Poll<'_>,
    ) -> Option<Self> {
        if original.has_reset_functions() {
            return None;
        }
        let bad = original.bads[property];
        let disjunction = Disjunction::widest(&original.aig, bad, poll)?;
        let n_visits = original
            .aig
            .n_nodes()
            .saturating_mul(disjunction.members.len());
        if n_visits > MOST_VISITS {
            return None;
        }
        let whole = SequentialCone::of_property_until(original, property, poll)?;
        let (part, of) = LARGEST_SLICE;
        let most_latches = whole.latches.len() * part / of;
        let mut slices = Self {
            model: original.clone(),
            property,
            kinds: Vec::new(),
            slices: Vec::new(),
        };
        let model = &mut slices.model;
        for &member in &disjunction.members {
            let bad = disjunction.with(&mut model.aig, member);
            let roots = std::iter::once(bad).chain(model.constraints.iter().copied());
            let cone = SequentialCone::new_until(model, roots, poll)?;
            if cone.latches.len() > most_latches {
                return None;
            }
            let own = Kind { bad, cone };
            let mut known = slices.kinds.iter().enumerate();
            let slice = known.find_map(|(kind, like)| {
                let renaming = renaming(model, (like.bad, &like.cone), (own.bad, &own.cone))?;
                Some(Slice { kind, renaming })
            });
            slices.slices.push(match slice {
                Some(slice) => slice,
                None => {
                    let renaming = Renaming::identity(&own.cone);
                    slices.kinds.push(own);
                    let kind = slices.kinds.len() - 1;
                    Slice { kind, renaming }
                }
            });
            if slices.kinds.len() > most_kinds {
                return None;
            }
        }
        Some(slices)
    }

    /// The part of the model for one slice, as a copy whose inputs and latches are shared.
    fn part(&self, kind: &Kind) -> Certificate {
        let constraints = self.model.constraints.iter().copied();
        let roots = std::iter::once(kind.bad).chain(constraints);
        let mut copy = WitnessBuilder::new(&self.model, roots);
        let bad = copy.image(kind.bad);
        copy.set_bads(&[bad]);
        copy.finish()
    }

    /// A run of the model from one of a part of it.
    fn lift_trace(&self, part: &Certificate, trace: &Trace) -> Trace {
        let placed = |values: &Values, shared: &[Option<usize>], mut all: Values| {
            for (value, place) in values.iter().zip(shared) {
                if let Some(place) = *place {
                    all[place] = value.or(all[place]);
                }
            }
            all
        };
        let resets = self.model.latches.iter().map(|latch| latch.reset.value());
        let initial: Values = resets.map(|value| Some(value.unwrap_or(false))).collect();
        let inputs: Values = vec![Some(false); self.model.inputs.len()];
        let mut trace = Trace {
            property: self.property,
            initial: placed(&trace.initial, &part.shared_latches, initial),
            inputs: (trace.inputs.iter())
                .map(|step| placed(step, &part.shared_inputs, inputs.clone()))
                .collect(),
        };
        // Zeros may reach the condition of another slice before.
        let steps = replay(&self.model, &trace);
        debug_assert!(steps.is_ok(), "the run fits the model");
        let first = steps
            .ok()
            .and_then(|steps| first_bad_step(&steps, self.property));
        debug_assert!(first.is_some(), "a condition of the bad holds");
        if let Some(first) = first {
            trace.inputs.truncate(first + 1);
        }
        trace
    }

    /// A proof about the model from one about each kind of slice.
    fn lift_proofs(&self, proofs: &[(Certificate, Certificate)]) -> Certificate {
        let model = &self.model;
        let inputs = model.inputs.iter().copied();
        let latches = model.latches.iter().map(|latch| latch.state);
        let leaves: Vec<Edge> = inputs.chain(latches).collect();
        let bad = model.bads[self.property];
        let roots = model.constraints.iter().copied().chain([bad]);
        let own = (self.kinds.iter()).map(|kind| kind.bad).chain(leaves);
        let mut copy = WitnessBuilder::new(model, roots.chain(own));
        let mut bads = Vec::new();
        for slice in &self.slices {
            let (part, proof) = &proofs[slice.kind];
            debug_assert_eq!(part.shared_latches.len(), slice.renaming.latches.len());
            let inputs = slice.renaming.inputs.iter();
            let inputs: Vec<Edge> = inputs.map(|&number| model.inputs[number]).collect();
            let latches = slice.renaming.latches.iter();
            let latches: Vec<Edge> = latches.map(|&number| model.latches[number].state).collect();
            let (own, constraints) = copy.add_part_of(proof, &inputs, &latches);
            copy.add_constraints(constraints);
            bads.extend(own);
        }
        copy.set_bads(&bads);
        copy.finish()
    }
}
