//! The data of one translation unit, and the names shared by several.

use std::collections::HashSet;

use crate::ir::{Location, StaticId};
use crate::source::Source;
use crate::syntax::ast::{Declarator, DeclaratorKind, FunctionDefinition};
use crate::syntax::span::Node;
use crate::types::Type;

use super::symbol::Scope;

/// The number of the library's unit, which shares the file scope of the first.
pub(super) const LIBRARY_UNIT: usize = usize::MAX;

/// Separates a name from its unit's number; it is part of no name in C.
pub(super) const SEPARATOR: char = '@';

/// A function's definition.
#[derive(Clone, Copy)]
pub(super) struct Definition<'a> {
    pub(super) function: &'a Node<FunctionDefinition>,
    /// The unit that contains it.
    pub(super) unit: usize,
    /// Whether a definition in another unit replaces it.
    pub(super) is_weak: bool,
}

impl<'a> Definition<'a> {
    /// A function of the library.
    pub(super) fn of_library(function: &'a Node<FunctionDefinition>) -> Self {
        Self {
            function,
            unit: LIBRARY_UNIT,
            is_weak: false,
        }
    }

    /// Whether the program itself defines it.
    pub(super) fn is_own(&self) -> bool {
        self.unit != LIBRARY_UNIT
    }
}

/// The data of one translation unit.
pub(super) struct Unit<'a> {
    pub(super) source: &'a Source,
    /// The number of its first file among the program's.
    pub(super) files_from: u32,
    /// Functions with internal linkage, if there are several units.
    pub(super) internal: HashSet<String>,
    /// While another unit is current: the file scope, the names of types whose alignment differs from that of
    /// their type, and the names declared as weak.
    pub(super) scope: Scope,
    pub(super) misaligned: HashSet<String>,
    pub(super) weak: HashSet<String>,
}

/// A name with external linkage.
pub(super) struct External {
    pub(super) thing: Thing,
    /// The first declaration, and the unit with the definition.
    pub(super) at: Location,
    pub(super) defined_in: Option<usize>,
}

/// The meaning of the name in all units.
#[derive(Clone)]
pub(super) enum Thing {
    Object(StaticId, Type),
    Function(Type),
}

/// The name in the source of a function with this link name.
pub(super) fn source_name(link: &str) -> &str {
    link.split(SEPARATOR).next().unwrap_or(link)
}

/// The name that a declarator declares.
pub(super) fn name_of(mut declarator: &Node<Declarator>) -> Option<&str> {
    loop {
        match &declarator.node.kind.node {
            DeclaratorKind::Identifier(name) => return Some(&name.node.name),
            DeclaratorKind::Declarator(inner) => declarator = inner,
            DeclaratorKind::Abstract => return None,
        }
    }
}
