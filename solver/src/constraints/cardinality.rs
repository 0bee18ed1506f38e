//! Bounds on the number of true literals, by a sequential counter (Sinz, "Towards an optimal CNF encoding of Boolean
//! cardinality constraints", CP 2005): unit propagation makes all others false as soon as the bound is reached.

use crate::encode::ClauseSink;
use crate::lit::Lit;

/// At most `bound` of the literals are true: about `2 n k` clauses and `n k` variables for `n` literals and bound `k`.
pub fn at_most(sink: &mut impl ClauseSink, lits: &[Lit], bound: usize) {
    if bound == 0 {
        for &lit in lits {
            sink.add_clause(&[!lit]);
        }
        return;
    }
    if bound >= lits.len() {
        return;
    }
    // Number `j` is true if more than `j` of the literals so far are.
    let mut before: Vec<Lit> = Vec::new();
    for (index, &lit) in lits.iter().enumerate() {
        if let Some(&full) = before.get(bound - 1) {
            sink.add_clause(&[!full, !lit]);
        }
        if index + 1 == lits.len() {
            break;
        }
        let n_counts = bound.min(index + 1);
        let after: Vec<Lit> = (0..n_counts).map(|_| sink.new_var().positive()).collect();
        sink.add_clause(&[!lit, after[0]]);
        for (count, &then) in after.iter().enumerate() {
            if let Some(&now) = before.get(count) {
                sink.add_clause(&[!now, then]);
            }
            if count > 0 {
                sink.add_clause(&[!lit, !before[count - 1], then]);
            }
        }
        before = after;
    }
}

/// At least `bound` of the literals are true.
pub fn at_least(sink: &mut impl ClauseSink, lits: &[Lit], bound: usize) {
    match lits.len().checked_sub(bound) {
        _ if bound == 1 => sink.add_clause(lits),
        Some(n_false) => {
            let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
            at_most(sink, &negated, n_false);
        }
        None => sink.add_clause(&[]),
    }
}

/// Just `bound` of the literals are true.
pub fn exactly(sink: &mut impl ClauseSink, lits: &[Lit], bound: usize) {
    at_most(sink, lits, bound);
    at_least(sink, lits, bound);
}
