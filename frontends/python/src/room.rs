//! Whether there is memory for variables: the solver has a place for each number up to the largest.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// Fewer are not counted.
const FEW: usize = 1 << 22;
/// What the solver takes for a variable: measured with 2^24 and 2^26 of them.
const BYTES: u64 = 150;

/// Refuses more variables than there is memory for: an allocation that fails would end the interpreter.
///
/// # Errors
/// A `MemoryError` with the number of the last variable.
pub(crate) fn check(n_now: usize, n_vars: usize) -> PyResult<()> {
    if n_vars <= n_now.max(FEW) {
        return Ok(());
    }
    let bytes = (n_vars - n_now) as u64 * BYTES;
    match available() {
        Some(available) if bytes > available => Err(PyMemoryError::new_err(format!(
            "variable {n_vars}: with a place for each number up to this one, the solver takes {} MB, and {} MB are free",
            bytes >> 20,
            available >> 20
        ))),
        _ => Ok(()),
    }
}

/// The bytes of memory that are free, if the system tells.
fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes << 10)
}
