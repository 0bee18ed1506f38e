//! One of several shares of a batch, for machines that work on it side by side.

use std::fmt;
use std::str::FromStr;

/// A share: of a list of inputs those at every `count`-th place. Neighbours, which are often alike, go to different shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Shard {
    /// From 1 to `count`.
    number: usize,
    count: usize,
}

impl Shard {
    /// All inputs.
    pub(in crate::cli) const WHOLE: Self = Self {
        number: 1,
        count: 1,
    };

    /// Whether the input at this place, counted from 0, is in the share.
    pub(in crate::cli) fn has(self, place: usize) -> bool {
        place % self.count == self.number - 1
    }

    /// The places of the inputs in the share, of `n_inputs`.
    pub(in crate::cli) fn places(self, n_inputs: usize) -> Vec<usize> {
        (0..n_inputs).filter(|&place| self.has(place)).collect()
    }

    /// The file in a folder of results that this share writes.
    pub(in crate::cli) fn file_name(self) -> String {
        match self.count {
            1 => "all.jsonl".to_owned(),
            count => format!("{}-of-{count}.jsonl", self.number),
        }
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, count)| {
            Some((number.parse::<usize>().ok()?, count.parse::<usize>().ok()?))
        });
        match numbers {
            Some((number, count)) if (1..=count).contains(&number) => Ok(Self { number, count }),
            _ => Err("expected i/n with i from 1 to n, such as 2/8".to_owned()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_input_is_in_one_share() {
        for count in 1..6 {
            let shard = |number: usize| format!("{number}/{count}").parse::<Shard>().unwrap();
            let mut all: Vec<usize> = (1..=count)
                .flat_map(|number| shard(number).places(11))
                .collect();
            all.sort_unstable();
            assert_eq!(all, (0..11).collect::<Vec<_>>());
        }
        assert_eq!(Shard::WHOLE.places(3), [0, 1, 2]);
        let shard: Shard = "2/8".parse().unwrap();
        assert_eq!(
            (shard.to_string(), shard.file_name()),
            ("2/8".to_owned(), "2-of-8.jsonl".to_owned())
        );
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "1", "0/2", "3/2", "1/0", "a/2", "1/2/3", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
