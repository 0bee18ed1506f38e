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
}
