//! Reading a line-up: the tables, keys and values that it may have.

use std::time::Duration;

use craig_mc::circuit::reduce::ROWS;
use craig_mc::engine::options::{EngineOption, Range, Settings, Value};
use craig_mc::engine::registry;
use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue};

use super::{Chosen, LineUp, Member, Section, Stage, StageName, StageOf, Stages};
use crate::engine::BLOCKS;
use crate::registry as program_registry;

/// The error, and its offset.
pub(super) type Wrong = (usize, String);
type Key<'a> = Spanned<DeString<'a>>;
type Item<'a> = Spanned<DeValue<'a>>;

/// The text of a line-up.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    /// The stages for circuits and for programs, where the text has no list of them.
    pub(super) stages: Option<[&'a Stages; 2]>,
}

impl Reader<'_> {
    pub(super) fn line_up(&self) -> Result<LineUp, Wrong> {
        let table = DeTable::parse(self.text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            (offset, format!("expected TOML: {}", error.message()))
        })?;
        let (mut circuit, mut loops) = (None, None);
        let (mut circuit_stages, mut program_stages) = (None, None);
        for (key, item) in table.get_ref() {
            match key.get_ref().as_ref() {
                "circuit" => {
                    circuit = Some(self.section(item, false)?);
                    circuit_stages = stage_list(item, StageOf::Circuit)?;
                }
                "program" => program_stages = program(item)?,
                "loop" => loops = Some(self.section(item, true)?),
                _ => return Err(unexpected(key, "`circuit`, `program`, `loop`")),
            }
        }
        let missing = |name: &str| (self.text.len(), format!("expected a table `[{name}]`"));
        let missing_stages =
            |name: &str| (self.text.len(), format!("expected rows `[[{name}.stage]]`"));
        let default = |stages: Option<Stages>, place: usize, name: &str| {
            let known = self.stages.map(|stages| stages[place].clone());
            stages.or(known).ok_or_else(|| missing_stages(name))
        };
        Ok(LineUp {
            circuit_stages: default(circuit_stages, 0, "circuit")?,
            program_stages: default(program_stages, 1, "program")?,
            circuit: circuit.ok_or_else(|| missing("circuit"))?,
            loops: loops.ok_or_else(|| missing("loop"))?,
        })
    }

    /// A table, which is `of_programs` or of circuits.
    fn section(&self, item: &Item<'_>, of_programs: bool) -> Result<Section, Wrong> {
        let mut section = Section {
            at_least: 1,
            members: Vec::new(),
            skipped: Vec::new(),
        };
        for (key, value) in table(item)? {
            match key.get_ref().as_ref() {
                "at-least" => section.at_least = count(key, value, 1)?,
                "skip-passes" => section.skipped = passes(key, value)?,
                "entry" => section.members = self.members(value, of_programs)?,
                "stage" if !of_programs => {}
                _ => {
                    let own = if of_programs { "" } else { "`stage`, " };
                    let expected = format!("`at-least`, `skip-passes`, {own}`entry`");
                    return Err(unexpected(key, &expected));
                }
            }
        }
        // A number of threads without an entry would be the first one, or follow on the last of an entry.
        let ends = section.members.iter().map(|member| member.threads_to);
        let first_ones = ends.filter_map(|last| last.checked_add(1)).chain([1]);
        for threads in first_ones {
            if !section.members.iter().any(|member| member.fits(threads)) {
                let message = format!("expected an entry for {threads} threads");
                return Err((item.span().start, message));
            }
        }
        Ok(section)
    }

    fn members(&self, item: &Item<'_>, of_programs: bool) -> Result<Vec<Member>, Wrong> {
        let expected = || (item.span().start, "expected a list of tables".to_string());
        let entries: &DeArray<'_> = item.get_ref().as_array().ok_or_else(expected)?;
        (entries.iter())
            .map(|entry| self.member(entry, of_programs))
            .collect()
    }

    fn member(&self, item: &Item<'_>, of_programs: bool) -> Result<Member, Wrong> {
        let entries = table(item)?;
        let engine = entries.iter().find(|(key, _)| key.get_ref() == "engine");
        let Some((key, value)) = engine else {
            return Err((item.span().start, "expected a key `engine`".to_string()));
        };
        let name = text(key, value)?;
        let engine = engine_of(name, of_programs).ok_or_else(|| {
            let names = registry::ENGINES.iter().map(|engine| engine.name);
            let more = program_registry::ENGINES.iter();
            let more = more.filter(|_| of_programs).map(|engine| engine.name);
            let names: Vec<String> = names.chain(more).map(|name| format!("`{name}`")).collect();
            let expected = names.join(", ");
            (
                value.span().start,
                format!("`engine`: expected one of {expected}"),
            )
        })?;
        let mut member = Member {
            engine,
            name: engine.name().to_string(),
            settings: Settings::default(),
            threads_from: 1,
            threads_to: usize::MAX,
            turn: None,
            first_turn: None,
            original: false,
            signals: false,
        };
        for (key, value) in entries {
            match key.get_ref().as_ref() {
                "engine" => {}
                "name" => member.name = text(key, value)?.to_string(),
                "threads-from" => member.threads_from = count(key, value, 1)?,
                "threads-to" => member.threads_to = count(key, value, 1)?,
                "turn" => member.turn = Some(milliseconds(key, value)?),
                "first-turn" => member.first_turn = Some(milliseconds(key, value)?),
                "original" => member.original = switch(key, value)?,
                "signals" if of_programs && matches!(engine, Chosen::Circuit(_)) => {
                    member.signals = switch(key, value)?;
                }
                name => {
                    // How the automaton is cut is not the engine's choice here.
                    let options = engine.options().iter();
                    let options = options.filter(|option| option.name != BLOCKS.name);
                    let mut own = options.clone();
                    let Some(option) = own.find(|option| option.name == name) else {
                        let names = options.map(|option| format!("`{}`", option.name));
                        let mut names: Vec<String> = names.collect();
                        let own = [
                            "engine",
                            "name",
                            "threads-from",
                            "threads-to",
                            "turn",
                            "first-turn",
                            "original",
                        ];
                        names.extend(own.map(|name| format!("`{name}`")));
                        if of_programs && matches!(engine, Chosen::Circuit(_)) {
                            names.push("`signals`".to_string());
                        }
                        return Err(unexpected(key, &names.join(", ")));
                    };
                    member.settings.set(option, setting(option, value)?);
                }
            }
        }
        if member.first_turn.is_some() && member.turn.is_none() {
            let message = "expected a key `turn` where there is `first-turn`";
            return Err((item.span().start, message.to_string()));
        }
        Ok(member)
    }
}

/// The table of stages for programs.
fn program(item: &Item<'_>) -> Result<Option<Stages>, Wrong> {
    if let Some((key, _)) = table(item)?
        .iter()
        .find(|(key, _)| key.get_ref() != "stage")
    {
        return Err(unexpected(key, "`stage`"));
    }
    stage_list(item, StageOf::Program)
}

/// The rows of stages in a table, if it has a list of them.
fn stage_list(item: &Item<'_>, of: StageOf) -> Result<Option<Stages>, Wrong> {
    let Some((_, rows)) = table(item)?
        .iter()
        .find(|(key, _)| key.get_ref() == "stage")
    else {
        return Ok(None);
    };
    let expected = || {
        (
            rows.span().start,
            "`stage`: expected a list of tables".to_string(),
        )
    };
    let mut stages: Vec<Stage> = Vec::new();
    for row in rows.get_ref().as_array().ok_or_else(expected)? {
        let row_stage = stage(row, of)?;
        let name = row_stage.name;
        if stages.iter().any(|other| other.name == name) {
            let message = format!("`stage`: there is another row for `{}`", name.name());
            return Err((row.span().start, message));
        }
        stages.push(row_stage);
    }
    Ok(Some(Stages::new(stages)))
}

/// A row of a stage.
fn stage(item: &Item<'_>, of: StageOf) -> Result<Stage, Wrong> {
    let row = table(item)?;
    let Some((key, value)) = row.iter().find(|(key, _)| key.get_ref() == "stage") else {
        return Err((item.span().start, "expected a key `stage`".to_string()));
    };
    let own = || StageName::ALL.into_iter().filter(|name| name.of() == of);
    let name = text(key, value)?;
    let name = own().find(|own| own.name() == name).ok_or_else(|| {
        let names: Vec<String> = own().map(|own| format!("`{}`", own.name())).collect();
        let message = format!("`stage`: expected one of {}", names.join(", "));
        (value.span().start, message)
    })?;
    let mut stage = Stage::new(name);
    for (key, value) in row {
        let condition = name.conditions().iter();
        let mut condition = condition.filter(|condition| key.get_ref() == condition.name());
        let mut amounts = name.amounts().iter();
        let amount = amounts.find(|amount| key.get_ref() == amount.name());
        match key.get_ref().as_ref() {
            "stage" => {}
            "share" if name.is_limited() => stage.share = percent(key, value)?,
            "cap" if name.is_limited() => stage.cap = Some(milliseconds(key, value)?),
            "for-named" if name.may_leave_named() => stage.for_named = Some(switch(key, value)?),
            _ => match (condition.next(), amount) {
                (Some(&condition), _) => {
                    let number = count(key, value, 0)? as u64;
                    stage.conditions.insert(condition, number);
                }
                (None, Some(&amount)) => {
                    let number = match amount.is_percent() {
                        true => percent(key, value)?,
                        false => small(key, value)?,
                    };
                    stage.amounts.insert(amount, number);
                }
                (None, None) => {
                    let limits: &[&str] = match name.is_limited() {
                        true => &["share", "cap"],
                        false => &[],
                    };
                    let named = name.may_leave_named().then_some("for-named");
                    let conditions = name.conditions().iter().map(|it| it.name());
                    let amounts = name.amounts().iter().map(|it| it.name());
                    let names = ["stage"].iter().chain(limits).copied().chain(named);
                    let names = names.chain(conditions).chain(amounts);
                    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
                    return Err(unexpected(key, &names.join(", ")));
                }
            },
        }
    }
    Ok(stage)
}

/// The engine of this name; one for automata only for programs.
fn engine_of(name: &str, of_programs: bool) -> Option<Chosen> {
    let on_automata = || {
        let mut engines = program_registry::ENGINES.iter();
        engines.find(|engine| of_programs && engine.name == name)
    };
    let on_circuits = registry::find(name).map(Chosen::Circuit);
    on_circuits.or_else(|| on_automata().map(Chosen::Automaton))
}

fn table<'t, 'a>(item: &'t Item<'a>) -> Result<&'t DeTable<'a>, Wrong> {
    let expected = || (item.span().start, "expected a table".to_string());
    item.get_ref().as_table().ok_or_else(expected)
}

fn unexpected(key: &Key<'_>, expected: &str) -> Wrong {
    let message = format!("`{}`: expected one of {expected}", key.get_ref());
    (key.span().start, message)
}

fn text<'t>(key: &Key<'_>, item: &'t Item<'_>) -> Result<&'t str, Wrong> {
    let expected = || format!("`{}`: expected a text in quotes", key.get_ref());
    item.get_ref()
        .as_str()
        .ok_or_else(|| (item.span().start, expected()))
}

/// Names of passes of the reduction.
fn passes(key: &Key<'_>, item: &Item<'_>) -> Result<Vec<String>, Wrong> {
    let known = || ROWS.iter().map(|row| row.pass.name());
    let names = item.get_ref().as_array().and_then(|names| {
        let names = names.iter().map(|name| name.get_ref().as_str());
        let names = names.map(|name| name.filter(|&name| known().any(|known| known == name)));
        names.map(|name| name.map(str::to_owned)).collect()
    });
    names.ok_or_else(|| {
        let mut known: Vec<&str> = known().collect();
        known.dedup();
        let message = format!("`{}`: expected a list of {known:?}", key.get_ref());
        (item.span().start, message)
    })
}

fn number(item: &Item<'_>) -> Option<u64> {
    let integer = item.get_ref().as_integer()?;
    u64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

fn count(key: &Key<'_>, item: &Item<'_>, least: usize) -> Result<usize, Wrong> {
    let number = number(item).and_then(|number| usize::try_from(number).ok());
    let expected = || {
        format!(
            "`{}`: expected a whole number, at least {least}",
            key.get_ref()
        )
    };
    number
        .filter(|&number| number >= least)
        .ok_or_else(|| (item.span().start, expected()))
}

/// An amount, at least 1.
fn small(key: &Key<'_>, item: &Item<'_>) -> Result<u32, Wrong> {
    let number = count(key, item, 1)?;
    u32::try_from(number).map_err(|_| {
        let message = format!("`{}`: expected at most {}", key.get_ref(), u32::MAX);
        (item.span().start, message)
    })
}

fn switch(key: &Key<'_>, item: &Item<'_>) -> Result<bool, Wrong> {
    let expected = || format!("`{}`: expected `true` or `false`", key.get_ref());
    item.get_ref()
        .as_bool()
        .ok_or_else(|| (item.span().start, expected()))
}

fn percent(key: &Key<'_>, item: &Item<'_>) -> Result<u32, Wrong> {
    let expected = || {
        let message = format!("`{}`: expected percents, from 1 to 100", key.get_ref());
        (item.span().start, message)
    };
    let number = number(item).and_then(|number| u32::try_from(number).ok());
    number
        .filter(|number| (1..=100).contains(number))
        .ok_or_else(expected)
}

fn milliseconds(key: &Key<'_>, item: &Item<'_>) -> Result<Duration, Wrong> {
    Ok(Duration::from_millis(count(key, item, 1)? as u64))
}

/// The value of an engine's option.
fn setting(option: &EngineOption, item: &Item<'_>) -> Result<Value, Wrong> {
    let words = |items: &DeArray<'_>| {
        let words = items
            .iter()
            .map(|item| Some(item.get_ref().as_str()?.to_string()));
        words.collect::<Option<Vec<String>>>()
    };
    let value = match (option.range, item.get_ref()) {
        (Range::Words(_), DeValue::Array(items)) => words(items).map(Value::Words),
        (_, DeValue::Boolean(is_on)) => Some(Value::Switch(*is_on)),
        (_, DeValue::Integer(_)) => number(item).map(Value::Number),
        (_, DeValue::String(word)) => Some(Value::Word(word.to_string())),
        _ => None,
    };
    value.filter(|value| option.allows(value)).ok_or_else(|| {
        let message = format!("`{}`: expected {}", option.name, option.expected());
        (item.span().start, message)
    })
}
