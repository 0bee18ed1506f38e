//! Runs over words, and their format in files: that of `btorsim`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

pub use craig_mc::word_system::WordStep as Step;
use craig_word::{ArrayValue, BitVector, Sort, Value};

use super::fault::{Btor2Error, Fault};
use super::model::Btor2;

/// A run, and the properties that it is claimed to violate: bads that hold in some step, and justice
/// properties that fail if the run ends in a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The bads.
    pub bads: Vec<usize>,
    /// The justice properties.
    pub justice: Vec<usize>,
    /// The steps; not empty.
    pub steps: Vec<Step>,
}

/// All bits 0; of an array, at every index.
pub(super) fn zero(sort: Sort) -> Value {
    match sort {
        Sort::BitVector(width) => Value::Bits(BitVector::new(0, width)),
        Sort::Array { index, element } => {
            let default = BitVector::new(0, element);
            Value::Array(Arc::new(ArrayValue::new(index, default)))
        }
    }
}

/// Writes a run in the format of `btorsim`: states only where they are free, arrays word by word.
///
/// # Errors
/// If `output` can't be written to.
pub fn write(model: &Btor2, trace: &Trace, output: &mut dyn Write) -> io::Result<()> {
    let names = model.names();
    let bads = trace.bads.iter().map(|bad| format!("b{bad}"));
    let all: Vec<String> = bads
        .chain(trace.justice.iter().map(|number| format!("j{number}")))
        .collect();
    writeln!(output, "sat\n{}", all.join(" "))?;
    for (number, step) in trace.steps.iter().enumerate() {
        let free = step.states.iter().filter(|&(&state, _)| {
            let state = &model.states[state];
            match number {
                0 => state.init.is_none(),
                _ => state.next.is_none(),
            }
        });
        let free: Vec<(&usize, &Value)> = free.collect();
        if number == 0 || !free.is_empty() {
            writeln!(output, "#{number}")?;
        }
        for (&state, value) in free {
            let name = &names[model.states[state].node as usize];
            write_value(state, value, '#', number, name, output)?;
        }
        writeln!(output, "@{number}")?;
        for (&input, value) in &step.inputs {
            let name = &names[model.inputs[input] as usize];
            write_value(input, value, '@', number, name, output)?;
        }
    }
    writeln!(output, ".")
}

fn write_value(
    number: usize,
    value: &Value,
    mark: char,
    step: usize,
    name: &str,
    output: &mut dyn Write,
) -> io::Result<()> {
    let symbol = match name {
        "" => String::new(),
        name => format!(" {name}{mark}{step}"),
    };
    match value {
        Value::Bits(bits) => writeln!(output, "{number} {}{symbol}", binary(bits)),
        Value::Array(array) => {
            if !array.default_element().is_zero() {
                let default = binary(array.default_element());
                writeln!(output, "{number} [*] {default}{symbol}")?;
            }
            for (index, element) in array.entries() {
                let (index, element) = (binary(index), binary(element));
                writeln!(output, "{number} [{index}] {element}{symbol}")?;
            }
            Ok(())
        }
    }
}

/// All digits of a value, the highest first.
#[must_use]
pub fn binary(bits: &BitVector) -> String {
    let digits = (0..bits.width()).rev();
    digits
        .map(|at| if bits.bit(at) { '1' } else { '0' })
        .collect()
}

/// Reads the first run of a file in the format of `btorsim`. `name` is the file's name in error messages.
///
/// # Errors
/// If the run is malformed, truncated, or does not fit the circuit.
pub fn read(bytes: &[u8], name: &str, model: &Btor2) -> Result<Trace, Btor2Error> {
    parse(bytes, model).map_err(|Fault { line, message }| Btor2Error {
        file: name.to_owned(),
        line,
        message,
    })
}

fn parse(bytes: &[u8], model: &Btor2) -> Result<Trace, Fault> {
    let text = String::from_utf8_lossy(bytes);
    let lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with(';'));
    let mut last = 1;
    let mut next = |expected: &str| match lines.next() {
        Some((number, line)) => {
            last = number;
            Ok((number, line))
        }
        None => Err(Fault {
            line: last,
            message: format!("the file ends where {expected} is expected"),
        }),
    };
    let fault = |line: usize, message: String| Err(Fault { line, message });
    let (line, status) = next("a run, which starts with a line \"sat\",")?;
    if status != "sat" {
        return fault(
            line,
            "expected a run, which starts with a line \"sat\"".to_owned(),
        );
    }
    let (line, properties) = next("the properties")?;
    let mut trace = Trace::default();
    for property in properties.split_whitespace() {
        let (list, n_properties, digits) = match property.split_at_checked(1) {
            Some(("b", digits)) => (&mut trace.bads, model.bads.len(), digits),
            Some(("j", digits)) => (&mut trace.justice, model.justice.len(), digits),
            _ => (&mut trace.bads, 0, ""),
        };
        match digits.parse::<usize>() {
            Ok(number) if number < n_properties => list.push(number),
            Ok(_) => {
                return fault(
                    line,
                    format!("there is no property {property}: the circuit has {n_properties}"),
                );
            }
            Err(_) => {
                return fault(
                    line,
                    format!("expected properties, such as \"b0\", but found {property:?}"),
                );
            }
        }
    }
    let mut is_states = true;
    loop {
        let (line, text) = next("a step or the final \".\"")?;
        if text == "." {
            break;
        }
        if let Some(number) = text.strip_prefix('#').or_else(|| text.strip_prefix('@')) {
            is_states = text.starts_with('#');
            // A step may begin with its inputs.
            let begins = match (is_states, number.parse::<usize>()) {
                (true, Ok(number)) if number == trace.steps.len() => true,
                (false, Ok(number)) if number == trace.steps.len() => true,
                (false, Ok(number)) if number + 1 == trace.steps.len() => false,
                _ => {
                    return fault(
                        line,
                        format!("expected step {}, but found {text:?}", trace.steps.len()),
                    );
                }
            };
            if begins {
                trace.steps.push(Step::default());
            }
            continue;
        }
        let Some(step) = trace.steps.last_mut() else {
            return fault(
                line,
                format!("expected \"#0\" or \"@0\", but found {text:?}"),
            );
        };
        let (kind, nodes, list) = match is_states {
            true => {
                let nodes: Box<dyn Fn(usize) -> Option<u32>> =
                    Box::new(|number| model.states.get(number).map(|state| state.node));
                ("state", nodes, &mut step.states)
            }
            false => {
                let nodes: Box<dyn Fn(usize) -> Option<u32>> =
                    Box::new(|number| model.inputs.get(number).copied());
                ("input", nodes, &mut step.inputs)
            }
        };
        let mut words = text.split_whitespace();
        let number = words.next().and_then(|word| word.parse::<usize>().ok());
        let Some((number, node)) = number.and_then(|number| Some((number, nodes(number)?))) else {
            return fault(
                line,
                format!("expected the number of a {kind}, but found {text:?}"),
            );
        };
        let sort = model.nodes[node as usize].sort;
        let value = words.next().unwrap_or("");
        assign(list, number, sort, value, words.next())
            .map_err(|message| Fault { line, message })?;
    }
    match trace.steps.is_empty() {
        true => fault(last, "the run has no steps".to_owned()),
        false => Ok(trace),
    }
}

/// Adds the value of a line; the words after the number are `first` and `second`.
fn assign(
    list: &mut BTreeMap<usize, Value>,
    number: usize,
    sort: Sort,
    first: &str,
    second: Option<&str>,
) -> Result<(), String> {
    let digits = |text: &str, width: u32| {
        let is_binary = text.bytes().all(|digit| matches!(digit, b'0' | b'1'));
        let value = BitVector::from_digits(text, 2, width);
        let fits = is_binary && text.len() == width as usize;
        value
            .filter(|_| fits)
            .ok_or_else(|| format!("expected {width} binary digits, but found {text:?}"))
    };
    match sort {
        Sort::BitVector(width) => {
            list.insert(number, Value::Bits(digits(first, width)?));
        }
        Sort::Array { index, element } => {
            let inner = first
                .strip_prefix('[')
                .and_then(|text| text.strip_suffix(']'));
            let inner = inner
                .ok_or_else(|| format!("expected an index in brackets, but found {first:?}"))?;
            let value = digits(second.unwrap_or(""), element)?;
            if inner == "*" {
                list.insert(
                    number,
                    Value::Array(Arc::new(ArrayValue::new(index, value))),
                );
                return Ok(());
            }
            let index = digits(inner, index)?;
            let old = list.entry(number).or_insert_with(|| zero(sort));
            if let Value::Array(array) = old {
                Arc::make_mut(array).store(index, value);
            }
        }
    }
    Ok(())
}
