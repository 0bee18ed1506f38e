//! Sizes: a file has at most 600 lines, and a function outside tests at most 100, tables apart.

use std::path::{Path, PathBuf};

/// The lines of a file, at most.
const MOST_LINES: usize = 600;
/// The lines of a function, at most.
const MOST_OF_FUNCTION: usize = 100;

/// Files that are a table.
const TABLES: &[&str] = &["frontends/c/lang/src/lower/function_table.rs"];
/// Functions that are one `match` with an arm for each operator or instruction.
const MATCHES: &[&str] = &[
    "bench/src/fuzz/words/operation.rs: operation",
    "bench/src/fuzz/words/operation.rs: value_of",
    "frontends/c/exec/src/concrete/machine/mod.rs: instr",
];

/// The sources below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("its entries can be read").path();
        if path.is_dir() {
            let is_built = path.file_name().is_some_and(|name| name == "target");
            if !is_built {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// Whether a file is for tests, as its name says.
fn is_for_tests(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.ends_with("tests.rs") || path.contains("/tests/") || path.contains("_tests/")
}

/// The name of the function that begins in a line, and the blank space before it.
fn begins(line: &str) -> Option<(&str, &str)> {
    let code = line.trim_start();
    let indentation = &line[..line.len() - code.len()];
    let (before, after) = match code.strip_prefix("fn ") {
        Some(after) => ("", after),
        None => code.split_once(" fn ")?,
    };
    let is_qualifier = |word: &str| {
        word.starts_with("pub") || ["const", "unsafe", "in", "extern", "\"C\""].contains(&word)
    };
    let is_path = |word: &str| word.ends_with(')');
    let is_function = before
        .split_whitespace()
        .all(|word| is_qualifier(word) || is_path(word));
    let name = after.split(|next: char| !(next.is_alphanumeric() || next == '_'));
    is_function.then_some((indentation, name.take(1).next()?))
}

/// The functions of a source that are longer than `most` lines, up to its inline tests, with their lengths.
fn long_functions(source: &str, most: usize) -> Vec<(String, usize)> {
    let code = match source.find("#[cfg(test)]\nmod tests {") {
        Some(tests) => &source[..tests],
        None => source,
    };
    let lines: Vec<&str> = code.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((indentation, name)) = begins(line) else {
            continue;
        };
        // A head without a body, or with one in its line.
        let ends_head = |line: &&&str| line.ends_with(['{', '}', ';']);
        let head = lines[at..].iter().find(ends_head);
        if !head.is_some_and(|line| line.ends_with('{')) {
            continue;
        }
        // Formatted code ends a function with a brace below its first letter.
        let end = format!("{indentation}}}");
        let length = lines[at..].iter().position(|line| *line == end);
        if let Some(length) = length.filter(|length| length + 1 > most) {
            found.push((name.to_owned(), length + 1));
        }
    }
    found
}

#[test]
fn files_and_functions_are_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["bench", "frontends", "itp", "mc", "solver"] {
        sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 1000, "only {} files were found", files.len());
    let mut found = Vec::new();
    for file in files {
        let name = file.strip_prefix(&root).expect("it is below the root");
        let name = name.to_string_lossy().replace('\\', "/");
        let source = std::fs::read_to_string(&file).expect("a source can be read");
        let n_lines = source.lines().count();
        if n_lines > MOST_LINES && !TABLES.contains(&name.as_str()) {
            found.push(format!("{name}: {n_lines} lines"));
        }
        if is_for_tests(&name) {
            continue;
        }
        for (function, length) in long_functions(&source, MOST_OF_FUNCTION) {
            let function = format!("{name}: {function}");
            if !MATCHES.contains(&function.as_str()) {
                found.push(format!("{function} has {length} lines"));
            }
        }
    }
    assert!(found.is_empty(), "too long: {found:#?}");
}

/// The page that a newcomer reads is short, and stays true where files move: it names none but the one for contributors.
#[test]
fn the_page_about_the_architecture_is_short_and_names_no_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/ARCHITECTURE.md");
    let page = std::fs::read_to_string(path).expect("the page can be read");
    assert!(page.len() <= 8000, "{} bytes", page.len());
    let page = page.replace("CONTRIBUTING.md", "");
    for ending in [".rs", ".md", ".toml", ".c`", ".py"] {
        assert!(!page.contains(ending), "it names a file: {ending}");
    }
}

#[test]
fn long_functions_are_found() {
    let source = "impl A {\n    pub(in crate::b) fn long(\n        self,\n    ) {\n        f();\n    }\n}\n\n\
                  const fn short() {}\ntrait B {\n    fn none(\n        self,\n    );\n}\n";
    assert_eq!(long_functions(source, 4), [("long".to_owned(), 5)]);
    assert_eq!(long_functions(source, 5), []);
}
