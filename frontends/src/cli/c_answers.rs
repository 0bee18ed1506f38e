//! What `craig check FILE.c` prints and writes once there is a verdict.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::Failure;
use super::check::numbered;
use super::convert::encoding_of;
use super::output::write_file;
use craig_c::{self as c, Answer, Evidence, Native, Options, PathStep, Report, Safety, Task};
use craig_formula::write_lrat;
use craig_hardware::aiger::{self, AigerModel, Encoding};
use craig_hardware::witness::write_certificate;

/// How long the compiler and the compiled program may take, each.
const NATIVE_LIMIT: Duration = Duration::from_secs(20);

/// A verdict.
pub(super) struct Finding {
    /// File, line and meaning of the property, if it is one of several.
    pub(super) place: Option<(String, u32, String)>,
    pub(super) report: Report,
    pub(super) seconds: f64,
    pub(super) native: Option<Native>,
}

/// What is wanted beside the verdict.
pub(super) struct Asked<'a> {
    pub(super) file: &'a Path,
    pub(super) options: &'a Options,
    pub(super) witness: Option<&'a Path>,
    pub(super) replay_native: bool,
    pub(super) test_driver: Option<&'a Path>,
    pub(super) test_suite: Option<&'a Path>,
    pub(super) model: Option<&'a Path>,
    pub(super) cnf: Option<&'a Path>,
    pub(super) proof: Option<&'a Path>,
}

/// What is printed as JSON for one verdict.
#[derive(Serialize)]
struct Json<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    property: Option<JsonProperty<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    verdict: &'static str,
    engine: &'static str,
    seconds: f64,
    evidence: Option<&'a str>,
    reason: Option<&'a str>,
    error: Option<&'a str>,
    path: Vec<JsonStep<'a>>,
    native: Option<JsonNative<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct JsonProperty<'a> {
    file: &'a str,
    line: u32,
    text: &'a str,
}

#[derive(Serialize)]
struct JsonNative<'a> {
    reproduced: bool,
    text: &'a str,
}

#[derive(Serialize)]
struct JsonStep<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    function: &'a str,
    text: &'a str,
    source: Option<&'a str>,
    input: bool,
    value: Option<&'a str>,
}

/// What is printed as JSON for several properties.
#[derive(Serialize)]
struct JsonAll<'a> {
    file: String,
    seconds: f64,
    properties: Vec<Json<'a>>,
}

fn written(path: &Path, text: &str) -> Result<(), Failure> {
    write_file(path, |output| output.write_all(text.as_bytes()))
}

impl Asked<'_> {
    /// Writes what is wanted. The notes say of what there is none, and why.
    pub(super) fn answer(&self, findings: &mut [Finding]) -> Result<Vec<String>, Failure> {
        let mut notes = Vec::new();
        let is_one_of_several = findings.len() > 1;
        let mut n_tests = 0;
        for (index, finding) in findings.iter_mut().enumerate() {
            let name = |path: &Path| {
                if is_one_of_several {
                    numbered(path, index)
                } else {
                    path.to_owned()
                }
            };
            let nothing = |what: &str, path: &Path, why: &str| {
                format!("{}: not written: {what} {why}", path.display())
            };
            match &finding.report.answer {
                Answer::Unknown { .. } => {}
                Answer::Safe(safety) => {
                    if let Some(path) = self.witness {
                        notes.extend(self.write_safety(&name(path), safety)?);
                    }
                    notes.extend(self.write_evidence(&name, safety)?);
                    for path in [self.test_driver, self.test_suite].into_iter().flatten() {
                        notes.push(nothing("the program is safe,", path, "there is no error"));
                    }
                }
                Answer::Unsafe { error, path } => {
                    if let Some(file) = self.witness {
                        let task = self.task(error)?;
                        written(&name(file), &c::violation_witness(&task, path))?;
                    }
                    for file in [self.model, self.cnf, self.proof].into_iter().flatten() {
                        notes.push(nothing("the program is unsafe,", file, "there is no proof"));
                    }
                    if let Some(directory) = self.test_suite {
                        n_tests += 1;
                        self.write_test(directory, n_tests, error, path)?;
                    }
                    if self.test_driver.is_some() || self.replay_native {
                        match c::driver(self.file, self.options, &finding.report) {
                            Ok(driver) => {
                                if let Some(file) = self.test_driver {
                                    written(&name(file), &driver.text)?;
                                }
                                if self.replay_native {
                                    let native = c::replay_natively(&driver, NATIVE_LIMIT);
                                    finding.native = Some(native);
                                }
                            }
                            Err(reason) => {
                                if let Some(file) = self.test_driver {
                                    notes.push(nothing("no driver,", file, &reason));
                                }
                                if self.replay_native {
                                    finding.native = Some(Native::Not(reason));
                                }
                            }
                        }
                    }
                }
            }
        }
        Ok(notes)
    }

    fn task(&self, error: &str) -> Result<Task, Failure> {
        let entry = &self.options.entry;
        let specification = c::specification(error, entry);
        Task::new(self.file, &specification, self.options.model, entry).map_err(Failure::Input)
    }

    fn write_test(
        &self,
        directory: &Path,
        number: usize,
        error: &str,
        path: &[PathStep],
    ) -> Result<(), Failure> {
        std::fs::create_dir_all(directory).map_err(|error| {
            Failure::input(format!("{}: can't be made: {error}", directory.display()))
        })?;
        let metadata = c::test_metadata(&self.task(error)?);
        written(&directory.join("metadata.xml"), &metadata)?;
        let name = format!("testcase-{number}.xml");
        written(&directory.join(name), &c::test_case(path))
    }

    /// A witness that the program is safe: one for tools that read C, or one for those that read circuits.
    fn write_safety(&self, path: &Path, safety: &Safety) -> Result<Option<String>, Failure> {
        let is_circuit = path
            .extension()
            .is_some_and(|extension| extension == "aig" || extension == "aag");
        match &safety.evidence {
            Evidence::Certificate(pair, _) if is_circuit => {
                let encoding = encoding_of(path).unwrap_or(Encoding::Ascii);
                let model = AigerModel::from_model(pair.0.clone());
                write_file(path, |output| {
                    write_certificate(&pair.1, &model, encoding, output)
                })?;
            }
            _ if is_circuit => {
                return Ok(Some(format!(
                    "{}: not written: there is no transition system behind this verdict; `--c-engine model` makes \
                     one, `--cnf` and `--proof` write what there is",
                    path.display()
                )));
            }
            evidence => {
                let invariants = match evidence {
                    Evidence::Certificate(_, invariants) => invariants.as_slice(),
                    _ => &[],
                };
                written(path, &c::correctness_witness(&self.task("")?, invariants))?;
            }
        }
        Ok(None)
    }

    /// What a certificate is about, or a formula and its refutation.
    fn write_evidence(
        &self,
        name: &dyn Fn(&Path) -> std::path::PathBuf,
        safety: &Safety,
    ) -> Result<Vec<String>, Failure> {
        let mut notes = Vec::new();
        let mut missing = |path: &Path, why: &str| {
            notes.push(format!("{}: not written: {why}", path.display()));
        };
        match (&safety.evidence, self.model) {
            (Evidence::Certificate(pair, _), Some(path)) => {
                let path = name(path);
                let model = AigerModel::from_model(pair.0.clone());
                write_file(&path, |output| match encoding_of(&path) {
                    Some(Encoding::Binary) => aiger::write_binary(&model, output),
                    _ => aiger::write_ascii(&model, output),
                })?;
            }
            (_, Some(path)) => missing(
                path,
                "there is no transition system behind this verdict; `--c-engine model` makes one",
            ),
            (_, None) => {}
        }
        for (path, is_proof) in [(self.cnf, false), (self.proof, true)] {
            let Some(path) = path else { continue };
            match &safety.evidence {
                Evidence::Refutation(pair) => write_file(&name(path), |output| {
                    if is_proof {
                        write_lrat(&pair.1, &pair.0, output)
                    } else {
                        craig_formula::dimacs::write(&pair.0, output)
                    }
                })?,
                Evidence::None => missing(
                    path,
                    "the program simplifies away, there is no formula left",
                ),
                Evidence::Certificate(..) => missing(
                    path,
                    "there is no formula behind this verdict; `--c-engine unwind` makes one",
                ),
            }
        }
        Ok(notes)
    }

    /// The verdicts as JSON.
    pub(super) fn json(
        &self,
        findings: &[Finding],
        each: bool,
        seconds: f64,
    ) -> Result<String, Failure> {
        let file = self.file.display().to_string();
        if each {
            let all = JsonAll {
                file,
                seconds,
                properties: findings.iter().map(Finding::json).collect(),
            };
            return serde_json::to_string(&all).map_err(Failure::internal);
        }
        let mut json: Vec<Json<'_>> = findings.iter().map(Finding::json).collect();
        for json in &mut json {
            json.file = Some(file.clone());
        }
        serde_json::to_string(&json[0]).map_err(Failure::internal)
    }
}

impl Finding {
    fn json(&self) -> Json<'_> {
        let mut json = Json {
            property: self.place.as_ref().map(|(file, line, text)| JsonProperty {
                file,
                line: *line,
                text,
            }),
            file: None,
            verdict: "unknown",
            engine: self.report.engine,
            seconds: self.seconds,
            evidence: None,
            reason: None,
            error: None,
            path: Vec::new(),
            native: self.native.as_ref().map(|native| match native {
                Native::Reproduced(text) => JsonNative {
                    reproduced: true,
                    text,
                },
                Native::Not(text) => JsonNative {
                    reproduced: false,
                    text,
                },
            }),
            notes: &self.report.notes,
        };
        match &self.report.answer {
            Answer::Safe(safety) => {
                json.verdict = "safe";
                json.evidence = Some(&safety.text);
            }
            Answer::Unsafe { error, path } => {
                json.verdict = "unsafe";
                json.error = Some(error);
                json.path = path.iter().map(json_step).collect();
            }
            Answer::Unknown { reason } => json.reason = Some(reason),
        }
        json
    }

    /// The verdict first, then what belongs to it.
    pub(super) fn describe(&self, quiet: bool) -> String {
        let mut text = String::new();
        let (engine, seconds) = (self.report.engine, self.seconds);
        let place = self.place.as_ref().map_or_else(String::new, |place| {
            format!("{}:{}: {}; ", place.0, place.1, place.2)
        });
        // Writing to a string does not fail.
        let _ = match &self.report.answer {
            Answer::Safe(safety) => writeln!(
                text,
                "SAFE   {place}{engine} ({seconds:.2} s): {}",
                safety.text
            ),
            Answer::Unsafe { .. } if self.place.is_some() => writeln!(
                text,
                "UNSAFE {place}{engine} ({seconds:.2} s): the path was replayed"
            ),
            Answer::Unsafe { error, .. } => writeln!(
                text,
                "UNSAFE {engine} ({seconds:.2} s): {error}; the path was replayed"
            ),
            Answer::Unknown { reason } => {
                writeln!(text, "UNKNOWN {place}({seconds:.2} s): {reason}")
            }
        };
        for note in &self.report.notes {
            let _ = writeln!(text, "note: {note}");
        }
        let _ = match &self.native {
            Some(Native::Reproduced(how)) => {
                writeln!(text, "compiled and run, the program fails as well: {how}")
            }
            Some(Native::Not(why)) => {
                writeln!(text, "compiled and run, the program does not fail: {why}")
            }
            None => Ok(()),
        };
        if let Answer::Unsafe { path, .. } = &self.report.answer
            && !quiet
        {
            for step in path {
                describe_step(&mut text, step);
            }
        }
        text
    }
}

fn is_input(step: &PathStep) -> bool {
    step.chosen
        .as_ref()
        .is_some_and(|chosen| chosen.function.is_some())
}

fn json_step(step: &PathStep) -> JsonStep<'_> {
    JsonStep {
        file: &step.file,
        line: step.line,
        column: step.column,
        function: &step.function,
        text: &step.text,
        source: step.source.as_deref(),
        input: is_input(step),
        value: step.chosen.as_ref().map(|chosen| chosen.literal.as_str()),
    }
}

/// A line of a path: where it is, what happens, and the statement.
fn describe_step(text: &mut String, step: &PathStep) {
    let arrow = if is_input(step) { "<-" } else { "  " };
    let function = if step.function.is_empty() {
        String::new()
    } else {
        format!(" {}", step.function)
    };
    let what = format!(
        "{arrow} {}:{}{function}: {}",
        step.file, step.line, step.text
    );
    let _ = match &step.source {
        Some(source) if !source.is_empty() => writeln!(text, "{what:<56} | {source}"),
        _ => writeln!(text, "{what}"),
    };
}
