//! Readers: mutated files of each format are refused with a message, or read; what is read is written and read again.

mod formats;
mod mutate;

use std::time::{Duration, Instant};

use craig_aig::Random;

use super::Subject;
use super::shrink::without_parts;
use super::tally::Tally;
use formats::{Format, formats};
use mutate::{mutated, pieces};

/// The time for one small file.
const MOST: Duration = Duration::from_secs(10);

/// All readers, or that of one format.
pub(super) struct Readers {
    formats: Vec<Format>,
}

impl Readers {
    /// The readers of a format, or of all.
    ///
    /// # Errors
    /// If there is no such format.
    pub(super) fn new(only: Option<&str>) -> Result<Self, String> {
        let all = formats();
        let names: Vec<&str> = all.iter().map(|format| format.name).collect();
        let names = names.join(", ");
        let mut formats = all;
        formats.retain(|format| only.is_none_or(|name| name == format.name));
        match formats.is_empty() {
            true => Err(format!("--format: expected one of {names}")),
            false => Ok(Self { formats }),
        }
    }
}

/// The bytes of a file, and the place of its format.
#[derive(Clone, Debug)]
pub(super) struct Case {
    format: usize,
    bytes: Vec<u8>,
}

impl Subject for Readers {
    type Case = Case;

    fn case(&self, random: &mut Random) -> Case {
        let format = random.below(self.formats.len());
        let files = &self.formats[format].files;
        let mut bytes = files[random.below(files.len())].clone();
        for _ in 0..1 + random.below(4) {
            let other = &files[random.below(files.len())];
            bytes = mutated(&bytes, other, random);
        }
        Case { format, bytes }
    }

    fn judge(&self, case: &Case, tally: &mut Tally) -> Result<(), String> {
        let format = &self.formats[case.format];
        let begin = Instant::now();
        let is_read = (format.read)(&case.bytes)?;
        tally.count(&format!(
            "{}: {}",
            format.name,
            if is_read { "read" } else { "refused" }
        ));
        match begin.elapsed() {
            spent if spent > MOST => Err(format!("slow: {} s", spent.as_secs())),
            _ => Ok(()),
        }
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        let lines = without_parts(&pieces(&case.bytes, |byte| byte == b'\n'));
        let words = pieces(&case.bytes, |byte| byte.is_ascii_whitespace());
        // Single bytes only where there are few: each list has as many cases as it has bytes.
        let (few_words, few_bytes) = (words.len() <= 400, case.bytes.len() <= 200);
        let words = match few_words {
            true => without_parts(&words),
            false => Vec::new(),
        };
        let bytes = few_bytes.then(|| without_parts(&case.bytes));
        let lists = lines.into_iter().chain(words).map(|list| list.concat());
        lists
            .chain(bytes.unwrap_or_default())
            .filter(|bytes| bytes.len() < case.bytes.len())
            .map(|bytes| Case {
                format: case.format,
                bytes,
            })
            .collect()
    }

    fn text(&self, case: &Case) -> (String, &'static str) {
        let (bytes, extension) = self.file(case);
        (String::from_utf8_lossy(&bytes).into_owned(), extension)
    }

    fn file(&self, case: &Case) -> (Vec<u8>, &'static str) {
        (case.bytes.clone(), self.formats[case.format].extension)
    }

    fn replay(&self, name: &str, bytes: &[u8]) -> Option<Result<Case, String>> {
        let extension = name.rsplit('.').next().unwrap_or_default();
        let mut all = self.formats.iter();
        let format = all.position(|format| format.extension == extension);
        Some(match format {
            Some(format) => Ok(Case {
                format,
                bytes: bytes.to_vec(),
            }),
            None => Err(format!("{name}: its extension is that of no reader")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_of;
    use super::super::shrink::{judged, shrunk};
    use super::*;

    #[test]
    fn mutated_files_are_read_or_refused() {
        let readers = Readers::new(None).unwrap();
        let mut tally = Tally::default();
        for number in 0..600 {
            let case = readers.case(&mut random_of(3, number));
            let text = String::from_utf8_lossy(&case.bytes).into_owned();
            assert_eq!(
                judged(&readers, &case, &mut tally),
                Ok(()),
                "{number}: {text}"
            );
        }
        for format in &readers.formats {
            // Mutations that make all of a format invalid would test nothing behind its first check.
            for what in ["read", "refused"] {
                let count = tally.of(&format!("{}: {what}", format.name));
                assert!(count > 0, "{} {what}\n{tally}", format.name);
            }
        }
    }

    #[test]
    fn the_files_themselves_are_read() {
        for format in formats() {
            for (number, file) in format.files.iter().enumerate() {
                assert_eq!((format.read)(file), Ok(true), "{} {number}", format.name);
            }
        }
    }

    #[test]
    fn a_finding_is_made_smaller_and_read_again() {
        let read: fn(&[u8]) -> Result<bool, String> =
            |bytes| match bytes.windows(3).any(|it| it == b"bad") {
                true => Err("word: it is bad".to_owned()),
                false => Ok(true),
            };
        let readers = Readers {
            formats: vec![Format {
                name: "words",
                extension: "txt",
                files: vec![b"all\nis bad here\nor there\n".to_vec()],
                read,
            }],
        };
        let case = Case {
            format: 0,
            bytes: readers.formats[0].files[0].clone(),
        };
        let (case, _) = shrunk(&readers, &case, "word: it is bad");
        assert_eq!(case.bytes, b"bad");
        let again = readers.replay("case-3.txt", b"bad").unwrap().unwrap();
        assert!(judged(&readers, &again, &mut Tally::default()).is_err());
        assert!(readers.replay("case-3.cnf", b"").unwrap().is_err());
        assert!(Readers::new(Some("words")).is_err());
    }
}
