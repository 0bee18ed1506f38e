//! Lists of the files of a design, as simulators read them with `-f`.

use std::path::{Path, PathBuf};

use crate::cli::failure::Failure;
use crate::cli::input::read_file;

/// How deep lists may name lists.
const MAX_DEPTH: usize = 16;

/// What lists say about a design.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FileList {
    /// The files, in this order.
    pub(super) files: Vec<PathBuf>,
    /// The folders of included files.
    pub(super) include: Vec<String>,
    /// Macros.
    pub(super) define: Vec<String>,
}

impl FileList {
    /// Adds the content of a list. Its names are relative to the current folder; with `-F`, those of a list in a list are
    /// relative to its own.
    ///
    /// # Errors
    /// If the list can't be read, or says what is not supported.
    pub(super) fn read(&mut self, list: &Path) -> Result<(), Failure> {
        self.read_below(list, Path::new(""), 0)
    }

    fn read_below(&mut self, list: &Path, folder: &Path, depth: usize) -> Result<(), Failure> {
        let name = list.display();
        let bytes = read_file(list)?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Failure::input(format!("{name}: expected a list in UTF-8")))?;
        for (index, line) in text.lines().enumerate() {
            let fault =
                |message: &str| Failure::input(format!("{name}: line {}: {message}", index + 1));
            let mut words = without_comment(line).split_whitespace();
            while let Some(word) = words.next() {
                let mut value = |option: &str| match word.strip_prefix(option) {
                    Some("") => words.next().map(str::to_owned),
                    value => value.map(str::to_owned),
                };
                match word {
                    "-f" | "-F" => {
                        let path = words
                            .next()
                            .ok_or_else(|| fault("expected the name of a list"))?;
                        if depth == MAX_DEPTH {
                            return Err(fault("lists in lists are nested too deep"));
                        }
                        let path = folder.join(path);
                        if depth > 0 && !path.is_file() {
                            return Err(fault("expected the name of a list that can be read"));
                        }
                        let below = match word {
                            "-F" => path.parent().unwrap_or(folder).to_owned(),
                            _ => folder.to_owned(),
                        };
                        self.read_below(&path, &below, depth + 1)?;
                    }
                    _ if word.starts_with("+incdir+") => {
                        let folders = word["+incdir+".len()..].split('+');
                        let folders = folders.filter(|it| !it.is_empty());
                        self.include
                            .extend(folders.map(|it| folder.join(it).display().to_string()));
                    }
                    _ if word.starts_with("+define+") => {
                        let macros = word["+define+".len()..].split('+');
                        let macros = macros.filter(|it| !it.is_empty());
                        self.define.extend(macros.map(str::to_owned));
                    }
                    _ if word.starts_with("-I") => {
                        let path = value("-I").ok_or_else(|| fault("expected a folder"))?;
                        self.include.push(folder.join(path).display().to_string());
                    }
                    _ if word.starts_with("-D") => {
                        let name = value("-D").ok_or_else(|| fault("expected a macro"))?;
                        self.define.push(name);
                    }
                    _ if word.starts_with(['-', '+']) => {
                        let wanted =
                            "expected a file, `-f`, `-F`, `-I`, `-D`, `+incdir+` or `+define+`";
                        return Err(match depth {
                            0 => fault(&format!("{word}: {wanted}")),
                            _ => fault(wanted),
                        });
                    }
                    // Only the list that the user names is shown: one that it names may be any file.
                    _ if depth > 0 && !folder.join(word).is_file() => {
                        return Err(fault("expected the name of a file that can be read"));
                    }
                    _ => self.files.push(folder.join(word)),
                }
            }
        }
        Ok(())
    }
}

/// A line up to a comment.
fn without_comment(line: &str) -> &str {
    let line = line.split("//").next().unwrap_or_default();
    line.split('#').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_name_files_folders_and_macros() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir(path("sub")).unwrap();
        std::fs::write(path("sub/b.sv"), "").unwrap();
        std::fs::write(path("sub/b.f"), "b.sv +incdir+inc\n").unwrap();
        let text = format!(
            "// the design\na.sv +incdir+x+y -I z # more\n+define+A=1+B -DC\n-F {}\n",
            path("sub/b.f").display()
        );
        std::fs::write(path("a.f"), text).unwrap();
        let mut list = FileList::default();
        list.read(&path("a.f")).unwrap();
        assert_eq!(list.files, [PathBuf::from("a.sv"), path("sub/b.sv")]);
        let inner = path("sub/inc").display().to_string();
        assert_eq!(list.include, ["x", "y", "z", &inner]);
        assert_eq!(list.define, ["A=1", "B", "C"]);
    }

    #[test]
    fn what_a_list_must_not_say_is_told_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.f");
        let itself = format!("-f {}", path.display());
        for (text, message) in [
            ("a.sv\n-y lib\n", "line 2: -y: expected a file"),
            ("-f", "line 1: expected the name of a list"),
            ("-I", "line 1: expected a folder"),
            (&itself, "nested too deep"),
        ] {
            std::fs::write(&path, text).unwrap();
            let failure = FileList::default().read(&path).unwrap_err();
            let failure = failure.message();
            assert!(failure.contains(message), "{failure}");
        }
    }

    #[test]
    fn text_of_a_list_that_a_list_names_is_not_shown() {
        let folder = tempfile::tempdir().unwrap();
        let (outer, inner) = (folder.path().join("a.f"), folder.path().join("b.f"));
        std::fs::write(&outer, format!("-f {}", inner.display())).unwrap();
        for text in ["secret:x\n", "-secret\n", "-f secret\n"] {
            std::fs::write(&inner, text).unwrap();
            let failure = FileList::default().read(&outer).unwrap_err();
            let failure = failure.message();
            assert!(failure.contains("b.f: line 1: expected"), "{failure}");
            assert!(!failure.contains("secret"), "{failure}");
        }
    }
}
