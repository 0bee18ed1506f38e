//! Simulation of runs whose inputs repeat with a period, 64 at once, until a state repeats.
//!
//! Such a run is determined by its first state, so that it ends in a loop; with a hit in the loop it is a
//! lasso. Loops may have millions of steps: only one earlier state is stored, as Brent does it ("An improved
//! Monte Carlo factorization algorithm", BIT 1980, section 2). Random periods and inputs are tried, with
//! longer and longer runs.

use craig_aig::Random;
use craig_model::{Model, Stop, Trace, UnknownReason};

use super::search::{Found, Tools};
use crate::circuit::patterns::{constraint_mask, fill_values, resets};
use crate::control::Control;

/// The name of the method.
pub(super) const NAME: &str = "walks";

/// The length of the first runs, as a power of two, and that of the last ones.
const LENGTHS: std::ops::RangeInclusive<u32> = 8..=24;

/// The longest period of inputs.
const LONGEST_PERIOD: usize = 8;

/// A run with more values of inputs than these is too large for a lasso.
const MOST_VALUES: usize = 1 << 26;

/// The number of steps after which a run looks whether it has to stop, times gates.
const POLL: usize = 1 << 22;

/// Simulates runs of growing length.
pub(super) fn run(
    original: &Model,
    tools: &Tools<'_>,
    control: Control<'_>,
) -> Result<Found, UnknownReason> {
    let mut random = Random::new(tools.seed);
    for exponent in LENGTHS {
        let most = 1usize << exponent;
        if most.saturating_mul(original.inputs.len().max(1)) > MOST_VALUES {
            break;
        }
        control
            .listener
            .note(NAME, || format!("runs of up to {most} steps"));
        for period in 1..=LONGEST_PERIOD {
            let walks = Walks::new(original, period, &mut random);
            if let Some((run, loop_start)) = walks.search(most, control.stop)? {
                return Ok(Found::Lasso(run, loop_start));
            }
            if original.inputs.is_empty() {
                break;
            }
        }
    }
    Err(UnknownReason::Bound(
        "no loop with a hit in the simulated runs".to_owned(),
    ))
}

/// 64 runs with the same period, one bit of each word for each.
struct Walks<'a> {
    model: &'a Model,
    initial: Vec<u64>,
    /// The inputs' words for each step of the period.
    inputs: Vec<Vec<u64>>,
}

impl<'a> Walks<'a> {
    /// Random first states and inputs; in some runs most inputs are 0, or most are 1.
    fn new(model: &'a Model, period: usize, random: &mut Random) -> Self {
        let initial = resets(model, random);
        let (ones, zeros) = (random.word(), random.word());
        let mut word = || {
            let rare = random.word() & random.word() & random.word();
            let even = random.word();
            (even & !ones & !zeros) | (ones & !rare & !zeros) | (zeros & rare)
        };
        let inputs = (0..period)
            .map(|_| model.inputs.iter().map(|_| word()).collect())
            .collect();
        Self {
            model,
            initial,
            inputs,
        }
    }

    /// The first run that closes a loop with a hit, and the first step of the loop. Gives up after `most`
    /// steps, and where every run has closed its loop or violates a constraint.
    fn search(&self, most: usize, stop: &Stop) -> Result<Option<(Trace, usize)>, UnknownReason> {
        let period = self.inputs.len();
        let hit = self.model.bads[0];
        let mut words = vec![0; self.model.aig.n_nodes()];
        let steps_per_poll = (POLL / words.len()).max(1);
        let mut state = self.initial.clone();
        let mut open = u64::MAX;
        // The state that later ones are compared with, and the runs with a hit since. It is replaced at steps
        // that double, so that one of them lies in the loop, and the next is later than its length.
        let (mut saved, mut saved_step, mut seen) = (state.clone(), 0, 0);
        let mut next_save = period;
        for step in 1..=most {
            if step % steps_per_poll == 0
                && let Some(reason) = stop.reason()
            {
                return Err(reason);
            }
            fill_values(
                self.model,
                &state,
                &self.inputs[(step - 1) % period],
                &mut words,
            );
            open &= constraint_mask(self.model, &words);
            seen |= hit.word(&words);
            for (state, latch) in state.iter_mut().zip(&self.model.latches) {
                *state = latch.next.word(&words);
            }
            if step % period == 0 {
                let closed = equal(&state, &saved, open);
                if closed & seen != 0 {
                    let lane = (closed & seen).trailing_zeros();
                    return Ok(Some((self.trace(lane, step), saved_step)));
                }
                open &= !closed;
            }
            if open == 0 {
                break;
            }
            if step == next_save {
                saved.copy_from_slice(&state);
                (saved_step, seen) = (step, 0);
                next_save = 2 * step;
            }
        }
        match stop.reason() {
            Some(reason) => Err(reason),
            None => Ok(None),
        }
    }

    /// The first steps of one of the runs.
    fn trace(&self, lane: u32, n_steps: usize) -> Trace {
        let values = |words: &Vec<u64>| -> Vec<Option<bool>> {
            (words.iter())
                .map(|word| Some(word >> lane & 1 == 1))
                .collect()
        };
        let inputs = self.inputs.iter().cycle().take(n_steps);
        Trace {
            property: 0,
            initial: values(&self.initial),
            inputs: inputs.map(values).collect(),
        }
    }
}

/// Those of the runs in `mask` in which the states agree.
fn equal(left: &[u64], right: &[u64], mask: u64) -> u64 {
    let mut equal = mask;
    for (left, right) in left.iter().zip(right) {
        equal &= !(left ^ right);
        if equal == 0 {
            break;
        }
    }
    equal
}
