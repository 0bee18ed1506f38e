//! The label that blocks an action in a symbolic state: an interpolant of the state and the action.

use craig_itp::Stop;
use craig_solver::aig::{ClauseSink, Edge, Encoder, Labelled};
use craig_solver::{Answer, Lit, Var};

use super::symbolic::{Core, SymbolicPath};
use crate::circuit::verdict::UnknownReason;
use crate::control::Control;
use crate::engine::{refutation, why_stopped};
use crate::program::actions::{ActionId, Actions, StateBit, position};
use crate::program::labels::Labels;
use crate::program::refutation::{Dial, Sink, derive};
use crate::program::step::StepEncoding;

/// The partition of the symbolic state, and that of the action.
const STATE: u32 = 1;
const ACTION: u32 = 2;

/// A formula over the bits of the state that holds in the symbolic state at the end of the path, and from whose
/// states the action leads into `after`, or cannot be taken (paper, section 2.1: an interpolant for `chi(s)` and
/// `Sem(a) and not A(l')`). The core says which constraints suffice.
///
/// The parameters occur only in the first partition, so that the formula is over the state without any
/// elimination of quantifiers.
///
/// # Errors
/// If the control stops the search.
///
/// # Panics
/// If there is a step from the symbolic state to a state outside of `after`.
pub(super) fn interpolant(
    actions: &Actions,
    labels: &mut Labels,
    state: (&SymbolicPath<'_>, &Core),
    (action, after): (ActionId, Edge),
    dial: &Dial,
    control: &Control,
) -> Result<Edge, UnknownReason> {
    let (path, core) = state;
    let mut sink = Sink::new(dial.simplify);
    let own = control.clone();
    let stop = Stop::when(move || own.stop_reason().is_some());
    stop.install(&mut sink.solver);
    let mut bits = encode_action(actions, labels, (action, after), &mut sink);
    bits.sort_unstable();
    encode_state(path, core, &bits, &mut sink);
    match sink.solver.solve(&[]) {
        Answer::Unsatisfiable => {}
        Answer::Unknown => return Err(why_stopped(control)),
        Answer::Satisfiable => panic!("a blocked action can be taken"),
    }
    let dag = refutation(&sink.solver, control)?;
    let vars: Vec<Var> = bits.iter().map(|&(_, lit)| lit.var()).collect();
    let cnf = sink.cnf.as_ref();
    let derived = derive(&dag, 1, &vars, cnf, dial, &stop);
    let (graph, edges) = derived.map_err(|_| why_stopped(control))?;
    let inputs = labels.aig.inputs().to_vec();
    let copied = labels.aig.copy_cone(&graph, &edges, &mut |node| {
        let (bit, _) = bits[position(&graph, node) as usize];
        Edge::new(inputs[bit as usize], false)
    });
    Ok(copied[0])
}

/// Adds that the action can be taken to a state outside of `after`. Returns the variables of the bits before it.
fn encode_action(
    actions: &Actions,
    labels: &Labels,
    (action, after): (ActionId, Edge),
    sink: &mut Sink,
) -> Vec<(StateBit, Lit)> {
    let action = actions.action(action);
    let mut sink = Labelled {
        sink,
        label: ACTION,
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

/// Adds that these bits are those of the symbolic state.
fn encode_state(path: &SymbolicPath<'_>, core: &Core, bits: &[(StateBit, Lit)], sink: &mut Sink) {
    let mut sink = Labelled { sink, label: STATE };
    let mut encoder = Encoder::new();
    for &place in &core.constraints {
        let lit = encoder.encode_polarity(&path.aig, path.constraint(place), &mut sink);
        sink.add_clause(&[lit]);
    }
    for &(bit, lit) in bits {
        match path.value(bit) {
            Edge::TRUE => sink.add_clause(&[lit]),
            Edge::FALSE => sink.add_clause(&[!lit]),
            value => {
                let value = encoder.encode(&path.aig, value, &mut sink);
                sink.add_clause(&[!lit, value]);
                sink.add_clause(&[lit, !value]);
            }
        }
    }
}
