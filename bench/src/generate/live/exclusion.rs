//! Processes that exclude each other. One of them makes a step at a time, and each infinitely often; in the variants of the locks
//! that fail, process 0 need not.

use craig_aig::Edge;

use super::parts::{Parts, bits_of, difference, equal, successor, width};

/// G. Peterson, "Myths about the mutual exclusion problem" (1981), for more than two processes: each of n - 1 levels keeps one
/// process back, the last that has come there. Property i: process i does not try for ever.
pub(super) fn filter(parts: &mut Parts, n: usize, fails: bool) {
    let runs = parts.scheduler(n);
    let wants = parts.new_inputs(n);
    // Level 0 is the rest, level n the critical section.
    let n_bits = width(n + 1);
    let levels: Vec<Vec<Edge>> = (0..n).map(|_| parts.new_latches(n_bits)).collect();
    // Whether a process has said that it is the last one at its level.
    let said = parts.new_latches(n);
    let mut last: Vec<Vec<Edge>> = (1..n).map(|_| parts.new_latches(width(n))).collect();
    let last_latches = last.clone();
    for process in 0..n {
        let level = levels[process].clone();
        let aig = parts.aig();
        let is_at: Vec<Edge> = (0..=n)
            .map(|value| equal(aig, &level, &bits_of(value, n_bits)))
            .collect();
        let begins = aig.and(is_at[0], wants[process]);
        let mut rises = vec![begins];
        let mut says = Vec::new();
        for stage in 1..n {
            let others: Vec<Edge> = (levels.iter().enumerate())
                .filter(|&(other, _)| other != process)
                .map(|(_, other)| !difference(aig, other, &bits_of(stage, n_bits)).1)
                .collect();
            let is_alone = !aig.or_all(others);
            let me = bits_of(process, width(n));
            let is_last = equal(aig, &last_latches[stage - 1], &me);
            let may_pass = aig.or(is_alone, !is_last);
            rises.push(aig.and_all([is_at[stage], said[process], may_pass]));
            let writes = aig.and_all([runs[process], is_at[stage], !said[process]]);
            for (bit, &me) in last[stage - 1].iter_mut().zip(&me) {
                *bit = aig.ite(writes, me, *bit);
            }
            says.push(writes);
        }
        let rises = aig.or_all(rises);
        let changes = aig.or(rises, is_at[n]);
        let changes = aig.and(changes, runs[process]);
        let next: Vec<Edge> = (successor(aig, &level).into_iter())
            .map(|bit| aig.and(bit, !is_at[n]))
            .collect();
        let says = aig.or_all(says);
        let keeps = aig.and(said[process], !changes);
        let said_next = aig.or(says, keeps);
        let tries = aig.and(!is_at[0], !is_at[n]);
        parts.set_when(changes, &level, &next);
        parts.set(said[process], said_next);
        let starves = parts.finally_always(tries);
        parts.property(vec![starves], fails);
        if !fails || process > 0 {
            parts.fairness(runs[process]);
        }
    }
    for (latches, next) in last_latches.iter().zip(&last) {
        parts.set_when(Edge::TRUE, latches, next);
    }
}

/// A process takes a ticket, waits until it is its turn, and ends. Property i: process i does not wait for ever.
pub(super) fn tickets(parts: &mut Parts, n: usize, fails: bool) {
    let runs = parts.scheduler(n);
    let wants = parts.new_inputs(n);
    let n_bits = width(n);
    let [next_ticket, served] = [(); 2].map(|()| parts.new_latches(n_bits));
    let (mut takes, mut ends) = (Vec::new(), Vec::new());
    for process in 0..n {
        let ticket = parts.new_latches(n_bits);
        let [waits, works] = [(); 2].map(|()| parts.latch(false));
        let aig = parts.aig();
        let takes_now = aig.and_all([runs[process], wants[process], !waits, !works]);
        let is_called = equal(aig, &ticket, &served);
        let begins = aig.and_all([runs[process], waits, is_called]);
        let ends_now = aig.and(runs[process], works);
        let remains = aig.and(waits, !begins);
        let waits_next = aig.or(remains, takes_now);
        let goes_on = aig.and(works, !ends_now);
        let works_next = aig.or(goes_on, begins);
        parts.set_when(takes_now, &ticket, &next_ticket);
        parts.set(waits, waits_next);
        parts.set(works, works_next);
        takes.push(takes_now);
        ends.push(ends_now);
        let starves = parts.finally_always(remains);
        parts.property(vec![starves], fails);
        if !fails || process > 0 {
            parts.fairness(runs[process]);
        }
    }
    for (word, steps) in [(next_ticket, takes), (served, ends)] {
        let aig = parts.aig();
        let steps = aig.or_all(steps);
        let next = successor(aig, &word);
        parts.set_when(steps, &word, &next);
    }
}

/// Philosophers who take a fork, then the other, eat and put both back. The last one begins with the other fork than all others;
/// in the variant that fails, with the same. The property: from no time on does nobody eat.
pub(super) fn philosophers(parts: &mut Parts, n: usize, fails: bool) {
    let runs = parts.scheduler(n);
    // They have one fork, or both.
    let [has_one, eats] = [(); 2].map(|()| parts.new_latches(n));
    let forks = |place: usize| match place + 1 < n || fails {
        true => [place, (place + 1) % n],
        false => [(place + 1) % n, place],
    };
    let aig = parts.aig();
    let is_free: Vec<Edge> = (0..n)
        .map(|fork| {
            let holders: Vec<Edge> = (0..n)
                .filter(|&place| forks(place).contains(&fork))
                .map(|place| match forks(place)[0] == fork {
                    true => aig.or(has_one[place], eats[place]),
                    false => eats[place],
                })
                .collect();
            !aig.or_all(holders)
        })
        .collect();
    for place in 0..n {
        let [first, second] = forks(place).map(|fork| is_free[fork]);
        let aig = parts.aig();
        let is_idle = aig.and(!has_one[place], !eats[place]);
        let one_next = aig.and(is_idle, first);
        let stays = aig.and(has_one[place], !second);
        let one_next = aig.or(one_next, stays);
        let eats_next = aig.and(has_one[place], second);
        let states = [has_one[place], eats[place]];
        parts.set_when(runs[place], &states, &[one_next, eats_next]);
        parts.fairness(runs[place]);
    }
    let nobody = !parts.aig().or_all(eats);
    let starves = parts.finally_always(nobody);
    parts.property(vec![starves], fails);
}
