//! The value of `--engine`: a name, and options of that engine, as in `pdr:max-depth=20,seed=3`.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, ValueEnum as _};
use craig_mc::engine::options::{EngineOption, Range, SEED, Value};

use super::EngineName;

/// The options of the portfolio.
const OF_PORTFOLIO: &[&EngineOption] = &[&SEED];

impl EngineName {
    /// The options that users can set.
    pub(in crate::cli) fn options(self) -> impl Iterator<Item = &'static EngineOption> {
        let options: &'static [&'static EngineOption] = match self {
            Self::Portfolio => OF_PORTFOLIO,
            Self::Single(engine) => engine.options,
            Self::Program(engine) => engine.options,
        };
        options.iter().copied().filter(|option| option.is_flag)
    }

    /// All engines.
    pub(in crate::cli) fn all() -> impl Iterator<Item = Self> {
        Self::value_variants().iter().copied()
    }

    /// The engine of a name.
    pub(in crate::cli) fn find(name: &str) -> Option<Self> {
        Self::all().find(|engine| engine.name() == name)
    }

    /// The default of an option for this engine, in the user's notation, if it is not that of other engines.
    pub(in crate::cli) fn default_of(self, option: &EngineOption) -> Option<&'static str> {
        match (self.name(), option.name) {
            ("tra" | "predabs" | "predabs-whole", "transform") => Some("raise-local-shrink"),
            (_, "transform") => Some("none"),
            _ => option.default,
        }
    }

    /// The words that an option may have for this engine, if it shares the option with engines that have others.
    pub(in crate::cli) fn allows(self, option: &EngineOption, value: &Value) -> bool {
        match (self, option.name, value) {
            (Self::Single(_), "interpolants", Value::Word(word)) => {
                ["forward", "backward"].contains(&word.as_str())
            }
            (Self::Program(_), "interpolants", Value::Word(word)) => word.starts_with('r'),
            (_, "labels", Value::Word(word)) if self.name() != "impact" => word != "restricted",
            // Interpolants of the steps of a path need not contradict each other in that system.
            (_, "system", Value::Word(word))
                if ["tra", "predabs", "predabs-whole"].contains(&self.name()) =>
            {
                word != "inverse"
            }
            _ => true,
        }
    }

    /// The value of an option of this engine.
    ///
    /// # Errors
    /// If it is not in the range; the text says what is expected.
    pub(in crate::cli) fn parse_option(
        self,
        option: &EngineOption,
        text: &str,
    ) -> Result<Value, String> {
        let value = match option.range {
            Range::Words(_) => {
                let words = text.split('+').map(|word| match option.parse(word)? {
                    Value::Words(words) => Ok(words),
                    _ => Err(format!("expected {}", option.expected())),
                });
                let words = words.collect::<Result<Vec<Vec<String>>, String>>()?;
                Value::Words(words.concat())
            }
            // A word with commas, which separate options, is written with plus signs.
            Range::Word(_) => option.parse(&text.replace('+', ","))?,
            _ => option.parse(text)?,
        };
        match self.allows(option, &value) {
            true => Ok(value),
            false => Err(format!("`{text}` is not for the engine {}", self.name())),
        }
    }
}

/// An engine, and the options that are set for it.
pub(super) type Choice = (EngineName, Vec<(&'static EngineOption, Value)>);

/// Reads `NAME[:OPTION[=VALUE],..]`.
///
/// # Errors
/// If there is no such engine or option, or a value is not in the range.
pub(super) fn parse(text: &str) -> Result<Choice, String> {
    let (name, list) = text
        .split_once(':')
        .map_or((text, None), |(name, list)| (name, Some(list)));
    let engine = EngineName::find(name).ok_or_else(|| {
        let names: Vec<&str> = EngineName::all().map(EngineName::name).collect();
        format!(
            "there is no engine `{name}`: expected one of {}",
            names.join(", ")
        )
    })?;
    let mut chosen = Vec::new();
    for item in list.iter().flat_map(|list| list.split(',')) {
        let (name, value) = item
            .split_once('=')
            .map_or((item, "true"), |(name, value)| (name, value));
        let Some(option) = engine.options().find(|option| option.name == name) else {
            let names: Vec<&str> = engine.options().map(|option| option.name).collect();
            let has = match names.is_empty() {
                true => "it has none".to_owned(),
                false => format!("it has {}", names.join(", ")),
            };
            return Err(format!(
                "the engine {} has no option `{name}`: {has}",
                engine.name()
            ));
        };
        let value = engine.parse_option(option, value);
        chosen.push((
            option,
            value.map_err(|error| format!("option `{name}`: {error}"))?,
        ));
    }
    Ok((engine, chosen))
}

/// The parser of the command line.
#[derive(Clone, Debug)]
pub(super) struct ChoiceParser;

impl TypedValueParser for ChoiceParser {
    type Value = EngineName;

    fn parse_ref(
        &self,
        command: &Command,
        _: Option<&Arg>,
        value: &OsStr,
    ) -> Result<EngineName, clap::Error> {
        let text = value.to_string_lossy();
        parse(&text).map(|(engine, _)| engine).map_err(|message| {
            let message = format!("`--engine {text}`: {message}\n");
            clap::Error::raw(ErrorKind::InvalidValue, message).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let all = EngineName::value_variants().iter();
        Some(Box::new(all.filter_map(clap::ValueEnum::to_possible_value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_follow_the_name_of_an_engine() {
        let (engine, chosen) = parse("pdr:max-depth=20,seed=3").unwrap();
        assert_eq!(engine.name(), "pdr");
        let chosen: Vec<_> = chosen
            .iter()
            .map(|(option, value)| (option.name, value))
            .collect();
        let expected = [
            ("max-depth", &Value::Number(20)),
            ("seed", &Value::Number(3)),
        ];
        assert_eq!(chosen, expected);
        let (_, chosen) = parse("rse:interpolants=r+s,weights").unwrap();
        assert_eq!(chosen[0].1, Value::Word("r,s".to_owned()));
        assert_eq!(chosen[1].1, Value::Switch(true));
        let (_, chosen) = parse("pdr:pdr-without=joins").unwrap();
        assert_eq!(chosen[0].1, Value::Words(vec!["joins".to_owned()]));
        assert!(parse("portfolio:seed=4").is_ok());
    }

    #[test]
    fn what_an_engine_does_not_have_is_refused() {
        for (text, part) in [
            (
                "prd",
                "there is no engine `prd`: expected one of portfolio, bmc",
            ),
            ("pdr:", "has no option ``"),
            ("tra:system=inverse", "`inverse` is not for the engine tra"),
            ("kind:interpolants=backward", "has no option `interpolants`"),
            ("imc:transform=raise-local", "has no option `transform`"),
            ("imc:interpolants=r+s", "`r+s` is not for the engine imc"),
            ("rse:interpolants=backward", "is not for the engine rse"),
            (
                "rse:labels=restricted",
                "`restricted` is not for the engine rse",
            ),
            ("portfolio:max-depth=3", "it has seed"),
            (
                "bmc:max-depth=x",
                "option `max-depth`: expected a whole number",
            ),
            (
                "bmc:max-depth",
                "option `max-depth`: expected a whole number",
            ),
        ] {
            let error = parse(text).map(drop).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
