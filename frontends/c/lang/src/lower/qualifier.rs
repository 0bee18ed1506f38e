//! Qualifiers of declared objects: which variables and members have a qualifier, or point to objects with it.
//!
//! Types have no qualifiers; these are recorded by the declarations. Members of the same name are not
//! distinguished, but it is known whether they differ.

use std::collections::HashMap;

use super::Symbol;
use crate::ir::{Reg, SlotId, StaticId};
use crate::syntax::ast::*;
use crate::syntax::span::Node;

/// Whether an object has a qualifier, whether the object it points to has it, and whether another one has it to which pointers
/// lead from there.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Qualified {
    pub(super) object: bool,
    pub(super) target: bool,
    pub(super) deeper: bool,
}

impl Qualified {
    /// What a pointer to an object with these has.
    pub(super) fn pointer(self) -> Self {
        Self {
            object: false,
            target: self.object,
            deeper: self.target || self.deeper,
        }
    }

    /// What the value of an object with these has.
    pub(super) fn value(self) -> Self {
        Self {
            object: false,
            ..self
        }
    }
}

/// The identity of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Keeper {
    Static(StaticId),
    Slot(SlotId),
    Register(Reg),
}

impl Keeper {
    pub(super) fn is_static(self) -> bool {
        matches!(self, Self::Static(_))
    }
}

/// The variables, types and members of a program with a qualifier.
pub(super) struct Qualifiers {
    qualifier: TypeQualifier,
    variables: HashMap<Keeper, Qualified>,
    types: HashMap<String, Qualified>,
    /// What all members of a name have, and whether they differ.
    members: HashMap<String, (Qualified, bool)>,
    /// Of the results of functions, by their names.
    results: HashMap<String, Qualified>,
}

impl Qualifiers {
    pub(super) fn new(qualifier: TypeQualifier) -> Self {
        Self {
            qualifier,
            variables: HashMap::new(),
            types: HashMap::new(),
            members: HashMap::new(),
            results: HashMap::new(),
        }
    }

    pub(super) fn of_variable(&self, symbol: &Symbol) -> Qualified {
        let found = keeper(symbol).and_then(|keeper| self.variables.get(&keeper));
        found.copied().unwrap_or_default()
    }

    /// What a member of this name has; `None` if members of the name differ.
    pub(super) fn of_member(&self, name: &str) -> Option<Qualified> {
        let (found, differs) = self.members.get(name).copied().unwrap_or_default();
        (!differs).then_some(found)
    }

    /// What a member of this name may have.
    pub(super) fn of_any_member(&self, name: &str) -> Qualified {
        self.members
            .get(name)
            .map(|found| found.0)
            .unwrap_or_default()
    }

    pub(super) fn of_type_name(&self, name: &TypeName) -> Qualified {
        let base = self.of_qualifiers(&name.specifiers);
        self.declared(base, name.declarator.as_ref())
    }

    pub(super) fn keep(&mut self, symbol: &Symbol, found: Qualified) {
        let Some(keeper) = keeper(symbol) else { return };
        if found == Qualified::default() {
            self.variables.remove(&keeper);
        } else {
            self.variables.insert(keeper, found);
        }
    }

    pub(super) fn keep_type(&mut self, name: &str, found: Qualified) {
        if found == Qualified::default() {
            self.types.remove(name);
        } else {
            self.types.insert(name.to_string(), found);
        }
    }

    /// What the result of a function has; `None` if its declaration is not known, or of another form.
    pub(super) fn of_result(&self, function: &str) -> Option<Qualified> {
        self.results.get(function).copied()
    }

    pub(super) fn keep_result(&mut self, function: &str, found: Qualified) {
        self.results.insert(function.to_string(), found);
    }

    pub(super) fn keep_member(&mut self, name: &str, found: Qualified) {
        let known = self
            .members
            .entry(name.to_string())
            .or_insert((found, false));
        known.1 |= known.0 != found;
        known.0.object |= found.object;
        known.0.target |= found.target;
        known.0.deeper |= found.deeper;
    }

    /// Removes the variables of a function.
    pub(super) fn leave_function(&mut self) {
        self.variables.retain(|keeper, _| keeper.is_static());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// What a declarator on specifiers with these qualifiers has.
    pub(super) fn declared(
        &self,
        base: Qualified,
        declarator: Option<&Node<Declarator>>,
    ) -> Qualified {
        let Some(declarator) = declarator else {
            return base;
        };
        let mut current = base;
        for derived in &declarator.node.derived {
            if let DerivedDeclarator::Pointer(qualifiers) = &derived.node {
                let object = qualifiers.iter().any(|qualifier| {
                    matches!(&qualifier.node, PointerQualifier::TypeQualifier(qualifier)
                        if qualifier.node == self.qualifier)
                });
                current = Qualified {
                    object,
                    ..current.pointer()
                };
            }
        }
        match &declarator.node.kind.node {
            DeclaratorKind::Declarator(inner) => self.declared(current, Some(inner)),
            _ => current,
        }
    }

    fn of_type(&self, specifier: &TypeSpecifier) -> Qualified {
        match specifier {
            TypeSpecifier::TypedefName(name) => {
                self.types.get(&name.node.name).copied().unwrap_or_default()
            }
            TypeSpecifier::Atomic(name) => {
                let inner = self.of_type_name(&name.node);
                Qualified {
                    object: inner.object || self.qualifier == TypeQualifier::Atomic,
                    ..inner
                }
            }
            _ => Qualified::default(),
        }
    }

    pub(super) fn of_specifiers(&self, specifiers: &[Node<DeclarationSpecifier>]) -> Qualified {
        let parts = specifiers
            .iter()
            .filter_map(|specifier| match &specifier.node {
                DeclarationSpecifier::TypeQualifier(qualifier) => {
                    Some(Part::Qualifier(&qualifier.node))
                }
                DeclarationSpecifier::TypeSpecifier(specifier) => Some(Part::Type(&specifier.node)),
                _ => None,
            });
        self.of_parts(parts)
    }

    pub(super) fn of_qualifiers(&self, specifiers: &[Node<SpecifierQualifier>]) -> Qualified {
        let parts = specifiers
            .iter()
            .filter_map(|specifier| match &specifier.node {
                SpecifierQualifier::TypeQualifier(qualifier) => {
                    Some(Part::Qualifier(&qualifier.node))
                }
                SpecifierQualifier::TypeSpecifier(specifier) => Some(Part::Type(&specifier.node)),
                SpecifierQualifier::Alignment(_) | SpecifierQualifier::Extension(_) => None,
            });
        self.of_parts(parts)
    }

    fn of_parts<'s>(&self, parts: impl Iterator<Item = Part<'s>>) -> Qualified {
        let mut found = Qualified::default();
        for part in parts {
            match part {
                Part::Qualifier(qualifier) => found.object |= *qualifier == self.qualifier,
                Part::Type(specifier) => {
                    let own = self.of_type(specifier);
                    found.object |= own.object;
                    found.target |= own.target;
                    found.deeper |= own.deeper;
                }
            }
        }
        found
    }
}

/// What the specifiers of a declaration and those of a member or a type's name have in common.
enum Part<'s> {
    Qualifier(&'s TypeQualifier),
    Type(&'s TypeSpecifier),
}

/// The identity of the variable that a name stands for.
pub(super) fn keeper(symbol: &Symbol) -> Option<Keeper> {
    match *symbol {
        Symbol::Register(reg, _) => Some(Keeper::Register(reg)),
        Symbol::Slot(slot, _) => Some(Keeper::Slot(slot)),
        Symbol::Static(id, _) => Some(Keeper::Static(id)),
        _ => None,
    }
}
