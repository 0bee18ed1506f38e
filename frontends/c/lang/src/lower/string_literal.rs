//! The elements of character constants and string literals, with their prefixes and escapes (C11 6.4.4.4, 6.4.5).

use crate::source::loose_byte;
use crate::types::IntType;

use super::Result;

/// The element type of a prefix, as in glibc's headers.
fn element(prefix: &str) -> Result<IntType> {
    match prefix {
        "" | "u8" => Ok(IntType::CHAR),
        "L" => Ok(IntType::INT),
        "U" => Ok(IntType::UINT),
        "u" => Ok(IntType::new(2, false, 2)),
        _ => Err(format!("the prefix `{prefix}` of a literal")),
    }
}

/// The elements of a string literal without its terminating zero, and their type. A prefix of one part
/// applies to all.
pub(super) fn string_units(literal: &[String]) -> Result<(Vec<u32>, IntType)> {
    let mut ty = IntType::CHAR;
    let mut inner = Vec::new();
    for part in literal {
        let start = part.find('"').ok_or("a string literal without quotes")?;
        let own = element(&part[..start])?;
        if own.size > 1 {
            ty = own;
        }
        let text = part.get(start + 1..part.len().saturating_sub(1));
        inner.push(text.ok_or("a string literal that does not end")?);
    }
    let mut units = Vec::new();
    for text in inner {
        units.extend(unescape(text, ty)?);
    }
    Ok((units, ty))
}

/// Whether the parts of a string literal are one in UTF-8 by their prefixes.
pub(super) fn is_utf8(literal: &[String]) -> bool {
    literal.iter().any(|part| part.starts_with("u8"))
}

/// The value of a character literal, and its type.
pub(super) fn character(text: &str) -> Result<(u32, IntType)> {
    let start = text.find('\'').ok_or("a character literal")?;
    let inner = text.get(start + 1..text.len().saturating_sub(1));
    let inner = inner.ok_or("a character literal that does not end")?;
    let ty = element(&text[..start])?;
    let units = unescape(inner, ty)?;
    if ty.size > 1 {
        // gcc uses the last of several.
        let last = units.last().ok_or("an empty character literal")?;
        return Ok((*last, ty));
    }
    if units.is_empty() || units.len() > 4 {
        return Err(format!("the literal {text}"));
    }
    if start > 0 {
        // C23 6.4.4.4p12; no earlier standard has it.
        return match units[..] {
            [unit] => Ok((unit, IntType::UCHAR)),
            _ => Err(format!("the literal {text}")),
        };
    }
    // gcc packs several characters into one `int`, the last one lowest.
    let mut value = units[0] as u8 as i8 as i32;
    for &unit in &units[1..] {
        value = value << 8 | unit as i32;
    }
    Ok((value as u32, IntType::INT))
}

/// The elements of the text inside a literal.
fn unescape(text: &str, ty: IntType) -> Result<Vec<u32>> {
    let mut out = Vec::new();
    let mut rest = text.chars().peekable();
    let limit = if ty.size == 4 {
        u32::MAX
    } else {
        (1 << ty.width()) - 1
    };
    while let Some(next) = rest.next() {
        if next != '\\' {
            match (loose_byte(next), ty.size) {
                (Some(byte), 1) => out.push(u32::from(byte)),
                (Some(_), _) => return Err("bytes that are not UTF-8 in a wide literal".into()),
                (None, _) => encode(next, ty, &mut out),
            }
            continue;
        }
        let escape = rest.next().ok_or("an escape that ends too soon")?;
        let mut number = |digits: usize, base: u32, mut value: u32| {
            for _ in 0..digits {
                let Some(digit) = rest.peek().and_then(|digit| digit.to_digit(base)) else {
                    break;
                };
                value = value.wrapping_mul(base).wrapping_add(digit);
                rest.next();
            }
            value
        };
        let value = match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' => 27,
            '\\' | '\'' | '"' | '?' => escape as u32,
            '0'..='7' => number(2, 8, escape as u32 - '0' as u32) & limit,
            'x' => number(usize::MAX, 16, 0) & limit,
            'u' | 'U' => {
                let code = number(if escape == 'u' { 4 } else { 8 }, 16, 0);
                let Some(code) = char::from_u32(code) else {
                    return Err(format!("the character `\\{escape}{code:x}`"));
                };
                encode(code, ty, &mut out);
                continue;
            }
            _ => return Err(format!("the escape `\\{escape}`")),
        };
        out.push(value);
    }
    Ok(out)
}

/// A character in UTF-8, UTF-16 or UTF-32, by the width of the elements.
fn encode(character: char, ty: IntType, out: &mut Vec<u32>) {
    match ty.size {
        1 => {
            let mut buffer = [0; 4];
            out.extend(character.encode_utf8(&mut buffer).bytes().map(u32::from));
        }
        2 => {
            let mut buffer = [0; 2];
            out.extend(
                character
                    .encode_utf16(&mut buffer)
                    .iter()
                    .map(|&unit| u32::from(unit)),
            );
        }
        _ => out.push(character as u32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_have_the_elements_that_their_prefix_asks_for() {
        let units = |text: &str| string_units(&[text.to_string()]).unwrap();
        assert_eq!(
            units(r#""a\n\x41\101\0""#),
            (vec![97, 10, 65, 65, 0], IntType::CHAR)
        );
        assert_eq!(units("\"\u{e9}\"").0, [0xc3, 0xa9]);
        assert_eq!(units(r#"L"\x1234z""#), (vec![0x1234, 122], IntType::INT));
        assert_eq!(units(r#"u"\U0001F600""#).0, [0xd83d, 0xde00]);
        assert_eq!(units(r#"U"\U0001F600""#).0, [0x1f600]);
        let parts = ["\"a\"".to_string(), "L\"\u{e9}\"".to_string()];
        assert_eq!(
            string_units(&parts).unwrap(),
            (vec![97, 0xe9], IntType::INT)
        );
        assert!(string_units(&[r#""\q""#.to_string()]).is_err());
    }

    #[test]
    fn characters_have_the_values_that_gcc_gives_them() {
        assert_eq!(character("'a'").unwrap(), (97, IntType::INT));
        assert_eq!(character(r"'\xff'").unwrap().0, u32::MAX);
        assert_eq!(character("'ab'").unwrap().0, 0x6162);
        assert_eq!(character(r"L'\xff'").unwrap(), (255, IntType::INT));
        assert!(character("''").is_err());
        assert_eq!(character(r"u8'\xff'").unwrap(), (255, IntType::UCHAR));
        assert!(character("u8'\u{e9}'").is_err());
    }
}
