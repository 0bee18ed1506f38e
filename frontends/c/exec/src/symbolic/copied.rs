//! Copies of open length: contents of an object of which a range is that of another one, or of one byte.
//!
//! The contents behind a copy are those of a chain of their own that starts with bytes like those of an object without cells.
//! What a read of that start returns is tied to the source and to the contents before by a lemma, as soon as there is such a
//! read: with those lemmas that are known, the formula has all runs that the program has, and perhaps more. So only a refutation
//! counts (compare the lambda terms of Preiner, Niemetz and Biere, *Lemmas on demand for lambdas*, DIFTS 2013).

use craig_c_lang::ir::ghost::CopiedBytes;
use craig_word::Term;

use super::copies::{Copied, Source};
use super::executor::{Executor, Supported};
use super::overlay::{ChainId, Read};
use super::state::State;

/// More lemmas are not added at once: a chain of copies within one object has exponentially many sources.
const MAX_LEMMAS: usize = 1 << 13;

impl Executor<'_> {
    /// Executes a copy of some bytes to an address, all of which are accessible.
    pub(super) fn copy_bytes(
        &mut self,
        state: &mut State,
        to: Term,
        (source, from): (CopiedBytes, Term),
        length: Term,
    ) -> Supported<()> {
        self.refuse_cuts()?;
        self.note_written(to)?;
        self.forget_element_reads();
        let always = self.terms.boolean(true);
        let mut origins = Vec::new();
        let source = match source {
            CopiedBytes::Value(_) => Source::Value(self.terms.extract(from, 0, 8)),
            CopiedBytes::At(_) => {
                let mut sources = Vec::new();
                for pointee in self.pointees(state, from, always)? {
                    if let Some(chain) = self.contents_of(state, pointee.object) {
                        origins.push((pointee.object, pointee.offset));
                        sources.push((pointee.here, chain, pointee.offset));
                    }
                }
                Source::Bytes(sources)
            }
        };
        for pointee in self.pointees(state, to, always)? {
            let object = pointee.object;
            let is_possible = self
                .guards
                .extend(&mut self.terms, state.guard, pointee.here);
            let Some(before) = self
                .contents_of(state, object)
                .filter(|_| is_possible.is_some())
            else {
                continue;
            };
            let copied = Copied {
                before,
                condition: pointee.here,
                offset: pointee.offset,
                length,
                source: source.clone(),
            };
            let chain = self.overlays.copy(&mut self.terms, copied);
            state.overlays.insert(object, chain);
            for &origin in &origins {
                self.note_addresses_of((object, pointee.offset), origin);
            }
        }
        Ok(())
    }

    /// The contents of an object that exists, as a chain.
    fn contents_of(&mut self, state: &State, object: u32) -> Option<ChainId> {
        let info = &self.space.objects[object as usize];
        let is_there = state.overlays.contains_key(&object) || !info.shape.is_opaque();
        let is_data = info.function.is_none() && is_there;
        is_data.then(|| self.chain_of(state, object)).flatten()
    }

    /// Lemmas about reads behind copies that have none yet, and about those that they name.
    pub fn copy_lemmas(&mut self) -> Vec<Term> {
        let mut lemmas = Vec::new();
        while lemmas.len() < MAX_LEMMAS
            && let Some(read) = self.overlays.copies.open.pop()
        {
            let Some(copied) = self.overlays.copies.at(read.chain).cloned() else {
                continue;
            };
            let value = self.copied_value(&copied, read);
            self.overlays.copies.values.insert(read.term, value);
            lemmas.push(self.terms.eq(read.term, value));
        }
        self.overlays.copies.open.clear();
        lemmas
    }

    /// What a read of the start of the contents behind a copy returns.
    fn copied_value(&mut self, copied: &Copied, read: Read) -> Term {
        let Read { offset, bytes, .. } = read;
        let width = self.space.width;
        let distance = self.terms.sub(offset, copied.offset);
        let is_whole = self.fits(distance, bytes, copied.length);
        let is_inside = self.terms.and(copied.condition, is_whole);
        let source = self.source_value(&copied.source, distance, read);
        let mut rest = self.read_chain(copied.before, offset, bytes);
        if bytes > 1 {
            // The first or the last bytes are copied, or some between them.
            let starts = self.terms.ult(distance, copied.length);
            let behind = self.terms.sub(copied.offset, offset);
            let n_bytes = self.terms.constant(u128::from(bytes), width);
            let ends = self.terms.ult(behind, n_bytes);
            let reaches = self.terms.or(starts, ends);
            let is_part = self.terms.not(is_whole);
            let is_part = self.terms.and(is_part, reaches);
            let is_part = self.terms.and(is_part, copied.condition);
            if !self.terms.is_zero(is_part) {
                let parts = self.by_bytes(read);
                rest = self.terms.ite(is_part, parts, rest);
            }
        }
        self.terms.ite(is_inside, source, rest)
    }

    /// What a read returns, byte by byte.
    fn by_bytes(&mut self, read: Read) -> Term {
        let mut whole = self.read_chain(read.chain, read.offset, 1);
        for place in 1..read.bytes {
            let place = self.terms.constant(u128::from(place), self.space.width);
            let offset = self.terms.add(read.offset, place);
            let byte = self.read_chain(read.chain, offset, 1);
            whole = self.terms.concat(byte, whole);
        }
        whole
    }

    /// The bytes at a distance in the source of a copy; any value where there is no source.
    fn source_value(&mut self, source: &Source, distance: Term, read: Read) -> Term {
        match source {
            Source::Value(byte) => {
                let mut value = *byte;
                for _ in 1..read.bytes {
                    value = self.terms.concat(*byte, value);
                }
                value
            }
            Source::Bytes(sources) => {
                let mut value = read.term;
                for &(condition, chain, start) in sources {
                    let offset = self.terms.add(start, distance);
                    let own = self.read_chain(chain, offset, read.bytes);
                    value = self.terms.ite(condition, own, value);
                }
                value
            }
        }
    }
}
