//! Tests for all goals that can be reached.

use std::collections::HashMap;

use craig_mc::Control;
use craig_model::UnknownReason;

use super::invariant;
use super::options::Options;
use super::search::{Outcome, Search};
use crate::actions::{ActionId, Actions};
use crate::answer::{Invariant, Run};
use crate::cfa::{Cfa, EdgeId};
use crate::to_model::Bad;

/// The number of a goal.
pub type Goal = usize;

/// What a search has shown of the goals that it has not reached.
pub struct Rest {
    /// The goals.
    pub goals: Vec<Goal>,
    /// The automaton without the edges to all other goals.
    pub cfa: Cfa,
    /// An invariant of it: the labels, which hold for paths of any length.
    pub invariant: Invariant,
}

/// Searches for a run to each goal. `goals` has the goal of each edge to the error or the unsupported location;
/// the search does not look for other such edges. A goal with several edges is reached through any of them.
///
/// `on_run` gets each run with its goal, in the order in which they are found, and the number of paths that the
/// search has given up for another one so far. It returns goals that the search
/// has to look for no longer; the goal of the run is one of them in any case.
///
/// Returns when no open goal can be reached, as far as the labels say: with learning, the labels are an invariant, which is
/// returned if goals are open.
///
/// # Errors
/// If the control stops the search. The runs that were found are valid.
pub fn cover(
    cfa: &Cfa,
    goals: &HashMap<EdgeId, Goal>,
    options: &Options,
    control: Control<'_>,
    on_run: &mut dyn FnMut(Goal, Run, usize) -> Vec<Goal>,
) -> Result<Option<Rest>, UnknownReason> {
    let actions = Actions::separate(cfa, Bad::ErrorOrUnsupported);
    let mut search = Search::new(&actions, options, control);
    let mut actions_of: HashMap<Goal, Vec<ActionId>> = HashMap::new();
    let mut goal_of: HashMap<ActionId, Goal> = HashMap::new();
    for &action in actions.incoming(Cfa::ERROR) {
        let [edge] = actions.action(action).edges[..] else {
            unreachable!("each edge to a bad location has its action");
        };
        match goals.get(&edge) {
            Some(&goal) => {
                actions_of.entry(goal).or_default().push(action);
                goal_of.insert(action, goal);
            }
            None => search.close([action]),
        }
    }
    let found = loop {
        match search.run() {
            Err(reason) => break Err(reason),
            Ok(Outcome::Unreachable) => break Ok(true),
            Ok(Outcome::Enumerated) => break Ok(false),
            Ok(Outcome::Reached(found)) => {
                let last = found.path.last().expect("a goal is behind an action");
                let goal = goal_of[last];
                let run = Run::new(cfa, &actions, found);
                let mut closed = on_run(goal, run, search.counters.backtracks);
                closed.push(goal);
                for goal in closed {
                    search.close(actions_of.remove(&goal).unwrap_or_default());
                }
            }
        }
        if actions_of.is_empty() {
            break Ok(false);
        }
    };
    search.count();
    if !found? {
        return Ok(None);
    }
    let is_open = |goal: &Goal| actions_of.contains_key(goal);
    let all = [Cfa::ERROR, Cfa::UNSUPPORTED].map(|location| cfa.incoming(location));
    let closed: Vec<EdgeId> = (all.into_iter().flatten().copied())
        .filter(|edge| !goals.get(edge).is_some_and(is_open))
        .collect();
    let mut rest: Vec<Goal> = actions_of.into_keys().collect();
    rest.sort_unstable();
    Ok(Some(Rest {
        goals: rest,
        cfa: cfa.without(&closed),
        invariant: invariant(&actions, search),
    }))
}
