//! The results of gcc's code, compared with the answers of `craig`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use craig_bench::answer::reason;
use fastrand::Rng;

use super::exhaustive::Outcome;
use super::program::Program;
use super::{branches, exhaustive};

/// The inputs of the program in a query to `craig`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Inputs {
    /// Constants in the source: the values of a run.
    Constant,
    /// Unknown, and assumed to have one value.
    Assumed,
    /// Unknown; the error depends on them.
    Free,
    /// Unknown, of few values; the result is compared with a table of the results for all of them.
    Table,
    /// Unknown, of few values; the errors are at sites that no values lead to, or at one that some lead to.
    Sites,
}

/// What decides a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Engine {
    /// Unrolled symbolic execution
    Unwind,
    /// Symbolic execution path by path
    Paths,
    /// The circuit engines on the single-loop program
    SingleLoop,
    /// k-induction on the single-loop program
    Kind,
    /// Impact with large blocks
    Impact,
    /// Impact with basic blocks
    ImpactBasic,
    /// Impact with interpolants over words
    ImpactWords,
    /// Predicate abstraction
    Predabs,
    /// R-, S- and E-interpolants
    Rse,
    /// Lazy annotation
    Annotate,
    /// Lazy annotation with interpolants over words
    AnnotateWords,
}

impl Engine {
    /// Those that the frontend's own portfolio consists of.
    pub(crate) const DEFAULT: [Self; 3] = [Self::Unwind, Self::Paths, Self::SingleLoop];

    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Unwind => &["--c-engine", "unwind"],
            Self::Paths => &["--c-engine", "paths"],
            Self::SingleLoop => &["--c-engine", "model"],
            Self::Kind => &["--engine", "kind"],
            Self::Impact => &["--engine", "impact"],
            Self::ImpactBasic => &["--engine", "impact", "--blocks", "basic"],
            Self::ImpactWords => &["--engine", "impact", "--labels", "words"],
            Self::Predabs => &["--engine", "predabs"],
            Self::Rse => &["--engine", "rse"],
            Self::Annotate => &["--engine", "annotate"],
            Self::AnnotateWords => &["--engine", "annotate", "--labels", "words"],
        }
    }
}

/// One query to `craig` about a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Question {
    pub(crate) inputs: Inputs,
    pub(crate) engine: Engine,
    /// Whether the error can be reached.
    pub(crate) is_unsafe: bool,
}

impl Question {
    /// Those about the values of a few runs.
    pub(crate) fn sampled(engines: &[Engine]) -> Vec<Self> {
        Self::about(&[Inputs::Constant, Inputs::Assumed, Inputs::Free], engines)
    }

    /// Those about all runs of a program of branches.
    pub(crate) fn exhaustive(engines: &[Engine]) -> Vec<Self> {
        Self::about(&[Inputs::Table, Inputs::Sites], engines)
    }

    fn about(inputs: &[Inputs], engines: &[Engine]) -> Vec<Self> {
        let mut questions = Vec::new();
        for &inputs in inputs {
            for &engine in engines {
                for is_unsafe in [false, true] {
                    questions.push(Self {
                        inputs,
                        engine,
                        is_unsafe,
                    });
                }
            }
        }
        questions
    }
}

/// Inputs, one number each, and what the program computes from them.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    inputs: Vec<u64>,
    result: u64,
}

/// The answer of `craig`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Right,
    /// Undecided, with the reason reported by `craig`.
    Unknown(String),
    /// A verdict that contradicts gcc's code, a rejected program, or an internal failure.
    Wrong(String),
}

/// A folder for the files of one worker, and the `craig` command.
pub(crate) struct Judge {
    folder: PathBuf,
    craig: PathBuf,
    seconds: u32,
}

const N_RUNS: usize = 3;
const NATIVE_LIMIT: Duration = Duration::from_secs(5);
const OTHERWISE: &str = "its replay ends otherwise";
const PLAIN: &[&str] = &["-O0"];
const SANITIZED: &[&str] = &[
    "-O0",
    "-fsanitize=undefined,address,float-cast-overflow",
    "-fno-sanitize-recover=all",
];

impl Judge {
    pub(crate) fn new(folder: PathBuf, craig: &Path, seconds: u32) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        Ok(Self {
            folder,
            craig: craig.into(),
            seconds,
        })
    }

    /// Compiles a program, once without and once with the sanitizers, and runs it on a few inputs. `None` if
    /// its behaviour is undefined, it does not compile, or it runs for too long.
    pub(crate) fn native(&self, program: &Program, seed: u64) -> io::Result<Option<Vec<Run>>> {
        let source = self.folder.join("native.c");
        fs::write(&source, native_source(program))?;
        let mut rng = Rng::with_seed(seed);
        let vectors: Vec<Vec<u64>> = (0..N_RUNS)
            .map(|run| {
                let value = |_| {
                    if run == 0 || rng.bool() {
                        rng.u64(..4)
                    } else {
                        rng.u64(..)
                    }
                };
                program.inputs.iter().map(value).collect()
            })
            .collect();
        let arguments: Vec<Vec<String>> = (vectors.iter())
            .map(|inputs| inputs.iter().map(u64::to_string).collect())
            .collect();
        let [plain, sanitized] =
            [PLAIN, SANITIZED].map(|options| self.results(&source, options, &arguments));
        let (plain, sanitized) = (single(plain?), single(sanitized?));
        if plain != sanitized {
            return Ok(None);
        }
        Ok(plain.map(|results| {
            vectors
                .into_iter()
                .zip(results)
                .map(|(inputs, result)| Run { inputs, result })
                .collect()
        }))
    }

    /// Compiles a program of branches and runs it on all inputs; `None` as for [`Self::native`].
    pub(crate) fn exhaust(&self, program: &branches::Program) -> io::Result<Option<Outcome>> {
        let source = self.folder.join("native.c");
        fs::write(&source, exhaustive::native_source(program))?;
        let outputs = self.results(&source, SANITIZED, &[Vec::new()])?;
        Ok(outputs.and_then(|mut outputs| Outcome::from_output(outputs.pop()?)))
    }

    /// The numbers that the program prints for each vector of arguments.
    fn results(
        &self,
        source: &Path,
        options: &[&str],
        vectors: &[Vec<String>],
    ) -> io::Result<Option<Vec<Vec<u64>>>> {
        let binary = self.folder.join("native");
        let compiled = Command::new("gcc")
            // A missing `return` is undefined, and no sanitizer detects it in C.
            .args([
                "-Werror=return-type",
                "-Werror=implicit-function-declaration",
                "-std=gnu11",
                "-fno-strict-aliasing",
                "-ffp-contract=off",
            ])
            .args(options)
            .arg(source)
            .arg("-o")
            .arg(&binary)
            .stderr(Stdio::null())
            .status()?;
        if !compiled.success() {
            return Ok(None);
        }
        let mut results = Vec::new();
        for args in vectors {
            let mut child = Command::new(&binary)
                .args(args)
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()?;
            let end = Instant::now() + NATIVE_LIMIT;
            while child.try_wait()?.is_none() {
                if Instant::now() > end {
                    child.kill()?;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            let output = child.wait_with_output()?;
            let text = String::from_utf8_lossy(&output.stdout);
            let numbers: Result<Vec<u64>, _> = text.split_whitespace().map(str::parse).collect();
            let (true, Ok(numbers)) = (output.status.success(), numbers) else {
                return Ok(None);
            };
            results.push(numbers);
        }
        Ok(Some(results))
    }

    /// Asks `craig` the question that a source stands for.
    pub(crate) fn ask(&self, text: &str, question: Question) -> io::Result<Answer> {
        let source = self.folder.join("question.c");
        fs::write(&source, text)?;
        let output = Command::new(&self.craig)
            .args(["check", "--quiet", "--timeout", &self.seconds.to_string()])
            .args(question.engine.arguments())
            .arg(&source)
            .stdin(Stdio::null())
            .output()?;
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        let line = text.lines().next().unwrap_or("").to_string();
        Ok(match (output.status.code(), question.is_unsafe) {
            (Some(20), false) | (Some(10), true) => Answer::Right,
            // The symbolic execution and the interpreter disagree.
            (Some(30), _) if line.contains(OTHERWISE) => Answer::Wrong(line),
            (Some(30), _) => Answer::Unknown(reason(&line).into()),
            (code, _) => Answer::Wrong(format!("{line} (exit code {code:?})")),
        })
    }
}

/// The one number of each output.
fn single(outputs: Option<Vec<Vec<u64>>>) -> Option<Vec<u64>> {
    let number = |numbers: Vec<u64>| match numbers[..] {
        [number] => Some(number),
        _ => None,
    };
    outputs?.into_iter().map(number).collect()
}

fn native_source(program: &Program) -> String {
    let mut main = String::new();
    for (k, (ty, _)) in program.inputs.iter().enumerate() {
        main.push_str(&format!(
            "  in{k} = ({})strtoull(argv[{}], 0, 10);\n",
            ty.name(),
            k + 1
        ));
    }
    let text = program.text();
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n{text}\
         int main(int argc, char **argv) {{\n{main}  printf(\"%llu\\n\", program());\n  return 0;\n}}\n"
    )
}

/// The program with an error that is reached for none of the runs, or for the first one.
pub(crate) fn question_source(program: &Program, runs: &[Run], question: Question) -> String {
    let first = &runs[0];
    let mut head = String::from("extern void reach_error(void);\n");
    let mut main = String::new();
    let inputs = || program.inputs.iter().enumerate().zip(&first.inputs);
    for ((k, (ty, supplier)), value) in inputs() {
        if question.inputs == Inputs::Constant {
            main.push_str(&format!("  in{k} = ({}){value}ull;\n", ty.name()));
            continue;
        }
        let supplier = supplier.trim_start_matches("_B").replace("ool", "bool");
        let declaration = format!("extern {} __VERIFIER_nondet_{supplier}(void);\n", ty.name());
        if !head.contains(&declaration) {
            head.push_str(&declaration);
        }
        main.push_str(&format!("  in{k} = __VERIFIER_nondet_{supplier}();\n"));
        if question.inputs == Inputs::Assumed {
            main.push_str(&format!(
                "  if (in{k} != ({}){value}ull) return 0;\n",
                ty.name()
            ));
        }
    }
    let op = if question.is_unsafe { "==" } else { "!=" };
    // The inputs at the time they are read: the program may not change them.
    let matches = |run: &Run| {
        let mut text = String::new();
        for (k, ((ty, _), value)) in program.inputs.iter().zip(&run.inputs).enumerate() {
            text.push_str(&format!("in{k} == ({}){value}ull && ", ty.name()));
        }
        format!("({text}result {op} {}ull)", run.result)
    };
    let error = match (question.inputs, question.is_unsafe) {
        (Inputs::Free, false) => runs
            .iter()
            .map(matches)
            .collect::<Vec<_>>()
            .join("\n    || "),
        (Inputs::Free, true) => matches(first),
        _ => format!("result {op} {}ull", first.result),
    };
    let text = program.text();
    format!(
        "{head}{text}int main(void) {{\n{main}  unsigned long long result = program();\n  \
         if ({error}) reach_error();\n  return 0;\n}}\n"
    )
}
