//! Sinks as objects: one compiled search for all proofs whose kind is chosen at run time.

use super::sink::{ClauseId, ProofSink};
use crate::cnf::Label;
use crate::lit::Lit;

/// The reports of [`ProofSink`], by dynamic dispatch. Every sink is a tracer.
pub trait Tracer {
    /// See [`ProofSink::has_definitions`].
    fn allows_definitions(&self) -> bool;
    /// See [`ProofSink::original`].
    fn trace_original(&mut self, id: ClauseId, lits: &[Lit], label: Label);
    /// See [`ProofSink::derived`].
    fn trace_derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]);
    /// See [`ProofSink::defined`].
    fn trace_defined(&mut self, first: ClauseId, defined: Lit, factors: &[Lit]);
    /// See [`ProofSink::deleted`].
    fn trace_deleted(&mut self, id: ClauseId, lits: &[Lit]);
    /// See [`ProofSink::is_full`].
    fn is_at_limit(&self) -> bool;
}

impl<P: ProofSink> Tracer for P {
    fn allows_definitions(&self) -> bool {
        self.has_definitions()
    }

    fn trace_original(&mut self, id: ClauseId, lits: &[Lit], label: Label) {
        self.original(id, lits, label);
    }

    fn trace_derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) {
        self.derived(id, lits, antecedents);
    }

    fn trace_defined(&mut self, first: ClauseId, defined: Lit, factors: &[Lit]) {
        self.defined(first, defined, factors);
    }

    fn trace_deleted(&mut self, id: ClauseId, lits: &[Lit]) {
        self.deleted(id, lits);
    }

    fn is_at_limit(&self) -> bool {
        self.is_full()
    }
}

/// A sink that passes each report on to a tracer.
///
/// A report costs an indirect call. In return the search is compiled once, in this crate, and not once more for each kind
/// of proof in each crate that records it. Antecedents are collected whether the tracer uses them or not.
pub struct Traced<'t>(Box<dyn Tracer + 't>);

impl<'t> Traced<'t> {
    /// A sink that reports to `tracer`, which may be a reference to a sink.
    pub fn new(tracer: impl Tracer + 't) -> Self {
        Self(Box::new(tracer))
    }
}

impl ProofSink for Traced<'_> {
    const ENABLED: bool = true;
    const ANTECEDENTS: bool = true;

    fn has_definitions(&self) -> bool {
        self.0.allows_definitions()
    }

    fn original(&mut self, id: ClauseId, lits: &[Lit], label: Label) {
        self.0.trace_original(id, lits, label);
    }

    fn derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) {
        self.0.trace_derived(id, lits, antecedents);
    }

    fn defined(&mut self, first: ClauseId, defined: Lit, factors: &[Lit]) {
        self.0.trace_defined(first, defined, factors);
    }

    fn deleted(&mut self, id: ClauseId, lits: &[Lit]) {
        self.0.trace_deleted(id, lits);
    }

    fn is_full(&self) -> bool {
        self.0.is_at_limit()
    }
}
