//! Arrays replaced by their elements.
//!
//! An array with few elements is a list of words. Of others, elements at the indices that occur are read through stores and
//! choices down to variables, whose elements are equal where their indices are. Two arrays are equal iff they are at all
//! indices that occur, at an index where they might differ, and *elsewhere*, at one more index that is equal to none of these.
//! Since stores and choices do not distinguish between indices that do not occur, a model of that is one of the arrays, as long
//! as there are more indices than occur.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use craig_word::{Node, Op, Sort as WordSort, Term, Terms};

/// The bits of indices up to which arrays are always lists.
const ALWAYS_LISTED: u32 = 3;
/// The bits of indices beyond which arrays are never lists.
pub(crate) const MOST_LISTED: u32 = 8;

/// An index of an array, after replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Index {
    At(Term),
    /// One that does not occur.
    Elsewhere,
}

/// The elements of array variables that are lists: shared by all parts of a problem.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    /// The widths of indices of arrays that are lists, besides those that always are.
    pub(crate) listed: BTreeSet<u32>,
    elements: BTreeMap<Term, Vec<Term>>,
}

impl Lists {
    fn is_listed(&self, index: u32) -> bool {
        index <= ALWAYS_LISTED || self.listed.contains(&index)
    }

    /// The variables of the elements of an array variable.
    fn of(&mut self, terms: &mut Terms, array: Term, index: u32, element: u32) -> &[Term] {
        self.elements.entry(array).or_insert_with(|| {
            (0..1u32 << index)
                .map(|_| terms.variable(element))
                .collect()
        })
    }

    /// The array variables that are lists, with their elements.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Term, &[Term])> {
        self.elements
            .iter()
            .map(|(&array, all)| (array, all.as_slice()))
    }
}

/// Formulas without arrays that are satisfiable together iff those with arrays are.
#[derive(Debug, Default)]
pub(crate) struct WithoutArrays {
    /// The formulas, one for each that was given.
    pub(crate) formulas: Vec<Term>,
    /// What holds of the variables that were introduced.
    pub(crate) lemmas: Vec<Term>,
    /// Elements of array variables that are no lists.
    pub(crate) elements: BTreeMap<Term, BTreeMap<Index, Term>>,
}

/// Why arrays can't be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooManyIndices {
    /// The width of indices.
    pub(crate) width: u32,
}

/// Replaces the arrays of formulas.
pub(crate) fn without_arrays(
    terms: &mut Terms,
    formulas: &[Term],
    lists: &mut Lists,
) -> Result<WithoutArrays, TooManyIndices> {
    loop {
        let mut replacement = Replacement {
            terms,
            lists,
            images: HashMap::new(),
            listed: HashMap::new(),
            read: HashMap::new(),
            elements: BTreeMap::new(),
            indices: BTreeMap::new(),
            equalities: Vec::new(),
            lemmas: Vec::new(),
        };
        match replacement.run(formulas) {
            Ok(()) => {
                let images = &replacement.images;
                return Ok(WithoutArrays {
                    formulas: formulas.iter().map(|formula| images[formula]).collect(),
                    lemmas: replacement.lemmas,
                    elements: replacement.elements,
                });
            }
            // As lists these arrays need no index that does not occur.
            Err(error) if error.width <= MOST_LISTED => {
                lists.listed.insert(error.width);
            }
            Err(error) => return Err(error),
        }
    }
}

struct Replacement<'a> {
    terms: &'a mut Terms,
    lists: &'a mut Lists,
    /// By term that is no array: the term without arrays.
    images: HashMap<Term, Term>,
    /// By array that is a list: its elements.
    listed: HashMap<Term, Vec<Term>>,
    /// By array and index: the element.
    read: HashMap<(Term, Index), Term>,
    elements: BTreeMap<Term, BTreeMap<Index, Term>>,
    /// By width: the indices that occur.
    indices: BTreeMap<u32, BTreeSet<Term>>,
    /// Pairs of arrays, the truth value of their equality, and an index where they may differ.
    equalities: Vec<(Term, Term, Term, Term)>,
    lemmas: Vec<Term>,
}

impl Replacement<'_> {
    fn run(&mut self, formulas: &[Term]) -> Result<(), TooManyIndices> {
        for term in self.terms.cone(formulas, |_| false) {
            match self.terms.sort(term) {
                WordSort::BitVector(_) => {
                    let image = self.word(term);
                    self.images.insert(term, image);
                }
                WordSort::Array { index, element } if self.lists.is_listed(index) => {
                    let list = self.list(term, index, element);
                    self.listed.insert(term, list);
                }
                WordSort::Array { index, .. } => {
                    if let Node::Store(_, at, _) = self.terms.node(term) {
                        let at = self.images[&at];
                        self.indices.entry(index).or_default().insert(at);
                    }
                }
            }
        }
        self.relate()?;
        self.congruence();
        Ok(())
    }

    fn index_width(&self, array: Term) -> u32 {
        match self.terms.sort(array) {
            WordSort::Array { index, .. } => index,
            WordSort::BitVector(_) => 0,
        }
    }

    /// A term that is no array.
    fn word(&mut self, term: Term) -> Term {
        let image = |term: Term| self.images[&term];
        let width = self.terms.width(term);
        match self.terms.node(term) {
            Node::Const(_) | Node::Wide(_) | Node::Var(_) => term,
            Node::Not(a) => {
                let a = image(a);
                self.terms.not(a)
            }
            Node::Binary(Op::Eq, a, b) if self.terms.is_array(a) => self.equality(a, b),
            Node::Binary(op, a, b) => {
                let (a, b) = (image(a), image(b));
                self.terms.binary(op, a, b)
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (image(c), image(a), image(b));
                self.terms.ite(c, a, b)
            }
            Node::Concat(a, b) => {
                let (a, b) = (image(a), image(b));
                self.terms.concat(a, b)
            }
            Node::Extract(a, low) => {
                let a = image(a);
                self.terms.extract(a, low, width)
            }
            Node::ZExt(a) => {
                let a = image(a);
                self.terms.zext(a, width)
            }
            Node::SExt(a) => {
                let a = image(a);
                self.terms.sext(a, width)
            }
            Node::Select(array, at) => {
                let at = image(at);
                match self.listed.get(&array) {
                    Some(list) => {
                        let list = list.clone();
                        self.pick(&list, at)
                    }
                    None => {
                        let width = self.index_width(array);
                        self.indices.entry(width).or_default().insert(at);
                        self.element(array, Index::At(at))
                    }
                }
            }
            Node::Store(..) | Node::ConstArray(_) => unreachable!("they are arrays"),
        }
    }

    /// The element of a list at an index.
    fn pick(&mut self, list: &[Term], at: Term) -> Term {
        let width = self.terms.width(at);
        let mut level = list.to_vec();
        for bit in 0..width {
            let bit = self.terms.extract(at, bit, 1);
            let pairs = level.chunks(2);
            level = pairs
                .map(|pair| self.terms.ite(bit, pair[1], pair[0]))
                .collect();
        }
        level[0]
    }

    fn list(&mut self, array: Term, index: u32, element: u32) -> Vec<Term> {
        match self.terms.node(array) {
            Node::Var(_) => self.lists.of(self.terms, array, index, element).to_vec(),
            Node::ConstArray(value) => vec![self.images[&value]; 1 << index],
            Node::Store(inner, at, value) => {
                let (at, value) = (self.images[&at], self.images[&value]);
                let inner = self.listed[&inner].clone();
                let mut list = Vec::with_capacity(inner.len());
                for (number, old) in (0u128..).zip(inner) {
                    let number = self.terms.constant(number, index);
                    let is_here = self.terms.eq(at, number);
                    list.push(self.terms.ite(is_here, value, old));
                }
                list
            }
            Node::Ite(condition, one, other) => {
                let condition = self.images[&condition];
                let (one, other) = (self.listed[&one].clone(), self.listed[&other].clone());
                let pairs = one.into_iter().zip(other);
                pairs
                    .map(|(one, other)| self.terms.ite(condition, one, other))
                    .collect()
            }
            _ => unreachable!("no other term is an array"),
        }
    }

    fn equality(&mut self, a: Term, b: Term) -> Term {
        if let (Some(a), Some(b)) = (self.listed.get(&a), self.listed.get(&b)) {
            let pairs: Vec<(Term, Term)> = a.iter().copied().zip(b.iter().copied()).collect();
            let mut all = self.terms.boolean(true);
            for (a, b) in pairs {
                let same = self.terms.eq(a, b);
                all = self.terms.and(all, same);
            }
            return all;
        }
        let width = self.index_width(a);
        let (truth, differs) = (self.terms.variable(1), self.terms.variable(width));
        self.indices.entry(width).or_default().insert(differs);
        self.equalities.push((a, b, truth, differs));
        truth
    }

    /// The element of an array at an index, read down to variables.
    fn element(&mut self, array: Term, at: Index) -> Term {
        let mut open = vec![array];
        while let Some(&next) = open.last() {
            if self.read.contains_key(&(next, at)) {
                open.pop();
                continue;
            }
            let known = |term: Term| self.read.get(&(term, at)).copied();
            let found = match self.terms.node(next) {
                Node::Store(inner, ..) if known(inner).is_none() => Err(vec![inner]),
                Node::Ite(_, one, other) if known(one).is_none() || known(other).is_none() => {
                    Err(vec![one, other])
                }
                Node::Store(inner, stored, value) => {
                    let (stored, value) = (self.images[&stored], self.images[&value]);
                    let old = known(inner).expect("it was read");
                    Ok(match at {
                        Index::Elsewhere => old,
                        Index::At(at) => {
                            let is_here = self.terms.eq(at, stored);
                            self.terms.ite(is_here, value, old)
                        }
                    })
                }
                Node::Ite(condition, one, other) => {
                    let (one, other) = (known(one).expect("read"), known(other).expect("read"));
                    let condition = self.images[&condition];
                    Ok(self.terms.ite(condition, one, other))
                }
                Node::ConstArray(value) => Ok(self.images[&value]),
                _ => {
                    let WordSort::Array { element, .. } = self.terms.sort(next) else {
                        unreachable!("it is an array");
                    };
                    let value = self.terms.variable(element);
                    self.elements.entry(next).or_default().insert(at, value);
                    Ok(value)
                }
            };
            match found {
                Ok(value) => drop(self.read.insert((next, at), value)),
                Err(more) => open.extend(more),
            }
        }
        self.read[&(array, at)]
    }

    /// What equalities of arrays say of their elements.
    fn relate(&mut self) -> Result<(), TooManyIndices> {
        for (a, b, truth, differs) in std::mem::take(&mut self.equalities) {
            let width = self.index_width(a);
            let indices: Vec<Term> = self.indices[&width].iter().copied().collect();
            if width < usize::BITS && indices.len() >= 1 << width {
                return Err(TooManyIndices { width });
            }
            let not_equal = self.terms.not(truth);
            let all = indices.into_iter().map(Index::At).chain([Index::Elsewhere]);
            for at in all {
                let (x, y) = (self.element(a, at), self.element(b, at));
                let same = self.terms.eq(x, y);
                let lemma = self.terms.or(not_equal, same);
                self.lemmas.push(lemma);
                if at == Index::At(differs) {
                    let differ = self.terms.not(same);
                    let lemma = self.terms.or(truth, differ);
                    self.lemmas.push(lemma);
                }
            }
        }
        Ok(())
    }

    /// Elements of a variable are equal where their indices are.
    fn congruence(&mut self) {
        for elements in self.elements.values() {
            let known: Vec<(Term, Term)> = (elements.iter())
                .filter_map(|(at, &value)| match at {
                    Index::At(at) => Some((*at, value)),
                    Index::Elsewhere => None,
                })
                .collect();
            for (number, &(at, value)) in known.iter().enumerate() {
                for &(other, own) in &known[..number] {
                    let same = self.terms.eq(at, other);
                    let apart = self.terms.not(same);
                    let equal = self.terms.eq(value, own);
                    let lemma = self.terms.or(apart, equal);
                    if !self.terms.is_true(lemma) {
                        self.lemmas.push(lemma);
                    }
                }
            }
        }
    }
}
