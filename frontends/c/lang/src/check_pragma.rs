//! `#pragma CPROVER check push | disable "NAME" | enable "NAME" | pop`, with which programs in CBMC's dialect switch
//! checks off for a part of their text.

use crate::check_kind::CheckKind;
use crate::pragma_attribute::pragmas;

/// CBMC's names of checks, with the kinds of errors that they are about.
const CHECKS: &[(&str, &[CheckKind])] = &[
    ("signed-overflow", &[CheckKind::Overflow]),
    ("unsigned-overflow", &[CheckKind::UnsignedOverflow]),
    ("div-by-zero", &[CheckKind::DivisionByZero]),
    (
        "undefined-shift",
        &[CheckKind::Shift, CheckKind::NegativeShift],
    ),
    ("bounds", &[CheckKind::Index]),
    (
        "pointer",
        &[
            CheckKind::Null,
            CheckKind::Dangling,
            CheckKind::Outside,
            CheckKind::Difference,
        ],
    ),
    ("conversion", &[CheckKind::Conversion]),
    ("pointer-overflow", &[CheckKind::Arithmetic]),
];

/// CBMC's names of other checks, which are not made here, so that there is nothing to switch off.
const OTHER_CHECKS: [&str; 6] = [
    "memory-leak",
    "float-div-by-zero",
    "float-overflow",
    "enum-range",
    "nan",
    "pointer-primitive",
];

/// What is wrong with the first `#pragma CPROVER` that is none of those above, with its byte.
pub(crate) fn wrong_check_pragma(directives: &[(usize, &str)]) -> Option<(usize, String)> {
    pragmas(directives).find_map(|(start, pragma)| {
        let words: Vec<&str> = pragma.split_whitespace().collect();
        let (&"CPROVER", rest) = words.split_first()? else {
            return None;
        };
        let Some((&"check", command)) = rest.split_first() else {
            return Some((start, format!("`#pragma {pragma}`: `check` is expected")));
        };
        let reason = match command {
            ["push" | "pop"] => return None,
            ["disable" | "enable", name] => {
                let name = (name.strip_prefix('"')).and_then(|name| name.strip_suffix('"'));
                let is_known = |name: &str| {
                    OTHER_CHECKS.contains(&name) || CHECKS.iter().any(|row| row.0 == name)
                };
                if name.is_some_and(is_known) {
                    return None;
                }
                "the name of a check in quotation marks is expected, as `\"bounds\"`"
            }
            _ => "`push`, `pop`, `disable \"NAME\"` or `enable \"NAME\"` is expected",
        };
        Some((start, format!("`#pragma {pragma}`: {reason}")))
    })
}

/// The checks that are switched off at a place, one bit for each row of [`CHECKS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DisabledChecks(u8);

impl DisabledChecks {
    /// Whether errors of a kind are not looked for.
    pub(crate) fn contains(self, kind: CheckKind) -> bool {
        (CHECKS.iter().enumerate())
            .any(|(index, (_, kinds))| (self.0 >> index) & 1 == 1 && kinds.contains(&kind))
    }

    /// These checks, after a command with its argument. `CPROVER check enable` takes back what was switched off; it
    /// switches nothing on that was not asked for.
    fn after(mut self, command: &str, name: &str) -> Self {
        let index = CHECKS.iter().position(|row| row.0 == name);
        match (command, index) {
            ("disable", Some(index)) => self.0 |= 1 << index,
            ("enable", Some(index)) => self.0 &= !(1 << index),
            _ => {}
        }
        self
    }
}

/// The checks that are switched off, with the bytes from which on they are.
pub(crate) fn disabled_checks(directives: &[(usize, &str)]) -> Vec<(usize, DisabledChecks)> {
    let mut found = Vec::new();
    let mut current = DisabledChecks::default();
    let mut stack = Vec::new();
    for (start, pragma) in pragmas(directives) {
        let mut words = pragma.split_whitespace();
        if words.next() != Some("CPROVER") || words.next() != Some("check") {
            continue;
        }
        match (words.next(), words.next()) {
            (Some("push"), _) => stack.push(current),
            (Some("pop"), _) => current = stack.pop().unwrap_or_default(),
            (Some(command), Some(name)) => {
                current = current.after(command, name.trim_matches('"'));
            }
            _ => {}
        }
        found.push((start, current));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_switched_off_between_push_and_pop() {
        let lines = [
            (0, "#pragma CPROVER check push"),
            (10, "#pragma CPROVER check disable \"unsigned-overflow\""),
            (20, "# pragma CPROVER check disable \"pointer\""),
            (30, "#pragma CPROVER check enable \"pointer\""),
            (40, "#pragma CPROVER check pop"),
            (50, "#pragma pack(1)"),
        ];
        let found = disabled_checks(&lines);
        let at = |offset, kind| {
            let entry = found.iter().rfind(|entry| entry.0 <= offset);
            entry.is_some_and(|entry| entry.1.contains(kind))
        };
        assert!(!at(5, CheckKind::UnsignedOverflow));
        assert!(at(15, CheckKind::UnsignedOverflow) && !at(15, CheckKind::Overflow));
        assert!(at(25, CheckKind::Null) && !at(35, CheckKind::Null));
        assert!(at(35, CheckKind::UnsignedOverflow) && !at(45, CheckKind::UnsignedOverflow));
        assert_eq!(wrong_check_pragma(&lines), None);
    }

    #[test]
    fn unknown_commands_and_checks_are_errors() {
        let wrong = |line: &str| wrong_check_pragma(&[(7, line)]);
        for line in [
            "#pragma CPROVER check disable \"bound\"",
            "#pragma CPROVER check disable bounds",
            "#pragma CPROVER check disable \"bounds\" \"pointer\"",
            "#pragma CPROVER check toggle \"bounds\"",
            "#pragma CPROVER check disable",
            "#pragma CPROVER check",
            "#pragma CPROVER",
            "#pragma CPROVER checks push",
        ] {
            assert_eq!(wrong(line).map(|found| found.0), Some(7), "{line}");
        }
        for line in [
            "#pragma CPROVER check disable \"nan\"",
            "#pragma CPROVERS",
            "#pragma once",
            "#line 3",
        ] {
            assert_eq!(wrong(line), None, "{line}");
        }
    }
}
