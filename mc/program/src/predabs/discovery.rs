//! Predicates from paths of the program: a path is one of its runs, or its refutation makes predicates.

use craig_aig::Edge;
use craig_mc::Control;
use craig_model::UnknownReason;

use super::predicates::Predicates;
use crate::actions::{ActionId, Actions};
use crate::answer::ErrorPath;
use crate::labels::Labels;
use crate::refutation::{Dial, Found, From, Question};
use crate::word_labels::{LabelKind, Refuter};

/// An interpolant with more conjuncts than this is one predicate, with fewer each conjunct is one.
const MAX_CONJUNCTS: usize = 6;

/// An interpolant over words with more atoms than this is divided like one over bits.
const MAX_ATOMS: usize = 12;

/// What a path turned out to be.
pub(super) enum Tried {
    /// A run of the program.
    Run(ErrorPath),
    /// No run; there are new predicates behind these actions.
    New(Vec<ActionId>),
}

/// The predicates that were found, and what finds more.
pub(super) struct Discovery<'a> {
    pub(super) actions: &'a Actions,
    dial: &'a Dial,
    control: Control<'a>,
    /// The graph of the predicates.
    pub(super) labels: Labels,
    pub(super) refuter: Refuter,
    pub(super) predicates: Predicates,
}

impl<'a> Discovery<'a> {
    pub(super) fn new(
        actions: &'a Actions,
        dial: &'a Dial,
        kind: LabelKind,
        control: Control<'a>,
    ) -> Self {
        let mut labels = Labels::new(actions, control.stop);
        let refuter = Refuter::new(actions, &mut labels, kind);
        Self {
            actions,
            dial,
            control,
            labels,
            refuter,
            predicates: Predicates::new(actions.n_locations()),
        }
    }

    /// Tries a path to what is bad on the program.
    pub(super) fn try_path(&mut self, path: Vec<ActionId>) -> Result<Tried, UnknownReason> {
        let question = Question {
            from: From::Start,
            path: &path,
            known: &[],
            outside: None,
            slice: true,
            conflicts: None,
            observed: &[],
        };
        let labels = &mut self.labels;
        let found = self
            .refuter
            .ask(self.actions, labels, &question, self.dial, self.control)?;
        match found {
            Found::Run(chosen, _) => Ok(Tried::Run(ErrorPath { path, chosen })),
            Found::Open => unreachable!("the query has no limit"),
            Found::Sequence(formulas) => {
                let mut behind = Vec::new();
                for (&action, formula) in path.iter().zip(formulas) {
                    let location = self.actions.action(action).target;
                    for predicate in self.predicates_of(formula) {
                        if self.predicates.add(&self.labels.aig, location, predicate) {
                            behind.push(action);
                        }
                    }
                }
                // The interpolants as predicates exclude the path.
                debug_assert!(
                    !behind.is_empty(),
                    "a path that its predicates exclude was not refined"
                );
                match behind.is_empty() {
                    false => Ok(Tried::New(behind)),
                    true => Err(UnknownReason::Unsupported(
                        "a path is infeasible, and no predicate tells so".to_string(),
                    )),
                }
            }
        }
    }

    /// The predicates that a formula consists of. Over words these are its atoms, which do not depend on how
    /// they are combined, so that few of them serve many paths; over bits they are its conjuncts.
    fn predicates_of(&self, formula: Edge) -> Vec<Edge> {
        let aig = &self.labels.aig;
        let mut found = match self.refuter.atoms(aig, formula) {
            Some(atoms) if atoms.len() <= MAX_ATOMS => atoms,
            _ => match self.refuter.split(&self.labels, formula) {
                conjuncts if conjuncts.len() > MAX_CONJUNCTS => vec![formula],
                conjuncts => conjuncts,
            },
        };
        found.retain(|edge| !edge.is_constant());
        found
    }

    /// Passes the counts of predicates on.
    pub(super) fn count(&self) {
        let control = self.control;
        control.listener.count("predicates", self.predicates.len());
        control
            .listener
            .count("predicates_at_a_location", self.predicates.most());
        self.refuter.count(control);
    }
}
