//! Tables II and III of C. Tian, Z. Duan, Z. Duan and C.-H. L. Ong, "More effective interpolations in software
//! model checking" (ASE 2017): programs decided, and total time, with R-, S- and E-interpolants and with
//! weights.

use std::io;
use std::path::Path;

use super::Plan;
use super::run::{Configuration, Run, of};
use super::table::{Table, percent, seconds};
use crate::plot;

/// The paper's programs; each had 900 seconds.
const PROGRAMS: usize = 2128;

/// A configuration with the paper's figures: programs verified, and total seconds.
struct Mode {
    name: &'static str,
    options: &'static [&'static str],
    verified: usize,
    seconds: f64,
}

const MODES: [Mode; 6] = [
    Mode {
        name: "R",
        options: &["--engine", "rse", "--interpolants", "r"],
        verified: 1424,
        seconds: 646_312.2,
    },
    Mode {
        name: "R+E",
        options: &["--engine", "rse", "--interpolants", "r,e"],
        verified: 1439,
        seconds: 632_552.7,
    },
    Mode {
        name: "R+S",
        options: &["--engine", "rse", "--interpolants", "r,s"],
        verified: 1463,
        seconds: 613_359.5,
    },
    Mode {
        name: "R+S+E",
        options: &["--engine", "rse", "--interpolants", "r,s,e"],
        verified: 1475,
        seconds: 603_785.1,
    },
    Mode {
        name: "R+S+W",
        options: &["--engine", "rse", "--interpolants", "r,s", "--weights"],
        verified: 1498,
        seconds: 584_894.4,
    },
    Mode {
        name: "R+S+E+W",
        options: &["--engine", "rse", "--interpolants", "r,s,e", "--weights"],
        verified: 1510,
        seconds: 576_667.3,
    },
];

pub(super) fn plan() -> Plan {
    let configuration = |mode: &Mode| Configuration {
        name: mode.name,
        options: mode.options,
    };
    Plan {
        name: "paper-rse",
        configurations: MODES.iter().map(configuration).collect(),
        families: &[
            "svcomp.ntdrivers",
            "svcomp.ntdrivers-simplified",
            "svcomp.ldv-regression",
            "svcomp.locks",
            "svcomp.ssh",
            "svcomp.ssh-simplified",
            "svcomp.eca",
            "svcomp.loops",
        ],
        render,
        draw,
    }
}

fn render(runs: &[Run]) -> String {
    let mut families: Vec<&str> = runs.iter().map(|run| run.family.as_str()).collect();
    families.sort_unstable();
    families.dedup();
    let header = |first: &str| {
        let mut header = vec![first.to_owned()];
        header.extend(MODES.iter().map(|mode| mode.name.to_owned()));
        header
    };
    let mut decided = Table::new(&header("right, out of time, other"));
    let mut time = Table::new(&header("total seconds"));
    let groups = families.into_iter().map(Some).chain([None]);
    for family in groups {
        let name = family.unwrap_or("all");
        let (mut row, mut times) = (vec![name.to_owned()], vec![name.to_owned()]);
        for mode in &MODES {
            let of: Vec<&Run> = (of(runs, mode.name).into_iter())
                .filter(|run| family.is_none_or(|family| run.family == family))
                .collect();
            let right = of.iter().filter(|run| run.is_right()).count();
            let wrong = of.iter().filter(|run| run.is_wrong()).count();
            let late = of
                .iter()
                .filter(|run| run.failure() == Some(super::run::Failure::Time));
            let late = late.count();
            let mut cell = format!("{right}, {late}, {}", of.len() - right - late - wrong);
            if wrong > 0 {
                cell += &format!(", {wrong} WRONG");
            }
            if family.is_none() {
                cell += &format!(" ({})", percent(right, of.len()));
            }
            row.push(cell);
            times.push(seconds(of.iter().map(|run| run.seconds).sum()));
        }
        decided.row(&row);
        time.row(&times);
    }
    let mut row = vec!["paper".to_owned()];
    row.extend(MODES.iter().map(|mode| {
        let (verified, rest) = (mode.verified, PROGRAMS - mode.verified);
        format!("{verified}, {rest} ({})", percent(verified, PROGRAMS))
    }));
    decided.row(&row);
    let mut row = vec!["paper".to_owned()];
    row.extend(MODES.iter().map(|mode| seconds(mode.seconds)));
    time.row(&row);
    decided.into_text() + "\n" + &time.into_text()
}

fn draw(path: &Path, runs: &[Run], limit: f64) -> io::Result<()> {
    let times = |mode: &Mode| {
        let right = of(runs, mode.name).into_iter().filter(|run| run.is_right());
        (mode.name.to_owned(), right.map(|run| run.seconds).collect())
    };
    let times: Vec<(String, Vec<f64>)> = MODES.iter().map(times).collect();
    plot::quantiles(path, &times, limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::run::canned;

    #[test]
    fn modes_are_summed_by_family() {
        let mut runs = vec![
            canned("p.c", "R", ("good", "good"), 1.5, ""),
            canned("q.c", "R", ("bad", "unknown"), 20.0, ""),
            canned("p.c", "R+S", ("good", "bad"), 2.0, ""),
        ];
        runs[1].family = "other.family".to_owned();
        let text = render(&runs);
        let lines = [
            "| other.family | 0, 1, 0 | 0, 0, 0 | 0, 0, 0 |",
            "| some.family | 1, 0, 0 | 0, 0, 0 | 0, 0, 0, 1 WRONG |",
            "| all | 1, 1, 0 (50.0 %) |",
            "| paper | 1424, 704 (66.9 %) | 1439, 689 (67.6 %) |",
            "| all | 21.5 | 0.00 | 2.00 |",
            "| paper | 646312 | 632553 |",
        ];
        for line in lines {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }
}
