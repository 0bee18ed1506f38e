//! Formulas over the latches as further literals of cubes and lemmas: signals.
//!
//! A lemma over latches may need very many clauses for what one comparison of two words says. R. Dureja, A. Gurfinkel,
//! A. Ivrii, Y. Vizel, "IC3 with internal signals" (FMCAD 2021), let lemmas mention gates of the circuit. Here any
//! formulas over the latches are signals, whether the circuit has their gates or not. Those over words that are fixed in
//! advance make this a form of implicit predicate abstraction (A. Cimatti, A. Griggio, S. Mover, S. Tonetta, "IC3 modulo
//! theories via implicit predicate abstraction", TACAS 2014) in which cubes may mention bits as well.
//!
//! In the solvers, the variable of a signal is defined by its formula, so that it never disagrees with the latches. Its
//! literal after a step is the formula over the next values of the latches. A lemma over signals is a formula over the
//! latches: the invariant that a proof ends with is one of the given model.

use craig_aig::{Edge, Node, Poll};
use craig_model::{Model, cone::nodes_over_latches};

use crate::circuit::reduce::reset_values;

/// A formula over latches.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Signal {
    /// The formula.
    pub(super) now: Edge,
    /// The formula over the next values of the latches.
    pub(super) next: Edge,
    /// Its value in all reset states, if it has the same in all of them.
    pub(super) at_reset: Option<bool>,
}

/// A model with its signals, whose formulas are in its graph.
#[derive(Debug)]
pub(super) struct Extended {
    pub(super) model: Model,
    pub(super) signals: Vec<Signal>,
}

impl Extended {
    /// The signals for these formulas. Formulas that read inputs, constants and single latches are left out, and so are
    /// repetitions of a formula or its negation.
    pub(super) fn new(model: &Model, formulas: &[Edge]) -> Self {
        let mut model = model.clone();
        let poll = &mut Poll::never();
        let is_of_latches = nodes_over_latches(&model, poll).expect("nothing stops it");
        let mut is_taken = vec![false; model.aig.n_nodes()];
        let mut chosen = Vec::new();
        for formula in formulas {
            let node = formula.node() as usize;
            let is_gate = matches!(model.aig.node(formula.node()), Node::And(..));
            if is_gate && is_of_latches[node] && !std::mem::replace(&mut is_taken[node], true) {
                chosen.push(*formula);
            }
        }
        let at_reset = reset_values(&model, poll).expect("nothing stops it");
        let mut next_of = vec![Edge::FALSE; model.aig.n_nodes()];
        for latch in &model.latches {
            next_of[latch.state.node() as usize] = latch.next;
        }
        let next = model
            .aig
            .substitute(&chosen, &mut |node| next_of[node as usize]);
        let signals = chosen.iter().zip(next).map(|(&now, next)| Signal {
            now,
            next,
            at_reset: at_reset[now.node() as usize].map(|value| value != now.is_negated()),
        });
        Self {
            signals: signals.collect(),
            model,
        }
    }
}
