//! Tests run on the machine under `gcov`, which counts the lines that they execute.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;

use crate::native::{Directory, run};
use crate::test_driver::TestDriver;

/// How often each line was executed, by file and number.
pub type LineCounts = BTreeMap<(String, u32), u64>;

/// The name of the part of a driver that defines the functions of the environment.
const DRIVER: &str = "driver";

/// Lets variables without a value be 0.
const ZERO: &str = "-ftrivial-auto-var-init=zero";

/// The number of the signal by which `abort` ends a program: its counters are written before.
const ABORTED: i32 = 6;

/// Compiles the driver of a test with `gcc --coverage` in a directory of its own, runs it there, and reads what
/// `gcov` counted for the lines of `file` and of those that its line markers name. Each of the three has this time
/// limit.
///
/// # Errors
/// If one of them is missing or fails; the message says which.
pub fn lines_executed(
    driver: &TestDriver,
    file: &Path,
    limit: Duration,
) -> Result<LineCounts, String> {
    let directory = Directory::new()?;
    let place = directory.path();
    let source = place.join("driver.c");
    let absolute = (file.canonicalize()).map_err(|error| format!("{}: {error}", file.display()))?;
    let text = counted(&driver.text, file, &absolute);
    std::fs::write(&source, text).map_err(|error| format!("no driver: {error}"))?;
    let mut compiler = Command::new("gcc");
    compiler
        .current_dir(place)
        .args(["--coverage", "-O0", "-c"]);
    // The driver's directories are relative to ours.
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    for flag in &driver.compilation.flags {
        match flag.strip_prefix("-I") {
            Some(path) => compiler.arg(format!("-I{}", here.join(path).display())),
            None => compiler.arg(flag),
        };
    }
    compiler.args(["-o", "driver.o", "driver.c"]);
    // Variables without a value are 0 in most tests. Compilers before gcc 12 can't do that.
    compiler.arg(ZERO);
    let (mut status, mut output) =
        run(&mut compiler, limit).map_err(|error| format!("`gcc`: {error}"))?;
    if !status.success() && output.contains(ZERO) {
        let own: Vec<OsString> = (compiler.get_args())
            .filter(|&argument| argument != ZERO)
            .map(OsString::from)
            .collect();
        let mut compiler = Command::new("gcc");
        compiler.current_dir(place).args(own);
        (status, output) = run(&mut compiler, limit).map_err(|error| format!("`gcc`: {error}"))?;
    }
    if !status.success() {
        let mut lines = output.lines();
        let first = lines.find(|line| line.contains("error"));
        let message = first.unwrap_or("no message");
        return Err(format!("`gcc` does not compile it: {message}"));
    }
    keep_apart(place, limit)?;
    let mut linker = Command::new("gcc");
    linker
        .current_dir(place)
        .args(["--coverage", "-Wl,--wrap=abort", "-o", "driver"]);
    linker.args(
        driver
            .compilation
            .flags
            .iter()
            .filter(|flag| flag.starts_with("-m") || flag.starts_with("-Wl,")),
    );
    linker.args(["driver.o", "-lm"]);
    let (status, output) = run(&mut linker, limit).map_err(|error| format!("`gcc`: {error}"))?;
    if !status.success() {
        let mut lines = output.lines();
        let first = lines.find(|line| line.contains("undefined"));
        let message = first.unwrap_or("no message");
        return Err(format!("`gcc` does not link it: {message}"));
    }
    // Deep recursion needs more than the usual stack.
    let mut command = Command::new("sh");
    let script = "ulimit -s unlimited 2> /dev/null; exec ./driver";
    command.current_dir(place).args(["-c", script]);
    let (status, _) =
        run(&mut command, limit).map_err(|error| format!("the compiled program: {error}"))?;
    if let Some(signal) = status.signal().filter(|&signal| signal != ABORTED) {
        return Err(format!(
            "the compiled program ends with signal {signal}, which leaves no counts"
        ));
    }
    // The text format leaves out lines of files that are not found.
    let mut gcov = Command::new("sh");
    let script = "exec gcov --preserve-paths --json-format --stdout driver.c > counts.json";
    gcov.current_dir(place).args(["-c", script]);
    let (status, _) = run(&mut gcov, limit).map_err(|error| format!("`gcov`: {error}"))?;
    if !status.success() {
        return Err(format!("`gcov` ends with {status}"));
    }
    let text = std::fs::read(place.join("counts.json")).map_err(|error| error.to_string())?;
    let absolute = absolute.display().to_string();
    let counts = counted_lines(&text, (&absolute, &file.display().to_string()))?;
    match counts.is_empty() {
        true => Err("`gcov` has no lines".into()),
        false => Ok(counts),
    }
}

/// Gives the functions of the driver's object file other names, so that a `malloc` of the program, say, is not that of
/// the libraries as well: they count nothing if it does not do what the standard says.
fn keep_apart(place: &Path, limit: Duration) -> Result<(), String> {
    let mut list = Command::new("nm");
    let list = list.current_dir(place);
    let list = list.args(["--defined-only", "--format=posix", "driver.o"]);
    let (status, symbols) = run(list, limit).map_err(|error| format!("`nm`: {error}"))?;
    if !status.success() {
        return Err(format!("`nm` ends with {status}"));
    }
    let names: String = (symbols.lines())
        .filter_map(|line| {
            let mut words = line.split_ascii_whitespace();
            let (name, kind) = (words.next()?, words.next()?);
            let is_own = name != "main" && !name.starts_with("__wrap_");
            (is_own && ["T", "W"].contains(&kind)).then(|| format!("{name} program_{name}\n"))
        })
        .collect();
    std::fs::write(place.join("names"), names).map_err(|error| error.to_string())?;
    let mut rename = Command::new("objcopy");
    let rename = rename.current_dir(place);
    let rename = rename.args(["--redefine-syms=names", "driver.o"]);
    let (status, _) = run(rename, limit).map_err(|error| format!("`objcopy`: {error}"))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("`objcopy` ends with {status}")),
    }
}

/// The driver's text, which names the program's file by its absolute path, and has what stands in for `abort`: it
/// writes the counters first, which happens on normal ends only.
fn counted(text: &str, file: &Path, absolute: &Path) -> String {
    let line = |path: &Path| format!("#line 1 \"{}\"\n", path.display());
    let text = text.replacen(&line(file), &line(absolute), 1);
    format!(
        "{text}\nextern void __gcov_dump(void);\nextern void __real_abort(void);\nvoid __wrap_abort(void)\n{{\n  \
         __gcov_dump();\n  __real_abort();\n}}\n"
    )
}

/// A report of `gcov` (version 10 or later).
#[derive(Deserialize)]
struct Counts {
    files: Vec<CountedFile>,
}

#[derive(Deserialize)]
struct CountedFile {
    file: String,
    lines: Vec<CountedLine>,
}

#[derive(Deserialize)]
struct CountedLine {
    line_number: u32,
    count: u64,
}

/// The counts in reports of `gcov`, one a line, without the driver's own part. The file of the first name gets the
/// second one.
fn counted_lines(reports: &[u8], (absolute, given): (&str, &str)) -> Result<LineCounts, String> {
    let mut counts = LineCounts::new();
    for report in serde_json::Deserializer::from_slice(reports).into_iter::<Counts>() {
        let report = report.map_err(|error| format!("what `gcov` says: {error}"))?;
        for CountedFile { file, lines } in report.files {
            if file == DRIVER {
                continue;
            }
            let name = if file == absolute { given } else { &file };
            for line in lines {
                *counts
                    .entry((name.to_owned(), line.line_number))
                    .or_insert(0) += line.count;
            }
        }
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read_line_by_line() {
        let report = |file: &str| {
            format!(
                r#"{{"gcc_version": "12", "files": [{{"lines": [{{"branches": [], "count": 2, "line_number": 3}},
                {{"count": 0, "line_number": 4}}, {{"count": 1, "line_number": 3}}], "functions": [], "file": "{file}"}}]}}"#
            )
        };
        let names = ("/a/b.c", "b.c");
        let counts = |file: &str| counted_lines(report(file).as_bytes(), names);
        let expected = |file: &str| {
            let lines = [(3, 3), (4, 0)].map(|(line, count)| ((file.to_owned(), line), count));
            Ok(LineCounts::from(lines))
        };
        assert_eq!(counts("/a/b.c"), expected("b.c"));
        assert_eq!(counts("c.c"), expected("c.c"));
        assert_eq!(counts("driver"), Ok(LineCounts::new()));
        assert!(counted_lines(b"unexpected", names).is_err());
    }
}
