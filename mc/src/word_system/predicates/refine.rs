//! Whether the system has a run with the predicates of one of the abstraction, and else what excludes that.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use craig_aig::{Aig, Edge, Node};
use craig_model::{Model, Stop, Trace, UnknownReason};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Lit, Solver};

use super::atoms::Atoms;
use super::circuit::Circuit;
use super::round::StepOfRun;
use super::{Chosen, StateBit};
use crate::control::listen_in;
use crate::engine::why_stopped;

/// The atoms that are chosen for one step of a run, at most.
const MOST_OF_STEP: usize = 2;
/// The atoms that are chosen for one run, at most.
const MOST_OF_RUN: usize = 16;
/// The most gates of an unrolled run.
const MOST_GATES: usize = 20_000_000;

/// What became of a run of an abstraction.
pub(super) enum Refinement {
    /// The base system has this run to the bad.
    Run(Trace),
    /// The abstraction has to remember these.
    Missing(Missing),
}

/// What an abstraction does not remember.
#[derive(Debug, Default)]
pub(super) struct Missing {
    pub(super) atoms: Vec<usize>,
    pub(super) bits: BTreeSet<StateBit>,
}

/// A bit of a hidden word in a step, by the number of its latch: its link with the step before.
type Link = (usize, usize);

/// What a solver says of an unrolled circuit.
enum Found {
    /// A run of the system.
    Run(Trace),
    /// These links are inconsistent with the predicates.
    Refuted(Vec<Link>),
}

/// The unrolled circuit along a run.
struct Path<'a> {
    model: &'a Model,
    aig: Aig,
    /// By step: the latches and the inputs.
    latches: Vec<Vec<Edge>>,
    inputs: Vec<Vec<Edge>>,
    /// What holds.
    demands: Vec<Edge>,
    /// What holds in a run of the system.
    links: Vec<(Edge, Link)>,
}

impl Circuit {
    /// Finds a run of the base system with the predicates and the remembered bits of a run of the abstraction, or what
    /// excludes that. Bits are asked for where no atom does it, and everywhere if `with_bits`.
    ///
    /// # Errors
    /// If `stop` ends it, or the run is too long.
    pub(super) fn refine(
        &self,
        run: &[StepOfRun],
        atoms: &Atoms,
        chosen: &Chosen,
        with_bits: bool,
        stop: &Stop,
    ) -> Result<Refinement, UnknownReason> {
        let n_gates = self.bits.model.aig.n_nodes().saturating_mul(run.len());
        if n_gates > MOST_GATES {
            let text = format!("a run of an abstraction of {} steps is too long", run.len());
            return Err(UnknownReason::Bound(text));
        }
        let path = self.path(run, chosen);
        let links = match path.solve(stop)? {
            Found::Run(trace) => return Ok(Refinement::Run(trace)),
            Found::Refuted(links) => links,
        };
        let mut missing = Missing {
            atoms: self.atoms_of(run, atoms, chosen, &links),
            bits: BTreeSet::new(),
        };
        if with_bits || missing.atoms.is_empty() {
            let bits = links.iter().filter_map(|&(_, latch)| self.state_bit(latch));
            missing.bits.extend(bits);
        }
        Ok(Refinement::Missing(missing))
    }

    fn state_bit(&self, latch: usize) -> Option<StateBit> {
        let bit = self.bits.latches[latch]?;
        Some((bit.number as usize, bit.bit))
    }

    /// Atoms about the words of the links that differ on their two sides.
    fn atoms_of(
        &self,
        run: &[StepOfRun],
        atoms: &Atoms,
        chosen: &Chosen,
        links: &[Link],
    ) -> Vec<usize> {
        let sides = self.evaluate(run, |bit| chosen.hides(bit));
        let mut words: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for &(step, latch) in links {
            let bit = self.state_bit(latch);
            words.entry(step).or_default().extend(bit.map(|bit| bit.0));
        }
        let mut found = BTreeSet::new();
        for (step, words) in words {
            let sides = &sides[step];
            // A chosen atom may differ in the first step, where it has any value unless that is a constant.
            let differ = (0..atoms.terms.len()).filter(|&atom| {
                sides.own[atom] != sides.led_to[atom]
                    && !atoms.states[atom].is_disjoint(&words)
                    && !chosen.atoms.contains(&atom)
            });
            found.extend(differ.take(MOST_OF_STEP));
        }
        found.into_iter().take(MOST_OF_RUN).collect()
    }

    /// The unrolled circuit, with free words in each step and the predicates of the run.
    fn path(&self, run: &[StepOfRun], chosen: &Chosen) -> Path<'_> {
        let model = &self.bits.model;
        let mut path = Path {
            model,
            aig: Aig::new(),
            latches: Vec::new(),
            inputs: Vec::new(),
            demands: Vec::new(),
            links: Vec::new(),
        };
        let mut images = vec![Edge::FALSE; model.aig.n_nodes()];
        // The latches in the coming step.
        let mut coming: Option<Vec<Edge>> = None;
        for (number, step) in run.iter().enumerate() {
            let mut latches = Vec::with_capacity(model.latches.len());
            for (position, latch) in model.latches.iter().enumerate() {
                let bit = self.bits.latches[position];
                let before = coming.as_ref().map(|coming| coming[position]);
                let reset = latch.reset.value().map(Edge::from);
                let led_to = before.or(reset);
                let given = bit.and_then(|bit| step.bits.get(&bit).copied());
                latches.push(match bit {
                    Some(bit) if chosen.hides(&bit) => {
                        let own = path.aig.add_input();
                        if let Some(led_to) = led_to {
                            let link = path.aig.iff(own, led_to);
                            path.links.push((link, (number, position)));
                        }
                        own
                    }
                    _ => path.remembered(given, before, reset),
                });
            }
            let inputs: Vec<Edge> = (model.inputs.iter())
                .map(|_| path.aig.add_input())
                .collect();
            for (latch, &edge) in model.latches.iter().zip(&latches) {
                images[latch.state.node() as usize] = edge;
            }
            for (input, &edge) in model.inputs.iter().zip(&inputs) {
                images[input.node() as usize] = edge;
            }
            for node in 0..model.aig.n_nodes() {
                if let Node::And(left, right) = model.aig.node(node as u32) {
                    images[node] = path.aig.and(left.image(&images), right.image(&images));
                }
            }
            let constraints = model.constraints.iter().map(|it| it.image(&images));
            path.demands.extend(constraints);
            let atoms = step.atoms.iter();
            let atoms = atoms.map(|(&atom, &value)| {
                let edge = self.atoms[atom].image(&images);
                edge.negate_if(!value)
            });
            path.demands.extend(atoms);
            if number + 1 == run.len() {
                path.demands.push(model.bads[0].image(&images));
            }
            let nexts = model.latches.iter();
            coming = Some(nexts.map(|latch| latch.next.image(&images)).collect());
            path.latches.push(latches);
            path.inputs.push(inputs);
        }
        path
    }
}

impl Path<'_> {
    /// A latch that the abstraction remembers, or does not need: its value in the run if that has one.
    fn remembered(
        &mut self,
        given: Option<bool>,
        before: Option<Edge>,
        reset: Option<Edge>,
    ) -> Edge {
        let Some(given) = given.map(Edge::from) else {
            return match before.or(reset) {
                Some(edge) => edge,
                None => self.aig.add_input(),
            };
        };
        if let Some(before) = before {
            let holds = self.aig.iff(before, given);
            self.demands.push(holds);
        }
        given
    }

    /// A run of the circuit, or links that the demands refute.
    fn solve(&self, stop: &Stop) -> Result<Found, UnknownReason> {
        let mut solver = Solver::new();
        listen_in(stop, &mut solver);
        let mut encoder = Encoder::new();
        for &demand in &self.demands {
            let lit = encoder.encode(&self.aig, demand, &mut solver);
            solver.add_clause(&[lit]);
        }
        let mut link_of: HashMap<Lit, Vec<Link>> = HashMap::new();
        let mut assumptions = Vec::new();
        for &(edge, link) in &self.links {
            if edge == Edge::TRUE {
                continue;
            }
            let lit = encoder.encode(&self.aig, edge, &mut solver);
            link_of.entry(lit).or_default().push(link);
            assumptions.push(lit);
        }
        match solver.solve(&assumptions) {
            Answer::Unknown => Err(why_stopped(stop)),
            Answer::Satisfiable => {
                let value = |edge: Edge| match edge.is_constant() {
                    true => Some(edge == Edge::TRUE),
                    false => {
                        let lit = encoder.literal(edge);
                        Some(lit.and_then(|lit| solver.value(lit)).unwrap_or(false))
                    }
                };
                let of = |edges: &Vec<Edge>| edges.iter().map(|&edge| value(edge)).collect();
                debug_assert_eq!(self.latches[0].len(), self.model.latches.len());
                Ok(Found::Run(Trace {
                    property: 0,
                    initial: of(&self.latches[0]),
                    inputs: self.inputs.iter().map(of).collect(),
                }))
            }
            Answer::Unsatisfiable => {
                let failed = solver.failed_assumptions().iter();
                let links = failed.flat_map(|lit| link_of[lit].iter().copied());
                Ok(Found::Refuted(links.collect()))
            }
        }
    }
}
