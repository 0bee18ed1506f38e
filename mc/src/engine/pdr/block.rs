//! Discharging obligations.

use std::rc::Rc;

use craig_solver::Lit;

use super::generalise::Strategy;
use super::lemma::Cube;
use super::obligations::Obligation;
use super::queries::Scope;
use super::state::{Pdr, Stop};

/// The result of an attempt to exclude all bad states from the last frame.
pub(in crate::engine) enum Blocking {
    /// They are all excluded.
    Done,
    /// Some frame equals the next one.
    Fixpoint,
    /// The states of this obligation include an initial one.
    Reached(Rc<Obligation>),
}

/// An obligation's activity decays by this factor with each frame that it moves up.
const FADING: f64 = 0.6;

impl Pdr<'_> {
    /// Excludes all states of the last frame in which the bad can hold.
    pub(in crate::engine) fn block_bad(&mut self) -> Result<Blocking, Stop> {
        // Obligations of an earlier call may be left.
        match self.discharge()? {
            Blocking::Done => {}
            other => return Ok(other),
        }
        // A part that the last frame excludes stays excluded: frames only become stronger.
        while let Some(&part) = self.bad_parts.get(self.n_parts_excluded) {
            let level = self.frames.level();
            if self.is_excluded(level, part)? {
                self.n_parts_excluded += 1;
                continue;
            }
            let (cube, inputs) = self.lift(level, &[part])?;
            let obligation = Rc::new(Obligation::new(cube, inputs, None));
            self.queue.push(level, obligation);
            match self.discharge()? {
                Blocking::Done => {}
                other => return Ok(other),
            }
        }
        self.n_parts_excluded = 0;
        Ok(Blocking::Done)
    }

    /// Whether a part of the bad holds in no state of a frame; if it does, the solver has a step with it.
    pub(in crate::engine) fn is_excluded(&mut self, frame: usize, part: Lit) -> Result<bool, Stop> {
        self.scratch.clear();
        self.frames.assume(frame, &mut self.scratch);
        self.scratch.push(part);
        let solver = self.frames.solver_mut(frame);
        solver.release_domain();
        solver.clear_temporary();
        let answer = (self.effort).ask_frame(solver, &self.scratch, self.control.stop);
        self.finish(answer)
    }

    /// Handles obligations until none is left in a frame up to the last.
    fn discharge(&mut self) -> Result<Blocking, Stop> {
        loop {
            self.check_turn()?;
            let Some((frame, obligation)) = self.queue.pop(self.frames.level()) else {
                return Ok(Blocking::Done);
            };
            if self.transition.meets_initial(&obligation.states.cube) {
                return Ok(Blocking::Reached(obligation));
            }
            // A step from frame 0 starts in an initial state, so the lifted cube contains one.
            debug_assert!(frame > 0);
            if let Some(covered) = self.frames.last_covering(frame, &obligation.states) {
                self.advance(obligation, frame, covered + 1);
                continue;
            }
            obligation.activity.set(obligation.activity.get() + 1.0);
            let mut cube = obligation.states.cube.clone();
            self.sort_by_activity(&mut cube);
            cube.reverse();
            if self.is_blocked(frame, &cube, true, Scope::Own)? {
                let strategy = Strategy::choose(&self.options, obligation.chain_activity());
                let (frame_held, cube) = self.generalised(frame, &cube, strategy)?;
                self.learn(frame_held, cube);
                if self.frames.fixpoint().is_some() {
                    return Ok(Blocking::Fixpoint);
                }
                self.advance(obligation, frame, frame_held + 1);
            } else {
                let (states, inputs) = self.predecessor(frame, &cube)?;
                let predecessor = Obligation::new(states, inputs, Some(obligation.clone()));
                self.share_target(&predecessor);
                self.queue.push(frame - 1, Rc::new(predecessor));
                self.queue.push(frame, obligation);
            }
        }
    }

    /// The cube of a lemma that excludes a cube, which the last query has found to be blocked in a frame, and the last frame
    /// in which that is found to be blocked.
    pub(in crate::engine) fn generalised(
        &mut self,
        frame: usize,
        cube: &[Lit],
        strategy: Strategy,
    ) -> Result<(usize, Cube), Stop> {
        let core = self.core(frame, cube);
        let cube = self.minimise(frame, core, strategy)?;
        self.push_forward(frame, cube)
    }

    /// The lifted predecessor found by the query about `cube` at `frame`, with its inputs.
    ///
    /// It leads into the part of the cube that is about latches: from all states of that part, the successor of an obligation
    /// is reached, whatever the values of signals are ([`Pdr::lift`]).
    pub(super) fn predecessor(
        &mut self,
        frame: usize,
        cube: &[Lit],
    ) -> Result<(Cube, Vec<Lit>), Stop> {
        let transition = &self.transition;
        let latches = cube.iter().filter(|&&lit| !transition.is_signal(lit));
        let target: Vec<Lit> = latches.map(|&lit| transition.next(lit)).collect();
        self.lift(frame - 1, &target)
    }

    fn advance(&mut self, obligation: Rc<Obligation>, from: usize, to: usize) {
        let fading = FADING.powi((to - from).min(1000) as i32);
        obligation.activity.set(obligation.activity.get() * fading);
        self.queue.push(to, obligation);
    }

    /// The last frame in which a cube, blocked in `frame`, is found to be blocked, with its core there.
    pub(super) fn push_forward(
        &mut self,
        mut frame: usize,
        mut cube: Cube,
    ) -> Result<(usize, Cube), Stop> {
        while frame < self.frames.level() {
            self.sort_by_activity(&mut cube);
            cube.reverse();
            if !self.is_blocked(frame + 1, &cube, true, Scope::Own)? {
                break;
            }
            cube = self.core(frame + 1, &cube);
            frame += 1;
        }
        Ok((frame, cube))
    }
}
