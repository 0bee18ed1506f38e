//! Questions about C programs: to craig in this process, many at once, or to the command.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use craig_c::{AutomatonSearch, Checks, ContractOptions, Dialect, Engine, Options, run_text};
use craig_mc::Alone;
use craig_model::{Stop, Verdict as Found};

use super::super::shrink::caught;
use super::super::tally::Tally;
use super::native::{Folder, Printed, Unit};
use crate::answer::reason;

/// Seconds for a question to the command.
const SECONDS: &str = "5";

/// How often a search in this process may ask whether to stop: what it decides by then does not depend on the load.
const QUESTIONS: usize = 2_000;

/// What ends a search in this process that does not ask.
const TIME: Duration = Duration::from_secs(5);

/// Of how many cases one is asked of the command.
const ONE_IN: usize = 64;

/// A program whose right answer is known.
#[derive(Clone, Debug)]
pub(in crate::fuzz) struct Question {
    /// What stands before the program, and is the same in many questions; no macro of it depends on what follows.
    pub(in crate::fuzz) head: String,
    pub(in crate::fuzz) text: String,
    /// For the command.
    pub(in crate::fuzz) options: Vec<String>,
    /// The name of its kind, for counts.
    pub(in crate::fuzz) kind: String,
    pub(in crate::fuzz) is_safe: bool,
}

impl Question {
    /// The program as a file, with the command that asks about it.
    pub(in crate::fuzz) fn file(&self) -> String {
        let options = self.options.join(" ");
        format!("// craig check {options}\n{}{}", self.head, self.text)
    }
}

/// Whom a case asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fuzz) enum Door {
    /// The library, in this process.
    Library,
    /// The command.
    Command,
}

impl Door {
    /// One of both, mostly the library.
    pub(in crate::fuzz) fn any(random: &mut craig_aig::Random) -> Self {
        match random.below(ONE_IN) {
            0 => Self::Command,
            _ => Self::Library,
        }
    }
}

/// A case whose right answer gcc's code tells.
pub(in crate::fuzz) trait Native {
    /// What its program shares with others.
    fn unit(&self) -> Unit;

    /// The program that tells what is right.
    fn part(&self) -> String;

    /// What is asked, given what that program printed.
    ///
    /// # Errors
    /// The reason why nothing is asked.
    fn question(&self, printed: &Printed) -> Result<Question, String>;

    fn door(&self) -> Door;

    /// The file of a finding.
    fn file(&self) -> String {
        let asked = |folder: &Folder| {
            let parts = [self.part()];
            let printed = self.unit().executed(folder, &parts).swap_remove(0);
            self.question(&printed.map_err(|message| not_compiled(&message))?)
        };
        let folder = Folder::new().map_err(|error| error.to_string());
        match folder.and_then(|folder| asked(&folder)) {
            Ok(question) => question.file(),
            Err(reason) => format!("// {reason}\n{}", self.part()),
        }
    }
}

fn not_compiled(message: &str) -> String {
    let error = message.lines().find(|line| line.contains("error"));
    format!("left out: not compiled: {}", error.unwrap_or(message))
}

/// Groups of things with the same key, as the places of their members.
fn groups<K: PartialEq>(keys: impl Iterator<Item = K>) -> Vec<(K, Vec<usize>)> {
    let mut groups: Vec<(K, Vec<usize>)> = Vec::new();
    for (place, key) in keys.enumerate() {
        match groups.iter_mut().find(|(other, _)| *other == key) {
            Some((_, members)) => members.push(place),
            None => groups.push((key, vec![place])),
        }
    }
    groups
}

/// Judges cases; those of one unit are compiled together, and questions with one head are preprocessed together.
pub(in crate::fuzz) fn judged_together<C: Native>(
    craig: &Path,
    cases: &[&C],
    tally: &mut Tally,
) -> Vec<Result<(), String>> {
    let folder = match Folder::new() {
        Ok(folder) => folder,
        Err(error) => return vec![Err(format!("folder: {error}")); cases.len()],
    };
    let mut results = vec![Ok(()); cases.len()];
    let mut questions: Vec<(usize, Question)> = Vec::new();
    for (unit, members) in groups(cases.iter().map(|case| case.unit())) {
        let parts: Vec<String> = members.iter().map(|&place| cases[place].part()).collect();
        let printed = unit.executed(&folder, &parts);
        for (place, printed) in members.into_iter().zip(printed) {
            let printed = printed.map_err(|message| not_compiled(&message));
            match printed.and_then(|printed| cases[place].question(&printed)) {
                Ok(question) => questions.push((place, question)),
                Err(reason) => tally.count(&reason),
            }
        }
    }
    let heads = questions.iter().map(|(_, question)| question.head.clone());
    for (head, members) in groups(heads) {
        let texts: Vec<&str> = (members.iter())
            .map(|&member| questions[member].1.text.as_str())
            .collect();
        let preprocessed = preprocessed(&folder, &head, &texts);
        for (at, member) in members.into_iter().enumerate() {
            let (place, question) = &questions[member];
            results[*place] = caught(|| {
                let verdict = match (cases[*place].door(), &preprocessed) {
                    (Door::Command, _) => asked(craig, &folder, question)
                        .map_err(|error| format!("craig: {error}"))?,
                    (Door::Library, Ok(texts)) => answered(&texts[at], &question.options)?,
                    (Door::Library, Err(message)) => return Err(message.clone()),
                };
                compared(verdict, question, tally)
            });
        }
    }
    results
}

/// What `craig` says of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    Safe,
    Unsafe,
    /// With the reason.
    Unknown(String),
    /// None, with what it says instead.
    Failed(String),
}

/// Asks the command.
fn asked(craig: &Path, folder: &Folder, question: &Question) -> io::Result<Verdict> {
    let file = folder.file("question.c");
    fs::write(&file, question.file())?;
    let output = Command::new(craig)
        .args(["check", "--quiet", "--timeout", SECONDS])
        .args(&question.options)
        .arg(&file)
        .stdin(Stdio::null())
        .output()?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().next().unwrap_or_default();
    Ok(match output.status.code() {
        Some(20) => Verdict::Safe,
        Some(10) => Verdict::Unsafe,
        Some(30) => Verdict::Unknown(reason(line).to_owned()),
        code => Verdict::Failed(format!("exit code {code:?}: {line}")),
    })
}

/// What the library says of a preprocessed text.
fn answered(text: &str, options: &[String]) -> Result<Verdict, String> {
    let mut options = library_options(options)?;
    let deadline = Instant::now() + TIME;
    options.deadline = Some(deadline);
    let stop = Stop::after_questions(QUESTIONS).with_deadline(deadline);
    let own = Alone::until(stop);
    Ok(
        match run_text(text, "question.c", &options, own.control()) {
            Ok(report) => match report.answer {
                Found::Safe(_) => Verdict::Safe,
                Found::Unsafe(_) => Verdict::Unsafe,
                Found::Unknown(reason) => {
                    Verdict::Unknown(self::reason(&reason.to_string()).to_owned())
                }
            },
            Err(failure) => Verdict::Failed(failure.to_string()),
        },
    )
}

/// The options of the command that questions have, for the library.
///
/// # Errors
/// If one is none of these.
fn library_options(options: &[String]) -> Result<Options, String> {
    let mut found = Options {
        search: AutomatonSearch::portfolio(1),
        ..Options::default()
    };
    let mut contracts = ContractOptions::default();
    let mut rest = options.iter().map(String::as_str);
    while let Some(option) = rest.next() {
        if option == "--apply-loop-contracts" {
            contracts.of_loops = true;
            continue;
        }
        let value = rest.next().ok_or("options: one has no value")?;
        match (option, value) {
            ("--check", list) => found.checks = checks(list)?,
            ("--c-engine", "unwind") => found.engine = Engine::Unwind,
            ("--c-engine", "paths") => found.engine = Engine::Paths,
            ("--c-engine", "model") => found.engine = Engine::Model,
            ("--function", name) => name.clone_into(&mut found.entry),
            ("--dialect", "cbmc") => found.cbmc.dialect = Dialect::Cbmc,
            ("--enforce-contract", name) => contracts.enforced.push(name.to_owned()),
            ("--replace-call-with-contract", name) => contracts.replaced.push(name.to_owned()),
            _ => return Err(format!("options: {option} {value} is not known here")),
        }
    }
    found.cbmc.contracts = contracts;
    Ok(found)
}

fn checks(list: &str) -> Result<Checks, String> {
    let mut checks = Checks::default();
    for name in list.split(',') {
        match name {
            "overflow" => checks.overflow = true,
            "div" => checks.division = true,
            "shift" => checks.shift = true,
            "bounds" => checks.bounds = true,
            "pointer" => (checks.pointer, checks.difference) = (true, true),
            "overlap" => checks.overlap = true,
            _ => return Err(format!("options: --check {name} is not known here")),
        }
    }
    Ok(checks)
}

/// What stands alone on the line before each text.
const MARK: &str = "craig_fuzz_part_";

/// The texts, each behind the head, as the preprocessor leaves them.
fn preprocessed(folder: &Folder, head: &str, texts: &[&str]) -> Result<Vec<String>, String> {
    let mut all = format!("{head}\n");
    for (number, text) in texts.iter().enumerate() {
        all.push_str(&format!(
            "{MARK}{number}\n# 1 \"question-{number}.c\"\n{text}\n"
        ));
    }
    let file: PathBuf = folder.file("questions.c");
    let run = || -> io::Result<_> {
        fs::write(&file, &all)?;
        Command::new("cc")
            .args(["-E", "-D__CRAIG__", "-w", "-m64"])
            .arg(&file)
            .stdin(Stdio::null())
            .output()
    };
    let output = run().map_err(|error| format!("cc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut parts = text.split(MARK);
    let head = parts.next().unwrap_or_default();
    // The number of the text is the rest of its line.
    let texts_found: Option<Vec<String>> = parts
        .map(|part| Some(format!("{head}{}", part.split_once('\n')?.1)))
        .collect();
    match texts_found {
        Some(found) if output.status.success() && found.len() == texts.len() => Ok(found),
        _ => {
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            Err(format!(
                "cc: {}",
                message.lines().next().unwrap_or_default()
            ))
        }
    }
}

/// A reason as a name for a count.
fn without_digits(reason: &str) -> String {
    reason.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// Compares an answer with the right one, and counts it.
fn compared(verdict: Verdict, question: &Question, tally: &mut Tally) -> Result<(), String> {
    let kind = &question.kind;
    match (verdict, question.is_safe) {
        (Verdict::Safe, true) | (Verdict::Unsafe, false) => {
            tally.count(&format!("{kind}: decided"));
        }
        (Verdict::Unknown(reason), _) => {
            tally.count(&format!("{kind}: not decided"));
            tally.count(&format!("unknown: {}", without_digits(&reason)));
        }
        (Verdict::Failed(text), _) => return Err(format!("failed: {text}")),
        (verdict, _) => {
            let options = question.options.join(" ");
            return Err(format!("{kind} {verdict:?}: with {options}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_command_are_those_of_the_library() {
        let of = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            library_options(&words)
        };
        let options = of("--check overflow,pointer --c-engine unwind").unwrap();
        assert!(options.checks.overflow && options.checks.difference && !options.checks.shift);
        assert_eq!(options.engine, Engine::Unwind);
        let options = of("--dialect cbmc --function f --apply-loop-contracts").unwrap();
        assert!(options.cbmc.contracts.of_loops && options.entry == "f");
        assert_eq!(options.cbmc.dialect, Dialect::Cbmc);
        for wrong in ["--check leak", "--unwind 3", "--check"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn texts_are_preprocessed_together_and_answered_one_by_one() {
        if Command::new("cc").arg("--version").output().is_err() {
            return;
        }
        let folder = Folder::new().unwrap();
        let head = "#include <limits.h>\nextern void reach_error(void);\n";
        let texts = [
            "#define N 3\nint main(void) { if (N == 3 && INT_MAX < 0) reach_error(); return 0; }",
            "#define N 4\nint main(void) { if (N == 4) reach_error(); return 0; }",
        ];
        let all = preprocessed(&folder, head, &texts).unwrap();
        let verdicts = [0, 1].map(|number: usize| answered(&all[number], &[]));
        assert_eq!(verdicts, [Ok(Verdict::Safe), Ok(Verdict::Unsafe)]);
        assert!(matches!(
            answered("int main(void) {", &[]),
            Ok(Verdict::Failed(_) | Verdict::Unknown(_))
        ));
    }
}
