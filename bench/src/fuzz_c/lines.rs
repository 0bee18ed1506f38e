//! A generated program as a tree of lines, which the shrinker can cut.

use std::fmt::Write;

/// A line, or a construct around lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Line(String),
    Block {
        head: String,
        body: Vec<Item>,
        tail: String,
    },
}

impl Item {
    pub(crate) fn block(head: impl Into<String>, body: Vec<Self>) -> Self {
        Self::Block {
            head: head.into(),
            body,
            tail: "}".into(),
        }
    }
}

/// Writes items, one a line.
pub(crate) fn write(items: &[Item], indent: usize, out: &mut String) {
    for item in items {
        match item {
            Item::Line(text) => _ = writeln!(out, "{:indent$}{text}", ""),
            Item::Block { head, body, tail } => {
                _ = writeln!(out, "{:indent$}{head}", "");
                write(body, indent + 2, out);
                _ = writeln!(out, "{:indent$}{tail}", "");
            }
        }
    }
}
