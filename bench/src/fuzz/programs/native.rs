//! Runs of gcc's code: of one program, or of many that are compiled together.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder that is removed in the end.
pub(in crate::fuzz) struct Folder(PathBuf);

impl Folder {
    /// A new folder for temporary files.
    pub(in crate::fuzz) fn new() -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("craig-fuzz-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    /// The path of a file in it.
    pub(in crate::fuzz) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// What a run of a program printed, and its messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::fuzz) struct Printed {
    pub(in crate::fuzz) stdout: String,
    pub(in crate::fuzz) stderr: String,
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Compiles a program with gcc and runs it. The program limits its own time.
///
/// # Errors
/// The compiler's message if it refuses the program.
pub(in crate::fuzz) fn executed(
    folder: &Folder,
    source: &str,
    options: &[&str],
) -> Result<Printed, String> {
    let (file, program) = (folder.file("native.c"), folder.file("native"));
    let run = || -> io::Result<Result<Printed, String>> {
        fs::write(&file, source)?;
        let compiled = gcc(options)
            .args([&file, Path::new("-o"), &program, Path::new("-lm")])
            .output()?;
        if !compiled.status.success() {
            return Ok(Err(text(&compiled.stderr)));
        }
        let Output { stdout, stderr, .. } = Command::new(&program)
            .env("ASAN_OPTIONS", "detect_leaks=0:exitcode=99")
            .stdin(Stdio::null())
            .output()?;
        Ok(Ok(Printed {
            stdout: text(&stdout),
            stderr: text(&stderr),
        }))
    };
    run().unwrap_or_else(|error| Err(error.to_string()))
}

fn gcc(options: &[&str]) -> Command {
    let mut command = Command::new("gcc");
    command
        .args([
            "-std=gnu17",
            "-w",
            "-fno-strict-aliasing",
            "-ffp-contract=off",
        ])
        .args(options)
        .stdin(Stdio::null());
    command
}

/// What parts that are compiled together share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::fuzz) struct Unit {
    /// What stands before the parts.
    pub(in crate::fuzz) head: String,
    /// The names of functions and variables that each part defines for itself, without `main`.
    pub(in crate::fuzz) names: &'static [&'static str],
    /// For gcc.
    pub(in crate::fuzz) options: &'static [&'static str],
}

/// What the parts of a unit need.
const DRIVER_HEAD: &str =
    "#define _GNU_SOURCE\n#include <stdio.h>\n#include <sys/wait.h>\n#include <unistd.h>\n";

/// What stands before the output of a part, with its number behind it.
const MARK: &str = "@part ";

/// The seconds of a part, which is a process of its own.
const SECONDS_OF_PART: u32 = 60;

impl Unit {
    /// The source of some parts; each has a `main` without parameters.
    fn source(&self, parts: &[(usize, &String)]) -> String {
        let mut source = format!("{DRIVER_HEAD}{}", self.head);
        for (number, part) in parts {
            for name in self.names.iter().chain(&["main"]) {
                _ = writeln!(source, "#undef {name}\n#define {name} {name}_{number}");
            }
            _ = writeln!(source, "#line 1 \"part-{number}\"\n{part}");
        }
        for name in self.names.iter().chain(&["main"]) {
            _ = writeln!(source, "#undef {name}");
        }
        source.push_str("#line 1 \"driver\"\nint main(void) {\n  int number, status;\n");
        for (number, _) in parts {
            _ = writeln!(
                source,
                "  printf(\"{MARK}{number}\\n\"); fflush(stdout); fprintf(stderr, \"{MARK}{number}\\n\");\n  \
                 if (!fork()) {{ alarm({SECONDS_OF_PART}); int result = main_{number}(); fflush(stdout); _exit(result); }}\n  \
                 wait(&status);"
            );
        }
        source.push_str("  return 0;\n}\n");
        source
    }

    /// Compiles all parts as one program, and runs each as a process: what each printed, or the compiler's error.
    pub(in crate::fuzz) fn executed(
        &self,
        folder: &Folder,
        parts: &[String],
    ) -> Vec<Result<Printed, String>> {
        let mut results: Vec<Option<Result<Printed, String>>> = vec![None; parts.len()];
        loop {
            let left: Vec<(usize, &String)> = (parts.iter().enumerate())
                .filter(|&(number, _)| results[number].is_none())
                .collect();
            if left.is_empty() {
                break;
            }
            match executed(folder, &self.source(&left), self.options) {
                Ok(printed) => {
                    for (number, printed) in separated(&printed, parts.len()) {
                        results[number] = Some(Ok(printed));
                    }
                    // A part without a mark was never begun.
                    for result in &mut results {
                        result.get_or_insert_with(|| Err("error: not run".to_owned()));
                    }
                }
                Err(message) => {
                    let errors = errors(&message, parts.len());
                    if let ([], [(number, _)]) = (&errors[..], &left[..]) {
                        results[*number] = Some(Err(message));
                    } else if errors.is_empty() {
                        // A message that names no part, as of the linker: which part it is shows when each is alone.
                        for (number, part) in left {
                            results[number] =
                                self.executed(folder, std::slice::from_ref(part)).pop();
                        }
                    } else {
                        for (number, error) in errors {
                            results[number] = Some(Err(error));
                        }
                    }
                }
            }
        }
        let results: Option<Vec<_>> = results.into_iter().collect();
        results.expect("the loop ends when each part has a result")
    }
}

/// The outputs of the parts by their marks.
fn separated(printed: &Printed, n_parts: usize) -> Vec<(usize, Printed)> {
    let split = |text: &str| -> Vec<(usize, String)> {
        let mut found: Vec<(usize, String)> = Vec::new();
        for line in text.lines() {
            let number = line.strip_prefix(MARK).and_then(|it| it.parse().ok());
            match (number, found.last_mut()) {
                (Some(number), _) if number < n_parts => found.push((number, String::new())),
                (_, Some((_, text))) => _ = writeln!(text, "{line}"),
                (_, None) => {}
            }
        }
        found
    };
    let mut messages: Vec<String> = vec![String::new(); n_parts];
    for (number, text) in split(&printed.stderr) {
        messages[number] = text;
    }
    let outputs = split(&printed.stdout).into_iter();
    outputs
        .map(|(number, stdout)| {
            let stderr = std::mem::take(&mut messages[number]);
            (number, Printed { stdout, stderr })
        })
        .collect()
}

/// The first error of each part that the compiler names.
fn errors(message: &str, n_parts: usize) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for line in message.lines().filter(|line| line.contains("error: ")) {
        let number = line.strip_prefix("part-").and_then(|rest| {
            let (number, _) = rest.split_once(':')?;
            number
                .parse::<usize>()
                .ok()
                .filter(|&number| number < n_parts)
        });
        let Some(number) = number else { continue };
        if found.iter().all(|&(other, _)| other != number) {
            let error = line.split_once("error: ").map_or(line, |(_, error)| error);
            found.push((number, format!("error: {error}")));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_compiled_together_and_told_apart() {
        if Command::new("gcc").arg("--version").output().is_err() {
            return;
        }
        let unit = Unit {
            head: "static int shared;\nextern int missing(void);\n".to_owned(),
            names: &["own"],
            options: &["-O0"],
        };
        let part = |text: &str| format!("static int own;\nint main(void) {{ {text} }}\n");
        let parts = [
            part("printf(\"%d\\n\", ++own + ++shared); return 0;"),
            part("printf(\"%d\\n\", own + nothing); return 0;"),
            part("fprintf(stderr, \"told\\n\"); printf(\"begun\\n\"); fflush(stdout); _exit(3);"),
            part("return missing();"),
            part("own = 5; printf(\"%d\\n\", own + ++shared); return 0;"),
        ];
        let results = unit.executed(&Folder::new().unwrap(), &parts);
        let output = |number: usize| results[number].as_ref().unwrap().stdout.as_str();
        assert_eq!([output(0), output(2), output(4)], ["2\n", "begun\n", "6\n"]);
        assert_eq!(results[2].as_ref().unwrap().stderr, "told\n");
        assert_eq!(results[0].as_ref().unwrap().stderr, "");
        let message = |number: usize| results[number].as_ref().unwrap_err().as_str();
        assert!(
            message(1).starts_with("error: ") && message(1).contains("nothing"),
            "{}",
            message(1)
        );
        assert!(message(3).contains("missing"), "{}", message(3));
    }
}
