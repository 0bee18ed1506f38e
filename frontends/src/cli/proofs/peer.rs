//! CBMC on a proof, as the kit runs it.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::question::Question;
use crate::cli::batch::process::{self, Stderr, Stdout};
use crate::cli::batch::rounded;
use crate::cli::failure::Failure;

/// What CBMC says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PeerAnswer {
    /// `safe`, `unsafe`, `unknown`, or `error` if one of its tools fails.
    pub(super) verdict: String,
    pub(super) seconds: f64,
    /// Why there is no verdict.
    pub(super) reason: Option<String>,
}

/// The tools that are run.
pub(super) const TOOLS: [&str; 3] = ["goto-cc", "goto-instrument", "cbmc"];

/// Options of goto-instrument that the question has by the same names.
const INSTRUMENTED: [&str; 2] = ["--remove-function-body", "--restrict-function-pointer"];
const OF_CONTRACTS: [&str; 3] = [
    "--enforce-contract",
    "--enforce-contract-rec",
    "--replace-call-with-contract",
];

/// Asks CBMC within a limit: compiles and links by goto-cc, changes the program by goto-instrument, and checks it.
pub(super) fn ask(
    question: &Question,
    folder: &Path,
    limit: Option<Duration>,
    signal: &AtomicBool,
) -> Result<PeerAnswer, Failure> {
    let place = tempfile::tempdir().map_err(Failure::internal)?;
    let start = Instant::now();
    let deadline = limit.map(|limit| start + limit);
    let answer = |verdict: &str, reason: Option<String>| PeerAnswer {
        verdict: verdict.to_owned(),
        seconds: rounded(start.elapsed().as_secs_f64()),
        reason,
    };
    let mut output = String::new();
    for (tool, arguments) in commands(question, place.path()) {
        let mut command = Command::new(tool);
        command.args(arguments).current_dir(folder);
        let ended = process::run_within(command, (Stdout::Kept, Stderr::Kept), signal, deadline)?;
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Ok(answer(
                "unknown",
                Some("the time limit was reached".to_owned()),
            ));
        }
        // CBMC's code for a property that fails is 10.
        if ended.code != Some(0) && (tool != "cbmc" || ended.code != Some(10)) {
            let all = ended
                .stdout
                .lines()
                .chain(ended.complaints.iter().map(String::as_str));
            let lines: Vec<&str> = all.filter(|line| !line.trim().is_empty()).collect();
            let error = lines.iter().find(|line| line.contains("error"));
            let line = error.or(lines.last()).copied().unwrap_or("no message");
            return Ok(answer("error", Some(format!("{tool}: {line}"))));
        }
        output = ended.stdout;
    }
    Ok(if output.contains("VERIFICATION SUCCESSFUL") {
        answer("safe", None)
    } else if output.contains("VERIFICATION FAILED") {
        answer("unsafe", None)
    } else {
        answer("unknown", Some("it ends without a verdict".to_owned()))
    })
}

/// The commands, one after the other.
fn commands(question: &Question, place: &Path) -> Vec<(&'static str, Vec<OsString>)> {
    let goto = |number: usize| place.join(format!("{number}.goto")).into_os_string();
    let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
    let mut compile = words(&["--export-file-local-symbols", "--function", &question.entry]);
    compile.extend(question.compile.iter().map(OsString::from));
    compile.extend(question.sources.iter().map(OsString::from));
    compile.extend([OsString::from("-o"), goto(0)]);
    let mut all = vec![("goto-cc", compile)];
    let mut number = 0;
    let mut instrument = |options: Vec<OsString>| {
        if !options.is_empty() {
            let files = [goto(number), goto(number + 1)];
            all.push((
                "goto-instrument",
                options.into_iter().chain(files).collect(),
            ));
            number += 1;
        }
    };
    let given = |option: &'static str| {
        let values = question.values(option);
        values.flat_map(move |value| [OsString::from(option), value.into()])
    };
    let mut changes: Vec<OsString> = INSTRUMENTED.into_iter().flat_map(given).collect();
    let has = |option: &str| question.options.iter().any(|it| it == option);
    if has("--nondet-static") {
        changes.push("--nondet-static".into());
    }
    instrument(changes);
    let mut contracts: Vec<OsString> = OF_CONTRACTS.into_iter().flat_map(given).collect();
    if has("--apply-loop-contracts") {
        contracts.push("--apply-loop-contracts".into());
    }
    if !contracts.is_empty() {
        contracts.splice(0..0, words(&["--dfcc", &question.entry]));
    }
    instrument(contracts);
    let mut check: Vec<OsString> = question.flags.iter().map(OsString::from).collect();
    // Bounds that a variable of its own has may not be among the flags.
    for value in question.values("--unwindset") {
        let mut given = question.flags.iter().flat_map(|flag| flag.split(','));
        if !given.any(|bound| bound == value) {
            check.extend([OsString::from("--unwindset"), value.into()]);
        }
    }
    check.push(goto(number));
    all.push(("cbmc", check));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_are_those_of_the_kit() {
        let question = Question {
            entry: "harness".into(),
            sources: vec!["h.c".into()],
            compile: vec!["-DX".into()],
            options: [
                "--bounds-check",
                "--remove-function-body",
                "f",
                "--enforce-contract",
                "g",
                "--unwindset",
                "g.0:3",
            ]
            .map(str::to_owned)
            .to_vec(),
            not_checked: Vec::new(),
            flags: vec!["--bounds-check".into()],
        };
        let commands = commands(&question, Path::new("/t"));
        let shown: Vec<String> = commands
            .iter()
            .map(|(tool, words)| format!("{tool} {}", words.join(" ".as_ref()).display()))
            .collect();
        assert_eq!(
            shown,
            [
                "goto-cc --export-file-local-symbols --function harness -DX h.c -o /t/0.goto",
                "goto-instrument --remove-function-body f /t/0.goto /t/1.goto",
                "goto-instrument --dfcc harness --enforce-contract g /t/1.goto /t/2.goto",
                "cbmc --bounds-check --unwindset g.0:3 /t/2.goto",
            ]
        );
    }
}
