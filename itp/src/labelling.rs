//! Labellings as data: from a file, or random.
//!
//! A labelling file is text, one directive a line:
//!
//! ```text
//! c anything                   a comment; empty lines are skipped too
//! default SIDE                 the label of shared variables that no line names (ab if there is none)
//! VAR SIDE                     the label of one variable, numbered as in DIMACS
//! cut N default SIDE           the same, for cut (or partition) number N only, counted from 0;
//! cut N VAR SIDE               other labels of a cut are those for all cuts
//! lit LIT SIDE                 the label of one literal, wherever it occurs
//! clause N LIT SIDE            the label of one occurrence, in clause number N of the formula, counted from 1
//! ```
//!
//! `SIDE` is `a`, `b` or `ab`. The most special line counts. Two lines for the same subject and scope are an error.
//! Lines for variables that are not shared have no effect.

use std::collections::BTreeMap;

use craig_solver::proof::VertexId;
use craig_solver::{Lit, Var};

use crate::system::Side;

/// One label per variable, possibly different ones for different cuts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariableLabels {
    common: Scope,
    cuts: BTreeMap<usize, Scope>,
    lits: BTreeMap<Lit, Side>,
    /// By number of the clause, counted from 0.
    occurrences: BTreeMap<(usize, Lit), Side>,
}

/// The labels for all cuts, or for one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Scope {
    default: Option<Side>,
    sides: BTreeMap<Var, Side>,
}

/// The error in a labelling file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {message}")]
#[non_exhaustive]
pub struct LabellingError {
    /// The line, counted from 1.
    pub line: usize,
    /// The error.
    pub message: String,
}

impl VariableLabels {
    /// Reads a labelling file; the format is described [above](self).
    ///
    /// # Errors
    /// The first line that is not valid.
    pub fn parse(text: &str) -> Result<Self, LabellingError> {
        let mut labels = Self::default();
        for (index, line) in text.lines().enumerate() {
            labels.directive(line).map_err(|message| LabellingError {
                line: index + 1,
                message,
            })?;
        }
        Ok(labels)
    }

    fn directive(&mut self, line: &str) -> Result<(), String> {
        let mut words: Vec<&str> = line.split_ascii_whitespace().collect();
        if words.first().is_none_or(|&word| word == "c") {
            return Ok(());
        }
        if matches!(words[0], "lit" | "clause") {
            return self.occurrence(&words);
        }
        let scope = if words[0] == "cut" {
            let number = words.get(1).and_then(|word| word.parse().ok());
            let number = number.ok_or("\"cut\" needs a number")?;
            words.drain(..2);
            self.cuts.entry(number).or_default()
        } else {
            &mut self.common
        };
        let [subject, side] = words[..] else {
            return Err("expected \"VAR SIDE\" or \"default SIDE\"".into());
        };
        let side = side_named(side)?;
        let before = if subject == "default" {
            scope.default.replace(side)
        } else {
            let lit = subject.parse().ok().and_then(Lit::from_dimacs);
            let var = lit
                .filter(|lit| !lit.is_negated())
                .ok_or_else(|| format!("{subject:?} is no variable"))?
                .var();
            scope.sides.insert(var, side)
        };
        match before {
            None => Ok(()),
            Some(_) => Err(format!("{subject} is labelled twice")),
        }
    }

    /// A line for a literal or one of its occurrences.
    fn occurrence(&mut self, words: &[&str]) -> Result<(), String> {
        let lit = |word: &str| {
            let lit = word.parse().ok().and_then(Lit::from_dimacs);
            lit.ok_or_else(|| format!("{word:?} is no literal"))
        };
        let before = match *words {
            ["lit", literal, side] => self.lits.insert(lit(literal)?, side_named(side)?),
            ["clause", number, literal, side] => {
                let number = number
                    .parse::<usize>()
                    .ok()
                    .and_then(|number| number.checked_sub(1));
                let number = number.ok_or("\"clause\" needs a number, counted from 1")?;
                self.occurrences
                    .insert((number, lit(literal)?), side_named(side)?)
            }
            _ => return Err("expected \"lit LIT SIDE\" or \"clause N LIT SIDE\"".into()),
        };
        match before {
            None => Ok(()),
            Some(_) => Err(format!(
                "{} is labelled twice",
                words[..words.len() - 1].join(" ")
            )),
        }
    }

    /// Whether there are labels for literals or their occurrences.
    #[must_use]
    pub fn has_occurrences(&self) -> bool {
        !self.lits.is_empty() || !self.occurrences.is_empty()
    }

    /// The label of a literal of a shared variable in a clause of the formula, counted from 0, at a cut.
    #[must_use]
    pub fn occurrence_side(&self, cut: usize, clause: Option<usize>, lit: Lit) -> Side {
        let own = clause.and_then(|clause| self.occurrences.get(&(clause, lit)));
        let found = own.or_else(|| self.lits.get(&lit)).copied();
        found.unwrap_or_else(|| self.side(cut, lit.var()))
    }

    /// The label of a shared variable at a cut.
    #[must_use]
    pub fn side(&self, cut: usize, var: Var) -> Side {
        let own = self.cuts.get(&cut);
        own.and_then(|scope| scope.sides.get(&var).copied())
            .or_else(|| own.and_then(|scope| scope.default))
            .or_else(|| self.common.sides.get(&var).copied())
            .or(self.common.default)
            .unwrap_or(Side::Both)
    }

    /// Whether there are labels for single cuts.
    #[must_use]
    pub fn differs_between_cuts(&self) -> bool {
        !self.cuts.is_empty()
    }
}

fn side_named(name: &str) -> Result<Side, String> {
    match name {
        "a" => Ok(Side::A),
        "b" => Ok(Side::B),
        "ab" => Ok(Side::Both),
        other => Err(format!("a side is a, b or ab, not {other:?}")),
    }
}

/// A random label for a variable. Equal seeds give equal labels.
#[must_use]
pub fn random_variable_side(seed: u64, var: Var) -> Side {
    pick(mix(seed, var.index() as u64))
}

/// A random label for a variable, b or ab. Equal seeds give equal labels.
#[must_use]
pub fn random_strong_side(seed: u64, var: Var) -> Side {
    [Side::B, Side::Both][(mix(seed, var.index() as u64) % 2) as usize]
}

/// A random label for an occurrence of a literal in a leaf. Equal seeds give equal labels.
#[must_use]
pub fn random_occurrence_side(seed: u64, vertex: VertexId, lit: Lit) -> Side {
    pick(mix(mix(seed, u64::from(vertex)), u64::from(lit.code())))
}

fn pick(random: u64) -> Side {
    [Side::A, Side::B, Side::Both][(random % 3) as usize]
}

/// Output number `value` of the generator SplitMix64 with the given seed (G. Steele, D. Lea and C. Flood,
/// "Fast splittable pseudorandom number generators", 2014).
fn mix(seed: u64, value: u64) -> u64 {
    let mut bits = seed
        .wrapping_add(value.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_labels_all_cuts_or_single_ones() {
        let text = "c strong but for two\n\ndefault b\n3 ab\ncut 1 3 a\ncut 2 default ab\n";
        let labels = VariableLabels::parse(text).unwrap();
        let of = |cut, number: usize| labels.side(cut, Var::new(number - 1));
        assert_eq!([of(0, 1), of(0, 3)], [Side::B, Side::Both]);
        assert_eq!([of(1, 1), of(1, 3)], [Side::B, Side::A]);
        assert_eq!([of(2, 1), of(2, 3)], [Side::Both, Side::Both]);
        assert!(labels.differs_between_cuts());
        let empty = VariableLabels::parse("").unwrap();
        assert_eq!(empty.side(0, Var::new(0)), Side::Both);
        assert!(!empty.differs_between_cuts());
    }

    #[test]
    fn the_most_special_line_counts() {
        let text = "default b\n1 ab\nlit -1 a\nclause 2 -1 b\n";
        let labels = VariableLabels::parse(text).unwrap();
        assert!(labels.has_occurrences() && !labels.differs_between_cuts());
        let side = |clause, lit| labels.occurrence_side(0, clause, Lit::from_dimacs(lit).unwrap());
        assert_eq!(side(Some(0), 1), Side::Both);
        assert_eq!(side(Some(0), -1), Side::A);
        assert_eq!(side(Some(1), -1), Side::B);
        assert_eq!(side(None, -1), Side::A);
        assert_eq!(side(None, 2), Side::B);
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        for (text, line, part) in [
            ("1 a\n2 c\n", 2, "a side is"),
            ("1\n", 1, "expected"),
            ("1 a b\n", 1, "expected"),
            ("c\nc\n-1 a\n", 3, "no variable"),
            ("0 a\n", 1, "no variable"),
            ("99999999999999999999 a\n", 1, "no variable"),
            ("cut\n", 1, "needs a number"),
            ("cut x 1 a\n", 1, "needs a number"),
            ("1 a\n1 a\n", 2, "twice"),
            ("default a\ndefault b\n", 2, "twice"),
            ("lit -1 a\nlit -1 b\n", 2, "lit -1 is labelled twice"),
            ("clause 0 1 a\n", 1, "counted from 1"),
            ("clause 1 1\n", 1, "expected"),
            ("lit x a\n", 1, "no literal"),
        ] {
            let error = VariableLabels::parse(text).unwrap_err();
            assert_eq!(error.line, line, "{text:?}");
            assert!(error.message.contains(part), "{error}");
        }
    }

    #[test]
    fn random_labels_are_reproducible_and_use_all_three() {
        let draw = |seed| {
            let side = |index| random_variable_side(seed, Var::new(index));
            (0..64).map(side).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        let strong = |index| random_strong_side(7, Var::new(index));
        for wanted in [Side::B, Side::Both] {
            assert!((0..64).any(|index| strong(index) == wanted));
        }
        assert!((0..64).all(|index| strong(index) != Side::A));
        let lit = Var::new(0).positive();
        for wanted in [Side::A, Side::B, Side::Both] {
            assert!(draw(7).contains(&wanted));
            assert!((0..64).any(|vertex| random_occurrence_side(1, vertex, lit) == wanted));
        }
    }
}
