//! Formats of `printf` and similar functions: the arguments of their conversions (C11 7.21.6.1).

use super::string_literal::string_units;
use crate::syntax::ast::*;
use crate::syntax::span::Node;

/// A conversion of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Conversion {
    /// The number of arguments of its width and precision.
    pub(super) n_stars: usize,
    pub(super) precision: Limit,
    pub(super) length: Length,
    /// The conversion letter; `None` if the format ends before it.
    pub(super) letter: Option<char>,
}

impl Conversion {
    /// Whether its arguments determine how many characters it prints.
    pub(super) fn is_counted(&self) -> bool {
        matches!(self.letter, Some('d' | 'i' | 'u' | 'x' | 'X' | 'o'))
            || matches!(self.letter, Some('c' | 's')) && self.length == Length::None
    }

    /// Whether it stores the number of characters so far (`%n`).
    pub(super) fn stores(&self) -> bool {
        self.letter == Some('n')
    }
}

/// A precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    None,
    Number(u32),
    Argument,
}

/// A length modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    None,
    Char,
    Short,
    Long,
    LongLong,
    /// `z` and `t`.
    Pointer,
}

/// The conversions of a format, the least number of characters that it prints, and whether it always prints
/// that many; `None` if it is not a literal, or its conversions use numbered arguments.
pub(super) fn conversions(format: &Expression) -> Option<(Vec<Conversion>, u32, bool)> {
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
    let (mut least, mut is_exact) = (0, true);
    let mut at = 0;
    while at < text.len() {
        at += 1;
        if text[at - 1] != '%' {
            least += 1;
            continue;
        }
        let (conversion, width, next) = conversion_at(&text, at)?;
        at = next;
        let shortest = match conversion.letter {
            Some('%') => {
                least += 1;
                continue;
            }
            Some('c') if conversion.length == Length::None => 1,
            Some('n') => {
                found.push(conversion);
                continue;
            }
            // The precision 0 of the number 0 prints nothing.
            Some('d' | 'i' | 'u' | 'x' | 'X' | 'o') if conversion.precision == Limit::None => {
                is_exact = false;
                1
            }
            Some('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' | 'p') => {
                is_exact = false;
                1
            }
            _ => {
                is_exact = false;
                0
            }
        };
        is_exact &= conversion.n_stars == 0;
        least += width.max(shortest);
        found.push(conversion);
    }
    Some((found, least, is_exact))
}

/// The conversion whose text begins at an index behind `%`, its width, and the index behind it.
fn conversion_at(text: &[char], mut at: usize) -> Option<(Conversion, u32, usize)> {
    let number = |at: &mut usize| {
        let mut value = 0u32;
        while let Some(digit) = text.get(*at).and_then(|c| c.to_digit(10)) {
            value = value.saturating_mul(10).saturating_add(digit).min(1 << 20);
            *at += 1;
        }
        value
    };
    while text.get(at).is_some_and(|&c| "-+ #0'I".contains(c)) {
        at += 1;
    }
    let mut n_stars = 0;
    let mut width = 0;
    if text.get(at) == Some(&'*') {
        n_stars += 1;
        at += 1;
    } else {
        width = number(&mut at);
    }
    if text.get(at) == Some(&'$') {
        return None;
    }
    let mut precision = Limit::None;
    if text.get(at) == Some(&'.') {
        at += 1;
        if text.get(at) == Some(&'*') {
            n_stars += 1;
            at += 1;
            precision = Limit::Argument;
        } else {
            precision = Limit::Number(number(&mut at));
        }
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
    let conversion = Conversion {
        n_stars,
        precision,
        length,
        letter,
    };
    Some((conversion, width, at + 1))
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
    let stores = |found: &Vec<Conversion>| found.iter().any(Conversion::stores);
    !rest.is_empty() && conversions(&format.node).is_none_or(|found| stores(&found.0))
}
