//! The induction step: a run of k steps from any state, without the bad before its last state.

use craig_aig::Edge;
use craig_model::{Model, Stop};
use craig_solver::{Answer, Limits, Lit, Solver};

use crate::circuit::unroll::{Start, Unrolling};
use crate::control::{Control, StateClause};
use crate::engine::frames::Frames;

/// What is known of the step for some k.
pub(super) enum Step {
    /// The bad is k-inductive. The proof may depend on shared invariants.
    Proved { leaning: bool },
    /// It is on runs that repeat no state.
    ProvedOnSimplePaths,
    /// It is not, or the effort did not suffice to tell.
    Open,
    /// The search was stopped.
    Stopped,
}

/// The induction step, for growing k on one incremental solver.
pub(super) struct InductionStep<'a> {
    run: Run<'a>,
    /// `None` if simple-path constraints are not added.
    distinct: Option<Distinct>,
    strength: Strength,
    control: Control<'a>,
}

impl<'a> InductionStep<'a> {
    pub(super) fn new(
        model: &'a Model,
        property: usize,
        simple_paths: bool,
        control: Control<'a>,
    ) -> Self {
        let mut run = Run::new(model, property, control.stop);
        Self {
            distinct: simple_paths.then(|| Distinct::new(&mut run.frames.solver)),
            strength: Strength::new(&mut run.frames.solver),
            run,
            control,
        }
    }

    /// The shared invariants that the step has, on which a proof may depend.
    pub(super) fn invariants(&self) -> &[StateClause] {
        &self.strength.clauses
    }

    /// The propagations of all queries.
    pub(super) fn propagations(&self) -> u64 {
        self.run.frames.solver.statistics().propagations
    }

    /// Whether the bad can hold behind `k` steps without it, with `effort` propagations at most. `k` does not decrease.
    pub(super) fn prove(&mut self, k: usize, effort: Option<u64>) -> Step {
        if effort == Some(0) {
            return Step::Open;
        }
        self.extend(k);
        let most = effort.map(|effort| self.propagations() + effort);
        loop {
            let left = most.map(|most| most.saturating_sub(self.propagations()));
            if left == Some(0) {
                return Step::Open;
            }
            self.run.frames.solver.set_limits(Limits {
                propagations: left,
                ..Limits::default()
            });
            let paths = self.distinct.as_ref().map(|distinct| distinct.switch);
            let assumptions: Vec<Lit> = [Some(self.strength.switch), paths]
                .into_iter()
                .flatten()
                .collect();
            match self.run.solve_bad(&assumptions) {
                Answer::Unknown => return self.undecided(effort),
                Answer::Satisfiable => {
                    let Some(distinct) = &self.distinct else {
                        return Step::Open;
                    };
                    match distinct.repetition(&self.run.frames.solver) {
                        Some((left, right)) => {
                            distinct.separate(&mut self.run.frames.solver, left, right);
                        }
                        None => return Step::Open,
                    }
                }
                Answer::Unsatisfiable => return self.proved(effort),
            }
        }
    }

    /// How a proof was made whose core is that of the last query.
    fn proved(&mut self, effort: Option<u64>) -> Step {
        let leaning = self.leaning();
        let is_needed = |distinct: &Distinct| {
            (self.run.frames.solver.failed_assumptions()).contains(&distinct.switch)
        };
        if !self.distinct.as_ref().is_some_and(is_needed) {
            return Step::Proved { leaning };
        }
        // The core contains the activation literal, perhaps unnecessarily: repeat the query without it.
        match self.run.solve_bad(&[self.strength.switch]) {
            Answer::Unsatisfiable => Step::Proved {
                leaning: self.leaning(),
            },
            Answer::Satisfiable => Step::ProvedOnSimplePaths,
            Answer::Unknown => self.undecided(effort),
        }
    }

    /// Whether the core of the last query has the shared invariants.
    fn leaning(&self) -> bool {
        (self.run.frames.solver.failed_assumptions()).contains(&self.strength.switch)
    }

    /// What a query without an answer says.
    fn undecided(&self, effort: Option<u64>) -> Step {
        match effort {
            Some(_) if self.control.stop.reason().is_none() => Step::Open,
            _ => Step::Stopped,
        }
    }

    /// The frames of a run of `k` steps: the bad is excluded from all but the last.
    fn extend(&mut self, k: usize) {
        debug_assert!(self.run.states.len() <= k + 1);
        while self.run.states.len() <= k {
            if !self.run.states.is_empty() {
                self.run.exclude_bad();
            }
            self.run.push();
            if let Some(distinct) = &mut self.distinct {
                distinct.states.push(self.run.last_state());
            }
            self.strength.extend(&mut self.run, self.control);
        }
    }
}

/// The run from any state.
struct Run<'a> {
    frames: Frames<'a>,
    /// The bad in the last frame.
    bad: Edge,
    /// The latches of the cone at the beginning of each frame.
    states: Vec<Vec<Edge>>,
}

impl<'a> Run<'a> {
    fn new(model: &'a Model, property: usize, stop: &Stop) -> Self {
        Self {
            frames: Frames::new(Unrolling::new(model, property, Start::Free), stop),
            bad: Edge::FALSE,
            states: Vec::new(),
        }
    }

    fn push(&mut self) {
        self.states.push(self.frames.unrolling.state().to_vec());
        self.bad = self.frames.push();
    }

    /// The literals of the latches at the beginning of the last frame.
    fn last_state(&mut self) -> Vec<Lit> {
        let state = self.states[self.states.len() - 1].iter();
        state.map(|&edge| self.frames.literal(edge)).collect()
    }

    fn solve_bad(&mut self, assumptions: &[Lit]) -> Answer {
        let mut all = assumptions.to_vec();
        all.push(self.frames.literal(self.bad));
        self.frames.solver.solve(&all)
    }

    fn exclude_bad(&mut self) {
        self.frames.exclude(self.bad);
    }
}

/// The simple-path constraints, and the literal that activates them.
struct Distinct {
    switch: Lit,
    /// The literals of the latches at the beginning of each frame.
    states: Vec<Vec<Lit>>,
}

impl Distinct {
    fn new(solver: &mut Solver) -> Self {
        Self {
            switch: solver.new_var().positive(),
            states: Vec::new(),
        }
    }

    /// Two frames with the same first state in the solver's model.
    fn repetition(&self, solver: &Solver) -> Option<(usize, usize)> {
        let value = |lit: &Lit| solver.value(*lit).unwrap_or(false);
        let mut keyed: Vec<(Vec<bool>, usize)> = self
            .states
            .iter()
            .enumerate()
            .map(|(frame, state)| (state.iter().map(value).collect(), frame))
            .collect();
        keyed.sort_unstable();
        keyed
            .windows(2)
            .find(|pair| pair[0].0 == pair[1].0)
            .map(|pair| (pair[0].1, pair[1].1))
    }

    /// Adds the constraint that two frames begin in different states.
    fn separate(&self, solver: &mut Solver, left: usize, right: usize) {
        let mut some = vec![!self.switch];
        for (&left, &right) in self.states[left].iter().zip(&self.states[right]) {
            if left == right {
                continue;
            }
            let differs = solver.new_var().positive();
            solver.add_clause(&[!differs, left, right]);
            solver.add_clause(&[!differs, !left, !right]);
            some.push(differs);
        }
        solver.add_clause(&some);
    }
}

/// The invariants shared by other engines, and the literal that activates them in all frames of the step.
struct Strength {
    switch: Lit,
    clauses: Vec<StateClause>,
}

impl Strength {
    fn new(solver: &mut Solver) -> Self {
        Self {
            switch: solver.new_var().positive(),
            clauses: Vec::new(),
        }
    }

    /// Adds the known invariants in the last frame, and new ones in all frames.
    fn extend(&mut self, step: &mut Run<'_>, control: Control<'_>) {
        let known = self.clauses.len();
        self.clauses.extend(control.board.invariants(known));
        let last = step.states.len() - 1;
        for (index, clause) in self.clauses.iter().enumerate() {
            let first = if index < known { last } else { 0 };
            for frame in first..=last {
                let mut lits = vec![!self.switch];
                for &(latch, value) in clause {
                    // Clauses over latches outside the cone are skipped.
                    let Ok(place) = step.frames.unrolling.cone().latches.binary_search(&latch)
                    else {
                        lits.clear();
                        break;
                    };
                    let edge = step.states[frame][place].negate_if(!value);
                    lits.push(step.frames.literal(edge));
                }
                if !lits.is_empty() {
                    step.frames.solver.add_clause(&lits);
                }
            }
        }
    }
}
