//! Interpolation sequences on the automaton: the engine `cfa-isb` (Y. Vizel, O. Grumberg, "Interpolation-sequence based
//! model checking", FMCAD 2009).
//!
//! All paths of k actions to a bad location are refuted at once (`unrolled.rs`). The interpolants at cut
//! j, over all k so far, are conjoined: for each location a label that holds in all states there that are reached by j
//! actions. The labels found so far are added to later queries, so that the sets for successive j stay a sequence of
//! interpolants. They are closed as soon as one of them lies, at every location, in the union of the previous ones. No k
//! is skipped: that set j excludes the bad rests on the query about j + 1 actions.

use std::sync::Arc;

use craig_mc::Control;
use craig_mc::engine::options::SYSTEM;
use craig_model::UnknownReason;

use super::actions::Actions;
use super::answer::{Answer, ErrorPath, Run};
use super::cfa::Cfa;
use super::engine::{ARRAYS, BLOCKS, ProgramEngine, Query};
use super::labels::Labels;
use super::refutation::{Dial, SIMPLIFY, TRANSFORM, Transform};
use super::to_model::Bad;
use super::union::{closed, invariant};
use super::unrolled::{End, Found, Paths, Set, Unrolled};

/// The engine's name.
pub const NAME: &str = "cfa-isb";

/// The registration of the engine.
pub(super) const ENGINE: ProgramEngine = ProgramEngine {
    name: NAME,
    text: "For C programs: interpolation sequences with a label for each location",
    options: &[&BLOCKS, &ARRAYS, &SYSTEM, &TRANSFORM, &SIMPLIFY],
    build: |settings| {
        let dial = Dial::chosen(settings, Transform::None);
        Arc::new(move |cfa, query: Query, control| (check(cfa, query.bad, dial, control), None))
    },
};

/// Decides whether a bad location is reachable.
#[must_use]
pub fn check(cfa: &Cfa, bad: Bad, dial: Dial, control: Control<'_>) -> Answer {
    let actions = Actions::new(cfa, bad);
    let mut labels = Labels::new(&actions, control.stop);
    let unrolled = Unrolled::new(&actions, dial, control.stop);
    match search(&unrolled, &mut labels, dial, control) {
        Err(reason) => Answer::Unknown(reason),
        Ok(Ended::Path(path)) => Answer::Unsafe(Run::new(cfa, &actions, path)),
        Ok(Ended::Closed(sets)) => {
            Answer::Safe(Box::new(invariant(&actions, &mut labels, &sets, false)))
        }
    }
}

/// How a search has ended.
enum Ended {
    Path(ErrorPath),
    /// With sets whose union is closed.
    Closed(Vec<Set>),
}

fn search(
    unrolled: &Unrolled<'_>,
    labels: &mut Labels,
    dial: Dial,
    control: Control<'_>,
) -> Result<Ended, UnknownReason> {
    let mut reached = vec![unrolled.start(labels)];
    for depth in 0.. {
        if let Some(reason) = control.stop.reason() {
            return Err(reason);
        }
        let paths = Paths {
            sets: &reached,
            depth,
            end: End::Bad,
        };
        let cuts: Vec<usize> = (1..=depth).collect();
        match unrolled.ask(labels, &paths, &cuts, dial.system)? {
            Found::Path(path) => {
                let path = path.expect("paths to the bad are returned");
                return Ok(Ended::Path(path));
            }
            Found::Sequence(sequence) => {
                for (set, formulas) in reached[1..].iter_mut().zip(&sequence) {
                    Unrolled::strengthen(labels, set, formulas);
                }
            }
        }
        control.report_depth(NAME, depth + 1);
        if let Some(n_sets) = closed(unrolled.actions, labels, &reached, control.stop)? {
            reached.truncate(n_sets);
            return Ok(Ended::Closed(reached));
        }
        let next = unrolled.after(&reached[depth]);
        reached.push(next);
    }
    unreachable!("the depth has no limit")
}
