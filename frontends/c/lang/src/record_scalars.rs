//! The scalars of records. A pointer that is stored in pieces is not followed, so that in unions, pointers come before
//! what lies over them.

use crate::types::{Field, Record, Type, Types};

/// Unions with more pointers have the scalars of their largest member only.
const MAX_POINTERS: usize = 64;

impl Types {
    /// The scalars of a member of a record that starts at an offset.
    pub(crate) fn member_scalars(
        &self,
        field: &Field,
        at: u64,
        limit: usize,
        into: &mut Vec<(u64, u32)>,
    ) -> Option<()> {
        // A flexible array member is no part of the record's value.
        if matches!(field.ty, Type::Array(_, None)) {
            return Some(());
        }
        let size = self.size(&field.ty)?;
        match field.bits {
            // The units of packed fields may overlap, and have any number of bytes.
            Some(bits) if u64::from(bits.unit) != size => {
                let start = at + field.offset;
                into.extend((0..u64::from(bits.unit)).map(|byte| (start + byte, 1)));
                Some(())
            }
            _ => self.scalars(&field.ty, at + field.offset, limit, into),
        }
    }

    /// The scalars of a union that starts at an offset: its pointers, and those of its largest member beside them.
    pub(crate) fn union_scalars(
        &self,
        record: &Record,
        at: u64,
        limit: usize,
        into: &mut Vec<(u64, u32)>,
    ) -> Option<()> {
        let largest = record.fields.iter().max_by_key(|field| {
            // The first of the largest.
            (self.size(&field.ty), std::cmp::Reverse(field.name.clone()))
        });
        let mut own = Vec::new();
        if let Some(largest) = largest {
            self.member_scalars(largest, at, limit, &mut own)?;
        }
        let bytes = self.size(&Type::Pointer(std::sync::Arc::new(Type::Void)))?;
        let mut pointers = Vec::new();
        for field in &record.fields {
            self.pointers_in(&field.ty, at + field.offset, &mut pointers);
        }
        if pointers.len() <= MAX_POINTERS {
            pointers.sort_unstable();
            // The first of those that overlap; none that is in a scalar.
            let mut next = 0;
            pointers.retain(|&pointer| {
                let is_held = (own.iter()).any(|&(start, size)| {
                    start <= pointer && pointer + bytes <= start + u64::from(size)
                });
                let is_taken = pointer >= next && !is_held;
                if is_taken {
                    next = pointer + bytes;
                }
                is_taken
            });
            own.retain(|&(start, size)| {
                (pointers.iter())
                    .all(|&pointer| start + u64::from(size) <= pointer || pointer + bytes <= start)
            });
            into.extend(pointers.iter().map(|&pointer| (pointer, bytes as u32)));
        }
        into.extend(own);
        Some(())
    }

    /// The offsets of the pointers in an object of a type that starts at an offset; a few more than the most that are
    /// used, if there are that many.
    fn pointers_in(&self, ty: &Type, at: u64, into: &mut Vec<u64>) {
        if into.len() > MAX_POINTERS {
            return;
        }
        match ty {
            Type::Pointer(_) => into.push(at),
            Type::Array(element, Some(length)) => {
                let size = self.size(element).unwrap_or(0);
                for index in 0..(*length).min(MAX_POINTERS as u64 + 1) {
                    self.pointers_in(element, at + index * size, into);
                }
            }
            Type::Record(id) => {
                let is_plain = |field: &&Field| field.bits.is_none();
                for field in self.records[*id].fields.iter().filter(is_plain) {
                    self.pointers_in(&field.ty, at + field.offset, into);
                }
            }
            _ => {}
        }
    }
}
