//! SV-COMP's `valid-memtrack` (the program does not lose its last pointer to allocated memory), from a check
//! for memory that is left at the end.

use craig_model::UnknownReason;

use crate::bounded;
use crate::paths;
use crate::verdict::{Found, Verdict, unknown};
use craig_c_exec::concrete::machine::LOST;
use craig_c_files::property_file::PropertyFile;
use craig_c_lang::ir::{CheckKind, Instr, Program, Storage, Terminator};

/// The engines that follow all runs to their ends, so that a proof of theirs shows that there are these.
const FOLLOW_ALL: [&str; 2] = [bounded::NAME, paths::NAME];

/// The verdict on the properties of the file. Memory left at the end is an error if it is lost. If all memory
/// is freed, none is lost; but only in runs that reach the end of the program.
pub(crate) fn decide_tracking(
    program: &Program,
    verdict: Verdict,
    engine: &'static str,
    file: &PropertyFile,
) -> Verdict {
    if !file.is_about_tracking() {
        return verdict;
    }
    let unsupported = |text: &str| unknown(UnknownReason::Unsupported(text.into()));
    match &verdict {
        Ok(Found::Unsafe(_)) if is_undecided(&verdict, file) => unsupported(
            "valid-memtrack: memory is left when the program ends, but not decided is whether something \
             still \
             points to it",
        ),
        Ok(Found::Safe(_)) if !FOLLOW_ALL.contains(&engine) && needs_ends(program, Some(file)) => {
            unsupported(
                "valid-memtrack: all memory is freed by the end, but memory that is lost in a run without end is \
             not looked for; `--c-engine unwind` shows that all runs end, where they do",
            )
        }
        Ok(Found::Safe(_)) if needs_ends(program, Some(file)) && may_abort(program) => unsupported(
            "valid-memtrack: all memory is freed by the end, but memory that is lost before the program \
             aborts is not looked for",
        ),
        _ => verdict,
    }
}

/// Whether the program is safe only if its runs end, which unrolling shows, whole or path by path.
pub(crate) fn needs_ends(program: &Program, file: Option<&PropertyFile>) -> bool {
    // A program without this check has other properties.
    file.is_some_and(PropertyFile::is_about_tracking)
        && has_instr(program, &|instr| matches!(instr, Instr::CheckLeaks))
        && allocates(program)
}

/// Whether an error is memory left at the end that may not be lost.
pub(crate) fn is_undecided(verdict: &Verdict, file: &PropertyFile) -> bool {
    let Ok(Found::Unsafe(found)) = verdict else {
        return false;
    };
    file.is_about_tracking()
        && !file.is_about_cleanup()
        && found.text == CheckKind::Leak.text()
        && found.lines.iter().all(|line| line.text != LOST)
}

fn has_instr(program: &Program, is_wanted: &dyn Fn(&Instr) -> bool) -> bool {
    let blocks = program
        .functions
        .iter()
        .flat_map(|function| &function.blocks);
    let mut instrs = blocks.flat_map(|block| &block.instrs);
    instrs.any(|(instr, _)| is_wanted(instr))
}

fn allocates(program: &Program) -> bool {
    has_instr(program, &|instr| {
        matches!(
            instr,
            Instr::Allocate {
                storage: Storage::Heap,
                ..
            }
        )
    })
}

/// Whether the program may end without the check of memory: by `abort` or a mark that is not a property.
fn may_abort(program: &Program) -> bool {
    let mut blocks = program
        .functions
        .iter()
        .flat_map(|function| &function.blocks);
    blocks.any(|block| {
        matches!(block.end, Terminator::Halt)
            && !matches!(block.instrs.last(), Some((Instr::CheckLeaks, _)))
    })
}
