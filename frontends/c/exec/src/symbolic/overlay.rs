//! The contents of large objects that are accessed at unknown offsets: chains of writes over the initial
//! contents.
//!
//! Such a read is not expanded over all elements: it is a fresh word. `consistency` adds constraints between
//! it and the writes, only if a model of the formula violates them (Brummayer and Biere, *Lemmas on demand
//! for the extensional theory of arrays*, SMT 2008). A read that the structure of the offsets alone
//! determines is evaluated at once.
//!
//! Chains share prefixes, and links are hash-consed: the same execution with a larger bound creates the same
//! links and words, so that known lemmas apply.

use craig_c_lang::address_space::AddressSpace;
use std::collections::{HashMap, HashSet, hash_map::DefaultHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use craig_c_lang::ir::Shape;
use craig_word::{Node, Term, Terms};

pub(crate) use super::chain_read::{ChainId, Read};
use super::copies::{Copied, Copies, Source};
use super::memory;
use super::overlap::{Relation, Starts, relation};
use super::points::{Points, PointsTo};

/// The root of all chains: no contents.
const TOP: ChainId = 0;

/// A link; links that it refers to have smaller numbers.
#[derive(Clone)]
pub(crate) enum Link {
    /// The cells of the object, before the first write at an unknown offset.
    Base {
        shape: Arc<Shape>,
        cells: Arc<Vec<Term>>,
    },
    /// An object without cells, before the first write: zero everywhere, or arbitrary bytes identified by
    /// this word. No two objects share it.
    Blank { size: u64, owner: Option<Term> },
    /// A write, if the condition holds.
    Write {
        before: ChainId,
        condition: Term,
        offset: Term,
        bytes: u32,
        value: Term,
        /// Where it may start, on all paths that have it.
        starts: Option<Starts>,
    },
    /// The first contents if the choice holds, else the second.
    Join {
        choose: Term,
        first: ChainId,
        second: ChainId,
    },
}

struct Entry {
    link: Link,
    /// The size of the object in bytes.
    size: u64,
    /// The last link on all paths backwards, and the number of these paths.
    dominator: ChainId,
    depth: u32,
    /// The possible targets of pointers in the contents, once computed.
    points: Option<Arc<Points>>,
}

#[derive(Default)]
pub struct Overlays {
    entries: Vec<Entry>,
    writes: HashMap<(ChainId, Term, Term, Term, Option<Starts>), ChainId>,
    joins: HashMap<(Term, ChainId, ChainId), ChainId>,
    /// Bases by the hash of their contents.
    bases: HashMap<u64, Vec<ChainId>>,
    blanks: HashMap<(u64, Option<Term>), ChainId>,
    pub(super) copies: Copies,
    /// In the order of their creation: the contents of a chain are older than each read of it.
    reads: Vec<Read>,
    table: HashMap<(ChainId, Term, u32), Term>,
}

/// The maximal number of links that a read follows.
const LOOK_BACK: usize = 4096;
/// The maximal number of writes with open conditions that a read expands.
const MAX_OPEN: usize = 8;
/// The maximal number of links of two branches that a read skips together.
const MAX_REGION: usize = 256;

impl Overlays {
    pub(crate) fn link(&self, chain: ChainId) -> &Link {
        &self.entries[chain as usize - 1].link
    }

    pub fn reads(&self) -> &[Read] {
        &self.reads
    }

    fn depth(&self, chain: ChainId) -> u32 {
        match chain {
            TOP => 0,
            _ => self.entries[chain as usize - 1].depth,
        }
    }

    fn dominator(&self, chain: ChainId) -> ChainId {
        self.entries[chain as usize - 1].dominator
    }

    /// The size of the object of a chain, in bytes.
    pub(crate) fn size(&self, chain: ChainId) -> u64 {
        self.entries[chain as usize - 1].size
    }

    fn push(&mut self, link: Link, dominator: ChainId) -> ChainId {
        let depth = self.depth(dominator) + 1;
        let size = match &link {
            Link::Base { shape, .. } => shape.size,
            Link::Blank { size, .. } => *size,
            Link::Write { before, .. } => self.size(*before),
            Link::Join { first, second, .. } => {
                debug_assert_eq!(self.size(*first), self.size(*second));
                self.size(*first)
            }
        };
        self.entries.push(Entry {
            link,
            size,
            dominator,
            depth,
            points: None,
        });
        self.entries.len() as ChainId
    }

    /// The chain of the cells of an object.
    pub(crate) fn base(&mut self, shape: &Arc<Shape>, cells: &Arc<Vec<Term>>) -> ChainId {
        let mut hasher = DefaultHasher::new();
        shape.size.hash(&mut hasher);
        cells.hash(&mut hasher);
        let key = hasher.finish();
        for &known in self.bases.get(&key).into_iter().flatten() {
            if let Link::Base {
                shape: own_shape,
                cells: own,
            } = self.link(known)
                && own_shape == shape
                && own == cells
            {
                return known;
            }
        }
        let link = Link::Base {
            shape: shape.clone(),
            cells: cells.clone(),
        };
        let base = self.push(link, TOP);
        self.bases.entry(key).or_default().push(base);
        base
    }

    /// The chain of an object without cells; see `Link::Blank`.
    pub(crate) fn blank(&mut self, size: u64, owner: Option<Term>) -> ChainId {
        if let Some(&known) = self.blanks.get(&(size, owner)) {
            return known;
        }
        let blank = self.push(Link::Blank { size, owner }, TOP);
        self.blanks.insert((size, owner), blank);
        blank
    }

    /// The chain of arbitrary contents that may be an address, or pieces of some, anywhere.
    pub(crate) fn blank_of_any(&mut self, size: u64, owner: Term) -> ChainId {
        let blank = self.blank(size, Some(owner));
        self.entries[blank as usize - 1].points = Some(Arc::new(Points {
            bits: true,
            pieces: true,
            ..Points::default()
        }));
        blank
    }

    /// The contents after a copy.
    pub(crate) fn copy(&mut self, terms: &mut Terms, copied: Copied) -> ChainId {
        if let Some(known) = self.copies.start(&copied) {
            return known;
        }
        let owner = terms.variable(8);
        let start = self.blank(self.size(copied.before), Some(owner));
        self.copies.add(copied, start);
        start
    }

    /// Whether a read has a word: that of its contents at its offset.
    pub(crate) fn word(&self, chain: ChainId, offset: Term, bytes: u32) -> Option<Term> {
        self.table.get(&(chain, offset, bytes)).copied()
    }

    /// The contents after a write, if the condition holds. On all paths that have it, the write starts at one of `starts`.
    pub(crate) fn write(
        &mut self,
        terms: &Terms,
        mut before: ChainId,
        (offset, starts): (Term, Option<Starts>),
        value: Term,
        condition: Term,
    ) -> ChainId {
        if terms.is_zero(condition) {
            return before;
        }
        let bytes = terms.width(value) / 8;
        debug_assert_eq!(terms.width(value) % 8, 0);
        // An overwritten write is dropped.
        if terms.is_true(condition) {
            while let &Link::Write {
                before: earlier,
                offset: other,
                bytes: other_bytes,
                ..
            } = self.link(before)
                && relation(terms, (other, other_bytes), (offset, bytes)) == Relation::Within(0)
                && bytes == other_bytes
            {
                before = earlier;
            }
        }
        let key = (before, condition, offset, value, starts);
        if let Some(&known) = self.writes.get(&key) {
            return known;
        }
        let link = Link::Write {
            before,
            condition,
            offset,
            bytes,
            value,
            starts,
        };
        let chain = self.push(link, before);
        self.writes.insert(key, chain);
        chain
    }

    /// The contents after the merger of two paths.
    pub(crate) fn join(
        &mut self,
        terms: &Terms,
        choose: Term,
        first: ChainId,
        second: ChainId,
    ) -> ChainId {
        match terms.constant_value(choose) {
            Some(0) => return second,
            Some(_) => return first,
            None if first == second => return first,
            None => {}
        }
        let key = (choose, first, second);
        if let Some(&known) = self.joins.get(&key) {
            return known;
        }
        let (mut a, mut b) = (first, second);
        while a != b {
            if self.depth(a) >= self.depth(b) {
                a = self.dominator(a);
            } else {
                b = self.dominator(b);
            }
        }
        let link = Link::Join {
            choose,
            first,
            second,
        };
        let chain = self.push(link, a);
        self.joins.insert(key, chain);
        chain
    }

    // ---- reads -------------------------------------------------------------------------------------

    /// The value of a read: a term of the writes if the structure of the offsets determines it, else a word,
    /// one for each contents and offset.
    pub(crate) fn read(
        &mut self,
        terms: &mut Terms,
        points: &mut PointsTo,
        space: &AddressSpace,
        chain: ChainId,
        (offset, bytes): (Term, u32),
    ) -> Term {
        let mut at = chain;
        let mut open = Vec::new();
        let mut decided = None;
        for _ in 0..LOOK_BACK {
            match *self.link(at) {
                Link::Write {
                    before,
                    condition,
                    offset: other,
                    bytes: other_bytes,
                    value,
                    starts,
                } => match relation(terms, (offset, bytes), (other, other_bytes)) {
                    Relation::Apart => at = before,
                    _ if starts
                        .is_some_and(|it| it.is_apart(terms, (offset, bytes), other_bytes)) =>
                    {
                        at = before;
                    }
                    Relation::Within(from) if open.len() < MAX_OPEN => {
                        let part = terms.extract(value, from * 8, bytes * 8);
                        if terms.is_true(condition) {
                            decided = Some(part);
                            break;
                        }
                        open.push((condition, part));
                        at = before;
                    }
                    _ => break,
                },
                Link::Join { .. } => match self.pass_join(terms, at, (offset, bytes)) {
                    Some(before) => at = before,
                    None => break,
                },
                Link::Base {
                    ref shape,
                    ref cells,
                } => {
                    decided = read_base(terms, shape, cells, (offset, bytes));
                    break;
                }
                Link::Blank { owner, .. } => {
                    if let Some(before) = self.copies.passed(terms, at, (offset, bytes)) {
                        at = before;
                        continue;
                    }
                    if owner.is_none() {
                        decided = Some(terms.constant(0, bytes * 8));
                    }
                    break;
                }
            }
        }
        let mut value =
            decided.unwrap_or_else(|| self.fresh(terms, points, space, at, (offset, bytes)));
        for &(condition, part) in open.iter().rev() {
            value = terms.ite(condition, part, value);
        }
        value
    }

    /// The link at which two branches of a merger diverge, if no write on either affects the read.
    fn pass_join(
        &self,
        terms: &Terms,
        join: ChainId,
        (offset, bytes): (Term, u32),
    ) -> Option<ChainId> {
        let before = self.dominator(join);
        if before == TOP {
            return None;
        }
        let mut seen = HashSet::new();
        let mut stack = vec![join];
        while let Some(at) = stack.pop() {
            if at == before || !seen.insert(at) {
                continue;
            }
            if seen.len() > MAX_REGION {
                return None;
            }
            match *self.link(at) {
                Link::Base { .. } | Link::Blank { .. } => return None,
                Link::Join { first, second, .. } => stack.extend([first, second]),
                Link::Write {
                    before,
                    offset: other,
                    bytes: other_bytes,
                    starts,
                    ..
                } => {
                    let is_apart = starts
                        .is_some_and(|it| it.is_apart(terms, (offset, bytes), other_bytes))
                        || relation(terms, (offset, bytes), (other, other_bytes))
                            == Relation::Apart;
                    if !is_apart {
                        return None;
                    }
                    stack.push(before);
                }
            }
        }
        Some(before)
    }

    fn fresh(
        &mut self,
        terms: &mut Terms,
        points: &mut PointsTo,
        space: &AddressSpace,
        chain: ChainId,
        (offset, bytes): (Term, u32),
    ) -> Term {
        let key = (chain, offset, bytes);
        if let Some(&known) = self.table.get(&key) {
            return known;
        }
        let term = terms.variable(bytes * 8);
        self.table.insert(key, term);
        let read = Read {
            term,
            chain,
            offset,
            bytes,
        };
        self.reads.push(read);
        self.copies.note(read);
        let own = read_of(&self.points(terms, points, space, chain));
        points.variables.entry(term).or_default().join(&own);
        term
    }

    // ---- what contents point to --------------------------------------------------------------------

    /// The possible targets of a read of the contents: those of all writes and of the initial contents.
    fn points(
        &mut self,
        terms: &Terms,
        points: &mut PointsTo,
        space: &AddressSpace,
        chain: ChainId,
    ) -> Arc<Points> {
        let mut stack = vec![chain];
        while let Some(&at) = stack.last() {
            if self.entries[at as usize - 1].points.is_some() {
                stack.pop();
                continue;
            }
            let known = |overlays: &Self, other: ChainId| {
                overlays.entries[other as usize - 1].points.clone()
            };
            let all = match self.link(at) {
                Link::Base { cells, .. } => {
                    let mut all = Points::default();
                    for &cell in cells.iter() {
                        let is_known = match terms.node(cell) {
                            Node::Const(0) => false,
                            Node::Var(_) => points.variables.contains_key(&cell),
                            _ => true,
                        };
                        if is_known {
                            all.join(&points.of(terms, space, cell));
                        }
                        all.pieces |= points.holds_arbitrary(terms, cell);
                    }
                    Arc::new(all)
                }
                Link::Blank { .. } => match self.copies.at(at) {
                    None => Arc::default(),
                    Some(copied) => {
                        let mut all = Points::default();
                        if let Source::Value(byte) = copied.source {
                            all.join(&points.of(terms, space, byte));
                        }
                        let before = stack.len();
                        for chain in copied.chains() {
                            match known(self, chain) {
                                Some(other) => all.join(&other),
                                None => stack.push(chain),
                            }
                        }
                        if stack.len() > before {
                            continue;
                        }
                        Arc::new(all)
                    }
                },
                &Link::Write { before, value, .. } => {
                    let Some(earlier) = known(self, before) else {
                        stack.push(before);
                        continue;
                    };
                    let mut own = points.of(terms, space, value);
                    if points.holds_arbitrary(terms, value) {
                        Arc::make_mut(&mut own).pieces = true;
                    }
                    with(earlier, &own)
                }
                &Link::Join { first, second, .. } => {
                    let (Some(a), Some(b)) = (known(self, first), known(self, second)) else {
                        stack.extend([first, second]);
                        continue;
                    };
                    with(a, &b)
                }
            };
            self.entries[at as usize - 1].points = Some(all);
            stack.pop();
        }
        self.entries[chain as usize - 1]
            .points
            .clone()
            .unwrap_or_default()
    }

    /// Updates the targets of reads, after free words got further targets.
    pub(crate) fn refresh_points(
        &mut self,
        terms: &Terms,
        points: &mut PointsTo,
        space: &AddressSpace,
    ) {
        if self.reads.is_empty() {
            return;
        }
        for entry in &mut self.entries {
            entry.points = None;
        }
        points.forget();
        // In order: contents consist of older words only.
        for index in 0..self.reads.len() {
            let Read { term, chain, .. } = self.reads[index];
            let own = read_of(&self.points(terms, points, space, chain));
            points.variables.entry(term).or_default().join(&own);
        }
        points.forget();
    }
}

/// What a read of contents may point to: narrower pieces may come together in it.
fn read_of(contents: &Points) -> Points {
    let mut points = contents.clone();
    points.pieces |= points.bits;
    points
}

/// The union; the first itself if it includes the second.
fn with(points: Arc<Points>, other: &Points) -> Arc<Points> {
    let mut all = Points::clone(&points);
    all.join(other);
    if all == *points {
        points
    } else {
        Arc::new(all)
    }
}

/// The value read from cells, if no unknown offset bit affects it.
fn read_base(
    terms: &mut Terms,
    shape: &Shape,
    cells: &[Term],
    (offset, bytes): (Term, u32),
) -> Option<Term> {
    if let Some(offset) = terms.constant_value(offset) {
        let end = (offset as u64).checked_add(u64::from(bytes))?;
        return (end <= shape.size)
            .then(|| memory::read_at(terms, shape, cells, offset as u64, bytes));
    }
    // An object that is zero everywhere reads as zero at every offset.
    let is_zero = (cells[..shape.cells.len()].iter()).all(|&cell| terms.is_zero(cell));
    is_zero.then(|| terms.constant(0, bytes * 8))
}
