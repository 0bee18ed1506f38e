//! Counting by a tree of adders of unary numbers (Bailleux and Boufkhad, "Efficient CNF encoding of Boolean cardinality
//! constraints", CP 2003).

use crate::encode::ClauseSink;
use crate::lit::Lit;

/// The number of true literals in unary, which bounds can be asked of one after the other, also by assumptions.
#[derive(Clone, Debug)]
pub struct Totalizer {
    counts: Vec<Lit>,
}

impl Totalizer {
    /// Adds the clauses: of `n` literals, about `n^2` and `n log n` variables.
    pub fn new(sink: &mut impl ClauseSink, lits: &[Lit]) -> Self {
        let mut sums: Vec<Vec<Lit>> = lits.iter().map(|&lit| vec![lit]).collect();
        while sums.len() > 1 {
            let pairs = sums.chunks(2);
            sums = pairs
                .map(|pair| match pair {
                    [left, right] => add(sink, left, right),
                    single => single.concat(),
                })
                .collect();
        }
        Self {
            counts: sums.pop().unwrap_or_default(),
        }
    }

    /// The literal that is true if more than `bound` of the literals are, and false if not; `None` if there are not more.
    #[must_use]
    pub fn more_than(&self, bound: usize) -> Option<Lit> {
        self.counts.get(bound).copied()
    }
}

/// The sum of two unary numbers.
fn add(sink: &mut impl ClauseSink, left: &[Lit], right: &[Lit]) -> Vec<Lit> {
    let n_lits = left.len() + right.len();
    let sum: Vec<Lit> = (0..n_lits).map(|_| sink.new_var().positive()).collect();
    for i in 0..=left.len() {
        for j in 0..=right.len() {
            // At least i and j give at least i + j.
            if i + j > 0 {
                let mut clause = vec![sum[i + j - 1]];
                clause.extend(i.checked_sub(1).map(|last| !left[last]));
                clause.extend(j.checked_sub(1).map(|last| !right[last]));
                sink.add_clause(&clause);
            }
            // At most i and j give at most i + j.
            if i + j < n_lits {
                let mut clause = vec![!sum[i + j]];
                clause.extend(left.get(i));
                clause.extend(right.get(j));
                sink.add_clause(&clause);
            }
        }
    }
    sum
}
