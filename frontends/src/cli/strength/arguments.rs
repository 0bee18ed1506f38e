//! The arguments of `craig strength`.

use std::path::PathBuf;
use std::time::Duration;

use craig_solver::Label;

use super::convergence::{Derivation, Engine};
use crate::cli::failure::Failure;
use crate::cli::itp::{ClassicSystem, SensitiveKind};
use crate::cli::programs::Machine;
use crate::cli::transforms::{Chain, ProofTransform};
use crate::cli::watch::{parse_megabytes, parse_seconds};

/// Compare interpolants of the same problem: proofs from different seeds or from files, transformed or not,
/// in different labelled systems.
///
/// For each: whether it is valid, its size, the fraction of assignments that satisfy it, and the implications
/// between them. With `--convergence`, circuits and programs are also model checked with each system, to
/// measure the effect of strength on convergence. Times are processor time.
///
/// When a limit is reached, the results so far are reported, and missing parts are named. Exit codes: 0; 30
/// if a limit or a signal left parts of the study undone; 1 if an interpolant is wrong, or an order that has
/// to hold does not.
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct Arguments {
    /// DIMACS files with lines `c partition N`, circuits in AIGER or BTOR2, C programs, folders of them, or `@LIST` for the
    /// files that the lines of a file name.
    #[arg(required_unless_present = "a", conflicts_with_all = ["a", "b"])]
    pub(super) files: Vec<PathBuf>,
    /// Partition 0, in DIMACS.
    #[arg(long, value_name = "FILE", requires = "b")]
    pub(super) a: Option<PathBuf>,
    /// Partition 1, in DIMACS, over the same variables.
    #[arg(long, value_name = "FILE", requires = "a")]
    pub(super) b: Option<PathBuf>,
    /// A refutation by another solver, to be studied with the others: LRAT, DRAT (`.drat`; both also binary) or
    /// TraceCheck (`.tc`, `.tracecheck`). For one problem only; may be given several times.
    #[arg(long, value_name = "FILE")]
    pub(super) proof: Vec<PathBuf>,
    /// A file of labels, as `craig itp --labelling` reads it, to be studied with the other labellings. May be
    /// given several times.
    #[arg(long, value_name = "FILE")]
    pub(super) labelling: Vec<PathBuf>,
    /// The last partition (for a circuit: step) that belongs to A.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) cut: Label,
    /// For circuits and programs: the step in which the bad holds, counted from 0; by default 5. A program's steps lead
    /// from one loop head to the next.
    #[arg(long, value_name = "STEPS", conflicts_with = "a")]
    pub(super) bound: Option<usize>,
    /// For circuits: the number of the bad, counted from 0; by default, the first.
    #[arg(long, value_name = "N", conflicts_with = "a")]
    pub(super) property: Option<usize>,
    /// For C programs: their machine, that is, the sizes of `long` and pointers; by default `lp64`.
    #[arg(long, value_name = "MODEL", conflicts_with = "a")]
    pub(super) data_model: Option<Machine>,
    /// The number of proofs to search for, from seeds 0, 1, ..
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2,
        value_parser = clap::value_parser!(u64).range(0..=100)
    )]
    pub(super) seeds: u64,
    /// The number of random labellings, half of them with a label per occurrence of a literal.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2,
        value_parser = clap::value_parser!(u64).range(0..=100)
    )]
    pub(super) random: u64,
    /// Also study labels by the occurrences of variables in the proof, as `craig itp --proof-sensitive` has them.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub(super) proof_sensitive: Vec<SensitiveKind>,
    /// Also study interpolants that are derived clause by clause.
    #[arg(long)]
    pub(super) clausewise: bool,
    /// The classic systems, also those for `--convergence`.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "mcmillan,symmetric,inverse"
    )]
    pub(super) systems: Vec<ClassicSystem>,
    /// Transforms of each proof: names as in `craig itp --transform`, or several of them joined by `+`, as in
    /// `recycle-units+lower-units`.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "none,raise-local,reduce",
        value_parser = Chain::parse
    )]
    pub(super) transforms: Vec<Chain>,
    /// The maximal number of rounds of `reduce`; by default 20.
    #[arg(long, value_name = "N")]
    pub(super) rounds: Option<usize>,
    /// The conflict limit of a search; problems that are not refuted within it are omitted.
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    pub(super) conflicts: u64,
    /// Assignments to sample if a density can't be counted.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 65_536,
        value_parser = clap::value_parser!(u64).range(64..=1 << 30)
    )]
    pub(super) samples: u64,
    /// Do not measure the effect of compaction.
    #[arg(long)]
    pub(super) no_compact: bool,
    /// Also measure the effect of simplification, as by `craig itp --simplify`.
    #[arg(long)]
    pub(super) simplify: bool,
    /// Do not check Craig's conditions.
    #[arg(long)]
    pub(super) no_verify: bool,
    /// Also model check circuits and programs with the interpolating engines, in each system.
    #[arg(long, conflicts_with = "a")]
    pub(super) convergence: bool,
    /// The engines that `--convergence` runs.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "imc,isb,tra",
        requires = "convergence"
    )]
    pub(super) engines: Vec<Engine>,
    /// The derivations of their interpolants.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "forward,backward,reduced,raised",
        requires = "convergence"
    )]
    pub(super) derivations: Vec<Derivation>,
    /// The processor time of each of these runs.
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = parse_seconds, requires = "convergence")]
    pub(super) run_time: Duration,
    /// Stop after this time, and report the results so far.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(super) timeout: Option<Duration>,
    /// Continue with the next problem after this processor time on one of them (runs of `--convergence`
    /// not counted).
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(super) problem_timeout: Option<Duration>,
    /// Stop when this amount of memory is resident, and report the results so far.
    #[arg(long, value_name = "MB", value_parser = parse_megabytes)]
    pub(super) memory: Option<u64>,
    /// Print JSON instead of a table.
    #[arg(long, conflicts_with = "csv")]
    pub(super) json: bool,
    /// Print comma-separated values instead of a table.
    #[arg(long)]
    pub(super) csv: bool,
    /// Write the study as one HTML file with plots.
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
}

impl Arguments {
    /// The rounds of `reduce`.
    ///
    /// # Errors
    /// If they are given without it.
    pub(super) fn rounds(&self) -> Result<usize, Failure> {
        let all = self.transforms.iter().flat_map(|chain| &chain.transforms);
        ProofTransform::rounds_among(all.copied(), self.rounds)
    }
}
