//! Problems: a folder with an index of what is expected, or without.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::answer::Answer;

/// What a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Kind {
    /// Circuits of bits.
    Circuits,
    /// Justice properties of circuits.
    Live,
    /// Circuits of words.
    Words,
    /// C programs.
    C,
    /// Formulas in DIMACS.
    Formulas,
}

impl Kind {
    /// All, with their names and the ends of their files' names.
    const ALL: [(Self, &str, &[&str]); 5] = [
        (Self::Circuits, "circuits", &[".aig", ".aag"]),
        (Self::Live, "live", &[]),
        (Self::Words, "words", &[".btor2", ".btor"]),
        (Self::C, "c", &[".c", ".i"]),
        (Self::Formulas, "formulas", &[".cnf", ".dimacs"]),
    ];

    pub(super) fn parse(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter();
        all.find(|row| row.1 == name).map(|row| row.0)
    }

    /// That of a file, by its name.
    fn of(name: &str) -> Option<Self> {
        let name = name.strip_suffix(".gz").unwrap_or(name);
        let name = name.strip_suffix(".xz").unwrap_or(name);
        let mut all = Self::ALL.iter();
        all.find(|row| row.2.iter().any(|end| name.ends_with(end)))
            .map(|row| row.0)
    }
}

/// A problem.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) name: String,
    pub(super) file: PathBuf,
    pub(super) kind: Kind,
    pub(super) expected: Answer,
    /// The columns of the index.
    fields: BTreeMap<String, String>,
}

impl Problem {
    /// What the index has in a column.
    pub(super) fn field(&self, column: &str) -> &str {
        self.fields.get(column).map_or("", String::as_str)
    }

    #[cfg(test)]
    pub(super) fn of(name: &str, kind: Kind) -> Self {
        Self {
            name: name.to_owned(),
            file: name.into(),
            kind,
            expected: Answer::Unknown,
            fields: BTreeMap::new(),
        }
    }

    #[cfg(test)]
    pub(super) fn with_field(mut self, column: &str, value: &str) -> Self {
        self.fields.insert(column.to_owned(), value.to_owned());
        self
    }
}

/// Which problems of a folder.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct Selection {
    /// Only the problems whose name contains this.
    #[arg(long, default_value = "")]
    pub(super) only: String,
    /// Only those with this value in a column of the index, such as `tier=core`, or without it, `status!=disputed`.
    #[arg(long = "where", value_name = "COLUMN=VALUE")]
    pub(super) conditions: Vec<String>,
    /// Every N-th of them.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) every: usize,
    /// The first of them, counted from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) from: usize,
}

impl Selection {
    fn has(&self, fields: &BTreeMap<String, String>, name: &str) -> io::Result<bool> {
        let mut has = name.contains(&self.only);
        for condition in &self.conditions {
            let (column, value, wanted) = match condition.split_once("!=") {
                Some((column, value)) => (column, value, false),
                None => match condition.split_once('=') {
                    Some((column, value)) => (column, value, true),
                    None => {
                        return Err(io::Error::other(format!(
                            "--where {condition}: expected COLUMN=VALUE or COLUMN!=VALUE"
                        )));
                    }
                },
            };
            let Some(found) = fields.get(column) else {
                return Err(io::Error::other(format!(
                    "--where {condition}: the index has no column {column}"
                )));
            };
            has &= (found == value) == wanted;
        }
        Ok(has)
    }
}

/// The problems of a folder: by its `index.csv` (a column `file` or `name`, and one of `expected`, `answer` or `right`), else all
/// files in it and below, with nothing expected.
pub(super) fn problems(folder: &Path, selection: &Selection) -> io::Result<Vec<Problem>> {
    let index = folder.join("index.csv");
    let all = match fs::read_to_string(&index) {
        Ok(text) => of_index(folder, &text, selection)
            .map_err(|error| io::Error::other(format!("{}: {error}", index.display())))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => of_files(folder, selection)?,
        Err(error) => return Err(error),
    };
    let chosen = all.into_iter().skip(selection.from);
    let chosen: Vec<Problem> = chosen.step_by(selection.every.max(1)).collect();
    match chosen.is_empty() {
        true => Err(io::Error::other(format!(
            "{}: no problem is selected",
            folder.display()
        ))),
        false => Ok(chosen),
    }
}

fn of_files(folder: &Path, selection: &Selection) -> io::Result<Vec<Problem>> {
    let (mut open, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                open.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap_or(&path);
            let name = name.display().to_string();
            if let Some(kind) = Kind::of(&name)
                && selection.has(&BTreeMap::new(), &name)?
            {
                found.push(Problem {
                    name,
                    file: path,
                    kind,
                    expected: Answer::Unknown,
                    fields: BTreeMap::new(),
                });
            }
        }
    }
    found.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(found)
}

fn of_index(folder: &Path, text: &str, selection: &Selection) -> io::Result<Vec<Problem>> {
    let mut lines = text.lines();
    let header = cells(lines.next().unwrap_or_default());
    let column = |names: &[&str]| {
        header
            .iter()
            .position(|name| names.contains(&name.as_str()))
    };
    let missing = |names: &str| io::Error::other(format!("it has no column {names}"));
    let name = column(&["file", "name"]).ok_or_else(|| missing("`file` or `name`"))?;
    let answer = column(&["expected", "answer", "right"])
        .ok_or_else(|| missing("`expected`, `answer` or `right`"))?;
    let mut found = Vec::new();
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let cells = cells(line);
        let (Some(file), Some(expected)) = (cells.get(name), cells.get(answer)) else {
            return Err(io::Error::other(format!("{line}: it has too few cells")));
        };
        let fields: BTreeMap<String, String> =
            header.iter().cloned().zip(cells.iter().cloned()).collect();
        let property = fields.get("property").map_or("", String::as_str);
        let name = match property {
            "" => file.clone(),
            property => format!("{file}#{property}"),
        };
        if !selection.has(&fields, &name)? {
            continue;
        }
        // Formulas are listed without the end of their names.
        let ends = ["", ".cnf", ".cnf.gz", ".cnf.xz"];
        let mut paths = ends.iter().map(|end| folder.join(format!("{file}{end}")));
        let path = paths.find(|path| path.is_file());
        let path =
            path.ok_or_else(|| io::Error::other(format!("{file}: there is no such file")))?;
        let kind = match property {
            "" => Kind::of(&path.display().to_string()),
            _ => Some(Kind::Live),
        };
        let kind =
            kind.ok_or_else(|| io::Error::other(format!("{file}: its kind is not known")))?;
        found.push(Problem {
            name,
            file: path,
            kind,
            expected: Answer::parse(expected),
            fields,
        });
    }
    Ok(found)
}

/// The cells of a line. Those in quotes may have commas.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut is_quoted) = (vec![String::new()], false);
    for character in line.chars() {
        let last = cells.len() - 1;
        match character {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            other => cells[last].push(other),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_tells_what_is_expected() {
        let folder = tempfile::tempdir().unwrap();
        let index = "file,property,note,expected,tier\na.aig,0,\"2, or 3\",holds,core\na.aig,1,,fails,core\nb.btor2,,,unsafe,other\n";
        fs::write(folder.path().join("index.csv"), index).unwrap();
        for name in ["a.aig", "b.btor2"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let all = problems(
            folder.path(),
            &Selection {
                every: 1,
                ..Selection::default()
            },
        )
        .unwrap();
        let told: Vec<_> = all
            .iter()
            .map(|it| (it.name.as_str(), it.kind, it.expected))
            .collect();
        assert_eq!(
            told,
            [
                ("a.aig#0", Kind::Live, Answer::Good),
                ("a.aig#1", Kind::Live, Answer::Bad),
                ("b.btor2", Kind::Words, Answer::Bad)
            ]
        );
        assert_eq!(
            (all[0].field("note"), all[0].field("other")),
            ("2, or 3", "")
        );
        let select = |condition: &str| Selection {
            conditions: vec![condition.to_owned()],
            ..Selection::default()
        };
        assert_eq!(
            problems(folder.path(), &select("tier!=core"))
                .unwrap()
                .len(),
            1
        );
        assert!(problems(folder.path(), &select("tier=none")).is_err());
        let error = problems(folder.path(), &select("size=3")).unwrap_err();
        assert!(error.to_string().contains("no column size"), "{error}");
    }

    #[test]
    fn a_folder_without_an_index_has_its_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("x")).unwrap();
        for name in ["x/a.cnf.gz", "b.c", "notes.txt"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let all = problems(folder.path(), &Selection::default()).unwrap();
        let told: Vec<_> = all.iter().map(|it| (it.name.as_str(), it.kind)).collect();
        assert_eq!(told, [("b.c", Kind::C), ("x/a.cnf.gz", Kind::Formulas)]);
    }
}
