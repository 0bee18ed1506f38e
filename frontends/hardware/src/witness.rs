//! Reading and writing evidence in the formats of hardware model checkers: traces in the AIGER witness
//! format, and certificates as witness circuits (HWMCC since 2024; Yu, Froleyks, Biere and Heljanko, "Towards
//! Compositional Hardware Model Checking Certification", FMCAD 2023).
//!
//! A witness circuit is a separate AIGER file. Symbols `= literal` determine which of its inputs and latches
//! are shared with the model, or a comment `MAPPING n` with n lines of two literals, or else their positions.
//! The literals on the model's side are those of the model's file.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};

use craig_mc::Names;
use craig_mc::Values;
use craig_mc::{Certificate, Trace};

use crate::aiger::{self, AigerError, AigerModel, Encoding};

/// Evidence from a file.
#[derive(Clone, Debug)]
pub enum Witness {
    /// A run that is claimed to reach the listed properties.
    Trace(TraceFile),
    /// A circuit that is claimed to prove that no bad is reachable.
    Certificate(Box<Certificate>),
}

/// A trace from a file. The claim is that each listed property holds in some step of the run, not necessarily
/// in its last step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFile {
    /// The bads that are claimed to be reached; never empty.
    pub bads: Vec<usize>,
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
}

/// An error in a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WitnessError {
    /// A trace is malformed.
    Trace {
        /// The file's name, as the caller gave it.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// What was found, and what was expected.
        message: String,
    },
    /// A witness circuit is not a valid circuit.
    Circuit(AigerError),
    /// A witness circuit does not match the model.
    Mapping {
        /// The file's name, as the caller gave it.
        file: String,
        /// The mismatch.
        message: String,
    },
}

impl fmt::Display for WitnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trace {
                file,
                line,
                message,
            } => write!(f, "{file}: line {line}: {message}"),
            Self::Circuit(error) => error.fmt(f),
            Self::Mapping { file, message } => write!(f, "{file}: {message}"),
        }
    }
}

impl std::error::Error for WitnessError {}

/// Reads evidence of either kind. `name` is the file's name in error messages.
///
/// # Errors
/// If it is neither, or does not match the model.
pub fn read(bytes: &[u8], name: &str, model: &AigerModel) -> Result<Witness, WitnessError> {
    if bytes.starts_with(b"aag ") || bytes.starts_with(b"aig ") {
        read_certificate(bytes, name, model)
            .map(|certificate| Witness::Certificate(Box::new(certificate)))
    } else {
        read_trace(bytes, name, model).map(Witness::Trace)
    }
}

/// Reads the first trace of a file. Lines that start with `c` or `u` are skipped.
///
/// # Errors
/// If the trace is malformed, truncated, does not match the model, or is about justice properties.
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
    let bads = parse_properties(properties).map_err(|message| fault(line, message))?;
    if let Some(bad) = bads.iter().find(|&&bad| bad >= model.model.bads.len()) {
        return Err(fault(
            line,
            format!(
                "there is no property b{bad}: the model has {}",
                model.model.bads.len()
            ),
        ));
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
        initial,
        inputs,
    })
}

/// The numbers in a line such as `b0b3`.
fn parse_properties(text: &[u8]) -> Result<Vec<usize>, String> {
    let expected = || {
        format!(
            "expected properties, such as \"b0\", but found {}",
            quote(text)
        )
    };
    let text_utf8 = std::str::from_utf8(text).map_err(|_| expected())?;
    if text.contains(&b'j') {
        return Err("traces of justice properties are not supported".to_owned());
    }
    let numbers = text_utf8.strip_prefix('b').ok_or_else(expected)?;
    numbers
        .split('b')
        .map(|number| match number.parse() {
            Ok(index) if number.as_bytes()[0].is_ascii_digit() => Ok(index),
            _ => Err(expected()),
        })
        .collect()
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
    let mut text = format!("1\nb{}\n", trace.property);
    for values in std::iter::once(&trace.initial).chain(&trace.inputs) {
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

/// Writes a witness circuit. The literals in it are those of the file that `model` was read from.
///
/// # Errors
/// If `output` can't be written to.
///
/// # Panics
/// If the certificate shares inputs or latches that the model does not have.
pub fn write_certificate(
    certificate: &Certificate,
    model: &AigerModel,
    encoding: Encoding,
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut witness = certificate.witness.clone();
    let symbols = |shared: &[Option<usize>], literals: &[u32]| -> Vec<String> {
        let symbol = |index: &Option<usize>| match index {
            Some(index) => format!("= {}", literals[*index]),
            None => String::new(),
        };
        shared.iter().map(symbol).collect()
    };
    witness.names = Names {
        inputs: symbols(&certificate.shared_inputs, &model.input_literals),
        latches: symbols(&certificate.shared_latches, &model.latch_literals),
        ..Names::default()
    };
    let mut circuit = AigerModel::from_model(witness);
    let mut shared = certificate
        .shared_inputs
        .iter()
        .chain(&certificate.shared_latches);
    if shared.all(Option::is_none) {
        // Without any symbol, a reader would pair inputs and latches by their positions.
        circuit.comment = Some("MAPPING 0".to_owned());
    }
    match encoding {
        Encoding::Ascii => aiger::write_ascii(&circuit, output),
        Encoding::Binary => aiger::write_binary(&circuit, output),
    }
}

/// Reads a witness circuit for a model.
///
/// # Errors
/// If it is not a circuit; if its mapping is malformed, pairs anything twice, pairs an input with a latch or
/// a literal with a negation, or mentions a literal that is neither an input nor a latch.
pub fn read_certificate(
    bytes: &[u8],
    name: &str,
    model: &AigerModel,
) -> Result<Certificate, WitnessError> {
    let circuit = aiger::read(bytes, name).map_err(WitnessError::Circuit)?;
    let mapping = |message: String| WitnessError::Mapping {
        file: name.to_owned(),
        message,
    };
    let pairs = read_pairs(&circuit, model).map_err(mapping)?;
    let mut certificate = Certificate {
        shared_inputs: vec![None; circuit.model.inputs.len()],
        shared_latches: vec![None; circuit.model.latches.len()],
        witness: circuit.model,
    };
    let ours = places(&circuit.input_literals, &circuit.latch_literals);
    let theirs = places(&model.input_literals, &model.latch_literals);
    let mut taken = vec![false; theirs.len()];
    for (witness_literal, model_literal) in pairs {
        let find = |places: &HashMap<u32, (bool, usize)>, side: &str, literal: u32| {
            places.get(&literal).copied().ok_or_else(|| {
                mapping(format!(
                    "the {side}'s literal {literal} in the mapping is neither an input nor a latch"
                ))
            })
        };
        let (is_latch, index) = find(&ours, "witness", witness_literal)?;
        let (model_is_latch, model_index) = find(&theirs, "model", model_literal)?;
        if is_latch != model_is_latch {
            return Err(mapping(format!(
                "the mapping pairs literals {witness_literal} and {model_literal}, an input and a latch"
            )));
        }
        let (shared, offset) = if is_latch {
            (&mut certificate.shared_latches, model.input_literals.len())
        } else {
            (&mut certificate.shared_inputs, 0)
        };
        let taken = &mut taken[offset + model_index];
        if *taken || shared[index].is_some() {
            return Err(mapping(format!(
                "the mapping uses literal {witness_literal} or {model_literal} twice"
            )));
        }
        *taken = true;
        shared[index] = Some(model_index);
    }
    Ok(certificate)
}

/// From a literal to its position: whether it is a latch, and the position in its list.
fn places(inputs: &[u32], latches: &[u32]) -> HashMap<u32, (bool, usize)> {
    let inputs = inputs
        .iter()
        .enumerate()
        .map(|(index, &literal)| (literal, (false, index)));
    let latches = latches
        .iter()
        .enumerate()
        .map(|(index, &literal)| (literal, (true, index)));
    inputs.chain(latches).collect()
}

/// The pairs of witness literals and model literals.
fn read_pairs(circuit: &AigerModel, model: &AigerModel) -> Result<Vec<(u32, u32)>, String> {
    if let Some(pairs) = circuit.comment.as_deref().and_then(read_comment) {
        return pairs;
    }
    let names = &circuit.model.names;
    let inputs = circuit.input_literals.iter().zip(&names.inputs);
    let latches = circuit.latch_literals.iter().zip(&names.latches);
    let mut pairs = Vec::new();
    for (&literal, name) in inputs.chain(latches) {
        if let Some(rest) = name.trim_start().strip_prefix('=') {
            let rest = rest.trim_start();
            let end = rest.find(|character: char| !character.is_ascii_digit());
            let digits = &rest[..end.unwrap_or(rest.len())];
            let model_literal = digits
                .parse()
                .map_err(|_| format!("expected a literal after \"=\" in the symbol {name:?}"))?;
            pairs.push((literal, model_literal));
        }
    }
    if pairs.is_empty() {
        let inputs = circuit.input_literals.iter().zip(&model.input_literals);
        let latches = circuit.latch_literals.iter().zip(&model.latch_literals);
        pairs = inputs
            .chain(latches)
            .map(|(&ours, &theirs)| (ours, theirs))
            .collect();
    }
    Ok(pairs)
}

/// The pairs after a line `MAPPING n`, if there is one.
fn read_comment(comment: &str) -> Option<Result<Vec<(u32, u32)>, String>> {
    let mut lines = comment
        .lines()
        .skip_while(|line| !line.starts_with("MAPPING "));
    let first = lines.next()?;
    let malformed =
        || format!("the comment {first:?} is not followed by that many lines of two literals");
    let pair = |line: &str| {
        let mut words = line.split_ascii_whitespace().map(str::parse);
        match (words.next(), words.next()) {
            (Some(Ok(ours)), Some(Ok(theirs))) => Some((ours, theirs)),
            _ => None,
        }
    };
    let Ok(count) = first["MAPPING ".len()..].trim().parse::<usize>() else {
        return Some(Err(malformed()));
    };
    let pairs: Option<Vec<(u32, u32)>> = lines.take(count).map(pair).collect();
    Some(match pairs {
        Some(pairs) if pairs.len() == count => Ok(pairs),
        _ => Err(malformed()),
    })
}

fn quote(bytes: &[u8]) -> String {
    format!(
        "{:?}",
        String::from_utf8_lossy(&bytes[..bytes.len().min(40)])
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn circuit(text: &str) -> AigerModel {
        aiger::read(text.as_bytes(), "model").unwrap()
    }

    /// Two inputs, two latches, two bads.
    fn model() -> AigerModel {
        circuit("aag 4 2 2 0 0 2\n4\n2\n8 4\n6 2\n8\n6\n")
    }

    const TRACE: &str = "1\nb1\n0x\n10\nx1\n.\n";

    #[test]
    fn a_trace_is_written_as_it_was_read() {
        let file = read_trace(TRACE.as_bytes(), "trace", &model()).unwrap();
        assert_eq!(file.bads, [1]);
        assert_eq!(file.initial, [Some(false), None]);
        let mut text = Vec::new();
        write_trace(&file.prefix(1, 2), &mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), TRACE);
        let file = read_trace(b"c hello\n1\nb0b1\nu5\n00\n11\n.\n", "trace", &model()).unwrap();
        assert_eq!(file.bads, [0, 1]);
    }

    #[test]
    fn a_model_without_inputs_and_latches_has_empty_lines() {
        let constant = circuit("aag 0 0 0 0 0 1\n1\n");
        let file = read_trace(b"1\nb0\n\n\n.\n", "trace", &constant).unwrap();
        assert_eq!(file.inputs, [Values::new()]);
    }

    #[test]
    fn malformed_traces_get_one_clear_error() {
        let table = [
            ("", "trace: line 1: expected a trace"),
            ("0\nb0\n.\n", "the status is 0 (safe)"),
            ("2\nb0\n.\n", "the status is 2 (unknown)"),
            (
                "1\nb2\n00\n00\n.\n",
                "trace: line 2: there is no property b2: the model has 2",
            ),
            (
                "1\nj0\n00\n00\n.\n",
                "traces of justice properties are not supported",
            ),
            (
                "1\nb\n00\n00\n.\n",
                "expected properties, such as \"b0\", but found \"b\"",
            ),
            ("1\nb+1\n00\n00\n.\n", "expected properties"),
            (
                "1\nb0\n000\n00\n.\n",
                "trace: line 3: expected 2 characters 0, 1 or x, one for each of the latches, but found 3",
            ),
            (
                "1\nb0\n00\n0y\n.\n",
                "trace: line 4: expected 0, 1 or x but found \"y\"",
            ),
            ("1\nb0\n00\n.\n", "the trace has no steps"),
            (
                "1\nb0\n00\n00",
                "the file ends where a step or the final \".\" is expected",
            ),
        ];
        for (text, expected) in table {
            let found = read_trace(text.as_bytes(), "trace", &model())
                .unwrap_err()
                .to_string();
            assert!(
                found.contains(expected),
                "expected {expected:?} of {text:?} but found {found:?}"
            );
        }
    }

    /// The literals on the model's side are those of the model's file, whatever its order.
    #[test]
    fn a_certificate_is_written_as_it_was_read() {
        let text = "aag 4 2 2 0 0 1\n2\n4\n6 4\n8 2\n6\ni0 = 2\ni1 = 4\nl0 = 8\n";
        let certificate = read_certificate(text.as_bytes(), "witness", &model()).unwrap();
        assert_eq!(certificate.shared_inputs, [Some(1), Some(0)]);
        assert_eq!(certificate.shared_latches, [Some(0), None]);
        let mut written = Vec::new();
        write_certificate(&certificate, &model(), Encoding::Ascii, &mut written).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), text);
    }

    #[test]
    fn mappings_are_found_in_comments_symbols_or_positions() {
        let plain = "aag 2 1 1 0 0 1\n2\n4 2\n4\n";
        let read = |text: &str| read_certificate(text.as_bytes(), "witness", &model());
        let certificate = read(plain).unwrap();
        assert_eq!(certificate.shared_inputs, [Some(0)]);
        assert_eq!(certificate.shared_latches, [Some(0)]);
        let certificate = read(&format!("{plain}i0 = 4\nc\nMAPPING 1\n4 6\n")).unwrap();
        assert_eq!(certificate.shared_inputs, [None]);
        assert_eq!(certificate.shared_latches, [Some(1)]);
        // An empty mapping must not be read back as a mapping by position.
        let none = read(&format!("{plain}c\nMAPPING 0\n")).unwrap();
        let mut written = Vec::new();
        write_certificate(&none, &model(), Encoding::Binary, &mut written).unwrap();
        let again = read_certificate(&written, "witness", &model()).unwrap();
        assert_eq!(
            (again.shared_inputs, again.shared_latches),
            (vec![None], vec![None])
        );
    }

    #[test]
    fn mappings_that_do_not_fit_are_errors() {
        let plain = "aag 4 2 2 0 0 1\n2\n4\n6 2\n8 4\n8\n";
        let table = [
            ("i0 = 2\ni1 = 2\n", "the mapping uses literal 4 or 2 twice"),
            (
                "i0 = 8\n",
                "the mapping pairs literals 2 and 8, an input and a latch",
            ),
            (
                "i0 = 3\n",
                "the model's literal 3 in the mapping is neither",
            ),
            ("i0 = x\n", "expected a literal after \"=\""),
            ("c\nMAPPING 2\n2 2\n", "is not followed by that many lines"),
            (
                "c\nMAPPING 99999999999\n2 2\n",
                "is not followed by that many lines",
            ),
        ];
        for (symbols, expected) in table {
            let text = format!("{plain}{symbols}");
            let found = read_certificate(text.as_bytes(), "witness", &model())
                .unwrap_err()
                .to_string();
            assert!(
                found.contains(expected),
                "expected {expected:?} of {symbols:?} but found {found:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn mutated_traces_never_panic(
            edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        ) {
            let mut bytes = TRACE.as_bytes().to_vec();
            for (position, byte) in edits {
                let position = position.index(bytes.len());
                if byte % 2 == 0 { bytes[position] = byte; } else { bytes.insert(position, byte); }
            }
            if let Ok(file) = read_trace(&bytes, "mutated", &model()) {
                let mut text = Vec::new();
                write_trace(&file.prefix(file.bads[0], file.inputs.len()), &mut text).unwrap();
                prop_assert_eq!(read_trace(&text, "again", &model()).unwrap().inputs, file.inputs);
            }
        }
    }
}
