//! The runs of a comparison, each reported at its end.

use std::fs::{self, File};
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use craig_bench::answer::Answer;
use craig_bench::pool;
use craig_bench::row::Row;

use crate::RunArguments;
use crate::table;

/// Receives the result of a run.
pub(crate) type Report<'r> = dyn FnMut(&Row) -> io::Result<()> + 'r;

/// Runs `work` on each problem with the requested number of workers: it gets the worker's number, the
/// problem's name and its known answer, and reports each run at its end. Writes the results, and the tables
/// at the end.
pub(crate) fn run(
    arguments: &RunArguments,
    problems: &[(String, Answer)],
    work: impl Fn(usize, &str, Answer, &mut Report<'_>) -> io::Result<()> + Sync,
) -> io::Result<()> {
    fs::create_dir_all(&arguments.output)?;
    let path = arguments.output.join("results.csv");
    let mut results = File::create(&path)?;
    results.write_all(Row::HEADER.as_bytes())?;
    let results = Mutex::new(results);
    let report = |row: &Row| {
        eprintln!("{}", row.describe());
        let mut file = results.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(row.to_csv().as_bytes())?;
        file.flush()
    };
    pool::for_each(arguments.jobs, problems, |worker, (name, expected)| {
        let mut report = &report;
        work(worker, name, *expected, &mut report)
    })?;
    table::report(&[path], arguments.limit, None)
}
