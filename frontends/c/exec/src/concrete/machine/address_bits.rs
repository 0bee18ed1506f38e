//! Bits of addresses in a run that stands for runs with other addresses.

use craig_c_lang::ir::{Expr, Reg, UsedBits};
use craig_c_lang::library::LIBRARY;

use super::Machine;
use super::domain::{Domain, Site, Stepped};

const UNKNOWN_BITS: &str = "bits of an address that depend on where the object is";

impl<D: Domain> Machine<'_, D> {
    /// An error where a run stands for runs with other addresses, and an operation depends on them.
    pub(super) fn uses_bits(&mut self, word: Expr, promised: u32, bits: UsedBits) -> Stepped<()> {
        if !D::IS_GENERAL {
            return Ok(());
        }
        let word = self.eval(word)?;
        let other = match bits.operand() {
            Some(other) => {
                let other = self.eval(other)?;
                self.domain.value(other)
            }
            None => Some(u128::from(u64::MAX)),
        };
        let space = self.domain.space();
        let Some(word) = self.domain.value(word) else {
            return Ok(());
        };
        let Some(object) = space.object_at(word as u64) else {
            return Ok(());
        };
        let open = space.open_bits(object, promised);
        if let UsedBits::Distance(_) = bits {
            let other = other.and_then(|other| space.object_at(other as u64));
            return match other.is_none_or(|other| other == object) {
                true => Ok(()),
                false => Err(UNKNOWN_BITS.into()),
            };
        }
        let used = other.map(|other| other as u64 & open);
        let is_kept = matches!(bits, UsedBits::Masked(_)) && used == Some(open);
        match used == Some(0) || is_kept {
            true => Ok(()),
            false => Err(UNKNOWN_BITS.into()),
        }
    }

    /// An error where the value of a part of an address counts.
    pub(super) fn uses_part(
        &mut self,
        address: u64,
        bytes: u32,
        reg: Reg,
        site: Site,
    ) -> Stepped<()> {
        let whole = self.domain.space().width / 8;
        let function = &self.program.functions[site.function as usize];
        if !D::IS_GENERAL || bytes >= whole || function.copied.contains(&reg) {
            return Ok(());
        }
        let start = address - address % u64::from(whole);
        let word = self.domain.word_at(start, whole);
        let is_address = word.is_some_and(|word| self.domain.space().is_address(word));
        let file = self.program.files.get(site.at.file as usize);
        match is_address && file.is_none_or(|file| file != LIBRARY) {
            true => Err(UNKNOWN_BITS.into()),
            false => Ok(()),
        }
    }
}
