//! Annotated scripts: states, formulas and properties.

use std::collections::{BTreeSet, HashMap, HashSet};

use craig_itp::Stop;
use craig_word::{Term, Terms};

use super::formula::containing;
use crate::session::Session;
use crate::sort::Sort;
use crate::syntax::{Id, Kind, Script, SyntaxError};
use crate::terms::{Annotated, Symbol};
use crate::{Failure, Options};

/// The annotations of the language, but `:predicate`: those are advice to tools, and say nothing about the system.
const KEYWORDS: &[&str] = &[
    ":next",
    ":init",
    ":trans",
    ":invar-property",
    ":live-property",
    ":predicate",
];

/// The commands that a file may have; a last `(assert true)` is allowed besides.
const COMMANDS: &[&str] = &[
    "set-logic",
    "set-option",
    "set-info",
    "declare-fun",
    "declare-const",
    "define-fun",
    "define-const",
    "define-sort",
];

/// A state.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The name of the variable.
    pub(super) name: String,
    /// The variable of its value in a step.
    pub(super) current: Term,
    /// The variable of its value one step later.
    pub(super) next: Term,
}

/// What a property says about its term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// The term holds in all reachable states (`:invar-property`).
    Always,
    /// On each run, the term holds from some step on (`:live-property`).
    FinallyAlways,
}

/// A property.
#[derive(Clone, Debug)]
pub(super) struct Property {
    /// Its number in the file.
    pub(super) index: u64,
    /// The name of its definition, or else its keyword and number.
    pub(super) name: String,
    /// What it says.
    pub(super) claim: Claim,
    /// The term, of one bit.
    pub(super) term: Term,
}

/// A transition system. Truth values are terms of one bit.
#[derive(Clone)]
pub(super) struct TransitionSystem {
    /// The terms.
    pub(super) terms: Terms,
    /// The states, in the order of their annotations.
    pub(super) states: Vec<State>,
    /// The inputs with their names, in the order of their declarations.
    pub(super) inputs: Vec<(String, Term)>,
    /// What holds in initial states: terms over current values.
    pub(super) initial: Vec<Term>,
    /// What holds between a state and the next one: terms over current values, next values and inputs.
    pub(super) transition: Vec<Term>,
    /// The properties by their numbers: terms over current values and inputs.
    pub(super) properties: Vec<Property>,
}

type Result<T> = std::result::Result<T, SyntaxError>;

/// Reads a system. `file` is its name in messages.
///
/// # Errors
/// For the first command or annotation that is malformed or not supported, and if there is no property. Sorts are those of
/// scripts: truth values, words, and arrays of words.
pub(super) fn read(text: &str, file: &str) -> Result<TransitionSystem> {
    let script = Script::read(text, file)?;
    let (options, stop) = (Options::default(), Stop::never());
    let mut session = Session::new(&script, &options, &stop);
    session.names.keywords = KEYWORDS;
    let mut system = Builder {
        script: &script,
        states: Vec::new(),
        constants: HashMap::new(),
        of_states: HashSet::new(),
        initial: Vec::new(),
        transition: Vec::new(),
        properties: Vec::new(),
        indices: BTreeSet::new(),
    };
    for &command in &script.commands {
        run(&mut session, command)?;
        for annotated in std::mem::take(&mut session.names.annotated) {
            system.add(&session, command, annotated)?;
        }
    }
    system.finish(session)
}

/// Runs a command.
fn run(session: &mut Session<'_, '_>, command: Id) -> Result<()> {
    let script = session.script;
    let items = script.items(command);
    let head = items.first().and_then(|&head| script.symbol(head));
    match head {
        Some("assert") if items.len() == 2 && script.symbol(items[1]) == Some("true") => Ok(()),
        Some(head) if COMMANDS.contains(&head) && head != "set-option" => session
            .change(command, head)
            .map_err(|failure| match failure {
                Failure::Input(error) => error,
                other => script.error(command, other.to_string()),
            }),
        Some("set-option") => Ok(()),
        _ => {
            let shown = script.shown(command);
            let message = format!(
                "`{shown}`: a file in VMT-LIB has only the commands {}",
                COMMANDS.join(", ")
            );
            Err(script.error(command, message))
        }
    }
}

/// The annotations that were read.
struct Builder<'a, 't> {
    script: &'a Script<'t>,
    /// By term: the number of the declared variable, as far as there were annotations.
    constants: HashMap<Term, usize>,
    states: Vec<State>,
    /// The variables of `states`.
    of_states: HashSet<Term>,
    initial: Vec<(Id, Term)>,
    transition: Vec<Term>,
    properties: Vec<(Id, Property)>,
    /// The numbers of `properties`.
    indices: BTreeSet<u64>,
}

impl Builder<'_, '_> {
    fn add(&mut self, session: &Session<'_, '_>, command: Id, annotated: Annotated) -> Result<()> {
        let script = self.script;
        let Annotated { key, value, of } = annotated;
        let Kind::Keyword(keyword) = script.kind(key) else {
            return Ok(());
        };
        if self.has_parameters(command) {
            let message = format!("`{keyword}`: the term depends on parameters of its definition");
            return Err(script.error(key, message));
        }
        if keyword == ":next" {
            return self.add_state(session, key, value, of.term);
        }
        if of.sort != Sort::Bool {
            let message = format!(
                "`{keyword}`: expected a truth value, not a term of the sort {}",
                of.sort
            );
            return Err(script.error(key, message));
        }
        match keyword.as_str() {
            ":init" | ":trans" => {
                let is_true = value.is_none_or(|value| script.symbol(value) == Some("true"));
                if !is_true {
                    return Err(
                        script.error(key, format!("`{keyword}`: expected `true` behind it"))
                    );
                }
                match keyword.as_str() {
                    ":init" => self.initial.push((key, of.term)),
                    _ => self.transition.push(of.term),
                }
            }
            ":invar-property" => {
                self.add_property(command, key, value, (Claim::Always, of.term))?;
            }
            ":live-property" => {
                self.add_property(command, key, value, (Claim::FinallyAlways, of.term))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether a command defines a function of parameters.
    fn has_parameters(&self, command: Id) -> bool {
        let items = self.script.items(command);
        let is_function = self.script.symbol(items[0]) == Some("define-fun");
        is_function && !self.script.items(items[2]).is_empty()
    }

    fn add_state(
        &mut self,
        session: &Session<'_, '_>,
        key: Id,
        value: Option<Id>,
        current: Term,
    ) -> Result<()> {
        let script = self.script;
        let error = |message: String| Err(script.error(key, message));
        let first = self.constants.len();
        let more = session.constants[first..].iter().zip(first..);
        self.constants
            .extend(more.map(|((_, constant), number)| (constant.term, number)));
        let Some(&number) = self.constants.get(&current) else {
            return error("`:next`: expected it at a variable".to_owned());
        };
        let (name, own) = &session.constants[number];
        let next = value.and_then(|value| script.symbol(value));
        let Some(next_name) = next else {
            return error("`:next`: expected the name of a variable behind it".to_owned());
        };
        let Some(Symbol::Constant(next)) = session.names.get(next_name) else {
            return error(format!("`:next`: `{next_name}` is no declared variable"));
        };
        if next.sort != own.sort {
            return error(format!(
                "`{next_name}` has the sort {}, but `{name}` {}",
                next.sort, own.sort
            ));
        }
        for (term, name) in [(current, name.as_str()), (next.term, next_name)] {
            if !self.of_states.insert(term) {
                return error(format!("`{name}` is a state or a next value already"));
            }
        }
        self.states.push(State {
            name: name.clone(),
            current,
            next: next.term,
        });
        Ok(())
    }

    fn add_property(
        &mut self,
        command: Id,
        key: Id,
        value: Option<Id>,
        (claim, term): (Claim, Term),
    ) -> Result<()> {
        let script = self.script;
        let keyword = script.source(key);
        let index = match value.map(|value| script.kind(value)) {
            Some(Kind::Numeral(digits)) => digits.parse::<u64>().ok(),
            _ => None,
        };
        let Some(index) = index else {
            return Err(script.error(key, format!("`{keyword}`: expected a number behind it")));
        };
        if !self.indices.insert(index) {
            return Err(script.error(key, format!("there is a property {index} already")));
        }
        let items = script.items(command);
        let is_definition = matches!(script.symbol(items[0]), Some("define-fun" | "define-const"));
        let body = items.last().map_or(&[][..], |&body| script.items(body));
        let name = match is_definition && body.contains(&key) {
            true => script.symbol(items[1]).unwrap_or_default().to_owned(),
            false => format!("{}-{index}", &keyword[1..]),
        };
        self.properties.push((
            key,
            Property {
                index,
                name,
                claim,
                term,
            },
        ));
        Ok(())
    }

    /// The system, if terms have no variables where they must not.
    fn finish(mut self, session: Session<'_, '_>) -> Result<TransitionSystem> {
        let script = self.script;
        if self.properties.is_empty() {
            let last = script.commands.last().copied();
            let message =
                "there is no property: expected an annotation :invar-property or :live-property";
            return Err(match last {
                Some(last) => script.error(last, message),
                None => script.error_at(1, message),
            });
        }
        let next: HashSet<Term> = self.states.iter().map(|state| state.next).collect();
        let current: HashSet<Term> = self.states.iter().map(|state| state.current).collect();
        let has_next = containing(&session.terms, |variable| next.contains(&variable));
        let is_state = |variable| next.contains(&variable) || current.contains(&variable);
        let has_input = containing(&session.terms, |variable| !is_state(variable));
        let initial = self.initial.iter().map(|&(key, term)| (key, term, true));
        let properties =
            (self.properties.iter()).map(|(key, property)| (*key, property.term, false));
        for (key, term, is_initial) in initial.chain(properties) {
            let kind = match (
                has_next[term.index()],
                has_input[term.index()] && is_initial,
            ) {
                (true, _) => "next values",
                (_, true) => "inputs",
                _ => continue,
            };
            let message = format!(
                "`{}`: the term may not depend on {kind}",
                script.source(key)
            );
            return Err(script.error(key, message));
        }
        let is_input = |term: &Term| !next.contains(term) && !current.contains(term);
        let inputs = session
            .constants
            .iter()
            .filter(|(_, constant)| is_input(&constant.term));
        let inputs = inputs
            .map(|(name, constant)| (name.clone(), constant.term))
            .collect();
        self.properties.sort_by_key(|(_, property)| property.index);
        Ok(TransitionSystem {
            inputs,
            states: self.states,
            initial: self.initial.into_iter().map(|(_, term)| term).collect(),
            transition: self.transition,
            properties: self
                .properties
                .into_iter()
                .map(|(_, property)| property)
                .collect(),
            terms: session.terms,
        })
    }
}
