//! Checks that a text can be parsed: its brackets match, and the nesting is within the parser's limits.

/// The maximal nesting of brackets and prefix operators. Compilers guarantee at most 256 levels of brackets.
const MAX_DEPTH: usize = 1000;

/// The maximal nesting of statements without braces: `if (a) if (b) ..`, and chains of `else`. The same limit
/// applies to sequences of labels, assignments and choices.
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

/// The first position at which a text without comments and directives cannot be a program, with the reason.
/// The time is linear in the length of the text.
pub(crate) fn unreadable(bytes: &[u8]) -> Option<(usize, String)> {
    let mut open: Vec<Open> = Vec::new();
    // Sequences of prefix operators nest as well: the number before all open brackets, and the current one.
    let (mut n_before, mut n_prefixes) = (0, 0);
    let (mut n_statements, mut n_chained, mut n_linked) = (0, 0, 0);
    // Labels of a `switch` one after the other are taken apart by the parser: those
    // that follow a statement of the block, or another such label. Their own colons do not count as choices.
    let (mut previous, mut is_among_labels, mut n_own_colons) = (b';', false, 0);
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        n_prefixes = match byte {
            b'!' | b'~' | b'*' | b'&' | b'-' | b'+' => n_prefixes + 1,
            _ if byte.is_ascii_whitespace() => n_prefixes,
            // `(` is counted with those before it.
            b'(' => n_prefixes,
            _ => 0,
        };
        match byte {
            b'(' | b'[' | b'{' => {
                n_before += n_prefixes;
                open.push(Open {
                    at,
                    byte,
                    n_prefixes,
                    n_statements,
                    n_chained,
                    n_linked,
                });
                (n_prefixes, n_chained, n_linked) = (0, 0, 0);
                if byte == b'{' {
                    n_statements = 0;
                }
            }
            b')' | b']' | b'}' => {
                let opening = match byte {
                    b')' => b'(',
                    b']' => b'[',
                    _ => b'{',
                };
                let Some(found) = open.pop() else {
                    return Some((at, format!("a `{}` without its opening", byte as char)));
                };
                if found.byte != opening {
                    return Some((at, format!("a `{}` that closes nothing", byte as char)));
                }
                n_before -= found.n_prefixes;
                n_chained = found.n_chained;
                n_linked = found.n_linked + 1;
                if byte == b'}' {
                    (n_chained, n_linked) = (0, 0);
                    n_statements = after_statement(bytes, at, found.n_statements);
                }
            }
            b';' if open.last().is_none_or(|open| open.byte == b'{') => {
                n_statements = after_statement(bytes, at, n_statements);
                (n_chained, n_linked) = (0, 0);
            }
            b';' | b',' => (n_chained, n_linked) = (0, 0),
            b':' if n_own_colons > 0 => n_own_colons -= 1,
            b'?' | b':' | b'=' => {
                (n_chained, n_linked) = (n_chained + 1, 0);
                is_among_labels = false;
            }
            b'.' => n_linked += 1,
            b'>' if previous == b'-' => n_linked += 1,
            b'0'..=b'9' => n_linked = 0,
            quote @ (b'"' | b'\'') => {
                n_linked = 0;
                at = end_of_literal(bytes, at, quote);
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                let length = word(&bytes[at..]).len();
                let own = &bytes[at..at + length];
                let follows = matches!(previous, b';' | b'{' | b'}');
                if is_label(own) && (follows || previous == b':' && is_among_labels) {
                    (is_among_labels, n_own_colons) = (true, 1);
                } else {
                    n_statements += usize::from(nests(own));
                }
                if is_unary(own) {
                    n_linked += 1;
                } else if !matches!(previous, b'.' | b'>') {
                    n_linked = 0;
                }
                at += length - 1;
            }
            0 => return Some((at, "a zero byte: this is no text".into())),
            _ => {}
        }
        if open.len() + n_before + n_prefixes > MAX_DEPTH {
            return Some((at, format!("more than {MAX_DEPTH} levels of nesting")));
        }
        if n_statements > MAX_CHAIN || n_chained > 2 * MAX_CHAIN {
            let text = format!("more than {MAX_CHAIN} statements or operations within each other");
            return Some((at, text));
        }
        if n_linked > MAX_LINKED {
            return Some((at, format!("more than {MAX_LINKED} parts of an operand")));
        }
        if !byte.is_ascii_whitespace() {
            previous = byte;
        }
        at += 1;
    }
    let last = open.pop()?;
    Some((
        last.at,
        format!("a `{}` that nothing closes", last.byte as char),
    ))
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
