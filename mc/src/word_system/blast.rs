//! From words to bits.

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use craig_aig::{Aig, Edge};
use craig_model::{Latch, Model, Names, Reset};
use craig_word::{Blaster, Node, Op, Sort, Term, Terms};

use super::arrays::{ArrayId, Arrays, Widths, choose};
use super::restrict::restricted;
use super::system::WordSystem;

/// The most bits of all arrays in the cone of the properties together.
const MOST_ARRAY_BITS: u64 = 1 << 18;
/// In a system whose memories are restricted, smaller arrays are kept.
const MOST_RESTRICTED_BITS: u64 = 1 << 16;
/// The most nodes of the graph.
const MOST_NODES: u64 = 30_000_000;

/// A bit of an input or of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitOf {
    /// Whether it is of an input.
    pub is_input: bool,
    /// The number of the input or state.
    pub number: u32,
    /// The number of the word in an array; 0 for bit-vectors.
    pub word: u32,
    /// The lowest bit is 0.
    pub bit: u32,
}

/// Why a system can't be blasted: the result would be too large. The text names the part and its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge(pub String);

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TooLarge {}

/// A system as bits. Inputs and states on which no property depends are omitted.
#[derive(Clone, Debug, Default)]
pub struct Blasted {
    /// The circuit.
    pub model: Model,
    /// What each input of the circuit is a bit of.
    pub(super) inputs: Vec<BitOf>,
    /// What each latch is a bit of; `None` for the latch that holds in the first step.
    pub(super) latches: Vec<Option<BitOf>>,
    /// The sorts of the system's inputs and states.
    pub(super) sorts: [Vec<Sort>; 2],
    /// The states that keep a constant value for ever: they are constants of the circuit.
    pub constant_states: Vec<usize>,
    /// The states that are not the word of their latches or inputs in the first step: `init` is not constant,
    /// or there is no `next`. Their latches are 0 in the first step where `init` has no constant bit.
    pub dependent_states: Vec<usize>,
    /// Whether each state has an `init`.
    pub(super) has_init: Vec<bool>,
}

/// Blasts a system.
///
/// # Errors
/// If the circuit would be too large.
pub fn blast(system: &WordSystem) -> Result<Blasted, TooLarge> {
    blast_with(system, &[]).map(|(blasted, _)| blasted)
}

/// As [`blast`], with the bits of further terms over the inputs and states of the cone of the properties, as
/// edges of the circuit's graph. Inputs, latches and their order are those of [`blast`].
pub(super) fn blast_with(
    system: &WordSystem,
    terms: &[Term],
) -> Result<(Blasted, Vec<Vec<Edge>>), TooLarge> {
    let cone = system.cone();
    let sort = |term: Term| system.terms.sort(term);
    let states = cone
        .states
        .iter()
        .map(|&number| system.states[number].state);
    let inputs = cone.inputs.iter().map(|&number| system.inputs[number]);
    let leaves: Vec<Sort> = states.chain(inputs).map(sort).collect();
    let n_array_bits = leaves.iter().map(|&sort| match sort {
        Sort::BitVector(_) => 0,
        Sort::Array { index, element } => Widths { index, element }.n_bits(),
    });
    let n_array_bits = n_array_bits.fold(0_u64, u64::saturating_add);
    if n_array_bits > MOST_ARRAY_BITS {
        return Err(TooLarge(format!(
            "the arrays on which the properties depend have more than {MOST_ARRAY_BITS} bits together, which is \
             too large to be decided bit by bit"
        )));
    }
    let n_bits = leaves.iter().map(|&sort| match sort {
        Sort::BitVector(width) => u64::from(width),
        Sort::Array { .. } => 0,
    });
    check_size(n_bits.sum())?;
    let mut work = Work {
        system,
        blasted: Blasted {
            sorts: sorts(system),
            has_init: system
                .states
                .iter()
                .map(|state| state.init.is_some())
                .collect(),
            ..Blasted::default()
        },
        blaster: Blaster::new(),
        arrays: Arrays::default(),
        array_of: HashMap::new(),
        is_first: None,
    };
    work.run(&cone.inputs, &cone.states)?;
    let bits = terms.iter().map(|&term| work.bits(term));
    let bits = bits.collect::<Result<Vec<_>, TooLarge>>()?;
    Ok((work.blasted, bits))
}

/// Blasts a system whose large memories keep their [`RESTRICTED_WORDS`](super::RESTRICTED_WORDS) lowest words
/// only: an under-approximation, of which only runs can be used. They are lifted to runs of the system.
///
/// # Errors
/// If the circuit would be too large nevertheless, or large memories are compared with each other.
pub fn blast_restricted(system: &WordSystem) -> Result<Blasted, TooLarge> {
    let restricted = restricted(system, MOST_RESTRICTED_BITS).ok_or_else(|| {
        TooLarge("memories that are too large to be decided bit by bit are compared".to_owned())
    })?;
    let mut blasted = blast(&restricted)?;
    blasted.sorts = sorts(system);
    Ok(blasted)
}

/// The sorts of the inputs and of the states.
fn sorts(system: &WordSystem) -> [Vec<Sort>; 2] {
    let sort = |term: Term| system.terms.sort(term);
    [
        system.inputs.iter().map(|&input| sort(input)).collect(),
        system
            .states
            .iter()
            .map(|state| sort(state.state))
            .collect(),
    ]
}

fn check_size(n_nodes: u64) -> Result<(), TooLarge> {
    match n_nodes > MOST_NODES {
        true => Err(TooLarge(format!(
            "the circuit has more than {MOST_NODES} gates"
        ))),
        false => Ok(()),
    }
}

struct Work<'a> {
    system: &'a WordSystem,
    blasted: Blasted,
    blaster: Blaster,
    arrays: Arrays,
    array_of: HashMap<Term, ArrayId>,
    /// The position of the latch that holds in the first step only.
    is_first: Option<Edge>,
}

impl Work<'_> {
    fn run(&mut self, inputs: &[usize], states: &[usize]) -> Result<(), TooLarge> {
        let system = self.system;
        for &number in inputs {
            let input = system.inputs[number];
            let bits = self.new_inputs(input, true, number);
            self.set(input, bits);
        }
        // The latches of each state with a `next`, without those that are constant.
        let mut latches: Vec<(usize, Term)> = Vec::new();
        for &number in states {
            let state = &system.states[number];
            let init = match state.init {
                Some(init) => Some(self.bits(init)?),
                None => None,
            };
            let is_constant = |bits: &Vec<Edge>| bits.iter().all(|edge| edge.is_constant());
            let bits = match (state.next, init) {
                (None, None) => self.new_inputs(state.state, false, number),
                (None, Some(init)) => {
                    self.blasted.dependent_states.push(number);
                    let later = self.new_inputs(state.state, false, number);
                    self.first_or(&init, &later)
                }
                (Some(next), Some(init)) if next == state.state && is_constant(&init) => {
                    self.blasted.constant_states.push(number);
                    init
                }
                (Some(next), init) => {
                    latches.push((self.blasted.model.latches.len(), next));
                    self.new_latches(state.state, number, init.as_deref())
                }
            };
            self.set(state.state, bits);
        }
        for (start, next) in latches {
            for (position, edge) in self.bits(next)?.into_iter().enumerate() {
                self.blasted.model.latches[start + position].next = edge;
            }
        }
        let lists = [&system.constraints, &system.bads, &system.fairness];
        let mut edges = Vec::new();
        for list in lists {
            let list = list.iter().map(|&term| Ok(self.bits(term)?[0]));
            edges.push(list.collect::<Result<Vec<Edge>, TooLarge>>()?);
        }
        let mut justice = Vec::new();
        for property in &system.justice {
            let property = property.iter().map(|&term| Ok(self.bits(term)?[0]));
            justice.push(property.collect::<Result<Vec<Edge>, TooLarge>>()?);
        }
        let names = self.names();
        let model = &mut self.blasted.model;
        model.fairness = edges.pop().unwrap_or_default();
        model.bads = edges.pop().unwrap_or_default();
        model.constraints = edges.pop().unwrap_or_default();
        model.justice = justice;
        model.names = names;
        Ok(())
    }

    /// Inputs of the circuit for all bits of an input, or of a state without `next`.
    fn new_inputs(&mut self, of: Term, is_input: bool, number: usize) -> Vec<Edge> {
        let bits = bits_of(&self.system.terms, of, is_input, number);
        let model = &mut self.blasted.model;
        let edges = bits.map(|bit| {
            let edge = model.aig.add_input();
            model.inputs.push(edge);
            self.blasted.inputs.push(bit);
            edge
        });
        edges.collect()
    }

    /// Latches for all bits of a state, whose next states are set later. Returns the state's bits: those
    /// whose
    /// initial value depends on other states are not latches.
    fn new_latches(&mut self, of: Term, number: usize, init: Option<&[Edge]>) -> Vec<Edge> {
        let bits = bits_of(&self.system.terms, of, false, number);
        let model = &mut self.blasted.model;
        let mut edges = Vec::new();
        for (position, bit) in bits.enumerate() {
            let state = model.aig.add_input();
            let reset = match init.map(|init| init[position]) {
                None => Reset::Uninitialised,
                Some(Edge::TRUE) => Reset::One,
                Some(_) => Reset::Zero,
            };
            let next = state;
            model.latches.push(Latch { state, next, reset });
            self.blasted.latches.push(Some(bit));
            edges.push(state);
        }
        match init {
            Some(init) if !init.iter().all(|edge| edge.is_constant()) => {
                self.blasted.dependent_states.push(number);
                let chosen =
                    init.iter()
                        .zip(&edges)
                        .map(|(&init, &latch)| match init.is_constant() {
                            true => None,
                            false => Some((init, latch)),
                        });
                let chosen: Vec<Option<(Edge, Edge)>> = chosen.collect();
                for (edge, pair) in edges.iter_mut().zip(chosen) {
                    if let Some((init, latch)) = pair {
                        *edge = self.first_or(&[init], &[latch])[0];
                    }
                }
                edges
            }
            _ => edges,
        }
    }

    /// The first values in the first step, and the others in all later steps.
    fn first_or(&mut self, first: &[Edge], later: &[Edge]) -> Vec<Edge> {
        let model = &mut self.blasted.model;
        let is_first = *self.is_first.get_or_insert_with(|| {
            let state = model.aig.add_input();
            model.latches.push(Latch {
                state,
                next: Edge::FALSE,
                reset: Reset::One,
            });
            self.blasted.latches.push(None);
            state
        });
        let pairs = first.iter().zip(later);
        pairs
            .map(|(&first, &later)| choose(&mut model.aig, is_first, first, later))
            .collect()
    }

    /// Defines the bits of a variable.
    fn set(&mut self, variable: Term, bits: Vec<Edge>) {
        if self.system.terms.is_array(variable) {
            let array = self.arrays.root(bits);
            self.array_of.insert(variable, array);
        } else {
            self.blaster.set(variable, &bits);
        }
    }

    /// The bits of a term; of an array, those of all words.
    fn bits(&mut self, root: Term) -> Result<Vec<Edge>, TooLarge> {
        let terms = &self.system.terms;
        let (blaster, array_of) = (&self.blaster, &self.array_of);
        let is_known =
            |term: Term| array_of.contains_key(&term) || blaster.get(terms, term).is_some();
        for term in terms.cone(&[root], is_known) {
            check_size(self.blasted.model.aig.n_nodes() as u64 + cost(terms, term))?;
            self.term(term);
        }
        let aig = &mut self.blasted.model.aig;
        Ok(match terms.sort(root) {
            Sort::BitVector(_) => self
                .blaster
                .get(terms, root)
                .map_or_else(Vec::new, <[Edge]>::to_vec),
            Sort::Array { index, element } => {
                let array = self.array_of[&root];
                self.arrays
                    .words(aig, array, Widths { index, element })
                    .to_vec()
            }
        })
    }

    /// Blasts a term whose operands have been blasted.
    fn term(&mut self, term: Term) {
        let terms = &self.system.terms;
        let aig = &mut self.blasted.model.aig;
        let (blaster, array_of) = (&mut self.blaster, &self.array_of);
        let bits = |blaster: &Blaster, of: Term| -> Rc<[Edge]> {
            blaster.get(terms, of).unwrap_or_default().into()
        };
        let widths = |of: Term| match terms.sort(of) {
            Sort::Array { index, element } => Widths { index, element },
            Sort::BitVector(_) => unreachable!("the term is an array"),
        };
        let array = match terms.node(term) {
            Node::Select(array, index) => {
                let at = bits(blaster, index);
                let element = self.arrays.read(aig, array_of[&array], &at, widths(array));
                return blaster.set(term, &element);
            }
            Node::Binary(Op::Eq, left, right) if terms.is_array(left) => {
                let (left_id, right_id) = (array_of[&left], array_of[&right]);
                let equal = self.arrays.equal(aig, left_id, right_id, widths(left));
                return blaster.set(term, &[equal]);
            }
            Node::Ite(condition, then, otherwise) if terms.is_array(term) => {
                let condition = bits(blaster, condition)[0];
                let (then, otherwise) = (array_of[&then], array_of[&otherwise]);
                self.arrays
                    .ite(aig, condition, then, otherwise, widths(term))
            }
            Node::Store(array, index, value) => {
                let (index, value) = (bits(blaster, index), bits(blaster, value));
                self.arrays
                    .write(array_of[&array], Edge::TRUE, index, value)
            }
            Node::ConstArray(value) => {
                let value = bits(blaster, value);
                let words = (0..1_usize << widths(term).index).flat_map(|_| value.iter().copied());
                let words = words.collect();
                self.arrays.root(words)
            }
            _ => {
                let mut free = |aig: &mut Aig, term: Term| {
                    // Variables outside the system are open; there are none.
                    (0..terms.width(term)).map(|_| aig.add_input()).collect()
                };
                blaster.blast(terms, aig, term, &mut free);
                return;
            }
        };
        self.array_of.insert(term, array);
    }

    fn names(&self) -> Names {
        let names = &self.system.names;
        let sorts = &self.blasted.sorts;
        let name = |bit: &BitOf| {
            let (list, sorts, kind) = match bit.is_input {
                true => (&names.inputs, &sorts[0], "input"),
                false => (&names.latches, &sorts[1], "state"),
            };
            let number = bit.number as usize;
            let mut text = match list.get(number) {
                Some(name) if !name.is_empty() => name.clone(),
                _ => format!("{kind}{number}"),
            };
            match sorts[number] {
                Sort::BitVector(1) => {}
                Sort::BitVector(_) => text += &format!("[{}]", bit.bit),
                Sort::Array { .. } => text += &format!("[{}][{}]", bit.word, bit.bit),
            }
            text
        };
        let latch = |bit: &Option<BitOf>| bit.as_ref().map_or("first step".to_owned(), name);
        Names {
            inputs: self.blasted.inputs.iter().map(name).collect(),
            latches: self.blasted.latches.iter().map(latch).collect(),
            ..names.clone()
        }
    }
}

/// The bits of a variable in order.
fn bits_of(terms: &Terms, of: Term, is_input: bool, number: usize) -> impl Iterator<Item = BitOf> {
    let (n_words, width) = match terms.sort(of) {
        Sort::BitVector(width) => (1, width),
        Sort::Array { index, element } => (1_u32 << index, element),
    };
    let bit = move |word: u32, bit: u32| BitOf {
        is_input,
        number: number as u32,
        word,
        bit,
    };
    (0..n_words).flat_map(move |word| (0..width).map(move |position| bit(word, position)))
}

/// An estimate from above of the gates that a term needs beyond its operands.
fn cost(terms: &Terms, term: Term) -> u64 {
    let bits = |term: Term| match terms.sort(term) {
        Sort::BitVector(width) => u64::from(width),
        Sort::Array { index, element } => Widths { index, element }.n_bits(),
    };
    let width = bits(term);
    let factor = match terms.node(term) {
        Node::Binary(Op::Mul | Op::UDiv | Op::URem | Op::SDiv | Op::SRem, ..) => {
            width.saturating_mul(12)
        }
        Node::Binary(Op::Shl | Op::LShr | Op::AShr, ..) => 80,
        Node::Binary(Op::Eq, left, _) => return bits(left).saturating_mul(4),
        Node::Select(array, _) => return bits(array).saturating_mul(4),
        _ => 10,
    };
    width.saturating_mul(factor)
}
