//! Does strength help? An experiment of no paper: the strength of interpolants (labelling, raising of local
//! resolutions, simplification) and what labels are made of (bits or words), under Impact, and the parts of
//! it that IMC and transition relation approximation have, on the same programs.

use std::io;
use std::path::Path;

use super::Plan;
use super::run::{Configuration, Run, files, find, of};
use super::table::{Table, seconds};
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
    IMPACT.iter().chain(&LOOPS).cloned().collect()
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
    for (title, prefixes) in [
        ("Impact", None),
        ("IMC", Some("imc")),
        ("Transition relation approximation", Some("tra")),
    ] {
        let own: Vec<&str> = (present(runs).into_iter())
            .filter(|name| match prefixes {
                Some(prefix) => name.starts_with(prefix),
                None => !name.starts_with("imc") && !name.starts_with("tra"),
            })
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
    let common: Vec<&str> = files(runs).into_iter().filter(is_common).collect();
    let mut table = Table::new(&[
        "configuration",
        "right",
        "wrong",
        "no verdict",
        "seconds of right ones",
        "common: seconds",
        "vertices",
        "refinements or bounds",
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
            number(total("vertices")),
            number(total("refinements").or_else(|| total("bounds"))),
            number(total("cuts_with_words")),
            number(total("cuts_with_bits")),
        ]);
    }
    let n_programs = files(runs).len();
    format!(
        "{}\nOf {n_programs} programs, {} are decided by all of these configurations; `common` and what \
         follows are sums over them.\n",
        table.into_text(),
        common.len()
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
            canned("a.c", "imc mcmillan", safe, 2.0, "bounds=7"),
            canned("b.c", "imc mcmillan", ("good", "bad"), 2.0, "bounds=9"),
        ];
        let text = render(&runs);
        for line in [
            "| `mcmillan` | 1 | 0 | 1 | 1.00 | 1.00 | 10 | 4 |  |  |",
            "| `mcmillan words` | 2 | 0 | 0 | 0.75 | 0.50 | 3 | 1 | 2 |  |",
            "| `imc mcmillan` | 1 | 1 | 0 | 2.00 | 2.00 |  | 7 |  |  |",
            "Of 2 programs, 1 are decided by all",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(!text.contains("Transition relation"));
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
