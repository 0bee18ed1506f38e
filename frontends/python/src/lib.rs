//! The extension module of the Python package `craig`: the solver, proofs, interpolants, circuits and their verdicts.
//!
//! What users call is in `python/craig/`, which gives these parts the shape of Python: operators, iterators, reports.
//! A search runs without the interpreter lock and looks at Python's signals, so that Ctrl-C ends it.

mod check;
mod constraints;
mod errors;
mod expression;
mod interpolants;
mod literals;
mod model;
mod names;
mod proof;
mod propagation;
mod propagator;
mod room;
mod runs;
mod solver;
mod transform;
mod unroll;
mod watch;

use pyo3::prelude::*;

/// The parts of `craig` that are written in Rust.
#[pymodule]
#[pyo3(name = "_craig")]
fn extension(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::register(module)?;
    module.add_class::<solver::SolverCore>()?;
    module.add_class::<proof::Proof>()?;
    module.add_class::<expression::Expression>()?;
    module.add_class::<model::Circuit>()?;
    module.add_function(wrap_pyfunction!(constraints::at_most, module)?)?;
    module.add_function(wrap_pyfunction!(constraints::linear_at_most, module)?)?;
    module.add_function(wrap_pyfunction!(constraints::parity, module)?)?;
    module.add_function(wrap_pyfunction!(constraints::totalizer, module)?)?;
    module.add_function(wrap_pyfunction!(constraints::read_dimacs, module)?)?;
    module.add_function(wrap_pyfunction!(unroll::unroll, module)?)?;
    module.add_function(wrap_pyfunction!(check::check, module)?)
}
