//! Whether edges of one location exclude each other.

use craig_aig::{Aig, Edge as AigEdge};
use craig_mc::control::listen_in;
use craig_model::{Stop, UnknownReason};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Lit, Solver};
use craig_word::{Blaster, Term};

use super::cfa::{Cfa, EdgeId};

impl Cfa {
    /// Two edges from one location whose guards hold together for some words and inputs, if there are such.
    /// The words may have any values, reachable or not.
    ///
    /// # Errors
    /// If it is stopped.
    pub fn overlap(&self, stop: &Stop) -> Result<Option<[EdgeId; 2]>, UnknownReason> {
        for source in self.sources() {
            let edges = self.outgoing(source);
            let mut aig = Aig::new();
            let (mut blaster, mut encoder) = (Blaster::new(), Encoder::new());
            let mut solver = Solver::new();
            listen_in(stop, &mut solver);
            let mut free = |aig: &mut Aig, term: Term| -> Vec<AigEdge> {
                (0..self.terms.width(term))
                    .map(|_| aig.add_input())
                    .collect()
            };
            let mut guards: Vec<Lit> = Vec::new();
            let mut any = AigEdge::FALSE;
            for &edge in edges {
                let guard = self.edge(edge).guard;
                let guard = blaster.blast(&self.terms, &mut aig, guard, &mut free)[0];
                let lit = encoder.encode(&aig, guard, &mut solver);
                let earlier = encoder.encode(&aig, any, &mut solver);
                match solver.solve(&[lit, earlier]) {
                    Answer::Unsatisfiable => {}
                    Answer::Satisfiable => {
                        let holds = |&lit: &Lit| solver.value(lit) == Some(true);
                        let first = guards.iter().take_while(|&lit| !holds(lit)).count();
                        return Ok(Some([edges[first], edge]));
                    }
                    Answer::Unknown => {
                        return Err(stop.reason().unwrap_or(UnknownReason::Cancelled));
                    }
                }
                guards.push(lit);
                any = aig.or(any, guard);
            }
        }
        Ok(None)
    }
}
