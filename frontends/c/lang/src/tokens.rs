//! The text of a C file without comments and directives.

/// The text with comments, line markers, pragmas and spliced lines blanked, with unchanged positions; and the
/// lines of markers and pragmas, with their positions.
pub(crate) fn blank(text: &str) -> (Vec<u8>, Vec<(usize, &str)>) {
    let mut directives = Vec::new();
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    let mut line_start = true;
    let erase = |out: &mut Vec<u8>, from: usize, to: usize| {
        for byte in &mut out[from..to] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    };
    while at < bytes.len() {
        let rest = &bytes[at..];
        let found = |needle: &[u8]| rest.windows(needle.len()).position(|part| part == needle);
        let skip = match rest[0] {
            b'/' if rest.starts_with(b"/*") => {
                let length = rest[2..]
                    .windows(2)
                    .position(|part| part == b"*/")
                    .map_or(rest.len(), |end| end + 4);
                erase(&mut out, at, at + length);
                length
            }
            b'/' if rest.starts_with(b"//") => {
                let length = found(b"\n").unwrap_or(rest.len());
                erase(&mut out, at, at + length);
                length
            }
            b'#' if line_start => {
                let length = found(b"\n").unwrap_or(rest.len());
                erase(&mut out, at, at + length);
                directives.push((at, &text[at..at + length]));
                length
            }
            b'\\' if rest.starts_with(b"\\\n") || rest.starts_with(b"\\\r\n") => {
                out[at] = b' ';
                1
            }
            quote @ (b'"' | b'\'') => {
                let mut length = 1;
                while length < rest.len() && rest[length] != quote && rest[length] != b'\n' {
                    length += if rest[length] == b'\\' { 2 } else { 1 };
                }
                (length + 1).min(rest.len())
            }
            b'0'..=b'9' => number_length(rest),
            byte if is_word(byte) => rest.iter().take_while(|byte| is_word(**byte)).count(),
            0x0c | 0x0b | b'\r' => {
                out[at] = b' ';
                1
            }
            _ => 1,
        };
        line_start = rest[0] == b'\n' || line_start && rest[0].is_ascii_whitespace();
        at += skip;
    }
    (out, directives)
}

/// Whether a byte belongs to words. GNU C has `$` in names; other characters than those of ASCII are in names,
/// too.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// The length of the preprocessing number at the start of a text (C23 6.4.8).
pub(crate) fn number_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while at < bytes.len() {
        let is_part = match bytes[at] {
            b'+' | b'-' => matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P'),
            b'\'' => bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric),
            byte => is_word(byte) || byte == b'.',
        };
        if !is_part {
            break;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_vanish_and_strings_stay() {
        let text = "char *s = \"/* no */\"; // yes\nint /* a\nb */ x; char c = '\"';";
        let blanked = String::from_utf8(blank(text).0).unwrap();
        assert_eq!(blanked.len(), text.len());
        assert!(blanked.contains("\"/* no */\""));
        assert!(!blanked.contains("yes") && !blanked.contains("b */"));
        assert_eq!(blanked.matches('\n').count(), 2);
    }

    #[test]
    fn separators_of_digits_begin_no_literals() {
        let text =
            "int n = 1'000 /* a */ + 0x'f; char c = u8'1', d = '\\''; /* b */ int s = 1'0'0;";
        let blanked = String::from_utf8(blank(text).0).unwrap();
        assert!(
            !blanked.contains("/*") && blanked.contains("u8'1'"),
            "{blanked}"
        );
    }
}
