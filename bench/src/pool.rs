//! Distribution of jobs among workers.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs `work` on each job with `workers` threads, at least one; it gets the worker's number
/// and the job. A worker whose job fails takes no further one; the others go on.
///
/// # Errors
/// The error of the first worker, by number, whose job failed.
pub fn for_each<J: Sync>(
    n_workers: usize,
    jobs: &[J],
    work: impl Fn(usize, &J) -> io::Result<()> + Sync,
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let worker = |number: usize| -> io::Result<()> {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(number, job)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..n_workers.max(1))
            .map(|number| {
                let worker = &worker;
                scope.spawn(move || worker(number))
            })
            .collect();
        let results: Vec<_> = threads.into_iter().map(|thread| thread.join()).collect();
        let mut results = results.into_iter();
        results.try_for_each(|result| result.map_err(|_| io::Error::other("a worker panicked"))?)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn each_job_is_done_once_and_errors_are_returned() {
        let jobs: Vec<usize> = (0..50).collect();
        let done = Mutex::new(Vec::new());
        let work = |_: usize, &job: &usize| {
            done.lock().unwrap().push(job);
            if job == 49 {
                return Err(io::Error::other("the last one"));
            }
            Ok(())
        };
        let error = for_each(3, &jobs, work).unwrap_err();
        assert_eq!(error.to_string(), "the last one");
        let mut done = done.into_inner().unwrap();
        done.sort_unstable();
        assert_eq!(done, jobs);
    }
}
