//! The matrix of constructs in `docs/c-support.md` names a test for each row: checks that all of them exist.

use std::collections::BTreeSet;
use std::path::Path;

/// The names of the tests in a folder of sources.
fn tests_in(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("the folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            tests_in(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("a source file");
            let mut is_test = false;
            for line in text.lines().map(str::trim) {
                if line == "#[test]" {
                    is_test = true;
                } else if let Some(rest) = line.strip_prefix("fn ") {
                    if is_test && let Some((name, _)) = rest.split_once('(') {
                        found.insert(name.to_string());
                    }
                    is_test = false;
                }
            }
        }
    }
}

#[test]
fn the_matrix_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut tests = BTreeSet::new();
    tests_in(&root.join("frontends/c"), &mut tests);
    tests_in(&root.join("frontends/tests"), &mut tests);
    let text = std::fs::read_to_string(root.join("docs/c-support.md")).expect("the document");
    let mut n_rows = 0;
    let mut is_matrix = false;
    for line in text.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        match cells.as_slice() {
            ["Construct", "Supported", "Test"] => is_matrix = true,
            _ if !line.starts_with('|') => is_matrix = false,
            [construct, _, named] if is_matrix && !construct.starts_with("--") => {
                let names: Vec<&str> = named.split('`').skip(1).step_by(2).collect();
                assert!(!names.is_empty(), "no test is named: {line}");
                for name in names {
                    assert!(tests.contains(name), "no test is called `{name}`: {line}");
                }
                n_rows += 1;
            }
            _ => assert!(!is_matrix || line.starts_with("|--"), "{line}"),
        }
    }
    assert!(n_rows > 20, "the matrix has {n_rows} rows");
}
