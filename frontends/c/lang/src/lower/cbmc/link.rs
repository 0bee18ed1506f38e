//! Linking as goto-cc does it: names of `static` functions in other files, and bodies that are left out.

use super::super::Lowering;
use super::super::file_local::FILE_LOCAL;
use super::super::unit::{SEPARATOR, source_name};

/// What stands between the name of a file and that of its function.
const C_FILE: &str = "_c_";

impl Lowering<'_> {
    /// The link name of the `static` function that has this name in other files.
    ///
    /// The names of preprocessed files are often not those of their sources: if no file has the name, the only function
    /// of that name counts.
    pub(in crate::lower) fn exported_link(&self, name: &str) -> Option<String> {
        if let Some(link) = self.exported.get(name) {
            return Some(link.clone());
        }
        let rest = name.strip_prefix(FILE_LOCAL)?;
        let parts = rest.match_indices(C_FILE);
        let functions: Vec<&str> = parts.map(|(at, end)| &rest[at + end.len()..]).collect();
        let is_it = |link: &&String| functions.contains(&source_name(link));
        let mut links = self.exported.values().filter(is_it);
        let link = links.next()?;
        links.next().is_none().then(|| link.clone())
    }

    /// Whether the body of a function with this link name is left out.
    pub(in crate::lower) fn is_removed(&mut self, link: &str) -> bool {
        let removed = &self.options.cbmc.removed_bodies;
        let is_it =
            |name: &&String| *name == link || self.exported_link(name).as_deref() == Some(link);
        let Some(name) = removed.iter().find(is_it) else {
            return false;
        };
        let name = name.clone();
        self.without_body.insert(name);
        true
    }

    /// The unit of a function that is linked within its unit.
    pub(in crate::lower) fn unit_of_static(&self, link: &str) -> Option<usize> {
        let (_, unit) = link.split_once(SEPARATOR)?;
        unit.parse().ok()
    }

    /// Says which functions had no body that could have been left out.
    pub(in crate::lower) fn note_missing_bodies(&mut self) {
        for name in self.options.cbmc.removed_bodies.clone() {
            if !self.without_body.contains(&name) {
                self.note(format!("`{name}` has no body that could be removed"));
            }
        }
    }
}
