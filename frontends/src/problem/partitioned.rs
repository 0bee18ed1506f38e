//! DIMACS files whose comments divide the clauses into partitions.
//!
//! A line `c partition N` puts the clauses that start after it into partition `N`, up to the next such line. There is such a
//! partition also if no clause follows.
//! Clauses before the first one are in partition 0, with a warning. Other comments are
//! ignored.

use craig_formula::dimacs::{self, DimacsError};
use craig_solver::{Cnf, Label};

use super::formula::Problem;

/// The error in a file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PartitionError {
    /// It is not a DIMACS file.
    #[error(transparent)]
    Dimacs(#[from] DimacsError),
    /// A partition comment without a partition.
    #[error(
        "{file}:{line}: \"c partition\" needs a number from 0 to 4294967295, and nothing behind it"
    )]
    Partition {
        /// The file's name, as the caller gave it.
        file: String,
        /// The line, counted from 1.
        line: usize,
    },
}

/// Reads a DIMACS file with partition comments; `file` is its name in error messages.
///
/// # Errors
/// If the file is malformed.
pub(crate) fn partitioned(bytes: &[u8], file: &str) -> Result<Problem, PartitionError> {
    let cnf = dimacs::read(&mut &bytes[..], file)?;
    // The file is well-formed: every line that is neither comment nor header consists of numbers, and a
    // clause ends at a zero.
    let mut labelled = Cnf::new();
    labelled.reserve_vars(cnf.n_vars());
    let mut here: Label = 0;
    let mut named: Vec<Label> = Vec::new();
    // The clauses before the first partition.
    let mut n_before = 0;
    let mut of_clause = None;
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let mut words = line
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty());
        let first = words.next();
        match first {
            None => continue,
            Some(word) if word.starts_with(b"c") => {
                if word == b"c" && words.next() == Some(b"partition") {
                    let number = words.next().and_then(|word| std::str::from_utf8(word).ok());
                    let number = number.and_then(|word| word.parse().ok());
                    let number = number.filter(|_| words.next().is_none());
                    here = number.ok_or_else(|| PartitionError::Partition {
                        file: file.to_owned(),
                        line: index + 1,
                    })?;
                    named.push(here);
                }
                continue;
            }
            Some(word) if word.starts_with(b"p") => continue,
            Some(_) => {}
        }
        for word in first.into_iter().chain(words) {
            let label = *of_clause.get_or_insert(here);
            let is_zero = word.iter().all(|&byte| matches!(byte, b'0' | b'-' | b'+'));
            if is_zero && labelled.n_clauses() < cnf.n_clauses() {
                labelled.add_labelled_clause(cnf.clause(labelled.n_clauses()), label);
                of_clause = None;
                n_before += usize::from(named.is_empty());
            }
        }
    }
    debug_assert_eq!(labelled.n_clauses(), cnf.n_clauses());
    // All clauses in one partition are an error of what asks for a cut.
    let warning = (n_before > 0 && !named.is_empty()).then(|| {
        format!(
            "{file}: clauses before the first line \"c partition N\", which are in partition 0: {n_before}"
        )
    });
    Ok(Problem {
        cnf: labelled,
        named,
        warning,
        ..Problem::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Vec<Label> {
        let problem = partitioned(text.as_bytes(), "file").unwrap();
        problem.cnf.iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn comments_switch_the_partition_for_what_starts_behind_them() {
        let text = "c partition of nothing\n";
        assert!(partitioned(text.as_bytes(), "f").is_err());
        let text = "c a comment\np cnf 3 6\n1 0 2 0\nc partition 3\n-1\nc partition 1\n2 0\n\
                    c partitions 9\n3 0 c\n";
        assert!(partitioned(text.as_bytes(), "f").is_err());
        let text =
            "p cnf 3 5\n1 0 2 0\nc partition 3\n-1\nc partition 1\n2 0\n-3 0\ncomment\n\t3 0\r\n";
        assert_eq!(labels(text), [0, 0, 3, 1, 1]);
        assert_eq!(labels("p cnf 0 1\nc partition 7\n0\n"), [7]);
        assert!(labels("p cnf 10 0\n").is_empty());
    }

    #[test]
    fn partitions_without_clauses_are_partitions() {
        let problem = partitioned(b"p cnf 1 2\nc partition 1\nc partition 4\n1 0\n-1 0\n", "f");
        let problem = problem.unwrap();
        assert_eq!(problem.labels(), [1, 4]);
        assert_eq!(problem.partitions(), Ok((1, 4)));
        assert!(problem.check_cut(3).is_ok() && problem.check_cut(4).is_err());
        let one = partitioned(b"p cnf 1 1\nc partition 4\n1 0\n", "f").unwrap();
        assert!(one.partitions().is_err());
    }

    #[test]
    fn clauses_without_a_partition_are_told() {
        let undivided = partitioned(b"p cnf 10 1\n10 0\n", "f.cnf").unwrap();
        assert!(undivided.partitions().is_err());
        let warning = |text: &[u8]| partitioned(text, "f.cnf").unwrap().warning;
        let told = warning(b"p cnf 2 3\n1 0 -1\n0\nc partition 1\n2 0\n").unwrap();
        assert!(
            told.starts_with("f.cnf: ") && told.ends_with(" partition 0: 2"),
            "{told}"
        );
        assert_eq!(
            warning(b"p cnf 2 2\nc partition 0\n1 0\nc partition 1\n2 0\n"),
            None
        );
    }

    #[test]
    fn a_bad_partition_is_reported_with_its_line() {
        for word in ["", "x", "-1", "4294967296", "9 x", "1 0"] {
            let text = format!("p cnf 1 1\nc partition {word}\n1 0\n");
            let error = partitioned(text.as_bytes(), "f.cnf").unwrap_err();
            assert!(error.to_string().starts_with("f.cnf:2: "), "{error}");
        }
        let error = partitioned(b"p cnf 1 1\n2 0\n", "f.cnf").unwrap_err();
        assert!(error.to_string().starts_with("f.cnf:2:1: "), "{error}");
    }
}
