//! Weights of actions (paper, section IV.B): how many branches are left to explore until the safety
//! interpolant of a location is full.

use std::cmp::Reverse;

use crate::actions::{ActionId, Actions};
use crate::cfa::{Cfa, LocationId};

/// The weights of all actions; `None` if undefined.
pub(super) struct Weights<'a> {
    actions: &'a Actions,
    of: Vec<Option<u32>>,
    /// By location: the actions that lead there.
    incoming: Vec<Vec<ActionId>>,
}

impl<'a> Weights<'a> {
    pub(super) fn new(actions: &'a Actions) -> Self {
        let mut incoming = vec![Vec::new(); actions.n_locations()];
        for action in 0..actions.n_actions() as ActionId {
            incoming[actions.action(action).target.index()].push(action);
        }
        Self {
            actions,
            of: vec![None; actions.n_actions()],
            incoming,
        }
    }

    /// The place of an action in the order of visits: the least goes first. Positive weights come first, the
    /// largest of them before others, then undefined ones, then 0.
    pub(super) fn rank(&self, action: ActionId) -> Reverse<u32> {
        Reverse(match self.of[action as usize] {
            Some(0) => 0,
            None => 1,
            Some(weight) => weight.saturating_add(1),
        })
    }

    /// The safety interpolant of a location has become full.
    pub(super) fn set_full(&mut self, location: LocationId, is_full: &dyn Fn(LocationId) -> bool) {
        let mut changed = Vec::new();
        for &action in &self.incoming[location.index()] {
            if self.of[action as usize].replace(0) != Some(0) {
                changed.push(self.actions.action(action).source);
            }
        }
        self.propagate(changed, is_full);
    }

    /// The target of an action is the last reachable state of a refuted path, and its safety interpolant is
    /// not full.
    pub(super) fn set_last(&mut self, action: ActionId, is_full: &dyn Fn(LocationId) -> bool) {
        let ends = self.actions.action(action);
        let n_branches = self.actions.outgoing(ends.target).len() as u32;
        let weight = Some(n_branches.saturating_sub(1));
        if std::mem::replace(&mut self.of[action as usize], weight) != weight {
            self.propagate(vec![ends.source], is_full);
        }
    }

    /// Recomputes the weights of actions into locations from which an action has changed its weight: the sum
    /// of the weights behind them, with 1 for an undefined one. Each location is visited once, so that loops
    /// end.
    fn propagate(&mut self, mut work: Vec<LocationId>, is_full: &dyn Fn(LocationId) -> bool) {
        let mut is_visited = vec![false; self.incoming.len()];
        while let Some(location) = work.pop() {
            if location == Cfa::START
                || is_full(location)
                || std::mem::replace(&mut is_visited[location.index()], true)
            {
                continue;
            }
            let behind = self.actions.outgoing(location).iter();
            let weight = behind.fold(0u32, |sum, &action| {
                sum.saturating_add(self.of[action as usize].unwrap_or(1))
            });
            for index in 0..self.incoming[location.index()].len() {
                let action = self.incoming[location.index()][index];
                if self.of[action as usize].replace(weight) != Some(weight) {
                    work.push(self.actions.action(action).source);
                }
            }
        }
    }
}
