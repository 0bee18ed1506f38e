//! Reading circuits in BLIF (Berkeley Logic Interchange Format), as ABC and yosys write flat netlists: one model with
//! `.inputs`, `.outputs`, `.names` and `.latch`. The outputs are the bads: 1 says that something is wrong.
//!
//! All latches have to be clocked by one edge of one signal, or by none that is named: a step is such an edge.

mod build;

use std::fmt;

use crate::aiger::AigerModel;

/// The first error in a BLIF file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlifError {
    /// The file's name, as the caller gave it.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What was found, and what was expected.
    pub message: String,
}

impl fmt::Display for BlifError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: line {}: {}", self.file, self.line, self.message)
    }
}

impl std::error::Error for BlifError {}

/// A message about a line.
type Fault = (usize, String);

fn fault<T>(line: usize, message: impl Into<String>) -> Result<T, Fault> {
    Err((line, message.into()))
}

/// Reads a circuit. `name` is the file's name in error messages.
///
/// # Errors
/// If the bytes are not a BLIF file, or have what is not supported; with the first line that is wrong.
pub fn read(bytes: &[u8], name: &str) -> Result<AigerModel, BlifError> {
    let text = String::from_utf8_lossy(bytes);
    let netlist = netlist(&text).and_then(|netlist| build::model(&netlist));
    let model = netlist.map_err(|(line, message)| BlifError {
        file: name.to_owned(),
        line,
        message,
    })?;
    Ok(AigerModel::from_model(model))
}

/// A table of a signal: its rows, each with the inputs and the output.
#[derive(Debug)]
struct Table<'a> {
    line: usize,
    inputs: Vec<&'a str>,
    rows: Vec<(usize, &'a str, bool)>,
}

/// A latch.
#[derive(Debug)]
struct LatchLine<'a> {
    line: usize,
    input: &'a str,
    output: &'a str,
    /// The value in the first step, if it is fixed.
    initial: Option<bool>,
}

/// What a file says.
#[derive(Debug, Default)]
struct Netlist<'a> {
    inputs: Vec<(usize, &'a str)>,
    outputs: Vec<(usize, &'a str)>,
    /// The signal of each table, and the table.
    tables: Vec<(&'a str, Table<'a>)>,
    latches: Vec<LatchLine<'a>>,
    /// The edge and the signal that latches are clocked by.
    clock: Option<(&'a str, &'a str)>,
}

/// The words of a line with its continuations, without comments, and the number of the first line.
fn lines(text: &str) -> Vec<(usize, Vec<&str>)> {
    let mut all: Vec<(usize, Vec<&str>)> = Vec::new();
    let mut is_continued = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim_end();
        let (line, continues) = match line.strip_suffix('\\') {
            Some(line) => (line, true),
            None => (line, false),
        };
        let words = line.split_whitespace();
        match all.last_mut() {
            Some((_, last)) if is_continued => last.extend(words),
            _ => all.push((number, words.collect())),
        }
        is_continued = continues;
    }
    all.retain(|(_, words)| !words.is_empty());
    all
}

fn netlist(text: &str) -> Result<Netlist<'_>, Fault> {
    let mut netlist = Netlist::default();
    let mut has_model = false;
    let mut has_ended = false;
    let mut is_table = false;
    let mut last = 1;
    for (line, words) in lines(text) {
        last = line;
        if has_ended {
            return fault(
                line,
                "expected the end of the file after `.end`: one model is supported",
            );
        }
        let (first, rest) = (words[0], &words[1..]);
        if !first.starts_with('.') {
            match netlist.tables.last_mut() {
                Some((_, table)) if is_table => {
                    table.rows.push(row(line, table.inputs.len(), &words)?);
                }
                _ => {
                    return fault(
                        line,
                        format!("expected a keyword, which begins with a dot, and found {first:?}"),
                    );
                }
            }
            continue;
        }
        if !has_model && first != ".model" {
            return fault(line, format!("expected `.model`, and found `{first}`"));
        }
        is_table = first == ".names";
        match first {
            ".model" if has_model => {
                return fault(line, "one model is supported, and this is another");
            }
            ".model" => has_model = true,
            ".inputs" => netlist.inputs.extend(rest.iter().map(|&name| (line, name))),
            ".outputs" => netlist
                .outputs
                .extend(rest.iter().map(|&name| (line, name))),
            ".names" => match rest.split_last() {
                Some((output, inputs)) => netlist.tables.push((
                    output,
                    Table {
                        line,
                        inputs: inputs.to_vec(),
                        rows: Vec::new(),
                    },
                )),
                None => return fault(line, "`.names` names no signal"),
            },
            ".latch" => netlist.add_latch(line, rest)?,
            // A second name of a signal, as yosys writes it.
            ".conn" => match rest {
                [input, output] => netlist.tables.push((
                    output,
                    Table {
                        line,
                        inputs: vec![input],
                        rows: vec![(line, "1", true)],
                    },
                )),
                _ => return fault(line, "`.conn` connects two signals"),
            },
            // What tools note for each other.
            ".attr" | ".param" | ".cname" => {}
            ".end" => has_ended = true,
            ".subckt" | ".gate" | ".mlatch" => {
                return fault(
                    line,
                    format!(
                        "`{first}` is not supported: a flat netlist of `.names` and `.latch` is expected"
                    ),
                );
            }
            other => return fault(line, format!("`{other}` is not supported")),
        }
    }
    match has_model {
        true => Ok(netlist),
        false => fault(last, "expected `.model`, and found the end of the file"),
    }
}

/// A row of a table.
fn row<'a>(
    line: usize,
    n_inputs: usize,
    words: &[&'a str],
) -> Result<(usize, &'a str, bool), Fault> {
    let (inputs, output) = match words {
        [output] if n_inputs == 0 => ("", *output),
        [inputs, output] => (*inputs, *output),
        _ => return fault(line, "expected a row of a table: its inputs and its output"),
    };
    if inputs.len() != n_inputs || !inputs.bytes().all(|it| matches!(it, b'0' | b'1' | b'-')) {
        return fault(
            line,
            format!("expected {n_inputs} of `0`, `1` and `-`, and found {inputs:?}"),
        );
    }
    match output {
        "0" => Ok((line, inputs, false)),
        "1" => Ok((line, inputs, true)),
        _ => fault(
            line,
            format!("expected the output `0` or `1`, and found {output:?}"),
        ),
    }
}

impl<'a> Netlist<'a> {
    /// A latch: input and output, then perhaps an edge and a clock, then perhaps a value.
    fn add_latch(&mut self, line: usize, words: &[&'a str]) -> Result<(), Fault> {
        let (input, output, clock, initial) = match *words {
            [input, output] => (input, output, None, "3"),
            [input, output, initial] => (input, output, None, initial),
            [input, output, edge, clock] => (input, output, Some((edge, clock)), "3"),
            [input, output, edge, clock, initial] => (input, output, Some((edge, clock)), initial),
            _ => return fault(line, "expected `.latch INPUT OUTPUT [TYPE CLOCK] [VALUE]`"),
        };
        if let Some((edge, name)) = clock {
            if !matches!(edge, "re" | "fe") {
                return fault(
                    line,
                    format!(
                        "a latch of the type {edge:?} is not supported: `re` or `fe`, the edges of a clock"
                    ),
                );
            }
            match self.clock {
                _ if name == "NIL" => {}
                None => self.clock = Some((edge, name)),
                Some(other) if other == (edge, name) => {}
                Some((_, other)) => {
                    return fault(
                        line,
                        format!(
                            "a latch with another clock than {other:?} or another edge is not supported"
                        ),
                    );
                }
            }
        }
        let initial = match initial {
            "0" => Some(false),
            "1" => Some(true),
            "2" | "3" => None,
            _ => {
                return fault(
                    line,
                    format!("expected a value from 0 to 3, and found {initial:?}"),
                );
            }
        };
        self.latches.push(LatchLine {
            line,
            input,
            output,
            initial,
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use craig_model::{Reset, Trace, simulate};

    use super::*;

    /// A counter of two bits that waits for its input; both bits are 1 in step 3 at the soonest.
    const COUNTER: &str = "# a comment\n.model counter\n.inputs clk go\n.outputs full\n\
        .latch n0 q0 re clk 0\n.latch n1 q1 re clk 0\n.names q0 q1 full\n11 1\n.names carry \\\n  q1 n1\n10 1\n01 1\n\
        .names q0 go n0\n00 0\n11 0\n.names q0 go carry\n11 1\n.end\n";

    fn message(text: &str) -> String {
        read(text.as_bytes(), "f.blif")
            .map(|_| ())
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn tables_and_latches_are_a_circuit() {
        let model = read(COUNTER.as_bytes(), "f.blif").unwrap().model;
        assert_eq!(
            (model.inputs.len(), model.latches.len(), model.bads.len()),
            (2, 2, 1)
        );
        assert_eq!(model.names.bads, ["full"]);
        let run = |steps: &[bool]| {
            let trace = Trace {
                property: 0,
                initial: vec![Some(false); 2],
                inputs: steps
                    .iter()
                    .map(|&go| vec![Some(false), Some(go)])
                    .collect(),
            };
            let steps = simulate::replay(&model, &trace).unwrap();
            simulate::first_bad_step(&steps, 0)
        };
        assert_eq!(run(&[true; 5]), Some(3));
        assert_eq!(run(&[true, false, true, true, false]), Some(4));
        assert_eq!(run(&[false; 5]), None);
    }

    #[test]
    fn constants_and_free_values() {
        let text = ".model m\n.outputs zero one x\n.names zero\n.names one\n1\n.latch one q 2\n.conn q x\n.end\n";
        let model = read(text.as_bytes(), "f.blif").unwrap().model;
        assert_eq!(model.bads[0], craig_aig::Edge::FALSE);
        assert_eq!(model.bads[1], !craig_aig::Edge::FALSE);
        assert_eq!(model.bads[2], model.latches[0].state);
        assert_eq!(model.latches[0].reset, Reset::Uninitialised);
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        for (from, to, part) in [
            (
                "11 1\n.names carry",
                "1 1\n.names carry",
                "f.blif: line 8: expected 2 of",
            ),
            (
                ".names q0 go carry\n11 1\n",
                "",
                "line 9: nothing drives \"carry\"",
            ),
            (
                ".names q0 go carry",
                ".names n1 go carry",
                "line 16: \"n1\" depends on itself",
            ),
            (
                ".inputs clk go",
                ".inputs clk go q0",
                "line 5: \"q0\" is driven twice",
            ),
            (
                "q1 re clk 0",
                "q1 fe clk 0",
                "line 6: a latch with another clock",
            ),
            (
                "q1 re clk 0",
                "q1 ah clk 0",
                "line 6: a latch of the type \"ah\"",
            ),
            (
                "q1 re clk 0",
                "q1 re clk 7",
                "line 6: expected a value from 0 to 3",
            ),
            (
                ".names q0 q1 full",
                ".subckt f a=q0",
                "line 7: `.subckt` is not supported",
            ),
            (
                "00 0\n11 0\n",
                "00 0\n11 1\n",
                "line 15: the rows of a table have one output",
            ),
            (".model counter\n", "", "line 2: expected `.model`"),
            (".end\n", ".end\n.model two\n", "line 19: expected the end"),
        ] {
            let text = COUNTER.replace(from, to);
            assert_ne!(text, COUNTER, "{from}");
            let message = message(&text);
            assert!(message.contains(part), "{message}");
        }
        assert!(message("").contains("line 1: expected `.model`"));
    }
}
