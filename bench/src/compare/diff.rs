//! Two runs side by side on the same problems, with intervals of confidence.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;

use clap::Args;

use super::host;
use super::summary::{penalised, read};
use crate::bootstrap::{interval, verdict};
use crate::row::{Row, programs};

/// Arguments of `craig-bench diff`.
#[derive(Clone, Debug, Args)]
pub struct Arguments {
    /// The earlier results: a folder of `craig-bench run`, or its table.
    before: PathBuf,
    /// The later ones.
    after: PathBuf,
    /// The processor seconds after which a run counts as unsolved; by default, the limit of the runs.
    #[arg(long, value_name = "SECONDS")]
    limit: Option<f64>,
    /// Compare this engine of the earlier results ..
    #[arg(long, value_name = "NAME", requires = "to")]
    from: Option<String>,
    /// .. with this one of the later; by default, each engine with itself.
    #[arg(long, value_name = "NAME", requires = "from")]
    to: Option<String>,
}

/// Runs the subcommand.
///
/// # Errors
/// If results can't be read, or have no engine and no problem in common.
pub fn run(arguments: &Arguments) -> io::Result<()> {
    let [before, after] =
        [&arguments.before, &arguments.after].map(|path| read(std::slice::from_ref(path)));
    let (before, after) = (before?, after?);
    let pairs: Vec<(&str, &str)> = match (&arguments.from, &arguments.to) {
        (Some(from), Some(to)) => vec![(from, to)],
        _ => {
            let later = programs(&after);
            let both = programs(&before)
                .into_iter()
                .filter(|name| later.contains(name));
            both.map(|name| (name, name)).collect()
        }
    };
    let mut text = String::new();
    let folders = [arguments.before.clone(), arguments.after.clone()];
    let limit = host::limit(arguments.limit, &folders);
    for (from, to) in pairs {
        text += &compared(&before, &after, (from, to), limit)?;
    }
    match text.is_empty() {
        true => Err(io::Error::other(
            "no engine is in both: name them by --from and --to",
        )),
        false => {
            print!("{text}");
            Ok(())
        }
    }
}

/// A problem as both have run it.
type Pair<'a> = (&'a Row, &'a Row);

fn compared(
    before: &[Row],
    after: &[Row],
    (from, to): (&str, &str),
    limit: f64,
) -> io::Result<String> {
    let later: BTreeMap<&str, &Row> = (after.iter().filter(|row| row.program == to))
        .map(|row| (row.problem.as_str(), row))
        .collect();
    let own = before.iter().filter(|row| row.program == from);
    let pairs: Vec<Pair<'_>> = own
        .filter_map(|row| Some((row, *later.get(row.problem.as_str())?)))
        .collect();
    if pairs.is_empty() {
        return Err(io::Error::other(format!(
            "{from} and {to} have no problem in common"
        )));
    }
    let names = |test: &dyn Fn(&Pair<'_>) -> bool| {
        let fit = pairs.iter().filter(|pair| test(pair));
        fit.map(|pair| pair.0.problem.as_str()).collect::<Vec<_>>()
    };
    let won = names(&|(old, new)| !old.is_solved() && new.is_solved());
    let lost = names(&|(old, new)| old.is_solved() && !new.is_solved());
    let wrong = names(&|(old, new)| old.is_wrong() || new.is_wrong());
    let contrary =
        names(&|(old, new)| old.is_solved() && new.is_solved() && old.answer != new.answer);
    let change = |(old, new): &Pair<'_>| penalised(new, limit) - penalised(old, limit);
    let changes: Vec<f64> = pairs.iter().map(change).collect();
    let both = pairs
        .iter()
        .filter(|(old, new)| old.is_solved() && new.is_solved());
    // Times below a hundredth of a second are not distinguished.
    let ratio =
        |(old, new): &Pair<'_>| (new.cpu_seconds.max(0.01) / old.cpu_seconds.max(0.01)).ln();
    let ratios: Vec<f64> = both.map(ratio).collect();
    let solved = |rows: &dyn Fn(&Pair<'_>) -> bool| pairs.iter().filter(|pair| rows(pair)).count();
    let title = if from == to {
        from.to_owned()
    } else {
        format!("{from} and {to}")
    };
    let mut text = format!("{title}: {} problems in both\n", pairs.len());
    let _ = writeln!(
        text,
        "  solved   {} before, {} after",
        solved(&|pair| pair.0.is_solved()),
        solved(&|pair| pair.1.is_solved())
    );
    let (mean, low, high) = interval(&changes);
    let _ = writeln!(
        text,
        "  PAR-2    {mean:+.3} s (95 %: {low:+.3} to {high:+.3}){}",
        verdict(low, high)
    );
    if !ratios.is_empty() {
        let (mean, low, high) = interval(&ratios);
        let _ = writeln!(
            text,
            "  times    {:.3} of before where both solve, {} problems (95 %: {:.3} to {:.3}){}",
            mean.exp(),
            ratios.len(),
            low.exp(),
            high.exp(),
            verdict(low, high)
        );
    }
    for (what, problems) in [
        ("won", won),
        ("lost", lost),
        ("WRONG", wrong),
        ("CONTRARY", contrary),
    ] {
        if !problems.is_empty() {
            let _ = writeln!(
                text,
                "  {what:<8} {}: {}",
                problems.len(),
                problems.join(", ")
            );
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(seconds: impl Fn(usize) -> Option<f64>) -> Vec<Row> {
        let row = |number: usize| {
            let (answer, cpu) = match seconds(number) {
                Some(cpu) => ("good", cpu),
                None => ("unknown", 60.0),
            };
            Row::parse(&format!("p{number}\ta\t{answer}\tgood\t{cpu}\t{cpu}\t")).unwrap()
        };
        (0..30).map(row).collect()
    }

    #[test]
    fn what_is_faster_is_shown_with_what_is_lost() {
        let before = rows(|number| (number != 3).then_some(1.0 + number as f64));
        let after = rows(|number| (number != 4).then_some(0.5 * (1.0 + number as f64)));
        let text = compared(&before, &after, ("a", "a"), 60.0).unwrap();
        assert!(text.contains("solved   29 before, 29 after"), "{text}");
        assert!(
            text.contains("won      1: p3\n") && text.contains("lost     1: p4\n"),
            "{text}"
        );
        assert!(text.contains("times    0.500 of before where both solve, 28 problems (95 %: 0.500 to 0.500): faster"), "{text}");
        let same = compared(&before, &before, ("a", "a"), 60.0).unwrap();
        assert!(
            same.contains("+0.000 s (95 %: +0.000 to +0.000): no difference"),
            "{same}"
        );
    }
}
