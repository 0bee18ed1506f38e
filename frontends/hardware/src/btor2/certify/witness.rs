//! Witness circuits over words from those over bits.

use std::collections::HashMap;

use craig_mc::word_system::{BitOf, Blasted};
use craig_mc::{Certificate, Reset};
use craig_solver::aig::{Edge, Node as Gate};
use craig_word::Sort;

use crate::btor2::constant::{Base, Constant};
use crate::btor2::model::{Argument, Btor2, Kind, Line, Node, State};
use crate::btor2::operator::Operator;

/// A copy of the model, all of whose inputs and states are shared, with the bads and constraints of a witness
/// circuit for its bits over slices of its words.
///
/// # Errors
/// If the bits of a state are not its words: an initial value depends on other states.
pub fn witness_of(
    model: &Btor2,
    blasted: &Blasted,
    certificate: &Certificate,
) -> Result<Btor2, String> {
    let depends = "an initial value depends on other states, or is that of a state without `next`";
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
    let mut maker = Maker {
        witness,
        bits: HashMap::new(),
    };
    let bits = &certificate.witness;
    let zero = maker.add(Sort::BitVector(1), Kind::Constant(Constant::Zero), []);
    let mut images = vec![zero; bits.aig.n_nodes()];
    for (input, shared) in bits.inputs.iter().zip(&certificate.shared_inputs) {
        images[input.node() as usize] = match shared {
            Some(number) => maker.bit(blasted.input(*number)),
            None => {
                let number = maker.witness.inputs.len() as u32;
                let node = maker.add(Sort::BitVector(1), Kind::Input(number), []);
                maker.witness.inputs.push(node);
                node
            }
        };
    }
    let mut own = Vec::new();
    for (latch, shared) in bits.latches.iter().zip(&certificate.shared_latches) {
        images[latch.state.node() as usize] = match shared {
            Some(number) => maker.bit(blasted.latch(*number).ok_or(depends)?),
            None => {
                let number = maker.witness.states.len();
                let node = maker.add(Sort::BitVector(1), Kind::State(number as u32), []);
                maker.witness.states.push(State {
                    node,
                    init: None,
                    next: None,
                });
                own.push((number, latch));
                node
            }
        };
    }
    if blasted.has_dependent_init() {
        return Err(depends.to_owned());
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
            let operands = [image(&images, left), image(&images, right)];
            let kind = Kind::Apply(Operator::And, [Argument::of(0); 3]);
            images[node as usize] = maker.add(Sort::BitVector(1), kind, operands);
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
    let line = |edge: &Edge| Line {
        value: image(&images, *edge),
        symbol: String::new(),
    };
    let bads: Vec<Line> = bits.bads.iter().map(line).collect();
    let constraints: Vec<Line> = bits.constraints.iter().map(line).collect();
    maker.witness.bads = bads;
    for &number in &blasted.constant_states {
        maker.keeps_its_value(number);
    }
    maker.witness.constraints.extend(constraints);
    Ok(maker.witness)
}

struct Maker {
    witness: Btor2,
    /// The nodes of bits and of elements at constant addresses.
    bits: HashMap<(bool, u32, u32, Option<u32>), u32>,
}

impl Maker {
    fn add<const N: usize>(&mut self, sort: Sort, mut kind: Kind, operands: [Argument; N]) -> u32 {
        if let Kind::Apply(_, arguments) = &mut kind {
            arguments[..N].copy_from_slice(&operands);
        }
        self.witness.nodes.push(Node {
            sort,
            kind,
            symbol: String::new(),
            identifier: 0,
        });
        self.witness.nodes.len() as u32 - 1
    }

    /// Adds constraints that a state has its constant initial value, which the circuit of bits takes for
    /// granted.
    fn keeps_its_value(&mut self, number: usize) {
        let State { node, init, .. } = self.witness.states[number];
        let Some(init) = init else {
            return;
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
        for operands in operands {
            let kind = Kind::Apply(Operator::Eq, [Argument::of(0); 3]);
            let value = Argument::of(self.add(Sort::BitVector(1), kind, operands));
            let symbol = String::new();
            self.witness.constraints.push(Line { value, symbol });
        }
    }

    /// The node of an element of an array.
    fn word(&mut self, array: u32, at: u32, index: u32) -> u32 {
        let digit = |bit: u32| if at >> bit & 1 == 1 { '1' } else { '0' };
        let digits: String = (0..index).rev().map(digit).collect();
        let constant = Constant::Digits(Base::Binary, digits.into());
        let at = self.add(Sort::BitVector(index), Kind::Constant(constant), []);
        let element = match self.witness.nodes[array as usize].sort {
            Sort::Array { element, .. } => element,
            Sort::BitVector(width) => width,
        };
        let kind = Kind::Apply(Operator::Read, [Argument::of(0); 3]);
        let operands = [Argument::of(array), Argument::of(at)];
        self.add(Sort::BitVector(element), kind, operands)
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
                let kind = Kind::Apply(Operator::Slice(bit.bit, bit.bit), [Argument::of(0); 3]);
                self.add(Sort::BitVector(1), kind, [Argument::of(word)])
            }
        };
        self.bits.insert(key, node);
        node
    }
}
