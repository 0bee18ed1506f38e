//! What the texts and trees of a program mention, before it is lowered: most programs need none of what is kept for others.

use crate::source::Source;
use crate::syntax::ast::*;
use crate::syntax::span::{Node, Span};
use crate::syntax::visit::{self, Visit};

/// Functions that give a number of the process which the program can change.
pub(super) const CHANGING_NUMBERS: [&str; 5] =
    ["getuid", "geteuid", "getgid", "getegid", "getpgrp"];

/// What is mentioned.
pub(super) struct Mentioned {
    /// `atexit`.
    pub(super) atexit: bool,
    /// More calls of `srand` than one.
    pub(super) reseeding: bool,
    /// What may read the bytes of a float.
    pub(super) byte_reads: bool,
    /// The indicators of streams.
    pub(super) indicators: bool,
    /// Numbers of the process that the program can change.
    pub(super) numbers: bool,
    /// `errno`.
    pub(super) errno: bool,
}

impl Mentioned {
    /// By some translation units.
    pub(super) fn by(units: &[(&Source, &TranslationUnit)]) -> Self {
        let mentioned = |name: &str| units.iter().any(|(source, _)| mentions(&source.text, name));
        let count = |text: &str| -> usize {
            let counts = units.iter();
            counts
                .map(|(source, _)| source.text.matches(text).count())
                .sum()
        };
        // More occurrences than a declaration in each unit.
        let is_called = |name: &str| count(name) > units.len();
        Self {
            atexit: mentioned("atexit"),
            // One call more than that.
            reseeding: count("srand") > units.len() + 1
                || count("srand") > 1 && count("void srand") < units.len(),
            byte_reads: units.iter().any(|(_, unit)| reads_bytes(unit)),
            indicators: mentioned("feof") || mentioned("ferror"),
            numbers: CHANGING_NUMBERS.iter().any(|name| is_called(name)),
            errno: is_called("__errno_location"),
        }
    }
}

/// Whether the name of a function that returns an `int` occurs anywhere but in its declaration.
pub(super) fn mentions(text: &str, name: &str) -> bool {
    text.match_indices(name)
        .any(|(at, _)| !text[..at].trim_end().ends_with("int"))
}

/// Functions that copy or compare bytes.
const OF_BYTES: [&str; 6] = ["memcpy", "memmove", "memcmp", "mempcpy", "bcopy", "bcmp"];

/// Finds what may read the bytes of an object as another type: casts of addresses to pointers, and functions on bytes.
struct Finder(bool);

impl<'ast> Visit<'ast> for Finder {
    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        self.0 |= match expression {
            Expression::Cast(cast) => {
                let declarator = cast.node.type_name.node.declarator.as_ref();
                declarator.is_some_and(is_pointer) && is_address(&cast.node.expression)
            }
            Expression::Call(call) => match &call.node.callee.node {
                Expression::Identifier(name) => {
                    let name = name.node.name.trim_start_matches("__builtin_");
                    OF_BYTES.contains(&name)
                }
                _ => false,
            },
            _ => false,
        };
        if !self.0 {
            visit::visit_expression(self, expression, span);
        }
    }
}

fn is_pointer(declarator: &Node<Declarator>) -> bool {
    let mut derived = declarator.node.derived.iter();
    derived.any(|part| matches!(part.node, DerivedDeclarator::Pointer(_)))
}

fn is_address(expression: &Node<Expression>) -> bool {
    matches!(&expression.node, Expression::UnaryOperator(operation)
        if operation.node.operator.node == UnaryOperator::Address)
}

/// Whether a unit has an expression that may read the bytes of a float.
fn reads_bytes(unit: &TranslationUnit) -> bool {
    let mut finder = Finder(false);
    finder.visit_translation_unit(unit);
    finder.0
}
