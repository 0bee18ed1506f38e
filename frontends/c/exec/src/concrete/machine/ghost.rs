//! Ghost instructions in a run.

use craig_c_lang::ir::ghost::{Ghost, PointerFact};
use craig_c_lang::ir::{CheckKind, Choice};

use super::domain::{Domain, Site, Stepped};
use super::{Machine, checked};

impl<D: Domain> Machine<'_, D> {
    pub(super) fn ghost(&mut self, ghost: &Ghost, site: Site) -> Stepped<()> {
        let function = &self.program.functions[site.function as usize];
        match ghost {
            Ghost::Inspect { reg, address, what } => {
                let address = self.known(*address)? as u64;
                let size = match what {
                    PointerFact::Size => {
                        let kind = Choice::Open("the size of what null points to".into());
                        let register = &function.regs[*reg as usize];
                        Some(self.domain.choose(&kind, register, site)?)
                    }
                    _ => None,
                };
                let object = self.domain.located(address)?;
                let page = self.domain.space().page_size();
                let word = match (what, object) {
                    (PointerFact::Object, object) => {
                        object.map_or(0, |object| u128::from(object.base / page))
                    }
                    (PointerFact::Offset, object) => u128::from(
                        object.map_or(address, |object| address.wrapping_sub(object.base)),
                    ),
                    (PointerFact::Size, Some(object)) => u128::from(object.size),
                    (PointerFact::Size, None) => {
                        let word = size.ok_or("a size that was not chosen")?;
                        self.set(*reg, word);
                        return Ok(());
                    }
                    (PointerFact::IsDynamic, object) => {
                        u128::from(object.is_some_and(|object| object.is_dynamic))
                    }
                    (PointerFact::IsAlive, object) => {
                        u128::from(object.is_some_and(|object| object.is_alive))
                    }
                    (PointerFact::HasOpenSize, _) => 0,
                };
                let word = self.domain.constant(word);
                self.set(*reg, word);
            }
            Ghost::IsAccessible { reg, address, size } => {
                let address = self.known(*address)? as u64;
                let size = self.known(*size)? as u64;
                let object = self.domain.located(address)?;
                let fits = object.is_some_and(|object| {
                    let offset = address.wrapping_sub(object.base);
                    object.is_alive && size <= object.size && offset <= object.size - size
                });
                let word = self.domain.constant(u128::from(fits));
                self.set(*reg, word);
            }
            Ghost::Havoc {
                address, condition, ..
            } => {
                if self.known(*condition)? == 1 {
                    let address = self.known(*address)? as u64;
                    self.domain.havoc_at(address, site)?;
                }
            }
            Ghost::Copy { .. } => return Err("a copy of open length is not executed".into()),
            Ghost::Uninterpreted {
                reg,
                function: name,
                ..
            } => {
                let kind = Choice::Input(name.to_string());
                let register = &function.regs[*reg as usize];
                let word = self.domain.choose(&kind, register, site)?;
                self.set(*reg, word);
            }
            Ghost::MayMeet {
                reg,
                addresses,
                ends,
                ..
            } => {
                let [a, b] = *addresses;
                let (a, b) = (self.known(a)? as u64, self.known(b)? as u64);
                let may_meet = self.may_meet(a, b, *ends)?;
                self.compared = may_meet.then_some((a.min(b), a.max(b)));
                let word = self.domain.constant(u128::from(may_meet));
                self.set(*reg, word);
            }
            Ghost::OpenWriteSet { set } => self.domain.open_write_set(*set)?,
            Ghost::CheckAssigned { address, confined } => {
                let address = self.known(*address)? as u64;
                for set in confined {
                    if self.known(set.is_outside)? == 1 {
                        let holds = !self.domain.is_before(set.set, address)?;
                        checked(holds, CheckKind::Assigned, site)?;
                    }
                }
            }
        }
        Ok(())
    }
}
