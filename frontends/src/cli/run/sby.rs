//! Projects of SymbiYosys (`.sby`): tasks and their tags, options, the script for yosys, and the files that it reads.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::python;
use super::task::{ALONE, Mode, Project, Status, Task};
use crate::cli::failure::Failure;
use crate::cli::input::read_file;
use crate::cli::verilog::{Clocking, Design, Frontend, Question, Script};

/// A line of the file with its number.
type Numbered<'a> = (usize, &'a str);

/// The tasks of a file, each with its tags, and those that are run if none is named.
#[derive(Debug, Default)]
struct Tasks {
    named: Vec<(String, BTreeSet<String>)>,
    default: BTreeSet<String>,
    tags: BTreeSet<String>,
}

/// The sections of a file for one task.
#[derive(Debug, Default)]
struct Sections {
    /// The lines of `[cancelledby]`, with their numbers.
    cancelled: Vec<(usize, String)>,
    options: BTreeMap<String, (usize, String)>,
    engines: Vec<(usize, Option<String>, String)>,
    script: Vec<String>,
    files: Vec<(usize, PathBuf, PathBuf)>,
    written: Vec<(usize, PathBuf, String)>,
}

/// A fault in a line.
fn fault<T>(line: usize, message: impl std::fmt::Display) -> Result<T, String> {
    Err(format!("line {line}: {message}"))
}

/// Reads a project, and makes the folders in which its scripts run.
///
/// # Errors
/// What is wrong in it or not supported, with the line.
pub(super) fn read(path: &Path, asked: &[String]) -> Result<Project, Failure> {
    let name = path.display();
    let text = String::from_utf8(read_file(path)?)
        .map_err(|_| Failure::input(format!("{name}: expected a text in UTF-8")))?;
    let wrong = |message: String| Failure::input(format!("{name}: {message}"));
    let lines = python::expand(&text, None).map_err(wrong)?;
    let tasks = tasks(&borrowed(&lines)).map_err(wrong)?;
    let empty = BTreeSet::new();
    let chosen: Vec<(&str, &BTreeSet<String>)> = match (tasks.named.is_empty(), asked) {
        (true, _) => vec![("default", &empty)],
        (false, []) => {
            let all = tasks.named.iter();
            let is_default =
                |name: &String| tasks.default.is_empty() || tasks.default.contains(name);
            all.filter(|(name, _)| is_default(name))
                .map(|(name, tags)| (name.as_str(), tags))
                .collect()
        }
        (false, asked) => {
            let all = tasks.named.iter();
            all.filter(|(name, _)| asked.contains(name))
                .map(|(name, tags)| (name.as_str(), tags))
                .collect()
        }
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut all = Vec::new();
    for (task, tags) in chosen {
        let wrong = |message: String| Failure::input(format!("{name}: task {task}: {message}"));
        let lines = python::expand(&text, Some((task, tags))).map_err(wrong)?;
        let own = own_lines(&borrowed(&lines), &tasks, tags).map_err(wrong)?;
        let sections = sections(&own).map_err(wrong)?;
        all.push(sections.task(task, folder).map_err(wrong)?);
    }
    Ok(Project {
        file: path.to_owned(),
        tasks: all,
    })
}

fn borrowed(lines: &[(usize, String)]) -> Vec<Numbered<'_>> {
    let lines = lines.iter();
    lines
        .map(|(number, line)| (*number, line.as_str()))
        .collect()
}

/// The lines of the section of tasks: names, and the tags of each.
fn tasks(lines: &[Numbered<'_>]) -> Result<Tasks, String> {
    let mut tasks = Tasks::default();
    let mut is_within = false;
    for &(number, line) in lines {
        if line.starts_with('[') {
            is_within = line.trim_end() == "[tasks]";
            continue;
        }
        if !is_within || line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        let (names, tags) = match line.split_once(':') {
            Some((names, tags)) => (words(names), words(tags)),
            None => {
                let mut all = words(line);
                let tags = all.split_off(1);
                (all, tags)
            }
        };
        let is_pattern = |word: &&String| word.contains(['(', '?', '*', '.', '[', ']', '|', ')']);
        if let Some(pattern) = names.iter().chain(&tags).find(is_pattern) {
            return fault(
                number,
                format!("patterns in names of tasks are not supported: {pattern:?}"),
            );
        }
        for name in names {
            let is_default = tags.iter().any(|tag| tag == "default");
            if is_default {
                tasks.default.insert(name.clone());
            }
            let own = tags.iter().filter(|tag| *tag != "default").cloned();
            let own: BTreeSet<String> = own.chain([name.clone()]).collect();
            tasks.tags.extend(own.iter().cloned());
            match tasks.named.iter_mut().find(|(other, _)| *other == name) {
                Some((_, tags)) => tags.extend(own),
                None => tasks.named.push((name, own)),
            }
        }
    }
    Ok(tasks)
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// The lines of the file for a task with these tags, without its section of tasks.
fn own_lines<'a>(
    lines: &[Numbered<'a>],
    tasks: &Tasks,
    tags: &BTreeSet<String>,
) -> Result<Vec<Numbered<'a>>, String> {
    let mut own = Vec::new();
    let (mut is_tasks, mut is_block, mut is_skipped) = (false, false, false);
    for &(number, line) in lines {
        if line.starts_with('[') {
            is_tasks = line.trim_end() == "[tasks]";
        }
        if is_tasks {
            continue;
        }
        if is_block && line.trim() == "--" {
            (is_block, is_skipped) = (false, false);
            continue;
        }
        let (is_tagged, is_own, rest) = untagged(line, tasks, tags);
        if !is_tagged && !tasks.tags.is_empty() {
            let first = line.split_whitespace().next().unwrap_or_default();
            if line.starts_with(first) && first.len() > 1 && first.ends_with(':') {
                return fault(number, format!("{first:?} is the tag of no task"));
            }
        }
        match (is_tagged, rest.is_empty()) {
            (true, true) => (is_block, is_skipped) = (true, !is_own),
            (true, false) if is_own && !is_skipped => own.push((number, rest)),
            (false, _) if !is_skipped => own.push((number, line)),
            _ => {}
        }
    }
    Ok(own)
}

/// Whether a line has a tag, whether it is for a task with these tags, and the line without it.
fn untagged<'a>(line: &'a str, tasks: &Tasks, tags: &BTreeSet<String>) -> (bool, bool, &'a str) {
    for tag in &tasks.tags {
        let (is_negated, rest) = match line.strip_prefix('~') {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let rest = rest.strip_prefix(tag.as_str());
        if let Some(rest) = rest.and_then(|rest| rest.strip_prefix(':')) {
            return (true, tags.contains(tag) != is_negated, rest.trim());
        }
    }
    (false, true, line)
}

/// The section that lines are in.
#[derive(Clone, Debug)]
enum Section {
    None,
    Options,
    Engines(Option<String>),
    Script,
    Files,
    File,
    Cancelled,
}

fn sections(lines: &[Numbered<'_>]) -> Result<Sections, String> {
    let mut all = Sections::default();
    let mut section = Section::None;
    for &(number, line) in lines {
        let heading = line.trim().strip_prefix('[');
        if let Some(heading) = heading.and_then(|it| it.strip_suffix(']')) {
            let mut words = heading.split_whitespace();
            let (name, argument) = (words.next().unwrap_or_default(), words.next());
            section = match (name, argument) {
                ("options", None) => Section::Options,
                ("engines", argument) => Section::Engines(argument.map(str::to_owned)),
                ("script", None) => Section::Script,
                ("files", None) => Section::Files,
                ("cancelledby", None) => Section::Cancelled,
                ("file", Some(file)) => {
                    let path = relative(number, Path::new(file))?;
                    all.written.push((number, path, String::new()));
                    Section::File
                }
                _ => return fault(number, format!("the section [{heading}] is not supported")),
            };
            continue;
        }
        all.add(&section, number, line)?;
    }
    Ok(all)
}

/// A line up to a comment.
fn without_comment(line: &str) -> &str {
    let is_comment = |at: &usize| *at == 0 || line[..*at].ends_with(char::is_whitespace);
    let end = line.match_indices('#').map(|(at, _)| at).find(is_comment);
    line[..end.unwrap_or(line.len())].trim()
}

/// A path that stays in its folder.
fn relative(number: usize, path: &Path) -> Result<PathBuf, String> {
    let is_plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    match path.components().all(is_plain) {
        true => Ok(path.to_owned()),
        false => fault(
            number,
            format!("{} is no path below a folder", path.display()),
        ),
    }
}

impl Sections {
    fn add(&mut self, section: &Section, number: usize, line: &str) -> Result<(), String> {
        let plain = without_comment(line);
        match section {
            Section::Script => self.script.push(line.to_owned()),
            Section::File => {
                if let Some((_, _, text)) = self.written.last_mut() {
                    *text += line;
                    text.push('\n');
                }
            }
            _ if plain.is_empty() => {}
            Section::None => return fault(number, format!("{plain:?} is in no section")),
            Section::Cancelled => self.cancelled.push((number, plain.to_owned())),
            Section::Options => match plain.split_once(char::is_whitespace) {
                Some((name, value)) => {
                    let value = (number, value.trim().to_owned());
                    self.options.insert(name.to_owned(), value);
                }
                None => return fault(number, format!("the option {plain:?} has no value")),
            },
            Section::Engines(mode) => {
                self.engines.push((number, mode.clone(), plain.to_owned()));
            }
            Section::Files => {
                let words: Vec<&str> = plain.split_whitespace().collect();
                let (name, source) = match words[..] {
                    [source] => {
                        let name = Path::new(source).file_name();
                        (PathBuf::from(name.unwrap_or_default()), source)
                    }
                    [name, source] => (relative(number, Path::new(name))?, source),
                    _ => return fault(number, "expected a file, or a new name and a file"),
                };
                self.files.push((number, name, PathBuf::from(source)));
            }
        }
        Ok(())
    }

    /// The value of an option, which is then no longer there.
    fn take(&mut self, name: &str) -> Option<(usize, String)> {
        self.options.remove(name)
    }

    fn number(&mut self, name: &str) -> Result<Option<usize>, String> {
        match self.take(name) {
            None => Ok(None),
            Some((line, text)) => match text.parse() {
                Ok(number) => Ok(Some(number)),
                Err(_) => fault(line, format!("`{name}`: expected a number, not {text:?}")),
            },
        }
    }

    fn switch(&mut self, name: &str) -> Result<bool, String> {
        match self.take(name) {
            None => Ok(false),
            Some((_, text)) if text == "on" => Ok(true),
            Some((_, text)) if text == "off" => Ok(false),
            Some((line, text)) => {
                fault(line, format!("`{name}`: expected on or off, not {text:?}"))
            }
        }
    }

    /// The task, with its files in a folder of their own.
    fn task(mut self, name: &str, folder: &Path) -> Result<Task, String> {
        let (line, mode) = self
            .take("mode")
            .ok_or("the option `mode` is missing: bmc, prove, live or cover")?;
        let Some(mode) = Mode::named(&mode) else {
            return fault(
                line,
                format!("the mode {mode:?} is not supported: bmc, prove, live or cover"),
            );
        };
        let depth = self.number("depth")?.unwrap_or(20);
        if depth == 0 {
            return Err("`depth` counts steps, and 0 is none".to_owned());
        }
        let timeout = self.number("timeout")?;
        let is_multiclock = self.switch("multiclock")?;
        let expect = match self.take("expect") {
            None => vec![Status::Pass],
            Some((line, text)) => {
                let all = text.split(',').map(|word| (word, Status::named(word)));
                let all: Vec<_> = all.collect();
                match all.iter().find(|(_, status)| status.is_none()) {
                    Some((word, _)) => {
                        return fault(line, format!("`expect`: {word:?} is no result"));
                    }
                    None => all.into_iter().filter_map(|(_, status)| status).collect(),
                }
            }
        };
        let notes = self.check_rest(mode)?;
        let source = self.write_files(folder)?;
        let script = source.path().join("craig_script.ys");
        let design = Design {
            files: Vec::new(),
            include: Vec::new(),
            define: Vec::new(),
            top: None,
            parameters: Vec::new(),
            black_boxes: Vec::new(),
            clocking: if is_multiclock {
                Clocking::Any
            } else {
                Clocking::All
            },
            reset: None,
            question: match mode {
                Mode::Cover => Question::Covers,
                _ => Question::Assertions,
            },
            is_strict: false,
            frontend: Frontend::Yosys,
            script: Some(Script {
                path: script,
                folder: Arc::new(source),
            }),
        };
        Ok(Task {
            name: name.to_owned(),
            mode,
            has_liveness: false,
            depth: matches!(mode, Mode::Bmc | Mode::Cover).then_some(depth),
            is_seen_later: true,
            timeout: timeout.map(|seconds| Duration::from_secs(seconds as u64)),
            alone: ALONE,
            expect,
            design,
            options: Vec::new(),
            properties: Vec::new(),
            notes,
        })
    }

    /// Refuses options and engines that would change an answer, and says which have no effect.
    fn check_rest(&mut self, mode: Mode) -> Result<Vec<String>, String> {
        // What is written beside the answer, and who looks for it.
        let without_effect = [
            "wait",
            "vcd",
            "vcd_sim",
            "fst",
            "cycle_width",
            "aigsmt",
            "tbtop",
            "make_model",
            "witrename",
            "aigfolds",
            "aigvmap",
            "aigsyms",
            "append",
            "append_assume",
            "assume_early",
        ];
        // A task ends by itself here: no result of another one ends it.
        let cancelled = self.cancelled.iter();
        let mut notes: Vec<String> = cancelled
            .map(|(line, task)| format!("line {line}: `[cancelledby]` {task} has no effect here"))
            .collect();
        if self.switch("cover_assert")? && mode == Mode::Cover {
            return Err(
                "`cover_assert on` is not supported: a task of the mode bmc decides the assertions"
                    .to_owned(),
            );
        }
        for (name, (line, value)) in &self.options {
            match without_effect.contains(&name.as_str()) {
                true => notes.push(format!("line {line}: `{name} {value}` has no effect here")),
                false => return fault(*line, format!("the option `{name}` is not supported")),
            }
        }
        for (line, _, engine) in &self.engines {
            if engine.split_whitespace().next() == Some("none") {
                return fault(*line, "the engine `none` decides nothing");
            }
        }
        Ok(notes)
    }

    /// Copies the files, and writes those that the project contains and the script.
    fn write_files(&self, folder: &Path) -> Result<tempfile::TempDir, String> {
        let place = tempfile::tempdir().map_err(|error| error.to_string())?;
        for (line, name, text) in &self.written {
            let at = |error| format!("line {line}: {}: {error}", name.display());
            let path = place.path().join(name);
            parents(&path)
                .and_then(|()| fs::write(&path, text))
                .map_err(at)?;
        }
        for (line, name, source) in &self.files {
            let source = folder.join(source);
            let at = |error| {
                format!(
                    "line {line}: {}: can't be copied: {error}",
                    source.display()
                )
            };
            copy(&source, &place.path().join(name)).map_err(at)?;
        }
        let script = self.script.join("\n") + "\n";
        fs::write(place.path().join("craig_script.ys"), script)
            .map_err(|error| error.to_string())?;
        Ok(place)
    }
}

fn parents(path: &Path) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    parents(to)?;
    if !from.is_dir() {
        return fs::copy(from, to).map(|_| ());
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[tasks]\nquick short default\nfull long\n# a comment\n\n[options]\nquick: mode bmc\nfull: mode prove\n\
        short:\ndepth 7 # steps\nexpect fail,unknown\n--\n~short: timeout 9\nvcd off\n\n[engines]\nsmtbmc z3\n\n[cancelledby]\nquick: full\n\n[script]\n\
        full: read -define LONG\nread -sv top.sv\nprep -top top\n\n[file top.sv]\nmodule top; endmodule\n";

    fn read_text(text: &str, asked: &[&str]) -> Result<Project, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.sby");
        fs::write(&path, text).unwrap();
        let asked: Vec<String> = asked.iter().map(ToString::to_string).collect();
        read(&path, &asked).map_err(|failure| failure.message().to_owned())
    }

    #[test]
    fn tags_select_lines() {
        let project = read_text(TEXT, &[]).unwrap();
        let [quick] = &project.tasks[..] else {
            panic!("{project:?}");
        };
        assert_eq!(
            (quick.mode, quick.depth, quick.timeout),
            (Mode::Bmc, Some(7), None)
        );
        assert_eq!(quick.expect, [Status::Fail, Status::Unknown]);
        let notes = [
            "line 20: `[cancelledby]` full has no effect here",
            "line 14: `vcd off` has no effect here",
        ];
        assert_eq!(quick.notes, notes);
        let script = |task: &Task| {
            let script = task.design.script.as_ref().unwrap();
            assert!(script.folder.path().join("top.sv").exists());
            fs::read_to_string(&script.path).unwrap()
        };
        assert!(!script(quick).contains("LONG"));
        let project = read_text(TEXT, &["full"]).unwrap();
        let full = &project.tasks[0];
        assert_eq!((full.mode, full.depth), (Mode::Prove, None));
        assert_eq!(full.timeout, Some(Duration::from_secs(9)));
        assert!(script(full).starts_with("read -define LONG\nread -sv top.sv\n"));
    }

    #[test]
    fn what_is_not_supported_has_its_line() {
        for (from, to, part) in [
            (
                "vcd off",
                "skip 3",
                "line 14: the option `skip` is not supported",
            ),
            ("mode bmc", "mode equiv", "line 7: the mode \"equiv\""),
            (
                "depth 7",
                "depth many",
                "line 10: `depth`: expected a number",
            ),
            ("fail,unknown", "failed", "line 11: `expect`: \"failed\""),
            ("smtbmc z3", "none", "line 17: the engine `none`"),
            (
                "[file top.sv]",
                "[file ../top.sv]",
                "line 27: ../top.sv is no path",
            ),
            ("[engines]", "[setup]", "line 16: the section [setup]"),
            ("quick short default", "quick.* short", "line 2: patterns"),
            (
                "vcd off",
                "medium: vcd off",
                "line 14: \"medium:\" is the tag of no task",
            ),
            (
                "smtbmc z3",
                "--pycode-begin--",
                "line 17: expected `--pycode-end--`",
            ),
        ] {
            let text = TEXT.replace(from, to);
            let message = read_text(&text, &[]).map(|_| ()).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }
}
