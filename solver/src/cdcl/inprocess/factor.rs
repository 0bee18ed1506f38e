//! Bounded variable addition: clauses that are a product of literals and clauses are factored.
//!
//! If for literals `f1 .. fk` and clauses `Q1 .. Qm` all clauses `fi | Qj` are there, a new variable `x` makes `k + m`
//! clauses of these `k * m`: `x | fi` and `!x | Qj` (Manthey, Heule, Biere, "Automated reencoding of Boolean formulas",
//! HVC 2012). Factors are added greedily, each time the literal that keeps most of the clauses, while that saves more
//! clauses. Constraints by which at most one of many literals holds become linear in the number of literals.
//!
//! That `!x` is the conjunction of the factors is a definition and no resolvent, so there is no factoring where the proof
//! consists of resolutions alone, as interpolation needs it. The rest are resolutions: `!x | Qj` of the long clause of
//! the definition and all `fi | Qj`. The long clause is not kept.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::occurrences::Occurrences;
use crate::cdcl::solver::Solver;
use crate::lit::Lit;
use crate::proof::ProofSink;

/// Clauses with more literals are not factored.
const MAX_SIZE: usize = 2;

/// The least number of clauses that a new variable has to save. Constraints by which at most one of many literals holds
/// have products that save more; where products are small, propagation through the new variables costs more than they save.
const MIN_SAVING: isize = 5;

/// Clauses `factor | Qj`, one row for each factor; the entries of a column differ in the factor alone.
struct Product {
    factors: Vec<Lit>,
    rows: Vec<Vec<u32>>,
}

impl Product {
    fn n_columns(&self) -> usize {
        self.rows[0].len()
    }

    /// How many clauses fewer there are after factoring, if the product has another factor and column count.
    fn saving(n_factors: usize, n_columns: usize) -> isize {
        (n_factors * n_columns) as isize - (n_factors + n_columns) as isize
    }
}

/// Literals that may become factors.
struct Candidates {
    /// By literal: how many columns have a clause with it in the place of the first factor, and the last of them.
    counts: Vec<(u32, u32)>,
    found: Vec<Lit>,
    /// Column, literal and entry.
    matches: Vec<(u32, Lit, u32)>,
}

impl<P: ProofSink> Occurrences<'_, P> {
    /// Factors clauses until no factoring saves any, or the allowed effort is spent.
    pub(super) fn factor(&mut self) {
        let n_lits = 2 * self.solver.n_vars();
        let mut schedule: BinaryHeap<(usize, Reverse<u32>)> = (0..n_lits as u32)
            .map(|code| (self.lists.len(Lit::from_code(code)), Reverse(code)))
            .filter(|&(n_clauses, _)| n_clauses > 2)
            .collect();
        let mut candidates = Candidates {
            counts: vec![(0, 0); n_lits],
            found: Vec::new(),
            matches: Vec::new(),
        };
        while let Some((n_clauses, Reverse(code))) = schedule.pop() {
            if self.is_spent() {
                return;
            }
            let first = Lit::from_code(code);
            if !self.is_open(first.var()) {
                continue;
            }
            self.clean(first);
            let now = self.lists.len(first);
            if now < n_clauses {
                if now > 2 {
                    schedule.push((now, Reverse(code)));
                }
                continue;
            }
            let Some(product) = self.product_of(first, &mut candidates) else {
                continue;
            };
            let Some(defined) = self.replace_product(&product) else {
                return;
            };
            candidates.counts.resize(2 * self.solver.n_vars(), (0, 0));
            for lit in product.factors.iter().copied().chain([defined, !defined]) {
                self.clean(lit);
                schedule.push((self.lists.len(lit), Reverse(lit.code())));
            }
        }
    }

    /// The product with the given factor that saves most clauses, as far as the greedy choice of factors finds it.
    fn product_of(&mut self, first: Lit, candidates: &mut Candidates) -> Option<Product> {
        let mut product = Product {
            factors: vec![first],
            rows: vec![self.factorable(first)],
        };
        while !self.is_spent() {
            self.find_candidates(&product, candidates);
            let best = candidates.found.iter().copied().max_by_key(|lit| {
                let distance = lit.var().index().abs_diff(first.var().index());
                (
                    candidates.counts[lit.index()].0,
                    Reverse((distance, lit.code())),
                )
            });
            for lit in candidates.found.drain(..) {
                candidates.counts[lit.index()] = (0, 0);
            }
            let Some(best) = best else {
                break;
            };
            let n_factors = product.factors.len();
            let chosen: Vec<(u32, u32)> = (candidates.matches.iter())
                .filter(|&&(_, lit, _)| lit == best)
                .map(|&(column, _, entry)| (column, entry))
                .collect();
            let saving = Product::saving(n_factors, product.n_columns());
            if n_factors > 1 && Product::saving(n_factors + 1, chosen.len()) <= saving {
                break;
            }
            for row in &mut product.rows {
                *row = chosen
                    .iter()
                    .map(|&(column, _)| row[column as usize])
                    .collect();
            }
            product
                .rows
                .push(chosen.iter().map(|&(_, entry)| entry).collect());
            product.factors.push(best);
        }
        (product.factors.len() > 1
            && Product::saving(product.factors.len(), product.n_columns()) >= MIN_SAVING)
            .then_some(product)
    }

    /// The clauses with a literal that may be factored, equal ones once.
    fn factorable(&mut self, first: Lit) -> Vec<u32> {
        let mut clauses: Vec<(Vec<Lit>, u32)> = Vec::new();
        for &entry in self.lists.of(first) {
            let clause = self.entries[entry as usize].clause;
            if self.is_live(entry) && self.solver.arena.size(clause) <= MAX_SIZE {
                let mut lits: Vec<Lit> = self.solver.arena.lits(clause).collect();
                lits.sort_unstable();
                clauses.push((lits, entry));
            }
        }
        self.steps += 1 + clauses.len() as u64;
        clauses.sort_unstable();
        clauses.dedup_by(|left, right| left.0 == right.0);
        clauses.into_iter().map(|(_, entry)| entry).collect()
    }

    /// For each column, the literals other than the factors that stand in the place of the first factor in some clause.
    fn find_candidates(&mut self, product: &Product, candidates: &mut Candidates) {
        candidates.matches.clear();
        let first = product.factors[0];
        for (column, &entry) in product.rows[0].iter().enumerate() {
            let clause = self.entries[entry as usize].clause;
            let arena = &self.solver.arena;
            let size = arena.size(clause);
            let rest = || arena.lits(clause).filter(|&lit| lit != first);
            let Some(rarest) = rest().min_by_key(|&lit| self.lists.len(lit)) else {
                continue;
            };
            for lit in rest() {
                self.marks[lit.index()] = true;
            }
            self.steps += 1 + self.lists.len(rarest) as u64 / 8;
            for &other in self.lists.of(rarest) {
                let clause = self.entries[other as usize].clause;
                if arena.size(clause) != size || arena.is_garbage(clause) {
                    continue;
                }
                self.steps += 1;
                let mut outside = arena.lits(clause).filter(|lit| !self.marks[lit.index()]);
                let (Some(lit), None) = (outside.next(), outside.next()) else {
                    continue;
                };
                let (count, last) = &mut candidates.counts[lit.index()];
                let is_known = *count > 0 && *last == column as u32;
                let is_used = product
                    .factors
                    .iter()
                    .any(|factor| factor.var() == lit.var());
                if is_used || is_known {
                    continue;
                }
                if *count == 0 {
                    candidates.found.push(lit);
                }
                *count += 1;
                *last = column as u32;
                candidates.matches.push((column as u32, lit, other));
            }
            for lit in rest() {
                self.marks[lit.index()] = false;
            }
        }
    }

    /// Replaces the clauses of a product; returns the literal that the definition's short clauses contain, or `None` if
    /// there is no room.
    fn replace_product(&mut self, product: &Product) -> Option<Lit> {
        let solver = &mut *self.solver;
        let (n_factors, n_columns) = (product.factors.len(), product.n_columns());
        if !solver
            .arena
            .has_room(n_factors + n_columns, 2 * n_factors + MAX_SIZE * n_columns)
            || !solver.has_numbers(n_factors + n_columns + 1)
            || solver.n_vars() > crate::Var::MAX_INDEX
        {
            return None;
        }
        let defined = solver.new_var().positive();
        solver.inprocessing.note_added(defined.var());
        solver
            .analysis
            .reserve_levels(1 + solver.assumptions.len() + solver.n_vars());
        self.marks.resize(2 * solver.n_vars(), false);
        self.lists.reserve_lits(2 * solver.n_vars());
        solver.statistics.added_variables += 1;
        solver.statistics.factored_clauses += (n_factors * n_columns) as u64;
        let ids: Vec<_> = (0..=n_factors).map(|_| solver.new_id()).collect();
        if P::ENABLED {
            solver.proof.defined(ids[0], defined, &product.factors);
        }
        for (&factor, &id) in product.factors.iter().zip(&ids) {
            let clause = self.solver.arena.alloc(&[defined, factor], false, 0, id);
            self.add(clause.expect("there is room for all clauses of the product"));
        }
        let long_id = ids[n_factors];
        for column in 0..n_columns {
            let solver = &mut *self.solver;
            let clause = self.entries[product.rows[0][column] as usize].clause;
            let mut lits: Vec<Lit> = solver.arena.lits(clause).collect();
            for lit in &mut lits {
                if *lit == product.factors[0] {
                    *lit = !defined;
                }
            }
            if Solver::<P>::CHAINS {
                solver.chain.ids.push(long_id);
                for row in &product.rows {
                    let clause = self.entries[row[column] as usize].clause;
                    solver.chain.ids.push(solver.arena.id(clause));
                }
            }
            let id = solver.derive(&lits);
            let clause = solver.arena.alloc(&lits, false, 0, id);
            self.add(clause.expect("there is room for all clauses of the product"));
        }
        if P::ENABLED {
            let solver = &mut *self.solver;
            let negated = product.factors.iter().map(|&lit| !lit);
            let long: Vec<Lit> = [!defined].into_iter().chain(negated).collect();
            solver.chain.delete(&mut solver.proof, long_id, &long);
        }
        for &entry in product.rows.iter().flatten() {
            self.remove(entry);
        }
        Some(defined)
    }
}
