//! What `craig check` prints.

use std::path::PathBuf;

use serde::Serialize;

use super::engines::Judgement;
use super::print;
use super::watch::peak_resident_bytes;

/// The answer for one property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Answer {
    Safe,
    Unsafe,
    Unknown,
    /// An engine's claim that its own evidence does not support.
    Failed,
}

impl Answer {
    fn word(self) -> &'static str {
        match self {
            Self::Safe => "SAFE",
            Self::Unsafe => "UNSAFE",
            Self::Unknown => "UNKNOWN",
            Self::Failed => "FAILED",
        }
    }
}

/// What is known of one property.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PropertyReport {
    /// Its number among the circuit's bads.
    pub(super) property: usize,
    /// Its name.
    pub(super) name: String,
    pub(super) verdict: Answer,
    /// Why it is unknown or has failed.
    pub(super) reason: Option<String>,
    pub(super) engine: &'static str,
    pub(super) depth: usize,
    pub(super) seconds: f64,
    /// Whether the evidence was judged; if so, it holds.
    pub(super) certified: bool,
    /// How long that took.
    pub(super) certify_seconds: Option<f64>,
    /// Where the evidence was written.
    pub(super) witness: Option<PathBuf>,
}

impl PropertyReport {
    /// Enters how the evidence was judged.
    pub(super) fn judge(&mut self, judgement: Judgement) {
        match judgement {
            Judgement::None => {}
            Judgement::Valid(seconds) => {
                self.certified = true;
                self.certify_seconds = Some(seconds);
            }
            Judgement::Invalid(reason) => {
                self.reason = Some(format!(
                    "the evidence for {} does not hold: {reason}",
                    self.verdict.word()
                ));
                self.verdict = Answer::Failed;
            }
        }
    }

    /// The verdict line, and unless `is_quiet` a line of details.
    fn describe(&self, is_alone: bool, is_quiet: bool) -> String {
        let mut text = self.verdict.word().to_owned();
        if !is_alone {
            text += &format!(" b{}", self.property);
            if self.name != format!("b{}", self.property) {
                text += &format!(" ({})", self.name);
            }
        }
        if let Some(reason) = &self.reason {
            text += &format!(": {reason}");
        }
        text.push('\n');
        if !is_quiet {
            text += &format!(
                "  engine {}, depth {}, {:.2} s",
                self.engine, self.depth, self.seconds
            );
            if let Some(seconds) = self.certify_seconds {
                text += &format!("; certified in {seconds:.2} s");
            }
            if let Some(path) = &self.witness {
                text += &format!("; witness in {}", path.display());
            }
            text.push('\n');
        }
        text
    }
}

/// Everything in one object: the schema of `--json`.
#[derive(Debug, Serialize)]
struct Summary<'a> {
    file: &'a str,
    verdict: Answer,
    exit_code: u8,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
    properties: &'a [PropertyReport],
}

/// Collects the reports, and prints them as they come.
#[derive(Debug)]
pub(super) struct Reporter {
    file: String,
    is_json: bool,
    is_quiet: bool,
    /// How many properties there will be.
    expected: usize,
    reports: Vec<PropertyReport>,
}

impl Reporter {
    pub(super) fn new(file: String, is_json: bool, is_quiet: bool, expected: usize) -> Self {
        Self {
            file,
            is_json,
            is_quiet,
            expected,
            reports: Vec::new(),
        }
    }

    pub(super) fn is_reported(&self, property: usize) -> bool {
        self.reports
            .iter()
            .any(|report| report.property == property)
    }

    pub(super) fn report(&mut self, report: PropertyReport) {
        if !self.is_json {
            print(&report.describe(self.expected == 1, self.is_quiet));
        }
        self.reports.push(report);
    }

    /// Unsafe if any property is, safe if all are.
    fn answer(&self) -> Answer {
        let has = |answer| self.reports.iter().any(|report| report.verdict == answer);
        if has(Answer::Failed) {
            Answer::Failed
        } else if has(Answer::Unsafe) {
            Answer::Unsafe
        } else if has(Answer::Unknown) {
            Answer::Unknown
        } else {
            Answer::Safe
        }
    }

    /// Prints the summary; returns the exit code.
    pub(super) fn finish(&self, seconds: f64) -> u8 {
        let answer = self.answer();
        let exit_code = match answer {
            Answer::Failed => 1,
            Answer::Unsafe => 10,
            Answer::Safe => 20,
            Answer::Unknown => 30,
        };
        if self.is_json {
            let summary = Summary {
                file: &self.file,
                verdict: answer,
                exit_code,
                seconds,
                peak_memory_bytes: peak_resident_bytes(),
                properties: &self.reports,
            };
            let text =
                serde_json::to_string_pretty(&summary).expect("a summary has only string keys");
            print(&format!("{text}\n"));
        } else if !self.is_quiet {
            let mut text = String::new();
            if self.expected > 1 {
                let count = |answer| {
                    self.reports
                        .iter()
                        .filter(|report| report.verdict == answer)
                        .count()
                };
                text += &format!(
                    "{} properties: {} safe, {} unsafe, {} unknown",
                    self.expected,
                    count(Answer::Safe),
                    count(Answer::Unsafe),
                    count(Answer::Unknown)
                );
                if count(Answer::Failed) > 0 {
                    text += &format!(", {} failed", count(Answer::Failed));
                }
                text += "; ";
            } else {
                text += "  ";
            }
            text += &format!("{seconds:.2} s in all");
            if let Some(bytes) = peak_resident_bytes() {
                text += &format!(", at most {} MB", bytes.div_ceil(1 << 20));
            }
            print(&format!("{text}\n"));
        }
        exit_code
    }
}
