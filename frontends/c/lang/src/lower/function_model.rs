//! The form of the models of library functions: the rows of `function_table`, and the arguments of their
//! lowering.

use crate::syntax::ast::Expression;
use crate::syntax::span::Node;
use crate::types::{FloatType, Type};

use super::{Lowering, Result, Value};

/// A call of a function by its name.
#[derive(Clone, Copy)]
pub(super) struct NamedCall<'a, 'c> {
    pub(super) name: &'c str,
    pub(super) arguments: &'a [Node<Expression>],
    /// The type that the result will point to.
    pub(super) element: Option<&'c Type>,
    /// The float format of the name's suffix; `double` without one.
    pub(super) format: FloatType,
}

/// Lowers a call. `None` if the arguments do not match the function of the row.
pub(super) type Lower =
    for<'a, 'c> fn(&mut Lowering<'a>, &NamedCall<'a, 'c>) -> Result<Option<Value>>;

/// The meaning of a call of a function.
#[derive(Clone, Copy)]
pub(super) enum Model {
    /// The instructions that the function emits.
    Lowered(Lower),
    /// A call of the definition in the library's text (`library.c`, `formatted.c`).
    DefinedInC,
    /// No assumption on result or effect is possible: reaching the call is unsupported.
    Refused,
    /// A function without model.
    AnyValue,
}

/// Further names of the functions of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Exact,
    /// Prefixed with `__builtin_`.
    Builtin,
    /// With the suffix `f` or `l`, the prefix `__builtin_`, or both.
    Float,
}

/// Functions with one model.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) names: &'static [&'static str],
    spelling: Spelling,
    pub(super) model: Model,
    /// Whether the model also replaces the program's own definition of the name.
    pub(super) replaces_definition: bool,
    /// The least and the largest result of a function whose result is arbitrary.
    pub(super) range: Option<(i64, i64)>,
}

impl Row {
    pub(super) const fn new(names: &'static [&'static str], model: Model) -> Self {
        Self {
            names,
            spelling: Spelling::Exact,
            model,
            replaces_definition: false,
            range: None,
        }
    }

    pub(super) const fn lowered(names: &'static [&'static str], lower: Lower) -> Self {
        Self::new(names, Model::Lowered(lower))
    }

    /// This model, also for the names prefixed with `__builtin_`.
    pub(super) const fn or_builtin(mut self) -> Self {
        self.spelling = Spelling::Builtin;
        self
    }

    /// This model for all float formats, each also prefixed with `__builtin_`.
    pub(super) const fn for_floats(mut self) -> Self {
        self.spelling = Spelling::Float;
        self
    }

    pub(super) const fn replacing_definitions(mut self) -> Self {
        self.replaces_definition = true;
        self
    }

    pub(super) const fn within(mut self, least: i64, most: i64) -> Self {
        self.range = Some((least, most));
        self
    }

    /// All names of the row's functions, with the float format of each.
    pub(super) fn spellings(&self) -> Vec<(String, FloatType)> {
        let suffixes: &[(&str, FloatType)] = match self.spelling {
            Spelling::Float => &[
                ("", FloatType::Double),
                ("f", FloatType::Single),
                ("l", FloatType::Extended),
            ],
            Spelling::Exact | Spelling::Builtin => &[("", FloatType::Double)],
        };
        let prefixes: &[&str] = match self.spelling {
            Spelling::Exact => &[""],
            Spelling::Builtin | Spelling::Float => &["", "__builtin_"],
        };
        let mut found = Vec::new();
        for name in self.names {
            for &(suffix, format) in suffixes {
                for prefix in prefixes {
                    found.push((format!("{prefix}{name}{suffix}"), format));
                }
            }
        }
        found
    }
}
