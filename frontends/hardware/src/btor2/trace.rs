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
    // Readers of these runs want a third field in each line.
    let symbol = match (name, mark) {
        ("", '#') => format!(" state{number}#{step}"),
        ("", _) => format!(" input{number}{mark}{step}"),
        _ => format!(" {name}{mark}{step}"),
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

/// The lines of a run that are neither empty nor comments, with their numbers.
struct Lines<'a> {
    left: Box<dyn Iterator<Item = (usize, &'a str)> + 'a>,
    last: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let lines = text.lines().enumerate();
        let lines = lines.map(|(index, line)| (index + 1, line.trim()));
        Self {
            left: Box::new(lines.filter(|(_, line)| !line.is_empty() && !line.starts_with(';'))),
            last: 1,
        }
    }

    /// The next line, or an error that says what stands in it.
    fn next(&mut self, expected: &str) -> Result<(usize, &'a str), Fault> {
        let Some((number, line)) = self.left.next() else {
            let message = format!("the file ends where {expected} is expected");
            return fault(self.last, message);
        };
        self.last = number;
        Ok((number, line))
    }
}

fn fault<T>(line: usize, message: String) -> Result<T, Fault> {
    Err(Fault { line, message })
}

fn parse(bytes: &[u8], model: &Btor2) -> Result<Trace, Fault> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = Lines::new(&text);
    let (line, status) = lines.next("a run, which starts with a line \"sat\",")?;
    if status != "sat" {
        let message = "expected a run, which starts with a line \"sat\"".to_owned();
        return fault(line, message);
    }
    let (line, text) = lines.next("the properties")?;
    let mut trace = properties(text, model).map_err(|message| Fault { line, message })?;
    let mut is_states = true;
    loop {
        let (line, text) = lines.next("a step or the final \".\"")?;
        if text == "." {
            break;
        }
        if let Some(number) = text.strip_prefix('#').or_else(|| text.strip_prefix('@')) {
            is_states = text.starts_with('#');
            if begins_step(is_states, number, trace.steps.len()).ok_or_else(|| Fault {
                line,
                message: format!("expected step {}, but found {text:?}", trace.steps.len()),
            })? {
                trace.steps.push(Step::default());
            }
            continue;
        }
        let Some(step) = trace.steps.last_mut() else {
            let message = format!("expected \"#0\" or \"@0\", but found {text:?}");
            return fault(line, message);
        };
        value(text, is_states, model, step).map_err(|message| Fault { line, message })?;
    }
    match trace.steps.is_empty() {
        true => fault(lines.last, "the run has no steps".to_owned()),
        false => Ok(trace),
    }
}

/// A run without steps that is claimed to violate the properties of a line.
fn properties(text: &str, model: &Btor2) -> Result<Trace, String> {
    let mut trace = Trace::default();
    for property in text.split_whitespace() {
        let (list, n_properties, digits) = match property.split_at_checked(1) {
            Some(("b", digits)) => (&mut trace.bads, model.bads.len(), digits),
            Some(("j", digits)) => (&mut trace.justice, model.justice.len(), digits),
            _ => (&mut trace.bads, 0, ""),
        };
        let number = digits
            .parse::<usize>()
            .map_err(|_| format!("expected properties, such as \"b0\", but found {property:?}"))?;
        if number >= n_properties {
            let message =
                format!("there is no property {property}: the circuit has {n_properties}");
            return Err(message);
        }
        list.push(number);
    }
    Ok(trace)
}

/// Whether a heading begins the step that follows `n_steps` others, which it may do with its inputs; `None` if it has another
/// number.
fn begins_step(is_states: bool, number: &str, n_steps: usize) -> Option<bool> {
    let number = number.parse::<usize>().ok()?;
    if number == n_steps {
        return Some(true);
    }
    (!is_states && number + 1 == n_steps).then_some(false)
}

/// Adds the value of a line, of a state or an input, to a step.
fn value(text: &str, is_states: bool, model: &Btor2, step: &mut Step) -> Result<(), String> {
    let mut words = text.split_whitespace();
    let number = words.next().and_then(|word| word.parse::<usize>().ok());
    let node = number.and_then(|number| match is_states {
        true => Some((number, model.states.get(number)?.node)),
        false => Some((number, *model.inputs.get(number)?)),
    });
    let (number, node) = node.ok_or_else(|| {
        let kind = if is_states { "state" } else { "input" };
        format!("expected the number of a {kind}, but found {text:?}")
    })?;
    let list = match is_states {
        true => &mut step.states,
        false => &mut step.inputs,
    };
    let sort = model.nodes[node as usize].sort;
    let value = words.next().unwrap_or("");
    assign(list, number, sort, value, words.next())
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
