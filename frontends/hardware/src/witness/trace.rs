//! Traces in the AIGER witness format.

use std::io::{self, Write};

use craig_model::{Lasso, Model, Trace, Values, simulate::Simulator};

use super::error::{WitnessError, quote};
use crate::aiger::AigerModel;

/// A trace from a file. The claim is that each listed bad holds in some step of the run, not necessarily in its
/// last step, and that each listed justice property fails on the run, which then ends in a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFile {
    /// The bads that are claimed to be reached.
    pub bads: Vec<usize>,
    /// The justice properties that are claimed to fail; empty only if there are bads.
    pub justice: Vec<usize>,
    /// The latches' values before the first step.
    pub initial: Values,
    /// The inputs' values in each step; never empty.
    pub inputs: Vec<Values>,
}

impl TraceFile {
    /// The first `n_steps` steps, as a claim about the bad `property`.
    #[must_use]
    pub fn prefix(&self, property: usize, n_steps: usize) -> Trace {
        Trace {
            property,
            initial: self.initial.clone(),
            inputs: self.inputs[..n_steps].to_vec(),
        }
    }

    /// The run as a claim about a justice property, with the longest loop that it closes: it begins in the
    /// first state that equals the last one, if open values are at their resets or 0. `None` if there is no
    /// such state, or a latch does not start at its reset.
    #[must_use]
    pub fn lasso(&self, property: usize, model: &Model) -> Option<Lasso> {
        let mut simulator = Simulator::new(model, &self.initial, &self.inputs[0]).ok()?;
        let mut states = Vec::with_capacity(self.inputs.len());
        for values in &self.inputs {
            states.push(simulator.state().to_vec());
            let values: Vec<bool> = values.iter().map(|value| value.unwrap_or(false)).collect();
            simulator.step(&values);
        }
        Some(Lasso {
            property,
            initial: self.initial.clone(),
            inputs: self.inputs.clone(),
            loop_start: states.iter().position(|state| state == simulator.state())?,
        })
    }
}

/// Reads the first trace of a file. Lines that start with `c` or `u` are skipped.
///
/// # Errors
/// If the trace is malformed, truncated, or does not match the model.
pub fn read_trace(bytes: &[u8], name: &str, model: &AigerModel) -> Result<TraceFile, WitnessError> {
    let fault = |line: usize, message: String| WitnessError::Trace {
        file: name.to_owned(),
        line,
        message,
    };
    let mut lines = bytes
        .split(|&byte| byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .filter(|(_, line)| !matches!(line.first(), Some(b'c' | b'u')));
    let mut next = |expected: &str| {
        lines
            .next()
            .ok_or_else(|| fault(1, format!("the file ends where {expected} is expected")))
    };

    let (line, status) = next("a trace or an AIGER header")?;
    match status {
        b"1" => {}
        b"0" => {
            return Err(fault(
                line,
                "the status is 0 (safe): there is no trace".to_owned(),
            ));
        }
        b"2" => {
            return Err(fault(
                line,
                "the status is 2 (unknown): there is no trace".to_owned(),
            ));
        }
        _ => {
            return Err(fault(
                line,
                format!(
                    "expected a trace, which starts with a line \"1\", but found {}",
                    quote(status)
                ),
            ));
        }
    }
    let (line, properties) = next("the properties")?;
    let named = parse_properties(properties).map_err(|message| fault(line, message))?;
    let [mut bads, mut justice] = [Vec::new(), Vec::new()];
    for (kind, number) in named {
        let (list, n_properties) = match kind {
            'b' => (&mut bads, model.model.bads.len()),
            _ => (&mut justice, model.model.justice.len()),
        };
        if number >= n_properties {
            return Err(fault(
                line,
                format!("there is no property {kind}{number}: the model has {n_properties}"),
            ));
        }
        list.push(number);
    }
    let (line, text) = next("the initial state")?;
    let initial = parse_values(text, model.model.latches.len(), "latches")
        .map_err(|message| fault(line, message))?;
    let mut inputs = Vec::new();
    loop {
        let (line, text) = next("a step or the final \".\"")?;
        if text == b"." {
            break;
        }
        inputs.push(
            parse_values(text, model.model.inputs.len(), "inputs")
                .map_err(|message| fault(line, message))?,
        );
    }
    if inputs.is_empty() {
        return Err(fault(line, "the trace has no steps".to_owned()));
    }
    Ok(TraceFile {
        bads,
        justice,
        initial,
        inputs,
    })
}

/// The kinds and numbers in a line such as `b0j3`.
fn parse_properties(text: &[u8]) -> Result<Vec<(char, usize)>, String> {
    let expected = || {
        format!(
            "expected properties, such as \"b0\" or \"j0\", but found {}",
            quote(text)
        )
    };
    let mut rest = std::str::from_utf8(text).map_err(|_| expected())?;
    let mut properties = Vec::new();
    while let Some(kind @ ('b' | 'j')) = rest.chars().next() {
        let after = &rest[1..];
        let end = after.find(|character: char| !character.is_ascii_digit());
        let (digits, next) = after.split_at(end.unwrap_or(after.len()));
        properties.push((kind, digits.parse().map_err(|_| expected())?));
        rest = next;
    }
    match properties.is_empty() || !rest.is_empty() {
        true => Err(expected()),
        false => Ok(properties),
    }
}

fn parse_values(text: &[u8], width: usize, what: &str) -> Result<Values, String> {
    if text.len() != width {
        return Err(format!(
            "expected {width} characters 0, 1 or x, one for each of the {what}, but found {}",
            text.len()
        ));
    }
    text.iter()
        .map(|character| match character {
            b'0' => Ok(Some(false)),
            b'1' => Ok(Some(true)),
            b'x' => Ok(None),
            _ => Err(format!(
                "expected 0, 1 or x but found {}",
                quote(&[*character])
            )),
        })
        .collect()
}

/// Writes a trace in the AIGER witness format.
///
/// # Errors
/// If `output` can't be written to.
pub fn write_trace(trace: &Trace, output: &mut dyn Write) -> io::Result<()> {
    let property = format!("b{}", trace.property);
    write_run(&property, &trace.initial, &trace.inputs, output)
}

/// Writes a lasso in the AIGER witness format. The start of its loop is not written: it is the first state
/// that equals the one after the last step, and any such state will do.
///
/// # Errors
/// If `output` can't be written to.
pub fn write_lasso(lasso: &Lasso, output: &mut dyn Write) -> io::Result<()> {
    let property = format!("j{}", lasso.property);
    write_run(&property, &lasso.initial, &lasso.inputs, output)
}

fn write_run(
    property: &str,
    initial: &Values,
    inputs: &[Values],
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut text = format!("1\n{property}\n");
    for values in std::iter::once(initial).chain(inputs) {
        text.extend(values.iter().map(|value| match value {
            Some(false) => '0',
            Some(true) => '1',
            None => 'x',
        }));
        text.push('\n');
    }
    text.push_str(".\n");
    output.write_all(text.as_bytes())
}
