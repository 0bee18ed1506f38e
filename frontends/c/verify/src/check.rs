//! The check of a C file: one verdict on all of its properties together, or one on each.

use std::path::Path;
use std::time::Instant;

use craig_mc::Control;
use craig_model::{Stop, UnknownReason};
use craig_program::line_up::StageName;

use crate::load::{load, load_text, on_large_stack, with_large_stack};
use crate::options::Options;
use crate::placed::placed;
use crate::portfolio;
use crate::removed_bodies::{confirmed, counted, with_bodies};
use crate::report::{Answer, Decider, ErrorPath, Failure, PropertyPlace, PropertyReport, Report};
use crate::tracking::{decide_tracking, is_undecided};
use crate::verdict::{Found, Verdict, unknown};
use craig_c_exec::concrete::error_path::{file_name, path_of};
use craig_c_lang::ir::{CheckKind, Program};
use craig_c_lang::property::{Property, properties, restricted};

/// Checks a C file.
///
/// # Errors
/// If the file cannot be read or preprocessed, or if an engine's evidence fails its check.
pub fn run(path: &Path, options: &Options, control: Control<'_>) -> Result<Report, Failure> {
    on_large_stack(path, options, control, check)
}

/// Checks preprocessed text; `name` is its file's name in messages. Other files, and lines to be reached, are not looked
/// for.
///
/// # Errors
/// As [`run`].
pub fn run_text(
    text: &str,
    name: &str,
    options: &Options,
    control: Control<'_>,
) -> Result<Report, Failure> {
    with_large_stack(|| check_loaded(&|options| load_text(text, name, options), options, control))
}

/// Checks each property of a C file: every error mark and every check at its position in the source is one.
/// The result is in the order of the source; empty if there are no properties.
///
/// # Errors
/// As [`run`].
pub fn run_each(
    path: &Path,
    options: &Options,
    control: Control<'_>,
) -> Result<Vec<PropertyReport>, Failure> {
    run_each_telling(path, options, control, &mut |_| {})
}

/// What [`run_each_telling`] tells while it works.
#[derive(Debug)]
pub enum Told {
    /// The properties, in the order of the source.
    Begin(Vec<PropertyPlace>),
    /// The report on the property of this number in that list.
    Decided(usize, Box<PropertyReport>),
}

/// As [`run_each`], and tells which properties there are, and each report as soon as it is known.
///
/// # Errors
/// As [`run`].
pub fn run_each_telling(
    path: &Path,
    options: &Options,
    control: Control<'_>,
    tell: &mut (dyn FnMut(Told) + Send),
) -> Result<Vec<PropertyReport>, Failure> {
    with_large_stack(|| check_each(path, options, control, tell))
}

fn check(path: &Path, options: &Options, control: Control<'_>) -> Result<Report, Failure> {
    let report = loaded_and_checked(path, options, control)?;
    let Some(whole) = with_bodies(&report, options) else {
        return Ok(report);
    };
    let second = loaded_and_checked(path, &whole, control)?;
    Ok(confirmed(report, Some(&second), options))
}

fn loaded_and_checked(
    path: &Path,
    options: &Options,
    control: Control<'_>,
) -> Result<Report, Failure> {
    check_loaded(&|options| load(path, options), options, control)
}

/// A program, or why it is not supported; or that it is invalid.
type Loaded = Result<Result<Program, String>, Failure>;

/// The report on a program that is loaded by some options. Where a path to an error was found, but an assumption is left out
/// in part, an error path with all of it is looked for.
fn check_loaded(
    load: &dyn Fn(&Options) -> Loaded,
    options: &Options,
    control: Control<'_>,
) -> Result<Report, Failure> {
    let program = match load(options)? {
        Ok(program) => program,
        Err(reason) => return Ok(Report::unknown(reason)),
    };
    let (report, is_uncertain) = check_program(&program, options, control)?;
    if !is_uncertain {
        return Ok(report);
    }
    let mut each = options.clone();
    each.cbmc.assumes_each = true;
    let Ok(program) = load(&each)? else {
        return Ok(report);
    };
    let (found, _) = check_program(&program, &each, control)?;
    Ok(match found.answer {
        Answer::Unsafe(_) => found,
        _ => report,
    })
}

/// The report on a program, and whether an error path was found that may be none ([`Program::weakened`]).
fn check_program(
    program: &Program,
    options: &Options,
    control: Control<'_>,
) -> Result<(Report, bool), Failure> {
    check_options(program, options)?;
    let (mut verdict, mut decider) = decide(program, options, control);
    let is_uncertain = (program.weakened.as_ref()).is_some_and(
        |what| matches!(&verdict, Ok(Found::Unknown(reason)) if *reason == left_out(what)),
    );
    // A property may be undecided here while another one is decided.
    if let Some(file) = &options.property_file
        && is_undecided(&verdict, file)
    {
        let leak = CheckKind::Leak.text();
        let others = restricted(program, &|property| property.text != leak);
        let second = decide(&others, options, control);
        if matches!(second.0, Ok(Found::Unsafe(_))) {
            (verdict, decider) = second;
        }
    }
    Ok((report(program, verdict, decider, options)?, is_uncertain))
}

/// Refuses options that are not for this program.
fn check_options(program: &Program, options: &Options) -> Result<(), Failure> {
    portfolio::refusal(program, options).map_or(Ok(()), |message| Err(Failure::Input(message)))
}

/// The verdict of the engines, as far as it is one on the program, wherever its objects are.
fn decide(program: &Program, options: &Options, control: Control<'_>) -> (Verdict, Decider) {
    let (verdict, decider) = portfolio::decide(program, options, control);
    let verdict = represented(program, verdict);
    let verdict = placed(program, verdict, |moved| {
        portfolio::decide(moved, options, control).0
    });
    (verdict, decider)
}

/// A path to an error says nothing where the program allows more runs than what it specifies.
pub(crate) fn represented(program: &Program, verdict: Verdict) -> Verdict {
    match (&program.weakened, verdict) {
        (Some(what), Ok(Found::Unsafe(_))) => unknown(left_out(what)),
        (_, verdict) => verdict,
    }
}

/// The reason where an error path may be none, as a condition is not represented.
fn left_out(what: &str) -> UnknownReason {
    UnknownReason::Unsupported(format!(
        "{what} is left out, so that a path to an error may be none"
    ))
}

/// The undecided properties, and the reports on the others.
struct Open<'p> {
    program: &'p Program,
    left: Vec<Property>,
    done: Vec<(Property, Report, f64)>,
    on_decided: &'p mut OnDecided<'p>,
}

/// What a decision about some properties has come to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// At least one has a report.
    Decided,
    /// Nothing has changed.
    Open,
}

impl Open<'_> {
    /// Decides some of the remaining properties at once. Those that no engine decides are given up if this is final, or
    /// if time was left for one alone.
    fn decide(
        &mut self,
        together: &[Property],
        options: &Options,
        control: Control<'_>,
        is_final: bool,
    ) -> Result<Step, Failure> {
        let start = Instant::now();
        let program = restricted(self.program, &|property| together.contains(property));
        let (verdict, decider) = decide(&program, options, control);
        let decided = match &verdict {
            Ok(Found::Safe(_)) => together.to_vec(),
            Ok(Found::Unsafe(found)) => vec![Property {
                at: found.at,
                text: found.text.clone(),
            }],
            Ok(Found::Unknown(_))
                if !is_final && (together.len() > 1 || has_ended(control.stop)) =>
            {
                return Ok(Step::Open);
            }
            Ok(Found::Unknown(_)) | Err(_) => together.to_vec(),
        };
        let report = report(&program, verdict, decider, options)?;
        let seconds = start.elapsed().as_secs_f64();
        for property in decided {
            let Some(index) = self.left.iter().position(|other| *other == property) else {
                return Err(Failure::Internal(format!(
                    "an error that is not among the checked properties: {}",
                    property.text
                )));
            };
            self.left.remove(index);
            (self.on_decided)(&property, &report, seconds);
            self.done.push((property, report.clone(), seconds));
        }
        Ok(Step::Decided)
    }
}

/// Whether the time of a control is over, and nothing else has ended its search.
fn has_ended(stop: &Stop) -> bool {
    stop.reason() == Some(UnknownReason::Timeout)
}

/// The text of the single property that represents all, if the program is not supported.
pub const EVERY_PROPERTY: &str = "every property";

fn check_each(
    path: &Path,
    options: &Options,
    control: Control<'_>,
    tell: &mut (dyn FnMut(Told) + Send),
) -> Result<Vec<PropertyReport>, Failure> {
    let program = match load(path, options)? {
        Ok(program) => program,
        Err(reason) => {
            let place = PropertyPlace {
                file: path.display().to_string(),
                line: 1,
                text: EVERY_PROPERTY.into(),
            };
            let report = PropertyReport {
                place: place.clone(),
                report: Report::unknown(reason),
                seconds: 0.0,
            };
            tell(Told::Begin(vec![place]));
            tell(Told::Decided(0, Box::new(report.clone())));
            return Ok(vec![report]);
        }
    };
    check_options(&program, options)?;
    let all = properties(&program);
    let place = |property: &Property| PropertyPlace {
        file: file_name(&program, property.at),
        line: property.at.line,
        text: property.text.clone(),
    };
    tell(Told::Begin(all.iter().map(place).collect()));
    let describe = |property: &Property, report: &Report, seconds: f64| PropertyReport {
        place: place(property),
        report: counted(report, options),
        seconds,
    };
    let number = |property: &Property| all.iter().position(|other| other == property);
    let mut on_decided = |property: &Property, report: &Report, seconds: f64| {
        if let Some(number) = number(property) {
            tell(Told::Decided(
                number,
                Box::new(describe(property, report, seconds)),
            ));
        }
    };
    let decided = decide_each(&program, all.clone(), options, control, &mut on_decided)?;
    let reports = decided.iter();
    Ok(reports
        .map(|(property, report, seconds)| describe(property, report, *seconds))
        .collect())
}

/// Gets a property that is decided, its report, and the seconds that it took.
pub(crate) type OnDecided<'a> = dyn FnMut(&Property, &Report, f64) + 'a;

/// The reports on some properties of a program, in the order of the source, with their times in seconds.
/// `on_decided` gets each as soon as it is known.
pub(crate) fn decide_each(
    program: &Program,
    left: Vec<Property>,
    options: &Options,
    control: Control<'_>,
    on_decided: &mut OnDecided<'_>,
) -> Result<Vec<(Property, Report, f64)>, Failure> {
    let mut open = Open {
        program,
        left,
        done: Vec::new(),
        on_decided,
    };
    let mut round = 0;
    loop {
        // All remaining ones at once: an error decides one of them, a proof all.
        while open.left.len() > 1 {
            let all = open.left.clone();
            let stop = share(options, control.stop, 2, round);
            let own = Control {
                stop: &stop,
                ..control
            };
            if open.decide(&all, options, own, false)? != Step::Decided {
                break;
            }
        }
        // A property that is undecided together with others may be decided alone.
        let n_open = open.left.len();
        for (place, property) in open.left.clone().into_iter().enumerate() {
            if !open.left.contains(&property) {
                continue;
            }
            let n_left = n_open - place;
            let is_last = options.deadline.is_some() || n_open == 1;
            let stop = match is_last {
                true if options.deadline.is_none() => control.stop.clone(),
                _ => share(options, control.stop, n_left as u32, round),
            };
            let own = Control {
                stop: &stop,
                ..control
            };
            open.decide(&[property], options, own, is_last)?;
        }
        if open.left.is_empty() {
            break;
        }
        round += 1;
    }
    open.done.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(open.done)
}

/// The end of one of this number of shares of the remaining time, or without a deadline of the share of this round: these grow
/// from round to round, so that a hard property does not hold up the others.
fn share(options: &Options, stop: &Stop, n_shares: u32, round: u32) -> Stop {
    let now = Instant::now();
    let end = match options.deadline {
        Some(deadline) => now + deadline.saturating_duration_since(now) / n_shares,
        None => {
            let row = options.search.stages().row(StageName::ProgramRounds);
            now + row.in_round(round)
        }
    };
    stop.clone().with_deadline(end)
}

fn report(
    program: &Program,
    verdict: Verdict,
    Decider { engine, phase }: Decider,
    options: &Options,
) -> Result<Report, Failure> {
    let verdict = match &options.property_file {
        Some(file) => decide_tracking(program, verdict, engine, file),
        None => verdict,
    };
    let answer = match verdict {
        Ok(Found::Safe(safety)) => Answer::Safe(safety),
        Ok(Found::Unsafe(found)) => Answer::Unsafe(ErrorPath {
            error: found.text.clone(),
            path: path_of(program, &found),
        }),
        Ok(Found::Unknown(reason)) => Answer::Unknown(reason),
        Err(error) => return Err(Failure::Internal(error.to_string())),
    };
    Ok(Report {
        answer,
        engine,
        phase,
        notes: program.notes.clone(),
        unchecked: program.unchecked.clone(),
        conventions: program.conventions.clone(),
    })
}
