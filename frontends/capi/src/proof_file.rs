//! Proofs in files.

use std::fs::File;
use std::io;

use craig_solver::Lit;
use craig_solver::proof::drat::DratWriter;
use craig_solver::proof::lrat::LratWriter;
use craig_solver::proof::{ClauseId, Encoding, ProofSink};

use crate::recorder::Trace;

/// DRAT says nothing of the application's clauses, so that it is written as it comes.
pub(crate) struct Drat(DratWriter<File>);

impl Drat {
    pub(crate) fn new(file: File, encoding: Encoding) -> Self {
        Self(DratWriter::new(file, encoding))
    }
}

impl Trace for Drat {
    fn original(&mut self, id: ClauseId, lits: &[Lit]) {
        self.0.original(id, lits, 0);
    }

    fn derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) {
        self.0.derived(id, lits, antecedents);
    }

    fn deleted(&mut self, id: ClauseId, lits: &[Lit]) {
        self.0.deleted(id, lits);
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.0.finish().map(drop)
    }
}

/// A clause of the application that was added or deleted before the first derivation.
struct Early {
    id: ClauseId,
    lits: Box<[Lit]>,
    is_deletion: bool,
}

impl Early {
    fn new(id: ClauseId, lits: &[Lit], is_deletion: bool) -> Self {
        let lits = lits.into();
        Self {
            id,
            lits,
            is_deletion,
        }
    }
}

/// LRAT numbers derived clauses after those of the formula, so that nothing is written before the first derivation; a
/// clause of the application that comes later has no number in the file, and the file is no proof.
pub(crate) struct Lrat {
    file: Option<File>,
    encoding: Encoding,
    /// What came before the first derivation.
    waiting: Vec<Early>,
    n_originals: u32,
    writer: Option<LratWriter<File>>,
}

impl Lrat {
    pub(crate) fn new(file: File, encoding: Encoding) -> Self {
        Self {
            file: Some(file),
            encoding,
            waiting: Vec::new(),
            n_originals: 0,
            writer: None,
        }
    }

    /// The writer, which knows all clauses of the formula.
    fn writer(&mut self) -> Option<&mut LratWriter<File>> {
        if let Some(file) = self.file.take() {
            let mut writer = LratWriter::new(file, self.encoding, self.n_originals);
            for early in self.waiting.drain(..) {
                match early.is_deletion {
                    false => writer.original(early.id, &early.lits, 0),
                    true => writer.deleted(early.id, &early.lits),
                }
            }
            self.writer = Some(writer);
        }
        self.writer.as_mut()
    }
}

impl Trace for Lrat {
    fn original(&mut self, id: ClauseId, lits: &[Lit]) {
        match &mut self.writer {
            Some(writer) => writer.original(id, lits, 0),
            None => {
                self.n_originals = self.n_originals.saturating_add(1);
                self.waiting.push(Early::new(id, lits, false));
            }
        }
    }

    fn derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) {
        if let Some(writer) = self.writer() {
            writer.derived(id, lits, antecedents);
        }
    }

    fn deleted(&mut self, id: ClauseId, lits: &[Lit]) {
        match &mut self.writer {
            Some(writer) => writer.deleted(id, lits),
            None => self.waiting.push(Early::new(id, lits, true)),
        }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.writer();
        self.writer
            .map_or(Ok(()), |writer| writer.finish().map(drop))
    }
}
