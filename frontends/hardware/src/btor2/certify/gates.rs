//! The values of nodes as formulas, for the certifier: written without the terms and the blaster by which circuits are
//! decided.

use std::fmt;

use craig_certify::{Gate, Gates};
use craig_word::Sort;

use super::bits::{
    Bits, add, all, bitwise, choose, divide, extend, less, multiply, not, overflows, read, rotate,
    same_bits, shift, sign, signed_division, signed_less, write, xor,
};
use super::memories::{Memories, Memory};
use crate::btor2::model::{Argument, Btor2, Kind, Node};
use crate::btor2::operator::Operator;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// Of a bit-vector or small array.
    Bits(Bits),
    /// Of a large array.
    Memory(Memory),
}

/// The formulas of all steps.
pub(super) struct Formulas {
    pub(super) gates: Gates,
    pub(super) memories: Memories,
    /// Arrays with more bits are [`Word::Memory`].
    most_array_bits: u64,
}

/// The most bits of one value.
const MOST_BITS: u64 = 1 << 22;
/// The most bits of all values together.
const MOST_BITS_TOGETHER: u64 = 1 << 28;

/// The values of one step would be too large.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the words and memories are too large to be checked bit by bit")
    }
}

impl Formulas {
    /// No formulas; arrays with more bits than given are not spelled out.
    pub(super) fn new(most_array_bits: u64) -> Self {
        Self {
            gates: Gates::new(),
            memories: Memories::default(),
            most_array_bits: most_array_bits.min(MOST_BITS),
        }
    }

    fn is_memory(&self, sort: Sort) -> bool {
        match sort {
            Sort::BitVector(_) => false,
            Sort::Array { index, element } => {
                index >= 32 || u64::from(element) << index > self.most_array_bits
            }
        }
    }

    /// The number of bits of a sort that is spelled out.
    fn size(&self, sort: Sort) -> Result<usize, TooLarge> {
        let size = match sort {
            Sort::BitVector(width) => u64::from(width),
            Sort::Array { .. } if self.is_memory(sort) => 0,
            Sort::Array { index, element } => u64::from(element) << index,
        };
        match size <= MOST_BITS {
            true => Ok(size as usize),
            false => Err(TooLarge),
        }
    }

    /// Any value.
    fn fresh(&mut self, sort: Sort) -> Result<Word, TooLarge> {
        if self.is_memory(sort) {
            return Ok(Word::Memory(self.memories.free(sort)));
        }
        let size = self.size(sort)?;
        Ok(Word::Bits((0..size).map(|_| self.gates.fresh()).collect()))
    }

    /// Whether two values are equal.
    pub(super) fn same(&mut self, x: &Word, y: &Word) -> Gate {
        match (x, y) {
            (Word::Bits(x), Word::Bits(y)) => same_bits(&mut self.gates, x, y),
            (Word::Memory(x), Word::Memory(y)) => self.memories.same(&mut self.gates, *x, *y),
            _ => unreachable!("values of one sort are represented alike"),
        }
    }

    /// Whether all of `given` and at least one of `any` can hold together.
    pub(super) fn satisfiable(&mut self, given: &[Gate], any: &[Gate]) -> Result<bool, String> {
        let mut all = self.memories.axioms(&mut self.gates);
        all.extend(given);
        self.gates.satisfiable(&all, any)
    }
}

/// The values of all nodes in one step.
pub(super) struct Values<'a> {
    model: &'a Btor2,
    nodes: Vec<Word>,
}

impl<'a> Values<'a> {
    /// The values for these inputs and states; leaves without a value are fresh. Nodes that are not `needed`
    /// have no value.
    pub(super) fn new(
        formulas: &mut Formulas,
        model: &'a Btor2,
        needed: &[bool],
        given: &mut dyn FnMut(&Kind) -> Option<Word>,
    ) -> Result<Self, TooLarge> {
        let mut values = Self {
            model,
            nodes: Vec::with_capacity(model.nodes.len()),
        };
        let mut n_bits = 0;
        for (node, &is_needed) in model.nodes.iter().zip(needed) {
            if !is_needed {
                values.nodes.push(Word::Bits(Vec::new()));
                continue;
            }
            let size = formulas.size(node.sort)?;
            n_bits += size as u64;
            if n_bits > MOST_BITS_TOGETHER {
                return Err(TooLarge);
            }
            let value = match &node.kind {
                Kind::Input(_) | Kind::State(_) => match given(&node.kind) {
                    Some(value) => value,
                    None => formulas.fresh(node.sort)?,
                },
                Kind::Constant(constant) => {
                    let value = constant.value(size as u32);
                    let bits = (0..size as u32).map(|bit| Gate::from(value.bit(bit)));
                    Word::Bits(bits.collect())
                }
                Kind::Apply(operator, _) => match values.memory(formulas, node, *operator) {
                    Some(value) => value,
                    None => Word::Bits(values.apply(&mut formulas.gates, node, *operator)?),
                },
            };
            debug_assert!(
                matches!(&value, Word::Memory(_)) || values.bits_of(&value).len() == size
            );
            values.nodes.push(value);
        }
        Ok(values)
    }

    fn bits_of<'b>(&self, value: &'b Word) -> &'b [Gate] {
        match value {
            Word::Bits(bits) => bits,
            Word::Memory(_) => unreachable!("large arrays have operations of their own"),
        }
    }

    /// The value of an argument.
    pub(super) fn word(&self, argument: Argument) -> Word {
        match &self.nodes[argument.node as usize] {
            Word::Bits(_) => Word::Bits(self.at(argument)),
            memory => memory.clone(),
        }
    }

    /// The bits of an argument that is no large array.
    pub(super) fn at(&self, argument: Argument) -> Bits {
        let bits = self.bits_of(&self.nodes[argument.node as usize]).iter();
        bits.map(|&bit| bit ^ Gate::from(argument.is_negated))
            .collect()
    }

    /// The value of an argument of one bit.
    pub(super) fn bit(&self, argument: Argument) -> Gate {
        self.bits_of(&self.nodes[argument.node as usize])[0] ^ Gate::from(argument.is_negated)
    }

    /// The value of an `init` of a state of this sort: a constant is repeated for each word.
    pub(super) fn initial(
        &self,
        formulas: &mut Formulas,
        sort: Sort,
        init: Argument,
    ) -> Result<Word, TooLarge> {
        Ok(match self.word(init) {
            Word::Bits(element) if formulas.is_memory(sort) => {
                Word::Memory(formulas.memories.constant(sort, element))
            }
            Word::Bits(value) => {
                let n_copies = formulas.size(sort)? / value.len().max(1);
                Word::Bits(value.repeat(n_copies))
            }
            memory => memory,
        })
    }

    /// The value of an operation on large arrays; `None` if it is none.
    fn memory(&self, formulas: &mut Formulas, node: &Node, operator: Operator) -> Option<Word> {
        let Formulas {
            gates, memories, ..
        } = formulas;
        let arguments = node.arguments();
        let memory = |at: usize| match arguments.get(at).map(|of| &self.nodes[of.node as usize]) {
            Some(Word::Memory(memory)) => Some(*memory),
            _ => None,
        };
        Some(match operator {
            Operator::Read => Word::Bits(memories.read(gates, memory(0)?, &self.at(arguments[1]))),
            Operator::Write => {
                let (index, element) = (self.at(arguments[1]), self.at(arguments[2]));
                Word::Memory(memories.write(memory(0)?, index, element))
            }
            Operator::Ite => {
                let condition = self.bit(arguments[0]);
                Word::Memory(memories.choice(condition, memory(1)?, memory(2)?))
            }
            Operator::Eq | Operator::Neq => {
                let equal = memories.same(gates, memory(0)?, memory(1)?);
                Word::Bits(vec![equal ^ Gate::from(operator == Operator::Neq)])
            }
            _ => return None,
        })
    }

    fn apply(&self, gates: &mut Gates, node: &Node, operator: Operator) -> Result<Bits, TooLarge> {
        use Operator as O;
        let x = self.at(node.arguments()[0]);
        let y = node
            .arguments()
            .get(1)
            .map_or_else(Vec::new, |&y| self.at(y));
        let z = node
            .arguments()
            .get(2)
            .map_or_else(Vec::new, |&z| self.at(z));
        let width = x.len();
        let quadratic = matches!(
            operator,
            O::Mul | O::Umulo | O::Smulo | O::Udiv | O::Urem | O::Sdiv | O::Srem | O::Smod
        );
        if quadratic && (width as u64).pow(2) > MOST_BITS {
            return Err(TooLarge);
        }
        let element = match self.model.node(node.arguments()[0]).sort {
            Sort::Array { element, .. } => element as usize,
            Sort::BitVector(_) => 1,
        };
        let zero = vec![Gates::FALSE; width];
        Ok(match operator {
            O::Uext(by) => extend(&x, width + by as usize, Gates::FALSE),
            O::Sext(by) => extend(&x, width + by as usize, sign(&x)),
            O::Slice(upper, lower) => x[lower as usize..=upper as usize].to_vec(),
            O::Not => not(x),
            O::Inc => add(gates, &x, &zero, Gates::TRUE),
            O::Dec => add(gates, &x, &not(zero), Gates::FALSE),
            O::Neg => add(gates, &zero, &not(x), Gates::TRUE),
            O::Redand => vec![all(gates, x)],
            O::Redor => vec![all(gates, not(x)) ^ 1],
            O::Redxor => vec![
                x.into_iter()
                    .fold(Gates::FALSE, |odd, bit| xor(gates, odd, bit)),
            ],
            O::Iff | O::Eq => vec![same_bits(gates, &x, &y)],
            O::Neq => vec![same_bits(gates, &x, &y) ^ 1],
            O::Implies => vec![gates.or(x[0] ^ 1, y[0])],
            O::Ult => vec![less(gates, &x, &y)],
            O::Ugt => vec![less(gates, &y, &x)],
            O::Ulte => vec![less(gates, &y, &x) ^ 1],
            O::Ugte => vec![less(gates, &x, &y) ^ 1],
            O::Slt => vec![signed_less(gates, x, y)],
            O::Sgt => vec![signed_less(gates, y, x)],
            O::Slte => vec![signed_less(gates, y, x) ^ 1],
            O::Sgte => vec![signed_less(gates, x, y) ^ 1],
            O::And => bitwise(x, &y, |x, y| gates.and(x, y)),
            O::Nand => bitwise(x, &y, |x, y| gates.and(x, y) ^ 1),
            O::Or => bitwise(x, &y, |x, y| gates.or(x, y)),
            O::Nor => bitwise(x, &y, |x, y| gates.or(x, y) ^ 1),
            O::Xor => bitwise(x, &y, |x, y| gates.iff(x, y) ^ 1),
            O::Xnor => bitwise(x, &y, |x, y| gates.iff(x, y)),
            O::Rol => rotate(gates, x, &y, <[Gate]>::rotate_right),
            O::Ror => rotate(gates, x, &y, <[Gate]>::rotate_left),
            O::Sll => {
                let reversed: Bits = x.into_iter().rev().collect();
                let shifted = shift(gates, reversed, &y, Gates::FALSE);
                shifted.into_iter().rev().collect()
            }
            O::Srl => shift(gates, x, &y, Gates::FALSE),
            O::Sra => {
                let fill = sign(&x);
                shift(gates, x, &y, fill)
            }
            O::Add => add(gates, &x, &y, Gates::FALSE),
            O::Sub => add(gates, &x, &not(y), Gates::TRUE),
            O::Mul => multiply(gates, &x, &y),
            O::Udiv => divide(gates, &x, &y).0,
            O::Urem => divide(gates, &x, &y).1,
            O::Sdiv | O::Srem | O::Smod => signed_division(gates, operator, &x, &y),
            O::Uaddo | O::Saddo | O::Usubo | O::Ssubo | O::Umulo | O::Smulo => {
                vec![overflows(gates, operator, &x, &y)]
            }
            O::Sdivo => {
                let mut least = not(x);
                least[width - 1] ^= 1;
                least.extend(y);
                vec![all(gates, least)]
            }
            O::Concat => [y, x].concat(),
            O::Ite => choose(gates, x[0], &y, &z),
            O::Read => read(gates, &x, &y, element),
            O::Write => write(gates, &x, &y, &z, element),
        })
    }
}
