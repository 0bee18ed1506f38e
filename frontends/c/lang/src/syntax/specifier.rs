//! Declaration specifiers and type names (C23 6.7.2 to 6.7.6, 6.7.8).

use super::ast::*;
use super::lexer::{Token, TokenKind};
use super::parser::{Parsed, Parser, identifier_of};
use super::span::{Node, Span};

/// The specifiers of a declaration, and what they say about the names that it declares.
#[derive(Default)]
pub(super) struct Specifiers {
    pub(super) list: Vec<Node<DeclarationSpecifier>>,
    pub(super) has_type: bool,
    pub(super) is_typedef: bool,
    /// Whether `auto` is among them.
    pub(super) is_auto: bool,
}

fn storage_class(word: &str) -> Option<StorageClassSpecifier> {
    use StorageClassSpecifier as S;
    Some(match word {
        "typedef" => S::Typedef,
        "extern" => S::Extern,
        "static" => S::Static,
        "_Thread_local" | "__thread" => S::ThreadLocal,
        "auto" => S::Auto,
        "register" => S::Register,
        _ => return None,
    })
}

pub(super) fn type_qualifier(word: &str) -> Option<TypeQualifier> {
    Some(match word {
        "const" | "__const" | "__const__" => TypeQualifier::Const,
        "volatile" | "__volatile" | "__volatile__" => TypeQualifier::Volatile,
        "restrict" | "__restrict" | "__restrict__" => TypeQualifier::Restrict,
        "_Atomic" => TypeQualifier::Atomic,
        _ => return None,
    })
}

fn function_specifier(word: &str) -> Option<FunctionSpecifier> {
    Some(match word {
        "inline" | "__inline" | "__inline__" => FunctionSpecifier::Inline,
        "_Noreturn" => FunctionSpecifier::Noreturn,
        _ => return None,
    })
}

/// A type of one word.
fn simple_type(word: &str) -> Option<TypeSpecifier> {
    use TypeSpecifier as T;
    Some(match word {
        "void" => T::Void,
        "char" => T::Char,
        "short" => T::Short,
        "int" => T::Int,
        "long" => T::Long,
        "float" => T::Float,
        "double" => T::Double,
        "signed" | "__signed" | "__signed__" => T::Signed,
        "unsigned" => T::Unsigned,
        "_Bool" | "__CPROVER_bool" => T::Bool,
        "_Complex" | "__complex__" | "__complex" => T::Complex,
        "__int128" => T::Int128,
        "__auto_type" => T::Inferred,
        "__CPROVER_size_t" => T::PointerSized { signed: false },
        "__CPROVER_ssize_t" => T::PointerSized { signed: true },
        "__float128" => interchange(InterchangeFormat::Binary, 128),
        "__float80" => interchange(InterchangeFormat::BinaryExtended, 64),
        _ => return interchange_type(word),
    })
}

fn interchange(format: InterchangeFormat, width: usize) -> TypeSpecifier {
    TypeSpecifier::Interchange(InterchangeFloat { format, width })
}

/// `_Float32`, `_Float64x`, `_Decimal64`.
fn interchange_type(word: &str) -> Option<TypeSpecifier> {
    if let Some(width) = word.strip_prefix("_Decimal") {
        return Some(interchange(InterchangeFormat::Decimal, width.parse().ok()?));
    }
    let width = word.strip_prefix("_Float")?;
    match width.strip_suffix('x') {
        Some(width) => Some(interchange(
            InterchangeFormat::BinaryExtended,
            width.parse().ok()?,
        )),
        None => Some(interchange(InterchangeFormat::Binary, width.parse().ok()?)),
    }
}

/// GNU's names of wide types, which are no keywords: the keywords that they stand for.
fn wide_type(word: &str) -> Option<&'static [TypeSpecifier]> {
    match word {
        "__int128_t" => Some(&[TypeSpecifier::Int128]),
        "__uint128_t" => Some(&[TypeSpecifier::Unsigned, TypeSpecifier::Int128]),
        _ => None,
    }
}

/// Types of CBMC without a counterpart here.
const CPROVER_TYPES: [&str; 5] = [
    "__CPROVER_integer",
    "__CPROVER_rational",
    "__CPROVER_real",
    "__CPROVER_floatbv",
    "__CPROVER_fixedbv",
];

impl Parser<'_> {
    /// Whether a word is this keyword of C23, which earlier versions lack, and no name of the program.
    pub(super) fn is_new_keyword(&self, token: Token<'_>, keyword: &str) -> bool {
        token.is(keyword) && !self.scopes.is_declared(keyword)
    }

    /// Whether the type of a type name starts at a token further on.
    pub(super) fn is_type_name_at(&self, distance: usize) -> bool {
        let token = self.peek_at(distance);
        if token.kind != TokenKind::Word {
            return false;
        }
        let word = token.text;
        if word == "__extension__" {
            return self.is_type_name_at(distance + 1);
        }
        if self.scopes.is_declared(word) {
            return self.scopes.is_type(word);
        }
        simple_type(word).is_some()
            || type_qualifier(word).is_some()
            || wide_type(word).is_some()
            || CPROVER_TYPES.contains(&word)
            || matches!(
                word,
                "struct"
                    | "union"
                    | "enum"
                    | "typeof"
                    | "__typeof__"
                    | "__typeof"
                    | "_BitInt"
                    | "__CPROVER_bitvector"
                    | "_Alignas"
                    | "__attribute__"
                    | "__attribute"
                    | "bool"
                    | "typeof_unqual"
                    | "alignas"
                    | "constexpr"
            )
    }

    /// Whether a declaration starts here, attributes of GNU C aside.
    pub(super) fn is_declaration(&self) -> bool {
        let mut distance = 0;
        while self.is_at(distance, "__extension__") {
            distance += 1;
        }
        let token = self.peek_at(distance);
        if token.kind != TokenKind::Word {
            return false;
        }
        let is_specifier = storage_class(token.text).is_some()
            || function_specifier(token.text).is_some()
            || self.is_new_keyword(token, "thread_local");
        // A name before a colon is a label.
        let is_label = token.is_identifier() && self.is_at(distance + 1, ":");
        is_specifier || self.is_type_name_at(distance) && !is_label
    }

    /// Specifiers, as many as there are.
    pub(super) fn specifiers(&mut self) -> Parsed<Specifiers> {
        self.nested(|parser| {
            let mut specifiers = Specifiers::default();
            while parser.specifier(&mut specifiers)? {}
            Ok(specifiers)
        })
    }

    /// Reads one specifier if there is one.
    fn specifier(&mut self, found: &mut Specifiers) -> Parsed<bool> {
        let token = self.peek();
        let start = token.start;
        if self.is_attribute() {
            let list = self.attributes()?;
            found
                .list
                .push(self.node(start, DeclarationSpecifier::Extension(list)));
            return Ok(true);
        }
        if token.kind != TokenKind::Word {
            return Ok(false);
        }
        if token.text == "__extension__" {
            self.next();
            return Ok(true);
        }
        let own = Span::new(token.start, token.end);
        let mut is_new = false;
        let simple = storage_class(token.text)
            .or_else(|| {
                let is_followed = self.peek_at(1).kind == TokenKind::Word;
                let is_it = |word| is_followed && self.is_new_keyword(token, word);
                let class = if is_it("constexpr") {
                    Some(StorageClassSpecifier::Constexpr)
                } else {
                    is_it("thread_local").then_some(StorageClassSpecifier::ThreadLocal)
                };
                is_new |= class.is_some();
                class
            })
            .map(|class| {
                found.is_typedef |= class == StorageClassSpecifier::Typedef;
                found.is_auto |= class == StorageClassSpecifier::Auto;
                DeclarationSpecifier::StorageClass(Node::new(class, own))
            })
            .or_else(|| {
                let function = function_specifier(token.text)?;
                Some(DeclarationSpecifier::Function(Node::new(function, own)))
            })
            .or_else(|| {
                let qualifier = type_qualifier(token.text)?;
                let is_type = token.text == "_Atomic" && self.is_at(1, "(");
                (!is_type).then(|| DeclarationSpecifier::TypeQualifier(Node::new(qualifier, own)))
            });
        self.is_new |= is_new;
        if let Some(specifier) = simple {
            self.next();
            found.list.push(Node::new(specifier, own));
            return Ok(true);
        }
        if token.is("_Alignas") || self.is_new_keyword(token, "alignas") && self.is_at(1, "(") {
            self.is_new |= token.is("alignas");
            let alignment = self.alignment()?;
            let alignment = DeclarationSpecifier::Alignment(alignment);
            found.list.push(self.node(start, alignment));
            return Ok(true);
        }
        let types = self.type_specifiers(found.has_type)?;
        found.has_type |= !types.is_empty();
        let is_there = !types.is_empty();
        for specifier in types {
            let specifier = self.node(start, specifier);
            let specifier = DeclarationSpecifier::TypeSpecifier(specifier);
            found.list.push(self.node(start, specifier));
        }
        Ok(is_there)
    }

    fn alignment(&mut self) -> Parsed<Node<AlignmentSpecifier>> {
        let start = self.next().start;
        self.expect("(")?;
        let alignment = if self.is_type_name_at(0) {
            AlignmentSpecifier::Type(self.type_name()?)
        } else {
            AlignmentSpecifier::Constant(Box::new(self.conditional_expression()?))
        };
        self.expect(")")?;
        Ok(self.node(start, alignment))
    }

    /// The type specifiers of the current word; none if it is no type, or a name after a type.
    fn type_specifiers(&mut self, has_type: bool) -> Parsed<Vec<TypeSpecifier>> {
        let token = self.peek();
        if self.scopes.is_declared(token.text) {
            if has_type || !self.scopes.is_type(token.text) {
                return Ok(Vec::new());
            }
            self.next();
            return Ok(vec![TypeSpecifier::TypedefName(identifier_of(token))]);
        }
        if let Some(simple) = simple_type(token.text) {
            self.is_new |= token.text.starts_with("__CPROVER");
            self.next();
            return Ok(vec![simple]);
        }
        if let Some(words) = wide_type(token.text) {
            self.next();
            return Ok(words.to_vec());
        }
        if CPROVER_TYPES.contains(&token.text) {
            return Err(self.refused(&format!("the type `{}`", token.text)));
        }
        self.is_new |= matches!(
            token.text,
            "typeof_unqual" | "_BitInt" | "__CPROVER_bitvector" | "bool"
        );
        let specifier = match token.text {
            "struct" | "union" => self.struct_type()?,
            "enum" => self.enum_type()?,
            "typeof" | "__typeof__" | "__typeof" => self.type_of()?,
            "typeof_unqual" if self.is_at(1, "(") => self.type_of()?,
            "_Atomic" => self.atomic_type()?,
            "_BitInt" => {
                self.next();
                self.expect("(")?;
                let width = Box::new(self.conditional_expression()?);
                self.expect(")")?;
                TypeSpecifier::BitInt(width)
            }
            "__CPROVER_bitvector" => {
                self.next();
                self.expect("[")?;
                let width = Box::new(self.conditional_expression()?);
                self.expect("]")?;
                TypeSpecifier::BitVector(width)
            }
            "bool" if !has_type => {
                self.next();
                TypeSpecifier::Bool
            }
            _ => return Ok(Vec::new()),
        };
        Ok(vec![specifier])
    }

    fn atomic_type(&mut self) -> Parsed<TypeSpecifier> {
        self.next();
        self.expect("(")?;
        let name = self.type_name()?;
        self.expect(")")?;
        Ok(TypeSpecifier::Atomic(name))
    }

    fn type_of(&mut self) -> Parsed<TypeSpecifier> {
        let start = self.next().start;
        self.expect("(")?;
        let operand = if self.is_type_name_at(0) {
            TypeOf::Type(self.type_name()?)
        } else {
            TypeOf::Expression(self.expression()?)
        };
        self.expect(")")?;
        Ok(TypeSpecifier::TypeOf(self.node(start, operand)))
    }

    pub(super) fn type_name(&mut self) -> Parsed<Node<TypeName>> {
        let start = self.peek().start;
        let specifiers = self.specifier_qualifiers()?;
        let declarator = if self.is_any(&["*", "(", "["]) {
            Some(self.abstract_declarator()?)
        } else {
            None
        };
        let name = TypeName {
            specifiers,
            declarator,
        };
        Ok(self.node(start, name))
    }

    /// Specifiers without storage classes, at least a type.
    pub(super) fn specifier_qualifiers(&mut self) -> Parsed<Vec<Node<SpecifierQualifier>>> {
        let specifiers = self.specifiers()?;
        if !specifiers.has_type {
            return Err(self.expected("a type"));
        }
        let convert = |specifier: Node<DeclarationSpecifier>| {
            let node = match specifier.node {
                DeclarationSpecifier::TypeSpecifier(it) => SpecifierQualifier::TypeSpecifier(it),
                DeclarationSpecifier::TypeQualifier(it) => SpecifierQualifier::TypeQualifier(it),
                DeclarationSpecifier::Alignment(it) => SpecifierQualifier::Alignment(it),
                DeclarationSpecifier::Extension(it) => SpecifierQualifier::Extension(it),
                DeclarationSpecifier::StorageClass(_) | DeclarationSpecifier::Function(_) => {
                    let message = "a storage class in a type".to_string();
                    return Err(self.error_at(specifier.span.start, message));
                }
            };
            Ok(Node::new(node, specifier.span))
        };
        specifiers.list.into_iter().map(convert).collect()
    }
}
