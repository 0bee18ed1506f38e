//! Constants and expressions.

use super::super::span::Node;
use super::{Declaration, InitializerListItem, Statement, TypeName};

pub(crate) type BoxedExpression = Box<Node<Expression>>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Identifier {
    pub(crate) name: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Constant {
    Integer(Integer),
    Float(Float),
    /// As in the text, with its prefix and quotes.
    Character(String),
    /// C23's `nullptr`.
    NullPointer,
    /// C23's `true` and `false`.
    Bool(bool),
}

/// An integer constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Integer {
    pub(crate) base: IntegerBase,
    /// The digits, without prefix, suffix and separators.
    pub(crate) number: Box<str>,
    pub(crate) suffix: IntegerSuffix,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IntegerBase {
    Decimal,
    Octal,
    Hexadecimal,
    Binary,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IntegerSuffix {
    pub(crate) size: IntegerSize,
    pub(crate) unsigned: bool,
    pub(crate) imaginary: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum IntegerSize {
    Int,
    Long,
    LongLong,
    /// C23's `wb`: the smallest `_BitInt` that has the value.
    BitPrecise,
}

/// A floating constant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Float {
    pub(crate) base: FloatBase,
    /// The digits with point and exponent, without prefix, suffix and separators.
    pub(crate) number: Box<str>,
    pub(crate) suffix: FloatSuffix,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloatBase {
    Decimal,
    Hexadecimal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FloatSuffix {
    pub(crate) format: FloatFormat,
    pub(crate) imaginary: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloatFormat {
    Float,
    Double,
    LongDouble,
    Interchange(InterchangeFloat),
}

/// A type of annex H: `_Float32`, `_Float64x`, `_Decimal64` ..
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InterchangeFloat {
    pub(crate) format: InterchangeFormat,
    pub(crate) width: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InterchangeFormat {
    Binary,
    BinaryExtended,
    Decimal,
}

/// Adjacent string literals, each as in the text with its prefix and quotes.
pub(crate) type StringLiteral = Vec<String>;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    Identifier(Box<Node<Identifier>>),
    Constant(Box<Node<Constant>>),
    StringLiteral(Box<Node<StringLiteral>>),
    GenericSelection(Box<Node<GenericSelection>>),
    Member(Box<Node<MemberExpression>>),
    Call(Box<Node<CallExpression>>),
    CompoundLiteral(Box<Node<CompoundLiteral>>),
    SizeOfTy(Box<Node<SizeOfTy>>),
    SizeOfVal(Box<Node<SizeOfVal>>),
    AlignOf(Box<Node<AlignOf>>),
    UnaryOperator(Box<Node<UnaryOperatorExpression>>),
    Cast(Box<Node<CastExpression>>),
    BinaryOperator(Box<Node<BinaryOperatorExpression>>),
    Conditional(Box<Node<ConditionalExpression>>),
    Comma(Vec<Node<Expression>>),
    OffsetOf(Box<Node<OffsetOfExpression>>),
    VaArg(Box<Node<VaArgExpression>>),
    /// GNU's statement expression; the statement is a compound one.
    Statement(Box<Node<Statement>>),
    /// GNU's `&&label`.
    LabelAddress(Box<Node<Identifier>>),
    /// GNU's `__builtin_types_compatible_p`.
    TypesCompatible(Box<Node<TypesCompatible>>),
    /// CBMC's `__CPROVER_forall` and `__CPROVER_exists`.
    Quantified(Box<Node<Quantified>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemberOperator {
    Direct,
    Indirect,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GenericSelection {
    pub(crate) expression: BoxedExpression,
    pub(crate) associations: Vec<Node<GenericAssociation>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum GenericAssociation {
    Type(Node<GenericAssociationType>),
    Default(BoxedExpression),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GenericAssociationType {
    pub(crate) type_name: Node<TypeName>,
    pub(crate) expression: BoxedExpression,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MemberExpression {
    pub(crate) operator: Node<MemberOperator>,
    pub(crate) expression: BoxedExpression,
    pub(crate) identifier: Node<Identifier>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CallExpression {
    pub(crate) callee: BoxedExpression,
    pub(crate) arguments: Vec<Node<Expression>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CompoundLiteral {
    pub(crate) type_name: Node<TypeName>,
    pub(crate) initializer_list: Vec<Node<InitializerListItem>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SizeOfTy(pub(crate) Node<TypeName>);

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SizeOfVal(pub(crate) BoxedExpression);

/// `_Alignof` of a type, or GNU's of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AlignOf {
    Type(Box<Node<TypeName>>),
    Expression(BoxedExpression),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOperator {
    PostIncrement,
    PostDecrement,
    PreIncrement,
    PreDecrement,
    Address,
    Indirection,
    Plus,
    Minus,
    Complement,
    Negate,
    /// GNU's `__real__`.
    RealPart,
    /// GNU's `__imag__`.
    ImaginaryPart,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct UnaryOperatorExpression {
    pub(crate) operator: Node<UnaryOperator>,
    pub(crate) operand: BoxedExpression,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CastExpression {
    pub(crate) type_name: Node<TypeName>,
    pub(crate) expression: BoxedExpression,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOperator {
    Index,
    Multiply,
    Divide,
    Modulo,
    Plus,
    Minus,
    ShiftLeft,
    ShiftRight,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    Equals,
    NotEquals,
    BitwiseAnd,
    BitwiseXor,
    BitwiseOr,
    LogicalAnd,
    LogicalOr,
    /// CBMC's `==>`.
    Implies,
    /// CBMC's `<==>`.
    Equivalent,
    Assign,
    AssignMultiply,
    AssignDivide,
    AssignModulo,
    AssignPlus,
    AssignMinus,
    AssignShiftLeft,
    AssignShiftRight,
    AssignBitwiseAnd,
    AssignBitwiseXor,
    AssignBitwiseOr,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BinaryOperatorExpression {
    pub(crate) operator: Node<BinaryOperator>,
    pub(crate) lhs: BoxedExpression,
    pub(crate) rhs: BoxedExpression,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ConditionalExpression {
    pub(crate) condition: BoxedExpression,
    /// `None` in GNU's `a ?: b`, whose value is the condition's.
    pub(crate) then_expression: Option<BoxedExpression>,
    pub(crate) else_expression: BoxedExpression,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct VaArgExpression {
    pub(crate) va_list: BoxedExpression,
    pub(crate) type_name: Node<TypeName>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TypesCompatible {
    pub(crate) first: Node<TypeName>,
    pub(crate) second: Node<TypeName>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OffsetOfExpression {
    pub(crate) type_name: Node<TypeName>,
    pub(crate) designator: Node<OffsetDesignator>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OffsetDesignator {
    pub(crate) base: Node<Identifier>,
    pub(crate) members: Vec<Node<OffsetMember>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum OffsetMember {
    Member(Node<Identifier>),
    IndirectMember(Node<Identifier>),
    Index(Node<Expression>),
}

/// `__CPROVER_forall { T i; body }` or `__CPROVER_exists { T i; body }`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quantified {
    pub(crate) quantifier: Quantifier,
    /// The bound variables, without initialisers.
    pub(crate) variables: Vec<Node<Declaration>>,
    pub(crate) body: BoxedExpression,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantifier {
    ForAll,
    Exists,
}
