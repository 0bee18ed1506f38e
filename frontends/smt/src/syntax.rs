//! S-expressions with their lines (SMT-LIB 2.6, section 3.1 and 3.2), in one flat table: nothing deep is recursive.

use std::ops::Range;

/// An error in a script.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
#[non_exhaustive]
pub struct SyntaxError {
    /// The file's name, as the caller gave it.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// What was found, and what was expected.
    pub message: String,
}

/// The number of an expression.
pub type Id = u32;

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A symbol, without bars around it.
    Symbol(String),
    /// A keyword, with its colon.
    Keyword(String),
    /// A numeral.
    Numeral(String),
    /// A number with a decimal point.
    Decimal,
    /// The digits of a constant in base 2 or 16.
    Bits {
        /// The digits, highest first.
        digits: String,
        /// The base.
        base: u32,
    },
    /// A string, without quotes.
    Text(String),
    /// A list.
    List(Vec<Id>),
}

#[derive(Clone, Debug)]
struct Node {
    kind: Kind,
    line: u32,
    bytes: Range<usize>,
}

/// The expressions of a script.
#[derive(Clone, Debug)]
pub struct Script<'t> {
    text: &'t str,
    file: String,
    nodes: Vec<Node>,
    /// The commands, in order.
    pub commands: Vec<Id>,
}

impl<'t> Script<'t> {
    /// Reads a script.
    ///
    /// # Errors
    /// If it is no sequence of lists.
    pub fn read(text: &'t str, file: &str) -> Result<Self, SyntaxError> {
        let mut script = Self {
            text,
            file: file.to_owned(),
            nodes: Vec::new(),
            commands: Vec::new(),
        };
        let mut lexer = Lexer {
            text,
            at: 0,
            line: 1,
        };
        // Open lists: where they begin, and what they have.
        let mut open: Vec<(usize, u32, Vec<Id>)> = Vec::new();
        loop {
            let found = lexer
                .next()
                .map_err(|message| script.error_at(lexer.line, message))?;
            let Some((token, line, bytes)) = found else {
                break;
            };
            let (kind, line, bytes) = match token {
                Token::Open => {
                    open.push((bytes.start, line, Vec::new()));
                    continue;
                }
                Token::Close => match open.pop() {
                    Some((start, line, items)) => (Kind::List(items), line, start..bytes.end),
                    None => return Err(script.error_at(line, "`)` without `(`")),
                },
                Token::Atom(kind) => (kind, line, bytes),
            };
            let id = script.nodes.len() as Id;
            let is_list = matches!(kind, Kind::List(_));
            script.nodes.push(Node { kind, line, bytes });
            match open.last_mut() {
                Some((_, _, items)) => items.push(id),
                None if is_list => script.commands.push(id),
                None => return Err(script.error(id, "expected a command: `(`")),
            }
        }
        match open.pop() {
            Some((_, line, _)) => Err(script.error_at(line, "`(` without `)`")),
            None => Ok(script),
        }
    }

    /// An expression.
    #[must_use]
    pub fn kind(&self, id: Id) -> &Kind {
        &self.nodes[id as usize].kind
    }

    /// The items of a list; none of another expression.
    #[must_use]
    pub fn items(&self, id: Id) -> &[Id] {
        match self.kind(id) {
            Kind::List(items) => items,
            _ => &[],
        }
    }

    /// The name of a symbol.
    #[must_use]
    pub fn symbol(&self, id: Id) -> Option<&str> {
        match self.kind(id) {
            Kind::Symbol(name) => Some(name),
            _ => None,
        }
    }

    /// What stands in the file.
    #[must_use]
    pub fn source(&self, id: Id) -> &'t str {
        &self.text[self.nodes[id as usize].bytes.clone()]
    }

    /// An error about an expression.
    #[must_use]
    pub fn error(&self, id: Id, message: impl Into<String>) -> SyntaxError {
        self.error_at(self.nodes[id as usize].line, message)
    }

    /// The line of an expression, counted from 1.
    #[must_use]
    pub fn line(&self, id: Id) -> u32 {
        self.nodes[id as usize].line
    }

    /// The beginning of an expression, for messages.
    #[must_use]
    pub fn shown(&self, id: Id) -> String {
        let words: Vec<&str> = self.source(id).split_whitespace().take(6).collect();
        let words = words.join(" ");
        match words.char_indices().nth(40) {
            Some((end, _)) => format!("{}..", &words[..end]),
            None => words,
        }
    }

    /// An error at a line.
    pub(crate) fn error_at(&self, line: u32, message: impl Into<String>) -> SyntaxError {
        SyntaxError {
            file: self.file.clone(),
            line,
            message: message.into(),
        }
    }
}

enum Token {
    Open,
    Close,
    Atom(Kind),
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    line: u32,
}

/// Whether a symbol may have a character without bars.
pub(crate) fn is_simple(c: char) -> bool {
    c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c)
}

impl Lexer<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip(&mut self, c: char) {
        self.at += c.len_utf8();
        self.line += u32::from(c == '\n');
    }

    /// The text up to the first character for which `is_in` does not hold.
    fn take(&mut self, is_in: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while let Some(c) = self.peek().filter(|&c| is_in(c)) {
            self.skip(c);
        }
        self.text[start..self.at].to_owned()
    }

    fn skip_blanks(&mut self) {
        while let Some(c) = self.peek() {
            match c {
                ';' => drop(self.take(|c| c != '\n')),
                c if c.is_whitespace() => self.skip(c),
                _ => break,
            }
        }
    }

    fn next(&mut self) -> Result<Option<(Token, u32, Range<usize>)>, String> {
        self.skip_blanks();
        let (start, line) = (self.at, self.line);
        let Some(c) = self.peek() else {
            return Ok(None);
        };
        let token = match c {
            '(' | ')' => {
                self.skip(c);
                if c == '(' { Token::Open } else { Token::Close }
            }
            '|' => {
                self.skip(c);
                let name = self.take(|c| c != '|' && c != '\\');
                match self.peek() {
                    Some('|') => self.skip('|'),
                    Some(_) => return Err("a symbol may not contain `\\`".to_owned()),
                    None => return Err("a symbol has no second `|`".to_owned()),
                }
                Token::Atom(Kind::Symbol(name))
            }
            '"' => Token::Atom(Kind::Text(self.string()?)),
            '#' => {
                self.skip(c);
                let (digits, base) = match self.peek() {
                    Some('b') => (self.take(is_simple), 2),
                    Some('x') => (self.take(is_simple), 16),
                    _ => return Err("expected `#b` or `#x` with digits".to_owned()),
                };
                let digits = digits[1..].to_owned();
                if digits.is_empty() || !digits.chars().all(|c| c.is_digit(base)) {
                    return Err(format!("`#{digits}`: expected digits of base {base}"));
                }
                Token::Atom(Kind::Bits { digits, base })
            }
            ':' => {
                self.skip(c);
                Token::Atom(Kind::Keyword(format!(":{}", self.take(is_simple))))
            }
            c if is_simple(c) => {
                let word = self.take(is_simple);
                Token::Atom(match c.is_ascii_digit() {
                    false => Kind::Symbol(word),
                    true if word.chars().all(|c| c.is_ascii_digit()) => Kind::Numeral(word),
                    true if word.chars().all(|c| c.is_ascii_digit() || c == '.') => Kind::Decimal,
                    true => return Err(format!("`{word}`: expected a number or a symbol")),
                })
            }
            c => return Err(format!("unexpected character {c:?}")),
        };
        Ok(Some((token, line, start..self.at)))
    }

    /// A string: two quotes in it are one.
    fn string(&mut self) -> Result<String, String> {
        let mut text = String::new();
        loop {
            self.skip('"');
            text += &self.take(|c| c != '"');
            if self.peek().is_none() {
                return Err("a string has no end".to_owned());
            }
            self.skip('"');
            if self.peek() != Some('"') {
                return Ok(text);
            }
            text.push('"');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read_with_their_lines() {
        let text = "; a comment\n(a |b c| \"say \"\"x\"\"\" #b01\n #xfF :k 12 1.5 (\n))(exit)";
        let script = Script::read(text, "f").unwrap();
        let items = script.items(script.commands[0]);
        assert_eq!(script.symbol(items[1]), Some("b c"));
        assert_eq!(*script.kind(items[2]), Kind::Text("say \"x\"".to_owned()));
        assert_eq!(script.source(items[4]), "#xfF");
        assert_eq!(script.error(items[4], "m").to_string(), "f:3: m");
        assert_eq!(*script.kind(items[8]), Kind::List(Vec::new()));
        assert_eq!(script.commands.len(), 2);
    }

    #[test]
    fn what_is_no_list_is_an_error_with_its_line() {
        for (text, error) in [
            ("(a\n(b)", "f:1: `(` without `)`"),
            ("(a)\n)", "f:2: `)` without `(`"),
            ("a", "f:1: expected a command: `(`"),
            ("(|a", "f:1: a symbol has no second `|`"),
            ("(\n#b2)", "f:2: `#2`: expected digits of base 2"),
            ("(\"a)", "f:1: a string has no end"),
            ("(1a)", "f:1: `1a`: expected a number or a symbol"),
            ("(\u{e9})", "f:1: unexpected character '\u{e9}'"),
        ] {
            let found = Script::read(text, "f").map(drop).unwrap_err();
            assert_eq!(found.to_string(), error);
        }
    }

    #[test]
    fn deep_lists_need_no_stack() {
        let text = "(".repeat(1_000_000) + &")".repeat(1_000_000);
        assert_eq!(Script::read(&text, "f").unwrap().commands.len(), 1);
    }
}
