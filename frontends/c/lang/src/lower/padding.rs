//! Padding: the bytes of a record that no member has.
//!
//! Where a value is stored in a record, they take unspecified values (C11 6.2.6.1p6): by an initialiser in braces, and where a
//! whole record is copied. A store to a member leaves them, as all compilers do; static objects start with zeros. The values are
//! free only in programs that may read bytes of records one by one. In CBMC's dialect, padding is copied.

use std::collections::BTreeMap;

use craig_word::Op;

use crate::ir::{Choice, Expr, FunctionId, Instr};
use crate::types::{Field, Type, Types};

use super::{Lowering, Result};

/// The choice of the bytes of padding, as long as it is not known if they count.
const PADDING: &str = "padding of a record";

/// Functions of the library that read no bytes of what they are given.
const BLIND: [&str; 5] = ["free", "realloc", "memset", "memcpy", "memmove"];

impl Types {
    /// For each byte of an object of a type that no member, or only a part of one, has: the bits that members have.
    fn padding(&self, ty: &Type) -> BTreeMap<u64, u8> {
        let mut used = vec![0; self.size(ty).unwrap_or(0) as usize];
        self.mark_used(ty, 0, &mut used);
        let bytes = (0..).zip(used);
        bytes.filter(|&(_, bits)| bits != u8::MAX).collect()
    }

    /// Marks the bits that the members of an object at an offset have.
    fn mark_used(&self, ty: &Type, at: u64, used: &mut [u8]) {
        match ty {
            Type::Record(id) => {
                for field in &self.records[*id].fields {
                    let start = at + field.offset;
                    match field.bits {
                        Some(bits) if field.name.is_some() => {
                            let first = 8 * start + u64::from(bits.at);
                            for bit in first..first + u64::from(bits.width) {
                                if let Some(byte) = used.get_mut((bit / 8) as usize) {
                                    *byte |= 1 << (bit % 8);
                                }
                            }
                        }
                        Some(_) => {}
                        None => self.mark_used(&field.ty, start, used),
                    }
                }
            }
            Type::Array(element, length) => {
                let size = self.size(element).unwrap_or(0);
                for index in 0..length.unwrap_or(0) {
                    self.mark_used(element, at + index * size, used);
                }
            }
            _ => {
                let size = self.size(ty).unwrap_or(0) as usize;
                let bytes = used.iter_mut().skip(at as usize).take(size);
                bytes.for_each(|byte| *byte = u8::MAX);
            }
        }
    }

    /// Whether a type is a record with padding, or an array of such.
    fn has_padding(&self, ty: &Type) -> bool {
        match ty {
            Type::Record(id) => {
                let record = &self.records[*id];
                let is_plain = |field: &Field| field.bits.is_none();
                if record.is_union || !record.fields.iter().all(is_plain) {
                    return record.complete && !self.padding(ty).is_empty();
                }
                let sizes = (record.fields.iter()).map(|field| self.size(&field.ty).unwrap_or(0));
                sizes.sum::<u64>() != record.size
                    || (record.fields.iter()).any(|field| self.has_padding(&field.ty))
            }
            Type::Array(element, _) => self.has_padding(element),
            _ => false,
        }
    }
}

/// The bits of a word of some bytes at an offset that are padding.
pub(super) fn padding_bits(padding: &BTreeMap<u64, u8>, offset: u64, bytes: u32) -> u128 {
    let of_byte = |(&at, &used): (&u64, &u8)| u128::from(!used) << (8 * (at - offset));
    let range = padding.range(offset..offset + u64::from(bytes));
    range.map(of_byte).sum()
}

impl Lowering<'_> {
    /// The padding of an object whose value is stored as a whole; none where it keeps its bytes.
    pub(super) fn open_padding(&self, ty: &Type) -> BTreeMap<u64, u8> {
        let is_kept = self.is_without_code || !self.is_own_code() || self.options.cbmc.is_dialect();
        match is_kept || !self.types.has_padding(ty) {
            true => BTreeMap::new(),
            false => self.types.padding(ty),
        }
    }

    /// A word with any bits in the place of some.
    pub(super) fn with_open_bits(&mut self, word: Expr, bits: u128) -> Expr {
        if bits == 0 {
            return word;
        }
        let width = self.program.width(word);
        let reg = self.fresh(width);
        self.emit(Instr::Choose {
            reg,
            kind: Choice::Open(PADDING.into()),
        });
        let (any, bits) = (self.read(reg), self.program.constant(bits, width));
        let any = self.program.binary(Op::And, any, bits);
        self.program.binary(Op::Xor, word, any)
    }

    /// Gives the padding of an object that was initialised any value.
    pub(super) fn scatter_padding(&mut self, address: Expr, ty: &Type) -> Result<()> {
        let padding = self.open_padding(ty);
        if padding.is_empty() {
            return Ok(());
        }
        let cells =
            (self.types.cells(ty, 1 << 16)).ok_or("an initialiser of so large an object")?;
        for (offset, bytes) in cells {
            let bits = padding_bits(&padding, offset, bytes);
            if bits == 0 {
                continue;
            }
            let address = self.offset(address, offset);
            let reg = self.fresh(8 * bytes);
            self.emit(Instr::Load {
                reg,
                address,
                bytes,
            });
            let old = self.read(reg);
            let value = self.with_open_bits(old, bits);
            self.emit(Instr::Store {
                address,
                value,
                bytes,
            });
        }
        Ok(())
    }

    /// Notes that a pointer is converted: bytes of what it leads to may be read one by one.
    pub(super) fn notes_bytes(&mut self, from: &Type, to: &Type) {
        let is_record = |ty: &Type| matches!(ty, Type::Record(_));
        if self.observed.padding || self.is_passed_blindly || !self.is_own_code() {
            return;
        }
        let is_seen = match (is_record(from), is_record(to)) {
            (true, false) => self.types.has_padding(from),
            // Bytes that are taken for a record.
            (false, true) => !from.is_void() && self.types.has_padding(to),
            _ => {
                !self.types.is_same(from, to)
                    && (self.types.has_padding(from) || self.types.has_padding(to))
            }
        };
        self.observed.padding |= is_seen;
    }

    /// Whether a function of the library reads no bytes of what its arguments lead to.
    pub(super) fn is_blind(&self, function: FunctionId) -> bool {
        let name = self.link_names.get(function as usize);
        name.is_some_and(|name| BLIND.contains(&name.as_str()) && !self.is_defined_by_program(name))
    }

    /// Whether a union has a record with padding beside something else.
    fn has_overlaid_padding(&self) -> bool {
        let mut unions = self.types.records.iter().filter(|record| record.is_union);
        unions.any(|union| {
            let padded = |ty: &Type| self.types.has_padding(ty);
            union.fields.len() > 1 && union.fields.iter().any(|field| padded(&field.ty))
        })
    }

    /// Padding is 0, or what is copied, where no bytes of it are read.
    pub(super) fn settle_padding(&mut self) {
        if self.observed.padding || self.has_overlaid_padding() {
            return;
        }
        let program = &mut self.program;
        let functions: Vec<_> = std::mem::take(&mut program.functions);
        program.functions = functions
            .into_iter()
            .map(|mut function| {
                for (instr, _) in (function.blocks.iter_mut()).flat_map(|block| &mut block.instrs) {
                    if let Instr::Choose { reg, kind } = instr
                        && matches!(kind, Choice::Open(text) if text == PADDING)
                    {
                        let width = function.regs[*reg as usize].width;
                        let value = program.constant(0, width);
                        *instr = Instr::Set { reg: *reg, value };
                    }
                }
                function
            })
            .collect();
    }
}
