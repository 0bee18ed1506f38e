//! Translation of certificates and latch names of the automaton's circuit to the source.

use std::collections::HashMap;

use craig_model::{Certificate, Stop};
use craig_program::{CfaModel, LocationId, WordInvariant};
use craig_word::Term;

use super::Automaton;
use super::cell::{Cell, Known};
use crate::loop_invariants::{AtHead, Head, find};
use craig_c_files::witness::LoopInvariant;
use craig_c_lang::types::IntType;

/// Longer labels are not written to witnesses.
const MAX_LABEL: usize = 4_000;

impl Automaton<'_> {
    /// The invariants of a certificate for the source's loops: what `words` says at them, or else intervals of
    /// variables. Only loops of functions with a single calling
    /// context are reported: in others, iterations may occur without a cut.
    pub(crate) fn invariants(
        &self,
        encoded: &CfaModel,
        certificate: &Certificate,
        words: Option<&WordInvariant>,
        stop: &Stop,
    ) -> Vec<LoopInvariant> {
        let mut heads = Vec::new();
        for ((cut, at), location) in self.cuts.iter().zip(self.cfa.sources().skip(1)) {
            let id = at.position.call.function;
            let function = &self.program.functions[id as usize];
            let Some(head) = function.loops.get(&cut.block) else {
                continue;
            };
            if !self.called_once.contains(&id) {
                continue;
            }
            let mut variables = Vec::new();
            for (name, int, keeper) in &head.variables {
                let cell = Cell::of_variable(cut, keeper);
                let at_head = match at.known.get(&cell) {
                    Some(Known::Constant(term)) => match self.cfa.terms.constant_value(*term) {
                        Some(value) => AtHead::Constant(value),
                        None => continue,
                    },
                    Some(Known::Varies(..)) => AtHead::Variable(self.variables[&cell]),
                    Some(Known::Absent | Known::Among(_)) | None => continue,
                };
                variables.push((name.as_str(), *int, at_head));
            }
            let label = words.and_then(|words| label(words, location, &variables));
            heads.push(Head {
                label,
                place: encoded.code(location).unwrap_or_default(),
                head,
                function: &function.name,
                variables,
            });
        }
        let stop = stop.clone().within(100, self.extent.printed);
        find(self.program, certificate, &heads, encoded, stop)
    }

    /// Names of the latches, bit by bit: of the program counter, and of the source variables at loop heads.
    /// If several variables have a name, it is qualified by the function from the second on. Other latches
    /// have no name.
    pub(crate) fn latch_names(&self, encoded: &CfaModel) -> Vec<String> {
        let mut names = vec![String::new(); encoded.model.latches.len()];
        let name_bits = |names: &mut Vec<String>, name: &str, latches: &[usize]| {
            for (bit, &latch) in latches.iter().enumerate() {
                let name = format!("{name}[{bit}]");
                // A variable that is in scope at several loops may have several names.
                if names[latch].is_empty() || name < names[latch] {
                    names[latch] = name;
                }
            }
        };
        name_bits(&mut names, "pc", encoded.counter());
        // The name `pc` belongs to the counter: a variable `pc` is qualified by its function.
        let mut owners: HashMap<String, Option<Term>> = HashMap::from([("pc".to_owned(), None)]);
        for (cut, at) in &self.cuts {
            let function = &self.program.functions[at.position.call.function as usize];
            let Some(head) = function.loops.get(&cut.block) else {
                continue;
            };
            for (name, _, keeper) in &head.variables {
                let Some(&term) = self.variables.get(&Cell::of_variable(cut, keeper)) else {
                    continue;
                };
                let owner = *owners.entry(name.clone()).or_insert(Some(term));
                if owner != Some(term) {
                    owners.insert(format!("{}.{name}", function.name), Some(term));
                }
            }
        }
        for (name, term) in &owners {
            if let Some(latches) = term.and_then(|term| encoded.latches(term)) {
                name_bits(&mut names, name, latches);
            }
        }
        names
    }
}

/// What an invariant over words says at a location, as an expression of C over the variables in scope. A
/// conjunct without such an expression is left out. `None` if nothing is left.
fn label(
    words: &WordInvariant,
    location: LocationId,
    variables: &[(&str, IntType, AtHead)],
) -> Option<String> {
    let variable = |term: Term| {
        let found = variables
            .iter()
            .find_map(|(name, int, at_head)| match at_head {
                AtHead::Variable(own) if *own == term => Some((name, int)),
                _ => None,
            });
        let (name, int) = found?;
        let is_whole = words.terms.width(term) == int.width();
        is_whole.then(|| ((*name).to_owned(), int.signed))
    };
    let mut disjuncts: Vec<Vec<String>> = Vec::new();
    for conjuncts in words.at.get(location.index())? {
        let texts = conjuncts
            .iter()
            .filter_map(|&term| words.terms.c_condition(term, &variable));
        let texts: Vec<String> = texts.collect();
        if texts.is_empty() {
            return None;
        }
        if !disjuncts.contains(&texts) {
            disjuncts.push(texts);
        }
    }
    let text = match &disjuncts[..] {
        [] => return None,
        [only] => joined(only),
        several => {
            let parts: Vec<String> = several
                .iter()
                .map(|part| format!("({})", joined(part)))
                .collect();
            parts.join(" || ")
        }
    };
    (text.len() <= MAX_LABEL).then_some(text)
}

/// A conjunction; of several conjuncts, each that is no plain comparison is in parentheses.
fn joined(conjuncts: &[String]) -> String {
    let is_plain = |text: &str| !text.contains("&&") && !text.contains("||") && !text.contains('?');
    let part = |text: &String| match conjuncts.len() == 1 || is_plain(text) {
        true => text.clone(),
        false => format!("({text})"),
    };
    let parts: Vec<String> = conjuncts.iter().map(part).collect();
    parts.join(" && ")
}
