//! Small circuits for functions of four variables.
//!
//! A function is decomposed in several ways: by a variable that is an operand of a top AND, OR or XOR, by a
//! variable whose cofactors imply one another, by Shannon's expansion, and by a pair of variables on which
//! the function depends only through one function of the two (R. Ashenhurst, "The decomposition of switching
//! functions", 1957). The parts have fewer variables, so the recursion is at most four levels deep. The
//! cheapest circuit found is cached.

use std::collections::HashMap;

use super::cuts::{COLUMNS, MAX_LEAVES};

/// An edge within a [`Program`]: 0 is false, 1 true, `2 + 2 * i` variable `i`, `10 + 2 * j` gate `j`; one
/// more negates.
pub(super) type Code = u8;

/// The code of the first gate.
pub(super) const FIRST_GATE: Code = 2 + 2 * MAX_LEAVES as Code;

/// A circuit of ANDs over four variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Program {
    /// The operands of each gate, which are constants, variables or earlier gates.
    pub(super) gates: Vec<[Code; 2]>,
    /// The result.
    pub(super) root: Code,
}

impl Program {
    /// The conjunction of two codes: an existing gate if there is one.
    fn and(&mut self, left: Code, right: Code) -> Code {
        let (left, right) = (left.min(right), left.max(right));
        match (left, right) {
            (0, _) => 0,
            (1, right) => right,
            (left, right) if left == right => left,
            (left, right) if left == right ^ 1 => 0,
            operands => {
                let key = [operands.0, operands.1];
                let old = self.gates.iter().position(|gate| *gate == key);
                let index = old.unwrap_or_else(|| {
                    self.gates.push(key);
                    self.gates.len() - 1
                });
                FIRST_GATE + 2 * index as Code
            }
        }
    }

    fn or(&mut self, left: Code, right: Code) -> Code {
        self.and(left ^ 1, right ^ 1) ^ 1
    }

    fn ite(&mut self, condition: Code, then: Code, otherwise: Code) -> Code {
        let yes = self.and(condition, then);
        let no = self.and(condition ^ 1, otherwise);
        self.or(yes, no)
    }

    /// Adds the gates of another circuit; returns its result.
    fn import(&mut self, other: &Self) -> Code {
        let mut images: Vec<Code> = (0..FIRST_GATE).step_by(2).collect();
        let image = |images: &[Code], code: Code| images[usize::from(code / 2)] ^ (code & 1);
        for &[left, right] in &other.gates {
            let both = self.and(image(&images, left), image(&images, right));
            images.push(both);
        }
        image(&images, other.root)
    }
}

/// Circuits for the functions requested so far.
#[derive(Default)]
pub(super) struct Synthesis {
    /// By truth table; only functions that are false in row 0.
    programs: HashMap<u16, Program>,
}

/// How a function is composed of smaller ones.
enum Decomposition {
    /// If the first, then the second, else the third.
    Ite(u16, u16, u16),
    /// The third, or both of the others.
    AndOr(u16, u16, u16),
    And(u16, u16),
    Or(u16, u16),
}

impl Synthesis {
    /// A circuit for a truth table.
    pub(super) fn program(&mut self, table: u16) -> Program {
        let is_negated = table & 1 == 1;
        let table = if is_negated { !table } else { table };
        if !self.programs.contains_key(&table) {
            let program = self.find(table);
            self.programs.insert(table, program);
        }
        let mut program = self.programs[&table].clone();
        program.root ^= Code::from(is_negated);
        program
    }

    /// The cheapest circuit for a function that is false in row 0. Its parts have fewer variables.
    fn find(&mut self, table: u16) -> Program {
        let leaf = |index: usize| Program {
            gates: Vec::new(),
            root: 2 + 2 * index as Code,
        };
        if table == 0 {
            return Program::default();
        }
        if let Some(index) = COLUMNS.iter().position(|&column| column == table) {
            return leaf(index);
        }
        let build = |decomposition| self.build(&decomposition);
        let all = decompositions(table).into_iter().map(build);
        all.min_by_key(|program| program.gates.len())
            .expect("Shannon's expansion is always there")
    }

    fn build(&mut self, decomposition: &Decomposition) -> Program {
        let mut whole = Program::default();
        let mut part = |whole: &mut Program, table| {
            let part = self.program(table);
            whole.import(&part)
        };
        whole.root = match *decomposition {
            Decomposition::And(left, right) => {
                let left = part(&mut whole, left);
                let right = part(&mut whole, right);
                whole.and(left, right)
            }
            Decomposition::Or(left, right) => {
                let left = part(&mut whole, left);
                let right = part(&mut whole, right);
                whole.or(left, right)
            }
            Decomposition::AndOr(left, right, or) => {
                let left = part(&mut whole, left);
                let right = part(&mut whole, right);
                let or = part(&mut whole, or);
                let both = whole.and(left, right);
                whole.or(both, or)
            }
            Decomposition::Ite(condition, then, otherwise) => {
                let condition = part(&mut whole, condition);
                let then = part(&mut whole, then);
                let otherwise = part(&mut whole, otherwise);
                whole.ite(condition, then, otherwise)
            }
        };
        whole
    }
}

/// The function with variable `index` set to 0 and to 1.
fn cofactors(table: u16, index: usize) -> [u16; 2] {
    let (column, shift) = (COLUMNS[index], 1 << index);
    let (low, high) = (table & !column, table & column);
    [low | low << shift, high | high >> shift]
}

/// The decompositions of a function of at least two variables into functions of fewer variables.
fn decompositions(table: u16) -> Vec<Decomposition> {
    let support: Vec<usize> = (0..MAX_LEAVES)
        .filter(|&index| {
            let [low, high] = cofactors(table, index);
            low != high
        })
        .collect();
    let mut all = Vec::new();
    for &index in &support {
        let column = COLUMNS[index];
        let [low, high] = cofactors(table, index);
        if low & !high == 0 {
            all.push(monotone(column, low, high));
        } else if high & !low == 0 {
            all.push(monotone(!column, high, low));
        } else {
            all.push(Decomposition::Ite(column, high, low));
        }
    }
    if support.len() > 2 {
        for (at, &first) in support.iter().enumerate() {
            for &second in &support[at + 1..] {
                all.extend(through_a_pair(table, first, second));
            }
        }
    }
    all
}

/// `high` where the condition holds and `low`, which implies `high`, elsewhere: an OR instead of a choice.
fn monotone(condition: u16, low: u16, high: u16) -> Decomposition {
    if low == 0 {
        Decomposition::And(condition, high)
    } else if high == u16::MAX {
        Decomposition::Or(condition, low)
    } else {
        Decomposition::AndOr(condition, high, low)
    }
}

/// Where two variables matter only through one function of theirs.
fn through_a_pair(table: u16, first: usize, second: usize) -> Option<Decomposition> {
    let mut values = [0; 4];
    for (row, value) in values.iter_mut().enumerate() {
        *value = cofactors(cofactors(table, first)[row & 1], second)[row >> 1];
    }
    let low = values[0];
    let high = *values.iter().find(|&&value| value != low)?;
    if values.iter().any(|&value| value != low && value != high) {
        return None;
    }
    let (left, right) = (COLUMNS[first], COLUMNS[second]);
    let mut condition = 0;
    for (row, &value) in values.iter().enumerate() {
        if value == high {
            let left = if row & 1 == 1 { left } else { !left };
            let right = if row >> 1 == 1 { right } else { !right };
            condition |= left & right;
        }
    }
    Some(if low & !high == 0 {
        monotone(condition, low, high)
    } else if high & !low == 0 {
        monotone(!condition, high, low)
    } else {
        Decomposition::Ite(condition, high, low)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table_of(program: &Program) -> u16 {
        let mut tables = vec![0];
        tables.extend(COLUMNS);
        let value = |tables: &[u16], code: Code| {
            tables[usize::from(code / 2)] ^ if code & 1 == 1 { u16::MAX } else { 0 }
        };
        for &[left, right] in &program.gates {
            let both = value(&tables, left) & value(&tables, right);
            tables.push(both);
        }
        value(&tables, program.root)
    }

    #[test]
    fn every_function_gets_a_circuit_that_is_it() {
        let mut synthesis = Synthesis::default();
        for table in 0..=u16::MAX {
            assert_eq!(table_of(&synthesis.program(table)), table, "{table:04x}");
        }
        let most = synthesis
            .programs
            .values()
            .map(|program| program.gates.len());
        // The worst function of four variables needs no more than that by Shannon's expansion alone.
        assert!(most.max().unwrap() <= 15);
    }

    #[test]
    fn known_functions_are_cheap() {
        let mut synthesis = Synthesis::default();
        let [a, b, c, d] = COLUMNS;
        for (table, n_gates) in [
            (a & b & c & d, 3),
            (a | !b | c | d, 3),
            (a ^ b, 3),
            (a ^ b ^ c ^ d, 9),
            ((a & b) | (c & d), 3),
            ((a ^ b) & (c ^ d), 7),
            ((a & c) | (!a & d), 3),
            // A majority, which shares (a or b).
            ((a & b) | (c & (a | b)), 4),
        ] {
            let found = synthesis.program(table).gates.len();
            assert!(found <= n_gates, "{table:04x}: {found} gates");
        }
    }
}
