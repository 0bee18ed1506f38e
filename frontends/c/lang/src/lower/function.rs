//! Functions: their types, the heads of definitions, and bodies (C11 6.7.6.3, 6.9.1).

use std::collections::HashSet;
use std::sync::Arc;

use crate::ir::{FunctionId, Instr, Terminator};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::syntax::visit::{self, Visit};
use crate::types::{FunctionType, Type};

use super::cleaned::cleaned_variables;
use super::cleanup::has_computed_jumps;
use super::label_value::labels_taken;
use super::specifier::{Lengths, is_const};
use super::{Lowering, Place, Result, Symbol};

/// A function's name, its type, and its parameters.
type Head<'a> = (String, Arc<FunctionType>, Vec<Parameter<'a>>);

/// A parameter of a function definition.
pub(super) struct Parameter<'a> {
    name: Option<String>,
    ty: Type,
    /// The declaration, except for old-style parameters.
    declaration: Option<&'a ParameterDeclaration>,
}

/// The names whose address is taken.
struct AddressTaken(HashSet<String>);

impl<'ast> Visit<'ast> for AddressTaken {
    fn visit_declaration(
        &mut self,
        declaration: &'ast Declaration,
        span: &'ast crate::syntax::span::Span,
    ) {
        let cleaned = cleaned_variables(declaration).into_iter();
        self.0.extend(cleaned.map(|it| it.0.to_string()));
        visit::visit_declaration(self, declaration, span);
    }

    fn visit_unary_operator_expression(
        &mut self,
        expression: &'ast UnaryOperatorExpression,
        span: &'ast crate::syntax::span::Span,
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

pub(super) fn address_taken(definition: &FunctionDefinition) -> HashSet<String> {
    let mut visitor = AddressTaken(HashSet::new());
    for clause in &definition.contract {
        visitor.visit_clause(&clause.node, &clause.span);
    }
    let statement = &definition.statement;
    visitor.visit_statement(&statement.node, &statement.span);
    visitor.0
}

impl Parameter<'_> {
    pub(super) fn name_and_type(&self) -> (Option<&str>, &Type) {
        (self.name.as_deref(), &self.ty)
    }
}

impl<'a> Lowering<'a> {
    /// Whether a parameter is declared as an array whose length is not constant.
    pub(super) fn has_variable_length(&mut self, declaration: &'a ParameterDeclaration) -> bool {
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

    pub(super) fn function_type(
        &mut self,
        result: Type,
        function: &'a FunctionDeclarator,
    ) -> Result<Type> {
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
    pub(super) fn parameter(
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
        // The innermost declarator that derives a type contains the parameters; parentheses around the name
        // alone derive none.
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
        // Array lengths that are not constant have created registers; parameters must be the first.
        self.builder.function.regs.clear();
        self.builder.address_taken = address_taken(&definition.node);
        self.builder.has_computed_jumps = has_computed_jumps(&definition.node.statement);
        self.builder.labels_taken = labels_taken(&definition.node.statement);
        self.builder.result = ty.result.clone();
        self.open_scope();
        let width = self.pointer_width();
        if matches!(ty.result, Type::Record(_)) {
            self.builder.result_address = Some(self.fresh(width));
        } else {
            self.builder.function.result_width = self.scalar_width(&ty.result);
        }
        // All parameters are passed in registers; a record's is the address of the caller's copy.
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
                // The lengths depend on earlier parameters, which have values now; the length of the
                // outermost array is evaluated for its side effects, too (C11 6.9.1p10).
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
                } else if matches!(ty, Type::Int(int) if int.is_bit_precise) {
                    self.store(Place::Memory(address), &ty, value)?;
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
                self.note_qualifiers(&name, &declaration.specifiers, declarator);
                self.note_array_parameter(&name, declarator);
            }
        }
        // Direct calls of a mark end before this point; a call through a pointer does not.
        if self.is_own_code() && self.options.is_marked(&self.lowered_function) {
            let text = format!("`{}` is called", self.lowered_function);
            self.locate(definition.span.start);
            self.terminate(Terminator::Error(text));
        }
        self.function_contract(&definition.node.contract);
        self.statement(&definition.node.statement)?;
        // Control reaches the end: the caller may not use the value, and `main` returns 0.
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

/// Whether a parameter is declared as a pointer to, or an array of, `const` objects.
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

/// Array and function parameters are adjusted to pointers.
fn adjusted(ty: Type) -> Type {
    match ty {
        Type::Array(element, _) | Type::Variable(element, _) => Type::Pointer(element),
        Type::Function(_) => ty.pointer_to(),
        _ => ty,
    }
}
