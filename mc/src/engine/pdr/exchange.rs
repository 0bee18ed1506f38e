//! Frames for other engines, and their suggestions for lemmas.

use super::generalise::Strategy;
use super::queries::Scope;
use super::state::{NAME, Pdr, Stop};

/// The activity of suggested cubes, which have no history: they are generalised without counterexamples where that is chosen
/// by activity.
const ACTIVITY: f64 = 0.0;

impl Pdr<'_> {
    /// Shares the frames, if another engine or a later search wants them. All before the last one have to exclude the bad.
    pub(super) fn share_frames(&self) {
        let is_wanted = self.options.exchange && self.control.board.exchange().wants_frames();
        let is_read = self.control.board.known_frames().is_some() || self.control.board.is_open();
        if is_wanted || is_read {
            self.control
                .board
                .exchange()
                .share_frames(NAME, self.reached());
        }
    }

    /// Adds a lemma for each suggestion that is inductive relative to the frame before its own.
    pub(super) fn try_suggestions(&mut self) -> Result<(), Stop> {
        if !self.options.exchange {
            return Ok(());
        }
        let mut suggestions = self
            .control
            .board
            .exchange()
            .suggestions(self.imports.suggestions);
        self.imports.suggestions += suggestions.len();
        suggestions.sort_by_key(|suggestion| (suggestion.steps, suggestion.clause.len()));
        let (n_tried, mut n_kept) = (suggestions.len(), 0);
        for suggestion in suggestions {
            let frame = suggestion.steps.min(self.frames.level());
            let Some(lemma) = self.lemma(&suggestion.clause).filter(|_| frame > 0) else {
                continue;
            };
            if self.frames.last_covering(frame, &lemma).is_some() {
                continue;
            }
            let mut cube = lemma.cube;
            self.sort_by_activity(&mut cube);
            cube.reverse();
            if self.is_blocked(frame, &cube, true, Scope::Own)? {
                let strategy = Strategy::choose(&self.options, ACTIVITY);
                let (held, cube) = self.generalised(frame, &cube, strategy)?;
                self.learn(held, cube);
                n_kept += 1;
            }
        }
        if n_tried > 0 {
            self.control.listener.count("suggestions tried", n_tried);
            self.control.listener.count("suggestions kept", n_kept);
            self.control.listener.note(NAME, || {
                format!("exchange: {n_kept} of {n_tried} suggested lemmas hold in their frames")
            });
        }
        Ok(())
    }
}
