//! Words that are numbers or unknown, and a memory of them: the domain of `single_run`.

use std::collections::{BTreeMap, HashMap};

use craig_word::{Op, Term, Terms, binary, from_signed, mask, to_signed};

use crate::concrete::machine::{Allocation, Domain, Frame, GhostMemory, Located, Site, Stepped};
use craig_c_lang::address_space::{AddressSpace, ObjectId};
use craig_c_lang::float;
use craig_c_lang::float::Rounding;
use craig_c_lang::host_function::HostFunction;
use craig_c_lang::ir::*;
use craig_c_lang::types::FloatType;

/// The maximal number of bytes of all objects.
pub(crate) const MAX_BYTES: u64 = 1 << 29;

/// A word, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    Known(u128),
    Free(Term),
}

/// The contents of an object.
#[derive(Clone, PartialEq, Eq)]
struct PartlyKnownBytes {
    bytes: Vec<u8>,
    /// Which bytes are unknown.
    is_free: Vec<bool>,
    /// The terms of unknown words, by their offsets, with their sizes. Unknown bytes outside of such words
    /// are arbitrary.
    free: BTreeMap<u64, (Term, u32)>,
    is_alive: bool,
    is_freed: bool,
}

/// All objects of a run.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    /// By object.
    objects: Vec<PartlyKnownBytes>,
    /// Objects of calls that have returned, by function and slot; later calls reuse them.
    spare: HashMap<(FunctionId, SlotId), Vec<ObjectId>>,
    n_bytes: u64,
}

impl Memory {
    /// The bytes of all objects.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    fn push(&mut self, size: u64, is_free: bool) -> Stepped<()> {
        let n_bytes = self.n_bytes.checked_add(size);
        self.n_bytes = n_bytes.ok_or("more memory than there is")?;
        if self.n_bytes > MAX_BYTES {
            return Err("too much memory".into());
        }
        self.objects.push(PartlyKnownBytes {
            bytes: vec![0; size as usize],
            is_free: vec![is_free; size as usize],
            free: BTreeMap::new(),
            is_alive: true,
            is_freed: false,
        });
        Ok(())
    }
}

/// The domain of a run with unknown inputs.
pub(crate) struct PartlyKnown<'p> {
    program: &'p Program,
    terms: Terms,
    space: AddressSpace,
    pub(crate) memory: Memory,
    /// What stands for bytes of addresses: the address, and the first of the bytes.
    pieces: HashMap<Term, (u64, u32)>,
    /// These terms by the address, the first byte and the number of bytes: equal states have equal terms.
    terms_of_pieces: HashMap<(u64, u32, u32), Term>,
}

impl<'p> PartlyKnown<'p> {
    /// The address whose pieces some bytes are, one after the other.
    fn joined(&self, object: usize, offset: u64, bytes: u32) -> Option<u64> {
        let contents = &self.memory.objects[object];
        let (mut at, mut whole) = (0, None);
        while at < bytes {
            let (term, size) = contents.free.get(&(offset + u64::from(at)))?;
            let &(address, from) = self.pieces.get(term)?;
            if from != at || whole.is_some_and(|whole| whole != address) {
                return None;
            }
            whole = Some(address);
            at += size;
        }
        whole.filter(|_| at == bytes && bytes == self.space.width / 8)
    }

    /// The memory before the first step, or why the static objects do not fit.
    pub(crate) fn new(program: &'p Program) -> Stepped<Self> {
        let mut memory = Memory::default();
        for object in &program.statics {
            memory.push(object.shape.size, object.external)?;
        }
        for _ in &program.functions {
            memory.push(0, false)?;
        }
        Ok(Self {
            program,
            terms: Terms::new(),
            space: AddressSpace::new(program)?,
            memory,
            pieces: HashMap::new(),
            terms_of_pieces: HashMap::new(),
        })
    }

    /// The number of terms so far.
    pub(crate) fn n_terms(&self) -> usize {
        self.terms.n_terms()
    }

    /// An unknown value.
    fn any(&mut self, width: u32) -> Word {
        Word::Free(self.terms.variable(width))
    }

    fn term(&mut self, word: Word, width: u32) -> Term {
        match word {
            Word::Known(value) => self.terms.constant(value, width),
            Word::Free(term) => term,
        }
    }

    /// A term, or the number to which it was simplified.
    fn word(&self, term: Term) -> Word {
        (self.terms.constant_value(term)).map_or(Word::Free(term), Word::Known)
    }

    fn create(&mut self, size: u64, is_free: bool) -> Stepped<u64> {
        let object = self.space.add(Shape::opaque(size), 1)?;
        self.memory.push(size, is_free)?;
        debug_assert_eq!(self.memory.objects.len(), object as usize + 1);
        Ok(self.space.objects[object as usize].base)
    }

    /// The object that contains all of the bytes, and their offset in it.
    fn find(&self, address: u64, bytes: u64) -> Option<(usize, usize)> {
        let object = self.space.object_at(address)? as usize;
        let contents = &self.memory.objects[object];
        let offset = address.checked_sub(self.space.objects[object].base)?;
        let end = offset.checked_add(bytes)?;
        (contents.is_alive && end <= contents.bytes.len() as u64)
            .then_some((object, offset as usize))
    }
}

impl PartlyKnown<'_> {
    /// Whether one of the two objects at these addresses has ended, so that both may have had the same
    /// address.
    fn may_meet(&self, x: u64, y: u64) -> bool {
        match (self.space.object_at(x), self.space.object_at(y)) {
            (Some(a), Some(b)) if a != b => [a, b].iter().any(|&object| {
                let contents = &self.memory.objects[object as usize];
                contents.is_freed || !contents.is_alive
            }),
            _ => false,
        }
    }

    /// Fails if an address is in an object that has ended.
    fn avoid_the_dead(&self, address: u64) -> Stepped<()> {
        match self.space.object_at(address) {
            Some(object) if !self.memory.objects[object as usize].is_alive => Err(self.unknown()),
            _ => Ok(()),
        }
    }
}

/// Programs with ghost instructions are decided elsewhere, but for comparisons.
impl GhostMemory for PartlyKnown<'_> {
    fn compared(&self, address: u64) -> Stepped<Option<Located>> {
        let object = self.space.object_at(address);
        let is_data = |&object: &u32| self.space.objects[object as usize].function.is_none();
        let located = |object: u32| Located {
            base: self.space.objects[object as usize].base,
            size: self.memory.objects[object as usize].bytes.len() as u64,
            is_alive: self.memory.objects[object as usize].is_alive,
            is_dynamic: false,
        };
        Ok(object.filter(is_data).map(located))
    }
}

impl Domain for PartlyKnown<'_> {
    const IS_GENERAL: bool = true;

    fn word_at(&self, address: u64, length: u32) -> Option<u64> {
        let (object, offset) = self.find(address, u64::from(length))?;
        let contents = &self.memory.objects[object];
        let range = offset..offset + length as usize;
        let is_known = !contents.is_free[range.clone()].contains(&true);
        let bytes = contents.bytes[range].iter().rev();
        match is_known {
            true => Some(bytes.fold(0, |sum, &byte| sum << 8 | u64::from(byte))),
            false => self.joined(object, offset as u64, length),
        }
    }

    fn piece(&mut self, address: u64, from: u32, bytes: u32) -> Option<Word> {
        if let Some(&known) = self.terms_of_pieces.get(&(address, from, bytes)) {
            return Some(Word::Free(known));
        }
        let piece = self.terms.variable(bytes * 8);
        self.terms_of_pieces.insert((address, from, bytes), piece);
        self.pieces.insert(piece, (address, from));
        Some(Word::Free(piece))
    }

    type Word = Word;

    const MAX_FRAMES: usize = 1 << 22;

    fn space(&self) -> &AddressSpace {
        &self.space
    }

    fn constant(&self, value: u128) -> Word {
        Word::Known(value)
    }

    fn value(&self, word: Word) -> Option<u128> {
        match word {
            Word::Known(value) => Some(value),
            Word::Free(_) => None,
        }
    }

    fn not(&mut self, word: Word, width: u32) -> Word {
        match word {
            Word::Known(value) => Word::Known(!value & mask(width)),
            Word::Free(term) => Word::Free(self.terms.not(term)),
        }
    }

    fn binary(&mut self, op: Op, a: Word, b: Word, width: u32) -> Word {
        if let (Word::Known(a), Word::Known(b)) = (a, b) {
            if width == self.space.width
                && matches!(op, Op::Eq | Op::Ult | Op::Slt | Op::Sub)
                && self.may_meet(a as u64, b as u64)
            {
                return self.any(if op == Op::Sub { width } else { 1 });
            }
            return Word::Known(binary(op, a, b, width));
        }
        let (a, b) = (self.term(a, width), self.term(b, width));
        let term = self.terms.binary(op, a, b);
        self.word(term)
    }

    fn select(&mut self, condition: Word, (a, b): (Word, Word), width: u32) -> Word {
        let condition = self.term(condition, 1);
        let (a, b) = (self.term(a, width), self.term(b, width));
        let term = self.terms.ite(condition, a, b);
        self.word(term)
    }

    fn extract(&mut self, word: Word, low: u32, width: u32) -> Word {
        match word {
            Word::Known(value) => Word::Known(value >> low & mask(width)),
            Word::Free(term) => {
                let term = self.terms.extract(term, low, width);
                self.word(term)
            }
        }
    }

    fn zero_extend(&mut self, word: Word, width: u32) -> Word {
        match word {
            Word::Free(term) => {
                let term = self.terms.zext(term, width);
                self.word(term)
            }
            known => known,
        }
    }

    fn sign_extend(&mut self, word: Word, from: u32, width: u32) -> Word {
        match word {
            Word::Known(value) => Word::Known(from_signed(to_signed(value, from), width)),
            Word::Free(term) => {
                let term = self.terms.sext(term, width);
                self.word(term)
            }
        }
    }

    fn float(
        &mut self,
        (op, format): (FloatOp, FloatType),
        operands: (Word, Word),
        mode: Word,
        from: u32,
        width: u32,
    ) -> Word {
        match (operands, mode) {
            ((Word::Known(a), Word::Known(b)), Word::Known(mode)) => {
                let mode = Rounding::of(mode);
                Word::Known(float::evaluate(op, format, mode, (a, b), from, width))
            }
            _ => self.any(width),
        }
    }

    fn load(&mut self, address: u64, bytes: u32, _: Site) -> Stepped<Word> {
        self.avoid_the_dead(address)?;
        let Some((object, offset)) = self.find(address, u64::from(bytes)) else {
            return Ok(self.any(bytes * 8));
        };
        let contents = &self.memory.objects[object];
        let range = offset..offset + bytes as usize;
        let n_free = contents.is_free[range.clone()]
            .iter()
            .filter(|&&is| is)
            .count();
        if n_free == 0 {
            let bytes = contents.bytes[range].iter().rev();
            let value = bytes.fold(0, |sum, &byte| sum << 8 | u128::from(byte));
            return Ok(Word::Known(value));
        }
        if let Some(&(term, size)) = contents.free.get(&(offset as u64))
            && size == bytes
        {
            return Ok(Word::Free(term));
        }
        if let Some(address) = self.joined(object, offset as u64, bytes) {
            return Ok(Word::Known(u128::from(address)));
        }
        let term = self.terms.variable(bytes * 8);
        // If all of the bytes are unknown, they keep the value that was read.
        let contents = &mut self.memory.objects[object];
        if n_free == bytes as usize && overlapping(contents, offset as u64, bytes).is_empty() {
            contents.free.insert(offset as u64, (term, bytes));
        }
        Ok(Word::Free(term))
    }

    fn store(&mut self, address: u64, value: Word, bytes: u32, _: Site) -> Stepped<()> {
        self.avoid_the_dead(address)?;
        let Some((object, offset)) = self.find(address, u64::from(bytes)) else {
            return Ok(());
        };
        let contents = &mut self.memory.objects[object];
        for start in overlapping(contents, offset as u64, bytes) {
            contents.free.remove(&start);
        }
        let range = offset..offset + bytes as usize;
        contents.is_free[range.clone()].fill(matches!(value, Word::Free(_)));
        // Unknown bytes are stored as 0, so that equal states compare equal.
        let known = match value {
            Word::Known(known) => known,
            Word::Free(term) => {
                contents.free.insert(offset as u64, (term, bytes));
                0
            }
        };
        for (index, byte) in contents.bytes[range].iter_mut().enumerate() {
            *byte = (known >> (8 * index)) as u8;
        }
        Ok(())
    }

    fn declare(&mut self, slot: SlotId, old: Option<u64>, site: Site) -> Stepped<u64> {
        let spare = self.memory.spare.get_mut(&(site.function, slot));
        let old = match old {
            Some(address) => self.space.object_at(address),
            None => spare.and_then(Vec::pop),
        };
        let function = &self.program.functions[site.function as usize];
        let of = &function.slots[slot as usize];
        // If a variable may keep its address, each instance has its own object.
        let Some(object) = old.filter(|_| !of.escapes) else {
            if let Some(object) = old {
                self.memory.objects[object as usize].is_alive = false;
            }
            return self.create(of.shape.size, true);
        };
        let contents = &mut self.memory.objects[object as usize];
        contents.bytes.fill(0);
        contents.is_free.fill(true);
        contents.free.clear();
        contents.is_alive = true;
        Ok(self.space.objects[object as usize].base)
    }

    fn end(&mut self, address: u64) {
        if let Some(object) = self.space.object_at(address) {
            self.memory.objects[object as usize].is_alive = false;
        }
    }

    fn allocate(&mut self, allocation: Allocation, _: Site) -> Stepped<u64> {
        self.create(allocation.size, !allocation.zeroed)
    }

    /// Freed memory keeps its contents.
    fn free(&mut self, address: Word) -> Stepped<()> {
        let Word::Known(address) = address else {
            return Err(self.unknown());
        };
        if let Some((object, 0)) = self.find(address as u64, 0) {
            self.memory.objects[object].is_freed = true;
        }
        Ok(())
    }

    fn havoc(&mut self, _: &str, roots: &[(u64, &Exposed)], _: Site) -> Stepped<()> {
        for &(address, exposed) in roots {
            match self.find(address, 0) {
                Some((object, _)) if exposed.has_numbers => {
                    let contents = &mut self.memory.objects[object];
                    contents.bytes.fill(0);
                    contents.is_free.fill(true);
                    contents.free.clear();
                }
                // Freeing null has no effect.
                None if address < self.space.page_size() => {}
                _ => return Err(self.unknown()),
            }
        }
        Ok(())
    }

    fn size_at(&self, address: u64) -> u64 {
        let found = self.find(address, 1);
        found.map_or(0, |(object, _)| {
            self.memory.objects[object].bytes.len() as u64
        })
    }

    fn leave(&mut self, frame: Frame<Word>) {
        for (slot, address) in frame.slots.into_iter().enumerate() {
            if let Some(object) = address.and_then(|address| self.space.object_at(address)) {
                self.memory.objects[object as usize].is_alive = false;
                let key = (frame.function, slot as SlotId);
                self.memory.spare.entry(key).or_default().push(object);
            }
        }
        for address in frame.allocated {
            self.end(address);
        }
    }

    fn access_error(&self, address: u64, bytes: u32) -> Option<CheckKind> {
        if self.find(address, u64::from(bytes)).is_some() {
            return None;
        }
        let is_null = address < self.space.page_size();
        Some(if is_null {
            CheckKind::Null
        } else {
            CheckKind::Outside
        })
    }

    fn may_free(&self, _: u64) -> Stepped<bool> {
        Err("this memory has no lifetimes".into())
    }

    fn is_all_freed(&mut self, _: Site) -> Stepped<bool> {
        Err("this memory has no lifetimes".into())
    }

    fn host(
        &mut self,
        (function, format): (HostFunction, FloatType),
        arguments: &[Word],
        width: u32,
    ) -> Stepped<Word> {
        let known: Option<Vec<u128>> = (arguments.iter())
            .map(|&argument| self.value(argument))
            .collect();
        let bounds = known.and_then(|known| function.bounds(format, &known));
        Ok(match bounds {
            Some((least, most)) if least == most => Word::Known(least),
            _ => self.any(width),
        })
    }

    fn choose(&mut self, _: &Choice, register: &Register, _: Site) -> Stepped<Word> {
        Ok(self.any(register.width))
    }
}

/// The offsets of unknown words that overlap a range.
fn overlapping(contents: &PartlyKnownBytes, offset: u64, bytes: u32) -> Vec<u64> {
    if contents.free.is_empty() {
        return Vec::new();
    }
    // No word has more than 16 bytes.
    let from = offset.saturating_sub(15);
    let range = contents.free.range(from..offset + u64::from(bytes));
    let touches = range.filter(|&(&start, &(_, size))| start + u64::from(size) > offset);
    touches.map(|(&start, _)| start).collect()
}
