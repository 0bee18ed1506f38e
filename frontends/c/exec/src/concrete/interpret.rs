//! Runs the lowered program on numbers, to check counterexamples. It shares only the program and the
//! addresses of static objects with symbolic execution.

mod ghost;
mod lines;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use craig_word::{Op, binary, from_signed, mask, to_signed};

pub use self::lines::{AllocatedMemory, Line};
pub(crate) use self::lines::{Input, show_value};
use crate::concrete::machine::{
    Allocation, Domain, End, Frame, GhostMemory, LOST, Machine, Site, Stepped, Stop,
};
use crate::concrete::memo::Memo;
use crate::concrete::object_bytes::ObjectBytes;
use craig_c_lang::address_space::{AddressSpace, REACH_BEHIND};
use craig_c_lang::float;
use craig_c_lang::float::Rounding;
use craig_c_lang::host_function::HostFunction;
use craig_c_lang::ir::*;
use craig_c_lang::types::{FloatType, Type};

/// Supplies the values that the program does not determine: inputs, uninitialised contents, addresses.
pub trait Oracle {
    /// A value of `width` bits.
    fn choose(&mut self, kind: &Choice, width: u32, at: Location) -> Result<u128, String>;
    /// The address and contents of a new object with a size and an alignment.
    fn create(&mut self, layout: (u64, u64), at: Location) -> Result<(u64, ObjectBytes), String>;
    /// The value of a read from outside of every object; `is_behind`: of one behind allocated memory that lives.
    fn outside(&mut self, width: u32, at: Location, is_behind: bool) -> Result<u128, String>;
    /// The objects that a function without body changes, among those reachable from its arguments.
    fn changes(&mut self, _: Location) -> Vec<Changed> {
        Vec::new()
    }
    /// What a specification makes of the object at an address, if that is what comes next.
    fn next_change(&mut self, _base: u64, _at: Location) -> Option<Changed> {
        None
    }
}

/// New contents of an object.
pub struct Changed {
    /// The address of the object.
    pub(crate) base: u64,
    /// Its bytes, by offset; missing ones are 0.
    pub(crate) bytes: Vec<(u64, u8)>,
    /// The offsets of those that change; all, if there is none.
    pub(crate) part: Option<Range<u64>>,
}

impl Changed {
    /// Gives an object the contents.
    fn apply(&self, object: &mut ObjectBytes) {
        let size = object.size();
        let part = match &self.part {
            None => {
                *object = ObjectBytes::zeros(size);
                0..size
            }
            Some(part) => {
                let old = object.nonzero().into_iter();
                old.filter(|(offset, _)| part.contains(offset))
                    .for_each(|(offset, _)| object.set(offset, 0));
                part.start..part.end.min(size)
            }
        };
        let new = self.bytes.iter().filter(|(at, _)| part.contains(at));
        new.for_each(|&(offset, byte)| object.set(offset, byte));
    }
}

/// An object, with its name in reports.
struct NamedObject {
    name: String,
    ty: Option<Type>,
    bytes: ObjectBytes,
}

/// Memory as bytes, and the values that an oracle chooses.
struct Numbers<'p, O> {
    program: &'p Program,
    space: AddressSpace,
    oracle: O,
    /// Living objects, by address.
    objects: BTreeMap<u64, NamedObject>,
    /// The sizes of objects whose lifetime has ended, by address; only if lifetimes are tracked.
    ended: BTreeMap<u64, u64>,
    /// Objects that may be freed, with the position of their allocation.
    allocated: BTreeMap<u64, Location>,
    /// All objects that were ever allocated on the heap.
    was_allocated: BTreeSet<u64>,
    /// The objects that existed when write sets were opened.
    before_sets: BTreeMap<u32, BTreeSet<u64>>,
    /// The number of allocated objects; each has its number in its name.
    n_allocated: u32,
    lines: Vec<Line>,
    /// What was allocated behind the last line.
    fresh: Vec<AllocatedMemory>,
}

/// A run on numbers.
pub struct Interpreter<'p, O: Oracle> {
    machine: Machine<'p, Numbers<'p, O>>,
}

/// The step limit of a run.
const MAX_STEPS: u64 = 50_000_000;

impl<'p, O: Oracle> Interpreter<'p, O> {
    /// An error if the static objects do not fit into the address space, or the oracle does not support them.
    pub fn new(program: &'p Program, oracle: O) -> Result<Self, String> {
        let mut memory = Numbers {
            program,
            space: AddressSpace::new(program)?,
            oracle,
            objects: BTreeMap::new(),
            ended: BTreeMap::new(),
            allocated: BTreeMap::new(),
            was_allocated: BTreeSet::new(),
            before_sets: BTreeMap::new(),
            n_allocated: 0,
            lines: Vec::new(),
            fresh: Vec::new(),
        };
        for (id, object) in program.statics.iter().enumerate() {
            let base = memory.space.static_address(id as u32);
            let size = object.shape.size;
            let bytes = if object.external {
                let layout = (size, object.align);
                memory.oracle.create(layout, Location::default())?.1
            } else {
                ObjectBytes::zeros(size)
            };
            memory.insert(base, object.name.clone(), object.ty.clone(), bytes);
        }
        let machine = Machine::new(program, memory);
        Ok(Self { machine })
    }

    /// From now on, calls are not executed whose results are known from earlier ones ([`Memo`]).
    pub(crate) fn keep_results(&mut self) {
        self.machine.memo = Memo::new(self.machine.domain.program);
    }

    /// Runs to the end, or until the control stops it.
    pub(crate) fn run(&mut self, stop: &craig_model::Stop) -> Result<End, String> {
        let end = self.run_steps(MAX_STEPS, stop)?;
        end.ok_or_else(|| "the replay takes too long".into())
    }

    /// Takes at most `most` steps; `None` if the run has not ended.
    pub fn run_steps(
        &mut self,
        most: u64,
        stop: &craig_model::Stop,
    ) -> Result<Option<End>, String> {
        let machine = &mut self.machine;
        loop {
            if machine.n_steps >= most && !machine.frames.is_empty() {
                return Ok(None);
            }
            if (machine.n_steps + 1).is_multiple_of(4096)
                && let Some(reason) = stop.reason()
            {
                return Err(format!("the replay was stopped: {reason}"));
            }
            match machine.step() {
                Ok(()) => {}
                Err(Stop::End(end)) => return Ok(Some(end)),
                Err(Stop::Failed(reason)) => return Err(reason),
            }
        }
    }

    /// The goals that the run has passed.
    pub(crate) fn passed(&self) -> &HashSet<(Location, CheckKind)> {
        &self.machine.passed
    }

    /// The steps of the run, for reports.
    pub(crate) fn into_lines(mut self) -> Vec<Line> {
        // What was allocated last is that of the end, which is no line.
        let domain = &mut self.machine.domain;
        if let Some(last) = domain.lines.last_mut() {
            last.allocated.append(&mut domain.fresh);
        }
        self.machine.domain.lines
    }
}

/// The maximal number of bytes searched for addresses to find lost memory.
const MAX_SEARCHED: u64 = 1 << 22;

impl<O: Oracle> Numbers<'_, O> {
    /// The positions of allocations of lost memory, when `main` has returned: neither a static object nor
    /// memory reachable from one contains an address in it. Nothing is reported as lost if calls are active,
    /// since their registers may hold addresses.
    fn lost(&self, site: Site) -> BTreeSet<Location> {
        let sizes = self.objects.values().map(|object| object.bytes.size());
        if !self.program.tells_lost || site.depth > 1 || sizes.sum::<u64>() > MAX_SEARCHED {
            return BTreeSet::new();
        }
        let mut lost: BTreeMap<u64, Location> = self.allocated.clone();
        let roots = self.objects.keys().filter(|base| !lost.contains_key(base));
        let mut open: Vec<u64> = roots.copied().collect();
        let bytes = self.program.pointer_width / 8;
        while let Some(base) = open.pop() {
            let object = &self.objects[&base];
            for offset in 0..(object.bytes.size() + 1).saturating_sub(u64::from(bytes)) {
                let address = object.bytes.read(offset, bytes) as u64;
                // The address one past the end is still a pointer to the object.
                let before = lost.range(..=address).next_back();
                let held = before.map(|(&base, _)| base).filter(|base| {
                    (self.objects.get(base))
                        .is_some_and(|object| address - base <= object.bytes.size())
                });
                if let Some(held) = held {
                    lost.remove(&held);
                    open.push(held);
                }
            }
        }
        // One position may allocate several objects, some of which are not lost.
        let kept = |at: &Location| {
            let mut all = self.allocated.iter();
            all.any(|(base, place)| place == at && !lost.contains_key(base))
        };
        lost.values().copied().filter(|at| !kept(at)).collect()
    }

    /// A new object.
    fn insert(&mut self, base: u64, name: String, ty: Option<Type>, bytes: ObjectBytes) {
        self.ended.remove(&base);
        self.objects.insert(base, NamedObject { name, ty, bytes });
    }

    /// Removes the object at an address.
    fn remove(&mut self, base: u64) {
        if let Some(object) = self.objects.remove(&base)
            && self.program.tracks_lifetimes
        {
            self.ended.insert(base, object.bytes.size());
        }
    }

    /// The objects reachable from addresses.
    fn led_to(&self, roots: &[(u64, &Exposed)]) -> BTreeSet<u64> {
        let bytes = self.program.pointer_width / 8;
        let mut reached = BTreeSet::new();
        let mut queue: Vec<u64> = roots.iter().map(|root| root.0).collect();
        while let Some(address) = queue.pop() {
            let Some((base, _)) = self.find(address, 0) else {
                continue;
            };
            if !reached.insert(base) {
                continue;
            }
            let contents = &self.objects[&base].bytes;
            if let Some(last) = contents.size().checked_sub(u64::from(bytes)) {
                queue.extend((0..=last).map(|offset| contents.read(offset, bytes) as u64));
            }
        }
        reached
    }

    /// The object that contains all of the bytes, and their offset in it.
    fn find(&self, address: u64, bytes: u64) -> Option<(u64, u64)> {
        let (&base, object) = self.objects.range(..=address).next_back()?;
        let offset = address - base;
        let end = offset.checked_add(bytes)?;
        (end <= object.bytes.size()).then_some((base, offset))
    }
}

impl<O: Oracle> Domain for Numbers<'_, O> {
    type Word = u128;

    const MAX_FRAMES: usize = 1 << 20;

    fn start_of(&self, number: u64) -> Option<u64> {
        let ended = self.ended.range(..=number).next_back();
        let living = self.objects.range(..=number).next_back();
        let near = (living
            .map(|(&base, object)| (base, object.bytes.size()))
            .into_iter())
        .chain(ended.map(|(&base, &size)| (base, size)))
        .find(|&(base, size)| number - base < size.saturating_add(REACH_BEHIND));
        match (near, self.space.addressed(number)) {
            (Some((base, _)), _) => Some(base),
            (None, object) => object.map(|object| self.space.objects[object as usize].base),
        }
    }

    fn space(&self) -> &AddressSpace {
        &self.space
    }

    fn constant(&self, value: u128) -> u128 {
        value
    }

    fn value(&self, word: u128) -> Option<u128> {
        Some(word)
    }

    fn not(&mut self, word: u128, width: u32) -> u128 {
        !word & mask(width)
    }

    fn binary(&mut self, op: Op, a: u128, b: u128, width: u32) -> u128 {
        binary(op, a, b, width)
    }

    fn select(&mut self, condition: u128, (a, b): (u128, u128), _: u32) -> u128 {
        if condition == 1 { a } else { b }
    }

    fn extract(&mut self, word: u128, low: u32, width: u32) -> u128 {
        word >> low & mask(width)
    }

    fn zero_extend(&mut self, word: u128, _: u32) -> u128 {
        word
    }

    fn sign_extend(&mut self, word: u128, from: u32, width: u32) -> u128 {
        from_signed(to_signed(word, from), width)
    }

    fn float(
        &mut self,
        (op, format): (FloatOp, FloatType),
        operands: (u128, u128),
        mode: u128,
        from: u32,
        width: u32,
    ) -> u128 {
        float::evaluate(op, format, Rounding::of(mode), operands, from, width)
    }

    fn host(
        &mut self,
        (function, format): (HostFunction, FloatType),
        arguments: &[u128],
        _: u32,
    ) -> Stepped<u128> {
        let result = function.result(format, arguments);
        Ok(result.ok_or("a result of a function of <math.h> that is not computed here")?)
    }

    fn load(&mut self, address: u64, bytes: u32, site: Site) -> Stepped<u128> {
        if let Some((base, offset)) = self.find(address, u64::from(bytes)) {
            return Ok(self.objects[&base].bytes.read(offset, bytes));
        }
        let text = format!("{address:#x} is read, outside of every object");
        self.contents_line(site, text);
        let near = self.located(address)?;
        let is_behind = near.is_some_and(|near| near.is_alive && near.is_dynamic);
        Ok(self.oracle.outside(bytes * 8, site.at, is_behind)?)
    }

    fn store(&mut self, address: u64, word: u128, bytes: u32, site: Site) -> Stepped<()> {
        let Some((base, offset)) = self.find(address, u64::from(bytes)) else {
            let text = format!("{address:#x} is written, outside of every object");
            self.line(site, text, None);
            return Ok(());
        };
        if let Some(object) = self.objects.get_mut(&base) {
            object.bytes.write(offset, bytes, word);
        }
        // The outermost function initialises static objects.
        if site.depth > 1 {
            let text = self.show_store(base, offset, word, bytes);
            self.line(site, text, None);
        }
        Ok(())
    }

    fn declare(&mut self, slot: SlotId, old: Option<u64>, site: Site) -> Stepped<u64> {
        let object = &self.program.functions[site.function as usize].slots[slot as usize];
        let (base, bytes) = (self.oracle).create((object.shape.size, object.align), site.at)?;
        if let Some(old) = old.filter(|&old| old != base) {
            self.remove(old);
        }
        self.show_contents(&object.name, &bytes, site);
        self.insert(base, object.name.clone(), object.ty.clone(), bytes);
        Ok(base)
    }

    fn end(&mut self, address: u64) {
        self.remove(address);
    }

    fn allocate(&mut self, allocation: Allocation, site: Site) -> Stepped<u64> {
        let (base, mut bytes) =
            (self.oracle).create((allocation.size, allocation.align), site.at)?;
        if allocation.zeroed {
            bytes = ObjectBytes::zeros(allocation.size);
        }
        self.n_allocated += 1;
        let name = format!("allocated object {}", self.n_allocated);
        // A driver can give contents to memory of the heap.
        match matches!(allocation.storage, Storage::Heap) {
            true if !bytes.are_zero() => {
                let text = format!("the bytes of {name} are arbitrary, and not all 0");
                self.line(site, text, None);
            }
            true => {}
            false => self.show_contents(&name, &bytes, site),
        }
        if matches!(allocation.storage, Storage::Heap) && !allocation.zeroed {
            let size = bytes.size();
            self.fresh.push(AllocatedMemory {
                size,
                bytes: bytes.nonzero(),
            });
        }
        self.insert(base, name, None, bytes);
        if matches!(allocation.storage, Storage::Heap) {
            self.allocated.insert(base, site.at);
            self.was_allocated.insert(base);
        }
        Ok(base)
    }

    fn free(&mut self, address: u128) -> Stepped<()> {
        let address = address as u64;
        if self.program.tracks_lifetimes && self.allocated.remove(&address).is_some() {
            self.remove(address);
        }
        Ok(())
    }

    fn havoc(&mut self, function: &str, roots: &[(u64, &Exposed)], site: Site) -> Stepped<()> {
        let reached = self.led_to(roots);
        for changed in self.oracle.changes(site.at) {
            let object = self.objects.get_mut(&changed.base);
            let object = object.filter(|_| reached.contains(&changed.base));
            let object = object
                .ok_or("a function changes an object that is not reachable from its arguments")?;
            changed.apply(&mut object.bytes);
            let text = format!("{function}, which has no model, changes {}", object.name);
            self.contents_line(site, text);
        }
        Ok(())
    }

    fn size_at(&self, address: u64) -> u64 {
        (self.find(address, 1)).map_or(0, |(base, _)| self.objects[&base].bytes.size())
    }

    fn leave(&mut self, frame: Frame<u128>) {
        for base in frame.slots.into_iter().flatten() {
            self.remove(base);
        }
        for base in frame.allocated {
            self.remove(base);
        }
    }

    /// See `Executor::is_access_fine`.
    fn access_error(&self, address: u64, bytes: u32) -> Option<CheckKind> {
        let bytes = u64::from(bytes);
        if self.find(address, bytes).is_some() {
            return None;
        }
        if address < self.space.page_size() {
            return Some(CheckKind::Null);
        }
        let fits = |(&base, &size): (&u64, &u64)| size >= bytes && address - base <= size - bytes;
        let before = self.ended.range(..=address).next_back();
        Some(if before.is_some_and(fits) {
            CheckKind::Dangling
        } else {
            CheckKind::Outside
        })
    }

    fn may_free(&self, address: u64) -> Stepped<bool> {
        Ok(address == 0 || self.allocated.contains_key(&address))
    }

    fn is_all_freed(&mut self, site: Site) -> Stepped<bool> {
        let left: BTreeSet<Location> = self.allocated.values().copied().collect();
        let lost = self.lost(site);
        for &at in &left {
            let text = if lost.contains(&at) {
                LOST.into()
            } else {
                "what is allocated here is never freed".into()
            };
            self.line(Site { at, ..site }, text, None);
        }
        Ok(left.is_empty())
    }

    fn choose(&mut self, kind: &Choice, register: &Register, site: Site) -> Stepped<u128> {
        let width = register.width;
        let value = self.oracle.choose(kind, width, site.at)? & mask(width);
        let shown = show_value(value, width, register.ty.as_ref());
        let text = match (kind, &register.name) {
            (Choice::Input(name), _) => Some(format!("{name} gives {shown}")),
            (Choice::Unknown(name), _) => {
                Some(format!("{name}, which has no model, gives {shown}"))
            }
            // Most such values are never read.
            (Choice::Uninitialised, Some(name)) if value != 0 => Some(format!(
                "{name}, which has no value yet, happens to be {shown}"
            )),
            (Choice::Uninitialised, _) => None,
            (Choice::Open(what), _) => Some(format!("{what}: {shown}")),
        };
        if let Some(text) = text {
            let input = Input {
                choice: kind.clone(),
                value,
                width,
                ty: register.ty.clone(),
                variable: register.name.clone(),
            };
            self.line(site, text, Some(input));
        }
        Ok(value)
    }

    fn report_set(&mut self, register: &Register, word: u128, site: Site) {
        if let Some(name) = &register.name {
            let shown = self.show(word, register.width, register.ty.as_ref());
            self.line(site, format!("{name} = {shown}"), None);
        }
    }

    fn report_call(&mut self, callee: &Function, site: Site) {
        self.line(site, format!("call of {}", callee.name), None);
    }
}
