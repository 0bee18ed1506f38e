//! The engines for circuits on the single-loop program.

use craig_mc::certify::certify_certificate;
use craig_mc::portfolio::{self, Entry};
use craig_mc::{Control, UnknownReason, Verdict as ModelVerdict};

use super::bounded::Verdict;
use super::interpret::End;
use super::ir::Program;
use super::replay::{Counterexample, replay};
use super::single_loop::SingleLoop;

/// The name under which these engines report.
pub(crate) const NAME: &str = "single loop";

/// Checks a program.
pub(crate) fn check(program: &Program, control: &Control) -> Verdict {
    let mut single = match SingleLoop::new(program, control) {
        Ok(single) => single,
        Err(reason) => return Verdict::Unknown(reason),
    };
    let first = decide(program, &mut single, true, control);
    // Where the way leads out of what is supported, an error may still be found beside it.
    match first {
        Decision::Left(reason) => match decide(program, &mut single, false, control) {
            Decision::Verdict(found @ (Verdict::Unsafe(_) | Verdict::Internal(_))) => found,
            _ => Verdict::Unknown(UnknownReason::Unsupported(reason)),
        },
        Decision::Verdict(verdict) => verdict,
    }
}

enum Decision {
    Verdict(Verdict),
    /// A path ends in something that is not supported.
    Left(String),
}

/// The line-up, without its bounded engine where there is another: programs have one of their own.
fn entries() -> Vec<Entry> {
    let mut entries = portfolio::line_up(4);
    if entries.len() > 1 {
        entries.retain(|entry| entry.name != craig_mc::engine::bmc::NAME);
    }
    entries
}

fn decide(
    program: &Program,
    single: &mut SingleLoop<'_>,
    stuck: bool,
    control: &Control,
) -> Decision {
    let encoded = single.encode(stuck);
    control.note(NAME, || {
        format!(
            "{} cuts, {} latches, {} inputs, {} nodes",
            single.n_cuts(),
            encoded.model.latches.len(),
            encoded.model.inputs.len(),
            encoded.model.aig.n_nodes()
        )
    });
    let report = portfolio::check(&encoded.model, 0, &entries(), control);
    Decision::Verdict(match report.outcome.verdict {
        ModelVerdict::Unknown(reason) => Verdict::Unknown(reason),
        ModelVerdict::Safe(certificate) => {
            match certify_certificate(&encoded.model, 0, &certificate) {
                Ok(_) => Verdict::Safe(format!(
                    "a certificate of the single-loop program from {}, checked",
                    report.outcome.engine
                )),
                Err(error) => Verdict::Internal(format!(
                    "a certificate from {}: {error}",
                    report.outcome.engine
                )),
            }
        }
        ModelVerdict::Unsafe(trace) => match replay(program, single.facts(&encoded, &trace)) {
            Ok((End::Error { text, at }, lines)) => {
                Verdict::Unsafe(Box::new(Counterexample { text, at, lines }))
            }
            Ok((End::Stuck { text, at }, _)) => {
                return Decision::Left(format!("{}: unsupported: {text}", program.place(at)));
            }
            result => {
                let text = match (result, single.first_stuck()) {
                    (_, Some(mark)) if stuck && single.has_stuck() => {
                        return Decision::Left(format!(
                            "{}: unsupported: {}",
                            program.place(mark.at),
                            mark.text
                        ));
                    }
                    (Ok((end, _)), _) => format!("its replay ends otherwise ({end:?})"),
                    (Err(message), _) => format!("its replay fails: {message}"),
                };
                Verdict::Unknown(UnknownReason::Unsupported(format!(
                    "a path to an error was found, but {text}"
                )))
            }
        },
    })
}
