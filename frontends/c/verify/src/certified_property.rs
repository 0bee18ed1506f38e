//! The property of a certificate in a solver, for queries about the reachable states.

use std::collections::HashMap;

use craig_aig::{Aig, Edge};
use craig_model::{Certificate, Stop};
use craig_program::CfaModel;
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Lit, Solver};

/// The property of a certificate of an automaton's circuit. It is inductive, so that all its consequences hold in all
/// reachable states.
pub(crate) struct CertifiedProperty {
    /// The witness circuit, and formulas over it.
    pub(crate) aig: Aig,
    /// The edge of each latch of the automaton's circuit that the certificate has.
    pub(crate) latches: HashMap<usize, Edge>,
    encoder: Encoder,
    solver: Solver,
    /// Together they are the property.
    holds: Vec<Lit>,
}

impl CertifiedProperty {
    /// The property, whose queries end with `stop`.
    pub(crate) fn new(certificate: &Certificate, stop: Stop) -> Self {
        let witness = &certificate.witness;
        let mut solver = Solver::new();
        solver.set_stop_callback(Some(Box::new(move || stop.reason().is_some())));
        let shared = certificate.shared_latches.iter().zip(&witness.latches);
        let shared = shared.filter_map(|(shared, latch)| Some(((*shared)?, latch.state)));
        let mut property = Self {
            aig: witness.aig.clone(),
            latches: shared.collect(),
            encoder: Encoder::new(),
            solver,
            holds: Vec::new(),
        };
        let excluded = witness.bads.iter().map(|&bad| !bad);
        for edge in witness.constraints.iter().copied().chain(excluded) {
            let lit = property.literal(edge);
            property.holds.push(lit);
        }
        property
    }

    /// The literal of a formula over the witness circuit.
    pub(crate) fn literal(&mut self, edge: Edge) -> Lit {
        self.encoder.encode(&self.aig, edge, &mut self.solver)
    }

    /// The property where the program counter of the automaton's circuit has this value, as assumptions. A certificate
    /// need not have every latch: its property then holds at every value of the counter.
    pub(crate) fn at(&mut self, encoded: &CfaModel, code: u128) -> Vec<Lit> {
        let mut assumptions = self.holds.clone();
        for (bit, latch) in encoded.counter().iter().enumerate() {
            if let Some(&edge) = self.latches.get(latch) {
                let lit = self.literal(edge);
                assumptions.push(if code >> bit & 1 == 1 { lit } else { !lit });
            }
        }
        assumptions
    }

    /// Whether these literals can hold together.
    pub(crate) fn solve(&mut self, literals: &[Lit]) -> Answer {
        self.solver.solve(literals)
    }
}
