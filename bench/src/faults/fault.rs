//! What strikes a run from outside.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use craig_aig::Random;

use super::subject::{Subject, empty};

/// How long a run may go on after a signal that ends it, and at all under a limit.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

/// How often a running process is looked at.
const PERIOD: Duration = Duration::from_millis(2);

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A signal at a random moment of the run.
    Signal(&'static str),
    /// A limit of the shell's `ulimit`, drawn evenly by magnitude between two numbers.
    Limit(&'static str, u64, u64),
    /// Standard output on a device without room.
    FullOutput,
    /// Standard output into a pipe that nobody reads any more.
    ClosedOutput,
}

/// How a run ended that a fault struck.
#[derive(Clone, Debug)]
pub(super) struct Struck {
    /// None if a signal ended it.
    pub(super) code: Option<i32>,
    pub(super) stderr: String,
    /// Whether it went on for longer than [`PATIENCE`], and was killed.
    pub(super) is_late: bool,
    /// The moment or the limit.
    pub(super) how: String,
}

impl Fault {
    /// All faults. Limits: kilobytes of address space, blocks of a file, open files.
    pub(super) const ALL: [Self; 10] = [
        Self::Signal("KILL"),
        Self::Signal("INT"),
        Self::Signal("TERM"),
        Self::Signal("HUP"),
        Self::Signal("PIPE"),
        Self::Limit("v", 20_000, 2_000_000),
        Self::Limit("f", 1, 100),
        Self::Limit("n", 4, 40),
        Self::FullOutput,
        Self::ClosedOutput,
    ];

    /// Its name in the table.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Signal("KILL") => "SIGKILL",
            Self::Signal("INT") => "SIGINT",
            Self::Signal("TERM") => "SIGTERM",
            Self::Signal("HUP") => "SIGHUP",
            Self::Signal(_) => "SIGPIPE",
            Self::Limit("v", ..) => "ulimit -v",
            Self::Limit("f", ..) => "ulimit -f",
            Self::Limit(..) => "ulimit -n",
            Self::FullOutput => "full output",
            Self::ClosedOutput => "closed output",
        }
    }
}

/// Runs a command in an empty folder and strikes it; `duration` is that of the undisturbed run.
///
/// # Errors
/// If the command or the shell can't be started.
pub(super) fn strike(
    fault: Fault,
    craig: &Path,
    subject: &Subject,
    (folder, duration): (&Path, Duration),
    random: &mut Random,
) -> io::Result<Struck> {
    empty(folder)?;
    let mut command = subject.command(craig, folder);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut how = String::new();
    let mut moment = None;
    match fault {
        Fault::Signal(_) => {
            // A tenth beyond the end of the undisturbed run.
            let at = duration.mul_f64(1.1 * fraction(random));
            how = format!("after {:.1} ms", at.as_secs_f64() * 1e3);
            moment = Some(at);
        }
        Fault::Limit(letter, low, high) => {
            let limit = (low as f64 * (high as f64 / low as f64).powf(fraction(random))) as u64;
            how = format!("-{letter} {limit}");
            command = limited(&command, letter, limit, folder);
        }
        Fault::FullOutput => {
            command.stdout(File::options().append(true).open("/dev/full")?);
        }
        Fault::ClosedOutput => {
            command.stdout(Stdio::piped());
        }
    }
    let mut child = command.spawn()?;
    drop(child.stdout.take());
    let stderr = child.stderr.take();
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stderr) = stderr {
            let _ = stderr.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    });
    if let (Some(moment), Fault::Signal(name)) = (moment, fault) {
        thread::sleep(moment);
        // It may have ended before.
        let _ = Command::new("sh")
            .args(["-c", "kill -s $0 $1", name, &child.id().to_string()])
            .stderr(Stdio::null())
            .status()?;
    }
    let (code, is_late) = ended(&mut child)?;
    Ok(Struck {
        code,
        stderr: reader.join().unwrap_or_default(),
        is_late,
        how,
    })
}

/// A command under a limit of the shell.
fn limited(command: &Command, letter: &str, limit: u64, folder: &Path) -> Command {
    let mut shell = Command::new("bash");
    shell
        .args(["-c", "ulimit -$0 $1 && shift && exec \"$@\"", letter])
        .arg(limit.to_string())
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    shell
}

/// Waits for the end.
fn ended(child: &mut Child) -> io::Result<(Option<i32>, bool)> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((status.code(), false));
        }
        if start.elapsed() > PATIENCE {
            child.kill()?;
            return Ok((child.wait()?.code(), true));
        }
        thread::sleep(PERIOD);
    }
}

/// A number from 0 to 1.
fn fraction(random: &mut Random) -> f64 {
    (random.word() >> 11) as f64 / (1_u64 << 53) as f64
}
