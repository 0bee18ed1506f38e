//! What a run's figures depend on: the machine, the versions, the limits.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
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

/// The first line with text that a command prints about its version.
///
/// # Errors
/// If there is no such program: all its runs would fail.
fn version(engine: &Engine, craig: &str) -> io::Result<String> {
    let words: Vec<String> = engine
        .version
        .iter()
        .map(|word| word.replace("{craig}", craig))
        .collect();
    let Some((program, rest)) = words.split_first() else {
        return Ok(String::new());
    };
    let output = Command::new(program)
        .args(rest)
        .stdin(Stdio::null())
        .output();
    let output =
        output.map_err(|error| io::Error::other(format!("{}: {program}: {error}", engine.name)))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut lines = text.lines().map(str::trim);
    let line = lines.find(|line| !line.is_empty());
    Ok(line.unwrap_or_default().to_owned())
}

/// The processor seconds after which a run counts as unsolved: those that are given, or the greatest limit of the runs, which folders
/// with results note; 60 if none does.
pub(super) fn limit(given: Option<f64>, results: &[PathBuf]) -> f64 {
    let noted = results.iter().filter_map(|folder| {
        let text = fs::read_to_string(folder.join(NOTE)).ok()?;
        serde_json::from_str::<Value>(&text).ok()?["limits"]["cpu"].as_f64()
    });
    given
        .or_else(|| noted.max_by(f64::total_cmp))
        .unwrap_or(60.0)
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
        versions.insert(engine.name.clone(), version(engine, place.craig)?.into());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let text = "[[engine]]\nname = 'craig:pdr'\nkinds = ['circuits']\ncommand = ['{craig}', '{file}']\n\
                    version = ['{craig}', '-V']\n";
        let engines = crate::compare::engine::read(text, "engines").unwrap();
        let error = version(&engines[0], "/no/such/craig")
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("craig:pdr: /no/such/craig: "), "{error}");
    }

    #[test]
    fn the_limit_is_that_of_the_runs() {
        let folder = tempfile::tempdir().unwrap();
        let noted = |name: &str, seconds: f64| {
            let path = folder.path().join(name);
            fs::create_dir(&path).unwrap();
            fs::write(
                path.join(NOTE),
                json!({"limits": {"cpu": seconds}}).to_string(),
            )
            .unwrap();
            path
        };
        let folders = [
            noted("a", 3.0),
            noted("b", 5.0),
            folder.path().join("table.csv"),
        ];
        assert_eq!(limit(None, &folders), 5.0);
        assert_eq!(limit(Some(2.0), &folders), 2.0);
        assert_eq!(limit(None, &folders[2..]), 60.0);
    }
}
