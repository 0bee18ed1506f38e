//! Who decides a circuit: an engine with options, reductions, a method for justice properties; and whether its verdicts are right.

use std::time::{Duration, Instant};

use craig_aig::Random;
use craig_mc::Alone;
use craig_mc::circuit::reduce::{Passes, ROWS};
use craig_mc::engine::options::{EngineOption, MAX_DEPTH, Range, Settings, Value, Word};
use craig_mc::engine::registry::{self, ENGINES};
use craig_mc::liveness::METHODS;
use craig_model::Stop;
use craig_program::line_up::{Stage, StageName};
use craig_verify::{Answer, Certified, Design, Engines, Judgement, Kind, Schedule, verify};

use super::shrink::without_parts;
use super::states::Steps;
use super::tally::Tally;

/// How often most cases may ask whether to stop: an engine that needs more is counted as one that gave up. Refuting engines never end on
/// a safe circuit, and would take most of a run if they had only a limit in time; this one does not depend on the load either.
const QUESTIONS: usize = 1000;

/// The time of these cases.
const TIME: Duration = Duration::from_millis(250);

/// The time of one case in `ONE_IN`, for what takes many steps.
const LONG_TIME: Duration = Duration::from_secs(5);

/// Of how many cases one has `LONG_TIME`.
const ONE_IN: usize = 64;

/// Who decides.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    /// The name of an engine; the line-up if there is none.
    engine: Option<&'static str>,
    /// Its options, as users write them.
    options: Vec<(&'static str, String)>,
    /// The passes; `None` if the model is not reduced.
    passes: Option<Vec<&'static str>>,
    /// Whether words become predicates first, for all of the time; then no engine is named.
    predicates: bool,
    /// The method for justice properties; all of them if there is none.
    method: Option<&'static str>,
    threads: usize,
    seed: u64,
    time: Duration,
}

impl Chosen {
    /// Anybody.
    pub(super) fn new(random: &mut Random) -> Self {
        let engine = (random.below(8) > 0).then(|| &ENGINES[random.below(ENGINES.len())]);
        let options = engine.map_or_else(Vec::new, |engine| options(engine.options, random));
        let passes = (random.below(3) > 0).then(|| {
            let all = random.flip();
            let names = ROWS.iter().map(|row| row.pass.name());
            names.filter(|_| all || random.flip()).collect()
        });
        let method = random
            .flip()
            .then(|| METHODS[random.below(METHODS.len())].name);
        Self {
            engine: engine.map(|engine| engine.name),
            options,
            passes,
            predicates: random.below(4) == 0,
            method,
            threads: 1 + random.below(2),
            seed: random.below(1000) as u64,
            time: match random.below(ONE_IN) {
                0 => LONG_TIME,
                _ => TIME,
            },
        }
    }

    /// Decides all properties of a design, and compares the verdicts with the graph of its states.
    pub(super) fn judge<D: Design>(
        &self,
        design: &D,
        steps: &Steps,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let schedule = self.schedule()?;
        let (bads, fails) = (steps.bads(), steps.justice_fails());
        let alone = Alone::until(self.stop(!fails.is_empty()));
        let verdicts = verify(design, &schedule, alone.control())
            .map_err(|error| format!("error: {error}"))?;
        if verdicts.len() != bads.len() + fails.len() {
            return Err("properties: not each has a verdict".into());
        }
        let is_shortest = self.is_shortest();
        for certified in &verdicts {
            valid(certified)?;
            let number = certified.property.number;
            let who = match certified.property.kind {
                Kind::Bad => {
                    bad(certified, bads[number], is_shortest)?;
                    self.engine.unwrap_or("line-up")
                }
                Kind::Justice => {
                    justice(certified, fails[number])?;
                    self.method.unwrap_or("all methods")
                }
            };
            let end = match certified.answer() {
                Answer::Unknown => "unknown",
                _ => "decided",
            };
            tally.count(&format!("{who}: {end}"));
        }
        Ok(())
    }

    /// What ends a call about a design; `is_live`: it has justice properties, for which all methods may share what there is.
    pub(super) fn stop(&self, is_live: bool) -> Stop {
        let stop = match (self.time, self.method) {
            (LONG_TIME, _) => Stop::new(),
            (_, None) if is_live => Stop::after_questions(QUESTIONS * METHODS.len()),
            _ => Stop::after_questions(QUESTIONS),
        };
        stop.with_deadline(Instant::now() + self.time)
    }

    /// Whether each run has to be a shortest one. Options may give up the engine's promise.
    pub(super) fn is_shortest(&self) -> bool {
        let engine = self.engine.and_then(registry::find);
        let is_named = !self.predicates && self.options.is_empty();
        is_named && engine.is_some_and(|engine| engine.is_shortest)
    }

    /// The schedule.
    pub(super) fn schedule(&self) -> Result<Schedule, String> {
        let mut schedule = Schedule::default();
        if let Some(name) = self.engine.filter(|_| !self.predicates) {
            let engine = registry::find(name).ok_or("engine: it is not registered")?;
            let settings = settings(engine.options, &self.options)?;
            schedule.engines = Engines::One(engine, settings);
        }
        schedule.passes = self.passes.as_ref().map(|names| {
            let mut passes = Passes::NONE;
            for name in names {
                passes = passes.with(name);
            }
            passes
        });
        if self.predicates {
            let row = Stage::new(StageName::Predicates);
            schedule.stages = schedule.stages.with_row(row);
        }
        schedule.liveness = self.method.and_then(craig_mc::liveness::find);
        (schedule.threads, schedule.seed) = (self.threads, self.seed);
        Ok(schedule)
    }

    /// Those with less in them.
    pub(super) fn smaller(&self) -> Vec<Self> {
        let options = without_parts(&self.options)
            .into_iter()
            .map(|options| Self {
                options,
                ..self.clone()
            });
        let passes = self
            .passes
            .as_ref()
            .into_iter()
            .flat_map(|passes| without_parts(passes));
        let passes = passes
            .map(Some)
            .chain(self.passes.is_some().then_some(None));
        let passes = passes.map(|passes| Self {
            passes,
            ..self.clone()
        });
        let predicates = self.predicates.then(|| Self {
            predicates: false,
            ..self.clone()
        });
        let threads = (self.threads > 1).then(|| Self {
            threads: 1,
            ..self.clone()
        });
        options
            .chain(passes)
            .chain(predicates)
            .chain(threads)
            .collect()
    }
}

/// The settings of an engine with these options.
pub(super) fn settings(
    all: &[&'static EngineOption],
    chosen: &[(&'static str, String)],
) -> Result<Settings, String> {
    let mut settings = Settings::default();
    for (name, text) in chosen {
        let option = all.iter().find(|option| option.name == *name);
        let option = option.ok_or("option: the engine has none of this name")?;
        let value = match option.range {
            Range::Switch => Value::Switch(text == "true"),
            _ => (option.parse(text)).map_err(|error| format!("option: {name}: {error}"))?,
        };
        settings.set(option, value);
    }
    Ok(settings)
}

/// Random values of some options.
pub(super) fn options(
    all: &[&'static EngineOption],
    random: &mut Random,
) -> Vec<(&'static str, String)> {
    let mut chosen = Vec::new();
    for option in all {
        if random.below(4) > 0 || option.name == MAX_DEPTH.name {
            continue;
        }
        let word =
            |words: &[Word], random: &mut Random| words[random.below(words.len())].name.to_owned();
        let text = match option.range {
            Range::Switch => "true".to_owned(),
            Range::Number(least) => (least + random.below(5) as u64).to_string(),
            Range::NumberOr(least, word) => match random.flip() {
                true => word.to_owned(),
                false => (least + random.below(5) as u64).to_string(),
            },
            Range::Word(words) | Range::Words(words) => word(words, random),
        };
        chosen.push((option.name, text));
    }
    chosen
}

/// Evidence that does not hold makes no answer, but is a fault of what has found it.
pub(super) fn valid<E>(certified: &Certified<E>) -> Result<(), String> {
    match &certified.judgement {
        Judgement::Invalid(reason) => Err(format!("evidence: {reason}")),
        _ => Ok(()),
    }
}

/// Compares a verdict with the first step in which the bad holds.
pub(super) fn bad<E>(
    certified: &Certified<E>,
    first: Option<usize>,
    is_shortest: bool,
) -> Result<(), String> {
    match (certified.answer(), first) {
        (Answer::Unknown, _) | (Answer::Safe, None) => Ok(()),
        (Answer::Unsafe, Some(first)) => match certified.trace() {
            None => Err("evidence: unsafe without a run".into()),
            Some(trace) if trace.depth() < first => {
                Err("depth: the run is shorter than any".into())
            }
            Some(trace) if is_shortest && trace.depth() > first => {
                Err("shortest: there is a shorter run".into())
            }
            Some(_) => Ok(()),
        },
        (Answer::Safe, Some(_)) => Err("wrong: safe, but there is a run".into()),
        (Answer::Unsafe, None) => Err("wrong: unsafe, but there is no run".into()),
    }
}

/// Compares a verdict with whether the property fails.
pub(super) fn justice<E>(certified: &Certified<E>, fails: bool) -> Result<(), String> {
    match (certified.answer(), fails) {
        (Answer::Unknown, _) | (Answer::Safe, false) | (Answer::Unsafe, true) => Ok(()),
        (Answer::Safe, true) => Err("wrong: it holds, but a run meets it".into()),
        (Answer::Unsafe, false) => Err("wrong: it fails, but no run meets it".into()),
    }
}
