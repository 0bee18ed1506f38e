//! Replay of an assignment to the free variables of an execution in the interpreter.

use std::collections::{BTreeMap, HashMap, HashSet};

use craig_mc::Control;
use craig_word::{Evaluator, Node, Term, Terms};

use super::execute::{AddressSpace, Event, Happening, Mark, ObjectId};
use super::interpret::{Changed, Interpreter, Line, Oracle};
use super::ir::{CheckKind, Choice, Location, Program};
use super::machine::End;
use super::object_bytes::ObjectBytes;

/// The values of the free variables in an assignment.
#[derive(Default)]
pub(crate) struct FreeValues {
    /// The values of variables, by term; others are 0.
    pub(crate) values: HashMap<Term, u128>,
    /// The initial bytes of objects without cells that are not zero, by the owner of their contents.
    pub(crate) blanks: HashMap<Term, BTreeMap<u64, u8>>,
}

/// A free choice on one path, with its value.
#[derive(Clone, Debug)]
pub(crate) enum Fact {
    Choose {
        value: u128,
        width: u32,
        at: Location,
    },
    Create {
        base: u64,
        /// The nonzero bytes, by offset.
        bytes: Vec<(u64, u8)>,
        at: Location,
    },
    Outside {
        value: u128,
        width: u32,
        at: Location,
    },
    /// The object at an address got new contents.
    Change {
        base: u64,
        bytes: Vec<(u64, u8)>,
        at: Location,
    },
}

/// A path to an error, replayed.
#[derive(Clone, Debug)]
pub(crate) struct Counterexample {
    pub(crate) text: String,
    pub(crate) at: Location,
    pub(crate) lines: Vec<Line>,
}

/// The facts on the path of a model, in order. The evaluator has its values.
pub(crate) fn facts(
    terms: &Terms,
    space: &AddressSpace,
    events: &[Event],
    model: &FreeValues,
    evaluator: &mut Evaluator<'_>,
) -> Vec<Fact> {
    let mut facts = Vec::new();
    for event in events {
        if evaluator.value(event.guard) == 0 {
            continue;
        }
        let at = event.at;
        let create = |object: ObjectId, cells: &[Term], evaluator: &mut Evaluator<'_>| {
            let info = &space.objects[object as usize];
            let mut bytes = Vec::new();
            for (&cell, &(offset, size)) in cells.iter().zip(&info.shape.cells) {
                // Most elements of a large object do not occur in the formula.
                if matches!(terms.node(cell), Node::Var(_)) && !model.values.contains_key(&cell) {
                    continue;
                }
                let value = evaluator.value(cell);
                let own = (0..size).map(|index| (value >> (8 * index)) as u8);
                bytes.extend((offset..).zip(own).filter(|&(_, byte)| byte != 0));
            }
            Fact::Create {
                base: info.base,
                bytes,
                at,
            }
        };
        facts.push(match &event.what {
            Happening::Choose { value } => Fact::Choose {
                value: evaluator.value(*value),
                width: terms.width(*value),
                at,
            },
            Happening::Outside { value } => Fact::Outside {
                value: evaluator.value(*value),
                width: terms.width(*value),
                at,
            },
            Happening::Create {
                object,
                owner: Some(owner),
                ..
            } => Fact::Create {
                base: space.objects[*object as usize].base,
                bytes: (model.blanks.get(owner).into_iter().flatten())
                    .map(|(&offset, &byte)| (offset, byte))
                    .collect(),
                at,
            },
            Happening::Create { object, cells, .. } => create(*object, cells, evaluator),
            Happening::Change {
                object,
                cells,
                owner,
                condition,
            } => {
                if evaluator.value(*condition) == 0 {
                    continue;
                }
                let (base, mut bytes) = match create(*object, cells, evaluator) {
                    Fact::Create { base, bytes, .. } => (base, bytes),
                    other => unreachable!("{other:?} is no creation"),
                };
                if let Some(owner) = owner {
                    let known = model.blanks.get(owner).into_iter().flatten();
                    bytes = known.map(|(&offset, &byte)| (offset, byte)).collect();
                }
                Fact::Change { base, bytes, at }
            }
            Happening::CreateOne { address, cells } => {
                let address = evaluator.value(*address) as u64;
                match cells
                    .iter()
                    .find(|(object, _)| space.objects[*object as usize].base == address)
                {
                    Some((object, cells)) => create(*object, cells, evaluator),
                    None => continue,
                }
            }
        });
    }
    facts
}

/// The mark that an assignment reaches.
pub(crate) fn reached<'m>(marks: &'m [Mark], evaluator: &mut Evaluator<'_>) -> Option<&'m Mark> {
    marks.iter().find(|mark| evaluator.value(mark.guard) == 1)
}

struct Script {
    facts: std::vec::IntoIter<Fact>,
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
                false => value,
            }),
            other => Err(format!(
                "the run chooses a value where the path has {other:?}"
            )),
        }
    }

    fn create(&mut self, size: u64, at: Location) -> Result<(u64, ObjectBytes), String> {
        match self.next()? {
            Fact::Create {
                base,
                bytes,
                at: place,
            } if place == at => {
                // The object may be larger than the path needed, or smaller than its bound there.
                let mut contents = ObjectBytes::zeros(size);
                for (offset, byte) in bytes {
                    if offset < size && !self.is_plain {
                        contents.set(offset, byte);
                    }
                }
                Ok((base, contents))
            }
            other => Err(format!(
                "the run makes an object where the path has {other:?}"
            )),
        }
    }

    fn changes(&mut self, at: Location) -> Vec<Changed> {
        let mut changes = Vec::new();
        while let Some(Fact::Change { at: place, .. }) = self.facts.as_slice().first()
            && *place == at
            && let Some(Fact::Change { base, bytes, .. }) = self.facts.next()
        {
            changes.push((base, bytes));
        }
        changes
    }

    fn outside(&mut self, width: u32, at: Location) -> Result<u128, String> {
        match self.next()? {
            Fact::Outside {
                value,
                width: own,
                at: place,
            } if own == width && place == at => Ok(value),
            other => Err(format!(
                "the run reads outside of its objects where the path has {other:?}"
            )),
        }
    }
}

/// Runs the program on the facts. An error if the run differs from the path.
pub(crate) fn replay(
    program: &Program,
    facts: Vec<Fact>,
    control: &Control,
) -> Result<(End, Vec<Line>), String> {
    let script = Script {
        facts: facts.into_iter(),
        goes_on: false,
        is_plain: false,
    };
    let mut interpreter = Interpreter::new(program, script)?;
    let end = interpreter.run(control)?;
    Ok((end, interpreter.into_lines()))
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
pub(crate) fn passed(
    program: &Program,
    facts: Vec<Fact>,
    is_plain: bool,
    control: &Control,
) -> Result<(PassedGoals, Vec<Line>), String> {
    debug_assert!(program.passes_goals);
    let script = Script {
        facts: facts.into_iter(),
        goes_on: true,
        is_plain,
    };
    let mut interpreter = Interpreter::new(program, script)?;
    // What was passed before a failure was passed by the facts that were there.
    let _ = interpreter.run_steps(MAX_TEST_STEPS, control);
    let passed = interpreter.passed().clone();
    Ok((passed, interpreter.into_lines()))
}

/// The values of variables, by term, as an evaluator expects them; others are 0.
pub(crate) fn evaluator<'t>(terms: &'t Terms, values: &'t HashMap<Term, u128>) -> Evaluator<'t> {
    Evaluator::new(terms, move |term, _| {
        values.get(&term).copied().unwrap_or(0)
    })
}
