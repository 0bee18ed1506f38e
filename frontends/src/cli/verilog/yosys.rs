//! Runs of `yosys` in a folder of their own.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::netlist::Netlist;
use crate::cli::failure::Failure;

/// The program with a folder for what it writes.
pub(super) struct Yosys {
    /// The design in messages.
    name: String,
    folder: TempDir,
    warnings: Vec<String>,
    /// What the last commands have printed.
    printed: String,
    /// The folder in which it runs, if that is not the current one.
    current: Option<PathBuf>,
}

impl Yosys {
    /// A new folder.
    pub(super) fn new(name: &str, current: Option<&Path>) -> Result<Self, Failure> {
        let folder = tempfile::tempdir().map_err(Failure::internal)?;
        let path = folder.path().display().to_string();
        if path.contains(|it: char| it.is_whitespace() || matches!(it, '"' | '\\' | ';' | '#')) {
            return Err(Failure::input(format!(
                "{path:?}: `yosys` can't be given the name of this folder; TMPDIR selects another"
            )));
        }
        Ok(Self {
            name: name.to_owned(),
            folder,
            warnings: Vec::new(),
            printed: String::new(),
            current: current.map(Path::to_owned),
        })
    }

    /// The path of a file in the folder.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A command with a file of the folder.
    pub(super) fn write(&self, command: &str, file: &str) -> String {
        format!("{command} {}", self.file(file).display())
    }

    /// A command whose messages go to a file of the folder.
    pub(super) fn list(&self, file: &str, command: &str) -> String {
        format!("tee -q -o {} {command}", self.file(file).display())
    }

    /// A command whose messages are also written to a file of the folder.
    pub(super) fn log(&self, file: &str, command: &str) -> String {
        format!("tee -o {} {command}", self.file(file).display())
    }

    /// Changes a file that it wrote; returns whether `edit` has another text for it.
    pub(super) fn edit(
        &self,
        file: &str,
        edit: impl Fn(&str) -> Option<String>,
    ) -> Result<bool, Failure> {
        let edited = edit(&self.text(file)?);
        if let Some(text) = &edited {
            std::fs::write(self.file(file), text).map_err(Failure::internal)?;
        }
        Ok(edited.is_some())
    }

    /// Runs commands.
    ///
    /// # Errors
    /// If the program is missing, or rejects one; with its message.
    pub(super) fn run(&mut self, commands: &[&str]) -> Result<(), Failure> {
        let name = &self.name;
        let script = commands.join("; ");
        let mut command = Command::new("yosys");
        command.args(["-q", "-p", &script]);
        if let Some(current) = &self.current {
            command.current_dir(current);
        }
        let output = command.output();
        let output = output.map_err(|error| {
            Failure::input(match error.kind() {
                io::ErrorKind::NotFound => format!(
                    "{name}: reading Verilog needs the program `yosys`, which is not installed (on Debian: apt-get \
                     install yosys)"
                ),
                _ => format!("{name}: `yosys` can't be run: {error}"),
            })
        })?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            let reason = error_in(&stderr);
            return Err(Failure::input(format!("{name}: `yosys` says: {reason}")));
        }
        self.printed = String::from_utf8_lossy(&output.stdout).into_owned();
        for warning in warnings_in(&stderr) {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        Ok(())
    }

    /// What it warned of, each warning once.
    pub(super) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// What the last commands have printed on standard output, where it prints nothing of its own.
    pub(super) fn printed(&self) -> &str {
        &self.printed
    }

    /// The text of a file that it wrote.
    pub(super) fn text(&self, file: &str) -> Result<String, Failure> {
        let bytes = std::fs::read(self.file(file)).map_err(Failure::internal)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A netlist that it wrote.
    pub(super) fn netlist(&self, file: &str) -> Result<Netlist, Failure> {
        let fault = |message| {
            let name = &self.name;
            Failure::input(format!("{name}: the netlist of yosys: {message}"))
        };
        Netlist::read(&self.text(file)?).map_err(fault)
    }
}

/// The message of the error at which it ended.
fn error_in(stderr: &str) -> String {
    let lines = || stderr.lines().filter(|line| !line.trim().is_empty());
    let error = lines()
        .find(|line| line.contains("ERROR:"))
        .or_else(|| lines().next_back());
    let error = error.unwrap_or("nothing");
    let error = error.replace("ERROR: ", "");
    error.replace("ERROR:", "").trim().to_owned()
}

/// The warnings. Those of selections are about the script, and of no interest.
fn warnings_in(stderr: &str) -> Vec<String> {
    let lines = stderr.lines().filter(|line| line.contains("Warning:"));
    let lines = lines.filter(|line| !line.contains("Warning: Selection "));
    lines
        .map(|line| line.replace("Warning: ", "").trim().to_owned())
        .map(|line| without_bit(&line).unwrap_or(line))
        .collect()
}

/// A warning of one bit of a wire, as one of the wire.
fn without_bit(warning: &str) -> Option<String> {
    let end = " is used but has no driver.";
    let wire = warning.strip_suffix(end)?;
    let (wire, bit) = wire.rsplit_once(" [")?;
    let is_bit = bit.strip_suffix(']')?.parse::<u64>().is_ok();
    is_bit.then(|| format!("{wire}{end}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read() {
        let stderr = "l1.sv:16: Warning: Identifier `\\cc' is implicitly declared.\n\
            Warning: Selection \"t:$live\" did not match any object.\n\
            Warning: Wire top.\\words[3] [2] is used but has no driver.\n\
            l2.sv:3: ERROR: Can't resolve task name `$error'.\n> echo\n";
        assert_eq!(
            warnings_in(stderr),
            [
                "l1.sv:16: Identifier `\\cc' is implicitly declared.",
                "Wire top.\\words[3] is used but has no driver."
            ]
        );
        assert_eq!(
            error_in(stderr),
            "l2.sv:3: Can't resolve task name `$error'."
        );
        assert_eq!(error_in("\n"), "nothing");
    }
}
