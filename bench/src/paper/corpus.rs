//! The programs of the corpus.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::answer::Answer;

/// A program with its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    /// Its path in the corpus.
    pub(super) file: String,
    pub(super) path: PathBuf,
    pub(super) family: String,
    pub(super) expected: Answer,
    /// Whether `int *` has 32 bits.
    pub(super) is_32_bit: bool,
}

impl Task {
    /// Whether it is a circuit, which engines for programs do not decide.
    pub(super) fn is_circuit(&self) -> bool {
        let extension = self.path.extension().and_then(|text| text.to_str());
        extension.is_some_and(|text| ["aag", "aig", "btor", "btor2"].contains(&text))
    }
}

/// The programs, or circuits, of the core tier whose verdict is not disputed, by the index of a folder. It has the columns
/// `file`, `family` and `expected`, and may have `status`, `tier` and `data_model`.
pub(super) fn read(folder: &Path) -> io::Result<Vec<Task>> {
    let path = folder.join("index.csv");
    let text = fs::read_to_string(&path)
        .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
    parse(folder, &text)
        .map_err(|column| io::Error::other(format!("the index has no column {column}")))
}

/// The tasks in the text of an index; otherwise the name of a missing column.
pub(super) fn parse(folder: &Path, text: &str) -> Result<Vec<Task>, &'static str> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let column = |name: &'static str| {
        let place = header.iter().position(|&column| column == name);
        place.ok_or(name)
    };
    let needed = [column("file")?, column("family")?, column("expected")?];
    let others = ["status", "tier", "data_model"].map(|name| column(name).ok());
    let tasks = lines.filter_map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let field = |column: usize| fields.get(column).copied().unwrap_or_default();
        let [file, family, expected] = needed.map(field);
        let [status, tier, model] = others.map(|column| column.map(field));
        let is_core = tier.is_none_or(|tier| tier == "core");
        (is_core && status != Some("disputed")).then(|| Task {
            file: file.to_owned(),
            path: folder.join(file),
            family: family.to_owned(),
            expected: Answer::parse(expected),
            is_32_bit: model == Some("32"),
        })
    });
    Ok(tasks.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_of_the_core_tier_are_read() {
        let text = "file,family,expected,status,tier,loc,data_model\n\
                    a.c,f,safe,open,core,1,32\n\
                    b.c,f,unsafe,disputed,core,1,32\n\
                    c.c,f,unsafe,confirmed,extended,1,32\n\
                    d.c,g,unsafe,confirmed,core,1,64\n";
        let task = |file: &str, family: &str, expected, is_32_bit| Task {
            file: file.to_owned(),
            path: PathBuf::from(format!("folder/{file}")),
            family: family.to_owned(),
            expected,
            is_32_bit,
        };
        let wanted = vec![
            task("a.c", "f", Answer::Good, true),
            task("d.c", "g", Answer::Bad, false),
        ];
        let folder = Path::new("folder");
        assert_eq!(parse(folder, text), Ok(wanted));
        assert_eq!(parse(folder, "file,expected\n"), Err("family"));
        let circuits = "file,family,bytes,expected\nc.aig,h,7,safe\n";
        assert_eq!(
            parse(folder, circuits),
            Ok(vec![task("c.aig", "h", Answer::Good, false)])
        );
        assert!(task("c.aig", "h", Answer::Good, false).is_circuit());
        assert!(!task("c.c", "h", Answer::Good, false).is_circuit());
    }
}
