//! Walls, and the arenas between them.
//!
//! Bradley, Somenzi, Hassan, Zhang, "An incremental approach to model checking progress properties" (FMCAD 2011). A *wall* is a set of states
//! that a run does not leave once it is there, so that a loop lies on one side of it. Walls have an order: a step need not keep one
//! if it crosses another one that was there before. The sides of some walls are an *arena*. An arena without a state in which some literal
//! holds has no loop, and what happens there is of no interest to later walls.

use craig_aig::Edge;
use craig_model::{Model, Stop, Values};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Limits, Lit, Solver};

use super::bounds::Cube;
use super::runs::{after_a_step, clause_edge};
use super::steps::Steps;
use crate::circuit::patterns::values;
use crate::control::{StateClause, listen_in};

/// Conflicts of a query, at most.
const MAX_CONFLICTS: u64 = 20_000;

/// Clauses from which a part is begun, at most.
const MOST_BEGINNINGS: usize = 8;
/// From parts of more clauses none is left out.
const MOST_DROPS: usize = 128;

/// What was found out, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// A wall, by its number.
    Wall(usize),
    /// Sides of some walls between which a literal of the property never holds in a step that crosses no wall.
    Barren {
        /// The walls' numbers, and whether the states are in them.
        sides: Vec<(usize, bool)>,
        /// The number of the literal.
        literal: usize,
    },
}

/// The walls of a model, and one step that crosses none of them and is not between the sides of a barren entry.
pub(super) struct Arena {
    /// The model with the walls in its graph. Its only bad is the hit.
    pub(super) model: Model,
    /// The literals of the property: each that there is a hit if it is awaited. They do not depend on what is awaited.
    literals: Vec<Edge>,
    /// For each latch, whether it belongs to the await index.
    is_await: Vec<bool>,
    /// Each wall, a formula over the latches, now and one step later.
    pub(super) walls: Vec<[Edge; 2]>,
    pub(super) entries: Vec<Entry>,
    solver: Solver,
    encoder: Encoder,
}

/// Clauses of a closed set, and the sides of walls between which it is closed.
struct Part {
    clauses: Vec<usize>,
    sides: Vec<(usize, bool)>,
}

impl Arena {
    /// For a model whose only bad is the hit. `awaits` are its latches that are set while a literal other than the first is awaited; no
    /// other latch and no constraint depends on them.
    pub(super) fn new(original: &Model, awaits: &[usize], stop: &Stop) -> Self {
        let mut model = original.clone();
        let literals = literals(&mut model, awaits);
        let mut is_await = vec![false; model.latches.len()];
        for &latch in awaits {
            is_await[latch] = true;
        }
        let mut solver = Solver::new();
        listen_in(stop, &mut solver);
        let mut encoder = Encoder::new();
        for &constraint in &model.constraints {
            let constraint = encoder.encode(&model.aig, constraint, &mut solver);
            solver.add_clause(&[constraint]);
        }
        for latch in &model.latches {
            for edge in [latch.state, latch.next] {
                encoder.encode(&model.aig, edge, &mut solver);
            }
        }
        let mut arena = Self {
            model,
            literals,
            is_await,
            walls: Vec::new(),
            entries: Vec::new(),
            solver,
            encoder,
        };
        arena.begin_with_latches(original, stop);
        arena
    }

    /// The first walls: latches that keep a value.
    fn begin_with_latches(&mut self, original: &Model, stop: &Stop) {
        let mut steps = Steps::new(original, &[]);
        let can_change = |&number: &usize| {
            let latch = &original.latches[number];
            latch.next != latch.state && !self.is_await[number]
        };
        let mut open: Vec<usize> = (0..original.latches.len()).filter(can_change).collect();
        for level in 0.. {
            let mut kept = Vec::new();
            open = steps.level(level, open, &mut kept, stop);
            if kept.is_empty() {
                break;
            }
            for ranked in kept {
                steps.keep(ranked.latch);
                self.add_wall(ranked.reached);
            }
        }
    }

    /// The number of literals of the property.
    pub(super) fn n_literals(&self) -> usize {
        self.literals.len()
    }

    /// Adds a formula over the latches that a step which crosses no wall keeps.
    pub(super) fn add_wall(&mut self, now: Edge) {
        let next = after_a_step(&mut self.model, now);
        let [now_lit, next_lit] = [now, next].map(|edge| self.literal(edge));
        self.solver.add_clause(&[!now_lit, next_lit]);
        self.solver.add_clause(&[now_lit, !next_lit]);
        self.entries.push(Entry::Wall(self.walls.len()));
        self.walls.push([now, next]);
    }

    /// Adds sides between which a literal does not hold.
    pub(super) fn add_barren(&mut self, sides: Vec<(usize, bool)>, literal: usize) {
        let clause: Vec<Lit> = (sides.iter())
            .map(|&(wall, side)| self.literal(self.walls[wall][0]).negate_if(side))
            .collect();
        self.solver.add_clause(&clause);
        self.entries.push(Entry::Barren { sides, literal });
    }

    /// From now on, only states in which the clauses hold are looked at.
    pub(super) fn assume(&mut self, clauses: &[StateClause]) {
        for clause in clauses {
            let lits: Vec<Lit> = (clause.iter())
                .map(|&(latch, value)| self.state(latch).negate_if(!value))
                .collect();
            self.solver.add_clause(&lits);
        }
    }

    /// On which side of each wall a state is. Open values count as 0.
    pub(super) fn sides(&self, state: &Values) -> Vec<(usize, bool)> {
        let words: Vec<u64> = (state.iter())
            .map(|value| u64::from(*value == Some(true)))
            .collect();
        let words = values(&self.model, &words, &vec![0; self.model.inputs.len()]);
        let walls = self.walls.iter().enumerate();
        walls
            .map(|(number, wall)| (number, wall[0].word(&words) & 1 == 1))
            .collect()
    }

    /// "A literal holds, and the step crosses no wall", between these sides; of the first literal also "and between no sides of a barren
    /// entry".
    pub(super) fn hit_between(&self, model: &mut Model, literal: usize) -> Edge {
        let mut parts = vec![self.literals[literal]];
        for entry in &self.entries {
            match entry {
                Entry::Wall(wall) => {
                    let [now, next] = self.walls[*wall];
                    parts.push(model.aig.iff(now, next));
                }
                Entry::Barren { sides, .. } => {
                    let is_between = self.is_between(model, sides);
                    parts.push(!is_between);
                }
            }
        }
        model.aig.and_all(parts)
    }

    /// "The state is on these sides."
    pub(super) fn is_between(&self, model: &mut Model, sides: &[(usize, bool)]) -> Edge {
        let edges: Vec<Edge> = (sides.iter())
            .map(|&(wall, side)| self.walls[wall][0].negate_if(!side))
            .collect();
        model.aig.and_all(edges)
    }

    /// Those of the sides with which a literal can't hold in a step; `None` if it can.
    pub(super) fn barren(
        &mut self,
        literal: usize,
        sides: &[(usize, bool)],
    ) -> Option<Vec<(usize, bool)>> {
        let hit = self.literal(self.literals[literal]);
        let mut needed = self.needed(&[hit], sides)?;
        // The walls that were found last are the most special.
        for place in (0..needed.len()).rev() {
            if place < needed.len() {
                let mut fewer = needed.clone();
                fewer.remove(place);
                if let Some(fewer) = self.needed(&[hit], &fewer) {
                    needed = fewer;
                }
            }
        }
        Some(needed)
    }

    /// Those of the sides that a query with these literals rests on; `None` if there is a step.
    fn needed(&mut self, fixed: &[Lit], sides: &[(usize, bool)]) -> Option<Vec<(usize, bool)>> {
        let mut given = self.sides_literals(sides);
        given.extend(fixed);
        if self.answer(&given) != Answer::Unsatisfiable {
            return None;
        }
        let failed = self.solver.failed_assumptions();
        let needed = sides.iter().zip(&given);
        let needed = needed.filter(|(_, lit)| failed.contains(lit));
        Some(needed.map(|(&side, _)| side).collect())
    }

    /// Of the states between these sides, a wall around those in which some of the clauses hold, which does not hold in `state`; `None`
    /// if none is found. The clauses hold together after a step in which they hold before.
    pub(super) fn wall_without(
        &mut self,
        clauses: &[StateClause],
        sides: &[(usize, bool)],
        state: &Values,
    ) -> Option<Edge> {
        let violated = |clause: &StateClause| {
            (clause.iter()).all(|&(latch, value)| state[latch] == Some(!value))
        };
        let mut best: Option<Part> = None;
        let mut order: Vec<usize> = (0..clauses.len())
            .filter(|&number| violated(&clauses[number]))
            .collect();
        order.sort_by_key(|&number| clauses[number].len());
        order.truncate(MOST_BEGINNINGS);
        for number in order {
            if let Some(part) = self.closed_part(clauses, vec![number], sides)
                && (best.as_ref()).is_none_or(|best| part.clauses.len() < best.clauses.len())
            {
                best = Some(part);
            }
        }
        let excludes = |_: &mut Self, part: &[usize]| part.iter().any(|&it| violated(&clauses[it]));
        let part = self.smaller(clauses, best?.clauses, sides, excludes)?;
        Some(self.wall(clauses, &part))
    }

    /// As `wall_without`, but a wall in which a literal does not hold in steps that cross no wall.
    pub(super) fn wall_barren(
        &mut self,
        clauses: &[StateClause],
        sides: &[(usize, bool)],
        literal: usize,
    ) -> Option<Edge> {
        let edges: Vec<Edge> = (clauses.iter())
            .map(|clause| clause_edge(&mut self.model, clause))
            .collect();
        let mut given: Vec<Lit> = edges.iter().map(|&edge| self.literal(edge)).collect();
        let of_clauses = given.clone();
        given.extend(self.sides_literals(sides));
        given.push(self.literal(self.literals[literal]));
        if self.answer(&given) != Answer::Unsatisfiable {
            return None;
        }
        let failed = self.solver.failed_assumptions();
        let begin: Vec<usize> = (0..clauses.len())
            .filter(|&number| failed.contains(&of_clauses[number]))
            .collect();
        let part = self.closed_part(clauses, begin, sides)?;
        let excludes = |arena: &mut Self, part: &[usize]| {
            let mut given: Vec<Lit> = part.iter().map(|&it| of_clauses[it]).collect();
            given.extend(arena.sides_literals(sides));
            given.push(arena.literal(arena.literals[literal]));
            arena.answer(&given) == Answer::Unsatisfiable
        };
        let part = self.smaller(clauses, part.clauses, sides, excludes)?;
        Some(self.wall(clauses, &part))
    }

    /// A part without clauses that are not needed for it to be closed and to exclude what it has to: leaves out each in turn, with those that
    /// then do not hold after a step any more.
    fn smaller(
        &mut self,
        clauses: &[StateClause],
        mut part: Vec<usize>,
        sides: &[(usize, bool)],
        excludes: impl Fn(&mut Self, &[usize]) -> bool,
    ) -> Option<Part> {
        if part.len() <= MOST_DROPS {
            for number in part.clone().into_iter().rev() {
                let mut rest = part.clone();
                rest.retain(|&other| other != number);
                if rest.len() < part.len()
                    && self.close(clauses, &mut rest, sides)
                    && excludes(self, &rest)
                {
                    part = rest;
                }
            }
        }
        self.closed_part(clauses, part, sides)
    }

    /// Leaves out clauses until the others hold together after each step between these sides in which they hold before. Whether that
    /// was found out.
    fn close(
        &mut self,
        clauses: &[StateClause],
        part: &mut Vec<usize>,
        sides: &[(usize, bool)],
    ) -> bool {
        loop {
            let mut given = self.sides_literals(sides);
            let mut later = Vec::with_capacity(part.len());
            for &number in part.iter() {
                let edge = clause_edge(&mut self.model, &clauses[number]);
                given.push(self.literal(edge));
                let next: Vec<Edge> = (clauses[number].iter())
                    .map(|&(latch, value)| self.model.latches[latch].next.negate_if(!value))
                    .collect();
                let next = self.model.aig.or_all(next);
                later.push(self.literal(next));
            }
            let leaves = self.solver.new_var().positive();
            let clause: Vec<Lit> = (later.iter().map(|&lit| !lit)).chain([!leaves]).collect();
            self.solver.add_clause(&clause);
            given.push(leaves);
            let answer = self.answer(&given);
            if answer == Answer::Satisfiable {
                let solver = &self.solver;
                let mut holds = later.iter().map(|&lit| solver.value(lit) == Some(true));
                part.retain(|_| holds.next() == Some(true));
            }
            self.solver.add_clause(&[!leaves]);
            match answer {
                Answer::Satisfiable if !part.is_empty() => {}
                Answer::Satisfiable | Answer::Unknown => return false,
                Answer::Unsatisfiable => return true,
            }
        }
    }

    /// The smallest cube that contains a state and that no step between these sides leaves, as clauses of one literal.
    pub(super) fn cube_after(
        &mut self,
        state: &Values,
        sides: &[(usize, bool)],
    ) -> Option<Vec<StateClause>> {
        let cube = self.values_of(state);
        let cube = self.closed_cube(cube, sides, false, |cube| !cube.is_empty())?;
        Some(cube.into_iter().map(|literal| vec![literal]).collect())
    }

    /// The negation of a cube that contains a state and not another one, and that no step between these sides enters, as a clause.
    pub(super) fn clause_before(
        &mut self,
        state: &Values,
        sides: &[(usize, bool)],
        other: &Values,
    ) -> Option<StateClause> {
        let is_outside =
            |cube: &Cube| (cube.iter()).any(|&(latch, value)| other[latch] != Some(value));
        let cube = self.values_of(state);
        let mut cube = self.closed_cube(cube, sides, true, is_outside)?;
        // Larger ones, without each value in turn and those that then are needed no longer.
        for literal in cube.clone() {
            let mut larger = cube.clone();
            larger.retain(|&other| other != literal);
            if larger.len() < cube.len()
                && let Some(larger) = self.closed_cube(larger, sides, true, is_outside)
            {
                cube = larger;
            }
        }
        Some(cube.into_iter().map(|(latch, it)| (latch, !it)).collect())
    }

    /// A state as a cube of the latches that are not of the await index.
    pub(super) fn values_of(&self, state: &Values) -> Cube {
        let values = state.iter().enumerate();
        values
            .filter(|(latch, _)| !self.is_await[*latch])
            .filter_map(|(latch, value)| Some((latch, (*value)?)))
            .collect()
    }

    /// The smallest cube with the states of a cube that is closed under steps, forwards or backwards; `None` if a query is too hard, or if
    /// the cube is of no use.
    fn closed_cube(
        &mut self,
        mut cube: Cube,
        sides: &[(usize, bool)],
        is_backward: bool,
        is_of_use: impl Fn(&Cube) -> bool,
    ) -> Option<Cube> {
        let edges = |model: &Model, latch: usize| {
            let latch = &model.latches[latch];
            match is_backward {
                false => [latch.state, latch.next],
                true => [latch.next, latch.state],
            }
        };
        let sides = self.sides_literals(sides);
        while is_of_use(&cube) {
            let lits: Vec<[Lit; 2]> = (cube.iter())
                .map(|&(latch, value)| {
                    let edges = edges(&self.model, latch);
                    edges.map(|edge| self.literal(edge).negate_if(!value))
                })
                .collect();
            let leaves = self.solver.new_var().positive();
            let clause: Vec<Lit> = std::iter::once(!leaves)
                .chain(lits.iter().map(|it| !it[1]))
                .collect();
            self.solver.add_clause(&clause);
            let mut given = sides.clone();
            given.extend(lits.iter().map(|it| it[0]));
            given.push(leaves);
            let answer = self.answer(&given);
            if answer == Answer::Satisfiable {
                let solver = &self.solver;
                let mut kept = (lits.iter()).map(|it| solver.value(it[1]) == Some(true));
                cube.retain(|_| kept.next() == Some(true));
            }
            self.solver.add_clause(&[!leaves]);
            match answer {
                Answer::Satisfiable => {}
                Answer::Unsatisfiable => return Some(cube),
                Answer::Unknown => return None,
            }
        }
        None
    }

    /// The formula of a part between its sides; all states beyond them are in it.
    fn wall(&mut self, clauses: &[StateClause], part: &Part) -> Edge {
        let edges: Vec<Edge> = (part.clauses.iter())
            .map(|&number| clause_edge(&mut self.model, &clauses[number]))
            .collect();
        let holds = self.model.aig.and_all(edges);
        let sides: Vec<Edge> = (part.sides.iter())
            .map(|&(wall, side)| self.walls[wall][0].negate_if(!side))
            .collect();
        let is_between = self.model.aig.and_all(sides);
        self.model.aig.implies(is_between, holds)
    }

    /// Clauses with those at the beginning that hold together after each step in which they hold before, between some of the sides.
    fn closed_part(
        &mut self,
        clauses: &[StateClause],
        begin: Vec<usize>,
        sides: &[(usize, bool)],
    ) -> Option<Part> {
        let mut part = Part {
            clauses: begin,
            sides: Vec::new(),
        };
        let sides_literals = self.sides_literals(sides);
        'again: loop {
            part.sides.clear();
            let mut given = sides_literals.clone();
            for &number in &part.clauses {
                let edge = clause_edge(&mut self.model, &clauses[number]);
                given.push(self.literal(edge));
            }
            for &number in &part.clauses {
                let mut assumptions = given.clone();
                for &(latch, value) in &clauses[number] {
                    let next = self.literal(self.model.latches[latch].next);
                    assumptions.push(next.negate_if(value));
                }
                match self.answer(&assumptions) {
                    Answer::Unknown => return None,
                    Answer::Unsatisfiable => {
                        let failed = self.solver.failed_assumptions();
                        for (&side, lit) in sides.iter().zip(&sides_literals) {
                            if failed.contains(lit) && !part.sides.contains(&side) {
                                part.sides.push(side);
                            }
                        }
                    }
                    Answer::Satisfiable => {
                        let other = (0..clauses.len()).find(|other| {
                            !part.clauses.contains(other) && self.is_violated(&clauses[*other])
                        });
                        part.clauses.push(other?);
                        continue 'again;
                    }
                }
            }
            return Some(part);
        }
    }

    /// Whether a clause does not hold before the step that was found.
    fn is_violated(&mut self, clause: &StateClause) -> bool {
        clause.iter().all(|&(latch, value)| {
            let state = self.state(latch);
            self.solver.value(state) == Some(!value)
        })
    }

    fn sides_literals(&mut self, sides: &[(usize, bool)]) -> Vec<Lit> {
        (sides.iter())
            .map(|&(wall, side)| self.literal(self.walls[wall][0]).negate_if(!side))
            .collect()
    }

    fn state(&mut self, latch: usize) -> Lit {
        self.literal(self.model.latches[latch].state)
    }

    fn literal(&mut self, edge: Edge) -> Lit {
        self.encoder.encode(&self.model.aig, edge, &mut self.solver)
    }

    fn answer(&mut self, given: &[Lit]) -> Answer {
        self.solver.set_limits(Limits {
            conflicts: Some(MAX_CONFLICTS),
            propagations: None,
        });
        self.solver.solve(given)
    }
}

/// For each literal of the property that there is a hit if it is the one that is awaited.
fn literals(model: &mut Model, awaits: &[usize]) -> Vec<Edge> {
    let hit = model.bads[0];
    let nodes: Vec<u32> = (awaits.iter())
        .map(|&latch| model.latches[latch].state.node())
        .collect();
    let none = nodes.len();
    (std::iter::once(none).chain(0..none))
        .map(|awaited| {
            let mut leaf = |node: u32| match nodes.iter().position(|&other| other == node) {
                Some(place) => Edge::FALSE.negate_if(place == awaited),
                None => Edge::new(node, false),
            };
            model.aig.substitute(&[hit], &mut leaf)[0]
        })
        .collect()
}
