//! From evidence about a model that facts have reduced to evidence about the original.
//!
//! *Facts* are formulas over the original model's variables that hold in every reset state, and that are
//! preserved by every step in whose first state they and the constraints hold. Under them, the reduced
//! model's functions equal those of the original.
//!
//! A certificate for the reduced model becomes one for the original: the witness circuit gets the latches and
//! inputs that the facts and the constraints depend on, with the original's resets and next-state functions,
//! which also replace those of the shared latches; and the facts and the original constraints become
//! constraints of the witness. The conditions reset and transition then state that the facts are inductive.
//! In the other three, the facts are assumed, under which the two models are equal.

use std::collections::HashMap;
use std::sync::Arc;

use craig_aig::{Aig, Edge, NodeId, Poll};
use craig_model::{Certificate, Latch, Model, Names, Reset, Trace, Values};

use super::needed::{Named, needed};
use super::rebuild::Substitution;
use super::relevant::relevant;
use super::stage::{Replacement, Stage};

/// The origins of the parts of a reduced model, and the facts used in the reduction.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// The original model; the facts are added to its graph.
    original: Arc<Model>,
    /// The number of the one bad of the reduced model; `None` if it has all bads, with their numbers.
    property: Option<usize>,
    /// With all bads: the one that certificates are about. They depend on a part of the facts only.
    bad: Option<usize>,
    /// Over the variables of `original`.
    facts: Vec<Edge>,
    /// For each input of the reduced model, its number in the original.
    inputs: Vec<usize>,
    /// For each latch of the reduced model, its number in the original.
    latches: Vec<usize>,
    /// By number in the original: the latches that constants or other latches have replaced.
    replaced: HashMap<usize, Replacement>,
}

impl Facts {
    /// The identity on the model with no bad but number `property`, or with all bads.
    pub(super) fn new(model: Arc<Model>, property: Option<usize>) -> Self {
        Self {
            property,
            bad: None,
            facts: Vec::new(),
            inputs: (0..model.inputs.len()).collect(),
            latches: (0..model.latches.len()).collect(),
            replaced: HashMap::new(),
            original: model,
        }
    }

    /// These facts for certificates about bad `number` of several.
    pub(super) fn for_bad(self, number: usize) -> Self {
        debug_assert!(self.property.is_none());
        Self {
            bad: Some(number),
            ..self
        }
    }

    /// Adds the facts that each replaced node of `model`, the current reduced model, equals its replacement: all of them,
    /// as only together they are inductive, or none and `None` if `poll` ends it.
    pub(super) fn add_facts(
        &mut self,
        model: &Model,
        substitution: &Substitution,
        poll: &mut Poll<'_>,
    ) -> Option<()> {
        let mut roots = Vec::new();
        for (node, image) in substitution.replaced() {
            roots.extend([Edge::new(node, false), image]);
        }
        if roots.is_empty() {
            return Some(());
        }
        let images = self.images(model, &roots, poll)?;
        let aig = &mut Arc::make_mut(&mut self.original).aig;
        let mut facts = Vec::new();
        for pair in images.chunks_exact(2) {
            poll.step()?;
            let fact = aig.iff(pair[0], pair[1]);
            if fact != Edge::TRUE {
                facts.push(fact);
            }
        }
        self.facts.extend(facts);
        self.note_replaced(model, substitution);
        Some(())
    }

    /// Keeps which latches of `model`, the current reduced model, constants or other latches replace.
    fn note_replaced(&mut self, model: &Model, substitution: &Substitution) {
        let own = model.latches.iter().zip(&self.latches);
        let numbers: HashMap<NodeId, usize> = own
            .map(|(latch, &number)| {
                debug_assert!(!latch.state.is_negated());
                (latch.state.node(), number)
            })
            .collect();
        for (node, image) in substitution.replaced() {
            let Some(&latch) = numbers.get(&node) else {
                continue;
            };
            let replacement = match image {
                Edge::TRUE => Some(Replacement::Constant(true)),
                Edge::FALSE => Some(Replacement::Constant(false)),
                _ => (numbers.get(&image.node())).map(|&number| Replacement::Latch {
                    number,
                    is_negated: image.is_negated(),
                }),
            };
            self.replaced
                .extend(replacement.map(|replacement| (latch, replacement)));
        }
    }

    /// The original's formulas for those of `model`, the current reduced model. `None` if `poll` ends it.
    fn images(&mut self, model: &Model, roots: &[Edge], poll: &mut Poll<'_>) -> Option<Vec<Edge>> {
        let mut variables = vec![Edge::FALSE; model.aig.n_nodes()];
        for (input, &number) in model.inputs.iter().zip(&self.inputs) {
            variables[input.node() as usize] = self.original.inputs[number];
        }
        for (latch, &number) in model.latches.iter().zip(&self.latches) {
            variables[latch.state.node() as usize] = self.original.latches[number].state;
        }
        let aig = &mut Arc::make_mut(&mut self.original).aig;
        let leaf = &mut |node| variables[node as usize];
        aig.copy_cone_until(&model.aig, roots, leaf, poll)
    }

    /// Records which inputs and latches of the current reduced model are kept.
    pub(super) fn keep(&mut self, inputs: &[usize], latches: &[usize]) {
        self.inputs = inputs.iter().map(|&number| self.inputs[number]).collect();
        self.latches = latches.iter().map(|&number| self.latches[number]).collect();
    }
}

impl Stage for Facts {
    fn trace(&self, trace: &Trace) -> Trace {
        let property = self.property.unwrap_or(trace.property);
        let kept = (&self.inputs[..], &self.latches[..]);
        lifted_trace(&self.original, property, kept, trace)
    }

    /// A certificate for the original model from one for the reduced model.
    ///
    /// # Panics
    /// If the certificate has inputs or latches that the reduced model does not have.
    fn certificate(&self, certificate: &Certificate) -> Certificate {
        let inputs = self.inputs.iter();
        let inputs: Vec<Edge> = inputs.map(|&number| self.original.inputs[number]).collect();
        let latches = self.latches.iter();
        let latches: Vec<Edge> = latches
            .map(|&number| self.original.latches[number].state)
            .collect();
        let names = Named {
            inputs: &inputs,
            latches: &latches,
        };
        match self.bad {
            None => LiftedWitness::lift(&self.original, names, &self.facts, certificate),
            Some(number) => {
                let bad = self.original.bads[number];
                let facts = relevant(&self.original, names, &self.facts, bad, certificate);
                LiftedWitness::lift(&self.original, names, &facts, certificate)
            }
        }
    }
    fn latches(&self) -> Vec<Option<usize>> {
        self.latches.iter().copied().map(Some).collect()
    }

    fn replacement(&self, latch: usize) -> Option<Replacement> {
        self.replaced.get(&latch).copied()
    }

    fn n_facts(&self) -> usize {
        self.facts.len()
    }
}

/// A trace of the original model about a property, from one of the reduced model, whose inputs and latches have these
/// numbers there. Other inputs are 0, and other latches start at their resets, or at 0 where those are open; the values of
/// reset functions are left open.
pub(super) fn lifted_trace(
    original: &Model,
    property: usize,
    (inputs, latches): (&[usize], &[usize]),
    trace: &Trace,
) -> Trace {
    let spread = |mut all: Values, numbers: &[usize], values: &Values| {
        for (&number, &value) in numbers.iter().zip(values) {
            all[number] = value;
        }
        all
    };
    let resets = original.latches.iter().map(|latch| match latch.reset {
        Reset::Function(_) => None,
        reset => Some(reset == Reset::One),
    });
    let zeros = vec![Some(false); original.inputs.len()];
    Trace {
        property,
        initial: spread(resets.collect(), latches, &trace.initial),
        inputs: (trace.inputs.iter())
            .map(|values| spread(zeros.clone(), inputs, values))
            .collect(),
    }
}

/// A witness circuit for the original model under construction.
pub(super) struct LiftedWitness<'a> {
    original: &'a Model,
    aig: Aig,
    /// By node of the original: its variable in the witness.
    variables: Vec<Edge>,
    inputs: Vec<Edge>,
    shared_inputs: Vec<Option<usize>>,
    /// The numbers of the original's latches that are shared.
    latches: Vec<usize>,
}

impl<'a> LiftedWitness<'a> {
    /// The certificate for `original` from one for a smaller model whose functions equal those of the
    /// original under the facts, if its variables are the formulas of `names`.
    ///
    /// # Panics
    /// If the certificate has inputs or latches that the smaller model does not have.
    pub(super) fn lift(
        original: &'a Model,
        names: Named<'_>,
        facts: &[Edge],
        certificate: &Certificate,
    ) -> Certificate {
        Self::lift_with(original, names, facts, &[], certificate).0
    }

    /// As `lift`, and the witness's formulas for some formulas of the original.
    pub(super) fn lift_with(
        original: &'a Model,
        names: Named<'_>,
        facts: &[Edge],
        wanted: &[Edge],
        certificate: &Certificate,
    ) -> (Certificate, Vec<Edge>) {
        let roots = [facts, wanted].concat();
        let mut lifted = Self::new(original, &needed(original, names, &roots, certificate));
        let witness = &certificate.witness;
        let mut variables = vec![Edge::FALSE; witness.aig.n_nodes()];
        // All at once: copying a cone takes time for all nodes below it.
        let shared_inputs = certificate.shared_inputs.iter().flatten();
        let shared: Vec<Edge> = shared_inputs.map(|&number| names.inputs[number]).collect();
        let mut images = lifted.images(&shared).into_iter();
        let mut next_image = || images.next().expect("an image for each");
        for (input, shared) in witness.inputs.iter().zip(&certificate.shared_inputs) {
            variables[input.node() as usize] = match shared {
                Some(_) => next_image(),
                None => lifted.own_input(),
            };
        }
        let mut own_latches = Vec::new();
        let shared_latches = certificate.shared_latches.iter().flatten();
        let shared: Vec<Edge> = shared_latches
            .map(|&number| names.latches[number])
            .collect();
        let mut images = lifted.images(&shared).into_iter();
        let mut next_image = || images.next().expect("an image for each");
        for (latch, shared) in witness.latches.iter().zip(&certificate.shared_latches) {
            variables[latch.state.node() as usize] = match shared {
                Some(_) => next_image(),
                None => {
                    own_latches.push(latch);
                    lifted.aig.add_input()
                }
            };
        }
        // The witness's own part: its bads, its constraints, and the functions of its own latches.
        let mut roots: Vec<Edge> = witness.bads.clone();
        roots.extend(&witness.constraints);
        roots.extend(own_latches.iter().map(|latch| latch.next));
        let functions = own_latches.iter().filter_map(|latch| match latch.reset {
            Reset::Function(edge) => Some(edge),
            _ => None,
        });
        roots.extend(functions);
        let images = lifted
            .aig
            .copy_cone(&witness.aig, &roots, &mut |node| variables[node as usize]);
        let (bads, rest) = images.split_at(witness.bads.len());
        let (constraints, nexts) = rest.split_at(witness.constraints.len());
        let (nexts, functions) = nexts.split_at(own_latches.len());
        let mut functions = functions.iter();
        let own_latches = own_latches.iter().zip(nexts).map(|(latch, &next)| Latch {
            state: variables[latch.state.node() as usize],
            next,
            reset: match latch.reset {
                Reset::Function(_) => {
                    Reset::Function(*functions.next().expect("an image for each function"))
                }
                constant => constant,
            },
        });
        let own_latches: Vec<Latch> = own_latches.collect();
        let wanted = lifted.images(wanted);
        let certificate = lifted.finish(bads, constraints, facts, own_latches);
        (certificate, wanted)
    }

    /// Starts with the needed variables of the original.
    fn new(original: &'a Model, needed: &[bool]) -> Self {
        let mut lifted = Self {
            original,
            aig: Aig::new(),
            variables: vec![Edge::FALSE; original.aig.n_nodes()],
            inputs: Vec::new(),
            shared_inputs: Vec::new(),
            latches: Vec::new(),
        };
        for (number, input) in original.inputs.iter().enumerate() {
            if needed[input.node() as usize] {
                let variable = lifted.own_input();
                lifted.variables[input.node() as usize] = variable;
                lifted.shared_inputs[lifted.inputs.len() - 1] = Some(number);
            }
        }
        for (number, latch) in original.latches.iter().enumerate() {
            if needed[latch.state.node() as usize] {
                lifted.variables[latch.state.node() as usize] = lifted.aig.add_input();
                lifted.latches.push(number);
            }
        }
        lifted
    }

    /// A new input that is not shared.
    fn own_input(&mut self) -> Edge {
        let variable = self.aig.add_input();
        self.inputs.push(variable);
        self.shared_inputs.push(None);
        variable
    }

    /// The witness's formulas for needed formulas of the original.
    fn images(&mut self, edges: &[Edge]) -> Vec<Edge> {
        let variables = &self.variables;
        self.aig.copy_cone(&self.original.aig, edges, &mut |node| {
            variables[node as usize]
        })
    }

    fn finish(
        mut self,
        bads: &[Edge],
        constraints: &[Edge],
        facts: &[Edge],
        own_latches: Vec<Latch>,
    ) -> Certificate {
        let original = self.original;
        let mut roots: Vec<Edge> = original.constraints.clone();
        roots.extend(facts);
        let n_constraints = roots.len();
        roots.extend(
            self.latches
                .iter()
                .map(|&number| original.latches[number].next),
        );
        let n_nexts = roots.len();
        let resets = self.latches.iter();
        roots.extend(
            resets.filter_map(|&number| match original.latches[number].reset {
                Reset::Function(edge) => Some(edge),
                _ => None,
            }),
        );
        let variables = &self.variables;
        let images = self
            .aig
            .copy_cone(&original.aig, &roots, &mut |node: NodeId| {
                variables[node as usize]
            });
        let mut all_constraints = images[..original.constraints.len()].to_vec();
        all_constraints.extend(constraints);
        let facts = images[original.constraints.len()..n_constraints].iter();
        all_constraints.push(self.aig.and_all(facts.copied()));
        all_constraints.sort_unstable();
        all_constraints.dedup();
        all_constraints.retain(|&constraint| constraint != Edge::TRUE);
        let mut latches: Vec<Latch> = Vec::new();
        let mut shared_latches = Vec::new();
        let (nexts, functions) = images[n_constraints..].split_at(n_nexts - n_constraints);
        let mut functions = functions.iter();
        for (&number, &next) in self.latches.iter().zip(nexts) {
            let latch = &original.latches[number];
            latches.push(Latch {
                state: self.variables[latch.state.node() as usize],
                next,
                reset: match latch.reset {
                    Reset::Function(_) => {
                        Reset::Function(*functions.next().expect("an image for each function"))
                    }
                    constant => constant,
                },
            });
            shared_latches.push(Some(number));
        }
        shared_latches.resize(latches.len() + own_latches.len(), None);
        latches.extend(own_latches);
        Certificate {
            witness: Model {
                aig: self.aig,
                inputs: self.inputs,
                latches,
                constraints: all_constraints,
                bads: bads.to_vec(),
                justice: Vec::new(),
                fairness: Vec::new(),
                names: Names::default(),
            },
            shared_inputs: self.shared_inputs,
            shared_latches,
        }
    }
}
