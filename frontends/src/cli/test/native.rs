//! Comparison of a suite with what `gcov` counts when it is run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use craig_c::{self as c, GoalState, LineCounts, Options, TestReport};

use super::GoalKind;

/// The time limit of the compiler, of a test and of `gcov`, each.
const LIMIT: Duration = Duration::from_secs(20);

/// Reasons that are told for a test that does not run, at most.
const LIMITS: usize = 3;

/// The result of a comparison.
pub(super) struct Compared {
    /// What was found, for people.
    pub(super) text: String,
    /// Whether nothing contradicts the report. Tests that cannot be run contradict nothing.
    pub(super) agrees: bool,
}

/// Runs every test. The line of each goal that a test covers has to be executed by it; the line of a location that
/// is proved unreachable by none. A line with a label alone is left out: `gcov` counts it if control falls through,
/// not for jumps to it.
pub(super) fn compare(
    file: &Path,
    options: &Options,
    report: &TestReport,
    kind: GoalKind,
) -> Compared {
    let source = std::fs::read(file).unwrap_or_default();
    let source = String::from_utf8_lossy(&source).into_owned();
    let name = file.display().to_string();
    let labels: BTreeSet<(String, u32)> = c::presumed_lines(&name, &source)
        .into_iter()
        .filter(|line| line.text.trim_end().ends_with(':'))
        .map(|line| (line.file.to_owned(), line.line))
        .collect();
    let mut text = String::new();
    let mut sum = LineCounts::new();
    let (mut n_run, mut n_agreeing, mut agrees) = (0, 0, true);
    let mut failures: BTreeMap<String, usize> = BTreeMap::new();
    for (number, test) in (1..).zip(&report.tests) {
        let driver = c::test_driver(file, options, &test.report);
        let counts = driver.and_then(|driver| {
            let counts = c::lines_executed(&driver, file, LIMIT);
            match counts {
                Ok(counts) => Ok((counts, driver.limits)),
                // What the driver cannot set may be the reason.
                Err(why) => Err({
                    let limits = driver.limits.into_iter().take(LIMITS);
                    let all: Vec<String> = std::iter::once(why).chain(limits).collect();
                    all.join("; ")
                }),
            }
        });
        let (counts, limits) = match counts {
            Ok(found) => found,
            Err(why) => {
                *failures.entry(why).or_default() += 1;
                continue;
            }
        };
        n_run += 1;
        let goals = test.goals.iter().map(|&goal| &report.goals[goal]);
        let missed: Vec<u32> = goals
            .map(|goal| (goal.file.clone(), goal.line))
            .filter(|place| counts.get(place) == Some(&0) && !labels.contains(place))
            .map(|(_, line)| line)
            .collect();
        match missed.first() {
            None => n_agreeing += 1,
            Some(line) => {
                let _ = write!(text, "test {number}: `gcov` does not count line {line}");
                for limit in &limits {
                    let _ = write!(text, "; {limit}");
                }
                text.push('\n');
                // A driver that cannot set all values may take another path.
                agrees &= !limits.is_empty();
            }
        }
        for (line, count) in counts {
            *sum.entry(line).or_insert(0) += count;
        }
    }
    if kind == GoalKind::Locations {
        for goal in &report.goals {
            let is_unreachable = matches!(goal.state, GoalState::Unreachable(_));
            let count = sum.get(&(goal.file.clone(), goal.line));
            if is_unreachable && count.is_some_and(|&count| count > 0) {
                agrees = false;
                let _ = writeln!(text, "line {} is unreachable, but was executed", goal.line);
            }
        }
    }
    let n_executable = sum.len();
    let n_executed = sum.values().filter(|&&count| count > 0).count();
    let _ = writeln!(
        text,
        "gcov: {n_run} of {} tests run, {n_agreeing} agree; {n_executed} of {n_executable} lines executed",
        report.tests.len()
    );
    for (why, n) in failures {
        let _ = writeln!(text, "gcov: {n} tests not run: {why}");
    }
    Compared { text, agrees }
}
