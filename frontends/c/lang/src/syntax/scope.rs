//! The names of the enclosing blocks, as far as the grammar depends on them: which ones are types, and which
//! labels are local to a block.

use std::collections::HashMap;

#[derive(Default)]
pub(super) struct Scopes<'t> {
    /// Whether a visible name is that of a type.
    is_type: HashMap<&'t str, bool>,
    /// For each open scope, what the names that it declares were before.
    hidden: Vec<Vec<(&'t str, Option<bool>)>>,
    /// For each open block with declarations by `__label__`, the unique names of its labels.
    labels: Vec<HashMap<&'t str, String>>,
    n_labels: usize,
}

impl<'t> Scopes<'t> {
    pub(super) fn open(&mut self) {
        self.hidden.push(Vec::new());
    }

    pub(super) fn close(&mut self) {
        for (name, before) in self.hidden.pop().into_iter().flatten().rev() {
            match before {
                Some(is_type) => self.is_type.insert(name, is_type),
                None => self.is_type.remove(name),
            };
        }
    }

    pub(super) fn depth(&self) -> usize {
        self.hidden.len()
    }

    /// Closes scopes until so few are open.
    pub(super) fn close_to(&mut self, depth: usize) {
        while self.hidden.len() > depth {
            self.close();
        }
    }

    pub(super) fn declare(&mut self, name: &'t str, is_type: bool) {
        let before = self.is_type.insert(name, is_type);
        if let Some(scope) = self.hidden.last_mut() {
            scope.push((name, before));
        }
    }

    pub(super) fn is_type(&self, name: &str) -> bool {
        self.is_type.get(name) == Some(&true)
    }

    pub(super) fn is_declared(&self, name: &str) -> bool {
        self.is_type.contains_key(name)
    }

    /// How many blocks with local labels are open.
    pub(super) fn n_label_blocks(&self) -> usize {
        self.labels.len()
    }

    pub(super) fn close_labels_to(&mut self, n_blocks: usize) {
        self.labels.truncate(n_blocks);
    }

    /// Declares labels that are local to a block.
    pub(super) fn declare_labels(&mut self, names: &[&'t str]) {
        let mut block = HashMap::new();
        for &name in names {
            self.n_labels += 1;
            // No identifier contains a point.
            block.insert(name, format!("{name}.{}", self.n_labels));
        }
        self.labels.push(block);
    }

    /// The unique name of a label.
    pub(super) fn label(&self, name: &str) -> String {
        let found = self.labels.iter().rev().find_map(|block| block.get(name));
        found.map_or_else(|| name.to_string(), Clone::clone)
    }
}
