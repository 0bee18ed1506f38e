//! Large arrays of the certifier, as symbols: their elements are variables where they are read.
//!
//! A read leads through writes and choices to an array without a definition, whose element is a fresh
//! variable. Axioms state that elements at equal indices are equal, that arrays that differ do so at some index, and
//! that arrays that are equal have equal elements at all indices that are mentioned. All of them hold for
//! functions, so that a refutation with them is one for arrays.

use std::collections::HashMap;

use craig_certify::{Gate, Gates};
use craig_word::Sort;

use super::bits::{Bits, choose, same_bits};

/// A position in [`Memories::nodes`].
pub(super) type Memory = u32;

#[derive(Clone, PartialEq, Eq, Hash)]
enum Definition {
    /// Any array; the number tells apart.
    Free(u32),
    /// One element at every index.
    Constant(Bits),
    Write {
        array: Memory,
        index: Bits,
        element: Bits,
    },
    Choice {
        condition: Gate,
        then: Memory,
        otherwise: Memory,
    },
}

/// The arrays of all steps.
#[derive(Default)]
pub(super) struct Memories {
    nodes: Vec<(Sort, Definition)>,
    table: HashMap<(Sort, Definition), Memory>,
    n_free: u32,
    /// The elements that were read.
    reads: HashMap<(Memory, Bits), Bits>,
    /// The indices at which each free array was read.
    read_at: HashMap<Memory, Vec<(Bits, Bits)>>,
    /// All indices of each width.
    indices: HashMap<u32, Vec<Bits>>,
    /// Comparisons: the result, both arrays, and the number of indices for which the axioms are there.
    comparisons: Vec<(Gate, Memory, Memory, usize)>,
    compared: HashMap<(Memory, Memory), Gate>,
    axioms: Vec<Gate>,
}

impl Memories {
    fn add(&mut self, sort: Sort, definition: Definition) -> Memory {
        let key = (sort, definition);
        if let Some(&memory) = self.table.get(&key) {
            return memory;
        }
        let memory = self.nodes.len() as Memory;
        self.nodes.push(key.clone());
        self.table.insert(key, memory);
        memory
    }

    fn element_width(&self, memory: Memory) -> u32 {
        match self.nodes[memory as usize].0 {
            Sort::Array { element, .. } => element,
            Sort::BitVector(width) => width,
        }
    }

    fn index_width(&self, memory: Memory) -> u32 {
        match self.nodes[memory as usize].0 {
            Sort::Array { index, .. } => index,
            Sort::BitVector(_) => 0,
        }
    }

    /// A fresh array.
    pub(super) fn free(&mut self, sort: Sort) -> Memory {
        self.n_free += 1;
        self.add(sort, Definition::Free(self.n_free))
    }

    /// The array with one element everywhere.
    pub(super) fn constant(&mut self, sort: Sort, element: Bits) -> Memory {
        self.add(sort, Definition::Constant(element))
    }

    /// The array with an element replaced.
    pub(super) fn write(&mut self, array: Memory, index: Bits, element: Bits) -> Memory {
        self.mention(index.clone());
        let sort = self.nodes[array as usize].0;
        let definition = Definition::Write {
            array,
            index,
            element,
        };
        self.add(sort, definition)
    }

    /// A choice between arrays.
    pub(super) fn choice(&mut self, condition: Gate, then: Memory, otherwise: Memory) -> Memory {
        match condition {
            _ if then == otherwise => then,
            Gates::TRUE => then,
            Gates::FALSE => otherwise,
            _ => {
                let sort = self.nodes[then as usize].0;
                let definition = Definition::Choice {
                    condition,
                    then,
                    otherwise,
                };
                self.add(sort, definition)
            }
        }
    }

    fn mention(&mut self, index: Bits) {
        let indices = self.indices.entry(index.len() as u32).or_default();
        if !indices.contains(&index) {
            indices.push(index);
        }
    }

    /// The element at an index.
    pub(super) fn read(&mut self, gates: &mut Gates, array: Memory, index: &Bits) -> Bits {
        self.mention(index.clone());
        // Operands have smaller numbers.
        let mut open = vec![array];
        let mut seen = Vec::new();
        while let Some(memory) = open.pop() {
            if self.reads.contains_key(&(memory, index.clone())) || seen.contains(&memory) {
                continue;
            }
            seen.push(memory);
            match &self.nodes[memory as usize].1 {
                Definition::Free(_) | Definition::Constant(_) => {}
                Definition::Write { array, .. } => open.push(*array),
                Definition::Choice {
                    then, otherwise, ..
                } => open.extend([*then, *otherwise]),
            }
        }
        seen.sort_unstable();
        for memory in seen {
            let below = |reads: &HashMap<(Memory, Bits), Bits>, of: Memory| -> Bits {
                reads[&(of, index.clone())].clone()
            };
            let element = match self.nodes[memory as usize].1.clone() {
                Definition::Constant(element) => element,
                Definition::Free(_) => self.read_free(gates, memory, index),
                Definition::Write {
                    array,
                    index: at,
                    element,
                } => {
                    let is_it = same_bits(gates, &at, index);
                    choose(gates, is_it, &element, &below(&self.reads, array))
                }
                Definition::Choice {
                    condition,
                    then,
                    otherwise,
                } => {
                    let (then, otherwise) =
                        (below(&self.reads, then), below(&self.reads, otherwise));
                    choose(gates, condition, &then, &otherwise)
                }
            };
            self.reads.insert((memory, index.clone()), element);
        }
        self.reads[&(array, index.clone())].clone()
    }

    /// A variable, equal to those at equal indices.
    fn read_free(&mut self, gates: &mut Gates, array: Memory, index: &Bits) -> Bits {
        let width = self.element_width(array);
        let element: Bits = (0..width).map(|_| gates.fresh()).collect();
        let others = self.read_at.entry(array).or_default();
        for (at, other) in others.iter() {
            let is_it = same_bits(gates, at, index);
            if is_it != Gates::FALSE {
                let equal = same_bits(gates, other, &element);
                self.axioms.push(gates.or(is_it ^ 1, equal));
            }
        }
        others.push((index.clone(), element.clone()));
        element
    }

    /// Whether two arrays are equal.
    pub(super) fn same(&mut self, gates: &mut Gates, left: Memory, right: Memory) -> Gate {
        if left == right {
            return Gates::TRUE;
        }
        let key = (left.min(right), left.max(right));
        if let Some(&gate) = self.compared.get(&key) {
            return gate;
        }
        let is_equal = gates.fresh();
        let witness: Bits = (0..self.index_width(left)).map(|_| gates.fresh()).collect();
        let elements = [left, right].map(|array| self.read(gates, array, &witness));
        let equal = same_bits(gates, &elements[0], &elements[1]);
        self.axioms.push(gates.or(is_equal, equal ^ 1));
        self.comparisons.push((is_equal, left, right, 0));
        self.compared.insert(key, is_equal);
        is_equal
    }

    /// The axioms about everything so far.
    pub(super) fn axioms(&mut self, gates: &mut Gates) -> Vec<Gate> {
        // Reads at known indices mention no new ones.
        for number in 0..self.comparisons.len() {
            let (is_equal, left, right, n_done) = self.comparisons[number];
            let width = self.index_width(left);
            let indices = self.indices.get(&width).cloned().unwrap_or_default();
            for index in &indices[n_done..] {
                let elements = [left, right].map(|array| self.read(gates, array, index));
                let equal = same_bits(gates, &elements[0], &elements[1]);
                self.axioms.push(gates.or(is_equal ^ 1, equal));
            }
            self.comparisons[number].3 = indices.len();
        }
        self.axioms.clone()
    }
}
