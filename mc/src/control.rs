//! What an engine is given beside its question: when to stop, what is known, and where to report.

use craig_model::Stop;
use craig_solver::Solver;
use craig_solver::proof::ProofSink;

use crate::board::Board;
use crate::listener::Listener;

pub use crate::board::Target;
pub use crate::exchange::StateClause;
pub use crate::listener::{Event, Receiver};

/// The three things that a search borrows from its caller.
///
/// Engines have no clock of their own: they ask the stop regularly and return
/// [`Verdict::Unknown`](craig_model::Verdict::Unknown) when it has a reason. A search of another bad, or of another model,
/// borrows another [`Board`].
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// When to stop.
    pub stop: &'a Stop,
    /// What is known about the bad of the model.
    pub board: &'a Board,
    /// Where to report progress.
    pub listener: &'a Listener,
}

impl<'a> Control<'a> {
    /// Of these three.
    #[must_use]
    pub fn new(stop: &'a Stop, board: &'a Board, listener: &'a Listener) -> Self {
        Self {
            stop,
            board,
            listener,
        }
    }

    /// Reports that the bad is unreachable in all steps before `depth`, to the listener and on the board.
    pub fn report_depth(self, engine: &'static str, depth: usize) {
        self.board.share_depth(depth);
        self.listener.report_depth(engine, depth);
    }
}

/// The owner of what a search borrows that shares its board with no other, and reports to nobody unless it is told to.
#[derive(Clone, Default)]
pub struct Alone {
    /// When to stop.
    pub stop: Stop,
    /// What the search finds out about its bad.
    pub board: Board,
    /// Its depth and statistics, and who else hears of them.
    pub listener: Listener,
}

impl Alone {
    /// Without a reason to stop.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stopped by this.
    #[must_use]
    pub fn until(stop: Stop) -> Self {
        Self {
            stop,
            ..Self::default()
        }
    }

    /// Stopped by this, and heard by the receiver of another listener.
    #[must_use]
    pub fn heard_by(listener: &Listener, stop: Stop) -> Self {
        Self {
            listener: Listener::silent().with_receiver_of(listener),
            ..Self::until(stop)
        }
    }

    /// Passes every event to `receiver`.
    #[must_use]
    pub fn with_receiver(mut self, receiver: Receiver) -> Self {
        self.listener = self.listener.with_receiver(receiver);
        self
    }

    /// What the search borrows.
    #[must_use]
    pub fn control(&self) -> Control<'_> {
        Control::new(&self.stop, &self.board, &self.listener)
    }
}

/// Makes a solver stop when there is a reason to stop.
pub fn listen_in<P: ProofSink>(stop: &Stop, solver: &mut Solver<P>) {
    let stop = stop.clone();
    solver.set_stop_callback(Some(Box::new(move || stop.reason().is_some())));
}
