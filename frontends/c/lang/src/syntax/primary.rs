//! Primary and postfix expressions (C23 6.5.2, 6.5.3), and built-in functions whose arguments are types.

use super::ast::*;
use super::constant::number;
use super::expression::binary;
use super::lexer::{TokenKind, without_universal_names};
use super::parser::{Parsed, Parser, identifier_of};
use super::span::{Node, Span};

/// GNU's functions that take types and are not supported.
const TAKE_TYPES: [&str; 3] = [
    "__builtin_convertvector",
    "__builtin_has_attribute",
    "__builtin_bit_cast",
];

impl Parser<'_> {
    pub(super) fn primary_expression(&mut self) -> Parsed<Node<Expression>> {
        let token = self.peek();
        let span = Span::new(token.start, token.end);
        let constant = |constant| Expression::Constant(Box::new(Node::new(constant, span)));
        let node = match token.kind {
            TokenKind::Number => {
                self.is_new |= token.text.contains(['\'', 'w', 'W']);
                let number = number(token.text);
                constant(number.map_err(|message| self.error_at(token.start, message))?)
            }
            TokenKind::Character => {
                constant(Constant::Character(without_universal_names(token.text)))
            }
            TokenKind::String => {
                let literal = self.string_literal()?;
                let span = literal.span;
                return Ok(Node::new(
                    Expression::StringLiteral(Box::new(literal)),
                    span,
                ));
            }
            TokenKind::Punctuator if token.text == "(" => return self.parenthesised(),
            TokenKind::Word => return self.primary_word(),
            _ => return Err(self.expected("an expression")),
        };
        self.next();
        Ok(Node::new(node, span))
    }

    /// An expression in parentheses, or GNU's statement expression.
    fn parenthesised(&mut self) -> Parsed<Node<Expression>> {
        let start = self.next().start;
        if self.is("{") {
            let statement = self.nested(Self::compound_statement)?;
            self.expect(")")?;
            return Ok(self.node(start, Expression::Statement(Box::new(statement))));
        }
        let inner = self.expression()?;
        self.expect(")")?;
        Ok(inner)
    }

    fn primary_word(&mut self) -> Parsed<Node<Expression>> {
        let token = self.peek();
        match token.text {
            "_Generic" => return self.generic_selection(),
            "__builtin_va_arg" => return self.va_arg(),
            "__builtin_offsetof" => return self.offset_of(),
            "__builtin_types_compatible_p" => return self.types_compatible(),
            "__CPROVER_forall" | "__CPROVER_exists" => return self.quantified(),
            name if TAKE_TYPES.contains(&name) => return Err(self.refused(&format!("`{name}`"))),
            name if !self.scopes.is_declared(name) => {
                let constant = match name {
                    "nullptr" => Some(Constant::NullPointer),
                    "true" => Some(Constant::Bool(true)),
                    "false" => Some(Constant::Bool(false)),
                    _ => None,
                };
                if let Some(constant) = constant {
                    self.is_new = true;
                    self.next();
                    let span = Span::new(token.start, token.end);
                    let node = Box::new(Node::new(constant, span));
                    return Ok(Node::new(Expression::Constant(node), span));
                }
            }
            _ => {}
        }
        if !token.is_identifier() || self.scopes.is_type(token.text) {
            return Err(self.expected("an expression"));
        }
        self.next();
        let name = identifier_of(token);
        let span = name.span;
        Ok(Node::new(Expression::Identifier(Box::new(name)), span))
    }

    /// An operand with its suffixes.
    pub(super) fn postfix(&mut self, mut operand: Node<Expression>) -> Parsed<Node<Expression>> {
        let start = operand.span.start;
        loop {
            let token = self.peek();
            if token.kind != TokenKind::Punctuator {
                return Ok(operand);
            }
            let own = Span::new(token.start, token.end);
            match token.text {
                "[" if !self.is_at(1, "[") => {
                    self.next();
                    let index = self.expression()?;
                    let end = self.expect("]")?.end;
                    operand = binary(operand, Node::new(BinaryOperator::Index, own), index, end);
                }
                "(" => {
                    self.next();
                    let arguments = self.call_arguments(&operand)?;
                    self.expect(")")?;
                    let call = CallExpression {
                        callee: Box::new(operand),
                        arguments,
                    };
                    let call = Box::new(self.node(start, call));
                    operand = self.node(start, Expression::Call(call));
                }
                "." | "->" => {
                    self.next();
                    let operator = if token.text == "." {
                        MemberOperator::Direct
                    } else {
                        MemberOperator::Indirect
                    };
                    let identifier = self.identifier()?;
                    let member = MemberExpression {
                        operator: Node::new(operator, own),
                        expression: Box::new(operand),
                        identifier,
                    };
                    let member = Box::new(self.node(start, member));
                    operand = self.node(start, Expression::Member(member));
                }
                "++" | "--" => {
                    self.next();
                    let operator = if token.text == "++" {
                        UnaryOperator::PostIncrement
                    } else {
                        UnaryOperator::PostDecrement
                    };
                    let operation = UnaryOperatorExpression {
                        operator: Node::new(operator, own),
                        operand: Box::new(operand),
                    };
                    let operation = Box::new(self.node(start, operation));
                    operand = self.node(start, Expression::UnaryOperator(operation));
                }
                _ => return Ok(operand),
            }
        }
    }

    fn call_arguments(&mut self, callee: &Node<Expression>) -> Parsed<Vec<Node<Expression>>> {
        if self.is_type_name_at(0)
            && let Expression::Identifier(name) = &callee.node
        {
            let message = format!("an argument of `{}` is a type", name.node.name);
            return Err(self.error_at(self.peek().start, message));
        }
        self.expressions_until_parenthesis()
    }

    /// `(type){..}`, from its opening brace on.
    pub(super) fn compound_literal(
        &mut self,
        start: usize,
        type_name: Node<TypeName>,
    ) -> Parsed<Node<Expression>> {
        let initializer_list = self.initializer_list()?;
        let literal = CompoundLiteral {
            type_name,
            initializer_list,
        };
        let literal = Box::new(self.node(start, literal));
        Ok(self.node(start, Expression::CompoundLiteral(literal)))
    }

    fn generic_selection(&mut self) -> Parsed<Node<Expression>> {
        let start = self.next().start;
        self.expect("(")?;
        if self.is_type_name_at(0) {
            return Err(self.refused("`_Generic` of a type"));
        }
        let expression = Box::new(self.assignment_expression()?);
        let mut associations = Vec::new();
        while self.accept(",") {
            let start = self.peek().start;
            let association = if self.accept("default") {
                self.expect(":")?;
                GenericAssociation::Default(Box::new(self.assignment_expression()?))
            } else {
                let type_name = self.type_name()?;
                self.expect(":")?;
                let expression = Box::new(self.assignment_expression()?);
                let association = GenericAssociationType {
                    type_name,
                    expression,
                };
                GenericAssociation::Type(self.node(start, association))
            };
            associations.push(self.node(start, association));
        }
        self.expect(")")?;
        let selection = GenericSelection {
            expression,
            associations,
        };
        let selection = Box::new(self.node(start, selection));
        Ok(self.node(start, Expression::GenericSelection(selection)))
    }

    fn va_arg(&mut self) -> Parsed<Node<Expression>> {
        let start = self.next().start;
        self.expect("(")?;
        let va_list = Box::new(self.assignment_expression()?);
        self.expect(",")?;
        let type_name = self.type_name()?;
        self.expect(")")?;
        let va_arg = VaArgExpression { va_list, type_name };
        let va_arg = Box::new(self.node(start, va_arg));
        Ok(self.node(start, Expression::VaArg(va_arg)))
    }

    fn types_compatible(&mut self) -> Parsed<Node<Expression>> {
        let start = self.next().start;
        self.expect("(")?;
        let first = self.type_name()?;
        self.expect(",")?;
        let second = self.type_name()?;
        self.expect(")")?;
        let types = Box::new(self.node(start, TypesCompatible { first, second }));
        Ok(self.node(start, Expression::TypesCompatible(types)))
    }

    fn offset_of(&mut self) -> Parsed<Node<Expression>> {
        let start = self.next().start;
        self.expect("(")?;
        let type_name = self.type_name()?;
        self.expect(",")?;
        let designator = self.offset_designator()?;
        self.expect(")")?;
        let offset = OffsetOfExpression {
            type_name,
            designator,
        };
        let offset = Box::new(self.node(start, offset));
        Ok(self.node(start, Expression::OffsetOf(offset)))
    }

    fn offset_designator(&mut self) -> Parsed<Node<OffsetDesignator>> {
        let start = self.peek().start;
        let base = self.identifier()?;
        let mut members = Vec::new();
        loop {
            let start = self.peek().start;
            let member = if self.accept(".") {
                OffsetMember::Member(self.identifier()?)
            } else if self.accept("->") {
                OffsetMember::IndirectMember(self.identifier()?)
            } else if self.accept("[") {
                let index = self.expression()?;
                self.expect("]")?;
                OffsetMember::Index(index)
            } else {
                break;
            };
            members.push(self.node(start, member));
        }
        Ok(self.node(start, OffsetDesignator { base, members }))
    }

    pub(super) fn initializer(&mut self) -> Parsed<Node<Initializer>> {
        let start = self.peek().start;
        let initializer = if self.is("{") {
            Initializer::List(self.initializer_list()?)
        } else {
            Initializer::Expression(Box::new(self.assignment_expression()?))
        };
        Ok(self.node(start, initializer))
    }

    /// Initialisers in braces.
    fn initializer_list(&mut self) -> Parsed<Vec<Node<InitializerListItem>>> {
        self.expect("{")?;
        let mut items = Vec::new();
        while !self.is("}") {
            let item = self.nested(Self::initializer_list_item)?;
            items.push(item);
            if !self.accept(",") && !self.is("}") {
                return Err(self.expected("`,` or `}` in an initialiser"));
            }
        }
        self.expect("}")?;
        Ok(items)
    }

    fn initializer_list_item(&mut self) -> Parsed<Node<InitializerListItem>> {
        let start = self.peek().start;
        let mut designation = Vec::new();
        if self.peek().is_identifier() && self.is_at(1, ":") {
            // GNU's old `member: value`.
            let name = self.identifier()?;
            self.next();
            designation.push(self.node(start, Designator::Member(name)));
        } else {
            while self.is_any(&[".", "["]) {
                designation.push(self.designator()?);
            }
            // GNU's old `[index] value` has no `=`.
            let is_old = matches!(
                designation.last().map(|last| &last.node),
                Some(Designator::Index(_) | Designator::Range(_))
            );
            if !designation.is_empty() && !self.accept("=") && !is_old {
                return Err(self.expected("`=` after a designator"));
            }
        }
        let initializer = Box::new(self.initializer()?);
        let item = InitializerListItem {
            designation,
            initializer,
        };
        Ok(self.node(start, item))
    }

    fn designator(&mut self) -> Parsed<Node<Designator>> {
        let start = self.peek().start;
        if self.accept(".") {
            let name = self.identifier()?;
            return Ok(self.node(start, Designator::Member(name)));
        }
        self.expect("[")?;
        let from = self.conditional_expression()?;
        let designator = if self.accept("...") {
            let to = self.conditional_expression()?;
            Designator::Range(self.node(start, RangeDesignator { from, to }))
        } else {
            Designator::Index(from)
        };
        self.expect("]")?;
        Ok(self.node(start, designator))
    }
}
