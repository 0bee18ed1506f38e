//! Answers about an automaton as outcomes about its circuit.

use craig_model::{Outcome, Trace, Verdict};

use super::answer::{Answer, Run};
use super::cfa::Cfa;
use super::facts::Facts;
use super::to_model::CfaModel;

impl CfaModel {
    /// An answer about an automaton as an outcome about its circuit, this one, of bad locations that both are about. With facts,
    /// the answer is about the automaton that assumes them, whose runs are those of this one. The evidence is not checked here.
    #[must_use]
    pub fn outcome(
        &self,
        cfa: &Cfa,
        answer: Answer,
        facts: Option<&Facts>,
        engine: &'static str,
    ) -> Outcome {
        let (verdict, depth) = match answer {
            Answer::Safe(invariant) => {
                let certificate = match facts {
                    Some(facts) => facts.certificate(cfa, self, &invariant),
                    None => invariant.certificate(cfa, self),
                };
                (Verdict::Safe(Box::new(certificate)), 0)
            }
            Answer::Unsafe(run) => {
                let trace = self.trace(&run);
                let depth = trace.depth();
                (Verdict::Unsafe(trace), depth)
            }
            Answer::Unknown(reason) => (Verdict::Unknown(reason), 0),
        };
        Outcome {
            verdict,
            engine,
            depth,
        }
    }

    /// The trace of the circuit along a run of its automaton: one step takes one edge, with the inputs of the run. The bad
    /// holds in the last step.
    ///
    /// # Panics
    /// If the run takes no edge.
    #[must_use]
    pub fn trace(&self, run: &Run) -> Trace {
        assert!(!run.visits.is_empty(), "a run takes an edge");
        let steps = run.visits.iter().map(|visit| {
            let bits = self.inputs().iter();
            bits.map(|&(term, bit)| {
                let value = visit.values.get(&term).copied().unwrap_or(0);
                Some(value >> bit & 1 == 1)
            })
            .collect()
        });
        Trace {
            property: 0,
            initial: vec![Some(false); self.model.latches.len()],
            inputs: steps.collect(),
        }
    }
}
