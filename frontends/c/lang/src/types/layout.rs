//! The layout of structures and unions, as gcc has it on x86-64 and i386.

use super::{BitRange, Field, Type, Types};

/// A declared member before its layout.
pub(crate) struct Member {
    pub(crate) name: Option<String>,
    pub(crate) ty: Type,
    pub(crate) bit_width: Option<u32>,
    pub(crate) align: Option<u64>,
    /// The attribute `packed`, its own or its record's.
    pub(crate) is_packed: bool,
}

/// Attributes and pragmas that change the layout of a record.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Packing {
    /// The largest alignment of a member, in bytes, as `#pragma pack` sets it.
    pub(crate) limit: Option<u64>,
    /// The attribute `aligned`, in bytes.
    pub(crate) aligned: Option<u64>,
}

impl Types {
    /// Computes the layout of a record's members as gcc does.
    pub(crate) fn lay_out(
        &mut self,
        id: usize,
        members: Vec<Member>,
        packing: Packing,
    ) -> Result<(), String> {
        let Packing { limit, aligned } = packing;
        let is_union = self.records[id].is_union;
        let mut fields = Vec::new();
        // Position in bits of the next member, and the size in bits so far.
        let (mut next, mut end) = (0u64, 0u64);
        let mut align = 1u64;
        for member in members {
            let size = match &member.ty {
                // A flexible array member.
                Type::Array(_, None) => 0,
                ty => self.size(ty).ok_or("a member of incomplete type")?,
            };
            if is_union {
                next = 0;
            }
            let own_align = self.member_align(&member, limit);
            if let Some(width) = member.bit_width {
                if u64::from(width) > size * 8 {
                    return Err("a bit-field wider than its type".into());
                }
                if width == 0 {
                    // It ends its unit, however the record is packed.
                    next = next.next_multiple_of(self.align(&member.ty, true) * 8);
                    end = end.max(next);
                    continue;
                }
                if member.name.is_some() {
                    align = align.max(own_align);
                }
                let field = self.bit_field(member, width, limit, &mut next)?;
                fields.push(field);
                next += u64::from(width);
            } else {
                align = align.max(own_align);
                next = next.next_multiple_of(own_align * 8);
                fields.push(Field {
                    name: member.name,
                    ty: member.ty,
                    offset: next / 8,
                    bits: None,
                });
                next = size
                    .checked_mul(8)
                    .and_then(|bits| next.checked_add(bits))
                    .filter(|&bits| bits < 1 << 50)
                    .ok_or("a record that is too large")?;
            }
            end = end.max(next);
        }
        if let Some(wanted) = aligned {
            align = align.max(wanted);
        }
        let size = end.div_ceil(8).next_multiple_of(align);
        for field in &mut fields {
            // On i386 a unit of eight bytes may start at a multiple of four, and end after the record.
            if let Some(bits) = &mut field.bits
                && field.offset + u64::from(bits.unit) > size
            {
                bits.unit = (bits.at + bits.width).div_ceil(8);
            }
        }
        let record = &mut self.records[id];
        record.fields = fields;
        record.align = align;
        record.size = size;
        record.complete = true;
        Ok(())
    }

    /// The alignment of a member in bytes: that of its type or 1 if it is packed, at least that of its
    /// attribute, and at most the `#pragma pack` limit.
    fn member_align(&self, member: &Member, limit: Option<u64>) -> u64 {
        let natural = self.align(&member.ty, true);
        let own = match (member.is_packed, limit) {
            // In gcc the pragma has precedence over the attribute.
            (true, Some(limit)) if member.bit_width.is_some() => natural.min(limit),
            (true, _) => 1,
            (false, _) => natural,
        };
        let wanted = own.max(member.align.unwrap_or(1));
        limit.map_or(wanted, |limit| wanted.min(limit))
    }

    /// The position of a bit-field at or after `next`.
    fn bit_field(
        &self,
        member: Member,
        width: u32,
        limit: Option<u64>,
        next: &mut u64,
    ) -> Result<Field, String> {
        let size = self.size(&member.ty).ok_or("a member of incomplete type")?;
        if let Some(wanted) = member.align {
            let wanted = limit.map_or(wanted, |limit| wanted.min(limit));
            *next = next.next_multiple_of(wanted * 8);
        }
        let (start, unit) = if member.is_packed || limit.is_some() {
            // It starts at the next bit, whatever its unit.
            let bytes = (*next % 8 + u64::from(width)).div_ceil(8);
            (*next / 8 * 8, bytes)
        } else {
            // A bit-field does not cross a boundary of its type's alignment unit.
            let boundary = self.align(&member.ty, true) * 8;
            if *next / boundary * boundary + size * 8 < *next + u64::from(width) {
                *next = next.next_multiple_of(boundary);
            }
            (*next / boundary * boundary, size)
        };
        let bits = BitRange {
            at: (*next - start) as u32,
            width,
            unit: unit as u32,
        };
        debug_assert!(bits.at + width <= 8 * bits.unit);
        Ok(Field {
            name: member.name,
            ty: member.ty,
            offset: start / 8,
            bits: Some(bits),
        })
    }
}
