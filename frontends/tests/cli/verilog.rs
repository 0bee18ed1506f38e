//! Designs in SystemVerilog. Each file of `tests/designs` has its right answers in its first lines.

use std::path::{Path, PathBuf};

use crate::run::{Folder, Ran, command, craig};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/designs")
}

/// Whether `yosys` is there; without it, an error says so.
fn has_yosys(ran: &Ran) -> bool {
    let is_missing = ran.stderr.contains("`yosys`, which is not installed");
    if is_missing {
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    }
    !is_missing
}

/// The values of a key in the first lines of a design.
fn values<'a>(text: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    let lines = text.lines().take_while(|line| line.starts_with("//"));
    lines.filter_map(move |line| {
        line.strip_prefix("// ")?
            .strip_prefix(key)?
            .strip_prefix(": ")
    })
}

/// Runs the command in the folder of the designs.
fn check(arguments: &[&str]) -> Ran {
    let output = command()
        .arg("check")
        .args(arguments)
        .current_dir(folder())
        .output()
        .unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Whether a printed verdict is the expected one, up to what follows its name.
fn is_verdict(line: &str, expected: &str) -> bool {
    let (word, rest) = expected.split_once(' ').unwrap();
    let name = rest.split_once(' ').map_or("", |(_, name)| name);
    let id = rest.split(' ').next().unwrap();
    let line = line
        .strip_prefix(word)
        .and_then(|line| line.strip_prefix(' '));
    line.is_some_and(|line| line.starts_with(id) && line.contains(name))
}

/// The names of the designs with answers.
fn designs() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".sv")).collect();
    names.sort();
    assert!(names.len() >= 90);
    names
}

#[test]
fn designs_have_their_answers() {
    let names = designs();
    let parts = names.chunks(names.len().div_ceil(4));
    std::thread::scope(|scope| {
        for part in parts {
            scope.spawn(|| part.iter().for_each(|name| check_answers(name)));
        }
    });
}

/// Decides a design, and compares with the answers in its first lines.
fn check_answers(name: &str) {
    let text = std::fs::read_to_string(folder().join(name)).unwrap();
    let words = |key| values(&text, key).flat_map(str::split_whitespace);
    let options = words("files").chain([name]).chain(words("options"));
    let ran = check(&options.collect::<Vec<&str>>());
    if !has_yosys(&ran) || ran.stderr.contains("`yosys` has no command `read_slang`") {
        return;
    }
    let all = format!("{name}\n{}{}", ran.stdout, ran.stderr);
    for part in values(&text, "refused") {
        assert_eq!(ran.code, Some(2), "{all}");
        assert!(ran.stderr.contains(part.trim_end()), "{part}: {all}");
    }
    for note in values(&text, "note") {
        assert!(ran.stderr.contains(note), "{note}: {all}");
    }
    let verdict = ["SAFE", "UNSAFE", "REACHED", "UNREACHABLE", "UNKNOWN"];
    let is_line = |line: &&str| verdict.contains(&line.split([' ', ':']).next().unwrap());
    let lines: Vec<&str> = ran.stdout.lines().filter(is_line).collect();
    let expected: Vec<&str> = values(&text, "expect").collect();
    assert_eq!(lines.len(), expected.len(), "{all}");
    match expected.as_slice() {
        // A property that is alone is printed without its name.
        [one] if !one.contains("REACH") => {
            assert_eq!(
                lines[0].split([' ', ':']).next(),
                one.split(' ').next(),
                "{all}"
            );
        }
        several => {
            for expected in several {
                let is_there = lines.iter().any(|line| is_verdict(line, expected));
                assert!(is_there, "{expected}: {all}");
            }
        }
    }
}

/// What is about one design, and what is about several inputs.
#[test]
fn files_on_the_command_line_are_one_design() {
    let ran = check(&["five/stage.sv", "counter_stops.sv", "memory.aag"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("memory.aag") && ran.stderr.contains("--each-file"),
        "{}",
        ran.stderr
    );
    let ran = check(&["five/stage.sv", "counter_stops.sv", "--jobs", "2"]);
    assert!(ran.stderr.contains("are one design"), "{}", ran.stderr);
    let ran = check(&["counter_stops.sv", "--reset-active", "low"]);
    assert!(
        ran.stderr.contains("`--reset-active` is about the input"),
        "{}",
        ran.stderr
    );
    let ran = check(&[
        "never_acknowledged.sv",
        "acknowledged.sv",
        "--each-file",
        "--quiet",
    ]);
    if !has_yosys(&ran) && ran.stdout.is_empty() {
        return;
    }
    if ran.code != Some(2) {
        assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    }
}

/// A list has the files, folders and macros of a design.
#[test]
fn a_list_is_a_design() {
    let place = Folder::new();
    let sources = folder().display().to_string();
    let text = format!(
        "+incdir+{sources}/five +define+DEPTH=3\n{sources}/five/types.sv {sources}/five/stage.sv\n\
         {sources}/five/checks.sv // the properties\n{sources}/several_files.sv\n"
    );
    let empty = place.write("empty.f", b"+define+A\n");
    let ran = craig(&["check", "-f", &empty]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("name no file"), "{}", ran.stderr);
    let list = place.write("files.f", text.as_bytes());
    let ran = craig(&["check", "-f", &list, "--top", "top"]);
    if !has_yosys(&ran) {
        return;
    }
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("SAFE b0 (c.legal:"), "{}", ran.stdout);
}

/// A run has the names of the design, by which `yosys` replays it.
#[test]
fn runs_are_replayed_by_yosys() {
    let place = Folder::new();
    let text = "module dut(input clk, input go, input [3:0] d, output reg [3:0] count);\n\
        reg [3:0] extra;\ninitial count = 0;\n\
        always @(posedge clk) begin extra <= d; if (go) count <= count + extra; end\n\
        limit: assert property (count != 9);\nendmodule\n";
    let design = place.write("dut.sv", text.as_bytes());
    let run = place.path("run.wit");
    let ran = craig(&["check", &design, "--witness", &run]);
    if !has_yosys(&ran) {
        return;
    }
    assert_eq!(ran.code, Some(10), "{}{}", ran.stdout, ran.stderr);
    let script = format!(
        "read_verilog -sv -formal {design}; prep -flatten -top dut; sim -r {run} -clock clk -scope dut"
    );
    let output = std::process::Command::new("yosys")
        .args(["-p", &script])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("Assert dut.limit"), "{text}");
}
