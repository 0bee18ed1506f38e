//! The engines for programs on the control-flow automaton.

use craig_mc::Control;
use craig_model::UnknownReason;
use craig_program::Blocks;
use craig_verify::ProgramSearch;

use crate::automaton::Automaton;
use crate::loop_engines::decided;
use crate::verdict::Verdict;
use craig_c_lang::ir::Program;

/// Checks a program whose arrays have a word for each element.
pub(crate) fn check(program: &Program, search: &ProgramSearch, control: Control<'_>) -> Verdict {
    if let Some(blocks) = search.blocks() {
        return check_blocks(program, search, blocks, false, control);
    }
    match check_blocks(program, search, Blocks::Large, true, control) {
        Verdict::Unknown(UnknownReason::Bound(text)) => {
            control
                .listener
                .note(search.name(), || format!("{text}; again with basic blocks"));
            check_blocks(program, search, Blocks::Basic, false, control)
        }
        verdict => verdict,
    }
}

/// Checks a program cut into such blocks.
fn check_blocks(
    program: &Program,
    search: &ProgramSearch,
    blocks: Blocks,
    may_give_up: bool,
    control: Control<'_>,
) -> Verdict {
    let automaton = match Automaton::havocking(program, blocks, control.stop) {
        Ok(automaton) => automaton,
        Err(reason) => return Verdict::Unknown(reason),
    };
    let (n_locations, n_edges) = (automaton.cfa.locations().len(), automaton.cfa.edges().len());
    let listener = control.listener;
    listener.note(search.name(), || {
        format!("{n_locations} locations, {n_edges} edges")
    });
    listener.count("locations", n_locations);
    listener.count("edges", n_edges);
    decided(program, automaton, blocks, control.stop, |own, bad| {
        search.decide(own, (bad, may_give_up), control)
    })
}
