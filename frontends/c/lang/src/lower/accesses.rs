//! The reads, writes and calls in the text of a function or an expression: variables by name, members by
//! name, and other accesses through pointers and indices.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::syntax::ast::*;
use crate::syntax::span::{Node, Span};
use crate::syntax::visit::{self, Visit};

use super::cleaned::cleaned_variables;
use super::format::may_store_lengths;
use super::unit::name_of;

/// The target of an access.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Key {
    Variable(String),
    Member(String),
    /// Part of an object, identified by its spelling.
    Exact(String),
    /// An object that a pointer points to.
    Pointed,
    /// Any object or member that a pointer may point to.
    Any,
}

pub(super) type Keys = BTreeSet<Key>;

/// The accesses of a function itself, and its calls.
#[derive(Default)]
pub(super) struct Body {
    pub(super) reads: Keys,
    pub(super) writes: Keys,
    pub(super) calls: BTreeSet<String>,
    pub(super) calls_pointers: bool,
    /// Whether control may come back to where it was: a loop, a jump backwards or to a computed place.
    pub(super) goes_back: bool,
    pub(super) labels: BTreeSet<String>,
}

/// The kind of a name that a body declares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Local {
    /// An entire object of the frame.
    Array,
    /// An object that may be a pointer.
    Other,
    /// An object of this name has static storage duration.
    Lasting,
    /// A function that is defined elsewhere.
    Function,
}

/// Collects the accesses of a body to objects that are not its own.
pub(super) struct Accesses {
    pub(super) body: Body,
    /// The names that each enclosing block has declared so far, outermost first.
    scopes: Vec<HashMap<String, Local>>,
    /// Whether the current declaration has static storage duration, or is an `extern` one.
    is_lasting: bool,
}

impl Accesses {
    pub(super) fn new() -> Self {
        Self {
            body: Body::default(),
            scopes: vec![HashMap::new()],
            is_lasting: false,
        }
    }

    fn local(&self, name: &str) -> Option<Local> {
        let mut found = self.scopes.iter().rev().filter_map(|names| names.get(name));
        found.next().copied()
    }

    fn declare(&mut self, declarator: &Node<Declarator>) {
        let Some(name) = name_of(declarator).map(str::to_owned) else {
            return;
        };
        let derived = &declarator.node.derived;
        let is_array = matches!(
            derived.first().map(|it| &it.node),
            Some(DerivedDeclarator::Array(_))
        );
        let is_plain = matches!(declarator.node.kind.node, DeclaratorKind::Identifier(_));
        let local = match self.is_lasting {
            _ if is_function(declarator) => Local::Function,
            true => Local::Lasting,
            false if is_array && is_plain => Local::Array,
            false => Local::Other,
        };
        if let Some(names) = self.scopes.last_mut() {
            names.insert(name, local);
        }
    }

    /// Records an access to an lvalue.
    fn access(&mut self, lvalue: &Expression, writes: bool) {
        let key = key(lvalue);
        // A member of an element may be behind a pointer.
        let may_be_local = !(matches!(key, Key::Member(_)) && has_index(lvalue));
        let local = root(lvalue)
            .filter(|_| may_be_local)
            .and_then(|root| self.local(root));
        let is_own = match local {
            None | Some(Local::Lasting | Local::Function) => false,
            Some(Local::Array) => true,
            // The object that a pointer points to is not local.
            Some(Local::Other) => !matches!(key, Key::Pointed | Key::Any),
        };
        if is_own {
            return;
        }
        if writes {
            self.body.writes.insert(key);
        } else {
            self.body.reads.insert(key);
        }
    }

    /// Visits the subexpressions that the designation of an object evaluates.
    fn designate(&mut self, lvalue: &Expression, span: &Span) {
        match lvalue {
            Expression::Identifier(_) => {}
            Expression::Member(member) if member.node.operator.node == MemberOperator::Direct => {
                let inner = &member.node.expression;
                self.designate(&inner.node, &inner.span);
            }
            Expression::Member(member) => {
                let inner = &member.node.expression;
                self.visit_expression(&inner.node, &inner.span);
            }
            Expression::BinaryOperator(operation)
                if operation.node.operator.node == BinaryOperator::Index =>
            {
                let (array, index) = (&operation.node.lhs, &operation.node.rhs);
                match &array.node {
                    // An array in a record, or a pointer in it.
                    Expression::Member(_) => {
                        self.access(&array.node, false);
                        self.designate(&array.node, &array.span);
                    }
                    _ => self.visit_expression(&array.node, &array.span),
                }
                self.visit_expression(&index.node, &index.span);
            }
            Expression::UnaryOperator(operation)
                if operation.node.operator.node == UnaryOperator::Indirection =>
            {
                let inner = &operation.node.operand;
                self.visit_expression(&inner.node, &inner.span);
            }
            _ => self.visit_expression(lvalue, span),
        }
    }
}

/// The variable of which an lvalue is a part, if it is not accessed through a pointer. A name with an index
/// is that of an array or a pointer.
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
        let outer = self.is_lasting;
        self.is_lasting = is_lasting(declaration);
        let cleaned = cleaned_variables(declaration).into_iter();
        self.body.calls.extend(cleaned.map(|it| it.1.to_string()));
        visit::visit_declaration(self, declaration, span);
        self.is_lasting = outer;
    }

    fn visit_init_declarator(&mut self, declarator: &'ast InitDeclarator, span: &'ast Span) {
        self.declare(&declarator.declarator);
        visit::visit_init_declarator(self, declarator, span);
    }

    fn visit_parameter_declaration(&mut self, param: &'ast ParameterDeclaration, span: &'ast Span) {
        if let Some(declarator) = &param.declarator
            && let Some(name) = name_of(declarator).map(str::to_owned)
            && let Some(names) = self.scopes.last_mut()
        {
            // An array as a parameter is a pointer.
            names.insert(name, Local::Other);
        }
        visit::visit_parameter_declaration(self, param, span);
    }

    fn visit_function_declarator(&mut self, function: &'ast FunctionDeclarator, span: &'ast Span) {
        // The parameters of the function itself are declared outside of all blocks.
        let is_inner = self.scopes.len() > 1;
        if is_inner {
            self.scopes.push(HashMap::new());
        }
        visit::visit_function_declarator(self, function, span);
        if is_inner {
            self.scopes.pop();
        }
    }

    fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast Span) {
        match statement {
            Statement::While(_)
            | Statement::DoWhile(_)
            | Statement::For(_)
            | Statement::ComputedGoto(_) => {
                self.body.goes_back = true;
            }
            Statement::Labeled(labeled) => {
                if let Label::Identifier(name) = &labeled.node.label.node {
                    self.body.labels.insert(name.node.name.clone());
                }
            }
            // Only labels that stand before the jump lead back.
            Statement::Goto(name) => {
                self.body.goes_back |= self.body.labels.contains(&name.node.name);
            }
            _ => {}
        }
        self.scopes.push(HashMap::new());
        visit::visit_statement(self, statement, span);
        self.scopes.pop();
    }

    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        match expression {
            Expression::Identifier(name) => {
                let name = name.node.name.clone();
                if !matches!(self.local(&name), Some(Local::Array | Local::Other)) {
                    self.body.reads.insert(Key::Variable(name));
                }
                return;
            }
            Expression::Member(_) => {
                self.access(expression, false);
                return self.designate(expression, span);
            }
            Expression::UnaryOperator(operation) => match &operation.node.operator.node {
                UnaryOperator::Indirection => drop(self.body.reads.insert(Key::Pointed)),
                UnaryOperator::Address => {
                    let operand = &operation.node.operand;
                    return self.designate(&operand.node, &operand.span);
                }
                operator if steps(operator) => {
                    let operand = &operation.node.operand;
                    self.access(&operand.node, false);
                    self.access(&operand.node, true);
                    return self.designate(&operand.node, &operand.span);
                }
                _ => {}
            },
            Expression::BinaryOperator(operation) => {
                let operator = &operation.node.operator.node;
                let (left, right) = (&operation.node.lhs, &operation.node.rhs);
                if is_assignment(operator) {
                    self.access(&left.node, true);
                    if *operator != BinaryOperator::Assign {
                        self.access(&left.node, false);
                    }
                    self.designate(&left.node, &left.span);
                    return self.visit_expression(&right.node, &right.span);
                }
                if *operator == BinaryOperator::Index {
                    self.access(expression, false);
                }
            }
            Expression::Call(call) => match &call.node.callee.node {
                Expression::Identifier(name)
                    if matches!(self.local(&name.node.name), None | Some(Local::Function)) =>
                {
                    self.body.calls.insert(name.node.name.clone());
                    if may_store_lengths(&name.node.name, &call.node.arguments) {
                        self.body.writes.insert(Key::Any);
                    }
                    for argument in &call.node.arguments {
                        self.visit_expression(&argument.node, &argument.span);
                    }
                    return;
                }
                _ => self.body.calls_pointers = true,
            },
            Expression::VaArg(argument) => self.access(&argument.node.va_list.node, true),
            _ => {}
        }
        visit::visit_expression(self, expression, span);
    }
}

/// Whether a declaration has static storage duration, or is an `extern` one.
pub(super) fn is_lasting(declaration: &Declaration) -> bool {
    declaration.specifiers.iter().any(|specifier| {
        matches!(&specifier.node, DeclarationSpecifier::StorageClass(class)
            if matches!(class.node, StorageClassSpecifier::Static | StorageClassSpecifier::Extern))
    })
}

/// Finds calls and writes.
pub(super) struct Acts(pub(super) bool);

impl<'ast> Visit<'ast> for Acts {
    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        self.0 |= match expression {
            Expression::Call(_) | Expression::Statement(_) | Expression::VaArg(_) => true,
            Expression::BinaryOperator(operation) => is_assignment(&operation.node.operator.node),
            Expression::UnaryOperator(operation) => steps(&operation.node.operator.node),
            _ => false,
        };
        if !self.0 {
            visit::visit_expression(self, expression, span);
        }
    }
}

/// Finds what may be lowered only once: labels, and objects that live longer than a call.
pub(super) struct Unique(pub(super) bool);

impl<'ast> Visit<'ast> for Unique {
    fn visit_declaration(&mut self, declaration: &'ast Declaration, span: &'ast Span) {
        self.0 |= is_lasting(declaration);
        visit::visit_declaration(self, declaration, span);
    }

    fn visit_labeled_statement(&mut self, labeled: &'ast LabeledStatement, span: &'ast Span) {
        self.0 |= matches!(labeled.label.node, Label::Identifier(_));
        visit::visit_labeled_statement(self, labeled, span);
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

/// Whether a declarator is that of a function: in parentheses, too, but no pointer.
fn is_function(declarator: &Node<Declarator>) -> bool {
    let Declarator { kind, derived, .. } = &declarator.node;
    match (&kind.node, derived.first().map(|it| &it.node)) {
        (DeclaratorKind::Identifier(_), first) => matches!(
            first,
            Some(DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_))
        ),
        (DeclaratorKind::Declarator(inner), first) => {
            let is_name = inner.node.derived.is_empty()
                && matches!(inner.node.kind.node, DeclaratorKind::Identifier(_));
            is_function(inner)
                || is_name
                    && matches!(
                        first,
                        Some(DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_))
                    )
        }
        _ => false,
    }
}

/// The target of an access to an lvalue.
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

/// The variables whose address something in a program takes.
#[derive(Default)]
pub(super) struct Taken {
    pub(super) variables: HashSet<String>,
    /// Objects with static storage duration that functions declare.
    pub(super) lasting: HashSet<String>,
    /// Names that occur other than as the callee of a call.
    pub(super) named: HashSet<String>,
    /// Functions that a block declares.
    pub(super) inner_functions: HashSet<String>,
    is_inside: bool,
}

impl<'ast> Visit<'ast> for Taken {
    fn visit_function_definition(&mut self, function: &'ast FunctionDefinition, span: &'ast Span) {
        self.is_inside = true;
        visit::visit_function_definition(self, function, span);
        self.is_inside = false;
    }

    fn visit_declaration(&mut self, declaration: &'ast Declaration, span: &'ast Span) {
        if self.is_inside && is_lasting(declaration) {
            let names = declaration.declarators.iter();
            let names = names.filter_map(|it| name_of(&it.node.declarator));
            self.lasting.extend(names.map(str::to_owned));
        }
        let cleaned = cleaned_variables(declaration).into_iter();
        self.variables.extend(cleaned.map(|it| it.0.to_string()));
        if self.is_inside {
            let functions = declaration.declarators.iter().map(|it| &it.node.declarator);
            let functions = functions.filter(|it| is_function(it));
            self.inner_functions
                .extend(functions.filter_map(name_of).map(str::to_owned));
        }
        visit::visit_declaration(self, declaration, span);
    }

    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        match expression {
            Expression::Identifier(name) => {
                if !self.named.contains(&name.node.name) {
                    self.named.insert(name.node.name.clone());
                }
            }
            Expression::Call(call)
                if matches!(call.node.callee.node, Expression::Identifier(_)) =>
            {
                for argument in &call.node.arguments {
                    self.visit_expression(&argument.node, &argument.span);
                }
            }
            _ => visit::visit_expression(self, expression, span),
        }
    }

    fn visit_unary_operator_expression(
        &mut self,
        operation: &'ast UnaryOperatorExpression,
        span: &'ast Span,
    ) {
        if operation.operator.node == UnaryOperator::Address {
            let operand = &operation.operand.node;
            self.variables.extend(root(operand).map(str::to_string));
        }
        visit::visit_unary_operator_expression(self, operation, span);
    }
}
