//! Random small systems, for tests.

use std::collections::HashMap;

use craig_aig::Random;
use craig_word::{Op, Sort, Term};

use super::{WordState, WordSystem};

const OPS: [Op; 15] = [
    Op::Mul,
    Op::UDiv,
    Op::URem,
    Op::SDiv,
    Op::SRem,
    Op::Mul,
    Op::And,
    Op::Xor,
    Op::Add,
    Op::Sub,
    Op::Shl,
    Op::LShr,
    Op::AShr,
    Op::Mul,
    Op::UDiv,
];

/// Random terms over the states and inputs of a system.
struct Generator {
    random: Random,
    system: WordSystem,
    /// Words of the width of the system, and memories.
    words: Vec<Term>,
    bits: Vec<Term>,
    memories: Vec<Term>,
    width: u32,
}

impl Generator {
    fn pick(&mut self, list: fn(&Self) -> &Vec<Term>) -> Term {
        let n = list(self).len();
        // The later half is preferred.
        let skip = if self.random.below(2) == 0 { n / 2 } else { 0 };
        let at = skip + self.random.below(n - skip);
        list(self)[at]
    }

    fn grow(&mut self) {
        let (x, y) = (self.pick(|it| &it.words), self.pick(|it| &it.words));
        let bit = self.pick(|it| &it.bits);
        let width = self.width;
        let choice = self.random.below(12);
        let op = OPS[self.random.below(OPS.len())];
        let terms = &mut self.system.terms;
        match choice {
            0..=4 => {
                let word = terms.binary(op, x, y);
                self.words.push(word);
            }
            5 => {
                let equal = terms.eq(x, y);
                self.bits.push(equal);
            }
            6 => {
                let less = if op == Op::Mul {
                    terms.slt(x, y)
                } else {
                    terms.ult(x, y)
                };
                self.bits.push(less);
            }
            7 => {
                let word = terms.ite(bit, x, y);
                self.words.push(word);
            }
            8 => {
                let by = 1 + self.random.below(width as usize - 1) as u32;
                let (high, low) = (
                    terms.extract(x, 0, width - by),
                    terms.extract(y, width - by, by),
                );
                let word = terms.concat(high, low);
                self.words.push(word);
            }
            9 => {
                let not = terms.not(x);
                let low = terms.extract(x, 0, 1);
                self.words.push(not);
                self.bits.push(low);
            }
            10 if !self.memories.is_empty() => {
                let memory = self.pick(|it| &it.memories);
                let word = self.system.terms.select(memory, x);
                self.words.push(word);
            }
            11 if !self.memories.is_empty() => {
                let memory = self.pick(|it| &it.memories);
                let written = self.system.terms.store(memory, x, y);
                let kept = self.system.terms.ite(bit, written, memory);
                self.memories.push(kept);
            }
            _ => {
                let part = terms.extract(x, 0, 1);
                let other = terms.and(part, bit);
                self.bits.push(other);
            }
        }
    }

    fn new(seed: u64, least_width: u32) -> Self {
        let mut it = Self {
            random: Random::new(seed),
            system: WordSystem::default(),
            words: Vec::new(),
            bits: Vec::new(),
            memories: Vec::new(),
            width: 2,
        };
        it.width = least_width + it.random.below(2) as u32;
        for value in [0, 1, 2] {
            let constant = it.system.terms.constant(value, it.width);
            it.words.push(constant);
        }
        let truth = it.system.terms.boolean(true);
        it.bits.push(truth);
        it
    }

    /// The variables of the states, with their first values.
    fn states(&mut self) -> Vec<(Term, Option<Term>)> {
        let width = self.width;
        let array = Sort::Array {
            index: width,
            element: width,
        };
        let mut states: Vec<(Term, Option<Term>)> = Vec::new();
        for number in 0..3 + self.random.below(3) {
            let is_memory = width == 2 && number > 0 && self.random.below(4) == 0;
            let sort = if is_memory {
                array
            } else {
                Sort::BitVector(width)
            };
            let terms = &mut self.system.terms;
            let state = terms.variable_of(sort);
            let value = self.words[self.random.below(2)];
            let init = match self.random.below(5) {
                0 => None,
                1 if !is_memory && number > 0 => {
                    let earlier = states[self.random.below(number)].0;
                    Some(earlier).filter(|&earlier| !terms.is_array(earlier))
                }
                2 if !is_memory && number > 0 && !terms.is_array(states[0].0) => {
                    Some(terms.add(states[0].0, self.words[1]))
                }
                _ if is_memory => Some(terms.constant_array(width, value)),
                _ => Some(value),
            };
            states.push((state, init));
        }
        for &(state, _) in &states {
            match self.system.terms.is_array(state) {
                true => self.memories.push(state),
                false => self.words.push(state),
            }
        }
        states
    }

    fn add_inputs(&mut self) {
        for _ in 0..1 + self.random.below(2) {
            let input = self.system.terms.variable(self.width);
            self.system.inputs.push(input);
            self.words.push(input);
        }
        let input = self.system.terms.variable(1);
        self.system.inputs.push(input);
        self.bits.push(input);
    }

    /// Gives each state a next value.
    fn connect(&mut self, states: &[(Term, Option<Term>)]) {
        for &(state, init) in states {
            let next = match (self.random.below(10), self.system.terms.is_array(state)) {
                (0, false) => None,
                (1, _) => Some(state),
                (_, true) => Some(self.pick(|it| &it.memories)),
                (_, false) => Some(self.pick(|it| &it.words)),
            };
            self.system.states.push(WordState { state, init, next });
        }
    }

    /// Adds a twin of each state: it has its `init` and `next`, with each use of states by those of their twins.
    fn add_twins(&mut self) {
        let terms = &mut self.system.terms;
        let mut images: HashMap<Term, Term> = HashMap::new();
        let owns = self.system.states.clone();
        for own in &owns {
            if own.next.is_some() && own.init.is_some() {
                let sort = terms.sort(own.state);
                images.insert(own.state, terms.variable_of(sort));
            }
        }
        let mut renamed = images.clone();
        for own in &owns {
            if let Some(&state) = images.get(&own.state) {
                let next = own.next.map(|next| terms.substitute(next, &mut renamed));
                let init = own.init;
                self.system.states.push(WordState { state, init, next });
            }
        }
        // In this order, so that a seed is one system.
        let mut twins: Vec<(Term, Term)> = images.into_iter().collect();
        twins.sort_unstable();
        for (own, twin) in twins {
            if !terms.is_array(own) {
                let equal = terms.eq(own, twin);
                self.bits.push(terms.not(equal));
                self.words.push(twin);
            }
        }
        for _ in 0..4 {
            self.grow();
        }
    }

    fn bad(&mut self) -> Term {
        if self.random.below(3) == 0 {
            return self.pick(|it| &it.bits);
        }
        let (x, y) = (self.pick(|it| &it.words), self.pick(|it| &it.words));
        let bit = self.pick(|it| &it.bits);
        let terms = &mut self.system.terms;
        let [x, y] = [x, y].map(|word| terms.extract(word, 1, self.width - 1));
        let less = terms.ult(x, y);
        terms.and(less, bit)
    }
}

/// A random system, of words of this width or one bit more, with some states that equal others, are constant, or are used in part.
pub(super) fn random_system(seed: u64, least_width: u32) -> WordSystem {
    let mut it = Generator::new(seed, least_width);
    let states = it.states();
    it.add_inputs();
    for _ in 0..8 + it.random.below(10) {
        it.grow();
    }
    it.connect(&states);
    if it.random.below(2) == 0 {
        it.add_twins();
    }
    let bad = it.bad();
    it.system.bads = vec![it.bits[0], bad];
    if it.random.below(2) == 0 {
        let constraint = it.pick(|it| &it.bits);
        it.system.constraints.push(constraint);
    }
    it.system
}
