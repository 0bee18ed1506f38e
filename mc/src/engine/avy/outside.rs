//! The states of a frame that lie neither in the previous frame nor in an interpolant.

use craig_aig::{Aig, Edge};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Lit, Solver};

use crate::control::listen_in;
use crate::engine::pdr::{Cube, Pdr, Stop};
use crate::engine::states::position_of;
use crate::engine::why_stopped;

/// Finds the states of a frame that lie neither in the previous frame nor in an interpolant.
pub(super) struct Outside {
    /// The states of the frame that are neither in the previous one nor in the interpolant.
    solver: Solver,
    /// The states of the interpolant.
    inside: Solver,
    /// The latches that the interpolant depends on.
    support: Vec<usize>,
    /// The cubes outside of the previous frame, each with the literal that selects it.
    cubes: Vec<(Lit, Cube)>,
}

/// A state of a frame: the literals that exclude it from the previous frame, and those that exclude it from
/// the interpolant.
pub(super) struct Escape {
    pub(super) outside_of_frame: Cube,
    pub(super) outside_of_interpolant: Cube,
}

impl Outside {
    pub(super) fn new(pdr: &Pdr<'_>, frame: usize, aig: &Aig, interpolant: Edge) -> Self {
        let [inside, solver] = [interpolant, !interpolant].map(|set| {
            let mut solver = Solver::new();
            listen_in(pdr.control.stop, &mut solver);
            solver.reserve_vars(pdr.transition.n_latches());
            let mut encoder = Encoder::new();
            for node in aig.support(&[set]) {
                encoder.set(node, variable(position_of(aig, node)));
            }
            let set = encoder.encode_polarity(aig, set, &mut solver);
            solver.add_clause(&[set]);
            solver
        });
        let mut outside = Self {
            solver,
            inside,
            support: aig
                .support(&[interpolant])
                .into_iter()
                .map(|node| position_of(aig, node))
                .collect(),
            cubes: Vec::new(),
        };
        let frames = &pdr.frames;
        let lemmas = &frames.lemmas;
        for lemma in lemmas.since(frame).chain(lemmas.forever()) {
            outside.exclude(&lemma.cube, pdr);
        }
        if frame == 1 {
            for lit in pdr.transition.initial() {
                outside.allow(vec![!lit], pdr);
            }
        } else {
            for lemma in lemmas.of(frame - 1) {
                outside.allow(lemma.cube.clone(), pdr);
            }
        }
        let switches: Vec<Lit> = outside.cubes.iter().map(|&(switch, _)| switch).collect();
        outside.solver.add_clause(&switches);
        outside
    }

    /// Adds a cube of states outside of the previous frame.
    fn allow(&mut self, cube: Cube, pdr: &Pdr<'_>) {
        let switch = self.solver.new_var().positive();
        for &lit in &cube {
            self.solver.add_clause(&[!switch, translate(lit, pdr)]);
        }
        self.cubes.push((switch, cube));
    }

    /// Adds a lemma of the frame.
    pub(super) fn exclude(&mut self, cube: &[Lit], pdr: &Pdr<'_>) {
        let clause: Vec<Lit> = cube.iter().map(|&lit| !translate(lit, pdr)).collect();
        self.solver.add_clause(&clause);
    }

    pub(super) fn find(&mut self, pdr: &Pdr<'_>) -> Result<Option<Escape>, Stop> {
        match self.solver.solve(&[]) {
            Answer::Unknown => return Err(Stop(why_stopped(pdr.control.stop))),
            Answer::Unsatisfiable => return Ok(None),
            Answer::Satisfiable => {}
        }
        let state: Vec<Lit> = self
            .support
            .iter()
            .filter_map(|&position| {
                let lit = variable(position);
                let value = self.solver.value(lit)?;
                Some(lit.negate_if(!value))
            })
            .collect();
        let outside_of_frame = self
            .cubes
            .iter()
            .filter(|&&(switch, _)| self.solver.value(switch) == Some(true))
            .map(|(_, cube)| cube)
            .min_by_key(|cube| cube.len())
            .expect("one of the switches is on")
            .clone();
        match self.inside.solve(&state) {
            Answer::Unknown => return Err(Stop(why_stopped(pdr.control.stop))),
            Answer::Satisfiable => unreachable!("the state lies outside of the interpolant"),
            Answer::Unsatisfiable => {}
        }
        let core = self.inside.failed_assumptions().iter();
        Ok(Some(Escape {
            outside_of_frame,
            outside_of_interpolant: core
                .map(|lit| {
                    let latch = pdr.transition.latch_literal(lit.var().index());
                    latch.negate_if(lit.is_negated())
                })
                .collect(),
        }))
    }
}

/// The variable of [`Outside`]'s solvers for the latch at a position.
fn variable(position: usize) -> Lit {
    craig_solver::Var::new(position).positive()
}

/// A latch literal of PDR's as one of [`Outside`]'s solvers.
fn translate(lit: Lit, pdr: &Pdr<'_>) -> Lit {
    variable(pdr.transition.latch(lit)).negate_if(lit.is_negated())
}
