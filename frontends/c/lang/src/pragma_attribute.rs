//! Pragmas that change the meaning of a program: limits of alignments, and those that are not supported.

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
pub(crate) fn pragmas<'t>(
    directives: &[(usize, &'t str)],
) -> impl Iterator<Item = (usize, &'t str)> {
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
        let found = |text: &str| unknown_pragma(&blank(text).1).map(|found| found.0);
        assert_eq!(found("int x;\n#pragma weak x\n"), Some(7));
        assert_eq!(
            found("#pragma once\n/*\n#pragma weak x\n*/\n#pragma GCC diagnostic push\n"),
            None
        );
    }
}
