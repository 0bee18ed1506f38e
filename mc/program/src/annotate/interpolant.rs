//! The label that blocks an action in a symbolic state: an interpolant of the state and the action.

use craig_aig::Edge;
use craig_solver::Lit;
use craig_solver::encode::LabelledClauseSink;
use craig_solver::encode::{ClauseSink, Encoder, Labelled};

use super::symbolic::{Core, SymbolicPath};
use crate::actions::{ActionId, Actions, StateBit};
use crate::labels::Labels;
use crate::step::StepEncoding;
use crate::word_labels::{BEFORE, BEHIND, Cut};

/// The symbolic state at the end of the path before the cut, and behind it that the action can be taken to a state
/// outside of `after`. The core says which constraints exclude that.
///
/// An interpolant is a formula over the bits of the state that holds in the symbolic state, and from whose states the
/// action leads into `after`, or cannot be taken (paper, section 2.1: an interpolant for `chi(s)` and `Sem(a) and not
/// A(l')`). The parameters occur only before the cut, so that the formula is over the state without any
/// elimination of quantifiers.
pub(super) struct Blocked<'a> {
    pub(super) actions: &'a Actions,
    pub(super) path: &'a SymbolicPath<'a>,
    pub(super) core: &'a Core,
    pub(super) action: ActionId,
    pub(super) after: Edge,
}

impl Cut for Blocked<'_> {
    fn encode<S: LabelledClauseSink>(
        &self,
        labels: &Labels,
        sink: &mut S,
    ) -> Vec<(StateBit, [Lit; 2])> {
        let mut behind = self.encode_action(labels, sink);
        behind.sort_unstable();
        let mut sink = Labelled {
            sink,
            label: BEFORE,
        };
        let mut encoder = Encoder::new();
        let Self { path, core, .. } = self;
        for &place in &core.constraints {
            let lit = encoder.encode_polarity(&path.aig, path.constraint(place), &mut sink);
            sink.add_clause(&[lit]);
        }
        let value = |(bit, lit)| {
            let value = encoder.encode(&path.aig, path.value(bit), &mut sink);
            (bit, [value, lit])
        };
        behind.into_iter().map(value).collect()
    }
}

impl Blocked<'_> {
    /// Adds that the action can be taken to a state outside of `after`. Returns the variables of the bits before it.
    fn encode_action<S: LabelledClauseSink>(
        &self,
        labels: &Labels,
        sink: &mut S,
    ) -> Vec<(StateBit, Lit)> {
        let (actions, after) = (self.actions, self.after);
        let action = actions.action(self.action);
        let mut sink = Labelled {
            sink,
            label: BEHIND,
        };
        let mut encoding = StepEncoding::new(actions, action, &mut sink);
        if after != Edge::FALSE {
            let support = labels.support(after);
            let after = (after, &*support);
            let lit = encoding.behind(actions, action, &labels.aig, after, &mut sink);
            sink.add_clause(&[!lit]);
        }
        encoding.state().collect()
    }
}
