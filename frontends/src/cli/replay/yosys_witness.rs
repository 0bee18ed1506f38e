//! Runs as witnesses of Yosys (`.yw`), which `yosys sim -r` replays: a list of signals with paths in the hierarchy, and the
//! bits of all of them in each step, the first signal in the lowest bits.

use std::io::{self, Write};

use craig_hardware::btor2::evaluate::{Simulator, StepValues};
use craig_hardware::btor2::trace::{Trace, binary};
use craig_hardware::btor2::{Argument, Btor2};
use craig_model::simulate;
use craig_model::{Model, Reset};
use craig_word::{BitVector, Value};
use serde::Serialize;

use crate::cli::json::VERSION;
use crate::cli::verilog::{Signals, plain_path};

/// Elements of a memory that are listed, at most, if it does not begin with zeros.
const MOST_ELEMENTS: u32 = 1 << 16;

#[derive(Serialize)]
struct File {
    format: &'static str,
    generator: String,
    clocks: Vec<Clock>,
    signals: Vec<Signal>,
    steps: Vec<Step>,
}

#[derive(Serialize)]
struct Clock {
    path: Vec<String>,
    edge: &'static str,
    offset: u32,
}

#[derive(Serialize)]
struct Signal {
    path: Vec<String>,
    width: usize,
    offset: u32,
    init_only: bool,
    /// The bits in each step, the highest first; of a signal that is given once, in the first step.
    #[serde(skip)]
    values: Vec<String>,
}

#[derive(Serialize)]
struct Step {
    bits: String,
}

/// Writes a run over words, which has the given steps.
///
/// # Errors
/// If a value has no place in the file, or the file can't be written.
pub(in crate::cli) fn write_words(
    model: &Btor2,
    run: &Trace,
    signals: Option<&Signals>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut simulator = Simulator::new(model);
    let mut steps = Vec::new();
    let mut first = None;
    for step in &run.steps {
        steps.push(simulator.step(step).map_err(io::Error::other)?);
        first.get_or_insert_with(|| simulator.clone());
    }
    let Some(first) = first else {
        return Err(io::Error::other("the run has no steps"));
    };
    let path = |name: &str| signals.map_or_else(|| plain_path(name), |it| it.path(name));
    let clock = signals.and_then(|signals| signals.clock.as_deref());
    let names = model.names();
    let mut all = Vec::new();
    for (number, &node) in model.inputs.iter().enumerate() {
        let name = &names[node as usize];
        if !name.is_empty() && Some(name.as_str()) != clock {
            all.push(signal(path(name), false, &steps, |step| {
                &step.inputs[number]
            }));
        }
    }
    for (number, state) in model.states.iter().enumerate() {
        let name = &names[state.node as usize];
        let is_fixed = state.init.is_some() && state.next.is_some();
        // A file may leave words of a memory open.
        let is_small = |value: &Value| match value {
            Value::Bits(_) => false,
            Value::Array(array) => array.index_width() < MOST_ELEMENTS.ilog2(),
        };
        if name.is_empty() || is_fixed && !is_small(&steps[0].states[number]) {
            continue;
        }
        match &steps[0].states[number] {
            Value::Bits(_) => {
                let is_once = state.next.is_some();
                all.push(signal(path(name), is_once, &steps, |step| {
                    &step.states[number]
                }));
            }
            array @ Value::Array(_) => {
                let first = signals.map_or(0, |it| it.first_word(name));
                all.extend(elements(&path(name), first, array)?);
            }
        }
    }
    if let Some(signals) = signals.filter(|signals| signals.is_multiclock) {
        all.extend(registers(model, &first, signals, &names));
    }
    // What is given once comes last, so that later steps end before it.
    all.sort_by_key(|signal| signal.init_only);
    finish(all, steps.len(), clock.map(path), output)
}

/// A word.
fn signal<'a>(
    path: Vec<String>,
    init_only: bool,
    steps: &'a [StepValues],
    of: impl Fn(&'a StepValues) -> &'a Value,
) -> Signal {
    let n_steps = if init_only { 1 } else { steps.len() };
    let values: Vec<String> = (steps[..n_steps].iter())
        .map(|step| binary(of(step).bits()))
        .collect();
    Signal {
        path,
        width: values[0].len(),
        offset: 0,
        init_only,
        values,
    }
}

/// The elements that a memory begins with, of which `first` is the index of the first one.
fn elements(path: &[String], first: u128, array: &Value) -> io::Result<Vec<Signal>> {
    let array = array.array();
    let element = |index: &BitVector, value: &BitVector| {
        let mut path = path.to_vec();
        let index = first + index.to_u128().unwrap_or_default();
        path.push(format!("\\[{index}]"));
        Signal {
            path,
            width: value.width() as usize,
            offset: 0,
            init_only: true,
            values: vec![binary(value)],
        }
    };
    let width = array.index_width();
    if array.default_element().is_zero() {
        let entries = array.entries().iter();
        return Ok(entries
            .map(|(index, value)| element(index, value))
            .collect());
    }
    if width >= MOST_ELEMENTS.ilog2() {
        return Err(io::Error::other(
            "a memory begins with too many words that are not 0 for a witness of Yosys",
        ));
    }
    let all = (0..1_u128 << width).map(|index| BitVector::new(index, width));
    Ok(all
        .map(|index| element(&index, array.select(&index)))
        .collect())
}

/// The registers of a design whose clocks are inputs: what its flip-flops begin with is in states without names.
fn registers<'a>(
    model: &'a Btor2,
    first: &'a Simulator<'a>,
    signals: &'a Signals,
    names: &'a [String],
) -> impl Iterator<Item = Signal> + 'a {
    let is_state = |node: usize| model.states.iter().any(|state| state.node as usize == node);
    signals.registers.iter().filter_map(move |name| {
        let node = names.iter().position(|other| other == name)?;
        if is_state(node) {
            return None;
        }
        let value = first.argument(Argument::of(node as u32));
        Some(Signal {
            path: signals.path(name),
            width: value.bits().width() as usize,
            offset: 0,
            init_only: true,
            values: vec![binary(value.bits())],
        })
    })
}

/// Writes a run of a circuit of bits. Names that end in an index are those of bits of words.
///
/// # Errors
/// If the file can't be written.
pub(in crate::cli) fn write_bits(
    model: &Model,
    steps: &[simulate::StepValues],
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut all = Vec::new();
    let digit = |value: bool| u8::from(value).to_string();
    let bit = |name: &str, init_only: bool, values: Vec<String>| {
        let (name, offset) = bit_of(name);
        Signal {
            path: plain_path(name),
            width: 1,
            offset,
            init_only,
            values,
        }
    };
    for number in 0..model.inputs.len() {
        if let Some(name) = named(&model.names.inputs, number) {
            let values = steps.iter().map(|step| digit(step.inputs[number]));
            all.push(bit(name, false, values.collect()));
        }
    }
    for (number, latch) in model.latches.iter().enumerate() {
        if latch.reset == Reset::Uninitialised
            && let Some(name) = named(&model.names.latches, number)
        {
            all.push(bit(name, true, vec![digit(steps[0].latches[number])]));
        }
    }
    finish(all, steps.len(), None, output)
}

fn named(names: &[String], number: usize) -> Option<&str> {
    let name = names.get(number).map(String::as_str);
    name.filter(|name| !name.is_empty())
}

/// The word and the place of a bit in it.
fn bit_of(name: &str) -> (&str, u32) {
    let split = name.strip_suffix(']').and_then(|it| it.rsplit_once('['));
    let split = split.and_then(|(word, index)| Some((word, index.parse().ok()?)));
    split.unwrap_or((name, 0))
}

fn finish(
    signals: Vec<Signal>,
    n_steps: usize,
    clock: Option<Vec<String>>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let bits = |step: usize| {
        let values = signals
            .iter()
            .rev()
            .filter_map(|signal| signal.values.get(step));
        values.map(String::as_str).collect::<String>()
    };
    let file = File {
        format: "Yosys Witness Trace",
        generator: format!("craig {VERSION}"),
        clocks: clock
            .map(|path| Clock {
                path,
                edge: "posedge",
                offset: 0,
            })
            .into_iter()
            .collect(),
        steps: (0..n_steps).map(|step| Step { bits: bits(step) }).collect(),
        signals,
    };
    serde_json::to_writer_pretty(&mut *output, &file)?;
    writeln!(output)
}

#[cfg(test)]
mod tests {
    use craig_hardware::btor2::{self, trace};

    use super::*;

    #[test]
    fn a_run_has_its_bits_in_the_order_of_the_signals() {
        let text = "1 sort bitvec 2\n2 sort bitvec 1\n3 input 2 go\n4 input 1 d\n5 state 1 q\n6 sort array 1 1\n\
                    7 state 6 m\n8 next 1 5 4\n9 read 1 7 5\n10 redand 2 9\n11 bad 10\n12 next 6 7 7\n";
        let model = btor2::read(text.as_bytes(), "text").unwrap();
        let run = "sat\nb0\n#0\n0 01 q#0\n1 [10] 11 m#0\n@0\n0 1 go@0\n1 10 d@0\n@1\n0 0 go@1\n1 11 d@1\n.\n";
        let run = trace::read(run.as_bytes(), "run", &model).unwrap();
        let mut written = Vec::new();
        write_words(&model, &run, None, &mut written).unwrap();
        let file: serde_json::Value = serde_json::from_slice(&written).unwrap();
        let of = |key: &str| -> Vec<String> {
            let signals = file["signals"].as_array().unwrap().iter();
            signals.map(|signal| signal[key].to_string()).collect()
        };
        assert_eq!(
            of("path"),
            [
                r#"["\\go"]"#,
                r#"["\\d"]"#,
                r#"["\\q"]"#,
                r#"["\\m","\\[2]"]"#
            ]
        );
        assert_eq!(of("init_only"), ["false", "false", "true", "true"]);
        let steps = file["steps"].as_array().unwrap();
        assert_eq!(steps[0]["bits"], "1101101");
        assert_eq!(steps[1]["bits"], "110");
    }

    #[test]
    fn bits_have_places_in_words() {
        assert_eq!(bit_of("a[3]"), ("a", 3));
        assert_eq!(bit_of("u.a"), ("u.a", 0));
        assert_eq!(bit_of("a[x]"), ("a[x]", 0));
    }
}
