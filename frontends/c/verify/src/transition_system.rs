//! A program as a transition system, for callers that unroll it.

use std::path::Path;

use craig_model::{Model, Stop};
use craig_program::{Bad, Blocks, Cfa};

use crate::automaton::{Automaton, Extent};
use crate::load::{load, with_large_stack};
use crate::options::Options;
use crate::report::Failure;

/// Reads a C file as a transition system with one bad: that an error is reached. A step leads from one loop
/// head to the next, the first one from the program's start. Latches are named after the program's variables
/// (`x[0]` is the lowest bit of `x`) and its program counter (`pc[0]`), if these have a name.
///
/// # Errors
/// If the file cannot be read, or contains an unsupported construct.
pub fn transition_system(path: &Path, options: &Options, stop: &Stop) -> Result<Model, Failure> {
    with_large_stack(|| encode(path, options, stop))
}

fn encode(path: &Path, options: &Options, stop: &Stop) -> Result<Model, Failure> {
    let program = load(path, options)?.map_err(Failure::Input)?;
    let unsupported = |reason: &dyn std::fmt::Display| {
        Failure::Input(format!(
            "{}: no transition system: {reason}",
            path.display()
        ))
    };
    let extent = Extent::new(options.search.stages(), Blocks::Large);
    let mut automaton =
        Automaton::new(&program, extent, stop).map_err(|reason| unsupported(&reason))?;
    if !automaton.cfa.incoming(Cfa::UNSUPPORTED).is_empty()
        && let Some(mark) = automaton.first_stuck()
    {
        let place = program.place(mark.at);
        return Err(unsupported(&format!("{place}: unsupported: {}", mark.text)));
    }
    let mut encoded = automaton.cfa.to_model(Bad::Error);
    encoded.model.names.latches = automaton.latch_names(&encoded);
    Ok(encoded.model)
}
