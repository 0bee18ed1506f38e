//! A study as text, as JSON and as comma-separated values.

use std::fmt::{self, Write as _};

use craig_itp::study::{Density, Entry, Study};
use serde_json::{Value, json};

use super::convergence::Run;
use super::report::Report;

/// By entry: the number of its class of equivalent interpolants.
pub(super) fn classes(study: &Study) -> Vec<usize> {
    let mut classes = vec![0; study.entries.len()];
    for (class, members) in study.order.classes.iter().enumerate() {
        for &member in members {
            classes[member] = class;
        }
    }
    classes
}

/// Whether an entry was found to be an interpolant.
pub(super) fn validity(entry: &Entry) -> &'static str {
    match entry.verdict {
        Some(Ok(())) => "valid",
        Some(Err(_)) => "WRONG",
        None => "unchecked",
    }
}

/// A density as text; a sampled one with its standard error.
pub(super) fn density(density: &Density) -> String {
    match density.standard_error {
        None => format!("{:.6}", density.value),
        Some(error) => format!("{:.4} \u{b1}{error:.4}", density.value),
    }
}

/// Relations between the entries of one study.
pub(super) struct Checks {
    /// Proofs on which McMillan's interpolant implies the symmetric one and that the inverse.
    pub(super) ordered: Tally,
    /// Interpolants of raised proofs that imply those of the proofs as they were, in McMillan's system.
    pub(super) raised: Tally,
    /// Interpolants in conjunctive normal form.
    pub(super) cnf: usize,
    /// AND gates of the interpolants that were compacted, before and after.
    pub(super) compaction: Option<(usize, usize)>,
    /// As `compaction`, for the interpolants that were simplified.
    pub(super) simplification: Option<(usize, usize)>,
}

/// How often a relation holds.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    holds: usize,
    /// Zero unless the program is wrong.
    pub(super) fails: usize,
    undecided: usize,
}

impl Tally {
    fn count(&mut self, finding: Option<bool>) {
        match finding {
            Some(true) => self.holds += 1,
            Some(false) => self.fails += 1,
            None => self.undecided += 1,
        }
    }

    fn total(self) -> usize {
        self.holds + self.fails + self.undecided
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.holds, self.total())?;
        match self.undecided {
            0 => Ok(()),
            n => write!(f, " ({n} undecided)"),
        }
    }
}

/// Counts the relations that must hold.
pub(super) fn checks(study: &Study) -> Checks {
    let find = |proof: usize, labelling: &str| {
        study
            .entries
            .iter()
            .position(|entry| entry.proof == proof && entry.labelling == labelling)
    };
    // Whether each of several entries implies the next; `None` if one is missing or a comparison is
    // undecided.
    let chain = |entries: &[Option<usize>]| {
        let mut holds = Some(true);
        for pair in entries.windows(2) {
            match study.order.implies[pair[0]?][pair[1]?] {
                Some(true) => {}
                Some(false) => return Some(false),
                None => holds = None,
            }
        }
        holds
    };
    let mut checks = Checks {
        ordered: Tally::default(),
        raised: Tally::default(),
        cnf: study
            .entries
            .iter()
            .filter(|entry| entry.size.is_cnf)
            .count(),
        compaction: gates(study, |entry| entry.compacted),
        simplification: gates(study, |entry| entry.simplified),
    };
    for (index, proof) in study.proofs.iter().enumerate() {
        let [strong, middle, weak] =
            ["mcmillan", "symmetric", "inverse"].map(|labelling| find(index, labelling));
        checks.ordered.count(chain(&[strong, middle, weak]));
        let plain = study
            .proofs
            .iter()
            .position(|other| other.source == proof.source && other.transform == "none");
        if let (Some(plain), "raise-local") = (plain, proof.transform.as_str()) {
            checks
                .raised
                .count(chain(&[strong, find(plain, "mcmillan")]));
        }
    }
    checks
}

/// The AND gates of all interpolants for which `after` is known, before and after.
fn gates(study: &Study, after: impl Fn(&Entry) -> Option<usize>) -> Option<(usize, usize)> {
    let entries = study.entries.iter();
    entries
        .filter_map(|entry| Some((entry.size.ands, after(entry)?)))
        .reduce(|sum, next| (sum.0 + next.0, sum.1 + next.1))
}

impl Checks {
    /// The results as sentences.
    pub(super) fn sentences(&self, n_entries: usize) -> Vec<String> {
        let mut sentences = vec![format!(
            "McMillan's interpolant implies the symmetric one and that the inverse on {} proofs.",
            self.ordered
        )];
        if self.raised.total() > 0 {
            sentences.push(format!(
                "Raising gives an interpolant at least as strong (in McMillan's system) on {} proofs.",
                self.raised
            ));
        }
        sentences.push(format!(
            "{} of {n_entries} interpolants are in conjunctive normal form as constructed.",
            self.cnf
        ));
        if let Some((before, after)) = self.compaction {
            sentences.push(format!(
                "Compaction leaves {after} of {before} AND gates, all interpolants together."
            ));
        }
        if let Some((before, after)) = self.simplification {
            sentences.push(format!(
                "Simplification, which may change what an interpolant means, leaves {after} of {before} \
                 AND gates."
            ));
        }
        sentences
    }
}

/// Tables.
pub(super) fn text(reports: &[Report]) -> String {
    let mut text = String::new();
    for report in reports {
        let _ = writeln!(text, "{}", report.name);
        match &report.study {
            Err(error) => {
                let _ = writeln!(text, "  no study: {error}");
            }
            Ok(study) => text_of_study(&mut text, study),
        }
        if !report.runs.is_empty() {
            text_of_runs(&mut text, &report.runs);
        }
        text.push('\n');
    }
    text
}

fn text_of_study(text: &mut String, study: &Study) {
    let _ = writeln!(text, "  {} shared variables\n", study.n_shared);
    let _ = writeln!(
        text,
        "  {:<10} {:<18} {:>8} {:>9} {:>11} {:>10} {:>7} {:>9}",
        "proof", "transform", "core", "vertices", "resolutions", "literals", "depth", "seconds"
    );
    for proof in &study.proofs {
        let _ = writeln!(
            text,
            "  {:<10} {:<18} {:>8} {:>9} {:>11} {:>10} {:>7} {:>9.3}",
            proof.source.to_string(),
            proof.transform,
            proof.statistics.core,
            proof.statistics.vertices,
            proof.statistics.resolutions,
            proof.statistics.literals,
            proof.statistics.depth,
            proof.time.as_secs_f64()
        );
    }
    let _ = writeln!(
        text,
        "\n  {:<10} {:<18} {:<14} {:<9} {:>8} {:>9} {:>10} {:>6} {:>8} {:>7} {:<4} {:<15} {:>5} {:>9}",
        "proof",
        "transform",
        "labelling",
        "",
        "ANDs",
        "compacted",
        "simplified",
        "depth",
        "literals",
        "support",
        "CNF",
        "density",
        "class",
        "seconds"
    );
    for (entry, class) in study.entries.iter().zip(classes(study)) {
        let proof = &study.proofs[entry.proof];
        let _ = writeln!(
            text,
            "  {:<10} {:<18} {:<14} {:<9} {:>8} {:>9} {:>10} {:>6} {:>8} {:>7} {:<4} {:<15} {:>5} {:>9.3}",
            proof.source.to_string(),
            proof.transform,
            entry.labelling,
            validity(entry),
            entry.size.ands,
            optional(entry.compacted),
            optional(entry.simplified),
            entry.size.depth,
            entry.size.literals,
            entry.size.support,
            if entry.size.is_cnf { "yes" } else { "" },
            density(&entry.density),
            class,
            entry.time.as_secs_f64()
        );
    }
    for missing in &study.missing {
        let _ = writeln!(text, "  missing: {missing}");
    }
    text.push('\n');
    for sentence in checks(study).sentences(study.entries.len()) {
        let _ = writeln!(text, "  {sentence}");
    }
    let covers: Vec<String> = study
        .order
        .covers
        .iter()
        .map(|(strong, weak)| format!("{strong} => {weak}"))
        .collect();
    let _ = writeln!(
        text,
        "  {} classes of equivalent interpolants; {} (strongest first){}",
        study.order.classes.len(),
        if covers.is_empty() {
            "no implications between them".to_owned()
        } else {
            covers.join(", ")
        },
        match unknown(study) {
            0 => String::new(),
            n => format!("; {n} comparisons undecided within their budget"),
        }
    );
}

/// The number of undecided comparisons.
pub(super) fn unknown(study: &Study) -> usize {
    let entries = study.order.implies.iter().flatten();
    entries.filter(|entry| entry.is_none()).count()
}

fn text_of_runs(text: &mut String, runs: &[Run]) {
    let _ = writeln!(
        text,
        "\n  {:<6} {:<10} {:<9} {:<8} {:>6} {:>7} {:>7} {:>13} {:>9}",
        "engine",
        "system",
        "derived",
        "verdict",
        "depth",
        "bounds",
        "rounds",
        "largest ANDs",
        "seconds"
    );
    for run in runs {
        let _ = writeln!(
            text,
            "  {:<6} {:<10} {:<9} {:<8} {:>6} {:>7} {:>7} {:>13} {:>9.3}",
            run.engine,
            run.system.name(),
            run.derived,
            run.verdict,
            run.depth,
            run.n_bounds(),
            run.interpolants.len(),
            run.largest(),
            run.time.as_secs_f64()
        );
    }
}

/// An object for each problem.
pub(super) fn json(reports: &[Report]) -> Vec<Value> {
    reports.iter().map(json_of).collect()
}

fn json_of(report: &Report) -> Value {
    let runs = report.runs.iter().map(|run| {
        json!({
            "engine": run.engine,
            "system": run.system.name(),
            "derived": run.derived,
            "verdict": run.verdict,
            "depth": run.depth,
            "bounds": run.n_bounds(),
            "rounds": run.interpolants.len(),
            "seconds": run.time.as_secs_f64(),
            "interpolants": run.interpolants.iter().map(|point| json!({
                "bound": point.bound, "round": point.round, "ands": point.ands,
            })).collect::<Vec<_>>(),
        })
    });
    let mut value = json!({
        "file": report.name,
        "cut_short": report.is_cut_short,
        "runs": runs.collect::<Vec<_>>(),
    });
    match &report.study {
        Err(error) => value["error"] = json!(error),
        Ok(study) => {
            let proofs = study.proofs.iter().map(|proof| {
                json!({
                    "source": proof.source.to_string(),
                    "transform": proof.transform,
                    "core": proof.statistics.core,
                    "vertices": proof.statistics.vertices,
                    "resolutions": proof.statistics.resolutions,
                    "literals": proof.statistics.literals,
                    "depth": proof.statistics.depth,
                    "seconds": proof.time.as_secs_f64(),
                })
            });
            let entries = study
                .entries
                .iter()
                .zip(classes(study))
                .map(|(entry, class)| {
                    json!({
                        "proof": entry.proof,
                        "labelling": entry.labelling,
                        "validity": validity(entry),
                        "ands": entry.size.ands,
                        "compacted_ands": entry.compacted,
                        "simplified_ands": entry.simplified,
                        "depth": entry.size.depth,
                        "literals": entry.size.literals,
                        "support": entry.size.support,
                        "cnf": entry.size.is_cnf,
                        "density": entry.density.value,
                        "density_standard_error": entry.density.standard_error,
                        "class": class,
                        "seconds": entry.time.as_secs_f64(),
                    })
                });
            value["missing"] = json!(study.missing);
            value["shared"] = json!(study.n_shared);
            value["proofs"] = proofs.collect();
            value["interpolants"] = entries.collect();
            value["classes"] = json!(study.order.classes);
            value["covers"] = json!(study.order.covers);
            value["undecided_comparisons"] = json!(unknown(study));
        }
    }
    value
}

/// One row per interpolant, and one per run of the model checker.
pub(super) fn csv(reports: &[Report]) -> String {
    let mut text = String::from(
        "kind,file,proof,transform,labelling,validity,ands,compacted,simplified,depth,literals,support,shared,cnf,density,\
         density_standard_error,class,seconds,verdict,bounds,rounds\n",
    );
    for report in reports {
        let name = quoted(&report.name);
        if let Ok(study) = &report.study {
            for (entry, class) in study.entries.iter().zip(classes(study)) {
                let proof = &study.proofs[entry.proof];
                let error = entry.density.standard_error;
                let _ = writeln!(
                    text,
                    "interpolant,{name},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{class},{},,,",
                    quoted(&proof.source.to_string()),
                    proof.transform,
                    quoted(&entry.labelling),
                    validity(entry),
                    entry.size.ands,
                    optional(entry.compacted),
                    optional(entry.simplified),
                    entry.size.depth,
                    entry.size.literals,
                    entry.size.support,
                    study.n_shared,
                    entry.size.is_cnf,
                    entry.density.value,
                    error.map_or(String::new(), |error| error.to_string()),
                    entry.time.as_secs_f64()
                );
            }
        }
        for run in &report.runs {
            let _ = writeln!(
                text,
                "{},{name},,{},{},,{},,,{},,,,,,,,{},{},{},{}",
                run.engine,
                run.derived,
                run.system.name(),
                run.largest(),
                run.depth,
                run.time.as_secs_f64(),
                run.verdict,
                run.n_bounds(),
                run.interpolants.len()
            );
        }
    }
    text
}

/// An optional number; empty without one.
pub(super) fn optional(number: Option<usize>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}

/// A field of comma-separated values.
fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
