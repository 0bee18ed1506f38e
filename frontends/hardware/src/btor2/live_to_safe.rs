//! Justice properties as bads, over words: for circuits of which there is no circuit of bits.
//!
//! The circuit gets an input that guesses, in one step, that a loop begins; registers keep the values that the
//! states have then, and one bit for each value of the property and of fairness keeps whether it has held since.
//! The bad holds when all states have these values again and all these bits are set (Biere, Artho, Schuppan,
//! "Liveness checking as safety checking", FMICS 2002). States that keep their value need no register, and
//! those on which neither the property nor fairness nor a constraint depends need none either: they do not
//! count for a loop ([`check_lasso`](super::evaluate::check_lasso)).
//!
//! A loop can begin at any of its steps, so one of the values may be required in its last step. That is one
//! which reads a memory, if there is one: the abstraction of memories follows the address of a read a fixed
//! number of steps before a bad.
//!
//! The circuit's own inputs and states come first, in their order, so that a run of the result is one of the
//! circuit, with more values.

use craig_word::{BitVector, Sort, Value};

use super::evaluate::cone;
use super::model::{Argument, Btor2, Kind, Line};
use super::operator::Operator;
use super::trace::{Step, Trace};

const BIT: Sort = Sort::BitVector(1);

/// The circuit whose only bad can be reached if and only if a justice property fails. It has no justice
/// properties and no fairness values.
///
/// # Panics
/// If there is no such property.
#[must_use]
pub fn live_to_safe(circuit: &Btor2, property: usize) -> Btor2 {
    let in_cone = cone(circuit, property);
    let mut result = circuit.clone();
    result.bads.clear();
    result.outputs.clear();
    let justice = std::mem::take(&mut result.justice).swap_remove(property);
    let fairness = std::mem::take(&mut result.fairness);
    let no = result.add_constant(&BitVector::new(0, 1));

    let begins = Argument::of(result.add_input(BIT));
    let has_begun = Argument::of(result.add_state(BIT, Some(no), None));
    let is_in_loop = result.add_operation(Operator::Or, BIT, &[begins, has_begun]);
    set_next(&mut result, has_begun, is_in_loop);
    let first = result.add_operation(Operator::And, BIT, &[begins, has_begun.negated()]);

    let mut bad = has_begun;
    for number in 0..circuit.states.len() {
        let state = &circuit.states[number];
        let own = Argument::of(state.node);
        if !in_cone[state.node as usize] || state.next.is_none_or(|next| next == own) {
            continue;
        }
        let sort = circuit.nodes[state.node as usize].sort;
        let kept = Argument::of(result.add_state(sort, None, None));
        let next = result.add_operation(Operator::Ite, sort, &[first, own, kept]);
        set_next(&mut result, kept, next);
        let same = result.add_operation(Operator::Eq, BIT, &[own, kept]);
        bad = result.add_operation(Operator::And, BIT, &[bad, same]);
    }
    let fairness = fairness.into_iter().map(|line| line.value);
    let mut values: Vec<Argument> = justice.values.into_iter().chain(fairness).collect();
    let last = values.iter().position(|value| reads(circuit, *value));
    let last = values.swap_remove(last.unwrap_or_default());
    let held = Argument::of(result.add_state(BIT, Some(no), None));
    let next = result.add_operation(Operator::And, BIT, &[is_in_loop, last]);
    set_next(&mut result, held, next);
    bad = result.add_operation(Operator::And, BIT, &[bad, held]);
    for value in values {
        let held = Argument::of(result.add_state(BIT, Some(no), None));
        let holds = result.add_operation(Operator::Or, BIT, &[held, value]);
        let next = result.add_operation(Operator::And, BIT, &[is_in_loop, holds]);
        set_next(&mut result, held, next);
        bad = result.add_operation(Operator::And, BIT, &[bad, held]);
    }
    let symbol = justice.symbol;
    result.bads.push(Line { value: bad, symbol });
    result
}

/// Whether a value depends on a read of an array in the same step.
fn reads(circuit: &Btor2, value: Argument) -> bool {
    let mut stack = vec![value.node];
    let mut is_seen = vec![false; circuit.nodes.len()];
    while let Some(number) = stack.pop() {
        let node = &circuit.nodes[number as usize];
        if matches!(node.kind, Kind::Apply(Operator::Read, _)) {
            return true;
        }
        if !std::mem::replace(&mut is_seen[number as usize], true) {
            stack.extend(node.arguments().iter().map(|argument| argument.node));
        }
    }
    false
}

/// Sets the next value of the state that was added last.
fn set_next(circuit: &mut Btor2, state: Argument, next: Argument) {
    let last = circuit.states.last_mut().filter(|it| it.node == state.node);
    debug_assert!(last.is_some());
    if let Some(last) = last {
        last.next = Some(next);
    }
}

/// The run against a justice property, and the step at which its loop begins, that a run to the bad of
/// [`live_to_safe`] shows. `None` if the run guesses no loop before `bad_step`, the step of the bad.
#[must_use]
pub fn lasso_of(
    circuit: &Btor2,
    property: usize,
    run: &Trace,
    bad_step: usize,
) -> Option<(Trace, usize)> {
    let guess = circuit.inputs.len();
    let begins = |step: &Step| match step.inputs.get(&guess) {
        Some(Value::Bits(bits)) => !bits.is_zero(),
        _ => false,
    };
    let before = run.steps.get(..bad_step)?;
    let loop_start = before.iter().position(begins)?;
    let own = |step: &Step| {
        let mut step = step.clone();
        step.inputs.split_off(&circuit.inputs.len());
        step.states.split_off(&circuit.states.len());
        step
    };
    let lasso = Trace {
        bads: Vec::new(),
        justice: vec![property],
        steps: before.iter().map(own).collect(),
    };
    Some((lasso, loop_start))
}

#[cfg(test)]
mod tests {
    use craig_mc::circuit::reduce::Passes;
    use craig_mc::engine::options::Settings;
    use craig_mc::engine::registry;
    use craig_mc::liveness::{self, LivenessVerdict, Plan};

    use craig_mc::Alone;
    use craig_mc::word_system::blast;
    use craig_model::Verdict;

    use super::super::evaluate::{check_lasso, first_bad_step, replay};
    use super::super::generate::random_circuit;
    use super::super::model::Justice;
    use super::super::{read, system_of, write};
    use super::*;

    /// A random circuit whose bads are values of a justice property, or of fairness.
    fn random(seed: u64) -> Option<Btor2> {
        let text = random_circuit(seed);
        let mut circuit = read(text.as_bytes(), "model").unwrap();
        let mut bads = std::mem::take(&mut circuit.bads);
        if seed.is_multiple_of(3) && bads.len() > 1 {
            circuit.fairness.extend(bads.pop());
        }
        if bads.is_empty() {
            return None;
        }
        let values = bads.into_iter().map(|bad| bad.value).collect();
        let symbol = "progress".to_owned();
        circuit.justice.push(Justice { values, symbol });
        Some(circuit)
    }

    /// The engines for liveness on the circuit of bits, which share nothing with this translation, give the same
    /// answers; and every run is one against the property.
    #[test]
    fn the_bad_is_reached_if_and_only_if_the_property_fails() {
        let (mut n_hold, mut n_fail) = (0, 0);
        for seed in 0..150 {
            let Some(circuit) = random(seed) else {
                continue;
            };
            let Ok(bits) = blast(&system_of(&circuit)) else {
                continue;
            };
            let plan = Plan {
                method: None,
                engine: None,
                passes: Passes::ALL,
                threads: 1,
                seed: 0,
            };
            let expected = liveness::decide(&bits.model, 0, &plan, Alone::new().control()).verdict;

            let safety = live_to_safe(&circuit, 0);
            let mut bytes = Vec::new();
            write(&safety, &mut bytes).unwrap();
            let safety = read(&bytes, "safety").unwrap();
            let bits = blast(&system_of(&safety)).unwrap();
            let engine = registry::find("pdr").unwrap();
            let verdict =
                (engine.build)(&Settings::default())(&bits.model, 0, Alone::new().control())
                    .verdict;
            match (verdict, expected) {
                (Verdict::Safe(_), LivenessVerdict::Safe(_)) => n_hold += 1,
                (Verdict::Unsafe(trace), LivenessVerdict::Unsafe(_)) => {
                    n_fail += 1;
                    let run = Trace {
                        bads: vec![0],
                        justice: Vec::new(),
                        steps: bits.lift(&trace.initial, &trace.inputs),
                    };
                    let values = replay(&safety, &run).unwrap();
                    let bad_step = first_bad_step(&values, 0).unwrap();
                    let (lasso, start) = lasso_of(&circuit, 0, &run, bad_step).unwrap();
                    check_lasso(&circuit, &lasso, 0, start).unwrap();
                }
                (verdict, expected) => panic!("seed {seed}: {verdict:?}, expected {expected:?}"),
            }
        }
        assert!(n_hold > 10 && n_fail > 10, "{n_hold} {n_fail}");
    }
}
