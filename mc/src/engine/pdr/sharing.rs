//! Lemmas shared with other engines.

use super::lemma::Lemma;
use super::obligations::Obligation;
use super::state::{NAME, Pdr, Stop};
use crate::control::{StateClause, Target};

/// One in `ONE_IN` obligations that are not the farthest from the bad so far is shared.
const ONE_IN: u64 = 64;

impl Pdr<'_> {
    /// Shares lemmas that are inductive together with the infinity frame, unless lemmas are not exchanged.
    pub(super) fn share(&self, lemmas: &[Lemma]) {
        if !self.options.techniques.import {
            return;
        }
        let clauses = lemmas
            .iter()
            .map(|lemma| self.transition.state_clause(lemma));
        self.control
            .board
            .share_invariants(clauses.collect::<Vec<_>>());
    }

    /// Shares the states of an obligation with engines that look for a run to them, unless there are many such
    /// obligations: each that is further from the bad than all before, and one of some others.
    pub(super) fn share_target(&mut self, obligation: &Obligation) {
        if !self.options.techniques.import
            || self.options.is_ahead
            || !self.control.board.wants_targets()
        {
            return;
        }
        self.n_targets += 1;
        if obligation.depth <= self.farthest_target && !self.n_targets.is_multiple_of(ONE_IN) {
            return;
        }
        self.farthest_target = self.farthest_target.max(obligation.depth);
        let mut inputs = Vec::with_capacity(obligation.depth + 1);
        let mut next = Some(obligation);
        while let Some(obligation) = next {
            let lits = obligation.inputs.iter();
            let lits = lits.map(|&lit| (self.transition.input_number(lit), !lit.is_negated()));
            inputs.push(lits.collect());
            next = obligation.successor.as_deref();
        }
        let states = obligation.states.cube.iter();
        let states = states.map(|&lit| (self.transition.latch_number(lit), !lit.is_negated()));
        self.control.board.share_target(Target {
            states: states.collect(),
            inputs,
        });
    }

    /// Imports invariants of other engines into the infinity frame.
    pub(super) fn import(&mut self) {
        if !self.options.techniques.import || self.imports.broken {
            return;
        }
        let clauses = self.control.board.invariants(self.imports.seen);
        self.imports.seen += clauses.len();
        for clause in clauses {
            let Some(lemma) = self.lemma(&clause) else {
                self.imports.broken = true;
                return;
            };
            // The engine's own lemmas are among them.
            if !self.frames.lemmas.is_covered_forever(&lemma) {
                self.frames.add_forever(lemma);
            }
        }
    }

    /// Adds the inductive part of the suggested clauses to the infinity frame.
    pub(super) fn try_candidates(&mut self) -> Result<(), Stop> {
        let suggested = self.control.board.candidates();
        let mut lemmas: Vec<Lemma> = (suggested.iter())
            .filter_map(|clause| self.lemma(clause))
            .collect();
        lemmas.sort_by(|left, right| left.cube.cmp(&right.cube));
        lemmas.dedup();
        if lemmas.is_empty() {
            return Ok(());
        }
        let n_lemmas = lemmas.len();
        let found = self.inductive_part(lemmas)?;
        self.control.listener.note(NAME, || {
            format!(
                "{} of {n_lemmas} suggested lemmas are inductive",
                found.len()
            )
        });
        self.share(&found);
        for lemma in found {
            self.frames.add_forever(lemma);
        }
        Ok(())
    }

    /// A clause as a lemma; `None` if it has latches outside the cone, is a tautology, or excludes an initial
    /// state.
    pub(super) fn lemma(&self, clause: &StateClause) -> Option<Lemma> {
        let mut cube = Vec::with_capacity(clause.len());
        for &(latch, value) in clause {
            cube.push(self.transition.state(latch)?.negate_if(value));
        }
        cube.sort_unstable();
        cube.dedup();
        let is_proper = cube.windows(2).all(|pair| pair[0] != !pair[1]);
        (is_proper && !self.transition.meets_initial(&cube)).then(|| Lemma::new(cube))
    }
}
