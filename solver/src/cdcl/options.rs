//! The options of the search: one table, from which the struct, its defaults and the setting by name are
//! generated.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// One row of [`Options::TABLE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionRow {
    /// The name, as [`Options::set`] takes it.
    pub name: &'static str,
    /// The default value, as [`Options::set`] takes it.
    pub default: &'static str,
    /// The range of values, as Rust writes it.
    pub range: &'static str,
    /// The effect of the option.
    pub text: &'static str,
}

/// Makes [`Options`] from rows of text, name, type, default and range.
macro_rules! options {
    ($($(#[doc = $text:literal])+ $name:ident: $kind:ty = $default:literal in $range:expr;)+) => {
        /// The options of the search. None of them changes an answer.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Options {
            $(
                $(#[doc = $text])+
                #[doc = concat!("Default `", stringify!($default), "`.")]
                pub $name: $kind,
            )+
        }

        impl Default for Options {
            fn default() -> Self {
                Self { $($name: $default,)+ }
            }
        }

        impl Options {
            /// All options.
            pub const TABLE: &'static [OptionRow] = &[$(
                OptionRow {
                    name: stringify!($name),
                    default: stringify!($default),
                    range: stringify!($range),
                    text: concat!($($text),+),
                },
            )+];

            /// Sets an option by name, as in `stable=false`; `false` if there is no such option or the value
            /// is not in its range.
            pub fn set(&mut self, assignment: &str) -> bool {
                let Some((name, value)) = assignment.split_once('=') else {
                    return false;
                };
                match name {
                    $(stringify!($name) => set_within(&mut self.$name, value, &$range),)+
                    _ => false,
                }
            }
        }
    };
}

/// Sets a field to a value of the range; `false` if the text is not such a value.
fn set_within<T: FromStr + PartialOrd>(
    field: &mut T,
    text: &str,
    range: &RangeInclusive<T>,
) -> bool {
    match text.parse() {
        Ok(value) if range.contains(&value) => {
            *field = value;
            true
        }
        _ => false,
    }
}

options! {
    /// The seed of random choices. Equal seeds give equal searches.
    seed: u64 = 0 in 0..=u64::MAX;
    /// The phase that a variable is first tried in.
    initial_phase: bool = true in false..=true;
    /// Whether to switch between focused and stable mode; otherwise the search stays focused.
    stable: bool = true in false..=true;
    /// Whether the first phase is in stable mode. No effect without [`Options::stable`].
    stable_first: bool = false in false..=true;
    /// Conflicts of the first phase. Each later phase takes twice as many as the one before.
    mode_interval: u64 = 1000 in 1..=1_000_000_000_000;
    /// Conflicts between the first two rephasings; the gap grows by as much each time.
    rephase_interval: u64 = 1000 in 0..=1_000_000_000_000;
    /// The least steps of a local search.
    walk_steps: u64 = 2000000 in 0..=1_000_000_000_000;
    /// Conflicts until the first round of inprocessing; later gaps are a little longer. With 0, there is a
    /// round before the search and after each conflict.
    inprocess_interval: u64 = 2000 in 0..=1_000_000_000_000;
    /// Whether to assume literals that imply others and to propagate, and to learn the units that conflicts
    /// lead to.
    probe: bool = true in false..=true;
    /// Whether probing adds binary clauses by hyper-binary resolution. No effect without [`Options::probe`].
    hyper_binary: bool = true in false..=true;
    /// Whether to remove binary clauses that others imply.
    transitive: bool = true in false..=true;
    /// Whether to shorten clauses by propagation.
    vivify: bool = true in false..=true;
    /// Whether to replace several literals of one level in a learned clause by one that implies them.
    shrink: bool = true in false..=true;
    /// Whether to bump the variables in the reasons of the learned clause's literals.
    bump_reasons: bool = true in false..=true;
    /// Whether to remove recent learned clauses that the new learned clause subsumes.
    subsume_learned: bool = true in false..=true;
    /// Whether the first call without assumptions first tries some simple assignments.
    lucky: bool = true in false..=true;
    /// Whether rephasing sometimes takes its phases from local search.
    walk: bool = true in false..=true;
    /// Whether to look for subsumed clauses.
    subsume: bool = true in false..=true;
    /// Whether subsumption includes learned clauses that are likely to be kept. No effect without
    /// [`Options::subsume`].
    subsume_redundant: bool = true in false..=true;
    /// Whether to find gates among the clauses, and to substitute variables that the same function defines of
    /// the same inputs, before the search and with each round of elimination. As with
    /// [`Options::eliminate`], all are restored when a clause or an assumption contains one.
    congruence: bool = false in false..=true;
    /// Whether to look for units and equal literals that follow from the clauses around a variable, with each round of
    /// elimination. [`Options::congruence`] merges what is equal.
    sweep: bool = false in false..=true;
    /// Whether to eliminate variables. All are restored when a clause or an assumption contains one, so this
    /// pays only if most of the formula is added before the first call.
    eliminate: bool = false in false..=true;
    /// Whether variables are eliminated before the search too, and not only between conflicts. No effect without
    /// [`Options::eliminate`].
    eliminate_first: bool = true in false..=true;
    /// Whether to add variables by which binary clauses that are a product of literals become fewer, before the
    /// search and with each round of elimination. No effect before [`Solver::close_variables`](super::Solver::close_variables),
    /// where a proof must consist of resolutions, where clauses are exchanged with other searches, or where gates define half
    /// of the variables.
    factor: bool = true in false..=true;
}

/// Bounds on the effort of one call of [`Solver::solve`](super::Solver::solve); beyond one the answer is
/// [`Answer::Unknown`](super::Answer::Unknown). `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The number of conflicts.
    pub conflicts: Option<u64>,
    /// The number of propagated literals; checked between propagations, so a call may exceed it slightly.
    pub propagations: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_set_by_name() {
        let mut options = Options::default();
        assert!(options.set("seed=7") && options.set("stable=false"));
        assert_eq!((options.seed, options.stable), (7, false));
        for wrong in ["stable", "stable=maybe", "nothing=true", "seed=-1", ""] {
            assert!(!options.set(wrong), "{wrong}");
        }
    }

    #[test]
    fn values_beyond_the_range_are_refused() {
        let mut options = Options::default();
        assert!(options.set("inprocess_interval=1000000000000"));
        assert!(!options.set("inprocess_interval=1000000000001"));
        assert_eq!(options.inprocess_interval, 1_000_000_000_000);
    }

    #[test]
    fn the_table_names_each_option_with_its_default() {
        let mut options = Options {
            seed: 1,
            stable: false,
            eliminate: true,
            ..Options::default()
        };
        for row in Options::TABLE {
            assert!(options.set(&format!("{}={}", row.name, row.default)));
            assert!(
                !row.text.trim().is_empty() && row.range.contains("..="),
                "{row:?}"
            );
        }
        assert_eq!(options, Options::default());
    }
}
