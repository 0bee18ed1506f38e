//! Walks over declarations.

use super::super::ast::*;
use super::super::span::{Node, Span};
use super::{
    Visit, contract, expression, expressions, identifier, optional, static_assert, type_name,
};

pub(crate) fn visit_declaration<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    declaration: &'ast Declaration,
    _: &'ast Span,
) {
    declaration_specifiers(visitor, &declaration.specifiers);
    for it in &declaration.declarators {
        visitor.visit_init_declarator(&it.node, &it.span);
    }
}

pub(crate) fn visit_init_declarator<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    node: &'ast InitDeclarator,
    _: &'ast Span,
) {
    visitor.visit_declarator(&node.declarator.node, &node.declarator.span);
    contract(visitor, &node.contract);
    if let Some(it) = &node.initializer {
        visitor.visit_initializer(&it.node, &it.span);
    }
}

pub(super) fn declaration_specifiers<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    specifiers: &'ast [Node<DeclarationSpecifier>],
) {
    for specifier in specifiers {
        match &specifier.node {
            DeclarationSpecifier::TypeSpecifier(it) => {
                visitor.visit_type_specifier(&it.node, &it.span);
            }
            DeclarationSpecifier::Alignment(it) => alignment(visitor, &it.node),
            DeclarationSpecifier::Extension(list) => extensions(visitor, list),
            DeclarationSpecifier::StorageClass(_)
            | DeclarationSpecifier::TypeQualifier(_)
            | DeclarationSpecifier::Function(_) => {}
        }
    }
}

fn specifier_qualifiers<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    specifiers: &'ast [Node<SpecifierQualifier>],
) {
    for specifier in specifiers {
        match &specifier.node {
            SpecifierQualifier::TypeSpecifier(it) => {
                visitor.visit_type_specifier(&it.node, &it.span);
            }
            SpecifierQualifier::Alignment(it) => alignment(visitor, &it.node),
            SpecifierQualifier::Extension(list) => extensions(visitor, list),
            SpecifierQualifier::TypeQualifier(_) => {}
        }
    }
}

fn alignment<'ast, V: Visit<'ast> + ?Sized>(visitor: &mut V, it: &'ast AlignmentSpecifier) {
    match it {
        AlignmentSpecifier::Type(name) => type_name(visitor, name),
        AlignmentSpecifier::Constant(number) => expression(visitor, number),
    }
}

fn extensions<'ast, V: Visit<'ast> + ?Sized>(visitor: &mut V, list: &'ast [Node<Extension>]) {
    for it in list {
        match &it.node {
            Extension::Attribute(attribute) => visitor.visit_attribute(attribute, &it.span),
            Extension::AsmLabel(label) => visitor.visit_string_literal(&label.node, &label.span),
        }
    }
}

pub(crate) fn visit_attribute<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    attribute: &'ast Attribute,
    _: &'ast Span,
) {
    expressions(visitor, &attribute.arguments);
}

pub(crate) fn visit_type_specifier<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    specifier: &'ast TypeSpecifier,
    _: &'ast Span,
) {
    match specifier {
        TypeSpecifier::Atomic(name) => type_name(visitor, name),
        TypeSpecifier::Struct(it) => struct_type(visitor, &it.node),
        TypeSpecifier::Enum(it) => enum_type(visitor, &it.node),
        TypeSpecifier::TypedefName(it) => identifier(visitor, it),
        TypeSpecifier::TypeOf(it) => match &it.node {
            TypeOf::Expression(operand) => expression(visitor, operand),
            TypeOf::Type(name) => type_name(visitor, name),
        },
        TypeSpecifier::BitInt(width) | TypeSpecifier::BitVector(width) => {
            expression(visitor, width);
        }
        _ => {}
    }
}

fn struct_type<'ast, V: Visit<'ast> + ?Sized>(visitor: &mut V, record: &'ast StructType) {
    extensions(visitor, &record.extensions);
    if let Some(tag) = &record.identifier {
        identifier(visitor, tag);
    }
    for declaration in record.declarations.iter().flatten() {
        match &declaration.node {
            StructDeclaration::Field(field) => {
                specifier_qualifiers(visitor, &field.node.specifiers);
                for declarator in &field.node.declarators {
                    let node = &declarator.node;
                    if let Some(it) = &node.declarator {
                        visitor.visit_declarator(&it.node, &it.span);
                    }
                    optional(visitor, node.bit_width.as_ref());
                    extensions(visitor, &node.extensions);
                }
            }
            StructDeclaration::StaticAssert(it) => static_assert(visitor, &it.node),
        }
    }
}

fn enum_type<'ast, V: Visit<'ast> + ?Sized>(visitor: &mut V, enumeration: &'ast EnumType) {
    extensions(visitor, &enumeration.extensions);
    if let Some(tag) = &enumeration.identifier {
        identifier(visitor, tag);
    }
    if let Some(underlying) = &enumeration.underlying {
        type_name(visitor, underlying);
    }
    for enumerator in enumeration.enumerators.iter().flatten() {
        identifier(visitor, &enumerator.node.identifier);
        optional(visitor, enumerator.node.expression.as_ref());
        extensions(visitor, &enumerator.node.extensions);
    }
}

pub(crate) fn visit_declarator<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    declarator: &'ast Declarator,
    _: &'ast Span,
) {
    match &declarator.kind.node {
        DeclaratorKind::Abstract => {}
        DeclaratorKind::Identifier(it) => identifier(visitor, it),
        DeclaratorKind::Declarator(it) => visitor.visit_declarator(&it.node, &it.span),
    }
    for derived in &declarator.derived {
        match &derived.node {
            DerivedDeclarator::Pointer(qualifiers) => {
                for qualifier in qualifiers {
                    if let PointerQualifier::Extension(list) = &qualifier.node {
                        extensions(visitor, list);
                    }
                }
            }
            DerivedDeclarator::Array(array) => match &array.node.size {
                ArraySize::Unknown | ArraySize::VariableUnknown => {}
                ArraySize::VariableExpression(it) | ArraySize::StaticExpression(it) => {
                    expression(visitor, it);
                }
            },
            DerivedDeclarator::Function(it) => {
                visitor.visit_function_declarator(&it.node, &it.span);
            }
            DerivedDeclarator::KRFunction(names) => {
                for name in names {
                    identifier(visitor, name);
                }
            }
        }
    }
    extensions(visitor, &declarator.extensions);
}

pub(crate) fn visit_function_declarator<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    declarator: &'ast FunctionDeclarator,
    _: &'ast Span,
) {
    for it in &declarator.parameters {
        visitor.visit_parameter_declaration(&it.node, &it.span);
    }
}

pub(crate) fn visit_parameter_declaration<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    parameter: &'ast ParameterDeclaration,
    _: &'ast Span,
) {
    declaration_specifiers(visitor, &parameter.specifiers);
    if let Some(it) = &parameter.declarator {
        visitor.visit_declarator(&it.node, &it.span);
    }
    extensions(visitor, &parameter.extensions);
}

pub(crate) fn visit_type_name<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    name: &'ast TypeName,
    _: &'ast Span,
) {
    specifier_qualifiers(visitor, &name.specifiers);
    if let Some(it) = &name.declarator {
        visitor.visit_declarator(&it.node, &it.span);
    }
}

pub(crate) fn visit_initializer<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    node: &'ast Initializer,
    _: &'ast Span,
) {
    match node {
        Initializer::Expression(it) => expression(visitor, it),
        Initializer::List(list) => initializer_list(visitor, list),
    }
}

pub(super) fn initializer_list<'ast, V: Visit<'ast> + ?Sized>(
    visitor: &mut V,
    list: &'ast [Node<InitializerListItem>],
) {
    for item in list {
        for designator in &item.node.designation {
            match &designator.node {
                Designator::Index(it) => expression(visitor, it),
                Designator::Member(it) => identifier(visitor, it),
                Designator::Range(it) => {
                    expression(visitor, &it.node.from);
                    expression(visitor, &it.node.to);
                }
            }
        }
        let initializer = &item.node.initializer;
        visitor.visit_initializer(&initializer.node, &initializer.span);
    }
}
