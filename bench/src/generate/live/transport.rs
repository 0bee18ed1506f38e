//! What is sent arrives.

use craig_aig::Edge;

use super::parts::Parts;

/// Stations on a bus. The one that has the token sends its message, if it has one, waits for the acknowledgement, and passes the
/// token on. Acknowledgements come infinitely often; in the variant that fails, they need not. Property i: station i does not
/// have a message for ever.
pub(super) fn bus(parts: &mut Parts, n: usize, fails: bool) {
    let acknowledges = parts.input();
    let asks = parts.new_inputs(n);
    let token = parts.one_hot(n);
    let has_message = parts.new_latches(n);
    let is_sent = parts.latch(false);
    let aig = parts.aig();
    let here: Vec<Edge> = (token.iter().zip(&has_message))
        .map(|(&token, &message)| aig.and(token, message))
        .collect();
    let has_any = aig.or_all(here.iter().copied());
    let ends = aig.and(is_sent, acknowledges);
    let passes = aig.or(!has_any, ends);
    let sent_next = aig.and(has_any, !ends);
    parts.set(is_sent, sent_next);
    let before: Vec<Edge> = (0..n).map(|place| token[(place + n - 1) % n]).collect();
    parts.set_when(passes, &token, &before);
    for station in 0..n {
        let aig = parts.aig();
        let arrives = aig.and(here[station], ends);
        let remains = aig.and(has_message[station], !arrives);
        let next = aig.or(remains, asks[station]);
        parts.set(has_message[station], next);
        let starves = parts.finally_always(remains);
        parts.property(vec![starves], fails);
    }
    if !fails {
        parts.fairness(acknowledges);
    }
}

/// A queue that is read infinitely often; in the variant that fails, it need not be. One item at most is marked. The property:
/// the marked item does not stay for ever.
pub(super) fn queue(parts: &mut Parts, n: usize, fails: bool) {
    let [writes, marks, reads] = [(); 3].map(|()| parts.input());
    let is_used = parts.new_latches(n);
    let is_marked = parts.new_latches(n);
    let was_marked = parts.latch(false);
    let marks = parts.aig().and_all([writes, marks, !was_marked]);
    let mut marked = Vec::new();
    for slot in 0..n {
        let aig = parts.aig();
        let behind = |slots: &[Edge]| slots.get(slot + 1).copied().unwrap_or(Edge::FALSE);
        let used = aig.ite(reads, behind(&is_used), is_used[slot]);
        let mark = aig.ite(reads, behind(&is_marked), is_marked[slot]);
        // The first slot that is free after the read.
        let before = match slot {
            0 => Edge::TRUE,
            _ => aig.ite(reads, is_used[slot], is_used[slot - 1]),
        };
        let takes = aig.and_all([writes, before, !used]);
        let used_next = aig.or(used, takes);
        let takes_mark = aig.and(takes, marks);
        let mark_next = aig.or(mark, takes_mark);
        parts.set(is_used[slot], used_next);
        parts.set(is_marked[slot], mark_next);
        marked.push(takes_mark);
    }
    let aig = parts.aig();
    marked.push(was_marked);
    let was_next = aig.or_all(marked);
    let stays = aig.or_all(is_marked);
    parts.set(was_marked, was_next);
    let starves = parts.finally_always(stays);
    parts.property(vec![starves], fails);
    if !fails {
        parts.fairness(reads);
    }
}
