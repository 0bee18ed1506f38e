//! Predicates on words instead of words: implicit predicate abstraction, decided by PDR.
//!
//! A word is *hidden*: it is an input, free in every step, and what the abstraction remembers of it are the truth values
//! of some predicates. Each predicate is a latch, with a constraint that it has the value of the predicate on the free
//! words; its next value is that of the predicate on the next words. So each run of the system is one of the
//! abstraction, and PDR on this constrained circuit finds clauses over predicates. A proof of it is one of
//! the system, with the predicate in place of its latch and the word in place of its input ([`Derived`]).
//!
//! For a run of the abstraction, the unrolled system is asked for one with the same predicates; what it refutes are links
//! of hidden words from step to step (`refine.rs`). Predicates of the system itself that tell the two sides of such a
//! link apart are chosen (`atoms.rs`); where there is none, the bits of the links are remembered as they are, so that
//! each refinement adds something of which there is a finite number. What PDR has learned about the coarser abstraction
//! holds of the finer one ([`pdr::resume`]).
//!
//! After Cimatti, Griggio, Mover, Tonetta, "IC3 modulo theories via implicit predicate abstraction", TACAS 2014; the predicates
//! that the syntax gives are those of Goel and Sakallah, "Model checking of Verilog RTL using IC3 with
//! syntax-guided abstraction", NFM 2019.

mod atoms;
mod circuit;
mod refine;
mod round;

use std::collections::{BTreeSet, HashSet};

use craig_model::{Outcome, UnknownReason, Verdict};
use craig_word::{Sort, Term};

use self::atoms::Atoms;
use self::circuit::Circuit;
use self::refine::{Missing, Refinement};
use self::round::{Carried, Round};
use super::blast::{BitOf, Blasted};
use super::derive::Derived;
use super::reduce;
use super::refinement::{Decided, Question};
use super::system::WordSystem;
use crate::control::{Alone, Control};
use crate::engine::pdr;
use crate::exchange::Reached;

/// The name of the search.
pub const NAME: &str = "predicates";
/// Words of fewer bits are not hidden.
pub const LEAST_WIDTH: u32 = 4;
/// Predicates of the property that are chosen from the beginning, at most.
const MOST_FIRST: usize = 32;
/// After this number of refinements by predicates for runs of one length, bits are chosen as well.
const FEW_ROUNDS: usize = 6;
/// A word of which this number of bits is remembered is remembered as it is when another one is asked for.
const FEW_BITS: usize = 4;

/// A bit of the base system's state, by the number of the state.
type StateBit = (usize, u32);

/// What an abstraction remembers.
#[derive(Debug, Default)]
struct Chosen {
    /// The states that are hidden.
    hidden: BTreeSet<usize>,
    /// The positions of predicates in the list of atoms.
    atoms: Vec<usize>,
    /// The bits of hidden states that are latches nevertheless.
    bits: BTreeSet<StateBit>,
}

impl Chosen {
    /// Whether a bit of a state is a latch although the state is hidden.
    fn remembers(&self, bit: &BitOf) -> bool {
        self.bits.contains(&(bit.number as usize, bit.bit))
    }

    /// Whether a bit is free in every step.
    fn hides(&self, bit: &BitOf) -> bool {
        !bit.is_input && self.hidden.contains(&(bit.number as usize)) && !self.remembers(bit)
    }

    /// Takes in what a refinement asks for; returns how much of it is new.
    fn add(&mut self, atoms: &Atoms, missing: Missing) -> usize {
        let before = self.atoms.len() + self.bits.len();
        for atom in missing.atoms {
            match atoms.bits[atom] {
                Some(bit) => {
                    self.bits.insert(bit);
                }
                None if self.atoms.contains(&atom) => {}
                None => self.atoms.push(atom),
            }
        }
        for (state, bit) in missing.bits {
            let n_own = self.bits.range((state, 0)..(state + 1, 0)).count();
            match n_own < FEW_BITS {
                true => self.bits.extend([(state, bit)]),
                false => self
                    .bits
                    .extend((0..atoms.widths[state]).map(|bit| (state, bit))),
            }
        }
        self.atoms.len() + self.bits.len() - before
    }
}

/// The states of a system that can be hidden: words of at least `least_width` bits that have a next value and are no
/// constants, that begin with a constant or with any value, and on which no first value depends.
fn hidden_states(system: &WordSystem, least_width: u32) -> BTreeSet<usize> {
    let terms = &system.terms;
    let inits: Vec<Term> = system.states.iter().filter_map(|it| it.init).collect();
    let read: HashSet<Term> = terms.cone(&inits, |_| false).into_iter().collect();
    let states = system.states.iter().enumerate();
    let hidden = states.filter(|(_, state)| {
        let is_wide = match terms.sort(state.state) {
            Sort::BitVector(width) => width >= least_width,
            Sort::Array { .. } => false,
        };
        let has_plain_init = state.init.is_none_or(|init| terms.is_constant(init));
        let moves = state
            .next
            .is_some_and(|next| next != state.state || state.init.is_none());
        is_wide && moves && has_plain_init && !read.contains(&state.state)
    });
    hidden.map(|(number, _)| number).collect()
}

/// Decides a bad of a system by predicates on its words of at least `least_width` bits. `full` is the circuit of bits of
/// the system, on which the evidence is. `None` if there are no such words, or a proof can't be lifted.
#[must_use]
pub fn decide(
    system: &WordSystem,
    full: &Blasted,
    bad: usize,
    least_width: u32,
    control: Control<'_>,
) -> Option<Decided> {
    let mut base = Derived::new(system, bad);
    reduce::run(&mut base, control.stop);
    base.clean();
    let hidden = hidden_states(&base.system, least_width);
    if hidden.is_empty() {
        return None;
    }
    let atoms = Atoms::of(&mut base.system, &hidden);
    let circuit = Circuit::new(&base.system, &atoms)?;
    let mut chosen = Chosen {
        hidden,
        ..Chosen::default()
    };
    let first = Missing {
        atoms: atoms.of_property().take(MOST_FIRST).collect(),
        bits: BTreeSet::new(),
    };
    chosen.add(&atoms, first);
    let mut search = Search {
        question: Question { system, full, bad },
        base,
        atoms,
        circuit,
        chosen,
        control,
        n_rounds: 0,
        level: 0,
    };
    let verdict = match search.run() {
        Ok(verdict) => verdict?,
        Err(reason) => Verdict::Unknown(reason),
    };
    Some(Decided {
        outcome: Outcome {
            verdict,
            engine: NAME,
            depth: search.level,
        },
        n_inputs: search.chosen.hidden.len(),
        n_rounds: search.n_rounds,
    })
}

/// A search in progress.
struct Search<'a> {
    question: Question<'a>,
    /// The system without what the property does not need; its arena has the atoms.
    base: Derived,
    atoms: Atoms,
    circuit: Circuit,
    chosen: Chosen,
    control: Control<'a>,
    n_rounds: usize,
    /// In all steps before this one, the bad is unreachable.
    level: usize,
}

impl Search<'_> {
    /// Searches abstractions until one decides. `None` if a proof can't be lifted.
    fn run(&mut self) -> Result<Option<Verdict>, UnknownReason> {
        let mut options = pdr::Options::default();
        options.techniques.import = false;
        options.exchange = false;
        let mut carried = Carried::default();
        let (mut last_depth, mut n_alike) = (0, 0);
        loop {
            if let Some(reason) = self.control.stop.reason() {
                return Err(reason);
            }
            self.n_rounds += 1;
            let round = Round::new(&self.base, &self.atoms, &self.chosen)?;
            let mut reached: Reached = carried.on(&round);
            let own = Alone::until(self.control.stop.clone());
            let model = &round.own.model;
            let found = pdr::resume(model, 0, &options, &mut reached, own.control());
            carried = Carried::of(&round, &reached);
            self.report(reached.level());
            let trace = match found.verdict {
                Verdict::Unknown(reason) => return Err(reason),
                Verdict::Safe(certificate) => {
                    let lifted =
                        round
                            .derived
                            .certificate(self.question.system, &round.own, &certificate);
                    return Ok(lifted.map(|it| Verdict::Safe(Box::new(it))));
                }
                Verdict::Unsafe(trace) => trace,
            };
            n_alike = match trace.depth() == last_depth {
                true => n_alike + 1,
                false => 0,
            };
            last_depth = trace.depth();
            let run = round.values(&self.chosen, &trace);
            let with_bits = n_alike >= FEW_ROUNDS;
            let refinement = self.circuit.refine(
                &run,
                &self.atoms,
                &self.chosen,
                with_bits,
                self.control.stop,
            )?;
            match refinement {
                Refinement::Run(run) => return self.lift(&run).map(Some),
                Refinement::Missing(missing) => self.add(missing, last_depth)?,
            }
        }
    }

    /// A run of the base system's circuit of bits, on that of the system.
    fn lift(&self, run: &craig_model::Trace) -> Result<Verdict, UnknownReason> {
        let full = self.question.full;
        let run = self.base.trace(full, &self.circuit.bits, run);
        let run = self.question.reaching(run);
        let text = "a run of the words could not be lifted".to_owned();
        run.map(Verdict::Unsafe).ok_or(UnknownReason::Bound(text))
    }

    fn report(&mut self, level: usize) {
        if level > self.level {
            self.level = level;
            self.control.report_depth(NAME, level);
        }
    }

    fn add(&mut self, missing: Missing, depth: usize) -> Result<(), UnknownReason> {
        let n_new = self.chosen.add(&self.atoms, missing);
        if n_new == 0 {
            debug_assert!(false, "a refutation without a link");
            let text = "a run of an abstraction was not excluded".to_owned();
            return Err(UnknownReason::Bound(text));
        }
        self.control.listener.note(NAME, || {
            format!(
                "a run of {depth} steps is excluded by {n_new} more: {} predicates and {} bits of {} words",
                self.chosen.atoms.len(),
                self.chosen.bits.len(),
                self.chosen.hidden.len()
            )
        });
        Ok(())
    }
}
