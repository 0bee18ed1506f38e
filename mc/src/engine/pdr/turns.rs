//! Two attempts at one proof that alternate.
//!
//! Blocking counterexamples to generalisation gives few and strong lemmas if few suffice; if a proof needs
//! very many lemmas, it only costs time. No measure is known that predicts which is the case. With turns that
//! double, a run takes at most about three times as long as the better of the two attempts alone, and each
//! attempt imports the infinity lemmas of the other.
//!
//! In large circuits plain generalisation is first, and turns are longer in proportion: a frame has many lemmas there,
//! whatever their strength, and a turn should have room for some frames.

use super::options::{Generalisation, Options};
use super::signals::Signal;
use super::state::{End, Pdr, Stop};
use super::transition::Transition;
use crate::circuit::model::Model;
use crate::circuit::verdict::UnknownReason;
use crate::control::Control;

/// Decides whether bad number `property` can be reached, with these signals; returns the attempt that has succeeded, or was
/// stopped last.
pub(super) fn decide<'a>(
    model: &Model,
    property: usize,
    signals: &[Signal],
    options: &Options,
    control: &'a Control,
) -> (Pdr<'a>, Result<End, Stop>) {
    let new_transition = || {
        let recording = options.recording.as_ref();
        Transition::with_signals(model, property, signals, recording)
    };
    let transition = new_transition();
    let mut turn = options
        .first_turn
        .filter(|_| options.recording.is_none() && options.generalisation != Generalisation::Plain);
    let mut generalisations = [options.generalisation, Generalisation::Plain];
    if turn.is_some() && transition.n_vars() > options.most_separate {
        generalisations.reverse();
        let times = transition.n_vars() / options.most_separate.max(1);
        turn = turn.map(|turn| turn.saturating_mul(times as u64));
    }
    let [first, second] = generalisations.map(|generalisation| Options {
        generalisation,
        ..options.clone()
    });
    let mut on_turn = Pdr::new(transition, first, control);
    let mut waiting = None;
    let mut is_first = true;
    loop {
        on_turn.end_of_turn = turn.map(|turn| on_turn.effort.propagations() + turn);
        let result = on_turn.run();
        if !matches!(result, Err(Stop(UnknownReason::Bound(_)))) || !on_turn.is_turn_over() {
            return (on_turn, result);
        }
        let other = waiting
            .take()
            .unwrap_or_else(|| Pdr::new(new_transition(), second.clone(), control));
        waiting = Some(std::mem::replace(&mut on_turn, other));
        is_first = !is_first;
        if is_first {
            turn = turn.map(|turn| turn.saturating_mul(2));
        }
    }
}

impl Pdr<'_> {
    fn is_turn_over(&self) -> bool {
        self.end_of_turn
            .is_some_and(|end| self.effort.propagations() >= end)
    }

    /// Called where the search can be resumed: stops it if the turn is over.
    pub(super) fn check_turn(&self) -> Result<(), Stop> {
        if self.is_turn_over() {
            let text = "the turn of this attempt is over".to_string();
            return Err(Stop(UnknownReason::Bound(text)));
        }
        Ok(())
    }
}
