//! Statements and definitions of functions.

use super::super::span::Node;
use super::{
    BoxedExpression, Contract, Declaration, DeclarationSpecifier, Declarator, Expression,
    Identifier, StaticAssert, StringLiteral,
};

pub(crate) type BoxedStatement = Box<Node<Statement>>;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Statement {
    Labeled(Node<LabeledStatement>),
    Compound(Vec<Node<BlockItem>>),
    Expression(Option<BoxedExpression>),
    If(Node<IfStatement>),
    Switch(Node<SwitchStatement>),
    While(Node<WhileStatement>),
    DoWhile(Node<DoWhileStatement>),
    For(Node<ForStatement>),
    Goto(Node<Identifier>),
    /// GNU's `goto *address`.
    ComputedGoto(BoxedExpression),
    Continue,
    Break,
    Return(Option<BoxedExpression>),
    Asm(Node<AsmStatement>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LabeledStatement {
    pub(crate) label: Node<Label>,
    pub(crate) statement: BoxedStatement,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct IfStatement {
    pub(crate) condition: BoxedExpression,
    pub(crate) then_statement: BoxedStatement,
    pub(crate) else_statement: Option<BoxedStatement>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SwitchStatement {
    pub(crate) expression: BoxedExpression,
    pub(crate) statement: BoxedStatement,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WhileStatement {
    pub(crate) expression: BoxedExpression,
    pub(crate) contract: Contract,
    pub(crate) statement: BoxedStatement,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DoWhileStatement {
    pub(crate) contract: Contract,
    pub(crate) statement: BoxedStatement,
    pub(crate) expression: BoxedExpression,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ForStatement {
    pub(crate) initializer: Node<ForInitializer>,
    pub(crate) condition: Option<BoxedExpression>,
    pub(crate) step: Option<BoxedExpression>,
    pub(crate) contract: Contract,
    pub(crate) statement: BoxedStatement,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Label {
    Identifier(Node<Identifier>),
    Case(BoxedExpression),
    /// GNU's `case low ... high`.
    CaseRange(Node<CaseRange>),
    Default,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CaseRange {
    pub(crate) low: BoxedExpression,
    pub(crate) high: BoxedExpression,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ForInitializer {
    Empty,
    Expression(BoxedExpression),
    Declaration(Node<Declaration>),
    StaticAssert(Node<StaticAssert>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BlockItem {
    Declaration(Node<Declaration>),
    StaticAssert(Node<StaticAssert>),
    Statement(Node<Statement>),
}

/// The syntax tree of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct TranslationUnit {
    pub(crate) items: Vec<Node<ExternalDeclaration>>,
    /// Whether it has what compilers for C17 do not know: keywords of C23, specifications.
    pub is_new: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ExternalDeclaration {
    Declaration(Node<Declaration>),
    StaticAssert(Node<StaticAssert>),
    FunctionDefinition(Box<Node<FunctionDefinition>>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FunctionDefinition {
    pub(crate) specifiers: Vec<Node<DeclarationSpecifier>>,
    pub(crate) declarator: Node<Declarator>,
    pub(crate) contract: Contract,
    /// The declarations of the parameters in the style of Kernighan and Ritchie.
    pub(crate) declarations: Vec<Node<Declaration>>,
    pub(crate) statement: Node<Statement>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AsmStatement {
    /// Without operands.
    GnuBasic(Node<StringLiteral>),
    GnuExtended(GnuExtendedAsmStatement),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GnuExtendedAsmStatement {
    pub(crate) template: Node<StringLiteral>,
    pub(crate) outputs: Vec<Node<GnuAsmOperand>>,
    pub(crate) inputs: Vec<Node<GnuAsmOperand>>,
    pub(crate) clobbers: Vec<Node<StringLiteral>>,
    /// The labels of `asm goto`.
    pub(crate) labels: Vec<Node<Identifier>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GnuAsmOperand {
    pub(crate) symbolic_name: Option<Node<Identifier>>,
    pub(crate) constraints: Node<StringLiteral>,
    pub(crate) variable_name: Node<Expression>,
}
