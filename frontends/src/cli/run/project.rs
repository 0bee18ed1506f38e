//! `craig.toml`: a project of this command. Keys of the file are defaults for its tasks, which have the keys, too.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::task::{ALONE, Mode, Project, Status, Task};
use crate::cli::failure::Failure;
use crate::cli::input::read_file;
use crate::cli::verilog::{Clocking, Design, Frontend, Question, Reset};

/// A text or a number.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Scalar {
    Text(String),
    Number(i64),
}

impl Scalar {
    fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
        }
    }
}

/// The input that is active first.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ResetKeys {
    input: String,
    active: Level,
    #[serde(default = "one")]
    cycles: u32,
}

fn one() -> u32 {
    1
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Level {
    High,
    Low,
}

/// The keys of a task.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Keys {
    top: Option<String>,
    files: Option<Vec<PathBuf>>,
    include: Option<Vec<PathBuf>>,
    defines: Option<BTreeMap<String, Scalar>>,
    parameters: Option<BTreeMap<String, Scalar>>,
    blackbox: Option<Vec<String>>,
    clock: Option<String>,
    multiclock: Option<bool>,
    reset: Option<ResetKeys>,
    strict: Option<bool>,
    frontend: Option<Frontend>,
    mode: Option<Mode>,
    depth: Option<usize>,
    timeout: Option<f64>,
    alone: Option<f64>,
    memory: Option<u64>,
    threads: Option<usize>,
    engine: Option<String>,
    options: Option<Vec<String>>,
    properties: Option<Vec<String>>,
    expect: Option<Vec<String>>,
    /// Those of the file alone.
    tasks: BTreeMap<String, Keys>,
}

impl Keys {
    /// These keys, and those of `other` where there are none.
    fn or(self, other: &Self) -> Self {
        let other = other.clone();
        let clock = self.clock.is_some() || self.multiclock.is_some();
        Self {
            top: self.top.or(other.top),
            files: self.files.or(other.files),
            include: self.include.or(other.include),
            defines: self.defines.or(other.defines),
            parameters: self.parameters.or(other.parameters),
            blackbox: self.blackbox.or(other.blackbox),
            // The two say what a step is.
            clock: self.clock.or(other.clock.filter(|_| !clock)),
            multiclock: self.multiclock.or(other.multiclock.filter(|_| !clock)),
            reset: self.reset.or(other.reset),
            strict: self.strict.or(other.strict),
            frontend: self.frontend.or(other.frontend),
            mode: self.mode.or(other.mode),
            depth: self.depth.or(other.depth),
            timeout: self.timeout.or(other.timeout),
            alone: self.alone.or(other.alone),
            memory: self.memory.or(other.memory),
            threads: self.threads.or(other.threads),
            engine: self.engine.or(other.engine),
            options: self.options.or(other.options),
            properties: self.properties.or(other.properties),
            expect: self.expect.or(other.expect),
            tasks: self.tasks,
        }
    }

    /// The task with these keys. Paths are relative to a folder.
    fn task(self, name: &str, folder: &Path) -> Result<Task, String> {
        let mode = self.mode.unwrap_or_default();
        let files = self.files.clone().unwrap_or_default();
        if files.is_empty() {
            return Err("`files` is missing: the files of the design".to_owned());
        }
        let depth = match (mode, self.depth) {
            (Mode::Bmc | Mode::Cover, depth) => depth,
            (_, None) => None,
            (_, Some(_)) => return Err("`depth` is for the modes bmc and cover".to_owned()),
        };
        if mode == Mode::Bmc && depth.is_none() {
            return Err("the mode bmc needs `depth`: the number of steps".to_owned());
        }
        if depth == Some(0) {
            return Err("`depth` counts steps, and 0 is none".to_owned());
        }
        let seconds = |name: &str, value: Option<f64>| {
            let duration = value.map(Duration::try_from_secs_f64).transpose();
            let value = value.unwrap_or_default();
            duration.map_err(|_| format!("`{name}`: {value} is no number of seconds"))
        };
        let timeout = seconds("timeout", self.timeout)?;
        let alone = seconds("alone", self.alone)?;
        if alone.is_some() && mode != Mode::Prove {
            return Err("`alone` is for the mode prove".to_owned());
        }
        let expect = self
            .expect
            .clone()
            .unwrap_or_else(|| vec!["pass".to_owned()]);
        let expect = expect.iter().map(|word| {
            Status::named(word).ok_or_else(|| {
                format!("`expect`: {word:?} is none of pass, fail, unknown, timeout and error")
            })
        });
        Ok(Task {
            name: name.to_owned(),
            mode,
            has_liveness: mode == Mode::Prove,
            depth,
            is_seen_later: false,
            timeout,
            alone: alone.unwrap_or(ALONE),
            expect: expect.collect::<Result<_, _>>()?,
            options: self.options_of_check(depth)?,
            properties: self.properties.clone().unwrap_or_default(),
            design: self.design(&files, mode, folder)?,
            notes: Vec::new(),
        })
    }

    /// What `craig check` is told.
    fn options_of_check(&self, depth: Option<usize>) -> Result<Vec<String>, String> {
        if depth.is_some() && self.engine.is_some() {
            return Err(
                "`engine` and `depth`: bounded model checking has an engine of its own".to_owned(),
            );
        }
        let mut options = Vec::new();
        let mut add = |name: &str, value: Option<String>| {
            options.extend(value.map(|value| format!("{name}={value}")));
        };
        add("--engine", self.engine.clone());
        add("--memory", self.memory.map(|it| it.to_string()));
        add("--threads", self.threads.map(|it| it.to_string()));
        options.extend(self.options.clone().unwrap_or_default());
        Ok(options)
    }

    fn design(&self, files: &[PathBuf], mode: Mode, folder: &Path) -> Result<Design, String> {
        let clocking = match (&self.clock, self.multiclock) {
            (Some(_), Some(true)) => {
                return Err(
                    "`clock` names one clock, and `multiclock` says that there are several"
                        .to_owned(),
                );
            }
            (Some(clock), _) => Clocking::Input(clock.clone()),
            (None, Some(true)) => Clocking::Any,
            (None, _) => Clocking::Only,
        };
        let of = |table: &Option<BTreeMap<String, Scalar>>| -> Vec<(String, String)> {
            let all = table.iter().flatten();
            all.map(|(name, value)| (name.clone(), value.text()))
                .collect()
        };
        let define = |(name, value): (String, String)| match value.is_empty() {
            true => name,
            false => format!("{name}={value}"),
        };
        let include = self.include.iter().flatten();
        Ok(Design {
            files: files.iter().map(|file| folder.join(file)).collect(),
            include: include
                .map(|path| folder.join(path).display().to_string())
                .collect(),
            define: of(&self.defines).into_iter().map(define).collect(),
            top: self.top.clone(),
            parameters: of(&self.parameters),
            black_boxes: self.blackbox.clone().unwrap_or_default(),
            clocking,
            reset: self.reset.as_ref().map(|reset| Reset {
                input: reset.input.clone(),
                is_high: reset.active == Level::High,
                n_cycles: reset.cycles.max(1),
            }),
            question: match mode {
                Mode::Cover => Question::Covers,
                _ => Question::Assertions,
            },
            is_strict: self.strict.unwrap_or(false),
            frontend: self.frontend.unwrap_or_default(),
            script: None,
        })
    }
}

/// Reads a project.
///
/// # Errors
/// What is wrong in it, with the line.
pub(super) fn read(path: &Path) -> Result<Project, Failure> {
    let bytes = read_file(path)?;
    let name = path.display().to_string();
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::input(format!("{name}: expected a text in UTF-8")))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let tasks =
        tasks(&text, folder).map_err(|message| Failure::input(format!("{name}: {message}")))?;
    Ok(Project {
        file: path.to_owned(),
        tasks,
    })
}

/// The tasks of a text.
fn tasks(text: &str, folder: &Path) -> Result<Vec<Task>, String> {
    let fault = |error: &toml::de::Error| {
        let message = error.message().trim().replace('\n', " ");
        match error.span() {
            Some(span) => {
                let before = text.get(..span.start).unwrap_or_default();
                format!("line {}: {message}", 1 + before.matches('\n').count())
            }
            None => message,
        }
    };
    let mut shared: Keys = toml::from_str(text).map_err(|error| fault(&error))?;
    let mut named = std::mem::take(&mut shared.tasks);
    if named.is_empty() {
        named.insert("default".to_owned(), Keys::default());
    }
    let tasks = named.into_iter().map(|(name, keys)| {
        if !keys.tasks.is_empty() {
            return Err(format!("task {name}: a task has no `tasks`"));
        }
        let task = keys.or(&shared).task(&name, folder);
        task.map_err(|message| format!("task {name}: {message}"))
    });
    tasks.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "top = \"fifo\"\nfiles = [\"a.sv\", \"b.sv\"]\ndefines = { DEPTH = 4, FAST = \"\" }\nclock = \"clk\"\n\
        timeout = 2.5\nreset = { input = \"rst_n\", active = \"low\", cycles = 2 }\n\n[tasks.all]\nengine = \"pdr\"\n\n\
        [tasks.reach]\nmode = \"cover\"\ndepth = 9\nmulticlock = true\nexpect = [\"fail\", \"unknown\"]\n";

    #[test]
    fn tasks_have_the_keys_of_the_file() {
        let tasks = tasks(TEXT, Path::new("p")).unwrap();
        let [all, reach] = &tasks[..] else {
            panic!("{tasks:?}");
        };
        assert_eq!(
            (&*all.name, all.mode, all.depth),
            ("all", Mode::Prove, None)
        );
        assert_eq!(all.design.files, [Path::new("p/a.sv"), Path::new("p/b.sv")]);
        assert_eq!(all.design.define, ["DEPTH=4", "FAST"]);
        assert_eq!(all.design.clocking, Clocking::Input("clk".to_owned()));
        assert_eq!(all.options, ["--engine=pdr"]);
        assert_eq!(all.timeout, Some(Duration::from_millis(2500)));
        assert_eq!(reach.design.clocking, Clocking::Any);
        assert_eq!(reach.design.question, Question::Covers);
        assert_eq!(
            (reach.depth, &reach.expect[..]),
            (Some(9), &[Status::Fail, Status::Unknown][..])
        );
        assert_eq!(
            reach.design.reset.as_ref().map(|reset| reset.n_cycles),
            Some(2)
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (from, to, part) in [
            ("top = \"fifo\"", "tops = \"fifo\"", "unknown field `tops`"),
            (
                "engine = \"pdr\"",
                "motor = 1",
                "line 9: unknown field `motor`",
            ),
            ("depth = 9", "depth = 0", "task reach: `depth` counts steps"),
            ("\"fail\"", "\"failed\"", "\"failed\" is none of pass"),
            ("files = [\"a.sv\", \"b.sv\"]", "", "`files` is missing"),
            ("timeout = 2.5", "timeout = -1.0", "no number of seconds"),
            ("engine = \"pdr\"", "depth = 3", "`depth` is for the modes"),
            (
                "mode = \"cover\"",
                "mode = \"equiv\"",
                "unknown variant `equiv`",
            ),
        ] {
            let message = tasks(&TEXT.replace(from, to), Path::new("")).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }
}
