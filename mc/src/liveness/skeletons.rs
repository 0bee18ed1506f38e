//! Skeletons of fair loops, connected or divided by walls.
//!
//! Bradley, Somenzi, Hassan, Zhang, "An incremental approach to model checking progress properties" (FMCAD 2011). A skeleton has one state for
//! each literal of the property, in which it holds. PDR connects them: from a reset state to one in which the first literal holds, from
//! there to one with the next literal, and at last back to the first state. All steps cross no wall (`arena`). What can't be connected
//! is divided by a new wall, which is made of the clauses that PDR has found, and of as few of them as are closed. Unlike there, a state is
//! first connected with any state that has the next literal: where there is none, the arena behind the new wall is barren.
//!
//! If no reset state is connected with a first state, that is a proof: every loop would have one.

use std::collections::BTreeSet;

use craig_aig::Edge;
use craig_model::{Model, Trace, UnknownReason, Values, Verdict, cone::SequentialCone};

use super::arena::Arena;
use super::arena_proof::proof;
use super::runs::{Run, completed, joined, started};
use super::search::{Found, Tools};
use crate::control::{Alone, Control, StateClause};
use crate::engine::pdr::{self, Reached, choose_inductive};

/// The name of the method.
pub(super) const NAME: &str = "skeletons";

/// With more literals, only hits of any of them are looked for.
const MOST_LITERALS: usize = 64;
/// Candidates for invariants, at most, and new ones before they are tried, at least.
const MOST_CANDIDATES: usize = 1024;
const FEWEST_NEW: usize = 16;
/// Walls, at most.
const MOST_WALLS: usize = 1 << 12;

/// An answer about a run from a state.
enum Connected {
    Run(Run),
    /// The states that are reached satisfy these clauses. They hold together after each step in which they hold before.
    Never(Vec<StateClause>),
}

struct Skeletons<'a> {
    original: &'a Model,
    arena: Arena,
    options: pdr::Options,
    /// What is known of the states reachable from the reset.
    reached: Reached,
    /// The clauses that the arena knows. They hold in all reset states and together after each step in which they hold before. Those about
    /// latches on which the first literal does not depend are in no frame.
    assumed: BTreeSet<StateClause>,
    /// Clauses of walls that may be invariants, and their number when the inductive ones were chosen last.
    candidates: Vec<StateClause>,
    n_tried: usize,
    control: Control<'a>,
}

/// Searches for skeletons between all walls until there is none, or one is connected.
pub(super) fn run(
    original: &Model,
    tools: &Tools<'_>,
    control: Control<'_>,
) -> Result<Found, UnknownReason> {
    let n_literals = (tools.source.0.justice_literals(tools.source.1)).len();
    let has_all = tools.awaits.len() + 1 == n_literals
        && n_literals <= MOST_LITERALS
        && are_apart(original, tools.awaits);
    let awaits = if has_all { tools.awaits } else { &[] };
    let known = control.board.invariants(0);
    let mut search = Skeletons {
        original,
        arena: Arena::new(original, awaits, control.stop),
        options: pdr::Options {
            seed: tools.seed,
            ..pdr::Options::default()
        },
        assumed: BTreeSet::new(),
        reached: Reached::new(Vec::new(), known.clone()),
        candidates: Vec::new(),
        n_tried: 0,
        control,
    };
    search.assume(known);
    while search.arena.walls.len() <= MOST_WALLS {
        let n_entries = search.arena.entries.len();
        control.listener.note(NAME, || {
            let n_walls = search.arena.walls.len();
            let n_barren = n_entries - n_walls;
            format!("{n_walls} walls, {n_barren} barren arenas")
        });
        if let Some(found) = search.round(awaits)? {
            return Ok(found);
        }
        debug_assert!(search.arena.entries.len() > n_entries);
        control.report_depth(NAME, search.arena.entries.len());
    }
    Err(UnknownReason::Bound(format!(
        "more than {MOST_WALLS} walls"
    )))
}

/// Whether no other latch and no constraint depends on the await index.
fn are_apart(model: &Model, awaits: &[usize]) -> bool {
    let others = (0..model.latches.len()).filter(|latch| !awaits.contains(latch));
    let roots = others.map(|latch| model.latches[latch].state);
    let cone = SequentialCone::new(model, roots.chain(model.constraints.iter().copied()));
    !cone.latches.iter().any(|latch| awaits.contains(latch))
}

impl Skeletons<'_> {
    /// One skeleton: a proof if there is none, a loop if it can be connected; otherwise adds a wall or a barren arena.
    fn round(&mut self, awaits: &[usize]) -> Result<Option<Found>, UnknownReason> {
        let first = match self.first()? {
            Connected::Run(run) => run,
            Connected::Never(clauses) => {
                let proof = proof(self.original, &self.arena, awaits, &clauses);
                return Ok(Some(Found::Proof(Box::new(proof))));
            }
        };
        let sides = self.arena.sides(&first.before_last);
        let n_literals = self.arena.n_literals();
        for literal in 1..n_literals {
            if let Some(barren) = self.arena.barren(literal, &sides) {
                self.arena.add_barren(barren, literal);
                return Ok(None);
            }
        }
        let mut runs = vec![first];
        for literal in (1..n_literals).chain([0]) {
            let from = runs[runs.len() - 1].end.clone();
            match self.next(&from, &sides, literal)? {
                Some(run) => runs.push(run),
                None => return Ok(None),
            }
        }
        let last = runs.pop().expect("at least one literal");
        let goal = runs[0].before_last.clone();
        let loop_start = runs[0].trace.inputs.len() - 1;
        let mut traces: Vec<Trace> = runs.into_iter().map(|run| run.trace).collect();
        traces.push(without_last_step(last.trace));
        if self.arena.values_of(&last.before_last) != self.arena.values_of(&goal) {
            match self.back(&last.before_last, &sides, &goal)? {
                Some(run) => traces.push(without_last_step(run.trace)),
                None => return Ok(None),
            }
        }
        let traces: Vec<&Trace> = traces.iter().collect();
        Ok(Some(Found::Lasso(joined(&traces), loop_start)))
    }

    /// From a reset state to one with the first literal, in no barren arena, before a step that crosses no wall.
    fn first(&mut self) -> Result<Connected, UnknownReason> {
        let mut question = self.arena.model.clone();
        let bad = self.arena.hit_between(&mut question, 0);
        question.bads = vec![bad];
        let inner = Alone::until(self.control.stop.clone());
        let control = inner.control();
        let outcome = pdr::resume(&question, 0, &self.options, &mut self.reached, control);
        let forever = self.reached.forever.clone();
        self.control.board.share_invariants(self.assume(forever));
        match outcome.verdict {
            Verdict::Unknown(reason) => Err(reason),
            Verdict::Unsafe(trace) => Ok(Connected::Run(completed(self.original, &trace))),
            Verdict::Safe(_) => {
                let mut clauses = inner.board.invariants(0);
                clauses.extend(self.assumed.iter().cloned());
                clauses.sort_unstable();
                clauses.dedup();
                self.control.board.share_invariants(clauses.iter().cloned());
                Ok(Connected::Never(clauses))
            }
        }
    }

    /// From a state to one with a literal, with all steps between these sides. If there is none, adds a wall around the states that are
    /// reached, behind which the literal does not hold.
    fn next(
        &mut self,
        from: &Values,
        sides: &[(usize, bool)],
        literal: usize,
    ) -> Result<Option<Run>, UnknownReason> {
        let cube = self.arena.cube_after(from, sides);
        let quick = cube.and_then(|cube| self.arena.wall_barren(&cube, sides, literal));
        let wall = match quick {
            Some(wall) => Some(wall),
            None => {
                let hit =
                    |search: &Self, model: &mut Model| search.arena.hit_between(model, literal);
                match self.connect(from, sides, hit)? {
                    Connected::Run(run) => return Ok(Some(run)),
                    Connected::Never(clauses) => self.arena.wall_barren(&clauses, sides, literal),
                }
            }
        };
        let number = self.arena.walls.len();
        self.add(wall)?;
        let mut sides = sides.to_vec();
        sides.push((number, true));
        let Some(barren) = self.arena.barren(literal, &sides) else {
            return Err(too_hard());
        };
        self.arena.add_barren(barren, literal);
        Ok(None)
    }

    /// From a state to another one, with all steps between these sides. If there is no run, adds a wall that contains the first one and not
    /// the second.
    fn back(
        &mut self,
        from: &Values,
        sides: &[(usize, bool)],
        goal: &Values,
    ) -> Result<Option<Run>, UnknownReason> {
        let before = self.arena.clause_before(goal, sides, from);
        debug_assert!(before.as_ref().is_none_or(|clause| holds(clause, from)));
        let before = before.map(|clause| vec![clause]);
        let after = self.arena.cube_after(from, sides);
        for clauses in [before, after].into_iter().flatten() {
            if let Some(wall) = self.arena.wall_without(&clauses, sides, goal) {
                self.add(Some(wall))?;
                return Ok(None);
            }
        }
        let is_goal = |search: &Self, model: &mut Model| {
            let equal: Vec<Edge> = (search.arena.values_of(goal).into_iter())
                .map(|(latch, value)| model.latches[latch].state.negate_if(!value))
                .collect();
            model.aig.and_all(equal)
        };
        match self.connect(from, sides, is_goal)? {
            Connected::Run(run) => Ok(Some(run)),
            Connected::Never(clauses) => {
                let wall = self.arena.wall_without(&clauses, sides, goal);
                self.add(wall)?;
                Ok(None)
            }
        }
    }

    /// From a state to one with a formula, with all steps between these sides.
    fn connect(
        &mut self,
        from: &Values,
        sides: &[(usize, bool)],
        goal: impl Fn(&Self, &mut Model) -> Edge,
    ) -> Result<Connected, UnknownReason> {
        let mut question = started(&self.arena.model, from);
        let bad = goal(self, &mut question);
        question.bads = vec![bad];
        let is_between = self.arena.is_between(&mut question, sides);
        question.constraints.push(is_between);
        let mut reached = Reached::new(Vec::new(), self.assumed.iter().cloned().collect());
        let inner = Alone::until(self.control.stop.clone());
        let control = inner.control();
        let outcome = pdr::resume(&question, 0, &self.options, &mut reached, control);
        match outcome.verdict {
            Verdict::Unknown(reason) => Err(reason),
            Verdict::Unsafe(trace) => {
                let from = started(self.original, from);
                Ok(Connected::Run(completed(&from, &trace)))
            }
            Verdict::Safe(_) => {
                let clauses = inner.board.invariants(0);
                // The clauses need not hold in the first state if no inputs satisfy the constraints there. It has no successors then.
                if clauses.iter().all(|clause| holds(clause, from)) {
                    self.suggest(&clauses);
                    return Ok(Connected::Never(clauses));
                }
                let values = from.iter().enumerate();
                let cube = values.filter_map(|(latch, value)| Some(vec![(latch, (*value)?)]));
                Ok(Connected::Never(cube.collect()))
            }
        }
    }

    /// Takes clauses as candidates. If many are new, those that are inductive are known from now on.
    fn suggest(&mut self, clauses: &[StateClause]) {
        for clause in clauses {
            let mut clause = clause.clone();
            clause.sort_unstable();
            if !self.candidates.contains(&clause) {
                self.candidates.push(clause);
            }
        }
        if self.candidates.len() < MOST_CANDIDATES.min(self.n_tried + self.n_tried / 2 + FEWEST_NEW)
        {
            return;
        }
        let frames = self.reached.within(self.reached.level()).cloned();
        self.candidates.extend(frames);
        (self.candidates).sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
        self.candidates.dedup();
        self.candidates.truncate(MOST_CANDIDATES / 2);
        let found = choose_inductive(self.original, 0, &self.candidates, self.control);
        self.candidates.retain(|clause| !found.contains(clause));
        self.n_tried = self.candidates.len();
        self.reached.forever.extend(found.iter().cloned());
        self.control.board.share_invariants(self.assume(found));
    }

    /// From now on, only states in which these invariants hold are looked at. Returns those that are new.
    fn assume(&mut self, mut clauses: Vec<StateClause>) -> Vec<StateClause> {
        for clause in &mut clauses {
            clause.sort_unstable();
        }
        clauses.retain(|clause| self.assumed.insert(clause.clone()));
        self.arena.assume(&clauses);
        clauses
    }

    /// Adds a wall.
    fn add(&mut self, wall: Option<Edge>) -> Result<(), UnknownReason> {
        match wall {
            Some(wall) => {
                self.arena.add_wall(wall);
                Ok(())
            }
            None => Err(self.control.stop.reason().unwrap_or_else(too_hard)),
        }
    }
}

fn too_hard() -> UnknownReason {
    UnknownReason::Bound("a wall is too hard to find".to_owned())
}

/// Whether a clause holds in a state without open values.
fn holds(clause: &StateClause, state: &Values) -> bool {
    (clause.iter()).any(|&(latch, value)| state[latch] == Some(value))
}

/// The run up to the state before its last step.
fn without_last_step(mut trace: Trace) -> Trace {
    trace.inputs.pop();
    trace
}
