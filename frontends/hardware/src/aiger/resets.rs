//! Latches whose reset is a formula, which the parser of the other lines does not accept.

use super::encoding::Encoding;
use super::header::Header;

/// The lines before the outputs, with reset functions replaced.
pub(super) struct LatchLines {
    /// The lines, in which the latches with a reset function are uninitialised.
    pub(super) text: Vec<u8>,
    /// The number of bytes of the file that they replace.
    pub(super) n_bytes: usize,
    /// The latches with a reset function, by their positions, and the literals.
    pub(super) functions: Vec<(usize, u32)>,
}

/// The lines of a file from the inputs to the latches; `None` if there is no reset function. Lines that are
/// malformed are copied, for the parser to reject.
pub(super) fn latch_lines(header: &Header, bytes: &[u8]) -> Option<LatchLines> {
    let n_inputs = match header.encoding {
        Encoding::Ascii => header.inputs,
        Encoding::Binary => 0,
    };
    let mut lines = LatchLines {
        text: Vec::new(),
        n_bytes: 0,
        functions: Vec::new(),
    };
    let all = bytes.split_inclusive(|&byte| byte == b'\n');
    for (number, line) in all.take(n_inputs + header.latches).enumerate() {
        lines.n_bytes += line.len();
        let function = number.checked_sub(n_inputs).and_then(|latch| {
            let (before, own, reset) = function(header, latch, line)?;
            lines.functions.push((latch, reset));
            Some((before, own))
        });
        match function {
            None => lines.text.extend(line),
            Some((before, own)) => {
                lines.text.extend(before);
                lines.text.extend(format!("{own}\n").bytes());
            }
        }
    }
    (!lines.functions.is_empty()).then_some(lines)
}

/// What precedes the reset in a latch's line, the latch's literal, and the reset, if this is a formula.
fn function<'a>(header: &Header, latch: usize, line: &'a [u8]) -> Option<(&'a [u8], u32, u32)> {
    let text = line.strip_suffix(b"\n")?;
    let before = &text[..=text.iter().rposition(|&byte| byte == b' ')?];
    let mut numbers = text.split(|&byte| byte == b' ').map(literal);
    let own = match header.encoding {
        Encoding::Ascii => numbers.next()??,
        Encoding::Binary => u32::try_from(2 * (header.inputs + latch + 1)).ok()?,
    };
    numbers.next()??;
    let reset = numbers.next()??;
    (numbers.next().is_none() && reset > 1 && reset != own).then_some((before, own, reset))
}

/// A literal in decimal digits.
fn literal(digits: &[u8]) -> Option<u32> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| std::str::from_utf8(digits).ok()?.parse().ok())?
}
