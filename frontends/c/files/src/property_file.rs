//! The property files of SV-COMP (sv-comp.sosy-lab.org/2024/rules.php, "Properties"): lines such as `CHECK(
//! init(main()), LTL(G ! call(reach_error())) )`.

use std::fmt;

use craig_c_lang::ir::CheckKind;
use craig_c_lang::lower::Checks;
use craig_c_lang::property::Property;

/// The formula of one `CHECK`.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Formula {
    /// `G ! call(f())`: the function is never called.
    NoCall(String),
    /// `G ! overflow`: the result of every signed operation is representable in its type.
    NoOverflow,
    /// `G valid-deref`: every access is to a living object.
    ValidDereference,
    /// `G valid-free`: `free` is called for memory that was allocated and not freed yet.
    ValidFree,
    /// `G valid-memtrack`: allocated memory is freed, or the program still has a pointer to it.
    ValidTracking,
    /// `G valid-memcleanup`: allocated memory is freed before the program ends.
    ValidCleanup,
}

/// A property file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyFile {
    entry: String,
    formulas: Vec<Formula>,
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCall(name) => write!(f, "! call({name}())"),
            Self::NoOverflow => f.write_str("! overflow"),
            Self::ValidDereference => f.write_str("valid-deref"),
            Self::ValidFree => f.write_str("valid-free"),
            Self::ValidTracking => f.write_str("valid-memtrack"),
            Self::ValidCleanup => f.write_str("valid-memcleanup"),
        }
    }
}

/// The text of the file, one `CHECK` a formula, on one line.
impl fmt::Display for PropertyFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, formula) in self.formulas.iter().enumerate() {
            let blank = if index > 0 { " " } else { "" };
            let entry = &self.entry;
            write!(f, "{blank}CHECK( init({entry}()), LTL(G {formula}) )")?;
        }
        Ok(())
    }
}

impl PropertyFile {
    /// Reads the text of a property file; `name` is the file's name in error messages.
    ///
    /// # Errors
    /// If the text is malformed, or contains an unsupported property (termination, data races, coverage). The
    /// message has the file, the line, and what was expected.
    pub fn parse(text: &str, name: &str) -> Result<Self, String> {
        let mut parser = Parser {
            name,
            tokens: tokens(text),
            next: 0,
        };
        let mut file: Option<Self> = None;
        while file.is_none() || parser.next < parser.tokens.len() {
            let (entry, formula) = parser.check()?;
            match &mut file {
                Some(file) if file.entry != entry => {
                    let expected = format!("`init({}())` as in the first line", file.entry);
                    return Err(parser.fault_before(&expected, &entry));
                }
                Some(file) => file.formulas.push(formula),
                None => {
                    file = Some(Self {
                        entry,
                        formulas: vec![formula],
                    });
                }
            }
        }
        file.ok_or_else(|| format!("{name}:1: expected `CHECK`"))
    }

    /// The function in which the program starts.
    #[must_use]
    pub fn entry(&self) -> &str {
        &self.entry
    }

    fn has(&self, formula: &Formula) -> bool {
        self.formulas.contains(formula)
    }

    /// The function whose call is the error, if there is one.
    pub fn error_function(&self) -> Option<&str> {
        self.formulas.iter().find_map(|formula| match formula {
            Formula::NoCall(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Whether overflows of signed operations are errors. Those of left shifts are among them.
    pub(crate) fn has_overflow(&self) -> bool {
        self.has(&Formula::NoOverflow)
    }

    /// Whether it asks for valid accesses or valid calls of `free`.
    #[must_use]
    pub fn is_about_memory(&self) -> bool {
        self.has(&Formula::ValidDereference) || self.has(&Formula::ValidFree)
    }

    /// Whether memory may be left at the end if the program still has a pointer to it.
    pub fn is_about_tracking(&self) -> bool {
        self.has(&Formula::ValidTracking)
    }

    /// The checks that are lowered: all those that may be properties, see [`PropertyFile::keeps`].
    pub fn checks(&self) -> Checks {
        let memory = self.has(&Formula::ValidDereference);
        Checks {
            overflow: self.has_overflow(),
            bounds: memory,
            pointer: memory || self.has(&Formula::ValidFree),
            leak: self.has(&Formula::ValidCleanup) || self.is_about_tracking(),
            ..Checks::default()
        }
    }

    /// Whether a property of the lowered program is one of this file. An index outside of a row but within
    /// its array is not: `valid-deref` is about objects as a whole.
    pub fn keeps(&self, property: &Property) -> bool {
        let is = |kinds: &[CheckKind]| kinds.iter().any(|kind| kind.text() == property.text);
        self.formulas.iter().any(|formula| match formula {
            Formula::NoCall(name) => property.text == format!("`{name}` is called"),
            Formula::NoOverflow => is(&[CheckKind::Overflow]),
            Formula::ValidDereference => {
                is(&[CheckKind::Outside, CheckKind::Null, CheckKind::Dangling])
            }
            Formula::ValidFree => is(&[CheckKind::Free]),
            Formula::ValidTracking | Formula::ValidCleanup => is(&[CheckKind::Leak]),
        })
    }

    /// Whether memory that is left at the end is an error even if the program still has a pointer to it.
    pub fn is_about_cleanup(&self) -> bool {
        self.has(&Formula::ValidCleanup)
    }
}

/// Words and single characters with their lines.
fn tokens(text: &str) -> Vec<(String, usize)> {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '$';
    let mut tokens: Vec<(String, usize)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut is_open = false;
        for c in line.chars() {
            let continues = is_of_word(c);
            match tokens.last_mut() {
                Some((word, _)) if continues && is_open => word.push(c),
                _ if c.is_whitespace() => {}
                _ => tokens.push((c.to_string(), index + 1)),
            }
            is_open = continues;
        }
    }
    tokens
}

struct Parser<'t> {
    name: &'t str,
    tokens: Vec<(String, usize)>,
    next: usize,
}

impl Parser<'_> {
    /// The line of a token, or of the last one where there is none.
    fn line(&self, index: usize) -> usize {
        let token = self.tokens.get(index).or(self.tokens.last());
        token.map_or(1, |token| token.1)
    }

    fn fault(&self, expected: &str) -> String {
        let found = match self.tokens.get(self.next) {
            Some((token, _)) => format!("`{token}`"),
            None => "the end of the file".into(),
        };
        let (name, line) = (self.name, self.line(self.next));
        format!("{name}:{line}: expected {expected}, found {found}")
    }

    /// The error for the token read last.
    fn fault_before(&self, expected: &str, found: &str) -> String {
        let line = self.line(self.next.saturating_sub(1));
        format!("{}:{line}: expected {expected}, found `{found}`", self.name)
    }

    fn refusal(&self, what: &str) -> String {
        format!("{}:{}: {what}", self.name, self.line(self.next))
    }

    fn peek(&self) -> &str {
        self.tokens.get(self.next).map_or("", |token| &token.0)
    }

    fn expect(&mut self, wanted: &[&str]) -> Result<(), String> {
        for &token in wanted {
            if self.peek() != token {
                return Err(self.fault(&format!("`{token}`")));
            }
            self.next += 1;
        }
        Ok(())
    }

    /// `NAME()`.
    fn function(&mut self) -> Result<String, String> {
        let name = self.peek().to_string();
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        if name.is_empty()
            || !name.chars().all(is_name)
            || name.starts_with(|c: char| c.is_ascii_digit())
        {
            return Err(self.fault("the name of a function"));
        }
        self.next += 1;
        self.expect(&["(", ")"])?;
        Ok(name)
    }

    /// `CHECK( init(NAME()), LTL(FORMULA) )`.
    fn check(&mut self) -> Result<(String, Formula), String> {
        if self.peek() == "COVER" {
            return Err(self.refusal("`COVER` asks for tests, not for a verdict; expected `CHECK`"));
        }
        self.expect(&["CHECK", "(", "init", "("])?;
        let entry = self.function()?;
        self.expect(&[")", ",", "LTL", "("])?;
        let formula = self.formula()?;
        self.expect(&[")", ")"])?;
        Ok((entry, formula))
    }

    fn formula(&mut self) -> Result<Formula, String> {
        const WANTED: &str = "`! call(..)`, `! overflow`, `valid-deref`, `valid-free`, `valid-memtrack` or \
                              `valid-memcleanup`";
        if self.peek() == "F" {
            return Err(self.refusal(
                "termination (`F end`) is not supported; expected a formula that starts with `G`",
            ));
        }
        self.expect(&["G"])?;
        let is_negated = self.peek() == "!";
        self.next += usize::from(is_negated);
        let formula = match (is_negated, self.peek()) {
            (true, "call") => {
                self.next += 1;
                self.expect(&["("])?;
                let name = self.function()?;
                self.expect(&[")"])?;
                return Ok(Formula::NoCall(name));
            }
            (true, "overflow") => Formula::NoOverflow,
            (false, "valid-deref") => Formula::ValidDereference,
            (false, "valid-free") => Formula::ValidFree,
            (false, "valid-memtrack") => Formula::ValidTracking,
            (false, "valid-memcleanup") => Formula::ValidCleanup,
            _ => return Err(self.fault(WANTED)),
        };
        self.next += 1;
        Ok(formula)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_files_are_read_and_written_alike() {
        for formula in [
            "! call(reach_error())",
            "! overflow",
            "valid-deref",
            "valid-memcleanup",
        ] {
            let text = format!("CHECK( init(main()), LTL(G {formula}) )");
            let file = PropertyFile::parse(&format!("{text}\n\n"), "p").unwrap();
            assert_eq!(file.to_string(), text);
            assert_eq!(file.entry(), "main");
        }
        let memory = "CHECK( init(f()), LTL(G valid-free) )\nCHECK( init(f()), LTL(G valid-deref) )\n\
                      CHECK(init(f()),LTL(G valid-memtrack))";
        let file = PropertyFile::parse(memory, "p").unwrap();
        assert_eq!(file.formulas.len(), 3);
        assert_eq!(PropertyFile::parse(&file.to_string(), "p").unwrap(), file);
        assert!(file.checks().pointer && file.checks().leak && !file.checks().overflow);
    }

    #[test]
    fn faults_have_their_line_and_what_was_expected() {
        for (text, fault) in [
            ("", "p:1: expected `CHECK`, found the end of the file"),
            (
                "CHECK( init(main()), LTL(F end) )",
                "p:1: termination (`F end`)",
            ),
            (
                "\nCHECK( init(main()), LTL(G ! data-race) )",
                "p:2: expected `! call(..)`, `! overflow`",
            ),
            (
                "CHECK( init(main), LTL(G valid-free) )",
                "p:1: expected `(`, found `)`",
            ),
            (
                "CHECK( init(main()),\nLTL(G valid-free)",
                "p:2: expected `)`, found the end",
            ),
            (
                "COVER( init(main()), FQL(COVER EDGES(@BASICBLOCKENTRY)) )",
                "p:1: `COVER`",
            ),
            (
                "CHECK( init(f()), LTL(G valid-free) )\nCHECK( init(g()), LTL(G valid-deref) )",
                "p:2: expected `init(f())` as in the first line, found `g`",
            ),
            (
                "CHECK( init(7()), LTL(G valid-free) )",
                "p:1: expected the name of a function",
            ),
        ] {
            let message = PropertyFile::parse(text, "p").unwrap_err();
            assert!(message.starts_with(fault), "{text}: {message}");
        }
    }
}
