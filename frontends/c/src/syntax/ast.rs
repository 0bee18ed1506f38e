//! The syntax tree of a translation unit: C23 with GNU's extensions and CBMC's specifications.
//!
//! Types are named after the nonterminals of the standard's grammar (ISO/IEC 9899, annex A).

use super::span::Node;

pub(crate) type BoxedExpression = Box<Node<Expression>>;
pub(crate) type BoxedStatement = Box<Node<Statement>>;

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
    Comma(Box<Vec<Node<Expression>>>),
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
    /// C23's `_BitInt(n)`, and CBMC's `__CPROVER_bitvector[n]`.
    BitInt(BoxedExpression),
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

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TranslationUnit(pub(crate) Vec<Node<ExternalDeclaration>>);

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ExternalDeclaration {
    Declaration(Node<Declaration>),
    StaticAssert(Node<StaticAssert>),
    FunctionDefinition(Node<FunctionDefinition>),
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

/// `typeof`; C23's `typeof_unqual` drops the qualifiers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TypeOf {
    Expression(Node<Expression>),
    Type(Node<TypeName>),
}
