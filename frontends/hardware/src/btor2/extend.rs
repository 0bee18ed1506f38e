//! Additions to a circuit: nodes that are from no file.

use craig_word::{BitVector, Sort};

use super::constant::{Base, Constant};
use super::model::{Argument, Btor2, Kind, Node, State};
use super::operator::Operator;

impl Btor2 {
    /// The node of a new value.
    pub(super) fn add_node(&mut self, sort: Sort, kind: Kind) -> u32 {
        self.nodes.push(Node {
            sort,
            kind,
            symbol: String::new(),
            identifier: 0,
        });
        self.nodes.len() as u32 - 1
    }

    /// A new operation; its operands are of the circuit, and the sort is that of the result.
    pub fn add_operation(
        &mut self,
        operator: Operator,
        sort: Sort,
        operands: &[Argument],
    ) -> Argument {
        debug_assert_eq!(operands.len(), operator.arity());
        let mut arguments = [Argument::of(0); 3];
        arguments[..operands.len()].copy_from_slice(operands);
        Argument::of(self.add_node(sort, Kind::Apply(operator, arguments)))
    }

    /// A new constant.
    pub fn add_constant(&mut self, value: &BitVector) -> Argument {
        let digit = |bit| if value.bit(bit) { '1' } else { '0' };
        let digits: String = (0..value.width()).rev().map(digit).collect();
        let constant = Constant::Digits(Base::Binary, digits.into());
        let sort = Sort::BitVector(value.width());
        Argument::of(self.add_node(sort, Kind::Constant(constant)))
    }

    /// The node of a new state, which is the last one.
    pub fn add_state(&mut self, sort: Sort, init: Option<Argument>, next: Option<Argument>) -> u32 {
        let number = self.states.len() as u32;
        let node = self.add_node(sort, Kind::State(number));
        self.states.push(State { node, init, next });
        node
    }

    /// The node of a new input, which is the last one.
    pub fn add_input(&mut self, sort: Sort) -> u32 {
        let number = self.inputs.len() as u32;
        let node = self.add_node(sort, Kind::Input(number));
        self.inputs.push(node);
        node
    }
}
