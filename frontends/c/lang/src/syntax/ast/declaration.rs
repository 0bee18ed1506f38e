//! Contracts, declarations, types, attributes.

use super::super::span::Node;
use super::{BoxedExpression, Expression, Identifier, InterchangeFloat, StringLiteral};

/// The clauses of a specification, in their order.
pub(crate) type Contract = Vec<Node<Clause>>;

/// A clause of the contract of a function or of a loop, as CBMC writes them: after a declarator (before the
/// body, the initialiser, `,` or `;`), or after a loop's head (after `do`, or after the condition of
/// `do .. while`).
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Clause {
    /// `__CPROVER_requires(e)`.
    Requires(BoxedExpression),
    /// `__CPROVER_ensures(e)`.
    Ensures(BoxedExpression),
    /// `__CPROVER_assigns(targets; condition: targets; ..)`: no group for `__CPROVER_assigns()`.
    Assigns(Vec<TargetGroup>),
    /// `__CPROVER_frees(targets; condition: targets; ..)`.
    Frees(Vec<TargetGroup>),
    /// `__CPROVER_loop_invariant(e)`.
    LoopInvariant(BoxedExpression),
    /// `__CPROVER_decreases(e, ..)`, compared lexicographically.
    Decreases(Vec<Node<Expression>>),
}

/// Targets that a clause names, all under the condition where there is one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TargetGroup {
    pub(crate) condition: Option<BoxedExpression>,
    pub(crate) targets: Vec<Node<Expression>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Declaration {
    pub(crate) specifiers: Vec<Node<DeclarationSpecifier>>,
    pub(crate) declarators: Vec<Node<InitDeclarator>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DeclarationSpecifier {
    StorageClass(Node<StorageClassSpecifier>),
    TypeSpecifier(Node<TypeSpecifier>),
    TypeQualifier(Node<TypeQualifier>),
    Function(Node<FunctionSpecifier>),
    Alignment(Node<AlignmentSpecifier>),
    Extension(Vec<Node<Extension>>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InitDeclarator {
    pub(crate) declarator: Node<Declarator>,
    /// The contract of a declared function.
    pub(crate) contract: Contract,
    pub(crate) initializer: Option<Node<Initializer>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StorageClassSpecifier {
    Typedef,
    Extern,
    Static,
    ThreadLocal,
    Auto,
    Register,
    Constexpr,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TypeSpecifier {
    Void,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Signed,
    Unsigned,
    Bool,
    Complex,
    Atomic(Node<TypeName>),
    Struct(Node<StructType>),
    Enum(Node<EnumType>),
    TypedefName(Node<Identifier>),
    TypeOf(Node<TypeOf>),
    Interchange(InterchangeFloat),
    /// GNU's `__int128`.
    Int128,
    /// C23's `_BitInt(n)`.
    BitInt(BoxedExpression),
    /// CBMC's `__CPROVER_bitvector[n]`.
    BitVector(BoxedExpression),
    /// CBMC's `__CPROVER_size_t` (unsigned) and `__CPROVER_ssize_t`.
    PointerSized {
        signed: bool,
    },
    /// The type of the initialiser: GNU's `__auto_type`, and C23's `auto` without a type.
    Inferred,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StructType {
    pub(crate) kind: Node<StructKind>,
    pub(crate) identifier: Option<Node<Identifier>>,
    pub(crate) declarations: Option<Vec<Node<StructDeclaration>>>,
    /// Attributes of the type: before its tag, and after its members.
    pub(crate) extensions: Vec<Node<Extension>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StructKind {
    Struct,
    Union,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StructDeclaration {
    Field(Node<StructField>),
    StaticAssert(Node<StaticAssert>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StructField {
    pub(crate) specifiers: Vec<Node<SpecifierQualifier>>,
    pub(crate) declarators: Vec<Node<StructDeclarator>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SpecifierQualifier {
    TypeSpecifier(Node<TypeSpecifier>),
    TypeQualifier(Node<TypeQualifier>),
    Alignment(Node<AlignmentSpecifier>),
    Extension(Vec<Node<Extension>>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StructDeclarator {
    pub(crate) declarator: Option<Node<Declarator>>,
    pub(crate) bit_width: Option<BoxedExpression>,
    /// Attributes after the width of a bit-field.
    pub(crate) extensions: Vec<Node<Extension>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EnumType {
    pub(crate) identifier: Option<Node<Identifier>>,
    /// C23's underlying type.
    pub(crate) underlying: Option<Node<TypeName>>,
    /// `None` for a reference to an enumeration.
    pub(crate) enumerators: Option<Vec<Node<Enumerator>>>,
    /// Attributes of the type: before its tag, and after its enumerators.
    pub(crate) extensions: Vec<Node<Extension>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Enumerator {
    pub(crate) identifier: Node<Identifier>,
    pub(crate) expression: Option<BoxedExpression>,
    pub(crate) extensions: Vec<Node<Extension>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeQualifier {
    Const,
    Restrict,
    Volatile,
    Atomic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FunctionSpecifier {
    Inline,
    Noreturn,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AlignmentSpecifier {
    Type(Node<TypeName>),
    Constant(BoxedExpression),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Declarator {
    pub(crate) kind: Node<DeclaratorKind>,
    /// From the declared name outwards, except pointers, which come first in the order of the text.
    pub(crate) derived: Vec<Node<DerivedDeclarator>>,
    pub(crate) extensions: Vec<Node<Extension>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DeclaratorKind {
    Abstract,
    Identifier(Node<Identifier>),
    Declarator(Box<Node<Declarator>>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DerivedDeclarator {
    Pointer(Vec<Node<PointerQualifier>>),
    Array(Node<ArrayDeclarator>),
    Function(Node<FunctionDeclarator>),
    /// The parameters' names of a definition in the style of Kernighan and Ritchie; also `()`.
    KRFunction(Vec<Node<Identifier>>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ArrayDeclarator {
    pub(crate) qualifiers: Vec<Node<TypeQualifier>>,
    pub(crate) size: ArraySize,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FunctionDeclarator {
    pub(crate) parameters: Vec<Node<ParameterDeclaration>>,
    pub(crate) ellipsis: Ellipsis,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PointerQualifier {
    TypeQualifier(Node<TypeQualifier>),
    Extension(Vec<Node<Extension>>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ArraySize {
    /// `[]`.
    Unknown,
    /// `[*]`.
    VariableUnknown,
    VariableExpression(BoxedExpression),
    /// `[static n]`.
    StaticExpression(BoxedExpression),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParameterDeclaration {
    pub(crate) specifiers: Vec<Node<DeclarationSpecifier>>,
    pub(crate) declarator: Option<Node<Declarator>>,
    pub(crate) extensions: Vec<Node<Extension>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ellipsis {
    Some,
    None,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TypeName {
    pub(crate) specifiers: Vec<Node<SpecifierQualifier>>,
    pub(crate) declarator: Option<Node<Declarator>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Initializer {
    Expression(BoxedExpression),
    List(Vec<Node<InitializerListItem>>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InitializerListItem {
    pub(crate) designation: Vec<Node<Designator>>,
    pub(crate) initializer: Box<Node<Initializer>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Designator {
    Index(Node<Expression>),
    Member(Node<Identifier>),
    /// GNU's `[from ... to]`.
    Range(Node<RangeDesignator>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RangeDesignator {
    pub(crate) from: Node<Expression>,
    pub(crate) to: Node<Expression>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StaticAssert {
    pub(crate) expression: BoxedExpression,
    pub(crate) message: Option<Node<StringLiteral>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Extension {
    Attribute(Attribute),
    /// The assembler name of a declared object or function.
    AsmLabel(Node<StringLiteral>),
}

/// An attribute of GNU C or C23. In `[[gnu::packed]]` the name is that of GNU's attribute.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Attribute {
    pub(crate) name: Node<String>,
    /// No arguments if they are not expressions.
    pub(crate) arguments: Vec<Node<Expression>>,
}

/// `typeof`; C23's `typeof_unqual` drops the qualifiers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TypeOf {
    Expression(Node<Expression>),
    Type(Node<TypeName>),
}
