//! An unrolling and an incremental solver that knows the constraints of all of its frames, for k-induction of one bad and of several.

use craig_aig::Edge;
use craig_model::Stop;
use craig_solver::encode::Encoder;
use craig_solver::{Lit, Solver};

use crate::circuit::unroll::Unrolling;
use crate::control::listen_in;

/// The frames, and what the solver has of them.
pub(super) struct Frames<'a> {
    pub(super) unrolling: Unrolling<'a>,
    pub(super) solver: Solver,
    encoder: Encoder,
}

impl<'a> Frames<'a> {
    /// For an unrolling without frames.
    pub(super) fn new(unrolling: Unrolling<'a>, stop: &Stop) -> Self {
        debug_assert!(
            unrolling.frames().is_empty(),
            "constraints are added frame by frame"
        );
        let mut solver = Solver::new();
        listen_in(stop, &mut solver);
        Self {
            unrolling,
            solver,
            encoder: Encoder::new(),
        }
    }

    /// The next frame, in which the constraints hold: the bad there.
    pub(super) fn push(&mut self) -> Edge {
        let frame = self.unrolling.push_frame();
        let (bad, constraints) = (frame.bad, frame.constraints.clone());
        for constraint in constraints {
            let constraint = self.literal(constraint);
            self.solver.add_clause(&[constraint]);
        }
        bad
    }

    /// The literal of a node of the unrolling.
    pub(super) fn literal(&mut self, edge: Edge) -> Lit {
        self.encoder
            .encode(self.unrolling.aig(), edge, &mut self.solver)
    }

    /// Excludes runs in which this holds.
    pub(super) fn exclude(&mut self, edge: Edge) {
        let lit = self.literal(edge);
        self.solver.add_clause(&[!lit]);
    }
}
