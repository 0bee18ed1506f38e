//! What a user can say on the command line.

use std::path::{Path, PathBuf};

use super::circuit::run_format::RunFormat;
use super::design::DesignArguments;
use super::file_list::FileList;
use super::kind::{C, Kinds};
use super::program::options::CArguments;
use super::table::Choice;
use super::task::Exports;
use crate::cli::batch::shard::Shard;
use crate::cli::engines::EngineArguments;
use crate::cli::failure::Failure;
use crate::cli::input::InputFormat;
use crate::cli::output::{Output, is_file};
use crate::cli::program_files::is_database;
use crate::cli::programs::{PropertyChoice, is_c};
use crate::cli::verilog::{Design, Question, is_verilog};
use crate::cli::watch::parse_threads;

/// Decide the properties of a circuit or a C program: is a bad state or an error reachable? Does a justice
/// property of a circuit fail on a run?
///
/// Prints `SAFE` (for a justice property: it holds), `UNSAFE` or `UNKNOWN` and the reason, each verdict only after its evidence was checked on
/// the circuit of the file. Exit codes: 20 if all properties are safe, 10 if any is unsafe, 30 otherwise; 2
/// if the input is invalid, 1 for an internal failure, for example evidence that fails its check.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The circuit, in AIGER or BTOR2, a design in Verilog (`.v`, `.sv`; needs `yosys`), or a C program (`.c`, `.i`, `.json`);
    /// compressed, too (`.gz`, `.xz`). `-` is standard input.
    ///
    /// Several files in Verilog are one design (see `--each-file`). A folder stands for the inputs in it and below, `@LIST` for the files and folders that the lines of a file name. Several
    /// inputs are decided each in a process of its own, within the limits, and a table of their verdicts follows; the
    /// exit code is then that of the worst, in the order: internal failure, invalid input, unsafe, unknown, safe.
    #[arg(value_name = "FILE", required_unless_present = "file_list")]
    pub(super) files: Vec<PathBuf>,
    /// The inputs are the C files of one program: `static` names are local to their file, and all others are
    /// linked. A compilation database (`compile_commands.json`) as the input is the program of all of its
    /// files.
    #[arg(long)]
    pub(super) link: bool,
    /// The format of the input, if its name does not tell it.
    #[arg(long, value_name = "FORMAT", visible_alias = "input-format")]
    pub(super) format: Option<InputFormat>,
    /// Decide this number of inputs at a time.
    ///
    /// They share the cores, unless `--threads` says how many each may use.
    #[arg(long, value_name = "N", value_parser = parse_threads, conflicts_with = "link")]
    pub(super) jobs: Option<usize>,
    /// Decide one of n shares of the inputs: the i-th. The shares may run at the same time, on several machines.
    ///
    /// With one folder for `--resume`, what one has decided is known to all that begin later, and the command without `--shard` then
    /// tells about all inputs.
    #[arg(long, value_name = "i/n", conflicts_with_all = ["link", "sarif"])]
    pub(super) shard: Option<Shard>,
    /// Note what is decided in this file, and leave out what it has already. In a folder (whose name ends in `/` if it is
    /// to be made), each `--shard` has a file.
    ///
    /// An input is left out if its content (of a C program: after preprocessing), the options and the version of this command
    /// are as before, and its evidence is still there. What was interrupted or has failed is not noted.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["link", "sarif"])]
    pub(super) resume: Option<PathBuf>,
    /// Decide nothing: print what `--resume` would know each input by, with these options, as lines of JSON with `input` and `digest`.
    #[arg(long, conflicts_with_all = ["link", "sarif", "resume"])]
    pub(super) digests: bool,
    /// The input that this process decides; its exit codes are 20, 10 and 30.
    #[arg(long, value_name = "FILE", hide = true)]
    pub(super) only_input: Option<PathBuf>,
    /// The evidence about the input that this process decides, in the place of `--witness`.
    #[arg(long, value_name = "FILE", hide = true)]
    pub(super) only_witness: Option<PathBuf>,
    /// The threads of this process, if the command line does not say.
    #[arg(long, value_name = "N", hide = true)]
    pub(super) only_threads: Option<usize>,
    /// For a circuit: decide just this property: a bad, counted from 0, or `j` and the number of a justice
    /// property; by default, all of them. For a C program: a
    /// property file of SV-COMP (`.prp`) with unreach-call, valid-memsafety, valid-memcleanup or no-overflow.
    #[arg(long, value_name = "N|jN|FILE.prp")]
    pub(super) property: Option<PropertyChoice>,
    /// Write the evidence to a file: a trace, or a witness circuit (binary if the name ends in `.aig`, else
    /// text). With several properties, each has a file of its own with `.bN` or `.jN` before the extension; FILE
    /// itself is then about the circuit as a whole: the first trace, or one witness circuit for all
    /// properties if all are safe. For a circuit in BTOR2, a run is in the format of `btorsim` (`j0` names a
    /// justice property, against which it ends in a loop), and a witness circuit is about the circuit of bits, written beside it as `.model.aag` or `.model.aig`. For a C program: a witness in SV-COMP's format 2.0 (`.yml`, `.yaml`), or
    /// the witness circuit of its transition system.
    #[arg(long, value_name = "FILE")]
    pub(super) witness: Option<PathBuf>,
    /// Write the run against a property of a circuit, or to what is to be covered, in the format of the file's name: `.yw`
    /// (a witness of Yosys, which `yosys sim -r` replays), `.vcd` or `.fst`. With several properties, each has a file of its own, as
    /// with `--witness`, and FILE is the first run.
    #[arg(long, value_name = "FILE.yw|FILE.vcd|FILE.fst")]
    pub(super) trace: Option<PathBuf>,
    /// Write a testbench that replays the run on the design, in Icarus Verilog or another simulator, and fails if registers,
    /// assumptions or the property are not as the run says. With several properties, as with `--trace`.
    #[arg(long, value_name = "FILE.v")]
    pub(super) testbench: Option<PathBuf>,
    /// Write the invariant that proves a property as assertions over the signals of the design: pasted into it, they are
    /// proved by induction over one step. With several properties, as with `--trace`.
    #[arg(long, value_name = "FILE.sv")]
    pub(super) invariant: Option<PathBuf>,
    /// Write the evidence about each of several inputs in this folder, as `--witness` does.
    ///
    /// The file has the name of the input, with `.yml` for a C program and `.witness` for a circuit; where names are alike up
    /// to their first dot, also with a digest of the input's path.
    #[arg(long, value_name = "DIRECTORY", conflicts_with_all = ["witness", "link"])]
    pub(super) witness_dir: Option<PathBuf>,
    /// Write a page: verdict, evidence, the run as waves or beside the source, the engines over the time, statistics.
    #[arg(long, value_name = "FILE.html")]
    pub(super) html: Option<PathBuf>,
    /// For a C program: write the reachable errors, with the paths to them, as a SARIF log (2.1.0), for code
    /// scanning. For several inputs: one log for all.
    #[arg(long, value_name = "FILE")]
    pub(super) sarif: Option<PathBuf>,
    /// The log of the input that this process decides, in the place of `--sarif`.
    #[arg(long, value_name = "FILE", hide = true)]
    pub(super) only_sarif: Option<PathBuf>,
    /// Print one JSON object instead of text; for several inputs, one line each.
    #[arg(long)]
    pub(super) json: bool,
    /// Report the progress of the engines on standard error.
    #[arg(short, long)]
    pub(super) verbose: bool,
    /// Print the verdicts only.
    #[arg(short, long, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    #[command(flatten)]
    pub(super) engines: EngineArguments,
    #[command(flatten)]
    pub(super) design: DesignArguments,
    #[command(flatten)]
    pub(super) c: CArguments,
}

impl Arguments {
    /// The option that names a file to write about one input, if there is one.
    pub(super) fn file_option(&self) -> Option<&'static str> {
        let own = [
            (self.witness.is_some(), "--witness"),
            (self.html.is_some(), "--html"),
            (self.trace.is_some(), "--trace"),
            (self.testbench.is_some(), "--testbench"),
            (self.invariant.is_some(), "--invariant"),
        ];
        let own = own.into_iter().find(|(is_given, _)| *is_given);
        own.map(|(_, option)| option)
            .or_else(|| self.c.file_option())
    }

    /// Whether an option asks for a batch, be it of one input.
    pub(super) fn is_batch(&self) -> bool {
        self.jobs.is_some()
            || self.resume.is_some()
            || self.witness_dir.is_some()
            || self.shard.is_some()
            || self.digests
    }

    /// The file of the evidence.
    pub(super) fn witness(&self) -> Option<&Path> {
        self.only_witness.as_deref().or(self.witness.as_deref())
    }

    /// Whether an input is a C file.
    pub(super) fn is_c(&self, file: &Path) -> bool {
        self.format
            .map_or_else(|| is_c(file), InputFormat::is_program)
    }

    /// Whether an input is a compilation database.
    pub(super) fn is_database(&self, file: &Path) -> bool {
        self.format.is_none() && is_database(file)
    }

    /// Whether an input is a design in Verilog.
    pub(super) fn is_verilog(&self, file: &Path) -> bool {
        self.format.is_none() && is_verilog(file)
    }

    /// The kinds of the inputs.
    pub(super) fn kinds(&self) -> Kinds {
        match self.link {
            true => C,
            false => {
                let kind = |file: &PathBuf| {
                    self.format
                        .map_or_else(|| Kinds::of(file), Kinds::of_format)
                };
                (self.files.iter()).fold(Kinds::NONE, |kinds, file| kinds.and(kind(file)))
            }
        }
    }

    /// These arguments about one input.
    pub(super) fn of_process(&self) -> Self {
        let mut own = self.clone();
        if let Some(file) = &self.only_input {
            own.files = vec![file.clone()];
            own.c = own.c.with_distinct_codes();
        }
        if let Some(threads) = self.only_threads {
            own.engines = own.engines.with_threads(threads);
        }
        own
    }

    /// The engines that are asked for.
    pub(super) fn choice(&self) -> Choice {
        Choice {
            engine: self.engines.engine(),
            ways: self.c.ways(),
        }
    }

    /// Refuses values of options that do not go together.
    pub(super) fn check_values(&self) -> Result<(), Failure> {
        let is_page = |path: &Path| {
            let extension = path.extension().and_then(|it| it.to_str());
            !is_file(path) || matches!(extension, Some("html" | "htm" | "json" | "dot"))
        };
        match &self.c.unwinding {
            Some(path) if !is_page(path) => Err(Failure::input(format!(
                "`--unwinding {}`: expected a name that ends in .html, .json or .dot",
                path.display()
            ))),
            _ => self.design.check_values(),
        }?;
        match &self.trace {
            Some(path) if RunFormat::of(path).is_none() => Err(Failure::input(format!(
                "`--trace {}`: expected a name that ends in .yw, .vcd or .fst",
                path.display()
            ))),
            _ => Ok(()),
        }
    }

    /// The files that are read.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &Path> {
        let property = match &self.property {
            Some(PropertyChoice::File(path)) => Some(path),
            _ => None,
        };
        self.files.iter().chain(property).map(PathBuf::as_path)
    }

    /// The files that are written about one input.
    pub(super) fn outputs(&self) -> Vec<Output<'_>> {
        let mut outputs = vec![
            Output::file("--witness", self.witness()),
            Output::file("--html", self.html.as_deref()),
            Output::file("--sarif", self.sarif()),
            Output::file("--trace", self.trace.as_deref()),
            Output::file("--testbench", self.testbench.as_deref()),
            Output::file("--invariant", self.invariant.as_deref()),
        ];
        outputs.extend(self.c.outputs());
        outputs
    }

    /// The files that tell runs and proofs in other languages.
    pub(super) fn exports(&self) -> Exports {
        Exports {
            trace: self.trace.clone(),
            testbench: self.testbench.clone(),
            invariant: self.invariant.clone(),
        }
    }

    /// The file of the SARIF log.
    pub(super) fn sarif(&self) -> Option<&Path> {
        self.only_sarif.as_deref().or(self.sarif.as_deref())
    }

    /// The design in these files.
    ///
    /// # Errors
    /// If options contradict each other.
    pub(super) fn design_of(&self, files: &[PathBuf]) -> Result<Design, Failure> {
        let question = match self.c.covers_design() {
            true => Question::Covers,
            false if self.c.covers() => {
                return Err(Failure::input(
                    "`--cover` has no value for a design: what its `cover` statements name is decided",
                ));
            }
            false => Question::Assertions,
        };
        let preprocessing = self.c.preprocessing();
        let named = FileList {
            files: files.to_vec(),
            include: preprocessing.include,
            define: preprocessing.define,
        };
        self.design.design(named, question)
    }
}
