//! Where an output goes: to a file, to standard output, or to something that is not a regular file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The end of a path.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The standard output of this process.
    Stdout,
    /// A regular file, or none yet. The path is not a link.
    File(PathBuf),
    /// A pipe, a terminal, a device or an open file of a process.
    Special(PathBuf),
}

/// Whether a path names the standard output of this process.
pub(in crate::cli) fn is_stdout(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]
        .iter()
        .any(|name| path == Path::new(name))
}

/// Links that are followed, at most, as in the kernel.
const MOST_LINKS: usize = 40;

/// Follows the links of a path. A file that they lead to is replaced there, and the links stay.
///
/// # Errors
/// If it is a directory, or the links have no end.
pub(super) fn resolve(path: &Path) -> io::Result<Target> {
    if path.as_os_str().is_empty() {
        return Err(io::Error::other("the name is empty"));
    }
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if is_stdout(&path) {
            return Ok(Target::Stdout);
        }
        // What an open file is redirected to must not be replaced under it.
        let is_open_file = ["/dev/fd", "/dev/stdin", "/dev/stderr", "/proc"];
        if is_open_file.iter().any(|name| path.starts_with(name)) {
            return Ok(Target::Special(path));
        }
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_symlink() => {
                let next = fs::read_link(&path)?;
                path = path.parent().unwrap_or(Path::new("")).join(next);
            }
            Ok(metadata) if metadata.is_dir() => {
                return Err(io::Error::other("it is a directory"));
            }
            Ok(metadata) if metadata.is_file() => return Ok(Target::File(path)),
            Ok(_) => return Ok(Target::Special(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return match path.file_name() {
                    Some(_) => Ok(Target::File(path)),
                    None => Err(error),
                };
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many links"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_output_has_several_names() {
        for name in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
            assert_eq!(resolve(Path::new(name)).unwrap(), Target::Stdout, "{name}");
        }
        for name in ["/dev/null", "/dev/stderr", "/dev/fd/63"] {
            let target = Target::Special(name.into());
            assert_eq!(resolve(Path::new(name)).unwrap(), target, "{name}");
        }
        for name in ["", "/", "/tmp", ".", ".."] {
            assert!(resolve(Path::new(name)).is_err(), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_without_end_are_refused_and_others_followed() {
        let folder = tempfile::tempdir().unwrap();
        let [round, out] = ["round", "out"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("round", &round).unwrap();
        assert!(resolve(&round).is_err());
        std::os::unix::fs::symlink("/dev/stdout", &out).unwrap();
        assert_eq!(resolve(&out).unwrap(), Target::Stdout);
    }
}
