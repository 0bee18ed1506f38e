//! Execution of single paths: a block at a time, without merging.
//!
//! Objects, variables and what words may point to are those of all paths that were executed; what else counts for one path alone
//! is [`Noted`], to be put back before another path is gone on with.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use craig_c_lang::address_space::ObjectId;
use craig_word::Term;

use super::executor::{Executor, Policy};
use super::guard::Guard;
use super::points::Points;
use super::state::{Pending, Position, State};

/// A place where a path goes on. Paths with equal keys are at the same place, and predecessors have smaller ones.
pub struct Way {
    /// The block, call and iterations.
    pub key: Vec<u32>,
    /// The position.
    pub position: Position,
    /// The state there.
    pub state: State,
}

/// What the executor has noted of the path that it is on.
#[derive(Clone, PartialEq)]
pub struct Noted {
    made_at: HashMap<ObjectId, u64>,
    gone_at: HashMap<ObjectId, u64>,
    clock: u64,
    applications: HashMap<Arc<str>, Vec<(Vec<Term>, Term)>>,
    before_sets: HashMap<u32, BTreeSet<ObjectId>>,
    unknown_points: Points,
}

impl Executor<'_> {
    /// What is noted of the current path.
    pub fn noted(&self) -> Noted {
        Noted {
            made_at: self.made_at.clone(),
            gone_at: self.gone_at.clone(),
            clock: self.clock,
            applications: self.applications.clone(),
            before_sets: self.before_sets.clone(),
            unknown_points: self.unknown_points.clone(),
        }
    }

    /// Goes back to what was noted of another path.
    pub fn go_back(&mut self, noted: Noted) {
        self.made_at = noted.made_at;
        self.gone_at = noted.gone_at;
        self.clock = noted.clock;
        self.applications = noted.applications;
        self.before_sets = noted.before_sets;
        self.unknown_points = noted.unknown_points;
    }

    /// The condition of the paths of a state.
    pub fn condition(&self, state: &State) -> Term {
        self.guards.term(state.guard)
    }

    /// Executes a block and its terminator. The result: where paths go on, each with a condition of its own, in the order of the
    /// program; the log has those that end. No path is merged with another one, and none is cut.
    pub fn advance(&mut self, from: Position, state: State, policy: &Policy) -> Vec<Way> {
        debug_assert!(
            matches!(policy, Policy::Unwind { .. }),
            "paths are followed to their end"
        );
        (self.counting, self.is_on_one_path) = (false, true);
        let key = self.key(&from);
        let mut queue = BTreeMap::new();
        self.block(&key, from, state, policy, &mut queue);
        self.is_on_one_path = false;
        let mut ways = Vec::new();
        for (key, Pending { position, states }) in queue {
            for mut state in states {
                self.drop_dead(&position, &mut state);
                ways.push(Way {
                    key: key.clone(),
                    position: position.clone(),
                    state,
                });
            }
        }
        ways
    }

    /// Joins a path with another one at the same place, if the two differ in their conditions alone.
    pub fn join_equal(&mut self, way: &mut Way, other: &Way) -> bool {
        if way.key != other.key || !is_equal(&way.state, &other.state) {
            return false;
        }
        let states = vec![way.state.clone(), other.state.clone()];
        let Some(state) = self.merge(states) else {
            return false;
        };
        way.state = state;
        let loops = Arc::make_mut(&mut way.position.loops);
        for (own, other) in loops.iter_mut().zip(other.position.loops.iter()) {
            own.open = own.open.max(other.open);
        }
        true
    }

    /// On one path, a condition with its sums in normal form: those of the same words in another order are equal.
    pub(super) fn normal(&mut self, condition: Term) -> Term {
        match self.is_on_one_path {
            true => self.terms.with_normal_sums(condition),
            false => condition,
        }
    }

    /// Leaves the paths on which a condition holds; the others are no runs. `false`: there are none.
    pub(super) fn confine(&mut self, state: &mut State, condition: Term) -> bool {
        if self.is_on_one_path {
            let fails = self.terms.not(condition);
            self.exclude(state.guard, fails);
        }
        let guard = (self.guards).extend(&mut self.terms, state.guard, condition);
        state.guard = guard.unwrap_or(state.guard);
        guard.is_some()
    }

    /// Records that the paths of a guard on which a condition holds are no runs, if paths are executed singly.
    pub(super) fn exclude(&mut self, guard: Guard, condition: Term) {
        if self.is_on_one_path
            && let Some(excluded) = self.guards.extend(&mut self.terms, guard, condition)
        {
            self.log.excluded.push(self.guards.term(excluded));
        }
    }
}

/// Whether two states differ in their conditions at most.
fn is_equal(a: &State, b: &State) -> bool {
    a.registers == b.registers
        && a.overlays == b.overlays
        && a.counters == b.counters
        && a.memory == b.memory
}
