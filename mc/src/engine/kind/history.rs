//! The witness circuit of a proof by k-induction: the model with its last steps.

use craig_aig::Edge;
use craig_model::{Certificate, Latch, Model, Reset, cone::SequentialCone};

use crate::circuit::unroll::Frame;
use crate::control::StateClause;

/// One step in a witness circuit, over variables of its own.
struct Copy {
    frame: Frame,
    states: Vec<Edge>,
    nexts: Vec<Edge>,
}

/// The witness circuit of a proof by `depth`-induction (the construction of Certifaiger's k-induction
/// witnesses) that depends on `invariants`, which are inductive together.
///
/// The negations of the invariants are part of the bad: together with the absence of the bad they are
/// `depth`-inductive.
///
/// It extends the model by latches that hold the inputs and latches of the last `depth` - 1 steps, and by a
/// valid bit for each of those steps. Its bad is that the bad holds now, or that the history is inconsistent:
/// a recorded step with the bad or without the constraints, two steps that are not consecutive, a gap, or a
/// history that begins in a state that is not initial.
pub(in crate::engine) fn certificate(
    model: &Model,
    property: usize,
    depth: usize,
    invariants: &[StateClause],
) -> Certificate {
    let mut strengthened = model.clone();
    let clauses: Vec<Edge> = invariants
        .iter()
        .map(|clause| {
            let lits = clause.iter();
            let lits = lits.map(|&(latch, value)| model.latches[latch].state.negate_if(!value));
            strengthened.aig.or_all(lits)
        })
        .collect();
    let invariant = strengthened.aig.and_all(clauses);
    if depth <= 1 {
        return Certificate::from_invariant(&strengthened, property, invariant);
    }
    let bad = model.bads[property];
    strengthened.bads[property] = strengthened.aig.or(bad, !invariant);
    History::new(&strengthened, property, depth).certificate()
}

/// The witness circuit with the last steps of a model.
struct History<'a> {
    model: &'a Model,
    property: usize,
    depth: usize,
    cone: SequentialCone,
    witness: Model,
    /// Copy 0 is the current step; copy i is i steps old.
    copies: Vec<Copy>,
    /// By age: whether there is a step as old as that.
    valid: Vec<Edge>,
}

impl<'a> History<'a> {
    fn new(model: &'a Model, property: usize, depth: usize) -> Self {
        Self {
            model,
            property,
            depth,
            cone: SequentialCone::of_property(model, property),
            witness: Model::default(),
            copies: Vec::with_capacity(depth),
            valid: vec![Edge::TRUE],
        }
    }

    fn certificate(mut self) -> Certificate {
        self.add_copies();
        self.witness.inputs.clone_from(&self.copies[0].frame.inputs);
        self.add_latches();
        self.add_held();
        self.add_valid();
        let bad = self.bad();
        self.witness.bads = vec![bad];
        let constraints = &self.copies[0].frame.constraints;
        self.witness.constraints.clone_from(constraints);
        let mut shared_latches: Vec<Option<usize>> =
            self.cone.latches.iter().copied().map(Some).collect();
        shared_latches.resize(self.witness.latches.len(), None);
        Certificate {
            shared_inputs: self.cone.inputs.iter().copied().map(Some).collect(),
            shared_latches,
            witness: self.witness,
        }
    }

    /// The gates of each step.
    fn add_copies(&mut self) {
        let mut images = vec![Edge::FALSE; self.model.aig.n_nodes()];
        for _ in 0..self.depth {
            let aig = &mut self.witness.aig;
            let inputs: Vec<Edge> = self.cone.inputs.iter().map(|_| aig.add_input()).collect();
            let states: Vec<Edge> = self.cone.latches.iter().map(|_| aig.add_input()).collect();
            let subject = (self.model, self.property, &self.cone);
            let (frame, nexts) = Frame::build(subject, inputs, &states, aig, &mut images);
            self.copies.push(Copy {
                frame,
                states,
                nexts,
            });
        }
    }

    /// The latches of the model.
    fn add_latches(&mut self) {
        for (position, &number) in self.cone.latches.iter().enumerate() {
            self.witness.latches.push(Latch {
                state: self.copies[0].states[position],
                next: self.copies[0].nexts[position],
                reset: self.model.latches[number].reset,
            });
        }
    }

    /// Latches that hold the inputs and latches of each older step.
    fn add_held(&mut self) {
        for pair in self.copies.windows(2) {
            let [new, old] = pair else { continue };
            let held = old.frame.inputs.iter().chain(&old.states);
            let newer = new.frame.inputs.iter().chain(&new.states);
            for (&state, &next) in held.zip(newer) {
                self.witness.latches.push(Latch {
                    state,
                    next,
                    reset: Reset::Uninitialised,
                });
            }
        }
    }

    /// A latch for each older step that says whether there is one.
    fn add_valid(&mut self) {
        for age in 1..self.depth {
            let state = self.witness.aig.add_input();
            self.witness.latches.push(Latch {
                state,
                next: self.valid[age - 1],
                reset: Reset::Zero,
            });
            self.valid.push(state);
        }
    }

    /// The bad holds now, or the history is inconsistent.
    fn bad(&mut self) -> Edge {
        let aig = &mut self.witness.aig;
        let mut wrong = vec![self.copies[0].frame.bad];
        for age in 1..self.depth {
            let (old, new) = (&self.copies[age], &self.copies[age - 1]);
            let allowed = aig.and_all(old.frame.constraints.iter().copied());
            let harmless = aig.and(allowed, !old.frame.bad);
            let follows: Vec<Edge> = (old.nexts.iter().zip(&new.states))
                .map(|(&next, &state)| aig.iff(next, state))
                .collect();
            let follows = aig.and_all(follows);
            let initial: Vec<Edge> = (self.cone.latches.iter().zip(&new.states))
                .filter_map(|(&number, &state)| {
                    let value = self.model.latches[number].reset.value()?;
                    Some(state.negate_if(!value))
                })
                .collect();
            let initial = aig.and_all(initial);
            let good = aig.and_all([harmless, follows, self.valid[age - 1]]);
            wrong.push(aig.and(self.valid[age], !good));
            let begins = aig.and(self.valid[age - 1], !self.valid[age]);
            wrong.push(aig.and(begins, !initial));
        }
        aig.or_all(wrong)
    }
}
