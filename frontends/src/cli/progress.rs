//! Progress of the engines on standard error.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use craig_mc::control::{Event, Receiver};
use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};

use super::journal::Journal;
use super::terminal::complain;
use super::watch::resident_bytes;

/// Lines of engines, at most; a terminal has about 24.
const MOST_ENGINES: usize = 12;

/// How often the first line is drawn again.
const TICK: Duration = Duration::from_millis(100);

/// The lines of a terminal, which are drawn in place: one about the task, and one for each engine at work.
#[derive(Debug)]
struct Lines {
    all: MultiProgress,
    head: ProgressBar,
    engines: Mutex<BTreeMap<&'static str, ProgressBar>>,
}

impl Lines {
    fn new() -> Self {
        let all = MultiProgress::new();
        let head = all.add(ProgressBar::new_spinner());
        let style = ProgressStyle::with_template("{spinner} {elapsed}, {memory}: {wide_msg}");
        if let Ok(style) = style {
            head.set_style(style.with_key("memory", write_memory));
        }
        head.enable_steady_tick(TICK);
        Self {
            all,
            head,
            engines: Mutex::new(BTreeMap::new()),
        }
    }

    fn engines(&self) -> MutexGuard<'_, BTreeMap<&'static str, ProgressBar>> {
        self.engines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows what an engine has said last.
    fn show(&self, engine: &'static str, line: String) {
        let mut engines = self.engines();
        if !engines.contains_key(engine) && engines.len() >= MOST_ENGINES {
            return;
        }
        let bar = engines.entry(engine).or_insert_with(|| {
            let bar = self.all.add(ProgressBar::new_spinner());
            if let Ok(style) = ProgressStyle::with_template("    {prefix:14} {wide_msg}") {
                bar.set_style(style);
            }
            bar.set_prefix(engine);
            bar
        });
        bar.set_message(line);
    }

    /// Removes the lines of the engines.
    fn clear(&self) {
        for bar in std::mem::take(&mut *self.engines()).into_values() {
            bar.finish_and_clear();
            self.all.remove(&bar);
        }
    }
}

/// The memory that is resident, when the line is drawn.
fn write_memory(_: &ProgressState, text: &mut dyn std::fmt::Write) {
    let megabytes = resident_bytes().unwrap_or_default().div_ceil(1 << 20);
    // A line that cannot be written is drawn again soon.
    let _ = write!(text, "{megabytes} MB");
}

/// Whether lines are drawn in place. They would be junk in a file or a pipe.
fn is_shown() -> bool {
    std::io::stderr().is_terminal()
}

/// How far a task has come.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    done: usize,
    all: usize,
}

/// Lines that are drawn in place, on a terminal only; or a line for every event in verbose mode. Both have what the journal has.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    lines: Option<Arc<Lines>>,
    is_verbose: bool,
    start: Instant,
    journal: Arc<Mutex<Journal>>,
    count: Arc<Mutex<Count>>,
}

impl Progress {
    /// Times are counted from `start`.
    pub(super) fn new(is_verbose: bool, is_quiet: bool, start: Instant) -> Self {
        let is_shown = !is_verbose && !is_quiet && is_shown();
        Self {
            lines: is_shown.then(|| Arc::new(Lines::new())),
            is_verbose,
            start,
            journal: Arc::default(),
            count: Arc::default(),
        }
    }

    /// Says how many properties there are.
    pub(super) fn expect(&self, n_properties: usize) {
        self.count().all = n_properties;
    }

    /// Counts a property that is done.
    pub(super) fn done(&self) {
        self.count().done += 1;
    }

    fn count(&self) -> MutexGuard<'_, Count> {
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows the start of work on a property.
    pub(super) fn begin(&self, name: &str) {
        if let Some(lines) = &self.lines {
            let Count { done, all } = *self.count();
            lines.clear();
            lines.head.set_message(match all {
                0 | 1 => name.to_owned(),
                _ => format!(
                    "{done} of {all} properties done, {} left; {name}",
                    all.saturating_sub(done)
                ),
            });
        }
        self.print(&format!("{name}: begin"));
    }

    /// Prints a line of verbose mode, with the seconds since the start.
    pub(super) fn print(&self, line: &str) {
        if self.is_verbose {
            complain(&format!("{:8.2} {line}", self.seconds()));
        }
    }

    fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// What the engines have told so far.
    pub(super) fn journal(&self) -> MutexGuard<'_, Journal> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The listener for the events of engines that work on a property.
    pub(super) fn listener(&self, name: &str) -> Receiver {
        let progress = self.clone();
        let name = name.to_owned();
        Arc::new(move |event| progress.tell(&name, &event))
    }

    fn tell(&self, name: &str, event: &Event) {
        let (engine, line) = self.journal().tell(name, event, self.seconds());
        if let Some(lines) = &self.lines {
            lines.show(engine, line);
        }
        if self.is_verbose {
            self.print(&format!("{name}: {}", described(event)));
        }
    }

    /// Prints something while the lines are hidden.
    pub(super) fn suspend(&self, print: impl FnOnce()) {
        match &self.lines {
            Some(lines) => lines.all.suspend(print),
            None => print(),
        }
    }

    /// Removes the lines.
    pub(super) fn finish(&self) {
        if let Some(lines) = &self.lines {
            lines.clear();
            lines.head.finish_and_clear();
        }
    }
}

/// An event as a line of verbose mode.
fn described(event: &Event) -> String {
    match event {
        Event::Depth { engine, depth } => format!("{engine}: no bad before step {depth}"),
        Event::Interpolant {
            engine,
            bound,
            round,
            ands,
        } => format!("{engine}: bound {bound}, round {round}: {ands} gates"),
        Event::Note { engine, text } => format!("{engine}: {text}"),
    }
}

/// The line of a search for a model of a formula: conflicts, and memory. On a terminal only.
pub(super) fn conflicts_line(conflicts: &Arc<AtomicU64>, what: &str) -> ProgressBar {
    if !is_shown() {
        return ProgressBar::hidden();
    }
    let line = ProgressBar::new_spinner();
    let template = "{spinner} {elapsed}, {memory}: {conflicts} conflicts; {wide_msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        let conflicts = Arc::clone(conflicts);
        let write_conflicts = move |_: &ProgressState, text: &mut dyn std::fmt::Write| {
            let _ = write!(text, "{}", conflicts.load(Ordering::Relaxed));
        };
        line.set_style(
            style
                .with_key("memory", write_memory)
                .with_key("conflicts", write_conflicts),
        );
    }
    line.set_message(what.to_owned());
    line.enable_steady_tick(TICK);
    line
}
