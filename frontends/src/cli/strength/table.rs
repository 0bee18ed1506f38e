//! A study as text, as JSON and as comma-separated values.

use std::fmt::Write as _;

use craig_itp::strength::{Density, Entry, Study};
use serde_json::{Value, json};

use super::Report;
use super::convergence::Run;

/// The class of equivalent interpolants that each entry belongs to, by position.
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

/// A density for people; a sampled one with its standard error.
pub(super) fn density(density: &Density) -> String {
    match density.standard_error {
        None => format!("{:.6}", density.value),
        Some(error) => format!("{:.4} \u{b1}{error:.4}", density.value),
    }
}

/// What holds between entries of one study.
pub(super) struct Checks {
    /// Proofs on which McMillan's interpolant implies the symmetric one and that the inverse.
    pub(super) ordered: usize,
    pub(super) proofs: usize,
    /// Interpolants of raised proofs that imply those of the proofs as they were, in McMillan's system.
    pub(super) raised_stronger: usize,
    pub(super) raised: usize,
    /// Interpolants in conjunctive normal form.
    pub(super) cnf: usize,
}

/// Looks at the known relations.
pub(super) fn checks(study: &Study) -> Checks {
    let find = |proof: usize, labelling: &str| {
        study
            .entries
            .iter()
            .position(|entry| entry.proof == proof && entry.labelling == labelling)
    };
    let implies = |left: Option<usize>, right: Option<usize>| {
        left.zip(right)
            .is_some_and(|(left, right)| study.order.implies[left][right] == Some(true))
    };
    let mut checks = Checks {
        ordered: 0,
        proofs: study.proofs.len(),
        raised_stronger: 0,
        raised: 0,
        cnf: study
            .entries
            .iter()
            .filter(|entry| entry.size.is_cnf)
            .count(),
    };
    for (index, proof) in study.proofs.iter().enumerate() {
        let [strong, middle, weak] =
            ["mcmillan", "symmetric", "inverse"].map(|labelling| find(index, labelling));
        checks.ordered += usize::from(implies(strong, middle) && implies(middle, weak));
        let plain = study
            .proofs
            .iter()
            .position(|other| other.seed == proof.seed && other.transform == "none");
        if let (Some(plain), "raise-local") = (plain, proof.transform.as_str()) {
            checks.raised += 1;
            checks.raised_stronger += usize::from(implies(strong, find(plain, "mcmillan")));
        }
    }
    checks
}

impl Checks {
    /// The findings in sentences.
    pub(super) fn sentences(&self, n_entries: usize) -> Vec<String> {
        let mut sentences = vec![format!(
            "McMillan's interpolant implies the symmetric one and that the inverse on {} of {} proofs.",
            self.ordered, self.proofs
        )];
        if self.raised > 0 {
            sentences.push(format!(
                "Raising gives an interpolant at least as strong (in McMillan's system) on {} of {} proofs.",
                self.raised_stronger, self.raised
            ));
        }
        sentences.push(format!(
            "{} of {n_entries} interpolants are in conjunctive normal form as constructed.",
            self.cnf
        ));
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
        "  {:<4} {:<18} {:>8} {:>11} {:>10} {:>7} {:>9}",
        "seed", "transform", "core", "resolutions", "literals", "depth", "seconds"
    );
    for proof in &study.proofs {
        let _ = writeln!(
            text,
            "  {:<4} {:<18} {:>8} {:>11} {:>10} {:>7} {:>9.3}",
            proof.seed,
            proof.transform,
            proof.core,
            proof.resolutions,
            proof.literals,
            proof.depth,
            proof.time.as_secs_f64()
        );
    }
    let _ = writeln!(
        text,
        "\n  {:<4} {:<18} {:<14} {:<9} {:>8} {:>6} {:>8} {:>7} {:<4} {:<15} {:>5} {:>9}",
        "seed",
        "transform",
        "labelling",
        "",
        "ANDs",
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
            "  {:<4} {:<18} {:<14} {:<9} {:>8} {:>6} {:>8} {:>7} {:<4} {:<15} {:>5} {:>9.3}",
            proof.seed,
            proof.transform,
            entry.labelling,
            validity(entry),
            entry.size.ands,
            entry.size.depth,
            entry.size.literals,
            entry.size.support,
            if entry.size.is_cnf { "yes" } else { "" },
            density(&entry.density),
            class,
            entry.time.as_secs_f64()
        );
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

/// How many comparisons ran out of budget.
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
            run.direction,
            run.verdict,
            run.depth,
            run.n_bounds(),
            run.interpolants.len(),
            run.largest(),
            run.time.as_secs_f64()
        );
    }
}

/// One JSON array with an object per file.
pub(super) fn json(reports: &[Report]) -> String {
    let values: Vec<Value> = reports.iter().map(json_of).collect();
    format!("{:#}\n", Value::Array(values))
}

fn json_of(report: &Report) -> Value {
    let runs = report.runs.iter().map(|run| {
        json!({
            "engine": run.engine,
            "system": run.system.name(),
            "derived": run.direction,
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
    let mut value = json!({ "file": report.name, "runs": runs.collect::<Vec<_>>() });
    match &report.study {
        Err(error) => value["error"] = json!(error),
        Ok(study) => {
            let proofs = study.proofs.iter().map(|proof| {
                json!({
                    "seed": proof.seed,
                    "transform": proof.transform,
                    "core": proof.core,
                    "vertices": proof.vertices,
                    "resolutions": proof.resolutions,
                    "literals": proof.literals,
                    "depth": proof.depth,
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

/// One row per interpolant; model checker runs are rows of their own kind.
pub(super) fn csv(reports: &[Report]) -> String {
    let mut text = String::from(
        "kind,file,seed,transform,labelling,validity,ands,depth,literals,support,shared,cnf,density,\
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
                    "interpolant,{name},{},{},{},{},{},{},{},{},{},{},{},{},{class},{},,,",
                    proof.seed,
                    proof.transform,
                    entry.labelling,
                    validity(entry),
                    entry.size.ands,
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
                "{},{name},,{},{},,{},{},,,,,,,,{},{},{},{}",
                run.engine,
                run.direction,
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

/// A field of comma-separated values.
fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
