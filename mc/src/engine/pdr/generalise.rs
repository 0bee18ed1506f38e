//! From a blocked cube to a stronger lemma: MIC with counterexamples to generalisation.
//!
//! Hassan, Bradley, Somenzi, "Better generalization in IC3" (FMCAD 2013); the extended form, which also
//! blocks the predecessors of a counterexample to generalisation, and the choice by activity follow the
//! description of Su, Yang, Ci, Huang, "Extended CTG generalization and dynamic adjustment of generalization
//! strategies in IC3" (2025).

use craig_solver::Lit;

use super::lemma::{Cube, Lemma};
use super::options::{Generalisation, Options};
use super::queries::Scope;
use super::state::{Pdr, Stop};

/// The effort of dropping a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Strategy {
    /// The maximal number of counterexamples to generalisation to block for one literal.
    counterexamples: usize,
    /// The maximal number of queries to block one of them: with 1, its predecessors are not blocked.
    budget: usize,
}

impl Strategy {
    /// Literals are dropped one at a time.
    pub(in crate::engine) const PLAIN: Self = Self {
        counterexamples: 0,
        budget: 0,
    };

    /// The strategy for a cube of some activity: the more active, the more effort.
    pub(in crate::engine) fn choose(options: &Options, activity: f64) -> Self {
        match options.generalisation {
            Generalisation::Plain => Self::PLAIN,
            Generalisation::Counterexamples => Self {
                counterexamples: 3,
                budget: 1,
            },
            Generalisation::Extended => Self {
                counterexamples: 5,
                budget: 15,
            },
            Generalisation::Dynamic => {
                if activity < 10.0 {
                    Self::PLAIN
                } else if activity < 40.0 {
                    Self {
                        counterexamples: ((activity - 10.0) / 10.0) as usize + 2,
                        budget: 1,
                    }
                } else {
                    Self {
                        counterexamples: 5,
                        budget: (2.0 * (activity - 40.0).powf(0.45) + 5.0).round() as usize,
                    }
                }
            }
        }
    }
}

/// Steps from the previous frame, each as the literals of a cube that hold in its first state and those that
/// hold in its second, in the order of the cube.
#[derive(Debug, Default)]
struct Steps(Vec<(Cube, Cube)>);

impl Steps {
    /// Whether one of the steps leads from outside of `cube`, a subset of theirs in the same order, into it.
    fn lead_into(&self, cube: &[Lit]) -> bool {
        let is_within = |holding: &Cube| {
            let mut rest = holding.iter();
            cube.iter().all(|lit| rest.any(|other| other == lit))
        };
        let mut steps = self.0.iter();
        steps.any(|(from, to)| is_within(to) && !is_within(from))
    }
}

impl Pdr<'_> {
    /// Drops literals of a cube that is blocked in `frame` while it remains blocked.
    pub(super) fn minimise(
        &mut self,
        frame: usize,
        mut cube: Cube,
        strategy: Strategy,
    ) -> Result<Cube, Stop> {
        self.sort_by_activity(&mut cube);
        if self.options.techniques.parents {
            self.keep_parent_for_last(frame, &mut cube);
        }
        self.fix_domain(frame, &cube);
        let mut steps = Steps::default();
        // All literals before `position` are kept.
        let mut position = 0;
        while position < cube.len() && cube.len() > 1 {
            let mut candidate = cube.clone();
            candidate.remove(position);
            let found = if strategy == Strategy::PLAIN {
                self.down_plainly(frame, candidate, position, &cube, &mut steps)?
            } else {
                self.down(frame, candidate, position, strategy, &cube)?
            };
            match found {
                Some(smaller) => {
                    let kept = cube[..position].iter();
                    position = kept.filter(|lit| smaller.contains(lit)).count();
                    cube = smaller;
                    self.fix_domain(frame, &cube);
                }
                None => position += 1,
            }
        }
        self.frames.solver_mut(frame - 1).release_domain();
        Ok(cube)
    }

    /// Tries to find a lemma in `cube` or a subset of it that has its first `kept` literals, without blocking
    /// other cubes: a step from the frame into the cube removes the literals that do not hold in the step's
    /// first state. `steps` stores such steps for other subsets of `whole`, for which the domain is fixed.
    fn down_plainly(
        &mut self,
        frame: usize,
        mut cube: Cube,
        kept: usize,
        whole: &[Lit],
        steps: &mut Steps,
    ) -> Result<Option<Cube>, Stop> {
        loop {
            if self.transition.meets_initial(&cube) || steps.lead_into(&cube) {
                return Ok(None);
            }
            if self.keep_core(frame, &mut cube)? {
                return Ok(Some(cube));
            }
            if !self.options.techniques.joins {
                return Ok(None);
            }
            let solver = self.frames.solver(frame - 1);
            let holds = |lit: Lit| solver.value(lit) == Some(true);
            let from: Cube = whole.iter().copied().filter(|&lit| holds(lit)).collect();
            let to = whole.iter().copied();
            let to: Cube = to.filter(|&lit| holds(self.transition.next(lit))).collect();
            let is_kept_lost = !cube[..kept].iter().all(|&lit| holds(lit));
            cube.retain(|&lit| holds(lit));
            steps.0.push((from, to));
            if is_kept_lost {
                return Ok(None);
            }
        }
    }

    /// Tries to find a lemma in `cube` or a subset of it that has its first `kept` literals. The domain of
    /// the queries is fixed to that of `whole`, which includes `cube`, before and after.
    fn down(
        &mut self,
        frame: usize,
        mut cube: Cube,
        kept: usize,
        strategy: Strategy,
        whole: &[Lit],
    ) -> Result<Option<Cube>, Stop> {
        let mut tried = 0;
        loop {
            if self.transition.meets_initial(&cube) {
                return Ok(None);
            }
            if self.keep_core(frame, &mut cube)? {
                return Ok(Some(cube));
            }
            let in_model = self.agreement(frame, &cube);
            if tried < strategy.counterexamples && frame > 1 {
                let states = self.predecessor(frame, &backwards(&cube))?.0;
                let mut budget = strategy.budget;
                let blocked = self.block_shallow(frame - 1, states, &mut budget)?;
                self.fix_domain(frame, whole);
                if blocked {
                    tried += 1;
                    continue;
                }
            }
            // Join with the predecessor: only the shared literals are kept.
            tried = 0;
            if in_model[..kept].contains(&false) || !in_model.contains(&false) {
                return Ok(None);
            }
            let mut agrees = in_model.iter();
            cube.retain(|_| agrees.next() == Some(&true));
        }
    }

    /// Whether `cube` is blocked in `frame`, under the fixed domain; if so, it is reduced to the core.
    fn keep_core(&mut self, frame: usize, cube: &mut Cube) -> Result<bool, Stop> {
        let backwards = backwards(cube);
        let is_blocked = self.is_blocked(frame, &backwards, true, Scope::Fixed)?;
        if is_blocked {
            let core = self.core(frame, &backwards);
            cube.retain(|lit| core.contains(lit));
        }
        Ok(is_blocked)
    }

    /// Whether each literal of `cube` holds in the state that the last query at `frame` found.
    fn agreement(&self, frame: usize, cube: &[Lit]) -> Vec<bool> {
        let solver = self.frames.solver(frame - 1);
        cube.iter()
            .map(|&lit| solver.value(lit) == Some(true))
            .collect()
    }

    /// Tries to block the states of a counterexample to generalisation in `frame`, with at most `budget`
    /// queries. Each recursive call is one frame lower, and the depth is at most the budget.
    fn block_shallow(
        &mut self,
        frame: usize,
        states: Cube,
        budget: &mut usize,
    ) -> Result<bool, Stop> {
        if self.transition.meets_initial(&states) || *budget == 0 {
            return Ok(false);
        }
        *budget -= 1;
        let mut cube = states;
        self.sort_by_activity(&mut cube);
        cube.reverse();
        loop {
            if self.is_blocked(frame, &cube, true, Scope::Own)? {
                let core = self.core(frame, &cube);
                let core = self.minimise(frame, core, Strategy::PLAIN)?;
                let (frame, core) = self.push_forward(frame, core)?;
                self.learn(frame, core);
                return Ok(true);
            }
            if frame == 1 || *budget == 0 {
                return Ok(false);
            }
            let states = self.predecessor(frame, &cube)?.0;
            if !self.block_shallow(frame - 1, states, budget)? {
                return Ok(false);
            }
        }
    }

    /// Restricts the queries about subsets of `cube` at `frame` to the cone of the cube.
    pub(in crate::engine) fn fix_domain(&mut self, frame: usize, cube: &[Lit]) {
        self.scratch.clear();
        self.scratch.extend_from_slice(cube);
        self.scratch
            .extend(cube.iter().map(|&lit| self.transition.next(lit)));
        self.frames.solver_mut(frame - 1).fix_domain(&self.scratch);
    }

    /// Moves the literals of a lemma of the previous frame that covers the cube to the end of the dropping
    /// order: they sufficed there, so they are likely to suffice again (Xia and others, "Searching for i-good
    /// lemmas", CAV 2023, on the use of parent lemmas).
    fn keep_parent_for_last(&self, frame: usize, cube: &mut Cube) {
        if frame < 2 {
            return;
        }
        let whole = Lemma::new(cube.clone());
        if let Some(parent) = self.frames.lemmas.first_covering(frame - 1, &whole) {
            cube.sort_by_key(|lit| parent.cube.contains(lit));
        }
    }
}

/// The literals in the order of the assumptions, the most active first, so that the core prefers them.
fn backwards(cube: &[Lit]) -> Cube {
    cube.iter().rev().copied().collect()
}
