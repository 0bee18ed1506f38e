//! Threads that take one item after the other.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::cli::failure::Failure;

/// Works on each of the items, in their order, on this many threads; `tell` gets the results as they come.
///
/// # Errors
/// The first of `work` or `tell`. Items that nobody has begun are left then.
pub(in crate::cli) fn for_each<T: Send>(
    n_items: usize,
    n_threads: usize,
    work: impl Fn(usize) -> Result<T, Failure> + Sync,
    mut tell: impl FnMut(usize, T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let has_failed = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..n_threads.min(n_items) {
            let (sender, next, work, has_failed) = (sender.clone(), &next, &work, &has_failed);
            scope.spawn(move || {
                while !has_failed.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= n_items || sender.send((index, work(index))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut first = Ok(());
        for (index, result) in receiver {
            let told = match first.is_ok() {
                true => result.and_then(|result| tell(index, result)),
                false => Ok(()),
            };
            if told.is_err() {
                has_failed.store(true, Ordering::Relaxed);
                first = told;
            }
        }
        first
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_worked_on_once() {
        for n_threads in [1, 3, 40] {
            let mut told = vec![0; 20];
            let work = |index: usize| Ok(index * index);
            for_each(20, n_threads, work, |index, square| {
                assert_eq!(square, index * index);
                told[index] += 1;
                Ok(())
            })
            .unwrap();
            assert_eq!(told, vec![1; 20]);
        }
    }

    #[test]
    fn the_first_failure_ends_the_work() {
        let begun = AtomicUsize::new(0);
        let work = |index: usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            match index {
                2 => Err(Failure::input("two")),
                _ => Ok(()),
            }
        };
        let ended = for_each(1000, 1, work, |_, ()| {
            thread::sleep(std::time::Duration::from_millis(1));
            Ok(())
        });
        assert!(matches!(ended, Err(Failure::Input(text)) if text == "two"));
        assert!(begun.load(Ordering::Relaxed) >= 3);
    }
}
