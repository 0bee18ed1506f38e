//! The main loop: obligations until the last frame excludes the bad, then another frame.

use craig_model::UnknownReason;

use super::block::Blocking;
use super::state::{End, NAME, Pdr, Stop};

impl Pdr<'_> {
    /// Runs until the problem is decided, the control stops it, or the turn is over; in the last case it may
    /// be called again.
    pub(super) fn run(&mut self) -> Result<End, Stop> {
        let end = self.search();
        self.effort.count(self.control.listener);
        end
    }

    fn search(&mut self) -> Result<End, Stop> {
        if self.queries == 0 {
            self.try_candidates()?;
        }
        loop {
            if let Some(reason) = self.control.stop.reason() {
                return Err(Stop(reason));
            }
            match self.block_bad()? {
                Blocking::Reached(obligation) => return Ok(End::Reached(obligation)),
                Blocking::Fixpoint => break,
                Blocking::Done => {}
            }
            if self
                .options
                .max_frames
                .is_some_and(|most| self.frames.level() >= most)
            {
                return Err(Stop(UnknownReason::Bound(format!(
                    "no frame up to number {} is inductive",
                    self.frames.level()
                ))));
            }
            self.import();
            self.frames.extend();
            let level = self.frames.level();
            self.control.report_depth(NAME, level);
            self.control.listener.note(NAME, || self.describe());
            self.try_suggestions()?;
            if self.propagate()? {
                break;
            }
            if self.options.techniques.invariants {
                self.find_invariants()?;
            }
            self.share_frames();
        }
        let fixpoint = self.frames.fixpoint().unwrap_or(self.frames.level());
        let mut lemmas = self.frames.invariant(fixpoint);
        self.share(&lemmas);
        if self.options.techniques.shrink {
            lemmas = self.shrink(lemmas);
        }
        Ok(End::Invariant(lemmas))
    }
}
