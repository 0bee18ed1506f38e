//! Inputs as they are named: files, folders, and lists of files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::failure::Failure;
use crate::cli::input::read_file;

/// The files that the command line names. A folder stands for the files in it and below whose names are those of inputs,
/// sorted; `@LIST` for the files and folders that the lines of a file name.
///
/// # Errors
/// If a folder or a list can't be read, or has no input (`what` says which are).
pub(in crate::cli) fn expand(
    paths: &[PathBuf],
    is_input: impl Fn(&Path) -> bool,
    what: &str,
) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        match path.to_str().and_then(|text| text.strip_prefix('@')) {
            Some(list) => {
                for path in read_list(Path::new(list))? {
                    add(&path, &is_input, what, &mut files)?;
                }
            }
            None => add(path, &is_input, what, &mut files)?,
        }
    }
    Ok(files)
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::input(format!("{}: can't be read: {error}", path.display()))
}

/// The paths that a list names, relative to the current folder. Blank lines, and lines that begin with `#`, name none.
fn read_list(list: &Path) -> Result<Vec<PathBuf>, Failure> {
    let bytes = read_file(list)?;
    let fault = |message: &str| Failure::input(format!("{}: {message}", list.display()));
    let text = String::from_utf8(bytes).map_err(|_| fault("expected a list in UTF-8"))?;
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let paths: Vec<PathBuf> = lines.map(PathBuf::from).collect();
    match paths.is_empty() {
        true => Err(fault("it names no file")),
        false => Ok(paths),
    }
}

/// Adds a file, or the inputs in a folder.
fn add(
    path: &Path,
    is_input: &impl Fn(&Path) -> bool,
    what: &str,
    files: &mut Vec<PathBuf>,
) -> Result<(), Failure> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let found = in_folder(path, is_input)?;
    if found.is_empty() {
        let path = path.display();
        return Err(Failure::input(format!("{path}: the folder has no {what}")));
    }
    files.extend(found);
    Ok(())
}

/// The inputs in a folder and below. Links to folders are not followed, which may lead in a circle, and pipes are not read.
fn in_folder(folder: &Path, is_input: &impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>, Failure> {
    let mut open = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| unreadable(&folder, &error))? {
            let entry = entry.map_err(|error| unreadable(&folder, &error))?;
            let kind = (entry.file_type()).map_err(|error| unreadable(&folder, &error))?;
            let path = entry.path();
            if kind.is_dir() {
                open.push(path);
            } else if is_input(&path) && path.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_lists_stand_for_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("below")).unwrap();
        fs::create_dir(folder.path().join("empty")).unwrap();
        for name in ["b.aag", "a.c", "notes.txt", "below/d.aag", "below/c.c"] {
            fs::write(folder.path().join(name), b"").unwrap();
        }
        let is_input = |path: &Path| path.extension().is_some_and(|it| it == "c" || it == "aag");
        let names = |paths: &[PathBuf]| -> Result<Vec<String>, Failure> {
            let found = expand(paths, is_input, "inputs")?;
            let relative = |path: &PathBuf| {
                let path = path.strip_prefix(folder.path()).unwrap_or(path);
                path.display().to_string()
            };
            Ok(found.iter().map(relative).collect())
        };
        let all = names(&[folder.path().to_owned(), "one".into()]).unwrap();
        assert_eq!(all, ["a.c", "b.aag", "below/c.c", "below/d.aag", "one"]);
        let list = folder.path().join("list");
        let below = folder.path().join("below");
        let text = format!("first.c\n\n# comment\n  second.aag\n{}\n", below.display());
        fs::write(&list, text).unwrap();
        let at = |path: &Path| [PathBuf::from(format!("@{}", path.display()))];
        let all = names(&at(&list)).unwrap();
        assert_eq!(all, ["first.c", "second.aag", "below/c.c", "below/d.aag"]);
        fs::write(&list, "# nothing\n").unwrap();
        for wrong in [list, folder.path().join("missing")] {
            assert!(names(&at(&wrong)).is_err(), "{wrong:?}");
        }
        assert!(names(&[folder.path().join("empty")]).is_err());
    }
}
