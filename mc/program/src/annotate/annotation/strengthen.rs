//! The rule Strengthen (figure 3 of the paper): the labels that hold for paths of any length.

use std::collections::BTreeSet;

use craig_aig::Edge;
use craig_model::UnknownReason;

use super::{Annotation, UNBOUNDED};
use crate::actions::{ActionId, Actions};
use crate::cfa::Cfa;
use crate::justification::Premise;
use crate::labels::Labels;

/// The greatest inductive subset of all labels, by elimination.
///
/// Invariant: a label in the subset that is not due is justified for unbounded fuel by the labels in the subset, or
/// (with unbounded fuel) was so before. With all labels in the subset only those are due that were justified by a lack
/// of fuel, `tau < 0`: the labels that justified any other one are in the subset, whatever their fuel. When a label
/// leaves, those become due whose last test relied on it, or that have not been tested here.
pub(super) struct Strengthening<'s, 'a> {
    annotation: &'s mut Annotation<'a>,
    /// By action and label: whether it is in the subset.
    kept: Vec<Vec<bool>>,
    is_due: Vec<Vec<bool>>,
    /// By action and label: on what its last test relied.
    reasons: Vec<Vec<Option<Vec<Premise>>>>,
    /// Actions with labels that are due, those nearest to the exits first: what is behind them settles before.
    queue: BTreeSet<(u32, ActionId)>,
}

impl<'s, 'a> Strengthening<'s, 'a> {
    pub(super) fn new(annotation: &'s mut Annotation<'a>) -> Self {
        let same = |value: bool| -> Vec<Vec<bool>> {
            let labels = annotation.labels.iter();
            labels.map(|own| vec![value; own.len()]).collect()
        };
        let (kept, is_due) = (same(true), same(false));
        let reasons = annotation.labels.iter();
        let reasons = reasons.map(|own| vec![None; own.len()]).collect();
        let mut strengthening = Self {
            annotation,
            kept,
            is_due,
            reasons,
            queue: BTreeSet::new(),
        };
        for action in 0..strengthening.actions().n_actions() as ActionId {
            for index in 0..strengthening.kept[action as usize].len() {
                let annotation = &strengthening.annotation;
                let fuel = annotation.labels[action as usize][index].fuel;
                if annotation.left(action, fuel).is_none() {
                    strengthening.ask(action, index);
                }
            }
        }
        strengthening
    }

    fn actions(&self) -> &'a Actions {
        self.annotation.actions
    }

    fn ask(&mut self, action: ActionId, index: usize) {
        self.is_due[action as usize][index] = true;
        let source = self.actions().action(action).source;
        let place = self.annotation.postorder[source.index()];
        self.queue.insert((place, action));
    }

    /// Drops labels until all that are left are justified, and gives these unbounded fuel.
    pub(super) fn run(mut self, labels: &mut Labels) -> Result<(), UnknownReason> {
        while let Some((_, action)) = self.queue.pop_first() {
            self.test(labels, action)?;
        }
        let Self {
            annotation, kept, ..
        } = self;
        for (own, kept) in annotation.labels.iter_mut().zip(kept) {
            for (label, kept) in own.iter_mut().zip(kept) {
                if kept && label.fuel != UNBOUNDED {
                    label.fuel = UNBOUNDED;
                    annotation.n_inductive += 1;
                }
            }
        }
        for formulas in &mut annotation.formulas {
            formulas.clear();
        }
        Ok(())
    }

    /// Tests the labels of an action that are due.
    fn test(&mut self, labels: &mut Labels, action: ActionId) -> Result<(), UnknownReason> {
        let own = action as usize;
        if self.actions().action(action).target == Cfa::ERROR {
            // Goals are never closed during this rule, and have no labels that could be dropped.
            debug_assert!(!self.annotation.retreats(action));
            return Ok(());
        }
        let mut behind = self.behind(action);
        for index in 0..self.kept[own].len() {
            if !std::mem::take(&mut self.is_due[own][index]) || !self.kept[own][index] {
                continue;
            }
            let annotation = &mut *self.annotation;
            let conjuncts = &annotation.labels[own][index].conjuncts;
            let justification = &mut annotation.justification;
            match justification.rely(labels, conjuncts, action, &behind)? {
                Some(premises) => self.reasons[own][index] = Some(premises),
                None => {
                    self.kept[own][index] = false;
                    self.lost(action, index);
                    behind = self.behind(action);
                }
            }
        }
        Ok(())
    }

    /// The labels in the subset of each action behind an action.
    fn behind(&self, action: ActionId) -> Vec<Vec<Edge>> {
        let actions = self.actions();
        let outgoing = actions.outgoing(actions.action(action).target).iter();
        let kept = |&next: &ActionId| {
            let own = &self.annotation.labels[next as usize];
            let kept = own.iter().zip(&self.kept[next as usize]);
            kept.filter(|&(_, &kept)| kept)
                .map(|(label, _)| label.formula)
                .collect()
        };
        outgoing.map(kept).collect()
    }

    /// Those labels become due that a label which has left the subset may have justified.
    fn lost(&mut self, action: ActionId, index: usize) {
        let actions = self.actions();
        let source = actions.action(action).source;
        let row = actions.outgoing(source).iter();
        let row = row.take_while(|&&other| other != action).count();
        let formula = self.annotation.labels[action as usize][index].formula;
        let premise = Premise { row, formula };
        for &before in actions.incoming(source) {
            let own = before as usize;
            for index in 0..self.kept[own].len() {
                let is_bounded = self.annotation.labels[own][index].fuel != UNBOUNDED;
                let reasons = &self.reasons[own][index];
                let relied = (reasons.as_ref()).is_none_or(|premises| premises.contains(&premise));
                if self.kept[own][index] && is_bounded && relied {
                    self.ask(before, index);
                }
            }
        }
    }
}
