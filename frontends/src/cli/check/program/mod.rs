//! C programs: `craig_c` reads, searches and checks them; the results are written and reported here.

mod artefact;
mod cbmc;
mod listing;
pub(super) mod options;
mod record;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::report::Advice;
use super::report::{Answer, ProgramReport, PropertyReport, Subject};
use super::session::{Current, Input, Session};
use super::task::Task;
use crate::cli::failure::Failure;
use crate::cli::programs::read_property_file;
use crate::cli::watch::Stop;
use artefact::Wanted;
use craig_c::{self as c, LinkedFile, Native, Options, PropertyPlace, Report, Told};
use craig_mc::{Alone, Listener};
use craig_model::UnknownReason;
use options::CArguments;
use record::Record;

/// The time limit of the compiler and of the compiled program, each.
const NATIVE_LIMIT: Duration = Duration::from_secs(20);

/// A C program, and the options of its check.
pub(super) struct Program {
    file: PathBuf,
    arguments: CArguments,
    options: Options,
    /// The properties, if each has a report; none before the program was read.
    places: Mutex<Vec<PropertyPlace>>,
    /// Where refutations are recorded.
    record: Option<Record>,
}

impl Program {
    /// The program of a task: its file, or these files. The search reads them, within the limits.
    ///
    /// # Errors
    /// If the property file cannot be read, or other options contradict it.
    pub(super) fn new(
        arguments: &CArguments,
        task: &Task,
        property_file: Option<&Path>,
        files: Vec<LinkedFile>,
    ) -> Result<Self, Failure> {
        task.engines.check_only()?;
        let property_file = match property_file {
            Some(path) => Some(read_property_file(path)?),
            None => None,
        };
        if arguments.has_statements() || arguments.is_mixed() {
            return Err(Failure::input(
                "`--cover` takes lines, or one of location, branch and condition without `--check`",
            ));
        }
        if let Some(file) = &property_file
            && let Some(option) = arguments.property_option(file)
        {
            return Err(Failure::input(format!(
                "`{option}` and a property file ask for different properties"
            )));
        }
        let mut options = arguments.options(&task.engines, task.limits.deadline, property_file);
        options.cbmc = arguments.cbmc_options()?;
        let mut files = files.into_iter();
        let mut file = task.file.clone();
        if let Some(first) = files.next() {
            file = first.path;
            options.preprocessing = first.preprocessing;
            options.linked = files.collect();
        }
        Ok(Self {
            file,
            options,
            record: arguments.record.as_deref().map(Record::new),
            arguments: arguments.clone(),
            places: Mutex::new(Vec::new()),
        })
    }

    /// Asks about one property only.
    pub(super) fn choose(&mut self, property: &str) {
        self.options.property_name = Some(property.to_owned());
    }

    /// The properties, if each has a report; none before the program was read.
    fn places(&self) -> MutexGuard<'_, Vec<PropertyPlace>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports a verdict, after the compiled program was run if that is asked for.
    fn report(&self, session: &Session, found: &mut ProgramReport) {
        let is_unsafe = matches!(found.report.answer, c::Answer::Unsafe(_));
        if self.arguments.replay_native && is_unsafe {
            let native = self.replay_natively(&found.report);
            doubt(&mut found.report, &native);
            found.native = Some(native);
        }
        let report = PropertyReport::Program(found.clone());
        session.report(|_| report, |_| Ok(Vec::new()));
    }

    /// Compiles and runs an unsafe program with the inputs of the error path.
    fn replay_natively(&self, report: &Report) -> Native {
        match c::test_driver(&self.file, &self.options, report) {
            Ok(driver) => c::replay_natively(&driver, NATIVE_LIMIT),
            Err(reason) => Native::Not(reason),
        }
    }
}

/// An error mark that the compiled program does not reach with the same inputs needs results of library
/// functions that this machine does not give: the verdict states both, and decides nothing.
fn doubt(report: &mut Report, native: &Native) {
    let (Native::Differs(how), c::Answer::Unsafe(c::ErrorPath { error, .. })) =
        (native, &report.answer)
    else {
        return;
    };
    if !matches!(c::error_kind(error), "error-mark" | "assertion") {
        return;
    }
    let reason = format!(
        "a path was found on which {error}, but compiled and run with its inputs the program does not fail: {how}"
    );
    report.answer = c::Answer::Unknown(UnknownReason::Unsupported(reason));
}

impl Input for Program {
    type Found = Vec<ProgramReport>;

    fn subject(&self) -> Subject {
        Subject::Program {
            is_each: self.arguments.is_each(),
            goals: self.options.goals,
        }
    }

    fn decide(&self, session: &Session) -> Result<Vec<ProgramReport>, Failure> {
        let name = self.file.display().to_string();
        if session.is_stopped() {
            return Ok(Vec::new());
        }
        let mut listener = session.begin(0, &name, Listener::silent());
        if let Some(record) = &self.record {
            listener = listener.with_recorder(record.recorder());
        }
        let own = Alone {
            listener,
            ..Alone::until(session.stop.clone())
        };
        let control = own.control();
        if !self.arguments.is_each() {
            let report = c::run(&self.file, &self.options, control).map_err(failure)?;
            return Ok(vec![ProgramReport {
                number: 0,
                place: None,
                report,
                seconds: session.task.seconds(),
                statistics: control.listener.statistics(),
                native: None,
                files: Vec::new(),
                advice: Advice::default(),
            }]);
        }
        let mut found = Vec::new();
        let mut tell = |event: Told| match event {
            Told::Begin(places) => {
                session.expect(places.len());
                *self.places() = places;
            }
            Told::Decided(number, decided) => {
                let decided = *decided;
                let mut report = ProgramReport {
                    number,
                    place: Some(decided.place),
                    report: decided.report,
                    seconds: decided.seconds,
                    statistics: BTreeMap::new(),
                    native: None,
                    files: Vec::new(),
                    advice: Advice::default(),
                };
                self.report(session, &mut report);
                found.push(report);
            }
        };
        c::run_each_telling(&self.file, &self.options, control, &mut tell).map_err(failure)?;
        found.sort_by_key(|report| report.number);
        Ok(found)
    }

    /// Reports the verdict on all properties together, then writes the requested files.
    fn conclude(&self, session: &Session, mut found: Vec<ProgramReport>) -> Result<(), Failure> {
        if !self.arguments.is_each() {
            for found in &mut found {
                self.report(session, found);
            }
        }
        if let Some(fault) = self.record.as_ref().and_then(Record::fault) {
            session.note_fault(fault);
        }
        let wanted = Wanted {
            file: &self.file,
            options: &self.options,
            arguments: &self.arguments,
            witness: session.task.witness.as_deref(),
        };
        if let Some(path) = &self.arguments.unwinding {
            let search = self.options.program_search.as_ref();
            let reports: Vec<PropertyReport> =
                found.iter().cloned().map(PropertyReport::Program).collect();
            let verdict = Answer::of_all(&reports).word();
            let title = format!("{}: {verdict}, unwinding", self.file.display());
            let drawing = search.and_then(c::ProgramSearch::take_drawing);
            let written = artefact::unwinding::write(path, drawing, &title);
            match written {
                Ok(Some(note)) => session.note(note),
                Ok(None) => {}
                Err(fault) => session.note_fault(fault),
            }
        }
        artefact::write_all(&wanted, &found, session);
        Ok(())
    }

    /// Every property that has no report yet, or if the properties are not known, all of them together.
    fn undecided(
        &self,
        reports: &[PropertyReport],
        current: Option<&Current>,
        stop: Stop,
    ) -> Vec<PropertyReport> {
        let undecided = |number: usize, place: Option<PropertyPlace>| {
            let current = current.filter(|_| place.is_none());
            PropertyReport::Program(ProgramReport {
                number,
                place,
                report: Report::unknown(stop.reason().to_owned()),
                seconds: current.map_or(0.0, |current| current.begin.elapsed().as_secs_f64()),
                statistics: current
                    .map_or_else(BTreeMap::new, |current| current.listener.statistics()),
                native: None,
                files: Vec::new(),
                advice: Advice::default(),
            })
        };
        let reported: HashSet<usize> = (reports.iter())
            .filter_map(|report| match report {
                PropertyReport::Program(report) => Some(report.number),
                PropertyReport::Circuit(_) => None,
            })
            .collect();
        let places = self.places().clone();
        if places.is_empty() && reported.is_empty() {
            return vec![undecided(0, None)];
        }
        let left = (0..).zip(places);
        left.filter(|(number, _)| !reported.contains(number))
            .map(|(number, place)| undecided(number, Some(place)))
            .collect()
    }

    fn exit_code(&self, answer: Answer) -> u8 {
        self.arguments.exit_code(answer)
    }
}

fn failure(failure: c::Failure) -> Failure {
    match failure {
        c::Failure::Input(message) => Failure::Input(message),
        failure => Failure::Internal(failure.to_string()),
    }
}
