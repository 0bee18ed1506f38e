//! The values of a run's signals, step by step: for `craig simulate --json`, and for the wave view of a page.

use craig_mc::liveness::LivenessVerdict;
use craig_model::simulate::{StepValues, replay};
use craig_model::{Model, Trace, Verdict};
use craig_verify::Finding;
use serde::Serialize;

use super::circuits::name_of;

/// A signal with its value in each step.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Signal {
    /// `latch`, `state`, `input`, `constraint` or `bad`.
    pub(super) group: &'static str,
    pub(super) name: String,
    /// In bits.
    pub(super) width: u32,
    /// Bits as `0` and `1`, words in hexadecimal.
    pub(super) values: Vec<String>,
}

/// A run.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Waves {
    pub(super) n_steps: usize,
    /// Of a run against a justice property: the step in which its loop starts.
    pub(super) loop_start: Option<usize>,
    pub(super) signals: Vec<Signal>,
}

impl Waves {
    /// The run as it is about one property: other bads are signals like any other.
    pub(super) fn about(&self, property: &str) -> Self {
        let mut waves = self.clone();
        for signal in &mut waves.signals {
            if signal.group == "bad" && signal.name != property {
                signal.group = "other";
            }
        }
        waves
    }
}

/// The run that a finding about a circuit of bits has, if it is one, as signals.
pub(super) fn waves_of_bits<E>(model: &Model, finding: &Finding<E>) -> Option<Waves> {
    let (steps, loop_start) = run_of_bits(model, finding)?;
    Some(of_bits(model, &steps, loop_start))
}

/// The run that a finding about a circuit of bits has, if it is one, and the step in which its loop starts.
pub(super) fn run_of_bits<E>(
    model: &Model,
    finding: &Finding<E>,
) -> Option<(Vec<StepValues>, Option<usize>)> {
    let (trace, loop_start) = match finding {
        Finding::Bad(outcome) => match &outcome.verdict {
            Verdict::Unsafe(trace) => (trace.clone(), None),
            _ => return None,
        },
        Finding::Justice(outcome) => match &outcome.verdict {
            LivenessVerdict::Unsafe(lasso) => {
                let trace = Trace {
                    property: 0,
                    initial: lasso.initial.clone(),
                    inputs: lasso.inputs.clone(),
                };
                (trace, Some(lasso.loop_start))
            }
            _ => return None,
        },
        Finding::Apart(_) => return None,
    };
    Some((replay(model, &trace).ok()?, loop_start))
}

/// The run of a circuit of bits.
pub(super) fn of_bits(model: &Model, steps: &[StepValues], loop_start: Option<usize>) -> Waves {
    let mut signals = Vec::new();
    let mut add =
        |group: &'static str, names: &[String], kind: char, of: &dyn Fn(&StepValues) -> &[bool]| {
            let count = steps.first().map_or(0, |step| of(step).len());
            for index in 0..count {
                let value = |step: &StepValues| u8::from(of(step)[index]).to_string();
                signals.push(Signal {
                    group,
                    name: name_of(names, kind, index),
                    width: 1,
                    values: steps.iter().map(value).collect(),
                });
            }
        };
    let names = &model.names;
    add("bad", &names.bads, 'b', &|step| &step.bads);
    add("constraint", &names.constraints, 'c', &|step| {
        &step.constraints
    });
    add("input", &names.inputs, 'i', &|step| &step.inputs);
    add("latch", &names.latches, 'l', &|step| &step.latches);
    Waves {
        n_steps: steps.len(),
        loop_start,
        signals,
    }
}
