//! Values and names in the notation of SMT-LIB.

use std::fmt::Write as _;

use craig_word::{ArrayValue, BitVector, Value};

use crate::sort::Sort;
use crate::syntax::is_simple;
use crate::terms::is_reserved;

/// A name as it is written: between bars where it has to be.
pub(crate) fn symbol(name: &str) -> String {
    let starts = name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    match starts && name.chars().all(is_simple) && !is_reserved(name) {
        true => name.to_owned(),
        false => format!("|{name}|"),
    }
}

/// A constant of words.
pub(crate) fn bits(value: &BitVector) -> String {
    let width = value.width();
    let digit = |low: u32, n: u32| {
        (0..n)
            .map(|bit| u32::from(value.bit(low + bit)) << bit)
            .sum::<u32>()
    };
    let (step, mut text) = match width % 4 {
        0 => (4, "#x".to_owned()),
        _ => (1, "#b".to_owned()),
    };
    for place in (0..width / step).rev() {
        let digit = char::from_digit(digit(place * step, step), 16);
        text.extend(digit);
    }
    text
}

/// A value of a sort.
pub(crate) fn value(value: &Value, sort: Sort) -> String {
    match (value, sort) {
        (Value::Bits(value), Sort::Bool) => value.bit(0).to_string(),
        (Value::Bits(value), _) => bits(value),
        (Value::Array(value), sort) => array(value, sort),
    }
}

fn array(value: &ArrayValue, sort: Sort) -> String {
    let mut text = "(store ".repeat(value.entries().len());
    let _ = write!(
        text,
        "((as const {sort}) {})",
        bits(value.default_element())
    );
    for (index, element) in value.entries() {
        let _ = write!(text, " {} {})", bits(index), bits(element));
    }
    text
}
