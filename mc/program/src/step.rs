//! One action as clauses, for queries about single steps.

use std::collections::HashMap;

use craig_aig::{Aig, Edge};
use craig_solver::Lit;
use craig_solver::encode::{ClauseSink, Encoder};

use super::actions::{Action, Actions, StateBit};
use super::cfa::Cfa;

/// An action as clauses: its guard holds. The bits of the state before it have variables. Formulas over the
/// state after it are encoded over the values that the action assigns.
pub(super) struct StepEncoding {
    action: Encoder,
    before: Encoder,
    behind: Encoder,
    state: HashMap<StateBit, Lit>,
    changed: HashMap<StateBit, Lit>,
    is_start: bool,
}

impl StepEncoding {
    pub(super) fn new<S: ClauseSink + ?Sized>(
        actions: &Actions,
        action: &Action,
        sink: &mut S,
    ) -> Self {
        let (encoding, guard) = Self::open(actions, action, sink);
        sink.add_clause(&[guard]);
        encoding
    }

    /// As `new`, where the guard need not hold; its literal.
    pub(super) fn open<S: ClauseSink + ?Sized>(
        actions: &Actions,
        action: &Action,
        sink: &mut S,
    ) -> (Self, Lit) {
        let mut encoding = Self {
            action: Encoder::new(),
            before: Encoder::new(),
            behind: Encoder::new(),
            state: HashMap::new(),
            changed: HashMap::new(),
            is_start: action.source == Cfa::START,
        };
        for &bit in &action.reads {
            encoding.bit_before(actions, bit, sink);
        }
        let guard = encoding.action.encode(&actions.aig, action.guard, sink);
        (encoding, guard)
    }

    fn bit_before<S: ClauseSink + ?Sized>(
        &mut self,
        actions: &Actions,
        bit: StateBit,
        sink: &mut S,
    ) -> Lit {
        if let Some(&lit) = self.state.get(&bit) {
            return lit;
        }
        let lit = sink.new_var().positive();
        if self.is_start {
            // All words are 0 there.
            sink.add_clause(&[!lit]);
        }
        self.state.insert(bit, lit);
        self.action.set(actions.input(bit).node(), lit);
        lit
    }

    fn bit_behind<S: ClauseSink + ?Sized>(
        &mut self,
        actions: &Actions,
        action: &Action,
        bit: StateBit,
        sink: &mut S,
    ) -> Lit {
        let Some(value) = action.value(bit) else {
            return self.bit_before(actions, bit, sink);
        };
        if let Some(&lit) = self.changed.get(&bit) {
            return lit;
        }
        let lit = self.action.encode(&actions.aig, value, sink);
        self.changed.insert(bit, lit);
        lit
    }

    /// The bits of the state before the action that have variables, with their literals.
    pub(super) fn state(&self) -> impl Iterator<Item = (StateBit, Lit)> {
        self.state.iter().map(|(&bit, &lit)| (bit, lit))
    }

    /// The literal of a formula before the action, if it has been encoded.
    pub(super) fn known_before(&self, formula: Edge) -> Option<Lit> {
        self.before.literal(formula)
    }

    /// The literal of a formula after the action, if it has been encoded.
    pub(super) fn known_behind(&self, formula: Edge) -> Option<Lit> {
        self.behind.literal(formula)
    }

    /// The literal of a formula over the bits `support` before the action.
    pub(super) fn before<S: ClauseSink + ?Sized>(
        &mut self,
        actions: &Actions,
        aig: &Aig,
        (formula, support): (Edge, &[StateBit]),
        sink: &mut S,
    ) -> Lit {
        for &bit in support {
            let lit = self.bit_before(actions, bit, sink);
            self.before.set(aig.inputs()[bit as usize], lit);
        }
        self.before.encode(aig, formula, sink)
    }

    /// The literal of a formula over the bits `support` after the action: of its weakest precondition.
    pub(super) fn behind<S: ClauseSink + ?Sized>(
        &mut self,
        actions: &Actions,
        action: &Action,
        aig: &Aig,
        (formula, support): (Edge, &[StateBit]),
        sink: &mut S,
    ) -> Lit {
        for &bit in support {
            let lit = self.bit_behind(actions, action, bit, sink);
            self.behind.set(aig.inputs()[bit as usize], lit);
        }
        self.behind.encode(aig, formula, sink)
    }
}
