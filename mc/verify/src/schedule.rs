//! Which engines and stages search for an answer, and with which shares of the time.

use std::num::NonZeroUsize;

use craig_mc::circuit::reduce::{Passes, ROWS, When};
use craig_mc::engine::entry::{Engine, Run};
use craig_mc::engine::options::Settings;
use craig_mc::liveness::Method;
use craig_mc::portfolio;
use craig_program::line_up::{LineUp, Stages};

use crate::exchange::Exchange;

/// The engines that decide what the stages before them have left open.
#[derive(Clone, Debug)]
pub enum Engines {
    /// Those of a line-up side by side: the first definite answer is the result.
    LineUp(LineUp),
    /// One engine with its options.
    One(&'static Engine, Settings),
}

/// How a question is decided.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The engines.
    pub engines: Engines,
    /// The number of threads for which a line-up selects engines.
    pub threads: usize,
    /// Added to the seeds of a line-up's engines.
    pub seed: u64,
    /// The last step that is looked at by searches that go step by step.
    pub max_depth: Option<usize>,
    /// The passes that reduce a model before the engines. `None`: the engines get the model as it is, and no stage
    /// comes before them.
    pub passes: Option<Passes>,
    /// What comes before the engines.
    pub stages: Stages,
    /// For justice properties: the method. By default, all take turns, or run side by side with more threads.
    pub liveness: Option<&'static Method>,
    /// Whether evidence is certified.
    pub certify: bool,
    /// Where searches of other processes for the same question leave clauses, and this one its own.
    pub exchange: Option<Exchange>,
}

impl Default for Schedule {
    /// The default line-up on all cores, after all stages. Evidence is certified.
    fn default() -> Self {
        let line_up = LineUp::default();
        Self {
            stages: line_up.circuit_stages().clone(),
            engines: Engines::LineUp(line_up),
            threads: std::thread::available_parallelism().map_or(2, NonZeroUsize::get),
            seed: 0,
            max_depth: None,
            passes: Some(Passes::ALL),
            liveness: None,
            certify: true,
            exchange: None,
        }
    }
}

impl Schedule {
    /// One engine with its default options, after all stages.
    #[must_use]
    pub fn of_engine(engine: &'static Engine) -> Self {
        Self {
            engines: Engines::One(engine, Settings::default()),
            ..Self::default()
        }
    }

    /// The name of the engine, or of the portfolio.
    #[must_use]
    pub fn engine_name(&self) -> &'static str {
        match &self.engines {
            Engines::LineUp(_) => portfolio::NAME,
            Engines::One(engine, _) => engine.name,
        }
    }

    /// Whether the engine promises the shortest run to a bad.
    #[must_use]
    pub fn is_shortest(&self) -> bool {
        matches!(self.engines, Engines::One(engine, _) if engine.is_shortest)
    }

    /// Whether several engines search at once.
    #[must_use]
    pub fn is_line_up(&self) -> bool {
        matches!(self.engines, Engines::LineUp(_))
    }

    /// The one engine, if it is one.
    pub(crate) fn run(&self) -> Option<Run> {
        match &self.engines {
            Engines::LineUp(_) => None,
            Engines::One(engine, settings) => Some((engine.build)(settings)),
        }
    }

    /// The passes for models of justice properties: those that are on by default, as far as they are chosen.
    pub(crate) fn passes_for_justice(&self) -> Passes {
        let Some(chosen) = self.passes else {
            return Passes::NONE;
        };
        let usual = ROWS.iter().filter(|row| row.when == When::Usually);
        let names = usual.map(|row| row.pass.name());
        names
            .filter(|name| !chosen.contains(name))
            .fold(Passes::ALL, Passes::without)
    }
}
