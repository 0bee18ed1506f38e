//! The variables of a proof's Makefile, as `make` sees them: includes, conditionals and functions hold.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::cli::batch::process::{self, Stderr, Stdout};
use crate::cli::failure::Failure;
use crate::cli::program_files::shell_words;

/// The variables that are read.
const NAMES: [&str; 22] = [
    "HARNESS_ENTRY",
    "HARNESS_FILE",
    "PROOF_UID",
    "PROOF_SOURCES",
    "PROJECT_SOURCES",
    "INCLUDES",
    "DEFINES",
    "COMPILE_FLAGS",
    "LINK_FLAGS",
    "UNWINDSET",
    "CPROVER_LIBRARY_UNWINDSET",
    "REMOVE_FUNCTION_BODY",
    "RESTRICT_FUNCTION_POINTER",
    "NONDET_STATIC",
    "CHECK_FUNCTION_CONTRACTS",
    "CHECK_FUNCTION_CONTRACTS_REC",
    "USE_FUNCTION_CONTRACTS",
    "APPLY_LOOP_CONTRACTS",
    "CBMCFLAGS",
    "CHECKFLAGS",
    "REWRITTEN_SOURCES",
    "STRING_ABSTRACTION",
];

/// Flags that newer kits keep in variables of their own, outside of `CBMCFLAGS` and `CHECKFLAGS`.
const FLAGS: [&str; 3] = [
    "CBMC_FLAG_MALLOC_MAY_FAIL",
    "CBMC_FLAG_MALLOC_FAIL_NULL",
    "CBMC_FLAG_UNWINDING_ASSERTIONS",
];

/// What the value of a variable begins with in the output of `make`.
const MARK: &str = "craig-variable ";

/// The time that `make` has.
const LIMIT: Duration = Duration::from_secs(60);

/// The variables of a Makefile.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables(BTreeMap<String, String>);

impl Variables {
    /// The value of a variable; empty if it is not set. Older kits write an empty value as two quotes.
    pub(super) fn text(&self, name: &str) -> &str {
        match self.0.get(name).map_or("", |value| value.trim()) {
            "\"\"" => "",
            value => value,
        }
    }

    /// The words of a variable, as a shell reads them.
    ///
    /// # Errors
    /// If a quote is not closed.
    pub(super) fn words(&self, name: &str) -> Result<Vec<String>, String> {
        let words = shell_words(self.text(name));
        words.ok_or_else(|| format!("`{name}` has a quote without an end"))
    }

    /// The flags of CBMC, from all variables that have some, each with the variable that it is from.
    ///
    /// # Errors
    /// As [`Self::words`].
    pub(super) fn flags(&self) -> Result<Vec<(&'static str, Vec<String>)>, String> {
        let names = ["CBMCFLAGS", "CHECKFLAGS"].into_iter().chain(FLAGS);
        names.map(|name| Ok((name, self.words(name)?))).collect()
    }

    #[cfg(test)]
    pub(super) fn of(pairs: &[(&str, &str)]) -> Self {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Self(pairs.iter().map(owned).collect())
    }
}

/// Whether a folder is that of a proof: its Makefile sets the entry, or there is the marker of the kit.
pub(super) fn is_proof(folder: &Path) -> bool {
    let makefile = std::fs::read(folder.join("Makefile")).unwrap_or_default();
    let names_entry = String::from_utf8_lossy(&makefile)
        .lines()
        .any(|line| line.trim_start().starts_with("HARNESS_ENTRY"));
    names_entry || !makefile.is_empty() && folder.join("cbmc-proof.txt").exists()
}

/// `make` in the folder of a proof, with variables for its command line.
fn make(folder: &Path, given: &[String]) -> Command {
    let mut command = Command::new("make");
    command.arg("--no-print-directory").args(given);
    command.current_dir(folder).env("LC_ALL", "C");
    command.env_remove("MAKEFLAGS").env_remove("MAKELEVEL");
    command
}

/// What `make` prints.
///
/// # Errors
/// The inner one if it fails, with its last line.
fn run(command: Command, signal: &AtomicBool) -> Result<Result<String, String>, Failure> {
    let outputs = (Stdout::Kept, Stderr::Kept);
    let deadline = Some(Instant::now() + LIMIT);
    let ended = match process::run_within(command, outputs, signal, deadline) {
        Ok(ended) => ended,
        Err(failure) => return Ok(Err(format!("`make`: {}", failure.message()))),
    };
    if ended.code != Some(0) {
        let last = ended.complaints.last().map_or("no message", String::as_str);
        return Ok(Err(format!("`make` fails: {last}")));
    }
    Ok(Ok(ended.stdout))
}

/// Lets the Makefile of a proof make files.
///
/// # Errors
/// The inner one if `make` fails.
pub(super) fn generate(
    folder: &Path,
    given: &[String],
    files: &[PathBuf],
    signal: &AtomicBool,
) -> Result<Result<(), String>, Failure> {
    let mut command = make(folder, given);
    command.args(files);
    Ok(run(command, signal)?.map(drop))
}

/// Runs `make` in the folder of a proof, and reads what its Makefile sets.
///
/// # Errors
/// The inner one if `make` fails, with its last line.
pub(super) fn variables(
    folder: &Path,
    given: &[String],
    signal: &AtomicBool,
) -> Result<Result<Variables, String>, Failure> {
    let mut file = tempfile::NamedTempFile::new().map_err(Failure::internal)?;
    let names = NAMES.iter().chain(&FLAGS).copied().collect::<Vec<_>>();
    let names = names.join(" ");
    // The values are printed while the file is read, so that no recipe of the project runs.
    let text = format!(
        "include Makefile\n.PHONY: craig-variables\ncraig-variables: ;\n\
         $(foreach name,{names},$(info {MARK}$(name)=$(strip $($(name)))))\n"
    );
    file.write_all(text.as_bytes()).map_err(Failure::internal)?;
    let mut command = make(folder, given);
    command.arg("-f").arg(file.path()).arg("craig-variables");
    let output = match run(command, signal)? {
        Ok(output) => output,
        Err(message) => return Ok(Err(message)),
    };
    let lines = output.lines();
    let pairs = lines.filter_map(|line| line.strip_prefix(MARK)?.split_once('='));
    let owned = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Ok(Ok(Variables(owned.collect())))
}
