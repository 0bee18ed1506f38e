//! Bounded model checking instances, partitioned by steps.

use craig_mc::circuit::reduce::Resets;
use craig_mc::circuit::unroll::{Start, Unrolling};
use craig_model::Model;
use craig_solver::encode::{ClauseSink, Encoder, Labelled};
use craig_solver::{Label, Lit};

use super::formula::Problem;

/// Why a circuit has no such problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CircuitError {
    /// There is no such property.
    #[error("there is no property {property}: the circuit has {n_properties}")]
    NoProperty {
        /// The requested property.
        property: usize,
        /// How many there are.
        n_properties: usize,
    },
    /// A bound that is out of range.
    #[error("the bound has to lie between 1 and 100000")]
    Bound,
}

/// The formula that the bad holds in step `bound`, with the constraints in all steps up to it. The clauses of
/// step `i` have label `i`; neighbouring steps share the latches between them, named after the latch and the
/// step that reads it.
///
/// # Errors
/// If there is no such property or the bound is out of range.
pub(crate) fn bounded(
    model: &Model,
    property: usize,
    bound: usize,
) -> Result<Problem, CircuitError> {
    if property >= model.bads.len() {
        return Err(CircuitError::NoProperty {
            property,
            n_properties: model.bads.len(),
        });
    }
    if !(1..=100_000).contains(&bound) {
        return Err(CircuitError::Bound);
    }
    let resets = Resets::replace(model);
    let model = resets.as_ref().map_or(model, Resets::model);
    let mut problem = Problem {
        span: Label::try_from(bound).ok().map(|last| (0, last)),
        ..Problem::default()
    };
    // Backwards, so that only latches that a later step reads are shared between steps.
    let mut wanted: Vec<(usize, Lit)> = Vec::new();
    for step in (0..=bound).rev() {
        let start = if step == 0 { Start::Reset } else { Start::Free };
        let mut unrolling = Unrolling::new(model, property, start);
        unrolling.push_frame();
        let frame = &unrolling.frames()[0];
        let mut encoder = Encoder::new();
        let mut sink = Labelled {
            sink: &mut problem.cnf,
            label: Label::try_from(step).expect("a bound fits"),
        };
        let bad = (step == bound).then_some(frame.bad);
        for &claim in frame.constraints.iter().chain(&bad) {
            let claim = encoder.encode_polarity(unrolling.aig(), claim, &mut sink);
            sink.add_clause(&[claim]);
        }
        for (position, entry) in wanted.drain(..) {
            let exit = encoder.encode(unrolling.aig(), unrolling.state()[position], &mut sink);
            sink.add_clause(&[!entry, exit]);
            sink.add_clause(&[entry, !exit]);
        }
        if step == 0 {
            break;
        }
        for (position, &entry) in unrolling.initial().iter().enumerate() {
            let Some(lit) = encoder.literal(entry) else {
                continue;
            };
            let latch = unrolling.cone().latches[position];
            let name = match model.names.latches.get(latch) {
                Some(name) if !name.is_empty() => name.clone(),
                _ => format!("l{latch}"),
            };
            let index = lit.var().index();
            if problem.names.len() <= index {
                problem.names.resize(index + 1, None);
            }
            problem.names[index] = Some(format!("{name}@{step}"));
            wanted.push((position, lit));
        }
    }
    Ok(problem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_aig::Aig;
    use craig_mc::Alone;
    use craig_model::{Latch, Reset};
    use craig_solver::{Answer, Solver};

    /// A three-bit counter with an enable input; bad where all bits are set.
    fn counter() -> Model {
        let mut aig = Aig::new();
        let enable = aig.add_input();
        let bits = [(); 3].map(|()| aig.add_input());
        let mut carry = enable;
        let latches = bits.map(|state| {
            let next = aig.xor(state, carry);
            carry = aig.and(state, carry);
            Latch {
                state,
                next,
                reset: Reset::Zero,
            }
        });
        let bad = aig.and_all(bits);
        Model {
            aig,
            inputs: vec![enable],
            latches: latches.to_vec(),
            bads: vec![bad],
            ..Model::default()
        }
    }

    #[test]
    fn instances_agree_with_bounded_model_checking() {
        use craig_mc::engine::bmc;
        use craig_model::Verdict;
        let model = counter();
        let outcome = bmc::check(&model, 0, &bmc::Options::default(), Alone::new().control());
        let first = match outcome.verdict {
            Verdict::Unsafe(trace) => trace.depth(),
            other => panic!("{other:?}"),
        };
        assert_eq!(first, 7);
        for bound in 1..=first {
            let problem = bounded(&model, 0, bound).unwrap();
            let mut solver = Solver::new();
            solver.add_cnf(&problem.cnf);
            assert_eq!(solver.solve(&[]) == Answer::Satisfiable, bound == first);
        }
    }

    #[test]
    fn neighbouring_steps_share_named_latches_only() {
        let problem = bounded(&counter(), 0, 3).unwrap();
        let mut labels: Vec<Vec<Label>> = vec![Vec::new(); problem.cnf.n_vars()];
        for (clause, label) in problem.cnf.iter() {
            for lit in clause {
                labels[lit.var().index()].push(label);
            }
        }
        for (index, labels) in labels.iter_mut().enumerate() {
            labels.sort_unstable();
            labels.dedup();
            let name = problem.names.get(index).cloned().flatten();
            match labels[..] {
                [] | [_] => {}
                [before, after] => {
                    assert_eq!(after, before + 1);
                    assert!(name.unwrap().ends_with(&format!("@{after}")));
                }
                _ => panic!("a variable of three steps"),
            }
        }
        assert!(bounded(&counter(), 1, 3).is_err());
        assert_eq!(bounded(&counter(), 0, 0).unwrap_err(), CircuitError::Bound);
    }
}
