//! Links between the two sides of a cut, which are made when they are needed.
//!
//! At a cut, the steps after it have variables of their own for the latches, and clauses of the step before it link these with
//! the values that it computes. An interpolant is over the variables that are linked. Without some of the links, the
//! instance has more solutions; if it has none, the interpolant is one of the whole instance, over fewer latches. This is an
//! interpolation abstraction (P. Ruemmer, P. Subotic, "Exploring interpolants", FMCAD 2013) whose templates are latches.
//!
//! The latches that are linked late are named by [`Board::late_latches`](crate::Board::late_latches). Those of them whose two sides differ in a solution
//! are linked then, until there is no solution, or one in which all sides agree.

use craig_model::cone::SequentialCone;
use craig_solver::proof::ProofLog;
use craig_solver::{Answer, Label, Lit, Solver};

use crate::control::Control;

/// The number of solutions of one instance after which all links are made.
const MOST_ROUNDS: usize = 30;

/// The links of an instance.
#[derive(Default)]
pub(super) struct Links {
    /// By position in the cone: whether it is linked late. Empty if none is.
    late: Vec<bool>,
    open: Vec<Link>,
}

/// That two literals are equal, as a part of the partition with this label.
struct Link {
    label: Label,
    literals: [Lit; 2],
}

impl Link {
    fn make(&self, solver: &mut Solver<ProofLog>) {
        let [left, right] = self.literals;
        solver.add_labelled_clause(&[!left, right], self.label);
        solver.add_labelled_clause(&[left, !right], self.label);
    }
}

impl Links {
    pub(super) fn new(cone: &SequentialCone, control: Control<'_>) -> Self {
        let mut late = Vec::new();
        if !control.board.late_latches().is_empty() {
            let latches = cone.latches.iter();
            late.extend(
                latches.map(|latch| control.board.late_latches().binary_search(latch).is_ok()),
            );
        }
        Self {
            late,
            open: Vec::new(),
        }
    }

    /// Whether some latch is linked late.
    pub(super) fn are_late(&self) -> bool {
        self.late.contains(&true)
    }

    /// Links the variable of the latch at a position with its value, or keeps the link for later.
    pub(super) fn add(
        &mut self,
        label: Label,
        position: usize,
        literals: [Lit; 2],
        solver: &mut Solver<ProofLog>,
    ) {
        let link = Link { label, literals };
        match self.late.get(position) {
            Some(true) => self.open.push(link),
            _ => link.make(solver),
        }
    }

    /// The answer for the instance with all links. Only those that are needed for it are made.
    pub(super) fn solve(&mut self, solver: &mut Solver<ProofLog>) -> Answer {
        let mut n_rounds = 0;
        loop {
            let answer = solver.solve(&[]);
            if answer != Answer::Satisfiable || self.open.is_empty() {
                return answer;
            }
            n_rounds += 1;
            let differs = |link: &Link| {
                let [left, right] = link.literals.map(|lit| solver.value(lit).unwrap_or(false));
                left != right
            };
            let (needed, open) = self.open.drain(..).partition(differs);
            self.open = open;
            let needed: Vec<Link> = needed;
            if needed.is_empty() {
                return answer;
            }
            needed.iter().for_each(|link| link.make(solver));
            if n_rounds == MOST_ROUNDS {
                self.open.drain(..).for_each(|link| link.make(solver));
            }
        }
    }
}
