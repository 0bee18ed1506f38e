//! Games.

use craig_aig::Edge;

use super::parts::{Parts, difference};

/// The bits of a heap's size.
const HEAP_BITS: usize = 3;

/// Players take one or more matches from one of the heaps. The property: there are not infinitely many moves. In the variant that
/// fails, a new game begins after the last match.
pub(super) fn nim(parts: &mut Parts, n: usize, fails: bool) {
    let plays = parts.input();
    let chosen = parts.scheduler(n);
    let taken = parts.new_inputs(HEAP_BITS);
    let heaps: Vec<Vec<Edge>> = (0..n)
        .map(|_| (0..HEAP_BITS).map(|_| parts.latch(true)).collect())
        .collect();
    let aig = parts.aig();
    let some = aig.or_all(taken.iter().copied());
    let is_over = !aig.or_all(heaps.iter().flatten().copied());
    let refills = if fails { is_over } else { Edge::FALSE };
    let mut moves = Vec::new();
    for (heap, chosen) in heaps.iter().zip(chosen) {
        let aig = parts.aig();
        let (rest, is_less) = difference(aig, heap, &taken);
        let is_move = aig.and_all([plays, chosen, some, !is_less]);
        let next: Vec<Edge> = (rest.into_iter()).map(|bit| aig.or(bit, refills)).collect();
        let changes = aig.or(is_move, refills);
        parts.set_when(changes, heap, &next);
        moves.push(is_move);
    }
    let moves = parts.aig().or_all(moves);
    parts.property(vec![moves], fails);
}
