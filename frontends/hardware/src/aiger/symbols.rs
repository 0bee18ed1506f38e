//! Names and comments after the gates.

use super::encoding::Encoding;
use super::fault::{Fault, Place};
use super::header::{Header, quote};

/// The symbol table: for each kind either empty or a name for each entry.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    pub(super) inputs: Vec<String>,
    pub(super) latches: Vec<String>,
    pub(super) outputs: Vec<String>,
    pub(super) bads: Vec<String>,
    pub(super) constraints: Vec<String>,
    pub(super) justice: Vec<String>,
    pub(super) fairness: Vec<String>,
    pub(super) comment: Option<String>,
}

impl Symbols {
    fn names(&mut self, header: &Header, kind: u8) -> Option<(&mut Vec<String>, usize)> {
        Some(match kind {
            b'i' => (&mut self.inputs, header.inputs),
            b'l' => (&mut self.latches, header.latches),
            b'o' => (&mut self.outputs, header.outputs),
            b'b' => (&mut self.bads, header.bads),
            b'c' => (&mut self.constraints, header.constraints),
            b'j' => (&mut self.justice, header.justice),
            b'f' => (&mut self.fairness, header.fairness),
            _ => return None,
        })
    }
}

/// Parses everything from the offset `start` on.
pub(super) fn parse(header: &Header, bytes: &[u8], start: usize) -> Result<Symbols, Fault> {
    let mut symbols = Symbols::default();
    let mut offset = start;
    // Binary gates may contain line-end bytes: there, only byte offsets are meaningful.
    let mut line = 1 + bytes[..start].iter().filter(|&&byte| byte == b'\n').count();
    while offset < bytes.len() {
        let place = match header.encoding {
            Encoding::Ascii => Place::Line(line),
            Encoding::Binary => Place::Byte(offset),
        };
        let rest = &bytes[offset..];
        let end = rest.iter().position(|&byte| byte == b'\n');
        let text = &rest[..end.unwrap_or(rest.len())];
        if text == b"c" {
            let comment = rest.get(2..).unwrap_or_default();
            let comment = comment.strip_suffix(b"\n").unwrap_or(comment);
            symbols.comment = Some(String::from_utf8_lossy(comment).into_owned());
            return Ok(symbols);
        }
        if end.is_none() {
            return Err(Fault::new(place, "the file ends within a symbol"));
        }
        let unexpected = || {
            Fault::new(
                place,
                format!(
                    "expected a symbol (such as \"i0 name\"), the line \"c\" or the end of the file but \
                     found {}",
                    quote(text)
                ),
            )
        };
        let (kind, index, name) = split(text).ok_or_else(unexpected)?;
        let (names, count) = symbols.names(header, kind).ok_or_else(unexpected)?;
        if index >= count {
            return Err(Fault::new(
                place,
                format!(
                    "there is a name for {}{index}, but the header declares {count} of these",
                    char::from(kind)
                ),
            ));
        }
        if names.is_empty() {
            names.resize(count, String::new());
        }
        if !names[index].is_empty() {
            return Err(Fault::new(
                place,
                format!("{}{index} has two names", char::from(kind)),
            ));
        }
        names[index] = String::from_utf8_lossy(name).into_owned();
        offset += text.len() + 1;
        line += 1;
    }
    Ok(symbols)
}

/// The kind, the number and the name in a line such as `i0 name`.
fn split(text: &[u8]) -> Option<(u8, usize, &[u8])> {
    let (&kind, rest) = text.split_first()?;
    let space = rest.iter().position(|&byte| byte == b' ')?;
    let (digits, name) = (&rest[..space], &rest[space + 1..]);
    if digits.is_empty() || digits.len() > 9 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let index = digits
        .iter()
        .fold(0, |index, digit| 10 * index + usize::from(digit - b'0'));
    Some((kind, index, name))
}
