//! Gates that have the same function of the same few gates below them.
//!
//! Two circuits may compute the same from equal variables with gates of different form, if one or both were simplified:
//! then sharing by operands finds none of the gates above the first difference equal, and a SAT solver has to. Here a
//! gate is looked up by its truth tables over some cuts: sets of at most [`MOST_LEAVES`] gates that separate it from the
//! variables (J. Cong, Y. Ding, "FlowMap", IEEE TCAD 1994; cuts are merged bottom-up, with a bounded number for each gate).

use std::collections::HashMap;

use super::gate::{FALSE, Gate};

/// Gates of a cut; a truth table over them has 64 bits.
const MOST_LEAVES: usize = 6;
/// Cuts that are kept for a gate.
const MOST_CUTS: usize = 4;
/// Cuts that are kept in all, of some hundred bytes each. Further gates have only themselves as cut.
const MOST_IN_ALL: usize = 8_000_000;

/// By variable: the rows of a truth table in which it holds.
const ROWS: [u64; MOST_LEAVES] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// Place of a leaf that a cut does not have.
const NONE: u32 = u32::MAX;

/// A function of some nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Cut {
    /// The nodes, ascending, then [`NONE`].
    leaves: [u32; MOST_LEAVES],
    /// Bit `r` is the value if leaf `i` has the value of bit `i` of `r`. It depends on all leaves, and on no other bit.
    table: u64,
}

/// The cuts of the gates of [`Gates`](crate::Gates).
pub(super) struct Cuts {
    /// No more are kept once there are more than this.
    most: usize,
    /// By node: where its cuts end. They begin where those of the node before end.
    ends: Vec<u32>,
    /// Their tables are those of the node.
    cuts: Vec<Cut>,
    /// Cuts whose table has a 0 for the row of zeros, and the gate that has this function.
    found: HashMap<Cut, Gate>,
}

/// What [`Cuts`] knows about a conjunction.
pub(super) enum Conjunction {
    /// It is this gate.
    Known(Gate),
    /// It is none that is known; to be given to [`Cuts::add`].
    New(Functions),
}

/// The cuts of a new conjunction.
pub(super) struct Functions {
    cuts: [Cut; MOST_CUTS],
    n: usize,
}

impl Default for Cuts {
    fn default() -> Self {
        Self {
            most: MOST_IN_ALL,
            ends: Vec::new(),
            cuts: Vec::new(),
            found: HashMap::new(),
        }
    }
}

impl Cuts {
    /// Looks up a conjunction of gates, all of which were added.
    pub(super) fn conjunction(&self, left: Gate, right: Gate) -> Conjunction {
        let mut functions = Functions::none();
        if self.cuts.len() > self.most {
            return Conjunction::New(functions);
        }
        for one in self.of(left) {
            for other in self.of(right) {
                let Some(cut) = one.and(&other) else {
                    continue;
                };
                if let Some(gate) = self.known(cut) {
                    return Conjunction::Known(gate);
                }
                functions.keep(cut);
            }
        }
        Conjunction::New(functions)
    }

    /// Adds the next node, with what [`Cuts::conjunction`] found, or none for a variable.
    pub(super) fn add(&mut self, node: u32, functions: &Functions) {
        debug_assert_eq!(node as usize, self.ends.len());
        for &cut in &functions.cuts[..functions.n] {
            let is_negated = cut.table & 1 == 1;
            let gate = 2 * node + u32::from(is_negated);
            self.found.insert(cut.negated_if(is_negated), gate);
            self.cuts.push(cut);
        }
        self.ends.push(self.cuts.len() as u32);
    }

    pub(super) fn add_variable(&mut self, node: u32) {
        self.add(node, &Functions::none());
    }

    /// The cuts of a gate, the gate itself first.
    fn of(&self, gate: Gate) -> impl Iterator<Item = Cut> + '_ {
        let node = (gate >> 1) as usize;
        let start = if node == 0 { 0 } else { self.ends[node - 1] };
        let own = &self.cuts[start as usize..self.ends[node] as usize];
        let all = std::iter::once(Cut::of_node(node as u32)).chain(own.iter().copied());
        all.map(move |cut| cut.negated_if(gate & 1 == 1))
    }

    /// The gate that has this function.
    fn known(&self, cut: Cut) -> Option<Gate> {
        let sign = (cut.table & 1) as u32;
        match cut.leaves {
            // Gates that are not constant have a row in which they do not hold.
            [NONE, ..] => Some(FALSE),
            [leaf, NONE, ..] => Some(2 * leaf + sign),
            _ => {
                let gate = self.found.get(&cut.negated_if(sign == 1))?;
                Some(gate ^ sign)
            }
        }
    }
}

impl Functions {
    fn none() -> Self {
        Self {
            cuts: [Cut::of_node(0); MOST_CUTS],
            n: 0,
        }
    }

    /// Keeps a cut if it is among those with the fewest leaves.
    fn keep(&mut self, cut: Cut) {
        if self.cuts[..self.n]
            .iter()
            .any(|other| other.leaves == cut.leaves)
        {
            return;
        }
        if self.n < MOST_CUTS {
            self.cuts[self.n] = cut;
            self.n += 1;
        } else if let Some(worst) = self.cuts.iter_mut().max_by_key(|other| other.n_leaves())
            && cut.n_leaves() < worst.n_leaves()
        {
            *worst = cut;
        }
    }
}

impl Cut {
    fn of_node(node: u32) -> Self {
        let mut leaves = [NONE; MOST_LEAVES];
        leaves[0] = node;
        Self {
            leaves,
            table: ROWS[0],
        }
    }

    fn n_leaves(&self) -> usize {
        let is_none = |&leaf: &u32| leaf == NONE;
        self.leaves.iter().position(is_none).unwrap_or(MOST_LEAVES)
    }

    fn negated_if(mut self, is_negated: bool) -> Self {
        if is_negated {
            self.table = !self.table;
        }
        self
    }

    /// The conjunction, without leaves on which it does not depend; `None` if there are too many before that.
    fn and(&self, other: &Self) -> Option<Self> {
        let mut leaves = [NONE; MOST_LEAVES];
        // The new place of each leaf.
        let mut places = [[0; MOST_LEAVES]; 2];
        let mut at = [0; 2];
        let next = |cut: &Self, at: usize| cut.leaves.get(at).copied().unwrap_or(NONE);
        let mut n = 0;
        loop {
            let both = [next(self, at[0]), next(other, at[1])];
            let leaf = both[0].min(both[1]);
            if leaf == NONE {
                break;
            }
            *leaves.get_mut(n)? = leaf;
            for side in 0..2 {
                if both[side] == leaf {
                    places[side][at[side]] = n;
                    at[side] += 1;
                }
            }
            n += 1;
        }
        let [one, two] = [(self, 0), (other, 1)]
            .map(|(cut, side)| stretched(cut.table, &places[side][..at[side]]));
        let mut both = Self {
            leaves,
            table: one & two,
        };
        for place in (0..n).rev() {
            both.drop_if_unused(place);
        }
        Some(both)
    }

    fn drop_if_unused(&mut self, place: usize) {
        let rows = ROWS[place];
        if (self.table & rows) >> (1 << place) != self.table & !rows {
            return;
        }
        for place in place..MOST_LEAVES - 1 {
            self.table = swapped(self.table, place, place + 1);
        }
        self.leaves.copy_within(place + 1.., place);
        self.leaves[MOST_LEAVES - 1] = NONE;
    }
}

/// A table after its variables have moved to these places, which ascend.
fn stretched(mut table: u64, places: &[usize]) -> u64 {
    // The last one first: no variable is at its new place any more.
    for (from, &to) in places.iter().enumerate().rev() {
        if from != to {
            table = swapped(table, from, to);
        }
    }
    table
}

/// A table with two variables exchanged, `low < high`.
fn swapped(table: u64, low: usize, high: usize) -> u64 {
    let only_low = ROWS[low] & !ROWS[high];
    let shift = (1 << high) - (1 << low);
    let stays = table & !(only_low | only_low << shift);
    stays | (table & only_low) << shift | (table >> shift) & only_low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gates::Gates;
    use craig_aig::Random;

    #[test]
    fn exchanged_variables_are_exchanged_in_each_row() {
        let table = 0x0123_4567_89ab_cdef_u64.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for high in 1..MOST_LEAVES {
            for low in 0..high {
                let result = swapped(table, low, high);
                for row in 0..64_usize {
                    let [is_low, is_high] = [low, high].map(|var| row >> var & 1);
                    let other = row & !(1 << low | 1 << high) | is_low << high | is_high << low;
                    assert_eq!(result >> row & 1, table >> other & 1);
                }
            }
        }
    }

    /// Random gates over few variables keep their truth tables, and far fewer of them are made.
    #[test]
    fn gates_are_equal_only_if_they_have_equal_functions() {
        let mut random = Random::new(5);
        let mut n_merged = 0;
        for n_variables in 1..=8_usize {
            for _ in 0..40 {
                let [mut gates, mut plain] = [Gates::with_cuts(), Gates::new()];
                let mut all: Vec<[Gate; 2]> = vec![[Gates::FALSE; 2]];
                // Values of the nodes of `gates` in some assignments.
                let mut values = vec![0_u64];
                for variable in 0..n_variables {
                    all.push([gates.fresh(), plain.fresh()]);
                    values.push(match ROWS.get(variable) {
                        Some(&rows) => rows,
                        None => (0..64).fold(0, |word, bit| word | u64::from(random.flip()) << bit),
                    });
                }
                let value = |values: &[u64], gate: Gate| {
                    values[(gate >> 1) as usize] ^ 0_u64.wrapping_sub(u64::from(gate & 1))
                };
                for _ in 0..60 {
                    let mut pick = || {
                        let sign = u32::from(random.flip());
                        all[random.below(all.len())].map(|gate| gate ^ sign)
                    };
                    let [left, right] = [pick(), pick()];
                    let both = value(&values, left[0]) & value(&values, right[0]);
                    let n_before = values.len() as u32;
                    let gate = gates.and(left[0], right[0]);
                    if gate >> 1 == n_before {
                        values.push(both);
                    }
                    assert_eq!(value(&values, gate), both);
                    all.push([gate, plain.and(left[1], right[1])]);
                }
                n_merged += plain.n_nodes() - gates.n_nodes();
            }
        }
        assert!(n_merged > 2000, "{n_merged}");
    }

    #[test]
    fn different_forms_are_one_gate() {
        let mut gates = Gates::with_cuts();
        let [a, b, c, d] = [0; 4].map(|_| gates.fresh());
        let [ab, ac, bc] = [gates.and(a, b), gates.and(a, c), gates.and(b, c)];
        let all = gates.and(ab, c);
        assert_eq!(gates.and(ac, b), all);
        assert_eq!(gates.and(a, bc), all);
        // a & (!(a & b) | d) is a & (!b | d).
        let [left, right] = [gates.or(ab ^ 1, d), gates.or(b ^ 1, d)];
        assert_eq!(gates.and(a, left), gates.and(a, right));
        let never = gates.and(ab ^ 1, all);
        assert_eq!(never, Gates::FALSE);
        let n_nodes = gates.n_nodes();
        let same = gates.iff(a, b);
        let other = gates.iff(b ^ 1, a);
        assert_eq!(same ^ 1, other);
        assert!(gates.n_nodes() > n_nodes);
        // Functions that hold where all variables are false.
        let [no_ab, no_ac] = [gates.and(a ^ 1, b ^ 1), gates.and(a ^ 1, c ^ 1)];
        let none = gates.and(no_ab, c ^ 1);
        assert_eq!(gates.and(no_ac, b ^ 1), none);
        assert_ne!(none, all);
    }

    #[test]
    fn variables_that_do_not_matter_are_dropped() {
        let mut gates = Gates::with_cuts();
        let [a, b] = [0; 2].map(|_| gates.fresh());
        let [with, without] = [gates.or(a, b), gates.or(a, b ^ 1)];
        assert_eq!(gates.and(with, without), a);
        let [with, without] = [gates.or(a, b), gates.or(a ^ 1, b)];
        assert_eq!(gates.and(with, without), b);
        let [with, without] = [gates.or(a ^ 1, b), gates.or(a ^ 1, b ^ 1)];
        assert_eq!(gates.and(with, without), a ^ 1);
    }

    #[test]
    fn cuts_with_few_leaves_are_kept() {
        let cut = |first: u32, n: usize| {
            let mut leaves = [NONE; MOST_LEAVES];
            for (leaf, number) in leaves[..n].iter_mut().zip(first..) {
                *leaf = number;
            }
            Cut { leaves, table: 1 }
        };
        let mut functions = Functions::none();
        let sizes = |functions: &Functions| functions.cuts.map(|cut| cut.n_leaves());
        for (number, n) in [(10, 3), (20, 6), (30, 5), (40, 2)] {
            functions.keep(cut(number, n));
            // One with the same leaves is there.
            functions.keep(cut(number, n));
        }
        assert_eq!((sizes(&functions), functions.n), ([3, 6, 5, 2], 4));
        // As many leaves as the worst, and fewer.
        functions.keep(cut(50, 6));
        assert_eq!(functions.cuts[1], cut(20, 6));
        functions.keep(cut(60, 4));
        assert_eq!(sizes(&functions), [3, 4, 5, 2]);
        functions.keep(cut(70, 1));
        assert_eq!(sizes(&functions), [3, 4, 1, 2]);
    }

    #[test]
    fn a_limit_ends_what_is_kept() {
        let mut cuts = Cuts {
            most: 2,
            ..Cuts::default()
        };
        for node in 0..=10 {
            cuts.add_variable(node);
        }
        // A conjunction of two variables has one cut.
        for (node, left) in (11..).zip([1, 3, 5, 7, 9]) {
            let Conjunction::New(functions) = cuts.conjunction(2 * left, 2 * left + 2) else {
                panic!("each conjunction is new");
            };
            cuts.add(node, &functions);
        }
        assert_eq!(cuts.cuts.len(), 3);
    }
}
