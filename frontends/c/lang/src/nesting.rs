//! Checks that a text can be parsed: its brackets match, and the nesting is within the parser's limits.

use crate::tokens::number_length;

/// The maximal nesting of brackets and prefix operators. Compilers guarantee at most 256 levels of brackets.
const MAX_DEPTH: usize = 1000;

/// The maximal nesting of statements without braces: `if (a) if (b) ..`, and chains of `else if`, each of which counts as one. The
/// same limit applies to sequences of labels, assignments and choices.
const MAX_CHAIN: usize = 10_000;

/// The maximal number of casts, unary keywords, indices, calls and members that follow each other in one
/// operand, and of terms in parentheses without a word between them.
const MAX_LINKED: usize = 50_000;

/// An open bracket, with the prefix operators before it.
struct Open {
    at: usize,
    byte: u8,
    n_prefixes: usize,
    /// The nesting of statements before the bracket, without braces between them.
    n_statements: usize,
    /// The nesting of labels, assignments and choices, each the last operand of the previous one.
    n_chained: usize,
    /// The number of parts of the operand before the bracket.
    n_linked: usize,
}

/// Where a text cannot be a program, and why.
type Fault = (usize, String);

/// The first position at which a text without comments and directives cannot be a program, with the reason.
/// The time is linear in the length of the text.
pub(crate) fn unreadable(bytes: &[u8]) -> Option<Fault> {
    let mut scan = Scan {
        bytes,
        open: Vec::new(),
        n_before: 0,
        n_prefixes: 0,
        n_statements: 0,
        n_chained: 0,
        n_linked: 0,
        previous: b';',
        is_among_labels: false,
        n_own_colons: 0,
    };
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        match scan.token(at).and_then(|last| {
            scan.check_limits(last)?;
            Ok(last)
        }) {
            Ok(last) => at = last + 1,
            Err(fault) => return Some(fault),
        }
        if !byte.is_ascii_whitespace() {
            scan.previous = byte;
        }
    }
    let last = scan.open.pop()?;
    Some((
        last.at,
        format!("a `{}` that nothing closes", last.byte as char),
    ))
}

/// The nesting at a position of a text.
struct Scan<'t> {
    bytes: &'t [u8],
    open: Vec<Open>,
    /// Sequences of prefix operators nest as well: the number before all open brackets, and the current one.
    n_before: usize,
    n_prefixes: usize,
    n_statements: usize,
    n_chained: usize,
    n_linked: usize,
    /// The last byte that is no white space.
    previous: u8,
    /// Labels of a `switch` one after the other are taken apart by the parser: those that follow a statement of the
    /// block, or another such label. Their own colons do not count as choices.
    is_among_labels: bool,
    n_own_colons: usize,
}

impl Scan<'_> {
    /// Counts the token that begins at a position. Returns the position of its last byte.
    fn token(&mut self, at: usize) -> Result<usize, Fault> {
        let byte = self.bytes[at];
        self.n_prefixes = match byte {
            b'!' | b'~' | b'*' | b'&' | b'-' | b'+' => self.n_prefixes + 1,
            _ if byte.is_ascii_whitespace() => self.n_prefixes,
            // `(` is counted with those before it.
            b'(' => self.n_prefixes,
            _ => 0,
        };
        match byte {
            b'(' | b'[' | b'{' => self.open_bracket(at),
            b')' | b']' | b'}' => self.close_bracket(at)?,
            b';' if self.open.last().is_none_or(|open| open.byte == b'{') => {
                self.n_statements = after_statement(self.bytes, at, self.n_statements);
                (self.n_chained, self.n_linked) = (0, 0);
            }
            b';' | b',' => (self.n_chained, self.n_linked) = (0, 0),
            b':' if self.n_own_colons > 0 => self.n_own_colons -= 1,
            b'?' | b':' | b'=' => {
                (self.n_chained, self.n_linked) = (self.n_chained + 1, 0);
                self.is_among_labels = false;
            }
            b'.' => self.n_linked += 1,
            b'>' if self.previous == b'-' => self.n_linked += 1,
            b'0'..=b'9' => {
                self.n_linked = 0;
                return Ok(at + number_length(&self.bytes[at..]) - 1);
            }
            quote @ (b'"' | b'\'') => {
                self.n_linked = 0;
                return Ok(end_of_literal(self.bytes, at, quote));
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => return Ok(self.word(at)),
            0 => return Err((at, "a zero byte: this is no text".into())),
            _ => {}
        }
        Ok(at)
    }

    fn open_bracket(&mut self, at: usize) {
        let byte = self.bytes[at];
        self.n_before += self.n_prefixes;
        self.open.push(Open {
            at,
            byte,
            n_prefixes: self.n_prefixes,
            n_statements: self.n_statements,
            n_chained: self.n_chained,
            n_linked: self.n_linked,
        });
        (self.n_prefixes, self.n_chained, self.n_linked) = (0, 0, 0);
        if byte == b'{' {
            self.n_statements = 0;
        }
    }

    fn close_bracket(&mut self, at: usize) -> Result<(), Fault> {
        let byte = self.bytes[at];
        let opening = match byte {
            b')' => b'(',
            b']' => b'[',
            _ => b'{',
        };
        let Some(found) = self.open.pop() else {
            return Err((at, format!("a `{}` without its opening", byte as char)));
        };
        if found.byte != opening {
            return Err((at, format!("a `{}` that closes nothing", byte as char)));
        }
        self.n_before -= found.n_prefixes;
        self.n_chained = found.n_chained;
        self.n_linked = found.n_linked + 1;
        if byte == b'}' {
            (self.n_chained, self.n_linked) = (0, 0);
            self.n_statements = after_statement(self.bytes, at, found.n_statements);
        }
        Ok(())
    }

    /// Counts a word. Returns the position of its last byte.
    fn word(&mut self, at: usize) -> usize {
        let own = word(&self.bytes[at..]);
        let follows = matches!(self.previous, b';' | b'{' | b'}');
        if is_label(own) && (follows || self.previous == b':' && self.is_among_labels) {
            (self.is_among_labels, self.n_own_colons) = (true, 1);
        } else if !(own == b"if" && ends_in_else(&self.bytes[..at])) {
            self.n_statements += usize::from(nests(own));
        }
        if is_unary(own) {
            self.n_linked += 1;
        } else if !matches!(self.previous, b'.' | b'>') {
            self.n_linked = 0;
        }
        at + own.len() - 1
    }

    fn check_limits(&self, at: usize) -> Result<(), Fault> {
        if self.open.len() + self.n_before + self.n_prefixes > MAX_DEPTH {
            return Err((at, format!("more than {MAX_DEPTH} levels of nesting")));
        }
        if self.n_statements > MAX_CHAIN || self.n_chained > 2 * MAX_CHAIN {
            let text = format!("more than {MAX_CHAIN} statements or operations within each other");
            return Err((at, text));
        }
        if self.n_linked > MAX_LINKED {
            return Err((at, format!("more than {MAX_LINKED} parts of an operand")));
        }
        Ok(())
    }
}

/// The letters, digits and underscores at the start of a text.
fn word(bytes: &[u8]) -> &[u8] {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let length = bytes.iter().take_while(|byte| is_part(byte)).count();
    &bytes[..length]
}

/// Whether a word starts a statement that contains another one, or a label of one.
fn nests(word: &[u8]) -> bool {
    let words: [&[u8]; 8] = [
        b"if", b"else", b"for", b"while", b"do", b"switch", b"case", b"default",
    ];
    words.contains(&word)
}

/// Whether the last word of a text is `else`, with nothing but blanks after it.
fn ends_in_else(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii_end();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    (bytes.strip_suffix(b"else"))
        .is_some_and(|before| before.last().is_none_or(|byte| !is_part(byte)))
}

/// Whether a word is an operator with one operand.
fn is_unary(word: &[u8]) -> bool {
    let words: [&[u8]; 10] = [
        b"sizeof",
        b"_Alignof",
        b"__alignof",
        b"__alignof__",
        b"__extension__",
        b"__real",
        b"__real__",
        b"__imag",
        b"__imag__",
        b"_Alignas",
    ];
    words.contains(&word)
}

/// Whether a word starts a label of a `switch`.
fn is_label(word: &[u8]) -> bool {
    matches!(word, b"case" | b"default")
}

/// The nesting of the next statement, if a statement at this nesting ends here: 0, unless an `else` follows.
fn after_statement(bytes: &[u8], at: usize, n_statements: usize) -> usize {
    let rest = &bytes[at + 1..];
    let blank = rest
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    if word(&rest[blank..]) == b"else" {
        n_statements
    } else {
        0
    }
}

/// The last byte of a literal that starts at `from`, or of its line.
fn end_of_literal(bytes: &[u8], from: usize, quote: u8) -> usize {
    let mut at = from + 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_match_and_are_not_too_deep() {
        let reason = |text: &str| unreadable(text.as_bytes());
        assert_eq!(reason("int a[1'000]; int b[] = {0b1'1, 1'0};"), None);
        assert_eq!(
            reason("int f(int a[2]) { return a[0] + '('; } char *s = \"\\\")]}\";"),
            None
        );
        assert_eq!(reason("int x = (1]; )").map(|found| found.0), Some(10));
        assert_eq!(reason("int x = 1; }").map(|found| found.0), Some(11));
        assert_eq!(
            reason("int f(void) { if (1) {  }").map(|found| found.0),
            Some(12)
        );
        let nested = |depth: usize| format!("int x = {}1{};", "(".repeat(depth), ")".repeat(depth));
        assert_eq!(reason(&nested(MAX_DEPTH)), None);
        assert_eq!(
            reason(&nested(MAX_DEPTH + 1)).map(|found| found.0),
            Some(8 + MAX_DEPTH)
        );
        assert_eq!(reason(&format!("int x = {} 1;", "- ".repeat(900))), None);
        assert!(reason(&format!("int x = {} 1;", "! ".repeat(1900))).is_some());
        assert!(reason("int x; \0").is_some());
        let both = format!("int x = {}1{};", "- - - (".repeat(400), ")".repeat(400));
        assert!(reason(&both).is_some());
        assert_eq!(reason("int x = -(-(1)); int y = - - -1, z = -1;"), None);
    }

    #[test]
    fn parts_of_operands_are_counted() {
        let reason = |text: &str| unreadable(text.as_bytes()).map(|found| found.1);
        for (before, part, last) in [
            ("", "(int)", "x"),
            ("", "(int) - ", "x"),
            ("", "sizeof ", "x"),
            ("", "__extension__ ", "x"),
            ("x", "->p", ""),
            ("x", ".p", ""),
            ("x", "[0]", ""),
            ("f", "()", ""),
        ] {
            let text = |many: usize| format!("int y = {before}{}{last};", part.repeat(many));
            assert_eq!(reason(&text(MAX_LINKED - 1)), None, "{part}");
            assert!(reason(&text(MAX_LINKED + 1)).is_some(), "{part}");
        }
        for flat in [
            "(int)x + ",
            "x[1] + ",
            "p->a - ",
            "f(1) * ",
            "(int)1 ,",
            "x.a ? 1 : (2), ",
        ] {
            let text = format!("int y = {}x;", flat.repeat(MAX_LINKED + 1));
            assert_eq!(reason(&text), None, "{flat}");
        }
    }

    #[test]
    fn statements_within_each_other_are_counted() {
        let reason = |text: &str| unreadable(text.as_bytes()).map(|found| found.1);
        let within = |many: String| reason(&format!("int main(void) {{ {many} ; return 0; }}"));
        for nested in [
            "if (x) ",
            "if (x) y = 1; else ",
            "if (x) { y = 1; } else ",
            "for (;;) ",
            "switch (x) case 1: ",
            "x = y = ",
            "x ? y : ",
            "a: b: ",
            "if (x) case 1: case 2: ",
            "case 1 ? 2 : 3: case 2 ? 3 : 4: ",
            "case 1: a: case 2: b: ",
        ] {
            assert_eq!(within(nested.repeat(900)), None, "{nested}");
            assert!(within(nested.repeat(11_000)).is_some(), "{nested}");
        }
        let chain = "if (x) y = 1; else ";
        assert_eq!(within(chain.repeat(MAX_CHAIN - 1)), None);
        assert_eq!(within("if (x) orelse if (y) ".repeat(MAX_CHAIN / 2)), None);
        assert!(within("if (x) orelse if (y) ".repeat(MAX_CHAIN)).is_some());
        for flat in [
            "if (x) y = 1;",
            "for (;;) { if (x) { } }",
            "case 1: x++; break;",
            "case 1: default: ",
            "case 1: x++; case 2 ? 3 : 4: case 5: ",
            "x = x ? y : 1, ",
        ] {
            assert_eq!(within(flat.repeat(11_000)), None, "{flat}");
        }
    }
}
