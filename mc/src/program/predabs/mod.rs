//! Predicate abstraction with transition interpolants (R. Jhala and K. L. McMillan, "Interpolant-based
//! transition relation approximation", LMCS 2007, section 6): the engine `predabs`.
//!
//! Each location has a list of predicates over its words, and each action a relation between the predicates at
//! its source and those at its target, which approximates the action from above and is true at first. Decision
//! diagrams tell which combinations of values of the predicates are reachable in this Boolean program. A path
//! of it to what is bad leads to one of three ends (section 6.1):
//!
//! - The path is infeasible, and the predicates suffice to see that: the relations of its actions are made
//!   smaller, by symmetric interpolants of one refutation, or by the method of Das and Dill.
//! - It is infeasible, but the predicates do not suffice: the interpolants of its refutation over the words
//!   become predicates.
//! - It is a run of the program.
//!
//! Actions are functions, so that a predicate behind an action is its weakest precondition before it, and no
//! variables for the words behind the action are needed (section 6.2). `--image` chooses what is known of an
//! image besides the relation (section 6.3).

mod action_queries;
mod boolean_program;
mod predicates;
mod refine;
mod search;
#[cfg(test)]
mod tests;

use craig_solver::aig::Edge;

use super::actions::Actions;
use super::answer::{Answer, Invariant, Run};
use super::cfa::Cfa;
use super::engine::{BLOCKS, ProgramEngine};
use super::refutation::{Dial, SIMPLIFY, TRANSFORM};
use super::to_model::Bad;
use crate::control::Control;
use crate::engine::options::{EngineOption, Range, SYSTEM, Settings, Word};
use search::{End, Search};

/// The engine's name.
pub const NAME: &str = "predabs";

/// What is taken for the successors of a set of states of the Boolean program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Image {
    /// Those that the approximate relation of the action allows.
    Approximate,
    /// Of these, those in the strongest cube of predicates that follows from the set and the action.
    Hybrid,
    /// Those in that cube. The relations stay true, so that the engine gives up where the cubes do not tell.
    Cartesian,
    /// Those that some step of the program leads to: each combination of values is found by a solver.
    Exact,
}

/// How the relations of actions are made smaller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refinement {
    /// By interpolants of the path.
    Interpolants,
    /// By one run of the Boolean program along the path: combinations of predicates that no step of the
    /// program connects are excluded (S. Das and D. L. Dill, "Successive approximation of abstract transition
    /// relations", LICS 2001).
    DasDill,
}

/// What can be chosen.
#[derive(Clone, Debug)]
pub struct Options {
    /// How interpolants are drawn.
    pub dial: Dial,
    /// What images are.
    pub image: Image,
    /// How relations are refined.
    pub refinement: Refinement,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            dial: Dial::default(),
            image: Image::Hybrid,
            refinement: Refinement::Interpolants,
        }
    }
}

const IMAGE: EngineOption = EngineOption {
    name: "image",
    placeholder: "IMAGE",
    range: Range::Word(&[
        Word {
            name: "approx",
            text: "By the approximate relations of the actions",
        },
        Word {
            name: "hybrid",
            text: "By these, and the strongest cube of predicates that follows",
        },
        Word {
            name: "cartesian",
            text: "By that cube alone",
        },
        Word {
            name: "exact",
            text: "Exactly: one query for each combination of predicates",
        },
    ]),
    default: Some("hybrid"),
    text: "For `predabs`: how the image of a set of abstract states is computed",
    is_flag: true,
};

const REFINE: EngineOption = EngineOption {
    name: "refine",
    placeholder: "REFINE",
    range: Range::Word(&[
        Word {
            name: "itp",
            text: "By interpolants of the path",
        },
        Word {
            name: "dasdill",
            text: "By excluding transitions of one abstract run (Das and Dill 2001)",
        },
    ]),
    default: Some("itp"),
    text: "For `predabs`: how the approximate relations are refined",
    is_flag: true,
};

/// The engine for users to choose.
pub(super) const ENGINE: ProgramEngine = ProgramEngine {
    name: NAME,
    text: "For C programs: predicate abstraction with transition interpolants (Jhala and McMillan 2007)",
    options: &[&SYSTEM, &TRANSFORM, &SIMPLIFY, &BLOCKS, &IMAGE, &REFINE],
    build: |settings| {
        let options = Options::chosen(settings);
        std::sync::Arc::new(move |cfa, query, control| {
            (check(cfa, query.bad, &options, control), None)
        })
    },
};

impl Options {
    fn chosen(settings: &Settings) -> Self {
        Self {
            dial: Dial::chosen(settings),
            image: match settings.word(&IMAGE).as_str() {
                "approx" => Image::Approximate,
                "cartesian" => Image::Cartesian,
                "exact" => Image::Exact,
                _ => Image::Hybrid,
            },
            refinement: match settings.word(&REFINE).as_str() {
                "dasdill" => Refinement::DasDill,
                _ => Refinement::Interpolants,
            },
        }
    }
}

/// Decides whether what is bad can be reached.
#[must_use]
pub fn check(cfa: &Cfa, bad: Bad, options: &Options, control: &Control) -> Answer {
    let actions = Actions::new(cfa, bad);
    let mut search = Search::new(&actions, options, control);
    match search.run() {
        Err(reason) => Answer::Unknown(reason),
        Ok(End::Run(found)) => Answer::Unsafe(Run::new(cfa, &actions, &found.path, found.chosen)),
        Ok(End::Complete) => {
            let (aig, reached) = search.concretise();
            let mut aig = aig;
            let formulas: Vec<Edge> = (cfa.location_ids())
                .map(|location| match location {
                    Cfa::START => {
                        let inputs = aig.inputs();
                        let zero = |&bit: &u32| Edge::new(inputs[bit as usize], true);
                        let zeros: Vec<Edge> = actions.start_bits().iter().map(zero).collect();
                        aig.and_all(zeros)
                    }
                    _ if !actions.reaches(location) => Edge::TRUE,
                    _ => reached[location.index()],
                })
                .collect();
            Answer::Safe(Box::new(Invariant::new(
                &aig,
                actions.bits().to_vec(),
                &formulas,
            )))
        }
    }
}
