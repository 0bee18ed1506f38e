//! The engines' own options as flags of the command line.

use super::choice;
use super::presets::Preset;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use craig_mc::engine::options::{EngineOption, Range, Settings, Value, Word};
use craig_mc::engine::registry;
use craig_program::registry as program_registry;

/// The options of all engines, as [`registry::ENGINES`] and [`program_registry::ENGINES`] declare them.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct EngineOptions(pub(super) Settings);

impl EngineOptions {
    /// The options that are flags, each once.
    pub(in crate::cli) fn flags() -> impl Iterator<Item = &'static EngineOption> {
        let mut flags: Vec<&EngineOption> = Vec::new();
        let circuits = registry::ENGINES.iter().flat_map(|engine| engine.options);
        let programs = program_registry::ENGINES
            .iter()
            .flat_map(|engine| engine.options);
        for option in circuits.chain(programs) {
            if option.is_flag && flags.iter().all(|other| other.name != option.name) {
                flags.push(option);
            }
        }
        flags.into_iter()
    }

    /// What was chosen for an engine, which has these options.
    pub(super) fn settings(&self, options: &[&'static EngineOption]) -> Settings {
        let mut settings = Settings::default();
        for option in options.iter().filter(|option| option.is_flag) {
            if let Some(value) = self.0.value(option) {
                settings.set(option, value);
            }
        }
        settings
    }

    fn flag(option: &'static EngineOption) -> Arg {
        let words = |words: &'static [Word]| {
            let words = words.iter();
            PossibleValuesParser::new(
                words.map(|word| PossibleValue::new(word.name).help(word.text)),
            )
        };
        let arg = Arg::new(option.name).long(option.name).help(option.text);
        let arg = match option.range {
            Range::Switch => return arg.action(ArgAction::SetTrue),
            Range::Word(range) => arg.value_parser(words(range)),
            Range::Words(range) => arg.value_parser(words(range)).action(ArgAction::Append),
            Range::Number(_) | Range::NumberOr(..) => {
                arg.value_parser(|text: &str| option.parse(text))
            }
        };
        let arg = arg.value_name(option.placeholder);
        match option.default {
            Some(default) => arg.default_value(default),
            None => arg,
        }
    }

    /// The value of a flag, if it has one.
    pub(in crate::cli) fn chosen(option: &EngineOption, matches: &ArgMatches) -> Option<Value> {
        match option.range {
            Range::Switch => Some(Value::Switch(matches.get_flag(option.name))),
            Range::Number(_) | Range::NumberOr(..) => matches.get_one(option.name).cloned(),
            Range::Word(_) => matches.get_one(option.name).cloned().map(Value::Word),
            Range::Words(_) => {
                let words = matches.get_many::<String>(option.name)?;
                Some(Value::Words(words.cloned().collect()))
            }
        }
    }
}

/// Whether a flag is on the command line.
fn is_given(option: &EngineOption, matches: &ArgMatches) -> bool {
    matches.value_source(option.name) == Some(ValueSource::CommandLine)
}

/// The options of engines on the command line: flags, and what follows the name of the engine.
pub(in crate::cli) fn given(matches: &ArgMatches) -> Vec<(&'static EngineOption, Value)> {
    let flags = EngineOptions::flags().filter(|option| is_given(option, matches));
    let flags = flags.filter_map(|option| Some((option, EngineOptions::chosen(option, matches)?)));
    let raw = matches.get_raw("engine").into_iter().flatten();
    let named = raw.filter_map(|text| choice::parse(text.to_str()?).ok());
    flags.chain(named.flat_map(|(_, chosen)| chosen)).collect()
}

/// Two options of an engine of which the first leaves the second without effect.
///
/// # Errors
/// If there are such options; the text names them.
pub(in crate::cli) fn check_together(
    given: &[(&'static EngineOption, Value)],
) -> Result<(), String> {
    let word = |text: &str| Value::Word(text.to_owned());
    let covers = ["cover-candidates", "cover-conflicts", "cover-losses"];
    let errors = ["error-suffixes", "error-probes", "error-probe-interval"];
    let rows = [
        ("no-force-cover", Value::Switch(true), covers),
        ("interpolants", word("r"), errors),
        ("interpolants", word("r,s"), errors),
    ];
    for (name, value, idle) in rows {
        let is_set = given
            .iter()
            .any(|(own, set)| own.name == name && *set == value);
        let without_effect = given.iter().find(|(own, _)| idle.contains(&own.name));
        if let (true, Some((option, _))) = (is_set, without_effect) {
            let of = match value {
                Value::Word(word) => format!(" {word}"),
                _ => String::new(),
            };
            return Err(format!(
                "`--{}` has no effect with `--{name}{of}`",
                option.name
            ));
        }
    }
    Ok(())
}

impl clap::Args for EngineOptions {
    fn augment_args(command: Command) -> Command {
        command.args(Self::flags().map(Self::flag))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for EngineOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut options = Self::default();
        options.update_from_arg_matches(matches)?;
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for option in Self::flags() {
            if let Some(value) = Self::chosen(option, matches) {
                self.0.set(option, value);
            }
        }
        // What a paper has is a default, which flags change.
        let preset = matches.get_raw("as_in").into_iter().flatten().next();
        if let Some(preset) = preset.and_then(|name| Preset::named(name.to_str()?)) {
            for (option, value) in preset.options() {
                if !is_given(option, matches) {
                    self.0.set(option, value);
                }
            }
        }
        // What follows the name of the engine was checked when that was parsed.
        let raw = matches.get_raw("engine").into_iter().flatten();
        for text in raw.filter_map(|text| text.to_str()) {
            for (option, value) in choice::parse(text).map_or_else(|_| Vec::new(), |it| it.1) {
                self.0.set(option, value);
            }
        }
        Ok(())
    }
}
