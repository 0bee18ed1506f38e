//! Pragmas before loops that say how many rounds they have: `#pragma unroll N`, `#pragma GCC unroll N` and
//! `#pragma clang loop unroll_count(N)`.

use crate::pragma_attribute::pragmas;

/// What a pragma before a loop says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoopBound {
    /// The loop has about this many rounds.
    Rounds(u32),
    /// What stands for the number is none.
    NoNumber,
}

/// The bounds, with the bytes of their lines. Pragmas without a number, and those that ask a compiler not to unroll, say nothing.
pub(crate) fn loop_bounds(directives: &[(usize, &str)]) -> Vec<(usize, LoopBound)> {
    let bounds =
        pragmas(directives).filter_map(|(start, pragma)| Some((start, bound(argument(pragma)?)?)));
    bounds.collect()
}

/// The text of the number.
fn argument(pragma: &str) -> Option<&str> {
    let after = |text: &str, word: &str| -> Option<usize> {
        let rest = text.strip_prefix(word)?;
        rest.starts_with([' ', '\t', '('])
            .then(|| text.len() - rest.len())
    };
    let gcc = pragma.strip_prefix("GCC").map_or(pragma, str::trim_start);
    if let Some(length) = after(gcc, "unroll") {
        return Some(gcc[length..].trim());
    }
    let options = pragma.strip_prefix("clang")?.trim_start();
    let options = options.strip_prefix("loop")?;
    let (_, rest) = options.split_once("unroll_count")?;
    let inner = rest.trim_start().strip_prefix('(')?;
    Some(
        inner
            .split_once(')')
            .map_or(inner, |(number, _)| number)
            .trim(),
    )
}

fn bound(text: &str) -> Option<LoopBound> {
    let text = match text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    {
        Some(inner) => inner.trim(),
        None => text,
    };
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let number = match digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    match number {
        // A compiler is asked not to unroll.
        Ok(0 | 1) => None,
        Ok(number) => Some(LoopBound::Rounds(number.try_into().unwrap_or(u32::MAX))),
        Err(_) => Some(LoopBound::NoNumber),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_rounds_are_read() {
        let read = |line: &str| loop_bounds(&[(3, line)]).first().map(|found| found.1);
        for line in [
            "#pragma unroll 8",
            "# pragma unroll(8)",
            "#pragma GCC unroll 8",
            "#pragma GCC unroll 0x8u",
            "#pragma clang loop unroll_count(8)",
            "#pragma clang loop vectorize(enable) unroll_count( 8 )",
        ] {
            assert_eq!(read(line), Some(LoopBound::Rounds(8)), "{line}");
        }
        for line in [
            "#pragma unroll",
            "#pragma nounroll",
            "#pragma GCC unroll 1",
            "#pragma clang loop unroll(full)",
            "#pragma unroll_and_jam 4",
            "#pragma GCC ivdep",
            "#pragma pack(8)",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
        assert_eq!(read("#pragma unroll ROUNDS"), Some(LoopBound::NoNumber));
    }
}
