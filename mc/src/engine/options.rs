//! Options of engines: each is declared once, and the command line and line-ups are derived from the
//! declarations.

use std::collections::BTreeMap;

use craig_itp::proof_sensitive::ProofSensitive;
use craig_itp::{Rule, System};

/// A word that is a value of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub name: &'static str,
    /// Its meaning, in one line for users.
    pub text: &'static str,
}

/// The range of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// On or off; off by default.
    Switch,
    /// A whole number, at least this one.
    Number(u64),
    /// A whole number, at least this one, or the word.
    NumberOr(u64, &'static str),
    /// One of these words.
    Word(&'static [Word]),
    /// Any of these words; none by default.
    Words(&'static [Word]),
}

/// An option of engines.
#[derive(Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// The name: of a flag on the command line, of a key in a line-up. Engines with an option of the same
    /// name have the same option.
    pub name: &'static str,
    /// The placeholder of the value in help texts; empty for switches.
    pub placeholder: &'static str,
    /// The values that the option takes.
    pub range: Range,
    /// The default in the user's notation; `None` if there is none, or it is that of the range.
    pub default: Option<&'static str>,
    /// A description in one line for users, without a full stop at the end.
    pub text: &'static str,
    /// Whether the option is a flag on the command line, too.
    pub is_flag: bool,
}

/// A value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of [`Range::Switch`].
    Switch(bool),
    /// Of [`Range::Number`] and [`Range::NumberOr`].
    Number(u64),
    /// Of [`Range::Word`] and [`Range::NumberOr`].
    Word(String),
    /// Of [`Range::Words`].
    Words(Vec<String>),
}

impl EngineOption {
    /// The expected values, for error messages.
    #[must_use]
    pub fn expected(&self) -> String {
        let number = |least: u64| match least {
            0 => "a whole number".to_string(),
            _ => format!("a whole number, at least {least}"),
        };
        match self.range {
            Range::Switch => "`true` or `false`".to_string(),
            Range::Number(least) => number(least),
            Range::NumberOr(least, word) => format!("`{word}` or {}", number(least)),
            Range::Word(words) => format!("one of {}", list(words)),
            Range::Words(words) => format!("a list of some of {}", list(words)),
        }
    }

    /// Whether the value is in the range.
    #[must_use]
    pub fn allows(&self, value: &Value) -> bool {
        let is_one_of = |words: &[Word], text: &str| words.iter().any(|word| word.name == text);
        match (self.range, value) {
            (Range::Switch, Value::Switch(_)) => true,
            (Range::Number(least) | Range::NumberOr(least, _), Value::Number(number)) => {
                *number >= least && usize::try_from(*number).is_ok()
            }
            (Range::NumberOr(_, word), Value::Word(text)) => text == word,
            (Range::Word(words), Value::Word(text)) => is_one_of(words, text),
            (Range::Words(words), Value::Words(texts)) => {
                texts.iter().all(|text| is_one_of(words, text))
            }
            _ => false,
        }
    }

    /// The value of a user's word; for [`Range::Words`], one of several.
    ///
    /// # Errors
    /// If it is not in the range; the text says what is expected.
    pub fn parse(&self, text: &str) -> Result<Value, String> {
        let value = match self.range {
            Range::Switch => text.parse().ok().map(Value::Switch),
            Range::Number(_) => text.parse().ok().map(Value::Number),
            Range::NumberOr(_, word) if text == word => Some(Value::Word(text.to_string())),
            Range::NumberOr(..) => text.parse().ok().map(Value::Number),
            Range::Word(_) => Some(Value::Word(text.to_string())),
            Range::Words(_) => Some(Value::Words(vec![text.to_string()])),
        };
        value
            .filter(|value| self.allows(value))
            .ok_or_else(|| format!("expected {}", self.expected()))
    }
}

fn list(words: &[Word]) -> String {
    let words: Vec<String> = words
        .iter()
        .map(|word| format!("`{}`", word.name))
        .collect();
    words.join(", ")
}

/// The values of options; options without one have their defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings(BTreeMap<&'static str, Value>);

impl Settings {
    /// Sets a value.
    ///
    /// # Panics
    /// If it is not in the option's range.
    pub fn set(&mut self, option: &EngineOption, value: Value) {
        assert!(option.allows(&value), "`{}`: {value:?}", option.name);
        self.0.insert(option.name, value);
    }

    /// The value that was set, or the default.
    #[must_use]
    pub fn value(&self, option: &EngineOption) -> Option<Value> {
        let default = || option.default.map(|text| option.parse(text));
        let default = || default().map(|value| value.expect("the default is in the range"));
        self.0.get(option.name).cloned().or_else(default)
    }

    /// Whether a switch is on.
    #[must_use]
    pub fn switch(&self, option: &EngineOption) -> bool {
        self.value(option) == Some(Value::Switch(true))
    }

    /// The value of a number option; `None` if there is none.
    #[must_use]
    pub fn number(&self, option: &EngineOption) -> Option<u64> {
        match self.value(option) {
            Some(Value::Number(number)) => Some(number),
            _ => None,
        }
    }

    /// The value of a number option that counts objects in memory; `None` if there is none.
    #[must_use]
    pub fn count(&self, option: &EngineOption) -> Option<usize> {
        let number = self.number(option)?;
        Some(usize::try_from(number).expect("the range of options ends there"))
    }

    /// The value of a word option; empty if there is none.
    #[must_use]
    pub fn word(&self, option: &EngineOption) -> String {
        match self.value(option) {
            Some(Value::Word(word)) => word,
            _ => String::new(),
        }
    }

    /// The values of a words option.
    #[must_use]
    pub fn words(&self, option: &EngineOption) -> Vec<String> {
        match self.value(option) {
            Some(Value::Words(words)) => words,
            _ => Vec::new(),
        }
    }
}

// ---- options of several engines

/// The interpolation system.
pub const SYSTEM: EngineOption = EngineOption {
    name: "system",
    placeholder: "SYSTEM",
    range: Range::Word(&[
        Word {
            name: "mcmillan",
            text: "McMillan's: the strongest",
        },
        Word {
            name: "symmetric",
            text: "Huang's, Krajicek's and Pudlak's",
        },
        Word {
            name: "inverse",
            text: "The dual of McMillan's: the weakest",
        },
    ]),
    default: Some("mcmillan"),
    text: "For `imc`, `imc-backward`, `isb`, `tra`, `avy`, `kavy`, `impact`, `predabs`, `rse` and `annotate`: the interpolation \
           system, from the strongest interpolants to the weakest",
    is_flag: true,
};

/// Another labelling than one of the systems.
pub const LABELLING: EngineOption = EngineOption {
    name: "labelling",
    placeholder: "LABELLING",
    range: Range::Word(&[
        Word {
            name: "system",
            text: "One label for all shared variables, that of `--system`",
        },
        Word {
            name: "pss",
            text: "By occurrences in the proof: ab or b (Alt and others 2015)",
        },
        Word {
            name: "ps",
            text: "By occurrences in the proof: a or b",
        },
        Word {
            name: "psw",
            text: "By occurrences in the proof: a or ab",
        },
        Word {
            name: "random",
            text: "Drawn for each variable, by its number",
        },
        Word {
            name: "random-strong",
            text: "Of b and ab, drawn for each variable, by its number",
        },
    ]),
    default: Some("system"),
    text: "For `imc`, `imc-backward`, `isb`, `tra`, `avy`, `kavy`, `impact`, `predabs`, `rse` and `annotate`: the labels of shared \
           variables in a refutation",
    is_flag: true,
};

/// The seed of labels that are drawn: a proof has the same ones in each run.
const DRAWN: u64 = 1;

/// The value of [`LABELLING`], or else of [`SYSTEM`].
pub fn rule(settings: &Settings) -> Rule {
    match settings.word(&LABELLING).as_str() {
        "pss" => Rule::ProofSensitive(ProofSensitive::Strong),
        "ps" => Rule::ProofSensitive(ProofSensitive::Balanced),
        "psw" => Rule::ProofSensitive(ProofSensitive::Weak),
        "random" => Rule::RandomVariables(DRAWN),
        "random-strong" => Rule::RandomStrong(DRAWN),
        _ => system(settings).into(),
    }
}

/// The interpolants that are computed: for `imc` the way, for `rse` the kinds.
pub const INTERPOLANTS: EngineOption = EngineOption {
    name: "interpolants",
    placeholder: "WHICH",
    range: Range::Word(&[
        Word {
            name: "forward",
            text: "Implied by the first step",
        },
        Word {
            name: "backward",
            text: "The negation of a consequence of the steps to the bad",
        },
        Word {
            name: "r",
            text: "Reachability: labels of the tree",
        },
        Word {
            name: "r,s",
            text: "Safety as well: states of a location from which no run reaches an error",
        },
        Word {
            name: "r,e",
            text: "Error as well: states from which one may, where the search looks first",
        },
        Word {
            name: "r,s,e",
            text: "All three kinds",
        },
    ]),
    default: None,
    text: "For `imc` and `imc-backward`: the derivation of interpolants, `forward` (the default) or `backward`. For `rse`: their \
           kinds, by default `r,s,e`",
    is_flag: true,
};

/// The value of [`SYSTEM`].
pub fn system(settings: &Settings) -> System {
    match settings.word(&SYSTEM).as_str() {
        "mcmillan" => System::McMillan,
        "symmetric" => System::Symmetric,
        "inverse" => System::InverseMcMillan,
        other => unreachable!("`{other}` is not in the range"),
    }
}

/// The exchange of frames.
pub const EXCHANGE: EngineOption = EngineOption {
    name: "exchange",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `pdr` and `isb` side by side: the frames of one strengthen the sets of the other, which suggests lemmas",
    is_flag: false,
};

/// The seed of random choices.
pub const SEED: EngineOption = EngineOption {
    name: "seed",
    placeholder: "N",
    range: Range::Number(0),
    default: Some("0"),
    text: "For `pdr`, `gla`, `sim` and the portfolio: the seed of random choices",
    is_flag: true,
};

/// The depth limit.
pub const MAX_DEPTH: EngineOption = EngineOption {
    name: "max-depth",
    placeholder: "STEPS",
    range: Range::Number(0),
    default: None,
    text: "For engines that go step by step, and `sim`: the largest number of steps, counted from 0",
    is_flag: true,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_outside_of_the_range_are_refused() {
        assert_eq!(MAX_DEPTH.parse("12"), Ok(Value::Number(12)));
        assert_eq!(
            MAX_DEPTH.parse("-1"),
            Err("expected a whole number".to_string())
        );
        assert_eq!(
            SYSTEM.parse("mcmilan"),
            Err("expected one of `mcmillan`, `symmetric`, `inverse`".to_string())
        );
        assert!(!SYSTEM.allows(&Value::Number(1)));
        assert_eq!(system(&Settings::default()), System::McMillan);
        let mut settings = Settings::default();
        settings.set(&SYSTEM, Value::Word("inverse".to_string()));
        assert_eq!(system(&settings), System::InverseMcMillan);
    }
}
