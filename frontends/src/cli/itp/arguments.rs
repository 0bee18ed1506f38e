//! The arguments of `craig itp`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use craig_formula::Format;
use craig_itp::System;
use craig_itp::proof_sensitive::ProofSensitive;
use craig_solver::Label;

use super::input::Source;
use crate::cli::failure::Failure;
use crate::cli::transforms::ProofTransform;
use crate::cli::watch::{parse_megabytes, parse_seconds};

/// Compute Craig interpolants of an unsatisfiable formula whose clauses are divided among partitions.
///
/// The partitions are two DIMACS files (`--a`, `--b`: numbers 0 and 1), one DIMACS file with lines `c
/// partition N`, or an AIGER circuit or a C program unrolled to a bound (step N is partition N). Without
/// `--sequence`, `--symmetric` or `--tree`, one interpolant is computed: of the partitions up to the cut
/// against the others.
///
/// Exit codes: 0; 10 if the formula is satisfiable, so that there is nothing to interpolate; 30 if a limit
/// was reached before there was a refutation, or before `--verify` was done.
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    pub(super) source: Source,
    /// A refutation by another solver, in LRAT, DRAT (`.drat`; both also binary) or TraceCheck (`.tc`,
    /// `.tracecheck`), plain or compressed.
    #[arg(long, value_name = "FILE")]
    pub(super) proof: Option<PathBuf>,
    /// The format of the proof, if its name does not determine it.
    #[arg(long, value_name = "FORMAT", requires = "proof")]
    pub(super) proof_format: Option<ProofFormat>,
    /// The labels of shared variables: a classic system, from the strongest to the weakest.
    #[arg(
        long,
        value_name = "SYSTEM",
        default_value = "mcmillan",
        conflicts_with_all = ["labelling", "random", "proof_sensitive", "clausewise"]
    )]
    pub(super) system: ClassicSystem,
    /// Labels that the numbers of occurrences of a variable in both sides of the proof determine, for small
    /// interpolants.
    #[arg(
        long,
        value_name = "KIND",
        conflicts_with_all = ["labelling", "random", "clausewise"]
    )]
    pub(super) proof_sensitive: Option<SensitiveKind>,
    /// Interpolants in conjunctive normal form, derived clause by clause instead of by labels.
    #[arg(long, conflicts_with_all = ["labelling", "random", "symmetric", "tree"])]
    pub(super) clausewise: bool,
    /// Labels from a file: lines `VAR a|b|ab`, `default SIDE`, `cut N VAR SIDE`, `cut N default SIDE`, `lit LIT SIDE`,
    /// `clause N LIT SIDE`.
    #[arg(long, value_name = "FILE", conflicts_with = "random")]
    pub(super) labelling: Option<PathBuf>,
    /// Random labels, one for each variable: with `--symmetric` and `--tree` of b and ab.
    #[arg(long, value_name = "SEED")]
    pub(super) random: Option<u64>,
    /// The last partition that belongs to A.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        conflicts_with_all = ["sequence", "symmetric", "tree"]
    )]
    pub(super) cut: Label,
    /// One interpolant for each cut between two partitions.
    #[arg(long, conflicts_with_all = ["symmetric", "tree"])]
    pub(super) sequence: bool,
    /// One interpolant for each partition against all others.
    #[arg(long, conflicts_with = "tree")]
    pub(super) symmetric: bool,
    /// One interpolant for each subtree: the parents of partitions 0, 1, .., with `-` for the root,
    /// as in `2,2,-`.
    #[arg(long, value_name = "PARENTS", allow_hyphen_values = true)]
    pub(super) tree: Option<String>,
    /// The seed of the search for the proof.
    #[arg(
        long,
        value_name = "SEED",
        default_value_t = 0,
        conflicts_with = "proof"
    )]
    pub(super) seed: u64,
    /// Transforms that are applied to the proof first, in this order.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(super) transform: Vec<ProofTransform>,
    /// The maximal number of rounds of `reduce`; by default 20.
    #[arg(long, value_name = "N", requires = "transform")]
    pub(super) rounds: Option<usize>,
    /// Check the interpolants by SAT: Craig's conditions, and the joint condition of several interpolants.
    #[arg(long)]
    pub(super) verify: bool,
    /// Compute nothing, but check the interpolants of this file, by the solver varisat and without their proof: outputs of a
    /// circuit in AIGER whose inputs have the names of variables, as `--output FILE.aag` and `craig check --record` write them. A
    /// refutation that `--proof` names is checked as well.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = [
            "system", "proof_sensitive", "clausewise", "labelling", "random", "seed", "transform", "rounds", "verify", "compact",
            "simplify", "output", "export", "proof_graph", "json"
        ]
    )]
    pub(super) check: Option<PathBuf>,
    /// Make the interpolants smaller without changing their functions.
    #[arg(long)]
    pub(super) compact: bool,
    /// Make the interpolants smaller within the freedom that A and B leave: the result may be stronger or
    /// weaker.
    #[arg(long)]
    pub(super) simplify: bool,
    /// Stop after this time. Interpolants that are computed by then but not yet verified are written
    /// and reported as unverified.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(super) timeout: Option<Duration>,
    /// Stop when this amount of memory is resident.
    #[arg(long, value_name = "MB", value_parser = parse_megabytes)]
    pub(super) memory: Option<u64>,
    /// The output file of the interpolants; `-` is standard output; the summary then goes to standard
    /// error.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// The format to write, if the file's name does not determine it.
    #[arg(
        long = "to",
        alias = "format",
        value_name = "FORMAT",
        requires = "output"
    )]
    pub(super) format: Option<Format>,
    /// Write the clauses with their partitions, the proof and the names of variables into a folder, for other tools:
    /// `problem.cnf`, `proof.lrat` and `names.txt`.
    #[arg(long, value_name = "DIR")]
    pub(super) export: Option<PathBuf>,
    /// Draw the proof with Graphviz.
    #[arg(long, value_name = "FILE")]
    pub(super) proof_graph: Option<PathBuf>,
    /// Print the summary as JSON.
    #[arg(long)]
    pub(super) json: bool,
}

impl Arguments {
    /// The rounds of `reduce`.
    ///
    /// # Errors
    /// If they are given without it.
    pub(super) fn rounds(&self) -> Result<usize, Failure> {
        ProofTransform::rounds_among(self.transform.iter().copied(), self.rounds)
    }

    /// The files that are read.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &Path> {
        let others = [&self.proof, &self.labelling, &self.check]
            .into_iter()
            .flatten();
        self.source.files().chain(others.map(PathBuf::as_path))
    }
}

/// The formats of refutations by other solvers.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(in crate::cli) enum ProofFormat {
    /// LRAT, text or binary.
    Lrat,
    /// DRAT, text or binary: the steps are derived by unit propagation; RAT steps are refused.
    Drat,
    /// TraceCheck.
    Tracecheck,
}

/// The proof-sensitive labellings as the command line names them.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(in crate::cli) enum SensitiveKind {
    /// PSs: ab for variables that A has at least as often as B, else b: the strongest.
    Pss,
    /// PS: a for these, else b: the fewest literals.
    Ps,
    /// PSw: a for these, else ab: the weakest.
    Psw,
}

impl From<SensitiveKind> for ProofSensitive {
    fn from(kind: SensitiveKind) -> Self {
        match kind {
            SensitiveKind::Pss => Self::Strong,
            SensitiveKind::Ps => Self::Balanced,
            SensitiveKind::Psw => Self::Weak,
        }
    }
}

/// The classic systems as the command line names them.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(in crate::cli) enum ClassicSystem {
    /// McMillan's: the strongest.
    Mcmillan,
    /// Huang's, Krajicek's and Pudlak's.
    Symmetric,
    /// The dual of McMillan's: the weakest.
    Inverse,
}

impl From<ClassicSystem> for System {
    fn from(system: ClassicSystem) -> Self {
        match system {
            ClassicSystem::Mcmillan => Self::McMillan,
            ClassicSystem::Symmetric => Self::Symmetric,
            ClassicSystem::Inverse => Self::InverseMcMillan,
        }
    }
}
