//! All runs of the exact abstraction with a number of steps as clauses (paper, sections 4 and 5).

use std::collections::HashMap;

use craig_aig::Aig;
use craig_mc::Control;
use craig_model::UnknownReason;
use craig_solver::encode::{ClauseSink, Labelled};
use craig_solver::{Label, Lit};

use super::super::predicates::Predicates;
use super::super::refine::{Parts, Transition, is_refuted};
use super::states::ProgramCounter;
use crate::actions::{Action, ActionId, Actions};
use crate::cfa::{Cfa, LocationId};
use crate::refutation::{Dial, Sink};
use crate::step::StepEncoding;

/// What the runs of a length turned out to be.
pub(super) enum Outcome {
    /// There are none: what each of its steps has to satisfy for that.
    Refuted(Vec<Transition>),
    /// The path of one of them.
    Path(Vec<ActionId>),
}

/// Whether the abstraction has a run to what is bad with this number of steps.
///
/// Part 1 are the initial states, part i + 2 is step i, and the last part the error. A part has variables in common with
/// others for the state before and behind it alone: the words of the program are renamed in each step, which hides them.
pub(super) fn ask(
    actions: &Actions,
    aig: &Aig,
    predicates: &Predicates,
    (pc, length): (ProgramCounter, usize),
    dial: &Dial,
    control: Control<'_>,
) -> Result<Outcome, UnknownReason> {
    let mut sink = Sink::new(control.listener.is_recorded());
    let n_variables = pc.variable_of(predicates.most());
    let states: Vec<Vec<Lit>> = (0..=length)
        .map(|_| {
            (0..n_variables)
                .map(|_| sink.new_var().positive())
                .collect()
        })
        .collect();
    let mut taken = Vec::new();
    at_location(&mut sink, 1, (pc, &states[0]), Cfa::START);
    for (step, pair) in states.windows(2).enumerate() {
        if let Some(reason) = control.stop.reason() {
            return Err(reason);
        }
        let mut sink = Labelled {
            sink: &mut sink,
            label: step as Label + 2,
        };
        let encoder = StepEncoder {
            actions,
            aig,
            predicates,
            pc,
            before: &pair[0],
            behind: &pair[1],
        };
        taken.push(encoder.add(&mut sink));
    }
    at_location(
        &mut sink,
        length as Label + 2,
        (pc, &states[length]),
        Cfa::ERROR,
    );
    if !is_refuted(&mut sink, control.stop)? {
        let is_true = |lit: Lit| sink.solver.value(lit) == Some(true);
        let path = taken.iter().map(|taken| {
            let found = taken.iter().find(|&&(_, lit)| is_true(lit));
            found.expect("a step takes an action").0
        });
        return Ok(Outcome::Path(path.collect()));
    }
    let mut place = HashMap::new();
    for (step, state) in states.iter().enumerate() {
        let vars = state.iter().enumerate();
        place.extend(vars.map(|(number, lit)| (lit.var(), (step + 1, number))));
    }
    let names = (0..=length).map(|step| match step {
        0 => "the initial states".to_string(),
        _ => format!("step {step}"),
    });
    let parts = Parts {
        place,
        names: names.chain(["the error".to_string()]).collect(),
        n_pc: pc.n_bits,
    };
    let mut found = parts.interpolants(&sink, dial, control)?;
    // What is said of the initial states and of the error is no matter of steps.
    found.truncate(length + 1);
    Ok(Outcome::Refuted(found.split_off(1)))
}

/// The state is at a location.
fn at_location(
    sink: &mut Sink,
    label: Label,
    (pc, state): (ProgramCounter, &[Lit]),
    location: LocationId,
) {
    let mut sink = Labelled { sink, label };
    for (&bit, value) in state.iter().zip(pc.values(location)) {
        sink.add_clause(&[bit.negate_if(!value)]);
    }
}

/// One step of the program, by any action.
struct StepEncoder<'a> {
    actions: &'a Actions,
    aig: &'a Aig,
    predicates: &'a Predicates,
    pc: ProgramCounter,
    before: &'a [Lit],
    behind: &'a [Lit],
}

impl StepEncoder<'_> {
    /// Each action has a literal that says that it is taken; one of them is.
    fn add(&self, sink: &mut impl ClauseSink) -> Vec<(ActionId, Lit)> {
        let all = 0..self.actions.n_actions() as ActionId;
        let taken: Vec<(ActionId, Lit)> = all
            .map(|id| (id, self.add_action(self.actions.action(id), sink)))
            .collect();
        let clause: Vec<Lit> = taken.iter().map(|&(_, lit)| lit).collect();
        sink.add_clause(&clause);
        taken
    }

    /// The literal that implies that an action is taken, between its locations.
    fn add_action(&self, action: &Action, sink: &mut impl ClauseSink) -> Lit {
        let (actions, aig) = (self.actions, self.aig);
        let (mut encoding, guard) = StepEncoding::open(actions, action, sink);
        let taken = sink.new_var().positive();
        sink.add_clause(&[!taken, guard]);
        let sides = [(action.source, self.before), (action.target, self.behind)];
        for (side, (location, state)) in sides.into_iter().enumerate() {
            for (&bit, value) in state.iter().zip(self.pc.values(location)) {
                sink.add_clause(&[!taken, bit.negate_if(!value)]);
            }
            for (number, predicate) in self.predicates.at(location).iter().enumerate() {
                let formula = (predicate.formula, &*predicate.support);
                let value = match side {
                    0 => encoding.before(actions, aig, formula, sink),
                    _ => encoding.behind(actions, action, aig, formula, sink),
                };
                let variable = state[self.pc.variable_of(number)];
                sink.add_clause(&[!taken, !variable, value]);
                sink.add_clause(&[!taken, variable, !value]);
            }
        }
        taken
    }
}
