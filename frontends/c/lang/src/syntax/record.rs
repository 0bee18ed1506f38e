//! Structures, unions and enumerations (C23 6.7.3.2, 6.7.3.3).

use super::ast::*;
use super::lexer::TokenKind;
use super::parser::{Parsed, Parser, identifier_of};
use super::span::{Node, Span};

impl Parser<'_> {
    pub(super) fn struct_type(&mut self) -> Parsed<TypeSpecifier> {
        let word = self.next();
        let kind = if word.text == "struct" {
            StructKind::Struct
        } else {
            StructKind::Union
        };
        let kind = Node::new(kind, Span::new(word.start, word.end));
        let mut extensions = self.attributes()?;
        let identifier = self.tag()?;
        if identifier.is_none() && !self.is("{") {
            return Err(self.expected("a tag or `{`"));
        }
        let declarations = if self.is("{") {
            let declarations = self.nested(Self::struct_declarations)?;
            extensions.extend(self.attributes()?);
            Some(declarations)
        } else {
            None
        };
        let record = StructType {
            kind,
            identifier,
            declarations,
            extensions,
        };
        Ok(TypeSpecifier::Struct(self.node(word.start, record)))
    }

    /// The tag after `struct`, `union` or `enum`, which may be the name of a type, too.
    fn tag(&mut self) -> Parsed<Option<Node<Identifier>>> {
        if !self.peek().is_identifier() {
            return Ok(None);
        }
        self.identifier().map(Some)
    }

    fn struct_declarations(&mut self) -> Parsed<Vec<Node<StructDeclaration>>> {
        self.expect("{")?;
        let mut declarations = Vec::new();
        while !self.is("}") {
            if self.accept(";") {
                continue;
            }
            let start = self.peek().start;
            let declaration = if self.is_static_assertion() {
                StructDeclaration::StaticAssert(self.static_assertion()?)
            } else {
                StructDeclaration::Field(self.struct_field()?)
            };
            declarations.push(self.node(start, declaration));
        }
        self.expect("}")?;
        Ok(declarations)
    }

    fn struct_field(&mut self) -> Parsed<Node<StructField>> {
        let start = self.peek().start;
        let specifiers = self.specifier_qualifiers()?;
        let mut declarators = Vec::new();
        if !self.is_any(&[";", "}"]) {
            loop {
                declarators.push(self.struct_declarator()?);
                if !self.accept(",") {
                    break;
                }
            }
        }
        let field = StructField {
            specifiers,
            declarators,
        };
        let field = self.node(start, field);
        // GNU C accepts a last member without a semicolon.
        if !self.accept(";") && !self.is("}") {
            return Err(self.expected("`;` after a member"));
        }
        Ok(field)
    }

    fn struct_declarator(&mut self) -> Parsed<Node<StructDeclarator>> {
        let start = self.peek().start;
        let declarator = if self.is(":") {
            None
        } else {
            Some(self.declarator()?)
        };
        let bit_width = if self.accept(":") {
            Some(Box::new(self.conditional_expression()?))
        } else {
            None
        };
        let extensions = self.attributes()?;
        let declarator = StructDeclarator {
            declarator,
            bit_width,
            extensions,
        };
        Ok(self.node(start, declarator))
    }

    pub(super) fn enum_type(&mut self) -> Parsed<TypeSpecifier> {
        let start = self.next().start;
        let mut extensions = self.attributes()?;
        let identifier = self.tag()?;
        let underlying = if self.is(":") && self.is_type_name_at(1) {
            self.is_new = true;
            self.next();
            let start = self.peek().start;
            let specifiers = self.specifier_qualifiers()?;
            let declarator = None;
            let name = TypeName {
                specifiers,
                declarator,
            };
            Some(self.node(start, name))
        } else {
            None
        };
        if identifier.is_none() && !self.is("{") {
            return Err(self.expected("a tag or `{`"));
        }
        let enumerators = if self.is("{") {
            let enumerators = self.enumerators()?;
            extensions.extend(self.attributes()?);
            Some(enumerators)
        } else {
            None
        };
        let enumeration = EnumType {
            identifier,
            underlying,
            enumerators,
            extensions,
        };
        Ok(TypeSpecifier::Enum(self.node(start, enumeration)))
    }

    fn enumerators(&mut self) -> Parsed<Vec<Node<Enumerator>>> {
        self.expect("{")?;
        let mut enumerators = Vec::new();
        loop {
            let token = self.peek();
            if token.kind != TokenKind::Word || !token.is_identifier() {
                return Err(self.expected("an enumerator"));
            }
            self.next();
            let identifier = identifier_of(token);
            let extensions = self.attributes()?;
            let expression = if self.accept("=") {
                Some(Box::new(self.conditional_expression()?))
            } else {
                None
            };
            self.scopes.declare(token.text, false);
            let enumerator = Enumerator {
                identifier,
                expression,
                extensions,
            };
            enumerators.push(self.node(token.start, enumerator));
            if !self.accept(",") || self.is("}") {
                break;
            }
        }
        self.expect("}")?;
        Ok(enumerators)
    }
}
