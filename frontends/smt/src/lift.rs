//! Interpolants over whole words: a conjunction of atoms that one side implies and that contradicts the other, or the negation
//! of one the other way round.
//!
//! Atoms are those of the script over shared symbols, and relations that hold in one model of the side: values, low bits,
//! orders, sums and differences. Those that some model of the side refutes are dropped until all are implied.

use std::collections::HashSet;

use craig_aig::Edge;
use craig_itp::Stop;
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Limits, Lit, Solver};
use craig_word::{Evaluator, Node, Term, Terms, Value};

use crate::decide::{Gates, literals};
use crate::print::{self, Written};
use crate::sort::Sort;

/// More atoms than this are not tried.
const MOST_ATOMS: usize = 300;
/// The number of words of whose pairs relations are tried.
const MOST_WORDS: usize = 12;
/// The effort of one query.
const CONFLICTS: u64 = 5_000;
/// Models that drop atoms, and atoms that are left out of a core.
const MOST_ROUNDS: usize = 60;

/// The formulas of both sides, without arrays.
pub(crate) struct Sides<'a> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) gates: &'a mut Gates,
    pub(crate) sides: [&'a [Term]; 2],
    /// The shared variables.
    pub(crate) shared: &'a Written,
    pub(crate) stop: &'a Stop,
}

impl Sides<'_> {
    /// An interpolant over words, as text; `None` if none was found.
    pub(crate) fn interpolant(&mut self) -> Option<String> {
        if self.shared.is_empty() {
            return None;
        }
        for side in [0, 1] {
            let Some(atoms) = self.implied(side) else {
                continue;
            };
            let Some(core) = self.core(1 - side, &atoms) else {
                continue;
            };
            let texts: Option<Vec<String>> = core
                .iter()
                .map(|&atom| print::formula(self.terms, self.shared, atom))
                .collect();
            let Some(texts) = texts else {
                continue;
            };
            let all = match texts.as_slice() {
                [one] => one.clone(),
                _ => format!("(and {})", texts.join(" ")),
            };
            return Some(match side {
                0 => all,
                _ => format!("(not {all})"),
            });
        }
        None
    }

    /// A solver with the formulas of a side.
    fn solver(&mut self, side: usize) -> (Solver, Encoder) {
        let mut solver = Solver::new();
        self.stop.install(&mut solver);
        solver.set_limits(Limits {
            conflicts: Some(CONFLICTS),
            ..Limits::default()
        });
        let mut encoder = Encoder::new();
        for &formula in self.sides[side] {
            let edge = self.gates.formula(self.terms, formula);
            let lit = encoder.encode(&self.gates.aig, edge, &mut solver);
            solver.add_clause(&[lit]);
        }
        (solver, encoder)
    }

    /// Atoms that a side implies; `None` if that was not found out.
    fn implied(&mut self, side: usize) -> Option<Vec<Term>> {
        let (mut solver, mut encoder) = self.solver(side);
        let mut words: Vec<Term> = self.shared.keys().copied().collect();
        words.sort_unstable();
        let bits: Vec<Vec<Edge>> = words
            .iter()
            .map(|&word| self.gates.blast(self.terms, word))
            .collect();
        let bits: Vec<Vec<Lit>> = (bits.iter())
            .map(|bits| literals(self.gates, bits, &mut encoder, &mut solver))
            .collect();
        if solver.solve(&[]) != Answer::Satisfiable {
            return None;
        }
        let is_one = |lit: &Lit| solver.value(*lit) == Some(true);
        let values: Vec<Vec<bool>> = bits
            .iter()
            .map(|bits| bits.iter().map(is_one).collect())
            .collect();
        let mut atoms = self.atoms(&words, &values);
        let edges: Vec<Edge> = atoms
            .iter()
            .map(|&atom| self.gates.formula(self.terms, atom))
            .collect();
        let mut lits = literals(self.gates, &edges, &mut encoder, &mut solver);
        for _ in 0..MOST_ROUNDS {
            let some_fails = solver.new_var().positive();
            let mut clause: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
            clause.push(!some_fails);
            solver.add_clause(&clause);
            match solver.solve(&[some_fails]) {
                Answer::Unsatisfiable => return Some(atoms),
                Answer::Unknown => return None,
                Answer::Satisfiable => {}
            }
            let holds: Vec<bool> = lits
                .iter()
                .map(|&lit| solver.value(lit) == Some(true))
                .collect();
            let mut kept = holds.iter();
            atoms.retain(|_| kept.next() == Some(&true));
            let mut kept = holds.iter();
            lits.retain(|_| kept.next() == Some(&true));
            solver.add_clause(&[!some_fails]);
        }
        None
    }

    /// Atoms that contradict a side, of which most can't be left out; `None` if all do not.
    fn core(&mut self, side: usize, atoms: &[Term]) -> Option<Vec<Term>> {
        let (mut solver, mut encoder) = self.solver(side);
        let edges: Vec<Edge> = atoms
            .iter()
            .map(|&atom| self.gates.formula(self.terms, atom))
            .collect();
        let lits = literals(self.gates, &edges, &mut encoder, &mut solver);
        if solver.solve(&lits) != Answer::Unsatisfiable {
            return None;
        }
        let failed = |solver: &Solver| solver.failed_assumptions().to_vec();
        let mut core = failed(&solver);
        let mut index = 0;
        for _ in 0..MOST_ROUNDS {
            if index >= core.len() {
                break;
            }
            let mut fewer = core.clone();
            fewer.remove(index);
            if solver.solve(&fewer) == Answer::Unsatisfiable {
                let needed: HashSet<Lit> = failed(&solver).into_iter().collect();
                core.retain(|lit| needed.contains(lit));
                index = index.min(core.len());
            } else {
                index += 1;
            }
        }
        let mut kept = Vec::new();
        for lit in core {
            let place = lits.iter().position(|&own| own == lit)?;
            kept.push(atoms[place]);
        }
        // A side that contradicts itself needs none.
        (!kept.is_empty()).then_some(kept)
    }

    /// Atoms to try, all of which hold in the model that was found.
    fn atoms(&mut self, words: &[Term], values: &[Vec<bool>]) -> Vec<Term> {
        let mut found = self.atoms_of_the_script(words, values);
        let all: Vec<(Term, &[bool])> = words
            .iter()
            .copied()
            .zip(values.iter().map(Vec::as_slice))
            .collect();
        let is_word = |term: &Term| !matches!(self.shared.get(term), Some((_, Sort::Bool)) | None);
        for &(word, value) in &all {
            let width = value.len() as u32;
            let low_bits = (1..width.min(9)).chain([width]);
            for n in low_bits {
                let low = self.terms.extract(word, 0, n);
                let constant = constant(self.terms, &value[..n as usize]);
                found.push(self.terms.eq(low, constant));
            }
        }
        let pairs: Vec<(Term, &[bool])> =
            all.into_iter().filter(|(word, _)| is_word(word)).collect();
        let pairs = &pairs[..pairs.len().min(MOST_WORDS)];
        for (index, &(x, x_value)) in pairs.iter().enumerate() {
            for &(y, y_value) in &pairs[index + 1..] {
                if x_value.len() != y_value.len() {
                    continue;
                }
                let [c, d] = [x_value, y_value].map(|value| constant(self.terms, value));
                let terms = &mut *self.terms;
                for op in [Terms::sub, Terms::add, Terms::xor] {
                    let (found_here, value) = (op(terms, x, y), op(terms, c, d));
                    found.push(terms.eq(found_here, value));
                }
                for order in [Terms::ult, Terms::slt] {
                    for (a, b, a_value, b_value) in [(x, y, c, d), (y, x, d, c)] {
                        let (atom, holds) = (order(terms, a, b), order(terms, a_value, b_value));
                        let is_so = terms.is_true(holds);
                        found.push(if is_so { atom } else { terms.not(atom) });
                    }
                }
            }
        }
        let mut seen = HashSet::new();
        found.retain(|&atom| !self.terms.is_constant(atom) && seen.insert(atom));
        found.truncate(MOST_ATOMS);
        found
    }

    /// The comparisons in the formulas of both sides, and truth values, over shared symbols, with the sign that they have in
    /// the model.
    fn atoms_of_the_script(&mut self, words: &[Term], values: &[Vec<bool>]) -> Vec<Term> {
        let roots: Vec<Term> = self
            .sides
            .iter()
            .flat_map(|side| side.iter().copied())
            .collect();
        let mut is_shared: HashSet<Term> = HashSet::new();
        let mut found = Vec::new();
        for term in self.terms.cone(&roots, |_| false) {
            let mut is_over_shared = true;
            self.terms.operands(term, |operand| {
                is_over_shared &= is_shared.contains(&operand);
            });
            if matches!(self.terms.node(term), Node::Var(_)) {
                is_over_shared = self.shared.contains_key(&term);
            }
            if !is_over_shared {
                continue;
            }
            is_shared.insert(term);
            let is_atom = match self.terms.node(term) {
                Node::Binary(op, ..) => op.is_comparison(),
                Node::Var(_) => self.terms.width(term) == 1,
                _ => false,
            };
            if is_atom && found.len() < MOST_ATOMS / 2 {
                found.push(term);
            }
        }
        let holds: Vec<bool> = {
            let mut evaluator = Evaluator::new(self.terms, |_, _| 0);
            for (&word, value) in words.iter().zip(values) {
                let value = craig_word::BitVector::from_limbs(&limbs(value), value.len() as u32);
                evaluator.set_value(word, Value::Bits(value));
            }
            found
                .iter()
                .map(|&atom| evaluator.value(atom) == 1)
                .collect()
        };
        let signed = found.into_iter().zip(holds);
        signed
            .map(|(atom, holds)| if holds { atom } else { self.terms.not(atom) })
            .collect()
    }
}

fn limbs(bits: &[bool]) -> Vec<u64> {
    let limb = |bits: &[bool]| {
        (0..)
            .zip(bits)
            .map(|(place, &bit)| u64::from(bit) << place)
            .sum()
    };
    bits.chunks(64).map(limb).collect()
}

fn constant(terms: &mut Terms, bits: &[bool]) -> Term {
    let value = craig_word::BitVector::from_limbs(&limbs(bits), bits.len() as u32);
    terms.bit_vector(&value)
}
