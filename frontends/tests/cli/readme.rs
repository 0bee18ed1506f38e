//! Every command in the README and in the guide works, and prints what the README says.

use std::path::PathBuf;
use std::process::{Command, Output};

use crate::run::{Folder, root};

/// The README and the pages of the guide.
fn pages() -> Vec<PathBuf> {
    let guide = std::fs::read_dir(root().join("docs/guide")).unwrap();
    let mut pages: Vec<PathBuf> = guide.map(|page| page.unwrap().path()).collect();
    pages.sort();
    pages.insert(0, root().join("README.md"));
    pages
}

/// The lines of the fenced blocks of a language, each with its page.
fn fenced(language: &str) -> Vec<(PathBuf, String)> {
    let begin = format!("```{language}");
    let mut found = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let mut is_within = false;
        for line in text.lines() {
            match line {
                line if line == begin => is_within = true,
                "```" => is_within = false,
                line if is_within && !line.trim().is_empty() => {
                    found.push((page.clone(), line.to_owned()));
                }
                _ => {}
            }
        }
    }
    found
}

/// Runs a command line with `craig` in it. What it writes to /tmp goes to a folder of the test.
fn run(line: &str, folder: &Folder) -> Output {
    let line = line.replace("/tmp", &folder.path(""));
    let script = format!("craig() {{ \"$CRAIG\" \"$@\"; }}; {line}");
    Command::new("bash")
        .args(["-c", &script])
        .current_dir(root())
        .env("CRAIG", env!("CARGO_BIN_EXE_craig"))
        .output()
        .unwrap()
}

/// The commands of the `sh` blocks, without those that build and test: this test is one of them.
#[test]
fn every_command_in_the_documents_runs() {
    let commands = fenced("sh");
    let folder = Folder::new();
    let mut n_run = 0;
    for (page, line) in &commands {
        let command = match line.strip_prefix("cargo run --release -- ") {
            Some(rest) => format!("craig {rest}"),
            None if line.starts_with("cargo ") => continue,
            None => line.clone(),
        };
        let output = run(&command, &folder);
        let code = output.status.code();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            matches!(code, Some(0 | 10 | 20)),
            "{}: {line}: exit {code:?}: {stderr}",
            page.display()
        );
        n_run += 1;
    }
    assert!(n_run >= 30, "{commands:?}");
}

/// A text without its numbers and its layout: times, sizes and chosen values differ between runs.
fn shape(text: &str) -> Vec<String> {
    let digit = |it: char| it.is_ascii_digit() || it == '.';
    let line = |line: &str| {
        let words = line.split_whitespace();
        let words: Vec<String> = words
            .map(|word| match word.trim_matches(digit).is_empty() {
                true => "N".to_owned(),
                false => word.to_owned(),
            })
            .collect();
        words.join(" ").replace(|it: char| it.is_ascii_digit(), "")
    };
    text.lines().map(line).collect()
}

/// What follows a line `$ COMMAND` in the recorded session is what the command prints.
#[test]
fn the_recorded_session_is_what_is_printed() {
    let folder = Folder::new();
    let mut session: Vec<(String, String)> = Vec::new();
    for (_, line) in fenced("console") {
        match (line.strip_prefix("$ "), session.last_mut()) {
            (Some(command), _) => session.push((command.to_owned(), String::new())),
            (None, Some((_, printed))) => *printed += &format!("{line}\n"),
            (None, None) => panic!("{line} has no command"),
        }
    }
    assert!(session.len() >= 5, "{session:?}");
    for (command, expected) in session {
        let output = run(&command, &folder);
        let printed = String::from_utf8(output.stdout).unwrap();
        let printed = printed.replace(&folder.path(""), "/tmp");
        assert_eq!(shape(&printed), shape(&expected), "{command}");
    }
}
