//! Formatted output: the text that conversions read, and the number of characters printed.

use crate::syntax::ast::Expression;
use crate::syntax::span::Node;

use crate::host_function::HostFunction;
use crate::ir::{Choice, Expr, Instr};
use crate::types::{FloatType, Type};
use craig_word::Op;

use super::format::{Conversion, Length, Limit, conversions};
use super::function_model::NamedCall;
use super::{Lowering, Result, Value};

impl<'a> Lowering<'a> {
    /// A printing function: the format is its argument `format`, followed by the arguments of the format, or
    /// a `va_list`. The lengths that `%n` stores are those of the texts before it as far as these are known.
    pub(super) fn formatted_output(
        &mut self,
        call: &NamedCall<'a, '_>,
        format: usize,
        is_list: bool,
    ) -> Result<Option<Value>> {
        let is_used = !std::mem::take(&mut self.is_discarded);
        let values = self.evaluate_all(call.arguments)?;
        if self.checks_memory()
            && (call.name.contains("fprintf") || call.name.contains("fwprintf"))
            && let Some(stream) = values.first()
        {
            let stream = self.resized(stream, self.pointer_width())?;
            self.library_call("__craig_use_stream", vec![stream])?;
        }
        let known = (call.arguments.get(format)).and_then(|format| conversions(&format.node));
        let is_counted = !is_list
            && !call.name.ends_with("wprintf")
            && (known.as_ref())
                .is_some_and(|known| known.0.iter().all(|it| it.is_counted() || it.stores()));
        let stores = (known.as_ref()).is_some_and(|known| known.0.iter().any(Conversion::stores));
        match &known {
            Some(known) if !is_list => {
                self.print_arguments(&known.0, &values, format + 1, is_counted)?;
            }
            // The format may contain a `%n` for any pointer, and read the text behind it.
            _ if self.checks_memory() => {
                if call.name.ends_with("wprintf") {
                    return Err(format!("`{}` with a format that is no literal", call.name));
                }
                self.read_format(call.arguments, &values, format, is_list)?;
            }
            Some(known) if !known.0.iter().any(Conversion::stores) => {}
            _ => {
                for value in values.iter().skip(format + 1) {
                    self.may_change(call.name, value);
                }
            }
        }
        let (least, is_exact) = match known {
            Some((_, _, is_exact)) if is_counted && (stores || is_used && !is_exact) => {
                (self.printed_length(&values, format)?, true)
            }
            known => {
                let (least, is_exact) = known.map_or((0, false), |known| (known.1, known.2));
                (self.program.constant(u128::from(least), 32), is_exact)
            }
        };
        self.printed(least, is_exact).map(Some)
    }

    /// A message of <err.h>; its format may be null.
    pub(super) fn message(
        &mut self,
        call: &NamedCall<'a, '_>,
        format: usize,
        is_list: bool,
    ) -> Result<Option<Value>> {
        let text = call.arguments.get(format).ok_or(MISSING)?;
        if self.constant(text) == Ok(0) {
            self.evaluate_all(call.arguments)?;
        } else {
            self.is_discarded = true;
            self.formatted_output(call, format, is_list)?;
        }
        Ok(Some(self.void()))
    }

    /// A message of <err.h> that ends the program with the status before the format.
    pub(super) fn last_message(
        &mut self,
        call: &NamedCall<'a, '_>,
        is_list: bool,
    ) -> Result<Option<Value>> {
        let result = self.message(call, 1, is_list)?;
        self.exit_normally()?;
        Ok(result)
    }

    /// A message of <error.h>: it ends the program unless the status, its first argument, is 0.
    pub(super) fn message_with_status(
        &mut self,
        call: &NamedCall<'a, '_>,
        format: usize,
    ) -> Result<Option<Value>> {
        let status = (call.arguments.first()).ok_or(MISSING)?;
        let status = self.constant(status).map_err(|_| {
            format!(
                "a call of `{}` with a status that is no constant",
                call.name
            )
        })?;
        let result = self.message(call, format, false)?;
        if status != 0 {
            self.exit_normally()?;
        }
        Ok(result)
    }

    /// How many characters conversions print of which the length is known with their arguments; `%n` stores it.
    fn printed_length(&mut self, values: &[Value], format: usize) -> Result<Expr> {
        let text = values.get(format).ok_or(MISSING)?.expr;
        let rest: Result<Vec<_>> = (values[format + 1..].iter())
            .map(|value| self.default_promotion(value.clone()))
            .collect();
        let list = self.rest_area(rest?)?;
        Ok(self
            .library_call("__craig_printed_length", vec![text, list])?
            .expr)
    }

    pub(super) fn checks_memory(&self) -> bool {
        self.options.checks.pointer || self.options.checks.bounds
    }

    /// Reads and writes of the conversions of a format that is known. `is_counted`: what `%n` stores is stored elsewhere.
    fn print_arguments(
        &mut self,
        conversions: &[Conversion],
        values: &[Value],
        first: usize,
        is_counted: bool,
    ) -> Result<()> {
        let mut next = first;
        for conversion in conversions {
            let precision = match conversion.precision {
                Limit::Argument => {
                    let index = next + conversion.n_stars - 1;
                    Some(values.get(index).ok_or(MISSING)?.clone())
                }
                Limit::None | Limit::Number(_) => None,
            };
            next += conversion.n_stars;
            // `%m` takes no argument.
            if conversion.letter == Some('m') {
                continue;
            }
            let target = values.get(next).ok_or(MISSING)?.clone();
            next += 1;
            if conversion.stores() && is_counted {
                continue;
            } else if conversion.stores() {
                self.store_length(&target, conversion.length)?;
            } else if conversion.letter == Some('s') {
                self.read_text(&target, conversion, precision.as_ref())?;
            }
        }
        Ok(())
    }

    /// Reads the text of `%s`, if memory accesses are checked.
    fn read_text(
        &mut self,
        text: &Value,
        conversion: &Conversion,
        precision: Option<&Value>,
    ) -> Result<()> {
        if !matches!(text.ty, Type::Pointer(_)) {
            return Err("`%s` for something that is no pointer".into());
        }
        if !self.checks_memory() {
            return Ok(());
        }
        let width = self.pointer_width();
        let all = self.program.constant(u128::MAX, width);
        let most = match (conversion.precision, precision) {
            (Limit::Number(most), _) => self.program.constant(u128::from(most), width),
            (_, Some(precision)) => {
                let wide = self.resized(precision, width)?;
                let zero = self.program.constant(0, width);
                let negative = self.program.binary(Op::Slt, wide, zero);
                self.program.ite(negative, all, wide)
            }
            _ => all,
        };
        let reader = match conversion.length {
            Length::None => "__craig_read_text",
            _ => "__craig_read_wide_text",
        };
        self.library_call(reader, vec![text.expr, most])?;
        Ok(())
    }

    /// Reads what a format asks for that is not known, or whose arguments are in a list.
    fn read_format(
        &mut self,
        arguments: &'a [Node<Expression>],
        values: &[Value],
        format: usize,
        is_list: bool,
    ) -> Result<()> {
        let text = values.get(format).ok_or(MISSING)?;
        let text = self.resized(text, self.pointer_width())?;
        let list = if is_list {
            values.get(format + 1).ok_or(MISSING)?.expr
        } else {
            let rest = values[format + 1..].to_vec();
            let rest: Result<Vec<_>> = (rest.into_iter())
                .map(|value| self.default_promotion(value))
                .collect();
            debug_assert_eq!(arguments.len(), values.len());
            self.rest_area(rest?)?
        };
        self.library_call("__craig_read_format", vec![text, list])?;
        Ok(())
    }

    /// The number of printed characters: at least `least`, and exactly that if it is exact; or any negative number, where the
    /// output fails, which it does not on this machine.
    fn printed(&mut self, least: Expr, is_exact: bool) -> Result<Value> {
        let zero = self.program.constant(0, 32);
        let printed = self.fresh(32);
        self.emit(Instr::Host {
            reg: printed,
            function: HostFunction::Output,
            format: FloatType::Double,
            arguments: vec![if is_exact { least } else { zero }],
        });
        let printed = self.read(printed);
        let value = if is_exact {
            Value {
                expr: printed,
                ty: Type::INT,
            }
        } else {
            let what = "the number of characters printed";
            self.choose(&Type::INT, Choice::Open(what.into()))?
        };
        let is_negative = self.program.binary(Op::Slt, value.expr, zero);
        let (fails, fits) = if is_exact {
            let fits = self.program.binary(Op::Eq, value.expr, least);
            (is_negative, fits)
        } else {
            let is_broken = self.program.truth(printed);
            let fails = self.program.binary(Op::And, is_broken, is_negative);
            let less = self.program.binary(Op::Slt, value.expr, least);
            (fails, self.program.not(less))
        };
        let condition = self.or(fails, fits);
        self.emit(Instr::Assume { condition });
        Ok(value)
    }

    fn store_length(&mut self, target: &Value, length: Length) -> Result<()> {
        if !matches!(target.ty, Type::Pointer(_)) {
            return Err("`%n` for something that is no pointer".into());
        }
        let width = match length {
            Length::Char => 8,
            Length::Short => 16,
            Length::None => 32,
            Length::Long | Length::Pointer => self.pointer_width(),
            Length::LongLong => 64,
        };
        let value = self.length_written(width)?;
        self.check_write(target.expr, width / 8);
        self.emit(Instr::Store {
            address: target.expr,
            value,
            bytes: width / 8,
        });
        Ok(())
    }

    /// The number of printed characters: any number that is not negative.
    fn length_written(&mut self, width: u32) -> Result<Expr> {
        let reg = self.fresh(width);
        let kind = Choice::Open("the length that `%n` stores".into());
        self.emit(Instr::Choose { reg, kind });
        let value = self.read(reg);
        let zero = self.program.constant(0, width);
        let negative = self.program.binary(Op::Slt, value, zero);
        let condition = self.program.not(negative);
        if width > 16 {
            self.emit(Instr::Assume { condition });
        }
        Ok(value)
    }
}

const MISSING: &str = "a format without the argument of a conversion";
