//! Many questions, each decided in a process of its own, so that limits and failures of one do not affect the others.

pub(super) mod inputs;
pub(super) mod pool;
pub(super) mod process;
pub(super) mod resume;
pub(super) mod shard;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};

use super::failure::Failure;

/// A flag that is set by a signal to end.
pub(super) fn signals() -> Result<Arc<AtomicBool>, Failure> {
    let signal = Arc::new(AtomicBool::new(false));
    for number in [SIGINT, SIGTERM] {
        signal_hook::flag::register(number, Arc::clone(&signal)).map_err(Failure::internal)?;
    }
    Ok(signal)
}

/// Seconds, such as `0.05`, for JSON and tables.
pub(super) fn rounded(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}
