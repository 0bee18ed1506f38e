//! Attributes of GNU C and C23, and assembler names.

use super::ast::*;
use super::lexer::TokenKind;
use super::parser::{Parsed, Parser};
use super::span::{Node, Span};

impl Parser<'_> {
    /// Whether attributes start here.
    pub(super) fn is_attribute(&self) -> bool {
        self.is_any(&["__attribute__", "__attribute"]) || self.is("[") && self.is_at(1, "[")
    }

    fn is_asm(&self) -> bool {
        self.is_any(&["asm", "__asm__", "__asm"])
    }

    /// All attributes that stand here, if any.
    pub(super) fn attributes(&mut self) -> Parsed<Vec<Node<Extension>>> {
        let mut found = Vec::new();
        while self.is_attribute() {
            if self.accept("[") {
                self.standard_attributes(&mut found)?;
            } else {
                self.gnu_attributes(&mut found)?;
            }
        }
        Ok(found)
    }

    /// Attributes and assembler names after a declarator.
    pub(super) fn declarator_extensions(&mut self) -> Parsed<Vec<Node<Extension>>> {
        let mut found = self.attributes()?;
        while self.is_asm() {
            let start = self.next().start;
            self.expect("(")?;
            let name = self.string_literal()?;
            self.expect(")")?;
            found.push(self.node(start, Extension::AsmLabel(name)));
            found.extend(self.attributes()?);
        }
        Ok(found)
    }

    /// `__attribute__((..))`.
    fn gnu_attributes(&mut self, found: &mut Vec<Node<Extension>>) -> Parsed<()> {
        self.next();
        self.expect("(")?;
        self.expect("(")?;
        loop {
            while self.accept(",") {}
            if self.accept(")") {
                break;
            }
            let name = self.attribute_name()?;
            found.push(self.attribute(name)?);
            if !self.is_any(&[",", ")"]) {
                return Err(self.expected("`,` or `)` after an attribute"));
            }
        }
        self.expect(")")?;
        Ok(())
    }

    /// What follows the first bracket of `[[..]]`.
    fn standard_attributes(&mut self, found: &mut Vec<Node<Extension>>) -> Parsed<()> {
        self.expect("[")?;
        loop {
            while self.accept(",") {}
            if self.accept("]") {
                break;
            }
            let mut name = self.attribute_name()?;
            if self.is(":") && self.is_at(1, ":") {
                self.next();
                self.next();
                let own = self.attribute_name()?;
                let is_gnu = name.node.trim_matches('_') == "gnu";
                name = if is_gnu {
                    own
                } else {
                    Node::new(format!("{}::{}", name.node, own.node), own.span)
                };
            }
            found.push(self.attribute(name)?);
            if !self.is_any(&[",", "]"]) {
                return Err(self.expected("`,` or `]` after an attribute"));
            }
        }
        self.expect("]")?;
        Ok(())
    }

    /// The name of an attribute, which may be a keyword.
    fn attribute_name(&mut self) -> Parsed<Node<String>> {
        let token = self.peek();
        if token.kind != TokenKind::Word {
            return Err(self.expected("the name of an attribute"));
        }
        self.next();
        let span = Span::new(token.start, token.end);
        Ok(Node::new(token.text.to_string(), span))
    }

    /// An attribute with its arguments. Those that are no expressions (types, versions) are not kept.
    fn attribute(&mut self, name: Node<String>) -> Parsed<Node<Extension>> {
        let start = name.span.start;
        let mut arguments = Vec::new();
        if self.is("(") {
            let position = self.position();
            let depth = self.scopes.depth();
            match self.attribute_arguments() {
                Ok(list) => arguments = list,
                Err(_) => {
                    self.scopes.close_to(depth);
                    self.go_back(position);
                    self.skip_brackets()?;
                }
            }
        }
        let attribute = Extension::Attribute(Attribute { name, arguments });
        Ok(self.node(start, attribute))
    }

    fn attribute_arguments(&mut self) -> Parsed<Vec<Node<Expression>>> {
        self.expect("(")?;
        let arguments = self.expressions_until_parenthesis()?;
        self.expect(")")?;
        Ok(arguments)
    }
}
