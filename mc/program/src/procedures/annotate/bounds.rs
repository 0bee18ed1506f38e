//! Labels over words: bounds of the words at entry and exit in the place of their bits.
//!
//! The core of a blocked query names bits of its states. Where a lower or an upper bound of a word can take the place
//! of its bits, the label says so, with the bound that covers the most states; a word may also be left out. Such a
//! label often covers what takes a label for each bit otherwise: that no call with a larger argument returns with so
//! much fuel, for example.

use craig_aig::{Aig, Edge};
use craig_model::{Stop, UnknownReason};

use super::body::{Blocked, BodyQueries};
use super::bounded_word::BoundedWord;
use super::{Label, Query, Target};

/// What a label says about one word.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    /// The bits at these positions are those of the query.
    Bits(Vec<usize>),
    /// A bound, in the order of the word.
    AtLeast(u128),
    AtMost(u128),
}

/// Wider words keep their bits.
const MAX_WIDTH: usize = 128;

impl BodyQueries {
    /// Makes the comparisons of the words, given by their widths and whether they are signed.
    pub(super) fn make_bounds(&mut self, aig: &mut Aig, words: &[(usize, bool)]) {
        let bits: Vec<Edge> = self.entry.iter().chain(&self.exit).copied().collect();
        let mut start = 0;
        for &(width, is_signed) in words {
            let place = start..start + width;
            start += width;
            if !(2..=MAX_WIDTH).contains(&width) {
                continue;
            }
            let bound: Vec<Edge> = (0..width).map(|_| aig.add_input()).collect();
            let own = &bits[place.clone()];
            let at_least = is_at_least(aig, own, &bound, is_signed);
            let at_most = is_at_least(aig, &bound, own, is_signed);
            let word = BoundedWord {
                place,
                is_signed,
                bound: bound.iter().map(|&edge| self.lit(aig, edge)).collect(),
                at_least: self.lit(aig, at_least),
                at_most: self.lit(aig, at_most),
            };
            self.words.push(word);
        }
        debug_assert_eq!(start, bits.len());
    }

    /// A label with bounds that blocks a query, as the core of its refutation does; `None` if no word has one.
    pub(super) fn bounds(
        &mut self,
        aig: &Aig,
        labels: &[Label],
        query: &Query,
        blocked: &Blocked,
        stop: &Stop,
    ) -> Result<Option<(Aig, Edge)>, UnknownReason> {
        let states = states(query, self.exit.len());
        let n_entry = self.entry.len();
        let needed = (blocked.entry.iter().copied())
            .chain(blocked.exit.iter().map(|&position| n_entry + position));
        let needed: Vec<usize> = needed.collect();
        // Bits that are in no word with bounds come last.
        let mut parts: Vec<(Option<usize>, Part)> = Vec::new();
        let mut rest = needed.clone();
        for (number, word) in self.words.iter().enumerate() {
            let own: Vec<usize> = (needed.iter().copied())
                .filter(|position| word.place.contains(position))
                .collect();
            rest.retain(|position| !word.place.contains(position));
            if !own.is_empty() {
                parts.push((Some(number), Part::Bits(own)));
            }
        }
        parts.push((None, Part::Bits(rest)));
        let mut has_changed = false;
        for index in 0..parts.len() {
            let Some(number) = parts[index].0 else {
                continue;
            };
            let word = &self.words[number];
            let (place, is_signed) = (word.place.clone(), word.is_signed);
            let most = u128::MAX >> (MAX_WIDTH - place.len());
            let value = (place.clone())
                .rev()
                .fold(0, |sum, position| sum << 1 | u128::from(states[position]));
            let own = order(value, place.len(), is_signed);
            let old = parts[index].1.clone();
            let mut found = None;
            for is_lower in [true, false] {
                let made = |bound: u128| match is_lower {
                    true => Part::AtLeast(bound),
                    false => Part::AtMost(bound),
                };
                parts[index].1 = made(own);
                if !self.excludes(aig, labels, query, blocked, &parts, stop)? {
                    continue;
                }
                // The bound nearest to the end of the order, among those between.
                let (mut good, mut bad) = (own, if is_lower { 0 } else { most });
                parts[index].1 = made(bad);
                if self.excludes(aig, labels, query, blocked, &parts, stop)? {
                    good = bad;
                }
                while good.abs_diff(bad) > 1 {
                    let middle = good.min(bad) + good.abs_diff(bad) / 2;
                    parts[index].1 = made(middle);
                    match self.excludes(aig, labels, query, blocked, &parts, stop)? {
                        true => good = middle,
                        false => bad = middle,
                    }
                }
                found = Some(match good == if is_lower { 0 } else { most } {
                    true => Part::Bits(Vec::new()),
                    false => made(good),
                });
                break;
            }
            has_changed |= found.is_some();
            parts[index].1 = found.unwrap_or(old);
        }
        Ok(has_changed.then(|| self.formula(query, blocked, &parts, &states)))
    }

    /// Whether no run of the body is in these parts, with the labels that the core has the fuel for.
    fn excludes(
        &mut self,
        aig: &Aig,
        labels: &[Label],
        query: &Query,
        blocked: &Blocked,
        parts: &[(Option<usize>, Part)],
        stop: &Stop,
    ) -> Result<bool, UnknownReason> {
        let states = states(query, self.exit.len());
        let mut assumed = self.assumed(labels, blocked.fuel);
        assumed.push(self.end_lit(aig, query.target.outcome()));
        assumed.extend(blocked.excluded);
        for (number, part) in parts {
            match (part, number) {
                (Part::Bits(bits), _) => {
                    for &position in bits {
                        let lit = self.bit(aig, position);
                        assumed.push(if states[position] { lit } else { !lit });
                    }
                }
                (Part::AtLeast(bound) | Part::AtMost(bound), Some(number)) => {
                    let word = &self.words[*number];
                    assumed.push(match part {
                        Part::AtLeast(_) => word.at_least,
                        _ => word.at_most,
                    });
                    let value = order(*bound, word.place.len(), word.is_signed);
                    let bits = word.bound.iter().enumerate();
                    assumed.extend(bits.map(|(position, &lit)| match value >> position & 1 {
                        1 => lit,
                        _ => !lit,
                    }));
                }
                (_, None) => unreachable!("only words have bounds"),
            }
        }
        self.is_refuted(&assumed, stop)
    }

    /// The parts as a formula over the bits at entry and exit.
    fn formula(
        &self,
        query: &Query,
        blocked: &Blocked,
        parts: &[(Option<usize>, Part)],
        states: &[bool],
    ) -> (Aig, Edge) {
        let mut graph = Aig::new();
        let n_bits = match query.target {
            Target::Fail => self.entry.len(),
            Target::Return { .. } => self.entry.len() + self.exit.len(),
        };
        let inputs: Vec<Edge> = (0..n_bits).map(|_| graph.add_input()).collect();
        let mut all = Vec::new();
        for (number, part) in parts {
            match (part, number) {
                (Part::Bits(bits), _) => all.extend(bits.iter().map(|&position| {
                    let input = inputs[position];
                    if states[position] { input } else { !input }
                })),
                (Part::AtLeast(bound) | Part::AtMost(bound), Some(number)) => {
                    let word = &self.words[*number];
                    let own = &inputs[word.place.clone()];
                    let value = order(*bound, word.place.len(), word.is_signed);
                    let bound: Vec<Edge> = (0..word.place.len())
                        .map(|position| Edge::from(value >> position & 1 == 1))
                        .collect();
                    all.push(match part {
                        Part::AtLeast(_) => is_at_least(&mut graph, own, &bound, word.is_signed),
                        _ => is_at_least(&mut graph, &bound, own, word.is_signed),
                    });
                }
                (_, None) => unreachable!("only words have bounds"),
            }
        }
        if blocked.excluded.is_some()
            && let Target::Return { not, .. } = &query.target
        {
            let exit = &inputs[self.entry.len()..];
            for values in not {
                let differs = exit.iter().zip(values);
                let differs = differs.map(|(&edge, &value)| if value { !edge } else { edge });
                all.push(graph.or_all(differs.collect::<Vec<Edge>>()));
            }
        }
        let root = graph.and_all(all);
        (graph, root)
    }
}

/// The bits at the entry of a query, and those of its exits, as far as they are the same.
fn states(query: &Query, n_exit: usize) -> Vec<bool> {
    let mut states = query.entry.clone();
    if let Target::Return { cube, .. } = &query.target {
        states.resize(query.entry.len() + n_exit, false);
        for &(position, value) in cube {
            states[query.entry.len() + position] = value;
        }
    }
    states
}

/// The position of a value in the order of its word; it is its own inverse.
fn order(value: u128, width: usize, is_signed: bool) -> u128 {
    value ^ (u128::from(is_signed) << (width - 1))
}

/// Whether one word is at least another.
fn is_at_least(aig: &mut Aig, left: &[Edge], right: &[Edge], is_signed: bool) -> Edge {
    let mut result = Edge::TRUE;
    for (position, (&left_bit, &right_bit)) in left.iter().zip(right).enumerate() {
        let is_sign = is_signed && position + 1 == left.len();
        let differs = aig.xor(left_bit, right_bit);
        let larger = if is_sign { right_bit } else { left_bit };
        result = aig.ite(differs, larger, result);
    }
    result
}
