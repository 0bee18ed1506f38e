//! Dual approximated reachability on the automaton: the engine `cfa-dar` (Y. Vizel, O. Grumberg, S. Shoham, "Intertwined
//! forward-backward reachability analysis using interpolants", TACAS 2013; [`dar`](craig_mc::engine::dar) is the same for
//! circuits, where its phases are described).
//!
//! A set of either sequence has a label for each location. `forward[j]` contains the states that are reached by j
//! actions, `backward[j]` those from which j actions and one to a bad location lead there.

use std::sync::Arc;

use craig_aig::Edge;
use craig_itp::System;
use craig_mc::Control;
use craig_mc::engine::options::SYSTEM;
use craig_model::UnknownReason;

use super::actions::Actions;
use super::answer::{Answer, ErrorPath, Run};
use super::cfa::Cfa;
use super::engine::{ARRAYS, BLOCKS, ProgramEngine, Query};
use super::labels::{LabelId, Labels};
use super::refutation::{Dial, SIMPLIFY, TRANSFORM, Transform};
use super::to_model::Bad;
use super::union::{closed, invariant};
use super::unrolled::{End, Found, Paths, Set, Unrolled};

/// The engine's name.
pub const NAME: &str = "cfa-dar";

/// The registration of the engine.
pub(super) const ENGINE: ProgramEngine = ProgramEngine {
    name: NAME,
    text: "For C programs: dual approximated reachability with labels for each location",
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
    let forward = vec![unrolled.start(&mut labels)];
    let mut search = Search {
        unrolled: &unrolled,
        labels: &mut labels,
        system: dial.system,
        control,
        forward,
        backward: Vec::new(),
    };
    let ended = match search.run() {
        Ok(ended) => ended,
        Err(reason) => return Answer::Unknown(reason),
    };
    let (sets, is_backward) = match ended {
        Ended::Path(path) => return Answer::Unsafe(Run::new(cfa, &actions, path)),
        Ended::Forward(sets) => (sets, false),
        Ended::Backward(sets) => (sets, true),
    };
    Answer::Safe(Box::new(invariant(
        &actions,
        &mut labels,
        &sets,
        is_backward,
    )))
}

/// How a search has ended.
enum Ended {
    Path(ErrorPath),
    /// With sets whose union is an invariant.
    Forward(Vec<Set>),
    /// With sets the complement of whose union is one.
    Backward(Vec<Set>),
}

struct Search<'s, 'a> {
    unrolled: &'s Unrolled<'a>,
    labels: &'s mut Labels,
    /// The interpolation system of forward interpolants; backward ones have its dual.
    system: System,
    control: Control<'s>,
    forward: Vec<Set>,
    backward: Vec<Set>,
}

impl Search<'_, '_> {
    fn run(&mut self) -> Result<Ended, UnknownReason> {
        for bound in 0.. {
            if let Some(reason) = self.control.stop.reason() {
                return Err(reason);
            }
            if let Some(path) = self.extend(bound)? {
                return Ok(Ended::Path(path));
            }
            self.control.report_depth(NAME, bound + 1);
            let actions = self.unrolled.actions;
            if let Some(n_sets) = closed(actions, self.labels, &self.forward, self.control.stop)? {
                let sets = self.forward[..n_sets].to_vec();
                return Ok(Ended::Forward(sets));
            }
            if let Some(n_sets) = closed(actions, self.labels, &self.backward, self.control.stop)? {
                let sets = self.backward[..n_sets].to_vec();
                return Ok(Ended::Backward(sets));
            }
        }
        unreachable!("the bound has no limit")
    }

    /// Makes both sequences exclude paths of `bound` actions before the last one. Returns a path of that length, if there
    /// is one.
    ///
    /// When the place is found, `forward[from]` excludes `backward[bound - from]`, or the bad if that does not exist.
    fn extend(&mut self, bound: usize) -> Result<Option<ErrorPath>, UnknownReason> {
        if let Some(last) = self.forward.get(bound.wrapping_sub(1)) {
            let next = self.unrolled.after(last);
            self.forward.push(next);
        }
        let next = self.unrolled.before(self.backward.last());
        self.backward.push(next);
        let from = match self.local(bound)? {
            Some(from) => from,
            None => match self.global(bound)? {
                Ok(from) => from,
                Err(path) => return Ok(Some(path)),
            },
        };
        for step in from..bound {
            let is_excluded = self.exclude_forward(step, bound)?;
            debug_assert!(is_excluded, "the forward set excludes all predecessors");
        }
        if from == bound {
            self.strengthen_backward(bound, 0, End::Bad)?;
        }
        for step in (0..from).rev() {
            let left = bound - 1 - step;
            let end = self.backward[left].clone();
            self.strengthen_backward(step, left + 1, End::Set(&end))?;
        }
        Ok(None)
    }

    /// A place where the sequences do not meet, looked for from the end: `forward` is strengthened there.
    fn local(&mut self, bound: usize) -> Result<Option<usize>, UnknownReason> {
        for step in (0..bound).rev() {
            if self.exclude_forward(step, bound)? {
                return Ok(Some(step + 1));
            }
        }
        Ok(None)
    }

    /// Refutes paths of two, three, .. actions from the start to the backward set with as many actions left, and at last
    /// all paths to the bad. The local phase has tried the first ones.
    fn global(&mut self, bound: usize) -> Result<Result<usize, ErrorPath>, UnknownReason> {
        let sets = (2..=bound).map(|depth| (depth, false));
        for (depth, is_bad) in sets.chain([(bound, true)]) {
            let end = self.backward[bound - depth].clone();
            let paths = Paths {
                sets: &self.forward[..depth.max(1)],
                depth,
                end: if is_bad { End::Bad } else { End::Set(&end) },
            };
            let cuts: Vec<usize> = (1..=depth).collect();
            match self.unrolled.ask(self.labels, &paths, &cuts, self.system)? {
                Found::Path(Some(path)) => return Ok(Err(path)),
                Found::Path(None) => {}
                Found::Sequence(sequence) => {
                    for (set, formulas) in self.forward[1..].iter_mut().zip(&sequence) {
                        Unrolled::strengthen(self.labels, set, formulas);
                    }
                    return Ok(Ok(depth));
                }
            }
        }
        unreachable!("the last paths end in the bad")
    }

    /// Strengthens the set behind a forward set, if no action leads from that one into the backward set with as many
    /// actions left.
    fn exclude_forward(&mut self, step: usize, bound: usize) -> Result<bool, UnknownReason> {
        let paths = Paths {
            sets: &self.forward[step..=step],
            depth: 1,
            end: End::Set(&self.backward[bound - 1 - step]),
        };
        match self.unrolled.ask(self.labels, &paths, &[1], self.system)? {
            Found::Path(_) => Ok(false),
            Found::Sequence(sequence) => {
                Unrolled::strengthen(self.labels, &mut self.forward[step + 1], &sequence[0]);
                Ok(true)
            }
        }
    }

    /// Strengthens a backward set: no state of a forward set is in it, as that is known to exclude what it leads to.
    fn strengthen_backward(
        &mut self,
        forward: usize,
        backward: usize,
        end: End<'_>,
    ) -> Result<(), UnknownReason> {
        let paths = Paths {
            sets: &self.forward[forward..=forward],
            depth: usize::from(matches!(end, End::Set(_))),
            end,
        };
        let system = self.system.dual();
        match self.unrolled.ask(self.labels, &paths, &[0], system)? {
            Found::Path(_) => unreachable!("the forward set excludes the backward one"),
            Found::Sequence(sequence) => {
                let complements: Vec<Edge> = sequence[0].iter().map(|&edge| !edge).collect();
                let set = &mut self.backward[backward];
                Unrolled::strengthen(self.labels, set, &complements);
                debug_assert!(
                    (self.forward[forward].iter().zip(&*set))
                        .all(|(a, b)| *a != LabelId::TRUE || *b != LabelId::TRUE),
                    "they do not meet"
                );
                Ok(())
            }
        }
    }
}
