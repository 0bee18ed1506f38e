//! The paths that a source file mentions, without a parser of Rust: comments, texts and tests are removed, and what begins
//! with `crate::`, `super::` or `self::` is collected, with the items of nested `use` trees.

/// The code of a file: comments, texts and character literals are blank, and inline test modules at the end are gone.
pub(crate) fn code(source: &str) -> String {
    let source = match source.find("#[cfg(test)]\nmod tests {") {
        Some(tests) => &source[..tests],
        None => source,
    };
    let mut code = String::new();
    let mut rest = source;
    while let Some(next) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = raw_text(rest) {
            length
        } else if next == '"' {
            text(rest)
        } else if next == '\'' {
            // A lifetime stays.
            match character(rest) {
                1 => 0,
                length => length,
            }
        } else {
            0
        };
        if skipped == 0 {
            code.push(next);
            rest = &rest[next.len_utf8()..];
        } else {
            code.push(' ');
            rest = &rest[skipped..];
        }
    }
    code
}

/// The length of a raw text at the beginning.
fn raw_text(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('r')?;
    let n_hashes = after.len() - after.trim_start_matches('#').len();
    after[n_hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(n_hashes));
    let begin = 2 + n_hashes;
    Some(
        rest[begin..]
            .find(&end)
            .map_or(rest.len(), |at| begin + at + end.len()),
    )
}

/// The length of a text at the beginning.
fn text(rest: &str) -> usize {
    let mut is_escaped = false;
    for (at, next) in rest.char_indices().skip(1) {
        match next {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of a character literal at the beginning; 1 for a lifetime.
fn character(rest: &str) -> usize {
    let mut inner = rest.char_indices().skip(1);
    match inner.next() {
        Some((_, '\\')) => rest[2..].find('\'').map_or(1, |end| {
            // The escaped character may be a quote itself.
            if end == 0 && rest.len() > 3 {
                4
            } else {
                end + 3
            }
        }),
        Some((at, next)) if rest[at + next.len_utf8()..].starts_with('\'') => {
            at + next.len_utf8() + 1
        }
        _ => 1,
    }
}

/// The paths within the crate that the code mentions, `use` trees expanded.
pub(crate) fn paths(code: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for root in ["crate", "super", "self"] {
        for (at, _) in code.match_indices(&format!("{root}::")) {
            let before = code[..at].chars().next_back();
            // Part of a name, or in the middle of a path.
            let is_root = !before
                .is_some_and(|before| before.is_alphanumeric() || before == '_' || before == ':');
            if is_root {
                tree(&code[at..], &mut Vec::new(), &mut paths);
            }
        }
    }
    paths
}

/// Reads a path or `use` tree at the beginning of `code`, behind `prefix`; returns the length.
fn tree(code: &str, prefix: &mut Vec<String>, paths: &mut Vec<Vec<String>>) -> usize {
    let depth = prefix.len();
    let mut at = 0;
    loop {
        at += blank(&code[at..]);
        let name: String = code[at..]
            .chars()
            .take_while(|next| next.is_alphanumeric() || *next == '_')
            .collect();
        at += name.len();
        if !name.is_empty() {
            prefix.push(name);
        } else if code[at..].starts_with('{') && !prefix.is_empty() {
            at += 1;
            loop {
                at += blank(&code[at..]);
                at += match code[at..].chars().next() {
                    Some('}') => break,
                    Some(',') => 1,
                    Some(_) => tree(&code[at..], prefix, paths).max(1),
                    None => break,
                };
            }
            at += usize::from(at < code.len());
            prefix.truncate(depth);
            return at;
        }
        match code[at..].strip_prefix("::") {
            Some(_) => at += 2,
            None => break,
        }
    }
    paths.push(prefix.clone());
    prefix.truncate(depth);
    // A new name.
    let rest = code[at..].trim_start();
    if let Some(renamed) = rest.strip_prefix("as ") {
        at = code.len() - renamed.len();
        at += code[at..]
            .chars()
            .take_while(|next| next.is_alphanumeric() || *next == '_')
            .count();
    }
    at
}

fn blank(code: &str) -> usize {
    code.len() - code.trim_start().len()
}

#[test]
fn paths_of_use_trees_and_of_expressions_are_found() {
    let source = "use crate::a::{b::C, d::{self, E as F}, G};\n// crate::no::X\nfn f() { super::h::i(\"crate::no\", '\"') }\n\
                  #[cfg(test)]\nmod tests { use crate::no; }";
    let found = paths(&code(source));
    let found: Vec<String> = found.iter().map(|path| path.join("::")).collect();
    assert_eq!(
        found,
        [
            "crate::a::b::C",
            "crate::a::d::self",
            "crate::a::d::E",
            "crate::a::G",
            "super::h::i"
        ]
    );
}
