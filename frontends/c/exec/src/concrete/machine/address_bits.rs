//! Bits of addresses in a run that stands for runs with other addresses.

use craig_c_lang::ir::{Expr, Reg, UsedBits};

use super::Machine;
use super::domain::{Domain, Site, Stepped};

const UNKNOWN_BITS: &str = "bits of an address that depend on where the object is";

impl<D: Domain> Machine<'_, D> {
    /// An error where a run stands for runs with other addresses, and an operation depends on them. So is an order that
    /// depends on addresses in every run: what fails in one order only is no error of all layouts. And so are bits of a
    /// function's address, which no process has as they are here.
    pub(super) fn uses_bits(&mut self, word: Expr, promised: u32, bits: UsedBits) -> Stepped<()> {
        let word = self.eval(word)?;
        let other = match bits.operand() {
            Some(other) => {
                let other = self.eval(other)?;
                self.domain.value(other).map(|other| other as u64)
            }
            None => None,
        };
        let word = self.domain.value(word).map(|word| word as u64);
        if let (UsedBits::Ordered(_), Some(word)) = (bits, word) {
            return match other.is_some_and(|other| self.is_order_open(word, other)) {
                true => Err(UNKNOWN_BITS.into()),
                false => Ok(()),
            };
        }
        let space = self.domain.space();
        let Some((word, object)) = word.and_then(|word| Some((word, space.addressed(word)?)))
        else {
            return Ok(());
        };
        let is_function = space.objects[object as usize].function.is_some();
        if !D::IS_GENERAL && !is_function {
            return Ok(());
        }
        let open = space.open_bits(object, promised);
        let target = other.and_then(|other| space.addressed(other));
        let is_fine = match (bits, other) {
            (UsedBits::All, _) => open == 0,
            (UsedBits::Masked(_) | UsedBits::Combined(_), Some(other)) if target.is_some() => {
                target == Some(object) && (word ^ other) & open == 0
            }
            (UsedBits::Masked(_), Some(other)) => other & open == 0 || other & open == open,
            (UsedBits::Combined(_), Some(other)) => other & open == 0,
            (UsedBits::Masked(_) | UsedBits::Combined(_), None) => false,
            (UsedBits::Added(_), _) => target.is_none(),
            (UsedBits::Subtracted(_), other) => other.is_none() || target == Some(object),
            (UsedBits::Distance(_), other) => {
                other.is_none() || target.is_none() || target == Some(object)
            }
            (UsedBits::Ordered(_), _) => true,
        };
        match is_fine {
            true => Ok(()),
            false => Err(UNKNOWN_BITS.into()),
        }
    }

    /// Whether the order of an address and a number depends on where objects are.
    fn is_order_open(&self, word: u64, other: u64) -> bool {
        let Some(start) = self.domain.start_of(word) else {
            return false;
        };
        let space = self.domain.space();
        let user = space.user_addresses();
        let is_function = |start: u64| {
            let object = space.addressed(start);
            object.is_some_and(|object| space.objects[object as usize].function.is_some())
        };
        match self.domain.start_of(other) {
            Some(another) => another != start && is_function(another) == is_function(start),
            // An input may be chosen for any layout.
            None if !D::IS_GENERAL => false,
            None => user.contains(&other) || is_function(start) && other >= user.end,
        }
    }

    /// The value of a load of a part of an address, if the run stands for others, where the part is different: any value. An
    /// error if more is done with it than to copy it.
    pub(super) fn part_of_address(
        &mut self,
        address: u64,
        bytes: u32,
        reg: Reg,
        site: Site,
    ) -> Stepped<Option<D::Word>> {
        let whole = self.domain.space().width / 8;
        if !D::IS_GENERAL || bytes >= whole {
            return Ok(None);
        }
        let start = address - address % u64::from(whole);
        let word = self.domain.word_at(start, whole);
        let Some(word) = word.filter(|&word| self.domain.space().addressed(word).is_some()) else {
            return Ok(None);
        };
        let function = &self.program.functions[site.function as usize];
        match function.copied.contains(&reg) {
            true => Ok((self.domain).piece(word, (address - start) as u32, bytes)),
            false => Err(UNKNOWN_BITS.into()),
        }
    }
}
