//! The reader, byte by byte.

use std::io::BufRead;

use craig_solver::{Cnf, Lit, Var};

use super::error::DimacsError;
use super::{Call, Calls, Input};

/// Up to this number of variables, the size of the file is not compared with the largest variable.
const PLAUSIBLE_VARIABLES: usize = 1 << 22;

/// Beyond that, a file needs one literal for every `VARIABLES_PER_LITERAL` variables: tables over the variables stay
/// proportional to the file, whatever numbers it uses.
const VARIABLES_PER_LITERAL: usize = 64;

struct Reader<'a> {
    input: &'a mut dyn BufRead,
    file: &'a str,
    line: usize,
    column: usize,
}

/// A number and where it starts.
struct Number {
    value: i64,
    line: usize,
    column: usize,
}

/// Reads a formula. All clauses get label 0; the number of variables is that of the largest variable in a
/// clause, whatever the header declares. `file` is the input's name in error messages.
///
/// # Errors
/// If the input can't be read or is malformed.
pub fn read(input: &mut dyn BufRead, file: &str) -> Result<Cnf, DimacsError> {
    read_declared(input, file).map(|(cnf, _)| cnf)
}

/// As [`read`], with the number of variables that the header declares: a model covers them, used or not.
///
/// # Errors
/// As [`read`].
pub fn read_declared(input: &mut dyn BufRead, file: &str) -> Result<(Cnf, usize), DimacsError> {
    let mut reader = Reader::new(input, file);
    match reader.read_header()? {
        Header::Formula(n_vars, n_clauses) => reader.read_formula(n_vars, n_clauses),
        Header::Calls => Err(reader.fault(format!("{EXPECTED_HEADER} but found \"p inccnf\""))),
    }
}

/// Reads a formula, or one that grows between calls.
///
/// # Errors
/// As [`read`]; and if a file of calls has none.
pub fn read_input(input: &mut dyn BufRead, file: &str) -> Result<Input, DimacsError> {
    let mut reader = Reader::new(input, file);
    match reader.read_header()? {
        Header::Formula(n_vars, n_clauses) => reader
            .read_formula(n_vars, n_clauses)
            .map(|(cnf, n_vars)| Input::Formula(cnf, n_vars)),
        Header::Calls => reader.read_calls().map(Input::Calls),
    }
}

const EXPECTED_HEADER: &str = "expected the header \"p cnf VARIABLES CLAUSES\"";

/// The first line.
enum Header {
    /// The variables and the clauses that it declares.
    Formula(usize, usize),
    Calls,
}

impl<'a> Reader<'a> {
    fn new(input: &'a mut dyn BufRead, file: &'a str) -> Self {
        Self {
            input,
            file,
            line: 1,
            column: 1,
        }
    }

    /// The clauses behind a header.
    fn read_formula(
        &mut self,
        n_vars: usize,
        n_clauses: usize,
    ) -> Result<(Cnf, usize), DimacsError> {
        let reader = self;
        let mut cnf = Cnf::new();
        let mut clause = Vec::new();
        let mut n_lits = 0;
        while let Some(number) = reader.read_number(&clause)? {
            let fault = |message| reader.fault_at(number.line, number.column, message);
            if cnf.n_clauses() == n_clauses {
                return Err(fault(format!(
                    "there are more clauses than the {n_clauses} that the header declares"
                )));
            }
            if number.value == 0 {
                cnf.add_clause(&clause);
                clause.clear();
                continue;
            }
            if number.value.unsigned_abs() as usize > n_vars {
                return Err(fault(format!(
                    "the literal {} exceeds the {n_vars} variables that the header declares",
                    number.value
                )));
            }
            let lit = Lit::from_dimacs(number.value)
                .expect("the header's number of variables was checked");
            clause.push(lit);
            n_lits += 1;
        }
        if !clause.is_empty() {
            return Err(
                reader.fault("the file ends within a clause: expected a literal or 0".to_owned())
            );
        }
        if cnf.n_clauses() < n_clauses {
            return Err(reader.fault(format!(
                "the file ends after {} of the {n_clauses} clauses that the header declares",
                cnf.n_clauses()
            )));
        }
        reader.check_plausible(cnf.n_vars(), n_lits)?;
        Ok((cnf, n_vars))
    }

    /// The clauses and the calls behind `p inccnf`.
    fn read_calls(&mut self) -> Result<Calls, DimacsError> {
        let mut found = Calls::default();
        let mut n_lits = 0;
        while let Some(first) = self.skip_blank()? {
            let (line, column) = (self.line, self.column);
            if first == b'%' && column == 1 {
                break;
            }
            let is_call = first == b'a';
            if is_call {
                let word = self.read_word()?;
                if word != b"a" {
                    let text = format!("expected a literal, 0 or \"a\" but found {}", quote(&word));
                    return Err(self.fault_at(line, column, text));
                }
            }
            let mut lits = Vec::new();
            let is_ended = loop {
                let Some(number) = self.read_number(&lits)? else {
                    break false;
                };
                if number.value == 0 {
                    break true;
                }
                let lit = Lit::from_dimacs(number.value).ok_or_else(|| {
                    let most = Var::MAX_INDEX + 1;
                    let text = format!("more than the {most} variables that are supported");
                    self.fault_at(number.line, number.column, text)
                })?;
                lits.push(lit);
                n_lits += 1;
            };
            if !is_ended {
                let text = "the file ends within a clause or a call: expected a literal or 0";
                return Err(self.fault(text.to_owned()));
            }
            let n_vars = lits.iter().map(|lit| lit.var().index() + 1).max();
            let n_vars = n_vars.unwrap_or(0).max(found.cnf.n_vars());
            found.cnf.reserve_vars(n_vars);
            match is_call {
                true => found.calls.push(Call {
                    n_clauses: found.cnf.n_clauses(),
                    assumptions: lits,
                }),
                false => found.cnf.add_clause(&lits),
            }
        }
        self.check_plausible(found.cnf.n_vars(), n_lits)?;
        if found.calls.is_empty() {
            let text = "the file ends without a call: expected a line \"a LITERALS 0\"";
            return Err(self.fault(text.to_owned()));
        }
        Ok(found)
    }

    /// Tables over the variables stay proportional to the file.
    fn check_plausible(&self, n_vars: usize, n_lits: usize) -> Result<(), DimacsError> {
        if n_vars > PLAUSIBLE_VARIABLES.max(VARIABLES_PER_LITERAL * n_lits) {
            return Err(self.fault(format!(
                "the file uses variable {n_vars} but has just {n_lits} literals: renumber its variables"
            )));
        }
        Ok(())
    }
}

impl Reader<'_> {
    fn fault(&self, message: String) -> DimacsError {
        self.fault_at(self.line, self.column, message)
    }

    fn fault_at(&self, line: usize, column: usize, message: String) -> DimacsError {
        DimacsError::Syntax {
            file: self.file.to_owned(),
            line,
            column,
            message,
        }
    }

    fn peek(&mut self) -> Result<Option<u8>, DimacsError> {
        let found = self.input.fill_buf().map(|buffer| buffer.first().copied());
        found.map_err(|error| DimacsError::Io {
            file: self.file.to_owned(),
            error,
        })
    }

    /// Consumes the byte that was peeked.
    fn advance(&mut self, byte: u8) {
        self.input.consume(1);
        if byte == b'\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
    }

    fn skip_line(&mut self) -> Result<(), DimacsError> {
        while let Some(byte) = self.peek()? {
            self.advance(byte);
            if byte == b'\n' {
                break;
            }
        }
        Ok(())
    }

    /// Moves to the next byte that is neither white space nor in a comment, and returns it.
    fn skip_blank(&mut self) -> Result<Option<u8>, DimacsError> {
        while let Some(byte) = self.peek()? {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.advance(byte),
                b'c' if self.column == 1 => self.skip_line()?,
                _ => return Ok(Some(byte)),
            }
        }
        Ok(None)
    }

    /// The next word, at most 40 bytes of it.
    fn read_word(&mut self) -> Result<Vec<u8>, DimacsError> {
        let mut word = Vec::new();
        while let Some(byte) = self.peek()? {
            if byte.is_ascii_whitespace() || word.len() == 40 {
                break;
            }
            word.push(byte);
            self.advance(byte);
        }
        Ok(word)
    }

    fn read_header(&mut self) -> Result<Header, DimacsError> {
        let expected = EXPECTED_HEADER;
        if self.skip_blank()?.is_none() {
            return Err(self.fault(format!("{expected} but the file ends")));
        }
        for word in [&b"p"[..], b"cnf"] {
            self.expect_in_line()?;
            let (line, column) = (self.line, self.column);
            let found = self.read_word()?;
            if word == b"cnf" && found == b"inccnf" {
                return Ok(Header::Calls);
            }
            if found != word {
                return Err(self.fault_at(
                    line,
                    column,
                    format!("{expected} but found {}", quote(&found)),
                ));
            }
        }
        let mut numbers = [0; 2];
        let limits = [
            (Var::MAX_INDEX + 1, "variables"),
            (u32::MAX as usize, "clauses"),
        ];
        for (number, (limit, what)) in numbers.iter_mut().zip(limits) {
            self.expect_in_line()?;
            let (line, column) = (self.line, self.column);
            let word = self.read_word()?;
            let value = std::str::from_utf8(&word)
                .ok()
                .and_then(|word| word.parse().ok());
            match value {
                Some(value) if value <= limit && word[0] != b'+' => *number = value,
                Some(value) if value > limit => {
                    return Err(self.fault_at(
                        line,
                        column,
                        format!("{value} {what} are more than the {limit} that are supported"),
                    ));
                }
                _ => {
                    return Err(self.fault_at(
                        line,
                        column,
                        format!("expected the number of {what} but found {}", quote(&word)),
                    ));
                }
            }
        }
        Ok(Header::Formula(numbers[0], numbers[1]))
    }

    /// Skips white space within a line.
    fn expect_in_line(&mut self) -> Result<(), DimacsError> {
        while let Some(byte @ (b' ' | b'\t')) = self.peek()? {
            self.advance(byte);
        }
        Ok(())
    }

    /// The next number; `None` at the end of the formula.
    fn read_number(&mut self, clause: &[Lit]) -> Result<Option<Number>, DimacsError> {
        let Some(first) = self.skip_blank()? else {
            return Ok(None);
        };
        if first == b'%' && self.column == 1 && clause.is_empty() {
            return Ok(None);
        }
        let (line, column) = (self.line, self.column);
        let is_negative = first == b'-';
        if is_negative {
            self.advance(first);
        }
        let mut value: i64 = 0;
        let mut n_digits = 0;
        while let Some(byte @ b'0'..=b'9') = self.peek()? {
            value = (10 * value + i64::from(byte - b'0')).min(1 << 40);
            n_digits += 1;
            self.advance(byte);
        }
        let is_ended = self.peek()?.is_none_or(|byte| byte.is_ascii_whitespace());
        if n_digits == 0 || !is_ended {
            let mut found = if is_negative { vec![b'-'] } else { Vec::new() };
            if n_digits > 0 {
                found.extend(value.to_string().bytes());
            }
            found.extend(self.read_word()?);
            return Err(self.fault_at(
                line,
                column,
                format!("expected a literal or 0 but found {}", quote(&found)),
            ));
        }
        Ok(Some(Number {
            value: if is_negative { -value } else { value },
            line,
            column,
        }))
    }
}

fn quote(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        "the end of the line".to_owned()
    } else {
        format!("{:?}", String::from_utf8_lossy(bytes))
    }
}
