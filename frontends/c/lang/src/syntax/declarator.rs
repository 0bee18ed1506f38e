//! Declarators and parameters (C23 6.7.7, 6.7.8).

use super::ast::*;
use super::parser::{Parsed, Parser, identifier_of};
use super::span::{Node, Span};
use super::specifier::type_qualifier;

/// Whether a declarator declares a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Naming {
    Named,
    Abstract,
    /// That of a parameter may.
    Either,
}

impl Parser<'_> {
    /// A declarator of a name.
    pub(super) fn declarator(&mut self) -> Parsed<Node<Declarator>> {
        self.any_declarator(Naming::Named)
    }

    /// A declarator without a name.
    pub(super) fn abstract_declarator(&mut self) -> Parsed<Node<Declarator>> {
        self.any_declarator(Naming::Abstract)
    }

    fn any_declarator(&mut self, naming: Naming) -> Parsed<Node<Declarator>> {
        self.nested(|parser| parser.flat_declarator(naming))
    }

    fn flat_declarator(&mut self, naming: Naming) -> Parsed<Node<Declarator>> {
        let start = self.peek().start;
        let mut extensions = self.attributes()?;
        let mut derived = Vec::new();
        while self.is("*") {
            derived.push(self.pointer()?);
        }
        extensions.extend(self.attributes()?);
        let kind = self.declarator_kind(naming)?;
        loop {
            if self.is("[") && !self.is_at(1, "[") {
                derived.push(self.array_declarator()?);
            } else if self.is("(") {
                derived.push(self.function_declarator()?);
            } else if self.is("[") && !derived.is_empty() {
                extensions.extend(self.attributes()?);
            } else {
                break;
            }
        }
        if naming != Naming::Abstract {
            extensions.extend(self.declarator_extensions()?);
        }
        let declarator = Declarator {
            kind,
            derived,
            extensions,
        };
        Ok(self.node(start, declarator))
    }

    fn pointer(&mut self) -> Parsed<Node<DerivedDeclarator>> {
        let start = self.next().start;
        let mut qualifiers = Vec::new();
        loop {
            let token = self.peek();
            if self.is_attribute() {
                let list = self.attributes()?;
                qualifiers.push(self.node(token.start, PointerQualifier::Extension(list)));
            } else if let Some(qualifier) = type_qualifier(token.text) {
                self.next();
                let qualifier = Node::new(qualifier, Span::new(token.start, token.end));
                qualifiers.push(self.node(token.start, PointerQualifier::TypeQualifier(qualifier)));
            } else {
                break;
            }
        }
        Ok(self.node(start, DerivedDeclarator::Pointer(qualifiers)))
    }

    /// The name, or the declarator in parentheses, or nothing.
    fn declarator_kind(&mut self, naming: Naming) -> Parsed<Node<DeclaratorKind>> {
        let token = self.peek();
        if token.is_identifier() && naming != Naming::Abstract {
            self.next();
            let name = identifier_of(token);
            return Ok(self.node(token.start, DeclaratorKind::Identifier(name)));
        }
        if token.is("(") && (naming == Naming::Named || self.is_declarator_in_parentheses(naming)) {
            self.next();
            let inner = Box::new(self.any_declarator(naming)?);
            self.expect(")")?;
            return Ok(self.node(token.start, DeclaratorKind::Declarator(inner)));
        }
        if naming == Naming::Named {
            return Err(self.expected("a name or a declarator"));
        }
        let nothing = Span::new(token.start, token.start);
        Ok(Node::new(DeclaratorKind::Abstract, nothing))
    }

    /// Whether a parenthesis opens a declarator, not the parameters of a function without a name.
    fn is_declarator_in_parentheses(&self, naming: Naming) -> bool {
        let inner = self.peek_at(1);
        if inner.is("__attribute__") || inner.is("__attribute") {
            return true;
        }
        let is_name =
            naming == Naming::Either && inner.is_identifier() && !self.scopes.is_type(inner.text);
        is_name || inner.is("*") || inner.is("(") || inner.is("[")
    }

    fn array_declarator(&mut self) -> Parsed<Node<DerivedDeclarator>> {
        let start = self.next().start;
        let mut qualifiers = Vec::new();
        let mut is_static = false;
        loop {
            let token = self.peek();
            if self.accept("static") {
                is_static = true;
            } else if let Some(qualifier) = type_qualifier(token.text) {
                self.next();
                qualifiers.push(self.node(token.start, qualifier));
            } else {
                break;
            }
        }
        let size = if self.is("]") {
            ArraySize::Unknown
        } else if self.is("*") && self.is_at(1, "]") {
            self.next();
            ArraySize::VariableUnknown
        } else {
            let length = Box::new(self.assignment_expression()?);
            if is_static {
                ArraySize::StaticExpression(length)
            } else {
                ArraySize::VariableExpression(length)
            }
        };
        self.expect("]")?;
        let array = self.node(start, ArrayDeclarator { qualifiers, size });
        Ok(self.node(start, DerivedDeclarator::Array(array)))
    }

    fn function_declarator(&mut self) -> Parsed<Node<DerivedDeclarator>> {
        let start = self.next().start;
        let is_parameter = self.is_parameter();
        if self.is("...") {
            return Err(self.refused("a function whose only parameter is `...`"));
        }
        let derived = if is_parameter {
            self.scopes.open();
            let function = self.parameters(start);
            self.scopes.close();
            DerivedDeclarator::Function(function?)
        } else {
            DerivedDeclarator::KRFunction(self.identifiers()?)
        };
        self.expect(")")?;
        Ok(self.node(start, derived))
    }

    fn is_parameter(&self) -> bool {
        self.is_attribute() || self.is_declaration()
    }

    /// The names of parameters whose types are declared later.
    fn identifiers(&mut self) -> Parsed<Vec<Node<Identifier>>> {
        let mut names = Vec::new();
        if self.is(")") {
            return Ok(names);
        }
        loop {
            if !self.peek().is_identifier() {
                return Err(self.expected("a parameter"));
            }
            names.push(self.identifier()?);
            if !self.is_any(&[",", ")"]) {
                self.go_back(self.position() - 1);
                return Err(self.expected("a parameter"));
            }
            if !self.accept(",") {
                return Ok(names);
            }
        }
    }

    fn parameters(&mut self, start: usize) -> Parsed<Node<FunctionDeclarator>> {
        let mut parameters = Vec::new();
        let mut ellipsis = Ellipsis::None;
        loop {
            if self.accept("...") {
                ellipsis = Ellipsis::Some;
                break;
            }
            parameters.push(self.parameter()?);
            if self.is(";") {
                return Err(self.refused("a parameter that is declared before the others"));
            }
            if !self.accept(",") {
                break;
            }
        }
        let function = FunctionDeclarator {
            parameters,
            ellipsis,
        };
        Ok(self.node(start, function))
    }

    fn parameter(&mut self) -> Parsed<Node<ParameterDeclaration>> {
        let start = self.peek().start;
        if !self.is_parameter() {
            return Err(self.expected("a parameter"));
        }
        let specifiers = self.specifiers()?.list;
        let declarator = if self.is_any(&[",", ")", ";"]) {
            None
        } else {
            let declarator = self.any_declarator(Naming::Either)?;
            self.declare_name(&declarator, false);
            Some(declarator)
        };
        let extensions = self.attributes()?;
        let parameter = ParameterDeclaration {
            specifiers,
            declarator,
            extensions,
        };
        Ok(self.node(start, parameter))
    }

    /// Declares the name of a declarator.
    pub(super) fn declare_name(&mut self, declarator: &Node<Declarator>, is_type: bool) {
        if let Some(name) = declared_name(declarator)
            && let Some(text) = self.text_of(name.span)
        {
            self.scopes.declare(text, is_type);
        }
    }
}

/// The name that a declarator declares.
pub(super) fn declared_name(declarator: &Node<Declarator>) -> Option<&Node<Identifier>> {
    let mut declarator = declarator;
    loop {
        match &declarator.node.kind.node {
            DeclaratorKind::Abstract => return None,
            DeclaratorKind::Identifier(name) => return Some(name),
            DeclaratorKind::Declarator(inner) => declarator = inner,
        }
    }
}

/// The parameters of a declarator, if what it declares is a function.
pub(super) fn declared_function(declarator: &Node<Declarator>) -> Option<&DerivedDeclarator> {
    let mut declarators = vec![declarator];
    while let Some(DeclaratorKind::Declarator(inner)) =
        declarators.last().map(|last| &last.node.kind.node)
    {
        declarators.push(inner);
    }
    // What is next to the name comes first: brackets and parentheses, then pointers, then what is around them.
    for declarator in declarators.into_iter().rev() {
        let mut derived = declarator.node.derived.iter().map(|derived| &derived.node);
        let suffix = (derived.clone()).find(|it| !matches!(it, DerivedDeclarator::Pointer(_)));
        match suffix {
            Some(DerivedDeclarator::Array(_)) => return None,
            Some(function) => return Some(function),
            None if derived.next().is_some() => return None,
            None => {}
        }
    }
    None
}
