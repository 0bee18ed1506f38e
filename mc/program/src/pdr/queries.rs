//! One action in a solver, with the lemmas of its source.

use std::collections::HashMap;
use std::rc::Rc;

use craig_aig::{Aig, Edge};
use craig_mc::control::listen_in;
use craig_mc::engine::why_stopped;
use craig_model::{Stop, UnknownReason};
use craig_solver::{Answer, Lit, Solver};
use craig_word::Term;

use super::frames::Frames;
use crate::actions::{Action, Actions, StateBit, position};
use crate::cfa::Cfa;
use crate::step::StepEncoding;

/// The formulas over the state that literals of lemmas are.
pub(super) struct Formulas {
    /// Input number i is bit i of the state.
    pub(super) aig: Aig,
    supports: HashMap<Edge, Rc<[StateBit]>>,
}

impl Formulas {
    pub(super) fn new(actions: &Actions) -> Self {
        let mut aig = Aig::new();
        for _ in actions.bits() {
            aig.add_input();
        }
        Self {
            aig,
            supports: HashMap::new(),
        }
    }

    /// The bits that a formula reads.
    pub(super) fn support(&mut self, formula: Edge) -> Rc<[StateBit]> {
        let formula = formula.negate_if(formula.is_negated());
        let aig = &self.aig;
        let found = self.supports.entry(formula).or_insert_with(|| {
            let nodes = aig.support(&[formula]).into_iter();
            nodes.map(|node| position(aig, node)).collect()
        });
        Rc::clone(found)
    }

    /// A bit of the state with a value.
    pub(super) fn bit(&self, bit: StateBit, value: bool) -> Edge {
        Edge::new(self.aig.inputs()[bit as usize], !value)
    }
}

/// A step into a cube: from the states of a cube, all of which take it with these inputs.
pub(super) struct Step {
    pub(super) from: Vec<Edge>,
    pub(super) chosen: HashMap<Term, u128>,
}

/// An action in a solver of its own.
pub(super) struct ActionQueries {
    solver: Solver,
    encoding: StepEncoding,
    guard: Lit,
    /// The literals that activate the lemmas of a level and all above, from level 1 on.
    levels: Vec<Lit>,
    /// How many lemmas of the source have been added.
    n_added: usize,
}

impl ActionQueries {
    pub(super) fn new(actions: &Actions, action: &Action, stop: &Stop) -> Self {
        let mut solver = Solver::new();
        listen_in(stop, &mut solver);
        let (encoding, guard) = StepEncoding::open(actions, action, &mut solver);
        Self {
            solver,
            encoding,
            guard,
            levels: Vec::new(),
            n_added: 0,
        }
    }

    fn level(&mut self, level: usize) -> Lit {
        while self.levels.len() < level {
            let lit = self.solver.new_var().positive();
            if let Some(&below) = self.levels.last() {
                self.solver.add_clause(&[!below, lit]);
            }
            self.levels.push(lit);
        }
        self.levels[level - 1]
    }

    fn before(&mut self, actions: &Actions, formulas: &mut Formulas, formula: Edge) -> Lit {
        if let Some(lit) = self.encoding.known_before(formula) {
            return lit;
        }
        let support = formulas.support(formula);
        let solver = &mut self.solver;
        (self.encoding).before(actions, &formulas.aig, (formula, &support), solver)
    }

    fn behind(
        &mut self,
        (actions, action): (&Actions, &Action),
        formulas: &mut Formulas,
        formula: Edge,
    ) -> Lit {
        if let Some(lit) = self.encoding.known_behind(formula) {
            return lit;
        }
        let support = formulas.support(formula);
        let solver = &mut self.solver;
        (self.encoding).behind(actions, action, &formulas.aig, (formula, &support), solver)
    }

    /// The assumption of the lemmas of the source for states within `steps` steps; none at the start.
    fn assume_lemmas(
        &mut self,
        (actions, action): (&Actions, &Action),
        formulas: &mut Formulas,
        frames: &Frames,
        steps: usize,
    ) -> Option<Lit> {
        if action.source == Cfa::START {
            return None;
        }
        let log = frames.log(action.source);
        for lemma in &log[self.n_added..] {
            let level = self.level(lemma.level);
            let mut clause = vec![!level];
            for &edge in lemma.cube.iter() {
                clause.push(!self.before(actions, formulas, edge));
            }
            self.solver.add_clause(&clause);
        }
        self.n_added = log.len();
        Some(self.level(steps))
    }

    fn is_possible(&mut self, lits: &[Lit], stop: &Stop) -> Result<bool, UnknownReason> {
        match self.solver.solve(lits) {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::Unknown => Err(why_stopped(stop)),
        }
    }

    /// Whether the action leads into a cube from states within `steps` steps; from outside of the cube, if the
    /// action is a loop. If not, what of the cube is needed for that is added to `needed`.
    pub(super) fn leads_into(
        &mut self,
        (actions, action): (&Actions, &Action),
        formulas: &mut Formulas,
        frames: &Frames,
        (cube, steps): (&[Edge], usize),
        needed: &mut Vec<Edge>,
        stop: &Stop,
    ) -> Result<bool, UnknownReason> {
        let mut assumptions = vec![self.guard];
        assumptions.extend(self.assume_lemmas((actions, action), formulas, frames, steps));
        if action.source == action.target {
            let mut outside = Vec::with_capacity(cube.len());
            for &edge in cube {
                outside.push(!self.before(actions, formulas, edge));
            }
            self.solver.add_temporary_clause(&outside);
        }
        let n_others = assumptions.len();
        for &edge in cube {
            let lit = self.behind((actions, action), formulas, edge);
            assumptions.push(lit);
        }
        if self.is_possible(&assumptions, stop)? {
            return Ok(true);
        }
        let failed = self.solver.failed_assumptions();
        let of_cube = cube.iter().zip(&assumptions[n_others..]);
        needed.extend(
            of_cube
                .filter(|(_, lit)| failed.contains(lit))
                .map(|(&edge, _)| edge),
        );
        Ok(false)
    }

    /// A state of a cube at the source that is not excluded within `steps` steps, by bit; bits that no lemma and no
    /// literal reads are 0.
    pub(super) fn open_state(
        &mut self,
        (actions, action): (&Actions, &Action),
        formulas: &mut Formulas,
        frames: &Frames,
        (cube, steps): (&[Edge], usize),
        stop: &Stop,
    ) -> Result<Option<Vec<bool>>, UnknownReason> {
        let lemmas = self.assume_lemmas((actions, action), formulas, frames, steps);
        let mut assumptions: Vec<Lit> = lemmas.into_iter().collect();
        for &edge in cube {
            assumptions.push(self.before(actions, formulas, edge));
        }
        if !self.is_possible(&assumptions, stop)? {
            return Ok(None);
        }
        let mut state = vec![false; formulas.aig.n_inputs()];
        for (bit, lit) in self.encoding.state() {
            state[bit as usize] = self.solver.value(lit) == Some(true);
        }
        Ok(Some(state))
    }

    /// The step into a cube that the last query has found, from as many states as lifting finds.
    pub(super) fn step(
        &mut self,
        (actions, action): (&Actions, &Action),
        formulas: &mut Formulas,
        cube: &[Edge],
        stop: &Stop,
    ) -> Result<Step, UnknownReason> {
        let mut assumptions = Vec::new();
        let mut chosen: HashMap<Term, u128> = HashMap::new();
        for &input in &action.chooses {
            let Some(lit) = self.encoding.chosen(input) else {
                continue;
            };
            let value = self.solver.value(lit) == Some(true);
            assumptions.push(lit.negate_if(!value));
            if value {
                let (term, bit) = actions.chosen(input);
                *chosen.entry(term).or_insert(0) |= 1 << bit;
            }
        }
        if action.source == Cfa::START {
            let from = Vec::new();
            return Ok(Step { from, chosen });
        }
        let mut from: Vec<(Edge, Lit)> = Vec::new();
        let mut state: Vec<(StateBit, Lit)> = self.encoding.state().collect();
        state.sort_unstable();
        for (bit, lit) in state {
            let value = self.solver.value(lit) == Some(true);
            from.push((formulas.bit(bit, value), lit.negate_if(!value)));
        }
        let mut fails = vec![!self.guard];
        for &edge in cube {
            fails.push(!self.behind((actions, action), formulas, edge));
        }
        // Words that come last are dropped first: try both orders.
        for _ in 0..2 {
            let mut lits = assumptions.clone();
            lits.extend(from.iter().map(|&(_, lit)| lit));
            self.solver.add_temporary_clause(&fails);
            if self.is_possible(&lits, stop)? {
                // Only if a value that matters was left open, which the search does not do.
                break;
            }
            let failed = self.solver.failed_assumptions();
            from.retain(|(_, lit)| failed.contains(lit));
            from.reverse();
        }
        let mut from: Vec<Edge> = from.into_iter().map(|(edge, _)| edge).collect();
        from.sort_unstable();
        Ok(Step { from, chosen })
    }
}
