//! Files that tell a run or a proof in the languages of others: with several properties, each has files of its own, and the
//! named ones are about the first run and the first proof.

use std::io::Write;
use std::path::{Path, PathBuf};

use craig_verify::{Answer, Certified, Design};

use super::file::CircuitFile;
use super::run_format::RunFormat;
use crate::cli::check::task::{Exports, numbered};
use crate::cli::circuits::PropertyId;
use crate::cli::failure::Failure;
use crate::cli::output::write_file;

/// Writes what the task asks for.
pub(super) struct Exporter<'a, F> {
    file: &'a F,
    n_asked: usize,
    exports: &'a Exports,
    has_run: bool,
    has_proof: bool,
}

impl<'a, F: CircuitFile> Exporter<'a, F> {
    pub(super) fn new(file: &'a F, n_asked: usize, exports: &'a Exports) -> Self {
        Self {
            file,
            n_asked,
            exports,
            has_run: false,
            has_proof: false,
        }
    }

    /// Writes the files about a result; returns their paths.
    ///
    /// # Errors
    /// If one can't be written, or this run or proof can't be told so.
    pub(super) fn write(
        &mut self,
        certified: &Certified<<F::Design as Design>::Evidence>,
    ) -> Result<Vec<PathBuf>, Failure> {
        let property = certified.property;
        let finding = &certified.finding;
        let mut written = Vec::new();
        match certified.answer() {
            Answer::Unknown => {}
            Answer::Unsafe => {
                let is_first = !std::mem::replace(&mut self.has_run, true);
                let trace = self.exports.trace.as_ref();
                let trace = trace.and_then(|path| Some((path, RunFormat::of(path)?)));
                let testbench = self.exports.testbench.as_ref();
                let testbench = testbench.map(|path| (path, RunFormat::Testbench));
                for (path, format) in trace.into_iter().chain(testbench) {
                    let text = self.file.run_as(finding, property, format);
                    self.put(path, property, is_first, text, &mut written)?;
                }
            }
            Answer::Safe => {
                let is_first = !std::mem::replace(&mut self.has_proof, true);
                if let Some(path) = &self.exports.invariant {
                    let text = self.file.invariant(finding, property);
                    self.put(path, property, is_first, text, &mut written)?;
                }
            }
        }
        Ok(written)
    }

    fn put(
        &self,
        path: &Path,
        property: PropertyId,
        is_first: bool,
        text: Result<Vec<u8>, String>,
        written: &mut Vec<PathBuf>,
    ) -> Result<(), Failure> {
        let text = text.map_err(|reason| {
            Failure::input(format!(
                "{}: not written for {property}: {reason}",
                path.display()
            ))
        })?;
        let own = match self.n_asked {
            1 => path.to_owned(),
            _ => numbered(path, property),
        };
        let write = |output: &mut dyn Write| output.write_all(&text);
        write_file(&own, write)?;
        if self.n_asked > 1 && is_first {
            write_file(path, write)?;
        }
        written.push(own);
        Ok(())
    }
}
