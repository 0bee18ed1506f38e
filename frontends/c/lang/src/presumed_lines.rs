//! The lines of a file, with the names and numbers that its line markers give them.

use crate::source::marker;

/// A line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PresumedLine<'a> {
    /// The file that it is said to come from.
    pub file: &'a str,
    /// Its number there, from 1.
    pub line: u32,
    /// The text.
    pub text: &'a str,
}

/// The lines of the text of a file of this name. Lines are named as in messages and reports: `#line` directives and
/// the line markers of preprocessors count, and are no lines themselves.
#[must_use]
pub fn presumed_lines<'a>(name: &'a str, text: &'a str) -> Vec<PresumedLine<'a>> {
    let mut found = Vec::new();
    let (mut file, mut line) = (name, 1);
    for content in text.split_inclusive('\n') {
        if let Some((number, name)) = marker(content) {
            line = number;
            file = name.unwrap_or(file);
            continue;
        }
        let text = content.trim_end_matches(['\n', '\r']);
        found.push(PresumedLine { file, line, text });
        line += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_name_the_lines_behind_them() {
        let text = "int a;\n#line 7 \"b.c\"\nint b;\n\n# 3 \"c.c\" 1\nint c;\n#line 9\nint d;";
        let lines = presumed_lines("a.c", text);
        let of = |text: &str| {
            let found = lines.iter().find(|line| line.text == text);
            found.map(|line| (line.file, line.line))
        };
        assert_eq!(of("int a;"), Some(("a.c", 1)));
        assert_eq!(of("int b;"), Some(("b.c", 7)));
        assert_eq!(of("int c;"), Some(("c.c", 3)));
        assert_eq!(of("int d;"), Some(("c.c", 9)));
        assert_eq!(lines.len(), 5);
    }
}
