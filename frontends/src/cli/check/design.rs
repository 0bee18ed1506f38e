//! The options about designs in Verilog.

use std::path::PathBuf;

use super::file_list::FileList;
use crate::cli::failure::Failure;
use crate::cli::verilog::{Clocking, Design, Frontend, Question, Reset, is_verilog};

/// The level at which a reset is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Level {
    /// 0.
    Low,
    /// 1.
    High,
}

/// What a user can say about a design in Verilog.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct DesignArguments {
    /// Also read the files, `+incdir+`, `+define+`, `-I` and `-D` in this list of a design; may be repeated.
    #[arg(short = 'f', long, value_name = "FILE.f", conflicts_with = "each_file")]
    file_list: Vec<PathBuf>,
    /// Each file in Verilog is a design of its own; by default, those that the command line names are one design, read in
    /// that order. Those in folders and lists are each one, anyway.
    #[arg(long)]
    each_file: bool,
    /// The top module; by default, `yosys` finds it.
    #[arg(long, value_name = "MODULE")]
    top: Option<String>,
    /// A parameter of the top module; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_parameter)]
    param: Vec<(String, String)>,
    /// The outputs of this module have any values, whatever is in it; may be repeated. A module without content is
    /// refused otherwise.
    #[arg(long, value_name = "MODULE")]
    blackbox: Vec<String>,
    /// A step is a rising edge of this input, which has to be the only clock; asynchronous inputs count at these edges.
    ///
    /// By default, that is so if a design has one clock and nothing asynchronous; else clocks are inputs that may change in
    /// any step.
    #[arg(long, value_name = "INPUT", conflicts_with = "multiclock")]
    clock: Option<String>,
    /// Clocks are inputs that may change in any step, also if there is one.
    #[arg(long)]
    multiclock: bool,
    /// This input is active in the first steps, and never later. Nothing is assumed or asked before it is over.
    #[arg(long, value_name = "INPUT")]
    reset: Option<String>,
    /// The level at which the reset is active; by default, high, unless its name ends as that of one that is not.
    #[arg(long, value_name = "LEVEL")]
    reset_active: Option<Level>,
    /// The number of steps in which the reset is active; by default, 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    reset_cycles: Option<u32>,
    /// What reads the files: the reader of `yosys`, slang (as a command or a plugin of `yosys`), or slang for what the reader of
    /// `yosys` refuses.
    #[arg(long, value_name = "NAME", default_value = "any")]
    frontend: Frontend,
    /// A warning of `yosys` is an error.
    #[arg(long)]
    strict: bool,
    /// The content of the lists, after they were read.
    #[arg(skip)]
    listed: FileList,
    /// Whether all files are one design.
    #[arg(skip)]
    is_one: bool,
}

fn parse_parameter(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

impl DesignArguments {
    /// Whether all inputs are one design.
    pub(super) fn is_one(&self) -> bool {
        self.is_one
    }

    /// Reads the lists, and finds whether the named inputs are one design.
    ///
    /// # Errors
    /// If a list can't be read, or inputs are named beside a design of several files.
    pub(super) fn with_lists(&self, named: &[PathBuf], has_format: bool) -> Result<Self, Failure> {
        let mut own = self.clone();
        for list in &self.file_list {
            own.listed.read(list)?;
        }
        if self.each_file || has_format {
            return Ok(own);
        }
        let is_list = |path: &PathBuf| path.to_string_lossy().starts_with('@');
        let is_part = |path: &&PathBuf| is_verilog(path) && !path.is_dir() && !is_list(path);
        let n_parts = named.iter().filter(is_part).count() + own.listed.files.len();
        let other = named.iter().find(|path| !is_part(path));
        own.is_one = n_parts > 1 || !self.file_list.is_empty();
        match other {
            Some(other) if own.is_one => Err(Failure::input(format!(
                "{}: the files in Verilog are one design, which is decided alone; `--each-file` makes each one of its own",
                other.display()
            ))),
            _ => Ok(own),
        }
    }

    /// The files that lists name.
    pub(super) fn listed_files(&self) -> &[PathBuf] {
        &self.listed.files
    }

    /// Refuses options that say nothing without another.
    pub(super) fn check_values(&self) -> Result<(), Failure> {
        let lonely = [
            (self.reset_active.is_some(), "--reset-active"),
            (self.reset_cycles.is_some(), "--reset-cycles"),
        ];
        match lonely.into_iter().find(|(is_given, _)| *is_given) {
            Some((_, option)) if self.reset.is_none() => Err(Failure::input(format!(
                "`{option}` is about the input that `--reset` names, which is not given"
            ))),
            _ => Ok(()),
        }
    }

    /// The reset. A level that its name contradicts would keep the design in reset, where all is safe.
    fn reset(&self) -> Result<Option<Reset>, Failure> {
        let Some(input) = &self.reset else {
            return Ok(None);
        };
        let lower = input.to_lowercase();
        let is_doubtful = ["n", "_ni", "n_i", "_l", "_b", "bar"]
            .iter()
            .any(|end| lower.ends_with(end));
        let is_high = match self.reset_active {
            Some(level) => level == Level::High,
            None if is_doubtful => {
                return Err(Failure::input(format!(
                    "`--reset {input}` has the name of a reset that is active at 0: `--reset-active` low or high is needed"
                )));
            }
            None => true,
        };
        Ok(Some(Reset {
            input: input.clone(),
            is_high,
            n_cycles: self.reset_cycles.unwrap_or(1),
        }))
    }
}

impl DesignArguments {
    /// The design of these files, include folders and macros.
    ///
    /// # Errors
    /// If options contradict each other.
    pub(super) fn design(&self, named: FileList, question: Question) -> Result<Design, Failure> {
        let clocking = match &self.clock {
            Some(clock) => Clocking::Input(clock.clone()),
            None if self.multiclock => Clocking::Any,
            None => Clocking::Only,
        };
        Ok(Design {
            files: named.files,
            include: [self.listed.include.clone(), named.include].concat(),
            define: [self.listed.define.clone(), named.define].concat(),
            top: self.top.clone(),
            parameters: self.param.clone(),
            black_boxes: self.blackbox.clone(),
            clocking,
            reset: self.reset()?,
            question,
            is_strict: self.strict,
            frontend: self.frontend,
            script: None,
        })
    }
}
