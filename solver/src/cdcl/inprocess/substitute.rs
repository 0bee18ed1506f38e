//! Equivalent-literal substitution.
//!
//! Literals in a cycle of binary implications are equal (Aspvall, Plass, Tarjan 1979). One of each such class, its
//! *representative*, takes the place of the others in all clauses (Li, "Equivalency reasoning to solve a class of hard SAT
//! problems", IPL 2000). If a class contains a literal and its negation, the formula is unsatisfiable, which two units show.
//!
//! That a member `x` equals its representative `r` is derived as two binary clauses, along a tree of implications from `r`
//! and one towards `r`: each clause of two antecedents. They are what each changed clause is resolved with, and they go to
//! the [`Extension`](super::Extension) with `x`, so a model gets its value and clauses that mention it bring it back.
//! Variables that must stay are kept, even where they are equal to each other.

use crate::cdcl::Solver;
use crate::cdcl::arena::ClauseRef;
use crate::lit::{Lit, Var};
use crate::proof::{ClauseId, ProofSink};

/// The place of a literal that has not been visited, and of one whose component is complete.
const UNVISITED: u32 = u32::MAX;
const DONE: u32 = u32::MAX - 1;

/// What a literal is replaced by.
#[derive(Clone, Copy, Debug)]
struct Replacement {
    by: Lit,
    /// The clause of the negated literal and `by`.
    id: ClauseId,
}

/// What replaces each literal; itself where nothing does.
struct Replacements {
    of: Vec<Replacement>,
    /// The variables with a replacement.
    vars: Vec<Var>,
}

impl<P: ProofSink> Solver<P> {
    /// Replaces literals by equal ones; `false` if the formula turns out to be unsatisfiable. At level 0, with clauses
    /// simplified and without garbage.
    pub(super) fn substitute(&mut self) -> bool {
        if !self.options.substitute || !self.options.eliminate {
            return true;
        }
        debug_assert_eq!(self.trail.level(), 0);
        debug_assert_eq!(self.arena.n_garbage_words(), 0);
        let classes = self.equal_literals();
        if classes.is_empty() {
            return true;
        }
        let mut replacements = Replacements {
            of: (0..2 * self.n_vars())
                .map(|code| Replacement {
                    by: Lit::from_code(code as u32),
                    id: 0,
                })
                .collect(),
            vars: Vec::new(),
        };
        for class in &classes {
            if let Some(&lit) = class.iter().find(|&lit| class.contains(&!*lit)) {
                return self.refute_cycle(lit);
            }
            self.find_replacements(class, &mut replacements);
        }
        self.replace_literals(&replacements)
    }

    /// The classes of at least two literals without a value that imply each other through binary clauses. Of a class and that
    /// of the negated literals, one is left out.
    ///
    /// Tarjan's algorithm with a stack of its own, since implications may be as deep as the formula is long.
    fn equal_literals(&self) -> Vec<Vec<Lit>> {
        let n_lits = 2 * self.n_vars();
        let mut places = vec![UNVISITED; n_lits];
        let mut lowest = vec![0u32; n_lits];
        let mut is_covered = vec![false; n_lits / 2];
        let mut open: Vec<Lit> = Vec::new();
        let mut calls: Vec<(Lit, u32)> = Vec::new();
        let mut next_place = 0;
        let mut classes = Vec::new();
        for code in 0..n_lits {
            let root = Lit::from_code(code as u32);
            if places[code] != UNVISITED || self.trail.value(root) != 0 {
                continue;
            }
            calls.push((root, 0));
            while let Some((lit, position)) = calls.pop() {
                let index = lit.index();
                if position == 0 {
                    places[index] = next_place;
                    lowest[index] = next_place;
                    next_place += 1;
                    open.push(lit);
                }
                let mut called = None;
                let watches = self.watches.of(!lit);
                let mut position = position as usize;
                while position < watches.len() {
                    let watch = watches[position];
                    position += 1;
                    if !watch.is_binary() {
                        continue;
                    }
                    let other = watch.blocker.index();
                    match places[other] {
                        UNVISITED => {
                            called = Some(watch.blocker);
                            break;
                        }
                        DONE => {}
                        place => lowest[index] = lowest[index].min(place),
                    }
                }
                if let Some(called) = called {
                    // Come back to the same watch, when the literal called has its lowest place; but not as to a new literal.
                    calls.push((lit, position as u32));
                    calls.push((called, 0));
                    continue;
                }
                if let Some(&(caller, _)) = calls.last() {
                    lowest[caller.index()] = lowest[caller.index()].min(lowest[index]);
                }
                if lowest[index] != places[index] {
                    continue;
                }
                let start = open.iter().rposition(|&other| other == lit);
                let class = open.split_off(start.expect("the literal is on the stack"));
                for member in &class {
                    places[member.index()] = DONE;
                }
                let is_new = !is_covered[lit.var().index()];
                for member in &class {
                    is_covered[member.var().index()] = true;
                }
                if class.len() > 1 && is_new {
                    classes.push(class);
                }
            }
        }
        classes
    }

    /// Derives the empty clause from the fact that a literal and its negation imply each other: assumed, it fails, and so
    /// does what is learned from that.
    fn refute_cycle(&mut self, lit: Lit) -> bool {
        while self.trail.value(lit) == 0 {
            self.trail.new_level();
            self.trail.assign(lit, ClauseRef::NONE);
            let conflict = self.propagate().expect("a cycle fails by propagation");
            if !self.learn_failed(conflict) {
                return false;
            }
        }
        unreachable!("once it has a value, propagation goes round the cycle")
    }

    /// Derives what the members of a class are replaced by.
    fn find_replacements(&mut self, class: &[Lit], replacements: &mut Replacements) {
        // One that must stay anyhow spares a variable.
        let representative = (class.iter().copied())
            .max_by_key(|lit| self.frozen[lit.var().index()])
            .expect("classes are not empty");
        let forward = self.implications_from(representative, class);
        // An implication of negated literals, read backwards.
        let negated: Vec<Lit> = class.iter().map(|&lit| !lit).collect();
        let backward = self.implications_from(!representative, &negated);
        for &lit in class {
            if lit == representative || self.frozen[lit.var().index()] {
                continue;
            }
            let find = |list: &[(Lit, ClauseId)], lit: Lit| {
                let found = list.iter().find(|entry| entry.0 == lit);
                found.expect("a class is strongly connected").1
            };
            // The clause of `lit` and `!representative` lets `!lit` be replaced, and the other way round.
            replacements.of[(!lit).index()] = Replacement {
                by: !representative,
                id: find(&forward, lit),
            };
            replacements.of[lit.index()] = Replacement {
                by: representative,
                id: find(&backward, !lit),
            };
            replacements.vars.push(lit.var());
        }
    }

    /// For each other member of a class, the clause that `root` implies it: breadth first, so that
    /// clauses that are there already are used where there are any. The others are derived.
    fn implications_from(&mut self, root: Lit, class: &[Lit]) -> Vec<(Lit, ClauseId)> {
        self.analysis.stamp += 1;
        let stamp = self.analysis.stamp;
        for lit in class {
            self.analysis.lit_stamps[lit.index()] = stamp;
        }
        self.analysis.lit_stamps[root.index()] = 0;
        let mut found: Vec<(Lit, ClauseId)> = Vec::new();
        let mut next = 0;
        let mut lit = root;
        let mut id = 0;
        loop {
            for position in 0..self.watches.of(!lit).len() {
                let watch = self.watches.of(!lit)[position];
                let other = watch.blocker;
                if !watch.is_binary() || self.analysis.lit_stamps[other.index()] != stamp {
                    continue;
                }
                self.analysis.lit_stamps[other.index()] = 0;
                if Self::CHAINS {
                    if lit != root {
                        self.chain.ids.push(id);
                    }
                    self.chain.ids.push(self.arena.id(watch.clause()));
                }
                // A copy even of a clause that is there, since that one goes and this one outlives it.
                let other_id = self.derive(&[!root, other]);
                found.push((other, other_id));
            }
            let Some(&entry) = found.get(next) else {
                return found;
            };
            (lit, id) = entry;
            next += 1;
        }
    }

    /// Replaces literals in all clauses, and retires their variables; `false` if the formula turns out to be unsatisfiable.
    fn replace_literals(&mut self, replacements: &Replacements) -> bool {
        let mut units = Vec::new();
        for redundant in [false, true] {
            let clauses = std::mem::take(self.clauses_mut(redundant));
            let mut kept = Vec::with_capacity(clauses.len());
            for clause in clauses {
                kept.extend(self.replace_in_clause(clause, replacements, &mut units));
            }
            *self.clauses_mut(redundant) = kept;
        }
        for &var in &replacements.vars {
            self.statistics.substituted_variables += 1;
            self.decisions.inactive[var.index()] = true;
            self.extension.push_var(var);
            for lit in [var.positive(), var.negative()] {
                // The clause that replaces `!lit` contains `lit`, and gives it its value.
                let Replacement { by, id } = replacements.of[(!lit).index()];
                self.touched[by.var().index()] = true;
                self.extension.push(lit, [lit, by].into_iter(), id);
            }
        }
        self.watches.clear();
        self.collect_garbage();
        self.rebuild_watches();
        for (lit, id) in units {
            match self.trail.value(lit) {
                0 if !self.fix(lit, id) => return false,
                0 | 1 => {}
                _ => {
                    if Self::CHAINS {
                        self.chain.ids.push(id);
                        self.chain.add_unit(lit.var());
                    }
                    let id = self.derive(&[]);
                    self.become_inconsistent(id);
                    return false;
                }
            }
        }
        self.simplify();
        true
    }

    /// Replaces literals in one clause. What comes of it: a clause, nothing where it became a tautology, or a unit, which goes
    /// to `units` with its id.
    fn replace_in_clause(
        &mut self,
        clause: ClauseRef,
        replacements: &Replacements,
        units: &mut Vec<(Lit, ClauseId)>,
    ) -> Option<ClauseRef> {
        let of = |lit: Lit| replacements.of[lit.index()];
        let is_replaced = |lit: Lit| of(lit).by != lit;
        if !self.arena.lits(clause).any(is_replaced) {
            return Some(clause);
        }
        let mut rest = std::mem::take(&mut self.rest);
        rest.clear();
        rest.extend(self.arena.lits(clause).map(|lit| of(lit).by));
        rest.sort_unstable();
        rest.dedup();
        let is_tautology = rest.windows(2).any(|pair| pair[0] == !pair[1]);
        let mut result = None;
        if is_tautology {
            self.remove_clause(clause);
        } else {
            if Self::CHAINS {
                self.chain.ids.push(self.arena.id(clause));
                let replaced = self.arena.lits(clause).filter(|&lit| is_replaced(lit));
                self.chain.ids.extend(replaced.map(|lit| of(lit).id));
            }
            if let [lit] = *rest {
                let id = self.derive(&rest);
                units.push((lit, id));
                self.remove_clause(clause);
            } else {
                self.replace_clause(clause, &rest);
                result = Some(clause);
            }
        }
        self.rest = rest;
        result
    }
}
