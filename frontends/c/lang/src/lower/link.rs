//! Several translation units in one program (C11 5.1.1.1, 6.2.2). Each has a file scope of its own; a name
//! with external linkage denotes one entity in all of them, defined at most once and declared with compatible
//! types.
//!
//! A function's *link name* is its name or, where it has internal linkage, its name with its unit's number.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::ir::{Location, StaticId};
use crate::source::Source;
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::{FunctionType, Type};

use super::Lowering;
use super::file_local::exported_names;
use super::symbol::{Result, Scope, Symbol};
use super::unit::{Definition, External, LIBRARY_UNIT, SEPARATOR, Thing, Unit, name_of};

/// The declarations of a function in a unit, as far as linkage depends on them.
#[derive(Default)]
struct Seen {
    is_static: bool,
    is_defined: bool,
    /// A declaration without `inline`, or with `extern`.
    has_external: bool,
    is_gnu_inline: bool,
}

impl Seen {
    fn note(&mut self, specifiers: &[Node<DeclarationSpecifier>], declarator: &Node<Declarator>) {
        let (mut is_inline, mut is_extern) = (false, false);
        let mut extensions: Vec<&Node<Extension>> = declarator.node.extensions.iter().collect();
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::StorageClass(class) => match class.node {
                    StorageClassSpecifier::Static => self.is_static = true,
                    StorageClassSpecifier::Extern => is_extern = true,
                    _ => {}
                },
                DeclarationSpecifier::Function(function) => {
                    is_inline |= function.node == FunctionSpecifier::Inline;
                }
                DeclarationSpecifier::Extension(list) => extensions.extend(list),
                _ => {}
            }
        }
        self.is_gnu_inline |= extensions.iter().any(|extension| match &extension.node {
            Extension::Attribute(attribute) => {
                attribute.name.node.trim_matches('_') == "gnu_inline"
            }
            _ => false,
        });
        self.has_external |= !is_inline || is_extern;
    }

    /// `static` functions, and inline definitions (C11 6.7.4p7), which are invisible in other units.
    fn is_internal(&self) -> bool {
        let is_inline = self.is_defined && (!self.has_external || self.is_gnu_inline);
        self.is_static || is_inline
    }
}

/// The functions of a unit that have internal linkage. The names include `static` objects, which are never
/// looked up.
fn internal_functions(unit: &TranslationUnit) -> HashSet<String> {
    let mut seen: HashMap<&str, Seen> = HashMap::new();
    for declaration in &unit.items {
        match &declaration.node {
            ExternalDeclaration::FunctionDefinition(definition) => {
                let definition = &definition.node;
                if let Some(name) = name_of(&definition.declarator) {
                    let entry = seen.entry(name).or_default();
                    entry.note(&definition.specifiers, &definition.declarator);
                    entry.is_defined = true;
                }
            }
            ExternalDeclaration::Declaration(declaration) => {
                for declarator in &declaration.node.declarators {
                    let declarator = &declarator.node.declarator;
                    if let Some(name) = name_of(declarator) {
                        let entry = seen.entry(name).or_default();
                        entry.note(&declaration.node.specifiers, declarator);
                    }
                }
            }
            ExternalDeclaration::StaticAssert(_) => {}
        }
    }
    let internal = seen.into_iter().filter(|(_, seen)| seen.is_internal());
    internal.map(|(name, _)| name.to_string()).collect()
}

/// The unit that stores the file scope of a unit.
fn scope_of(unit: usize) -> usize {
    if unit == LIBRARY_UNIT { 0 } else { unit }
}

impl<'a> Lowering<'a> {
    /// Adds a unit; its files are numbered from the current count.
    pub(super) fn add_unit(&mut self, source: &'a Source, unit: &TranslationUnit, is_alone: bool) {
        let files_from = self.program.files.len() as u32;
        self.program.files.extend(source.files.iter().cloned());
        let internal = if is_alone {
            HashSet::new()
        } else {
            internal_functions(unit)
        };
        if self.options.cbmc.is_dialect() {
            let is_internal = |name: &str| internal.contains(name);
            let number = self.units.len();
            self.exported
                .extend(exported_names(source, unit, number, &is_internal));
        }
        self.units.push(Unit {
            source,
            files_from,
            internal,
            scope: Scope::default(),
            misaligned: HashSet::new(),
            weak: HashSet::new(),
        });
    }

    /// Continues in another unit, at its file scope.
    pub(super) fn enter_unit(&mut self, unit: usize) {
        debug_assert_eq!(self.scopes.len(), 1);
        if !self.is_in_scope_of(unit) {
            self.swap_file_scope(scope_of(self.unit));
            self.swap_file_scope(scope_of(unit));
        }
        self.unit = unit;
        (self.source, self.files_from) = match self.units.get(unit) {
            Some(unit) => (unit.source, unit.files_from),
            None => self.library,
        };
    }

    /// Whether the file scope in use is that of a unit.
    pub(super) fn is_in_scope_of(&self, unit: usize) -> bool {
        scope_of(self.unit) == scope_of(unit)
    }

    /// The file scope of a unit.
    pub(super) fn file_scope(&self, unit: usize) -> &Scope {
        if self.is_in_scope_of(unit) {
            &self.scopes[0]
        } else {
            &self.units[scope_of(unit)].scope
        }
    }

    /// The meaning of a name at file scope, in each unit that declares it.
    pub(super) fn meanings_at_files(&self, name: &str) -> impl Iterator<Item = &Symbol> {
        // The scope of the current unit is active, and its stored one is empty.
        let kept = self.units.iter().map(|unit| &unit.scope);
        let scopes = self.scopes.first().into_iter().chain(kept);
        scopes.filter_map(move |scope| scope.names.get(name))
    }

    /// Exchanges the active file scope with that of a unit.
    fn swap_file_scope(&mut self, unit: usize) {
        let kept = &mut self.units[unit];
        std::mem::swap(&mut self.scopes[0], &mut kept.scope);
        std::mem::swap(&mut self.misaligned, &mut kept.misaligned);
        std::mem::swap(&mut self.weak, &mut kept.weak);
    }

    /// The link name of a function that the current unit calls by this name.
    pub(super) fn link_name<'n>(&self, name: &'n str) -> Cow<'n, str> {
        self.link_name_in(self.unit, name)
    }

    /// The link name of a function that a unit calls by this name.
    pub(super) fn link_name_in<'n>(&self, unit: usize, name: &'n str) -> Cow<'n, str> {
        let link = match self.units.get(unit) {
            Some(of) if of.internal.contains(name) => {
                Cow::Owned(format!("{name}{SEPARATOR}{unit}"))
            }
            _ => match self.exported_link(name) {
                Some(link) => Cow::Owned(link),
                None => Cow::Borrowed(name),
            },
        };
        match self.alias_links.get(&*link) {
            Some(target) => Cow::Owned(target.clone()),
            None => link,
        }
    }

    /// The definition of the function that the current unit calls by this name.
    pub(super) fn definition_of(&self, name: &str) -> Option<Definition<'a>> {
        self.definitions.get(&*self.link_name(name)).copied()
    }

    /// The type of a function in its definition.
    pub(super) fn type_of_definition(
        &mut self,
        definition: Definition<'a>,
    ) -> Result<std::sync::Arc<FunctionType>> {
        if !definition.is_own() || self.is_in_scope_of(definition.unit) {
            return Ok(self.definition_head(definition.function)?.1);
        }
        // Type names in it are those of its unit.
        let scope = std::mem::take(&mut self.units[definition.unit].scope);
        let scopes = std::mem::replace(&mut self.scopes, vec![scope]);
        let unit = &self.units[definition.unit];
        let here = (self.source, self.files_from, self.at);
        (self.source, self.files_from) = (unit.source, unit.files_from);
        let head = self.definition_head(definition.function);
        (self.source, self.files_from, self.at) = here;
        let mut inner = std::mem::replace(&mut self.scopes, scopes);
        self.units[definition.unit].scope = inner.swap_remove(0);
        Ok(head?.1)
    }

    /// Adds a definition to the program.
    ///
    /// # Errors
    /// If another unit has one already.
    pub(super) fn define_function(
        &mut self,
        name: &str,
        ty: &std::sync::Arc<FunctionType>,
        function: &'a Node<FunctionDefinition>,
    ) -> Result<()> {
        let link = self.link_name(name).into_owned();
        let definition = Definition {
            function,
            unit: self.unit,
            is_weak: self.weak.contains(name),
        };
        if self.is_removed(&link)
            && self
                .unit_of_static(&link)
                .is_none_or(|unit| unit == self.unit)
        {
            return self.declare_function(name, ty);
        }
        if link == name {
            let other = self.definitions.get(&link);
            if let Some(other) = other.filter(|other| other.unit != self.unit) {
                if definition.is_weak {
                    return Ok(());
                }
                if !other.is_weak {
                    return self.define_again(name);
                }
            }
            self.declare_function(name, ty)?;
        } else if (self.definitions.get(&link)).is_some_and(|other| other.unit != self.unit) {
            return self.define_again(name);
        }
        self.definitions.insert(link, definition);
        Ok(())
    }

    /// Looks at a second definition of a function, in another unit. goto-cc keeps the first one.
    ///
    /// # Errors
    /// It is one for all other linkers.
    fn define_again(&mut self, name: &str) -> Result<()> {
        if !self.options.cbmc.is_dialect() {
            return Err(self.defined_twice(name));
        }
        self.note(format!(
            "`{name}` is defined in two files: the first one counts"
        ));
        Ok(())
    }

    /// Processes a declaration of a function.
    ///
    /// # Errors
    /// If another unit declares it with an incompatible type.
    pub(super) fn declare_function(
        &mut self,
        name: &str,
        ty: &std::sync::Arc<FunctionType>,
    ) -> Result<()> {
        if self.units.len() < 2 || self.link_name(name) != name {
            return Ok(());
        }
        let ty = Type::Function(ty.clone());
        match self.external.get(name).map(|known| known.thing.clone()) {
            Some(Thing::Function(known)) if self.are_compatible(&known, &ty) => {
                // A prototype has more information than a declaration without parameters.
                if let (Some(external), Type::Function(known)) =
                    (self.external.get_mut(name), &known)
                    && !known.prototype
                {
                    external.thing = Thing::Function(ty);
                }
                Ok(())
            }
            // goto-cc links such declarations; calls that do not fit the definition are not supported.
            Some(Thing::Function(_)) if self.options.cbmc.is_dialect() => {
                self.note(format!(
                    "`{name}` is declared with different types: its definition counts"
                ));
                Ok(())
            }
            Some(_) => Err(self.declared_otherwise(name)),
            None => {
                self.insert_external(name, Thing::Function(ty));
                Ok(())
            }
        }
    }

    /// The object with external linkage of this name, if a unit has declared one, with its type completed by
    /// this declaration.
    ///
    /// # Errors
    /// If another unit declares the name with an incompatible type.
    pub(super) fn external_object(&mut self, name: &str, ty: &Type) -> Result<Option<StaticId>> {
        let (id, known) = match self.external.get(name).map(|known| known.thing.clone()) {
            None => return Ok(None),
            Some(Thing::Object(id, known)) => (id, known),
            Some(Thing::Function(_)) => return Err(self.declared_otherwise(name)),
        };
        if !self.are_compatible(&known, ty) {
            return Err(self.declared_otherwise(name));
        }
        if self.types.size(&known).is_none() && self.types.size(ty).is_some() {
            self.program.statics[id as usize].shape = self.shape(ty)?;
            self.program.statics[id as usize].ty = Some(ty.clone());
            if let Some(external) = self.external.get_mut(name) {
                external.thing = Thing::Object(id, ty.clone());
            }
        }
        Ok(Some(id))
    }

    /// Whether a name with external linkage denotes an object.
    pub(super) fn is_external(&self, name: &str, id: StaticId) -> bool {
        let known = self.external.get(name).map(|external| &external.thing);
        matches!(known, Some(Thing::Object(known, _)) if *known == id)
    }

    /// Makes an object visible in later units.
    pub(super) fn publish_object(&mut self, name: &str, id: StaticId, ty: &Type) {
        if self.units.len() > 1 && !self.external.contains_key(name) {
            self.insert_external(name, Thing::Object(id, ty.clone()));
        }
    }

    /// Records that the current unit defines an object with external linkage.
    ///
    /// # Errors
    /// If another unit does so, too.
    pub(super) fn define_object(&mut self, name: &str) -> Result<()> {
        let unit = self.unit;
        let Some(external) = self.external.get_mut(name) else {
            return Ok(());
        };
        match external.defined_in {
            Some(other) if other != unit => Err(self.defined_twice(name)),
            _ => {
                external.defined_in = Some(unit);
                Ok(())
            }
        }
    }

    fn insert_external(&mut self, name: &str, thing: Thing) {
        let external = External {
            thing,
            at: self.at,
            defined_in: None,
        };
        self.external.insert(name.to_string(), external);
    }

    fn defined_twice(&mut self, name: &str) -> String {
        self.link_fault(name, "is defined in two files, first in")
    }

    fn declared_otherwise(&mut self, name: &str) -> String {
        self.link_fault(name, "has a type here that is not compatible with that in")
    }

    /// The message about a name that cannot be linked, an error of the program.
    fn link_fault(&mut self, name: &str, what: &str) -> String {
        let definition = self.definitions.get(name);
        let other = match definition.filter(|other| other.is_own() && other.unit != self.unit) {
            Some(definition) => {
                let unit = &self.units[definition.unit];
                let at = unit.source.location(definition.function.span.start);
                Location {
                    file: at.file + unit.files_from,
                    ..at
                }
            }
            None => (self.external.get(name)).map_or(self.at, |external| external.at),
        };
        let message = format!("`{name}` {what} {}", self.program.place(other));
        let fault = || format!("{}: {message}", self.program.place(self.at));
        self.link_fault.get_or_insert_with(fault);
        message
    }

    /// Whether two types of different units are compatible (C11 6.2.7), qualifiers, tags and the names of
    /// enumerators aside.
    pub(super) fn are_compatible(&self, a: &Type, b: &Type) -> bool {
        self.agree(a, b, &mut HashSet::new())
    }

    /// As [`Self::are_compatible`], assuming that these pairs of records are.
    fn agree(&self, a: &Type, b: &Type, assumed: &mut HashSet<(usize, usize)>) -> bool {
        match (a, b) {
            (Type::Pointer(a), Type::Pointer(b)) => self.agree(a, b, assumed),
            (Type::Array(a, n), Type::Array(b, m)) => {
                (n == m || n.is_none() || m.is_none()) && self.agree(a, b, assumed)
            }
            (Type::Function(a), Type::Function(b)) => {
                let params = || {
                    a.variadic == b.variadic
                        && a.params.len() == b.params.len()
                        && (a.params.iter().zip(&b.params))
                            .all(|(a, b)| self.agree(a, b, &mut assumed.clone()))
                };
                let are_same = !a.prototype || !b.prototype || params();
                are_same && self.agree(&a.result, &b.result, assumed)
            }
            (Type::Record(a), Type::Record(b)) => {
                if a == b || !assumed.insert((*a, *b)) {
                    return true;
                }
                let (a, b) = (&self.types.records[*a], &self.types.records[*b]);
                if !a.complete || !b.complete {
                    return a.is_union == b.is_union;
                }
                (a.is_union, a.size, a.align) == (b.is_union, b.size, b.align)
                    && a.fields.len() == b.fields.len()
                    && a.fields.iter().zip(&b.fields).all(|(a, b)| {
                        (&a.name, a.offset, a.bits) == (&b.name, b.offset, b.bits)
                            && self.agree(&a.ty, &b.ty, assumed)
                    })
            }
            _ => self.types.is_same(a, b),
        }
    }

    /// The symbol of an object with external linkage that a block declares.
    pub(super) fn object_of_block(&mut self, name: &str, ty: &Type) -> Result<Symbol> {
        let id = match self.external_object(name, ty)? {
            Some(id) => id,
            None => {
                let id = self.static_object(name, ty, true)?;
                self.publish_object(name, id, ty);
                id
            }
        };
        Ok(Symbol::Static(id, ty.clone()))
    }
}
