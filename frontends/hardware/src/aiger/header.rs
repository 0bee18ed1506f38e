//! The header: the numbers of inputs, latches, gates and properties.

use super::encoding::Encoding;
use super::fault::{Fault, Place};

/// The numbers of a header, checked against the size of the file.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) max_variable: usize,
    pub(super) inputs: usize,
    pub(super) latches: usize,
    pub(super) outputs: usize,
    pub(super) ands: usize,
    pub(super) bads: usize,
    pub(super) constraints: usize,
    pub(super) justice: usize,
    pub(super) fairness: usize,
}

/// The parts of a file that consist of one line an entry, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Section {
    Inputs,
    Latches,
    Outputs,
    Bads,
    Constraints,
    JusticeSizes,
    Justice,
    Fairness,
    Ands,
}

/// Literals, which are twice as large, fit in an [`craig_aig::Edge`] with one more node.
const MAX_VARIABLE: usize = (1 << 30) - 1;

impl Header {
    /// The position of entry `index` of a section. `n_justice_literals` is the sum of the lines of
    /// [`Section::JusticeSizes`].
    pub(super) fn place(&self, section: Section, index: usize, n_justice_literals: usize) -> Place {
        let is_binary = self.encoding == Encoding::Binary;
        if is_binary && matches!(section, Section::Inputs | Section::Ands) {
            return Place::File;
        }
        let sections = [
            (Section::Inputs, if is_binary { 0 } else { self.inputs }),
            (Section::Latches, self.latches),
            (Section::Outputs, self.outputs),
            (Section::Bads, self.bads),
            (Section::Constraints, self.constraints),
            (Section::JusticeSizes, self.justice),
            (Section::Justice, n_justice_literals),
            (Section::Fairness, self.fairness),
        ];
        let before: usize = sections
            .iter()
            .take_while(|(earlier, _)| *earlier < section)
            .map(|(_, lines)| lines)
            .sum();
        Place::Line(2 + before + index)
    }

    /// How many lines follow the header before the symbols, or before the gates of a binary file.
    pub(super) fn n_body_lines(&self, n_justice_literals: usize) -> usize {
        let lists = self.latches + self.outputs + self.bads + self.constraints;
        let liveness = self.justice + n_justice_literals + self.fairness;
        lists
            + liveness
            + match self.encoding {
                Encoding::Ascii => self.inputs + self.ands,
                Encoding::Binary => 0,
            }
    }

    /// The minimal number of bytes after the header, justice literals aside: a line has at least a digit and
    /// its end, a binary gate two differences.
    fn n_bytes(&self) -> usize {
        2 * (self.n_body_lines(0)
            + match self.encoding {
                Encoding::Ascii => 0,
                Encoding::Binary => self.ands,
            })
    }
}

/// Parses the header; returns the offset of the second line as well.
pub(super) fn parse(bytes: &[u8]) -> Result<(Header, usize), Fault> {
    let fault = |message: String| Fault::new(Place::Line(1), message);
    let encoding = match bytes.get(..4) {
        Some(b"aag ") => Encoding::Ascii,
        Some(b"aig ") => Encoding::Binary,
        _ => {
            return Err(fault(
                "expected an AIGER header, which starts with \"aag\" or \"aig\"".to_owned(),
            ));
        }
    };
    let end = bytes
        .iter()
        .position(|&byte| byte == b'\n')
        .ok_or_else(|| fault("the file ends within the header".to_owned()))?;
    let words: Vec<&[u8]> = bytes[4..end].split(|&byte| byte == b' ').take(10).collect();
    if !(5..=9).contains(&words.len()) {
        return Err(fault(
            "expected 5 to 9 numbers in the header: M I L O A [B [C [J [F]]]]".to_owned(),
        ));
    }
    let mut numbers = [0; 9];
    for (number, word) in numbers.iter_mut().zip(&words) {
        *number = parse_number(word).ok_or_else(|| {
            fault(format!(
                "expected a number below 2^30 in the header but found {}",
                quote(word)
            ))
        })?;
    }
    let [
        max_variable,
        inputs,
        latches,
        outputs,
        ands,
        bads,
        constraints,
        justice,
        fairness,
    ] = numbers;
    let header = Header {
        encoding,
        max_variable,
        inputs,
        latches,
        outputs,
        ands,
        bads,
        constraints,
        justice,
        fairness,
    };
    check(&header, bytes.len() - end - 1).map_err(fault)?;
    Ok((header, end + 1))
}

fn check(header: &Header, n_bytes_left: usize) -> Result<(), String> {
    let used = header.inputs + header.latches + header.ands;
    let max = header.max_variable;
    match header.encoding {
        Encoding::Ascii if max < used => {
            return Err(format!(
                "the maximal variable M is {max}, but I + L + A needs {used} variables"
            ));
        }
        Encoding::Binary if max != used => {
            return Err(format!(
                "the maximal variable M is {max}, but in a binary file it equals I + L + A, which is {used}"
            ));
        }
        _ => {}
    }
    // The inputs of a binary file take no bytes: a circuit may have more inputs than bytes, but not by orders
    // of magnitude.
    if header.encoding == Encoding::Binary && header.inputs > MAX_FREE_INPUTS.max(n_bytes_left) {
        return Err(format!(
            "the header claims {} inputs in a file with just {n_bytes_left} more bytes",
            header.inputs
        ));
    }
    if header.n_bytes() > n_bytes_left {
        return Err(format!(
            "the header claims entries that take at least {} bytes, but only {n_bytes_left} follow it",
            header.n_bytes()
        ));
    }
    Ok(())
}

/// How many inputs a binary file may declare whatever its size.
const MAX_FREE_INPUTS: usize = 1 << 20;

/// A number of digits alone, at most [`MAX_VARIABLE`].
fn parse_number(word: &[u8]) -> Option<usize> {
    if word.is_empty() || word.len() > 10 || !word.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = word
        .iter()
        .fold(0, |number, digit| 10 * number + usize::from(digit - b'0'));
    (number <= MAX_VARIABLE).then_some(number)
}

/// The start of the unexpected text, for an error message.
pub(super) fn quote(bytes: &[u8]) -> String {
    format!(
        "{:?}",
        String::from_utf8_lossy(&bytes[..bytes.len().min(40)])
    )
}
