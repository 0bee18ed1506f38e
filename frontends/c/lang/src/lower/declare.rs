//! Declarations: types from specifiers and declarators, and the declared objects.

use std::sync::Arc;

use crate::ir::{Choice, Instr, Storage};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::syntax::visit::Visit;
use crate::types::{FunctionType, IntType, Type};

use super::alias::alias_target;
use super::constexpr::is_constexpr;
use super::extension::extension_lists;
use super::specifier::{Lengths, Specified, is_const};
use super::{Lowering, Result, Symbol};

impl<'a> Lowering<'a> {
    /// A declaration at file scope or in a block.
    pub(super) fn declaration(
        &mut self,
        declaration: &'a Node<Declaration>,
        file_scope: bool,
    ) -> Result<()> {
        let mut specified = self.specifiers(&declaration.node.specifiers)?;
        if specified.is_inferred {
            specified.ty = Some(self.inferred_type(&declaration.node.declarators)?);
        }
        let Some(base) = specified.ty.clone() else {
            return Err("a declaration without a type".into());
        };
        let lengths = if file_scope {
            Lengths::Constant
        } else {
            Lengths::Evaluated
        };
        for declarator in &declaration.node.declarators {
            self.locate(declarator.span.start);
            let inner = &declarator.node.declarator;
            let (name, mut ty) = self.declarator(base.clone(), inner, lengths)?;
            let Some(name) = name else { continue };
            ty = self.with_mode(ty, &inner.node.extensions)?;
            if specified.is_typedef {
                self.note_transparent(&ty, extension_lists(&declaration.node.specifiers, inner));
                match self.with_alignment(&ty, &declaration.node.specifiers, inner)? {
                    Some(aligned) => {
                        self.misaligned.remove(&name);
                        ty = aligned;
                    }
                    None => drop(self.misaligned.insert(name.clone())),
                }
                self.note_qualifiers_of_type(&name, &declaration.node.specifiers, inner);
                self.note_enumeration(&name, &declaration.node.specifiers, inner);
                self.bind(&name, Symbol::Typedef(ty));
                continue;
            }
            self.function_attributes(&name, &declaration.node.specifiers, inner);
            if file_scope {
                self.check_alias(&name, &ty, &declaration.node.specifiers, inner)?;
            } else if alias_target(&declaration.node.specifiers, inner).is_some() {
                return Err("the attribute `alias` in a block".into());
            }
            if let Type::Function(function) = &ty {
                self.note_qualifiers_of_result(&name, &declaration.node.specifiers, inner);
                let heads = (&*declaration.node.specifiers, inner);
                self.note_contract(&name, heads, &declarator.node.contract, false);
                let id = self.function_id(&name);
                self.declare_function(&name, function)?;
                // The type of a definition has precedence.
                if !matches!(self.scopes[0].names.get(&name), Some(Symbol::Function(_, old)) if old.prototype)
                {
                    self.scopes[0]
                        .names
                        .insert(name.clone(), Symbol::Function(id, function.clone()));
                }
                if !file_scope {
                    self.bind(&name, Symbol::Function(id, function.clone()));
                }
                continue;
            }
            let is_object = (inner.node.derived.iter())
                .all(|derived| !matches!(derived.node, DerivedDeclarator::Pointer(_)));
            let is_constant = is_const(&declaration.node.specifiers)
                && is_object
                && !matches!(inner.node.kind.node, DeclaratorKind::Declarator(_));
            let initializer = declarator.node.initializer.as_ref();
            if let (Type::Array(element, None), Some(initializer)) = (&ty, initializer) {
                let length = self.initialiser_length(element, &initializer.node)?;
                ty = Type::Array(element.clone(), Some(length));
            }
            if file_scope || specified.is_static || specified.is_extern {
                require_own_name(&name, inner)?;
            }
            if file_scope {
                self.note_initial_pointer(&declaration.node, declarator, specified.is_static)?;
                self.file_scope_variable(&name, &ty, &specified, initializer)?;
            } else {
                self.local_variable(&name, &ty, &specified, initializer)?;
                self.note_cleanup(&name, &declaration.node.specifiers, inner)?;
            }
            self.end_temporaries();
            let align = self.alignment_of_object(&declaration.node.specifiers, inner)?;
            self.align_object(&name, align);
            self.note_qualifiers(&name, &declaration.node.specifiers, inner);
            match self.lookup(&name) {
                Some(Symbol::Static(id, _)) if is_constant => {
                    self.program.statics[id as usize].is_constant = true;
                }
                Some(Symbol::Slot(slot, _)) if is_constant => {
                    self.builder.function.slots[slot as usize].is_constant = true;
                }
                _ => {}
            }
            if is_constexpr(&declaration.node.specifiers) {
                self.note_constexpr(&name, &ty, initializer)?;
            }
        }
        Ok(())
    }

    /// The type of the initialiser of the only name that a declaration with `__auto_type` or `auto` declares.
    fn inferred_type(&mut self, declarators: &'a [Node<InitDeclarator>]) -> Result<Type> {
        let [declarator] = declarators else {
            return Err("several names whose type is that of an initialiser".into());
        };
        let inner = &declarator.node.declarator.node;
        let is_plain =
            inner.derived.is_empty() && matches!(inner.kind.node, DeclaratorKind::Identifier(_));
        match declarator.node.initializer.as_ref().map(|it| &it.node) {
            Some(Initializer::Expression(value)) if is_plain => {
                let value = self.without_code(|lowering| lowering.rvalue(value))?;
                Ok(match value.ty {
                    Type::Int(int) => Type::Int(int.of_object()),
                    ty => ty,
                })
            }
            _ => Err("a declaration whose type is that of an initialiser it does not have".into()),
        }
    }

    fn file_scope_variable(
        &mut self,
        name: &str,
        ty: &Type,
        specified: &Specified,
        initializer: Option<&'a Node<Initializer>>,
    ) -> Result<()> {
        let external = specified.is_extern && initializer.is_none();
        let id = match self.scopes[0].names.get(name).cloned() {
            Some(Symbol::Static(id, old)) => {
                // A later declaration may complete an array's type or define a declared object.
                if self.types.size(&old).is_none() && self.types.size(ty).is_some() {
                    self.program.statics[id as usize].shape = self.shape(ty)?;
                    self.program.statics[id as usize].ty = Some(ty.clone());
                    self.scopes[0]
                        .names
                        .insert(name.to_string(), Symbol::Static(id, ty.clone()));
                }
                if self.is_external(name, id) {
                    self.external_object(name, ty)?;
                }
                id
            }
            _ => {
                let linked = if specified.is_static {
                    None
                } else {
                    self.external_object(name, ty)?
                };
                let id = if let Some(id) = linked {
                    id
                } else if self.types.size(ty).is_some() {
                    self.static_object(name, ty, external)?
                } else {
                    let mut whole = ty.clone();
                    if let Type::Array(element, None) = ty {
                        // C11 6.9.2: a tentative array of unknown length has one element.
                        whole = Type::Array(element.clone(), Some(1));
                    }
                    if self.types.size(&whole).is_none() {
                        whole = Type::Int(IntType::CHAR);
                    }
                    let id = self.static_object(name, &whole, external)?;
                    self.program.statics[id as usize].ty = Some(ty.clone());
                    id
                };
                if !specified.is_static {
                    self.publish_object(name, id, ty);
                }
                self.scopes[0]
                    .names
                    .insert(name.to_string(), Symbol::Static(id, ty.clone()));
                id
            }
        };
        if !external {
            self.program.statics[id as usize].external = false;
            if self.is_external(name, id) {
                self.define_object(name)?;
            }
        }
        if let Some(initializer) = initializer
            && self.defined.insert(id)
        {
            let address = self.static_address(id);
            self.initialise(address, ty, &initializer.node)?;
        }
        Ok(())
    }

    fn local_variable(
        &mut self,
        name: &str,
        ty: &Type,
        specified: &Specified,
        initializer: Option<&'a Node<Initializer>>,
    ) -> Result<()> {
        if specified.is_extern {
            let found = self.scopes[0].names.get(name).cloned();
            let symbol = match found {
                Some(symbol) => symbol,
                None => {
                    let symbol = self.object_of_block(name, ty)?;
                    self.scopes[0]
                        .names
                        .insert(name.to_string(), symbol.clone());
                    symbol
                }
            };
            self.bind(name, symbol);
            return Ok(());
        }
        if specified.is_static {
            let id = self.static_object(name, ty, false)?;
            self.local_statics
                .push((id, self.builder.function.name.clone()));
            self.bind(name, Symbol::Static(id, ty.clone()));
            if let Some(initializer) = initializer {
                self.at_start(|lowering| {
                    let address = lowering.static_address(id);
                    lowering.initialise(address, ty, &initializer.node)
                })?;
            }
            return Ok(());
        }
        if let Type::Variable(element, size) = ty {
            if initializer.is_some() {
                return Err("an initialiser of an array of variable length".into());
            }
            // The array is a new object; the name refers to the register with its address.
            let width = self.pointer_width();
            let reg = self.named(width, Some(name.to_string()), Some(ty.clone()));
            let element = self.shape(element).ok();
            let size = self.read(*size);
            self.end_earlier_array(reg);
            self.emit(Instr::Allocate {
                reg,
                size,
                element,
                zeroed: false,
                storage: Storage::Frame,
                align: 1,
            });
            self.bind(name, Symbol::Register(reg, ty.clone()));
            if let Some(scope) = self.scopes.last_mut() {
                scope.arrays.push(reg);
            }
            return Ok(());
        }
        let in_register = ty.is_scalar() && !self.builder.address_taken.contains(name);
        if in_register || matches!(ty, Type::VaList) && !self.builder.address_taken.contains(name) {
            let width = self
                .scalar_width(ty)
                .ok_or("a variable that is no scalar")?;
            let reg = self.named(width, Some(name.to_string()), Some(ty.clone()));
            // The variable is in scope in its own initialiser.
            self.bind(name, Symbol::Register(reg, ty.clone()));
            match initializer {
                Some(initializer) => {
                    // A call of `setjmp` in it keeps what the variable was before.
                    if self.nonlocal_jumps.is_some() || self.mentions(name, &initializer.node) {
                        self.emit(Instr::Choose {
                            reg,
                            kind: Choice::Uninitialised,
                        });
                    }
                    let value = self.scalar_initialiser(&initializer.node, ty)?;
                    let value = self.convert(value, ty)?;
                    self.set(reg, value.expr);
                }
                None => self.emit(Instr::Choose {
                    reg,
                    kind: Choice::Uninitialised,
                }),
            }
            return Ok(());
        }
        self.variable_in_memory(name, ty, initializer)
    }

    /// A local variable that has an address.
    fn variable_in_memory(
        &mut self,
        name: &str,
        ty: &Type,
        initializer: Option<&'a Node<Initializer>>,
    ) -> Result<()> {
        let slot = self.scoped_slot(name, ty)?;
        self.bind(name, Symbol::Slot(slot, ty.clone()));
        self.declare_slot(slot, ty, initializer.is_some())?;
        if let Some(initializer) = initializer {
            let address = self.slot_address(slot);
            if let Initializer::List(items) = &initializer.node {
                self.check_initialiser_order(items)?;
                self.zero(address, ty)?;
            }
            self.initialise(address, ty, &initializer.node)?;
            // Without any value in the braces, the padding is 0, too (C23 6.7.11p11).
            if matches!(&initializer.node, Initializer::List(items) if !items.is_empty()) {
                self.scatter_padding(address, ty)?;
            }
        }
        Ok(())
    }

    fn mentions(&self, name: &str, initializer: &Initializer) -> bool {
        struct Finder<'n>(&'n str, bool);
        impl<'ast> Visit<'ast> for Finder<'_> {
            fn visit_identifier(
                &mut self,
                identifier: &'ast Identifier,
                _: &'ast crate::syntax::span::Span,
            ) {
                self.1 |= identifier.name == self.0;
            }
        }
        let mut finder = Finder(name, false);
        let span = crate::syntax::span::Span::none();
        finder.visit_initializer(initializer, &span);
        finder.1
    }

    pub(super) fn type_name(&mut self, name: &'a TypeName) -> Result<Type> {
        let base = self.specifier_qualifiers(&name.specifiers)?;
        match &name.declarator {
            Some(declarator) => Ok(self.declarator(base, declarator, Lengths::Evaluated)?.1),
            None => Ok(base),
        }
    }

    /// The name and type that a declarator declares.
    pub(super) fn declarator(
        &mut self,
        mut ty: Type,
        declarator: &'a Node<Declarator>,
        lengths: Lengths,
    ) -> Result<(Option<String>, Type)> {
        // Pointers apply first, in order; arrays and functions from the last to the first.
        for derived in &declarator.node.derived {
            if matches!(derived.node, DerivedDeclarator::Pointer(_)) {
                ty = ty.pointer_to();
            }
        }
        for derived in declarator.node.derived.iter().rev() {
            ty = match &derived.node {
                DerivedDeclarator::Pointer(_) => continue,
                DerivedDeclarator::Array(array) => self.array(ty, &array.node.size, lengths)?,
                DerivedDeclarator::Function(function) => self.function_type(ty, &function.node)?,
                DerivedDeclarator::KRFunction(_) => Type::Function(Arc::new(FunctionType {
                    result: ty,
                    params: Vec::new(),
                    variadic: false,
                    prototype: false,
                    points_to_const: Vec::new(),
                })),
            };
        }
        match &declarator.node.kind.node {
            DeclaratorKind::Abstract => Ok((None, ty)),
            DeclaratorKind::Identifier(name) => Ok((Some(name.node.name.clone()), ty)),
            DeclaratorKind::Declarator(inner) => self.declarator(ty, inner, lengths),
        }
    }

    fn array(&mut self, element: Type, size: &'a ArraySize, lengths: Lengths) -> Result<Type> {
        let element_rc = Arc::new(element);
        match size {
            ArraySize::Unknown | ArraySize::VariableUnknown => Ok(Type::Array(element_rc, None)),
            ArraySize::VariableExpression(length) | ArraySize::StaticExpression(length) => {
                match self.constant(length) {
                    Ok(length) => {
                        let length = u64::try_from(length)
                            .map_err(|_| "an array of negative length".to_string())?;
                        Ok(Type::Array(element_rc, Some(length)))
                    }
                    Err(message) if lengths == Lengths::Constant => Err(message),
                    Err(_) if lengths == Lengths::Open => Ok(Type::Array(element_rc, None)),
                    Err(_) => {
                        let element_size = self.size_of_value(&element_rc)?;
                        let length = self.rvalue(length)?;
                        let width = self.pointer_width();
                        let length = self.resized(&length, width)?;
                        let size = self
                            .program
                            .binary(craig_word::Op::Mul, length, element_size);
                        let reg = self.fresh(width);
                        self.set(reg, size);
                        Ok(Type::Variable(element_rc, reg))
                    }
                }
            }
        }
    }
}

/// An error for an object that the assembler knows by another name: it may be that of another object.
fn require_own_name(name: &str, declarator: &Node<Declarator>) -> Result<()> {
    for extension in &declarator.node.extensions {
        if let Extension::AsmLabel(label) = &extension.node {
            let label = label.node.concat().replace('"', "");
            if label != name {
                return Err(format!(
                    "the assembler name `{label}` of the object `{name}`"
                ));
            }
        }
    }
    Ok(())
}
