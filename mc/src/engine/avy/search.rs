//! The search: one frame after the other, until two are equal.

use craig_aig::{Aig, Edge};
use craig_itp::transform::{Reduction, reduce};
use craig_model::{Model, Trace, UnknownReason};
use craig_solver::Lit;
use craig_solver::compact::compact_until;
use craig_solver::proof::ProofDag;

use super::Options;
use super::outside::Outside;
use super::suffix::{Extension, Suffix, clauses};
use crate::circuit::unroll::{Start, Unrolling};
use crate::control::Event;
use crate::engine::path::{Found, Known, LatchClause, Path};
use crate::engine::pdr::{self, Blocking, Lemma, Pdr, Scope, Stop, Strategy};
use crate::engine::{stop_of, up_to_bad, why_stopped};

pub(super) enum End {
    Invariant(Vec<Lemma>),
    Run(Trace),
}

pub(super) struct Search<'a> {
    pub(super) model: &'a Model,
    pub(super) property: usize,
    pub(super) options: &'a Options,
    /// One step from any state.
    pub(super) any: &'a Unrolling<'a>,
    /// The frames. All before the last one exclude the bad.
    pub(super) pdr: Pdr<'a>,
    /// The length of the first suffix to try: slightly less than the last one needed.
    pub(super) suffix: usize,
    /// The bad is unreachable in all steps before this one.
    pub(super) depth: usize,
}

/// The activity of cubes outside of an interpolant, which have no history. With it they are generalised with
/// counterexamples.
const ACTIVITY: f64 = 20.0;

impl Search<'_> {
    pub(super) fn run(&mut self) -> Result<End, Stop> {
        loop {
            let level = self.pdr.frames.level();
            if self.options.max_bound.is_some_and(|last| level > last) {
                return Err(Stop(UnknownReason::Bound(format!(
                    "no fixed point in the frames of up to {} steps",
                    level - 1
                ))));
            }
            if let Some(reason) = self.pdr.control.stop.reason() {
                return Err(Stop(reason));
            }
            if let Some(trace) = self.exclude_bad()? {
                self.depth = trace.depth();
                return Ok(End::Run(trace));
            }
            self.depth = level + 1;
            self.pdr
                .control
                .report_depth(self.options.name(), self.depth);
            if let Some(end) = self.fixpoint() {
                return Ok(end);
            }
            self.pdr.frames.extend();
            self.pdr
                .control
                .listener
                .note(self.options.name(), || self.pdr.describe());
            if self.pdr.propagate()? {
                return Ok(self.fixpoint().expect("a frame has emptied"));
            }
            self.pdr.find_invariants()?;
            if let Some(end) = self.fixpoint() {
                return Ok(end);
            }
        }
    }

    /// The lemmas from a frame on that equals the next one, if there is one.
    pub(super) fn fixpoint(&self) -> Option<End> {
        let frames = &self.pdr.frames;
        let frame = frames.fixpoint()?;
        Some(End::Invariant(frames.invariant(frame)))
    }

    /// Strengthens the frames until the last one excludes the bad, or finds a run.
    fn exclude_bad(&mut self) -> Result<Option<Trace>, Stop> {
        let level = self.pdr.frames.level();
        if level > 0 && self.last_frame_is_good()? {
            return Ok(None);
        }
        let mut length = self.suffix.min(level);
        let mut frame = level - length;
        if self.options.strong {
            let suffix = Suffix::new(self.model, self.any, &self.pdr);
            let control = self.pdr.control;
            match suffix.extension(length, &self.pdr) {
                None => return Err(Stop(why_stopped(control.stop))),
                Some(Some(extension)) => {
                    control.listener.note(self.options.name(), || {
                        format!("frame {level}: {extension:?}")
                    });
                    length = level - extension.start;
                    frame = extension.frame;
                }
                Some(None) => length = level,
            }
        }
        loop {
            let start = level - length;
            let mut path = self.runs(start, frame);
            match path.solve(self.pdr.control.stop).map_err(Stop)? {
                Found::Run(trace) if start == 0 => return Ok(Some(trace)),
                Found::Run(_) => {
                    debug_assert!(!self.options.strong, "an extension has no such run");
                    length = (length + 1 + length / 4).min(level);
                    frame = level - length;
                }
                Found::Refutation(dag) => {
                    let (aig, interpolants) = self.interpolate(&path, dag).map_err(Stop)?;
                    drop(path);
                    self.suffix = (length - length / 4).max(1);
                    let extension = Extension { start, frame };
                    return self.strengthen(extension, &aig, &interpolants);
                }
            }
        }
    }

    /// The runs from frame `start` to a bad state of the last frame, through the frames and through `frame`.
    fn runs(&self, start: usize, frame: usize) -> Path<'_> {
        let level = self.pdr.frames.level();
        let of_step = |step: usize| match step {
            0 => Vec::new(),
            _ => clauses(&self.pdr, step.max(frame)),
        };
        let known: Vec<Vec<LatchClause>> = (start..=level)
            .map(|step| {
                of_step(step)
                    .into_iter()
                    .map(|(clause, _)| clause)
                    .collect()
            })
            .collect();
        let from = match start {
            0 => Start::Reset,
            _ => Start::Free,
        };
        Path::new(
            self.model,
            self.property,
            self.any,
            level - start,
            from,
            Known::Clauses(&known),
            self.pdr.control,
        )
    }

    pub(super) fn last_frame_is_good(&mut self) -> Result<bool, Stop> {
        let (level, bad) = (self.pdr.frames.level(), self.pdr.transition.bad);
        self.pdr.is_excluded(level, bad)
    }

    fn interpolate(
        &self,
        path: &Path<'_>,
        mut dag: ProofDag,
    ) -> Result<(Aig, Vec<Edge>), UnknownReason> {
        let control = self.pdr.control;
        if self.options.reduction_rounds > 0 {
            let rounds = self.options.reduction_rounds;
            dag = reduce(&dag, &Reduction::ALL, rounds, &stop_of(control.stop))
                .map_err(|_| why_stopped(control.stop))?;
        }
        let (aig, edges) = path.interpolants(&dag, self.options.system, control.stop)?;
        Ok(match self.options.compaction {
            Some(budget) => compact_until(&aig, &edges, budget, &mut || {
                control.stop.reason().is_some()
            }),
            None => (aig, edges),
        })
    }

    /// Restricts each frame after that of the extension to the union of the previous frame and its interpolant.
    ///
    /// Let F be the frames, s the start and i the frame of the extension, and I the interpolants, of which I(s) is
    /// everything. For m > i, a state of F(m) outside of F(m - 1) and I(m) can be excluded: a predecessor in F(m - 1)
    /// lies outside of I(m - 1), by the refutation, and has to be excluded from F(m - 1) before; its predecessors in
    /// F(m - 2) lie outside of I(m - 2), and so on, until no state lies outside of the interpolant, at the latest before
    /// step s. (For steps before i + 1 the refutation knows of the states only that they lie in F(i), which is true of
    /// those of F(i - 1), F(i - 2), ...) None of these states is initial: t steps from F(0) lead to F(t), which is
    /// included in F(m - 1) for t < m. This remains so when frames grow stronger on the way. Without predecessors in
    /// earlier frames, which is the rule if s = i, one lemma suffices.
    ///
    /// In the end, the last frame consists of states of the previous one as it was, which excludes the bad, and of the
    /// last interpolant, which contradicts the bad. If s < i, the frames up to i grow stronger only where they have to.
    ///
    /// Should a state resist all the same, PDR's obligations exclude the bad.
    ///
    /// Returns a run to the bad if the obligations find one.
    pub(super) fn strengthen(
        &mut self,
        extension: Extension,
        aig: &Aig,
        interpolants: &[Edge],
    ) -> Result<Option<Trace>, Stop> {
        let name = self.options.name();
        for (index, &interpolant) in interpolants.iter().enumerate() {
            self.pdr.control.listener.tell(Event::Interpolant {
                engine: name,
                bound: interpolants.len(),
                round: index + 1,
                ands: aig.n_ands_in_cone(&[interpolant]),
            });
        }
        let strategy = Strategy::choose(&self.pdr.options, ACTIVITY);
        if !self.confine_all(extension, aig, interpolants, strategy)? {
            (self.pdr.control.listener).note(name, || {
                "a step leads out of a frame and its interpolant".into()
            });
            return self.block_bad();
        }
        debug_assert!(self.last_frame_is_good().unwrap_or(true));
        Ok(None)
    }

    /// Excludes the bad from the last frame by obligations, as PDR does, if interpolants do not suffice.
    /// Returns a run if there is one.
    fn block_bad(&mut self) -> Result<Option<Trace>, Stop> {
        match self.pdr.block_bad()? {
            Blocking::Done | Blocking::Fixpoint => Ok(None),
            Blocking::Reached(obligation) => {
                let transition = &self.pdr.transition;
                let trace = pdr::trace(self.model, self.property, transition, &obligation);
                Ok(Some(up_to_bad(self.model, trace)))
            }
        }
    }

    /// [`Search::confine`] for each frame after that of the extension, up to the first failure.
    fn confine_all(
        &mut self,
        extension: Extension,
        aig: &Aig,
        interpolants: &[Edge],
        strategy: Strategy,
    ) -> Result<bool, Stop> {
        let skipped = extension.frame - extension.start;
        let frames = extension.frame + 1..;
        for (frame, &interpolant) in frames.zip(&interpolants[skipped..]) {
            if !self.confine(frame, aig, interpolant, strategy)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds lemmas to `frame` until all its states lie in the previous frame, as it is now, or in `interpolant`. `false` if
    /// a state that lies in neither is reached from an initial one.
    pub(super) fn confine(
        &mut self,
        frame: usize,
        aig: &Aig,
        interpolant: Edge,
        strategy: Strategy,
    ) -> Result<bool, Stop> {
        let mut outside = Outside::new(&self.pdr, frame, aig, interpolant);
        while let Some(escape) = outside.find(&self.pdr)? {
            // Without the literals that exclude the state from the previous frame, the cube is larger, but
            // may have predecessors.
            let mut cube = escape.outside_of_interpolant;
            self.prefer_active(&mut cube);
            if self.pdr.transition.meets_initial(&cube) || !self.is_blocked(frame, &cube)? {
                cube.extend(escape.outside_of_frame);
                cube.sort_unstable();
                cube.dedup();
                self.prefer_active(&mut cube);
                if !self.is_blocked(frame, &cube)? {
                    let Some(lemma) = self.pdr.exclude(frame, cube, strategy)? else {
                        return Ok(false);
                    };
                    outside.exclude(&lemma, &self.pdr);
                    continue;
                }
            }
            let (held, cube) = self.pdr.generalised(frame, &cube, strategy)?;
            outside.exclude(&cube, &self.pdr);
            self.pdr.learn(held, cube);
        }
        Ok(true)
    }

    fn is_blocked(&mut self, frame: usize, cube: &[Lit]) -> Result<bool, Stop> {
        self.pdr.is_blocked(frame, cube, true, Scope::Own)
    }

    /// Moves active literals to the front, so that they are preferred in the core.
    fn prefer_active(&self, cube: &mut [Lit]) {
        self.pdr.sort_by_activity(cube);
        cube.reverse();
    }
}
