//! One formula as deep as the circuit is large: a chain through all latches, each of which gets the value of the
//! chain at its place. The check: a counter reaches its largest value while the end of the chain holds.

use super::{Builder, Size};

/// Bits of the counter.
const COUNTER_BITS: usize = 20;
/// Inputs of the chain.
const N_INPUTS: usize = 64;

pub(super) fn build(builder: &mut Builder, size: Size) {
    let inputs = builder.new_inputs(N_INPUTS);
    let counter = builder.counter(COUNTER_BITS, inputs[0]);
    let first = builder.model.latches.len();
    let n_latches = size.latches.saturating_sub(COUNTER_BITS).max(1);
    let states = builder.new_latches(n_latches);
    let mut chain = inputs[0];
    let mut next = Vec::with_capacity(n_latches);
    for (index, &state) in states.iter().enumerate() {
        while builder.n_gates() < size.gates * (index + 1) / n_latches {
            let [when, other] = [builder.pick(&inputs), builder.pick(&inputs)];
            let other = match builder.random.flip() {
                true => state,
                false => other,
            };
            let masked = builder.model.aig.and(when, other);
            chain = match builder.random.flip() {
                true => builder.model.aig.xor(chain, masked),
                false => builder.model.aig.ite(when, chain, !state),
            };
        }
        next.push(chain);
    }
    builder.set_next(first, &next);
    let check = builder.model.aig.and(counter, chain);
    builder.checks.push(check);
}
