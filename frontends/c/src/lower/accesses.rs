//! What the text of a function or an expression reads, writes and calls: variables by name, members by
//! name, and all else that is accessed through pointers and indices.

use std::collections::{BTreeSet, HashSet};

use lang_c::ast::*;
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

/// What is accessed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Key {
    Variable(String),
    Member(String),
    /// Something that a pointer leads to.
    Pointed,
    /// Anything that a pointer may lead to, members too.
    Any,
}

pub(super) type Keys = BTreeSet<Key>;

/// What a function does by itself, and what it calls.
#[derive(Default)]
pub(super) struct Body {
    pub(super) reads: Keys,
    pub(super) writes: Keys,
    pub(super) calls: BTreeSet<String>,
    pub(super) calls_pointers: bool,
}

/// Collects what a body accesses.
#[derive(Default)]
pub(super) struct Accesses {
    body: Body,
    /// Reads and writes of parts of a variable, by its name.
    parts: Vec<(String, Key, bool)>,
    locals: HashSet<String>,
    local_arrays: HashSet<String>,
}

impl Accesses {
    /// Notes an access to an lvalue.
    fn access(&mut self, lvalue: &Expression, writes: bool) {
        let key = key(lvalue);
        // A member of an element may be behind a pointer.
        let may_be_local = !(matches!(key, Key::Member(_)) && has_index(lvalue));
        if let Some(root) = root(lvalue).filter(|_| may_be_local) {
            self.parts.push((root.to_string(), key, writes));
        } else if writes {
            self.body.writes.insert(key);
        } else {
            self.body.reads.insert(key);
        }
    }
}

/// The variable of which an lvalue is a part, if no pointer leads there. A name with an index is that of
/// an array or a pointer.
pub(super) fn root(lvalue: &Expression) -> Option<&str> {
    match lvalue {
        Expression::Identifier(name) => Some(&name.node.name),
        Expression::Member(member) if member.node.operator.node == MemberOperator::Direct => {
            root(&member.node.expression.node)
        }
        Expression::BinaryOperator(operation)
            if operation.node.operator.node == BinaryOperator::Index =>
        {
            root(&operation.node.lhs.node)
        }
        _ => None,
    }
}

/// Whether an lvalue goes through an index of a name, which is a local array or a pointer.
fn has_index(lvalue: &Expression) -> bool {
    match lvalue {
        Expression::Member(member) => has_index(&member.node.expression.node),
        Expression::BinaryOperator(_) => true,
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Accesses {
    fn visit_declaration(&mut self, declaration: &'ast Declaration, span: &'ast Span) {
        let is_static = declaration.specifiers.iter().any(|specifier| {
            matches!(&specifier.node, DeclarationSpecifier::StorageClass(class)
                if matches!(class.node, StorageClassSpecifier::Static | StorageClassSpecifier::Extern))
        });
        if !is_static {
            for declarator in &declaration.declarators {
                let name = name_of(&declarator.node.declarator);
                let is_array = (declarator.node.declarator.node.derived.iter())
                    .any(|derived| matches!(derived.node, DerivedDeclarator::Array(_)));
                self.local_arrays.extend(name.clone().filter(|_| is_array));
                self.locals.extend(name);
            }
        }
        visit::visit_declaration(self, declaration, span);
    }

    fn visit_parameter_declaration(&mut self, param: &'ast ParameterDeclaration, span: &'ast Span) {
        self.locals
            .extend(param.declarator.as_ref().and_then(name_of));
        visit::visit_parameter_declaration(self, param, span);
    }

    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        match expression {
            Expression::Identifier(name) => {
                let name = name.node.name.clone();
                self.body.reads.insert(Key::Variable(name));
            }
            Expression::Member(_) => self.access(expression, false),
            Expression::UnaryOperator(operation) => match operation.node.operator.node {
                UnaryOperator::Indirection => drop(self.body.reads.insert(Key::Pointed)),
                UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement
                | UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement => {
                    self.access(&operation.node.operand.node, true);
                }
                _ => {}
            },
            Expression::BinaryOperator(operation) => {
                if is_assignment(&operation.node.operator.node) {
                    self.access(&operation.node.lhs.node, true);
                }
                if operation.node.operator.node == BinaryOperator::Index {
                    self.access(expression, false);
                }
            }
            Expression::Call(call) => match &call.node.callee.node {
                Expression::Identifier(name) => {
                    self.body.calls.insert(name.node.name.clone());
                }
                _ => self.body.calls_pointers = true,
            },
            _ => {}
        }
        visit::visit_expression(self, expression, span);
    }
}

/// Finds calls and writes.
pub(super) struct Acts(pub(super) bool);

impl<'ast> Visit<'ast> for Acts {
    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        self.0 |= match expression {
            Expression::Call(_) | Expression::Statement(_) => true,
            Expression::BinaryOperator(operation) => is_assignment(&operation.node.operator.node),
            Expression::UnaryOperator(operation) => steps(&operation.node.operator.node),
            _ => false,
        };
        if !self.0 {
            visit::visit_expression(self, expression, span);
        }
    }
}

pub(super) fn steps(operator: &UnaryOperator) -> bool {
    matches!(
        operator,
        UnaryOperator::PostIncrement
            | UnaryOperator::PostDecrement
            | UnaryOperator::PreIncrement
            | UnaryOperator::PreDecrement
    )
}

pub(super) fn is_assignment(operator: &BinaryOperator) -> bool {
    use BinaryOperator as B;
    matches!(
        operator,
        B::Assign
            | B::AssignMultiply
            | B::AssignDivide
            | B::AssignModulo
            | B::AssignPlus
            | B::AssignMinus
            | B::AssignShiftLeft
            | B::AssignShiftRight
            | B::AssignBitwiseAnd
            | B::AssignBitwiseXor
            | B::AssignBitwiseOr
    )
}

fn name_of(declarator: &Node<Declarator>) -> Option<String> {
    match &declarator.node.kind.node {
        DeclaratorKind::Identifier(name) => Some(name.node.name.clone()),
        DeclaratorKind::Declarator(inner) => name_of(inner),
        DeclaratorKind::Abstract => None,
    }
}

/// What an lvalue accesses.
pub(super) fn key(lvalue: &Expression) -> Key {
    match lvalue {
        Expression::Identifier(name) => Key::Variable(name.node.name.clone()),
        Expression::Member(member) => Key::Member(member.node.identifier.node.name.clone()),
        Expression::BinaryOperator(operation)
            if operation.node.operator.node == BinaryOperator::Index =>
        {
            match &operation.node.lhs.node {
                Expression::Member(member) => Key::Member(member.node.identifier.node.name.clone()),
                _ => Key::Pointed,
            }
        }
        _ => Key::Pointed,
    }
}

/// What a body does to what is not its own. A call of something local is one through a pointer.
pub(super) fn without_locals(accesses: Accesses) -> Body {
    let Accesses {
        mut body,
        parts,
        locals,
        local_arrays,
    } = accesses;
    for (root, key, writes) in parts {
        let is_own = match &key {
            // Of a local pointer, what it points to is not local.
            Key::Pointed | Key::Any => local_arrays.contains(&root),
            Key::Member(_) | Key::Variable(_) => locals.contains(&root),
        };
        if !is_own && writes {
            body.writes.insert(key);
        } else if !is_own {
            body.reads.insert(key);
        }
    }
    let is_own = |key: &Key| matches!(key, Key::Variable(name) if locals.contains(name));
    body.reads.retain(|key| !is_own(key));
    body.writes.retain(|key| !is_own(key));
    let n_calls = body.calls.len();
    body.calls.retain(|name| !locals.contains(name));
    body.calls_pointers |= body.calls.len() < n_calls;
    body
}

/// Functions without a body of which it is known that they change no memory of the program that another
/// operand may look at.
pub(super) fn is_harmless(name: &str) -> bool {
    let plain = name.trim_start_matches('_');
    [
        "VERIFIER_",
        "nondet_",
        "CPROVER_",
        "ESBMC_",
        "builtin_expect",
        "builtin_constant_p",
        "craig_",
    ]
    .iter()
    .any(|prefix| plain.starts_with(prefix))
        || matches!(
            plain,
            "printf"
                | "fprintf"
                | "puts"
                | "putchar"
                | "fputs"
                | "fputc"
                | "putc"
                | "printk"
                | "assert"
                | "assert_fail"
                | "reach_error"
                | "abort"
                | "exit"
                | "Exit"
                | "malloc"
                | "calloc"
                | "alloca"
                | "kmalloc"
                | "assume"
                | "rand"
                | "random"
                | "srand"
                | "getchar"
                | "getpid"
                | "clock"
                | "abs"
                | "labs"
                | "llabs"
                | "fabs"
                | "sqrt"
                | "floor"
                | "ceil"
        )
}

/// The variables and members whose address something in a program takes.
#[derive(Default)]
pub(super) struct Taken {
    pub(super) variables: HashSet<String>,
    pub(super) members: HashSet<String>,
}

impl<'ast> Visit<'ast> for Taken {
    fn visit_unary_operator_expression(
        &mut self,
        operation: &'ast UnaryOperatorExpression,
        span: &'ast Span,
    ) {
        if operation.operator.node == UnaryOperator::Address {
            let operand = &operation.operand.node;
            if let Expression::Member(member) = operand {
                self.members
                    .insert(member.node.identifier.node.name.clone());
            }
            self.variables.extend(root(operand).map(str::to_string));
        }
        visit::visit_unary_operator_expression(self, operation, span);
    }
}
