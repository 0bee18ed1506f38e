//! Blocks of Python in a file of SymbiYosys: each is replaced by the lines that it gives to `output`.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

/// The lines around a block.
const BEGIN: &str = "--pycode-begin--";
const END: &str = "--pycode-end--";

/// Runs the block on its standard input, with what SymbiYosys gives it: the task and its tags are arguments.
const DRIVER: &str = "\
import os, re, sys
lines = []
out, sys.stdout = sys.stdout, sys.stderr
names = {'os': os, 're': re, 'sys': sys, 'output_lines': lines, 'output': lines.append}
names['task'] = sys.argv[1] or None
names['tags'] = set(sys.argv[2:])
exec(compile(sys.stdin.read(), 'the block of Python', 'exec'), names)
for line in lines:
    for part in str(line).splitlines() or ['']:
        out.write(part + '\\n')
";

/// The lines of a file, with their numbers, where each block is replaced for a task with these tags, or for no task.
///
/// # Errors
/// If a block does not end, or Python fails, with the line of the block.
pub(super) fn expand(
    text: &str,
    task: Option<(&str, &BTreeSet<String>)>,
) -> Result<Vec<(usize, String)>, String> {
    let mut all = Vec::new();
    let mut block: Option<(usize, String)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        match &mut block {
            None if line.trim_end() == BEGIN => block = Some((number, String::new())),
            None => all.push((number, line.to_owned())),
            Some((begin, code)) if line.trim_end() == END => {
                let output =
                    run(code, task).map_err(|message| format!("line {begin}: {message}"))?;
                all.extend(output.lines().map(|line| (*begin, line.to_owned())));
                block = None;
            }
            Some((_, code)) => {
                code.push_str(line);
                code.push('\n');
            }
        }
    }
    match block {
        None => Ok(all),
        Some((begin, _)) => Err(format!("line {begin}: expected `{END}` behind this block")),
    }
}

/// What a block gives to `output`.
fn run(code: &str, task: Option<(&str, &BTreeSet<String>)>) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("`python3`, which runs this block: {error}");
    let mut command = Command::new("python3");
    command.args(["-c", DRIVER]);
    match task {
        Some((name, tags)) => command.arg(name).args(tags),
        None => command.arg(""),
    };
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().map_err(failed)?;
    // It reads all before it writes: neither waits for the other.
    let written = child
        .stdin
        .take()
        .map(|mut input| input.write_all(code.as_bytes()));
    let output = child.wait_with_output().map_err(failed)?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let last = text.lines().rfind(|line| !line.trim().is_empty());
        return Err(format!(
            "the block of Python: {}",
            last.unwrap_or("it failed")
        ));
    }
    written.unwrap_or(Ok(())).map_err(failed)?;
    String::from_utf8(output.stdout)
        .map_err(|_| "the block of Python: expected a text in UTF-8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without Python there is nothing to try.
    fn has_python() -> bool {
        Command::new("python3").arg("--version").output().is_ok()
    }

    #[test]
    fn blocks_give_lines() {
        if !has_python() {
            return;
        }
        let text = "a\n--pycode-begin--\nfor n in sorted(tags):\n  output('%s of %s' % (n, task))\nprint('aside')\n--pycode-end--\nb\n";
        let tags = BTreeSet::from(["x".to_owned(), "y".to_owned()]);
        let line = |number: usize, text: &str| (number, text.to_owned());
        assert_eq!(
            expand(text, Some(("x", &tags))).unwrap(),
            [
                line(1, "a"),
                line(2, "x of x"),
                line(2, "y of x"),
                line(7, "b")
            ]
        );
        assert_eq!(expand(text, None).unwrap(), [line(1, "a"), line(7, "b")]);
    }

    #[test]
    fn faults_have_the_line_of_the_block() {
        if !has_python() {
            return;
        }
        for (text, part) in [
            (
                "\n--pycode-begin--\nx = \n--pycode-end--\n",
                "line 2: the block of Python: SyntaxError",
            ),
            (
                "--pycode-begin--\noutput(y)\n--pycode-end--\n",
                "line 1: the block of Python: NameError",
            ),
            (
                "a\n\n--pycode-begin--\noutput('b')\n",
                "line 3: expected `--pycode-end--`",
            ),
        ] {
            let message = expand(text, None).unwrap_err();
            assert!(message.starts_with(part), "{message}");
        }
    }
}
