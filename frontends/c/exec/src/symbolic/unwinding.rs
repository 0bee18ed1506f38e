//! Limits on the unrolling of loops and recursion.

use std::collections::HashMap;
use std::str::FromStr;

use crate::symbolic::loop_heads;
use craig_c_lang::ir::{BlockId, FunctionId, Program};

/// The limits of unrolling. Loops and functions without a limit are unrolled with increasing bounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unwinding {
    /// The maximal number of iterations of each loop, and of nested calls of a function.
    pub most: Option<u32>,
    /// Limits of single loops and functions instead.
    pub single: Vec<Limit>,
    /// The numbers of iterations that single loops are thought to need, the last test of the condition included: they are
    /// no limits, but where unrolling starts. Those of functions and loops that there are not have no effect.
    pub hints: Vec<Limit>,
}

/// The limit of one loop, or of the nested calls of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The function.
    pub function: String,
    /// The number of its loop, counted from 0 in the order of the source; `None` for its calls.
    pub number: Option<usize>,
    /// The limit.
    pub most: u32,
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            format!("`{text}`: expected FUNCTION.LOOP:N for a loop, or FUNCTION:N for recursion")
        };
        let (place, most) = text.rsplit_once(':').ok_or_else(expected)?;
        let most = most.parse().map_err(|_| expected())?;
        let (function, number) = match place.rsplit_once('.') {
            Some((function, number)) => (function, Some(number.parse().map_err(|_| expected())?)),
            None => (place, None),
        };
        if function.is_empty() {
            return Err(expected());
        }
        Ok(Self {
            function: function.to_owned(),
            number,
            most,
        })
    }
}

/// The limits, by the loops and functions of a program.
#[derive(Debug, Default)]
pub struct Caps {
    every: Option<u32>,
    loops: HashMap<(FunctionId, BlockId), u32>,
    calls: HashMap<FunctionId, u32>,
    first: HashMap<(FunctionId, BlockId), u32>,
}

/// No hint makes unrolling start with more iterations.
const MOST_AT_FIRST: u32 = 128;

/// What names of the library's models begin with that have a function's result, whatever its checks ask of the arguments.
const EXACT: &str = "__craig_exact_";

/// Whether two names are of one function, of which either may be the one for other files
/// (`__CPROVER_file_local_FILE_c_NAME`), and the second that of the library's model.
fn is_same(name: &str, other: &str) -> bool {
    let other = other.strip_prefix(EXACT).unwrap_or(other);
    let is_exported = |long: &str, short: &str| {
        let local = long.strip_prefix("__CPROVER_file_local_");
        let file = local.and_then(|rest| rest.strip_suffix(short));
        file.is_some_and(|file| file.ends_with("_c_"))
    };
    name == other || is_exported(name, other) || is_exported(other, name)
}

impl Caps {
    /// An error if there is no such function, or no such loop in it.
    pub fn new(program: &Program, unwinding: &Unwinding) -> Result<Self, String> {
        let mut caps = Self {
            every: unwinding.most,
            ..Self::default()
        };
        for limit in &unwinding.single {
            let function = &limit.function;
            let id = (program.functions.iter())
                .position(|known| known.name == *function && !known.blocks.is_empty())
                .ok_or_else(|| format!("the limit of `{function}`: there is no such function"))?;
            match limit.number {
                None => {
                    caps.calls.insert(id as FunctionId, limit.most);
                }
                Some(number) => {
                    let heads = loop_heads(program, id as FunctionId);
                    let head = heads.get(number).ok_or_else(|| {
                        format!(
                            "the limit of `{function}.{number}`: the loops of `{function}` are numbered \
                             from 0, and \
                             there are {}",
                            heads.len()
                        )
                    })?;
                    caps.loops.insert((id as FunctionId, *head), limit.most);
                }
            }
        }
        caps.add_pragmas(program);
        caps.add_hints(program, &unwinding.hints);
        Ok(caps)
    }

    /// Adds what pragmas before loops say.
    fn add_pragmas(&mut self, program: &Program) {
        for (id, function) in program.functions.iter().enumerate() {
            for (&head, of_loop) in &function.loops {
                if let Some(rounds) = of_loop.rounds {
                    let key = (id as FunctionId, head);
                    self.first.insert(key, rounds.min(MOST_AT_FIRST));
                }
            }
        }
    }

    /// Adds what is known of loops without being a limit.
    fn add_hints(&mut self, program: &Program, hints: &[Limit]) {
        for hint in hints {
            let Some(number) = hint.number else {
                continue;
            };
            for (id, function) in program.functions.iter().enumerate() {
                let id = id as FunctionId;
                if function.blocks.is_empty() || !is_same(&hint.function, &function.name) {
                    continue;
                }
                if let Some(&head) = loop_heads(program, id).get(number) {
                    let rounds = hint.most.saturating_sub(1).min(MOST_AT_FIRST);
                    self.first.insert((id, head), rounds);
                }
            }
        }
    }

    /// The number of iterations with which unrolling a loop starts.
    pub fn at_first(&self, function: FunctionId, head: BlockId) -> u32 {
        self.first.get(&(function, head)).copied().unwrap_or(0)
    }

    /// The maximal number of iterations of a loop.
    pub fn of_loop(&self, function: FunctionId, head: BlockId) -> Option<u32> {
        self.loops.get(&(function, head)).copied().or(self.every)
    }

    /// The maximal number of nested calls of a function, the first one included.
    pub(crate) fn of_calls(&self, function: FunctionId) -> Option<u32> {
        self.calls.get(&function).copied().or(self.every)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_has_several_names() {
        let local = "__CPROVER_file_local_list_c_grow";
        for (name, other) in [
            ("grow", "grow"),
            (local, "grow"),
            ("grow", local),
            ("strcmp", "__craig_exact_strcmp"),
        ] {
            assert!(is_same(name, other), "{name} {other}");
        }
        for (name, other) in [
            ("grow", "row"),
            ("row", local),
            ("cmp", "__craig_exact_strcmp"),
        ] {
            assert!(!is_same(name, other), "{name} {other}");
        }
    }

    #[test]
    fn limits_are_read() {
        let limit = |function: &str, number, most| Limit {
            function: function.into(),
            number,
            most,
        };
        assert_eq!("main.0:12".parse(), Ok(limit("main", Some(0), 12)));
        assert_eq!("f:3".parse(), Ok(limit("f", None, 3)));
        for wrong in ["", "f", "f:", ":3", "f.x:3", "f.0:x", ".0:4"] {
            assert!(wrong.parse::<Limit>().is_err(), "{wrong}");
        }
    }
}
