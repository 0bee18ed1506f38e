//! Two attempts at one proof that alternate.
//!
//! Blocking counterexamples to generalisation gives few and strong lemmas if few suffice; if a proof needs
//! very many lemmas, it only costs time. No measure is known that predicts which is the case. With turns that
//! double, a run takes at most about three times as long as the better of the two attempts alone, and each
//! attempt imports the infinity lemmas of the other.
//!
//! In large circuits plain generalisation is first, and turns are longer in proportion: a frame has many lemmas there,
//! whatever their strength, and a turn should have room for some frames. There is only one attempt, which changes its way to
//! generalise with each turn: to exclude the bad from the same frames again would take as long as the first time.

use craig_model::{Model, UnknownReason};

use super::options::{Generalisation, Options};
use super::signals::Signal;
use super::state::{End, Pdr, Stop};
use super::transition::Transition;
use crate::control::Control;

/// Decides whether bad number `property` can be reached, with these signals; returns the attempt that has succeeded, or was
/// stopped last.
pub(super) fn decide<'a>(
    model: &Model,
    property: usize,
    signals: &[Signal],
    options: &Options,
    control: Control<'a>,
) -> (Pdr<'a>, Result<End, Stop>) {
    let new_transition = || {
        let recording = options.recording.as_ref();
        let known = control.board.known_frames();
        let states = known.into_iter().flat_map(|known| known.states(model));
        Transition::with_signals(model, property, signals, states, recording)
    };
    let begin = |transition, options| {
        let mut pdr = Pdr::new(transition, options, control);
        if let Some(known) = control.board.known_frames() {
            pdr.begin_with_all(known);
        }
        pdr
    };
    let transition = new_transition();
    let mut turn = options
        .first_turn
        .filter(|_| options.recording.is_none() && options.generalisation != Generalisation::Plain);
    let mut generalisations = [options.generalisation, Generalisation::Plain];
    let is_large = transition.n_vars() > options.most_separate;
    if turn.is_some() && is_large {
        generalisations.reverse();
        let times = transition.n_vars() / options.most_separate.max(1);
        turn = turn.map(|turn| turn.saturating_mul(times as u64));
    }
    let [first, second] = generalisations.map(|generalisation| Options {
        generalisation,
        ..options.clone()
    });
    let mut on_turn = begin(transition, first);
    let mut waiting = None;
    let mut is_first = true;
    loop {
        on_turn.end_of_turn = turn.map(|turn| on_turn.effort.propagations() + turn);
        let result = on_turn.run();
        if !matches!(result, Err(Stop(UnknownReason::Bound(_)))) || !on_turn.is_turn_over() {
            if control.board.known_frames().is_some() {
                on_turn.share_frames();
            }
            return (on_turn, result);
        }
        is_first = !is_first;
        if is_large {
            on_turn.options.generalisation = generalisations[usize::from(!is_first)];
        } else {
            let other = waiting
                .take()
                .unwrap_or_else(|| begin(new_transition(), second.clone()));
            waiting = Some(std::mem::replace(&mut on_turn, other));
        }
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
