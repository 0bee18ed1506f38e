//! The steps of a run on numbers, for reports.

use super::{Numbers, Oracle};
use crate::concrete::machine::Site;
use crate::concrete::object_bytes::ObjectBytes;
use craig_c_lang::float;
use craig_c_lang::ir::{Choice, FunctionId, Location};
use craig_c_lang::library::LIBRARY;
use craig_c_lang::types::{FloatType, Type};
use craig_word::to_signed;

/// The most steps that are kept.
const MAX_LINES: usize = 200_000;

/// A step of a counterexample for reports.
#[derive(Clone, Debug)]
pub struct Line {
    pub(crate) at: Location,
    pub(crate) function: FunctionId,
    /// The event, in words.
    pub text: String,
    /// The input value of this step.
    pub(crate) input: Option<Input>,
    /// Whether the step takes what no function of the program returns: arbitrary contents of memory.
    pub(crate) is_open: bool,
    /// Memory that was allocated on the heap, before this step and behind the last one.
    pub(crate) allocated: Vec<AllocatedMemory>,
}

/// Memory that `malloc` or a relative has returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllocatedMemory {
    /// Its size in bytes.
    pub size: u64,
    /// Its bytes that are not 0, by offset.
    pub bytes: Vec<(u64, u8)>,
}

/// An input value of the program.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) choice: Choice,
    pub(crate) value: u128,
    pub(crate) width: u32,
    pub(crate) ty: Option<Type>,
    /// The variable that gets it.
    pub(crate) variable: Option<String>,
}

impl<O: Oracle> Numbers<'_, O> {
    pub(super) fn line(&mut self, site: Site, text: String, input: Option<Input>) {
        self.line_of(site, text, input, false);
    }

    /// A step that says which memory has contents that the path has chosen.
    pub(super) fn contents_line(&mut self, site: Site, text: String) {
        self.line_of(site, text, None, true);
    }

    fn line_of(&mut self, site: Site, text: String, input: Option<Input>, is_open: bool) {
        // Steps inside the library models are not in the user's source.
        let file = self.program.files.get(site.at.file as usize);
        let is_hidden = input.is_none() && file.is_some_and(|file| file == LIBRARY);
        if self.lines.len() < MAX_LINES && !is_hidden {
            self.lines.push(Line {
                at: site.at,
                function: site.function,
                text,
                input,
                is_open,
                allocated: std::mem::take(&mut self.fresh),
            });
        }
    }

    /// A step for a new object without a value, unless all its bytes are 0.
    pub(super) fn show_contents(&mut self, name: &str, bytes: &ObjectBytes, site: Site) {
        if !bytes.are_zero() {
            let text = format!("the bytes of {name} are arbitrary, and not all 0");
            self.contents_line(site, text);
        }
    }

    /// The effect of a write to an object, in C's syntax if its type is known.
    pub(super) fn show_store(&self, base: u64, offset: u64, value: u128, bytes: u32) -> String {
        let object = &self.objects[&base];
        let part = match (&object.ty, &self.program.types) {
            (Some(ty), Some(types)) => types.part(ty, offset, u64::from(bytes)),
            _ => None,
        };
        let (place, ty) = match part {
            Some((path, ty)) => (format!("{}{path}", object.name), Some(ty)),
            None if offset == 0 => (object.name.clone(), None),
            None => (format!("{} + {offset} bytes", object.name), None),
        };
        format!("{place} = {}", self.show(value, bytes * 8, ty.as_ref()))
    }

    /// A value in C's syntax; an address by the object it points to.
    pub(super) fn show(&self, value: u128, width: u32, ty: Option<&Type>) -> String {
        let address = value as u64;
        // In objects of unknown type, a value that equals an address is shown as one.
        let may_be_address = match ty {
            Some(ty) => matches!(ty, Type::Pointer(_)),
            None => width == self.program.pointer_width,
        };
        if !may_be_address || address == 0 {
            return show_value(value, width, ty);
        }
        let function = (0..self.program.functions.len())
            .find(|&id| self.space.function_address(self.program, id as FunctionId) == address);
        if let Some(id) = function {
            return format!("&{}", self.program.functions[id].name);
        }
        let Some((&base, object)) = self.objects.range(..=address).next_back() else {
            return show_value(value, width, ty);
        };
        let offset = address - base;
        if offset > object.bytes.size() {
            return show_value(value, width, ty);
        }
        // Objects without a name in the program have a description instead.
        let has_name = !object.name.contains(' ');
        match (has_name, offset) {
            (true, 0) => format!("&{}", object.name),
            (true, _) => format!("(char *)&{} + {offset}", object.name),
            (false, 0) => object.name.clone(),
            (false, _) => format!("{} + {offset} bytes", object.name),
        }
    }
}

/// A value in C's syntax.
pub(crate) fn show_value(value: u128, width: u32, ty: Option<&Type>) -> String {
    match ty {
        Some(Type::Int(int)) if !int.signed => value.to_string(),
        Some(Type::Float(FloatType::Single)) => format!("{:?}", f32::from_bits(value as u32)),
        Some(Type::Float(FloatType::Double)) => format!("{:?}", f64::from_bits(value as u64)),
        Some(Type::Float(FloatType::Extended)) => float::show_extended(value),
        Some(Type::Pointer(_)) => {
            if value == 0 {
                "NULL".into()
            } else {
                format!("{value:#x}")
            }
        }
        _ => to_signed(value, width).to_string(),
    }
}
