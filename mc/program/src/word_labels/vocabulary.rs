//! What the edges of an automaton say of its words: comparisons, constants, steps of counters.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use craig_word::{Node, Op, Term};

use crate::cfa::{Cfa, EdgeId, LocationId};

/// Comparisons with more operators than this are no templates: a read of an array of 32 elements has fewer.
const MAX_OPERATORS: u16 = 400;
/// Equations of one location that orders are made of, at most.
const MAX_EQUATIONS: usize = 8;
/// Steps of one word that are told apart, at most.
const MAX_STEPS: usize = 3;

/// A comparison of the program that reads words only.
#[derive(Clone, Copy)]
pub(super) struct Atom {
    pub(super) term: Term,
    /// The number of its operators.
    pub(super) size: u16,
}

/// What the edges say.
#[derive(Default)]
pub(super) struct Vocabulary {
    /// By location: the comparisons on the edges from it.
    pub(super) atoms: HashMap<LocationId, Vec<Atom>>,
    /// By location: pairs of terms that the edges from it compare for equality, each over a word of its own: an index and a word
    /// that is extended to its width, for example.
    pub(super) equations: HashMap<LocationId, Vec<(Term, Term)>>,
    /// By width: constants of comparisons and assignments.
    pub(super) constants: BTreeMap<u32, BTreeSet<u128>>,
    /// Constants that differ from one of the program by at most this belong to it as well.
    pub(super) level: u32,
    /// Words that are compared as signed numbers, as unsigned ones.
    pub(super) signed: HashSet<Term>,
    pub(super) unsigned: HashSet<Term>,
    /// Pairs of words, the smaller first, that occur in one comparison or of which one is assigned the other.
    pub(super) related: HashSet<(Term, Term)>,
    /// Words that an edge from an inner location assigns.
    pub(super) changed: HashSet<Term>,
    /// By word: constants that are added to it.
    pub(super) steps: HashMap<Term, BTreeSet<u128>>,
}

/// What a term reads and how large it is.
#[derive(Clone, Copy, Default)]
struct Shape {
    /// Reads something other than words, or more words than fit.
    is_other: bool,
    words: [Option<Term>; 2],
    has_more: bool,
    size: u16,
}

impl Shape {
    fn read(&mut self, word: Term) {
        for own in &mut self.words {
            match own {
                Some(known) if *known == word => return,
                Some(_) => {}
                None => {
                    *own = Some(word);
                    return;
                }
            }
        }
        self.has_more = true;
    }

    /// The only word that is read, if there is nothing else.
    fn one_word(&self) -> Option<Term> {
        match self.words {
            [Some(word), None] if !self.is_other => Some(word),
            _ => None,
        }
    }

    fn join(&mut self, other: Self) {
        self.is_other |= other.is_other;
        self.has_more |= other.has_more;
        self.size = self.size.saturating_add(other.size);
        for word in other.words.into_iter().flatten() {
            self.read(word);
        }
    }
}

impl Vocabulary {
    /// Adds the constants that differ from those of the program by at most the level.
    pub(super) fn widen(&mut self, level: u32) {
        self.level = level;
        for (&width, own) in &mut self.constants {
            let near = own.iter().flat_map(|&value| {
                let offsets = 1..=u128::from(level);
                offsets.flat_map(move |offset| {
                    [value.wrapping_add(offset), value.wrapping_sub(offset)]
                })
            });
            let near: Vec<u128> = near.map(|value| value & craig_word::mask(width)).collect();
            own.extend(near);
        }
    }

    pub(super) fn new(cfa: &Cfa) -> Self {
        let mut made = Self::default();
        for source in cfa.sources() {
            let mut atoms: Vec<Atom> = Vec::new();
            let mut equations: Vec<(Term, Term)> = Vec::new();
            let roots: Vec<Term> = (cfa.outgoing(source).iter())
                .flat_map(|&edge| cfa.edge(edge).roots())
                .collect();
            made.read(cfa, &roots, (&mut atoms, &mut equations));
            made.atoms.insert(source, atoms);
            made.equations.insert(source, equations);
            for &edge in cfa.outgoing(source) {
                made.assign(cfa, source, edge);
            }
        }
        made
    }

    /// Reads the terms on the edges from one location. Operands precede their operators.
    fn read(
        &mut self,
        cfa: &Cfa,
        roots: &[Term],
        (atoms, equations): (&mut Vec<Atom>, &mut Vec<(Term, Term)>),
    ) {
        let terms = &cfa.terms;
        let mut shapes: HashMap<Term, Shape> = HashMap::new();
        for term in terms.cone(roots, |_| false) {
            let mut shape = Shape::default();
            match terms.node(term) {
                Node::Var(_) if cfa.word(term).is_some() => shape.read(term),
                Node::Var(_) => shape.is_other = true,
                _ => {
                    shape.size = u16::from(!terms.is_constant(term));
                    terms.operands(term, |operand| shape.join(shapes[&operand]));
                }
            }
            shapes.insert(term, shape);
            let Node::Binary(op, left, right) = terms.node(term) else {
                continue;
            };
            if !op.is_comparison() {
                continue;
            }
            for operand in [left, right] {
                if let Some(value) = terms.constant_value(operand) {
                    let own = self.constants.entry(terms.width(operand)).or_default();
                    own.insert(value);
                }
            }
            for word in shape.words.into_iter().flatten() {
                match op {
                    Op::Slt => _ = self.signed.insert(word),
                    Op::Ult => _ = self.unsigned.insert(word),
                    _ => {}
                }
            }
            if let ([Some(one), Some(other)], false) = (shape.words, shape.has_more) {
                self.related.insert((one.min(other), one.max(other)));
            }
            let of_one = |term: Term| shapes[&term].one_word();
            if let (Op::Eq, Some(one), Some(other)) = (op, of_one(left), of_one(right))
                && one != other
                && terms.width(one) != terms.width(other)
                && equations.len() < MAX_EQUATIONS
            {
                equations.push((left, right));
            }
            let is_short = shape.size <= MAX_OPERATORS;
            if !shape.is_other && shape.words[0].is_some() && is_short {
                let size = shape.size;
                atoms.push(Atom { term, size });
            }
        }
    }

    /// Reads the assignments of an edge.
    fn assign(&mut self, cfa: &Cfa, source: LocationId, edge: EdgeId) {
        let terms = &cfa.terms;
        for assignment in &cfa.edge(edge).assignments {
            let (word, value) = (assignment.word, assignment.value);
            if source != Cfa::START {
                self.changed.insert(word);
            }
            let steps = self.steps.entry(word).or_default();
            // The results of an if-then-else.
            let mut work = vec![value];
            let mut seen: HashSet<Term> = HashSet::new();
            while let Some(result) = work.pop() {
                if !seen.insert(result) || seen.len() > 64 {
                    continue;
                }
                match terms.node(result) {
                    Node::Ite(_, then, otherwise) => work.extend([then, otherwise]),
                    Node::Const(value) => {
                        let own = self.constants.entry(terms.width(word)).or_default();
                        own.insert(value);
                    }
                    Node::Var(_) if result != word && cfa.word(result).is_some() => {
                        self.related.insert((word.min(result), word.max(result)));
                    }
                    Node::Binary(Op::Add, left, right) => {
                        for (own, step) in [(left, right), (right, left)] {
                            if let (true, Some(step)) = (own == word, terms.constant_value(step))
                                && steps.len() < MAX_STEPS
                            {
                                steps.insert(step);
                            }
                        }
                    }
                    Node::Binary(Op::Sub, own, step) if own == word => {
                        if let Some(step) = terms.constant_value(step)
                            && steps.len() < MAX_STEPS
                        {
                            let width = terms.width(word);
                            steps.insert(step.wrapping_neg() & craig_word::mask(width));
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}
