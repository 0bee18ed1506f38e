//! Labels for calls that nest however deep, and the summaries that they are.

use std::collections::{BTreeMap, BTreeSet};

use craig_model::{Stop, UnknownReason};
use craig_word::Term;

use super::super::{Procedures, Summary, formula};
use super::body::Answered;
use super::{Annotated, Annotation, Fuel, Label, Outcome, Query, Target, UNBOUNDED};

impl Annotation {
    /// Gives unbounded fuel to the labels that justify each other whatever the fuel: the greatest such set.
    pub(super) fn strengthen(&mut self, stop: &Stop) -> Result<(), UnknownReason> {
        let before: Vec<Fuel> = self.labels.iter().map(|label| label.fuel).collect();
        let mut open: BTreeSet<usize> = BTreeSet::new();
        for (id, label) in self.labels.iter_mut().enumerate() {
            if label.fuel != UNBOUNDED {
                label.fuel = UNBOUNDED;
                open.insert(id);
            }
        }
        // By label: those that rely on it.
        let mut relying: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        while let Some(id) = open.pop_first() {
            if before[id] == UNBOUNDED || self.labels[id].fuel != UNBOUNDED {
                continue;
            }
            if let Some(reason) = stop.reason() {
                for (label, fuel) in self.labels.iter_mut().zip(before) {
                    label.fuel = fuel;
                }
                return Err(reason);
            }
            let Self {
                bodies,
                circuit,
                labels,
                ..
            } = self;
            let label = &labels[id];
            let body = &mut bodies[label.procedure + 1];
            match body.justify(circuit, labels, (id, label), UNBOUNDED, stop)? {
                Some(core) => {
                    for other in core.labels {
                        relying.entry(other).or_default().push(id);
                    }
                }
                None => {
                    labels[id].fuel = before[id];
                    open.extend(relying.remove(&id).into_iter().flatten());
                }
            }
        }
        Ok(())
    }

    /// Summaries of the labels with unbounded fuel that the proof needs, if they block the root.
    pub(super) fn summaries(
        &mut self,
        problem: &mut Procedures,
        stop: &Stop,
    ) -> Result<Annotated, UnknownReason> {
        let root = Query {
            body: 0,
            entry: Vec::new(),
            target: Target::Fail,
            fuel: UNBOUNDED,
        };
        let Self {
            bodies,
            circuit,
            labels,
            ..
        } = self;
        let answer = bodies[0].ask(&circuit.aig, labels, &root, UNBOUNDED, stop)?;
        let Answered::Blocked(blocked) = answer else {
            return Ok(Annotated::Bounded(self.fuel));
        };
        let mut needed: BTreeSet<usize> = blocked.labels.into_iter().collect();
        let mut done: BTreeSet<usize> = BTreeSet::new();
        while let Some(&id) = needed.difference(&done).next() {
            done.insert(id);
            let label = &labels[id];
            let body = &mut bodies[label.procedure + 1];
            let core = body.justify(circuit, labels, (id, label), UNBOUNDED, stop)?;
            needed.extend(core.expect("the label is justified").labels);
        }
        let mut summaries = vec![Summary::default(); problem.procedures.len()];
        let can_fail = can_fail(problem);
        let mut safe: Vec<Option<Term>> = vec![None; summaries.len()];
        for id in needed {
            let label = &self.labels[id];
            let Some(condition) = condition(problem, label) else {
                return Ok(Annotated::TooMany);
            };
            match label.outcome {
                Outcome::Return => {
                    let condition = problem.terms.not(condition);
                    summaries[label.procedure].ensures.push(condition);
                }
                Outcome::Fail => {
                    let all = &mut safe[label.procedure];
                    *all = Some(match *all {
                        None => condition,
                        Some(other) => problem.terms.or(other, condition),
                    });
                }
            }
        }
        // A procedure that can fail, and whose labels do not say from where it does not, is not called.
        for (procedure, condition) in safe.into_iter().enumerate() {
            if can_fail[procedure] {
                let never = problem.terms.boolean(false);
                summaries[procedure]
                    .requires
                    .push(condition.unwrap_or(never));
            }
        }
        Ok(Annotated::Summaries(summaries))
    }
}

/// By procedure: whether it or one that it leads to has failures.
pub(super) fn can_fail(problem: &Procedures) -> Vec<bool> {
    let procedures = problem.procedures.iter();
    let mut found: Vec<bool> = procedures
        .map(|procedure| !problem.terms.is_zero(procedure.body.fails))
        .collect();
    loop {
        let mut has_changed = false;
        for (index, procedure) in problem.procedures.iter().enumerate() {
            let leads = procedure.body.calls.iter().any(|call| found[call.callee]);
            has_changed |= leads && !found[index];
            found[index] |= leads;
        }
        if !has_changed {
            return found;
        }
    }
}

/// The formula of a label as a term.
fn condition(problem: &mut Procedures, label: &Label) -> Option<Term> {
    let procedure = &problem.procedures[label.procedure];
    let words = procedure.entry.iter().chain(&procedure.exit);
    let places: Vec<(Term, u32)> = words
        .flat_map(|word| {
            let width = problem.terms.width(word.term);
            (0..width).map(|bit| (word.term, bit))
        })
        .collect();
    let place = |position: usize| places.get(position).copied();
    formula::term(&mut problem.terms, &label.graph, label.root, &place)
}
