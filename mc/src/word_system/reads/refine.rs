//! Which memory makes a run of the abstraction one that the system does not have.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use craig_aig::Poll;
use craig_word::{ArrayValue, BitVector, Sort, Term, Value};

use super::Read;
use crate::word_system::execute::Execution;
use crate::word_system::lift::WordStep;
use crate::word_system::system::WordSystem;

/// What memories without `init` hold in the first step, by state.
pub(super) type Contents = HashMap<usize, ArrayValue>;

/// What became of a run of an abstraction.
pub(super) enum Refined {
    /// With this memory exact, the run is none of the abstraction.
    Exact(Term),
    /// The system reaches the bad with the inputs of the run, if memories begin with these contents.
    Contents(Contents),
}

/// The steps of a run of a part of a system as steps of the system.
pub(super) fn with_unneeded(
    part: &WordSystem,
    whole: &WordSystem,
    steps: Vec<WordStep>,
) -> Vec<WordStep> {
    let number = |terms: &[Term]| -> HashMap<Term, usize> {
        let terms = terms.iter().copied().enumerate();
        terms.map(|(number, term)| (term, number)).collect()
    };
    let variables = |system: &WordSystem| -> Vec<Term> {
        system.states.iter().map(|state| state.state).collect()
    };
    let (inputs, states) = (number(&whole.inputs), number(&variables(whole)));
    let own = variables(part);
    let steps = steps.into_iter().map(|step| WordStep {
        states: (step.states.into_iter())
            .map(|(number, value)| (states[&own[number]], value))
            .collect(),
        inputs: (step.inputs.into_iter())
            .map(|(number, value)| (inputs[&part.inputs[number]], value))
            .collect(),
    });
    steps.collect()
}

/// A run of an abstraction, in a system that still has the memories.
struct Run<'a> {
    system: &'a WordSystem,
    /// With the numbers of their inputs and of their memories.
    reads: Vec<(&'a Read, usize, usize)>,
    steps: &'a [WordStep],
}

/// Finds a memory that excludes a run of the abstraction, or the contents with which the system has that run. `None`
/// if `poll` ends it.
pub(super) fn refine(
    system: &WordSystem,
    reads: &[Read],
    steps: &[WordStep],
    poll: &mut Poll<'_>,
) -> Option<Refined> {
    let place = |read: &Read| {
        let input = system.inputs.iter().position(|&it| it == read.input)?;
        let memory = |state: &super::super::WordState| state.state == read.memory;
        Some((input, system.states.iter().position(memory)?))
    };
    let reads = reads.iter().filter_map(|read| {
        let (input, memory) = place(read)?;
        Some((read, input, memory))
    });
    let run = Run {
        system,
        reads: reads.collect(),
        steps,
    };
    let mut memories: Vec<usize> = run.reads.iter().map(|read| read.2).collect();
    let n_bits = |&memory: &usize| match system.terms.sort(system.states[memory].state) {
        Sort::Array { index, element } => u64::from(element) << index.min(32),
        Sort::BitVector(width) => u64::from(width),
    };
    memories.sort_unstable_by_key(|memory| (n_bits(memory), *memory));
    memories.dedup();
    // Small memories first: the one that excludes the run becomes a part of the circuit.
    let mut corrected = HashSet::new();
    let mut contents = Contents::new();
    for memory in memories {
        corrected.insert(memory);
        contents = run.contents(&corrected, poll)?;
        if !run.reaches(&corrected, &contents, poll)? {
            return Some(Refined::Exact(system.states[memory].state));
        }
    }
    Some(Refined::Contents(contents))
}

impl Run<'_> {
    /// Contents of memories without `init` with which the first read of each word gives what it gives in the run, as far
    /// as the word was not written before.
    fn contents(&self, corrected: &HashSet<usize>, poll: &mut Poll<'_>) -> Option<Contents> {
        let mut contents = Contents::new();
        let mut seen: HashSet<(usize, BitVector)> = HashSet::new();
        self.execute(
            corrected,
            &Contents::new(),
            poll,
            |memory, index, array, given| {
                // A word that was written with 0 is taken for one that was not; then the bad is not reached with the contents.
                let is_untouched = array.select(&index).is_zero();
                if self.system.states[memory].init.is_some() || !is_untouched {
                    return None;
                }
                let empty =
                    || ArrayValue::new(array.index_width(), BitVector::new(0, given.width()));
                let content = contents.entry(memory).or_insert_with(empty);
                if seen.insert((memory, index.clone())) {
                    content.store(index.clone(), given);
                }
                Some(content.select(&index).clone())
            },
        )?;
        Some(contents)
    }

    /// Whether the bad is reached if the corrected memories begin with these contents. `None` if `poll` ends it.
    fn reaches(
        &self,
        corrected: &HashSet<usize>,
        contents: &Contents,
        poll: &mut Poll<'_>,
    ) -> Option<bool> {
        self.execute(corrected, contents, poll, |_, _, _, _| None)
    }

    /// Executes the run with what the corrected memories hold, and with the values of the run for other reads. `choose` gets
    /// the number of a memory, an address, the memory and the value of the run, and may give another value than
    /// the memory has. Returns whether the bad was reached.
    fn execute(
        &self,
        corrected: &HashSet<usize>,
        contents: &Contents,
        poll: &mut Poll<'_>,
        mut choose: impl FnMut(usize, BitVector, &ArrayValue, BitVector) -> Option<BitVector>,
    ) -> Option<bool> {
        let mut execution = Execution::new(self.system);
        let is_open = |input: usize| {
            let mut reads = self.reads.iter();
            reads.any(|read| read.1 == input && corrected.contains(&read.2))
        };
        for (number, step) in self.steps.iter().enumerate() {
            if poll.ask() {
                return None;
            }
            let mut given = step.clone();
            if number == 0 {
                let contents = contents.iter();
                let contents =
                    contents.map(|(&at, array)| (at, Value::Array(Arc::new(array.clone()))));
                given.states.extend(contents);
            }
            let mut values = execution.begin(&given, is_open);
            for &(read, input, memory) in &self.reads {
                if !corrected.contains(&memory) {
                    continue;
                }
                // Addresses depend on earlier reads only.
                let index = values.value_of(read.index).bits().clone();
                let array = values.value_of(read.memory);
                let array = array.array();
                let value = array.select(&index).clone();
                let own = match step.inputs.get(&input) {
                    Some(own) => own.bits().clone(),
                    None => BitVector::new(0, value.width()),
                };
                let value = choose(memory, index, array, own).unwrap_or(value);
                values.set_value(read.input, Value::Bits(value));
            }
            if let Some(found) = execution.reaches_bad(&mut values) {
                return Some(found);
            }
            execution.end(&mut values);
        }
        Some(false)
    }
}
