//! Replay of the free choices of one path in the interpreter.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use crate::concrete::interpret::{Changed, Interpreter, Line, Oracle};
use crate::concrete::machine::End;
use crate::concrete::object_bytes::ObjectBytes;
use crate::concrete::relocation::Relocation;
use craig_c_lang::ir::{CheckKind, Choice, Location, Program};
use craig_c_lang::placement::{Layout, Placement};
use craig_model::Stop;

/// A free choice on one path, with its value.
#[derive(Clone, Debug)]
pub enum Fact {
    /// A choice of the program.
    Choose {
        /// The value.
        value: u128,
        /// Its width in bits.
        width: u32,
        /// The place of the choice.
        at: Location,
    },
    /// A new object.
    Create {
        /// Its address.
        base: u64,
        /// The nonzero bytes, by offset.
        bytes: Vec<(u64, u8)>,
        /// The place at which it is made.
        at: Location,
    },
    /// A read from outside of every object.
    Outside {
        /// The value.
        value: u128,
        /// Its width in bits.
        width: u32,
        /// The place of the read.
        at: Location,
    },
    /// The object at an address got new contents.
    Change {
        /// The address of the object.
        base: u64,
        /// The bytes that are not 0, by offset.
        bytes: Vec<(u64, u8)>,
        /// The offsets of those that change, if others keep their values.
        part: Option<Range<u64>>,
        /// The place of the change.
        at: Location,
    },
}

/// A path to an error, replayed.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The error.
    pub text: String,
    /// Its place.
    pub at: Location,
    /// The steps to it.
    pub lines: Vec<Line>,
    /// Whether the path ends in the error with its objects at other addresses, too.
    pub holds_elsewhere: bool,
}

struct Script {
    facts: std::vec::IntoIter<Fact>,
    /// Where the objects are, if it is not where the facts say.
    relocation: Option<Relocation>,
    pointer_width: u32,
    /// Whether inputs behind the last fact are 0.
    goes_on: bool,
    /// Whether contents of new objects, and what variables without a value hold, are 0 instead of what the facts say.
    is_plain: bool,
}

impl Script {
    fn next(&mut self) -> Result<Fact, String> {
        self.facts
            .next()
            .ok_or_else(|| "the run needs more values than the path had".to_string())
    }

    /// A value of a fact, where the objects of the run are.
    fn placed(&self, value: u128, width: u32) -> u128 {
        (self.relocation.as_ref()).map_or(value, |relocation| relocation.value(value, width))
    }

    /// Where the object is that changes next, if that is at a place.
    fn base_of_change(&self, at: Location) -> Option<u64> {
        match self.facts.as_slice().first() {
            Some(Fact::Change {
                at: place, base, ..
            }) if *place == at => Some(self.placed(u128::from(*base), self.pointer_width) as u64),
            _ => None,
        }
    }

    /// The contents of a fact, where the objects of the run are.
    fn contents(&self, bytes: Vec<(u64, u8)>) -> Vec<(u64, u8)> {
        match &self.relocation {
            Some(relocation) => relocation.contents(bytes),
            None => bytes,
        }
    }
}

impl Oracle for Script {
    fn choose(&mut self, kind: &Choice, width: u32, at: Location) -> Result<u128, String> {
        let is_input = matches!(kind, Choice::Input(_) | Choice::Unknown(_));
        if self.goes_on && self.facts.as_slice().is_empty() {
            return Ok(0);
        }
        match self.next()? {
            Fact::Choose {
                value,
                width: own,
                at: place,
            } if own == width && place == at => Ok(match self.is_plain && !is_input {
                true => 0,
                false => self.placed(value, width),
            }),
            other => Err(format!(
                "the run chooses a value where the path has {other:?}"
            )),
        }
    }

    fn create(
        &mut self,
        (size, align): (u64, u64),
        at: Location,
    ) -> Result<(u64, ObjectBytes), String> {
        match self.next()? {
            Fact::Create {
                base,
                bytes,
                at: place,
            } if place == at => {
                // The object may be larger than the path needed, or smaller than its bound there.
                let mut contents = ObjectBytes::zeros(size);
                for (offset, byte) in self.contents(bytes) {
                    if offset < size && !self.is_plain {
                        contents.set(offset, byte);
                    }
                }
                let base = match &mut self.relocation {
                    Some(relocation) => relocation.create(base, size, align)?,
                    None => base,
                };
                Ok((base, contents))
            }
            other => Err(format!(
                "the run makes an object where the path has {other:?}"
            )),
        }
    }

    fn changes(&mut self, at: Location) -> Vec<Changed> {
        let mut changes = Vec::new();
        while let Some(base) = self.base_of_change(at) {
            changes.extend(self.next_change(base, at));
        }
        changes
    }

    fn next_change(&mut self, base: u64, at: Location) -> Option<Changed> {
        if self.base_of_change(at) != Some(base) {
            return None;
        }
        match self.facts.next() {
            Some(Fact::Change { bytes, part, .. }) => Some(Changed {
                base,
                bytes: self.contents(bytes),
                part,
            }),
            _ => None,
        }
    }

    /// The path may have contents behind allocated memory, whose size it leaves open. The run then reads any value: 0.
    fn outside(&mut self, width: u32, at: Location, is_behind: bool) -> Result<u128, String> {
        let is_next = matches!(
            self.facts.as_slice().first(),
            Some(Fact::Outside { width: own, at: place, .. }) if *own == width && *place == at
        );
        if !is_next && is_behind {
            return Ok(0);
        }
        match self.next()? {
            Fact::Outside { value, .. } if is_next => Ok(self.placed(value, width)),
            other => Err(format!(
                "the run reads outside of its objects where the path has {other:?}"
            )),
        }
    }
}

/// Runs the program on the facts. An error if the run differs from the path.
pub fn replay(
    program: &Program,
    facts: Vec<Fact>,
    stop: &Stop,
) -> Result<(End, Vec<Line>), String> {
    replay_where(program, facts, None, stop)
}

fn replay_where(
    program: &Program,
    facts: Vec<Fact>,
    relocation: Option<Relocation>,
    stop: &Stop,
) -> Result<(End, Vec<Line>), String> {
    let script = Script {
        facts: facts.into_iter(),
        relocation,
        pointer_width: program.pointer_width,
        goes_on: false,
        is_plain: false,
    };
    let mut interpreter = Interpreter::new(program, script)?;
    let end = interpreter.run(stop)?;
    Ok((end, interpreter.into_lines()))
}

/// The error that a path ends in, or what becomes of it instead.
///
/// # Errors
/// If the run differs from the path.
pub fn error_of(
    program: &Program,
    facts: Vec<Fact>,
    stop: &Stop,
) -> Result<Result<Counterexample, End>, String> {
    let again = program
        .placement
        .may_matter_to_errors()
        .then(|| facts.clone());
    let (end, lines) = replay(program, facts, stop)?;
    let End::Error { text, at } = end else {
        return Ok(Err(end));
    };
    // Where no part of an address was used, all layouts have the path.
    let holds_elsewhere = again.is_none_or(|facts| ends_elsewhere(program, facts, at, stop));
    Ok(Ok(Counterexample {
        text,
        at,
        lines,
        holds_elsewhere,
    }))
}

/// Whether a path ends in an error at a place with its objects at other addresses.
fn ends_elsewhere(program: &Program, facts: Vec<Fact>, place: Location, stop: &Stop) -> bool {
    let elsewhere = Program {
        placement: Arc::new(Placement::new(Layout::Moved)),
        ..program.clone()
    };
    let Ok(relocation) = Relocation::new(program, &elsewhere) else {
        return false;
    };
    let end = replay_where(&elsewhere, facts, Some(relocation), stop);
    matches!(end, Ok((End::Error { at, .. }, _)) if at == place)
}

/// The steps of a test behind its facts, at most.
const MAX_TEST_STEPS: u64 = 2_000_000;

/// The goals that a run passes, by place and kind.
pub(crate) type PassedGoals = HashSet<(Location, CheckKind)>;

/// Runs a program whose runs go on behind goals, on the facts and then on inputs that are 0, for a limited number
/// of steps: the goals that it passes, and its steps. It may end where the facts do not determine it.
///
/// In a plain run, memory and variables that the program gives no value are 0, whatever the facts say: a compiled
/// program can be made to take it.
pub fn passed(
    program: &Program,
    facts: Vec<Fact>,
    is_plain: bool,
    stop: &Stop,
) -> Result<(PassedGoals, Vec<Line>), String> {
    debug_assert!(program.passes_goals);
    let script = Script {
        facts: facts.into_iter(),
        relocation: None,
        pointer_width: program.pointer_width,
        goes_on: true,
        is_plain,
    };
    let mut interpreter = Interpreter::new(program, script)?;
    // What was passed before a failure was passed by the facts that were there.
    let _ = interpreter.run_steps(MAX_TEST_STEPS, stop);
    let passed = interpreter.passed().clone();
    Ok((passed, interpreter.into_lines()))
}
