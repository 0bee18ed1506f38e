//! Runs of the abstraction on the memories of the circuit.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use craig_word::{ArrayValue, BitVector, Sort, Value};

use super::build::components;
use super::{
    Abstraction, Address, InputOrigin, NotAbstracted, Point, StateOrigin, TrackedWord, is_frozen,
    is_large,
};
use crate::btor2::evaluate::{Simulator, first_bad_step, replay};
use crate::btor2::model::{Argument, Btor2, Kind};
use crate::btor2::trace::{Step, Trace};

/// What has come of a run of the abstraction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Replayed {
    /// A run of the circuit to the bad.
    Run(Vec<Step>),
    /// The run is none of the circuit, nor of the abstraction that tracks this word too.
    Spurious(TrackedWord),
}

/// The value of an input of the abstraction that makes a read right.
struct Correction {
    step: usize,
    point: usize,
    value: Value,
}

/// The circuit with free memories that are 0, and with free memories that are all ones, apart from the words
/// that are known. A read has different values in the two if and only if nothing was known about its word.
struct Memories<'a> {
    circuit: &'a Btor2,
    most_bits: u64,
    simulators: [Simulator<'a>; 2],
    /// `simulators` before the last step.
    before: [Simulator<'a>; 2],
    /// The given values of the steps so far, with memories that are 0 apart from what is known.
    steps: Vec<Step>,
    /// The known words of each free memory in each step.
    known: HashMap<Free, BTreeMap<BitVector, BitVector>>,
}

/// A memory that is free in a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Free {
    step: usize,
    is_input: bool,
    number: usize,
}

impl Abstraction {
    /// Follows a run of the abstraction to its bad on the circuit. `most_bits` is that of the abstraction.
    ///
    /// # Errors
    /// If the run can't be followed, or no word excludes it.
    pub fn replay(
        &self,
        circuit: &Btor2,
        run: &[Step],
        most_bits: u64,
    ) -> Result<Replayed, NotAbstracted> {
        let fails = |text: &str| NotAbstracted(text.to_owned());
        let mut run = run.to_vec();
        let last = self.bad_step(&run)?;
        let last = last.ok_or_else(|| fails("a run of the abstraction does not reach its bad"))?;
        run.truncate(last + 1);
        let given = run.clone();
        let (steps, corrections) = self.follow(circuit, &mut run, most_bits)?;
        let trace = Trace {
            bads: vec![self.bad],
            justice: Vec::new(),
            steps,
        };
        let values = replay(circuit, &trace).map_err(NotAbstracted)?;
        if first_bad_step(&values, self.bad).is_some() {
            return Ok(Replayed::Run(trace.steps));
        }
        // The bad is reached with the first `low` corrections, and not with the first `high`.
        let reached = |n_corrections: usize| {
            let mut run = given.clone();
            for correction in &corrections[..n_corrections] {
                self.correct(&mut run, correction);
            }
            self.bad_step(&run)
        };
        let (mut low, mut high) = (0, corrections.len());
        if reached(high)?.is_some() {
            return Err(fails(
                "a run of the abstraction differs from that of the circuit",
            ));
        }
        while high - low > 1 {
            let middle = usize::midpoint(low, high);
            match reached(middle)? {
                Some(_) => low = middle,
                None => high = middle,
            }
        }
        let mut run = given.clone();
        for correction in &corrections[..low] {
            self.correct(&mut run, correction);
        }
        let last = self.bad_step(&run)?.unwrap_or(last);
        let wrong = &corrections[low];
        let word = self.word_for(circuit, &run, wrong, last, most_bits)?;
        match self.words.contains(&word) {
            true => Err(fails("a word of a large memory is tracked in vain")),
            false => Ok(Replayed::Spurious(word)),
        }
    }

    /// The first step in which the bad of the abstraction holds.
    fn bad_step(&self, run: &[Step]) -> Result<Option<usize>, NotAbstracted> {
        let trace = Trace {
            steps: run.to_vec(),
            ..Trace::default()
        };
        let values = replay(&self.model, &trace).map_err(NotAbstracted)?;
        Ok(first_bad_step(&values, 0))
    }

    fn correct(&self, run: &mut [Step], correction: &Correction) {
        let origin = InputOrigin::Point(correction.point as u32);
        let input = self.inputs.iter().position(|&own| own == origin);
        if let (Some(input), Some(step)) = (input, run.get_mut(correction.step)) {
            step.inputs.insert(input, correction.value.clone());
        }
    }

    /// The word whose tracking excludes a run in which a read is wrong `last - wrong.step` steps before the bad.
    fn word_for(
        &self,
        circuit: &Btor2,
        run: &[Step],
        wrong: &Correction,
        last: usize,
        most_bits: u64,
    ) -> Result<TrackedWord, NotAbstracted> {
        let component = components(circuit, most_bits);
        match self.points[wrong.point] {
            Point::Read { array, index, .. } => {
                let address = match (&circuit.node(index).kind, circuit.node(index).sort) {
                    (Kind::Constant(constant), Sort::BitVector(width)) => {
                        let value = constant.value(width);
                        Address::Constant(match index.is_negated {
                            true => value.not(),
                            false => value,
                        })
                    }
                    _ => Address::OfRead {
                        index,
                        delay: match is_frozen(circuit, index) {
                            true => 0,
                            false => (last.saturating_sub(wrong.step)) as u32,
                        },
                    },
                };
                let component = component[array as usize];
                Ok(TrackedWord { component, address })
            }
            Point::Equal { left, right, .. } => {
                let mut memories = Memories::new(circuit, most_bits);
                let mut abstract_run = Simulator::new(&self.model);
                for (number, step) in run[..=wrong.step].iter().enumerate() {
                    abstract_run.step(step).map_err(NotAbstracted)?;
                    memories.step(self, &abstract_run, number)?;
                }
                let [left_value, right_value] = [left, right].map(|node| memories.value(0, node));
                let (left_value, right_value) = (left_value.array(), right_value.array());
                let entries = left_value.entries().keys();
                let mut entries = entries.chain(right_value.entries().keys());
                let differs = entries.find(|at| left_value.select(at) != right_value.select(at));
                let address = differs.cloned().ok_or_else(|| {
                    NotAbstracted("large memories that are equal are said to differ".to_owned())
                })?;
                Ok(TrackedWord {
                    component: component[left as usize],
                    address: Address::Constant(address),
                })
            }
        }
    }

    /// Follows a run on the circuit, and corrects reads whose values differ there. Returns the run of the
    /// circuit and the corrections.
    fn follow(
        &self,
        circuit: &Btor2,
        run: &mut [Step],
        most_bits: u64,
    ) -> Result<(Vec<Step>, Vec<Correction>), NotAbstracted> {
        let mut memories = Memories::new(circuit, most_bits);
        let mut abstract_run = Simulator::new(&self.model);
        let mut corrections = Vec::new();
        for number in 0..run.len() {
            let before = abstract_run.clone();
            abstract_run.step(&run[number]).map_err(NotAbstracted)?;
            memories.step(self, &abstract_run, number)?;
            let mut point = 0;
            while point < self.points.len() {
                let (value, actual) = match self.points[point] {
                    Point::Read {
                        array,
                        index,
                        value,
                    } => {
                        let value = abstract_run.argument(value);
                        let actual = memories.read(array, index, value.bits())?;
                        (value, actual)
                    }
                    Point::Equal { left, right, value } => {
                        let is_equal = memories.value(0, left) == memories.value(0, right);
                        let actual = Value::Bits(BitVector::new(u128::from(is_equal), 1));
                        (abstract_run.argument(value), actual)
                    }
                };
                if value != actual {
                    let correction = Correction {
                        step: number,
                        point,
                        value: actual,
                    };
                    self.correct(run, &correction);
                    corrections.push(correction);
                    abstract_run = before.clone();
                    abstract_run.step(&run[number]).map_err(NotAbstracted)?;
                }
                point += 1;
            }
        }
        Ok((memories.steps, corrections))
    }
}

impl<'a> Memories<'a> {
    fn new(circuit: &'a Btor2, most_bits: u64) -> Self {
        let simulators = [Simulator::new(circuit), Simulator::new(circuit)];
        Self {
            circuit,
            most_bits,
            before: simulators.clone(),
            simulators,
            steps: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// The value of a node in the last step.
    fn value(&self, of_ones: usize, node: u32) -> Value {
        self.simulators[of_ones].argument(Argument::of(node))
    }

    /// Takes a step with the values of the abstraction's last one.
    fn step(
        &mut self,
        abstraction: &Abstraction,
        values: &Simulator<'_>,
        number: usize,
    ) -> Result<(), NotAbstracted> {
        let of = |node: u32| values.argument(Argument::of(node));
        let circuit = self.circuit;
        let is_free = |state: u32| is_free(circuit, state, number);
        let mut step = Step::default();
        let mut know = |is_input: bool, memory: u32, word: u32, value: Value| {
            let address = values.argument(abstraction.addresses[word as usize]);
            let free = Free {
                step: number,
                is_input,
                number: memory as usize,
            };
            let words = self.known.entry(free).or_default();
            words.insert(address.bits().clone(), value.bits().clone());
        };
        // The first word at an address counts, so that it is stored last.
        let states = abstraction.model.states.iter().zip(&abstraction.states);
        for (own, origin) in states.rev() {
            match *origin {
                StateOrigin::State(state) if is_free(state) => {
                    step.states.insert(state as usize, of(own.node));
                }
                StateOrigin::Word { state, word } if is_free(state) => {
                    know(false, state, word, of(own.node));
                }
                _ => {}
            }
        }
        let inputs = abstraction.model.inputs.iter().zip(&abstraction.inputs);
        for (&own, origin) in inputs.rev() {
            match *origin {
                InputOrigin::Input(input) => {
                    step.inputs.insert(input as usize, of(own));
                }
                InputOrigin::Word { input, word } => know(true, input, word, of(own)),
                InputOrigin::Point(_) => {}
            }
        }
        self.steps.push(step);
        self.before = self.simulators.clone();
        self.take()
    }

    /// Takes the last step, in both circuits.
    fn take(&mut self) -> Result<(), NotAbstracted> {
        self.simulators = self.before.clone();
        let number = self.steps.len() - 1;
        let mut ones = self.steps[number].clone();
        for (of_ones, step) in [&mut self.steps[number], &mut ones].into_iter().enumerate() {
            let states = self.circuit.states.iter().enumerate();
            let states = states.filter(|&(state, _)| is_free(self.circuit, state as u32, number));
            let states = states.map(|(state, own)| (false, state, own.node));
            let inputs = self.circuit.inputs.iter().enumerate();
            let inputs = inputs.map(|(input, &node)| (true, input, node));
            for (is_input, memory, node) in states.chain(inputs) {
                let sort = self.circuit.nodes[node as usize].sort;
                let Sort::Array { index, element } = sort else {
                    continue;
                };
                if !is_large(sort, self.most_bits) {
                    continue;
                }
                let zero = BitVector::new(0, element);
                let default = if of_ones == 1 { zero.not() } else { zero };
                let mut array = ArrayValue::new(index, default);
                let free = Free {
                    step: number,
                    is_input,
                    number: memory,
                };
                for (at, value) in self.known.get(&free).into_iter().flatten() {
                    array.store(at.clone(), value.clone());
                }
                let list = match is_input {
                    true => &mut step.inputs,
                    false => &mut step.states,
                };
                list.insert(memory, Value::Array(Arc::new(array)));
            }
            self.simulators[of_ones].step(step).map_err(NotAbstracted)?;
        }
        Ok(())
    }

    /// The element that a read of a state or input has. If nothing is known about it, it becomes the wanted
    /// one.
    fn read(
        &mut self,
        array: u32,
        index: Argument,
        wanted: &BitVector,
    ) -> Result<Value, NotAbstracted> {
        let at = self.simulators[0].argument(index).bits().clone();
        let [zeros, ones] = [0, 1].map(|of_ones: usize| {
            let array = self.value(of_ones, array);
            array.array().select(&at).clone()
        });
        if zeros == ones {
            return Ok(Value::Bits(zeros));
        }
        let last = self.steps.len() - 1;
        // Where the word is free: in this step, or in the first.
        let free = match self.circuit.nodes[array as usize].kind {
            Kind::Input(input) => Free {
                step: last,
                is_input: true,
                number: input as usize,
            },
            Kind::State(state) => {
                let is_free_now = is_free(self.circuit, state, last);
                if !is_free_now {
                    if !is_free(self.circuit, state, 0) {
                        let text = "a word of a large memory comes from another one";
                        return Err(NotAbstracted(text.to_owned()));
                    }
                    for before in &mut self.before {
                        before.store_coming(state as usize, &at, wanted);
                    }
                    let first = self.steps[0].states.get_mut(&(state as usize));
                    if let Some(Value::Array(array)) = first {
                        Arc::make_mut(array).store(at.clone(), wanted.clone());
                    }
                }
                Free {
                    step: if is_free_now { last } else { 0 },
                    is_input: false,
                    number: state as usize,
                }
            }
            _ => unreachable!("reads lead to states and inputs"),
        };
        let words = self.known.entry(free).or_default();
        words.insert(at, wanted.clone());
        self.take()?;
        Ok(Value::Bits(wanted.clone()))
    }
}

/// Whether a state has any value in a step.
fn is_free(circuit: &Btor2, state: u32, step: usize) -> bool {
    let state = &circuit.states[state as usize];
    match step {
        0 => state.init.is_none(),
        _ => state.next.is_none(),
    }
}
