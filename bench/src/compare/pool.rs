//! Distribution of problems among workers.

use std::fs::{self, File};
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::RunArguments;
use crate::answer::Answer;
use crate::row::Row;
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
    let next = AtomicUsize::new(0);
    let worker = |number: usize, report: &mut Report<'_>| -> io::Result<()> {
        while let Some((name, expected)) = problems.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(number, name, *expected, report)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..arguments.jobs.max(1))
            .map(|number| {
                let (worker, mut report) = (&worker, &report);
                scope.spawn(move || worker(number, &mut report))
            })
            .collect();
        let mut joined = threads.into_iter().map(|thread| thread.join());
        joined.try_for_each(|result| result.map_err(|_| io::Error::other("a worker panicked"))?)
    })?;
    table::report(&[path], arguments.limit, None)
}
