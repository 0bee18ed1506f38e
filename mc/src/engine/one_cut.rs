//! The interpolant of a query that is cut once, as a set of states.

use craig_aig::{Aig, Edge};
use craig_itp::transform::{Raising, Reduction, raise_local, reduce};
use craig_itp::{Rule, System, interpolant};
use craig_model::{Stop, UnknownReason};
use craig_solver::proof::ProofLog;
use craig_solver::sweep::Budget;
use craig_solver::{Label, Solver};

use super::options::{EngineOption, INTERPOLANTS, Range, Settings, Word, rule};
use super::states::{COMPACTION, Cut, States};
use super::{refutation, stop_of, why_stopped};
use crate::control::{Control, listen_in};

/// The label of the clauses whose consequence the interpolant is.
pub(super) const A: Label = 0;
/// The label of the clauses that the interpolant contradicts.
pub(super) const B: Label = 1;

/// The option of that name.
pub(super) const REDUCTION_ROUNDS: EngineOption = EngineOption {
    name: "reduction-rounds",
    placeholder: "N",
    range: Range::Number(0),
    default: Some("1"),
    text: "For `imc` and `imc-backward`: the largest number of rounds of reductions of a refutation before it is interpolated; in the \
           papers none",
    is_flag: true,
};

/// The option of that name.
pub(super) const BOUND_GROWTH: EngineOption = EngineOption {
    name: "bound-growth",
    placeholder: "GROWTH",
    range: Range::Word(&[
        Word {
            name: "rounds",
            text: "By the rounds of the last bound: what they have covered is not asked again",
        },
        Word {
            name: "one",
            text: "By one step, as in the papers",
        },
    ]),
    default: Some("rounds"),
    text: "For `imc` and `imc-backward`: how the bound grows after an approximate run has reached the bad",
    is_flag: true,
};

/// How the number of steps of the exact side grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Growth {
    /// By the number of rounds that the last bound had, and at least by one.
    #[default]
    Rounds,
    /// By one.
    One,
}

impl Growth {
    /// What was chosen.
    pub(super) fn chosen(settings: &Settings) -> Self {
        match settings.word(&BOUND_GROWTH).as_str() {
            "one" => Self::One,
            _ => Self::Rounds,
        }
    }

    /// The steps to add after `rounds` rounds.
    pub(super) fn steps(self, rounds: usize) -> usize {
        match self {
            Self::Rounds => rounds.max(1),
            Self::One => 1,
        }
    }
}

/// The side of the proof on which an interpolant is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolants {
    /// Itp(A, B): implied by the first side.
    #[default]
    Forward,
    /// Not Itp(B, A): the negation of a consequence of the second side.
    Backward,
}

/// How interpolants are computed from refutations.
#[derive(Clone, Debug)]
pub struct Options {
    /// The interpolation system.
    pub system: Rule,
    /// The direction of interpolants.
    pub interpolants: Interpolants,
    /// The maximal number of rounds of reductions of a refutation before interpolation.
    pub reduction_rounds: usize,
    /// The reductions of such a round, in this order.
    pub reductions: Vec<Reduction>,
    /// The options of raising resolutions on variables local to A after the reductions; `None` to omit it.
    pub raising: Option<Raising>,
    /// The budget of compaction of interpolants; `None` to omit it.
    pub compaction: Option<Budget>,
    /// Whether long searches eliminate variables. Each query has a solver of its own, so that no variable has to be restored.
    /// Measured (bench/records/circuits.md): refutations of hard queries have half as many resolutions, and interpolants about the
    /// same size.
    pub eliminate: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            system: System::McMillan.into(),
            interpolants: Interpolants::Forward,
            reduction_rounds: 1,
            reductions: Reduction::ALL.to_vec(),
            raising: None,
            compaction: Some(COMPACTION),
            eliminate: true,
        }
    }
}

impl Options {
    /// A solver for one query, all clauses of which are known before it is asked if it `is_whole`.
    pub(super) fn solver(&self, is_whole: bool, stop: &Stop) -> Solver<ProofLog> {
        let options = craig_solver::Options {
            eliminate: self.eliminate && is_whole,
            // Most queries are short, and of those the effect on interpolants is not measured.
            eliminate_first: false,
            ..craig_solver::Options::default()
        };
        let mut solver = Solver::with_proof(options, ProofLog::new());
        listen_in(stop, &mut solver);
        solver
    }

    /// Those that a user can set.
    pub(super) fn from_settings(settings: &Settings) -> Self {
        Self {
            system: rule(settings),
            interpolants: match settings.word(&INTERPOLANTS).as_str() {
                "backward" => Interpolants::Backward,
                _ => Interpolants::Forward,
            },
            reduction_rounds: settings.count(&REDUCTION_ROUNDS).unwrap_or_default(),
            ..Self::default()
        }
    }
}

/// The interpolant of the refutation of clauses labelled [`A`] and [`B`], which share the variables of `cut` only, as a set of
/// `states`. `engine` is named in the log.
pub(super) fn set_of(
    engine: &'static str,
    solver: Solver<ProofLog>,
    cut: &Cut,
    options: &Options,
    states: &mut States,
    control: Control<'_>,
) -> Result<Edge, UnknownReason> {
    let asked = stop_of(control.stop);
    let stopped = |_| why_stopped(control.stop);
    let conflicts = solver.statistics().conflicts;
    let mut dag = refutation(&solver, control.stop)?;
    drop(solver);
    if options.reduction_rounds > 0 {
        dag =
            reduce(&dag, &options.reductions, options.reduction_rounds, &asked).map_err(stopped)?;
    }
    if let Some(raising) = options.raising {
        let side = match options.interpolants {
            Interpolants::Forward => A,
            Interpolants::Backward => B,
        };
        dag = raise_local(&dag, &|label| label == side, raising, &asked).map_err(stopped)?;
    }
    let mut scratch = Aig::new();
    let latches: Vec<Edge> = (states.latches().iter())
        .map(|_| scratch.add_input())
        .collect();
    let mut leaf = |var| {
        cut.leaf(var, &latches)
            .expect("only the variables of the cut are shared")
    };
    let mut derive = |side| {
        let in_a = |label| label == side;
        interpolant(&dag, &in_a, options.system, &mut scratch, &mut leaf, &asked).map_err(stopped)
    };
    let edge = match options.interpolants {
        Interpolants::Forward => derive(A)?,
        Interpolants::Backward => !derive(B)?,
    };
    let set = states.adopt(&scratch, edge, options.compaction, control.stop);
    control.listener.note(engine, || {
        format!(
            "interpolant of {} gates, {} before compaction, from a proof of {} resolutions and {conflicts} conflicts",
            states.aig.n_ands_in_cone(&[set]),
            scratch.n_ands_in_cone(&[edge]),
            dag.n_steps()
        )
    });
    Ok(set)
}
