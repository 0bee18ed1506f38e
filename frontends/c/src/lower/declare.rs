//! Declarations: types from specifiers and declarators, and the objects that they bring about.

use std::collections::HashSet;
use std::sync::Arc;

use lang_c::ast::*;
use lang_c::span::Node;
use lang_c::visit::{self, Visit};

use crate::ir::{Choice, FunctionId, Instr, Storage, Terminator};
use crate::types::{FunctionType, IntType, Type};

use super::label_value::labels_taken;
use super::specifier::{Lengths, Specified};
use super::{Lowering, Result, Symbol};

/// A function's name, its type, and its parameters.
type Head<'a> = (String, Arc<FunctionType>, Vec<Parameter<'a>>);

/// A parameter of a function definition.
pub(super) struct Parameter<'a> {
    name: Option<String>,
    ty: Type,
    /// The declaration, but for those in the old style.
    declaration: Option<&'a ParameterDeclaration>,
}

/// The names whose address something takes.
struct AddressTaken(HashSet<String>);

impl<'ast> Visit<'ast> for AddressTaken {
    fn visit_unary_operator_expression(
        &mut self,
        expression: &'ast UnaryOperatorExpression,
        span: &'ast lang_c::span::Span,
    ) {
        if expression.operator.node == UnaryOperator::Address {
            let mut inner = &expression.operand.node;
            while let Expression::Member(member) = inner {
                inner = &member.node.expression.node;
            }
            if let Expression::Identifier(name) = inner {
                self.0.insert(name.node.name.clone());
            }
        }
        visit::visit_unary_operator_expression(self, expression, span);
    }
}

pub(super) fn address_taken(statement: &Node<Statement>) -> HashSet<String> {
    let mut visitor = AddressTaken(HashSet::new());
    visitor.visit_statement(&statement.node, &statement.span);
    visitor.0
}

impl<'a> Lowering<'a> {
    /// A declaration at file scope or in a block.
    pub(super) fn declaration(
        &mut self,
        declaration: &'a Node<Declaration>,
        file_scope: bool,
    ) -> Result<()> {
        let specified = self.specifiers(&declaration.node.specifiers)?;
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
                match self.with_alignment(&ty, &declaration.node.specifiers, inner)? {
                    Some(aligned) => {
                        self.misaligned.remove(&name);
                        ty = aligned;
                    }
                    None => drop(self.misaligned.insert(name.clone())),
                }
                self.note_volatile_type(&name, &declaration.node.specifiers, inner);
                self.bind(&name, Symbol::Typedef(ty));
                continue;
            }
            self.function_attributes(&name, &declaration.node.specifiers, inner);
            if let Type::Function(function) = &ty {
                let id = self.function_id(&name);
                self.declare_function(&name, function)?;
                // A definition's own type is the better one.
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
            if file_scope {
                self.file_scope_variable(&name, &ty, &specified, initializer)?;
            } else {
                self.local_variable(&name, &ty, &specified, initializer)?;
            }
            self.note_volatile(&name, &declaration.node.specifiers, inner);
            if is_constant && let Some(Symbol::Static(id, _)) = self.lookup(&name) {
                self.program.statics[id as usize].is_constant = true;
            }
        }
        Ok(())
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
                // A later declaration may complete an array's type or define what was declared.
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
            // The array is a new object; the register with its address is what the name stands for.
            let width = self.pointer_width();
            let reg = self.fresh(width);
            let element = self.shape(element).ok();
            let size = self.read(*size);
            self.emit(Instr::Allocate {
                reg,
                size,
                element,
                zeroed: false,
                storage: Storage::Frame,
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
                    if self.mentions(name, &initializer.node) {
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
        let slot = self.scoped_slot(name, ty)?;
        self.bind(name, Symbol::Slot(slot, ty.clone()));
        self.emit(Instr::Declare { slot });
        if let Some(initializer) = initializer {
            let address = self.slot_address(slot);
            if matches!(initializer.node, Initializer::List(_)) {
                self.zero(address, ty)?;
            }
            self.initialise(address, ty, &initializer.node)?;
        }
        Ok(())
    }

    fn mentions(&self, name: &str, initializer: &Initializer) -> bool {
        struct Finder<'n>(&'n str, bool);
        impl<'ast> Visit<'ast> for Finder<'_> {
            fn visit_identifier(
                &mut self,
                identifier: &'ast Identifier,
                _: &'ast lang_c::span::Span,
            ) {
                self.1 |= identifier.name == self.0;
            }
        }
        let mut finder = Finder(name, false);
        let span = lang_c::span::Span::none();
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
                DerivedDeclarator::Block(_) => return Err("a block pointer".into()),
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

    /// Whether a parameter is declared as an array whose length is not constant.
    fn has_variable_length(&mut self, declaration: &'a ParameterDeclaration) -> bool {
        let mut declarator = declaration.declarator.as_ref();
        while let Some(current) = declarator {
            for derived in &current.node.derived {
                if let DerivedDeclarator::Array(array) = &derived.node
                    && let ArraySize::VariableExpression(length)
                    | ArraySize::StaticExpression(length) = &array.node.size
                    && self.constant(length).is_err()
                {
                    return true;
                }
            }
            declarator = match &current.node.kind.node {
                DeclaratorKind::Declarator(inner) => Some(inner),
                _ => None,
            };
        }
        false
    }

    fn function_type(&mut self, result: Type, function: &'a FunctionDeclarator) -> Result<Type> {
        let (mut params, mut points_to_const) = (Vec::new(), Vec::new());
        self.open_scope();
        for param in &function.parameters {
            match self.parameter(&param.node, Lengths::Open) {
                Ok((_, Type::Void)) => {}
                Ok((_, ty)) => {
                    params.push(ty);
                    points_to_const.push(is_pointer_to_const(&param.node));
                }
                Err(message) => {
                    self.scopes.pop();
                    return Err(message);
                }
            }
        }
        self.scopes.pop();
        Ok(Type::Function(Arc::new(FunctionType {
            result,
            variadic: function.ellipsis == Ellipsis::Some,
            prototype: !function.parameters.is_empty(),
            params,
            points_to_const,
        })))
    }

    /// A parameter's name and adjusted type (C11 6.7.6.3).
    fn parameter(
        &mut self,
        param: &'a ParameterDeclaration,
        lengths: Lengths,
    ) -> Result<(Option<String>, Type)> {
        let base = self.specifiers(&param.specifiers)?.ty.unwrap_or(Type::INT);
        let (name, ty) = match &param.declarator {
            Some(declarator) => {
                let (name, ty) = self.declarator(base, declarator, lengths)?;
                let ty = self.with_mode(ty, &declarator.node.extensions)?;
                (name, ty)
            }
            None => (None, base),
        };
        let ty = self.with_mode(ty, &param.extensions)?;
        Ok((name, adjusted(ty)))
    }

    /// Name, type and parameters of a function definition.
    pub(super) fn definition_head(
        &mut self,
        definition: &'a Node<FunctionDefinition>,
    ) -> Result<Head<'a>> {
        let definition = &definition.node;
        let base = self
            .specifiers(&definition.specifiers)?
            .ty
            .unwrap_or(Type::INT);
        let (name, ty) = self.declarator(base, &definition.declarator, Lengths::Constant)?;
        let (Some(name), Type::Function(ty)) = (name, ty) else {
            return Err("a function definition without a function's declarator".into());
        };
        // The innermost declarator that derives anything holds the parameters; parentheses around the name
        // alone derive nothing.
        let mut declarator = &definition.declarator;
        let mut around = declarator;
        while let DeclaratorKind::Declarator(inner) = &around.node.kind.node {
            around = inner;
            if !around.node.derived.is_empty() {
                declarator = around;
            }
        }
        let mut params = Vec::new();
        let mut old_style = false;
        for derived in &declarator.node.derived {
            match &derived.node {
                DerivedDeclarator::Function(function) => {
                    for param in &function.node.parameters {
                        let (name, ty) = self.parameter(&param.node, Lengths::Open)?;
                        if !ty.is_void() {
                            let declaration = Some(&param.node);
                            params.push(Parameter {
                                name,
                                ty,
                                declaration,
                            });
                        }
                    }
                    break;
                }
                DerivedDeclarator::KRFunction(names) => {
                    old_style = true;
                    for name in names {
                        params.push(Parameter {
                            name: Some(name.node.name.clone()),
                            ty: Type::INT,
                            declaration: None,
                        });
                    }
                    break;
                }
                _ => {}
            }
        }
        for declaration in &definition.declarations {
            let base = self
                .specifiers(&declaration.node.specifiers)?
                .ty
                .unwrap_or(Type::INT);
            for declarator in &declaration.node.declarators {
                let declarator = &declarator.node.declarator;
                let (name, ty) = self.declarator(base.clone(), declarator, Lengths::Open)?;
                if let Some(param) = params.iter_mut().find(|param| param.name == name) {
                    param.ty = adjusted(ty);
                }
            }
        }
        let ty = FunctionType {
            result: ty.result.clone(),
            params: params.iter().map(|param| param.ty.clone()).collect(),
            variadic: ty.variadic,
            prototype: !old_style && ty.prototype,
            points_to_const: ty.points_to_const.clone(),
        };
        Ok((name, Arc::new(ty), params))
    }

    /// Lowers a function's body into the current builder.
    pub(super) fn body(&mut self, definition: &'a Node<FunctionDefinition>) -> Result<()> {
        let (_, ty, params) = self.definition_head(definition)?;
        // Lengths that turned out not to be constant have left registers behind; the parameters are the
        // first.
        self.builder.function.regs.clear();
        self.builder.address_taken = address_taken(&definition.node.statement);
        self.builder.labels_taken = labels_taken(&definition.node.statement);
        self.builder.result = ty.result.clone();
        self.open_scope();
        let width = self.pointer_width();
        if matches!(ty.result, Type::Record(_)) {
            self.builder.result_address = Some(self.fresh(width));
        } else {
            self.builder.function.result_width = self.scalar_width(&ty.result);
        }
        // All parameters come in registers; a record's is the address of the caller's copy.
        let mut incoming = Vec::new();
        for Parameter { name, ty, .. } in &params {
            let own_width = match ty {
                Type::Record(_) => width,
                ty => self.scalar_width(ty).ok_or("a parameter of this type")?,
            };
            incoming.push(self.named(own_width, name.clone(), Some(ty.clone())));
        }
        if ty.variadic {
            self.builder.rest_address = Some(self.fresh(width));
        }
        self.builder.function.n_params = self.builder.function.regs.len();
        for (param, reg) in params.into_iter().zip(incoming) {
            let ty = match param.declaration {
                // The lengths depend on parameters before this one, which have values now; also that of the
                // outermost array is evaluated, for its side effects (C11 6.9.1p10).
                Some(declaration)
                    if has_open_rows(&param.ty) || self.has_variable_length(declaration) =>
                {
                    self.parameter(declaration, Lengths::Evaluated)?.1
                }
                _ => param.ty,
            };
            let Some(name) = param.name else { continue };
            if matches!(ty, Type::Record(_)) || self.builder.address_taken.contains(&name) {
                let slot = self.named_slot(&name, &ty)?;
                self.emit(Instr::Declare { slot });
                let address = self.slot_address(slot);
                let value = self.read(reg);
                if matches!(ty, Type::Record(_)) {
                    self.copy(address, value, &ty)?;
                } else {
                    let bytes = self.program.width(value) / 8;
                    self.emit(Instr::Store {
                        address,
                        value,
                        bytes,
                    });
                }
                self.bind(&name, Symbol::Slot(slot, ty));
            } else {
                self.bind(&name, Symbol::Register(reg, ty));
            }
            if let Some(declaration) = param.declaration
                && let Some(declarator) = &declaration.declarator
            {
                self.note_volatile(&name, &declaration.specifiers, declarator);
            }
        }
        // Direct calls of a mark end before they get here; a call through a pointer does not.
        if self.is_own_code() && self.options.is_marked(&self.lowered_function) {
            let text = format!("`{}` is called", self.lowered_function);
            self.locate(definition.span.start);
            self.terminate(Terminator::Error(text));
        }
        self.statement(&definition.node.statement)?;
        // Falling off the end: the caller may not use the value, and `main` returns 0.
        self.return_from_end();
        Ok(())
    }

    /// The function that a name stands for, with its type, where it is declared.
    pub(super) fn function_symbol(&self, name: &str) -> Option<(FunctionId, Arc<FunctionType>)> {
        match self.lookup(name) {
            Some(Symbol::Function(id, ty)) => Some((id, ty)),
            _ => None,
        }
    }
}

/// Whether a parameter points to arrays whose length is not known yet.
fn has_open_rows(ty: &Type) -> bool {
    match ty {
        Type::Pointer(to) | Type::Array(to, Some(_)) => has_open_rows(to),
        Type::Array(_, None) => true,
        _ => false,
    }
}

/// Whether a parameter is declared as a pointer to what is `const`, or an array of that.
fn is_pointer_to_const(param: &ParameterDeclaration) -> bool {
    let Some(declarator) = &param.declarator else {
        return false;
    };
    let is_plain = !matches!(declarator.node.kind.node, DeclaratorKind::Declarator(_));
    let n_pointers = (declarator.node.derived.iter())
        .filter(|derived| matches!(derived.node, DerivedDeclarator::Pointer(_)))
        .count();
    let n_others = declarator.node.derived.len() - n_pointers;
    is_const(&param.specifiers) && is_plain && matches!((n_pointers, n_others), (1, 0) | (0, 1..))
}

/// Whether `const` is among the specifiers of a declaration.
fn is_const(specifiers: &[Node<DeclarationSpecifier>]) -> bool {
    specifiers.iter().any(|specifier| {
        matches!(&specifier.node, DeclarationSpecifier::TypeQualifier(qualifier)
            if qualifier.node == TypeQualifier::Const)
    })
}

/// Arrays and functions as parameters are pointers.
fn adjusted(ty: Type) -> Type {
    match ty {
        Type::Array(element, _) | Type::Variable(element, _) => Type::Pointer(element),
        Type::Function(_) => ty.pointer_to(),
        _ => ty,
    }
}
