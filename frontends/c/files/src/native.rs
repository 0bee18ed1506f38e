//! Compiling and running an error's driver on the machine.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use craig_c_lang::given_text::{is_given, source_bytes};

use crate::test_driver::{Compilation, TestDriver};

/// The result of a native run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Native {
    /// The compiled program fails, too; how.
    Reproduced(String),
    /// It ends without a failure, although all that the path chooses was set; how.
    Differs(String),
    /// It does not; what happens instead, and what could not be set from outside, or why it did not run.
    Not(String),
}

/// The polling interval of a running program.
const POLL: Duration = Duration::from_millis(5);

/// Compiles a driver with `cc` in a directory of its own and runs it there, each with this time limit.
#[must_use]
pub fn replay_natively(driver: &TestDriver, limit: Duration) -> Native {
    attempt(driver, limit).unwrap_or_else(Native::Not)
}

fn attempt(driver: &TestDriver, limit: Duration) -> Result<Native, String> {
    let directory = Directory::new()?;
    let (source, program) = (directory.0.join("driver.c"), directory.0.join("driver"));
    std::fs::write(&source, &driver.text).map_err(|error| format!("no driver: {error}"))?;
    let mut objects = Vec::new();
    for (index, (given, compilation)) in driver.others.iter().enumerate() {
        let object = directory.0.join(format!("part{index}.o"));
        let mut path = std::path::absolute(given).map_err(|error| error.to_string())?;
        let mut last = vec!["-c".to_owned()];
        if is_given(given) {
            let text = source_bytes(given).map_err(|error| error.to_string())?;
            let folder = path.parent().unwrap_or(Path::new("/"));
            last.extend(["-iquote".to_owned(), folder.display().to_string()]);
            path = directory.0.join(format!("part{index}.c"));
            std::fs::write(&path, text).map_err(|error| error.to_string())?;
        }
        compile(compilation, &last, &[path], &object, limit)?;
        objects.push(object);
    }
    let mut files = vec![source];
    files.extend(objects);
    compile(&driver.compilation, &[], &files, &program, limit)?;
    let mut command = Command::new(&program);
    command.current_dir(&directory.0);
    let (status, output) =
        run(&mut command, limit).map_err(|error| format!("the compiled program: {error}"))?;
    Ok(judge(driver, status, &output))
}

/// Runs `cc`; `last` are arguments before the files.
fn compile(
    compilation: &Compilation,
    last: &[String],
    files: &[PathBuf],
    output: &Path,
    limit: Duration,
) -> Result<(), String> {
    let mut compiler = Command::new("cc");
    compiler.args(&compilation.flags).args(last).args(files);
    if last.is_empty() {
        compiler.arg("-lm");
    }
    compiler.arg("-o").arg(output);
    if let Some(directory) = &compilation.directory {
        compiler.current_dir(directory);
    }
    let (status, output) = run(&mut compiler, limit).map_err(|error| format!("`cc`: {error}"))?;
    if status.success() {
        return Ok(());
    }
    let first = output
        .lines()
        .find(|line| line.contains("error") || line.contains("undefined"));
    Err(format!(
        "`cc` does not compile it: {}",
        first.unwrap_or("no message")
    ))
}

fn judge(driver: &TestDriver, status: ExitStatus, output: &str) -> Native {
    let report = output
        .lines()
        .find(|line| line.contains("runtime error:") || line.contains("ERROR: "));
    if let Some(report) = report
        && !status.success()
        && driver
            .compilation
            .flags
            .iter()
            .any(|flag| flag.starts_with("-fsanitize"))
    {
        return Native::Reproduced(report.trim().to_string());
    }
    match signal(status) {
        Some(6) => Native::Reproduced("it aborts".into()),
        // The machine's reaction where a check would have failed.
        Some(number) => Native::Reproduced(format!("it ends with signal {number}")),
        None => {
            let text = format!("it ends with {status}");
            match driver.limits.first() {
                Some(limit) => Native::Not(format!("{text}; {limit}")),
                None => Native::Differs(text),
            }
        }
    }
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}

/// Runs a command to its end, without input; returns its standard error.
pub fn run(command: &mut Command, limit: Duration) -> Result<(ExitStatus, String), String> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("it cannot be started: {error}"))?;
    let stderr = child.stderr.take();
    // Read on another thread: a full pipe would stop the program.
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(mut stderr) = stderr {
            // The text is used in messages only: a megabyte of it is kept, and the rest is dropped.
            let _ = stderr.by_ref().take(1 << 20).read_to_end(&mut text);
            let _ = std::io::copy(&mut stderr, &mut std::io::sink());
        }
        String::from_utf8_lossy(&text).into_owned()
    });
    let status = wait(&mut child, limit);
    let text = reader.join().unwrap_or_default();
    Ok((status?, text))
}

fn wait(child: &mut Child, limit: Duration) -> Result<ExitStatus, String> {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if start.elapsed() < limit => std::thread::sleep(POLL),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("it does not end within {} s", limit.as_secs()));
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}

/// A directory that is removed with everything in it.
pub(crate) struct Directory(PathBuf);

impl Directory {
    /// Where it is.
    pub(crate) fn path(&self) -> &std::path::Path {
        &self.0
    }

    pub(crate) fn new() -> Result<Self, String> {
        let base = std::env::temp_dir();
        for attempt in 0..1000u32 {
            let path = base.join(format!("craig-{}-{attempt}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(format!("{}: {error}", path.display())),
            }
        }
        Err(format!("{}: no name is free", base.display()))
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
