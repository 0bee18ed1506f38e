//! Memories with one port: each step writes a word of inputs with its parity, or not, at an address. The check:
//! the word that is read, at an address of its own, does not have its parity.

use craig_aig::Edge;

use super::{Builder, Size};

/// Bits of an address, at most.
const MOST_ADDRESS_BITS: usize = 8;
/// Bits of a word without its parity, at most.
const MOST_BITS: usize = 31;

pub(super) fn build(builder: &mut Builder, size: Size) {
    let bits = (size.latches / 8).clamp(1, MOST_BITS);
    let address_bits = (size.latches / (bits + 1)).max(2).ilog2() as usize;
    let address_bits = address_bits.min(MOST_ADDRESS_BITS);
    let n_latches = (bits + 1) << address_bits;
    let n_memories = (size.latches / n_latches).max(1);
    for index in 0..n_memories {
        let data = builder.new_inputs(bits);
        let write = builder.new_inputs(address_bits);
        let read = builder.new_inputs(address_bits);
        let enable = builder.input();
        let mut stored = data;
        let parity = builder.parity(&stored);
        stored.push(parity);
        let first = builder.model.latches.len();
        let states = builder.new_latches(n_latches);
        let mut next = Vec::with_capacity(n_latches);
        let mut output = vec![Edge::FALSE; bits + 1];
        for (address, word) in states.chunks(bits + 1).enumerate() {
            let is_written = selects(builder, &write, address);
            let is_written = builder.model.aig.and(is_written, enable);
            let is_read = selects(builder, &read, address);
            for (bit, &state) in word.iter().enumerate() {
                next.push(builder.model.aig.ite(is_written, stored[bit], state));
                let value = builder.model.aig.and(is_read, state);
                output[bit] = builder.model.aig.or(output[bit], value);
            }
        }
        builder.set_next(first, &next);
        let check = builder.parity(&output);
        builder.checks.push(check);
        // More ports for reading, until the memory has its share of the gates.
        while builder.n_gates() < size.gates * (index + 1) / n_memories {
            let port = builder.new_inputs(address_bits);
            let mut output = vec![Edge::FALSE; bits + 1];
            for (address, word) in states.chunks(bits + 1).enumerate() {
                let is_read = selects(builder, &port, address);
                for (output, &state) in output.iter_mut().zip(word) {
                    let value = builder.model.aig.and(is_read, state);
                    *output = builder.model.aig.or(*output, value);
                }
            }
            let check = builder.parity(&output);
            builder.checks.push(check);
        }
    }
}

/// Whether the word of bits is this number.
fn selects(builder: &mut Builder, word: &[Edge], number: usize) -> Edge {
    let bits = word.iter().enumerate();
    let bits: Vec<Edge> = bits
        .map(|(bit, &edge)| edge.negate_if(number >> bit & 1 == 0))
        .collect();
    builder.model.aig.and_all(bits)
}
