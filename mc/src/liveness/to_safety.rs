//! Liveness to safety: a run that repeats a state, with a hit in between, is a run to a bad of a larger model.
//!
//! Biere, Artho, Schuppan, "Liveness checking as safety checking" (FMICS 2002). An input chooses the step in
//! which the state is saved; shadow latches hold it. Only latches in the cone of the hit and the constraints
//! are saved, and among them only those that can change.
//!
//! Where only loops are searched, the shadow latches are free at first and never change, and the loop starts
//! where the state equals them: there is no input, and the shadow needs no logic. Proofs about that model do
//! not give proofs of liveness, since their invariants would be needed for every value of the shadow at once.

use craig_aig::Edge;
use craig_model::{
    Certificate, Latch, Model, Outcome, Reset, Trace, UnknownReason, Verdict, cone::SequentialCone,
    simulate::Simulator,
};

use super::proof::{Proof, Variable};
use super::search::{Found, Tools};
use crate::circuit::reduce;
use crate::control::{Alone, Control};
use crate::engine::pdr;

/// The name of the method.
pub const NAME: &str = "to-safety";

/// Lets an engine for safety decide the larger model.
pub(super) fn run(
    original: &Model,
    tools: &Tools<'_>,
    control: Control<'_>,
) -> Result<Found, UnknownReason> {
    ToSafety::new(original).decide(original, tools, control, |model, control| {
        match tools.engine {
            Some(engine) => engine(model, 0, control),
            None => {
                let options = pdr::Options {
                    seed: tools.seed,
                    ..pdr::Options::default()
                };
                pdr::check(model, 0, &options, control)
            }
        }
    })
}

/// How shadow latches get their values.
#[derive(Clone, Copy, Debug)]
enum Shadow {
    /// An input says when.
    Saved,
    /// They have any value from the first step on.
    Free,
}

/// The latches in the cone of the hit and the constraints.
fn cone(original: &Model) -> Vec<usize> {
    let roots = original.constraints.iter().chain(&original.bads);
    SequentialCone::new(original, roots.copied()).latches
}

/// The larger model. The inputs and latches of the original come first.
pub(super) struct ToSafety {
    /// Its only bad: a state was saved, there was a hit since, and the state is the saved one.
    pub(super) model: Model,
    /// The position of the input that saves the state; none if the shadow is free.
    save: Option<usize>,
    /// For each shadow latch the latch whose value it saves. The shadows come after the original's latches,
    /// and then the latches "a state was saved" and "there was a hit since".
    shadowed: Vec<usize>,
    n_original: usize,
}

impl ToSafety {
    /// From a model with one bad, the hit.
    pub(super) fn new(original: &Model) -> Self {
        Self::of_latches(original, cone(original), Shadow::Saved)
    }

    /// From a model with one bad, with a free shadow.
    pub(super) fn for_loops(original: &Model) -> Self {
        Self::of_latches(original, cone(original), Shadow::Free)
    }

    /// As `for_loops`, but latches outside the cone repeat as well.
    pub(super) fn of_all_latches(original: &Model) -> Self {
        Self::of_latches(
            original,
            (0..original.latches.len()).collect(),
            Shadow::Free,
        )
    }

    /// The larger model in which these latches are saved. The cone of the hit and the constraints has no
    /// others.
    fn of_latches(original: &Model, latches: Vec<usize>, shadow: Shadow) -> Self {
        debug_assert_eq!(original.bads.len(), 1);
        let hit = original.bads[0];
        let mut model = original.clone();
        let aig = &mut model.aig;
        let save_input = match shadow {
            Shadow::Saved => Some(aig.add_input()),
            Shadow::Free => None,
        };
        let can_change = |&latch: &usize| {
            let latch = &original.latches[latch];
            latch.next != latch.state
        };
        let shadowed: Vec<usize> = latches.into_iter().filter(can_change).collect();
        let shadows: Vec<Edge> = shadowed.iter().map(|_| aig.add_input()).collect();
        let (saved, seen) = (aig.add_input(), aig.add_input());
        let saves = save_input.map(|input| aig.and(input, !saved));
        let mut same = Vec::with_capacity(shadows.len());
        for (&latch, &shadow) in shadowed.iter().zip(&shadows) {
            let state = original.latches[latch].state;
            same.push(aig.iff(state, shadow));
            model.latches.push(match saves {
                Some(saves) => zero(shadow, aig.ite(saves, state, shadow)),
                None => Latch {
                    state: shadow,
                    next: shadow,
                    reset: Reset::Uninitialised,
                },
            });
        }
        let is_repeated = aig.and_all(same);
        let saved_next = aig.or(saved, save_input.unwrap_or(is_repeated));
        let counts = aig.and(saved_next, hit);
        let seen_next = aig.or(seen, counts);
        model.latches.push(zero(saved, saved_next));
        model.latches.push(zero(seen, seen_next));
        model.bads = vec![aig.and_all([saved, seen, is_repeated])];
        let save = save_input.map(|input| {
            model.inputs.push(input);
            model.inputs.len() - 1
        });
        Self {
            model,
            save,
            shadowed,
            n_original: original.latches.len(),
        }
    }

    /// Reduces the larger model, lets `engine` decide its bad, number 0, and lifts the answer.
    pub(super) fn decide(
        &self,
        original: &Model,
        tools: &Tools<'_>,
        control: Control<'_>,
        engine: impl FnOnce(&Model, Control<'_>) -> Outcome,
    ) -> Result<Found, UnknownReason> {
        let inner = Alone::until(control.stop.clone());
        let reduced = reduce::run(&self.model, 0, &tools.passes, inner.control());
        let outcome = engine(&reduced.model, inner.control());
        self.found(original, reduced.lift_outcome(outcome).verdict)
    }

    /// The run of the original in a run to the bad, without its last step, in whose first state the loop is
    /// closed; and the step in which the loop starts.
    fn lasso(&self, original: &Model, trace: &Trace) -> (Trace, usize) {
        let n_steps = trace.inputs.len() - 1;
        let n_inputs = original.inputs.len();
        let inputs = trace.inputs[..n_steps].iter();
        let run = Trace {
            property: 0,
            initial: trace.initial[..self.n_original].to_vec(),
            inputs: inputs.map(|values| values[..n_inputs].to_vec()).collect(),
        };
        let loop_start = match self.save {
            Some(save) => (0..n_steps).find(|&step| trace.inputs[step][save] == Some(true)),
            None => self.first_repeated(original, trace),
        };
        (run, loop_start.expect("a state is saved before the bad"))
    }

    /// The first step of a run in which the state is that of the free shadow.
    fn first_repeated(&self, original: &Model, trace: &Trace) -> Option<usize> {
        let shadow: Vec<bool> = trace.initial[self.n_original..]
            .iter()
            .map(|value| *value == Some(true))
            .collect();
        let initial = trace.initial[..self.n_original].to_vec();
        let mut simulator = Simulator::new(original, &initial, &Vec::new()).ok()?;
        for (step, values) in trace.inputs.iter().enumerate() {
            let mut pairs = self.shadowed.iter().zip(&shadow);
            if pairs.all(|(&latch, &value)| simulator.state()[latch] == value) {
                return Some(step);
            }
            let values = values[..original.inputs.len()].iter();
            let values: Vec<bool> = values.map(|value| *value == Some(true)).collect();
            simulator.step(&values);
        }
        None
    }

    /// What a verdict about the larger model says about the original.
    pub(super) fn found(&self, original: &Model, verdict: Verdict) -> Result<Found, UnknownReason> {
        match verdict {
            Verdict::Unsafe(trace) => {
                let (run, loop_start) = self.lasso(original, &trace);
                Ok(Found::Lasso(run, loop_start))
            }
            Verdict::Safe(_) if self.save.is_none() => {
                Err(UnknownReason::Bound("there is no loop".to_owned()))
            }
            Verdict::Safe(certificate) => match self.proof(original, &certificate) {
                Some(proof) => Ok(Found::Proof(Box::new(proof))),
                None => Err(UnknownReason::Unsupported(
                    "the engine's proof has latches of its own, from which no proof of liveness is made"
                        .to_owned(),
                )),
            },
            Verdict::Unknown(reason) => Err(reason),
        }
    }

    /// The proof from a certificate of the model; `None` if the certificate has latches of its own.
    ///
    /// The constraints of the certificate and its property together are an inductive invariant I of (state,
    /// shadow, saved, seen), for every value of the inputs. P(s) is I(s, 0, 0, 0), whatever is saved in this
    /// step. By a step that saves, P(s) implies I(t, s, 1, hit in s); and by steps after it, Q(s, t) =
    /// I(s, t, 1, 0) or I(s, t, 1, 1) persists. A hit in s, Q(s, t) and a step from s to t would give
    /// I(t, t, 1, 1), where the bad holds.
    fn proof(&self, original: &Model, certificate: &Certificate) -> Option<Proof> {
        let theirs = &certificate.witness;
        let save_input = self.save?;
        if certificate.shared_latches.iter().any(Option::is_none) {
            return None;
        }
        let mut witness = original.clone();
        witness.bads.clear();
        let mut shared_inputs: Vec<Option<usize>> = (0..original.inputs.len()).map(Some).collect();
        let mut own_input = |witness: &mut Model| {
            let input = witness.aig.add_input();
            witness.inputs.push(input);
            shared_inputs.push(None);
            input
        };
        let mut leaves = vec![Edge::FALSE; theirs.aig.n_nodes()];
        let mut save = None;
        for (input, shared) in theirs.inputs.iter().zip(&certificate.shared_inputs) {
            leaves[input.node() as usize] = match *shared {
                Some(number) if number == save_input => {
                    save = Some(input.node() as usize);
                    Edge::FALSE
                }
                Some(number) => original.inputs[number],
                None => own_input(&mut witness),
            };
        }
        let stand_ins: Vec<Edge> = (self.shadowed.iter())
            .map(|_| own_input(&mut witness))
            .collect();
        let roots: Vec<Edge> = (theirs.constraints.iter().copied())
            .chain(theirs.bads.iter().map(|&bad| !bad))
            .collect();
        let n_shadows = self.shadowed.len();
        // I with these values of the latches that the original does not have.
        let mut invariant = |shadows: Option<&[Edge]>, saved: bool, seen: bool, saves: bool| {
            let constant = |value: bool| Edge::FALSE.negate_if(value);
            if let Some(save) = save {
                leaves[save] = constant(saves);
            }
            for (latch, shared) in theirs.latches.iter().zip(&certificate.shared_latches) {
                let number = shared.expect("every latch is shared");
                leaves[latch.state.node() as usize] = match number.checked_sub(self.n_original) {
                    None => original.latches[number].state,
                    Some(shadow) if shadow < n_shadows => {
                        shadows.map_or(Edge::FALSE, |shadows| shadows[shadow])
                    }
                    Some(rest) => constant(if rest == n_shadows { saved } else { seen }),
                };
            }
            let leaf = &mut |node: u32| leaves[node as usize];
            let images = witness.aig.copy_cone(&theirs.aig, &roots, leaf);
            witness.aig.and_all(images)
        };
        let keeps = invariant(None, false, false, false);
        let begins = invariant(None, false, false, true);
        let unseen = invariant(Some(&stand_ins), true, false, false);
        let seen = invariant(Some(&stand_ins), true, true, false);
        let holds = witness.aig.and(keeps, begins);
        let may_repeat = witness.aig.or(unseen, seen);
        witness.bads = vec![!holds, may_repeat];
        Some(Proof {
            certificate: Certificate {
                shared_inputs,
                shared_latches: (0..original.latches.len()).map(Some).collect(),
                witness,
            },
            stand_ins: self
                .shadowed
                .iter()
                .map(|&latch| Variable::Latch(latch))
                .collect(),
        })
    }
}

/// A latch that starts at 0.
pub(super) fn zero(state: Edge, next: Edge) -> Latch {
    Latch {
        state,
        next,
        reset: Reset::Zero,
    }
}
