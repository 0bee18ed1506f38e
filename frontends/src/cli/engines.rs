//! The engines and their options on the command line, and the judgement on what they return.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use clap::builder::{PossibleValue, PossibleValuesParser};
use craig_itp::System;
use craig_mc::circuit::certify::{certify_certificate, certify_trace};
use craig_mc::circuit::reduce::{self, Passes, When};
use craig_mc::engine::first_steps::{self, Effort};
use craig_mc::engine::{avy, bdd, bmc, imc, isb, kind, pdr, sim, tra};
use craig_mc::{Control, Model, Outcome, StateClause, Verdict, portfolio};

use super::failure::Failure;
use super::terminal::complain;
use super::watch::parse_seconds;

/// What `check` and `hwmcc` have in common.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct EngineArguments {
    /// Which engine to use.
    #[arg(long, value_name = "ENGINE", default_value = "portfolio")]
    pub(super) engine: EngineName,
    /// For how many threads the portfolio chooses its engines. By default, as many as there are cores.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// For `imc`, `isb` and `avy`: the interpolation system, from the strongest interpolants to the weakest.
    #[arg(long, value_name = "SYSTEM", default_value = "mcmillan")]
    system: SystemName,
    /// For `imc`: which way interpolants are derived.
    #[arg(long, value_name = "WAY", default_value = "forward")]
    interpolants: Interpolants,
    /// For `pdr`: how hard lemmas are generalised.
    #[arg(long, value_name = "HOW", default_value = "counterexamples")]
    pdr_generalisation: GeneralisationName,
    /// For `pdr`: do without a technique, to see what it is good for; may be repeated.
    #[arg(long, value_name = "TECHNIQUE")]
    pdr_without: Vec<TechniqueName>,
    /// For `pdr` and the portfolio: what is tried first is varied by this number.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// For `bmc`, `imc`, `isb`, `avy`, `kind` and `pdr`: go no further than so many steps, counted from 0.
    #[arg(long, value_name = "STEPS")]
    max_depth: Option<usize>,
    /// For `bmc`: how many steps to ask about at once, a number or `doubling`. Runs may then not be the shortest.
    #[arg(long, value_name = "STEPS", value_parser = parse_stride)]
    bmc_stride: Option<BmcStride>,
    /// For `bmc`: simulate at random first. Runs that this finds may not be the shortest.
    #[arg(long)]
    simulate: bool,
    /// For `bdd`: which way to go from where.
    #[arg(long, value_name = "WAY", default_value = "both")]
    bdd_direction: BddDirection,
    /// For `bdd`: give up when so many nodes do not suffice.
    #[arg(long, value_name = "NODES", default_value = "4194304")]
    bdd_nodes: NonZeroUsize,
    /// For `isb`: state what is known of each depth in later instances.
    #[arg(long)]
    isb_strengthen: bool,
    /// For `isb`: go on from each sequence as `imc` would.
    #[arg(long)]
    isb_restart: bool,
    /// For `tra`: which engine decides the approximate systems.
    #[arg(long, value_name = "ENGINE", default_value = "pdr")]
    tra_inner: TraInner,
    /// For `tra`: always refute whole runs, and without what is known of their steps, as in the paper
    #[arg(long)]
    tra_whole_runs: bool,
    /// For `tra`: draw interpolants from proofs as they are, without raising local resolutions first.
    #[arg(long)]
    no_raising: bool,
    /// Stop after so many seconds. Several properties share them out.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(super) timeout: Option<Duration>,
    /// Stop when so much memory is resident. From seven eighths of it on, the portfolio stops its engines one by one, the
    /// last of its line-up first, as long as more than one is at work.
    #[arg(long, value_name = "MB")]
    pub(super) memory: Option<u64>,
    /// Don't judge verdicts before they are printed.
    #[arg(long)]
    pub(super) no_certify: bool,
    /// Search the circuit as it is, instead of reducing it first.
    #[arg(long)]
    no_preprocess: bool,
    /// Leave out a pass of the reduction; may be repeated.
    #[arg(long, value_name = "PASS", value_parser = pass_names(When::Usually))]
    skip_pass: Vec<String>,
    /// Add a pass to the reduction that is left out by default; may be repeated.
    #[arg(long, value_name = "PASS", value_parser = pass_names(When::OnRequest))]
    extra_pass: Vec<String>,
    /// Reduce the circuit without a look at its first steps before. That look is bounded model checking and, if the
    /// engine does not promise the shortest run, a little simulation.
    #[arg(long)]
    no_first_steps: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum EngineName {
    /// Several engines side by side; the first definite answer wins.
    Portfolio,
    /// Bounded model checking: finds the shortest run to a bad, and never answers "safe".
    Bmc,
    /// Interpolation-based model checking (McMillan 2003).
    Imc,
    /// Interpolation sequences (Vizel and Grumberg 2009).
    Isb,
    /// Transition relation approximation (Jhala and McMillan).
    Tra,
    /// Interpolation sequences made into inductive traces (Vizel and Gurfinkel 2014).
    Avy,
    /// Reachability with binary decision diagrams: for small circuits.
    Bdd,
    /// Random simulation: finds runs to a bad, not the shortest, and never answers "safe".
    Sim,
    /// k-induction with simple paths.
    Kind,
    /// Property-directed reachability, also known as IC3.
    Pdr,
}

/// The names of the passes with such rows, for users to choose from.
fn pass_names(when: When) -> PossibleValuesParser {
    let rows = reduce::ROWS.iter().filter(|row| row.when == when);
    let mut names: Vec<_> = rows
        .map(|row| PossibleValue::new(row.pass.name()).help(row.pass.text()))
        .collect();
    if when == When::OnRequest {
        names.sort_by(|left, right| left.get_name().cmp(right.get_name()));
    }
    PossibleValuesParser::new(names)
}

/// How many gates to evaluate ahead of bounded model checking, each for 64 runs at once: some seconds.
const SIMULATION_AHEAD: u64 = 2_000_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BmcStride {
    Doubling,
    Steps(NonZeroUsize),
}

fn parse_stride(text: &str) -> Result<BmcStride, String> {
    match text {
        "doubling" => Ok(BmcStride::Doubling),
        _ => text
            .parse()
            .map(BmcStride::Steps)
            .map_err(|_| "expected `doubling` or a number of steps, at least 1".to_string()),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum BddDirection {
    /// From the reset states.
    Forward,
    /// From the bad.
    Backward,
    /// From the reset states, and if there are not enough nodes for that, from the bad.
    Both,
}

/// An engine that can decide the approximate systems of `tra`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TraInner {
    /// Interpolation-based model checking.
    Imc,
    /// Property-directed reachability.
    Pdr,
    /// Binary decision diagrams, as in the paper.
    Bdd,
}

/// See [`pdr::Generalisation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum GeneralisationName {
    /// Literals are dropped one at a time.
    Plain,
    /// Counterexamples to dropping one are blocked if that takes one query each.
    Counterexamples,
    /// Counterexamples are blocked with their predecessors.
    Extended,
    /// One of these for each obligation, by how often it has come back.
    Dynamic,
}

/// See [`pdr::Techniques`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TechniqueName {
    /// Dropping all literals that a counterexample does not share.
    Joins,
    /// Dropping the literals of an earlier frame's lemma last.
    Parents,
    /// Forgetting obligations that keep coming back.
    Forget,
    /// Looking for lemmas that hold for ever after each frame.
    Invariants,
    /// Passing by frames that have not become stronger.
    SkipUntouched,
    /// Taking over the lemmas of other engines.
    Import,
    /// Reducing the final invariant to what is needed.
    Shrink,
    /// Taking turns with a second attempt that generalises plainly.
    Turns,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SystemName {
    /// McMillan's: the strongest.
    Mcmillan,
    /// Huang's, Krajicek's and Pudlak's.
    Symmetric,
    /// The dual of McMillan's: the weakest.
    Inverse,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Interpolants {
    /// From the first step: what it implies.
    Forward,
    /// From the way to the bad: what contradicts it.
    Backward,
}

impl SystemName {
    fn system(self) -> System {
        match self {
            Self::Mcmillan => System::McMillan,
            Self::Symmetric => System::Symmetric,
            Self::Inverse => System::InverseMcMillan,
        }
    }
}

impl EngineName {
    /// Whether the engine promises the shortest run to a bad.
    pub(super) fn is_shortest(self) -> bool {
        matches!(self, Self::Bmc | Self::Kind)
    }

    /// What people call the engine.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Portfolio => portfolio::NAME,
            Self::Bmc => bmc::NAME,
            Self::Imc => imc::NAME,
            Self::Isb => isb::NAME,
            Self::Tra => tra::NAME,
            Self::Avy => avy::NAME,
            Self::Bdd => bdd::NAME,
            Self::Sim => sim::NAME,
            Self::Kind => kind::NAME,
            Self::Pdr => pdr::NAME,
        }
    }
}

/// How evidence was judged.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Judgement {
    /// Nobody asked, or there is none.
    None,
    /// It holds; judging it took so many seconds.
    Valid(f64),
    /// It does not hold, and this is why.
    Invalid(String),
}

/// With more lemmas from other properties than this, trying them would cost more than it brings.
const MOST_LEMMAS: usize = 1000;

/// Clauses about a model's latches that have held for ever in some reduction of it. For another property they are
/// suggestions, which its engine has to prove anew.
#[derive(Debug, Default)]
pub(super) struct Lemmas {
    clauses: Vec<StateClause>,
    known: HashSet<StateClause>,
}

impl Lemmas {
    fn extend(&mut self, clauses: impl IntoIterator<Item = StateClause>) {
        for mut clause in clauses {
            clause.sort_unstable();
            if self.clauses.len() < MOST_LEMMAS && self.known.insert(clause.clone()) {
                self.clauses.push(clause);
            }
        }
    }

    /// The clauses that speak of no other latches than those numbered in `numbers`, by their places there.
    fn about(&self, numbers: &[Option<usize>]) -> Vec<StateClause> {
        let places: HashMap<usize, usize> = (numbers.iter().enumerate())
            .filter_map(|(place, &number)| Some((number?, place)))
            .collect();
        let renumbered = |clause: &StateClause| {
            (clause.iter())
                .map(|&(latch, value)| Some((*places.get(&latch)?, value)))
                .collect()
        };
        self.clauses.iter().filter_map(renumbered).collect()
    }
}

impl EngineArguments {
    /// For how many threads engines are chosen.
    pub(super) fn n_threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(2, NonZeroUsize::get);
        self.threads.unwrap_or_else(cores)
    }

    /// Reduces the model, runs the engine, and says of the model what it found.
    pub(super) fn check(
        &self,
        model: &Model,
        property: usize,
        control: &Control,
    ) -> Result<Outcome, Failure> {
        self.check_with(model, property, &mut Lemmas::default(), control)
    }

    /// The same, with what was found out about the model's states on the way to other verdicts; adds to that.
    pub(super) fn check_with(
        &self,
        model: &Model,
        property: usize,
        lemmas: &mut Lemmas,
        control: &Control,
    ) -> Result<Outcome, Failure> {
        if self.no_preprocess {
            let control = control.clone().with_candidates(lemmas.clauses.clone());
            let outcome = self.search(model, property, &control)?;
            lemmas.extend(control.invariants(0));
            return Ok(outcome);
        }
        if let Some(outcome) = self.look(model, property, control) {
            return Ok(outcome);
        }
        let reduced = reduce::run(model, property, &self.passes(), control);
        let numbers = reduced.lift.latches();
        let candidates = lemmas.about(&numbers);
        let control = control.clone().with_candidates(candidates);
        let outcome = self.search(&reduced.model, 0, &control)?;
        // A clause about a latch that only the reduced model has says nothing of the model's own.
        let spread = |clause: StateClause| {
            (clause.into_iter())
                .map(|(latch, value)| Some((numbers[latch]?, value)))
                .collect()
        };
        lemmas.extend(control.invariants(0).into_iter().filter_map(spread));
        Ok(reduced.lift_outcome(outcome))
    }

    /// Looks for a bad that is easy to find before the model is reduced.
    fn look(&self, model: &Model, property: usize, control: &Control) -> Option<Outcome> {
        if self.no_first_steps {
            return None;
        }
        let mut effort = Effort::default();
        if let Some(depth) = self.max_depth {
            effort = effort.up_to(depth);
        }
        if self.engine.is_shortest() {
            effort.evaluations = None;
        }
        first_steps::look(model, property, &effort, control)
    }

    fn pdr_options(&self) -> pdr::Options {
        let mut techniques = pdr::Techniques::ALL;
        let mut first_turn = Some(pdr::Options::FIRST_TURN);
        for technique in &self.pdr_without {
            *match technique {
                TechniqueName::Turns => {
                    first_turn = None;
                    continue;
                }
                TechniqueName::Joins => &mut techniques.joins,
                TechniqueName::Parents => &mut techniques.parents,
                TechniqueName::Forget => &mut techniques.forget,
                TechniqueName::Invariants => &mut techniques.invariants,
                TechniqueName::SkipUntouched => &mut techniques.skip_untouched,
                TechniqueName::Import => &mut techniques.import,
                TechniqueName::Shrink => &mut techniques.shrink,
            } = false;
        }
        pdr::Options {
            generalisation: match self.pdr_generalisation {
                GeneralisationName::Plain => pdr::Generalisation::Plain,
                GeneralisationName::Counterexamples => pdr::Generalisation::Counterexamples,
                GeneralisationName::Extended => pdr::Generalisation::Extended,
                GeneralisationName::Dynamic => pdr::Generalisation::Dynamic,
            },
            techniques,
            seed: self.seed,
            max_frames: self.max_depth,
            first_turn,
            recording: None,
        }
    }

    fn passes(&self) -> Passes {
        let skipped = self.skip_pass.iter();
        let passes = skipped.fold(Passes::ALL, |passes, name| passes.without(name));
        let extra = self.extra_pass.iter();
        extra.fold(passes, |passes, name| passes.with(name))
    }

    /// Runs the engine. An engine of the portfolio that breaks down is an internal failure unless another one has
    /// an answer.
    fn search(
        &self,
        model: &Model,
        property: usize,
        control: &Control,
    ) -> Result<Outcome, Failure> {
        Ok(match self.engine {
            EngineName::Portfolio => {
                let entries = portfolio::seeded_line_up(self.n_threads(), self.seed);
                let report = portfolio::check(model, property, &entries, control);
                for failure in &report.failures {
                    complain(&format!(
                        "internal failure: engine {}: {}",
                        failure.entry, failure.message
                    ));
                }
                if !report.failures.is_empty()
                    && matches!(report.outcome.verdict, Verdict::Unknown(_))
                {
                    return Err(Failure::internal(
                        "an engine broke down and no other has an answer",
                    ));
                }
                control.share_invariants(report.invariants);
                report.outcome
            }
            EngineName::Bmc => {
                let options = bmc::Options {
                    max_depth: self.max_depth,
                    stride: match self.bmc_stride {
                        None => bmc::Stride::One,
                        Some(BmcStride::Doubling) => bmc::Stride::Doubling,
                        Some(BmcStride::Steps(steps)) => bmc::Stride::Fixed(steps.get()),
                    },
                    simulation: self.simulate.then(|| sim::Options {
                        evaluations: Some(SIMULATION_AHEAD),
                        ..sim::Options::default()
                    }),
                    ..bmc::Options::default()
                };
                bmc::check(model, property, &options, control)
            }
            EngineName::Isb => {
                let options = isb::Options {
                    system: self.system.system(),
                    strengthen: self.isb_strengthen,
                    restart: self.isb_restart,
                    max_bound: self.max_depth,
                    ..isb::Options::default()
                };
                isb::check(model, property, &options, control)
            }
            EngineName::Tra => tra::check(model, property, &self.tra_options(), control),
            EngineName::Bdd => {
                let options = bdd::Options {
                    direction: match self.bdd_direction {
                        BddDirection::Forward => bdd::Direction::Forward,
                        BddDirection::Backward => bdd::Direction::Backward,
                        BddDirection::Both => bdd::Direction::Both,
                    },
                    nodes: self.bdd_nodes.get(),
                    max_bound: self.max_depth,
                };
                bdd::check(model, property, &options, control)
            }
            EngineName::Sim => {
                let mut options = sim::Options::default();
                if let Some(depth) = self.max_depth {
                    options.max_depth = depth;
                }
                sim::check(model, property, &options, control)
            }
            EngineName::Avy => {
                let options = avy::Options {
                    system: self.system.system(),
                    max_bound: self.max_depth,
                    ..avy::Options::default()
                };
                avy::check(model, property, &options, control)
            }
            EngineName::Kind => {
                let options = kind::Options {
                    max_depth: self.max_depth,
                    ..kind::Options::default()
                };
                kind::check(model, property, &options, control)
            }
            EngineName::Pdr => pdr::check(model, property, &self.pdr_options(), control),
            EngineName::Imc => {
                let options = imc::Options {
                    system: self.system.system(),
                    interpolants: match self.interpolants {
                        Interpolants::Forward => imc::Interpolants::Forward,
                        Interpolants::Backward => imc::Interpolants::Backward,
                    },
                    max_bound: self.max_depth,
                    ..imc::Options::default()
                };
                imc::check(model, property, &options, control)
            }
        })
    }

    fn tra_options(&self) -> tra::Options {
        let mut options = tra::Options {
            inner: match self.tra_inner {
                TraInner::Imc => {
                    |model, _, control| imc::check(model, 0, &imc::Options::default(), control)
                }
                TraInner::Pdr => |model, reached, control| {
                    pdr::resume(model, 0, &pdr::Options::default(), reached, control)
                },
                TraInner::Bdd => {
                    |model, _, control| bdd::check(model, 0, &bdd::Options::default(), control)
                }
            },
            ..tra::Options::default()
        };
        if self.no_raising {
            options.raising = None;
        }
        options.whole_runs = self.tra_whole_runs;
        options
    }

    /// Judges the evidence on the original model, with a solver by another hand.
    pub(super) fn judge(&self, model: &Model, property: usize, verdict: &Verdict) -> Judgement {
        let start = Instant::now();
        let result = match verdict {
            Verdict::Unknown(_) => return Judgement::None,
            _ if self.no_certify => return Judgement::None,
            Verdict::Safe(certificate) => certify_certificate(model, property, certificate),
            Verdict::Unsafe(trace) => certify_trace(model, property, trace).map(|_| ()),
        };
        match result {
            Ok(()) => Judgement::Valid(start.elapsed().as_secs_f64()),
            Err(error) => Judgement::Invalid(error.to_string()),
        }
    }
}
