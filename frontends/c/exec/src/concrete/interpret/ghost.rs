//! Ghost instructions on numbers.

use super::{Numbers, Oracle};
use crate::concrete::machine::{GhostMemory, Located, Site, Stepped};

impl<O: Oracle> GhostMemory for Numbers<'_, O> {
    fn located(&self, address: u64) -> Stepped<Option<Located>> {
        if address < self.space.page_size() {
            return Ok(None);
        }
        let page_object = self.space.object_at(address);
        if let Some(object) = page_object.map(|object| &self.space.objects[object as usize])
            && object.function.is_some()
        {
            return Ok(Some(Located {
                base: object.base,
                size: 0,
                is_alive: false,
                is_dynamic: false,
            }));
        }
        let alive = self.objects.range(..=address).next_back();
        let alive = alive.map(|(&base, object)| (base, object.bytes.size(), true));
        let ended = self.ended.range(..=address).next_back();
        let ended = ended.map(|(&base, &size)| (base, size, false));
        let nearest = alive.into_iter().chain(ended).max_by_key(|object| object.0);
        Ok(nearest.map(|(base, size, is_alive)| Located {
            base,
            size,
            is_alive,
            is_dynamic: self.was_allocated.contains(&base),
        }))
    }

    fn compared(&self, address: u64) -> Stepped<Option<Located>> {
        let object = self.space.object_at(address);
        let is_function = |object: u32| self.space.objects[object as usize].function.is_some();
        match object.is_some_and(is_function) {
            true => Ok(None),
            false => self.located(address),
        }
    }

    fn havoc_at(&mut self, address: u64, site: Site) -> Stepped<()> {
        // Another change that the path has at this place is that of another instruction, and wanted there.
        let Some(wanted) = self.located(address)? else {
            return Ok(());
        };
        let Some(changed) = self.oracle.next_change(wanted.base, site.at) else {
            return Ok(());
        };
        let object = self.objects.get_mut(&changed.base);
        let object = object.ok_or("a specification changes an object that is gone")?;
        changed.apply(&mut object.bytes);
        let text = format!("a specification changes {}", object.name);
        self.contents_line(site, text);
        Ok(())
    }

    fn open_write_set(&mut self, set: u32) -> Stepped<()> {
        let objects = self.objects.keys().copied();
        (self.before_sets.entry(set).or_default()).extend(objects);
        Ok(())
    }

    fn is_before(&self, set: u32, address: u64) -> Stepped<bool> {
        let located = self.located(address)?;
        let before = self.before_sets.get(&set);
        Ok(located
            .zip(before)
            .is_some_and(|(object, before)| before.contains(&object.base)))
    }
}
