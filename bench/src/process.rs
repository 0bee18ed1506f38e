//! One run of one program under limits.

use std::io;
use std::process::{Command, Stdio};

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Processor seconds.
    pub cpu_seconds: f64,
    /// Wall seconds.
    pub wall_seconds: f64,
    /// The address space, in megabytes.
    pub megabytes: u64,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    /// The output.
    pub stdout: String,
    /// Of the program and all its children.
    pub cpu_seconds: f64,
    /// From start to end.
    pub wall_seconds: f64,
    /// Whether it ran into a limit on time.
    pub is_limited: bool,
}

/// Bash measures the time: its `time` includes the processor time of all children, killed ones included.
const SCRIPT: &str = "ulimit -t $0; ulimit -v $1; wall=$2; shift 2; TIMEFORMAT='@time %3U %3S %3R'; \
                      time timeout -k 3 $wall \"$@\"";

/// Runs a command line.
///
/// # Errors
/// If `bash` cannot be started, or measures nothing.
pub fn run(command: &[String], limits: Limits) -> io::Result<Ended> {
    let output = Command::new("bash")
        .arg("-c")
        .arg(SCRIPT)
        // A second more than the limit, as `ulimit` counts whole seconds.
        .arg((limits.cpu_seconds.ceil() as u64 + 1).to_string())
        .arg((limits.megabytes * 1024).to_string())
        .arg(limits.wall_seconds.to_string())
        .args(command)
        .stdin(Stdio::null())
        .output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let times: Vec<f64> = stderr
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("@time "))
        .unwrap_or_default()
        .split(' ')
        .filter_map(|word| word.replace(',', ".").parse().ok())
        .collect();
    let &[user, system, wall] = times.as_slice() else {
        return Err(io::Error::other(format!(
            "no times after {command:?}: {stderr}"
        )));
    };
    // 124 and 137: ended by `timeout`; above 128: a signal, and SIGXCPU is the limit.
    let code = output.status.code();
    let cpu = user + system;
    let is_limited =
        cpu >= limits.cpu_seconds || matches!(code, Some(124 | 137)) || wall >= limits.wall_seconds;
    Ok(Ended {
        code: code.filter(|&code| code < 124),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        cpu_seconds: cpu,
        wall_seconds: wall,
        is_limited,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_kept_and_told() {
        let limits = Limits {
            cpu_seconds: 1.0,
            wall_seconds: 1.0,
            megabytes: 1000,
        };
        let words = |words: &[&str]| {
            words
                .iter()
                .map(|&word| word.to_owned())
                .collect::<Vec<String>>()
        };
        let ended = run(&words(&["bash", "-c", "echo hello; exit 20"]), limits).unwrap();
        assert_eq!(
            (ended.code, ended.stdout.as_str(), ended.is_limited),
            (Some(20), "hello\n", false)
        );
        let ended = run(&words(&["sleep", "20"]), limits).unwrap();
        assert_eq!((ended.code, ended.is_limited), (None, true));
    }
}
