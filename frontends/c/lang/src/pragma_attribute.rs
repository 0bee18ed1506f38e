//! Pragmas and attributes that change the meaning of a program and that lowering does not support: a program with them must not be checked as if they were absent.

use crate::tokens::tokens;

/// Attributes that change what is executed, or when; none of them is supported.
const ATTRIBUTES: [&str; 8] = [
    "constructor",
    "destructor",
    "cleanup",
    "alias",
    "weakref",
    "ifunc",
    "naked",
    "scalar_storage_order",
];

/// Pragmas that change names or layouts, except `pack`; none of them is supported.
const PRAGMAS: [&str; 4] = [
    "weak",
    "redefine_extname",
    "scalar_storage_order",
    "ms_struct",
];

/// The limit that a `#pragma pack` sets from its position on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PackLimit {
    /// No member is aligned to more bytes than this.
    Set(Option<u64>),
    /// The pragma has an unsupported form.
    Unknown,
}

/// The pragmas among lines that start at these bytes.
fn pragmas<'t>(directives: &[(usize, &'t str)]) -> impl Iterator<Item = (usize, &'t str)> {
    directives.iter().filter_map(|&(start, line)| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        Some((start, rest.strip_prefix("pragma")?.trim()))
    })
}

/// The first pragma that is not supported.
pub(crate) fn unknown_pragma(directives: &[(usize, &str)]) -> Option<(usize, String)> {
    pragmas(directives).find_map(|(start, pragma)| {
        let word = pragma
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .next()?;
        let is_unknown = PRAGMAS.contains(&word);
        is_unknown.then(|| (start, format!("`#pragma {word}`")))
    })
}

/// The first attribute that is not supported, in a text without comments.
pub(crate) fn unknown_attribute(blanked: &[u8]) -> Option<(usize, String)> {
    let text = String::from_utf8_lossy(blanked);
    if !ATTRIBUTES.iter().any(|attribute| text.contains(attribute)) {
        return None;
    }
    let tokens = tokens(&text);
    let mut depth = 0usize;
    let mut inside = false;
    for &(from, to) in &tokens {
        match &text[from..to] {
            "__attribute__" | "__attribute" if depth == 0 || !inside => (inside, depth) = (true, 0),
            "(" if inside => depth += 1,
            ")" if inside => {
                depth = depth.saturating_sub(1);
                inside = depth > 0;
            }
            word if inside => {
                let plain = word.trim_matches('_');
                if ATTRIBUTES.contains(&plain) {
                    return Some((from, format!("the attribute `{plain}`")));
                }
            }
            _ => {}
        }
    }
    None
}

/// The limits with the bytes from which they apply.
pub(crate) fn pack_limits(directives: &[(usize, &str)]) -> Vec<(usize, PackLimit)> {
    let mut limits = Vec::new();
    let mut current = PackLimit::Set(None);
    let mut stack: Vec<(Option<&str>, PackLimit)> = Vec::new();
    for (start, pragma) in pragmas(directives) {
        let Some(rest) = pragma.strip_prefix("pack") else {
            continue;
        };
        current = changed(rest, current, &mut stack);
        limits.push((start, current));
    }
    limits
}

/// The limit after a `#pragma pack` with these arguments.
fn changed<'t>(
    rest: &'t str,
    current: PackLimit,
    stack: &mut Vec<(Option<&'t str>, PackLimit)>,
) -> PackLimit {
    let inner = rest
        .trim()
        .strip_prefix('(')
        .and_then(|rest| rest.split(')').next());
    let Some(inner) = inner else {
        return PackLimit::Unknown;
    };
    let words: Vec<&str> = inner.split(',').map(str::trim).collect();
    let number = |word: &str| match word.parse() {
        Ok(number @ (1 | 2 | 4 | 8 | 16)) => PackLimit::Set(Some(number)),
        Ok(0) => PackLimit::Set(None),
        _ => PackLimit::Unknown,
    };
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    match *words.as_slice() {
        [""] => PackLimit::Set(None),
        ["push"] => {
            stack.push((None, current));
            current
        }
        ["push", word] | ["push", word, _] if !is_number(word) && words.len() == 2 => {
            stack.push((Some(word), current));
            current
        }
        ["push", word] => {
            stack.push((None, current));
            number(word)
        }
        ["push", name, word] => {
            stack.push((Some(name), current));
            number(word)
        }
        ["pop"] => stack.pop().map_or(PackLimit::Unknown, |entry| entry.1),
        ["pop", name] if !is_number(name) => {
            match stack.iter().rposition(|entry| entry.0 == Some(name)) {
                Some(at) => {
                    let limit = stack[at].1;
                    stack.truncate(at);
                    limit
                }
                None => PackLimit::Unknown,
            }
        }
        [word] => number(word),
        _ => PackLimit::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::blank;

    #[test]
    fn limits_are_pushed_and_popped() {
        let text = "#pragma pack(push, 1)\nint a;\n# pragma pack ( 4 )\n#pragma pack(push, here, \
                    2)\n#pragma pack(push)\n\
                    #pragma pack()\n#pragma pack(pop, here)\n#pragma pack(pop)\n#pragma pack(pop)\n#pragma \
                    pack(3)\n";
        let limits: Vec<PackLimit> = pack_limits(&blank(text).1)
            .into_iter()
            .map(|entry| entry.1)
            .collect();
        let set = |limit| PackLimit::Set(Some(limit));
        assert_eq!(
            limits,
            [
                set(1),
                set(4),
                set(2),
                set(2),
                PackLimit::Set(None),
                set(4),
                PackLimit::Set(None),
                PackLimit::Unknown,
                PackLimit::Unknown
            ]
        );
        let second = pack_limits(&blank(text).1)[1].0;
        assert_eq!(second, text.find("# pragma").unwrap());
    }

    #[test]
    fn what_changes_the_meaning_is_found() {
        let found = |text: &str| unknown_attribute(text.as_bytes()).map(|found| found.1);
        assert_eq!(
            found("static void f(void) __attribute__ ((noinline, __constructor__ (101)));"),
            Some("the attribute `constructor`".into())
        );
        assert_eq!(
            found("__attribute__((format(printf, 1, 2))) int cleanup; void constructor(void);"),
            None
        );
        let found = |text: &str| unknown_pragma(&blank(text).1).map(|found| found.0);
        assert_eq!(found("int x;\n#pragma weak x\n"), Some(7));
        assert_eq!(
            found("#pragma once\n/*\n#pragma weak x\n*/\n#pragma GCC diagnostic push\n"),
            None
        );
    }
}
