//! Word-level circuits in BTOR2 with all operators, and arrays, against values computed here.

mod operation;

use std::fmt::Write as _;

use craig_aig::Random;
use craig_hardware::btor2::WordCircuit;

use super::Subject;
use super::chosen::Chosen;
use super::shrink::without_parts;
use super::states::{Step, Steps};
use super::tally::Tally;
use operation::{operation, value_of};

/// Word-level circuits.
pub(super) struct Words;

/// The bits of all states, and of all inputs.
const MAX_STATE_BITS: usize = 7;
const MAX_INPUT_BITS: usize = 3;

/// The type of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    /// A word of this width.
    Word(u32),
    /// An array by index and element width; its value has the element of index 0 in the lowest bits.
    Array(u32, u32),
}

impl Sort {
    fn bits(self) -> u32 {
        match self {
            Self::Word(width) => width,
            Self::Array(index, element) => element << index,
        }
    }
}

#[derive(Clone, Debug)]
enum Kind {
    Input,
    /// A state with its first value, if it has one.
    State(Option<u64>),
    Constant(u64),
    /// An operator, its arguments with signs, and the numbers behind them.
    Operation(&'static str, Vec<(usize, bool)>, Vec<u32>),
}

#[derive(Clone, Debug)]
struct Node {
    sort: Sort,
    kind: Kind,
}

/// A circuit and who decides it.
#[derive(Clone, Debug)]
pub(super) struct Case {
    nodes: Vec<Node>,
    /// By state in the order of the nodes: the node of its next value, which has its sort.
    nexts: Vec<usize>,
    constraints: Vec<usize>,
    bads: Vec<usize>,
    justice: Vec<Vec<usize>>,
    fairness: Vec<usize>,
    chosen: Chosen,
}

impl Subject for Words {
    type Case = Case;

    fn case(&self, random: &mut Random) -> Case {
        let nodes = nodes(random);
        let of_sort = |sort: Sort, random: &mut Random| {
            let all: Vec<usize> = (0..nodes.len())
                .filter(|&node| nodes[node].sort == sort)
                .collect();
            // Late nodes depend on most.
            let last = all.len().min(4);
            all[all.len() - 1 - random.below(last)]
        };
        let states = nodes
            .iter()
            .filter(|node| matches!(node.kind, Kind::State(_)));
        let nexts = states.map(|node| of_sort(node.sort, random)).collect();
        let some = |least: usize, most: usize, random: &mut Random| {
            let n = least + random.below(most + 1 - least);
            (0..n)
                .map(|_| of_sort(Sort::Word(1), random))
                .collect::<Vec<usize>>()
        };
        let is_live = random.below(4) == 0;
        let bads = if is_live {
            Vec::new()
        } else {
            some(1, 3, random)
        };
        let n_justice = if is_live { 1 + random.below(2) } else { 0 };
        let justice = (0..n_justice).map(|_| some(1, 2, random)).collect();
        let fairness = if is_live {
            some(0, 1, random)
        } else {
            Vec::new()
        };
        let constraints = if random.below(4) == 0 {
            some(1, 2, random)
        } else {
            Vec::new()
        };
        let chosen = Chosen::new(random);
        Case {
            nodes,
            nexts,
            constraints,
            bads,
            justice,
            fairness,
            chosen,
        }
    }

    fn judge(&self, case: &Case, tally: &mut Tally) -> Result<(), String> {
        let (circuit, steps) = case.build()?;
        case.chosen.judge(&circuit, &steps, tally)
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        let mut all = Vec::new();
        let mut push = |change: &dyn Fn(&mut Case)| {
            let mut smaller = case.clone();
            change(&mut smaller);
            if !(smaller.bads.is_empty() && smaller.justice.is_empty()) {
                all.push(smaller);
            }
        };
        for bads in without_parts(&case.bads) {
            push(&|case| case.bads.clone_from(&bads));
        }
        for justice in without_parts(&case.justice) {
            push(&|case| case.justice.clone_from(&justice));
        }
        for constraints in without_parts(&case.constraints) {
            push(&|case| case.constraints.clone_from(&constraints));
        }
        for fairness in without_parts(&case.fairness) {
            push(&|case| case.fairness.clone_from(&fairness));
        }
        for (index, node) in case.nodes.iter().enumerate() {
            if let (Kind::Operation(..), Sort::Word(_)) = (&node.kind, node.sort) {
                push(&|case| case.nodes[index].kind = Kind::Constant(0));
            }
        }
        all.extend(case.chosen.smaller().into_iter().map(|chosen| Case {
            chosen,
            ..case.clone()
        }));
        all
    }

    fn text(&self, case: &Case) -> (String, &'static str) {
        (format!("; {:?}\n{}", case.chosen, case.file()), "btor2")
    }
}

impl Case {
    /// The circuit, from its file, and its graph.
    pub(super) fn build(&self) -> Result<(WordCircuit, Steps), String> {
        let circuit = WordCircuit::read(self.file().as_bytes(), "case")
            .map_err(|error| format!("reader: {error}"))?;
        let width = |wanted: fn(&Kind) -> bool| {
            let nodes = self.nodes.iter().filter(|node| wanted(&node.kind));
            nodes.map(|node| node.sort.bits() as usize).sum()
        };
        let n_state_bits = width(|kind| matches!(kind, Kind::State(_)));
        let n_input_bits = width(|kind| matches!(kind, Kind::Input));
        let steps = Steps::new(n_state_bits, n_input_bits, |step| {
            self.step(step, n_state_bits)
        });
        Ok((circuit, steps))
    }

    /// The file. Sorts are lines of their own before their first use.
    fn file(&self) -> String {
        let mut file = File::default();
        let mut lines = Vec::new();
        let mut first_values = Vec::new();
        for node in &self.nodes {
            let sort = file.sort(node.sort);
            if let Kind::State(first) = node.kind {
                // An array starts with one element everywhere. The value has to be defined before the state.
                let element = match node.sort {
                    Sort::Word(width) | Sort::Array(_, width) => Sort::Word(width),
                };
                first_values.push(first.map(|first| {
                    let of_element = file.sort(element);
                    let mask = (1 << element.bits()) - 1;
                    file.line(&format!("constd {of_element} {}", first & mask))
                }));
            }
            let number = match &node.kind {
                Kind::Input => file.line(&format!("input {sort}")),
                Kind::State(_) => file.line(&format!("state {sort}")),
                Kind::Constant(value) => file.line(&format!("constd {sort} {value}")),
                Kind::Operation(name, arguments, numbers) => {
                    let mut text = format!("{name} {sort}");
                    for &(argument, is_negated) in arguments {
                        let sign = if is_negated { "-" } else { "" };
                        let _ = write!(text, " {sign}{}", lines[argument]);
                    }
                    for number in numbers {
                        let _ = write!(text, " {number}");
                    }
                    file.line(&text)
                }
            };
            lines.push(number);
        }
        let mut nexts = self.nexts.iter();
        let mut first_values = first_values.into_iter();
        for (index, node) in self.nodes.iter().enumerate() {
            let Kind::State(_) = node.kind else {
                continue;
            };
            let sort = file.sort(node.sort);
            if let Some(value) = first_values.next().expect("each state has an entry") {
                file.line(&format!("init {sort} {} {value}", lines[index]));
            }
            let next = nexts.next().expect("each state has a next value");
            file.line(&format!("next {sort} {} {}", lines[index], lines[*next]));
        }
        for &node in &self.constraints {
            file.line(&format!("constraint {}", lines[node]));
        }
        for &node in &self.bads {
            file.line(&format!("bad {}", lines[node]));
        }
        for nodes in &self.justice {
            let mut text = format!("justice {}", nodes.len());
            for &node in nodes {
                let _ = write!(text, " {}", lines[node]);
            }
            file.line(&text);
        }
        for &node in &self.fairness {
            file.line(&format!("fair {}", lines[node]));
        }
        file.text
    }

    /// A step by the values of the states, in the low bits, and of the inputs.
    fn step(&self, number: usize, n_state_bits: usize) -> Step {
        let mut values: Vec<u64> = Vec::with_capacity(self.nodes.len());
        let (mut state_at, mut input_at) = (0, n_state_bits as u32);
        let mut is_first = true;
        let take = |at: &mut u32, sort: Sort| {
            let value = number as u64 >> *at & ((1 << sort.bits()) - 1);
            *at += sort.bits();
            value
        };
        for node in &self.nodes {
            let value = match &node.kind {
                Kind::Input => take(&mut input_at, node.sort),
                Kind::State(first) => {
                    let value = take(&mut state_at, node.sort);
                    is_first &= first.is_none_or(|first| first == value);
                    value
                }
                Kind::Constant(value) => *value,
                Kind::Operation(name, arguments, numbers) => {
                    let arguments: Vec<(u64, Sort)> = (arguments.iter())
                        .map(|&(argument, is_negated)| {
                            let sort = self.nodes[argument].sort;
                            let mask = (1 << sort.bits()) - 1;
                            (
                                if is_negated {
                                    !values[argument] & mask
                                } else {
                                    values[argument]
                                },
                                sort,
                            )
                        })
                        .collect();
                    value_of(name, &arguments, numbers) & ((1 << node.sort.bits()) - 1)
                }
            };
            values.push(value);
        }
        let states = self
            .nodes
            .iter()
            .filter(|node| matches!(node.kind, Kind::State(_)));
        let mut next = 0;
        let mut at = 0;
        for (node, &of) in states.zip(&self.nexts) {
            next |= (values[of] as usize) << at;
            at += node.sort.bits();
        }
        let holds = |&node: &usize| values[node] == 1;
        let literals = |own: &Vec<usize>| own.iter().chain(&self.fairness).map(holds).collect();
        Step {
            next,
            is_first,
            is_allowed: self.constraints.iter().all(holds),
            bads: self.bads.iter().map(holds).collect(),
            justice: self.justice.iter().map(literals).collect(),
        }
    }
}

/// The lines of a file.
#[derive(Default)]
struct File {
    text: String,
    n_lines: usize,
    sorts: Vec<(Sort, usize)>,
}

impl File {
    fn line(&mut self, text: &str) -> usize {
        self.n_lines += 1;
        let _ = writeln!(self.text, "{} {text}", self.n_lines);
        self.n_lines
    }

    fn sort(&mut self, sort: Sort) -> usize {
        if let Some((_, line)) = self.sorts.iter().find(|(other, _)| *other == sort) {
            return *line;
        }
        let line = match sort {
            Sort::Word(width) => self.line(&format!("sort bitvec {width}")),
            Sort::Array(index, element) => {
                let [index, element] = [index, element].map(|width| self.sort(Sort::Word(width)));
                self.line(&format!("sort array {index} {element}"))
            }
        };
        self.sorts.push((sort, line));
        line
    }
}

/// Inputs, states, constants and operations; there is a word of one bit, and each sort of a state occurs.
fn nodes(random: &mut Random) -> Vec<Node> {
    let mut nodes = Vec::new();
    let mut left = MAX_INPUT_BITS;
    for _ in 0..random.below(3) {
        let width = 1 + random.below(3);
        if width <= left {
            left -= width;
            nodes.push(Node {
                sort: Sort::Word(width as u32),
                kind: Kind::Input,
            });
        }
    }
    let mut left = MAX_STATE_BITS;
    for _ in 0..1 + random.below(3) {
        let sort = match random.below(4) {
            0 => Sort::Array(1 + random.below(2) as u32, 1),
            _ => Sort::Word(1 + random.below(4) as u32),
        };
        if sort.bits() as usize > left {
            continue;
        }
        left -= sort.bits() as usize;
        let first = match random.below(3) {
            0 => None,
            _ => Some(first_value(sort, random)),
        };
        nodes.push(Node {
            sort,
            kind: Kind::State(first),
        });
    }
    nodes.push(Node {
        sort: Sort::Word(1),
        kind: Kind::Constant(random.below(2) as u64),
    });
    for _ in 0..6 + random.below(20) {
        if random.below(8) == 0 {
            let width = 1 + random.below(4) as u32;
            let value = random.word() & ((1 << width) - 1);
            nodes.push(Node {
                sort: Sort::Word(width),
                kind: Kind::Constant(value),
            });
            continue;
        }
        let new = operation(&nodes, random);
        nodes.extend(new);
    }
    nodes
}

fn first_value(sort: Sort, random: &mut Random) -> u64 {
    match sort {
        Sort::Word(width) => random.word() & ((1 << width) - 1),
        Sort::Array(..) => match random.flip() {
            true => (1 << sort.bits()) - 1,
            false => 0,
        },
    }
}
