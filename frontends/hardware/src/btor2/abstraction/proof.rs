//! Proofs about the abstraction as proofs about the circuit.

use std::collections::HashMap;

use craig_word::Sort;

use super::{Abstraction, Address, InputOrigin, Point, StateOrigin, is_frozen};
use crate::btor2::certify::with_all_shared;
use crate::btor2::model::{Argument, Btor2, Kind, Line};
use crate::btor2::operator::Operator;

impl Abstraction {
    /// The witness circuit of the circuit for one of the abstraction, as
    /// [`witness_of`](super::super::certify::witness_of) makes it.
    ///
    /// It has the circuit's states and inputs, a register for the address of each tracked word, and registers
    /// for earlier values of addresses. A tracked word is a read at that register, and a read with any value
    /// is the read. The value of a register that excludes the bad is given by an output.
    #[must_use]
    pub fn lift_witness(&self, circuit: &Btor2, of_abstraction: &Btor2) -> Btor2 {
        let mut lift = Lift {
            abstraction: self,
            circuit,
            witness: with_all_shared(circuit),
            addresses: Vec::new(),
            histories: HashMap::new(),
        };
        for (number, word) in self.words.iter().enumerate() {
            let address = match &word.address {
                Address::Constant(value) => lift.witness.add_constant(value),
                Address::OfRead { index, .. } if is_frozen(circuit, *index) => *index,
                Address::OfRead { index, delay } => {
                    let symbol = format!("?{number}");
                    let sort = circuit.node(*index).sort;
                    let register = lift.witness.add_state(sort, None, None);
                    lift.witness.nodes[register as usize]
                        .symbol
                        .clone_from(&symbol);
                    lift.set_next(register, Argument::of(register));
                    let value = lift.history(*index, *delay);
                    let symbol = format!("at{symbol}");
                    lift.witness.outputs.push(Line { value, symbol });
                    Argument::of(register)
                }
            };
            lift.addresses.push(address);
        }
        lift.copy(of_abstraction);
        lift.witness
    }
}

struct Lift<'a> {
    abstraction: &'a Abstraction,
    circuit: &'a Btor2,
    witness: Btor2,
    /// The address of each tracked word.
    addresses: Vec<Argument>,
    histories: HashMap<(Argument, u32), Argument>,
}

impl Lift<'_> {
    fn set_next(&mut self, state: u32, next: Argument) {
        if let Kind::State(number) = self.witness.nodes[state as usize].kind {
            self.witness.states[number as usize].next = Some(next);
        }
    }

    /// The value that an argument of the circuit had `delay` steps ago.
    fn history(&mut self, of: Argument, delay: u32) -> Argument {
        let mut value = of;
        for delay in 1..=delay {
            let earlier = match self.histories.get(&(of, delay)) {
                Some(&earlier) => earlier,
                None => {
                    let sort = self.circuit.node(of).sort;
                    let register = self.witness.add_state(sort, None, Some(value));
                    self.histories.insert((of, delay), Argument::of(register));
                    Argument::of(register)
                }
            };
            value = earlier;
        }
        value
    }

    fn read(&mut self, array: u32, at: Argument) -> Argument {
        let sort = match self.circuit.nodes[array as usize].sort {
            Sort::Array { element, .. } => Sort::BitVector(element),
            sort => sort,
        };
        let operands = [Argument::of(array), at];
        self.witness.add_operation(Operator::Read, sort, &operands)
    }

    fn of_state(&mut self, origin: StateOrigin) -> Argument {
        match origin {
            StateOrigin::State(state) => Argument::of(self.circuit.states[state as usize].node),
            StateOrigin::Word { state, word } => {
                let array = self.circuit.states[state as usize].node;
                self.read(array, self.addresses[word as usize])
            }
            StateOrigin::Address(word) => self.addresses[word as usize],
            StateOrigin::WasIt { word, delay } => {
                let own = self.addresses[word as usize];
                let then = match self.abstraction.words[word as usize].address {
                    Address::OfRead { index, .. } => self.history(index, delay),
                    Address::Constant(_) => own,
                };
                let sort = Sort::BitVector(1);
                self.witness.add_operation(Operator::Eq, sort, &[then, own])
            }
        }
    }

    fn of_input(&mut self, origin: InputOrigin) -> Argument {
        match origin {
            InputOrigin::Input(input) => Argument::of(self.circuit.inputs[input as usize]),
            InputOrigin::Word { input, word } => {
                let array = self.circuit.inputs[input as usize];
                self.read(array, self.addresses[word as usize])
            }
            InputOrigin::Point(point) => match self.abstraction.points[point as usize] {
                Point::Read { array, index, .. } => self.read(array, index),
                Point::Equal { left, right, .. } => {
                    let operands = [left, right].map(Argument::of);
                    let sort = Sort::BitVector(1);
                    self.witness.add_operation(Operator::Eq, sort, &operands)
                }
            },
        }
    }

    /// Copies what the bads of a witness circuit of the abstraction depend on.
    fn copy(&mut self, from: &Btor2) {
        let shared_states = self.abstraction.states.len();
        let own = from.states.iter().skip(shared_states);
        let mut is_needed = vec![false; from.nodes.len()];
        let bads = from.bads.iter().map(|line| line.value.node);
        let values = own.flat_map(|state| [state.init, state.next]);
        let mut stack: Vec<u32> = bads
            .chain(values.flatten().map(|value| value.node))
            .collect();
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut is_needed[node as usize], true) {
                let arguments = from.nodes[node as usize].arguments();
                stack.extend(arguments.iter().map(|argument| argument.node));
            }
        }
        let mut images = vec![Argument::of(0); from.nodes.len()];
        let image = |images: &[Argument], of: Argument| {
            let image = images[of.node as usize];
            match of.is_negated {
                true => image.negated(),
                false => image,
            }
        };
        let mut own_states = Vec::new();
        for (number, node) in from.nodes.iter().enumerate() {
            let is_own = matches!(node.kind, Kind::State(state) if state as usize >= shared_states);
            if !is_needed[number] && !is_own {
                continue;
            }
            images[number] = match &node.kind {
                Kind::State(state) => match self.abstraction.states.get(*state as usize) {
                    Some(&origin) => self.of_state(origin),
                    None => {
                        let register = self.witness.add_state(node.sort, None, None);
                        own_states.push((register, from.states[*state as usize].clone()));
                        Argument::of(register)
                    }
                },
                Kind::Input(input) => match self.abstraction.inputs.get(*input as usize) {
                    Some(&origin) => self.of_input(origin),
                    None => Argument::of(self.witness.add_input(node.sort)),
                },
                Kind::Constant(constant) => {
                    let kind = Kind::Constant(constant.clone());
                    Argument::of(self.witness.add_node(node.sort, kind))
                }
                Kind::Apply(operator, arguments) => {
                    let mut own = [Argument::of(0); 3];
                    for (own, &of) in own.iter_mut().zip(&arguments[..operator.arity()]) {
                        *own = image(&images, of);
                    }
                    let operands = &own[..operator.arity()];
                    self.witness.add_operation(*operator, node.sort, operands)
                }
            };
        }
        for (register, state) in own_states {
            if let Kind::State(number) = self.witness.nodes[register as usize].kind {
                let own = &mut self.witness.states[number as usize];
                own.init = state.init.map(|init| image(&images, init));
                own.next = state.next.map(|next| image(&images, next));
            }
        }
        for line in &from.bads {
            let value = image(&images, line.value);
            let symbol = String::new();
            self.witness.bads.push(Line { value, symbol });
        }
    }
}
