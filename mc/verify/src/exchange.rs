//! Clauses that searches of one circuit exchange through a folder, each in a process of its own.
//!
//! Each search appends clauses to a file of its own: invariants, and clauses of the last frame of its engines. What it reads in the files of
//! the others are candidates: it shares those with its engines that it finds inductive itself, so that nothing is trusted. A line is
//! `INPUTS,LATCHES,NODES LITERAL.. 0`: the size of the circuit, and literals over its latches, the first of which has number 1.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, Thread, park_timeout};
use std::time::{Duration, Instant};

use craig_mc::circuit::reduce::Reduced;
use craig_mc::engine::pdr::choose_inductive;
use craig_mc::exchange::Reached;
use craig_mc::{Control, StateClause};
use craig_model::Model;

/// The name under which it reports.
const NAME: &str = "exchange";
/// Longer clauses do not travel.
const MOST_LITERALS: usize = 8;
/// The most clauses that a search sends, and the most that it receives.
const MOST_CLAUSES: usize = 1000;
/// The time between two looks at the folder.
const PERIOD: Duration = Duration::from_millis(250);
/// After the time that a proof has taken, the next one waits this number of times as long.
const REST: u32 = 20;
/// The ending of the files.
const ENDING: &str = "clauses";

/// A folder through which searches of one circuit exchange clauses.
#[derive(Clone, Debug)]
pub struct Exchange {
    folder: PathBuf,
    own: PathBuf,
}

impl Exchange {
    /// Makes the folder, and a file for this process in it.
    ///
    /// # Errors
    /// If one of them can't be made.
    pub fn open(folder: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        // Processes of several machines may have one number.
        for attempt in 0.. {
            let own = folder.join(format!("{}-{attempt}.{ENDING}", process::id()));
            match OpenOptions::new().append(true).create_new(true).open(&own) {
                Ok(_) => {
                    let folder = folder.to_owned();
                    return Ok(Self { folder, own });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        unreachable!("there are more numbers than files")
    }

    /// Runs a search with an open board; meanwhile, clauses travel between the board and the folder.
    pub(crate) fn during<R>(
        &self,
        place: &Place<'_>,
        control: Control<'_>,
        search: impl FnOnce() -> R,
    ) -> R {
        debug_assert!(control.board.is_open());
        let is_over = AtomicBool::new(false);
        let stop = control.stop.cancelled_apart();
        let own = Control {
            stop: &stop,
            ..control
        };
        std::thread::scope(|scope| {
            let traffic = Traffic::new(self, place, own);
            let started = Builder::new()
                .name(NAME.to_owned())
                .spawn_scoped(scope, || traffic.run(&is_over));
            let _end = match &started {
                Ok(handle) => Some(End {
                    is_over: &is_over,
                    stop: &stop,
                    thread: handle.thread().clone(),
                }),
                Err(error) => {
                    control
                        .listener
                        .note(NAME, || format!("there is no thread: {error}"));
                    None
                }
            };
            search()
        })
    }
}

/// Ends the traffic when the search has ended, also by a panic.
struct End<'a> {
    is_over: &'a AtomicBool,
    stop: &'a craig_model::Stop,
    thread: Thread,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.stop.cancel();
        self.thread.unpark();
    }
}

/// A model that is searched, and the circuit over whose latches clauses travel.
pub(crate) struct Place<'a> {
    /// The circuit.
    original: &'a Model,
    /// The model, with the number of its bad.
    searched: (&'a Model, usize),
    /// If the model is a reduction of the circuit: that, and for each latch of it the circuit's.
    reduced: Option<(&'a Reduced, Vec<Option<usize>>)>,
}

impl<'a> Place<'a> {
    /// The circuit is searched itself.
    pub(crate) fn of_model(model: &'a Model, property: usize) -> Self {
        Self {
            original: model,
            searched: (model, property),
            reduced: None,
        }
    }

    /// A reduction for one bad of the circuit is searched.
    pub(crate) fn of_reduced(original: &'a Model, reduced: &'a Reduced) -> Self {
        Self {
            original,
            searched: (&reduced.model, 0),
            reduced: Some((reduced, reduced.lift.latches())),
        }
    }

    /// A clause over the model as one over the circuit, unless it is about a latch that only the model has.
    fn outside(&self, clause: &StateClause) -> Option<StateClause> {
        let number = |latch: usize| match &self.reduced {
            Some((_, numbers)) => numbers[latch],
            None => Some(latch),
        };
        let lits = clause.iter();
        let lits = lits.map(|&(latch, value)| Some((number(latch)?, value)));
        let mut clause = lits.collect::<Option<StateClause>>()?;
        clause.sort_unstable();
        Some(clause)
    }

    /// Clauses over the circuit as clauses over the model.
    fn inside(&self, clauses: Vec<StateClause>) -> Vec<StateClause> {
        match &self.reduced {
            Some((reduced, _)) => reduced.about(&clauses),
            None => clauses,
        }
    }

    /// What begins each line about the circuit.
    fn stamp(&self) -> String {
        let model = self.original;
        let (n_inputs, n_latches) = (model.inputs.len(), model.latches.len());
        format!("{n_inputs},{n_latches},{}", model.aig.n_nodes())
    }
}

/// The exchange of one search.
struct Traffic<'a> {
    exchange: &'a Exchange,
    place: &'a Place<'a>,
    control: Control<'a>,
    stamp: String,
    /// How much of each file was read: whole lines.
    read: HashMap<PathBuf, u64>,
    /// Clauses over the circuit that were sent or received.
    known: HashSet<StateClause>,
    n_sent: usize,
    n_received: usize,
    /// How many of the board's invariants were looked at.
    n_invariants: usize,
    /// The frames that were looked at last.
    frames: Option<Arc<Reached>>,
    /// Received clauses over the model: those that are proved, and the others.
    proved: Vec<StateClause>,
    open: Vec<StateClause>,
    /// Whether there are open ones that were not tried yet.
    is_new: bool,
    next_proof: Instant,
    /// Whether the own file can't be written.
    is_mute: bool,
}

impl<'a> Traffic<'a> {
    fn new(exchange: &'a Exchange, place: &'a Place<'a>, control: Control<'a>) -> Self {
        Self {
            exchange,
            place,
            control,
            stamp: place.stamp(),
            read: HashMap::new(),
            known: HashSet::new(),
            n_sent: 0,
            n_received: 0,
            n_invariants: control.board.invariants(0).len(),
            frames: None,
            proved: Vec::new(),
            open: Vec::new(),
            is_new: false,
            next_proof: Instant::now(),
            is_mute: false,
        }
    }

    fn run(mut self, is_over: &AtomicBool) {
        while !is_over.load(Ordering::Relaxed) {
            self.send();
            self.receive();
            if self.is_new && Instant::now() >= self.next_proof {
                self.prove();
            }
            park_timeout(PERIOD);
        }
        self.send();
    }

    /// Appends what the engines have found since the last time.
    fn send(&mut self) {
        let invariants = self.control.board.invariants(self.n_invariants);
        self.n_invariants += invariants.len();
        let frames = self.control.board.exchange().best_frames();
        let is_same = match (&frames, &self.frames) {
            (Some(frames), Some(last)) => Arc::ptr_eq(frames, last),
            (frames, _) => frames.is_none(),
        };
        let last_frame = frames.iter().filter(|_| !is_same);
        let last_frame = last_frame.flat_map(|frames| frames.within(frames.level().max(1)));
        let mut text = String::new();
        for clause in invariants.iter().chain(last_frame) {
            if self.n_sent == MOST_CLAUSES || self.is_mute || clause.len() > MOST_LITERALS {
                continue;
            }
            let Some(clause) = self.place.outside(clause) else {
                continue;
            };
            if self.known.insert(clause.clone()) {
                text.push_str(&line(&self.stamp, &clause));
                self.n_sent += 1;
                self.control.listener.count("clauses sent", 1);
            }
        }
        self.frames = frames;
        if text.is_empty() {
            return;
        }
        let written = OpenOptions::new()
            .append(true)
            .open(&self.exchange.own)
            .and_then(|mut file| file.write_all(text.as_bytes()));
        if let Err(error) = written {
            self.is_mute = true;
            self.tell(&self.exchange.own.clone(), &error);
        }
    }

    fn tell(&self, path: &Path, error: &io::Error) {
        (self.control.listener).note(NAME, || format!("{}: {error}", path.display()));
    }

    /// Reads what others have appended since the last time.
    fn receive(&mut self) {
        let listed = std::fs::read_dir(&self.exchange.folder);
        let entries = match listed {
            Ok(entries) => entries,
            Err(error) => return self.tell(&self.exchange.folder.clone(), &error),
        };
        let mut found = Vec::new();
        for path in entries.flatten().map(|entry| entry.path()) {
            let is_file_of_clauses = path.extension().is_some_and(|ending| ending == ENDING);
            if !is_file_of_clauses || path == self.exchange.own {
                continue;
            }
            match self.new_lines(&path) {
                Ok(text) => found.extend(self.parsed(&path, &text)),
                Err(error) => self.tell(&path, &error),
            }
        }
        found.sort_by_key(Vec::len);
        found.retain(|clause| {
            let is_new = self.n_received < MOST_CLAUSES && self.known.insert(clause.clone());
            self.n_received += usize::from(is_new);
            is_new
        });
        self.control.listener.count("clauses received", found.len());
        let found = self.place.inside(found);
        self.is_new |= !found.is_empty();
        self.open.extend(found);
    }

    /// The lines of a file that were not read yet. The last one may be written at present.
    fn new_lines(&mut self, path: &Path) -> io::Result<String> {
        let seen = self.read.entry(path.to_owned()).or_default();
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(*seen))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n');
        bytes.truncate(whole.map_or(0, |end| end + 1));
        *seen += bytes.len() as u64;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The clauses of lines about the circuit.
    fn parsed(&self, path: &Path, text: &str) -> Vec<StateClause> {
        let n_latches = self.place.original.latches.len();
        let about = |line: &&str| line.split(' ').next() == Some(&self.stamp);
        let parsed = text.lines().filter(about);
        let parsed: Vec<Option<StateClause>> = parsed.map(|line| clause(line, n_latches)).collect();
        let n_wrong = parsed.iter().filter(|clause| clause.is_none()).count();
        if n_wrong > 0 {
            self.control.listener.note(NAME, || {
                format!("{}: {n_wrong} lines are no clauses", path.display())
            });
        }
        parsed.into_iter().flatten().collect()
    }

    /// Shares those of the received clauses that are inductive with what is proved.
    fn prove(&mut self) {
        let begin = Instant::now();
        let (model, property) = self.place.searched;
        let candidates = [self.proved.as_slice(), self.open.as_slice()].concat();
        let found = choose_inductive(model, property, &candidates, self.control);
        let before: HashSet<&StateClause> = self.proved.iter().collect();
        let fresh: Vec<StateClause> = (found.iter())
            .filter(|clause| !before.contains(clause))
            .cloned()
            .collect();
        self.control.listener.count("clauses proved", fresh.len());
        let fresh_set: HashSet<&StateClause> = fresh.iter().collect();
        self.open.retain(|clause| !fresh_set.contains(clause));
        self.control.board.share_invariants(fresh.clone());
        self.proved.extend(fresh);
        self.is_new = false;
        self.next_proof = Instant::now() + begin.elapsed() * REST;
    }
}

/// A clause over the circuit's latches as a line.
fn line(stamp: &str, clause: &StateClause) -> String {
    let mut text = stamp.to_owned();
    for &(latch, value) in clause {
        text.push_str(if value { " " } else { " -" });
        text.push_str(&(latch + 1).to_string());
    }
    text.push_str(" 0\n");
    text
}

/// The clause of a line, if it is one over this number of latches.
fn clause(line: &str, n_latches: usize) -> Option<StateClause> {
    let mut words = line.split(' ').skip(1);
    let mut clause = StateClause::new();
    loop {
        let number: i64 = words.next()?.parse().ok()?;
        if number == 0 {
            break;
        }
        let latch = usize::try_from(number.unsigned_abs()).ok()? - 1;
        if latch >= n_latches || clause.len() == MOST_LITERALS {
            return None;
        }
        clause.push((latch, number > 0));
    }
    clause.sort_unstable();
    clause.dedup();
    (!clause.is_empty() && words.next().is_none()).then_some(clause)
}

#[cfg(test)]
mod tests;
