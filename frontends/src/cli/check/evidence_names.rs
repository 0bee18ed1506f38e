//! The names of the files of evidence about several inputs.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use craig_c::sha256;

use super::arguments::Arguments;
use crate::cli::failure::Failure;

/// The part of a name that files about several properties of an input share, in lower case: on some systems, names differ
/// by more than the case of their letters.
fn key(name: &str) -> String {
    let first = name.trim_start_matches('.').split('.').next();
    first.unwrap_or_default().to_lowercase()
}

/// The name of the evidence about each input, by the inputs' paths and the extensions of their evidence. Names never clash,
/// not even with those of the files about single properties, which have more after the input's name: two names are
/// different up to their first dot, or they have different digests.
fn names(inputs: &[(PathBuf, &str)]) -> Vec<OsString> {
    let own = |path: &Path| match path.file_name() {
        Some(name) if path != Path::new("-") => name.to_string_lossy().into_owned(),
        _ => "stdin".to_owned(),
    };
    let mut alike: HashMap<String, usize> = HashMap::new();
    for (path, _) in inputs {
        *alike.entry(key(&own(path))).or_default() += 1;
    }
    let mut times: HashMap<&Path, usize> = HashMap::new();
    let name = |(path, extension): &'_ (PathBuf, &str), time: usize| {
        let name = own(path);
        match alike[&key(&name)] {
            1 => format!("{name}.{extension}"),
            _ => {
                let digest = sha256(format!("{time} {}", path.display()).as_bytes());
                format!("{name}.{}.{extension}", &digest[..16])
            }
        }
    };
    let mut all = Vec::new();
    for input in inputs {
        let time = times.entry(&input.0).or_default();
        *time += 1;
        all.push(name(input, *time).into());
    }
    all
}

/// The files of the evidence about each of the inputs, in a folder that is made if it isn't there.
pub(super) fn evidence_names(
    folder: &Path,
    arguments: &Arguments,
) -> Result<Vec<PathBuf>, Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::input(format!("{}: can't be made: {error}", folder.display())))?;
    let extension = |file: &PathBuf| match arguments.is_c(file) || arguments.is_database(file) {
        true => (file.clone(), "yml"),
        false => (file.clone(), "witness"),
    };
    let inputs: Vec<_> = arguments.files.iter().map(extension).collect();
    Ok(names(&inputs)
        .iter()
        .map(|name| folder.join(name))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_evidence_never_clash() {
        let of = |paths: &[&str]| {
            let inputs: Vec<_> = paths
                .iter()
                .map(|path| (PathBuf::from(path), "yml"))
                .collect();
            let names = names(&inputs).into_iter();
            names
                .map(|name| name.into_string().unwrap())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            of(&["x/one.c", "two.c", "-"]),
            ["one.c.yml", "two.c.yml", "stdin.yml"]
        );
        // The second is what the evidence about a property of the first would be called.
        let alike = of(&["x/w.aag", "y/w.aag.b3", "W.aag", "x/w.aag", "other.c"]);
        assert_eq!(alike[4], "other.c.yml");
        for (index, name) in alike.iter().enumerate().take(4) {
            let digest = name.split('.').nth_back(1).unwrap();
            assert_eq!(digest.len(), 16, "{name}");
            assert!(!alike[..index].iter().any(|other| other.contains(digest)));
        }
        // The name depends on the path alone, not on the place in the list.
        assert_eq!(of(&["other.c", "x/w.aag", "y/w.aag.b3"])[1], alike[0]);
    }
}
