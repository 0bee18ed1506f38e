//! The addresses of objects, which are those of symbolic execution and of runs on numbers alike.
//!
//! An address is a word: the upper bits are a page number, each object has pages of its own, and the lower
//! bits are the offset. Pointers can thus be compared, cast and split like any other word.

use std::collections::HashMap;
use std::sync::Arc;

use crate::ir::{DeclaredObject, FunctionId, Program, Shape};
use crate::placement::{Layout, Placement};

/// The bits of an address of a process on x86-64; all others are 0.
pub const USER_BITS: u32 = 47;

/// What the library promises of the alignment of allocated memory.
pub const HEAP_ALIGN: u64 = 16;

/// The number of an object, in the order of [`AddressSpace::objects`].
pub type ObjectId = u32;

/// The distance of the first function from the middle of the address space, in pages: that address itself is a number
/// that programs compute with, the least of a signed type.
const FUNCTIONS_FROM: u64 = 0x2b5;

/// The first page of objects on x86-64: smaller ones are numbers that programs compute with.
pub const OBJECTS_FROM: u64 = 0x35;

/// The first page of objects on i386, shortly behind where a process has its code: smaller addresses are common numbers.
const OBJECTS_FROM_32: u64 = 0x2035;

/// With [`Layout::Moved`]: behind the pages of the first objects, which go down from here. A process has addresses of 47 bits.
const MOVED_TO: u64 = 0x7f;

/// As [`MOVED_TO`], on i386: objects have half of its addresses.
const MOVED_TO_32: u64 = 0x1_0000;

/// With [`Layout::Moved`]: the pages of the first functions.
const FUNCTIONS_MOVED: std::ops::Range<u64> = 0x8..0x40;

/// The number of bytes behind an object that are taken for addresses of it.
pub const REACH_BEHIND: u64 = 4096;

/// An object with its address.
pub struct AddressedObject {
    /// Its size and cells.
    pub shape: Arc<Shape>,
    /// The address of its first byte.
    pub base: u64,
    /// The function, if it is one.
    pub function: Option<FunctionId>,
    /// What C promises of its address, wherever it is: it is a multiple of this.
    pub align: u64,
    /// Whether it is declared `const`: it never changes.
    pub is_constant: bool,
}

/// All objects so far, with their addresses. Static objects come first, in the program's order, then
/// functions; so they have the same addresses in every run.
pub struct AddressSpace {
    /// The objects, by number.
    pub objects: Vec<AddressedObject>,
    pages: HashMap<u64, ObjectId>,
    next_page: u64,
    /// The pages for objects below [`MOVED_TO`] that are left, with the other layout.
    pages_left: u64,
    placement: Arc<Placement>,
    /// The bits of an address that are the offset in a page.
    pub offset_bits: u32,
    /// The width of an address in bits.
    pub width: u32,
}

impl AddressSpace {
    /// The space of the static objects and functions of a program. An error if they do not fit.
    pub fn new(program: &Program) -> Result<Self, String> {
        let width = program.pointer_width;
        let mut space = Self {
            objects: Vec::new(),
            pages: HashMap::new(),
            next_page: match (width, program.placement.layout()) {
                (64, Layout::Pages) => OBJECTS_FROM,
                (64, Layout::Moved) => MOVED_TO + 1,
                (_, Layout::Pages) => OBJECTS_FROM_32,
                (_, Layout::Moved) => MOVED_TO_32 + 1,
            },
            pages_left: match (width, program.placement.layout()) {
                (_, Layout::Pages) => 0,
                (64, Layout::Moved) => MOVED_TO - FUNCTIONS_MOVED.end,
                (_, Layout::Moved) => MOVED_TO_32 - FUNCTIONS_MOVED.end,
            },
            placement: Arc::clone(&program.placement),
            // An index of 32 bits into elements of a common size stays within the object's pages or is
            // outside of all pages: it does not reach the next object.
            offset_bits: if width == 64 { 40 } else { 14 },
            width,
        };
        for object in &program.statics {
            space.add_declared(object)?;
        }
        for id in 0..program.functions.len() {
            space.add_function(id as FunctionId);
        }
        Ok(space)
    }

    /// Functions are behind all objects: the first of these have addresses as a process has them, of 47 bits.
    fn add_function(&mut self, function: FunctionId) {
        let id = self.objects.len() as ObjectId;
        let moved = FUNCTIONS_MOVED.start + u64::from(function);
        let is_moved = self.placement.layout() == Layout::Moved && FUNCTIONS_MOVED.contains(&moved);
        let page = match is_moved {
            true => moved,
            false => self.most_pages() + 1 + FUNCTIONS_FROM + u64::from(function),
        };
        self.pages.insert(page, id);
        self.objects.push(AddressedObject {
            shape: Shape::new(0, Vec::new()),
            base: (page << self.offset_bits) + if is_moved { 2 * u64::from(id) + 1 } else { 0 },
            function: Some(function),
            align: 1,
            is_constant: false,
        });
    }

    /// The number of pages for objects.
    fn most_pages(&self) -> u64 {
        (1 << (self.width - self.offset_bits - 1)) - 1
    }

    /// Adds an object with an alignment behind all others. An error if it does not fit.
    pub fn add(&mut self, shape: Arc<Shape>, align: u64) -> Result<ObjectId, String> {
        let id = self.objects.len() as ObjectId;
        let start = self.start_in_page(id, align);
        // The address one past the end belongs to the object.
        let pages = (shape.size.saturating_add(start) >> self.offset_bits) + 1;
        let page = if pages <= self.pages_left {
            self.pages_left -= pages;
            FUNCTIONS_MOVED.end + self.pages_left
        } else {
            // Powers of two are such numbers, too.
            let page = self.next_page + u64::from(self.next_page.is_power_of_two());
            self.next_page = page + pages;
            page
        };
        if self.next_page > self.most_pages() || pages > 1 << 20 {
            return Err("the address space is used up".into());
        }
        for page in page..page + pages {
            self.pages.insert(page, id);
        }
        let base = (page << self.offset_bits) + start;
        self.objects.push(AddressedObject {
            shape,
            base,
            function: None,
            align,
            is_constant: false,
        });
        Ok(id)
    }

    /// Where in its first page an object starts: no better aligned than is promised with [`Layout::Moved`].
    fn start_in_page(&self, id: ObjectId, align: u64) -> u64 {
        match self.placement.layout() {
            Layout::Pages => 0,
            Layout::Moved => {
                let odd = 2 * (u64::from(id) % 29) + 1;
                align.max(1).saturating_mul(odd) & ((1 << (self.offset_bits - 1)) - 1)
            }
        }
    }

    /// Notes that the number of an address was used.
    pub fn observe(&self) {
        self.placement.observe();
    }

    /// Notes that a part of an address was taken for any that it may have.
    pub fn open(&self) {
        self.placement.open();
    }

    /// Adds a declared object behind all others. An error if it does not fit.
    pub fn add_declared(&mut self, object: &DeclaredObject) -> Result<ObjectId, String> {
        let id = self.add(object.shape.clone(), object.align)?;
        self.objects[id as usize].is_constant = object.is_constant;
        Ok(id)
    }

    /// The maximal number of bytes of an object of unknown size: some pages, so that there may be many such
    /// objects.
    pub fn capacity(&self) -> u64 {
        (1 << self.offset_bits.max(22)) - 1
    }

    /// The bits of the address of an object of which nothing is promised, wherever it is, where `promised` lowest bits
    /// are. Processes on x86-64 have addresses of 47 bits.
    pub fn open_bits(&self, object: ObjectId, promised: u32) -> u64 {
        // Those of functions have other bits here than those of a process.
        if self.objects[object as usize].function.is_some() {
            return u64::MAX >> (u64::BITS - self.width);
        }
        let align = self.objects[object as usize].align.max(1);
        let low = align.trailing_zeros().max(promised).min(u64::BITS - 1);
        let user = (1 << USER_BITS.min(self.width)) - 1;
        user & !((1 << low) - 1)
    }

    /// How many bytes from the start of an object on are addresses of it: those in it and shortly behind it. Other numbers
    /// in its pages, which are large, are numbers that programs compute without addresses, such as hashes. Of functions,
    /// there is only the first.
    pub fn reach(&self, object: ObjectId) -> u64 {
        let object = &self.objects[object as usize];
        match object.function {
            Some(_) => 1,
            None => object.shape.size.saturating_add(REACH_BEHIND),
        }
    }

    /// Whether it is open how addresses in two objects are ordered. Those of functions are behind all others, and among
    /// themselves in any order.
    pub fn is_order_open(&self, a: ObjectId, b: ObjectId) -> bool {
        let is_function = |object: ObjectId| self.objects[object as usize].function.is_some();
        a != b && is_function(a) == is_function(b)
    }

    /// The object that a number is an address of, within its reach.
    pub fn addressed(&self, number: u64) -> Option<ObjectId> {
        let object = self.object_at(number)?;
        let offset = number.checked_sub(self.objects[object as usize].base)?;
        (offset < self.reach(object)).then_some(object)
    }

    /// The numbers that an address of some object may have: behind the page of null, and below the kernel's.
    pub fn user_addresses(&self) -> std::ops::Range<u64> {
        REACH_BEHIND..1 << USER_BITS.min(self.width)
    }

    /// The number of bytes of a page. The first page has no object: null pointers point there.
    pub fn page_size(&self) -> u64 {
        1 << self.offset_bits
    }

    /// The address of a static object.
    pub fn static_address(&self, id: u32) -> u64 {
        self.objects[id as usize].base
    }

    /// The address of a function.
    pub fn function_address(&self, program: &Program, id: FunctionId) -> u64 {
        self.objects[program.statics.len() + id as usize].base
    }

    /// Whether a mask with these bits keeps some bits of the pages in use and clears others.
    pub fn splits_pages(&self, bits: u64) -> bool {
        let in_use = u64::MAX >> self.next_page.leading_zeros();
        let page = (bits >> self.offset_bits) & in_use;
        page != 0 && page != in_use
    }

    /// The object whose pages an address lies in.
    pub fn object_at(&self, address: u64) -> Option<ObjectId> {
        self.pages.get(&(address >> self.offset_bits)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::placement::{Layout, Placement};

    fn moved(width: u32) -> AddressSpace {
        let program = Program {
            pointer_width: width,
            placement: Arc::new(Placement::new(Layout::Moved)),
            ..Program::default()
        };
        AddressSpace::new(&program).unwrap()
    }

    /// Objects do not meet, are found at their addresses, and are aligned as was promised but no better.
    #[test]
    fn moved_objects_are_apart_and_aligned_as_promised() {
        for width in [32, 64] {
            let mut space = moved(width);
            for number in 0..200_u64 {
                let align = 1 << (number % 6);
                let size = number * 97 % 9000;
                let id = space.add(Shape::opaque(size), align).unwrap();
                let object = &space.objects[id as usize];
                assert_eq!(object.base % align, 0);
                assert_ne!(object.base % (2 * align), 0);
                assert!(number > 20 || object.base < 1 << USER_BITS.min(width));
            }
            let mut places: Vec<(u64, u64)> = Vec::new();
            for (id, object) in space.objects.iter().enumerate() {
                let end = object.base + object.shape.size;
                for address in [object.base, end] {
                    assert_eq!(space.object_at(address), Some(id as ObjectId));
                    assert_eq!(space.addressed(address), Some(id as ObjectId));
                }
                places.push((object.base, end));
            }
            places.sort_unstable();
            assert!(places.windows(2).all(|pair| pair[0].1 < pair[1].0));
        }
    }
}
