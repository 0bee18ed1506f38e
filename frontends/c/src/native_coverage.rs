//! Tests run on the machine under `gcov`, which counts the lines that they execute.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::native::{Directory, run};
use super::test_driver::TestDriver;

/// How often each line of a file was executed, by line.
pub type LineCounts = BTreeMap<u32, u64>;

/// Compiles the driver of a test with `gcc --coverage` in a directory of its own, runs it there, and reads what
/// `gcov` counted for the lines of `file`. Each of the three has this time limit.
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
    let (status, output) = run(&mut compiler, limit).map_err(|error| format!("`gcc`: {error}"))?;
    if !status.success() {
        let mut lines = output.lines();
        let first = lines.find(|line| line.contains("error"));
        let message = first.unwrap_or("no message");
        return Err(format!("`gcc` does not compile it: {message}"));
    }
    let mut linker = Command::new("gcc");
    linker
        .current_dir(place)
        .args(["--coverage", "-Wl,--wrap=abort", "-o", "driver"]);
    linker.args(
        driver
            .compilation
            .flags
            .iter()
            .filter(|flag| flag.starts_with("-m")),
    );
    linker.args(["driver.o", "-lm"]);
    let (status, output) = run(&mut linker, limit).map_err(|error| format!("`gcc`: {error}"))?;
    if !status.success() {
        let mut lines = output.lines();
        let first = lines.find(|line| line.contains("undefined"));
        let message = first.unwrap_or("no message");
        return Err(format!("`gcc` does not link it: {message}"));
    }
    let mut command = Command::new(place.join("driver"));
    command.current_dir(place);
    run(&mut command, limit).map_err(|error| format!("the compiled program: {error}"))?;
    let mut gcov = Command::new("gcov");
    gcov.current_dir(place)
        .args(["--preserve-paths", "driver.c"]);
    let (status, _) = run(&mut gcov, limit).map_err(|error| format!("`gcov`: {error}"))?;
    if !status.success() {
        return Err(format!("`gcov` ends with {status}"));
    }
    let mut counts = LineCounts::new();
    let entries = std::fs::read_dir(place).map_err(|error| error.to_string())?;
    for entry in entries.flatten() {
        if entry.path().extension().is_some_and(|end| end == "gcov") {
            let text = std::fs::read(entry.path()).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            add(&text, &absolute.display().to_string(), &mut counts);
        }
    }
    match counts.is_empty() {
        true => Err(format!("`gcov` has no lines of {}", file.display())),
        false => Ok(counts),
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

/// Adds the counts in a report of `gcov`, if it is about the file. A line has the columns count, number and source.
fn add(report: &str, file: &str, counts: &mut LineCounts) {
    let mut is_about = false;
    for line in report.lines() {
        let mut columns = line.splitn(3, ':').map(str::trim);
        let (Some(count), Some(number), Some(source)) =
            (columns.next(), columns.next(), columns.next())
        else {
            continue;
        };
        if number == "0" {
            if let Some(name) = source.strip_prefix("Source:") {
                is_about = name == file;
            }
            continue;
        }
        let Ok(number) = number.parse::<u32>() else {
            continue;
        };
        let count = match count {
            "#####" | "=====" => Some(0),
            // A star marks lines with blocks that were not executed.
            count => count.trim_end_matches('*').parse::<u64>().ok(),
        };
        if let Some(count) = count.filter(|_| is_about) {
            *counts.entry(number).or_insert(0) += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read_line_by_line() {
        let report = "        -:    0:Source:/a/b.c\n        -:    0:Graph:x.gcno\n        -:    1:int f(int x)\n\
                              2:    2:{\n    #####:    3:  g();\n       3*:    4:  return x ? 1 : 2;\n    =====:    5:}\n\
                      unexpected\n";
        let mut counts = LineCounts::new();
        add(report, "/a/c.c", &mut counts);
        assert!(counts.is_empty());
        add(report, "/a/b.c", &mut counts);
        assert_eq!(counts, LineCounts::from([(2, 2), (3, 0), (4, 3), (5, 0)]));
    }
}
