//! From hit to hit, with sets of states that a run can't leave for another hit.
//!
//! Xia, Cimatti, Griggio, Li, "Avoiding the shoals: a new approach to liveness checking" (CAV 2024). A
//! depth-first search over states: from the state after a hit, PDR looks for the next hit. If there is none,
//! its inductive invariant is a *shoal*: a set that a run never leaves, and in which no hit leads anywhere but
//! into an earlier shoal. Hits that lead into shoals are then no longer looked for. A state that occurs twice
//! on the stack closes a loop.
//!
//! The number of the first shoal that contains a state never rises, and falls at each hit, so that it is a
//! level of the states.

use craig_aig::Edge;
use craig_model::{Model, Trace, UnknownReason, Values, Verdict};

use super::proof::Proof;
use super::runs::{after_a_step, clause_edge, completed, in_second_state, joined, started};
use super::search::{Found, Tools};
use crate::control::{Alone, Control, StateClause};
use crate::engine::pdr::{self, Reached};

/// The name of the method.
pub(super) const NAME: &str = "shoals";

/// A state from which the next hit is looked for.
struct Place {
    /// The latches' values; open only where the reset is, in the first place.
    state: Values,
    /// What PDR knows of the states reachable from here.
    reached: Reached,
    /// The run to the next place.
    run: Option<Trace>,
}

/// The search, whose shoals are formulas over the latches.
struct Shoals<'a> {
    original: &'a Model,
    /// The original with the shoals in its graph.
    model: Model,
    /// The union of the shoals so far, after each of them.
    unions: Vec<Edge>,
}

/// Searches from the reset states.
pub(super) fn run(
    original: &Model,
    tools: &Tools<'_>,
    control: Control<'_>,
) -> Result<Found, UnknownReason> {
    let options = pdr::Options {
        seed: tools.seed,
        ..pdr::Options::default()
    };
    let mut shoals = Shoals {
        original,
        model: original.clone(),
        unions: Vec::new(),
    };
    let resets = original.latches.iter().map(|latch| latch.reset.value());
    let mut stack = vec![Place {
        state: resets.collect(),
        reached: Reached::default(),
        run: None,
    }];
    while let Some(place) = stack.last_mut() {
        let question = shoals.question(&place.state);
        let inner = Alone::until(control.stop.clone());
        let outcome = pdr::resume(&question, 0, &options, &mut place.reached, inner.control());
        match outcome.verdict {
            Verdict::Unknown(reason) => return Err(reason),
            Verdict::Unsafe(trace) => {
                let run = completed(original, &trace);
                let state = run.end;
                place.run = Some(run.trace);
                let earlier = stack.iter().skip(1).position(|place| place.state == state);
                if let Some(earlier) = earlier {
                    return Ok(shoals.lasso(&stack, earlier + 1));
                }
                stack.push(Place {
                    state,
                    reached: Reached::default(),
                    run: None,
                });
            }
            Verdict::Safe(_) => {
                let place = stack.pop().expect("there is a last place");
                shoals.add(&place.state, &inner.board.invariants(0));
            }
        }
        control.report_depth(NAME, shoals.unions.len());
        control.listener.note(NAME, || {
            format!("{} hits deep, {} shoals", stack.len(), shoals.unions.len())
        });
    }
    Ok(Found::Proof(Box::new(shoals.proof())))
}

impl Shoals<'_> {
    /// The union of all shoals.
    fn union(&self) -> Edge {
        self.unions.last().copied().unwrap_or(Edge::FALSE)
    }

    /// The model that starts in a state, with the bad "a hit that does not lead into a shoal".
    fn question(&self, state: &Values) -> Model {
        let mut question = started(&self.model, state);
        let leads_into = after_a_step(&mut question, self.union());
        question.bads = vec![question.aig.and(self.original.bads[0], !leads_into)];
        question
    }

    /// Adds the states in which the clauses hold, which PDR has found inductive from `state` on.
    fn add(&mut self, state: &Values, clauses: &[StateClause]) {
        let clauses: Vec<Edge> = (clauses.iter())
            .map(|clause| clause_edge(&mut self.model, clause))
            .collect();
        let mut shoal = self.model.aig.and_all(clauses);
        // The clauses need not hold in the first state if no inputs satisfy the constraints there. It has no
        // successors then.
        if state.iter().all(Option::is_some) {
            let here: Vec<Edge> = (self.model.latches.iter().zip(state))
                .map(|(latch, value)| latch.state.negate_if(*value == Some(false)))
                .collect();
            let here = self.model.aig.and_all(here);
            shoal = self.model.aig.or(shoal, here);
        }
        let union = self.model.aig.or(self.union(), shoal);
        self.unions.push(union);
    }

    /// The runs from the first place on, which end in the state of place number `first`.
    fn lasso(&self, stack: &[Place], first: usize) -> Found {
        let runs: Vec<&Trace> = stack
            .iter()
            .filter_map(|place| place.run.as_ref())
            .collect();
        let steps = |runs: &[&Trace]| -> usize { runs.iter().map(|run| run.inputs.len()).sum() };
        let loop_start = steps(&runs[..first]);
        Found::Lasso(joined(&runs), loop_start)
    }

    /// The number of the first shoal that contains a state is its level: for each union, "if it contains t,
    /// then it contains s".
    fn proof(self) -> Proof {
        let union = self.union();
        let Self {
            original,
            mut model,
            unions,
        } = self;
        model.bads.clear();
        let mut shared_inputs: Vec<Option<usize>> = (0..original.inputs.len()).map(Some).collect();
        let images = in_second_state(&mut model, &mut shared_inputs, &unions);
        let implied: Vec<Edge> = (images.into_iter().zip(unions))
            .map(|(later, now)| model.aig.implies(later, now))
            .collect();
        let may_repeat = model.aig.and_all(implied);
        model.bads = vec![!union, may_repeat];
        Proof::over_latches(original, model, shared_inputs)
    }
}
