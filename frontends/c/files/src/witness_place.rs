//! The files of a program that a witness names.
//!
//! Tools write the path that they were given, or the name alone, and run in other directories. What counts is
//! the file itself if the path leads to one, and else how many of the last components agree.

use std::path::{Component, Path, PathBuf};

/// The names among `files` of the file that a witness calls `wanted`. None if it is not among them.
///
/// # Errors
/// If several files fit equally well.
pub fn named<'f>(
    files: impl Iterator<Item = &'f String>,
    wanted: &str,
) -> Result<Vec<String>, String> {
    let mut best: Vec<&String> = Vec::new();
    // At least the last component agrees, unless the path leads to the file.
    let mut rank = 1;
    let target = real(wanted);
    for file in files {
        let is_target = real(file) == target;
        let own = if is_target {
            usize::MAX
        } else {
            n_common(file, wanted)
        };
        if own > rank {
            best.clear();
            rank = own;
        }
        if own == rank {
            best.push(file);
        }
    }
    best.sort_unstable();
    best.dedup();
    if let [first, rest @ ..] = best.as_slice()
        && let Some(other) = rest.iter().find(|other| real(other) != real(first))
    {
        return Err(format!("`{wanted}` may be {first} or {other}"));
    }
    Ok(best.into_iter().cloned().collect())
}

/// The path of an existing file without links; the name itself for any other.
fn real(name: &str) -> PathBuf {
    std::fs::canonicalize(name).unwrap_or_else(|_| PathBuf::from(name))
}

/// How many of the last components of two paths agree.
fn n_common(first: &str, second: &str) -> usize {
    let parts = |name| {
        let parts = Path::new(name).components().rev();
        parts.filter(|part| matches!(part, Component::Normal(_)))
    };
    let pairs = parts(first).zip(parts(second));
    pairs.take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_components_tell_files_apart() {
        let files = ["none/a/f.c", "none/b/f.c", "none/b/f.c", "none/g.c"].map(str::to_owned);
        let of = |wanted: &str| named(files.iter(), wanted);
        assert_eq!(of("/other/b/f.c"), Ok(vec![files[1].clone()]));
        assert_eq!(of("./g.c"), Ok(vec![files[3].clone()]));
        assert_eq!(of("h.c"), Ok(Vec::new()));
        assert!(of("f.c").is_err());
        assert!(of("none/f.c").is_err());
        assert_eq!(of("none/a/f.c"), Ok(vec![files[0].clone()]));
    }

    #[test]
    fn paths_to_one_file_are_one() {
        let own = file!().rsplit('/').next().unwrap();
        let manifest = env!("CARGO_MANIFEST_DIR");
        let files = [
            format!("{manifest}/src/{own}"),
            format!("{manifest}/./src/../src/{own}"),
            format!("elsewhere/src/{own}"),
        ];
        let found = named(files.iter(), &files[0]).unwrap();
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
