//! The engines for programs on the control-flow automaton.

use craig_mc::Control;
use craig_model::UnknownReason;
use craig_program::Blocks;
use craig_program::line_up::Stages;
use craig_verify::ProgramSearch;

use crate::automaton::{Automaton, Extent};
use crate::loop_engines::decided;
use crate::verdict::{Found, Verdict, unknown};
use craig_c_lang::ir::Program;

/// An engine for programs, and the stages of the schedule that it is asked for with.
pub(crate) type Asked<'a> = (&'a ProgramSearch, &'a Stages);

/// Checks a program whose arrays have a word for each element.
pub(crate) fn check(program: &Program, asked: Asked<'_>, control: Control<'_>) -> Verdict {
    let (search, _) = asked;
    if let Some(blocks) = search.blocks() {
        return check_blocks(program, asked, (blocks, false), control);
    }
    match check_blocks(program, asked, (Blocks::Large, true), control) {
        Ok(Found::Unknown(UnknownReason::Bound(text))) => {
            control
                .listener
                .note(search.name(), || format!("{text}; again with basic blocks"));
            check_blocks(program, asked, (Blocks::Basic, false), control)
        }
        verdict => verdict,
    }
}

/// Checks a program cut into such blocks. The engine may give up where it seems to diverge, if that is said.
fn check_blocks(
    program: &Program,
    (search, stages): Asked<'_>,
    (blocks, may_give_up): (Blocks, bool),
    control: Control<'_>,
) -> Verdict {
    let extent = Extent::new(stages, blocks);
    let automaton = match Automaton::havocking(program, extent, control.stop) {
        Ok(automaton) => automaton,
        Err(reason) => return unknown(reason),
    };
    let (n_locations, n_edges) = (automaton.cfa.locations().len(), automaton.cfa.edges().len());
    let listener = control.listener;
    listener.note(search.name(), || {
        format!("{n_locations} locations, {n_edges} edges")
    });
    listener.count("locations", n_locations);
    listener.count("edges", n_edges);
    decided(program, automaton, control.stop, |own, bad| {
        search.decide(own, (bad, may_give_up), control)
    })
}
