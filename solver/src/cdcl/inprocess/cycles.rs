//! Cycles of implications: the literals of a cycle of binary clauses are equal.
//!
//! Such cycles are the strongly connected components of the graph of literals in which a binary clause is two
//! edges (Aspvall, Plass, Tarjan, IPL 1979; Tarjan, SIAM J. Comput. 1972). The clauses by which a literal and
//! the others of its component imply each other are resolved along the paths of two breadth-first searches.

use std::collections::VecDeque;

use super::lists::Lists;
use super::occurrences::Occurrences;
use super::substitute::{Equivalence, Substitution};
use crate::lit::Lit;
use crate::proof::{ClauseId, ProofSink};

/// The literals that a literal implies by binary clauses, and the entries of the clauses.
type Implications = Lists<(Lit, u32)>;

/// A literal that the root of a search implies.
struct Reached {
    lit: Lit,
    /// The number of the clause that says so.
    id: ClauseId,
    /// The entry of that clause; `None` if it was derived.
    entry: Option<u32>,
}

impl<P: ProofSink> Occurrences<'_, P> {
    /// Merges the literals of cycles of binary irredundant clauses.
    pub(super) fn merge_cycles(&mut self, substitution: &mut Substitution) {
        let mut implications = Implications::new(2 * self.solver.n_vars());
        for (entry, slot) in self.entries.iter().enumerate() {
            if self.solver.stop.is_due(1) {
                return;
            }
            let arena = &self.solver.arena;
            if arena.size(slot.clause) == 2 && !arena.is_garbage(slot.clause) {
                let [a, b] = [0, 1].map(|place| arena.lit(slot.clause, place));
                implications.push(!a, (b, entry as u32));
                implications.push(!b, (a, entry as u32));
            }
        }
        self.steps += self.entries.len() as u64 / 4;
        for component in components(&implications, self.solver.n_vars()) {
            if self.is_spent() || self.solver.outcome.inconsistent {
                break;
            }
            // The component of the negations comes second.
            if component.iter().all(|lit| self.is_open(lit.var())) {
                self.merge_component(&component, &implications, substitution);
            }
        }
    }

    fn merge_component(
        &mut self,
        component: &[Lit],
        implications: &Implications,
        substitution: &mut Substitution,
    ) {
        let is_frozen = |lit: Lit| self.solver.inprocessing.frozen[lit.var().index()];
        let n_clauses = |lit: Lit| self.lists.len(lit) + self.lists.len(!lit);
        let root = (component.iter().copied())
            .max_by_key(|&lit| (is_frozen(lit), n_clauses(lit)))
            .expect("components are not empty");
        let frozen: Vec<Lit> = component
            .iter()
            .copied()
            .filter(|&lit| is_frozen(lit))
            .collect();
        let is_kept = |lit: Lit| !frozen.iter().any(|other| other.var() == lit.var());
        let mut forward = self.reach(root, component, implications);
        if component.contains(&!root) {
            if let Some(last) = forward.pop_if(|last| last.lit == !root) {
                self.assign(!root, last.id);
            }
            return self.forget_reached(root, &forward, |_| false);
        }
        let negated: Vec<Lit> = component.iter().map(|&lit| !lit).collect();
        let mut backward = self.reach(!root, &negated, implications);
        let is_whole = [&forward, &backward].map(|list| list.len() + 1 == component.len());
        if is_whole != [true; 2] {
            self.forget_reached(root, &forward, |_| false);
            return self.forget_reached(!root, &backward, |_| false);
        }
        self.forget_reached(root, &forward, is_kept);
        self.forget_reached(!root, &backward, is_kept);
        // Both lists have the same variables.
        forward.sort_unstable_by_key(|reached| reached.lit.var());
        backward.sort_unstable_by_key(|reached| reached.lit.var());
        for (implied, implies) in forward.iter().zip(&backward) {
            let lit = implied.lit;
            debug_assert_eq!(implies.lit, !lit);
            // A substitution may lead to units, which have to reach the others through their clauses.
            if !is_kept(lit) || !self.is_open(lit.var()) || !self.is_open(root.var()) {
                continue;
            }
            for entry in [implied.entry, implies.entry].into_iter().flatten() {
                self.set_aside(entry);
            }
            let step = Equivalence::new(lit, root, [implies.id, implied.id]);
            self.substitute(step, substitution);
        }
    }

    /// Reports the derived clauses of a search as deleted, but for those of some literals.
    fn forget_reached(&mut self, root: Lit, reached: &[Reached], is_kept: impl Fn(Lit) -> bool) {
        for Reached { lit, id, entry } in reached {
            if P::ENABLED && entry.is_none() && !is_kept(*lit) {
                let solver = &mut *self.solver;
                solver.chain.delete(&mut solver.proof, *id, &[!root, *lit]);
            }
        }
    }

    /// The other literals of a component, with the clauses by which `root` implies them. Ends with the negation
    /// of `root` if that is reached.
    fn reach(&mut self, root: Lit, component: &[Lit], implications: &Implications) -> Vec<Reached> {
        for lit in component {
            self.marks[lit.index()] = true;
        }
        self.marks[root.index()] = false;
        let mut reached: Vec<Reached> = Vec::new();
        let mut queue = VecDeque::from([(root, None)]);
        while let Some((lit, id)) = queue.pop_front() {
            self.steps += 1 + implications.len(lit) as u64 / 4;
            for &(next, entry) in implications.of(lit) {
                let clause = self.entries[entry as usize].clause;
                if !self.marks[next.index()] || self.solver.arena.is_garbage(clause) {
                    continue;
                }
                self.marks[next.index()] = false;
                let is_contradiction = next == !root;
                let binary = self.solver.arena.id(clause);
                let (id, entry) = match id {
                    None => (binary, Some(entry)),
                    Some(id) => {
                        let mut lits = vec![!root, next];
                        lits.dedup();
                        (self.solver.derive_by(&lits, &[id, binary]), None)
                    }
                };
                reached.push(Reached {
                    lit: next,
                    id,
                    entry,
                });
                if is_contradiction {
                    // The clause is a unit clause.
                    queue.clear();
                    break;
                }
                queue.push_back((next, Some(id)));
            }
        }
        for lit in component {
            self.marks[lit.index()] = false;
        }
        reached
    }
}

/// The strongly connected components of more than one literal.
fn components(implications: &Implications, n_vars: usize) -> Vec<Vec<Lit>> {
    const OPEN: u32 = 0;
    const DONE: u32 = u32::MAX;
    let mut found = Vec::new();
    // By literal: its number in the order of the first visit, and the least number that is reached from it.
    let mut least = vec![OPEN; 2 * n_vars];
    let mut last = 0;
    let (mut stack, mut path) = (Vec::new(), Vec::new());
    for code in 0..2 * n_vars as u32 {
        let start = Lit::from_code(code);
        if least[start.index()] != OPEN || implications.len(start) == 0 {
            continue;
        }
        path.push((start, 0, 0));
        while let Some((lit, number, position)) = path.pop() {
            let mut number = number;
            if position == 0 {
                last += 1;
                number = last;
                least[lit.index()] = number;
                stack.push(lit);
            }
            if let Some(&(next, _)) = implications.of(lit).get(position) {
                path.push((lit, number, position + 1));
                match least[next.index()] {
                    OPEN => path.push((next, 0, 0)),
                    DONE => {}
                    other => least[lit.index()] = least[lit.index()].min(other),
                }
                continue;
            }
            let own = least[lit.index()];
            if own == number {
                let place = stack.iter().rposition(|&other| other == lit);
                let component = stack.split_off(place.expect("the literal is on the stack"));
                for member in &component {
                    least[member.index()] = DONE;
                }
                if component.len() > 1 {
                    found.push(component);
                }
            } else if let Some((parent, _, _)) = path.last() {
                least[parent.index()] = least[parent.index()].min(own);
            }
        }
    }
    found
}
