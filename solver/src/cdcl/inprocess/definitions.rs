//! Definitions of variables by gates, found by their function and inputs, while variables are merged.
//!
//! The table does not know the clauses of a gate: those are looked up when two gates turn out to have the
//! same function and inputs, so that clauses may be removed and shortened meanwhile.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::gates::Function;
use super::lists::Lists;
use crate::lit::{Lit, Var};

/// A definition of the output as a function of literals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) function: Function,
    pub(super) output: Lit,
    pub(super) inputs: Vec<Lit>,
}

impl Definition {
    /// The definition with its inputs in a fixed order and with as few negations as possible; `None` if a
    /// variable occurs twice.
    pub(super) fn normalized(mut self) -> Option<Self> {
        let is_normal = normalize(self.function, &mut self.output, &mut self.inputs);
        is_normal.then_some(self)
    }

    /// The sizes of the clauses that say so: of a conjunction first that of the one with all inputs.
    pub(super) fn clause_sizes(&self) -> impl Iterator<Item = usize> {
        let (first, others) = match self.function {
            Function::And => (self.inputs.len() + 1, 2),
            Function::Parity => (self.inputs.len() + 1, self.inputs.len() + 1),
            Function::Choice => (3, 3),
        };
        std::iter::once(first).chain(std::iter::repeat(others))
    }

    /// For an exclusive or or an if-then-else, the clauses that say so. Of an exclusive or, clause number `i`
    /// contains input number `k` negated if bit `k` of `i` is set.
    pub(super) fn clauses(&self) -> Vec<Vec<Lit>> {
        let (output, inputs) = (self.output, &self.inputs[..]);
        match (self.function, inputs) {
            (Function::Parity, _) => (0..1_usize << inputs.len())
                .map(|negated| {
                    let signed = inputs.iter().enumerate();
                    let lits = signed.map(|(k, lit)| lit.negate_if(negated >> k & 1 == 1));
                    let is_even = negated.count_ones().is_multiple_of(2);
                    lits.chain([output.negate_if(is_even)]).collect()
                })
                .collect(),
            (Function::Choice, &[condition, then, otherwise]) => vec![
                vec![output, !condition, !then],
                vec![!output, !condition, then],
                vec![output, condition, !otherwise],
                vec![!output, condition, otherwise],
            ],
            _ => unreachable!("conjunctions are looked up otherwise"),
        }
    }
}

/// See [`Definition::normalized`]; `false` if a variable occurs twice.
fn normalize(function: Function, output: &mut Lit, inputs: &mut [Lit]) -> bool {
    match function {
        Function::And => inputs.sort_unstable(),
        Function::Parity => {
            for lit in &mut *inputs {
                *output = output.negate_if(lit.is_negated());
                *lit = lit.var().positive();
            }
            inputs.sort_unstable();
        }
        Function::Choice => {
            if inputs[0].is_negated() {
                inputs[0] = !inputs[0];
                inputs.swap(1, 2);
            }
            if inputs[1].is_negated() {
                inputs[1] = !inputs[1];
                inputs[2] = !inputs[2];
                *output = !*output;
            }
        }
    }
    let clashes = |(place, lit): (usize, &Lit)| {
        let is_it = |other: &Lit| other.var() == lit.var();
        match function {
            Function::Choice => inputs[..place].iter().any(is_it),
            _ => place > 0 && is_it(&inputs[place - 1]),
        }
    };
    !inputs.iter().any(|lit| lit.var() == output.var()) && !inputs.iter().enumerate().any(clashes)
}

/// A stored definition; its inputs are in [`Definitions::inputs`].
#[derive(Clone, Copy, Debug)]
struct Slot {
    function: Function,
    output: Lit,
    start: u32,
    n_inputs: u32,
    is_live: bool,
}

/// A number for a literal whose bits depend on all bits of its code.
fn mixed(lit: Lit) -> u64 {
    let product = (u64::from(lit.code()) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 29
}

/// All definitions.
pub(super) struct Definitions {
    slots: Vec<Slot>,
    /// The inputs of all definitions, in one block of memory.
    inputs: Vec<Lit>,
    /// By the hash of function and inputs. A definition whose hash another one has by chance is dropped.
    table: HashMap<u64, u32>,
    /// By positive literal: the definitions that mention its variable.
    uses: Lists<u32>,
    /// Pairs of definitions of the same function and inputs, the first found first.
    pairs: std::collections::VecDeque<[u32; 2]>,
}

impl Definitions {
    /// No definitions over `n_vars` variables.
    pub(super) fn new(n_vars: usize) -> Self {
        Self {
            slots: Vec::new(),
            inputs: Vec::new(),
            table: HashMap::new(),
            uses: Lists::new(2 * n_vars),
            pairs: std::collections::VecDeque::new(),
        }
    }

    /// Adds a normalized definition.
    pub(super) fn add(&mut self, definition: &Definition) {
        let index = self.slots.len() as u32;
        self.slots.push(Slot {
            function: definition.function,
            output: definition.output,
            start: self.inputs.len() as u32,
            n_inputs: definition.inputs.len() as u32,
            is_live: true,
        });
        self.inputs.extend_from_slice(&definition.inputs);
        for lit in definition.inputs.iter().chain([&definition.output]) {
            self.uses.push(lit.var().positive(), index);
        }
        self.enter(index);
    }

    /// How many definitions were added.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// The number of gates behind the definitions. Those that share their clauses are one gate if they are of one exclusive
    /// or, and none if they are conjunctions: then a constraint says that exactly one of some literals holds.
    pub(super) fn n_gates(&self) -> usize {
        // By the hash of the long clause, which does not depend on the order of its literals.
        let mut conjunctions: HashMap<u64, u32> = HashMap::new();
        let mut n_gates = 0;
        // By the number of inputs; each exclusive or has a definition for each of its variables.
        let mut parities: HashMap<usize, usize> = HashMap::new();
        for (index, slot) in self.slots.iter().enumerate() {
            let inputs = self.inputs(index as u32);
            match slot.function {
                Function::And => {
                    let long = inputs.iter().map(|&lit| !lit).chain([slot.output]);
                    let hash = long.fold(0, |hash: u64, lit| hash.wrapping_add(mixed(lit)));
                    *conjunctions.entry(hash).or_default() += 1;
                }
                Function::Choice => n_gates += 1,
                Function::Parity => *parities.entry(inputs.len()).or_default() += 1,
            }
        }
        let parities = parities.iter().map(|(inputs, count)| count / (inputs + 1));
        let alone = conjunctions.values().filter(|&&count| count == 1);
        n_gates + parities.sum::<usize>() + alone.count()
    }

    /// Two definitions of the same function and inputs with different outputs. The second one is dropped.
    pub(super) fn next_pair(&mut self) -> Option<[u32; 2]> {
        while let Some([first, second]) = self.pairs.pop_front() {
            if !self.is_live(second) {
                continue;
            }
            if !self.is_live(first) {
                self.enter(second);
                continue;
            }
            if self.inputs(first) != self.inputs(second) {
                continue;
            }
            self.forget(second);
            let [left, right] = [first, second].map(|index| self.slots[index as usize].output);
            if left != right {
                return Some([first, second]);
            }
        }
        None
    }

    /// Drops a definition.
    pub(super) fn forget(&mut self, index: u32) {
        self.slots[index as usize].is_live = false;
    }

    /// How many definitions, dropped ones included, mention a variable.
    pub(super) fn n_uses(&self, var: Var) -> u64 {
        self.uses.len(var.positive()) as u64
    }

    /// Replaces a variable by a literal. Returns the outputs of the definitions that are no longer normal.
    pub(super) fn rename(&mut self, from: Var, to: Lit) -> Vec<Var> {
        let renamed = |lit: Lit| match lit.var() == from {
            true => to.negate_if(lit.is_negated()),
            false => lit,
        };
        let mut lost = Vec::new();
        for index in self.uses.take(from.positive()) {
            if !self.is_live(index) {
                continue;
            }
            self.leave(index);
            let slot = &mut self.slots[index as usize];
            let inputs = &mut self.inputs[slot.start as usize..][..slot.n_inputs as usize];
            slot.output = renamed(slot.output);
            for lit in &mut *inputs {
                *lit = renamed(*lit);
            }
            if normalize(slot.function, &mut slot.output, inputs) {
                self.uses.push(to.var().positive(), index);
                self.enter(index);
            } else {
                slot.is_live = false;
                lost.push(slot.output.var());
            }
        }
        lost
    }

    fn is_live(&self, index: u32) -> bool {
        self.slots[index as usize].is_live
    }

    fn inputs(&self, index: u32) -> &[Lit] {
        let slot = self.slots[index as usize];
        &self.inputs[slot.start as usize..][..slot.n_inputs as usize]
    }

    /// A definition.
    pub(super) fn get(&self, index: u32) -> Definition {
        let slot = self.slots[index as usize];
        Definition {
            function: slot.function,
            output: slot.output,
            inputs: self.inputs(index).to_vec(),
        }
    }

    fn hash(&self, index: u32) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.slots[index as usize].function, self.inputs(index)).hash(&mut hasher);
        hasher.finish()
    }

    /// Enters a definition in the table, or pairs it with the one that is there.
    fn enter(&mut self, index: u32) {
        let other = match self.table.entry(self.hash(index)) {
            Entry::Vacant(entry) => {
                entry.insert(index);
                return;
            }
            Entry::Occupied(mut entry) => {
                let other = *entry.get();
                if !self.slots[other as usize].is_live {
                    entry.insert(index);
                    return;
                }
                other
            }
        };
        let is_same = self.slots[other as usize].function == self.slots[index as usize].function
            && self.inputs(other) == self.inputs(index);
        if is_same && other != index {
            self.pairs.push_back([other, index]);
        } else if !is_same {
            self.slots[index as usize].is_live = false;
        }
    }

    /// Takes a definition out of the table.
    fn leave(&mut self, index: u32) {
        if let Entry::Occupied(entry) = self.table.entry(self.hash(index))
            && *entry.get() == index
        {
            entry.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_aig::Random;

    impl Definition {
        /// Whether the output is the function of the inputs under an assignment, one bit for each variable.
        fn holds(&self, bits: usize) -> bool {
            let value = |lit: &Lit| (bits >> lit.var().index() & 1 == 1) != lit.is_negated();
            let inputs: Vec<bool> = self.inputs.iter().map(value).collect();
            let expected = match self.function {
                Function::And => inputs.iter().all(|&input| input),
                Function::Parity => inputs.iter().filter(|&&input| input).count() % 2 == 1,
                Function::Choice => inputs[if inputs[0] { 1 } else { 2 }],
            };
            value(&self.output) == expected
        }
    }

    fn random_definition(random: &mut Random, n_vars: usize) -> Definition {
        let function = [Function::And, Function::Parity, Function::Choice][random.below(3)];
        let n_inputs = match function {
            Function::Choice => 3,
            _ => 2 + random.below(3),
        };
        let mut lit = || Var::new(random.below(n_vars)).lit(random.flip());
        Definition {
            function,
            output: lit(),
            inputs: (0..n_inputs).map(|_| lit()).collect(),
        }
    }

    #[test]
    fn normalized_definitions_and_their_clauses_say_the_same() {
        let mut random = Random::new(3);
        let mut n_normal = 0;
        for _ in 0..3000 {
            let definition = random_definition(&mut random, 7);
            let Some(normal) = definition.clone().normalized() else {
                let mut vars: Vec<Var> = definition.inputs.iter().map(|lit| lit.var()).collect();
                vars.push(definition.output.var());
                vars.sort_unstable();
                assert!(vars.windows(2).any(|pair| pair[0] == pair[1]));
                continue;
            };
            n_normal += 1;
            let clauses = match normal.function {
                Function::And => Vec::new(),
                _ => normal.clauses(),
            };
            for bits in 0..1 << 7 {
                assert_eq!(definition.holds(bits), normal.holds(bits));
                let is_true = |lit: &Lit| (bits >> lit.var().index() & 1 == 1) != lit.is_negated();
                let satisfied = clauses.iter().all(|clause| clause.iter().any(is_true));
                assert!(normal.function == Function::And || satisfied == normal.holds(bits));
            }
        }
        assert!(n_normal > 500, "{n_normal}");
    }

    /// Renaming keeps pairs together: the definitions with the same function and inputs after a renaming are
    /// those that are paired, if they are not paired before.
    #[test]
    fn equal_definitions_are_paired_after_each_renaming() {
        let mut random = Random::new(4);
        let mut n_pairs = 0;
        for _ in 0..300 {
            let n_vars = 12;
            let mut definitions = Definitions::new(n_vars);
            for _ in 0..40 {
                if let Some(normal) = random_definition(&mut random, n_vars).normalized() {
                    definitions.add(&normal);
                }
            }
            for from in (6..n_vars).rev() {
                while let Some(pair) = definitions.next_pair() {
                    let [first, second] = pair.map(|index| definitions.get(index));
                    assert_eq!(
                        (first.function, &first.inputs),
                        (second.function, &second.inputs)
                    );
                    assert_ne!(first.output, second.output);
                    n_pairs += 1;
                }
                let to = Var::new(random.below(from)).lit(random.flip());
                definitions.rename(Var::new(from), to);
                for index in 0..definitions.len() as u32 {
                    let definition = definitions.get(index);
                    let lits = definition.inputs.iter().chain([&definition.output]);
                    assert!(
                        !definitions.is_live(index)
                            || lits.into_iter().all(|lit| lit.var().index() < from)
                    );
                }
            }
            while definitions.next_pair().is_some() {}
            let mut live: Vec<Definition> = (0..definitions.len() as u32)
                .filter(|&index| definitions.is_live(index))
                .map(|index| definitions.get(index))
                .collect();
            live.sort_unstable_by_key(|it| (it.inputs.clone(), it.function as u8));
            let same = live.windows(2).any(|pair| {
                pair[0].inputs == pair[1].inputs && pair[0].function == pair[1].function
            });
            assert!(!same, "{live:?}");
        }
        assert!(n_pairs > 20, "{n_pairs}");
    }
}
