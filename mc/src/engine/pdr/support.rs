//! Which lemmas a lemma needs to be inductive: shared by the infinity frame and the minimisation of
//! invariants.

use craig_model::Stop;
use craig_solver::{Answer, Lit};

use super::lemma::Lemma;
use super::logic::ConeSolver;
use super::transition::Transition;

/// A solver in which each lemma has an activation literal.
pub(super) struct Switched<'a> {
    solver: ConeSolver,
    transition: &'a Transition,
    stop: &'a Stop,
    /// What is assumed in all questions.
    always: Vec<Lit>,
    /// The activation literal of each lemma.
    switches: Vec<Lit>,
    assumptions: Vec<Lit>,
}

impl<'a> Switched<'a> {
    /// All `lemmas`, over the clauses of `solver` under the assumptions `always`.
    pub(super) fn new(
        mut solver: ConeSolver,
        always: Vec<Lit>,
        lemmas: &[Lemma],
        transition: &'a Transition,
        stop: &'a Stop,
    ) -> Self {
        let mut switches = Vec::with_capacity(lemmas.len());
        for lemma in lemmas {
            let switch = solver.new_var().positive();
            solver.add_initial_clause(Some(!switch), &lemma.clause());
            switches.push(switch);
        }
        Self {
            solver,
            transition,
            stop,
            always,
            switches,
            assumptions: Vec::new(),
        }
    }

    /// The solver, in which the lemmas are switched off for ever.
    pub(super) fn into_solver(mut self) -> ConeSolver {
        for switch in self.switches {
            self.solver.add_clause(&[!switch]);
        }
        self.solver
    }

    /// The lemmas needed to show that no step under the constraints leads from states in which the lemmas in
    /// `on` hold into the cube of `lemma`. `None` if there is such a step, or if the engine has to stop.
    pub(super) fn support_of(&mut self, lemma: &Lemma, on: &[bool]) -> Option<Vec<usize>> {
        self.assumptions.clear();
        for &lit in &lemma.cube {
            self.assumptions.push(self.transition.next(lit));
        }
        self.ask(on)
    }

    /// The lemmas in `on` that are needed to exclude the bad, if they do.
    pub(super) fn support_of_property(&mut self, on: &[bool]) -> Option<Vec<usize>> {
        self.assumptions.clear();
        self.assumptions.push(self.transition.bad);
        self.ask(on)
    }

    fn ask(&mut self, on: &[bool]) -> Option<Vec<usize>> {
        let switched = self.switches.iter().zip(on).filter(|&(_, &on)| on);
        self.assumptions.extend(&self.always);
        self.assumptions.extend(switched.map(|(&switch, _)| switch));
        let stop = self.stop;
        let answer = self
            .solver
            .solve(&self.assumptions, &mut || stop.reason().is_some());
        (answer == Answer::Unsatisfiable).then(|| {
            (0..self.switches.len())
                .filter(|&index| on[index] && self.solver.is_failed(self.switches[index]))
                .collect()
        })
    }
}
