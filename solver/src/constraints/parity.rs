//! Parities, cut into pieces of four literals.

use crate::encode::ClauseSink;
use crate::lit::Lit;

/// Longer ones are cut: a parity of `n` literals in one piece takes `2^(n-1)` clauses.
const LONGEST: usize = 4;

/// An odd number of the literals is true, or an even one.
pub fn parity(sink: &mut impl ClauseSink, lits: &[Lit], is_odd: bool) {
    let mut rest = lits.to_vec();
    while rest.len() > LONGEST {
        // A new literal for the parity of the first ones; at the end, so that the tree is flat.
        let sum = sink.new_var().positive();
        let piece: Vec<Lit> = rest.drain(..LONGEST - 1).chain([sum]).collect();
        whole(sink, &piece, false);
        rest.push(sum);
    }
    whole(sink, &rest, is_odd);
}

/// A clause for each assignment of the wrong parity.
fn whole(sink: &mut impl ClauseSink, lits: &[Lit], is_odd: bool) {
    for assignment in 0..1_u32 << lits.len() {
        if (assignment.count_ones() % 2 == 1) != is_odd {
            let clause: Vec<Lit> = (lits.iter().enumerate())
                .map(|(index, &lit)| lit.negate_if(assignment >> index & 1 == 1))
                .collect();
            sink.add_clause(&clause);
        }
    }
}
