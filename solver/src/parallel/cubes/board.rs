//! Which search takes which cube, and what becomes of it.
//!
//! Open cubes are a stack, in the order of a walk through the tree. A search takes the next one as soon as it is free; or,
//! if the result has to be reproducible, all searches meet: the results of one cube each are used in the order of the
//! searches, and the next cubes are dealt. What a search does then depends only on the cubes that it has had before.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::Tally;
use super::tree::{NodeId, Tree};
use crate::cdcl::UnknownReason;
use crate::lit::Lit;
use crate::parallel::sink::SharedSink;
use crate::proof::Source;

/// A cube to be decided.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) node: NodeId,
    pub(super) cube: Vec<Lit>,
    /// Whether it can't be split.
    pub(super) is_final: bool,
}

/// What a search has found out about a cube.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    /// It has a model.
    Model(Vec<bool>),
    /// The clause refutes it.
    Refuted(Vec<Lit>, Source),
    /// It is to be split on the literal.
    Split(Lit),
    /// It takes long, and can't be split.
    Final,
    /// The search was told to leave the cube.
    Left,
    /// The search has to end.
    Stopped(UnknownReason),
}

/// How all searches end.
#[derive(Clone, Debug)]
pub(super) enum End {
    Refuted,
    /// The search with this number has found a model.
    Model(usize, Vec<bool>),
    Stopped(UnknownReason),
    /// A cube that was refuted has a model.
    Contradiction,
    /// A search has panicked.
    Aborted,
}

/// What the searches share.
#[derive(Debug)]
pub(super) struct Board<P> {
    state: Mutex<State<P>>,
    changed: Condvar,
    /// By search: ends its work on a cube.
    stops: Vec<Arc<AtomicBool>>,
    is_deterministic: bool,
}

#[derive(Debug)]
struct State<P> {
    tree: Tree<P>,
    /// The next one is the last of the list.
    open: Vec<Waiting>,
    /// By search.
    running: Vec<Option<NodeId>>,
    end: Option<End>,
    tally: Tally,
    round: Round,
}

/// A cube that no search works on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) node: NodeId,
    pub(super) is_final: bool,
}

/// A round of a reproducible run, by search.
#[derive(Debug)]
struct Round {
    number: u64,
    n_arrived: usize,
    results: Vec<Option<(Task, Outcome)>>,
    dealt: Vec<Option<Task>>,
}

impl<P: SharedSink> Board<P> {
    /// The cubes to be decided, the first one last.
    pub(super) fn new(
        tree: Tree<P>,
        open: Vec<Waiting>,
        stops: Vec<Arc<AtomicBool>>,
        is_deterministic: bool,
    ) -> Self {
        let n_workers = stops.len();
        let tally = Tally {
            cubes: open.len() as u64,
            ..Tally::default()
        };
        Self {
            state: Mutex::new(State {
                tree,
                open,
                running: vec![None; n_workers],
                end: None,
                tally,
                round: Round {
                    number: 0,
                    n_arrived: 0,
                    results: (0..n_workers).map(|_| None).collect(),
                    dealt: (0..n_workers).map(|_| None).collect(),
                },
            }),
            changed: Condvar::new(),
            stops,
            is_deterministic,
        }
    }

    /// The state. After a panic of a search all others end, and nothing of it is used.
    fn lock(&self) -> MutexGuard<'_, State<P>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next cube of a search; waits for one. Nothing if all searches end.
    pub(super) fn take(&self, worker: usize) -> Option<Task> {
        let mut state = self.lock();
        if self.is_deterministic {
            return self.meet(state, worker);
        }
        loop {
            if state.end.is_some() {
                return None;
            }
            if let Some(task) = state.next_task() {
                state.running[worker] = Some(task.node);
                self.stops[worker].store(false, Ordering::Relaxed);
                return Some(task);
            }
            state = self.wait(state);
        }
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State<P>>) -> MutexGuard<'s, State<P>> {
        (self.changed.wait(state)).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for all searches, and returns what this one is dealt in the next round in which it is dealt a cube.
    fn meet(&self, mut state: MutexGuard<'_, State<P>>, worker: usize) -> Option<Task> {
        loop {
            if state.end.is_some() {
                return None;
            }
            let round = state.round.number;
            state.round.n_arrived += 1;
            if state.round.n_arrived == self.stops.len() {
                state.finish_round();
                self.tell_ended(&state);
                self.changed.notify_all();
            }
            while state.round.number == round && state.end.is_none() {
                state = self.wait(state);
            }
            if let Some(task) = state.round.dealt[worker].take() {
                return Some(task);
            }
        }
    }

    /// Records what a search has found out about its cube.
    pub(super) fn settle(&self, worker: usize, task: Task, outcome: Outcome) {
        let mut state = self.lock();
        if self.is_deterministic && !matches!(outcome, Outcome::Stopped(_)) {
            state.round.results[worker] = Some((task, outcome));
            return;
        }
        state.running[worker] = None;
        state.apply(worker, &task, outcome);
        self.tell_ended(&state);
        for (stop, running) in self.stops.iter().zip(&state.running) {
            if running.is_some_and(|node| !state.tree.is_open(node)) {
                stop.store(true, Ordering::Relaxed);
            }
        }
        self.changed.notify_all();
    }

    /// Stops all searches if there is an end.
    fn tell_ended(&self, state: &State<P>) {
        if state.end.is_some() {
            for stop in &self.stops {
                stop.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Ends all searches after a panic of one.
    pub(super) fn abort(&self) {
        let mut state = self.lock();
        state.end = Some(End::Aborted);
        self.tell_ended(&state);
        self.changed.notify_all();
    }

    /// The result, when all searches have ended.
    pub(super) fn into_result(self) -> (Tree<P>, Option<End>, Tally) {
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        (state.tree, state.end, state.tally)
    }
}

impl<P: SharedSink> State<P> {
    /// The next cube that is still of interest.
    fn next_task(&mut self) -> Option<Task> {
        while let Some(Waiting { node, is_final }) = self.open.pop() {
            if self.tree.is_open(node) {
                let cube = self.tree.cube(node);
                return Some(Task {
                    node,
                    cube,
                    is_final,
                });
            }
        }
        None
    }

    /// Uses the results of all searches, in their order, and deals the next cubes.
    fn finish_round(&mut self) {
        for worker in 0..self.round.results.len() {
            if let Some((task, outcome)) = self.round.results[worker].take() {
                self.apply(worker, &task, outcome);
            }
        }
        self.round.number += 1;
        self.round.n_arrived = 0;
        if self.end.is_none() {
            for worker in 0..self.round.dealt.len() {
                self.round.dealt[worker] = self.next_task();
            }
        }
    }

    fn apply(&mut self, worker: usize, task: &Task, outcome: Outcome) {
        let node = task.node;
        let is_open = self.tree.is_open(node);
        match outcome {
            Outcome::Model(_) if !is_open => self.end = Some(End::Contradiction),
            Outcome::Model(model) => {
                self.end.get_or_insert(End::Model(worker, model));
            }
            Outcome::Stopped(reason) => {
                self.end.get_or_insert(End::Stopped(reason));
            }
            _ if !is_open || self.end.is_some() => {}
            Outcome::Refuted(lits, source) => {
                self.tally.refuted += 1;
                self.tally.superfluous += self.tree.refute(node, lits, source) as u64;
                if self.tree.is_full {
                    self.end = Some(End::Stopped(UnknownReason::Memory));
                } else if self.tree.refutation().is_some() {
                    self.end = Some(End::Refuted);
                }
            }
            Outcome::Split(lit) => {
                self.tally.split += 1;
                let children = self.tree.split(node, lit);
                for node in children.into_iter().rev() {
                    self.open.push(Waiting {
                        node,
                        is_final: false,
                    });
                }
            }
            Outcome::Final => self.open.push(Waiting {
                node,
                is_final: true,
            }),
            Outcome::Left => self.open.push(Waiting {
                node,
                is_final: task.is_final,
            }),
        }
    }
}
