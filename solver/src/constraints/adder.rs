//! Bounds on weighted sums by a network of adders (Eén and Sörensson, "Translating pseudo-Boolean constraints into SAT", JSAT 2006):
//! its size is linear in the terms and the digits of their weights, but unit propagation finds less than in a decision diagram.

use std::collections::VecDeque;

use crate::encode::ClauseSink;
use crate::lit::Lit;

/// The sum of the weights of the true literals is at most `bound`.
pub(super) fn at_most(sink: &mut impl ClauseSink, terms: &[(u64, Lit)], bound: u128) {
    let digits = sum(sink, terms);
    // The digits where the bound has a one: the sum is less if one of those above a place is zero.
    let mut above: Vec<Lit> = Vec::new();
    for place in (0..digits.len().max(128)).rev() {
        let digit = digits.get(place).copied().flatten();
        let has_one = u32::try_from(place)
            .is_ok_and(|place| bound.checked_shr(place).is_some_and(|rest| rest & 1 == 1));
        match (has_one, digit) {
            (true, Some(digit)) => above.push(!digit),
            // The sum has a zero there: it is less, unless it was more above.
            (true, None) => return,
            (false, Some(digit)) => {
                let mut clause = above.clone();
                clause.push(!digit);
                sink.add_clause(&clause);
            }
            (false, None) => {}
        }
    }
}

/// The digits of the sum, the lowest first; `None` is zero.
fn sum(sink: &mut impl ClauseSink, terms: &[(u64, Lit)]) -> Vec<Option<Lit>> {
    let mut columns: Vec<VecDeque<Lit>> = vec![VecDeque::new(); u64::BITS as usize];
    for &(weight, lit) in terms {
        for (place, column) in columns.iter_mut().enumerate() {
            if weight >> place & 1 == 1 {
                column.push_back(lit);
            }
        }
    }
    let mut digits = Vec::with_capacity(columns.len());
    let mut carries = Vec::new();
    let mut place = 0;
    while place < columns.len() || !carries.is_empty() {
        let mut column = columns
            .get_mut(place)
            .map(std::mem::take)
            .unwrap_or_default();
        column.extend(carries.drain(..));
        // Sums go to the end, so that the tree is flat.
        while column.len() > 1 {
            let n_added = column.len().min(3);
            let added: Vec<Lit> = column.drain(..n_added).collect();
            let is_odd = |ones: usize| ones % 2 == 1;
            column.push_back(function(sink, &added, is_odd));
            carries.push(function(sink, &added, |ones| ones > 1));
        }
        digits.push(column.pop_front());
        place += 1;
    }
    digits
}

/// A literal that is true if and only if the number of these that are true is one of some numbers.
fn function(sink: &mut impl ClauseSink, lits: &[Lit], holds: impl Fn(usize) -> bool) -> Lit {
    let output = sink.new_var().positive();
    for assignment in 0..1_u32 << lits.len() {
        let mut clause: Vec<Lit> = (lits.iter().enumerate())
            .map(|(index, &lit)| lit.negate_if(assignment >> index & 1 == 1))
            .collect();
        clause.push(output.negate_if(!holds(assignment.count_ones() as usize)));
        sink.add_clause(&clause);
    }
    output
}
