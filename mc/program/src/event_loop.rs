//! Event loops: automata whose explicit states may be few.

use std::collections::HashSet;

use craig_word::{Node, Op, Term};

use super::cfa::{Cfa, LocationId};

/// Words with more values than this are no status words.
const MOST_VALUES: usize = 64;
/// The loop of an event loop has at least this number of status words.
const FEWEST_STATUS_WORDS: usize = 2;

impl Cfa {
    /// Whether edges from some location on a cycle compare an input, and branch on status words: explicit states of
    /// these may be few.
    #[must_use]
    pub fn has_event_loop(&self) -> bool {
        let mut heads = self.on_cycles().into_iter();
        heads.any(|head| {
            let (compares, words) = self.branches_on(head);
            compares && words.len() >= FEWEST_STATUS_WORDS
        })
    }

    /// The locations on cycles: those left after all that nothing leads to, or that lead nowhere, have been removed
    /// repeatedly. Locations between two cycles count as well.
    fn on_cycles(&self) -> Vec<LocationId> {
        let n = self.locations().len();
        let mut is_left = vec![true; n];
        for forwards in [true, false] {
            let next = |id: LocationId| match forwards {
                true => self.outgoing(id),
                false => self.incoming(id),
            };
            let previous = |id: LocationId| match forwards {
                true => self.incoming(id),
                false => self.outgoing(id),
            };
            let end = |edge: &super::cfa::EdgeId| match forwards {
                true => self.edge(*edge).target,
                false => self.edge(*edge).source,
            };
            let mut degree: Vec<usize> = (self.location_ids())
                .map(|id| {
                    let edges = previous(id).iter();
                    let from = edges.map(|&edge| match forwards {
                        true => self.edge(edge).source,
                        false => self.edge(edge).target,
                    });
                    from.filter(|from| is_left[from.index()]).count()
                })
                .collect();
            let mut work: Vec<LocationId> = (self.location_ids())
                .filter(|id| is_left[id.index()] && degree[id.index()] == 0)
                .collect();
            while let Some(id) = work.pop() {
                is_left[id.index()] = false;
                for edge in next(id) {
                    let target = end(edge);
                    degree[target.index()] -= 1;
                    if is_left[target.index()] && degree[target.index()] == 0 {
                        work.push(target);
                    }
                }
            }
        }
        self.location_ids()
            .filter(|id| is_left[id.index()])
            .collect()
    }

    /// Whether edges from a location compare an input, and the status words that their conditions compare.
    fn branches_on(&self, head: LocationId) -> (bool, Vec<Term>) {
        let few = self.few_values(MOST_VALUES);
        let roots: Vec<Term> = (self.outgoing(head).iter())
            .flat_map(|&edge| {
                let edge = self.edge(edge);
                let values = edge.assignments.iter().map(|assignment| assignment.value);
                values.chain([edge.guard])
            })
            .collect();
        let is_variable = |term: Term| matches!(self.terms.node(term), Node::Var(_));
        let (mut compares, mut found) = (false, HashSet::new());
        for term in self.terms.cone(&roots, |_| false) {
            let Node::Binary(Op::Eq | Op::Ult | Op::Slt, left, right) = self.terms.node(term)
            else {
                continue;
            };
            for (own, other) in [(left, right), (right, left)] {
                if !is_variable(own) || self.terms.constant_value(other).is_none() {
                    continue;
                }
                match self.word(own) {
                    None => compares = true,
                    Some(_) if few.get(&own).is_some_and(|values| values.len() > 1) => {
                        found.insert(own);
                    }
                    Some(_) => {}
                }
            }
        }
        let mut words: Vec<Term> = found.into_iter().collect();
        words.sort_unstable();
        (compares, words)
    }
}

#[cfg(test)]
mod tests {
    use craig_word::Terms;

    use super::*;
    use crate::cfa::Assignment;

    /// An automaton with one loop over two words, which gets commands: `step` makes the new value of the first
    /// from the constants 1 and 2, or not.
    fn machine(is_event_loop: bool) -> Cfa {
        let mut terms = Terms::new();
        let (state, mode, input) = (terms.variable(32), terms.variable(32), terms.variable(32));
        let (one, two) = (terms.constant(1, 32), terms.constant(2, 32));
        let is_command = terms.eq(input, one);
        let is_first = terms.eq(state, one);
        let is_second = terms.eq(mode, one);
        let chosen = terms.ite(is_first, two, mode);
        let counted = terms.add(state, one);
        let next = if is_event_loop { chosen } else { counted };
        let next = terms.ite(is_command, next, state);
        let next_mode = terms.ite(is_second, two, one);
        let yes = terms.boolean(true);
        let mut cfa = Cfa::new(terms);
        cfa.add_word(state, "state");
        cfa.add_word(mode, "mode");
        let head = cfa.add_location("head", vec![state, mode], vec![state, mode]);
        let assign = |word, value| Assignment { word, value };
        let first = vec![assign(state, one), assign(mode, one)];
        cfa.add_edge(Cfa::START, head, yes, first);
        let again = vec![assign(state, next), assign(mode, next_mode)];
        cfa.add_edge(head, head, yes, again);
        assert_eq!(cfa.check(), Ok(()));
        cfa
    }

    #[test]
    fn event_loops_are_found() {
        assert!(machine(true).has_event_loop());
        assert!(!machine(false).has_event_loop());
        let mut cfa = machine(true);
        let few = cfa.few_values(MOST_VALUES);
        let words: Vec<Term> = cfa.words().iter().map(|word| word.term).collect();
        for &word in &words {
            assert_eq!(few[&word].iter().copied().collect::<Vec<_>>(), [1, 2]);
        }
        assert!(cfa.few_values(1).is_empty());
        // Of two loops, and of a location between them, each is on a cycle or between cycles.
        let yes = cfa.terms.boolean(true);
        let (between, other) = (
            cfa.add_location("between", Vec::new(), Vec::new()),
            cfa.add_location("other", Vec::new(), Vec::new()),
        );
        cfa.add_edge(between, other, yes, Vec::new());
        assert_eq!(cfa.on_cycles().len(), 1);
        cfa.add_edge(other, other, yes, Vec::new());
        assert_eq!(cfa.on_cycles().len(), 2);
        assert!(cfa.has_event_loop());
        let mut empty = Cfa::new(Terms::new());
        let end = empty.add_location("end", Vec::new(), Vec::new());
        let yes = empty.terms.boolean(true);
        empty.add_edge(Cfa::START, end, yes, Vec::new());
        assert!(empty.on_cycles().is_empty() && !empty.has_event_loop());
    }
}
