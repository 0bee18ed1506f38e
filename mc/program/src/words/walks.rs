//! Reachable states of a transition system, by 64 runs at once on random inputs.

use craig_aig::{Edge, Random};
use craig_model::Model;

/// Runs of a model, whose constraints are ignored.
pub(super) struct Walks<'m> {
    model: &'m Model,
    /// By latch, and by word of input, the positions in the graph's list of inputs.
    latches: Vec<usize>,
    words: Vec<Vec<usize>>,
    /// Values of inputs that are likely to be relevant.
    constants: &'m [u128],
    random: Random,
}

/// The number of runs at once.
pub(super) const LANES: usize = 64;

impl<'m> Walks<'m> {
    /// `words`: the inputs, grouped into words, lowest bit first.
    pub(super) fn new(model: &'m Model, words: &[Vec<Edge>], constants: &'m [u128]) -> Self {
        let mut position = vec![usize::MAX; model.aig.n_nodes()];
        for (number, &node) in model.aig.inputs().iter().enumerate() {
            position[node as usize] = number;
        }
        let find = |edge: Edge| position[edge.node() as usize];
        Self {
            model,
            latches: model
                .latches
                .iter()
                .map(|latch| find(latch.state))
                .collect(),
            words: words
                .iter()
                .map(|word| word.iter().map(|&edge| find(edge)).collect())
                .collect(),
            constants,
            random: Random::new(1),
        }
    }

    /// A value for an input word: 0, a small number, a constant of the program, or a random one.
    fn value(&mut self) -> u128 {
        let any = u128::from(self.random.word());
        match self.random.below(8) {
            0 => 0,
            1 => 1,
            2 | 3 => any % 4,
            4 => any % 64,
            5 => u128::MAX - any % 8,
            6 if !self.constants.is_empty() => {
                let constant = self.constants[self.random.below(self.constants.len())];
                constant.wrapping_add(any % 3).wrapping_sub(1)
            }
            _ => any << 64 | any,
        }
    }

    /// The states one step after the given ones.
    pub(super) fn step(&mut self, states: &[Vec<bool>]) -> Vec<Vec<bool>> {
        debug_assert!(states.len() <= LANES);
        let mut inputs = vec![0u64; self.model.aig.n_inputs()];
        for (lane, state) in states.iter().enumerate() {
            for (&position, &bit) in self.latches.iter().zip(state) {
                inputs[position] |= u64::from(bit) << lane;
            }
            for number in 0..self.words.len() {
                let value = self.value();
                for (bit, &position) in self.words[number].iter().enumerate() {
                    inputs[position] |= ((value >> (bit % 128)) as u64 & 1) << lane;
                }
            }
        }
        let nodes = self.model.aig.simulate(&inputs);
        let next = |lane: usize| -> Vec<bool> {
            let bit = |latch: &craig_model::Latch| latch.next.word(&nodes) >> lane & 1 == 1;
            self.model.latches.iter().map(bit).collect()
        };
        (0..states.len()).map(next).collect()
    }

    /// One of several.
    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.random.below(from.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_model::{Latch, Reset};

    #[test]
    fn a_counter_counts_in_every_lane() {
        let mut model = Model::default();
        let go = model.aig.add_input();
        let bits = [(); 3].map(|()| model.aig.add_input());
        model.inputs.push(go);
        let mut carry = go;
        for state in bits {
            let next = model.aig.xor(state, carry);
            carry = model.aig.and(state, carry);
            model.latches.push(Latch {
                state,
                next,
                reset: Reset::Zero,
            });
        }
        let mut walks = Walks::new(&model, &[vec![go]], &[]);
        let number = |state: &[bool]| (0..3).map(|bit| u32::from(state[bit]) << bit).sum::<u32>();
        let states: Vec<Vec<bool>> = (0..8u32)
            .map(|value| (0..3).map(|bit| value >> bit & 1 == 1).collect())
            .collect();
        let (mut stayed, mut moved) = (0, 0);
        for _ in 0..20 {
            for (before, after) in states.iter().zip(walks.step(&states)) {
                let (before, after) = (number(before), number(&after));
                assert!(after == before || after == (before + 1) % 8);
                stayed += u32::from(after == before);
                moved += u32::from(after != before);
            }
        }
        assert!(stayed > 0 && moved > 0);
    }
}
