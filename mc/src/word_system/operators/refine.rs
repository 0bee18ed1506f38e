//! Which operation makes a run of the abstraction one that the system does not have.

use craig_aig::Poll;
use craig_word::{BitVector, Op, Value};

use super::{Instance, Refinement};
use crate::word_system::execute::Execution;
use crate::word_system::lift::WordStep;
use crate::word_system::system::WordSystem;

/// The value that an operation has in a step, where its input has another one.
struct Correction {
    step: usize,
    /// A position in the list of instances.
    instance: usize,
    value: BitVector,
}

/// A run of the abstraction with corrected inputs.
struct Runs<'a> {
    system: &'a WordSystem,
    /// With their numbers among the inputs, if the abstraction depends on them.
    instances: Vec<(&'a Instance, Option<usize>)>,
    run: &'a [WordStep],
}

/// Adds what excludes a run of the abstraction to a bad that the system does not reach with the same inputs.
/// If it is late, everything that is wrong in the run is made exact. Returns whether anything was added; `None` if `poll`
/// ends it, when nothing was.
pub(super) fn refine(
    system: &WordSystem,
    instances: &[Instance],
    run: &[WordStep],
    is_late: bool,
    refinement: &mut Refinement,
    poll: &mut Poll<'_>,
) -> Option<bool> {
    let number = |instance: &Instance| system.inputs.iter().position(|&own| own == instance.input);
    let runs = Runs {
        system,
        instances: (instances.iter())
            .map(|instance| (instance, number(instance)))
            .collect(),
        run,
    };
    let corrections = runs.corrections(poll)?;
    if is_late {
        let wrong = corrections.iter().map(|it| instances[it.instance].term);
        let n_exact = refinement.exact.len();
        refinement.exact.extend(wrong);
        return Some(refinement.exact.len() > n_exact);
    }
    // The bad is reached with the first `low` corrections, and not with the first `high`.
    let (mut low, mut high) = (0, corrections.len());
    if high == 0 || runs.reaches(&corrections, poll)? {
        return Some(false);
    }
    while high - low > 1 {
        let middle = usize::midpoint(low, high);
        match runs.reaches(&corrections[..middle], poll)? {
            true => low = middle,
            false => high = middle,
        }
    }
    let wrong = &corrections[low];
    let guilty = &instances[wrong.instance];
    let is_new = match runs.inconsistent(&corrections[..low], wrong) {
        Some(other) => {
            let (first, second) = match other < wrong.instance {
                true => (instances[other].term, guilty.term),
                false => (guilty.term, instances[other].term),
            };
            refinement.pairs.insert((first, second)) || refinement.exact.insert(guilty.term)
        }
        None => refinement.exact.insert(guilty.term),
    };
    Some(is_new)
}

impl Runs<'_> {
    /// The operations whose inputs have other values than they have, in order, if all before are corrected.
    /// `None` if `poll` ends it.
    fn corrections(&self, poll: &mut Poll<'_>) -> Option<Vec<Correction>> {
        let mut execution = Execution::new(self.system);
        let mut corrections = Vec::new();
        for (step, given) in self.run.iter().enumerate() {
            let is_open = |input: usize| self.instances.iter().any(|it| it.1 == Some(input));
            let mut values = execution.begin(given, is_open);
            for (at, (instance, number)) in self.instances.iter().enumerate() {
                if poll.ask() {
                    return None;
                }
                let Some(number) = number else {
                    continue;
                };
                // Operands contain only inputs of instances before this one.
                let [a, b] = instance.operands.map(|operand| values.value_of(operand));
                let value = BitVector::binary(instance.op, a.bits(), b.bits());
                let own = given.inputs.get(number);
                let is_wrong = match own {
                    Some(own) => *own.bits() != value,
                    None => !value.is_zero(),
                };
                values.set_value(instance.input, Value::Bits(value.clone()));
                if is_wrong {
                    corrections.push(Correction {
                        step,
                        instance: at,
                        value,
                    });
                }
            }
            execution.end(&mut values);
        }
        Some(corrections)
    }

    fn corrected(&self, corrections: &[Correction]) -> Vec<WordStep> {
        let mut run = self.run.to_vec();
        for correction in corrections {
            if let Some(number) = self.instances[correction.instance].1 {
                let value = Value::Bits(correction.value.clone());
                run[correction.step].inputs.insert(number, value);
            }
        }
        run
    }

    /// Whether the abstraction reaches its bad with these corrections. `None` if `poll` ends it.
    fn reaches(&self, corrections: &[Correction], poll: &mut Poll<'_>) -> Option<bool> {
        let mut execution = Execution::new(self.system);
        for step in self.corrected(corrections) {
            if poll.ask() {
                return None;
            }
            let mut values = execution.begin(&step, |_| false);
            if let Some(found) = execution.reaches_bad(&mut values) {
                return Some(found);
            }
            execution.end(&mut values);
        }
        Some(false)
    }

    /// Another operation that has the operands of the wrong one in its step, and another value.
    fn inconsistent(&self, corrections: &[Correction], wrong: &Correction) -> Option<usize> {
        let mut execution = Execution::new(self.system);
        for (step, given) in self.corrected(corrections).iter().enumerate() {
            let mut values = execution.begin(given, |_| false);
            if step == wrong.step {
                let (own, _) = self.instances[wrong.instance];
                let mut of = |instance: &Instance| {
                    let [a, b] = instance.operands.map(|operand| values.value_of(operand));
                    (a, b, values.value_of(instance.input))
                };
                let (a, b, value) = of(own);
                return self.instances.iter().position(|&(other, number)| {
                    number.is_some()
                        && other.op == own.op
                        && self.system.terms.width(other.input)
                            == self.system.terms.width(own.input)
                        && {
                            let (c, d, other_value) = of(other);
                            let is_same = (&a, &b) == (&c, &d);
                            let is_crossed = own.op == Op::Mul && (&a, &b) == (&d, &c);
                            (is_same || is_crossed) && value != other_value
                        }
                });
            }
            execution.end(&mut values);
        }
        None
    }
}
