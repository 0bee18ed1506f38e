//! `_Static_assert` (C11 6.7.10).

use crate::syntax::ast::StaticAssert;
use crate::syntax::span::Node;

use super::{Lowering, Result};

impl<'a> Lowering<'a> {
    /// Checks a static assertion. A program in which one fails is not a C program, whether that point is
    /// reachable or not.
    ///
    /// One that can't be evaluated is ignored: if a compiler accepts the program it holds, and it has no
    /// effect.
    pub(super) fn static_assertion(&mut self, assertion: &'a Node<StaticAssert>) -> Result<()> {
        self.locate(assertion.span.start);
        if self.constant(&assertion.node.expression) != Ok(0) {
            return Ok(());
        }
        let message = assertion.node.message.as_ref();
        let message = message.map_or(String::new(), |message| message.node.concat());
        let message = format!("static assertion failed: {message}");
        if self.failed_assertion.is_none() {
            self.failed_assertion = Some(format!("{}: {message}", self.program.place(self.at)));
        }
        Err(message)
    }
}
