//! Execution of a task: the search runs on a separate thread, is stopped at the limits, and passes its
//! reports to the format that prints them.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use craig_mc::Listener;

use super::advice::advice;
use super::format::{Format, FormatName};
use super::report::{Answer, PropertyReport, Subject, Summary};
use super::task::Task;
use crate::cli::failure::Failure;
use crate::cli::progress::Progress;
use crate::cli::terminal::{complain, leave};
use crate::cli::watch::{End, Stop, watch_with};

/// An input of some kind that has been read.
pub(super) trait Input: Send + Sync + 'static {
    /// The result of the search for [`Input::conclude`].
    type Found: Send + 'static;

    /// The subject of the reports.
    fn subject(&self) -> Subject;

    /// Reduces the input, runs the engines and checks their evidence, within the limits. Reports each result
    /// at once.
    fn decide(&self, session: &Session) -> Result<Self::Found, Failure>;

    /// The work after a search that was not abandoned. It is not subject to the limits.
    fn conclude(&self, session: &Session, found: Self::Found) -> Result<(), Failure>;

    /// The missing reports of a stopped search, given the existing ones and the current property.
    fn undecided(
        &self,
        reports: &[PropertyReport],
        current: Option<&Current>,
        stop: Stop,
    ) -> Vec<PropertyReport>;

    /// The exit code for the answer to the whole task.
    fn exit_code(&self, answer: Answer) -> u8;
}

/// The property at work.
pub(super) struct Current {
    /// The number of the property.
    pub(super) property: usize,
    /// The start of its search.
    pub(super) begin: Instant,
    /// What its search reports.
    pub(super) listener: Listener,
}

/// The state shared by the searching and the watching thread.
pub(super) struct Session {
    /// The task.
    pub(super) task: Task,
    /// Stops everything that the search runs.
    pub(super) stop: craig_model::Stop,
    subject: Subject,
    progress: Progress,
    /// Whether the engines' events are shown.
    has_listener: bool,
    state: Mutex<State>,
}

struct State {
    format: Box<dyn Format>,
    reports: Vec<PropertyReport>,
    /// Lines for standard error at the end.
    notes: Vec<String>,
    /// What could not be written.
    faults: Vec<Failure>,
    current: Option<Current>,
    /// Set when no further search may begin.
    stopped: Option<Stop>,
}

/// Runs a task on an input; returns the exit code.
pub(super) fn ask<I: Input>(input: I, task: Task, format: FormatName) -> Result<u8, Failure> {
    let input = Arc::new(input);
    let subject = input.subject();
    let limits = task.limits;
    let session = Arc::new(Session {
        progress: Progress::new(task.is_verbose, !format.is_chatty(), task.start),
        has_listener: task.is_verbose || format.has_details() || task.html.is_some(),
        subject,
        stop: limits.stop(),
        state: Mutex::new(State {
            format: format.make(subject, task.sarif.as_deref(), task.html.as_deref()),
            reports: Vec::new(),
            notes: Vec::new(),
            faults: Vec::new(),
            current: None,
            stopped: None,
        }),
        task,
    });
    let [short, asked, worker] = [0; 3].map(|_| Arc::clone(&session));
    let searched = Arc::clone(&input);
    let end = watch_with(
        limits,
        move || short.ask_for_memory(),
        move |stop| asked.stop(stop),
        move || searched.decide(&worker),
    )?;
    session.progress.finish();
    match end {
        End::Finished(found) => {
            let concluded = found.and_then(|found| input.conclude(&session, found));
            let mut state = session.lock();
            if let Err(failure) = concluded {
                session.fail(&*input, &mut state);
                return Err(failure);
            }
            if let Some(stop) = state.stopped {
                session.report_undecided(&*input, &mut state, stop);
            }
            session.finish(&*input, &mut state)
        }
        End::Abandoned(stop) => {
            // The lock is never released: the search must not print any more.
            let mut state = session.lock();
            session.report_undecided(&*input, &mut state, stop);
            let code = session.finish(&*input, &mut state);
            leave(code.unwrap_or_else(|failure| failure.complain()));
        }
    }
}

impl Session {
    /// Says how many properties there are.
    pub(super) fn expect(&self, n_properties: usize) {
        self.progress.expect(n_properties);
    }

    /// Prints a line in verbose mode.
    pub(super) fn tell(&self, line: &str) {
        self.progress.print(line);
    }

    /// The state. A search that panicked while it held the lock left the state consistent.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Requests a search with fewer engines.
    fn ask_for_memory(&self) {
        self.stop.report_memory_short();
    }

    /// Requests the end of the search.
    fn stop(&self, stop: Stop) {
        self.lock().stopped = Some(stop);
        stop.tell(&self.stop);
    }

    /// Whether the search was asked to end.
    pub(super) fn is_stopped(&self) -> bool {
        self.lock().stopped.is_some()
    }

    /// Begins the search for a property; returns the listener of its engines.
    pub(super) fn begin(&self, property: usize, name: &str, listener: Listener) -> Listener {
        let begin = Instant::now();
        let listener = match self.has_listener {
            true => listener.with_receiver(self.progress.listener(name)),
            false => listener,
        };
        self.progress.begin(name);
        self.lock().current = Some(Current {
            property,
            begin,
            listener: listener.clone(),
        });
        listener
    }

    /// Creates a report, prints its verdict, and then writes its evidence with `write`, which returns the path. The
    /// lock is held meanwhile, so that a process that abandons the search waits for the files that belong to the
    /// report. What can't be written is told after all verdicts.
    pub(super) fn report(
        &self,
        make: impl FnOnce(Option<Stop>) -> PropertyReport,
        write: impl FnOnce(&PropertyReport) -> Result<Vec<PathBuf>, Failure>,
    ) {
        let mut state = self.lock();
        let current = state.current.take();
        let mut report = make(state.stopped);
        if let Some(current) = current {
            report.add_statistics(current.listener.statistics());
        }
        self.advise(&mut report);
        self.progress.done();
        self.progress.suspend(|| state.format.verdict(&report));
        match write(&report) {
            Ok(path) => path.into_iter().for_each(|path| report.add_file(path)),
            Err(failure) => state.faults.push(failure),
        }
        self.progress.suspend(|| state.format.details(&report));
        state.reports.push(report);
    }

    /// Notes a file that was written about the report at this place.
    pub(super) fn note_file(&self, place: usize, path: PathBuf) {
        let mut state = self.lock();
        let report = (state.reports.iter_mut()).find(|report| report.place() == (false, place));
        if let Some(report) = report {
            report.add_file(path);
        }
    }

    /// Notes what could not be written after the report about it.
    pub(super) fn note_fault(&self, fault: Failure) {
        self.lock().faults.push(fault);
    }

    /// Stores a line for standard error, printed after the reports.
    pub(super) fn note(&self, note: String) {
        self.lock().notes.push(note);
    }

    /// Says in a report that is not decided what was tried.
    fn advise(&self, report: &mut PropertyReport) {
        let tracks = self
            .progress
            .journal()
            .of(report.name().unwrap_or(&self.name()));
        report.advise(|reason| advice(reason, &self.task, self.subject, &tracks));
    }

    /// The name under which the search for the only property of a program is told.
    fn name(&self) -> String {
        self.task.file.display().to_string()
    }

    fn add(&self, state: &mut State, mut report: PropertyReport) {
        self.advise(&mut report);
        self.progress.suspend(|| {
            state.format.verdict(&report);
            state.format.details(&report);
        });
        state.reports.push(report);
    }

    fn report_undecided(&self, input: &impl Input, state: &mut State, stop: Stop) {
        let owed = input.undecided(&state.reports, state.current.as_ref(), stop);
        for report in owed {
            self.add(state, report);
        }
    }

    /// Prints what is known although the search has failed. What failed is told by the caller.
    fn fail(&self, input: &impl Input, state: &mut State) {
        if !state.reports.is_empty()
            && let Err(other) = self.finish(input, state)
        {
            other.complain();
        }
    }

    /// Prints the summary of the task; returns the exit code.
    fn finish(&self, input: &impl Input, state: &mut State) -> Result<u8, Failure> {
        state.reports.sort_by_key(PropertyReport::place);
        let answer = Answer::of_all(&state.reports);
        let faults = std::mem::take(&mut state.faults);
        let code = faults.iter().map(Failure::exit_code).min();
        let exit_code = match answer {
            Answer::Failed => input.exit_code(answer),
            _ => code.unwrap_or_else(|| input.exit_code(answer)),
        };
        let finished = state.format.finish(&Summary {
            file: self.task.file.display().to_string(),
            subject: self.subject,
            answer,
            exit_code,
            seconds: self.task.seconds(),
            reports: &state.reports,
            journal: &self.progress.journal(),
        });
        for note in &state.notes {
            complain(note);
        }
        for fault in &faults {
            fault.complain();
        }
        finished.map(|()| exit_code)
    }
}
