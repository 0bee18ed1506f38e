//! Random logic: each latch has a formula over other latches, inputs and formulas of other latches. The check: a
//! counter, which counts where a random gate holds, reaches its largest value while the parity of random latches
//! is odd.

use craig_aig::Edge;

use super::{Builder, Size};

/// Bits of the counter.
const COUNTER_BITS: usize = 20;
/// Latches to an input.
const PER_INPUT: usize = 100;
/// One operand in `SHARED` is the formula of another latch.
const SHARED: usize = 10;
/// Latches in the parity.
const N_LATCHES: usize = 16;

pub(super) fn build(builder: &mut Builder, size: Size) {
    let n_latches = size.latches.saturating_sub(COUNTER_BITS).max(2);
    let mut leaves = builder.new_inputs((n_latches / PER_INPUT).max(8));
    let enable = builder.input();
    for latch in 0..n_latches {
        let reset = builder.random.flip();
        leaves.push(builder.latch(latch > 0 && reset));
    }
    let mut next: Vec<Edge> = Vec::with_capacity(n_latches);
    for index in 0..n_latches {
        let end = size.gates * (index + 1) / n_latches;
        let mut formula = builder.pick(&leaves);
        while builder.n_gates() < end {
            let operand = |builder: &mut Builder| {
                let from = match !next.is_empty() && builder.random.below(SHARED) == 0 {
                    true => &next,
                    false => &leaves,
                };
                let edge = builder.pick(from);
                edge.negate_if(builder.random.flip())
            };
            let [one, other] = [operand(builder), operand(builder)];
            formula = match builder.random.below(4) {
                0 => builder.model.aig.xor(formula, one),
                1 => builder.model.aig.ite(one, formula, other),
                _ => {
                    let both = builder.model.aig.and(one, other);
                    builder
                        .model
                        .aig
                        .or(formula, both)
                        .negate_if(builder.random.flip())
                }
            };
        }
        next.push(formula);
    }
    builder.set_next(0, &next);
    let when = builder.pick(&next);
    let when = builder.model.aig.and(when, enable);
    let counter = builder.counter(COUNTER_BITS, when);
    let some: Vec<Edge> = (0..N_LATCHES).map(|_| builder.pick(&next)).collect();
    let is_odd = builder.parity(&some);
    let check = builder.model.aig.and(counter, is_odd);
    builder.checks.push(check);
}
