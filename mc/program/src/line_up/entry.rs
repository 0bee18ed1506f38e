//! The members of a portfolio for programs: engines for circuits, and engines for automata as engines for the circuit of
//! their automaton.

use std::sync::Arc;

use craig_aig::Edge;
use craig_mc::Control;
use craig_mc::circuit::reduce::{Passes, Signals};
use craig_mc::engine::entry::Run;
use craig_mc::portfolio::{Entry, Turns};
use craig_model::Model;

use crate::engine::{ProgramRun, Query};
use crate::{Bad, Cfa, Facts};

/// One member of a portfolio for programs: an engine for circuits, or one for automata.
#[derive(Clone)]
pub struct ProgramEntry {
    /// As [`Entry::name`].
    pub name: String,
    pub(super) method: Method,
    /// As [`Entry::turns`].
    pub turns: Option<Turns>,
    /// As [`Entry::original`]; an engine for automata always searches the automaton as it is.
    pub original: bool,
    /// Whether an engine for circuits gets predicates over words as latches ([`Signals`]).
    pub signals: bool,
}

/// The engine of a member.
#[derive(Clone)]
pub(super) enum Method {
    Circuit(Run),
    Automaton(&'static str, ProgramRun),
}

/// Predicates over the words of a circuit: formulas over its latches, edges of its graph.
#[derive(Clone, Copy)]
pub struct Predicates<'a> {
    /// The circuit.
    pub model: &'a Model,
    /// The formulas.
    pub formulas: &'a [Edge],
    /// The passes that reduce the circuit before latches for them are added.
    pub passes: Passes,
}

impl ProgramEntry {
    /// Whether its engine searches the automaton, and not the circuit.
    #[must_use]
    pub fn is_for_automata(&self) -> bool {
        matches!(self.method, Method::Automaton(..))
    }

    /// The entry for the circuit of an automaton: [`Cfa::to_model`] with this bad, or that with further constraints, which
    /// the predicates are about. An engine for automata assumes the facts about its words, if there are some.
    /// The outcome of an engine for automata is about the circuit without these constraints.
    #[must_use]
    pub fn on(
        &self,
        (cfa, bad): (&Cfa, Bad),
        facts: Option<&Arc<Facts>>,
        predicates: &Predicates<'_>,
    ) -> Entry {
        let run = match &self.method {
            Method::Circuit(run) if self.signals => with_signals(run, predicates),
            Method::Circuit(run) => Arc::clone(run),
            Method::Automaton(engine, run) => {
                on_automaton(engine, run, (cfa.clone(), bad), facts.cloned())
            }
        };
        Entry {
            name: self.name.clone(),
            run,
            turns: self.turns,
            original: self.original || self.signals || self.is_for_automata(),
        }
    }
}

/// The engine on the circuit with latches for predicates, which it reduces itself.
fn with_signals(run: &Run, predicates: &Predicates<'_>) -> Run {
    let run = Arc::clone(run);
    let formulas = predicates.formulas.to_vec();
    let (own, passes) = (predicates.model.clone(), predicates.passes);
    Arc::new(move |model, property, control| {
        debug_assert_eq!(own.latches.len(), model.latches.len());
        match Signals::add(&own, &formulas, &passes, control) {
            None => run(model, property, control),
            Some(signals) => {
                let own = Control {
                    board: &signals.board(property),
                    ..control
                };
                let outcome = run(&signals.reduced.model, property, own);
                signals.reduced.lift_outcome(outcome)
            }
        }
    })
}

/// The engine for automata as one for the circuit of this automaton.
fn on_automaton(
    engine: &'static str,
    run: &ProgramRun,
    (cfa, bad): (Cfa, Bad),
    facts: Option<Arc<Facts>>,
) -> Run {
    let run = Arc::clone(run);
    Arc::new(move |model, _, control| {
        let query = Query {
            bad,
            draws: false,
            may_give_up: false,
        };
        let facts = facts.as_deref();
        let searched = facts.map_or(&cfa, Facts::cfa);
        let (answer, _) = run(searched, query, control);
        let mut cfa = cfa.clone();
        let encoded = cfa.to_model(bad);
        debug_assert_eq!(encoded.model.latches.len(), model.latches.len());
        debug_assert_eq!(encoded.model.inputs.len(), model.inputs.len());
        encoded.outcome(&cfa, answer, facts, engine)
    })
}
