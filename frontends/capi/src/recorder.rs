//! Those who take the steps of a proof: a file, the application's tracer, or both.

use std::ffi::c_void;
use std::io;

use craig_solver::proof::{ClauseId, ProofSink};
use craig_solver::{Label, Lit};

use crate::callbacks::Data;

/// Takes the steps of a proof.
pub(crate) trait Trace: Send {
    /// A clause of the application.
    fn original(&mut self, id: ClauseId, lits: &[Lit]);
    /// A clause that the antecedents imply; in the order of resolution, see [`ProofSink::derived`].
    fn derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]);
    /// A clause that is not used any more.
    fn deleted(&mut self, id: ClauseId, lits: &[Lit]);
    /// Ends the proof.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// The sink of a solver with a proof.
#[derive(Default)]
pub(crate) struct Recorder {
    pub(crate) traces: Vec<Box<dyn Trace>>,
}

impl Recorder {
    /// Ends the proof for all who take it.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        let mut all = Ok(());
        for trace in self.traces.drain(..) {
            all = all.and(trace.finish());
        }
        all
    }
}

impl ProofSink for Recorder {
    const ENABLED: bool = true;
    const ANTECEDENTS: bool = true;

    fn original(&mut self, id: ClauseId, lits: &[Lit], _: Label) {
        for trace in &mut self.traces {
            trace.original(id, lits);
        }
    }

    fn derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) {
        for trace in &mut self.traces {
            trace.derived(id, lits, antecedents);
        }
    }

    fn deleted(&mut self, id: ClauseId, lits: &[Lit]) {
        for trace in &mut self.traces {
            trace.deleted(id, lits);
        }
    }
}

/// Takes a clause of the application, or one that is not used any more.
pub type OnClause =
    unsafe extern "C" fn(data: *mut c_void, id: u64, literals: *const i32, n_literals: usize);
/// Takes a derived clause and those that imply it by unit propagation, in the order of propagation.
pub type OnDerived = unsafe extern "C" fn(
    data: *mut c_void,
    id: u64,
    literals: *const i32,
    n_literals: usize,
    antecedents: *const u64,
    n_antecedents: usize,
);

/// The application's functions that take a proof; a null pointer takes nothing.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Tracer {
    /// For clauses of the application.
    pub original: Option<OnClause>,
    /// For derived clauses.
    pub derived: Option<OnDerived>,
    /// For clauses that are not used any more.
    pub deleted: Option<OnClause>,
}

/// Gives steps to the application.
pub(crate) struct ToApplication {
    tracer: Tracer,
    data: Data,
    literals: Vec<i32>,
    antecedents: Vec<u64>,
}

impl ToApplication {
    pub(crate) fn new(tracer: Tracer, data: Data) -> Self {
        let (literals, antecedents) = (Vec::new(), Vec::new());
        Self {
            tracer,
            data,
            literals,
            antecedents,
        }
    }

    fn set(&mut self, lits: &[Lit]) {
        self.literals.clear();
        self.literals.extend(lits.iter().map(|lit| lit.to_dimacs()));
    }

    fn tell(&mut self, function: Option<OnClause>, id: ClauseId, lits: &[Lit]) {
        if let Some(function) = function {
            self.set(lits);
            let literals = &self.literals;
            // SAFETY: the application gave function and data together, and promised that it may be called during its
            // calls of the solver; the array lives until it returns.
            unsafe {
                function(
                    self.data.get(),
                    id.into(),
                    literals.as_ptr(),
                    literals.len(),
                );
            }
        }
    }
}

impl Trace for ToApplication {
    fn original(&mut self, id: ClauseId, lits: &[Lit]) {
        self.tell(self.tracer.original, id, lits);
    }

    fn derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) {
        let Some(function) = self.tracer.derived else {
            return;
        };
        self.set(lits);
        self.antecedents.clear();
        self.antecedents
            .extend(antecedents.iter().rev().map(|&id| u64::from(id)));
        let (literals, antecedents) = (&self.literals, &self.antecedents);
        // SAFETY: as in `tell`.
        unsafe {
            function(
                self.data.get(),
                id.into(),
                literals.as_ptr(),
                literals.len(),
                antecedents.as_ptr(),
                antecedents.len(),
            );
        }
    }

    fn deleted(&mut self, id: ClauseId, lits: &[Lit]) {
        self.tell(self.tracer.deleted, id, lits);
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}
