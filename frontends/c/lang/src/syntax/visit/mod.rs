//! Walks over syntax trees: a [`Visit`] is told of the nodes in the order of the text, and its functions
//! decide whether to go on to the parts of a node, by the function of their name here.

mod declaration;

use super::ast::*;
use super::span::{Node, Span};

use declaration::{declaration_specifiers, initializer_list};
pub(crate) use declaration::{
    visit_attribute, visit_declaration, visit_declarator, visit_function_declarator,
    visit_init_declarator, visit_initializer, visit_parameter_declaration, visit_type_name,
    visit_type_specifier,
};

/// What is done at the nodes of a tree; by default, their parts are visited.
#[allow(unused_variables, reason = "leaves have no parts")]
pub(crate) trait Visit<'ast> {
    fn visit_translation_unit(&mut self, unit: &'ast TranslationUnit) {
        visit_translation_unit(self, unit);
    }

    fn visit_identifier(&mut self, node: &'ast Identifier, span: &'ast Span) {}

    fn visit_string_literal(&mut self, node: &'ast StringLiteral, span: &'ast Span) {}

    fn visit_expression(&mut self, node: &'ast Expression, span: &'ast Span) {
        visit_expression(self, node, span);
    }

    fn visit_call_expression(&mut self, node: &'ast CallExpression, span: &'ast Span) {
        visit_call_expression(self, node, span);
    }

    fn visit_compound_literal(&mut self, node: &'ast CompoundLiteral, span: &'ast Span) {
        visit_compound_literal(self, node, span);
    }

    fn visit_unary_operator(&mut self, node: &'ast UnaryOperator, span: &'ast Span) {}

    fn visit_unary_operator_expression(
        &mut self,
        node: &'ast UnaryOperatorExpression,
        span: &'ast Span,
    ) {
        visit_unary_operator_expression(self, node, span);
    }

    fn visit_binary_operator(&mut self, node: &'ast BinaryOperator, span: &'ast Span) {}

    fn visit_binary_operator_expression(
        &mut self,
        node: &'ast BinaryOperatorExpression,
        span: &'ast Span,
    ) {
        visit_binary_operator_expression(self, node, span);
    }

    fn visit_va_arg_expression(&mut self, node: &'ast VaArgExpression, span: &'ast Span) {
        visit_va_arg_expression(self, node, span);
    }

    fn visit_clause(&mut self, node: &'ast Clause, span: &'ast Span) {
        visit_clause(self, node, span);
    }

    fn visit_declaration(&mut self, node: &'ast Declaration, span: &'ast Span) {
        visit_declaration(self, node, span);
    }

    fn visit_init_declarator(&mut self, node: &'ast InitDeclarator, span: &'ast Span) {
        visit_init_declarator(self, node, span);
    }

    fn visit_type_name(&mut self, node: &'ast TypeName, span: &'ast Span) {
        visit_type_name(self, node, span);
    }

    fn visit_type_specifier(&mut self, node: &'ast TypeSpecifier, span: &'ast Span) {
        visit_type_specifier(self, node, span);
    }

    fn visit_declarator(&mut self, node: &'ast Declarator, span: &'ast Span) {
        visit_declarator(self, node, span);
    }

    fn visit_function_declarator(&mut self, node: &'ast FunctionDeclarator, span: &'ast Span) {
        visit_function_declarator(self, node, span);
    }

    fn visit_parameter_declaration(&mut self, node: &'ast ParameterDeclaration, span: &'ast Span) {
        visit_parameter_declaration(self, node, span);
    }

    fn visit_attribute(&mut self, node: &'ast Attribute, span: &'ast Span) {
        visit_attribute(self, node, span);
    }

    fn visit_initializer(&mut self, node: &'ast Initializer, span: &'ast Span) {
        visit_initializer(self, node, span);
    }

    fn visit_statement(&mut self, node: &'ast Statement, span: &'ast Span) {
        visit_statement(self, node, span);
    }

    fn visit_labeled_statement(&mut self, node: &'ast LabeledStatement, span: &'ast Span) {
        visit_labeled_statement(self, node, span);
    }

    fn visit_block_item(&mut self, node: &'ast BlockItem, span: &'ast Span) {
        visit_block_item(self, node, span);
    }

    fn visit_function_definition(&mut self, node: &'ast FunctionDefinition, span: &'ast Span) {
        visit_function_definition(self, node, span);
    }
}

pub(crate) fn visit_translation_unit<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    unit: &'ast TranslationUnit,
) {
    for item in &unit.items {
        match &item.node {
            ExternalDeclaration::Declaration(it) => visitor.visit_declaration(&it.node, &it.span),
            ExternalDeclaration::StaticAssert(it) => static_assert(visitor, &it.node),
            ExternalDeclaration::FunctionDefinition(it) => {
                visitor.visit_function_definition(&it.node, &it.span);
            }
        }
    }
}

pub(crate) fn visit_function_definition<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    definition: &'ast FunctionDefinition,
    _: &'ast Span,
) {
    declaration_specifiers(visitor, &definition.specifiers);
    visitor.visit_declarator(&definition.declarator.node, &definition.declarator.span);
    contract(visitor, &definition.contract);
    for it in &definition.declarations {
        visitor.visit_declaration(&it.node, &it.span);
    }
    visitor.visit_statement(&definition.statement.node, &definition.statement.span);
}

fn static_assert<'ast, V: Visit<'ast> + ?Sized>(visitor: &mut V, assertion: &'ast StaticAssert) {
    expression(visitor, &assertion.expression);
    if let Some(message) = &assertion.message {
        visitor.visit_string_literal(&message.node, &message.span);
    }
}

fn expression<'ast, V: Visit<'ast> + ?Sized>(visitor: &mut V, it: &'ast Node<Expression>) {
    visitor.visit_expression(&it.node, &it.span);
}

fn optional<'ast, V: Visit<'ast> + ?Sized>(visitor: &mut V, it: Option<&'ast BoxedExpression>) {
    if let Some(it) = it {
        expression(visitor, it);
    }
}

fn expressions<'ast, V: Visit<'ast> + ?Sized>(visitor: &mut V, list: &'ast [Node<Expression>]) {
    for it in list {
        expression(visitor, it);
    }
}

fn identifier<'ast, V: Visit<'ast> + ?Sized>(visitor: &mut V, it: &'ast Node<Identifier>) {
    visitor.visit_identifier(&it.node, &it.span);
}

fn type_name<'ast, V: Visit<'ast> + ?Sized>(visitor: &mut V, it: &'ast Node<TypeName>) {
    visitor.visit_type_name(&it.node, &it.span);
}

pub(crate) fn visit_expression<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    node: &'ast Expression,
    _: &'ast Span,
) {
    match node {
        Expression::Identifier(it) | Expression::LabelAddress(it) => identifier(visitor, it),
        Expression::Constant(_) => {}
        Expression::StringLiteral(it) => visitor.visit_string_literal(&it.node, &it.span),
        Expression::GenericSelection(it) => generic_selection(visitor, &it.node),
        Expression::Member(it) => {
            expression(visitor, &it.node.expression);
            identifier(visitor, &it.node.identifier);
        }
        Expression::Call(it) => visitor.visit_call_expression(&it.node, &it.span),
        Expression::CompoundLiteral(it) => visitor.visit_compound_literal(&it.node, &it.span),
        Expression::SizeOfTy(it) => type_name(visitor, &it.node.0),
        Expression::SizeOfVal(it) => expression(visitor, &it.node.0),
        Expression::AlignOf(it) => match &it.node {
            AlignOf::Type(name) => type_name(visitor, name),
            AlignOf::Expression(operand) => expression(visitor, operand),
        },
        Expression::UnaryOperator(it) => {
            visitor.visit_unary_operator_expression(&it.node, &it.span);
        }
        Expression::Cast(it) => {
            type_name(visitor, &it.node.type_name);
            expression(visitor, &it.node.expression);
        }
        Expression::BinaryOperator(it) => {
            visitor.visit_binary_operator_expression(&it.node, &it.span);
        }
        Expression::Conditional(it) => {
            expression(visitor, &it.node.condition);
            optional(visitor, it.node.then_expression.as_ref());
            expression(visitor, &it.node.else_expression);
        }
        Expression::Comma(list) => expressions(visitor, list),
        Expression::OffsetOf(it) => {
            type_name(visitor, &it.node.type_name);
            offset_designator(visitor, &it.node.designator.node);
        }
        Expression::VaArg(it) => visitor.visit_va_arg_expression(&it.node, &it.span),
        Expression::Statement(it) => visitor.visit_statement(&it.node, &it.span),
        Expression::TypesCompatible(it) => {
            type_name(visitor, &it.node.first);
            type_name(visitor, &it.node.second);
        }
        Expression::Quantified(it) => {
            for variable in &it.node.variables {
                visitor.visit_declaration(&variable.node, &variable.span);
            }
            expression(visitor, &it.node.body);
        }
    }
}

fn generic_selection<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    selection: &'ast GenericSelection,
) {
    expression(visitor, &selection.expression);
    for association in &selection.associations {
        match &association.node {
            GenericAssociation::Type(it) => {
                type_name(visitor, &it.node.type_name);
                expression(visitor, &it.node.expression);
            }
            GenericAssociation::Default(it) => expression(visitor, it),
        }
    }
}

fn offset_designator<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    designator: &'ast OffsetDesignator,
) {
    identifier(visitor, &designator.base);
    for member in &designator.members {
        match &member.node {
            OffsetMember::Member(it) | OffsetMember::IndirectMember(it) => identifier(visitor, it),
            OffsetMember::Index(it) => expression(visitor, it),
        }
    }
}

pub(crate) fn visit_call_expression<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    call: &'ast CallExpression,
    _: &'ast Span,
) {
    expression(visitor, &call.callee);
    expressions(visitor, &call.arguments);
}

pub(crate) fn visit_compound_literal<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    literal: &'ast CompoundLiteral,
    _: &'ast Span,
) {
    type_name(visitor, &literal.type_name);
    initializer_list(visitor, &literal.initializer_list);
}

pub(crate) fn visit_unary_operator_expression<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    operation: &'ast UnaryOperatorExpression,
    _: &'ast Span,
) {
    visitor.visit_unary_operator(&operation.operator.node, &operation.operator.span);
    expression(visitor, &operation.operand);
}

pub(crate) fn visit_binary_operator_expression<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    operation: &'ast BinaryOperatorExpression,
    _: &'ast Span,
) {
    visitor.visit_binary_operator(&operation.operator.node, &operation.operator.span);
    expression(visitor, &operation.lhs);
    expression(visitor, &operation.rhs);
}

pub(crate) fn visit_va_arg_expression<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    va_arg: &'ast VaArgExpression,
    _: &'ast Span,
) {
    expression(visitor, &va_arg.va_list);
    type_name(visitor, &va_arg.type_name);
}

fn contract<'ast, V: Visit<'ast> + ?Sized>(visitor: &mut V, clauses: &'ast Contract) {
    for clause in clauses {
        visitor.visit_clause(&clause.node, &clause.span);
    }
}

pub(crate) fn visit_clause<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    clause: &'ast Clause,
    _: &'ast Span,
) {
    match clause {
        Clause::Requires(it) | Clause::Ensures(it) | Clause::LoopInvariant(it) => {
            expression(visitor, it);
        }
        Clause::Assigns(groups) | Clause::Frees(groups) => {
            for group in groups {
                optional(visitor, group.condition.as_ref());
                expressions(visitor, &group.targets);
            }
        }
        Clause::Decreases(list) => expressions(visitor, list),
    }
}

pub(crate) fn visit_statement<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    node: &'ast Statement,
    _: &'ast Span,
) {
    match node {
        Statement::Labeled(it) => visitor.visit_labeled_statement(&it.node, &it.span),
        Statement::Compound(items) => {
            for item in items {
                visitor.visit_block_item(&item.node, &item.span);
            }
        }
        Statement::Expression(it) | Statement::Return(it) => optional(visitor, it.as_ref()),
        Statement::If(it) => {
            expression(visitor, &it.node.condition);
            statement(visitor, &it.node.then_statement);
            if let Some(alternative) = &it.node.else_statement {
                statement(visitor, alternative);
            }
        }
        Statement::Switch(it) => {
            expression(visitor, &it.node.expression);
            statement(visitor, &it.node.statement);
        }
        Statement::While(it) => {
            expression(visitor, &it.node.expression);
            contract(visitor, &it.node.contract);
            statement(visitor, &it.node.statement);
        }
        Statement::DoWhile(it) => {
            contract(visitor, &it.node.contract);
            statement(visitor, &it.node.statement);
            expression(visitor, &it.node.expression);
        }
        Statement::For(it) => for_statement(visitor, &it.node),
        Statement::Goto(it) => identifier(visitor, it),
        Statement::ComputedGoto(it) => expression(visitor, it),
        Statement::Continue | Statement::Break => {}
        Statement::Asm(it) => asm_statement(visitor, &it.node),
    }
}

fn statement<'ast, V: Visit<'ast> + ?Sized>(visitor: &mut V, it: &'ast Node<Statement>) {
    visitor.visit_statement(&it.node, &it.span);
}

fn for_statement<'ast, V: Visit<'ast> + ?Sized>(visitor: &mut V, node: &'ast ForStatement) {
    match &node.initializer.node {
        ForInitializer::Empty => {}
        ForInitializer::Expression(it) => expression(visitor, it),
        ForInitializer::Declaration(it) => visitor.visit_declaration(&it.node, &it.span),
        ForInitializer::StaticAssert(it) => static_assert(visitor, &it.node),
    }
    optional(visitor, node.condition.as_ref());
    optional(visitor, node.step.as_ref());
    contract(visitor, &node.contract);
    statement(visitor, &node.statement);
}

fn asm_statement<'ast, V: Visit<'ast> + ?Sized>(visitor: &mut V, node: &'ast AsmStatement) {
    match node {
        AsmStatement::GnuBasic(it) => visitor.visit_string_literal(&it.node, &it.span),
        AsmStatement::GnuExtended(it) => {
            for operand in it.outputs.iter().chain(&it.inputs) {
                expression(visitor, &operand.node.variable_name);
            }
            for label in &it.labels {
                identifier(visitor, label);
            }
        }
    }
}

pub(crate) fn visit_labeled_statement<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    node: &'ast LabeledStatement,
    _: &'ast Span,
) {
    match &node.label.node {
        Label::Identifier(it) => identifier(visitor, it),
        Label::Case(it) => expression(visitor, it),
        Label::CaseRange(it) => {
            expression(visitor, &it.node.low);
            expression(visitor, &it.node.high);
        }
        Label::Default => {}
    }
    statement(visitor, &node.statement);
}

pub(crate) fn visit_block_item<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    item: &'ast BlockItem,
    _: &'ast Span,
) {
    match item {
        BlockItem::Declaration(it) => visitor.visit_declaration(&it.node, &it.span),
        BlockItem::StaticAssert(it) => static_assert(visitor, &it.node),
        BlockItem::Statement(it) => visitor.visit_statement(&it.node, &it.span),
    }
}
