//! Formats of `printf` and similar functions: the arguments of their conversions (C11 7.21.6.1).

use craig_word::Op;

use super::function_model::NamedCall;
use super::literal::string_units;
use super::{Lowering, Result, Value};
use crate::ir::{Choice, Expr, Instr};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::Type;

/// A conversion of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Conversion {
    /// The number of arguments of its width and precision.
    n_stars: usize,
    length: Length,
    /// The conversion letter; `None` if the format ends before it.
    letter: Option<char>,
}

/// A length modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    None,
    Char,
    Short,
    Long,
    LongLong,
    /// `z` and `t`.
    Pointer,
}

/// The conversions of a format; `None` if it is not a literal, or its conversions use numbered arguments.
fn conversions(format: &Expression) -> Option<Vec<Conversion>> {
    let Expression::StringLiteral(literal) = format else {
        return None;
    };
    let (units, _) = string_units(&literal.node).ok()?;
    let text: Vec<char> = units
        .iter()
        .take_while(|&&unit| unit != 0)
        .map(|&unit| char::from_u32(unit).unwrap_or('?'))
        .collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text[at] != '%' {
            at += 1;
            continue;
        }
        at += 1;
        let mut n_stars = 0;
        while let Some(&c) = text.get(at)
            && (c.is_ascii_digit() || "-+ #0'.*I$".contains(c))
        {
            if c == '$' {
                return None;
            }
            n_stars += usize::from(c == '*');
            at += 1;
        }
        let mut length = Length::None;
        while let Some(&c) = text.get(at)
            && "hljztqL".contains(c)
        {
            length = match (c, length) {
                ('h', Length::Short) => Length::Char,
                ('h', _) => Length::Short,
                ('l', Length::None) => Length::Long,
                ('l' | 'j' | 'q' | 'L', _) => Length::LongLong,
                _ => Length::Pointer,
            };
            at += 1;
        }
        let letter = text.get(at).copied();
        at += 1;
        if letter == Some('%') {
            continue;
        }
        found.push(Conversion {
            n_stars,
            length,
            letter,
        });
    }
    Some(found)
}

/// Whether a call of a printing function may store lengths through its arguments (`%n`).
pub(super) fn may_store_lengths(name: &str, arguments: &[Node<Expression>]) -> bool {
    let plain = name.trim_start_matches('_');
    let format = match plain.strip_prefix("builtin_").unwrap_or(plain) {
        "printf" | "vprintf" | "printk" | "printf_unlocked" | "wprintf" | "vwprintf" => 0,
        "fprintf" | "vfprintf" | "dprintf" | "vdprintf" | "syslog" | "vsyslog" | "fwprintf"
        | "vfwprintf" | "fprintf_unlocked" | "printf_chk" | "vprintf_chk" => 1,
        "fprintf_chk" | "vfprintf_chk" | "dprintf_chk" => 2,
        _ => return false,
    };
    let Some((format, rest)) = arguments.get(format..).and_then(<[_]>::split_first) else {
        return false;
    };
    let stores = |found: Vec<Conversion>| found.iter().any(|it| it.letter == Some('n'));
    !rest.is_empty() && conversions(&format.node).is_none_or(stores)
}

impl<'a> Lowering<'a> {
    /// A printing function: the format is its argument `format`, followed by the arguments of the format, or
    /// a `va_list`. The result and the lengths that `%n` stores are any number.
    pub(super) fn formatted_output(
        &mut self,
        call: &NamedCall<'a, '_>,
        format: usize,
        is_list: bool,
    ) -> Result<Option<Value>> {
        self.store_lengths(call, format, is_list)?;
        self.choose(&Type::INT, Choice::Input(call.name.into()))
            .map(Some)
    }

    fn store_lengths(
        &mut self,
        call: &NamedCall<'a, '_>,
        format: usize,
        is_list: bool,
    ) -> Result<()> {
        let (name, arguments) = (call.name, call.arguments);
        let values = self.evaluate_all(arguments)?;
        let conversions = (arguments.get(format)).and_then(|format| conversions(&format.node));
        let writes = |conversion: &Conversion| conversion.letter == Some('n');
        match conversions {
            Some(conversions) if !conversions.iter().any(writes) => Ok(()),
            Some(conversions) if !is_list => {
                let mut next = format + 1;
                for conversion in conversions {
                    next += conversion.n_stars;
                    if writes(&conversion) {
                        let target = values.get(next).ok_or("`%n` without its argument")?;
                        self.store_length(target, conversion.length)?;
                    }
                    // `%m` takes no argument.
                    next += usize::from(conversion.letter != Some('m'));
                }
                Ok(())
            }
            // The format may contain a `%n` for any pointer.
            _ => {
                for value in values.iter().skip(format + 1) {
                    self.may_change(name, value);
                }
                Ok(())
            }
        }
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
        self.check_access(target.expr, width / 8);
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
