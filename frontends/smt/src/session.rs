//! The commands of a script, one after the other.

mod answers;

use craig_itp::Stop;
use craig_word::{Term, Terms};

use crate::sort::{Sort, Typed};
use crate::syntax::{Id, Kind, Script, SyntaxError};
use crate::terms::{Names, Reader, Symbol};
use crate::{Answer, Failure, Options};
use answers::{Model, Outcome, Refuted, check};

/// Logics whose terms are a part of what is supported; functions with operands and other sorts are refused where they occur.
const LOGICS: &[&str] = &["QF_BV", "QF_ABV", "QF_AUFBV", "QF_UFBV", "QF_UF", "ALL"];

/// How a script has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Each question was answered.
    Answered,
    /// Some question was not decided.
    Unknown,
}

/// An assertion.
#[derive(Clone, Debug)]
pub(crate) struct Assertion {
    pub(crate) term: Term,
    pub(crate) name: Option<String>,
    pub(crate) group: Option<String>,
}

/// What was there when a level was opened.
struct Level {
    n_assertions: usize,
    n_constants: usize,
    n_names: usize,
}

pub(crate) struct Session<'a, 't> {
    pub(crate) script: &'a Script<'t>,
    pub(crate) terms: Terms,
    pub(crate) names: Names,
    pub(crate) assertions: Vec<Assertion>,
    /// The declared constants, in order.
    pub(crate) constants: Vec<(String, Typed)>,
    /// Names that are declared, for the end of their level.
    declared: Vec<String>,
    levels: Vec<Level>,
    /// The answer about the assertions, as long as these are the same.
    pub(crate) outcome: Option<Outcome>,
    pub(crate) options: &'a Options,
    pub(crate) stop: &'a Stop,
    prints_success: bool,
    is_global: bool,
    ended: Ended,
}

type Result<T> = std::result::Result<T, Failure>;

/// Runs a script.
pub(crate) fn run(
    text: &str,
    file: &str,
    options: &Options,
    stop: &Stop,
    tell: &mut dyn FnMut(Answer<'_>),
) -> Result<Ended> {
    let script = Script::read(text, file)?;
    let mut session = Session::new(&script, options, stop);
    for &command in &script.commands {
        if stop.is_asked() {
            return Err(Failure::Stopped);
        }
        let mut answer = |text: &str| {
            let name = script.items(command).first();
            tell(Answer {
                command: name
                    .and_then(|&name| script.symbol(name))
                    .unwrap_or_default(),
                line: script.line(command),
                text,
            });
        };
        match session.command(command)? {
            Response::Nothing if session.prints_success => answer("success"),
            Response::Nothing => {}
            Response::Text(text) => answer(&text),
            Response::Exit => break,
        }
    }
    Ok(session.ended)
}

/// What a command prints.
enum Response {
    /// Nothing, or that it has succeeded.
    Nothing,
    Text(String),
    Exit,
}

impl<'a, 't> Session<'a, 't> {
    /// Before the first command.
    pub(crate) fn new(script: &'a Script<'t>, options: &'a Options, stop: &'a Stop) -> Self {
        Self {
            script,
            terms: Terms::new(),
            names: Names::default(),
            assertions: Vec::new(),
            constants: Vec::new(),
            declared: Vec::new(),
            levels: Vec::new(),
            outcome: None,
            options,
            stop,
            prints_success: false,
            is_global: false,
            ended: Ended::Answered,
        }
    }
}

impl Session<'_, '_> {
    pub(crate) fn error(&self, id: Id, message: impl Into<String>) -> Failure {
        Failure::Input(self.script.error(id, message))
    }

    pub(crate) fn reader(&mut self) -> Reader<'_, '_> {
        Reader::new(self.script, &mut self.names, &mut self.terms)
    }

    fn command(&mut self, id: Id) -> Result<Response> {
        let script = self.script;
        let items = script.items(id);
        let head = items.first().and_then(|&head| script.symbol(head));
        let Some(head) = head else {
            return Err(self.error(id, "expected the name of a command"));
        };
        let found = match (head, items.len()) {
            ("get-model", 1) => self.model(id)?,
            ("get-value", 2) => self.values(id, items[1])?,
            ("get-unsat-core", 1) => self.core(id)?,
            ("get-proof", 1) => self.proof(id)?,
            ("get-interpolants", 2..) => self.interpolants(id)?,
            ("get-interpolant", 2) => self.interpolant(id, items[1])?,
            ("check-sat", 1) => self.check(id, Vec::new())?,
            ("check-sat-assuming", 2) => self.check_assuming(id, items[1])?,
            ("echo", 2) => script.source(items[1]).to_owned(),
            ("get-info", 2) => self.info(items[1]),
            ("get-assertions" | "get-assignment" | "get-unsat-assumptions", 1)
            | ("get-option", 2) => "unsupported".to_owned(),
            ("exit", 1) => return Ok(Response::Exit),
            ("set-option", 3) => return self.set_option(items[1], items[2]),
            _ => {
                self.change(id, head)?;
                return Ok(Response::Nothing);
            }
        };
        Ok(Response::Text(found))
    }

    /// A command that prints nothing.
    pub(crate) fn change(&mut self, id: Id, head: &str) -> Result<()> {
        let items = self.script.items(id);
        match (head, items.len()) {
            ("set-logic", 2) => self.logic(items[1])?,
            ("set-info", 2..) => {}
            ("declare-const", 3) => self.declare(id, items[1], items[2])?,
            ("declare-fun", 4) => match self.script.items(items[2]) {
                [] if self.script.source(items[2]).starts_with('(') => {
                    self.declare(id, items[1], items[3])?;
                }
                _ => {
                    let message = "functions with operands are not supported: expected ()";
                    return Err(self.error(items[2], message));
                }
            },
            ("define-fun", 5) => self.define(id, items[1], Some(items[2]), items[3], items[4])?,
            ("define-const", 4) => self.define(id, items[1], None, items[2], items[3])?,
            ("define-sort", 4) => self.define_sort(id)?,
            ("assert", 2) => self.assert(items[1])?,
            ("push" | "pop", 1) => self.level(id, head, 1)?,
            ("push" | "pop", 2) => {
                let count = match self.script.kind(items[1]) {
                    Kind::Numeral(digits) => digits.parse().ok(),
                    _ => None,
                };
                let count =
                    count.ok_or_else(|| self.error(items[1], "expected a number of levels"))?;
                self.level(id, head, count)?;
            }
            ("reset-assertions", 1) => self.clear(),
            ("reset", 1) => {
                self.is_global = false;
                self.clear();
                self.names = Names::default();
                self.prints_success = false;
            }
            ("declare-sort" | "declare-datatype" | "declare-datatypes", _) => {
                let message =
                    format!("`{head}` is not supported: sorts are Bool, words and arrays of words");
                return Err(self.error(id, message));
            }
            ("define-fun-rec" | "define-funs-rec", _) => {
                let message = format!("`{head}` is not supported: functions are not recursive");
                return Err(self.error(id, message));
            }
            _ => {
                let shown = self.script.shown(id);
                let message =
                    format!("`{shown}`: this command is not known, or has other arguments");
                return Err(self.error(id, message));
            }
        }
        Ok(())
    }

    fn logic(&self, id: Id) -> Result<()> {
        match self.script.symbol(id) {
            Some(name) if LOGICS.contains(&name) => Ok(()),
            _ => {
                let shown = self.script.shown(id);
                let message = format!(
                    "the logic `{shown}` is not supported: expected one of {}",
                    LOGICS.join(", ")
                );
                Err(self.error(id, message))
            }
        }
    }

    fn set_option(&mut self, key: Id, value: Id) -> Result<Response> {
        let script = self.script;
        let truth = || match script.symbol(value) {
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            _ => Err(Failure::Input(
                script.error(value, "expected true or false"),
            )),
        };
        match script.source(key) {
            ":print-success" => self.prints_success = truth()?,
            ":global-declarations" => self.is_global = truth()?,
            // What they ask for can always be had.
            ":produce-models"
            | ":produce-proofs"
            | ":produce-unsat-cores"
            | ":produce-interpolants"
            | ":produce-assertions" => drop(truth()?),
            _ => return Ok(Response::Text("unsupported".to_owned())),
        }
        Ok(Response::Nothing)
    }

    fn info(&self, key: Id) -> String {
        match self.script.source(key) {
            ":name" => "(:name \"craig\")".to_owned(),
            ":version" => format!("(:version \"{}\")", env!("CARGO_PKG_VERSION")),
            ":error-behavior" => "(:error-behavior immediate-exit)".to_owned(),
            _ => "unsupported".to_owned(),
        }
    }

    /// A new name.
    fn name(&self, id: Id) -> Result<String> {
        let name = self.script.symbol(id).map(str::to_owned);
        name.ok_or_else(|| self.error(id, "expected a name"))
    }

    fn add(&mut self, id: Id, name: &str, symbol: Symbol) -> Result<()> {
        if !self.names.add(name, symbol) {
            return Err(self.error(id, format!("`{name}` is declared already, or reserved")));
        }
        self.declared.push(name.to_owned());
        Ok(())
    }

    fn declare(&mut self, id: Id, name: Id, sort: Id) -> Result<()> {
        let name = self.name(name)?;
        let sort = self.reader().sort(sort)?;
        let term = self.terms.variable_of(sort.of_terms());
        let value = Typed { term, sort };
        self.add(id, &name, Symbol::Constant(value))?;
        self.constants.push((name, value));
        Ok(())
    }

    fn define(&mut self, id: Id, name: Id, list: Option<Id>, sort: Id, body: Id) -> Result<()> {
        let name = self.name(name)?;
        let mut parameters = Vec::new();
        for &parameter in list.map_or(&[][..], |list| self.script.items(list)) {
            let &[own, sort] = self.script.items(parameter) else {
                return Err(self.error(parameter, "expected (NAME SORT)"));
            };
            let own = self.name(own)?;
            let sort = self.reader().sort(sort)?;
            let term = self.terms.variable_of(sort.of_terms());
            parameters.push((own, Typed { term, sort }));
        }
        let sort = self.reader().sort(sort)?;
        let mut reader = self.reader();
        let value = reader.body(body, &parameters)?;
        let named = std::mem::take(&mut reader.named);
        if !(named.is_empty() || parameters.is_empty()) {
            return Err(self.error(body, "a part of the body of a function can't have a name"));
        }
        self.declared.extend(named);
        if value.sort != sort {
            return Err(self.error(
                body,
                format!("`{name}` has the sort {}, not {sort}", value.sort),
            ));
        }
        let parameters: Vec<Typed> = parameters.into_iter().map(|(_, own)| own).collect();
        let symbol = match parameters.is_empty() {
            true => Symbol::Term(value),
            false => Symbol::Function {
                parameters,
                body: value,
            },
        };
        self.add(id, &name, symbol)
    }

    fn define_sort(&mut self, id: Id) -> Result<()> {
        let items = self.script.items(id);
        let name = self.name(items[1])?;
        if !self.script.items(items[2]).is_empty() {
            return Err(self.error(
                items[2],
                "sorts with parameters are not supported: expected ()",
            ));
        }
        let sort = self.reader().sort(items[3])?;
        match self.names.add_sort(&name, sort) {
            true => Ok(()),
            false => Err(self.error(id, format!("the sort `{name}` is defined already"))),
        }
    }

    fn assert(&mut self, id: Id) -> Result<()> {
        let mut reader = self.reader();
        let value = reader.term(id)?;
        let annotations = reader.annotations(id)?;
        let named = std::mem::take(&mut reader.named);
        self.declared.extend(named);
        if value.sort != Sort::Bool {
            let message = format!(
                "an assertion is a truth value, not of the sort {}",
                value.sort
            );
            return Err(self.error(id, message));
        }
        self.assertions.push(Assertion {
            term: value.term,
            name: annotations.name,
            group: annotations.group,
        });
        self.outcome = None;
        Ok(())
    }

    fn level(&mut self, id: Id, head: &str, count: usize) -> Result<()> {
        self.outcome = None;
        if head == "push" {
            if count > MOST_LEVELS - self.levels.len() {
                return Err(self.error(id, format!("there are more than {MOST_LEVELS} levels")));
            }
            for _ in 0..count {
                self.levels.push(Level {
                    n_assertions: self.assertions.len(),
                    n_constants: self.constants.len(),
                    n_names: self.declared.len(),
                });
            }
            return Ok(());
        }
        let left = self.levels.len().checked_sub(count);
        let left = left.ok_or_else(|| self.error(id, "there are fewer levels than that"))?;
        self.pop_to(left);
        Ok(())
    }

    /// Closes all levels but the first `left`.
    fn pop_to(&mut self, left: usize) {
        let Some(level) = self.levels.drain(left..).next() else {
            return;
        };
        self.assertions.truncate(level.n_assertions);
        if !self.is_global {
            self.forget(level.n_constants, level.n_names);
        }
    }

    /// Removes all assertions and levels, and what was declared.
    fn clear(&mut self) {
        self.outcome = None;
        self.assertions.clear();
        self.levels.clear();
        if !self.is_global {
            self.forget(0, 0);
        }
    }

    /// Removes declarations but the first ones.
    fn forget(&mut self, n_constants: usize, n_names: usize) {
        self.constants.truncate(n_constants);
        for name in self.declared.drain(n_names..) {
            self.names.remove(&name);
        }
    }

    fn check_assuming(&mut self, id: Id, list: Id) -> Result<String> {
        let mut assumed = Vec::new();
        for &literal in self.script.items(list) {
            let value = self.reader().term(literal)?;
            if value.sort != Sort::Bool {
                return Err(self.error(literal, "expected a truth value"));
            }
            assumed.push(value.term);
        }
        self.check(id, assumed)
    }

    fn check(&mut self, id: Id, assumed: Vec<Term>) -> Result<String> {
        let outcome = check(self, id, assumed)?;
        let text = match outcome {
            Some(Outcome::Satisfiable(_)) => "sat",
            Some(Outcome::Unsatisfiable(_)) => "unsat",
            None => {
                self.ended = Ended::Unknown;
                "unknown"
            }
        };
        self.outcome = outcome;
        Ok(text.to_owned())
    }

    /// The model that was found.
    pub(crate) fn found_model(&self, id: Id) -> std::result::Result<&Model, SyntaxError> {
        match &self.outcome {
            Some(Outcome::Satisfiable(model)) => Ok(model),
            _ => Err(self
                .script
                .error(id, "there is a model after the answer sat only")),
        }
    }

    /// The refutation that was found.
    pub(crate) fn refuted(&self, id: Id) -> std::result::Result<&Refuted, SyntaxError> {
        match &self.outcome {
            Some(Outcome::Unsatisfiable(refuted)) => Ok(refuted),
            _ => Err(self
                .script
                .error(id, "there is none but after the answer unsat")),
        }
    }
}

/// The most levels of `push`.
const MOST_LEVELS: usize = 1 << 20;
