//! States from which another engine knows a run to the bad, as goals of simulation.
//!
//! The obligations of PDR are such states. A state near to one of them, by the number of latches that differ, is a start
//! for further runs; one that belongs to it has the run to the bad that PDR knows.

use std::sync::Arc;

use craig_aig::Random;

use super::store::Bits;
use crate::control::Target;
use crate::engine::question::Question;

/// A target over the latches of a question.
struct Goal {
    /// The positions of latches, with the values that they have in all of its states.
    latches: Vec<(usize, bool)>,
    target: Arc<Target>,
    /// The least distance of a state that was seen.
    nearest: usize,
}

/// The targets that are known at a time.
#[derive(Default)]
pub(super) struct Targets {
    goals: Vec<Goal>,
    /// The number of targets shared so far.
    seen: u64,
}

impl Targets {
    /// Takes over what was shared since the last call.
    pub(super) fn update(&mut self, question: &Question<'_>) {
        let Some(targets) = question.control.board.new_targets(&mut self.seen) else {
            return;
        };
        let cone = &question.any.cone().latches;
        debug_assert!(cone.is_sorted());
        let mut old = std::mem::take(&mut self.goals);
        for target in targets {
            if let Some(place) = old
                .iter()
                .position(|goal| Arc::ptr_eq(&goal.target, &target))
            {
                self.goals.push(old.swap_remove(place));
                continue;
            }
            let latches = target.states.iter();
            let latches =
                latches.map(|&(latch, value)| Some((cone.binary_search(&latch).ok()?, value)));
            if let Some(latches) = latches.collect() {
                let nearest = usize::MAX;
                self.goals.push(Goal {
                    latches,
                    target,
                    nearest,
                });
            }
        }
    }

    /// The number of one of the targets.
    pub(super) fn pick(&self, random: &mut Random) -> Option<usize> {
        (!self.goals.is_empty()).then(|| random.below(self.goals.len()))
    }

    /// The number of latches in which a state differs from those of a target.
    pub(super) fn distance(&self, number: usize, latches: &Bits) -> usize {
        let values = self.goals[number].latches.iter();
        values
            .filter(|&&(place, value)| latches.get(place) != value)
            .count()
    }

    /// The run with the state that is nearest to a target, of 64, if it is nearer than all before, with its distance.
    pub(super) fn nearer(&mut self, number: usize, state: &[u64]) -> Option<(usize, usize)> {
        let goal = &mut self.goals[number];
        // The distances of all runs, as bits: word i has bit i of each.
        let mut sums: Vec<u64> = Vec::new();
        for &(place, value) in &goal.latches {
            let mut carry = if value { !state[place] } else { state[place] };
            for sum in &mut sums {
                (*sum, carry) = (*sum ^ carry, *sum & carry);
            }
            if carry != 0 {
                sums.push(carry);
            }
        }
        let mut least = u64::MAX;
        let mut distance = 0;
        for &sum in sums.iter().rev() {
            let smaller = least & !sum;
            distance = 2 * distance + usize::from(smaller == 0);
            if smaller != 0 {
                least = smaller;
            }
        }
        (distance < goal.nearest).then(|| {
            goal.nearest = distance;
            (least.trailing_zeros() as usize, distance)
        })
    }

    /// The inputs of the run from the states of a target to the bad; those that do not matter are 0.
    pub(super) fn way(&self, number: usize, question: &Question<'_>) -> Vec<Bits> {
        let cone = &question.any.cone().inputs;
        debug_assert!(cone.is_sorted());
        let steps = self.goals[number].target.inputs.iter();
        let of = |values: &Vec<(usize, bool)>| {
            let mut inputs = vec![false; cone.len()];
            for &(input, value) in values {
                if let Ok(place) = cone.binary_search(&input) {
                    inputs[place] = value;
                }
            }
            Bits::new(inputs)
        };
        steps.map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distances of 64 runs at once are those of each, and only nearer ones are told.
    #[test]
    fn the_nearest_of_64_runs_is_found() {
        let mut random = Random::new(9);
        for n_latches in [1, 3, 20, 100] {
            let latches: Vec<(usize, bool)> = (0..n_latches)
                .filter(|&place| place == 0 || random.flip())
                .map(|place| (place, place % 3 == 0))
                .collect();
            let mut targets = Targets::default();
            targets.goals.push(Goal {
                latches,
                target: Arc::new(Target {
                    states: Vec::new(),
                    inputs: Vec::new(),
                }),
                nearest: usize::MAX,
            });
            let mut nearest = usize::MAX;
            for _ in 0..50 {
                let state: Vec<u64> = (0..n_latches).map(|_| random.word()).collect();
                let runs = (0..64).map(|lane| {
                    let values = state.iter().map(|word| word >> lane & 1 == 1);
                    targets.distance(0, &Bits::new(values))
                });
                let distances: Vec<usize> = runs.collect();
                let least = *distances.iter().min().unwrap();
                match targets.nearer(0, &state) {
                    Some((lane, distance)) => {
                        assert_eq!((distances[lane], distance), (least, least));
                        assert!(distance < nearest);
                        nearest = distance;
                    }
                    None => assert!(least >= nearest),
                }
            }
            assert!(nearest < usize::MAX);
        }
    }
}
