//! Latches that start at the value of a formula become latches that start at 0.
//!
//! A latch `first` holds in the first step only. A latch l with the reset function r becomes a latch l' with
//! the same next-state function that starts at 0, and "r if first, else l'" replaces it everywhere, also in
//! the reset functions of other latches, in their order; if r is constant, l' starts there and replaces l. Every step of the model has the same values as
//! before. There are no constraints on the first state, which random runs would hardly ever satisfy.
//!
//! A certificate for the new model becomes one for the original: l comes back as a latch that is shared, and
//! l' and `first` are latches of the witness circuit's own. Its property gets the equalities of each l with
//! the formula that replaced it, and the certificate's constraints, which may depend on latches that are not
//! shared any more.

use craig_aig::{Aig, Edge, Node};
use craig_model::{
    Certificate, Intervention, Lasso, Latch, LivenessCertificate, Model, Outcome, Reset, Trace,
    Values, Verdict, certificate::WitnessBuilder, cone::SequentialCone, simulate::Simulator,
};

use super::stage::Stage;

/// A model whose resets are constants, and the lifting of evidence to the original.
#[derive(Clone, Debug)]
pub struct Resets {
    original: Model,
    /// The latches and inputs have the order of the original's; `first` is the last latch.
    model: Model,
    /// By latch of the original: whether its reset function is constant in the new model.
    is_constant: Vec<bool>,
}

impl Resets {
    /// Replaces the reset functions of a model; `None` if it has none. The bads, constraints, justice
    /// properties and inputs keep their numbers, and so do the latches, to which one is added.
    ///
    /// # Panics
    /// If the reset functions form a cycle.
    #[must_use]
    pub fn replace(original: &Model) -> Option<Self> {
        if !original.has_reset_functions() {
            return None;
        }
        let mut aig = Aig::new();
        let mut images = vec![Edge::FALSE; original.aig.n_nodes()];
        for input in &original.inputs {
            images[input.node() as usize] = aig.add_input();
        }
        let states: Vec<Edge> = original.latches.iter().map(|_| aig.add_input()).collect();
        let first = aig.add_input();
        // The reset function and the new variable of a latch, by node.
        let mut functions = vec![None; original.aig.n_nodes()];
        for (latch, &state) in original.latches.iter().zip(&states) {
            let node = latch.state.node() as usize;
            images[node] = state;
            if let Reset::Function(function) = latch.reset {
                functions[node] = Some((function, state));
            }
        }
        // The resets of the latches whose functions turn out to be constant, by node.
        let mut constants = vec![None; original.aig.n_nodes()];
        for node in original
            .reset_order()
            .expect("reset functions form no cycle")
        {
            images[node as usize] = match (original.aig.node(node), functions[node as usize]) {
                (Node::And(left, right), _) => aig.and(left.image(&images), right.image(&images)),
                (_, Some((function, state))) => match function.image(&images) {
                    Edge::FALSE => {
                        constants[node as usize] = Some(Reset::Zero);
                        state
                    }
                    Edge::TRUE => {
                        constants[node as usize] = Some(Reset::One);
                        state
                    }
                    function => aig.ite(first, function, state),
                },
                (_, None) => unreachable!("the order has gates and latches with a function"),
            };
        }
        for node in 0..original.aig.n_nodes() {
            if let Node::And(left, right) = original.aig.node(node as u32) {
                images[node] = aig.and(left.image(&images), right.image(&images));
            }
        }
        let latches = original.latches.iter().zip(&states);
        let mut latches: Vec<Latch> = latches
            .map(|(latch, &state)| Latch {
                state,
                next: latch.next.image(&images),
                reset: match latch.reset {
                    Reset::Function(_) => {
                        constants[latch.state.node() as usize].unwrap_or(Reset::Zero)
                    }
                    constant => constant,
                },
            })
            .collect();
        latches.push(Latch {
            state: first,
            next: Edge::FALSE,
            reset: Reset::One,
        });
        let all = |edges: &[Edge]| -> Vec<Edge> {
            edges.iter().map(|edge| edge.image(&images)).collect()
        };
        let mut names = original.names.clone();
        if !names.latches.is_empty() {
            names.latches.push(String::new());
        }
        let model = Model {
            inputs: all(&original.inputs),
            constraints: all(&original.constraints),
            bads: all(&original.bads),
            justice: original.justice.iter().map(|set| all(set)).collect(),
            fairness: all(&original.fairness),
            aig,
            latches,
            names,
        };
        let latches = original.latches.iter();
        let is_constant = latches.map(|latch| constants[latch.state.node() as usize].is_some());
        Some(Self {
            is_constant: is_constant.collect(),
            original: original.clone(),
            model,
        })
    }

    /// Lets an engine decide a bad of a model, without its reset functions if it has any.
    pub(crate) fn decide(model: &Model, engine: impl FnOnce(&Model) -> Outcome) -> Outcome {
        let Some(resets) = Self::replace(model) else {
            return engine(model);
        };
        let outcome = engine(&resets.model);
        let verdict = match outcome.verdict {
            Verdict::Safe(certificate) => Verdict::Safe(Box::new(resets.certificate(&certificate))),
            Verdict::Unsafe(trace) => Verdict::Unsafe(resets.trace(&trace)),
            unknown @ Verdict::Unknown(_) => unknown,
        };
        Outcome { verdict, ..outcome }
    }

    /// The model without reset functions.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The first state of a run of the original, with all values chosen, from that of the new model. The
    /// values that the inputs of the first step leave open are 0 then.
    fn initial(&self, initial: &Values, first_inputs: &Values) -> Values {
        let latches = self.original.latches.iter().zip(initial);
        let given = latches.map(|(latch, &value)| match latch.reset {
            Reset::Function(_) => None,
            _ => value,
        });
        let simulator = Simulator::new(&self.original, &given.collect(), first_inputs)
            .expect("a run of the new model starts at its resets");
        simulator.state().iter().map(|&value| Some(value)).collect()
    }

    /// The inputs with the values of the first step chosen: reset functions may read them.
    fn inputs(inputs: &[Values]) -> Vec<Values> {
        let mut inputs = inputs.to_vec();
        for value in inputs.iter_mut().take(1).flatten() {
            value.get_or_insert(false);
        }
        inputs
    }

    /// A lasso of the original from one of the new model.
    #[must_use]
    pub fn lasso(&self, lasso: &Lasso) -> Lasso {
        let inputs = Self::inputs(&lasso.inputs);
        Lasso {
            initial: self.initial(&lasso.initial, &inputs[0]),
            inputs,
            ..lasso.clone()
        }
    }

    /// A certificate about a justice property of the original from one of the new model.
    #[must_use]
    pub fn liveness_certificate(&self, certificate: &LivenessCertificate) -> LivenessCertificate {
        let mut part = certificate.certificate.clone();
        let witness = &mut part.witness;
        let n_bads = witness.bads.len();
        // The edge predicates and the interventions' literals are lifted as the bads are.
        let n_fairness = witness.fairness.len();
        let fairness = std::mem::take(&mut witness.fairness);
        let justice = std::mem::take(&mut witness.justice);
        let literals = certificate.interventions.iter();
        witness.bads.extend(fairness);
        witness.bads.extend(justice.iter().flatten());
        witness.bads.extend(literals.map(|each| each.literal));
        let stand_ins = certificate.interventions.iter();
        let stand_ins: Vec<Edge> = stand_ins
            .map(|each| witness.inputs[each.stand_in])
            .collect();
        witness.bads.extend(stand_ins);
        let mut lifted = self.certificate(&part);
        let witness = &mut lifted.witness;
        let mut edges = witness.bads.split_off(n_bads).into_iter();
        witness.fairness = edges.by_ref().take(n_fairness).collect();
        witness.justice = (justice.iter())
            .map(|set| edges.by_ref().take(set.len()).collect())
            .collect();
        let literals: Vec<Edge> = edges
            .by_ref()
            .take(certificate.interventions.len())
            .collect();
        let mut place = vec![usize::MAX; witness.aig.n_nodes()];
        for (number, input) in witness.inputs.iter().enumerate() {
            place[input.node() as usize] = number;
        }
        let pairs = literals.into_iter().zip(edges);
        LivenessCertificate {
            interventions: pairs
                .map(|(literal, stand_in)| Intervention {
                    literal,
                    stand_in: place[stand_in.node() as usize],
                })
                .collect(),
            certificate: lifted,
        }
    }

    /// The original with the new model's own latches, and the formula that each latch with a reset function
    /// equals the one that replaced it. Only latches are considered that bads, constraints, justice, fairness and the
    /// latches that the certificate shares depend on: its facts may be about more than the bads depend on.
    fn both(&self, certificate: &Certificate) -> (Model, Edge) {
        let original = &self.original;
        let justice = original.justice.iter().flatten();
        let roots = original.bads.iter().chain(&original.constraints);
        let roots = roots.chain(justice).chain(&original.fairness).copied();
        let shared = certificate.shared_latches.iter().flatten();
        let shared = shared.filter_map(|&number| Some(original.latches.get(number)?.state));
        let cone = SequentialCone::new(original, roots.chain(shared));
        let mut both = original.clone();
        let first = both.aig.add_input();
        let mut equal = Vec::new();
        let replaced = original.latches.iter().zip(&self.model.latches);
        for (number, (latch, replacement)) in replaced.enumerate() {
            // Numbers have to stay: a latch without a function gets a copy, which nothing refers to.
            let state = both.aig.add_input();
            both.latches.push(Latch {
                state,
                next: latch.next,
                reset: replacement.reset,
            });
            if let Reset::Function(function) = latch.reset
                && cone.latches.binary_search(&number).is_ok()
            {
                let formula = match self.is_constant[number] {
                    true => state,
                    false => both.aig.ite(first, function, state),
                };
                equal.push(both.aig.iff(latch.state, formula));
            }
        }
        both.latches.push(Latch {
            state: first,
            next: Edge::FALSE,
            reset: Reset::One,
        });
        let equal = both.aig.and_all(equal);
        (both, equal)
    }
}

impl Stage for Resets {
    /// A trace of the original from one of the new model.
    fn trace(&self, trace: &Trace) -> Trace {
        let inputs = Self::inputs(&trace.inputs);
        Trace {
            property: trace.property,
            initial: self.initial(&trace.initial, &inputs[0]),
            inputs,
        }
    }

    /// A certificate for the original from one for the new model. The first of the bads gets the negations
    /// of the equalities and of the certificate's constraints.
    fn certificate(&self, certificate: &Certificate) -> Certificate {
        let n_latches = self.original.latches.len();
        let (both, equal) = self.both(certificate);
        let mut part = certificate.clone();
        let witness = &mut part.witness;
        let proved = witness
            .aig
            .and_all(std::mem::take(&mut witness.constraints));
        witness.bads[0] = witness.aig.or(witness.bads[0], !proved);
        // Of `both`, the latches of the original come first, and then those of the new model.
        for number in part.shared_latches.iter_mut().flatten() {
            let is_replaced = *number == n_latches
                || matches!(self.original.latches[*number].reset, Reset::Function(_));
            if is_replaced {
                *number += n_latches;
            }
        }
        let shared_latches = part.shared_latches.iter().flatten();
        let shared_inputs = part.shared_inputs.iter().flatten();
        let roots = shared_latches.map(|&number| both.latches[number].state);
        let roots = roots.chain(shared_inputs.map(|&number| both.inputs[number]));
        let roots = roots.chain(both.constraints.iter().copied()).chain([equal]);
        let mut copy = WitnessBuilder::new(&both, roots);
        let mut bads = copy.add_part(&part);
        let equal = copy.image(equal);
        let mut lifted = copy.finish();
        bads[0] = lifted.witness.aig.or(bads[0], !equal);
        lifted.witness.bads = bads;
        for shared in &mut lifted.shared_latches {
            shared.take_if(|number| *number >= n_latches);
        }
        lifted
    }

    fn latches(&self) -> Vec<Option<usize>> {
        // The new latches have other values in the first step, so clauses about them do not carry over.
        let latches = self.original.latches.iter().enumerate();
        let numbers = latches.map(|(number, latch)| match latch.reset {
            Reset::Function(_) => None,
            _ => Some(number),
        });
        numbers.chain([None]).collect()
    }
}
