//! The runs whose refutation strengthens the frames: how late they begin, and which lemmas they need.

use craig_model::Model;
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Lit, Solver};

use crate::circuit::unroll::Unrolling;
use crate::control::listen_in;
use crate::engine::path::{Exit, LatchClause, add_step, entry_of};
use crate::engine::pdr::Pdr;
use crate::engine::states::Cut;

/// There is no run through states of the frames `max(step, frame)` for the steps from `start` to the last frame, whose last
/// state is bad.
///
/// With `frame > start`, the states before the steps `start..=frame` all lie in `frame`, which is weaker than the frames of
/// these steps: it holds by `frame + 1 - start`-induction that `frame + 1` can be strengthened. This is a *strong extension
/// level* of H. Govind, Y. Vizel, V. Ganesh, A. Gurfinkel, "Interpolating strong induction" (CAV 2019).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extension {
    pub(super) start: usize,
    pub(super) frame: usize,
}

/// The clauses of a frame, each with the last frame in which its lemma is known to hold; `None` for lemmas that hold for
/// ever. The reset states, frame 0, need none.
pub(super) fn clauses(pdr: &Pdr<'_>, frame: usize) -> Vec<(LatchClause, Option<usize>)> {
    if frame == 0 {
        return Vec::new();
    }
    let clause = |cube: &[Lit]| {
        let lits = cube.iter();
        lits.map(|&lit| (pdr.transition.latch(lit), !lit.is_negated()))
            .collect()
    };
    let mut all = Vec::new();
    let lemmas = &pdr.frames.lemmas;
    for last in frame..=pdr.frames.level() {
        let of_frame = lemmas.of(last);
        all.extend(of_frame.map(|lemma| (clause(&lemma.cube), Some(last))));
    }
    let forever = lemmas.forever();
    all.extend(forever.map(|lemma| (clause(&lemma.cube), None)));
    all
}

/// Runs that end in a bad state of the last frame, and begin earlier and earlier. Their lemmas are switched by the last
/// frame in which they hold.
pub(super) struct Suffix<'a> {
    model: &'a Model,
    any: &'a Unrolling<'a>,
    solver: Solver,
    /// At index i: implies the lemmas whose last frame is i.
    switches: Vec<Lit>,
    /// The frame of the first state.
    start: usize,
    /// The variables of the first state.
    first: Cut,
}

impl<'a> Suffix<'a> {
    /// The last state alone.
    pub(super) fn new(model: &'a Model, any: &'a Unrolling<'a>, pdr: &Pdr<'_>) -> Self {
        let mut solver = Solver::new();
        listen_in(pdr.control.stop, &mut solver);
        let level = pdr.frames.level();
        let switches = (0..=level).map(|_| solver.new_var().positive()).collect();
        let mut suffix = Self {
            model,
            any,
            solver,
            switches,
            start: level,
            first: Cut::default(),
        };
        suffix.add(level, Exit::Bad, pdr);
        suffix
    }

    /// Adds the step from a frame, which becomes the first state.
    fn add(&mut self, frame: usize, exit: Exit<'_>, pdr: &Pdr<'_>) {
        let mut encoder = Encoder::new();
        add_step(self.any, &mut encoder, &mut self.solver, exit);
        for (clause, last) in clauses(pdr, frame) {
            let mut lits: Vec<Lit> = last.map(|last| !self.switches[last]).into_iter().collect();
            for (position, is_negated) in clause {
                let state = self.any.initial()[position].negate_if(is_negated);
                lits.push(encoder.encode(self.any.aig(), state, &mut self.solver));
            }
            self.solver.add_clause(&lits);
        }
        self.start = frame;
        self.first = entry_of(self.any, &encoder);
    }

    /// The extension with the latest start, beginning with runs of `length` steps, and of these the one with the last frame.
    /// `None` if there is a run from the reset states.
    ///
    /// The outer `None` if the search was stopped.
    pub(super) fn extension(mut self, length: usize, pdr: &Pdr<'_>) -> Option<Option<Extension>> {
        let level = pdr.frames.level();
        let mut length = length;
        loop {
            length = length.min(level);
            while self.start > level - length {
                let exit = std::mem::take(&mut self.first);
                self.add(self.start - 1, Exit::State(&exit), pdr);
            }
            if self.start == 0 {
                self.add_resets();
            }
            let start = self.start;
            match self.frame_of_refutation(start) {
                Answer::Unknown => return None,
                Answer::Satisfiable if start == 0 => return Some(None),
                Answer::Satisfiable => length += 1 + length / 4,
                Answer::Unsatisfiable => break,
            }
        }
        let start = self.start;
        let mut frame = self.weakest_used(start, level);
        // With a later frame fewer lemmas hold.
        while frame + 1 < level {
            match self.frame_of_refutation(frame + 1) {
                Answer::Unsatisfiable => frame = self.weakest_used(frame + 1, level),
                Answer::Satisfiable => break,
                Answer::Unknown => return None,
            }
            if pdr.control.stop.reason().is_some() {
                return None;
            }
        }
        Some(Some(Extension { start, frame }))
    }

    /// Asks for a run whose first states lie in `frame`.
    fn frame_of_refutation(&mut self, frame: usize) -> Answer {
        self.solver.solve(&self.switches[frame..])
    }

    /// After a refutation with the lemmas from `frame` on: the first frame of whose own lemmas it has used some, at most the
    /// last but one.
    fn weakest_used(&self, frame: usize, level: usize) -> usize {
        let used = self.solver.failed_assumptions();
        (frame..level)
            .find(|&frame| used.contains(&self.switches[frame]))
            .unwrap_or(level.saturating_sub(1))
    }

    fn add_resets(&mut self) {
        for (lit, position) in self.first.iter() {
            let latch = self.any.cone().latches[position];
            if let Some(value) = self.model.latches[latch].reset.value() {
                self.solver.add_clause(&[lit.negate_if(!value)]);
            }
        }
    }
}
