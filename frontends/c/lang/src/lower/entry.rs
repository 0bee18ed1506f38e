//! The start function: it initialises static objects, and then calls the entry function.

use craig_word::Op;

use super::builtin::argument;
use super::function_model::NamedCall;
use super::{Lowering, Place, Result, Value};
use crate::ir::{Callee, Choice, Expr, Instr, Location, Storage, Terminator};
use crate::syntax::TranslationUnit;
use crate::syntax::ast::{
    BinaryOperator, BinaryOperatorExpression, Constant, DerivedDeclarator, Expression,
    FunctionDefinition, Identifier,
};
use crate::syntax::span::{Node, Span};
use crate::syntax::visit::{self, Visit};
use crate::types::Type;

/// The number of program arguments with an object; the memory after them has arbitrary values.
const ARGUMENTS: u64 = 16;

/// The standard streams.
const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// The number of texts of the environment: see `environment.c`.
const TEXTS: u64 = 4;

/// What the program does with its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Read {
    Nothing,
    /// It reads those at constant indices that have an object.
    Single,
    Any,
}

impl<'a> Lowering<'a> {
    /// Calls the entry function from block 1 of the start function; block 0 stays open.
    pub(super) fn call_entry(&mut self, entry: &str) -> Result<()> {
        let call = self.builder.block();
        let halt = self.builder.block();
        debug_assert_eq!(call, 1);
        // If constants led to branches, the initialisation continues in the current block.
        let open = std::mem::replace(&mut self.builder.current, halt);
        self.call_at_end()?;
        let done = std::mem::replace(&mut self.builder.current, call);
        self.builder.function.blocks[done as usize].end = Terminator::Halt;
        let id = self.want(entry);
        let definition = self.definitions[entry].function;
        let (source, files_from) = (self.source, self.files_from);
        let locate = |offset: usize| {
            let at = source.location(offset);
            Location {
                file: at.file + files_from,
                ..at
            }
        };
        self.at = locate(definition.span.start);
        // Memory that is left at the end of the program is reported at the entry function's end.
        let end = locate(definition.span.end.saturating_sub(1));
        let (_, ty, _) = self.definition_head(definition)?;
        let args = self.entry_arguments(entry, &ty.params, reads_of_arguments(definition))?;
        self.fill_environment();
        self.assume_streams()?;
        self.call_constructors()?;
        let result = self.scalar_width(&ty.result).map(|width| self.fresh(width));
        self.terminate(Terminator::Call {
            callee: Callee::Direct(id),
            args,
            result,
            next: halt,
        });
        if self.options.checks.leak {
            self.builder.function.blocks[done as usize]
                .instrs
                .push((Instr::CheckLeaks, end));
        }
        self.builder.current = open;
        Ok(())
    }

    /// The arguments of the entry function: `argc`, and an object with the words of `argv`.
    fn entry_arguments(&mut self, entry: &str, params: &[Type], read: Read) -> Result<Vec<Expr>> {
        // The arguments are stored in an object of their own, up to its size.
        let strings = match params {
            [Type::Int(_), Type::Pointer(strings), ..] if matches!(**strings, Type::Pointer(_)) => {
                let array = Type::Array(strings.clone(), Some(ARGUMENTS));
                Some(self.static_object("arguments of the program", &array, true)?)
            }
            _ => None,
        };
        let mut args = Vec::new();
        for (index, param) in params.iter().enumerate() {
            if let Some(object) = strings.filter(|_| index == 1) {
                let address = self.static_address(object);
                args.push(address);
                continue;
            }
            args.push(match self.options.cbmc.is_dialect() {
                true => self.argument_tree(entry, param)?,
                false => self.scalar_argument(entry, param)?,
            });
        }
        if strings.is_some() {
            self.assume_argument_words(args[0], args[1], read);
        }
        if let Some(&argc) = args.first()
            && matches!(params[0], Type::Int(_))
        {
            // C11 5.1.2.2.1: argc is not negative.
            let zero = self.program.constant(0, self.program.width(argc));
            let negative = self.program.binary(Op::Slt, argc, zero);
            let condition = self.program.not(negative);
            self.emit(Instr::Assume { condition });
        }
        Ok(args)
    }

    /// Any value of a scalar type.
    pub(super) fn scalar_argument(&mut self, entry: &str, ty: &Type) -> Result<Expr> {
        let width = self.scalar_width(ty);
        let width = width.ok_or("the entry function has a parameter that is no scalar")?;
        let reg = self.fresh(width);
        let kind = Choice::Input(format!("argument of {entry}"));
        self.emit(Instr::Choose { reg, kind });
        Ok(self.read(reg))
    }

    /// Assumes of the words at `argv` that those before `argc` are not null and that at `argc` is (C11 5.1.2.2.1). Of
    /// a program that reads no arguments, this is said of the first word alone.
    fn assume_argument_words(&mut self, argc: Expr, argv: Expr, read: Read) {
        let is_read = read != Read::Nothing;
        let width = self.pointer_width();
        let number_width = self.program.width(argc);
        for index in 0..if is_read { ARGUMENTS } else { 1 } {
            let address = self.offset(argv, index * u64::from(width / 8));
            if is_read {
                self.argument_text(address, argc, index);
            }
            let word = self.fresh(width);
            self.emit(Instr::Load {
                reg: word,
                address,
                bytes: width / 8,
            });
            let (word, null) = (self.read(word), self.program.constant(0, width));
            let number = (self.program).constant(u128::from(index), number_width);
            let is_null = self.program.binary(Op::Eq, word, null);
            let is_end = self.program.binary(Op::Eq, argc, number);
            let is_there = self.program.binary(Op::Ult, number, argc);
            // `is_null` or not at the end; not `is_null` or not there.
            let (not_null, not_end) = (self.program.not(is_null), self.program.not(is_end));
            let not_there = self.program.not(is_there);
            let at_end = self.or(is_null, not_end);
            let before = self.or(not_null, not_there);
            let condition = self.program.binary(Op::And, at_end, before);
            self.emit(Instr::Assume { condition });
        }
        if read == Read::Any {
            let limit = (self.program).constant(u128::from(ARGUMENTS), number_width);
            let condition = self.program.binary(Op::Ult, argc, limit);
            self.emit(Instr::Assume { condition });
            self.note(format!(
                "the program is taken to be called with an `argc` of at most {}",
                ARGUMENTS - 1
            ));
        }
    }

    /// Makes the word at an address point to an argument of the program, if there are more than `index`: a
    /// text of any length.
    fn argument_text(&mut self, address: Expr, argc: Expr, index: u64) {
        let (some, next) = (self.builder.block(), self.builder.block());
        let number = self
            .program
            .constant(u128::from(index), self.program.width(argc));
        let is_there = self.program.binary(Op::Ult, number, argc);
        self.branch(is_there, some, next, some);
        self.any_text(address);
        self.jump(next, next);
    }

    /// The object with pointers to texts of the environment.
    pub(super) fn make_environment(&mut self) -> Result<()> {
        let array = Type::Array(Self::char_pointer().into(), Some(TEXTS));
        self.environment = Some(self.static_object("texts of the environment", &array, false)?);
        Ok(())
    }

    /// Assumes of the standard streams that they are there and three of them (C11 7.21.1p3), where the program names them.
    fn assume_streams(&mut self) -> Result<()> {
        let streams: Vec<_> = (self.program.statics.iter().enumerate())
            .filter(|(_, object)| object.external && STREAMS.contains(&object.name.as_str()))
            .map(|(id, _)| id as u32)
            .collect();
        let mut known = Vec::new();
        for id in streams {
            let address = self.static_address(id);
            let stream = self
                .load(Place::Memory(address), &Self::char_pointer())?
                .expr;
            let condition = self.program.truth(stream);
            self.emit(Instr::Assume { condition });
            for &other in &known {
                let is_other = self.program.binary(Op::Eq, stream, other);
                let condition = self.program.not(is_other);
                self.emit(Instr::Assume { condition });
            }
            known.push(stream);
        }
        Ok(())
    }

    fn fill_environment(&mut self) {
        let Some(object) = self.environment else {
            return;
        };
        let bytes = u64::from(self.pointer_width() / 8);
        for index in 0..TEXTS {
            let base = self.static_address(object);
            let address = self.offset(base, index * bytes);
            self.any_text(address);
        }
    }

    /// For the library's text: a text of the environment, by its number.
    pub(super) fn environment_text(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let object = self.environment.ok_or("a text of the environment")?;
        let index = self.rvalue(argument(call.arguments, 0)?)?;
        let width = self.pointer_width();
        let index = self.resized(&index, width)?;
        let bytes = self.program.constant(u128::from(width / 8), width);
        let distance = self.program.binary(Op::Mul, index, bytes);
        let base = self.static_address(object);
        let address = self.program.binary(Op::Add, base, distance);
        self.load(Place::Memory(address), &Self::char_pointer())
            .map(Some)
    }

    /// Stores a pointer to a new text of any length.
    fn any_text(&mut self, address: Expr) {
        let width = self.pointer_width();
        let (last, text) = (self.fresh(width), self.fresh(width));
        let kind = Choice::Open("the length of an argument".into());
        self.emit(Instr::Choose { reg: last, kind });
        let last = self.read(last);
        // The largest size that fits (`AddressSpace::capacity`).
        let most = if width == 64 { 1 << 32 } else { 1 << 16 };
        let limit = self.program.constant(most, width);
        let condition = self.program.binary(Op::Ult, last, limit);
        self.emit(Instr::Assume { condition });
        let one = self.program.constant(1, width);
        let size = self.program.binary(Op::Add, last, one);
        self.emit(Instr::Allocate {
            reg: text,
            size,
            element: None,
            zeroed: false,
            storage: Storage::Frame,
            align: 1,
        });
        let text = self.read(text);
        let end = self.program.binary(Op::Add, text, last);
        let zero = self.program.constant(0, 8);
        self.emit(Instr::Store {
            address: end,
            value: zero,
            bytes: 1,
        });
        self.emit(Instr::Store {
            address,
            value: text,
            bytes: width / 8,
        });
    }
}

/// What a function's body does with its second parameter.
fn reads_of_arguments(definition: &Node<FunctionDefinition>) -> Read {
    struct Finder<'n>(&'n str, Read);
    impl<'ast> Visit<'ast> for Finder<'_> {
        fn visit_identifier(&mut self, identifier: &'ast Identifier, _: &'ast Span) {
            if identifier.name == self.0 {
                self.1 = Read::Any;
            }
        }
        fn visit_binary_operator_expression(
            &mut self,
            expression: &'ast BinaryOperatorExpression,
            span: &'ast Span,
        ) {
            let is_named = |operand: &Node<Expression>| matches!(&operand.node, Expression::Identifier(name) if name.node.name == self.0);
            let is_inside = |operand: &Node<Expression>| match &operand.node {
                Expression::Constant(constant) => match &constant.node {
                    Constant::Integer(integer) => integer
                        .number
                        .parse()
                        .is_ok_and(|index: u64| index < ARGUMENTS),
                    _ => false,
                },
                _ => false,
            };
            if expression.operator.node == BinaryOperator::Index
                && is_named(&expression.lhs)
                && is_inside(&expression.rhs)
            {
                if self.1 == Read::Nothing {
                    self.1 = Read::Single;
                }
                return;
            }
            visit::visit_binary_operator_expression(self, expression, span);
        }
    }
    /// The last name that a declarator has.
    struct Name(String);
    impl<'ast> Visit<'ast> for Name {
        fn visit_identifier(&mut self, identifier: &'ast Identifier, _: &'ast Span) {
            self.0.clone_from(&identifier.name);
        }
    }
    let mut name = Name(String::new());
    for derived in &definition.node.declarator.node.derived {
        match &derived.node {
            DerivedDeclarator::Function(function) => {
                if let Some(second) = function.node.parameters.get(1)
                    && let Some(declarator) = &second.node.declarator
                {
                    name.visit_declarator(&declarator.node, &declarator.span);
                }
            }
            DerivedDeclarator::KRFunction(names) => {
                if let Some(second) = names.get(1) {
                    name.0.clone_from(&second.node.name);
                }
            }
            _ => {}
        }
    }
    let mut finder = Finder(&name.0, Read::Nothing);
    let body = &definition.node.statement;
    finder.visit_statement(&body.node, &body.span);
    finder.1
}

/// Whether an expression names a function that returns a text of the environment. Headers declare these functions, too: a program
/// that does not use them has no such texts.
pub(super) fn asks_for_texts(unit: &TranslationUnit) -> bool {
    const NAMES: [&str; 5] = [
        "getenv",
        "secure_getenv",
        "strerror",
        "strsignal",
        "setlocale",
    ];
    struct Finder(bool);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
            if let Expression::Identifier(name) = expression {
                self.0 |= NAMES.contains(&name.node.name.as_str());
            }
            visit::visit_expression(self, expression, span);
        }
    }
    let mut finder = Finder(false);
    finder.visit_translation_unit(unit);
    finder.0
}
