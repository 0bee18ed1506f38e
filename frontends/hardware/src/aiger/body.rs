//! The lines and gates between the header and the symbols, as `flussab-aiger` reads them.

use std::io::Read;

use flussab_aiger::aig::{AndGate, Latch};
use flussab_aiger::{InnerParseError, ParseError, ascii, binary};

use super::encoding::Encoding;
use super::fault::{Fault, Place};
use super::header::{Header, Section};
use super::resets;

/// The literals of the file. Gates of binary files are numbered already.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) inputs: Vec<u32>,
    /// Those with a reset function are uninitialised here.
    pub(super) latches: Vec<Latch<u32>>,
    /// The latches with a reset function, by increasing positions, and its literal.
    pub(super) reset_functions: Vec<(usize, u32)>,
    pub(super) outputs: Vec<u32>,
    pub(super) bads: Vec<u32>,
    pub(super) constraints: Vec<u32>,
    pub(super) justice: Vec<Vec<u32>>,
    pub(super) fairness: Vec<u32>,
    pub(super) ands: Vec<AndGate<u32>>,
    /// The sum of the lengths of `justice`.
    pub(super) n_justice_literals: usize,
    /// The offset after the gates.
    pub(super) end: usize,
}

/// Parses the file after the header, from the offset `start` on.
pub(super) fn parse(header: &Header, bytes: &[u8], start: usize) -> Result<Body, Fault> {
    // The library gets a header that it accepts, with a maximal variable large enough for every count. The
    // literals are checked against the true one when the model is built.
    let roomy = header.max_variable
        + [
            header.bads,
            header.constraints,
            header.justice,
            header.fairness,
        ]
        .into_iter()
        .max()
        .unwrap_or(0);
    let magic = match header.encoding {
        Encoding::Ascii => "aag",
        Encoding::Binary => "aig",
    };
    let line = format!(
        "{magic} {roomy} {} {} {} {} {} {} {} {}\n",
        header.inputs,
        header.latches,
        header.outputs,
        header.ands,
        header.bads,
        header.constraints,
        header.justice,
        header.fairness
    );
    let mut body = Body::default();
    let replaced = resets::latch_lines(header, &bytes[start..]);
    let (latch_lines, n_replaced) = match replaced {
        None => (Vec::new(), 0),
        Some(lines) => {
            body.reset_functions = lines.functions;
            (lines.text, lines.n_bytes)
        }
    };
    let input = line.as_bytes().chain(&latch_lines[..]);
    let input = input.chain(&bytes[start + n_replaced..]);
    match header.encoding {
        Encoding::Ascii => parse_ascii(header, bytes, input, &mut body)?,
        Encoding::Binary => parse_binary(header, bytes, input, &mut body)?,
    }
    body.end = find_end(header, &body, bytes, start);
    Ok(body)
}

/// The library's two parsers have the same methods from the outputs on, but no shared trait.
macro_rules! parse_lists {
    ($parser:expr, $header:expr, $bytes:expr, $body:expr) => {{
        let mut parser = $parser.outputs()?;
        while let Some(literal) = parser.next_output()? {
            $body.outputs.push(literal);
        }
        let mut parser = parser.bad_state_properties()?;
        while let Some(literal) = parser.next_bad_state_property()? {
            $body.bads.push(literal);
        }
        let mut parser = parser.invariant_constraints()?;
        while let Some(literal) = parser.next_invariant_constraint()? {
            $body.constraints.push(literal);
        }
        let mut parser = parser.justice_properties()?;
        let mut sizes = Vec::new();
        while let Some(size) = parser.next_justice_property_size()? {
            $body.n_justice_literals = $body.n_justice_literals.saturating_add(size);
            if $body.n_justice_literals > $bytes.len() {
                return Err(Fault::new(
                    $header.place(Section::JusticeSizes, sizes.len(), 0),
                    format!("a justice property of {size} literals does not fit in the file"),
                ));
            }
            sizes.push(size);
        }
        let mut parser = parser.justice_property_local_fairness_constraints()?;
        for size in sizes {
            let mut literals = Vec::new();
            for _ in 0..size {
                let next = parser.next_justice_property_local_fairness_constraint();
                literals.extend(next?);
            }
            $body.justice.push(literals);
        }
        let mut parser = parser.fairness_constraints()?;
        while let Some(literal) = parser.next_fairness_constraint()? {
            $body.fairness.push(literal);
        }
        parser.and_gates()?
    }};
}

/// A fault of the parser, with its place in the file.
impl From<ParseError> for Fault {
    fn from(error: ParseError) -> Self {
        match *error {
            InnerParseError::SyntaxError(error) => Self::new(
                Place::Column(error.location.line, error.location.column),
                error.msg,
            ),
            InnerParseError::IoError(error) => Self::new(Place::File, error.to_string()),
        }
    }
}

fn parse_ascii(
    header: &Header,
    bytes: &[u8],
    input: impl Read,
    body: &mut Body,
) -> Result<(), Fault> {
    let parser = ascii::Parser::<u32>::from_read(input, ascii::Config::default())?;
    let mut parser = parser.inputs()?;
    while let Some(literal) = parser.next_input()? {
        body.inputs.push(literal);
    }
    let mut parser = parser.latches()?;
    while let Some(latch) = parser.next_latch()? {
        body.latches.push(latch);
    }
    let mut parser = parse_lists!(parser, header, bytes, body);
    while let Some(gate) = parser.next_and_gate()? {
        body.ands.push(gate);
    }
    Ok(())
}

fn parse_binary(
    header: &Header,
    bytes: &[u8],
    input: impl Read,
    body: &mut Body,
) -> Result<(), Fault> {
    let literal = |index: usize| 2 * (index as u32 + 1);
    body.inputs = (0..header.inputs).map(literal).collect();
    let parser = binary::Parser::<u32>::from_read(input, binary::Config::default())?;
    let mut parser = parser.latches()?;
    while let Some(latch) = parser.next_latch()? {
        body.latches.push(Latch {
            state: literal(header.inputs + body.latches.len()),
            next_state: latch.next_state,
            initialization: latch.initialization,
        });
    }
    let mut parser = parse_lists!(parser, header, bytes, body);
    let first = header.inputs + header.latches;
    // The library's columns count the bytes from the start of the gates.
    let gates_start = skip_lines(bytes, 1 + header.n_body_lines(body.n_justice_literals));
    let in_gate = |index: usize, error: ParseError| {
        let fault = Fault::from(error);
        let place = match fault.place {
            Place::Column(_, column) => Place::Byte(gates_start + column - 1),
            place => place,
        };
        // The library's message for a truncated gate: "expected end of file, found .." and its bytes.
        let message = match fault.message.as_str() {
            cut if cut.starts_with("expected end of file") => "the file ends within the gate",
            message => message,
        };
        Fault::new(place, format!("and gate {index}: {message}"))
    };
    loop {
        let index = body.ands.len();
        let Some(gate) = parser
            .next_and_gate()
            .map_err(|error| in_gate(index, error))?
        else {
            return Ok(());
        };
        let output = literal(first + index);
        if gate.inputs[0] >= output {
            return Err(Fault::new(
                Place::File,
                format!(
                    "and gate {index}: literal {output} has itself as an operand; in a binary file operands \
                     are smaller"
                ),
            ));
        }
        body.ands.push(AndGate {
            inputs: gate.inputs,
            output,
        });
    }
}

/// The offset of the first byte after the lines and gates that the library has parsed successfully.
fn find_end(header: &Header, body: &Body, bytes: &[u8], start: usize) -> usize {
    let lines = header.n_body_lines(body.n_justice_literals);
    let mut offset = start + skip_lines(&bytes[start..], lines);
    if header.encoding == Encoding::Binary {
        // Two numbers per gate; the last byte of a number has its top bit clear.
        let mut numbers_left = 2 * body.ands.len();
        while numbers_left > 0 {
            numbers_left -= usize::from(bytes[offset] < 0x80);
            offset += 1;
        }
    }
    offset
}

/// The offset after `n_lines` lines, or the end if there are fewer.
fn skip_lines(bytes: &[u8], n_lines: usize) -> usize {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    match n_lines.checked_sub(1) {
        None => 0,
        Some(last) => ends
            .map(|(offset, _)| offset + 1)
            .nth(last)
            .unwrap_or(bytes.len()),
    }
}
