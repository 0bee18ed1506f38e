//! Reads of memories by inputs: an over-approximation, in which memories with wrong reads become exact.
//!
//! Many properties of systems with memories are about control, whatever the memories hold. A read of a written
//! memory is the written word where the addresses are equal, and else a read of the state; each of these is an
//! input. A proof of the abstraction is one of the system, with the read in place of the input ([`Derived`]). For a
//! run of the abstraction, the first words that it reads are taken for the initial content of memories without `init`;
//! if the bad is not reached so, a memory is found whose words exclude the run (`refine.rs`), and keeps its words.
//!
//! The abstraction of operations by uninterpreted functions (Andraus, Liffiton, Sakallah, "Refinement strategies for
//! verification methods based on datapath abstraction", ASP-DAC 2006) for `read`, opened memory by memory.

mod refine;

use std::collections::{HashMap, HashSet};

use craig_model::{Model, Outcome, Stop};
use craig_word::{Node, Sort, Term, Terms};

use super::blast::Blasted;
use super::derive::Derived;
use super::reduce;
use super::refinement::{self, AbstractRun, Abstraction, Decided, Question, Refined};
use super::system::WordSystem;

/// The latches of memories are at least one in `LEAST_SHARE` of all.
const LEAST_SHARE: u64 = 4;
/// A read of a memory with more writes and choices is not replaced.
const MOST_WRITES: usize = 16;

/// A read that became an input.
#[derive(Clone, Copy, Debug)]
struct Read {
    /// The memory: a variable.
    memory: Term,
    /// In the abstraction.
    index: Term,
    input: Term,
}

/// The reads of one abstraction.
#[derive(Default)]
struct Reads {
    list: Vec<Read>,
    known: HashMap<(Term, Term), Term>,
}

/// The abstraction with all memories but the `exact` ones, and its reads. States and inputs that are not needed are still
/// there.
fn abstracted(base: &Derived, exact: &HashSet<Term>) -> (Derived, Vec<Read>) {
    let mut derived = base.clone();
    let mut images: HashMap<Term, Term> = HashMap::new();
    let mut reads = Reads::default();
    // In increasing order, so that addresses that are reads have images.
    for term in base.system.terms.cone(&roots(&base.system), |_| false) {
        let Node::Select(array, index) = base.system.terms.node(term) else {
            continue;
        };
        let terms = &mut derived.system.terms;
        let [array, index] = [array, index].map(|part| terms.substitute(part, &mut images));
        if is_short(terms, array) {
            let image = reads.read(&mut derived, exact, array, index);
            images.insert(term, image);
        }
    }
    let n_constraints = derived.system.constraints.len();
    derived.replace(&mut images, n_constraints);
    (derived, reads.list)
}

/// The terms of all steps: those of next states and properties.
fn roots(system: &WordSystem) -> Vec<Term> {
    let nexts = system.states.iter().filter_map(|state| state.next);
    nexts.chain(system.properties()).collect()
}

/// Whether an array has few writes and choices, each counted as often as it is reached.
fn is_short(terms: &Terms, array: Term) -> bool {
    let mut open = vec![array];
    let mut n_seen = 0;
    while let Some(array) = open.pop() {
        match terms.node(array) {
            Node::Store(inner, ..) => open.push(inner),
            Node::Ite(_, then, otherwise) => open.extend([then, otherwise]),
            _ => continue,
        }
        n_seen += 1;
        if n_seen > MOST_WRITES {
            return false;
        }
    }
    true
}

impl Reads {
    /// The element of an array for which [`is_short`] holds, which bounds the recursion.
    fn read(
        &mut self,
        derived: &mut Derived,
        exact: &HashSet<Term>,
        array: Term,
        index: Term,
    ) -> Term {
        match derived.system.terms.node(array) {
            Node::Store(inner, at, value) => {
                let otherwise = self.read(derived, exact, inner, index);
                let terms = &mut derived.system.terms;
                let is_same = terms.eq(at, index);
                terms.ite(is_same, value, otherwise)
            }
            Node::Ite(condition, then, otherwise) => {
                let [then, otherwise] =
                    [then, otherwise].map(|array| self.read(derived, exact, array, index));
                derived.system.terms.ite(condition, then, otherwise)
            }
            Node::Var(_) if !exact.contains(&array) => self.input(derived, array, index),
            _ => derived.system.terms.select(array, index),
        }
    }

    /// The input for a read of a variable.
    fn input(&mut self, derived: &mut Derived, memory: Term, index: Term) -> Term {
        if let Some(&input) = self.known.get(&(memory, index)) {
            return input;
        }
        let read = derived.system.terms.select(memory, index);
        let input = derived.add_operation(read);
        self.known.insert((memory, index), input);
        self.list.push(Read {
            memory,
            index,
            input,
        });
        input
    }
}

/// The number of bits of the memories of a system; of those with 2^32 words and more, as if these were one bit each.
fn n_memory_bits(system: &WordSystem) -> u64 {
    let states = system.states.iter();
    let bits = states.map(|state| match system.terms.sort(state.state) {
        Sort::Array { index, element } => u64::from(element) << index.min(32),
        Sort::BitVector(_) => 0,
    });
    bits.fold(0, u64::saturating_add)
}

/// Decides a bad of a system by abstractions of its memories. `full` is the circuit of bits of the system, on which the
/// evidence is; `search` decides bad 0 of a model. `None` if memories are a small part of the system.
///
/// # Errors
/// Those of `search`.
pub fn decide<E>(
    system: &WordSystem,
    full: &Blasted,
    bad: usize,
    stop: &Stop,
    search: &mut dyn FnMut(&Model) -> Result<Outcome, E>,
) -> Result<Option<Decided>, E> {
    let mut base = Derived::new(system, bad);
    let n_bits = n_memory_bits(&base.system);
    if n_bits == 0 || n_bits * LEAST_SHARE < full.model.latches.len() as u64 {
        return Ok(None);
    }
    reduce::run(&mut base, stop);
    let question = Question { system, full, bad };
    let memories = Memories {
        question,
        with_memories: base.clone(),
        base,
        exact: HashSet::new(),
        reads: Vec::new(),
    };
    refinement::decide(memories, question, stop, search)
}

/// The abstractions of a system by its reads of memories.
struct Memories<'a> {
    question: Question<'a>,
    base: Derived,
    /// The memories whose words are kept.
    exact: HashSet<Term>,
    /// The last abstraction, which still has all memories, and its reads.
    with_memories: Derived,
    reads: Vec<Read>,
}

impl Abstraction for Memories<'_> {
    // Each round keeps the words of another memory.
    const MOST_ROUNDS: usize = usize::MAX;
    const WHAT: &'static str = "memories";

    fn next(&mut self) -> Option<(Derived, usize)> {
        (self.with_memories, self.reads) = abstracted(&self.base, &self.exact);
        let n_reads = self.reads.len();
        (n_reads > 0).then(|| (self.with_memories.clone(), n_reads))
    }

    fn refine(&mut self, run: &AbstractRun<'_>, stop: &Stop) -> Refined {
        let (part, whole) = (&run.derived.system, &self.with_memories.system);
        let words = run.own.lift(&run.trace.initial, &run.trace.inputs);
        let words = refine::with_unneeded(part, whole, words);
        match refine::refine(whole, &self.reads, &words, &mut stop.poll()) {
            None => Refined::Again,
            Some(refine::Refined::Exact(memory)) => {
                self.exact.insert(memory);
                Refined::Again
            }
            Some(refine::Refined::Contents(contents)) => {
                let full = self.question.full;
                let mut found = run.derived.trace(full, run.own, run.trace);
                self.base.set_contents(full, &contents, &mut found);
                let found = self.question.reaching(found);
                found.map_or(Refined::Stuck, Refined::Run)
            }
        }
    }
}
