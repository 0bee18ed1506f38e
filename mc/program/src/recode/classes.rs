//! Variables of small domains: classes of words and inputs between which values are copied.

use std::collections::{BTreeSet, HashMap, HashSet};

use craig_word::{Node, Op, Term};

use crate::cfa::Cfa;

/// A class with more indices than this stays as it is.
const MOST_INDICES: usize = 256;

/// The domain of a class of variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Domain {
    /// In increasing order, the first one 0: index `i` stands for the values from number `i` up to the next one, or for
    /// that number alone.
    pub(super) values: Vec<u128>,
    /// Whether variables hold these values alone.
    pub(super) is_exact: bool,
}

impl Domain {
    /// The number of bits of an index.
    pub(super) fn width(&self) -> u32 {
        self.values.len().next_power_of_two().ilog2().max(1)
    }

    /// The lowest value of an index; indices that stand for nothing are the last one.
    pub(super) fn value(&self, index: u128) -> u128 {
        let last = self.values.len() - 1;
        self.values[usize::try_from(index).map_or(last, |index| index.min(last))]
    }

    /// The index of a value.
    pub(super) fn index(&self, value: u128) -> usize {
        self.values.partition_point(|&own| own <= value) - 1
    }
}

/// What is known of a class while it is collected.
#[derive(Clone, Default)]
struct Class {
    /// What is assigned to its words.
    constants: BTreeSet<u128>,
    /// Where intervals begin between whose values no comparison tells.
    bounds: BTreeSet<u128>,
    has_inputs: bool,
    /// Something else is assigned to a word.
    has_others: bool,
    /// A variable is used elsewhere than in a comparison with a constant.
    has_uses: bool,
}

struct Classes<'a> {
    cfa: &'a Cfa,
    number: HashMap<Term, usize>,
    parent: Vec<usize>,
    classes: Vec<Class>,
}

impl Classes<'_> {
    fn of(&mut self, variable: Term) -> usize {
        let next = self.parent.len();
        let mut class = *self.number.entry(variable).or_insert(next);
        if class == next {
            self.parent.push(next);
            self.classes.push(Class {
                has_inputs: self.cfa.word(variable).is_none(),
                ..Class::default()
            });
        }
        while self.parent[class] != class {
            self.parent[class] = self.parent[self.parent[class]];
            class = self.parent[class];
        }
        class
    }

    fn join(&mut self, one: Term, other: Term) {
        let (one, other) = (self.of(one), self.of(other));
        if one == other {
            return;
        }
        self.parent[other] = one;
        let from = std::mem::take(&mut self.classes[other]);
        let to = &mut self.classes[one];
        to.constants.extend(from.constants);
        to.bounds.extend(from.bounds);
        to.has_inputs |= from.has_inputs;
        to.has_others |= from.has_others;
        to.has_uses |= from.has_uses;
    }

    /// Joins what is chosen from for a word with it. Adds the terms that are read for that to `roots`.
    fn assign(&mut self, word: Term, value: Term, roots: &mut Vec<Term>) {
        let mut seen = HashSet::new();
        let mut work = vec![value];
        while let Some(term) = work.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.cfa.terms.node(term) {
                Node::Ite(condition, then, otherwise) => {
                    roots.push(condition);
                    work.extend([then, otherwise]);
                }
                Node::Var(_) => self.join(word, term),
                Node::Const(constant) => {
                    let class = self.of(word);
                    self.classes[class].constants.insert(constant);
                }
                _ => {
                    roots.push(term);
                    let class = self.of(word);
                    self.classes[class].has_others = true;
                }
            }
        }
    }

    /// Notes how the terms below some roots use variables.
    fn read(&mut self, roots: &[Term]) {
        let terms = &self.cfa.terms;
        let is_variable = |term: Term| matches!(terms.node(term), Node::Var(_));
        for &root in roots.iter().filter(|&&root| is_variable(root)) {
            let class = self.of(root);
            self.classes[class].has_uses = true;
        }
        for term in terms.cone(roots, |_| false) {
            if let Node::Binary(op @ (Op::Eq | Op::Ult | Op::Slt), left, right) = terms.node(term) {
                let sides = [
                    (left, terms.constant_value(right)),
                    (right, terms.constant_value(left)),
                ];
                let compared = (sides.into_iter()).find_map(|(own, other)| Some((own, other?)));
                if let Some((own, constant)) = compared.filter(|&(own, _)| is_variable(own)) {
                    let width = terms.width(own);
                    let class = self.of(own);
                    let bounds = &mut self.classes[class].bounds;
                    let all = u128::MAX >> (128 - width);
                    bounds.extend([constant, constant.wrapping_add(1) & all]);
                    if op == Op::Slt {
                        bounds.insert(1 << (width - 1));
                    }
                    continue;
                }
            }
            let mut used = Vec::new();
            terms.operands(term, |operand| used.push(operand));
            for variable in used.into_iter().filter(|&term| is_variable(term)) {
                let class = self.of(variable);
                self.classes[class].has_uses = true;
            }
        }
    }
}

/// The variables whose values are few, or are compared with constants alone, with the domain of each, where an index has
/// fewer bits than the variable (or as many, if `always`). Variables between which values are copied have one domain.
///
/// *Exact domains.* Only constants and copies from the class are assigned to its words, and it has no inputs. All words
/// start with 0. So that each is in the domain is an inductive invariant.
///
/// *Intervals.* Constants, copies and inputs are assigned, and variables are compared with constants alone. No comparison
/// tells two values of an interval apart, nor does a copy, so that runs with the lowest value of each interval take the
/// same edges.
pub(super) fn domains(cfa: &Cfa, always: bool) -> HashMap<Term, Domain> {
    let mut classes = Classes {
        cfa,
        number: HashMap::new(),
        parent: Vec::new(),
        classes: Vec::new(),
    };
    let mut roots = Vec::new();
    for edge in cfa.edges() {
        roots.push(edge.guard);
        for assignment in &edge.assignments {
            classes.assign(assignment.word, assignment.value, &mut roots);
        }
    }
    roots.sort_unstable();
    roots.dedup();
    classes.read(&roots);
    let variables: Vec<Term> = classes.number.keys().copied().collect();
    let mut found = HashMap::new();
    for variable in variables {
        let number = classes.of(variable);
        let class = &classes.classes[number];
        if class.has_others {
            continue;
        }
        let exact = (!class.has_inputs).then_some(&class.constants);
        let intervals = (!class.has_uses).then_some(&class.bounds);
        // Of two domains, the smaller one.
        let chosen = match (exact, intervals) {
            (Some(exact), Some(intervals)) if intervals.len() < exact.len() => (intervals, false),
            (Some(exact), _) => (exact, true),
            (None, Some(intervals)) => (intervals, false),
            (None, None) => continue,
        };
        let mut values: Vec<u128> = chosen.0.iter().copied().chain([0]).collect();
        values.sort_unstable();
        values.dedup();
        let domain = Domain {
            values,
            is_exact: chosen.1,
        };
        let (width, own) = (domain.width(), cfa.terms.width(variable));
        if domain.values.len() <= MOST_INDICES && (width < own || always && width == own) {
            found.insert(variable, domain);
        }
    }
    found
}
