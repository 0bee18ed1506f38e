//! Addresses of different objects in a run that may be equal (see [`craig_c_lang::ir::ghost::Ghost::MayMeet`]).

use craig_c_lang::address_space::HEAP_ALIGN;
use craig_c_lang::ir::shared_bytes::agree_at;

use super::Machine;
use super::domain::{Domain, Located, Stepped};

/// The reason for a run in which objects are adjacent at one time, and not at another.
const INCONSISTENT: &str = "places of objects that no layout has";

impl<D: Domain> Machine<'_, D> {
    /// Whether it is open if two addresses are equal.
    pub(super) fn may_meet(&self, a: u64, b: u64, ends: bool) -> Stepped<bool> {
        let (Some(x), Some(y)) = (self.domain.compared(a)?, self.domain.compared(b)?) else {
            return Ok(false);
        };
        if x.base == y.base {
            return Ok(false);
        }
        let are_adjacent = ends && (is_behind((a, x), (b, y)) || is_behind((b, y), (a, x)));
        Ok(are_adjacent || self.share_a_byte((a, x), (b, y)))
    }

    /// Whether two addresses are in literals that may lie such that they are one.
    fn share_a_byte(&self, (a, x): (u64, Located), (b, y): (u64, Located)) -> bool {
        let [first, second] = [x, y].map(|object| {
            let id = self.domain.space().object_at(object.base)?;
            let declared = self.program.statics.get(id as usize)?;
            declared.literal.as_deref()
        });
        let distance = (a - x.base) as i64 - (b - y.base) as i64;
        let is_inside = a - x.base <= x.size && b - y.base <= y.size;
        is_inside
            && (first.zip(second)).is_some_and(|(first, second)| agree_at(first, second, distance))
    }

    /// Notes what was chosen for the addresses that were compared last: it is fixed where objects are.
    pub(super) fn note_meeting(&mut self, chosen: D::Word) -> Stepped<()> {
        let Some(addresses) = self.compared.take() else {
            return Ok(());
        };
        let Some(chosen) = self.domain.value(chosen).map(|chosen| chosen != 0) else {
            return Ok(());
        };
        match *self.met.entry(addresses).or_insert(chosen) == chosen {
            true => Ok(()),
            false => Err(INCONSISTENT.into()),
        }
    }
}

/// Whether an address is one past the end of its object, and another one may start there. What an allocation of no bytes gives
/// counts as an object of some bytes (C11 7.22.3p1).
fn is_behind((end, object): (u64, Located), (start, next): (u64, Located)) -> bool {
    let are_allocated = object.is_dynamic && next.is_dynamic;
    end == object.base.wrapping_add(object.size)
        && start == next.base
        && !(object.is_dynamic && object.size == 0)
        && (!are_allocated || object.size.is_multiple_of(HEAP_ALIGN))
}
