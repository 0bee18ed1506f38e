//! Expressions: operators and what they apply to (C23 6.5.4 to 6.5.19).

use super::ast::*;
use super::lexer::{Token, TokenKind};
use super::parser::{Parsed, Parser};
use super::span::{Node, Span};

/// A prefix of an operand that has been read, with its first byte.
enum Prefix {
    Operator(Node<UnaryOperator>),
    Cast(usize, Node<TypeName>),
    SizeOf(usize),
    AlignOf(usize),
    /// `__extension__`, which means nothing.
    Extension,
}

/// An expression whose last operand is still to be read.
enum Open {
    Assignment(Node<Expression>, Node<BinaryOperator>),
    Conditional(Node<Expression>, Option<BoxedExpression>),
}

/// A binary operator, how strongly it binds, and whether it groups from the right.
fn binary_operator(token: Token<'_>) -> Option<(BinaryOperator, u8)> {
    use BinaryOperator as B;
    if token.kind != TokenKind::Punctuator {
        return None;
    }
    Some(match token.text {
        "*" => (B::Multiply, 12),
        "/" => (B::Divide, 12),
        "%" => (B::Modulo, 12),
        "+" => (B::Plus, 11),
        "-" => (B::Minus, 11),
        "<<" => (B::ShiftLeft, 10),
        ">>" => (B::ShiftRight, 10),
        "<" => (B::Less, 9),
        ">" => (B::Greater, 9),
        "<=" => (B::LessOrEqual, 9),
        ">=" => (B::GreaterOrEqual, 9),
        "==" => (B::Equals, 8),
        "!=" => (B::NotEquals, 8),
        "&" => (B::BitwiseAnd, 7),
        "^" => (B::BitwiseXor, 6),
        "|" => (B::BitwiseOr, 5),
        "&&" => (B::LogicalAnd, 4),
        "||" => (B::LogicalOr, 3),
        "==>" => (B::Implies, 2),
        "<==>" => (B::Equivalent, 1),
        _ => return None,
    })
}

fn assignment_operator(token: Token<'_>) -> Option<BinaryOperator> {
    use BinaryOperator as B;
    if token.kind != TokenKind::Punctuator {
        return None;
    }
    Some(match token.text {
        "=" => B::Assign,
        "*=" => B::AssignMultiply,
        "/=" => B::AssignDivide,
        "%=" => B::AssignModulo,
        "+=" => B::AssignPlus,
        "-=" => B::AssignMinus,
        "<<=" => B::AssignShiftLeft,
        ">>=" => B::AssignShiftRight,
        "&=" => B::AssignBitwiseAnd,
        "^=" => B::AssignBitwiseXor,
        "|=" => B::AssignBitwiseOr,
        _ => return None,
    })
}

fn unary_operator(token: Token<'_>) -> Option<UnaryOperator> {
    use UnaryOperator as U;
    Some(match (token.kind, token.text) {
        (TokenKind::Punctuator, "++") => U::PreIncrement,
        (TokenKind::Punctuator, "--") => U::PreDecrement,
        (TokenKind::Punctuator, "&") => U::Address,
        (TokenKind::Punctuator, "*") => U::Indirection,
        (TokenKind::Punctuator, "+") => U::Plus,
        (TokenKind::Punctuator, "-") => U::Minus,
        (TokenKind::Punctuator, "~") => U::Complement,
        (TokenKind::Punctuator, "!") => U::Negate,
        (TokenKind::Word, "__real__" | "__real") => U::RealPart,
        (TokenKind::Word, "__imag__" | "__imag") => U::ImaginaryPart,
        _ => return None,
    })
}

fn token_span(token: Token<'_>) -> Span {
    Span::new(token.start, token.end)
}

/// A binary operation.
pub(super) fn binary(
    lhs: Node<Expression>,
    operator: Node<BinaryOperator>,
    rhs: Node<Expression>,
    end: usize,
) -> Node<Expression> {
    let span = Span::new(lhs.span.start, end);
    let operation = BinaryOperatorExpression {
        operator,
        lhs: Box::new(lhs),
        rhs: Box::new(rhs),
    };
    let node = Box::new(Node::new(operation, span));
    Node::new(Expression::BinaryOperator(node), span)
}

impl Parser<'_> {
    /// An expression, which may consist of several with commas between them.
    pub(super) fn expression(&mut self) -> Parsed<Node<Expression>> {
        let start = self.peek().start;
        let first = self.assignment_expression()?;
        if !self.is(",") {
            return Ok(first);
        }
        let mut list = vec![first];
        while self.accept(",") {
            list.push(self.assignment_expression()?);
        }
        Ok(self.node(start, Expression::Comma(list)))
    }

    /// Expressions with commas between them, up to a parenthesis that closes them.
    pub(super) fn expressions_until_parenthesis(&mut self) -> Parsed<Vec<Node<Expression>>> {
        let mut list = Vec::new();
        if self.is(")") {
            return Ok(list);
        }
        loop {
            list.push(self.assignment_expression()?);
            if !self.accept(",") {
                return Ok(list);
            }
        }
    }

    /// A constant expression: none with assignments.
    pub(super) fn conditional_expression(&mut self) -> Parsed<Node<Expression>> {
        self.choice(false)
    }

    pub(super) fn assignment_expression(&mut self) -> Parsed<Node<Expression>> {
        self.choice(true)
    }

    fn choice(&mut self, assigns: bool) -> Parsed<Node<Expression>> {
        self.nested(|parser| parser.chain(assigns))
    }

    /// Choices and assignments, each the last operand of the previous one.
    fn chain(&mut self, assigns: bool) -> Parsed<Node<Expression>> {
        let mut open = Vec::new();
        loop {
            let operand = self.binary_expression()?;
            let token = self.peek();
            if self.accept("?") {
                let then = if self.is(":") {
                    None
                } else {
                    Some(Box::new(self.expression()?))
                };
                self.expect(":")?;
                open.push(Open::Conditional(operand, then));
                continue;
            }
            let is_alternative = matches!(open.last(), Some(Open::Conditional(..)));
            if let Some(operator) =
                assignment_operator(token).filter(|_| assigns && !is_alternative)
            {
                self.next();
                open.push(Open::Assignment(
                    operand,
                    Node::new(operator, token_span(token)),
                ));
                continue;
            }
            return Ok(closed(open, operand));
        }
    }

    /// Binary operators, by the precedence of those that are still open.
    fn binary_expression(&mut self) -> Parsed<Node<Expression>> {
        let mut open: Vec<(Node<Expression>, Node<BinaryOperator>, u8)> = Vec::new();
        let mut operand = self.cast_expression()?;
        while let Some((operator, precedence)) = binary_operator(self.peek()) {
            let token = self.next();
            let groups_from_right = operator == BinaryOperator::Implies;
            self.is_new |= precedence < 3;
            while open.last().is_some_and(|&(_, _, before)| {
                before > precedence || before == precedence && !groups_from_right
            }) {
                operand = reduced(&mut open, operand);
            }
            open.push((operand, Node::new(operator, token_span(token)), precedence));
            operand = self.cast_expression()?;
        }
        while !open.is_empty() {
            operand = reduced(&mut open, operand);
        }
        Ok(operand)
    }

    /// An operand with its prefixes.
    pub(super) fn cast_expression(&mut self) -> Parsed<Node<Expression>> {
        let mut prefixes = Vec::new();
        let mut operand = loop {
            let token = self.peek();
            if let Some(operator) = unary_operator(token) {
                self.next();
                prefixes.push(Prefix::Operator(Node::new(operator, token_span(token))));
                continue;
            }
            match token.text {
                "__extension__" if token.kind == TokenKind::Word => {
                    self.next();
                    prefixes.push(Prefix::Extension);
                }
                "&&" if token.kind == TokenKind::Punctuator => break self.label_address()?,
                _ if self.is_measure() => {
                    if let Some(operand) = self.measure(&mut prefixes)? {
                        break operand;
                    }
                }
                "(" if self.is_type_name_at(1) => {
                    self.next();
                    let type_name = self.type_name()?;
                    self.expect(")")?;
                    if self.is("{") {
                        let literal = self.compound_literal(token.start, type_name)?;
                        break self.postfix(literal)?;
                    }
                    prefixes.push(Prefix::Cast(token.start, type_name));
                }
                _ => {
                    let primary = self.primary_expression()?;
                    break self.postfix(primary)?;
                }
            }
        };
        while let Some(prefix) = prefixes.pop() {
            operand = prefixed(prefix, operand);
        }
        Ok(operand)
    }

    /// GNU's `&&label`.
    fn label_address(&mut self) -> Parsed<Node<Expression>> {
        let start = self.next().start;
        let mut label = self.identifier()?;
        label.node.name = self.scopes.label(&label.node.name);
        Ok(self.node(start, Expression::LabelAddress(Box::new(label))))
    }

    /// Whether `sizeof` or `_Alignof` stands here.
    fn is_measure(&self) -> bool {
        let token = self.peek();
        let is_alignment = matches!(token.text, "_Alignof" | "__alignof__" | "__alignof")
            || token.text == "alignof" && !self.scopes.is_declared("alignof");
        token.kind == TokenKind::Word && (token.text == "sizeof" || is_alignment)
    }

    /// `sizeof` or `_Alignof`: of a type as a whole, or as a prefix of its operand.
    fn measure(&mut self, prefixes: &mut Vec<Prefix>) -> Parsed<Option<Node<Expression>>> {
        let token = self.next();
        let is_size = token.text == "sizeof";
        self.is_new |= token.text == "alignof";
        let prefix = if is_size {
            Prefix::SizeOf(token.start)
        } else {
            Prefix::AlignOf(token.start)
        };
        if !(self.is("(") && self.is_type_name_at(1)) {
            prefixes.push(prefix);
            return Ok(None);
        }
        let open = self.next().start;
        let name = self.type_name()?;
        self.expect(")")?;
        if self.is("{") {
            prefixes.push(prefix);
            let literal = self.compound_literal(open, name)?;
            return self.postfix(literal).map(Some);
        }
        let span = self.span_from(token.start);
        let whole = if is_size {
            Expression::SizeOfTy(Box::new(Node::new(SizeOfTy(name), span)))
        } else {
            Expression::AlignOf(Box::new(Node::new(AlignOf::Type(Box::new(name)), span)))
        };
        Ok(Some(Node::new(whole, span)))
    }
}

/// An operand with what waited for it.
fn closed(open: Vec<Open>, operand: Node<Expression>) -> Node<Expression> {
    let end = operand.span.end;
    open.into_iter()
        .rev()
        .fold(operand, |last, open| match open {
            Open::Assignment(lhs, operator) => binary(lhs, operator, last, end),
            Open::Conditional(condition, then_expression) => {
                let span = Span::new(condition.span.start, end);
                let choice = ConditionalExpression {
                    condition: Box::new(condition),
                    then_expression,
                    else_expression: Box::new(last),
                };
                let node = Box::new(Node::new(choice, span));
                Node::new(Expression::Conditional(node), span)
            }
        })
}

/// The last open operation with its right operand.
fn reduced(
    open: &mut Vec<(Node<Expression>, Node<BinaryOperator>, u8)>,
    rhs: Node<Expression>,
) -> Node<Expression> {
    let end = rhs.span.end;
    match open.pop() {
        Some((lhs, operator, _)) => binary(lhs, operator, rhs, end),
        None => rhs,
    }
}

/// An operand with a prefix.
fn prefixed(prefix: Prefix, operand: Node<Expression>) -> Node<Expression> {
    let end = operand.span.end;
    let operand = Box::new(operand);
    match prefix {
        Prefix::Extension => *operand,
        Prefix::Operator(operator) => {
            let span = Span::new(operator.span.start, end);
            let operation = UnaryOperatorExpression { operator, operand };
            let node = Box::new(Node::new(operation, span));
            Node::new(Expression::UnaryOperator(node), span)
        }
        Prefix::Cast(start, type_name) => {
            let span = Span::new(start, end);
            let cast = CastExpression {
                type_name,
                expression: operand,
            };
            Node::new(Expression::Cast(Box::new(Node::new(cast, span))), span)
        }
        Prefix::SizeOf(start) => {
            let span = Span::new(start, end);
            let node = Box::new(Node::new(SizeOfVal(operand), span));
            Node::new(Expression::SizeOfVal(node), span)
        }
        Prefix::AlignOf(start) => {
            let span = Span::new(start, end);
            let node = Box::new(Node::new(AlignOf::Expression(operand), span));
            Node::new(Expression::AlignOf(node), span)
        }
    }
}
