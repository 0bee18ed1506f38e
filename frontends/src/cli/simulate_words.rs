//! `craig simulate` for circuits in BTOR2: words and memories by name.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use craig_hardware::btor2::Btor2;
use craig_hardware::btor2::evaluate::StepValues;
use craig_hardware::btor2::trace::binary;
use craig_word::{BitVector, Sort, Value};

use super::circuits::name_of;
use super::dump::{Dump, Scope};
use super::waves::{Signal, Waves};

/// The names of inputs and states.
fn names(model: &Btor2) -> [Vec<String>; 2] {
    let names = model.names();
    let of = |nodes: &mut dyn Iterator<Item = u32>, kind: &str| -> Vec<String> {
        let name = |(number, node): (usize, u32)| match names[node as usize].as_str() {
            "" => format!("{kind}{number}"),
            name => name.to_owned(),
        };
        nodes.enumerate().map(name).collect()
    };
    [
        of(&mut model.inputs.iter().copied(), "input"),
        of(&mut model.states.iter().map(|state| state.node), "state"),
    ]
}

/// A bit as it is, and a word in hexadecimal.
fn shown(bits: &BitVector) -> String {
    if bits.width() == 1 {
        return binary(bits);
    }
    let digit = |position: u32| {
        let bit = |offset: u32| u32::from(bits.bit(4 * position + offset)) << offset;
        char::from_digit((0..4).map(bit).sum(), 16).unwrap_or('?')
    };
    let digits = (0..bits.width().div_ceil(4)).rev();
    format!("0x{}", digits.map(digit).collect::<String>())
}

/// A paragraph for each step: all values, then the constraints that fail and the bads that hold. Of an array,
/// the elements that are not 0.
pub(super) fn describe(model: &Btor2, steps: &[StepValues]) -> String {
    let [inputs, states] = names(model);
    let mut text = String::new();
    for (number, step) in steps.iter().enumerate() {
        let _ = writeln!(text, "step {number}");
        for (title, names, values) in [
            ("states", &states, &step.states),
            ("inputs", &inputs, &step.inputs),
        ] {
            if values.is_empty() {
                continue;
            }
            let _ = write!(text, "  {title:<8}");
            for (name, value) in names.iter().zip(values) {
                match value {
                    Value::Bits(bits) => {
                        let _ = write!(text, " {name}={}", shown(bits));
                    }
                    Value::Array(array) => {
                        let default = array.default_element();
                        if !default.is_zero() {
                            let _ = write!(text, " {name}[*]={}", shown(default));
                        }
                        for (index, element) in array.entries() {
                            let _ = write!(text, " {name}[{}]={}", shown(index), shown(element));
                        }
                    }
                }
            }
            text.push('\n');
        }
        for (number, _) in step
            .constraints
            .iter()
            .enumerate()
            .filter(|(_, holds)| !**holds)
        {
            let names: Vec<String> = model
                .constraints
                .iter()
                .map(|line| line.symbol.clone())
                .collect();
            let _ = writeln!(
                text,
                "  violated constraint {}",
                name_of(&names, 'c', number)
            );
        }
        for (number, _) in step.bads.iter().enumerate().filter(|(_, holds)| **holds) {
            let _ = writeln!(text, "  BAD {}", bad_name(model, number));
        }
    }
    text
}

/// The name of a bad.
pub(super) fn bad_name(model: &Btor2, number: usize) -> String {
    let names: Vec<String> = model.bads.iter().map(|line| line.symbol.clone()).collect();
    name_of(&names, 'b', number)
}

/// The words of one step that are shown as waves.
enum Wave {
    /// A bit-vector: whether it is an input, and its number.
    Word(bool, usize),
    /// An element of an array.
    Element(bool, usize, BitVector),
    /// A bad.
    Bad(usize),
}

/// A word that is shown, with its name.
struct Shown {
    wave: Wave,
    group: &'static str,
    name: String,
    width: u32,
}

impl Wave {
    /// Its value in a step.
    fn value(&self, step: &StepValues) -> BitVector {
        let list = |is_input: bool| if is_input { &step.inputs } else { &step.states };
        match self {
            Self::Word(is_input, number) => list(*is_input)[*number].bits().clone(),
            Self::Element(is_input, number, index) => {
                list(*is_input)[*number].array().select(index).clone()
            }
            Self::Bad(number) => BitVector::new(u128::from(step.bads[*number]), 1),
        }
    }
}

/// The words of a run: states, inputs and bads; of a memory, each element that differs from the others in some step.
fn words(model: &Btor2, steps: &[StepValues]) -> Vec<Shown> {
    let mut shown_words = Vec::new();
    let [inputs, states] = names(model);
    for (group, names, is_input) in [("state", &states, false), ("input", &inputs, true)] {
        for (number, name) in names.iter().enumerate() {
            let node = match is_input {
                true => model.inputs[number],
                false => model.states[number].node,
            };
            let mut add = |wave: Wave, name: String, width: u32| {
                shown_words.push(Shown {
                    wave,
                    group,
                    name,
                    width,
                });
            };
            match model.nodes[node as usize].sort {
                Sort::BitVector(width) => add(Wave::Word(is_input, number), name.clone(), width),
                Sort::Array { element, .. } => {
                    let indices = steps.iter().flat_map(|step| {
                        let value = if is_input { &step.inputs } else { &step.states };
                        value[number].array().entries().keys()
                    });
                    for index in indices.collect::<BTreeSet<&BitVector>>() {
                        let wave = Wave::Element(is_input, number, index.clone());
                        add(wave, format!("{name}[{}]", shown(index)), element);
                    }
                }
            }
        }
    }
    shown_words.extend((0..model.bads.len()).map(|number| Shown {
        wave: Wave::Bad(number),
        group: "bad",
        name: bad_name(model, number),
        width: 1,
    }));
    shown_words
}

/// The run as signals: bads first.
pub(super) fn waves(model: &Btor2, steps: &[StepValues]) -> Waves {
    let mut words = words(model, steps);
    words.sort_by_key(|word| word.group != "bad");
    let signal = |word: Shown| Signal {
        group: word.group,
        values: steps
            .iter()
            .map(|step| shown(&word.wave.value(step)))
            .collect(),
        name: word.name,
        width: word.width,
    };
    Waves {
        n_steps: steps.len(),
        loop_start: None,
        signals: words.into_iter().map(signal).collect(),
    }
}

/// A run over words: states, inputs and bads.
pub(super) struct Words<'a> {
    words: Vec<Shown>,
    steps: &'a [StepValues],
}

impl<'a> Words<'a> {
    pub(super) fn new(model: &Btor2, steps: &'a [StepValues]) -> Self {
        let words = words(model, steps);
        Self { words, steps }
    }
}

impl Dump for Words<'_> {
    fn scopes(&self) -> Vec<Scope> {
        // The words are in the order of these groups.
        let scope = |(name, group): (&'static str, &str)| {
            let of_group = self.words.iter().filter(|word| word.group == group);
            Scope {
                name,
                signals: of_group
                    .map(|word| (word.name.clone(), word.width))
                    .collect(),
            }
        };
        let groups = [("states", "state"), ("inputs", "input"), ("bads", "bad")];
        groups.into_iter().map(scope).collect()
    }

    fn n_steps(&self) -> usize {
        self.steps.len()
    }

    fn digits(&self, signal: usize, step: usize, digits: &mut Vec<u8>) {
        let value = self.words[signal].wave.value(&self.steps[step]);
        digits.extend(
            (0..value.width())
                .rev()
                .map(|bit| b'0' + u8::from(value.bit(bit))),
        );
    }
}
