//! Runs of the blasted circuit as values of words.

use std::collections::BTreeMap;
use std::sync::Arc;

use craig_model::Values;
use craig_word::{ArrayValue, BitVector, Sort, Value};

use super::blast::{BitOf, Blasted};

/// The given values of one step of a run. Other inputs and free states are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordStep {
    /// States without an `init` in the first step, and states without a `next` in any other, by number.
    pub states: BTreeMap<usize, Value>,
    /// Inputs by number.
    pub inputs: BTreeMap<usize, Value>,
}

impl Blasted {
    /// What an input of the circuit is a bit of.
    ///
    /// # Panics
    /// If there is no such input.
    #[must_use]
    pub fn input(&self, number: usize) -> BitOf {
        self.inputs[number]
    }

    /// What a latch is a bit of; `None` for the latch that holds in the first step.
    ///
    /// # Panics
    /// If there is no such latch.
    #[must_use]
    pub fn latch(&self, number: usize) -> Option<BitOf> {
        self.latches[number]
    }

    /// The values of words in a run of the circuit that starts in `initial` and has these inputs in each
    /// step.
    /// Open bits are 0.
    #[must_use]
    pub fn lift(&self, initial: &Values, inputs: &[Values]) -> Vec<WordStep> {
        let steps = inputs.iter().enumerate().map(|(number, inputs)| {
            let mut words: BTreeMap<(bool, u32, u32), Vec<u64>> = BTreeMap::new();
            let mut set = |bit: &BitOf, value: Option<bool>| {
                let limbs = words
                    .entry((bit.is_input, bit.number, bit.word))
                    .or_default();
                let limb = (bit.bit / 64) as usize;
                if limbs.len() <= limb {
                    limbs.resize(limb + 1, 0);
                }
                limbs[limb] |= u64::from(value.unwrap_or(false)) << (bit.bit % 64);
            };
            let is_free =
                |bit: &BitOf| bit.is_input || number > 0 || !self.has_init[bit.number as usize];
            for (bit, &value) in self.inputs.iter().zip(inputs) {
                if is_free(bit) {
                    set(bit, value);
                }
            }
            if number == 0 {
                for (bit, &value) in self.latches.iter().zip(initial) {
                    if let Some(bit) = bit
                        && is_free(bit)
                    {
                        set(bit, value);
                    }
                }
            }
            let mut step = WordStep::default();
            for ((is_input, number, word), limbs) in words {
                let (list, sorts) = match is_input {
                    true => (&mut step.inputs, &self.sorts[0]),
                    false => (&mut step.states, &self.sorts[1]),
                };
                match sorts[number as usize] {
                    Sort::BitVector(width) => {
                        let value = Value::Bits(BitVector::from_limbs(&limbs, width));
                        list.insert(number as usize, value);
                    }
                    Sort::Array { index, element } => {
                        let array = list.entry(number as usize).or_insert_with(|| {
                            let default = BitVector::new(0, element);
                            Value::Array(Arc::new(ArrayValue::new(index, default)))
                        });
                        if let Value::Array(array) = array {
                            let at = BitVector::new(u128::from(word), index);
                            Arc::make_mut(array).store(at, BitVector::from_limbs(&limbs, element));
                        }
                    }
                }
            }
            step
        });
        steps.collect()
    }
}
