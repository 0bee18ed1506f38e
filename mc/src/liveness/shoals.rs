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
use craig_model::{
    Certificate, Model, Reset, Trace, UnknownReason, Values, Verdict, simulate::Simulator,
};

use super::proof::{Proof, Variable};
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
                let (run, state) = shoals.advance(&trace);
                place.run = Some(run);
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
        let mut question = self.model.clone();
        for (latch, value) in question.latches.iter_mut().zip(state) {
            latch.reset = match value {
                Some(false) => Reset::Zero,
                Some(true) => Reset::One,
                None => Reset::Uninitialised,
            };
        }
        let leads_into = self.after_a_step(&mut question, self.union());
        question.bads = vec![question.aig.and(self.original.bads[0], !leads_into)];
        question
    }

    /// A formula over the latches, one step later.
    fn after_a_step(&self, model: &mut Model, formula: Edge) -> Edge {
        let mut nexts = vec![Edge::FALSE; model.aig.n_nodes()];
        for latch in &model.latches {
            nexts[latch.state.node() as usize] = latch.next;
        }
        // The formula reads no inputs.
        let leaf = &mut |node: u32| nexts[node as usize];
        model.aig.substitute(&[formula], leaf)[0]
    }

    /// The run with its open values chosen, and the state after it.
    fn advance(&self, trace: &Trace) -> (Trace, Values) {
        let initial: Values = trace
            .initial
            .iter()
            .map(|value| value.or(Some(false)))
            .collect();
        let ground = |values: &Values| values.iter().map(|value| value.or(Some(false))).collect();
        let inputs: Vec<Values> = trace.inputs.iter().map(ground).collect();
        let mut started = self.original.clone();
        for (latch, value) in started.latches.iter_mut().zip(&initial) {
            latch.reset = if *value == Some(true) {
                Reset::One
            } else {
                Reset::Zero
            };
        }
        let mut simulator =
            Simulator::new(&started, &initial, &Values::new()).expect("the run fits the model");
        for values in &inputs {
            let values: Vec<bool> = values.iter().map(|value| *value == Some(true)).collect();
            simulator.step(&values);
        }
        let state = simulator.state().iter().map(|&value| Some(value)).collect();
        let run = Trace {
            property: 0,
            initial,
            inputs,
        };
        (run, state)
    }

    /// Adds the states in which the clauses hold, which PDR has found inductive from `state` on.
    fn add(&mut self, state: &Values, clauses: &[StateClause]) {
        let latches = &self.model.latches;
        let clauses: Vec<Vec<Edge>> = (clauses.iter())
            .map(|clause| {
                let literals = clause.iter();
                literals
                    .map(|&(latch, value)| latches[latch].state.negate_if(!value))
                    .collect()
            })
            .collect();
        let aig = &mut self.model.aig;
        let clauses: Vec<Edge> = clauses
            .into_iter()
            .map(|clause| aig.or_all(clause))
            .collect();
        let mut shoal = aig.and_all(clauses);
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
        let run = Trace {
            property: 0,
            initial: runs[0].initial.clone(),
            inputs: runs
                .iter()
                .flat_map(|run| run.inputs.iter().cloned())
                .collect(),
        };
        Found::Lasso(run, steps(&runs[..first]))
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
        let mut later = vec![Edge::FALSE; model.aig.n_nodes()];
        for latch in &model.latches {
            let stand_in = model.aig.add_input();
            model.inputs.push(stand_in);
            shared_inputs.push(None);
            later[latch.state.node() as usize] = stand_in;
        }
        let leaf = &mut |node: u32| later[node as usize];
        let images = model.aig.substitute(&unions, leaf);
        let implied: Vec<Edge> = (images.into_iter().zip(unions))
            .map(|(later, now)| model.aig.implies(later, now))
            .collect();
        let may_repeat = model.aig.and_all(implied);
        model.bads = vec![!union, may_repeat];
        Proof {
            certificate: Certificate {
                shared_inputs,
                shared_latches: (0..original.latches.len()).map(Some).collect(),
                witness: model,
            },
            stand_ins: (0..original.latches.len()).map(Variable::Latch).collect(),
        }
    }
}
