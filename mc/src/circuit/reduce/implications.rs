//! Implicit constraints of a model: implications between latches, by simulation and induction.
//!
//! Candidates are the implications that hold in all simulated states. All are assumed in one step and checked
//! in the next; a counterexample removes all candidates that it contradicts. The remaining ones are inductive
//! together (the greatest fixpoint of C. Flanagan and K. Leino, "Houdini, an annotation assistant for
//! ESC/Java", 2001; as constraints of circuits, with gates for latches: G. Cabodi, S. Nocco, S. Quer,
//! "Strengthening model checking techniques with inductive invariants", 2009).
//!
//! The constraints are assumed in the first step, and not in the second; see [`super`] for why.

use craig_aig::{Edge, Random};
use craig_model::Model;
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Limits, Lit, Solver};

use super::pass::{Pass, Task};
use super::reduced::Reduced;
use crate::circuit::patterns::{self, Run};
use crate::control::Control;

/// Steps of each random run.
const N_STEPS: usize = 64;
/// Random runs of 64 sequences each.
const N_RUNS: usize = 4;
/// Models with more latches are skipped: the table of candidates grows quadratically.
const MAX_LATCHES: usize = 4096;
/// Conflicts of a query, after which its candidates are removed.
const MAX_CONFLICTS: u64 = 300;
/// Work of the whole pass, beyond which it returns nothing: nodes simulated (64 patterns at a time), words of
/// the table, clauses built, and literals propagated.
const MAX_TICKS: u64 = 60_000_000;

/// The pass.
pub(super) struct Implications;

impl Pass for Implications {
    fn name(&self) -> &'static str {
        "implications"
    }

    fn text(&self) -> &'static str {
        "Implications between latches that hold by induction become constraints"
    }

    fn forward(&self, reduced: &mut Reduced, task: &Task<'_>) -> bool {
        let implications = find(&reduced.model, task.control);
        task.note(|| match &implications {
            Some(implications) => format!("implications: {} more constraints", implications.len()),
            None => "implications: given up".to_string(),
        });
        let implications = implications.unwrap_or_default();
        reduced.constrain(&implications);
        !implications.is_empty()
    }
}

/// Finds implications between latches that hold in all reset states and that, together with the constraints,
/// imply themselves one step later: pairs of which the first implies the second, without those that follow
/// from others. `None` if the work budget is exhausted.
fn find(model: &Model, control: &Control) -> Option<Vec<[Edge; 2]>> {
    let n_latches = model.latches.len();
    if n_latches > MAX_LATCHES {
        return None;
    }
    let mut search = Search {
        model,
        control,
        table: Table::new(n_latches),
        random: Random::new(3),
        ticks_left: MAX_TICKS,
    };
    search.simulate_runs()?;
    search.table.leave_out_vacuous();
    search.base();
    while search.step()? {}
    let essential = search.table.essential();
    Some(
        essential
            .map(|pair| pair.map(|literal| search.edge(literal)))
            .collect(),
    )
}

/// A latch or its negation: twice the latch's number, and one more for the negation.
type Literal = usize;

fn is_negation(literal: Literal) -> bool {
    literal % 2 == 1
}

struct Search<'a> {
    model: &'a Model,
    control: &'a Control,
    table: Table,
    random: Random,
    ticks_left: u64,
}

impl Search<'_> {
    /// Subtracts from the work budget; `None` if it is exhausted or the control stops the pass.
    fn spend(&mut self, ticks: u64) -> Option<()> {
        self.ticks_left = self.ticks_left.saturating_sub(ticks);
        (self.ticks_left > 0 && self.control.stop_reason().is_none()).then_some(())
    }

    fn edge(&self, literal: Literal) -> Edge {
        self.model.latches[literal / 2]
            .state
            .negate_if(is_negation(literal))
    }

    /// Removes candidates that random runs from the resets contradict. A step is used if the constraints held
    /// before it.
    fn simulate_runs(&mut self) -> Option<()> {
        for _ in 0..N_RUNS {
            let mut run = Run::new(self.model, &mut self.random);
            for _ in 0..N_STEPS {
                if run.mask == 0 || self.ticks_left < MAX_TICKS / 2 {
                    break;
                }
                self.refine(&run.states, run.mask)?;
                let values = run.values(&mut self.random);
                run.advance(&values);
                self.spend(2 * self.model.aig.n_nodes() as u64)?;
            }
        }
        Some(())
    }

    /// Removes candidates that the patterns selected by `mask` contradict.
    fn refine(&mut self, states: &[u64], mask: u64) -> Option<()> {
        let n_latches = states.len();
        let mut patterns = mask;
        while patterns != 0 {
            let pattern = patterns.trailing_zeros();
            patterns &= patterns - 1;
            self.table.refine(|latch| states[latch] >> pattern & 1 == 1);
        }
        self.spend(u64::from(mask.count_ones()) * (n_latches * n_latches.div_ceil(64)) as u64)
    }

    /// Removes candidates that a reset state contradicts: two latches have any two values that their resets
    /// allow.
    fn base(&mut self) {
        let may_be = |literal: Literal| {
            let reset = self.model.latches[literal / 2].reset.value();
            reset.is_none_or(|value| value != is_negation(literal))
        };
        self.table
            .retain(|from, to| !(may_be(from) && may_be(to ^ 1)));
    }

    /// Assumes the candidates in one step and checks them in the next; whether some were removed. `None` if
    /// the work budget is exhausted.
    fn step(&mut self) -> Option<bool> {
        self.spend(self.table.n_implications() * self.table.words_per_row as u64)?;
        let mut step = Step::new(self.model, &self.table);
        self.spend(4 * step.solver.n_vars() as u64)?;
        let mut has_lost = false;
        for from in 0..self.table.n_literals() {
            loop {
                let row = self.table.row(from);
                if row.is_empty() {
                    break;
                }
                let before = step.solver.statistics().propagations;
                let question = step.violation(from, &row);
                step.solver.set_limits(Limits {
                    conflicts: Some(MAX_CONFLICTS),
                    propagations: Some(self.ticks_left),
                });
                let answer = step.solver.solve(&question);
                self.spend(1 + step.solver.statistics().propagations - before)?;
                match answer {
                    Answer::Unsatisfiable => break,
                    Answer::Satisfiable => self.learn_from_failure(&step)?,
                    Answer::Unknown => self.table.clear_row(from),
                }
                has_lost = true;
            }
        }
        Some(has_lost)
    }

    /// Removes candidates that the successor in the solver's model contradicts, or successors of the same
    /// state under nearby inputs that satisfy the constraints.
    fn learn_from_failure(&mut self, step: &Step) -> Option<()> {
        let value = |solver: &Solver, lit: Option<Lit>| {
            let value = lit.and_then(|lit| solver.value(lit)).unwrap_or(false);
            0_u64.wrapping_sub(u64::from(value))
        };
        let literal = |edge: Edge| step.encoder.literal(edge);
        let states: Vec<u64> = (self.model.latches.iter())
            .map(|latch| value(&step.solver, literal(latch.state)))
            .collect();
        let inputs: Vec<u64> = (self.model.inputs.iter())
            .map(|&input| {
                value(&step.solver, literal(input)) ^ self.random.word() & self.random.word() & !1
            })
            .collect();
        let values = patterns::values(self.model, &states, &inputs);
        let mask = patterns::constraint_mask(self.model, &values);
        debug_assert_eq!(mask & 1, 1, "the model satisfies the constraints");
        self.spend(2 * self.model.aig.n_nodes() as u64)?;
        self.refine(&patterns::next_states(self.model, &values), mask)
    }
}

/// One step from a state in which the candidates and the constraints hold.
struct Step {
    solver: Solver,
    encoder: Encoder,
    /// The solver's literals for the latches' values after the step.
    next: Vec<Lit>,
}

impl Step {
    fn new(model: &Model, table: &Table) -> Self {
        let mut solver = Solver::new();
        let mut encoder = Encoder::new();
        for &constraint in &model.constraints {
            let lit = encoder.encode(&model.aig, constraint, &mut solver);
            solver.add_clause(&[lit]);
        }
        let mut encode = |edge: Edge| encoder.encode(&model.aig, edge, &mut solver);
        let states: Vec<Lit> = model
            .latches
            .iter()
            .map(|latch| encode(latch.state))
            .collect();
        let next = model
            .latches
            .iter()
            .map(|latch| encode(latch.next))
            .collect();
        for [from, to] in table.essential() {
            let at = |literal: Literal| states[literal / 2].negate_if(is_negation(literal));
            solver.add_clause(&[!at(from), at(to)]);
        }
        Self {
            solver,
            encoder,
            next,
        }
    }

    /// Assumptions under which, after the step, `from` holds and one of `to` does not.
    fn violation(&mut self, from: Literal, to: &[Literal]) -> [Lit; 2] {
        let next = |literal: Literal| self.next[literal / 2].negate_if(is_negation(literal));
        let from = next(from);
        if let [to] = to {
            return [from, !next(*to)];
        }
        let is_violated = self.solver.new_var().positive();
        let mut clause: Vec<Lit> = to.iter().map(|&to| !next(to)).collect();
        clause.push(!is_violated);
        self.solver.add_clause(&clause);
        [from, is_violated]
    }
}

/// The candidate implications between literals. An implication is in the table if and only if its
/// contrapositive is.
struct Table {
    n_latches: usize,
    /// The words of each row: a bit for each literal that the row's literal implies.
    words_per_row: usize,
    rows: Vec<u64>,
    /// Whether each literal has been true in some state.
    seen: Vec<bool>,
}

impl Table {
    /// The table of all implications.
    fn new(n_latches: usize) -> Self {
        let words_per_row = (2 * n_latches).div_ceil(64);
        let mut row = vec![u64::MAX; words_per_row];
        if !n_latches.is_multiple_of(32) {
            row[words_per_row - 1] = (1 << (2 * n_latches % 64)) - 1;
        }
        Self {
            n_latches,
            words_per_row,
            rows: row.repeat(2 * n_latches),
            seen: vec![false; 2 * n_latches],
        }
    }

    fn n_literals(&self) -> usize {
        2 * self.n_latches
    }

    fn has(&self, from: Literal, to: Literal) -> bool {
        self.rows[from * self.words_per_row + to / 64] >> (to % 64) & 1 == 1
    }

    fn remove(&mut self, from: Literal, to: Literal) {
        self.rows[from * self.words_per_row + to / 64] &= !(1 << (to % 64));
    }

    /// Removes the implications that a state contradicts.
    fn refine(&mut self, is_true: impl Fn(usize) -> bool) {
        let mut pattern = vec![0_u64; self.words_per_row];
        for latch in 0..self.n_latches {
            let literal = 2 * latch + usize::from(!is_true(latch));
            pattern[literal / 64] |= 1 << (literal % 64);
        }
        for latch in 0..self.n_latches {
            let literal = 2 * latch + usize::from(!is_true(latch));
            self.seen[literal] = true;
            let row = &mut self.rows[literal * self.words_per_row..][..self.words_per_row];
            for (word, pattern) in row.iter_mut().zip(&pattern) {
                *word &= pattern;
            }
        }
    }

    /// Takes away the implications for which `keep` does not hold.
    fn retain(&mut self, keep: impl Fn(Literal, Literal) -> bool) {
        for from in 0..self.n_literals() {
            for to in 0..self.n_literals() {
                if self.has(from, to) && !keep(from, to) {
                    self.remove(from, to);
                }
            }
        }
    }

    /// Removes trivial implications, and those of which one side is constant in all states seen.
    fn leave_out_vacuous(&mut self) {
        let seen = self.seen.clone();
        self.retain(|from, to| from / 2 != to / 2 && seen[from] && seen[to ^ 1]);
    }

    fn words(&self, from: Literal) -> &[u64] {
        &self.rows[from * self.words_per_row..][..self.words_per_row]
    }

    /// The number of implications, contrapositives included.
    fn n_implications(&self) -> u64 {
        self.rows
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    /// Whether `from` implies `to` through a third literal that is equal to neither.
    fn follows(&self, from: Literal, to: Literal) -> bool {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        // The literals that imply `to` are the negations of those that its negation implies.
        let pairs = self.words(from).iter().zip(self.words(to ^ 1)).enumerate();
        pairs.into_iter().any(|(index, (&implied, &negations))| {
            let mut between = implied & (negations >> 1 & EVEN | (negations & EVEN) << 1);
            while between != 0 {
                let middle = 64 * index + between.trailing_zeros() as usize;
                if !self.has(middle, from) && !self.has(to, middle) {
                    return true;
                }
                between &= between - 1;
            }
            false
        })
    }

    /// The literals that `from` implies; of an implication and its contrapositive, only one is in a row.
    fn row(&self, from: Literal) -> Vec<Literal> {
        (0..self.n_literals())
            .filter(|&to| from < to && self.has(from, to))
            .collect()
    }

    fn clear_row(&mut self, from: Literal) {
        for to in self.row(from) {
            self.remove(from, to);
            self.remove(to ^ 1, from ^ 1);
        }
    }

    /// The implications, one of each with its contrapositive, without those that follow from two others.
    fn essential(&self) -> impl Iterator<Item = [Literal; 2]> + '_ {
        (0..self.n_literals()).flat_map(move |from| {
            let row = self.row(from);
            row.into_iter()
                .filter(move |&to| !self.follows(from, to))
                .map(move |to| [from, to])
        })
    }
}

#[cfg(test)]
mod tests {
    use craig_aig::Aig;

    use super::*;
    use craig_model::{Latch, Reset};

    /// Latches that shift a single 1 if the input is set, and one that follows the first of them with a
    /// delay.
    fn ring(n_latches: usize) -> Model {
        let mut aig = Aig::new();
        let go = aig.add_input();
        let states: Vec<Edge> = (0..=n_latches).map(|_| aig.add_input()).collect();
        let mut latches = Vec::new();
        for number in 0..n_latches {
            let before = states[(number + n_latches - 1) % n_latches];
            latches.push(Latch {
                state: states[number],
                next: aig.ite(go, before, states[number]),
                reset: if number == 0 { Reset::One } else { Reset::Zero },
            });
        }
        latches.push(Latch {
            state: states[n_latches],
            next: aig.or(states[n_latches], states[1]),
            reset: Reset::Zero,
        });
        Model {
            bads: vec![aig.and(states[0], states[1])],
            aig,
            inputs: vec![go],
            latches,
            ..Model::default()
        }
    }

    #[test]
    fn the_latches_of_a_ring_exclude_each_other() {
        let model = ring(5);
        let found = find(&model, &Control::new()).expect("there is little work");
        let state = |number: usize| model.latches[number].state;
        for first in 0..5 {
            for second in 0..first {
                let pair = [state(first), state(second)];
                let either = [[pair[0], !pair[1]], [pair[1], !pair[0]]];
                assert!(either.iter().any(|wanted| found.contains(wanted)));
            }
        }
        // The last one stays set once the 1 has been in latch 1: it is not set before latch 2 and the latches
        // after it are.
        for number in 2..5 {
            let either = [[state(number), state(5)], [!state(5), !state(number)]];
            assert!(either.iter().any(|wanted| found.contains(wanted)));
        }
        assert_eq!(found.len(), 10 + 3);
    }

    #[test]
    fn what_follows_from_two_others_is_left_out() {
        let mut table = Table::new(3);
        table.refine(|_| false);
        table.refine(|_| true);
        table.refine(|latch| latch > 0);
        table.refine(|latch| latch > 1);
        table.leave_out_vacuous();
        assert!(table.has(0, 2) && table.has(0, 4) && table.has(2, 4));
        assert_eq!(table.essential().collect::<Vec<_>>(), [[0, 2], [2, 4]]);
    }

    #[test]
    fn of_equal_latches_both_implications_stay() {
        let mut table = Table::new(3);
        table.refine(|_| false);
        table.refine(|_| true);
        table.refine(|latch| latch == 2);
        table.leave_out_vacuous();
        let essential: Vec<_> = table.essential().collect();
        assert_eq!(essential, [[0, 2], [0, 4], [1, 3], [2, 4]]);
    }
}
