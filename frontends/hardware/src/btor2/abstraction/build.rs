//! The abstraction of a circuit.

use std::collections::{BTreeSet, HashMap};

use craig_word::Sort;

use super::{
    Abstraction, Address, InputOrigin, MOST_READS, NotAbstracted, Point, StateOrigin, TrackedWord,
    is_frozen, is_large,
};
use crate::btor2::model::{Argument, Btor2, Kind, Line};
use crate::btor2::operator::Operator;

/// What stands for a node of the circuit.
#[derive(Clone, Debug)]
enum Image {
    /// It is outside the cone of the property.
    Outside,
    /// Its value.
    Bits(Argument),
    /// Its tracked words, in the order of the list of its component.
    Words(Vec<Argument>),
}

struct Builder<'a> {
    circuit: &'a Btor2,
    most_bits: u64,
    words: &'a [TrackedWord],
    result: Abstraction,
    images: Vec<Image>,
    /// The component of each large array.
    component: Vec<u32>,
    /// The tracked words of each component.
    words_of: HashMap<u32, Vec<u32>>,
    /// The values of reads of arrays at addresses of the circuit.
    reads: HashMap<(u32, Argument), Argument>,
}

pub(super) fn build(
    circuit: &Btor2,
    bad: usize,
    words: &[TrackedWord],
    most_bits: u64,
) -> Result<Abstraction, NotAbstracted> {
    let mut words_of: HashMap<u32, Vec<u32>> = HashMap::new();
    for (number, word) in words.iter().enumerate() {
        words_of
            .entry(word.component)
            .or_default()
            .push(number as u32);
    }
    let mut builder = Builder {
        circuit,
        most_bits,
        words,
        result: Abstraction {
            model: Btor2::default(),
            bad,
            words: words.to_vec(),
            addresses: Vec::new(),
            states: Vec::new(),
            inputs: Vec::new(),
            points: Vec::new(),
        },
        images: vec![Image::Outside; circuit.nodes.len()],
        component: components(circuit, most_bits),
        words_of,
        reads: HashMap::new(),
    };
    builder.build(bad)?;
    Ok(builder.result)
}

/// For each large array, the smallest node of its component.
pub(super) fn components(circuit: &Btor2, most_bits: u64) -> Vec<u32> {
    let mut parents: Vec<u32> = (0..circuit.nodes.len() as u32).collect();
    let mut join = |left: u32, right: u32| {
        if !is_large(circuit.nodes[left as usize].sort, most_bits)
            || !is_large(circuit.nodes[right as usize].sort, most_bits)
        {
            return;
        }
        let (left, right) = (root(&mut parents, left), root(&mut parents, right));
        parents[left.max(right) as usize] = left.min(right);
    };
    for (number, node) in circuit.nodes.iter().enumerate() {
        match node.kind {
            Kind::Apply(Operator::Write, [array, ..]) => join(number as u32, array.node),
            Kind::Apply(Operator::Ite, [_, then, otherwise]) => {
                join(number as u32, then.node);
                join(number as u32, otherwise.node);
            }
            Kind::Apply(Operator::Eq | Operator::Neq, [left, right, _]) => {
                join(left.node, right.node);
            }
            _ => {}
        }
    }
    for state in &circuit.states {
        for value in [state.init, state.next].into_iter().flatten() {
            join(state.node, value.node);
        }
    }
    (0..parents.len() as u32)
        .map(|node| root(&mut parents, node))
        .collect()
}

fn root(parents: &mut [u32], mut node: u32) -> u32 {
    while parents[node as usize] != node {
        let above = parents[parents[node as usize] as usize];
        parents[node as usize] = above;
        node = above;
    }
    node
}

/// The nodes on which a bad and the constraints depend over any number of steps, or one of the words does.
fn cone(circuit: &Btor2, bad: usize, words: &[TrackedWord]) -> Vec<bool> {
    let lines = circuit.constraints.iter().map(|line| line.value.node);
    let addresses = words.iter().filter_map(|word| match word.address {
        Address::OfRead { index, .. } => Some(index.node),
        Address::Constant(_) => None,
    });
    let mut stack: Vec<u32> = lines.chain(addresses).collect();
    stack.push(circuit.bads[bad].value.node);
    let mut is_in = vec![false; circuit.nodes.len()];
    while let Some(number) = stack.pop() {
        if std::mem::replace(&mut is_in[number as usize], true) {
            continue;
        }
        let node = &circuit.nodes[number as usize];
        stack.extend(node.arguments().iter().map(|argument| argument.node));
        if let Kind::State(state) = node.kind {
            let state = &circuit.states[state as usize];
            let values = [state.init, state.next].into_iter().flatten();
            stack.extend(values.map(|value| value.node));
        }
    }
    is_in
}

impl Builder<'_> {
    fn build(&mut self, bad: usize) -> Result<(), NotAbstracted> {
        let circuit = self.circuit;
        let is_in = cone(circuit, bad, self.words);
        // States without `init` first: an address may be one of them.
        let order = |is_early: bool| {
            let is_in = &is_in;
            (0..circuit.nodes.len() as u32).filter(move |&number| {
                let early = match circuit.nodes[number as usize].kind {
                    Kind::State(state) => circuit.states[state as usize].init.is_none(),
                    _ => false,
                };
                is_in[number as usize] && early == is_early
            })
        };
        for number in order(true) {
            self.images[number as usize] = self.image(number)?;
        }
        for number in 0..self.words.len() {
            self.address(number);
        }
        for number in order(false) {
            self.images[number as usize] = self.image(number)?;
        }
        let origins = self.result.states.clone();
        for (number, origin) in origins.into_iter().enumerate() {
            let next = match origin {
                StateOrigin::State(state) => {
                    let next = circuit.states[state as usize].next;
                    next.map(|next| self.bits(next))
                }
                StateOrigin::Word { state, word } => {
                    let next = circuit.states[state as usize].next;
                    next.map(|next| self.word(next.node, word))
                }
                StateOrigin::Address(_) => {
                    Some(Argument::of(self.result.model.states[number].node))
                }
                StateOrigin::WasIt { .. } => continue,
            };
            self.result.model.states[number].next = next;
        }
        let constraints = circuit.constraints.iter();
        let constraints: Vec<Argument> = constraints.map(|line| self.bits(line.value)).collect();
        for value in constraints {
            self.constrain(value);
        }
        let mut value = self.bits(circuit.bads[bad].value);
        for number in 0..self.words.len() {
            if let Address::OfRead { index, delay } = self.words[number].address
                && !is_frozen(circuit, index)
            {
                let operands = [self.bits(index), self.result.addresses[number]];
                let mut is_it = self.apply(Operator::Eq, Sort::BitVector(1), &operands);
                for delay in 1..=delay {
                    let word = number as u32;
                    is_it = self.earlier(is_it, StateOrigin::WasIt { word, delay });
                }
                value = self.apply(Operator::And, Sort::BitVector(1), &[value, is_it]);
            }
        }
        let symbol = circuit.bads[bad].symbol.clone();
        self.result.model.bads.push(Line { value, symbol });
        Ok(())
    }

    fn constrain(&mut self, value: Argument) {
        let symbol = String::new();
        self.result.model.constraints.push(Line { value, symbol });
    }

    /// The address of a tracked word: a constant, a state, or a register that keeps the value it starts with.
    fn address(&mut self, number: usize) {
        let (word, circuit) = (&self.words[number], self.circuit);
        let value = match &word.address {
            Address::Constant(value) => self.result.model.add_constant(value),
            Address::OfRead { index, .. } if is_frozen(circuit, *index) => self.bits(*index),
            Address::OfRead { index, .. } => {
                let sort = circuit.node(*index).sort;
                self.state(sort, StateOrigin::Address(number as u32), None)
            }
        };
        self.result.addresses.push(value);
    }

    /// The value of one bit that another had in the last step; any in the first step.
    fn earlier(&mut self, of: Argument, origin: StateOrigin) -> Argument {
        let register = self.state(Sort::BitVector(1), origin, None);
        if let Some(state) = self.result.model.states.last_mut() {
            state.next = Some(of);
        }
        register
    }

    fn apply(&mut self, operator: Operator, sort: Sort, operands: &[Argument]) -> Argument {
        self.result.model.add_operation(operator, sort, operands)
    }

    /// Identifiers name the states and inputs in a witness circuit.
    fn identify(&mut self, node: u32) -> Argument {
        self.result.model.nodes[node as usize].identifier = u64::from(node) + 1;
        Argument::of(node)
    }

    fn state(&mut self, sort: Sort, origin: StateOrigin, init: Option<Argument>) -> Argument {
        self.result.states.push(origin);
        let node = self.result.model.add_state(sort, init, None);
        self.identify(node)
    }

    fn input(&mut self, sort: Sort, origin: InputOrigin) -> Argument {
        self.result.inputs.push(origin);
        let node = self.result.model.add_input(sort);
        self.identify(node)
    }

    fn is_large(&self, node: u32) -> bool {
        is_large(self.circuit.nodes[node as usize].sort, self.most_bits)
    }

    /// The image of an argument of a sort that is kept.
    fn bits(&self, of: Argument) -> Argument {
        match &self.images[of.node as usize] {
            Image::Bits(image) if of.is_negated => image.negated(),
            Image::Bits(image) => *image,
            _ => unreachable!("operands are in the cone, and large arrays are tracked by words"),
        }
    }

    /// The image of a tracked word of a large array.
    fn word(&self, array: u32, word: u32) -> Argument {
        let place = (self.tracked(array).iter()).position(|&own| own == word);
        match (&self.images[array as usize], place) {
            (Image::Words(words), Some(place)) => words[place],
            _ => unreachable!("operands are in the cone and in the same component"),
        }
    }

    /// The words that are tracked of an array.
    fn tracked(&self, array: u32) -> &[u32] {
        let component = self.component[array as usize];
        self.words_of.get(&component).map_or(&[], Vec::as_slice)
    }

    fn element(&self, array: u32) -> Sort {
        match self.circuit.nodes[array as usize].sort {
            Sort::Array { element, .. } => Sort::BitVector(element),
            sort => sort,
        }
    }

    fn image(&mut self, number: u32) -> Result<Image, NotAbstracted> {
        let node = &self.circuit.nodes[number as usize];
        let words = match self.is_large(number) {
            true => self.tracked(number).to_vec(),
            false => Vec::new(),
        };
        let image = match &node.kind {
            Kind::Input(input) if self.is_large(number) => {
                let element = self.element(number);
                let word = |word| {
                    let input = *input;
                    self.input(element, InputOrigin::Word { input, word })
                };
                return Ok(Image::Words(words.into_iter().map(word).collect()));
            }
            Kind::State(state) if self.is_large(number) => {
                let (element, state) = (self.element(number), *state);
                let init = self.circuit.states[state as usize].init;
                let mut images = Vec::new();
                for word in words {
                    let init = init.map(|init| match self.is_large(init.node) {
                        true => self.word(init.node, word),
                        false => self.bits(init),
                    });
                    images.push(self.state(element, StateOrigin::Word { state, word }, init));
                }
                return Ok(Image::Words(images));
            }
            Kind::Apply(operator, arguments) if self.is_large(number) => {
                let mut images = Vec::new();
                for word in words {
                    images.push(self.word_of(*operator, arguments, word));
                }
                return Ok(Image::Words(images));
            }
            Kind::Apply(Operator::Read, [array, index, _]) if self.is_large(array.node) => {
                self.read(array.node, *index)?
            }
            Kind::Apply(operator @ (Operator::Eq | Operator::Neq), [left, right, _])
                if self.is_large(left.node) =>
            {
                let value = self.equal(left.node, right.node);
                match operator {
                    Operator::Eq => value,
                    _ => value.negated(),
                }
            }
            Kind::Constant(constant) => {
                let kind = Kind::Constant(constant.clone());
                Argument::of(self.result.model.add_node(node.sort, kind))
            }
            Kind::Input(input) => self.input(node.sort, InputOrigin::Input(*input)),
            Kind::State(state) => {
                let init = self.circuit.states[*state as usize].init;
                let init = init.map(|init| self.bits(init));
                self.state(node.sort, StateOrigin::State(*state), init)
            }
            Kind::Apply(operator, _) => {
                let operands = node.arguments().iter().map(|&of| self.bits(of));
                let operands: Vec<Argument> = operands.collect();
                self.apply(*operator, node.sort, &operands)
            }
        };
        Ok(Image::Bits(image))
    }

    /// A tracked word of an operation on arrays.
    fn word_of(&mut self, operator: Operator, arguments: &[Argument; 3], word: u32) -> Argument {
        let [first, second, third] = *arguments;
        match operator {
            Operator::Write => {
                let (index, value) = (self.bits(second), self.bits(third));
                let (address, old) = (
                    self.result.addresses[word as usize],
                    self.word(first.node, word),
                );
                self.choice_at(index, address, value, old)
            }
            _ => {
                debug_assert_eq!(operator, Operator::Ite);
                let condition = self.bits(first);
                let (then, otherwise) = (self.word(second.node, word), self.word(third.node, word));
                let sort = self.sort(then);
                self.apply(Operator::Ite, sort, &[condition, then, otherwise])
            }
        }
    }

    fn sort(&self, of: Argument) -> Sort {
        self.result.model.node(of).sort
    }

    /// The value if two addresses are equal, or the other one.
    fn choice_at(
        &mut self,
        index: Argument,
        address: Argument,
        value: Argument,
        otherwise: Argument,
    ) -> Argument {
        let is_it = self.apply(Operator::Eq, Sort::BitVector(1), &[index, address]);
        let sort = self.sort(value);
        self.apply(Operator::Ite, sort, &[is_it, value, otherwise])
    }

    /// A read: through writes and choices to the states and inputs below.
    fn read(&mut self, array: u32, index: Argument) -> Result<Argument, NotAbstracted> {
        // Operands have smaller numbers, so that increasing order is a topological one.
        let mut open: BTreeSet<u32> = BTreeSet::new();
        let mut stack = vec![array];
        while let Some(array) = stack.pop() {
            if self.reads.contains_key(&(array, index)) || !open.insert(array) {
                continue;
            }
            if let Kind::Apply(operator, arguments) = &self.circuit.nodes[array as usize].kind {
                match operator {
                    Operator::Write => stack.push(arguments[0].node),
                    _ => stack.extend([arguments[1].node, arguments[2].node]),
                }
            }
        }
        if self.reads.len() + open.len() > MOST_READS {
            return Err(NotAbstracted(format!(
                "large memories lead to more than {MOST_READS} reads of their parts"
            )));
        }
        for array in open {
            let value = match self.circuit.nodes[array as usize].kind {
                Kind::Apply(Operator::Write, [below, at, value]) => {
                    let (own, at) = (self.bits(index), self.bits(at));
                    let (value, below) = (self.bits(value), self.reads[&(below.node, index)]);
                    self.choice_at(own, at, value, below)
                }
                Kind::Apply(_, [condition, then, otherwise]) => {
                    let condition = self.bits(condition);
                    let then = self.reads[&(then.node, index)];
                    let otherwise = self.reads[&(otherwise.node, index)];
                    let sort = self.sort(then);
                    self.apply(Operator::Ite, sort, &[condition, then, otherwise])
                }
                _ => self.base_read(array, index),
            };
            self.reads.insert((array, index), value);
        }
        Ok(self.reads[&(array, index)])
    }

    /// A read of a state or input: a tracked word, or anything.
    fn base_read(&mut self, array: u32, index: Argument) -> Argument {
        let point = self.result.points.len() as u32;
        let mut value = self.input(self.element(array), InputOrigin::Point(point));
        let at = self.bits(index);
        for place in (0..self.tracked(array).len()).rev() {
            let word = self.tracked(array)[place];
            let (address, own) = (self.result.addresses[word as usize], self.word(array, word));
            value = self.choice_at(at, address, own, value);
        }
        self.result.points.push(Point::Read {
            array,
            index,
            value,
        });
        value
    }

    /// A comparison of arrays: if they are equal, all tracked words are.
    fn equal(&mut self, left: u32, right: u32) -> Argument {
        let point = self.result.points.len() as u32;
        let value = self.input(Sort::BitVector(1), InputOrigin::Point(point));
        for word in self.tracked(left).to_vec() {
            let words = [self.word(left, word), self.word(right, word)];
            let same = self.apply(Operator::Eq, Sort::BitVector(1), &words);
            let implied = self.apply(Operator::Implies, Sort::BitVector(1), &[value, same]);
            self.constrain(implied);
        }
        self.result.points.push(Point::Equal { left, right, value });
        value
    }
}
