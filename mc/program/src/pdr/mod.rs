//! Property-directed reachability on the automaton: the engine `cfa-pdr`.
//!
//! Each location has frames of its own, and each query is about one action (Lange, Neuhäusser, Noll, "IC3 software
//! model checking on control flow automata", FMCAD 2015). A lemma says of a location that no state of a cube is
//! reached there within a number of steps. An obligation is a location, a cube from which a path to a bad location is
//! known, and a number of steps.
//!
//! - `queries.rs`: an action in a solver, with the lemmas of its source; obligations are lifted through it.
//! - `frames.rs`: the lemmas of each location.
//! - `generalise.rs`: from a blocked cube to a lemma. Words are dropped whole first, then replaced by an interval or
//!   by a comparison of the program (Welp and Kuehlmann, "QF_BV model checking with property directed
//!   reachability", DATE 2013, have intervals), and then bits are dropped.
//! - `search.rs`: the obligations, in the order of their steps, and propagation.
//!
//! A literal of a lemma is a formula over the state: a bit of a word, a bound of a word, or a comparison. An
//! obligation has bits only.
//!
//! Soundness does not rest on the search: an invariant becomes a certificate that is checked, and a run is followed
//! on the automaton.

mod export;
mod frames;
mod generalise;
mod queries;
mod search;
#[cfg(test)]
mod tests;
mod vocabulary;

use craig_aig::Edge;
use craig_mc::control::{Control, StateClause};
use craig_mc::engine::options::{EngineOption, Range};

use super::actions::Actions;
use super::answer::{Answer, Invariant, Run};
use super::cfa::Cfa;
use super::engine::{ARRAYS, BLOCKS, ProgramEngine, Query};
use super::to_model::{Bad, CfaModel};
use search::Search;

/// The engine's name.
pub const NAME: &str = "cfa-pdr";

/// The options of the engine.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether lemmas have literals other than bits.
    pub words: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { words: true }
    }
}

/// The option of that name.
const BITS: EngineOption = EngineOption {
    name: "bit-lemmas",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `cfa-pdr`: lemmas about bits only, without bounds of words and comparisons",
    is_flag: true,
};

/// The registration of the engine.
pub(super) const ENGINE: ProgramEngine = ProgramEngine {
    name: NAME,
    text: "For C programs: property-directed reachability with frames for each location",
    options: &[&BLOCKS, &ARRAYS, &BITS],
    build: |settings| {
        let options = Options {
            words: !settings.switch(&BITS),
        };
        std::sync::Arc::new(move |cfa, query: Query, control| {
            (check(cfa, query.bad, options, control), None)
        })
    },
};

/// Decides whether a bad location is reachable.
#[must_use]
pub fn check(cfa: &Cfa, bad: Bad, options: Options, control: Control<'_>) -> Answer {
    decide(cfa, bad, options, None, control).0
}

/// As [`check`]. The lemmas of the search are returned as well, as clauses over the latches of the automaton's circuit, which
/// hold in all states within some steps. They are candidates for invariants, and have to be proved
/// ([`inductive_clauses`](craig_mc::engine::pdr::inductive_clauses)).
#[must_use]
pub fn check_for_lemmas(
    cfa: &Cfa,
    bad: Bad,
    options: Options,
    encoded: &CfaModel,
    control: Control<'_>,
) -> (Answer, Vec<StateClause>) {
    decide(cfa, bad, options, Some(encoded), control)
}

fn decide(
    cfa: &Cfa,
    bad: Bad,
    options: Options,
    encoded: Option<&CfaModel>,
    control: Control<'_>,
) -> (Answer, Vec<StateClause>) {
    let actions = Actions::new(cfa, bad);
    let mut search = Search::new(&actions, options, control);
    let found = search.run();
    search.count();
    let lemmas = encoded.map_or_else(Vec::new, |encoded| {
        let known = search.frames.by_location();
        export::clauses(&actions, &search.formulas.aig, known, encoded)
    });
    let answer = match found {
        Err(reason) => Answer::Unknown(reason),
        Ok(Some(found)) => Answer::Unsafe(Run::new(cfa, &actions, found)),
        Ok(None) => {
            let (mut aig, lemmas) = search.into_invariant();
            Answer::Safe(Box::new(Invariant::new(
                &actions,
                &mut aig,
                |aig, location| match location {
                    Cfa::ERROR | Cfa::UNSUPPORTED => Edge::FALSE,
                    _ => {
                        let cubes = lemmas[location.index()].iter();
                        let clauses: Vec<Edge> =
                            cubes.map(|cube| !aig.and_all(cube.to_vec())).collect();
                        aig.and_all(clauses)
                    }
                },
            )))
        }
    };
    (answer, lemmas)
}
