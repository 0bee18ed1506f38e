//! What a solver knows of the steps after a stored state: a way to the bad, and successors in cells of a view
//! that were not reached.
//!
//! The clauses do not depend on the state, which is assumed; what the solver learns about one state serves the
//! others.

use craig_aig::Edge;
use craig_solver::encode::Encoder;
use craig_solver::proof::NoProof;
use craig_solver::{Answer, Lit, Solver};

use super::cells::VIEWS;
use super::store::Bits;
use crate::circuit::unroll::{Start, Unrolling};
use crate::control::listen_in;
use crate::engine::model_value;
use crate::engine::question::Question;

/// The largest number of steps to the bad that are asked about at once, and the largest number of nodes of these.
const MOST_STEPS: usize = 12;
const MOST_NODES: usize = 300_000;
/// Circuits with more nodes are left to simulation.
const LARGEST: usize = 2_000_000;
/// The limits of a query.
const CONFLICTS: u64 = 1_000;
const PROPAGATIONS: u64 = 10_000_000;

/// Steps from any state, with the constraints of the first.
struct Steps<'a> {
    unrolling: Unrolling<'a>,
    solver: Solver<NoProof>,
    encoder: Encoder,
    /// The first state.
    state: Vec<Lit>,
}

impl<'a> Steps<'a> {
    fn new(question: &Question<'a>, n_steps: usize) -> Self {
        let mut unrolling = Unrolling::new(question.model, question.property, Start::Free);
        unrolling.push_frame();
        while unrolling.frames().len() < n_steps && unrolling.aig().n_nodes() < MOST_NODES {
            unrolling.push_frame();
        }
        let settings = craig_solver::Options {
            eliminate: false,
            ..craig_solver::Options::default()
        };
        let mut solver = Solver::with_proof(settings, NoProof);
        listen_in(question.control.stop, &mut solver);
        solver.set_limits(craig_solver::Limits {
            conflicts: Some(CONFLICTS),
            propagations: Some(PROPAGATIONS),
        });
        let mut encoder = Encoder::new();
        let mut encode = |edge: Edge| encoder.encode(unrolling.aig(), edge, &mut solver);
        let state = (unrolling.initial().iter())
            .map(|&edge| encode(edge))
            .collect();
        let constraints: Vec<Lit> = (unrolling.frames()[0].constraints.iter())
            .map(|&edge| encode(edge))
            .collect();
        for lit in constraints {
            solver.add_clause(&[lit]);
        }
        Self {
            unrolling,
            solver,
            encoder,
            state,
        }
    }

    /// Whether `goal` is possible from a state.
    fn ask(&mut self, state: &Bits, goal: Lit) -> Answer {
        let mut assumptions = vec![goal];
        let latches = self.state.iter().enumerate();
        assumptions.extend(latches.map(|(place, &lit)| lit.negate_if(!state.get(place))));
        self.solver.solve(&assumptions)
    }

    /// The inputs of a step, in the last model.
    fn inputs(&self, step: usize) -> Bits {
        let value = |&edge: &Edge| model_value(&self.solver, &self.encoder, edge);
        Bits::new(self.unrolling.frames()[step].inputs.iter().map(value))
    }
}

/// The solvers.
pub(super) struct Queries<'a> {
    one: Steps<'a>,
    /// The latches after the one step.
    next: Vec<Lit>,
    /// By view: the literal under which reached cells are excluded.
    selectors: Vec<Lit>,
    many: Steps<'a>,
    /// The bad in one of the steps of `many`, with the constraints up to that one.
    bad: Lit,
}

impl<'a> Queries<'a> {
    /// `None` if the circuit is too large, or has no space in a solver.
    pub(super) fn new(question: &Question<'a>) -> Option<Self> {
        if question.any.aig().n_nodes() > LARGEST {
            return None;
        }
        let mut one = Steps::new(question, 1);
        let next = one.unrolling.state().to_vec();
        let next = next.iter();
        let next = next
            .map(|&edge| (one.encoder).encode(one.unrolling.aig(), edge, &mut one.solver))
            .collect();
        let selectors = (0..VIEWS)
            .map(|_| one.solver.new_var().positive())
            .collect();
        let mut many = Steps::new(question, MOST_STEPS);
        let n_steps = many.unrolling.frames().len();
        let bad = many.unrolling.bad_within(0, n_steps);
        let bad = (many.encoder).encode(many.unrolling.aig(), bad, &mut many.solver);
        Some(Self {
            one,
            next,
            selectors,
            many,
            bad,
        })
    }

    /// The literals that the solver for successors has propagated, and the one for the bad.
    pub(super) fn propagations(&self) -> (u64, u64) {
        let of = |steps: &Steps<'_>| steps.solver.statistics().propagations;
        (of(&self.one), of(&self.many))
    }

    /// The inputs of a run from `state` to the bad.
    pub(super) fn way_to_bad(&mut self, state: &Bits) -> Option<Vec<Bits>> {
        let answer = self.many.ask(state, self.bad);
        (answer == Answer::Satisfiable).then(|| {
            let n_steps = self.many.unrolling.frames().len();
            (0..n_steps).map(|step| self.many.inputs(step)).collect()
        })
    }

    /// Forgets the cells of a view.
    pub(super) fn clear(&mut self, view: usize) {
        let old = self.selectors[view];
        self.one.solver.add_clause(&[!old]);
        self.selectors[view] = self.one.solver.new_var().positive();
    }

    /// Excludes a cell of a view whose latches these are.
    pub(super) fn exclude(&mut self, view: usize, latches: &[usize], cell: u16) {
        let differs = latches.iter().enumerate();
        let differs = differs.map(|(bit, &latch)| self.next[latch].negate_if(cell >> bit & 1 == 1));
        let mut clause: Vec<Lit> = differs.collect();
        clause.push(!self.selectors[view]);
        self.one.solver.add_clause(&clause);
    }

    /// Inputs with which a step from `state` leads to a cell of the view that is not excluded.
    pub(super) fn step_to_new_cell(&mut self, view: usize, state: &Bits) -> Option<Bits> {
        let answer = self.one.ask(state, self.selectors[view]);
        (answer == Answer::Satisfiable).then(|| self.one.inputs(0))
    }
}
