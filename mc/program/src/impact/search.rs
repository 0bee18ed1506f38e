//! The order of the steps: a depth-first search that keeps the ancestors of the visited vertex closed (figure
//! 5).

use craig_mc::Control;
use craig_model::UnknownReason;

use super::NAME;
use crate::actions::Actions;
use crate::answer::ErrorPath;
use crate::cfa::Cfa;
use crate::labels::Labels;
use crate::unwinding::{LabelledUnwinding, Options, Refined, Unwinding};
use crate::word_labels::Refuter;

pub(super) struct Search<'a> {
    pub(super) unwinding: LabelledUnwinding<'a>,
}

impl<'a> Search<'a> {
    pub(super) fn new(actions: &'a Actions, options: &'a Options, control: Control<'a>) -> Self {
        Self {
            unwinding: LabelledUnwinding::new(actions, options, control),
        }
    }

    pub(super) fn into_parts(self) -> (Labels, Unwinding, Refuter) {
        self.unwinding.into_parts()
    }

    /// The number of forced covers.
    #[cfg(test)]
    pub(super) fn n_forced(&self) -> usize {
        self.unwinding.n_forced()
    }

    /// The procedure Unwind. `None` if the unwinding is complete and safe. If it may give up, it does so when
    /// the unwinding seems to diverge.
    pub(super) fn run(&mut self, may_give_up: bool) -> Result<Option<ErrorPath>, UnknownReason> {
        let unwinding = &mut self.unwinding;
        while let Some(leaf) = unwinding.tree.next_open_leaf() {
            let path = unwinding.tree.path_to(leaf);
            unwinding.close_all(&path[..path.len() - 1])?;
            let mut stack = vec![leaf];
            while let Some(v) = stack.pop() {
                if let Some(reason) = unwinding.control.stop.reason() {
                    return Err(reason);
                }
                // A vertex that is covered now becomes a candidate when it is uncovered.
                if !unwinding.tree.is_open_leaf(v) {
                    continue;
                }
                if unwinding.tree.vertex(v).location == Cfa::ERROR {
                    if let Refined::Run(found) = unwinding.refine(v)? {
                        return Ok(Some(found));
                    }
                    if may_give_up && unwinding.seems_to_diverge() {
                        return Err(UnknownReason::Bound(
                            "many paths were refuted, and no vertex was covered".to_owned(),
                        ));
                    }
                    continue;
                }
                unwinding.close(v)?;
                if !unwinding.tree.is_covered(v) {
                    unwinding.force_cover(v)?;
                }
                if unwinding.tree.is_open_leaf(v) {
                    let children = unwinding.expand(v, &mut Vec::new())?;
                    stack.extend(children.into_iter().rev());
                    unwinding.report(NAME, false, &String::new);
                }
            }
        }
        unwinding.report(NAME, true, &String::new);
        Ok(None)
    }
}
