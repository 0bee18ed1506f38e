//! The wish that something long comes to an end.

use std::fmt;
use std::sync::Arc;

use craig_solver::Solver;
use craig_solver::proof::ProofSink;

/// Asked between the steps of something long, and by the searches inside it, whether to go on. There are no clocks
/// here: whoever has one says when it is enough.
#[derive(Clone, Default)]
pub struct Stop(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Stop {
    /// Goes on to the end.
    #[must_use]
    pub fn never() -> Self {
        Self(None)
    }

    /// Stops once `condition` holds. It is asked often, so that it should be quick.
    pub fn when(condition: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(condition)))
    }

    /// Whether to stop now.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.0.as_ref().is_some_and(|condition| condition())
    }

    /// Lets the searches of a solver end with [`Answer::Unknown`](craig_solver::Answer::Unknown) on request.
    pub fn reach<P: ProofSink>(&self, solver: &mut Solver<P>) {
        if let Some(condition) = &self.0 {
            let condition = Arc::clone(condition);
            solver.set_stop_callback(Some(Box::new(move || condition())));
        }
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "Stop"
        } else {
            "Stop(never)"
        })
    }
}
