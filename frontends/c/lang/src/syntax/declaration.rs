//! Declarations, at file scope and in blocks, and definitions of functions (C23 6.7, 6.9).

use super::ast::*;
use super::declarator::{declared_function, declared_name};
use super::parser::{Parsed, Parser};
use super::span::{Node, Span};
use super::specifier::Specifiers;

impl Parser<'_> {
    pub(super) fn external_declaration(&mut self) -> Parsed<Node<ExternalDeclaration>> {
        let start = self.peek().start;
        while self.is("__extension__") {
            self.next();
        }
        if self.is_static_assertion() {
            let assertion = self.static_assertion()?;
            return Ok(self.node(start, ExternalDeclaration::StaticAssert(assertion)));
        }
        if self.is_any(&["asm", "__asm__", "__asm"]) {
            return Err(self.refused("assembly outside of functions"));
        }
        let specifiers = self.specifiers()?;
        if specifiers.list.is_empty() && !self.is_implicit_int() {
            return Err(self.expected("a declaration"));
        }
        if self.is(";") {
            let declaration = self.declaration_without_names(start, specifiers)?;
            return Ok(self.node(start, ExternalDeclaration::Declaration(declaration)));
        }
        let mut declarator = self.declarator()?;
        self.declare_name(&declarator, specifiers.is_typedef);
        let contract = self.contract_of(&mut declarator)?;
        if let Some(function) = declared_function(&declarator)
            && !specifiers.is_typedef
        {
            let is_old = matches!(function, DerivedDeclarator::KRFunction(_));
            if self.is("{") || is_old && self.is_declaration() {
                let definition =
                    self.function_definition(start, specifiers, declarator, contract)?;
                let definition = ExternalDeclaration::FunctionDefinition(Box::new(definition));
                return Ok(self.node(start, definition));
            }
        }
        let declaration = self.init_declarators(start, specifiers, declarator, contract)?;
        Ok(self.node(start, ExternalDeclaration::Declaration(declaration)))
    }

    /// Whether a name stands here that GNU C takes for that of an `int`, or of a function that returns one.
    fn is_implicit_int(&self) -> bool {
        let follows = self.peek_at(1);
        self.peek().is_identifier()
            && ["(", ";", "=", ",", "["]
                .iter()
                .any(|text| follows.is(text))
    }

    /// A function's definition, after its declarator and contract.
    fn function_definition(
        &mut self,
        start: usize,
        specifiers: Specifiers,
        declarator: Node<Declarator>,
        contract: Contract,
    ) -> Parsed<Node<FunctionDefinition>> {
        self.scopes.open();
        self.declare_parameters(&declarator);
        let mut declarations = Vec::new();
        while !self.is("{") {
            if !self.is_declaration() {
                return Err(self.expected("`{` or the declaration of a parameter"));
            }
            declarations.push(self.declaration()?);
        }
        let statement = self.nested(Self::compound_statement)?;
        self.scopes.close();
        let definition = FunctionDefinition {
            specifiers: specifiers.list,
            declarator,
            contract,
            declarations,
            statement,
        };
        Ok(self.node(start, definition))
    }

    /// Declares the names of a function's parameters, which hide types in its body.
    fn declare_parameters(&mut self, declarator: &Node<Declarator>) {
        let names: Vec<Span> = match declared_function(declarator) {
            Some(DerivedDeclarator::Function(function)) => {
                let declarators = function.node.parameters.iter();
                let declarators = declarators.filter_map(|it| it.node.declarator.as_ref());
                declarators
                    .filter_map(declared_name)
                    .map(|it| it.span)
                    .collect()
            }
            Some(DerivedDeclarator::KRFunction(names)) => names.iter().map(|it| it.span).collect(),
            _ => Vec::new(),
        };
        for span in names {
            if let Some(name) = self.text_of(span) {
                self.scopes.declare(name, false);
            }
        }
    }

    /// A declaration in a block, with its semicolon.
    pub(super) fn declaration(&mut self) -> Parsed<Node<Declaration>> {
        let start = self.peek().start;
        let specifiers = self.specifiers()?;
        if self.is(";") {
            return self.declaration_without_names(start, specifiers);
        }
        let mut declarator = self.declarator()?;
        self.declare_name(&declarator, specifiers.is_typedef);
        let contract = self.contract_of(&mut declarator)?;
        if self.is("{") && declared_function(&declarator).is_some() {
            let name = declared_name(&declarator).map_or("", |name| &name.node.name);
            return Err(self.refused(&format!("the nested function `{name}`")));
        }
        self.init_declarators(start, specifiers, declarator, contract)
    }

    /// The contract of a declared function, and attributes after it.
    fn contract_of(&mut self, declarator: &mut Node<Declarator>) -> Parsed<Contract> {
        let contract = self.contract()?;
        if !contract.is_empty() {
            let extensions = self.declarator_extensions()?;
            declarator.node.extensions.extend(extensions);
        }
        Ok(contract)
    }

    fn declaration_without_names(
        &mut self,
        start: usize,
        specifiers: Specifiers,
    ) -> Parsed<Node<Declaration>> {
        self.expect(";")?;
        let declaration = Declaration {
            specifiers: specifiers.list,
            declarators: Vec::new(),
        };
        Ok(self.node(start, declaration))
    }

    /// What follows the first declarator of a declaration, up to the semicolon.
    fn init_declarators(
        &mut self,
        start: usize,
        mut specifiers: Specifiers,
        first: Node<Declarator>,
        contract: Contract,
    ) -> Parsed<Node<Declaration>> {
        if specifiers.is_auto && !specifiers.has_type && self.is("=") {
            self.is_new = true;
            let inferred = self.node(start, TypeSpecifier::Inferred);
            let inferred = DeclarationSpecifier::TypeSpecifier(inferred);
            specifiers.list.push(self.node(start, inferred));
        }
        let mut declarators = vec![self.initialised(first, contract)?];
        while self.accept(",") {
            let mut declarator = self.declarator()?;
            self.declare_name(&declarator, specifiers.is_typedef);
            let contract = self.contract_of(&mut declarator)?;
            declarators.push(self.initialised(declarator, contract)?);
        }
        if !self.is(";") {
            return Err(self.expected("`,`, `=` or `;` after a declarator"));
        }
        self.next();
        let declaration = Declaration {
            specifiers: specifiers.list,
            declarators,
        };
        Ok(self.node(start, declaration))
    }

    /// A declarator with its initialiser, if there is one.
    fn initialised(
        &mut self,
        declarator: Node<Declarator>,
        contract: Contract,
    ) -> Parsed<Node<InitDeclarator>> {
        let start = declarator.span.start;
        let initializer = if self.accept("=") {
            Some(self.initializer()?)
        } else {
            None
        };
        let declarator = InitDeclarator {
            declarator,
            contract,
            initializer,
        };
        Ok(self.node(start, declarator))
    }

    pub(super) fn is_static_assertion(&self) -> bool {
        let token = self.peek();
        token.is("_Static_assert")
            || self.is_new_keyword(token, "static_assert") && self.is_at(1, "(")
    }

    pub(super) fn static_assertion(&mut self) -> Parsed<Node<StaticAssert>> {
        self.is_new |= self.is("static_assert");
        let start = self.next().start;
        self.expect("(")?;
        let expression = Box::new(self.conditional_expression()?);
        let message = if self.accept(",") {
            Some(self.string_literal()?)
        } else {
            self.is_new = true;
            None
        };
        self.expect(")")?;
        self.expect(";")?;
        let assertion = StaticAssert {
            expression,
            message,
        };
        Ok(self.node(start, assertion))
    }
}
