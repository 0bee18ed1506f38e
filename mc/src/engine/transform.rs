//! What engines do to a refutation before they interpolate it.

use craig_itp::transform::Raising;

use super::options::{EngineOption, Range, Settings, Word};

/// The transform of a refutation before interpolation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Transform {
    /// None.
    None,
    /// Reductions ([`reduce`](fn@craig_itp::transform::reduce)).
    Reduce,
    /// Resolutions on variables local to the first part are raised ([`raise_local`](craig_itp::transform::raise_local)).
    RaiseLocal,
    /// As [`Self::RaiseLocal`], and as in the paper also where a clause loses a literal.
    RaiseLocalShrink,
}

impl Transform {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::None,
        Self::Reduce,
        Self::RaiseLocal,
        Self::RaiseLocalShrink,
    ];

    /// How resolutions are raised.
    #[must_use]
    pub fn raising(self) -> Option<Raising> {
        match self {
            Self::RaiseLocal => Some(Raising::default()),
            Self::RaiseLocalShrink => Some(Raising::PAPER),
            Self::None | Self::Reduce => None,
        }
    }

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Reduce => "reduce",
            Self::RaiseLocal => "raise-local",
            Self::RaiseLocalShrink => "raise-local-shrink",
        }
    }

    /// What was chosen, or what the engine does by default.
    #[must_use]
    pub fn chosen(settings: &Settings, default: Self) -> Self {
        let word = settings.word(&TRANSFORM);
        let named = Self::ALL.into_iter().find(|own| own.name() == word);
        named.unwrap_or(default)
    }
}

/// Rounds of [`Transform::Reduce`].
pub const REDUCTION_ROUNDS: usize = 3;

/// The option that chooses it.
pub const TRANSFORM: EngineOption = EngineOption {
    name: "transform",
    placeholder: "TRANSFORM",
    range: Range::Word(&[
        Word {
            name: "none",
            text: "Nothing",
        },
        Word {
            name: "reduce",
            text: "Recycle pivots and units, lower units",
        },
        Word {
            name: "raise-local",
            text: "Raise resolutions on variables of the first part (half of a path, or a step): stronger interpolants",
        },
        Word {
            name: "raise-local-shrink",
            text: "Raise them also where a clause loses a literal, as Jhala and McMillan do: this may weaken",
        },
    ]),
    default: None,
    text: "For `tra`, `impact`, `predabs`, `rse` and `annotate`: what is done to a refutation before it is \
           interpolated",
    is_flag: true,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options::Value;

    #[test]
    fn each_word_is_a_transform() {
        let Range::Word(words) = TRANSFORM.range else {
            panic!("it is a word");
        };
        let names: Vec<&str> = words.iter().map(|word| word.name).collect();
        assert_eq!(names, Transform::ALL.map(Transform::name));
        for transform in Transform::ALL {
            let mut settings = Settings::default();
            settings.set(&TRANSFORM, Value::Word(transform.name().to_owned()));
            assert_eq!(Transform::chosen(&settings, Transform::None), transform);
        }
        let default = Transform::chosen(&Settings::default(), Transform::RaiseLocal);
        assert_eq!(default, Transform::RaiseLocal);
    }
}
