//! Statements and blocks (C23 6.8).

use super::ast::*;
use super::lexer::TokenKind;
use super::parser::{Parsed, Parser};
use super::span::{Node, Span};

/// The most labels before one statement of a block; an empty statement takes longer lists
/// apart, so that their statements are not within each other.
const MAX_LABELS: usize = 100;

/// A statement whose last part is still to be read, with its first byte.
enum Open {
    Labeled(Node<Label>),
    If(usize, BoxedExpression),
    Else(usize, BoxedExpression, BoxedStatement),
    Switch(usize, BoxedExpression),
    While(usize, BoxedExpression, Contract),
    Do(usize, Contract),
    For(usize, ForHead),
}

struct ForHead {
    initializer: Node<ForInitializer>,
    condition: Option<BoxedExpression>,
    step: Option<BoxedExpression>,
    contract: Contract,
}

/// Attributes of statements without a meaning for the run.
const HARMLESS: [&str; 10] = [
    "fallthrough",
    "unused",
    "maybe_unused",
    "hot",
    "cold",
    "musttail",
    "nomerge",
    "likely",
    "unlikely",
    "deprecated",
];

impl Parser<'_> {
    /// A block, from its opening brace on.
    pub(super) fn compound_statement(&mut self) -> Parsed<Node<Statement>> {
        let start = self.expect("{")?.start;
        self.scopes.open();
        let n_label_blocks = self.scopes.n_label_blocks();
        self.local_labels()?;
        let mut items = Vec::new();
        while !self.is("}") {
            if self.peek().kind == TokenKind::End {
                return Err(self.expected("`}`"));
            }
            self.block_item(&mut items)?;
        }
        self.next();
        self.scopes.close();
        self.scopes.close_labels_to(n_label_blocks);
        Ok(self.node(start, Statement::Compound(items)))
    }

    /// GNU's `__label__ a, b;` at the start of a block.
    fn local_labels(&mut self) -> Parsed<()> {
        let mut names = Vec::new();
        while self.accept("__label__") {
            loop {
                let token = self.peek();
                self.identifier()?;
                names.push(token.text);
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(";")?;
        }
        if !names.is_empty() {
            self.scopes.declare_labels(&names);
        }
        Ok(())
    }

    fn block_item(&mut self, items: &mut Vec<Node<BlockItem>>) -> Parsed<()> {
        let start = self.peek().start;
        if self.is_static_assertion() {
            let assertion = self.static_assertion()?;
            items.push(self.node(start, BlockItem::StaticAssert(assertion)));
            return Ok(());
        }
        if self.is_block_declaration()? {
            let declaration = self.declaration()?;
            items.push(self.node(start, BlockItem::Declaration(declaration)));
            return Ok(());
        }
        let mut labels = Vec::new();
        while let Some(label) = self.label()? {
            labels.push(Open::Labeled(label));
            if labels.len() == MAX_LABELS {
                let end = self.span_from(start).end;
                let statement = labelled(std::mem::take(&mut labels), empty_statement(end));
                let span = statement.span;
                items.push(Node::new(BlockItem::Statement(statement), span));
            }
        }
        let is_alone = self.is("}") || self.is_static_assertion() || self.is_block_declaration()?;
        let statement = if !is_alone {
            self.statement_after(labels)?
        } else if labels.is_empty() {
            return Ok(());
        } else {
            labelled(labels, empty_statement(self.span_from(start).end))
        };
        let span = statement.span;
        items.push(Node::new(BlockItem::Statement(statement), span));
        Ok(())
    }

    /// Whether a declaration of a block starts here. Attributes may also belong to a statement.
    fn is_block_declaration(&mut self) -> Parsed<bool> {
        if !self.is_attribute() {
            return Ok(self.is_declaration());
        }
        let position = self.position();
        self.attributes()?;
        let is_declaration = self.is_declaration();
        self.go_back(position);
        Ok(is_declaration)
    }

    /// A label with its colon, and attributes after it.
    fn label(&mut self) -> Parsed<Option<Node<Label>>> {
        let token = self.peek();
        let label = match token.text {
            _ if token.kind != TokenKind::Word => return Ok(None),
            "case" => {
                self.next();
                let low = Box::new(self.conditional_expression()?);
                if self.accept("...") {
                    let high = Box::new(self.conditional_expression()?);
                    Label::CaseRange(self.node(token.start, CaseRange { low, high }))
                } else {
                    Label::Case(low)
                }
            }
            "default" => {
                self.next();
                Label::Default
            }
            _ if token.is_identifier() && self.is_at(1, ":") => {
                let mut name = self.identifier()?;
                name.node.name = self.scopes.label(&name.node.name);
                Label::Identifier(name)
            }
            _ => return Ok(None),
        };
        let label = self.node(token.start, label);
        self.expect(":")?;
        // Those before a declaration are its own.
        if self.is_attribute() && !self.is_block_declaration()? {
            self.statement_attributes()?;
        }
        Ok(Some(label))
    }

    /// Attributes of a statement, which must not change its meaning.
    fn statement_attributes(&mut self) -> Parsed<()> {
        for extension in self.attributes()? {
            if let Extension::Attribute(attribute) = &extension.node {
                let name = attribute.name.node.trim_matches('_');
                if !HARMLESS.contains(&name) {
                    let message = format!("the attribute `{name}` of a statement is not supported");
                    return Err(self.error_at(extension.span.start, message));
                }
            }
        }
        Ok(())
    }

    /// A statement after labels. What stands before its innermost part is kept in a list.
    fn statement_after(&mut self, mut open: Vec<Open>) -> Parsed<Node<Statement>> {
        loop {
            while let Some(head) = self.head()? {
                open.push(head);
            }
            let is_labelled = open.last().is_some_and(|it| matches!(it, Open::Labeled(_)));
            let mut done = if is_labelled && self.is("}") {
                empty_statement(self.span_from(0).end)
            } else {
                self.simple_statement()?
            };
            loop {
                match open.pop() {
                    None => return Ok(done),
                    Some(Open::If(start, condition)) if self.accept("else") => {
                        open.push(Open::Else(start, condition, Box::new(done)));
                        break;
                    }
                    Some(last) => done = self.close(last, done)?,
                }
            }
        }
    }

    /// The head of a statement that contains another one, or a label.
    fn head(&mut self) -> Parsed<Option<Open>> {
        if self.is_attribute() {
            self.statement_attributes()?;
        }
        if let Some(label) = self.label()? {
            return Ok(Some(Open::Labeled(label)));
        }
        let token = self.peek();
        if token.kind != TokenKind::Word {
            return Ok(None);
        }
        let start = token.start;
        Ok(Some(match token.text {
            "if" => {
                self.next();
                Open::If(start, self.controlling_expression()?)
            }
            "switch" => {
                self.next();
                Open::Switch(start, self.controlling_expression()?)
            }
            "while" => {
                self.next();
                let condition = self.controlling_expression()?;
                Open::While(start, condition, self.contract()?)
            }
            "do" => {
                self.next();
                Open::Do(start, self.contract()?)
            }
            "for" => {
                self.next();
                self.scopes.open();
                Open::For(start, self.for_head()?)
            }
            _ => return Ok(None),
        }))
    }

    fn controlling_expression(&mut self) -> Parsed<BoxedExpression> {
        self.expect("(")?;
        let expression = self.expression()?;
        self.expect(")")?;
        Ok(Box::new(expression))
    }

    fn for_head(&mut self) -> Parsed<ForHead> {
        self.expect("(")?;
        let start = self.peek().start;
        let initializer = if self.accept(";") {
            ForInitializer::Empty
        } else if self.is_static_assertion() {
            ForInitializer::StaticAssert(self.static_assertion()?)
        } else if self.is_attribute() || self.is_declaration() {
            ForInitializer::Declaration(self.declaration()?)
        } else {
            let expression = self.expression()?;
            self.expect(";")?;
            ForInitializer::Expression(Box::new(expression))
        };
        let initializer = self.node(start, initializer);
        let condition = self.optional_expression(";")?;
        self.expect(";")?;
        let step = self.optional_expression(")")?;
        self.expect(")")?;
        let contract = self.contract()?;
        Ok(ForHead {
            initializer,
            condition,
            step,
            contract,
        })
    }

    /// An expression, unless what ends it follows.
    fn optional_expression(&mut self, end: &str) -> Parsed<Option<BoxedExpression>> {
        if self.is(end) {
            return Ok(None);
        }
        self.expression().map(Box::new).map(Some)
    }

    /// An open statement with its last part.
    fn close(&mut self, open: Open, last: Node<Statement>) -> Parsed<Node<Statement>> {
        let end = last.span.end;
        let statement = Box::new(last);
        let from = |start: usize| Span::new(start, end);
        Ok(match open {
            Open::Labeled(label) => labelled(vec![Open::Labeled(label)], *statement),
            Open::If(start, condition) => if_statement(from(start), condition, *statement, None),
            Open::Else(start, condition, then) => {
                if_statement(from(start), condition, *then, Some(statement))
            }
            Open::Switch(start, expression) => {
                let node = SwitchStatement {
                    expression,
                    statement,
                };
                let span = from(start);
                Node::new(Statement::Switch(Node::new(node, span)), span)
            }
            Open::While(start, expression, contract) => {
                let node = WhileStatement {
                    expression,
                    contract,
                    statement,
                };
                let span = from(start);
                Node::new(Statement::While(Node::new(node, span)), span)
            }
            Open::Do(start, contract) => self.close_do(start, contract, statement)?,
            Open::For(start, head) => {
                self.scopes.close();
                let node = ForStatement {
                    initializer: head.initializer,
                    condition: head.condition,
                    step: head.step,
                    contract: head.contract,
                    statement,
                };
                let span = from(start);
                Node::new(Statement::For(Node::new(node, span)), span)
            }
        })
    }

    fn close_do(
        &mut self,
        start: usize,
        mut contract: Contract,
        statement: BoxedStatement,
    ) -> Parsed<Node<Statement>> {
        self.expect("while")?;
        let expression = self.controlling_expression()?;
        contract.extend(self.contract()?);
        self.expect(";")?;
        let node = DoWhileStatement {
            contract,
            statement,
            expression,
        };
        let node = self.node(start, node);
        Ok(self.node(start, Statement::DoWhile(node)))
    }

    /// A statement that is no part of what it begins with.
    fn simple_statement(&mut self) -> Parsed<Node<Statement>> {
        let token = self.peek();
        let start = token.start;
        if token.is("{") {
            return self.nested(Self::compound_statement);
        }
        let statement = match token.text {
            ";" => Statement::Expression(None),
            _ if token.kind != TokenKind::Word => {
                Statement::Expression(Some(Box::new(self.expression()?)))
            }
            "goto" => {
                self.next();
                if self.accept("*") {
                    Statement::ComputedGoto(Box::new(self.expression()?))
                } else {
                    let mut label = self.identifier()?;
                    label.node.name = self.scopes.label(&label.node.name);
                    Statement::Goto(label)
                }
            }
            "continue" => {
                self.next();
                Statement::Continue
            }
            "break" => {
                self.next();
                Statement::Break
            }
            "return" => {
                self.next();
                Statement::Return(self.optional_expression(";")?)
            }
            "asm" | "__asm__" | "__asm" => Statement::Asm(self.asm_statement()?),
            "else" => return Err(self.expected("a statement (no `if` belongs to the `else`)")),
            _ if self.is_declaration() => {
                return Err(self.expected("a statement (a declaration is none)"));
            }
            _ => Statement::Expression(Some(Box::new(self.expression()?))),
        };
        self.expect(";")?;
        Ok(self.node(start, statement))
    }

    /// Inline assembly, without its semicolon.
    fn asm_statement(&mut self) -> Parsed<Node<AsmStatement>> {
        let start = self.next().start;
        let qualifiers = [
            "volatile",
            "__volatile__",
            "__volatile",
            "goto",
            "inline",
            "__inline__",
            "__inline",
            "const",
            "__const__",
        ];
        while self.is_any(&qualifiers) {
            self.next();
        }
        self.expect("(")?;
        let template = self.string_literal()?;
        if self.accept(")") {
            return Ok(self.node(start, AsmStatement::GnuBasic(template)));
        }
        let mut statement = GnuExtendedAsmStatement {
            template,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
        };
        for section in 0..4 {
            if !self.accept(":") {
                break;
            }
            while !self.is_any(&[":", ")"]) {
                match section {
                    0 => statement.outputs.push(self.asm_operand()?),
                    1 => statement.inputs.push(self.asm_operand()?),
                    2 => statement.clobbers.push(self.string_literal()?),
                    _ => {
                        let mut label = self.identifier()?;
                        label.node.name = self.scopes.label(&label.node.name);
                        statement.labels.push(label);
                    }
                }
                if !self.accept(",") {
                    break;
                }
            }
        }
        self.expect(")")?;
        Ok(self.node(start, AsmStatement::GnuExtended(statement)))
    }

    fn asm_operand(&mut self) -> Parsed<Node<GnuAsmOperand>> {
        let start = self.peek().start;
        let symbolic_name = if self.accept("[") {
            let name = self.identifier()?;
            self.expect("]")?;
            Some(name)
        } else {
            None
        };
        let constraints = self.string_literal()?;
        self.expect("(")?;
        let variable_name = self.expression()?;
        self.expect(")")?;
        let operand = GnuAsmOperand {
            symbolic_name,
            constraints,
            variable_name,
        };
        Ok(self.node(start, operand))
    }
}

fn empty_statement(at: usize) -> Node<Statement> {
    Node::new(Statement::Expression(None), Span::new(at, at))
}

/// A statement after its labels.
fn labelled(labels: Vec<Open>, statement: Node<Statement>) -> Node<Statement> {
    labels.into_iter().rev().fold(statement, |statement, open| {
        let Open::Labeled(label) = open else {
            return statement;
        };
        let span = Span::new(label.span.start, statement.span.end);
        let statement = Box::new(statement);
        let node = Node::new(LabeledStatement { label, statement }, span);
        Node::new(Statement::Labeled(node), span)
    })
}

fn if_statement(
    span: Span,
    condition: BoxedExpression,
    then_statement: Node<Statement>,
    else_statement: Option<BoxedStatement>,
) -> Node<Statement> {
    let node = IfStatement {
        condition,
        then_statement: Box::new(then_statement),
        else_statement,
    };
    Node::new(Statement::If(Node::new(node, span)), span)
}
