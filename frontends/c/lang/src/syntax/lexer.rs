//! Lexical elements: words, numbers, literals and punctuators of a text whose comments, directives and
//! spliced lines are blanked.

use crate::tokens::{is_word, number_length};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// An identifier or a keyword.
    Word,
    Number,
    Character,
    String,
    Punctuator,
    /// What no token of C starts with, or a literal that does not end on its line.
    Stray,
    /// The end of the text.
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind,
    /// A digraph has the text of what it stands for.
    pub(super) text: &'t str,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Punctuators of several characters, the longer ones first.
const PUNCTUATORS: [&str; 27] = [
    "<==>", "==>", "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
    "||", "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "<:", ":>", "<%",
];

/// Punctuators of one character.
const SINGLE: &str = "[](){}.&*+-~!/%<>^|?:;=,";

/// The tokens of a text, the last one of kind [`TokenKind::End`].
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::with_capacity(text.len() / 5);
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let (kind, length, stands_for) = first(&text[at..]);
        let end = at + length;
        tokens.push(Token {
            kind,
            text: stands_for.unwrap_or(&text[at..end]),
            start: at,
            end,
        });
        at = end;
    }
    tokens.push(Token {
        kind: TokenKind::End,
        text: "",
        start: text.len(),
        end: text.len(),
    });
    tokens
}

/// The first token of a text: its kind, its length, and the other spelling of a digraph.
fn first(text: &str) -> (TokenKind, usize, Option<&'static str>) {
    let bytes = text.as_bytes();
    let second = bytes.get(1).copied().unwrap_or(0);
    match bytes[0] {
        byte if byte.is_ascii_digit() || byte == b'.' && second.is_ascii_digit() => {
            (TokenKind::Number, number_length(bytes), None)
        }
        byte if is_word(byte) || is_universal(bytes) => {
            let length = word(bytes);
            let is_prefix = matches!(&text[..length], "L" | "u" | "U" | "u8");
            match bytes.get(length) {
                Some(&quote @ (b'"' | b'\'')) if is_prefix => literal(text, length, quote),
                _ => (TokenKind::Word, length, None),
            }
        }
        quote @ (b'"' | b'\'') => literal(text, 0, quote),
        _ => punctuator(text),
    }
}

fn punctuator(text: &str) -> (TokenKind, usize, Option<&'static str>) {
    if text.starts_with("%>") {
        return (TokenKind::Punctuator, 2, Some("}"));
    }
    if let Some(found) = PUNCTUATORS.iter().find(|found| text.starts_with(**found)) {
        let stands_for = match *found {
            "<:" => Some("["),
            ":>" => Some("]"),
            "<%" => Some("{"),
            _ => None,
        };
        return (TokenKind::Punctuator, found.len(), stands_for);
    }
    let first = text.chars().next().unwrap_or(' ');
    let kind = if SINGLE.contains(first) {
        TokenKind::Punctuator
    } else {
        TokenKind::Stray
    };
    (kind, first.len_utf8(), None)
}

/// Whether a text starts with a universal character name.
fn is_universal(bytes: &[u8]) -> bool {
    bytes[0] == b'\\' && matches!(bytes.get(1), Some(b'u' | b'U'))
}

/// The length of the word at the start of a text.
fn word(bytes: &[u8]) -> usize {
    let mut at = 0;
    while at < bytes.len() {
        if is_universal(&bytes[at..]) {
            at += 2;
        } else if is_word(bytes[at]) {
            at += 1;
        } else {
            break;
        }
    }
    at
}

/// A literal whose quote is at a byte.
fn literal(text: &str, start: usize, quote: u8) -> (TokenKind, usize, Option<&'static str>) {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    if bytes.get(at) != Some(&quote) {
        let end = text[start..]
            .find('\n')
            .map_or(text.len(), |end| start + end);
        return (TokenKind::Stray, end, None);
    }
    let kind = if quote == b'"' {
        TokenKind::String
    } else {
        TokenKind::Character
    };
    (kind, at + 1, None)
}

/// A word or a literal with the characters that universal character names in it stand for (`\u00e9`).
pub(super) fn without_universal_names(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let digits = match rest.as_bytes().get(1) {
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => 0,
        };
        let character = rest
            .get(2..2 + digits)
            .filter(|_| digits > 0)
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .and_then(char::from_u32)
            .filter(|&character| character >= '\u{a0}');
        if let Some(character) = character {
            out.push(character);
            rest = &rest[2 + digits..];
            continue;
        }
        // The character after the backslash is none of a universal name's start.
        let length = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_token_is_taken() {
        let texts = |text| -> Vec<&str> {
            let mut found: Vec<_> = tokens(text).iter().map(|token| token.text).collect();
            assert_eq!(found.pop(), Some(""));
            found
        };
        assert_eq!(texts("a+++b"), ["a", "++", "+", "b"]);
        assert_eq!(texts("a==>b<==>c"), ["a", "==>", "b", "<==>", "c"]);
        assert_eq!(
            texts("1'000.e+1f-0x1p-3 .5..."),
            ["1'000.e+1f", "-", "0x1p-3", ".5..."]
        );
        assert_eq!(texts("L'x' u8\"\\\"\" u8x"), ["L'x'", "u8\"\\\"\"", "u8x"]);
        assert_eq!(
            texts("a<:1:>=<%%>;"),
            ["a", "[", "1", "]", "=", "{", "}", ";"]
        );
        assert_eq!(texts("x\\u00e9y$z"), ["x\\u00e9y$z"]);
    }

    #[test]
    fn what_is_no_token_is_stray() {
        let kind = |text| tokens(text)[0].kind;
        for text in ["@", "`", "'x\n", "\"x\ny\"", "\"x\\", "\\x"] {
            assert_eq!(kind(text), TokenKind::Stray, "{text}");
        }
        assert_eq!(tokens("\"abc\nint").len(), 3);
    }

    #[test]
    fn universal_names_are_their_characters() {
        assert_eq!(
            without_universal_names("\"\\u00e9\\\\u00e9\\n\""),
            "\"é\\\\u00e9\\n\""
        );
        assert_eq!(
            without_universal_names("a\\U0001F600b\\u0041"),
            "a😀b\\u0041"
        );
    }
}
