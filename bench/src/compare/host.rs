//! What a run's figures depend on: the machine, the versions, the limits.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::engine::{Engine, Place};

/// The file with it.
pub(super) const NOTE: &str = "run.json";

/// The first line of a file that begins with a name, after its colon.
fn line_of(path: &str, name: &str) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let mut lines = text.lines();
    let line = lines.find_map(|line| line.strip_prefix(name));
    line.unwrap_or_default()
        .trim_start_matches([':', '\t', ' '])
        .to_owned()
}

/// The first line that a command prints about its version.
fn version(engine: &Engine, craig: &str) -> String {
    let words: Vec<String> = engine
        .version
        .iter()
        .map(|word| word.replace("{craig}", craig))
        .collect();
    let Some((program, rest)) = words.split_first() else {
        return String::new();
    };
    let output = Command::new(program)
        .args(rest)
        .stdin(Stdio::null())
        .output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    text.unwrap_or_default()
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// Notes what the figures in a folder depend on.
///
/// # Errors
/// If the folder has results under other limits or of other versions.
pub(super) fn note(folder: &Path, engines: &[Engine], place: &Place<'_>) -> io::Result<()> {
    let path = folder.join(NOTE);
    let limits = json!({"cpu": place.cpu, "wall": place.wall, "megabytes": place.megabytes});
    let mut versions = serde_json::Map::new();
    for engine in engines {
        versions.insert(engine.name.clone(), version(engine, place.craig).into());
    }
    if let Ok(text) = fs::read_to_string(&path) {
        let before: Value = serde_json::from_str(&text)
            .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
        let is_same = |(name, version): (&String, &Value)| {
            before["versions"]
                .get(name)
                .is_none_or(|known| known == version)
        };
        if before["limits"] != limits || !versions.iter().all(is_same) {
            return Err(io::Error::other(format!(
                "{}: it has results under other limits, or of other versions: choose another folder",
                folder.display()
            )));
        }
        if let Some(known) = before["versions"].as_object() {
            versions.extend(known.clone());
        }
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let note = json!({
        "host": fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim(),
        "processor": line_of("/proc/cpuinfo", "model name"),
        "cores": std::thread::available_parallelism().map_or(1, usize::from),
        "memory": line_of("/proc/meminfo", "MemTotal"),
        "system": fs::read_to_string("/proc/version").unwrap_or_default().trim(),
        "load": fs::read_to_string("/proc/loadavg").unwrap_or_default().trim(),
        "begun": since.map_or(0, |since| since.as_secs()),
        "limits": limits,
        "versions": versions,
    });
    fs::write(&path, format!("{note:#}\n"))
}
