//! Bads by k-induction together, before the model is reduced.

use std::collections::HashSet;
use std::time::Instant;

use craig_mc::engine::induction::{self, Effort};
use craig_program::line_up::{Amount, Condition, StageName};

use crate::design::Design;
use crate::property::{Kind, PropertyId};
use crate::run::Run;

impl<D: Design> Run<'_, D> {
    /// Proves bads by induction together, if the schedule has that stage. Returns those that are decided.
    ///
    /// An engine that was named decides alone.
    pub(crate) fn induction(&mut self) -> HashSet<PropertyId> {
        let mut decided = HashSet::new();
        let schedule = self.search.schedule();
        let is_model = self.design.refusal().is_none() && self.design.restriction().is_none();
        let Some(stage) = schedule.stages.get(StageName::Induction).cloned() else {
            return decided;
        };
        let bads = self.properties.iter();
        let bads: Vec<usize> = (bads.filter(|property| property.kind == Kind::Bad))
            .map(|property| property.number)
            .collect();
        let is_for = schedule.is_line_up() && is_model && !bads.is_empty();
        if !is_for || !stage.is_reached(Condition::BadsFrom, bads.len()) {
            return decided;
        }
        let without_proof = match bads.len() {
            1 => Amount::WithoutProofAlone,
            _ => Amount::WithoutProof,
        };
        let mut effort = Effort {
            patience: stage.time(without_proof),
            ..Effort::default()
        };
        if let Some(depth) = schedule.max_depth {
            effort.depth = effort.depth.min(depth);
        }
        let begin = Instant::now();
        let mut stop = stage.limit(self.control.stop);
        if bads.len() == 1 {
            stop = stop.within(100, stage.time(Amount::CapAlone));
        }
        let own = self.begin_together(&bads, stop);
        let design = self.design;
        // What is open when its time ends is for the stages behind it.
        let _ = induction::search(
            design.model(),
            &bads,
            effort,
            own.control(),
            |bads, outcome| {
                decided.extend(bads.iter().map(|&bad| PropertyId::bad(bad)));
                self.end_together(bads, outcome, StageName::Induction.name(), begin.elapsed());
            },
        );
        decided
    }
}
