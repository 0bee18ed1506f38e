//! Lemmas on demand: constraints between reads of large objects and the writes before them.
//!
//! A model of a formula gives the read words arbitrary values. Each is compared with the value of the chain
//! of writes under the model (`overlay.rs`); if they differ, lemmas that the model violates are
//! added. A lemma holds in every run: the memory of the run satisfies it, since each read returns the value
//! written last. So a formula that is unsatisfiable with some of the lemmas has no run.
//!
//! Brummayer and Biere, *Lemmas on demand for the extensional theory of arrays* (SMT 2008). At a merger of
//! paths, the read of the merged contents has a word of its own, equal to a choice between the reads of both
//! sides, so that there is one lemma per merger and not one per path.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use craig_word::{Evaluator, Node, Op, Term, mask};

use crate::symbolic::free_values::FreeValues;
use crate::symbolic::lemmas::explain;
use crate::symbolic::overlay::{ChainId, Link, Read};
use crate::symbolic::wrong_read::{Other, ReadStop, Route, Single, Wrong};
use crate::symbolic::{Executor, overlap};
use craig_c_lang::ir::Shape;

/// The result for a model.
pub enum Checked {
    /// A model under which the formula holds and every read returns the value written.
    Consistent(FreeValues),
    /// Lemmas that the model violates: at least one, all of them new.
    Violated(Vec<Term>),
}

/// Compares reads with models, and stores the lemmas already added.
#[derive(Default)]
pub struct Consistency {
    known: HashSet<Term>,
}

impl Consistency {
    /// Compares the reads with a model of `root`, given by the values of the solver's variables.
    pub fn check(
        &mut self,
        executor: &mut Executor<'_>,
        root: Term,
        model: &HashMap<Term, u128>,
    ) -> Checked {
        // The model's inputs may give a run if the reads are recomputed.
        let has_copies = !executor.overlays.copies.is_empty();
        if let Some(values) = Pass::repair(executor, root, model) {
            return Checked::Consistent(values);
        }
        let mut pass = Pass::new(executor, model);
        pass.run(false);
        let relevant = pass.relevant(root);
        let wrong = std::mem::take(&mut pass.wrong);
        drop(pass);
        let lemmas = self.lemmas(executor, &wrong, &relevant);
        // Of what is copied with an open length, not all is known.
        if lemmas.is_empty() && has_copies {
            return Checked::Consistent(FreeValues {
                values: model.clone(),
                blanks: HashMap::new(),
            });
        }
        // Otherwise the model would satisfy all constraints on a read whose value is wrong.
        assert!(
            !lemmas.is_empty(),
            "an inconsistent model violates a new lemma"
        );
        Checked::Violated(lemmas)
    }

    /// New lemmas about wrong reads: about relevant ones and the reads that explain them; if there is no new
    /// lemma about these, about all.
    fn lemmas(
        &mut self,
        executor: &mut Executor<'_>,
        wrong: &[Wrong],
        relevant: &HashSet<Term>,
    ) -> Vec<Term> {
        let number: HashMap<Term, usize> = (wrong.iter().enumerate())
            .map(|(index, wrong)| (wrong.route.read.term, index))
            .collect();
        let mut is_done = vec![false; wrong.len()];
        let mut queue: Vec<usize> = (0..wrong.len())
            .filter(|&index| relevant.contains(&wrong[index].route.read.term))
            .collect();
        let mut new = Vec::new();
        loop {
            while let Some(index) = queue.pop() {
                if std::mem::replace(&mut is_done[index], true) {
                    continue;
                }
                let mut lemmas = Vec::new();
                explain(executor, &wrong[index], &mut lemmas);
                let before = new.len();
                for &lemma in &lemmas {
                    if !executor.terms.is_true(lemma) && self.known.insert(lemma) {
                        new.push(lemma);
                    }
                }
                if new.len() == before {
                    // Then the words that explain it are wrong.
                    let cone = executor.terms.cone(&lemmas, |_| false);
                    queue.extend(cone.iter().filter_map(|term| number.get(term)));
                }
            }
            if !new.is_empty() || is_done.iter().all(|&done| done) {
                return new;
            }
            queue.extend(0..wrong.len());
        }
    }
}

// ---- reads under a model ---------------------------------------------------------------------------

/// The number of a read, and its value in the model.
#[derive(Clone, Copy)]
struct Reader {
    number: usize,
    own: u128,
}

/// The value that a read returns under a model.
enum Found {
    Value(u128),
    /// A free word of the object's initial contents without an earlier read.
    Free(Term),
    /// Outside of the object: any value.
    Anything,
}

/// Evaluates the reads under a model, in the order of their creation: all terms of a chain are older than the
/// reads of it.
struct Pass<'e, 'p> {
    executor: &'e Executor<'p>,
    model: &'e HashMap<Term, u128>,
    evaluator: Evaluator<'e>,
    /// Values of variables without a value in the model.
    chosen: HashMap<Term, u128>,
    /// The reads that determine free cells.
    deciding: HashMap<Term, Read>,
    /// The bytes of objects without cells that reads determine, with the numbers of those reads.
    bytes: HashMap<(ChainId, u64), (u8, usize)>,
    wrong: Vec<Wrong>,
    /// Whether some read leads behind a copy, and is not known to have the value there.
    has_untied: bool,
}

impl<'e, 'p> Pass<'e, 'p> {
    fn new(executor: &'e Executor<'p>, model: &'e HashMap<Term, u128>) -> Self {
        Self {
            executor,
            model,
            evaluator: Evaluator::new(&executor.terms, move |term, _| {
                model.get(&term).copied().unwrap_or(0)
            }),
            chosen: HashMap::new(),
            deciding: HashMap::new(),
            bytes: HashMap::new(),
            wrong: Vec::new(),
            has_untied: false,
        }
    }

    /// The values of a model in which every read is recomputed, if the root holds under them.
    fn repair(
        executor: &'e Executor<'p>,
        root: Term,
        model: &'e HashMap<Term, u128>,
    ) -> Option<FreeValues> {
        let mut pass = Self::new(executor, model);
        pass.run(true);
        if pass.evaluator.value(root) == 0 || pass.has_untied || !pass.copies_are_right() {
            return None;
        }
        let mut values = model.clone();
        values.extend(pass.chosen);
        let mut blanks: HashMap<Term, BTreeMap<u64, u8>> = HashMap::new();
        for ((blank, offset), (byte, _)) in pass.bytes {
            if let Link::Blank {
                owner: Some(owner), ..
            } = *executor.overlays.link(blank)
                && byte != 0
            {
                blanks.entry(owner).or_default().insert(offset, byte);
            }
        }
        Some(FreeValues { values, blanks })
    }

    fn choose(&mut self, term: Term, value: u128) {
        self.evaluator.set(term, value);
        self.chosen.insert(term, value);
    }

    /// Evaluates all reads. Those without a value in the model get the computed one, and so do all of them
    /// with `repairs`; otherwise differences are recorded.
    fn run(&mut self, repairs: bool) {
        let executor = self.executor;
        for (number, read) in executor.overlays.reads().iter().enumerate() {
            let own = self.model.get(&read.term).copied();
            let route = self.route(read);
            let mut others = BTreeSet::new();
            let is_untied = self.is_untied(&route, own);
            self.has_untied |= is_untied;
            let reader = Reader {
                number,
                own: own.unwrap_or(0),
            };
            let value = match self.find(&route, reader, &mut others) {
                Found::Value(value) => value,
                Found::Anything => own.unwrap_or(0),
                Found::Free(piece) => {
                    let value = own.unwrap_or(0);
                    self.choose(piece, value);
                    self.deciding.insert(piece, *read);
                    value
                }
            };
            match own {
                Some(own) if !repairs => {
                    if own != value || is_untied {
                        let earlier = self.earlier(&route);
                        let others = (others.into_iter())
                            .map(|(number, offset)| self.other(number, offset))
                            .collect();
                        self.wrong.push(Wrong {
                            route,
                            earlier,
                            others,
                        });
                    }
                    self.evaluator.set(read.term, own);
                }
                _ => self.choose(read.term, value),
            }
        }
    }

    /// Whether a read leads behind a copy, and nothing says that it has the value there.
    fn is_untied(&self, route: &Route, own: Option<u128>) -> bool {
        let Some(&ReadStop::Base(base)) = route.stops.last() else {
            return false;
        };
        let Read {
            chain,
            offset,
            bytes,
            ..
        } = route.read;
        if base == chain || self.executor.overlays.copies.at(base).is_none() {
            return false;
        }
        let Some(word) = self.executor.overlays.word(base, offset, bytes) else {
            return true;
        };
        let known = self.evaluator.known(word);
        known.or_else(|| self.model.get(&word).copied()) != own
    }

    /// Whether reads behind copies have the values that their lemmas give them.
    fn copies_are_right(&mut self) -> bool {
        let executor = self.executor;
        let mut reads = executor.overlays.reads().iter();
        executor.overlays.copies.is_empty()
            || reads.all(|read| {
                let value = executor.overlays.copies.value(read.term);
                value.is_none_or(|value| {
                    self.evaluator.value(value) == self.evaluator.value(read.term)
                })
            })
    }

    /// The route of the read that determines the free cell to which this one leads.
    fn earlier(&mut self, route: &Route) -> Option<Route> {
        let &ReadStop::Base(base) = route.stops.last()? else {
            return None;
        };
        let piece = self.piece(base, route.offset as u64, route.read.bytes)?;
        let earlier = *self.deciding.get(&piece)?;
        Some(self.route(&earlier))
    }

    /// The route of the read that determines a byte of an object without cells.
    fn other(&mut self, number: usize, offset: u64) -> Other {
        let read = self.executor.overlays.reads()[number];
        let route = self.route(&read);
        let byte = matches!(route.stops.last(), Some(ReadStop::Split)).then(|| {
            let chain = (route.stops.iter()).fold(read.chain, |chain, stop| match *stop {
                ReadStop::Join(join, is_first) => side(self.executor, join, is_first),
                _ => chain,
            });
            let offset = u128::from(offset);
            Single {
                place: (offset - route.offset) as u32,
                chain,
                stops: self.stops(chain, offset, 1),
            }
        });
        Other { route, byte }
    }

    /// The first link from a chain on that affects `bytes` bytes at an offset.
    fn stop(&mut self, chain: ChainId, offset: u128, bytes: u32) -> ReadStop {
        let mut at = chain;
        loop {
            match *self.executor.overlays.link(at) {
                Link::Base { .. } | Link::Blank { .. } => return ReadStop::Base(at),
                Link::Join { choose, .. } => {
                    return ReadStop::Join(at, self.evaluator.value(choose) == 1);
                }
                Link::Write {
                    before,
                    condition,
                    offset: other,
                    bytes: other_bytes,
                    ..
                } => {
                    if self.evaluator.value(condition) == 1 {
                        let width = self.executor.terms.width(other);
                        let start = self.evaluator.value(other);
                        let distance = offset.wrapping_sub(start) & mask(width);
                        if distance + u128::from(bytes) <= u128::from(other_bytes) {
                            return ReadStop::Hit(at, distance as u32);
                        }
                        if overlap::overlaps(distance, bytes, other_bytes, width) {
                            return ReadStop::Split;
                        }
                    }
                    at = before;
                }
            }
        }
    }

    fn route(&mut self, read: &Read) -> Route {
        let offset = self.evaluator.value(read.offset);
        Route {
            read: *read,
            offset,
            stops: self.stops(read.chain, offset, read.bytes),
        }
    }

    fn stops(&mut self, chain: ChainId, offset: u128, bytes: u32) -> Vec<ReadStop> {
        let mut stops = Vec::new();
        let mut at = chain;
        loop {
            let stop = self.stop(at, offset, bytes);
            stops.push(stop);
            match stop {
                ReadStop::Join(join, is_first) => at = side(self.executor, join, is_first),
                _ => return stops,
            }
        }
    }

    /// The value of a read. Bytes of objects without cells that no earlier read has determined are determined
    /// by this one. Also returns the reads that determined other values, with their positions.
    fn find(
        &mut self,
        route: &Route,
        reader: Reader,
        others: &mut BTreeSet<(usize, u64)>,
    ) -> Found {
        let Read { chain, bytes, .. } = route.read;
        let size = self.executor.overlays.size(chain);
        if route.offset + u128::from(bytes) > u128::from(size) {
            return Found::Anything;
        }
        match route.stops.last() {
            Some(&ReadStop::Base(base)) => {
                let piece = self.piece(base, route.offset as u64, bytes);
                if let Some(piece) = piece
                    && matches!(self.executor.terms.node(piece), Node::Var(_))
                    && !self.model.contains_key(&piece)
                    && self.evaluator.known(piece).is_none()
                {
                    return Found::Free(piece);
                }
                Found::Value(self.value(route, bytes, reader, others))
            }
            _ => Found::Value(self.value(route, bytes, reader, others)),
        }
    }

    /// The value within the object.
    fn value(
        &mut self,
        route: &Route,
        bytes: u32,
        reader: Reader,
        others: &mut BTreeSet<(usize, u64)>,
    ) -> u128 {
        match route.stops.last() {
            Some(&ReadStop::Hit(write, from)) => {
                let Link::Write { value, .. } = *self.executor.overlays.link(write) else {
                    unreachable!("what is hit is a write")
                };
                self.evaluator.value(value) >> (8 * from) & mask(8 * bytes)
            }
            Some(&ReadStop::Base(base)) => {
                let executor = self.executor;
                let (shape, cells) = match executor.overlays.link(base) {
                    Link::Base { shape, cells } => (shape, cells),
                    Link::Blank { owner: None, .. } => return 0,
                    _ => {
                        let from = route.offset as u64;
                        return self.blank_value((base, from), bytes, reader, others);
                    }
                };
                let mut value = 0;
                for place in 0..bytes {
                    let offset = route.offset as u64 + u64::from(place);
                    let index = shape.cell_at(offset);
                    let shift = 8 * (offset - shape.cells[index].0) as u32;
                    let byte = self.evaluator.value(cells[index]) >> shift & 0xff;
                    value |= byte << (8 * place);
                }
                value
            }
            _ => {
                // Single bytes are never split.
                let mut value = 0;
                for place in 0..bytes {
                    let offset = route.offset + u128::from(place);
                    let single = Route {
                        offset,
                        stops: self.stops(route.read.chain, offset, 1),
                        ..*route
                    };
                    let reader = Reader {
                        own: reader.own >> (8 * place),
                        ..reader
                    };
                    value |= self.value(&single, 1, reader, others) << (8 * place);
                }
                value
            }
        }
    }

    /// The value in an object without cells.
    fn blank_value(
        &mut self,
        (blank, from): (ChainId, u64),
        bytes: u32,
        reader: Reader,
        others: &mut BTreeSet<(usize, u64)>,
    ) -> u128 {
        let mut value = 0;
        for place in 0..bytes {
            let offset = from + u64::from(place);
            let own = (reader.own >> (8 * place)) as u8;
            let &mut (byte, other) =
                (self.bytes.entry((blank, offset))).or_insert((own, reader.number));
            if byte != own {
                others.insert((other, offset));
            }
            value |= u128::from(byte) << (8 * place);
        }
        value
    }

    /// The cell of a base that is exactly the range read.
    fn piece(&self, base: ChainId, offset: u64, bytes: u32) -> Option<Term> {
        let Link::Base { shape, cells } = self.executor.overlays.link(base) else {
            return None;
        };
        piece(shape, cells, offset, bytes)
    }

    // ---- what a model's verdict depends on ---------------------------------------------------------

    /// The reads on which the value of a term depends: if one operand determines it, the other is irrelevant.
    fn relevant(&mut self, root: Term) -> HashSet<Term> {
        let executor = self.executor;
        let terms = &executor.terms;
        let reads: HashMap<Term, &Read> = (executor.overlays.reads().iter())
            .map(|read| (read.term, read))
            .collect();
        let mut relevant = HashSet::new();
        let mut seen = HashSet::new();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            match terms.node(term) {
                Node::Var(_) => {
                    if let Some(read) = reads.get(&term) {
                        relevant.insert(term);
                        stack.push(read.offset);
                        stack.extend(executor.overlays.copies.value(term));
                        self.way(read, &mut stack);
                    }
                }
                Node::Binary(Op::And, a, b)
                    if terms.width(term) == 1 && self.evaluator.value(term) == 0 =>
                {
                    let deciding = |&operand: &Term| self.evaluator.known(operand) == Some(0);
                    let is_seen = [a, b]
                        .iter()
                        .filter(|&operand| deciding(operand))
                        .any(|operand| seen.contains(operand));
                    if !is_seen {
                        stack.extend([a, b].into_iter().find(deciding));
                    }
                }
                Node::Ite(c, a, b) => {
                    let side = if self.evaluator.value(c) == 1 { a } else { b };
                    stack.extend([c, side]);
                }
                _ => terms.operands(term, |operand| stack.push(operand)),
            }
        }
        relevant
    }

    /// The terms that determine where a read ends, and its value there.
    fn way(&mut self, read: &Read, needed: &mut Vec<Term>) {
        let executor = self.executor;
        let offset = self.evaluator.value(read.offset);
        let mut at = read.chain;
        loop {
            match *executor.overlays.link(at) {
                Link::Base {
                    ref shape,
                    ref cells,
                } => {
                    if let Some(piece) = piece(shape, cells, offset as u64, read.bytes) {
                        needed.push(piece);
                    }
                    return;
                }
                Link::Blank { .. } => {
                    needed.extend(executor.overlays.word(at, read.offset, read.bytes));
                    return;
                }
                Link::Join { choose, .. } => {
                    needed.push(choose);
                    let is_first = self.evaluator.value(choose) == 1;
                    at = side(executor, at, is_first);
                }
                Link::Write {
                    before,
                    condition,
                    offset: other,
                    bytes,
                    value,
                    ..
                } => {
                    let is_written = self.evaluator.value(condition) == 1;
                    needed.push(if is_written { other } else { condition });
                    if is_written {
                        let width = executor.terms.width(other);
                        let distance =
                            offset.wrapping_sub(self.evaluator.value(other)) & mask(width);
                        if overlap::overlaps(distance, read.bytes, bytes, width) {
                            needed.extend([condition, value]);
                        }
                        if distance + u128::from(read.bytes) <= u128::from(bytes) {
                            return;
                        }
                    }
                    at = before;
                }
            }
        }
    }
}

/// One side of a merger.
fn side(executor: &Executor<'_>, join: ChainId, is_first: bool) -> ChainId {
    match *executor.overlays.link(join) {
        Link::Join { first, second, .. } => {
            if is_first {
                first
            } else {
                second
            }
        }
        _ => unreachable!("paths meet in joins"),
    }
}

/// The cell that is exactly `bytes` bytes at an offset.
fn piece(shape: &Shape, cells: &[Term], offset: u64, bytes: u32) -> Option<Term> {
    if offset.checked_add(u64::from(bytes))? > shape.size {
        return None;
    }
    let index = shape.cell_at(offset);
    (shape.cells[index] == (offset, bytes)).then(|| cells[index])
}
