//! One query of DAR: runs of some steps between two sets of states, or to the bad.

use craig_aig::{Aig, Edge};
use craig_itp::{System, sequence};
use craig_model::{Stop, Trace, UnknownReason};
use craig_solver::encode::{ClauseSink, Encoder, Labelled};
use craig_solver::proof::{ProofDag, ProofLog};
use craig_solver::{Answer, Label, Lit, Options, Solver};

use super::super::links::Links;
use super::super::states::{Cut, States};
use super::super::{model_value, refutation, stop_of, why_stopped};
use crate::circuit::unroll::Unrolling;
use crate::control::{Control, listen_in};

/// Where the runs of an instance end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// In a set of states.
    Set(Edge),
    /// In a step with the bad.
    Bad,
}

/// The runs from the first of some sets of states through the others.
///
/// Label 0 is the first set, label i + 1 is step i with the set that is known of the states before it, and label
/// `depth + 1` is the end. Partitions share only the variables of the states between them: `cuts[i]` is the state
/// before step i, and the last one that at the end.
pub(super) struct Instance<'a> {
    any: &'a Unrolling<'a>,
    depth: usize,
    end: End,
    solver: Solver<ProofLog>,
    frames: Vec<Encoder>,
    links: Links,
    cuts: Vec<Cut>,
}

impl<'a> Instance<'a> {
    /// `sets` has a set for each step, and maybe one for the state at the end.
    pub(super) fn new(
        any: &'a Unrolling<'a>,
        states: &States,
        sets: &[Edge],
        depth: usize,
        end: End,
        control: Control<'_>,
    ) -> Self {
        let mut solver = Solver::with_proof(Options::default(), ProofLog::new());
        listen_in(control.stop, &mut solver);
        let mut this = Self {
            any,
            depth,
            end,
            solver,
            frames: vec![Encoder::new(); depth + 1],
            links: Links::new(any.cone(), control),
            cuts: vec![Cut::default(); depth + 1],
        };
        // From the end, so that only latches on which it depends get variables.
        this.add_end(states);
        this.cut(depth);
        for step in (0..depth).rev() {
            this.add_step(step);
            if step > 0
                && let Some(&set) = sets.get(step)
            {
                this.add_set(states, set, step, step as Label + 1);
            }
            this.cut(step);
        }
        if let Some(&set) = sets.first() {
            this.add_start(states, set);
        }
        this
    }

    fn add_end(&mut self, states: &States) {
        let label = self.depth as Label + 1;
        match self.end {
            End::Set(set) => self.add_set(states, set, self.depth, label),
            End::Bad => {
                let (any, frame) = (self.any, &self.any.frames()[0]);
                let mut sink = Labelled {
                    sink: &mut self.solver,
                    label,
                };
                let encoder = &mut self.frames[self.depth];
                for &part in frame.constraints.iter().chain([&frame.bad]) {
                    let lit = encoder.encode_polarity(any.aig(), part, &mut sink);
                    sink.add_clause(&[lit]);
                }
            }
        }
    }

    /// States that a set contains the states at a place; the latches are those of the frame there.
    fn add_set(&mut self, states: &States, set: Edge, place: usize, label: Label) {
        let (any, encoder) = (self.any, &mut self.frames[place]);
        let mut sink = Labelled {
            sink: &mut self.solver,
            label,
        };
        let lit = states.encode_polarity(set, &mut sink, &mut |position, sink| {
            encoder.encode(any.aig(), any.initial()[position], sink)
        });
        sink.add_clause(&[lit]);
    }

    fn add_step(&mut self, step: usize) {
        let (any, frame) = (self.any, &self.any.frames()[0]);
        let encoder = &mut self.frames[step];
        let mut sink = Labelled {
            sink: &mut self.solver,
            label: step as Label + 1,
        };
        for &constraint in &frame.constraints {
            let lit = encoder.encode_polarity(any.aig(), constraint, &mut sink);
            sink.add_clause(&[lit]);
        }
        for (variable, position) in self.cuts[step + 1].iter() {
            let exit = encoder.encode(any.aig(), any.state()[position], &mut sink);
            let label = sink.label;
            (self.links).add(label, position, [variable, exit], &mut *sink.sink);
        }
    }

    /// The variables of the state at a place are those that its frame has now.
    fn cut(&mut self, place: usize) {
        let encoder = &self.frames[place];
        let entries = self.any.initial().iter().enumerate();
        let lits =
            entries.filter_map(|(position, &entry)| Some((encoder.literal(entry)?, position)));
        self.cuts[place] = Cut::new(lits.collect());
    }

    /// Latches that are irrelevant after the first cut get a variable of the first partition only.
    fn add_start(&mut self, states: &States, set: Edge) {
        let mut known: Vec<Option<Lit>> = vec![None; self.any.initial().len()];
        for (lit, position) in self.cuts[0].iter() {
            known[position] = Some(lit);
        }
        let mut sink = Labelled {
            sink: &mut self.solver,
            label: 0,
        };
        let lit = states.encode_polarity(set, &mut sink, &mut |position, sink| {
            *known[position].get_or_insert_with(|| sink.new_var().positive())
        });
        sink.add_clause(&[lit]);
    }

    /// The refutation, or `None` if there is such a run.
    pub(super) fn refute(&mut self, stop: &Stop) -> Result<Option<ProofDag>, UnknownReason> {
        match self.links.solve(&mut self.solver) {
            Answer::Unknown => Err(why_stopped(stop)),
            Answer::Satisfiable => Ok(None),
            Answer::Unsatisfiable => refutation(&self.solver, stop).map(Some),
        }
    }

    /// The interpolants of a refutation at the cuts from the one before step `first` to the last one, as formulas of a
    /// graph whose input number i is latch number i of the cone. Each holds of the states there that the partitions
    /// before the cut allow.
    pub(super) fn interpolants(
        &self,
        dag: &ProofDag,
        first: usize,
        system: System,
        stop: &Stop,
    ) -> Result<(Aig, Vec<Edge>), UnknownReason> {
        let mut aig = Aig::new();
        let latches: Vec<Edge> = self.any.initial().iter().map(|_| aig.add_input()).collect();
        let labels: Vec<Label> = (first..=self.depth).map(|place| place as Label).collect();
        let mut leaf = |index: usize, var| {
            self.cuts[first + index]
                .leaf(var, &latches)
                .expect("only the variables of its state are shared at a cut")
        };
        let edges = sequence(dag, &labels, system, &mut aig, &mut leaf, &stop_of(stop))
            .map_err(|_| why_stopped(stop))?;
        Ok((aig, edges))
    }

    /// The run that the solver has found, from a reset state to the bad.
    pub(super) fn trace(&self, property: usize, resets: &[Option<bool>]) -> Trace {
        let value = |step: usize, edge| model_value(&self.solver, &self.frames[step], edge);
        let mut initial = self.any.initial_values(&|edge| value(0, edge));
        // A latch without a variable may have any value that agrees with its reset.
        for (&reset, value) in resets.iter().zip(&mut initial) {
            *value = reset.or(*value);
        }
        Trace {
            property,
            initial,
            inputs: (0..=self.depth)
                .map(|step| self.any.input_values(0, &|edge| value(step, edge)))
                .collect(),
        }
    }
}
