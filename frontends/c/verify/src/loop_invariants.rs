//! Invariants in C for the loops of the source, from a certificate of the single-loop program.
//!
//! A certificate's property is inductive, so that all its consequences hold in all reachable states. The
//! values that it allows for each variable at a loop head lie in an interval, whose bounds a solver finds bit
//! by bit, the highest first.

use craig_aig::Edge;
use craig_model::{Certificate, Stop};
use craig_program::CfaModel;
use craig_solver::{Answer, Lit};
use craig_word::{Term, mask};

use crate::certified_property::CertifiedProperty;
use craig_c_files::witness::LoopInvariant;
use craig_c_lang::c_literal::literal;
use craig_c_lang::ir::{LoopHead, Program};
use craig_c_lang::types::{IntType, Type};

/// The value of a variable at a loop head, in the transition system.
pub(crate) enum AtHead {
    Constant(u128),
    Variable(Term),
}

/// A loop head in the transition system.
pub(crate) struct Head<'p> {
    /// An invariant in C that is known already.
    pub(crate) label: Option<String>,
    /// The program counter's value there.
    pub(crate) place: u128,
    pub(crate) head: &'p LoopHead,
    pub(crate) function: &'p str,
    /// The variables in scope at the loop, by name.
    pub(crate) variables: Vec<(&'p str, IntType, AtHead)>,
}

/// The maximal number of variables: larger invariants are hard to read.
const MAX_VARIABLES: usize = 16;

struct Finder {
    property: CertifiedProperty,
}

impl Finder {
    /// The largest value of these bits, lowest first; `None` if there is none, or the solver gives up.
    fn largest(&mut self, bits: &[Lit], assumptions: &[Lit]) -> Option<u128> {
        let mut assumed = assumptions.to_vec();
        if self.property.solve(&assumed) != Answer::Satisfiable {
            return None;
        }
        let mut value = 0;
        for (index, &bit) in bits.iter().enumerate().rev() {
            assumed.push(bit);
            match self.property.solve(&assumed) {
                Answer::Satisfiable => value |= 1 << index,
                Answer::Unsatisfiable => {
                    assumed.pop();
                    assumed.push(!bit);
                }
                Answer::Unknown => return None,
            }
        }
        Some(value)
    }

    /// The least and the largest value of a variable in the order of its type, as words.
    fn interval(
        &mut self,
        bits: &[Lit],
        signed: bool,
        assumptions: &[Lit],
    ) -> Option<(u128, u128)> {
        let mut bits = bits.to_vec();
        let width = bits.len() as u32;
        // With its sign inverted, a signed word has the order of an unsigned one.
        let sign = if signed { 1 << (width - 1) } else { 0 };
        if signed && let Some(last) = bits.last_mut() {
            *last = !*last;
        }
        let largest = self.largest(&bits, assumptions)? ^ sign;
        let inverted: Vec<Lit> = bits.iter().map(|&bit| !bit).collect();
        let least = !self.largest(&inverted, assumptions)? & mask(width) ^ sign;
        Some((least, largest))
    }
}

/// The invariants at the heads, if the certificate is one of the given circuit. Those that are not found before `stop` are left out.
pub(crate) fn find(
    program: &Program,
    certificate: &Certificate,
    heads: &[Head<'_>],
    encoded: &CfaModel,
    stop: Stop,
) -> Vec<LoopInvariant> {
    let mut finder = Finder {
        property: CertifiedProperty::new(certificate, stop),
    };
    let mut found = Vec::new();
    for head in heads {
        let value = match &head.label {
            Some(label) => Some(label.clone()),
            None => invariant(&mut finder, head, encoded),
        };
        let at = head.head.body.unwrap_or(head.head.at);
        found.push(LoopInvariant {
            file: program
                .files
                .get(at.file as usize)
                .cloned()
                .unwrap_or_default(),
            is_of_condition: head.head.body.is_none(),
            line: at.line,
            column: at.column,
            function: head.function.to_string(),
            value: value.unwrap_or_else(|| "1".into()),
        });
    }
    found
}

/// The invariant at one head; `None` if nothing is known.
fn invariant(finder: &mut Finder, head: &Head<'_>, encoded: &CfaModel) -> Option<String> {
    let assumptions = finder.property.at(encoded, head.place);
    let mut parts = Vec::new();
    for (name, int, at_head) in head.variables.iter().take(MAX_VARIABLES) {
        let ty = Type::Int(*int);
        let text = |value: u128| literal(value, int.width(), Some(&ty));
        match at_head {
            AtHead::Constant(value) => parts.push(format!("{name} == {}", text(*value))),
            AtHead::Variable(term) => {
                let Some(latches) = encoded.latches(*term) else {
                    continue;
                };
                let edges: Option<Vec<Edge>> = latches
                    .iter()
                    .map(|latch| finder.property.latches.get(latch).copied())
                    .collect();
                let Some(edges) = edges else { continue };
                let bits: Vec<Lit> = edges
                    .iter()
                    .map(|&edge| finder.property.literal(edge))
                    .collect();
                if bits.len() != int.width() as usize {
                    continue;
                }
                let Some((least, largest)) = finder.interval(&bits, int.signed, &assumptions)
                else {
                    continue;
                };
                let (low, high) = limits(*int);
                if least == largest {
                    parts.push(format!("{name} == {}", text(least)));
                    continue;
                }
                if least != low {
                    parts.push(format!("{} <= {name}", text(least)));
                }
                if largest != high {
                    parts.push(format!("{name} <= {}", text(largest)));
                }
            }
        }
    }
    (!parts.is_empty()).then(|| parts.join(" && "))
}

/// The least and the largest value of a type, as words.
fn limits(int: IntType) -> (u128, u128) {
    let width = int.width();
    if int.signed {
        (1 << (width - 1), mask(width - 1))
    } else {
        (0, mask(width))
    }
}
