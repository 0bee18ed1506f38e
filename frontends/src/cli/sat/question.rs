//! What `craig sat` asks of the solver: options, limits, assumptions, and which models.

use std::fmt::Write as _;

use craig_formula::decide::Question;
use craig_solver::{Lit, Options, Var};

use crate::cli::failure::Failure;

/// How to search, and for what.
#[derive(Debug, clap::Args)]
pub(super) struct QuestionArguments {
    /// The seed of random choices; short for `--set seed=N`.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Stop after this number of conflicts; in an enumeration, since the last model.
    #[arg(long, value_name = "N")]
    conflicts: Option<u64>,
    /// Set an option of the solver, as in `vivify=false`; `--set help` lists them.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// For formulas that are satisfiable: long walks, and stable mode early (`walk_steps=20000000`,
    /// `mode_interval=100`).
    #[arg(long, conflicts_with = "unsat")]
    sat: bool,
    /// For formulas that are unsatisfiable: neither stable mode nor walks (`stable=false`, `walk=false`).
    #[arg(long)]
    unsat: bool,
    /// Assume these literals, as in `--assume "1 -2"`. If there is no model under them, those that can't hold together are
    /// printed, and `--trim` writes a proof that ends in the clause of their negations.
    #[arg(long, value_name = "LITERALS", allow_hyphen_values = true, conflicts_with_all = ["proof", "core"])]
    assume: Option<String>,
    /// Print all models, or at most N of them. None is blocked by a clause, so that the formula does not grow.
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "18446744073709551615",
        conflicts_with_all = ["proof", "core", "trim", "check"])]
    pub(super) enumerate: Option<u64>,
    /// With `--enumerate`, models that differ in these variables, as in `--project "1 2 3"`.
    #[arg(long, value_name = "VARIABLES", requires = "enumerate")]
    project: Option<String>,
}

impl QuestionArguments {
    /// Whether the options are to be listed.
    pub(super) fn is_help(&self) -> bool {
        self.set.iter().any(|set| set == "help")
    }

    /// Whether literals are assumed.
    pub(super) fn assumes(&self) -> bool {
        self.assume.is_some()
    }

    /// The question about a formula with this number of variables.
    pub(super) fn question(&self, n_vars: usize) -> Result<Question, Failure> {
        let mut question = Question::default();
        let preset: &[&str] = match (self.sat, self.unsat) {
            (true, _) => &["walk_steps=20000000", "mode_interval=100"],
            (_, true) => &["stable=false", "walk=false"],
            _ => &[],
        };
        let seed = self.seed.map(|seed| format!("seed={seed}"));
        let all = preset.iter().copied().chain(seed.as_deref());
        for assignment in all.chain(self.set.iter().map(String::as_str)) {
            set(&mut question.options, assignment)?;
        }
        question.limits.conflicts = self.conflicts;
        for number in numbers("--assume", self.assume.as_deref())? {
            question
                .assumptions
                .push(literal("--assume", number, n_vars)?);
        }
        Ok(question)
    }

    /// The variables in which models have to differ, if they are named.
    pub(super) fn projection(&self, n_vars: usize) -> Result<Option<Vec<Var>>, Failure> {
        if self.project.is_none() {
            return Ok(None);
        }
        let mut vars: Vec<Var> = Vec::new();
        for number in numbers("--project", self.project.as_deref())? {
            if number < 0 {
                let text = format!("--project: expected a variable but found {number}");
                return Err(Failure::input(text));
            }
            let var = literal("--project", number, n_vars)?.var();
            if !vars.contains(&var) {
                vars.push(var);
            }
        }
        Ok(Some(vars))
    }
}

/// The numbers of a list, separated by blanks or commas.
fn numbers(option: &str, list: Option<&str>) -> Result<Vec<i64>, Failure> {
    let words = list.unwrap_or_default();
    let words = words.split(|byte: char| byte.is_whitespace() || byte == ',');
    let words = words.filter(|word| !word.is_empty());
    let number = |word: &str| {
        word.parse()
            .map_err(|_| Failure::input(format!("{option}: expected numbers but found {word:?}")))
    };
    words.map(number).collect()
}

fn literal(option: &str, number: i64, n_vars: usize) -> Result<Lit, Failure> {
    let lit = Lit::from_dimacs(number).filter(|lit| lit.var().index() < n_vars);
    lit.ok_or_else(|| {
        let text = format!("{option}: {number} is none of the formula's {n_vars} variables");
        Failure::input(text)
    })
}

/// Sets an option by name, or says which there are.
fn set(options: &mut Options, assignment: &str) -> Result<(), Failure> {
    if options.set(assignment) {
        return Ok(());
    }
    let name = assignment.split('=').next().unwrap_or_default();
    let known = Options::TABLE.iter().find(|row| row.name == name);
    Err(Failure::input(match known {
        Some(row) => format!(
            "--set {assignment}: expected {name}=VALUE with a value of {}",
            row.range
        ),
        None => {
            let names: Vec<&str> = Options::TABLE.iter().map(|row| row.name).collect();
            format!(
                "--set {assignment}: there is no option {name}; expected one of {}",
                names.join(", ")
            )
        }
    }))
}

/// The options of the solver with default, range and text.
pub(super) fn describe_options() -> String {
    let mut text = String::new();
    for row in Options::TABLE {
        let assignment = format!("{}={}", row.name, row.default);
        let _ = writeln!(text, "{assignment} ({})\n   {}", row.range, row.text);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_numbers_are_read() {
        assert_eq!(numbers("--assume", Some(" 1, -2 3")).unwrap(), [1, -2, 3]);
        assert!(numbers("--assume", Some("1 x")).is_err());
        for (number, is_known) in [
            (3, true),
            (-3, true),
            (0, false),
            (4, false),
            (i64::MIN, false),
        ] {
            assert_eq!(literal("--assume", number, 3).is_ok(), is_known, "{number}");
        }
    }

    #[test]
    fn an_option_that_is_not_there_is_told_which_are() {
        let mut options = Options::default();
        assert!(set(&mut options, "vivify=false").is_ok() && !options.vivify);
        let failure = set(&mut options, "nothing=1").unwrap_err();
        assert!(
            failure
                .message()
                .contains("no option nothing; expected one of seed, ")
        );
        let failure = set(&mut options, "vivify=2").unwrap_err();
        assert!(failure.message().contains("false..=true"));
        assert!(describe_options().contains("vivify=true (false..=true)\n   "));
    }
}
