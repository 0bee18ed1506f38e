//! Searches without the interpreter lock, which Ctrl-C ends.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::errors::InternalError;

/// The time between two looks at Python's signals.
const INTERVAL: Duration = Duration::from_millis(50);

/// Watches a search for signals of Python, for an interruption by another thread, and for a deadline.
#[derive(Clone)]
pub(crate) struct Watch(Arc<Inner>);

struct Inner {
    interrupt: Arc<AtomicBool>,
    deadline: Option<Instant>,
    next: Mutex<Instant>,
    /// What a signal handler of Python has raised.
    raised: Mutex<Option<PyErr>>,
    is_raised: AtomicBool,
}

impl Watch {
    /// Ends when the flag is set, or after this time.
    pub(crate) fn new(interrupt: &Arc<AtomicBool>, time: Option<Duration>) -> Self {
        let now = Instant::now();
        Self(Arc::new(Inner {
            interrupt: Arc::clone(interrupt),
            deadline: time.and_then(|time| now.checked_add(time)),
            next: Mutex::new(now + INTERVAL),
            raised: Mutex::default(),
            is_raised: AtomicBool::new(false),
        }))
    }

    /// Ends for signals only.
    pub(crate) fn signals() -> Self {
        Self::new(&Arc::default(), None)
    }

    /// Whether to end now. Looks at Python's signals at intervals; the calling thread must not hold the interpreter.
    pub(crate) fn is_asked(&self) -> bool {
        let inner = &*self.0;
        if inner.is_raised.load(Ordering::Relaxed) || inner.interrupt.load(Ordering::Relaxed) {
            return true;
        }
        let now = Instant::now();
        if inner.deadline.is_some_and(|deadline| now >= deadline) {
            return true;
        }
        // Another thread that asks at the moment looks at the signals as well.
        let Ok(mut next) = inner.next.try_lock() else {
            return false;
        };
        if now < *next {
            return false;
        }
        *next = now + INTERVAL;
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => false,
            Err(error) => {
                *inner.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                inner.is_raised.store(true, Ordering::Relaxed);
                true
            }
        }
    }

    /// Runs a search on this thread, without the interpreter lock.
    ///
    /// # Errors
    /// What a signal handler has raised, or that the search has panicked.
    pub(crate) fn run<R: Send>(
        &self,
        py: Python<'_>,
        search: impl FnOnce() -> R + Send,
    ) -> PyResult<R> {
        let result = py.detach(|| catch_unwind(AssertUnwindSafe(search)));
        let raised = &self.0.raised;
        if let Some(error) = raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(error);
        }
        result.map_err(|_| panicked())
    }

    /// The condition that interpolation asks.
    pub(crate) fn stop(&self) -> craig_itp::Stop {
        let watch = self.clone();
        craig_itp::Stop::when(move || watch.is_asked())
    }
}

fn panicked() -> PyErr {
    InternalError::new_err("a search has panicked; its message is on standard error")
}

/// Runs a search on a thread of its own, which cannot ask for signals itself. `hear` is called at intervals with the
/// interpreter lock; if it fails, or a signal handler of Python raises, the search is cancelled and the error returned.
///
/// # Errors
/// The error of a signal handler or of `hear`, or that the search has panicked.
pub(crate) fn run_beside<R: Send>(
    py: Python<'_>,
    cancel: &dyn Fn(),
    hear: &mut dyn FnMut() -> PyResult<()>,
    search: impl FnOnce() -> R + Send,
) -> PyResult<R> {
    let (done, wait) = mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    thread::scope(|scope| {
        let worker = scope.spawn(move || {
            let _done = done;
            search()
        });
        let mut error = None;
        loop {
            let event = py.detach(|| {
                let wait = wait.lock().unwrap_or_else(PoisonError::into_inner);
                wait.recv_timeout(INTERVAL)
            });
            if error.is_none()
                && let Err(raised) = py.check_signals().and_then(|()| hear())
            {
                cancel();
                error = Some(raised);
            }
            if event != Err(RecvTimeoutError::Timeout) {
                break;
            }
        }
        let result = py.detach(|| worker.join());
        match (error, result) {
            (Some(error), _) => Err(error),
            (None, result) => result.map_err(|_| panicked()),
        }
    })
}
