//! Obligations, in the order of their steps, and propagation.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use craig_aig::{Aig, Edge};
use craig_mc::Control;
use craig_model::UnknownReason;
use craig_word::Term;

use super::frames::{Cube, Frames, Lemma};
use super::queries::{ActionQueries, Formulas};
use super::vocabulary::Vocabulary;
use super::{NAME, Options};
use crate::actions::{Action, ActionId, Actions};
use crate::answer::ErrorPath;
use crate::cfa::{Cfa, LocationId};

/// A cube at a location, all of whose states take an action with some inputs into the next obligation, or to a bad
/// location.
struct Obligation {
    location: LocationId,
    cube: Vec<Edge>,
    action: ActionId,
    chosen: HashMap<Term, u128>,
    next: Option<Rc<Obligation>>,
    /// The number of actions to the bad location.
    distance: usize,
}

/// Chains are as long as paths, so they are dropped without recursion.
impl Drop for Obligation {
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(obligation) = next {
            next = Rc::try_unwrap(obligation)
                .ok()
                .and_then(|mut obligation| obligation.next.take());
        }
    }
}

/// The fewest steps first, then the longest way to the bad location, then the oldest.
type Queue = BTreeMap<(usize, Reverse<usize>, u64), Rc<Obligation>>;

/// The result of a query whether a cube is reached.
pub(super) enum Reached {
    /// It is not; what of the cube is needed for that.
    No(Vec<Edge>),
    /// By this action.
    By(ActionId),
}

pub(super) struct Search<'a> {
    pub(super) actions: &'a Actions,
    pub(super) options: Options,
    pub(super) control: Control<'a>,
    pub(super) formulas: Formulas,
    pub(super) vocabulary: Vocabulary,
    pub(super) frames: Frames,
    queries: Vec<Option<ActionQueries>>,
    queue: Queue,
    n_pushed: u64,
    pub(super) n_queries: u64,
    /// All lemmas of a level above this one are inductive, once the search has ended so.
    fixpoint: usize,
}

impl<'a> Search<'a> {
    pub(super) fn new(actions: &'a Actions, options: Options, control: Control<'a>) -> Self {
        let mut formulas = Formulas::new(actions);
        let vocabulary = Vocabulary::new(actions, &mut formulas.aig);
        Self {
            actions,
            options,
            control,
            formulas,
            vocabulary,
            frames: Frames::new(actions.n_locations()),
            queries: (0..actions.n_actions()).map(|_| None).collect(),
            queue: Queue::new(),
            n_pushed: 0,
            n_queries: 0,
            fixpoint: 0,
        }
    }

    /// The path to a bad location, or nothing if there is none.
    pub(super) fn run(&mut self) -> Result<Option<ErrorPath>, UnknownReason> {
        let mut level = 0;
        loop {
            if let Some(found) = self.exclude_bad(level)? {
                return Ok(Some(found));
            }
            if level > 0 && self.propagate(level)? {
                return Ok(None);
            }
            level += 1;
            let n_lemmas = self.frames.n_lemmas();
            self.control
                .listener
                .note(NAME, || format!("within {level} steps: {n_lemmas} lemmas"));
        }
    }

    pub(super) fn count(&self) {
        self.control
            .listener
            .count("queries", self.n_queries as usize);
        self.control
            .listener
            .count("lemmas", self.frames.n_lemmas());
    }

    /// The lemmas that are inductive together.
    pub(super) fn into_invariant(self) -> (Aig, Vec<Vec<Cube>>) {
        let cubes = self.frames.above(self.fixpoint);
        (self.formulas.aig, cubes)
    }

    fn poll(&mut self) -> Result<(), UnknownReason> {
        self.n_queries += 1;
        match self.control.stop.reason() {
            Some(reason) => Err(reason),
            None => Ok(()),
        }
    }

    /// An action with its queries, which are made at the first use.
    fn at(&mut self, id: ActionId) -> (&'a Action, &mut ActionQueries, &mut Formulas, &Frames) {
        let action = self.actions.action(id);
        let (actions, control) = (self.actions, self.control);
        let queries = self.queries[id as usize]
            .get_or_insert_with(|| ActionQueries::new(actions, action, control.stop));
        (action, queries, &mut self.formulas, &self.frames)
    }

    /// Excludes all states within `level` steps from which a bad location is reached by one action.
    fn exclude_bad(&mut self, level: usize) -> Result<Option<ErrorPath>, UnknownReason> {
        let (actions, control) = (self.actions, self.control);
        for &id in actions.incoming(Cfa::ERROR) {
            let source = actions.action(id).source;
            if (source == Cfa::START) != (level == 0) {
                continue;
            }
            loop {
                self.poll()?;
                let (action, queries, formulas, frames) = self.at(id);
                let asked = (&[][..], level);
                let own = (actions, action);
                if !queries.leads_into(
                    own,
                    formulas,
                    frames,
                    asked,
                    &mut Vec::new(),
                    control.stop,
                )? {
                    break;
                }
                let step = queries.step(own, formulas, &[], control.stop)?;
                let obligation = Obligation {
                    location: source,
                    cube: step.from,
                    action: id,
                    chosen: step.chosen,
                    next: None,
                    distance: 1,
                };
                if source == Cfa::START {
                    return Ok(Some(path(&Rc::new(obligation))));
                }
                self.push(level, Rc::new(obligation));
                if let Some(found) = self.discharge(level)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    fn push(&mut self, level: usize, obligation: Rc<Obligation>) {
        self.n_pushed += 1;
        let key = (level, Reverse(obligation.distance), self.n_pushed);
        self.queue.insert(key, obligation);
    }

    /// Handles obligations until none is left within `last` steps.
    fn discharge(&mut self, last: usize) -> Result<Option<ErrorPath>, UnknownReason> {
        while let Some(entry) = self.queue.first_entry() {
            let level = entry.key().0;
            if level > last {
                break;
            }
            let obligation = entry.remove();
            let open = self.open_state(obligation.location, &obligation.cube, level)?;
            let Some(open) = open else {
                self.push(level + 1, obligation);
                continue;
            };
            let (location, cube) = (obligation.location, obligation.cube.clone());
            match self.reached(location, &cube, level)? {
                Reached::No(core) => {
                    let core = self.generalised(location, &open, core, level)?;
                    debug_assert!(
                        (self.formulas.aig.evaluate(&open, &core).into_iter()).all(|holds| holds),
                        "the lemma excludes a state that is open"
                    );
                    let held = self.pushed(location, &core, level, last)?;
                    let lemma = Lemma {
                        cube: core.into(),
                        level: held,
                    };
                    self.frames.add(location, lemma);
                    self.push(level, obligation);
                }
                Reached::By(id) => {
                    let (actions, control) = (self.actions, self.control);
                    let (action, queries, formulas, _) = self.at(id);
                    let step = queries.step((actions, action), formulas, &cube, control.stop)?;
                    let before = Obligation {
                        location: action.source,
                        cube: step.from,
                        action: id,
                        chosen: step.chosen,
                        distance: obligation.distance + 1,
                        next: Some(Rc::clone(&obligation)),
                    };
                    if action.source == Cfa::START {
                        return Ok(Some(path(&Rc::new(before))));
                    }
                    self.push(level - 1, Rc::new(before));
                    self.push(level, obligation);
                }
            }
        }
        Ok(None)
    }

    /// A state of a cube that the lemmas leave open, by bit. An obligation's location has an outgoing action.
    fn open_state(
        &mut self,
        location: LocationId,
        cube: &[Edge],
        level: usize,
    ) -> Result<Option<Vec<bool>>, UnknownReason> {
        self.poll()?;
        let (actions, control) = (self.actions, self.control);
        let id = actions.outgoing(location)[0];
        let (action, queries, formulas, frames) = self.at(id);
        queries.open_state(
            (actions, action),
            formulas,
            frames,
            (cube, level),
            control.stop,
        )
    }

    /// Whether a state of a cube is reached within `level` steps, from outside of the cube.
    pub(super) fn reached(
        &mut self,
        location: LocationId,
        cube: &[Edge],
        level: usize,
    ) -> Result<Reached, UnknownReason> {
        let (actions, control) = (self.actions, self.control);
        let mut needed = Vec::new();
        for &id in actions.incoming(location) {
            // Within 0 steps there is only the start.
            if level == 1 && actions.action(id).source != Cfa::START {
                continue;
            }
            self.poll()?;
            let (action, queries, formulas, frames) = self.at(id);
            let asked = (cube, level - 1);
            let own = (actions, action);
            if queries.leads_into(own, formulas, frames, asked, &mut needed, control.stop)? {
                return Ok(Reached::By(id));
            }
        }
        needed.sort_unstable();
        needed.dedup();
        Ok(Reached::No(needed))
    }

    /// The last level up to which a cube that is not reached within `level` steps is not reached.
    fn pushed(
        &mut self,
        location: LocationId,
        cube: &[Edge],
        mut level: usize,
        last: usize,
    ) -> Result<usize, UnknownReason> {
        while level < last {
            match self.reached(location, cube, level + 1)? {
                Reached::No(_) => level += 1,
                Reached::By(_) => break,
            }
        }
        Ok(level)
    }

    /// Tries to move the lemmas of each level up to `last` to the next; whether a level has none left.
    fn propagate(&mut self, last: usize) -> Result<bool, UnknownReason> {
        for level in 1..=last {
            for location in self.actions.locations() {
                let own = self.frames.at(location).iter();
                let own: Vec<Cube> = own
                    .filter(|lemma| lemma.level == level)
                    .map(|lemma| Rc::clone(&lemma.cube))
                    .collect();
                for cube in own {
                    if let Reached::No(core) = self.reached(location, &cube, level + 1)? {
                        let lemma = Lemma {
                            cube: core.into(),
                            level: level + 1,
                        };
                        self.frames.add(location, lemma);
                    }
                }
            }
            if !self.frames.has_level(level) {
                self.fixpoint = level;
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The path of an obligation at the start.
fn path(from: &Rc<Obligation>) -> ErrorPath {
    let mut found = ErrorPath {
        path: Vec::new(),
        chosen: Vec::new(),
    };
    let mut next = Some(from);
    while let Some(obligation) = next {
        found.path.push(obligation.action);
        found.chosen.push(obligation.chosen.clone());
        next = obligation.next.as_ref();
    }
    found
}
