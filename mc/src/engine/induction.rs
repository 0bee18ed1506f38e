//! Bads that are unreachable by k-induction together: each property may assume the others in the steps before. Assertions of a
//! design are often written so, and none of them is inductive alone.
//!
//! For growing k, the bads that the induction step excludes together are the largest set that is closed: one that holds in a model
//! of the step is left out, with what it stood for as an assumption, until there is no model (C. Flanagan, K. R. M. Leino,
//! "Houdini, an annotation assistant for ESC/Java", FME 2001, for k = 1). What has been proved is an assumption in all steps.
//!
//! The model is the one that was given: in a model whose equivalences have been merged, a property that is one of these is no
//! assumption any more.

use std::time::{Duration, Instant};

use craig_aig::Edge;
use craig_model::{Model, Outcome, Reset, UnknownReason, Verdict};
use craig_solver::{Answer, Lit};

use super::frames::Frames;
use super::kind;
use super::why_stopped;
use crate::circuit::unroll::{Start, Unrolling};
use crate::control::Control;

/// The name in notes.
const NAME: &str = "induction";

/// The limits of a search. It also ends before a step if it has proved nothing for longer than `patience`, and for twice the time
/// in which it has proved something.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The largest k.
    pub depth: usize,
    /// The gates in all steps together, at most: the evidence has about that many.
    pub gates: usize,
    /// The least time without a proof.
    pub patience: Duration,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            depth: 64,
            gates: 400_000,
            patience: Duration::from_secs(2),
        }
    }
}

/// Searches for bads that are unreachable by k-induction together. Passes on the numbers of those that have been proved by the
/// same k, increasing, with a proof that is about them and those before.
///
/// Nothing is proved of a model in which a latch starts at a formula.
///
/// # Errors
/// Why it was stopped.
///
/// # Panics
/// If the model has no bad of one of these numbers.
pub fn search(
    model: &Model,
    bads: &[usize],
    effort: Effort,
    control: Control<'_>,
    mut proved: impl FnMut(&[usize], Outcome),
) -> Result<(), UnknownReason> {
    let starts_at_formula = |reset: &Reset| matches!(reset, Reset::Function(_));
    if (model.latches.iter()).any(|latch| starts_at_formula(&latch.reset)) {
        return Ok(());
    }
    if bads.is_empty() {
        return Ok(());
    }
    let mut base = Side::new(model, bads, Start::Reset, control);
    let mut step = Side::new(model, bads, Start::Free, control);
    let n_gates = step.frames.unrolling.cone().ands.len().max(1);
    let mut open: Vec<Tried> = (bads.iter().enumerate())
        .map(|(place, &number)| Tried {
            number,
            place,
            holds_before: step.frames.solver.new_var().positive(),
        })
        .collect();
    let mut known: Vec<Tried> = Vec::new();
    let begin = Instant::now();
    let mut last = begin;
    for depth in 0..=effort.depth.min(effort.gates / n_gates) {
        if last.elapsed() > effort.patience.max((last - begin) * 2) {
            break;
        }
        // No open bad is reached in the steps before `depth`.
        step.push_frame();
        for tried in &known {
            step.exclude(tried, depth);
        }
        let closed = step.closed(&open, depth).ok_or(why_stopped(control.stop))?;
        if !closed.is_empty() {
            last = Instant::now();
            let new: Vec<usize> = closed.iter().map(|tried| tried.number).collect();
            known.extend(&closed);
            control.listener.note(NAME, || {
                let (n_new, n_open) = (new.len(), open.len());
                format!("{n_new} of {n_open} open properties hold by {depth}-induction")
            });
            let joint = disjunction(model, known.iter().map(|tried| tried.number));
            let certificate = kind::certificate(&joint, 0, depth, &[]);
            open.retain(|tried| !new.contains(&tried.number));
            for tried in &closed {
                for frame in 0..=depth {
                    step.exclude(tried, frame);
                }
            }
            proved(
                &new,
                Outcome {
                    verdict: Verdict::Safe(Box::new(certificate)),
                    engine: kind::NAME,
                    depth,
                },
            );
        }
        base.push_frame();
        let reached = base
            .reached(&open, depth)
            .ok_or(why_stopped(control.stop))?;
        open.retain(|tried| !reached.contains(&tried.number));
        if open.is_empty() {
            break;
        }
        for tried in &open {
            step.exclude_if(tried, depth);
        }
    }
    Ok(())
}

/// The model with the disjunction of some bads as its only one.
fn disjunction(model: &Model, bads: impl Iterator<Item = usize>) -> Model {
    let mut joint = model.clone();
    let edges = bads.map(|number| model.bads[number]);
    joint.bads = vec![joint.aig.or_all(edges)];
    joint.names.bads.clear();
    joint
}

/// A bad that is open.
#[derive(Clone, Copy, Debug)]
struct Tried {
    number: usize,
    /// Its place among the bads of the search.
    place: usize,
    /// The literal of the step that excludes it in the frames before the last.
    holds_before: Lit,
}

/// One of the two unrollings, with its solver.
struct Side<'a> {
    frames: Frames<'a>,
    /// The bads of the search, edges of the model.
    bads: Vec<Edge>,
    /// By frame: what they are there.
    images: Vec<Vec<Edge>>,
}

impl<'a> Side<'a> {
    fn new(model: &'a Model, bads: &[usize], start: Start, control: Control<'_>) -> Self {
        // Not the cone of their disjunction: what it simplifies to may depend on less.
        let unrolling = Unrolling::of_bads(model, bads, start);
        Self {
            frames: Frames::new(unrolling, control.stop),
            bads: bads.iter().map(|&number| model.bads[number]).collect(),
            images: Vec::new(),
        }
    }

    fn push_frame(&mut self) {
        self.frames.push();
        let images = self.frames.unrolling.images();
        let bads = self.bads.iter().map(|bad| bad.image(images));
        self.images.push(bads.collect());
    }

    /// The literal of a bad in a frame.
    fn at(&mut self, tried: &Tried, frame: usize) -> Lit {
        self.frames.literal(self.images[frame][tried.place])
    }

    /// Excludes a bad in a frame.
    fn exclude(&mut self, tried: &Tried, frame: usize) {
        self.frames.exclude(self.images[frame][tried.place]);
    }

    /// Excludes a bad in a frame where it is assumed to hold nowhere before the last one.
    fn exclude_if(&mut self, tried: &Tried, frame: usize) {
        let bad = self.at(tried, frame);
        self.frames.solver.add_clause(&[!tried.holds_before, !bad]);
    }

    /// Those of some bads that a model has in a frame, with these assumptions; none if there is no model, and `None` if the
    /// search is stopped. Each of them is in the model of a question about all.
    fn some(&mut self, tried: &[Tried], frame: usize, assumed: &[Lit]) -> Option<Vec<usize>> {
        let question = self.frames.solver.new_var().positive();
        let lits: Vec<Lit> = tried.iter().map(|one| self.at(one, frame)).collect();
        let mut clause = lits.clone();
        clause.push(!question);
        self.frames.solver.add_clause(&clause);
        let mut assumptions = assumed.to_vec();
        assumptions.push(question);
        let answer = self.frames.solver.solve(&assumptions);
        let numbers = match answer {
            Answer::Unknown => return None,
            Answer::Unsatisfiable => Vec::new(),
            Answer::Satisfiable => {
                let holds = |lit: &Lit| self.frames.solver.value(*lit) == Some(true);
                let pairs = tried.iter().zip(&lits).filter(|(_, lit)| holds(lit));
                pairs.map(|(one, _)| one.number).collect()
            }
        };
        debug_assert_eq!(numbers.is_empty(), answer == Answer::Unsatisfiable);
        self.frames.solver.add_clause(&[!question]);
        Some(numbers)
    }

    /// The largest set of bads, none of which can be the first in the last frame. `None` if the search is stopped.
    fn closed(&mut self, open: &[Tried], last: usize) -> Option<Vec<Tried>> {
        let mut left = open.to_vec();
        while !left.is_empty() {
            let assumed: Vec<Lit> = left.iter().map(|tried| tried.holds_before).collect();
            let failing = self.some(&left, last, &assumed)?;
            if failing.is_empty() {
                break;
            }
            left.retain(|tried| !failing.contains(&tried.number));
        }
        Some(left)
    }

    /// The bads that are reached in the last frame. `None` if the search is stopped.
    fn reached(&mut self, open: &[Tried], last: usize) -> Option<Vec<usize>> {
        let mut left = open.to_vec();
        let mut all = Vec::new();
        while !left.is_empty() {
            let reached = self.some(&left, last, &[])?;
            if reached.is_empty() {
                break;
            }
            left.retain(|tried| !reached.contains(&tried.number));
            all.extend(reached);
        }
        for tried in &left {
            self.exclude(tried, last);
        }
        Some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Alone;
    use craig_certify::certify_some;
    use craig_model::Latch;

    /// What a search of all bads finds: the numbers, and k.
    fn found(model: &Model) -> Vec<(Vec<usize>, usize)> {
        let bads: Vec<usize> = (0..model.bads.len()).collect();
        let mut all = Vec::new();
        search(
            model,
            &bads,
            Effort {
                depth: 8,
                ..Effort::default()
            },
            Alone::new().control(),
            |bads, outcome| {
                let Verdict::Safe(certificate) = &outcome.verdict else {
                    panic!("{outcome:?}");
                };
                certify_some(model, bads, certificate).unwrap();
                all.push((bads.to_vec(), outcome.depth));
            },
        )
        .unwrap();
        all
    }

    fn latches(model: &mut Model, n_latches: usize) -> Vec<Edge> {
        (0..n_latches).map(|_| model.aig.add_input()).collect()
    }

    fn set(model: &mut Model, states: &[Edge], nexts: &[Edge]) {
        model.latches = (states.iter().zip(nexts))
            .map(|(&state, &next)| Latch {
                state,
                next,
                reset: Reset::Zero,
            })
            .collect();
    }

    /// Two latches that take each other's value: each is 0 as long as the other is. A third follows an input, and a fourth
    /// follows the third.
    #[test]
    fn properties_assume_each_other() {
        let mut model = Model::default();
        let input = model.aig.add_input();
        model.inputs.push(input);
        let states = latches(&mut model, 4);
        let [a, b, c, d] = states[..] else {
            panic!("four latches")
        };
        set(&mut model, &states, &[b, a, input, c]);
        model.bads = vec![a, c, b, d];
        assert_eq!(found(&model), [(vec![0, 2], 1)]);
        // Alone, neither is inductive by one step.
        model.bads = vec![a];
        assert_eq!(found(&model), [(vec![0], 2)]);
    }

    /// A chain of latches behind one that is 0: the bad of the last needs as many steps as the chain has latches, without the
    /// others.
    #[test]
    fn what_is_proved_is_assumed_later() {
        let mut model = Model::default();
        let states = latches(&mut model, 4);
        set(
            &mut model,
            &states,
            &[Edge::FALSE, states[0], states[1], states[2]],
        );
        model.bads = vec![states[3]];
        assert_eq!(found(&model), [(vec![0], 4)]);
        model.bads = states.clone();
        assert_eq!(found(&model), [(vec![0, 1, 2, 3], 1)]);
        model.bads = vec![states[3], states[1]];
        assert_eq!(found(&model), [(vec![0, 1], 2)]);
    }

    /// A bad that is reached is no assumption, whenever that is.
    #[test]
    fn what_fails_is_not_assumed() {
        let mut model = Model::default();
        let states = latches(&mut model, 4);
        let [a, b, c, d] = states[..] else {
            panic!("four latches")
        };
        // `c` is 1 from the third step on, and `d` follows it.
        set(&mut model, &states, &[Edge::TRUE, a, b, c]);
        model.bads = vec![c, d];
        assert_eq!(found(&model), []);
    }

    /// The disjunction of all bads is true, or has simpler gates than they have.
    #[test]
    fn bads_are_unrolled_one_by_one() {
        let mut model = Model::default();
        let states = latches(&mut model, 2);
        let [a, b] = states[..] else {
            panic!("two latches")
        };
        set(&mut model, &states, &[Edge::TRUE, a]);
        let late = model.aig.and(a, b);
        model.bads = vec![late, Edge::TRUE];
        assert_eq!(found(&model), []);
        let never = model.aig.and(!a, b);
        model.bads = vec![!a, never];
        assert_eq!(found(&model), [(vec![1], 1)]);
    }

    #[test]
    fn constraints_hold_in_all_steps() {
        let mut model = Model::default();
        let input = model.aig.add_input();
        model.inputs.push(input);
        let states = latches(&mut model, 1);
        set(&mut model, &states, &[input]);
        model.bads = vec![states[0]];
        assert_eq!(found(&model), []);
        model.constraints = vec![!input];
        assert_eq!(found(&model), [(vec![0], 1)]);
    }
}
