//! The words of a line.

use super::fault::Fault;

/// A line that is neither empty nor a comment, without the blanks around its words.
pub(super) struct Tokens<'a> {
    /// The number of the line, counted from 1.
    pub(super) line: usize,
    rest: &'a str,
}

/// The lines of a file that are neither empty nor comments. A line may end with a carriage return and a line
/// feed. Bytes that are not UTF-8 are an error outside comments.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = Result<Tokens<'_>, Fault>> {
    let lines = bytes.split(|&byte| byte == b'\n').enumerate();
    lines.filter_map(|(index, bytes)| {
        let bytes = bytes.trim_ascii();
        if matches!(bytes.first(), None | Some(b';')) {
            return None;
        }
        let line = index + 1;
        // A comment may have any encoding.
        let comment = bytes
            .windows(2)
            .position(|pair| matches!(pair, b" ;" | b"\t;"));
        let bytes = &bytes[..comment.unwrap_or(bytes.len())];
        Some(match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Tokens { line, rest: text }),
            Err(_) => Err(Fault {
                line,
                message: "expected text in UTF-8".to_owned(),
            }),
        })
    })
}

impl<'a> Tokens<'a> {
    /// An error in this line.
    pub(super) fn fault(&self, message: impl Into<String>) -> Fault {
        Fault {
            line: self.line,
            message: message.into(),
        }
    }

    /// The next word, if there is one.
    pub(super) fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        let end = text.find([' ', '\t']).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    /// The next word.
    pub(super) fn expect(&mut self, what: &str) -> Result<&'a str, Fault> {
        self.next()
            .ok_or_else(|| self.fault(format!("the line ends where {what} is expected")))
    }

    /// The next word as a number, written without a sign and without leading zeros.
    pub(super) fn number(&mut self, what: &str) -> Result<u64, Fault> {
        let word = self.expect(what)?;
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit())
            && (word == "0" || !word.starts_with('0'));
        let number = word.parse().ok().filter(|_| is_number);
        number.ok_or_else(|| {
            let found = super::constant::shortened(word);
            self.fault(format!("expected {what}, but found {found:?}"))
        })
    }
}
