//! The program and property in the metadata of written files.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::sha256::sha256;
use craig_c_lang::given_text::source_bytes;
use craig_c_lang::source::LinkedFile;
use craig_c_lang::types::DataModel;

/// A program and a property, as files name them.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program's file.
    pub file: String,
    /// Its SHA-256, in hexadecimal.
    pub hash: String,
    /// The other files of the program with their SHA-256.
    pub(crate) linked: Vec<(String, String)>,
    /// The property in the notation of SV-COMP.
    pub specification: String,
    /// The machine.
    pub model: DataModel,
    /// The function in which the program starts.
    pub entry: String,
    /// When the file was made, ISO 8601 in UTC.
    pub time: String,
}

impl Task {
    /// Describes a program.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn new(
        file: &Path,
        specification: &str,
        model: DataModel,
        entry: &str,
    ) -> Result<Self, String> {
        let bytes = source_bytes(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Ok(Self {
            file: file.display().to_string(),
            hash: sha256(&bytes),
            linked: Vec::new(),
            specification: specification.to_string(),
            model,
            entry: entry.to_string(),
            time: utc(now.map_or(0, |time| time.as_secs())),
        })
    }

    /// This task for a program of several files.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub fn with_linked(mut self, files: &[LinkedFile]) -> Result<Self, String> {
        for file in files {
            let name = file.path.display().to_string();
            let bytes = source_bytes(&file.path).map_err(|error| format!("{name}: {error}"))?;
            self.linked.push((name, sha256(&bytes)));
        }
        Ok(self)
    }

    /// A UUID (RFC 4122, version 4) determined by the program, the time and some text.
    pub(crate) fn uuid(&self, text: &str) -> String {
        let hash = sha256(format!("{}{}{text}", self.hash, self.time).as_bytes());
        let variant = ["8", "9", "a", "b"][usize::from(hash.as_bytes()[16]) % 4];
        format!(
            "{}-{}-4{}-{variant}{}-{}",
            &hash[..8],
            &hash[8..12],
            &hash[13..16],
            &hash[17..20],
            &hash[20..32]
        )
    }

    pub(crate) fn data_model(&self) -> &'static str {
        match self.model {
            DataModel::Lp64 => "LP64",
            DataModel::Ilp32 => "ILP32",
        }
    }
}

/// Seconds since 1970 as a date and time (Hinnant, "chrono-Compatible Low-Level Date Algorithms":
/// `civil_from_days`).
fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86400, seconds % 86400);
    // Days since the first of March of year 0; years start with March, so that leap days come last.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}

/// A string for YAML, quoted.
pub(crate) fn yaml(text: &str) -> String {
    format!("'{}'", text.replace(['\n', '\r'], " ").replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(utc(4_102_444_799), "2099-12-31T23:59:59Z");
    }

    #[test]
    fn quotes_are_doubled() {
        assert_eq!(yaml("it's"), "'it''s'");
    }
}
