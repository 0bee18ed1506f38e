//! Arbiters. Property i: client i does not wait for ever.

use craig_aig::Edge;

use super::parts::{Parts, bits_of, difference};

/// A pointer goes from client to client, infinitely often; a client that waits is served when the pointer is there.
/// Variant that fails: the pointer goes to client 0 whenever that one asks.
pub(super) fn robin(parts: &mut Parts, n: usize, fails: bool) {
    let moves = parts.input();
    let asks = parts.new_inputs(n);
    let pointer = parts.one_hot(n);
    let waits = parts.new_latches(n);
    let aig = parts.aig();
    let jumps = if fails { asks[0] } else { Edge::FALSE };
    let next: Vec<Edge> = (0..n)
        .map(|place| {
            let before = pointer[(place + n - 1) % n];
            match place {
                0 => aig.or(before, jumps),
                _ => aig.and(before, !jumps),
            }
        })
        .collect();
    parts.set_when(moves, &pointer, &next);
    for client in 0..n {
        let aig = parts.aig();
        let remains = aig.and(waits[client], !pointer[client]);
        let next = aig.or(remains, asks[client]);
        parts.set(waits[client], next);
        let starves = parts.finally_always(remains);
        parts.property(vec![starves], fails && client > 0);
    }
    parts.fairness(moves);
}

/// The lowest client that waits is served. Each client can ask three times; in the variant that fails, without end.
pub(super) fn priority(parts: &mut Parts, n: usize, fails: bool) {
    let asks = parts.new_inputs(n);
    let waits = parts.new_latches(n);
    let mut is_free = Edge::TRUE;
    for client in 0..n {
        let credit: Vec<Edge> = (0..2).map(|_| parts.latch(true)).collect();
        let aig = parts.aig();
        let is_served = aig.and(waits[client], is_free);
        is_free = aig.and(is_free, !waits[client]);
        let remains = aig.and(waits[client], !is_served);
        let has_credit = match fails {
            true => Edge::TRUE,
            false => aig.or_all(credit.iter().copied()),
        };
        let begins = aig.and_all([asks[client], has_credit, !remains]);
        let next = aig.or(remains, begins);
        let (less, _) = difference(aig, &credit, &bits_of(1, 2));
        parts.set_when(begins, &credit, &less);
        parts.set(waits[client], next);
        let starves = parts.finally_always(remains);
        parts.property(vec![starves], fails && client > 0);
    }
}

/// K. McMillan, "Symbolic Model Checking" (1993), section 3.2: the lowest client that asks is served, unless one that asked already
/// when the token was there has it again. Variant that fails: no token has precedence.
pub(super) fn cells(parts: &mut Parts, n: usize, fails: bool) {
    let asks = parts.new_inputs(n);
    let token = parts.one_hot(n);
    let waits = parts.new_latches(n);
    let aig = parts.aig();
    let precedes: Vec<Edge> = (0..n)
        .map(|cell| match fails {
            true => Edge::FALSE,
            false => aig.and(token[cell], waits[cell]),
        })
        .collect();
    let mut is_free = !aig.or_all(precedes.iter().copied());
    for cell in 0..n {
        let aig = parts.aig();
        let is_granted = aig.or(is_free, precedes[cell]);
        is_free = aig.and(is_free, !asks[cell]);
        let is_served = aig.and(asks[cell], is_granted);
        let waited = aig.or(waits[cell], token[cell]);
        let waits_next = aig.and(asks[cell], waited);
        let remains = aig.and(asks[cell], !is_served);
        parts.set(waits[cell], waits_next);
        parts.set(token[cell], token[(cell + n - 1) % n]);
        let starves = parts.finally_always(remains);
        parts.property(vec![starves], fails && cell > 0);
    }
}
