//! The cone of influence: the part on which the bad and the constraints depend, over any number of steps.

use super::pass::{Pass, Task};
use super::reduced::Reduced;

/// The pass.
pub(super) struct Cone;

impl Pass for Cone {
    fn name(&self) -> &'static str {
        "cone"
    }

    fn text(&self) -> &'static str {
        "Cone of influence"
    }

    fn is_immediate(&self) -> bool {
        true
    }

    fn forward(&self, reduced: &mut Reduced, task: &Task<'_>) -> bool {
        let is_clean = reduced.clean(task.scope, task.control.stop);
        task.note_size("cone of influence", reduced);
        is_clean
    }
}
