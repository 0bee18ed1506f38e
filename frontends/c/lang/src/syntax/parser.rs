//! The parser: a recursive descent over the tokens of a translation unit, which knows the names of types.
//!
//! Its depth is that of the brackets of the text. What may be long without brackets is read by loops: operands
//! with their prefixes, operators, assignments, choices, labels, statements without braces.

use super::ast::*;
use super::lexer::{Token, TokenKind, tokens, without_universal_names};
use super::scope::Scopes;
use super::span::{Node, Span};

/// The deepest nesting of brackets.
const MAX_DEPTH: usize = 2_000;

/// Why a text is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    /// The byte at which reading stopped.
    pub(crate) offset: usize,
    pub(crate) message: String,
}

pub(super) type Parsed<T> = Result<T, SyntaxError>;

pub(super) struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token<'t>>,
    at: usize,
    depth: usize,
    /// Whether something was read that compilers for C17 do not know.
    pub(super) is_new: bool,
    pub(super) scopes: Scopes<'t>,
}

/// Parses a text without comments and directives.
pub(crate) fn parse_text(text: &str) -> Result<TranslationUnit, SyntaxError> {
    let mut parser = Parser {
        text,
        tokens: tokens(text),
        at: 0,
        depth: 0,
        is_new: false,
        scopes: Scopes::default(),
    };
    for name in ["__builtin_va_list", "__gnuc_va_list"] {
        parser.scopes.declare(name, true);
    }
    parser.translation_unit()
}

impl<'t> Parser<'t> {
    fn translation_unit(&mut self) -> Parsed<TranslationUnit> {
        let mut items = Vec::new();
        while self.peek().kind != TokenKind::End {
            if self.accept(";") {
                continue;
            }
            items.push(self.external_declaration()?);
        }
        Ok(TranslationUnit {
            items,
            is_new: self.is_new,
        })
    }

    pub(super) fn peek(&self) -> Token<'t> {
        self.tokens[self.at]
    }

    /// A token further on.
    pub(super) fn peek_at(&self, distance: usize) -> Token<'t> {
        let last = self.tokens.len() - 1;
        self.tokens[(self.at + distance).min(last)]
    }

    /// The current token, which is passed.
    pub(super) fn next(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// The number of tokens before the current one, to which [`Self::go_back`] returns.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn go_back(&mut self, position: usize) {
        self.at = position;
    }

    /// Whether the current token is this word or punctuator.
    pub(super) fn is(&self, text: &str) -> bool {
        self.peek().is(text)
    }

    pub(super) fn is_any(&self, texts: &[&str]) -> bool {
        let token = self.peek();
        texts.iter().any(|text| token.is(text))
    }

    /// Whether a token further on is this word or punctuator.
    pub(super) fn is_at(&self, distance: usize, text: &str) -> bool {
        self.peek_at(distance).is(text)
    }

    /// Passes the current token if it is this one.
    pub(super) fn accept(&mut self, text: &str) -> bool {
        let is_it = self.is(text);
        if is_it {
            self.next();
        }
        is_it
    }

    pub(super) fn expect(&mut self, text: &str) -> Parsed<Token<'t>> {
        if self.is(text) {
            return Ok(self.next());
        }
        Err(self.expected(&format!("`{text}`")))
    }

    /// An error at the current token.
    pub(super) fn expected(&self, what: &str) -> SyntaxError {
        let token = self.peek();
        let found = match token.kind {
            TokenKind::End => "the end of the file".to_string(),
            TokenKind::Stray if token.text.len() > 1 => {
                format!("an unfinished literal `{}`", token.text)
            }
            _ => format!("`{}`", token.text.chars().take(40).collect::<String>()),
        };
        let mut message = format!("expected {what}, found {found}");
        let before = self.at.checked_sub(1).map(|last| self.tokens[last]);
        let pairs = [(Some(token), self.peek_at(1)), (before, token)];
        let is_declaration = |&(name, next): &(Option<Token<'_>>, Token<'_>)| {
            name.is_some_and(|name| name.is_identifier() && !self.scopes.is_type(name.text))
                && (next.is_identifier() || next.is("*"))
        };
        if let Some((Some(name), _)) = pairs.into_iter().find(is_declaration) {
            message += &format!("; `{}` is not the name of a type here", name.text);
        }
        self.error_at(token.start, message)
    }

    /// An error about a construct that is not supported, at the current token.
    pub(super) fn refused(&self, what: &str) -> SyntaxError {
        self.error_at(self.peek().start, format!("{what} is not supported"))
    }

    #[allow(
        clippy::unused_self,
        reason = "a function of the parser like the others"
    )]
    pub(super) fn error_at(&self, offset: usize, message: String) -> SyntaxError {
        SyntaxError { offset, message }
    }

    /// Reads what may contain itself.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} levels of nesting");
            return Err(self.error_at(self.peek().start, message));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// The span from a byte to the last token.
    pub(super) fn span_from(&self, start: usize) -> Span {
        let end = self
            .at
            .checked_sub(1)
            .map_or(0, |last| self.tokens[last].end);
        Span::new(start, end.max(start))
    }

    pub(super) fn node<T>(&self, start: usize, node: T) -> Node<T> {
        Node::new(node, self.span_from(start))
    }

    /// The text of a node.
    pub(super) fn text_of(&self, span: Span) -> Option<&'t str> {
        self.text.get(span.start..span.end)
    }

    /// An identifier, whatever it names.
    pub(super) fn identifier(&mut self) -> Parsed<Node<Identifier>> {
        if !self.peek().is_identifier() {
            return Err(self.expected("an identifier"));
        }
        let token = self.next();
        Ok(identifier_of(token))
    }

    /// Adjacent string literals.
    pub(super) fn string_literal(&mut self) -> Parsed<Node<StringLiteral>> {
        let start = self.peek().start;
        let mut parts = Vec::new();
        while self.peek().kind == TokenKind::String {
            parts.push(without_universal_names(self.next().text));
        }
        if parts.is_empty() {
            return Err(self.expected("a string"));
        }
        Ok(self.node(start, parts))
    }

    /// Passes tokens up to the bracket that closes the current one, which is passed, too.
    pub(super) fn skip_brackets(&mut self) -> Parsed<()> {
        let mut depth = 0usize;
        loop {
            let token = self.peek();
            match token.text {
                _ if token.kind == TokenKind::End => return Err(self.expected("a closing bracket")),
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.next();
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

/// The node of an identifier's token.
pub(super) fn identifier_of(token: Token<'_>) -> Node<Identifier> {
    let name = if token.text.contains('\\') {
        without_universal_names(token.text)
    } else {
        token.text.to_string()
    };
    Node::new(Identifier { name }, Span::new(token.start, token.end))
}

impl Token<'_> {
    /// Whether the token is this word or punctuator.
    pub(super) fn is(&self, text: &str) -> bool {
        matches!(self.kind, TokenKind::Word | TokenKind::Punctuator) && self.text == text
    }

    pub(super) fn is_identifier(&self) -> bool {
        self.kind == TokenKind::Word && !is_keyword(self.text)
    }
}

/// Whether a word is reserved in all versions of GNU C. The keywords that C23 adds are not: programs for
/// earlier versions declare `bool` or `true`.
fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "auto"
            | "break"
            | "case"
            | "char"
            | "const"
            | "continue"
            | "default"
            | "do"
            | "double"
            | "else"
            | "enum"
            | "extern"
            | "float"
            | "for"
            | "goto"
            | "if"
            | "inline"
            | "int"
            | "long"
            | "register"
            | "restrict"
            | "return"
            | "short"
            | "signed"
            | "sizeof"
            | "static"
            | "struct"
            | "switch"
            | "typedef"
            | "union"
            | "unsigned"
            | "void"
            | "volatile"
            | "while"
            | "typeof"
            | "asm"
    ) || word.starts_with('_') && is_reserved(word)
}

fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "_Alignas"
            | "_Alignof"
            | "_Atomic"
            | "_BitInt"
            | "_Bool"
            | "_Complex"
            | "_Generic"
            | "_Imaginary"
            | "_Noreturn"
            | "_Static_assert"
            | "_Thread_local"
            | "__alignof"
            | "__alignof__"
            | "__asm"
            | "__asm__"
            | "__attribute"
            | "__attribute__"
            | "__auto_type"
            | "__builtin_offsetof"
            | "__builtin_types_compatible_p"
            | "__builtin_va_arg"
            | "__complex"
            | "__complex__"
            | "__const"
            | "__const__"
            | "__extension__"
            | "__imag"
            | "__imag__"
            | "__inline"
            | "__inline__"
            | "__int128"
            | "__label__"
            | "__real"
            | "__real__"
            | "__restrict"
            | "__restrict__"
            | "__signed"
            | "__signed__"
            | "__thread"
            | "__typeof"
            | "__typeof__"
            | "__volatile"
            | "__volatile__"
            | "__CPROVER_forall"
            | "__CPROVER_exists"
            | "__CPROVER_bool"
            | "__CPROVER_bitvector"
            | "__CPROVER_size_t"
            | "__CPROVER_ssize_t"
    )
}
