//! The design of all pages: one file each, without anything from elsewhere.

pub(super) mod chart;
pub(super) mod source;
pub(super) mod wave;

use std::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

use super::json::VERSION;

/// A text in HTML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// JSON inside of an element for scripts.
pub(super) fn embedded(json: &str) -> String {
    json.replace("</", "<\\/")
}

/// The date of today, in UTC.
fn today() -> String {
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.as_secs());
    let [year, month, day] = date_of(seconds / 86_400);
    let (hour, minute) = (seconds % 86_400 / 3600, seconds % 3600 / 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02} UTC")
}

/// Year, month and day of a day since 1970, in the Gregorian calendar: years begin in March, so that the odd day is the last
/// one.
fn date_of(days: u64) -> [u64; 3] {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    [era * 400 + year + u64::from(month <= 2), month, day]
}

/// A page: title, the command line, version and date, and then `body`, which is HTML.
pub(super) fn page(title: &str, body: &str) -> String {
    let command: Vec<String> = std::env::args().skip(1).map(|it| shell_word(&it)).collect();
    let mut page = String::new();
    let title = escaped(title);
    // Writing to a string does not fail.
    let _ = write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n\
         <p class=\"about\"><code>craig {}</code><br>craig {}, {}</p>\n</header>\n{body}</body>\n</html>\n",
        escaped(&command.join(" ")),
        escaped(VERSION),
        today()
    );
    page
}

/// An argument as a shell takes it.
fn shell_word(argument: &str) -> String {
    let is_plain = |it: char| it.is_alphanumeric() || "-_./:=,+@%".contains(it);
    match !argument.is_empty() && argument.chars().all(is_plain) {
        true => argument.to_owned(),
        false => format!("'{}'", argument.replace('\'', "'\\''")),
    }
}

/// The style of all pages: light and dark, for screens of all widths and for paper.
const STYLE: &str = include_str!("style.css");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates() {
        assert_eq!(date_of(0), [1970, 1, 1]);
        assert_eq!(date_of(59), [1970, 3, 1]);
        assert_eq!(date_of(11_016), [2000, 2, 29]);
        assert_eq!(date_of(20_783), [2026, 11, 26]);
    }

    #[test]
    fn a_page_has_its_title_command_version_and_both_schemes() {
        let page = page("a < b", "<p>body</p>\n");
        assert!(page.contains("<title>a &lt; b</title>"));
        assert!(page.contains(VERSION) && page.contains(" UTC</p>"));
        assert!(page.contains("prefers-color-scheme: dark") && page.contains("@media print"));
        assert!(!page.contains("http"));
        assert_eq!(shell_word("a b"), "'a b'");
        assert_eq!(shell_word("--x=1"), "--x=1");
    }
}
