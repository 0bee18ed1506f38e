//! Witness circuits over words from those over bits.

use std::collections::HashMap;

use craig_aig::{Edge, Node as Gate};
use craig_mc::word_system::{BitOf, Blasted};
use craig_model::{Certificate, Reset};
use craig_word::{BitVector, Sort};

use crate::btor2::constant::Constant;
use crate::btor2::model::{Argument, Btor2, Kind, Line, State};
use crate::btor2::operator::Operator;

/// A copy of a model, all of whose inputs and states are shared, without properties and outputs: the start of a
/// witness circuit for it.
pub(in crate::btor2) fn with_all_shared(model: &Btor2) -> Btor2 {
    let mut witness = model.clone();
    for node in &mut witness.nodes {
        node.symbol = match node.kind {
            Kind::Input(_) | Kind::State(_) => format!("={}", node.identifier),
            _ => String::new(),
        };
    }
    witness.outputs.clear();
    witness.bads.clear();
    witness.fairness.clear();
    witness.justice.clear();
    witness
}

/// A copy of the model, all of whose inputs and states are shared, with the bads of a witness circuit for its
/// bits over slices of its words.
///
/// The constraints stay those of the model. A run of the witness circuit satisfies its own constraints by its
/// conditions "reset" and "transition", so that their negations are bads. What the circuit of bits takes for
/// granted becomes a bad too: a state that is constant there has its initial value, and a state whose `init`
/// is not constant, or which has no `next`, has the value of `init` in the first step. A latch of such a state
/// is 0 in the first step, and a bit of the word in all others.
#[must_use]
pub fn witness_of(model: &Btor2, blasted: &Blasted, certificate: &Certificate) -> Btor2 {
    let mut maker = Maker {
        witness: with_all_shared(model),
        bits: HashMap::new(),
    };
    let bits = &certificate.witness;
    let bit = Sort::BitVector(1);
    let kind = Kind::Constant(Constant::Zero);
    let zero = maker.witness.add_node(bit, kind);
    let zero_argument = Argument::of(zero);
    let is_first = match blasted.dependent_states.is_empty() {
        true => zero,
        false => {
            let one = zero_argument.negated();
            maker.witness.add_state(bit, Some(one), Some(zero_argument))
        }
    };
    let mut images = vec![zero; bits.aig.n_nodes()];
    for (input, shared) in bits.inputs.iter().zip(&certificate.shared_inputs) {
        images[input.node() as usize] = match shared {
            Some(number) => maker.bit(blasted.input(*number)),
            None => maker.witness.add_input(bit),
        };
    }
    let mut own = Vec::new();
    for (latch, shared) in bits.latches.iter().zip(&certificate.shared_latches) {
        images[latch.state.node() as usize] = match shared {
            Some(number) => match blasted.latch(*number) {
                None => is_first,
                Some(bit) => {
                    let word = maker.bit(bit);
                    let depends = blasted.dependent_states.contains(&(bit.number as usize));
                    match depends && blasted.model.latches[*number].reset == Reset::Zero {
                        true => maker.and([Argument::of(is_first).negated(), Argument::of(word)]),
                        false => word,
                    }
                }
            },
            None => {
                own.push((maker.witness.states.len(), latch));
                maker.witness.add_state(bit, None, None)
            }
        };
    }
    let image = |images: &[u32], edge: Edge| Argument {
        node: images[edge.node() as usize],
        is_negated: edge.is_negated(),
    };
    let roots = bits.bads.iter().chain(&bits.constraints).copied();
    let roots: Vec<Edge> = roots
        .chain(own.iter().map(|(_, latch)| latch.next))
        .collect();
    for node in bits.aig.cone(&roots) {
        if let Gate::And(left, right) = bits.aig.node(node) {
            images[node as usize] = maker.and([image(&images, left), image(&images, right)]);
        }
    }
    for (number, latch) in own {
        let init = latch.reset.value().map(|_| Argument {
            node: zero,
            is_negated: latch.reset == Reset::One,
        });
        let next = Some(image(&images, latch.next));
        let state = &mut maker.witness.states[number];
        (state.init, state.next) = (init, next);
    }
    let kept = bits.constraints.iter().map(|&edge| image(&images, !edge));
    let bads = bits.bads.iter().map(|&edge| image(&images, edge));
    let mut bads: Vec<Argument> = bads.chain(kept).collect();
    for &number in &blasted.constant_states {
        let equal = maker.equals_init(number);
        bads.extend(equal.into_iter().map(Argument::negated));
    }
    for &number in &blasted.dependent_states {
        for is_equal in maker.equals_init(number) {
            bads.push(Argument::of(
                maker.and([Argument::of(is_first), is_equal.negated()]),
            ));
        }
    }
    let line = |value: Argument| Line {
        value,
        symbol: String::new(),
    };
    maker.witness.bads = bads.into_iter().map(line).collect();
    maker.witness
}

struct Maker {
    witness: Btor2,
    /// The nodes of bits and of elements at constant addresses.
    bits: HashMap<(bool, u32, u32, Option<u32>), u32>,
}

impl Maker {
    fn and(&mut self, operands: [Argument; 2]) -> u32 {
        let sort = Sort::BitVector(1);
        (self.witness.add_operation(Operator::And, sort, &operands)).node
    }

    /// Values of one bit that are all 1 if and only if a state has the value of its `init`.
    fn equals_init(&mut self, number: usize) -> Vec<Argument> {
        let State { node, init, .. } = self.witness.states[number];
        let Some(init) = init else {
            return Vec::new();
        };
        let (sort, of) = (self.witness.nodes[node as usize].sort, Argument::of(node));
        let operands = match sort {
            Sort::Array { index, .. } if self.witness.node(init).sort != sort => {
                let words =
                    (0..1_u32 << index).map(|at| [Argument::of(self.word(node, at, index)), init]);
                words.collect()
            }
            _ => vec![[of, init]],
        };
        let equal = operands.into_iter().map(|operands: [Argument; 2]| {
            let sort = Sort::BitVector(1);
            self.witness.add_operation(Operator::Eq, sort, &operands)
        });
        equal.collect()
    }

    /// The node of an element of an array.
    fn word(&mut self, array: u32, at: u32, index: u32) -> u32 {
        let at = BitVector::new(u128::from(at), index);
        let at = self.witness.add_constant(&at);
        let element = match self.witness.nodes[array as usize].sort {
            Sort::Array { element, .. } => element,
            Sort::BitVector(width) => width,
        };
        let (sort, operands) = (Sort::BitVector(element), [Argument::of(array), at]);
        (self.witness.add_operation(Operator::Read, sort, &operands)).node
    }

    /// The node of a bit of an input or state.
    fn bit(&mut self, bit: BitOf) -> u32 {
        let key = (bit.is_input, bit.number, bit.word, Some(bit.bit));
        if let Some(&node) = self.bits.get(&key) {
            return node;
        }
        let leaf = match bit.is_input {
            true => self.witness.inputs[bit.number as usize],
            false => self.witness.states[bit.number as usize].node,
        };
        let (word, width) = match self.witness.nodes[leaf as usize].sort {
            Sort::BitVector(width) => (leaf, width),
            Sort::Array { index, element } => {
                let key = (bit.is_input, bit.number, bit.word, None);
                let word = match self.bits.get(&key) {
                    Some(&word) => word,
                    None => self.word(leaf, bit.word, index),
                };
                self.bits.insert(key, word);
                (word, element)
            }
        };
        let node = match width {
            1 => word,
            _ => {
                let (operator, sort) = (Operator::Slice(bit.bit, bit.bit), Sort::BitVector(1));
                (self
                    .witness
                    .add_operation(operator, sort, &[Argument::of(word)]))
                .node
            }
        };
        self.bits.insert(key, node);
        node
    }
}
