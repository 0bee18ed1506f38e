//! Designs in Verilog: `yosys` makes a word-level circuit of them.
//!
//! Without a named clock, the script uses `clk2fflogic`: every clock is an input that may change in any
//! step, and a
//! flip-flop is written where its clock rises or falls. With a named clock, a step of the circuit is a
//! rising edge
//! of it; that is only right if nothing else is a clock, which is checked on the netlist.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::failure::Failure;
use craig_c::Preprocessing;

/// A design as text in BTOR2, and the command that made it.
pub(super) struct Elaborated {
    /// The circuit. The symbols of its bads have the lines of the assertions.
    pub(super) text: String,
    /// What was run.
    pub(super) command: String,
}

/// Whether the file's name is that of a design in Verilog.
pub(super) fn is_verilog(path: &Path) -> bool {
    matches!(
        path.extension().and_then(|it| it.to_str()),
        Some("v" | "sv")
    )
}

/// Where the circuit of a design is written: beside the evidence about it.
pub(super) fn beside(witness: &Path) -> PathBuf {
    witness.with_extension("model.btor2")
}

/// A design, and how it is read.
pub(super) struct Design<'a> {
    /// The file.
    pub(super) path: &'a Path,
    /// The top module; by default, `yosys` finds it.
    pub(super) top: Option<&'a str>,
    /// The only clock.
    pub(super) clock: Option<&'a str>,
    /// The folders of included files, and macros.
    pub(super) preprocessing: Preprocessing,
}

impl Design<'_> {
    /// The arguments of the command that reads the file. In the scripts of `yosys`, only names of files may be quoted.
    fn reading(&self) -> String {
        let Preprocessing {
            include, define, ..
        } = &self.preprocessing;
        let folders = include.iter().map(|folder| format!(" -I{folder}"));
        let macros = define.iter().map(|name| format!(" -D{name}"));
        folders.chain(macros).collect()
    }

    /// Refuses names that the script can't contain.
    fn check_names(&self) -> Result<(), Failure> {
        let file = self.path.display().to_string();
        let Preprocessing {
            include, define, ..
        } = &self.preprocessing;
        let unquoted = [self.top, self.clock].into_iter().flatten();
        let mut unquoted = unquoted.chain(include.iter().chain(define).map(String::as_str));
        let is_wrong = |name: &str| name.is_empty() || name.contains(['"', '\\', ';', '\n']);
        let is_split = |name: &str| name.contains(|it: char| it.is_whitespace() || it == '#');
        let wrong = match is_wrong(&file) {
            true => Some(file.as_str()),
            false => unquoted.find(|name| is_wrong(name) || is_split(name)),
        };
        match wrong {
            Some(name) => Err(Failure::input(format!(
                "{name:?}: `yosys` can't be given this name"
            ))),
            None => Ok(()),
        }
    }
}

/// Runs `yosys` on a design.
///
/// # Errors
/// If `yosys` is missing or rejects the design, or flip-flops or memories have another clock than the named
/// one.
pub(super) fn elaborate(design: &Design<'_>) -> Result<Elaborated, Failure> {
    let (path, clock) = (design.path, design.clock);
    let file = path.display().to_string();
    design.check_names()?;
    if let Err(error) = std::fs::metadata(path) {
        return Err(Failure::input(format!("{file}: can't be read: {error}")));
    }
    let top = (design.top).map_or_else(|| "-auto-top".to_owned(), |top| format!("-top {top}"));
    let clocks = if clock.is_some() {
        "async2sync"
    } else {
        "clk2fflogic"
    };
    let reading = design.reading();
    let script = format!(
        "read_verilog -sv -formal{reading} \"{file}\"; prep -flatten -nordff {top}; {clocks}; dffunmap; write_btor -; \
         write_json -"
    );
    let command = format!("yosys -q -p '{script}'");
    let output = Command::new("yosys").args(["-q", "-p", &script]).output();
    let output = output.map_err(|error| {
        Failure::input(match error.kind() {
            io::ErrorKind::NotFound => format!(
                "{file}: reading Verilog needs the program `yosys`, which is not installed (on Debian: apt-get \
                 install yosys)"
            ),
            _ => format!("{file}: `yosys` can't be run: {error}"),
        })
    })?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        let last: Vec<&str> = stderr
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        let last = last.last().copied().unwrap_or("it states no reason");
        return Err(Failure::input(format!("{file}: {command} failed: {last}")));
    }
    let Some((circuit, netlist)) = stdout.split_once("\n{") else {
        return Err(Failure::input(format!(
            "{file}: {command} wrote no netlist"
        )));
    };
    if let Some(clock) = clock {
        let netlist: Value = serde_json::from_str(&format!("{{{netlist}"))
            .map_err(|error| Failure::input(format!("{file}: the netlist of yosys: {error}")))?;
        check_clock(&netlist, clock)
            .map_err(|message| Failure::input(format!("{file}: {message}")))?;
    }
    let lines = circuit.lines().map(with_source);
    Ok(Elaborated {
        text: lines.collect::<Vec<String>>().join("\n") + "\n",
        command,
    })
}

/// The line of a bad has the name of its assertion as its symbol, and the line in a comment, or else the
/// line as
/// its symbol. The result has both in its symbol.
fn with_source(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
    match words.as_slice() {
        [identifier, "bad", value, symbol, ";", source, ..] => {
            format!("{identifier} bad {value} {symbol}:{source}")
        }
        _ => line.to_owned(),
    }
}

/// Checks that all flip-flops and writes of memories of a netlist take place at the rising edge of an input.
fn check_clock(netlist: &Value, clock: &str) -> Result<(), String> {
    let modules = netlist["modules"]
        .as_object()
        .ok_or("the netlist has no modules")?;
    let is_top = |module: &&Value| !module["attributes"]["top"].is_null();
    let module = modules
        .values()
        .find(is_top)
        .or_else(|| modules.values().next());
    let module = module.ok_or("the netlist has no modules")?;
    let port = &module["ports"][clock]["bits"][0];
    if port.is_null() {
        return Err(format!(
            "the design has no port {clock:?} that could be its clock"
        ));
    }
    let Some(cells) = module["cells"].as_object() else {
        return Ok(());
    };
    for (name, cell) in cells {
        let is_wrong = |pins: &str, polarity: &str, enable: &str| {
            let ones = |parameter: &str| match &cell["parameters"][parameter] {
                Value::String(bits) => bits.contains('1').then_some(!bits.contains('0')),
                Value::Number(number) => Some(number.as_u64() != Some(0)).filter(|&it| it),
                _ => Some(true),
            };
            let Some(pins) = cell["connections"][pins].as_array() else {
                return false;
            };
            // A port without a clock is written in every step.
            let is_clocked = enable.is_empty() || ones(enable) == Some(true);
            let is_rising = ones(polarity) == Some(true);
            let is_right = is_clocked && is_rising && pins.iter().all(|pin| pin == port);
            !(pins.is_empty() || is_right)
        };
        let is_read_clocked = match &cell["parameters"]["RD_CLK_ENABLE"] {
            Value::String(bits) => bits.contains('1'),
            Value::Number(number) => number.as_u64() != Some(0),
            _ => false,
        };
        if is_wrong("CLK", "CLK_POLARITY", "")
            || is_wrong("WR_CLK", "WR_CLK_POLARITY", "WR_CLK_ENABLE")
            || is_read_clocked
        {
            return Err(format!(
                "{name} is not written at the rising edge of {clock:?}; without `--clock`, all edges of all clocks \
                 are considered"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_clocks_are_found() {
        let netlist = |pin: u32, polarity: &str| {
            serde_json::json!({"modules": {"top": {
                "attributes": {"top": "1"},
                "ports": {"clk": {"bits": [2]}, "other": {"bits": [3]}},
                "cells": {"register": {
                    "parameters": {"CLK_POLARITY": polarity},
                    "connections": {"CLK": [pin]},
                }},
            }}})
        };
        assert_eq!(check_clock(&netlist(2, "1"), "clk"), Ok(()));
        assert!(
            check_clock(&netlist(3, "1"), "clk")
                .unwrap_err()
                .contains("register")
        );
        assert!(
            check_clock(&netlist(2, "00000"), "clk")
                .unwrap_err()
                .contains("rising edge")
        );
        assert!(
            check_clock(&netlist(2, "1"), "none")
                .unwrap_err()
                .contains("no port")
        );
    }

    #[test]
    fn macros_and_folders_reach_yosys() {
        let strings = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
        let mut design = Design {
            path: Path::new("top.sv"),
            top: None,
            clock: None,
            preprocessing: Preprocessing {
                include: strings(&["some/folder"]),
                define: strings(&["BUG", "WIDTH=4"]),
                ..Preprocessing::default()
            },
        };
        design.check_names().unwrap();
        let expected = " -Isome/folder -DBUG -DWIDTH=4";
        assert_eq!(design.reading(), expected);
        // Its scripts would take these for several words, or for commands.
        for wrong in ["X\"; shell ls", "two words", "a#b", ""] {
            design.preprocessing.define = strings(&[wrong]);
            assert!(design.check_names().is_err(), "{wrong}");
        }
    }

    #[test]
    fn bads_have_their_lines() {
        assert_eq!(
            with_source("5 bad 4 lower ; top.sv:14.2"),
            "5 bad 4 lower:top.sv:14.2"
        );
        assert_eq!(with_source("5 bad 4 top.sv:13.1"), "5 bad 4 top.sv:13.1");
        assert_eq!(
            with_source("2 input 1 clk ; top.sv:1"),
            "2 input 1 clk ; top.sv:1"
        );
    }
}
