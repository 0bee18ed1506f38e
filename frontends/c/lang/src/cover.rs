//! Lines that statements start on.

use crate::syntax::ast::{BlockItem, Statement, TranslationUnit};
use crate::syntax::span::Span;
use crate::syntax::visit::{self, Visit};

use crate::lower::is_same_file;
use crate::source::Source;

struct Finder<'s> {
    source: &'s Source,
    file: &'s str,
    line: u32,
    found: bool,
}

impl Finder<'_> {
    fn look(&mut self, span: &Span) {
        let at = self.source.location(span.start);
        let name = &self.source.files[at.file as usize];
        self.found |= at.line == self.line && is_same_file(name, self.file);
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast Span) {
        self.look(span);
        visit::visit_statement(self, statement, span);
    }

    fn visit_block_item(&mut self, item: &'ast BlockItem, span: &'ast Span) {
        self.look(span);
        visit::visit_block_item(self, item, span);
    }
}

/// Whether a statement or a declaration in a function starts on a line.
pub fn has_statement(source: &Source, unit: &TranslationUnit, file: &str, line: u32) -> bool {
    let mut finder = Finder {
        source,
        file,
        line,
        found: false,
    };
    finder.visit_translation_unit(unit);
    finder.found
}
