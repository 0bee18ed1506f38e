//! The clauses of one action between two cuts of a path.

use craig_aig::Edge;
use craig_solver::Lit;
use craig_solver::encode::LabelledClauseSink;
use craig_solver::encode::{ClauseSink, Encoder, Labelled};

use super::actions::{Action, Actions, StateBit};

/// Bits of the state with their literals, in increasing order of the bits.
pub(super) type Cut = Vec<(StateBit, Lit)>;

/// Adds an action whose results are the literals of `behind`, and returns the bits that it reads, and those of `behind` that
/// it keeps, with their literals before it.
pub(super) fn add_action(
    actions: &Actions,
    action: &Action,
    behind: &Cut,
    encoder: &mut Encoder,
    sink: &mut Labelled<'_, impl LabelledClauseSink>,
) -> Cut {
    let mut before = Cut::new();
    let mut changed: Vec<(Lit, Edge)> = Vec::new();
    for &(bit, lit) in behind {
        match action.value(bit) {
            Some(value) => changed.push((lit, value)),
            None => {
                encoder.set(actions.input(bit).node(), lit);
                before.push((bit, lit));
            }
        }
    }
    match action.guard {
        Edge::TRUE => {}
        Edge::FALSE => sink.add_clause(&[]),
        guard => {
            let lit = encoder.encode_polarity(&actions.aig, guard, sink);
            sink.add_clause(&[lit]);
        }
    }
    for (lit, value) in changed {
        if value.is_constant() {
            sink.add_clause(&[lit.negate_if(value == Edge::FALSE)]);
            continue;
        }
        let value = encoder.encode(&actions.aig, value, sink);
        sink.add_clause(&[!lit, value]);
        sink.add_clause(&[lit, !value]);
    }
    for &bit in &action.reads {
        before.extend(encoder.literal(actions.input(bit)).map(|lit| (bit, lit)));
    }
    before.sort_unstable();
    before.dedup();
    before
}
