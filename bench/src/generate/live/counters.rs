//! Counters and rings: where a counter counts infinitely often, it is at its end infinitely often. In the variant that
//! fails, an input sets it back.

use craig_aig::Edge;

use super::parts::{Parts, equal, successor};

/// An end of all ones.
pub(super) fn counter(parts: &mut Parts, n_bits: usize, fails: bool) {
    let ones = vec![Edge::TRUE; n_bits];
    let (counts, clears) = controls(parts, fails);
    let at_end = count(parts, counts, clears, &ones);
    again_and_again(parts, counts, at_end, fails);
}

/// An end with bits 1 and 0 in turns.
pub(super) fn modulo(parts: &mut Parts, n_bits: usize, fails: bool) {
    let (counts, clears) = controls(parts, fails);
    let at_end = count(parts, counts, clears, &two_thirds(n_bits));
    again_and_again(parts, counts, at_end, fails);
}

/// A counter of the ends of another.
pub(super) fn nested(parts: &mut Parts, n_bits: usize, fails: bool) {
    let n_inner = n_bits / 2;
    let (counts, clears) = controls(parts, fails);
    let inner = count(parts, counts, clears, &two_thirds(n_inner));
    let carries = parts.aig().and(counts, inner);
    let outer = count(parts, carries, clears, &vec![Edge::TRUE; n_bits - n_inner]);
    let at_end = parts.aig().and(inner, outer);
    again_and_again(parts, counts, at_end, fails);
}

/// A shift register whose first latch takes the negated value of the last.
pub(super) fn johnson(parts: &mut Parts, n_bits: usize, fails: bool) {
    let (counts, clears) = controls(parts, fails);
    let bits = parts.new_latches(n_bits);
    let mut next = vec![!bits[n_bits - 1]];
    next.extend(&bits[..n_bits - 1]);
    let next: Vec<Edge> = (next.into_iter())
        .map(|next| parts.aig().and(next, !clears))
        .collect();
    parts.set_when(counts, &bits, &next);
    let at_end = parts.aig().and_all(bits);
    again_and_again(parts, counts, at_end, fails);
}

/// A shift register whose first latch takes the value of the last.
pub(super) fn ring(parts: &mut Parts, n_latches: usize, fails: bool) {
    let (counts, clears) = controls(parts, fails);
    let latches = parts.one_hot(n_latches);
    let mut next = vec![latches[n_latches - 1]];
    next.extend(&latches[..n_latches - 1]);
    let next: Vec<Edge> = (next.into_iter().enumerate())
        .map(|(place, next)| match place {
            0 => parts.aig().or(next, clears),
            _ => parts.aig().and(next, !clears),
        })
        .collect();
    parts.set_when(counts, &latches, &next);
    again_and_again(parts, counts, latches[n_latches - 1], fails);
}

/// The input that lets it count, and one that sets it back in a step that counts.
fn controls(parts: &mut Parts, fails: bool) -> (Edge, Edge) {
    let counts = parts.input();
    let clears = if fails { parts.input() } else { Edge::FALSE };
    (counts, clears)
}

fn again_and_again(parts: &mut Parts, counts: Edge, at_end: Edge, fails: bool) {
    let avoids = parts.finally_always(!at_end);
    parts.property(vec![counts, avoids], fails);
}

/// A counter from 0 to an end, and 0 again; returns whether it is at its end.
fn count(parts: &mut Parts, counts: Edge, clears: Edge, end: &[Edge]) -> Edge {
    let bits = parts.new_latches(end.len());
    let aig = parts.aig();
    let at_end = equal(aig, &bits, end);
    let goes_on = aig.and(!at_end, !clears);
    let next: Vec<Edge> = (successor(aig, &bits).into_iter())
        .map(|next| aig.and(next, goes_on))
        .collect();
    parts.set_when(counts, &bits, &next);
    at_end
}

/// The bits of a number close to two thirds of the range: the highest is 1, the next 0, and so on.
fn two_thirds(n_bits: usize) -> Vec<Edge> {
    let bits = (0..n_bits).map(|bit| (n_bits - 1 - bit).is_multiple_of(2));
    bits.map(|bit| Edge::FALSE.negate_if(bit)).collect()
}
