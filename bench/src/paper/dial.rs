//! Does strength help? An experiment of no paper: the strength of interpolants (labelling, raising of local
//! resolutions, simplification) and what labels are made of (bits or words), under Impact, and the parts of
//! it that IMC and transition relation approximation have, on the same programs; engines for circuits on circuits as well.

use std::io;
use std::path::Path;

use super::Plan;
use super::run::{Configuration, Run, files, find, of};
use super::table::{Table, seconds};
use crate::bootstrap::{interval, verdict};
use crate::plot;

macro_rules! impact {
    ($name:literal, $($option:literal),*) => {
        Configuration {
            name: $name,
            options: &["--engine", "impact", $($option),*],
        }
    };
}

macro_rules! dials {
    ($(($name:literal, $words:literal, $($option:literal),*)),* $(,)?) => {
        [$(
            impact!($name, "--labels", "bits", $($option),*),
            impact!($words, "--labels", "words", $($option),*),
        )*]
    };
}

/// Impact with every setting of the dial, over bits and over words: the system, then `raise` for raising,
/// then `simplify`.
const IMPACT: [Configuration; 24] = dials![
    ("mcmillan", "mcmillan words", "--system", "mcmillan"),
    ("symmetric", "symmetric words", "--system", "symmetric"),
    ("inverse", "inverse words", "--system", "inverse"),
    (
        "mcmillan raise",
        "mcmillan raise words",
        "--system",
        "mcmillan",
        "--transform",
        "raise-local"
    ),
    (
        "symmetric raise",
        "symmetric raise words",
        "--system",
        "symmetric",
        "--transform",
        "raise-local"
    ),
    (
        "inverse raise",
        "inverse raise words",
        "--system",
        "inverse",
        "--transform",
        "raise-local"
    ),
    (
        "mcmillan simplify",
        "mcmillan simplify words",
        "--system",
        "mcmillan",
        "--simplify"
    ),
    (
        "symmetric simplify",
        "symmetric simplify words",
        "--system",
        "symmetric",
        "--simplify"
    ),
    (
        "inverse simplify",
        "inverse simplify words",
        "--system",
        "inverse",
        "--simplify"
    ),
    (
        "mcmillan raise simplify",
        "mcmillan raise simplify words",
        "--system",
        "mcmillan",
        "--transform",
        "raise-local",
        "--simplify"
    ),
    (
        "symmetric raise simplify",
        "symmetric raise simplify words",
        "--system",
        "symmetric",
        "--transform",
        "raise-local",
        "--simplify"
    ),
    (
        "inverse raise simplify",
        "inverse raise simplify words",
        "--system",
        "inverse",
        "--transform",
        "raise-local",
        "--simplify"
    ),
];

macro_rules! labelled {
    ($engine:literal, $(($name:literal, $option:literal, $value:literal)),* $(,)?) => {
        [$(Configuration {
            name: $name,
            options: &["--engine", $engine, $option, $value],
        }),*]
    };
}

/// The labellings that are no system, under each engine that refutes paths; and the systems where they are not above or below.
const IMPACT_LABELLED: [Configuration; 4] = labelled![
    "impact",
    ("pss", "--labelling", "pss"),
    ("ps", "--labelling", "ps"),
    ("psw", "--labelling", "psw"),
    ("random", "--labelling", "random"),
];
const IMC_LABELLED: [Configuration; 4] = labelled![
    "imc",
    ("imc pss", "--labelling", "pss"),
    ("imc ps", "--labelling", "ps"),
    ("imc psw", "--labelling", "psw"),
    ("imc random", "--labelling", "random"),
];
const ISB: [Configuration; 7] = labelled![
    "isb",
    ("isb mcmillan", "--system", "mcmillan"),
    ("isb symmetric", "--system", "symmetric"),
    ("isb inverse", "--system", "inverse"),
    ("isb pss", "--labelling", "pss"),
    ("isb ps", "--labelling", "ps"),
    ("isb psw", "--labelling", "psw"),
    ("isb random", "--labelling", "random"),
];
const AVY: [Configuration; 7] = labelled![
    "avy",
    ("avy mcmillan", "--system", "mcmillan"),
    ("avy symmetric", "--system", "symmetric"),
    ("avy inverse", "--system", "inverse"),
    ("avy pss", "--labelling", "pss"),
    ("avy ps", "--labelling", "ps"),
    ("avy psw", "--labelling", "psw"),
    ("avy random", "--labelling", "random"),
];
/// Without the label a: the interpolants of all actions have to contradict each other.
const PREDABS: [Configuration; 4] = labelled![
    "predabs",
    ("predabs mcmillan", "--system", "mcmillan"),
    ("predabs symmetric", "--system", "symmetric"),
    ("predabs pss", "--labelling", "pss"),
    ("predabs random", "--labelling", "random-strong"),
];
const TRA_LABELLED: [Configuration; 3] = labelled![
    "tra",
    ("tra symmetric", "--system", "symmetric"),
    ("tra pss", "--labelling", "pss"),
    ("tra random", "--labelling", "random-strong"),
];

/// The titles of the tables, and how the names of their configurations begin; those of Impact begin with no engine.
const ENGINES: [(&str, &str); 5] = [
    ("IMC", "imc"),
    ("Interpolation sequences", "isb"),
    ("Avy", "avy"),
    ("Predicate abstraction", "predabs"),
    ("Transition relation approximation", "tra"),
];

/// The engines on the single loop. Words play no part there.
const LOOPS: [Configuration; 5] = [
    Configuration {
        name: "imc mcmillan",
        options: &["--engine", "imc", "--system", "mcmillan"],
    },
    Configuration {
        name: "imc symmetric",
        options: &["--engine", "imc", "--system", "symmetric"],
    },
    Configuration {
        name: "imc inverse",
        options: &["--engine", "imc", "--system", "inverse"],
    },
    Configuration {
        name: "tra raise",
        options: &["--engine", "tra"],
    },
    Configuration {
        name: "tra",
        options: &["--engine", "tra", "--transform", "none"],
    },
];

fn configurations() -> Vec<Configuration> {
    let (isb, predabs) = (ISB.iter().chain(&AVY), PREDABS.iter().chain(&TRA_LABELLED));
    let labelled = IMPACT_LABELLED.iter().chain(&IMC_LABELLED);
    let all = IMPACT.iter().chain(&LOOPS).chain(labelled);
    all.chain(isb).chain(predabs).cloned().collect()
}

pub(super) fn plan() -> Plan {
    Plan {
        name: "dial",
        configurations: configurations(),
        families: &["code2inv.linear", "svcomp.locks", "svcomp.loop-simple"],
        render,
        draw,
    }
}

/// The configurations of which there are runs, in the order of the plan.
fn present(runs: &[Run]) -> Vec<&'static str> {
    let names = configurations().into_iter().map(|own| own.name);
    names
        .filter(|name| runs.iter().any(|run| run.configuration == *name))
        .collect()
}

/// Sums over the programs that all configurations of the same engine decide tell what strength costs; the
/// numbers of decided programs tell which converge.
fn render(runs: &[Run]) -> String {
    let mut text = String::new();
    let engine_of = |name: &str| {
        let mut engines = ENGINES.iter();
        let found = engines.find(|(_, prefix)| name.split(' ').next() == Some(prefix));
        found.map_or("Impact", |(title, _)| title)
    };
    for title in std::iter::once("Impact").chain(ENGINES.map(|(title, _)| title)) {
        let own: Vec<&str> = (present(runs).into_iter())
            .filter(|name| engine_of(name) == title)
            .collect();
        if !own.is_empty() {
            text += &format!("\n### {title}\n\n");
            text += &engine(runs, &own);
        }
    }
    text
}

fn engine(runs: &[Run], names: &[&str]) -> String {
    let is_common = |file: &&str| {
        let mut runs = names.iter().map(|name| find(runs, file, name));
        runs.all(|run| run.is_some_and(Run::is_right))
    };
    let asked: Vec<&str> = (files(runs).into_iter())
        .filter(|file| names.iter().any(|name| find(runs, file, name).is_some()))
        .collect();
    let common: Vec<&str> = asked.iter().copied().filter(is_common).collect();
    let mut table = Table::new(&[
        "configuration",
        "right",
        "wrong",
        "no verdict",
        "seconds of right ones",
        "common: seconds",
        "times the first row",
        "vertices",
        "refinements or bounds",
        "gates of interpolants",
        "cuts with words",
        "with bits",
    ]);
    for &name in names {
        let all = of(runs, name);
        let n_right = all.iter().filter(|run| run.is_right()).count();
        let n_wrong = all.iter().filter(|run| run.is_wrong()).count();
        let time: f64 = all
            .iter()
            .filter(|run| run.is_right())
            .map(|run| run.seconds)
            .sum();
        let on_common: Vec<&Run> = common
            .iter()
            .filter_map(|file| find(runs, file, name))
            .collect();
        let total = |statistic: &str| -> Option<u64> {
            let numbers: Vec<u64> = on_common
                .iter()
                .filter_map(|run| run.statistic(statistic))
                .collect();
            (!numbers.is_empty()).then(|| numbers.iter().sum())
        };
        let number = |number: Option<u64>| number.map_or_else(String::new, |own| own.to_string());
        table.row(&[
            format!("`{name}`"),
            n_right.to_string(),
            n_wrong.to_string(),
            (all.len() - n_right - n_wrong).to_string(),
            seconds(time),
            seconds(on_common.iter().map(|run| run.seconds).sum()),
            ratio(runs, &common, (name, names[0])),
            number(total("vertices")),
            number(total("refinements").or_else(|| total("bounds"))),
            number(total("interpolant_gates")),
            number(total("cuts_with_words")),
            number(total("cuts_with_bits")),
        ]);
    }
    let n_inputs = asked.len();
    format!(
        "{}\nOf {n_inputs} inputs, {} are decided by all of these configurations; `common` and what \
         follows are sums over them.\n",
        table.into_text(),
        common.len()
    )
}

/// Runs shorter than this are not told apart: it is added to each time.
const LEAST_SECONDS: f64 = 0.05;

/// The geometric mean of the times of a configuration divided by those of another one on the same inputs, with its interval of
/// confidence of 95 % by the bootstrap, and what it shows.
fn ratio(runs: &[Run], files: &[&str], (name, reference): (&str, &str)) -> String {
    let seconds = |file: &str, name: &str| find(runs, file, name).map(|run| run.seconds);
    let logarithms: Vec<f64> = (files.iter())
        .filter_map(|file| {
            let own = seconds(file, name)? + LEAST_SECONDS;
            Some((own / (seconds(file, reference)? + LEAST_SECONDS)).ln())
        })
        .collect();
    if name == reference || logarithms.is_empty() {
        return String::new();
    }
    let (mean, low, high) = interval(&logarithms);
    if logarithms.len() < 2 {
        return format!("{:.2}", mean.exp());
    }
    format!(
        "{:.2} ({:.2} to {:.2}){}",
        mean.exp(),
        low.exp(),
        high.exp(),
        verdict(low, high)
    )
}

fn draw(path: &Path, runs: &[Run], limit: f64) -> io::Result<()> {
    let curve = |name: &str| {
        let right = of(runs, name).into_iter().filter(|run| run.is_right());
        (name.to_owned(), right.map(|run| run.seconds).collect())
    };
    let curves: Vec<(String, Vec<f64>)> = present(runs).into_iter().map(curve).collect();
    plot::quantiles(path, &curves, limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::run::canned;

    #[test]
    fn sums_are_over_common_programs() {
        let safe = ("good", "good");
        let runs = [
            canned("a.c", "mcmillan", safe, 1.0, "vertices=10 refinements=4"),
            canned(
                "a.c",
                "mcmillan words",
                safe,
                0.5,
                "vertices=3 refinements=1 cuts_with_words=2",
            ),
            canned("b.c", "mcmillan", ("good", "unknown"), 20.0, "vertices=900"),
            canned(
                "b.c",
                "mcmillan words",
                safe,
                0.25,
                "vertices=5 cuts_with_bits=1",
            ),
            canned(
                "a.c",
                "imc mcmillan",
                safe,
                2.0,
                "bounds=7 interpolant_gates=31",
            ),
            canned("b.c", "imc mcmillan", ("good", "bad"), 2.0, "bounds=9"),
        ];
        let text = render(&runs);
        for line in [
            "| `mcmillan` | 1 | 0 | 1 | 1.00 | 1.00 |  | 10 | 4 |  |  |  |",
            "| `mcmillan words` | 2 | 0 | 0 | 0.75 | 0.50 | 0.52 | 3 | 1 |  | 2 |  |",
            "| `imc mcmillan` | 1 | 1 | 0 | 2.00 | 2.00 |  |  | 7 | 31 |  |  |",
            "Of 2 inputs, 1 are decided by all",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(!text.contains("Transition relation"));
    }

    /// Half of the time on each program is half of the time, with no doubt; different shares have an interval.
    #[test]
    fn ratios_have_an_interval_of_confidence() {
        let safe = ("good", "good");
        let run = |file: &str, name: &'static str, seconds: f64| {
            canned(file, name, safe, seconds - LEAST_SECONDS, "")
        };
        let runs = [
            run("a.c", "x", 2.0),
            run("b.c", "x", 8.0),
            run("a.c", "y", 1.0),
            run("b.c", "y", 4.0),
            run("a.c", "z", 2.0),
            run("b.c", "z", 4.0),
        ];
        let own = |name: &str| ratio(&runs, &["a.c", "b.c"], (name, "x"));
        assert_eq!(own("x"), "");
        assert_eq!(own("y"), "0.50 (0.50 to 0.50): faster");
        assert!(own("z").starts_with("0.71 (0."), "{}", own("z"));
    }

    /// Each Impact configuration is there over bits and over words, with the same other options.
    #[test]
    fn bits_and_words_are_paired() {
        for pair in IMPACT.chunks(2) {
            let [bits, words] = pair else {
                panic!("an even number")
            };
            assert_eq!(words.name, format!("{} words", bits.name));
            assert_eq!(bits.options[4..], words.options[4..]);
            assert_eq!((bits.options[3], words.options[3]), ("bits", "words"));
        }
    }
}
