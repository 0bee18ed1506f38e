//! Every command in the README works.

use std::process::Command;

use crate::run::{Folder, root};

/// The commands of the fenced `sh` blocks, without those that build and test: this test is one of them.
#[test]
fn every_command_in_the_readme_runs() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let mut commands = Vec::new();
    let mut is_shell = false;
    for line in text.lines() {
        match line {
            "```sh" => is_shell = true,
            "```" => is_shell = false,
            line if is_shell && !line.trim().is_empty() => commands.push(line.to_owned()),
            _ => {}
        }
    }
    assert!(commands.len() >= 6, "{commands:?}");
    let folder = Folder::new();
    let mut n_run = 0;
    for line in &commands {
        let command = match line.strip_prefix("cargo run --release -- ") {
            Some(rest) => format!("craig {rest}"),
            None if line.starts_with("cargo ") => continue,
            None => line.clone(),
        };
        // What the README writes to /tmp, the test writes to a folder of its own.
        let command = command.replace("/tmp", &folder.path(""));
        let script = format!("craig() {{ \"$CRAIG\" \"$@\"; }}; {command}");
        let output = Command::new("bash")
            .args(["-c", &script])
            .current_dir(root())
            .env("CRAIG", env!("CARGO_BIN_EXE_craig"))
            .output()
            .unwrap();
        let code = output.status.code();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            matches!(code, Some(0 | 10 | 20)),
            "{line}: exit {code:?}: {stderr}"
        );
        n_run += 1;
    }
    assert!(n_run >= 4, "{commands:?}");
}
